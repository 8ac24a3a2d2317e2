/* Drawing a scene. See diagram.h.
 *
 * Order: background and grid, notes, wires, junctions, blocks, marks; so a wire never covers a block
 * and a mark is never covered. Levels of detail, by pixels a unit: from TEXT_SCALE on everything;
 * from GLYPH_SCALE on no text but pictograms; below that plain rectangles, and wires as one stroke.
 */
#include "paint/diagram.h"

#include <math.h>

#include "paint/glyph.h"

#define TEXT_SCALE 0.5
#define GLYPH_SCALE 0.28
#define GRID_MIN_PIXELS 7.0

void
weir_diagram_style_init (WeirDiagramStyle *style, const WeirPalette *palette)
{
  *style = (WeirDiagramStyle) { .palette = palette, .scale = 1, .show_background = TRUE,
                                .show_ports = TRUE };
}

static guint
get_marks (const WeirDiagramStyle *style, guint32 id)
{
  return style->marks == NULL
           ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (style->marks, GUINT_TO_POINTER (id)));
}

static gboolean
is_visible (const WeirDiagramStyle *style, WeirRect reach)
{
  return style->clip.width <= 0 || weir_rect_intersects (style->clip, weir_rect_grow (reach, 10));
}

/* --- Grid -------------------------------------------------------------------------------------- */

void
weir_draw_grid (cairo_t *cr, WeirRect area, double scale, const WeirPalette *palette)
{
  double spacing = 2 * WEIR_GRID;
  double dot = MIN (1.6, 1.2 + 0.2 * scale) / scale;

  while (spacing * scale < 2 * GRID_MIN_PIXELS)
    spacing *= 5;
  weir_set_source (cr, palette->grid);
  cairo_set_line_width (cr, dot);
  /* A row of dots is one dashed line. */
  cairo_set_dash (cr, (const double[]) { dot, spacing - dot }, 2, 0);
  for (double y = floor (area.y / spacing) * spacing; y <= area.y + area.height; y += spacing)
    {
      double x = floor (area.x / spacing) * spacing - dot / 2;

      cairo_move_to (cr, x, y);
      cairo_line_to (cr, area.x + area.width, y);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* --- Wires ------------------------------------------------------------------------------------- */

/* Strokes grow when zoomed out, so that they stay visible. */
static double
get_width (double units, double scale, const WeirPalette *palette)
{
  return MAX (units, 0.9 / scale) * palette->line_width;
}

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

static WeirColor
get_problem_color (const WeirPalette *palette, guint marks)
{
  return marks & WEIR_MARK_ERROR ? palette->error
         : marks & WEIR_MARK_WARNING ? palette->warning : palette->hint;
}

#define PROBLEM_MARKS (WEIR_MARK_ERROR | WEIR_MARK_WARNING | WEIR_MARK_HINT)

static void
draw_wire (cairo_t *cr, const WeirWireShape *shape, guint marks, const WeirDiagramStyle *style)
{
  const WeirPalette *palette = style->palette;
  gboolean loose = !shape->from_connected || !shape->to_connected;
  WeirColor color = palette->wire;

  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER | WEIR_MARK_FOCUS))
    {
      route_path (cr, shape->points, shape->n_points);
      weir_set_source_alpha (cr, marks & WEIR_MARK_SELECTED ? palette->selection : palette->hover,
                             0.35);
      cairo_set_line_width (cr, get_width (6, style->scale, palette));
      cairo_stroke (cr);
    }
  if (marks & PROBLEM_MARKS)
    color = get_problem_color (palette, marks);
  else if (loose)
    color = palette->error;
  else if (marks & WEIR_MARK_SELECTED)
    color = palette->selection;
  weir_set_source (cr, color);
  cairo_set_line_width (cr, get_width (1.5, style->scale, palette));
  if (loose)
    cairo_set_dash (cr, (const double[]) { 6, 4 }, 2, 0);
  route_path (cr, shape->points, shape->n_points);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (style->scale >= GLYPH_SCALE)
    fill_arrow (cr, shape->points[shape->n_points - 2], shape->points[shape->n_points - 1]);
  if (!shape->from_connected || !shape->to_connected)
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
draw_wires (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  gboolean plain = style->scale < GLYPH_SCALE;
  const WeirPoint *junctions;
  guint n_junctions, n_plain = 0;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);

      if (!plain || !is_visible (style, shape->reach)
          || get_marks (style, weir_wire_get_id (shape->wire)) != 0 || !shape->from_connected
          || !shape->to_connected)
        continue;
      route_path (cr, shape->points, shape->n_points);
      /* A path is stroked in time that grows faster than its length: strokes of some hundred. */
      if (++n_plain % 256 == 0)
        {
          weir_set_source (cr, style->palette->wire);
          cairo_set_line_width (cr, get_width (1.2, style->scale, style->palette));
          cairo_stroke (cr);
        }
    }
  weir_set_source (cr, style->palette->wire);
  cairo_set_line_width (cr, get_width (1.2, style->scale, style->palette));
  cairo_stroke (cr);

  /* Selected and faulty wires come last, where they are seen. */
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
      {
        const WeirWireShape *shape = weir_scene_get_wire (scene, i);
        guint marks = get_marks (style, weir_wire_get_id (shape->wire));
        gboolean special = marks != 0 || !shape->from_connected || !shape->to_connected;

        if (special != (pass == 1) || (plain && !special) || !is_visible (style, shape->reach))
          continue;
        draw_wire (cr, shape, marks, style);
      }

  if (plain)
    return;
  junctions = weir_scene_get_junctions (scene, &n_junctions);
  weir_set_source (cr, style->palette->wire);
  for (guint i = 0; i < n_junctions; i++)
    if (is_visible (style, (WeirRect) { junctions[i].x, junctions[i].y, 1, 1 }))
      {
        cairo_arc (cr, junctions[i].x, junctions[i].y, 3.2 * style->palette->line_width, 0,
                   2 * G_PI);
        cairo_fill (cr);
      }
}

