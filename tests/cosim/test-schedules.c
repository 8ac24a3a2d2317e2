/* In which order units step, and what they see. The expected numbers follow by hand from
 * y := (sum of inputs) + 1: full parallel, S1' = S5 + 1, S3' = S1 + S2 + 1, S5' = S3 + S4 + 1;
 * cascading the same with new values along the list, so that S5 = 5 (2^k - 1). */
#include "base/sync.h"
#include "cosim/order.h"
#include "counters.h"
#include "system/observation/change-log.h"

#define FULL WEIR_STEP_SCHEDULING_FULL_PARALLEL
#define CASCADING WEIR_STEP_SCHEDULING_CASCADING_PARALLEL

static const CounterData plain[5];

static const int full_table[][5] = {
  { 0, 0, 0, 0, 0 },     { 1, 1, 1, 1, 1 },     { 2, 2, 3, 1, 3 },
  { 4, 4, 5, 1, 5 },     { 6, 6, 9, 1, 7 },     { 8, 8, 13, 1, 11 },
  { 12, 12, 17, 1, 15 }, { 16, 16, 25, 1, 19 }, { 20, 20, 33, 1, 27 },
};

static const int cascading_table[][5] = {
  { 0, 0, 0, 0, 0 },         { 1, 1, 3, 1, 5 },         { 6, 6, 13, 1, 15 },
  { 16, 16, 33, 1, 35 },     { 36, 36, 73, 1, 75 },     { 76, 76, 153, 1, 155 },
  { 156, 156, 313, 1, 315 }, { 316, 316, 633, 1, 635 }, { 636, 636, 1273, 1, 1275 },
};

static void
test_full (void)
{
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, FULL, 2);
  g_assert_cmpint (weir_cosim_get_step_scheduling_type (run.cosim), ==, FULL);
  for (guint k = 0; k < G_N_ELEMENTS (full_table); k++)
    run_check (&run, k, full_table[k]);
  for (guint k = 9; k <= 40; k++) /* S5 (k + 3) = 2 S5 (k) + 5 */
    {
      static double last[64];

      run_to (&run, k);
      last[k] = run_get (&run, "S5");
      if (k >= 12)
        g_assert_cmpfloat (last[k], ==, 2 * last[k - 3] + 5);
    }
  run_end (&run);
}

static void
test_cascading (void)
{
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, CASCADING, 2);
  for (guint k = 0; k < G_N_ELEMENTS (cascading_table); k++)
    run_check (&run, k, cascading_table[k]);
  for (guint k = 9; k <= 40; k++)
    {
      run_to (&run, k);
      g_assert_cmpfloat (run_get (&run, "S5"), ==,
                         5 * ((double) (G_GUINT64_CONSTANT (1) << k) - 1));
    }
  run_end (&run);
}

/* With steps of 3, 1, 2, 4, 1: S1, S3 and S5 are 6, S4 and S5 5. All at once, S4 is 4. */
static void
test_critical_path (void)
{
  static const double took[] = { 3, 1, 2, 4, 1, 0 };
  guint path[6], n;
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, CASCADING, 1);
  g_assert_cmpfloat (weir_cosim_find_critical_path (run.cosim, took, path, &n), ==, 6);
  g_assert_cmpmem (path, n * sizeof *path, ((guint[]) { 0, 2, 4 }), 3 * sizeof (guint));
  weir_cosim_set_step_scheduling_type (run.cosim, FULL, NULL);
  g_assert_cmpfloat (weir_cosim_find_critical_path (run.cosim, took, path, &n), ==, 4);
  g_assert_cmpmem (path, n * sizeof *path, ((guint[]) { 3 }), sizeof (guint));
  run_end (&run);
}

