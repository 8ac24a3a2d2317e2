/* What the rows of weir-bench share: a row's description, sampling, and one sink for results.
 *
 * A row measures its figure and its reference in the same run, sample by sample in turn, on the
 * same work; the table and the JSON show medians. Nothing here asserts a speed: whether a target is
 * met is reported and never an exit status.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a target is compared with. */
typedef enum {
  BENCH_VALUE_AT_MOST, /* the figure itself */
  BENCH_RATIO_AT_MOST, /* figure / reference */
  BENCH_OVER_AT_MOST,  /* figure - reference */
  BENCH_FASTER_BY,     /* reference / figure, at least */
} BenchGoal;

typedef struct {
  double value, reference;           /* medians; reference NAN = none */
  double best_value, best_reference; /* the fastest samples */
  char *note;                        /* what was the worst, or nothing; owned */
} BenchResult;

typedef struct _BenchRow BenchRow;
struct _BenchRow {
  const char *name;
  const char *work; /* one line for people */
  const char *unit; /* of value and reference */
  BenchGoal goal;
  double target;
  void (*measure) (const BenchRow *row, BenchResult *result);
  guint size; /* for rows that differ by one number */
};

/* One a line. */
/* clang-format off */
extern const BenchRow bench_eval_rows[];
extern const BenchRow bench_event_rows[];
extern const BenchRow bench_graph_rows[];
extern const BenchRow bench_rhs_rows[];
extern const BenchRow bench_record_rows[];
extern const BenchRow bench_result_rows[];
extern const BenchRow bench_scrub_rows[];
extern const BenchRow bench_model_rows[];
extern const BenchRow bench_run_rows[];
extern const BenchRow bench_equations_rows[];
extern const BenchRow bench_network_rows[];
extern const BenchRow bench_description_rows[];
extern const BenchRow bench_fmu_rows[];
extern const BenchRow bench_cosim_rows[];
extern const BenchRow bench_generate_rows[];
extern const BenchRow bench_bridge_rows[];
extern const BenchRow bench_paint_rows[];
extern const BenchRow bench_live_rows[];
extern const BenchRow bench_start_rows[];
extern const BenchRow bench_core_rows[];
extern const BenchRow bench_ensemble_rows[];
extern const BenchRow bench_study_rows[];
extern const BenchRow bench_measure_rows[];
extern const BenchRow bench_instant_rows[];
extern const BenchRow bench_window_rows[];
/* clang-format on */

/* The diagram that is drawn: @n blocks and some more wires. (transfer full) */
struct _WeirModel *bench_paint_model_new (guint n);

/* One way of doing the work: @run does it @n times. */
typedef struct {
  void (*run) (gpointer data, guint64 n);
  gpointer data;
  guint64 n;           /* repetitions a sample; chosen by bench_sample() */
  double median, best; /* ns per repetition */
} BenchVariant;

/* Samples all variants in turn until their medians are stable or the time for one row is spent. */
void bench_sample (BenchVariant *variants, guint n);
/* The result of variant 0 against the fastest of the others. */
void bench_compare (BenchVariant *variants, guint n, BenchResult *result);
void bench_set_quick (gboolean quick);
gboolean bench_is_quick (void);

/* Results end here, so that no work is optimised away. */
extern volatile double bench_sink;

G_END_DECLS
