/* Sentences about values and blocks. See cache-card.h. */
#include "cache/cache-card.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-figures.h"
#include "system/change/explain.h"

G_GNUC_PRINTF (2, 3) static void append_sentence (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append_c (text, '\n');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
append_requests (GString *text, const WeirCacheTotals *totals)
{
  g_autofree char *requests = weir_cache_format_count (totals->hits + totals->misses);
  g_autofree char *hits = weir_cache_format_count (totals->hits);
  g_autofree char *misses = weir_cache_format_count (totals->misses);
  g_autofree char *rate = weir_cache_format_rate (totals->hits, totals->misses);

  if (totals->hits + totals->misses > 0)
    append_sentence (text, _ ("Asked for %s times: %s answered from the cache (%s), %s computed."),
                     requests, hits, rate, misses);
}

/* Of those after the first. */
static void
append_same (GString *text, const WeirSnapshot *snapshot, guint entry)
{
  const WeirCounters *counters = &snapshot->counters[entry];
  guint64 n = counters->stale + counters->disabled;
  g_autofree char *count = NULL, *share = NULL;

  if (snapshot->same == NULL || n == 0)
    return;
  count = weir_cache_format_count (snapshot->same[entry]);
  share = weir_cache_format_rate (snapshot->same[entry], n - MIN (snapshot->same[entry], n));
  /* Translators: a number of computations, and how many per cent of all but the first. */
  append_sentence (text, _ ("%s of them anew with the same bytes as before (%s)."), count, share);
}

/* "&lt; 1 ns" */
static char *
dup_time_markup (double ns)
{
  g_autofree char *text = weir_cache_format_time (ns);

  return g_markup_escape_text (text, -1);
}

/* Means of less than a nanosecond say nothing, however often they are added. */
static void
append_times (GString *text, const WeirCacheTotals *totals)
{
  g_autofree char *spent = dup_time_markup (totals->spent_ns);
  g_autofree char *saved = dup_time_markup (totals->saved_ns);

  if (totals->spent_ns < (double) totals->misses)
    return;
  if (totals->saved_ns > 0)
    append_sentence (text, _ ("Computing took %s; the cache saved %s."), spent, saved);
  else if (totals->spent_ns > 0)
    append_sentence (text, _ ("Computing took %s."), spent);
}

static const char *
state_sentence (WeirBadge badge)
{
  switch (badge)
    {
    case WEIR_BADGE_FRESH:
      return _ ("is up to date");
    case WEIR_BADGE_STALE:
      return _ ("is out of date");
    case WEIR_BADGE_DISABLED:
      return _ ("is not cached: it is computed at each request");
    case WEIR_BADGE_HELD:
      return _ ("is up to date and held: the run pauses before it is computed again");
    case WEIR_BADGE_NEVER:
    case WEIR_BADGE_NONE:
    case WEIR_BADGE_COMPUTING:
    case WEIR_BADGE_FAULT:
    case WEIR_N_BADGES:
    default:
      return _ ("has never been computed: nobody has asked for it");
    }
}

char *
weir_cache_card_of_entry (WeirCacheModel *model, WeirEntry entry)
{
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (model);
  const WeirFlags *flags = weir_cache_model_get_flags (model, snapshot);
  g_autofree char *title = weir_cache_model_dup_entry_title (model, entry);
  g_autofree char *escaped = g_markup_escape_text (title, -1);
  GString *text = g_string_new (NULL);
  WeirCacheTotals totals = { 0 };
  WeirWhy why;

  append_sentence (text, "<b>%s</b> %s.", escaped,
                   state_sentence (snapshot != NULL ? weir_cache_get_badge (snapshot, entry.i)
                                                    : WEIR_BADGE_NEVER));
  if (snapshot == NULL)
    return g_string_free (text, FALSE);
  why = weir_explain_why (weir_cache_model_get_explainer (model), entry, flags);
  if (why.event > 0)
    {
      g_autofree char *number = weir_cache_format_count (why.event);
      g_autofree char *source = weir_cache_model_dup_source_title (model, why.source);
      g_autofree char *source_escaped = g_markup_escape_text (source, -1);

      append_sentence (text, _ ("Last reached by event %s, which changed <i>%s</i>."), number,
                       source_escaped);
    }
  weir_why_clear (&why);
  weir_cache_totals_add (&totals, snapshot, entry.i);
  append_requests (text, &totals);
  append_same (text, snapshot, entry.i);
  if (snapshot->mean_ns[entry.i] > 0)
    {
      g_autofree char *mean = dup_time_markup ((double) snapshot->mean_ns[entry.i]);

      append_sentence (text, _ ("One computation takes %s."), mean);
    }
  append_times (text, &totals);
  return g_string_free (text, FALSE);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static gboolean
is_within (const WeirLayout *layout, WeirNode node, WeirNode around)
{
  while (node.i != around.i && node.i != WEIR_NO_INDEX)
    node = weir_layout_get_parent (layout, node);
  return node.i == around.i;
}

char *
weir_cache_card_of_block (WeirCacheModel *model, guint32 block)
{
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (model);
  WeirLayout *layout = weir_cache_model_get_layout (model);
  g_autofree char *title = NULL, *escaped = NULL;
  WeirCacheTotals totals = { 0 };
  guint n_of[WEIR_N_BADGES] = { 0 }, n = 0;
  GString *text;
  WeirNode node;

  if (layout == NULL || !weir_cache_model_find_node (model, block, &node))
    return NULL;
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    if (is_within (layout, weir_layout_get_entry (layout, (WeirEntry) { e }).node, node))
      {
        n++;
        n_of[snapshot != NULL ? weir_cache_get_badge (snapshot, e) : WEIR_BADGE_NEVER]++;
        if (snapshot != NULL)
          weir_cache_totals_add (&totals, snapshot, e);
      }
  if (n == 0)
    return NULL;
  title = weir_cache_model_dup_node_title (model, node);
  escaped = g_markup_escape_text (title, -1);
  text = g_string_new (NULL);
  append_sentence (text, ngettext ("<b>%s</b> keeps %u value.", "<b>%s</b> keeps %u values.", n),
                   escaped, n);
  if (n_of[WEIR_BADGE_DISABLED] > 0)
    append_sentence (text, _ ("%u up to date, %u out of date, %u never computed, %u not cached."),
                     n_of[WEIR_BADGE_FRESH], n_of[WEIR_BADGE_STALE], n_of[WEIR_BADGE_NEVER],
                     n_of[WEIR_BADGE_DISABLED]);
  else
    append_sentence (text, _ ("%u up to date, %u out of date, %u never computed."),
                     n_of[WEIR_BADGE_FRESH], n_of[WEIR_BADGE_STALE], n_of[WEIR_BADGE_NEVER]);
  append_requests (text, &totals);
  append_times (text, &totals);
  return g_string_free (text, FALSE);
}

/* --- Ports ----------------------------------------------------------------------------------- */

/* The nearest entry upstream of an input: what drives it, through nesting. */
static gboolean
find_driver (WeirCacheModel *model, WeirNode node, WeirInput in, WeirEntry *entry)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (model);
  const WeirWalk *walk = weir_explainer_get_walk (explainer);
  guint32 tracker = weir_walk_get_input_tracker (walk, node, in);

  for (;;)
    {
      guint n, next = G_MAXUINT32;
      const guint32 *up = weir_walk_get_prerequisites (walk, tracker, &n);

      if (weir_walk_get_entry (walk, tracker, entry))
        return TRUE;
      for (guint k = 0; k < n; k++)
        {
          WeirNode at;
          WeirTicket ticket;

          weir_walk_locate (walk, up[k], &at, &ticket);
          if (ticket.i != WEIR_TICKET_END) /* not the value that it may be fixed to */
            next = next == G_MAXUINT32 ? up[k] : G_MAXUINT32 - 1;
        }
      if (next >= G_MAXUINT32 - 1)
        return FALSE;
      tracker = next;
    }
}

gboolean
weir_cache_find_port_entry (WeirCacheModel *model, guint32 block, const char *port,
                            gboolean is_output, WeirEntry *entry)
{
  WeirLayout *layout = weir_cache_model_get_layout (model);
  WeirNode node;
  WeirInput in;
  WeirOutput out;

  if (layout == NULL || port == NULL || !weir_cache_model_find_node (model, block, &node))
    return FALSE;
  if (is_output)
    return weir_layout_find_output (layout, node, port, &out)
           && weir_layout_find_output_entry (layout, node, out, entry);
  return weir_layout_find_input (layout, node, port, &in) && find_driver (model, node, in, entry);
}

char *
weir_cache_card_of_port (WeirCacheModel *model, guint32 block, const char *port, gboolean is_output)
{
  WeirEntry entry;

  return weir_cache_find_port_entry (model, block, port, is_output, &entry)
             ? weir_cache_card_of_entry (model, entry)
             : NULL;
}

/* --- Causes and changes ---------------------------------------------------------------------- */

char *
weir_cache_describe_why (WeirCacheModel *model, WeirEntry entry, const WeirWhy *why)
{
  g_autofree char *title = weir_cache_model_dup_entry_title (model, entry);
  g_autofree char *event = weir_cache_format_count (why->event);
  g_autofree char *source = NULL;

  if (why->event == 0)
    {
      if (why->condition == WEIR_CONDITION_NEVER_COMPUTED)
        return g_strdup_printf (_ ("%s has never been computed: nobody has asked for it."), title);
      if (why->condition == WEIR_CONDITION_UP_TO_DATE)
        return g_strdup_printf (
            _ ("%s is up to date: no change has reached it since it was computed."), title);
      return g_strdup_printf (_ ("%s: no earlier change event is known."), title);
    }
  source = weir_cache_model_dup_source_title (model, why->source);
  switch (why->condition)
    {
    case WEIR_CONDITION_UP_TO_DATE:
      return g_strdup_printf (_ ("%s is up to date: it was asked for and computed again after "
                                 "event %s had changed %s."),
                              title, event, source);
    case WEIR_CONDITION_DISABLED:
      return g_strdup_printf (
          _ ("%s is not cached: it is computed at each request. Event %s changed %s."), title,
          event, source);
    case WEIR_CONDITION_NEVER_COMPUTED:
      return g_strdup_printf (
          _ ("%s has never been computed: nobody has asked for it. Event %s changed %s."), title,
          event, source);
    case WEIR_CONDITION_OUT_OF_DATE:
    case WEIR_CONDITION_NONE:
    default:
      return g_strdup_printf (
          _ ("%s is out of date: event %s changed %s, and nobody has asked for it since."), title,
          event, source);
    }
}

WeirChangeTotals
weir_cache_total_change (WeirCacheModel *model, const GArray *steps, const WeirSnapshot *snapshot)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (model));
  WeirChangeTotals totals = { .n_trackers = steps->len };

  for (guint i = 0; i < steps->len; i++)
    {
      const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);
      WeirEntry entry;

      if (!weir_walk_get_entry (walk, step->tracker, &entry))
        continue;
      totals.n_entries++;
      if (step->condition != WEIR_CONDITION_UP_TO_DATE)
        continue;
      totals.n_fresh++;
      if (snapshot != NULL)
        totals.ns += (double) snapshot->mean_ns[entry.i];
    }
  return totals;
}

char *
weir_cache_describe_change (WeirCacheModel *model, const char *what, const GArray *steps,
                            const WeirSnapshot *snapshot)
{
  WeirChangeTotals totals = weir_cache_total_change (model, steps, snapshot);
  g_autofree char *trackers = g_strdup_printf (
      ngettext ("%u tracker", "%u trackers", totals.n_trackers), totals.n_trackers);
  g_autofree char *values = g_strdup_printf (ngettext ("%u value", "%u values", totals.n_entries),
                                             totals.n_entries);
  g_autofree char *time = weir_cache_format_time (totals.ns);

  if (totals.n_entries == 0)
    return g_strdup_printf (_ ("Changing %s would put nothing out of date."), what);
  if (snapshot == NULL)
    return g_strdup_printf (_ ("Changing %s would reach %s, %s."), what, trackers, values);
  if (totals.ns > 0)
    return g_strdup_printf (_ ("Changing %s would reach %s, %s; %u up to date would go out of "
                               "date, %s to compute again."),
                            what, trackers, values, totals.n_fresh, time);
  return g_strdup_printf (_ ("Changing %s would reach %s, %s; %u up to date would go out of date."),
                          what, trackers, values, totals.n_fresh);
}
