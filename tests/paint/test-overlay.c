/* The overlay of the cache and graphs in lanes: signs that differ without colour, wires in the
 * state of their source, tints from afar, layouts whose nodes do not overlap, slices.
 *
 * With WEIR_PICTURES=DIRECTORY the signs and a graph are written there, for looking at.
 */
#include <math.h>
#include <string.h>

#include "../canvas/example.h"
#include "paint/drawing/diagram.h"
#include "paint/plots/lanes.h"

#define SIZE 32

static void
show_picture (cairo_surface_t *surface, const char *name)
{
  const char *folder = g_getenv ("WEIR_PICTURES");
  g_autofree char *path = NULL;

  if (folder == NULL)
    return;
  path = g_strdup_printf ("%s/%s.png", folder, name);
  g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
}

/* How dark each pixel is, whatever the colour: ink of 0 to 1 over white. */
static void
draw_ink (WeirBadge badge, WeirBeatSign sign, double *ink)
{
  WeirPalette plain = *weir_palette_get (WEIR_PALETTE_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIZE, SIZE);
  cairo_t *cr = cairo_create (surface);

  for (guint i = 0; i < WEIR_N_STATE_COLORS; i++)
    plain.states[i] = (WeirColor) { 0, 0, 0, 1 };
  plain.curves[7] = (WeirColor) { 0, 0, 0, 1 };
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  if (sign == WEIR_BEAT_SIGN_NONE)
    weir_badge_draw (cr, badge, SIZE / 2.0, SIZE / 2.0, 10, &plain);
  else
    weir_beat_sign_draw (cr, sign, 1, SIZE / 2.0, SIZE / 2.0, 10, &plain);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      {
        guint32 pixel;

        memcpy (&pixel,
                cairo_image_surface_get_data (surface)
                    + y * cairo_image_surface_get_stride (surface) + x * 4,
                4);
        ink[y * SIZE + x] = 1 - (pixel & 255) / 255.0;
      }
  cairo_surface_destroy (surface);
}

/* Any two signs differ in at least a tenth of the disc's area, all in one colour. */
static void
test_shapes (void)
{
  double ink[WEIR_N_BADGES][SIZE * SIZE];

  for (guint i = 1; i < WEIR_N_BADGES; i++)
    draw_ink ((WeirBadge) i, WEIR_BEAT_SIGN_NONE, ink[i]);
  for (guint i = 1; i < WEIR_N_BADGES; i++)
    for (guint k = i + 1; k < WEIR_N_BADGES; k++)
      {
        double difference = 0;

        for (guint p = 0; p < SIZE * SIZE; p++)
          difference += fabs (ink[i][p] - ink[k][p]);
        g_assert_cmpfloat (difference, >, 0.1 * G_PI * 10 * 10);
      }
}

/* The same of the signs of slow motion: a twentieth, as all have the ring around them. */
static void
test_beat_signs (void)
{
  double ink[WEIR_N_BEAT_SIGNS][SIZE * SIZE];

  for (guint i = 1; i < WEIR_N_BEAT_SIGNS; i++)
    draw_ink (WEIR_BADGE_NONE, (WeirBeatSign) i, ink[i]);
  for (guint i = 1; i < WEIR_N_BEAT_SIGNS; i++)
    for (guint k = i + 1; k < WEIR_N_BEAT_SIGNS; k++)
      {
        double difference = 0;

        for (guint p = 0; p < SIZE * SIZE; p++)
          difference += fabs (ink[i][p] - ink[k][p]);
        g_test_message ("%u and %u: %g", i, k, difference);
        g_assert_cmpfloat (difference, >, 0.05 * G_PI * 10 * 10);
      }
}

/* Relative luminance and contrast as WCAG 2 defines them. */
static double
get_contrast (WeirColor a, WeirColor b)
{
  const WeirColor *colors[2] = { &a, &b };
  double luminance[2];

  for (int i = 0; i < 2; i++)
    {
      double c[3] = { colors[i]->r, colors[i]->g, colors[i]->b };

      for (int k = 0; k < 3; k++)
        c[k] = c[k] <= 0.04045 ? c[k] / 12.92 : pow ((c[k] + 0.055) / 1.055, 2.4);
      luminance[i] = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    }
  return (MAX (luminance[0], luminance[1]) + 0.05) / (MIN (luminance[0], luminance[1]) + 0.05);
}

