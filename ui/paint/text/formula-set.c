/* Setting formulas: where each letter, rule and sign goes.
 *
 * Each part is set with its baseline's left end at the origin and appends its ink; whoever puts it
 * somewhere moves the ink from the place where the part began. Boxes come from the ink of the
 * letters, so that fractions and scripts lie close whatever the font; the signs that grow (roots,
 * brackets) are drawn.
 */
#include "paint/text/formula-private.h"

#include <math.h>
#include <string.h>

#define FONT "Serif" /* of formulas; WEIR_FONT is that of texts */
#define SMALLEST 6.0 /* scripts get no smaller */
#define SCRIPT 0.72  /* of the size of what they belong to */
#define CLEAR 0.12   /* ems between a fraction's bar and what is above and below */

typedef struct {
  PangoLayout *layout;
  GArray *inks;
} Setter;

static WeirExtent set_node (Setter *setter, const WeirFormula *node, double size);

/* --- Measures -------------------------------------------------------------------------------- */

typedef struct {
  double left, right, advance, ascent, descent; /* of the ink, but the advance */
} TextExtent;

void
weir_ink_set_font (PangoLayout *layout, WeirFace face, double size)
{
  PangoFontDescription *font = pango_font_description_new ();

  pango_font_description_set_family_static (font, face == WEIR_FACE_TEXT ? WEIR_FONT : FONT);
  if (face == WEIR_FACE_ITALIC)
    pango_font_description_set_style (font, PANGO_STYLE_ITALIC);
  if (face == WEIR_FACE_BOLD)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
}

static TextExtent
measure (Setter *setter, const char *text, WeirFace face, double size)
{
  PangoRectangle ink, logical;

  weir_ink_set_font (setter->layout, face, size);
  pango_layout_set_text (setter->layout, text, -1);
  pango_layout_line_get_extents (pango_layout_get_line_readonly (setter->layout, 0), &ink,
                                 &logical);
  return (TextExtent) { (double) ink.x / PANGO_SCALE, (double) (ink.x + ink.width) / PANGO_SCALE,
                        (double) logical.width / PANGO_SCALE, (double) -ink.y / PANGO_SCALE,
                        (double) (ink.y + ink.height) / PANGO_SCALE };
}

/* Where the bars of fractions lie, above the baseline. */
static double
get_axis (Setter *setter, double size)
{
  TextExtent plus = measure (setter, "+", WEIR_FACE_ROMAN, size);

  return (plus.ascent - plus.descent) / 2;
}

static double
get_script_size (double size)
{
  return MAX (size * SCRIPT, MIN (size, SMALLEST));
}

/* --- Ink ------------------------------------------------------------------------------------- */

static void
add_ink (Setter *setter, WeirInk ink)
{
  g_array_append_val (setter->inks, ink);
}

static void
shift (Setter *setter, guint from, guint end, double dx, double dy)
{
  for (guint i = from; i < end; i++)
    {
      WeirInk *ink = &g_array_index (setter->inks, WeirInk, i);

      ink->x += dx;
      ink->y += dy;
    }
}

/* --- Letters --------------------------------------------------------------------------------- */

static WeirExtent
set_symbol (Setter *setter, const WeirFormula *node, double size)
{
  gboolean is_large = node->class == WEIR_CLASS_LARGE;
  double font_size = is_large ? 1.5 * size : size;
  TextExtent text = measure (setter, node->text, node->face, font_size);
  double x = MAX (0, -text.left), y = 0;

  if (is_large)
    y = (text.ascent - text.descent) / 2 - get_axis (setter, size);
  add_ink (setter,
           (WeirInk) { WEIR_INK_TEXT, node->face, x, y, 0, 0, font_size, g_strdup (node->text) });
  /* Slanted letters lean over their advance: room for it, so that nothing touches them. */
  return (WeirExtent) { x + MAX (text.advance, text.right), MAX (text.ascent - y, 0),
                        MAX (text.descent + y, 0) };
}

/* --- Rows ------------------------------------------------------------------------------------ */

