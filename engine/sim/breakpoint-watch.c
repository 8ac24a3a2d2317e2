/* Breakpoints made ready for a structure, and watching. See breakpoint.h. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/breakpoint.h"
#include "base/bits.h"
#include "system/change/explain.h"
#include "system/context/inspection.h"

#define MAX_REQUESTS 1000000 /* that a rate may be of */

/* How the last requests for a value were answered. */
typedef struct {
  guint8 *was_reused; /* a ring */
  guint n, next;      /* answers in it; where the next goes */
  guint n_reused;
  gboolean is_low;
} Rate;

typedef struct {
  WeirBreakpoint description;
  gboolean is_ready; /* what it names is there */
  WeirEntry entry;   /* i WEIR_NO_INDEX of an event */
  guint size;        /* of its value, doubles */
  guint64 *sources;  /* bits by source that it hears of; NULL = all */
  GArray *readers;   /* guint32: entries that declare to read the value and are not lazy */
  double *last;      /* the value as computed last, while watching */
  gboolean has_last;
  Rate rate;
} Ready;

struct _WeirBreakpoints {
  WeirLayout *layout;
  guint n;
  Ready *ready;
  guint64 *counts;
  guint64 *source_last; /* room to read it */
  gboolean is_retired;
  WeirBreakFunc func;
  gboolean (*releases) (WeirContext *context, const WeirBreakHit *hit, gpointer data);
  gpointer data;
};

static inline gboolean
is_of_answers (WeirBreakKind kind)
{
  return kind == WEIR_BREAK_COMPUTED || kind == WEIR_BREAK_REUSED || kind == WEIR_BREAK_RATE;
}

/* --- Making them ready ----------------------------------------------------------------------- */

/* The entry whose value the output "Gain.y" shows. */
static gboolean
find_output (WeirLayout *layout, const char *path, WeirEntry *entry)
{
  const char *name;
  WeirNode node;
  WeirOutput out;

  return weir_layout_find_owner (layout, path, &node, &name)
         && weir_layout_find_output (layout, node, name, &out)
         && weir_layout_find_output_entry (layout, node, out, entry);
}

/* The entry that a path names: "Gain:y", or "Gain.y" of an output. */
static gboolean
find_entry (WeirBreakpoints *self, WeirExplainer *explainer, const char *path, WeirEntry *entry,
            GError **error)
{
  guint32 tracker;

  if (!weir_explainer_find (explainer, path, &tracker, error))
    return FALSE;
  if (weir_walk_get_entry (weir_explainer_get_walk (explainer), tracker, entry)
      || find_output (self->layout, path, entry))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" is no value that is computed", path);
  return FALSE;
}

static gboolean
find_sources (WeirExplainer *explainer, const char *path, guint64 **sources, GError **error)
{
  guint32 tracker;

  if (path == NULL || *path == '\0')
    return TRUE;
  if (!weir_explainer_find (explainer, path, &tracker, error))
    return FALSE;
  *sources = weir_walk_find_sources (weir_explainer_get_walk (explainer), &tracker, 1);
  return TRUE;
}

static void
list_readers (WeirLayout *layout, Ready *ready)
{
  ready->readers = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 e = ready->entry.i + 1; e < weir_layout_get_n_entries (layout); e++)
    {
      guint n;
      const guint32 *reads = weir_layout_get_reads (layout, (WeirEntry) { e }, &n);
      gboolean is_reader = FALSE;

      for (guint k = 0; k < n && !weir_layout_is_lazy (layout, (WeirEntry) { e }); k++)
        is_reader = is_reader || reads[k] == ready->entry.i;
      if (is_reader)
        g_array_append_val (ready->readers, e);
    }
}