/* Who stands where decides which wires of the round are delayed. */
static void
test_cuts (void)
{
  static const struct {
    guint list[6];
    int table[4][5];
  } cases[] = {
    { { 0, 1, 2, 3, 4, WEIR_COSIM_REST },
      { { 1, 1, 3, 1, 5 }, { 6, 6, 13, 1, 15 }, { 16, 16, 33, 1, 35 }, { 36, 36, 73, 1, 75 } } },
    { { 3, 4, 0, 1, 2, WEIR_COSIM_REST },
      { { 3, 3, 7, 1, 2 }, { 10, 10, 21, 1, 9 }, { 24, 24, 49, 1, 23 }, { 52, 52, 105, 1, 51 } } },
    { { WEIR_COSIM_REST, 2, 3, 4, 0, 1 },
      { { 4, 4, 1, 1, 3 }, { 12, 12, 9, 1, 11 }, { 28, 28, 25, 1, 27 }, { 60, 60, 57, 1, 59 } } },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      GError *error = NULL;
      Run run;

      run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, CASCADING, 3);
      weir_cosim_set_list (run.cosim, cases[c].list, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (weir_cosim_get_at (run.cosim, 1), ==, cases[c].list[1]);
      for (guint k = 1; k <= 4; k++)
        run_check (&run, k, cases[c].table[k - 1]);
      run_end (&run);
    }
}

static void
test_max (void)
{
  for (guint threads = 1; threads <= 4; threads++)
    {
      Run full, cascading;

      run_begin (&full, five_new (plain, calc_max, TRUE, NULL), 1, FULL, threads);
      run_begin (&cascading, five_new (plain, calc_max, TRUE, NULL), 1, CASCADING, threads);
      for (int k = 1; k <= 100; k++)
        {
          run_check (&full, (guint) k, (int[]) { k, k, k, 1, k });
          run_check (&cascading, (guint) k, (int[]) { 3 * k - 2, 3 * k - 2, 3 * k - 1, 1, 3 * k });
        }
      run_end (&full);
      run_end (&cascading);
    }
}

static void
test_without_feedback (void)
{
  static const int full[][5] = { { 1, 1, 1, 1, 1 }, { 1, 1, 3, 1, 3 }, { 1, 1, 3, 1, 5 } };
  Run a, b;

  run_begin (&a, five_new (plain, calc_sum, FALSE, NULL), 1, FULL, 2);
  run_begin (&b, five_new (plain, calc_sum, FALSE, NULL), 1, CASCADING, 2);
  for (guint k = 1; k <= 6; k++)
    {
      run_check (&a, k, full[MIN (k, 3) - 1]);
      run_check (&b, k, full[2]);
    }
  run_end (&a);
  run_end (&b);
}

/* Full parallel up to step 3, cascading from step 4: S5 goes on as 2 S5 + 5. */
static void
test_change (void)
{
  static const int mixed[][5] = { { 6, 6, 13, 1, 15 },
                                  { 16, 16, 33, 1, 35 },
                                  { 36, 36, 73, 1, 75 } };
  GError *error = NULL;
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, FULL, 2);
  for (guint k = 0; k <= 3; k++)
    run_check (&run, k, full_table[k]);
  weir_cosim_set_step_scheduling_type (run.cosim, CASCADING, &error);
  g_assert_no_error (error);
  g_assert_cmpint (weir_cosim_get_step_scheduling_type (run.cosim), ==, CASCADING);
  for (guint k = 4; k <= 6; k++)
    run_check (&run, k, mixed[k - 4]);
  g_assert_false (
      weir_cosim_set_step_scheduling_type (run.cosim, (WeirStepSchedulingType) 7, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "7"));
  g_clear_error (&error);
  g_assert_cmpint (weir_cosim_get_step_scheduling_type (run.cosim), ==, CASCADING);
  g_assert_false (
      weir_cosim_set_list (run.cosim, (guint[]) { 0, 1, 1, 3, 4, WEIR_COSIM_REST }, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "place 3"));
  g_clear_error (&error);
  run_end (&run);
}

