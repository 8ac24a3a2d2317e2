/* Pictograms from a table of polylines, in a unit square with y up, drawn into the middle of the
 * box: a new one is a few numbers and a line in a table.
 */
#include "paint/drawing/glyph.h"

#include <math.h>
#include <string.h>

#define PEN_UP NAN /* starts a new line */

typedef struct {
  double x, y;
} Vertex;

static const Vertex step_curve[] = { { 0, 0.15 }, { 0.45, 0.15 }, { 0.45, 0.85 }, { 1, 0.85 } };
static const Vertex hold_curve[] = {
  { 0, 0.1 },   { 0.25, 0.1 }, { 0.25, 0.45 }, { 0.5, 0.45 },
  { 0.5, 0.8 }, { 0.75, 0.8 }, { 0.75, 0.55 }, { 1, 0.55 },
};
static const Vertex count_curve[] = {
  { 0, 0 },      { 0.25, 0 },    { 0.25, 0.33 }, { 0.5, 0.33 },
  { 0.5, 0.67 }, { 0.75, 0.67 }, { 0.75, 1 },    { 1, 1 },
};
static const Vertex product_sign[] = {
  { 0.25, 0.25 }, { 0.75, 0.75 }, { PEN_UP, 0 }, { 0.25, 0.75 }, { 0.75, 0.25 }
};
static const Vertex pulse_curve[] = {
  { 0, 0.1 },   { 0.2, 0.1 },  { 0.2, 0.9 },  { 0.5, 0.9 },
  { 0.5, 0.1 }, { 0.75, 0.1 }, { 0.75, 0.9 }, { 1, 0.9 },
};
static const Vertex ramp_curve[] = { { 0, 0.1 }, { 0.3, 0.1 }, { 1, 0.9 } };
static const Vertex sawtooth_curve[] = {
  { 0, 0.1 }, { 0.33, 0.9 }, { 0.33, 0.1 }, { 0.67, 0.9 }, { 0.67, 0.1 }, { 1, 0.9 },
};
static const Vertex triangle_curve[] = {
  { 0, 0.1 }, { 0.25, 0.9 }, { 0.5, 0.1 }, { 0.75, 0.9 }, { 1, 0.1 }
};
static const Vertex uniform_curve[] = {
  { 0, 0.55 },     { 0.125, 0.55 }, { 0.125, 0.2 }, { 0.25, 0.2 },  { 0.25, 0.85 }, { 0.375, 0.85 },
  { 0.375, 0.65 }, { 0.5, 0.65 },   { 0.5, 0.1 },   { 0.625, 0.1 }, { 0.625, 0.4 }, { 0.75, 0.4 },
  { 0.75, 0.95 },  { 0.875, 0.95 }, { 0.875, 0.3 }, { 1, 0.3 },
};
static const Vertex time_table_curve[] = {
  { 0, 0.2 }, { 0.2, 0.35 }, { 0.4, 0.9 }, { 0.7, 0.5 }, { 1, 0.6 }
};
static const Vertex file_lines[] = {
  { 0.1, 0 },    { 0.1, 1 },    { 0.65, 1 },  { 0.9, 0.75 },  { 0.9, 0 },
  { 0.1, 0 },    { PEN_UP, 0 }, { 0.65, 1 },  { 0.65, 0.75 }, { 0.9, 0.75 },
  { PEN_UP, 0 }, { 0.22, 0.2 }, { 0.4, 0.5 }, { 0.58, 0.3 },  { 0.78, 0.55 },
};
static const Vertex lookup_curve[] = {
  { 0, 0.05 }, { 0.25, 0.15 }, { 0.5, 0.6 }, { 0.75, 0.85 }, { 1, 0.95 }
};
static const Vertex lookup_reading[] = { { 0.5, 0 }, { 0.5, 0.6 }, { 0, 0.6 } };
static const Vertex mux_lines[] = {
  { 0.55, 0 },   { 0.55, 1 },   { PEN_UP, 0 }, { 0, 0.8 },    { 0.55, 0.8 },
  { PEN_UP, 0 }, { 0, 0.5 },    { 0.55, 0.5 }, { PEN_UP, 0 }, { 0, 0.2 },
  { 0.55, 0.2 }, { PEN_UP, 0 }, { 0.55, 0.5 }, { 1, 0.5 },
};
static const Vertex demux_lines[] = {
  { 0.45, 0 },   { 0.45, 1 },   { PEN_UP, 0 }, { 1, 0.8 },    { 0.45, 0.8 },
  { PEN_UP, 0 }, { 1, 0.5 },    { 0.45, 0.5 }, { PEN_UP, 0 }, { 1, 0.2 },
  { 0.45, 0.2 }, { PEN_UP, 0 }, { 0.45, 0.5 }, { 0, 0.5 },
};
static const Vertex terminator_lines[] = {
  { 0, 0.5 },   { 0.6, 0.5 },  { PEN_UP, 0 }, { 0.6, 0.9 },
  { 0.6, 0.1 }, { PEN_UP, 0 }, { 0.8, 0.7 },  { 0.8, 0.3 }
};
static const Vertex saturation_curve[] = { { 0, 0.15 }, { 0.3, 0.15 }, { 0.7, 0.85 }, { 1, 0.85 } };
static const Vertex dead_zone_curve[] = { { 0, 0.1 }, { 0.3, 0.5 }, { 0.7, 0.5 }, { 1, 0.9 } };
static const Vertex quantizer_curve[] = {
  { 0, 0.1 },    { 0.2, 0.1 },  { 0.2, 0.37 }, { 0.5, 0.37 },
  { 0.5, 0.63 }, { 0.8, 0.63 }, { 0.8, 0.9 },  { 1, 0.9 },
};
static const Vertex rate_curve[] = { { 0, 0.1 }, { 0.2, 0.1 }, { 0.8, 0.9 }, { 1, 0.9 } };
static const Vertex rate_input[] = { { 0.2, 0.1 }, { 0.2, 0.9 }, { 0.8, 0.9 } };
static const Vertex relay_curve[] = {
  { 0, 0.1 },    { 0.7, 0.1 },  { 0.7, 0.9 },  { PEN_UP, 0 }, { 1, 0.9 },
  { 0.3, 0.9 },  { 0.3, 0.1 },  { PEN_UP, 0 }, { 0.6, 0.45 }, { 0.7, 0.58 },
  { 0.8, 0.45 }, { PEN_UP, 0 }, { 0.2, 0.55 }, { 0.3, 0.42 }, { 0.4, 0.55 },
};
static const Vertex sign_curve[] = { { 0, 0.12 }, { 0.5, 0.12 }, { 0.5, 0.88 }, { 1, 0.88 } };
static const Vertex hit_curve[] = { { 0, 0.1 }, { 0.35, 0.4 }, { 0.65, 0.6 }, { 1, 0.9 } };
static const Vertex hit_level[] = { { 0, 0.5 }, { 1, 0.5 } };
static const Vertex edge_curve[] = {
  { 0, 0.1 },    { 0.5, 0.1 },   { 0.5, 0.9 },  { 1, 0.9 },
  { PEN_UP, 0 }, { 0.35, 0.45 }, { 0.5, 0.65 }, { 0.65, 0.45 },
};
static const Vertex delay_curve[] = { { 0, 0.15 }, { 0.65, 0.15 }, { 0.65, 0.85 }, { 1, 0.85 } };
static const Vertex delay_input[] = { { 0.25, 0.15 }, { 0.25, 0.85 }, { 0.65, 0.85 } };
static const Vertex lag_curve[] = {
  { 0, 0.1 },    { 0.1, 0.1 },  { 0.2, 0.36 }, { 0.3, 0.53 },
  { 0.45, 0.7 }, { 0.6, 0.79 }, { 0.8, 0.85 }, { 1, 0.88 },
};
static const Vertex swing_curve[] = {
  { 0, 0.1 },     { 0.08, 0.1 },  { 0.13, 0.2 },  { 0.2, 0.52 },  { 0.26, 0.8 },  { 0.32, 0.93 },
  { 0.38, 0.93 }, { 0.45, 0.8 },  { 0.52, 0.64 }, { 0.58, 0.56 }, { 0.64, 0.55 }, { 0.72, 0.63 },
  { 0.8, 0.71 },  { 0.86, 0.73 }, { 0.93, 0.71 }, { 1, 0.68 },
};
static const Vertex angle_lines[] = {
  { 1, 0.15 },    { 0.1, 0.15 },  { 0.85, 0.85 }, { PEN_UP, 0 },
  { 0.55, 0.15 }, { 0.53, 0.28 }, { 0.48, 0.39 }, { 0.43, 0.46 },
};
static const Vertex stop_sign[] = {
  { 0.3, 0 }, { 0.7, 0 }, { 1, 0.3 }, { 1, 0.7 },    { 0.7, 1 },   { 0.3, 1 },
  { 0, 0.7 }, { 0, 0.3 }, { 0.3, 0 }, { PEN_UP, 0 }, { 0.3, 0.5 }, { 0.7, 0.5 },
};

