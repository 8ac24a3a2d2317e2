/* The list of what is to be computed. See native.h.
 *
 * A value that is there already is not computed again: the same operation of the same values, the
 * same place in memory, what was stored there. Within what a jump may leave out other values are
 * known than behind it, so all is forgotten at labels.
 */
#include "native/native-private.h"

#include "base/simd.h"

#include <string.h>

#define MAX_ITEMS 400000 /* some 5 MB of code */

static guint
hash_item (gconstpointer data)
{
  const WeirNativeItem *item = data;
  guint64 hash = item->op;

  for (guint k = 0; k < 3; k++)
    hash = (hash ^ item->args[k]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  hash = (hash ^ item->base ^ (guint64) item->place << 8) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean
equal_items (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (WeirNativeItem)) == 0;
}

WeirNativeBuilder *
weir_native_builder_new (void)
{
  WeirNativeBuilder *self = g_new0 (WeirNativeBuilder, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (WeirNativeItem));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (double));
  self->bits = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->funcs = g_ptr_array_new ();
  self->known = g_hash_table_new_full (hash_item, equal_items, g_free, NULL);
  self->in_place = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

WeirNativeBuilder *
weir_native_builder_new_wide (void)
{
  WeirNativeBuilder *self;

  if (weir_simd != WEIR_SIMD_AVX2)
    return NULL;
  self = weir_native_builder_new ();
  self->is_wide = TRUE;
  return self;
}

WeirNativeBuilder *
weir_native_builder_new_usual (WeirNativeUsual unusual, guint32 first_at)
{
  WeirNativeBuilder *self = weir_native_builder_new ();

  self->unusual = unusual;
  self->first_at = first_at;
  return self;
}

void
weir_native_builder_free (WeirNativeBuilder *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_array_unref (self->numbers);
  g_array_unref (self->bits);
  g_ptr_array_unref (self->funcs);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->in_place);
  g_free (self);
}

guint
weir_native_builder_get_n_items (const WeirNativeBuilder *self)
{
  return self->items->len;
}

static WeirNativeItem
item_of (guint32 op, guint32 a, guint32 b, guint32 c)
{
  return (WeirNativeItem) { .op = op, .args = { a, b, c } };
}

static guint32
append (WeirNativeBuilder *self, WeirNativeItem item)
{
  if (self->items->len >= MAX_ITEMS)
    {
      self->has_failed = TRUE;
      return 0;
    }
  g_array_append_val (self->items, item);
  return self->items->len - 1;
}

/* The value of @item, which has no effect besides. */
static WeirNativeValue
get_value (WeirNativeBuilder *self, WeirNativeItem item)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, &item));

  if (known == 0)
    {
      known = append (self, item) + 1;
      g_hash_table_insert (self->known, g_memdup2 (&item, sizeof item), GUINT_TO_POINTER (known));
    }
  return (WeirNativeValue) { known - 1 };
}

WeirNativeValue
weir_native_number (WeirNativeBuilder *self, double value)
{
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_NUMBER, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING,
                                 WEIR_NATIVE_NOTHING);

  for (guint i = 0; i < self->numbers->len && i < 64; i++)
    if (memcmp (&g_array_index (self->numbers, double, i), &value, sizeof value) == 0)
      {
        item.place = i;
        return get_value (self, item);
      }
  item.place = self->numbers->len;
  g_array_append_val (self->numbers, value);
  return get_value (self, item);
}

WeirNativeValue
weir_native_load (WeirNativeBuilder *self, guint base, guint32 place)
{
  gint64 key = (gint64) ((guint64) base << 32 | place);
  guint stored = GPOINTER_TO_UINT (g_hash_table_lookup (self->in_place, &key));
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_LOAD, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING,
                                 WEIR_NATIVE_NOTHING);

  if (stored > 0)
    return (WeirNativeValue) { stored - 1 };
  item.base = base;
  item.place = place;
  return get_value (self, item);
}

WeirNativeValue
weir_native_binary (WeirNativeBuilder *self, WeirNativeBinary op, WeirNativeValue a,
                    WeirNativeValue b)
{
  return get_value (self, item_of (op, a.i, b.i, WEIR_NATIVE_NOTHING));
}

WeirNativeValue
weir_native_negate (WeirNativeBuilder *self, WeirNativeValue a)
{
  return weir_native_binary (self, WEIR_NATIVE_XOR, a, weir_native_number (self, -0.0));
}

