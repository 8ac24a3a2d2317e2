/* weir-bench [--json] [--quick] [PATTERN…]: measures Weir beside references of the same run.
 *
 * A pattern is a shell pattern over the names of rows ("event-*"); without one, all rows run. The
 * exit status is 0 whether or not targets are met.
 */
#include "bench.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#define STACK_BYTES (256u << 20) /* for the recursive walk down a chain of 100 000 */

static gboolean option_json, option_quick;
static char **patterns;

static const GOptionEntry options[] = {
  { "json", 0, 0, G_OPTION_ARG_NONE, &option_json,
    "Print one array of objects; \"direction\" says what is compared with \"target\": value<=, "
    "ratio<= (value / reference), over<= (value - reference) or faster>= (reference / value)",
    NULL },
  { "quick", 0, 0, G_OPTION_ARG_NONE, &option_quick, "Take a minute at most", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &patterns, NULL, "[PATTERN…]" },
  { NULL },
};

/* clang-format off */
static const BenchRow *const groups[] = {
  bench_eval_rows,
  bench_event_rows,
  bench_graph_rows,
  bench_rhs_rows,
  bench_record_rows,
  bench_result_rows,
  bench_scrub_rows,
  bench_run_rows,
  bench_core_rows,
  bench_ensemble_rows,
  bench_study_rows,
  bench_equations_rows,
  bench_model_rows,
  bench_network_rows,
  bench_description_rows,
  bench_fmu_rows,
  bench_cosim_rows,
  bench_generate_rows,
  bench_bridge_rows,
  bench_measure_rows,
  bench_instant_rows,
  bench_start_rows,
  bench_paint_rows,
  bench_live_rows,
#ifdef WEIR_PROGRAM
  bench_window_rows,
#endif
};
/* clang-format on */

static const char *const directions[] = { "value<=", "ratio<=", "over<=", "faster>=" };

static double
compared (const BenchRow *row, double value, double reference)
{
  switch (row->goal)
    {
    case BENCH_RATIO_AT_MOST:
      return value / reference;
    case BENCH_OVER_AT_MOST:
      return value - reference;
    case BENCH_FASTER_BY:
      return reference / value;
    case BENCH_VALUE_AT_MOST:
    default:
      return value;
    }
}

static gboolean
is_met (const BenchRow *row, double figure)
{
  return row->goal == BENCH_FASTER_BY ? figure >= row->target : figure <= row->target;
}

static gboolean
is_chosen (const BenchRow *row)
{
  gboolean chosen = patterns == NULL;

  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    chosen |= g_pattern_match_simple (patterns[i], row->name);
  return chosen;
}

/* A number of JSON; infinities and NaN have none there. */
static void
append_number (GString *text, const char *name, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (
      text, ", \"%s\": %s", name,
      isfinite (number) ? g_ascii_formatd (digits, sizeof digits, "%.6g", number) : "null");
}

static void
print_json (const BenchRow *row, const BenchResult *result, gboolean is_first)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean ok = is_met (row, compared (row, result->value, result->reference));

  g_string_append_printf (text, "%s\n  {\"name\": \"%s\"", is_first ? "" : ",", row->name);
  append_number (text, "value", result->value);
  g_string_append_printf (text, ", \"unit\": \"%s\"", row->unit);
  append_number (text, "reference", result->reference);
  append_number (text, "ratio", result->value / result->reference);
  append_number (text, "target", row->target);
  g_string_append_printf (text, ", \"direction\": \"%s\", \"ok\": %s}", directions[row->goal],
                          ok ? "true" : "false");
  fputs (text->str, stdout);
}

static void
format_number (char *text, gsize size, double number)
{
  if (isnan (number))
    g_snprintf (text, size, "-");
  else
    g_snprintf (text, size,
                fabs (number) < 10     ? "%.3g"
                : fabs (number) < 1000 ? "%.1f"
                                       : "%.0f",
                number);
}

static void
print_row (const BenchRow *row, const BenchResult *result)
{
  static const char *const goals[] = { "", "ratio ", "over ", "faster " };
  double figure = compared (row, result->value, result->reference);
  char value[32], reference[32], ratio[32], shown[32], best[32], target[32];

  format_number (value, sizeof value, result->value);
  format_number (reference, sizeof reference, result->reference);
  format_number (ratio, sizeof ratio, result->value / result->reference);
  format_number (shown, sizeof shown, figure);
  format_number (best, sizeof best, compared (row, result->best_value, result->best_reference));
  format_number (target, sizeof target, row->target);
  g_print ("%-18s %10s %-3s %10s %9s  %7s%s %s %-6s %9s %9s  %-4s  %s%s%s\n", row->name, value,
           row->unit, reference, ratio, goals[row->goal],
           row->goal == BENCH_FASTER_BY ? ">=" : "<=", target, "", shown, best,
           is_met (row, figure) ? "ok" : "MISS", row->work, result->note != NULL ? ": " : "",
           result->note != NULL ? result->note : "");
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  struct rlimit stack;
  guint n = 0;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  g_option_context_set_summary (context, "Measures Weir beside references of the same run.");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("weir-bench: %s\n", error->message);
      return 2;
    }
  if (getrlimit (RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_BYTES)
    {
      stack.rlim_cur = MIN (stack.rlim_max, STACK_BYTES);
      setrlimit (RLIMIT_STACK, &stack);
    }

  bench_set_quick (option_quick);
  if (option_json)
    fputs ("[", stdout);
  else
    g_print ("%-18s %14s %10s %9s  %17s  %9s %9s\n", "name", "figure", "reference", "ratio",
             "target", "measured", "at best");
  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (const BenchRow *row = groups[g]; row->name != NULL; row++)
      {
        BenchResult result = { .reference = NAN, .best_reference = NAN };

        if (!is_chosen (row))
          continue;
        row->measure (row, &result);
        if (option_json)
          print_json (row, &result, n == 0);
        else
          print_row (row, &result);
        fflush (stdout);
        g_free (result.note);
        n++;
      }
  if (option_json)
    fputs (n > 0 ? "\n]\n" : "]\n", stdout);
  if (n == 0)
    g_printerr ("weir-bench: no row matches.\n");
  return 0;
}
