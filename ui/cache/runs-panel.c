/* WeirRunsPanel. See runs-panel.h. */
#include "cache/runs-panel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "numerics/number.h"
#include "cache/cache-figures.h"
#include "model/tree/difference.h"
#include "paint/scene/describe.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MAX_RUNS 12       /* kept; older ones are forgotten */
#define MAX_DIFFERENCES 3 /* of models, told one by one */

/* --- Rows ------------------------------------------------------------------------------------ */

#define WEIR_TYPE_RUNS_ROW (weir_runs_row_get_type ())
G_DECLARE_FINAL_TYPE (WeirRunsRow, weir_runs_row, WEIR, RUNS_ROW, GObject)

struct _WeirRunsRow {
  GObject parent_instance;
  WeirRunRow row; /* its name is its own */
};

G_DEFINE_FINAL_TYPE (WeirRunsRow, weir_runs_row, G_TYPE_OBJECT)

static void
weir_runs_row_finalize (GObject *object)
{
  g_free (WEIR_RUNS_ROW (object)->row.entry);
  G_OBJECT_CLASS (weir_runs_row_parent_class)->finalize (object);
}

static void
weir_runs_row_class_init (WeirRunsRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = weir_runs_row_finalize;
}

static void
weir_runs_row_init (G_GNUC_UNUSED WeirRunsRow *self)
{
}

/* --- Columns --------------------------------------------------------------------------------- */

typedef enum { OF_A, OF_B, DIFFERENCE, RATIO, N_VIEWS } View;

static double
get_hits (const WeirRunRow *row, guint side)
{
  return (double) row->counters[side].hits;
}

static double
get_computed (const WeirRunRow *row, guint side)
{
  return (double) weir_cache_get_misses (&row->counters[side]);
}

static double
get_invalidations (const WeirRunRow *row, guint side)
{
  return (double) row->counters[side].invalidations;
}

static double
get_spent (const WeirRunRow *row, guint side)
{
  return row->spent_ns[side];
}

static const struct {
  const char *title;
  double (*get) (const WeirRunRow *row, guint side);
  gboolean is_time;
} figures[] = {
  { N_ ("Hits"), get_hits, FALSE },
  { N_ ("Computed"), get_computed, FALSE },
  { N_ ("Invalidations"), get_invalidations, FALSE },
  { N_ ("Time"), get_spent, TRUE },
};

#define N_COLUMNS (1 + G_N_ELEMENTS (figures) * N_VIEWS) /* the entry's name comes first */

/* NAN where it has no meaning. */
static double
get_number (const WeirRunRow *row, guint column)
{
  double (*get) (const WeirRunRow *, guint) = figures[(column - 1) / N_VIEWS].get;
  View view = (View) ((column - 1) % N_VIEWS);
  double a = row->is_in[0] ? get (row, 0) : (double) NAN,
         b = row->is_in[1] ? get (row, 1) : (double) NAN;

  return view == OF_A         ? a
         : view == OF_B       ? b
         : view == DIFFERENCE ? b - a
         : a > 0              ? b / a
                              : (double) NAN;
}

static char *
dup_text (const WeirRunRow *row, guint column)
{
  double number = column > 0 ? get_number (row, column) : 0;
  gboolean is_time = column > 0 && figures[(column - 1) / N_VIEWS].is_time;
  View view = (View) ((column - 1) % N_VIEWS);
  g_autofree char *size = NULL;

  if (column == 0)
    return weir_describe_path (row->entry);
  if (isnan (number))
    return g_strdup ("–");
  if (view == RATIO)
    return g_strdup_printf ("%.3g", number);
  if (number == 0)
    return g_strdup ("0");
  size = is_time ? weir_cache_format_time (fabs (number))
                 : weir_cache_format_count ((guint64) fabs (number));
  return g_strdup_printf ("%s%s", view != DIFFERENCE ? "" : number > 0 ? "+" : "−", size);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirRunRow *x = &WEIR_RUNS_ROW ((gpointer) a)->row, *y = &WEIR_RUNS_ROW ((gpointer) b)->row;
  guint column = GPOINTER_TO_UINT (data);
  double p, q;

  if (column == 0)
    return g_utf8_collate (x->entry, y->entry);
  p = get_number (x, column);
  q = get_number (y, column);
  if (isnan (p) || isnan (q))
    return isnan (p) - isnan (q);
  return p < q ? -1 : p > q;
}

/* --- The panel ------------------------------------------------------------------------------- */

