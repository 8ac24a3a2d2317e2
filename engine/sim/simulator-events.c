/* Running the events of an instant. See simulator-private.h and, for what handlers see, leaf.h.
 *
 * A round is: all due updates read the context as it is, then their results are applied. If that
 * makes a witness cross, its updates are another round at the same time, up to a limit. Publishes
 * all run, even if one fails; the first failure is reported.
 */
#include "sim/simulator-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/number.h"
#include "system/evaluation/event.h"
#include "system/observation/change-log.h"
#include "system/context/inspection.h"

#define MAX_NOTES 1000
/* Crossings closer than so many times their tolerance follow each other with next to no time. */
#define CLOSE 1e4

static gboolean
is_update (WeirAction action)
{
  return action == WEIR_ACTION_DISCRETE_UPDATE || action == WEIR_ACTION_RESET
         || action == WEIR_ACTION_UNRESTRICTED_UPDATE;
}

void
weir_simulator_list_events (WeirSimulator *self)
{
  self->n_events = weir_system_get_n_events (self->root);
  self->events = g_new0 (WeirSimulatorEvent, self->n_events);
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirDeclaredEvent declared = weir_system_get_event (self->root, i);
      gboolean is_per_step = declared.trigger == WEIR_TRIGGER_PER_STEP;

      self->events[i].declared = declared;
      self->has_step_updates |= is_per_step && is_update (declared.action);
      self->has_step_publishes |= is_per_step && !is_update (declared.action);
      self->has_timed |= declared.trigger == WEIR_TRIGGER_TIMED;
      self->has_sides |= declared.trigger == WEIR_TRIGGER_SIDES && is_update (declared.action);
    }
  self->updates = weir_updates_new (self->root);
  self->crossings = weir_crossings_new (&self->problem, self->options.event_tolerance);
}

void
weir_simulator_own_changes (WeirSimulator *self)
{
  self->n_changes = weir_context_get_n_events (self->context);
}

/* Trials move time and state and bring them back, whoever makes them. Where the solver is to
 * restart it does not know the state any more, and another look at events does no harm. */
void
weir_simulator_take_up_changes (WeirSimulator *self)
{
  const double *x = weir_context_get_state (self->context);

  if (weir_context_get_n_events (self->context) == self->n_changes)
    return;
  if (weir_context_has_changed_since (self->context, self->n_changes)
      || (self->solver != NULL
          && (self->needs_restart
              || memcmp (x, self->solver->x, self->problem.n * sizeof *x) != 0)))
    self->needs_restart = self->is_changed = TRUE;
  weir_simulator_own_changes (self);
}

/* --- One event ------------------------------------------------------------------------------- */

void
weir_simulator_note (WeirSimulator *self, WeirTroubleKind kind, WeirSeverity severity,
                     const char *path, WeirMessage *message)
{
  g_autoptr (WeirMessage) said = message;
  char time[WEIR_TIME_TEXT_SIZE];
  WeirTrouble *note;

  if (self->notes->len >= MAX_NOTES && kind != WEIR_TROUBLE_END)
    return;
  note = weir_trouble_new (kind, severity, self->time,
                           weir_message_new (N_ ("%s at t = %s: %s"),
                                             *path != '\0' ? path : weir_phrase (N_ ("the model")),
                                             weir_time_to_text (self->time, NAN, time),
                                             weir_message_get_text (said)));
  g_free (note->path);
  note->path = g_strdup (path);
  g_ptr_array_add (self->notes, note);
}

static void
take_note (WeirSimulator *self, const WeirSimulatorEvent *event, WeirOccurrence *occurrence,
           WeirStatus status)
{
  gboolean ends = status == WEIR_TERMINATE;
  g_autofree char *path = NULL;

  if (occurrence->message == NULL && ends)
    occurrence->message = weir_message_new (N_ ("ends the run"));
  if (occurrence->message == NULL)
    return;
  path = weir_layout_dup_path (self->problem.layout, event->declared.node);
  weir_simulator_note (self, ends ? WEIR_TROUBLE_END : WEIR_TROUBLE_NOTE,
                       occurrence->is_warning ? WEIR_SEVERITY_WARNING : WEIR_SEVERITY_HINT, path,
                       g_steal_pointer (&occurrence->message));
}

