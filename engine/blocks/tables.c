/* Tables: values between given points, of an input or of time, typed in or read from a file.
 *
 * The points are data of the leaf and ascend strictly. A point belongs to the piece that it begins.
 * Pieces are constant (previous), straight (linear) or cubic (smooth: slopes by the weighted
 * harmonic mean of Fritsch and Butland, so that nothing overshoots). Outside the points the end
 * values hold or the end pieces go on in a straight line. Kinks and jumps end the solver's step.
 */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Tables")
#define CATEGORY_SOURCES N_ ("Sources")

static const WeirInput U = { 0 };

enum { LINEAR, PREVIOUS, SMOOTH };
enum { HOLD, CONTINUE };

static const char *const interpolations[] = {
  [LINEAR] = "linear", [PREVIOUS] = "previous", [SMOOTH] = "smooth", NULL
};
static const char *const extrapolations[] = { [HOLD] = "hold", [CONTINUE] = "linear", NULL };

typedef struct {
  guint32 n, n_columns; /* points; values of each */
  guint32 interpolation, extrapolation;
  double numbers[]; /* the n points, then their values, point by point */
} Table;

static double
get_value (const Table *table, guint i, guint column)
{
  return table->numbers[table->n + i * table->n_columns + column];
}

/* How many points are at or below @x. */
static guint
count_points (const Table *table, double x)
{
  guint low = 0, high = table->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (table->numbers[middle] <= x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
get_chord (const Table *table, guint i, guint column)
{
  return (get_value (table, i + 1, column) - get_value (table, i, column))
         / (table->numbers[i + 1] - table->numbers[i]);
}

/* The slope at point @i of the smooth curve. */
static double
get_slope (const Table *table, guint i, guint column)
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
interpolate (const Table *table, guint column, double x)
{
  guint n = count_points (table, x), i;
  gboolean is_outside = n == 0 || n == table->n;
  double h, s;

  if (x != x)
    return x;
  if (table->n == 1)
    return get_value (table, 0, column);
  if (is_outside && (table->extrapolation == HOLD || table->interpolation == PREVIOUS))
    return get_value (table, n == 0 ? 0 : table->n - 1, column);
  i = n == 0 ? 0 : MIN (n - 1, table->n - 2);
  h = table->numbers[i + 1] - table->numbers[i];
  s = x - table->numbers[i];
  if (table->interpolation == PREVIOUS)
    return get_value (table, i, column);
  if (table->interpolation == LINEAR)
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

/* Zero at the points, with another sign on each side. */
static WeirStatus
table_kinks (const WeirCalc *c, double *w)
{
  const Table *table = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      guint n = count_points (table, u[i]);
      double below = n > 0 ? u[i] - table->numbers[n - 1] : (double) INFINITY;
      double above = n < table->n ? table->numbers[n] - u[i] : (double) INFINITY;

      w[i] = n % 2 == 0 ? MIN (below, above) : -MIN (below, above);
    }
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

/* A table that jumps: in a run the number of points at or below each element is state, which holds
 * between the jumps; the state's last number tells that this is a run. */
static const WeirGroup PIECES = { 0 };

static WeirStatus
stairs_of_input (const WeirCalc *c, double *y)
{
  const Table *table = weir_calc_data (c);
  const double *pieces = weir_calc_discrete (c, PIECES), *u = weir_calc_input (c, U);
  guint size = weir_calc_input_size (c, U);

  for (guint i = 0; i < size; i++)
    if (pieces[size] == 0)
      y[i] = interpolate (table, 0, u[i]);
    else
      y[i] = get_value (table, (guint) CLAMP (pieces[i] - 1, 0, table->n - 1), 0);
  return WEIR_OK;
}

static WeirStatus
stairs_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *pieces = weir_calc_discrete (c, PIECES), *u = weir_calc_input (c, U);
  guint size = weir_calc_input_size (c, U);
  gboolean is_same = pieces[size] != 0;

  for (guint i = 0; i < size; i++)
    {
      next[i] = count_points (weir_calc_data (c), u[i]);
      is_same = is_same && next[i] == pieces[i];
    }
  next[size] = 1;
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirStatus
table_of_time (const WeirCalc *c, double *y)
{
  const Table *table = weir_calc_data (c);

  for (guint i = 0; i < table->n_columns; i++)
    y[i] = table->n == 1 ? get_value (table, 0, i) : interpolate (table, i, weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
next_point (const WeirCalc *c, double after, double *time)
{
  const Table *table = weir_calc_data (c);
  guint n = count_points (table, after);

  *time = n < table->n ? table->numbers[n] : (double) INFINITY;
  return WEIR_OK;
}

/* --- Making one ------------------------------------------------------------------------------ */

static guint
find_choice (const WeirArguments *arguments, const char *parameter, const char *const *choices)
{
  const char *text = weir_arguments_get_text (arguments, parameter);
  guint i = 0;

  while (strcmp (choices[i], text) != 0)
    i++;
  return i;
}

/* A table without its numbers. (transfer full) */
static Table *
table_new (const WeirArguments *arguments, guint n, guint n_columns, gsize *size)
{
  Table *table;

  *size = sizeof *table + (gsize) n * (n_columns + 1) * sizeof (double);
  table = g_malloc0 (*size);
  table->n = n;
  table->n_columns = n_columns;
  table->interpolation = find_choice (arguments, "interpolation", interpolations);
  table->extrapolation = find_choice (arguments, "extrapolation", extrapolations);
  return table;
}

/* From the parameters "points" and "values". */
static Table *
table_from_arguments (const WeirArguments *arguments, gsize *size, GError **error)
{
  guint n, n_values;
  const double *points = weir_arguments_get_vector (arguments, "points", &n);
  const double *values = weir_arguments_get_vector (arguments, "values", &n_values);
  Table *table;

  if (n != n_values)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
                   "There are %u points, but %u values; one value for each point is needed.", n,
                   n_values);
      return NULL;
    }
  for (guint i = 1; i < n; i++)
    if (!(points[i] > points[i - 1]))
      {
        g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                     "Point %u is %g, which is not above point %u, %g; points must ascend.", i + 1,
                     points[i], i, points[i - 1]);
        return NULL;
      }
  table = table_new (arguments, n, 1, size);
  memcpy (table->numbers, points, n * sizeof *points);
  memcpy (table->numbers + n, values, n * sizeof *values);
  return table;
}

#define CHOICES                                                                                    \
  {                                                                                                \
    .name = "interpolation",                                                                       \
    .label = N_ ("Interpolation"),                                                                 \
    .kind = WEIR_VALUE_CHOICE,                                                                     \
    .default_text = "linear",                                                                      \
    .choices = interpolations,                                                                     \
    .help = N_ ("Between two points: a straight line, the previous value, or a smooth curve."),    \
  },                                                                                               \
  {                                                                                                \
    .name = "extrapolation", .label = N_ ("Extrapolation"), .kind = WEIR_VALUE_CHOICE,             \
    .default_text = "hold", .choices = extrapolations,                                             \
    .help = N_ ("Outside the points: the end values hold, or the ends go on in a line."),          \
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
  CHOICES,
};

static WeirSystem *
lookup_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  gsize size;
  g_autofree Table *table = table_from_arguments (arguments, &size, error);
  g_autofree double *initial = g_new0 (double, sizes[0] + 1);
  WeirLeafBuilder *b;
  WeirCached kinks;
  WeirTicket u;

  if (table == NULL)
    return NULL;
  b = weir_leaf_builder_new ("LookupTable");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  weir_leaf_set_data (b, table, size);
  if (table->interpolation == PREVIOUS)
    {
      WeirGroup pieces = weir_leaf_add_discrete_state (b, "pieces", initial, sizes[0] + 1);

      weir_leaf_add_output (b, "y", sizes[0], stairs_of_input,
                            WEIR_DEPENDS (u, weir_group_ticket (b, pieces)));
      kinks = weir_leaf_add_cache_entry (b, "jumps", sizes[0], table_kinks, WEIR_DEPENDS (u));
      weir_leaf_add_update (b, weir_on_initialization (), pieces, stairs_change);
      weir_leaf_add_update (b, weir_on_change_of_sign (kinks, WEIR_CROSSES), pieces, stairs_change);
      return weir_leaf_builder_build (b);
    }
  weir_leaf_add_output (b, "y", sizes[0], table_of_input, WEIR_DEPENDS (u));
  if (table->interpolation == LINEAR)
    {
      kinks = weir_leaf_add_cache_entry (b, "kinks", sizes[0], table_kinks, WEIR_DEPENDS (u));
      weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
    }
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_lookup_table = {
  .name = "LookupTable",
  .title = N_ ("Lookup Table"),
  .category = CATEGORY,
  .summary = N_ ("Gives values between the points of a curve."),
  WEIR_PARAMETERS (lookup_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = lookup_build,
};

/* --- Table over time: y = table (t) ---------------------------------------------------------- */

static WeirSystem *
build_of_time (const char *kind, const Table *table, gsize size)
{
  WeirLeafBuilder *b = weir_leaf_builder_new (kind);

  weir_leaf_set_data (b, table, size);
  weir_leaf_add_output (b, "y", table->n_columns, table_of_time,
                        WEIR_DEPENDS (table->n == 1 ? WEIR_NOTHING : WEIR_TIME));
  if (table->interpolation != SMOOTH)
    weir_leaf_add_break (b, weir_at_times (next_point));
  return weir_leaf_builder_build (b);
}

static void
time_table_list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 1);
}

static const WeirParameterSpec time_table_parameters[] = {
  VECTOR ("points", N_ ("Times"), "[0, 1, 2]",
          N_ ("When the values are reached, in seconds, ascending.")),
  VECTOR ("values", N_ ("Values"), "[0, 1, 0]", N_ ("The output at each time.")),
  CHOICES,
};

static WeirSystem *
time_table_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  gsize size;
  g_autofree Table *table = table_from_arguments (arguments, &size, error);

  return table != NULL ? build_of_time ("TimeTable", table, size) : NULL;
}

