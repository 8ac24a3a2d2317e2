/* Turning, resizing, aligning and distributing, as patches. See edits.h. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/edits/edits.h"

#define SIZE_STEP (2 * WEIR_GRID) /* so that ports stay on the grid */

static WeirEdit *
turn (WeirSite site, const guint32 *blocks, guint n, int quarters, gboolean flip, char *label)
{
  WeirEdit *edit = weir_edit_new (label);

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_site_find_block (site, blocks[i]);
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
      placed = weir_block_with_position (
          turned, (WeirPoint) { at.x + (before.x - after.x) / 2, at.y + (before.y - after.y) / 2 });
      weir_edit_put_block (edit, site, placed);
    }
  return weir_edit_finish (edit);
}

WeirEdit *
weir_edit_rotate (WeirSite site, const guint32 *blocks, guint n, int quarters)
{
  return turn (site, blocks, n, quarters, FALSE,
               g_strdup_printf (ngettext ("Rotate %u block", "Rotate %u blocks", n), n));
}

WeirEdit *
weir_edit_flip (WeirSite site, const guint32 *blocks, guint n, gboolean upside_down)
{
  /* Upside down is sideways and half a turn. */
  return turn (site, blocks, n, upside_down ? 2 : 0, TRUE,
               g_strdup_printf (ngettext ("Flip %u block", "Flip %u blocks", n), n));
}

/* --- Sizes ----------------------------------------------------------------------------------- */

static double
snap_size (double size)
{
  return MAX (SIZE_STEP, round (size / SIZE_STEP) * SIZE_STEP);
}

static WeirBlock *
with_box_size (WeirBlock *block, WeirPoint size)
{
  gboolean sideways = weir_block_get_rotation (block) % 2 == 1;

  return weir_block_with_size (block, sideways ? (WeirPoint) { size.y, size.x } : size);
}

WeirEdit *
weir_edit_resize (WeirSite site, guint32 id, WeirRect box)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirBlock *block = weir_site_find_block (site, id);
  WeirNote *note = diagram != NULL ? weir_diagram_find_note (diagram, id) : NULL;
  WeirPoint at = { box.x, box.y }, size = { snap_size (box.width), snap_size (box.height) };
  WeirEdit *edit;

  if (block != NULL)
    {
      WeirRect old = weir_block_get_box (block);
      g_autoptr (WeirBlock) sized = with_box_size (block, size);
      g_autoptr (WeirBlock) placed = weir_block_with_position (sized, at);

      if (old.x == at.x && old.y == at.y && old.width == size.x && old.height == size.y)
        return NULL;
      edit = weir_edit_new (g_strdup_printf (_ ("Resize %s"), weir_block_get_name (block)));
      weir_edit_put_block (edit, site, placed);
      return edit;
    }
  if (note != NULL && weir_note_is_frame (note))
    {
      g_autoptr (WeirNote) sized = weir_note_with_size (note, size);
      g_autoptr (WeirNote) placed = weir_note_with_position (sized, at);

      edit = weir_edit_new (g_strdup (_ ("Resize frame")));
      weir_patch_set_note (edit->patch, site.place, placed);
      return edit;
    }
  return NULL;
}

WeirEdit *
weir_edit_match_size (WeirSite site, const guint32 *blocks, guint n)
{
  WeirEdit *edit = weir_edit_new (g_strdup (_ ("Match sizes")));
  WeirPoint largest = { 0, 0 };

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_site_find_block (site, blocks[i]);

      if (block == NULL)
        continue;
      largest.x = MAX (largest.x, weir_block_get_turned_size (block).x);
      largest.y = MAX (largest.y, weir_block_get_turned_size (block).y);
    }
  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_site_find_block (site, blocks[i]);
      WeirPoint size, at;
      g_autoptr (WeirBlock) sized = NULL;
      g_autoptr (WeirBlock) placed = NULL;

      if (block == NULL)
        continue;
      size = weir_block_get_turned_size (block);
      at = weir_block_get_position (block);
      if (size.x == largest.x && size.y == largest.y)
        continue;
      sized = with_box_size (block, largest);
      placed = weir_block_with_position (
          sized, (WeirPoint) { at.x + (size.x - largest.x) / 2, at.y + (size.y - largest.y) / 2 });
      weir_edit_put_block (edit, site, placed);
    }
  return weir_edit_finish (edit);
}

/* --- Aligning and distributing --------------------------------------------------------------- */

/* Something with a box that can be moved: a block or a note. */
typedef struct {
  WeirBlock *block;
  WeirNote *note;
  WeirRect box;
} Item;

