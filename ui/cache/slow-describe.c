/* What a beat of slow motion does, in sentences. */
#include "cache/slow-bar.h"

#include <glib/gi18n-lib.h>

#define MOST_NAMES 5 /* in one list */

/* "Gain: output y, Sum: output y and 3 others" of the marks of @kind; NULL if there are none. */
static char *
list_marks (WeirCacheModel *model, const WeirBeatMark *marks, guint n, WeirBeatMarkKind kind)
{
  GString *text = g_string_new (NULL);
  guint n_named = 0, n_all = 0;

  for (guint i = 0; i < n; i++)
    n_all += marks[i].kind == kind;
  for (guint i = 0; i < n && n_named < MOST_NAMES; i++)
    {
      g_autofree char *title = NULL;

      if (marks[i].kind != kind)
        continue;
      title = marks[i].entry != WEIR_NO_INDEX
                  ? weir_cache_model_dup_entry_title (model, (WeirEntry) { marks[i].entry })
                  : weir_cache_model_dup_tracker_title (model, marks[i].tracker);
      g_string_append_printf (text, "%s%s", n_named > 0 ? ", " : "", title);
      n_named++;
    }
  if (n_all > n_named)
    g_string_append_printf (text, ngettext (" and %u other", " and %u others", n_all - n_named),
                            n_all - n_named);
  return g_string_free (text, n_all == 0);
}

/* Takes @sentence. */
static void
append_sentence (GString *text, char *sentence)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

/* One sentence about the marks of a kind, if there are any. */
#define APPEND_LIST(text, model, marks, n, kind, form)                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *append_names = list_marks (model, marks, n, kind);                            \
                                                                                                   \
    if (append_names != NULL)                                                                      \
      append_sentence (text, g_strdup_printf (form, append_names));                                \
  }                                                                                                \
  G_STMT_END

static const char *
get_phase_name (WeirLogPhase phase)
{
  static const char *const names[WEIR_LOG_N_PHASES] = {
    [WEIR_LOG_PHASE_OUTSIDE] = N_ ("from outside"),
    [WEIR_LOG_PHASE_INITIALIZATION] = N_ ("initialization"),
    [WEIR_LOG_PHASE_PUBLISH] = N_ ("publish"),
    [WEIR_LOG_PHASE_DISCRETE_UPDATE] = N_ ("discrete update"),
    [WEIR_LOG_PHASE_UNRESTRICTED_UPDATE] = N_ ("unrestricted update"),
    [WEIR_LOG_PHASE_INTEGRATION] = N_ ("integration"),
    [WEIR_LOG_PHASE_TRIAL] = N_ ("trial of the solver"),
    [WEIR_LOG_PHASE_LOCATION] = N_ ("finding an event"),
    [WEIR_LOG_PHASE_MONITOR] = N_ ("logging"),
    [WEIR_LOG_PHASE_EDIT] = N_ ("change by the user"),
  };

  return _ (names[MIN (phase, WEIR_LOG_N_PHASES - 1)]);
}

/* What an event changed, by its record or the parts before it. (transfer full) */
static char *
dup_changed (WeirCacheModel *model, WeirSlowMotion *motion, gsize at)
{
  gsize n;
  const WeirLogRecord *records = weir_trace_get_records (weir_slow_motion_get_trace (motion), &n);
  guint n_parts = 0;

  if (records[at].kind == WEIR_LOG_EVENT)
    return weir_cache_model_dup_source_title (model, (WeirSource) { records[at].subject });
  while (n_parts < at && records[at - 1 - n_parts].kind == WEIR_LOG_PART)
    n_parts++;
  if (n_parts == 1)
    return weir_cache_model_dup_source_title (model, (WeirSource) { records[at - 1].subject });
  return g_strdup_printf (ngettext ("%u source together", "%u sources together", n_parts), n_parts);
}

/* Of the change event that a beat is about. */
static char *
dup_number (WeirSlowMotion *motion, const WeirBeat *beat)
{
  gsize n;
  const WeirLogRecord *records = weir_trace_get_records (weir_slow_motion_get_trace (motion), &n);

  return g_strdup_printf ("%" G_GUINT64_FORMAT, records[beat->record].number);
}

