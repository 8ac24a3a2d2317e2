/* WeirProblemList. See problem-list.h. */
#include "panels/problem-list.h"

#include <glib/gi18n-lib.h>

struct _WeirProblemList {
  GtkWidget parent;
  GtkWidget *list;
  WeirDiagnostics *diagnostics;
};

G_DEFINE_FINAL_TYPE (WeirProblemList, weir_problem_list, GTK_TYPE_WIDGET)

enum { SIGNAL_GO_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

static const struct {
  const char *icon, *name;
} severities[] = {
  [WEIR_SEVERITY_HINT] = { "dialog-information-symbolic", N_ ("Hint") },
  [WEIR_SEVERITY_WARNING] = { "dialog-warning-symbolic", N_ ("Warning") },
  [WEIR_SEVERITY_ERROR] = { "dialog-error-symbolic", N_ ("Error") },
};

static GtkWidget *
row_new (const WeirDiagnostic *diagnostic)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = gtk_image_new_from_icon_name (severities[diagnostic->severity].icon);
  GtkWidget *text = gtk_label_new (diagnostic->text), *place, *code;
  g_autofree char *where = NULL;
  g_autofree char *spoken = NULL;

  if (diagnostic->line > 0 && diagnostic->path != NULL && *diagnostic->path != '\0')
    where = g_strdup_printf (_ ("%s, line %d"), diagnostic->path, diagnostic->line);
  else if (diagnostic->line > 0)
    where = g_strdup_printf (_ ("line %d"), diagnostic->line);
  else
    where = g_strdup (diagnostic->path);
  place = gtk_label_new (where);
  code = gtk_label_new (diagnostic->code);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, diagnostic->severity == WEIR_SEVERITY_ERROR     ? "error"
                                  : diagnostic->severity == WEIR_SEVERITY_WARNING ? "warning"
                                                                                  : "accent");
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_add_css_class (code, "dim-label");
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), place);
  gtk_box_append (GTK_BOX (box), code);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  spoken = g_strdup_printf ("%s: %s %s", _ (severities[diagnostic->severity].name),
                            where != NULL ? where : "", diagnostic->text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return row;
}

static void
row_activated (WeirProblemList *self, GtkListBoxRow *row)
{
  const WeirDiagnostic *diagnostic
      = weir_diagnostics_get (self->diagnostics, (guint) gtk_list_box_row_get_index (row));

  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, diagnostic->block, diagnostic->wire);
}

void
weir_problem_list_set_diagnostics (WeirProblemList *self, WeirDiagnostics *diagnostics)
{
  GtkListBoxRow *row;

  g_return_if_fail (WEIR_IS_PROBLEM_LIST (self));

  if (diagnostics != NULL)
    weir_diagnostics_ref (diagnostics);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  self->diagnostics = diagnostics;
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; diagnostics != NULL && i < weir_diagnostics_get_size (diagnostics); i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), row_new (weir_diagnostics_get (diagnostics, i)));
}

guint
weir_problem_list_get_n_rows (WeirProblemList *self)
{
  return self->diagnostics == NULL ? 0 : weir_diagnostics_get_size (self->diagnostics);
}

static void
dispose (GObject *object)
{
  WeirProblemList *self = WEIR_PROBLEM_LIST (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  G_OBJECT_CLASS (weir_problem_list_parent_class)->dispose (object);
}

static void
weir_problem_list_class_init (WeirProblemListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_GO_TO] = g_signal_new ("go-to", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
weir_problem_list_init (WeirProblemList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *nothing = gtk_label_new (_ ("No problems: the model can run."));

  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_set_margin_top (nothing, 24);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), nothing);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Problems"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

GtkWidget *
weir_problem_list_new (void)
{
  return g_object_new (WEIR_TYPE_PROBLEM_LIST, NULL);
}
