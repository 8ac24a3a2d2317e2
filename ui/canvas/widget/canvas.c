/* The canvas as a widget: all of it put together. See canvas.h; what it stands on is in
 * canvas-ground.h, and what happens there it follows here.
 */
#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-ground.h"
#include "canvas/widget/canvas-shown.h"

#include <glib/gi18n-lib.h>

#include "canvas/widget/minimap.h"
#include "widgets/look.h"

typedef struct {
  WeirCanvas parent_instance;
} WeirCanvasWidget;

typedef struct {
  WeirCanvasClass parent_class;
} WeirCanvasWidgetClass;

static GType weir_canvas_widget_get_type (void);
G_DEFINE_FINAL_TYPE (WeirCanvasWidget, weir_canvas_widget, WEIR_TYPE_CANVAS)

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
  weir_canvas_allocate_minimap (self);
  /* Popovers are children too. */
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_present (GTK_POPOVER (child));
}

static void
root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (weir_canvas_widget_parent_class)->root (widget);
  weir_canvas_follow_typing (WEIR_CANVAS (widget), gtk_widget_get_root (widget));
}

static void
unroot (GtkWidget *widget)
{
  weir_canvas_follow_typing (WEIR_CANVAS (widget), NULL);
  GTK_WIDGET_CLASS (weir_canvas_widget_parent_class)->unroot (widget);
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

/* --- What happens below ---------------------------------------------------------------------- */

static void
told (WeirCanvas *self, WeirCanvasNews news)
{
  switch (news)
    {
    case WEIR_CANVAS_NEWS_SCENE:
    case WEIR_CANVAS_NEWS_BREAKPOINTS:
      weir_canvas_sync_nodes (self);
      break;
    case WEIR_CANVAS_NEWS_PROBLEMS:
      weir_canvas_sync_nodes (self);
      weir_canvas_update_minimap (self);
      break;
    case WEIR_CANVAS_NEWS_SIZES:
      weir_canvas_sync_parts (self);
      break;
    case WEIR_CANVAS_NEWS_VIEW:
      weir_canvas_update_minimap (self);
      weir_canvas_update_actions (self);
      break;
    case WEIR_CANVAS_NEWS_SELECTION:
      weir_canvas_select_nodes (self);
      describe (self);
      weir_canvas_update_actions (self);
      break;
    case WEIR_CANVAS_NEWS_COMMANDS:
      weir_canvas_update_actions (self);
      break;
    case WEIR_CANVAS_NEWS_GESTURE:
    default:
      weir_canvas_place_minimap (self);
    }
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

  G_OBJECT_CLASS (weir_canvas_widget_parent_class)->constructed (object);
  g_return_if_fail (self->document != NULL);

  weir_look_follow (self, G_CALLBACK (on_style_changed));
  on_style_changed (self);
  weir_canvas_follow_document (self);
  weir_canvas_add_touch (self, weir_canvas_add_controllers (self));
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
  G_OBJECT_CLASS (weir_canvas_widget_parent_class)->dispose (object);
}

static void
weir_canvas_widget_class_init (WeirCanvasWidgetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->constructed = constructed;
  object_class->dispose = dispose;
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
weir_canvas_widget_init (WeirCanvasWidget *widget)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  self->told = told;
  self->minimap = weir_minimap_new ();
  gtk_widget_set_parent (self->minimap, GTK_WIDGET (self));
  g_signal_connect (self->minimap, "moved", G_CALLBACK (on_minimap_moved), self);
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
  return g_object_new (weir_canvas_widget_get_type (), "document", document, NULL);
}
