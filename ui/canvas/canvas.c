/* WeirCanvas: what is shown, and its keeping in step with the document. See canvas.h. */
#include "canvas/canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (WeirCanvas, weir_canvas, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_DOCUMENT, PROP_ZOOM, PROP_SHOW_GRID, PROP_SNAP, N_PROPS };

static GParamSpec *properties[N_PROPS];
guint weir_canvas_signals[WEIR_CANVAS_N_SIGNALS];

/* --- The document ------------------------------------------------------------------------------- */

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
static void
take_model (WeirCanvas *self)
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

static void
on_document_changed (WeirDocument *document, WeirAspects aspects, WeirCanvas *self)
{
  take_model (self);
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
  if (id != 0 && weir_viewport_reveal (&self->viewport, weir_scene_find_block (self->scene, id)->reach))
    weir_canvas_view_changed (self);
  return id;
}

/* --- The place ------------------------------------------------------------------------------------ */

WeirPlace
weir_canvas_get_place (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), WEIR_PLACE_ROOT);
  return (WeirPlace) { (const guint32 *) (gpointer) self->place->data, self->place->len };
}

static gpointer
get_view_key (WeirCanvas *self)
{
  guint n = self->place->len;

  return GUINT_TO_POINTER (n == 0 ? 0 : g_array_index (self->place, guint32, n - 1));
}

/* Shows the whole diagram, or where its first block would go, if this place was not seen before. */
static void
ensure_view (WeirCanvas *self)
{
  const WeirViewport *old;

  if (self->has_view || self->viewport.width <= 0)
    return;
  self->has_view = TRUE;
  old = g_hash_table_lookup (self->views, get_view_key (self));
  if (old != NULL)
    {
      self->viewport.zoom = old->zoom;
      self->viewport.offset = old->offset;
      return;
    }
  if (weir_scene_get_reach (self->scene).width > 0)
    weir_viewport_fit (&self->viewport, weir_scene_get_reach (self->scene), 1);
  else
    {
      self->viewport.zoom = 1;
      weir_viewport_center_on (&self->viewport, (WeirPoint) { 0, 0 });
    }
}

void
weir_canvas_set_place (WeirCanvas *self, WeirPlace place)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (place.n_ids > 0)
    g_array_append_vals (ids, place.ids, place.n_ids);
  if (ids->len == self->place->len
      && (ids->len == 0 || memcmp (ids->data, self->place->data, ids->len * sizeof (guint32)) == 0))
    return;
  weir_tool_cancel (self->tool);
  if (self->has_view)
    g_hash_table_insert (self->views, get_view_key (self),
                         g_memdup2 (&self->viewport, sizeof self->viewport));
  g_array_unref (self->place);
  self->place = g_steal_pointer (&ids);
  while (weir_site_get_diagram (weir_canvas_get_site (self)) == NULL)
    g_array_set_size (self->place, self->place->len - 1);
  self->has_view = FALSE;
  take_model (self);
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED], 0);
}

void
weir_canvas_enter (WeirCanvas *self, guint32 block)
{
  g_autoptr (GArray) ids = g_array_copy (self->place);

  g_array_append_val (ids, block);
  if (weir_model_get_diagram (weir_document_get_model (self->document),
                              (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len })
      != NULL)
    weir_canvas_set_place (self,
                           (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
}

void
weir_canvas_leave (WeirCanvas *self)
{
  guint32 left;

  if (self->place->len == 0)
    return;
  left = g_array_index (self->place, guint32, self->place->len - 1);
  weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) self->place->data,
                                             self->place->len - 1 });
  weir_canvas_select_block (self, left);
}

/* --- The view -------------------------------------------------------------------------------------- */

void
weir_canvas_view_changed (WeirCanvas *self)
{
  ensure_view (self);
  weir_tool_set_pixel (self->tool, 1 / self->viewport.zoom);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  weir_canvas_update_actions (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOM]);
}

double
weir_canvas_get_zoom (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), 1);
  return self->viewport.zoom;
}

void
weir_canvas_center_on (WeirCanvas *self, guint32 block)
{
  const WeirBlockShape *shape;

  g_return_if_fail (WEIR_IS_CANVAS (self));

  shape = weir_scene_find_block (self->scene, block);
  if (shape == NULL)
    return;
  ensure_view (self);
  weir_viewport_center_on (&self->viewport, weir_rect_get_center (shape->box));
  weir_canvas_view_changed (self);
}

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

  self->viewport.width = width;
  self->viewport.height = height;
  if (!self->has_view)
    {
      ensure_view (self);
      weir_tool_set_pixel (self->tool, 1 / self->viewport.zoom);
    }
  weir_canvas_allocate_nodes (self);
}

