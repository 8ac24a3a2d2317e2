/* Putting blocks into a Subsystem and taking them out again, as patches. See edits.h.
 *
 * Blocks and inner wires keep their ids on the way in and out, so that undo, problem marks and open
 * plots that name a block by id stay with it.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/edits/edits-boundary.h"
#include "canvas/edits/edits.h"

#define SIDE_GAP 80.0 /* between the In and Out blocks and the rest */

/* --- In -------------------------------------------------------------------------------------- */

/* A signal that crosses the border: which port it leaves, and the In or Out block made for it. */
typedef struct {
  WeirWireEnd source;
  char *name;
  guint32 id;
  double y; /* of the first port that it meets inside */
  gboolean is_in;
  guint32 outer_wire; /* of an In: the wire that now ends at the Subsystem */
} Crossing;

typedef struct {
  WeirSite site;
  WeirEdit *edit;
  WeirDiagram *diagram;
  GHashTable *inside; /* ids of the blocks that go in */
  GHashTable *names;  /* of all blocks inside */
  GPtrArray *crossings;
  guint32 next_id;
  WeirPlace inner;
  WeirBoundaries *boundaries;
} Grouping;

static void
crossing_free (gpointer data)
{
  Crossing *crossing = data;

  g_free (crossing->name);
  g_free (crossing);
}

