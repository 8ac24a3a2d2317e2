/* Formulas in notes: what the notation takes, what it refuses and how it says so, and where things
 * are set. Places are compared with each other, never with numbers, which fonts would change.
 *
 * WEIR_PICTURES=DIRECTORY also writes a sheet of formulas there, for looking at.
 */
#include <math.h>
#include <string.h>

#include "../seeds.h"
#include "../canvas/example.h"
#include "paint/drawing/diagram.h"
#include "paint/text/formula.h"
#include "paint/text/typeset.h"

#define SIZE 20.0

typedef struct {
  WeirExtent extent;
  GArray *inks;
} Set;

static void
clear_ink (gpointer ink)
{
  g_free (((WeirInk *) ink)->text);
}

static PangoLayout *
make_layout (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);

  g_object_unref (context);
  return layout;
}

static Set
set (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFormula) formula = weir_formula_parse (text, &error);
  g_autoptr (PangoLayout) layout = make_layout ();
  Set made = { .inks = g_array_new (FALSE, FALSE, sizeof (WeirInk)) };

  g_assert_no_error (error);
  g_array_set_clear_func (made.inks, clear_ink);
  made.extent = weir_formula_set (formula, SIZE, layout, made.inks);
  return made;
}

static const WeirInk *
find (const Set *made, const char *text)
{
  for (guint i = 0; i < made->inks->len; i++)
    {
      const WeirInk *ink = &g_array_index (made->inks, WeirInk, i);

      if (g_strcmp0 (ink->text, text) == 0)
        return ink;
    }
  g_error ("no ink \"%s\"", text);
}

static const WeirInk *
find_kind (const Set *made, WeirInkKind kind)
{
  for (guint i = 0; i < made->inks->len; i++)
    if (g_array_index (made->inks, WeirInk, i).kind == kind)
      return &g_array_index (made->inks, WeirInk, i);
  g_error ("no ink of kind %d", kind);
}

/* --- The notation ---------------------------------------------------------------------------- */

static void
test_refused (void)
{
  static const struct {
    const char *text, *part; /* of the sentence */
  } cases[] = {
    { "\\frac{1}", "\\frac{a}{b}" },
    { "\\frac", "missing after \"\\frac\"" },
    { "\\nosuch x", "\\nosuch is no sign" },
    { "{x", "opened and not closed" },
    { "x}", "closed that was not opened" },
    { "^2", "belongs to" },
    { "x_", "x_i" },
    { "\\dot", "\\dot x" },
    { "{x}_{a}_{b}", "two subscripts" },
    { "x^{a}^{b}", "two powers" },
    { "\\left( x", "needs its \\right" },
    { "x \\right)", "needs its \\left" },
    { "\\left x \\right)", "bracket" },
    { "a & b", "\\matrix" },
    { "\\matrix{a & b", "closing brace" },
    { "\\matrix a", "rows in braces" },
    { "\\sqrt[3", "ends with" },
    { "\\text x", "text in braces" },
    { "\\", "no sign" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirFormula) formula = weir_formula_parse (cases[i].text, &error);

      g_assert_null (formula);
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
      if (strstr (error->message, cases[i].part) == NULL)
        g_error ("%s: \"%s\" does not say \"%s\"", cases[i].text, error->message, cases[i].part);
    }
}

static void
test_deep (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFormula) formula = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, i % 2 == 0 ? "{" : "\\sqrt");
  formula = weir_formula_parse (text->str, &error);
  g_assert_null (formula);
  g_assert_nonnull (strstr (error->message, "too deeply"));
}

/* Letters are slanted, digits and functions upright; signs that are typed become those that are
 * meant. */
static void
test_faces (void)
{
  Set made = set ("x_1 = 2 \\sin \\omega - y' <= \\mathbf{A} ... \\mathrm{ab} \\Delta");

  g_assert_cmpint (find (&made, "x")->face, ==, WEIR_FACE_ITALIC);
  g_assert_cmpint (find (&made, "1")->face, ==, WEIR_FACE_ROMAN);
  g_assert_cmpint (find (&made, "2")->face, ==, WEIR_FACE_ROMAN);
  g_assert_cmpint (find (&made, "sin")->face, ==, WEIR_FACE_ROMAN);
  g_assert_cmpint (find (&made, "ω")->face, ==, WEIR_FACE_ITALIC);
  g_assert_cmpint (find (&made, "A")->face, ==, WEIR_FACE_BOLD);
  g_assert_cmpint (find (&made, "ab")->face, ==, WEIR_FACE_ROMAN);
  g_assert_cmpint (find (&made, "Δ")->face, ==, WEIR_FACE_ROMAN);
  find (&made, "−");
  find (&made, "≤");
  find (&made, "…");
  find (&made, "′");
  g_array_unref (made.inks);
}