/* A change amid a communication step holds from the next one. */
static void
test_change_amid (void)
{
  GError *error = NULL;
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, FULL, 2);
  run_to (&run, 2.5);
  weir_cosim_set_step_scheduling_type (run.cosim, CASCADING, &error);
  g_assert_no_error (error);
  run_check (&run, 3, full_table[3]);
  run_check (&run, 4, (int[]) { 6, 6, 13, 1, 15 });
  run_end (&run);
}

static guint
get_repetitions (guint usual)
{
  const char *wish = g_getenv ("WEIR_REPETITIONS");

  return wish != NULL ? (guint) g_ascii_strtoull (wish, NULL, 10) : usual;
}

/* However long steps take and whoever makes them. */
static void
test_repetitions (void)
{
  static const guint threads[] = { 1, 2, 8 };
  guint n = get_repetitions (20);
  CounterData data[5];

  for (guint i = 0; i < 5; i++)
    data[i] = (CounterData) { .delay = 300 };
  for (guint r = 0; r < n; r++)
    for (guint c = 0; c < 6; c++)
      {
        WeirStepSchedulingType type = c < 3 ? FULL : CASCADING;
        Run run;

        run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, type, threads[c % 3]);
        for (guint k = 1; k <= 4; k++)
          run_check (&run, k, type == FULL ? full_table[k] : cascading_table[k]);
        run_end (&run);
      }
}

/* Units that do not feed each other may change places: all orders in which S1 and S2 stand before
 * S3, and that and S4 before S5. */
static void
test_permuted (void)
{
  static const guint orders[][5] = { { 0, 1, 2, 3, 4 }, { 0, 1, 3, 2, 4 }, { 0, 3, 1, 2, 4 },
                                     { 3, 0, 1, 2, 4 }, { 1, 0, 2, 3, 4 }, { 1, 0, 3, 2, 4 },
                                     { 1, 3, 0, 2, 4 }, { 3, 1, 0, 2, 4 } };
  static const guint threads[] = { 1, 2, 8 };

  for (guint c = 0; c < 2 * 3 * G_N_ELEMENTS (orders); c++)
    {
      WeirStepSchedulingType type = c % 2 == 0 ? FULL : CASCADING;
      Run run;

      run_begin (&run, five_new (plain, calc_sum, TRUE, orders[c / 6]), 1, type,
                 threads[c / 2 % 3]);
      for (guint k = 0; k < 9; k++)
        run_check (&run, k, type == FULL ? full_table[k] : cascading_table[k]);
      run_end (&run);
    }
}

static void
count (gpointer data, double t)
{
  g_atomic_int_inc ((gint *) data);
}

/* Between the levels of a cascade nobody steps again: one step each, whoever reads it. */
static void
test_once (void)
{
  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    {
      gint n[5] = { 0 };
      CounterData data[5];
      Run run;

      for (guint i = 0; i < 5; i++)
        data[i] = (CounterData) { .in_step = count, .data = &n[i] };
      run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, type, 2);
      run_to (&run, 8);
      run_end (&run);
      for (guint i = 0; i < 5; i++)
        g_assert_cmpint (n[i], ==, 8);
    }
}

typedef struct {
  GMutex lock;
  GCond changed;
  guint n_begun;
} Gate;

/* Nobody goes on before the other one has come. */
static void
meet (gpointer data, double t)
{
  Gate *gate = data;
  gint64 until = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  weir_sync_lock (&gate->lock);
  gate->n_begun++;
  g_cond_broadcast (&gate->changed);
  while (gate->n_begun < 2)
    g_assert_true (weir_sync_wait_until (&gate->changed, &gate->lock, until));
  weir_sync_unlock (&gate->lock);
}

/* Neither S3 nor S4 ends before both have begun: with a barrier between them, or on one thread,
 * nothing would go on. */