static char *
take_free_name (GHashTable *names, const char *base)
{
  g_autofree char *name = g_strdup_printf ("%s1", base);

  for (guint i = 2; g_hash_table_contains (names, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%u", base, i);
    }
  g_hash_table_add (names, g_strdup (name));
  return g_steal_pointer (&name);
}

/* @names: of a Pin. (transfer full) */
static char *
take_pin_name (gpointer names)
{
  return take_free_name (names, "pin");
}

static double
get_port_y (const WeirDiagram *diagram, WeirWireEnd end, gboolean is_output)
{
  WeirBlock *block = weir_diagram_find_block (diagram, end.block);
  g_autoptr (WeirBlockShape) shape = NULL;
  const WeirPortShape *port;

  if (block == NULL)
    return end.point.y;
  shape = weir_block_shape_new (block);
  port = weir_block_shape_find_port (shape, end.port, is_output);
  return port != NULL ? port->position.y : weir_rect_get_center (shape->box).y;
}

static Crossing *
find_crossing (const Grouping *g, WeirWireEnd source, gboolean is_in)
{
  for (guint i = 0; i < g->crossings->len; i++)
    {
      Crossing *crossing = g->crossings->pdata[i];

      if (crossing->is_in == is_in && crossing->source.block == source.block && source.block != 0
          && g_strcmp0 (crossing->source.port, source.port) == 0)
        return crossing;
    }
  return NULL;
}

static void
note_crossing (Grouping *g, WeirWire *wire, gboolean is_in)
{
  WeirWireEnd source = weir_wire_get_from (wire);
  Crossing *crossing = find_crossing (g, source, is_in);
  double y = is_in ? get_port_y (g->diagram, weir_wire_get_to (wire), FALSE)
                   : get_port_y (g->diagram, source, TRUE);

  if (crossing == NULL)
    {
      crossing = g_new0 (Crossing, 1);
      crossing->source = source;
      crossing->is_in = is_in;
      crossing->y = y;
      crossing->outer_wire = weir_wire_get_id (wire);
      g_ptr_array_add (g->crossings, crossing);
    }
  crossing->y = MIN (crossing->y, y);
}

static int
compare_crossings (gconstpointer a, gconstpointer b)
{
  const Crossing *x = *(const Crossing *const *) a, *y = *(const Crossing *const *) b;

  if (x->is_in != y->is_in)
    return x->is_in ? -1 : 1;
  if (x->y != y->y)
    return x->y < y->y ? -1 : 1;
  return x->outer_wire < y->outer_wire ? -1 : x->outer_wire > y->outer_wire;
}

static gboolean
is_inside (const Grouping *g, guint32 block)
{
  return block != 0 && weir_id_set_has (g->inside, block);
}

static gboolean
is_port_block (const WeirBlock *block)
{
  const char *type = weir_block_get_type_name (block);

  return g_str_equal (type, "In") || g_str_equal (type, "Out") || weir_block_is_pin (block);
}

/* The In and Out blocks, left and right of the rest, in the order of the ports that they serve. */
static void
add_port_blocks (Grouping *g, WeirRect box)
{
  double least[2] = { -INFINITY, -INFINITY };

  g_ptr_array_sort (g->crossings, compare_crossings);
  for (guint i = 0; i < g->crossings->len; i++)
    {
      Crossing *crossing = g->crossings->pdata[i];
      const char *type = crossing->is_in ? "In" : "Out";
      g_autoptr (WeirBlock) block = NULL;
      g_autoptr (WeirBlock) placed = NULL;
      WeirPoint size;
      double y;

      crossing->name = take_free_name (g->names, crossing->is_in ? "in" : "out");
      crossing->id = g->next_id++;
      block = weir_block_new (crossing->id, type, crossing->name, (WeirPoint) { 0, 0 });
      size = weir_block_get_turned_size (block);
      y = MAX (crossing->y - size.y / 2, least[crossing->is_in]);
      least[crossing->is_in] = y + size.y + 2 * WEIR_GRID;
      placed = weir_block_with_position (
          block,
          (WeirPoint) { crossing->is_in ? box.x - SIDE_GAP - size.x : box.x + box.width + SIDE_GAP,
                        y });
      weir_patch_set_block (g->edit->patch, g->inner, placed);
      if (!crossing->is_in)
        {
          g_autoptr (WeirWire)
              wire = weir_wire_new (g->next_id++, crossing->source,
                                    (WeirWireEnd) { .block = crossing->id, .port = "u" }, NULL, 0);

          weir_patch_set_wire (g->edit->patch, g->inner, wire);
        }
    }
}

static void
move_wire_in (Grouping *g, WeirWire *wire, WeirWireEnd from, WeirWireEnd to)
{
  g_autoptr (WeirWire) moved = weir_wire_with_ends (wire, from, to);

  weir_patch_set_wire (g->edit->patch, g->inner, moved);
  weir_patch_remove_wire (g->edit->patch, g->site.place, weir_wire_get_id (wire));
}

static void
group_wire (Grouping *g, WeirWire *wire, guint32 subsystem)
{
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  gboolean from_in = is_inside (g, from.block), to_in = is_inside (g, to.block);
  const Crossing *crossing;

  if ((from_in || from.block == 0) && (to_in || to.block == 0) && (from_in || to_in))
    move_wire_in (g, wire, from, to);
  else if (to_in)
    {
      crossing = find_crossing (g, from, TRUE);
      if (crossing->outer_wire == weir_wire_get_id (wire))
        {
          /* This wire stays outside; a new one goes on inside. */
          g_autoptr (WeirWire) ended = weir_wire_with_ends (
              wire, from, (WeirWireEnd) { .block = subsystem, .port = crossing->name });
          g_autoptr (WeirWire) outer = weir_wire_with_bends (ended, NULL, 0);
          g_autoptr (WeirWire) inner = weir_wire_new (
              g->next_id++, (WeirWireEnd) { .block = crossing->id, .port = "y" }, to, NULL, 0);

          weir_patch_set_wire (g->edit->patch, g->site.place, outer);
          weir_patch_set_wire (g->edit->patch, g->inner, inner);
        }
      else
        {
          g_autoptr (WeirWire) inner = weir_wire_with_bends (wire, NULL, 0);

          move_wire_in (g, inner, (WeirWireEnd) { .block = crossing->id, .port = "y" }, to);
        }
    }
  else if (from_in)
    {
      g_autoptr (WeirWire) ended = NULL;
      g_autoptr (WeirWire) outer = NULL;

      crossing = find_crossing (g, from, FALSE);
      ended = weir_wire_with_ends (
          wire, (WeirWireEnd) { .block = subsystem, .port = crossing->name }, to);
      outer = weir_wire_with_bends (ended, NULL, 0);
      weir_patch_set_wire (g->edit->patch, g->site.place, outer);
    }
}

/* An empty one around @middle, as high as its ports will make it. (transfer full) */
static WeirBlock *
subsystem_new (const Grouping *g, guint32 id, WeirPoint middle)
{
  g_autofree char *name = weir_diagram_dup_free_name (g->diagram, "Subsystem");
  g_autoptr (WeirBlock) empty = weir_block_new (id, "Subsystem", name, (WeirPoint) { 0, 0 });
  WeirPoint size = weir_block_get_own_size (empty);
  guint n_in = 0, n_out, n_most;

  for (guint i = 0; i < g->crossings->len; i++)
    n_in += ((Crossing *) g->crossings->pdata[i])->is_in;
  n_out = g->crossings->len - n_in + weir_boundaries_count (g->boundaries, TRUE);
  n_most = MAX (n_in + weir_boundaries_count (g->boundaries, FALSE), n_out);
  size.y = MAX (size.y, WEIR_PORT_SPACING * (1 + n_most));
  return weir_block_with_position (
      empty, (WeirPoint) { weir_snap (middle.x - size.x / 2), weir_snap (middle.y - size.y / 2) });
}

WeirEdit *
weir_edit_group (WeirSite site, WeirElements what)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) crossings = g_ptr_array_new_with_free_func (crossing_free);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr (GPtrArray) wires = NULL;
  g_autoptr (WeirScene) scene = NULL;
  g_autoptr (WeirBoundaries) boundaries = NULL;
  g_autoptr (WeirLineWork) outer_lines = weir_line_work_new (diagram);
  g_autoptr (WeirLineWork) inner_lines = weir_line_work_new (NULL);
  Grouping g = { site, NULL, diagram, inside, names, crossings, 0, { NULL, 0 }, NULL };
  guint32 subsystem = weir_model_get_next_id (site.model);
  g_autoptr (WeirBlock) placed = NULL;
  WeirRect box = { 0, 0, 0, 0 };

  for (guint i = 0; i < what.n_blocks && diagram != NULL; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, what.blocks[i]);

      /* An In or Out is a port of this level. */
      if (block == NULL || is_port_block (block))
        continue;
      g_hash_table_add (inside, GUINT_TO_POINTER (what.blocks[i]));
      g_hash_table_add (names, g_strdup (weir_block_get_name (block)));
      box = blocks->len > 0 ? weir_rect_union (box, weir_block_get_box (block))
                            : weir_block_get_box (block);
      g_ptr_array_add (blocks, block);
    }
  if (blocks->len == 0)
    return NULL;

  if (site.place.n_ids > 0)
    g_array_append_vals (ids, site.place.ids, site.place.n_ids);
  g_array_append_val (ids, subsystem);
  g.inner = (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
  g.next_id = subsystem + 1;
  g.edit = weir_edit_new (
      g_strdup_printf (ngettext ("Group %u block", "Group %u blocks", blocks->len), blocks->len));

  wires = weir_diagram_list_wires (diagram, 0);
  for (guint i = 0; i < wires->len; i++)
    {
      guint32 from = weir_wire_get_from (wires->pdata[i]).block;
      guint32 to = weir_wire_get_to (wires->pdata[i]).block;

      if (from != 0 && to != 0 && !weir_wire_is_line (wires->pdata[i])
          && is_inside (&g, from) != is_inside (&g, to))
        note_crossing (&g, wires->pdata[i], is_inside (&g, to));
    }
  scene = weir_scene_new (diagram, NULL);
  g.boundaries = boundaries = weir_boundaries_new (scene, inside, weir_rect_get_center (box));
  placed = subsystem_new (&g, subsystem, weir_rect_get_center (box));
  weir_edit_put_block (g.edit, site, placed);
  for (guint i = 0; i < blocks->len; i++)
    weir_patch_set_block (g.edit->patch, g.inner, blocks->pdata[i]);
  add_port_blocks (&g, box);
  weir_boundaries_add_blocks (boundaries, g.edit, g.inner, box, take_pin_name, names, &g.next_id);
  for (guint i = 0; i < wires->len; i++)
    if (!weir_wire_is_line (wires->pdata[i]))
      group_wire (&g, wires->pdata[i], subsystem);
  weir_boundaries_split (boundaries, outer_lines, inner_lines, (WeirPoint) { 0, 0 }, &g.next_id);
  weir_line_work_put (outer_lines, g.edit->patch, site.place);
  weir_line_work_put (inner_lines, g.edit->patch, g.inner);
  for (guint i = 0; i < blocks->len; i++)
    weir_patch_remove_block (g.edit->patch, site.place, weir_block_get_id (blocks->pdata[i]));
  for (guint i = 0; i < what.n_notes; i++)
    {
      WeirNote *note = weir_diagram_find_note (diagram, what.notes[i]);

      if (note == NULL)
        continue;
      weir_patch_set_note (g.edit->patch, g.inner, note);
      weir_patch_remove_note (g.edit->patch, site.place, what.notes[i]);
    }
  g.edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (g.edit->new_blocks, subsystem);
  return g.edit;
}

