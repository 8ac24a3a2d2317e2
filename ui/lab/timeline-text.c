/* What happened in a log, in words. See timeline-text.h. */
#include "lab/timeline-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "paint/scene/describe.h"

#define MAX_LINES 1000

static void
line_clear (gpointer data)
{
  WeirTimelineLine *line = data;

  g_free (line->text);
  g_free (line->path);
}

GArray *
weir_timeline_lines_new (void)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (WeirTimelineLine));

  g_array_set_clear_func (lines, line_clear);
  return lines;
}

/* Takes over both. */
static void
add_line (GArray *lines, char *text, char *path)
{
  WeirTimelineLine line = { text, path };

  g_array_append_val (lines, line);
}

static gboolean
is_full (GArray *lines, guint n_left)
{
  if (lines->len < MAX_LINES)
    return FALSE;
  add_line (lines, g_strdup_printf (_ ("… and %u more"), n_left), NULL);
  return TRUE;
}

static const WeirLogRecord *
get_record (WeirPlayback *playback, gsize index)
{
  gsize n;

  return &weir_trace_get_records (weir_playback_get_trace (playback), &n)[index];
}

/* Sentences take numbers as texts, for messages to translate hold no macros. */
char *
weir_timeline_format (guint64 count)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, count);
}

/* --- Sentences ------------------------------------------------------------------------------- */

/* "time, Gain.gain" of the parts of a joint change. */
static char *
list_parts (WeirPlayback *playback, gsize index)
{
  gsize first = index;
  GString *text = g_string_new (NULL);

  while (first > 0 && get_record (playback, first - 1)->kind == WEIR_LOG_PART)
    first--;
  for (; first < index; first++)
    g_string_append_printf (
        text, "%s%s", text->len > 0 ? ", " : "",
        weir_playback_get_source_name (playback, get_record (playback, first)->subject));
  return g_string_free (text, FALSE);
}

static char *
describe_event (WeirPlayback *playback, gsize index, const char *what)
{
  guint32 n = weir_scrubber_get_amounts (weir_playback_get_scrubber (playback))[index];

  if (n == 0)
    return g_strdup_printf (_ ("%s changed; nothing was up to date that depends on it."), what);
  return g_strdup_printf (ngettext ("%s changed; %u value newly out of date.",
                                    "%s changed; %u values newly out of date.", n),
                          what, n);
}

static char *
describe_request (WeirPlayback *playback, gsize index, const char *what)
{
  guint32 n = weir_scrubber_get_amounts (weir_playback_get_scrubber (playback))[index];

  if (n == 0)
    return g_strdup_printf (_ ("%s was asked for, and up to date."), what);
  return g_strdup_printf (
      ngettext ("%s was asked for; %u value computed.", "%s was asked for; %u values computed.", n),
      what, n);
}

static char *
describe_what (WeirPlayback *playback, gsize index)
{
  const WeirLogRecord *record = get_record (playback, index);
  g_autofree char *parts = NULL;

  switch ((WeirLogKind) record->kind)
    {
    case WEIR_LOG_EVENT:
      return describe_event (playback, index,
                             weir_playback_get_source_name (playback, record->subject));
    case WEIR_LOG_JOINT:
      parts = list_parts (playback, index);
      return describe_event (playback, index, parts);
    case WEIR_LOG_REQUEST:
      return describe_request (playback, index,
                               weir_playback_get_entry_name (playback, record->subject));
    case WEIR_LOG_CALCULATION:
      return g_strdup_printf (_ ("%s was calculated beside the cache."),
                              weir_playback_get_entry_name (playback, record->subject));
    case WEIR_LOG_ALL_OUT_OF_DATE:
      return g_strdup (_ ("Everything was put out of date, as caching is off."));
    case WEIR_LOG_MARK:
      return g_strdup_printf (record->detail == 1 ? _ ("%s was marked up to date from outside.")
                                                  : _ ("%s was marked out of date from outside."),
                              weir_playback_get_entry_name (playback, record->subject));
    case WEIR_LOG_WRITE:
      return g_strdup_printf (_ ("%s was written from outside."),
                              weir_playback_get_entry_name (playback, record->subject));
    case WEIR_LOG_ENTRY_CACHING:
      return g_strdup_printf (record->detail == 1 ? _ ("Caching of %s was switched on.")
                                                  : _ ("Caching of %s was switched off."),
                              weir_playback_get_entry_name (playback, record->subject));
    case WEIR_LOG_CACHING:
      return g_strdup (record->detail == 1 ? _ ("Caching was switched on.")
                                           : _ ("Caching was switched off."));
    case WEIR_LOG_RESTORED:
      return g_strdup (_ ("Everything was replaced by what had been saved."));
    case WEIR_LOG_PART:
    case WEIR_LOG_NESTED:
    case WEIR_LOG_DEMAND:
    case WEIR_LOG_FAILED:
    case WEIR_LOG_EVALUATED:
    case WEIR_LOG_READ:
    case WEIR_LOG_MEMBER:
    case WEIR_LOG_TRY:
    case WEIR_LOG_N_KINDS:
    default:
      return g_strdup (""); /* none by itself */
    }
}

