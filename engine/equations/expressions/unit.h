/* Physical units: text to dimension and scale, and back.
 *
 * A unit is a product of powers of the seven base units of the SI with a factor, and for
 * temperatures and the like an offset: value in base units = factor * value + offset. Radian,
 * degree, revolution and percent are numbers (rad = 1). Text: "m/s^2", "m/s²", "N*m", "N·m",
 * "kg.m2/s", "km/h", "1/s", "degC"; powers may be fractions, "V/Hz^(1/2)"; prefixes from y to Y.
 * "1" is the unit of numbers.
 *
 * Source of the factors: the SI brochure, 9th edition, tables 1 to 8; calorie, inch, pound and
 * what follows from them as defined in NIST SP 811. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_N_BASE_UNITS 7 /* m, kg, s, A, K, mol, cd */
#define WEIR_UNIT_WHOLE 60  /* the exponent 1 */

typedef struct {
  /* Exponents in sixtieths, so that roots up to the sixth are exact. */
  gint16 power[WEIR_N_BASE_UNITS];
  double factor, offset;
} WeirUnit;

/* FALSE and @error, which names what is unknown, if the text is no unit. */
gboolean weir_unit_parse (const char *text, WeirUnit *unit, GError **error);
/* The unit of plain numbers. */
WeirUnit weir_unit_one (void);

/* Same dimension, factor (to rounding) and offset. */
gboolean weir_unit_equal (const WeirUnit *a, const WeirUnit *b);
gboolean weir_unit_is_dimensionless (const WeirUnit *unit);

WeirUnit weir_unit_multiply (const WeirUnit *a, const WeirUnit *b);
WeirUnit weir_unit_divide (const WeirUnit *a, const WeirUnit *b);
/* @numerator/@denominator; FALSE if the result has powers that cannot be kept. */
gboolean weir_unit_raise (const WeirUnit *unit, int numerator, int denominator, WeirUnit *result);

/* Value in @to = factor * (value in @from) + offset; FALSE if the dimensions differ. */
gboolean weir_unit_convert (const WeirUnit *from, const WeirUnit *to, double *factor,
                            double *offset);

/* A text that parses to the same unit: a name where there is one ("N"), else a product of base
 * units ("kg*m^2/s"), with its factor where that is not 1 ("0.0254 m"). (transfer full) */
char *weir_unit_to_string (const WeirUnit *unit);

G_END_DECLS