/* --- Out ------------------------------------------------------------------------------------- */

typedef struct {
  WeirSite site;
  WeirEdit *edit;
  WeirDiagram *outer, *inner;
  guint32 subsystem;
  WeirPoint offset; /* from inside to outside */
  WeirPlace place;  /* of the inside */
  guint32 next_id;
} Expanding;

static WeirPoint
shift (WeirPoint point, WeirPoint offset)
{
  return (WeirPoint) { point.x + offset.x, point.y + offset.y };
}

/* Where a signal comes from that an inner wire begins with, as seen outside. */
static WeirWireEnd
resolve_source (const Expanding *e, WeirWireEnd from)
{
  const WeirBlock *block = weir_diagram_find_block (e->inner, from.block);
  WeirWire *outer;

  if (block == NULL)
    return (WeirWireEnd) { 0, NULL, shift (from.point, e->offset) };
  if (!g_str_equal (weir_block_get_type_name (block), "In"))
    return from;
  outer = weir_diagram_find_wire_into (e->outer, e->subsystem, weir_block_get_name (block));
  if (outer != NULL && weir_wire_get_from (outer).block != e->subsystem)
    return weir_wire_get_from (outer);
  /* Nothing came in: the wire is left loose where the In was. */
  return (WeirWireEnd) { 0, NULL, shift (weir_block_get_position (block), e->offset) };
}

