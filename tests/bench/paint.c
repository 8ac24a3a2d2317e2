/* Rows of drawing: frames of a canvas with 10 000 blocks, routing after a drag, curves of many
 * samples.
 *
 * Everything is drawn by ui/paint on an image surface, as software rendering of a window does; no
 * window is needed. A figure is the time of one whole frame.
 */
#include "bench.h"

#include <math.h>

#include "analysis/measure.h"
#include "model/tree/patch.h"
#include "paint/drawing/diagram.h"
#include "paint/drawing/kept.h"
#include "paint/plots/plot.h"
#include "paint/plots/pyramid.h"

#define WIDTH 1600 /* pixels */
#define HEIGHT 1000
#define ROW_LENGTH 100 /* blocks */

/* --- A diagram ------------------------------------------------------------------------------- */

static void
add_wire (WeirPatch *patch, guint32 id, guint32 from, guint32 to, const char *port)
{
  g_autoptr (WeirWire) wire = weir_wire_new (id, (WeirWireEnd) { .block = from, .port = "y" },
                                             (WeirWireEnd) { .block = to, .port = port }, NULL, 0);

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
}

/* @n blocks in rows, of five types, wired from left to right; each fifth has a wire
 * more, to a Sum of the row below. */
WeirModel *
bench_paint_model_new (guint n)
{
  static const char *const types[] = { "Gain", "Integrator", "Sum", "Gain", "Saturation" };
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  WeirModel *model;
  guint32 wire = n + 1;

  for (guint i = 0; i < n; i++)
    {
      const char *type = types[i % G_N_ELEMENTS (types)];
      g_autofree char *name = g_strdup_printf ("%s%u", type, i);
      g_autoptr (WeirBlock) block = weir_block_new (
          i + 1, type, name, (WeirPoint) { i % ROW_LENGTH * 110, i / ROW_LENGTH * 90 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
      if (i % ROW_LENGTH > 0)
        add_wire (patch, wire++, i, i + 1, i % G_N_ELEMENTS (types) == 2 ? "in1" : "u");
      if (i % G_N_ELEMENTS (types) == 2 && i >= ROW_LENGTH)
        add_wire (patch, wire++, i + 1 - ROW_LENGTH - 1, i + 1, "in2");
    }
  model = weir_model_apply (empty, patch, NULL, &error);
  if (model == NULL)
    g_error ("%s", error->message);
  return model;
}

/* The model with one block elsewhere. */
static WeirModel *
model_with_block_at (WeirModel *model, guint32 id, WeirPoint position)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirBlock *old = weir_diagram_find_block (weir_model_get_root (model), id);
  g_autoptr (WeirBlock) moved = weir_block_with_position (old, position);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
  return weir_model_apply (model, patch, NULL, NULL);
}

/* --- Frames ---------------------------------------------------------------------------------- */

typedef struct {
  WeirModel *model;
  WeirScene *scene;
  cairo_surface_t *surface;
  WeirPoint offset; /* pixels */
  double zoom;
  guint32 dragged;
  guint step;
  WeirOverlay *overlay; /* or NULL */
  WeirKept *kept;       /* while a block is dragged, as the canvas does */
} Canvas;

static void
canvas_init (Canvas *c, guint n)
{
  *c = (Canvas) { .model = bench_paint_model_new (n), .zoom = 1, .offset = { -2000, -1500 } };
  c->scene = weir_scene_new (weir_model_get_root (c->model), NULL);
  c->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  for (guint i = 0; i < weir_scene_get_n_wires (c->scene); i++)
    if (!weir_scene_get_wire (c->scene, i)->to_connected
        || !weir_scene_get_wire (c->scene, i)->from_connected)
      g_error ("A wire of the measured diagram is loose.");
  c->dragged = n / 4 + 13; /* a Sum with three wires */
}

static void
canvas_clear (Canvas *c)
{
  weir_model_unref (c->model);
  weir_scene_unref (c->scene);
  cairo_surface_destroy (c->surface);
  g_clear_pointer (&c->overlay, weir_overlay_unref);
  g_clear_pointer (&c->kept, weir_kept_free);
}

static void
draw (Canvas *c)
{
  cairo_t *cr = cairo_create (c->surface);
  WeirDiagramStyle style;

  weir_diagram_style_init (&style, weir_palette_find (FALSE, FALSE));
  style.clip = (WeirRect) { -c->offset.x / c->zoom, -c->offset.y / c->zoom, WIDTH / c->zoom,
                            HEIGHT / c->zoom };
  style.scale = c->zoom;
  style.show_grid = TRUE;
  style.overlay = c->overlay;
  if (c->kept != NULL)
    weir_kept_draw (c->kept, cr, c->scene, &style, c->offset, WIDTH, HEIGHT, 1);
  else
    {
      cairo_translate (cr, c->offset.x, c->offset.y);
      cairo_scale (cr, c->zoom, c->zoom);
      weir_diagram_draw (c->scene, cr, &style);
    }
  cairo_destroy (cr);
  cairo_surface_flush (c->surface);
  bench_sink += cairo_image_surface_get_data (c->surface)[0];
}

static void
run_pan (gpointer data, guint64 n)
{
  Canvas *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      c->offset.x = -2000 - (double) (c->step++ % 100 * 7);
      draw (c);
    }
}

