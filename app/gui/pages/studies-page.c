/* WeirStudiesPage: many runs of the model with other values: which parameters vary between which
 * ends, which figure is kept, a chart and a table of what came of it. The selected point can be
 * given to the model.
 *
 * What is asked for is the text of a study (study/study.h), made in a thread (study-job.h); runs
 * that are known to the cache of runs are not made again. Thread: *main*.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "cache/cache-figures.h"
#include "gui/host/page.h"
#include "gui/pages/study-job.h"
#include "model/completion/completion.h"
#include "model/completion/parameters.h"
#include "numerics/number.h"
#include "paint/plots/axis.h"
#include "scopes/chart-view.h"
#include "scopes/signal-name.h"
#include "widgets/pieces.h"

#define PROGRESS_MS 200
#define MOST_MARKS 5000 /* that are drawn; of more, every so-manieth */
#define MOST_BINS 50
#define MOST_CURVES 200 /* points whose signals are kept to be drawn over time */

G_DECLARE_FINAL_TYPE (WeirStudiesPage, weir_studies_page, WEIR, STUDIES_PAGE, WeirPage)

/* A parameter that varies. */
typedef struct {
  char *path;
  GtkWidget *label, *from, *to, *remove;
} Variation;

struct _WeirStudiesPage {
  WeirPage parent;
  GtkWidget *run, *apply, *progress, *results;
  GtkMenuButton *add;
  GtkGrid *variations;
  GtkDropDown *methods, *figures, *ports, *abscissas;
  GtkSpinButton *points;
  GtkLabel *status;
  WeirChartView *chart;
  GtkColumnView *table;

  GPtrArray *varied;  /* Variation */
  GStrv recorded;     /* paths of the ports that are offered */
  WeirStudyJob *job;  /* under way, or NULL */
  WeirStudyJob *done; /* the last with results, or NULL */
  guint source;       /* that shows how far it is */
  GListStore *rows;
  GtkSingleSelection *selection;
};

G_DEFINE_FINAL_TYPE (WeirStudiesPage, weir_studies_page, WEIR_TYPE_PAGE)

static const struct {
  const char *title, *method, *goal;
} methods[] = {
  { N_ ("Grid"), "grid", NULL },
  { N_ ("Latin Hypercube"), "latin-hypercube", NULL },
  { N_ ("Sobol's Sequence"), "sobol", NULL },
  { N_ ("Find the Least"), "optimise", "least" },
  { N_ ("Find the Largest"), "optimise", "largest" },
};

static const struct {
  const char *title;
  WeirFigureKind kind;
} kinds[] = {
  { N_ ("Maximum"), WEIR_FIGURE_MAXIMUM },
  { N_ ("Minimum"), WEIR_FIGURE_MINIMUM },
  { N_ ("Mean"), WEIR_FIGURE_MEAN },
  { N_ ("RMS"), WEIR_FIGURE_RMS },
  { N_ ("Final Value"), WEIR_FIGURE_FINAL },
  { N_ ("Integral"), WEIR_FIGURE_INTEGRAL },
  { N_ ("Overshoot"), WEIR_FIGURE_OVERSHOOT },
  { N_ ("Rise Time"), WEIR_FIGURE_RISE_TIME },
  { N_ ("Settling Time"), WEIR_FIGURE_SETTLING_TIME },
  { N_ ("Period"), WEIR_FIGURE_PERIOD },
};

static WeirModel *
get_model (WeirStudiesPage *self)
{
  return weir_document_get_model (self->parent.document);
}

static void
say (WeirStudiesPage *self, const char *text)
{
  gtk_label_set_text (self->status, text);
}

/* @format: with %s for the number. */
static char *
dup_point_text (const char *format, guint64 point)
{
  g_autofree char *number = weir_cache_format_count (point);
  GString *text = g_string_new (format);

  g_string_replace (text, "%s", number, 1);
  return g_string_free (text, FALSE);
}