static WeirWireEnd
resolve_output (const Expanding *e, const char *port)
{
  WeirBlock *out = weir_diagram_find_block_by_name (e->inner, port);
  WeirWire *wire = out != NULL
                       ? weir_diagram_find_wire_into (e->inner, weir_block_get_id (out), "u")
                       : NULL;

  if (wire != NULL)
    return resolve_source (e, weir_wire_get_from (wire));
  return (WeirWireEnd) { 0, NULL,
                         out != NULL ? shift (weir_block_get_position (out), e->offset)
                                     : e->offset };
}

static void
expand_inner_wire (const Expanding *e, WeirWire *wire)
{
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  const WeirBlock *target = weir_diagram_find_block (e->inner, to.block);
  g_autoptr (WeirWire) moved = weir_wire_shifted (wire, e->offset);
  g_autoptr (WeirWire) ended = NULL;

  weir_patch_remove_wire (e->edit->patch, e->place, weir_wire_get_id (wire));
  if (target != NULL && is_port_block (target))
    return; /* the wires at that output of the Subsystem take over */
  if (to.block == 0)
    to.point = shift (to.point, e->offset);
  ended = weir_wire_with_ends (moved, resolve_source (e, from), to);
  if (weir_wire_get_from (ended).block != from.block)
    {
      g_autoptr (WeirWire) straight = weir_wire_with_bends (ended, NULL, 0);

      weir_patch_set_wire (e->edit->patch, e->site.place, straight);
      return;
    }
  weir_patch_set_wire (e->edit->patch, e->site.place, ended);
}

