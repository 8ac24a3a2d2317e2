/* Drawing what is known about the cache over a diagram. See overlay.h.
 *
 * Badges stand above the upper left corner of a block, where neither its name nor a problem's sign
 * is, and keep a readable size when zoomed out. What is emphasised has one colour of its own, in no
 * state's use.
 */
#include <math.h>

#include "paint/drawing/diagram.h"
#include "paint/drawing/overlay.h"

#define PORT_SCALE 1.3 /* pixels a unit, from which outputs have their own badge and figure */
#define BADGE_RADIUS 5.0
#define DEPTH_RADIUS 7.5
#define FIGURE_SIZE 9.0

WeirColor
weir_overlay_get_emphasis_color (const WeirPalette *palette)
{
  return palette->curves[7];
}

static WeirColor
get_amount_color (const WeirPalette *palette)
{
  return palette->curves[1];
}

WeirColor
weir_overlay_get_fill (const WeirOverlay *self, guint32 id, WeirColor fill, double scale,
                       const WeirPalette *palette)
{
  const WeirBlockOverlay *block = weir_overlay_find_block (self, id);
  double strength = scale < WEIR_GLYPH_SCALE ? 0.85 : 0.2;

  double amount;

  if (block == NULL)
    return fill;
  if (self->has_emphasis && block->depth >= 0)
    return weir_color_mix (fill, weir_overlay_get_emphasis_color (palette),
                           strength / (1 + 0.25 * MIN (block->depth, 8)));
  if (self->mode == WEIR_OVERLAY_STATE && block->badge != WEIR_BADGE_NONE)
    return weir_color_mix (fill, weir_badge_get_color (block->badge, palette), strength);
  /* From afar in few steps, so that many blocks are filled at once. */
  amount = scale < WEIR_GLYPH_SCALE ? ceil (block->amount * 16) / 16 : block->amount;
  if (self->mode > WEIR_OVERLAY_STATE && amount > 0)
    return weir_color_mix (fill, get_amount_color (palette), 0.08 + 0.47 * amount);
  return fill;
}

gboolean
weir_overlay_is_faded (const WeirOverlay *self, guint32 id)
{
  const WeirBlockOverlay *block = weir_overlay_find_block (self, id);

  return self->has_emphasis && (block == NULL || block->depth < 0);
}

WeirWireOverlay
weir_overlay_get_wire (const WeirOverlay *self, const WeirWire *wire)
{
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  const WeirBlockOverlay *block = from.block != 0 ? weir_overlay_find_block (self, from.block)
                                                  : NULL;
  const WeirPortOverlay *source = block != NULL
                                      ? weir_block_overlay_find_port (block, from.port, TRUE)
                                      : NULL;
  WeirWireOverlay look = { WEIR_BADGE_NONE, FALSE, FALSE };

  if (self->mode == WEIR_OVERLAY_STATE && source != NULL)
    look.badge = source->badge;
  if (self->has_emphasis)
    {
      const WeirBlockOverlay *reader = to.block != 0 ? weir_overlay_find_block (self, to.block)
                                                     : NULL;
      const WeirPortOverlay *target = reader != NULL
                                          ? weir_block_overlay_find_port (reader, to.port, FALSE)
                                          : NULL;

      look.is_emphasised = source != NULL && target != NULL && source->depth >= 0
                           && target->depth >= 0;
      look.is_faded = !look.is_emphasised;
    }
  return look;
}

void
weir_overlay_set_wire_style (cairo_t *cr, WeirWireOverlay look, double width, double scale,
                             const WeirPalette *palette)
{
  WeirColor color = look.badge != WEIR_BADGE_NONE ? weir_badge_get_color (look.badge, palette)
                                                  : palette->wire;
  double line = weir_style_get_width (look.is_emphasised ? width + 1.6 : width, scale, palette);
  double dashes[4];
  int n;
  const double *pattern = weir_badge_get_dashes (look.badge, &n);

  if (look.is_emphasised)
    color = weir_overlay_get_emphasis_color (palette);
  weir_set_source_alpha (cr, color, look.is_faded ? 0.3 + palette->kept : 1);
  for (int i = 0; i < n; i++)
    dashes[i] = pattern[i] * line;
  cairo_set_dash (cr, dashes, n, 0);
  cairo_set_line_width (cr, line);
}

/* --- Badges ---------------------------------------------------------------------------------- */

/* A ring whose dark part is the share of hits, clockwise from the top. */
static void
draw_ratio (cairo_t *cr, double ratio, double x, double y, double r, const WeirPalette *palette)
{
  if (ratio < 0)
    return;
  cairo_set_line_width (cr, r * 0.3);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, r * 1.5, 0, 2 * G_PI);
  weir_set_source_alpha (cr, palette->dim_text, 0.25);
  cairo_stroke (cr);
  if (ratio <= 0)
    return;
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, r * 1.5, -0.5 * G_PI, (2 * MIN (ratio, 1) - 0.5) * G_PI);
  weir_set_source (cr, palette->dim_text);
  cairo_stroke (cr);
}

