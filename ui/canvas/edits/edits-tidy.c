/* Tidying up: blocks in columns along the flow of their signals.
 *
 * The steps are those of Sugiyama's layered drawing. Loops are opened where a search from the
 * sources comes back; a block's column is the longest way to it; wires that skip columns get a bare
 * point in each; the order within the columns is improved by medians, sweeping to and fro; heights
 * follow the ports, so that as many wires as can run straight, by least squares that keep order and
 * gaps. Groups of blocks that nothing connects come one below the other. The same diagram gives the
 * same layout.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/edits/tidy-private.h"

/* Lays out the nodes of one component; gives its box. */
static WeirRect
lay_out_component (const WeirTidy *all, guint component)
{
  WeirTidy own = { all->nodes, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
                   all->n_blocks };
  WeirRect box = { 0, 0, 0, 0 };
  gboolean any = FALSE;
  int least = G_MAXINT;

  for (guint i = 0; i < all->nodes->len; i++)
    if (weir_tidy_get_node (all, i)->component == component)
      least = MIN (least, weir_tidy_get_node (all, i)->column);
  for (guint i = 0; i < all->nodes->len; i++)
    if (weir_tidy_get_node (all, i)->component == component)
      {
        guint column = (guint) (weir_tidy_get_node (all, i)->column - least);

        while (own.columns->len <= column)
          g_ptr_array_add (own.columns, g_array_new (FALSE, FALSE, sizeof (guint)));
        g_array_append_val ((GArray *) own.columns->pdata[column], i);
      }
  weir_tidy_order (&own);
  weir_tidy_place (&own);
  for (guint i = 0; i < all->nodes->len; i++)
    {
      const WeirTidyNode *node = weir_tidy_get_node (all, i);
      WeirRect rect = { node->x, node->y, node->width, node->height };

      if (node->component != component || (node->shape == NULL && node->width > 0))
        continue;
      box = any ? weir_rect_union (box, rect) : rect;
      any = TRUE;
    }
  g_ptr_array_unref (own.columns);
  return box;
}

static void
lay_out (WeirTidy *self, GHashTable *index, GPtrArray *wires)
{
  WeirPoint corner = { INFINITY, INFINITY };
  double y;
  guint n;

  for (guint i = 0; i < self->n_blocks; i++)
    {
      corner.x = MIN (corner.x, weir_tidy_get_node (self, i)->x);
      corner.y = MIN (corner.y, weir_tidy_get_node (self, i)->y);
    }
  y = weir_snap (corner.y);
  n = weir_tidy_link (self, index, wires);
  for (guint component = 1; component <= n; component++)
    {
      WeirRect box = lay_out_component (self, component);
      WeirPoint offset = { weir_snap (corner.x) - box.x, y - box.y };

      for (guint i = 0; i < self->nodes->len; i++)
        if (weir_tidy_get_node (self, i)->component == component)
          {
            weir_tidy_get_node (self, i)->x += offset.x;
            weir_tidy_get_node (self, i)->y += offset.y;
          }
      y = weir_snap (y + box.height + WEIR_TIDY_ROW_GAP);
    }
}

WeirEdit *
weir_edit_tidy (WeirSite site, const guint32 *blocks, guint n)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) chosen = weir_id_set_new (blocks, n);
  g_autoptr (GHashTable) index = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) wires = NULL;
  WeirTidy tidy;
  WeirEdit *edit;

  if (diagram == NULL)
    return NULL;
  edit = weir_edit_new (g_strdup (_ ("Tidy up")));
  all = weir_diagram_list_blocks (diagram);
  wires = weir_diagram_list_wires (diagram, 0);
  weir_tidy_init (&tidy);
  for (guint i = 0; i < all->len; i++)
    {
      guint32 id = weir_block_get_id (all->pdata[i]);

      if (n > 0 && !weir_id_set_has (chosen, id))
        continue;
      weir_tidy_add_block (&tidy, all->pdata[i]);
      g_hash_table_insert (index, GUINT_TO_POINTER (id), GUINT_TO_POINTER (tidy.nodes->len - 1));
    }
  lay_out (&tidy, index, wires);
  for (guint i = 0; i < tidy.n_blocks; i++)
    {
      const WeirTidyNode *node = weir_tidy_get_node (&tidy, i);
      g_autoptr (WeirBlock)
          moved = weir_block_with_position (node->shape->block, (WeirPoint) { node->x, node->y });

      if (node->x != node->shape->box.x || node->y != node->shape->box.y)
        weir_edit_put_block (edit, site, moved);
    }
  for (guint i = 0; i < wires->len; i++)
    {
      guint32 from = weir_wire_get_from (wires->pdata[i]).block;
      guint32 to = weir_wire_get_to (wires->pdata[i]).block;
      g_autoptr (WeirWire) straight = NULL;
      guint n_bends;

      weir_wire_get_bends (wires->pdata[i], &n_bends);
      if (n_bends == 0 || !g_hash_table_contains (index, GUINT_TO_POINTER (from))
          || !g_hash_table_contains (index, GUINT_TO_POINTER (to)))
        continue;
      straight = weir_wire_with_bends (wires->pdata[i], NULL, 0);
      weir_edit_put_wire (edit, site, straight);
    }
  weir_tidy_clear (&tidy);
  return weir_edit_finish (edit);
}
