/* Drawing a timeline. See timeline.h. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/plots/axis.h"
#include "paint/drawing/badge.h"
#include "paint/drawing/glyph.h"
#include "paint/plots/timeline-private.h"

#define TEXT 9.5
#define TICK_ROOM 110.0 /* pixels between labels at least */
#define FLAME_NEAR                                                                                 \
  40.0 /* pixels of a request from which on its evaluations are drawn beneath it                   \
        */
#define MIN_BAR 1.0

typedef struct {
  WeirTimeline *self;
  WeirPen *pen;
  cairo_t *cr;
  const WeirPalette *palette;
  double scale; /* pixels a record */
} Drawing;

static WeirColor
event_color (const WeirPalette *palette)
{
  return weir_badge_get_color (WEIR_BADGE_STALE, palette);
}

static WeirColor
request_color (const WeirPalette *palette)
{
  return weir_badge_get_color (WEIR_BADGE_COMPUTING, palette);
}

/* To be filled with all others of its colour. */
static void
add_rect (Drawing *d, double x, double y, double width, double height)
{
  cairo_rectangle (d->cr, x, y, width, height);
  d->self->n_marks++;
}

/* --- The frame ------------------------------------------------------------------------------- */

static void
draw_lane (Drawing *d, guint lane, const char *title)
{
  const WeirTimeline *self = d->self;
  double y = weir_timeline_lane_y (lane);

  if (lane % 2 == 0)
    {
      weir_set_source_alpha (d->cr, d->palette->grid, 0.45);
      cairo_rectangle (d->cr, 0, y, self->x + self->width, WEIR_TIMELINE_LANE);
      cairo_fill (d->cr);
    }
  weir_set_source (d->cr, d->palette->text);
  weir_pen_text (d->pen, title, TEXT, 8, y + WEIR_TIMELINE_LANE / 2, 0, 0.5, self->x - 12);
}

static void
draw_lanes (Drawing *d)
{
  const WeirTimeline *self = d->self;

  for (guint lane = 0; lane < self->n_lanes; lane++)
    draw_lane (d, lane, weir_timeline_get_phase_title (self->phase_of[lane]));
  for (guint i = 0; i < self->threads->len; i++)
    {
      guint32 thread = g_array_index (self->threads, WeirTimelineThread, i).thread;
      g_autofree char *title = thread == 0 ? g_strdup (_ ("Run’s own thread"))
                                           : g_strdup_printf (_ ("Thread %u"), thread);

      draw_lane (d, self->n_lanes + i, title);
    }
}

/* Labels at round numbers of records: the simulated time there, and the number of the
 * newest event. */
static void
draw_axis (Drawing *d)
{
  const WeirTimeline *self = d->self;
  double length = self->last - self->first;
  guint n_ticks = (guint) MAX (self->width / TICK_ROOM, 1);
  double step = MAX (weir_axis_get_step (length, n_ticks), 1);

  cairo_set_line_width (d->cr, 1);
  for (double at = ceil (self->first / step) * step; at < self->last && at < (double) self->n;
       at += step)
    {
      const WeirLogRecord *record = &self->records[(gsize) at];
      double x = floor (weir_timeline_to_x (self, at)) + 0.5;
      g_autofree char *time = weir_axis_format_value (record->time);
      g_autofree char *shown = g_strdup_printf (_ ("t = %s s"), time);
      g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, record->number);
      g_autofree char *number = g_strdup_printf (_ ("event %s"), count);

      weir_set_source (d->cr, d->palette->grid);
      cairo_move_to (d->cr, x, WEIR_TIMELINE_AXIS - 4);
      cairo_line_to (d->cr, x, self->flames_top);
      cairo_stroke (d->cr);
      weir_set_source (d->cr, d->palette->dim_text);
      weir_pen_text (d->pen, shown, TEXT, x + 3, 9, 0, 0.5, 0);
      if (record->kind != WEIR_LOG_EVALUATED)
        weir_pen_text (d->pen, number, TEXT - 1, x + 3, 22, 0, 0.5, 0);
    }
}

/* --- From afar ------------------------------------------------------------------------------- */

static double
get_bar (guint32 count, guint32 of, double height)
{
  return count == 0 ? 0 : MAX (MIN_BAR, height * sqrt ((double) count / MAX (of, 1)));
}

static void
add_strip_bar (Drawing *d, guint strip, double x, double width, guint32 amount, guint32 most)
{
  double base = weir_timeline_strips_y (d->self) + (strip + 1) * WEIR_TIMELINE_STRIP - 2;
  double bar = get_bar (amount, most, WEIR_TIMELINE_STRIP - 6);

  if (bar > 0)
    add_rect (d, x, base - bar, width, bar);
}