/* A loop between two slanted sides; arrows say which way round. */
static const Vertex backlash_curve[] = {
  { 0.1, 0.1 },   { 0.35, 0.1 },  { 0.9, 0.9 },   { 0.65, 0.9 },  { 0.1, 0.1 },
  { PEN_UP, 0 },  { 0.55, 0.52 }, { 0.63, 0.5 },  { 0.62, 0.38 }, { PEN_UP, 0 },
  { 0.37, 0.62 }, { 0.37, 0.5 },  { 0.46, 0.48 },
};
static const Vertex prbs_curve[] = {
  { 0, 0.1 },   { 0.125, 0.1 }, { 0.125, 0.9 }, { 0.25, 0.9 },  { 0.25, 0.1 },  { 0.5, 0.1 },
  { 0.5, 0.9 }, { 0.75, 0.9 },  { 0.75, 0.1 },  { 0.875, 0.1 }, { 0.875, 0.9 }, { 1, 0.9 },
};
static const Vertex spectrum_lines[] = {
  { 0.1, 0 }, { 0.1, 0.4 },  { PEN_UP, 0 }, { 0.25, 0 }, { 0.25, 0.95 }, { PEN_UP, 0 },
  { 0.4, 0 }, { 0.4, 0.55 }, { PEN_UP, 0 }, { 0.55, 0 }, { 0.55, 0.75 }, { PEN_UP, 0 },
  { 0.7, 0 }, { 0.7, 0.3 },  { PEN_UP, 0 }, { 0.85, 0 }, { 0.85, 0.15 },
};
static const Vertex first_order_curve[] = {
  { 0, 0.1 },    { 0.25, 0.1 }, { 0.25, 0.4 }, { 0.5, 0.7 },
  { 0.5, 0.75 }, { 0.75, 1 },   { 0.75, 0.8 }, { 1, 0.7 },
};
static const Vertex memory_curve[] = {
  { 0, 0.1 }, { 0.35, 0.1 }, { 0.35, 0.5 }, { 0.6, 0.5 }, { 0.6, 0.8 }, { 1, 0.8 },
};
static const Vertex memory_input[] = { { 0, 0.25 }, { 0.35, 0.5 }, { 0.6, 0.8 }, { 1, 0.9 } };
/* A surface above its grid. */
static const Vertex surface_lines[] = {
  { 0, 0.3 },    { 0.35, 0.6 }, { 0.65, 0.5 }, { 1, 0.85 },   { PEN_UP, 0 }, { 0.15, 0.1 },
  { 0.5, 0.35 }, { 0.8, 0.3 },  { 1, 0.5 },    { PEN_UP, 0 }, { 0, 0.3 },    { 0.15, 0.1 },
  { PEN_UP, 0 }, { 0.35, 0.6 }, { 0.5, 0.35 }, { PEN_UP, 0 }, { 0.65, 0.5 }, { 0.8, 0.3 },
  { PEN_UP, 0 }, { 1, 0.85 },   { 1, 0.5 },
};
static const Vertex variable_delay_curve[] = {
  { 0, 0.15 },   { 0.65, 0.15 }, { 0.65, 0.85 }, { 1, 0.85 },   { PEN_UP, 0 },
  { 0.32, 0.5 }, { 0.58, 0.5 },  { PEN_UP, 0 },  { 0.5, 0.6 },  { 0.58, 0.5 },
  { 0.5, 0.4 },  { PEN_UP, 0 },  { 0.4, 0.6 },   { 0.32, 0.5 }, { 0.4, 0.4 },
};
/* Three contacts and a lever. */
static const Vertex multiport_lines[] = {
  { 0, 0.9 }, { 0.2, 0.9 }, { PEN_UP, 0 }, { 0, 0.5 },   { 0.2, 0.5 },  { PEN_UP, 0 },
  { 0, 0.1 }, { 0.2, 0.1 }, { PEN_UP, 0 }, { 0.2, 0.9 }, { 0.75, 0.5 }, { 1, 0.5 },
};
/* Magnitudes over the frequency. */
static const Vertex low_pass_curve[] = {
  { 0, 0.8 }, { 0.35, 0.8 }, { 0.45, 0.77 }, { 0.55, 0.65 }, { 0.9, 0.1 }
};
static const Vertex high_pass_curve[] = {
  { 0.1, 0.1 }, { 0.45, 0.65 }, { 0.55, 0.77 }, { 0.65, 0.8 }, { 1, 0.8 }
};
static const Vertex band_pass_curve[] = { { 0.05, 0.1 },  { 0.27, 0.65 }, { 0.34, 0.77 },
                                          { 0.42, 0.8 },  { 0.58, 0.8 },  { 0.66, 0.77 },
                                          { 0.73, 0.65 }, { 0.95, 0.1 } };
