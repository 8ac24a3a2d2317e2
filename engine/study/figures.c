/* What is kept of a run, worked out from what was recorded of it. See subject.h. */
#include "study/subject-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "analysis/measure.h"
#include "base/status.h"
#include "equations/text/syntax.h"
#include "model/completion/completion.h"
#include "sim/port.h"

/* --- What is kept ---------------------------------------------------------------------------- */

/* The port and element of a signal's name, "Plant.y" or "Mux.y[2]"; adds it if it is new. */
static gboolean
add_kept (WeirStudySubject *self, WeirLayout *layout, const char *name, guint *place,
          GError **error)
{
  WeirKeptSignal kept = { .path = g_strdup (name) };
  char *bracket = strrchr (kept.path, '[');
  g_autoptr (GError) unknown = NULL;
  guint64 element;
  guint size = 0;
  WeirPort port;

  if (!weir_port_find (layout, kept.path, &port, &size, &unknown) && bracket != NULL
      && g_str_has_suffix (kept.path, "]"))
    {
      kept.path[strlen (kept.path) - 1] = '\0';
      *bracket = '\0';
      if (g_ascii_string_to_unsigned (bracket + 1, 10, 1, 1 << 24, &element, NULL)
          && weir_port_find (layout, kept.path, &port, &size, NULL) && element <= size)
        kept.element = (guint) element - 1;
      else
        size = 0;
    }
  else if (unknown == NULL && size > 1)
    weir_error_set (&unknown, WEIR_ERROR_INVALID,
                    "%s has %u values; say which is meant, such as %s[1]", name, size, name);
  if (size == 0 || (size > 1 && unknown != NULL && bracket == NULL))
    {
      g_free (kept.path);
      if (unknown == NULL)
        weir_error_set (&unknown, WEIR_ERROR_INVALID, "%s is no number", name);
      g_propagate_error (error, g_steal_pointer (&unknown));
      return FALSE;
    }
  kept.is_held = weir_model_is_signal_held (self->model, name);
  *place = self->kept->len;
  g_array_append_val (self->kept, kept);
  return TRUE;
}

gboolean
weir_study_subject_find_signals (WeirStudySubject *self, WeirLayout *layout, int *line,
                                 GError **error)
{
  const WeirStudy *study = self->study;
  guint place;

  self->of_figure = g_new0 (guint, study->figures->len + 1);
  for (guint i = 0; i < study->signals->len; i++)
    {
      *line = weir_study_get_signal (study, i)->line;
      if (!add_kept (self, layout, weir_study_get_signal (study, i)->port, &place, error))
        return FALSE;
    }
  for (guint i = 0; i < study->figures->len; i++)
    {
      const WeirStudyFigure *figure = weir_study_get_figure (study, i);

      *line = figure->line;
      self->of_figure[i] = G_MAXUINT;
      if (figure->port != NULL
          && !add_kept (self, layout, figure->port, &self->of_figure[i], error))
        return FALSE;
    }
  return TRUE;
}

/* --- Expressions ----------------------------------------------------------------------------- */

/* The inputs of the program: parameters, then figures. */
static WeirExpr
get_name (WeirExprPool *pool, const WeirStudy *study, guint i)
{
  guint n = study->parameters->len;

  return weir_expr_symbol (pool, i < n ? weir_study_get_parameter (study, i)->name
                                       : weir_study_get_figure (study, i - n)->name);
}

/* Whether an expression is of numbers alone, and of names that there are before it. */
static gboolean
check_expression (WeirExprPool *pool, const WeirStudy *study, guint figure, WeirExpr e,
                  const WeirReport *report)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (pool, &e, 1, FALSE, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      WeirExpr part = g_array_index (parts, WeirExpr, i);
      WeirOp op = weir_expr_get_op (pool, part);
      gboolean is_known = FALSE;

      if (op == WEIR_OP_NUMBER || weir_op_is_scalar (op))
        continue;
      if (op != WEIR_OP_SYMBOL)
        {
          weir_report_add (report, WEIR_SEVERITY_ERROR, "STU07", 1,
                           "an expression of figures has no \"%s\": it is made of numbers, "
                           "parameters and the figures before it.",
                           weir_op_get_name (op));
          return FALSE;
        }
      for (guint k = 0; k < study->parameters->len + figure && !is_known; k++)
        is_known = weir_expr_equal (get_name (pool, study, k), part);
      if (is_known)
        continue;
      weir_report_add (report, WEIR_SEVERITY_ERROR, "STU07", 1,
                       "\"%s\" is neither a parameter of the study nor a figure before this one.",
                       weir_expr_get_name (pool, part));
      return FALSE;
    }
  return TRUE;
}