struct _WeirRunsPanel {
  GtkWidget parent_instance;
  GtkWidget *stack; /* "empty" or "table" */
  GtkWidget *choices[2], *text, *icon, *view;
  GtkStringList *titles;
  GListStore *rows;
  GtkSortListModel *sorted; /* borrowed from the view */
  GPtrArray *runs;          /* WeirPastRun */
  GPtrArray *models;        /* WeirModel, of each */
  gboolean is_filling;
  gboolean is_due; /* to be compared, once somebody looks */
};

G_DEFINE_FINAL_TYPE (WeirRunsPanel, weir_runs_panel, GTK_TYPE_WIDGET)

static guint go_to_signal, show_earlier_signal;

/* "0.02, of Pendulum.theta at t = 3 s (1.25 in A, 1.27 in B)" */
static char *
dup_largest (const WeirRunValues *largest)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE], gap[G_ASCII_DTOSTR_BUF_SIZE], a[G_ASCII_DTOSTR_BUF_SIZE],
      b[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (gap, sizeof gap, "%.3g", fabs (largest->values[1] - largest->values[0]));
  /* Translators: a difference, the name of a signal, a time, the signal's values in two runs. */
  return g_strdup_printf (_ ("%s, of %s at t = %s s (%s in A, %s in B)"), gap, largest->signal,
                          weir_number_to_text (largest->time, time),
                          weir_number_to_text (largest->values[0], a),
                          weir_number_to_text (largest->values[1], b));
}

/* Of runs with the same times as far as both go. */
static void
tell_difference (const WeirRunDifference *found, GString *text)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE], a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *rows_a = weir_cache_format_count (found->n_rows[0]);
  g_autofree char *rows_b = weir_cache_format_count (found->n_rows[1]);

  if (found->first.signal == NULL)
    {
      g_string_append_printf (
          text, _ ("Recorded: the same as far as both go, but A has %s rows and B %s."), rows_a,
          rows_b);
      return;
    }
  g_string_append_printf (text,
                          _ ("Recorded: different from t = %s s on: %s is %s in A and %s in B."),
                          weir_number_to_text (found->first.time, time), found->first.signal,
                          weir_number_to_text (found->first.values[0], a),
                          weir_number_to_text (found->first.values[1], b));
  if (found->common.signal != NULL)
    {
      g_autofree char *largest = dup_largest (&found->common);

      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("The largest difference is %s."), largest);
    }
}

/* Of runs whose steps end at other times. */
static void
tell_other_times (const WeirRunDifference *found, GString *text)
{
  g_autofree char *n_common = weir_cache_format_count (found->n_common);
  g_autofree char *common = NULL, *between = NULL;

  g_string_append_printf (text, _ ("Recorded at other times. At the %s instants that both have: "),
                          n_common);
  if (found->common.signal == NULL)
    g_string_append (text, _ ("no difference."));
  else
    {
      common = dup_largest (&found->common);
      g_string_append_printf (text, _ ("differences up to %s."), common);
    }
  g_string_append_c (text, ' ');
  if (found->between.signal == NULL)
    g_string_append (text, _ ("Elsewhere, against straight lines between the other run's rows: no "
                              "difference."));
  else
    {
      between = dup_largest (&found->between);
      g_string_append_printf (text,
                              _ ("Elsewhere, against straight lines between the other run's rows: "
                                 "up to %s."),
                              between);
    }
}

/* "Changed: Controller: p: 1 -> 1.4." */
static void
tell_models (WeirModel *a, WeirModel *b, GString *text)
{
  g_autoptr (GPtrArray) differences = weir_model_list_differences (a, b);

  for (guint i = 0; i < differences->len && i < MAX_DIFFERENCES; i++)
    {
      const WeirDifference *difference = g_ptr_array_index (differences, i);

      g_string_append (text, i == 0 ? _ ("Changed: ") : "; ");
      if (*difference->path != '\0')
        g_string_append_printf (text, "%s: ", difference->path);
      g_string_append (text, difference->text);
    }
  if (differences->len > MAX_DIFFERENCES)
    {
      guint n = differences->len - MAX_DIFFERENCES;

      g_string_append (text, "; ");
      g_string_append_printf (text, ngettext ("and %u more", "and %u more", n), n);
    }
  g_string_append (text, differences->len > 0 ? ".\n" : "");
}

