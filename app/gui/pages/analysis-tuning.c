/* Rules for PID blocks, and factors for a margin of the loop, from what the model says of the
 * plant. See analysis-page-private.h.
 *
 * A block of the parallel form is p + i / s + d s, of the ideal one p (1 + i / s + d s); rules for
 * the series form are brought to that. What drives the block is taken to be a difference, so that
 * the plant comes back with its sign turned.
 */
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "gui/pages/analysis-page-private.h"
#include "library/run-settings.h"
#include "model/completion/completion.h"
#include "sim/recorder.h"
#include "system/evaluation/eval.h"

static const struct {
  const char *name;
  WeirTune rule;
  gboolean is_by_relay, with_second;
  gboolean is_by_margin; /* no rule: what is asked for */
} tunings[WEIR_N_TUNINGS] = {
  [WEIR_TUNING_SIMC_PI] = { "simc-pi", WEIR_TUNE_SIMC, FALSE, FALSE },
  [WEIR_TUNING_SIMC_PID] = { "simc-pid", WEIR_TUNE_SIMC, FALSE, TRUE },
  [WEIR_TUNING_AMIGO_PI] = { "amigo-pi", WEIR_TUNE_AMIGO_PI, FALSE, FALSE },
  [WEIR_TUNING_AMIGO_PID] = { "amigo-pid", WEIR_TUNE_AMIGO_PID, FALSE, FALSE },
  [WEIR_TUNING_ZN_PI] = { "zn-pi", WEIR_TUNE_ZN_PI, FALSE, FALSE },
  [WEIR_TUNING_ZN_PID] = { "zn-pid", WEIR_TUNE_ZN_PID, FALSE, FALSE },
  [WEIR_TUNING_MARGIN_PI] = { "margin-pi", .is_by_margin = TRUE },
  [WEIR_TUNING_MARGIN_PID] = { "margin-pid", .with_second = TRUE, .is_by_margin = TRUE },
  [WEIR_TUNING_RELAY_PI] = { "relay-pi", WEIR_TUNE_ULTIMATE_PI, TRUE, FALSE },
  [WEIR_TUNING_RELAY_PID] = { "relay-pid", WEIR_TUNE_ULTIMATE_PID, TRUE, FALSE },
};

gboolean
weir_tuning_find (const char *name, WeirTuning *tuning)
{
  for (guint i = 0; i < WEIR_N_TUNINGS; i++)
    if (g_str_equal (tunings[i].name, name))
      {
        *tuning = (WeirTuning) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_tuning_has_target (WeirTuning tuning)
{
  return tunings[tuning].is_by_margin;
}

/* --- The block -------------------------------------------------------------------------------- */

typedef struct {
  guint32 selected, found;
  guint n;
} Search;

static gboolean
is_sampled (const WeirBlock *block)
{
  return g_str_equal (weir_block_get_type_name (block), "DiscretePID");
}

static gboolean
look_at_block (WeirBlock *block, gpointer data)
{
  Search *search = data;
  guint32 id = weir_block_get_id (block);

  if (g_str_equal (weir_block_get_type_name (block), "PID") || is_sampled (block))
    {
      search->n++;
      if (search->found != search->selected || search->found == 0)
        search->found = id;
    }
  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), look_at_block, search);
  return TRUE;
}

guint32
weir_tuning_find_block (WeirModel *model, guint32 selected)
{
  Search search = { .selected = selected };

  weir_diagram_foreach_block (weir_model_get_root (model), look_at_block, &search);
  return search.n == 1 || (search.found == selected && selected != 0) ? search.found : 0;
}

static WeirBlock *
find_block (WeirModel *model, guint32 id, GArray *place)
{
  return weir_model_find_block (model, id, place);
}

/* @block: taken over. */
static WeirBlock *
with_number (WeirBlock *block, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  WeirBlock *changed = weir_block_with_parameter (
      block, name, g_ascii_formatd (number, sizeof number, "%.6g", value));

  weir_block_unref (block);
  return changed;
}

/* --- The plant -------------------------------------------------------------------------------- */

/* Where the block's output comes to in a run of the model as it is: what the relay is to switch
 * about. 0: that run fails. */
static double
find_middle (WeirModel *model, const char *port, const gint *cancel)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (WeirContext) context = system != NULL ? weir_system_create_context (system) : NULL;
  const char *const ports[] = { port, NULL };
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  WeirSimulatorOptions options;
  double until, last;

  weir_model_get_run_settings (model, &options, &until);
  recorder = system != NULL ? weir_recorder_new (system, ports, FALSE, NULL) : NULL;
  simulator = recorder != NULL ? weir_simulator_new (system, context, &options, NULL) : NULL;
  if (simulator == NULL)
    return 0;
  weir_simulator_set_cancel (simulator, cancel);
  weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
  if (!weir_simulator_initialize (simulator, NULL)
      || !weir_simulator_advance_to (simulator, until, NULL)
      || weir_recorder_get_n_rows (recorder) == 0)
    return 0;
  last = weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1);
  return isfinite (last) ? last : 0;
}

/* A relay in the place of @block, about @middle. (transfer full) */
static WeirBlock *
make_relay (WeirBlock *block, double middle, double d)
{
  WeirBlock *relay = weir_block_new (weir_block_get_id (block), "Relay",
                                     weir_block_get_name (block), weir_block_get_position (block));

  relay = with_number (relay, "off", middle - d);
  relay = with_number (relay, "on", middle + d);
  relay = with_number (relay, "switch-off", 0);
  return with_number (relay, "switch-on", 0);
}

