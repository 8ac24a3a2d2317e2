/* Charts: what is in them, ranges, cursor. See chart.h. */
#include "paint/plots/chart-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "paint/plots/axis.h"

#define LEAST_WIDTH 110.0
#define LEAST_HEIGHT 150.0
#define LEAST_CELL 50.0   /* either way, of a panel of a matrix */
#define ROUND_MATRIX 50.0 /* for its numbers and labels */
#define NEAR 40.0         /* pixels at which the cursor still finds something */

static void
clear_panel (gpointer data)
{
  g_free (((WeirChartPanel *) data)->axes[0].label);
  g_free (((WeirChartPanel *) data)->axes[1].label);
  g_strfreev (((WeirChartPanel *) data)->names[0]);
  g_strfreev (((WeirChartPanel *) data)->names[1]);
}

static void
clear_curve (gpointer data)
{
  WeirChartCurve *curve = data;

  g_free (curve->name);
  g_free (curve->x);
  g_free (curve->y);
}

static void
clear_mark (gpointer data)
{
  g_free (((WeirChartMark *) data)->text);
}

static void
clear_area (gpointer data)
{
  WeirChartArea *area = data;

  g_free (area->x);
  g_free (area->low);
  g_free (area->high);
}

WeirChart *
weir_chart_new (void)
{
  WeirChart *self = g_new0 (WeirChart, 1);

  self->panels = g_array_new (FALSE, TRUE, sizeof (WeirChartPanel));
  self->curves = g_array_new (FALSE, TRUE, sizeof (WeirChartCurve));
  self->marks = g_array_new (FALSE, TRUE, sizeof (WeirChartMark));
  self->areas = g_array_new (FALSE, TRUE, sizeof (WeirChartArea));
  self->views = g_array_new (FALSE, TRUE, sizeof (WeirChartView));
  self->n_columns = 1;
  g_array_set_clear_func (self->panels, clear_panel);
  g_array_set_clear_func (self->curves, clear_curve);
  g_array_set_clear_func (self->marks, clear_mark);
  g_array_set_clear_func (self->areas, clear_area);
  return self;
}

void
weir_chart_free (WeirChart *self)
{
  g_array_unref (self->panels);
  g_array_unref (self->curves);
  g_array_unref (self->marks);
  g_array_unref (self->areas);
  g_array_unref (self->views);
  g_free (self);
}

void
weir_chart_clear (WeirChart *self)
{
  g_array_set_size (self->panels, 0);
  g_array_set_size (self->curves, 0);
  g_array_set_size (self->marks, 0);
  g_array_set_size (self->areas, 0);
  self->n_columns = 1;
  self->shows_box = FALSE;
  self->is_laid_out = FALSE;
}

static void
swap (GArray **a, GArray **b)
{
  GArray *was = *a;

  *a = *b;
  *b = was;
}

void
weir_chart_take (WeirChart *self, WeirChart *other)
{
  weir_chart_clear (self);
  swap (&self->panels, &other->panels);
  swap (&self->curves, &other->curves);
  swap (&self->marks, &other->marks);
  swap (&self->areas, &other->areas);
  self->n_columns = other->n_columns;
  if (self->views->len < self->panels->len)
    g_array_set_size (self->views, self->panels->len);
  weir_chart_clear (other);
}

WeirChartPanel *
weir_chart_get_panel (const WeirChart *self, guint panel)
{
  return &g_array_index (self->panels, WeirChartPanel, panel);
}

WeirChartCurve *
weir_chart_get_curve_at (const WeirChart *self, guint curve)
{
  return &g_array_index (self->curves, WeirChartCurve, curve);
}

WeirChartMark *
weir_chart_get_mark_at (const WeirChart *self, guint mark)
{
  return &g_array_index (self->marks, WeirChartMark, mark);
}

guint
weir_chart_add_panel (WeirChart *self, const char *x_label, WeirChartAxis x_axis,
                      const char *y_label, WeirChartAxis y_axis, gboolean shares_x,
                      gboolean is_square)
{
  const double none = (double) NAN;
  WeirChartPanel panel = {
    .axes = { { x_axis, g_strdup (x_label), { none, none }, 0, 1 },
              { y_axis, g_strdup (y_label), { none, none }, 0, 1 } },
    .shares_x = shares_x,
    .is_square = is_square,
    .scale = { none, none },
  };

  g_array_append_val (self->panels, panel);
  if (self->views->len < self->panels->len)
    g_array_set_size (self->views, self->panels->len);
  return self->panels->len - 1;
}