char *
weir_timeline_describe_record (WeirPlayback *playback, gsize index)
{
  const WeirLogRecord *record = get_record (playback, index);
  const char *phase = weir_timeline_get_phase_title (record->phase);
  g_autofree char *what = describe_what (playback, index);
  g_autofree char *number = weir_timeline_format (record->number);

  if (record->kind == WEIR_LOG_EVENT || record->kind == WEIR_LOG_JOINT)
    return g_strdup_printf (
        _ ("Event %s · %s · t = %g s\n%s%s"), number, phase, record->time, what,
        (record->flags & WEIR_LOG_FLAG_LEFT_TRIAL) != 0 ? _ (" The solver’s trial was left.") : "");
  return g_strdup_printf (_ ("After event %s · %s · t = %g s\n%s"), number, phase, record->time,
                          what);
}

char *
weir_timeline_describe_moment (WeirPlayback *playback, gsize index)
{
  const WeirLogRecord *record = get_record (playback, index);
  g_autofree char *number = weir_timeline_format (record->number), *first = NULL;

  /* Counters begin with the log, which need not be the run's beginning. */
  if (weir_trace_get_n_lost (weir_playback_get_trace (playback)) == 0
      && get_record (playback, 0)->number <= 1)
    return g_strdup_printf (_ ("As of event %s, t = %g s"), number, record->time);
  first = weir_timeline_format (get_record (playback, 0)->number);
  return g_strdup_printf (_ ("As of event %s, t = %g s; counted since event %s"), number,
                          record->time, first);
}

char *
weir_timeline_describe_range (WeirPlayback *playback, gsize first, gsize end)
{
  const WeirLogRecord *a = get_record (playback, first);
  const WeirLogRecord *b = get_record (
      playback, weir_scrubber_get_whole (weir_playback_get_scrubber (playback), end - 1));
  g_autofree char *from = weir_timeline_format (a->number), *to = weir_timeline_format (b->number);

  return g_strdup_printf (_ ("Events %s to %s, t = %g to %g s"), from, to, a->time, b->time);
}

/* @time: us */
static char *
format_duration (double time)
{
  g_autofree char *number = g_strdup_printf ("%.3g", time < 1e3   ? time
                                                     : time < 1e6 ? time / 1e3
                                                                  : time / 1e6);

  return g_strdup_printf (time < 1e3 ? _ ("%s µs") : time < 1e6 ? _ ("%s ms") : _ ("%s s"), number);
}

char *
weir_timeline_describe_step (WeirPlayback *playback, const WeirLogStep *step)
{
  const char *name = weir_playback_get_system_name (playback, step->node);
  g_autofree char *took = format_duration ((double) (step->done_at - step->begin_at));

  if (step->thread == 0)
    /* Translators: a unit's step: its name, simulated times, how long it took. */
    return g_strdup_printf (_ ("%s on the run’s own thread: t = %g to %g s, %s"), name, step->t,
                            step->t_end, took);
  /* Translators: a unit's step: its name, number of the thread, simulated times, how long it took.
   */
  return g_strdup_printf (_ ("%s on thread %u: t = %g to %g s, %s"), name, step->thread, step->t,
                          step->t_end, took);
}