void
weir_draw_loose_wire (cairo_t *cr, const WeirPoint *points, guint n_points, gboolean ends,
                      double scale, const WeirPalette *palette)
{
  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  weir_set_source (cr, palette->selection);
  cairo_set_line_width (cr, get_width (2, scale, palette));
  if (!ends)
    cairo_set_dash (cr, (const double[]) { 6, 4 }, 2, 0);
  route_path (cr, points, n_points);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* --- Ports ------------------------------------------------------------------------------------- */

void
weir_draw_port (cairo_t *cr, const WeirPortShape *port, WeirPortLook look, double scale,
                const WeirPalette *palette)
{
  double radius = look == WEIR_PORT_TARGET ? 7 : look == WEIR_PORT_CANDIDATE ? 5 : 3.5;
  WeirColor color = look == WEIR_PORT_ILLEGAL ? palette->illegal
                    : look == WEIR_PORT_PLAIN ? palette->port : palette->candidate;

  if (look == WEIR_PORT_CANDIDATE || look == WEIR_PORT_TARGET)
    radius = MAX (radius, 4 / scale);
  cairo_new_sub_path (cr);
  cairo_arc (cr, port->position.x, port->position.y, radius, 0, 2 * G_PI);
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
  cairo_set_line_width (cr, get_width (1.3, scale, palette));
  cairo_stroke (cr);
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

/* --- Blocks ------------------------------------------------------------------------------------ */

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
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width * 0.8, box.y + box.height, 0,
                     0.2, 0);
      break;
    case WEIR_NAME_BELOW:
    default:
      weir_pen_text (pen, name, WEIR_NAME_SIZE, box.x + box.width / 2, box.y + box.height + 2, 0.5,
                     0, 0);
      break;
    }
}

/* A sign at the upper right of the outline: a square for an error, a triangle for a warning, a disc for a
 * hint. It keeps its size on the screen when zoomed out. */
static void
draw_problem (WeirPen *pen, const WeirBlockShape *shape, guint marks)
{
  cairo_t *cr = pen->cr;
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
  cairo_new_path (cr);
  if (marks & WEIR_MARK_ERROR)
    cairo_rectangle (cr, x - r, y - r, 2 * r, 2 * r);
  else if (marks & WEIR_MARK_WARNING)
    {
      cairo_move_to (cr, x, y - 1.25 * r);
      cairo_line_to (cr, x + 1.25 * r, y + r);
      cairo_line_to (cr, x - 1.25 * r, y + r);
      cairo_close_path (cr);
    }
  else
    cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  weir_set_source (cr, pen->palette->background);
  cairo_set_line_width (cr, r * 0.4);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke_preserve (cr);
  weir_set_source (cr, get_problem_color (pen->palette, marks));
  cairo_fill (cr);

  weir_set_source (cr, pen->palette->on_mark);
  cairo_set_line_width (cr, r * 0.3);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_move_to (cr, x, y + (marks & (WEIR_MARK_ERROR | WEIR_MARK_WARNING) ? -0.5 : -0.05) * r);
  cairo_line_to (cr, x, y + (marks & (WEIR_MARK_ERROR | WEIR_MARK_WARNING) ? 0.15 : 0.55) * r);
  cairo_stroke (cr);
  cairo_arc (cr, x, y + (marks & (WEIR_MARK_ERROR | WEIR_MARK_WARNING) ? 0.58 : -0.5) * r, r * 0.16,
             0, 2 * G_PI);
  cairo_fill (cr);
}