/* --- Places ---------------------------------------------------------------------------------- */

static void
test_scripts (void)
{
  Set made = set ("a_i^2 b");
  const WeirInk *a = find (&made, "a"), *i = find (&made, "i"), *two = find (&made, "2"),
                *b = find (&made, "b");

  g_assert_cmpfloat (i->size, <, a->size);
  g_assert_cmpfloat (two->y, <, a->y); /* above the baseline */
  g_assert_cmpfloat (i->y, >, a->y);
  g_assert_cmpfloat_with_epsilon (i->x, two->x, 2); /* one over the other */
  g_assert_cmpfloat (i->x, >, a->x);
  g_assert_cmpfloat (b->x, >, two->x);
  g_assert_cmpfloat_with_epsilon (b->y, a->y, 1e-9);
  g_array_unref (made.inks);
}

/* Smaller and smaller, but never too small to read. */
static void
test_script_sizes (void)
{
  Set made = set ("a^{b^{c^{d^{e^{f}}}}}");

  g_assert_cmpfloat (find (&made, "b")->size, <, find (&made, "a")->size);
  g_assert_cmpfloat (find (&made, "c")->size, <, find (&made, "b")->size);
  g_assert_cmpfloat (find (&made, "f")->size, >=, 6);
  g_assert_cmpfloat (find (&made, "f")->y, <, find (&made, "e")->y);
  g_array_unref (made.inks);
}

static void
test_fraction (void)
{
  Set made = set ("\\frac{a}{b + c} + d");
  const WeirInk *bar = find_kind (&made, WEIR_INK_RULE), *a = find (&made, "a"),
                *b = find (&made, "b"), *d = find (&made, "d");

  g_assert_cmpfloat (a->y, <, bar->y); /* its baseline above the bar */
  g_assert_cmpfloat (b->y, >, bar->y + bar->height + b->size / 3);
  g_assert_cmpfloat (bar->x, <=, b->x);
  g_assert_cmpfloat (bar->x + bar->width, >, find (&made, "c")->x);
  g_assert_cmpfloat (d->x, >, bar->x + bar->width);
  /* In the middle above. */
  g_assert_cmpfloat (a->x, >, bar->x + 0.3 * bar->width);
  g_assert_cmpfloat (a->x, <, bar->x + 0.6 * bar->width);
  /* The bar lies at the height of the plus sign's, between a line's middle and its baseline. */
  g_assert_cmpfloat (bar->y, <, d->y - 0.15 * SIZE);
  g_assert_cmpfloat (bar->y, >, d->y - 0.6 * SIZE);
  g_array_unref (made.inks);
}

static void
test_root (void)
{
  Set made = set ("\\sqrt[3]{x + 1}"), tall = set ("\\sqrt{\\frac{a}{b}}"),
      plain = set ("\\sqrt{x + 1}");
  const WeirInk *sign = find_kind (&made, WEIR_INK_ROOT), *bar = find_kind (&made, WEIR_INK_RULE);
  const WeirInk *x = find (&made, "x"), *three = find (&made, "3");

  g_assert_cmpfloat_with_epsilon (sign->x + sign->width, bar->x, 1e-9);
  g_assert_cmpfloat_with_epsilon (sign->y, bar->y, 1e-9);
  g_assert_cmpfloat (bar->x + bar->width, >=, find (&made, "1")->x);
  g_assert_cmpfloat (x->x, >=, bar->x - 1e-9);
  g_assert_cmpfloat (three->x, <, x->x);
  g_assert_cmpfloat (three->y, <, x->y);
  g_assert_cmpfloat (find_kind (&tall, WEIR_INK_ROOT)->height, >,
                     find_kind (&plain, WEIR_INK_ROOT)->height);
  g_array_unref (made.inks);
  g_array_unref (tall.inks);
  g_array_unref (plain.inks);
}

