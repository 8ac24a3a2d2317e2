/* WeirAnalysisPage: the linear behaviour of the model between its analysis points, as a picture, a
 * table and sentences, followed live through edits of the model and a gain.
 *
 * Answers are made in a thread by an analyst that keeps what is still right (analyst.h): of several
 * questions the newest is asked next, and the page shows the last answer until then. Nothing is
 * computed while the page is not looked at. How it is looked at is kept with the model, as plots
 * are. Thread: *main*.
 */
#include "gui/pages/analysis-page-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "gui/host/chooser.h"
#include "gui/host/page.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "scopes/chart-view.h"
#include "scopes/scopes.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define KEPT "analysis" /* what the look is kept under (weir_model_get_plot()) */

G_DECLARE_FINAL_TYPE (WeirAnalysisPage, weir_analysis_page, WEIR, ANALYSIS_PAGE, WeirPage)

typedef enum {
  SYSTEM_BETWEEN, /* the points as they are */
  SYSTEM_OPEN,
  SYSTEM_SENSITIVITY,
  SYSTEM_CLOSED,
  N_SYSTEMS,
} System;

static const char *const system_names[N_SYSTEMS] = { "between", "open", "sensitivity", "closed" };

typedef enum {
  AT_START,
  AT_TIME,
  AT_REST,
  AT_CURSOR, /* A, of the plots */
  N_PLACES,
} Place;

static const char *const place_names[N_PLACES] = { "start", "time", "rest", "cursor" };

/* One question, with all that it borrows. */
typedef struct {
  WeirLinearQuestion question;
  GArray *saved;  /* WeirSavedPoint */
  GArray *points; /* WeirAnalysisPoint */
  GArray *wishes; /* WeirTrimWish */
  WeirAnalyst *analyst;
  gint cancel;
  WeirLinearAnswer *answer;
} Job;

/* A controller that is looked at before it is put into the model. */
typedef struct {
  guint32 block;
  WeirPid pid;
  WeirOscillation oscillation; /* that it was found by; period 0: it was not */
  WeirModel *model;            /* with it */
} Trial;

struct _WeirAnalysisPage {
  WeirPage parent;
  GtkStack *stack;
  GtkDropDown *systems, *pictures, *places, *pairs;
  GtkSpinButton *time;
  GtkScale *gain;
  GtkToggleButton *keep;
  GtkBox *chart_box;
  GtkLabel *notes, *hits, *problem, *trial_text;
  GtkWidget *trial_bar, *target_box, *apply, *design_bar;
  GtkLabel *design_text;
  GtkEntry *design_states, *design_inputs, *design_disturbances, *design_noise;
  GtkSpinButton *design_period;
  GtkSpinButton *target_margin, *target_crossover;
  GtkEntry *frequency, *sample_time, *prewarp;
  GtkDropDown *sampling;
  GtkWidget *sample_bar;
  GtkGrid *figures;
  GtkPopover *fixed_popover;
  GtkWidget *fixed;
  WeirChartView *view;

  WeirAnalyst *analyst;    /* the thread's while there is a job */
  Job *job;                /* under way; its task owns it */
  gint *tuning_cancel;     /* of a tuning under way, which owns it; NULL: there is none */
  Trial *trial;            /* a tuning that is shown and not made; NULL: there is none */
  WeirTuning tuning;       /* the last that was asked for */
  guint32 tuned_block;     /* of which block */
  gint *check_cancel;      /* the same of a check by simulation */
  WeirCheck *check;        /* of what is shown; NULL: there is none */
  gboolean is_asked_again; /* meanwhile */
  gboolean designs_by_poles;
  gboolean is_design_wanted, is_put_in_wanted; /* the same: fields of a design, its blocks */
  gboolean is_check_wanted;                    /* once there is an answer to what is asked */
  WeirLinearAnswer *answer;                    /* the last; NULL */
  WeirLinearAnswer *former;                    /* kept to compare with; NULL */
  GArray *shown;                               /* WeirFigure: those in the table */
  gboolean is_flipped;                         /* of the last answer */
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (WeirAnalysisPage, weir_analysis_page, WEIR_TYPE_PAGE)

static WeirModel *
get_model (WeirAnalysisPage *self)
{
  return weir_document_get_model (self->parent.document);
}

static WeirPicture
get_picture (WeirAnalysisPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->pictures);

  return selected < WEIR_N_PICTURES ? (WeirPicture) selected : WEIR_PICTURE_BODE;
}

static System
get_system (WeirAnalysisPage *self)
{
  guint selected = gtk_drop_down_get_selected (self->systems);

  return selected < N_SYSTEMS ? (System) selected : SYSTEM_BETWEEN;
}

static double
get_gain (WeirAnalysisPage *self)
{
  return pow (10, gtk_range_get_value (GTK_RANGE (self->gain)));
}

/* --- The table -------------------------------------------------------------------------------- */

static void
add_cell (WeirAnalysisPage *self, int column, int row, const WeirFigure *figure, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  if (figure->is_head)
    gtk_widget_add_css_class (label, "caption-heading");
  else
    gtk_widget_add_css_class (label, column == 1 ? "numeric" : "dim-label");
  if (figure->full != NULL)
    weir_set_tooltip (label, figure->full);
  gtk_grid_attach (self->figures, label, column, row, figure->is_head ? 4 : 1, 1);
}

/* The row of that name among those of before, as often as it has come up to @row. NULL: none. */
static const WeirFigure *
find_former (const GArray *former, const GArray *figures, guint row)
{
  const char *name = g_array_index (figures, WeirFigure, row).name;
  guint n = 0;

  for (guint i = 0; i < row; i++)
    n += g_str_equal (g_array_index (figures, WeirFigure, i).name, name);
  for (guint i = 0; former != NULL && i < former->len; i++)
    if (g_str_equal (g_array_index (former, WeirFigure, i).name, name) && n-- == 0)
      return &g_array_index (former, WeirFigure, i);
  return NULL;
}

