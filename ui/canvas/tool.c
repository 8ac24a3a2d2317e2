/* The gestures of the canvas as a state machine. See tool.h.
 *
 * A press only notes what is under it. Motion beyond a few pixels turns it into a gesture, chosen by
 * what was pressed and the modifiers then; release without motion is a click. A gesture's outcome is
 * recomputed from its start at every motion, never accumulated.
 */
#include "canvas/tool.h"

#include <math.h>

#include "paint/routing.h"

#define DRAG_PIXELS 4.0
#define HIT_PIXELS 6.0
#define PORT_SNAP_PIXELS 14.0 /* while wiring, ports reach further */

struct _WeirTool {
  WeirModel *model;
  GArray *place_ids;
  WeirScene *scene;
  gboolean snap;
  double pixel;
  WeirSelection selection;

  WeirToolState state;
  WeirPoint start, here;
  WeirToolModifiers start_modifiers;
  WeirHit hover;

  /* what was pressed */
  WeirHitKind pressed_kind;
  guint32 pressed_id;
  guint pressed_segment;
  char *pressed_port;
  gboolean pressed_is_output;
  gboolean was_selected;

  /* banding */
  GArray *band_base[WEIR_N_SELECT_KINDS];

  /* moving and bending */
  WeirEdit *edit;
  WeirScene *preview;

  /* wiring */
  WeirToolPort source;  /* port owned: source_port */
  char *source_port;
  WeirToolPort target;  /* port borrowed from the scene */
  guint32 rewired;      /* wire whose input end is being moved, or 0 */
  gboolean by_click, by_keyboard;
  GArray *wire_bends, *wire_points;
  char *refusal;
  GArray *targets; /* WeirToolPort: legal ones in reading order, by keyboard */
  int target_index;
};

WeirTool *
weir_tool_new (void)
{
  WeirTool *self = g_new0 (WeirTool, 1);

  self->place_ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->snap = TRUE;
  self->pixel = 1;
  weir_selection_init (&self->selection);
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    self->band_base[kind] = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->wire_bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  self->wire_points = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  self->targets = g_array_new (FALSE, FALSE, sizeof (WeirToolPort));
  return self;
}

static void
end_gesture (WeirTool *self)
{
  self->state = WEIR_TOOL_IDLE;
  g_clear_pointer (&self->edit, weir_edit_free);
  g_clear_pointer (&self->preview, weir_scene_unref);
  g_clear_pointer (&self->pressed_port, g_free);
  g_clear_pointer (&self->source_port, g_free);
  g_clear_pointer (&self->refusal, g_free);
  self->source = self->target = (WeirToolPort) { 0, NULL, FALSE };
  self->rewired = 0;
  self->by_click = self->by_keyboard = FALSE;
  self->pressed_kind = WEIR_HIT_NOTHING;
  g_array_set_size (self->wire_bends, 0);
  g_array_set_size (self->wire_points, 0);
  g_array_set_size (self->targets, 0);
}

void
weir_tool_free (WeirTool *self)
{
  end_gesture (self);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->scene, weir_scene_unref);
  g_array_unref (self->place_ids);
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    g_array_unref (self->band_base[kind]);
  g_array_unref (self->wire_bends);
  g_array_unref (self->wire_points);
  g_array_unref (self->targets);
  weir_selection_clear_memory (&self->selection);
  g_free (self);
}

static WeirSite
get_site (WeirTool *self)
{
  return (WeirSite) { self->model, { (const guint32 *) (gpointer) self->place_ids->data,
                                     self->place_ids->len } };
}

static WeirHit
no_hit (void)
{
  return (WeirHit) { WEIR_HIT_NOTHING, 0, NULL, 0 };
}

