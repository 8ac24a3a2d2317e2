/* The session: main's side of a run in the background, its life and what is seen of it. See
 * session.h; session-private.h says how the two sides meet.
 */
#include "sim/session.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/bits.h"
#include "base/sync.h"
#include "sim/journal.h"
#include "sim/session-private.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

G_DEFINE_FINAL_TYPE (WeirSession, weir_session, G_TYPE_OBJECT)

enum {
  CHANGED,
  N_SIGNALS,
};
static guint signals[N_SIGNALS];

/* --- Telling main ---------------------------------------------------------------------------- */

typedef struct {
  GSource source;
  WeirSession *session; /* borrowed; the session destroys the source */
} ChangedSource;

static gboolean
dispatch_changed (GSource *source, G_GNUC_UNUSED GSourceFunc callback, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (WeirSession) session = g_object_ref (((ChangedSource *) source)->session);

  g_source_set_ready_time (source, -1);
  g_signal_emit (session, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs changed_funcs = { .dispatch = dispatch_changed };

static void
attach_changed_source (WeirSession *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  self->run.changed = g_source_new (&changed_funcs, sizeof (ChangedSource));
  ((ChangedSource *) self->run.changed)->session = self;
  g_source_set_static_name (self->run.changed, "[weir] session changed");
  g_source_attach (self->run.changed, context);
}

/* --- Commands -------------------------------------------------------------------------------- */

void
weir_session_send (WeirSession *self, WeirCommand *command)
{
  WeirRun *run = &self->run;
  gboolean is_taken = FALSE;

  weir_sync_lock (&run->lock);
  if (!run->has_ended)
    {
      g_array_append_val (run->commands, *command);
      run->n_sent++;
      g_atomic_int_inc (&run->n_pending);
      g_cond_signal (&run->wake);
      is_taken = TRUE;
    }
  weir_sync_unlock (&run->lock);
  if (!is_taken)
    weir_command_clear (command);
}

void
weir_session_stop (WeirSession *self)
{
  WeirRun *run = &self->run;

  g_return_if_fail (WEIR_IS_SESSION (self));
  g_atomic_int_set (&run->cancel, 1); /* ends a step in progress */
  if (self->thread != NULL)
    weir_session_send (self, &(WeirCommand) { .kind = WEIR_COMMAND_STOP });
  else if (!run->has_ended && run->simulator != NULL)
    {
      run->mode = WEIR_SESSION_STOPPED;
      run->has_ended = TRUE;
      weir_journal_end (run->journal);
      weir_run_publish (run);
    }
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
weir_session_dispose (GObject *object)
{
  WeirSession *self = WEIR_SESSION (object);

  weir_session_stop (self);
  weir_session_join (self);
  if (self->run.changed != NULL)
    {
      g_source_destroy (self->run.changed);
      g_clear_pointer (&self->run.changed, g_source_unref);
    }
  G_OBJECT_CLASS (weir_session_parent_class)->dispose (object);
}

static void
weir_session_finalize (GObject *object)
{
  WeirRun *run = &WEIR_SESSION (object)->run;

  for (guint i = 0; i < G_N_ELEMENTS (run->buffers); i++)
    {
      g_free (run->buffers[i].counters);
      g_free (run->buffers[i].flags);
      g_free (run->buffers[i].disabled);
      g_free (run->buffers[i].held);
      g_free (run->buffers[i].break_counts);
      g_free (run->buffers[i].mean_ns);
      g_free (run->buffers[i].source_last);
      g_free (run->buffers[i].event_counts);
      g_clear_pointer (&run->buffers[i].values, g_array_unref);
      g_clear_pointer (&run->buffers[i].has_value, g_array_unref);
      g_clear_pointer (&run->buffers[i].troubles, g_ptr_array_unref);
      g_clear_pointer (&run->buffers[i].notes, g_ptr_array_unref);
      g_clear_pointer (&run->buffers[i].unit_work, g_array_unref);
    }
  for (guint i = 0; i < run->commands->len; i++)
    weir_command_clear (&g_array_index (run->commands, WeirCommand, i));
  g_array_unref (run->commands);
  g_array_unref (run->taken);
  g_clear_error (&run->failure);
  g_free (run->disabled);
  weir_run_clear_log (run);
  weir_run_clear_values (run);
  weir_run_clear_kept (run);
  g_free (run->held);
  g_ptr_array_unref (run->retired);
  g_clear_pointer (&run->simulator, weir_simulator_free);
  g_clear_pointer (&run->recorder, weir_recorder_unref);
  g_clear_pointer (&run->context, weir_context_free);
  g_clear_pointer (&run->breakpoints, weir_breakpoints_free);
  g_clear_pointer (&run->journal, weir_journal_unref);
  g_clear_pointer (&run->root, weir_system_unref);
  g_mutex_clear (&run->lock);
  g_cond_clear (&run->wake);
  G_OBJECT_CLASS (weir_session_parent_class)->finalize (object);
}

static void
weir_session_class_init (WeirSessionClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = weir_session_dispose;
  object_class->finalize = weir_session_finalize;

  /**
   * WeirSession::changed: the state or the snapshot changed. Coalesced: one emission may stand for
   * many changes.
   */
  signals[CHANGED] = g_signal_new ("changed", WEIR_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
weir_session_init (WeirSession *self)
{
  g_mutex_init (&self->run.lock);
  g_cond_init (&self->run.wake);
  self->run.commands = g_array_new (FALSE, TRUE, sizeof (WeirCommand));
  self->run.taken = g_array_new (FALSE, TRUE, sizeof (WeirCommand));
  self->run.retired = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_breakpoints_free);
}

static void
make_buffers (WeirRun *run)
{
  guint n_entries = weir_layout_get_n_entries (run->layout);

  run->n_words = weir_bits_n_words (n_entries);
  run->disabled = g_new0 (guint64, run->n_words);
  run->held = g_new0 (guint64, run->n_words);
  for (guint i = 0; i < n_entries; i++)
    if (!weir_context_get_entry_caching (run->context, (WeirEntry) { i }))
      weir_bit_set (run->disabled, i);
  for (guint i = 0; i < G_N_ELEMENTS (run->buffers); i++)
    {
      run->buffers[i].counters = g_new0 (WeirCounters, n_entries);
      run->buffers[i].flags = g_new0 (guint64, run->n_words);
      run->buffers[i].disabled = g_new0 (guint64, run->n_words);
      run->buffers[i].held = g_new0 (guint64, run->n_words);
      run->buffers[i].mean_ns = g_new0 (float, n_entries);
      run->buffers[i].troubles = g_ptr_array_new_with_free_func (
          (GDestroyNotify) weir_trouble_unref);
      run->buffers[i].notes = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);
      run->buffers[i].unit_work = g_array_new (FALSE, FALSE, sizeof (WeirUnitWork));
      run->buffers[i].event_counts = g_new0 (guint64, weir_system_get_n_events (run->root));
      run->buffers[i].source_last = g_new0 (guint64, weir_layout_get_n_sources (run->layout));
    }
  run->filling = &run->buffers[0];
  run->newest = &run->buffers[1];
  run->reading = &run->buffers[2];
}

WeirSession *
weir_session_new (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                  double rate, const char *const *recorded_ports, GError **error)
{
  g_autoptr (WeirSession) self = NULL;
  WeirRun *run;

  if (!isfinite (stop_time) || stop_time < 0)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "the stop time is %g s, but must be 0 or later",
                      stop_time);
      return NULL;
    }
  if (!isfinite (rate) || rate < 0)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the rate is %g simulated seconds per second, but must be positive, or 0 for "
                      "as fast as possible",
                      rate);
      return NULL;
    }
  self = g_object_new (WEIR_TYPE_SESSION, NULL);
  run = &self->run;
  run->root = weir_system_ref (root);
  run->layout = weir_system_get_layout (root);
  run->stop_time = run->boundary = stop_time;
  run->journal = weir_journal_new (stop_time);
  weir_pacer_set_rate (&run->pacer, rate);
  run->context = weir_system_create_context (root);
  run->recorder = weir_recorder_new (root, recorded_ports, FALSE, error);
  if (run->recorder == NULL)
    return NULL;
  weir_recorder_set_budget (run->recorder, options->record_memory, options->record_thins);
  run->simulator = weir_simulator_new (root, run->context, options, error);
  if (run->simulator == NULL)
    return NULL;
  weir_simulator_set_monitor (run->simulator, weir_recorder_monitor, run->recorder);
  weir_simulator_set_cancel (run->simulator, &run->cancel);
  make_buffers (run);
  attach_changed_source (self);
  weir_run_publish (run);
  return g_steal_pointer (&self);
}

