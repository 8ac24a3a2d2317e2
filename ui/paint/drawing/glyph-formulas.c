/* Pictograms that are texts: formulas, fractions and the values of parameters. They follow what the
 * model says, so that a transfer function shows its polynomials and a comparison its threshold.
 */
#include "paint/drawing/glyph.h"

#include <math.h>
#include <string.h>

#include "blocks/library/registry.h"

#define MARGIN 8.0

static const char *
get_parameter (const WeirBlockShape *shape, const char *name)
{
  const char *text = weir_block_get_effective_parameter (shape->block, name);

  return text != NULL ? text : "?";
}

/* The largest size up to @largest at which @text fits in @width. */
static double
fit (WeirPen *pen, const char *text, double largest, double width)
{
  double taken = weir_pen_get_text_width (pen, text, largest);

  return taken > width ? MAX (0.96 * largest * width / taken, 7) : largest;
}

static void
draw_text (WeirPen *pen, const WeirBlockShape *shape, const char *text)
{
  WeirRect f = weir_glyph_has_port_labels (shape)
                   ? weir_glyph_get_field_between_labels (pen, shape, 1)
                   : weir_rect_grow (shape->box, -MARGIN / 2);
  WeirPoint c = weir_rect_get_center (f);
  double size = fit (pen, text, MIN (shape->box.height * 0.3, 18), f.width);

  weir_pen_text (pen, text, size, c.x, c.y, 0.5, 0.5, f.width);
}

static void
draw_fraction (WeirPen *pen, const WeirBlockShape *shape, const char *above, const char *below)
{
  WeirPoint c = weir_rect_get_center (shape->box);
  double width = shape->box.width - MARGIN;
  double largest = MIN (shape->box.width, shape->box.height) * 0.28;
  double size = MIN (fit (pen, above, largest, width), fit (pen, below, largest, width));
  double bar = MAX (weir_pen_get_text_width (pen, above, size),
                    weir_pen_get_text_width (pen, below, size));

  bar = MIN (MAX (bar, 1.2 * size), width);
  weir_pen_text (pen, above, size, c.x, c.y - 0.5, 0.5, 1, width);
  weir_pen_text (pen, below, size, c.x, c.y - 0.5, 0.5, 0, width);
  cairo_move_to (pen->cr, c.x - bar / 2, c.y);
  cairo_line_to (pen->cr, c.x + bar / 2, c.y);
  cairo_stroke (pen->cr);
}

/* --- Polynomials ----------------------------------------------------------------------------- */

static void
append_superscript (GString *text, guint n)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };

  if (n >= 10)
    append_superscript (text, n / 10);
  g_string_append (text, digits[n % 10]);
}

/* "[1, 0.4, 4]" in s: "s²+0.4s+4"; "?" for what is no vector. (transfer full) */
static char *
polynomial_to_string (const char *coefficients, const char *variable)
{
  guint n;
  g_autofree double *c = weir_value_parse (coefficients, &n, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; c != NULL && i < n; i++)
    {
      guint power = n - 1 - i;
      gboolean is_one = fabs (c[i]) == 1 && power > 0;

      if (c[i] == 0)
        continue;
      if (c[i] < 0)
        g_string_append (text, "−");
      else if (text->len > 0)
        g_string_append_c (text, '+');
      if (!is_one)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          g_string_append (text, g_ascii_formatd (number, sizeof number, "%.4g", fabs (c[i])));
        }
      if (power > 0)
        g_string_append (text, variable);
      if (power > 1)
        append_superscript (text, power);
    }
  if (text->len == 0)
    g_string_append (text, c == NULL ? "?" : "0");
  return g_string_free (text, FALSE);
}

static void
draw_transfer_function (WeirPen *pen, const WeirBlockShape *shape, const char *variable)
{
  g_autofree char *above = polynomial_to_string (get_parameter (shape, "numerator"), variable);
  g_autofree char *below = polynomial_to_string (get_parameter (shape, "denominator"), variable);

  draw_fraction (pen, shape, above, below);
}

