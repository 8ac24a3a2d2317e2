/* Linear systems: x' = A x + B u, y = C x + D u, by their matrices or by a transfer function, in
 * continuous time and, with x_{n+1} for x', at the instants offset + n period.
 *
 * The matrices are data of the leaf. A matrix that is zero takes its operand out of the
 * prerequisites: without D there is no direct feedthrough, and where both matrices of a row are
 * zero there is nothing that it depends on. Sums run from left to right, states before inputs.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/budget.h"
#include "base/error.h"
#include "system/evaluation/calc-native.h"

#define CATEGORY N_ ("Continuous")
#define CATEGORY_DISCRETE N_ ("Discrete")

static const WeirInput U = { 0 };
static const WeirGroup X = { 0 };

/* One of the two rows of the formula: out = P x + Q u. */
typedef struct {
  guint n_rows, n_states, n_inputs;
  gboolean reads_x, reads_u;
  guint x_at, u_at; /* where P and Q begin in the numbers, each row by row */
} Row;

typedef struct {
  Row rate, output;
  gboolean is_discrete;
  double numbers[];
} Linear;

static gboolean
is_zero (const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (values[i] != 0)
      return FALSE;
  return TRUE;
}

static const double *
get_state (const WeirCalc *c)
{
  const Linear *linear = weir_calc_data (c);

  return linear->is_discrete ? weir_calc_discrete (c, X) : weir_calc_z (c);
}

static void
compute_row (const WeirCalc *c, const Row *row, double *out)
{
  const double *numbers = ((const Linear *) weir_calc_data (c))->numbers;
  const double *x = row->reads_x ? get_state (c) : NULL;
  const double *u = row->reads_u ? weir_calc_input (c, U) : NULL;

  for (guint i = 0; i < row->n_rows; i++)
    {
      const double *p = numbers + row->x_at + i * row->n_states;
      const double *q = numbers + row->u_at + i * row->n_inputs;
      double sum = 0;

      for (guint k = 0; x != NULL && k < row->n_states; k++)
        sum += p[k] * x[k];
      for (guint k = 0; u != NULL && k < row->n_inputs; k++)
        sum += q[k] * u[k];
      out[i] = sum;
    }
}

static WeirStatus
linear_xcdot (const WeirCalc *c, double *xdot)
{
  compute_row (c, &((const Linear *) weir_calc_data (c))->rate, xdot);
  return WEIR_OK;
}

static WeirStatus
linear_xcdot_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  return linear_xcdot (d, xdot);
}

/* @next is the array that x_n is read from only as a copy. */
static WeirStatus
linear_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  compute_row (c, &((const Linear *) weir_calc_data (c))->rate, next);
  return WEIR_OK;
}

static WeirStatus
linear_y (const WeirCalc *c, double *y)
{
  compute_row (c, &((const Linear *) weir_calc_data (c))->output, y);
  return WEIR_OK;
}

static WeirStatus
linear_y_tangent (G_GNUC_UNUSED const WeirCalc *c, const WeirCalc *d, double *y)
{
  return linear_y (d, y);
}

/* The same as code; larger matrices are better off in a loop. */
#define MOST_LISTED 1000 /* numbers */

static WeirNativeValue
add_product (WeirNativeBuilder *b, WeirNativeValue sum, double factor, WeirNativeValue value)
{
  return weir_native_binary (
      b, WEIR_NATIVE_ADD, sum,
      weir_native_binary (b, WEIR_NATIVE_MUL, weir_native_number (b, factor), value));
}

static gboolean
list_linear (WeirListing *l)
{
  const Linear *linear = weir_listing_get_data (l);
  const Row *row = weir_listing_get_calc (l) == linear_y ? &linear->output : &linear->rate;
  WeirNativeBuilder *b = weir_listing_get_builder (l);

  if ((gsize) row->n_rows * (row->n_states + row->n_inputs) > MOST_LISTED)
    return FALSE;
  for (guint i = 0; i < row->n_rows; i++)
    {
      const double *p = linear->numbers + row->x_at + i * row->n_states;
      const double *q = linear->numbers + row->u_at + i * row->n_inputs;
      WeirNativeValue sum = weir_native_number (b, 0.0);

      for (guint k = 0; row->reads_x && k < row->n_states; k++)
        sum = add_product (b, sum, p[k],
                           linear->is_discrete ? weir_listing_load_discrete (l, X, k)
                                               : weir_listing_load_z (l, k));
      for (guint k = 0; row->reads_u && k < row->n_inputs; k++)
        sum = add_product (b, sum, q[k], weir_listing_load_input (l, U, k));
      weir_listing_store_finite (l, i, sum);
    }
  return TRUE;
}