static gboolean
compute_by_relay (WeirTuning tuning, WeirModel *model, guint32 id,
                  G_GNUC_UNUSED const WeirTarget *target, const gint *cancel, WeirPid *pid,
                  WeirOscillation *oscillation, GError **error)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = find_block (model, id, place);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) changed = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *path = weir_model_dup_block_path (model, id);
  g_autofree char *port = g_strconcat (path, ".u", NULL);
  g_autofree char *driven = g_strconcat (path, ".y", NULL);
  double middle = find_middle (model, driven, cancel), d = middle != 0 ? fabs (middle) / 2 : 1;
  g_autoptr (WeirBlock) relay = make_relay (block, middle, d);
  WeirSimulatorOptions options;
  double until;

  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len },
                        relay);
  changed = weir_model_apply (model, patch, NULL, error);
  if (changed == NULL)
    return FALSE;
  system = weir_model_complete (changed, diagnostics);
  if (system == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "with a relay in place of the controller the model has errors");
      return FALSE;
    }
  weir_model_get_run_settings (changed, &options, &until);
  if (!weir_relay_find_oscillation (system, &options, port, d, until > 0 ? until : 10, cancel,
                                    oscillation, error))
    return FALSE;
  weir_tune_ultimate (tunings[tuning].rule, oscillation->gain, oscillation->period, pid);
  return TRUE;
}

/* What the block says, or what it does where it says nothing. */
static double
get_filter (const WeirBlock *block)
{
  const char *filter = weir_block_get_parameter (block, "n");

  return filter != NULL ? g_ascii_strtod (filter, NULL) : 100;
}

static gboolean
meet_target (WeirTuning tuning, const WeirLinear *plant, const WeirBlock *block,
             const WeirTarget *target, WeirPid *pid, const char **why)
{
  *why = N_ ("a PID block that is not sampled with the rest has no response of its own there: use "
             "a rule, or a model without sampled blocks");
  if (plant->period > 0 && !is_sampled (block))
    return FALSE;
  return weir_tune_margin (plant, target->crossover, target->margin, tunings[tuning].with_second,
                           get_filter (block), pid, why);
}

static gboolean
compute_by_plant (WeirTuning tuning, WeirModel *model, guint32 id, const WeirTarget *target,
                  const gint *cancel, WeirPid *pid, G_GNUC_UNUSED WeirOscillation *oscillation,
                  GError **error)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autofree char *path = weir_model_dup_block_path (model, id);
  g_autofree char *input = g_strconcat (path, ".u", NULL);
  g_autofree char *output = g_strconcat (path, ".y", NULL);
  const WeirAnalysisPoint points[] = { { output, WEIR_POINT_INPUT | WEIR_POINT_BREAK },
                                       { input, WEIR_POINT_OUTPUT } };
  WeirLinearQuestion question = { .system = system,
                                  .points = points,
                                  .n_points = G_N_ELEMENTS (points),
                                  .is_flipped = TRUE,
                                  .gain = 1,
                                  .cancel = cancel };
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  g_autoptr (WeirLinearAnswer) answer = NULL;
  WeirProcess process;
  const char *why = N_ ("the rule needs a delay, or more lags than the plant has");

  weir_model_get_run_settings (model, &question.options, NULL);
  answer = system != NULL ? weir_analyst_ask (analyst, &question, error) : NULL;
  if (answer == NULL && system != NULL)
    return FALSE;
  if (answer != NULL && tunings[tuning].is_by_margin)
    {
      if (meet_target (tuning, answer->linear, find_block (model, id, NULL), target, pid, &why))
        return TRUE;
    }
  else if (answer != NULL
           && weir_process_find (answer->linear, tunings[tuning].with_second, &process, &why)
           && weir_tune (tunings[tuning].rule, &process, 0, pid))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FAILED, "%s: %s", path,
                  weir_phrase (system != NULL ? why : N_ ("the model has errors")));
  return FALSE;
}

gboolean
weir_tuning_compute (WeirTuning tuning, WeirModel *model, guint32 block, const WeirTarget *target,
                     const gint *cancel, WeirPid *pid, WeirOscillation *oscillation, GError **error)
{
  *oscillation = (WeirOscillation) { 0 };
  if (!tunings[tuning].is_by_margin && is_sampled (find_block (model, block, NULL)))
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "The rule is one for continuous controllers: ask a sampled one for a margin.");
      return FALSE;
    }
  return (tunings[tuning].is_by_relay ? compute_by_relay : compute_by_plant) (
      tuning, model, block, target, cancel, pid, oscillation, error);
}

/* --- The edit --------------------------------------------------------------------------------- */

static WeirPid
to_standard (const WeirPid *pid)
{
  double share = isfinite (pid->ti) ? pid->td / pid->ti : 0;

  if (!pid->is_series || pid->td == 0)
    return *pid;
  return (WeirPid) { pid->kp * (1 + share), pid->ti + pid->td, pid->td / (1 + share), FALSE };
}

WeirPatch *
weir_tuning_make_patch (WeirModel *model, guint32 id, const WeirPid *pid)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = find_block (model, id, place);
  WeirPatch *patch = weir_patch_new ();
  const WeirPid standard = to_standard (pid);
  gboolean is_ideal = g_strcmp0 (weir_block_get_parameter (block, "form"), "ideal") == 0;
  double least = weir_tune_get_filter (standard.td);
  double factor = is_ideal ? 1 : standard.kp;
  WeirBlock *changed = weir_block_ref (block);

  changed = with_number (changed, "p", standard.kp);
  changed = with_number (changed, "i", isfinite (standard.ti) ? factor / standard.ti : 0);
  changed = with_number (changed, "d", factor * standard.td);
  if (get_filter (block) < least)
    changed = with_number (changed, "n", least);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len },
                        changed);
  weir_block_unref (changed);
  return patch;
}
