/* The row of results as text: what a number of a CSV file costs, from the recorder's columns to a
 * stream that drops what it gets. The reference prints the same numbers with the C library's 17
 * digits, which read back but are not the shortest.
 */
#include "bench.h"

#include <stdio.h>

#include "sim/results.h"
#include "system/evaluation/eval.h"
#include "system/structure/leaf.h"

#define N_SIGNALS 10
#define N_ROWS 1000

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirRecorder *recorder;
} Results;

static WeirStatus
hold (G_GNUC_UNUSED const WeirCalc *c, double *xcdot)
{
  for (guint i = 0; i < N_SIGNALS; i++)
    xcdot[i] = 0;
  return WEIR_OK;
}

static void
record_noise (Results *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Noise");
  double x[N_SIGNALS] = { 0 };

  weir_leaf_set_continuous_state (b, 0, 0, N_SIGNALS, x);
  weir_leaf_set_derivatives (b, hold, WEIR_DEPENDS (WEIR_XC));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  self->system = weir_leaf_builder_build (b);
  self->context = weir_system_create_context (self->system);
  self->recorder = weir_recorder_new (self->system, (const char *[]) { "y", NULL }, FALSE, NULL);
  for (guint row = 0; row < N_ROWS; row++)
    {
      for (guint i = 0; i < N_SIGNALS; i++)
        x[i] = g_rand_double_range (random, -100, 100);
      weir_context_set_time_and_state (self->context, row + g_rand_double (random), x);
      weir_recorder_record (self->recorder, self->context, WEIR_PHASE_STEP);
    }
  weir_recorder_end (self->recorder, self->context);
}

static void
clear (Results *self)
{
  weir_recorder_unref (self->recorder);
  weir_context_free (self->context);
  weir_system_unref (self->system);
}

/* --- A stream that drops what it gets ----------------------------------------------------------
 */

typedef struct {
  GOutputStream parent;
} Drain;

typedef struct {
  GOutputStreamClass parent;
} DrainClass;

GType drain_get_type (void);

G_DEFINE_TYPE (Drain, drain, G_TYPE_OUTPUT_STREAM)

static gssize
drain_write (G_GNUC_UNUSED GOutputStream *stream, const void *buffer, gsize size,
             G_GNUC_UNUSED GCancellable *cancellable, G_GNUC_UNUSED GError **error)
{
  bench_sink = *(const char *) buffer;
  return (gssize) size;
}

static void
drain_class_init (DrainClass *class)
{
  class->parent.write_fn = drain_write;
}

static void
drain_init (G_GNUC_UNUSED Drain *self)
{
}

/* --- The row ------------------------------------------------------------------------------------
 */

static void
write_csv (gpointer data, guint64 n)
{
  Results *self = data;

  while (n-- > 0)
    {
      g_autoptr (GOutputStream) stream = g_object_new (drain_get_type (), NULL);

      if (!weir_results_write (weir_result_format_get (0), self->recorder, NULL, stream, NULL))
        g_error ("a stream that takes all takes not all");
    }
}

static void
print_17_digits (gpointer data, guint64 n)
{
  Results *self = data;
  char text[64];

  while (n-- > 0)
    for (gsize row = 0; row < weir_recorder_get_n_rows (self->recorder); row++)
      {
        bench_sink = snprintf (text, sizeof text, "%.17g",
                               weir_recorder_get_time (self->recorder, row));
        for (guint s = 0; s < N_SIGNALS; s++)
          bench_sink = snprintf (text, sizeof text, "%.17g",
                                 weir_recorder_get_value (self->recorder, s, row));
      }
}

static void
measure_csv (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  const double n_numbers = (double) N_ROWS * (N_SIGNALS + 1);
  Results results;
  BenchVariant variants[] = { { .run = write_csv, .data = &results },
                              { .run = print_17_digits, .data = &results } };

  record_noise (&results);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value /= n_numbers;
  result->best_value /= n_numbers;
  result->reference /= n_numbers;
  result->best_reference /= n_numbers;
  clear (&results);
}

const BenchRow bench_result_rows[] = {
  { "csv-number", "a number of a CSV file, shortest digits", "ns", BENCH_VALUE_AT_MOST, 200,
    measure_csv, 0 },
  { NULL },
};