static void
describe_figures (WeirStudySubject *self)
{
  g_autoptr (GBytes) bytes = weir_study_write_bytes (self->study);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  const char *keep = g_strstr_len (text, (gssize) size, "<keep>");

  self->figures_text = g_strndup (keep, size - (gsize) (keep - text));
}

gboolean
weir_study_subject_compile (WeirStudySubject *self, WeirDiagnostics *diagnostics)
{
  const WeirStudy *study = self->study;
  guint n = study->parameters->len, n_figures = study->figures->len;
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) own = weir_diagnostics_new ();
  g_autofree WeirExpr *inputs = g_new (WeirExpr, n + n_figures + 1);
  g_autofree WeirExpr *outputs = g_new (WeirExpr, n_figures + 1);
  gboolean has_some = FALSE;

  describe_figures (self);
  for (guint i = 0; i < n + n_figures; i++)
    inputs[i] = get_name (pool, study, i);
  for (guint i = 0; i < n_figures; i++)
    {
      const WeirStudyFigure *figure = weir_study_get_figure (study, i);
      WeirReport report = { own, figure->name, 0, figure->line, TRUE };

      outputs[i] = inputs[n + i];
      if (figure->expression == NULL)
        continue;
      has_some = TRUE;
      outputs[i] = weir_expr_parse (pool, figure->expression, &report);
      if (weir_expr_equal (outputs[i], WEIR_NO_EXPR)
          || !check_expression (pool, study, i, outputs[i], &report))
        {
          weir_diagnostics_set_file (own, study->file);
          for (guint k = 0; k < weir_diagnostics_get_size (own); k++)
            weir_diagnostics_add_copy (diagnostics, weir_diagnostics_get (own, k));
          return FALSE;
        }
    }
  if (has_some)
    self->program = weir_program_new (pool, outputs, n_figures, inputs, n + n_figures);
  return TRUE;
}

/* --- Working out ----------------------------------------------------------------------------- */

struct _WeirRunDigester {
  const WeirStudySubject *subject;
  const WeirRunPlan *plan;
  double **after;          /* by column of what is worked out, then row */
  gsize n_room;            /* rows */
  double *in, *out, *work; /* of the program */
  double *edge;            /* the value at one edge */
  double *row;             /* of after */
};

WeirRunDigester *
weir_run_digester_new (const WeirStudySubject *subject, const WeirRunPlan *plan)
{
  WeirRunDigester *self = g_new0 (WeirRunDigester, 1);
  guint n = subject->study->parameters->len + subject->study->figures->len;
  guint widest = 1;

  self->subject = subject;
  self->plan = plan;
  self->after = g_new0 (double *, plan->n_after_columns + 1);
  for (guint i = 0; i < plan->edges->len; i++)
    widest = MAX (widest, g_array_index (plan->edges, WeirEdge, i).size);
  self->edge = g_new (double, widest);
  self->row = g_new (double, plan->n_after_columns + 1);
  if (subject->program != NULL)
    {
      self->in = g_new (double, n + 1);
      self->out = g_new (double, subject->study->figures->len + 1);
      self->work = g_new (double, weir_program_get_work_size (subject->program) + 1);
    }
  return self;
}

void
weir_run_digester_free (WeirRunDigester *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->plan->n_after_columns; i++)
    g_free (self->after[i]);
  g_free (self->after);
  g_free (self->edge);
  g_free (self->row);
  g_free (self->in);
  g_free (self->out);
  g_free (self->work);
  g_free (self);
}

/* Gives the leaves after the run what they saw at a row. */
static void
set_edges (WeirRunDigester *self, WeirContext *context, const WeirRunRows *rows, gsize row)
{
  const WeirRunPlan *plan = self->plan;

  weir_context_begin_change (context);
  weir_context_set_time (context, rows->times[row]);
  for (guint i = 0; i < plan->edges->len; i++)
    {
      const WeirEdge *edge = &g_array_index (plan->edges, WeirEdge, i);

      for (guint k = 0; k < edge->size; k++)
        self->edge[k] = rows->values[plan->edge_columns[i] + k][row];
      weir_context_fix_input (context, edge->place.node, edge->place.in, self->edge);
    }
  weir_context_end_change (context);
}