/* --- What varies ------------------------------------------------------------------------------ */

static void
variation_free (gpointer data)
{
  Variation *variation = data;

  g_free (variation->path);
  g_free (variation);
}

static void
remove_clicked (GtkButton *button, WeirStudiesPage *self)
{
  for (guint i = 0; i < self->varied->len; i++)
    {
      Variation *variation = self->varied->pdata[i];

      if (variation->remove != GTK_WIDGET (button))
        continue;
      gtk_grid_remove (self->variations, variation->label);
      gtk_grid_remove (self->variations, variation->from);
      gtk_grid_remove (self->variations, variation->to);
      gtk_grid_remove (self->variations, variation->remove);
      g_ptr_array_remove_index (self->varied, i);
      gtk_widget_grab_focus (GTK_WIDGET (self->add));
      return;
    }
}

/* @what: "From" or "To", with the path for those who do not see it. */
static GtkWidget *
entry_new (WeirStudiesPage *self, const char *path, const char *what, double value)
{
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *label = g_strdup_printf ("%s: %s", path, what);
  g_autofree char *text = weir_axis_format_value (value);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 7);
  gtk_widget_set_tooltip_text (entry, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (gtk_widget_activate), self->run);
  return entry;
}

static gboolean
has_variation (WeirStudiesPage *self, const char *path)
{
  for (guint i = 0; i < self->varied->len; i++)
    if (g_str_equal (((Variation *) self->varied->pdata[i])->path, path))
      return TRUE;
  return FALSE;
}

static void
add_variation (WeirStudiesPage *self, const char *path, double value)
{
  Variation *variation = g_new0 (Variation, 1);
  g_autofree char *remove = g_strdup_printf (_ ("No Longer Vary %s"), path);
  double reach = value != 0 ? fabs (value) / 2 : 1;
  int row = 0;

  /* Below the last: rows that were removed leave none behind. */
  for (guint i = 0; i < self->varied->len; i++)
    {
      int at;

      gtk_grid_query_child (self->variations, ((Variation *) self->varied->pdata[i])->label, NULL,
                            &at, NULL, NULL);
      row = MAX (row, at + 1);
    }
  variation->path = g_strdup (path);
  variation->label = gtk_label_new (path);
  gtk_label_set_xalign (GTK_LABEL (variation->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (variation->label), PANGO_ELLIPSIZE_START);
  gtk_label_set_width_chars (GTK_LABEL (variation->label), 8);
  gtk_widget_set_hexpand (variation->label, TRUE);
  gtk_widget_set_tooltip_text (variation->label, path);
  variation->from = entry_new (self, path, _ ("From"), value - reach);
  variation->to = entry_new (self, path, _ ("To"), value + reach);
  variation->remove = weir_icon_button_new ("list-remove-symbolic", NULL, remove);
  g_signal_connect (variation->remove, "clicked", G_CALLBACK (remove_clicked), self);
  gtk_grid_attach (self->variations, variation->label, 0, row, 1, 1);
  gtk_grid_attach (self->variations, variation->from, 1, row, 1, 1);
  gtk_grid_attach (self->variations, variation->to, 2, row, 1, 1);
  gtk_grid_attach (self->variations, variation->remove, 3, row, 1, 1);
  g_ptr_array_add (self->varied, variation);
}

static void
parameter_chosen (WeirStudiesPage *self, GtkListBoxRow *row)
{
  const char *path = g_object_get_data (G_OBJECT (row), "weir-path");
  const double *value = g_object_get_data (G_OBJECT (row), "weir-value");

  if (!has_variation (self, path))
    add_variation (self, path, *value);
  gtk_menu_button_popdown (self->add);
}

static void
offer_parameter (GtkListBox *list, char *path, double value)
{
  GtkWidget *row = gtk_list_box_row_new (), *label = gtk_label_new (path);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  g_object_set_data_full (G_OBJECT (row), "weir-path", path, g_free);
  g_object_set_data_full (G_OBJECT (row), "weir-value", g_memdup2 (&value, sizeof value), g_free);
  gtk_list_box_append (list, row);
}

/* Numbers of the selected block; of no block, those of all. */
static void
offer_parameters (WeirStudiesPage *self, GtkListBox *list)
{
  g_autoptr (WeirParameters) parameters = weir_parameters_new (get_model (self), NULL);
  guint32 selected = weir_canvas_get_selected_block (self->parent.canvas);

  for (guint i = 0; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (parameters, i);

      if (entry->value == NULL || entry->is_hidden || (selected != 0 && entry->block != selected))
        continue;
      for (guint k = 0; k < entry->size; k++)
        if (isfinite (entry->value[k]))
          offer_parameter (list,
                           entry->size == 1 ? g_strdup (entry->path)
                                            : g_strdup_printf ("%s[%u]", entry->path, k + 1),
                           entry->value[k]);
    }
}

static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  WeirStudiesPage *self = data;
  GtkWidget *popover = gtk_popover_new (), *scrolled = gtk_scrolled_window_new (),
            *list = gtk_list_box_new (), *empty = gtk_label_new (_ ("No numbers here"));

  offer_parameters (self, GTK_LIST_BOX (list));
  gtk_list_box_set_placeholder (GTK_LIST_BOX (list), empty);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Parameters"), -1);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (parameter_chosen), self);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 300);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (button, popover);
}