/* Signs are graphics: 3 : 1 to the background, more in high contrast. */
static void
test_contrast (void)
{
  for (guint kind = 0; kind < WEIR_N_PALETTES; kind++)
    {
      const WeirPalette *palette = weir_palette_get ((WeirPaletteKind) kind);

      for (guint i = 0; i < WEIR_N_STATE_COLORS; i++)
        g_assert_cmpfloat (get_contrast (palette->states[i], palette->background), >=,
                           kind >= WEIR_PALETTE_HIGH_CONTRAST ? 4.5 : 3);
    }
}

/* --- The overlay ----------------------------------------------------------------------------- */

static WeirBlockOverlay *
add_block (WeirOverlay *overlay, guint32 id, const char *input, const char *output)
{
  WeirBlockOverlay *block = weir_overlay_add_block (overlay, id, 2);

  weir_port_overlay_init (&block->ports[0], input, FALSE);
  weir_port_overlay_init (&block->ports[1], output, TRUE);
  return block;
}

static void
test_wires (void)
{
  g_autoptr (WeirModel) model = example_model ();
  WeirDiagram *root = weir_model_get_root (model);
  const WeirWire *wire = weir_diagram_find_wire (root, EXAMPLE_WIRE_SINE_GAIN);
  const WeirWire *next = weir_diagram_find_wire (root, EXAMPLE_WIRE_GAIN_SUM);
  g_autoptr (WeirOverlay) overlay = weir_overlay_new ();
  WeirBlockOverlay *sine = add_block (overlay, EXAMPLE_SINE, "u", "y");
  WeirBlockOverlay *gain = add_block (overlay, EXAMPLE_GAIN, "u", "y");
  WeirWireOverlay look;

  overlay->mode = WEIR_OVERLAY_STATE;
  for (guint badge = 0; badge < WEIR_N_BADGES; badge++)
    {
      sine->ports[1].badge = (WeirBadge) badge;
      look = weir_overlay_get_wire (overlay, wire);
      g_assert_cmpint (look.badge, ==, badge);
      g_assert_false (look.is_faded);
    }
  overlay->mode = WEIR_OVERLAY_HEAT;
  g_assert_cmpint (weir_overlay_get_wire (overlay, wire).badge, ==, WEIR_BADGE_NONE);

  /* Emphasised are wires both ends of which are part of it. */
  overlay->has_emphasis = TRUE;
  sine->depth = 0;
  sine->ports[1].depth = 1;
  gain->depth = 2;
  gain->ports[0].depth = 2;
  look = weir_overlay_get_wire (overlay, wire);
  g_assert_true (look.is_emphasised && !look.is_faded);
  look = weir_overlay_get_wire (overlay, next);
  g_assert_true (!look.is_emphasised && look.is_faded);
  g_assert_false (weir_overlay_is_faded (overlay, EXAMPLE_GAIN));
  g_assert_true (weir_overlay_is_faded (overlay, EXAMPLE_SUM));
  weir_overlay_clear_emphasis (overlay);
  g_assert_cmpint (gain->ports[0].depth, ==, -1);
  g_assert_false (weir_overlay_is_faded (overlay, EXAMPLE_SUM));
}

/* The colour in the middle of a block, drawn at a scale. */
static WeirColor
pick (WeirScene *scene, WeirOverlay *overlay, guint32 block, double scale)
{
  WeirPoint middle = weir_rect_get_center (weir_scene_find_block (scene, block)->box);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 3, 3);
  cairo_t *cr = cairo_create (surface);
  WeirDiagramStyle style;
  guint32 pixel;

  cairo_translate (cr, 1.5, 1.5);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -middle.x, -middle.y);
  weir_diagram_style_init (&style, weir_palette_get (WEIR_PALETTE_LIGHT));
  style.scale = scale;
  style.overlay = overlay;
  weir_diagram_draw (scene, cr, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  memcpy (&pixel,
          cairo_image_surface_get_data (surface) + cairo_image_surface_get_stride (surface) + 4, 4);
  cairo_surface_destroy (surface);
  return (WeirColor) { (pixel >> 16 & 255) / 255.0, (pixel >> 8 & 255) / 255.0,
                       (pixel & 255) / 255.0, 1 };
}

