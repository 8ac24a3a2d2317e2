/* A beat of slow motion, drawn over the diagram: what travels along wires, and a sign at every
 * block that it reaches.
 *
 * Outward a full arrow travels with the wire, inward a hollow one against it, so that the two are
 * told apart in any colours and standing still. Standing, they are in the middle of the wire.
 */
#include <math.h>

#include "paint/drawing/diagram.h"
#include "paint/drawing/overlay.h"

#define SIGN_RADIUS 9.0
#define TOKEN_SIZE 7.0

static WeirColor
get_sign_color (WeirBeatSign sign, const WeirPalette *palette)
{
  switch (sign)
    {
    case WEIR_BEAT_SIGN_HIT:
      return weir_badge_get_color (WEIR_BADGE_FRESH, palette);
    case WEIR_BEAT_SIGN_REACHED:
    case WEIR_BEAT_SIGN_BOUNCED:
      return weir_badge_get_color (WEIR_BADGE_STALE, palette);
    case WEIR_BEAT_SIGN_ASKED:
    case WEIR_BEAT_SIGN_COMPUTED:
      return weir_badge_get_color (WEIR_BADGE_COMPUTING, palette);
    case WEIR_BEAT_SIGN_FAILED:
      return weir_badge_get_color (WEIR_BADGE_FAULT, palette);
    case WEIR_BEAT_SIGN_CHANGED:
      return weir_overlay_get_emphasis_color (palette);
    case WEIR_BEAT_SIGN_NONE:
    case WEIR_N_BEAT_SIGNS:
    default:
      return palette->dim_text;
    }
}

/* In, round, and out again. */
static void
draw_bounce (cairo_t *cr, double x, double y, double r)
{
  double h = r * 0.38, barb = r * 0.32, left = x - r * 0.5;

  cairo_set_line_width (cr, r * 0.22);
  cairo_move_to (cr, left, y - h);
  cairo_line_to (cr, x + r * 0.15, y - h);
  cairo_arc (cr, x + r * 0.15, y, h, -0.5 * G_PI, 0.5 * G_PI);
  cairo_line_to (cr, left, y + h);
  cairo_stroke (cr);
  cairo_move_to (cr, left + barb, y + h - barb);
  cairo_line_to (cr, left, y + h);
  cairo_line_to (cr, left + barb, y + h + barb);
  cairo_stroke (cr);
}

static void
draw_question (cairo_t *cr, double x, double y, double r)
{
  cairo_set_line_width (cr, r * 0.24);
  cairo_arc (cr, x, y - r * 0.22, r * 0.34, -G_PI, 0.35 * G_PI);
  cairo_line_to (cr, x, y + r * 0.22);
  cairo_stroke (cr);
  weir_circle_path (cr, x, y + r * 0.52, r * 0.13);
  cairo_fill (cr);
}

static void
draw_inside (cairo_t *cr, WeirBeatSign sign, double progress, double x, double y, double r,
             const WeirPalette *palette)
{
  switch (sign)
    {
    case WEIR_BEAT_SIGN_HIT:
      weir_circle_path (cr, x, y, r * 0.62);
      cairo_fill (cr);
      break;
    case WEIR_BEAT_SIGN_REACHED:
      weir_badge_draw (cr, WEIR_BADGE_STALE, x, y, r * 0.72, palette);
      break;
    case WEIR_BEAT_SIGN_BOUNCED:
      draw_bounce (cr, x, y, r);
      break;
    case WEIR_BEAT_SIGN_ASKED:
      draw_question (cr, x, y, r);
      break;
    case WEIR_BEAT_SIGN_COMPUTED:
      weir_circle_path (cr, x, y, r * 0.34);
      cairo_fill (cr);
      cairo_set_line_width (cr, r * 0.22);
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, r * 0.64, -0.5 * G_PI, (-0.5 + 2 * MAX (progress, 0.02)) * G_PI);
      cairo_stroke (cr);
      break;
    case WEIR_BEAT_SIGN_CHANGED:
      cairo_move_to (cr, x, y - r * 0.62);
      cairo_line_to (cr, x + r * 0.6, y + r * 0.42);
      cairo_line_to (cr, x - r * 0.6, y + r * 0.42);
      cairo_close_path (cr);
      cairo_fill (cr);
      break;
    case WEIR_BEAT_SIGN_FAILED:
      weir_badge_draw (cr, WEIR_BADGE_FAULT, x, y, r * 0.72, palette);
      break;
    case WEIR_BEAT_SIGN_NONE:
    case WEIR_N_BEAT_SIGNS:
    default:
      break;
    }
}

void
weir_beat_sign_draw (cairo_t *cr, WeirBeatSign sign, double progress, double x, double y, double r,
                     const WeirPalette *palette)
{
  WeirColor color = get_sign_color (sign, palette);

  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash (cr, NULL, 0, 0);
  weir_circle_path (cr, x, y, r);
  weir_set_source (cr, palette->background);
  cairo_fill_preserve (cr);
  weir_set_source (cr, color);
  cairo_set_line_width (cr, r * 0.14);
  cairo_stroke (cr);
  weir_set_source (cr, color);
  draw_inside (cr, sign, progress, x, y, r, palette);
  cairo_restore (cr);
}

