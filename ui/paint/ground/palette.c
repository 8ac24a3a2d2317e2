/* The colours of everything drawn. See palette.h.
 *
 * Curve colours keep a contrast of at least 3 : 1 to their background and differ from each other in
 * all sets; the test measures both.
 */
#include "paint/ground/palette.h"

/* An initializer, which the formatter takes for a block. */
/* clang-format off */
#define RGB(hex)                                                                                   \
  { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex) & 255) / 255.0, 1.0 }
/* clang-format on */

static const WeirPalette palettes[WEIR_N_PALETTES] = {
  [WEIR_PALETTE_LIGHT] = {
    .background = RGB (0xffffff),
    .grid = RGB (0xc9c7c3),
    .text = RGB (0x241f31),
    .dim_text = RGB (0x5e5c64),
    .fill = RGB (0xf8f7f5),
    .stroke = RGB (0x3d3846),
    .glyph = RGB (0x3d3846),
    .wire = RGB (0x3d3846),
    .port = RGB (0x5e5c64),
    .hover = RGB (0x62a0ea),
    .selection = RGB (0x1c71d8),
    .candidate = RGB (0x26852f),
    .illegal = RGB (0xb5b3af),
    .error = RGB (0xc01c28),
    .warning = RGB (0xc64600),
    .hint = RGB (0x1a5fb4),
    .on_mark = RGB (0xffffff),
    .curves = {
      RGB (0x1c71d8), RGB (0xd45500), RGB (0x26852f), RGB (0xc01c28), RGB (0x813d9c),
      RGB (0x865e3c), RGB (0x00808f), RGB (0xd6409f), RGB (0x5e5c64), RGB (0x9a7700),
    },
    .states = {
      RGB (0x777777), RGB (0x009e73), RGB (0xc77f00), RGB (0x2a8fcf), RGB (0xb0578a),
      RGB (0x0072b2), RGB (0xd55e00),
    },
    .line_width = 1.0,
  },
  [WEIR_PALETTE_DARK] = {
    .background = RGB (0x1e1e20),
    .grid = RGB (0x48464c),
    .text = RGB (0xf6f5f4),
    .dim_text = RGB (0xb5b3b9),
    .fill = RGB (0x343338),
    .stroke = RGB (0xc9c7cf),
    .glyph = RGB (0xe4e2e8),
    .wire = RGB (0xd3d1d9),
    .port = RGB (0xb5b3b9),
    .hover = RGB (0x78aeed),
    .selection = RGB (0x62a0ea),
    .candidate = RGB (0x57e389),
    .illegal = RGB (0x6a686f),
    .error = RGB (0xff7b63),
    .warning = RGB (0xffa348),
    .hint = RGB (0x99c1f1),
    .on_mark = RGB (0x1e1e20),
    .curves = {
      RGB (0x62a0ea), RGB (0xffa348), RGB (0x5bd778), RGB (0xff6b5b), RGB (0xc58af9),
      RGB (0xc59a76), RGB (0x4fd2e6), RGB (0xff8fd0), RGB (0xc0bfbc), RGB (0xf8e45c),
    },
    .states = {
      RGB (0xa5a3a9), RGB (0x2fc49a), RGB (0xf0ad1e), RGB (0x6cc3f2), RGB (0xdd92bd),
      RGB (0x5aa9e6), RGB (0xff7a3c),
    },
    .line_width = 1.0,
  },
  [WEIR_PALETTE_HIGH_CONTRAST] = {
    .background = RGB (0xffffff),
    .grid = RGB (0x8a8a8a),
    .text = RGB (0x000000),
    .dim_text = RGB (0x1e1e1e),
    .fill = RGB (0xffffff),
    .stroke = RGB (0x000000),
    .glyph = RGB (0x000000),
    .wire = RGB (0x000000),
    .port = RGB (0x000000),
    .hover = RGB (0x0050c8),
    .selection = RGB (0x0038b8),
    .candidate = RGB (0x00591b),
    .illegal = RGB (0x8c8c8c),
    .error = RGB (0xa00010),
    .warning = RGB (0x8a3000),
    .hint = RGB (0x0038b8),
    .on_mark = RGB (0xffffff),
    .curves = {
      RGB (0x0038b8), RGB (0xa84300), RGB (0x005c12), RGB (0xa00010), RGB (0x5b1a80),
      RGB (0x5c3b1c), RGB (0x006270), RGB (0xb00070), RGB (0x303030), RGB (0x705600),
    },
    .states = {
      RGB (0x4a4a4a), RGB (0x00654a), RGB (0x8a5500), RGB (0x00569b), RGB (0x80306a),
      RGB (0x004a80), RGB (0xa03c00),
    },
    .line_width = 1.6,
    .kept = 0.3,
  },
  [WEIR_PALETTE_HIGH_CONTRAST_DARK] = {
    .background = RGB (0x000000),
    .grid = RGB (0x7a7a7a),
    .text = RGB (0xffffff),
    .dim_text = RGB (0xececec),
    .fill = RGB (0x000000),
    .stroke = RGB (0xffffff),
    .glyph = RGB (0xffffff),
    .wire = RGB (0xffffff),
    .port = RGB (0xffffff),
    .hover = RGB (0x8cc4ff),
    .selection = RGB (0x9dcbff),
    .candidate = RGB (0x7dff9b),
    .illegal = RGB (0x8a8a8a),
    .error = RGB (0xff9482),
    .warning = RGB (0xffc266),
    .hint = RGB (0xb9d9ff),
    .on_mark = RGB (0x000000),
    .curves = {
      RGB (0x8cc4ff), RGB (0xffb870), RGB (0x7dff9b), RGB (0xff9482), RGB (0xd9b0ff),
      RGB (0xe0bd9c), RGB (0x74e8fa), RGB (0xffb0e0), RGB (0xe8e8e8), RGB (0xfff07a),
    },
    .states = {
      RGB (0xd0d0d0), RGB (0x5ef0c4), RGB (0xffc648), RGB (0x8ad4ff), RGB (0xf7b6dc),
      RGB (0x8cc8ff), RGB (0xffa478),
    },
    .line_width = 1.6,
    .kept = 0.3,
  },
};

const WeirPalette *
weir_palette_get (WeirPaletteKind kind)
{
  g_return_val_if_fail (kind < WEIR_N_PALETTES, &palettes[WEIR_PALETTE_LIGHT]);
  return &palettes[kind];
}

const WeirPalette *
weir_palette_find (gboolean dark, gboolean high_contrast)
{
  if (high_contrast)
    return &palettes[dark ? WEIR_PALETTE_HIGH_CONTRAST_DARK : WEIR_PALETTE_HIGH_CONTRAST];
  return &palettes[dark ? WEIR_PALETTE_DARK : WEIR_PALETTE_LIGHT];
}

void
weir_set_source (cairo_t *cr, WeirColor color)
{
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
}

void
weir_set_source_alpha (cairo_t *cr, WeirColor color, double alpha)
{
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a * alpha);
}