static void
on_style_changed (WeirCanvas *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->palette = weir_palette_find (adw_style_manager_get_dark (manager),
                                     adw_style_manager_get_high_contrast (manager));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- The selection ----------------------------------------------------------------------------------- */

static void
describe (WeirCanvas *self)
{
  guint n_blocks, n_wires;
  g_autofree char *text = NULL;

  weir_canvas_get_selected (self, &n_blocks);
  weir_canvas_get_selected_wires (self, &n_wires);
  if (n_blocks == 1 && n_wires == 0)
    text = g_strdup_printf (
      _("%s selected"),
      weir_block_get_name (
        weir_scene_find_block (self->scene, weir_canvas_get_selected_block (self))->block));
  else
    text = g_strdup_printf (_("%u blocks and %u wires selected"), n_blocks, n_wires);
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
      if (self->chosen_block != weir_canvas_get_selected_block (self))
        self->chosen_block = 0;
      weir_document_end_merge (self->document);
      g_hash_table_iter_init (&iter, self->nodes);
      while (g_hash_table_iter_next (&iter, &id, &node))
        gtk_accessible_update_state (
          GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_STATE_SELECTED,
          weir_selection_contains (selection, WEIR_SELECT_BLOCK, GPOINTER_TO_UINT (id)), -1);
      describe (self);
      weir_canvas_update_actions (self);
      g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_SELECTION_CHANGED], 0);
    }
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

static char *
dup_port_path (WeirCanvas *self, guint32 block, const char *port)
{
  g_autofree char *path
    = weir_model_dup_block_path (weir_document_get_model (self->document), block);

  return path != NULL ? g_strdup_printf ("%s.%s", path, port) : NULL;
}

char *
weir_canvas_get_selected_port (WeirCanvas *self)
{
  guint32 id;
  guint n_blocks, n_wires;
  const guint32 *wires;
  const WeirBlockShape *shape;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);

  weir_canvas_get_selected (self, &n_blocks);
  wires = weir_canvas_get_selected_wires (self, &n_wires);
  if (n_wires == 1 && n_blocks == 0)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, wires[0]);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      return wire->from_connected ? dup_port_path (self, from.block, from.port) : NULL;
    }
  id = weir_canvas_get_selected_block (self);
  shape = weir_scene_find_block (self->scene, id);
  if (shape == NULL)
    return NULL;
  if (self->chosen_block == id && weir_block_shape_find_port (shape, self->chosen_port, TRUE) != NULL)
    return dup_port_path (self, id, self->chosen_port);
  return shape->n_outputs > 0 ? dup_port_path (self, id, shape->ports[shape->n_inputs].name) : NULL;
}

/* Goes to the place of an element of the model: found by looking everywhere. */
static gboolean
go_to_wire (WeirCanvas *self, WeirDiagram *diagram, GArray *ids, guint32 wire);

typedef struct {
  WeirCanvas *canvas;
  GArray *ids;
  guint32 wire;
  gboolean found;
} WireSearch;

static gboolean
search_block (WeirBlock *block, gpointer data)
{
  WireSearch *search = data;
  guint32 id = weir_block_get_id (block);

  if (weir_block_get_diagram (block) == NULL)
    return TRUE;
  g_array_append_val (search->ids, id);
  search->found = go_to_wire (search->canvas, weir_block_get_diagram (block), search->ids,
                              search->wire);
  g_array_set_size (search->ids, search->ids->len - 1);
  return !search->found;
}

static gboolean
go_to_wire (WeirCanvas *self, WeirDiagram *diagram, GArray *ids, guint32 wire)
{
  WireSearch search = { self, ids, wire, FALSE };

  if (weir_diagram_find_wire (diagram, wire) != NULL)
    {
      weir_canvas_set_place (self,
                             (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
      return TRUE;
    }
  weir_diagram_foreach_block (diagram, search_block, &search);
  return search.found;
}

static void
select_and_reveal (WeirCanvas *self, WeirSelectKind kind, guint32 id, WeirRect reach)
{
  weir_selection_set_one (weir_tool_get_selection (self->tool), kind, id);
  ensure_view (self);
  if (self->has_view && weir_viewport_reveal (&self->viewport, reach))
    weir_canvas_view_changed (self);
  weir_canvas_update (self);
}

void
weir_canvas_select_block (WeirCanvas *self, guint32 id)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_if_fail (WEIR_IS_CANVAS (self));

  weir_tool_cancel (self->tool);
  if (id == 0
      || weir_model_find_block (weir_document_get_model (self->document), id, ids) == NULL)
    {
      weir_selection_set_none (weir_tool_get_selection (self->tool));
      weir_canvas_update (self);
      return;
    }
  weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
  select_and_reveal (self, WEIR_SELECT_BLOCK, id, weir_scene_find_block (self->scene, id)->reach);
}

void
weir_canvas_select_wire (WeirCanvas *self, guint32 id)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_if_fail (WEIR_IS_CANVAS (self));

  weir_tool_cancel (self->tool);
  if (id == 0
      || !go_to_wire (self, weir_model_get_root (weir_document_get_model (self->document)), ids, id))
    {
      weir_selection_set_none (weir_tool_get_selection (self->tool));
      weir_canvas_update (self);
      return;
    }
  select_and_reveal (self, WEIR_SELECT_WIRE, id, weir_scene_find_wire (self->scene, id)->reach);
}

