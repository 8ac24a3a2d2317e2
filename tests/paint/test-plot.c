/* Plots: ticks, extremes, what curves cost, values at the cursor, files. Expected numbers are
 * closed forms or counted by hand.
 */
#include <glib/gstdio.h>
#include <math.h>

#include "../seeds.h"
#include "paint/plots/axis.h"
#include "paint/plots/plot-private.h"
#include "paint/plots/pyramid.h"

#define CHUNK 1000 /* columns come in pieces, as a recorder's do */

typedef struct {
  GArray *times, *values;
} Columns;

static gsize
get_n_rows (gpointer data)
{
  return ((Columns *) data)->times->len;
}

static const double *
get_piece (GArray *array, gsize first, gsize *n)
{
  *n = MIN (array->len - first, CHUNK - first % CHUNK);
  return &g_array_index (array, double, first);
}

static const double *
get_times (gpointer data, gsize first, gsize *n)
{
  return get_piece (((Columns *) data)->times, first, n);
}

static const double *
get_values (gpointer data, gsize first, gsize *n)
{
  return get_piece (((Columns *) data)->values, first, n);
}

static const WeirPlotColumns functions = { get_n_rows, get_times, get_values };

static Columns *
columns_new (void)
{
  Columns *columns = g_new (Columns, 1);

  columns->times = g_array_new (FALSE, FALSE, sizeof (double));
  columns->values = g_array_new (FALSE, FALSE, sizeof (double));
  return columns;
}

static void
columns_free (gpointer data)
{
  Columns *columns = data;

  g_array_unref (columns->times);
  g_array_unref (columns->values);
  g_free (columns);
}

static void
add (Columns *columns, double time, double value)
{
  g_array_append_val (columns->times, time);
  g_array_append_val (columns->values, value);
}

static cairo_surface_t *
draw (WeirPlot *plot, WeirPaletteKind kind)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 640, 400);
  cairo_t *cr = cairo_create (surface);

  weir_plot_draw (plot, cr, 640, 400, weir_palette_get (kind));
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
get_pixel (cairo_surface_t *surface, double x, double y)
{
  const guchar *data = cairo_image_surface_get_data (surface);
  const guchar *p = data + (int) y * cairo_image_surface_get_stride (surface) + 4 * (int) x;

  return (guint32) p[2] << 16 | (guint32) p[1] << 8 | p[0];
}

