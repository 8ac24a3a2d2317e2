/* Drawing charts. See chart.h. */
#include <math.h>

#include "paint/drawing/diagram.h"
#include "paint/ground/pen.h"
#include "paint/plots/axis.h"
#include "paint/plots/chart-private.h"

#define LABEL_SIZE 11.0
#define GUIDE_SIZE 9.0
#define FAR 1e5   /* pixels: further away nothing is drawn to, which cairo could not */
#define PIECE 256 /* vertices stroked at once */
#define SIGN 4.0  /* half the size of a mark */
#define SPECK 1.2 /* of a small one */
#define NAME_WIDTH 120.0
#define SCALE_ROOM 88.0 /* beside a panel, for what colours mean */
#define SCALE_WIDTH 12.0
#define SCALE_STEPS 32
#define BETWEEN 8.0  /* panels beside each other */
#define LOG_PART 55. /* pixels between two powers of ten that are labelled */

/* --- Axes ------------------------------------------------------------------------------------ */

static double
choose_step (const WeirChartScale *axis, double pixels, int which)
{
  static const double degrees[] = { 1, 5, 15, 45, 90, 180, 360, 720, 1440 };
  static const double decibels[] = { .5, 1, 2, 5, 10, 20, 40, 80, 160 };
  guint most = (guint) CLAMP (pixels / (which == 0 ? 60 : 26), 2, 12);
  double length = axis->high - axis->low;
  const double *steps = axis->kind == WEIR_CHART_DEGREES    ? degrees
                        : axis->kind == WEIR_CHART_DECIBELS ? decibels
                                                            : NULL;

  if (axis->kind == WEIR_CHART_LOG)
    return MAX (1, ceil (LOG_PART / MAX (pixels / MAX (length, 1e-9), 1e-9)));
  for (guint i = 0; steps != NULL && i < G_N_ELEMENTS (degrees); i++)
    if (length / steps[i] <= most && length > 2 * steps[0])
      return steps[i];
  return weir_axis_get_step (MAX (length, 1e-300), most);
}

static char *
format_tick (const WeirChartScale *axis, double at, double step, int exponent)
{
  if (axis->kind != WEIR_CHART_LOG)
    return weir_axis_format (at, step, exponent);
  return weir_axis_format_decade ((int) at);
}

static int
get_exponent (const WeirChartScale *axis)
{
  return axis->kind == WEIR_CHART_LINEAR ? weir_axis_get_exponent (axis->low, axis->high) : 0;
}

static void
grid_line (WeirPen *pen, const WeirChartPanel *panel, int which, double measured, double alpha)
{
  const WeirChartScale *axis = &panel->axes[which];
  double share = (measured - axis->low) / (axis->high - axis->low);
  double at = which == 0 ? panel->x + panel->width * share : panel->y + panel->height * (1 - share);

  at = floor (at) + .5;
  weir_set_source_alpha (pen->cr, pen->palette->grid, alpha);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, which == 0 ? at : panel->x, which == 0 ? panel->y : at);
  cairo_line_to (pen->cr, which == 0 ? at : panel->x + panel->width,
                 which == 0 ? panel->y + panel->height : at);
  cairo_stroke (pen->cr);
}

static void
draw_decades (WeirPen *pen, const WeirChartPanel *panel, int which)
{
  const WeirChartScale *axis = &panel->axes[which];

  for (double k = floor (axis->low); k <= axis->high && axis->high - axis->low < 7; k++)
    for (int i = 2; i < 10; i++)
      if (k + log10 (i) > axis->low && k + log10 (i) < axis->high)
        grid_line (pen, panel, which, k + log10 (i), .3);
}

static void
draw_names_beside (WeirPen *pen, const WeirChartPanel *panel)
{
  weir_set_source (pen->cr, pen->palette->text);
  for (guint i = 0; panel->names[1][i] != NULL; i++)
    {
      double y = weir_chart_to_pixel (panel, 1, i);

      if (y > panel->y && y < panel->y + panel->height)
        weir_pen_text (pen, panel->names[1][i], LABEL_SIZE, panel->x - 6, y, 1, .5, NAME_WIDTH);
    }
}