/* What it is now, and beside it what it was. */
static void
show_former_head (WeirAnalysisPage *self)
{
  const WeirFigure none = { 0 };

  add_cell (self, 1, 0, &none, self->trial != NULL ? _ ("Previewed") : _ ("Now"));
  add_cell (self, 2, 0, &none, _ ("Before"));
}

/* A number above 0 that is typed; 0: nothing, or something else, which the field then shows. */
static double
read_entry (GtkEntry *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autofree char *typed = g_strstrip (g_strdup (text));
  char *end = NULL;
  double value = g_ascii_strtod (typed, &end);
  gboolean is_fine = *end == '\0' && isfinite (value) && value > 0;

  if (is_fine || *typed == '\0')
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
      is_fine || *typed == '\0' ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE, -1);
  return is_fine ? value : 0;
}

static WeirDesignTexts
get_design_texts (WeirAnalysisPage *self)
{
  return (WeirDesignTexts) {
    .by_poles = self->designs_by_poles,
    .states = gtk_editable_get_text (GTK_EDITABLE (self->design_states)),
    .inputs = gtk_editable_get_text (GTK_EDITABLE (self->design_inputs)),
    .disturbances = gtk_editable_get_text (GTK_EDITABLE (self->design_disturbances)),
    .noise = gtk_editable_get_text (GTK_EDITABLE (self->design_noise)),
    .period = gtk_spin_button_get_value (self->design_period),
  };
}

/* What the fields of a design come to, while they are open; NULL: nothing, as yet. (transfer full)
 */
static WeirController *
make_controller (WeirAnalysisPage *self)
{
  const WeirDesignTexts texts = get_design_texts (self);

  return gtk_widget_get_visible (self->design_bar) && get_system (self) == SYSTEM_BETWEEN
             ? weir_design_make_controller (self->answer->loop, &texts, NULL)
             : NULL;
}

static void
show_figures (WeirAnalysisPage *self)
{
  g_autoptr (GArray) former = NULL;
  g_autoptr (WeirController) controller = NULL;
  WeirFigureSources sources = { .check = self->check, .omega = read_entry (self->frequency) };
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->figures))) != NULL)
    gtk_grid_remove (self->figures, child);
  g_clear_pointer (&self->shown, g_array_unref);
  if (self->answer == NULL)
    return;
  controller = make_controller (self);
  sources.controller = controller;
  if (self->trial != NULL)
    {
      sources.pid = &self->trial->pid;
      sources.oscillation = self->trial->oscillation.period > 0 ? &self->trial->oscillation : NULL;
    }
  self->shown = weir_answer_list_figures (self->answer, sources);
  if (self->former != NULL)
    {
      former = weir_answer_list_figures (self->former,
                                         (WeirFigureSources) { .omega = sources.omega });
      show_former_head (self);
    }
  for (guint i = 0; i < self->shown->len; i++)
    {
      const WeirFigure *figure = &g_array_index (self->shown, WeirFigure, i);

      const WeirFigure *was = find_former (former, self->shown, i);
      int row = (int) i + 1;

      add_cell (self, 0, row, figure, figure->name);
      if (figure->is_head)
        continue;
      add_cell (self, 1, row, figure, figure->value);
      if (was != NULL && was->value != NULL)
        add_cell (self, 2, row, was, was->value);
      if (figure->at != NULL)
        add_cell (self, 3, row, figure, figure->at);
    }
}

static void
show_notes (WeirAnalysisPage *self)
{
  g_autoptr (GPtrArray) notes = weir_answer_list_notes (self->answer, self->is_flipped);
  g_autofree char *hits = g_strdup_printf (
      /* Translators: stages of an analysis. */
      _ ("%u computed, %u kept from before"), self->answer->n_misses, self->answer->n_hits);
  g_autofree char *text = NULL;

  g_ptr_array_add (notes, NULL);
  text = g_strjoinv ("\n", (char **) notes->pdata);
  gtk_label_set_text (self->notes, text);
  gtk_widget_set_visible (GTK_WIDGET (self->notes), *text != '\0');
  gtk_label_set_text (self->hits, hits);
}

/* --- The picture ------------------------------------------------------------------------------ */

static void
show_problem (WeirAnalysisPage *self, const char *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->view), text == NULL);
}

static void
show_picture (WeirAnalysisPage *self)
{
  WeirPicture picture = get_picture (self);
  const char *why = NULL;

  if (self->answer == NULL)
    return;
  weir_picture_fill (picture, weir_chart_view_get_chart (self->view), self->answer,
                     (WeirBeside) { self->former, self->check }, &why);
  show_problem (self, why);
  weir_chart_view_set_title (self->view, weir_picture_get_title (picture));
  weir_chart_view_set_grabs (self->view, picture == WEIR_PICTURE_LOCUS);
  weir_chart_view_changed (self->view);
}

static char *
dup_cursor_text (gpointer data, guint curve, guint i, double x, double y)
{
  WeirAnalysisPage *self = data;

  return self->answer != NULL
             ? weir_picture_dup_text (get_picture (self), self->answer, curve, i, x, y)
             : NULL;
}

/* --- Asking ----------------------------------------------------------------------------------- */

static void
job_free (gpointer data)
{
  Job *self = data;

  g_clear_pointer (&self->question.system, weir_system_unref);
  g_array_unref (self->saved);
  g_array_unref (self->points);
  g_array_unref (self->wishes);
  g_clear_pointer (&self->answer, weir_linear_answer_free);
  g_free (self);
}

static void
add_point (Job *job, const char *path, WeirPointKinds kinds)
{
  WeirAnalysisPoint point = { path, kinds };

  g_array_append_val (job->points, point);
}

/* The signal that L, S and T are of: where the loop is opened, else the first that is marked. */
static const WeirSavedPoint *
find_loop_point (const GArray *saved)
{
  for (guint i = 0; i < saved->len; i++)
    {
      const WeirSavedPoint *point = &g_array_index (saved, WeirSavedPoint, i);
      WeirPointKinds kinds = 0;

      if (weir_point_kinds_parse (point->words, &kinds) && (kinds & WEIR_POINT_BREAK) != 0)
        return point;
    }
  return saved->len > 0 ? &g_array_index (saved, WeirSavedPoint, 0) : NULL;
}