/* Signals that are recorded by default; the one chosen stays if it is still there. */
static void
offer_ports (WeirStudiesPage *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_auto (GStrv) before = g_steal_pointer (&self->recorded);
  guint chosen = gtk_drop_down_get_selected (self->ports);

  self->recorded = weir_model_dup_recorded_ports (get_model (self));
  for (guint i = 0; self->recorded[i] != NULL; i++)
    {
      g_auto (WeirSignalName) name = weir_signal_name_find (get_model (self), self->recorded[i]);

      gtk_string_list_append (list, name.name);
    }
  gtk_drop_down_set_model (self->ports, G_LIST_MODEL (list));
  for (guint i = 0;
       before != NULL && chosen != GTK_INVALID_LIST_POSITION && self->recorded[i] != NULL; i++)
    if (g_str_equal (self->recorded[i], before[chosen]))
      gtk_drop_down_set_selected (self->ports, i);
}

/* --- The text of the study -------------------------------------------------------------------- */

static gboolean
put_parameter (WeirStudiesPage *self, GString *text, guint i, const char *method)
{
  const Variation *variation = self->varied->pdata[i];
  GtkWidget *const entries[] = { variation->from, variation->to };
  char ends[2][G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *parameter = NULL;

  for (guint k = 0; k < 2; k++)
    {
      const char *entered = gtk_editable_get_text (GTK_EDITABLE (entries[k]));
      char *end;
      double value = g_ascii_strtod (entered, &end);

      if (end == entered || *end != '\0' || !isfinite (value))
        {
          g_autofree char *sentence = g_strdup_printf (
              _ ("%s: “%s” is no number; write it with a decimal point."), variation->path,
              entered);

          say (self, sentence);
          gtk_widget_grab_focus (entries[k]);
          return FALSE;
        }
      weir_number_to_text (value, ends[k]);
    }
  parameter = g_markup_printf_escaped (
      "    <parameter path=\"%s\" name=\"p%u\" from=\"%s\" to=\"%s\"", variation->path, i + 1,
      ends[0], ends[1]);
  g_string_append (text, parameter);
  if (g_str_equal (method, "grid"))
    g_string_append_printf (text, " n=\"%d\"", gtk_spin_button_get_value_as_int (self->points));
  g_string_append (text, "/>\n");
  return TRUE;
}

static double
count_points (WeirStudiesPage *self, const char *method)
{
  double n = gtk_spin_button_get_value (self->points);

  return g_str_equal (method, "grid") ? pow (n, self->varied->len) : n;
}

/* NULL: something is missing, which has been said. (transfer full) */
static char *
dup_study (WeirStudiesPage *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint method = gtk_drop_down_get_selected (self->methods);
  guint kind = gtk_drop_down_get_selected (self->figures);
  guint port = gtk_drop_down_get_selected (self->ports);
  g_autofree char *figure = NULL, *head = NULL, *title = NULL, *signal = NULL;

  if (self->varied->len == 0 || port == GTK_INVALID_LIST_POSITION)
    {
      say (self, self->varied->len == 0
                     ? _ ("Select a block and press Vary to choose what is varied.")
                     : _ ("Connect a signal to a Scope, so that there is something to keep."));
      return NULL;
    }
  g_object_get (self->parent.document, "title", &title, NULL);
  head = g_markup_printf_escaped (
      "<study version=\"1\" model=\"%s\" seed=\"1\">\n  <points method=\"%s\"", title,
      methods[method].method);
  g_string_append (text, head);
  if (!g_str_equal (methods[method].method, "grid"))
    g_string_append_printf (text, " n=\"%d\"", gtk_spin_button_get_value_as_int (self->points));
  g_string_append (text, ">\n");
  for (guint i = 0; i < self->varied->len; i++)
    if (!put_parameter (self, text, i, methods[method].method))
      return NULL;
  if (methods[method].goal != NULL)
    g_string_append_printf (text, "    <objective figure=\"figure\" goal=\"%s\"/>\n",
                            methods[method].goal);
  g_string_append (text, "  </points>\n  <keep>\n");
  signal = g_markup_printf_escaped ("    <signal port=\"%s\"/>\n", self->recorded[port]);
  if (count_points (self, methods[method].method) <= MOST_CURVES)
    g_string_append (text, signal);
  figure = g_markup_printf_escaped ("    <figure name=\"figure\" what=\"%s\" of=\"%s\"/>\n"
                                    "  </keep>\n</study>\n",
                                    weir_figure_kind_get_name (kinds[kind].kind),
                                    self->recorded[port]);
  g_string_append (text, figure);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- The table -------------------------------------------------------------------------------- */

#define WEIR_TYPE_STUDY_POINT (weir_study_point_get_type ())
G_DECLARE_FINAL_TYPE (WeirStudyPoint, weir_study_point, WEIR, STUDY_POINT, GObject)

struct _WeirStudyPoint {
  GObject parent_instance;
  WeirStudyJob *job;
  guint row;
};

G_DEFINE_FINAL_TYPE (WeirStudyPoint, weir_study_point, G_TYPE_OBJECT)

static void
weir_study_point_finalize (GObject *object)
{
  weir_study_job_unref (WEIR_STUDY_POINT (object)->job);
  G_OBJECT_CLASS (weir_study_point_parent_class)->finalize (object);
}

static void
weir_study_point_class_init (WeirStudyPointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = weir_study_point_finalize;
}

static void
weir_study_point_init (G_GNUC_UNUSED WeirStudyPoint *self)
{
}

static const WeirStudyRow *
get_row (const WeirStudyPoint *point)
{
  return weir_study_job_get_row (point->job, point->row);
}

/* Columns: the point's number, the figure, parameters. */
static double
get_cell (const WeirStudyPoint *point, guint column)
{
  const WeirStudyRow *row = get_row (point);

  return column == 0 ? (double) row->i : column == 1 ? row->figures[0] : row->values[column - 2];
}

static int
compare_points (gconstpointer a, gconstpointer b, gpointer data)
{
  double x = get_cell (a, GPOINTER_TO_UINT (data)), y = get_cell (b, GPOINTER_TO_UINT (data));

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return (x > y) - (x < y);
}

static void
setup_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "weir-column"));
  const WeirStudyPoint *point = gtk_list_item_get_item (item);
  double value = get_cell (point, column);
  g_autofree char *text = isnan (value) ? g_strdup ("–") : weir_axis_format_value (value);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, get_row (point)->reason);
}

