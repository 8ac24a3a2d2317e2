/* Physical lines at the border of a Subsystem: what crosses it goes through Pin blocks. See
 * edits-boundary.h.
 */
#include "canvas/edits/edits-boundary.h"

#include <string.h>

#define SIDE_GAP 80.0  /* between the Pin blocks and the rest */
#define MAX_JOINTS 100 /* from line to line; lines could name one another in a circle */

typedef WeirWireEnd (*GetEnd) (const WeirWire *wire);

static const GetEnd get_end[2] = { weir_wire_get_from, weir_wire_get_to };

/* --- In -------------------------------------------------------------------------------------- */

typedef struct {
  guint32 node; /* of the diagram around */
  guint32 id;   /* of its Pin block */
  char *name;
  gboolean is_right;
  double y;
  const WeirDomain *domain;
} Boundary;

struct _WeirBoundaries {
  WeirScene *scene;
  GHashTable *inside; /* ids of the blocks that go in; borrowed */
  GArray *boundaries; /* Boundary */
};

static void
boundary_clear (gpointer data)
{
  g_free (((Boundary *) data)->name);
}

static Boundary *
find_boundary (const WeirBoundaries *self, guint32 node)
{
  for (guint i = 0; i < self->boundaries->len; i++)
    if (g_array_index (self->boundaries, Boundary, i).node == node)
      return &g_array_index (self->boundaries, Boundary, i);
  return NULL;
}

static gboolean goes_in (const WeirBoundaries *self, const WeirWire *line, guint depth);

/* 1: it goes in, 0: it stays, -1: it is loose, and goes where the other end goes. */
static int
end_goes_in (const WeirBoundaries *self, WeirWireEnd end, guint depth)
{
  const WeirWireShape *joined = end.line != 0 ? weir_scene_find_wire (self->scene, end.line) : NULL;

  if (end.block != 0)
    return weir_id_set_has (self->inside, end.block);
  if (joined == NULL || depth > MAX_JOINTS)
    return -1;
  return goes_in (self, joined->wire, depth + 1);
}

/* Whether all of @line goes in. */
static gboolean
goes_in (const WeirBoundaries *self, const WeirWire *line, guint depth)
{
  int from = end_goes_in (self, weir_wire_get_from (line), depth);
  int to = end_goes_in (self, weir_wire_get_to (line), depth);

  return from != 0 && to != 0 && from + to > -2;
}

static WeirPoint
get_pin_place (const WeirBoundaries *self, WeirWireEnd end)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, end.block);
  const WeirPortShape *pin = weir_block_shape_find_port (shape, end.port, FALSE);

  return pin != NULL ? pin->position : weir_rect_get_center (shape->box);
}

/* Notes a node that has pins on both sides. */
static void
note_line (WeirBoundaries *self, const WeirWireShape *line, WeirPoint middle, guint32 *next_id)
{
  Boundary boundary = { line->node, 0, NULL, FALSE, 0, line->domain };
  gboolean has_outside = FALSE, has_inside = FALSE;
  WeirWireEnd inner = { 0 };

  if (find_boundary (self, line->node) != NULL)
    return;
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      const WeirWireShape *other = weir_scene_get_wire (self->scene, i);

      for (guint k = 0; other->node == line->node && k < 2; k++)
        {
          WeirWireEnd end = get_end[k](other->wire);

          if (end.block == 0 || weir_scene_find_block (self->scene, end.block) == NULL)
            continue;
          if (!weir_id_set_has (self->inside, end.block))
            has_outside = TRUE;
          else if (!has_inside)
            {
              has_inside = TRUE;
              inner = end;
            }
        }
    }
  if (!has_inside || !has_outside)
    return;
  boundary.id = (*next_id)++;
  boundary.is_right = get_pin_place (self, inner).x > middle.x;
  boundary.y = get_pin_place (self, inner).y;
  g_array_append_val (self->boundaries, boundary);
}

