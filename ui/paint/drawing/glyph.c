/* Pictograms of blocks. See glyph.h.
 *
 * The pictures that need code of their own; curves and formulas come from tables.
 * Types without a pictogram show their title.
 */
#include "paint/drawing/glyph.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "model/tree/unit-settings.h"
#include "paint/ground/symbols.h"

#define UNIT_GAP 3.5       /* between the outlines of a unit */
#define LEAST_SUBSYSTEM 10 /* wide, for its picture to be one */

/* --- Pictograms ------------------------------------------------------------------------------ */

/* The signs of a Sum, each inside the outline at its port. */
static void
draw_signs (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *signs = weir_block_get_effective_parameter (shape->block, "signs");
  gboolean round = shape->outline == WEIR_OUTLINE_CIRCLE;

  for (guint i = 0; i < shape->n_inputs; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      double inset = 9, arm = 3.5;
      double x = port->position.x - inset * port->normal.x;
      double y = port->position.y - inset * port->normal.y;
      gboolean minus = signs != NULL && i < strlen (signs) && signs[i] == '-';

      cairo_move_to (pen->cr, x - arm, y);
      cairo_line_to (pen->cr, x + arm, y);
      if (!minus)
        {
          cairo_move_to (pen->cr, x, y - arm);
          cairo_line_to (pen->cr, x, y + arm);
        }
    }
  cairo_stroke (pen->cr);
  if (!round)
    {
      WeirPoint c = weir_rect_get_center (shape->box);

      weir_pen_text (pen, "Σ", MIN (shape->box.width, shape->box.height) * 0.4, c.x, c.y, 0.5, 0.5,
                     0);
    }
}

static void
draw_pendulum (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field_between_labels (pen, shape, 0.5);
  double px = f.x + f.width * 0.4, py = f.y + f.height * 0.08;
  double bx = f.x + f.width * 0.82, by = f.y + f.height * 0.8;
  double length = hypot (bx - px, by - py);
  double angle = atan2 (by - py, bx - px);

  cairo_move_to (pen->cr, f.x, py);
  cairo_line_to (pen->cr, f.x + f.width * 0.8, py);
  cairo_stroke (pen->cr);
  cairo_save (pen->cr);
  weir_set_source_alpha (pen->cr, pen->palette->dim_text, 0.7);
  cairo_set_line_width (pen->cr, 0.9 * pen->palette->line_width);
  cairo_set_dash (pen->cr, (const double[]) { 2.5, 2.5 }, 2, 0);
  cairo_move_to (pen->cr, px, py);
  cairo_line_to (pen->cr, px, py + length);
  cairo_stroke (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);
  cairo_arc (pen->cr, px, py, length * 0.55, angle, G_PI_2);
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
  cairo_move_to (pen->cr, px, py);
  cairo_line_to (pen->cr, bx, by);
  cairo_stroke (pen->cr);
  cairo_arc (pen->cr, bx, by, f.width * 0.13, 0, 2 * G_PI);
  cairo_fill (pen->cr);
}

static void
draw_clock (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.58);
  WeirPoint c = weir_rect_get_center (f);

  cairo_arc (pen->cr, c.x, c.y, f.width / 2, 0, 2 * G_PI);
  cairo_stroke (pen->cr);
  cairo_move_to (pen->cr, c.x, c.y - f.height * 0.36);
  cairo_line_to (pen->cr, c.x, c.y);
  cairo_line_to (pen->cr, c.x + f.width * 0.22, c.y + f.height * 0.14);
  cairo_stroke (pen->cr);
}

static void
draw_scope (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect b = weir_rect_grow (shape->box, -9);
  WeirRect f = weir_rect_grow (b, -4);

  weir_rounded_path (pen->cr, b, 3);
  weir_glyph_draw_screen (pen);
  weir_set_source (pen->cr, pen->palette->curves[0]);
  weir_glyph_stroke_sine (pen, f);
}

