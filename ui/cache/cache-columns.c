/* The columns of the cache table. See cache-columns.h. */
#include "cache/cache-columns.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cache/cache-figures.h"
#include "system/layout/sources.h"
#include "paint/scene/describe.h"

/* --- Rows ---------------------------------------------------------------------------------------
 */

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

/* --- Columns --------------------------------------------------------------------------------- */

/* How a column is shown, sorted and exported. */
typedef enum {
  SHOWS_TEXT,
  SHOWS_STATE,
  SHOWS_COUNT,
  SHOWS_RATE,
  SHOWS_TIME,
  SHOWS_SWITCH,
} Shows;

static gboolean
has_bit (const guint64 *bits, guint entry)
{
  return bits != NULL && ((bits[entry / 64] >> (entry % 64)) & 1);
}

/* --- What they count: FALSE if it is not known ----------------------------------------------- */

#define COUNTER(name, value)                                                                       \
  static gboolean get_##name (const WeirColumnData *data, guint entry, guint64 *count)             \
  {                                                                                                \
    const WeirCounters *counters = &data->snapshot->counters[entry];                               \
                                                                                                   \
    *count = (value);                                                                              \
    return TRUE;                                                                                   \
  }

COUNTER (hits, counters->hits)
COUNTER (misses, weir_cache_get_misses (counters))
COUNTER (first, counters->first)
COUNTER (stale, counters->stale)
COUNTER (disabled, counters->disabled)
COUNTER (invalidations, counters->invalidations)
COUNTER (serial, 1 + weir_cache_get_misses (counters))

static gboolean
get_unused (const WeirColumnData *data, guint entry, guint64 *count)
{
  return weir_cache_get_unused (data->snapshot, entry, count);
}

static gboolean
get_same (const WeirColumnData *data, guint entry, guint64 *count)
{
  *count = data->snapshot->same != NULL ? data->snapshot->same[entry] : 0;
  return data->snapshot->same != NULL;
}

static gboolean
get_event (const WeirColumnData *data, guint entry, guint64 *count)
{
  *count = data->last_events[entry];
  return *count > 0;
}

/* --- What takes time: ns --------------------------------------------------------------------- */

static double
get_mean (const WeirSnapshot *snapshot, guint entry)
{
  return (double) snapshot->mean_ns[entry];
}

/* --- What can be switched -------------------------------------------------------------------- */

static gboolean
is_cached (const WeirColumnData *data, guint entry)
{
  return !has_bit (data->snapshot->disabled, entry);
}

static gboolean
is_held (const WeirColumnData *data, guint entry)
{
  return has_bit (data->snapshot->held, entry);
}

static gboolean
has_breakpoint (const WeirColumnData *data, guint entry)
{
  return has_bit (data->breakpoints, entry);
}

/* --- The columns ----------------------------------------------------------------------------- */

