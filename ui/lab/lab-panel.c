/* WeirLabPanel. See lab-panel.h. */
#include "lab/lab-panel.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "numerics/number.h"
#include "paint/scene/describe.h"
#include "widgets/pieces.h"
#include "widgets/reveal.h"
#include "widgets/tooltips.h"

#define MARGIN 12
#define NAME_CHARS 18 /* of a line of detail; longer ones wrap */
#define VALUE_CHARS 12

typedef struct {
  GtkWidget *button, *spinner, *icon, *text;
  GtkWidget *found;  /* all of it but the button */
  GtkWidget *list;   /* of what was found in detail */
  const char *state; /* css class of the icon, or NULL */
  gboolean has_result;
  gboolean is_asked; /* for by its button, and not answered yet */
} Row;

struct _WeirLabPanel {
  GtkWidget parent;
  Row rows[WEIR_N_LAB_TESTS];
  GtkWidget *scrolled;
};

G_DEFINE_FINAL_TYPE (WeirLabPanel, weir_lab_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_TEST, SIGNAL_GO_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

static const struct {
  const char *start, *stop, *nothing;
} texts[WEIR_N_LAB_TESTS] = {
  [WEIR_LAB_VERIFY] = { N_ ("Verify"), N_ ("Stop"),
                        N_ ("Runs the model twice in lockstep, with and without caching, and "
                            "compares every "
                            "value by its bits.") },
  [WEIR_LAB_SEARCH] = { N_ ("Find Faulty Entries"), N_ ("Stop"),
                        N_ ("If the runs differ: leaves ever smaller sets of entries uncached "
                            "until only those to "
                            "blame are left, and proves that without them the runs are "
                            "identical.") },
  [WEIR_LAB_AUDIT] = { N_ ("Audit"), N_ ("Stop"),
                       N_ ("Compares what every calculation reads with what it declares, and "
                           "says what to declare instead.") },
  [WEIR_LAB_CONFIRM] = { N_ ("Try Corrections"), N_ ("Stop"),
                         N_ ("Applies what the audit proposes to a copy of the model, and verifies "
                             "that copy.") },
};

/* --- Rows ------------------------------------------------------------------------------------ */

static void
clear_list (Row *row)
{
  GtkListBoxRow *first;

  while ((first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (row->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (row->list), GTK_WIDGET (first));
  gtk_widget_set_visible (row->list, FALSE);
}

static void
show (Row *row, const char *icon, const char *state, const char *text)
{
  if (row->state != NULL)
    gtk_widget_remove_css_class (row->icon, row->state);
  row->state = state;
  if (state != NULL)
    gtk_widget_add_css_class (row->icon, state);
  gtk_image_set_from_icon_name (GTK_IMAGE (row->icon), icon);
  gtk_label_set_text (GTK_LABEL (row->text), text);
  row->has_result = TRUE;
  gtk_widget_set_visible (row->icon, !gtk_spinner_get_spinning (GTK_SPINNER (row->spinner)));
  clear_list (row);
}

static void
reveal (WeirLabPanel *self, const Row *row)
{
  weir_reveal (self->scrolled, row->found, MARGIN);
}

static void
show_good (Row *row, const char *text)
{
  show (row, "emblem-ok-symbolic", "success", text);
}

static void
show_bad (Row *row, const char *text)
{
  show (row, "dialog-error-symbolic", "error", text);
}

/* A line of detail; @path: what a click goes to, or NULL. */
static void
add_detail (Row *row, const char *title, const char *text, const char *path)
{
  GtkWidget *line = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (title), *value = gtk_label_new (text);

  gtk_widget_add_css_class (name, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (name), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_valign (name, GTK_ALIGN_START);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (value), VALUE_CHARS); /* at least */
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (value, "numeric");
  weir_set_margins (box, 6, 3);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), value);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (line), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (line), path != NULL);
  g_object_set_data_full (G_OBJECT (line), "weir-path", g_strdup (path), g_free);
  gtk_list_box_append (GTK_LIST_BOX (row->list), line);
  gtk_widget_set_visible (row->list, TRUE);
}