/* --- Others ---------------------------------------------------------------------------------- */

/* An integral between two bars. */
static void
draw_limited_integrator (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.6);

  draw_fraction (pen, shape, "1", "s");
  cairo_move_to (pen->cr, f.x + f.width * 0.55, f.y);
  cairo_line_to (pen->cr, f.x + f.width, f.y);
  cairo_move_to (pen->cr, f.x, f.y + f.height);
  cairo_line_to (pen->cr, f.x + f.width * 0.45, f.y + f.height);
  cairo_stroke (pen->cr);
}

static void
draw_compare (WeirPen *pen, const WeirBlockShape *shape)
{
  static const struct {
    const char *relation, *sign;
  } signs[] = { { ">=", "≥" }, { ">", ">" }, { "<", "<" }, { "<=", "≤" } };
  const char *relation = get_parameter (shape, "relation"), *sign = "?";
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_equal (signs[i].relation, relation))
      sign = signs[i].sign;
  text = g_strdup_printf ("u %s %s", sign, get_parameter (shape, "threshold"));
  draw_text (pen, shape, text);
}

/* By the signs of IEC 60617; an inverting gate has a ring at its output. */
static void
draw_logic (WeirPen *pen, const WeirBlockShape *shape)
{
  static const struct {
    const char *operation, *sign;
    gboolean inverts;
  } signs[] = {
    { "and", "&", FALSE }, { "or", "≥1", FALSE }, { "xor", "=1", FALSE },
    { "nand", "&", TRUE }, { "nor", "≥1", TRUE }, { "not", "1", TRUE },
  };
  const char *operation = get_parameter (shape, "operation");

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_equal (signs[i].operation, operation))
      {
        draw_text (pen, shape, signs[i].sign);
        for (guint k = shape->n_inputs; k < shape->n_inputs + shape->n_outputs && signs[i].inverts;
             k++)
          {
            const WeirPortShape *port = &shape->ports[k];

            cairo_new_sub_path (pen->cr);
            cairo_arc (pen->cr, port->position.x - 5 * port->normal.x,
                       port->position.y - 5 * port->normal.y, 3.5, 0, 2 * G_PI);
            cairo_stroke (pen->cr);
          }
        return;
      }
  draw_text (pen, shape, "?");
}

static void
draw_function (WeirPen *pen, const WeirBlockShape *shape)
{
  static const struct {
    const char *function, *text;
  } texts[] = {
    { "exp", "eᵘ" },  { "log", "ln u" },  { "log10", "log u" },
    { "sqrt", "√u" }, { "square", "u²" }, { "reciprocal", "1/u" },
  };
  const char *function = get_parameter (shape, "function");
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (texts[i].function, function))
      {
        draw_text (pen, shape, texts[i].text);
        return;
      }
  text = g_strdup_printf ("%s u", function);
  draw_text (pen, shape, text);
}

/* A number, in a frame like a meter's. */
static void
draw_display (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_rect_grow (shape->box, -7);
  WeirPoint c = weir_rect_get_center (f);

  cairo_rectangle (pen->cr, f.x, f.y, f.width, f.height);
  weir_glyph_draw_screen (pen);
  weir_pen_text (pen, "0.00", MIN (f.height * 0.6, 14), c.x, c.y, 0.5, 0.5, f.width - 4);
}

/* As it is typed. */
static void
draw_expression (WeirPen *pen, const WeirBlockShape *shape)
{
  draw_text (pen, shape, get_parameter (shape, "expression"));
}

static void
draw_elements (WeirPen *pen, const WeirBlockShape *shape)
{
  static const struct {
    const char *operation, *text;
  } texts[] = { { "sum", "Σ uᵢ" }, { "product", "Π uᵢ" }, { "mean", "ū" }, { "norm", "‖u‖" } };
  const char *operation = get_parameter (shape, "operation");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (texts[i].operation, operation))
      draw_text (pen, shape, texts[i].text);
}

