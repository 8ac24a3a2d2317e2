/* The legend of a plot: a strip of at most two lines between title and axes, or, where it only
 * reads out values and the plot is low, within the axes where it covers the least of the curves.
 *
 * Items stand side by side. While there is a cursor each has room for the widest value, so that
 * nothing moves as the values change; without one names stand closer and more of them fit. The
 * number of lines is that with values either way: the axes stay where they are. What does not fit
 * is counted ("and 3 more").
 */
#include "paint/plots/plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SWATCH 18.0
#define GAP 6.0          /* between a swatch and its name */
#define ITEM_GAP 18.0    /* between items */
#define MARGIN 14.0      /* left and right of the strip */
#define LEGEND_INSET 8.0 /* from the axes, of a legend within them */
#define WIDEST_VALUE " = -0.00000e-00"

typedef struct {
  guint curve;
  guint line;
  double x, name_width;
} Item;

typedef struct {
  GArray *items; /* Item */
  guint n_lines;
  double width;  /* of the widest line */
  guint n_more;  /* items left out */
  double more_x; /* where "and N more" begins, on the last line */
} Strip;

static char *
dup_more (guint n)
{
  return g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
}

static double
get_more_width (WeirPen *pen, guint n)
{
  g_autofree char *text = dup_more (n);

  return weir_pen_get_text_width (pen, text, WEIR_PLOT_LABEL_SIZE);
}

/* Gives up items at the end of the last line until @strip has room there to say how many there are
 * that it does not show. */
static void
make_room_for_more (Strip *strip, WeirPen *pen, double value_width, double width)
{
  strip->more_x = 0;
  while (strip->items->len > 0)
    {
      const Item *last = &g_array_index (strip->items, Item, strip->items->len - 1);
      double end = last->x + SWATCH + GAP + last->name_width + value_width + ITEM_GAP;

      if (last->line + 1 < strip->n_lines)
        break;
      if (end + get_more_width (pen, strip->n_more) <= width)
        {
          strip->more_x = end;
          break;
        }
      g_array_set_size (strip->items, strip->items->len - 1);
      strip->n_more++;
    }
  strip->width = MAX (strip->width, strip->more_x + get_more_width (pen, strip->n_more));
}

/* Places the visible curves in at most @max lines, each with @value_width after its name. */
static Strip
lay_out (WeirPlot *self, WeirPen *pen, double value_width, double width, guint max)
{
  Strip strip = { .items = g_array_new (FALSE, FALSE, sizeof (Item)) };
  double room = MAX (width - SWATCH - GAP - value_width, 1), x = 0;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];
      Item item = { .curve = i };
      double end;

      if (!curve->visible)
        continue;
      if (strip.n_more > 0)
        {
          strip.n_more++;
          continue;
        }
      /* A name that is too long for a line is cut off, its value is not. */
      item.name_width = MIN (weir_pen_get_text_width (pen, curve->name, WEIR_PLOT_LABEL_SIZE) + 1,
                             room);
      end = x + SWATCH + GAP + item.name_width + value_width;
      if (strip.n_lines == 0 || end > width + 0.5)
        {
          if (strip.n_lines == max)
            {
              strip.n_more = 1;
              continue;
            }
          strip.n_lines++;
          end -= x;
          x = 0;
        }
      item.x = x;
      item.line = strip.n_lines - 1;
      g_array_append_val (strip.items, item);
      strip.width = MAX (strip.width, end);
      x = end + ITEM_GAP;
    }
  if (strip.n_more > 0 && max > 0)
    make_room_for_more (&strip, pen, value_width, width);
  return strip;
}

guint
weir_plot_count_legend_lines (WeirPlot *self, WeirPen *pen, double width, guint max)
{
  double value_width = weir_pen_get_text_width (pen, WIDEST_VALUE, WEIR_PLOT_LABEL_SIZE);
  Strip strip = lay_out (self, pen, value_width, MAX (width - 2 * MARGIN, 1), max);

  g_array_unref (strip.items);
  return strip.n_lines;
}

static void
draw_item (WeirPlot *self, WeirPen *pen, const Item *item, double x, double y)
{
  const WeirCurve *curve = self->curves->pdata[item->curve];
  double value;

  weir_curve_set_look (curve, pen->cr, pen->palette);
  cairo_set_line_width (pen->cr, 2.4);
  cairo_move_to (pen->cr, x, y);
  cairo_line_to (pen->cr, x + SWATCH, y);
  cairo_stroke (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);

  x += SWATCH + GAP;
  weir_set_source (pen->cr, pen->palette->text);
  weir_pen_text (pen, curve->name, WEIR_PLOT_LABEL_SIZE, x, y, 0, 0.5, item->name_width);
  if (weir_plot_get_value_at (self, item->curve, self->cursor, &value))
    {
      g_autofree char *number = weir_axis_format_value (value);
      g_autofree char *text = g_strconcat (" = ", number, NULL);

      weir_pen_text (pen, text, WEIR_PLOT_LABEL_SIZE, x + item->name_width, y, 0, 0.5, 0);
    }
}