/* Each with its line over the panel's height. */
static void
draw_names_below (WeirPen *pen, const WeirChartPanel *panel)
{
  double room = weir_chart_to_pixel (panel, 0, 1) - weir_chart_to_pixel (panel, 0, 0) - 8;

  for (guint i = 0; panel->names[0][i] != NULL; i++)
    {
      g_auto (GStrv) lines = g_strsplit (panel->names[0][i], "\n", 2);
      double x = weir_chart_to_pixel (panel, 0, i);

      if (x <= panel->x || x >= panel->x + panel->width)
        continue;
      grid_line (pen, panel, 0, i, 2);
      for (guint k = 0; lines[k] != NULL; k++)
        {
          weir_set_source (pen->cr, k == 0 ? pen->palette->text : pen->palette->dim_text);
          weir_pen_text (pen, lines[k], LABEL_SIZE, x,
                         panel->y + panel->height + 3 + k * (LABEL_SIZE + 3), .5, 0,
                         MAX (room, 20));
        }
    }
}

static void
draw_axis (WeirPen *pen, const WeirChartPanel *panel, int which, gboolean with_numbers)
{
  const WeirChartScale *axis = &panel->axes[which];
  double step = choose_step (axis, which == 0 ? panel->width : panel->height, which);
  int exponent = get_exponent (axis);

  if (axis->kind == WEIR_CHART_LOG)
    draw_decades (pen, panel, which);
  for (double k = ceil (axis->low / step - 1e-6); k * step <= axis->high + 1e-6 * step; k++)
    {
      g_autofree char *label = format_tick (axis, k * step, step, exponent);
      double value = weir_chart_unmeasure (axis, k * step);

      grid_line (pen, panel, which, k * step, .7);
      if (!with_numbers)
        continue;
      weir_set_source (pen->cr, pen->palette->dim_text);
      if (which == 0)
        weir_pen_text (pen, label, LABEL_SIZE, weir_chart_to_pixel (panel, 0, value),
                       panel->y + panel->height + 3, .5, 0, 0);
      else
        weir_pen_text (pen, label, LABEL_SIZE, panel->x - 6, weir_chart_to_pixel (panel, 1, value),
                       1, .5, 0);
    }
}

static char *
dup_label (const WeirChartScale *axis)
{
  int exponent = get_exponent (axis);
  g_autofree char *power = exponent != 0 ? weir_axis_format_exponent (exponent) : NULL;

  return power != NULL ? g_strdup_printf ("%s  × %s", axis->label, power) : g_strdup (axis->label);
}

static double
measure_numbers (WeirPen *pen, const WeirChartPanel *panel)
{
  const WeirChartScale *axis = &panel->axes[1];
  double step = choose_step (axis, panel->height, 1), width = 0;

  for (guint i = 0; panel->names[1] != NULL && panel->names[1][i] != NULL; i++)
    width = MAX (width, weir_pen_get_text_width (pen, panel->names[1][i], LABEL_SIZE));
  if (panel->names[1] != NULL)
    return MIN (width, NAME_WIDTH);
  for (double k = ceil (axis->low / step - 1e-6); k * step <= axis->high + 1e-6 * step; k++)
    {
      g_autofree char *label = format_tick (axis, k * step, step, get_exponent (axis));

      width = MAX (width, weir_pen_get_text_width (pen, label, LABEL_SIZE));
    }
  return width;
}

/* --- What is in it --------------------------------------------------------------------------- */

static WeirColor
get_color (const WeirPen *pen, guint color)
{
  return pen->palette->curves[color % WEIR_N_CURVE_COLORS];
}

static gboolean
is_behind (const WeirChartCurve *curve)
{
  return curve->look == WEIR_CHART_FORMER || curve->look == WEIR_CHART_PALE;
}

