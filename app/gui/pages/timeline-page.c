/* Recordings in the editor: showing their moments in every view.
 *
 * Where the graph of a recording is that of the structure that is shown, the cache model shows the
 * moment or stretch that is looked at in place of the run's newest figures; the diagram, the table
 * and the cards follow from that. The time cursor is one with that of the plots.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "gui/pages/timeline-page-private.h"
#include "lab/timeline-text.h"
#include "lab/timeline-view.h"
#include "scopes/scopes.h"

static GSimpleAction *
get_action (WeirEditor *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

/* --- Showing a moment ------------------------------------------------------------------------ */

gboolean
weir_editor_fits_recording (WeirEditor *self)
{
  WeirEditorTimeline *own = self->recorded;
  WeirTape *tape = own != NULL ? weir_timeline_panel_get_tape (weir_editor_get_timeline (self))
                               : NULL;
  WeirLayout *layout = tape != NULL ? weir_cache_model_get_layout (self->cache_model) : NULL;

  if (layout == NULL)
    return FALSE;
  if (layout != own->fitted)
    {
      g_clear_pointer (&own->fitted, weir_layout_unref);
      own->fitted = weir_layout_ref (layout);
      own->fits = weir_trace_fits (weir_tape_get_trace (tape), layout);
    }
  return own->fits;
}

void
weir_editor_forget_fit (WeirEditor *self)
{
  g_clear_pointer (&self->recorded->fitted, weir_layout_unref);
}

/* The canvas shows states while a moment is looked at, unless it shows something else already. */
static void
show_overlay (WeirEditor *self, gboolean on)
{
  WeirEditorTimeline *own = self->recorded;

  if (on && own->overlay_before == NULL
      && weir_canvas_get_overlay_mode (self->canvas) == WEIR_OVERLAY_OFF)
    {
      g_object_get (self->canvas, "overlay", &own->overlay_before, NULL);
      g_object_set (self->canvas, "overlay", weir_overlay_mode_to_nick (WEIR_OVERLAY_STATE), NULL);
    }
  else if (!on && own->overlay_before != NULL)
    {
      if (weir_canvas_get_overlay_mode (self->canvas) == WEIR_OVERLAY_STATE)
        g_object_set (self->canvas, "overlay", own->overlay_before, NULL);
      g_clear_pointer (&own->overlay_before, g_free);
    }
}

void
weir_editor_update_timeline_actions (WeirEditor *self)
{
  WeirTape *tape = weir_timeline_panel_get_tape (weir_editor_get_timeline (self));
  gsize cursor = weir_timeline_panel_get_cursor (weir_editor_get_timeline (self)), n, first, end;
  const WeirLogRecord *records = tape != NULL
                                     ? weir_trace_get_records (weir_tape_get_trace (tape), &n)
                                     : NULL;
  gboolean is_event = cursor != G_MAXSIZE
                      && (records[cursor].kind == WEIR_LOG_EVENT
                          || records[cursor].kind == WEIR_LOG_JOINT)
                      && !weir_timeline_panel_get_range (weir_editor_get_timeline (self), &first,
                                                         &end);
  const char *const of_tape[] = {
    "timeline-previous",      "timeline-next", "timeline-previous-reaching",
    "timeline-next-reaching", "timeline-save", "timeline-close"
  };
  gboolean fits = weir_editor_fits_recording (self);

  for (guint i = 0; i < G_N_ELEMENTS (of_tape); i++)
    g_simple_action_set_enabled (get_action (self, of_tape[i]), tape != NULL);
  g_simple_action_set_enabled (get_action (self, "timeline-skip"),
                               is_event && self->recorded->skipping == NULL && fits);
  g_simple_action_set_enabled (get_action (self, "timeline-slow"), fits);
}

