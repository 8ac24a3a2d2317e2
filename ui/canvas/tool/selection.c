/* A set of selected blocks, wires and notes. See selection.h. */
#include "canvas/tool/selection.h"

#include <string.h>

void
weir_selection_init (WeirSelection *self)
{
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    self->ids[kind] = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->serial = 0;
}

void
weir_selection_clear_memory (WeirSelection *self)
{
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    g_clear_pointer (&self->ids[kind], g_array_unref);
}

/* Index of @id, or of where it would go. */
static gboolean
find (const WeirSelection *self, WeirSelectKind kind, guint32 id, guint *index)
{
  guint low = 0, high = self->ids[kind]->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->ids[kind], guint32, middle) < id)
        low = middle + 1;
      else
        high = middle;
    }
  *index = low;
  return low < self->ids[kind]->len && g_array_index (self->ids[kind], guint32, low) == id;
}

gboolean
weir_selection_contains (const WeirSelection *self, WeirSelectKind kind, guint32 id)
{
  guint index;

  return find (self, kind, id, &index);
}

const guint32 *
weir_selection_get (const WeirSelection *self, WeirSelectKind kind, guint *n)
{
  *n = self->ids[kind]->len;
  return (const guint32 *) (gpointer) self->ids[kind]->data;
}

WeirElements
weir_selection_get_elements (const WeirSelection *self)
{
  WeirElements all;

  all.blocks = weir_selection_get (self, WEIR_SELECT_BLOCK, &all.n_blocks);
  all.wires = weir_selection_get (self, WEIR_SELECT_WIRE, &all.n_wires);
  all.notes = weir_selection_get (self, WEIR_SELECT_NOTE, &all.n_notes);
  return all;
}

void
weir_selection_set_none (WeirSelection *self)
{
  weir_selection_set (self, NULL, NULL, NULL);
}

void
weir_selection_set_one (WeirSelection *self, WeirSelectKind kind, guint32 id)
{
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (one, id);
  weir_selection_set (self, kind == WEIR_SELECT_BLOCK ? one : NULL,
                      kind == WEIR_SELECT_WIRE ? one : NULL, kind == WEIR_SELECT_NOTE ? one : NULL);
}

void
weir_selection_add (WeirSelection *self, WeirSelectKind kind, guint32 id)
{
  guint index;

  if (find (self, kind, id, &index))
    return;
  g_array_insert_val (self->ids[kind], index, id);
  self->serial++;
}

void
weir_selection_remove (WeirSelection *self, WeirSelectKind kind, guint32 id)
{
  guint index;

  if (!find (self, kind, id, &index))
    return;
  g_array_remove_index (self->ids[kind], index);
  self->serial++;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static gboolean
replace (GArray *ids, const GArray *with)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = 0;

  if (with != NULL && with->len > 0)
    g_array_append_vals (sorted, with->data, with->len);
  g_array_sort (sorted, compare_ids);
  for (guint i = 0; i < sorted->len; i++)
    if (n == 0 || g_array_index (sorted, guint32, i) != g_array_index (sorted, guint32, n - 1))
      g_array_index (sorted, guint32, n++) = g_array_index (sorted, guint32, i);
  if (n == ids->len && (n == 0 || memcmp (ids->data, sorted->data, n * sizeof (guint32)) == 0))
    return FALSE;
  g_array_set_size (ids, 0);
  if (n > 0)
    g_array_append_vals (ids, sorted->data, n);
  return TRUE;
}

void
weir_selection_set (WeirSelection *self, const GArray *blocks, const GArray *wires,
                    const GArray *notes)
{
  gboolean changed = replace (self->ids[WEIR_SELECT_BLOCK], blocks);

  changed |= replace (self->ids[WEIR_SELECT_WIRE], wires);
  changed |= replace (self->ids[WEIR_SELECT_NOTE], notes);
  if (changed)
    self->serial++;
}

void
weir_selection_prune (WeirSelection *self, const WeirDiagram *diagram)
{
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    for (guint i = self->ids[kind]->len; i > 0; i--)
      {
        guint32 id = g_array_index (self->ids[kind], guint32, i - 1);
        gboolean there = diagram != NULL
                         && (kind == WEIR_SELECT_BLOCK
                                 ? weir_diagram_find_block (diagram, id) != NULL
                             : kind == WEIR_SELECT_WIRE
                                 ? weir_diagram_find_wire (diagram, id) != NULL
                                 : weir_diagram_find_note (diagram, id) != NULL);

        if (!there)
          weir_selection_remove (self, (WeirSelectKind) kind, id);
      }
}
