/* Physical lines at the border of a Subsystem: what crosses it goes through Pin blocks. See
 * edits-boundary.h.
 */
#include "canvas/edits/edits-boundary.h"

#include <math.h>

#include "blocks/parts/part.h"

#define SIDE_GAP 80.0  /* between the Pin blocks and the rest */
#define MAX_JOINTS 100 /* from line to line; lines could name one another in a circle */

/* --- In -------------------------------------------------------------------------------------- */

typedef struct {
  guint32 node; /* of the diagram around; 0: of no other */
  gboolean has_inside, has_outside;
  WeirBoundary boundary; /* where both are so */
} Node;

struct _WeirBoundaries {
  WeirScene *scene;
  GHashTable *inside;    /* ids of the blocks that go in; borrowed */
  GHashTable *nodes;     /* node -> Node */
  GPtrArray *boundaries; /* WeirBoundary, those of nodes, in order of them */
  GStringChunk *names;
};

static Node *
find_node (const WeirBoundaries *self, guint32 node)
{
  return g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (node));
}

static gboolean goes_in (const WeirBoundaries *self, const WeirWire *line, guint depth);

/* 1: it goes in, 0: it stays, -1: it is loose, and goes where the other end goes. */
static int
end_goes_in (const WeirBoundaries *self, WeirWireEnd end, guint depth)
{
  const WeirWireShape *joined = end.line != 0 ? weir_scene_find_wire (self->scene, end.line) : NULL;

  if (end.block != 0)
    return weir_id_set_has (self->inside, end.block);
  if (joined == NULL || joined->node == 0)
    return -1;
  return depth <= MAX_JOINTS && goes_in (self, joined->wire, depth + 1);
}

/* Whether all of a line of a node that crosses goes in. */
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

static void
note_end (WeirBoundaries *self, Node *node, WeirWireEnd end, WeirPoint middle)
{
  if (end.block == 0 || weir_scene_find_block (self->scene, end.block) == NULL)
    return;
  if (!weir_id_set_has (self->inside, end.block))
    node->has_outside = TRUE;
  else if (!node->has_inside)
    {
      WeirPoint place = get_pin_place (self, end);

      node->has_inside = TRUE;
      node->boundary.is_right = place.x > middle.x;
      node->boundary.y = place.y;
    }
}

WeirBoundaries *
weir_boundaries_new (WeirScene *scene, GHashTable *inside, WeirPoint middle)
{
  WeirBoundaries *self = g_new (WeirBoundaries, 1);
  guint n = weir_scene_get_n_wires (scene);

  *self = (WeirBoundaries) { weir_scene_ref (scene), inside,
                             g_hash_table_new_full (NULL, NULL, NULL, g_free), g_ptr_array_new (),
                             g_string_chunk_new (64) };
  for (guint i = 0; i < n; i++)
    {
      const WeirWireShape *line = weir_scene_get_wire (scene, i);
      Node *node = find_node (self, line->node);

      if (line->node == 0)
        continue;
      if (node == NULL)
        {
          node = g_new0 (Node, 1);
          node->boundary.node = line->node;
          node->boundary.domain = line->domain;
          g_hash_table_insert (self->nodes, GUINT_TO_POINTER (line->node), node);
        }
      note_end (self, node, weir_wire_get_from (line->wire), middle);
      note_end (self, node, weir_wire_get_to (line->wire), middle);
    }
  for (guint i = 0; i < n; i++)
    {
      const WeirWireShape *line = weir_scene_get_wire (scene, i);
      Node *node = find_node (self, line->node);

      /* A node is called by its first line. */
      if (node != NULL && line->node == weir_wire_get_id (line->wire) && node->has_inside
          && node->has_outside)
        g_ptr_array_add (self->boundaries, &node->boundary);
    }
  return self;
}

void
weir_boundaries_free (WeirBoundaries *self)
{
  weir_scene_unref (self->scene);
  g_ptr_array_unref (self->boundaries);
  g_hash_table_unref (self->nodes);
  g_string_chunk_free (self->names);
  g_free (self);
}

guint
weir_boundaries_get_n (const WeirBoundaries *self)
{
  return self->boundaries->len;
}

WeirBoundary *
weir_boundaries_get (const WeirBoundaries *self, guint i)
{
  return self->boundaries->pdata[i];
}

guint
weir_boundaries_count (const WeirBoundaries *self, gboolean is_right)
{
  guint n = 0;

  for (guint i = 0; i < self->boundaries->len; i++)
    n += weir_boundaries_get (self, i)->is_right == is_right;
  return n;
}

const char *
weir_boundaries_keep_name (WeirBoundaries *self, const char *name)
{
  return g_string_chunk_insert_const (self->names, name);
}

/* --- Pin blocks ------------------------------------------------------------------------------ */

void
weir_pin_column_init (WeirPinColumn *self, WeirRect box)
{
  *self = (WeirPinColumn) { box, { -INFINITY, -INFINITY } };
}

