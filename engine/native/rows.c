/* What is done alike to neighbours is done to four of them at once: values stored side by side that
 * follow alike from values side by side, from the same value, or from others that do, become one.
 * See native-private.h.
 *
 * Each of the four is computed as it would be alone. What is large repeats itself, and code that
 * says each repetition is bounded by how fast it can be read.
 */
#include "native/native-private.h"

#include "base/simd.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH WEIR_NATIVE_WIDTH
#define DEEPEST 50 /* nested calls */

/* Four values that may become one. */
typedef struct _Row Row;
struct _Row {
  guint32 lanes[WIDTH]; /* of the list as it was */
  gboolean is_possible;
  WeirNativeItem item; /* but for its operands */
  Row *args[3];        /* NULL: none; SPREAD has the first lane */
  guint32 at;          /* in the new list; or WEIR_NATIVE_NOTHING */
};

typedef struct {
  const WeirNativeItem *items;
  guint32 n;
  GHashTable *rows; /* of Row, by their lanes */
  Row **stored;     /* by item: what is stored there in place of four; or NULL */
  guint32 *places;  /* then the first place */
  guint8 *is_gone;  /* by item: stores of those four */
  GArray *list;     /* WeirNativeItem: the new list */
  guint32 *at;      /* in that, by item */
} Rows;

