/* WeirCurveStrip. See curve-strip.h. */
#include "scopes/curve-strip.h"

#include <glib/gi18n-lib.h>

#include "widgets/tooltips.h"

struct _WeirCurveStrip {
  GtkWidget parent;
  GPtrArray *toggles; /* children, in order */
  GtkWidget *more;    /* the last child */
};

G_DEFINE_FINAL_TYPE (WeirCurveStrip, weir_curve_strip, GTK_TYPE_WIDGET)

/* --- The menu -------------------------------------------------------------------------------- */

/* The toggles that are not seen, as check buttons. */
static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  WeirCurveStrip *self = data;
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  for (guint i = 0; i < self->toggles->len; i++)
    {
      GtkWidget *toggle = self->toggles->pdata[i], *check;

      if (gtk_widget_get_child_visible (toggle))
        continue;
      check = gtk_check_button_new_with_label (g_object_get_data (G_OBJECT (toggle), "weir-name"));
      g_object_bind_property (toggle, "active", check, "active",
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
      gtk_box_append (GTK_BOX (box), check);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (button, popover);
}

/* --- The row --------------------------------------------------------------------------------- */

static void
measure (GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int for_size, int *minimum,
         int *natural, int *minimum_baseline, int *natural_baseline)
{
  WeirCurveStrip *self = WEIR_CURVE_STRIP (widget);

  gtk_widget_measure (self->more, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *natural = 0;
  for (guint i = 0; i < self->toggles->len; i++)
    {
      int least, wanted;

      gtk_widget_measure (self->toggles->pdata[i], orientation, -1, &least, &wanted, NULL, NULL);
      if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *natural += wanted;
      else
        {
          *minimum = MAX (*minimum, least);
          *natural = MAX (*natural, wanted);
        }
    }
  *natural = MAX (*natural, *minimum);
  *minimum_baseline = *natural_baseline = -1;
}

/* How many of the toggles fit into @width. */
static guint
count_fitting (WeirCurveStrip *self, const GtkRequestedSize *sizes, int width)
{
  int all = 0, used = 0, more;
  guint n = 0;

  for (guint i = 0; i < self->toggles->len; i++)
    all += sizes[i].minimum_size;
  if (all <= width)
    return self->toggles->len;
  gtk_widget_measure (self->more, GTK_ORIENTATION_HORIZONTAL, -1, &more, NULL, NULL, NULL);
  while (n < self->toggles->len && used + sizes[n].minimum_size + more <= width)
    used += sizes[n++].minimum_size;
  return n;
}

static void
size_allocate (GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline)
{
  WeirCurveStrip *self = WEIR_CURVE_STRIP (widget);
  guint n = self->toggles->len, n_seen;
  g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n + 1);
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int room = width, x = 0, more = 0;

  for (guint i = 0; i < n; i++)
    gtk_widget_measure (self->toggles->pdata[i], GTK_ORIENTATION_HORIZONTAL, -1,
                        &sizes[i].minimum_size, &sizes[i].natural_size, NULL, NULL);
  n_seen = count_fitting (self, sizes, width);
  if (n_seen < n)
    gtk_widget_measure (self->more, GTK_ORIENTATION_HORIZONTAL, -1, &more, NULL, NULL, NULL);
  room -= more;
  for (guint i = 0; i < n_seen; i++)
    room -= sizes[i].minimum_size;
  if (n_seen > 0)
    gtk_distribute_natural_allocation (MAX (room, 0), n_seen, sizes);
  for (guint i = 0; i <= n; i++)
    {
      GtkWidget *child = i < n ? self->toggles->pdata[i] : self->more;
      int wide = i < n ? sizes[i].minimum_size : more;
      gboolean is_seen = i < n ? i < n_seen : n_seen < n;

      gtk_widget_set_child_visible (child, is_seen);
      if (!is_seen)
        continue;
      gtk_widget_size_allocate (
          child, &(GtkAllocation) { is_rtl ? width - x - wide : x, 0, wide, height }, -1);
      x += wide;
    }
}

void
weir_curve_strip_add (WeirCurveStrip *self, GtkWidget *toggle, const char *name)
{
  g_return_if_fail (WEIR_IS_CURVE_STRIP (self));

  g_object_set_data_full (G_OBJECT (toggle), "weir-name", g_strdup (name), g_free);
  gtk_widget_insert_before (toggle, GTK_WIDGET (self), self->more);
  g_ptr_array_add (self->toggles, toggle);
}

static void
dispose (GObject *object)
{
  WeirCurveStrip *self = WEIR_CURVE_STRIP (object);
  GtkWidget *child;

  g_ptr_array_set_size (self->toggles, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_curve_strip_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (WEIR_CURVE_STRIP (object)->toggles);
  G_OBJECT_CLASS (weir_curve_strip_parent_class)->finalize (object);
}

static void
weir_curve_strip_class_init (WeirCurveStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->measure = measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = size_allocate;
}

static void
weir_curve_strip_init (WeirCurveStrip *self)
{
  self->toggles = g_ptr_array_new ();
  self->more = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->more), "pan-down-symbolic");
  gtk_widget_add_css_class (self->more, "flat");
  weir_set_tooltip (self->more, _ ("More Signals"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->more), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("More Signals"), -1);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->more), fill_menu, self, NULL);
  gtk_widget_set_parent (self->more, GTK_WIDGET (self));
}

GtkWidget *
weir_curve_strip_new (void)
{
  return g_object_new (WEIR_TYPE_CURVE_STRIP, NULL);
}