static void
choose_points (WeirAnalysisPage *self, Job *job)
{
  static const WeirPointKinds kinds_of[N_SYSTEMS] = { 0, WEIR_POINT_LOOP, WEIR_POINT_SENSITIVITY,
                                                      WEIR_POINT_COMPLEMENTARY };
  System system = get_system (self);
  const WeirSavedPoint *of_loop = find_loop_point (job->saved);

  job->question.is_loop = system == SYSTEM_OPEN;
  job->question.is_flipped = system == SYSTEM_OPEN || system == SYSTEM_CLOSED;
  if (system != SYSTEM_BETWEEN)
    add_point (job, of_loop->path, kinds_of[system]);
  for (guint i = 0; system == SYSTEM_BETWEEN && i < job->saved->len; i++)
    {
      const WeirSavedPoint *point = &g_array_index (job->saved, WeirSavedPoint, i);
      WeirPointKinds kinds = 0;

      if (weir_point_kinds_parse (point->words, &kinds))
        add_point (job, point->path, kinds);
    }
  job->question.points = (const WeirAnalysisPoint *) (gpointer) job->points->data;
  job->question.n_points = job->points->len;
}

/* What the table tells of in any case. */
#define STAGES_OF_FIGURES (1u << WEIR_STAGE_STEP | 1u << WEIR_STAGE_NORMS)

/* Where the fields of samples are open and say how. */
static void
set_samples (WeirAnalysisPage *self, WeirLinearQuestion *question)
{
  double period = read_entry (self->sample_time), prewarp = read_entry (self->prewarp);

  if (!gtk_widget_get_visible (self->sample_bar))
    return;
  question->period = period;
  question->sampling = (WeirSampling) MIN (gtk_drop_down_get_selected (self->sampling),
                                           WEIR_N_SAMPLINGS - 1);
  if (question->sampling == WEIR_SAMPLING_TUSTIN && prewarp * period < G_PI)
    question->prewarp = prewarp;
}

static Place
get_place (WeirAnalysisPage *self)
{
  return (Place) MIN (gtk_drop_down_get_selected (self->places), N_PLACES - 1);
}

/* s; NAN: the cursor that is asked for stands nowhere. */
static double
get_time (WeirAnalysisPage *self)
{
  switch (get_place (self))
    {
    case AT_TIME:
      return gtk_spin_button_get_value (self->time);
    case AT_CURSOR:
      return weir_scopes_read_kept_cursor (get_model (self), 0);
    case AT_START:
    case AT_REST:
    case N_PLACES:
    default:
      return 0;
    }
}

static Job *
job_new (WeirAnalysisPage *self, WeirSystem *system, GArray *saved)
{
  Job *job = g_new0 (Job, 1);
  double time = get_time (self);
  guint pair = gtk_drop_down_get_selected (self->pairs);
  guint n_inputs = self->answer != NULL ? self->answer->loop->inputs->len : 1;

  job->saved = saved;
  job->points = g_array_new (FALSE, FALSE, sizeof (WeirAnalysisPoint));
  job->analyst = self->analyst;
  job->question.system = system;
  weir_model_get_run_settings (get_model (self), &job->question.options, NULL);
  /* Of the model, which may go before the thread is done. */
  job->question.options.solver = g_intern_string (job->question.options.solver);
  job->question.at = isnan (time) ? 0 : time;
  job->question.trims = get_place (self) == AT_REST;
  job->wishes = weir_trim_list_wishes (get_model (self));
  job->question.wishes = (const WeirTrimWish *) (gpointer) job->wishes->data;
  job->question.n_wishes = job->wishes->len;
  job->question.gain = get_gain (self);
  job->question.wanted = weir_picture_get_wanted (get_picture (self)) | STAGES_OF_FIGURES;
  set_samples (self, &job->question);
  job->question.output = pair != GTK_INVALID_LIST_POSITION ? pair / MAX (n_inputs, 1) : 0;
  job->question.input = pair != GTK_INVALID_LIST_POSITION ? pair % MAX (n_inputs, 1) : 0;
  job->question.cancel = &job->cancel;
  choose_points (self, job);
  return job;
}

static void ask (WeirAnalysisPage *self);
static void begin_check (WeirAnalysisPage *self);
static void begin_design (WeirAnalysisPage *self);
static void apply_design (WeirAnalysisPage *self);

/* What was simulated is of another model, gain or signal. */
static void
drop_check (WeirAnalysisPage *self)
{
  if (self->check_cancel != NULL)
    g_atomic_int_set (self->check_cancel, 1);
  self->check_cancel = NULL;
  self->is_check_wanted = FALSE;
  if (self->check == NULL)
    return;
  g_clear_pointer (&self->check, weir_check_free);
  show_figures (self);
  show_picture (self);
}

