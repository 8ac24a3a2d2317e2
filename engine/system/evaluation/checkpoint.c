/* Saving and loading contexts. See checkpoint.h. */
#include "system/evaluation/checkpoint.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/observation/observation-private.h"
#include "system/evaluation/evaluator-private.h"

#define MAGIC "WEIRCTX\n"
#define VERSION 2u
#define TABLE_TYPE G_VARIANT_TYPE ("amv")

/* The switches of a saved context, as bits. */
enum {
  SAVED_UNCACHED = 1,
  SAVED_FROZEN = 2,
  SAVED_PULLS = 4,
};

/* Written field by field; the version has the same place in every version. */
typedef struct {
  char magic[8];
  guint32 version, switches;
  WeirFingerprint fingerprint;
  guint64 n_words; /* of the arena, which follows */
  guint64 n_table; /* bytes of the abstract values behind that */
} Header;

#define HEADER_SIZE 48 /* bytes */

static void
put_header (guint8 **at, const Header *header)
{
  memcpy (*at, header->magic, sizeof header->magic);
  *at += sizeof header->magic;
  weir_bytes_put_32 (at, header->version);
  weir_bytes_put_32 (at, header->switches);
  weir_bytes_put_64 (at, header->fingerprint.low);
  weir_bytes_put_64 (at, header->fingerprint.high);
  weir_bytes_put_64 (at, header->n_words);
  weir_bytes_put_64 (at, header->n_table);
}

static Header
take_header (const guint8 **at)
{
  Header header;

  memcpy (header.magic, *at, sizeof header.magic);
  *at += sizeof header.magic;
  header.version = weir_bytes_take_32 (at);
  header.switches = weir_bytes_take_32 (at);
  header.fingerprint.low = weir_bytes_take_64 (at);
  header.fingerprint.high = weir_bytes_take_64 (at);
  header.n_words = weir_bytes_take_64 (at);
  header.n_table = weir_bytes_take_64 (at);
  return header;
}

static const WeirAbstractSlot *
get_slot (const WeirContext *self, guint i)
{
  return &g_array_index (self->layout->abstract_slots, WeirAbstractSlot, i);
}

static void
name_node (const WeirContext *self, const WeirAbstractSlot *slot, GError **error)
{
  g_autofree char *path = weir_layout_dup_path (self->layout, (WeirNode) { slot->node });

  if (*path != '\0')
    weir_error_prefix (error, path);
}

/* What is written for value @i; the value itself, and @error, where that cannot be had. */
static GVariant *
save_value (const WeirContext *self, guint i, GError **error)
{
  const WeirAbstractSlot *slot = get_slot (self, i);
  GVariant *value = self->abstract[i], *kept;

  if (slot->keeping == NULL || value == NULL)
    return value;
  kept = slot->keeping->save (value, error);
  if (kept == NULL)
    name_node (self, slot, error);
  return kept != NULL ? kept : value;
}

/* @error: of the first value that cannot be kept. (transfer full) */
static GVariant *
save_table (const WeirContext *self, GError **error)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, TABLE_TYPE);
  for (guint i = 0; i < self->layout->abstract_slots->len; i++)
    {
      gboolean is_first = error != NULL && *error == NULL;
      GVariant *value = save_value (self, i, is_first ? error : NULL);

      g_variant_builder_add_value (
          &builder, g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                         value == NULL ? NULL : g_variant_new_variant (value)));
    }
  return weir_bytes_order_variant (g_variant_ref_sink (g_variant_builder_end (&builder)));
}

GBytes *
weir_context_save (const WeirContext *self)
{
  return weir_context_save_all (self, NULL);
}