/* A badge and its ring on a picture of their own; the centre is the middle of it. A sign is drawn
 * once and copied for every block: arcs would cost most of a frame. */
static cairo_surface_t *
sign_new (WeirBadge badge, double ratio, double r, int device_scale, const WeirPalette *palette)
{
  int size = 2 * (int) ceil (r * 1.75 + 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, size * device_scale,
                                                         size * device_scale);
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, device_scale, device_scale);
  cr = cairo_create (surface);
  weir_set_source (cr, palette->background);
  cairo_arc (cr, size / 2.0, size / 2.0, r * 1.75, 0, 2 * G_PI);
  cairo_fill (cr);
  weir_badge_draw (cr, badge, size / 2.0, size / 2.0, r, palette);
  draw_ratio (cr, ratio, size / 2.0, size / 2.0, r, palette);
  cairo_destroy (cr);
  return surface;
}

/* @r: in pixels. */
static cairo_surface_t *
get_sign (WeirOverlay *self, WeirBadge badge, double ratio, double r, const WeirPalette *palette)
{
  guint step = ratio < 0 ? 0 : 1 + (guint) lround (MIN (ratio, 1) * (WEIR_N_RATIOS - 2));
  cairo_surface_t **sign = &self->signs[badge][step];

  if (self->signs_radius != r || self->signs_palette != palette)
    {
      weir_overlay_clear_signs (self);
      self->signs_radius = r;
      self->signs_palette = palette;
    }
  if (*sign == NULL)
    *sign = sign_new (badge, ratio < 0 ? -1 : (step - 1.0) / (WEIR_N_RATIOS - 2), r,
                      self->device_scale, palette);
  return *sign;
}

static void
draw_sign (WeirOverlay *self, WeirPen *pen, WeirBadge badge, double ratio, double x, double y,
           double r)
{
  cairo_surface_t *sign = get_sign (self, badge, ratio, r * pen->scale, pen->palette);
  int half = cairo_image_surface_get_width (sign) / self->device_scale / 2;

  cairo_user_to_device (pen->cr, &x, &y);
  cairo_save (pen->cr);
  cairo_identity_matrix (pen->cr);
  cairo_set_source_surface (pen->cr, sign, floor (x + 0.5) - half, floor (y + 0.5) - half);
  cairo_rectangle (pen->cr, floor (x + 0.5) - half, floor (y + 0.5) - half, 2 * half, 2 * half);
  cairo_fill (pen->cr);
  cairo_restore (pen->cr);
}

/* A bar as long as the amount. */
static void
draw_amount (cairo_t *cr, double amount, WeirRect box, const WeirPalette *palette)
{
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  weir_set_source_alpha (cr, palette->dim_text, 0.25);
  cairo_fill (cr);
  cairo_rectangle (cr, box.x, box.y, box.width * CLAMP (amount, 0, 1), box.height);
  weir_set_source (cr, get_amount_color (palette));
  cairo_fill (cr);
}

/* Figures are digits and units: cairo's own text does for them, at a tenth of a layout's cost. */
static void
show_figure (cairo_t *cr, const char *figure, double size, double x, double y, double align)
{
  cairo_text_extents_t extents;

  cairo_set_font_size (cr, size * 4 / 3); /* points, as everywhere */
  if (align > 0)
    {
      cairo_text_extents (cr, figure, &extents);
      x -= align * extents.x_advance;
    }
  cairo_move_to (cr, x, y + size * 0.45);
  cairo_show_text (cr, figure);
  cairo_new_path (cr);
}

static void
draw_figure (WeirPen *pen, const char *figure, double x, double y)
{
  cairo_text_extents_t extents;

  cairo_set_font_size (pen->cr, FIGURE_SIZE * 4 / 3);
  cairo_text_extents (pen->cr, figure, &extents);
  cairo_rectangle (pen->cr, x - 2, y - 7, extents.x_advance + 4, 14);
  weir_set_source_alpha (pen->cr, pen->palette->background, 0.8);
  cairo_fill (pen->cr);
  weir_set_source (pen->cr, pen->palette->text);
  show_figure (pen->cr, figure, FIGURE_SIZE, x, y, 0);
}

