/* Drawing blocks with their ports, names and marks. See diagram.h. */
#include <math.h>
#include <string.h>

#include "paint/drawing/diagram.h"
#include "paint/drawing/problem.h"
#include "paint/ground/symbols.h"

/* --- Ports ----------------------------------------------------------------------------------- */

#define PIN_RADIUS 3.0

void
weir_draw_pin (cairo_t *cr, const WeirPortShape *pin, const WeirDomain *domain,
               gboolean is_connected, double scale, const WeirPalette *palette)
{
  cairo_save (cr);
  cairo_translate (cr, pin->position.x, pin->position.y);
  weir_domain_pin_path (cr, domain, is_connected ? PIN_RADIUS : PIN_RADIUS + 0.8);
  if (is_connected)
    weir_set_source (cr, weir_domain_get_color (domain, palette));
  else
    weir_set_source (cr, palette->background);
  cairo_fill_preserve (cr);
  weir_set_source (cr, weir_domain_get_color (domain, palette));
  cairo_set_line_width (cr, weir_style_get_width (1.3, scale, palette));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
weir_draw_port (cairo_t *cr, const WeirPortShape *port, WeirPortLook look, double scale,
                const WeirPalette *palette)
{
  double radius = look == WEIR_PORT_TARGET ? 7 : look == WEIR_PORT_CANDIDATE ? 5 : 3.5;
  WeirColor color = look == WEIR_PORT_ILLEGAL ? palette->illegal
                    : look == WEIR_PORT_PLAIN ? palette->port
                                              : palette->candidate;

  if (look == WEIR_PORT_CANDIDATE || look == WEIR_PORT_TARGET)
    radius = MAX (radius, 4 / scale);
  if (port->is_pin)
    {
      cairo_save (cr);
      cairo_translate (cr, port->position.x, port->position.y);
      weir_domain_pin_path (cr, port->domain, radius);
      cairo_restore (cr);
    }
  else
    {
      cairo_new_sub_path (cr);
      cairo_arc (cr, port->position.x, port->position.y, radius, 0, 2 * G_PI);
    }
  if (look == WEIR_PORT_CANDIDATE || look == WEIR_PORT_TARGET)
    {
      weir_set_source_alpha (cr, color, look == WEIR_PORT_TARGET ? 0.9 : 0.45);
      cairo_fill_preserve (cr);
    }
  else
    {
      weir_set_source (cr, palette->background);
      cairo_fill_preserve (cr);
    }
  weir_set_source (cr, color);
  cairo_set_line_width (cr, weir_style_get_width (1.3, scale, palette));
  cairo_stroke (cr);
}

/* Those of parts are seen whatever ends at them; on a page only what does. */
static void
draw_pins (WeirScene *scene, cairo_t *cr, const WeirBlockShape *shape,
           const WeirDiagramStyle *style)
{
  guint32 id = weir_block_get_id (shape->block);

  for (guint i = shape->n_ports - shape->n_pins; i < shape->n_ports; i++)
    {
      const WeirPortShape *pin = &shape->ports[i];
      const WeirWireShape *line = weir_scene_find_line_at (scene, id, pin->name);
      const WeirDomain *domain = line != NULL && pin->domain == NULL ? line->domain : pin->domain;

      if (line != NULL || style->show_ports)
        weir_draw_pin (cr, pin, domain, line != NULL, style->scale, style->palette);
    }
}

static void
draw_free_ports (WeirScene *scene, cairo_t *cr, const WeirBlockShape *shape,
                 const WeirDiagramStyle *style)
{
  guint32 id = weir_block_get_id (shape->block);

  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (!weir_scene_is_connected (scene, id, shape->ports[i].name, shape->ports[i].is_output))
      weir_draw_port (cr, &shape->ports[i], WEIR_PORT_PLAIN, style->scale, style->palette);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void
draw_name (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *name = weir_block_get_name (shape->block);
  WeirRect box = shape->box;

  weir_set_source (pen->cr, pen->palette->text);
  switch (shape->name_place)
    {
    case WEIR_NAME_ABOVE:
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width / 2, box.y - 2, 0.5, 1, 0);
      break;
    case WEIR_NAME_BESIDE:
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width * 0.8, box.y + box.height, 0, 0.2,
                     0);
      break;
    case WEIR_NAME_RIGHT:
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width + 2, box.y + box.height / 2, 0,
                     0.5, 0);
      break;
    case WEIR_NAME_NOWHERE:
      break;
    case WEIR_NAME_BELOW:
    default:
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width / 2, box.y + box.height + 2, 0.5,
                     0, 0);
      break;
    }
}