static void
test_no_barrier (void)
{
  static Gate gate;
  CounterData data[5] = {
    [2] = { .in_step = meet, .data = &gate }, [3] = { .in_step = meet, .data = &gate }
  };
  WeirCosimStep steps[5];
  Run run;

  run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, CASCADING, 2);
  run_check (&run, 1, cascading_table[1]);
  for (guint i = 0; i < 5; i++)
    g_assert_true (weir_cosim_get_step (run.cosim, i, &steps[i]));
  g_assert_cmpint (steps[2].begin, <=, steps[3].end);
  g_assert_cmpint (steps[3].begin, <=, steps[2].end);
  g_assert_cmpint (steps[0].end, <=, steps[2].begin);
  g_assert_cmpint (steps[1].end, <=, steps[2].begin);
  g_assert_cmpint (steps[2].end, <=, steps[4].begin);
  g_assert_cmpint (steps[3].end, <=, steps[4].begin);
  g_assert_cmpuint (steps[2].thread, !=, steps[3].thread);
  run_end (&run);
}

/* What has happened in a step: S1 ends after S4 has begun, and S4 after S3 has. */
typedef struct {
  Gate *gate;
  guint own, awaited; /* bits of n_begun */
} Meeting;

static void
tell_and_wait (gpointer data, double t)
{
  Meeting *meeting = data;
  Gate *gate = meeting->gate;
  gint64 until = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  weir_sync_lock (&gate->lock);
  gate->n_begun |= meeting->own;
  g_cond_broadcast (&gate->changed);
  while ((gate->n_begun & meeting->awaited) != meeting->awaited)
    g_assert_true (weir_sync_wait_until (&gate->changed, &gate->lock, until));
  weir_sync_unlock (&gate->lock);
}

/* S3 starts while S4 runs: the trace of a step in which S4 begins before S3 can and ends only once
 * S3 has begun. */
static void
test_trace (void)
{
  static Gate gate;
  Meeting meetings[] = { { &gate, 1, 4 }, { &gate, 2, 0 }, { &gate, 4, 2 } };
  CounterData data[5] = { [0] = { .in_step = tell_and_wait, .data = &meetings[0] },
                          [2] = { .in_step = tell_and_wait, .data = &meetings[1] },
                          [3] = { .in_step = tell_and_wait, .data = &meetings[2] } };
  g_autoptr (WeirChangeLog) log = NULL;
  const WeirLogStep *steps, *of[5] = { NULL };
  gsize n;
  Run run;

  run_begin (&run, five_new (data, calc_sum, TRUE, NULL), 1, CASCADING, 2);
  weir_context_start_log (run.context, WEIR_LOG_MODE_EVENTS, 0);
  run_check (&run, 1, cascading_table[1]);
  log = weir_context_stop_log (run.context);
  steps = weir_change_log_get_steps (log, &n);
  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < 5; i++)
    for (guint k = 0; k < 5; k++)
      if (weir_cosim_get_node (run.cosim, k).i == steps[i].node)
        of[k] = &steps[i];
  g_assert_cmpint (of[3]->begin_at, <=, of[2]->begin_at);
  g_assert_cmpint (of[2]->begin_at, <=, of[3]->done_at);
  g_assert_cmpint (of[0]->done_at, <=, of[2]->begin_at);
  g_assert_cmpint (MAX (of[2]->done_at, of[3]->done_at), <=, of[4]->begin_at);
  g_assert_cmpuint (of[2]->thread, !=, of[3]->thread);
  run_end (&run);
}

