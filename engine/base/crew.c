/* Crews. See crew.h.
 *
 * What is left of a phase is one word: the number of the phase, counted over all work of the crew,
 * and the first and last piece that nobody has taken. Taking one is a compare-and-swap of it, so
 * that nobody takes a piece of a phase that is over. What the pieces are is written before that
 * word, and changed only when all that were taken are done.
 */
#include "base/crew.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/sync.h"
#include "base/tasks.h"

#define LOOK_OUT 60     /* us that a helper looks out for more: about what waking a thread costs */
#define LOOKS 200       /* between two looks at the clock, or before giving way */
#define MOST_THREADS 16 /* memory gives no more */

#define TRIED 8          /* times alone, and with helpers */
#define WARMING 3        /* more of those, for helpers have to be woken */
#define STAYS 1024       /* times before both are compared again ... */
#define MOST_STAYS 65536 /* ... or more, where that changed nothing */

guint weir_crew_threads;

/* What is being tried. */
typedef enum {
  TRY_ALONE,
  TRY_HELPERS,
  STAY,
} Trying;

typedef struct {
  WeirCrew *crew;
  gint is_there; /* atomic */
} Helper;

struct _WeirCrew {
  WeirTasks *tasks;
  Helper *helpers;
  guint n_helpers;
  gint is_over; /* atomic */

  guint64 left; /* atomic: number of the phase, end, begin of what is left: 32, 16, 16 bits */
  guint n_done; /* atomic: pieces of the phase */
  WeirCrewFunc func;
  gpointer data;
  guint phase;

  Trying trying;
  gboolean has_helpers; /* are the faster way */
  guint n_tried, n_left, stays;
  gint64 begin, alone, with_helpers; /* ns */
};

#define BEGIN(left) ((guint) (left) &0xffff)
#define END(left) ((guint) ((left) >> 16) & 0xffff)
#define NUMBER(left) ((guint32) ((left) >> 32))
#define LEFT(number, begin, end) ((guint64) (number) << 32 | (guint64) (end) << 16 | (begin))

__attribute__ ((constructor)) static void
choose (void)
{
  const char *threads = getenv ("WEIR_THREADS");

  if (threads != NULL)
    weir_crew_threads = (guint) CLAMP (atoi (threads), 0, MOST_THREADS);
}

guint
weir_crew_get_n_threads (void)
{
  return MIN (weir_crew_threads > 0 ? weir_crew_threads : weir_tasks_get_n_processors (),
              MOST_THREADS);
}

/* Takes some pieces and runs them: fewer and fewer, so that nobody has much left to do when the
 * others are done. FALSE: there are none now. */
static gboolean
take_pieces (WeirCrew *self, gboolean from_end)
{
  guint64 left = __atomic_load_n (&self->left, __ATOMIC_ACQUIRE), next;
  guint begin, end, n;

  do
    {
      begin = BEGIN (left);
      end = END (left);
      if (begin >= end)
        return FALSE;
      n = MAX ((end - begin) / (2 * (self->n_helpers + 1)), 1);
      next = from_end ? LEFT (NUMBER (left), begin, end - n) : LEFT (NUMBER (left), begin + n, end);
    }
  while (!__atomic_compare_exchange_n (&self->left, &left, next, FALSE, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE));
  for (guint i = 0; i < n; i++)
    self->func (self->data, self->phase, (from_end ? end - n : begin) + i);
  __atomic_add_fetch (&self->n_done, n, __ATOMIC_RELEASE);
  return TRUE;
}

static void
help (gpointer data)
{
  Helper *helper = data;
  WeirCrew *self = helper->crew;
  gint64 until = g_get_monotonic_time () + LOOK_OUT;

  while (g_atomic_int_get (&self->is_over) == 0)
    {
      gboolean any = FALSE;

      for (guint i = 0; i < LOOKS && !any; i++)
        {
          any = take_pieces (self, TRUE);
          if (!any)
            weir_sync_pause ();
        }
      if (any)
        until = g_get_monotonic_time () + LOOK_OUT;
      else if (g_get_monotonic_time () > until)
        break;
    }
  g_atomic_int_set (&helper->is_there, FALSE);
}