void
weir_tool_set_site (WeirTool *self, WeirSite site, WeirScene *scene)
{
  WeirModel *model = weir_model_ref (site.model);
  WeirDiagram *old = self->scene != NULL ? weir_scene_get_diagram (self->scene) : NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (site.place.n_ids > 0)
    g_array_append_vals (ids, site.place.ids, site.place.n_ids);
  if (weir_scene_get_diagram (scene) != old)
    {
      end_gesture (self);
      self->hover = no_hit ();
    }
  g_clear_pointer (&self->model, weir_model_unref);
  self->model = model;
  g_array_unref (self->place_ids);
  self->place_ids = g_steal_pointer (&ids);
  weir_scene_ref (scene);
  g_clear_pointer (&self->scene, weir_scene_unref);
  self->scene = scene;
  /* Borrowed names of ports belong to the scene. */
  if (self->state == WEIR_TOOL_IDLE)
    self->hover = no_hit ();
  weir_selection_prune (&self->selection, weir_scene_get_diagram (scene));
}

void
weir_tool_set_snap (WeirTool *self, gboolean snap)
{
  self->snap = snap;
}

void
weir_tool_set_pixel (WeirTool *self, double units)
{
  self->pixel = units;
}

/* --- Wiring -------------------------------------------------------------------------------------- */

/* The two ends of the wire being drawn if it ended at @port: as output and input. */
static void
orient (WeirTool *self, WeirToolPort port, WeirToolPort *output, WeirToolPort *input)
{
  WeirToolPort source = self->source;

  source.port = self->source_port;
  *output = source.is_output ? source : port;
  *input = source.is_output ? port : source;
}

/* Why the wire may not end at @port; NULL if it may. (transfer full) */
static char *
refuse (WeirTool *self, WeirToolPort port)
{
  WeirToolPort output, input;

  orient (self, port, &output, &input);
  return weir_edit_refuse_connection (self->scene, output.block, output.port, input.block,
                                      input.port, self->rewired);
}

gboolean
weir_tool_is_legal_target (WeirTool *self, guint32 block, const WeirPortShape *port)
{
  g_autofree char *reason = NULL;

  if (self->state != WEIR_TOOL_WIRING || port->is_output == self->source.is_output)
    return FALSE;
  reason = refuse (self, (WeirToolPort) { block, port->name, port->is_output });
  return reason == NULL;
}

static WeirRouteEnd
get_route_end (WeirTool *self, WeirToolPort port)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, port.block);
  const WeirPortShape *found
    = shape != NULL ? weir_block_shape_find_port (shape, port.port, port.is_output) : NULL;

  return found != NULL ? (WeirRouteEnd) { found->position, found->normal }
                       : (WeirRouteEnd) { self->here, { 0, 0 } };
}

static void
route_wire (WeirTool *self)
{
  WeirToolPort source = self->source;
  WeirRouteEnd from, to = { self->here, { 0, 0 } };
  g_autoptr (GArray) obstacles = g_array_new (FALSE, FALSE, sizeof (WeirRect));
  const WeirBlockShape *shapes[2];

  source.port = self->source_port;
  from = get_route_end (self, source);
  if (self->target.block != 0)
    to = get_route_end (self, self->target);
  shapes[0] = weir_scene_find_block (self->scene, source.block);
  shapes[1] = self->target.block != 0 ? weir_scene_find_block (self->scene, self->target.block)
                                      : NULL;
  for (int i = 0; i < 2; i++)
    if (shapes[i] != NULL)
      g_array_append_val (obstacles, shapes[i]->box);
  weir_route (&from, &to, (const WeirPoint *) (gpointer) self->wire_bends->data,
              self->wire_bends->len, (const WeirRect *) (gpointer) obstacles->data,
              obstacles->len, self->wire_points);
}

static gboolean
begin_wiring (WeirTool *self, guint32 block, const char *port, gboolean is_output, guint32 rewired)
{
  char *name = g_strdup (port);

  g_free (self->source_port);
  self->source_port = name;
  self->source = (WeirToolPort) { block, NULL, is_output };
  self->target = (WeirToolPort) { 0, NULL, FALSE };
  self->rewired = rewired;
  self->state = WEIR_TOOL_WIRING;
  g_array_set_size (self->wire_bends, 0);
  route_wire (self);
  return TRUE;
}

typedef struct {
  guint32 block;
  const char *port;
  WeirWire *found;
} WireSearch;