static gboolean
is_guide (const WeirChartCurve *curve)
{
  return curve->look == WEIR_CHART_GUIDE || curve->look == WEIR_CHART_CONTOUR;
}

#define PALE 0.38      /* of what stands behind something */
#define PALEST 0.1     /* of one of very many, which show where they are dense */
#define MOST_PALE 20.0 /* curves that are no paler than one */

/* @n_pale: how many are of many. */
static double
get_opacity (const WeirChartCurve *curve, guint n_pale)
{
  if (curve->look == WEIR_CHART_PALE)
    return CLAMP (PALE * MOST_PALE / n_pale, PALEST, PALE);
  return is_behind (curve) ? PALE : 1;
}

static void
set_look (WeirPen *pen, const WeirChartCurve *curve, guint n_pale)
{
  double width = pen->palette->line_width;

  cairo_set_dash (pen->cr, NULL, 0, 0);
  if (curve->look == WEIR_CHART_GUIDE)
    weir_set_source_alpha (pen->cr, pen->palette->dim_text, .45);
  else if (curve->look == WEIR_CHART_CONTOUR)
    weir_set_source_alpha (pen->cr, pen->palette->text, .8);
  else
    weir_set_source_alpha (pen->cr, get_color (pen, curve->color), get_opacity (curve, n_pale));
  cairo_set_line_width (pen->cr, is_guide (curve) ? .8 * width : 1.7 * width);
  if (curve->look == WEIR_CHART_DASHED || curve->look == WEIR_CHART_GUIDE)
    cairo_set_dash (pen->cr, (const double[]) { 5, 3 }, 2, 0);
}

/* From sample @i - 1 to @i, as far as both can be seen. 0: they cannot. */
static double
get_seen_length (const WeirChartPanel *panel, const WeirChartCurve *curve, guint i, double at[2][2])
{
  for (guint k = 0; k < 2; k++)
    {
      at[k][0] = weir_chart_to_pixel (panel, 0, curve->x[i - 1 + k]);
      at[k][1] = weir_chart_to_pixel (panel, 1, curve->y[i - 1 + k]);
      if (!(at[k][0] >= panel->x && at[k][0] <= panel->x + panel->width && at[k][1] >= panel->y
            && at[k][1] <= panel->y + panel->height))
        return 0;
    }
  return hypot (at[1][0] - at[0][0], at[1][1] - at[0][1]);
}

static void
draw_arrow (WeirPen *pen, const WeirChartPanel *panel, const WeirChartCurve *curve)
{
  double length = 0, passed = 0, at[2][2];

  for (guint i = 1; i < curve->n; i++)
    length += get_seen_length (panel, curve, i, at);
  for (guint i = 1; i < curve->n && length > 4 * SIGN; i++)
    {
      double step = get_seen_length (panel, curve, i, at), dx, dy;

      passed += step;
      if (step == 0 || passed < length / 2)
        continue;
      dx = curve->arrow * (at[1][0] - at[0][0]) / step * SIGN;
      dy = curve->arrow * (at[1][1] - at[0][1]) / step * SIGN;
      weir_set_source (pen->cr, get_color (pen, curve->color));
      cairo_move_to (pen->cr, at[1][0] + 1.5 * dx, at[1][1] + 1.5 * dy);
      cairo_line_to (pen->cr, at[1][0] - dx - dy, at[1][1] - dy + dx);
      cairo_line_to (pen->cr, at[1][0] - dx + dy, at[1][1] - dy - dx);
      cairo_close_path (pen->cr);
      cairo_fill (pen->cr);
      return;
    }
}

