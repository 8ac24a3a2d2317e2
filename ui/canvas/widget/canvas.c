/* WeirCanvas: what is shown, and its keeping in step with the document. See canvas.h. */
#include "canvas/widget/canvas-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/completion/completion.h"
#include "widgets/look.h"

G_DEFINE_FINAL_TYPE (WeirCanvas, weir_canvas, GTK_TYPE_WIDGET)

enum {
  PROP_0,
  PROP_DOCUMENT,
  PROP_ZOOM,
  PROP_SHOW_GRID,
  PROP_SNAP,
  PROP_SHOW_LABELS,
  PROP_SHOW_VALUES,
  PROP_SHOW_MINIMAP,
  PROP_EXTEND_SELECTION,
  PROP_OVERLAY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
guint weir_canvas_signals[WEIR_CANVAS_N_SIGNALS];

/* --- The document ---------------------------------------------------------------------------- */

WeirSite
weir_canvas_get_site (WeirCanvas *self)
{
  return (WeirSite) { weir_document_get_model (self->document), weir_canvas_get_place (self) };
}

WeirElements
weir_canvas_get_elements (WeirCanvas *self)
{
  return weir_selection_get_elements (weir_tool_get_selection (self->tool));
}

/* Takes over the document's current model. */
void
weir_canvas_take_model (WeirCanvas *self)
{
  WeirDiagram *diagram;
  WeirScene *scene;
  gboolean left = FALSE;

  while ((diagram = weir_site_get_diagram (weir_canvas_get_site (self))) == NULL)
    {
      g_array_set_size (self->place, self->place->len - 1);
      left = TRUE;
    }
  if (self->scene == NULL || diagram != weir_scene_get_diagram (self->scene))
    {
      scene = weir_scene_new (diagram, left ? NULL : self->scene);
      g_clear_pointer (&self->scene, weir_scene_unref);
      self->scene = scene;
    }
  weir_tool_set_site (self->tool, weir_canvas_get_site (self), self->scene);
  if (left)
    self->has_view = FALSE;
  weir_canvas_sync_nodes (self);
  weir_canvas_view_changed (self);
  weir_canvas_update (self);
  if (left)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED], 0);
}

/* How large every signal is, for the widths of wires: found beside the main thread, as it takes as
 * long as the first half of completing the model. */
static void
find_sizes (GTask *task, gpointer source, gpointer model, GCancellable *cancellable)
{
  g_task_return_pointer (task, weir_model_dup_signal_sizes (model),
                         (GDestroyNotify) g_hash_table_unref);
}

static void
on_sizes_found (GObject *source, GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (WeirCanvas) self = g_weak_ref_get (weak); /* it may be gone meanwhile */
  g_autoptr (GHashTable) sizes = g_task_propagate_pointer (G_TASK (result), NULL);

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self == NULL || sizes == NULL)
    return; /* an edit came in between */
  g_clear_pointer (&self->sizes, g_hash_table_unref);
  self->sizes = g_steal_pointer (&sizes);
  weir_canvas_sync_parts (self); /* they tell it */
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
queue_find_sizes (WeirCanvas *self)
{
  g_autoptr (GTask) task = NULL;
  GWeakRef *weak = g_new (GWeakRef, 1);

  g_weak_ref_init (weak, self);
  g_cancellable_cancel (self->sizes_cancellable);
  g_clear_object (&self->sizes_cancellable);
  self->sizes_cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->sizes_cancellable, on_sizes_found, weak);
  g_task_set_task_data (task, weir_model_ref (weir_document_get_model (self->document)),
                        (GDestroyNotify) weir_model_unref);
  g_task_run_in_thread (task, find_sizes);
}

static void
on_document_changed (WeirDocument *document, WeirAspects aspects, WeirCanvas *self)
{
  if (aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_VALUES))
    queue_find_sizes (self);
  weir_canvas_take_model (self);
}