static WeirBlock *
with_domain (WeirBlock *pin, const WeirDomain *domain)
{
  gboolean is_own = domain != NULL && weir_domain_find (domain->name) != domain;
  g_autofree char *text = is_own ? weir_domain_dup_text (domain) : NULL;
  g_autoptr (WeirBlock) declared = weir_block_with_parameter (pin, "declaration", text);

  return weir_block_with_parameter (declared, "domain",
                                    is_own           ? WEIR_DOMAIN_DECLARED
                                    : domain != NULL ? domain->name
                                                     : NULL);
}

void
weir_pin_column_add (WeirPinColumn *self, WeirEdit *edit, WeirPlace place, guint32 id,
                     const char *name, const WeirBoundary *boundary, double wanted)
{
  gboolean is_right = boundary->is_right;
  g_autoptr (WeirBlock) plain = weir_block_new (id, "Pin", name, (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) flipped = weir_block_with_orientation (plain, WEIR_ROTATION_0, is_right);
  g_autoptr (WeirBlock)
      sided = weir_block_with_parameter (flipped, "side", is_right ? "right" : "left");
  g_autoptr (WeirBlock) typed = with_domain (sided, boundary->domain);
  WeirPoint size = weir_block_get_turned_size (typed);
  double y = MAX (weir_snap (wanted - size.y / 2), self->least[is_right]);
  double x = is_right ? self->box.x + self->box.width + SIDE_GAP : self->box.x - SIDE_GAP - size.x;
  g_autoptr (WeirBlock) placed = weir_block_with_position (typed, (WeirPoint) { weir_snap (x), y });

  self->least[is_right] = y + size.y + 2 * WEIR_GRID;
  weir_patch_set_block (edit->patch, place, placed);
}

void
weir_boundaries_add_blocks (WeirBoundaries *self, WeirEdit *edit, WeirPlace inner, WeirRect box,
                            char *(*take_name) (gpointer data), gpointer data, guint32 *next_id)
{
  WeirPinColumn column;

  weir_pin_column_init (&column, box);
  for (guint i = 0; i < self->boundaries->len; i++)
    {
      WeirBoundary *boundary = weir_boundaries_get (self, i);
      g_autofree char *name = take_name (data);
      guint32 id = (*next_id)++;

      weir_pin_column_add (&column, edit, inner, id, name, boundary, boundary->y);
      boundary->outer = (WeirWireEnd) { .block = inner.ids[inner.n_ids - 1],
                                        .port = weir_boundaries_keep_name (self, name) };
      boundary->inner = (WeirWireEnd) { .block = id, .port = "p" };
    }
}

/* --- Lines ----------------------------------------------------------------------------------- */

typedef struct {
  WeirBoundaries *boundaries;
  WeirLineWork *outer, *inner;
  WeirPoint offset; /* from outside to inside */
  guint32 *next_id;
} Splitting;

static void
put_in (const Splitting *s, WeirWire *line)
{
  g_autoptr (WeirWire) moved = weir_wire_shifted (line, s->offset);

  weir_line_work_take (s->outer, weir_wire_get_id (line));
  weir_line_work_set (s->inner, moved);
}

/* Where it would end within, it ends at the border, and another goes on from there. */
static void
split_line (const Splitting *s, WeirWire *line, const WeirBoundary *boundary)
{
  WeirWireEnd ends[2] = { weir_wire_get_from (line), weir_wire_get_to (line) };
  gboolean changed = FALSE;
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) straight = NULL;

  for (guint i = 0; i < 2; i++)
    if (end_goes_in (s->boundaries, ends[i], 0) == 1)
      {
        g_autoptr (WeirWire)
            further = weir_line_new ((*s->next_id)++, boundary->inner, ends[i], NULL, 0);
        g_autoptr (WeirWire) moved = weir_wire_shifted (further, s->offset);

        ends[i] = boundary->outer;
        weir_line_work_set (s->inner, moved);
        changed = TRUE;
      }
  if (!changed)
    return;
  ended = weir_wire_with_ends (line, ends[0], ends[1]);
  straight = weir_wire_with_bends (ended, NULL, 0);
  weir_line_work_set (s->outer, straight);
}

void
weir_boundaries_split (WeirBoundaries *self, WeirLineWork *outer, WeirLineWork *inner,
                       WeirPoint offset, guint32 *next_id)
{
  Splitting s = { self, outer, inner, offset, next_id };

  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      const WeirWireShape *shape = weir_scene_get_wire (self->scene, i);
      const Node *node = find_node (self, shape->node);

      if (node == NULL || !node->has_inside)
        continue;
      if (!node->has_outside || goes_in (self, shape->wire, 0))
        put_in (&s, shape->wire);
      else
        split_line (&s, shape->wire, &node->boundary);
    }
  /* What was one node through the other side is one by the border: not by both. */
  for (guint i = 0; i < self->boundaries->len; i++)
    {
      weir_line_work_prune (outer, weir_boundaries_get (self, i)->outer);
      weir_line_work_prune (inner, weir_boundaries_get (self, i)->inner);
    }
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
  /* What is still there ends at a pin that the Subsystem no longer has. */
  weir_line_work_remove_block (work, weir_diagram_find_block (outer, subsystem));
  for (guint i = 0; i < blocks->len; i++)
    if (weir_block_is_pin (blocks->pdata[i]))
      weir_line_work_merge (work, weir_block_get_id (blocks->pdata[i]));
  weir_line_work_put (work, edit->patch, site.place);
}
