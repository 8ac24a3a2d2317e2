/* From file: columns of a table of numbers (CSV) over time, the first column. */
#include "blocks/tables-private.h"

#include <string.h>

#define CATEGORY N_ ("Sources")
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
  WEIR_TABLE_CHOICES,
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
  g_autofree WeirTable *table = NULL;

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
  table = weir_table_new (arguments, n_rows, n_columns, &size);
  for (guint i = 0; rows != NULL && i < n_rows; i++)
    {
      const double *row = &g_array_index (rows, double, i *row_size);

      table->numbers[i] = row[0];
      memcpy (table->numbers + n_rows + (gsize) i * n_columns, row + 1, n_columns * sizeof *row);
    }
  return weir_table_build_of_time ("FromFile", table, size);
}

static WeirSystem *
file_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  return file_build_beside (arguments, sizes, NULL, error);
}

const WeirBlockType weir_block_from_file = {
  .name = "FromFile",
  .title = N_ ("From File"),
  .category = CATEGORY,
  .summary = N_ ("Gives columns of a table in a file, over time."),
  WEIR_PARAMETERS (file_parameters),
  .list_outputs = file_list_outputs,
  .check = file_check,
  .build = file_build,
  .build_beside = file_build_beside,
};