static gboolean
make_ready (WeirBreakpoints *self, WeirExplainer *explainer, Ready *ready, GError **error)
{
  const WeirBreakpoint *description = &ready->description;

  ready->entry.i = WEIR_NO_INDEX;
  if (description->kind == WEIR_BREAK_EVENT)
    return find_sources (explainer, description->what, &ready->sources, error);
  if (!find_entry (self, explainer, description->what, &ready->entry, error)
      || !find_sources (explainer, description->by, &ready->sources, error))
    return FALSE;
  ready->size = weir_layout_get_entry (self->layout, ready->entry).size;
  if (description->test != WEIR_BREAK_ALWAYS && description->element >= ready->size)
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "%s has %u numbers; there is none numbered %u",
                      description->what, ready->size, description->element);
      return FALSE;
    }
  if (description->kind == WEIR_BREAK_RATE
      && (description->at_least == 0 || description->at_least > MAX_REQUESTS))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "A rate is of 1 to %d requests, not of %u",
                      MAX_REQUESTS, description->at_least);
      return FALSE;
    }
  if (description->kind == WEIR_BREAK_RATE)
    ready->rate.was_reused = g_new0 (guint8, description->at_least);
  ready->last = g_new0 (double, MAX (ready->size, 1));
  list_readers (self->layout, ready);
  return TRUE;
}

WeirBreakpoints *
weir_breakpoints_new (WeirLayout *layout, const GArray *list, GPtrArray *errors)
{
  WeirBreakpoints *self = g_new0 (WeirBreakpoints, 1);
  g_autoptr (WeirExplainer) explainer = list->len > 0 ? weir_explainer_new (layout) : NULL;

  self->layout = weir_layout_ref (layout);
  self->n = list->len;
  self->ready = g_new0 (Ready, MAX (list->len, 1));
  self->counts = g_new0 (guint64, MAX (list->len, 1));
  self->source_last = g_new0 (guint64, MAX (weir_layout_get_n_sources (layout), 1));
  for (guint i = 0; i < list->len; i++)
    {
      Ready *ready = &self->ready[i];
      g_autoptr (GError) error = NULL;

      ready->description = weir_breakpoint_copy (&g_array_index (list, WeirBreakpoint, i));
      ready->is_ready = make_ready (self, explainer, ready, &error);
      if (errors != NULL)
        g_ptr_array_add (errors, error != NULL ? g_strdup (weir_error_say (error)) : NULL);
    }
  return self;
}

void
weir_breakpoints_free (WeirBreakpoints *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      weir_breakpoint_clear (&self->ready[i].description);
      g_free (self->ready[i].sources);
      g_free (self->ready[i].last);
      g_free (self->ready[i].rate.was_reused);
      g_clear_pointer (&self->ready[i].readers, g_array_unref);
    }
  g_free (self->ready);
  g_free (self->counts);
  g_free (self->source_last);
  weir_layout_unref (self->layout);
  g_free (self);
}

guint
weir_breakpoints_get_n (const WeirBreakpoints *self)
{
  return self->n;
}

const guint64 *
weir_breakpoints_get_counts (const WeirBreakpoints *self)
{
  return self->counts;
}

/* Do both look for the same? Whether they pause is another matter. */
static gboolean
is_same (const WeirBreakpoint *a, const WeirBreakpoint *b)
{
  return a->kind == b->kind && g_strcmp0 (a->what, b->what) == 0
         && g_strcmp0 (a->by != NULL ? a->by : "", b->by != NULL ? b->by : "") == 0
         && a->test == b->test && a->element == b->element
         && memcmp (&a->number, &b->number, sizeof a->number) == 0 && a->at_least == b->at_least
         && a->phase == b->phase;
}

void
weir_breakpoints_take_counts (WeirBreakpoints *self, const WeirBreakpoints *from)
{
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < from->n; k++)
      if (is_same (&self->ready[i].description, &from->ready[k].description))
        {
          self->counts[i] = from->counts[k];
          if (self->ready[i].rate.was_reused != NULL && from->ready[k].rate.was_reused != NULL)
            {
              guint8 *ring = self->ready[i].rate.was_reused;

              memcpy (ring, from->ready[k].rate.was_reused, self->ready[i].description.at_least);
              self->ready[i].rate = from->ready[k].rate;
              self->ready[i].rate.was_reused = ring;
            }
          if (self->ready[i].size == from->ready[k].size && from->ready[k].has_last)
            {
              memcpy (self->ready[i].last, from->ready[k].last,
                      self->ready[i].size * sizeof (double));
              self->ready[i].has_last = TRUE;
            }
          break;
        }
}

/* --- Watching -------------------------------------------------------------------------------- */

