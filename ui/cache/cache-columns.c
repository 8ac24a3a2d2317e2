/* The columns of the cache table. See cache-columns.h. */
#include "cache/cache-columns.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cache/cache-figures.h"
#include "system/sources.h"

static const struct {
  const char *id, *title, *tooltip;
  gboolean is_text, is_hidden_at_first;
} columns[WEIR_N_COLUMNS] = {
  [WEIR_COLUMN_ENTRY]
  = { "entry", N_ ("Entry"), N_ ("A value that the engine keeps: block and name"), TRUE, FALSE },
  [WEIR_COLUMN_KIND] = { "kind", N_ ("Kind"), N_ ("What the value is to its block"), TRUE, TRUE },
  [WEIR_COLUMN_READS]
  = { "declared", N_ ("Depends On"), N_ ("Prerequisites as the block declares them"), TRUE, TRUE },
  [WEIR_COLUMN_STATE]
  = { "state", N_ ("State"), N_ ("Whether the value may be used as it is"), FALSE, FALSE },
  [WEIR_COLUMN_HITS] = { "hits", N_ ("Hits"), N_ ("Requests answered from the cache"), FALSE, FALSE },
  [WEIR_COLUMN_MISSES]
  = { "misses", N_ ("Misses"), N_ ("Requests that had to compute the value"), FALSE, FALSE },
  [WEIR_COLUMN_FIRST]
  = { "first", N_ ("First"), N_ ("Computed as there was no value yet"), FALSE, TRUE },
  [WEIR_COLUMN_STALE]
  = { "stale", N_ ("Stale"), N_ ("Computed as the value was out of date"), FALSE, TRUE },
  [WEIR_COLUMN_DISABLED]
  = { "uncached", N_ ("Uncached"), N_ ("Computed as caching was off"), FALSE, TRUE },
  [WEIR_COLUMN_RATE] = { "rate", N_ ("Hit Rate"), N_ ("Hits among all requests"), FALSE, FALSE },
  [WEIR_COLUMN_INVALIDATIONS]
  = { "invalidations", N_ ("Invalidations"), N_ ("Change events that reached the value"), FALSE, FALSE },
  [WEIR_COLUMN_UNUSED] = { "unused_invalidations", N_ ("Unused"),
                           N_ ("Those of them that found the value out of date already"), FALSE, FALSE },
  [WEIR_COLUMN_MEAN]
  = { "mean_ns", N_ ("Mean Time"), N_ ("Time of one computation, from samples"), FALSE, FALSE },
  [WEIR_COLUMN_SPENT]
  = { "spent_ns", N_ ("Spent"), N_ ("Time that all computations took: their number times their mean"),
      FALSE, TRUE },
  [WEIR_COLUMN_SAVED]
  = { "saved_ns", N_ ("Saved"), N_ ("Time that hits saved: their number times the mean"), FALSE, FALSE },
  [WEIR_COLUMN_SERIAL]
  = { "serial", N_ ("Serial"), N_ ("1 at first, one more with each computation"), FALSE, TRUE },
  [WEIR_COLUMN_EVENT]
  = { "last_event", N_ ("Last Event"), N_ ("Number of the change event that reached the value last"), FALSE,
      FALSE },
  [WEIR_COLUMN_CACHED]
  = { "cached", N_ ("Cached"), N_ ("Switch off to compute the value at every request"), FALSE, FALSE },
};

const char *
weir_column_get_id (WeirColumn column)
{
  return columns[column].id;
}

const char *
weir_column_get_title (WeirColumn column)
{
  return _ (columns[column].title);
}

const char *
weir_column_get_tooltip (WeirColumn column)
{
  return _ (columns[column].tooltip);
}

gboolean
weir_column_is_text (WeirColumn column)
{
  return columns[column].is_text;
}

gboolean
weir_column_is_shown_at_first (WeirColumn column)
{
  return !columns[column].is_hidden_at_first;
}

/* --- What they say ----------------------------------------------------------------------------------------- */