static void
describe_change (GString *text, WeirCacheModel *model, WeirSlowMotion *motion, const WeirBeat *beat)
{
  gsize n;
  const WeirLogRecord *record = &weir_trace_get_records (weir_slow_motion_get_trace (motion),
                                                         &n)[beat->record];
  g_autofree char *what = dup_changed (model, motion, beat->record);
  g_autofree char *number = dup_number (motion, beat);
  gboolean leads_nowhere = beat
                               == weir_slow_motion_get_beat (
                                   motion, weir_slow_motion_get_n_beats (motion) - 1)
                           || beat[1].record != beat->record;

  if (record->flags & WEIR_LOG_FLAG_LEFT_TRIAL)
    g_string_append_printf (text, _ ("Change event %s: the solver leaves its trial."), number);
  else
    /* Translators: the number of a change event, what changed, and what was going on. */
    g_string_append_printf (text, _ ("Change event %s: %s (%s)."), number, what,
                            get_phase_name ((WeirLogPhase) record->phase));
  if (leads_nowhere)
    g_string_append_printf (text, " %s", _ ("Nothing depends on it."));
}

static void
describe_push (GString *text, WeirCacheModel *model, WeirSlowMotion *motion, const WeirBeat *beat)
{
  const WeirBeatMark *marks = weir_slow_motion_get_marks (motion, beat);
  guint n = beat->n;
  g_autofree char *bounced = list_marks (model, marks, n, WEIR_BEAT_MARK_BOUNCED);

  APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_OUT_OF_DATE, _ ("Out of date now: %s."));
  APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_WAS_OUT_OF_DATE,
               _ ("Was out of date already: %s."));
  APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_DISABLED, _ ("Not cached: %s."));
  if (bounced != NULL)
    {
      g_autofree char *number = dup_number (motion, beat);

      /* Translators: the number of a change event, and who is told of it a second time. */
      append_sentence (
          text, g_strdup_printf (_ ("Has heard of change event %s already: %s."), number, bounced));
    }
  if (text->len == 0)
    APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_PASSED_ON, _ ("On its way: %s."));
}

static void
describe_ask (GString *text, WeirCacheModel *model, const WeirBeatMark *marks, guint n, guint depth)
{
  if (depth == 0)
    {
      APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_ASKED,
                   _ ("A request: %s is out of date and has to be computed."));
      APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_HIT,
                   _ ("A request: %s is up to date. A hit, nothing is computed."));
    }
  else
    {
      APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_ASKED,
                   _ ("Needed for that, and out of date: %s."));
      APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_HIT, _ ("Used as it is: %s."));
    }
  if (text->len == 0)
    APPEND_LIST (text, model, marks, n, WEIR_BEAT_MARK_PASSED_ON, _ ("A request: %s."));
}

char *
weir_slow_describe (WeirCacheModel *model, WeirSlowMotion *motion, const WeirBeat *beat)
{
  const WeirBeatMark *marks = weir_slow_motion_get_marks (motion, beat);
  g_autoptr (GString) text = g_string_new (NULL);

  switch (beat->kind)
    {
    case WEIR_BEAT_CHANGE:
      describe_change (text, model, motion, beat);
      return g_strdup (text->str);
    case WEIR_BEAT_PUSH:
      describe_push (text, model, motion, beat);
      return g_strdup_printf (_ ("Wave %u. %s"), beat->depth, text->str);
    case WEIR_BEAT_ASK:
      describe_ask (text, model, marks, beat->n, beat->depth);
      return g_strdup (text->str);
    case WEIR_BEAT_COMPUTE:
    case WEIR_N_BEATS:
    default:
      APPEND_LIST (text, model, marks, beat->n, WEIR_BEAT_MARK_COMPUTED,
                   _ ("Computed, and up to date now: %s."));
      APPEND_LIST (text, model, marks, beat->n, WEIR_BEAT_MARK_FAILED,
                   _ ("Cannot be computed: %s."));
      return g_strdup (text->str);
    }
}