/* --- Within the axes ------------------------------------------------------------------------- */

#define N_PLACES 9  /* from left to right that are tried, at the top and at the bottom */
#define N_COLUMNS 8 /* of the legend that are compared with the curves */
#define CURSOR_COST 4.0

/* How many columns of @area curves run through. */
static double
get_covered (WeirPlot *self, WeirRect area)
{
  double cost = 0;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      for (int column = 0; curve->visible && column < N_COLUMNS; column++)
        {
          double x[2], y[2];
          gsize first, end;
          WeirSpan span;

          for (int side = 0; side < 2; side++)
            x[side] = weir_axis_get_value (
                &self->shown[WEIR_PLOT_TIME],
                (area.x + area.width * (column + side) / N_COLUMNS - self->axes_x)
                    / self->axes_width);
          first = weir_curve_find_row (curve, x[0], 0);
          end = MIN (weir_curve_find_row (curve, x[1], first) + 1, curve->n_rows);
          first -= first > 0;
          if (first >= end)
            continue;
          span = weir_curve_get_span (curve, first, end);
          if (weir_span_is_empty (span))
            continue;
          y[0] = weir_plot_get_y (self, curve->axis, span.high);
          y[1] = weir_plot_get_y (self, curve->axis, span.low);
          cost += y[0] < area.y + area.height && !(y[1] <= area.y);
        }
    }
  return cost;
}

static WeirRect
find_place (WeirPlot *self, double width, double height)
{
  double room = MAX (self->axes_width - width - 2 * LEGEND_INSET, 0), least = INFINITY;
  double cursor = weir_plot_get_x (self, self->cursor);
  WeirRect best = { 0, 0, 0, 0 };

  for (int low = 0; low < 2; low++)
    for (int i = 0; i < N_PLACES; i++)
      {
        WeirRect area = { self->axes_x + LEGEND_INSET + room * i / (N_PLACES - 1),
                          low ? self->axes_y + self->axes_height - height - 4 : self->axes_y + 4,
                          width, height };
        double cost = get_covered (self, area);

        if (cursor > area.x - 4 && cursor < area.x + area.width + 4)
          cost += CURSOR_COST;
        if (cost < least)
          {
            least = cost;
            best = area;
          }
      }
  return best;
}

WeirRect
weir_plot_get_readout (WeirPlot *self)
{
  return self->readout;
}

void
weir_plot_draw_legend (WeirPlot *self, WeirPen *pen, double width)
{
  double room = MAX (width - 2 * MARGIN, 1), left;
  double value_width = isnan (self->cursor)
                           ? 0
                           : weir_pen_get_text_width (pen, WIDEST_VALUE, WEIR_PLOT_LABEL_SIZE);
  Strip strip = lay_out (self, pen, value_width, room, self->n_legend_lines);

  /* In line with the axes where there is room for that. */
  left = MAX (MIN (self->axes_x, width - MARGIN - strip.width), MARGIN);
  self->readout = (WeirRect) { left, self->legend_y, strip.width,
                               WEIR_PLOT_LEGEND_LINE * strip.n_lines };
  if (self->legend_is_inside)
    {
      self->readout = find_place (self, strip.width, self->readout.height);
      left = self->readout.x;
      self->legend_y = self->readout.y;
      weir_set_source_alpha (pen->cr, pen->palette->background, 0.85);
      cairo_rectangle (pen->cr, left - LEGEND_INSET / 2, self->legend_y, strip.width + LEGEND_INSET,
                       self->readout.height);
      cairo_fill (pen->cr);
    }
  for (guint k = 0; k < strip.items->len; k++)
    {
      const Item *item = &g_array_index (strip.items, Item, k);

      draw_item (self, pen, item, left + item->x,
                 self->legend_y + WEIR_PLOT_LEGEND_LINE * (item->line + 0.5));
    }
  if (strip.n_more > 0 && strip.n_lines > 0)
    {
      g_autofree char *text = dup_more (strip.n_more);

      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, text, WEIR_PLOT_LABEL_SIZE, left + strip.more_x,
                     self->legend_y + WEIR_PLOT_LEGEND_LINE * (strip.n_lines - 0.5), 0, 0.5, room);
    }
  g_array_unref (strip.items);
}
