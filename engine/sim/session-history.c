/* Going back in a run: it is kept now and then between two steps, and repeated from there.
 *
 * The start is kept, every moment at which the run was changed from outside or paused between two
 * steps that it would not have made by itself, and others at a distance that doubles when there are
 * too many. If those that are needed are too many themselves, the earliest go: then the history
 * begins later. Those that are not needed take a 300th of the run's time at most: a large run
 * is kept less often. Thread: the context's owner.
 */
#include <string.h>

#include "sim/session-private.h"

#include "base/bits.h"
#include "sim/journal.h"

#define FIRST_DISTANCE 128           /* steps */
#define MAX_KEPT 64                  /* runs ... */
#define MIN_KEPT 4                   /* ... but so many however large */
#define MAX_BYTES (64 * 1024 * 1024) /* together */
#define PAUSE 300                    /* after one, in times of what it took */

static void
kept_clear (gpointer data)
{
  g_clear_pointer (&((WeirKeptStep *) data)->run, g_bytes_unref);
}

/* Every second one that is not needed goes. */
static void
thin (WeirRun *self, guint most)
{
  gboolean goes = FALSE;

  for (guint i = self->kept->len - 1; i > 0; i--)
    if (!g_array_index (self->kept, WeirKeptStep, i).is_needed && (goes = !goes))
      g_array_remove_index (self->kept, i);
  if (self->kept->len > most)
    g_array_remove_range (self->kept, 0, self->kept->len - most);
  self->kept_distance *= 2;
}

void
weir_run_keep (WeirRun *self, gboolean needed)
{
  WeirKeptStep kept = { self->n_steps, 0, needed, NULL };
  gint64 began, ended;
  gsize most;

  if (self->kept == NULL)
    {
      self->kept = g_array_new (FALSE, FALSE, sizeof (WeirKeptStep));
      g_array_set_clear_func (self->kept, kept_clear);
      self->kept_distance = FIRST_DISTANCE;
    }
  if (!self->is_initialized || (self->n_steps < self->next_kept && !needed))
    return;
  began = g_get_monotonic_time ();
  if (!needed && began < self->keep_after)
    {
      self->next_kept = self->n_steps + self->kept_distance;
      return;
    }
  kept.run = weir_simulator_save (self->simulator, NULL);
  ended = g_get_monotonic_time ();
  self->keep_after = ended + PAUSE * (ended - began);
  if (kept.run == NULL)
    return;
  kept.n_rows = weir_recorder_get_n_rows (self->recorder);
  if (self->kept->len > 0)
    {
      WeirKeptStep *last = &g_array_index (self->kept, WeirKeptStep, self->kept->len - 1);

      if (last->n_steps == kept.n_steps)
        {
          kept.is_needed |= last->is_needed;
          g_array_set_size (self->kept, self->kept->len - 1);
        }
    }
  g_array_append_val (self->kept, kept);
  most = CLAMP (MAX_BYTES / MAX (g_bytes_get_size (kept.run), 1), MIN_KEPT, MAX_KEPT);
  if (self->kept->len > most)
    thin (self, (guint) most);
  self->next_kept = self->n_steps + self->kept_distance;
}

const WeirKeptStep *
weir_run_find_kept (const WeirRun *self, guint64 n_steps)
{
  for (guint i = self->kept != NULL ? self->kept->len : 0; i-- > 0;)
    if (g_array_index (self->kept, WeirKeptStep, i).n_steps <= n_steps)
      return &g_array_index (self->kept, WeirKeptStep, i);
  return NULL;
}

/* What is switched and set from outside stays as it is, whatever it was then. */
static void
restore_switches (WeirRun *self, gboolean caching)
{
  weir_context_set_caching (self->context, caching);
  for (guint i = 0; i < weir_layout_get_n_entries (self->layout); i++)
    {
      gboolean enabled = !weir_bit (self->disabled, i);

      if (weir_context_get_entry_caching (self->context, (WeirEntry) { i }) != enabled)
        weir_context_set_entry_caching (self->context, (WeirEntry) { i }, enabled);
    }
}

static void
restore_parameters (WeirRun *self, const WeirContext *from)
{
  for (guint n = 0; n < weir_layout_get_n_nodes (self->layout); n++)
    for (guint k = 0; k < weir_layout_get_n_parameters (self->layout, (WeirNode) { n }); k++)
      {
        WeirNode node = { n };
        WeirParameter parameter = { (guint16) k };
        guint size = weir_layout_get_parameter_size (self->layout, node, parameter);
        const double *value;

        if (weir_layout_get_parameter_type (self->layout, node, parameter) != NULL)
          continue;
        value = weir_context_get_parameter (from, node, parameter);
        if (memcmp (value, weir_context_get_parameter (self->context, node, parameter),
                    size * sizeof *value)
            == 0)
          continue;
        weir_context_set_parameter (self->context, node, parameter, value);
        weir_journal_note_parameter (self->journal, node, parameter, value, size);
      }
}

gboolean
weir_run_go_back (WeirRun *self, guint64 n_steps, GError **error)
{
  const WeirKeptStep *kept = weir_run_find_kept (self, n_steps);
  g_autoptr (WeirContext) before = weir_context_clone (self->context);
  gboolean caching = weir_context_get_caching (self->context), done = FALSE, ok;
  guint end;

  g_assert (kept != NULL); /* main has found it, and nothing has run since */
  end = (guint) (kept - (const WeirKeptStep *) (gpointer) self->kept->data) + 1;
  if (!weir_simulator_load (self->simulator, kept->run, error))
    return FALSE;
  restore_switches (self, caching);
  self->n_steps = kept->n_steps;
  g_array_set_size (self->kept, end);
  self->is_repeating = self->is_in_step = TRUE;
  for (ok = TRUE; ok && !done && self->n_steps < n_steps; self->n_steps++)
    ok = weir_simulator_step (self->simulator, self->stop_time, &done, error);
  self->is_repeating = self->is_in_step = FALSE;
  if (!ok)
    return FALSE;
  restore_parameters (self, before);
  weir_run_keep (self, TRUE);
  return TRUE;
}

void
weir_run_clear_kept (WeirRun *self)
{
  g_clear_pointer (&self->kept, g_array_unref);
}
