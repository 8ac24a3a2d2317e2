/* The views of the cache in the editor: what the canvas shows of it, what hovering reveals.
 *
 * The cache model follows document and run; from it the canvas gets its overlay and its cards. What
 * is emphasised is what a change would reach while something is explored (Alt over the canvas, a
 * parameter in the inspector), else the path that is being explained.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/file.h"
#include "cache/cache-card.h"
#include "cache/cache-overlay.h"
#include "cache/cache-panel.h"
#include "cache/slow-bar.h"
#include "gui/host/chooser.h"
#include "gui/host/settings.h"
#include "gui/shell/editor-private.h"
#include "panels/problem-list.h"
#include "model/completion/completion.h"

#define EXPLORE_DELAY_MS 250 /* after which the pointer is taken to rest on a parameter */

/* --- The overlay ----------------------------------------------------------------------------- */

static void
refresh_figures (WeirEditor *self)
{
  if (self->overlay == NULL || weir_editor_is_slow (self))
    return;
  weir_cache_overlay_update (self->overlay, g_get_monotonic_time ());
  gtk_widget_queue_draw (GTK_WIDGET (self->canvas));
}

/* Everything anew: the diagram, the mode, what is emphasised. */
void
weir_editor_refresh_overlay (WeirEditor *self)
{
  WeirOverlayMode mode = weir_canvas_get_overlay_mode (self->canvas);
  const GArray *steps = self->explored != NULL ? self->explored : self->path;
  const char *caption = self->explored != NULL ? self->explored_caption : NULL;
  gboolean is_slow = weir_editor_is_slow (self);

  if (weir_settings_get_simple () || (mode == WEIR_OVERLAY_OFF && steps == NULL && !is_slow)
      || !weir_cache_model_ensure (self->cache_model))
    {
      g_clear_pointer (&self->overlay, weir_cache_overlay_free);
      weir_canvas_set_overlay (self->canvas, NULL);
      return;
    }
  if (self->overlay == NULL)
    self->overlay = weir_cache_overlay_new (self->cache_model);
  weir_cache_overlay_set_diagram (self->overlay,
                                  weir_model_get_diagram (weir_document_get_model (self->document),
                                                          weir_canvas_get_place (self->canvas)));
  if (is_slow && weir_slow_bar_fill (WEIR_SLOW_BAR (self->slow_bar), self->overlay))
    {
      weir_canvas_set_overlay (self->canvas, weir_cache_overlay_get (self->overlay));
      return;
    }
  weir_overlay_clear_beat (weir_cache_overlay_get (self->overlay));
  weir_cache_overlay_set_mode (self->overlay, mode);
  weir_cache_overlay_emphasize (self->overlay, steps, caption);
  weir_canvas_set_overlay (self->canvas, weir_cache_overlay_get (self->overlay));
  refresh_figures (self);
}

static void
structure_changed (WeirEditor *self)
{
  g_clear_pointer (&self->explored, g_array_unref);
  g_clear_pointer (&self->path, g_array_unref);
  g_clear_pointer (&self->overlay, weir_cache_overlay_free);
  weir_editor_refresh_overlay (self);
}

static void
document_changed (WeirEditor *self, guint aspects)
{
  if (aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_VALUES | WEIR_ASPECT_NAMES))
    weir_editor_refresh_overlay (self);
}

static void
session_replaced (WeirEditor *self)
{
  weir_cache_model_set_session (self->cache_model, weir_runner_get_session (self->runner),
                                weir_runner_get_session_model (self->runner));
}

/* --- What a change would reach --------------------------------------------------------------- */

static void
explore (WeirEditor *self, guint32 tracker, const char *what)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->cache_model);
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->cache_model);

  self->explored = weir_explain_downstream (
      explainer, tracker, weir_cache_model_get_flags (self->cache_model, snapshot));
  g_free (self->explored_caption);
  self->explored_caption = weir_cache_describe_change (self->cache_model, what, self->explored,
                                                       snapshot);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->explored_caption, -1);
}

