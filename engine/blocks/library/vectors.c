/* Vectors: polynomials element by element, products, and what makes one number of many elements.
 * Elements are taken in order, so that the bits of a sum do not depend on how it is called.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 }, IN1 = { 0 }, IN2 = { 1 };

/* --- Bias: y = u + b ------------------------------------------------------------------------- */

WEIR_KERNEL_2 (add_bias, u, bias, u + bias)

static const WeirParameterSpec bias_parameters[] = {
  WEIR_TUNABLE_NUMBER ("bias", N_ ("Bias"), "0", N_ ("What is added to each element."), WEIR_ANY),
};

static const WeirBlockType bias_type = {
  .name = "Bias",
  .title = N_ ("Bias"),
  .category = CATEGORY,
  .summary = N_ ("Adds a number to its input."),
  WEIR_PARAMETERS (bias_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.y = { "y", .kernel = add_bias, .reads = WEIR_READS ("u", "bias") }),
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

static WeirStatus
polynomial_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Polynomial *polynomial = weir_calc_data (c);
  const double *u = weir_calc_input (c, U), *du = weir_calc_input (d, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      double value = polynomial->coefficients[0], slope = 0;

      for (guint k = 1; k < polynomial->n; k++)
        {
          slope = slope * u[i] + value;
          value = value * u[i] + polynomial->coefficients[k];
        }
      y[i] = slope * du[i];
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

static const WeirBlockType polynomial_type = {
  .name = "Polynomial",
  .title = N_ ("Polynomial"),
  .category = CATEGORY,
  .summary = N_ ("Computes a polynomial of its input."),
  WEIR_PARAMETERS (polynomial_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = polynomial_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
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

static WeirStatus
dot_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const double *a = weir_calc_input (c, IN1), *b = weir_calc_input (c, IN2);
  const double *da = weir_calc_input (d, IN1), *db = weir_calc_input (d, IN2);

  y[0] = 0;
  for (guint i = 0; i < weir_calc_input_size (c, IN1); i++)
    y[0] += da[i] * b[i] + a[i] * db[i];
  return WEIR_OK;
}

static void
dot_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", 2);
}

static gboolean
dot_accept (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes, GError **error)
{
  if (sizes[0] == sizes[1])
    return TRUE;
  weir_error_set (
      error, WEIR_ERROR_INVALID,
      "Input in2 has size %u, but input in1 has size %u; a dot product is of equal ones.", sizes[1],
      sizes[0]);
  return FALSE;
}

static const WeirBlockType dot_product_type = {
  .name = "DotProduct",
  .title = N_ ("Dot Product"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies two vectors element by element and adds the products."),
  .list_inputs = dot_list_inputs,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.accept = dot_accept, .y = { "y", .calc = dot_y, .reads = WEIR_READS ("in1", "in2") }),
  WEIR_POSITIONS (WEIR_POSITION (IN1, "in1"), WEIR_POSITION (IN2, "in2")),
};

/* --- Cross product --------------------------------------------------------------------------- */

static WeirStatus
cross_y (const WeirCalc *c, double *y)
{
  const double *a = weir_calc_input (c, IN1), *b = weir_calc_input (c, IN2);

  for (guint i = 0; i < 3; i++)
    {
      guint k = (i + 1) % 3, l = (i + 2) % 3;

      y[i] = a[k] * b[l] - a[l] * b[k];
    }
  return WEIR_OK;
}

static WeirStatus
cross_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const double *a = weir_calc_input (c, IN1), *b = weir_calc_input (c, IN2);
  const double *da = weir_calc_input (d, IN1), *db = weir_calc_input (d, IN2);

  for (guint i = 0; i < 3; i++)
    {
      guint k = (i + 1) % 3, l = (i + 2) % 3;

      y[i] = da[k] * b[l] + a[k] * db[l] - da[l] * b[k] - a[l] * db[k];
    }
  return WEIR_OK;
}

static void
cross_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "in1", 3);
  weir_list_port (ports, "in2", 3);
}

static void
cross_list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 3);
}

static gboolean
cross_accept (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes, GError **error)
{
  if (sizes[0] == 3 && sizes[1] == 3)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_MISMATCH,
                  "The inputs have the sizes %u and %u, but a cross product is of 3 and 3.",
                  sizes[0], sizes[1]);
  return FALSE;
}