void
weir_chart_set_columns (WeirChart *self, guint n)
{
  self->n_columns = MAX (n, 1);
}

void
weir_chart_set_range (WeirChart *self, guint panel, double left, double right, double bottom,
                      double top)
{
  WeirChartScale *axes = weir_chart_get_panel (self, panel)->axes;

  axes[0].given[0] = left;
  axes[0].given[1] = right;
  axes[1].given[0] = bottom;
  axes[1].given[1] = top;
}

guint
weir_chart_add_curve (WeirChart *self, guint panel, WeirChartLook look, guint color,
                      const char *name, guint n, const double *x, const double *y)
{
  WeirChartCurve curve = { panel,
                           look,
                           color,
                           g_strdup (name),
                           n,
                           g_memdup2 (x, n * sizeof *x),
                           g_memdup2 (y, n * sizeof *y),
                           0 };

  g_array_append_val (self->curves, curve);
  return self->curves->len - 1;
}

void
weir_chart_set_arrow (WeirChart *self, guint curve, gboolean is_along)
{
  weir_chart_get_curve_at (self, curve)->arrow = is_along ? 1 : -1;
}

void
weir_chart_add_mark (WeirChart *self, guint panel, WeirChartSign sign, guint color, double x,
                     double y, const char *text)
{
  WeirChartMark mark = {
    .panel = panel, .sign = sign, .color = color, .x = x, .y = y, .text = g_strdup (text)
  };

  g_array_append_val (self->marks, mark);
}

void
weir_chart_add_area (WeirChart *self, guint panel, guint color, double opacity, guint n,
                     const double *x, const double *low, const double *high)
{
  WeirChartArea area = { panel,
                         color,
                         opacity,
                         n,
                         g_memdup2 (x, n * sizeof *x),
                         g_memdup2 (low, n * sizeof *low),
                         g_memdup2 (high, n * sizeof *high) };

  g_array_append_val (self->areas, area);
}

void
weir_chart_add_box (WeirChart *self, guint panel, guint color, double part, double left,
                    double right, double bottom, double top, const char *text)
{
  WeirChartMark mark = {
    .panel = panel,
    .sign = WEIR_CHART_SQUARE,
    .color = color,
    .x = (left + right) / 2,
    .y = (bottom + top) / 2,
    .text = g_strdup (text),
    .is_box = TRUE,
    .ends = { { left, right }, { bottom, top } },
    .part = part,
  };

  g_array_append_val (self->marks, mark);
}

void
weir_chart_set_scale (WeirChart *self, guint panel, double low, double high)
{
  weir_chart_get_panel (self, panel)->scale[0] = low;
  weir_chart_get_panel (self, panel)->scale[1] = high;
}

void
weir_chart_set_names (WeirChart *self, guint panel, guint axis, const char *const *names)
{
  WeirChartPanel *of = weir_chart_get_panel (self, panel);

  g_strfreev (of->names[axis]);
  of->names[axis] = g_strdupv ((char **) names);
}

guint
weir_chart_get_n_marks (const WeirChart *self)
{
  return self->marks->len;
}

guint
weir_chart_get_n_panels (const WeirChart *self)
{
  return self->panels->len;
}

guint
weir_chart_get_n_curves (const WeirChart *self)
{
  return self->curves->len;
}

guint
weir_chart_get_curve (const WeirChart *self, guint curve, const double **x, const double **y)
{
  const WeirChartCurve *found = weir_chart_get_curve_at (self, curve);

  *x = found->x;
  *y = found->y;
  return found->n;
}

const char *
weir_chart_get_curve_name (const WeirChart *self, guint curve)
{
  return weir_chart_get_curve_at (self, curve)->name;
}

/* --- Ranges ---------------------------------------------------------------------------------- */

double
weir_chart_measure (const WeirChartScale *axis, double value)
{
  if (axis->kind == WEIR_CHART_LOG)
    return value > 0 ? log10 (value) : (double) NAN;
  return value;
}

double
weir_chart_unmeasure (const WeirChartScale *axis, double measured)
{
  return axis->kind == WEIR_CHART_LOG ? pow (10, measured) : measured;
}