typedef struct {
  double x;
  guint32 n; /* records */
  WeirTimelineSum sum;
} Column;

/* Upwards from the middle of its lane what events there are. */
static void
add_events (Drawing *d, const Column *column)
{
  const WeirTimeline *self = d->self;

  for (guint lane = 0; lane < self->n_lanes; lane++)
    {
      double bar = get_bar (column->sum.events[self->phase_of[lane]], column->n,
                            WEIR_TIMELINE_LANE / 2 - 1.5);

      if (bar > 0)
        add_rect (d, column->x, weir_timeline_lane_y (lane) + WEIR_TIMELINE_LANE / 2 - bar, 1, bar);
    }
  add_strip_bar (d, 0, column->x, 1, column->sum.most_stale, self->most_stale);
}

/* Downwards requests, and what else happened. */
static void
add_requests (Drawing *d, const Column *column)
{
  const WeirTimeline *self = d->self;

  for (guint lane = 0; lane < self->n_lanes; lane++)
    {
      WeirLogPhase phase = self->phase_of[lane];
      double bar = get_bar (column->sum.requests[phase] + column->sum.others[phase], column->n,
                            WEIR_TIMELINE_LANE / 2 - 1.5);

      if (bar > 0)
        add_rect (d, column->x, weir_timeline_lane_y (lane) + WEIR_TIMELINE_LANE / 2 + 1, 1, bar);
    }
  add_strip_bar (d, 1, column->x, 1, column->sum.most_computed, self->most_computed);
}

/* All of a colour at once: a column has a dozen bars. */
static void
draw_far (Drawing *d)
{
  WeirTimeline *self = d->self;
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (Column));
  gsize end = MIN ((gsize) MAX (floor (self->first), 0), self->n);

  for (double x = 0; x < self->width && end < self->n; x++)
    {
      Column column = { .x = self->x + x };
      gsize first = end;

      end = (gsize) CLAMP (weir_timeline_from_x (self, self->x + x + 1), (double) first,
                           (double) self->n);
      if (end == first)
        continue;
      column.n = (guint32) (end - first);
      column.sum = weir_timeline_sum (self, first, end);
      g_array_append_val (columns, column);
    }
  cairo_save (d->cr);
  cairo_set_antialias (d->cr, CAIRO_ANTIALIAS_NONE);
  weir_set_source (d->cr, event_color (d->palette));
  for (guint i = 0; i < columns->len; i++)
    add_events (d, &g_array_index (columns, Column, i));
  cairo_fill (d->cr);
  weir_set_source (d->cr, request_color (d->palette));
  for (guint i = 0; i < columns->len; i++)
    add_requests (d, &g_array_index (columns, Column, i));
  cairo_fill (d->cr);
  cairo_restore (d->cr);
}

/* --- Near ------------------------------------------------------------------------------------ */

/* A triangle that points down to what it reaches; hollow if that was out of date already. */
static void
draw_event (Drawing *d, double x, double y, gsize index)
{
  double half = CLAMP (d->scale * 0.42, 2, 6), top = y + 3, low = y + WEIR_TIMELINE_LANE - 4;

  cairo_move_to (d->cr, x - half, top);
  cairo_line_to (d->cr, x + half, top);
  cairo_line_to (d->cr, x, low);
  cairo_close_path (d->cr);
  weir_set_source (d->cr, event_color (d->palette));
  cairo_set_line_width (d->cr, 1.2);
  if (d->self->amounts[index] > 0)
    cairo_fill_preserve (d->cr);
  cairo_stroke (d->cr);
}

/* A box as wide as all that belongs to it; hollow if nothing had to be computed. */
static void
draw_request (Drawing *d, double x, double y, double width, gsize index)
{
  cairo_rectangle (d->cr, x + 1, y + 5, MAX (width - 2, 2), WEIR_TIMELINE_LANE - 10);
  weir_set_source (d->cr, request_color (d->palette));
  cairo_set_line_width (d->cr, 1.2);
  if (d->self->amounts[index] > 0)
    cairo_fill_preserve (d->cr);
  cairo_stroke (d->cr);
}

static void
draw_other (Drawing *d, double x, double y)
{
  double middle = y + WEIR_TIMELINE_LANE / 2;

  cairo_move_to (d->cr, x, middle - 5);
  cairo_line_to (d->cr, x + 4, middle);
  cairo_line_to (d->cr, x, middle + 5);
  cairo_line_to (d->cr, x - 4, middle);
  cairo_close_path (d->cr);
  weir_set_source (d->cr, weir_badge_get_color (WEIR_BADGE_DISABLED, d->palette));
  cairo_fill (d->cr);
}