static void
draw_block (WeirPen *pen, const WeirBlockShape *shape, guint marks)
{
  cairo_t *cr = pen->cr;
  const WeirPalette *palette = pen->palette;
  WeirColor stroke = marks & WEIR_MARK_SELECTED ? palette->selection
                     : marks & WEIR_MARK_HOVER ? palette->hover : palette->stroke;

  if (pen->scale < GLYPH_SCALE)
    {
      cairo_rectangle (cr, shape->box.x, shape->box.y, shape->box.width, shape->box.height);
      weir_set_source (cr, marks & WEIR_MARK_SELECTED ? palette->selection : palette->fill);
      cairo_fill_preserve (cr);
      weir_set_source (cr, stroke);
      cairo_set_line_width (cr, get_width (1, pen->scale, palette));
      cairo_stroke (cr);
      return;
    }
  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER))
    {
      weir_outline_path (cr, shape);
      weir_set_source_alpha (cr, stroke, marks & WEIR_MARK_SELECTED ? 0.3 : 0.2);
      cairo_set_line_width (cr, get_width (7, pen->scale, palette));
      cairo_stroke (cr);
    }
  if (marks & WEIR_MARK_FOCUS)
    {
      WeirRect ring = weir_rect_grow (shape->box, 4);

      cairo_rectangle (cr, ring.x, ring.y, ring.width, ring.height);
      weir_set_source (cr, palette->selection);
      cairo_set_line_width (cr, get_width (1.2, pen->scale, palette));
      cairo_set_dash (cr, (const double[]) { 3, 3 }, 2, 0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  weir_outline_path (cr, shape);
  weir_set_source (cr, palette->fill);
  cairo_fill_preserve (cr);
  weir_set_source (cr, shape->type == NULL ? palette->error : stroke);
  cairo_set_line_width (cr, get_width (marks & WEIR_MARK_SELECTED ? 1.8 : 1.3, pen->scale, palette));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  if (shape->type == NULL)
    cairo_set_dash (cr, (const double[]) { 5, 3 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  weir_glyph_draw (pen, shape);
}

/* --- Notes and the whole ----------------------------------------------------------------------- */

typedef struct {
  WeirPen *pen;
  const WeirDiagramStyle *style;
} NoteDrawing;

static gboolean
draw_note (WeirNote *note, gpointer data)
{
  NoteDrawing *drawing = data;
  WeirRect box = weir_scene_get_note_box (note);

  if (!is_visible (drawing->style, box))
    return TRUE;
  weir_set_source (drawing->pen->cr, drawing->style->palette->dim_text);
  weir_pen_text (drawing->pen, weir_note_get_text (note), 12, box.x, box.y, 0, 0, 0);
  return TRUE;
}

void
weir_diagram_draw (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  WeirPen pen;
  WeirRect area = style->clip.width > 0 ? style->clip
                                        : weir_rect_grow (weir_scene_get_reach (scene), 20);

  cairo_save (cr);
  if (style->show_background)
    {
      cairo_rectangle (cr, area.x, area.y, area.width, area.height);
      weir_set_source (cr, style->palette->background);
      cairo_fill (cr);
    }
  if (style->show_grid)
    weir_draw_grid (cr, area, style->scale, style->palette);

  weir_pen_init (&pen, cr, style->palette, style->scale);
  if (style->scale >= TEXT_SCALE)
    weir_diagram_foreach_note (weir_scene_get_diagram (scene), draw_note,
                               &(NoteDrawing) { &pen, style });
  draw_wires (scene, cr, style);
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);

      if (!is_visible (style, shape->reach))
        continue;
      draw_block (&pen, shape, get_marks (style, weir_block_get_id (shape->block)));
      if (style->scale >= TEXT_SCALE)
        draw_name (&pen, shape);
      if (style->show_ports && style->scale >= GLYPH_SCALE)
        draw_free_ports (scene, cr, shape, style);
    }
  for (guint i = 0; style->marks != NULL && i < weir_scene_get_n_blocks (scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (scene, i);
      guint marks = get_marks (style, weir_block_get_id (shape->block));

      if ((marks & PROBLEM_MARKS) && is_visible (style, shape->reach))
        draw_problem (&pen, shape, marks);
    }
  weir_pen_clear (&pen);
  cairo_restore (cr);
}

void
weir_draw_label (cairo_t *cr, const char *text, WeirPoint position, WeirRect area, double scale,
                 const WeirPalette *palette)
{
  WeirPen pen;
  double size = 12 / scale, pad = 6 / scale;
  WeirRect box;

  cairo_save (cr);
  weir_pen_init (&pen, cr, palette, scale);
  box = (WeirRect) { position.x, position.y,
                     weir_pen_get_text_width (&pen, text, size) + 2 * pad, size * 1.4 + 2 * pad };
  box.x = MAX (MIN (box.x, area.x + area.width - box.width), area.x);
  box.y = MAX (MIN (box.y, area.y + area.height - box.height), area.y);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  weir_set_source (cr, palette->text);
  cairo_fill (cr);
  weir_set_source (cr, palette->background);
  weir_pen_text (&pen, text, size, box.x + pad, box.y + box.height / 2, 0, 0.5, 0);
  weir_pen_clear (&pen);
  cairo_restore (cr);
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
  draw_block (&pen, shape, 0);
  weir_pen_clear (&pen);
  cairo_restore (cr);
}