static void
line_activated (WeirLabPanel *self, GtkListBoxRow *line)
{
  const char *path = g_object_get_data (G_OBJECT (line), "weir-path");

  if (path != NULL)
    g_signal_emit (self, signals[SIGNAL_GO_TO], 0, path);
}

/* --- Results --------------------------------------------------------------------------------- */

static void
add_difference (Row *row, const WeirVerifyResult *result)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *time = g_strdup_printf (_ ("%s s"), weir_number_to_text (result->time, number));
  g_autofree char *where = weir_describe_path (result->where), *apart = NULL;

  add_detail (row, _ ("First difference at"), time, NULL);
  add_detail (row, _ ("In"), where, result->where);
  add_detail (row, _ ("With caching"), weir_number_to_text (result->cached, number), NULL);
  add_detail (row, _ ("Without caching"), weir_number_to_text (result->uncached, number), NULL);
  if (result->n_ulps != G_MAXUINT64)
    {
      g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT, result->n_ulps);
      apart = g_strdup_printf (_ ("%s representable numbers"), number);
      add_detail (row, _ ("Apart by"), apart, NULL);
    }
}

void
weir_lab_panel_set_verified (WeirLabPanel *self, const WeirVerifyResult *result, const char *cached,
                             const char *uncached)
{
  Row *row = &self->rows[WEIR_LAB_VERIFY];
  g_autofree char *text = NULL, *guilty = NULL;

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  if (result->identical)
    {
      g_autofree char *sentence = weir_verify_result_to_string (result);

      text = g_strdup_printf (_ ("Cached against uncached: %s"), sentence);
      show_good (row, text);
      return;
    }
  guilty = weir_describe_path (result->faulty_entry != NULL ? result->faulty_entry : result->where);
  text = result->is_impure ? g_strdup_printf (
             _ ("Different: %s is impure, it keeps memory between calls. No declaration can help."),
             guilty)
         : result->faulty_entry != NULL
             ? g_strdup_printf (_ ("Different: %s does not declare all that it reads."), guilty)
             : g_strdup (_ ("Different: caching changes the results."));
  show_bad (row, text);
  add_difference (row, result);
  if (cached != NULL)
    add_detail (row, _ ("Cached, computed last"), cached, NULL);
  if (uncached != NULL)
    add_detail (row, _ ("Uncached, computed last"), uncached, NULL);
}

void
weir_lab_panel_set_bisection (WeirLabPanel *self, const WeirBisection *result)
{
  Row *row = &self->rows[WEIR_LAB_SEARCH];
  g_autofree char *text = NULL;

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  if (result->first.identical)
    show_good (row, _ ("Nobody is to blame: the runs are identical."));
  else if (!result->is_explained)
    show_bad (row, _ ("The runs differ even with nothing cached: a calculation keeps memory of its "
                      "own. The audit "
                      "names it."));
  else
    {
      text = g_strdup_printf (
          ngettext (
              "%u of %u entries is to blame. Without caching it the runs are identical (%u runs).",
              "%u of %u entries are to blame. Without caching them the runs are identical (%u "
              "runs).",
              result->entries->len),
          result->entries->len, result->n_entries, result->n_runs);
      show_bad (row, text);
      for (guint i = 0; i < result->paths->len; i++)
        {
          const char *path = g_ptr_array_index (result->paths, i);
          g_autofree char *title = weir_describe_path (path);

          add_detail (row, _ ("Guilty"), title, path);
        }
    }
}

static void
add_correction (Row *row, const WeirCorrection *correction)
{
  g_autofree char *text = g_strdup_printf (_ ("declare “%s” instead of “%s”:\n%s"),
                                           correction->corrected, correction->declared,
                                           correction->code);

  add_detail (row, correction->path, text, correction->path);
}

