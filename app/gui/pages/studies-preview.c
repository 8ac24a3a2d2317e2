/* WeirStudyPreview: the points of a study before they are run: two columns against each other, and
 * a table of the first ones. However many there are, what is drawn and listed is bounded. See
 * studies-page-private.h. Thread: *main*.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"
#include "model/completion/parameters.h"
#include "widgets/pieces.h"

#define MOST_DRAWN 5000
#define MOST_LISTED 100
#define MOST_LARGE 300 /* of more points each is a speck */
#define MOST_WORK 2e6  /* what a point takes grows with the square of the parameters */

struct _WeirStudyPreview {
  AdwBin parent;
  GtkDropDown *across, *up;
  WeirChartView *chart;
  GtkColumnView *table;
  GtkStringList *rows; /* numbers of points */
  GtkSingleSelection *selection;
  GtkWidget *whole; /* all but the words */
  GtkLabel *words;
  WeirStudy *study; /* that makes sense; NULL: the draft does not */
  double *as_it_is; /* by parameter: the model's value; NAN: there is none */
  double *values;   /* of the point that was asked for last */
  guint64 n_points; /* of a search: starts */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (WeirStudyPreview, weir_study_preview, ADW_TYPE_BIN)

/* --- Points ----------------------------------------------------------------------------------- */

/* One a parameter, valid until the next call. */
static const double *
get_values (WeirStudyPreview *self, guint64 i)
{
  weir_study_get_point (self->study, weir_study_is_search (self->study) ? i * self->study->n : i,
                        self->values);
  for (guint k = 0; k < self->study->parameters->len; k++)
    if (isnan (self->values[k]))
      self->values[k] = self->as_it_is[k];
  return self->values;
}

/* A column is the number of the point, then parameters. */
static double
get_column (WeirStudyPreview *self, guint64 i, guint column)
{
  return column == 0 ? (double) i : get_values (self, i)[column - 1];
}

static const char *
get_name (WeirStudyPreview *self, guint column)
{
  return column == 0 ? _ ("Point") : weir_study_get_parameter (self->study, column - 1)->path;
}

static guint64
count_drawn (WeirStudyPreview *self)
{
  double d = self->study->parameters->len;

  return MIN (self->n_points, (guint64) CLAMP (MOST_WORK / (d * d), 200, MOST_DRAWN));
}

/* Of fewer than there are, by the golden section: every so-manieth would be one column of a grid.
 */
static guint64
get_drawn (WeirStudyPreview *self, guint64 k, guint64 n_drawn)
{
  double part = fmod ((double) k * 0.618033988749894848, 1);

  return n_drawn == self->n_points
             ? k
             : MIN ((guint64) (part * (double) self->n_points), self->n_points - 1);
}

static char *
say_point (WeirStudyPreview *self, guint64 i)
{
  g_autofree char *number = weir_study_say_number (i);
  GString *text = g_string_new (number);

  for (guint k = 0; k < self->study->parameters->len && k < 6; k++)
    {
      g_autofree char *value = weir_study_say_value (get_values (self, i)[k]);

      g_string_append_printf (text, "%s %s %s", k == 0 ? ":" : ",", get_name (self, k + 1), value);
    }
  return g_string_free (text, FALSE);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static guint
get_choice (GtkDropDown *choice)
{
  guint i = gtk_drop_down_get_selected (choice);

  return i != GTK_INVALID_LIST_POSITION ? i : 0;
}

static WeirChartAxis
get_axis (WeirStudyPreview *self, guint column)
{
  return column > 0
                 && weir_study_get_parameter (self->study, column - 1)->distribution
                        == WEIR_DISTRIBUTION_LOG_UNIFORM
             ? WEIR_CHART_LOG
             : WEIR_CHART_LINEAR;
}

static void
draw (WeirStudyPreview *self)
{
  WeirChart *chart = weir_chart_view_get_chart (self->chart);
  guint x = get_choice (self->across), y = get_choice (self->up);
  guint64 n_drawn;
  g_autofree char *title = NULL;

  if (self->is_filling || self->study == NULL)
    return;
  n_drawn = count_drawn (self);
  weir_chart_clear (chart);
  weir_chart_add_panel (chart, get_name (self, x), get_axis (self, x), get_name (self, y),
                        get_axis (self, y), FALSE, FALSE);
  for (guint64 k = 0; k < n_drawn; k++)
    {
      guint64 i = get_drawn (self, k, n_drawn);
      g_autofree char *text = say_point (self, i);

      weir_chart_add_mark (chart, 0, n_drawn > MOST_LARGE ? WEIR_CHART_SPECK : WEIR_CHART_DOT, 0,
                           get_column (self, i, x), get_column (self, i, y), text);
    }
  /* Translators: what a chart shows: points by two parameters. */
  title = g_strdup_printf (_ ("Points: %s, %s"), get_name (self, x), get_name (self, y));
  weir_chart_view_set_title (self->chart, title);
  weir_chart_view_changed (self->chart);
}

/* Of other columns: all of them. */
static void
columns_chosen (WeirStudyPreview *self)
{
  weir_chart_fit (weir_chart_view_get_chart (self->chart));
  weir_chart_clear_cursor (weir_chart_view_get_chart (self->chart));
  draw (self);
}

static void
row_selected (WeirStudyPreview *self)
{
  guint64 i = gtk_single_selection_get_selected (self->selection);
  WeirChart *chart = weir_chart_view_get_chart (self->chart);

  if (self->is_filling || self->study == NULL || i >= MIN (self->n_points, MOST_LISTED))
    return;
  weir_chart_put_cursor (chart, 0, get_column (self, i, get_choice (self->across)),
                         get_column (self, i, get_choice (self->up)));
  weir_chart_view_changed (self->chart);
}

/* --- The table -------------------------------------------------------------------------------- */

static void
setup_cell (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item, WeirStudyPreview *self)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "weir-column"));
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));
  guint64 i = gtk_list_item_get_position (item);
  double value;
  g_autofree char *text = NULL;

  if (self->study == NULL || i >= self->n_points || column > self->study->parameters->len)
    return;
  value = get_column (self, i, column);
  text = isnan (value) ? g_strdup ("–") : weir_study_say_value (value);
  gtk_label_set_text (label, text);
}