double
weir_chart_to_pixel (const WeirChartPanel *panel, int axis, double value)
{
  const WeirChartScale *scale = &panel->axes[axis];
  double share = (weir_chart_measure (scale, value) - scale->low) / (scale->high - scale->low);

  return axis == 0 ? panel->x + panel->width * share : panel->y + panel->height * (1 - share);
}

static void
extend (WeirChartScale *axis, double value)
{
  double at = weir_chart_measure (axis, value);

  if (!isfinite (at))
    return;
  axis->low = MIN (axis->low, at);
  axis->high = MAX (axis->high, at);
}

static void
round_out (WeirChartScale *axis)
{
  if (axis->low > axis->high)
    {
      axis->low = 0;
      axis->high = 1;
    }
  if (axis->kind == WEIR_CHART_LOG)
    {
      if (axis->high - axis->low < .1)
        {
          axis->low -= .5;
          axis->high += .5;
        }
    }
  else
    weir_axis_round_out (&axis->low, &axis->high, 8);
  for (int end = 0; end < 2; end++)
    if (!isnan (axis->given[end]))
      *(end == 0 ? &axis->low : &axis->high) = weir_chart_measure (axis, axis->given[end]);
}

static void
find_ranges (WeirChart *self)
{
  for (guint p = 0; p < self->panels->len; p++)
    for (int a = 0; a < 2; a++)
      {
        weir_chart_get_panel (self, p)->axes[a].low = INFINITY;
        weir_chart_get_panel (self, p)->axes[a].high = -INFINITY;
      }
  for (guint c = 0; c < self->curves->len; c++)
    {
      const WeirChartCurve *curve = weir_chart_get_curve_at (self, c);
      WeirChartPanel *panel = weir_chart_get_panel (self, curve->panel);

      for (guint i = 0;
           i < curve->n && curve->look != WEIR_CHART_GUIDE && curve->look != WEIR_CHART_CONTOUR;
           i++)
        if (isfinite (curve->x[i]) && isfinite (curve->y[i]))
          {
            extend (&panel->axes[0], curve->x[i]);
            extend (&panel->axes[1], curve->y[i]);
          }
    }
  for (guint m = 0; m < self->marks->len; m++)
    {
      const WeirChartMark *mark = weir_chart_get_mark_at (self, m);
      WeirChartPanel *panel = weir_chart_get_panel (self, mark->panel);

      for (int a = 0; a < 2 && mark->is_box; a++)
        {
          extend (&panel->axes[a], mark->ends[a][0]);
          extend (&panel->axes[a], mark->ends[a][1]);
        }
      if (mark->sign != WEIR_CHART_UPRIGHT && !mark->is_box)
        {
          extend (&panel->axes[0], mark->x);
          extend (&panel->axes[1], mark->y);
        }
    }
  for (guint i = 0; i < self->areas->len; i++)
    {
      const WeirChartArea *area = &g_array_index (self->areas, WeirChartArea, i);
      WeirChartPanel *panel = weir_chart_get_panel (self, area->panel);

      for (guint k = 0; k < area->n; k++)
        {
          extend (&panel->axes[0], area->x[k]);
          extend (&panel->axes[1], area->low[k]);
          extend (&panel->axes[1], area->high[k]);
        }
    }
  for (guint p = 0; p < self->panels->len; p++)
    for (int a = 0; a < 2; a++)
      round_out (&weir_chart_get_panel (self, p)->axes[a]);
}

/* The axis that has more room than it needs shows more. */
static void
make_square (WeirChartPanel *panel)
{
  double units[2] = { (panel->axes[0].high - panel->axes[0].low) / panel->width,
                      (panel->axes[1].high - panel->axes[1].low) / panel->height };
  double unit = MAX (units[0], units[1]);
  double sizes[2] = { panel->width, panel->height };

  for (int a = 0; a < 2; a++)
    {
      double middle = (panel->axes[a].low + panel->axes[a].high) / 2;

      panel->axes[a].low = middle - unit * sizes[a] / 2;
      panel->axes[a].high = middle + unit * sizes[a] / 2;
    }
}

void
weir_chart_lay_out (WeirChart *self)
{
  find_ranges (self);
  for (guint p = 0; p < self->panels->len; p++)
    {
      WeirChartPanel *panel = weir_chart_get_panel (self, p);
      const WeirChartView *view = &g_array_index (self->views, WeirChartView, p);

      for (int a = 0; a < 2 && view->is_moved; a++)
        {
          panel->axes[a].low = view->ends[a][0];
          panel->axes[a].high = view->ends[a][1];
        }
      if (panel->is_square)
        make_square (panel);
    }
  self->is_laid_out = TRUE;
}