/* --- Lists ----------------------------------------------------------------------------------- */

static const char *
describe_heard (WeirHeard heard)
{
  switch (heard)
    {
    case WEIR_HEARD_CHANGED:
      return _ ("changed");
    case WEIR_HEARD_MADE_OUT_OF_DATE:
      return _ ("newly out of date");
    case WEIR_HEARD_WAS_OUT_OF_DATE:
      return _ ("was out of date already");
    case WEIR_HEARD_DISABLED:
      return _ ("not cached");
    case WEIR_HEARD_NO_VALUE:
      return _ ("passes on");
    case WEIR_HEARD_SEEN:
      return _ ("had heard of it");
    case WEIR_N_HEARD:
    default:
      g_return_val_if_reached ("");
    }
}

/* Shape as well as words: what is newly out of date stands out. */
static const char *
get_sign (WeirHeard heard)
{
  static const char *const signs[] = {
    [WEIR_HEARD_CHANGED] = "▼",         [WEIR_HEARD_MADE_OUT_OF_DATE] = "◐",
    [WEIR_HEARD_WAS_OUT_OF_DATE] = "○", [WEIR_HEARD_DISABLED] = "⊘",
    [WEIR_HEARD_NO_VALUE] = "·",        [WEIR_HEARD_SEEN] = "↩",
  };

  return signs[heard];
}

static void
list_notifications (WeirPlayback *playback, gsize index, GArray *lines)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  g_autoptr (GArray)
      list = weir_scrubber_list_notifications (weir_playback_get_scrubber (playback), index, NULL);

  for (guint i = 0; list != NULL && i < list->len && !is_full (lines, list->len - i); i++)
    {
      const WeirNotification *n = &g_array_index (list, WeirNotification, i);
      guint32 system = weir_trace_get_tracker_system (trace, n->to);
      char *path = weir_trace_dup_path (trace, system);
      const char *name = weir_trace_get_tracker_name (trace, n->to);

      g_autofree char *title = weir_describe_path (path);

      add_line (lines,
                g_strdup_printf ("%*s%s %s: %s — %s", (int) MIN (n->depth, 24) * 3, "",
                                 get_sign (n->heard), title, name, describe_heard (n->heard)),
                path);
    }
}

static const char *
describe_evaluation (const WeirEvaluation *e)
{
  if (e->has_failed)
    return _ ("failed");
  if (e->changed == 0)
    return _ ("the same bytes as before");
  if (e->reason == WEIR_LOG_FIRST)
    return _ ("for the first time");
  return e->reason == WEIR_LOG_DISABLED ? _ ("not cached") : _ ("was out of date");
}

static void
list_evaluations (WeirPlayback *playback, gsize index, GArray *lines)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  g_autoptr (GArray)
      list = weir_scrubber_list_evaluations (weir_playback_get_scrubber (playback), index, NULL);

  for (guint i = 0; list != NULL && i < list->len && !is_full (lines, list->len - i); i++)
    {
      const WeirEvaluation *e = &g_array_index (list, WeirEvaluation, i);
      const char *name = weir_playback_get_entry_name (playback, e->entry);
      const char *how = describe_evaluation (e);
      char *path = weir_trace_dup_path (trace, weir_trace_get_entry_system (trace, e->entry));
      g_autofree char *time = e->ns > 0 ? g_strdup_printf (_ (", %u ns"), e->ns) : g_strdup ("");

      if (e->requester == WEIR_NO_INDEX)
        add_line (lines, g_strdup_printf ("■ %s — %s%s", name, how, time), path);
      else
        /* Translators: a value, why it was computed, how long that took, for which other value. */
        add_line (lines,
                  g_strdup_printf (_ ("■ %s — %s%s, for %s"), name, how, time,
                                   weir_playback_get_entry_name (playback, e->requester)),
                  path);
    }
}

/* Was it made while record @first, or one after it before @end, was written? */
static gboolean
is_meanwhile (const WeirLogStep *step, gsize first, gsize end)
{
  return step->first < end && (step->end > first || step->first >= first);
}

