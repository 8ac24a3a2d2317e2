/* Drawing wires. See diagram.h.
 *
 * Where a horizontal piece of one signal crosses a vertical piece of another it hops over it, so
 * that a crossing is never taken for a junction. Hops nearer to each other than an arc is wide are
 * one hop.
 */
#include <math.h>
#include <stdlib.h>

#include "paint/drawing/diagram.h"
#include "paint/ground/symbols.h"

#define HOP_RADIUS 4.0
#define LABEL_SIZE 10.0
#define MAX_HOP_WIRES 3000 /* in view at once; with more nobody looks at crossings */

/* --- Crossings ------------------------------------------------------------------------------- */

typedef struct {
  double x, top, bottom;
  const WeirWireShape *wire;
} Upright;

static int
compare_uprights (gconstpointer a, gconstpointer b)
{
  double x = ((const Upright *) a)->x, y = ((const Upright *) b)->x;

  return x < y ? -1 : x > y;
}

/* All vertical pieces in view, by x. (transfer full) */
static GArray *
list_uprights (WeirScene *scene, const WeirDiagramStyle *style)
{
  GArray *uprights = g_array_new (FALSE, FALSE, sizeof (Upright));
  guint n = weir_scene_get_n_wires (scene), n_wires = 0;
  WeirDiagramStyle view = *style;

  if (style->view.width > 0)
    view.clip = style->view;
  for (guint i = weir_style_next_wire (&view, scene, 0); i < n && n_wires <= MAX_HOP_WIRES;
       i = weir_style_next_wire (&view, scene, i + 1))
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);

      if (!weir_style_is_visible (&view, shape->reach))
        continue;
      n_wires++;
      for (guint k = 0; k + 1 < shape->n_points; k++)
        {
          WeirPoint a = shape->points[k], b = shape->points[k + 1];
          Upright upright = { a.x, MIN (a.y, b.y), MAX (a.y, b.y), shape };

          if (a.x == b.x && a.y != b.y && weir_wire_get_id (shape->wire) != style->hidden_wire)
            g_array_append_val (uprights, upright);
        }
    }
  if (n_wires > MAX_HOP_WIRES)
    g_array_set_size (uprights, 0);
  g_array_sort (uprights, compare_uprights);
  return uprights;
}

