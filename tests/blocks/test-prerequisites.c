/* The declared prerequisites of every block are exact: a change of a source makes a result out of
 * date if and only if it can change it.
 *
 * Every source of a block is changed from many random states. A result that stays up to date must
 * be the same, bit for bit, when computed afresh; one that goes out of date must differ in at least
 * one trial. Values are multiples of a quarter, so that comparisons meet equality too.
 */
#include "../seeds.h"
#include "block-fixture.h"
#include "system/context/context-private.h"

#define N_TRIALS 2400 /* a switch minds its threshold in one of 200 */

static double
random_value (double minimum, double maximum)
{
  double low = isfinite (minimum) ? minimum : -2.0;
  double high = isfinite (maximum) ? maximum : MAX (2.0, low + 2.0);

  return low + 0.25 * g_rand_int_range (test_rand, 1, (gint) (4.0 * (high - low)) + 1);
}

static double
random_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; i < type->n_parameters; i++)
    if (g_strcmp0 (type->parameters[i].tunable, name) == 0)
      return random_value (type->parameters[i].minimum, type->parameters[i].maximum);
  return random_value (-INFINITY, INFINITY); /* a parameter of an Equations block */
}

static WeirOrigin
origin_of (const WeirLayout *layout, WeirSource source)
{
  if (source.i == WEIR_SOURCE_TIME)
    return (WeirOrigin) { .kind = WEIR_ORIGIN_TIME };
  for (guint16 t = WEIR_TICKET_TIME + 1; t <= WEIR_TICKET_LAST_COMMON; t++)
    if (source.i == weir_source_of_common ((WeirTicket) { t }).i)
      return (WeirOrigin) { .kind = WEIR_ORIGIN_COMMON, .index = t };
  return weir_layout_describe_source (layout, source);
}

/* Where the source's value is kept, and how many doubles it has; 0: it is not of one kind alone. */
static double *
find_values (WeirContext *context, WeirOrigin origin, guint *size)
{
  const WeirLayout *layout = context->layout;
  const WeirNodeInfo *info = &layout->nodes[0];
  double *state = context->arena + layout->arena.state + info->state_offset;

  switch (origin.kind)
    {
    case WEIR_ORIGIN_Q:
      *size = info->shape->nq;
      return state;
    case WEIR_ORIGIN_V:
      *size = info->shape->nv;
      return state + info->shape->nq;
    case WEIR_ORIGIN_Z:
      *size = info->shape->nz;
      return state + info->shape->nq + info->shape->nv;
    case WEIR_ORIGIN_GROUP:
      *size = weir_shape_group (info->shape, origin.index)->size;
      return context->arena + layout->group_slots[origin.index];
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    case WEIR_ORIGIN_XC:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    case WEIR_ORIGIN_ENTRY:
    default:
      *size = 0;
      return NULL;
    }
}

/* Gives one source new random values, in one change event. FALSE if there is nothing to change. */
static gboolean
change (const WeirBlockType *type, WeirContext *context, WeirSource source)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape = layout->nodes[0].shape;
  WeirOrigin origin = origin_of (layout, source);
  double values[64];
  double *slot;
  guint size;

  if (origin.kind == WEIR_ORIGIN_TIME)
    weir_context_set_time (context, random_value (-INFINITY, INFINITY));
  else if (origin.kind == WEIR_ORIGIN_COMMON)
    weir_context_set_common (context, (WeirTicket) { (guint16) origin.index },
                             g_rand_double_range (test_rand, 1e-9, 1e-3));
  else if (origin.kind == WEIR_ORIGIN_PARAMETER)
    {
      const WeirVectorDecl *decl = weir_shape_parameter (shape, origin.index);

      for (guint i = 0; i < decl->size; i++)
        values[i] = random_parameter (type, decl->name);
      weir_context_set_parameter (context, WEIR_ROOT, (WeirParameter) { (guint16) origin.index },
                                  values);
    }
  else if (origin.kind == WEIR_ORIGIN_FIXED)
    {
      for (guint i = 0; i < weir_shape_input (shape, origin.index)->size; i++)
        values[i] = random_value (-INFINITY, INFINITY);
      weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { (guint16) origin.index }, values);
    }
  else
    {
      slot = find_values (context, origin, &size);
      if (size == 0)
        return FALSE;
      for (guint i = 0; i < size; i++)
        slot[i] = random_value (-INFINITY, INFINITY);
      weir_context_note (context, source);
    }
  return TRUE;
}