WeirNativeValue
weir_native_magnitude (WeirNativeBuilder *self, WeirNativeValue a)
{
  const guint64 bits = G_MAXUINT64 >> 1;
  double mask;

  memcpy (&mask, &bits, sizeof mask);
  return weir_native_binary (self, WEIR_NATIVE_AND, a, weir_native_number (self, mask));
}

WeirNativeValue
weir_native_root (WeirNativeBuilder *self, WeirNativeValue a)
{
  return get_value (self,
                    item_of (WEIR_NATIVE_OP_ROOT, a.i, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING));
}

/* A comparison that chooses among what it compares is one instruction. */
WeirNativeValue
weir_native_select (WeirNativeBuilder *self, WeirNativeValue mask, WeirNativeValue yes,
                    WeirNativeValue no)
{
  const WeirNativeItem *item = &g_array_index (self->items, WeirNativeItem, mask.i);

  if (item->op == WEIR_NATIVE_LT && item->args[0] == yes.i && item->args[1] == no.i)
    return weir_native_binary (self, WEIR_NATIVE_MIN, yes, no);
  if (item->op == WEIR_NATIVE_LT && item->args[1] == yes.i && item->args[0] == no.i)
    return weir_native_binary (self, WEIR_NATIVE_MAX, yes, no);
  return get_value (self, item_of (WEIR_NATIVE_OP_SELECT, mask.i, yes.i, no.i));
}

static guint32
find_func (WeirNativeBuilder *self, gpointer func)
{
  guint32 at = 0;

  while (at < self->funcs->len && self->funcs->pdata[at] != func)
    at++;
  if (at == self->funcs->len)
    g_ptr_array_add (self->funcs, func);
  return at;
}

static WeirNativeValue
call (WeirNativeBuilder *self, gpointer func, guint32 a, guint32 b)
{
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_CALL, a, b, WEIR_NATIVE_NOTHING);

  self->has_failed |= self->is_wide;
  self->n_calls++;
  item.place = find_func (self, func);
  return get_value (self, item);
}

WeirNativeValue
weir_native_call_1 (WeirNativeBuilder *self, double (*func) (double), WeirNativeValue a)
{
  gpointer address;

  memcpy (&address, &func, sizeof address);
  return call (self, address, a.i, WEIR_NATIVE_NOTHING);
}

WeirNativeValue
weir_native_call_2 (WeirNativeBuilder *self, double (*func) (double, double), WeirNativeValue a,
                    WeirNativeValue b)
{
  gpointer address;

  memcpy (&address, &func, sizeof address);
  return call (self, address, a.i, b.i);
}

void
weir_native_store (WeirNativeBuilder *self, guint base, guint32 place, WeirNativeValue value)
{
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_STORE, value.i, WEIR_NATIVE_NOTHING,
                                 WEIR_NATIVE_NOTHING);
  gint64 key = (gint64) ((guint64) base << 32 | place);

  item.base = base;
  item.place = place;
  append (self, item);
  g_hash_table_insert (self->in_place, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (value.i + 1));
}

/* --- Standing in for others ------------------------------------------------------------------ */

WeirNativeValue
weir_native_argument (WeirNativeBuilder *self)
{
  self->has_failed |= self->unusual == NULL || self->items->len > 0;
  return get_value (self, item_of (WEIR_NATIVE_OP_ARGUMENT, WEIR_NATIVE_NOTHING,
                                   WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING));
}

/* So many of its operands must be finite for the result to be: a quotient by what is not finite may
 * be 0. A number's bits with others are its negative or magnitude if those are of the sign alone.
 */
static guint
count_telling (const WeirNativeBuilder *self, const WeirNativeItem *item)
{
  const guint64 sign = G_GUINT64_CONSTANT (1) << 63;
  const WeirNativeItem *second;
  guint64 bits;

  switch (item->op)
    {
    case WEIR_NATIVE_ADD:
    case WEIR_NATIVE_SUB:
    case WEIR_NATIVE_MUL:
      return 2;
    case WEIR_NATIVE_DIV:
    case WEIR_NATIVE_OP_ROOT:
      return 1;
    case WEIR_NATIVE_XOR:
    case WEIR_NATIVE_AND:
      second = &g_array_index (self->items, WeirNativeItem, item->args[1]);
      if (second->op != WEIR_NATIVE_OP_NUMBER)
        return 0;
      bits = g_array_index (self->numbers, guint64, second->place);
      return bits == (item->op == WEIR_NATIVE_XOR ? sign : ~sign) ? 1 : 0;
    default:
      return 0;
    }
}