void
weir_lab_panel_set_confirmed (WeirLabPanel *self, const WeirConfirmation *result)
{
  Row *row = &self->rows[WEIR_LAB_CONFIRM];
  g_autofree char *sentence = weir_verify_result_to_string (&result->after);
  g_autofree char *before = weir_verify_result_to_string (&result->before), *text = NULL,
                  *counts = NULL;
  g_autofree char *count_before = weir_text_group_digits (result->calculations_before);
  g_autofree char *count_after = weir_text_group_digits (result->calculations_after);

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  text = g_strdup_printf (result->after.identical
                              ? _ ("Proven: with the corrections the runs are %s.")
                              : _ ("Not enough: with the corrections the runs are %s."),
                          sentence);
  if (result->after.identical)
    show_good (row, text);
  else
    show_bad (row, text);
  add_detail (row, _ ("As it is"), before, result->before.where);
  counts = g_strdup_printf (_ ("%s as it is, %s corrected"), count_before, count_after);
  add_detail (row, _ ("Calculations"), counts, NULL);
}

void
weir_lab_panel_set_audited (WeirLabPanel *self, const WeirAuditResult *result,
                            const GArray *corrections)
{
  Row *row = &self->rows[WEIR_LAB_AUDIT];
  g_autofree char *found = weir_audit_result_to_string (result);
  g_autofree char *text = weir_text_capitalize (found, NULL);

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  if (result->n_errors > 0)
    show_bad (row, text);
  else
    show_good (row, text);
  for (guint i = 0; i < result->findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (result->findings, WeirAuditFinding, i);
      g_autofree char *sentence = weir_audit_finding_to_string (finding);

      g_autofree char *path = weir_describe_path (finding->path);
      g_autofree char *title = finding->kind == WEIR_AUDIT_KEEPS_MEMORY
                                   ? g_strdup_printf (_ ("Impure: %s"), path)
                                   : g_steal_pointer (&path);

      add_detail (row, title, sentence, finding->path);
    }
  for (guint i = 0; i < corrections->len; i++)
    add_correction (row, &g_array_index (corrections, WeirCorrection, i));
}

void
weir_lab_panel_set_outdated (WeirLabPanel *self, WeirLabTest test)
{
  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  if (self->rows[test].has_result)
    show (&self->rows[test], "view-refresh-symbolic", NULL,
          _ ("The model has been changed since; test it again."));
}

void
weir_lab_panel_set_busy (WeirLabPanel *self, WeirLabTest test, gboolean busy)
{
  Row *row = &self->rows[test];

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  gtk_widget_set_visible (row->spinner, busy);
  gtk_spinner_set_spinning (GTK_SPINNER (row->spinner), busy);
  gtk_button_set_label (GTK_BUTTON (row->button), _ (busy ? texts[test].stop : texts[test].start));
  if (busy)
    {
      row->has_result = FALSE;
      gtk_label_set_text (GTK_LABEL (row->text), _ (texts[test].nothing));
      clear_list (row);
    }
  gtk_widget_set_visible (row->icon, !busy && row->has_result);
  if (row->is_asked)
    reveal (self, row);
  row->is_asked = row->is_asked && busy;
}

void
weir_lab_panel_set_progress (WeirLabPanel *self, WeirLabTest test, const char *text)
{
  Row *row = &self->rows[test];

  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  if (gtk_spinner_get_spinning (GTK_SPINNER (row->spinner)))
    gtk_label_set_text (GTK_LABEL (row->text), text);
}

const char *
weir_lab_panel_get_text (WeirLabPanel *self, WeirLabTest test)
{
  return gtk_label_get_text (GTK_LABEL (self->rows[test].text));
}

GtkWidget *
weir_lab_panel_get_button (WeirLabPanel *self, WeirLabTest test)
{
  return self->rows[test].button;
}

