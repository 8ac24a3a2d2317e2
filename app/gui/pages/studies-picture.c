/* WeirStudyPictureView: a picture of what came of a study, with what it is of to choose from. See
 * studies-page-private.h.
 *
 * A *drawing* is all that a picture is made from, and then what is in it. Of many points it is made
 * by a thread, while what was seen before is still there. Thread: *main*, but for making one.
 */
#include <glib/gi18n-lib.h>

#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"
#include "widgets/pieces.h"

struct _WeirStudyPictureView {
  AdwBin parent;
  GtkDropDown *views, *shown, *across, *up;
  WeirChartView *chart;
  WeirStudyJob *job; /* or NULL */
  GStrv titles;      /* of its figures */
  guint n;           /* rows that are seen */
  gboolean *chosen;  /* by row; or NULL */
  GArray *kinds;     /* WeirStudyView, as they are offered */
  gboolean is_filling;
  guint n_drawings;        /* that were asked for */
  struct Drawing *drawing; /* that a thread is at; or NULL */
  char *words, *said_chosen;
};

G_DEFINE_FINAL_TYPE (WeirStudyPictureView, weir_study_picture_view, ADW_TYPE_BIN)

enum { SIGNAL_BRUSHED, SIGNAL_DRAWN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- Drawing ---------------------------------------------------------------------------------- */

static guint
get_choice (GtkDropDown *choice)
{
  guint i = gtk_drop_down_get_selected (choice);

  return i != GTK_INVALID_LIST_POSITION ? i : 0;
}

static WeirStudyPicture
get_picture (WeirStudyPictureView *self)
{
  return (WeirStudyPicture) { .job = self->job,
                              .n = self->n,
                              .view = g_array_index (self->kinds, WeirStudyView,
                                                     get_choice (self->views)),
                              .figure = get_choice (self->shown),
                              .across = get_choice (self->across),
                              .up = get_choice (self->up),
                              .figures = (const char *const *) self->titles,
                              .chosen = self->chosen };
}

/* Others are of all columns, or of none. */
static gboolean
is_of_figure (WeirStudyView view)
{
  return view != WEIR_STUDY_FITTED && view != WEIR_STUDY_RESIDUALS && view != WEIR_STUDY_MATRIX
         && view != WEIR_STUDY_PARALLEL;
}

static void
show_choice (GtkDropDown *choice, gboolean shows)
{
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (choice)), shows);
}

/* Which choices the picture takes beside its kind. */
static void
show_choices (WeirStudyPictureView *self, WeirStudyView view)
{
  const WeirStudy *study = weir_study_job_get_study (self->job);

  show_choice (self->shown, study->figures->len > 1 && is_of_figure (view));
  show_choice (self->across, view == WEIR_STUDY_MAP || view == WEIR_STUDY_CLOUD);
  show_choice (self->up, view == WEIR_STUDY_MAP || view == WEIR_STUDY_FRONT);
}

#define AT_ONCE 20000 /* points whose picture is made at once */
#define PALE 0.4      /* what is no longer asked for */

typedef struct Drawing {
  WeirStudyPicture picture; /* with arrays of its own */
  guint number;
  gint is_stale; /* atomic */
  WeirChart *chart;
  char *words, *said_chosen;
} Drawing;

static Drawing *
drawing_new (WeirStudyPictureView *self)
{
  Drawing *drawing = g_new0 (Drawing, 1);
  WeirStudyPicture *picture = &drawing->picture;

  *picture = get_picture (self);
  picture->job = weir_study_job_ref (self->job);
  picture->figures = (const char *const *) g_strdupv (self->titles);
  picture->chosen = self->chosen != NULL ? g_memdup2 (self->chosen, self->n * sizeof (gboolean))
                                         : NULL;
  picture->cancel = &drawing->is_stale;
  drawing->number = self->n_drawings;
  drawing->chart = weir_chart_new ();
  return drawing;
}

static void
drawing_free (gpointer data)
{
  Drawing *drawing = data;

  weir_study_job_unref (drawing->picture.job);
  g_strfreev ((GStrv) drawing->picture.figures);
  g_free ((gboolean *) drawing->picture.chosen);
  weir_chart_free (drawing->chart);
  g_free (drawing->words);
  g_free (drawing->said_chosen);
  g_free (drawing);
}