static void
draw_block_badge (WeirOverlay *self, const WeirBlockShape *shape, const WeirBlockOverlay *block,
                  WeirPen *pen)
{
  double r = MAX (BADGE_RADIUS, 3.2 / pen->scale);
  double top = shape->box.y - (shape->name_place == WEIR_NAME_ABOVE ? WEIR_NAME_HEIGHT : 0);
  double x = shape->box.x + r * 0.4, y = top - r * 1.9;

  if (self->mode == WEIR_OVERLAY_STATE)
    {
      if (block->badge == WEIR_BADGE_NONE)
        return;
      draw_sign (self, pen, block->badge, block->ratio, x, y, r);
      x += r * 2.2;
    }
  else
    {
      if (block->amount <= 0)
        return;
      draw_amount (pen->cr, block->amount,
                   (WeirRect) { shape->box.x, top - 5, shape->box.width, 3 }, pen->palette);
      x = shape->box.x;
      y = top - 13;
    }
  if (pen->scale >= WEIR_TEXT_SCALE && block->figure[0] != '\0')
    draw_figure (pen, block->figure, x, y);
}

static void
draw_port_badges (const WeirBlockShape *shape, const WeirBlockOverlay *block, WeirPen *pen)
{
  for (guint i = shape->n_inputs; i < shape->n_inputs + shape->n_outputs; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      const WeirPortOverlay *value = weir_block_overlay_find_port (block, port->name, TRUE);
      double x = port->position.x + 9 * port->normal.x, y = port->position.y + 9 * port->normal.y;

      if (value == NULL || value->badge == WEIR_BADGE_NONE)
        continue;
      if (port->normal.x != 0)
        y -= 7;
      else
        x += 9;
      weir_badge_draw (pen->cr, value->badge, x, y, 3.2, pen->palette);
      if (value->figure[0] == '\0')
        continue;
      weir_set_source (pen->cr, pen->palette->text);
      show_figure (pen->cr, value->figure, 7, port->normal.x < 0 ? x - 6 : x + 6, y,
                   port->normal.x < 0 ? 1 : 0);
    }
}

/* How many steps the change needs to get here, in a disc at the lower left. */
static void
draw_depth (const WeirBlockShape *shape, int depth, WeirPen *pen)
{
  double r = MAX (DEPTH_RADIUS, 4.5 / pen->scale);
  double x = shape->box.x, y = shape->box.y + shape->box.height - 0.7 * r;
  char text[16];

  cairo_new_sub_path (pen->cr);
  cairo_arc (pen->cr, x, y, r, 0, 2 * G_PI);
  weir_set_source (pen->cr, weir_overlay_get_emphasis_color (pen->palette));
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, pen->palette->background);
  cairo_set_line_width (pen->cr, r * 0.2);
  cairo_stroke (pen->cr);
  g_snprintf (text, sizeof text, "%d", depth);
  weir_set_source (pen->cr, pen->palette->on_mark);
  show_figure (pen->cr, text, r * 0.95, x, y, 0.5);
}

void
weir_overlay_draw_badges (WeirOverlay *self, WeirScene *scene, WeirPen *pen, WeirRect clip)
{
  if (pen->scale < WEIR_GLYPH_SCALE)
    return;
  cairo_select_font_face (pen->cr, WEIR_FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      const WeirBlockOverlay *block;

      if (clip.width > 0 && !weir_rect_intersects (clip, weir_rect_grow (shape->reach, 20)))
        continue;
      block = weir_overlay_find_block (self, weir_block_get_id (shape->block));
      if (block == NULL)
        continue;
      if (self->mode != WEIR_OVERLAY_OFF
          && !weir_overlay_is_faded (self, weir_block_get_id (shape->block)))
        {
          draw_block_badge (self, shape, block, pen);
          if (pen->scale >= PORT_SCALE && self->mode == WEIR_OVERLAY_STATE)
            draw_port_badges (shape, block, pen);
        }
      if (self->has_emphasis && block->depth >= 0)
        draw_depth (shape, block->depth, pen);
    }
}

/* --- The legend ------------------------------------------------------------------------------ */

#define LEGEND_SIZE 11.0
#define LEGEND_ROW 18.0
#define LEGEND_PAD 8.0
#define LEGEND_GAP 12.0 /* to the border */

static const WeirBadge legend_badges[] = { WEIR_BADGE_FRESH, WEIR_BADGE_STALE, WEIR_BADGE_NEVER,
                                           WEIR_BADGE_DISABLED };

static double
get_legend_width (const WeirOverlay *self, WeirPen *pen)
{
  double width = weir_pen_get_text_width (pen, weir_overlay_mode_get_title (self->mode),
                                          LEGEND_SIZE);

  if (self->mode == WEIR_OVERLAY_STATE)
    for (guint i = 0; i < G_N_ELEMENTS (legend_badges); i++)
      width = MAX (
          width,
          20 + weir_pen_get_text_width (pen, weir_badge_get_name (legend_badges[i]), LEGEND_SIZE));
  else
    width = MAX (width, 120);
  return width;
}

static void
draw_frame (WeirPen *pen, WeirRect box)
{
  weir_rounded_path (pen->cr, box, 6);
  weir_set_source_alpha (pen->cr, pen->palette->background, 0.92);
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, pen->palette->grid);
  cairo_set_line_width (pen->cr, 1);
  cairo_stroke (pen->cr);
}