static void
test_ticks (void)
{
  static const struct {
    double length;
    guint max;
    double step;
  } cases[] = { { 10, 10, 1 }, { 10, 9, 2 }, { 1, 8, 0.2 }, { 0.07, 7, 0.01 }, { 3600, 12, 500 } };
  double low = 0.13, high = 0.87;
  g_autofree char *a = weir_axis_format (-0.3, 0.1, 0);
  g_autofree char *b = weir_axis_format (2500000, 500000, 6);
  g_autofree char *c = weir_axis_format (1e-20, 0.1, 0);
  g_autofree char *d = weir_axis_format_exponent (-12);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat_with_epsilon (weir_axis_get_step (cases[i].length, cases[i].max),
                                    cases[i].step, 1e-12 * cases[i].step);
  weir_axis_round_out (&low, &high, 8);
  g_assert_cmpfloat_with_epsilon (low, 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (high, 0.9, 1e-12);
  low = high = 5;
  weir_axis_round_out (&low, &high, 8);
  g_assert_cmpfloat (low, <, 5);
  g_assert_cmpfloat (high, >, 5);
  g_assert_cmpstr (a, ==, "−0.3");
  g_assert_cmpstr (b, ==, "2.5");
  g_assert_cmpstr (c, ==, "0.0");
  g_assert_cmpstr (d, ==, "10⁻¹²");
  g_assert_cmpint (weir_axis_get_exponent (-1, 3e7), ==, 6);
  g_assert_cmpint (weir_axis_get_exponent (0, 2e-4), ==, -6);
  g_assert_cmpint (weir_axis_get_exponent (0, 100), ==, 0);
}

/* Any range of rows: the pyramid says what looking at every row says. */
static void
test_pyramid (void)
{
  g_autoptr (WeirPyramid) pyramid = weir_pyramid_new ();
  Columns *columns = columns_new ();
  guint32 seed = get_test_seed (34);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (int i = 0; i < 5000; i++)
    {
      add (columns, i, i % 97 == 0 ? (double) NAN : g_rand_double_range (random, -1, 1));
      if (i % 701 == 0)
        weir_pyramid_extend (pyramid, get_values, columns, columns->times->len);
    }
  weir_pyramid_extend (pyramid, get_values, columns, columns->times->len);
  for (int k = 0; k < 500; k++)
    {
      gsize first = (gsize) g_rand_int_range (random, 0, 5000);
      gsize end = (gsize) g_rand_int_range (random, (gint32) first, 5001);
      WeirSpan span = weir_pyramid_get_span (pyramid, get_values, columns, first, end);
      WeirSpan expected = WEIR_SPAN_EMPTY;

      for (gsize i = first; i < end; i++)
        {
          double v = g_array_index (columns->values, double, i);

          if (!isnan (v))
            expected = weir_span_union (expected, (WeirSpan) { v, v });
        }
      g_assert_cmpfloat (span.low, ==, expected.low);
      g_assert_cmpfloat (span.high, ==, expected.high);
    }
  columns_free (columns);
}

/* A million samples: a few vertices a column, no extreme lost, drawn again and again in no time. */
static void
test_million (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns = columns_new ();
  const WeirPalette *palette = weir_palette_get (WEIR_PALETTE_LIGHT);
  cairo_surface_t *surface;
  double low, high, x, y;
  guint32 color = 0;

  for (int i = 0; i < 1000000; i++)
    add (columns, i * 1e-5, i == 654321 ? 9 : sin (i * 0.01) + 0.1 * sin (i * 1.7));
  weir_plot_add_columns (plot, "noisy", WEIR_CURVE_LINE, &functions, columns, columns_free);
  g_assert_true (weir_plot_update (plot));
  g_assert_false (weir_plot_update (plot));
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (high, >=, 9);
  surface = draw (plot, WEIR_PALETTE_LIGHT);
  g_assert_cmpuint (weir_plot_get_n_vertices (plot), <=, 4 * 640);
  g_assert_cmpuint (weir_plot_get_n_vertices (plot), >, 640);
  /* The one spike is there, halfway up. */
  weir_plot_to_position (plot, 6.54321, 5, &x, &y);
  for (int dx = -1; dx <= 1; dx++)
    {
      guint32 pixel = get_pixel (surface, x + dx, y);

      if ((pixel >> 16 & 255) < 128)
        color = pixel;
    }
  g_assert_cmpfloat (palette->curves[0].b, >, 0.7);
  g_assert_cmpuint (color & 255, >, 128);
  cairo_surface_destroy (surface);

  if (g_test_perf ())
    {
      g_test_timer_start ();
      for (int i = 0; i < 50; i++)
        cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
      g_test_minimized_result (g_test_timer_elapsed () / 50, "%g ms a drawing of 1 M samples",
                               1000 * g_test_timer_elapsed () / 50);
    }
}

static void
test_values (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *line = columns_new (), *steps = columns_new ();
  double value, t0, t1;

  for (int i = 0; i <= 10; i++)
    {
      add (line, i, 2 * i);
      add (steps, i, i == 4 ? (double) NAN : i);
    }
  add (line, 10, 50); /* an event: two rows at one time */
  weir_plot_add_columns (plot, "line", WEIR_CURVE_LINE, &functions, line, columns_free);
  weir_plot_add_columns (plot, "steps", WEIR_CURVE_STEPS, &functions, steps, columns_free);
  weir_plot_update (plot);
  g_assert_true (weir_plot_get_value_at (plot, 0, 2.25, &value));
  g_assert_cmpfloat_with_epsilon (value, 4.5, 1e-12);
  g_assert_true (weir_plot_get_value_at (plot, 1, 2.25, &value));
  g_assert_cmpfloat (value, ==, 3);                               /* held since t = 2 */
  g_assert_false (weir_plot_get_value_at (plot, 1, 3.5, &value)); /* a gap */
  g_assert_false (weir_plot_get_value_at (plot, 0, 10.1, &value));
  g_assert_true (weir_plot_get_value_at (plot, 0, 10, &value));
  g_assert_cmpfloat (value, ==, 50);

  weir_plot_set_span (plot, 4);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_TIME, &t0, &t1);
  g_assert_cmpfloat (t0, ==, 6);
  g_assert_cmpfloat (t1, ==, 10);
  weir_plot_set_span (plot, 0);
  weir_plot_set_expected_range (plot, 0, 20);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_TIME, &t0, &t1);
  g_assert_cmpfloat (t1, ==, 20);
  weir_plot_set_range (plot, WEIR_PLOT_TIME, 3, 4);
  g_assert_true (weir_plot_update (plot));
  weir_plot_get_range (plot, WEIR_PLOT_TIME, &t0, &t1);
  g_assert_cmpfloat (t0, ==, 3);
}