static guint
find_first_upright (const GArray *uprights, double x)
{
  guint low = 0, high = uprights->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (uprights, Upright, middle).x < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The places on the horizontal piece from @a to @b where it hops, from left to right. */
static void
find_hops (const GArray *uprights, const WeirWireShape *wire, WeirPoint a, WeirPoint b,
           GArray *hops)
{
  double left = MIN (a.x, b.x) + HOP_RADIUS + 2, right = MAX (a.x, b.x) - HOP_RADIUS - 2;

  g_array_set_size (hops, 0);
  for (guint i = find_first_upright (uprights, left); i < uprights->len; i++)
    {
      const Upright *upright = &g_array_index (uprights, Upright, i);

      if (upright->x > right)
        break;
      if (upright->top < a.y - 1 && upright->bottom > a.y + 1
          && !weir_wire_shape_is_same_net (upright->wire, wire))
        g_array_append_val (hops, upright->x);
    }
}

/* A line from the current point to @b with an arc over every hop. */
static void
hop_to (cairo_t *cr, const GArray *hops, WeirPoint a, WeirPoint b)
{
  double way = b.x > a.x ? 1 : -1;

  for (guint i = 0; i < hops->len;)
    {
      double first = g_array_index (hops, double, way > 0 ? i : hops->len - 1 - i), last = first;

      for (i++; i < hops->len; i++)
        {
          double next = g_array_index (hops, double, way > 0 ? i : hops->len - 1 - i);

          if (fabs (next - last) >= 2 * HOP_RADIUS + 1)
            break;
          last = next;
        }
      cairo_line_to (cr, first - way * HOP_RADIUS, a.y);
      if (way > 0)
        {
          cairo_arc (cr, first, a.y, HOP_RADIUS, G_PI, 1.5 * G_PI);
          cairo_arc (cr, last, a.y, HOP_RADIUS, 1.5 * G_PI, 2 * G_PI);
        }
      else
        {
          cairo_arc_negative (cr, first, a.y, HOP_RADIUS, 0, -0.5 * G_PI);
          cairo_arc_negative (cr, last, a.y, HOP_RADIUS, -0.5 * G_PI, -G_PI);
        }
    }
  cairo_line_to (cr, b.x, b.y);
}

/* @uprights: NULL = without hops. */
static void
wire_path (cairo_t *cr, const WeirWireShape *shape, const GArray *uprights)
{
  g_autoptr (GArray) hops = uprights != NULL ? g_array_new (FALSE, FALSE, sizeof (double)) : NULL;

  cairo_move_to (cr, shape->points[0].x, shape->points[0].y);
  for (guint i = 1; i < shape->n_points; i++)
    {
      WeirPoint a = shape->points[i - 1], b = shape->points[i];

      if (hops != NULL && a.y == b.y)
        {
          find_hops (uprights, shape, a, b, hops);
          hop_to (cr, hops, a, b);
        }
      else
        cairo_line_to (cr, b.x, b.y);
    }
}

/* --- One wire -------------------------------------------------------------------------------- */

static void
route_path (cairo_t *cr, const WeirPoint *points, guint n)
{
  for (guint i = 0; i < n; i++)
    (i == 0 ? cairo_move_to : cairo_line_to) (cr, points[i].x, points[i].y);
}

static void
fill_arrow (cairo_t *cr, WeirPoint before, WeirPoint tip)
{
  double length = hypot (tip.x - before.x, tip.y - before.y);
  double ux = length > 0 ? (tip.x - before.x) / length : 1;
  double uy = length > 0 ? (tip.y - before.y) / length : 0;

  cairo_move_to (cr, tip.x, tip.y);
  cairo_line_to (cr, tip.x - 7 * ux - 3.5 * uy, tip.y - 7 * uy + 3.5 * ux);
  cairo_line_to (cr, tip.x - 7 * ux + 3.5 * uy, tip.y - 7 * uy - 3.5 * ux);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* A vector is wider than a number, and the more so the longer it is, up to a point. */
static double
get_signal_width (const WeirDiagramStyle *style, guint32 wire)
{
  guint size = style->sizes != NULL
                   ? GPOINTER_TO_UINT (g_hash_table_lookup (style->sizes, GUINT_TO_POINTER (wire)))
                   : 1;

  return size <= 1 ? 1.5 : 2.2 + MIN (log2 (size), 5) * 0.3;
}

static gboolean
is_loose (const WeirWireShape *shape)
{
  return !shape->from_connected || !shape->to_connected;
}

static gboolean
is_late (const WeirDiagramStyle *style, const WeirWireShape *shape)
{
  return style->late != NULL
         && g_hash_table_contains (style->late, GUINT_TO_POINTER (weir_wire_get_id (shape->wire)));
}

static void
draw_loose_ends (cairo_t *cr, const WeirWireShape *shape, WeirColor color,
                 const WeirPalette *palette)
{
  for (int end = 0; end < 2; end++)
    {
      WeirPoint p = shape->points[end == 0 ? 0 : shape->n_points - 1];

      if (end == 0 ? shape->from_connected : shape->to_connected)
        continue;
      cairo_arc (cr, p.x, p.y, 4, 0, 2 * G_PI);
      weir_set_source (cr, palette->background);
      cairo_fill_preserve (cr);
      weir_set_source (cr, color);
      cairo_stroke (cr);
    }
}

static void
draw_wire (cairo_t *cr, const WeirWireShape *shape, guint marks, const GArray *uprights,
           const WeirDiagramStyle *style)
{
  const WeirPalette *palette = style->palette;
  WeirColor color = weir_domain_get_color (shape->domain, palette);
  double width = get_signal_width (style, weir_wire_get_id (shape->wire));

  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER | WEIR_MARK_FOCUS))
    {
      wire_path (cr, shape, uprights);
      weir_set_source_alpha (cr, marks & WEIR_MARK_SELECTED ? palette->selection : palette->hover,
                             0.35);
      cairo_set_line_width (cr, weir_style_get_width (width + 4.5, style->scale, palette));
      cairo_stroke (cr);
    }
  if (marks & WEIR_PROBLEM_MARKS)
    color = weir_palette_get_problem_color (palette, marks);
  else if (is_loose (shape))
    color = palette->error;
  else if (marks & WEIR_MARK_SELECTED)
    color = palette->selection;
  weir_set_source (cr, color);
  cairo_set_line_width (cr, weir_style_get_width (width, style->scale, palette));
  if (is_loose (shape))
    cairo_set_dash (cr, (const double[]) { 6, 4 }, 2, 0);
  else if (is_late (style, shape))
    cairo_set_dash (cr, (const double[]) { 9, 3 }, 2, 0);
  else if (style->overlay != NULL)
    weir_overlay_set_wire_style (cr, weir_overlay_get_wire (style->overlay, shape->wire), width,
                                 style->scale, palette);
  wire_path (cr, shape, uprights);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (style->scale >= WEIR_GLYPH_SCALE && shape->node == 0)
    fill_arrow (cr, shape->points[shape->n_points - 2], shape->points[shape->n_points - 1]);
  cairo_set_line_width (cr, weir_style_get_width (1.5, style->scale, palette));
  draw_loose_ends (cr, shape, color, palette);
}