static const Vertex band_stop_curve[] = { { 0, 0.8 },     { 0.25, 0.8 }, { 0.35, 0.75 },
                                          { 0.42, 0.6 },  { 0.5, 0.1 },  { 0.58, 0.6 },
                                          { 0.65, 0.75 }, { 0.75, 0.8 }, { 1, 0.8 } };

typedef enum { NO_AXES, CORNER, CROSS } Axes;

#define CURVE(vertices) vertices, G_N_ELEMENTS (vertices)

static const struct {
  const char *type;
  Axes axes;
  const Vertex *vertices;
  guint n;
  const Vertex *dashed; /* behind, dimmed; or NULL */
  guint n_dashed;
} curves[] = {
  { "Step", CORNER, CURVE (step_curve) },
  { "ZeroOrderHold", CORNER, CURVE (hold_curve) },
  { "Counter", CORNER, CURVE (count_curve) },
  { "Product", NO_AXES, CURVE (product_sign) },
  { "Mux", NO_AXES, CURVE (mux_lines) },
  { "Demux", NO_AXES, CURVE (demux_lines) },
  { "Terminator", NO_AXES, CURVE (terminator_lines) },
  { "Pulse", CORNER, CURVE (pulse_curve) },
  { "Ramp", CORNER, CURVE (ramp_curve) },
  { "Sawtooth", CORNER, CURVE (sawtooth_curve) },
  { "Triangle", CORNER, CURVE (triangle_curve) },
  { "UniformRandom", CORNER, CURVE (uniform_curve) },
  { "TimeTable", CORNER, CURVE (time_table_curve) },
  { "FromFile", NO_AXES, CURVE (file_lines) },
  { "LookupTable", CORNER, CURVE (lookup_curve), CURVE (lookup_reading) },
  { "Saturation", CROSS, CURVE (saturation_curve) },
  { "DeadZone", CROSS, CURVE (dead_zone_curve) },
  { "Quantizer", CROSS, CURVE (quantizer_curve) },
  { "RateLimiter", CORNER, CURVE (rate_curve), CURVE (rate_input) },
  { "Relay", CROSS, CURVE (relay_curve) },
  { "Sign", CROSS, CURVE (sign_curve) },
  { "HitCrossing", NO_AXES, CURVE (hit_curve), CURVE (hit_level) },
  { "EdgeDetector", CORNER, CURVE (edge_curve) },
  { "TransportDelay", CORNER, CURVE (delay_curve), CURVE (delay_input) },
  { "Lag", CORNER, CURVE (lag_curve) },
  { "SecondOrderLag", CORNER, CURVE (swing_curve) },
  { "Atan2", NO_AXES, CURVE (angle_lines) },
  { "Stop", NO_AXES, CURVE (stop_sign) },
  { "Backlash", CROSS, CURVE (backlash_curve) },
  { "FirstOrderHold", CORNER, CURVE (first_order_curve) },
  { "LookupTable2D", NO_AXES, CURVE (surface_lines) },
  { "Memory", CORNER, CURVE (memory_curve), CURVE (memory_input) },
  { "MultiportSwitch", NO_AXES, CURVE (multiport_lines) },
  { "PRBS", CORNER, CURVE (prbs_curve) },
  { "Spectrum", CORNER, CURVE (spectrum_lines) },
  { "VariableDelay", CORNER, CURVE (variable_delay_curve), CURVE (delay_input) },
};