/* Thread: *any*. */
static void
drawing_make (Drawing *drawing)
{
  drawing->words = weir_study_picture_draw (&drawing->picture, drawing->chart);
  drawing->said_chosen = weir_study_picture_say_chosen (&drawing->picture);
}

static void
make_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  drawing_make (data);
  g_task_return_boolean (task, TRUE);
}

/* What is in @drawing is seen. The cursor stays on what it was on. */
static void
show (WeirStudyPictureView *self, Drawing *drawing)
{
  WeirStudyView view = drawing->picture.view;
  WeirChart *chart = weir_chart_view_get_chart (self->chart);
  WeirChartBox cursor;
  gboolean has_cursor = weir_chart_get_cursor_box (chart, &cursor);
  g_autofree char *title = NULL;

  weir_chart_take (chart, drawing->chart);
  g_free (self->words);
  g_free (self->said_chosen);
  self->words = g_steal_pointer (&drawing->words);
  self->said_chosen = g_steal_pointer (&drawing->said_chosen);
  if (has_cursor)
    {
      weir_chart_clear_cursor (chart);
      weir_chart_put_cursor (chart, cursor.panel, (cursor.ends[0][0] + cursor.ends[0][1]) / 2,
                             (cursor.ends[1][0] + cursor.ends[1][1]) / 2);
    }
  title = is_of_figure (view) && self->titles[0] != NULL
              ? g_strdup_printf ("%s: %s", weir_study_view_get_title (view),
                                 self->titles[drawing->picture.figure])
              : g_strdup (weir_study_view_get_title (view));
  weir_chart_view_set_title (self->chart, title);
  gtk_widget_set_opacity (GTK_WIDGET (self->chart), 1);
  weir_chart_view_changed (self->chart);
  g_signal_emit (self, signals[SIGNAL_DRAWN], 0);
}

static void make (WeirStudyPictureView *self);

/* Where another was asked for meanwhile it is made instead. */
static void
made (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirStudyPictureView *self = WEIR_STUDY_PICTURE_VIEW (source);
  Drawing *drawing = g_task_get_task_data (G_TASK (result));

  self->drawing = NULL;
  if (self->job == NULL)
    return;
  if (drawing->number == self->n_drawings)
    show (self, drawing);
  else if (self->n > AT_ONCE)
    make (self);
}

static void
make (WeirStudyPictureView *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, made, NULL);

  self->drawing = drawing_new (self);
  g_task_set_task_data (task, self->drawing, drawing_free);
  g_task_run_in_thread (task, make_in_thread);
}

static void
draw (WeirStudyPictureView *self)
{
  if (self->is_filling || self->job == NULL || self->kinds->len == 0)
    return;
  show_choices (self, get_picture (self).view);
  self->n_drawings++;
  if (self->n <= AT_ONCE)
    {
      Drawing *drawing = drawing_new (self);

      drawing_make (drawing);
      show (self, drawing);
      drawing_free (drawing);
    }
  else if (self->drawing == NULL)
    make (self);
  else
    g_atomic_int_set (&self->drawing->is_stale, TRUE);
}

/* Of something else: all of it, and no cursor. */
static void
draw_anew (WeirStudyPictureView *self)
{
  if (self->is_filling || self->job == NULL)
    return;
  weir_chart_fit (weir_chart_view_get_chart (self->chart));
  weir_chart_clear_cursor (weir_chart_view_get_chart (self->chart));
  if (self->n > AT_ONCE) /* until it is there */
    gtk_widget_set_opacity (GTK_WIDGET (self->chart), PALE);
  draw (self);
}

/* Of a line of parallel coordinates the name has all that it says. */
static char *
say_sample (gpointer data, guint curve, G_GNUC_UNUSED guint i, double x, double y)
{
  WeirStudyPictureView *self = data;
  const char *name = weir_chart_get_curve_name (weir_chart_view_get_chart (self->chart), curve);
  g_autofree char *at_x = weir_axis_format_value (x), *at_y = weir_axis_format_value (y);

  if (get_picture (self).view == WEIR_STUDY_PARALLEL)
    return g_strdup (name);
  return name != NULL ? g_strdup_printf ("%s: %s, %s", name, at_x, at_y)
                      : g_strdup_printf ("%s, %s", at_x, at_y);
}