/* The change log tells of every step: between which records, when, by whom. */
static void
test_logged (void)
{
  g_autoptr (WeirChangeLog) log = NULL;
  const WeirLogStep *steps;
  gint64 done[5][4] = { { 0 } };
  guint n_of[5] = { 0 };
  gsize n, n_records;
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, CASCADING, 2);
  run_to (&run, 0);
  weir_context_start_log (run.context, WEIR_LOG_MODE_EVENTS, 0);
  run_to (&run, 4);
  log = weir_context_stop_log (run.context);
  weir_change_log_get_records (log, &n_records);
  steps = weir_change_log_get_steps (log, &n);
  g_assert_cmpuint (n, ==, 20);
  for (gsize i = 0; i < n; i++)
    {
      guint unit;

      for (unit = 0; weir_cosim_get_node (run.cosim, unit).i != steps[i].node;)
        g_assert_cmpuint (++unit, <, 5);
      g_assert_cmpfloat (steps[i].t, ==, n_of[unit]);
      g_assert_cmpfloat (steps[i].t_end, ==, n_of[unit] + 1);
      g_assert_cmpuint (steps[i].first, <=, steps[i].end);
      g_assert_cmpuint (steps[i].end, <=, n_records);
      g_assert_cmpint (steps[i].first_at, <=, steps[i].begin_at);
      g_assert_cmpint (steps[i].begin_at, <=, steps[i].done_at);
      g_assert_cmpint (steps[i].done_at, <=, steps[i].end_at);
      if (unit == 2)
        g_assert_cmpint (steps[i].begin_at, >=, MAX (done[0][n_of[unit]], done[1][n_of[unit]]));
      if (unit == 4)
        g_assert_cmpint (steps[i].begin_at, >=, MAX (done[2][n_of[unit]], done[3][n_of[unit]]));
      done[unit][n_of[unit]++] = steps[i].done_at;
    }
  run_end (&run);
}

static void
test_relations (void)
{
  Run run;

  run_begin (&run, five_new (plain, calc_sum, TRUE, NULL), 1, FULL, 1);
  for (guint a = 0; a < 5; a++)
    for (guint b = 0; b < 5; b++)
      {
        gboolean feeds = (a < 2 && b == 2) || ((a == 2 || a == 3) && b == 4) || (a == 4 && b < 2);

        g_assert_cmpint (weir_cosim_feeds (run.cosim, a, b), ==, feeds);
        g_assert_cmpint (weir_cosim_precedes (run.cosim, a, b), ==, feeds && a < b);
      }
  run_end (&run);
}

static WeirSystem *
chain_new (guint n, guint slow)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("S%u", i + 1);
      g_autofree char *before = g_strdup_printf ("S%u", i);
      g_autoptr (WeirSystem) unit = counter_new_of (&counter_class, plain, i == slow ? 2 : 1, 0);

      weir_diagram_builder_add (b, name, unit);
      if (i > 0)
        weir_diagram_builder_connect_by_name (b, before, "y", name, "u");
    }
  return weir_diagram_builder_build (b, NULL);
}

static WeirUnitInputUse
be_delayed (gpointer data, guint in)
{
  return (WeirUnitInputUse) { .is_delayed = TRUE };
}

/* S1 counts itself up; S2 reads it a step late though it stands behind it, S3 in time. */
static void
test_delayed (void)
{
  WeirUnitClass class = counter_class;
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  Run run;

  class.describe_input = be_delayed;
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("S%u", i + 1);
      g_autoptr (WeirSystem) unit = counter_new_of (i == 1 ? &class : &counter_class, plain, 1, 0);

      weir_diagram_builder_add (b, name, unit);
      weir_diagram_builder_connect_by_name (b, "S1", "y", name, "u");
    }
  run_begin (&run, weir_diagram_builder_build (b, NULL), 1, CASCADING, 2);
  g_assert_true (weir_cosim_feeds (run.cosim, 0, 1) && !weir_cosim_precedes (run.cosim, 0, 1));
  for (guint k = 1; k <= 8; k++)
    {
      run_to (&run, k);
      g_assert_cmpfloat (run_get (&run, "S2"), ==, k);
      g_assert_cmpfloat (run_get (&run, "S3"), ==, k + 1);
    }
  run_end (&run);
}