static void
test_positions (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns = columns_new ();
  double x, y, time, value;

  add (columns, 0, -1);
  add (columns, 4, 1);
  weir_plot_add_columns (plot, "y", WEIR_CURVE_LINE, &functions, columns, columns_free);
  weir_plot_update (plot);
  cairo_surface_destroy (draw (plot, WEIR_PALETTE_DARK));
  weir_plot_to_position (plot, 1, 0.5, &x, &y);
  g_assert_true (weir_plot_from_position (plot, x, y, &time, &value));
  g_assert_cmpfloat_with_epsilon (time, 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (value, 0.5, 1e-9);
  g_assert_false (weir_plot_from_position (plot, 1, 1, &time, &value));
}

/* Between 1 and 1000 a factor of ten is a third of the axis, wherever it is. */
static void
test_log_axis (void)
{
  const WeirAxis axis = { 1, 1000, TRUE };
  const WeirAxis part = { 20, 60, TRUE };
  double low = 0.03, high = 70;
  int exponent;
  g_autoptr (GArray) ticks = weir_axis_list_ticks (&axis, 8, &exponent);
  g_autoptr (GArray) even = NULL;
  guint n_labels = 0;

  g_assert_cmpfloat_with_epsilon (weir_axis_get_share (&axis, 100), 2. / 3, 1e-15);
  g_assert_cmpfloat_with_epsilon (weir_axis_get_value (&axis, 1. / 3), 10, 1e-12);
  g_assert_true (isnan (weir_axis_get_share (&axis, 0)));
  g_assert_true (isnan (weir_axis_get_share (&axis, -3)));
  for (guint i = 0; i < ticks->len; i++)
    n_labels += g_array_index (ticks, WeirTick, i).label != NULL;
  g_assert_cmpuint (ticks->len, ==, 28); /* nine to a power of ten, and the end */
  g_assert_cmpuint (n_labels, ==, 4);
  g_assert_cmpstr (g_array_index (ticks, WeirTick, 9).label, ==, "10");
  g_assert_cmpfloat (g_array_index (ticks, WeirTick, 10).value, ==, 20);
  weir_axis_round_out_log (&low, &high);
  g_assert_cmpfloat_with_epsilon (low, 0.02, 1e-15);
  g_assert_cmpfloat_with_epsilon (high, 100, 1e-12);
  even = weir_axis_list_ticks (&part, 5, &exponent); /* less than a power of ten */
  g_assert_cmpuint (even->len, ==, 5);
  g_assert_cmpstr (g_array_index (even, WeirTick, 1).label, ==, "30");
}

/* Where a curve is drawn that is straight in these axes: y = t^3. What is not above 0 is a gap, and
 * said to be one. */
static void
test_log_curve (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns = columns_new ();
  double x[2], y[2], time, value, low, high;

  for (int i = 0; i <= 1000; i++)
    add (columns, i / 10., i / 10. * i / 10. * i / 10.);
  weir_plot_add_columns (plot, "cube", WEIR_CURVE_LINE, &functions, columns, columns_free);
  weir_plot_set_log (plot, WEIR_PLOT_TIME, TRUE);
  weir_plot_set_log (plot, WEIR_PLOT_LEFT, TRUE);
  g_assert_true (weir_plot_update (plot));
  g_assert_nonnull (weir_plot_get_gap_note (plot));
  weir_plot_get_range (plot, WEIR_PLOT_TIME, &low, &high);
  g_assert_cmpfloat (low, ==, 0.1); /* the first above 0 */
  g_assert_cmpfloat (high, ==, 100);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat_with_epsilon (low, 1e-3, 1e-12);
  g_assert_cmpfloat_with_epsilon (high, 1e6, 1e-3);
  cairo_surface_destroy (draw (plot, WEIR_PALETTE_HIGH_CONTRAST));
  weir_plot_to_position (plot, 0.1, 1e-3, &x[0], &y[0]);
  weir_plot_to_position (plot, 100, 1e6, &x[1], &y[1]);
  for (double t = 0.2; t < 90; t *= 3)
    {
      double at_x, at_y;

      weir_plot_to_position (plot, t, t * t * t, &at_x, &at_y);
      g_assert_cmpfloat_with_epsilon ((at_x - x[0]) / (x[1] - x[0]), (at_y - y[0]) / (y[1] - y[0]),
                                      1e-9);
      g_assert_true (weir_plot_from_position (plot, at_x, at_y, &time, &value));
      g_assert_cmpfloat_with_epsilon (time, t, 1e-9 * t);
      g_assert_cmpfloat_with_epsilon (value, t * t * t, 1e-9 * t * t * t);
    }

  /* A range that is not above 0 does not hold while the axis is logarithmic. */
  weir_plot_set_range (plot, WEIR_PLOT_LEFT, -5, 50);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (low, >, 0);
  weir_plot_set_range (plot, WEIR_PLOT_LEFT, 1, 50);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (low, ==, 1);
  g_assert_cmpfloat (high, ==, 50);
  weir_plot_set_log (plot, WEIR_PLOT_LEFT, FALSE);
  weir_plot_update (plot);
  g_assert_null (weir_plot_get_gap_note (plot));
}

/* Of a great many samples that go through 0 columns reach down to the foot of the axes; nothing is
 * drawn where none is above it. */
static void
test_log_columns (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *wave = columns_new (), *below = columns_new ();
  double low, high;

  for (int i = 0; i < 100000; i++)
    {
      add (wave, i, sin (i * 2 * G_PI / 1000));
      add (below, i, -1 - i);
    }
  weir_plot_add_columns (plot, "wave", WEIR_CURVE_LINE, &functions, wave, columns_free);
  weir_plot_set_log (plot, WEIR_PLOT_LEFT, TRUE);
  weir_plot_update (plot);
  cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
  g_assert_cmpuint (weir_plot_get_n_vertices (plot), >, 100);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (high, ==, 1);
  g_assert_cmpfloat (low, >=, 1e-12);
  weir_plot_set_curve_visible (plot, 0, FALSE);
  weir_plot_add_columns (plot, "below", WEIR_CURVE_LINE, &functions, below, columns_free);
  weir_plot_update (plot);
  cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
  g_assert_cmpuint (weir_plot_get_n_vertices (plot), ==, 0);
}

/* An axis shows the bounds of its curves, as far as their time is shown; a broken one stands out.
 */
static void
test_bounds (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns = columns_new ();
  WeirPlotBound bounds[] = {
    { .curve = 0, .is_upper = TRUE, .from = 0, .to = 4, .values = { 3, 7 } },
    { .curve = 0, .from = 20, .to = 30, .values = { -50, -50 } },
    { .curve = 7, .from = 0, .to = 4, .values = { 90, 90 } }
  };
  double low, high, x, y;
  guint32 colors[2];

  add (columns, 0, 0);
  add (columns, 4, 1);
  weir_plot_add_columns (plot, "y", WEIR_CURVE_LINE, &functions, columns, columns_free);
  for (guint is_broken = 0; is_broken < 2; is_broken++)
    {
      cairo_surface_t *surface;

      bounds[0].is_broken = is_broken == 1;
      weir_plot_set_bounds (plot, bounds, G_N_ELEMENTS (bounds), NULL);
      g_assert_true (weir_plot_update (plot));
      weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
      g_assert_cmpfloat (low, <=, 0);
      g_assert_cmpfloat (low, >, -2);
      g_assert_cmpfloat (high, >=, 7);
      g_assert_cmpfloat (high, <, 10);
      surface = draw (plot, WEIR_PALETTE_LIGHT);
      weir_plot_to_position (plot, 2, 5, &x, &y);
      colors[is_broken] = get_pixel (surface, x, y);
      cairo_surface_destroy (surface);
    }
  g_assert_cmphex (colors[0], !=, colors[1]);
  weir_plot_set_bounds (plot, NULL, 0, NULL);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (high, <, 2);
}

/* An axis is called by the one curve that it measures, by what several have in common, or as it was
 * told to be. */
static void
test_axis_titles (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  g_autofree char *none = NULL, *one = NULL, *two = NULL, *mixed = NULL, *right = NULL,
                  *given = NULL, *time = NULL;

  for (guint i = 0; i < 3; i++)
    {
      Columns *columns = columns_new ();

      add (columns, 0, 1);
      weir_plot_add_columns (plot, i == 0 ? "Mass.x" : "Mass.v", WEIR_CURVE_LINE, &functions,
                             columns, columns_free);
      weir_plot_set_curve_visible (plot, i, i == 0);
    }
  none = weir_plot_dup_axis_title (plot, WEIR_PLOT_LEFT);
  g_assert_null (none);
  weir_plot_set_curve_unit (plot, 0, "m");
  weir_plot_set_curve_unit (plot, 1, "m");
  weir_plot_set_curve_unit (plot, 2, "m/s");
  one = weir_plot_dup_axis_title (plot, WEIR_PLOT_LEFT);
  g_assert_cmpstr (one, ==, "Mass.x (m)");
  weir_plot_set_curve_visible (plot, 1, TRUE);
  two = weir_plot_dup_axis_title (plot, WEIR_PLOT_LEFT);
  g_assert_cmpstr (two, ==, "m");
  weir_plot_set_curve_visible (plot, 2, TRUE);
  mixed = weir_plot_dup_axis_title (plot, WEIR_PLOT_LEFT);
  g_assert_null (mixed);
  weir_plot_set_curve_axis (plot, 2, WEIR_PLOT_RIGHT);
  right = weir_plot_dup_axis_title (plot, WEIR_PLOT_RIGHT);
  g_assert_cmpstr (right, ==, "Mass.v (m/s)");
  weir_plot_set_axis_title (plot, WEIR_PLOT_LEFT, "Position");
  given = weir_plot_dup_axis_title (plot, WEIR_PLOT_LEFT);
  g_assert_cmpstr (given, ==, "Position");
  time = weir_plot_dup_axis_title (plot, WEIR_PLOT_TIME);
  g_assert_cmpstr (time, ==, "Time (s)");
}

/* The legend is above the axes, which stay where they are whatever the cursor shows; more names
 * than two lines hold take no more room. */
static void
test_legend (void)
{
  double top[4];
  static const guint counts[] = { 1, 40, 400, 0 };

  for (guint k = 0; k < G_N_ELEMENTS (counts); k++)
    {
      g_autoptr (WeirPlot) plot = weir_plot_new ();
      double x, y, low, high;

      for (guint i = 0; i < counts[k]; i++)
        {
          Columns *columns = columns_new ();

          add (columns, 0, -1);
          add (columns, 4, 1);
          weir_plot_add_columns (plot, "plant.signal", WEIR_CURVE_LINE, &functions, columns,
                                 columns_free);
        }
      weir_plot_set_range (plot, WEIR_PLOT_LEFT, -1, 1);
      weir_plot_update (plot);
      cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
      weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
      weir_plot_to_position (plot, 0, high, &x, &top[k]);
      for (double time = -1; time < 5; time += 0.7)
        {
          weir_plot_set_cursor (plot, time);
          cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
          weir_plot_to_position (plot, 0, high, &x, &y);
          g_assert_cmpfloat (y, ==, top[k]);
        }
      if (counts[k] == 1)
        {
          weir_plot_set_curve_name (plot, 0, "Pendulum.theta");
          g_assert_cmpstr (weir_plot_get_curve_name (plot, 0), ==, "Pendulum.theta");
        }
      weir_plot_set_show_legend (plot, FALSE);
      cairo_surface_destroy (draw (plot, WEIR_PALETTE_LIGHT));
      weir_plot_to_position (plot, 0, high, &x, &y);
      g_assert_cmpfloat (y, ==, top[k] - (counts[k] == 0 ? 0 : counts[k] == 1 ? 17 : 34));
    }
  g_assert_cmpfloat (top[1], ==, top[2]);
}

/* What is read out at the cursor keeps off the curve: above the axes, or, in a plot too low for
 * that, where the curve is not. */
static void
test_readout (void)
{
  static const double heights[] = { 400, 130 };

  for (guint k = 0; k < G_N_ELEMENTS (heights); k++)
    for (int up = 0; up < 2; up++)
      {
        g_autoptr (WeirPlot) plot = weir_plot_new ();
        Columns *columns = columns_new ();
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 640, 400);
        cairo_t *cr = cairo_create (surface);
        WeirRect area;
        double x, y;

        for (int i = 0; i <= 1000; i++) /* in the way at the upper left, or at the upper right */
          add (columns, i / 100.0, (up ? exp (-i / 100.0) : exp (i / 100.0 - 10)));
        weir_plot_add_columns (plot, "y", WEIR_CURVE_LINE, &functions, columns, columns_free);
        weir_plot_set_legend_at_cursor (plot, TRUE);
        weir_plot_update (plot);
        weir_plot_set_cursor (plot, 5);
        weir_plot_draw (plot, cr, 640, heights[k], weir_palette_get (WEIR_PALETTE_LIGHT));
        area = weir_plot_get_readout (plot);
        g_assert_cmpfloat (area.width, >, 0);
        for (int i = 0; i <= 1000; i++)
          {
            weir_plot_to_position (plot, i / 100.0, up ? exp (-i / 100.0) : exp (i / 100.0 - 10),
                                   &x, &y);
            g_assert_false (weir_rect_contains (area, (WeirPoint) { x, y }));
          }
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
}

/* A step is drawn as a step, where the sample before was taken: the corner is on the curve, the
 * diagonal and the other corner are not. */
static void
test_staircase (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns = columns_new ();
  cairo_surface_t *surface;
  double x, y;

  add (columns, 0, 0);
  add (columns, 1, 1);
  add (columns, 2, 1);
  weir_plot_add_columns (plot, "y", WEIR_CURVE_STEPS, &functions, columns, columns_free);
  weir_plot_set_show_legend (plot, FALSE);
  weir_plot_update (plot);
  surface = draw (plot, WEIR_PALETTE_LIGHT);
  weir_plot_to_position (plot, 0.5, 1, &x, &y);
  g_assert_cmpuint (get_pixel (surface, x, y - 0.5) >> 16, <, 150);
  weir_plot_to_position (plot, 0.53, 0.03, &x, &y);
  g_assert_cmpuint (get_pixel (surface, x, y) >> 16, >, 150);
  weir_plot_to_position (plot, 0.53, 0.53, &x, &y);
  g_assert_cmpuint (get_pixel (surface, x, y) >> 16, >, 150);
  cairo_surface_destroy (surface);
}

static void
test_files (void)
{
  static const struct {
    const char *name, *start;
  } cases[] = { { "a.png", "\x89PNG" }, { "b.svg", "<?xml" }, { "c.PDF", "%PDF" } };
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("weir-plot-XXXXXX", NULL);
  Columns *columns = columns_new ();
  const WeirPalette *palette = weir_palette_get (WEIR_PALETTE_LIGHT);

  for (int i = 0; i < 100; i++)
    add (columns, i * 0.1, sin (i * 0.1));
  weir_plot_add_columns (plot, "sine", WEIR_CURVE_LINE, &functions, columns, columns_free);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (directory, cases[i].name, NULL);
      g_autofree char *contents = NULL;

      g_assert_true (weir_plot_write_file (plot, path, 400, 300, palette, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
      g_assert_true (g_str_has_prefix (contents, cases[i].start));
      g_unlink (path);
    }
  g_rmdir (directory);
  g_assert_false (weir_plot_write_file (plot, "plot.gif", 400, 300, palette, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "plot.gif"));
  g_clear_error (&error);
  g_assert_false (weir_plot_write_file (plot, "/nowhere/at/all.png", 400, 300, palette, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
}

static double
to_linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

/* Relative luminance and contrast as WCAG 2 defines them. */
static double
get_luminance (WeirColor c)
{
  return 0.2126 * to_linear (c.r) + 0.7152 * to_linear (c.g) + 0.0722 * to_linear (c.b);
}

static double
get_contrast (WeirColor a, WeirColor b)
{
  double x = get_luminance (a), y = get_luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static void
test_palettes (void)
{
  for (int kind = 0; kind < WEIR_N_PALETTES; kind++)
    {
      const WeirPalette *p = weir_palette_get ((WeirPaletteKind) kind);
      gboolean high = kind >= WEIR_PALETTE_HIGH_CONTRAST;

      g_assert_cmpfloat (get_contrast (p->text, p->background), >=, 7);
      g_assert_cmpfloat (get_contrast (p->dim_text, p->background), >=, high ? 7 : 4.5);
      g_assert_cmpfloat (get_contrast (p->selection, p->background), >=, 3);
      g_assert_cmpfloat (get_contrast (p->error, p->background), >=, 3);
      g_assert_cmpfloat (get_contrast (p->on_mark, p->error), >=, 3);
      for (int i = 0; i < WEIR_N_CURVE_COLORS; i++)
        {
          g_assert_cmpfloat (get_contrast (p->curves[i], p->background), >=, high ? 4.5 : 3);
          for (int k = 0; k < i; k++)
            {
              WeirColor a = p->curves[i], b = p->curves[k];

              g_assert_cmpfloat (fabs (a.r - b.r) + fabs (a.g - b.g) + fabs (a.b - b.b), >, 0.2);
            }
        }
    }
}

/* For looking at: WEIR_PICTURES=DIRECTORY writes plots there. */
static void
test_pictures (void)
{
  const char *directory = g_getenv ("WEIR_PICTURES");
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *columns[12];

  if (directory == NULL)
    {
      g_test_skip ("WEIR_PICTURES is not set");
      return;
    }
  for (int k = 0; k < 12; k++)
    {
      g_autofree char *name = g_strdup_printf ("plant.signal%d", k + 1);

      columns[k] = columns_new ();
      for (int i = 0; i <= (k == 3 ? 20 : 2000); i++)
        {
          double t = k == 3 ? i * 0.5 : i * 0.005;

          add (columns[k], t, (k + 1) * 0.3 * sin (t * (1 + 0.1 * k) + k) * exp (-0.1 * t));
        }
      weir_plot_add_columns (plot, name, k == 3 ? WEIR_CURVE_STEPS : WEIR_CURVE_LINE, &functions,
                             columns[k], columns_free);
    }
  weir_plot_set_title (plot, "Twelve signals");
  weir_plot_set_cursor (plot, 4.2);
  for (int kind = 0; kind < WEIR_N_PALETTES; kind++)
    {
      g_autofree char *path = g_strdup_printf ("%s/plot-%d.png", directory, kind);

      weir_plot_write_file (plot, path, 640, 400, weir_palette_get ((WeirPaletteKind) kind), NULL);
    }
}

/* --- An axis on the right -------------------------------------------------------------------- */

/* Each axis follows its own curves: 0 to 1 on the left, 0 to 1000 on the right. */
static void
test_right_axis (void)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  Columns *small = columns_new (), *large = columns_new ();
  double low, high;

  for (int i = 0; i <= 10; i++)
    {
      add (small, i, i / 10.0);
      add (large, i, 100.0 * i);
    }
  weir_plot_add_columns (plot, "small", WEIR_CURVE_LINE, &functions, small, columns_free);
  weir_plot_add_columns (plot, "large", WEIR_CURVE_LINE, &functions, large, columns_free);
  weir_plot_update (plot);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (high, >=, 1000);
  g_assert_false (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
  weir_plot_set_curve_axis (plot, 1, WEIR_PLOT_RIGHT);
  g_assert_true (weir_plot_update (plot));
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, &low, &high);
  g_assert_cmpfloat (high, <=, 1.3);
  g_assert_true (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
  weir_plot_get_range (plot, WEIR_PLOT_RIGHT, &low, &high);
  g_assert_cmpfloat (high, >=, 1000);
  g_assert_cmpfloat (high, <=, 1300);
  /* It takes room beside the plot, and both curves are drawn over its whole width. */
  {
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 200);
    cairo_t *cr = cairo_create (surface);
    double x, y, x_right;

    weir_plot_draw (plot, cr, 400, 200, weir_palette_get (WEIR_PALETTE_LIGHT));
    weir_plot_to_position (plot, 10, 0, &x_right, &y);
    weir_plot_set_curve_axis (plot, 1, WEIR_PLOT_LEFT);
    weir_plot_update (plot);
    weir_plot_draw (plot, cr, 400, 200, weir_palette_get (WEIR_PALETTE_LIGHT));
    weir_plot_to_position (plot, 10, 0, &x, &y);
    g_assert_cmpfloat (x_right, <, x - 10);
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
  }
  weir_plot_set_curve_axis (plot, 1, WEIR_PLOT_RIGHT);
  weir_plot_set_curve_visible (plot, 1, FALSE);
  weir_plot_update (plot);
  g_assert_false (weir_plot_has_axis (plot, WEIR_PLOT_RIGHT));
}

/* Four axes: each follows its own curve and has a place of its own, the outermost last. */
static void
test_several_axes (void)
{
  static const WeirPlotAxis axes[] = { WEIR_PLOT_LEFT, WEIR_PLOT_RIGHT, WEIR_PLOT_RIGHT_2,
                                       WEIR_PLOT_RIGHT_3 };
  static const char *const names[] = { "Motor.angle", "Motor.speed", "Motor.current",
                                       "Motor.temperature" };
  static const char *const units[] = { "rad", "rad/s", "A", "K" };
  g_autoptr (WeirPlot) plot = weir_plot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 700, 320);
  cairo_t *cr = cairo_create (surface);
  double x, y;

  for (guint k = 0; k < G_N_ELEMENTS (axes); k++)
    {
      Columns *columns = columns_new ();
      guint curve = weir_plot_add_columns (plot, names[k], WEIR_CURVE_LINE, &functions, columns,
                                           columns_free);

      for (int i = 0; i <= 100; i++)
        add (columns, i / 10.0, pow (10, k) * sin (i / 15.0 + k));
      weir_plot_set_curve_unit (plot, curve, units[k]);
      weir_plot_set_curve_axis (plot, curve, axes[k]);
    }
  weir_plot_update (plot);
  for (guint k = 0; k < G_N_ELEMENTS (axes); k++)
    {
      double low, high;

      weir_plot_get_range (plot, axes[k], &low, &high);
      g_assert_cmpfloat (high, >=, 0.99 * pow (10, k));
      g_assert_cmpfloat (high, <=, 1.5 * pow (10, k));
    }
  weir_plot_draw (plot, cr, 700, 320, weir_palette_get (WEIR_PALETTE_LIGHT));
  if (g_getenv ("WEIR_PICTURES") != NULL)
    {
      g_autofree char *path = g_build_filename (g_getenv ("WEIR_PICTURES"), "plot-axes.png", NULL);

      cairo_surface_write_to_png (surface, path);
    }
  /* From the right to the left of the drawing: all axes in their order, then the curves. */
  for (guint k = G_N_ELEMENTS (axes), found = 0; k-- > 0; found = 0)
    for (x = 699; x >= 0; x--)
      if (weir_plot_find_axis (plot, x, 200) == axes[k])
        {
          found++;
          y = x;
        }
      else if (found > 0)
        {
          g_assert_cmpuint (found, >, 12);
          if (k > 0)
            g_assert_cmpint (weir_plot_find_axis (plot, y - 2, 200), ==,
                             k > 1 ? axes[k - 1] : WEIR_N_PLOT_AXES);
          break;
        }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/plot/ticks", test_ticks);
  g_test_add_func ("/paint/plot/pyramid", test_pyramid);
  g_test_add_func ("/paint/plot/million", test_million);
  g_test_add_func ("/paint/plot/values", test_values);
  g_test_add_func ("/paint/plot/positions", test_positions);
  g_test_add_func ("/paint/plot/legend", test_legend);
  g_test_add_func ("/paint/plot/readout", test_readout);
  g_test_add_func ("/paint/plot/staircase", test_staircase);
  g_test_add_func ("/paint/plot/files", test_files);
  g_test_add_func ("/paint/plot/palettes", test_palettes);
  g_test_add_func ("/paint/plot/pictures", test_pictures);
  g_test_add_func ("/paint/plot/right-axis", test_right_axis);
  g_test_add_func ("/paint/plot/several-axes", test_several_axes);
  g_test_add_func ("/paint/plot/log-axis", test_log_axis);
  g_test_add_func ("/paint/plot/log-curve", test_log_curve);
  g_test_add_func ("/paint/plot/log-columns", test_log_columns);
  g_test_add_func ("/paint/plot/axis-titles", test_axis_titles);
  g_test_add_func ("/paint/plot/bounds", test_bounds);
  return g_test_run ();
}