/* --- The view -------------------------------------------------------------------------------- */

void
weir_chart_fit (WeirChart *self)
{
  for (guint p = 0; p < self->views->len; p++)
    g_array_index (self->views, WeirChartView, p).is_moved = FALSE;
}

static WeirChartPanel *
find_panel (const WeirChart *self, double x, double y, guint *at)
{
  for (guint p = 0; p < self->panels->len && self->is_laid_out; p++)
    {
      WeirChartPanel *panel = weir_chart_get_panel (self, p);

      if (x < panel->x || x > panel->x + panel->width || y < panel->y
          || y > panel->y + panel->height)
        continue;
      *at = p;
      return panel;
    }
  return NULL;
}

static double
from_pixel (const WeirChartPanel *panel, int axis, double at)
{
  const WeirChartScale *scale = &panel->axes[axis];
  double share = axis == 0 ? (at - panel->x) / panel->width : 1 - (at - panel->y) / panel->height;

  return weir_chart_unmeasure (scale, scale->low + share * (scale->high - scale->low));
}

gboolean
weir_chart_from_position (WeirChart *self, double x, double y, guint *panel, double *at_x,
                          double *at_y)
{
  WeirChartPanel *found = find_panel (self, x, y, panel);

  if (found == NULL)
    return FALSE;
  *at_x = from_pixel (found, 0, x);
  *at_y = from_pixel (found, 1, y);
  return TRUE;
}

/* Do two panels move together along an axis? */
static gboolean
are_joined (const WeirChart *self, guint p, guint k, int axis)
{
  guint n = self->n_columns;

  if (n > 1)
    return axis == 0 ? p % n == k % n : p / n == k / n;
  return axis == 0 && weir_chart_get_panel (self, p)->shares_x
         && weir_chart_get_panel (self, k)->shares_x;
}

/* Keeps the ends that panel @p has now, as the user's; of axes that move together in all. */
static void
keep_view (WeirChart *self, guint p)
{
  const WeirChartPanel *panel = weir_chart_get_panel (self, p);

  for (guint k = 0; k < self->panels->len; k++)
    {
      WeirChartPanel *other = weir_chart_get_panel (self, k);
      WeirChartView *view = &g_array_index (self->views, WeirChartView, k);

      if (k != p && !are_joined (self, p, k, 0) && !are_joined (self, p, k, 1))
        continue;
      for (int a = 0; a < 2; a++)
        if (k != p && are_joined (self, p, k, a))
          {
            other->axes[a].low = panel->axes[a].low;
            other->axes[a].high = panel->axes[a].high;
          }
      view->is_moved = TRUE;
      for (int a = 0; a < 2; a++)
        {
          view->ends[a][0] = other->axes[a].low;
          view->ends[a][1] = other->axes[a].high;
        }
    }
}

gboolean
weir_chart_zoom (WeirChart *self, double x, double y, double factor)
{
  guint p = 0;
  WeirChartPanel *panel = find_panel (self, x, y, &p);
  double shares[2];

  if (panel == NULL)
    return FALSE;
  shares[0] = (x - panel->x) / panel->width;
  shares[1] = 1 - (y - panel->y) / panel->height;
  for (int a = 0; a < 2; a++)
    {
      WeirChartScale *axis = &panel->axes[a];
      double length = axis->high - axis->low, at = axis->low + length * shares[a];

      axis->low = at - length * factor * shares[a];
      axis->high = axis->low + length * factor;
    }
  keep_view (self, p);
  return TRUE;
}

gboolean
weir_chart_pan (WeirChart *self, double x, double y, double dx, double dy)
{
  guint p = 0;
  WeirChartPanel *panel = find_panel (self, x, y, &p);
  double ways[2];

  if (panel == NULL)
    return FALSE;
  ways[0] = -dx / panel->width;
  ways[1] = dy / panel->height;
  for (int a = 0; a < 2; a++)
    {
      double way = ways[a] * (panel->axes[a].high - panel->axes[a].low);

      panel->axes[a].low += way;
      panel->axes[a].high += way;
    }
  keep_view (self, p);
  return TRUE;
}

/* --- The cursor ------------------------------------------------------------------------------ */

void
weir_chart_set_text_func (WeirChart *self, WeirChartTextFunc func, gpointer data)
{
  self->text_func = func;
  self->text_data = data;
}