static gboolean
is_on (const Ready *self, WeirContext *context)
{
  return self->is_ready && !self->description.is_disabled
         && (self->description.phase < 0
             || self->description.phase == (int) weir_context_get_phase (context));
}

static void
say_when (WeirBreakHit *hit, WeirContext *context)
{
  hit->time = weir_context_get_time_in_force (context);
  hit->phase = weir_context_get_phase (context);
  hit->event = weir_context_get_n_events (context);
}

/* Counts, and calls where it is to pause. @hit: what is known of it besides. */
static void
meet (WeirBreakpoints *self, guint i, WeirContext *context, WeirBreakHit *hit)
{
  const WeirBreakpoint *description = &self->ready[i].description;

  if (self->is_retired)
    return;
  self->counts[i]++;
  if (description->only_counts || self->counts[i] <= description->skips
      || (description->is_once && self->counts[i] > description->skips + 1))
    return;
  hit->index = i;
  hit->count = self->counts[i];
  say_when (hit, context);
  self->func (context, hit, self->data);
}

/* Has one of the sources changed in the event that has just been? */
static gboolean
has_changed (WeirBreakpoints *self, const Ready *ready, WeirContext *context, WeirSource source)
{
  guint64 event = weir_context_get_n_events (context);

  if (ready->sources == NULL)
    return TRUE;
  if (source.i != WEIR_NO_INDEX)
    return weir_bit (ready->sources, source.i);
  weir_context_read_source_events (context, self->source_last);
  for (guint32 s = 0; s < weir_layout_get_n_sources (self->layout); s++)
    if (self->source_last[s] == event && weir_bit (ready->sources, s))
      return TRUE;
  return FALSE;
}

static void
changed (WeirContext *context, WeirSource source, const guint64 *reached, const guint64 *newly,
         gpointer data)
{
  WeirBreakpoints *self = data;
  guint n_newly = 0;

  for (guint w = 0; w < weir_bits_n_words (weir_layout_get_n_entries (self->layout)); w++)
    n_newly += (guint) __builtin_popcountll (newly[w]);
  for (guint i = 0; i < self->n; i++)
    {
      const Ready *ready = &self->ready[i];
      WeirBreakKind kind = ready->description.kind;
      WeirBreakHit hit = {
        .source = source, .entry = ready->entry, .requested = { WEIR_NO_INDEX }, .n_newly = n_newly
      };
      gboolean is_met;

      if (!is_on (ready, context))
        continue;
      is_met = kind == WEIR_BREAK_EVENT         ? n_newly >= ready->description.at_least
               : kind == WEIR_BREAK_OUT_OF_DATE ? weir_bit (newly, ready->entry.i)
               : kind == WEIR_BREAK_UNUSED
                   ? weir_bit (reached, ready->entry.i) && !weir_bit (newly, ready->entry.i)
                   : FALSE;
      if (is_met && has_changed (self, ready, context, source))
        meet (self, i, context, &hit);
    }
}

static gboolean
passes (const Ready *ready, const double *value, gboolean was_same)
{
  const WeirBreakpoint *description = &ready->description;
  double tested = ready->size > 0 ? value[description->element] : (double) NAN;

  switch (description->test)
    {
    case WEIR_BREAK_ABOVE:
      return tested > description->number;
    case WEIR_BREAK_BELOW:
      return tested < description->number;
    case WEIR_BREAK_EQUAL:
      return tested == description->number; /* 0 and -0 are equal */
    case WEIR_BREAK_NOT_FINITE:
      return !isfinite (tested);
    case WEIR_BREAK_SAME:
      return was_same;
    case WEIR_BREAK_CHANGED:
      return !was_same;
    case WEIR_BREAK_ALWAYS:
    case WEIR_N_BREAK_TESTS:
    default:
      return TRUE;
    }
}

/* Did the request that has just been read the value without computing it? */
static gboolean
was_reused (const Ready *ready, WeirContext *context, const guint64 *computed, const guint64 *reads)
{
  if (weir_bit (computed, ready->entry.i) || !weir_context_is_up_to_date (context, ready->entry))
    return FALSE;
  if (weir_context_get_reads (context)[ready->entry.i] != reads[ready->entry.i])
    return TRUE;
  for (guint k = 0; k < ready->readers->len; k++)
    if (weir_bit (computed, g_array_index (ready->readers, guint32, k)))
      return TRUE;
  return FALSE;
}