/* The tracker of what is pointed at: of a block all that it can change itself. */
static gboolean
find_tracker (WeirEditor *self, WeirCanvasSubject subject, guint32 *tracker)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->cache_model);
  const WeirWalk *walk;
  WeirLayout *layout;
  WeirNode node;
  WeirInput in;
  WeirOutput out;

  if (explainer == NULL || subject.block == 0
      || !weir_cache_model_find_node (self->cache_model, subject.block, &node))
    return FALSE;
  walk = weir_explainer_get_walk (explainer);
  layout = weir_cache_model_get_layout (self->cache_model);
  if (subject.port == NULL)
    *tracker = weir_walk_get_tracker ((WeirWalk *) walk, node, WEIR_ALL_SOURCES_EXCEPT_INPUTS);
  else if (subject.is_output && weir_layout_find_output (layout, node, subject.port, &out))
    *tracker = weir_walk_get_output_tracker (walk, node, out);
  else if (!subject.is_output && weir_layout_find_input (layout, node, subject.port, &in))
    *tracker = weir_walk_get_input_tracker (walk, node, in);
  else
    return FALSE;
  return TRUE;
}

static void
pointed_changed (WeirEditor *self)
{
  gboolean exploring;
  WeirCanvasSubject subject = weir_canvas_get_pointed (self->canvas, &exploring);
  gboolean was_exploring = self->explored != NULL;
  guint32 tracker;

  weir_problem_list_set_pointed (WEIR_PROBLEM_LIST (self->problems), subject.block);
  g_clear_pointer (&self->explored, g_array_unref);
  if (exploring && !weir_settings_get_simple () && find_tracker (self, subject, &tracker))
    {
      g_autofree char *what = NULL;
      WeirNode node;

      weir_cache_model_find_node (self->cache_model, subject.block, &node);
      what = subject.port == NULL ? weir_cache_model_dup_node_title (self->cache_model, node)
                                  : weir_cache_model_dup_tracker_title (self->cache_model, tracker);
      explore (self, tracker, what);
    }
  if (was_exploring || self->explored != NULL)
    weir_editor_refresh_overlay (self);
}

void
weir_editor_explore_tracker (WeirEditor *self, guint32 tracker)
{
  gboolean was_exploring = self->explored != NULL;

  g_clear_pointer (&self->explored, g_array_unref);
  if (tracker != WEIR_NO_INDEX && weir_cache_model_ensure (self->cache_model))
    {
      g_autofree char *what = weir_cache_model_dup_tracker_title (self->cache_model, tracker);

      explore (self, tracker, what);
    }
  if (was_exploring || self->explored != NULL)
    weir_editor_refresh_overlay (self);
}

static gboolean
explore_pointed (gpointer data)
{
  WeirEditor *self = data;

  self->explore_soon = 0;
  weir_editor_explore_parameter (self, self->pointed_block, self->pointed_parameter);
  return G_SOURCE_REMOVE;
}

/* The pointer on its way to somewhere else changes nothing; nor does resting on a parameter, unless
 * the cache is looked at on the diagram anyway or Alt asks for it. */
static void
refresh_pointed (WeirEditor *self)
{
  gboolean is_asked = self->is_alt_held
                      || weir_canvas_get_overlay_mode (self->canvas) != WEIR_OVERLAY_OFF;

  g_clear_handle_id (&self->explore_soon, g_source_remove);
  if (self->pointed_parameter == NULL || !is_asked)
    weir_editor_explore_parameter (self, self->pointed_block, NULL);
  else
    self->explore_soon = g_timeout_add (EXPLORE_DELAY_MS, explore_pointed, self);
}

static void
parameter_pointed (WeirEditor *self, guint block, const char *parameter)
{
  self->pointed_block = block;
  self->pointed_parameter = g_intern_string (parameter);
  refresh_pointed (self);
}

static void
note_alt (WeirEditor *self, gboolean held)
{
  if (held == self->is_alt_held)
    return;
  self->is_alt_held = held;
  if (self->pointed_parameter != NULL)
    refresh_pointed (self);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirEditor *self)
{
  note_alt (self, key == GDK_KEY_Alt_L || key == GDK_KEY_Alt_R || (state & GDK_ALT_MASK) != 0);
  return GDK_EVENT_PROPAGATE;
}

