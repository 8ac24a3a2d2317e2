/* What an editor does to a diagram, as patches. See edits.h. */
#include "canvas/edits.h"

#include <glib/gi18n-lib.h>

#include "model/xml.h"

void
weir_edit_free (WeirEdit *self)
{
  weir_patch_free (self->patch);
  g_free (self->label);
  g_clear_pointer (&self->new_blocks, g_array_unref);
  g_free (self);
}

static WeirEdit *
edit_new (char *label)
{
  WeirEdit *self = g_new0 (WeirEdit, 1);

  self->patch = weir_patch_new ();
  self->label = label;
  return self;
}

WeirDiagram *
weir_site_get_diagram (WeirSite site)
{
  return weir_model_get_diagram (site.model, site.place);
}

static WeirBlock *
find_block (WeirSite site, guint32 id)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);

  return diagram != NULL ? weir_diagram_find_block (diagram, id) : NULL;
}

/* --- Wires ------------------------------------------------------------------------------------- */

typedef struct {
  guint32 block;
  const char *port;
  guint32 ignore;
  WeirWire *found;
} InputSearch;

static gboolean
match_input (WeirWire *wire, gpointer data)
{
  InputSearch *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (weir_wire_get_id (wire) != search->ignore && to.block == search->block
      && g_strcmp0 (to.port, search->port) == 0)
    search->found = wire;
  return search->found == NULL;
}

char *
weir_edit_refuse_connection (WeirScene *scene, guint32 from, const char *output, guint32 to,
                             const char *input, guint32 ignore_wire)
{
  const WeirBlockShape *from_shape = weir_scene_find_block (scene, from);
  const WeirBlockShape *to_shape = weir_scene_find_block (scene, to);
  InputSearch search = { to, input, ignore_wire, NULL };

  if (from_shape == NULL || weir_block_shape_find_port (from_shape, output, TRUE) == NULL)
    return g_strdup (_("A wire begins at an output."));
  if (to_shape == NULL || weir_block_shape_find_port (to_shape, input, FALSE) == NULL)
    return g_strdup (_("A wire ends at an input."));
  weir_diagram_foreach_wire_at (weir_scene_get_diagram (scene), to, match_input, &search);
  if (search.found != NULL)
    {
      WeirWireEnd end = weir_wire_get_from (search.found);
      const WeirBlockShape *source = weir_scene_find_block (scene, end.block);

      if (source != NULL)
        return g_strdup_printf (_("%s: input %s is already wired to %s."),
                                weir_block_get_name (to_shape->block), input,
                                weir_block_get_name (source->block));
      return g_strdup_printf (_("%s: input %s is already wired."),
                              weir_block_get_name (to_shape->block), input);
    }
  return NULL;
}

WeirEdit *
weir_edit_connect (WeirSite site, guint32 from, const char *output, guint32 to, const char *input,
                   const WeirPoint *bends, guint n_bends)
{
  WeirBlock *a = find_block (site, from), *b = find_block (site, to);
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (a == NULL || b == NULL)
    return NULL;
  edit = edit_new (g_strdup_printf (_("Connect %s to %s"), weir_block_get_name (a),
                                    weir_block_get_name (b)));
  wire = weir_wire_new (weir_model_get_next_id (site.model), (WeirWireEnd) { .block = from, .port = output },
                        (WeirWireEnd) { .block = to, .port = input }, bends, n_bends);
  weir_patch_set_wire (edit->patch, site.place, wire);
  return edit;
}

WeirEdit *
weir_edit_reconnect (WeirSite site, guint32 id, guint32 from, const char *output, guint32 to,
                     const char *input)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL ? weir_diagram_find_wire (diagram, id) : NULL;
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (old == NULL)
    return NULL;
  edit = edit_new (g_strdup (_("Reconnect wire")));
  ended = weir_wire_with_ends (old, (WeirWireEnd) { .block = from, .port = output },
                               (WeirWireEnd) { .block = to, .port = input });
  wire = weir_wire_with_bends (ended, NULL, 0);
  weir_patch_set_wire (edit->patch, site.place, wire);
  return edit;
}

WeirEdit *
weir_edit_set_bends (WeirSite site, guint32 id, const WeirPoint *bends, guint n_bends)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirWire *old = diagram != NULL ? weir_diagram_find_wire (diagram, id) : NULL;
  g_autoptr (WeirWire) wire = NULL;
  WeirEdit *edit;

  if (old == NULL)
    return NULL;
  edit = edit_new (g_strdup (_("Bend wire")));
  wire = weir_wire_with_bends (old, bends, n_bends);
  weir_patch_set_wire (edit->patch, site.place, wire);
  return edit;
}

/* --- Moving and deleting ------------------------------------------------------------------------ */

static GHashTable *
make_set (const guint32 *ids, guint n)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (set, GUINT_TO_POINTER (ids[i]));
  return set;
}

static gboolean
set_has (GHashTable *set, guint32 id)
{
  return g_hash_table_contains (set, GUINT_TO_POINTER (id));
}