/* What an event changed or a request asked for, where there is room up to the next mark of the
 * lane. */
static void
draw_name (Drawing *d, const WeirLogRecord *record, double x, double y, double room)
{
  WeirTimeline *self = d->self;
  const char *name = NULL;

  if (record->kind == WEIR_LOG_EVENT && self->funcs.get_source_name != NULL)
    name = self->funcs.get_source_name (self->data, record->subject);
  else if (weir_timeline_is_request (record) && self->funcs.get_entry_name != NULL)
    name = self->funcs.get_entry_name (self->data, record->subject);
  else if (record->kind == WEIR_LOG_JOINT)
    name = _ ("together");
  if (name == NULL || room < 28)
    return;
  weir_set_source (d->cr, d->palette->text);
  weir_pen_text (d->pen, name, TEXT - 0.5, x, y + WEIR_TIMELINE_LANE / 2, 0, 0.5, room);
}

static void
draw_mark (Drawing *d, gsize i, gsize end, double room)
{
  WeirTimeline *self = d->self;
  const WeirLogRecord *record = &self->records[i];
  double x = weir_timeline_to_x (self, (double) i), width = (double) (end - i) * d->scale;
  double y = weir_timeline_lane_y ((guint) MAX (self->lane_of[record->phase], 0)),
         middle = x + d->scale / 2;

  if (weir_timeline_is_event (record))
    {
      draw_event (d, middle, y, i);
      weir_set_source (d->cr, event_color (d->palette));
      add_strip_bar (d, 0, x + 0.5, MAX (d->scale - 1, 1), self->amounts[i], self->most_stale);
      cairo_fill (d->cr);
    }
  else if (weir_timeline_is_request (record))
    {
      draw_request (d, x, y, width, i);
      weir_set_source (d->cr, request_color (d->palette));
      add_strip_bar (d, 1, x + 0.5, MAX (width - 1, 1), self->amounts[i], self->most_computed);
      cairo_fill (d->cr);
    }
  else
    draw_other (d, middle, y);
  self->n_marks++;
  draw_name (d, record, x + (weir_timeline_is_event (record) ? d->scale / 2 + 8 : width + 3), y,
             room - (weir_timeline_is_event (record) ? d->scale / 2 + 10 : width + 6));
}

static void
draw_near (Drawing *d)
{
  WeirTimeline *self = d->self;
  gsize last = MIN ((gsize) ceil (self->last), self->n);
  double next_x[WEIR_LOG_N_PHASES];

  for (guint p = 0; p < WEIR_LOG_N_PHASES; p++)
    next_x[p] = self->x + self->width;
  /* From the right, so that each knows where its lane's next one is. */
  for (gsize i = last; i-- > 0 && (double) i >= self->first - 1;)
    {
      const WeirLogRecord *record = &self->records[i];
      double x = weir_timeline_to_x (self, (double) i);

      if (weir_timeline_is_part (record))
        continue;
      draw_mark (d, i, weir_timeline_get_end (self, i), next_x[record->phase] - x);
      next_x[record->phase] = x;
    }
}

/* --- Steps of units -------------------------------------------------------------------------- */

static void
draw_unit_name (Drawing *d, const WeirTimelineBar *bar, double x, double width, double y)
{
  WeirTimeline *self = d->self;
  const char *name = self->funcs.get_unit_name != NULL
                         ? self->funcs.get_unit_name (self->data, bar->step->node)
                         : NULL;

  if (name == NULL || weir_pen_get_text_width (d->pen, name, TEXT - 0.5) > width - 5)
    return;
  weir_set_source (d->cr, d->palette->text);
  weir_pen_text (d->pen, name, TEXT - 0.5, x + 3, y + WEIR_TIMELINE_LANE / 2, 0, 0.5, width - 5);
}

/* Those that follow each other within a pixel are one mark. */
static void
draw_thread (Drawing *d, guint lane, const WeirTimelineThread *thread)
{
  WeirTimeline *self = d->self;
  double y = weir_timeline_lane_y (lane), right = self->x + self->width;

  for (guint i = weir_timeline_find_bar (thread, self->first); i < thread->bars->len;)
    {
      const WeirTimelineBar *bar = &g_array_index (thread->bars, WeirTimelineBar, i);
      double x = MAX (weir_timeline_to_x (self, bar->first), self->x - 2);
      double end = MAX (MIN (weir_timeline_to_x (self, bar->end), right + 2), x + 1);

      gboolean is_chosen = bar->step == self->step;

      if (x > right)
        break;
      cairo_rectangle (d->cr, x, y + 3.5, end - x, WEIR_TIMELINE_LANE - 7);
      weir_set_source (d->cr, d->palette->fill);
      cairo_fill_preserve (d->cr);
      weir_set_source (d->cr, is_chosen ? d->palette->selection : d->palette->stroke);
      cairo_set_line_width (d->cr, (is_chosen ? 2 : 1) * d->palette->line_width);
      cairo_stroke (d->cr);
      self->n_marks++;
      draw_unit_name (d, bar, x, end - x, y);
      i = MAX (i + 1, weir_timeline_find_bar (thread, weir_timeline_from_x (self, x + 1)));
    }
}