/* --- Choices ---------------------------------------------------------------------------------- */

static void
set_strings (GtkDropDown *choice, const char *const *strings, guint selected)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (strings);

  gtk_drop_down_set_model (choice, G_LIST_MODEL (list));
  if (selected < g_list_model_get_n_items (G_LIST_MODEL (list)))
    gtk_drop_down_set_selected (choice, selected);
}

/* (transfer container) */
static GPtrArray *
list_paths (const WeirStudy *study)
{
  GPtrArray *paths = g_ptr_array_new_null_terminated (1, NULL, TRUE);

  for (guint i = 0; i < study->parameters->len; i++)
    g_ptr_array_add (paths, weir_study_get_parameter (study, i)->path);
  return paths;
}

/* What a second choice is of: figures, or parameters. */
static void
fill_up (WeirStudyPictureView *self)
{
  g_autoptr (GPtrArray) paths = list_paths (weir_study_job_get_study (self->job));
  gboolean is_front = get_picture (self).view == WEIR_STUDY_FRONT;

  set_strings (self->up,
               is_front ? (const char *const *) self->titles : (const char *const *) paths->pdata,
               1);
}

static void
view_chosen (WeirStudyPictureView *self)
{
  if (self->is_filling || self->job == NULL)
    return;
  self->is_filling = TRUE;
  fill_up (self);
  self->is_filling = FALSE;
  draw_anew (self);
}

static WeirStudyView
get_usual_view (const WeirStudy *study, gboolean is_second)
{
  if (study->method == WEIR_POINTS_FIT)
    return is_second ? WEIR_STUDY_RESIDUALS : WEIR_STUDY_FITTED;
  if (is_second)
    return study->signals->len > 0 ? WEIR_STUDY_OVER_TIME : WEIR_STUDY_PARALLEL;
  if (weir_study_is_search (study) || study->parameters->len == 1)
    return WEIR_STUDY_CLOUD;
  if (study->method == WEIR_POINTS_GRID && study->parameters->len == 2)
    return WEIR_STUDY_MAP;
  return weir_study_get_effect_kind (study) != WEIR_EFFECT_RANK ? WEIR_STUDY_SENSITIVITY
                                                                : WEIR_STUDY_HISTOGRAM;
}

static void
fill_views (WeirStudyPictureView *self, gboolean is_second)
{
  const WeirStudy *study = weir_study_job_get_study (self->job);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autoptr (GPtrArray) paths = list_paths (study);
  WeirStudyView usual = get_usual_view (study, is_second);
  guint selected = 0;

  self->is_filling = TRUE;
  g_array_set_size (self->kinds, 0);
  for (WeirStudyView view = 0; view < WEIR_N_STUDY_VIEWS; view++)
    if (weir_study_view_is_of (view, study))
      {
        if (view == usual)
          selected = self->kinds->len;
        g_array_append_val (self->kinds, view);
        gtk_string_list_append (list, weir_study_view_get_title (view));
      }
  gtk_drop_down_set_model (self->views, G_LIST_MODEL (list));
  if (self->kinds->len > 0)
    {
      gtk_drop_down_set_selected (self->views, selected);
      set_strings (self->shown, (const char *const *) self->titles,
                   weir_study_is_search (study) ? study->objective.place : 0);
      set_strings (self->across, (const char *const *) paths->pdata, 0);
      fill_up (self);
    }
  self->is_filling = FALSE;
}

/* --- For the page ----------------------------------------------------------------------------- */

void
weir_study_picture_view_set_job (WeirStudyPictureView *self, WeirStudyJob *job,
                                 const char *const *titles, gboolean is_second)
{
  g_clear_pointer (&self->chosen, g_free);
  g_clear_pointer (&self->job, weir_study_job_unref);
  g_strfreev (self->titles);
  self->job = weir_study_job_ref (job);
  self->n = weir_study_job_get_n_rows (job);
  self->titles = g_strdupv ((char **) titles);
  fill_views (self, is_second);
  draw_anew (self);
}

void
weir_study_picture_view_set_chosen (WeirStudyPictureView *self, const gboolean *chosen)
{
  if (self->job == NULL)
    return;
  g_free (self->chosen);
  self->n = weir_study_job_get_n_rows (self->job);
  self->chosen = g_memdup2 (chosen, (self->n + 1) * sizeof *chosen);
  draw (self);
}