static gboolean
work_out_row (WeirRunDigester *self, WeirContext *context, gsize row, GError **error)
{
  const WeirRunPlan *plan = self->plan;

  if (weir_eval_list (plan->after_list, context, self->row) != WEIR_OK)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "%s", weir_context_get_failure (context));
      return FALSE;
    }
  for (guint column = 0; column < plan->n_after_columns; column++)
    self->after[column][row] = self->row[column];
  return TRUE;
}

/* The kept signals that are algebra after the run. */
static gboolean
work_out (WeirRunDigester *self, const WeirContext *start, const WeirRunRows *rows, GError **error)
{
  g_autoptr (WeirContext) context = NULL;

  if (self->plan->after->len == 0)
    return TRUE;
  if (self->n_room < rows->n_rows)
    {
      self->n_room = rows->n_rows;
      for (guint i = 0; i < self->plan->n_after_columns; i++)
        self->after[i] = g_renew (double, self->after[i], self->n_room);
    }
  context = weir_context_clone (start);
  weir_context_set_accuracy (context, self->subject->options.run.relative_tolerance);
  for (gsize row = 0; row < rows->n_rows; row++)
    {
      set_edges (self, context, rows, row);
      if (!work_out_row (self, context, row, error))
        return FALSE;
    }
  return TRUE;
}

static const double *
get_column (const WeirRunDigester *self, const WeirRunRows *rows, guint kept)
{
  WeirKeptPlace place = self->plan->places[kept];

  return place.is_after ? self->after[place.column] : rows->values[place.column];
}

static double
calc_step_figure (const WeirMeasure *measure, const WeirStudyFigure *figure)
{
  WeirTimeRange range = { figure->from, figure->to };
  WeirStepLevels levels = WEIR_STEP_LEVELS;
  WeirStepFigures step;

  levels.initial = figure->initial;
  levels.final = figure->final;
  if (!isnan (figure->band))
    levels.band = figure->band;
  if (!weir_measure_get_step (measure, range, &levels, &step))
    return NAN;
  switch ((int) figure->kind)
    {
    case WEIR_FIGURE_PEAK:
      return step.peak;
    case WEIR_FIGURE_PEAK_TIME:
      return step.peak_time;
    case WEIR_FIGURE_OVERSHOOT:
      return step.overshoot;
    case WEIR_FIGURE_UNDERSHOOT:
      return step.undershoot;
    case WEIR_FIGURE_RISE_TIME:
      return step.rise_time;
    default:
      return step.settling_time;
    }
}

static double
calc_statistic (const WeirMeasure *measure, const WeirStudyFigure *figure)
{
  WeirTimeRange range = { figure->from, figure->to };
  WeirStatistics s;

  if (!weir_measure_get_statistics (measure, range, &s))
    return NAN;
  switch ((int) figure->kind)
    {
    case WEIR_FIGURE_MAXIMUM:
      return s.max;
    case WEIR_FIGURE_MINIMUM:
      return s.min;
    case WEIR_FIGURE_MEAN:
      return s.mean;
    case WEIR_FIGURE_RMS:
      return s.rms;
    case WEIR_FIGURE_DEVIATION:
      return s.deviation;
    case WEIR_FIGURE_INTEGRAL:
      return s.mean * s.duration;
    case WEIR_FIGURE_INITIAL:
      return s.first;
    default:
      return s.last;
    }
}

static double
calc_figure (const WeirMeasure *measure, const WeirStudyFigure *figure)
{
  WeirTimeRange range = { figure->from, figure->to };
  WeirPeriodFigures period;

  switch (figure->kind)
    {
    case WEIR_FIGURE_PEAK:
    case WEIR_FIGURE_PEAK_TIME:
    case WEIR_FIGURE_OVERSHOOT:
    case WEIR_FIGURE_UNDERSHOOT:
    case WEIR_FIGURE_RISE_TIME:
    case WEIR_FIGURE_SETTLING_TIME:
      return calc_step_figure (measure, figure);
    case WEIR_FIGURE_MEDIAN:
      return weir_measure_get_median (measure, range);
    case WEIR_FIGURE_PERIOD:
      return weir_measure_get_period (measure, range, &period) ? period.period : (double) NAN;
    case WEIR_FIGURE_MAXIMUM:
    case WEIR_FIGURE_MINIMUM:
    case WEIR_FIGURE_MEAN:
    case WEIR_FIGURE_RMS:
    case WEIR_FIGURE_DEVIATION:
    case WEIR_FIGURE_INTEGRAL:
    case WEIR_FIGURE_INITIAL:
    case WEIR_FIGURE_FINAL:
    case WEIR_FIGURE_EXPRESSION:
    case WEIR_N_FIGURES:
    default:
      return calc_statistic (measure, figure);
    }
}

