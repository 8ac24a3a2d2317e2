/* What was done to a run. See journal.h.
 *
 * A stage costs the run an atomic addition, and a lock only while somebody waits for it.
 */
#include "sim/journal.h"

#include "base/sync.h"

#define PATIENCE (G_USEC_PER_SEC / 20) /* after which a follower looks whether it is to give up */

typedef struct {
  guint64 stage; /* it was done before that */
  double *value; /* of a parameter; NULL: the boundary was changed */
  guint size;
  WeirNode node;
  WeirParameter parameter;
  double boundary; /* s */
} Note;

struct _WeirJournal {
  gatomicrefcount ref_count;
  GMutex lock;
  GCond moved;
  GArray *notes;    /* Note; under the lock */
  gboolean is_over; /* under the lock */
  guint64 n_stages; /* atomic: completed */
  gint n_waiting;   /* atomic */
  double boundary;  /* s; at first */
};

static void
note_clear (gpointer data)
{
  g_free (((Note *) data)->value);
}

WeirJournal *
weir_journal_new (double boundary)
{
  WeirJournal *self = g_new0 (WeirJournal, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->moved);
  self->notes = g_array_new (FALSE, FALSE, sizeof (Note));
  g_array_set_clear_func (self->notes, note_clear);
  self->boundary = boundary;
  return self;
}

WeirJournal *
weir_journal_branch (WeirJournal *self, guint64 n_stages)
{
  WeirJournal *branch = weir_journal_new (self->boundary);

  /* What is done after the last of these stages belongs to what is undone. */
  for (guint i = 0; i < self->notes->len; i++)
    {
      Note note = g_array_index (self->notes, Note, i);

      if (note.stage >= n_stages)
        break;
      note.value = g_memdup2 (note.value, note.size * sizeof *note.value);
      g_array_append_val (branch->notes, note);
    }
  branch->n_stages = n_stages;
  return branch;
}

WeirJournal *
weir_journal_ref (WeirJournal *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_journal_unref (WeirJournal *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_array_unref (self->notes);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->moved);
  g_free (self);
}

/* --- The run --------------------------------------------------------------------------------- */

static void
append (WeirJournal *self, Note note)
{
  note.stage = self->n_stages; /* this thread alone changes it */
  weir_sync_lock (&self->lock);
  g_array_append_val (self->notes, note);
  weir_sync_unlock (&self->lock);
}

void
weir_journal_note_parameter (WeirJournal *self, WeirNode node, WeirParameter parameter,
                             const double *value, guint size)
{
  append (self, (Note) { .value = g_memdup2 (value, size * sizeof *value),
                         .size = size,
                         .node = node,
                         .parameter = parameter });
}

void
weir_journal_note_boundary (WeirJournal *self, double boundary)
{
  append (self, (Note) { .boundary = boundary });
}

static void
wake (WeirJournal *self)
{
  weir_sync_lock (&self->lock);
  g_cond_broadcast (&self->moved);
  weir_sync_unlock (&self->lock);
}

void
weir_journal_note_stage (WeirJournal *self)
{
  __atomic_add_fetch (&self->n_stages, 1, __ATOMIC_SEQ_CST);
  if (g_atomic_int_get (&self->n_waiting) > 0)
    wake (self);
}

void
weir_journal_end (WeirJournal *self)
{
  weir_sync_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_broadcast (&self->moved);
  weir_sync_unlock (&self->lock);
}

/* --- Followers ------------------------------------------------------------------------------- */

/* Under the lock. */
static gboolean
wait_for_stage (WeirJournal *self, guint64 stage, gint *cancel)
{
  gboolean is_there = FALSE, gives_up = FALSE;

  g_atomic_int_inc (&self->n_waiting);
  while (!gives_up)
    {
      is_there = __atomic_load_n (&self->n_stages, __ATOMIC_SEQ_CST) > stage;
      gives_up = is_there || self->is_over || (cancel != NULL && g_atomic_int_get (cancel) != 0);
      if (!gives_up)
        weir_sync_wait_until (&self->moved, &self->lock, g_get_monotonic_time () + PATIENCE);
    }
  g_atomic_int_add (&self->n_waiting, -1);
  return is_there;
}

static void
repeat (const Note *note, WeirJournalPlace *place, WeirContext *context)
{
  if (note->value == NULL)
    {
      place->boundary = note->boundary;
      return;
    }
  weir_context_set_parameter (context, note->node, note->parameter, note->value);
}

gboolean
weir_journal_follow (WeirJournal *self, WeirJournalPlace *place, WeirContext *context, gint *cancel)
{
  gboolean is_there;

  weir_sync_lock (&self->lock);
  is_there = wait_for_stage (self, place->stage, cancel);
  if (place->stage == 0)
    place->boundary = self->boundary;
  if (is_there)
    {
      for (; place->n_repeated < self->notes->len; place->n_repeated++)
        {
          const Note *note = &g_array_index (self->notes, Note, place->n_repeated);

          if (note->stage > place->stage)
            break;
          repeat (note, place, context);
        }
      place->stage++;
    }
  weir_sync_unlock (&self->lock);
  return is_there;
}
