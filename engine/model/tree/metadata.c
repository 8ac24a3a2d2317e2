/* Metadata: sorted lists of typed values. Strings are shared, so that a changed list copies
 * pointers only. */
#include "model/tree/metadata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phrase.h"
#include "base/sync.h"
#include "base/text.h"

typedef struct {
  GRefString *of, *name, *text;
  WeirMetadataType type;
} Entry;

struct _WeirMetadata {
  gatomicrefcount ref_count;
  guint n;
  Entry entries[];
};

const WeirMetadataKey weir_key_author = { "author", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_description = { "description", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_breakpoints = { "breakpoints", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_unit = { "unit", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_points = { "analysis-points", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_part = { "part", WEIR_METADATA_TEXT };
const WeirMetadataKey weir_key_range = { "range", WEIR_METADATA_TEXT };

gboolean
weir_metadata_is_look (const char *name)
{
  return strcmp (name, weir_key_range.name) == 0;
}

/* --- Types ----------------------------------------------------------------------------------- */

static const char *const type_names[WEIR_N_METADATA_TYPES] = { "text", "number", "boolean" };

const char *
weir_metadata_type_get_name (WeirMetadataType type)
{
  g_return_val_if_fail (type < WEIR_N_METADATA_TYPES, NULL);

  return type_names[type];
}

gboolean
weir_metadata_type_find (const char *name, WeirMetadataType *type)
{
  for (guint i = 0; i < WEIR_N_METADATA_TYPES; i++)
    if (strcmp (type_names[i], name) == 0)
      {
        *type = (WeirMetadataType) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

const char *
weir_metadata_type_get_problem (WeirMetadataType type, const char *text)
{
  double value;

  if (type == WEIR_METADATA_NUMBER && !parse_number (text, &value))
    return weir_phrase (N_ ("must be a number"));
  if (type == WEIR_METADATA_BOOLEAN && strcmp (text, "true") != 0 && strcmp (text, "false") != 0)
    return weir_phrase (N_ ("must be true or false"));
  return NULL;
}

/* --- Lists ----------------------------------------------------------------------------------- */

static WeirMetadata *
metadata_new (guint n)
{
  WeirMetadata *self = g_malloc (sizeof (WeirMetadata) + n * sizeof (Entry));

  g_atomic_ref_count_init (&self->ref_count);
  self->n = n;
  return self;
}

WeirMetadata *
weir_metadata_ref (WeirMetadata *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_metadata_unref (WeirMetadata *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->ref_count))
    return;
  for (guint i = 0; i < self->n; i++)
    {
      g_ref_string_release (self->entries[i].of);
      g_ref_string_release (self->entries[i].name);
      g_ref_string_release (self->entries[i].text);
    }
  g_free (self);
}

static int
compare_keys (const char *of_a, const char *name_a, const char *of_b, const char *name_b)
{
  int order = strcmp (of_a, of_b);

  return order != 0 ? order : strcmp (name_a, name_b);
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const WeirMetadataItem *item_a = a, *item_b = b;

  return compare_keys (item_a->of, item_a->name, item_b->of, item_b->name);
}

static Entry
entry_new (const WeirMetadataItem *item)
{
  return (Entry) { g_ref_string_new_intern (item->of), g_ref_string_new_intern (item->name),
                   g_ref_string_new (item->text), item->type };
}

static Entry
entry_copy (const Entry *entry)
{
  return (Entry) { g_ref_string_acquire (entry->of), g_ref_string_acquire (entry->name),
                   g_ref_string_acquire (entry->text), entry->type };
}

WeirMetadata *
weir_metadata_new (WeirMetadataItem *items, guint n, const char **twice)
{
  WeirMetadata *self;

  *twice = NULL;
  if (n == 0)
    return NULL;
  qsort (items, n, sizeof *items, compare_items);
  for (guint i = 1; i < n; i++)
    if (compare_items (&items[i - 1], &items[i]) == 0)
      {
        *twice = items[i].name;
        return NULL;
      }
  self = metadata_new (n);
  for (guint i = 0; i < n; i++)
    self->entries[i] = entry_new (&items[i]);
  return self;
}

/* The index of the first entry that is not before the key. */
static guint
lower_bound (const WeirMetadata *self, const char *of, const char *name)
{
  guint low = 0, high = weir_metadata_get_size (self);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_keys (self->entries[middle].of, self->entries[middle].name, of, name) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static const Entry *
find (const WeirMetadata *self, const char *of, const char *name)
{
  guint i = lower_bound (self, of, name);

  if (i < weir_metadata_get_size (self) && strcmp (self->entries[i].of, of) == 0
      && strcmp (self->entries[i].name, name) == 0)
    return &self->entries[i];
  return NULL;
}

WeirMetadata *
weir_metadata_with (WeirMetadata *self, const char *of, WeirMetadataKey key, const char *text)
{
  const WeirMetadataItem item = { of, key.name, key.type, text };
  guint n = weir_metadata_get_size (self), n_result = 0;
  guint at = lower_bound (self, of, key.name);
  const Entry *old = find (self, of, key.name);
  WeirMetadata *result;

  if (old != NULL ? text != NULL && old->type == key.type && strcmp (old->text, text) == 0
                  : text == NULL)
    return weir_metadata_ref (self);
  if (text == NULL && n == 1)
    return NULL;
  result = metadata_new (n + (text != NULL) - (old != NULL));
  for (guint i = 0; i <= n; i++)
    {
      if (i == at && text != NULL)
        result->entries[n_result++] = entry_new (&item);
      if (i < n && (i != at || old == NULL))
        result->entries[n_result++] = entry_copy (&self->entries[i]);
    }
  return result;
}

gboolean
weir_metadata_equal (const WeirMetadata *a, const WeirMetadata *b)
{
  if (a == b)
    return TRUE;
  if (weir_metadata_get_size (a) != weir_metadata_get_size (b))
    return FALSE;
  for (guint i = 0; i < weir_metadata_get_size (a); i++)
    {
      const Entry *entry_a = &a->entries[i], *entry_b = &b->entries[i];

      if (compare_keys (entry_a->of, entry_a->name, entry_b->of, entry_b->name) != 0
          || entry_a->type != entry_b->type || strcmp (entry_a->text, entry_b->text) != 0)
        return FALSE;
    }
  return TRUE;
}

guint
weir_metadata_get_size (const WeirMetadata *self)
{
  return self != NULL ? self->n : 0;
}

WeirMetadataItem
weir_metadata_get_item (const WeirMetadata *self, guint i)
{
  const Entry *entry;

  g_return_val_if_fail (i < weir_metadata_get_size (self), ((WeirMetadataItem) { 0 }));

  entry = &self->entries[i];
  return (WeirMetadataItem) { entry->of, entry->name, entry->type, entry->text };
}

/* --- Values ---------------------------------------------------------------------------------- */

const char *
weir_metadata_get_text (const WeirMetadata *self, const char *of, WeirMetadataKey key)
{
  const Entry *entry = find (self, of, key.name);

  return entry != NULL && entry->type == key.type ? entry->text : NULL;
}

gboolean
weir_metadata_get_boolean (const WeirMetadata *self, const char *of, WeirMetadataKey key,
                           gboolean *value)
{
  const char *text = weir_metadata_get_text (self, of, key);

  if (key.type != WEIR_METADATA_BOOLEAN || text == NULL
      || weir_metadata_type_get_problem (key.type, text) != NULL)
    return FALSE;
  *value = strcmp (text, "true") == 0;
  return TRUE;
}