static void
list_steps (WeirPlayback *playback, gsize index, GArray *lines)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  gsize n;
  const WeirLogStep *steps = weir_trace_get_steps (trace, &n);

  for (gsize i = 0; i < n && lines->len < MAX_LINES; i++)
    if (is_meanwhile (&steps[i], index, index + 1))
      {
        g_autofree char *text = weir_timeline_describe_step (playback, &steps[i]);

        add_line (lines, g_strconcat ("▬ ", text, NULL),
                  weir_trace_dup_path (trace, steps[i].node));
      }
}

GArray *
weir_timeline_list_record (WeirPlayback *playback, gsize index)
{
  GArray *lines = weir_timeline_lines_new ();

  list_notifications (playback, index, lines);
  list_evaluations (playback, index, lines);
  list_steps (playback, index, lines);
  return lines;
}

/* --- Stretches ------------------------------------------------------------------------------- */

typedef struct {
  gboolean is_event;
  guint32 subject;
  guint64 count, amount;
} Tally;

static int
compare_tallies (gconstpointer a, gconstpointer b)
{
  const Tally *x = a, *y = b;

  if (x->is_event != y->is_event)
    return x->is_event ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->subject < y->subject ? -1 : x->subject > y->subject;
}

static void
count_range (WeirPlayback *playback, gsize first, gsize end, GArray *tallies)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  const guint32 *amounts = weir_scrubber_get_amounts (weir_playback_get_scrubber (playback));
  guint n_sources = weir_trace_get_n_sources (trace),
        n = n_sources + weir_trace_get_n_entries (trace);
  g_autofree guint *place = g_new0 (guint, n + 2);

  for (gsize i = first; i < end; i++)
    {
      const WeirLogRecord *record = get_record (playback, i);
      gboolean is_event = record->kind == WEIR_LOG_EVENT || record->kind == WEIR_LOG_JOINT;
      guint32 subject = record->kind == WEIR_LOG_JOINT ? WEIR_NO_INDEX : record->subject;
      guint at = record->kind == WEIR_LOG_JOINT ? n : is_event ? subject : n_sources + subject;

      if (!is_event && record->kind != WEIR_LOG_REQUEST && record->kind != WEIR_LOG_CALCULATION)
        continue;
      if (place[at] == 0)
        {
          Tally tally = { is_event, subject, 0, 0 };

          g_array_append_val (tallies, tally);
          place[at] = tallies->len;
        }
      g_array_index (tallies, Tally, place[at] - 1).count++;
      g_array_index (tallies, Tally, place[at] - 1).amount += amounts[i];
    }
  g_array_sort (tallies, compare_tallies);
}

/* Steps of one unit on one thread. */
typedef struct {
  guint32 node, thread;
  guint64 count;
  gint64 took; /* us */
} StepTally;

static void
count_steps (WeirPlayback *playback, gsize first, gsize end, GArray *tallies)
{
  gsize n;
  const WeirLogStep *steps = weir_trace_get_steps (weir_playback_get_trace (playback), &n);

  for (gsize i = 0; i < n; i++)
    {
      StepTally new = { steps[i].node, steps[i].thread, 0, 0 }, *tally = NULL;

      if (!is_meanwhile (&steps[i], first, end))
        continue;
      for (guint k = 0; k < tallies->len && tally == NULL; k++)
        {
          tally = &g_array_index (tallies, StepTally, k);
          if (tally->node != new.node || tally->thread != new.thread)
            tally = NULL;
        }
      if (tally == NULL)
        {
          g_array_append_val (tallies, new);
          tally = &g_array_index (tallies, StepTally, tallies->len - 1);
        }
      tally->count++;
      tally->took += steps[i].done_at - steps[i].begin_at;
    }
}