/* Calls the handler; counts it where it did something. */
static gboolean
run_event (WeirSimulator *self, guint i, GError **error)
{
  WeirSimulatorEvent *event = &self->events[i];
  WeirSimulatorStatistics *statistics = &self->statistics;
  WeirOccurrence occurrence = { .n = event->n };
  WeirStatus status;

  if (!is_update (event->declared.action))
    weir_context_set_phase (self->context, WEIR_LOG_PHASE_PUBLISH);
  if (event->declared.trigger == WEIR_TRIGGER_CROSSING)
    occurrence.directions = weir_crossings_get_directions (self->crossings, i);
  status = is_update (event->declared.action)
               ? weir_updates_call (self->updates, self->context, i, &occurrence)
               : weir_system_call_event (self->root, self->context, i, &occurrence, NULL);
  take_note (self, event, &occurrence, status);
  if (status == WEIR_FAILED || status == WEIR_PENDING)
    return weir_simulator_fail (self, weir_phrase (N_ ("an event failed")), error);
  if (status == WEIR_TERMINATE)
    self->is_terminated = TRUE;
  if (status == WEIR_DID_NOTHING)
    return TRUE;
  event->count++;
  switch (event->declared.action)
    {
    case WEIR_ACTION_PUBLISH:
      statistics->publishes++;
      break;
    case WEIR_ACTION_DISCRETE_UPDATE:
      statistics->discrete_updates++;
      break;
    case WEIR_ACTION_RESET:
      statistics->resets++;
      break;
    case WEIR_ACTION_UNRESTRICTED_UPDATE:
      statistics->unrestricted_updates++;
      break;
    case WEIR_ACTION_BREAK:
    default:
      self->needs_restart = TRUE;
    }
  return TRUE;
}

/* Goes on to the event's next occurrence. */
static gboolean
reschedule (WeirSimulator *self, WeirSimulatorEvent *event, GError **error)
{
  event->is_due = FALSE;
  event->n++;
  if (event->declared.trigger != WEIR_TRIGGER_PERIODIC)
    {
      event->time = INFINITY; /* of a timed event: asked for afterwards */
      return TRUE;
    }
  event->time = weir_periodic_time (event->declared.period, event->declared.offset, event->n);
  if (weir_is_same_instant (event->time, self->time))
    {
      g_autofree char *path = weir_layout_dup_path (self->problem.layout, event->declared.node);
      char time[WEIR_TIME_TEXT_SIZE];

      weir_simulator_set_cause_node (self, WEIR_TROUBLE_EVENTS, event->declared.node);
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "%s: a period of %g s is too short to be told apart at t = %s", path,
                      event->declared.period, weir_time_to_text (self->time, NAN, time));
      return FALSE;
    }
  return TRUE;
}

/* Asks the leaves for the times of their next events. */
static gboolean
ask_times (WeirSimulator *self, GError **error)
{
  for (guint i = 0; i < self->n_events && self->has_timed; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];
      double after = self->is_at_start ? nextafter (self->time, -INFINITY) : self->time;

      if (event->declared.trigger != WEIR_TRIGGER_TIMED || event->is_due)
        continue;
      do
        {
          if (weir_system_call_next_time (self->root, self->context, i, after, &event->time)
              != WEIR_OK)
            return weir_simulator_fail (
                self, weir_phrase (N_ ("a leaf has no time for its next event")), error);
          after = event->time; /* what rounding puts a little after this instant has been */
        }
      while (!self->is_at_start && weir_is_same_instant (event->time, self->time));
      if (!weir_simulator_check_recurrence (self, i, error))
        return FALSE;
    }
  return TRUE;
}