static void
show_recorded (WeirRunsPanel *self, guint index_a, guint index_b)
{
  const WeirPastRun *a = g_ptr_array_index (self->runs, index_a);
  const WeirPastRun *b = g_ptr_array_index (self->runs, index_b);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);
  g_autofree char *count = weir_cache_format_count (found.n_compared);
  g_autoptr (GString) text = g_string_new (NULL);

  tell_models (g_ptr_array_index (self->models, index_a), g_ptr_array_index (self->models, index_b),
               text);
  if (found.is_identical)
    g_string_append_printf (text, _ ("Recorded: identical, %s values compared."), count);
  else if (found.n_between == 0)
    tell_difference (&found, text);
  else
    tell_other_times (&found, text);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), found.is_identical
                                                            ? "emblem-ok-symbolic"
                                                            : "dialog-warning-symbolic");
  gtk_widget_remove_css_class (self->icon, found.is_identical ? "warning" : "success");
  gtk_widget_add_css_class (self->icon, found.is_identical ? "success" : "warning");
  gtk_label_set_text (GTK_LABEL (self->text), text->str);
}

static void
compare_now (WeirRunsPanel *self)
{
  guint a = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choices[0]));
  guint b = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choices[1]));
  g_autoptr (GPtrArray) objects = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) rows = NULL;

  self->is_due = FALSE;
  if (a >= self->runs->len || b >= self->runs->len)
    return;
  rows = weir_past_run_compare_counters (g_ptr_array_index (self->runs, a),
                                         g_ptr_array_index (self->runs, b));
  for (guint i = 0; i < rows->len; i++)
    {
      WeirRunsRow *object = g_object_new (WEIR_TYPE_RUNS_ROW, NULL);

      object->row = g_array_index (rows, WeirRunRow, i);
      object->row.entry = g_strdup (object->row.entry);
      g_ptr_array_add (objects, object);
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       objects->pdata, objects->len);
  show_recorded (self, a, b);
}

/* Of large models this takes longer than a frame, and runs end often while nobody looks. */
static void
compare (WeirRunsPanel *self)
{
  if (self->is_filling)
    return;
  self->is_due = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    compare_now (self);
}

static void
compare_if_due (WeirRunsPanel *self)
{
  if (self->is_due)
    compare_now (self);
}

/* The last two, if there are two; ends the filling. */
static void
show_newest (WeirRunsPanel *self)
{
  if (self->runs->len >= 2)
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choices[0]), self->runs->len - 2);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choices[1]), self->runs->len - 1);
    }
  self->is_filling = FALSE;
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->runs->len >= 2 ? "table" : "empty");
  if (self->runs->len >= 2)
    compare (self);
}

void
weir_runs_panel_add (WeirRunsPanel *self, WeirPastRun *run, WeirModel *model)
{
  g_return_if_fail (WEIR_IS_RUNS_PANEL (self));

  self->is_filling = TRUE;
  if (self->runs->len >= MAX_RUNS)
    {
      g_ptr_array_remove_index (self->runs, 0);
      g_ptr_array_remove_index (self->models, 0);
      gtk_string_list_remove (self->titles, 0);
    }
  g_ptr_array_add (self->runs, weir_past_run_ref (run));
  g_ptr_array_add (self->models, weir_model_ref (model));
  gtk_string_list_append (self->titles, weir_past_run_get_title (run));
  show_newest (self);
}

void
weir_runs_panel_drop_newest (WeirRunsPanel *self)
{
  g_return_if_fail (WEIR_IS_RUNS_PANEL (self));

  if (self->runs->len == 0)
    return;
  self->is_filling = TRUE;
  g_ptr_array_remove_index (self->runs, self->runs->len - 1);
  g_ptr_array_remove_index (self->models, self->runs->len);
  gtk_string_list_remove (self->titles, self->runs->len);
  show_newest (self);
}

guint
weir_runs_panel_get_n (WeirRunsPanel *self)
{
  return self->runs->len;
}

WeirPastRun *
weir_runs_panel_get_run (WeirRunsPanel *self, guint i)
{
  g_return_val_if_fail (i < self->runs->len, NULL);

  return g_ptr_array_index (self->runs, i);
}

const char *
weir_runs_panel_get_text (WeirRunsPanel *self)
{
  compare_if_due (self);
  return gtk_label_get_text (GTK_LABEL (self->text));
}

char *
weir_runs_panel_to_csv (WeirRunsPanel *self)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (WeirRunRow));

  if (self->runs->len < 2)
    return NULL;
  compare_if_due (self);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->sorted)); i++)
    {
      g_autoptr (WeirRunsRow) object = g_list_model_get_item (G_LIST_MODEL (self->sorted), i);

      g_array_append_val (rows, object->row); /* names stay with the objects */
    }
  return weir_run_rows_to_csv (rows);
}

/* --- Widgets --------------------------------------------------------------------------------- */

static void
setup_cell (GtkListItemFactory *factory, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "weir-column"));
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  if (column == 0)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_width_chars (GTK_LABEL (label), 28);
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "weir-column"));
  WeirRunsRow *object = gtk_list_item_get_item (item);
  g_autofree char *text = dup_text (&object->row, column);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  if (column == 0)
    weir_set_tooltip (label, text);
}

