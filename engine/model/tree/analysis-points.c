/* Points for linear analysis kept with a model. See analysis-points.h. */
#include "model/tree/analysis-points.h"

WeirPointKinds
weir_block_get_points (const WeirBlock *self, const char *port)
{
  const char *words = weir_metadata_get_text (weir_block_get_metadata (self), port,
                                              weir_key_points);
  WeirPointKinds kinds = 0;

  return words != NULL && weir_point_kinds_parse (words, &kinds) ? kinds : 0;
}

WeirBlock *
weir_block_with_points (const WeirBlock *self, const char *port, WeirPointKinds kinds)
{
  g_autofree char *words = weir_point_kinds_dup_words (kinds);

  return weir_block_with_metadata (self, port, weir_key_points, words);
}

static WeirBlock *
find_block (const WeirDiagram *diagram, WeirWireEnd end)
{
  return end.block != 0 ? weir_diagram_find_block (diagram, end.block) : NULL;
}

static gboolean
is_name_only (const WeirBlock *block)
{
  const char *type = weir_block_get_type_name (block);

  return g_str_equal (type, "In") || g_str_equal (type, "Out");
}

WeirBlock *
weir_wire_find_point_block (const WeirWire *self, const WeirDiagram *diagram, const char **port)
{
  WeirWireEnd ends[] = { weir_wire_get_from (self), weir_wire_get_to (self) };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      WeirBlock *block = find_block (diagram, ends[i]);

      if (block == NULL || is_name_only (block))
        continue;
      *port = ends[i].port;
      return block;
    }
  return NULL;
}

WeirPointKinds
weir_wire_get_points (const WeirWire *self, const WeirDiagram *diagram)
{
  WeirWireEnd from = weir_wire_get_from (self), to = weir_wire_get_to (self);
  WeirBlock *first = find_block (diagram, from), *last = find_block (diagram, to);

  return (first != NULL ? weir_block_get_points (first, from.port) : 0)
         | (last != NULL ? weir_block_get_points (last, to.port) : 0);
}
