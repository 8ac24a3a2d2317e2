/* The audit: a run that is observed, then its instants examined. See audit.h. */
#include "analysis/audit-private.h"

#include <gio/gio.h>

#define MAX_INSTANTS 6
#define MAX_CALCULATIONS                                                                           \
  60000000 /* at all instants; beyond, each source is tried on nearby entries only */

typedef struct {
  GPtrArray *samples;     /* WeirContext */
  WeirAuditValue *values; /* of all entries, looked at after every step */
  double next, interval;
  gboolean has_plus; /* an instant right after updates */
} Sampler;

static WeirStatus
sample (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Sampler *self = data;
  WeirContext *context = weir_simulator_get_context (simulator);
  double time = weir_context_get_time (context);
  gboolean is_due = time >= self->next || (phase == WEIR_PHASE_PLUS && !self->has_plus);
  guint n_entries = weir_layout_get_n_entries (weir_context_get_layout (context));

  /* Somebody may log any of them, so all are observed, and what a declaration costs is counted. */
  for (guint32 e = 0; e < n_entries; e++)
    weir_audit_value_eval (&self->values[e], weir_simulator_get_system (simulator), context,
                           (WeirEntry) { e });
  if (!is_due || self->samples->len >= MAX_INSTANTS)
    return WEIR_OK;
  self->has_plus = self->has_plus || phase == WEIR_PHASE_PLUS;
  while (self->next <= time)
    self->next += self->interval;
  g_ptr_array_add (self->samples, weir_context_clone (context));
  return WEIR_OK;
}

/* Makes the run with every calculation observed. */
static gboolean
run (WeirAudit *self, const WeirSimulatorOptions *options, double stop_time, Sampler *sampler,
     GError **error)
{
  WeirContext *context = weir_system_create_context (self->root);
  WeirSimulatorOptions each_instant = *options;
  g_autoptr (WeirSimulator) simulator = NULL;
  gboolean ok;

  weir_simulator_options_set_each_instant (&each_instant);
  simulator = weir_simulator_new (self->root, context, &each_instant, error);
  g_ptr_array_add (self->retired, context);
  if (simulator == NULL)
    return FALSE;
  sampler->interval = stop_time > 0 ? stop_time / (MAX_INSTANTS - 1) : 1;
  sampler->next = weir_context_get_time (context);
  weir_simulator_set_monitor (simulator, sample, sampler);
  weir_simulator_set_cancel (simulator, self->cancel);
  weir_context_set_observer (context, self->observer);
  ok = weir_simulator_initialize (simulator, error)
       && weir_simulator_advance_to (simulator, stop_time, error);
  weir_context_set_observer (context, NULL);
  if (ok && sampler->samples->len == 0)
    g_ptr_array_add (sampler->samples, weir_context_clone (context));
  return ok;
}

static void
audit_init (WeirAudit *self, WeirSystem *root, const gint *cancel, WeirAuditResult *result)
{
  *self = (WeirAudit) {
    .root = root,
    .layout = weir_system_get_layout (root),
    .cancel = cancel,
    .result = result,
    .max_calculations = MAX_CALCULATIONS / MAX_INSTANTS,
  };
  self->n_entries = weir_layout_get_n_entries (self->layout);
  self->observer = weir_observer_new (self->layout);
  self->sources = weir_layout_list_sources (self->layout);
  self->moved = g_new0 (guint64 *, MAX (self->n_entries, 1));
  self->has_value = g_new0 (gboolean, MAX (self->n_entries, 1));
  self->is_impure = g_new0 (gboolean, MAX (self->n_entries, 1));
  self->retired = g_ptr_array_new ();
}

static void
audit_clear (WeirAudit *self)
{
  for (guint i = 0; i < self->retired->len; i++)
    g_clear_pointer ((WeirContext **) &self->retired->pdata[i], weir_context_free);
  g_ptr_array_unref (self->retired);
  for (guint e = 0; e < self->n_entries; e++)
    g_free (self->moved[e]);
  g_free (self->moved);
  g_free (self->has_value);
  g_free (self->is_impure);
  g_array_unref (self->sources);
  weir_observer_free (self->observer);
}

/* Takes the contexts out of @samples one by one. @varied: gets what is made from the first. */
static gboolean
examine (WeirAudit *self, GPtrArray *samples, gboolean is_varied, GPtrArray *varied, GError **error)
{
  for (gboolean is_first = TRUE; samples->len > 0; is_first = FALSE)
    {
      weir_audit_check_patterns (self, g_ptr_array_index (samples, 0));
      if (!weir_audit_perturb (self, g_ptr_array_steal_index (samples, 0), is_varied,
                               is_first ? varied : NULL))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the audit was stopped");
          return FALSE;
        }
    }
  return TRUE;
}

/* What the instants of the run, and what is made from them, show. */
static gboolean
find_faults (WeirAudit *self, GPtrArray *samples, GError **error)
{
  g_autoptr (GPtrArray)
      varied = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_context_free);

  self->result->n_instants = samples->len;
  if (!examine (self, samples, FALSE, varied, error) || !examine (self, varied, TRUE, NULL, error))
    return FALSE;
  for (guint e = 0; e < self->n_entries; e++)
    self->result->n_failed += !self->has_value[e];
  weir_audit_list_misuses (self);
  weir_audit_compare_reads (self);
  weir_audit_result_finish (self->result);
  return TRUE;
}

gboolean
weir_audit (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time, gint *cancel,
            WeirAuditResult *result, GError **error)
{
  Sampler sampler = { .samples = g_ptr_array_new_with_free_func (
                          (GDestroyNotify) weir_context_free) };
  g_autoptr (GError) failure = NULL;
  WeirAudit audit;
  gboolean ok;

  weir_audit_result_init (result);
  audit_init (&audit, root, cancel, result);
  sampler.values = weir_audit_values_new (audit.layout);
  run (&audit, options, stop_time, &sampler, &failure);
  weir_observer_set_counting (audit.observer, FALSE);
  weir_audit_values_free (sampler.values, audit.n_entries);
  result->n_entries = audit.n_entries;
  result->n_sources = audit.sources->len;
  result->is_exhaustive = TRUE;
  ok = (failure == NULL || cancel == NULL || g_atomic_int_get (cancel) == 0)
       && find_faults (&audit, sampler.samples, failure == NULL ? error : NULL);
  /* A run that fails at a fault has shown it. */
  if (ok && failure != NULL && result->n_errors > 0)
    result->failure = g_strdup (failure->message);
  else if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      ok = FALSE;
    }
  if (!ok)
    weir_audit_result_clear (result);
  audit_clear (&audit);
  g_ptr_array_unref (sampler.samples);
  return ok;
}