static void
test_chain (void)
{
  Run full, cascading;

  run_begin (&full, chain_new (8, 8), 1, FULL, 2);
  run_begin (&cascading, chain_new (8, 8), 1, CASCADING, 2);
  run_to (&cascading, 1);
  g_assert_cmpfloat (run_get (&cascading, "S8"), ==, 8);
  for (guint k = 1; k <= 8; k++)
    {
      run_to (&full, k);
      g_assert_cmpfloat (run_get (&full, "S8"), ==, k);
    }
  run_end (&full);
  run_end (&cascading);
}

/* S2 of three steps every second time; S1 counts itself up through a wire to itself, which is
 * delayed under either schedule: S1 = k.
 * Full: S2 begins at 0, 2, 4 with S1 = 0, 2, 4 and shows S1 + 1 two instants later; S3 shows S2 + 1
 * one later. Cascading: S2 begins with S1 = 1, 3, 5 and gives 2, 4, 6 at 2, 4, 6; S3 has what S2
 * arrives at as soon as S2 begins, throughout S2's step. */
static void
test_rates (void)
{
  static const double full[][3] = { { 0, 0, 0 }, { 1, 0, 1 }, { 2, 1, 1 }, { 3, 1, 2 },
                                    { 4, 3, 2 }, { 5, 3, 4 }, { 6, 5, 4 }, { 7, 5, 6 } };
  static const double cascading[][3] = { { 0, 0, 0 }, { 1, 0, 3 }, { 2, 2, 3 }, { 3, 2, 5 },
                                         { 4, 4, 5 }, { 5, 4, 7 }, { 6, 6, 7 }, { 7, 6, 9 } };

  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    for (guint threads = 1; threads <= 3; threads++)
      {
        WeirDiagramBuilder *b = weir_diagram_builder_new ();
        Run run;

        for (guint i = 0; i < 3; i++)
          {
            g_autofree char *name = g_strdup_printf ("S%u", i + 1);
            g_autofree char *from = g_strdup_printf ("S%u", MAX (i, 1));
            g_autoptr (WeirSystem) unit = counter_new_of (&counter_class, plain, i == 1 ? 2 : 1, 0);

            weir_diagram_builder_add (b, name, unit);
            weir_diagram_builder_connect_by_name (b, from, "y", name, "u");
          }
        run_begin (&run, weir_diagram_builder_build (b, NULL), 1, type, threads);
        for (guint k = 0; k < G_N_ELEMENTS (full); k++)
          {
            const double *expected = type == FULL ? full[k] : cascading[k];

            run_to (&run, k);
            g_assert_cmpfloat (run_get (&run, "S1"), ==, expected[0]);
            g_assert_cmpfloat (run_get (&run, "S2"), ==, expected[1]);
            g_assert_cmpfloat (run_get (&run, "S3"), ==, expected[2]);
          }
        run_end (&run);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cosim/schedules/full", test_full);
  g_test_add_func ("/cosim/schedules/cascading", test_cascading);
  g_test_add_func ("/cosim/schedules/critical-path", test_critical_path);
  g_test_add_func ("/cosim/schedules/cuts", test_cuts);
  g_test_add_func ("/cosim/schedules/max", test_max);
  g_test_add_func ("/cosim/schedules/without-feedback", test_without_feedback);
  g_test_add_func ("/cosim/schedules/change", test_change);
  g_test_add_func ("/cosim/schedules/change-amid-a-step", test_change_amid);
  g_test_add_func ("/cosim/schedules/repetitions", test_repetitions);
  g_test_add_func ("/cosim/schedules/permuted", test_permuted);
  g_test_add_func ("/cosim/schedules/once", test_once);
  g_test_add_func ("/cosim/schedules/no-barrier", test_no_barrier);
  g_test_add_func ("/cosim/schedules/trace", test_trace);
  g_test_add_func ("/cosim/schedules/logged", test_logged);
  g_test_add_func ("/cosim/schedules/relations", test_relations);
  g_test_add_func ("/cosim/schedules/delayed", test_delayed);
  g_test_add_func ("/cosim/schedules/chain", test_chain);
  g_test_add_func ("/cosim/schedules/rates", test_rates);
  return g_test_run ();
}