static void
run_job (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
         G_GNUC_UNUSED GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  job->answer = weir_analyst_ask (job->analyst, &job->question, &error);
  if (job->answer != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Of several inputs or outputs: which is looked at. */
static void
show_pairs (WeirAnalysisPage *self)
{
  const WeirLoop *loop = self->answer->loop;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n = loop->inputs->len * loop->outputs->len;

  gtk_widget_set_visible (GTK_WIDGET (self->pairs), n > 1);
  if (n == g_list_model_get_n_items (gtk_drop_down_get_model (self->pairs)))
    return;
  for (guint o = 0; o < loop->outputs->len; o++)
    for (guint i = 0; i < loop->inputs->len; i++)
      {
        g_autofree char *name = g_strdup_printf ("%s → %s", (char *) loop->inputs->pdata[i],
                                                 (char *) loop->outputs->pdata[o]);

        gtk_string_list_append (names, name);
      }
  self->is_updating = TRUE;
  gtk_drop_down_set_model (self->pairs, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->pairs, 0);
  self->is_updating = FALSE;
}

static void
take_answer (WeirAnalysisPage *self, Job *job)
{
  g_clear_pointer (&self->answer, weir_linear_answer_free);
  self->answer = g_steal_pointer (&job->answer);
  self->is_flipped = job->question.is_flipped;
  show_pairs (self);
  show_figures (self);
  show_notes (self);
  show_picture (self);
}

static void
answered (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirAnalysisPage *self = WEIR_ANALYSIS_PAGE (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  self->job = NULL;
  if (self->parent.host == NULL)
    return;
  if (done)
    take_answer (self, job);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_pointer (&self->answer, weir_linear_answer_free);
      show_figures (self);
      gtk_label_set_text (self->notes, "");
      gtk_label_set_text (self->hits, "");
      show_problem (self, weir_error_say (error));
    }
  if (self->is_asked_again)
    ask (self);
  else if (self->is_design_wanted)
    begin_design (self);
  else if (self->is_put_in_wanted)
    apply_design (self);
  else if (self->is_check_wanted && self->answer != NULL)
    begin_check (self);
}

/* What is under way is done for nobody once the model or the points are others; a gain that moves
 * gets each answer that comes. */
static void
begin (gpointer data)
{
  WeirAnalysisPage *self = data;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (GTask) task = NULL;
  GArray *saved;

  if (self->parent.host == NULL || self->job != NULL)
    return;
  saved = weir_model_list_points (get_model (self));
  if (saved->len == 0)
    {
      gtk_stack_set_visible_child_name (self->stack, "empty");
      g_array_unref (saved);
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "content");
  if (isnan (get_time (self)))
    {
      show_problem (self, _ ("Cursor A stands nowhere: press A in a plot, or choose another "
                             "operating point."));
      g_array_unref (saved);
      return;
    }
  if (self->trial != NULL)
    {
      diagnostics = weir_diagnostics_new ();
      system = weir_model_complete (self->trial->model, diagnostics);
    }
  else
    weir_document_peek_completion (self->parent.document, &system, &diagnostics);
  if (system == NULL)
    {
      show_problem (self, _ ("The model has errors: Problems lists them."));
      g_array_unref (saved);
      return;
    }
  self->is_asked_again = FALSE;
  self->job = job_new (self, g_steal_pointer (&system), saved);
  task = g_task_new (self, NULL, answered, NULL);
  g_task_set_task_data (task, self->job, job_free);
  g_task_run_in_thread (task, run_job);
}

/* Only while somebody looks. */
static void
ask (WeirAnalysisPage *self)
{
  if (self->parent.host == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->is_asked_again = TRUE;
  if (self->job == NULL)
    weir_document_when_completed (self->parent.document, begin, self);
}

static void
trial_free (Trial *self)
{
  weir_model_unref (self->model);
  g_free (self);
}

static void
drop_trial (WeirAnalysisPage *self)
{
  g_clear_pointer (&self->trial, trial_free);
  gtk_widget_set_visible (self->trial_bar, FALSE);
}

static void
document_changed (WeirAnalysisPage *self, WeirAspects aspects)
{
  const WeirAspects looks = WEIR_ASPECTS_OF_LOOKS;

  if ((aspects & ~looks) == 0)
    {
      /* Where the cursor stands, and what is fixed at rest, are kept with looks. */
      if ((aspects & WEIR_ASPECT_PLOTS) != 0
          && (get_place (self) == AT_CURSOR || get_place (self) == AT_REST))
        ask (self);
      return;
    }
  drop_trial (self);
  drop_check (self);
  if (self->job != NULL && (aspects & ~(looks | WEIR_ASPECT_PARAMETERS)) != 0)
    g_atomic_int_set (&self->job->cancel, 1);
  ask (self);
}

/* --- How it is looked at ---------------------------------------------------------------------- */

static void
keep_look (WeirAnalysisPage *self)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  guint place = gtk_drop_down_get_selected (self->places);
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strdup_printf (
      "%s %s %s %s", weir_picture_get_name (get_picture (self)), system_names[get_system (self)],
      place_names[place < N_PLACES ? place : AT_START],
      g_ascii_dtostr (time, sizeof time, gtk_spin_button_get_value (self->time)));

  weir_patch_set_plot (patch, KEPT, text);
  weir_document_edit (self->parent.document, patch, "", NULL, NULL); /* no step: no label */
}

/* @self: the rest of the word list begins with what is chosen. */
static guint
find_word (const char *word, const char *const *words, guint n, guint fallback)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return i;
  return fallback;
}

static void
show_place (WeirAnalysisPage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->time), get_place (self) == AT_TIME);
  gtk_widget_set_visible (self->fixed, get_place (self) == AT_REST);
}

/* The table is made anew each time: the model may be another. */
static void
show_fixed (WeirAnalysisPage *self)
{
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;

  weir_document_peek_completion (self->parent.document, &system, &diagnostics);
  gtk_popover_set_child (self->fixed_popover,
                         system != NULL
                             ? weir_trim_table_new (self->parent.document, system, self->answer)
                             : gtk_label_new (_ ("The model has errors: Problems lists them.")));
}

/* As the model says; of a model that says nothing: the loop, if one signal is opened and watched.
 */
static void
take_look (WeirAnalysisPage *self)
{
  const char *text = weir_model_get_plot (get_model (self), KEPT);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);
  guint n = g_strv_length (words);
  guint picture = WEIR_PICTURE_BODE;

  for (guint i = 0; n > 0 && i < WEIR_N_PICTURES; i++)
    if (g_str_equal (words[0], weir_picture_get_name ((WeirPicture) i)))
      picture = i;
  self->is_updating = TRUE;
  gtk_drop_down_set_selected (self->pictures, picture);
  gtk_drop_down_set_selected (
      self->systems, find_word (n > 1 ? words[1] : NULL, system_names, N_SYSTEMS, SYSTEM_OPEN));
  gtk_drop_down_set_selected (self->places,
                              find_word (n > 2 ? words[2] : NULL, place_names, N_PLACES, AT_START));
  if (n > 3)
    gtk_spin_button_set_value (self->time, g_ascii_strtod (words[3], NULL));
  show_place (self);
  self->is_updating = FALSE;
}

