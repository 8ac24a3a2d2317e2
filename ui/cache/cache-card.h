/* What is known about a value or a block, in sentences: for hover cards and the panel that
 * explains.
 *
 * All give Pango markup. (transfer full) Thread: *main*.
 */
#pragma once

#include "cache/cache-model.h"

G_BEGIN_DECLS

/* One value: its state, the event that reached it last, requests, time. */
char *weir_cache_card_of_entry (WeirCacheModel *model, WeirEntry entry);
/* All values of a block and what is within it, together; NULL if there are none. */
char *weir_cache_card_of_block (WeirCacheModel *model, guint32 block);
/* Of an output its value, of an input what it is given; NULL where there is no entry behind it. */
char *weir_cache_card_of_port (WeirCacheModel *model, guint32 block, const char *port,
                               gboolean is_output);

/* The entry that a port shows, an input by what drives it. */
gboolean weir_cache_find_port_entry (WeirCacheModel *model, guint32 block, const char *port,
                                     gboolean is_output, WeirEntry *entry);

/* "Gain: y is out of date: event 12 changed Gain: parameter gain." in plain text.
 * (transfer full) */
char *weir_cache_describe_why (WeirCacheModel *model, WeirEntry entry, const WeirWhy *why);
/* "Changing Gain: parameter gain reaches 37 trackers, 21 values; 14 of them are fresh, 96 µs to
 * compute again." in plain text. (transfer full) */
char *weir_cache_describe_change (WeirCacheModel *model, const char *what, const GArray *steps,
                                  const WeirSnapshot *snapshot);

/* What a list of steps comes to. */
typedef struct {
  guint n_trackers, n_entries, n_fresh;
  double ns; /* to compute the fresh ones again; times not sampled count nothing */
} WeirChangeTotals;

WeirChangeTotals weir_cache_total_change (WeirCacheModel *model, const GArray *steps,
                                          const WeirSnapshot *snapshot);

G_END_DECLS
