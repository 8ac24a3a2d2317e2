/* Drawing a scene. See diagram.h.
 *
 * Order: background and grid, frames, wires, junctions, blocks, notes and labels, marks; so a wire
 * never covers a block and a mark is never covered.
 */
#include "paint/drawing/diagram.h"
#include "paint/text/typeset.h"

#include <math.h>

#define GRID_MIN_PIXELS 7.0
#define FRAME_RADIUS 6.0

/* --- Grid ------------------------------------------------------------------------------------ */

static void
draw_grid (cairo_t *cr, WeirRect area, double scale, const WeirPalette *palette)
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

/* --- Notes and frames ------------------------------------------------------------------------ */

typedef struct {
  WeirPen *pen;
  const WeirDiagramStyle *style;
  gboolean frames; /* those, or the others */
} NoteDrawing;

static void
draw_frame (const NoteDrawing *drawing, WeirNote *note, WeirRect box, guint marks)
{
  cairo_t *cr = drawing->pen->cr;
  const WeirPalette *palette = drawing->style->palette;
  WeirColor color = weir_palette_get_tint (palette, weir_note_get_tint (note), palette->dim_text);

  weir_rounded_path (cr, box, FRAME_RADIUS);
  weir_set_source_alpha (cr, color, 0.08);
  cairo_fill_preserve (cr);
  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER))
    weir_set_source (cr, marks & WEIR_MARK_SELECTED ? palette->selection : palette->hover);
  else
    weir_set_source_alpha (cr, color, 0.7);
  cairo_set_line_width (cr, weir_style_get_width (marks & WEIR_MARK_SELECTED ? 1.8 : 1.2,
                                                  drawing->style->scale, palette));
  cairo_stroke (cr);
  if (drawing->style->scale < WEIR_TEXT_SCALE)
    return;
  weir_set_source (cr, weir_color_mix (palette->text, color, 0.6));
  weir_pen_text (drawing->pen, weir_note_get_text (note), WEIR_NOTE_TEXT_SIZE, box.x + 8,
                 box.y + WEIR_FRAME_TITLE_HEIGHT / 2, 0, 0.5, box.width - 16);
}

static void
draw_text (const NoteDrawing *drawing, WeirNote *note, WeirRect box, guint marks)
{
  cairo_t *cr = drawing->pen->cr;
  const WeirPalette *palette = drawing->style->palette;
  WeirTint tint = weir_note_get_tint (note);
  WeirRect paper = weir_rect_grow (box, 5);

  if (tint != WEIR_TINT_NONE)
    {
      weir_rounded_path (cr, paper, 4);
      weir_set_source (cr,
                       weir_color_mix (palette->background,
                                       weir_palette_get_tint (palette, tint, palette->text), 0.2));
      cairo_fill (cr);
    }
  if (marks & (WEIR_MARK_SELECTED | WEIR_MARK_HOVER))
    {
      weir_rounded_path (cr, paper, 4);
      weir_set_source (cr, marks & WEIR_MARK_SELECTED ? palette->selection : palette->hover);
      cairo_set_line_width (cr, weir_style_get_width (1.2, drawing->style->scale, palette));
      cairo_stroke (cr);
    }
  if (drawing->style->scale < WEIR_TEXT_SCALE)
    return;
  weir_set_source (cr, tint != WEIR_TINT_NONE ? palette->text : palette->dim_text);
  weir_typeset_draw (weir_typeset_get (weir_note_get_text (note), WEIR_NOTE_TEXT_SIZE),
                     drawing->pen, box.x, box.y);
}

static gboolean
draw_note (WeirNote *note, gpointer data)
{
  NoteDrawing *drawing = data;
  WeirRect box = weir_scene_get_note_box (note);
  guint marks = weir_style_get_marks (drawing->style, weir_note_get_id (note));

  if (weir_note_is_frame (note) != drawing->frames || !weir_style_is_visible (drawing->style, box))
    return TRUE;
  if (drawing->frames)
    draw_frame (drawing, note, box, marks);
  else
    draw_text (drawing, note, box, marks);
  return TRUE;
}

/* --- The whole ------------------------------------------------------------------------------- */

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
    draw_grid (cr, area, style->scale, style->palette);

  weir_pen_init (&pen, cr, style->palette, style->scale);
  weir_diagram_foreach_note (weir_scene_get_diagram (scene), draw_note,
                             &(NoteDrawing) { &pen, style, TRUE });
  if (!style->hide_wires)
    weir_draw_wires (scene, cr, style);
  if (style->flows != NULL)
    weir_draw_powers (scene, &pen, style);
  weir_draw_blocks (scene, &pen, style);
  weir_diagram_foreach_note (weir_scene_get_diagram (scene), draw_note,
                             &(NoteDrawing) { &pen, style, FALSE });
  if (style->overlay != NULL)
    weir_overlay_draw_badges (style->overlay, scene, &pen, style->clip);
  if (style->overlay != NULL && style->overlay->has_beat)
    weir_overlay_draw_beat (style->overlay, scene, &pen, style->clip);
  if (style->scale >= WEIR_GLYPH_SCALE && !style->hide_wires)
    weir_draw_analysis_points (scene, cr, style);
  if (style->scale >= WEIR_TEXT_SCALE && style->show_labels)
    weir_draw_wire_labels (scene, &pen, style);
  if (style->scale >= WEIR_TEXT_SCALE && style->values != NULL)
    weir_draw_values (scene, &pen, style);
  if (style->scale >= WEIR_TEXT_SCALE && style->flows != NULL)
    weir_draw_flows (scene, &pen, style);
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
  box = (WeirRect) { position.x, position.y, weir_pen_get_text_width (&pen, text, size) + 2 * pad,
                     size * 1.4 + 2 * pad };
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