/* --- Problems ------------------------------------------------------------------------------------------ */

void
weir_canvas_set_diagnostics (WeirCanvas *self, WeirDiagnostics *diagnostics)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (diagnostics != NULL)
    weir_diagnostics_ref (diagnostics);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  self->diagnostics = diagnostics;
  weir_canvas_sync_nodes (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

char *
weir_canvas_dup_problems (WeirCanvas *self, guint32 id)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);

      if (diagnostic->block != id && diagnostic->wire != id)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      g_string_append (text, diagnostic->text);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirHit hit;
  const WeirBlockShape *shape;
  g_autofree char *problems = NULL;
  g_autofree char *text = NULL;

  if (keyboard || weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE)
    return FALSE;
  hit = weir_scene_hit (self->scene,
                        weir_viewport_to_diagram (&self->viewport, (WeirPoint) { x, y }),
                        6 / self->viewport.zoom);
  if (hit.kind == WEIR_HIT_NOTHING)
    return FALSE;
  problems = weir_canvas_dup_problems (self, hit.id);
  shape = hit.kind != WEIR_HIT_WIRE ? weir_scene_find_block (self->scene, hit.id) : NULL;
  if (hit.kind == WEIR_HIT_PORT)
    text = g_strdup_printf (hit.port->is_output ? _("%s: output %s") : _("%s: input %s"),
                            weir_block_get_name (shape->block), hit.port->name);
  else if (problems != NULL)
    text = g_steal_pointer (&problems);
  else if (shape != NULL && shape->type != NULL)
    text = g_strdup_printf ("%s (%s)\n%s", weir_block_get_name (shape->block),
                            _(shape->type->title), _(shape->type->summary));
  else if (shape != NULL)
    text = g_strdup_printf (_("%s: there is no block type %s."), weir_block_get_name (shape->block),
                            weir_block_get_type_name (shape->block));
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* --- The object ------------------------------------------------------------------------------------------ */

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
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WeirCanvas *self = WEIR_CANVAS (object);

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
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
constructed (GObject *object)
{
  WeirCanvas *self = WEIR_CANVAS (object);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  G_OBJECT_CLASS (weir_canvas_parent_class)->constructed (object);
  g_return_if_fail (self->document != NULL);

  g_signal_connect_object (self->document, "changed", G_CALLBACK (on_document_changed), self, 0);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (on_style_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (on_style_changed), self,
                           G_CONNECT_SWAPPED);
  on_style_changed (self);
  take_model (self);
  weir_canvas_add_controllers (self);
}

static void
dispose (GObject *object)
{
  WeirCanvas *self = WEIR_CANVAS (object);
  GtkWidget *child;

  weir_canvas_stop_scrolling (self);
  g_hash_table_remove_all (self->nodes);
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
  g_hash_table_unref (self->views);
  g_hash_table_unref (self->nodes);
  g_free (self->chosen_port);
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
  widget_class->query_tooltip = query_tooltip;
  widget_class->focus = weir_canvas_focus;

  properties[PROP_DOCUMENT]
    = g_param_spec_object ("document", NULL, NULL, WEIR_TYPE_DOCUMENT,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, WEIR_ZOOM_MIN, WEIR_ZOOM_MAX, 1,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_GRID] = g_param_spec_boolean ("show-grid", NULL, NULL, TRUE,
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

  weir_canvas_class_install_actions (widget_class);
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
weir_canvas_init (WeirCanvas *self)
{
  self->place = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->views = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->nodes = g_hash_table_new (NULL, NULL);
  self->tool = weir_tool_new ();
  self->show_grid = self->snap = TRUE;
  self->palette = weir_palette_get (WEIR_PALETTE_LIGHT);
  weir_viewport_init (&self->viewport);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Diagram"), -1);
}

GtkWidget *
weir_canvas_new (WeirDocument *document)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (document), NULL);
  return g_object_new (WEIR_TYPE_CANVAS, "document", document, NULL);
}

WeirDocument *
weir_canvas_get_document (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return self->document;
}
