/* What an editor does to physical lines, as patches. See edits.h.
 *
 * A line has no direction. Where one goes that others end on, these keep the node together: one of
 * them takes its place.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "blocks/types/block-type.h"
#include "canvas/edits/edits.h"
#include "paint/ground/routing.h"

/* --- May they be joined ---------------------------------------------------------------------- */

static const WeirPortShape *
find_pin (WeirScene *scene, WeirWireEnd end)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, end.block);
  const WeirPortShape *port = shape != NULL ? weir_block_shape_find_port (shape, end.port, FALSE)
                                            : NULL;

  return port != NULL && port->is_pin ? port : NULL;
}

/* The line at a pin, or the one that is joined; NULL: none. */
static const WeirWireShape *
find_line (WeirScene *scene, WeirWireEnd end)
{
  return end.block != 0  ? weir_scene_find_line_at (scene, end.block, end.port)
         : end.line != 0 ? weir_scene_find_wire (scene, end.line)
                         : NULL;
}

const WeirDomain *
weir_edit_find_domain (WeirScene *scene, WeirWireEnd end)
{
  const WeirWireShape *line = find_line (scene, end);

  return end.block != 0 ? weir_scene_find_domain (scene, end.block, end.port)
         : line != NULL ? line->domain
                        : NULL;
}

/* "R1.p", or what a line is called. (transfer full) */
static char *
dup_name (WeirScene *scene, WeirWireEnd end)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, end.block);

  return shape != NULL ? g_strdup_printf ("%s.%s", weir_block_get_name (shape->block), end.port)
                       : g_strdup (_ ("the line"));
}

char *
weir_edit_refuse_line (WeirScene *scene, WeirWireEnd a, WeirWireEnd b, guint32 ignore_line)
{
  const WeirDomain *x = weir_edit_find_domain (scene, a), *y = weir_edit_find_domain (scene, b);
  const WeirWireShape *line_a = find_line (scene, a), *line_b = find_line (scene, b);
  g_autofree char *from = dup_name (scene, a), *to = dup_name (scene, b);

  if ((a.block != 0 && find_pin (scene, a) == NULL)
      || (b.block != 0 && find_pin (scene, b) == NULL))
    return g_strdup (_ ("A physical line ends at pins and on other physical lines."));
  if (a.block != 0 && a.block == b.block && g_strcmp0 (a.port, b.port) == 0)
    return g_strdup_printf (_ ("%s: a line ends at another pin."), from);
  if (x != NULL && y != NULL && x != y)
    return g_strdup_printf (_ ("%s is %s and %s is %s: a line joins pins of one domain."), from,
                            _ (x->name), to, _ (y->name));
  if (ignore_line == 0 && line_a != NULL && line_b != NULL && line_a->node == line_b->node)
    return g_strdup_printf (_ ("%s and %s are joined already."), from, to);
  return NULL;
}

gboolean
weir_edit_type_has_pin (const char *type, const WeirDomain *domain)
{
  g_autoptr (WeirBlock) sample = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  g_autoptr (GArray) pins = weir_block_list_pins (sample);

  for (guint i = 0; i < pins->len; i++)
    {
      const WeirPinSpec *pin = &g_array_index (pins, WeirPinSpec, i);

      if (pin->domain == NULL || domain == NULL || pin->domain == domain)
        return TRUE;
    }
  return FALSE;
}

/* --- New and changed ends -------------------------------------------------------------------- */

