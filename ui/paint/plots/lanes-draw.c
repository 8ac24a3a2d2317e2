/* Drawing a dependency graph in lanes. See lanes.h. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/drawing/diagram.h"
#include "paint/plots/lanes.h"

#define NODE_TEXT 11.0
#define LANE_RADIUS 8.0
#define FADED 0.22
#define ARROW 7.0
#define SKIPS 130.0 /* an edge so long passes a column */

static gboolean
is_in_slice (const WeirLaneGraph *self, guint node)
{
  return self->chosen == WEIR_NO_LANE_NODE
         || weir_lane_graph_node (self, node)->distance != G_MAXINT;
}

static gboolean
is_edge_in_slice (const WeirLaneGraph *self, const WeirLaneEdge *edge)
{
  int from = weir_lane_graph_node (self, edge->from)->distance;
  int to = weir_lane_graph_node (self, edge->to)->distance;

  if (self->chosen == WEIR_NO_LANE_NODE)
    return TRUE;
  return from != G_MAXINT && to != G_MAXINT && (from >= 0 ? to >= 0 : to <= 0);
}

/* --- Edges ----------------------------------------------------------------------------------- */

static void
edge_path (cairo_t *cr, WeirRect from, WeirRect to)
{
  double x0 = from.x + from.width, y0 = from.y + from.height / 2;
  double x1 = to.x - ARROW, y1 = to.y + to.height / 2;
  double pull = x1 > x0 ? MAX (28, (x1 - x0) * 0.45) : 40;
  /* Past a column at the same height: around what stands there. */
  double lift = x1 - x0 > SKIPS && fabs (y1 - y0) < 12 ? 34 : 0;

  cairo_move_to (cr, x0, y0);
  if (x1 > x0)
    cairo_curve_to (cr, x0 + pull, y0 + lift, x1 - pull, y1 + lift, x1, y1);
  else
    {
      /* Back: below both, so that it is not taken for another. */
      double low = MAX (from.y + from.height, to.y + to.height) + 10;

      cairo_curve_to (cr, x0 + pull, y0, x0 + pull, low, x0, low);
      cairo_line_to (cr, x1, low);
      cairo_curve_to (cr, x1 - pull, low, x1 - pull, y1, x1, y1);
    }
}

static void
stroke_edge (WeirPen *pen, WeirEdgeKind kind, gboolean is_on_path, double alpha)
{
  cairo_t *cr = pen->cr;
  const WeirPalette *palette = pen->palette;
  WeirColor color = is_on_path                     ? weir_overlay_get_emphasis_color (palette)
                    : kind == WEIR_EDGE_UNDECLARED ? palette->error
                                                   : palette->wire;

  weir_set_source_alpha (cr, color,
                         kind == WEIR_EDGE_DECLARED && !is_on_path ? alpha * 0.55 : alpha);
  cairo_set_line_width (cr, is_on_path                     ? 3.2
                            : kind == WEIR_EDGE_DECLARED   ? 1.2
                            : kind == WEIR_EDGE_UNREAD     ? 4.2
                            : kind == WEIR_EDGE_UNDECLARED ? 2
                                                           : 1.8);
  if (kind == WEIR_EDGE_UNDECLARED)
    cairo_set_dash (cr, (const double[]) { 6, 4 }, 2, 0);
  if (kind == WEIR_EDGE_UNREAD && !is_on_path)
    {
      cairo_stroke_preserve (cr);
      weir_set_source (cr, palette->background);
      cairo_set_line_width (cr, 2.2);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  weir_set_source_alpha (cr, color,
                         kind == WEIR_EDGE_DECLARED && !is_on_path ? alpha * 0.55 : alpha);
}

static void
draw_arrow (cairo_t *cr, double x, double y, gboolean hollow)
{
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - ARROW, y - ARROW / 2);
  cairo_line_to (cr, x - ARROW, y + ARROW / 2);
  cairo_close_path (cr);
  if (!hollow)
    {
      cairo_fill (cr);
      return;
    }
  cairo_set_line_width (cr, 1.2);
  cairo_stroke (cr);
}

static void
draw_edge (const WeirLaneGraph *self, WeirPen *pen, const WeirLaneEdge *edge)
{
  const WeirLaneNode *from = weir_lane_graph_node (self, edge->from);
  const WeirLaneNode *to = weir_lane_graph_node (self, edge->to);
  gboolean is_on_path = from->is_on_path && to->is_on_path;

  edge_path (pen->cr, from->box, to->box);
  stroke_edge (pen, edge->kind, is_on_path, is_edge_in_slice (self, edge) ? 1 : FADED);
  draw_arrow (pen->cr, to->box.x, to->box.y + to->box.height / 2, edge->kind == WEIR_EDGE_UNREAD);
}

/* --- Nodes ----------------------------------------------------------------------------------- */

static void
node_path (cairo_t *cr, const WeirLaneNode *node)
{
  weir_rounded_path (cr, node->box, node->kind == WEIR_LANE_SOURCE ? 2 : node->box.height / 2);
}

