/* Watching a context, and its held entries. See watch.h. */
#include "system/observation/observation-private.h"

#include <string.h>

#include "base/phrase.h"
#include "base/text.h"

struct _WeirWatch {
  WeirWatcher watcher;
  gpointer data;
  guint n_calls; /* of the watcher, under way */
  guint open_requests;
  guint32 requested;   /* by the outermost of them */
  gboolean is_told;    /* the watcher was there when that began */
  gboolean is_leaving; /* to be freed as soon as nothing is under way */
  guint64 *before;     /* n_words: out of date when the outermost request began */
  guint64 *reads;      /* by entry, at the same time */
  guint64 *entry_off;  /* the same: calculations of entries that are not cached */
  guint64 *reached;    /* n_words zeros: what an event reaches */
  guint64 *newly;      /* n_words */
};

static WeirWatch *
watch_new (const WeirLayout *layout)
{
  gsize n_words = MAX (layout->n_words, 1), n_entries = MAX (layout->n_entries, 1);
  WeirWatch *self = g_new0 (WeirWatch, 1);

  self->before = g_new0 (guint64, n_words);
  self->reached = g_new0 (guint64, n_words);
  self->newly = g_new0 (guint64, n_words);
  self->reads = g_new0 (guint64, n_entries);
  self->entry_off = g_new0 (guint64, n_entries);
  return self;
}

static void
end_watching (WeirContext *context)
{
  WeirWatch *self = g_steal_pointer (&context->watch);

  context->watcher = NULL;
  context->modes &= ~(guint32) WEIR_MODE_WATCHED;
  g_free (self->before);
  g_free (self->reads);
  g_free (self->entry_off);
  g_free (self->reached);
  g_free (self->newly);
  g_free (self);
}

/* After a call of the watcher or a request. */
static void
leave_if_done (WeirContext *context)
{
  WeirWatch *self = context->watch;

  if (!self->is_leaving || self->n_calls > 0 || self->open_requests > 0)
    return;
  end_watching (context);
}

const guint64 *
weir_context_get_reads (const WeirContext *self)
{
  return self->reads;
}

WeirLogPhase
weir_context_get_phase (const WeirContext *self)
{
  return self->x != self->arena + self->layout->arena.state ? WEIR_LOG_PHASE_TRIAL
                                                            : (WeirLogPhase) self->phase;
}

double
weir_context_get_time_in_force (const WeirContext *self)
{
  return self->now;
}

/* --- Requests -------------------------------------------------------------------------------- */

void
weir_watch_begin_request (WeirContext *context, guint32 entry)
{
  WeirWatch *self = context->watch;
  const WeirLayout *layout = context->layout;

  if (self->open_requests++ > 0)
    return;
  self->requested = entry;
  self->is_told = self->watcher.answered != NULL;
  if (!self->is_told)
    return;
  memcpy (self->before, context->stale, layout->n_words * sizeof (guint64));
  memcpy (self->reads, context->reads, layout->n_entries * sizeof (guint64));
  if (weir_context_is (context, WEIR_MODE_DISABLED))
    memcpy (self->entry_off, context->entry_off, layout->n_entries * sizeof (guint64));
}

/* Leaves in @before what was computed since. */
static void
find_computed (WeirContext *context)
{
  WeirWatch *self = context->watch;

  for (guint32 w = 0; w < context->layout->n_words; w++)
    {
      self->before[w] &= ~context->stale[w];
      if (!weir_context_is (context, WEIR_MODE_DISABLED))
        continue;
      for (guint64 left = context->disabled[w]; left != 0; left &= left - 1)
        {
          guint32 e = w * 64 + (guint) __builtin_ctzll (left);

          if (context->entry_off[e] != self->entry_off[e])
            weir_bit_set (self->before, e);
        }
    }
}

void
weir_watch_end_request (WeirContext *context)
{
  WeirWatch *self = context->watch;

  if (--self->open_requests == 0 && self->is_told)
    {
      self->is_told = FALSE;
      find_computed (context);
      self->n_calls++;
      self->watcher.answered (context, (WeirEntry) { self->requested }, self->before, self->reads,
                              self->data);
      self->n_calls--;
    }
  leave_if_done (context);
}

/* --- Change events --------------------------------------------------------------------------- */

static void
begin_event (WeirContext *context, const guint64 *reached)
{
  WeirWatch *self = context->watch;

  for (guint32 w = 0; w < context->layout->n_words; w++)
    self->newly[w] = reached[w] & ~context->stale[w];
}

