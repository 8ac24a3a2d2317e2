/* The page of runs. See runs-page.h. */
#include "gui/pages/runs-page.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-figures.h"
#include "cache/runs-panel.h"
#include "gui/host/export.h"

struct _WeirRunsPage {
  WeirPage parent;
  WeirRunsPanel *panel;
  WeirSession *taken; /* the present run, if it is kept already, or NULL; only compared */
  guint n;            /* runs so far */
};

G_DEFINE_FINAL_TYPE (WeirRunsPage, weir_runs_page, WEIR_TYPE_PAGE)

enum { SIGNAL_CHANGED, SIGNAL_SHOW_EARLIER, N_SIGNALS };
static guint signals[N_SIGNALS];

/* "Run 3: auto, cached, 412 steps" */
static char *
dup_title (WeirRunsPage *self, const WeirSnapshot *snapshot)
{
  WeirModel *model = weir_runner_get_session_model (self->parent.runner);
  const char *solver = weir_model_get_setting (model, "solver");
  g_autofree char *steps = weir_cache_format_count (snapshot->statistics.steps);

  /* Translators: number of the run, name of the solver, whether values were cached, number of
   * steps. */
  return g_strdup_printf (_ ("Run %u: %s, %s, %s steps"), self->n, solver != NULL ? solver : "auto",
                          snapshot->caching ? _ ("cached") : _ ("uncached"), steps);
}

static void
run_changed (WeirRunsPage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  g_autoptr (WeirPastRun) run = NULL;
  g_autofree char *title = NULL;

  if (session != NULL && session == self->taken
      && weir_session_get_state (session) <= WEIR_SESSION_PAUSED)
    {
      /* It went back a step: what it recorded ends earlier now. */
      self->taken = NULL;
      self->n--;
      weir_runs_panel_drop_newest (self->panel);
      g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
    }
  if (session == NULL || session == self->taken
      || weir_session_get_state (session) <= WEIR_SESSION_PAUSED
      || weir_recorder_get_n_rows (weir_session_get_recorder (session)) == 0)
    return;
  self->taken = session;
  self->n++;
  title = dup_title (self, weir_session_get_snapshot (session));
  run = weir_past_run_new (session, title);
  weir_runs_panel_add (self->panel, run, weir_runner_get_session_model (self->parent.runner));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- For others ------------------------------------------------------------------------------ */

guint
weir_runs_page_get_number (WeirRunsPage *self, guint i)
{
  return self->n + 1 - (weir_runs_panel_get_n (self->panel) - i);
}

gboolean
weir_runs_page_has_present (WeirRunsPage *self)
{
  return self->taken != NULL;
}

WeirRunsPanel *
weir_runs_page_get_panel (WeirRunsPage *self)
{
  return self->panel;
}

/* --- Life ------------------------------------------------------------------------------------ */

static char *
dup_table (gpointer data)
{
  return weir_runs_panel_to_csv (WEIR_RUNS_PAGE (data)->panel);
}

static void
export_runs (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirRunsPage *self = data;

  weir_export_choose_table (self->parent.host, _ ("Export the Comparison"), "runs.csv", dup_table,
                            self);
}

/* Another session may lie where one was freed. */
static void
session_replaced (WeirRunsPage *self)
{
  self->taken = NULL;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
go_to (WeirRunsPage *self, const char *path)
{
  weir_host_go_to_path (self->parent.host, path);
}

static void
show_earlier (WeirRunsPage *self, guint i)
{
  g_signal_emit (self, signals[SIGNAL_SHOW_EARLIER], 0, i);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "export-runs", .activate = export_runs };
  WeirRunsPage *self = WEIR_RUNS_PAGE (object);

  G_OBJECT_CLASS (weir_runs_page_parent_class)->constructed (object);
  weir_page_add_actions (&self->parent, &entry, 1);
  g_signal_connect_object (self->parent.runner, "notify::session", G_CALLBACK (session_replaced),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
weir_runs_page_class_init (WeirRunsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  g_type_ensure (WEIR_TYPE_RUNS_PANEL);
  weir_set_template (klass, "runs-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirRunsPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, go_to);
  gtk_widget_class_bind_template_callback (widget_class, show_earlier);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WEIR_TYPE_RUNS_PAGE, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SHOW_EARLIER] = g_signal_new ("show-earlier", WEIR_TYPE_RUNS_PAGE,
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               1, G_TYPE_UINT);
}

static void
weir_runs_page_init (WeirRunsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