static void
picture_changed (WeirAnalysisPage *self)
{
  if (self->is_updating || self->parent.host == NULL)
    return;
  show_place (self);
  weir_chart_fit (weir_chart_view_get_chart (self->view));
  keep_look (self);
  /* What is still to be computed for it comes with the answer. */
  if ((weir_picture_get_wanted (get_picture (self)) & ~STAGES_OF_FIGURES) == 0)
    show_picture (self);
  ask (self);
}

static void
choice_changed (WeirAnalysisPage *self)
{
  if (!self->is_updating)
    drop_check (self);
  if (get_system (self) != SYSTEM_BETWEEN)
    gtk_widget_set_visible (self->design_bar, FALSE);
  picture_changed (self);
}

/* Simulated sines are of the model, without the gain; a step of its closed loop is not. */
static void
gain_changed (WeirAnalysisPage *self)
{
  if (self->is_updating)
    return;
  if (self->check != NULL && self->check->is_step)
    drop_check (self);
  ask (self);
}

static void
locus_grabbed (WeirAnalysisPage *self, double x, double y)
{
  double gain;

  if (self->answer == NULL || self->answer->locus == NULL)
    return;
  gain = weir_locus_find_gain (self->answer->locus, x, y);
  if (gain > 0)
    gtk_range_set_value (GTK_RANGE (self->gain), log10 (gain));
}

static char *
format_gain (G_GNUC_UNUSED GtkScale *scale, double value, G_GNUC_UNUSED gpointer data)
{
  return g_strdup_printf ("%.4g", pow (10, value));
}

static void
keep_toggled (WeirAnalysisPage *self)
{
  g_clear_pointer (&self->former, weir_linear_answer_free);
  if (gtk_toggle_button_get_active (self->keep))
    {
      self->former = g_steal_pointer (&self->answer);
      ask (self);
    }
  else
    {
      show_figures (self);
      show_picture (self);
    }
}

/* --- Elsewhere -------------------------------------------------------------------------------- */

static void
copy_text (WeirAnalysisPage *self, char *text)
{
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  weir_host_toast (self->parent.host, text != NULL
                                          ? _ ("Copied")
                                          : _ ("There are delays or several rates: a transfer "
                                               "function of finite order does not say it all."));
  g_free (text);
}

static void
copy_figures (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter, gpointer data)
{
  WeirAnalysisPage *self = data;

  if (self->shown != NULL)
    copy_text (self, weir_figures_dup_text (self->shown));
}

static void
copy_matrices (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter,
               gpointer data)
{
  WeirAnalysisPage *self = data;

  if (self->answer != NULL)
    copy_text (self, weir_linear_dup_csv (self->answer->linear));
}

static void
save_matrices_to (gpointer data, GFile *file)
{
  WeirAnalysisPage *self = data;
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (self->answer == NULL)
    return;
  if (weir_text_has_ending (name, (const char *const[]) { "mat", NULL }))
    bytes = weir_linear_to_mat (self->answer->loop->linear);
  else
    {
      char *text = weir_linear_dup_csv (self->answer->loop->linear);

      bytes = g_bytes_new_take (text, strlen (text));
    }
  if (weir_file_write_to (file, bytes, &error))
    weir_host_toast (self->parent.host, _ ("Matrices saved"));
  else
    weir_host_toast (self->parent.host, weir_error_say (error));
}

/* Of all inputs and outputs, no sign turned. */
static void
save_matrices (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter,
               gpointer data)
{
  WeirAnalysisPage *self = data;

  const WeirFileFilter kinds[] = {
    { _ ("Tables: CSV"), (const char *const[]) { "csv", NULL } },
    { _ ("MAT Files: MATLAB, Octave, SciPy"), (const char *const[]) { "mat", NULL } },
    { NULL, NULL },
  };

  if (self->answer != NULL)
    weir_ask_for_file (self->parent.host,
                       &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                             .title = _ ("Save A, B, C and D"),
                                             .accept = _ ("_Save"),
                                             .kinds = kinds,
                                             .name = "matrices.csv" },
                       save_matrices_to, self, NULL);
}

static void
copy_transfer_function (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter,
                        gpointer data)
{
  WeirAnalysisPage *self = data;

  if (self->answer != NULL)
    copy_text (self, weir_answer_dup_transfer_function (self->answer));
}

/* --- Check by simulation ---------------------------------------------------------------------- */

typedef struct {
  WeirCheckQuestion *question;
  WeirCheck *check;
  gint cancel;
} Checking;

static void
checking_free (gpointer data)
{
  Checking *self = data;

  weir_check_question_free (self->question);
  weir_check_free (self->check);
  g_free (self);
}

