/* Checking lessons. See lesson-check.h. */
#include "lessons/lesson-check.h"

#include "base/text.h"
#include "base/phrase.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "analysis/audit.h"
#include "analysis/verify.h"
#include "base/status.h"
#include "blocks/library/registry.h"
#include "model/completion/completion.h"

#define MAX_RUN 10000000 /* steps of a run; who walks through a lesson sees no end of more */

/* --- Names ----------------------------------------------------------------------------------- */

/* What a WEIR_LESSON_SET action gives a running leaf. FALSE and @error if there is no such
 * parameter of the model, the value does not parse, or it would take another run. @leaf_parameter:
 * borrowed from the block's type; @values: (transfer full). */
static gboolean
resolve_set (const WeirLessonAction *action, WeirModel *model, const char **leaf_parameter,
             double **values, guint *n_values, GError **error)
{
  const WeirBlock *block = weir_model_find_path (model, action->block);
  const WeirBlockType *type = block != NULL ? weir_registry_find (weir_block_get_type_name (block))
                                            : NULL;
  const WeirParameterSpec *spec = weir_block_type_find_parameter (type, action->parameter);

  if (spec == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                      "the model has no parameter \"%s\" of a block \"%s\"", action->parameter,
                      action->block);
      return FALSE;
    }
  if (!weir_model_is_tunable (block, action->parameter, leaf_parameter))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "%s.%s cannot be changed while a model runs",
                      action->block, action->parameter);
      return FALSE;
    }
  if (!weir_parameter_spec_check (spec, action->value, error))
    return FALSE;
  *values = weir_value_parse (action->value, n_values, error);
  return *values != NULL;
}

gboolean
weir_lesson_find_entry (WeirLayout *layout, const char *path, WeirEntry *entry)
{
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      g_autofree char *name = weir_layout_dup_entry_path (layout, (WeirEntry) { e });

      if (strcmp (name, path) == 0)
        {
          entry->i = e;
          return TRUE;
        }
    }
  return FALSE;
}

/* --- Expectations ---------------------------------------------------------------------------- */

guint64
weir_lesson_get_count (const WeirCounters *counters, WeirLessonCount count)
{
  switch (count)
    {
    case WEIR_LESSON_HITS:
      return counters->hits;
    case WEIR_LESSON_MISSES:
      return counters->first + counters->stale + counters->disabled;
    case WEIR_LESSON_FIRST:
      return counters->first;
    case WEIR_LESSON_STALE:
      return counters->stale;
    case WEIR_LESSON_DISABLED:
      return counters->disabled;
    case WEIR_LESSON_INVALIDATIONS:
      return counters->invalidations;
    case WEIR_LESSON_N_COUNTS:
    default:
      g_return_val_if_reached (0);
    }
}

static void
check_expectation (const WeirLessonExpectation *expected, guint n, WeirLayout *layout,
                   const WeirSnapshot *snapshot, WeirDiagnostics *diagnostics)
{
  gboolean is_stale;
  WeirEntry entry;

  if (!weir_lesson_find_entry (layout, expected->entry, &entry))
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0, expected->line,
                            N_ ("Step %u: the model has no cached value \"%s\"."), n + 1,
                            expected->entry);
      return;
    }
  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    {
      guint64 count = weir_lesson_get_count (&snapshot->counters[entry.i], (WeirLessonCount) i);

      if (expected->counts[i] >= 0 && (guint64) expected->counts[i] != count)
        weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0, expected->line,
                              N_ ("Step %u: %s of %s: %ld expected, %lu counted."), n + 1,
                              weir_lesson_count_get_name ((WeirLessonCount) i), expected->entry,
                              (long) expected->counts[i], (gulong) count);
    }
  is_stale = weir_bit (snapshot->flags, entry.i);
  if (expected->state != WEIR_LESSON_ANY_STATE
      && is_stale != (expected->state == WEIR_LESSON_OUT_OF_DATE))
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0, expected->line,
                          N_ ("Step %u: %s is %s."), n + 1, expected->entry,
                          weir_phrase (is_stale ? N_ ("out of date") : N_ ("up to date")));
}

/* Compares what step @n (from 0) expects with a snapshot taken after its actions: a diagnostic
 * LES02 for each difference. */
static void
check_step (const WeirLesson *self, guint n, WeirLayout *layout, const WeirSnapshot *snapshot,
            WeirDiagnostics *diagnostics)
{
  const WeirLessonStep *step = self->steps->pdata[n];

  for (guint i = 0; i < step->expectations->len; i++)
    check_expectation (&g_array_index (step->expectations, WeirLessonExpectation, i), n, layout,
                       snapshot, diagnostics);
}

/* --- Actions --------------------------------------------------------------------------------- */

typedef struct {
  const WeirLesson *lesson;
  WeirModel *model;
  WeirSystem *system;
  const WeirSimulatorOptions *options;
  double stop_time;
  WeirSession *session;
} Walk;

static gboolean
begin (Walk *walk, GError **error)
{
  g_auto (GStrv) recorded_ports = weir_model_dup_recorded_ports (walk->model);

  g_clear_object (&walk->session);
  walk->session = weir_session_new (walk->system, walk->options, walk->stop_time, 0,
                                    (const char *const *) recorded_ports, error);
  return walk->session != NULL;
}

/* Waits until the run has done what it was told. */
static gboolean
settle (Walk *walk, GError **error)
{
  while (!weir_session_is_settled (walk->session))
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
  if (weir_session_get_state (walk->session) != WEIR_SESSION_FAILED)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (weir_session_get_failure (walk->session));
  return FALSE;
}

