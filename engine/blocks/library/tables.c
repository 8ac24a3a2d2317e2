/* Tables: values between given points, of an input or of time. See tables.h.
 *
 * Pieces are constant (previous), straight (linear) or cubic (smooth: slopes by the weighted
 * harmonic mean of Fritsch and Butland, so that nothing overshoots). Outside the points the end
 * values hold or the end pieces go on in a straight line. Kinks and jumps end the solver's step.
 */
#include "blocks/library/tables.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Tables")
#define CATEGORY_SOURCES N_ ("Sources")

static const WeirInput U = { 0 };

const char *const weir_table_interpolations[] = { [WEIR_TABLE_LINEAR] = "linear",
                                                  [WEIR_TABLE_PREVIOUS] = "previous",
                                                  [WEIR_TABLE_SMOOTH] = "smooth",
                                                  NULL };
const char *const weir_table_extrapolations[] = {
  [WEIR_TABLE_HOLD] = "hold", [WEIR_TABLE_CONTINUE] = "linear", NULL
};

/* --- Points ---------------------------------------------------------------------------------- */

guint
weir_points_count (const double *points, guint n, double x)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (points[middle] <= x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

double
weir_points_get_kink (const double *points, guint n, double x)
{
  guint until = weir_points_count (points, n, x);
  double below = until > 0 ? x - points[until - 1] : (double) INFINITY;
  double above = until < n ? points[until] - x : (double) INFINITY;

  return until % 2 == 0 ? MIN (below, above) : -MIN (below, above);
}

double
weir_points_get_leave (const double *points, guint n, double count, double x, double phase)
{
  guint i = (guint) CLAMP (count, 0, n);

  return weir_cell_witness (x, i > 0 ? points[i - 1] : -(double) INFINITY,
                            i < n ? points[i] : (double) INFINITY,
                            weir_points_count (points, n, x) == i, phase);
}

gboolean
weir_points_check (const char *format, const double *points, guint n, GError **error)
{
  for (guint i = 1; i < n; i++)
    if (!(points[i] > points[i - 1]))
      {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        weir_error_set (error, WEIR_ERROR_INVALID, format, i + 1, points[i], i, points[i - 1]);
#pragma GCC diagnostic pop
        return FALSE;
      }
  return TRUE;
}

/* --- Values ---------------------------------------------------------------------------------- */

static guint
count_points (const WeirTable *table, double x)
{
  return weir_points_count (table->numbers, table->n, x);
}

static double
get_value (const WeirTable *table, guint i, guint column)
{
  return table->numbers[table->n + i * table->n_columns + column];
}

static double
get_chord (const WeirTable *table, guint i, guint column)
{
  return (get_value (table, i + 1, column) - get_value (table, i, column))
         / (table->numbers[i + 1] - table->numbers[i]);
}

/* The slope at point @i of the smooth curve. */
static double
get_slope (const WeirTable *table, guint i, guint column)
{
  const double *x = table->numbers;
  double before, after, h_before, h_after, w1, w2;

  if (table->n == 2)
    return get_chord (table, 0, column);
  if (i == 0 || i == table->n - 1)
    {
      /* The parabola through three points, held to what overshoots nothing. */
      guint near = i == 0 ? 0 : i - 1, far = i == 0 ? 1 : i - 2;
      double h = x[near + 1] - x[near], h_far = x[far + 1] - x[far];
      double chord = get_chord (table, near, column), chord_far = get_chord (table, far, column);
      double slope = ((2 * h + h_far) * chord - h * chord_far) / (h + h_far);

      if (slope * chord <= 0)
        return 0;
      return chord * chord_far <= 0 && fabs (slope) > 3 * fabs (chord) ? 3 * chord : slope;
    }
  before = get_chord (table, i - 1, column);
  after = get_chord (table, i, column);
  if (before * after <= 0)
    return 0;
  h_before = x[i] - x[i - 1];
  h_after = x[i + 1] - x[i];
  w1 = 2 * h_after + h_before;
  w2 = h_after + 2 * h_before;
  return (w1 + w2) / (w1 / before + w2 / after);
}

static double
interpolate (const WeirTable *table, guint column, double x)
{
  guint n = count_points (table, x), i;
  gboolean is_outside = n == 0 || n == table->n;
  double h, s;

  if (x != x)
    return x;
  if (table->n == 1)
    return get_value (table, 0, column);
  if (is_outside
      && (table->extrapolation == WEIR_TABLE_HOLD || table->interpolation == WEIR_TABLE_PREVIOUS))
    return get_value (table, n == 0 ? 0 : table->n - 1, column);
  i = n == 0 ? 0 : MIN (n - 1, table->n - 2);
  h = table->numbers[i + 1] - table->numbers[i];
  s = x - table->numbers[i];
  if (table->interpolation == WEIR_TABLE_PREVIOUS)
    return get_value (table, i, column);
  if (table->interpolation == WEIR_TABLE_LINEAR)
    return get_value (table, i, column) + s * get_chord (table, i, column);
  if (n == 0)
    return get_value (table, 0, column) + s * get_slope (table, 0, column);
  if (n == table->n)
    return get_value (table, n - 1, column)
           + (x - table->numbers[n - 1]) * get_slope (table, n - 1, column);
  {
    double chord = get_chord (table, i, column);
    double d0 = get_slope (table, i, column), d1 = get_slope (table, i + 1, column);
    double c2 = (3 * chord - 2 * d0 - d1) / h, c3 = (d0 - 2 * chord + d1) / (h * h);

    return get_value (table, i, column) + s * (d0 + s * (c2 + s * c3));
  }
}

/* The derivative of that; at a point that of the piece to its right. */
static double
interpolate_slope (const WeirTable *table, guint column, double x)
{
  guint n = count_points (table, x), i;
  gboolean is_outside = n == 0 || n == table->n;
  double h, s, chord, d0, d1;

  if (x != x)
    return x;
  if (table->n == 1 || table->interpolation == WEIR_TABLE_PREVIOUS
      || (is_outside && table->extrapolation == WEIR_TABLE_HOLD))
    return 0;
  i = n == 0 ? 0 : MIN (n - 1, table->n - 2);
  chord = get_chord (table, i, column);
  if (table->interpolation == WEIR_TABLE_LINEAR)
    return chord;
  if (is_outside)
    return get_slope (table, n == 0 ? 0 : n - 1, column);
  h = table->numbers[i + 1] - table->numbers[i];
  s = x - table->numbers[i];
  d0 = get_slope (table, i, column);
  d1 = get_slope (table, i + 1, column);
  return d0 + s * (2 * (3 * chord - 2 * d0 - d1) / h + 3 * s * (d0 - 2 * chord + d1) / (h * h));
}

/* Zero at the points, with another sign on each side. */
static WeirStatus
table_kinks (const WeirCalc *c, double *w)
{
  const WeirTable *table = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    w[i] = weir_points_get_kink (table->numbers, table->n, u[i]);
  return WEIR_OK;
}

static WeirStatus
table_of_input (const WeirCalc *c, double *y)
{
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    y[i] = interpolate (weir_calc_data (c), 0, u[i]);
  return WEIR_OK;
}

static WeirStatus
table_of_input_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const double *u = weir_calc_input (c, U), *du = weir_calc_input (d, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    y[i] = interpolate_slope (weir_calc_data (c), 0, u[i]) * du[i];
  return WEIR_OK;
}

/* A table that jumps: in a run the number of points at or below each element is state, which holds
 * between the jumps; then come the phases of their witnesses, 0 before a run. */
static const WeirGroup PIECES = { 0 };

static WeirStatus
stairs_of_input (const WeirCalc *c, double *y)
{
  const WeirTable *table = weir_calc_data (c);
  const double *pieces = weir_calc_discrete (c, PIECES), *u = weir_calc_input (c, U);
  guint size = weir_calc_input_size (c, U);

  for (guint i = 0; i < size; i++)
    if (pieces[size + i] == 0)
      y[i] = interpolate (table, 0, u[i]);
    else
      y[i] = get_value (table, (guint) CLAMP (pieces[i] - 1, 0, table->n - 1), 0);
  return WEIR_OK;
}

static WeirStatus
stairs_of_input_tangent (const WeirCalc *c, G_GNUC_UNUSED const WeirCalc *d, double *y)
{
  memset (y, 0, weir_calc_input_size (c, U) * sizeof *y);
  return WEIR_OK;
}

static WeirStatus
stairs_jumps (const WeirCalc *c, double *w)
{
  const WeirTable *table = weir_calc_data (c);
  const double *pieces = weir_calc_discrete (c, PIECES), *u = weir_calc_input (c, U);
  guint size = weir_calc_input_size (c, U);

  for (guint i = 0; i < size; i++)
    w[i] = weir_points_get_leave (table->numbers, table->n,
                                  pieces[size + i] != 0 ? pieces[i] : count_points (table, u[i]),
                                  u[i], pieces[size + i]);
  return WEIR_OK;
}

static WeirStatus
stairs_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U);
  guint size = weir_calc_input_size (c, U);
  gboolean is_same = TRUE;

  for (guint i = 0; i < size; i++)
    is_same &= !weir_cell_enter (count_points (weir_calc_data (c), u[i]), &next[i],
                                 &next[size + i]);
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirStatus
table_of_time (const WeirCalc *c, double *y)
{
  const WeirTable *table = weir_calc_data (c);

  for (guint i = 0; i < table->n_columns; i++)
    y[i] = table->n == 1 ? get_value (table, 0, i) : interpolate (table, i, weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
table_of_time_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const WeirTable *table = weir_calc_data (c);

  for (guint i = 0; i < table->n_columns; i++)
    y[i] = table->n == 1 ? 0
                         : interpolate_slope (table, i, weir_calc_time (c)) * weir_calc_time (d);
  return WEIR_OK;
}

static WeirStatus
next_point (const WeirCalc *c, double after, double *time)
{
  const WeirTable *table = weir_calc_data (c);
  guint n = count_points (table, after);

  *time = n < table->n ? table->numbers[n] : (double) INFINITY;
  return WEIR_OK;
}

/* Between two points the curve can do as it likes: one is taken for an eighth of a turn. */
static WeirStatus
table_phase (const WeirCalc *c, double *phases)
{
  const WeirTable *table = weir_calc_data (c);
  double t = weir_calc_time (c);
  guint n = count_points (table, t);
  double part = n == 0 || n == table->n
                    ? 0
                    : (t - table->numbers[n - 1]) / (table->numbers[n] - table->numbers[n - 1]);

  phases[0] = (n + part) / 8;
  return WEIR_OK;
}

/* --- Making one ------------------------------------------------------------------------------ */

WeirTable *
weir_table_new (const WeirArguments *arguments, guint n, guint n_columns, gsize *size)
{
  WeirTable *table;

  *size = sizeof *table + (gsize) n * (n_columns + 1) * sizeof (double);
  table = g_malloc0 (*size);
  table->n = n;
  table->n_columns = n_columns;
  table->interpolation = weir_arguments_get_choice (arguments, "interpolation");
  table->extrapolation = weir_arguments_get_choice (arguments, "extrapolation");
  return table;
}

/* From the parameters "points" and "values". */
static WeirTable *
table_from_arguments (const WeirArguments *arguments, gsize *size, GError **error)
{
  guint n, n_values;
  const double *points = weir_arguments_get_vector (arguments, "points", &n);
  const double *values = weir_arguments_get_vector (arguments, "values", &n_values);
  WeirTable *table;

  if (n != n_values)
    {
      weir_error_set (error, WEIR_ERROR_MISMATCH,
                      "There are %u points, but %u values; one value for each point is needed.", n,
                      n_values);
      return NULL;
    }
  if (!weir_points_check (
          N_ ("Point %u is %g, which is not above point %u, %g; points must ascend."), points, n,
          error))
    return NULL;
  table = weir_table_new (arguments, n, 1, size);
  memcpy (table->numbers, points, n * sizeof *points);
  memcpy (table->numbers + n, values, n * sizeof *values);
  return table;
}

#define VECTOR(name_, label_, default_, help_)                                                     \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_VECTOR, .default_text = default_, WEIR_ANY, \
    .help = help_,                                                                                 \
  }

