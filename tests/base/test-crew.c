/* Work cut into pieces: each is run once, phase after phase, by however many threads; inline within
 * a task; and which way is the faster one is tried out.
 */
#include "base/crew.h"
#include "base/tasks.h"

#define N_PHASES 5
#define MOST 40

typedef struct {
  guint n_pieces[N_PHASES];
  gint runs[N_PHASES][MOST]; /* atomic */
  gint n_left[N_PHASES];     /* atomic: pieces that have not ended */
  gint n_early;              /* atomic: pieces that began before the phase before had ended */
  gint n_elsewhere;          /* atomic: pieces that another thread ran */
  GThread *owner;
} Work;

static void
run_piece (gpointer data, guint phase, guint piece)
{
  Work *work = data;

  for (guint p = 0; p < phase; p++)
    if (g_atomic_int_get (&work->n_left[p]) != 0)
      g_atomic_int_inc (&work->n_early);
  if (g_thread_self () != work->owner)
    g_atomic_int_inc (&work->n_elsewhere);
  g_atomic_int_inc (&work->runs[phase][piece]);
  g_atomic_int_add (&work->n_left[phase], -1);
}

static void
run_and_check (WeirCrew *crew, Work *work)
{
  for (guint p = 0; p < N_PHASES; p++)
    {
      work->n_left[p] = (gint) work->n_pieces[p];
      for (guint i = 0; i < MOST; i++)
        work->runs[p][i] = 0;
    }
  weir_crew_run (crew, run_piece, work, N_PHASES, work->n_pieces);
  g_assert_cmpint (work->n_early, ==, 0);
  for (guint p = 0; p < N_PHASES; p++)
    for (guint i = 0; i < MOST; i++)
      g_assert_cmpint (work->runs[p][i], ==, i < work->n_pieces[p]);
}

static void
test_pieces (void)
{
  for (guint n_threads = 1; n_threads <= 8; n_threads *= 2)
    {
      g_autoptr (WeirCrew) crew = weir_crew_new (n_threads);
      Work work = { .n_pieces = { 7, 1, MOST, 2, 16 }, .owner = g_thread_self () };

      for (guint round = 0; round < 300; round++)
        run_and_check (crew, &work);
      if (n_threads == 1)
        g_assert_cmpint (work.n_elsewhere, ==, 0);
    }
}

/* Helpers come, however late: the owner goes on giving them something to do until they do. */
static void
test_helpers (void)
{
  g_autoptr (WeirCrew) crew = weir_crew_new (2);
  Work work = { .n_pieces = { 4, 4, 4, 4, 4 }, .owner = g_thread_self () };

  while (work.n_elsewhere == 0)
    run_and_check (crew, &work);
}

static void
run_within (gpointer data)
{
  Work *work = data;
  g_autoptr (WeirCrew) crew = weir_crew_new (4);

  work->owner = g_thread_self ();
  for (guint round = 0; round < 20; round++)
    run_and_check (crew, work);
  g_assert_cmpint (work->n_elsewhere, ==, 0);
}

static void
test_within_task (void)
{
  g_autoptr (WeirTasks) tasks = weir_tasks_new (2, 2);
  Work work[2] = { { .n_pieces = { 3, 3, 3, 3, 3 } }, { .n_pieces = { 3, 3, 3, 3, 3 } } };

  for (guint i = 0; i < 2; i++)
    {
      weir_tasks_set (tasks, i, WEIR_TASK_ANYWHERE, run_within, &work[i]);
      weir_tasks_start (tasks, i, NULL, 0);
    }
  for (guint i = 0; i < 2; i++)
    weir_tasks_wait (tasks, i, -1);
}

/* Both ways are tried, and then one of them is kept to. */
static void
test_trying (void)
{
  g_autoptr (WeirCrew) crew = weir_crew_new (2);
  guint n[2] = { 0 };

  for (guint i = 0; i < 600; i++)
    {
      gboolean has_helpers = weir_crew_begin (crew);
      Work work = { .n_pieces = { 2, 2, 2, 2, 2 }, .owner = g_thread_self () };

      n[has_helpers]++;
      if (has_helpers)
        run_and_check (crew, &work);
      weir_crew_end (crew);
    }
  g_assert_cmpuint (n[FALSE], >=, 8);
  g_assert_cmpuint (n[TRUE], >=, 1);
  g_assert_cmpuint (MAX (n[FALSE], n[TRUE]), >=, 580);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/crew/pieces", test_pieces);
  g_test_add_func ("/base/crew/helpers", test_helpers);
  g_test_add_func ("/base/crew/within-task", test_within_task);
  g_test_add_func ("/base/crew/trying", test_trying);
  return g_test_run ();
}