static void
add_column (WeirStudiesPage *self, guint column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) view = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter)
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare_points, GUINT_TO_POINTER (column), NULL));

  g_object_set_data (G_OBJECT (factory), "weir-column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), NULL);
  gtk_column_view_column_set_sorter (view, sorter);
  gtk_column_view_column_set_resizable (view, TRUE);
  gtk_column_view_append_column (self->table, view);
}

/* "Maximum" */
static const char *
get_figure_word (const WeirStudyJob *job)
{
  const WeirStudyFigure *figure = weir_study_get_figure (weir_study_job_get_study (job), 0);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == figure->kind)
      return _ (kinds[i].title);
  return figure->name;
}

/* "Maximum of Motor.speed" */
static char *
dup_figure_title (WeirStudiesPage *self)
{
  const WeirStudyFigure *figure = weir_study_get_figure (weir_study_job_get_study (self->done), 0);
  g_auto (WeirSignalName) name = weir_signal_name_find (get_model (self), figure->port);

  /* Translators: a figure, such as Maximum, and the name of a signal. */
  return g_strdup_printf (_ ("%s of %s"), get_figure_word (self->done), name.name);
}

static void
fill_columns (WeirStudiesPage *self)
{
  const WeirStudy *study = weir_study_job_get_study (self->done);
  GListModel *columns = gtk_column_view_get_columns (self->table);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->table, column);
    }
  add_column (self, 0, _ ("Point"));
  add_column (self, 1, get_figure_word (self->done));
  for (guint i = 0; i < study->parameters->len; i++)
    add_column (self, i + 2, weir_study_get_parameter (study, i)->path);
}