typedef struct {
  guint n, m, p; /* states, inputs, outputs */
  const double *a, *b, *c, *d;
  const double *initial; /* n */
} Matrices;

static gboolean
check_matrices (guint n, guint m, guint p, GError **error)
{
  return weir_budget_allows (weir_budget_multiply ((guint64) n + p, (guint64) n + m),
                             sizeof (double), N_ ("The system's matrices"),
                             N_ ("give it fewer states, inputs or outputs"), error);
}

static WeirTicket *
list_depends (const Row *row, WeirTicket x, WeirTicket u)
{
  WeirTicket *depends = g_new (WeirTicket, 3);
  guint n = 0;

  if (row->reads_x)
    depends[n++] = x;
  if (row->reads_u)
    depends[n++] = u;
  if (n == 0)
    depends[n++] = WEIR_NOTHING;
  depends[n++] = (WeirTicket) { WEIR_TICKET_END };
  return depends;
}

static WeirSystem *
build_linear (const WeirArguments *arguments, const Matrices *s)
{
  gboolean is_discrete = weir_arguments_is_sampled (arguments);
  gsize sizes[] = { (gsize) s->n * s->n, (gsize) s->n * s->m, (gsize) s->p * s->n,
                    (gsize) s->p * s->m };
  const double *parts[] = { s->a, s->b, s->c, s->d };
  gsize total = sizes[0] + sizes[1] + sizes[2] + sizes[3], at = 0;
  gsize bytes = sizeof (Linear) + total * sizeof (double);
  g_autofree Linear *linear = g_malloc0 (bytes);
  g_autofree WeirTicket *rate_depends = NULL, *output_depends = NULL;
  WeirLeafBuilder *builder = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  WeirTicket u = weir_input_ticket (builder, weir_leaf_add_input (builder, "u", s->m)), x;

  linear->is_discrete = is_discrete;
  linear->rate = (Row) {
    s->n, s->n, s->m, !is_zero (s->a, sizes[0]), !is_zero (s->b, sizes[1]), 0, (guint) sizes[0]
  };
  linear->output = (Row) { s->p,
                           s->n,
                           s->m,
                           !is_zero (s->c, sizes[2]),
                           !is_zero (s->d, sizes[3]),
                           (guint) (sizes[0] + sizes[1]),
                           (guint) (sizes[0] + sizes[1] + sizes[2]) };
  for (guint i = 0; i < G_N_ELEMENTS (parts); at += sizes[i++])
    memcpy (linear->numbers + at, parts[i], sizes[i] * sizeof (double));
  weir_leaf_set_data (builder, linear, bytes);
  weir_leaf_set_list (builder, list_linear);

  if (is_discrete)
    x = weir_group_ticket (builder, weir_leaf_add_discrete_state (builder, "x", s->initial, s->n));
  else
    {
      weir_leaf_set_continuous_state (builder, 0, 0, s->n, s->initial);
      x = WEIR_Z;
    }
  rate_depends = list_depends (&linear->rate, x, u);
  output_depends = list_depends (&linear->output, x, u);
  weir_leaf_add_output (builder, "y", s->p, linear_y, output_depends);
  if (is_discrete)
    weir_leaf_add_periodic_update (builder, X, weir_arguments_get_number (arguments, "period"),
                                   weir_arguments_get_number (arguments, "offset"), linear_update);
  else
    weir_leaf_set_derivatives (builder, linear_xcdot, rate_depends);
  return weir_leaf_builder_build (builder);
}

/* --- State space ----------------------------------------------------------------------------- */

static gboolean
check_shape (const char *name, guint n_rows, guint n_columns, guint rows, guint columns,
             GError **error)
{
  if (n_rows == rows && n_columns == columns)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_MISMATCH,
                  "Matrix %s has %u rows and %u columns, but %u rows and %u columns are needed.",
                  name, n_rows, n_columns, rows, columns);
  return FALSE;
}

static void
state_space_list_inputs (const WeirArguments *arguments, GArray *ports)
{
  guint n_rows, n_columns;

  weir_arguments_get_matrix (arguments, "b", &n_rows, &n_columns);
  weir_list_port (ports, "u", n_columns);
}