/* Filters, by what they let pass. */
static const struct {
  const char *response;
  const Vertex *vertices;
  guint n;
} filter_curves[] = {
  { "lowpass", CURVE (low_pass_curve) },
  { "highpass", CURVE (high_pass_curve) },
  { "bandpass", CURVE (band_pass_curve) },
  { "bandstop", CURVE (band_stop_curve) },
};

/* Curves that are functions over [0, 1], with values there too. */
static double
sine (double x)
{
  return 0.5 + 0.42 * sin (2 * G_PI * x);
}

static double
chirp (double x)
{
  return 0.5 + 0.42 * sin (2 * G_PI * x * (0.6 + 2.6 * x));
}

static double
bell (double x)
{
  double deviations = (x - 0.5) / 0.16;

  return 0.05 + 0.9 * exp (-deviations * deviations / 2);
}

/* Bounces with a restitution of 0.7 between x = 0.2 and the end, from the height 1. */
static double
bounces (double x)
{
  double begin = -0.42, half = 0.42, height = 0.86;

  while (x > begin + 2 * half && half > 0.02)
    {
      begin += 2 * half;
      half *= 0.7;
      height *= 0.7 * 0.7;
    }
  x = (x - begin - half) / half;
  return MAX (height * (1 - x * x), 0);
}