static const struct {
  const char *id, *title, *tooltip;
  Shows shows;
  gboolean is_hidden_at_first;
  gboolean (*get_count) (const WeirColumnData *data, guint entry, guint64 *count);
  double (*get_time) (const WeirSnapshot *snapshot, guint entry);
  gboolean (*is_on) (const WeirColumnData *data, guint entry);
} columns[WEIR_N_COLUMNS] = {
  [WEIR_COLUMN_ENTRY] = { "entry", N_ ("Entry"),
                          N_ ("A value that the engine keeps: block and name"), SHOWS_TEXT, FALSE },
  [WEIR_COLUMN_KIND] = { "kind", N_ ("Kind"), N_ ("What the value is to its block"), SHOWS_TEXT,
                         TRUE },
  [WEIR_COLUMN_READS] = { "declared", N_ ("Depends On"),
                          N_ ("Prerequisites as the block declares them"), SHOWS_TEXT, TRUE },
  [WEIR_COLUMN_STATE] = { "state", N_ ("State"), N_ ("Whether the value may be used as it is"),
                          SHOWS_STATE, FALSE },
  [WEIR_COLUMN_HITS] = { "hits", N_ ("Hits"), N_ ("Requests answered from the cache"), SHOWS_COUNT,
                         FALSE, .get_count = get_hits },
  [WEIR_COLUMN_MISSES] = { "misses", N_ ("Computed"), N_ ("Requests that had to compute the value"),
                           SHOWS_COUNT, FALSE, .get_count = get_misses },
  [WEIR_COLUMN_FIRST] = { "first", N_ ("First Time"), N_ ("Computed as there was no value yet"),
                          SHOWS_COUNT, TRUE, .get_count = get_first },
  [WEIR_COLUMN_STALE] = { "stale", N_ ("Out of Date"), N_ ("Computed as the value was out of date"),
                          SHOWS_COUNT, TRUE, .get_count = get_stale },
  [WEIR_COLUMN_DISABLED] = { "uncached", N_ ("Uncached"), N_ ("Computed as caching was off"),
                             SHOWS_COUNT, TRUE, .get_count = get_disabled },
  [WEIR_COLUMN_SAME] = { "same_bytes", N_ ("In Vain"),
                         N_ ("Computations that gave the same bytes as before, and so were not "
                             "needed; known in a "
                             "change log of every evaluation"),
                         SHOWS_COUNT, TRUE, .get_count = get_same },
  [WEIR_COLUMN_RATE] = { "rate", N_ ("Hit Rate"), N_ ("Hits among all requests"), SHOWS_RATE,
                         FALSE },
  [WEIR_COLUMN_INVALIDATIONS] = { "invalidations", N_ ("Invalidations"),
                                  N_ ("Change events that reached the value"), SHOWS_COUNT, FALSE,
                                  .get_count = get_invalidations },
  [WEIR_COLUMN_UNUSED] = { "unused_invalidations", N_ ("Unused"),
                           N_ ("Those of them that found the value out of date already"),
                           SHOWS_COUNT, FALSE, .get_count = get_unused },
  [WEIR_COLUMN_MEAN] = { "mean_ns", N_ ("Mean Time"), N_ ("Time of one computation, from samples"),
                         SHOWS_TIME, FALSE, .get_time = get_mean },
  [WEIR_COLUMN_SPENT] = { "spent_ns", N_ ("Spent"),
                          N_ ("Time that all computations took: their number times their mean"),
                          SHOWS_TIME, TRUE, .get_time = weir_cache_get_spent_ns },
  [WEIR_COLUMN_SAVED] = { "saved_ns", N_ ("Saved"),
                          N_ ("Time that hits saved: their number times the mean"), SHOWS_TIME,
                          FALSE, .get_time = weir_cache_get_saved_ns },
  [WEIR_COLUMN_SERIAL] = { "serial", N_ ("Serial"),
                           N_ ("1 at first, one more with each computation"), SHOWS_COUNT, TRUE,
                           .get_count = get_serial },
  [WEIR_COLUMN_EVENT] = { "last_event", N_ ("Last Event"),
                          N_ ("Number of the change event that reached the value last"),
                          SHOWS_COUNT, FALSE, .get_count = get_event },
  [WEIR_COLUMN_CACHED] = { "cached", N_ ("Cached"),
                           N_ ("Switch off to compute the value at every request"), SHOWS_SWITCH,
                           FALSE, .is_on = is_cached },
  [WEIR_COLUMN_HELD] = { "frozen", N_ ("Held"),
                         N_ ("Switch on to pause the run before the value is computed again"),
                         SHOWS_SWITCH, FALSE, .is_on = is_held },
  [WEIR_COLUMN_BREAK] = { "break", N_ ("Break"),
                          N_ ("Switch on to pause the run when the value has been computed"),
                          SHOWS_SWITCH, FALSE, .is_on = has_breakpoint },
};

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
  return columns[column].shows == SHOWS_TEXT;
}

gboolean
weir_column_is_shown_at_first (WeirColumn column)
{
  return !columns[column].is_hidden_at_first;
}