double
weir_simulator_get_next_event_time (const WeirSimulator *self, gboolean *is_timed)
{
  double next = INFINITY;

  *is_timed = FALSE;
  for (guint i = 0; i < self->n_events; i++)
    next = MIN (next, self->events[i].time);
  for (guint i = 0; i < self->n_events; i++)
    *is_timed |= self->events[i].declared.trigger == WEIR_TRIGGER_TIMED && isfinite (next)
                 && weir_is_same_instant (self->events[i].time, next);
  return next;
}

/* --- Crossings ------------------------------------------------------------------------------- */

static gboolean
fail_sent_back (WeirSimulator *self, guint i, GError **error)
{
  const WeirDeclaredEvent *declared = &self->events[i].declared;
  g_autofree char *path = weir_layout_dup_path (self->problem.layout, declared->node);
  g_autofree char *entry = weir_layout_dup_entry_path (self->problem.layout, declared->witness);
  char time[WEIR_TIME_TEXT_SIZE];

  weir_simulator_set_cause_node (self, WEIR_TROUBLE_EVENTS, declared->node);
  weir_error_set (
      error, WEIR_ERROR_FAILED,
      "%s: zero is crossed (%s) and the event stops what crosses it or sends it back, but "
      "it goes on at t = %s: the way back is too short to be seen, where events pile up "
      "towards an instant "
      "(Zeno), or there is none. Give the block a state of rest.",
      *path != '\0' ? path : weir_phrase (N_ ("the model")), entry,
      weir_time_to_text (self->time, NAN, time));
  return FALSE;
}

static gboolean
fail_piled (WeirSimulator *self, guint i, guint n, double length, GError **error)
{
  const WeirDeclaredEvent *declared = &self->events[i].declared;
  g_autofree char *path = weir_layout_dup_path (self->problem.layout, declared->node);
  g_autofree char *entry = weir_layout_dup_entry_path (self->problem.layout, declared->witness);
  char time[WEIR_TIME_TEXT_SIZE];

  weir_simulator_set_cause_node (self, WEIR_TROUBLE_EVENTS, declared->node);
  weir_error_set (
      error, WEIR_ERROR_FAILED,
      "%s: %u zero crossings (%s) within %.3g s at t = %s: the model chatters, sliding "
      "along a switching surface, or its events pile up towards an instant (Zeno). Give "
      "the block some hysteresis or a state of rest.",
      *path != '\0' ? path : weir_phrase (N_ ("the model")), n, entry, length,
      weir_time_to_text (self->time, NAN, time));
  return FALSE;
}

/* Events of one block that come ever closer, or without end at one place, are reported. */
static gboolean
check_chattering (WeirSimulator *self, guint i, GError **error)
{
  WeirSimulatorEvent *event = &self->events[i];
  double tolerance = weir_crossings_get_tolerance (self->crossings, self->time, self->step_taken);
  gboolean is_close = event->count + event->n_close > 0
                      && self->time - event->last_crossing
                             <= MAX (CLOSE * tolerance, WEIR_NO_PROGRESS * self->horizon);

  if (!is_close)
    {
      event->n_close = 0;
      event->first_close = self->time;
    }
  event->last_crossing = self->time;
  event->n_close++;
  if (self->options.max_crossings > 0 && event->n_close > self->options.max_crossings)
    return fail_piled (self, i, event->n_close, self->time - event->first_close, error);
  return TRUE;
}

gboolean
weir_simulator_judge_crossings (WeirSimulator *self, GError **error)
{
  double begin, end, length;
  gboolean is_sent_back;
  WeirEntry witness;
  WeirGraze graze;
  guint n, i;

  if (weir_crossings_get_doubt (self->crossings, &witness, &begin, &end))
    weir_simulator_doubt_crossings (self, witness, begin, end);
  if (weir_crossings_get_graze (self->crossings, &graze))
    weir_simulator_doubt_graze (self, &graze);
  i = weir_crossings_get_pile (self->crossings, &n, &length, &is_sent_back);
  if (i == G_MAXUINT)
    return TRUE;
  return is_sent_back ? fail_sent_back (self, i, error) : fail_piled (self, i, n, length, error);
}