static void
key_released (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
              G_GNUC_UNUSED GdkModifierType state, WeirEditor *self)
{
  if (key == GDK_KEY_Alt_L || key == GDK_KEY_Alt_R)
    note_alt (self, FALSE);
}

/* Wherever the focus is: the pointer on a parameter does not move it. */
static void
watch_alt (WeirEditor *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
weir_editor_explore_parameter (WeirEditor *self, guint32 block, const char *parameter)
{
  WeirLayout *layout;
  WeirNode node;
  WeirParameter index;
  guint size;
  gboolean was_exploring = self->explored != NULL;

  g_clear_pointer (&self->explored, g_array_unref);
  if (parameter != NULL && !weir_settings_get_simple ()
      && weir_cache_model_find_node (self->cache_model, block, &node))
    {
      WeirExplainer *explainer = weir_cache_model_get_explainer (self->cache_model);
      WeirBlock *shown = weir_model_find_block (weir_document_get_model (self->document), block,
                                                NULL);
      const char *leaf_parameter;
      guint32 tracker;

      layout = weir_cache_model_get_layout (self->cache_model);
      if (shown != NULL && weir_model_is_tunable (shown, parameter, &leaf_parameter)
          && weir_layout_find_parameter (layout, node, leaf_parameter, &index, &size))
        {
          g_autofree char *node_path = weir_layout_dup_path (layout, node);
          g_autofree char *path = g_strconcat (node_path, ".", leaf_parameter, NULL);
          g_autofree char *what = g_strdup_printf ("%s: %s", node_path, parameter);

          if (weir_explainer_find (explainer, path, &tracker, NULL))
            explore (self, tracker, what);
        }
    }
  if (was_exploring || self->explored != NULL)
    weir_editor_refresh_overlay (self);
}

/* --- The table ------------------------------------------------------------------------------- */

static void
rows_selected (WeirEditor *self)
{
  g_autoptr (GArray)
      blocks = weir_cache_panel_list_selected_blocks (WEIR_CACHE_PANEL (self->cache));

  self->is_following_rows = TRUE;
  if (blocks->len > 0)
    weir_canvas_select_blocks (self->canvas, (const guint32 *) (gpointer) blocks->data,
                               blocks->len);
  self->is_following_rows = FALSE;
}

static void
canvas_selected (WeirEditor *self)
{
  guint n;
  const guint32 *ids = weir_canvas_get_selected (self->canvas, &n);

  if (!self->is_following_rows)
    weir_cache_panel_select_blocks (WEIR_CACHE_PANEL (self->cache), ids, n);
}

/* --- Tables as files ------------------------------------------------------------------------- */

gboolean
weir_editor_export_bytes (WeirEditor *self, GFile *file, GBytes *bytes)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GError) error = NULL;
  gboolean is_written;

  if (bytes == NULL)
    {
      weir_editor_toast_until_run (self, _ ("There is no table yet: run the model first."));
      return FALSE;
    }
  is_written = weir_file_write_to (file, bytes, &error);
  return weir_editor_tell_exported (self, name, is_written, error);
}

gboolean
weir_editor_export_table (WeirEditor *self, GFile *file, char *(*dup_table) (WeirEditor *self))
{
  char *text = dup_table (self);
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;

  return weir_editor_export_bytes (self, file, bytes);
}

static void
export_to (WeirEditor *self, GFile *file)
{
  weir_editor_export_table (self, file, self->dup_table);
}

void
weir_editor_choose_table_export (WeirEditor *self, const char *title, const char *name,
                                 char *(*dup_table) (WeirEditor *self))
{
  self->dup_table = dup_table;
  weir_editor_ask_for_file (self,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                  .title = title,
                                                  .accept = _ ("_Export"),
                                                  .kind = _ ("Tables: CSV"),
                                                  .suffixes = { "csv" },
                                                  .name = name },
                            export_to);
}

static char *
dup_cache_table (WeirEditor *self)
{
  return weir_cache_panel_to_csv (WEIR_CACHE_PANEL (self->cache));
}