static gboolean
match_wire_at (WeirWire *wire, gpointer data)
{
  WireSearch *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block == search->block && g_strcmp0 (to.port, search->port) == 0)
    search->found = wire;
  return search->found == NULL;
}

/* A drag from a port. From an input that is wired it takes the wire's end along. */
static void
begin_wiring_from_port (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  WireSearch search = { block, port, NULL };

  if (!is_output)
    weir_diagram_foreach_wire_at (weir_scene_get_diagram (self->scene), block, match_wire_at,
                                  &search);
  if (search.found != NULL)
    {
      WeirWireEnd from = weir_wire_get_from (search.found);
      const WeirBlockShape *shape = weir_scene_find_block (self->scene, from.block);

      if (shape != NULL && weir_block_shape_find_port (shape, from.port, TRUE) != NULL)
        {
          begin_wiring (self, from.block, from.port, TRUE, weir_wire_get_id (search.found));
          return;
        }
    }
  begin_wiring (self, block, port, is_output, 0);
}

/* The port that a wire released at @at would end at: a port near by; a block's only free port; the
 * source of a wire, when an output is looked for. */
static WeirToolPort
find_target (WeirTool *self, WeirPoint at)
{
  WeirToolPort none = { 0, NULL, FALSE };
  gboolean wants_output = !self->source.is_output;
  WeirHit hit = weir_scene_hit (self->scene, at, PORT_SNAP_PIXELS * self->pixel);
  const WeirBlockShape *shape;

  if (hit.kind == WEIR_HIT_PORT
      && !(hit.id == self->source.block && hit.port->is_output == self->source.is_output))
    return (WeirToolPort) { hit.id, hit.port->name, hit.port->is_output };
  if (hit.kind == WEIR_HIT_WIRE && wants_output)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, hit.id);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      return wire->from_connected ? (WeirToolPort) { from.block, from.port, TRUE } : none;
    }
  hit = weir_scene_hit (self->scene, at, 0);
  if (hit.kind != WEIR_HIT_BLOCK || hit.id == self->source.block)
    return none;
  shape = weir_scene_find_block (self->scene, hit.id);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (weir_tool_is_legal_target (self, hit.id, &shape->ports[i]))
      {
        if (none.block != 0)
          return (WeirToolPort) { 0, NULL, FALSE }; /* several: the user must aim */
        none = (WeirToolPort) { hit.id, shape->ports[i].name, shape->ports[i].is_output };
      }
  return none;
}

static void
aim (WeirTool *self, WeirPoint at)
{
  self->target = find_target (self, at);
  g_clear_pointer (&self->refusal, g_free);
  if (self->target.block != 0)
    {
      self->refusal = refuse (self, self->target);
      if (self->refusal != NULL)
        self->target = (WeirToolPort) { 0, NULL, FALSE };
    }
  route_wire (self);
}

static WeirEdit *
connect_target (WeirTool *self)
{
  WeirToolPort output, input;
  WeirEdit *edit = NULL;

  if (self->target.block != 0)
    {
      orient (self, self->target, &output, &input);
      if (self->rewired == 0)
        {
          g_autoptr (GArray) bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

          for (guint i = 0; i < self->wire_bends->len; i++)
            {
              /* Bends run from output to input, whichever end was drawn first. */
              guint k = self->source.is_output ? i : self->wire_bends->len - 1 - i;

              g_array_append_val (bends, g_array_index (self->wire_bends, WeirPoint, k));
            }
          edit = weir_edit_connect (get_site (self), output.block, output.port, input.block,
                                    input.port, (const WeirPoint *) (gpointer) bends->data,
                                    bends->len);
        }
      else
        {
          WeirWire *wire = weir_diagram_find_wire (weir_scene_get_diagram (self->scene),
                                                   self->rewired);
          WeirWireEnd to = weir_wire_get_to (wire);

          if (to.block != input.block || g_strcmp0 (to.port, input.port) != 0)
            edit = weir_edit_reconnect (get_site (self), self->rewired, output.block, output.port,
                                        input.block, input.port);
        }
    }
  end_gesture (self);
  return edit;
}