static const char *
kind_name (WeirEntryKind kind)
{
  switch (kind)
    {
    case WEIR_ENTRY_CACHE:
      return _ ("intermediate value");
    case WEIR_ENTRY_OUTPUT:
      return _ ("output");
    case WEIR_ENTRY_DERIVATIVES:
      return _ ("time derivatives");
    case WEIR_ENTRY_ENERGY:
      return _ ("energy or power");
    case WEIR_ENTRY_UPDATE:
      return _ ("discrete update");
    case WEIR_N_ENTRY_KINDS:
    default:
      return "";
    }
}

/* "input u, parameter gain" */
static char *
dup_reads (WeirLayout *layout, guint entry)
{
  WeirNode node = weir_layout_get_entry (layout, (WeirEntry) { entry }).node;
  GString *text = g_string_new (NULL);
  const guint16 *tickets;
  guint n = weir_layout_get_declared (layout, (WeirEntry) { entry }, &tickets);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = weir_layout_dup_ticket_label (layout, node, (WeirTicket) { tickets[i] });

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  return g_string_free (text, FALSE);
}

static gboolean
is_disabled (const WeirSnapshot *snapshot, guint entry)
{
  return (snapshot->disabled[entry / 64] >> (entry % 64)) & 1;
}

/* Counts, by column; FALSE if it is no count or not known. */
static gboolean
get_count (WeirColumn column, const WeirColumnData *data, guint entry, guint64 *count)
{
  const WeirCounters *counters = &data->snapshot->counters[entry];

  switch (column)
    {
    case WEIR_COLUMN_HITS:
      *count = counters->hits;
      return TRUE;
    case WEIR_COLUMN_MISSES:
      *count = weir_cache_get_misses (counters);
      return TRUE;
    case WEIR_COLUMN_FIRST:
      *count = counters->first;
      return TRUE;
    case WEIR_COLUMN_STALE:
      *count = counters->stale;
      return TRUE;
    case WEIR_COLUMN_DISABLED:
      *count = counters->disabled;
      return TRUE;
    case WEIR_COLUMN_INVALIDATIONS:
      *count = counters->invalidations;
      return TRUE;
    case WEIR_COLUMN_UNUSED:
      return weir_cache_get_unused (data->snapshot, entry, count);
    case WEIR_COLUMN_SERIAL:
      *count = 1 + weir_cache_get_misses (counters);
      return TRUE;
    case WEIR_COLUMN_EVENT:
      *count = data->last_events[entry];
      return *count > 0;
    case WEIR_COLUMN_ENTRY:
    case WEIR_COLUMN_KIND:
    case WEIR_COLUMN_READS:
    case WEIR_COLUMN_STATE:
    case WEIR_COLUMN_RATE:
    case WEIR_COLUMN_MEAN:
    case WEIR_COLUMN_SPENT:
    case WEIR_COLUMN_SAVED:
    case WEIR_COLUMN_CACHED:
    case WEIR_N_COLUMNS:
    default:
      return FALSE;
    }
}

static double
get_time (WeirColumn column, const WeirSnapshot *snapshot, guint entry)
{
  return column == WEIR_COLUMN_MEAN    ? (double) snapshot->mean_ns[entry]
         : column == WEIR_COLUMN_SPENT ? weir_cache_get_spent_ns (snapshot, entry)
                                       : weir_cache_get_saved_ns (snapshot, entry);
}

static char *
dup_words (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);

  return column == WEIR_COLUMN_ENTRY ? g_strdup (weir_cache_row_get_title (row))
         : column == WEIR_COLUMN_KIND
             ? g_strdup (kind_name (weir_layout_get_entry (data->layout, (WeirEntry) { entry }).kind))
             : dup_reads (data->layout, entry);
}