static void
draw_steps (Drawing *d)
{
  const WeirTimeline *self = d->self;

  for (guint i = 0; i < self->threads->len; i++)
    draw_thread (d, self->n_lanes + i, &g_array_index (self->threads, WeirTimelineThread, i));
}

/* --- Evaluations ----------------------------------------------------------------------------- */

static WeirColor
box_color (const WeirTimelineBox *box, const WeirPalette *palette)
{
  return box->has_failed                    ? weir_badge_get_color (WEIR_BADGE_FAULT, palette)
         : box->reason == WEIR_LOG_DISABLED ? weir_badge_get_color (WEIR_BADGE_DISABLED, palette)
         : box->reason == WEIR_LOG_FIRST    ? weir_badge_get_color (WEIR_BADGE_FRESH, palette)
                                            : request_color (palette);
}

/* Filled; hollow if it gave the same bytes as before. */
static void
draw_box (Drawing *d, const WeirTimelineFlame *flame, const WeirTimelineBox *box)
{
  double x = flame->x + box->first * flame->width, width = (box->end - box->first) * flame->width;
  double y = d->self->flames_top + box->depth * WEIR_TIMELINE_BOX;

  if (y + WEIR_TIMELINE_BOX > d->self->height)
    return;
  cairo_rectangle (d->cr, x + 0.5, y + 1.5, MAX (width - 1, 0.5), WEIR_TIMELINE_BOX - 3);
  weir_set_source_alpha (d->cr, box_color (box, d->palette), box->changed == 0 ? 0.12 : 0.5);
  cairo_fill_preserve (d->cr);
  weir_set_source (d->cr, box_color (box, d->palette));
  cairo_set_line_width (d->cr, 1);
  cairo_stroke (d->cr);
  d->self->n_marks++;
  if (width < 24 || box->name == NULL)
    return;
  weir_set_source (d->cr, d->palette->text);
  weir_pen_text (d->pen, box->name, TEXT - 0.5, x + 4, y + WEIR_TIMELINE_BOX / 2, 0, 0.5,
                 width - 7);
}

static void
draw_flame (Drawing *d, gsize index, double x, double width)
{
  WeirTimeline *self = d->self;
  WeirTimelineFlame flame = { index, x, width, NULL };

  if (self->funcs.list_boxes == NULL || self->amounts[index] == 0
      || (flame.boxes = self->funcs.list_boxes (self->data, index)) == NULL)
    return;
  g_array_append_val (self->flames, flame);
  for (guint i = 0; i < flame.boxes->len; i++)
    draw_box (d, &flame, &g_array_index (flame.boxes, WeirTimelineBox, i));
}

/* Beneath each request in view where there is room, else those of the one looked at, over the whole
 * width. */