/* Runs the publishes and breaks of crossings just found, and marks their updates as due. */
static gboolean
meet_crossings (WeirSimulator *self, GError **error)
{
  gboolean ok = TRUE;

  self->statistics.crossings++;
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];

      if (event->declared.trigger != WEIR_TRIGGER_CROSSING
          || weir_crossings_get_directions (self->crossings, i) == NULL)
        continue;
      if (self->is_at_start && event->declared.rank == WEIR_RANK_EDGE)
        continue;
      if (!check_chattering (self, i, ok ? error : NULL))
        ok = FALSE;
      else if (is_update (event->declared.action))
        event->is_due = self->has_due = TRUE;
      else
        {
          if (!run_event (self, i, ok ? error : NULL))
            ok = FALSE;
          event->n++;
        }
    }
  return ok;
}

/* --- An instant ------------------------------------------------------------------------------ */

gboolean
weir_simulator_meet_events (WeirSimulator *self, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];
      gboolean is_per_step = event->declared.trigger == WEIR_TRIGGER_PER_STEP;

      if (event->is_due || !(is_per_step || weir_is_same_instant (event->time, self->time)))
        continue;
      if (is_update (event->declared.action))
        {
          if (!is_per_step)
            event->is_due = self->has_due = TRUE;
          continue;
        }
      if (!run_event (self, i, ok ? error : NULL) || !reschedule (self, event, ok ? error : NULL))
        ok = FALSE;
    }
  if (self->has_crossed && !meet_crossings (self, ok ? error : NULL))
    ok = FALSE;
  self->has_crossed = FALSE;
  return ok && ask_times (self, error);
}

/* The updates due now: all see x-minus, then all results are applied. @any: something
 * was written. */
static gboolean
run_round (WeirSimulator *self, gboolean *any, GError **error)
{
  const WeirSimulatorStatistics before = self->statistics;
  gboolean ok = TRUE;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_DISCRETE_UPDATE);
  if (self->crossings != NULL)
    weir_crossings_note_rates (self->crossings);
  for (guint i = 0; i < self->n_events && ok; i++)
    if (self->events[i].is_due)
      ok = run_event (self, i, error);
  if (!ok)
    {
      weir_updates_clear (self->updates);
      return FALSE;
    }
  if (weir_updates_apply (self->updates, self->context) != WEIR_OK)
    return weir_simulator_fail (
        self, weir_phrase (N_ ("the results of an update cannot be applied")), error);
  *any |= before.discrete_updates != self->statistics.discrete_updates
          || before.resets != self->statistics.resets
          || before.unrestricted_updates != self->statistics.unrestricted_updates;
  for (guint i = 0; i < self->n_events; i++)
    if (self->events[i].is_due && !reschedule (self, &self->events[i], error))
      return FALSE;
  self->has_due = FALSE;
  return ask_times (self, error);
}

/* Rounds until nothing follows from them at this instant. */
static gboolean
run_rounds (WeirSimulator *self, gboolean *any, GError **error)
{
  for (guint iteration = 0;; iteration++)
    {
      gboolean has_crossed = FALSE;

      if (!run_round (self, any, error))
        return FALSE;
      if (self->crossings == NULL)
        return TRUE;
      if (!weir_crossings_compare (self->crossings, &has_crossed, error))
        return FALSE;
      if (!has_crossed)
        return TRUE;
      if (iteration >= self->options.max_event_iterations)
        {
          g_autofree char *path = NULL;
          char time[WEIR_TIME_TEXT_SIZE];

          for (guint i = 0; i < self->n_events && path == NULL; i++)
            if (self->events[i].declared.trigger == WEIR_TRIGGER_CROSSING
                && weir_crossings_get_directions (self->crossings, i) != NULL)
              {
                path = weir_layout_dup_path (self->problem.layout, self->events[i].declared.node);
                weir_simulator_set_cause_node (self, WEIR_TROUBLE_EVENTS,
                                               self->events[i].declared.node);
              }
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "%s: events follow from each other without end at t = %s; %u rounds were "
                          "tried",
                          path != NULL && *path != '\0' ? path : weir_phrase (N_ ("the model")),
                          weir_time_to_text (self->time, NAN, time), iteration + 1);
          return FALSE;
        }
      self->statistics.event_iterations++;
      if (!meet_crossings (self, error))
        return FALSE;
      if (!self->has_due)
        return TRUE;
    }
}