gboolean
weir_editor_export_cache (WeirEditor *self, GFile *file)
{
  return weir_editor_export_table (self, file, dup_cache_table);
}

void
weir_editor_choose_cache_export (WeirEditor *self)
{
  weir_editor_choose_table_export (self, _ ("Export the Cache Table"), "cache.csv",
                                   dup_cache_table);
}

/* --- Cards ----------------------------------------------------------------------------------- */

static char *
describe (WeirCanvasSubject subject, gpointer data)
{
  WeirEditor *self = data;

  if (weir_settings_get_simple ()
      || (weir_canvas_get_overlay_mode (self->canvas) == WEIR_OVERLAY_OFF
          && weir_runner_get_session (self->runner) == NULL))
    return NULL;
  return subject.port != NULL ? weir_cache_card_of_port (self->cache_model, subject.block,
                                                         subject.port, subject.is_output)
                              : weir_cache_card_of_block (self->cache_model, subject.block);
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_editor_add_views (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();

  g_signal_connect_swapped (self->cache_model, "structure-changed", G_CALLBACK (structure_changed),
                            self);
  g_signal_connect_swapped (self->cache_model, "figures-changed", G_CALLBACK (refresh_figures),
                            self);
  g_signal_connect_swapped (self->document, "changed", G_CALLBACK (document_changed), self);
  g_signal_connect_swapped (self->runner, "notify::session", G_CALLBACK (session_replaced), self);
  g_signal_connect_swapped (self->canvas, "notify::overlay",
                            G_CALLBACK (weir_editor_refresh_overlay), self);
  g_signal_connect_swapped (self->canvas, "place-changed", G_CALLBACK (weir_editor_refresh_overlay),
                            self);
  g_signal_connect_swapped (self->canvas, "pointed-changed", G_CALLBACK (pointed_changed), self);
  if (settings != NULL)
    g_signal_connect_object (settings, "changed::simple", G_CALLBACK (weir_editor_refresh_overlay),
                             self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->canvas, "selection-changed", G_CALLBACK (canvas_selected), self);
  g_signal_connect_swapped (self->cache, "selection-changed", G_CALLBACK (rows_selected), self);
  g_signal_connect_swapped (self->inspector, "parameter-pointed", G_CALLBACK (parameter_pointed),
                            self);
  watch_alt (self);
  weir_canvas_set_card_func (self->canvas, describe, self);
  weir_editor_add_explain (self);
  weir_editor_add_lab (self);
  weir_editor_add_breakpoints (self);
  weir_editor_add_timeline (self);
  weir_editor_add_runs (self);
  weir_editor_add_plots (self);
  weir_editor_add_values (self);
}

void
weir_editor_emphasize (WeirEditor *self, GArray *steps)
{
  if (self->path == NULL && steps == NULL)
    return;
  g_clear_pointer (&self->path, g_array_unref);
  self->path = steps;
  weir_editor_refresh_overlay (self);
}

void
weir_editor_remove_views (WeirEditor *self)
{
  weir_editor_remove_values (self);
  weir_editor_remove_timeline (self);
  weir_editor_remove_explain (self);
  g_clear_handle_id (&self->explore_soon, g_source_remove);
  if (self->inspector != NULL)
    g_signal_handlers_disconnect_by_data (self->inspector, self);
  self->inspector = NULL;
  weir_editor_remove_lab (self);
  weir_editor_remove_breakpoints (self);
  weir_editor_remove_plots (self);
  weir_editor_remove_runs (self);
  if (self->cache_model != NULL)
    g_signal_handlers_disconnect_by_data (self->cache_model, self);
  if (self->canvas != NULL)
    {
      weir_canvas_set_card_func (self->canvas, NULL, NULL);
      weir_canvas_set_overlay (self->canvas, NULL);
    }
  g_clear_pointer (&self->overlay, weir_cache_overlay_free);
  g_clear_pointer (&self->explored, g_array_unref);
  g_clear_pointer (&self->path, g_array_unref);
  g_clear_pointer (&self->explored_caption, g_free);
  g_clear_object (&self->cache_model);
}
