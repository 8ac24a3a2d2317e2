/* Rows of what the machine itself gives two threads: loops in registers, which share nothing but
 * what its processors share. No row that runs on two threads can come closer to 2 than the row here
 * that is most like it: a loop in which every operation waits for the one before, as in a small
 * model alone, and one that keeps the arithmetic units busy, as lanes and batches do. Where two
 * processors are threads of one core, the first is near 2 and the second near 1.
 */
#include "bench.h"

#include "base/tasks.h"

#define N_TURNS 400000 /* of a loop: some milliseconds, as an ensemble's run */
#define N_CHAINS 12    /* enough to hide what an operation takes, and few enough for registers */

typedef double Two __attribute__ ((vector_size (16)));

typedef struct {
  WeirTaskFunc loop;
  double result[2][8]; /* each in a line of the caches of its own */
} Pair;

static void
wait_for_each (gpointer data)
{
  double *result = data, z = *result;

  for (guint i = 0; i < N_TURNS; i++)
    z = z * 0.999 + 0.001;
  *result = z;
}

static void
keep_busy (gpointer data)
{
  double *result = data;
  Two z[N_CHAINS], sum = { 0 };

  for (guint k = 0; k < N_CHAINS; k++)
    z[k] = (Two) { *result + k, *result - k };
  for (guint i = 0; i < N_TURNS; i++)
#pragma GCC unroll 12
    for (guint k = 0; k < N_CHAINS; k++)
      z[k] = z[k] * 0.999 + 0.001;
  for (guint k = 0; k < N_CHAINS; k++)
    sum += z[k];
  *result = (sum[0] + sum[1]) / (2 * N_CHAINS);
}

static void
run_on_two (gpointer data, guint64 n)
{
  Pair *pair = data;
  g_autoptr (WeirTasks) tasks = weir_tasks_new (2, 2);

  for (guint64 i = 0; i < n; i++)
    {
      for (guint k = 0; k < 2; k++)
        {
          weir_tasks_set (tasks, k, WEIR_TASK_ANYWHERE, pair->loop, pair->result[k]);
          weir_tasks_start (tasks, k, NULL, 0);
        }
      for (guint k = 0; k < 2; k++)
        weir_tasks_wait (tasks, k, -1);
    }
  bench_sink = pair->result[0][0] + pair->result[1][0];
}

static void
run_on_one (gpointer data, guint64 n)
{
  Pair *pair = data;

  for (guint64 i = 0; i < n; i++)
    for (guint k = 0; k < 2; k++)
      pair->loop (pair->result[k]);
  bench_sink = pair->result[0][0] + pair->result[1][0];
}

static void
measure (const BenchRow *row, BenchResult *result)
{
  WeirTaskFunc loop = row->size == 1 ? wait_for_each : keep_busy;
  Pair pairs[] = { { loop, { { 0.5 }, { 0.5 } } }, { loop, { { 0.5 }, { 0.5 } } } };
  BenchVariant variants[] = { { run_on_two, &pairs[0], 0, 0, 0 },
                              { run_on_one, &pairs[1], 0, 0, 0 } };

  bench_compare (variants, G_N_ELEMENTS (variants), result);
}

const BenchRow bench_core_rows[] = {
  { "cores-waiting", "a loop of one chain of operations on two threads; on one", "ns",
    BENCH_FASTER_BY, 1.9, measure, 1 },
  { "cores-busy", "a loop of twelve chains on two threads; on one", "ns", BENCH_FASTER_BY, 1.9,
    measure, N_CHAINS },
  { .name = NULL },
};