static GArray *
list_items (WeirSite site, WeirElements what)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Item));

  for (guint i = 0; i < what.n_blocks && diagram != NULL; i++)
    {
      Item item = { weir_diagram_find_block (diagram, what.blocks[i]), NULL, { 0, 0, 0, 0 } };

      if (item.block == NULL)
        continue;
      item.box = weir_block_get_box (item.block);
      g_array_append_val (items, item);
    }
  for (guint i = 0; i < what.n_notes && diagram != NULL; i++)
    {
      Item item = { NULL, weir_diagram_find_note (diagram, what.notes[i]), { 0, 0, 0, 0 } };

      if (item.note == NULL)
        continue;
      item.box = weir_scene_get_note_box (item.note);
      g_array_append_val (items, item);
    }
  return items;
}

static void
place (WeirEdit *edit, WeirSite site, const Item *item, double x, double y)
{
  if (x == item->box.x && y == item->box.y)
    return;
  if (item->block != NULL)
    {
      g_autoptr (WeirBlock) moved = weir_block_with_position (item->block, (WeirPoint) { x, y });

      weir_edit_put_block (edit, site, moved);
    }
  else
    {
      g_autoptr (WeirNote) moved = weir_note_with_position (item->note, (WeirPoint) { x, y });

      weir_patch_set_note (edit->patch, site.place, moved);
    }
}

WeirEdit *
weir_edit_align (WeirSite site, WeirElements what, WeirAlignment alignment)
{
  const char *const labels[WEIR_N_ALIGNMENTS] = { _ ("Align left"),    _ ("Align centers"),
                                                  _ ("Align right"),   _ ("Align top"),
                                                  _ ("Align middles"), _ ("Align bottom") };
  g_autoptr (GArray) items = list_items (site, what);
  WeirEdit *edit;
  WeirRect all;

  if (items->len < 2)
    return NULL;
  edit = weir_edit_new (g_strdup (labels[alignment]));
  all = g_array_index (items, Item, 0).box;
  for (guint i = 1; i < items->len; i++)
    all = weir_rect_union (all, g_array_index (items, Item, i).box);
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);
      double x = item->box.x, y = item->box.y;

      switch (alignment)
        {
        case WEIR_ALIGN_LEFT:
          x = all.x;
          break;
        case WEIR_ALIGN_CENTER:
          x = all.x + (all.width - item->box.width) / 2;
          break;
        case WEIR_ALIGN_RIGHT:
          x = all.x + all.width - item->box.width;
          break;
        case WEIR_ALIGN_TOP:
          y = all.y;
          break;
        case WEIR_ALIGN_MIDDLE:
          y = all.y + (all.height - item->box.height) / 2;
          break;
        case WEIR_ALIGN_BOTTOM:
          y = all.y + all.height - item->box.height;
          break;
        case WEIR_N_ALIGNMENTS:
        default:
          g_return_val_if_reached (weir_edit_finish (edit));
        }
      place (edit, site, item, x, y);
    }
  return weir_edit_finish (edit);
}

static int
compare_x (gconstpointer a, gconstpointer b)
{
  double x = ((const Item *) a)->box.x, y = ((const Item *) b)->box.x;

  return x < y ? -1 : x > y;
}

static int
compare_y (gconstpointer a, gconstpointer b)
{
  double x = ((const Item *) a)->box.y, y = ((const Item *) b)->box.y;

  return x < y ? -1 : x > y;
}

WeirEdit *
weir_edit_distribute (WeirSite site, WeirElements what, gboolean vertically)
{
  g_autoptr (GArray) items = list_items (site, what);
  WeirEdit *edit;
  const Item *first, *last;
  double room, gap, at;

  if (items->len < 3)
    return NULL;
  edit = weir_edit_new (
      g_strdup (vertically ? _ ("Distribute vertically") : _ ("Distribute horizontally")));
  g_array_sort (items, vertically ? compare_y : compare_x);
  first = &g_array_index (items, Item, 0);
  last = &g_array_index (items, Item, items->len - 1);
  room = vertically ? last->box.y + last->box.height - first->box.y
                    : last->box.x + last->box.width - first->box.x;
  for (guint i = 0; i < items->len; i++)
    room -= vertically ? g_array_index (items, Item, i).box.height
                       : g_array_index (items, Item, i).box.width;
  gap = room / (items->len - 1);
  at = vertically ? first->box.y : first->box.x;
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);

      if (i > 0 && i + 1 < items->len)
        place (edit, site, item, vertically ? item->box.x : at, vertically ? at : item->box.y);
      at += gap + (vertically ? item->box.height : item->box.width);
    }
  return weir_edit_finish (edit);
}