static const struct {
  const char *type;
  Axes axes;
  double (*function) (double x);
} smooth_curves[] = {
  { "Sine", CORNER, sine },
  { "Chirp", CORNER, chirp },
  { "GaussianRandom", CORNER, bell },
  { "BouncingBall", NO_AXES, bounces },
};

/* --- Drawing --------------------------------------------------------------------------------- */

static void
draw_axes (WeirPen *pen, WeirRect f, Axes axes)
{
  if (axes == NO_AXES)
    return;
  cairo_save (pen->cr);
  weir_set_source_alpha (pen->cr, pen->palette->dim_text, 0.6);
  cairo_set_line_width (pen->cr, 0.8 * pen->palette->line_width);
  if (axes == CORNER)
    {
      cairo_move_to (pen->cr, f.x, f.y);
      cairo_line_to (pen->cr, f.x, f.y + f.height);
      cairo_line_to (pen->cr, f.x + f.width, f.y + f.height);
    }
  else
    {
      cairo_move_to (pen->cr, f.x, f.y + f.height / 2);
      cairo_line_to (pen->cr, f.x + f.width, f.y + f.height / 2);
      cairo_move_to (pen->cr, f.x + f.width / 2, f.y);
      cairo_line_to (pen->cr, f.x + f.width / 2, f.y + f.height);
    }
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}