WeirBoundaries *
weir_boundaries_new (WeirScene *scene, GHashTable *inside, WeirPoint middle, guint32 *next_id)
{
  WeirBoundaries *self = g_new (WeirBoundaries, 1);

  *self = (WeirBoundaries) { weir_scene_ref (scene), inside,
                             g_array_new (FALSE, FALSE, sizeof (Boundary)) };
  g_array_set_clear_func (self->boundaries, boundary_clear);
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    if (weir_scene_get_wire (scene, i)->node != 0)
      note_line (self, weir_scene_get_wire (scene, i), middle, next_id);
  return self;
}

void
weir_boundaries_free (WeirBoundaries *self)
{
  weir_scene_unref (self->scene);
  g_array_unref (self->boundaries);
  g_free (self);
}

guint
weir_boundaries_count (const WeirBoundaries *self, gboolean is_right)
{
  guint n = 0;

  for (guint i = 0; i < self->boundaries->len; i++)
    n += g_array_index (self->boundaries, Boundary, i).is_right == is_right;
  return n;
}

void
weir_boundaries_add_blocks (WeirBoundaries *self, WeirEdit *edit, WeirPlace inner, WeirRect box,
                            char *(*take_name) (gpointer data), gpointer data)
{
  double least[2] = { box.y - 1000 * WEIR_GRID, box.y - 1000 * WEIR_GRID };

  for (guint i = 0; i < self->boundaries->len; i++)
    {
      Boundary *b = &g_array_index (self->boundaries, Boundary, i);
      g_autoptr (WeirBlock) plain = NULL;
      g_autoptr (WeirBlock) flipped = NULL;
      g_autoptr (WeirBlock) sided = NULL;
      g_autoptr (WeirBlock) typed = NULL;
      g_autoptr (WeirBlock) placed = NULL;
      WeirPoint size;
      double y;

      b->name = take_name (data);
      plain = weir_block_new (b->id, "Pin", b->name, (WeirPoint) { 0, 0 });
      flipped = weir_block_with_orientation (plain, WEIR_ROTATION_0, b->is_right);
      sided = weir_block_with_parameter (flipped, "side", b->is_right ? "right" : "left");
      typed = weir_block_with_parameter (sided, "domain",
                                         b->domain != NULL ? b->domain->name : NULL);
      size = weir_block_get_turned_size (typed);
      y = MAX (weir_snap (b->y - size.y / 2), least[b->is_right]);
      least[b->is_right] = y + size.y + 2 * WEIR_GRID;
      placed = weir_block_with_position (
          typed, (WeirPoint) {
                     b->is_right ? box.x + box.width + SIDE_GAP : box.x - SIDE_GAP - size.x, y });
      weir_patch_set_block (edit->patch, inner, placed);
    }
}

void
weir_boundaries_group_line (WeirBoundaries *self, WeirEdit *edit, WeirSite site, WeirPlace inner,
                            WeirWire *line, guint32 subsystem, guint32 *next_id)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, weir_wire_get_id (line));
  const Boundary *boundary = shape != NULL ? find_boundary (self, shape->node) : NULL;
  WeirWireEnd ends[2] = { weir_wire_get_from (line), weir_wire_get_to (line) };
  gboolean is_inside = goes_in (self, line, 0), changed = FALSE;
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) straight = NULL;

  for (guint i = 0; boundary != NULL && i < 2; i++)
    {
      WeirWireEnd end = ends[i];
      const WeirWireShape *joined = end.line != 0 ? weir_scene_find_wire (self->scene, end.line)
                                                  : NULL;

      if (is_inside && joined != NULL && !goes_in (self, joined->wire, 0))
        ends[i] = (WeirWireEnd) { .block = boundary->id, .port = "p" };
      else if (!is_inside && end_goes_in (self, end, 0) == 1)
        {
          /* This line stays outside; a new one goes on inside. */
          g_autoptr (WeirWire) further = weir_line_new (
              (*next_id)++, (WeirWireEnd) { .block = boundary->id, .port = "p" }, end, NULL, 0);

          ends[i] = (WeirWireEnd) { .block = subsystem, .port = boundary->name };
          weir_patch_set_wire (edit->patch, inner, further);
        }
      else
        continue;
      changed = TRUE;
    }
  if (!is_inside && !changed)
    return;
  ended = weir_wire_with_ends (line, ends[0], ends[1]);
  straight = changed ? weir_wire_with_bends (ended, NULL, 0) : weir_wire_ref (ended);
  weir_patch_set_wire (edit->patch, is_inside ? inner : site.place, straight);
  if (is_inside)
    weir_patch_remove_wire (edit->patch, site.place, weir_wire_get_id (line));
}