/* --- Moving and bending -------------------------------------------------------------------------- */

static WeirPoint
get_offset (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers, WeirPoint reference)
{
  WeirPoint offset = { at.x - self->start.x, at.y - self->start.y };

  if (modifiers & WEIR_TOOL_EXTEND)
    {
      if (fabs (offset.x) > fabs (offset.y))
        offset.y = 0;
      else
        offset.x = 0;
    }
  if (self->snap && !(modifiers & WEIR_TOOL_FREE))
    {
      /* What was grabbed comes to lie on the grid. An axis that does not move stays. */
      if (offset.x != 0)
        offset.x = weir_snap (reference.x + offset.x) - reference.x;
      if (offset.y != 0)
        offset.y = weir_snap (reference.y + offset.y) - reference.y;
    }
  return offset;
}

/* Shows what the document would look like after self->edit. */
static void
show_edit (WeirTool *self)
{
  g_autoptr (WeirModel) model = NULL;
  WeirScene *preview = NULL;

  if (self->edit != NULL)
    model = weir_model_apply (self->model, self->edit->patch, NULL, NULL);
  if (model != NULL)
    {
      WeirDiagram *diagram = weir_model_get_diagram (model, get_site (self).place);

      preview = weir_scene_new (diagram, self->preview != NULL ? self->preview : self->scene);
    }
  g_clear_pointer (&self->preview, weir_scene_unref);
  self->preview = preview;
}

static void
move_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  const WeirBlockShape *grabbed = weir_scene_find_block (self->scene, self->pressed_id);
  WeirPoint reference = { grabbed->box.x, grabbed->box.y };
  WeirPoint offset = get_offset (self, at, modifiers, reference);
  const guint32 *blocks;
  guint n;

  blocks = weir_selection_get (&self->selection, WEIR_SELECT_BLOCK, &n);
  g_clear_pointer (&self->edit, weir_edit_free);
  if (self->start_modifiers & WEIR_TOOL_TOGGLE)
    {
      if (offset.x != 0 || offset.y != 0)
        self->edit = weir_edit_duplicate (get_site (self), blocks, n, offset);
    }
  else
    self->edit = weir_edit_move (get_site (self), blocks, n, offset);
  show_edit (self);
}

static void
bend_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  const WeirWireShape *wire = weir_scene_find_wire (self->scene, self->pressed_id);
  g_autoptr (GArray) bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  WeirPoint reference = wire->points[self->pressed_segment];
  WeirPoint offset = get_offset (self, at, modifiers & ~(guint) WEIR_TOOL_EXTEND, reference);

  weir_route_move_segment (wire->points, wire->n_points, self->pressed_segment, offset, bends);
  g_clear_pointer (&self->edit, weir_edit_free);
  self->edit = weir_edit_set_bends (get_site (self), self->pressed_id,
                                    (const WeirPoint *) (gpointer) bends->data, bends->len);
  show_edit (self);
}

/* --- Banding ------------------------------------------------------------------------------------- */

static void
band_to (WeirTool *self, WeirPoint at)
{
  g_autoptr (GArray) blocks = g_array_copy (self->band_base[WEIR_SELECT_BLOCK]);
  g_autoptr (GArray) wires = g_array_copy (self->band_base[WEIR_SELECT_WIRE]);

  weir_scene_find_in_area (self->scene, weir_rect_from_corners (self->start, at), blocks, wires);
  weir_selection_set (&self->selection, blocks, wires);
}

/* --- Events -------------------------------------------------------------------------------------- */

static WeirSelectKind
get_select_kind (WeirHitKind kind)
{
  return kind == WEIR_HIT_WIRE ? WEIR_SELECT_WIRE : WEIR_SELECT_BLOCK;
}

