/* Repeating a run without one change event. See event-effect.h. */
#include "analysis/event-effect.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "analysis/moment.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/eval.h"

#define LOG_RECORDS (1u << 16) /* enough for what one step logs, to find the event again */

/* One of the two runs. */
typedef struct {
  WeirContext *context;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
  WeirMoment moment;
  gboolean is_initialized, is_done;
} Side;

typedef struct {
  WeirSystem *root;
  const WeirSimulatorOptions *options;
  double stop_time;
  const char *const *recorded_ports;
  const WeirLogRecord *event;
  const gint *cancel;
  WeirMomentShape shape;
  WeirEventEffect *result;
  guint *found; /* by state, then by value: place in the differences + 1 */
} Repetition;

void
weir_event_effect_clear (WeirEventEffect *self)
{
  g_clear_pointer (&self->differences, g_array_unref);
  g_clear_pointer (&self->failure, g_free);
}

static void
difference_clear (gpointer data)
{
  g_free (((WeirEffectDifference *) data)->path);
}

/* --- One side -------------------------------------------------------------------------------- */

static void
side_clear (Side *side)
{
  weir_moment_clear (&side->moment);
  g_clear_pointer (&side->simulator, weir_simulator_free);
  g_clear_pointer (&side->recorder, weir_recorder_unref);
  g_clear_pointer (&side->context, weir_context_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static gboolean
side_init (Side *side, const Repetition *repetition, const WeirStoredRun *stored, GError **error)
{
  *side = (Side) { .context = weir_system_create_context (repetition->root) };
  weir_moment_init (&side->moment, &repetition->shape);
  side->recorder = weir_recorder_new (repetition->root, repetition->recorded_ports, FALSE, error);
  if (side->recorder == NULL)
    return FALSE;
  if (stored != NULL && stored->context != NULL
      && !weir_context_load (side->context, repetition->root, stored->context, error))
    return FALSE;
  side->simulator = weir_simulator_new (repetition->root, side->context, repetition->options,
                                        error);
  if (side->simulator == NULL)
    return FALSE;
  weir_simulator_set_cancel (side->simulator, repetition->cancel);
  /* As in a session, so that the same is asked for. */
  weir_simulator_set_monitor (side->simulator, weir_recorder_monitor, side->recorder);
  if (stored != NULL && stored->run != NULL)
    {
      if (!weir_simulator_load (side->simulator, stored->run, error))
        return FALSE;
      side->is_initialized = TRUE;
    }
  weir_context_start_log (side->context, WEIR_LOG_MODE_ALL, LOG_RECORDS);
  return TRUE;
}

/* The first step of a run from the beginning is its initialisation. */
static gboolean
side_step (Side *side, const Repetition *repetition, GError **error)
{
  if (side->is_initialized)
    return weir_simulator_step (side->simulator, repetition->stop_time, &side->is_done, error);
  side->is_initialized = TRUE;
  return weir_simulator_initialize (side->simulator, error);
}

/* Everything as whoever asked now would get it, without asking the run itself. */
static void
side_look (Side *side, const Repetition *repetition)
{
  g_autoptr (WeirContext) copy = weir_context_clone (side->context);

  weir_moment_take (&side->moment, &repetition->shape, copy, WEIR_PHASE_STEP);
}

/* --- The same event -------------------------------------------------------------------------- */

static gboolean
is_same_event (const WeirLogRecord *a, const WeirLogRecord *b)
{
  return a->number == b->number && a->kind == b->kind && a->subject == b->subject
         && a->phase == b->phase && weir_same_bits (a->time, b->time);
}

/* Did the event come again in what @side did last? */
static gboolean
has_met (const Side *side, const Repetition *repetition)
{
  g_autoptr (WeirChangeLog) log = weir_context_copy_log (side->context);
  gsize n;
  const WeirLogRecord *records = weir_change_log_get_records (log, &n);

  for (gsize i = n; i-- > 0;)
    if (is_same_event (&records[i], repetition->event))
      return TRUE;
  return FALSE;
}

/* --- Comparing ------------------------------------------------------------------------------- */

static void
note_difference (Repetition *repetition, gsize at, const char *path, guint32 element, guint32 size,
                 gboolean is_output, double with, double without)
{
  GArray *differences = repetition->result->differences;
  WeirEffectDifference *difference;

  if (repetition->found[at] == 0)
    {
      WeirEffectDifference made = {
        .is_output = is_output, .time = repetition->result->until, .with = with, .without = without
      };

      made.path = size > 1 ? g_strdup_printf ("%s[%u]", path, element) : g_strdup (path);
      g_array_append_val (differences, made);
      repetition->found[at] = differences->len;
    }
  difference = &g_array_index (differences, WeirEffectDifference, repetition->found[at] - 1);
  difference->largest = isnan (difference->largest) || isnan (with - without)
                            ? (double) NAN
                            : MAX (difference->largest, fabs (with - without));
}

static void
compare_states (Repetition *repetition, const WeirMoment *with, const WeirMoment *without)
{
  gsize n = repetition->shape.n_states + repetition->shape.n_discrete;

  for (gsize i = 0; i < n; i++)
    if (!weir_same_bits (with->states[i], without->states[i]))
      {
        g_autofree char *path = weir_moment_shape_dup_state_path (&repetition->shape, i);

        note_difference (repetition, i, path, 0, 1, FALSE, with->states[i], without->states[i]);
      }
  repetition->result->n_values += n;
}

static void
compare_values (Repetition *repetition, const WeirMoment *with, const WeirMoment *without)
{
  const WeirMomentShape *shape = &repetition->shape;
  gsize n_before = shape->n_states + shape->n_discrete;

  for (guint32 e = 0; e < shape->n_entries; e++)
    {
      gsize first = shape->first_value[e], end = shape->first_value[e + 1];
      gboolean is_output = weir_layout_get_entry (shape->layout, (WeirEntry) { e }).kind
                           == WEIR_ENTRY_OUTPUT;

      repetition->result->n_values += end - first;
      for (gsize i = first; i < end; i++)
        {
          double a = with->has_value[e] ? with->values[i] : (double) NAN;
          double b = without->has_value[e] ? without->values[i] : (double) NAN;
          g_autofree char *path = NULL;

          if (with->has_value[e] == without->has_value[e]
              && (!with->has_value[e] || weir_same_bits (a, b)))
            continue;
          path = weir_layout_dup_entry_path (shape->layout, (WeirEntry) { e });
          note_difference (repetition, n_before + i, path, (guint32) (i - first),
                           (guint32) (end - first), is_output, a, b);
        }
    }
}

static void
compare (Repetition *repetition, Side *with, Side *without)
{
  side_look (with, repetition);
  side_look (without, repetition);
  repetition->result->until = weir_context_get_time (with->context);
  compare_states (repetition, &with->moment, &without->moment);
  compare_values (repetition, &with->moment, &without->moment);
}

/* --- Both sides ------------------------------------------------------------------------------ */

/* One step without the event; a failure there is a result. FALSE: it goes no further. */
static gboolean
step_without (Repetition *repetition, Side *side, double boundary, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gboolean is_forced = !isnan (boundary);

  if (is_forced ? weir_simulator_advance_to (side->simulator, boundary, &failure)
                : side_step (side, repetition, &failure))
    return TRUE;
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    repetition->result->failure = g_strdup (failure->message);
  return FALSE;
}

/* Once the solver has chosen another step, the run without the event is led to where the
 * other is. */
static gboolean
meet (Repetition *repetition, Side *with, Side *without, GError **error)
{
  double time = weir_context_get_time (with->context);
  gboolean is_led = !isnan (repetition->result->steps_differ_from);

  if (!is_led)
    {
      double before = weir_context_get_time (without->context);

      if (!step_without (repetition, without, (double) NAN, error))
        return FALSE;
      if (weir_same_bits (weir_context_get_time (without->context), time))
        return TRUE;
      repetition->result->steps_differ_from = before;
    }
  while (weir_context_get_time (with->context) < weir_context_get_time (without->context)
         && !with->is_done)
    if (!side_step (with, repetition, error))
      return FALSE;
  time = weir_context_get_time (with->context);
  return weir_context_get_time (without->context) >= time
         || step_without (repetition, without, time, error);
}

static gboolean
refuse (GError **error)
{
  weir_error_set (error, WEIR_ERROR_MISMATCH,
                  "The event did not come again when the run was repeated: it began with other "
                  "values, or was edited "
                  "while it went on.");
  return FALSE;
}

/* Repeats the run from @stored. *@met: the event came again. */
static gboolean
repeat (Repetition *repetition, const WeirStoredRun *stored, guint max_steps, gboolean *met,
        GError **error)
{
  g_auto (Side) with = { NULL }, without = { NULL };
  guint64 number = repetition->event->number;

  *met = FALSE;
  if (!side_init (&with, repetition, stored, error)
      || !side_init (&without, repetition, stored, error))
    return FALSE;
  weir_context_skip_event (without.context, number);
  while (weir_context_get_n_events (with.context) < number && !with.is_done)
    {
      repetition->result->from = weir_context_get_time (with.context);
      if (!side_step (&with, repetition, error))
        return FALSE;
      if (weir_context_get_n_events (with.context) >= number && !has_met (&with, repetition))
        return TRUE;
      if (!meet (repetition, &with, &without, error))
        {
          *met = TRUE;
          return repetition->result->failure != NULL;
        }
    }
  if (weir_context_get_n_events (with.context) < number)
    return TRUE;
  *met = TRUE;
  compare (repetition, &with, &without);
  while (!with.is_done && (max_steps == 0 || repetition->result->n_steps < max_steps))
    {
      if (!side_step (&with, repetition, error))
        return FALSE;
      if (!meet (repetition, &with, &without, error))
        return repetition->result->failure != NULL;
      repetition->result->n_steps++;
      compare (repetition, &with, &without);
    }
  return TRUE;
}

static void
begin_result (Repetition *repetition)
{
  weir_event_effect_clear (repetition->result);
  *repetition->result = (WeirEventEffect) {
    .differences = g_array_new (FALSE, FALSE, sizeof (WeirEffectDifference)),
    .steps_differ_from = (double) NAN,
  };
  g_array_set_clear_func (repetition->result->differences, difference_clear);
  memset (repetition->found, 0,
          (repetition->shape.n_states + repetition->shape.n_discrete + repetition->shape.n_values)
              * sizeof *repetition->found);
}

/* The last run stored before the event. */
static const WeirStoredRun *
find_stored (const GArray *stored, guint64 number)
{
  const WeirStoredRun *found = NULL;

  for (guint i = 0; stored != NULL && i < stored->len; i++)
    if (g_array_index (stored, WeirStoredRun, i).n_events < number)
      found = &g_array_index (stored, WeirStoredRun, i);
  return found;
}

gboolean
weir_find_event_effect (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                        const char *const *recorded_ports, const GArray *stored,
                        const WeirLogRecord *event, guint max_steps, const gint *cancel,
                        WeirEventEffect *result, GError **error)
{
  Repetition repetition = { root,  options, stop_time,       recorded_ports,
                            event, cancel,  .result = result };
  const WeirStoredRun *nearest = find_stored (stored, event->number);
  const WeirStoredRun *first = stored != NULL && stored->len > 0
                                   ? &g_array_index (stored, WeirStoredRun, 0)
                                   : NULL;
  gboolean met = FALSE, done;

  g_return_val_if_fail (event->kind == WEIR_LOG_EVENT || event->kind == WEIR_LOG_JOINT, FALSE);

  *result = (WeirEventEffect) { NULL };
  weir_moment_shape_init (&repetition.shape, root);
  repetition.found = g_new (guint, repetition.shape.n_states + repetition.shape.n_discrete
                                       + repetition.shape.n_values + 1);
  begin_result (&repetition);
  done = repeat (&repetition, nearest, max_steps, &met, error);
  /* A multistep method does not go on as it did: only from the beginning all is as it was. */
  if (done && !met && nearest != first)
    {
      begin_result (&repetition);
      done = repeat (&repetition, first, max_steps, &met, error);
    }
  if (done && !met)
    done = refuse (error);
  g_free (repetition.found);
  weir_moment_shape_clear (&repetition.shape);
  if (!done)
    weir_event_effect_clear (result);
  return done;
}