static WeirFormulaClass
get_class (const WeirFormula *node)
{
  if (node->kind == WEIR_FORMULA_SYMBOL || node->kind == WEIR_FORMULA_SCRIPTS)
    return node->class;
  return WEIR_CLASS_ORDINARY;
}

/* A sign between nothing and something, or after another sign, is no operation. */
static gboolean
is_prefix (const WeirFormula *before)
{
  WeirFormulaClass class = before != NULL ? get_class (before) : WEIR_CLASS_OPEN;

  return class == WEIR_CLASS_OPEN || class == WEIR_CLASS_BINARY || class == WEIR_CLASS_RELATION
         || class == WEIR_CLASS_COMMA || class == WEIR_CLASS_FUNCTION || class == WEIR_CLASS_LARGE;
}

static double
get_space (WeirFormulaClass before, WeirFormulaClass after)
{
  if (before == WEIR_CLASS_RELATION || after == WEIR_CLASS_RELATION)
    return before == after ? 0 : 0.28;
  if (before == WEIR_CLASS_BINARY || after == WEIR_CLASS_BINARY)
    return 0.22;
  if (before == WEIR_CLASS_COMMA)
    return 0.2;
  if (before == WEIR_CLASS_LARGE || after == WEIR_CLASS_LARGE)
    return 0.17;
  if (before == WEIR_CLASS_FUNCTION)
    return after == WEIR_CLASS_OPEN ? 0 : 0.2;
  if (after == WEIR_CLASS_FUNCTION)
    return before == WEIR_CLASS_OPEN ? 0 : 0.2;
  return 0;
}

static WeirExtent
set_row (Setter *setter, const WeirFormula *row, double size)
{
  WeirExtent extent = { 0, 0, 0 };
  const WeirFormula *before = NULL;
  WeirFormulaClass class_before = WEIR_CLASS_OPEN;

  for (guint i = 0; i < row->children->len; i++)
    {
      const WeirFormula *node = row->children->pdata[i];
      WeirFormulaClass class = get_class (node);
      guint from = setter->inks->len;
      WeirExtent part;

      if (node->kind == WEIR_FORMULA_SPACE)
        {
          extent.width = MAX (0, extent.width + node->width * size);
          continue;
        }
      if (class == WEIR_CLASS_BINARY && is_prefix (before))
        class = WEIR_CLASS_ORDINARY;
      if (i > 0 && before != NULL)
        extent.width += get_space (class_before, class) * size;
      part = set_node (setter, node, size);
      shift (setter, from, setter->inks->len, extent.width, 0);
      extent.ascent = MAX (extent.ascent, part.ascent);
      extent.descent = MAX (extent.descent, part.descent);
      extent.width += part.width;
      before = node;
      class_before = class;
    }
  return extent;
}

/* --- Scripts --------------------------------------------------------------------------------- */

/* Below and above the base, in its middle: as a sum has them. */
static WeirExtent
set_limits (Setter *setter, const WeirFormula *node, double size)
{
  const WeirFormula *parts[3] = { node->children->pdata[0], node->children->pdata[1],
                                  node->children->pdata[2] };
  double small = get_script_size (size), gap = 0.16 * size;
  WeirExtent extents[3] = { { 0, 0, 0 } }, all;
  guint from[4];

  for (guint i = 0; i < 3; i++)
    {
      from[i] = setter->inks->len;
      if (parts[i] != NULL)
        extents[i] = set_node (setter, parts[i], i == 0 ? size : small);
    }
  from[3] = setter->inks->len;
  all = extents[0];
  all.width = MAX (MAX (extents[0].width, extents[1].width), extents[2].width);
  for (guint i = 0; i < 3; i++)
    shift (setter, from[i], from[i + 1], (all.width - extents[i].width) / 2, 0);
  if (parts[1] != NULL)
    {
      shift (setter, from[1], from[2], 0, all.descent + gap + extents[1].ascent);
      all.descent += gap + extents[1].ascent + extents[1].descent;
    }
  if (parts[2] != NULL)
    {
      shift (setter, from[2], from[3], 0, -(all.ascent + gap + extents[2].descent));
      all.ascent += gap + extents[2].descent + extents[2].ascent;
    }
  return all;
}