/* "min" or "max". */
static void
draw_min_max (WeirPen *pen, const WeirBlockShape *shape)
{
  draw_text (pen, shape,
             g_str_equal (get_parameter (shape, "operation"), "maximum") ? "max" : "min");
}

static void
draw_power (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirPoint c = weir_rect_get_center (shape->box);
  double size = MIN (shape->box.height * 0.34, 20);
  const char *exponent = get_parameter (shape, "exponent");
  double u = weir_pen_get_text_width (pen, "u", size);
  double room = shape->box.width / 2 - MARGIN / 2;
  double small = fit (pen, exponent, 0.6 * size, room);

  weir_pen_text (pen, "u", size, c.x, c.y, 1, 0.5, 0);
  weir_pen_text (pen, exponent, small, c.x + 0.08 * u, c.y - 0.1 * size, 0, 1, room);
}

/* --- Types ----------------------------------------------------------------------------------- */

static const struct {
  const char *type, *text;
} texts[] = {
  { "Abs", "|u|" },
  { "Bias", "u + b" },
  { "DotProduct", "u · v" },
  { "Polynomial", "P(u)" },
  { "SampleAndHold", "S/H" },
  { "FlipFlop", "S  R" },
  { "PID2", "PID" },
  { "Guess", "y≈?" },
  { "Selector", "u[i]" },
  { "StateSpace", "x′ = Ax + Bu" },
  { "DiscreteStateSpace", "x⁺ = Ax + Bu" },
  { "PID", "PID" },
  { "DiscretePID", "PID(z)" },
  { "Equations", "ẋ=f(x)" },
  { "ADC", "A/D" },
  { "DAC", "D/A" },
  { "CrossProduct", "u × v" },
  { "FIR", "Σ bₖ z⁻ᵏ" },
  { "MatrixGain", "K u" },
  { "Modulo", "mod" },
  { "TappedDelay", "1…z⁻ᴺ" },
};

static const struct {
  const char *type, *above, *below;
} fractions[] = {
  { "Delay", "1", "zᴺ" },
  { "Derivative", "s", "Ts+1" },
  { "DiscreteDerivative", "z−1", "Tz" },
  { "DoubleIntegrator", "1", "s²" },
  { "Integrator", "1", "s" },
  { "LeadLag", "1+T₁s", "1+T₂s" },
  { "UnitDelay", "1", "z" },
  { "DiscreteIntegrator", "T", "z−1" },
  { "ZeroPoleGain", "K Π(s−zᵢ)", "Π(s−pᵢ)" },
  { "DiscreteZeroPoleGain", "K Π(z−zᵢ)", "Π(z−pᵢ)" },
};

static const struct {
  const char *type;
  void (*draw) (WeirPen *pen, const WeirBlockShape *shape);
} drawn[] = {
  { "Compare", draw_compare },
  { "Display", draw_display },
  { "Elements", draw_elements },
  { "Expression", draw_expression },
  { "Function", draw_function },
  { "Logic", draw_logic },
  { "MinMax", draw_min_max },
  { "Power", draw_power },
  { "LimitedIntegrator", draw_limited_integrator },
};

gboolean
weir_glyph_draw_formula (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *type = weir_block_get_type_name (shape->block);

  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    if (g_str_equal (drawn[i].type, type))
      {
        drawn[i].draw (pen, shape);
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (fractions); i++)
    if (g_str_equal (fractions[i].type, type))
      {
        draw_fraction (pen, shape, fractions[i].above, fractions[i].below);
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (texts[i].type, type))
      {
        draw_text (pen, shape, texts[i].text);
        return TRUE;
      }
  if (g_str_equal (type, "TransferFunction"))
    draw_transfer_function (pen, shape, "s");
  else if (g_str_equal (type, "DiscreteTransferFunction"))
    draw_transfer_function (pen, shape, "z");
  else
    return FALSE;
  return TRUE;
}