/* One signal over another: a path that closes. */
static void
draw_xy_scope (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect b = weir_rect_grow (shape->box, -9), f = weir_rect_grow (b, -5);

  b.x += 9;
  b.width -= 9;
  f.x += 9;
  f.width -= 9;
  weir_rounded_path (pen->cr, b, 3);
  weir_glyph_draw_screen (pen);
  weir_set_source (pen->cr, pen->palette->curves[0]);
  for (int i = 0; i <= 48; i++)
    {
      double t = 2 * G_PI * i / 48;

      cairo_line_to (pen->cr, f.x + f.width * (0.5 + 0.5 * sin (t)),
                     f.y + f.height * (0.5 - 0.5 * sin (2 * t)));
    }
  cairo_stroke (pen->cr);
  weir_set_source (pen->cr, pen->palette->glyph);
}

/* A track between the limits with the thumb at the value. */
static void
draw_slider (WeirPen *pen, const WeirBlockShape *shape)
{
  double limits[3] = { 0, 0, 1 }; /* value, minimum, maximum */
  static const char *const names[3] = { "value", "minimum", "maximum" };
  WeirRect f = weir_rect_grow (shape->box, -10);
  double y = f.y + f.height * 0.68, share;

  for (guint i = 0; i < 3; i++)
    limits[i] = g_ascii_strtod (weir_block_get_effective_parameter (shape->block, names[i]), NULL);
  share = limits[2] > limits[1] ? CLAMP ((limits[0] - limits[1]) / (limits[2] - limits[1]), 0, 1)
                                : 0;
  weir_pen_text (pen, weir_block_get_effective_parameter (shape->block, "value"), 11,
                 f.x + f.width / 2, f.y - 2, 0.5, 0, f.width);
  cairo_move_to (pen->cr, f.x, y);
  cairo_line_to (pen->cr, f.x + f.width, y);
  cairo_stroke (pen->cr);
  cairo_arc (pen->cr, f.x + share * f.width, y, 4.5, 0, 2 * G_PI);
  cairo_fill (pen->cr);
}

/* A lever from the output to the last input; the middle input is the control. */
static void
draw_switch (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirPoint c = weir_rect_get_center (shape->box);
  WeirPoint out;

  if (shape->n_outputs == 0 || shape->n_inputs < 2)
    return;
  out = shape->ports[shape->n_inputs].position;
  out.x += (c.x - out.x) * 0.5;
  out.y += (c.y - out.y) * 0.5;
  for (guint i = 0; i < shape->n_inputs; i++)
    {
      WeirPoint p = shape->ports[i].position;
      WeirPoint n = shape->ports[i].normal;
      WeirPoint end = { p.x - 16 * n.x, p.y - 16 * n.y };

      if (i == 1 && shape->n_inputs == 3)
        {
          /* The control acts on the lever. */
          cairo_save (pen->cr);
          cairo_set_dash (pen->cr, (const double[]) { 2, 2 }, 2, 0);
          cairo_move_to (pen->cr, p.x, p.y);
          cairo_line_to (pen->cr, c.x - 3 * n.x, c.y - 3 * n.y);
          cairo_stroke (pen->cr);
          cairo_restore (pen->cr);
          continue;
        }
      cairo_move_to (pen->cr, p.x, p.y);
      cairo_line_to (pen->cr, end.x, end.y);
      if (i == 0)
        cairo_line_to (pen->cr, out.x, out.y);
      cairo_stroke (pen->cr);
      cairo_arc (pen->cr, end.x, end.y, 2, 0, 2 * G_PI);
      cairo_fill (pen->cr);
    }
  cairo_move_to (pen->cr, out.x, out.y);
  cairo_line_to (pen->cr, shape->ports[shape->n_inputs].position.x,
                 shape->ports[shape->n_inputs].position.y);
  cairo_stroke (pen->cr);
}