static void
run_checking (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
              G_GNUC_UNUSED GCancellable *cancellable)
{
  Checking *checking = data;
  GError *error = NULL;

  checking->check = weir_check_new (checking->question, &checking->cancel, &error);
  if (checking->check != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
checked (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirAnalysisPage *self = WEIR_ANALYSIS_PAGE (source);
  Checking *checking = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  if (self->parent.host == NULL || self->check_cancel != &checking->cancel)
    return;
  self->check_cancel = NULL;
  show_notes (self);
  if (!done)
    {
      weir_host_toast (self->parent.host, weir_error_say (error));
      return;
    }
  self->check = g_steal_pointer (&checking->check);
  show_figures (self);
  show_picture (self);
}

static void
begin_check (WeirAnalysisPage *self)
{
  g_autoptr (GTask) task = NULL;
  Checking *checking;
  WeirCheckQuestion *question;
  const char *why = NULL;
  Job *job;

  self->is_check_wanted = FALSE;
  drop_check (self);
  job = job_new (self, NULL, weir_model_list_points (get_model (self)));
  if (job->question.period > 0)
    {
      weir_host_toast (self->parent.host,
                       _ ("The model runs as it is: close the samples to check it."));
      job_free (job);
      return;
    }
  question = weir_check_question_new (self->trial != NULL ? self->trial->model : get_model (self),
                                      &job->question, get_system (self) != SYSTEM_BETWEEN,
                                      self->answer, get_picture (self) == WEIR_PICTURE_STEP, &why);
  job_free (job);
  if (question == NULL)
    {
      weir_host_toast (self->parent.host, why);
      return;
    }
  gtk_label_set_text (self->hits, _ ("Simulating…"));
  checking = g_new0 (Checking, 1);
  checking->question = question;
  self->check_cancel = &checking->cancel;
  task = g_task_new (self, NULL, checked, NULL);
  g_task_set_task_data (task, checking, checking_free);
  g_task_run_in_thread (task, run_checking);
}

static void
check_by_simulation (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter,
                     gpointer data)
{
  WeirAnalysisPage *self = data;

  drop_check (self);
  self->is_check_wanted = self->answer == NULL || self->job != NULL || self->is_asked_again;
  if (!self->is_check_wanted)
    begin_check (self);
}

/* --- Tuning ----------------------------------------------------------------------------------- */

typedef struct {
  WeirTuning tuning;
  WeirModel *model;
  guint32 block;
  WeirTarget target;
  WeirPid pid;
  WeirOscillation oscillation;
  gint cancel;
} Tuning;

static void
tuning_free (gpointer data)
{
  weir_model_unref (((Tuning *) data)->model);
  g_free (data);
}

static void
run_tuning (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
            G_GNUC_UNUSED GCancellable *cancellable)
{
  Tuning *tuning = data;
  GError *error = NULL;

  if (weir_tuning_compute (tuning->tuning, tuning->model, tuning->block, &tuning->target,
                           &tuning->cancel, &tuning->pid, &tuning->oscillation, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* What is drawn stays beneath what comes; while targets move, what was drawn at first. */
static void
keep_present (WeirAnalysisPage *self)
{
  if (self->trial != NULL && self->former != NULL)
    return;
  gtk_toggle_button_set_active (self->keep, FALSE);
  gtk_toggle_button_set_active (self->keep, TRUE);
}

static void begin_tuning (WeirAnalysisPage *self);

/* With nothing to apply targets can still be changed. */
static void
show_bar (WeirAnalysisPage *self, const char *text)
{
  gtk_label_set_text (self->trial_text, text);
  gtk_widget_set_sensitive (self->apply, self->trial != NULL);
  gtk_widget_set_visible (self->target_box, weir_tuning_has_target (self->tuning));
  gtk_widget_set_visible (self->trial_bar, TRUE);
}

static void
show_trial (WeirAnalysisPage *self, const Tuning *tuning, WeirModel *model)
{
  g_autofree char *text = g_strdup_printf (_ ("Kp %.4g, Ti %.4g s, Td %.4g s"), tuning->pid.kp,
                                           tuning->pid.ti, tuning->pid.td);
  Trial *trial = g_new0 (Trial, 1);

  keep_present (self);
  g_clear_pointer (&self->trial, trial_free);
  *trial = (Trial) { tuning->block, tuning->pid, tuning->oscillation, weir_model_ref (model) };
  self->trial = trial;
  drop_check (self);
  show_bar (self, text);
  ask (self);
}

static void
show_failure (WeirAnalysisPage *self, const char *text)
{
  if (!weir_tuning_has_target (self->tuning))
    {
      weir_host_toast (self->parent.host, text);
      return;
    }
  g_clear_pointer (&self->trial, trial_free);
  show_bar (self, text);
  ask (self);
}

/* Of an edit meanwhile the model is another: nothing is shown of it. */
static void
tuned (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirAnalysisPage *self = WEIR_ANALYSIS_PAGE (source);
  Tuning *tuning = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  g_autoptr (WeirPatch) patch = NULL;
  g_autoptr (WeirModel) model = NULL;

  self->tuning_cancel = NULL;
  if (self->parent.host == NULL)
    return;
  if (!done || weir_model_find_block (get_model (self), tuning->block, NULL) == NULL)
    {
      show_failure (self, done ? _ ("The PID block is gone.") : weir_error_say (error));
      done = FALSE;
    }
  patch = done ? weir_tuning_make_patch (get_model (self), tuning->block, &tuning->pid) : NULL;
  model = done ? weir_model_apply (get_model (self), patch, NULL, &error) : NULL;
  if (model != NULL)
    show_trial (self, tuning, model);
  else if (done)
    show_failure (self, weir_error_say (error));
  if (weir_tuning_has_target (tuning->tuning)
      && (tuning->target.margin != gtk_spin_button_get_value (self->target_margin)
          || tuning->target.crossover != gtk_spin_button_get_value (self->target_crossover)))
    begin_tuning (self);
}

static void
begin_tuning (WeirAnalysisPage *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, tuned, NULL);
  Tuning *tuning = g_new0 (Tuning, 1);

  tuning->tuning = self->tuning;
  tuning->model = weir_model_ref (get_model (self));
  tuning->block = self->tuned_block;
  tuning->target = (WeirTarget) { gtk_spin_button_get_value (self->target_margin),
                                  gtk_spin_button_get_value (self->target_crossover) };
  self->tuning_cancel = &tuning->cancel;
  g_task_set_task_data (task, tuning, tuning_free);
  g_task_run_in_thread (task, run_tuning);
}

/* What the loop has is where asking begins. */
static void
suggest_target (WeirAnalysisPage *self)
{
  const WeirMargins *m = self->answer != NULL ? self->answer->margins : NULL;

  self->is_updating = TRUE;
  if (m != NULL && m->phase.omega > 0)
    gtk_spin_button_set_value (self->target_crossover, m->phase.omega);
  self->is_updating = FALSE;
}

static void
tune (G_GNUC_UNUSED GSimpleAction *action, GVariant *parameter, gpointer data)
{
  WeirAnalysisPage *self = data;
  WeirTuning which = WEIR_TUNING_SIMC_PI;
  guint32 block = weir_tuning_find_block (get_model (self),
                                          weir_canvas_get_selected_block (self->parent.canvas));

  if (!weir_tuning_find (g_variant_get_string (parameter, NULL), &which)
      || self->tuning_cancel != NULL)
    return;
  if (block == 0)
    {
      weir_host_toast (self->parent.host, _ ("Select the PID block that is to be tuned."));
      return;
    }
  if (weir_tuning_has_target (which) && self->trial == NULL)
    suggest_target (self);
  gtk_widget_set_visible (self->design_bar, FALSE);
  self->tuning = which;
  self->tuned_block = block;
  begin_tuning (self);
}

/* Newest wins: what is under way is looked at again when it is done. */
static void
target_changed (WeirAnalysisPage *self)
{
  if (!self->is_updating && self->tuning_cancel == NULL)
    begin_tuning (self);
}

/* One step of undo; what was stays drawn beneath it. */
static void
apply_trial (WeirAnalysisPage *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPatch) patch = NULL;
  g_autofree char *text = NULL;

  if (self->trial == NULL)
    return;
  patch = weir_tuning_make_patch (get_model (self), self->trial->block, &self->trial->pid);
  text = g_strdup_printf (_ ("Tuned: Kp %.4g, Ti %.4g s, Td %.4g s"), self->trial->pid.kp,
                          self->trial->pid.ti, self->trial->pid.td);
  drop_trial (self);
  if (weir_document_edit (self->parent.document, patch, _ ("Tune Controller"), NULL, &error))
    weir_host_offer_undo (self->parent.host, text);
  else
    weir_host_toast (self->parent.host, weir_error_say (error));
}

static void
discard_trial (WeirAnalysisPage *self)
{
  drop_trial (self);
  gtk_toggle_button_set_active (self->keep, FALSE);
  ask (self);
}

/* --- Controllers of states -------------------------------------------------------------------- */

static void
set_field (GtkEntry *entry, const char *title, const char *text)
{
  GtkWidget *caption = gtk_widget_get_prev_sibling (GTK_WIDGET (entry));

  gtk_widget_set_visible (gtk_widget_get_parent (gtk_widget_get_parent (GTK_WIDGET (entry))),
                          title != NULL);
  if (title == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (caption), title);
  weir_set_tooltip (GTK_WIDGET (entry), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

/* What is between the points is what is fed back to: they are shown first. */
static void
begin_design (WeirAnalysisPage *self)
{
  g_autoptr (GPtrArray) each = NULL;
  g_autofree char *states = NULL;
  g_autofree char *text = NULL;

  self->is_design_wanted = FALSE;
  if (self->answer == NULL)
    {
      weir_host_toast (self->parent.host,
                       _ ("Mark where the controller is to act (I), and what it sees (O)."));
      return;
    }
  each = weir_design_list_states (self->answer->loop);
  states = g_strjoinv (", ", (char **) each->pdata);
  text = g_strdup_printf (_ ("Controller of the states %s"), states);
  gtk_label_set_text (self->design_text, text);
  set_field (self->design_states,
             self->designs_by_poles ? _ ("Poles of the loop") : _ ("Weights of the states"),
             self->designs_by_poles ? "" : "1");
  set_field (self->design_inputs, self->designs_by_poles ? NULL : _ ("Weights of the inputs"), "1");
  set_field (self->design_disturbances,
             self->designs_by_poles ? _ ("Poles of the observer")
                                    : _ ("Disturbances of the states"),
             self->designs_by_poles ? "" : "1");
  set_field (self->design_noise, self->designs_by_poles ? NULL : _ ("Noise of the outputs"),
             "0.01");
  gtk_widget_set_sensitive (GTK_WIDGET (self->design_period),
                            self->answer->loop->linear->period == 0);
  gtk_widget_set_visible (self->design_bar, TRUE);
  show_figures (self);
}

/* The table follows what is typed. */
static void
design_changed (WeirAnalysisPage *self)
{
  if (gtk_widget_get_visible (self->design_bar))
    show_figures (self);
}

static void
design (G_GNUC_UNUSED GSimpleAction *action, GVariant *parameter, gpointer data)
{
  WeirAnalysisPage *self = data;

  self->designs_by_poles = g_str_equal (g_variant_get_string (parameter, NULL), "poles");
  if (self->trial != NULL)
    discard_trial (self); /* what is put in is for the model as it is */
  drop_trial (self);
  gtk_drop_down_set_selected (self->systems, SYSTEM_BETWEEN);
  self->is_design_wanted = self->job != NULL || self->is_asked_again;
  if (!self->is_design_wanted)
    begin_design (self);
}

static void
discard_design (WeirAnalysisPage *self)
{
  self->is_put_in_wanted = FALSE;
  gtk_widget_set_visible (self->design_bar, FALSE);
  show_figures (self);
}

/* One step of undo. */
static void
apply_design (WeirAnalysisPage *self)
{
  const WeirDesignTexts texts = get_design_texts (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPatch) patch = NULL;
  Job *job;

  self->is_put_in_wanted = self->job != NULL || self->is_asked_again;
  if (self->is_put_in_wanted || self->answer == NULL || get_system (self) != SYSTEM_BETWEEN)
    return;
  job = job_new (self, NULL, weir_model_list_points (get_model (self)));
  patch = weir_design_make_patch (get_model (self), self->answer, &job->question, &texts, &error);
  job_free (job);
  if (patch == NULL
      || !weir_document_edit (self->parent.document, patch, _ ("Add Controller"), NULL, &error))
    {
      gtk_label_set_text (self->design_text, weir_error_say (error));
      return;
    }
  discard_design (self);
  weir_host_offer_undo (self->parent.host, _ ("Observer and state feedback put in"));
}

/* --- Read elsewhere, in steps ----------------------------------------------------------------- */

static void
frequency_changed (WeirAnalysisPage *self)
{
  if (!self->is_updating)
    show_figures (self);
}

static void
sampling_changed (WeirAnalysisPage *self)
{
  if (self->is_updating || self->parent.host == NULL)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->prewarp),
                            gtk_drop_down_get_selected (self->sampling) == WEIR_SAMPLING_TUSTIN);
  drop_check (self);
  weir_chart_fit (weir_chart_view_get_chart (self->view));
  ask (self);
}

static void
look_sampled (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *parameter, gpointer data)
{
  WeirAnalysisPage *self = data;

  gtk_widget_set_visible (self->sample_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->sample_time));
  sampling_changed (self);
}

static void
look_as_it_is (WeirAnalysisPage *self)
{
  gtk_widget_set_visible (self->sample_bar, FALSE);
  sampling_changed (self);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void
mapped (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_analysis_page_parent_class)->map (widget);
  ask (WEIR_ANALYSIS_PAGE (widget));
}

static void
set_titles (GtkDropDown *drop_down, const char *const *titles)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (titles);

  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (names));
  weir_drop_down_make_narrow (drop_down);
}

