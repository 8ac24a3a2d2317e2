/* Diagrams: persistent maps of blocks, wires and notes by id, and two indices that follow them.
 *
 * `names` holds hash of name << 32 | id for every block: a look-up by name reads the few keys of
 * one hash and compares names, so that equal hashes and (in a file being mended) equal names are
 * both right. `ends` holds id of block << 32 | id of wire for every wire end, also at blocks that
 * do not exist.
 */
#include "model/tree/model-private.h"

#include <string.h>

#include "base/sync.h"

static const WeirPMapValues block_values = { (gpointer (*) (gpointer)) weir_block_ref,
                                             (void (*) (gpointer)) weir_block_unref };
static const WeirPMapValues wire_values = { (gpointer (*) (gpointer)) weir_wire_ref,
                                            (void (*) (gpointer)) weir_wire_unref };
static const WeirPMapValues note_values = { (gpointer (*) (gpointer)) weir_note_ref,
                                            (void (*) (gpointer)) weir_note_unref };
static const WeirPMapValues no_values = { NULL, NULL };

WeirDiagram *
weir_diagram_new (void)
{
  WeirDiagram *self = g_new (WeirDiagram, 1);

  g_atomic_ref_count_init (&self->ref_count);
  weir_pmap_init (&self->blocks, &block_values);
  weir_pmap_init (&self->wires, &wire_values);
  weir_pmap_init (&self->notes, &note_values);
  weir_pmap_init (&self->names, &no_values);
  weir_pmap_init (&self->ends, &no_values);
  return self;
}

WeirDiagram *
weir_diagram_copy (const WeirDiagram *self)
{
  WeirDiagram *copy = g_new (WeirDiagram, 1);

  g_atomic_ref_count_init (&copy->ref_count);
  weir_pmap_init_copy (&copy->blocks, &self->blocks);
  weir_pmap_init_copy (&copy->wires, &self->wires);
  weir_pmap_init_copy (&copy->notes, &self->notes);
  weir_pmap_init_copy (&copy->names, &self->names);
  weir_pmap_init_copy (&copy->ends, &self->ends);
  return copy;
}

