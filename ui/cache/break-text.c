/* Breakpoints in words. See break-text.h. */
#include "cache/break-text.h"

#include <glib/gi18n-lib.h>

#include "numerics/number.h"
#include "cache/cache-figures.h"

const char *
weir_break_kind_get_title (WeirBreakKind kind)
{
  static const char *const titles[WEIR_N_BREAK_KINDS] = {
    [WEIR_BREAK_COMPUTED] = N_ ("is computed"),
    [WEIR_BREAK_REUSED] = N_ ("is answered from the cache"),
    [WEIR_BREAK_OUT_OF_DATE] = N_ ("is put out of date"),
    [WEIR_BREAK_UNUSED] = N_ ("is put out of date again, unused"),
    [WEIR_BREAK_EVENT] = N_ ("changes"),
    [WEIR_BREAK_RATE] = N_ ("is too rarely answered from the cache"),
  };

  return _ (titles[kind]);
}

const char *
weir_break_test_get_title (WeirBreakTest test)
{
  static const char *const titles[WEIR_N_BREAK_TESTS] = {
    [WEIR_BREAK_ALWAYS] = N_ ("whatever it is"),
    [WEIR_BREAK_ABOVE] = N_ ("greater than"),
    [WEIR_BREAK_BELOW] = N_ ("less than"),
    [WEIR_BREAK_EQUAL] = N_ ("equal to"),
    [WEIR_BREAK_NOT_FINITE] = N_ ("infinite or no number"),
    [WEIR_BREAK_SAME] = N_ ("the same bits as before"),
    [WEIR_BREAK_CHANGED] = N_ ("other bits than before"),
  };

  return _ (titles[test]);
}

const char *
weir_break_phase_get_title (WeirLogPhase phase)
{
  static const char *const titles[WEIR_LOG_N_PHASES] = {
    [WEIR_LOG_PHASE_OUTSIDE] = N_ ("between steps"),
    [WEIR_LOG_PHASE_INITIALIZATION] = N_ ("initialization"),
    [WEIR_LOG_PHASE_PUBLISH] = N_ ("publishing"),
    [WEIR_LOG_PHASE_DISCRETE_UPDATE] = N_ ("a discrete update"),
    [WEIR_LOG_PHASE_UNRESTRICTED_UPDATE] = N_ ("an unrestricted update"),
    [WEIR_LOG_PHASE_INTEGRATION] = N_ ("an accepted step"),
    [WEIR_LOG_PHASE_TRIAL] = N_ ("a trial of the solver"),
    [WEIR_LOG_PHASE_LOCATION] = N_ ("locating an event"),
    [WEIR_LOG_PHASE_MONITOR] = N_ ("recording"),
    [WEIR_LOG_PHASE_EDIT] = N_ ("an edit"),
  };

  return phase < WEIR_LOG_N_PHASES ? _ (titles[phase]) : "";
}

static gboolean
has_number (WeirBreakTest test)
{
  return test == WEIR_BREAK_ABOVE || test == WEIR_BREAK_BELOW || test == WEIR_BREAK_EQUAL;
}

char *
weir_break_describe (const WeirBreakpoint *self)
{
  GString *text = g_string_new (*self->what != '\0' ? self->what : _ ("Anything"));
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, " %s", weir_break_kind_get_title (self->kind));
  if (self->kind == WEIR_BREAK_RATE)
    g_string_append_printf (text,
                            ngettext (", in less than %s %% of the last %u request",
                                      ", in less than %s %% of the last %u requests",
                                      self->at_least),
                            weir_number_to_text (self->number, number), self->at_least);
  if (self->by != NULL && *self->by != '\0')
    /* Translators: "Gain:y is put out of date" by time. */
    g_string_append_printf (text, _ (" by %s"), self->by);
  if (self->test != WEIR_BREAK_ALWAYS)
    {
      g_string_append_printf (text, self->element > 0 ? ", [%u] " : ", ", self->element);
      g_string_append (text, weir_break_test_get_title (self->test));
      if (has_number (self->test))
        g_string_append_printf (text, " %s", weir_number_to_text (self->number, number));
    }
  if (self->kind == WEIR_BREAK_EVENT && self->at_least > 0)
    g_string_append_printf (text,
                            ngettext (", and puts %u value out of date",
                                      ", and puts %u values or more out of date", self->at_least),
                            self->at_least);
  return g_string_free (text, FALSE);
}