static void
list_steps_of_range (WeirPlayback *playback, gsize first, gsize end, GArray *lines)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  g_autoptr (GArray) tallies = g_array_new (FALSE, FALSE, sizeof (StepTally));

  count_steps (playback, first, end, tallies);
  for (guint i = 0; i < tallies->len && !is_full (lines, tallies->len - i); i++)
    {
      const StepTally *t = &g_array_index (tallies, StepTally, i);
      const char *name = weir_playback_get_system_name (playback, t->node);
      g_autofree char *count = weir_timeline_format (t->count);
      g_autofree char *took = format_duration ((double) t->took);

      add_line (
          lines,
          t->thread == 0
              /* Translators: a unit, how many steps it made, how long they took in all. */
              ? g_strdup_printf (_ ("▬ %s — %s ×, %s, run’s own thread"), name, count, took)
              /* Translators: a unit, how many steps it made, how long they took in all, number
                 of the thread. */
              : g_strdup_printf (_ ("▬ %s — %s ×, %s, thread %u"), name, count, took, t->thread),
          weir_trace_dup_path (trace, t->node));
    }
}

GArray *
weir_timeline_list_range (WeirPlayback *playback, gsize first, gsize end)
{
  WeirTrace *trace = weir_playback_get_trace (playback);
  g_autoptr (GArray) tallies = g_array_new (FALSE, FALSE, sizeof (Tally));
  GArray *lines = weir_timeline_lines_new ();

  list_steps_of_range (playback, first, end, lines);
  count_range (playback, first, end, tallies);
  for (guint i = 0; i < tallies->len && !is_full (lines, tallies->len - i); i++)
    {
      const Tally *t = &g_array_index (tallies, Tally, i);
      g_autofree char *count = NULL, *amount = NULL;
      const char *name = !t->is_event ? weir_playback_get_entry_name (playback, t->subject)
                         : t->subject == WEIR_NO_INDEX
                             ? _ ("several together")
                             : weir_playback_get_source_name (playback, t->subject);

      count = weir_timeline_format (t->count);
      amount = weir_timeline_format (t->amount);
      if (t->is_event)
        /* Translators: what changed, how often, how many values that put out of date in all. */
        add_line (
            lines,
            g_strdup_printf (_ ("▼ %s changed %s × — %s newly out of date"), name, count, amount),
            NULL);
      else
        /* Translators: what was asked for, how often, how many values that computed in all. */
        add_line (lines,
                  g_strdup_printf (_ ("■ %s asked for %s × — %s computed"), name, count, amount),
                  weir_trace_dup_path (trace, weir_trace_get_entry_system (trace, t->subject)));
    }
  return lines;
}

/* --- Without an event ------------------------------------------------------------------------ */

char *
weir_timeline_describe_effect (const WeirEventEffect *result)
{
  GString *text = g_string_new (NULL);
  guint n = result->differences->len, n_outputs = 0;
  g_autofree char *n_values = weir_timeline_format (result->n_values);

  for (guint i = 0; i < n; i++)
    n_outputs += g_array_index (result->differences, WeirEffectDifference, i).is_output ? 1 : 0;
  if (n == 0)
    g_string_append_printf (
        text, _ ("Without this event nothing differs: %s values compared until t = %g s."),
        n_values, result->until);
  else
    g_string_append_printf (
        text,
        ngettext ("Without this event %u value differs until t = %g s; outputs among them: %u.",
                  "Without this event %u values differ until t = %g s; outputs among them: %u.", n),
        n, result->until, n_outputs);
  if (!isnan (result->steps_differ_from))
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("From t = %g s on, the solver takes other steps."),
                              result->steps_differ_from);
    }
  if (result->failure != NULL)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("The run without it fails: %s"), result->failure);
    }
  return g_string_free (text, FALSE);
}

GArray *
weir_timeline_list_effect (const WeirEventEffect *result)
{
  GArray *lines = weir_timeline_lines_new ();

  for (guint i = 0; i < result->differences->len && !is_full (lines, result->differences->len - i);
       i++)
    {
      const WeirEffectDifference *d = &g_array_index (result->differences, WeirEffectDifference, i);
      const char *colon = strchr (d->path, ':');
      g_autofree char *title = weir_describe_path (d->path);

      add_line (
          lines,
          /* Translators: a value; the time; what it is with and without the event; how far apart at
             most. */
          g_strdup_printf (_ ("≠ %s — at t = %g s %.9g with, %.9g without; at most %.3g apart"),
                           title, d->time, d->with, d->without, d->largest),
          colon != NULL ? g_strndup (d->path, (gsize) (colon - d->path)) : NULL);
    }
  return lines;
}
