/* The table of a study's points: what each gave and was given. Points are made as they are asked
 * for: there may be a million, of which a screen shows thirty. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"
#include "widgets/tooltips.h"

/* --- A point ---------------------------------------------------------------------------------- */

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

WeirStudyJob *
weir_study_point_get_job (const WeirStudyPoint *self)
{
  return self->job;
}

guint
weir_study_point_get_row (const WeirStudyPoint *self)
{
  return self->row;
}

/* --- All of them ------------------------------------------------------------------------------ */

struct _WeirStudyPoints {
  GObject parent_instance;
  WeirStudyJob *job; /* or NULL */
  guint n;           /* of its rows, as far as others know */
};

static GType
get_item_type (G_GNUC_UNUSED GListModel *list)
{
  return WEIR_TYPE_STUDY_POINT;
}

static guint
get_n_items (GListModel *list)
{
  return WEIR_STUDY_POINTS (list)->n;
}

static gpointer
get_item (GListModel *list, guint position)
{
  WeirStudyPoints *self = WEIR_STUDY_POINTS (list);
  WeirStudyPoint *point;

  if (position >= self->n)
    return NULL;
  point = g_object_new (WEIR_TYPE_STUDY_POINT, NULL);
  point->job = weir_study_job_ref (self->job);
  point->row = position;
  return point;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (WeirStudyPoints, weir_study_points, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
weir_study_points_finalize (GObject *object)
{
  g_clear_pointer (&WEIR_STUDY_POINTS (object)->job, weir_study_job_unref);
  G_OBJECT_CLASS (weir_study_points_parent_class)->finalize (object);
}

static void
weir_study_points_class_init (WeirStudyPointsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = weir_study_points_finalize;
}

static void
weir_study_points_init (G_GNUC_UNUSED WeirStudyPoints *self)
{
}

void
weir_study_points_show (WeirStudyPoints *self, WeirStudyJob *job)
{
  guint before = self->n;

  if (self->job != NULL)
    weir_study_job_unref (self->job);
  self->job = weir_study_job_ref (job);
  self->n = weir_study_job_get_n_rows (job);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->n);
}

void
weir_study_points_follow (WeirStudyPoints *self)
{
  guint before = self->n;

  self->n = weir_study_job_get_n_rows (self->job);
  g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->n - before);
}

/* --- Columns ---------------------------------------------------------------------------------- */

static const WeirStudyRow *
get_row (const WeirStudyPoint *point)
{
  return weir_study_job_get_row (point->job, point->row);
}

/* Columns: the point's number, figures, parameters. */
static double
get_cell (const WeirStudyPoint *point, guint column)
{
  const WeirStudyRow *row = get_row (point);
  guint n_figures = weir_study_job_get_study (point->job)->figures->len;

  if (column == 0)
    return (double) row->i;
  return column <= n_figures ? row->figures[column - 1] : row->values[column - 1 - n_figures];
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
  weir_set_tooltip (label, get_row (point)->reason);
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

void
weir_studies_table_fill_columns (WeirStudiesPage *self)
{
  const WeirStudy *study = weir_study_job_get_study (self->done);
  GListModel *columns = gtk_column_view_get_columns (self->table);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->table, column);
    }
  add_column (self, 0, _ ("Point"));
  for (guint i = 0; i < study->figures->len; i++)
    add_column (self, 1 + i, self->titles[i]);
  for (guint i = 0; i < study->parameters->len; i++)
    add_column (self, 1 + study->figures->len + i, weir_study_get_parameter (study, i)->path);
}

void
weir_studies_table_init (WeirStudiesPage *self)
{
  g_autoptr (GtkSortListModel) sorted = NULL;

  self->rows = g_object_new (WEIR_TYPE_STUDY_POINTS, NULL);
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                    g_object_ref (gtk_column_view_get_sorter (self->table)));
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (g_steal_pointer (&sorted)));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
}