char *
weir_break_describe_limits (const WeirBreakpoint *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  if (self->skips > 0)
    {
      g_autofree char *count = weir_cache_format_count (self->skips);

      g_ptr_array_add (parts, g_strdup_printf (_ ("lets the first %s pass"), count));
    }
  if (self->phase >= 0)
    g_ptr_array_add (parts, g_strdup_printf (_ ("only in %s"), weir_break_phase_get_title (
                                                                   (WeirLogPhase) self->phase)));
  if (self->is_once)
    g_ptr_array_add (parts, g_strdup (_ ("pauses once")));
  if (self->only_counts)
    g_ptr_array_add (parts, g_strdup (_ ("only counts")));
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (", ", (char **) parts->pdata);
}

/* --- What was met ---------------------------------------------------------------------------- */

static char *
dup_value (const WeirBreakHit *hit)
{
  char value[G_ASCII_DTOSTR_BUF_SIZE], before[G_ASCII_DTOSTR_BUF_SIZE];

  if (!hit->has_value)
    return g_strdup ("");
  weir_number_to_text (hit->value, value);
  return hit->has_before ? g_strdup_printf (_ (" It is %s; before it was %s."), value,
                                            weir_number_to_text (hit->before, before))
                         : g_strdup_printf (_ (" It is %s."), value);
}

static char *
dup_cause (WeirCacheModel *model, const WeirBreakHit *hit)
{
  g_autofree char *source = NULL;

  if (hit->source.i == WEIR_NO_INDEX)
    return g_strdup (_ ("several changes at once"));
  source = weir_cache_model_dup_source_title (model, hit->source);
  return g_steal_pointer (&source);
}

/* "for Integrator: time derivatives", or nothing where it was asked for itself. */
static char *
dup_requester (WeirCacheModel *model, const WeirBreakHit *hit)
{
  g_autofree char *title = NULL;

  if (hit->requested.i == WEIR_NO_INDEX || hit->requested.i == hit->entry.i)
    return g_strdup ("");
  title = weir_cache_model_dup_entry_title (model, hit->requested);
  return g_strdup_printf (_ (", for %s"), title);
}

char *
weir_break_describe_hit (WeirCacheModel *model, const GArray *list, const WeirBreakHit *hit)
{
  const WeirBreakpoint *met = hit->index < list->len
                                  ? &g_array_index (list, WeirBreakpoint, hit->index)
                                  : NULL;
  char time[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *title = NULL, *value = dup_value (hit), *requester = NULL, *cause = NULL;
  g_autofree char *number = weir_cache_format_count (hit->event),
                  *count = weir_cache_format_count (hit->count);
  const char *phase = weir_break_phase_get_title (hit->phase);

  g_ascii_formatd (time, sizeof time, "%.9g", hit->time);
  if (weir_cache_model_get_layout (model) == NULL)
    return g_strdup_printf (_ ("Paused at t = %s s, in %s."), time, phase);
  if (hit->entry.i != WEIR_NO_INDEX)
    title = weir_cache_model_dup_entry_title (model, hit->entry);
  requester = dup_requester (model, hit);
  if (met == NULL)
    return g_strdup_printf (
        _ ("Paused at t = %s s, in %s: %s is held, and is to be computed now%s."), time, phase,
        title != NULL ? title : "", requester);
  switch (met->kind)
    {
    case WEIR_BREAK_COMPUTED:
      return g_strdup_printf (_ ("Paused at t = %s s, in %s: %s was computed%s (hit %s).%s"), time,
                              phase, title, requester, count, value);
    case WEIR_BREAK_REUSED:
      return g_strdup_printf (
          _ ("Paused at t = %s s, in %s: %s was answered from the cache%s (hit %s).%s"), time,
          phase, title, requester, count, value);
    case WEIR_BREAK_RATE:
      return g_strdup_printf (
          _ ("Paused at t = %s s, in %s: %s has become too rarely answered from the cache%s (hit "
             "%s).%s"),
          time, phase, title, requester, count, value);
    case WEIR_BREAK_OUT_OF_DATE:
      cause = dup_cause (model, hit);
      return g_strdup_printf (
          _ ("Paused at t = %s s, in %s: event %s (%s) put %s out of date (hit %s)."), time, phase,
          number, cause, title, count);
    case WEIR_BREAK_UNUSED:
      cause = dup_cause (model, hit);
      return g_strdup_printf (
          _ ("Paused at t = %s s, in %s: event %s (%s) found %s out of date already, as "
             "nobody had asked for it (hit %s)."),
          time, phase, number, cause, title, count);
    case WEIR_BREAK_EVENT:
    case WEIR_N_BREAK_KINDS:
    default:
      cause = dup_cause (model, hit);
      return g_strdup_printf (
          ngettext ("Paused at t = %s s, in %s: event %s changed %s and put %u value out of date.",
                    "Paused at t = %s s, in %s: event %s changed %s and put %u values out of date.",
                    hit->n_newly),
          time, phase, number, cause, hit->n_newly);
    }
}