char *
weir_column_dup_text (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);
  guint64 count;

  if (columns[column].is_text)
    return dup_words (column, data, row);
  switch (column)
    {
    case WEIR_COLUMN_STATE:
      return g_strdup (weir_badge_get_name (weir_cache_get_badge (data->snapshot, entry)));
    case WEIR_COLUMN_RATE:
      return weir_cache_format_rate (data->snapshot->counters[entry].hits,
                                     weir_cache_get_misses (&data->snapshot->counters[entry]));
    case WEIR_COLUMN_MEAN:
    case WEIR_COLUMN_SPENT:
    case WEIR_COLUMN_SAVED:
      return weir_cache_format_time (get_time (column, data->snapshot, entry));
    case WEIR_COLUMN_CACHED:
      return g_strdup (is_disabled (data->snapshot, entry) ? _ ("off") : _ ("on"));
    case WEIR_COLUMN_ENTRY:
    case WEIR_COLUMN_KIND:
    case WEIR_COLUMN_READS:
    case WEIR_COLUMN_HITS:
    case WEIR_COLUMN_MISSES:
    case WEIR_COLUMN_FIRST:
    case WEIR_COLUMN_STALE:
    case WEIR_COLUMN_DISABLED:
    case WEIR_COLUMN_INVALIDATIONS:
    case WEIR_COLUMN_UNUSED:
    case WEIR_COLUMN_SERIAL:
    case WEIR_COLUMN_EVENT:
    case WEIR_N_COLUMNS:
    default:
      return get_count (column, data, entry, &count) ? weir_cache_format_count (count) : g_strdup ("–");
    }
}

double
weir_column_get_key (WeirColumn column, const WeirColumnData *data, guint entry)
{
  double rate;
  guint64 count;

  switch (column)
    {
    case WEIR_COLUMN_STATE:
      return weir_cache_get_badge (data->snapshot, entry);
    case WEIR_COLUMN_RATE:
      rate = weir_cache_get_rate (&data->snapshot->counters[entry]);
      return isnan (rate) ? -1 : rate;
    case WEIR_COLUMN_MEAN:
    case WEIR_COLUMN_SPENT:
    case WEIR_COLUMN_SAVED:
      return get_time (column, data->snapshot, entry);
    case WEIR_COLUMN_CACHED:
      return is_disabled (data->snapshot, entry);
    case WEIR_COLUMN_ENTRY:
    case WEIR_COLUMN_KIND:
    case WEIR_COLUMN_READS:
    case WEIR_COLUMN_HITS:
    case WEIR_COLUMN_MISSES:
    case WEIR_COLUMN_FIRST:
    case WEIR_COLUMN_STALE:
    case WEIR_COLUMN_DISABLED:
    case WEIR_COLUMN_INVALIDATIONS:
    case WEIR_COLUMN_UNUSED:
    case WEIR_COLUMN_SERIAL:
    case WEIR_COLUMN_EVENT:
    case WEIR_N_COLUMNS:
    default:
      return get_count (column, data, entry, &count) ? (double) count : -1;
    }
}

/* --- Export --------------------------------------------------------------------------------------------------- */

char *
weir_column_dup_raw (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  guint64 count;
  double number;

  if (columns[column].is_text)
    return dup_words (column, data, row);
  if (column == WEIR_COLUMN_STATE)
    return weir_column_dup_text (column, data, row);
  if (column == WEIR_COLUMN_CACHED)
    return g_strdup (is_disabled (data->snapshot, entry) ? "0" : "1");
  if (get_count (column, data, entry, &count))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  number = column == WEIR_COLUMN_RATE ? weir_cache_get_rate (&data->snapshot->counters[entry])
           : column == WEIR_COLUMN_MEAN || column == WEIR_COLUMN_SPENT || column == WEIR_COLUMN_SAVED
               ? get_time (column, data->snapshot, entry)
               : (double) NAN;
  if (isnan (number) || (column == WEIR_COLUMN_MEAN && number <= 0))
    return g_strdup ("");
  return g_strdup (g_ascii_dtostr (digits, sizeof digits, number));
}

static void
append_field (GString *text, const char *field)
{
  if (strpbrk (field, ",\"\r\n") == NULL)
    {
      g_string_append (text, field);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *c = field; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

char *
weir_columns_to_csv (const WeirColumnData *data, GListModel *rows)
{
  GString *text = g_string_new (NULL);

  for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
    g_string_append_printf (text, "%s%s", column > 0 ? "," : "", columns[column].id);
  g_string_append (text, "\r\n");
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (WeirCacheRow) row = g_list_model_get_item (rows, i);

      for (WeirColumn column = 0; column < WEIR_N_COLUMNS; column++)
        {
          g_autofree char *field = weir_column_dup_raw (column, data, row);

          if (column > 0)
            g_string_append_c (text, ',');
          append_field (text, field);
        }
      g_string_append (text, "\r\n");
    }
  return g_string_free (text, FALSE);
}
