/* WeirCacheRow: the place of one entry in the cache table: its number and its names. Its changing
 * figures are read from the newest snapshot. Thread: *main*. */
#pragma once

#include <glib-object.h>

#include "sim/session.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_ROW (weir_cache_row_get_type ())
G_DECLARE_FINAL_TYPE (WeirCacheRow, weir_cache_row, WEIR, CACHE_ROW, GObject)

WeirCacheRow *weir_cache_row_new (WeirLayout *layout, guint entry);
guint weir_cache_row_get_entry (WeirCacheRow *self);
const char *weir_cache_row_get_title (WeirCacheRow *self); /* "plant.gain: y" */
const char *weir_cache_row_get_key (WeirCacheRow *self);   /* the same, folded for searching */
const char *weir_cache_row_get_block (WeirCacheRow *self); /* "plant.gain" */

G_END_DECLS
