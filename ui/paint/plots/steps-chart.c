/* Drawing the steps of units. See steps-chart.h. */
#include "paint/plots/steps-chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/ground/pen.h"
#include "paint/plots/axis.h"

#define AXIS 18.0
#define LANE 24.0
#define TITLES 104.0
#define GAP 3.0 /* above and below a step */
#define TEXT 9.5
#define TICK_ROOM 70.0 /* between labels, at least */
#define MIN_WIDTH 2.0

typedef struct {
  double first, length; /* us */
  double x, width;      /* of the lanes */
} Extent;

static Extent
get_extent (const WeirStepBar *bars, guint n, double width)
{
  Extent extent = { .x = MIN (TITLES, width / 3) };
  double last;

  extent.width = MAX (width - extent.x - MIN_WIDTH - 1, 1);
  if (n == 0)
    return extent;
  extent.first = bars[0].begin;
  last = bars[0].end;
  for (guint i = 1; i < n; i++)
    {
      extent.first = fmin (extent.first, bars[i].begin);
      last = fmax (last, bars[i].end);
    }
  extent.length = fmax (last - extent.first, 1);
  return extent;
}

/* Threads that made no step have no lane. */
static guint
get_lane (const WeirStepBar *bars, guint n, guint thread)
{
  guint lane = 0;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_counted = bars[i].thread >= thread;

      for (guint k = 0; k < i && !is_counted; k++)
        is_counted = bars[k].thread == bars[i].thread;
      lane += !is_counted;
    }
  return lane;
}

static guint
get_n_lanes (const WeirStepBar *bars, guint n)
{
  return get_lane (bars, n, G_MAXUINT);
}

static gboolean
is_first_of_thread (const WeirStepBar *bars, guint i)
{
  for (guint k = 0; k < i; k++)
    if (bars[k].thread == bars[i].thread)
      return FALSE;
  return TRUE;
}

double
weir_steps_chart_get_height (const WeirStepBar *bars, guint n)
{
  return n > 0 ? AXIS + get_n_lanes (bars, n) * LANE + 1 : 0;
}

static double
to_x (const Extent *extent, double time)
{
  return extent->x + (time - extent->first) / extent->length * extent->width;
}

/* Left, right, top of a step's box. */
static void
place (const WeirStepBar *bars, guint n, guint i, const Extent *extent, double *x, double *end,
       double *y)
{
  *x = floor (to_x (extent, bars[i].begin)) + 0.5;
  *end = fmax (floor (to_x (extent, bars[i].end)) + 0.5, *x + MIN_WIDTH);
  *y = AXIS + get_lane (bars, n, bars[i].thread) * LANE + GAP;
}

static void
draw_axis (WeirPen *pen, const Extent *extent, double height)
{
  guint n_ticks = (guint) MAX (extent->width / TICK_ROOM, 1);
  double unit = extent->length < 5e3 ? 1 : extent->length < 5e6 ? 1e3 : 1e6;
  double step = weir_axis_get_step (extent->length / unit, n_ticks);

  cairo_set_line_width (pen->cr, 1);
  for (double at = 0; at * unit <= extent->length; at += step)
    {
      double x = floor (to_x (extent, extent->first + at * unit)) + 0.5;
      g_autofree char *number = weir_axis_format (at, step, 0);
      g_autofree char *text = g_strdup_printf (unit > 1e3 ? _ ("%s s")
                                               : unit > 1 ? _ ("%s ms")
                                                          : _ ("%s µs"),
                                               number);

      weir_set_source (pen->cr, pen->palette->grid);
      cairo_move_to (pen->cr, x, AXIS - 3);
      cairo_line_to (pen->cr, x, height);
      cairo_stroke (pen->cr);
      weir_set_source (pen->cr, pen->palette->dim_text);
      if (x + TICK_ROOM / 2 < extent->x + extent->width || at <= 0)
        weir_pen_text (pen, text, TEXT, x + 2, AXIS / 2, 0, 0.5, 0);
    }
}

static void
draw_title (WeirPen *pen, const WeirStepBar *bars, guint n, guint thread, const Extent *extent)
{
  g_autofree char *text = thread == 0 ? g_strdup (_ ("Run’s own thread"))
                                      : g_strdup_printf (_ ("Thread %u"), thread);
  double y = AXIS + get_lane (bars, n, thread) * LANE;

  weir_set_source (pen->cr, pen->palette->text);
  weir_pen_text (pen, text, TEXT, 2, y + LANE / 2, 0, 0.5, extent->x - 6);
}

static void
draw_step (WeirPen *pen, const WeirStepBar *bars, guint n, guint i, const Extent *extent)
{
  const WeirPalette *palette = pen->palette;
  double x, end, y;

  place (bars, n, i, extent, &x, &end, &y);
  cairo_rectangle (pen->cr, x, y, end - x, LANE - 2 * GAP);
  weir_set_source (pen->cr, palette->fill);
  cairo_fill_preserve (pen->cr);
  weir_set_source_alpha (pen->cr, palette->selection, bars[i].is_critical ? 0.25 : 0);
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, bars[i].is_critical ? palette->selection : palette->stroke);
  cairo_set_line_width (pen->cr, (bars[i].is_critical ? 2 : 1) * palette->line_width);
  cairo_stroke (pen->cr);
  weir_set_source (pen->cr, palette->text);
  if (weir_pen_get_text_width (pen, bars[i].name, TEXT) < end - x - 6)
    weir_pen_text (pen, bars[i].name, TEXT, (x + end) / 2, y + LANE / 2 - GAP, 0.5, 0.5, 0);
}

void
weir_steps_chart_draw (const WeirStepBar *bars, guint n, cairo_t *cr, double width, double height,
                       const WeirPalette *palette)
{
  Extent extent = get_extent (bars, n, width);
  WeirPen pen;

  if (n == 0)
    return;
  weir_pen_init (&pen, cr, palette, 1);
  draw_axis (&pen, &extent, MIN (height, weir_steps_chart_get_height (bars, n)));
  for (guint i = 0; i < n; i++)
    if (is_first_of_thread (bars, i))
      draw_title (&pen, bars, n, bars[i].thread, &extent);
  for (guint i = 0; i < n; i++)
    draw_step (&pen, bars, n, i, &extent);
  weir_pen_clear (&pen);
}

guint
weir_steps_chart_hit (const WeirStepBar *bars, guint n, double width, double x, double y)
{
  Extent extent = get_extent (bars, n, width);

  for (guint i = n; i-- > 0;)
    {
      double left, right, top;

      place (bars, n, i, &extent, &left, &right, &top);
      if (x >= left - 1 && x <= right + 1 && y >= top && y <= top + LANE - 2 * GAP)
        return i;
    }
  return n;
}