/* --- What they say --------------------------------------------------------------------------- */

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
      g_autofree char *label = weir_layout_describe_ticket (layout, node,
                                                            (WeirTicket) { tickets[i] });

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  return g_string_free (text, FALSE);
}

static char *
dup_words (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);

  return column == WEIR_COLUMN_ENTRY  ? g_strdup (weir_cache_row_get_title (row))
         : column == WEIR_COLUMN_KIND ? g_strdup (
               kind_name (weir_layout_get_entry (data->layout, (WeirEntry) { entry }).kind))
                                      : dup_reads (data->layout, entry);
}

gboolean
weir_column_is_switch (WeirColumn column)
{
  return columns[column].shows == SHOWS_SWITCH;
}

gboolean
weir_column_is_on (WeirColumn column, const WeirColumnData *data, guint entry)
{
  return columns[column].is_on (data, entry);
}

char *
weir_column_dup_text (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);
  const WeirCounters *counters = &data->snapshot->counters[entry];
  guint64 count;

  switch (columns[column].shows)
    {
    case SHOWS_TEXT:
      return dup_words (column, data, row);
    case SHOWS_STATE:
      return g_strdup (weir_badge_get_name (weir_cache_get_badge (data->snapshot, entry)));
    case SHOWS_COUNT:
      return columns[column].get_count (data, entry, &count) ? weir_cache_format_count (count)
                                                             : g_strdup ("–");
    case SHOWS_RATE:
      return weir_cache_format_rate (counters->hits, weir_cache_get_misses (counters));
    case SHOWS_TIME:
      return weir_cache_format_time (columns[column].get_time (data->snapshot, entry));
    case SHOWS_SWITCH:
    default:
      return g_strdup (columns[column].is_on (data, entry) ? _ ("on") : _ ("off"));
    }
}

/* A number that says as much; NAN where nothing is known, or it is a text. */
static double
get_number (WeirColumn column, const WeirColumnData *data, guint entry)
{
  guint64 count;

  switch (columns[column].shows)
    {
    case SHOWS_STATE:
      return weir_cache_get_badge (data->snapshot, entry);
    case SHOWS_COUNT:
      return columns[column].get_count (data, entry, &count) ? (double) count : (double) NAN;
    case SHOWS_RATE:
      return weir_cache_get_rate (&data->snapshot->counters[entry]);
    case SHOWS_TIME:
      return columns[column].get_time (data->snapshot, entry);
    case SHOWS_SWITCH:
      return columns[column].is_on (data, entry) ? 1 : 0;
    case SHOWS_TEXT:
    default:
      return (double) NAN;
    }
}

double
weir_column_get_key (WeirColumn column, const WeirColumnData *data, guint entry)
{
  double number = get_number (column, data, entry);

  return isnan (number) ? -1 : number;
}

/* --- Export ---------------------------------------------------------------------------------- */

/* For other programs: plain digits, times in nanoseconds, "" where nothing is known. (transfer
 * full) */
static char *
dup_raw (WeirColumn column, const WeirColumnData *data, WeirCacheRow *row)
{
  guint entry = weir_cache_row_get_entry (row);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  guint64 count;
  double number;

  if (columns[column].shows == SHOWS_TEXT || columns[column].shows == SHOWS_STATE)
    return weir_column_dup_text (column, data, row);
  if (columns[column].shows == SHOWS_COUNT && columns[column].get_count (data, entry, &count))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, count); /* all digits, however many */
  number = get_number (column, data, entry);
  if (isnan (number) || (column == WEIR_COLUMN_MEAN && number <= 0))
    return g_strdup ("");
  return g_strdup (g_ascii_dtostr (digits, sizeof digits, number));
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
          g_autofree char *field = dup_raw (column, data, row);

          if (column > 0)
            g_string_append_c (text, ',');
          weir_csv_append_field (text, field);
        }
      g_string_append (text, "\r\n");
    }
  return g_string_free (text, FALSE);
}