static void
end_event (WeirContext *context, WeirSource source)
{
  WeirWatch *self = context->watch;

  if (self->watcher.changed != NULL)
    {
      self->n_calls++;
      self->watcher.changed (context, source, self->reached, self->newly, self->data);
      self->n_calls--;
    }
  memset (self->reached, 0, context->layout->n_words * sizeof (guint64));
  leave_if_done (context);
}

static void
watch_mark (WeirContext *context, WeirSource source)
{
  WeirWatch *self = context->watch;

  weir_masks_mark (context->layout->masks, source.i, self->reached, context->scratch);
  begin_event (context, self->reached);
  for (guint32 w = 0; w < context->layout->n_words; w++)
    context->stale[w] |= self->reached[w];
  end_event (context, source);
}

static void
begin_joint (WeirContext *context, const guint64 *reached)
{
  memcpy (context->watch->reached, reached, context->layout->n_words * sizeof (guint64));
  begin_event (context, reached);
}

static void
end_joint (WeirContext *context)
{
  end_event (context, (WeirSource) { WEIR_NO_INDEX });
}

static const WeirWatchSide watch_side = {
  .mark = watch_mark,
  .begin_joint = begin_joint,
  .end_joint = end_joint,
  .end = end_watching,
};

void
weir_context_set_watcher (WeirContext *self, const WeirWatcher *watcher, gpointer data)
{
  gboolean is_busy = self->watch != NULL
                     && (self->watch->n_calls > 0 || self->watch->open_requests > 0);

  if (watcher != NULL && self->watch == NULL)
    {
      self->watcher = &watch_side;
      self->modes |= WEIR_MODE_WATCHED;
      self->watch = watch_new (self->layout);
    }
  if (self->watch == NULL)
    return;
  self->watch->watcher = watcher != NULL ? *watcher : (WeirWatcher) { 0 };
  self->watch->data = data;
  self->watch->is_told = FALSE;
  self->watch->is_leaving = watcher == NULL;
  if (watcher == NULL && !is_busy)
    end_watching (self);
}

/* --- Held entries ---------------------------------------------------------------------------- */

void
weir_context_set_entry_held (WeirContext *self, WeirEntry entry, gboolean held)
{
  if (weir_context_get_entry_held (self, entry) == held)
    return;
  if (self->held_entries == NULL)
    self->held_entries = g_new0 (guint64, MAX (self->layout->n_words, 1));
  if (held)
    weir_bit_set (self->held_entries, entry.i);
  else
    weir_bit_clear (self->held_entries, entry.i);
  weir_context_count (self, &self->n_held, held, WEIR_MODE_HELD);
}

gboolean
weir_context_get_entry_held (const WeirContext *self, WeirEntry entry)
{
  return self->held_entries != NULL && weir_bit (self->held_entries, entry.i);
}

guint
weir_context_get_n_held (const WeirContext *self)
{
  return self->n_held;
}

/* Time that passes while the watcher is asked is none of the calculation's. */
static gboolean
ask (WeirContext *context, guint32 entry)
{
  WeirWatch *watch = context->watch;
  WeirEntry requested = { WEIR_NO_INDEX };
  gboolean releases;

  if (watch == NULL || watch->watcher.releases == NULL)
    return FALSE;
  if (watch->open_requests > 0)
    requested.i = watch->requested;
  watch->n_calls++;
  releases = watch->watcher.releases (context, (WeirEntry) { entry }, requested, watch->data);
  watch->n_calls--;
  context->modes &= ~(guint32) WEIR_MODE_TIMING;
  leave_if_done (context);
  return releases;
}

gboolean
weir_watch_let_compute (WeirContext *context, guint32 entry)
{
  g_autofree char *path = NULL;

  if (!weir_bit (context->held_entries, entry) || ask (context, entry))
    return TRUE;
  path = weir_layout_dup_entry_path (context->layout, (WeirEntry) { entry });
  weir_context_set_failure (context, "%s is held and %s", path,
                            weir_context_is (context, WEIR_MODE_UNCACHED)
                                ? weir_phrase (N_ ("not cached, as caching is off"))
                            : weir_bit (context->disabled, entry)
                                ? weir_phrase (N_ ("not cached"))
                                : weir_phrase (N_ ("out of date")));
  return FALSE;
}