static void
fill_choices (WeirAnalysisPage *self)
{
  const char *titles[WEIR_N_PICTURES + 1] = { NULL };
  const char *const systems[] = { _ ("Between the Points"), _ ("Open Loop L"),
                                  _ ("Sensitivity S = 1 / (1 + L)"),
                                  _ ("Closed Loop T = L / (1 + L)"), NULL };
  const char *const samplings[] = { _ ("Inputs Held"), _ ("Inputs Straight"), _ ("Tustin’s Rule"),
                                    NULL };
  const char *const places[] = { _ ("At the Start"), _ ("At a Time"), _ ("At Rest"),
                                 _ ("At Cursor A"), NULL };

  for (guint i = 0; i < WEIR_N_PICTURES; i++)
    titles[i] = weir_picture_get_title ((WeirPicture) i);
  self->is_updating = TRUE;
  set_titles (self->pictures, titles);
  set_titles (self->systems, systems);
  set_titles (self->places, places);
  set_titles (self->pairs, NULL);
  set_titles (self->sampling, samplings);
  self->is_updating = FALSE;
}

static void
ready (WeirPage *page)
{
  take_look (WEIR_ANALYSIS_PAGE (page));
}

static void
model_replaced (WeirAnalysisPage *self)
{
  drop_check (self);
  take_look (self);
  gtk_range_set_value (GTK_RANGE (self->gain), 0);
  gtk_toggle_button_set_active (self->keep, FALSE);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { "copy-figures", copy_figures },
    { "copy-matrices", copy_matrices },
    { "copy-transfer-function", copy_transfer_function },
    { "save-matrices", save_matrices },
    { "check-by-simulation", check_by_simulation },
    { "look-sampled", look_sampled },
    { "design", design, "s" },
    { "tune", tune, "s" },
  };
  WeirAnalysisPage *self = WEIR_ANALYSIS_PAGE (object);

  G_OBJECT_CLASS (weir_analysis_page_parent_class)->constructed (object);
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  fill_choices (self);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.document, "notify::file", G_CALLBACK (model_replaced), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  WeirAnalysisPage *self = WEIR_ANALYSIS_PAGE (object);

  if (self->job != NULL)
    g_atomic_int_set (&self->job->cancel, 1);
  if (self->tuning_cancel != NULL)
    g_atomic_int_set (self->tuning_cancel, 1);
  if (self->check_cancel != NULL)
    g_atomic_int_set (self->check_cancel, 1);
  g_clear_pointer (&self->check, weir_check_free);
  g_clear_pointer (&self->trial, trial_free);
  if (self->view != NULL)
    weir_chart_set_text_func (weir_chart_view_get_chart (self->view), NULL, NULL);
  self->view = NULL;
  g_clear_pointer (&self->answer, weir_linear_answer_free);
  g_clear_pointer (&self->former, weir_linear_answer_free);
  g_clear_pointer (&self->shown, g_array_unref);
  G_OBJECT_CLASS (weir_analysis_page_parent_class)->dispose (object);
}

