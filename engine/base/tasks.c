/* Tasks that wait for each other. See tasks.h.
 *
 * One lock guards the pool and all sets: what it protects takes well below a microsecond, and tasks
 * take more. A set with something ready stands in the pool's list; a worker takes the first ready
 * task, in the order in which they became so, of the first set that may run one more.
 *
 * Waking a thread takes about as long as a small task: a worker with nothing to do, and an owner
 * who waits, look out for a while before they sleep.
 *
 * A set is freed by whoever lets go last: its owner, or the last worker that runs one of its tasks.
 */
#include "base/tasks.h"

#include "base/core.h"
#include "base/sync.h"

#define MAX_WORKERS 256

#define LOOK_OUT 50 /* us awake before sleeping: about what waking a thread takes */
#define LOOKS 50    /* between two looks at the clock */

typedef enum {
  TASK_IDLE, /* never started, or ended */
  TASK_WAITING,
  TASK_READY,
  TASK_RUNNING,
} TaskState;

typedef struct {
  WeirTaskFunc func;
  gpointer data;
  WeirTaskPlace place;
  TaskState state;
  guint n_before;  /* tasks that hold it up */
  GArray *waiting; /* guint: those that it holds up */
} Task;

struct _WeirTasks {
  guint n, n_threads;
  Task *tasks;
  GQueue ready; /* task + 1, in the order in which they became so; links are kept with the tasks */
  GList *links; /* one for each task */
  guint n_worked; /* tasks that workers run */
  gboolean is_inline, is_free, is_listed, is_waiting;
  guint n_changes; /* atomic to be read without the lock: what the owner may wait for */
  GList link;      /* in the pool's list */
  GCond changed;
};

static struct {
  GMutex lock;
  GCond wake;
  GQueue sets; /* WeirTasks with something ready, maybe only for their owners */
  guint n_workers;
  guint n_idle;   /* workers with nothing to do */
  guint n_called; /* of them, those that are to look for it again; atomic to be read without the
                     lock */
  int core;       /* of who called last */
} pool;

static _Thread_local guint this_thread; /* of the pool, from 1 */
static _Thread_local guint depth;       /* tasks that this thread is in */

static gpointer work (gpointer data);

/* Who finds the lock taken looks out for it too: it is given back before a thread is asleep. */
static void
lock_pool (void)
{
  for (guint i = 0; i < LOOKS; i++)
    {
      if (g_mutex_trylock (&pool.lock))
        {
          weir_sync_acquire (&pool.lock);
          return;
        }
      weir_sync_pause ();
    }
  weir_sync_lock (&pool.lock);
}

guint
weir_tasks_get_n_processors (void)
{
  static guint n; /* the same for all who ask first */

  if (__atomic_load_n (&n, __ATOMIC_RELAXED) == 0)
    __atomic_store_n (&n, g_get_num_processors (), __ATOMIC_RELAXED);
  return __atomic_load_n (&n, __ATOMIC_RELAXED);
}

guint
weir_tasks_get_thread (void)
{
  return this_thread;
}

gboolean
weir_tasks_is_within (void)
{
  return depth > 0;
}

WeirTasks *
weir_tasks_new (guint n, guint n_threads)
{
  WeirTasks *self = g_new0 (WeirTasks, 1);

  self->n = n;
  self->is_inline = depth > 0;
  self->n_threads = self->is_inline ? 1
                    : n_threads > 0 ? MIN (n_threads, MAX_WORKERS)
                                    : weir_tasks_get_n_processors ();
  self->tasks = g_new0 (Task, n);
  self->links = g_new0 (GList, n);
  self->link.data = self;
  for (guint i = 0; i < n; i++)
    {
      self->tasks[i].waiting = g_array_new (FALSE, FALSE, sizeof (guint));
      self->links[i].data = GUINT_TO_POINTER (i);
    }
  g_cond_init (&self->changed);
  return self;
}