GBytes *
weir_context_save_all (const WeirContext *self, GError **error)
{
  gboolean has_table = self->layout->abstract_slots->len > 0;
  GError *failure = NULL;
  g_autoptr (GVariant) table = has_table ? save_table (self, &failure) : NULL;
  Header header = {
    .magic = MAGIC,
    .version = VERSION,
    .switches = (weir_context_is (self, WEIR_MODE_UNCACHED) ? SAVED_UNCACHED : 0)
                | (weir_context_is (self, WEIR_MODE_FROZEN) ? SAVED_FROZEN : 0)
                | (weir_context_is (self, WEIR_MODE_PULLS) ? SAVED_PULLS : 0),
    .fingerprint = weir_layout_get_fingerprint (self->layout),
    .n_words = self->layout->arena.size,
    .n_table = has_table ? g_variant_get_size (table) : 0,
  };
  gsize size = HEADER_SIZE + header.n_words * 8 + header.n_table;
  guint8 *bytes, *at;

  if (failure != NULL && error != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  g_clear_error (&failure);
  bytes = at = g_malloc (size);
  put_header (&at, &header);
  weir_bytes_put_words (&at, self->arena, header.n_words);
  if (has_table)
    g_variant_store (table, at);
  return g_bytes_new_take (bytes, size);
}

static void
free_table (GVariant **values, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&values[i], g_variant_unref);
  g_free (values);
}

static gboolean
refuse (GError **error, const char *why)
{
  weir_error_set (error, WEIR_ERROR_MISMATCH, "The saved context cannot be loaded: %s.", why);
  return FALSE;
}

static gboolean
check_header (const WeirContext *self, const Header *header, gsize size, GError **error)
{
  WeirFingerprint own = weir_layout_get_fingerprint (self->layout);
  g_autoptr (WeirMessage) why = NULL;

  if (memcmp (header->magic, MAGIC, sizeof header->magic) != 0)
    return refuse (error, weir_phrase (N_ ("this is none")));
  if (header->version != VERSION)
    {
      why = weir_message_new (N_ ("it has version %u, and this program reads version %u"),
                              header->version, VERSION);
      return refuse (error, weir_message_get_text (why));
    }
  if (header->fingerprint.low != own.low || header->fingerprint.high != own.high
      || header->n_words != self->layout->arena.size)
    return refuse (error, weir_phrase (N_ ("it belongs to a system that is built differently")));
  if (header->n_table > size || size != HEADER_SIZE + header->n_words * 8 + header->n_table)
    {
      why = weir_message_new (N_ ("it has %lu bytes where %lu belong"), (gulong) size,
                              (gulong) (HEADER_SIZE + header->n_words * 8 + header->n_table));
      return refuse (error, weir_message_get_text (why));
    }
  return TRUE;
}

/* States and parameters always have a value; entries and inputs may have none yet. */
static gboolean
is_value_needed (const WeirLayout *layout, guint slot)
{
  return g_array_index (layout->abstract_slots, WeirAbstractSlot, slot).word < layout->arena.fixed;
}

/* Value @i as it was written; NULL and @error where it is not of its declared type, or cannot be
 * had. (transfer full) */
static GVariant *
load_value (const WeirContext *self, guint i, GVariant *written, GError **error)
{
  const WeirAbstractSlot *slot = get_slot (self, i);
  GVariant *value = slot->keeping != NULL ? slot->keeping->load (slot->data, written, error)
                                          : written;

  if (value == NULL)
    {
      name_node (self, slot, error);
      return NULL;
    }
  if (g_variant_is_of_type (value, slot->type))
    return g_variant_ref_sink (value);
  refuse (error, weir_phrase (N_ ("its abstract values are damaged")));
  return NULL;
}

/* The abstract values, each of its declared type; NULL and @error if they are not. (transfer full),
 * by slot. */
static GVariant **
load_table (const WeirContext *self, GBytes *bytes, gsize at, gsize size, GError **error)
{
  guint n = self->layout->abstract_slots->len;
  g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, at, size);
  g_autoptr (GVariant) table = weir_bytes_order_variant (
      g_variant_ref_sink (g_variant_new_from_bytes (TABLE_TYPE, part, FALSE)));
  GVariant **values = g_new0 (GVariant *, n + 1);
  gboolean ok = (g_variant_is_normal_form (table) && g_variant_n_children (table) == n)
                || refuse (error, weir_phrase (N_ ("its abstract values are damaged")));

  for (guint i = 0; ok && i < n; i++)
    {
      g_autoptr (GVariant) maybe = g_variant_get_child_value (table, i);
      g_autoptr (GVariant) boxed = g_variant_get_maybe (maybe);
      g_autoptr (GVariant) written = boxed != NULL ? g_variant_get_variant (boxed) : NULL;

      if (written == NULL)
        ok = !is_value_needed (self->layout, i)
             || refuse (error, weir_phrase (N_ ("its abstract values are damaged")));
      else
        ok = (values[i] = load_value (self, i, written, error)) != NULL;
    }
  if (ok)
    return values;
  free_table (values, n);
  return NULL;
}