static void
state_space_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint n_rows, n_columns;

  weir_arguments_get_matrix (arguments, "c", &n_rows, &n_columns);
  weir_list_port (ports, "y", n_rows);
}

/* The numbers of states, inputs and outputs are the rows of A, the columns of B and the rows of C.
 * A single 0 stands for a D of zeros. */
static WeirSystem *
state_space_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  Matrices s = { 0 };
  guint rows, columns, size;
  g_autofree double *zero = NULL, *initial = NULL;

  s.a = weir_arguments_get_matrix (arguments, "a", &s.n, &columns);
  if (!check_shape ("A", s.n, columns, s.n, s.n, error))
    return NULL;
  s.b = weir_arguments_get_matrix (arguments, "b", &rows, &s.m);
  if (!check_shape ("B", rows, s.m, s.n, s.m, error))
    return NULL;
  s.c = weir_arguments_get_matrix (arguments, "c", &s.p, &columns);
  if (!check_shape ("C", s.p, columns, s.p, s.n, error))
    return NULL;
  if (!check_matrices (s.n, s.m, s.p, error))
    return NULL;
  s.d = weir_arguments_get_matrix (arguments, "d", &rows, &columns);
  if (rows == 1 && columns == 1 && s.d[0] == 0)
    s.d = zero = g_new0 (double, (gsize) s.p *s.m);
  else if (!check_shape ("D", rows, columns, s.p, s.m, error))
    return NULL;
  weir_arguments_get_vector (arguments, "initial", &size);
  initial = weir_arguments_dup_vector_of_size (arguments, "initial", s.n, error);
  if (initial == NULL)
    return NULL;
  s.initial = initial;
  if (sizes[0] != s.m)
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH,
                      "Input u has size %u, but matrix B has %u columns.", sizes[0], s.m);
      return NULL;
    }
  return build_linear (arguments, &s);
}

#define MATRIX(name_, label_, default_, help_)                                                     \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_MATRIX, .default_text = default_, WEIR_ANY, \
    .help = help_,                                                                                 \
  }

#define STATE_SPACE_PARAMETERS(a_, rate_help)                                                      \
  MATRIX ("a", N_ ("A"), a_, rate_help),                                                           \
      MATRIX ("b", N_ ("B"), "1", N_ ("What the inputs add to that: a row for each state.")),      \
      MATRIX ("c", N_ ("C"), "1", N_ ("The outputs as sums of states: a row for each output.")),   \
      MATRIX ("d", N_ ("D"), "0", N_ ("What the inputs add to the outputs at once; 0: nothing.")), \
  {                                                                                                \
    .name = "initial", .is_initial = TRUE, .label = N_ ("Initial state"),                          \
    .kind = WEIR_VALUE_VECTOR, .default_text = "0", WEIR_ANY,                                      \
    .help = N_ ("The state at the start: a number, or one for each state."),                       \
  }

static const WeirParameterSpec state_space_parameters[] = {
  STATE_SPACE_PARAMETERS (
      "-1", N_ ("The rates of the states as sums of states: [1, 2; 3, 4] has two rows.")),
};