static void
draw_curve (WeirPen *pen, const WeirChartPanel *panel, const WeirChartCurve *curve, guint n_pale)
{
  gboolean is_down = FALSE;
  double before = 0, last_x = 0, last_y = 0;
  guint n_piece = 0;

  set_look (pen, curve, n_pale);
  for (guint i = 0; i < curve->n; i++)
    {
      double x = weir_chart_to_pixel (panel, 0, curve->x[i]);
      double y = weir_chart_to_pixel (panel, 1, curve->y[i]);

      if (!isfinite (x) || !isfinite (y) || fabs (x) > FAR || fabs (y) > FAR)
        {
          is_down = FALSE;
          continue;
        }
      if (is_down && curve->look == WEIR_CHART_STAIRS)
        cairo_line_to (pen->cr, x, before);
      if (is_down)
        cairo_line_to (pen->cr, x, y);
      else
        cairo_move_to (pen->cr, x, y);
      if (++n_piece % PIECE == 0)
        {
          cairo_stroke (pen->cr);
          cairo_move_to (pen->cr, x, y);
        }
      is_down = TRUE;
      before = y;
      if (x > panel->x && x < panel->x + panel->width && y > panel->y
          && y < panel->y + panel->height)
        {
          last_x = x;
          last_y = y;
        }
    }
  cairo_stroke (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);
  if (curve->arrow != 0)
    draw_arrow (pen, panel, curve);
  if (is_guide (curve) && curve->name != NULL && last_x > 0)
    {
      weir_set_source (pen->cr, curve->look == WEIR_CHART_CONTOUR ? pen->palette->text
                                                                  : pen->palette->dim_text);
      weir_pen_text (pen, curve->name, GUIDE_SIZE, last_x, last_y,
                     last_x > panel->x + panel->width / 2 ? 1 : 0, 1, 0);
    }
}

static void
draw_sign (WeirPen *pen, WeirChartSign sign, double x, double y)
{
  cairo_t *cr = pen->cr;

  cairo_new_path (cr);
  switch (sign)
    {
    case WEIR_CHART_CROSS:
      cairo_move_to (cr, x - SIGN, y - SIGN);
      cairo_line_to (cr, x + SIGN, y + SIGN);
      cairo_move_to (cr, x - SIGN, y + SIGN);
      cairo_line_to (cr, x + SIGN, y - SIGN);
      break;
    case WEIR_CHART_PLUS:
      cairo_move_to (cr, x - SIGN - 1, y);
      cairo_line_to (cr, x + SIGN + 1, y);
      cairo_move_to (cr, x, y - SIGN - 1);
      cairo_line_to (cr, x, y + SIGN + 1);
      break;
    case WEIR_CHART_SQUARE:
      cairo_rectangle (cr, x - SIGN + 1, y - SIGN + 1, 2 * SIGN - 2, 2 * SIGN - 2);
      break;
    case WEIR_CHART_SPECK:
      cairo_rectangle (cr, x - SPECK, y - SPECK, 2 * SPECK, 2 * SPECK);
      cairo_fill (cr);
      break;
    case WEIR_CHART_DOT:
      cairo_arc (cr, x, y, SIGN, 0, 2 * G_PI);
      cairo_fill_preserve (cr);
      break;
    case WEIR_CHART_RING:
    case WEIR_CHART_UPRIGHT:
    default:
      cairo_arc (cr, x, y, SIGN, 0, 2 * G_PI);
      break;
    }
  cairo_stroke (cr);
}

static void
draw_mark (WeirPen *pen, const WeirChartPanel *panel, const WeirChartMark *mark)
{
  double x = weir_chart_to_pixel (panel, 0, mark->x);
  double y = weir_chart_to_pixel (panel, 1, mark->y);

  if (!isfinite (x) || fabs (x) > FAR)
    return;
  weir_set_source (pen->cr, get_color (pen, mark->color));
  cairo_set_line_width (pen->cr, 1.8 * pen->palette->line_width);
  if (mark->sign == WEIR_CHART_UPRIGHT)
    {
      cairo_set_line_width (pen->cr, pen->palette->line_width);
      cairo_set_dash (pen->cr, (const double[]) { 3, 3 }, 2, 0);
      cairo_move_to (pen->cr, floor (x) + .5, panel->y);
      cairo_line_to (pen->cr, floor (x) + .5, panel->y + panel->height);
      cairo_stroke (pen->cr);
      cairo_set_dash (pen->cr, NULL, 0, 0);
    }
  else if (isfinite (y) && fabs (y) < FAR)
    draw_sign (pen, mark->sign, x, y);
}