/* --- All wires ------------------------------------------------------------------------------- */

static void
draw_junctions (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  guint n;
  const guint32 *wires;
  const WeirPoint *junctions = weir_scene_get_junctions (scene, &n, &wires);

  for (guint i = 0; i < n; i++)
    if (weir_style_is_visible (style, (WeirRect) { junctions[i].x, junctions[i].y, 1, 1 }))
      {
        const WeirWireShape *shape = weir_scene_find_wire (scene, wires[i]);

        weir_set_source (cr, weir_domain_get_color (shape->domain, style->palette));
        cairo_arc (cr, junctions[i].x, junctions[i].y, 3.2 * style->palette->line_width, 0,
                   2 * G_PI);
        cairo_fill (cr);
      }
}

/* The look of a wire from afar, as a number: its state, twice as many where something is
 * emphasised; or the domain of a line. */
#define N_SIGNAL_LOOKS (3 * WEIR_N_BADGES)
#define MAX_DOMAINS 8
#define N_PLAIN_LOOKS (N_SIGNAL_LOOKS + MAX_DOMAINS)

static guint
get_plain_look (const WeirDiagramStyle *style, const WeirWireShape *shape,
                const WeirDomain *domains[MAX_DOMAINS])
{
  const WeirWire *wire = shape->wire;
  WeirWireOverlay look;

  for (guint i = 0; shape->domain != NULL && i < MAX_DOMAINS; i++)
    if (domains[i] == NULL || domains[i] == shape->domain)
      {
        domains[i] = shape->domain;
        return N_SIGNAL_LOOKS + i;
      }

  if (style->overlay == NULL)
    return 0;
  look = weir_overlay_get_wire (style->overlay, wire);
  return look.badge + WEIR_N_BADGES * (look.is_emphasised ? 2u : look.is_faded ? 1u : 0u);
}

static void
stroke_plain_wires (cairo_t *cr, guint look, const WeirDomain *domain,
                    const WeirDiagramStyle *style)
{
  weir_set_source (cr, weir_domain_get_color (domain, style->palette));
  cairo_set_line_width (cr, weir_style_get_width (1.2, style->scale, style->palette));
  if (style->overlay != NULL && domain == NULL)
    weir_overlay_set_wire_style (cr,
                                 (WeirWireOverlay) { (WeirBadge) (look % WEIR_N_BADGES),
                                                     look / WEIR_N_BADGES == 2,
                                                     look / WEIR_N_BADGES == 1 },
                                 1.2, style->scale, style->palette);
  cairo_set_dash (cr, NULL, 0, 0); /* too small to be seen, and many times slower */
  cairo_stroke (cr);
}

/* From afar: one stroke for many that look alike. A path is stroked in time that grows faster than
 * its length, so they are strokes of some hundred. */
