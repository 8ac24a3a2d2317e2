/* The FMUs of the tests (tests/fmi/fmus), as a test asks for them. */
#pragma once

#include "fmi/instance.h"

/* What a description would say; @folder is owned. */
typedef struct {
  WeirFmuBinary binary;
  char *folder, *name, *token;
} Fmu;

static inline void
fmu_clear (Fmu *fmu)
{
  g_free (fmu->folder);
  g_free (fmu->name);
  g_free (fmu->token);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fmu, fmu_clear)

static inline Fmu
fmu_open (const char *model, guint version, WeirFmuMode mode)
{
  static const char *const ball_states[] = { "h", "v", NULL };
  static const char *const oscillator_states[] = { "x1", "x2", NULL };
  static const char *const oscillator_inputs[] = { "u", NULL },
                           *liar_inputs[] = { "u1", "u2", NULL };
  static const char *const one_state[] = { "x", NULL };
  static const guint32 oscillator_refs[] = { 6 }, liar_refs[] = { 4, 5 }, hostile_refs[] = { 3 };
  gboolean is_other = g_str_equal (model, "truncated") || g_str_equal (model, "unloadable");
  g_autofree char *base = g_strdup_printf ("%s-%u", model, version);
  Fmu fmu = { .folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", base, NULL),
              .name = g_strdup_printf ("%s (%s.fmu)", model, base),
              .token = g_strdup_printf ("{weir-test-%s}", is_other ? "hostile" : model) };
  WeirFmuBinary *binary = &fmu.binary;

  *binary = (WeirFmuBinary) { .folder = fmu.folder,
                              .name = fmu.name,
                              .identifier = model,
                              .token = fmu.token,
                              .version = version,
                              .mode = mode,
                              .can_save = TRUE,
                              .can_serialize = TRUE,
                              .can_differentiate = TRUE,
                              .needs_completed_step = TRUE };
  if (g_str_equal (model, "ball"))
    {
      binary->n_states = 2;
      binary->n_indicators = 1;
      binary->state_names = ball_states;
    }
  else if (g_str_equal (model, "oscillator") || g_str_equal (model, "stiff"))
    {
      binary->n_states = 2;
      binary->state_names = oscillator_states;
      binary->inputs = oscillator_refs;
      binary->n_inputs = binary->n_input_values = 1;
      binary->input_names = oscillator_inputs;
    }
  else if (g_str_equal (model, "liar"))
    {
      binary->n_states = 1;
      binary->state_names = one_state;
      binary->inputs = liar_refs;
      binary->n_inputs = binary->n_input_values = 2;
      binary->input_names = liar_inputs;
    }
  else if (g_str_equal (model, "hostile") || is_other)
    {
      binary->n_states = 1;
      binary->state_names = one_state;
      binary->inputs = hostile_refs;
      binary->n_inputs = binary->n_input_values = 1;
      binary->input_names = oscillator_inputs;
    }
  return fmu;
}

/* An instance that has been through initialisation and its first event, in continuous-time mode, or
 * ready to step. NULL and @error if that fails. @set: parameters, before. */
static inline WeirFmuInstance *
fmu_start (const Fmu *fmu, const WeirFmuOptions *options, const WeirFmuValues *set, guint n_set,
           GError **error)
{
  g_autoptr (WeirFmuInstance) instance = weir_fmu_instance_new (&fmu->binary, options, error);
  WeirFmuUpdate update = { .is_update_needed = TRUE };
  gboolean is_exchange = fmu->binary.mode == WEIR_FMU_MODEL_EXCHANGE;

  if (instance == NULL
      || (n_set > 0 && weir_fmu_instance_set (instance, set, n_set, error) != WEIR_FMU_DONE)
      || !weir_fmu_instance_enter_initialization (instance, 0, 100, 0, error)
      || !weir_fmu_instance_exit_initialization (instance, error))
    return NULL;
  if (!is_exchange && !fmu->binary.event_mode_used)
    return g_steal_pointer (&instance);
  for (guint i = 0; i < 100 && update.is_update_needed; i++)
    if (!weir_fmu_instance_update_discrete (instance, &update, error))
      return NULL;
  if (!(is_exchange ? weir_fmu_instance_enter_continuous_mode (instance, error)
                    : weir_fmu_instance_enter_step_mode (instance, error)))
    return NULL;
  return g_steal_pointer (&instance);
}