static void
free_set (WeirTasks *self)
{
  for (guint i = 0; i < self->n; i++)
    g_array_unref (self->tasks[i].waiting);
  g_cond_clear (&self->changed);
  g_free (self->tasks);
  g_free (self->links);
  g_free (self);
}

/* The set stands in the pool's list while something of it is ready. */
static void
list_set (WeirTasks *self)
{
  gboolean is_listed = !g_queue_is_empty (&self->ready);

  if (is_listed == self->is_listed)
    return;
  self->is_listed = is_listed;
  if (is_listed)
    g_queue_push_tail_link (&pool.sets, &self->link);
  else
    g_queue_unlink (&pool.sets, &self->link);
}

void
weir_tasks_free (WeirTasks *self)
{
  gboolean is_last;

  if (self == NULL)
    return;
  lock_pool ();
  while (g_queue_pop_head_link (&self->ready) != NULL)
    ;
  list_set (self);
  self->is_free = TRUE;
  is_last = self->n_worked == 0;
  weir_sync_unlock (&pool.lock);
  if (is_last)
    free_set (self);
}

void
weir_tasks_set (WeirTasks *self, guint i, WeirTaskPlace place, WeirTaskFunc func, gpointer data)
{
  Task *task = &self->tasks[i];

  g_assert (task->state == TASK_IDLE);
  task->func = func;
  task->data = data;
  task->place = self->is_inline ? WEIR_TASK_ANYWHERE : place;
}

/* --- Under the lock -------------------------------------------------------------------------- */

/* A worker in a set of one thread stands in for its owner, who only waits meanwhile. */
static gboolean
can_work (const WeirTasks *self, const Task *task)
{
  switch (task->place)
    {
    case WEIR_TASK_BY_WORKER:
      return self->n_worked < self->n_threads;
    case WEIR_TASK_ANYWHERE:
      return self->n_worked + 1 < self->n_threads;
    case WEIR_TASK_BY_OWNER:
    default:
      return FALSE;
    }
}

static void
tell_owner (WeirTasks *self)
{
  __atomic_add_fetch (&self->n_changes, 1, __ATOMIC_RELEASE);
  if (self->is_waiting)
    g_cond_signal (&self->changed);
}

/* Wakes who may run a task that is ready. */
static void
wake_someone (WeirTasks *self, const Task *task)
{
  if (can_work (self, task))
    {
      if (pool.n_called < pool.n_idle)
        {
          pool.core = sched_getcpu ();
          __atomic_add_fetch (&pool.n_called, 1, __ATOMIC_RELEASE);
          g_cond_signal (&pool.wake);
        }
      else if (pool.n_workers < MAX_WORKERS)
        {
          pool.n_workers++;
          g_thread_unref (g_thread_new ("weir-pool", work, GUINT_TO_POINTER (pool.n_workers)));
        }
    }
  tell_owner (self);
}

static void
make_ready (WeirTasks *self, guint i)
{
  self->tasks[i].state = TASK_READY;
  g_queue_push_tail_link (&self->ready, &self->links[i]);
  list_set (self);
  wake_someone (self, &self->tasks[i]);
}

/* The first ready task that a worker, or the owner, may run; NULL: none. */
static Task *
take (WeirTasks *self, gboolean is_worker)
{
  for (GList *l = self->ready.head; l != NULL; l = l->next)
    {
      Task *task = &self->tasks[GPOINTER_TO_UINT (l->data)];

      if (is_worker ? !can_work (self, task) : task->place == WEIR_TASK_BY_WORKER)
        continue;
      g_queue_unlink (&self->ready, l);
      list_set (self);
      task->state = TASK_RUNNING;
      return task;
    }
  return NULL;
}

/* Runs it; the lock is given up meanwhile. */
static void
run (WeirTasks *self, Task *task)
{
  weir_sync_unlock (&pool.lock);
  depth++;
  task->func (task->data);
  depth--;
  lock_pool ();
  task->state = TASK_IDLE;
  for (guint k = 0; k < task->waiting->len && !self->is_free; k++)
    {
      guint i = g_array_index (task->waiting, guint, k);

      if (--self->tasks[i].n_before == 0)
        make_ready (self, i);
    }
  g_array_set_size (task->waiting, 0);
  tell_owner (self);
}