typedef struct {
  WeirSite site;
  WeirEdit *edit;
  GHashTable *blocks;
  WeirPoint offset;
} Moving;

static WeirWire *
shift_bends (WeirWire *wire, WeirPoint offset)
{
  guint n;
  const WeirPoint *bends = weir_wire_get_bends (wire, &n);
  g_autofree WeirPoint *moved = g_new (WeirPoint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    moved[i] = (WeirPoint) { bends[i].x + offset.x, bends[i].y + offset.y };
  return weir_wire_with_bends (wire, moved, n);
}

static gboolean
move_bends (WeirWire *wire, gpointer data)
{
  Moving *moving = data;
  guint n;

  weir_wire_get_bends (wire, &n);
  if (n > 0 && set_has (moving->blocks, weir_wire_get_from (wire).block)
      && set_has (moving->blocks, weir_wire_get_to (wire).block))
    {
      g_autoptr (WeirWire) moved = shift_bends (wire, moving->offset);

      weir_patch_set_wire (moving->edit->patch, moving->site.place, moved);
    }
  return TRUE;
}

WeirEdit *
weir_edit_move (WeirSite site, const guint32 *blocks, guint n, WeirPoint offset)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) set = make_set (blocks, n);
  Moving moving = { site, NULL, set, offset };

  if (diagram == NULL || n == 0 || (offset.x == 0 && offset.y == 0))
    return NULL;
  moving.edit = edit_new (g_strdup_printf (ngettext ("Move %u block", "Move %u blocks", n), n));
  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, blocks[i]);
      g_autoptr (WeirBlock) moved = NULL;
      WeirPoint at;

      if (block == NULL)
        continue;
      at = weir_block_get_position (block);
      moved = weir_block_with_position (block, (WeirPoint) { at.x + offset.x, at.y + offset.y });
      weir_patch_set_block (moving.edit->patch, site.place, moved);
    }
  weir_diagram_foreach_wire (diagram, move_bends, &moving);
  return moving.edit;
}

typedef struct {
  WeirSite site;
  WeirEdit *edit;
  GHashTable *wires; /* removed so far */
} Deleting;

static gboolean
delete_wire (WeirWire *wire, gpointer data)
{
  Deleting *deleting = data;

  if (g_hash_table_add (deleting->wires, GUINT_TO_POINTER (weir_wire_get_id (wire))))
    weir_patch_remove_wire (deleting->edit->patch, deleting->site.place, weir_wire_get_id (wire));
  return TRUE;
}

WeirEdit *
weir_edit_delete (WeirSite site, const guint32 *blocks, guint n_blocks, const guint32 *wires,
                  guint n_wires)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) removed = g_hash_table_new (NULL, NULL);
  Deleting deleting = { site, NULL, removed };
  char *label;

  if (diagram == NULL || n_blocks + n_wires == 0)
    return NULL;
  if (n_blocks == 1 && weir_diagram_find_block (diagram, blocks[0]) != NULL)
    label = g_strdup_printf (_("Delete %s"),
                             weir_block_get_name (weir_diagram_find_block (diagram, blocks[0])));
  else if (n_blocks > 0)
    label = g_strdup_printf (ngettext ("Delete %u block", "Delete %u blocks", n_blocks), n_blocks);
  else
    label = g_strdup_printf (ngettext ("Delete %u wire", "Delete %u wires", n_wires), n_wires);
  deleting.edit = edit_new (label);
  for (guint i = 0; i < n_wires; i++)
    {
      WeirWire *wire = weir_diagram_find_wire (diagram, wires[i]);

      if (wire != NULL)
        delete_wire (wire, &deleting);
    }
  for (guint i = 0; i < n_blocks; i++)
    if (weir_diagram_find_block (diagram, blocks[i]) != NULL)
      {
        weir_diagram_foreach_wire_at (diagram, blocks[i], delete_wire, &deleting);
        weir_patch_remove_block (deleting.edit->patch, site.place, blocks[i]);
      }
  return deleting.edit;
}

/* --- Copying ------------------------------------------------------------------------------------ */

static WeirEdit *
copy_into (WeirSite site, const WeirDiagram *fragment, WeirPoint offset, char *label)
{
  WeirEdit *edit = edit_new (label);

  edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!weir_fragment_paste (fragment, edit->patch, site.model, site.place, offset,
                            edit->new_blocks, NULL)
      || weir_patch_is_empty (edit->patch))
    g_clear_pointer (&edit, weir_edit_free);
  return edit;
}

WeirEdit *
weir_edit_duplicate (WeirSite site, const guint32 *blocks, guint n, WeirPoint offset)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (WeirDiagram) fragment = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (diagram == NULL || n == 0)
    return NULL;
  bytes = weir_fragment_write (diagram, blocks, n, NULL, 0);
  fragment = weir_fragment_read (bytes, NULL);
  g_return_val_if_fail (fragment != NULL, NULL);
  return copy_into (site, fragment, offset,
                    g_strdup_printf (ngettext ("Duplicate %u block", "Duplicate %u blocks", n), n));
}