void
weir_study_picture_view_find (WeirStudyPictureView *self, const WeirChartBox *box, gboolean *rows)
{
  WeirStudyPicture picture;

  if (self->job == NULL || self->kinds->len == 0)
    return;
  picture = get_picture (self);
  weir_study_picture_find (&picture, box, rows);
}

const char *
weir_study_picture_view_get_words (WeirStudyPictureView *self)
{
  return self->words != NULL ? self->words : "";
}

const char *
weir_study_picture_view_get_chosen_words (WeirStudyPictureView *self)
{
  return self->said_chosen != NULL ? self->said_chosen : "";
}

gboolean
weir_study_picture_view_is_busy (WeirStudyPictureView *self)
{
  return self->drawing != NULL;
}

static void
brushed (WeirStudyPictureView *self, gpointer box, guint how)
{
  g_signal_emit (self, signals[SIGNAL_BRUSHED], 0, box, how);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  WeirStudyPictureView *self = WEIR_STUDY_PICTURE_VIEW (object);

  self->is_filling = TRUE;
  g_clear_pointer (&self->job, weir_study_job_unref);
  G_OBJECT_CLASS (weir_study_picture_view_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  WeirStudyPictureView *self = WEIR_STUDY_PICTURE_VIEW (object);

  g_strfreev (self->titles);
  g_free (self->chosen);
  g_array_unref (self->kinds);
  g_free (self->words);
  g_free (self->said_chosen);
  G_OBJECT_CLASS (weir_study_picture_view_parent_class)->finalize (object);
}

static void
weir_study_picture_view_class_init (WeirStudyPictureViewClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[SIGNAL_BRUSHED] = g_signal_new ("brushed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
  signals[SIGNAL_DRAWN] = g_signal_new ("drawn", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

/* Named, as tests find it. */
static GtkDropDown *
choice_new (WeirStudyPictureView *self, const char *name, const char *label, GCallback chosen)
{
  GtkWidget *choice = weir_drop_down_new (gtk_string_list_new (NULL), label);

  gtk_widget_set_name (choice, name);
  g_signal_connect_swapped (choice, "notify::selected", chosen, self);
  return GTK_DROP_DOWN (choice);
}

/* What it is of: two beside each other, or more where there is room. */
static GtkWidget *
choices_new (WeirStudyPictureView *self)
{
  GtkWidget *const choices[] = { GTK_WIDGET (self->shown), GTK_WIDGET (self->across),
                                 GTK_WIDGET (self->up) };
  GtkWidget *box = gtk_flow_box_new ();

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (box), 2);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), G_N_ELEMENTS (choices));
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (box), 6);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (box), 6);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      GtkWidget *child = gtk_flow_box_child_new ();

      gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), choices[i]);
      gtk_widget_set_focusable (child, FALSE);
      gtk_flow_box_append (GTK_FLOW_BOX (box), child);
    }
  return box;
}

static void
weir_study_picture_view_init (WeirStudyPictureView *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));

  self->kinds = g_array_new (FALSE, FALSE, sizeof (WeirStudyView));
  self->views = choice_new (self, "views", _ ("What is drawn"), G_CALLBACK (view_chosen));
  self->shown = choice_new (self, "shown", _ ("Of which figure"), G_CALLBACK (draw_anew));
  self->across = choice_new (self, "across", _ ("Over which parameter"), G_CALLBACK (draw_anew));
  self->up = choice_new (self, "up", _ ("Against what"), G_CALLBACK (draw_anew));
  self->chart = WEIR_CHART_VIEW (weir_chart_view_new ());
  weir_chart_view_set_brushes (self->chart, TRUE);
  weir_chart_set_text_func (weir_chart_view_get_chart (self->chart), say_sample, self);
  g_signal_connect_swapped (self->chart, "brushed", G_CALLBACK (brushed), self);
  gtk_widget_set_size_request (GTK_WIDGET (self->chart), 260, 120);
  gtk_box_append (box, GTK_WIDGET (self->views));
  gtk_box_append (box, choices_new (self));
  gtk_box_append (box, GTK_WIDGET (self->chart));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (box));
}
