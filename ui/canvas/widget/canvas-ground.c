/* What all of the canvas stands on: the type with its signals, what it shows and what is selected,
 * and how the canvas as a whole is told of a change.
 */
#include "canvas/widget/canvas-ground.h"

G_DEFINE_ABSTRACT_TYPE (WeirCanvas, weir_canvas, GTK_TYPE_WIDGET)

guint weir_canvas_signals[WEIR_CANVAS_N_SIGNALS];

void
weir_canvas_tell (WeirCanvas *self, WeirCanvasNews news)
{
  self->told (self, news);
}

void
weir_canvas_say (WeirCanvas *self, const char *text)
{
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_MESSAGE], 0, text);
}

/* --- What is shown --------------------------------------------------------------------------- */

WeirPlace
weir_canvas_get_place (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), WEIR_PLACE_ROOT);
  return (WeirPlace) { (const guint32 *) (gpointer) self->place->data, self->place->len };
}

WeirSite
weir_canvas_get_site (WeirCanvas *self)
{
  return (WeirSite) { weir_document_get_model (self->document), weir_canvas_get_place (self) };
}

gpointer
weir_canvas_get_view_key (WeirCanvas *self)
{
  guint n = self->place->len;

  return GUINT_TO_POINTER (n == 0 ? 0 : g_array_index (self->place, guint32, n - 1));
}

/* --- What is selected ------------------------------------------------------------------------ */

WeirElements
weir_canvas_get_elements (WeirCanvas *self)
{
  return weir_selection_get_elements (weir_tool_get_selection (self->tool));
}

const guint32 *
weir_canvas_get_selected (WeirCanvas *self, guint *n)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return weir_selection_get (weir_tool_get_selection (self->tool), WEIR_SELECT_BLOCK, n);
}

const guint32 *
weir_canvas_get_selected_wires (WeirCanvas *self, guint *n)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return weir_selection_get (weir_tool_get_selection (self->tool), WEIR_SELECT_WIRE, n);
}

guint32
weir_canvas_get_selected_block (WeirCanvas *self)
{
  guint n;
  const guint32 *ids = weir_canvas_get_selected (self, &n);

  return n == 1 ? ids[0] : 0;
}

/* --- The object ------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  WeirCanvas *self = WEIR_CANVAS (object);

  weir_tool_free (self->tool);
  g_clear_pointer (&self->scene, weir_scene_unref);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  g_clear_object (&self->document);
  g_array_unref (self->place);
  g_ptr_array_unref (self->past);
  g_ptr_array_unref (self->future);
  g_clear_pointer (&self->kept, weir_kept_free);
  g_clear_pointer (&self->sizes, g_hash_table_unref);
  g_clear_pointer (&self->late, g_hash_table_unref);
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_clear_pointer (&self->flows, weir_part_flows_unref);
  g_clear_pointer (&self->overlay, weir_overlay_unref);
  g_hash_table_unref (self->views);
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->wire_nodes);
  g_hash_table_unref (self->sentences);
  g_hash_table_unref (self->breaks);
  g_hash_table_unref (self->breaks_off);
  g_free (self->chosen_port);
  g_free (self->find_text);
  G_OBJECT_CLASS (weir_canvas_parent_class)->finalize (object);
}

static void
weir_canvas_class_init (WeirCanvasClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  weir_canvas_signals[WEIR_CANVAS_SELECTION_CHANGED] = g_signal_new (
      "selection-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED] = g_signal_new (
      "place-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  weir_canvas_signals[WEIR_CANVAS_ACTIVATE_BLOCK] = g_signal_new (
      "activate-block", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  weir_canvas_signals[WEIR_CANVAS_PLOT_PORT] = g_signal_new (
      "plot-port", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  weir_canvas_signals[WEIR_CANVAS_MESSAGE] = g_signal_new (
      "message", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  weir_canvas_signals[WEIR_CANVAS_DELETED] = g_signal_new (
      "deleted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  weir_canvas_signals[WEIR_CANVAS_MADE] = g_signal_new ("made", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  weir_canvas_signals[WEIR_CANVAS_POINTED_CHANGED] = g_signal_new (
      "pointed-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  weir_canvas_signals[WEIR_CANVAS_VIEW_COMMAND] = g_signal_new (
      "view-command", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  weir_canvas_signals[WEIR_CANVAS_CARRIED] = g_signal_new (
      "carried", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL,
      G_TYPE_BOOLEAN, 3, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
}

static void
weir_canvas_init (WeirCanvas *self)
{
  self->place = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->views = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->nodes = g_hash_table_new (NULL, NULL);
  self->wire_nodes = g_hash_table_new (NULL, NULL);
  self->sentences = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->breaks = g_hash_table_new (NULL, NULL);
  self->breaks_off = g_hash_table_new (NULL, NULL);
  self->first_fresh = G_MAXUINT32;
  self->tool = weir_tool_new ();
  self->past = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->future = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->show_grid = self->snap = self->show_labels = TRUE;
  self->palette = weir_palette_get (WEIR_PALETTE_LIGHT);
  weir_viewport_init (&self->viewport);
}
