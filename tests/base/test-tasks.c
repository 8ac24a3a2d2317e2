/* Tasks that wait for each other: order, inline requests, places, and who owns what. */
#include "../seeds.h"
#include "base/tasks.h"

#include "base/core.h"

#define N 64

typedef struct {
  gint *clock; /* atomic: counts begins and ends */
  gint begin, end;
  guint thread;
  gulong delay; /* us */
} Note;

static void
note (gpointer data)
{
  Note *self = data;

  self->begin = g_atomic_int_add (self->clock, 1);
  self->thread = weir_tasks_get_thread ();
  g_usleep (self->delay);
  self->end = g_atomic_int_add (self->clock, 1);
}

/* A random graph: each task begins after those it was started after have ended. */
static void
test_order (void)
{
  guint32 seed = get_test_seed (0);

  for (guint round = 0; round < 40; round++)
    {
      guint n_threads = (guint[]) { 1, 2, 8 }[round % 3];
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + round);
      g_autoptr (WeirTasks) tasks = weir_tasks_new (N, n_threads);
      guint after[N][3], n_after[N];
      Note notes[N];
      gint clock = 0;

      for (guint i = 0; i < N; i++)
        {
          notes[i] = (Note) { .clock = &clock, .delay = (gulong) g_rand_int_range (rand, 0, 60) };
          n_after[i] = i == 0 ? 0 : (guint) g_rand_int_range (rand, 0, 4);
          for (guint k = 0; k < n_after[i]; k++)
            after[i][k] = (guint) g_rand_int_range (rand, 0, (gint32) i);
          weir_tasks_set (tasks, i, WEIR_TASK_ANYWHERE, note, &notes[i]);
        }
      for (guint i = 0; i < N; i++)
        weir_tasks_start (tasks, i, after[i], n_after[i]);
      for (guint i = N; i-- > 0;)
        g_assert_true (weir_tasks_wait (tasks, i, -1));
      g_assert_cmpint (clock, ==, 2 * N);
      for (guint i = 0; i < N; i++)
        {
          for (guint k = 0; k < n_after[i]; k++)
            g_assert_cmpint (notes[after[i][k]].end, <, notes[i].begin);
          if (n_threads == 1)
            g_assert_cmpuint (notes[i].thread, ==, 0);
        }
    }
}

static void
nest (gpointer data)
{
  g_autoptr (WeirTasks) tasks = weir_tasks_new (2, 8);
  gint clock = 0;
  Note notes[2] = { { .clock = &clock, .delay = 100 }, { .clock = &clock, .delay = 100 } };
  guint first = 0;
  gboolean *is_inline = data;

  weir_tasks_set (tasks, 0, WEIR_TASK_BY_WORKER, note, &notes[0]);
  weir_tasks_set (tasks, 1, WEIR_TASK_ANYWHERE, note, &notes[1]);
  weir_tasks_start (tasks, 0, NULL, 0);
  weir_tasks_start (tasks, 1, &first, 1);
  weir_tasks_wait (tasks, 1, -1);
  *is_inline = notes[0].thread == weir_tasks_get_thread ()
               && notes[1].thread == weir_tasks_get_thread () && notes[0].end < notes[1].begin;
}

/* However many ask at once, within a task all is done on its own thread. */
static void
test_nested (void)
{
  g_autoptr (WeirTasks) tasks = weir_tasks_new (16, 4);
  gboolean is_inline[16] = { FALSE };

  for (guint i = 0; i < 16; i++)
    {
      weir_tasks_set (tasks, i, i % 2 ? WEIR_TASK_BY_WORKER : WEIR_TASK_ANYWHERE, nest,
                      &is_inline[i]);
      weir_tasks_start (tasks, i, NULL, 0);
    }
  for (guint i = 0; i < 16; i++)
    {
      weir_tasks_wait (tasks, i, -1);
      g_assert_true (is_inline[i]);
    }
}