gboolean
weir_simulator_take_nominals (WeirSimulator *self)
{
  const double *said = weir_layout_get_state_nominals (self->problem.layout);
  gboolean is_other = FALSE;
  guint first, n;
  WeirNode node;
  WeirGroup group;

  for (guint i = 0;
       weir_layout_get_nominals_group (self->problem.layout, i, &node, &group, &first, &n); i++)
    {
      const double *now = weir_context_get_discrete (self->context, node, group);

      if (self->nominals == NULL)
        {
          self->nominals = g_new (double, self->problem.n);
          for (guint k = 0; k < self->problem.n; k++)
            self->nominals[k] = said != NULL ? said[k] : 1;
        }
      for (guint k = 0; k < n; k++)
        {
          double nominal = isfinite (now[k]) && now[k] > 0 ? now[k] : 1;

          is_other |= self->nominals[first + k] != nominal;
          self->nominals[first + k] = nominal;
        }
    }
  if (is_other) /* until then what the model says holds, or nothing */
    self->problem.nominals = self->nominals;
  return is_other;
}

/* A one-step method only has to look again; a multistep method loses its history, so it is asked to
 * only for a reason: that the derivative jumped. */
gboolean
weir_simulator_execute_updates (WeirSimulator *self, gboolean *is_news, GError **error)
{
  gboolean compares = self->solver != NULL && self->solver->is_multistep && !self->needs_restart;
  gboolean has_due = self->has_due, any = FALSE;
  gsize size = self->problem.n * sizeof (double);

  for (guint i = 0; i < self->n_events && self->has_step_updates; i++)
    if (self->events[i].declared.trigger == WEIR_TRIGGER_PER_STEP
        && is_update (self->events[i].declared.action))
      self->events[i].is_due = TRUE;
  if (compares)
    {
      const double *before = weir_eval_derivatives (self->root, self->context);

      if (before == NULL)
        return weir_simulator_fail (self, weir_phrase (N_ ("the derivatives cannot be computed")),
                                    error);
      memcpy (self->derivatives, before, size);
    }
  self->is_changed = FALSE;
  if (!run_rounds (self, &any, error))
    return FALSE;
  if (any && compares && !self->needs_restart)
    {
      const double *after = weir_eval_derivatives (self->root, self->context);

      if (after == NULL)
        return weir_simulator_fail (self, weir_phrase (N_ ("the derivatives cannot be computed")),
                                    error);
      self->needs_restart = memcmp (self->derivatives, after, size) != 0
                            || memcmp (self->solver->x, weir_context_get_state (self->context),
                                       size)
                                   != 0;
    }
  else if (any)
    self->needs_restart = TRUE;
  if (any && weir_simulator_take_nominals (self))
    self->needs_restart = TRUE;
  *is_news = has_due || any;
  return TRUE;
}

/* Changes no present value, so nothing restarts; what is kept may bring a later event, which is
 * asked for when those of this instant are over. */
gboolean
weir_simulator_keep_past (WeirSimulator *self, gboolean is_begin, GError **error)
{
  gboolean any = FALSE;

  weir_context_set_phase (self->context, WEIR_LOG_PHASE_DISCRETE_UPDATE);
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];
      WeirOccurrence occurrence = { .n = is_begin && self->needs_restart };
      WeirStatus status;

      if (event->declared.trigger != WEIR_TRIGGER_SIDES || !is_update (event->declared.action))
        continue;
      status = weir_updates_call (self->updates, self->context, i, &occurrence);
      take_note (self, event, &occurrence, status);
      if (status == WEIR_DID_NOTHING)
        continue;
      if (status == WEIR_FAILED || status == WEIR_PENDING)
        {
          weir_updates_clear (self->updates);
          return weir_simulator_fail (self, weir_phrase (N_ ("an event failed")), error);
        }
      event->count++;
      any = TRUE;
    }
  if (any && weir_updates_apply (self->updates, self->context) != WEIR_OK)
    return weir_simulator_fail (
        self, weir_phrase (N_ ("the results of an update cannot be applied")), error);
  return !any || !is_begin || ask_times (self, error);
}