/* Waits awake, without the lock, until @word is no more @old. FALSE: that has taken too long. */
static gboolean
look_out (const guint *word, guint old)
{
  gboolean has_changed = FALSE;
  gint64 until;

  if (weir_tasks_get_n_processors () == 1)
    return FALSE;
  weir_sync_unlock (&pool.lock);
  until = g_get_monotonic_time () + LOOK_OUT;
  do
    for (guint i = 0; i < LOOKS && !has_changed; i++)
      {
        weir_sync_pause ();
        has_changed = __atomic_load_n (word, __ATOMIC_ACQUIRE) != old;
      }
  while (!has_changed && g_get_monotonic_time () < until);
  lock_pool ();
  return __atomic_load_n (word, __ATOMIC_RELAXED) != old;
}

/* Until there may be something to do. */
static void
idle (void)
{
  pool.n_idle++;
  if (!look_out (&pool.n_called, 0) && pool.n_called == 0)
    {
      int core;

      weir_sync_wait (&pool.wake, &pool.lock);
      core = pool.core;
      weir_sync_unlock (&pool.lock);
      weir_core_leave (core);
      lock_pool ();
    }
  pool.n_idle--;
  if (pool.n_called > 0)
    __atomic_sub_fetch (&pool.n_called, 1, __ATOMIC_RELAXED);
}

static gpointer
work (gpointer data)
{
  this_thread = GPOINTER_TO_UINT (data);
  lock_pool ();
  for (;;)
    {
      WeirTasks *set = NULL;
      Task *task = NULL;

      for (GList *l = pool.sets.head; l != NULL && task == NULL; l = l->next)
        {
          set = l->data;
          task = take (set, TRUE);
        }
      if (task == NULL)
        {
          idle ();
          continue;
        }
      set->n_worked++;
      run (set, task);
      set->n_worked--;
      if (set->is_free && set->n_worked == 0)
        free_set (set);
    }
  return NULL;
}

/* --- The owner ------------------------------------------------------------------------------- */

void
weir_tasks_start (WeirTasks *self, guint i, const guint *after, guint n)
{
  Task *task = &self->tasks[i];

  lock_pool ();
  g_assert (task->state == TASK_IDLE && task->func != NULL);
  task->n_before = 0;
  for (guint k = 0; k < n; k++)
    if (self->tasks[after[k]].state != TASK_IDLE)
      {
        g_array_append_val (self->tasks[after[k]].waiting, i);
        task->n_before++;
      }
  if (task->n_before == 0)
    make_ready (self, i);
  else
    task->state = TASK_WAITING;
  weir_sync_unlock (&pool.lock);
}

gboolean
weir_tasks_is_running (WeirTasks *self, guint i)
{
  gboolean is_running;

  lock_pool ();
  is_running = self->tasks[i].state != TASK_IDLE;
  weir_sync_unlock (&pool.lock);
  return is_running;
}

gboolean
weir_tasks_wait (WeirTasks *self, guint i, gint64 until)
{
  gboolean in_time = TRUE, is_done;

  lock_pool ();
  while (self->tasks[i].state != TASK_IDLE && in_time)
    {
      Task *task = take (self, FALSE);

      if (task != NULL)
        {
          run (self, task);
          continue;
        }
      if (look_out (&self->n_changes, self->n_changes))
        continue;
      self->is_waiting = TRUE;
      if (until < 0)
        weir_sync_wait (&self->changed, &pool.lock);
      else
        in_time = weir_sync_wait_until (&self->changed, &pool.lock, until);
      self->is_waiting = FALSE;
    }
  is_done = self->tasks[i].state == TASK_IDLE;
  weir_sync_unlock (&pool.lock);
  return is_done;
}