gboolean
weir_canvas_apply (WeirCanvas *self, WeirEdit *edit, const char *merge_key)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (edit == NULL)
    return FALSE;
  done = weir_document_edit (self->document, edit->patch, edit->label, merge_key, &error);
  if (!done)
    weir_canvas_say (self, error->message);
  else if (edit->new_blocks != NULL || edit->new_notes != NULL)
    weir_selection_set (weir_tool_get_selection (self->tool), edit->new_blocks, NULL,
                        edit->new_notes);
  weir_edit_free (edit);
  weir_canvas_update (self);
  return done;
}

void
weir_canvas_say (WeirCanvas *self, const char *text)
{
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_MESSAGE], 0, text);
}

guint32
weir_canvas_insert (WeirCanvas *self, const char *type, WeirPoint center, gboolean find_room)
{
  g_autoptr (WeirBlock) sample = NULL;
  WeirPoint size, at;
  WeirEdit *edit;

  if (weir_registry_find (type) == NULL)
    return 0;
  sample = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  size = weir_block_get_turned_size (sample);
  at = (WeirPoint) { center.x - size.x / 2, center.y - size.y / 2 };
  if (self->snap || find_room)
    at = (WeirPoint) { weir_snap (at.x), weir_snap (at.y) };
  if (find_room)
    at = weir_edit_find_room (self->scene, size, at);
  edit = weir_edit_add_block (weir_canvas_get_site (self), type, at);
  if (!weir_canvas_apply (self, edit, NULL))
    return 0;
  weir_canvas_focus_block (self, weir_canvas_get_selected_block (self));
  return weir_canvas_get_selected_block (self);
}

guint32
weir_canvas_add_block (WeirCanvas *self, const char *type)
{
  WeirRect visible;
  guint32 id;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), 0);
  g_return_val_if_fail (type != NULL, 0);

  visible = weir_viewport_get_visible (&self->viewport);
  id = weir_canvas_insert (self, type, weir_rect_get_center (visible), TRUE);
  if (id != 0
      && weir_viewport_reveal (&self->viewport, weir_scene_find_block (self->scene, id)->reach))
    weir_canvas_view_changed (self);
  return id;
}

/* --- The widget ------------------------------------------------------------------------------ */

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 150;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 600;
  *minimum_baseline = *natural_baseline = -1;
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  if (self->has_view && (self->viewport.width != width || self->viewport.height != height))
    {
      self->viewport.width = width;
      self->viewport.height = height;
      weir_canvas_follow_size (self);
    }
  self->viewport.width = width;
  self->viewport.height = height;
  if (!self->has_view)
    weir_canvas_ensure_view (self);
  weir_tool_set_pixel (self->tool, 1 / self->viewport.zoom);
  weir_canvas_update_minimap (self); /* it says where that goes */
  weir_canvas_allocate_nodes (self);
}

static void
root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_canvas_parent_class)->root (widget);
  weir_canvas_watch_typing (WEIR_CANVAS (widget), gtk_widget_get_root (widget));
}

static void
unroot (GtkWidget *widget)
{
  weir_canvas_watch_typing (WEIR_CANVAS (widget), NULL);
  GTK_WIDGET_CLASS (weir_canvas_parent_class)->unroot (widget);
}

static void
on_style_changed (WeirCanvas *self)
{
  self->palette = weir_look_get_palette ();
  weir_canvas_update_minimap (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- The selection --------------------------------------------------------------------------- */

/* "Wire from plant.y to Scope.in1" */
static char *
describe_wire (WeirCanvas *self, guint32 id)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, id);
  WeirWireEnd ends[2] = { weir_wire_get_from (shape->wire), weir_wire_get_to (shape->wire) };
  g_autofree char *names[2] = { NULL, NULL };
  const char *label = weir_wire_get_label (shape->wire);

  for (int i = 0; i < 2; i++)
    {
      const WeirBlockShape *block = weir_scene_find_block (self->scene, ends[i].block);

      names[i] = block != NULL
                     ? g_strdup_printf ("%s.%s", weir_block_get_name (block->block), ends[i].port)
                     : g_strdup (_ ("a loose end"));
    }
  if (label[0] != '\0')
    return g_strdup_printf (_ ("Wire %s from %s to %s selected"), label, names[0], names[1]);
  return g_strdup_printf (_ ("Wire from %s to %s selected"), names[0], names[1]);
}

