/* The physical units of the signals that WeirScopes plots, for the titles of their axes.
 *
 * They follow from the whole model, which may be large: a thread finds them, once for a run.
 */
#include <string.h>

#include "model/completion/completion.h"
#include "scopes/scopes-private.h"

typedef struct {
  GWeakRef scopes;
  WeirModel *model;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_weak_ref_clear (&finding->scopes);
  weir_model_unref (finding->model);
  g_free (finding);
}

/* Of the port of "plant.y[2]". */
static const char *
find_unit (GHashTable *units, const char *signal)
{
  g_autofree char *port = g_strdup (signal);
  char *element = strrchr (port, '[');

  if (element != NULL)
    *element = '\0';
  return g_hash_table_lookup (units, port);
}

void
weir_scopes_show_unit (WeirScopes *self, WeirPlotCard *card, guint curve)
{
  WeirPlotView *view = weir_plot_card_get_view (card);
  WeirPlot *plot = weir_plot_view_get_plot (view);
  WeirRecorder *recorder;
  guint signal;

  if (self->units == NULL || !weir_plot_get_signal (plot, curve, &recorder, &signal))
    return;
  weir_plot_set_curve_unit (
      plot, curve, find_unit (self->units, weir_recorder_get_signal_name (recorder, signal)));
  weir_plot_view_update (view);
}

static void
show_units (WeirScopes *self)
{
  GHashTableIter iter;
  gpointer card;

  g_hash_table_iter_init (&iter, self->cards);
  while (g_hash_table_iter_next (&iter, NULL, &card))
    {
      WeirPlot *plot = weir_plot_view_get_plot (weir_plot_card_get_view (card));

      for (guint i = 0; i < weir_plot_get_n_curves (plot); i++)
        weir_scopes_show_unit (self, card, i);
    }
}

static void
find (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
      G_GNUC_UNUSED GCancellable *cancellable)
{
  const Finding *finding = data;
  g_autoptr (GArray) list = weir_model_list_units (finding->model);
  GHashTable *units = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < list->len; i++)
    {
      const WeirPortUnit *unit = &g_array_index (list, WeirPortUnit, i);

      g_hash_table_insert (units, g_strdup (unit->path), g_strdup (unit->unit));
    }
  g_task_return_pointer (task, units, (GDestroyNotify) g_hash_table_unref);
}

static void
found (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Finding *finding = g_task_get_task_data (G_TASK (result));
  g_autoptr (WeirScopes) self = g_weak_ref_get (&finding->scopes);
  g_autoptr (GHashTable) units = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self == NULL || self->model != finding->model || self->cards == NULL)
    return;
  g_clear_pointer (&self->units, g_hash_table_unref);
  self->units = g_steal_pointer (&units);
  show_units (self);
}

void
weir_scopes_find_units (WeirScopes *self)
{
  g_autoptr (GTask) task = NULL;
  Finding *finding;

  g_clear_pointer (&self->units, g_hash_table_unref);
  if (self->model == NULL)
    return;
  finding = g_new0 (Finding, 1);
  g_weak_ref_init (&finding->scopes, self);
  finding->model = weir_model_ref (self->model);
  task = g_task_new (NULL, NULL, found, NULL);
  g_task_set_task_data (task, finding, finding_free);
  g_task_run_in_thread (task, find);
}