WeirEdit *
weir_edit_line (WeirSite site, guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends,
                guint n_bends)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL && id != 0 ? weir_diagram_find_wire (diagram, id) : NULL;
  WeirBlock *a = weir_site_find_block (site, from.block),
            *b = weir_site_find_block (site, to.block);
  gboolean is_loose = (from.block == 0 && from.line == 0) || (to.block == 0 && to.line == 0);
  g_autoptr (WeirWire) line = NULL;
  WeirEdit *edit;

  if (diagram == NULL || (id != 0 && old == NULL) || (from.block != 0 && a == NULL)
      || (to.block != 0 && b == NULL)
      || (from.block == 0 && from.line == 0 && to.block == 0 && to.line == 0 && old == NULL))
    return NULL;
  if (is_loose)
    edit = weir_edit_new (g_strdup (old != NULL ? _ ("Disconnect line") : _ ("Add loose line")));
  else if (old != NULL)
    edit = weir_edit_new (g_strdup (_ ("Reconnect line")));
  else if (a != NULL && b != NULL)
    edit = weir_edit_new (
        g_strdup_printf (_ ("Connect %s to %s"), weir_block_get_name (a), weir_block_get_name (b)));
  else
    edit = weir_edit_new (g_strdup (_ ("Add line")));
  if (old != NULL)
    {
      g_autoptr (WeirWire) ended = weir_wire_with_ends (old, from, to);

      line = weir_wire_with_bends (ended, bends, n_bends);
    }
  else
    line = weir_line_new (weir_model_get_next_id (site.model), from, to, bends, n_bends);
  weir_edit_put_wire (edit, site, line);
  return edit;
}

/* --- Two-poles ------------------------------------------------------------------------------- */