static gboolean
has_cursor (const WeirChart *self)
{
  guint n = self->curves->len;

  if (!self->has_cursor)
    return FALSE;
  return self->cursor < n ? self->cursor_row < weir_chart_get_curve_at (self, self->cursor)->n
                          : self->cursor - n < self->marks->len;
}

gboolean
weir_chart_get_cursor_place (const WeirChart *self, guint *panel, double *x, double *y)
{
  if (!has_cursor (self))
    return FALSE;
  if (self->cursor < self->curves->len)
    {
      const WeirChartCurve *curve = weir_chart_get_curve_at (self, self->cursor);

      *panel = curve->panel;
      *x = curve->x[self->cursor_row];
      *y = curve->y[self->cursor_row];
    }
  else
    {
      const WeirChartMark *mark = weir_chart_get_mark_at (self, self->cursor - self->curves->len);

      *panel = mark->panel;
      *x = mark->x;
      *y = mark->y;
    }
  return isfinite (*x) && isfinite (*y);
}

static gboolean
can_point_at (const WeirChart *self, guint k)
{
  if (k < self->curves->len)
    {
      WeirChartLook look = weir_chart_get_curve_at (self, k)->look;

      return look != WEIR_CHART_GUIDE && look != WEIR_CHART_CONTOUR && look != WEIR_CHART_FORMER
             && weir_chart_get_curve_at (self, k)->n > 0;
    }
  return weir_chart_get_mark_at (self, k - self->curves->len)->text != NULL
         && weir_chart_get_mark_at (self, k - self->curves->len)->sign != WEIR_CHART_UPRIGHT;
}

static void
try_point (WeirChart *self, guint k, guint row, double distance, double *nearest)
{
  if (!(distance < *nearest))
    return;
  *nearest = distance;
  self->has_cursor = TRUE;
  self->cursor = k;
  self->cursor_row = row;
}

static gboolean
is_within (const WeirChartPanel *panel, const WeirChartMark *box, double x, double y)
{
  double left = weir_chart_to_pixel (panel, 0, box->ends[0][0]);
  double right = weir_chart_to_pixel (panel, 0, box->ends[0][1]);
  double bottom = weir_chart_to_pixel (panel, 1, box->ends[1][0]);
  double top = weir_chart_to_pixel (panel, 1, box->ends[1][1]);

  return x >= MIN (left, right) && x < MAX (left, right) && y >= MIN (top, bottom)
         && y < MAX (top, bottom);
}

gboolean
weir_chart_point_at (WeirChart *self, double x, double y)
{
  guint p = 0;
  WeirChartPanel *panel = find_panel (self, x, y, &p);
  double nearest = NEAR;

  self->has_cursor = FALSE;
  for (guint k = 0; panel != NULL && k < self->curves->len; k++)
    {
      const WeirChartCurve *curve = weir_chart_get_curve_at (self, k);

      for (guint i = 0; curve->panel == p && can_point_at (self, k) && i < curve->n; i++)
        try_point (self, k, i,
                   hypot (weir_chart_to_pixel (panel, 0, curve->x[i]) - x,
                          weir_chart_to_pixel (panel, 1, curve->y[i]) - y),
                   &nearest);
    }
  nearest = MIN (nearest, NEAR);
  for (guint k = 0; panel != NULL && k < self->marks->len; k++)
    {
      const WeirChartMark *mark = weir_chart_get_mark_at (self, k);

      if (mark->is_box && mark->panel == p && can_point_at (self, self->curves->len + k)
          && is_within (panel, mark, x, y))
        try_point (self, self->curves->len + k, 0, -7, &nearest);
      else if (!mark->is_box && mark->panel == p && can_point_at (self, self->curves->len + k))
        try_point (self, self->curves->len + k, 0,
                   hypot (weir_chart_to_pixel (panel, 0, mark->x) - x,
                          weir_chart_to_pixel (panel, 1, mark->y) - y)
                       - 6, /* marks go before the curves that they are on */
                   &nearest);
    }
  return self->has_cursor;
}

