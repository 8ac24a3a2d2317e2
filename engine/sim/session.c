/* The session: main's side of a run in the background. See session.h; session-private.h says how
 * the two sides meet.
 *
 * The thread is made by the first run or step command. Before that, main owns the context and
 * applies commands at once; after the thread has ended, commands are dropped but those about
 * what is looked at.
 */
#include "sim/session.h"

#include <math.h>
#include <string.h>

#include "base/sync.h"
#include "sim/session-private.h"

struct _WeirSession {
  GObject parent_instance;
  WeirRun run;
  GThread *thread;
  guint n_break_lists, n_watch_lists; /* sent */
};

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
      g_free (run->buffers[i].frozen);
      g_free (run->buffers[i].break_counts);
      g_free (run->buffers[i].mean_ns);
      g_free (run->buffers[i].source_last);
      g_free (run->buffers[i].event_counts);
      g_clear_pointer (&run->buffers[i].values, g_array_unref);
      g_clear_pointer (&run->buffers[i].has_value, g_array_unref);
    }
  for (guint i = 0; i < run->commands->len; i++)
    weir_command_clear (&g_array_index (run->commands, WeirCommand, i));
  g_array_unref (run->commands);
  g_array_unref (run->taken);
  g_free (run->failure);
  g_free (run->disabled);
  weir_run_clear_recording (run);
  weir_run_clear_values (run);
  weir_run_clear_kept (run);
  g_free (run->frozen);
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

  run->n_words = (n_entries + 63) / 64;
  run->disabled = g_new0 (guint64, run->n_words);
  run->frozen = g_new0 (guint64, run->n_words);
  for (guint i = 0; i < n_entries; i++)
    if (!weir_context_get_entry_caching (run->context, (WeirEntry) { i }))
      run->disabled[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
  for (guint i = 0; i < G_N_ELEMENTS (run->buffers); i++)
    {
      run->buffers[i].counters = g_new0 (WeirCounters, n_entries);
      run->buffers[i].flags = g_new0 (guint64, run->n_words);
      run->buffers[i].disabled = g_new0 (guint64, run->n_words);
      run->buffers[i].frozen = g_new0 (guint64, run->n_words);
      run->buffers[i].mean_ns = g_new0 (float, n_entries);
      run->buffers[i].event_counts = g_new0 (guint64, weir_system_get_n_events (run->root));
      run->buffers[i].source_last = g_new0 (guint64, weir_layout_get_n_sources (run->layout));
    }
  run->filling = &run->buffers[0];
  run->newest = &run->buffers[1];
  run->reading = &run->buffers[2];
}

WeirSession *
weir_session_new (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                  double rate, const char *const *logged, GError **error)
{
  g_autoptr (WeirSession) self = NULL;
  WeirRun *run;

  if (!isfinite (stop_time) || stop_time < 0)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "the stop time is %g s, but must be 0 or later", stop_time);
      return NULL;
    }
  if (!isfinite (rate) || rate < 0)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
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
  run->recorder = weir_recorder_new (root, logged, FALSE, error);
  if (run->recorder == NULL)
    return NULL;
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

/* --- Commands -------------------------------------------------------------------------------- */

/* Takes over @command. */
static void
send (WeirSession *self, WeirCommand *command)
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

/* A command that also makes sense before the thread exists: main owns the context then. */
static void
send_or_apply (WeirSession *self, WeirCommand *command)
{
  if (self->thread != NULL || self->run.has_ended)
    {
      send (self, command);
      return;
    }
  weir_run_apply (&self->run, command);
  weir_command_clear (command);
  weir_run_publish (&self->run);
}

static void
send_start (WeirSession *self, WeirCommandKind kind, double until, guint64 n_steps)
{
  WeirRun *run = &self->run;

  if (run->has_ended && self->thread == NULL)
    return;
  send (self, &(WeirCommand) { .kind = kind, .until = until, .n_steps = n_steps });
  if (self->thread == NULL)
    {
      run->state = WEIR_SESSION_RUNNING;
      self->thread = g_thread_new ("weir-run", weir_run_thread, run);
    }
}

void
weir_session_run (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_RUN, INFINITY, 0);
}

void
weir_session_run_until (WeirSession *self, double time)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_RUN, time, 0);
}

void
weir_session_step (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_start (self, WEIR_COMMAND_STEP, INFINITY, 1);
}

