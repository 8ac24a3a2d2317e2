/* WeirProblemList. See problem-list.h. */
#include "panels/problem-list.h"

#include <glib/gi18n-lib.h>

#include "widgets/pieces.h"
#include "widgets/reveal.h"
#include "widgets/look.h"

struct _WeirProblemList {
  GtkWidget parent;
  GtkWidget *list;
  WeirDiagnostics *diagnostics;
  WeirListFixesFunc list_fixes;
  gpointer data; /* for it */
  int pointed;   /* row under the pointer, or -1 */
};

/* More rows than this would slow down typing in a badly broken model and help nobody. */
#define MAX_ROWS 300

G_DEFINE_FINAL_TYPE (WeirProblemList, weir_problem_list, GTK_TYPE_WIDGET)

enum { SIGNAL_GO_TO, SIGNAL_FIX, SIGNAL_POINTED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
fix_clicked (GtkButton *button, WeirProblemList *self)
{
  g_signal_emit (self, signals[SIGNAL_FIX], 0,
                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-problem")),
                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-fix")));
}

#define WIDE_FIXES 36 /* characters: buttons of more would squeeze the sentence beside them */

static gboolean
are_wide (WeirProblemList *self, char **titles)
{
  glong n = 0;

  for (guint i = 0; titles[i] != NULL; i++)
    n += g_utf8_strlen (titles[i], -1);
  return (double) n * weir_look_get_text_scale (GTK_WIDGET (self)) > WIDE_FIXES;
}

/* The first is the one most likely meant. Buttons stand beside the sentence, wide ones beneath. */
static void
add_fixes (WeirProblemList *self, GtkWidget *box, GtkWidget *texts, guint problem,
           const WeirDiagnostic *diagnostic)
{
  GtkWidget *several = NULL;
  g_autofree guint *fixes = NULL;
  g_auto (GStrv) titles = NULL;

  if (self->list_fixes == NULL)
    return;
  titles = self->list_fixes (problem, diagnostic, &fixes, self->data);
  if (are_wide (self, titles))
    {
      several = gtk_flow_box_new ();
      gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (several), GTK_SELECTION_NONE);
      gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (several), 6);
      gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (several), 6);
      gtk_widget_set_margin_top (several, 6);
      gtk_box_append (GTK_BOX (texts), several);
    }
  for (guint i = 0; titles[i] != NULL; i++)
    {
      GtkWidget *button = gtk_button_new_with_label (titles[i]);
      g_autofree char *sentence = weir_message_translate (diagnostic->message);
      g_autofree char *spoken = g_strdup_printf ("%s: %s", titles[i], sentence);

      g_object_set_data (G_OBJECT (button), "weir-problem", GUINT_TO_POINTER (problem));
      g_object_set_data (G_OBJECT (button), "weir-fix", GUINT_TO_POINTER (fixes[i]));
      g_signal_connect (button, "clicked", G_CALLBACK (fix_clicked), self);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      spoken, -1);
      if (several == NULL)
        gtk_box_append (GTK_BOX (box), button);
      else
        {
          gtk_widget_set_halign (button, GTK_ALIGN_START);
          gtk_flow_box_append (GTK_FLOW_BOX (several), button);
          gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE); /* the button is */
        }
    }
}

static GtkWidget *
row_new (WeirProblemList *self, guint problem, const WeirDiagnostic *diagnostic)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *icon = gtk_image_new ();
  g_autofree char *sentence = weir_message_translate (diagnostic->message);
  GtkWidget *text = gtk_label_new (sentence), *place;
  g_autoptr (GString) where = g_string_new (diagnostic->path);
  g_autofree char *spoken = NULL;

  if (diagnostic->line > 0)
    {
      g_string_append (where, where->len > 0 ? " · " : "");
      g_string_append_printf (where, _ ("line %d"), diagnostic->line);
    }
  g_string_append_printf (where, "%s%s", where->len > 0 ? " · " : "", diagnostic->code);
  place = gtk_label_new (where->str);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_set_margin_top (icon, 2);
  weir_severity_show (GTK_IMAGE (icon), diagnostic->severity);
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_xalign (GTK_LABEL (place), 0);
  gtk_label_set_wrap (GTK_LABEL (place), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (place), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_add_css_class (place, "caption");
  gtk_box_append (GTK_BOX (texts), text);
  gtk_box_append (GTK_BOX (texts), place);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), texts);
  add_fixes (self, box, texts, problem, diagnostic);
  weir_set_margins (box, 6, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  spoken = g_strdup_printf ("%s: %s %s", weir_severity_get_name (diagnostic->severity), where->str,
                            sentence);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  return row;
}

static void
row_activated (WeirProblemList *self, GtkListBoxRow *row)
{
  int problem = gtk_list_box_row_get_index (row);

  if (problem < MAX_ROWS)
    g_signal_emit (self, signals[SIGNAL_GO_TO], 0, (guint) problem);
}

