/* The table of a study's points: what each gave and was given. There may be a million, of which a
 * screen shows thirty: points are made as they are asked for, and which are selected and in which
 * order they stand are arrays. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"
#include "widgets/tooltips.h"

/* --- A point ---------------------------------------------------------------------------------- */

struct _WeirStudyPoint {
  GObject parent_instance;
  WeirStudyJob *job; /* NULL: it is to tell a column, see find_column() */
  guint row, column;
  gboolean is_less;
};

G_DEFINE_FINAL_TYPE (WeirStudyPoint, weir_study_point, G_TYPE_OBJECT)

static void
weir_study_point_finalize (GObject *object)
{
  g_clear_pointer (&WEIR_STUDY_POINT (object)->job, weir_study_job_unref);
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

#define AT_ONCE 20000 /* rows that are put in order at once; more are by a thread */

struct _WeirStudyPoints {
  GObject parent_instance;
  WeirStudyJob *job; /* or NULL */
  guint n;           /* of its rows, as far as others know */
  gboolean *chosen;  /* by row: is it selected? */
  guint *order;      /* rows by position; NULL: as they are */
  GtkSorter *sorter; /* of the table */
  guint n_sorted;    /* orders that were asked for */
};

static guint
get_row_at (const WeirStudyPoints *self, guint position)
{
  return self->order != NULL ? self->order[position] : position;
}

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

static WeirStudyPoint *
create_point (WeirStudyPoints *self, guint row)
{
  WeirStudyPoint *point = g_object_new (WEIR_TYPE_STUDY_POINT, NULL);

  point->job = weir_study_job_ref (self->job);
  point->row = row;
  return point;
}

static gpointer
get_item (GListModel *list, guint position)
{
  WeirStudyPoints *self = WEIR_STUDY_POINTS (list);

  return position < self->n ? create_point (self, get_row_at (self, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  const WeirStudyPoints *self = WEIR_STUDY_POINTS (model);

  return position < self->n && self->chosen[get_row_at (self, position)];
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n)
{
  const WeirStudyPoints *self = WEIR_STUDY_POINTS (model);
  GtkBitset *selected = gtk_bitset_new_empty ();
  guint end = MIN (n, self->n - MIN (position, self->n)) + position;

  for (guint at = position, from; at < end; at++)
    if (self->chosen[get_row_at (self, at)])
      {
        for (from = at; at < end && self->chosen[get_row_at (self, at)]; at++)
          ;
        gtk_bitset_add_range (selected, from, at - from);
      }
  return selected;
}

static void
tell_selection (WeirStudyPoints *self)
{
  if (self->n > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), 0, self->n);
}

static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  WeirStudyPoints *self = WEIR_STUDY_POINTS (model);
  GtkBitsetIter iter;
  guint at;

  for (gboolean ok = gtk_bitset_iter_init_first (&iter, mask, &at); ok && at < self->n;
       ok = gtk_bitset_iter_next (&iter, &at))
    self->chosen[get_row_at (self, at)] = gtk_bitset_contains (selected, at);
  tell_selection (self);
  return TRUE;
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
  iface->set_selection = set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (WeirStudyPoints, weir_study_points, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_model_init))

static void
weir_study_points_finalize (GObject *object)
{
  WeirStudyPoints *self = WEIR_STUDY_POINTS (object);

  g_clear_pointer (&self->job, weir_study_job_unref);
  g_clear_object (&self->sorter);
  g_free (self->chosen);
  g_free (self->order);
  G_OBJECT_CLASS (weir_study_points_parent_class)->finalize (object);
}

static void
weir_study_points_class_init (WeirStudyPointsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = weir_study_points_finalize;
}

static void
weir_study_points_init (WeirStudyPoints *self)
{
  self->chosen = g_new0 (gboolean, 1);
}

const gboolean *
weir_study_points_get_chosen (const WeirStudyPoints *self)
{
  return self->chosen;
}

void
weir_study_points_choose (WeirStudyPoints *self, const gboolean *chosen)
{
  memcpy (self->chosen, chosen, self->n * sizeof *chosen);
  tell_selection (self);
}

gint64
weir_study_points_find_chosen (const WeirStudyPoints *self)
{
  for (guint at = 0; at < self->n; at++)
    if (self->chosen[get_row_at (self, at)])
      return at;
  return -1;
}

/* --- Their order ------------------------------------------------------------------------------ */

static double get_cell (const WeirStudyJob *job, guint row, guint column);

typedef struct {
  double value;
  guint row;
} Key;

typedef struct {
  WeirStudyJob *job;
  guint n, column, number;
  gboolean is_descending;
  Key *keys;
} Sorting;

static void
sorting_free (gpointer data)
{
  Sorting *sorting = data;

  weir_study_job_unref (sorting->job);
  g_free (sorting->keys);
  g_free (sorting);
}

/* What is no number comes last either way. */
static int
compare_keys (gconstpointer a, gconstpointer b, gpointer data)
{
  double x = ((const Key *) a)->value, y = ((const Key *) b)->value;
  int order = (x > y) - (x < y);

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return ((const Sorting *) data)->is_descending ? -order : order;
}

/* Thread: *any*. (transfer full) */
static guint *
calc_order (Sorting *sorting)
{
  guint *order = g_new (guint, sorting->n + 1);

  sorting->keys = g_new (Key, sorting->n + 1);
  for (guint i = 0; i < sorting->n; i++)
    sorting->keys[i] = (Key) { get_cell (sorting->job, i, sorting->column), i };
  g_qsort_with_data (sorting->keys, (int) sorting->n, sizeof (Key), compare_keys, sorting);
  for (guint i = 0; i < sorting->n; i++)
    order[i] = sorting->keys[i].row;
  return order;
}

static void
sort_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  g_task_return_pointer (task, calc_order (data), g_free);
}

