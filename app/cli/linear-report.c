/* A linearisation as text: a table for people, CSV and JSON with all digits. */
#include "cli/cli-private.h"

#include <math.h>

#include "base/text.h"
#include "numerics/number.h"

typedef struct {
  const char *name;
  const double *values;
  guint rows, columns;
} MatrixView;

static void
list_matrices (const WeirLinearReport *report, MatrixView views[4])
{
  const WeirLinearization *r = report->result;

  views[0] = (MatrixView) { "A", r->a, r->n_states, r->n_states };
  views[1] = (MatrixView) { "B", r->b, r->n_states, r->n_inputs };
  views[2] = (MatrixView) { "C", r->c, r->n_outputs, r->n_states };
  views[3] = (MatrixView) { "D", r->d, r->n_outputs, r->n_inputs };
}

static char *
dup_state_name (const WeirLinearReport *report, guint i)
{
  return weir_operating_point_dup_state_name (report->point, report->result->states[i]);
}

/* The name of row or column @i of a matrix. (transfer full) */
static char *
dup_index_name (const WeirLinearReport *report, gboolean is_state, gboolean is_input, guint i)
{
  if (is_state)
    return dup_state_name (report, i);
  return g_strdup (is_input ? weir_operating_point_get_input_name (report->point, i)
                            : weir_operating_point_get_output_name (report->point, i));
}

/* A pole as people speak of it: natural frequency and damping. */
static double
frequency_of (const WeirLinearization *r, guint i)
{
  return hypot (r->poles_re[i], r->poles_im[i]);
}

static void
print_signals (const WeirLinearReport *report)
{
  const WeirLinearization *r = report->result;
  const double *x = weir_operating_point_get_state (report->point);
  const double *u = weir_operating_point_get_input (report->point);

  for (guint i = 0; i < r->n_states; i++)
    {
      g_autofree char *name = dup_state_name (report, i);

      if (i == 0)
        weir_cli_say ("\nstates\n");
      weir_cli_say ("%-4u  %16.10g  derivative %16.10g  %s\n", i + 1, x[r->states[i]], r->xdot[i],
                    name);
    }
  for (guint i = 0; i < r->n_inputs; i++)
    {
      if (i == 0)
        weir_cli_say ("\ninputs\n");
      weir_cli_say ("%-4u  %16.10g  %s\n", i + 1, u[i],
                    weir_operating_point_get_input_name (report->point, i));
    }
  for (guint i = 0; i < r->n_outputs; i++)
    {
      if (i == 0)
        weir_cli_say ("\noutputs\n");
      weir_cli_say ("%-4u  %16.10g  %s\n", i + 1, r->y[i],
                    weir_operating_point_get_output_name (report->point, i));
    }
}

static void
print_matrix (const MatrixView *view)
{
  if (view->rows == 0 || view->columns == 0)
    return;
  weir_cli_say ("\n%s\n", view->name);
  for (guint i = 0; i < view->rows; i++)
    for (guint j = 0; j < view->columns; j++)
      g_print ("%16.10g%s", view->values[(gsize) i * view->columns + j],
               j + 1 < view->columns ? "  " : "\n");
}

static void
print_poles (const WeirLinearReport *report)
{
  const WeirLinearization *r = report->result;

  for (guint i = 0; i < r->n_states; i++)
    {
      double frequency = frequency_of (r, i);

      if (i == 0)
        weir_cli_say ("\npoles (1/s)         imaginary         rad/s           damping\n");
      weir_cli_say ("%16.10g  %16.10g  %16.10g  %10.6g\n", r->poles_re[i], r->poles_im[i],
                    frequency, frequency > 0 ? -r->poles_re[i] / frequency : 0);
    }
}

void
weir_linear_report_print_table (const WeirLinearReport *report)
{
  const WeirLinearization *r = report->result;
  g_autofree double *gain = g_new0 (double, (gsize) r->n_outputs * r->n_inputs + 1);
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  MatrixView views[4];

  weir_cli_say ("%s at t = %s s: %u state%s, %u input%s, %u output%s\n", report->file,
                weir_number_to_text (weir_operating_point_get_time (report->point), time),
                r->n_states, r->n_states == 1 ? "" : "s", r->n_inputs, r->n_inputs == 1 ? "" : "s",
                r->n_outputs, r->n_outputs == 1 ? "" : "s");
  if (r->n_left_out > 0)
    weir_cli_say (
        "%u state%s on no way from an input to an output %s left out; --all-states keeps them\n",
        r->n_left_out, r->n_left_out == 1 ? "" : "s", r->n_left_out == 1 ? "is" : "are");
  print_signals (report);
  list_matrices (report, views);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    print_matrix (&views[i]);
  if (r->n_inputs > 0 && r->n_outputs > 0 && weir_linearization_get_gain (r, gain))
    print_matrix (
        &(MatrixView) { "gain in the long run (D - C A^-1 B)", gain, r->n_outputs, r->n_inputs });
  print_poles (report);
  weir_cli_say ("\nlargest estimated relative error of a row: %.1e\n", r->error);
}