void
weir_session_steps (WeirSession *self, guint n)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (n > 0);
  send_start (self, WEIR_COMMAND_STEP, INFINITY, n);
}

/* The thread has ended: another one goes on where it was. */
static void
revive (WeirSession *self)
{
  WeirRun *run = &self->run;

  weir_session_join (self);
  g_atomic_int_set (&run->cancel, 0);
  g_clear_pointer (&run->failure, g_free);
  run->has_ended = FALSE;
  run->state = WEIR_SESSION_PAUSED;
  self->thread = g_thread_new ("weir-run", weir_run_thread, run);
}

WeirStepBack
weir_session_step_back (WeirSession *self, guint n)
{
  WeirRun *run = &self->run;
  WeirSessionState state;
  const WeirKeptStep *kept;
  WeirJournal *branch;
  guint64 made, target;

  g_return_val_if_fail (WEIR_IS_SESSION (self), WEIR_STEP_BACK_BUSY);
  g_return_val_if_fail (n > 0, WEIR_STEP_BACK_BUSY);

  /* Settled, the thread waits for a command: nobody else is at what it owns. */
  state = weir_session_get_state (self);
  if (state == WEIR_SESSION_RUNNING || !weir_session_is_settled (self))
    return WEIR_STEP_BACK_BUSY;
  if (run->is_in_step)
    return WEIR_STEP_BACK_IN_STEP;
  made = run->n_steps + (state == WEIR_SESSION_FAILED);
  if (!run->is_initialized || made == 0)
    return WEIR_STEP_BACK_AT_START;
  target = made > n ? made - n : 0;
  kept = weir_run_find_kept (run, target);
  if (kept == NULL)
    return WEIR_STEP_BACK_UNKNOWN;
  weir_recorder_truncate (run->recorder, kept->n_rows);
  branch = weir_journal_branch (run->journal, target + 1);
  weir_journal_end (run->journal);
  weir_journal_unref (run->journal);
  run->journal = branch;
  run->boundary = NAN; /* noted before the next step, whatever it is */
  if (run->has_ended)
    revive (self);
  send (self, &(WeirCommand) { .kind = WEIR_COMMAND_STEP_BACK, .n_steps = target });
  return WEIR_STEP_BACK_DONE;
}

void
weir_session_pause (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  if (self->thread != NULL)
    send (self, &(WeirCommand) { .kind = WEIR_COMMAND_PAUSE });
}

void
weir_session_stop (WeirSession *self)
{
  WeirRun *run = &self->run;

  g_return_if_fail (WEIR_IS_SESSION (self));
  g_atomic_int_set (&run->cancel, 1); /* ends a step in progress */
  if (self->thread != NULL)
    send (self, &(WeirCommand) { .kind = WEIR_COMMAND_STOP });
  else if (!run->has_ended && run->simulator != NULL)
    {
      run->mode = WEIR_SESSION_STOPPED;
      run->has_ended = TRUE;
      weir_journal_end (run->journal);
      weir_run_publish (run);
    }
}

void
weir_session_set_parameter (WeirSession *self, const char *path, const char *parameter,
                            const double *value, guint size)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_PARAMETER, .size = size };
  guint declared;

  g_return_if_fail (WEIR_IS_SESSION (self));
  if (!weir_layout_find_node (self->run.layout, path, &command.node)
      || !weir_layout_find_parameter (self->run.layout, command.node, parameter, &command.parameter,
                                      &declared))
    {
      g_warning ("the model that runs has no parameter \"%s\" in a block \"%s\"", parameter, path);
      return;
    }
  if (declared != size)
    {
      g_warning ("%s: parameter %s has %u values, but %u were given", path, parameter, declared,
                 size);
      return;
    }
  command.value = g_memdup2 (value, size * sizeof *value);
  send_or_apply (self, &command);
}

void
weir_session_set_caching (WeirSession *self, gboolean enabled)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_CACHING, .enabled = enabled });
}

void
weir_session_set_entry_caching (WeirSession *self, guint entry, gboolean enabled)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (entry < weir_layout_get_n_entries (self->run.layout));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_ENTRY_CACHING,
                                        .entry = { entry },
                                        .enabled = enabled });
}

guint
weir_session_set_breakpoints (WeirSession *self, const GArray *list, GPtrArray *errors)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_BREAKPOINTS };

  g_return_val_if_fail (WEIR_IS_SESSION (self), 0);
  command.breakpoints = weir_breakpoints_new (self->run.layout, list, errors);
  command.serial = ++self->n_break_lists;
  send_or_apply (self, &command);
  return command.serial;
}