static WeirExtent
set_scripts (Setter *setter, const WeirFormula *node, double size)
{
  const WeirFormula *base = node->children->pdata[0], *below = node->children->pdata[1],
                    *above = node->children->pdata[2];
  double small = get_script_size (size), em = measure (setter, "x", WEIR_FACE_ITALIC, size).ascent;
  WeirExtent extent, low = { 0, 0, 0 }, high = { 0, 0, 0 };
  double drop = 0, rise = 0;
  /* Primes are raised letters anyway. */
  gboolean is_raised = above != NULL && above->text != NULL && g_str_has_prefix (above->text, "′");
  guint from_low, from_high;

  if (base->limits)
    return set_limits (setter, node, size);
  extent = set_node (setter, base, size);
  from_low = setter->inks->len;
  if (below != NULL)
    low = set_node (setter, below, small);
  from_high = setter->inks->len;
  if (above != NULL)
    high = set_node (setter, above, is_raised ? size : small);
  if (below != NULL)
    drop = MAX (0.3 * em, extent.descent - 0.05 * size) + MAX (0, low.ascent - 0.85 * em);
  if (above != NULL && !is_raised)
    rise = MAX (0.72 * em, extent.ascent - 0.55 * em) + high.descent;
  if (below != NULL && above != NULL && !is_raised)
    {
      double missing = 0.14 * size - ((rise - high.descent) - (low.ascent - drop));

      if (missing > 0)
        {
          rise += missing / 2;
          drop += missing / 2;
        }
    }
  shift (setter, from_low, from_high, extent.width + 0.04 * size, drop);
  shift (setter, from_high, setter->inks->len, extent.width + 0.04 * size, -rise);
  extent.width += 0.06 * size + MAX (low.width, high.width);
  extent.ascent = MAX (extent.ascent, MAX (rise + high.ascent, low.ascent - drop));
  extent.descent = MAX (extent.descent, MAX (drop + low.descent, high.descent - rise));
  return extent;
}

/* --- Fractions, roots, accents --------------------------------------------------------------- */

static WeirExtent
set_fraction (Setter *setter, const WeirFormula *node, double size)
{
  double inner = MAX (0.88 * size, MIN (size, SMALLEST)), axis = get_axis (setter, size);
  double bar = 0.055 * size, clear = CLEAR * size, pad = 0.12 * size;
  guint from_above = setter->inks->len, from_below;
  WeirExtent above = set_node (setter, node->children->pdata[0], inner), below;
  double width;

  from_below = setter->inks->len;
  below = set_node (setter, node->children->pdata[1], inner);
  width = MAX (above.width, below.width) + 2 * pad;
  shift (setter, from_above, from_below, (width - above.width) / 2,
         -axis - bar / 2 - clear - above.descent);
  shift (setter, from_below, setter->inks->len, (width - below.width) / 2,
         -axis + bar / 2 + clear + below.ascent);
  add_ink (setter, (WeirInk) { .kind = WEIR_INK_RULE,
                               .x = 0.04 * size,
                               .y = -axis - bar / 2,
                               .width = width - 0.08 * size,
                               .height = bar });
  return (WeirExtent) { width, axis + bar / 2 + clear + above.descent + above.ascent,
                        MAX (0, -axis + bar / 2 + clear + below.ascent + below.descent) };
}