static void
fill_rows (WeirStudiesPage *self)
{
  guint n = weir_study_job_get_n_rows (self->done);
  g_autoptr (GPtrArray) points = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 best = weir_study_job_get_best (self->done);

  for (guint i = 0; i < n; i++)
    {
      WeirStudyPoint *point = g_object_new (WEIR_TYPE_STUDY_POINT, NULL);

      point->job = weir_study_job_ref (self->done);
      point->row = i;
      g_ptr_array_add (points, point);
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       points->pdata, n);
  gtk_single_selection_set_selected (self->selection,
                                     best >= 0 ? (guint) best : GTK_INVALID_LIST_POSITION);
}

/* --- The chart -------------------------------------------------------------------------------- */

static void
draw_histogram (WeirStudiesPage *self, WeirChart *chart, const char *title)
{
  guint n = weir_study_job_get_n_rows (self->done), n_bins, n_values = 0;
  double least = INFINITY, most = -INFINITY, edges[MOST_BINS + 1], counts[MOST_BINS + 1] = { 0 };

  for (guint i = 0; i < n; i++)
    {
      double value = weir_study_job_get_row (self->done, i)->figures[0];

      if (!isfinite (value))
        continue;
      least = fmin (least, value);
      most = fmax (most, value);
      n_values++;
    }
  weir_chart_add_panel (chart, title, WEIR_CHART_LINEAR, _ ("Points"), WEIR_CHART_LINEAR, FALSE,
                        FALSE);
  if (n_values == 0)
    return;
  n_bins = CLAMP ((guint) ceil (sqrt (n_values)), 1, MOST_BINS);
  if (!(most > least))
    most = least + (least != 0 ? fabs (least) * 1e-6 : 1);
  for (guint b = 0; b <= n_bins; b++)
    edges[b] = least + (most - least) * b / n_bins;
  for (guint i = 0; i < n; i++)
    {
      double value = weir_study_job_get_row (self->done, i)->figures[0];

      if (isfinite (value))
        counts[MIN ((guint) ((value - least) / (most - least) * n_bins), n_bins - 1)]++;
    }
  counts[n_bins] = counts[n_bins - 1];
  weir_chart_add_curve (chart, 0, WEIR_CHART_STAIRS, 0, title, n_bins + 1, edges, counts);
}