/* From afar blocks are tinted as their fill says, and more where more was computed. */
static void
test_tints (void)
{
  g_autoptr (WeirModel) model = example_model ();
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  const WeirPalette *palette = weir_palette_get (WEIR_PALETTE_LIGHT);
  g_autoptr (WeirOverlay) overlay = weir_overlay_new ();
  WeirBlockOverlay *plant = add_block (overlay, EXAMPLE_PLANT, "u", "y");
  double before = -1;

  overlay->mode = WEIR_OVERLAY_STATE;
  for (guint badge = WEIR_BADGE_NEVER; badge < WEIR_N_BADGES; badge++)
    {
      WeirColor seen, meant;

      plant->badge = (WeirBadge) badge;
      seen = pick (scene, overlay, EXAMPLE_PLANT, 0.2);
      meant = weir_overlay_get_fill (overlay, EXAMPLE_PLANT, palette->fill, 0.2, palette);
      g_assert_cmpfloat_with_epsilon (seen.r, meant.r, 1.5 / 255);
      g_assert_cmpfloat_with_epsilon (seen.g, meant.g, 1.5 / 255);
      g_assert_cmpfloat_with_epsilon (seen.b, meant.b, 1.5 / 255);
    }
  overlay->mode = WEIR_OVERLAY_COST;
  for (double amount = 0; amount <= 1; amount += 0.25)
    {
      WeirColor seen;

      plant->amount = amount;
      seen = pick (scene, overlay, EXAMPLE_PLANT, 0.2);
      g_assert_cmpfloat (seen.r - seen.b, >, before); /* more and more orange */
      before = seen.r - seen.b;
    }
}

/* --- Lanes ----------------------------------------------------------------------------------- */

/* Two sources, a chain of three values of which the first feeds both outputs, one output from
 * another way. */