/* --- Beginning, forcing ---------------------------------------------------------------------- */

/* What remembers begins with what modes show when they have settled. */
static gboolean
run_initialization_events (WeirSimulator *self, GError **error)
{
  gboolean any = FALSE;

  for (guint8 rank = 0; rank <= WEIR_RANK_EDGE; rank++)
    {
      for (guint i = 0; i < self->n_events; i++)
        {
          WeirSimulatorEvent *event = &self->events[i];

          if (event->declared.trigger == WEIR_TRIGGER_INITIALIZATION && event->declared.rank == rank
              && is_update (event->declared.action))
            event->is_due = self->has_due = TRUE;
        }
      if (self->has_due && !run_rounds (self, &any, error))
        return FALSE;
    }
  for (guint i = 0; i < self->n_events; i++)
    if (self->events[i].declared.trigger == WEIR_TRIGGER_INITIALIZATION
        && !is_update (self->events[i].declared.action) && !self->is_terminated
        && !run_event (self, i, error))
      return FALSE;
  return TRUE;
}

gboolean
weir_simulator_begin_events (WeirSimulator *self, GError **error)
{
  for (guint i = 0; i < self->n_events; i++)
    {
      WeirSimulatorEvent *event = &self->events[i];
      const WeirDeclaredEvent declared = event->declared;

      *event = (WeirSimulatorEvent) { .declared = declared, .time = INFINITY };
      if (declared.trigger != WEIR_TRIGGER_PERIODIC)
        continue;
      event->n = weir_periodic_find (declared.period, declared.offset, self->time, FALSE);
      event->time = weir_periodic_time (declared.period, declared.offset, event->n);
    }
  weir_updates_clear (self->updates);
  if (self->crossings != NULL && !weir_crossings_start (self->crossings, error))
    return FALSE;
  if (!self->options.skips_initialization_events && !run_initialization_events (self, error))
    return FALSE;
  if (!ask_times (self, error))
    return FALSE;
  self->is_at_start = FALSE;
  return weir_simulator_meet_events (self, error);
}

gboolean
weir_simulator_run_forced (WeirSimulator *self, WeirAction action, GError **error)
{
  weir_simulator_take_up_changes (self);
  for (guint i = 0; i < self->n_events; i++)
    if (self->events[i].declared.trigger == WEIR_TRIGGER_FORCED
        && self->events[i].declared.action == action)
      {
        if (!run_event (self, i, error))
          {
            weir_updates_clear (self->updates);
            return FALSE;
          }
        self->events[i].n++;
      }
  if (weir_updates_apply (self->updates, self->context) != WEIR_OK)
    return weir_simulator_fail (
        self, weir_phrase (N_ ("the results of an update cannot be applied")), error);
  if (is_update (action))
    self->needs_restart = self->is_changed = TRUE;
  weir_simulator_own_changes (self);
  return TRUE;
}

/* --- Looking --------------------------------------------------------------------------------- */

guint64
weir_simulator_get_event_count (WeirSimulator *self, guint i)
{
  g_return_val_if_fail (i < self->n_events, 0);

  return self->events[i].count;
}

guint
weir_simulator_get_n_notes (WeirSimulator *self)
{
  return self->notes->len;
}

WeirTrouble *
weir_simulator_get_note (WeirSimulator *self, guint i)
{
  g_return_val_if_fail (i < self->notes->len, NULL);

  return g_ptr_array_index (self->notes, i);
}
