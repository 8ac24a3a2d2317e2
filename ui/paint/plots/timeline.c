/* What of a log is in view. See timeline.h. */
#include "paint/plots/timeline-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MIN_IN_VIEW 8.0 /* records */

static void
flame_clear (gpointer data)
{
  g_array_unref (((WeirTimelineFlame *) data)->boxes);
}

static void
thread_clear (gpointer data)
{
  g_array_unref (((WeirTimelineThread *) data)->bars);
}

WeirTimeline *
weir_timeline_new (void)
{
  WeirTimeline *self = g_new0 (WeirTimeline, 1);

  self->bins = g_array_new (FALSE, TRUE, sizeof (WeirTimelineSum));
  self->flames = g_array_new (FALSE, FALSE, sizeof (WeirTimelineFlame));
  g_array_set_clear_func (self->flames, flame_clear);
  self->threads = g_array_new (FALSE, FALSE, sizeof (WeirTimelineThread));
  g_array_set_clear_func (self->threads, thread_clear);
  self->cursor = G_MAXSIZE;
  self->last = 1;
  return self;
}

void
weir_timeline_free (WeirTimeline *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->bins);
  g_array_unref (self->flames);
  g_array_unref (self->threads);
  g_free (self);
}

const char *
weir_timeline_get_phase_title (WeirLogPhase phase)
{
  switch (phase)
    {
    case WEIR_LOG_PHASE_OUTSIDE:
      return _ ("Outside of a run");
    case WEIR_LOG_PHASE_INITIALIZATION:
      return _ ("Initialisation");
    case WEIR_LOG_PHASE_PUBLISH:
      return _ ("Publish");
    case WEIR_LOG_PHASE_DISCRETE_UPDATE:
      return _ ("Discrete update");
    case WEIR_LOG_PHASE_UNRESTRICTED_UPDATE:
      return _ ("Unrestricted update");
    case WEIR_LOG_PHASE_INTEGRATION:
      return _ ("Accepted step");
    case WEIR_LOG_PHASE_TRIAL:
      return _ ("Solver’s trial");
    case WEIR_LOG_PHASE_LOCATION:
      return _ ("Locating an event");
    case WEIR_LOG_PHASE_MONITOR:
      return _ ("Logging, displays");
    case WEIR_LOG_PHASE_EDIT:
      return _ ("Edit");
    case WEIR_LOG_N_PHASES:
    default:
      g_return_val_if_reached (NULL);
    }
}

/* --- Bins ------------------------------------------------------------------------------------ */

static void
add_record (WeirTimelineSum *sum, const WeirLogRecord *record, guint32 amount)
{
  if (weir_timeline_is_event (record))
    {
      sum->events[record->phase]++;
      sum->most_stale = MAX (sum->most_stale, amount);
    }
  else if (weir_timeline_is_request (record))
    {
      sum->requests[record->phase]++;
      sum->most_computed = MAX (sum->most_computed, amount);
    }
  else if (!weir_timeline_is_part (record))
    sum->others[record->phase]++;
}

static void
add_sum (WeirTimelineSum *sum, const WeirTimelineSum *other)
{
  for (guint p = 0; p < WEIR_LOG_N_PHASES; p++)
    {
      sum->events[p] += other->events[p];
      sum->requests[p] += other->requests[p];
      sum->others[p] += other->others[p];
    }
  sum->most_stale = MAX (sum->most_stale, other->most_stale);
  sum->most_computed = MAX (sum->most_computed, other->most_computed);
}

WeirTimelineSum
weir_timeline_sum (const WeirTimeline *self, gsize first, gsize end)
{
  WeirTimelineSum sum = { .most_stale = 0 };

  for (end = MIN (end, self->n); first < end;)
    if (first % WEIR_TIMELINE_BIN == 0 && first + WEIR_TIMELINE_BIN <= end)
      {
        add_sum (&sum, &g_array_index (self->bins, WeirTimelineSum, first / WEIR_TIMELINE_BIN));
        first += WEIR_TIMELINE_BIN;
      }
    else
      {
        add_record (&sum, &self->records[first], self->amounts[first]);
        first++;
      }
  return sum;
}

static void
take_lanes (WeirTimeline *self)
{
  WeirTimelineSum all = weir_timeline_sum (self, 0, self->n);

  self->n_lanes = 0;
  self->most_stale = all.most_stale;
  self->most_computed = all.most_computed;
  for (guint p = 0; p < WEIR_LOG_N_PHASES; p++)
    {
      self->lane_of[p] = -1;
      if (all.events[p] + all.requests[p] + all.others[p] == 0)
        continue;
      self->phase_of[self->n_lanes] = (WeirLogPhase) p;
      self->lane_of[p] = (int) self->n_lanes++;
    }
}