static const WeirBlockType state_space_type = {
  .name = "StateSpace",
  .title = N_ ("State Space"),
  .category = CATEGORY,
  .summary = N_ ("Is a linear system given by its matrices: x' = A x + B u, y = C x + D u."),
  WEIR_PARAMETERS (state_space_parameters),
  .list_inputs = state_space_list_inputs,
  .list_outputs = state_space_list_outputs,
  .build = state_space_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

static const WeirParameterSpec discrete_state_space_parameters[] = {
  STATE_SPACE_PARAMETERS ("0.5",
                          N_ ("The next states as sums of states: [1, 2; 3, 4] has two rows.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static const WeirBlockType discrete_state_space_type = {
  .name = "DiscreteStateSpace",
  .title = N_ ("Discrete State Space"),
  .category = CATEGORY_DISCRETE,
  .summary = N_ ("Is a linear system in steps: x[n+1] = A x[n] + B u[n], y = C x + D u."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (discrete_state_space_parameters),
  .list_inputs = state_space_list_inputs,
  .list_outputs = state_space_list_outputs,
  .build = state_space_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (X, "x")),
};

/* --- Transfer function, in controllable companion form --------------------------------------- */

/* With den = s^n + a_1 s^(n-1) + ... + a_n and num = d den + c_1 s^(n-1) + ... + c_n: each state is
 * the derivative of the one before, the last is u - a_n x_1 - ... - a_1 x_n, and y = c_n x_1 + ...
 * + c_1 x_n + d u. */
static WeirSystem *
transfer_function_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n_num, n_den, n, ones[] = { 1 };
  const double *num = weir_arguments_get_vector (arguments, "numerator", &n_num);
  const double *den = weir_arguments_get_vector (arguments, "denominator", &n_den);
  g_autofree double *a = NULL, *b = NULL, *c = NULL, *initial = NULL;
  double d;

  for (; n_num > 1 && num[0] == 0; n_num--)
    num++;
  if (den[0] == 0 || n_den < 2)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      den[0] == 0
                          ? N_ ("The denominator begins with 0; leave that out.")
                          : N_ ("The denominator is a number, but needs two coefficients at "
                                "least; for a factor take a Gain."));
      return NULL;
    }
  if (n_num > n_den)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "The numerator has degree %u, which is more than the denominator's %u; such a "
          "block would look ahead.",
          n_num - 1, n_den - 1);
      return NULL;
    }
  if (sizes[0] != ones[0])
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH, "Input u has size %u, but size 1 is needed.",
                      sizes[0]);
      return NULL;
    }
  n = n_den - 1;
  d = n_num == n_den ? num[0] / den[0] : 0;
  initial = weir_arguments_dup_vector_of_size (arguments, "initial", n, error);
  if (initial == NULL || !check_matrices (n, 1, 1, error))
    return NULL;
  a = g_new0 (double, (gsize) n *n);
  b = g_new0 (double, n);
  c = g_new0 (double, n);
  for (guint i = 0; i + 1 < n; i++)
    a[i * n + i + 1] = 1;
  b[n - 1] = 1;
  for (guint k = 0; k < n; k++)
    {
      /* Of s^k: counted from the end of both. */
      double of_num = k < n_num ? num[n_num - 1 - k] / den[0] : 0;
      double of_den = den[n_den - 1 - k] / den[0];

      a[(n - 1) * n + k] = -of_den;
      c[k] = of_num - d * of_den;
    }
  return build_linear (arguments, &(Matrices) { n, 1, 1, a, b, c, &d, initial });
}

#define COEFFICIENTS(name_, label_, default_, help_)                                               \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_VECTOR, .default_text = default_, WEIR_ANY, \
    .help = help_,                                                                                 \
  }

#define TRANSFER_FUNCTION_PARAMETERS(denominator_, numerator_help, denominator_help)               \
  COEFFICIENTS ("numerator", N_ ("Numerator"), "1", numerator_help),                               \
      COEFFICIENTS ("denominator", N_ ("Denominator"), denominator_, denominator_help),            \
      COEFFICIENTS (                                                                               \
          "initial", N_ ("Initial state"), "0",                                                    \
          N_ ("The state of the companion form at the start: a number, or one for each state."))

static const WeirParameterSpec transfer_function_parameters[] = {
  TRANSFER_FUNCTION_PARAMETERS (
      "[1, 1]", N_ ("Coefficients of the powers of s, the highest first: [2, 1] is 2 s + 1."),
      N_ ("Coefficients of the powers of s, the highest first: [1, 0, 4] is s² + 4.")),
};

static const WeirBlockType transfer_function_type = {
  .name = "TransferFunction",
  .title = N_ ("Transfer Function"),
  .category = CATEGORY,
  .summary = N_ ("Is a linear system given by a fraction of polynomials in s."),
  WEIR_PARAMETERS (transfer_function_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = transfer_function_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u")),
};

static const WeirParameterSpec discrete_transfer_function_parameters[] = {
  TRANSFER_FUNCTION_PARAMETERS (
      "[1, -0.5]", N_ ("Coefficients of the powers of z, the highest first: [2, 1] is 2 z + 1."),
      N_ ("Coefficients of the powers of z, the highest first: [1, -0.5] is z - 0.5.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static const WeirBlockType discrete_transfer_function_type = {
  .name = "DiscreteTransferFunction",
  .title = N_ ("Discrete Transfer Function"),
  .category = CATEGORY_DISCRETE,
  .summary = N_ ("Is a linear system in steps given by a fraction of polynomials in z."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (discrete_transfer_function_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = transfer_function_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (X, "x")),
};

WEIR_FAMILY (linear, &state_space_type, &discrete_state_space_type, &transfer_function_type,
             &discrete_transfer_function_type);