static WeirExtent
set_root (Setter *setter, const WeirFormula *node, double size)
{
  guint from = setter->inks->len;
  WeirExtent body = set_node (setter, node->children->pdata[0], size), index = { 0, 0, 0 };
  double clear = 0.14 * size, bar = 0.055 * size, sign, left = 0, top, bottom;

  body.ascent = MAX (body.ascent, 0.5 * size);
  body.descent = MAX (body.descent, 0.05 * size);
  top = body.ascent + clear + bar;
  bottom = body.descent + 0.04 * size;
  sign = 0.55 * size + 0.06 * (top + bottom);
  if (node->children->pdata[1] != NULL)
    {
      guint first = setter->inks->len;
      double rise = (top - bottom) / 2 + 0.12 * size;

      /* In the angle of the sign; what is wider stands out to the left. */
      index = set_node (setter, node->children->pdata[1], MAX (0.6 * size, MIN (size, SMALLEST)));
      left = MAX (0, index.width - 0.36 * sign);
      shift (setter, first, setter->inks->len, left + 0.36 * sign - index.width, -rise);
      shift (setter, from, first, left + sign, 0);
      index.ascent += rise;
    }
  else
    shift (setter, from, setter->inks->len, sign, 0);
  add_ink (setter, (WeirInk) { .kind = WEIR_INK_ROOT,
                               .x = left,
                               .y = -top,
                               .width = sign,
                               .height = top + bottom,
                               .size = size });
  add_ink (setter, (WeirInk) { .kind = WEIR_INK_RULE,
                               .x = left + sign,
                               .y = -top,
                               .width = body.width + 0.08 * size,
                               .height = bar });
  return (WeirExtent) { left + sign + body.width + 0.12 * size,
                        MAX (top + 0.04 * size, index.ascent), bottom };
}

static WeirExtent
set_accent (Setter *setter, const WeirFormula *node, double size)
{
  const WeirFormula *what = node->children->pdata[0];
  WeirExtent body = set_node (setter, what, size);
  /* Slanted letters have their middle to the right, above. */
  gboolean leans = what->kind == WEIR_FORMULA_SYMBOL && what->face == WEIR_FACE_ITALIC;
  double middle = body.width / 2 + (leans ? 0.06 * size : 0), top = -body.ascent - 0.12 * size;
  double wide = MIN (MAX (body.width * 0.8, 0.35 * size), 0.6 * size), height = 0.16 * size;
  guint n_dots = strcmp (node->text, "dot") == 0     ? 1
                 : strcmp (node->text, "ddot") == 0  ? 2
                 : strcmp (node->text, "dddot") == 0 ? 3
                                                     : 0;
  WeirInk ink = { .kind = WEIR_INK_RULE,
                  .x = middle - wide / 2,
                  .y = top - height,
                  .width = wide,
                  .height = height,
                  .size = size };

  for (guint i = 0; i < n_dots; i++)
    add_ink (setter,
             (WeirInk) { .kind = WEIR_INK_DOT,
                         .x = middle + (i - (n_dots - 1) / 2.0) * 0.24 * size - 0.065 * size,
                         .y = top - 0.13 * size,
                         .width = 0.13 * size,
                         .height = 0.13 * size });
  if (n_dots == 0)
    {
      if (strcmp (node->text, "hat") == 0)
        ink.kind = WEIR_INK_HAT;
      else if (strcmp (node->text, "tilde") == 0)
        ink.kind = WEIR_INK_TILDE;
      else if (strcmp (node->text, "vec") == 0)
        ink.kind = WEIR_INK_ARROW;
      else
        {
          gboolean is_whole = strcmp (node->text, "overline") == 0;

          ink.x = is_whole ? 0.04 * size : ink.x;
          ink.width = is_whole ? MAX (0, body.width - 0.04 * size) : ink.width;
          ink.y = top - 0.03 * size;
          ink.height = 0.055 * size;
        }
      add_ink (setter, ink);
    }
  body.ascent += 0.12 * size + height;
  return body;
}

/* --- Fences and matrices --------------------------------------------------------------------- */

/* @reach: above and below the axis. */
static double
add_fence (Setter *setter, const char *fence, double x, double reach, double axis, double size)
{
  double width = strcmp (fence, "|") == 0 ? 0.2 : strcmp (fence, "‖") == 0 ? 0.32 : 0.3;

  if (fence[0] == '\0')
    return 0;
  width = width * size + 0.02 * reach;
  add_ink (setter, (WeirInk) { .kind = WEIR_INK_FENCE,
                               .x = x,
                               .y = -axis - reach,
                               .width = width,
                               .height = 2 * reach,
                               .size = size,
                               .text = g_strdup (fence) });
  return width;
}