/* Two small linked boxes in the middle, as large as the names of the ports leave room for. */
static void
draw_subsystem (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field_between_labels (pen, shape, 3.4 * 0.16);
  WeirPoint c = { f.x + f.width / 2, weir_rect_get_center (shape->box).y };
  double u = f.width / 3.4;

  if (f.width < LEAST_SUBSYSTEM)
    return;
  cairo_save (pen->cr);
  weir_set_source_alpha (pen->cr, pen->palette->glyph, 0.55);
  cairo_rectangle (pen->cr, c.x - 1.7 * u, c.y - 1.1 * u, 1.3 * u, u);
  cairo_rectangle (pen->cr, c.x + 0.4 * u, c.y + 0.1 * u, 1.3 * u, u);
  cairo_move_to (pen->cr, c.x - 0.4 * u, c.y - 0.6 * u);
  cairo_line_to (pen->cr, c.x + 1.05 * u, c.y - 0.6 * u);
  cairo_line_to (pen->cr, c.x + 1.05 * u, c.y + 0.1 * u);
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}

/* A second outline: what is inside keeps to itself but at instants. Of one that is ignored it is
 * broken; of one that is off it is crossed out besides. */
static void
draw_unit_mark (WeirPen *pen, const WeirBlockShape *shape)
{
  static const double dash[] = { 4, 3 };
  WeirRect box = weir_rect_grow (shape->box, -UNIT_GAP);
  WeirUnitActivity activity;

  if (box.width <= 0 || box.height <= 0)
    return;
  cairo_save (pen->cr);
  activity = weir_block_get_unit_activity (shape->block);
  cairo_set_dash (pen->cr, dash, activity == WEIR_UNIT_ON ? 0 : 2, 0);
  cairo_rectangle (pen->cr, box.x, box.y, box.width, box.height);
  cairo_stroke (pen->cr);
  if (activity == WEIR_UNIT_OFF)
    {
      cairo_set_dash (pen->cr, NULL, 0, 0);
      cairo_move_to (pen->cr, box.x, box.y + box.height);
      cairo_line_to (pen->cr, box.x + box.width, box.y);
      cairo_stroke (pen->cr);
    }
  cairo_restore (pen->cr);
}

static void
draw_chevron (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirPoint c = weir_rect_get_center (shape->box), f = weir_glyph_get_forward (shape);
  double u = MIN (shape->box.width, shape->box.height) * 0.22;

  for (int i = -1; i <= 1; i += 2)
    {
      double x = c.x + i * u * 0.8 * f.x, y = c.y + i * u * 0.8 * f.y;

      cairo_move_to (pen->cr, x - u * f.x - u * f.y, y - u * f.y + u * f.x);
      cairo_line_to (pen->cr, x, y);
      cairo_line_to (pen->cr, x - u * f.x + u * f.y, y - u * f.y - u * f.x);
    }
  cairo_stroke (pen->cr);
}

static void
draw_value (WeirPen *pen, const WeirBlockShape *shape, const char *parameter)
{
  const char *text = weir_block_get_effective_parameter (shape->block, parameter);
  WeirPoint c = weir_rect_get_center (shape->box), f = weir_glyph_get_forward (shape);
  double width = shape->box.width - 8;

  if (shape->outline == WEIR_OUTLINE_TRIANGLE)
    {
      /* The room is towards the base. */
      c.x -= f.x * shape->box.width * 0.17;
      c.y -= f.y * shape->box.height * 0.17;
      width = shape->box.width * 0.56;
    }
  weir_pen_text (pen, text != NULL ? text : "?", 13, c.x, c.y, 0.5, 0.5, width);
}

static void
draw_unknown (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirPoint c = weir_rect_get_center (shape->box);

  weir_pen_text (pen, "?", 20, c.x, c.y + 2, 0.5, 1, 0);
  weir_set_source (pen->cr, pen->palette->dim_text);
  weir_pen_text (pen, weir_block_get_type_name (shape->block), 10, c.x, c.y + 4, 0.5, 0,
                 shape->box.width - 8);
}