/* --- Wires ----------------------------------------------------------------------------------- */

/* The point at a share of the way along a wire, and the direction there. */
static WeirPoint
get_point_along (const WeirWireShape *wire, double share, WeirPoint *direction)
{
  double length = 0, rest;

  for (guint i = 1; i < wire->n_points; i++)
    length += hypot (wire->points[i].x - wire->points[i - 1].x,
                     wire->points[i].y - wire->points[i - 1].y);
  rest = share * length;
  *direction = (WeirPoint) { 1, 0 };
  for (guint i = 1; i < wire->n_points; i++)
    {
      WeirPoint a = wire->points[i - 1], b = wire->points[i];
      double piece = hypot (b.x - a.x, b.y - a.y);

      if (piece <= 0)
        continue;
      *direction = (WeirPoint) { (b.x - a.x) / piece, (b.y - a.y) / piece };
      if (rest <= piece)
        return (WeirPoint) { a.x + rest * direction->x, a.y + rest * direction->y };
      rest -= piece;
    }
  return wire->points[wire->n_points - 1];
}

static gboolean
is_moving (const WeirOverlay *self, const WeirWireShape *wire)
{
  WeirWireEnd to = weir_wire_get_to (wire->wire);
  const WeirBlockOverlay *reader = to.block != 0 ? weir_overlay_find_block (self, to.block) : NULL;
  const WeirPortOverlay *port = reader != NULL
                                    ? weir_block_overlay_find_port (reader, to.port, FALSE)
                                    : NULL;

  return port != NULL && port->moves && wire->n_points > 1;
}

static void
draw_token (const WeirOverlay *self, const WeirWireShape *wire, WeirPen *pen)
{
  gboolean is_outward = self->way == WEIR_BEAT_OUTWARD;
  double share = self->progress < 1 ? self->progress : 0.5, s = MAX (TOKEN_SIZE, 4.5 / pen->scale);
  WeirPoint d, p = get_point_along (wire, is_outward ? share : 1 - share, &d);

  if (!is_outward)
    d = (WeirPoint) { -d.x, -d.y };
  cairo_new_path (pen->cr);
  cairo_move_to (pen->cr, p.x + s * d.x, p.y + s * d.y);
  cairo_line_to (pen->cr, p.x - s * d.x - s * d.y * 0.8, p.y - s * d.y + s * d.x * 0.8);
  cairo_line_to (pen->cr, p.x - s * d.x + s * d.y * 0.8, p.y - s * d.y - s * d.x * 0.8);
  cairo_close_path (pen->cr);
  weir_set_source (pen->cr, is_outward ? get_sign_color (WEIR_BEAT_SIGN_REACHED, pen->palette)
                                       : pen->palette->background);
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, is_outward ? pen->palette->background
                                       : get_sign_color (WEIR_BEAT_SIGN_ASKED, pen->palette));
  cairo_set_line_width (pen->cr, s * (is_outward ? 0.16 : 0.36));
  cairo_stroke (pen->cr);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void
draw_sign (const WeirOverlay *self, const WeirBlockShape *shape, WeirBeatSign sign, WeirPen *pen)
{
  double r = MAX (SIGN_RADIUS, 5.5 / pen->scale);
  double x = shape->box.x + shape->box.width, y = shape->box.y;

  /* While it plays, what is new spreads from the block. */
  if (self->progress < 1 && sign != WEIR_BEAT_SIGN_BOUNCED && sign != WEIR_BEAT_SIGN_HIT)
    {
      WeirRect ring = weir_rect_grow (shape->box, 3 + 12 * self->progress);

      weir_rounded_path (pen->cr, ring, 7);
      weir_set_source_alpha (pen->cr, get_sign_color (sign, pen->palette), 1 - self->progress);
      cairo_set_line_width (pen->cr, weir_style_get_width (2.5, pen->scale, pen->palette));
      cairo_stroke (pen->cr);
    }
  weir_beat_sign_draw (pen->cr, sign, self->progress, x, y, r, pen->palette);
}

void
weir_overlay_draw_beat (const WeirOverlay *self, WeirScene *scene, WeirPen *pen, WeirRect clip)
{
  cairo_save (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);
  for (guint i = 0; i < weir_scene_get_n_wires (scene) && self->way != WEIR_BEAT_STANDS; i++)
    {
      const WeirWireShape *wire = weir_scene_get_wire (scene, i);

      if ((clip.width <= 0 || weir_rect_intersects (clip, weir_rect_grow (wire->reach, 20)))
          && is_moving (self, wire))
        draw_token (self, wire, pen);
    }
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      const WeirBlockOverlay *block;

      if (clip.width > 0 && !weir_rect_intersects (clip, weir_rect_grow (shape->reach, 20)))
        continue;
      block = weir_overlay_find_block (self, weir_block_get_id (shape->block));
      if (block != NULL && block->sign != WEIR_BEAT_SIGN_NONE)
        draw_sign (self, shape, block->sign, pen);
    }
  cairo_restore (pen->cr);
}
