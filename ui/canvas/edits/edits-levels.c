/* Carrying elements from one level of the model to another, as one patch. See edits.h. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/edits/edits-boundary.h"
#include "canvas/edits/edits.h"

#define GAP 60.0 /* between what is in a level and what comes to it */

static gboolean
is_same_place (WeirPlace a, WeirPlace b)
{
  return a.n_ids == b.n_ids
         && (a.n_ids == 0 || memcmp (a.ids, b.ids, a.n_ids * sizeof *a.ids) == 0);
}

/* Whether @place is in one of the blocks of @site. */
static gboolean
is_within (WeirPlace place, WeirSite site, GHashTable *blocks)
{
  return place.n_ids > site.place.n_ids
         && is_same_place ((WeirPlace) { place.ids, site.place.n_ids }, site.place)
         && weir_id_set_has (blocks, place.ids[site.place.n_ids]);
}

/* A block that goes: not the ports and pins of the Subsystem around it. */
static WeirBlock *
find_movable (WeirDiagram *diagram, guint32 id)
{
  WeirBlock *block = weir_diagram_find_block (diagram, id);
  const char *type = block != NULL ? weir_block_get_type_name (block) : "In";

  return g_str_equal (type, "In") || g_str_equal (type, "Out") || g_str_equal (type, "Pin") ? NULL
                                                                                            : block;
}

static void
add_box (WeirRect *box, gboolean *is_empty, WeirRect added)
{
  *box = *is_empty ? added : weir_rect_union (*box, added);
  *is_empty = FALSE;
}

/* Below what is there. */
static WeirPoint
calc_offset (WeirDiagram *target, WeirRect moved)
{
  g_autoptr (GPtrArray) blocks = weir_diagram_list_blocks (target);
  WeirRect box;
  gboolean is_empty = TRUE;

  for (guint i = 0; i < blocks->len; i++)
    add_box (&box, &is_empty, weir_block_get_box (g_ptr_array_index (blocks, i)));
  if (is_empty)
    return (WeirPoint) { 0, 0 };
  return (WeirPoint) { weir_snap (box.x - moved.x),
                       weir_snap (box.y + box.height + GAP - moved.y) };
}

/* A wire with one end at what goes stays behind, loose where that end was. */
static void
loosen (WeirEdit *edit, WeirSite site, WeirWire *wire, GHashTable *gone)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWireEnd ends[2] = { weir_wire_get_from (wire), weir_wire_get_to (wire) };
  g_autoptr (WeirWire) loose = NULL;

  for (guint i = 0; i < 2; i++)
    if (ends[i].block != 0 && weir_id_set_has (gone, ends[i].block))
      {
        g_autoptr (WeirBlockShape)
            shape = weir_block_shape_new (weir_diagram_find_block (diagram, ends[i].block));
        const WeirPortShape *port = weir_block_shape_find_port (shape, ends[i].port, i == 0);

        ends[i] = (WeirWireEnd) { .point = port != NULL ? port->position
                                                        : weir_rect_get_center (shape->box) };
      }
  loose = weir_wire_with_ends (wire, ends[0], ends[1]);
  weir_edit_put_wire (edit, site, loose);
}

static void
move_wires (WeirEdit *edit, WeirSite site, WeirPlace target, GHashTable *gone, WeirPoint offset)
{
  g_autoptr (GPtrArray) wires = weir_diagram_list_wires (weir_site_get_diagram (site), 0);

  for (guint i = 0; i < wires->len; i++)
    {
      WeirWire *wire = g_ptr_array_index (wires, i);
      guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;
      gboolean from_goes = from != 0 && weir_id_set_has (gone, from);
      gboolean to_goes = to != 0 && weir_id_set_has (gone, to);

      if (weir_wire_is_line (wire) || (!from_goes && !to_goes))
        continue;
      if ((from_goes || from == 0) && (to_goes || to == 0))
        {
          g_autoptr (WeirWire) moved = weir_wire_shifted (wire, offset);

          weir_patch_remove_wire (edit->patch, site.place, weir_wire_get_id (wire));
          weir_patch_set_wire (edit->patch, target, moved);
        }
      else
        loosen (edit, site, wire, gone);
    }
}

/* One that neither the level nor what came before has. (transfer full) */
static char *
take_free_name (WeirDiagram *diagram, GHashTable *taken, const char *wanted)
{
  char *name = weir_diagram_dup_free_name (diagram, wanted);

  while (g_hash_table_contains (taken, name))
    {
      g_autofree char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = weir_diagram_dup_free_name (diagram, longer);
    }
  g_hash_table_add (taken, g_strdup (name));
  return name;
}

/* --- The way of a node ----------------------------------------------------------------------- */

/* A level on the way: up to what both ends of it are in, then down. */
typedef struct {
  WeirPlace place;
  WeirScene *scene;
  GHashTable *names; /* given to blocks that come to it; borrowed in the last */
  WeirPinColumn column;
} Level;