/* The pins of a block that has two and has them on opposite sides. FALSE: it is not so. */
static gboolean
get_poles (const WeirBlockShape *shape, const WeirPortShape *poles[2])
{
  if (shape->n_pins != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    poles[i] = &shape->ports[shape->n_ports - 2 + i];
  return poles[0]->normal.x == -poles[1]->normal.x && poles[0]->normal.y == -poles[1]->normal.y;
}

/* About its middle, by quarters clockwise. (transfer full) */
static WeirBlock *
turn (WeirBlock *block, int quarters)
{
  WeirPoint at = weir_block_get_position (block), before = weir_block_get_turned_size (block);
  WeirRotation rotation = (WeirRotation) ((weir_block_get_rotation (block) + 4 + quarters) % 4);
  g_autoptr (WeirBlock)
      turned = weir_block_with_orientation (block, rotation, weir_block_get_flipped (block));
  WeirPoint after = weir_block_get_turned_size (turned);

  return weir_block_with_position (
      turned, (WeirPoint) { at.x + (before.x - after.x) / 2, at.y + (before.y - after.y) / 2 });
}

/* Turned so that a two-pole leads on from @pin in the direction from @from to @at. (transfer full)
 */
static WeirBlock *
turn_to_lead_on (WeirBlock *block, const char *pin, WeirPoint from, WeirPoint at)
{
  gboolean is_level = fabs (at.x - from.x) >= fabs (at.y - from.y);
  double x = is_level ? (at.x >= from.x ? 1 : -1) : 0, y = is_level ? 0 : (at.y >= from.y ? 1 : -1);

  for (int quarters = 0; quarters < 4; quarters++)
    {
      g_autoptr (WeirBlock) turned = turn (block, quarters);
      g_autoptr (WeirBlockShape) shape = weir_block_shape_new (turned);
      const WeirPortShape *poles[2], *port = weir_block_shape_find_port (shape, pin, FALSE);

      if (get_poles (shape, poles) && port->normal.x == -x && port->normal.y == -y)
        return g_steal_pointer (&turned);
    }
  return weir_block_ref (block);
}

WeirEdit *
weir_edit_add_part (WeirSite site, WeirScene *scene, const char *type, WeirWireEnd source,
                    WeirPoint from, WeirPoint at)
{
  WeirEdit *edit = weir_edit_add_block (site, type, at);
  const WeirDomain *domain = weir_edit_find_domain (scene, source);
  guint32 id = weir_model_get_next_id (site.model);
  g_autofree char *name = edit != NULL ? weir_edit_dup_name (weir_site_get_diagram (site), type)
                                       : NULL;
  g_autoptr (WeirBlock) sample = weir_block_new (id, type, name, (WeirPoint) { 0, 0 });
  g_autoptr (GArray) pins = weir_block_list_pins (sample);
  g_autoptr (WeirBlock) turned = NULL;
  g_autoptr (WeirBlock) placed = NULL;
  g_autoptr (WeirBlockShape) shape = NULL;
  g_autoptr (WeirWire) line = NULL;
  const char *pin = NULL;
  WeirPoint corner, end;

  for (guint i = pins->len; i > 0; i--)
    {
      const WeirPinSpec *spec = &g_array_index (pins, WeirPinSpec, i - 1);

      if (spec->domain == domain || spec->domain == NULL || domain == NULL)
        pin = spec->name;
    }
  if (edit == NULL || pin == NULL)
    {
      g_clear_pointer (&edit, weir_edit_free);
      return NULL;
    }
  turned = turn_to_lead_on (sample, pin, from, at);
  shape = weir_block_shape_new (turned);
  corner = weir_block_get_position (turned);
  end = weir_block_shape_find_port (shape, pin, FALSE)->position;
  placed = weir_block_with_position (turned, (WeirPoint) { corner.x + weir_snap (at.x) - end.x,
                                                           corner.y + weir_snap (at.y) - end.y });
  line = weir_line_new (id + 1, source, (WeirWireEnd) { .block = id, .port = pin }, NULL, 0);
  weir_edit_put_block (edit, site, placed);
  weir_edit_put_wire (edit, site, line);
  return edit;
}

/* --- Into a line ----------------------------------------------------------------------------- */

#define INSERT_REACH 12.0 /* how far from its middle a two-pole parts a line */

static gboolean
is_free_two_pole (WeirScene *scene, const WeirBlockShape *shape)
{
  const WeirPortShape *poles[2];

  return get_poles (shape, poles)
         && weir_scene_find_line_at (scene, weir_block_get_id (shape->block), poles[0]->name)
                == NULL
         && weir_scene_find_line_at (scene, weir_block_get_id (shape->block), poles[1]->name)
                == NULL;
}

static gboolean
fits_line (const WeirBlockShape *shape, const WeirWireShape *line)
{
  for (guint i = shape->n_ports - shape->n_pins; i < shape->n_ports; i++)
    if (line->domain != NULL && shape->ports[i].domain != NULL
        && shape->ports[i].domain != line->domain)
      return FALSE;
  return TRUE;
}

guint32
weir_edit_find_line_under (WeirScene *scene, WeirBlock *block, WeirPoint *offset)
{
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);
  WeirPoint middle = weir_rect_get_center (shape->box);
  double best_distance = INSERT_REACH;
  guint32 best = 0;

  *offset = (WeirPoint) { 0, 0 };
  if (!is_free_two_pole (scene, shape))
    return 0;
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      const WeirWireShape *line = weir_scene_get_wire (scene, i);
      WeirPoint at;
      double distance;

      if (line->node == 0 || !line->from_connected || !line->to_connected
          || !weir_rect_contains (weir_rect_grow (line->reach, INSERT_REACH), middle)
          || !fits_line (shape, line))
        continue;
      at = weir_route_find_nearest (line->points, line->n_points, middle, NULL);
      distance = hypot (at.x - middle.x, at.y - middle.y);
      if (distance >= best_distance)
        continue;
      best = weir_wire_get_id (line->wire);
      best_distance = distance;
      *offset = (WeirPoint) { at.x - middle.x, at.y - middle.y };
    }
  return best;
}

/* How far along the route the point of it is that is nearest to @at. */
static double
measure_way (const WeirWireShape *line, WeirPoint at)
{
  guint segment = 0;
  WeirPoint point = weir_route_find_nearest (line->points, line->n_points, at, &segment);
  double way = hypot (point.x - line->points[segment].x, point.y - line->points[segment].y);

  for (guint k = 0; k < segment; k++)
    way += hypot (line->points[k + 1].x - line->points[k].x,
                  line->points[k + 1].y - line->points[k].y);
  return way;
}