static void
expand_outer_wire (const Expanding *e, WeirWire *wire)
{
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) straight = NULL;

  if (to.block == e->subsystem)
    {
      weir_patch_remove_wire (e->edit->patch, e->site.place, weir_wire_get_id (wire));
      if (from.block != e->subsystem)
        return;
      /* From the Subsystem to itself: to each block behind that In. */
      {
        WeirBlock *in = weir_diagram_find_block_by_name (e->inner, to.port);
        g_autoptr (GPtrArray)
            wires = in != NULL ? weir_diagram_list_wires (e->inner, weir_block_get_id (in)) : NULL;

        for (guint i = 0; wires != NULL && i < wires->len; i++)
          {
            WeirWire *behind = wires->pdata[i];
            const WeirBlock *target = weir_diagram_find_block (e->inner,
                                                               weir_wire_get_to (behind).block);
            g_autoptr (WeirWire) moved = NULL;

            if (target == NULL || is_port_block (target))
              continue;
            moved = weir_wire_with_ends (behind, resolve_output (e, from.port),
                                         weir_wire_get_to (behind));
            weir_patch_set_wire (e->edit->patch, e->site.place, moved);
          }
      }
      return;
    }
  ended = weir_wire_with_ends (wire, resolve_output (e, from.port), to);
  straight = weir_wire_with_bends (ended, NULL, 0);
  weir_patch_set_wire (e->edit->patch, e->site.place, straight);
}

/* Moves what lies right of and below the Subsystem out of the way of its larger contents. */
static void
make_room (const Expanding *e, WeirRect old, WeirRect new)
{
  g_autoptr (GPtrArray) blocks = weir_diagram_list_blocks (e->outer);
  double dx = MAX (0, new.width - old.width), dy = MAX (0, new.height - old.height);

  for (guint i = 0; i < blocks->len; i++)
    {
      WeirRect box = weir_block_get_box (blocks->pdata[i]);
      WeirPoint at = { box.x, box.y };
      g_autoptr (WeirBlock) moved = NULL;

      if (weir_block_get_id (blocks->pdata[i]) == e->subsystem)
        continue;
      if (box.x >= old.x + old.width)
        at.x += dx;
      else if (box.y >= old.y + old.height)
        at.y += dy;
      if (at.x == box.x && at.y == box.y)
        continue;
      moved = weir_block_with_position (blocks->pdata[i], at);
      weir_edit_put_block (e->edit, e->site, moved);
    }
}

static char *
dup_outer_name (const Expanding *e, GHashTable *taken, const char *name)
{
  g_autofree char *free_name = weir_diagram_dup_free_name (e->outer, name);

  /* Taken by a block that comes out too. */
  for (guint i = 2; g_hash_table_contains (taken, free_name); i++)
    {
      g_autofree char *base = g_strdup_printf ("%s_%u", name, i);

      g_free (free_name);
      free_name = weir_diagram_dup_free_name (e->outer, base);
    }
  g_hash_table_add (taken, g_strdup (free_name));
  return g_steal_pointer (&free_name);
}