/* Takes one answer. Has the rate just become low? */
static gboolean
becomes_low (Ready *ready, gboolean was_reused)
{
  Rate *rate = &ready->rate;
  guint window = ready->description.at_least;
  gboolean was_low = rate->is_low;

  rate->n_reused += (guint) was_reused;
  if (rate->n < window)
    rate->n++;
  else
    rate->n_reused -= rate->was_reused[rate->next];
  rate->was_reused[rate->next] = (guint8) was_reused;
  rate->next = (rate->next + 1) % window;
  rate->is_low = rate->n == window && 100.0 * rate->n_reused < ready->description.number * window;
  return rate->is_low && !was_low;
}

/* Is the answer one that the breakpoint looks for? */
static gboolean
is_met_by (Ready *ready, WeirContext *context, const guint64 *computed, const guint64 *reads)
{
  gboolean was_computed = weir_bit (computed, ready->entry.i);

  if (ready->description.kind == WEIR_BREAK_COMPUTED)
    return was_computed;
  if (ready->description.kind == WEIR_BREAK_REUSED)
    return was_reused (ready, context, computed, reads);
  return (was_computed || was_reused (ready, context, computed, reads))
         && becomes_low (ready, !was_computed);
}

static void
answered (WeirContext *context, WeirEntry entry, const guint64 *computed, const guint64 *reads,
          gpointer data)
{
  WeirBreakpoints *self = data;

  for (guint i = 0; i < self->n; i++)
    {
      Ready *ready = &self->ready[i];
      WeirBreakKind kind = ready->description.kind;
      WeirBreakHit hit = { .source = { WEIR_NO_INDEX }, .entry = ready->entry, .requested = entry };
      gboolean was_computed, was_same;
      const double *value;

      if (!ready->is_ready || !is_of_answers (kind))
        continue;
      value = weir_context_peek (context, ready->entry);
      was_computed = weir_bit (computed, ready->entry.i);
      was_same = ready->has_last && ready->size > 0
                 && memcmp (ready->last, value, ready->size * sizeof *value) == 0;
      hit.has_value = ready->size > 0;
      hit.has_before = hit.has_value && ready->has_last && kind == WEIR_BREAK_COMPUTED;
      if (hit.has_value)
        {
          hit.value = value[ready->description.element];
          hit.before = ready->last[ready->description.element];
        }
      if (was_computed)
        {
          memcpy (ready->last, value, ready->size * sizeof *value);
          ready->has_last = TRUE;
        }
      if (is_on (ready, context) && is_met_by (ready, context, computed, reads)
          && passes (ready, value, was_same))
        meet (self, i, context, &hit);
    }
}

static gboolean
releases (WeirContext *context, WeirEntry entry, WeirEntry requested, gpointer data)
{
  WeirBreakpoints *self = data;
  WeirBreakHit hit = {
    .index = G_MAXUINT, .source = { WEIR_NO_INDEX }, .entry = entry, .requested = requested
  };

  say_when (&hit, context);
  return self->releases != NULL && self->releases (context, &hit, self->data);
}

void
weir_breakpoints_retire (WeirBreakpoints *self)
{
  self->is_retired = TRUE;
}

void
weir_breakpoints_watch (WeirBreakpoints *self, WeirContext *context, WeirBreakFunc func,
                        gboolean (*may_thaw) (WeirContext *context, const WeirBreakHit *hit,
                                              gpointer data),
                        gpointer data)
{
  WeirWatcher watcher = { .releases = releases };

  self->func = func;
  self->releases = may_thaw;
  self->data = data;
  for (guint i = 0; i < self->n; i++)
    {
      WeirBreakKind kind = self->ready[i].description.kind;

      if (!self->ready[i].is_ready || self->ready[i].description.is_disabled)
        continue;
      if (is_of_answers (kind))
        watcher.answered = answered;
      else
        watcher.changed = changed;
    }
  if (watcher.answered == NULL && watcher.changed == NULL && weir_context_get_n_held (context) == 0)
    weir_context_set_watcher (context, NULL, NULL);
  else
    weir_context_set_watcher (context, &watcher, self);
}
