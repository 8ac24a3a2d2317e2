/* Running cached and uncached in lockstep. See verify.h.
 *
 * The cached side computes as runs do, with code made at run time where there is any; the uncached
 * one without, by the plan and by pull in turn, step by step: so all ways are compared.
 *
 * Each side's monitor evaluates every entry at every phase of a step and keeps a moment: phase,
 * time, states, values. After both sides have made a step their moments are compared by bytes. An
 * entry that cannot be computed counts as equal where it fails on both sides.
 *
 * Entries are compared in plan order, which is an order of evaluation by what was declared: the
 * first that differs has prerequisites that agree, so its declaration is to blame. If states differ
 * first, a wrong value went into a derivative within a step and has left no trace; then the steps
 * are retraced on the uncached side with a second cached context, which is led from one accepted
 * point to the next through changes of the state alone and of the time alone.
 */
#include "analysis/verify.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>

#include "analysis/lockstep.h"
#include "analysis/moment.h"
#include "numerics/number.h"
#include "base/text.h"
#include "sim/journal.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

#define MAX_PICTURES 4 /* a step has at most an x-plus and an end */

/* What both sides do. */
typedef struct {
  const WeirSimulatorOptions *options;
  double stop_time;      /* s */
  const guint64 *except; /* as weir_verify_without() has it */
  WeirJournal *journal;  /* NULL: nothing is done to the run */
  gint *cancel;          /* nullable */
} Terms;

typedef struct {
  const WeirMomentShape *shape;
  const Terms *terms;
  WeirJournalPlace place;
  gboolean is_initialized, is_cached, is_pulled;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirMoment moments[MAX_PICTURES];
  guint n_moments;
} Side;

/* --- One side -------------------------------------------------------------------------------- */

static WeirStatus
look (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Side *self = data;

  g_assert (self->n_moments < MAX_PICTURES);
  weir_moment_take (&self->moments[self->n_moments++], self->shape,
                    weir_simulator_get_context (simulator), phase);
  return WEIR_OK;
}

static gboolean
side_init (Side *self, const WeirMomentShape *shape, const Terms *terms, gboolean caching,
           GError **error)
{
  *self = (Side) { .shape = shape,
                   .terms = terms,
                   .is_cached = caching,
                   .context = weir_system_create_context (shape->root) };
  weir_context_set_caching (self->context, caching);
  weir_context_set_interpreted (self->context, !caching);
  weir_context_set_forgotten (self->context, caching ? terms->except : NULL);
  for (guint i = 0; i < MAX_PICTURES; i++)
    weir_moment_init (&self->moments[i], shape);
  self->simulator = weir_simulator_new (shape->root, self->context, terms->options, error);
  if (self->simulator == NULL)
    return FALSE;
  weir_simulator_set_monitor (self->simulator, look, self);
  return TRUE;
}

static void
side_clear (Side *self)
{
  for (guint i = 0; i < MAX_PICTURES; i++)
    weir_moment_clear (&self->moments[i]);
  weir_simulator_free (self->simulator);
  weir_context_free (self->context);
}

/* The first step is the initialisation. Where a run is followed, its end is the only one. */
static gboolean
side_step (Side *self, gboolean *done, GError **error)
{
  const Terms *terms = self->terms;
  double boundary = terms->stop_time;
  gboolean ok;

  self->n_moments = 0;
  *done = FALSE;
  self->is_pulled = !self->is_cached && !self->is_pulled;
  weir_context_set_pull_only (self->context, self->is_pulled);
  if (terms->journal != NULL)
    {
      *done = !weir_journal_follow (terms->journal, &self->place, self->context, terms->cancel);
      if (*done)
        return TRUE;
      boundary = self->place.boundary;
    }
  ok = self->is_initialized ? weir_simulator_step (self->simulator, boundary, done, error)
                            : weir_simulator_initialize (self->simulator, error);
  self->is_initialized = TRUE;
  *done = *done && terms->journal == NULL;
  return ok;
}

static void
count (const Side *self, guint64 *hits, guint64 *calculations)
{
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, self->shape->n_entries);

  weir_context_read_counters (self->context, counters);
  for (guint e = 0; e < self->shape->n_entries; e++)
    {
      *hits += counters[e].hits;
      *calculations += counters[e].first + counters[e].stale + counters[e].disabled;
    }
}

