/* Tasks that wait for each other, on the program's one pool of threads.
 *
 * A set of tasks has an owner. A task that is started runs once those it comes after have ended,
 * and no later for any other: there are no barriers. What a task wrote is seen by those that come
 * after it and by who has waited for it. Whatever is asked for, the tasks and their order are the
 * same; only who runs beside whom differs, so that results do not depend on the number of threads
 * as long as each task reads only what those it comes after have written.
 *
 * The threads belong to the program: all sets share them, and they are made when they are first
 * needed. A set that is made within a task runs there, inline.
 *
 * Thread: a set belongs to its *owner*, who runs tasks too while he waits.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirTasks WeirTasks;
typedef void (*WeirTaskFunc) (gpointer data);

typedef enum {
  WEIR_TASK_ANYWHERE,
  WEIR_TASK_BY_OWNER,  /* only while the owner waits: it is bound to his thread */
  WEIR_TASK_BY_WORKER, /* never on the owner's thread, as it may not come back */
} WeirTaskPlace;

/* @n tasks of which at most @n_threads run at a time, the owner's included; 0 = as many as the
 * machine has processors. They are numbered from 0; each can be started again once it has ended. */
WeirTasks *weir_tasks_new (guint n, guint n_threads);
/* Nobody waits for those that still run: they go on, and what they use must stay. The others that
 * have not begun are dropped. */
void weir_tasks_free (WeirTasks *self);

/* How many threads the machine has processors for. Thread: *any*. */
guint weir_tasks_get_n_processors (void);

/* What task @i does. Not while it runs. */
void weir_tasks_set (WeirTasks *self, guint i, WeirTaskPlace place, WeirTaskFunc func,
                     gpointer data);
/* Starts task @i, which does not run, after @n others that were started before. Those that have
 * ended, or were never started, hold up nobody. */
void weir_tasks_start (WeirTasks *self, guint i, const guint *after, guint n);
/* Has it been started and not ended yet? */
gboolean weir_tasks_is_running (WeirTasks *self, guint i);
/* Waits until task @i has ended. @until: monotonic time in us, or -1. FALSE: that has passed. */
gboolean weir_tasks_wait (WeirTasks *self, guint i, gint64 until);

/* Which thread runs this: 0 one of no pool, else the pool's, from 1. Thread: *any*. */
guint weir_tasks_get_thread (void);
/* Is this within a task, so that what is asked for runs inline? Thread: *any*. */
gboolean weir_tasks_is_within (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTasks, weir_tasks_free)

G_END_DECLS