/* --- Lookup table: y = table (u) ------------------------------------------------------------- */

static const WeirParameterSpec lookup_parameters[] = {
  VECTOR ("points", N_ ("Points"), "[-1, 0, 1]", N_ ("Where the values belong, ascending.")),
  VECTOR ("values", N_ ("Values"), "[-1, 0, 1]", N_ ("The output at each point.")),
  WEIR_TABLE_CHOICES,
};

static WeirSystem *
lookup_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  gsize size;
  g_autofree WeirTable *table = table_from_arguments (arguments, &size, error);
  g_autofree double *initial = g_new0 (double, 2 * (gsize) sizes[0]);
  WeirLeafBuilder *b;
  WeirCached kinks;
  WeirTicket u;

  if (table == NULL)
    return NULL;
  b = weir_leaf_builder_new ("LookupTable");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  weir_leaf_set_data (b, table, size);
  if (table->interpolation == WEIR_TABLE_PREVIOUS)
    {
      WeirGroup pieces = weir_leaf_add_discrete_state (b, "pieces", initial, 2 * sizes[0]);

      weir_leaf_add_output (b, "y", sizes[0], stairs_of_input,
                            WEIR_DEPENDS (u, weir_group_ticket (b, pieces)));
      kinks = weir_leaf_add_cache_entry (b, "jumps", sizes[0], stairs_jumps,
                                         WEIR_DEPENDS (u, weir_group_ticket (b, pieces)));
      weir_leaf_add_update (b, weir_on_initialization (), pieces, stairs_change);
      weir_leaf_add_update (b, weir_on_change_of_sign (kinks, WEIR_CROSSES), pieces, stairs_change);
      return weir_leaf_builder_build (b);
    }
  weir_leaf_add_output (b, "y", sizes[0], table_of_input, WEIR_DEPENDS (u));
  if (table->interpolation == WEIR_TABLE_LINEAR)
    {
      kinks = weir_leaf_add_cache_entry (b, "kinks", sizes[0], table_kinks, WEIR_DEPENDS (u));
      weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
    }
  return weir_leaf_builder_build (b);
}

