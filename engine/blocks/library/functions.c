/* Functions: element-wise mathematics beyond sums and products, and logic.
 *
 * Each is a kernel without memory. Where a result has a kink or a jump, a break ends the solver's
 * step there.
 */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Mathematics")
#define CATEGORY_LOGIC N_ ("Logic")
#define MAX_OPERANDS 8 /* whose differences are all watched for kinks */
#define MAX_GATE_INPUTS 64

/* --- Function: y = f(u) ---------------------------------------------------------------------- */

enum { SQUARE = 4, RECIPROCAL = 5 }; /* no functions of a library: they have kernels of their own */

WEIR_KERNEL_1 (square, u, u *u)
WEIR_KERNEL_1 (reciprocal, u, 1 / u)

static const char *const function_names[] = {
  "exp", "log",  "log10", "sqrt", "square", "reciprocal", "sin",  "cos",
  "tan", "asin", "acos",  "atan", "sinh",   "cosh",       "tanh", NULL,
};

static double (*const functions[]) (double) = {
  exp, log, log10, sqrt, NULL, NULL, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh,
};

/* @variant: which one. */
static void
apply (const WeirStream *in, G_GNUC_UNUSED guint n_in, guint64 variant, double *restrict out,
       gssize step, gsize n)
{
  double (*function) (double) = functions[variant];

  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] = function (in[0].base[i * in[0].stride]);
}

WEIR_KERNEL_SAYS (apply, "u", "f (u)", { NULL, NULL }, { NULL, NULL }, FALSE, functions)

static const WeirParameterSpec function_parameters[] = {
  {
      .name = "function",
      .label = N_ ("Function"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "exp",
      .choices = function_names,
      .help = N_ ("What is computed from each element; angles are in radians."),
  },
};

static const WeirInput U = { 0 };

static WeirStatus
angle_phases (const WeirCalc *c, double *phases)
{
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    phases[i] = u[i] / (2 * G_PI);
  return WEIR_OK;
}

static WeirSystem *
function_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  guint which = weir_arguments_get_choice (arguments, "function");
  WeirLeafBuilder *b = weir_leaf_builder_new ("Function");
  WeirInput u = weir_leaf_add_input (b, "u", sizes[0]);

  weir_leaf_add_output_kernel (b, "y", sizes[0],
                               which == SQUARE       ? square
                               : which == RECIPROCAL ? reciprocal
                                                     : apply,
                               functions[which] != NULL ? which : 0,
                               WEIR_DEPENDS (weir_input_ticket (b, u)));
  if (functions[which] == sin || functions[which] == cos || functions[which] == tan)
    weir_leaf_set_phases (b, sizes[0], angle_phases);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType function_type = {
  .name = "Function",
  .title = N_ ("Function"),
  .category = CATEGORY,
  .summary = N_ ("Computes an elementary function of its input, such as a root or a sine."),
  WEIR_PARAMETERS (function_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = function_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Power: y = u to the exponent ------------------------------------------------------------ */

WEIR_KERNEL_2 (power, u, exponent, pow (u, exponent))

static const WeirParameterSpec power_parameters[] = {
  WEIR_TUNABLE_NUMBER ("exponent", N_ ("Exponent"), "2",
                       N_ ("The power that the input is raised to."), WEIR_ANY),
};

static const WeirBlockType power_type = {
  .name = "Power",
  .title = N_ ("Power"),
  .category = CATEGORY,
  .summary = N_ ("Raises its input to a power."),
  WEIR_PARAMETERS (power_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.y = { "y", .kernel = power, .reads = WEIR_READS ("u", "exponent") }),
};

/* --- Atan2: y = the angle of the point (x, y) ------------------------------------------------ */

WEIR_KERNEL_2 (angle, y, x, atan2 (y, x))

static const WeirInput ANGLE_Y = { 0 }, ANGLE_X = { 1 };

/* Where it jumps, if x is negative. */
static WeirStatus
angle_kinks (const WeirCalc *c, double *w)
{
  guint n_y = weir_calc_input_size (c, ANGLE_Y);
  guint size = MAX (n_y, weir_calc_input_size (c, ANGLE_X));
  const double *y = weir_calc_input (c, ANGLE_Y);

  for (guint i = 0; i < size; i++)
    w[i] = y[n_y > 1 ? i : 0];
  return WEIR_OK;
}

static void
angle_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 0);
  weir_list_port (ports, "x", 0);
}

static void
angle_list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "angle", 0);
}

static const WeirBlockType atan2_type = {
  .name = "Atan2",
  .title = N_ ("Angle"),
  .category = CATEGORY,
  .summary = N_ ("Gives the angle of a point from its coordinates, in all four quadrants."),
  .list_inputs = angle_list_inputs,
  .list_outputs = angle_list_outputs,
  WEIR_LEAF (.y = { "angle", .kernel = angle },
             .kinks = { "kinks", .calc = angle_kinks, .reads = WEIR_READS ("y") }),
  WEIR_POSITIONS (WEIR_POSITION (ANGLE_Y, "y"), WEIR_POSITION (ANGLE_X, "x")),
};

/* --- Several inputs in1, in2, ... ------------------------------------------------------------ */

/* Declares them; @operands: n + 1 tickets. 0 and @error if the sizes do not fit, else the size of
 * y. */
static guint
check_operands (const guint *sizes, guint n, GError **error)
{
  guint size = weir_widest (sizes, n, 1);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *what = g_strdup_printf ("Input %s", weir_numbered_name ("in", i));

      if (!weir_check_size (what, sizes[i], size, error))
        return 0;
    }
  return size;
}

