/* Previews. See preview.h. */
#include "analysis/preview.h"

#include <gio/gio.h>
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "sim/recorder.h"
#include "system/evaluation/eval.h"
#include "system/context/source-values.h"

/* A copy that can go on. */
typedef struct {
  const WeirPreview *preview;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirRecorder *recorder;
} Copy;

static void
copy_clear (Copy *copy)
{
  g_clear_pointer (&copy->simulator, weir_simulator_free);
  g_clear_pointer (&copy->recorder, weir_recorder_unref);
  g_clear_pointer (&copy->context, weir_context_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Copy, copy_clear)

static gboolean
fail (const Copy *copy, GError **error)
{
  const char *failure = weir_context_get_failure (copy->context);

  weir_error_set (error, WEIR_ERROR_FAILED, "%s",
                  failure != NULL ? failure : weir_phrase (N_ ("a value could not be computed")));
  return FALSE;
}

/* What a run asks for, once. */
static gboolean
ask (Copy *copy, GError **error)
{
  WeirSystem *root = copy->preview->root;
  WeirLogPhase phase = weir_context_set_phase (copy->context, WEIR_LOG_PHASE_INTEGRATION);
  gboolean is_fine = weir_layout_get_n_states (weir_system_get_layout (root)) == 0
                     || weir_eval_derivatives (root, copy->context) != NULL;

  weir_context_set_phase (copy->context, WEIR_LOG_PHASE_MONITOR);
  is_fine = is_fine
            && weir_recorder_record (copy->recorder, copy->context, WEIR_PHASE_STEP) == WEIR_OK;
  weir_context_set_phase (copy->context, phase);
  return is_fine || fail (copy, error);
}

static gboolean
copy_init (Copy *copy, const WeirPreview *preview, GError **error)
{
  copy->preview = preview;
  copy->context = weir_system_create_context (preview->root);
  copy->recorder = weir_recorder_new (preview->root, preview->recorded_ports, FALSE, error);
  if (copy->recorder == NULL)
    return FALSE;
  copy->simulator = weir_simulator_new (preview->root, copy->context, &preview->options, error);
  if (copy->simulator == NULL)
    return FALSE;
  weir_simulator_set_monitor (copy->simulator, weir_recorder_monitor, copy->recorder);
  if (preview->run != NULL)
    return weir_simulator_load (copy->simulator, preview->run, error);
  return weir_simulator_initialize (copy->simulator, error) && ask (copy, error);
}

static WeirTrace *
stop_log (Copy *copy)
{
  g_autoptr (WeirChangeLog) log = weir_context_stop_log (copy->context);

  return weir_trace_new (log, NULL);
}

gboolean
weir_source_info_can_preview (const WeirSourceInfo *source)
{
  return source->size > 0 && !source->is_input;
}

/* As little as a number can change, so that what is computed afterwards is what was. */
static void
change (WeirContext *context, const WeirSourceInfo *source)
{
  guint size;
  const double *value = weir_context_get_ticket_value (context, source->node, source->ticket,
                                                       &size);
  g_autofree double *changed = g_memdup2 (value, source->size * sizeof *value);

  changed[0] = isfinite (changed[0]) ? nextafter (changed[0], INFINITY) : 0;
  weir_context_set_source (context, source, changed);
}

WeirTrace *
weir_preview_change (const WeirPreview *self, const WeirSourceInfo *sources, guint n,
                     GError **error)
{
  g_auto (Copy) copy = { 0 };

  g_return_val_if_fail (n > 0, NULL);

  if (!copy_init (&copy, self, error))
    return NULL;
  weir_context_start_log (copy.context, WEIR_LOG_MODE_ALL, 0);
  weir_context_set_phase (copy.context, WEIR_LOG_PHASE_EDIT);
  weir_context_begin_change (copy.context);
  for (guint i = 0; i < n; i++)
    change (copy.context, &sources[i]);
  weir_context_end_change (copy.context);
  weir_context_set_phase (copy.context, WEIR_LOG_PHASE_OUTSIDE);
  if (!ask (&copy, error))
    return NULL;
  return stop_log (&copy);
}

WeirTrace *
weir_preview_step (const WeirPreview *self, GError **error)
{
  g_auto (Copy) copy = { 0 };
  gboolean done;

  if (!copy_init (&copy, self, error))
    return NULL;
  if (weir_context_get_time (copy.context) >= self->stop_time)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "the run is at its end: there is no further step");
      return NULL;
    }
  weir_context_start_log (copy.context, WEIR_LOG_MODE_ALL, 0);
  if (!weir_simulator_step (copy.simulator, self->stop_time, &done, error))
    return NULL;
  return stop_log (&copy);
}