/* Rows from @first on are others, up to the last so many. Lists that lose rows and get others at
 * once look at each of them, so those of many come after those before have gone. */
static void
tell_others (WeirStudyPoints *self, guint first, guint n_last, guint n_before)
{
  guint n = self->n;

  if (n <= AT_ONCE)
    {
      g_list_model_items_changed (G_LIST_MODEL (self), first, n_before - first - n_last,
                                  n - first - n_last);
      return;
    }
  self->n = first;
  g_list_model_items_changed (G_LIST_MODEL (self), first, n_before - first, 0);
  self->n = n;
  g_list_model_items_changed (G_LIST_MODEL (self), first, 0, n - first);
}

/* @n: so many rows there are by now. What stays where it was is not told. @order: (transfer full)
 * (nullable) */
static void
take_order (WeirStudyPoints *self, guint *order, guint n)
{
  g_autofree guint *before = self->order;
  guint n_before = self->n, first = 0, n_last = 0;

#define WAS(at) (before != NULL ? before[at] : (at))
#define IS(at) (order != NULL ? order[at] : (at))
  while (first < n && first < n_before && WAS (first) == IS (first))
    first++;
  while (n_last < n - first && n_last < n_before - first
         && WAS (n_before - 1 - n_last) == IS (n - 1 - n_last))
    n_last++;
#undef WAS
#undef IS
  self->order = order;
  self->n = n;
  if (first + n_last < MAX (n, n_before))
    tell_others (self, first, n_last, n_before);
}

static void
sorted (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirStudyPoints *self = WEIR_STUDY_POINTS (source);
  const Sorting *sorting = g_task_get_task_data (G_TASK (result));
  guint *order = g_task_propagate_pointer (G_TASK (result), NULL);

  if (sorting->number == self->n_sorted && sorting->n == self->n)
    take_order (self, order, self->n);
  else
    g_free (order);
}

/* The table's sorter compares by its first column, one way or the other: this tells which that is,
 * asked with points that are none. */
static int
tell_column (gconstpointer a, gconstpointer b, gpointer data)
{
  WeirStudyPoint *first = (WeirStudyPoint *) a, *second = (WeirStudyPoint *) b;

  first->column = second->column = GPOINTER_TO_UINT (data);
  return first->is_less ? -1 : 1;
}

