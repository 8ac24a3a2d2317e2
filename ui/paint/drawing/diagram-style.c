/* How a diagram is drawn: what can be seen, how wide lines are, colours of marks and tints. */
#include "paint/drawing/diagram.h"

void
weir_diagram_style_init (WeirDiagramStyle *style, const WeirPalette *palette)
{
  *style = (WeirDiagramStyle) {
    .palette = palette, .scale = 1, .show_background = TRUE, .show_ports = TRUE, .show_labels = TRUE
  };
}

guint
weir_style_get_marks (const WeirDiagramStyle *style, guint32 id)
{
  return style->marks == NULL
             ? 0
             : GPOINTER_TO_UINT (g_hash_table_lookup (style->marks, GUINT_TO_POINTER (id)));
}

#define SLACK 50.0 /* around a shape: signs, labels beside it */

gboolean
weir_style_is_visible (const WeirDiagramStyle *style, WeirRect reach)
{
  return style->clip.width <= 0 || weir_rect_intersects (style->clip, weir_rect_grow (reach, 10));
}

guint
weir_style_next_block (const WeirDiagramStyle *style, WeirScene *scene, guint i)
{
  return style->clip.width <= 0
             ? i
             : weir_scene_next_block (scene, i, weir_rect_grow (style->clip, SLACK));
}

guint
weir_style_next_wire (const WeirDiagramStyle *style, WeirScene *scene, guint i)
{
  return style->clip.width <= 0
             ? i
             : weir_scene_next_wire (scene, i, weir_rect_grow (style->clip, SLACK));
}

double
weir_style_get_width (double units, double scale, const WeirPalette *palette)
{
  return MAX (units, 0.9 / scale) * palette->line_width;
}

WeirColor
weir_palette_get_problem_color (const WeirPalette *palette, guint marks)
{
  return marks & WEIR_MARK_ERROR     ? palette->error
         : marks & WEIR_MARK_WARNING ? palette->warning
                                     : palette->hint;
}

WeirColor
weir_palette_get_tint (const WeirPalette *palette, WeirTint tint, WeirColor fallback)
{
  /* Those of the curves, which are told apart in all palettes. */
  static const guint8 curves[WEIR_N_TINTS] = { 0, 3, 1, 9, 2, 0, 4, 8 };

  return tint == WEIR_TINT_NONE ? fallback : palette->curves[curves[tint]];
}

WeirColor
weir_color_mix (WeirColor a, WeirColor b, double share)
{
  return (WeirColor) { a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share,
                       a.b + (b.b - a.b) * share, a.a };
}
