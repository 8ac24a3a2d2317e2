/* A table of two inputs: values at the points of a grid, and between them.
 *
 * In between either by both fractions of the way (bilinear), or the value at the corner that both
 * inputs have passed (previous). Outside the grid the edge holds, or its last pieces go on. In a
 * run of a table that jumps the corner is state, which holds between the jumps. Kinks and jumps end
 * the solver's step.
 */
#include "blocks/library/tables.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Tables")

static const WeirInput ROW = { 0 }, COLUMN = { 1 };
static const WeirGroup CORNERS = { 0 };

static const char *const interpolations[] = {
  [WEIR_TABLE_LINEAR] = "linear", [WEIR_TABLE_PREVIOUS] = "previous", NULL
};

typedef struct {
  guint32 n_rows, n_columns;
  guint32 interpolation, extrapolation;
  guint32 size, filler; /* elements of the output */
  double numbers[];     /* the points of the rows, of the columns, then the values row by row */
} Grid;

static const double *
get_points (const Grid *grid, WeirInput in, guint *n)
{
  *n = in.i == ROW.i ? grid->n_rows : grid->n_columns;
  return grid->numbers + (in.i == ROW.i ? 0 : grid->n_rows);
}

static double
get_value (const Grid *grid, guint row, guint column)
{
  return grid->numbers[grid->n_rows + grid->n_columns + (gsize) row * grid->n_columns + column];
}

/* Element @i of an input; one alone counts for all. */
static double
get_input (const WeirCalc *c, WeirInput in, guint i)
{
  return weir_calc_input (c, in)[weir_calc_input_size (c, in) == 1 ? 0 : i];
}

/* The piece that @x is in, and how much of it is done: from 0 to 1 inside. */
static guint
find_piece (const Grid *grid, WeirInput in, double x, double *share)
{
  guint n;
  const double *points = get_points (grid, in, &n);
  guint until = weir_points_count (points, n, x), i = 0;

  *share = x != x ? x : 0;
  if (n == 1)
    return 0;
  i = until == 0 ? 0 : MIN (until - 1, n - 2);
  *share = (x - points[i]) / (points[i + 1] - points[i]);
  if (grid->extrapolation == WEIR_TABLE_HOLD && (until == 0 || until == n))
    *share = x != x ? x : until == 0 ? 0 : 1;
  return i;
}

static double
interpolate (const Grid *grid, double x, double y)
{
  double s, t, before, after;
  guint i = find_piece (grid, ROW, x, &s), k = find_piece (grid, COLUMN, y, &t);
  guint i1 = MIN (i + 1, grid->n_rows - 1), k1 = MIN (k + 1, grid->n_columns - 1);

  before = get_value (grid, i, k) * (1 - t) + get_value (grid, i, k1) * t;
  after = get_value (grid, i1, k) * (1 - t) + get_value (grid, i1, k1) * t;
  return before * (1 - s) + after * s;
}

static WeirStatus
grid_y (const WeirCalc *c, double *y)
{
  const Grid *grid = weir_calc_data (c);

  for (guint i = 0; i < grid->size; i++)
    y[i] = interpolate (grid, get_input (c, ROW, i), get_input (c, COLUMN, i));
  return WEIR_OK;
}

/* How much of a piece is done for each unit of @x. */
static double
get_share_slope (const Grid *grid, WeirInput in, double x)
{
  guint n, until, i;
  const double *points = get_points (grid, in, &n);

  if (n == 1)
    return 0;
  until = weir_points_count (points, n, x);
  if (grid->extrapolation == WEIR_TABLE_HOLD && (until == 0 || until == n))
    return 0;
  i = until == 0 ? 0 : MIN (until - 1, n - 2);
  return 1 / (points[i + 1] - points[i]);
}

static WeirStatus
grid_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Grid *grid = weir_calc_data (c);

  for (guint e = 0; e < grid->size; e++)
    {
      double x = get_input (c, ROW, e), z = get_input (c, COLUMN, e), s, t;
      guint i = find_piece (grid, ROW, x, &s), k = find_piece (grid, COLUMN, z, &t);
      guint i1 = MIN (i + 1, grid->n_rows - 1), k1 = MIN (k + 1, grid->n_columns - 1);
      double by_row = (get_value (grid, i1, k) - get_value (grid, i, k)) * (1 - t)
                      + (get_value (grid, i1, k1) - get_value (grid, i, k1)) * t;
      double by_column = (get_value (grid, i, k1) - get_value (grid, i, k)) * (1 - s)
                         + (get_value (grid, i1, k1) - get_value (grid, i1, k)) * s;

      y[e] = by_row * get_share_slope (grid, ROW, x) * get_input (d, ROW, e)
             + by_column * get_share_slope (grid, COLUMN, z) * get_input (d, COLUMN, e);
    }
  return WEIR_OK;
}