static void
fill_table (WeirStudyPreview *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->table);
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_null_terminated (0, NULL, TRUE);

  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                          NULL);
  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->table, column);
    }
  for (guint c = 0; c <= self->study->parameters->len; c++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn)
          column = gtk_column_view_column_new (get_name (self, c), factory);

      g_object_set_data (G_OBJECT (factory), "weir-column", GUINT_TO_POINTER (c));
      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), self);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (self->table, column);
    }
  for (guint64 i = 0; i < MIN (self->n_points, MOST_LISTED); i++)
    g_ptr_array_add (numbers, g_strdup_printf ("%u", (guint) i));
  gtk_string_list_splice (self->rows, 0, 0, (const char *const *) numbers->pdata);
}

/* --- What there is ---------------------------------------------------------------------------- */

/* As it is written and read again: whether it makes sense is seen there. NULL and a sentence. */
static WeirStudy *
read_draft (const WeirStudy *draft, char **sentence)
{
  g_autoptr (WeirStudy) copy = weir_study_copy (draft);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GBytes) bytes = NULL;
  WeirStudy *study;

  if (copy->model == NULL)
    copy->model = g_strdup ("model");
  bytes = weir_study_write_bytes (copy);
  study = weir_study_read_bytes (bytes, "study", diagnostics);
  if (study == NULL)
    *sentence = weir_text_capitalize (weir_diagnostics_get (diagnostics, 0)->text, NULL);
  return study;
}

/* What the model has: also in the middle of those that vary one at a time. */
static void
take_model (WeirStudyPreview *self, WeirModel *model)
{
  g_autoptr (WeirParameters) parameters = weir_parameters_new (model, NULL);
  guint n = self->study->parameters->len;

  g_free (self->as_it_is);
  g_free (self->values);
  self->as_it_is = g_new (double, n + 1);
  self->values = g_new (double, n + 1);
  for (guint k = 0; k < n; k++)
    {
      WeirStudyParameter *p = &g_array_index (self->study->parameters, WeirStudyParameter, k);
      guint element = 0;
      const WeirParameterEntry *entry = weir_parameters_find (parameters, p->path, &element);
      gboolean has_value = entry != NULL && entry->value != NULL
                           && (element < entry->size || entry->size == 1);

      self->as_it_is[k] = has_value ? entry->value[element < entry->size ? element : 0]
                                    : (double) NAN;
      if (isnan (p->middle))
        p->middle = self->as_it_is[k];
    }
}

/* The choices stay where they were as far as there are such columns; where there were no two
 * parameters before, they are the first two. */
static void
fill_choices (WeirStudyPreview *self, guint n_before)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (0, NULL, TRUE);
  guint n = self->study->parameters->len, x = get_choice (self->across), y = get_choice (self->up);

  for (guint c = 0; c <= n; c++)
    g_ptr_array_add (names, (gpointer) get_name (self, c));
  if (n_before < 2 || x > n || y > n || x == y)
    {
      x = n > 1 ? 1 : 0;
      y = n > 1 ? 2 : 1;
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *) names->pdata);

      gtk_drop_down_set_model (i == 0 ? self->across : self->up, G_LIST_MODEL (list));
      gtk_drop_down_set_selected (i == 0 ? self->across : self->up, i == 0 ? x : y);
    }
}

