/* The page of runs in the editor: every run that has come to its end is kept there, to be compared
 * with others. */
#include <glib/gi18n-lib.h>

#include "cache/cache-figures.h"
#include "cache/runs-panel.h"
#include "gui/shell/editor-private.h"

/* "Run 3: auto, cached, 412 steps" */
static char *
dup_title (WeirEditor *self, const WeirSnapshot *snapshot)
{
  WeirModel *model = weir_runner_get_session_model (self->runner);
  const char *solver = weir_model_get_setting (model, "solver");
  g_autofree char *steps = weir_cache_format_count (snapshot->statistics.steps);

  /* Translators: number of the run, name of the solver, whether values were cached, number of
   * steps. */
  return g_strdup_printf (_ ("Run %u: %s, %s, %s steps"), self->n_runs,
                          solver != NULL ? solver : "auto",
                          snapshot->caching ? _ ("cached") : _ ("uncached"), steps);
}

static void
run_changed (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  g_autoptr (WeirRunRecord) run = NULL;
  g_autofree char *title = NULL;

  if (session != NULL && session == self->compared
      && weir_session_get_state (session) <= WEIR_SESSION_PAUSED)
    {
      /* It went back a step: what it recorded ends earlier now. */
      self->compared = NULL;
      self->n_runs--;
      weir_runs_panel_drop_newest (WEIR_RUNS_PANEL (self->runs));
      weir_editor_refresh_compared (self);
    }
  if (session == NULL || session == self->compared
      || weir_session_get_state (session) <= WEIR_SESSION_PAUSED
      || weir_recorder_get_n_rows (weir_session_get_recorder (session)) == 0)
    return;
  self->compared = session;
  self->n_runs++;
  title = dup_title (self, weir_session_get_snapshot (session));
  run = weir_run_record_new (session, title);
  weir_runs_panel_add (WEIR_RUNS_PANEL (self->runs), run,
                       weir_runner_get_session_model (self->runner));
  weir_editor_refresh_compared (self);
}

static char *
dup_table (WeirEditor *self)
{
  return weir_runs_panel_to_csv (WEIR_RUNS_PANEL (self->runs));
}

static void
export_runs (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_choose_table_export (data, _ ("Export the Comparison"), "runs.csv", dup_table);
}

/* Another session may lie where one was freed. */
static void
session_replaced (WeirEditor *self)
{
  self->compared = NULL;
  weir_editor_refresh_compared (self);
}

void
weir_editor_add_runs (WeirEditor *self)
{
  const GActionEntry entry = { .name = "export-runs", .activate = export_runs };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
  g_signal_connect_swapped (self->runs, "go-to", G_CALLBACK (weir_editor_go_to_path), self);
  g_signal_connect_swapped (self->runner, "notify::session", G_CALLBACK (session_replaced), self);
  g_signal_connect_swapped (self->runner, "state-changed", G_CALLBACK (run_changed), self);
}

void
weir_editor_remove_runs (WeirEditor *self)
{
  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data (self->runs, self);
  self->runs = NULL;
}