const WeirBlockType weir_block_time_table = {
  .name = "TimeTable",
  .title = N_ ("Table over Time"),
  .category = CATEGORY_SOURCES,
  .summary = N_ ("Gives values at given times and in between."),
  WEIR_PARAMETERS (time_table_parameters),
  .list_outputs = time_table_list_outputs,
  .build = time_table_build,
};

/* --- From file: the same, with columns of a file --------------------------------------------- */

#define MAX_NUMBERS 20000000 /* of a file; it must fit in memory with every run's structure */

/* Reads the numbers of a line, parted by commas, semicolons, tabs or spaces. FALSE at what
 * is none. */
static gboolean
read_numbers (const char *line, const char *end, GArray *numbers)
{
  const char *p = line;

  g_array_set_size (numbers, 0);
  for (;;)
    {
      char *after;
      double number;

      while (p < end && (*p == ' ' || *p == '\r'))
        p++;
      if (p == end)
        return numbers->len > 0;
      number = g_ascii_strtod (p, &after);
      if (after == p || after > end || !isfinite (number))
        return FALSE;
      g_array_append_val (numbers, number);
      for (p = after; p < end && (*p == ' ' || *p == '\t' || *p == '\r'); p++)
        ;
      if (p < end && (*p == ',' || *p == ';'))
        p++;
    }
}