/* Whatever is no number is the same one, so that results can be compared by their bytes. */
static double
tidy (double value)
{
  return isnan (value) ? (double) NAN : value;
}

/* Those of signals, then expressions in their order: each may use those before it. */
static void
calc_figures (WeirRunDigester *self, const WeirRunRows *rows, const double *values, double *figures)
{
  const WeirStudySubject *subject = self->subject;
  guint n = subject->study->parameters->len, n_figures = subject->study->figures->len;

  for (guint i = 0; i < n_figures; i++)
    {
      const WeirStudyFigure *figure = weir_study_get_figure (subject->study, i);
      guint kept = subject->of_figure[i];
      g_autoptr (WeirMeasure) measure = NULL;

      if (figure->kind == WEIR_FIGURE_EXPRESSION)
        {
          memcpy (self->in, values, n * sizeof (double));
          memcpy (self->in + n, figures, i * sizeof (double));
          memset (self->in + n + i, 0, (n_figures - i) * sizeof (double));
          weir_program_execute (subject->program, self->in, self->out, self->work);
          figures[i] = tidy (self->out[i]);
          continue;
        }
      measure = weir_measure_new_for_arrays (
          rows->n_rows, rows->times, get_column (self, rows, kept),
          g_array_index (subject->kept, WeirKeptSignal, kept).is_held ? WEIR_BETWEEN_HELD_BEFORE
                                                                      : WEIR_BETWEEN_LINES);
      figures[i] = tidy (calc_figure (measure, figure));
    }
}

static GBytes *
pack_signals (const WeirRunDigester *self, const WeirRunRows *rows)
{
  guint n = self->subject->study->signals->len;
  g_autofree const double **columns = g_new (const double *, n + 1);
  WeirRunRows kept = { rows->n_rows, n, rows->times, columns };

  for (guint i = 0; i < n; i++)
    columns[i] = get_column (self, rows, i);
  return weir_run_rows_to_bytes (&kept);
}

gboolean
weir_run_digester_calc (WeirRunDigester *self, const WeirContext *start, const WeirRunRows *rows,
                        const double *values, double *figures, GBytes **kept, GError **error)
{
  if (kept != NULL)
    *kept = NULL;
  if (!work_out (self, start, rows, error))
    return FALSE;
  calc_figures (self, rows, values, figures);
  if (kept != NULL && self->subject->study->signals->len > 0)
    *kept = pack_signals (self, rows);
  return TRUE;
}

/* --- Rows as bytes --------------------------------------------------------------------------- */

#define HEADER_SIZE 16

GBytes *
weir_run_rows_to_bytes (const WeirRunRows *rows)
{
  gsize column = rows->n_rows * sizeof (double);
  guint8 *bytes = g_malloc (HEADER_SIZE + column * (rows->n_signals + 1));
  const guint64 header[] = { GUINT64_TO_LE (rows->n_rows), GUINT64_TO_LE (rows->n_signals) };

  G_STATIC_ASSERT (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  memcpy (bytes, header, sizeof header);
  if (column > 0)
    memcpy (bytes + HEADER_SIZE, rows->times, column);
  for (guint i = 0; i < rows->n_signals && column > 0; i++)
    memcpy (bytes + HEADER_SIZE + column * (i + 1), rows->values[i], column);
  return g_bytes_new_take (bytes, HEADER_SIZE + column * (rows->n_signals + 1));
}

gboolean
weir_run_rows_from_bytes (WeirRunRows *rows, const guint8 *bytes, gsize size,
                          const double **pointers, guint n_pointers)
{
  guint64 header[2];
  gsize column;

  if (size < HEADER_SIZE)
    return FALSE;
  memcpy (header, bytes, sizeof header);
  header[0] = GUINT64_FROM_LE (header[0]);
  header[1] = GUINT64_FROM_LE (header[1]);
  if (header[1] != n_pointers || header[0] > size / sizeof (double))
    return FALSE;
  column = (gsize) header[0] * sizeof (double);
  if ((size - HEADER_SIZE) / (n_pointers + 1) != column
      || (size - HEADER_SIZE) % (n_pointers + 1) != 0)
    return FALSE;
  *rows = (WeirRunRows) { (gsize) header[0], n_pointers,
                          (const double *) (gconstpointer) (bytes + HEADER_SIZE), pointers };
  for (guint i = 0; i < n_pointers; i++)
    pointers[i] = (const double *) (gconstpointer) (bytes + HEADER_SIZE + column * (i + 1));
  return TRUE;
}
