/* Mathematics: blocks whose outputs are functions of their inputs, element by element.
 *
 * Inputs of size 1 spread over the elements of the others. Sum and Product work from left to right,
 * in that order for every way of calling their kernels.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Mathematics")

#define MAX_OPERANDS 64 /* their operators are the bits of a kernel's variant */

/* The positions of @mark in a text of operators, as bits. */
static guint64
bits_of (const char *operators, char mark)
{
  guint64 bits = 0;

  for (guint i = 0; operators[i] != '\0'; i++)
    if (operators[i] == mark)
      bits |= G_GUINT64_CONSTANT (1) << i;
  return bits;
}

/* --- Sum: y = ±in1 ± in2 ... ----------------------------------------------------------------- */

/* Made for each small @n_in, so that the inner loop unrolls and the outer one vectorises. A factor
 * of -1 is exact. */
WEIR_SIMD_BODY void
sum_n (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
       gsize n)
{
  double sign[MAX_OPERANDS];
  gboolean is_unit = step == 1 && in[0].stride == 1;

  sign[0] = (variant & 1) != 0 ? -1.0 : 1.0;
  for (guint k = 1; k < n_in; k++)
    {
      sign[k] = (variant >> k & 1) != 0 ? -1.0 : 1.0;
      is_unit = is_unit && in[k].stride == 1;
    }
  if (is_unit)
    for (gsize i = 0; i < n; i++)
      {
        double sum = sign[0] * in[0].base[i];

        for (guint k = 1; k < n_in; k++)
          sum += sign[k] * in[k].base[i];
        out[i] = sum;
      }
  else
    for (gssize i = 0; i < (gssize) n; i++)
      {
        double sum = sign[0] * in[0].base[i * in[0].stride];

        for (guint k = 1; k < n_in; k++)
          sum += sign[k] * in[k].base[i * in[k].stride];
        out[i * step] = sum;
      }
}

WEIR_SIMD_BODY void
sum_body (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
          gsize n)
{
  switch (n_in)
    {
    case 2:
      sum_n (in, 2, variant, out, step, n);
      break;
    case 3:
      sum_n (in, 3, variant, out, step, n);
      break;
    case 4:
      sum_n (in, 4, variant, out, step, n);
      break;
    case 5:
      sum_n (in, 5, variant, out, step, n);
      break;
    default:
      sum_n (in, n_in, variant, out, step, n);
    }
}

WEIR_KERNEL_FORMS (sum)
WEIR_KERNEL_SAYS (sum, NULL, NULL, { "u", "-1 * u" }, { "y + u", "y - u" }, FALSE, NULL)

static const WeirParameterSpec sum_parameters[] = {
  {
      .name = "signs",
      .label = N_ ("Signs"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "++",
      .characters = "+-",
      WEIR_FROM_TO (1, MAX_OPERANDS),
      .help = N_ ("One sign for each input: + adds it, - subtracts it."),
  },
};

static void
sum_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", (guint) strlen (weir_arguments_get_text (arguments, "signs")));
}

static guint64
sum_get_variant (const WeirArguments *arguments)
{
  return bits_of (weir_arguments_get_text (arguments, "signs"), '-');
}

static const WeirBlockType sum_type = {
  .name = "Sum",
  .title = N_ ("Sum"),
  .category = CATEGORY,
  .summary = N_ ("Adds and subtracts its inputs."),
  WEIR_PARAMETERS (sum_parameters),
  .list_inputs = sum_list_inputs,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.get_variant = sum_get_variant, .y = { "y", .kernel = sum }),
  .units = WEIR_UNITS_SAME,
};

/* --- Product: each input multiplies or divides, from left to right --------------------------- */

WEIR_SIMD_BODY void
multiply (WeirStream in, double *restrict out, gssize step, gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] *= in.base[i * in.stride];
}

WEIR_SIMD_BODY void
divide (WeirStream in, double *restrict out, gssize step, gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] /= in.base[i * in.stride];
}

WEIR_SIMD_BODY void
product_body (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
              gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] = 1.0;
  for (guint k = 0; k < n_in; k++)
    if ((variant >> k & 1) != 0)
      divide (in[k], out, step, n);
    else
      multiply (in[k], out, step, n);
}

WEIR_KERNEL_FORMS (product)
WEIR_KERNEL_SAYS (product, NULL, NULL, { "u", "1 / u" }, { "y * u", "y / u" }, FALSE, NULL)