static void
test_limits (void)
{
  Set sum = set ("\\sum_{i=1}^{n} x_i"), integral = set ("\\int_0^t x");
  const WeirInk *sign = find (&sum, "∑"), *n = find (&sum, "n");

  /* Of a sum below and above, of an integral beside it. */
  g_assert_cmpfloat (n->y, <, sign->y - sign->size / 2);
  g_assert_cmpfloat (find (&sum, "1")->y, >, sign->y + 0.2 * SIZE);
  g_assert_cmpfloat (n->x, <, find (&sum, "x")->x);
  g_assert_cmpfloat (sign->size, >, n->size);
  g_assert_cmpfloat (find (&integral, "0")->x, >, find (&integral, "∫")->x + 0.2 * SIZE);
  g_assert_cmpfloat (find (&integral, "t")->y, <, find (&integral, "0")->y);
  g_array_unref (sum.inks);
  g_array_unref (integral.inks);
}

static void
test_fences_and_matrices (void)
{
  Set made = set ("\\left[ \\matrix{a & b \\\\ c & d \\\\ e} \\right]"),
      small = set ("\\left( x \\right)");
  const WeirInk *left = find (&made, "["), *right = find (&made, "]");

  g_assert_cmpfloat_with_epsilon (find (&made, "a")->y, find (&made, "b")->y, 1e-9);
  g_assert_cmpfloat_with_epsilon (find (&made, "c")->y, find (&made, "d")->y, 1e-9);
  g_assert_cmpfloat (find (&made, "c")->y, >, find (&made, "a")->y + SIZE);
  g_assert_cmpfloat (find (&made, "b")->x, >, find (&made, "a")->x + SIZE / 2);
  g_assert_cmpfloat (find (&made, "e")->x, <, find (&made, "b")->x);
  g_assert_cmpfloat (left->y, <, find (&made, "a")->y - SIZE / 3);
  g_assert_cmpfloat (left->y + left->height, >, find (&made, "e")->y);
  g_assert_cmpfloat (right->x, >, find (&made, "b")->x);
  g_assert_cmpfloat (find (&small, "(")->height, <, left->height / 2);
  g_array_unref (made.inks);
  g_array_unref (small.inks);
}

static void
test_accents (void)
{
  Set one = set ("\\dot x"), two = set ("\\ddot{x}"), plain = set ("x");
  guint n_dots = 0;

  for (guint i = 0; i < two.inks->len; i++)
    n_dots += g_array_index (two.inks, WeirInk, i).kind == WEIR_INK_DOT;
  g_assert_cmpuint (n_dots, ==, 2);
  g_assert_cmpfloat (one.extent.ascent, >, plain.extent.ascent);
  g_assert_cmpfloat_with_epsilon (one.extent.width, plain.extent.width, 1e-9);
  g_assert_cmpfloat (find_kind (&one, WEIR_INK_DOT)->y, <, -plain.extent.ascent);
  g_array_unref (one.inks);
  g_array_unref (two.inks);
  g_array_unref (plain.inks);
}

/* A minus between two things has room, a minus before one has none. */
static void
test_spaces (void)
{
  Set between = set ("a - b"), before = set ("-b"), b = set ("b");
  const WeirInk *minus = find (&between, "−");
  double alone = before.extent.width - b.extent.width;

  g_assert_cmpfloat (find (&between, "b")->x - minus->x, >, alone + 0.1 * SIZE);
  g_assert_cmpfloat_with_epsilon (find (&before, "b")->x, alone + find (&b, "b")->x, 1e-6);
  g_array_unref (between.inks);
  g_array_unref (before.inks);
  g_array_unref (b.inks);
}

/* --- Whatever is typed ----------------------------------------------------------------------- */

/* It is set, and all ink lies within the box, or it is refused with a sentence. */
static void
test_anything (void)
{
  static const char *const parts[] = {
    "x",         "2", "{",      "}",      "^",      "_",     "'",       " ",
    "+",         "-", "\\frac", "\\sqrt", "[",      "]",     "\\left(", "\\right)",
    "\\matrix{", "&", "\\\\",   "\\sum",  "\\int",  "\\dot", "\\vec",   "\\alpha",
    "\\text{",   "α", "ü",      "\\,",    "\\quad", "\\",    "\\bar",   "\\hat",
    "(",         ")", ",",      "=",      "\\lim",  "\\!",   "1.5"
  };
  g_autoptr (PangoLayout) layout = make_layout ();
  guint n_set = 0;

  get_test_seed (63);
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GArray) inks = g_array_new (FALSE, FALSE, sizeof (WeirInk));
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirFormula) formula = NULL;
      gint n = g_rand_int_range (test_rand, 1, 12);
      WeirExtent extent;

      g_array_set_clear_func (inks, clear_ink);
      for (gint k = 0; k < n; k++)
        g_string_append (text, parts[g_rand_int_range (test_rand, 0, G_N_ELEMENTS (parts))]);
      formula = weir_formula_parse (text->str, &error);
      g_assert_true ((formula == NULL) == (error != NULL));
      if (formula == NULL)
        {
          g_assert_cmpstr (error->message, !=, "");
          continue;
        }
      n_set++;
      extent = weir_formula_set (formula, SIZE, layout, inks);
      g_assert_true (isfinite (extent.width) && extent.width >= 0);
      g_assert_cmpfloat (extent.ascent, >=, 0);
      g_assert_cmpfloat (extent.descent, >=, 0);
      for (guint k = 0; k < inks->len; k++)
        {
          const WeirInk *ink = &g_array_index (inks, WeirInk, k);

          if (ink->kind != WEIR_INK_TEXT && ink->y < -extent.ascent - 0.5)
            g_error ("%s: ink %d at %g stands out of %g", text->str, ink->kind, ink->y,
                     extent.ascent);
          g_assert_cmpfloat (ink->x, <=, extent.width + 0.5 * SIZE);
        }
    }
  g_assert_cmpuint (n_set, >, 2000);
}