/* What ends on @line beyond the middle of what parts it ends on the line @id instead. */
static void
move_joints (WeirEdit *edit, WeirSite site, const WeirWireShape *line, double middle, guint32 id)
{
  g_autoptr (GPtrArray) wires = weir_diagram_list_wires (weir_site_get_diagram (site), 0);
  guint32 parted = weir_wire_get_id (line->wire);

  for (guint i = 0; i < wires->len; i++)
    {
      WeirWireEnd from = weir_wire_get_from (wires->pdata[i]);
      WeirWireEnd to = weir_wire_get_to (wires->pdata[i]);
      gboolean from_goes = from.line == parted && measure_way (line, from.point) > middle;
      gboolean to_goes = to.line == parted && measure_way (line, to.point) > middle;
      g_autoptr (WeirWire) moved = NULL;

      if (!from_goes && !to_goes)
        continue;
      from.line = from_goes ? id : from.line;
      to.line = to_goes ? id : to.line;
      moved = weir_wire_with_ends (wires->pdata[i], from, to);
      weir_edit_put_wire (edit, site, moved);
    }
}

/* @line goes level or upright there: so do the poles then. (transfer full) */
static WeirBlock *
turn_along (WeirBlock *block, gboolean is_level)
{
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);
  const WeirPortShape *poles[2];

  if (!get_poles (shape, poles) || (poles[0]->normal.x != 0) == is_level)
    return weir_block_ref (block);
  return turn (block, 1);
}

WeirEdit *
weir_edit_insert_into_line (WeirSite site, WeirScene *scene, guint32 id, WeirBlock *block)
{
  const WeirWireShape *line = weir_scene_find_wire (scene, id);
  WeirPoint middle = weir_rect_get_center (weir_block_get_box (block));
  guint32 block_id = weir_block_get_id (block);
  guint32 new_id = MAX (weir_model_get_next_id (site.model), block_id + 1);
  g_autoptr (WeirBlock) turned = NULL;
  g_autoptr (WeirBlockShape) shape = NULL;
  g_autoptr (WeirWire) before = NULL, after = NULL, ended = NULL;
  const WeirPortShape *poles[2];
  guint segment = 0, n_bends, first;
  const WeirPoint *bends;
  WeirPoint a, b;
  WeirEdit *edit;

  if (line == NULL || line->node == 0)
    return NULL;
  weir_route_find_nearest (line->points, line->n_points, middle, &segment);
  a = line->points[segment];
  b = line->points[segment + 1];
  turned = turn_along (block, a.y == b.y);
  shape = weir_block_shape_new (turned);
  if (!is_free_two_pole (scene, shape) || !get_poles (shape, poles))
    return NULL;
  /* The first pole is the one that the line comes to. */
  first = poles[0]->normal.x * (b.x - a.x) + poles[0]->normal.y * (b.y - a.y) < 0 ? 0 : 1;
  edit = weir_edit_new (g_strdup_printf (_ ("Insert %s into line"), weir_block_get_name (block)));
  bends = weir_wire_get_bends (line->wire, &n_bends);
  for (guint i = 0; i < n_bends; i++)
    if (measure_way (line, bends[i]) > measure_way (line, middle))
      n_bends = i; /* those before it stay with the line */
  ended = weir_wire_with_ends (line->wire, weir_wire_get_from (line->wire),
                               (WeirWireEnd) { .block = block_id, .port = poles[first]->name });
  before = weir_wire_with_bends (ended, bends, n_bends);
  after = weir_line_new (new_id,
                         (WeirWireEnd) { .block = block_id, .port = poles[1 - first]->name },
                         weir_wire_get_to (line->wire), NULL, 0);
  weir_edit_put_block (edit, site, turned);
  weir_edit_put_wire (edit, site, before);
  weir_edit_put_wire (edit, site, after);
  move_joints (edit, site, line, measure_way (line, middle), new_id);
  return edit;
}
