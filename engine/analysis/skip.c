/* Repeating a run without one change event. See skip.h. */
#include "analysis/skip.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "analysis/picture.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/eval.h"

#define LOG_RECORDS (1u << 16) /* enough for what one step records, to find the event again */

/* One of the two runs. */
typedef struct {
  WeirContext *context;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
  WeirPicture picture;
  gboolean is_initialized, is_done;
} Side;

typedef struct {
  WeirSystem *root;
  const WeirSimulatorOptions *options;
  double stop_time;
  const char *const *logged;
  const WeirLogRecord *event;
  const gint *cancel;
  WeirPictureShape shape;
  WeirSkipResult *result;
  guint *found; /* by state, then by value: place in the differences + 1 */
} Skip;

void
weir_skip_result_clear (WeirSkipResult *self)
{
  g_clear_pointer (&self->differences, g_array_unref);
  g_clear_pointer (&self->failure, g_free);
}

static void
difference_clear (gpointer data)
{
  g_free (((WeirSkipDifference *) data)->path);
}

/* --- One side -------------------------------------------------------------------------------- */

static void
side_clear (Side *side)
{
  weir_picture_clear (&side->picture);
  g_clear_pointer (&side->simulator, weir_simulator_free);
  g_clear_pointer (&side->recorder, weir_recorder_unref);
  g_clear_pointer (&side->context, weir_context_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static gboolean
side_init (Side *side, const Skip *skip, const WeirStoredRun *stored, GError **error)
{
  *side = (Side) { .context = weir_system_create_context (skip->root) };
  weir_picture_init (&side->picture, &skip->shape);
  side->recorder = weir_recorder_new (skip->root, skip->logged, FALSE, error);
  if (side->recorder == NULL)
    return FALSE;
  if (stored != NULL && stored->context != NULL
      && !weir_context_load (side->context, skip->root, stored->context, error))
    return FALSE;
  side->simulator = weir_simulator_new (skip->root, side->context, skip->options, error);
  if (side->simulator == NULL)
    return FALSE;
  weir_simulator_set_cancel (side->simulator, skip->cancel);
  /* As in a session, so that the same is asked for. */
  weir_simulator_set_monitor (side->simulator, weir_recorder_monitor, side->recorder);
  if (stored != NULL && stored->run != NULL)
    {
      if (!weir_simulator_load (side->simulator, stored->run, error))
        return FALSE;
      side->is_initialized = TRUE;
    }
  weir_context_start_recording (side->context, WEIR_RECORD_ALL, LOG_RECORDS);
  return TRUE;
}

/* The first step of a run from the beginning is its initialisation. */
static gboolean
side_step (Side *side, const Skip *skip, GError **error)
{
  if (side->is_initialized)
    return weir_simulator_step (side->simulator, skip->stop_time, &side->is_done, error);
  side->is_initialized = TRUE;
  return weir_simulator_initialize (side->simulator, error);
}

/* Everything as whoever asked now would get it, without asking the run itself. */
static void
side_look (Side *side, const Skip *skip)
{
  g_autoptr (WeirContext) copy = weir_context_clone (side->context);

  weir_picture_take (&side->picture, &skip->shape, copy, WEIR_PHASE_STEP);
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
has_met (const Side *side, const Skip *skip)
{
  g_autoptr (WeirChangeLog) log = weir_context_copy_recording (side->context);
  gsize n;
  const WeirLogRecord *records = weir_change_log_get_records (log, &n);

  for (gsize i = n; i-- > 0;)
    if (is_same_event (&records[i], skip->event))
      return TRUE;
  return FALSE;
}

/* --- Comparing ------------------------------------------------------------------------------- */

static void
note_difference (Skip *skip, gsize at, const char *path, guint32 element, guint32 size,
                 gboolean is_output, double with, double without)
{
  GArray *differences = skip->result->differences;
  WeirSkipDifference *difference;

  if (skip->found[at] == 0)
    {
      WeirSkipDifference made = {
        .is_output = is_output, .time = skip->result->until, .with = with, .without = without
      };

      made.path = size > 1 ? g_strdup_printf ("%s[%u]", path, element) : g_strdup (path);
      g_array_append_val (differences, made);
      skip->found[at] = differences->len;
    }
  difference = &g_array_index (differences, WeirSkipDifference, skip->found[at] - 1);
  difference->largest = isnan (difference->largest) || isnan (with - without)
                            ? (double) NAN
                            : MAX (difference->largest, fabs (with - without));
}

static void
compare_states (Skip *skip, const WeirPicture *with, const WeirPicture *without)
{
  gsize n = skip->shape.n_states + skip->shape.n_discrete;

  for (gsize i = 0; i < n; i++)
    if (!weir_same_bits (with->states[i], without->states[i]))
      {
        g_autofree char *path = weir_picture_shape_dup_state_path (&skip->shape, i);

        note_difference (skip, i, path, 0, 1, FALSE, with->states[i], without->states[i]);
      }
  skip->result->n_values += n;
}

static void
compare_values (Skip *skip, const WeirPicture *with, const WeirPicture *without)
{
  const WeirPictureShape *shape = &skip->shape;
  gsize n_before = shape->n_states + shape->n_discrete;

  for (guint32 e = 0; e < shape->n_entries; e++)
    {
      gsize first = shape->first_value[e], end = shape->first_value[e + 1];
      gboolean is_output = weir_layout_get_entry (shape->layout, (WeirEntry) { e }).kind
                           == WEIR_ENTRY_OUTPUT;

      skip->result->n_values += end - first;
      for (gsize i = first; i < end; i++)
        {
          double a = with->has_value[e] ? with->values[i] : (double) NAN;
          double b = without->has_value[e] ? without->values[i] : (double) NAN;
          g_autofree char *path = NULL;

          if (with->has_value[e] == without->has_value[e]
              && (!with->has_value[e] || weir_same_bits (a, b)))
            continue;
          path = weir_layout_dup_entry_path (shape->layout, (WeirEntry) { e });
          note_difference (skip, n_before + i, path, (guint32) (i - first), (guint32) (end - first),
                           is_output, a, b);
        }
    }
}

static void
compare (Skip *skip, Side *with, Side *without)
{
  side_look (with, skip);
  side_look (without, skip);
  skip->result->until = weir_context_get_time (with->context);
  compare_states (skip, &with->picture, &without->picture);
  compare_values (skip, &with->picture, &without->picture);
}

/* --- Both sides ------------------------------------------------------------------------------ */

/* One step without the event; a failure there is a result. FALSE: it goes no further. */
static gboolean
step_without (Skip *skip, Side *side, double boundary, GError **error)
{
  g_autoptr (GError) failure = NULL;
  gboolean is_forced = !isnan (boundary);

  if (is_forced ? weir_simulator_advance_to (side->simulator, boundary, &failure)
                : side_step (side, skip, &failure))
    return TRUE;
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    skip->result->failure = g_strdup (failure->message);
  return FALSE;
}

/* Once the solver has chosen another step, the run without the event is led to where the
 * other is. */
static gboolean
meet (Skip *skip, Side *with, Side *without, GError **error)
{
  double time = weir_context_get_time (with->context);
  gboolean is_led = !isnan (skip->result->steps_differ_from);

  if (!is_led)
    {
      double before = weir_context_get_time (without->context);

      if (!step_without (skip, without, (double) NAN, error))
        return FALSE;
      if (weir_same_bits (weir_context_get_time (without->context), time))
        return TRUE;
      skip->result->steps_differ_from = before;
    }
  while (weir_context_get_time (with->context) < weir_context_get_time (without->context)
         && !with->is_done)
    if (!side_step (with, skip, error))
      return FALSE;
  time = weir_context_get_time (with->context);
  return weir_context_get_time (without->context) >= time
         || step_without (skip, without, time, error);
}

static gboolean
refuse (GError **error)
{
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
               "The event did not come again when the run was repeated: it began with other "
               "values, or was edited "
               "while it went on.");
  return FALSE;
}

/* Repeats the run from @stored. *@met: the event came again. */
static gboolean
repeat (Skip *skip, const WeirStoredRun *stored, guint max_steps, gboolean *met, GError **error)
{
  g_auto (Side) with = { NULL }, without = { NULL };
  guint64 number = skip->event->number;

  *met = FALSE;
  if (!side_init (&with, skip, stored, error) || !side_init (&without, skip, stored, error))
    return FALSE;
  weir_context_skip_event (without.context, number);
  while (weir_context_get_n_events (with.context) < number && !with.is_done)
    {
      skip->result->from = weir_context_get_time (with.context);
      if (!side_step (&with, skip, error))
        return FALSE;
      if (weir_context_get_n_events (with.context) >= number && !has_met (&with, skip))
        return TRUE;
      if (!meet (skip, &with, &without, error))
        {
          *met = TRUE;
          return skip->result->failure != NULL;
        }
    }
  if (weir_context_get_n_events (with.context) < number)
    return TRUE;
  *met = TRUE;
  compare (skip, &with, &without);
  while (!with.is_done && (max_steps == 0 || skip->result->n_steps < max_steps))
    {
      if (!side_step (&with, skip, error))
        return FALSE;
      if (!meet (skip, &with, &without, error))
        return skip->result->failure != NULL;
      skip->result->n_steps++;
      compare (skip, &with, &without);
    }
  return TRUE;
}

static void
begin_result (Skip *skip)
{
  weir_skip_result_clear (skip->result);
  *skip->result = (WeirSkipResult) {
    .differences = g_array_new (FALSE, FALSE, sizeof (WeirSkipDifference)),
    .steps_differ_from = (double) NAN,
  };
  g_array_set_clear_func (skip->result->differences, difference_clear);
  memset (skip->found, 0,
          (skip->shape.n_states + skip->shape.n_discrete + skip->shape.n_values)
              * sizeof *skip->found);
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
weir_skip_event (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                 const char *const *logged, const GArray *stored, const WeirLogRecord *event,
                 guint max_steps, const gint *cancel, WeirSkipResult *result, GError **error)
{
  Skip skip = { root, options, stop_time, logged, event, cancel, .result = result };
  const WeirStoredRun *nearest = find_stored (stored, event->number);
  const WeirStoredRun *first = stored != NULL && stored->len > 0
                                   ? &g_array_index (stored, WeirStoredRun, 0)
                                   : NULL;
  gboolean met = FALSE, done;

  g_return_val_if_fail (event->kind == WEIR_LOG_EVENT || event->kind == WEIR_LOG_JOINT, FALSE);

  *result = (WeirSkipResult) { NULL };
  weir_picture_shape_init (&skip.shape, root);
  skip.found = g_new (guint, skip.shape.n_states + skip.shape.n_discrete + skip.shape.n_values + 1);
  begin_result (&skip);
  done = repeat (&skip, nearest, max_steps, &met, error);
  /* A multistep method does not go on as it did: only from the beginning all is as it was. */
  if (done && !met && nearest != first)
    {
      begin_result (&skip);
      done = repeat (&skip, first, max_steps, &met, error);
    }
  if (done && !met)
    done = refuse (error);
  g_free (skip.found);
  weir_picture_shape_clear (&skip.shape);
  if (!done)
    weir_skip_result_clear (result);
  return done;
}