static void
stroke_polyline (WeirPen *pen, WeirRect f, const Vertex *vertices, guint n)
{
  gboolean up = TRUE;

  for (guint i = 0; i < n; i++)
    {
      double x = f.x + f.width * vertices[i].x, y = f.y + f.height * (1 - vertices[i].y);

      if (isnan (vertices[i].x))
        up = TRUE;
      else if (up)
        {
          cairo_move_to (pen->cr, x, y);
          up = FALSE;
        }
      else
        cairo_line_to (pen->cr, x, y);
    }
  cairo_stroke (pen->cr);
}

static void
stroke_dashed (WeirPen *pen, WeirRect f, const Vertex *vertices, guint n)
{
  cairo_save (pen->cr);
  weir_set_source_alpha (pen->cr, pen->palette->dim_text, 0.8);
  cairo_set_line_width (pen->cr, 0.9 * pen->palette->line_width);
  cairo_set_dash (pen->cr, (const double[]) { 2.5, 2.5 }, 2, 0);
  stroke_polyline (pen, f, vertices, n);
  cairo_restore (pen->cr);
}

static void
stroke_function (WeirPen *pen, WeirRect f, double (*function) (double x))
{
  const int n = 96;

  for (int i = 0; i <= n; i++)
    cairo_line_to (pen->cr, f.x + f.width * i / n,
                   f.y + f.height * (1 - function ((double) i / n)));
  cairo_stroke (pen->cr);
}

void
weir_glyph_stroke_sine (WeirPen *pen, WeirRect field)
{
  stroke_function (pen, field, sine);
}

static void
draw_smooth_curve (WeirPen *pen, const WeirBlockShape *shape, guint i)
{
  WeirRect f = weir_glyph_has_port_labels (shape)
                   ? weir_glyph_get_field_between_labels (pen, shape, 0.62)
                   : weir_glyph_get_field (shape, 0.58);

  draw_axes (pen, f, smooth_curves[i].axes);
  stroke_function (pen, f, smooth_curves[i].function);
  if (smooth_curves[i].function != bounces)
    return;
  /* The floor, and the ball where it was let go. */
  cairo_move_to (pen->cr, f.x, f.y + f.height);
  cairo_line_to (pen->cr, f.x + f.width, f.y + f.height);
  cairo_stroke (pen->cr);
  cairo_arc (pen->cr, f.x, f.y + f.height * (1 - bounces (0)), f.width * 0.11, 0, 2 * G_PI);
  cairo_fill (pen->cr);
}

static gboolean
draw_filter (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *response = weir_block_get_effective_parameter (shape->block, "response");
  WeirRect f = weir_glyph_get_field (shape, 0.56);

  for (guint i = 0; i < G_N_ELEMENTS (filter_curves); i++)
    if (g_strcmp0 (filter_curves[i].response, response) == 0)
      {
        draw_axes (pen, f, CORNER);
        stroke_polyline (pen, f, filter_curves[i].vertices, filter_curves[i].n);
        if (g_str_equal (weir_block_get_type_name (shape->block), "DiscreteFilter"))
          weir_pen_text (pen, "z", 10, f.x + f.width + 8, f.y, 1, 0.7, 0);
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_glyph_draw_curve (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *type = weir_block_get_type_name (shape->block);

  if (g_str_equal (type, "Filter") || g_str_equal (type, "DiscreteFilter"))
    return draw_filter (pen, shape);
  for (guint i = 0; i < G_N_ELEMENTS (smooth_curves); i++)
    if (g_str_equal (smooth_curves[i].type, type))
      {
        draw_smooth_curve (pen, shape, i);
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    if (g_str_equal (curves[i].type, type))
      {
        WeirRect f = weir_glyph_has_port_labels (shape)
                         ? weir_glyph_get_field_between_labels (pen, shape, 0.56)
                         : weir_glyph_get_field (shape, 0.56);

        draw_axes (pen, f, curves[i].axes);
        if (curves[i].dashed != NULL)
          stroke_dashed (pen, f, curves[i].dashed, curves[i].n_dashed);
        stroke_polyline (pen, f, curves[i].vertices, curves[i].n);
        return TRUE;
      }
  return FALSE;
}