static void
show_moment (WeirEditor *self)
{
  WeirTape *tape = weir_timeline_panel_get_tape (weir_editor_get_timeline (self));
  gsize cursor = weir_timeline_panel_get_cursor (weir_editor_get_timeline (self)), first, end, n;
  gboolean has_range = weir_timeline_panel_get_range (weir_editor_get_timeline (self), &first,
                                                      &end);
  const WeirSnapshot *snapshot = NULL;
  g_autofree char *caption = NULL;
  g_autoptr (GError) error = NULL;
  double time = (double) NAN;

  if (tape != NULL && (has_range || cursor != G_MAXSIZE))
    {
      if (has_range)
        {
          snapshot = weir_tape_show_range (tape, first, end, &error);
          caption = weir_timeline_describe_range (tape, first, end);
        }
      else
        {
          snapshot = weir_tape_show (
              tape, weir_scrubber_get_place_after (weir_tape_get_scrubber (tape), cursor), &error);
          caption = weir_timeline_describe_moment (tape, cursor);
        }
      time = weir_trace_get_records (weir_tape_get_trace (tape), &n)[has_range ? end - 1 : cursor]
                 .time;
      if (snapshot == NULL)
        weir_editor_toast (self, error->message);
    }
  if (snapshot != NULL && !weir_editor_fits_recording (self))
    snapshot = NULL;
  show_overlay (self, snapshot != NULL);
  weir_cache_model_set_recorded (self->cache_model, snapshot, caption);
  weir_scopes_set_cursor (WEIR_SCOPES (self->scopes), time);
  weir_editor_update_timeline_actions (self);
}

static void
structure_changed (WeirEditor *self)
{
  if (self->recorded == NULL)
    return;
  weir_editor_forget_fit (self);
  show_moment (self);
}

/* The pointer on a plot leads the timeline, while a moment of the same run is looked at. */
static void
plot_cursor_moved (WeirEditor *self, double time)
{
  gsize first, end;

  if (!isnan (time) && self->recorded->is_of_run
      && weir_timeline_panel_get_cursor (weir_editor_get_timeline (self)) != G_MAXSIZE
      && !weir_timeline_panel_get_range (weir_editor_get_timeline (self), &first, &end))
    weir_timeline_panel_go_to_time (weir_editor_get_timeline (self), time);
}

static void
go_to_path (WeirEditor *self, const char *path)
{
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), path);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- Other commands -------------------------------------------------------------------------- */

/* The entries of the blocks that are selected and of all within them, as bits; NULL: nothing is
 * selected. */
static guint64 *
list_selected_entries (WeirEditor *self)
{
  guint n_ids;
  const guint32 *ids = weir_canvas_get_selected (self->canvas, &n_ids);
  WeirLayout *layout = weir_editor_fits_recording (self)
                           ? weir_cache_model_get_layout (self->cache_model)
                           : NULL;
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  guint n = layout != NULL ? weir_layout_get_n_entries (layout) : 0;
  guint64 *bits;

  for (guint i = 0; i < n_ids && layout != NULL; i++)
    {
      WeirNode node;

      if (weir_cache_model_find_node (self->cache_model, ids[i], &node))
        g_hash_table_add (nodes, GUINT_TO_POINTER (node.i + 1));
    }
  if (g_hash_table_size (nodes) == 0)
    return NULL;
  bits = g_new0 (guint64, n / 64 + 1);
  for (guint32 e = 0; e < n; e++)
    for (guint32 node = weir_layout_get_entry (layout, (WeirEntry) { e }).node.i;
         node != WEIR_NO_INDEX; node = weir_layout_get_parent (layout, (WeirNode) { node }).i)
      if (g_hash_table_contains (nodes, GUINT_TO_POINTER (node + 1)))
        {
          bits[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
          break;
        }
  return bits;
}

static void
step (WeirEditor *self, int direction, gboolean reaching)
{
  g_autofree guint64 *entries = reaching ? list_selected_entries (self) : NULL;

  if (reaching && entries == NULL)
    weir_editor_toast (self,
                       _ ("Select a block first: then the next event that reaches it is found."));
  else if (!weir_timeline_panel_step (weir_editor_get_timeline (self), direction, entries))
    weir_editor_toast (self, direction > 0 ? _ ("There is no later event in the recording.")
                                           : _ ("There is no earlier event in the recording."));
}

static void
previous (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, -1, FALSE);
}