typedef struct {
  WeirSite site;
  WeirEdit *edit;
  WeirBoundaries *boundaries;
  GHashTable *gone;
  GPtrArray *levels; /* Level */
  WeirPoint offset;  /* of what moves, from the first to the last */
  guint32 next_id;
} Way;

static Level *
level_new (WeirModel *model, WeirPlace place)
{
  Level *level = g_new (Level, 1);
  g_autoptr (GPtrArray) blocks = NULL;
  WeirRect box = { 0, 0, 0, 0 };
  gboolean is_empty = TRUE;

  *level = (Level) { place,
                     weir_scene_new (weir_model_get_diagram (model, place), NULL),
                     g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                     { { 0 } } };
  blocks = weir_diagram_list_blocks (weir_scene_get_diagram (level->scene));
  for (guint i = 0; i < blocks->len; i++)
    add_box (&box, &is_empty, weir_block_get_box (blocks->pdata[i]));
  weir_pin_column_init (&level->column, box);
  return level;
}

static void
level_free (gpointer data)
{
  Level *level = data;

  weir_scene_unref (level->scene);
  g_hash_table_unref (level->names);
  g_free (level);
}

/* Up from @from, then down to @to. (transfer full) */
static GPtrArray *
list_levels (WeirModel *model, WeirPlace from, WeirPlace to)
{
  GPtrArray *levels = g_ptr_array_new_with_free_func (level_free);
  guint n_common = 0;

  while (n_common < from.n_ids && n_common < to.n_ids && from.ids[n_common] == to.ids[n_common])
    n_common++;
  for (guint n = from.n_ids; n > n_common; n--)
    g_ptr_array_add (levels, level_new (model, (WeirPlace) { from.ids, n }));
  for (guint n = n_common; n <= to.n_ids; n++)
    g_ptr_array_add (levels, level_new (model, (WeirPlace) { to.ids, n }));
  return levels;
}

static guint32
get_owner (const Level *level)
{
  return level->place.ids[level->place.n_ids - 1];
}

/* The pin of @block, or of any Pin block for 0, that is joined with @node already; FALSE: none. */
static gboolean
find_joined (const Way *way, const Level *level, guint32 node, guint32 block, WeirWireEnd *found)
{
  WeirDiagram *diagram = weir_scene_get_diagram (level->scene);

  for (guint i = 0; node != 0 && i < weir_scene_get_n_wires (level->scene); i++)
    {
      const WeirWireShape *line = weir_scene_get_wire (level->scene, i);
      WeirWireEnd ends[2] = { weir_wire_get_from (line->wire), weir_wire_get_to (line->wire) };

      for (guint k = 0; line->node == node && k < 2; k++)
        {
          WeirBlock *there = weir_diagram_find_block (diagram, ends[k].block);

          if (there == NULL || weir_id_set_has (way->gone, ends[k].block)
              || (block != 0 ? ends[k].block != block : !weir_block_is_pin (there)))
            continue;
          *found = ends[k];
          return TRUE;
        }
    }
  return FALSE;
}

/* A new Pin in @level. The name is kept with the boundaries. */
static const char *
add_pin (Way *way, Level *level, const WeirBoundary *boundary, double y, WeirWireEnd *inner)
{
  g_autofree char *name = take_free_name (weir_scene_get_diagram (level->scene), level->names,
                                          "pin1");
  guint32 id = way->next_id++;

  weir_pin_column_add (&level->column, way->edit, level->place, id, name, boundary, y);
  *inner = (WeirWireEnd) { .block = id, .port = "p" };
  return weir_boundaries_keep_name (way->boundaries, name);
}

static void
join (Way *way, const Level *level, WeirWireEnd a, WeirWireEnd b)
{
  g_autoptr (WeirWire) line = weir_line_new (way->next_id++, a, b, NULL, 0);

  weir_patch_set_wire (way->edit->patch, level->place, line);
}

/* From @end of a node in @level, or from node @node of the first level, one level up or down.
 * @outer: (out) where it ends in @level. The end of it in @next is returned. */
static WeirWireEnd
step (Way *way, Level *level, Level *next, guint32 node, const WeirBoundary *boundary,
      WeirWireEnd *outer)
{
  gboolean is_up = next->place.n_ids < level->place.n_ids;
  guint32 subsystem = get_owner (is_up ? level : next);
  WeirWireEnd inner = { 0 };
  const char *name;

  if (is_up)
    {
      if (find_joined (way, level, node, 0, outer))
        name = weir_boundaries_keep_name (
            way->boundaries, weir_block_get_name (weir_diagram_find_block (
                                 weir_scene_get_diagram (level->scene), outer->block)));
      else
        name = add_pin (way, level, boundary, boundary->y, outer);
      return (WeirWireEnd) { .block = subsystem, .port = name };
    }
  if (find_joined (way, level, node, subsystem, outer))
    {
      WeirBlock *pin = weir_diagram_find_block_by_name (weir_scene_get_diagram (next->scene),
                                                        outer->port);

      outer->port = weir_boundaries_keep_name (way->boundaries, outer->port);
      if (pin != NULL && weir_block_is_pin (pin))
        return (WeirWireEnd) { .block = weir_block_get_id (pin), .port = "p" };
    }
  name = add_pin (way, next, boundary, boundary->y + way->offset.y, &inner);
  *outer = (WeirWireEnd) { .block = subsystem, .port = name };
  return inner;
}