static void
describe (WeirCanvas *self)
{
  WeirElements what = weir_canvas_get_elements (self);
  guint n = what.n_blocks + what.n_wires + what.n_notes;
  g_autofree char *text = NULL;

  if (n == 1 && what.n_blocks == 1)
    text = g_strdup_printf (
        _ ("%s selected"),
        weir_block_get_name (weir_scene_find_block (self->scene, what.blocks[0])->block));
  else if (n == 1 && what.n_wires == 1)
    text = describe_wire (self, what.wires[0]);
  else if (n == 1)
    text = g_strdup_printf (_ ("Note %s selected"),
                            weir_note_get_text (weir_diagram_find_note (
                                weir_scene_get_diagram (self->scene), what.notes[0])));
  else
    text = g_strdup_printf (_ ("%u blocks and %u wires selected"), what.n_blocks, what.n_wires);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
weir_canvas_update (WeirCanvas *self)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);

  if (selection->serial != self->selection_serial)
    {
      GHashTableIter iter;
      gpointer id, node;

      self->selection_serial = selection->serial;
      self->lit = NULL;
      if (self->chosen_block != weir_canvas_get_selected_block (self))
        self->chosen_block = 0;
      weir_document_end_merge (self->document);
      g_hash_table_iter_init (&iter, self->nodes);
      while (g_hash_table_iter_next (&iter, &id, &node))
        gtk_accessible_update_state (
            GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_STATE_SELECTED,
            weir_selection_contains (selection, WEIR_SELECT_BLOCK, GPOINTER_TO_UINT (id)), -1);
      weir_canvas_select_parts (self);
      describe (self);
      weir_canvas_update_actions (self);
      g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_SELECTION_CHANGED], 0);
    }
  weir_canvas_place_minimap (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
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
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirCanvas *self = WEIR_CANVAS (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_ZOOM:
      g_value_set_double (value, self->viewport.zoom);
      break;
    case PROP_SHOW_GRID:
      g_value_set_boolean (value, self->show_grid);
      break;
    case PROP_SNAP:
      g_value_set_boolean (value, self->snap);
      break;
    case PROP_SHOW_LABELS:
      g_value_set_boolean (value, self->show_labels);
      break;
    case PROP_SHOW_VALUES:
      g_value_set_boolean (value, self->show_values);
      break;
    case PROP_EXTEND_SELECTION:
      g_value_set_boolean (value, self->extend_selection);
      break;
    case PROP_OVERLAY:
      g_value_set_static_string (value, weir_overlay_mode_to_nick (self->overlay_mode));
      break;
    case PROP_SHOW_MINIMAP:
      g_value_set_boolean (value, gtk_widget_get_visible (self->minimap));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WeirCanvas *self = WEIR_CANVAS (object);
  WeirOverlayMode mode;

  switch (id)
    {
    case PROP_DOCUMENT:
      self->document = g_value_dup_object (value);
      break;
    case PROP_SHOW_GRID:
      self->show_grid = g_value_get_boolean (value);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      break;
    case PROP_SNAP:
      self->snap = g_value_get_boolean (value);
      weir_tool_set_snap (self->tool, self->snap);
      break;
    case PROP_SHOW_LABELS:
      self->show_labels = g_value_get_boolean (value);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      break;
    case PROP_SHOW_VALUES:
      self->show_values = g_value_get_boolean (value);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      break;
    case PROP_EXTEND_SELECTION:
      if (g_value_get_boolean (value) && !self->extend_selection)
        weir_canvas_say (self, _ ("Going to a block now adds it to the selection."));
      self->extend_selection = g_value_get_boolean (value);
      break;
    case PROP_OVERLAY:
      if (weir_overlay_mode_from_nick (g_value_get_string (value), &mode))
        weir_canvas_set_overlay_mode (self, mode);
      break;
    case PROP_SHOW_MINIMAP:
      gtk_widget_set_visible (self->minimap, g_value_get_boolean (value));
      weir_canvas_update_minimap (self);
      gtk_widget_queue_allocate (GTK_WIDGET (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
constructed (GObject *object)
{
  WeirCanvas *self = WEIR_CANVAS (object);

  G_OBJECT_CLASS (weir_canvas_parent_class)->constructed (object);
  g_return_if_fail (self->document != NULL);

  g_signal_connect_object (self->document, "changed", G_CALLBACK (on_document_changed), self, 0);
  weir_look_follow (self, G_CALLBACK (on_style_changed));
  on_style_changed (self);
  weir_canvas_take_model (self);
  queue_find_sizes (self);
  weir_canvas_add_controllers (self);
}

static void
dispose (GObject *object)
{
  WeirCanvas *self = WEIR_CANVAS (object);
  GtkWidget *child;

  weir_canvas_stop_scrolling (self);
  weir_canvas_stop_coasting (self);
  g_cancellable_cancel (self->sizes_cancellable);
  g_clear_object (&self->sizes_cancellable);
  g_hash_table_remove_all (self->nodes);
  g_hash_table_remove_all (self->wire_nodes);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child); /* popovers, block nodes */
  G_OBJECT_CLASS (weir_canvas_parent_class)->dispose (object);
}

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
  g_clear_pointer (&self->sizes, g_hash_table_unref);
  g_clear_pointer (&self->values, g_hash_table_unref);
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
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->constructed = constructed;
  object_class->dispose = dispose;
  object_class->finalize = finalize;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  widget_class->snapshot = weir_canvas_snapshot;
  widget_class->query_tooltip = weir_canvas_query_tooltip;
  widget_class->focus = weir_canvas_focus;
  widget_class->root = root;
  widget_class->unroot = unroot;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, WEIR_TYPE_DOCUMENT,
                                                   G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY
                                                       | G_PARAM_STATIC_STRINGS);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, WEIR_ZOOM_MIN, WEIR_ZOOM_MAX, 1,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_GRID] = g_param_spec_boolean ("show-grid", NULL, NULL, TRUE,
                                                     G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_EXTEND_SELECTION] = g_param_spec_boolean (
      "extend-selection", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_OVERLAY] = g_param_spec_string ("overlay", NULL, NULL, "off",
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                      | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_LABELS] = g_param_spec_boolean ("show-labels", NULL, NULL, TRUE,
                                                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_VALUES] = g_param_spec_boolean ("show-values", NULL, NULL, FALSE,
                                                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_MINIMAP] = g_param_spec_boolean ("show-minimap", NULL, NULL, TRUE,
                                                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SNAP] = g_param_spec_boolean ("snap", NULL, NULL, TRUE,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

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

  weir_canvas_class_install_actions (widget_class);
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
on_minimap_moved (WeirMinimap *minimap, double x, double y, WeirCanvas *self)
{
  weir_viewport_center_on (&self->viewport, (WeirPoint) { x, y });
  weir_canvas_view_changed (self);
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
  self->minimap = weir_minimap_new ();
  gtk_widget_set_parent (self->minimap, GTK_WIDGET (self));
  g_signal_connect (self->minimap, "moved", G_CALLBACK (on_minimap_moved), self);
  self->show_grid = self->snap = self->show_labels = TRUE;
  self->palette = weir_palette_get (WEIR_PALETTE_LIGHT);
  weir_viewport_init (&self->viewport);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Diagram"), -1);
}

GtkWidget *
weir_canvas_new (WeirDocument *document)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (document), NULL);
  return g_object_new (WEIR_TYPE_CANVAS, "document", document, NULL);
}