static WeirLaneGraph *
lanes_new (void)
{
  WeirLaneGraph *graph = weir_lane_graph_new ();
  static const char *const lanes[] = { "Sources", "Values", "Outputs" };
  static const struct {
    guint lane;
    WeirLaneKind kind;
    const char *title;
  } nodes[] = { { 0, WEIR_LANE_SOURCE, "a" },
                { 0, WEIR_LANE_SOURCE, "b" },
                { 1, WEIR_LANE_VALUE, "c" },
                { 1, WEIR_LANE_VALUE, "d" },
                { 1, WEIR_LANE_VALUE, "e" },
                { 2, WEIR_LANE_VALUE, "f" },
                { 2, WEIR_LANE_WINDOW, "a long title of an output" } };
  static const WeirLaneEdge edges[] = {
    { 0, 2, WEIR_EDGE_DECLARED }, { 2, 3, WEIR_EDGE_READ },       { 3, 4, WEIR_EDGE_UNREAD },
    { 2, 5, WEIR_EDGE_READ },     { 4, 5, WEIR_EDGE_UNDECLARED }, { 1, 6, WEIR_EDGE_DECLARED },
    { 5, 2, WEIR_EDGE_DECLARED }
  };

  for (guint i = 0; i < G_N_ELEMENTS (lanes); i++)
    weir_lane_graph_add_lane (graph, lanes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    g_assert_cmpuint (
        weir_lane_graph_add_node (graph, 100 + i, nodes[i].lane, nodes[i].kind, nodes[i].title), ==,
        i);
  g_assert_cmpuint (weir_lane_graph_add_node (graph, 103, 0, WEIR_LANE_VALUE, "again"), ==, 3);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    weir_lane_graph_add_edge (graph, edges[i].from, edges[i].to, edges[i].kind);
  weir_lane_graph_node (graph, 3)->badge = WEIR_BADGE_STALE;
  weir_lane_graph_node (graph, 5)->badge = WEIR_BADGE_FRESH;
  return graph;
}

static void
test_lanes (void)
{
  g_autoptr (WeirLaneGraph) graph = lanes_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 900, 300);
  cairo_t *cr = cairo_create (surface);
  WeirPen pen;

  weir_pen_init (&pen, cr, weir_palette_get (WEIR_PALETTE_LIGHT), 1);
  weir_lane_graph_lay_out (graph, &pen);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      WeirRect box = weir_lane_graph_node (graph, i)->box;
      const WeirLane *lane = &g_array_index (graph->lanes, WeirLane,
                                             weir_lane_graph_node (graph, i)->lane);

      g_assert_cmpfloat (box.x, >=, lane->x);
      g_assert_cmpfloat (box.x + box.width, <=, lane->x + lane->width);
      g_assert_cmpfloat (box.y + box.height, <=, graph->height);
      g_assert_cmpuint (weir_lane_graph_hit (graph, box.x + 5, box.y + 5), ==, i);
      for (guint k = 0; k < i; k++)
        g_assert_false (weir_rect_intersects (box, weir_lane_graph_node (graph, k)->box));
    }
  /* Within a lane along the chain. */
  g_assert_cmpuint (weir_lane_graph_node (graph, 2)->column, ==, 0);
  g_assert_cmpuint (weir_lane_graph_node (graph, 3)->column, ==, 1);
  g_assert_cmpuint (weir_lane_graph_node (graph, 4)->column, ==, 2);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_translate (cr, 10, 10);
  weir_lane_graph_draw (graph, &pen, WEIR_NO_LANE_NODE);
  weir_lane_graph_draw_legend (&pen, 10, 270);
  show_picture (surface, "lanes");

  /* Slices: so many steps up and down. */
  weir_lane_graph_choose (graph, 2, 1, 1);
  g_assert_cmpint (weir_lane_graph_node (graph, 0)->distance, ==, -1);
  g_assert_cmpint (weir_lane_graph_node (graph, 2)->distance, ==, 0);
  g_assert_cmpint (weir_lane_graph_node (graph, 3)->distance, ==, 1);
  g_assert_cmpint (weir_lane_graph_node (graph, 4)->distance, ==, G_MAXINT);
  g_assert_cmpint (weir_lane_graph_node (graph, 6)->distance, ==, G_MAXINT);
  weir_lane_graph_choose (graph, 2, 0, 2);
  g_assert_cmpint (weir_lane_graph_node (graph, 0)->distance, ==, G_MAXINT);
  g_assert_cmpint (weir_lane_graph_node (graph, 4)->distance, ==, 2);
  g_assert_cmpuint (weir_lane_graph_get_reach (graph, 2, TRUE), ==, 2);
  g_assert_cmpuint (weir_lane_graph_get_reach (graph, 6, FALSE), ==, 1);
  weir_lane_graph_choose (graph, WEIR_NO_LANE_NODE, 0, 0);
  g_assert_cmpint (weir_lane_graph_node (graph, 6)->distance, ==, 0);

  /* By keyboard. */
  g_assert_cmpuint (weir_lane_graph_go (graph, WEIR_NO_LANE_NODE, 1, 0), ==, 0);
  g_assert_cmpuint (weir_lane_graph_go (graph, 0, 1, 0), ==, 2);
  g_assert_cmpuint (weir_lane_graph_go (graph, 3, -1, 0), ==, 2);
  g_assert_cmpuint (weir_lane_graph_go (graph, 0, 0, 1), ==, 1);
  g_assert_cmpuint (weir_lane_graph_go (graph, 0, 0, -1), ==, 0);
  weir_pen_clear (&pen);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/badge/shapes", test_shapes);
  g_test_add_func ("/paint/badge/contrast", test_contrast);
  g_test_add_func ("/paint/overlay/beat-signs", test_beat_signs);
  g_test_add_func ("/paint/overlay/wires", test_wires);
  g_test_add_func ("/paint/overlay/tints", test_tints);
  g_test_add_func ("/paint/lanes", test_lanes);
  return g_test_run ();
}