static void
draw_cloud (WeirStudiesPage *self, WeirChart *chart, guint parameter, const char *title)
{
  guint n = weir_study_job_get_n_rows (self->done), every = 1 + n / MOST_MARKS;
  const WeirStudyPoint *chosen = gtk_single_selection_get_selected_item (self->selection);

  weir_chart_add_panel (
      chart, weir_study_get_parameter (weir_study_job_get_study (self->done), parameter)->path,
      WEIR_CHART_LINEAR, title, WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    {
      const WeirStudyRow *row = weir_study_job_get_row (self->done, i);
      gboolean is_chosen = chosen != NULL && chosen->row == i;
      g_autofree char *text = NULL;

      if (!isfinite (row->figures[0]) || (i % every != 0 && !is_chosen))
        continue;
      text = dup_point_text (_ ("Point %s"), row->i);
      weir_chart_add_mark (chart, 0, is_chosen ? WEIR_CHART_SQUARE : WEIR_CHART_DOT,
                           is_chosen ? 1 : 0, row->values[parameter], row->figures[0], text);
    }
}

static void
draw_curve (WeirStudiesPage *self, WeirChart *chart, guint i, WeirChartLook look, guint color)
{
  const WeirStudyRow *row = weir_study_job_get_row (self->done, i);
  g_autofree char *text = dup_point_text (_ ("Point %s"), row->i);
  const double *values;
  WeirRunRows rows;

  if (row->signals != NULL
      && weir_run_rows_from_bytes (&rows, g_bytes_get_data (row->signals, NULL),
                                   g_bytes_get_size (row->signals), &values, 1))
    weir_chart_add_curve (chart, 0, look, color, text, (guint) rows.n_rows, rows.times, values);
}

/* Those of all points, paler; of the chosen one before them. */
static void
draw_curves (WeirStudiesPage *self, WeirChart *chart)
{
  const WeirStudyPoint *chosen = gtk_single_selection_get_selected_item (self->selection);
  const WeirStudyFigure *figure = weir_study_get_figure (weir_study_job_get_study (self->done), 0);
  g_auto (WeirSignalName) name = weir_signal_name_find (get_model (self), figure->port);

  weir_chart_add_panel (chart, _ ("Time (s)"), WEIR_CHART_LINEAR, name.name, WEIR_CHART_LINEAR,
                        FALSE, FALSE);
  for (guint i = 0; i < weir_study_job_get_n_rows (self->done); i++)
    if (chosen == NULL || chosen->row != i)
      draw_curve (self, chart, i, chosen == NULL ? WEIR_CHART_LINE : WEIR_CHART_FORMER, 0);
  if (chosen != NULL)
    draw_curve (self, chart, chosen->row, WEIR_CHART_LINE, 1);
}

static void
draw (WeirStudiesPage *self)
{
  WeirChart *chart = weir_chart_view_get_chart (self->chart);
  guint abscissa = gtk_drop_down_get_selected (self->abscissas);
  g_autofree char *title = NULL;

  weir_chart_clear (chart);
  if (self->done != NULL && abscissa != GTK_INVALID_LIST_POSITION)
    {
      title = dup_figure_title (self);
      if (abscissa == 0)
        draw_histogram (self, chart, title);
      else if (abscissa == 1)
        draw_curves (self, chart);
      else
        draw_cloud (self, chart, abscissa - 2, title);
      weir_chart_view_set_title (self->chart, title);
    }
  weir_chart_view_changed (self->chart);
}

static void
fill_abscissas (WeirStudiesPage *self)
{
  const WeirStudy *study = weir_study_job_get_study (self->done);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, _ ("Histogram"));
  gtk_string_list_append (list, _ ("Over Time"));
  for (guint i = 0; i < study->parameters->len; i++)
    gtk_string_list_append (list, weir_study_get_parameter (study, i)->path);
  gtk_drop_down_set_model (self->abscissas, G_LIST_MODEL (list));
  gtk_drop_down_set_selected (self->abscissas,
                              study->parameters->len == 1 || weir_study_is_search (study) ? 2 : 0);
}

