/* The figures of cache entries. See cache-figures.h. */
#include "cache/cache-figures.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"

static gboolean
has_bit (const guint64 *bits, guint i)
{
  return (bits[i / 64] >> (i % 64)) & 1;
}

guint64
weir_cache_get_misses (const WeirCounters *counters)
{
  return counters->first + counters->stale + counters->disabled;
}

double
weir_cache_get_rate (const WeirCounters *counters)
{
  guint64 requests = counters->hits + weir_cache_get_misses (counters);

  return requests == 0 ? (double) NAN : (double) counters->hits / (double) requests;
}

WeirBadge
weir_cache_get_badge (const WeirSnapshot *snapshot, guint entry)
{
  if (!snapshot->caching || has_bit (snapshot->disabled, entry))
    return WEIR_BADGE_DISABLED;
  if (weir_cache_get_misses (&snapshot->counters[entry]) == 0)
    return WEIR_BADGE_NEVER;
  if (has_bit (snapshot->flags, entry))
    return WEIR_BADGE_STALE;
  return snapshot->held != NULL && has_bit (snapshot->held, entry) ? WEIR_BADGE_HELD
                                                                   : WEIR_BADGE_FRESH;
}

gboolean
weir_cache_get_unused (const WeirSnapshot *snapshot, guint entry, guint64 *unused)
{
  const WeirCounters *counters = &snapshot->counters[entry];
  guint64 calculations = counters->first + counters->stale, used;

  *unused = 0;
  if (counters->disabled > 0 || !snapshot->caching || has_bit (snapshot->disabled, entry))
    return FALSE;
  /* Each calculation but one that still holds was put out of date by one event; the others came in
   * vain. */
  used = calculations - (calculations > 0 && !has_bit (snapshot->flags, entry) ? 1 : 0);
  *unused = counters->invalidations > used ? counters->invalidations - used : 0;
  return TRUE;
}

double
weir_cache_get_spent_ns (const WeirSnapshot *snapshot, guint entry)
{
  return (double) weir_cache_get_misses (&snapshot->counters[entry])
         * (double) snapshot->mean_ns[entry];
}

double
weir_cache_get_saved_ns (const WeirSnapshot *snapshot, guint entry)
{
  return (double) snapshot->counters[entry].hits * (double) snapshot->mean_ns[entry];
}

void
weir_cache_totals_add (WeirCacheTotals *totals, const WeirSnapshot *snapshot, guint entry)
{
  const WeirCounters *counters = &snapshot->counters[entry];

  totals->hits += counters->hits;
  totals->misses += weir_cache_get_misses (counters);
  totals->invalidations += counters->invalidations;
  totals->spent_ns += weir_cache_get_spent_ns (snapshot, entry);
  totals->saved_ns += weir_cache_get_saved_ns (snapshot, entry);
}

WeirCacheTotals
weir_cache_get_totals (const WeirSnapshot *snapshot)
{
  WeirCacheTotals totals = { 0 };

  for (guint e = 0; snapshot != NULL && snapshot->counters != NULL && e < snapshot->n_entries; e++)
    weir_cache_totals_add (&totals, snapshot, e);
  return totals;
}

/* --- As text --------------------------------------------------------------------------------- */

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
  return weir_text_group_digits (count);
}

char *
weir_cache_format_short (double count)
{
  static const char *const units[] = { "", " k", " M", " G", " T", " P" };
  guint unit = 0;

  for (; count >= 999.5 && unit + 1 < G_N_ELEMENTS (units); unit++)
    count /= 1000;
  return g_strdup_printf (unit > 0 && count < 9.95 ? "%.1f%s" : "%.0f%s", count, units[unit]);
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
  if (ns < 1e9)
    return g_strdup_printf (_ ("%.3g ms"), ns / 1e6);
  return g_strdup_printf (_ ("%.3g s"), ns / 1e9);
}