WeirDiagram *
weir_diagram_ref (WeirDiagram *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_diagram_unref (WeirDiagram *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  weir_pmap_clear (&self->blocks);
  weir_pmap_clear (&self->wires);
  weir_pmap_clear (&self->notes);
  weir_pmap_clear (&self->names);
  weir_pmap_clear (&self->ends);
  g_free (self);
}

/* --- Reading --------------------------------------------------------------------------------- */

guint
weir_diagram_get_n_blocks (const WeirDiagram *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->blocks.n_entries;
}

guint
weir_diagram_get_n_wires (const WeirDiagram *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->wires.n_entries;
}

guint
weir_diagram_get_n_notes (const WeirDiagram *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->notes.n_entries;
}

WeirBlock *
weir_diagram_find_block (const WeirDiagram *self, guint32 id)
{
  g_return_val_if_fail (self != NULL, NULL);

  return weir_pmap_lookup (&self->blocks, id);
}

WeirWire *
weir_diagram_find_wire (const WeirDiagram *self, guint32 id)
{
  g_return_val_if_fail (self != NULL, NULL);

  return weir_pmap_lookup (&self->wires, id);
}

WeirNote *
weir_diagram_find_note (const WeirDiagram *self, guint32 id)
{
  g_return_val_if_fail (self != NULL, NULL);

  return weir_pmap_lookup (&self->notes, id);
}

static guint64
name_key (const char *name, guint32 id)
{
  return (guint64) g_str_hash (name) << 32 | id;
}

/* The first block called @name, and whether there are none, one or more (2): no more are looked
 * for, as many may have one name. */
static WeirBlock *
find_name (const WeirDiagram *self, const char *name, guint *n_found)
{
  guint64 first = name_key (name, 0), key;
  WeirBlock *found = NULL;
  WeirPMapIter iter;
  guint n = 0;

  weir_pmap_iter_init_from (&iter, &self->names, first);
  while (weir_pmap_iter_next (&iter, &key, NULL) && key >> 32 == first >> 32)
    {
      WeirBlock *block = weir_pmap_lookup (&self->blocks, (guint32) key);

      if (strcmp (block->name, name) != 0)
        continue;
      if (n++ == 0)
        found = block;
      if (n_found == NULL || n == 2)
        break;
    }
  if (n_found != NULL)
    *n_found = n;
  return found;
}

WeirBlock *
weir_diagram_find_block_by_name (const WeirDiagram *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return find_name (self, name, NULL);
}

guint
weir_diagram_count_name (const WeirDiagram *self, const char *name)
{
  guint n;

  find_name (self, name, &n);
  return n;
}

void
weir_diagram_foreach_block (const WeirDiagram *self, WeirBlockFunc func, gpointer data)
{
  WeirPMapIter iter;
  gpointer value;

  g_return_if_fail (self != NULL);

  weir_pmap_iter_init (&iter, &self->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (!func (value, data))
      return;
}

void
weir_diagram_foreach_wire (const WeirDiagram *self, WeirWireFunc func, gpointer data)
{
  WeirPMapIter iter;
  gpointer value;

  g_return_if_fail (self != NULL);

  weir_pmap_iter_init (&iter, &self->wires);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (!func (value, data))
      return;
}

void
weir_diagram_foreach_wire_at (const WeirDiagram *self, guint32 block, WeirWireFunc func,
                              gpointer data)
{
  WeirPMapIter iter;
  guint64 key;

  g_return_if_fail (self != NULL);

  weir_pmap_iter_init_from (&iter, &self->ends, (guint64) block << 32);
  while (weir_pmap_iter_next (&iter, &key, NULL) && key >> 32 == block)
    if (!func (weir_pmap_lookup (&self->wires, (guint32) key), data))
      return;
}

void
weir_diagram_foreach_note (const WeirDiagram *self, WeirNoteFunc func, gpointer data)
{
  WeirPMapIter iter;
  gpointer value;

  g_return_if_fail (self != NULL);

  weir_pmap_iter_init (&iter, &self->notes);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (!func (value, data))
      return;
}

typedef struct {
  WeirBlockChangeFunc block; /* one of the two */
  WeirWireChangeFunc wire;
  gpointer data;
} ChangeCall;

static gboolean
call_block_change (guint64 key, G_GNUC_UNUSED gboolean in_a, gpointer before,
                   G_GNUC_UNUSED gboolean in_b, gpointer after, gpointer data)
{
  ChangeCall *call = data;

  return call->block ((guint32) key, before, after, call->data);
}

void
weir_diagram_foreach_block_change (const WeirDiagram *before, const WeirDiagram *after,
                                   WeirBlockChangeFunc func, gpointer data)
{
  weir_pmap_diff (&before->blocks, &after->blocks, call_block_change,
                  &(ChangeCall) { func, NULL, data });
}

static gboolean
call_wire_change (guint64 key, G_GNUC_UNUSED gboolean in_a, gpointer before,
                  G_GNUC_UNUSED gboolean in_b, gpointer after, gpointer data)
{
  ChangeCall *call = data;

  return call->wire ((guint32) key, before, after, call->data);
}

void
weir_diagram_foreach_wire_change (const WeirDiagram *before, const WeirDiagram *after,
                                  WeirWireChangeFunc func, gpointer data)
{
  weir_pmap_diff (&before->wires, &after->wires, call_wire_change,
                  &(ChangeCall) { NULL, func, data });
}

gsize
weir_name_get_stem_length (const char *name)
{
  gsize length = strlen (name);

  while (length > 0 && g_ascii_isdigit (name[length - 1]))
    length--;
  return length > 0 ? length : strlen (name);
}

char *
weir_diagram_dup_free_name (const WeirDiagram *self, const char *base)
{
  gsize length;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (base != NULL, NULL);

  length = weir_name_get_stem_length (base);
  if (find_name (self, base, NULL) == NULL)
    return g_strdup (base);

  /* A free number lies within n + 1 tries; the tries double and then halve to find one quickly. */
  for (guint low = 1, high = 2;; high = MIN (high * 2, G_MAXUINT / 2))
    {
      g_autofree char *name = g_strdup_printf ("%.*s%u", (int) length, base, high);

      if (find_name (self, name, NULL) != NULL)
        {
          low = high;
          continue;
        }
      while (high - low > 1)
        {
          guint middle = low + (high - low) / 2;
          g_autofree char *try = g_strdup_printf ("%.*s%u", (int) length, base, middle);

          if (find_name (self, try, NULL) != NULL)
            low = middle;
          else
            high = middle;
        }
      return g_strdup_printf ("%.*s%u", (int) length, base, high);
    }
}

/* --- Construction ---------------------------------------------------------------------------- */

gboolean
weir_diagram_has (const WeirDiagram *self, WeirElementKind kind, guint32 id)
{
  switch (kind)
    {
    case WEIR_ELEMENT_BLOCK:
      return weir_pmap_contains (&self->blocks, id);
    case WEIR_ELEMENT_WIRE:
      return weir_pmap_contains (&self->wires, id);
    case WEIR_ELEMENT_NOTE:
      return weir_pmap_contains (&self->notes, id);
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* @spare: room for as many items. */
static void
fill (WeirPMap *map, const WeirPMapValues *values, WeirSortItem *items, WeirSortItem *spare,
      guint n_items)
{
  guint n = 0;

  weir_sort_items (items, spare, n_items);
  for (guint i = 0; i < n_items; i++) /* both ends of a wire may be at one block */
    if (n == 0 || items[n - 1].key != items[i].key)
      items[n++] = items[i];
  weir_pmap_init_sorted (map, values, items, n);
}

void
weir_diagram_fill (WeirDiagram *self, const GPtrArray *blocks, const GPtrArray *wires)
{
  guint n_most = MAX (blocks->len, 2 * wires->len), n_ends = 0;
  g_autofree WeirSortItem *items = g_new (WeirSortItem, n_most);
  g_autofree WeirSortItem *index = g_new (WeirSortItem, n_most);
  g_autofree WeirSortItem *spare = g_new (WeirSortItem, n_most);

  g_assert (self->blocks.n_entries == 0 && self->wires.n_entries == 0);

  for (guint i = 0; i < blocks->len; i++)
    {
      WeirBlock *block = g_ptr_array_index (blocks, i);

      items[i] = (WeirSortItem) { block->id, block };
      index[i] = (WeirSortItem) { name_key (block->name, block->id), NULL };
    }
  fill (&self->blocks, &block_values, items, spare, blocks->len);
  fill (&self->names, &no_values, index, spare, blocks->len);
  for (guint i = 0; i < wires->len; i++)
    {
      WeirWire *wire = g_ptr_array_index (wires, i);
      guint32 id = weir_wire_get_id (wire);
      guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;

      items[i] = (WeirSortItem) { id, wire };
      if (from != 0)
        index[n_ends++] = (WeirSortItem) { (guint64) from << 32 | id, NULL };
      if (to != 0)
        index[n_ends++] = (WeirSortItem) { (guint64) to << 32 | id, NULL };
    }
  fill (&self->wires, &wire_values, items, spare, wires->len);
  fill (&self->ends, &no_values, index, spare, n_ends);
}

void
weir_diagram_put_block (WeirDiagram *self, WeirBlock *block)
{
  const WeirBlock *old = weir_pmap_lookup (&self->blocks, block->id);

  if (old == NULL || strcmp (old->name, block->name) != 0)
    {
      if (old != NULL)
        weir_pmap_remove (&self->names, name_key (old->name, old->id));
      weir_pmap_set (&self->names, name_key (block->name, block->id), NULL);
    }
  weir_pmap_set (&self->blocks, block->id, block);
}

static void
drop_ends (WeirDiagram *self, const WeirWire *wire)
{
  guint32 id = weir_wire_get_id (wire);

  weir_pmap_remove (&self->ends, (guint64) weir_wire_get_from (wire).block << 32 | id);
  weir_pmap_remove (&self->ends, (guint64) weir_wire_get_to (wire).block << 32 | id);
}

void
weir_diagram_put_wire (WeirDiagram *self, WeirWire *wire)
{
  guint32 id = weir_wire_get_id (wire);
  guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;
  const WeirWire *old = weir_pmap_lookup (&self->wires, id);

  if (old != NULL && (weir_wire_get_from (old).block != from || weir_wire_get_to (old).block != to))
    drop_ends (self, old);
  if (from != 0)
    weir_pmap_set (&self->ends, (guint64) from << 32 | id, NULL);
  if (to != 0)
    weir_pmap_set (&self->ends, (guint64) to << 32 | id, NULL);
  weir_pmap_set (&self->wires, id, wire);
}

void
weir_diagram_put_note (WeirDiagram *self, WeirNote *note)
{
  weir_pmap_set (&self->notes, weir_note_get_id (note), note);
}

gboolean
weir_diagram_drop (WeirDiagram *self, WeirElementKind kind, guint32 id)
{
  const WeirBlock *block;
  const WeirWire *wire;

  switch (kind)
    {
    case WEIR_ELEMENT_BLOCK:
      block = weir_pmap_lookup (&self->blocks, id);
      if (block == NULL)
        return FALSE;
      weir_pmap_remove (&self->names, name_key (block->name, id));
      return weir_pmap_remove (&self->blocks, id);

    case WEIR_ELEMENT_WIRE:
      wire = weir_pmap_lookup (&self->wires, id);
      if (wire == NULL)
        return FALSE;
      drop_ends (self, wire);
      return weir_pmap_remove (&self->wires, id);

    case WEIR_ELEMENT_NOTE:
      return weir_pmap_remove (&self->notes, id);

    default:
      g_return_val_if_reached (FALSE);
    }
}