void
weir_native_keep_telling (const WeirNativeBuilder *self, GArray *values)
{
  enum { ASKED = 1, TOLD = 2 };
  g_autofree guint8 *is = g_new0 (guint8, MAX (self->items->len, 1));

  for (guint k = 0; k < values->len; k++)
    is[g_array_index (values, WeirNativeValue, k).i] = ASKED;
  for (guint32 i = self->items->len; i-- > 0;)
    {
      const WeirNativeItem *item = &g_array_index (self->items, WeirNativeItem, i);
      guint n_telling = is[i] != 0 ? count_telling (self, item) : 0;

      for (guint k = 0; k < n_telling; k++)
        is[item->args[k]] |= TOLD;
    }
  g_array_set_size (values, 0);
  for (guint32 i = 0; i < self->items->len; i++)
    if (is[i] == ASKED)
      {
        WeirNativeValue value = { i };

        g_array_append_val (values, value);
      }
}

static WeirNativeItem
item_of_word (guint32 op, guint base, guint32 place, guint32 more)
{
  WeirNativeItem item = item_of (op, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING);

  item.base = base;
  item.place = place;
  item.more = more;
  return item;
}

void
weir_native_insist_on_clear (WeirNativeBuilder *self, guint base, guint32 place, guint64 bits,
                             WeirNativeValue number)
{
  WeirNativeItem item = item_of_word (WEIR_NATIVE_OP_INSIST_ON_CLEAR, base, place, self->bits->len);

  item.args[0] = number.i;
  self->has_failed |= self->unusual == NULL;
  g_array_append_val (self->bits, bits);
  append (self, item);
}

void
weir_native_look_at (WeirNativeBuilder *self, WeirNativeValue value)
{
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_LOOK_AT, value.i, WEIR_NATIVE_NOTHING,
                                 WEIR_NATIVE_NOTHING);

  item.more = self->is_looking;
  self->is_looking = TRUE;
  append (self, item);
}

void
weir_native_insist_on_finite (WeirNativeBuilder *self, WeirNativeValue number)
{
  self->has_failed |= self->unusual == NULL || !self->is_looking;
  self->is_looking = FALSE;
  append (self, item_of (WEIR_NATIVE_OP_INSIST_ON_FINITE, number.i, WEIR_NATIVE_NOTHING,
                         WEIR_NATIVE_NOTHING));
}

void
weir_native_insist_on (WeirNativeBuilder *self,
                       gboolean (*is_usual) (gsize n, const double *values), guint32 n, guint base,
                       WeirNativeValue number)
{
  WeirNativeItem item;
  gpointer address;

  memcpy (&address, &is_usual, sizeof address);
  item = item_of_word (WEIR_NATIVE_OP_INSIST_ON, base, find_func (self, address), n);
  item.args[0] = number.i;
  self->has_failed |= self->unusual == NULL;
  append (self, item);
}

void
weir_native_add_to_word (WeirNativeBuilder *self, guint base, guint32 place, gint32 value)
{
  append (self, item_of_word (WEIR_NATIVE_OP_ADD_TO_WORD, base, place, (guint32) value));
}

void
weir_native_copy_word (WeirNativeBuilder *self, guint base, guint32 from, guint32 to)
{
  append (self, item_of_word (WEIR_NATIVE_OP_COPY_WORD, base, from, to));
}

void
weir_native_set_bits (WeirNativeBuilder *self, guint base, guint32 place, guint64 bits)
{
  g_array_append_val (self->bits, bits);
  append (self, item_of_word (WEIR_NATIVE_OP_SET_BITS, base, place, self->bits->len - 1));
}

/* --- Jumps ----------------------------------------------------------------------------------- */

guint32
weir_native_skip (WeirNativeBuilder *self, WeirNativeValue value, gboolean if_zero)
{
  WeirNativeItem item = item_of (if_zero ? WEIR_NATIVE_OP_SKIP_IF_ZERO
                                         : WEIR_NATIVE_OP_SKIP_UNLESS_ZERO,
                                 value.i, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING);

  self->has_failed |= self->is_wide;
  weir_native_number (self, 0.0);
  item.base = self->n_labels++;
  append (self, item);
  return item.base;
}

void
weir_native_place_label (WeirNativeBuilder *self, guint32 label)
{
  WeirNativeItem item = item_of (WEIR_NATIVE_OP_LABEL, WEIR_NATIVE_NOTHING, WEIR_NATIVE_NOTHING,
                                 WEIR_NATIVE_NOTHING);

  item.base = label;
  append (self, item);
  g_hash_table_remove_all (self->known);
  g_hash_table_remove_all (self->in_place);
}