WeirEdit *
weir_tool_press (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirHit hit;
  gboolean additive = (modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE)) != 0;

  g_return_val_if_fail (self->scene != NULL, NULL);

  self->here = at;
  if (self->state == WEIR_TOOL_WIRING)
    {
      /* Wiring by clicks: a port ends it, empty space adds a bend. */
      aim (self, at);
      if (self->target.block != 0)
        return connect_target (self);
      if (self->refusal == NULL && self->by_click && self->rewired == 0)
        {
          WeirPoint bend = { weir_snap (at.x), weir_snap (at.y) };

          g_array_append_val (self->wire_bends, bend);
          route_wire (self);
        }
      return NULL;
    }

  end_gesture (self);
  hit = weir_scene_hit (self->scene, at, HIT_PIXELS * self->pixel);
  self->state = WEIR_TOOL_PRESSED;
  self->start = at;
  self->start_modifiers = modifiers;
  self->pressed_kind = hit.kind;
  self->pressed_id = hit.id;
  self->pressed_segment = hit.segment;
  if (hit.kind == WEIR_HIT_PORT)
    {
      self->pressed_port = g_strdup (hit.port->name);
      self->pressed_is_output = hit.port->is_output;
    }
  self->was_selected = hit.kind != WEIR_HIT_NOTHING
                       && weir_selection_contains (&self->selection, get_select_kind (hit.kind),
                                                   hit.id);
  /* What is not selected is selected at the press, so that it can be seen and dragged. */
  if ((hit.kind == WEIR_HIT_BLOCK || hit.kind == WEIR_HIT_WIRE) && !self->was_selected)
    {
      if (additive)
        weir_selection_add (&self->selection, get_select_kind (hit.kind), hit.id);
      else
        weir_selection_set_one (&self->selection, get_select_kind (hit.kind), hit.id);
    }
  return NULL;
}

gboolean
weir_tool_press_branch (WeirTool *self, WeirPoint at)
{
  WeirHit hit;
  const WeirWireShape *wire;
  WeirWireEnd from;

  weir_tool_cancel (self);
  hit = weir_scene_hit (self->scene, at, HIT_PIXELS * self->pixel);
  if (hit.kind != WEIR_HIT_WIRE)
    return FALSE;
  wire = weir_scene_find_wire (self->scene, hit.id);
  if (!wire->from_connected)
    return FALSE;
  from = weir_wire_get_from (wire->wire);
  self->here = at;
  return begin_wiring (self, from.block, from.port, TRUE, 0);
}

/* The press has become a drag: which gesture is it? */
static void
begin_drag (WeirTool *self)
{
  gboolean additive = (self->start_modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE)) != 0;

  switch (self->pressed_kind)
    {
    case WEIR_HIT_PORT:
      begin_wiring_from_port (self, self->pressed_id, self->pressed_port, self->pressed_is_output);
      break;
    case WEIR_HIT_BLOCK:
      self->state = WEIR_TOOL_MOVING;
      break;
    case WEIR_HIT_WIRE:
      if (self->start_modifiers & WEIR_TOOL_TOGGLE)
        {
          if (!self->was_selected)
            weir_selection_remove (&self->selection, WEIR_SELECT_WIRE, self->pressed_id);
          if (!weir_tool_press_branch (self, self->start))
            end_gesture (self);
        }
      else
        self->state = WEIR_TOOL_BENDING;
      break;
    case WEIR_HIT_NOTHING:
    default:
      self->state = WEIR_TOOL_BANDING;
      for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
        {
          guint n;
          const guint32 *ids = weir_selection_get (&self->selection, (WeirSelectKind) kind, &n);

          g_array_set_size (self->band_base[kind], 0);
          if (additive && n > 0)
            g_array_append_vals (self->band_base[kind], ids, n);
        }
      break;
    }
}

void
weir_tool_motion (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  g_return_if_fail (self->scene != NULL);

  self->here = at;
  if (self->state == WEIR_TOOL_PRESSED
      && hypot (at.x - self->start.x, at.y - self->start.y) >= DRAG_PIXELS * self->pixel)
    begin_drag (self);
  switch (self->state)
    {
    case WEIR_TOOL_IDLE:
      self->hover = weir_scene_hit (self->scene, at, HIT_PIXELS * self->pixel);
      break;
    case WEIR_TOOL_BANDING:
      band_to (self, at);
      break;
    case WEIR_TOOL_MOVING:
      move_to (self, at, modifiers);
      break;
    case WEIR_TOOL_BENDING:
      bend_to (self, at, modifiers);
      break;
    case WEIR_TOOL_WIRING:
      self->by_keyboard = FALSE;
      aim (self, at);
      break;
    case WEIR_TOOL_PRESSED:
    default:
      break;
    }
}