static void
draw_plain_wires (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  guint n_wires = weir_scene_get_n_wires (scene);
  g_autofree guint8 *looks = g_new (guint8, MAX (n_wires, 1)); /* N_PLAIN_LOOKS: not drawn here */
  guint n_of[N_PLAIN_LOOKS + 1] = { 0 };
  const WeirDomain *domains[MAX_DOMAINS] = { NULL };

  for (guint i = 0; i < n_wires; i++)
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);
      guint32 id = weir_wire_get_id (shape->wire);
      gboolean is_plain = weir_style_is_visible (style, shape->reach)
                          && weir_style_get_marks (style, id) == 0 && !is_loose (shape)
                          && id != style->hidden_wire;

      looks[i] = (guint8) (is_plain ? get_plain_look (style, shape, domains) : N_PLAIN_LOOKS);
      n_of[looks[i]]++;
    }
  for (guint look = 0; look < N_PLAIN_LOOKS; look++)
    {
      guint n_plain = 0;
      const WeirDomain *domain = look >= N_SIGNAL_LOOKS ? domains[look - N_SIGNAL_LOOKS] : NULL;

      for (guint i = 0; i < n_wires && n_plain < n_of[look]; i++)
        {
          const WeirWireShape *shape = weir_scene_get_wire (scene, i);

          if (looks[i] != look)
            continue;
          route_path (cr, shape->points, shape->n_points);
          if (++n_plain % 256 == 0)
            stroke_plain_wires (cr, look, domain, style);
        }
      if (n_plain % 256 != 0)
        stroke_plain_wires (cr, look, domain, style);
    }
}

void
weir_draw_wires (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  gboolean plain = style->scale < WEIR_GLYPH_SCALE;
  g_autoptr (GArray) uprights = plain ? NULL : list_uprights (scene, style);
  guint n = weir_scene_get_n_wires (scene);

  /* Without round joins, right angles are filled as boxes, which is several times faster. */
  cairo_set_line_join (cr, plain ? CAIRO_LINE_JOIN_MITER : CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  if (plain)
    draw_plain_wires (scene, cr, style);

  /* Selected and faulty wires come last, where they are seen. */
  for (int pass = 0; pass < 2; pass++)
    for (guint i = weir_style_next_wire (style, scene, 0); i < n;
         i = weir_style_next_wire (style, scene, i + 1))
      {
        const WeirWireShape *shape = weir_scene_get_wire (scene, i);
        guint32 id = weir_wire_get_id (shape->wire);
        guint marks = weir_style_get_marks (style, id);
        gboolean special = marks != 0 || is_loose (shape);

        if (special != (pass == 1) || (plain && !special) || id == style->hidden_wire
            || !weir_style_is_visible (style, shape->reach))
          continue;
        draw_wire (cr, shape, marks, uprights, style);
      }
  if (!plain)
    draw_junctions (scene, cr, style);
}

/* --- Labels ---------------------------------------------------------------------------------- */

/* Above the longest horizontal piece; beside the longest piece if none is long. */
static void
draw_label (WeirPen *pen, const WeirWireShape *shape, const char *label)
{
  WeirRect box = weir_scene_place_label (shape->points, shape->n_points,
                                         weir_pen_get_text_width (pen, label, LABEL_SIZE));

  weir_rounded_path (pen->cr, weir_rect_grow (box, 1), 3);
  weir_set_source_alpha (pen->cr, pen->palette->background, 0.85);
  cairo_fill (pen->cr);
  weir_set_source (pen->cr, pen->palette->hint);
  weir_pen_text (pen, label, LABEL_SIZE, box.x, box.y + box.height / 2, 0, 0.5, 0);
}

typedef struct {
  WeirPen *pen;
  const WeirDiagramStyle *style;
} LabelDrawing;

static void
draw_wire_label (const WeirWireShape *shape, gpointer data)
{
  const LabelDrawing *drawing = data;

  if (weir_wire_get_id (shape->wire) != drawing->style->hidden_wire
      && weir_style_is_visible (drawing->style, weir_wire_shape_get_reach (shape)))
    draw_label (drawing->pen, shape, weir_wire_get_label (shape->wire));
}

void
weir_draw_wire_labels (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  weir_scene_foreach_label (scene, draw_wire_label, &(LabelDrawing) { pen, style });
}

/* --- A wire that is being drawn -------------------------------------------------------------- */

void
weir_draw_loose_wire (cairo_t *cr, const WeirPoint *points, guint n_points, gboolean ends,
                      double scale, const WeirPalette *palette)
{
  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  weir_set_source (cr, palette->selection);
  cairo_set_line_width (cr, weir_style_get_width (2, scale, palette));
  if (!ends)
    cairo_set_dash (cr, (const double[]) { 6, 4 }, 2, 0);
  route_path (cr, points, n_points);
  cairo_stroke (cr);
  cairo_restore (cr);
}