/* --- Comparing ------------------------------------------------------------------------------- */

static void
report (WeirVerifyResult *result, double time, char *where, double cached, double uncached)
{
  result->identical = FALSE;
  result->time = time;
  result->where = where;
  result->cached = cached;
  result->uncached = uncached;
  result->n_ulps = weir_ulp_distance (cached, uncached);
}

/* TRUE if the two moments agree. @needs_retrace: they differ in what came before any entry. */
static gboolean
compare_moments (const WeirMomentShape *shape, const WeirMoment *cached, const WeirMoment *uncached,
                 WeirVerifyResult *result, gboolean *needs_retrace)
{
  guint32 entry;
  gsize at;

  *needs_retrace = TRUE;
  if (cached->phase != uncached->phase || !weir_same_bits (cached->time, uncached->time))
    {
      report (result, fmin (cached->time, uncached->time), g_strdup (_ ("the end of a step")),
              cached->time, uncached->time);
      return FALSE;
    }
  for (gsize i = 0; i < shape->n_states + shape->n_discrete; i++)
    if (!weir_same_bits (cached->states[i], uncached->states[i]))
      {
        report (result, cached->time, weir_moment_shape_dup_state_path (shape, i),
                cached->states[i], uncached->states[i]);
        return FALSE;
      }
  result->n_compared += 1 + shape->n_states + shape->n_discrete;

  entry = weir_moment_find_difference (shape, cached, uncached, &at);
  if (entry == WEIR_NO_INDEX)
    {
      result->n_compared += shape->n_values;
      return TRUE;
    }
  *needs_retrace = FALSE;
  report (result, cached->time, weir_layout_dup_entry_path (shape->layout, (WeirEntry) { entry }),
          cached->has_value[entry] ? cached->values[at] : (double) NAN,
          uncached->has_value[entry] ? uncached->values[at] : (double) NAN);
  result->faulty_entry = g_strdup (result->where);
  return FALSE;
}

/* --- Retracing ------------------------------------------------------------------------------- */

/* Brings @context to the discrete state of @moment, changing only groups that differ. */
static void
copy_discrete (const WeirMomentShape *shape, WeirContext *context, const WeirMoment *moment)
{
  const double *discrete = moment->states + shape->n_states;
  guint n_abstract = 0;

  for (guint g = 0; g < shape->n_groups; g++)
    {
      const WeirDeclaredEvent *event = &shape->groups[g];

      if (event->size == 0)
        {
          GVariant *state = moment->abstract->pdata[n_abstract++];

          if (!g_variant_equal (
                  weir_context_get_abstract_state (context, event->node, event->group), state))
            weir_context_set_abstract_state (context, event->node, event->group, state, NULL);
        }
      else if (memcmp (weir_context_get_discrete (context, event->node, event->group), discrete,
                       event->size * sizeof *discrete)
               != 0)
        weir_context_set_discrete (context, event->node, event->group, discrete);
      discrete += weir_moment_group_size (event);
    }
}

typedef struct {
  const WeirMomentShape *shape;
  WeirContext *contexts[2]; /* cached, uncached */
  WeirMoment moments[2];
} Probe;

/* Leads both contexts to @time and @states of @moment; the first entry that then differs, or
 * none. */
static guint32
probe_at (Probe *self, double time, const double *states, const WeirMoment *moment)
{
  gsize at;

  for (guint i = 0; i < 2; i++)
    {
      copy_discrete (self->shape, self->contexts[i], moment);
      if (states != NULL)
        weir_context_set_time_and_state (self->contexts[i], time, states);
      else
        weir_context_set_time (self->contexts[i], time);
      weir_moment_take (&self->moments[i], self->shape, self->contexts[i], moment->phase);
    }
  return weir_moment_find_difference (self->shape, &self->moments[0], &self->moments[1], &at);
}

/* Brings @context to where the run followed is, so that it has the same parameters. */
static void
follow (Probe *self, const Terms *terms, WeirJournalPlace *places)
{
  for (guint i = 0; terms->journal != NULL && i < 2; i++)
    weir_journal_follow (terms->journal, &places[i], self->contexts[i], terms->cancel);
}

/* Runs the uncached side again and looks at each point for an entry that its own declaration leaves
 * stale. */