static WeirExtent
set_fence (Setter *setter, const WeirFormula *node, double size)
{
  guint from = setter->inks->len, end;
  WeirExtent body = set_node (setter, node->children->pdata[0], size);
  double axis = get_axis (setter, size), left, right, gap = 0.04 * size;
  double reach = MAX (MAX (body.ascent - axis, body.descent + axis), 0.55 * size) + 0.06 * size;

  end = setter->inks->len;
  left = gap + add_fence (setter, node->text, gap, reach, axis, size);
  shift (setter, from, end, left + gap, 0);
  right = add_fence (setter, node->right, left + body.width + 2 * gap, reach, axis, size) + gap;
  return (WeirExtent) { left + body.width + 2 * gap + right, axis + reach, MAX (0, reach - axis) };
}

static WeirExtent
set_matrix (Setter *setter, const WeirFormula *node, double size)
{
  guint n_columns = node->n_columns, n_rows = node->children->len / n_columns;
  g_autofree double *widths = g_new0 (double, n_columns);
  g_autofree WeirExtent *cells = g_new0 (WeirExtent, node->children->len);
  g_autofree guint *starts = g_new0 (guint, node->children->len + 1);
  double gap_x = 0.8 * size, gap_y = 0.35 * size, y = 0, axis = get_axis (setter, size), width = 0;
  guint from = setter->inks->len;

  for (guint i = 0; i < node->children->len; i++)
    {
      starts[i] = setter->inks->len;
      if (node->children->pdata[i] != NULL)
        cells[i] = set_node (setter, node->children->pdata[i], size);
      widths[i % n_columns] = MAX (widths[i % n_columns], cells[i].width);
    }
  starts[node->children->len] = setter->inks->len;
  for (guint r = 0; r < n_rows; r++)
    {
      double ascent = 0.7 * size, descent = 0.1 * size, x = 0;

      for (guint c = 0; c < n_columns; c++)
        {
          ascent = MAX (ascent, cells[r * n_columns + c].ascent);
          descent = MAX (descent, cells[r * n_columns + c].descent);
        }
      y += ascent + (r > 0 ? gap_y : 0);
      for (guint c = 0; c < n_columns; c++)
        {
          guint cell = r * n_columns + c;

          shift (setter, starts[cell], starts[cell + 1], x + (widths[c] - cells[cell].width) / 2,
                 y);
          x += widths[c] + (c + 1 < n_columns ? gap_x : 0);
        }
      width = x;
      y += descent;
    }
  /* Its middle lies on the axis. */
  shift (setter, from, setter->inks->len, 0, -y / 2 - axis);
  return (WeirExtent) { width, y / 2 + axis, MAX (0, y / 2 - axis) };
}

/* --- All of them ----------------------------------------------------------------------------- */

static WeirExtent
set_node (Setter *setter, const WeirFormula *node, double size)
{
  switch (node->kind)
    {
    case WEIR_FORMULA_ROW:
      return set_row (setter, node, size);
    case WEIR_FORMULA_SYMBOL:
      return set_symbol (setter, node, size);
    case WEIR_FORMULA_FRACTION:
      return set_fraction (setter, node, size);
    case WEIR_FORMULA_ROOT:
      return set_root (setter, node, size);
    case WEIR_FORMULA_SCRIPTS:
      return set_scripts (setter, node, size);
    case WEIR_FORMULA_ACCENT:
      return set_accent (setter, node, size);
    case WEIR_FORMULA_FENCE:
      return set_fence (setter, node, size);
    case WEIR_FORMULA_MATRIX:
      return set_matrix (setter, node, size);
    case WEIR_FORMULA_SPACE:
    default:
      return (WeirExtent) { MAX (0, node->width * size), 0, 0 };
    }
}

WeirExtent
weir_formula_set (const WeirFormula *self, double size, PangoLayout *layout, GArray *inks)
{
  Setter setter = { layout, inks };

  return set_node (&setter, self, size);
}