static void
drag (Canvas *c)
{
  WeirPoint start = { (c->dragged - 1) % ROW_LENGTH * 110,
                      floor ((c->dragged - 1) / (double) ROW_LENGTH) * 90 };
  g_autoptr (WeirModel) old = c->model;
  g_autoptr (WeirScene) before = c->scene;

  c->model = model_with_block_at (
      old, c->dragged, (WeirPoint) { start.x + c->step % 20 * 10, start.y + c->step % 9 * 10 });
  c->step++;
  c->scene = weir_scene_new (weir_model_get_root (c->model), before);
}

static void
run_route (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    drag (data);
}

static void
run_drag (gpointer data, guint64 n)
{
  Canvas *c = data;
  WeirPoint at = { (c->dragged - 1) % ROW_LENGTH * 110,
                   floor ((c->dragged - 1) / (double) ROW_LENGTH) * 90 };

  c->offset = (WeirPoint) { WIDTH / 2.0 - at.x, HEIGHT / 2.0 - at.y };
  if (c->kept == NULL)
    c->kept = weir_kept_new ();
  for (guint64 i = 0; i < n; i++)
    {
      drag (c);
      draw (c);
    }
}

static void
run_fit (gpointer data, guint64 n)
{
  Canvas *c = data;
  WeirRect all = weir_scene_get_reach (c->scene);

  c->zoom = MIN (WIDTH / all.width, HEIGHT / all.height);
  c->offset = (WeirPoint) { -all.x * c->zoom, -all.y * c->zoom };
  for (guint64 i = 0; i < n; i++)
    draw (c);
}

static void
measure_alone (void (*run) (gpointer, guint64), gpointer data, double per, BenchResult *result)
{
  BenchVariant variant = { run, data, 0, 0, 0 };

  bench_sample (&variant, 1);
  result->value = variant.median / per;
  result->best_value = variant.best / per;
}

static void
measure_canvas (const BenchRow *row, void (*run) (gpointer, guint64), BenchResult *result)
{
  Canvas canvas;

  canvas_init (&canvas, row->size);
  measure_alone (run, &canvas, 1e6, result);
  result->note = g_strdup_printf ("%u blocks, %u wires, %d x %d pixels",
                                  weir_scene_get_n_blocks (canvas.scene),
                                  weir_scene_get_n_wires (canvas.scene), WIDTH, HEIGHT);
  canvas_clear (&canvas);
}

static void
measure_pan (const BenchRow *row, BenchResult *result)
{
  measure_canvas (row, run_pan, result);
}

static void
measure_drag (const BenchRow *row, BenchResult *result)
{
  measure_canvas (row, run_drag, result);
}

static void
measure_fit (const BenchRow *row, BenchResult *result)
{
  measure_canvas (row, run_fit, result);
}