WeirCrew *
weir_crew_new (guint n_threads)
{
  WeirCrew *self = g_new0 (WeirCrew, 1);

  self->n_helpers = MAX (n_threads, 1) - 1;
  self->helpers = g_new0 (Helper, self->n_helpers + 1);
  self->tasks = weir_tasks_new (self->n_helpers, n_threads);
  for (guint i = 0; i < self->n_helpers; i++)
    {
      self->helpers[i].crew = self;
      weir_tasks_set (self->tasks, i, WEIR_TASK_BY_WORKER, help, &self->helpers[i]);
    }
  return self;
}

void
weir_crew_free (WeirCrew *self)
{
  if (self == NULL)
    return;
  g_atomic_int_set (&self->is_over, TRUE);
  for (guint i = 0; i < self->n_helpers; i++)
    weir_tasks_wait (self->tasks, i, -1);
  weir_tasks_free (self->tasks);
  g_free (self->helpers);
  g_free (self);
}

/* A helper that has left may still be on its way out of its task. */
static void
call_helpers (WeirCrew *self)
{
  for (guint i = 0; i < self->n_helpers; i++)
    if (g_atomic_int_get (&self->helpers[i].is_there) == 0
        && !weir_tasks_is_running (self->tasks, i))
      {
        g_atomic_int_set (&self->helpers[i].is_there, TRUE);
        weir_tasks_start (self->tasks, i, NULL, 0);
      }
}

static void
run_phase (WeirCrew *self, guint phase, guint n)
{
  guint64 left = __atomic_load_n (&self->left, __ATOMIC_RELAXED);

  g_assert (n <= WEIR_CREW_MOST_PIECES);
  self->phase = phase;
  __atomic_store_n (&self->n_done, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&self->left, LEFT (NUMBER (left) + 1, 0, n), __ATOMIC_RELEASE);
  while (take_pieces (self, FALSE))
    ;
  for (guint i = 0; __atomic_load_n (&self->n_done, __ATOMIC_ACQUIRE) < n; i++)
    if (i % LOOKS == LOOKS - 1)
      sched_yield ();
    else
      weir_sync_pause ();
}

void
weir_crew_run (WeirCrew *self, WeirCrewFunc func, gpointer data, guint n_phases,
               const guint *n_pieces)
{
  gboolean is_inline = self->n_helpers == 0 || weir_tasks_is_within ();

  if (!is_inline)
    call_helpers (self);
  self->func = func;
  self->data = data;
  for (guint phase = 0; phase < n_phases; phase++)
    if (is_inline || n_pieces[phase] == 1)
      for (guint i = 0; i < n_pieces[phase]; i++)
        func (data, phase, i);
    else
      run_phase (self, phase, n_pieces[phase]);
}

/* --- Which is faster ------------------------------------------------------------------------- */

static gint64
read_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

gboolean
weir_crew_begin (WeirCrew *self)
{
  if (G_LIKELY (self->trying == STAY))
    return self->has_helpers;
  self->begin = read_clock ();
  return self->trying == TRY_HELPERS;
}

static void
try_next (WeirCrew *self, Trying trying)
{
  self->trying = trying;
  self->n_tried = 0;
}

static void
stay (WeirCrew *self, gboolean has_helpers)
{
  gboolean is_same = self->stays > 0 && has_helpers == self->has_helpers;

  self->has_helpers = has_helpers;
  self->stays = is_same ? MIN (2 * self->stays, MOST_STAYS) : STAYS;
  self->n_left = self->stays;
  try_next (self, STAY);
}

static void
note_alone (WeirCrew *self, gint64 time)
{
  self->alone = self->n_tried == 0 ? time : self->alone + time;
  if (++self->n_tried == TRIED)
    try_next (self, TRY_HELPERS);
}

/* Enough is seen as soon as they have taken as long as all trials alone. */
static void
note_helpers (WeirCrew *self, gint64 time)
{
  if (self->n_tried < WARMING)
    self->with_helpers = 0;
  else
    self->with_helpers += time;
  self->n_tried++;
  if (self->with_helpers > self->alone || (self->n_tried < WARMING && time > self->alone))
    stay (self, FALSE);
  else if (self->n_tried == WARMING + TRIED)
    stay (self, TRUE);
}

void
weir_crew_end (WeirCrew *self)
{
  if (self->trying == TRY_ALONE)
    note_alone (self, read_clock () - self->begin);
  else if (self->trying == TRY_HELPERS)
    note_helpers (self, read_clock () - self->begin);
  else if (--self->n_left == 0)
    try_next (self, TRY_ALONE);
}