static const WeirBlockType cross_product_type = {
  .name = "CrossProduct",
  .title = N_ ("Cross Product"),
  .category = CATEGORY,
  .summary = N_ ("Gives the vector at right angles to two vectors in space."),
  .list_inputs = cross_list_inputs,
  .list_outputs = cross_list_outputs,
  WEIR_LEAF (.accept = cross_accept,
             .y = { "y", .calc = cross_y, .reads = WEIR_READS ("in1", "in2") }),
  WEIR_POSITIONS (WEIR_POSITION (IN1, "in1"), WEIR_POSITION (IN2, "in2")),
};

/* --- Matrix gain: y = K u -------------------------------------------------------------------- */

typedef struct {
  guint32 n_rows, n_columns;
  double numbers[]; /* row by row */
} Matrix;

static WeirStatus
matrix_y (const WeirCalc *c, double *y)
{
  const Matrix *matrix = weir_calc_data (c);
  const double *u = weir_calc_input (c, U), *row = matrix->numbers;

  for (guint i = 0; i < matrix->n_rows; i++, row += matrix->n_columns)
    {
      double sum = 0;

      for (guint k = 0; k < matrix->n_columns; k++)
        sum += row[k] * u[k];
      y[i] = sum;
    }
  return WEIR_OK;
}

static WeirStatus
matrix_y_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *y)
{
  return matrix_y (d, y);
}

static const WeirParameterSpec matrix_parameters[] = {
  {
      .name = "gain",
      .label = N_ ("Gain"),
      .kind = WEIR_VALUE_MATRIX,
      .default_text = "[1, 0; 0, 1]",
      WEIR_ANY,
      .help = N_ ("A row for each output element, a column for each input element."),
  },
};

static void
matrix_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  guint n_rows, n_columns;

  weir_arguments_get_matrix (arguments, "gain", &n_rows, &n_columns);
  weir_list_port (ports, "u", n_columns);
}

static void
matrix_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint n_rows, n_columns;

  weir_arguments_get_matrix (arguments, "gain", &n_rows, &n_columns);
  weir_list_port (ports, "y", n_rows);
}

static WeirSystem *
matrix_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n_rows, n_columns;
  const double *numbers = weir_arguments_get_matrix (arguments, "gain", &n_rows, &n_columns);
  gsize bytes = sizeof (Matrix) + (gsize) n_rows * n_columns * sizeof *numbers;
  g_autofree Matrix *matrix = g_malloc0 (bytes);
  WeirLeafBuilder *b;
  WeirTicket u;

  if (sizes[0] != n_columns)
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH,
                      "Input u has size %u, but the gain has %u columns.", sizes[0], n_columns);
      return NULL;
    }
  matrix->n_rows = n_rows;
  matrix->n_columns = n_columns;
  memcpy (matrix->numbers, numbers, (gsize) n_rows * n_columns * sizeof *numbers);
  b = weir_leaf_builder_new ("MatrixGain");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", n_columns));
  weir_leaf_set_data (b, matrix, bytes);
  weir_leaf_add_output (b, "y", n_rows, matrix_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType matrix_gain_type = {
  .name = "MatrixGain",
  .title = N_ ("Matrix Gain"),
  .category = CATEGORY,
  .summary = N_ ("Multiplies its input, a vector, by a matrix."),
  WEIR_PARAMETERS (matrix_parameters),
  .list_inputs = matrix_list_inputs,
  .list_outputs = matrix_list_outputs,
  .build = matrix_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
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

static WeirStatus
elements_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  guint operation = *(const guint32 *) weir_calc_data (c), n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U), *du = weir_calc_input (d, U);
  double value = operation == PRODUCT ? 1 : 0, slope = 0;

  for (guint i = 0; i < n; i++)
    if (operation == PRODUCT)
      {
        slope = slope * u[i] + value * du[i];
        value *= u[i];
      }
    else
      {
        slope += operation == NORM ? u[i] * du[i] : du[i];
        value += u[i] * u[i];
      }
  y[0] = operation == MEAN ? slope / n : operation == NORM ? slope / sqrt (value) : slope;
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
  guint32 operation = weir_arguments_get_choice (arguments, "operation");

  weir_leaf_set_data (b, &operation, sizeof operation);
  weir_leaf_add_output (b, "y", 1, elements_y, WEIR_DEPENDS (u));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType elements_type = {
  .name = "Elements",
  .title = N_ ("Sum of Elements"),
  .category = CATEGORY,
  .summary = N_ ("Makes one number of the elements of a vector: sum, product, mean or norm."),
  WEIR_PARAMETERS (elements_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_scalar_y,
  .build = elements_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

WEIR_FAMILY (vectors, &bias_type, &polynomial_type, &dot_product_type, &cross_product_type,
             &matrix_gain_type, &elements_type);
