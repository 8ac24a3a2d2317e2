/* A hundred planted omissions: in each model one computation reads something that it does not declare,
 * and whose change nothing it does declare accompanies, so that its value is wrong with caching on.
 * Verify must find every one and name the guilty entry; the same model with the whole truth declared
 * must verify as identical.
 */
#include <math.h>

#include "analysis/verify.h"
#include "../system/blocks.h"

typedef enum {
  OMIT_TIME,
  OMIT_STATE,
  OMIT_TIMED_INPUT,
  OMIT_STATE_INPUT,
  OMIT_GROUP,
  OMIT_CACHED,
  N_OMISSIONS,
} Omission;

typedef enum { AT_OUTPUT, AT_CACHE_ENTRY, AT_DERIVATIVES, N_PLACES } Place;

typedef struct {
  guint omitted;   /* Omission */
  guint declared;  /* bits: parameter, constant input, slow group */
} Plan;

static const char *const guilty_names[] = { "guilty:y", "guilty:c", "guilty:time derivatives" };

/* --- The guilty leaf ------------------------------------------------------------------------------- */

static const WeirInput timed = { 0 }, stated = { 1 }, constant = { 2 };
static const WeirGroup fast = { 0 }, slow = { 1 };
static const WeirParameter parameter = { 0 };
static const WeirCached helper = { 0 }, inner = { 1 };

static WeirStatus
calc_helper (const WeirCalc *c, double *out)
{
  out[0] = cos (weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
calc_guilty (const WeirCalc *c, double *out)
{
  const Plan *plan = weir_calc_data (c);
  double sum = 0.5;

  switch ((Omission) plan->omitted)
    {
    case OMIT_TIME:
      sum += weir_calc_time (c);
      break;
    case OMIT_STATE:
      sum += weir_calc_z (c)[0];
      break;
    case OMIT_TIMED_INPUT:
      sum += weir_calc_input (c, timed)[0];
      break;
    case OMIT_STATE_INPUT:
      sum += weir_calc_input (c, stated)[0];
      break;
    case OMIT_GROUP:
      sum += weir_calc_discrete (c, fast)[0];
      break;
    case OMIT_CACHED:
    case N_OMISSIONS:
    default:
      sum += weir_calc_cached (c, helper)[0];
      break;
    }
  if (plan->declared & 1)
    sum += weir_calc_parameter (c, parameter)[0];
  if (plan->declared & 2)
    sum += weir_calc_input (c, constant)[0];
  if (plan->declared & 4)
    sum += weir_calc_discrete (c, slow)[0];
  out[0] = sum;
  return WEIR_OK;
}

static WeirStatus
calc_inner (const WeirCalc *c, double *out)
{
  out[0] = 2.0 * weir_calc_cached (c, inner)[0];
  return WEIR_OK;
}

static WeirStatus
calc_parameter (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_parameter (c, parameter)[0];
  return WEIR_OK;
}

static WeirStatus
count_fast (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, fast)[0] + 1;
  return WEIR_OK;
}

static WeirStatus
count_slow (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, slow)[0] + 1;
  return WEIR_OK;
}

static WeirSystem *
guilty_new (Plan plan, Place place, gboolean honest)
{
  const double zero = 0, value = 0.25;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Guilty");
  WeirTicket list[5], omitted = { WEIR_TICKET_NOTHING }, parameter_ticket;
  WeirCached first;
  guint n = 0;

  weir_leaf_add_input (b, "timed", 1);
  weir_leaf_add_input (b, "stated", 1);
  weir_leaf_add_input (b, "constant", 1);
  weir_leaf_add_parameter (b, "p", &value, 1);
  weir_leaf_add_discrete_state (b, "fast", &zero, 1);
  weir_leaf_add_discrete_state (b, "slow", &zero, 1);
  weir_leaf_add_periodic_update (b, fast, 0.125, 0, count_fast);
  weir_leaf_add_periodic_update (b, slow, 64, 1, count_slow);
  weir_leaf_set_continuous_state (b, 0, 0, 1, &value);
  first = weir_leaf_add_cache_entry (b, "helper", 1, calc_helper, WEIR_DEPENDS (WEIR_TIME));
  parameter_ticket = weir_parameter_ticket (b, parameter);

  switch ((Omission) plan.omitted)
    {
    case OMIT_TIME:
      omitted = WEIR_TIME;
      break;
    case OMIT_STATE:
      omitted = WEIR_Z;
      break;
    case OMIT_TIMED_INPUT:
      omitted = weir_input_ticket (b, timed);
      break;
    case OMIT_STATE_INPUT:
      omitted = weir_input_ticket (b, stated);
      break;
    case OMIT_GROUP:
      omitted = weir_group_ticket (b, fast);
      break;
    case OMIT_CACHED:
    case N_OMISSIONS:
    default:
      omitted = weir_cached_ticket (b, first);
      break;
    }
  if (honest)
    list[n++] = omitted;
  if (plan.declared & 1)
    list[n++] = parameter_ticket;
  if (plan.declared & 2)
    list[n++] = weir_input_ticket (b, constant);
  if (plan.declared & 4)
    list[n++] = weir_group_ticket (b, slow);
  if (n == 0)
    list[n++] = WEIR_NOTHING;
  list[n].i = WEIR_TICKET_END;

  if (place == AT_CACHE_ENTRY)
    {
      WeirCached c = weir_leaf_add_cache_entry (b, "c", 1, calc_guilty, list);

      weir_leaf_add_output (b, "y", 1, calc_inner, WEIR_DEPENDS (weir_cached_ticket (b, c)));
    }
  else
    weir_leaf_add_output (b, "y", 1, place == AT_OUTPUT ? calc_guilty : calc_parameter,
                          place == AT_OUTPUT ? list : WEIR_DEPENDS (parameter_ticket));
  weir_leaf_set_derivatives (b, place == AT_DERIVATIVES ? calc_guilty : calc_parameter,
                             place == AT_DERIVATIVES ? list : WEIR_DEPENDS (parameter_ticket));
  weir_leaf_set_data (b, &plan, sizeof plan);
  return weir_leaf_builder_build (b);
}