static guint
hash_lanes (gconstpointer data)
{
  const guint32 *lanes = data;
  guint64 hash = 0;

  for (guint k = 0; k < WIDTH; k++)
    hash = (hash ^ lanes[k]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean
equal_lanes (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, WIDTH * sizeof (guint32)) == 0;
}

/* --- Finding --------------------------------------------------------------------------------- */

static Row *find_row (Rows *self, const guint32 *lanes, guint depth);

static gboolean
are_alike (const Rows *self, const guint32 *lanes)
{
  const WeirNativeItem *first = &self->items[lanes[0]];

  for (guint k = 1; k < WIDTH; k++)
    {
      const WeirNativeItem *item = &self->items[lanes[k]];

      if (item->op != first->op || item->base != first->base
          || (first->op == WEIR_NATIVE_OP_LOAD && item->place != first->place + k))
        return FALSE;
    }
  return first->op != WEIR_NATIVE_OP_NUMBER;
}

static gboolean
fill_row (Rows *self, Row *row, guint depth)
{
  gboolean is_same = TRUE;

  for (guint k = 1; k < WIDTH; k++)
    is_same &= row->lanes[k] == row->lanes[0];
  row->item = self->items[row->lanes[0]];
  row->item.is_row = TRUE;
  if (is_same)
    {
      row->item = (WeirNativeItem) { .op = WEIR_NATIVE_OP_SPREAD,
                                     .args = { row->lanes[0], WEIR_NATIVE_NOTHING,
                                               WEIR_NATIVE_NOTHING },
                                     .is_row = TRUE };
      return TRUE;
    }
  if (!are_alike (self, row->lanes))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (row->args); k++)
    {
      guint32 operands[WIDTH];

      if (row->item.args[k] == WEIR_NATIVE_NOTHING)
        continue;
      for (guint i = 0; i < WIDTH; i++)
        operands[i] = self->items[row->lanes[i]].args[k];
      row->args[k] = find_row (self, operands, depth + 1);
      if (row->args[k] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* NULL: they cannot be one. */
static Row *
find_row (Rows *self, const guint32 *lanes, guint depth)
{
  Row *row = g_hash_table_lookup (self->rows, lanes);

  if (row == NULL)
    {
      row = g_new0 (Row, 1);
      memcpy (row->lanes, lanes, sizeof row->lanes);
      row->at = WEIR_NATIVE_NOTHING;
      row->is_possible = depth < DEEPEST && fill_row (self, row, depth);
      g_hash_table_insert (self->rows, row->lanes, row);
    }
  return row->is_possible ? row : NULL;
}

typedef struct {
  guint32 base, place, item;
} Store;

static int
compare_stores (gconstpointer a, gconstpointer b)
{
  const Store *x = a, *y = b;

  if (x->base != y->base)
    return x->base < y->base ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Those stored at @stores, if they lie side by side and can be one. They are stored where the last
 * of them was, as all that they follow from is known there. */
static gboolean
find_stored (Rows *self, const Store *stores)
{
  guint32 lanes[WIDTH], last = 0;
  Row *row;

  for (guint k = 0; k < WIDTH; k++)
    {
      if (stores[k].base != stores[0].base || stores[k].place != stores[0].place + k)
        return FALSE;
      lanes[k] = self->items[stores[k].item].args[0];
      last = MAX (last, stores[k].item);
    }
  row = find_row (self, lanes, 0);
  if (row == NULL)
    return FALSE;
  for (guint k = 0; k < WIDTH; k++)
    self->is_gone[stores[k].item] = TRUE;
  self->stored[last] = row;
  self->places[last] = stores[0].place;
  return TRUE;
}

/* Returns whether there is any. */
static gboolean
find_rows (Rows *self)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Store));
  const Store *stores;
  gboolean is_found = FALSE;

  for (guint32 i = 0; i < self->n; i++)
    if (self->items[i].op == WEIR_NATIVE_OP_STORE)
      {
        Store store = { self->items[i].base, self->items[i].place, i };

        g_array_append_val (found, store);
      }
  qsort (found->data, found->len, sizeof (Store), compare_stores);
  stores = (const Store *) (gconstpointer) found->data;
  for (guint i = 0; i + WIDTH <= found->len;)
    {
      gboolean is_row = find_stored (self, stores + i);

      is_found |= is_row;
      i += is_row ? WIDTH : 1;
    }
  return is_found;
}

/* --- The new list ---------------------------------------------------------------------------- */

static guint32
list_row (Rows *self, Row *row)
{
  WeirNativeItem item = row->item;

  if (row->at != WEIR_NATIVE_NOTHING)
    return row->at;
  if (item.op == WEIR_NATIVE_OP_SPREAD)
    item.args[0] = self->at[item.args[0]];
  for (guint k = 0; k < G_N_ELEMENTS (row->args); k++)
    if (row->args[k] != NULL)
      item.args[k] = list_row (self, row->args[k]);
  row->at = self->list->len;
  g_array_append_val (self->list, item);
  return row->at;
}

static void
list_item (Rows *self, guint32 i)
{
  WeirNativeItem item = self->items[i];

  if (self->is_gone[i] && self->stored[i] == NULL)
    return;
  if (self->stored[i] != NULL)
    {
      item.args[0] = list_row (self, self->stored[i]);
      item.place = self->places[i];
      item.is_row = TRUE;
    }
  else
    for (guint k = 0; k < G_N_ELEMENTS (item.args); k++)
      if (item.args[k] != WEIR_NATIVE_NOTHING)
        item.args[k] = self->at[item.args[k]];
  self->at[i] = self->list->len;
  g_array_append_val (self->list, item);
}

GArray *
weir_native_dup_rows (const WeirNativeBuilder *builder)
{
  Rows self = { .items = (const WeirNativeItem *) (gconstpointer) builder->items->data,
                .n = builder->items->len };

  if (weir_simd != WEIR_SIMD_AVX2 || builder->is_wide || builder->n_calls > 0
      || builder->n_labels > 0)
    return NULL;
  self.rows = g_hash_table_new_full (hash_lanes, equal_lanes, NULL, g_free);
  self.stored = g_new0 (Row *, MAX (self.n, 1));
  self.places = g_new0 (guint32, MAX (self.n, 1));
  self.is_gone = g_new0 (guint8, MAX (self.n, 1));
  self.at = g_new (guint32, MAX (self.n, 1));
  if (find_rows (&self))
    {
      self.list = g_array_sized_new (FALSE, FALSE, sizeof (WeirNativeItem), self.n);
      for (guint32 i = 0; i < self.n; i++)
        list_item (&self, i);
    }
  g_hash_table_unref (self.rows);
  g_free (self.stored);
  g_free (self.places);
  g_free (self.is_gone);
  g_free (self.at);
  return self.list;
}
