/* Why a value is as it is: the panel of dependencies in the window, what it shows on the canvas, and the audit that
 * tells which declared reads are real.
 */
#include <glib/gi18n-lib.h>

#include "analysis/audit.h"
#include "cache/cache-card.h"
#include "cache/cache-panel.h"
#include "cache/explain-panel.h"
#include "gui/window-private.h"
#include "lab/lab-panel.h"

static gboolean
is_page_shown (WeirWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "dependencies") == 0;
}

/* The way is on the canvas as long as the panel is looked at. */
static void
path_changed (WeirWindow *self)
{
  const GArray *path = is_page_shown (self)
                           ? weir_explain_panel_get_path (WEIR_EXPLAIN_PANEL (self->explain))
                           : NULL;

  weir_window_emphasize (self, path != NULL ? g_array_copy ((GArray *) path) : NULL);
}

static void
go_to_block (WeirWindow *self, guint block)
{
  self->is_following_panel = TRUE;
  if (block != 0)
    weir_canvas_select_block (self->canvas, block);
  self->is_following_panel = FALSE;
}

static void
tracker_pointed (WeirWindow *self, guint tracker)
{
  weir_window_explore_tracker (self, tracker);
}

#define GRAPH_HEIGHT 330 /* pixels, for a graph to be of use */

static void
show_page (WeirWindow *self)
{
  GtkPaned *paned = GTK_PANED (self->bottom_paned);
  int height = gtk_widget_get_height (self->bottom_paned);

  weir_window_show_page (self, "dependencies");
  if (height - gtk_paned_get_position (paned) < GRAPH_HEIGHT && height > 2 * GRAPH_HEIGHT)
    gtk_paned_set_position (paned, height - GRAPH_HEIGHT);
  path_changed (self);
}

/* What is selected or pointed at: of a block its graph and the value that needs it most. */
static void
view_asked_for (WeirWindow *self, const char *name)
{
  WeirCanvasSubject subject = weir_canvas_get_subject (self->canvas);
  WeirPlace place = weir_canvas_get_place (self->canvas);
  guint32 around = place.n_ids > 0 ? place.ids[place.n_ids - 1] : 0;
  WeirExplainPanel *panel = WEIR_EXPLAIN_PANEL (self->explain);
  WeirEntry entry;

  if (g_str_equal (name, "clear"))
    weir_window_emphasize (self, NULL);
  if (!g_str_equal (name, "why") && !g_str_equal (name, "graph"))
    return;
  if (!weir_cache_model_ensure (self->cache_model))
    {
      weir_window_toast (self, _ ("The model is not complete yet; see Problems."));
      return;
    }
  if (subject.block == 0)
    weir_explain_panel_show_block (panel, around);
  else if (g_str_equal (name, "why")
           && weir_cache_find_port_entry (self->cache_model, subject.block, subject.port, subject.is_output,
                                          &entry))
    weir_explain_panel_show_entry (panel, entry);
  else
    weir_explain_panel_show_block (panel, subject.block);
  show_page (self);
}

static void
entry_asked_for (WeirWindow *self, guint entry)
{
  if (weir_cache_model_get_session (self->cache_model) == NULL)
    return;
  weir_explain_panel_show_entry (WEIR_EXPLAIN_PANEL (self->explain), (WeirEntry) { entry });
  show_page (self);
}

/* While the panel is looked at it shows what is selected. */
static void
selection_changed (WeirWindow *self)
{
  guint32 block = weir_canvas_get_selected_block (self->canvas);

  if (block != 0 && !self->is_following_panel && is_page_shown (self))
    weir_explain_panel_show_block (WEIR_EXPLAIN_PANEL (self->explain), block);
}

/* --- Observing ------------------------------------------------------------------------------------------ */

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  gint cancel;
} Audit;

static void
audit_free (gpointer data)
{
  Audit *audit = data;

  weir_system_unref (audit->system);
  g_free (audit);
}

static void
result_free (gpointer data)
{
  weir_audit_result_clear (data);
  g_free (data);
}

static void
audit_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                 G_GNUC_UNUSED GCancellable *cancellable)
{
  Audit *audit = data;
  WeirAuditResult *result = g_new0 (WeirAuditResult, 1);
  GError *error = NULL;

  if (weir_audit (audit->system, &audit->options, audit->stop_time, &audit->cancel, result, &error))
    g_task_return_pointer (task, result, result_free);
  else
    {
      g_free (result);
      g_task_return_error (task, error);
    }
}