/* --- Applying a point ------------------------------------------------------------------------- */

/* Each parameter is an edit of the model as those before it left it; together they are one step. */
static void
apply_clicked (WeirStudiesPage *self)
{
  const WeirStudyPoint *point = gtk_single_selection_get_selected_item (self->selection);
  const WeirStudyRow *row = point != NULL ? get_row (point) : NULL;
  WeirDocument *document = self->parent.document;
  g_autoptr (GError) error = NULL;

  if (row == NULL)
    return;
  weir_host_enter_typed (self->parent.host);
  weir_document_end_merge (document);
  for (guint i = 0; i < weir_study_job_get_study (point->job)->parameters->len && error == NULL;
       i++)
    {
      g_autoptr (WeirPatch) patch = weir_study_subject_create_edit (
          weir_study_job_get_subject (point->job), i, row->values, get_model (self), &error);

      if (patch != NULL)
        weir_document_edit (document, patch, _ ("Apply Point of a Study"), "study-point", &error);
    }
  weir_document_end_merge (document);
  if (error != NULL)
    weir_host_toast (self->parent.host, weir_error_say (error));
  else
    {
      g_autofree char *text = dup_point_text (_ ("The model has the values of point %s"), row->i);

      weir_host_offer_undo (self->parent.host, text);
    }
}

static void
selection_changed (WeirStudiesPage *self)
{
  gtk_widget_set_sensitive (self->apply,
                            gtk_single_selection_get_selected_item (self->selection) != NULL);
  if (gtk_drop_down_get_selected (self->abscissas) > 0)
    draw (self);
}

/* --- Making runs ------------------------------------------------------------------------------ */

static gboolean
show_progress (gpointer data)
{
  WeirStudiesPage *self = data;
  WeirStudyProgress progress;

  weir_study_job_get_progress (self->job, &progress);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 progress.n > 0 ? (double) progress.n_ended / (double) progress.n
                                                : 0);
  return G_SOURCE_CONTINUE;
}

static void
set_busy (WeirStudiesPage *self, gboolean is_busy)
{
  gtk_button_set_label (GTK_BUTTON (self->run), is_busy ? _ ("_Stop") : _ ("_Make Runs"));
  gtk_widget_set_visible (self->progress, is_busy);
  g_clear_handle_id (&self->source, g_source_remove);
  if (is_busy)
    self->source = g_timeout_add (PROGRESS_MS, show_progress, self);
}

static void
tell_end (WeirStudiesPage *self, WeirStudyJob *job)
{
  WeirStudyProgress progress;
  g_autofree char *all = NULL, *computed = NULL, *cached = NULL, *failed = NULL, *text = NULL;

  weir_study_job_get_progress (job, &progress);
  all = weir_cache_format_count (progress.n_ended);
  computed = weir_cache_format_count (progress.n_computed);
  cached = weir_cache_format_count (progress.n_cached + progress.n_worked_out);
  failed = weir_cache_format_count (progress.n_failed);
  /* Translators: numbers of points: all, those whose runs were made, those whose runs were known,
   * those that failed. */
  text = g_strdup_printf (_ ("%s points: %s computed, %s from the cache, %s failed"), all, computed,
                          cached, failed);
  say (self, text);
}