/* --- Looking --------------------------------------------------------------------------------- */

WeirLayout *
weir_session_get_layout (WeirSession *self)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  return self->run.layout;
}

WeirSystem *
weir_session_get_system (WeirSession *self)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  return self->run.root;
}

WeirJournal *
weir_session_get_journal (WeirSession *self)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  return self->run.journal;
}

WeirRecorder *
weir_session_get_recorder (WeirSession *self)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  return self->run.recorder;
}

const WeirSnapshot *
weir_session_get_snapshot (WeirSession *self)
{
  WeirRun *run = &self->run;

  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  weir_sync_lock (&run->lock);
  if (run->is_newest_unread)
    {
      WeirSnapshotBuffer *read = run->reading;

      run->reading = run->newest;
      run->newest = read;
      run->is_newest_unread = FALSE;
    }
  weir_sync_unlock (&run->lock);
  return &run->reading->snapshot;
}

WeirSessionState
weir_session_get_state (WeirSession *self)
{
  WeirSessionState state;

  g_return_val_if_fail (WEIR_IS_SESSION (self), WEIR_SESSION_IDLE);
  weir_sync_lock (&self->run.lock);
  state = self->run.state;
  weir_sync_unlock (&self->run.lock);
  return state;
}

gboolean
weir_session_is_settled (WeirSession *self)
{
  WeirRun *run = &self->run;
  gboolean is_settled, has_ended;

  g_return_val_if_fail (WEIR_IS_SESSION (self), TRUE);
  weir_sync_lock (&run->lock);
  has_ended = run->has_ended;
  is_settled = has_ended || (run->state != WEIR_SESSION_RUNNING && run->n_published == run->n_sent);
  weir_sync_unlock (&run->lock);
  if (has_ended)
    weir_session_join (self); /* it has nothing left to do; what it owned is main's from here on */
  return is_settled;
}

GBytes *
weir_session_save (WeirSession *self, GError **error)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  if (!weir_session_is_settled (self) || weir_session_get_state (self) == WEIR_SESSION_IDLE
      || weir_session_get_state (self) == WEIR_SESSION_FAILED)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "a run can be copied while it pauses");
      return NULL;
    }
  /* Settled, the thread waits for a command and has published what it did before: nobody else is at
   * it. */
  return weir_simulator_save (self->run.simulator, error);
}

const GError *
weir_session_get_failure (WeirSession *self)
{
  const GError *failure;

  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  weir_sync_lock (&self->run.lock);
  failure = self->run.failure;
  weir_sync_unlock (&self->run.lock);
  return failure;
}

void
weir_session_join (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_clear_pointer (&self->thread, g_thread_join);
}
