/* Outlines of blocks, and the room inside that their pictograms have. See glyph.h. */
#include "paint/drawing/glyph.h"

#include <math.h>

#define PORT_LABEL_INSET 5.0     /* from the outline */
#define PORT_LABEL_CLEARANCE 5.0 /* from the pictogram */
#define PORT_LABEL_SHARE 0.36    /* of the width of the box, at most */

WeirPoint
weir_glyph_get_forward (const WeirBlockShape *shape)
{
  static const WeirPoint ways[] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
  WeirPoint way = ways[weir_block_get_rotation (shape->block) % 4];

  return weir_block_get_flipped (shape->block) ? (WeirPoint) { -way.x, -way.y } : way;
}

void
weir_outline_path (cairo_t *cr, const WeirBlockShape *shape)
{
  WeirRect box = shape->box;
  WeirPoint c = weir_rect_get_center (box);

  switch (shape->outline)
    {
    case WEIR_OUTLINE_CIRCLE:
      {
        cairo_matrix_t saved;

        cairo_get_matrix (cr, &saved);
        cairo_translate (cr, c.x, c.y);
        cairo_scale (cr, box.width / 2, box.height / 2);
        cairo_new_sub_path (cr);
        cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
        cairo_close_path (cr);
        cairo_set_matrix (cr, &saved);
      }
      break;
    case WEIR_OUTLINE_TRIANGLE:
      {
        WeirPoint f = weir_glyph_get_forward (shape);
        double hx = box.width / 2, hy = box.height / 2;

        cairo_move_to (cr, c.x + f.x * hx, c.y + f.y * hy);
        cairo_line_to (cr, c.x - f.x * hx - f.y * hx, c.y - f.y * hy + f.x * hy);
        cairo_line_to (cr, c.x - f.x * hx + f.y * hx, c.y - f.y * hy - f.x * hy);
        cairo_close_path (cr);
      }
      break;
    case WEIR_OUTLINE_PILL:
      weir_rounded_path (cr, box, box.height / 2);
      break;
    case WEIR_OUTLINE_SCREEN:
      weir_rounded_path (cr, box, 8);
      break;
    case WEIR_OUTLINE_NONE:
    case WEIR_OUTLINE_BOX:
    default:
      weir_rounded_path (cr, box, 4);
      break;
    }
}

/* --- The room inside ------------------------------------------------------------------------- */

WeirRect
weir_glyph_get_field (const WeirBlockShape *shape, double fraction)
{
  WeirPoint c = weir_rect_get_center (shape->box);
  double side = fraction * MIN (shape->box.width, shape->box.height);

  return (WeirRect) { c.x - side / 2, c.y - side / 2, side, side };
}

gboolean
weir_glyph_has_port_labels (const WeirBlockShape *shape)
{
  static const char *const types[] = { "Atan2",
                                       "BouncingBall",
                                       "DCMotor",
                                       "DoubleIntegrator",
                                       "Equations",
                                       "Expression",
                                       "FlipFlop",
                                       "HitCrossing",
                                       "LimitedIntegrator",
                                       "LookupTable2D",
                                       "Lorenz",
                                       "MultiportSwitch",
                                       "PID2",
                                       "Pendulum",
                                       "PredatorPrey",
                                       "Robertson",
                                       "Room",
                                       "SampleAndHold",
                                       "Spectrum",
                                       "Subsystem",
                                       "VanDerPol",
                                       "VariableDelay",
                                       "XYScope" };
  const char *type = weir_block_get_type_name (shape->block);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i], type))
      return TRUE;
  return shape->outline == WEIR_OUTLINE_BOX && shape->n_pins > 2;
}

WeirRect
weir_glyph_get_field_between_labels (WeirPen *pen, const WeirBlockShape *shape, double fraction)
{
  WeirRect f = weir_glyph_get_field (shape, fraction);
  double left = shape->box.x, right = shape->box.x + shape->box.width, side;

  for (guint i = 0; i < shape->n_ports; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      double taken = PORT_LABEL_INSET + PORT_LABEL_CLEARANCE
                     + MIN (weir_pen_get_text_width (pen, port->name, WEIR_PORT_LABEL_SIZE),
                            shape->box.width * PORT_LABEL_SHARE);

      if (port->normal.x < 0)
        left = MAX (left, port->position.x + taken);
      else if (port->normal.x > 0)
        right = MIN (right, port->position.x - taken);
    }
  side = MIN (f.width, MAX (right - left, 0));
  return (WeirRect) { CLAMP (f.x + (f.width - side) / 2, left, MAX (right - side, left)),
                      f.y + (f.height - side) / 2, side, side };
}