static char *
retrace (const WeirMomentShape *shape, const Terms *terms, double until)
{
  Probe probe = { .shape = shape };
  WeirJournalPlace places[2] = { 0 };
  guint32 guilty = WEIR_NO_INDEX;
  gboolean done = FALSE;
  Side truth;

  if (side_init (&truth, shape, terms, FALSE, NULL))
    {
      for (guint i = 0; i < 2; i++)
        {
          probe.contexts[i] = weir_system_create_context (shape->root);
          weir_context_set_accuracy (probe.contexts[i], terms->options->relative_tolerance);
          weir_moment_init (&probe.moments[i], shape);
        }
      weir_context_set_forgotten (probe.contexts[0], terms->except);
      weir_context_set_caching (probe.contexts[1], FALSE);
      while (guilty == WEIR_NO_INDEX && !done)
        {
          if ((terms->cancel != NULL && g_atomic_int_get (terms->cancel) != 0)
              || !side_step (&truth, &done, NULL))
            break;
          follow (&probe, terms, places);
          for (guint i = 0; i < truth.n_moments && guilty == WEIR_NO_INDEX; i++)
            {
              const WeirMoment *moment = &truth.moments[i];
              double before = weir_context_get_time (probe.contexts[0]);

              if (shape->n_states > 0)
                guilty = probe_at (&probe, before, moment->states, moment);
              if (guilty == WEIR_NO_INDEX)
                guilty = probe_at (&probe, moment->time, NULL, moment);
              done = done || moment->time > until;
            }
        }
      for (guint i = 0; i < 2; i++)
        {
          weir_context_free (probe.contexts[i]);
          weir_moment_clear (&probe.moments[i]);
        }
    }
  side_clear (&truth);
  return guilty == WEIR_NO_INDEX
             ? NULL
             : weir_layout_dup_entry_path (shape->layout, (WeirEntry) { guilty });
}

/* --- Purity ---------------------------------------------------------------------------------- */

/* Does the entry give other bits when it is calculated twice from the same sources? */
static gboolean
is_impure (const WeirMomentShape *shape, WeirContext *context, const char *path)
{
  for (guint32 e = 0; path != NULL && e < shape->n_entries; e++)
    {
      g_autofree char *other = weir_layout_dup_entry_path (shape->layout, (WeirEntry) { e });
      guint32 size = weir_layout_get_entry (shape->layout, (WeirEntry) { e }).size;
      g_autofree double *first = g_new0 (double, MAX (size, 1)),
                        *second = g_new0 (double, MAX (size, 1));

      if (!g_str_equal (other, path))
        continue;
      return size > 0 && weir_calc_entry (shape->root, context, (WeirEntry) { e }, first) == WEIR_OK
             && weir_calc_entry (shape->root, context, (WeirEntry) { e }, second) == WEIR_OK
             && memcmp (first, second, size * sizeof *first) != 0;
    }
  return FALSE;
}

/* --- The run --------------------------------------------------------------------------------- */

/* Makes steps on both sides until the end or a difference. FALSE: the run itself failed. */
static gboolean
run_lockstep (Side *cached, Side *uncached, gint *progress, WeirVerifyResult *result,
              gboolean *needs_retrace, GError **error)
{
  const Terms *terms = cached->terms;
  gboolean done = FALSE;

  result->identical = TRUE;
  while (!done && result->identical)
    {
      g_autoptr (GError) cached_error = NULL;
      g_autoptr (GError) uncached_error = NULL;
      gboolean is_first = !cached->is_initialized, uncached_done, ok, uncached_ok;

      ok = side_step (cached, &done, &cached_error);
      uncached_ok = side_step (uncached, &uncached_done, &uncached_error);
      if (terms->cancel != NULL && g_atomic_int_get (terms->cancel) != 0)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the check was stopped");
          return FALSE;
        }
      for (guint i = 0; i < MIN (cached->n_moments, uncached->n_moments); i++)
        if (!compare_moments (cached->shape, &cached->moments[i], &uncached->moments[i], result,
                              needs_retrace))
          return TRUE;
      if (ok != uncached_ok || done != uncached_done || cached->n_moments != uncached->n_moments)
        {
          *needs_retrace = TRUE;
          report (result, weir_context_get_time (uncached->context),
                  g_strdup (ok == uncached_ok ? _ ("the end of the run")
                            : ok              ? _ ("a step that fails only without caching")
                                              : _ ("a step that fails only with caching")),
                  weir_context_get_time (cached->context),
                  weir_context_get_time (uncached->context));
          return TRUE;
        }
      if (!ok)
        {
          g_propagate_error (error, g_steal_pointer (&uncached_error));
          return FALSE;
        }
      result->n_steps += !is_first && (terms->journal == NULL || !done);
      if (progress != NULL && terms->stop_time > 0)
        g_atomic_int_set (
            progress, (gint) (1000 * weir_context_get_time (uncached->context) / terms->stop_time));
    }
  return TRUE;
}