static void
set_pointed_row (WeirProblemList *self, int row)
{
  if (row >= MAX_ROWS || (row >= 0 && (guint) row >= weir_problem_list_get_n_rows (self)))
    row = -1;
  if (row == self->pointed)
    return;
  self->pointed = row;
  g_signal_emit (self, signals[SIGNAL_POINTED], 0, row);
}

static void
on_motion (G_GNUC_UNUSED GtkEventControllerMotion *motion, G_GNUC_UNUSED double x, double y,
           WeirProblemList *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->list), (int) y);

  set_pointed_row (self, row != NULL ? gtk_list_box_row_get_index (row) : -1);
}

static void
on_leave (G_GNUC_UNUSED GtkEventControllerMotion *motion, WeirProblemList *self)
{
  set_pointed_row (self, -1);
}

void
weir_problem_list_set_pointed (WeirProblemList *self, guint32 block)
{
  guint n;

  g_return_if_fail (WEIR_IS_PROBLEM_LIST (self));

  n = MIN (weir_problem_list_get_n_rows (self), MAX_ROWS);
  for (guint i = 0; i < n; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i);

      if (block != 0 && weir_diagnostics_get (self->diagnostics, i)->block == block)
        gtk_widget_add_css_class (GTK_WIDGET (row), "weir-pointed");
      else
        gtk_widget_remove_css_class (GTK_WIDGET (row), "weir-pointed");
    }
}

/* Whether rows made for @a serve for @b: the same sentences about the same elements. */
static gboolean
is_same (WeirDiagnostics *a, WeirDiagnostics *b)
{
  guint n = a == NULL ? 0 : weir_diagnostics_get_size (a);

  if (n != (b == NULL ? 0 : weir_diagnostics_get_size (b)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const WeirDiagnostic *x = weir_diagnostics_get (a, i), *y = weir_diagnostics_get (b, i);

      if (x->block != y->block || x->wire != y->wire || x->line != y->line
          || x->severity != y->severity || g_strcmp0 (x->code, y->code) != 0
          || g_strcmp0 (x->path, y->path) != 0 || g_strcmp0 (x->text, y->text) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
add_rest (WeirProblemList *self, guint n)
{
  g_autofree char *text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_list_box_append (GTK_LIST_BOX (self->list), label);
}

void
weir_problem_list_set_diagnostics (WeirProblemList *self, WeirDiagnostics *diagnostics)
{
  gboolean same = is_same (self->diagnostics, diagnostics);
  guint n = diagnostics == NULL ? 0 : weir_diagnostics_get_size (diagnostics), focused;
  GtkWidget *focus;
  GtkListBoxRow *row;

  g_return_if_fail (WEIR_IS_PROBLEM_LIST (self));

  if (diagnostics != NULL)
    weir_diagnostics_ref (diagnostics);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  self->diagnostics = diagnostics;
  if (same)
    return;
  set_pointed_row (self, -1);
  /* The keyboard stays in the list: a problem that is mended leaves it to the next one. */
  focus = gtk_widget_get_focus_child (self->list);
  focused = focus != NULL && GTK_IS_LIST_BOX_ROW (focus)
                ? (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (focus))
                : G_MAXUINT;
  if (n == 0 && focus != NULL) /* not on to some field that then takes what is typed */
    gtk_root_set_focus (gtk_widget_get_root (self->list), NULL);
  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         row_new (self, i, weir_diagnostics_get (diagnostics, i)));
  if (n > MAX_ROWS)
    add_rest (self, n - MAX_ROWS);
  row = n > 0 && focused != G_MAXUINT
            ? gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) MIN (focused, n - 1))
            : NULL;
  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

const WeirDiagnostic *
weir_problem_list_get (WeirProblemList *self, guint i)
{
  return i < weir_problem_list_get_n_rows (self) ? weir_diagnostics_get (self->diagnostics, i)
                                                 : NULL;
}

void
weir_problem_list_focus (WeirProblemList *self, guint i)
{
  GtkListBoxRow *row;

  g_return_if_fail (WEIR_IS_PROBLEM_LIST (self));

  row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) MIN (i, MAX_ROWS));
  if (row == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (row));
  weir_reveal (gtk_widget_get_first_child (GTK_WIDGET (self)), GTK_WIDGET (row), 0);
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
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_POINTED] = g_signal_new ("pointed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SIGNAL_FIX] = g_signal_new ("fix", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
weir_problem_list_init (WeirProblemList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *nothing = gtk_label_new (_ ("No problems: the model can run."));

  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->pointed = -1;
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_set_margin_top (nothing, 24);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), nothing);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (self->list, motion);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Problems"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

void
weir_problem_list_set_fixes_func (WeirProblemList *self, WeirListFixesFunc list_fixes,
                                  gpointer data)
{
  g_return_if_fail (WEIR_IS_PROBLEM_LIST (self));

  self->list_fixes = list_fixes;
  self->data = data;
}