/* (transfer full) */
static char *
say_points (WeirStudyPreview *self)
{
  g_autofree char *all = weir_cache_format_count (self->n_points);
  g_autofree char *drawn = weir_cache_format_count (count_drawn (self));
  g_autofree char *listed = weir_cache_format_count (MIN (self->n_points, MOST_LISTED));
  GString *text = g_string_new (NULL);

  if (weir_study_is_search (self->study))
    /* Translators: %s is a number of points. */
    g_string_append_printf (
        text, _ ("The search begins at %s points; others follow from what these give."), all);
  else
    /* Translators: %s is a number of points. */
    g_string_append_printf (text, _ ("Points: %s."), all);
  if (count_drawn (self) < self->n_points)
    /* Translators: %s are numbers of points. */
    g_string_append_printf (text, _ (" %s of them are drawn, the first %s are listed."), drawn,
                            listed);
  else if (self->n_points > MOST_LISTED)
    /* Translators: %s is a number of points. */
    g_string_append_printf (text, _ (" The first %s are listed."), listed);
  return g_string_free (text, FALSE);
}

void
weir_study_preview_show (WeirStudyPreview *self, const WeirStudy *draft, WeirModel *model)
{
  guint n_before = self->study != NULL ? self->study->parameters->len : 0;
  g_autofree char *words = NULL;

  g_return_if_fail (WEIR_IS_STUDY_PREVIEW (self));

  g_clear_pointer (&self->study, weir_study_free);
  if (draft->parameters->len == 0)
    words = g_strdup (_ ("Select a block and press Vary to choose what is varied."));
  else
    self->study = read_draft (draft, &words);
  if (self->study != NULL)
    {
      self->n_points = weir_study_is_search (self->study) ? self->study->starts
                                                          : weir_study_get_n_points (self->study);
      take_model (self, model);
      self->is_filling = TRUE;
      fill_choices (self, n_before);
      fill_table (self);
      self->is_filling = FALSE;
      if (n_before != self->study->parameters->len)
        columns_chosen (self);
      else
        draw (self);
      words = say_points (self);
    }
  gtk_widget_set_visible (self->whole, self->study != NULL);
  gtk_label_set_text (self->words, words);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  WeirStudyPreview *self = WEIR_STUDY_PREVIEW (object);

  self->is_filling = TRUE;
  g_clear_pointer (&self->study, weir_study_free);
  G_OBJECT_CLASS (weir_study_preview_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  WeirStudyPreview *self = WEIR_STUDY_PREVIEW (object);

  g_free (self->as_it_is);
  g_free (self->values);
  G_OBJECT_CLASS (weir_study_preview_parent_class)->finalize (object);
}

static void
weir_study_preview_class_init (WeirStudyPreviewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static GtkDropDown *
add_choice (WeirStudyPreview *self, GtkBox *row, const char *label)
{
  GtkWidget *choice = weir_drop_down_new (gtk_string_list_new (NULL), label);

  g_signal_connect_swapped (choice, "notify::selected", G_CALLBACK (columns_chosen), self);
  gtk_box_append (row, choice);
  return GTK_DROP_DOWN (choice);
}

static GtkWidget *
table_new (WeirStudyPreview *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->rows = gtk_string_list_new (NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->rows));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (self->selection)));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("First points of the study"), -1);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (row_selected), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 100);
  gtk_widget_set_size_request (scrolled, 200, -1);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

/* Beside each other where there is room, else below. */
static void
add_piece (WeirStudyPreview *self, GtkWidget *piece)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), piece);
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_append (GTK_FLOW_BOX (self->whole), child);
}

static void
weir_study_preview_init (WeirStudyPreview *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *choices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->whole = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->whole), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->whole), 2);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (self->whole), 12);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (self->whole), 6);
  gtk_widget_set_name (self->whole, "weir-study-points");
  self->across = add_choice (self, GTK_BOX (choices), _ ("Over which parameter"));
  self->up = add_choice (self, GTK_BOX (choices), _ ("Against what"));
  self->chart = WEIR_CHART_VIEW (weir_chart_view_new ());
  gtk_widget_set_size_request (GTK_WIDGET (self->chart), 200, 120);
  gtk_widget_set_hexpand (left, TRUE);
  gtk_box_append (GTK_BOX (left), choices);
  gtk_box_append (GTK_BOX (left), GTK_WIDGET (self->chart));
  add_piece (self, left);
  add_piece (self, table_new (self));
  self->words = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->words, 0);
  gtk_label_set_wrap (self->words, TRUE);
  gtk_label_set_wrap_mode (self->words, PANGO_WRAP_WORD_CHAR);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (box), self->whole);
  adw_bin_set_child (ADW_BIN (self), box);
}
