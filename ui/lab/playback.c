/* A log ready to be looked at. See playback.h. */
#include "lab/playback.h"

#include <string.h>

#include "base/file.h"
#include "paint/scene/describe.h"

#define FIRST_LINE "weir-change-log\t"

struct _WeirPlayback {
  WeirTrace *trace;
  WeirScrubber *scrubber;
  GArray *stored;                                       /* or NULL */
  GPtrArray *entry_names, *source_names, *system_names; /* as far as they were asked for */
  WeirLayout *fitted;                                   /* compared last, or NULL */
  gboolean fits;                                        /* what came of it */

  /* What snapshots borrow. */
  WeirSnapshot snapshot;
  WeirCounters *counters;
  guint64 *none, *same;
  float *mean_ns;
};

WeirPlayback *
weir_playback_new (WeirTrace *trace, const GArray *stored, const gint *cancel, gint *done,
                   GError **error)
{
  WeirScrubber *scrubber = weir_scrubber_new (trace, 0, cancel, done, error);
  guint n = weir_trace_get_n_entries (trace);
  WeirPlayback *self;

  if (scrubber == NULL)
    return NULL;
  self = g_new0 (WeirPlayback, 1);
  self->trace = weir_trace_ref (trace);
  self->scrubber = scrubber;
  self->stored = stored != NULL ? weir_stored_runs_copy (stored) : NULL;
  self->entry_names = g_ptr_array_new_with_free_func (g_free);
  self->source_names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->entry_names, (gint) n);
  g_ptr_array_set_size (self->source_names, (gint) weir_trace_get_n_sources (trace));
  self->system_names = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->system_names, (gint) weir_trace_get_n_systems (trace));
  self->counters = g_new0 (WeirCounters, MAX (n, 1));
  self->none = g_new0 (guint64, n / 64 + 1);
  self->same = g_new0 (guint64, MAX (n, 1));
  self->mean_ns = g_new0 (float, MAX (n, 1));
  return self;
}

void
weir_playback_free (WeirPlayback *self)
{
  if (self == NULL)
    return;
  weir_scrubber_free (self->scrubber);
  weir_trace_unref (self->trace);
  g_clear_pointer (&self->fitted, weir_layout_unref);
  g_clear_pointer (&self->stored, weir_stored_runs_free);
  g_ptr_array_unref (self->entry_names);
  g_ptr_array_unref (self->source_names);
  g_ptr_array_unref (self->system_names);
  g_free (self->counters);
  g_free (self->none);
  g_free (self->same);
  g_free (self->mean_ns);
  g_free (self);
}

WeirScrubber *
weir_playback_get_scrubber (const WeirPlayback *self)
{
  return self->scrubber;
}

WeirTrace *
weir_playback_get_trace (const WeirPlayback *self)
{
  return self->trace;
}

const GArray *
weir_playback_get_stored (const WeirPlayback *self)
{
  return self->stored;
}

/* --- Names ----------------------------------------------------------------------------------- */

const char *
weir_playback_get_source_name (WeirPlayback *self, guint32 source)
{
  if (g_ptr_array_index (self->source_names, source) == NULL)
    self->source_names->pdata[source] = weir_describe_source (
        weir_trace_get_source_name (self->trace, source));
  return g_ptr_array_index (self->source_names, source);
}

const char *
weir_playback_get_entry_name (WeirPlayback *self, guint32 entry)
{
  if (g_ptr_array_index (self->entry_names, entry) == NULL)
    {
      g_autofree char *path = weir_trace_dup_path (
          self->trace, weir_trace_get_entry_system (self->trace, entry));
      g_autofree char *title = weir_describe_path (path);

      self->entry_names->pdata[entry] = g_strdup_printf (
          "%s: %s", title, weir_trace_get_entry_name (self->trace, entry));
    }
  return g_ptr_array_index (self->entry_names, entry);
}