/* --- Out ------------------------------------------------------------------------------------- */

typedef struct {
  GHashTable *pins; /* name of a pin of the Subsystem -> id of its Pin block */
  guint32 subsystem;
  WeirPoint offset;
  gboolean is_inner;
} Expansion;

/* An end at a Pin, or at the Subsystem's pin, becomes one on a line of the Pin's id, which there is
 * not: when that goes the lines are kept together. */
static WeirWireEnd
join_at_pin (const Expansion *self, const WeirDiagram *inner, WeirWireEnd end)
{
  WeirBlock *block = weir_diagram_find_block (inner, end.block);
  guint32 pin = self->is_inner ? (block != NULL && weir_block_is_pin (block) ? end.block : 0)
                : end.block == self->subsystem && end.port != NULL
                    ? GPOINTER_TO_UINT (g_hash_table_lookup (self->pins, end.port))
                    : 0;
  WeirPoint at = { 0, 0 };

  if (pin == 0)
    return end;
  at = weir_block_get_position (weir_diagram_find_block (inner, pin));
  return (WeirWireEnd) { .point = { at.x + self->offset.x, at.y + self->offset.y }, .line = pin };
}

void
weir_boundaries_expand (WeirEdit *edit, WeirSite site, WeirPlace place, guint32 subsystem,
                        WeirPoint offset)
{
  WeirDiagram *outer = weir_site_get_diagram (site);
  WeirDiagram *inner = weir_model_get_diagram (site.model, place);
  g_autoptr (GPtrArray) blocks = weir_diagram_list_blocks (inner);
  g_autoptr (GPtrArray) outer_lines = weir_diagram_list_wires (outer, 0);
  g_autoptr (GPtrArray) inner_lines = weir_diagram_list_wires (inner, 0);
  const GPtrArray *lines[2] = { outer_lines, inner_lines };
  g_autoptr (GHashTable) pins = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (WeirLineWork) work = weir_line_work_new (outer);
  Expansion self = { pins, subsystem, offset, FALSE };

  for (guint i = 0; i < blocks->len; i++)
    if (weir_block_is_pin (blocks->pdata[i]))
      g_hash_table_insert (pins, (char *) weir_block_get_name (blocks->pdata[i]),
                           GUINT_TO_POINTER (weir_block_get_id (blocks->pdata[i])));
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < lines[side]->len; i++)
      {
        WeirWire *line = lines[side]->pdata[i];
        g_autoptr (WeirWire) moved = NULL;
        g_autoptr (WeirWire) ended = NULL;
        WeirWireEnd from, to;

        if (!weir_wire_is_line (line))
          continue;
        self.is_inner = side == 1;
        moved = self.is_inner ? weir_wire_shifted (line, offset) : weir_wire_ref (line);
        from = join_at_pin (&self, inner, weir_wire_get_from (moved));
        to = join_at_pin (&self, inner, weir_wire_get_to (moved));
        if (!self.is_inner && from.line == weir_wire_get_from (moved).line
            && to.line == weir_wire_get_to (moved).line)
          continue;
        ended = weir_wire_with_ends (moved, from, to);
        weir_line_work_set (work, ended);
        if (self.is_inner)
          weir_patch_remove_wire (edit->patch, place, weir_wire_get_id (line));
      }
  for (guint i = 0; i < blocks->len; i++)
    if (weir_block_is_pin (blocks->pdata[i]))
      weir_line_work_merge (work, weir_block_get_id (blocks->pdata[i]));
  weir_line_work_put (work, edit, site);
}