typedef struct {
  const char *type;
  const char *pairs[9];
  guint sizes[5];
} Case;

static const Case cases[] = {
  { "ADC", .sizes = { 2 } },
  { "DAC", .sizes = { 2 } },
  { "Backlash", .sizes = { 2 } },
  { "CrossProduct", .sizes = { 3, 3 } },
  { "MatrixGain", { "gain", "[1, 2, 0; 0, 0, 3]" }, { 3 } },
  { "DiscreteFilter", .sizes = { 2 } },
  { "DiscreteFilter", { "response", "bandpass", "edges", "[1, 2]", "order", "3" }, { 1 } },
  { "Filter", .sizes = { 2 } },
  { "Filter", { "response", "highpass", "order", "3" }, { 1 } },
  { "DiscreteZeroPoleGain", { "zeros", "[0.1]", "poles", "[0.5, -0.5]" }, { 1 } },
  { "ZeroPoleGain", { "poles", "0" }, { 2 } },
  { "ZeroPoleGain", { "zeros", "[-1]", "poles", "[-1]" }, { 1 } },
  { "ZeroPoleGain", { "zeros", "[-2, i, -i]", "poles", "[-1+2i, -1-2i, -3]" }, { 1 } },
  { "ZeroPoleGain", { "zeros", "[-2, i, -i]", "poles", "[-1+2i, -1-2i, -3, -1]" }, { 2 } },
  { "FIR", .sizes = { 2 } },
  { "FIR", { "taps", "2" }, { 1 } },
  { "FirstOrderHold", .sizes = { 2 } },
  { "Memory", .sizes = { 2 } },
  { "LookupTable2D", .sizes = { 2, 1 } },
  { "LookupTable2D",
    { "rows", "[-1, 0.5]", "columns", "[0, 1]", "values", "[1, 2; 3, 4]", "interpolation",
      "previous" },
    { 1, 1 } },
  { "MultiportSwitch", .sizes = { 1, 1, 2, 2 } },
  { "MultiportSwitch", { "base", "1", "inputs", "2" }, { 1, 1, 1 } },
  { "PRBS" },
  { "PRBS", { "order", "2" } },
  { "Spectrum", { "size", "4" }, { 1 } },
  { "Spectrum", { "size", "5", "scale", "decibels" }, { 1 } },
  { "TappedDelay", .sizes = { 2 } },
  { "VariableDelay", { "points", "4", "minimum", "0.25" }, { 1, 1 } },
  { "DigitalClock" },
  { "Slider" },
  { "Bias", .sizes = { 2 } },
  { "DotProduct", .sizes = { 2, 2 } },
  { "Elements", .sizes = { 3 } },
  { "Elements", { "operation", "product" }, { 3 } },
  { "Polynomial", .sizes = { 2 } },
  { "Expression", { "inputs", "2", "expression", "u1*sin(u2) + t" }, { 1, 1 } },
  { "Friction", .sizes = { 1, 1 } },
  { "FlipFlop", .sizes = { 1, 1 } },
  { "FlipFlop", { "kind", "toggle" }, { 1, 1 } },
  { "Derivative", .sizes = { 1 } },
  { "DoubleIntegrator", .sizes = { 1 } },
  { "LeadLag", .sizes = { 1 } },
  { "PID2", .sizes = { 1, 1 } },
  { "DCMotor", .sizes = { 1 } },
  { "Room", .sizes = { 1 } },
  { "Lorenz" },
  { "PredatorPrey" },
  { "Robertson" },
  { "VanDerPol" },
  { "Delay", .sizes = { 2 } },
  { "DiscreteDerivative", .sizes = { 2 } },
  { "SampleAndHold", .sizes = { 2, 1 } },
  { "XYScope", .sizes = { 1, 1 } },
  { "Clock" },
  { "Constant" },
  { "Pulse" },
  { "Ramp" },
  { "Sine" },
  { "Step" },
  { "Sawtooth" },
  { "Triangle" },
  { "Chirp" },
  { "TimeTable" },
  { "TimeTable", { "interpolation", "smooth", "extrapolation", "linear" } },
  { "FromFile" },
  { "UniformRandom", { "size", "3" } },
  { "GaussianRandom" },
  { "Abs", .sizes = { 2 } },
  { "Atan2", .sizes = { 1, 2 } },
  { "DeadZone", .sizes = { 2 } },
  { "Function", .sizes = { 2 } },
  { "MinMax", { "inputs", "3" }, { 2, 1, 2 } },
  { "Power", .sizes = { 2 } },
  { "Modulo", .sizes = { 2 } },
  { "Modulo", { "result", "remainder", "modulus", "0.75" }, { 1 } },
  { "Quantizer", .sizes = { 2 } },
  { "Quantizer", { "rounding", "up" }, { 1 } },
  { "RateLimiter", .sizes = { 1 } },
  { "Logic", { "operation", "xor" }, { 1, 2 } },
  { "EdgeDetector", .sizes = { 2 } },
  { "HitCrossing", .sizes = { 1 } },
  { "LookupTable", .sizes = { 2 } },
  { "LookupTable",
    { "points", "[-1, 0.5]", "values", "[2, 1]", "interpolation", "previous" },
    { 1 } },
  { "DiscreteIntegrator", .sizes = { 2 } },
  { "DiscreteIntegrator", { "method", "trapezoidal" }, { 1 } },
  { "Demux", { "sizes", "[2, 1]" }, { 3 } },
  { "Display", .sizes = { 2 } },
  { "Stop", .sizes = { 1 } },
  { "Compare", .sizes = { 2 } },
  { "Gain", .sizes = { 1 } },
  { "Guess", .sizes = { 2 } },
  { "Gain", { "gain", "[1, 2, 3]" }, { 3 } },
  { "Product", { "operations", "*//" }, { 1, 2, 2 } },
  { "Relay", .sizes = { 2 } },
  { "Saturation", .sizes = { 2 } },
  { "Sign", .sizes = { 2 } },
  { "Sum", { "signs", "+-+" }, { 3, 1, 3 } },
  { "Sum", { "signs", "+++++" }, { 1, 1, 1, 1, 1 } },
  { "BouncingBall" },
  { "Integrator", .sizes = { 2 } },
  { "LimitedIntegrator", .sizes = { 1, 1, 1 } },
  { "Pendulum", .sizes = { 1 } },
  { "Equations",
    { "equations", "input u, w[2]\nparameter a = 2, b = 3, c = a + 1\n"
                   "D(x) ~ v; D(v) ~ -a*x + u\ninitial x = 1; initial v = 0\n"
                   "p ~ a*w[1] + x; q ~ p*b; r ~ sin(w[2]) + t; s ~ c*r\n"
                   "g + 3*h ~ p; g - h ~ u*3\n"
                   "guess e = 1; e + 0.1*sin(e) ~ w[2]" },
    { 1, 2 } },
  { "Equations",
    { "equations", "input u\nsample 0.1\nz(k) ~ 0.5*z(k-1) + z(k-2) + u\ninitial z = 1\n"
                   "when every(0.3): n := pre(n) + m, m := 1 - pre(m)\ninitial n = 0\n"
                   "initial m = 1\ny ~ z + n; l ~ m*u" },
    { 1 } },
  { "Lag", .sizes = { 2 } },
  { "SecondOrderLag", .sizes = { 1 } },
  { "StateSpace", { "a", "[0, 1; -2, -1]", "b", "[0; 1]", "c", "[1, 0]" }, { 1 } },
  { "StateSpace",
    { "a", "[0, 1; -2, -1]", "b", "[1, 0; 0, 1]", "c", "[1, 1; 0, 2]", "d", "[0, 1; 1, 0]" },
    { 2 } },
  { "TransferFunction", .sizes = { 1 } },
  { "TransferFunction", { "numerator", "[1, 2]" }, { 1 } },
  { "PID", .sizes = { 1 } },
  { "PID", { "form", "ideal", "output", "limited" }, { 1 } },
  { "TransportDelay", { "points", "4", "delay", "0.5" }, { 2 } },
  { "DiscretePID", .sizes = { 1 } },
  { "DiscreteStateSpace", .sizes = { 1 } },
  { "DiscreteTransferFunction", { "numerator", "[1, 2]" }, { 1 } },
  { "Counter" },
  { "UnitDelay", .sizes = { 2 } },
  { "ZeroOrderHold", .sizes = { 1 } },
  { "Mux", .sizes = { 2, 1 } },
  { "Selector", { "elements", "[2, 1]" }, { 2 } },
  { "Switch", .sizes = { 1, 1, 1 } },
  { "Switch", { "criterion", ">" }, { 1, 1, 2 } },
  { "Switch", { "criterion", "!=" }, { 2, 1, 2 } },
  { "Scope", .sizes = { 1 } },
  { "Terminator", .sizes = { 1 } },
  { "CacheProbe", .sizes = { 1 } },
  { "FanOut", .sizes = { 1 } },
  { "Slow", .sizes = { 1 } },
  { "UnitConversion", .sizes = { 2 } },
  { "Assertion", { "action", "reject", "condition", "u < 1e300" }, { 2 } },
  { "Assertion", { "condition", "u < 5 + t" }, { 2 } },
};

