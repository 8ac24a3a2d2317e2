/* Carrying elements from one level of the model to another, as one patch. See edits.h. */
#include <glib/gi18n-lib.h>
#include <string.h>

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

/* A block that goes: not the ports of the Subsystem around it. */
static WeirBlock *
find_movable (WeirDiagram *diagram, guint32 id)
{
  WeirBlock *block = weir_diagram_find_block (diagram, id);
  const char *type = block != NULL ? weir_block_get_type_name (block) : "In";

  return g_str_equal (type, "In") || g_str_equal (type, "Out") ? NULL : block;
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

      if (!from_goes && !to_goes)
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
  return edit;
}
