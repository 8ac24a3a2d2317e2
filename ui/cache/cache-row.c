/* Rows of the cache table and the figures they show. See cache-row.h. */
#include "cache/cache-row.h"

#include "paint/scene/describe.h"

struct _WeirCacheRow {
  GObject parent;
  guint entry;
  char *title, *key, *block;
};

G_DEFINE_FINAL_TYPE (WeirCacheRow, weir_cache_row, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  WeirCacheRow *self = WEIR_CACHE_ROW (object);

  g_free (self->title);
  g_free (self->key);
  g_free (self->block);
  G_OBJECT_CLASS (weir_cache_row_parent_class)->finalize (object);
}

static void
weir_cache_row_class_init (WeirCacheRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
weir_cache_row_init (G_GNUC_UNUSED WeirCacheRow *self)
{
}

WeirCacheRow *
weir_cache_row_new (WeirLayout *layout, guint entry)
{
  WeirCacheRow *self = g_object_new (WEIR_TYPE_CACHE_ROW, NULL);
  WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { entry });
  g_autofree char *block = NULL;

  self->entry = entry;
  self->block = weir_layout_dup_path (layout, info.node);
  block = weir_describe_path (self->block);
  self->title = g_strdup_printf ("%s: %s", block, info.name);
  self->key = g_utf8_casefold (self->title, -1);
  return self;
}

guint
weir_cache_row_get_entry (WeirCacheRow *self)
{
  return self->entry;
}

const char *
weir_cache_row_get_title (WeirCacheRow *self)
{
  return self->title;
}

const char *
weir_cache_row_get_key (WeirCacheRow *self)
{
  return self->key;
}

const char *
weir_cache_row_get_block (WeirCacheRow *self)
{
  return self->block;
}