/* No task is left, as each holds a reference. */
static void
finalize (GObject *object)
{
  weir_analyst_free (WEIR_ANALYSIS_PAGE (object)->analyst);
  G_OBJECT_CLASS (weir_analysis_page_parent_class)->finalize (object);
}

static void
weir_analysis_page_class_init (WeirAnalysisPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->map = mapped;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  weir_set_template (klass, "analysis-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, stack);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, systems);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, pictures);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, places);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, pairs);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, fixed);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, fixed_popover);
  gtk_widget_class_bind_template_callback (widget_class, show_fixed);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, time);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, gain);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, keep);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, chart_box);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, notes);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, hits);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, problem);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, figures);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, trial_bar);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, apply);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_bar);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_text);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_states);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_inputs);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_disturbances);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_noise);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, design_period);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, frequency);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, sample_bar);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, sampling);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, sample_time);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, prewarp);
  gtk_widget_class_bind_template_callback (widget_class, frequency_changed);
  gtk_widget_class_bind_template_callback (widget_class, sampling_changed);
  gtk_widget_class_bind_template_callback (widget_class, look_as_it_is);
  gtk_widget_class_bind_template_callback (widget_class, design_changed);
  gtk_widget_class_bind_template_callback (widget_class, apply_design);
  gtk_widget_class_bind_template_callback (widget_class, discard_design);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, trial_text);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, target_box);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, target_margin);
  gtk_widget_class_bind_template_child (widget_class, WeirAnalysisPage, target_crossover);
  gtk_widget_class_bind_template_callback (widget_class, target_changed);
  gtk_widget_class_bind_template_callback (widget_class, apply_trial);
  gtk_widget_class_bind_template_callback (widget_class, discard_trial);
  gtk_widget_class_bind_template_callback (widget_class, choice_changed);
  gtk_widget_class_bind_template_callback (widget_class, picture_changed);
  gtk_widget_class_bind_template_callback (widget_class, gain_changed);
  gtk_widget_class_bind_template_callback (widget_class, keep_toggled);
}

static void
weir_analysis_page_init (WeirAnalysisPage *self)
{
  self->analyst = weir_analyst_new ();
  self->is_updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->view = WEIR_CHART_VIEW (weir_chart_view_new ());
  gtk_box_append (self->chart_box, GTK_WIDGET (self->view));
  weir_chart_set_text_func (weir_chart_view_get_chart (self->view), dup_cursor_text, self);
  g_signal_connect_object (self->view, "grabbed", G_CALLBACK (locus_grabbed), self,
                           G_CONNECT_SWAPPED);
  gtk_scale_set_format_value_func (self->gain, format_gain, NULL, NULL);
  self->is_updating = FALSE;
}