void
weir_timeline_set_records (WeirTimeline *self, const WeirLogRecord *records, const guint32 *amounts,
                           gsize n, const WeirTimelineFuncs *funcs, gpointer data)
{
  self->records = records;
  self->amounts = amounts;
  self->n = n;
  self->funcs = funcs != NULL ? *funcs : (WeirTimelineFuncs) { NULL };
  self->data = data;
  self->cursor = G_MAXSIZE;
  self->selected = self->selected_end = 0;
  g_array_set_size (self->flames, 0);
  g_array_set_size (self->threads, 0);
  self->step = NULL;
  g_array_set_size (self->bins, 0);
  for (gsize first = 0; first + WEIR_TIMELINE_BIN <= n; first += WEIR_TIMELINE_BIN)
    {
      WeirTimelineSum sum = { .most_stale = 0 };

      for (gsize i = first; i < first + WEIR_TIMELINE_BIN; i++)
        add_record (&sum, &records[i], amounts[i]);
      g_array_append_val (self->bins, sum);
    }
  take_lanes (self);
  weir_timeline_fit (self);
}

guint
weir_timeline_get_n_lanes (const WeirTimeline *self)
{
  return self->n_lanes;
}

double
weir_timeline_get_height (const WeirTimeline *self)
{
  return weir_timeline_strips_y (self) + 2 * WEIR_TIMELINE_STRIP
         + WEIR_TIMELINE_ROWS * WEIR_TIMELINE_BOX + 4;
}

gsize
weir_timeline_get_end (const WeirTimeline *self, gsize index)
{
  for (index++; index < self->n && self->records[index].kind >= WEIR_LOG_NESTED;)
    index++;
  return index;
}

/* --- The view -------------------------------------------------------------------------------- */

void
weir_timeline_get_range (const WeirTimeline *self, double *first, double *last)
{
  *first = self->first;
  *last = self->last;
}

void
weir_timeline_set_range (WeirTimeline *self, double first, double last)
{
  double length = CLAMP (last - first, MIN_IN_VIEW, MAX ((double) self->n, MIN_IN_VIEW));

  g_return_if_fail (isfinite (first) && isfinite (last));

  first = CLAMP (first, 0, MAX ((double) self->n - length, 0));
  self->first = first;
  self->last = first + length;
}

void
weir_timeline_fit (WeirTimeline *self)
{
  weir_timeline_set_range (self, 0, (double) self->n);
}

void
weir_timeline_zoom (WeirTimeline *self, double factor, double at)
{
  double length = CLAMP ((self->last - self->first) * factor, MIN_IN_VIEW,
                         MAX ((double) self->n, MIN_IN_VIEW));
  double share = (at - self->first) / (self->last - self->first);

  weir_timeline_set_range (self, at - share * length, at - share * length + length);
}

void
weir_timeline_reveal (WeirTimeline *self, gsize index)
{
  double length = self->last - self->first, margin = length * 0.1, at = (double) index;

  if (at < self->first)
    weir_timeline_set_range (self, at - margin, at - margin + length);
  else if (at + 1 > self->last)
    weir_timeline_set_range (self, at + 1 + margin - length, at + 1 + margin);
}

void
weir_timeline_set_cursor (WeirTimeline *self, gsize index)
{
  self->cursor = index < self->n ? index : G_MAXSIZE;
}

gsize
weir_timeline_get_cursor (const WeirTimeline *self)
{
  return self->cursor;
}

void
weir_timeline_set_selection (WeirTimeline *self, gsize first, gsize end)
{
  self->selected = MIN (first, self->n);
  self->selected_end = CLAMP (end, self->selected, self->n);
}

gboolean
weir_timeline_get_selection (const WeirTimeline *self, gsize *first, gsize *end)
{
  *first = self->selected;
  *end = self->selected_end;
  return self->selected < self->selected_end;
}

/* --- Positions ------------------------------------------------------------------------------- */

double
weir_timeline_to_x (const WeirTimeline *self, double record)
{
  return self->x + (record - self->first) / (self->last - self->first) * self->width;
}

double
weir_timeline_from_x (const WeirTimeline *self, double x)
{
  return self->first + (x - self->x) / MAX (self->width, 1) * (self->last - self->first);
}

gboolean
weir_timeline_hit (const WeirTimeline *self, double x, double y, gsize *index)
{
  double at = floor (weir_timeline_from_x (self, x));

  *index = self->n == 0 ? 0 : (gsize) CLAMP (at, 0, (double) self->n - 1);
  while (*index > 0 && self->records[*index].kind >= WEIR_LOG_NESTED)
    --*index;
  return x >= self->x && at >= 0 && at < (double) self->n && y >= WEIR_TIMELINE_AXIS
         && y < self->flames_top;
}

const WeirTimelineBox *
weir_timeline_hit_box (const WeirTimeline *self, double x, double y, gsize *index)
{
  guint depth;

  if (y < self->flames_top || x < self->x)
    return NULL;
  depth = (guint) ((y - self->flames_top) / WEIR_TIMELINE_BOX);
  for (guint f = 0; f < self->flames->len; f++)
    {
      const WeirTimelineFlame *flame = &g_array_index (self->flames, WeirTimelineFlame, f);
      double share = (x - flame->x) / flame->width;

      for (guint i = 0; i < flame->boxes->len && share >= 0 && share < 1; i++)
        {
          const WeirTimelineBox *box = &g_array_index (flame->boxes, WeirTimelineBox, i);

          if (box->depth != depth || share < box->first || share >= box->end)
            continue;
          *index = flame->index;
          return box;
        }
    }
  return NULL;
}

gsize
weir_timeline_get_n_marks (const WeirTimeline *self)
{
  return self->n_marks;
}