/* FALSE: none. */
static gboolean
find_column (const WeirStudyPoints *self, guint *column, gboolean *is_descending)
{
  g_autoptr (WeirStudyPoint) less = g_object_new (WEIR_TYPE_STUDY_POINT, NULL);
  g_autoptr (WeirStudyPoint) more = g_object_new (WEIR_TYPE_STUDY_POINT, NULL);
  GtkOrdering ordering;

  less->is_less = TRUE;
  ordering = self->sorter != NULL ? gtk_sorter_compare (self->sorter, less, more)
                                  : GTK_ORDERING_EQUAL;
  *column = less->column;
  *is_descending = ordering == GTK_ORDERING_LARGER;
  return ordering != GTK_ORDERING_EQUAL;
}

/* Of @n rows that there are by now. */
static void
sort (WeirStudyPoints *self, guint n)
{
  Sorting *sorting;
  guint column;
  gboolean is_descending;

  self->n_sorted++;
  if (self->job == NULL || !find_column (self, &column, &is_descending))
    {
      take_order (self, NULL, n);
      return;
    }
  sorting = g_new (Sorting, 1);
  *sorting = (Sorting) {
    weir_study_job_ref (self->job), n, column, self->n_sorted, is_descending, NULL
  };
  if (n <= AT_ONCE)
    {
      take_order (self, calc_order (sorting), n);
      sorting_free (sorting);
    }
  else
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, sorted, NULL);
      guint *order = g_new (guint, n + 1);

      /* Until then those that are new follow the others. */
      for (guint i = 0; i < n; i++)
        order[i] = i < self->n ? get_row_at (self, i) : i;
      take_order (self, order, n);
      g_task_set_task_data (task, sorting, sorting_free);
      g_task_run_in_thread (task, sort_in_thread);
    }
}

static void
sorter_changed (WeirStudyPoints *self)
{
  sort (self, self->n);
}

void
weir_study_points_show (WeirStudyPoints *self, WeirStudyJob *job)
{
  guint before = self->n;

  if (self->job != NULL)
    weir_study_job_unref (self->job);
  self->job = weir_study_job_ref (job);
  g_free (self->chosen);
  g_clear_pointer (&self->order, g_free);
  self->n = weir_study_job_get_n_rows (job);
  self->chosen = g_new0 (gboolean, self->n + 1);
  tell_others (self, 0, 0, before);
  sort (self, self->n);
}

void
weir_study_points_follow (WeirStudyPoints *self)
{
  guint n = weir_study_job_get_n_rows (self->job);

  self->chosen = g_renew (gboolean, self->chosen, n + 1);
  memset (self->chosen + self->n, 0, (n + 1 - self->n) * sizeof *self->chosen);
  sort (self, n);
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* Columns: the point's number, figures, parameters. */
static double
get_cell (const WeirStudyJob *job, guint row, guint column)
{
  const WeirStudyRow *of = weir_study_job_get_row (job, row);
  guint n_figures = weir_study_job_get_study (job)->figures->len;

  if (column == 0)
    return (double) of->i;
  return column <= n_figures ? of->figures[column - 1] : of->values[column - 1 - n_figures];
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
  double value = get_cell (point->job, point->row, column);
  g_autofree char *text = isnan (value) ? g_strdup ("–") : weir_axis_format_value (value);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  weir_set_tooltip (label, weir_study_job_get_row (point->job, point->row)->reason);
}

static void
add_column (WeirStudiesPage *self, guint column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) view = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter)
      sorter = GTK_SORTER (gtk_custom_sorter_new (tell_column, GUINT_TO_POINTER (column), NULL));

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
  self->rows = g_object_new (WEIR_TYPE_STUDY_POINTS, NULL);
  self->rows->sorter = g_object_ref (gtk_column_view_get_sorter (self->table));
  g_signal_connect_object (self->rows->sorter, "changed", G_CALLBACK (sorter_changed), self->rows,
                           G_CONNECT_SWAPPED);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->rows));
}