/* --- Notes ----------------------------------------------------------------------------------- */

static void
test_lines (void)
{
  g_autoptr (WeirTypeset) text = weir_typeset_new ("one\n$\\frac{a}{b}$ two\n\nfour", 12);
  g_autoptr (WeirTypeset) plain = weir_typeset_new ("one\ntwo\n\nfour", 12);
  g_autoptr (WeirTypeset) nothing = weir_typeset_new ("", 12);
  double top, baseline, next, before = 0;

  g_assert_cmpuint (weir_typeset_get_n_lines (text), ==, 4);
  g_assert_cmpuint (weir_typeset_get_n_lines (nothing), ==, 1);
  g_assert_cmpfloat (weir_typeset_get_width (nothing), ==, 0);
  g_assert_cmpfloat (weir_typeset_get_height (text), >, weir_typeset_get_height (plain));
  for (guint i = 0; i < 4; i++)
    {
      weir_typeset_get_line (text, i, &top, &baseline);
      g_assert_cmpfloat (baseline, >, top);
      if (i > 0)
        g_assert_cmpfloat (top, >, before);
      before = baseline;
    }
  weir_typeset_get_line (text, 1, &top, &baseline);
  weir_typeset_get_line (text, 2, &next, &baseline);
  g_assert_cmpfloat (next - top, >, 20); /* the line with the fraction is taller than one of text */
  g_assert_cmpfloat_with_epsilon (weir_typeset_get_height (plain), 4 * 18, 4);
}

/* Dollar signs that enclose nothing are signs; formulas that make no sense stand there as they were
 * typed. */
static void
test_plain_text (void)
{
  static const char *const same[][2] = { { "costs 5 $", "costs 5 \\$" },
                                         { "$$", "\\$\\$" },
                                         { "$\\nosuch$", "\\$\\nosuch\\$" },
                                         { "$x", "\\$x" } };
  g_autofree char *sentence = weir_typeset_check ("a $x^2$ and\n$\\frac{1}$");
  g_autofree char *fine = weir_typeset_check ("5 $ and $x$, \\$ and $\\sqrt{2}$");

  g_assert_nonnull (strstr (sentence, "\\frac"));
  g_assert_null (fine);
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_autoptr (WeirTypeset) a = weir_typeset_new (same[i][0], 12),
                              b = weir_typeset_new (same[i][1], 12);

      g_assert_cmpfloat_with_epsilon (weir_typeset_get_width (a), weir_typeset_get_width (b), 0.01);
    }
}