static void
next (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, 1, FALSE);
}

static void
previous_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,
                   gpointer data)
{
  step (data, -1, TRUE);
}

static void
next_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, 1, TRUE);
}

static void
watch (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_watch_recorded (data);
}

static void
close_tape (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;

  weir_editor_forget_fit (self);
  weir_timeline_panel_set_tape (weir_editor_get_timeline (self), NULL, NULL);
}

static void
show_timeline (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;

  weir_editor_show_page (self, "timeline");
  gtk_widget_grab_focus (weir_timeline_panel_get_view (weir_editor_get_timeline (self)));
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
view_stepped (WeirEditor *self, int direction, gboolean reaching)
{
  step (self, direction, reaching);
}

/* The keys of the timeline hold everywhere but where they are typed: nobody has to click into it
 * first. Whatever has the keyboard comes first, text for one. */
static void
add_keys (WeirEditor *self)
{
  static const struct {
    guint key;
    GdkModifierType held;
    const char *action;
  } keys[] = { { GDK_KEY_comma, 0, "win.timeline-previous" },
               { GDK_KEY_period, 0, "win.timeline-next" },
               { GDK_KEY_less, GDK_SHIFT_MASK, "win.timeline-previous-reaching" },
               { GDK_KEY_greater, GDK_SHIFT_MASK, "win.timeline-next-reaching" },
               { GDK_KEY_comma, GDK_SHIFT_MASK, "win.timeline-previous-reaching" },
               { GDK_KEY_period, GDK_SHIFT_MASK, "win.timeline-next-reaching" } };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, keys[i].held),
                          gtk_named_action_new (keys[i].action)));
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (controller),
                                     GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
weir_editor_add_timeline (WeirEditor *self)
{
  static const GActionEntry entries[] = {
    { .name = "show-timeline", .activate = show_timeline },
    { .name = "timeline-close", .activate = close_tape },
    { .name = "timeline-slow", .activate = watch },
    { .name = "timeline-previous", .activate = previous },
    { .name = "timeline-next", .activate = next },
    { .name = "timeline-previous-reaching", .activate = previous_reaching },
    { .name = "timeline-next-reaching", .activate = next_reaching },
  };

  self->recorded = g_new0 (WeirEditorTimeline, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  g_signal_connect_swapped (self->timeline, "moment-changed", G_CALLBACK (show_moment), self);
  g_signal_connect_swapped (self->timeline, "go-to", G_CALLBACK (go_to_path), self);
  g_signal_connect_swapped (weir_timeline_panel_get_view (weir_editor_get_timeline (self)), "step",
                            G_CALLBACK (view_stepped), self);
  g_signal_connect_swapped (self->scopes, "cursor-moved", G_CALLBACK (plot_cursor_moved), self);
  g_signal_connect_swapped (self->cache_model, "structure-changed", G_CALLBACK (structure_changed),
                            self);
  weir_editor_add_recording (self);
  weir_editor_add_skip (self);
  add_keys (self);
  weir_editor_update_timeline_actions (self);
}

void
weir_editor_remove_timeline (WeirEditor *self)
{
  if (self->recorded == NULL)
    return;
  weir_editor_remove_recording (self);
  weir_editor_remove_skip (self);
  if (self->cache_model != NULL)
    weir_cache_model_set_recorded (self->cache_model, NULL, NULL);
  g_signal_handlers_disconnect_by_data (
      weir_timeline_panel_get_view (weir_editor_get_timeline (self)), self);
  g_signal_handlers_disconnect_by_data (self->timeline, self);
  g_signal_handlers_disconnect_by_data (self->scopes, self);
  g_clear_pointer (&self->recorded->fitted, weir_layout_unref);
  g_free (self->recorded->overlay_before);
  g_clear_pointer (&self->recorded, g_free);
  self->timeline = NULL;
}