/* Of one hue from the ground on, so that it reads without seeing colours. */
static void
set_part (WeirPen *pen, guint color, double part)
{
  weir_set_source_alpha (pen->cr, get_color (pen, color), .06 + .94 * CLAMP (part, 0, 1));
}

static void
draw_box (WeirPen *pen, const WeirChartPanel *panel, const WeirChartMark *box)
{
  double left = CLAMP (weir_chart_to_pixel (panel, 0, box->ends[0][0]), -FAR, FAR);
  double right = CLAMP (weir_chart_to_pixel (panel, 0, box->ends[0][1]), -FAR, FAR);
  double bottom = CLAMP (weir_chart_to_pixel (panel, 1, box->ends[1][0]), -FAR, FAR);
  double top = CLAMP (weir_chart_to_pixel (panel, 1, box->ends[1][1]), -FAR, FAR);

  if (!isfinite (left + right + bottom + top))
    return;
  cairo_rectangle (pen->cr, floor (left), floor (top), MAX (ceil (right) - floor (left), 1),
                   MAX (ceil (bottom) - floor (top), 1));
  if (isnan (box->part))
    weir_set_source_alpha (pen->cr, get_color (pen, box->color), .8);
  else
    set_part (pen, box->color, box->part);
  cairo_fill (pen->cr);
}

/* Where a value is missing an area ends, and another begins behind it. */
static void
draw_area (WeirPen *pen, const WeirChartPanel *panel, const WeirChartArea *area)
{
  for (guint first = 0, end; first < area->n; first = end + 1)
    {
      for (end = first; end < area->n && isfinite (area->low[end] + area->high[end]); end++)
        cairo_line_to (pen->cr, CLAMP (weir_chart_to_pixel (panel, 0, area->x[end]), -FAR, FAR),
                       CLAMP (weir_chart_to_pixel (panel, 1, area->high[end]), -FAR, FAR));
      for (guint i = end; i > first; i--)
        cairo_line_to (pen->cr, CLAMP (weir_chart_to_pixel (panel, 0, area->x[i - 1]), -FAR, FAR),
                       CLAMP (weir_chart_to_pixel (panel, 1, area->low[i - 1]), -FAR, FAR));
      cairo_close_path (pen->cr);
      weir_set_source_alpha (pen->cr, get_color (pen, area->color), area->opacity);
      cairo_fill (pen->cr);
    }
}

/* What lies beneath curves. */
static void
draw_ground (WeirChart *self, WeirPen *pen, guint p)
{
  const WeirChartPanel *panel = weir_chart_get_panel (self, p);

  for (guint m = 0; m < self->marks->len; m++)
    if (weir_chart_get_mark_at (self, m)->panel == p && weir_chart_get_mark_at (self, m)->is_box)
      draw_box (pen, panel, weir_chart_get_mark_at (self, m));
  for (guint i = 0; i < self->areas->len; i++)
    if (g_array_index (self->areas, WeirChartArea, i).panel == p)
      draw_area (pen, panel, &g_array_index (self->areas, WeirChartArea, i));
}

static void
draw_scale (WeirPen *pen, const WeirChartPanel *panel)
{
  double x = panel->x + panel->width + 10, step = panel->height / SCALE_STEPS;

  if (isnan (panel->scale[0]))
    return;
  for (guint i = 0; i < SCALE_STEPS; i++)
    {
      cairo_rectangle (pen->cr, x, panel->y + panel->height - (i + 1) * step, SCALE_WIDTH, step);
      set_part (pen, 0, (i + .5) / SCALE_STEPS);
      cairo_fill (pen->cr);
    }
  weir_set_source (pen->cr, pen->palette->dim_text);
  for (int end = 0; end < 2; end++)
    {
      g_autofree char *text = weir_axis_format_value (panel->scale[end]);

      weir_pen_text (pen, text, LABEL_SIZE, x + SCALE_WIDTH + 4,
                     end == 0 ? panel->y + panel->height : panel->y, 0, end == 0 ? 1 : 0,
                     SCALE_ROOM - SCALE_WIDTH - 14);
    }
}