void
weir_glyph_draw_screen (WeirPen *pen)
{
  cairo_save (pen->cr);
  weir_set_source (pen->cr, pen->palette->background);
  cairo_fill_preserve (pen->cr);
  weir_set_source_alpha (pen->cr, pen->palette->stroke, 0.6);
  cairo_set_line_width (pen->cr, pen->palette->line_width);
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}

void
weir_glyph_draw_port_labels (WeirPen *pen, const WeirBlockShape *shape)
{
  weir_set_source (pen->cr, pen->palette->dim_text);
  for (guint i = 0; i < shape->n_ports; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      double x = port->position.x - PORT_LABEL_INSET * port->normal.x;
      double y = port->position.y - PORT_LABEL_INSET * port->normal.y;
      double ax = port->normal.x < 0 ? 0 : port->normal.x > 0 ? 1 : 0.5;
      double ay = port->normal.y < 0 ? 0 : port->normal.y > 0 ? 1 : 0.5;

      weir_pen_text (pen, port->name, WEIR_PORT_LABEL_SIZE, x, y, ax, ay,
                     shape->box.width * (port->normal.x != 0 ? PORT_LABEL_SHARE : 1));
    }
}

/* --- Terminals ------------------------------------------------------------------------------- */

#define BRACKET_INSET 9.5   /* from the outline, clear of a unit's second one */
#define BRACKET_TICK 3.0    /* towards it, at the ends */
#define BRACKET_BEYOND 0.3  /* the outermost ports, of what is between two */
#define NAME_INSET 8.0      /* from the outline */
#define TERMINAL_SHARE 0.36 /* of the width of the box, at most: beside the title */
#define LEAST_ROOM 9.0      /* from port to port, for a name in between */

/* By @along and @inward from a place on the outline. */
static WeirPoint
go_inside (WeirPoint place, WeirPoint normal, WeirPoint direction, double along, double inward)
{
  return (WeirPoint) { place.x + along * direction.x - inward * normal.x,
                       place.y + along * direction.y - inward * normal.y };
}

static void
draw_bracket (WeirPen *pen, const WeirTerminalShape *terminal, WeirPoint direction, double room)
{
  WeirPoint n = terminal->normal;
  double tick = BRACKET_INSET - BRACKET_TICK, beyond = BRACKET_BEYOND * room;
  WeirPoint points[] = {
    go_inside (terminal->first, n, direction, -beyond, tick),
    go_inside (terminal->first, n, direction, -beyond, BRACKET_INSET),
    go_inside (terminal->last, n, direction, beyond, BRACKET_INSET),
    go_inside (terminal->last, n, direction, beyond, tick),
  };

  cairo_new_path (pen->cr);
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    cairo_line_to (pen->cr, points[i].x, points[i].y);
  cairo_set_line_width (pen->cr, 1.2 * pen->palette->line_width);
  cairo_stroke (pen->cr);
}

/* Before the ports; of ports on a horizontal side beneath them, where there is more room. */
static void
draw_terminal_name (WeirPen *pen, const WeirBlockShape *shape, const WeirTerminalShape *terminal,
                    double room)
{
  WeirPoint n = terminal->normal, at = terminal->name_position;
  double length = hypot (terminal->last.x - at.x, terminal->last.y - at.y);

  if (room < LEAST_ROOM)
    return;
  if (n.x != 0)
    weir_pen_text (pen, terminal->name, WEIR_PORT_LABEL_SIZE, at.x - NAME_INSET * n.x,
                   at.y + 0.2 * room, n.x < 0 ? 0 : 1, 0.5, shape->box.width * TERMINAL_SHARE);
  else
    weir_pen_text (pen, terminal->name, WEIR_PORT_LABEL_SIZE,
                   (terminal->first.x + terminal->last.x) / 2, at.y - (BRACKET_INSET + 2) * n.y,
                   0.5, n.y < 0 ? 0 : 1, length + room);
}

void
weir_glyph_draw_terminals (WeirPen *pen, const WeirBlockShape *shape)
{
  weir_set_source (pen->cr, pen->palette->dim_text);
  for (guint i = 0; i < shape->terminals->len; i++)
    {
      const WeirTerminalShape *terminal = &g_array_index (shape->terminals, WeirTerminalShape, i);
      double dx = terminal->first.x - terminal->name_position.x;
      double dy = terminal->first.y - terminal->name_position.y, room = hypot (dx, dy);

      if (!(room > 0))
        continue;
      draw_bracket (pen, terminal, (WeirPoint) { dx / room, dy / room }, room);
      draw_terminal_name (pen, shape, terminal, room);
    }
}