/* States and figures of all blocks, of all kinds. */
static WeirOverlay *
overlay_new (Canvas *c)
{
  static const WeirBadge badges[] = { WEIR_BADGE_FRESH, WEIR_BADGE_STALE, WEIR_BADGE_FRESH,
                                      WEIR_BADGE_NEVER, WEIR_BADGE_DISABLED };
  WeirOverlay *overlay = weir_overlay_new ();

  overlay->mode = WEIR_OVERLAY_STATE;
  for (guint i = 0; i < weir_scene_get_n_blocks (c->scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (c->scene, i);
      guint n_ports = shape->n_inputs + shape->n_outputs;
      WeirBlockOverlay *block = weir_overlay_add_block (overlay, weir_block_get_id (shape->block),
                                                        n_ports);

      block->badge = badges[i % G_N_ELEMENTS (badges)];
      block->ratio = i % 100 / 100.0;
      g_snprintf (block->figure, sizeof block->figure, "%u %%", i % 100);
      for (guint k = 0; k < n_ports; k++)
        {
          weir_port_overlay_init (&block->ports[k], shape->ports[k].name,
                                  shape->ports[k].is_output);
          block->ports[k].badge = block->badge;
        }
    }
  return overlay;
}

/* What an overlay adds: at 100 %, and to all of the diagram at once; the worse counts. */
static void
measure_overlay (const BenchRow *row, BenchResult *result)
{
  void (*const runs[]) (gpointer, guint64) = { run_pan, run_fit };
  static const char *const names[] = { "at 100 %", "all in view" };

  result->value = -INFINITY;
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      Canvas with, without;
      BenchVariant variants[2] = { { runs[i], &with, 0, 0, 0 }, { runs[i], &without, 0, 0, 0 } };

      canvas_init (&with, row->size);
      canvas_init (&without, row->size);
      with.overlay = overlay_new (&with);
      bench_sample (variants, 2);
      if (variants[0].median - variants[1].median > (result->value - result->reference) * 1e6
          || isinf (result->value))
        {
          result->value = variants[0].median / 1e6;
          result->reference = variants[1].median / 1e6;
          result->best_value = variants[0].best / 1e6;
          result->best_reference = variants[1].best / 1e6;
          g_free (result->note);
          result->note = g_strdup (names[i]);
        }
      canvas_clear (&with);
      canvas_clear (&without);
    }
}

static void
measure_route (const BenchRow *row, BenchResult *result)
{
  measure_canvas (row, run_route, result);
}

/* --- Curves ---------------------------------------------------------------------------------- */

#define N_SAMPLES 10000000

typedef struct {
  double *times, *values;
  gsize n;
  WeirPlot *plot;
  cairo_surface_t *surface;
} Curve;

static gsize
curve_n_rows (gpointer data)
{
  return ((Curve *) data)->n;
}

static const double *
curve_times (gpointer data, gsize first, gsize *n)
{
  Curve *c = data;

  *n = c->n - first;
  return c->times + first;
}

static const double *
curve_values (gpointer data, gsize first, gsize *n)
{
  Curve *c = data;

  *n = c->n - first;
  return c->values + first;
}

static const WeirPlotColumns curve_columns = { curve_n_rows, curve_times, curve_values };

static void
curve_init (Curve *c)
{
  *c = (Curve) { .times = g_new (double, N_SAMPLES),
                 .values = g_new (double, N_SAMPLES),
                 .n = N_SAMPLES };
  for (gsize i = 0; i < N_SAMPLES; i++)
    {
      c->times[i] = (double) i * 1e-6;
      c->values[i] = sin (40 * c->times[i]) + 0.2 * sin (61803.4 * c->times[i]);
    }
  c->plot = weir_plot_new ();
  c->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 900, 400);
  weir_plot_add_columns (c->plot, "y", WEIR_CURVE_LINE, &curve_columns, c, NULL);
  weir_plot_update (c->plot);
}

static void
curve_clear (Curve *c)
{
  weir_plot_free (c->plot);
  cairo_surface_destroy (c->surface);
  g_free (c->times);
  g_free (c->values);
}