/* --- The model ------------------------------------------------------------------------------------- */

static void
add (WeirDiagramBuilder *b, const char *name, WeirSystem *system)
{
  weir_diagram_builder_add (b, name, system);
  weir_system_unref (system);
}

static WeirSystem *
model_new (GRand *rand, Plan plan, Place place, gboolean honest)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  guint n_gains = (guint) g_rand_int_range (rand, 0, 20);
  g_autofree char *before = g_strdup ("guilty");
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  add (b, "one", test_constant_new (1.0));
  add (b, "sine", test_sine_new ());
  add (b, "ramp", test_integrator_new (0.0));
  add (b, "guilty", guilty_new (plan, place, honest));
  weir_diagram_builder_connect_by_name (b, "one", "y", "ramp", "u");
  weir_diagram_builder_connect_by_name (b, "sine", "y", "guilty", "timed");
  weir_diagram_builder_connect_by_name (b, "ramp", "y", "guilty", "stated");
  weir_diagram_builder_connect_by_name (b, "one", "y", "guilty", "constant");
  for (guint i = 0; i < n_gains; i++)
    {
      g_autofree char *name = g_strdup_printf ("gain%u", i);

      add (b, name, test_gain_new (1.0 + 0.01 * i));
      weir_diagram_builder_connect_by_name (b, before, "y", name, "u");
      g_free (before);
      before = g_steal_pointer (&name);
    }
  if (g_rand_boolean (rand))
    {
      add (b, "sum", test_integrator_new (0.0));
      weir_diagram_builder_connect_by_name (b, before, "y", "sum", "u");
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* Does the guilty entry's value really change? Told by an uncached context alone. */
static gboolean
value_changes (WeirSystem *system, const char *entry_path)
{
  WeirSimulatorOptions options;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  WeirLayout *layout = weir_context_get_layout (context);
  double first;

  weir_context_set_caching (context, FALSE);
  weir_simulator_options_init (&options);
  simulator = weir_simulator_new (system, context, &options, NULL);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      g_autofree char *path = weir_layout_dup_entry_path (layout, (WeirEntry) { e });

      if (!g_str_equal (path, entry_path))
        continue;
      first = *weir_eval_entry (system, context, (WeirEntry) { e });
      g_assert_true (weir_simulator_advance_to (simulator, 1.0, NULL));
      return *weir_eval_entry (system, context, (WeirEntry) { e }) != first;
    }
  g_assert_not_reached ();
}

static gboolean
verify (WeirSystem *system, const char *solver, WeirVerifyResult *result)
{
  WeirSimulatorOptions options;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = 0.0625;
  g_assert_true (weir_verify (system, &options, 1.0, NULL, result, &error));
  g_assert_no_error (error);
  return result->identical;
}

static void
test_omissions (void)
{
  static const char *const solvers[] = { "dormand-prince", "rk4", "cvode-adams", "cvode-bdf" };
  guint32 seed = g_test_rand_int ();
  guint n_found = 0;

  g_test_message ("seed %u", seed);
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + i);
      Plan plan = { i % N_OMISSIONS, (guint) g_rand_int_range (rand, 0, 8) };
      Place place = (i / N_OMISSIONS) % N_PLACES;
      const char *solver = solvers[g_rand_int_range (rand, 0, G_N_ELEMENTS (solvers))];
      g_autoptr (WeirSystem) system = model_new (rand, plan, place, FALSE);
      g_autoptr (WeirSystem) honest = model_new (rand, plan, place, TRUE);
      WeirVerifyResult result;

      g_test_message ("%u: omission %u at %s, declared %u, solver %s", i, plan.omitted,
                      guilty_names[place], plan.declared, solver);
      g_assert_true (value_changes (system, guilty_names[place]));
      g_assert_false (verify (system, solver, &result));
      g_assert_cmpstr (result.culprit, ==, guilty_names[place]);
      weir_verify_result_clear (&result);
      n_found++;

      g_assert_true (verify (honest, solver, &result));
      g_assert_cmpuint (result.cached_hits, >, 0);
      g_assert_cmpuint (result.uncached_hits, ==, 0);
      weir_verify_result_clear (&result);
    }
  g_assert_cmpuint (n_found, ==, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/verify/omissions", test_omissions);
  return g_test_run ();
}