void
weir_chart_put_cursor (WeirChart *self, guint panel, double x, double y)
{
  for (guint m = 0; m < self->marks->len; m++)
    {
      const WeirChartMark *mark = weir_chart_get_mark_at (self, m);

      if (mark->panel == panel && mark->x == x && mark->y == y
          && can_point_at (self, self->curves->len + m))
        {
          self->has_cursor = TRUE;
          self->cursor = self->curves->len + m;
          return;
        }
    }
  for (guint c = 0; c < self->curves->len; c++)
    {
      const WeirChartCurve *curve = weir_chart_get_curve_at (self, c);

      for (guint i = 0; curve->panel == panel && can_point_at (self, c) && i < curve->n; i++)
        if (curve->x[i] == x && curve->y[i] == y)
          {
            self->has_cursor = TRUE;
            self->cursor = c;
            self->cursor_row = i;
            return;
          }
    }
}

void
weir_chart_clear_cursor (WeirChart *self)
{
  self->has_cursor = FALSE;
}

/* The box that the cursor is on; NULL: it is on none. */
static const WeirChartMark *
get_box (const WeirChart *self)
{
  const WeirChartMark *mark = has_cursor (self) && self->cursor >= self->curves->len
                                  ? weir_chart_get_mark_at (self, self->cursor - self->curves->len)
                                  : NULL;

  return mark != NULL && mark->is_box ? mark : NULL;
}

/* To the nearest box in a direction, those of the same row or column first. FALSE: there is none.
 */
static gboolean
move_among_boxes (WeirChart *self, const WeirChartMark *from, int right, int up)
{
  double nearest = 0;
  gboolean is_found = FALSE;
  guint found = 0;

  for (guint m = 0; m < self->marks->len; m++)
    {
      const WeirChartMark *to = weir_chart_get_mark_at (self, m);
      double x = (to->x - from->x) / (from->ends[0][1] - from->ends[0][0]);
      double y = (to->y - from->y) / (from->ends[1][1] - from->ends[1][0]);
      double ahead = right != 0 ? right * x : up * y, aside = fabs (right != 0 ? y : x);
      double distance = ahead + 1000 * aside;

      if (!to->is_box || to->panel != from->panel || !(ahead > 1e-9)
          || (is_found && !(distance < nearest)))
        continue;
      nearest = distance;
      is_found = TRUE;
      found = m;
    }
  if (is_found)
    self->cursor = self->curves->len + found;
  return is_found;
}

gboolean
weir_chart_move_cursor (WeirChart *self, int along, int by)
{
  guint n = self->curves->len + self->marks->len;
  const WeirChartMark *box = get_box (self);

  if (box != NULL && move_among_boxes (self, box, (along > 0) - (along < 0), (by < 0) - (by > 0)))
    return TRUE;

  if (!has_cursor (self))
    {
      self->cursor = n > 0 ? n - 1 : 0;
      by = 1;
      along = 0;
    }
  for (guint tries = 0; by != 0 && tries < n; tries++)
    {
      self->cursor = (self->cursor + n + (guint) (by > 0 ? 1 : -1)) % n;
      self->cursor_row = self->cursor < self->curves->len
                             ? weir_chart_get_curve_at (self, self->cursor)->n / 2
                             : 0;
      if (can_point_at (self, self->cursor))
        {
          self->has_cursor = TRUE;
          return TRUE;
        }
    }
  if (by != 0 || !has_cursor (self) || self->cursor >= self->curves->len)
    return has_cursor (self);
  self->cursor_row = (guint) CLAMP ((gint64) self->cursor_row + along, 0,
                                    weir_chart_get_curve_at (self, self->cursor)->n - 1);
  return TRUE;
}

char *
weir_chart_dup_cursor_text (WeirChart *self)
{
  guint panel;
  double x, y;

  if (!weir_chart_get_cursor_place (self, &panel, &x, &y))
    return NULL;
  if (self->cursor >= self->curves->len)
    return g_strdup (weir_chart_get_mark_at (self, self->cursor - self->curves->len)->text);
  if (self->text_func != NULL)
    return self->text_func (self->text_data, self->cursor, self->cursor_row, x, y);
  return g_strdup_printf ("%g, %g", x, y);
}

#define MOST_TOLD 12 /* marks, in a summary */

static void
take_point (double ends[2][2], double x, double y)
{
  if (!isfinite (x) || !isfinite (y))
    return;
  ends[0][0] = MIN (ends[0][0], x);
  ends[0][1] = MAX (ends[0][1], x);
  ends[1][0] = MIN (ends[1][0], y);
  ends[1][1] = MAX (ends[1][1], y);
}