WeirEdit *
weir_edit_expand (WeirSite site, guint32 id)
{
  WeirDiagram *outer = weir_site_get_diagram (site);
  WeirBlock *subsystem = weir_site_find_block (site, id);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (GPtrArray) inner_wires = NULL;
  g_autoptr (GPtrArray) outer_wires = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  Expanding e = { site, NULL, outer, NULL, id, { 0, 0 }, { NULL, 0 }, 0 };
  WeirRect box = { 0, 0, 0, 0 }, old;
  gboolean any = FALSE;

  if (subsystem == NULL || weir_block_get_diagram (subsystem) == NULL)
    return NULL;
  e.inner = weir_block_get_diagram (subsystem);
  if (site.place.n_ids > 0)
    g_array_append_vals (ids, site.place.ids, site.place.n_ids);
  g_array_append_val (ids, id);
  e.place = (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
  e.edit = weir_edit_new (g_strdup_printf (_ ("Expand %s"), weir_block_get_name (subsystem)));
  e.edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  e.edit->new_notes = g_array_new (FALSE, FALSE, sizeof (guint32));

  blocks = weir_diagram_list_blocks (e.inner);
  notes = weir_diagram_list_notes (e.inner);
  for (guint i = 0; i < blocks->len; i++)
    if (!is_port_block (blocks->pdata[i]))
      {
        box = any ? weir_rect_union (box, weir_block_get_box (blocks->pdata[i]))
                  : weir_block_get_box (blocks->pdata[i]);
        any = TRUE;
      }
  old = weir_block_get_box (subsystem);
  e.offset = (WeirPoint) { weir_snap (old.x - box.x),
                           weir_snap (old.y + old.height / 2 - box.y - box.height / 2) };
  if (box.height > old.height)
    e.offset.y = weir_snap (old.y - box.y);
  make_room (&e, old, box);
  g_hash_table_add (taken, g_strdup (weir_block_get_name (subsystem)));

  for (guint i = 0; i < blocks->len; i++)
    {
      WeirBlock *block = blocks->pdata[i];
      guint32 block_id = weir_block_get_id (block);
      g_autoptr (WeirBlock) named = NULL;
      g_autoptr (WeirBlock) moved = NULL;
      g_autofree char *name = NULL;

      if (is_port_block (block))
        continue;
      name = dup_outer_name (&e, taken, weir_block_get_name (block));
      named = weir_block_with_name (block, name);
      moved = weir_block_with_position (named, shift (weir_block_get_position (block), e.offset));
      weir_edit_put_block (e.edit, site, moved);
      g_array_append_val (e.edit->new_blocks, block_id);
    }
  for (guint i = 0; i < notes->len; i++)
    {
      guint32 note_id = weir_note_get_id (notes->pdata[i]);
      g_autoptr (WeirNote) moved = weir_note_with_position (
          notes->pdata[i], shift (weir_note_get_position (notes->pdata[i]), e.offset));

      weir_patch_set_note (e.edit->patch, site.place, moved);
      weir_patch_remove_note (e.edit->patch, e.place, note_id);
      g_array_append_val (e.edit->new_notes, note_id);
    }
  inner_wires = weir_diagram_list_wires (e.inner, 0);
  for (guint i = 0; i < inner_wires->len; i++)
    if (!weir_wire_is_line (inner_wires->pdata[i]))
      expand_inner_wire (&e, inner_wires->pdata[i]);
  outer_wires = weir_diagram_list_wires (outer, id);
  for (guint i = 0; i < outer_wires->len; i++)
    if (!weir_wire_is_line (outer_wires->pdata[i]))
      expand_outer_wire (&e, outer_wires->pdata[i]);
  weir_boundaries_expand (e.edit, site, e.place, id, e.offset);
  for (guint i = 0; i < blocks->len; i++)
    weir_patch_remove_block (e.edit->patch, e.place, weir_block_get_id (blocks->pdata[i]));
  weir_patch_remove_block (e.edit->patch, site.place, id);
  return e.edit;
}
