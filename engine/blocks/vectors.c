/* Vectors: polynomials element by element, and what makes one number of many elements. Elements are
 * taken in order, so that the bits of a sum do not depend on how it is called.
 */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 }, IN1 = { 0 }, IN2 = { 1 };

/* --- Bias: y = u + b ------------------------------------------------------------------------- */

WEIR_KERNEL_2 (add_bias, u, bias, u + bias)

static const WeirParameterSpec bias_parameters[] = {
  WEIR_TUNABLE_NUMBER ("bias", N_ ("Bias"), "0", N_ ("What is added to each element."), WEIR_ANY),
};

static WeirSystem *
bias_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Bias");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  WeirTicket bias = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "bias"));

  weir_leaf_add_output_kernel (b, "y", sizes[0], add_bias, 0, WEIR_DEPENDS (u, bias));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_bias = {
  .name = "Bias",
  .title = N_ ("Bias"),
  .category = CATEGORY,
  .summary = N_ ("Adds a number to its input."),
  WEIR_PARAMETERS (bias_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = bias_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Polynomial: y = c1 u^n + ... + cn u + c0, after Horner ---------------------------------- */

typedef struct {
  guint32 n; /* coefficients, that of the highest power first */
  double coefficients[];
} Polynomial;

static WeirStatus
polynomial_y (const WeirCalc *c, double *y)
{
  const Polynomial *polynomial = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      double value = polynomial->coefficients[0];

      for (guint k = 1; k < polynomial->n; k++)
        value = value * u[i] + polynomial->coefficients[k];
      y[i] = value;
    }
  return WEIR_OK;
}

static const WeirParameterSpec polynomial_parameters[] = {
  {
      .name = "coefficients",
      .label = N_ ("Coefficients"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "[1, 0, 0]",
      WEIR_ANY,
      .help = N_ ("Of the powers of the input, the highest first."),
  },
};

static WeirSystem *
polynomial_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  guint n;
  const double *coefficients = weir_arguments_get_vector (arguments, "coefficients", &n);
  gsize bytes = sizeof (Polynomial) + n * sizeof (double);
  g_autofree Polynomial *polynomial = g_malloc0 (bytes);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Polynomial");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));

  polynomial->n = n;
  memcpy (polynomial->coefficients, coefficients, n * sizeof (double));
  weir_leaf_set_data (b, polynomial, bytes);
  weir_leaf_add_output (b, "y", sizes[0], polynomial_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_polynomial = {
  .name = "Polynomial",
  .title = N_ ("Polynomial"),
  .category = CATEGORY,
  .summary = N_ ("Computes a polynomial of its input."),
  WEIR_PARAMETERS (polynomial_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = polynomial_build,
};

/* --- Dot product ----------------------------------------------------------------------------- */

static WeirStatus
dot_y (const WeirCalc *c, double *y)
{
  const double *a = weir_calc_input (c, IN1), *b = weir_calc_input (c, IN2);
  double sum = 0;

  for (guint i = 0; i < weir_calc_input_size (c, IN1); i++)
    sum += a[i] * b[i];
  y[0] = sum;
  return WEIR_OK;
}

static void
dot_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", 2);
}

static void
list_scalar_y (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 1);
}

static WeirSystem *
dot_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes, GError **error)
{
  WeirLeafBuilder *b;
  WeirTicket in1, in2;

  if (sizes[0] != sizes[1])
    {
      g_set_error (
          error, WEIR_ERROR, WEIR_ERROR_INVALID,
          "Input in2 has size %u, but input in1 has size %u; a dot product is of equal ones.",
          sizes[1], sizes[0]);
      return NULL;
    }
  b = weir_leaf_builder_new ("DotProduct");
  in1 = weir_input_ticket (b, weir_leaf_add_input (b, "in1", sizes[0]));
  in2 = weir_input_ticket (b, weir_leaf_add_input (b, "in2", sizes[1]));
  weir_leaf_add_output (b, "y", 1, dot_y, WEIR_DEPENDS (in1, in2));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_dot_product = {
  .name = "DotProduct",
  .title = N_ ("Dot Product"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies two vectors element by element and adds the products."),
  .list_inputs = dot_list_inputs,
  .list_outputs = list_scalar_y,
  .build = dot_build,
};

/* --- Elements: one number of all elements ---------------------------------------------------- */

enum { SUM, PRODUCT, MEAN, NORM };

static const char *const operations[] = {
  [SUM] = "sum", [PRODUCT] = "product", [MEAN] = "mean", [NORM] = "norm", NULL
};

static WeirStatus
elements_y (const WeirCalc *c, double *y)
{
  guint operation = *(const guint32 *) weir_calc_data (c), n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U);
  double value = operation == PRODUCT ? 1 : 0;

  for (guint i = 0; i < n; i++)
    if (operation == PRODUCT)
      value *= u[i];
    else
      value += operation == NORM ? u[i] * u[i] : u[i];
  y[0] = operation == MEAN ? value / n : operation == NORM ? sqrt (value) : value;
  return WEIR_OK;
}

static const WeirParameterSpec elements_parameters[] = {
  {
      .name = "operation",
      .label = N_ ("Operation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "sum",
      .choices = operations,
      .help = N_ ("What is made of the elements."),
  },
};

static WeirSystem *
elements_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Elements");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  guint32 operation = 0;

  while (strcmp (operations[operation], weir_arguments_get_text (arguments, "operation")) != 0)
    operation++;
  weir_leaf_set_data (b, &operation, sizeof operation);
  weir_leaf_add_output (b, "y", 1, elements_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_elements = {
  .name = "Elements",
  .title = N_ ("Sum of Elements"),
  .category = CATEGORY,
  .summary = N_ ("Makes one number of the elements of a vector: sum, product, mean or norm."),
  WEIR_PARAMETERS (elements_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = list_scalar_y,
  .build = elements_build,
};