/* "Hits A", "Hits B", "Hits B − A", "Hits B / A" */
static char *
dup_title (guint column)
{
  static const char *const views[N_VIEWS] = { "A", "B", "B − A", "B / A" };

  return column == 0 ? g_strdup (_ ("Entry"))
                     : g_strdup_printf ("%s %s", _ (figures[(column - 1) / N_VIEWS].title),
                                        views[(column - 1) % N_VIEWS]);
}

static void
add_column (WeirRunsPanel *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autofree char *title = dup_title (column);
  g_autoptr (GtkColumnViewColumn) view_column = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter)
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows, GUINT_TO_POINTER (column), NULL));

  g_object_set_data (G_OBJECT (factory), "weir-column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), NULL);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column == 0);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
}

static void
row_activated (WeirRunsPanel *self, guint position)
{
  g_autoptr (WeirRunsRow) object = g_list_model_get_item (G_LIST_MODEL (self->sorted), position);

  g_signal_emit (self, go_to_signal, 0, object->row.entry);
}

static void
show_clicked (WeirRunsPanel *self)
{
  g_signal_emit (self, show_earlier_signal, 0,
                 gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choices[0])));
}

static GtkWidget *
tools_new (WeirRunsPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *show = gtk_button_new_with_mnemonic (_ ("_Plot A"));

  for (guint i = 0; i < 2; i++)
    {
      const char *name = i == 0 ? "A" : "B";
      GtkWidget *label = gtk_label_new (name);

      self->choices[i] = weir_drop_down_new (g_object_ref (self->titles), name);
      g_signal_connect_swapped (self->choices[i], "notify::selected", G_CALLBACK (compare), self);
      gtk_widget_add_css_class (label, "heading");
      gtk_box_append (GTK_BOX (box), label);
      gtk_box_append (GTK_BOX (box), self->choices[i]);
    }
  weir_set_tooltip (show, _ ("Draw A Beneath the Present Run in the Plots"));
  g_signal_connect_swapped (show, "clicked", G_CALLBACK (show_clicked), self);
  gtk_box_append (GTK_BOX (box), show);
  gtk_box_append (GTK_BOX (box), weir_icon_button_new ("document-save-symbolic", "win.export-runs",
                                                       _ ("Export the Table…")));
  weir_set_margins (box, 12, 6);
  return weir_sideways_new (box);
}

/* However much there is to say, and in however large letters, the table keeps its room. */
#define MAX_TEXT 96 /* px */

static GtkWidget *
found_new (WeirRunsPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->icon = gtk_image_new ();
  self->text = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0);
  gtk_label_set_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (self->text), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->text);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_TEXT);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), self->icon);
  gtk_box_append (GTK_BOX (box), scrolled);
  weir_set_margins (box, 12, 3);
  return box;
}

static GtkWidget *
table_new (WeirRunsPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *scrolled = gtk_scrolled_window_new ();

  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Counters of two runs"), -1);
  for (guint column = 0; column < N_COLUMNS; column++)
    add_column (self, column);
  self->sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (g_object_ref (self->rows)),
      g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  {
    g_autoptr (GtkSelectionModel)
        selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (self->sorted)));

    gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), selection);
  }
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (row_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), tools_new (self));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), found_new (self));
  return box;
}

static GtkWidget *
empty_new (void)
{
  return weir_empty_page_new (
      _ ("Fewer Than Two Runs"),
      _ ("Run the model twice, with other parameters, with caching on and off, or with other "
         "solvers, to see what differs, both runs' counters side by side, and one's curves beneath "
         "the other's."),
      NULL);
}

static void
dispose (GObject *object)
{
  WeirRunsPanel *self = WEIR_RUNS_PANEL (object);
  GtkWidget *child;

  self->is_filling = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->titles);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->models, g_ptr_array_unref);
  G_OBJECT_CLASS (weir_runs_panel_parent_class)->dispose (object);
}

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_runs_panel_parent_class)->map (widget);
  compare_if_due (WEIR_RUNS_PANEL (widget));
}

static void
weir_runs_panel_class_init (WeirRunsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WIDGET_CLASS (klass)->map = map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  go_to_signal = g_signal_new ("go-to", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  show_earlier_signal = g_signal_new ("show-earlier", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                      0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
weir_runs_panel_init (WeirRunsPanel *self)
{
  self->titles = gtk_string_list_new (NULL);
  self->rows = g_list_store_new (WEIR_TYPE_RUNS_ROW);
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_past_run_unref);
  self->models = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_model_unref);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), empty_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), table_new (self), "table");
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}
