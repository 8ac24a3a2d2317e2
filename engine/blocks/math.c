/* Mathematics: blocks whose outputs are functions of their inputs, element by element.
 *
 * Inputs of size 1 spread over the elements of the others. Sum and Product work from left to right,
 * in that order for every way of calling their kernels.
 */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Mathematics")

#define MAX_OPERANDS 64 /* their operators are the bits of a kernel's variant */

/* Several inputs in1, in2, ... and the output y, computed by @kernel. */
static WeirSystem *
build_fold (const char *kind, WeirKernel kernel, guint64 variant, const guint *sizes, guint n,
            GError **error)
{
  g_autofree WeirTicket *operands = g_new (WeirTicket, n + 1);
  guint size = weir_widest (sizes, n, 1);
  WeirLeafBuilder *b;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *what = g_strdup_printf ("Input %s", weir_numbered_name ("in", i));

      if (!weir_check_size (what, sizes[i], size, error))
        return NULL;
    }

  b = weir_leaf_builder_new (kind);
  for (guint i = 0; i < n; i++)
    {
      WeirInput in = weir_leaf_add_input (b, weir_numbered_name ("in", i), sizes[i]);

      operands[i] = weir_input_ticket (b, in);
    }
  operands[n].i = WEIR_TICKET_END;
  weir_leaf_add_output_kernel (b, "y", size, kernel, variant, operands);
  return weir_leaf_builder_build (b);
}

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
static inline __attribute__ ((always_inline)) void
sum_n (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
       gsize n)
{
  double sign[MAX_OPERANDS];
  gboolean is_unit = step == 1;

  for (guint k = 0; k < n_in; k++)
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

static void
sum (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step, gsize n)
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

static WeirSystem *
sum_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const char *signs = weir_arguments_get_text (arguments, "signs");

  return build_fold ("Sum", sum, bits_of (signs, '-'), sizes, (guint) strlen (signs), error);
}

const WeirBlockType weir_block_sum = {
  .name = "Sum",
  .title = N_ ("Sum"),
  .category = CATEGORY,
  .summary = N_ ("Adds and subtracts its inputs."),
  WEIR_PARAMETERS (sum_parameters),
  .list_inputs = sum_list_inputs,
  .list_outputs = weir_list_y,
  .build = sum_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Product: each input multiplies or divides, from left to right --------------------------- */

static void
multiply (WeirStream in, double *restrict out, gssize step, gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] *= in.base[i * in.stride];
}

static void
divide (WeirStream in, double *restrict out, gssize step, gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    out[i * step] /= in.base[i * in.stride];
}

static void
product (const WeirStream *in, guint n_in, guint64 variant, double *restrict out, gssize step,
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

static WeirSystem *
product_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const char *operations = weir_arguments_get_text (arguments, "operations");

  return build_fold ("Product", product, bits_of (operations, '/'), sizes,
                     (guint) strlen (operations), error);
}

const WeirBlockType weir_block_product = {
  .name = "Product",
  .title = N_ ("Product"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies and divides its inputs."),
  WEIR_PARAMETERS (product_parameters),
  .list_inputs = product_list_inputs,
  .list_outputs = weir_list_y,
  .build = product_build,
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

static WeirSystem *
gain_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint size = gain_output_size (arguments, sizes, 0);
  WeirLeafBuilder *b;
  WeirInput u;
  WeirParameter k;
  guint k_size;

  weir_arguments_get_vector (arguments, "gain", &k_size);
  if (!weir_check_size ("Input u", sizes[0], size, error)
      || !weir_check_size ("Parameter gain", k_size, size, error))
    return NULL;

  b = weir_leaf_builder_new ("Gain");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  k = weir_leaf_add_tunable (b, arguments, "gain");
  weir_leaf_add_output_kernel (
      b, "y", size, gain, 0, WEIR_DEPENDS (weir_parameter_ticket (b, k), weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_gain = {
  .name = "Gain",
  .title = N_ ("Gain"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies its input by a factor."),
  WEIR_PARAMETERS (gain_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = gain_output_size,
  .build = gain_build,
};

/* --- Abs: y = |u| ---------------------------------------------------------------------------- */

/* The library is compiled without built-ins; this one is an instruction, not a call. */
WEIR_KERNEL_1 (magnitude, u, __builtin_fabs (u))

static WeirStatus
abs_kink (const WeirCalc *c, double *w)
{
  memcpy (w, weir_calc_input (c, (WeirInput) { 0 }),
          weir_calc_input_size (c, (WeirInput) { 0 }) * sizeof *w);
  return WEIR_OK;
}

static WeirSystem *
abs_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
           G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Abs");
  WeirInput u = weir_leaf_add_input (b, "u", sizes[0]);

  weir_leaf_add_output_kernel (b, "y", sizes[0], magnitude, 0,
                               WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_break (
      b, weir_on_crossing (weir_leaf_add_cache_entry (b, "kink", sizes[0], abs_kink,
                                                      WEIR_DEPENDS (weir_input_ticket (b, u))),
                           WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_abs = {
  .name = "Abs",
  .title = N_ ("Absolute Value"),
  .category = CATEGORY,
  .summary = N_ ("Gives the magnitude of its input."),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = abs_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Saturation: y = u, held between lower and upper ----------------------------------------- */

/* Not a number stays not a number. */
WEIR_KERNEL_3 (saturate, u, lower, upper, upper < u ? upper : u < lower ? lower : u)

/* Zero where an element meets a limit: first the lower for all, then the upper. */
static WeirStatus
saturation_kinks (const WeirCalc *c, double *w)
{
  guint n = weir_calc_input_size (c, (WeirInput) { 0 });
  const double *u = weir_calc_input (c, (WeirInput) { 0 });
  double lower = weir_calc_parameter (c, (WeirParameter) { 0 })[0];
  double upper = weir_calc_parameter (c, (WeirParameter) { 1 })[0];

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

static WeirSystem *
saturation_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double low = weir_arguments_get_number (arguments, "lower");
  double high = weir_arguments_get_number (arguments, "upper");
  WeirLeafBuilder *b;
  WeirInput u;
  WeirParameter lower, upper;

  if (low > high)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                   "The lower limit %g is above the upper limit %g.", low, high);
      return NULL;
    }

  b = weir_leaf_builder_new ("Saturation");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  lower = weir_leaf_add_tunable (b, arguments, "lower");
  upper = weir_leaf_add_tunable (b, arguments, "upper");
  weir_leaf_add_output_kernel (b, "y", sizes[0], saturate, 0,
                               WEIR_DEPENDS (weir_input_ticket (b, u),
                                             weir_parameter_ticket (b, lower),
                                             weir_parameter_ticket (b, upper)));
  weir_leaf_add_break (b, weir_on_crossing (weir_leaf_add_cache_entry (
                                                b, "kinks", 2 * sizes[0], saturation_kinks,
                                                WEIR_DEPENDS (weir_input_ticket (b, u),
                                                              weir_parameter_ticket (b, lower),
                                                              weir_parameter_ticket (b, upper))),
                                            WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_saturation = {
  .name = "Saturation",
  .title = N_ ("Saturation"),
  .category = CATEGORY,
  .summary = N_ ("Holds its input between two limits."),
  WEIR_PARAMETERS (saturation_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = saturation_build,
  .units = WEIR_UNITS_SAME,
};