void
weir_session_set_entry_frozen (WeirSession *self, guint entry, gboolean frozen)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (entry < weir_layout_get_n_entries (self->run.layout));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_ENTRY_FROZEN,
                                        .entry = { entry },
                                        .enabled = frozen });
}

guint
weir_session_set_watched (WeirSession *self, const WeirWatchedPort *ports, guint n)
{
  WeirCommand command = { .kind = WEIR_COMMAND_SET_WATCHED };
  WeirRun *run = &self->run;
  gboolean has_ended;

  g_return_val_if_fail (WEIR_IS_SESSION (self), 0);
  command.watched = g_array_new (FALSE, FALSE, sizeof (WeirWatchedPort));
  if (n > 0)
    g_array_append_vals (command.watched, ports, n);
  command.serial = ++self->n_watch_lists;
  weir_sync_lock (&run->lock);
  has_ended = run->has_ended;
  weir_sync_unlock (&run->lock);
  if (has_ended)
    {
      weir_session_join (self); /* it has nothing left to do: the context is main's again */
      weir_run_set_watched (run, g_steal_pointer (&command.watched), command.serial);
      weir_run_publish (run);
    }
  else
    send_or_apply (self, &command);
  return self->n_watch_lists;
}

void
weir_session_set_rate (WeirSession *self, double rate)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  g_return_if_fail (isfinite (rate) && rate >= 0);
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_SET_RATE, .rate = rate });
}

void
weir_session_start_recording (WeirSession *self, WeirRecordMode mode, gsize capacity)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_START_RECORDING,
                                        .record_mode = mode,
                                        .capacity = capacity });
}

void
weir_session_stop_recording (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_STOP_RECORDING });
}

void
weir_session_request_recording (WeirSession *self)
{
  g_return_if_fail (WEIR_IS_SESSION (self));
  send_or_apply (self, &(WeirCommand) { .kind = WEIR_COMMAND_HAND_OVER_RECORDING });
}

WeirSessionRecording *
weir_session_take_recording (WeirSession *self)
{
  WeirSessionRecording *taken;

  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  weir_sync_lock (&self->run.lock);
  taken = g_steal_pointer (&self->run.handed_over);
  weir_sync_unlock (&self->run.lock);
  return taken;
}

int
weir_session_add_log (WeirSession *self, const char *port_path, GError **error)
{
  WeirCommand command = { .kind = WEIR_COMMAND_ADD_LOG };
  WeirRun *run = &self->run;
  gboolean has_ended;

  g_return_val_if_fail (WEIR_IS_SESSION (self), -1);
  command.port = weir_recorder_find_port (run->recorder, port_path);
  if (command.port != NULL)
    return (int) weir_recorder_port_get_first_signal (command.port);
  weir_sync_lock (&run->lock);
  has_ended = run->has_ended;
  weir_sync_unlock (&run->lock);
  if (has_ended)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "\"%s\" cannot be recorded: the run has ended", port_path);
      return -1;
    }
  command.port = weir_recorder_prepare_port (run->recorder, port_path, error);
  if (command.port == NULL)
    return -1;
  send_or_apply (self, &command);
  return (int) weir_recorder_port_get_first_signal (command.port);
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
  gboolean is_settled;

  g_return_val_if_fail (WEIR_IS_SESSION (self), TRUE);
  weir_sync_lock (&run->lock);
  is_settled = run->state != WEIR_SESSION_RUNNING
               && (run->n_published == run->n_sent || run->has_ended);
  weir_sync_unlock (&run->lock);
  return is_settled;
}

GBytes *
weir_session_save (WeirSession *self, GError **error)
{
  g_return_val_if_fail (WEIR_IS_SESSION (self), NULL);
  if (!weir_session_is_settled (self) || weir_session_get_state (self) == WEIR_SESSION_IDLE
      || weir_session_get_state (self) == WEIR_SESSION_FAILED)
    {
      g_set_error_literal (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                           "a run can be copied while it pauses");
      return NULL;
    }
  /* Settled, the thread waits for a command and has published what it did before: nobody else is at
   * it. */
  return weir_simulator_save (self->run.simulator, error);
}

const char *
weir_session_get_failure (WeirSession *self)
{
  const char *failure;

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