/* How many points the element of the input has passed, but the first, which counts always. */
static guint
find_corner (const WeirCalc *c, WeirInput in, guint i)
{
  guint n;
  const double *points = get_points (weir_calc_data (c), in, &n);

  return MAX (weir_points_count (points, n, get_input (c, in, i)), 1) - 1;
}

/* The state: the corner of each element of the first input, of the second, then the phases of their
 * witnesses, 0 before a run. */
static guint
get_place (const WeirCalc *c, WeirInput in, guint i)
{
  return (in.i == ROW.i ? 0 : weir_calc_input_size (c, ROW))
         + (weir_calc_input_size (c, in) == 1 ? 0 : i);
}

static guint
count_places (const WeirCalc *c)
{
  return weir_calc_input_size (c, ROW) + weir_calc_input_size (c, COLUMN);
}

static double
get_corner (const WeirCalc *c, WeirInput in, guint i)
{
  const double *corners = weir_calc_discrete (c, CORNERS);
  guint place = get_place (c, in, i);

  return corners[count_places (c) + place] != 0 ? corners[place] : find_corner (c, in, i);
}

static WeirStatus
stairs_y (const WeirCalc *c, double *y)
{
  const Grid *grid = weir_calc_data (c);

  for (guint i = 0; i < grid->size; i++)
    {
      double x = get_input (c, ROW, i), z = get_input (c, COLUMN, i);
      double row = get_corner (c, ROW, i), column = get_corner (c, COLUMN, i);

      y[i] = x != x || z != z ? (double) NAN
                              : get_value (grid, (guint) CLAMP (row, 0, grid->n_rows - 1),
                                           (guint) CLAMP (column, 0, grid->n_columns - 1));
    }
  return WEIR_OK;
}

static WeirStatus
stairs_y_tangent (const WeirCalc *c, G_GNUC_UNUSED const WeirCalc *d, double *y)
{
  memset (y, 0, ((const Grid *) weir_calc_data (c))->size * sizeof *y);
  return WEIR_OK;
}

static WeirStatus
stairs_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirInput inputs[] = { ROW, COLUMN };
  gboolean is_same = TRUE;

  for (guint k = 0; k < G_N_ELEMENTS (inputs); k++)
    for (guint i = 0; i < weir_calc_input_size (c, inputs[k]); i++)
      {
        guint place = get_place (c, inputs[k], i);

        is_same &= !weir_cell_enter (find_corner (c, inputs[k], i), &next[place],
                                     &next[count_places (c) + place]);
      }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

/* First those of the row for all elements, then those of the column. */
static WeirStatus
grid_kinks (const WeirCalc *c, double *w)
{
  const Grid *grid = weir_calc_data (c);
  const WeirInput inputs[] = { ROW, COLUMN };

  for (guint k = 0; k < G_N_ELEMENTS (inputs); k++)
    for (guint i = 0; i < weir_calc_input_size (c, inputs[k]); i++)
      {
        guint n;
        const double *points = get_points (grid, inputs[k], &n);

        *w++ = weir_points_get_kink (points, n, get_input (c, inputs[k], i));
      }
  return WEIR_OK;
}

/* The first point bounds nothing: what is before it has the same corner. */
static WeirStatus
stairs_jumps (const WeirCalc *c, double *w)
{
  const double *phases = weir_calc_discrete (c, CORNERS) + count_places (c);
  const WeirInput inputs[] = { ROW, COLUMN };

  for (guint k = 0; k < G_N_ELEMENTS (inputs); k++)
    for (guint i = 0; i < weir_calc_input_size (c, inputs[k]); i++)
      {
        guint n, place = get_place (c, inputs[k], i);
        const double *points = get_points (weir_calc_data (c), inputs[k], &n);

        w[place] = weir_points_get_leave (points + 1, n - 1, get_corner (c, inputs[k], i),
                                          get_input (c, inputs[k], i), phases[place]);
      }
  return WEIR_OK;
}

/* --- Block ----------------------------------------------------------------------------------- */

static Grid *
grid_new (const WeirArguments *arguments, guint size, gsize *bytes, GError **error)
{
  guint n_rows, n_columns, n, m;
  const double *rows = weir_arguments_get_vector (arguments, "rows", &n_rows);
  const double *columns = weir_arguments_get_vector (arguments, "columns", &n_columns);
  const double *values = weir_arguments_get_matrix (arguments, "values", &n, &m);
  gsize n_values = (gsize) n_rows * n_columns;
  Grid *grid;

  if (n != n_rows || m != n_columns)
    {
      weir_error_set (
          error, WEIR_ERROR_MISMATCH,
          "There are %u row points and %u column points, but the values have %u rows and "
          "%u columns.",
          n_rows, n_columns, n, m);
      return NULL;
    }
  if (!weir_points_check (
          N_ ("Row point %u is %g, which is not above row point %u, %g; row points must ascend."),
          rows, n_rows, error)
      || !weir_points_check (N_ ("Column point %u is %g, which is not above column point %u, %g; "
                                 "column points must ascend."),
                             columns, n_columns, error))
    return NULL;
  *bytes = sizeof *grid + (n_rows + n_columns + n_values) * sizeof (double);
  grid = g_malloc0 (*bytes);
  grid->n_rows = n_rows;
  grid->n_columns = n_columns;
  grid->interpolation = weir_arguments_get_choice (arguments, "interpolation");
  grid->extrapolation = weir_arguments_get_choice (arguments, "extrapolation");
  grid->size = size;
  memcpy (grid->numbers, rows, n_rows * sizeof *rows);
  memcpy (grid->numbers + n_rows, columns, n_columns * sizeof *columns);
  memcpy (grid->numbers + n_rows + n_columns, values, n_values * sizeof *values);
  return grid;
}

