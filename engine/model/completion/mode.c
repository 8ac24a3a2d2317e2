/* Diagrams as they run: blocks that are passed through are bridged.
 *
 * Only wires and blocks of one diagram are looked at; Subsystems inside are left as they are, and
 * are treated when they are completed themselves.
 */
#include "model/tree/model-private.h"

#include <string.h>

#define MAX_BRIDGES 100000 /* in a row; more are a circle */

typedef struct {
  WeirDiagram *from;
  WeirDiagram *to;
} Bridging;

static gboolean
is_bridged (const WeirDiagram *diagram, guint32 id)
{
  const WeirBlock *block = id != 0 ? weir_diagram_find_block (diagram, id) : NULL;

  return block != NULL && block->mode == WEIR_BLOCK_PASSED_THROUGH;
}

typedef struct {
  guint32 block;
  const char *port;
  const WeirWire *found;
} InputSearch;

static gboolean
match_input (WeirWire *wire, gpointer data)
{
  InputSearch *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block == search->block && strcmp (to.port, search->port) == 0)
    search->found = wire;
  return search->found == NULL;
}

/* Where a signal comes from that seems to come from a block that is passed through.
 * FALSE: nowhere. */
static gboolean
follow (const WeirDiagram *diagram, WeirWireEnd *end)
{
  for (guint n = 0; is_bridged (diagram, end->block); n++)
    {
      const WeirBlock *block = weir_diagram_find_block (diagram, end->block);
      g_auto (GStrv) inputs = weir_block_dup_inputs (block);
      g_auto (GStrv) outputs = weir_block_dup_outputs (block);
      InputSearch search = { end->block, NULL, NULL };

      if (n == MAX_BRIDGES)
        return FALSE;
      for (guint i = 0; outputs[i] != NULL && i < g_strv_length (inputs); i++)
        if (strcmp (outputs[i], end->port) == 0)
          search.port = inputs[i];
      if (search.port == NULL)
        return FALSE;
      weir_diagram_foreach_wire_at (diagram, end->block, match_input, &search);
      if (search.found == NULL)
        return FALSE;
      *end = weir_wire_get_from (search.found);
    }
  return TRUE;
}

static gboolean
bridge_wire (WeirWire *wire, gpointer data)
{
  Bridging *bridging = data;
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  g_autoptr (WeirWire) bridged = NULL;

  if (!is_bridged (bridging->from, from.block) && !is_bridged (bridging->from, to.block))
    return TRUE;
  weir_diagram_drop (bridging->to, WEIR_ELEMENT_WIRE, weir_wire_get_id (wire));
  if (is_bridged (bridging->from, to.block) || !follow (bridging->from, &from))
    return TRUE;
  bridged = weir_wire_with_ends (wire, from, to);
  weir_diagram_put_wire (bridging->to, bridged);
  return TRUE;
}

WeirDiagram *
weir_diagram_dup_effective (WeirDiagram *self)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  Bridging bridging = { self, NULL };
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &self->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (((WeirBlock *) value)->mode == WEIR_BLOCK_PASSED_THROUGH)
      g_array_append_val (ids, ((WeirBlock *) value)->id);
  if (ids->len == 0)
    return weir_diagram_ref (self);
  bridging.to = weir_diagram_copy (self);
  weir_diagram_foreach_wire (self, bridge_wire, &bridging);
  for (guint i = 0; i < ids->len; i++)
    weir_diagram_drop (bridging.to, WEIR_ELEMENT_BLOCK, g_array_index (ids, guint32, i));
  return bridging.to;
}