static void
set_auditing (WeirWindow *self, gboolean on)
{
  weir_explain_panel_set_observing (WEIR_EXPLAIN_PANEL (self->explain), on);
  weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_AUDIT, on);
}

static void
audit_finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirWindow *self = WEIR_WINDOW (object);
  g_autoptr (GError) error = NULL;
  WeirAuditResult *result = g_task_propagate_pointer (G_TASK (async_result), &error);
  Audit *audit = g_task_get_task_data (G_TASK (async_result));
  WeirLayout *layout;

  self->audit_cancel = NULL;
  if (self->cache_model == NULL) /* the window is gone */
    {
      g_clear_pointer (&result, result_free);
      return;
    }
  set_auditing (self, FALSE);
  layout = weir_cache_model_get_layout (self->cache_model);
  if (result == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        weir_window_toast (self, error->message);
      return;
    }
  /* Of a model that was changed meanwhile it says nothing. */
  if (layout != NULL
      && weir_layout_get_fingerprint (layout).low
             == weir_layout_get_fingerprint (weir_system_get_layout (audit->system)).low
      && weir_layout_get_fingerprint (layout).high
             == weir_layout_get_fingerprint (weir_system_get_layout (audit->system)).high)
    {
      g_autofree char *text = weir_audit_result_to_string (result);

      weir_explain_panel_set_findings (WEIR_EXPLAIN_PANEL (self->explain), result->findings);
      {
        g_autoptr (GArray) corrections = weir_list_corrections (audit->system, result);

        weir_lab_panel_set_audited (WEIR_LAB_PANEL (self->lab), result, corrections);
      }
      if (!gtk_widget_get_mapped (self->lab)) /* which says the same */
        weir_window_toast (self, text);
    }
  result_free (result);
}

void
weir_window_audit (WeirWindow *self, gboolean on)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  WeirSystem *system;
  Audit *audit;

  if (self->audit_cancel != NULL)
    g_atomic_int_set (self->audit_cancel, 1);
  weir_cache_model_ensure (self->cache_model);
  system = on && self->audit_cancel == NULL ? weir_cache_model_get_system (self->cache_model) : NULL;
  if (system == NULL)
    {
      if (on && self->audit_cancel == NULL)
        weir_window_toast (self, _ ("Reads are observed in a run of the model as it is; it was changed since "
                                    "this one began."));
      return;
    }
  audit = g_new0 (Audit, 1);
  audit->system = weir_system_ref (system);
  if (!weir_runner_read_settings (self->runner, &audit->options, &audit->stop_time, &error))
    {
      weir_window_toast (self, error->message);
      audit_free (audit);
      return;
    }
  task = g_task_new (self, NULL, audit_finished, NULL);
  g_task_set_task_data (task, audit, audit_free);
  self->audit_cancel = &audit->cancel;
  set_auditing (self, TRUE);
  g_task_run_in_thread (task, audit_in_thread);
}

/* --- All of it -------------------------------------------------------------------------------------------- */

void
weir_window_add_explain (WeirWindow *self)
{
  g_signal_connect_swapped (self->explain, "path-changed", G_CALLBACK (path_changed), self);
  g_signal_connect_swapped (self->explain, "go-to-block", G_CALLBACK (go_to_block), self);
  g_signal_connect_swapped (self->explain, "pointed-tracker", G_CALLBACK (tracker_pointed), self);
  g_signal_connect_swapped (self->explain, "observe", G_CALLBACK (weir_window_audit), self);
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (path_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->canvas, "view-command", G_CALLBACK (view_asked_for), self);
  g_signal_connect_swapped (self->canvas, "selection-changed", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->cache, "explain-entry", G_CALLBACK (entry_asked_for), self);
}

void
weir_window_remove_explain (WeirWindow *self)
{
  if (self->audit_cancel != NULL)
    g_atomic_int_set (self->audit_cancel, 1);
  if (self->explain != NULL)
    g_signal_handlers_disconnect_by_data (self->explain, self);
  if (self->cache != NULL)
    g_signal_handlers_disconnect_by_data (self->cache, self);
  self->explain = self->cache = NULL;
}