/* A press and release in one place. */
static void
click (WeirTool *self)
{
  WeirToolModifiers modifiers = self->start_modifiers;

  switch (self->pressed_kind)
    {
    case WEIR_HIT_BLOCK:
    case WEIR_HIT_WIRE:
      if (!self->was_selected)
        break; /* selected at the press */
      if (modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE))
        weir_selection_remove (&self->selection, get_select_kind (self->pressed_kind),
                               self->pressed_id);
      else
        weir_selection_set_one (&self->selection, get_select_kind (self->pressed_kind),
                                self->pressed_id);
      break;
    case WEIR_HIT_PORT:
      {
        g_autofree char *port = g_steal_pointer (&self->pressed_port);

        weir_selection_set_one (&self->selection, WEIR_SELECT_BLOCK, self->pressed_id);
        begin_wiring_from_port (self, self->pressed_id, port, self->pressed_is_output);
        self->by_click = TRUE;
      }
      return;
    case WEIR_HIT_NOTHING:
    default:
      if (!(modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE)))
        weir_selection_set_none (&self->selection);
      break;
    }
  end_gesture (self);
}

WeirEdit *
weir_tool_release (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirEdit *edit = NULL;

  if (self->state == WEIR_TOOL_WIRING && (self->by_click || self->by_keyboard))
    return NULL; /* goes on until a click on a port, Return or Escape */
  weir_tool_motion (self, at, modifiers);
  switch (self->state)
    {
    case WEIR_TOOL_PRESSED:
      click (self);
      break;
    case WEIR_TOOL_MOVING:
    case WEIR_TOOL_BENDING:
      edit = g_steal_pointer (&self->edit);
      end_gesture (self);
      break;
    case WEIR_TOOL_WIRING:
      edit = connect_target (self);
      break;
    case WEIR_TOOL_BANDING:
    case WEIR_TOOL_IDLE:
    default:
      end_gesture (self);
      break;
    }
  return edit;
}

gboolean
weir_tool_cancel (WeirTool *self)
{
  gboolean active = self->state != WEIR_TOOL_IDLE;

  if (self->state == WEIR_TOOL_BANDING)
    weir_selection_set (&self->selection, self->band_base[WEIR_SELECT_BLOCK],
                        self->band_base[WEIR_SELECT_WIRE]);
  end_gesture (self);
  return active;
}

void
weir_tool_leave (WeirTool *self)
{
  self->hover = no_hit ();
}

/* --- By keyboard ----------------------------------------------------------------------------------- */

static int
compare_reading_order (gconstpointer a, gconstpointer b, gpointer data)
{
  WeirTool *self = data;
  const WeirToolPort *ports[2] = { a, b };
  WeirPoint at[2];

  for (int i = 0; i < 2; i++)
    at[i] = get_route_end (self, *ports[i]).point;
  if (at[0].x != at[1].x)
    return at[0].x < at[1].x ? -1 : 1;
  return at[0].y < at[1].y ? -1 : at[0].y > at[1].y;
}

static void
list_targets (WeirTool *self)
{
  g_array_set_size (self->targets, 0);
  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (self->scene, i);
      guint32 id = weir_block_get_id (shape->block);

      for (guint k = 0; k < shape->n_inputs + shape->n_outputs; k++)
        if (weir_tool_is_legal_target (self, id, &shape->ports[k]))
          {
            WeirToolPort port = { id, shape->ports[k].name, shape->ports[k].is_output };

            g_array_append_val (self->targets, port);
          }
    }
  g_array_sort_with_data (self->targets, compare_reading_order, self);
}