/* Declared wrongly, or not a function of its inputs, on purpose. */
static const char *const faulty[] = { "CautiousGain", "ForgetfulSum", "HiddenMemory", NULL };

static void
check_source (const Case *c, const WeirBlockType *type, WeirSystem *system, WeirSource source)
{
  WeirLayout *layout = weir_system_get_layout (system);
  guint32 origin = origin_of (layout, source).kind;
  guint n_entries = weir_layout_get_n_entries (layout);
  g_autofree gboolean *goes_stale = g_new0 (gboolean, n_entries);
  g_autofree gboolean *differs = g_new0 (gboolean, n_entries);
  g_autoptr (WeirContext) context = weir_system_create_context (system);

  for (guint trial = 0; trial < N_TRIALS; trial++)
    {
      g_autoptr (WeirContext) before = NULL;

      for (guint s = WEIR_N_JOINT_SOURCES; s < layout->n_sources; s++)
        change (type, context, (WeirSource) { s });
      change (type, context, (WeirSource) { WEIR_SOURCE_TIME });
      for (guint e = 0; e < n_entries; e++)
        g_assert_nonnull (weir_eval_entry (system, context, (WeirEntry) { e }));
      before = weir_context_clone (context);
      if (!change (type, context, source))
        return;
      for (guint e = 0; e < n_entries; e++)
        {
          WeirEntry entry = { e };
          gboolean is_stale = !weir_context_is_up_to_date (context, entry);
          gsize size = weir_layout_get_entry (layout, entry).size * sizeof (double);
          double afresh[64];
          gboolean is_different;

          g_assert_cmpint (weir_calc_entry (system, context, entry, afresh), ==, WEIR_OK);
          is_different = memcmp (afresh, weir_context_peek (before, entry), size) != 0;
          if (is_different && !is_stale)
            g_error ("%s: %s omits a prerequisite (source kind %u)", c->type,
                     weir_layout_get_entry (layout, entry).name, origin);
          goes_stale[e] |= is_stale;
          differs[e] |= is_different;
        }
    }
  for (guint e = 0; e < n_entries; e++)
    {
      const char *name = weir_layout_get_entry (layout, (WeirEntry) { e }).name;

      if (goes_stale[e] && !differs[e])
        g_error ("%s: %s declares a prerequisite that never matters (source kind %u)", c->type,
                 name, origin);
    }
}

static void
test_exact (gconstpointer data)
{
  const Case *c = data;
  const WeirBlockType *type = weir_registry_find (c->type);
  g_autoptr (WeirSystem) system = fixture_build (c->type, c->pairs, c->sizes);
  WeirLayout *layout = weir_system_get_layout (system);

  get_test_seed (64);
  check_source (c, type, system, (WeirSource) { WEIR_SOURCE_TIME });
  check_source (c, type, system, (WeirSource) { WEIR_SOURCE_ACCURACY });
  for (guint s = WEIR_N_JOINT_SOURCES; s < layout->n_sources; s++)
    check_source (c, type, system, (WeirSource) { s });
}

/* Every type that builds a leaf is among the cases. */
static void
test_all_types (void)
{
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      gboolean is_covered = type->build == NULL || g_strv_contains (faulty, type->name);

      for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
        is_covered |= strcmp (cases[k].type, type->name) == 0;
      if (!is_covered)
        g_error ("%s is not tested", type->name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/prerequisites/all-types", test_all_types);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/blocks/prerequisites/%s/%u", cases[i].type, i);

      g_test_add_data_func (path, &cases[i], test_exact);
    }
  return g_test_run ();
}