/* A sign at the upper right of the outline; it keeps its size on the screen when zoomed out. */
static void
draw_problem (WeirPen *pen, const WeirBlockShape *shape, guint marks)
{
  double r = MAX (7, 5 / pen->scale);
  double x = shape->box.x + shape->box.width, y = shape->box.y;

  if (shape->outline == WEIR_OUTLINE_CIRCLE)
    {
      x -= shape->box.width * (0.5 - M_SQRT2 / 4);
      y += shape->box.height * (0.5 - M_SQRT2 / 4);
    }
  else if (shape->outline == WEIR_OUTLINE_TRIANGLE)
    {
      x -= shape->box.width * 0.5;
      y += shape->box.height * 0.2;
    }
  weir_draw_problem_sign (pen->cr, (WeirPoint) { x, y }, r, marks, pen->palette);
}

#define BREAK_INSET 14.0 /* from the corner, where a handle may be */

/* A disc at the left of the upper edge, hollow where all its breakpoints are switched off. */
static void
draw_break (WeirPen *pen, const WeirBlockShape *shape, guint marks)
{
  double r = MAX (5.5, 4.5 / pen->scale);
  double x = shape->box.x + MIN (BREAK_INSET, shape->box.width / 2), y = shape->box.y;

  if (shape->outline == WEIR_OUTLINE_CIRCLE)
    y += shape->box.height * (0.5 - M_SQRT2 / 4) / 2;
  else if (shape->outline == WEIR_OUTLINE_TRIANGLE)
    y += BREAK_INSET / 2;
  cairo_new_sub_path (pen->cr);
  cairo_arc (pen->cr, x, y, r + 1.5 / pen->scale, 0, 2 * G_PI);
  weir_set_source (pen->cr, pen->palette->background);
  cairo_fill (pen->cr);
  cairo_new_sub_path (pen->cr);
  cairo_arc (pen->cr, x, y, marks & WEIR_MARK_BREAK ? r : r * 0.8, 0, 2 * G_PI);
  weir_set_source (pen->cr, pen->palette->error);
  cairo_set_line_width (pen->cr, r * 0.4);
  if (marks & WEIR_MARK_BREAK)
    cairo_fill (pen->cr);
  else
    cairo_stroke (pen->cr);
}

/* Out of use: a veil over the block, and what becomes of its signals: a bar, or an arrow through
 * it. */