static gboolean
refuse_line (GError **error, const char *path, guint line, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "%s, line %u: %s", path, line, text);
  return FALSE;
}

/* Appends the rows of a line to @rows: time, then the chosen columns. */
static gboolean
take_line (const char *path, guint line, const GArray *numbers, const double *columns,
           guint n_columns, GArray *rows, GError **error)
{
  double time = g_array_index (numbers, double, 0);
  gsize row_size = 1 + (gsize) n_columns;

  if (rows->len > 0 && !(time > g_array_index (rows, double, rows->len - row_size)))
    return refuse_line (error, path, line,
                        "the time %g is not above the one before, %g; times must "
                        "ascend.",
                        time, g_array_index (rows, double, rows->len - row_size));
  g_array_append_val (rows, time);
  for (guint i = 0; i < n_columns; i++)
    {
      if (columns[i] != floor (columns[i]) || columns[i] >= numbers->len)
        return refuse_line (error, path, line,
                            "column %g is chosen, but there are %u after the time.", columns[i],
                            numbers->len - 1);
      g_array_append_val (rows, g_array_index (numbers, double, (guint) columns[i]));
    }
  if (rows->len > MAX_NUMBERS)
    return refuse_line (error, path, line, "the file has more than %u numbers.", MAX_NUMBERS);
  return TRUE;
}

