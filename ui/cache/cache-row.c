/* Rows of the cache table and the figures they show. See cache-row.h. */
#include "cache/cache-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

  self->entry = entry;
  self->block = weir_layout_dup_path (layout, info.node);
  self->title = g_strdup_printf ("%s: %s", *self->block != '\0' ? self->block : _ ("Whole model"),
                                 info.name);
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

/* --- Figures ----------------------------------------------------------------------------------- */

guint64
weir_cache_misses (const WeirCounters *counters)
{
  return counters->first + counters->stale + counters->disabled;
}

double
weir_cache_hit_rate (const WeirCounters *counters)
{
  guint64 requests = counters->hits + weir_cache_misses (counters);

  return requests == 0 ? (double) NAN : (double) counters->hits / (double) requests;
}

WeirCacheState
weir_cache_state (const WeirSnapshot *snapshot, guint entry)
{
  const WeirCounters *counters = &snapshot->counters[entry];

  if (!snapshot->caching || ((snapshot->disabled[entry / 64] >> (entry % 64)) & 1))
    return WEIR_CACHE_DISABLED;
  if (weir_cache_misses (counters) == 0)
    return WEIR_CACHE_NEVER;
  return ((snapshot->flags[entry / 64] >> (entry % 64)) & 1) ? WEIR_CACHE_STALE : WEIR_CACHE_FRESH;
}

char *
weir_cache_format_rate (guint64 hits, guint64 misses)
{
  if (hits + misses == 0)
    return g_strdup ("–");
  return g_strdup_printf (_ ("%.1f %%"), 100.0 * (double) hits / (double) (hits + misses));
}

char *
weir_cache_format_count (guint64 count)
{
  char digits[24];
  int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, count);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append (text, "\u202f"); /* narrow space that does not break */
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

char *
weir_cache_format_time (double ns)
{
  if (ns <= 0)
    return g_strdup ("–");
  if (ns < 1)
    return g_strdup (_ ("< 1 ns"));
  if (ns < 1000)
    return g_strdup_printf (_ ("%.3g ns"), ns);
  if (ns < 1e6)
    return g_strdup_printf (_ ("%.3g µs"), ns / 1e3);
  return g_strdup_printf (_ ("%.3g ms"), ns / 1e6);
}