/* A note's box is what its text takes, and the text is drawn within. */
static void
test_note (void)
{
  g_autoptr (WeirNote)
      note = weir_note_new (7, (WeirPoint) { 40, 30 }, "$\\omega_n = \\sqrt{\\frac{k}{m}}$");
  WeirRect box = weir_scene_get_note_box (note);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 300, 150);
  cairo_t *cr = cairo_create (surface);
  WeirPen pen;
  guint inside = 0, outside = 0;

  weir_pen_init (&pen, cr, weir_palette_get (WEIR_PALETTE_LIGHT), 1);
  cairo_set_source_rgba (cr, 0, 0, 0, 1);
  weir_typeset_draw (weir_typeset_get (weir_note_get_text (note), WEIR_NOTE_TEXT_SIZE), &pen, box.x,
                     box.y);
  weir_pen_clear (&pen);
  cairo_surface_flush (surface);
  for (int y = 0; y < 150; y++)
    for (int x = 0; x < 300; x++)
      if (cairo_image_surface_get_data (surface)[y * cairo_image_surface_get_stride (surface) + x]
          > 60)
        {
          if (weir_rect_contains (weir_rect_grow (box, 1), (WeirPoint) { x + 0.5, y + 0.5 }))
            inside++;
          else
            outside++;
        }
  g_assert_cmpuint (inside, >, 100);
  g_assert_cmpuint (outside, ==, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* For looking at. */
static void
test_sheet (void)
{
  static const char *const text =
      "Mass on a spring: $m \\ddot x + c \\dot x + k x = F$, so $\\omega_n = "
      "\\sqrt{\\frac{k}{m}}$\n"
      "$\\zeta = \\frac{c}{2 \\sqrt{k m}} \\approx 0.1$, $x(t) = A e^{-\\zeta \\omega_n t} "
      "\\cos\\left( \\omega_d t + \\varphi \\right)$\n"
      "$G(s) = \\frac{K}{(J s + b)(L s + R) + K^2} = \\frac{\\sum_{i=0}^{m} b_i "
      "s^i}{\\prod_{k=1}^{n} (s - "
      "p_k)}$\n"
      "$\\left[ \\matrix{\\dot x_1 \\\\ \\dot x_2} \\right] = \\left[ \\matrix{0 & 1 \\\\ "
      "-\\frac{k}{m} & "
      "-\\frac{c}{m}} \\right] \\left[ \\matrix{x_1 \\\\ x_2} \\right]$\n"
      "$\\int_0^\\infty e^{-x^2} \\,dx = \\frac{\\sqrt{\\pi}}{2}$, $\\lim_{x \\to 0} \\frac{\\sin "
      "x}{x} = 1$, "
      "$\\sqrt[3]{1 + \\sqrt{x}}$\n"
      "$y' = f(t, y) \\ne 0$, $|x| <= \\left| \\frac{a}{b} \\right|$, $\\left\\{ x_i \\in A "
      "\\right\\}$, $\\hat "
      "x, \\bar{x}, \\tilde x, \\vec v, \\overline{ab}$\n"
      "$\\theta_0 = 90 \\degree$, $\\frac{\\partial f}{\\partial x} = \\nabla f \\cdot "
      "\\mathbf{e}$, $a \\pm b "
      "\\times c$, $\\left\\lfloor \\frac{x}{2} \\right\\rfloor$, $\\text{if } x > 0$\n"
      "An error stays as it is: $\\frac{1}$ and so does 5 $.";
  const char *folder = g_getenv ("WEIR_PICTURES");
  const WeirTypeset *set_text = weir_typeset_get (text, 12);
  g_autofree char *path = NULL;
  cairo_surface_t *surface;
  cairo_t *cr;
  WeirPen pen;

  g_assert_cmpfloat (weir_typeset_get_height (set_text), >, 8 * 18);
  if (folder == NULL)
    return;
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                        (int) (2 * weir_typeset_get_width (set_text)) + 60,
                                        (int) (2 * weir_typeset_get_height (set_text)) + 60);
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_scale (cr, 2, 2);
  cairo_set_source_rgb (cr, 0, 0, 0);
  weir_pen_init (&pen, cr, weir_palette_get (WEIR_PALETTE_LIGHT), 2);
  weir_typeset_draw (set_text, &pen, 15, 15);
  weir_pen_clear (&pen);
  path = g_build_filename (folder, "formulas.png", NULL);
  cairo_surface_write_to_png (surface, path);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/formula/refused", test_refused);
  g_test_add_func ("/paint/formula/deep", test_deep);
  g_test_add_func ("/paint/formula/faces", test_faces);
  g_test_add_func ("/paint/formula/scripts", test_scripts);
  g_test_add_func ("/paint/formula/script-sizes", test_script_sizes);
  g_test_add_func ("/paint/formula/fraction", test_fraction);
  g_test_add_func ("/paint/formula/root", test_root);
  g_test_add_func ("/paint/formula/limits", test_limits);
  g_test_add_func ("/paint/formula/fences-and-matrices", test_fences_and_matrices);
  g_test_add_func ("/paint/formula/accents", test_accents);
  g_test_add_func ("/paint/formula/spaces", test_spaces);
  g_test_add_func ("/paint/formula/anything", test_anything);
  g_test_add_func ("/paint/formula/lines", test_lines);
  g_test_add_func ("/paint/formula/plain-text", test_plain_text);
  g_test_add_func ("/paint/formula/note", test_note);
  g_test_add_func ("/paint/formula/sheet", test_sheet);
  return g_test_run ();
}