const char *
weir_playback_get_system_name (WeirPlayback *self, guint32 system)
{
  if (g_ptr_array_index (self->system_names, system) == NULL)
    {
      g_autofree char *path = weir_trace_dup_path (self->trace, system);

      self->system_names->pdata[system] = weir_describe_path (path);
    }
  return g_ptr_array_index (self->system_names, system);
}

/* --- Boxes ----------------------------------------------------------------------------------- */

/* How much room each evaluation takes, with all that it asked for; requesters come later in the
 * list. */
static void
find_widths (const GArray *list, const guint *requester, guint *widths)
{
  for (guint i = 0; i < list->len; i++)
    {
      widths[i]++;
      if (requester[i] != G_MAXUINT)
        widths[requester[i]] += widths[i];
    }
}

/* The evaluation that asked for each: the next of the requester, whose turn comes after what it
 * asked for. */
static guint *
find_requesters (const GArray *list, guint n_entries)
{
  guint *requester = g_new (guint, MAX (list->len, 1));
  g_autofree guint *next = g_new (guint, MAX (n_entries, 1));

  memset (next, 0xff, n_entries * sizeof *next);
  for (guint i = list->len; i-- > 0;)
    {
      const WeirEvaluation *evaluation = &g_array_index (list, WeirEvaluation, i);

      requester[i] = evaluation->requester != WEIR_NO_INDEX ? next[evaluation->requester]
                                                            : G_MAXUINT;
      next[evaluation->entry] = i;
    }
  return requester;
}

/* Each within its requester, side by side in the order in which they were computed; an evaluation's
 * own share is at the right, after what it asked for. */
static GArray *
list_boxes (gpointer data, gsize index)
{
  WeirPlayback *self = data;
  g_autoptr (GArray) list = weir_scrubber_list_evaluations (self->scrubber, index, NULL);
  g_autofree guint *requester = NULL, *widths = NULL, *used = NULL;
  GArray *boxes;
  double unit;
  guint n_top = 0;

  if (list == NULL)
    return NULL;
  boxes = g_array_sized_new (FALSE, TRUE, sizeof (WeirTimelineBox), list->len);
  g_array_set_size (boxes, list->len);
  requester = find_requesters (list, weir_trace_get_n_entries (self->trace));
  widths = g_new0 (guint, MAX (list->len, 1));
  used = g_new0 (guint, MAX (list->len, 1));
  find_widths (list, requester, widths);
  unit = 1.0 / MAX (list->len, 1);
  /* Requesters first: places within them follow from theirs. What comes later lies further to the
   * right. */
  for (guint i = list->len; i-- > 0;)
    {
      const WeirEvaluation *evaluation = &g_array_index (list, WeirEvaluation, i);
      WeirTimelineBox *box = &g_array_index (boxes, WeirTimelineBox, i);
      guint r = requester[i], *taken = r != G_MAXUINT ? &used[r] : &n_top;
      const WeirTimelineBox *around = r != G_MAXUINT ? &g_array_index (boxes, WeirTimelineBox, r)
                                                     : NULL;

      if (around != NULL && *taken == 0)
        *taken = 1; /* its own share */
      box->name = weir_playback_get_entry_name (self, evaluation->entry);
      box->entry = evaluation->entry;
      box->depth = around != NULL ? around->depth + 1 : 0;
      box->end = (around != NULL ? around->end : 1) - *taken * unit;
      box->first = box->end - widths[i] * unit;
      box->reason = evaluation->reason;
      box->has_failed = evaluation->has_failed;
      box->changed = evaluation->changed;
      *taken += widths[i];
    }
  return boxes;
}

static const char *
get_source_name (gpointer data, guint32 source)
{
  return weir_playback_get_source_name (data, source);
}

static const char *
get_entry_name (gpointer data, guint32 entry)
{
  return weir_playback_get_entry_name (data, entry);
}

static const char *
get_unit_name (gpointer data, guint32 node)
{
  return weir_playback_get_system_name (data, node);
}