/* An input cannot be fixed to nothing. */
static void
unfix_empty (WeirContext *self)
{
  const WeirLayout *layout = self->layout;

  for (guint32 n = 0; n < layout->n_nodes; n++)
    for (guint i = 0; i < layout->nodes[n].shape->inputs->len; i++)
      {
        guint32 input = layout->nodes[n].first_input + i;

        if (weir_shape_input (layout->nodes[n].shape, i)->type != NULL
            && weir_context_abstract_at (self, self->arena + layout->input_slots[input]) == NULL)
          weir_bit_clear (self->fixed, input);
      }
}

/* Whatever the bytes were, the context is consistent afterwards. */
static void
settle (WeirContext *self, const WeirEvaluator *evaluator)
{
  const WeirLayout *layout = self->layout;
  WeirFingerprint fingerprint = weir_layout_get_fingerprint (layout);

  memcpy (&self->arena[WEIR_ARENA_FINGERPRINT_LOW], &fingerprint, sizeof fingerprint);
  weir_context_number_abstract (self);
  weir_bits_clear_tail (self->stale, layout->n_entries);
  weir_bits_clear_tail (self->disabled, layout->n_entries);
  weir_bits_clear_tail (self->fixed, layout->n_inputs);
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_layout_decl (layout, e)->type != NULL
        && weir_context_abstract_at (self, self->arena + layout->value_offset[e]) == NULL)
      weir_bit_set (self->stale, e);
  unfix_empty (self);
  weir_context_count_bits (self);
  self->now = self->arena[WEIR_ARENA_TIME];
  self->x = self->arena + layout->arena.state;
  if (weir_context_get_code (self) != evaluator->code_id)
    weir_context_set_all_out_of_date (self);
  weir_context_set_code (self, evaluator->code_id);
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    weir_log_ring_note_restored (self);
}

gboolean
weir_context_load (WeirContext *self, WeirSystem *root, GBytes *bytes, GError **error)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  guint n_slots = self->layout->abstract_slots->len;
  gsize size;
  const guint8 *at = g_bytes_get_data (bytes, &size);
  WeirFingerprint own = weir_layout_get_fingerprint (evaluator->layout);
  WeirFingerprint fingerprint = weir_layout_get_fingerprint (self->layout);
  GVariant **values = NULL;
  Header header;

  if (own.low != fingerprint.low || own.high != fingerprint.high)
    return refuse (error, weir_phrase (N_ ("the context and the system do not fit each other")));
  if (size < HEADER_SIZE)
    return refuse (error, weir_phrase (N_ ("this is none")));
  header = take_header (&at);
  if (!check_header (self, &header, size, error))
    return FALSE;
  if (n_slots > 0)
    {
      values = load_table (self, bytes, size - header.n_table, header.n_table, error);
      if (values == NULL)
        return FALSE;
    }

  weir_bytes_take_words (&at, self->arena, header.n_words);
  if (n_slots > 0)
    {
      free_table (self->abstract, n_slots);
      self->abstract = values;
    }
  weir_context_set_mode (self, WEIR_MODE_UNCACHED, (header.switches & SAVED_UNCACHED) != 0);
  weir_context_set_mode (self, WEIR_MODE_FROZEN, (header.switches & SAVED_FROZEN) != 0);
  weir_context_set_mode (self, WEIR_MODE_PULLS, (header.switches & SAVED_PULLS) != 0);
  settle (self, evaluator);
  return TRUE;
}