/* A node that has pins of what goes and of what stays goes on from one to the other through the
 * Pins of the Subsystems on the way: through those that it is at already, where it is. */
static void
lead_through (Way *way, WeirBoundary *boundary)
{
  WeirWireEnd end = { 0 };

  for (guint i = 0; i + 1 < way->levels->len; i++)
    {
      Level *level = way->levels->pdata[i];
      const WeirWireShape *line = i > 0
                                      ? weir_scene_find_line_at (level->scene, end.block, end.port)
                                      : NULL;
      guint32 node = i == 0 ? boundary->node : line != NULL ? line->node : 0;
      WeirWireEnd outer = { 0 };
      guint32 next_id = way->next_id;
      WeirWireEnd next = step (way, level, way->levels->pdata[i + 1], node, boundary, &outer);

      if (i == 0)
        boundary->outer = outer;
      else if (way->next_id > next_id) /* not where it was joined already */
        join (way, level, end, outer);
      end = next;
    }
  boundary->inner = end;
}

static void
move_lines (WeirEdit *edit, WeirSite site, WeirPlace target, GHashTable *gone, WeirRect box,
            WeirPoint offset, GHashTable *names)
{
  g_autoptr (GPtrArray) levels = list_levels (site.model, site.place, target);
  Level *first = levels->pdata[0], *last = levels->pdata[levels->len - 1];
  g_autoptr (WeirBoundaries)
      boundaries = weir_boundaries_new (first->scene, gone, weir_rect_get_center (box));
  g_autoptr (WeirLineWork) outer = weir_line_work_new (weir_scene_get_diagram (first->scene)),
                           inner = weir_line_work_new (weir_scene_get_diagram (last->scene));
  Way way = { site, edit, boundaries, gone, levels, offset, weir_model_get_next_id (site.model) };

  g_hash_table_unref (last->names);
  last->names = g_hash_table_ref (names);
  if (target.n_ids > site.place.n_ids)
    weir_pin_column_init (&last->column,
                          (WeirRect) { box.x + offset.x, box.y + offset.y, box.width, box.height });
  for (guint i = 0; i < weir_boundaries_get_n (boundaries); i++)
    lead_through (&way, weir_boundaries_get (boundaries, i));
  weir_boundaries_split (boundaries, outer, inner, offset, &way.next_id);
  weir_line_work_put (outer, edit->patch, site.place);
  weir_line_work_put (inner, edit->patch, target);
}

/* --- Moving ---------------------------------------------------------------------------------- */

WeirEdit *
weir_edit_move_to_level (WeirSite site, WeirElements what, WeirPlace target)
{
  WeirDiagram *diagram = weir_site_get_diagram (site),
              *other = weir_model_get_diagram (site.model, target);
  g_autoptr (GHashTable) gone = weir_id_set_new (NULL, 0);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  WeirRect box;
  gboolean is_empty = TRUE;
  WeirPoint offset;
  WeirEdit *edit;

  if (diagram == NULL || other == NULL || is_same_place (site.place, target))
    return NULL;
  for (guint i = 0; i < what.n_blocks; i++)
    {
      WeirBlock *block = find_movable (diagram, what.blocks[i]);

      if (block == NULL)
        continue;
      g_hash_table_add (gone, GUINT_TO_POINTER (what.blocks[i]));
      add_box (&box, &is_empty, weir_block_get_box (block));
    }
  if (is_empty || is_within (target, site, gone))
    return NULL;
  offset = calc_offset (other, box);
  edit = weir_edit_new (
      g_strdup_printf (ngettext ("Move %u block to another level",
                                 "Move %u blocks to another level", g_hash_table_size (gone)),
                       g_hash_table_size (gone)));
  edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  move_wires (edit, site, target, gone, offset);
  for (guint i = 0; i < what.n_blocks; i++)
    {
      WeirBlock *block = find_movable (diagram, what.blocks[i]);
      WeirPoint position = block != NULL ? weir_block_get_position (block) : (WeirPoint) { 0, 0 };
      g_autoptr (WeirBlock) placed = NULL, named = NULL;
      g_autofree char *name = NULL;

      if (block == NULL)
        continue;
      placed = weir_block_with_position (
          block, (WeirPoint) { position.x + offset.x, position.y + offset.y });
      name = take_free_name (other, names, weir_block_get_name (block));
      named = weir_block_with_name (placed, name);
      weir_patch_remove_block (edit->patch, site.place, what.blocks[i]);
      weir_patch_set_block (edit->patch, target, named);
      g_array_append_val (edit->new_blocks, what.blocks[i]);
    }
  move_lines (edit, site, target, gone, box, offset, names);
  return edit;
}