static gboolean
set_parameter (Walk *walk, const WeirLessonAction *action, GError **error)
{
  g_autofree double *values = NULL;
  const char *parameter;
  guint n;

  if (!resolve_set (action, walk->model, &parameter, &values, &n, error))
    return FALSE;
  weir_session_set_parameter (walk->session, action->block, parameter, values, n);
  return TRUE;
}

static gboolean
act (Walk *walk, const WeirLessonAction *action, GError **error)
{
  WeirEntry entry;

  if (walk->session == NULL && action->kind != WEIR_LESSON_BEGIN && !begin (walk, error))
    return FALSE;
  switch (action->kind)
    {
    case WEIR_LESSON_BEGIN:
      return begin (walk, error);
    case WEIR_LESSON_RUN:
      weir_session_run_until (walk->session, action->time);
      break;
    case WEIR_LESSON_TAKE:
      for (guint i = 0; i < action->n; i++)
        {
          weir_session_step (walk->session);
          if (!settle (walk, error))
            return FALSE;
          if (weir_session_get_state (walk->session) == WEIR_SESSION_FINISHED)
            break; /* there are no more steps to take */
        }
      break;
    case WEIR_LESSON_SET:
      if (!set_parameter (walk, action, error))
        return FALSE;
      break;
    case WEIR_LESSON_CACHING:
      weir_session_set_caching (walk->session, action->enabled);
      break;
    case WEIR_LESSON_ENTRY_CACHING:
      if (!weir_lesson_find_entry (weir_session_get_layout (walk->session), action->entry, &entry))
        {
          weir_error_set (error, WEIR_ERROR_NOT_FOUND, "the model has no cached value \"%s\"",
                          action->entry);
          return FALSE;
        }
      weir_session_set_entry_caching (walk->session, entry.i, action->enabled);
      break;
    default:
      g_return_val_if_reached (FALSE);
    }
  return settle (walk, error);
}

/* FALSE if an action cannot be done, which makes what follows pointless. */
static gboolean
walk_step (Walk *walk, guint n, WeirDiagnostics *diagnostics)
{
  const WeirLessonStep *step = walk->lesson->steps->pdata[n];

  for (guint i = 0; i < step->shown->len; i++)
    if (weir_model_find_path (walk->model, step->shown->pdata[i]) == NULL)
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0, step->line,
                            N_ ("Step %u: the model has no block \"%s\" to show."), n + 1,
                            (const char *) step->shown->pdata[i]);
  for (guint i = 0; i < step->actions->len; i++)
    {
      const WeirLessonAction *action = &g_array_index (step->actions, WeirLessonAction, i);
      g_autoptr (GError) error = NULL;

      if (!act (walk, action, &error))
        {
          weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES03", "", 0, 0, action->line,
                                N_ ("Step %u: %s%s"), n + 1, weir_error_get_text (error),
                                g_str_has_suffix (weir_error_get_text (error), ".") ? "" : ".");
          return FALSE;
        }
    }
  if (step->expectations->len > 0 && walk->session == NULL && !begin (walk, NULL))
    return FALSE;
  if (step->expectations->len > 0)
    check_step (walk->lesson, n, weir_session_get_layout (walk->session),
                weir_session_get_snapshot (walk->session), diagnostics);
  return TRUE;
}

/* --- Verify and audit ------------------------------------------------------------------------ */

static void
check_verify (const Walk *walk, WeirDiagnostics *diagnostics)
{
  const WeirLesson *lesson = walk->lesson;
  WeirVerifyResult result;
  g_autoptr (GError) error = NULL;

  if (!weir_verify (walk->system, walk->options, walk->stop_time, NULL, &result, &error))
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES03", "", 0, 0,
                            lesson->verify_line, "%s.", weir_error_get_text (error));
      return;
    }
  if (result.identical != (lesson->verify_identical == 1)
      || (lesson->faulty_entry != NULL
          && g_strcmp0 (lesson->faulty_entry, result.faulty_entry) != 0))
    {
      g_autofree char *text = weir_verify_result_to_string (&result);

      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0,
                            lesson->verify_line, N_ ("Cached against uncached: %s."), text);
    }
  weir_verify_result_clear (&result);
}

static void
check_audit (const Walk *walk, WeirDiagnostics *diagnostics)
{
  const WeirLesson *lesson = walk->lesson;
  WeirAuditResult result;
  g_autoptr (GError) error = NULL;

  if (!weir_audit (walk->system, walk->options, walk->stop_time, NULL, &result, &error))
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES03", "", 0, 0, lesson->audit_line,
                            "%s.", weir_error_get_text (error));
      return;
    }
  if ((lesson->audit_errors >= 0 && result.n_errors != lesson->audit_errors)
      || (lesson->audit_hints >= 0 && result.n_hints != lesson->audit_hints))
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES02", "", 0, 0, lesson->audit_line,
                          N_ ("The audit finds %u errors and %u hints."), result.n_errors,
                          result.n_hints);
  weir_audit_result_clear (&result);
}

void
weir_lesson_check (const WeirLesson *self, WeirModel *model, WeirSystem *system,
                   const WeirSimulatorOptions *options, double stop_time,
                   WeirDiagnostics *diagnostics)
{
  WeirSimulatorOptions bounded = *options;
  Walk walk = { self, model, system, &bounded, stop_time, NULL };

  if (bounded.max_steps == 0)
    bounded.max_steps = MAX_RUN;

  for (guint n = 0; n < self->steps->len; n++)
    if (!walk_step (&walk, n, diagnostics))
      break;
  g_clear_object (&walk.session);
  if (self->verify_identical >= 0)
    check_verify (&walk, diagnostics);
  if (self->audit_errors >= 0 || self->audit_hints >= 0)
    check_audit (&walk, diagnostics);
}