/* The rows of a file; a first line that is no row of numbers is a header. (transfer full) */
static GArray *
read_rows (const char *path, const double *columns, guint n_columns, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 1;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  for (const char *line = text; *line != '\0'; n++)
    {
      const char *end = line + strcspn (line, "\n");

      if (read_numbers (line, end, numbers))
        {
          if (!take_line (path, n, numbers, columns, n_columns, rows, error))
            return NULL;
        }
      else if (n > 1 && strspn (line, " \t\r") < (gsize) (end - line))
        {
          refuse_line (error, path, n, "not a row of numbers.");
          return NULL;
        }
      line = *end == '\n' ? end + 1 : end;
    }
  if (rows->len == 0)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "%s: there is no row of numbers.", path);
      return NULL;
    }
  return g_steal_pointer (&rows);
}

static const WeirParameterSpec file_parameters[] = {
  {
      .name = "file",
      .label = N_ ("File"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "",
      .help = N_ (
          "A table (CSV): times in the first column; its name is looked for beside the model."),
  },
  {
      .name = "columns",
      .label = N_ ("Columns"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "1",
      WEIR_FROM_TO (1, 10000),
      .help = N_ ("Which columns after the time to give, counted from 1: a number or a vector."),
  },
  CHOICES,
};

static void
file_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint n;

  weir_arguments_get_vector (arguments, "columns", &n);
  weir_list_port (ports, "y", n);
}

static void
file_check (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
            guint32 block, int line)
{
  if (*weir_arguments_get_text (arguments, "file") == '\0')
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "PAR04", path, block, 0, line,
                          "No file is chosen; the output is 0.");
}

/* Without a file the output is 0. */
static WeirSystem *
file_build_beside (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
                   const char *folder, GError **error)
{
  const char *name = weir_arguments_get_text (arguments, "file");
  guint n_columns, n_rows = 1;
  const double *columns = weir_arguments_get_vector (arguments, "columns", &n_columns);
  gsize row_size = 1 + (gsize) n_columns, size;
  g_autoptr (GArray) rows = NULL;
  g_autofree Table *table = NULL;

  if (*name != '\0')
    {
      g_autofree char *path = g_path_is_absolute (name) || folder == NULL
                                  ? g_strdup (name)
                                  : g_build_filename (folder, name, NULL);

      rows = read_rows (path, columns, n_columns, error);
      if (rows == NULL)
        return NULL;
      n_rows = (guint) (rows->len / row_size);
    }
  table = table_new (arguments, n_rows, n_columns, &size);
  for (guint i = 0; rows != NULL && i < n_rows; i++)
    {
      const double *row = &g_array_index (rows, double, i *row_size);

      table->numbers[i] = row[0];
      memcpy (table->numbers + n_rows + (gsize) i * n_columns, row + 1, n_columns * sizeof *row);
    }
  return build_of_time ("FromFile", table, size);
}

static WeirSystem *
file_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  return file_build_beside (arguments, sizes, NULL, error);
}

const WeirBlockType weir_block_from_file = {
  .name = "FromFile",
  .title = N_ ("From File"),
  .category = CATEGORY_SOURCES,
  .summary = N_ ("Gives columns of a table in a file, over time."),
  WEIR_PARAMETERS (file_parameters),
  .list_outputs = file_list_outputs,
  .check = file_check,
  .build = file_build,
  .build_beside = file_build_beside,
};
