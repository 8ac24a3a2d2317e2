/* What physical lines join, through all levels of a model: the pins of parts, set by set, as a text
 * that two models are compared by. Found from the model alone, by other means than the program's.
 */
#pragma once

#include "canvas/edits/edits.h"

typedef struct {
  GStringChunk *items; /* what lines end at or are, as texts */
  GHashTable *parents; /* of them: a forest */
  GString *text;       /* of the parts' pins and their sets */
  const WeirDiagram *diagram;
  guint32 owner; /* the Subsystem around the diagram; 0: none */
  guint n_loose; /* ends of lines at nothing */
} SetSearch;

static inline char *
sets_find (SetSearch *search, const char *item)
{
  char *parent = g_hash_table_lookup (search->parents, item);

  if (parent == NULL)
    {
      char *own = g_string_chunk_insert_const (search->items, item);

      g_hash_table_insert (search->parents, own, own);
      return own;
    }
  while (!g_str_equal (parent, item))
    {
      item = parent;
      parent = g_hash_table_lookup (search->parents, item);
    }
  return parent;
}

/* The lesser one names the set: those of parts begin with what sorts first. */
static inline void
sets_join (SetSearch *search, const char *a, const char *b)
{
  char *x = sets_find (search, a), *y = sets_find (search, b);
  char *less = strcmp (x, y) < 0 ? x : y, *more = less == x ? y : x;

  if (x != y)
    g_hash_table_insert (search->parents, more, less);
}

/* NULL: it is loose. A pin of a Subsystem is what its Pin block is. (transfer full) */
static inline char *
sets_dup_end (SetSearch *search, WeirWireEnd end)
{
  WeirBlock *block = weir_diagram_find_block (search->diagram, end.block);
  WeirWire *line = end.line != 0 ? weir_diagram_find_wire (search->diagram, end.line) : NULL;

  if (line != NULL && weir_wire_is_line (line))
    return g_strdup_printf ("z%u", end.line);
  if (block == NULL)
    return NULL;
  if (weir_block_get_diagram (block) != NULL)
    return g_strdup_printf ("y%u.%s", end.block, end.port);
  return g_strdup_printf ("%c%u.%s",
                          g_str_equal (weir_block_get_type_name (block), "Pin") ? 'x' : 'p',
                          end.block, end.port);
}

static inline gboolean
sets_add_line (WeirWire *wire, gpointer data)
{
  SetSearch *search = data;
  g_autofree char *own = g_strdup_printf ("z%u", weir_wire_get_id (wire));
  WeirWireEnd ends[2] = { weir_wire_get_from (wire), weir_wire_get_to (wire) };

  for (guint i = 0; weir_wire_is_line (wire) && i < 2; i++)
    {
      g_autofree char *end = sets_dup_end (search, ends[i]);

      if (end != NULL)
        sets_join (search, own, end);
      else
        search->n_loose++;
    }
  return TRUE;
}

static inline gboolean
sets_add_block (WeirBlock *block, gpointer data)
{
  SetSearch *search = data;

  if (weir_block_get_diagram (block) != NULL)
    {
      SetSearch inner = { search->items,
                          search->parents,
                          search->text,
                          weir_block_get_diagram (block),
                          weir_block_get_id (block),
                          0 };

      weir_diagram_foreach_wire (inner.diagram, sets_add_line, &inner);
      weir_diagram_foreach_block (inner.diagram, sets_add_block, &inner);
      search->n_loose += inner.n_loose;
    }
  else if (g_str_equal (weir_block_get_type_name (block), "Pin") && search->owner != 0)
    {
      g_autofree char *within = g_strdup_printf ("x%u.p", weir_block_get_id (block));
      g_autofree char *around = g_strdup_printf ("y%u.%s", search->owner,
                                                 weir_block_get_name (block));

      sets_join (search, within, around);
    }
  return TRUE;
}

/* In order of id, wherever they are. */
static inline gboolean
sets_list_parts (WeirBlock *block, gpointer parts)
{
  guint32 id = weir_block_get_id (block);

  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), sets_list_parts, parts);
  else if (!g_str_equal (weir_block_get_type_name (block), "Pin"))
    g_array_append_val (parts, id);
  return TRUE;
}

static inline int
sets_compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/* "12.p=p3.n": for each pin of a part one that names its set. @n_loose: (out) (nullable) how many
 * ends of lines are at nothing. (transfer full) */
static inline char *
dup_sets (WeirModel *model, guint *n_loose)
{
  g_autoptr (GHashTable) parents = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  SetSearch search = { g_string_chunk_new (256),    parents, g_string_new (NULL),
                       weir_model_get_root (model), 0,       0 };

  weir_diagram_foreach_wire (search.diagram, sets_add_line, &search);
  weir_diagram_foreach_block (search.diagram, sets_add_block, &search);
  weir_diagram_foreach_block (search.diagram, sets_list_parts, parts);
  g_array_sort (parts, sets_compare_ids);
  for (guint i = 0; i < parts->len; i++)
    {
      guint32 id = g_array_index (parts, guint32, i);
      g_autoptr (GArray) pins = weir_block_list_pins (weir_model_find_block (model, id, NULL));

      for (guint k = 0; k < pins->len; k++)
        {
          g_autofree char *pin = g_strdup_printf ("p%u.%s", id,
                                                  g_array_index (pins, WeirPinSpec, k).name);

          g_string_append_printf (search.text, "%s=%s ", pin + 1, sets_find (&search, pin));
        }
    }
  if (n_loose != NULL)
    *n_loose = search.n_loose;
  g_string_chunk_free (search.items);
  return g_string_free (search.text, FALSE);
}