static void
draw_node (const WeirLaneGraph *self, WeirPen *pen, guint i, gboolean has_focus)
{
  cairo_t *cr = pen->cr;
  const WeirPalette *palette = pen->palette;
  const WeirLaneNode *node = weir_lane_graph_node (self, i);
  gboolean is_chosen = self->chosen == i;
  double alpha = is_in_slice (self, i) ? 1 : FADED;
  double x = node->box.x + 10, room = node->box.width - 20;
  WeirColor fill = node->badge != WEIR_BADGE_NONE ? weir_color_mix (
                       palette->fill, weir_badge_get_color (node->badge, palette), 0.2)
                                                  : palette->fill;

  if (is_chosen || has_focus)
    {
      WeirLaneNode around = *node;

      around.box = weir_rect_grow (node->box, 3.5);
      node_path (cr, &around);
      weir_set_source_alpha (cr, palette->selection, is_chosen ? 0.35 : 0.2);
      cairo_fill (cr);
    }
  node_path (cr, node);
  weir_set_source (cr, palette->background); /* nothing shines through what is faded */
  cairo_fill_preserve (cr);
  weir_set_source_alpha (cr, fill, alpha);
  cairo_fill_preserve (cr);
  weir_set_source_alpha (cr,
                         node->is_on_path ? weir_overlay_get_emphasis_color (palette)
                         : is_chosen      ? palette->selection
                                          : palette->stroke,
                         alpha);
  cairo_set_line_width (cr, node->is_on_path || is_chosen ? 2.2 : 1.1);
  if (node->kind == WEIR_LANE_COMPOSITE)
    cairo_set_dash (cr, (const double[]) { 4, 3 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (node->badge != WEIR_BADGE_NONE)
    {
      if (alpha < 1)
        cairo_push_group (cr);
      weir_badge_draw (cr, node->badge, x + 5, node->box.y + node->box.height / 2, 5, palette);
      if (alpha < 1)
        {
          cairo_pop_group_to_source (cr);
          cairo_paint_with_alpha (cr, alpha);
        }
      x += 18;
      room -= 18;
    }
  weir_set_source_alpha (cr, palette->text, alpha);
  weir_pen_text (pen, node->title, NODE_TEXT, x, node->box.y + node->box.height / 2, 0, 0.5, room);
  if (node->figure[0] != '\0')
    {
      weir_set_source_alpha (cr, palette->dim_text, alpha);
      weir_pen_text (pen, node->figure, 8, node->box.x + node->box.width / 2,
                     node->box.y + node->box.height + 1, 0.5, 0, 0);
    }
}

static void
draw_lane (const WeirLaneGraph *self, WeirPen *pen, const WeirLane *lane)
{
  WeirRect box = { lane->x, 0, lane->width, self->height };

  weir_rounded_path (pen->cr, box, LANE_RADIUS);
  weir_set_source_alpha (pen->cr, pen->palette->dim_text, 0.06);
  cairo_fill (pen->cr);
  weir_set_source (pen->cr, pen->palette->dim_text);
  weir_pen_text (pen, lane->title, NODE_TEXT + 1, lane->x + lane->width / 2, 17, 0.5, 0.5,
                 lane->width - 8);
}

void
weir_lane_graph_draw (const WeirLaneGraph *self, WeirPen *pen, guint focus)
{
  for (guint i = 0; i < self->lanes->len; i++)
    draw_lane (self, pen, &g_array_index (self->lanes, WeirLane, i));
  for (int in_slice = 0; in_slice < 2; in_slice++)
    for (guint i = 0; i < self->edges->len; i++)
      {
        const WeirLaneEdge *edge = &g_array_index (self->edges, WeirLaneEdge, i);

        if (is_edge_in_slice (self, edge) == (in_slice == 1))
          draw_edge (self, pen, edge);
      }
  for (guint i = 0; i < self->nodes->len; i++)
    draw_node (self, pen, i, i == focus);
}

double
weir_lane_graph_draw_legend (WeirPen *pen, double x, double y)
{
  static const char *const names[WEIR_N_EDGES] = {
    [WEIR_EDGE_DECLARED] = N_ ("declared"),
    [WEIR_EDGE_READ] = N_ ("declared and read"),
    [WEIR_EDGE_UNREAD] = N_ ("declared, never read"),
    [WEIR_EDGE_UNDECLARED] = N_ ("read, not declared"),
  };
  double start = x;

  for (guint kind = 0; kind < WEIR_N_EDGES; kind++)
    {
      cairo_move_to (pen->cr, x, y);
      cairo_line_to (pen->cr, x + 26, y);
      stroke_edge (pen, (WeirEdgeKind) kind, FALSE, 1);
      draw_arrow (pen->cr, x + 26 + ARROW, y, kind == WEIR_EDGE_UNREAD);
      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, _ (names[kind]), 10, x + 38, y, 0, 0.5, 0);
      x += 38 + weir_pen_get_text_width (pen, _ (names[kind]), 10) + 18;
    }
  return x - start;
}
