/* Tooltips. See tooltips.h.
 *
 * The toolkit asks a widget for its tooltip also where the pointer is on a popover that hangs from
 * it, and shows the answer over that. So while a popover is up, what it hangs from has no tooltip.
 */
#include "widgets/tooltips.h"

/* The toolkit asks for widgets that are visible by themselves, in a window or not. */
void
weir_set_tooltip (GtkWidget *widget, const char *text)
{
  gboolean is_unseen;

  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0)
    return;
  is_unseen = gtk_widget_get_visible (widget) && !gtk_widget_get_mapped (widget);
  if (is_unseen)
    gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, text);
  if (is_unseen)
    gtk_widget_set_visible (widget, TRUE);
}

/* How many popovers that are up hang from a widget; the widget had a tooltip before the first. */
static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("weir-popovers-up");
}

static void
hush (GtkWidget *widget)
{
  guint n_up = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (widget), get_quark ()));

  if (n_up == 0 && !gtk_widget_get_has_tooltip (widget))
    return;
  g_object_set_qdata (G_OBJECT (widget), get_quark (), GUINT_TO_POINTER (n_up + 1));
  gtk_widget_set_has_tooltip (widget, FALSE);
  gtk_widget_trigger_tooltip_query (widget); /* one that is shown goes */
}

static void
speak_again (GtkWidget *widget)
{
  guint n_up = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (widget), get_quark ()));

  if (n_up == 0)
    return;
  g_object_set_qdata (G_OBJECT (widget), get_quark (), GUINT_TO_POINTER (n_up - 1));
  if (n_up == 1)
    gtk_widget_set_has_tooltip (widget, TRUE);
}

static gboolean
widget_mapped (G_GNUC_UNUSED GSignalInvocationHint *hint, G_GNUC_UNUSED guint n_values,
               const GValue *values, gpointer is_mapped)
{
  GtkWidget *widget = g_value_get_object (values);

  if (!GTK_IS_POPOVER (widget))
    return TRUE;
  for (GtkWidget *parent = gtk_widget_get_parent (widget); parent != NULL;
       parent = gtk_widget_get_parent (parent))
    if (GPOINTER_TO_INT (is_mapped))
      hush (parent);
    else
      speak_again (parent);
  return TRUE;
}

void
weir_tooltips_keep_off_popovers (void)
{
  static gboolean is_done;
  g_autoptr (GTypeClass) klass = NULL;

  if (is_done)
    return;
  is_done = TRUE;
  klass = g_type_class_ref (GTK_TYPE_WIDGET);
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, widget_mapped,
                              GINT_TO_POINTER (TRUE), NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, widget_mapped,
                              GINT_TO_POINTER (FALSE), NULL);
}
