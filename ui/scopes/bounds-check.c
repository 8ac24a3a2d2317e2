/* WeirBoundsCheck. See bounds-check.h.
 *
 * The measures of signals are kept from one request to the next, so that a run that goes on costs
 * its new samples only; while a thread works they are its own.
 */
#include "scopes/bounds-check.h"

#define PAUSE_MS 60 /* between two requests */

struct _WeirBoundsCheck {
  WeirBoundsFunc found;
  gpointer data;
  gboolean is_checking, is_freed;
  GArray *asked;        /* WeirFiguresSignal: next; NULL: nothing */
  GHashTable *measures; /* key of a signal -> WeirMeasure; NULL: a thread has them */
  guint pause;
};

typedef struct {
  WeirBoundsCheck *check;
  GArray *signals;
  GHashTable *measures;
} Checking;

static GHashTable *
measures_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) weir_measure_free);
}

WeirBoundsCheck *
weir_bounds_check_new (WeirBoundsFunc found, gpointer data)
{
  WeirBoundsCheck *self = g_new0 (WeirBoundsCheck, 1);

  self->found = found;
  self->data = data;
  self->measures = measures_new ();
  return self;
}

/* While a thread works it is freed when that is done. */
void
weir_bounds_check_free (WeirBoundsCheck *self)
{
  self->is_freed = TRUE;
  g_clear_handle_id (&self->pause, g_source_remove);
  g_clear_pointer (&self->asked, g_array_unref);
  if (self->is_checking)
    return;
  g_clear_pointer (&self->measures, g_hash_table_unref);
  g_free (self);
}

gboolean
weir_bounds_check_is_settled (WeirBoundsCheck *self)
{
  return !self->is_checking && self->asked == NULL;
}

/* --- In the thread --------------------------------------------------------------------------- */

static WeirMeasure *
take_measure (GHashTable *before, GHashTable *now, const WeirFiguresSignal *signal)
{
  g_autofree char *key = g_strdup_printf ("%p %u %d", (gpointer) signal->recorder, signal->signal,
                                          signal->between);
  gpointer kept, measure = g_hash_table_lookup (now, key);

  if (measure != NULL)
    return measure;
  if (g_hash_table_steal_extended (before, key, &kept, &measure))
    {
      g_free (kept);
      weir_measure_update (measure);
    }
  else
    measure = weir_measure_new_for_signal (signal->recorder, signal->signal, signal->between);
  g_hash_table_insert (now, g_steal_pointer (&key), measure);
  return measure;
}

static void
check_all (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
           G_GNUC_UNUSED GCancellable *cancellable)
{
  Checking *checking = data;
  g_autoptr (GHashTable) before = checking->measures;

  checking->measures = measures_new ();
  for (guint i = 0; i < checking->signals->len; i++)
    {
      const WeirFiguresSignal *signal = &g_array_index (checking->signals, WeirFiguresSignal, i);

      for (guint k = 0; k < signal->bounds->len; k++)
        {
          WeirJudgedBound *judged = &g_array_index (signal->bounds, WeirJudgedBound, k);

          judged->verdict = weir_bound_check (&judged->bound,
                                              take_measure (before, checking->measures, signal));
          judged->is_judged = TRUE;
        }
    }
  g_task_return_boolean (task, TRUE);
}

/* --- Asking it ------------------------------------------------------------------------------- */

static void
checking_free (gpointer data)
{
  Checking *checking = data;

  g_array_unref (checking->signals);
  g_clear_pointer (&checking->measures, g_hash_table_unref);
  g_free (checking);
}

static void begin (WeirBoundsCheck *self);

static gboolean
pause_over (gpointer data)
{
  WeirBoundsCheck *self = data;

  self->pause = 0;
  begin (self);
  return G_SOURCE_REMOVE;
}

static void
done (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Checking *checking = g_task_get_task_data (G_TASK (result));
  WeirBoundsCheck *self = checking->check;

  self->is_checking = FALSE;
  self->measures = g_steal_pointer (&checking->measures);
  if (self->is_freed)
    {
      weir_bounds_check_free (self);
      return;
    }
  self->pause = g_timeout_add (PAUSE_MS, pause_over, self);
  self->found (self->data, checking->signals);
}

static void
begin (WeirBoundsCheck *self)
{
  g_autoptr (GTask) task = NULL;
  Checking *checking;

  if (self->asked == NULL || self->is_checking || self->pause != 0)
    return;
  self->is_checking = TRUE;
  checking = g_new0 (Checking, 1);
  checking->check = self;
  checking->signals = g_steal_pointer (&self->asked);
  checking->measures = g_steal_pointer (&self->measures);
  task = g_task_new (NULL, NULL, done, NULL);
  g_task_set_task_data (task, checking, checking_free);
  g_task_run_in_thread (task, check_all);
}

void
weir_bounds_check_ask (WeirBoundsCheck *self, GArray *signals)
{
  g_clear_pointer (&self->asked, g_array_unref);
  self->asked = signals;
  begin (self);
}