static void
add_operands (WeirLeafBuilder *b, const guint *sizes, guint n, WeirTicket *operands)
{
  for (guint i = 0; i < n; i++)
    operands[i] = weir_input_ticket (
        b, weir_leaf_add_input (b, weir_numbered_name ("in", i), sizes[i]));
  operands[n] = (WeirTicket) { WEIR_TICKET_END };
}

static void
list_operands (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", (guint) weir_arguments_get_integer (arguments, "inputs"));
}

/* --- MinMax ---------------------------------------------------------------------------------- */

static const char *const extremes[] = { "minimum", "maximum", NULL };

/* @variant: 1 = the greatest. Not a number stays not a number. */
WEIR_SIMD_BODY void
extreme_body (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
              gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    {
      double best = in[0].base[i * in[0].stride];

      for (guint k = 1; k < n_in; k++)
        {
          double value = in[k].base[i * in[k].stride];
          gboolean is_better = variant != 0 ? value > best : value < best;

          if (is_better || value != value)
            best = value;
        }
      out[i * step] = best;
    }
}

WEIR_KERNEL_FORMS (extreme)
WEIR_KERNEL_SAYS (extreme, NULL, NULL, { "u", "u" },
                  { "u < y || u != u ? u : y", "u > y || u != u ? u : y" }, TRUE, NULL)

/* The data is the number of inputs and the size. */
static WeirStatus
extreme_kinks (const WeirCalc *c, double *w)
{
  const guint *data = weir_calc_data (c);

  for (guint16 i = 0; i < data[0]; i++)
    for (guint16 j = 0; j < i; j++)
      {
        const double *a = weir_calc_input (c, (WeirInput) { i });
        const double *b = weir_calc_input (c, (WeirInput) { j });
        guint step_a = weir_calc_input_size (c, (WeirInput) { i }) > 1;
        guint step_b = weir_calc_input_size (c, (WeirInput) { j }) > 1;

        for (guint k = 0; k < data[1]; k++)
          *w++ = a[k * step_a] - b[k * step_b];
      }
  return WEIR_OK;
}

static const WeirParameterSpec extreme_parameters[] = {
  {
      .name = "operation",
      .label = N_ ("Operation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "minimum",
      .choices = extremes,
      .help = N_ ("Whether the least or the greatest input is given."),
  },
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "2",
      WEIR_FROM_TO (2, MAX_OPERANDS),
      .help = N_ ("How many inputs there are."),
  },
};

static WeirSystem *
extreme_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "inputs");
  guint data[] = { n, check_operands (sizes, n, error) };
  WeirTicket operands[MAX_OPERANDS + 1];
  WeirLeafBuilder *b;
  WeirCached kinks;

  if (data[1] == 0)
    return NULL;
  b = weir_leaf_builder_new ("MinMax");
  add_operands (b, sizes, n, operands);
  weir_leaf_set_data (b, data, sizeof data);
  weir_leaf_add_output_kernel (b, "y", data[1], extreme,
                               weir_arguments_get_choice (arguments, "operation"), operands);
  kinks = weir_leaf_add_cache_entry (b, "kinks", n * (n - 1) / 2 * data[1], extreme_kinks,
                                     operands);
  weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType min_max_type = {
  .name = "MinMax",
  .title = N_ ("Minimum, Maximum"),
  .category = CATEGORY,
  .summary = N_ ("Gives the least or the greatest of its inputs."),
  WEIR_PARAMETERS (extreme_parameters),
  .list_inputs = list_operands,
  .list_outputs = weir_list_y,
  .build = extreme_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Logic: y = 1 or 0 ----------------------------------------------------------------------- */

enum { AND, OR, XOR, NAND, NOR, NOT };

static const char *const gates[] = {
  [AND] = "and", [OR] = "or", [XOR] = "xor", [NAND] = "nand", [NOR] = "nor", [NOT] = "not", NULL,
};

/* What is not 0 is true. */
WEIR_SIMD_BODY void
gate_body (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
           gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    {
      guint n_true = 0;

      for (guint k = 0; k < n_in; k++)
        n_true += in[k].base[i * in[k].stride] != 0;
      out[i * step] = variant == AND    ? n_true == n_in
                      : variant == OR   ? n_true > 0
                      : variant == XOR  ? n_true % 2 == 1
                      : variant == NAND ? n_true < n_in
                                        : n_true == 0;
    }
}

WEIR_KERNEL_FORMS (gate)

static guint
count_gate_inputs (const WeirArguments *arguments)
{
  return weir_arguments_get_choice (arguments, "operation") == NOT
             ? 1
             : (guint) weir_arguments_get_integer (arguments, "inputs");
}

static void
gate_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", count_gate_inputs (arguments));
}

static const WeirParameterSpec gate_parameters[] = {
  {
      .name = "operation",
      .label = N_ ("Operation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "and",
      .choices = gates,
      .help = N_ ("How the inputs are combined; xor tells whether an odd number of them is true."),
  },
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "2",
      WEIR_FROM_TO (1, MAX_GATE_INPUTS),
      .help = N_ ("How many inputs there are; not has one."),
  },
};

static guint64
gate_get_variant (const WeirArguments *arguments)
{
  return weir_arguments_get_choice (arguments, "operation");
}

static const WeirBlockType logic_type = {
  .name = "Logic",
  .title = N_ ("Logic"),
  .category = CATEGORY_LOGIC,
  .summary = N_ ("Combines true (not 0) and false (0) inputs: 1 or 0."),
  WEIR_PARAMETERS (gate_parameters),
  .list_inputs = gate_list_inputs,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.get_variant = gate_get_variant, .y = { "y", .kernel = gate }),
};

WEIR_FAMILY (functions, &function_type, &power_type, &atan2_type, &min_max_type, &logic_type);