static void
draw_panel (WeirChart *self, WeirPen *pen, guint p)
{
  const WeirChartPanel *panel = weir_chart_get_panel (self, p);
  guint n_pale = 0;

  for (guint c = 0; c < self->curves->len; c++)
    n_pale += weir_chart_get_curve_at (self, c)->look == WEIR_CHART_PALE ? 1 : 0;
  cairo_save (pen->cr);
  cairo_rectangle (pen->cr, panel->x, panel->y, panel->width, panel->height);
  weir_set_source (pen->cr, pen->palette->grid);
  cairo_set_line_width (pen->cr, 1);
  cairo_stroke_preserve (pen->cr);
  cairo_clip (pen->cr);
  cairo_set_line_join (pen->cr, CAIRO_LINE_JOIN_ROUND);
  draw_ground (self, pen, p);
  for (int pass = 0; pass < 3; pass++) /* guides, what was, what is */
    for (guint c = 0; c < self->curves->len; c++)
      {
        const WeirChartCurve *curve = weir_chart_get_curve_at (self, c);
        int of = is_guide (curve) ? 0 : is_behind (curve) ? 1 : 2;

        if (curve->panel == p && of == pass)
          draw_curve (pen, panel, curve, n_pale);
      }
  for (guint m = 0; m < self->marks->len; m++)
    if (weir_chart_get_mark_at (self, m)->panel == p && !weir_chart_get_mark_at (self, m)->is_box)
      draw_mark (pen, panel, weir_chart_get_mark_at (self, m));
  cairo_restore (pen->cr);
}

static void
draw_cursor (WeirChart *self, WeirPen *pen, double width, double height)
{
  g_autofree char *text = weir_chart_dup_cursor_text (self);
  const WeirChartPanel *panel;
  guint p;
  double x, y;

  if (text == NULL || !weir_chart_get_cursor_place (self, &p, &x, &y))
    return;
  panel = weir_chart_get_panel (self, p);
  for (guint k = 0; k < self->panels->len && panel->shares_x; k++)
    {
      const WeirChartPanel *other = weir_chart_get_panel (self, k);

      if (other->shares_x)
        grid_line (pen, other, 0, weir_chart_measure (&other->axes[0], x), 1.6);
    }
  x = weir_chart_to_pixel (panel, 0, x);
  y = weir_chart_to_pixel (panel, 1, y);
  if (x < panel->x - 1 || x > panel->x + panel->width + 1 || y < panel->y - 1
      || y > panel->y + panel->height + 1)
    return;
  cairo_new_path (pen->cr);
  cairo_arc (pen->cr, x, y, 4, 0, 2 * G_PI);
  weir_set_source (pen->cr, pen->palette->selection);
  cairo_fill (pen->cr);
  weir_draw_label (pen->cr, text, (WeirPoint) { x + 10, y + 10 },
                   (WeirRect) { 0, 0, width, height }, 1, pen->palette);
}

static void
draw_box_chosen (WeirChart *self, WeirPen *pen)
{
  const WeirChartPanel *panel;
  double from[2], to[2];

  if (!self->shows_box)
    return;
  panel = weir_chart_get_panel (self, self->box.panel);
  for (int a = 0; a < 2; a++)
    {
      from[a] = weir_chart_to_pixel (panel, a, self->box.ends[a][0]);
      to[a] = weir_chart_to_pixel (panel, a, self->box.ends[a][1]);
    }
  cairo_save (pen->cr);
  cairo_rectangle (pen->cr, panel->x, panel->y, panel->width, panel->height);
  cairo_clip (pen->cr);
  cairo_rectangle (pen->cr, from[0], to[1], to[0] - from[0], from[1] - to[1]);
  weir_set_source_alpha (pen->cr, pen->palette->selection, .2);
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, pen->palette->selection);
  cairo_set_line_width (pen->cr, pen->palette->line_width);
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}