static const WeirBlockType lookup_table_type = {
  .name = "LookupTable",
  .title = N_ ("Lookup Table"),
  .category = CATEGORY,
  .summary = N_ ("Gives values between the points of a curve."),
  WEIR_PARAMETERS (lookup_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = lookup_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (PIECES, "pieces")),
};

/* --- Table over time: y = table (t) ---------------------------------------------------------- */

WeirSystem *
weir_table_build_of_time (const char *kind, const WeirTable *table, gsize size)
{
  WeirLeafBuilder *b = weir_leaf_builder_new (kind);

  weir_leaf_set_data (b, table, size);
  weir_leaf_add_output (b, "y", table->n_columns, table_of_time,
                        WEIR_DEPENDS (table->n == 1 ? WEIR_NOTHING : WEIR_TIME));
  if (table->interpolation != WEIR_TABLE_SMOOTH)
    weir_leaf_add_break (b, weir_at_times (next_point));
  else if (table->n > 1)
    weir_leaf_set_phases (b, 1, table_phase);
  return weir_leaf_builder_build (b);
}

static const WeirParameterSpec time_table_parameters[] = {
  VECTOR ("points", N_ ("Times"), "[0, 1, 2]",
          N_ ("When the values are reached, in seconds, ascending.")),
  VECTOR ("values", N_ ("Values"), "[0, 1, 0]", N_ ("The output at each time.")),
  WEIR_TABLE_CHOICES,
};

static WeirSystem *
time_table_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  gsize size;
  g_autofree WeirTable *table = table_from_arguments (arguments, &size, error);

  return table != NULL ? weir_table_build_of_time ("TimeTable", table, size) : NULL;
}

static const WeirBlockType time_table_type = {
  .name = "TimeTable",
  .title = N_ ("Table over Time"),
  .category = CATEGORY_SOURCES,
  .summary = N_ ("Gives values at given times and in between."),
  WEIR_PARAMETERS (time_table_parameters),
  .list_outputs = weir_list_scalar_y,
  .build = time_table_build,
};

WEIR_FAMILY (tables, &lookup_table_type, &time_table_type);