WeirEdit *
weir_edit_paste (WeirSite site, const WeirDiagram *fragment, WeirPoint offset)
{
  guint n = weir_diagram_get_n_blocks (fragment);

  return copy_into (site, fragment, offset,
                    g_strdup_printf (ngettext ("Paste %u block", "Paste %u blocks", n), n));
}

/* --- Single blocks ------------------------------------------------------------------------------ */

WeirEdit *
weir_edit_add_block (WeirSite site, const char *type, WeirPoint position)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  const WeirBlockType *known = weir_registry_find (type);
  g_autofree char *name = NULL;
  g_autoptr (WeirBlock) block = NULL;
  guint32 id = weir_model_get_next_id (site.model);
  WeirEdit *edit;

  if (diagram == NULL || known == NULL)
    return NULL;
  name = weir_diagram_dup_free_name (diagram, type);
  edit = edit_new (g_strdup_printf (_("Add %s"), name));
  block = weir_block_new (id, type, name, position);
  weir_patch_set_block (edit->patch, site.place, block);
  edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (edit->new_blocks, id);
  return edit;
}

static WeirEdit *
turn (WeirSite site, const guint32 *blocks, guint n, int quarters, gboolean flip, char *label)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirEdit *edit = edit_new (label);

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, blocks[i]);
      g_autoptr (WeirBlock) turned = NULL;
      g_autoptr (WeirBlock) placed = NULL;
      WeirPoint at, before, after;
      int rotation;

      if (block == NULL)
        continue;
      at = weir_block_get_position (block);
      before = weir_block_get_turned_size (block);
      rotation = ((int) weir_block_get_rotation (block) + quarters + 4) % 4;
      turned = weir_block_with_orientation (block, (WeirRotation) rotation,
                                            weir_block_get_flipped (block) != flip);
      after = weir_block_get_turned_size (turned);
      placed = weir_block_with_position (turned, (WeirPoint) { at.x + (before.x - after.x) / 2,
                                                               at.y + (before.y - after.y) / 2 });
      weir_patch_set_block (edit->patch, site.place, placed);
    }
  return edit;
}

WeirEdit *
weir_edit_rotate (WeirSite site, const guint32 *blocks, guint n, int quarters)
{
  if (weir_site_get_diagram (site) == NULL || n == 0)
    return NULL;
  return turn (site, blocks, n, quarters, FALSE,
               g_strdup_printf (ngettext ("Rotate %u block", "Rotate %u blocks", n), n));
}

WeirEdit *
weir_edit_flip (WeirSite site, const guint32 *blocks, guint n)
{
  if (weir_site_get_diagram (site) == NULL || n == 0)
    return NULL;
  return turn (site, blocks, n, 0, TRUE,
               g_strdup_printf (ngettext ("Flip %u block", "Flip %u blocks", n), n));
}

WeirEdit *
weir_edit_rename (WeirSite site, guint32 id, const char *name)
{
  WeirBlock *block = find_block (site, id);
  WeirEdit *edit;

  if (block == NULL || g_str_equal (weir_block_get_name (block), name))
    return NULL;
  edit = edit_new (g_strdup_printf (_("Rename %s to %s"), weir_block_get_name (block), name));
  weir_patch_rename_block (edit->patch, site.model, site.place, id, name);
  return edit;
}

/* --- Room ---------------------------------------------------------------------------------------- */

WeirPoint
weir_edit_find_room (WeirScene *scene, WeirPoint size, WeirPoint wanted)
{
  WeirPoint start = { weir_snap (wanted.x), weir_snap (wanted.y) };

  /* Rings around the wanted place, a step of two grid units each; the last try is accepted. */
  for (int ring = 0; ring < 60; ring++)
    for (int k = 0; k < MAX (1, 8 * ring); k++)
      {
        int side = ring == 0 ? 0 : k / (2 * ring), along = ring == 0 ? 0 : k % (2 * ring) - ring;
        double step = 2 * WEIR_GRID;
        WeirPoint at = start;
        WeirRect box;
        gboolean clear = TRUE;

        /* Below and to the right come first. */
        switch (side)
          {
          case 0:
            at = (WeirPoint) { start.x - along * step, start.y + ring * step };
            break;
          case 1:
            at = (WeirPoint) { start.x + ring * step, start.y + along * step };
            break;
          case 2:
            at = (WeirPoint) { start.x + along * step, start.y - ring * step };
            break;
          default:
            at = (WeirPoint) { start.x - ring * step, start.y - along * step };
            break;
          }
        box = (WeirRect) { at.x - 8, at.y - 8, size.x + 16, size.y + 16 + WEIR_NAME_HEIGHT };
        for (guint i = 0; i < weir_scene_get_n_blocks (scene) && clear; i++)
          {
            WeirRect taken = weir_scene_get_block (scene, i)->box;

            taken.height += WEIR_NAME_HEIGHT;
            clear = !weir_rect_intersects (box, taken);
          }
        if (clear)
          return at;
      }
  return start;
}