static const WeirParameterSpec product_parameters[] = {
  {
      .name = "operations",
      .label = N_ ("Operations"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "**",
      .characters = "*/",
      WEIR_FROM_TO (1, MAX_OPERANDS),
      .help = N_ ("One operation for each input: * multiplies by it, / divides by it."),
  },
};

static void
product_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  const char *operations = weir_arguments_get_text (arguments, "operations");

  weir_list_numbered (ports, "in", (guint) strlen (operations));
}

static guint64
product_get_variant (const WeirArguments *arguments)
{
  return bits_of (weir_arguments_get_text (arguments, "operations"), '/');
}

static const WeirBlockType product_type = {
  .name = "Product",
  .title = N_ ("Product"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies and divides its inputs."),
  WEIR_PARAMETERS (product_parameters),
  .list_inputs = product_list_inputs,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.get_variant = product_get_variant, .y = { "y", .kernel = product }),
};

/* --- Gain: y = gain u ------------------------------------------------------------------------ */

WEIR_KERNEL_2 (gain, k, u, k *u)

static const WeirParameterSpec gain_parameters[] = {
  {
      .name = "gain",
      .label = N_ ("Gain"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("Factor of the input, or one factor for each element."),
      .tunable = "gain",
  },
};

static guint
gain_output_size (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  return weir_size_with (arguments, "gain", sizes);
}

static const WeirBlockType gain_type = {
  .name = "Gain",
  .title = N_ ("Gain"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies its input by a factor."),
  WEIR_PARAMETERS (gain_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = gain_output_size,
  WEIR_LEAF (.y = { "y", .kernel = gain, .reads = WEIR_READS ("gain", "u") }),
};

/* --- Abs: y = |u| ---------------------------------------------------------------------------- */

/* The library is compiled without built-ins; this one is an instruction, not a call. */
WEIR_KERNEL_1 (magnitude, u, __builtin_fabs (u))

static const WeirInput U = { 0 };

static WeirStatus
abs_kink (const WeirCalc *c, double *w)
{
  memcpy (w, weir_calc_input (c, U), weir_calc_input_size (c, U) * sizeof *w);
  return WEIR_OK;
}

static const WeirBlockType abs_type = {
  .name = "Abs",
  .title = N_ ("Absolute Value"),
  .category = CATEGORY,
  .summary = N_ ("Gives the magnitude of its input."),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.y = { "y", .kernel = magnitude },
             .kinks = { "kink", .calc = abs_kink, .reads = WEIR_READS ("u") }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

/* --- Saturation: y = u, held between lower and upper ----------------------------------------- */

/* Not a number stays not a number. */
WEIR_KERNEL_3 (saturate, u, lower, upper, upper < u ? upper : u < lower ? lower : u)

static const WeirParameter LOWER = { 0 }, UPPER = { 1 };

/* Zero where an element meets a limit: first the lower for all, then the upper. */
static WeirStatus
saturation_kinks (const WeirCalc *c, double *w)
{
  guint n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U);
  double lower = weir_calc_parameter (c, LOWER)[0];
  double upper = weir_calc_parameter (c, UPPER)[0];

  for (guint i = 0; i < n; i++)
    {
      w[i] = u[i] - lower;
      w[n + i] = u[i] - upper;
    }
  return WEIR_OK;
}

static const WeirParameterSpec saturation_parameters[] = {
  {
      .name = "lower",
      .label = N_ ("Lower limit"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "-1",
      WEIR_ANY,
      .help = N_ ("The least value of the output."),
      .tunable = "lower",
  },
  {
      .name = "upper",
      .label = N_ ("Upper limit"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The greatest value of the output."),
      .tunable = "upper",
  },
};

static gboolean
saturation_accept (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  double low = weir_arguments_get_number (arguments, "lower");
  double high = weir_arguments_get_number (arguments, "upper");

  if (low <= high)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID, "The lower limit %g is above the upper limit %g.", low,
                  high);
  return FALSE;
}

static const WeirBlockType saturation_type = {
  .name = "Saturation",
  .title = N_ ("Saturation"),
  .category = CATEGORY,
  .summary = N_ ("Holds its input between two limits."),
  WEIR_PARAMETERS (saturation_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.accept = saturation_accept,
             .y = { "y", .kernel = saturate, .reads = WEIR_READS ("u", "lower", "upper") },
             .kinks = { "kinks", .calc = saturation_kinks,
                        .reads = WEIR_READS ("u", "lower", "upper"), .n = 2 }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LOWER, "lower"),
                  WEIR_POSITION (UPPER, "upper")),
};

WEIR_FAMILY (math, &sum_type, &product_type, &gain_type, &abs_type, &saturation_type);