/* One number a line: what it belongs to, the names of its row and column, the number. */
void
weir_linear_report_print_csv (const WeirLinearReport *report)
{
  const WeirLinearization *r = report->result;
  MatrixView views[4];
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  weir_cli_say ("matrix,row,column,value\n");
  list_matrices (report, views);
  for (guint m = 0; m < G_N_ELEMENTS (views); m++)
    for (guint i = 0; i < views[m].rows; i++)
      for (guint j = 0; j < views[m].columns; j++)
        {
          g_autofree char *row = dup_index_name (report, m < 2, FALSE, i);
          g_autofree char *column = dup_index_name (report, m % 2 == 0, TRUE, j);

          g_autoptr (GString) line = g_string_new (views[m].name);

          g_string_append_c (line, ',');
          weir_csv_append_quoted (line, row);
          g_string_append_c (line, ',');
          weir_csv_append_quoted (line, column);
          weir_cli_say (
              "%s,%s\n", line->str,
              weir_number_to_text (views[m].values[(gsize) i * views[m].columns + j], text));
        }
  for (guint i = 0; i < r->n_states; i++)
    {
      weir_cli_say ("pole,%u,real,%s\n", i + 1, weir_number_to_text (r->poles_re[i], text));
      weir_cli_say ("pole,%u,imaginary,%s\n", i + 1, weir_number_to_text (r->poles_im[i], text));
    }
}

static void
append_numbers (GString *json, const char *name, const double *values, guint rows, guint columns)
{
  g_string_append_printf (json, ",\n  \"%s\": [", name);
  for (guint i = 0; i < rows; i++)
    {
      g_string_append (json, i > 0 ? ", [" : "[");
      for (guint j = 0; j < columns; j++)
        {
          g_string_append (json, j > 0 ? ", " : "");
          weir_json_append_number (json, values[(gsize) i * columns + j]);
        }
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, ']');
}

static void
append_names (const WeirLinearReport *report, GString *json, const char *name, guint n,
              gboolean is_state, gboolean is_input, const double *values)
{
  g_string_append_printf (json, ",\n  \"%s\": [", name);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = dup_index_name (report, is_state, is_input, i);
      guint place = is_state ? report->result->states[i] : i;

      g_string_append (json, i > 0 ? ", {\"name\": " : "{\"name\": ");
      weir_json_append_string (json, own);
      g_string_append (json, ", \"value\": ");
      weir_json_append_number (json, values[place]);
      if (is_state)
        {
          g_string_append (json, ", \"derivative\": ");
          weir_json_append_number (json, report->result->xdot[i]);
        }
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

void
weir_linear_report_print_json (const WeirLinearReport *report)
{
  const WeirLinearization *r = report->result;
  g_autoptr (GString) json = g_string_new ("{\n  \"file\": ");
  MatrixView views[4];

  weir_json_append_string (json, report->file);
  g_string_append (json, ",\n  \"time\": ");
  weir_json_append_number (json, weir_operating_point_get_time (report->point));
  append_names (report, json, "states", r->n_states, TRUE, FALSE,
                weir_operating_point_get_state (report->point));
  append_names (report, json, "inputs", r->n_inputs, FALSE, TRUE,
                weir_operating_point_get_input (report->point));
  append_names (report, json, "outputs", r->n_outputs, FALSE, FALSE, r->y);
  g_string_append_printf (json, ",\n  \"states_left_out\": %u", r->n_left_out);
  list_matrices (report, views);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    append_numbers (json, views[i].name, views[i].values, views[i].rows, views[i].columns);
  g_string_append (json, ",\n  \"poles\": [");
  for (guint i = 0; i < r->n_states; i++)
    {
      g_string_append (json, i > 0 ? ", [" : "[");
      weir_json_append_number (json, r->poles_re[i]);
      g_string_append (json, ", ");
      weir_json_append_number (json, r->poles_im[i]);
      g_string_append_c (json, ']');
    }
  g_string_append (json, "],\n  \"estimated_error\": ");
  weir_json_append_number (json, r->error);
  g_string_append (json, ",\n  \"notes\": ");
  weir_json_append_strings (json, report->notes);
  g_string_append (json, "\n}\n");
  g_print ("%s", json->str);
}