/* @ends: [axis][low, high] of what says something, in the panel. FALSE: there is nothing. */
static gboolean
find_extent (const WeirChart *self, guint panel, double ends[2][2])
{
  for (guint axis = 0; axis < 2; axis++)
    {
      ends[axis][0] = INFINITY;
      ends[axis][1] = -INFINITY;
    }
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirChartCurve *curve = weir_chart_get_curve_at (self, i);

      if (curve->panel != panel || curve->look == WEIR_CHART_GUIDE
          || curve->look == WEIR_CHART_CONTOUR || curve->look == WEIR_CHART_FORMER)
        continue;
      for (guint k = 0; k < curve->n; k++)
        take_point (ends, curve->x[k], curve->y[k]);
    }
  for (guint i = 0; i < self->marks->len; i++)
    {
      const WeirChartMark *mark = weir_chart_get_mark_at (self, i);

      if (mark->panel == panel && mark->sign != WEIR_CHART_UPRIGHT && mark->text != NULL)
        take_point (ends, mark->x, mark->y);
    }
  return ends[0][0] <= ends[0][1];
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (text->len > 0)
    g_string_append (text, ". ");
  g_string_append (text, sentence);
}

static void
append_marks (const WeirChart *self, GString *text)
{
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->marks->len && g_hash_table_size (told) < MOST_TOLD; i++)
    {
      char *said = weir_chart_get_mark_at (self, i)->text;

      if (said != NULL && g_hash_table_add (told, said))
        append_sentence (text, said);
    }
}

char *
weir_chart_dup_summary (const WeirChart *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->panels->len; i++)
    {
      const WeirChartPanel *panel = weir_chart_get_panel (self, i);
      double ends[2][2];

      if (!find_extent (self, i, ends))
        continue;
      for (guint axis = 0; axis < 2; axis++)
        if (panel->names[axis] == NULL && panel->axes[axis].label != NULL
            && *panel->axes[axis].label != '\0')
          {
            g_autofree char *sentence = g_strdup_printf (
                _ ("%s from %.5g to %.5g"), panel->axes[axis].label, ends[axis][0], ends[axis][1]);

            append_sentence (text, sentence);
          }
    }
  append_marks (self, text);
  return g_string_free (text, FALSE);
}

void
weir_chart_get_least_size (const WeirChart *self, double *width, double *height)
{
  guint columns = self->n_columns, rows = (self->panels->len + columns - 1) / columns;

  *width = MAX (LEAST_WIDTH, columns > 1 ? ROUND_MATRIX + columns * LEAST_CELL : 0);
  *height = MAX (LEAST_HEIGHT, columns > 1 ? ROUND_MATRIX + rows * LEAST_CELL : 0);
}

/* --- Boxes ------------------------------------------------------------------------------------ */

gboolean
weir_chart_get_box (WeirChart *self, double x, double y, double to_x, double to_y,
                    WeirChartBox *box)
{
  const WeirChartPanel *panel = find_panel (self, x, y, &box->panel);
  double ends[2][2];

  if (panel == NULL)
    return FALSE;
  to_x = CLAMP (to_x, panel->x, panel->x + panel->width);
  to_y = CLAMP (to_y, panel->y, panel->y + panel->height);
  ends[0][0] = from_pixel (panel, 0, x);
  ends[0][1] = from_pixel (panel, 0, to_x);
  ends[1][0] = from_pixel (panel, 1, y);
  ends[1][1] = from_pixel (panel, 1, to_y);
  for (int a = 0; a < 2; a++)
    {
      box->ends[a][0] = MIN (ends[a][0], ends[a][1]);
      box->ends[a][1] = MAX (ends[a][0], ends[a][1]);
    }
  return TRUE;
}

gboolean
weir_chart_get_cursor_box (const WeirChart *self, WeirChartBox *box)
{
  const WeirChartMark *mark = get_box (self);
  double x, y;

  if (!weir_chart_get_cursor_place (self, &box->panel, &x, &y))
    return FALSE;
  for (int end = 0; end < 2; end++)
    {
      box->ends[0][end] = mark != NULL ? mark->ends[0][end] : x;
      box->ends[1][end] = mark != NULL ? mark->ends[1][end] : y;
    }
  return TRUE;
}

void
weir_chart_show_box (WeirChart *self, const WeirChartBox *box)
{
  self->shows_box = box != NULL && box->panel < self->panels->len;
  if (self->shows_box)
    self->box = *box;
}