static void
ended (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (source);
  g_autoptr (WeirStudyJob) job = g_steal_pointer (&self->job);
  g_autoptr (GError) error = NULL;
  gboolean is_whole = weir_study_job_finish (result, &error);

  if (self->parent.host == NULL || job == NULL)
    return;
  set_busy (self, FALSE);
  if (is_whole || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    tell_end (self, job);
  else
    say (self, weir_error_say (error));
  if (weir_study_job_get_n_rows (job) == 0)
    return;
  g_clear_pointer (&self->done, weir_study_job_unref);
  self->done = g_steal_pointer (&job);
  gtk_widget_set_visible (self->results, TRUE);
  fill_columns (self);
  fill_rows (self);
  fill_abscissas (self);
  draw (self);
}

static void
run_clicked (WeirStudiesPage *self)
{
  GFile *file = weir_document_get_file (self->parent.document);
  g_autofree char *text = NULL, *path = NULL, *name = NULL;

  if (self->job != NULL)
    {
      weir_study_job_cancel (self->job);
      return;
    }
  weir_host_enter_typed (self->parent.host);
  text = dup_study (self);
  if (text == NULL)
    return;
  path = file != NULL ? g_file_get_path (file) : NULL;
  name = g_strconcat (path != NULL ? path : "model", "study", NULL);
  say (self, "");
  self->job = weir_study_job_new (text, name, get_model (self));
  set_busy (self, TRUE);
  weir_study_job_run (self->job, self, ended);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
document_changed (WeirStudiesPage *self, WeirAspects aspects)
{
  if ((aspects & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) != 0
      && gtk_widget_get_mapped (GTK_WIDGET (self)))
    offer_ports (self);
}

static void
set_choices (GtkDropDown *choice, GtkStringList *list)
{
  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
  weir_drop_down_make_narrow (choice);
  g_object_unref (list);
}

static void
fill_choices (WeirStudiesPage *self)
{
  GtkStringList *ways = gtk_string_list_new (NULL), *figures = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    gtk_string_list_append (ways, _ (methods[i].title));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gtk_string_list_append (figures, _ (kinds[i].title));
  set_choices (self->methods, ways);
  gtk_drop_down_set_selected (self->methods, 1);
  set_choices (self->figures, figures);
  set_choices (self->ports, gtk_string_list_new (NULL));
  set_choices (self->abscissas, gtk_string_list_new (NULL));
}

static void
make_table (WeirStudiesPage *self)
{
  g_autoptr (GtkSortListModel) sorted = NULL;

  self->rows = g_list_store_new (WEIR_TYPE_STUDY_POINT);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                    g_object_ref (gtk_column_view_get_sorter (self->table)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_steal_pointer (&sorted)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (selection_changed),
                           self, G_CONNECT_SWAPPED);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
}

static void
constructed (GObject *object)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (object);

  G_OBJECT_CLASS (weir_studies_page_parent_class)->constructed (object);
  self->varied = g_ptr_array_new_with_free_func (variation_free);
  fill_choices (self);
  make_table (self);
  gtk_menu_button_set_create_popup_func (self->add, fill_menu, self, NULL);
  g_signal_connect (self, "map", G_CALLBACK (offer_ports), NULL);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (object);

  if (self->job != NULL)
    weir_study_job_cancel (self->job);
  g_clear_pointer (&self->job, weir_study_job_unref);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->done, weir_study_job_unref);
  g_clear_pointer (&self->varied, g_ptr_array_unref);
  g_clear_pointer (&self->recorded, g_strfreev);
  g_clear_object (&self->rows);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (weir_studies_page_parent_class)->dispose (object);
}

static void
weir_studies_page_class_init (WeirStudiesPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (WEIR_TYPE_CHART_VIEW);
  weir_set_template (klass, "studies-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, run);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, add);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, apply);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, variations);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, methods);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, points);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, figures);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, ports);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, progress);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, status);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, results);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, abscissas);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, chart);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, table);
  gtk_widget_class_bind_template_callback (widget_class, run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, apply_clicked);
  gtk_widget_class_bind_template_callback (widget_class, draw);
}

static void
weir_studies_page_init (WeirStudiesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
