/* Alignment guides. See guides.h. */
#include "canvas/tool/guides.h"

#include <math.h>

#define NEIGHBOURHOOD 700.0 /* what is farther away is no help to the eye */
#define OVERHANG 8.0        /* of a line beyond the boxes it joins */
#define MIDDLE_PRICE 0.5    /* a middle loses to a port at the same distance, an edge to a middle */
#define EDGE_PRICE 1.0

typedef struct {
  double shift; /* that lines up */
  double price;
  gboolean found;
} Best;

static void
offer (Best *best, double shift, double price, double reach)
{
  if (fabs (shift) > reach || (best->found && fabs (shift) + price >= best->price))
    return;
  *best = (Best) { shift, fabs (shift) + price, TRUE };
}

static gboolean
is_moving (GHashTable *moving, guint32 block)
{
  return g_hash_table_contains (moving, GUINT_TO_POINTER (block));
}

/* Start, middle and end of a box on an axis. */
static void
get_lines (WeirRect box, int axis, double lines[3])
{
  double start = axis == 0 ? box.x : box.y, length = axis == 0 ? box.width : box.height;

  lines[0] = start;
  lines[1] = start + length / 2;
  lines[2] = start + length;
}

/* The port that a wire is at; NULL: none, as of a line that ends on another. */
static const WeirPortShape *
find_port (WeirScene *scene, const WeirWireShape *wire, gboolean at_start)
{
  WeirWireEnd end = at_start ? weir_wire_get_from (wire->wire) : weir_wire_get_to (wire->wire);
  const WeirBlockShape *shape = weir_scene_find_block (scene, end.block);

  return shape != NULL ? weir_block_shape_find_port (shape, end.port, at_start) : NULL;
}

/* Wires between what moves and what stays that could run straight. */
static void
offer_ports (WeirScene *scene, GHashTable *moving, WeirPoint offset, double reach, Best best[2])
{
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      const WeirWireShape *wire = weir_scene_get_wire (scene, i);
      WeirWireEnd from = weir_wire_get_from (wire->wire), to = weir_wire_get_to (wire->wire);
      const WeirPortShape *a, *b;
      double sign;

      if (!wire->from_connected || !wire->to_connected
          || is_moving (moving, from.block) == is_moving (moving, to.block))
        continue;
      a = find_port (scene, wire, TRUE);
      b = find_port (scene, wire, FALSE);
      if (a == NULL || b == NULL)
        continue;
      sign = is_moving (moving, from.block) ? 1 : -1;
      if (a->normal.y == 0 && b->normal.y == 0)
        offer (&best[1], sign * (b->position.y - a->position.y) - offset.y, 0, reach);
      if (a->normal.x == 0 && b->normal.x == 0)
        offer (&best[0], sign * (b->position.x - a->position.x) - offset.x, 0, reach);
    }
}

static void
offer_box (WeirRect moved, WeirRect other, double reach, Best best[2])
{
  for (int axis = 0; axis < 2; axis++)
    {
      double ours[3], theirs[3];

      get_lines (moved, axis, ours);
      get_lines (other, axis, theirs);
      offer (&best[axis], theirs[1] - ours[1], MIDDLE_PRICE, reach);
      for (int i = 0; i < 3; i += 2)
        for (int k = 0; k < 3; k += 2)
          offer (&best[axis], theirs[k] - ours[i], EDGE_PRICE, reach);
    }
}

/* The line through two boxes at a coordinate of an axis. */
static void
add_line (GArray *guides, int axis, double at, WeirRect a, WeirRect b)
{
  WeirRect both = weir_rect_union (a, b);
  WeirGuide line;

  if (axis == 0)
    line = (WeirGuide) { { at, both.y - OVERHANG }, { at, both.y + both.height + OVERHANG } };
  else
    line = (WeirGuide) { { both.x - OVERHANG, at }, { both.x + both.width + OVERHANG, at } };
  /* One line for all that lie on it. */
  for (guint i = 0; i < guides->len; i++)
    {
      WeirGuide *old = &g_array_index (guides, WeirGuide, i);

      if (axis == 0 ? old->a.x == at && old->b.x == at : old->a.y == at && old->b.y == at)
        {
          old->a = (WeirPoint) { MIN (old->a.x, line.a.x), MIN (old->a.y, line.a.y) };
          old->b = (WeirPoint) { MAX (old->b.x, line.b.x), MAX (old->b.y, line.b.y) };
          return;
        }
    }
  g_array_append_val (guides, line);
}

static void
add_lines (GArray *guides, WeirRect moved, WeirRect other, const gboolean snapped[2])
{
  for (int axis = 0; axis < 2; axis++)
    {
      double ours[3], theirs[3];

      get_lines (moved, axis, ours);
      get_lines (other, axis, theirs);
      for (int i = 0; i < 3 && snapped[axis]; i++)
        for (int k = 0; k < 3; k++)
          if ((i == 1) == (k == 1) && fabs (ours[i] - theirs[k]) < 1e-6)
            add_line (guides, axis, theirs[k], moved, other);
    }
}

WeirPoint
weir_guides_snap (WeirScene *scene, GHashTable *moving, WeirRect notes, WeirPoint offset,
                  double reach, gboolean snapped[2], GArray *guides)
{
  Best best[2] = { { 0, 0, FALSE }, { 0, 0, FALSE } };
  WeirRect moved = notes, area;
  gboolean any = notes.width > 0;

  g_array_set_size (guides, 0);
  snapped[0] = snapped[1] = FALSE;
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);

      if (!is_moving (moving, weir_block_get_id (shape->block)))
        continue;
      moved = any ? weir_rect_union (moved, shape->box) : shape->box;
      any = TRUE;
    }
  if (!any)
    return offset;
  moved.x += offset.x;
  moved.y += offset.y;
  area = weir_rect_grow (moved, NEIGHBOURHOOD);
  offer_ports (scene, moving, offset, reach, best);
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);

      if (!is_moving (moving, weir_block_get_id (shape->block))
          && weir_rect_intersects (area, shape->box))
        offer_box (moved, shape->box, reach, best);
    }
  for (int axis = 0; axis < 2; axis++)
    snapped[axis] = best[axis].found;
  if (snapped[0])
    offset.x += best[0].shift;
  if (snapped[1])
    offset.y += best[1].shift;
  moved.x += snapped[0] ? best[0].shift : 0;
  moved.y += snapped[1] ? best[1].shift : 0;
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);

      if (!is_moving (moving, weir_block_get_id (shape->block))
          && weir_rect_intersects (area, shape->box))
        add_lines (guides, moved, shape->box, snapped);
    }
  return offset;
}