/* From nothing to the largest amount. */
static void
draw_scale (const WeirOverlay *self, WeirPen *pen, WeirRect box)
{
  cairo_pattern_t *gradient = cairo_pattern_create_linear (box.x, 0, box.x + box.width, 0);
  WeirColor low = weir_color_mix (pen->palette->fill, get_amount_color (pen->palette), 0.08);
  WeirColor high = weir_color_mix (pen->palette->fill, get_amount_color (pen->palette), 0.55);

  cairo_pattern_add_color_stop_rgb (gradient, 0, low.r, low.g, low.b);
  cairo_pattern_add_color_stop_rgb (gradient, 1, high.r, high.g, high.b);
  cairo_rectangle (pen->cr, box.x, box.y + 3, box.width, 10);
  cairo_set_source (pen->cr, gradient);
  cairo_fill (pen->cr);
  cairo_pattern_destroy (gradient);
  weir_set_source (pen->cr, pen->palette->text);
  weir_pen_text (pen, "0", LEGEND_SIZE, box.x, box.y + LEGEND_ROW * 1.4, 0, 0.5, 0);
  weir_pen_text (pen, self->largest, LEGEND_SIZE, box.x + box.width, box.y + LEGEND_ROW * 1.4, 1,
                 0.5, 0);
}

/* Right of @left at the bottom of @area, or at its top where it covers less of the diagram, which
 * is in @reach. */
static WeirRect
place_caption (WeirRect area, WeirRect reach, double left, double width)
{
  double height = LEGEND_ROW + LEGEND_PAD;
  double top = area.y + LEGEND_GAP, bottom = area.y + area.height - LEGEND_GAP - height;
  gboolean is_at_top = MAX (reach.y + reach.height - bottom, 0) > MAX (top + height - reach.y, 0);

  return (WeirRect) { is_at_top ? area.x + LEGEND_GAP : left, is_at_top ? top : bottom, width,
                      height };
}

void
weir_overlay_draw_legend (const WeirOverlay *self, cairo_t *cr, WeirRect area, WeirRect reach,
                          const WeirPalette *palette)
{
  WeirPen pen;
  double bottom = area.y + area.height - LEGEND_GAP;
  double left = area.x + LEGEND_GAP;

  weir_pen_init (&pen, cr, palette, 1);
  if (self->mode != WEIR_OVERLAY_OFF)
    {
      guint n_rows = self->mode == WEIR_OVERLAY_STATE ? G_N_ELEMENTS (legend_badges) : 2;
      double height = (n_rows + 1) * LEGEND_ROW + 2 * LEGEND_PAD;
      double width = get_legend_width (self, &pen) + 2 * LEGEND_PAD;
      double y = bottom - height + LEGEND_PAD + LEGEND_ROW / 2, x = left + LEGEND_PAD;

      draw_frame (&pen, (WeirRect) { left, bottom - height, width, height });
      weir_set_source (cr, palette->dim_text);
      weir_pen_text (&pen, weir_overlay_mode_get_title (self->mode), LEGEND_SIZE, x, y, 0, 0.5, 0);
      if (self->mode == WEIR_OVERLAY_STATE)
        for (guint i = 0; i < n_rows; i++)
          {
            y += LEGEND_ROW;
            weir_badge_draw (cr, legend_badges[i], x + 7, y, 5, palette);
            weir_set_source (cr, palette->text);
            weir_pen_text (&pen, weir_badge_get_name (legend_badges[i]), LEGEND_SIZE, x + 20, y, 0,
                           0.5, 0);
          }
      else
        draw_scale (self, &pen,
                    (WeirRect) { x, y + LEGEND_ROW / 2, width - 2 * LEGEND_PAD, LEGEND_ROW });
      left += width + LEGEND_GAP;
    }
  if (self->caption != NULL)
    {
      double room = area.x + area.width - LEGEND_GAP - left - 2 * LEGEND_PAD;
      double width = weir_pen_get_text_width (&pen, self->caption, LEGEND_SIZE + 1);
      WeirRect box;

      width = MIN (width, MAX (room, 40));
      box = place_caption (area, reach, left, width + 2 * LEGEND_PAD);
      draw_frame (&pen, box);
      cairo_rectangle (cr, box.x, box.y + 4, 3, box.height - 8);
      weir_set_source (cr, weir_overlay_get_emphasis_color (palette));
      cairo_fill (cr);
      weir_set_source (cr, palette->text);
      weir_pen_text (&pen, self->caption, LEGEND_SIZE + 1, box.x + LEGEND_PAD,
                     box.y + box.height / 2, 0, 0.5, width + 1);
    }
  weir_pen_clear (&pen);
}