static void
show_target (WeirTool *self, int index)
{
  self->target_index = index;
  self->target = self->targets->len > 0
                   ? g_array_index (self->targets, WeirToolPort, (guint) index)
                   : (WeirToolPort) { 0, NULL, FALSE };
  if (self->target.block == 0)
    {
      WeirToolPort source = self->source;

      source.port = self->source_port;
      self->here = get_route_end (self, source).point;
      self->here.x += self->source.is_output ? 40 : -40;
    }
  route_wire (self);
}

gboolean
weir_tool_begin_wire (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  g_autofree char *name = g_strdup (port);
  int nearest = 0;

  if (shape == NULL || weir_block_shape_find_port (shape, name, is_output) == NULL)
    return FALSE;
  end_gesture (self);
  begin_wiring (self, block, name, is_output, 0);
  self->by_keyboard = TRUE;
  list_targets (self);
  /* The first offer is the next one to the right of an output, to the left of an input. */
  for (guint i = 0; i < self->targets->len; i++)
    {
      WeirPoint at = get_route_end (self, g_array_index (self->targets, WeirToolPort, i)).point;

      if (is_output ? at.x <= shape->box.x + shape->box.width / 2
                    : at.x < shape->box.x + shape->box.width / 2)
        nearest = (int) i + (is_output ? 1 : 0);
    }
  show_target (self, self->targets->len > 0 ? nearest % (int) self->targets->len : 0);
  return TRUE;
}

void
weir_tool_next_target (WeirTool *self, int direction)
{
  int n = (int) self->targets->len;

  if (self->state != WEIR_TOOL_WIRING || !self->by_keyboard || n == 0)
    return;
  show_target (self, (self->target_index + direction + n) % n);
}

void
weir_tool_next_source (WeirTool *self, int direction)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, self->source.block);
  int n, index = 0;

  if (self->state != WEIR_TOOL_WIRING || !self->by_keyboard || shape == NULL)
    return;
  n = (int) (shape->n_inputs + shape->n_outputs);
  for (int i = 0; i < n; i++)
    if (shape->ports[i].is_output == self->source.is_output
        && g_str_equal (shape->ports[i].name, self->source_port))
      index = i;
  index = (index + direction + n) % n;
  weir_tool_begin_wire (self, self->source.block, shape->ports[index].name,
                        shape->ports[index].is_output);
}

WeirEdit *
weir_tool_accept (WeirTool *self)
{
  if (self->state != WEIR_TOOL_WIRING || self->target.block == 0)
    return NULL;
  return connect_target (self);
}

/* --- What to draw ---------------------------------------------------------------------------------- */

WeirToolState
weir_tool_get_state (WeirTool *self)
{
  return self->state;
}

gboolean
weir_tool_is_by_keyboard (WeirTool *self)
{
  return self->by_keyboard;
}

WeirSelection *
weir_tool_get_selection (WeirTool *self)
{
  return &self->selection;
}

WeirScene *
weir_tool_get_scene (WeirTool *self)
{
  return self->preview != NULL ? self->preview : self->scene;
}

WeirHit
weir_tool_get_hover (WeirTool *self)
{
  return self->state == WEIR_TOOL_IDLE ? self->hover : no_hit ();
}

gboolean
weir_tool_get_band (WeirTool *self, WeirRect *band)
{
  *band = weir_rect_from_corners (self->start, self->here);
  return self->state == WEIR_TOOL_BANDING;
}

const WeirPoint *
weir_tool_get_wire (WeirTool *self, guint *n_points, gboolean *ends)
{
  *n_points = self->state == WEIR_TOOL_WIRING ? self->wire_points->len : 0;
  *ends = self->target.block != 0;
  return (const WeirPoint *) (gpointer) self->wire_points->data;
}

WeirToolPort
weir_tool_get_wire_source (WeirTool *self)
{
  WeirToolPort source = self->source;

  source.port = self->source_port;
  return source;
}

WeirToolPort
weir_tool_get_wire_target (WeirTool *self)
{
  return self->target;
}

const char *
weir_tool_get_refusal (WeirTool *self)
{
  return self->refusal;
}