const WeirTimelineFuncs *
weir_playback_get_funcs (void)
{
  static const WeirTimelineFuncs funcs = { get_source_name, get_entry_name, get_unit_name,
                                           list_boxes };

  return &funcs;
}

/* --- Snapshots ------------------------------------------------------------------------------- */

void
weir_playback_set_mean_ns (WeirPlayback *self, const float *mean_ns)
{
  gsize size = weir_trace_get_n_entries (self->trace) * sizeof *mean_ns;

  if (mean_ns != NULL)
    memcpy (self->mean_ns, mean_ns, size);
  else
    memset (self->mean_ns, 0, size);
}

/* Counts evaluations in [first, end) that gave the same bytes. FALSE: none is stored there, but
 * there were some. */
static gboolean
count_same (WeirPlayback *self, gsize first, gsize end)
{
  gsize n, n_entries = weir_trace_get_n_entries (self->trace);
  const WeirLogRecord *records = weir_trace_get_records (self->trace, &n);
  const guint32 *amounts = weir_scrubber_get_amounts (self->scrubber);
  gboolean is_stored = FALSE, had_any = FALSE;

  memset (self->same, 0, n_entries * sizeof *self->same);
  for (gsize i = first; i < MIN (end, n); i++)
    if (records[i].kind == WEIR_LOG_EVALUATED)
      {
        is_stored = TRUE;
        for (guint32 k = 0; k < records[i].detail; k++)
          self->same[records[i].subject + k] += records[i].reason != WEIR_LOG_FIRST
                                                && (records[i].flags & WEIR_LOG_FLAG_FAILED) == 0
                                                && (records[i].number >> k & 1) == 0;
      }
    else if (records[i].kind == WEIR_LOG_REQUEST || records[i].kind == WEIR_LOG_CALCULATION)
      had_any |= amounts[i] > 0;
  return is_stored || !had_any;
}

static const WeirSnapshot *
fill (WeirPlayback *self, gsize first, gsize place)
{
  gsize n;
  const WeirLogRecord *records = weir_trace_get_records (self->trace, &n);

  self->snapshot = (WeirSnapshot) {
    .state = WEIR_SESSION_PAUSED,
    .time = n == 0 ? 0 : records[place > 0 ? place - 1 : 0].time,
    .n_events = weir_scrubber_get_n_events (self->scrubber),
    .caching = weir_scrubber_get_caching (self->scrubber),
    .limiting_state = G_MAXUINT,
    .n_entries = weir_trace_get_n_entries (self->trace),
    .counters = self->counters,
    .flags = weir_scrubber_get_out_of_date (self->scrubber),
    .disabled = weir_scrubber_get_disabled (self->scrubber),
    .held = self->none,
    .mean_ns = self->mean_ns,
    .same = count_same (self, first, place) ? self->same : NULL,
    .n_sources = weir_trace_get_n_sources (self->trace),
    .source_last = weir_scrubber_get_source_events (self->scrubber),
    .is_past = TRUE,
  };
  return &self->snapshot;
}

const WeirSnapshot *
weir_playback_show (WeirPlayback *self, gsize place, GError **error)
{
  if (!weir_scrubber_seek (self->scrubber, place, error))
    return NULL;
  weir_scrubber_read_counters (self->scrubber, self->counters);
  return fill (self, 0, place);
}

const WeirSnapshot *
weir_playback_show_range (WeirPlayback *self, gsize first, gsize end, GError **error)
{
  if (!weir_scrubber_read_range (self->scrubber, first, end, self->counters, error))
    return NULL;
  return fill (self, first, end);
}

gboolean
weir_playback_fits (WeirPlayback *self, WeirLayout *layout)
{
  if (layout != self->fitted)
    {
      g_clear_pointer (&self->fitted, weir_layout_unref);
      self->fitted = weir_layout_ref (layout);
      self->fits = weir_trace_fits (self->trace, layout);
    }
  return self->fits;
}

gboolean
weir_playback_is_change_log (GFile *file)
{
  return weir_file_begins_with (file, FIRST_LINE);
}