static const WeirParameterSpec grid_parameters[] = {
  {
      .name = "rows",
      .label = N_ ("Row points"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "[-1, 0, 1]",
      WEIR_ANY,
      .help = N_ ("Values of the first input that the rows belong to, ascending."),
  },
  {
      .name = "columns",
      .label = N_ ("Column points"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "[-1, 1]",
      WEIR_ANY,
      .help = N_ ("Values of the second input that the columns belong to, ascending."),
  },
  {
      .name = "values",
      .label = N_ ("Values"),
      .kind = WEIR_VALUE_MATRIX,
      .default_text = "[1, -1; 0, 0; -1, 1]",
      WEIR_ANY,
      .help = N_ ("The outputs at the points, row by row: [1, 2; 3, 4] has two rows."),
  },
  {
      .name = "interpolation",
      .label = N_ ("Interpolation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "linear",
      .choices = interpolations,
      .help = N_ ("Between points: straight lines along both inputs, or the previous value."),
  },
  {
      .name = "extrapolation",
      .label = N_ ("Extrapolation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "hold",
      .choices = weir_table_extrapolations,
      .help = N_ ("Outside the points: the end values hold, or the ends go on in a line."),
  },
};

static void
grid_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "row", 0);
  weir_list_port (ports, "column", 0);
}

static guint
grid_output_size (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
                  G_GNUC_UNUSED guint out)
{
  return weir_widest (sizes, 2, 1);
}

static WeirSystem *
grid_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint size = grid_output_size (arguments, sizes, 0);
  g_autofree double *initial = g_new0 (double, 2 * ((gsize) sizes[0] + sizes[1]));
  g_autofree Grid *grid = NULL;
  WeirTicket row, column;
  WeirLeafBuilder *b;
  WeirCached kinks;
  gsize bytes;

  if (!weir_check_size ("Input row", sizes[0], size, error)
      || !weir_check_size ("Input column", sizes[1], size, error))
    return NULL;
  grid = grid_new (arguments, size, &bytes, error);
  if (grid == NULL)
    return NULL;
  b = weir_leaf_builder_new ("LookupTable2D");
  row = weir_input_ticket (b, weir_leaf_add_input (b, "row", sizes[0]));
  column = weir_input_ticket (b, weir_leaf_add_input (b, "column", sizes[1]));
  weir_leaf_set_data (b, grid, bytes);
  if (grid->interpolation == WEIR_TABLE_LINEAR)
    {
      weir_leaf_add_output (b, "y", size, grid_y, WEIR_DEPENDS (row, column));
      kinks = weir_leaf_add_cache_entry (b, "kinks", sizes[0] + sizes[1], grid_kinks,
                                         WEIR_DEPENDS (row, column));
      weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
    }
  else
    {
      WeirGroup corners = weir_leaf_add_discrete_state (b, "corners", initial,
                                                        2 * (sizes[0] + sizes[1]));

      weir_leaf_add_output (b, "y", size, stairs_y,
                            WEIR_DEPENDS (row, column, weir_group_ticket (b, corners)));
      kinks = weir_leaf_add_cache_entry (
          b, "jumps", sizes[0] + sizes[1], stairs_jumps,
          WEIR_DEPENDS (row, column, weir_group_ticket (b, corners)));
      weir_leaf_add_update (b, weir_on_initialization (), corners, stairs_change);
      weir_leaf_add_update (b, weir_on_change_of_sign (kinks, WEIR_CROSSES), corners,
                            stairs_change);
    }
  return weir_leaf_builder_build (b);
}

static const WeirBlockType lookup_table_2d_type = {
  .name = "LookupTable2D",
  .title = N_ ("Lookup Table 2-D"),
  .category = CATEGORY,
  .summary = N_ ("Gives values between the points of a surface over two inputs."),
  WEIR_PARAMETERS (grid_parameters),
  .list_inputs = grid_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = grid_output_size,
  .build = grid_build,
  WEIR_POSITIONS (WEIR_POSITION (ROW, "row"), WEIR_POSITION (COLUMN, "column"),
                  WEIR_POSITION (CORNERS, "corners")),
};

WEIR_FAMILY (table_2d, &lookup_table_2d_type);