static gboolean
verify (WeirSystem *root, Terms terms, gint *progress, WeirVerifyResult *result, GError **error)
{
  gboolean ok, needs_retrace = FALSE;
  WeirSimulatorOptions each_instant = *terms.options;
  Side cached, uncached;
  WeirMomentShape shape;
  WeirSimulatorOptions on_one_thread;

  weir_simulator_options_set_each_instant (&each_instant);
  on_one_thread = each_instant;
  on_one_thread.threads = 1;
  terms.options = &each_instant;
  *result = (WeirVerifyResult) { 0 };
  weir_moment_shape_init (&shape, root);
  ok = side_init (&cached, &shape, &terms, TRUE, error);
  terms.options = &on_one_thread; /* of units, which are the same on any number of threads */
  ok = side_init (&uncached, &shape, &terms, FALSE, ok ? error : NULL) && ok;
  ok = ok && run_lockstep (&cached, &uncached, progress, result, &needs_retrace, error);
  if (ok)
    {
      guint64 uncached_calculations = 0;

      count (&cached, &result->cached_hits, &result->cached_calculations);
      count (&uncached, &result->uncached_hits, &uncached_calculations);
    }
  if (ok && !result->identical && needs_retrace)
    result->faulty_entry = retrace (&shape, &terms, result->time);
  if (ok && !result->identical)
    result->is_impure = is_impure (&shape, uncached.context,
                                   result->faulty_entry != NULL ? result->faulty_entry
                                                                : result->where);
  side_clear (&cached);
  side_clear (&uncached);
  weir_moment_shape_clear (&shape);
  return ok;
}

gboolean
weir_verify (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time, gint *cancel,
             WeirVerifyResult *result, GError **error)
{
  return weir_verify_without (root, options, stop_time, NULL, cancel, result, error);
}

gboolean
weir_verify_beside (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                    WeirJournal *journal, gint *cancel, gint *progress, WeirVerifyResult *result,
                    GError **error)
{
  Terms terms = {
    .options = options, .stop_time = stop_time, .journal = journal, .cancel = cancel
  };

  return verify (root, terms, progress, result, error);
}

gboolean
weir_verify_without (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                     const guint64 *except, gint *cancel, WeirVerifyResult *result, GError **error)
{
  Terms terms = { .options = options, .stop_time = stop_time, .except = except, .cancel = cancel };

  return verify (root, terms, NULL, result, error);
}

void
weir_verify_result_clear (WeirVerifyResult *result)
{
  g_clear_pointer (&result->where, g_free);
  g_clear_pointer (&result->faulty_entry, g_free);
}

char *
weir_verify_result_to_string (const WeirVerifyResult *result)
{
  GString *text;
  char cached[G_ASCII_DTOSTR_BUF_SIZE], uncached[G_ASCII_DTOSTR_BUF_SIZE];
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  if (result->identical)
    {
      g_autofree char *count = weir_text_group_digits (result->n_compared);

      return g_strdup_printf (weir_translate_count ("identical, %s value compared",
                                                    "identical, %s values compared",
                                                    (gulong) result->n_compared),
                              count);
    }
  text = g_string_new (NULL);
  g_string_append_printf (text, _ ("different at t = %s: %s is %s with caching and %s without"),
                          weir_number_to_text (result->time, time), result->where,
                          weir_number_to_text (result->cached, cached),
                          weir_number_to_text (result->uncached, uncached));
  if (result->is_impure)
    g_string_append_printf (text, _ ("; %s keeps memory between calls"),
                            result->faulty_entry != NULL ? result->faulty_entry : result->where);
  else if (result->faulty_entry != NULL)
    g_string_append_printf (text, _ ("; %s does not declare all that it reads"),
                            result->faulty_entry);
  return g_string_free (text, FALSE);
}
