/* From file: columns of a table of numbers (CSV) over time, the first column. */
#include "blocks/library/table-file.h"
#include "blocks/library/tables.h"
#include "base/text.h"

#include <string.h>

#define CATEGORY N_ ("Sources")
static const WeirParameterSpec file_parameters[] = {
  {
      .name = "file",
      .label = N_ ("File"),
      .kind = WEIR_VALUE_TEXT,
      .is_file = TRUE,
      .default_text = "",
      .help = N_ (
          "A table (CSV): ascending times in the first column; its name is looked for beside the "
          "model. Columns are parted by tabs, semicolons, commas or blanks, whichever of these, in "
          "this order, is in the first line; a comma inside a number is a decimal comma. A first "
          "line without a number is a header. What is no finite decimal number is refused."),
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
                          N_ ("No file is chosen; the output is 0."));
}

/* Without a file the output is 0. */
static WeirSystem *
file_build_beside (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
                   const char *folder, WeirMessage **note, GError **error)
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

      rows = weir_table_read (path, columns, n_columns, note, error);
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
  g_autoptr (WeirMessage) note = NULL;

  return file_build_beside (arguments, sizes, NULL, &note, error);
}

static const WeirBlockType from_file_type = {
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

WEIR_FAMILY (from_file, &from_file_type);