void
weir_lab_panel_reveal (WeirLabPanel *self, WeirLabTest test)
{
  g_return_if_fail (WEIR_IS_LAB_PANEL (self));

  reveal (self, &self->rows[test]);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
clicked (WeirLabPanel *self, GtkWidget *button)
{
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    if (self->rows[i].button == button)
      {
        self->rows[i].is_asked = TRUE;
        g_signal_emit (self, signals[SIGNAL_TEST], 0, i,
                       !gtk_spinner_get_spinning (GTK_SPINNER (self->rows[i].spinner)));
      }
}

static void
dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_lab_panel_parent_class)->dispose (object);
}

static void
weir_lab_panel_class_init (WeirLabPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_TEST] = g_signal_new ("test", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                       G_TYPE_BOOLEAN);
  signals[SIGNAL_GO_TO] = g_signal_new ("go-to", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* Buttons stay in sight, whatever is found. */
static void
row_init (WeirLabPanel *self, WeirLabTest test, GtkBox *tools, GtkGrid *grid)
{
  GtkWidget *title = gtk_label_new (_ (texts[test].start));
  Row *row = &self->rows[test];
  GtkWidget *found = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  row->button = gtk_button_new_with_label (_ (texts[test].start));
  weir_set_tooltip (row->button, _ (texts[test].nothing));
  gtk_box_append (tools, row->button);
  gtk_label_set_xalign (GTK_LABEL (title), 1);
  gtk_label_set_yalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE); /* where large text leaves no room for one line */
  gtk_label_set_natural_wrap_mode (GTK_LABEL (title), GTK_NATURAL_WRAP_NONE);
  gtk_widget_add_css_class (title, "heading");
  g_signal_connect_swapped (row->button, "clicked", G_CALLBACK (clicked), self);
  row->spinner = gtk_spinner_new ();
  gtk_widget_set_visible (row->spinner, FALSE);
  row->icon = gtk_image_new ();
  gtk_widget_set_visible (row->icon, FALSE);
  gtk_widget_set_valign (row->icon, GTK_ALIGN_START);
  row->text = gtk_label_new (_ (texts[test].nothing));
  gtk_label_set_wrap (GTK_LABEL (row->text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (row->text), 0);
  gtk_widget_set_hexpand (row->text, TRUE);
  row->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (row->list), GTK_SELECTION_NONE);
  gtk_widget_set_visible (row->list, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (texts[test].start), -1);
  g_signal_connect_swapped (row->list, "row-activated", G_CALLBACK (line_activated), self);
  gtk_box_append (GTK_BOX (line), row->spinner);
  gtk_box_append (GTK_BOX (line), row->icon);
  gtk_box_append (GTK_BOX (line), row->text);
  gtk_box_append (GTK_BOX (found), line);
  gtk_box_append (GTK_BOX (found), row->list);
  row->found = found;
  gtk_grid_attach (grid, title, 0, (int) test, 1, 1);
  gtk_grid_attach (grid, found, 1, (int) test, 1, 1);
}

static void
weir_lab_panel_init (WeirLabPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *grid = gtk_grid_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *tools = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *beside = gtk_check_button_new_with_mnemonic (_ ("_Beside Every Run"));

  gtk_grid_set_row_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  weir_set_margins (grid, MARGIN, MARGIN);
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    row_init (self, i, GTK_BOX (tools), GTK_GRID (grid));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->scrolled = scrolled;
  gtk_widget_set_hexpand (beside, TRUE);
  gtk_widget_set_halign (beside, GTK_ALIGN_END);
  weir_set_tooltip (beside, _ ("Verify every run in a second thread while it goes on"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (beside), "win.verify-runs");
  gtk_box_append (GTK_BOX (tools), beside);
  weir_set_margins (tools, 12, 6);
  /* With large texts they are wider than many a window. */
  gtk_box_append (GTK_BOX (box), weir_sideways_new (tools));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}