static void
test_places (void)
{
  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      g_autoptr (WeirTasks) tasks = weir_tasks_new (2, n_threads);
      gint clock = 0;
      Note notes[2] = { { .clock = &clock, .delay = 1000 }, { .clock = &clock, .delay = 1000 } };

      weir_tasks_set (tasks, 0, WEIR_TASK_BY_WORKER, note, &notes[0]);
      weir_tasks_set (tasks, 1, WEIR_TASK_BY_OWNER, note, &notes[1]);
      for (guint k = 0; k < 5; k++)
        {
          weir_tasks_start (tasks, 0, NULL, 0);
          weir_tasks_start (tasks, 1, NULL, 0);
          weir_tasks_wait (tasks, 0, -1);
          weir_tasks_wait (tasks, 1, -1);
          g_assert_cmpuint (notes[0].thread, >, 0);
          g_assert_cmpuint (notes[1].thread, ==, 0);
        }
    }
}

/* Returns when @n others are here too. */
typedef struct {
  gint *here; /* atomic */
  gint n;
} Meeting;

static void
meet (gpointer data)
{
  Meeting *self = data;

  g_atomic_int_inc (self->here);
  while (g_atomic_int_get (self->here) < self->n)
    g_usleep (10);
}

/* As many as may run at a time do, however few workers are idle when they are asked for. */
static void
test_together (void)
{
  for (guint n = 1; n <= 12; n++)
    {
      g_autoptr (WeirTasks) tasks = weir_tasks_new (n, n);
      gint here = 0;
      Meeting meeting = { .here = &here, .n = (gint) n };

      for (guint i = 0; i < n; i++)
        {
          weir_tasks_set (tasks, i, WEIR_TASK_BY_WORKER, meet, &meeting);
          weir_tasks_start (tasks, i, NULL, 0);
        }
      for (guint i = 0; i < n; i++)
        weir_tasks_wait (tasks, i, -1);
      g_assert_cmpint (here, ==, (gint) n);
    }
}

/* A thread leaves the core that it is on, and may use it as before. */
static void
test_core (void)
{
  cpu_set_t before, after;
  int core = sched_getcpu ();

  g_assert_cmpint (sched_getaffinity (0, sizeof before, &before), ==, 0);
  g_assert_false (weir_core_leave (-1));
  if (weir_core_leave (core))
    g_assert_cmpint (CPU_COUNT (&before), >, 1);
  g_assert_cmpint (sched_getaffinity (0, sizeof after, &after), ==, 0);
  g_assert_true (CPU_EQUAL (&before, &after));
  /* Its only core is no place to leave. */
  CPU_ZERO (&after);
  CPU_SET (sched_getcpu (), &after);
  if (sched_setaffinity (0, sizeof after, &after) == 0)
    g_assert_false (weir_core_leave (sched_getcpu ()));
  g_assert_cmpint (sched_setaffinity (0, sizeof before, &before), ==, 0);
}

/* Time passes while a task does not end; the set goes without waiting for it. */
static void
test_leaving (void)
{
  WeirTasks *tasks = weir_tasks_new (1, 1);
  static gint clock;
  static Note slow = { .clock = &clock, .delay = 100000 };

  weir_tasks_set (tasks, 0, WEIR_TASK_BY_WORKER, note, &slow);
  weir_tasks_start (tasks, 0, NULL, 0);
  g_assert_false (weir_tasks_wait (tasks, 0, g_get_monotonic_time () + 1000));
  g_assert_true (weir_tasks_is_running (tasks, 0));
  weir_tasks_free (tasks);
  while (g_atomic_int_get (&clock) < 2)
    g_usleep (1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/tasks/order", test_order);
  g_test_add_func ("/base/tasks/nested-run-inline", test_nested);
  g_test_add_func ("/base/tasks/places", test_places);
  g_test_add_func ("/base/tasks/together", test_together);
  g_test_add_func ("/base/tasks/core", test_core);
  g_test_add_func ("/base/tasks/leaving", test_leaving);
  return g_test_run ();
}