static void
draw_mode (WeirPen *pen, const WeirBlockShape *shape)
{
  cairo_t *cr = pen->cr;
  WeirRect box = shape->box;
  WeirPoint middle = weir_rect_get_center (box);
  double half = MAX (10, MIN (box.width, box.height) * 0.32);

  if (weir_block_get_mode (shape->block) == WEIR_BLOCK_ACTIVE)
    return;
  weir_outline_path (cr, shape);
  weir_set_source_alpha (cr, pen->palette->background, 0.72);
  cairo_fill (cr);
  weir_set_source (cr, pen->palette->dim_text);
  cairo_set_line_width (cr, weir_style_get_width (2, pen->scale, pen->palette));
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  if (weir_block_get_mode (shape->block) == WEIR_BLOCK_COMMENTED_OUT)
    {
      cairo_move_to (cr, middle.x - half, middle.y + half);
      cairo_line_to (cr, middle.x + half, middle.y - half);
    }
  else
    {
      cairo_move_to (cr, middle.x - half * 1.2, middle.y);
      cairo_line_to (cr, middle.x + half * 1.2, middle.y);
      cairo_move_to (cr, middle.x + half * 0.7, middle.y - half * 0.4);
      cairo_line_to (cr, middle.x + half * 1.2, middle.y);
      cairo_line_to (cr, middle.x + half * 0.7, middle.y + half * 0.4);
    }
  cairo_stroke (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
}

/* What is not emphasised recedes. */
static void
draw_veil (WeirPen *pen, const WeirBlockShape *shape)
{
  weir_outline_path (pen->cr, shape);
  weir_set_source_alpha (pen->cr, pen->palette->background, 0.6 - pen->palette->kept);
  cairo_fill_preserve (pen->cr);
  cairo_set_line_width (pen->cr, weir_style_get_width (2, pen->scale, pen->palette));
  cairo_stroke (pen->cr);
}

static void
draw_inside (WeirPen *pen, const WeirBlockShape *shape, gboolean is_faded)
{
  weir_glyph_draw (pen, shape);
  draw_mode (pen, shape);
  if (is_faded)
    draw_veil (pen, shape);
}

static void
draw_block (WeirPen *pen, const WeirBlockShape *shape, guint marks, const WeirOverlay *overlay)
{
  cairo_t *cr = pen->cr;
  const WeirPalette *palette = pen->palette;
  WeirColor tint = weir_palette_get_tint (palette, weir_block_get_tint (shape->block),
                                          palette->stroke);
  WeirColor stroke = marks & WEIR_MARK_SELECTED ? palette->selection
                     : marks & WEIR_MARK_HOVER  ? palette->hover
                                                : tint;
  WeirColor fill = weir_color_mix (palette->fill, tint,
                                   weir_block_get_tint (shape->block) != WEIR_TINT_NONE ? 0.22 : 0);
  gboolean is_faded = overlay != NULL
                      && weir_overlay_is_faded (overlay, weir_block_get_id (shape->block));

  if (overlay != NULL)
    fill = weir_overlay_get_fill (overlay, weir_block_get_id (shape->block), fill, pen->scale,
                                  palette);
  if (pen->scale < WEIR_GLYPH_SCALE)
    {
      cairo_rectangle (cr, shape->box.x, shape->box.y, shape->box.width, shape->box.height);
      weir_set_source (cr, marks & WEIR_MARK_SELECTED ? palette->selection : fill);
      cairo_fill_preserve (cr);
      weir_set_source (cr, stroke);
      cairo_set_line_width (cr, weir_style_get_width (1, pen->scale, palette));
      cairo_stroke (cr);
      if (is_faded)
        draw_veil (pen, shape);
      return;
    }
  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER))
    {
      weir_outline_path (cr, shape);
      weir_set_source_alpha (cr, stroke, marks & WEIR_MARK_SELECTED ? 0.3 : 0.2);
      cairo_set_line_width (cr, weir_style_get_width (7, pen->scale, palette));
      cairo_stroke (cr);
    }
  if (marks & WEIR_MARK_FOCUS)
    {
      WeirRect ring = weir_rect_grow (shape->box, 4);

      cairo_rectangle (cr, ring.x, ring.y, ring.width, ring.height);
      weir_set_source (cr, palette->selection);
      cairo_set_line_width (cr, weir_style_get_width (1.2, pen->scale, palette));
      cairo_set_dash (cr, (const double[]) { 3, 3 }, 2, 0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  weir_outline_path (cr, shape);
  if (shape->outline == WEIR_OUTLINE_NONE)
    {
      /* The symbol is all there is, on a ground where the block has a colour. */
      if (memcmp (&fill, &palette->fill, sizeof fill) != 0)
        {
          weir_set_source (cr, fill);
          cairo_fill (cr);
        }
      cairo_new_path (cr);
      draw_inside (pen, shape, is_faded);
      return;
    }
  weir_set_source (cr, fill);
  cairo_fill_preserve (cr);
  weir_set_source (cr, shape->type == NULL ? palette->error : stroke);
  cairo_set_line_width (
      cr, weir_style_get_width (marks & WEIR_MARK_SELECTED ? 1.8 : 1.3, pen->scale, palette));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  if (shape->type == NULL)
    cairo_set_dash (cr, (const double[]) { 5, 3 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  draw_inside (pen, shape, is_faded);
}

/* From afar: the border and the inside of many blocks in two fills. */
static void
fill_boxes (WeirPen *pen, WeirColor fill, const WeirRect *boxes, guint n)
{
  double border = weir_style_get_width (1, pen->scale, pen->palette) / 2;

  for (int inside = 0; inside < 2; inside++)
    {
      for (guint i = 0; i < n; i++)
        {
          WeirRect box = weir_rect_grow (boxes[i], inside ? -border : border);

          cairo_rectangle (pen->cr, box.x, box.y, box.width, box.height);
        }
      weir_set_source (pen->cr, inside ? fill : pen->palette->stroke);
      cairo_fill (pen->cr);
    }
}

static gboolean
is_plain (const WeirBlockShape *shape, const WeirDiagramStyle *style)
{
  return style->scale < WEIR_GLYPH_SCALE && weir_block_get_tint (shape->block) == WEIR_TINT_NONE
         && weir_style_get_marks (style, weir_block_get_id (shape->block)) == 0;
}

#define MAX_BOXES 256 /* in one fill */

#define MAX_FILLS 32 /* an overlay gives no more from afar */

typedef struct {
  WeirColor fill;
  guint n_boxes;
  WeirRect boxes[MAX_BOXES];
} Fill;

static WeirColor
get_plain_fill (const WeirBlockShape *shape, const WeirDiagramStyle *style)
{
  const WeirPalette *palette = style->palette;
  guint32 id = weir_block_get_id (shape->block);
  WeirColor fill = palette->fill;

  if (style->overlay == NULL)
    return fill;
  fill = weir_overlay_get_fill (style->overlay, id, fill, style->scale, palette);
  return weir_overlay_is_faded (style->overlay, id)
             ? weir_color_mix (fill, palette->background, 0.6)
             : fill;
}

static void
draw_plain_blocks (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  g_autofree Fill *fills = g_new (Fill, MAX_FILLS);
  guint n = weir_scene_get_n_blocks (scene), n_fills = 0;

  for (guint i = weir_style_next_block (style, scene, 0); i < n;
       i = weir_style_next_block (style, scene, i + 1))
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      WeirColor color;
      guint k = 0;

      if (!is_plain (shape, style) || !weir_style_is_visible (style, shape->reach))
        continue;
      color = get_plain_fill (shape, style);
      while (k < n_fills && memcmp (&fills[k].fill, &color, sizeof color) != 0)
        k++;
      if (k == n_fills)
        {
          k = MIN (k, MAX_FILLS - 1);
          if (n_fills == MAX_FILLS)
            fill_boxes (pen, fills[k].fill, fills[k].boxes, fills[k].n_boxes);
          n_fills = k + 1;
          fills[k].fill = color;
          fills[k].n_boxes = 0;
        }
      fills[k].boxes[fills[k].n_boxes++] = shape->box;
      if (fills[k].n_boxes == MAX_BOXES)
        {
          fill_boxes (pen, color, fills[k].boxes, MAX_BOXES);
          fills[k].n_boxes = 0;
        }
    }
  for (guint k = 0; k < n_fills; k++)
    fill_boxes (pen, fills[k].fill, fills[k].boxes, fills[k].n_boxes);
}

void
weir_draw_blocks (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  guint n = weir_scene_get_n_blocks (scene);

  if (style->scale < WEIR_GLYPH_SCALE)
    draw_plain_blocks (scene, pen, style);
  for (guint i = weir_style_next_block (style, scene, 0); i < n;
       i = weir_style_next_block (style, scene, i + 1))
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);

      if (!weir_style_is_visible (style, shape->reach) || is_plain (shape, style))
        continue;
      draw_block (pen, shape, weir_style_get_marks (style, weir_block_get_id (shape->block)),
                  style->overlay);
      if (style->scale >= WEIR_TEXT_SCALE && style->show_labels)
        draw_name (pen, shape);
      if (style->show_ports && style->scale >= WEIR_GLYPH_SCALE)
        draw_free_ports (scene, pen->cr, shape, style);
      if (shape->n_pins > 0 && style->scale >= WEIR_GLYPH_SCALE)
        draw_pins (scene, pen->cr, shape, style);
    }
  for (guint i = weir_style_next_block (style, scene, 0); style->marks != NULL && i < n;
       i = weir_style_next_block (style, scene, i + 1))
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      guint marks = weir_style_get_marks (style, weir_block_get_id (shape->block));

      if (!weir_style_is_visible (style, shape->reach))
        continue;
      if (marks & WEIR_PROBLEM_MARKS)
        draw_problem (pen, shape, marks);
      if (marks & (WEIR_MARK_BREAK | WEIR_MARK_BREAK_OFF))
        draw_break (pen, shape, marks);
    }
}

void
weir_draw_block_icon (cairo_t *cr, const char *type, double width, double height,
                      const WeirPalette *palette)
{
  g_autoptr (WeirBlock) block = weir_block_new (1, type, type, (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);
  double scale = MIN ((width - 4) / shape->box.width, (height - 4) / shape->box.height);
  WeirPen pen;

  scale = MIN (scale, 1);
  cairo_save (cr);
  cairo_translate (cr, (width - scale * shape->box.width) / 2,
                   (height - scale * shape->box.height) / 2);
  cairo_scale (cr, scale, scale);
  weir_pen_init (&pen, cr, palette, 1);
  draw_block (&pen, shape, 0, NULL);
  weir_pen_clear (&pen);
  cairo_restore (cr);
}