static void
draw_flames (Drawing *d)
{
  WeirTimeline *self = d->self;
  gsize last = MIN ((gsize) ceil (self->last), self->n);
  gboolean is_near = d->scale >= WEIR_TIMELINE_NEAR;

  g_array_set_size (self->flames, 0);
  weir_set_source (d->cr, d->palette->text);
  weir_pen_text (d->pen, _ ("Evaluations"), TEXT, 8, self->flames_top + WEIR_TIMELINE_BOX / 2, 0,
                 0.5, self->x - 12);
  if (d->scale < FLAME_NEAR && self->cursor < self->n
      && weir_timeline_is_request (&self->records[self->cursor]))
    {
      draw_flame (d, self->cursor, self->x + 1, self->width - 2);
      return;
    }
  if (!is_near)
    return;
  for (gsize i = (gsize) MAX (self->first, 0); i < last; i++)
    if (weir_timeline_is_request (&self->records[i]))
      {
        double width = (double) (weir_timeline_get_end (self, i) - i) * d->scale;

        if (width >= FLAME_NEAR)
          draw_flame (d, i, weir_timeline_to_x (self, (double) i), width);
      }
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
draw_strip_titles (Drawing *d)
{
  const WeirTimeline *self = d->self;
  const char *titles[] = { _ ("Put out of date"), _ ("Computed") };
  const guint32 most[] = { self->most_stale, self->most_computed };

  for (guint i = 0; i < 2; i++)
    {
      double y = weir_timeline_strips_y (self) + i * WEIR_TIMELINE_STRIP;
      g_autofree char *text = g_strdup_printf (_ ("%s, ≤ %u"), titles[i], most[i]);

      weir_set_source (d->cr, d->palette->grid);
      cairo_set_line_width (d->cr, 1);
      cairo_move_to (d->cr, 0, floor (y) + 0.5);
      cairo_line_to (d->cr, self->x + self->width, floor (y) + 0.5);
      cairo_stroke (d->cr);
      weir_set_source (d->cr, d->palette->text);
      weir_pen_text (d->pen, text, TEXT, 8, y + WEIR_TIMELINE_STRIP / 2, 0, 0.5, self->x - 12);
    }
  weir_set_source (d->cr, d->palette->grid);
  cairo_move_to (d->cr, 0, floor (self->flames_top) - 1.5);
  cairo_line_to (d->cr, self->x + self->width, floor (self->flames_top) - 1.5);
  cairo_stroke (d->cr);
}

static void
draw_selection (Drawing *d)
{
  const WeirTimeline *self = d->self;
  double x, end;

  if (self->selected >= self->selected_end)
    return;
  x = MAX (weir_timeline_to_x (self, (double) self->selected), self->x);
  end = MIN (weir_timeline_to_x (self, (double) self->selected_end), self->x + self->width);
  if (end <= self->x || x >= self->x + self->width)
    return;
  weir_set_source_alpha (d->cr, d->palette->selection, 0.16);
  cairo_rectangle (d->cr, x, 0, MAX (end - x, 1), self->flames_top);
  cairo_fill (d->cr);
  weir_set_source (d->cr, d->palette->selection);
  cairo_set_line_width (d->cr, 1);
  cairo_rectangle (d->cr, floor (x) + 0.5, 0.5, MAX (floor (end - x), 1), self->flames_top - 1);
  cairo_stroke (d->cr);
}

static void
draw_cursor (Drawing *d)
{
  const WeirTimeline *self = d->self;
  double x;

  if (self->cursor >= self->n)
    return;
  x = weir_timeline_to_x (self, (double) self->cursor + 0.5);
  if (x < self->x || x > self->x + self->width)
    return;
  weir_set_source (d->cr, d->palette->text);
  cairo_set_line_width (d->cr, 1.5 * d->palette->line_width);
  cairo_move_to (d->cr, x, WEIR_TIMELINE_AXIS - 6);
  cairo_line_to (d->cr, x, self->flames_top - 2);
  cairo_stroke (d->cr);
  cairo_move_to (d->cr, x - 5, WEIR_TIMELINE_AXIS - 9);
  cairo_line_to (d->cr, x + 5, WEIR_TIMELINE_AXIS - 9);
  cairo_line_to (d->cr, x, WEIR_TIMELINE_AXIS - 2);
  cairo_close_path (d->cr);
  cairo_fill (d->cr);
}

void
weir_timeline_draw (WeirTimeline *self, cairo_t *cr, double width, double height,
                    const WeirPalette *palette)
{
  WeirPen pen;
  Drawing d = { self, &pen, cr, palette, 0 };

  self->x = MIN (WEIR_TIMELINE_TITLES, width / 3);
  self->width = MAX (width - self->x - 1, 1);
  self->height = height;
  self->flames_top = weir_timeline_strips_y (self) + 2 * WEIR_TIMELINE_STRIP + 4;
  self->n_marks = 0;
  d.scale = self->width / (self->last - self->first);
  weir_set_source (cr, palette->background);
  cairo_paint (cr);
  if (self->n == 0)
    return;
  weir_pen_init (&pen, cr, palette, 1);
  draw_lanes (&d);
  cairo_save (cr);
  cairo_rectangle (cr, self->x, 0, self->width, height);
  cairo_clip (cr);
  draw_axis (&d);
  if (d.scale >= WEIR_TIMELINE_NEAR)
    draw_near (&d);
  else
    draw_far (&d);
  draw_steps (&d);
  cairo_restore (cr);
  draw_strip_titles (&d);
  cairo_save (cr);
  cairo_rectangle (cr, 0, self->flames_top, width, MAX (height - self->flames_top, 0));
  cairo_clip (cr);
  draw_flames (&d);
  cairo_restore (cr);
  draw_selection (&d);
  draw_cursor (&d);
  weir_pen_clear (&pen);
}