static void
draw_title (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_rect_grow (shape->box, -4);
  WeirPoint c;

  if (weir_glyph_has_port_labels (shape))
    f = weir_glyph_get_field_between_labels (pen, shape, 2);
  c = weir_rect_get_center (f);
  weir_pen_text (pen, _ (shape->type->title), 11, c.x, c.y, 0.5, 0.5, f.width);
}

/* A part is turned as a whole, but for its letters. */
static void
draw_symbol (WeirPen *pen, const WeirBlockShape *shape, const WeirSymbol *symbol)
{
  WeirPoint own = weir_block_get_own_size (shape->block);

  cairo_save (pen->cr);
  weir_block_apply_turn (shape->block, pen->cr);
  cairo_scale (pen->cr, own.x / symbol->width, own.y / symbol->height);
  weir_symbol_draw (pen, symbol);
  cairo_restore (pen->cr);
}

/* What leads out of the subsystem: a pin larger than life. */
static void
draw_pin (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirPoint c = weir_rect_get_center (shape->box);
  const char *domain = weir_block_get_effective_parameter (shape->block, "domain");

  cairo_translate (pen->cr, c.x, c.y);
  weir_domain_pin_path (pen->cr, domain != NULL ? weir_domain_find (domain) : NULL, 4.5);
  cairo_stroke (pen->cr);
}

void
weir_glyph_draw (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *type = weir_block_get_type_name (shape->block);
  const WeirSymbol *symbol = weir_symbol_find (shape->block);

  cairo_save (pen->cr);
  weir_set_source (pen->cr, pen->palette->glyph);
  cairo_set_line_width (pen->cr, 1.5 * pen->palette->line_width);
  cairo_set_line_cap (pen->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (pen->cr, CAIRO_LINE_JOIN_ROUND);

  if (shape->type == NULL)
    draw_unknown (pen, shape);
  else if (symbol != NULL)
    draw_symbol (pen, shape, symbol);
  else if (g_str_equal (type, "Pin"))
    draw_pin (pen, shape);
  else if (g_str_equal (type, "Gain"))
    draw_value (pen, shape, "gain");
  else if (g_str_equal (type, "Constant"))
    draw_value (pen, shape, "value");
  else if (g_str_equal (type, "Sum"))
    draw_signs (pen, shape);
  else if (g_str_equal (type, "Scope"))
    draw_scope (pen, shape);
  else if (g_str_equal (type, "XYScope"))
    draw_xy_scope (pen, shape);
  else if (g_str_equal (type, "Slider"))
    draw_slider (pen, shape);
  else if (g_str_equal (type, "Switch"))
    draw_switch (pen, shape);
  else if (g_str_equal (type, "Pendulum"))
    draw_pendulum (pen, shape);
  else if (g_str_equal (type, "In") || g_str_equal (type, "Out"))
    draw_chevron (pen, shape);
  else if (weir_block_get_diagram (shape->block) != NULL || g_str_equal (type, "Subsystem"))
    draw_subsystem (pen, shape);
  else if (g_str_equal (type, "Clock") || g_str_equal (type, "DigitalClock"))
    draw_clock (pen, shape);
  else if (!weir_glyph_draw_curve (pen, shape) && !weir_glyph_draw_formula (pen, shape)
           && !weir_glyph_draw_lab (pen, shape))
    draw_title (pen, shape);
  if (shape->terminals != NULL)
    weir_glyph_draw_terminals (pen, shape);
  if (weir_block_is_unit (shape->block))
    draw_unit_mark (pen, shape);
  if (shape->type != NULL && shape->type->is_diagnostic)
    weir_glyph_draw_diagnostic_mark (pen, shape);
  /* Several ports on a plain side are told apart by name. */
  if (weir_glyph_has_port_labels (shape))
    weir_glyph_draw_port_labels (pen, shape);
  cairo_restore (pen->cr);
}