/* --- All of it ------------------------------------------------------------------------------- */

/* Panels of one axis of x stand below each other and have its numbers once; so do those of one axis
 * of y beside each other. */
static void
place_panels (WeirChart *self, WeirPen *pen, double width, double height)
{
  guint n = self->panels->len, columns = self->n_columns, rows = (n + columns - 1) / columns;
  double left = 0, foot = 34, each = (height - foot) / MAX (rows, 1);
  double head = columns > 1 ? LABEL_SIZE + 4 : 20;

  for (guint p = 0; p < n; p++)
    {
      WeirChartPanel *panel = weir_chart_get_panel (self, p);

      panel->y = p / columns * each + head;
      panel->height = MAX (each - head - (p / columns + 1 < rows ? 4 : 0), 10);
      panel->width = MAX ((width - 70) / columns - (columns > 1 ? BETWEEN : 0), 10);
    }
  weir_chart_lay_out (self);
  for (guint p = 0; p < n; p += columns)
    left = MAX (left, measure_numbers (pen, weir_chart_get_panel (self, p)));
  for (guint p = 0; p < n; p++)
    {
      WeirChartPanel *panel = weir_chart_get_panel (self, p);
      double room = (width - left - 28 + BETWEEN) / columns;

      panel->x = left + 14 + p % columns * room;
      panel->width = MAX (room - BETWEEN - (isnan (panel->scale[0]) ? 0 : SCALE_ROOM), 10);
    }
  weir_chart_lay_out (self);
}

/* @p: of the last row. */
static void
draw_label_below (WeirChart *self, WeirPen *pen, guint p, double width, double height)
{
  const WeirChartPanel *panel = weir_chart_get_panel (self, p);
  g_autofree char *label = dup_label (&panel->axes[0]);

  weir_set_source (pen->cr, pen->palette->text);
  if (self->n_columns == 1)
    weir_pen_text (pen, label, LABEL_SIZE, width / 2, height - 2, .5, 1, width);
  else
    weir_pen_text (pen, label, LABEL_SIZE, panel->x + panel->width / 2, height - 2, .5, 1,
                   panel->width);
}

static void
draw_around (WeirChart *self, WeirPen *pen, guint p, double width, double height)
{
  const WeirChartPanel *panel = weir_chart_get_panel (self, p);
  gboolean is_left = p % self->n_columns == 0, is_last = p + self->n_columns >= self->panels->len;
  g_autofree char *label = dup_label (&panel->axes[1]);

  if (panel->names[0] != NULL)
    draw_names_below (pen, panel);
  else
    draw_axis (pen, panel, 0, is_last);
  if (panel->names[1] != NULL)
    draw_names_beside (pen, panel);
  else
    draw_axis (pen, panel, 1, is_left);
  draw_scale (pen, panel);
  weir_set_source (pen->cr, pen->palette->text);
  if (is_left)
    weir_pen_text (pen, label, LABEL_SIZE, panel->x - 6, panel->y - (self->n_columns > 1 ? 1 : 3),
                   0, 1, width);
  if (is_last)
    draw_label_below (self, pen, p, width, height);
}

void
weir_chart_draw (WeirChart *self, cairo_t *cr, double width, double height,
                 const WeirPalette *palette)
{
  WeirPen pen;
  guint n = self->panels->len;

  cairo_rectangle (cr, 0, 0, width, height);
  weir_set_source (cr, palette->background);
  cairo_fill (cr);
  if (n == 0)
    return;
  weir_pen_init (&pen, cr, palette, 1);
  place_panels (self, &pen, width, height);
  for (guint p = 0; p < n; p++)
    {
      draw_around (self, &pen, p, width, height);
      draw_panel (self, &pen, p);
    }
  draw_box_chosen (self, &pen);
  draw_cursor (self, &pen, width, height);
  weir_pen_clear (&pen);
}