static void
run_curve (gpointer data, guint64 n)
{
  Curve *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      cairo_t *cr = cairo_create (c->surface);

      weir_plot_draw (c->plot, cr, 900, 400, weir_palette_find (FALSE, FALSE));
      cairo_destroy (cr);
      cairo_surface_flush (c->surface);
    }
}

static void
measure_curve (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Curve curve;

  curve_init (&curve);
  measure_alone (run_curve, &curve, 1e6, result);
  result->note = g_strdup_printf ("%" G_GSIZE_FORMAT " vertices",
                                  weir_plot_get_n_vertices (curve.plot));
  curve_clear (&curve);
}

/* With two cursors and the statistics between them, of which one is dragged. */
typedef struct {
  Curve curve;
  WeirMeasure *measure;
  double time;
} Measured;

static void
run_measured (gpointer data, guint64 n)
{
  Measured *m = data;
  WeirStatistics statistics;

  for (guint64 i = 0; i < n; i++)
    {
      m->time = m->time < 4 ? m->time + 1e-3 : 1;
      weir_plot_set_measuring (m->curve.plot, 0, m->time);
      weir_measure_get_statistics (m->measure, (WeirTimeRange) { m->time, 9 }, &statistics);
      bench_sink = statistics.mean;
      run_curve (&m->curve, 1);
    }
}

static void
measure_measured (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Measured m = { .time = 1 };

  curve_init (&m.curve);
  m.measure = weir_measure_new_for_arrays (m.curve.n, m.curve.times, m.curve.values,
                                           WEIR_BETWEEN_LINES);
  weir_plot_set_measuring (m.curve.plot, 1, 9);
  measure_alone (run_measured, &m, 1e6, result);
  weir_measure_free (m.measure);
  curve_clear (&m.curve);
}

#define CHUNK 100000

/* A pyramid that grows by chunks to all samples, again and again. */
static void
run_append (gpointer data, guint64 n)
{
  Curve *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      WeirPyramid *pyramid = weir_pyramid_new ();

      for (gsize rows = CHUNK; rows <= 10 * CHUNK; rows += CHUNK)
        weir_pyramid_extend (pyramid, curve_values, c, rows);
      weir_pyramid_free (pyramid);
    }
}

static void
measure_append (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Curve curve;

  curve_init (&curve);
  measure_alone (run_append, &curve, 10 * CHUNK, result);
  result->note = g_strdup_printf ("%.0f million samples/s", 1e3 / result->value);
  curve_clear (&curve);
}

const BenchRow bench_paint_rows[] = {
  { "frame-pan-10k", "a frame while 10 000 blocks are panned", "ms", BENCH_VALUE_AT_MOST, 16,
    measure_pan, 10000 },
  { "frame-drag-1k", "a frame while one block of 1 000 is dragged", "ms", BENCH_VALUE_AT_MOST, 2,
    measure_drag, 1000 },
  { "frame-drag-10k", "a frame while one block of 10 000 is dragged", "ms", BENCH_VALUE_AT_MOST, 12,
    measure_drag, 10000 },
  { "route-10k", "routes anew after dragging one block of 10 000", "ms", BENCH_VALUE_AT_MOST, 2,
    measure_route, 10000 },
  { "frame-fit-10k", "a frame that shows all of 10 000 blocks", "ms", BENCH_VALUE_AT_MOST, 33,
    measure_fit, 10000 },
  { "overlay-frame", "a frame of 10 000 blocks with the cache's state over them", "ms",
    BENCH_OVER_AT_MOST, 4, measure_overlay, 10000 },
  { "route-1k", "routes anew after dragging one block of 1 000", "ms", BENCH_VALUE_AT_MOST, 8,
    measure_route, 1000 },
  { "curve-10m", "redraw a curve of 10 000 000 samples", "ms", BENCH_VALUE_AT_MOST, 5,
    measure_curve, 0 },
  { "curve-10m-measured", "the same with two cursors and the statistics between them", "ms",
    BENCH_VALUE_AT_MOST, 8, measure_measured, 0 },
  { "append", "take a sample into a plot", "ns", BENCH_VALUE_AT_MOST, 20, measure_append, 0 },
  { NULL },
};
