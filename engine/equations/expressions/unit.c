/* Parsing, arithmetic and printing of units. See unit.h. */
#include "equations/expressions/unit.h"

#include "base/error.h"
#include "base/text.h"
#include "numerics/number.h"

#include <math.h>
#include <string.h>

#define ONE WEIR_UNIT_WHOLE
#define MIDDLE_DOT "\u00b7"

typedef struct {
  const char *name;
  gint8 power[WEIR_N_BASE_UNITS];
  double factor, offset;
  gboolean takes_prefix;
} Named;

#define DEGREE 0.017453292519943295 /* pi / 180 */

/* Where several names mean the same, the one to print comes first. */
static const Named named[] = {
  /*  name      m  kg   s   A   K mol cd  */
  { "m", { 1, 0, 0, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "kg", { 0, 1, 0, 0, 0, 0, 0 }, 1, 0, FALSE },
  { "s", { 0, 0, 1, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "A", { 0, 0, 0, 1, 0, 0, 0 }, 1, 0, TRUE },
  { "K", { 0, 0, 0, 0, 1, 0, 0 }, 1, 0, TRUE },
  { "mol", { 0, 0, 0, 0, 0, 1, 0 }, 1, 0, TRUE },
  { "cd", { 0, 0, 0, 0, 0, 0, 1 }, 1, 0, TRUE },
  { "N", { 1, 1, -2, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "Pa", { -1, 1, -2, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "J", { 2, 1, -2, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "W", { 2, 1, -3, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "C", { 0, 0, 1, 1, 0, 0, 0 }, 1, 0, TRUE },
  { "V", { 2, 1, -3, -1, 0, 0, 0 }, 1, 0, TRUE },
  { "F", { -2, -1, 4, 2, 0, 0, 0 }, 1, 0, TRUE },
  { "Ohm", { 2, 1, -3, -2, 0, 0, 0 }, 1, 0, TRUE },
  { "S", { -2, -1, 3, 2, 0, 0, 0 }, 1, 0, TRUE },
  { "Wb", { 2, 1, -2, -1, 0, 0, 0 }, 1, 0, TRUE },
  { "T", { 0, 1, -2, -1, 0, 0, 0 }, 1, 0, TRUE },
  { "H", { 2, 1, -2, -2, 0, 0, 0 }, 1, 0, TRUE },
  { "lx", { -2, 0, 0, 0, 0, 0, 1 }, 1, 0, TRUE },
  { "kat", { 0, 0, -1, 0, 0, 1, 0 }, 1, 0, TRUE },
  { "Hz", { 0, 0, -1, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "Bq", { 0, 0, -1, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "lm", { 0, 0, 0, 0, 0, 0, 1 }, 1, 0, TRUE },
  { "Gy", { 2, 0, -2, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "Sv", { 2, 0, -2, 0, 0, 0, 0 }, 1, 0, TRUE },
  { "\xce\xa9", { 2, 1, -3, -2, 0, 0, 0 }, 1, 0, TRUE }, /* Omega */
  { "ohm", { 2, 1, -3, -2, 0, 0, 0 }, 1, 0, TRUE },
  { "g", { 0, 1, 0, 0, 0, 0, 0 }, 1e-3, 0, TRUE },
  { "t", { 0, 1, 0, 0, 0, 0, 0 }, 1e3, 0, TRUE },
  { "rad", { 0 }, 1, 0, TRUE },
  { "sr", { 0 }, 1, 0, TRUE },
  { "deg", { 0 }, DEGREE, 0, FALSE },
  { "\xc2\xb0", { 0 }, DEGREE, 0, FALSE }, /* degree sign */
  { "rev", { 0 }, 2 * G_PI, 0, FALSE },
  { "rpm", { 0, 0, -1, 0, 0, 0, 0 }, 2 * G_PI / 60, 0, FALSE },
  { "%", { 0 }, 0.01, 0, FALSE },
  { "min", { 0, 0, 1, 0, 0, 0, 0 }, 60, 0, FALSE },
  { "h", { 0, 0, 1, 0, 0, 0, 0 }, 3600, 0, FALSE },
  { "d", { 0, 0, 1, 0, 0, 0, 0 }, 86400, 0, FALSE },
  { "L", { 3, 0, 0, 0, 0, 0, 0 }, 1e-3, 0, TRUE },
  { "l", { 3, 0, 0, 0, 0, 0, 0 }, 1e-3, 0, TRUE },
  { "ha", { 2, 0, 0, 0, 0, 0, 0 }, 1e4, 0, FALSE },
  { "bar", { -1, 1, -2, 0, 0, 0, 0 }, 1e5, 0, TRUE },
  { "atm", { -1, 1, -2, 0, 0, 0, 0 }, 101325, 0, FALSE },
  { "eV", { 2, 1, -2, 0, 0, 0, 0 }, 1.602176634e-19, 0, TRUE },
  { "cal", { 2, 1, -2, 0, 0, 0, 0 }, 4.1868, 0, TRUE },
  { "Wh", { 2, 1, -2, 0, 0, 0, 0 }, 3600, 0, TRUE },
  { "Ah", { 0, 0, 1, 1, 0, 0, 0 }, 3600, 0, TRUE },
  { "degC", { 0, 0, 0, 0, 1, 0, 0 }, 1, 273.15, FALSE },
  { "\xc2\xb0"
    "C",
    { 0, 0, 0, 0, 1, 0, 0 },
    1,
    273.15,
    FALSE }, /* degree sign */
  { "\xc2\xb0"
    "C",
    { 0, 0, 0, 0, 1, 0, 0 },
    1,
    273.15,
    FALSE },
  { "degF", { 0, 0, 0, 0, 1, 0, 0 }, 5.0 / 9.0, 459.67 * 5.0 / 9.0, FALSE },
  { "in", { 1, 0, 0, 0, 0, 0, 0 }, 0.0254, 0, FALSE },
  { "ft", { 1, 0, 0, 0, 0, 0, 0 }, 0.3048, 0, FALSE },
  { "mi", { 1, 0, 0, 0, 0, 0, 0 }, 1609.344, 0, FALSE },
  { "nmi", { 1, 0, 0, 0, 0, 0, 0 }, 1852, 0, FALSE },
  { "kn", { 1, 0, -1, 0, 0, 0, 0 }, 1852.0 / 3600.0, 0, FALSE },
  { "lb", { 0, 1, 0, 0, 0, 0, 0 }, 0.45359237, 0, FALSE },
  { "lbf", { 1, 1, -2, 0, 0, 0, 0 }, 4.4482216152605, 0, FALSE },
  { "psi", { -1, 1, -2, 0, 0, 0, 0 }, 4.4482216152605 / (0.0254 * 0.0254), 0, FALSE },
  { "hp", { 2, 1, -3, 0, 0, 0, 0 }, 550 * 4.4482216152605 * 0.3048, 0, FALSE },
};

static const struct {
  const char *name;
  double factor;
} prefixes[] = {
  { "da", 1e1 },        { "h", 1e2 },   { "k", 1e3 },   { "M", 1e6 },   { "G", 1e9 },
  { "T", 1e12 },        { "P", 1e15 },  { "E", 1e18 },  { "Z", 1e21 },  { "Y", 1e24 },
  { "d", 1e-1 },        { "c", 1e-2 },  { "m", 1e-3 },  { "u", 1e-6 },  { "\xc2\xb5", 1e-6 },
  { "\xce\xbc", 1e-6 }, { "n", 1e-9 },  { "p", 1e-12 }, { "f", 1e-15 }, { "a", 1e-18 },
  { "z", 1e-21 },       { "y", 1e-24 },
};

WeirUnit
weir_unit_one (void)
{
  return (WeirUnit) { .factor = 1.0 };
}

static WeirUnit
from_named (const Named *name, double prefix)
{
  WeirUnit unit = { .factor = name->factor * prefix, .offset = name->offset };

  for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
    unit.power[i] = (gint16) (ONE * name->power[i]);
  return unit;
}

static gboolean
find_unit (const char *text, WeirUnit *unit)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (strcmp (text, named[i].name) == 0)
      {
        *unit = from_named (&named[i], 1.0);
        return TRUE;
      }
  for (guint p = 0; p < G_N_ELEMENTS (prefixes); p++)
    {
      if (!g_str_has_prefix (text, prefixes[p].name))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (named); i++)
        if (named[i].takes_prefix && strcmp (text + strlen (prefixes[p].name), named[i].name) == 0)
          {
            *unit = from_named (&named[i], prefixes[p].factor);
            return TRUE;
          }
    }
  return FALSE;
}

/* --- Arithmetic ------------------------------------------------------------------------------ */

static gboolean
is_near (double a, double b)
{
  return fabs (a - b) <= 1e-12 * MAX (fabs (a), fabs (b));
}

static gboolean
has_same_dimension (const WeirUnit *a, const WeirUnit *b)
{
  return memcmp (a->power, b->power, sizeof a->power) == 0;
}

gboolean
weir_unit_equal (const WeirUnit *a, const WeirUnit *b)
{
  return has_same_dimension (a, b) && is_near (a->factor, b->factor)
         && is_near (a->offset, b->offset);
}

gboolean
weir_unit_is_dimensionless (const WeirUnit *unit)
{
  WeirUnit one = weir_unit_one ();

  return has_same_dimension (unit, &one);
}

/* A product of temperatures is one of temperature differences: the offset goes. */
static WeirUnit
combine (const WeirUnit *a, const WeirUnit *b, int sign)
{
  WeirUnit unit = { .factor = sign > 0 ? a->factor * b->factor : a->factor / b->factor };

  for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
    unit.power[i] = (gint16) (a->power[i] + sign * b->power[i]);
  return unit;
}

WeirUnit
weir_unit_multiply (const WeirUnit *a, const WeirUnit *b)
{
  return combine (a, b, 1);
}

WeirUnit
weir_unit_divide (const WeirUnit *a, const WeirUnit *b)
{
  return combine (a, b, -1);
}

gboolean
weir_unit_raise (const WeirUnit *unit, int numerator, int denominator, WeirUnit *result)
{
  WeirUnit raised = { .factor = pow (unit->factor, (double) numerator / denominator) };

  for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
    {
      int power = unit->power[i] * numerator;

      if (power % denominator != 0 || ABS (power / denominator) > G_MAXINT16)
        return FALSE;
      raised.power[i] = (gint16) (power / denominator);
    }
  *result = raised;
  return TRUE;
}

gboolean
weir_unit_convert (const WeirUnit *from, const WeirUnit *to, double *factor, double *offset)
{
  if (!has_same_dimension (from, to))
    return FALSE;
  *factor = from->factor / to->factor;
  *offset = (from->offset - to->offset) / to->factor;
  return TRUE;
}

/* --- Text to unit ---------------------------------------------------------------------------- */

typedef struct {
  const char *text, *at;
  GError **error;
  guint depth;
} Reader;

static gboolean G_GNUC_PRINTF (2, 3) fail (Reader *self, const char *format, ...)
{
  g_autoptr (WeirMessage) what = NULL;
  va_list args;

  if (self->error == NULL || *self->error != NULL)
    return FALSE;
  va_start (args, format);
  what = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (self->error, WEIR_ERROR_INVALID, "\"%s\" is no unit: %s.", self->text,
                  weir_message_get_text (what));
  return FALSE;
}

static void
skip_spaces (Reader *self)
{
  while (*self->at == ' ')
    self->at++;
}

/* The superscript at @at: a digit or, as -1, the minus sign. NULL: there is none; else what
 * follows.
 */
static const char *
skip_superscript (const char *at, int *digit)
{
  static const char *const superscripts[] = { "\u207b", "\u2070", "\u00b9", "\u00b2",
                                              "\u00b3", "\u2074", "\u2075", "\u2076",
                                              "\u2077", "\u2078", "\u2079" };

  for (int i = 0; i < (int) G_N_ELEMENTS (superscripts); i++)
    if (g_str_has_prefix (at, superscripts[i]))
      {
        *digit = i - 1;
        return at + strlen (superscripts[i]);
      }
  return NULL;
}

/* A power in superscripts, which there is. */
static gboolean
read_superscripts (Reader *self, int *value)
{
  int digit = 0, sign = 1;
  const char *next = skip_superscript (self->at, &digit);

  if (digit < 0)
    {
      sign = -1;
      self->at = next;
    }
  *value = 0;
  if (skip_superscript (self->at, &digit) == NULL || digit < 0)
    return fail (self, N_ ("a minus sign is no power"));
  while ((next = skip_superscript (self->at, &digit)) != NULL && digit >= 0 && *value <= 60)
    {
      *value = 10 * *value + digit;
      self->at = next;
    }
  if (*value > 60)
    return fail (self, N_ ("a power is at most 60"));
  *value *= sign;
  return TRUE;
}

static gboolean
read_whole (Reader *self, int *value)
{
  char *end;
  gint64 number = g_ascii_strtoll (self->at, &end, 10);

  if (end == self->at || number < -60 || number > 60)
    return fail (self, N_ ("a power must be a whole number or a fraction such as (1/2)"));
  self->at = end;
  *value = (int) number;
  return TRUE;
}

/* ^2, 2, ^-1, -1, ^(1/2), or in superscripts */
static gboolean
read_power (Reader *self, WeirUnit *unit)
{
  int numerator = 1, denominator = 1, digit = 0;

  if (skip_superscript (self->at, &digit) != NULL)
    {
      if (!read_superscripts (self, &numerator))
        return FALSE;
    }
  else if (*self->at == '^')
    {
      gboolean is_fraction = self->at[1] == '(';

      self->at += is_fraction ? 2 : 1;
      if (!read_whole (self, &numerator))
        return FALSE;
      if (is_fraction && *self->at == '/')
        {
          self->at++;
          if (!read_whole (self, &denominator))
            return FALSE;
        }
      if (denominator < 1)
        return fail (self, N_ ("a fraction needs a positive denominator"));
      if (is_fraction && *self->at++ != ')')
        return fail (self, N_ ("a fraction ends in ')'"));
    }
  else if (g_ascii_isdigit (*self->at) || (*self->at == '-' && g_ascii_isdigit (self->at[1])))
    {
      if (!read_whole (self, &numerator))
        return FALSE;
    }
  else
    return TRUE;
  if (unit->offset != 0.0 && (numerator != 1 || denominator != 1))
    unit->offset = 0.0;
  return weir_unit_raise (unit, numerator, denominator, unit)
         || fail (self, N_ ("this root of it cannot be kept"));
}

static gboolean read_product (Reader *self, WeirUnit *unit);

static gboolean
read_factor (Reader *self, WeirUnit *unit)
{
  skip_spaces (self);
  *unit = weir_unit_one ();
  if (*self->at == '(')
    {
      if (++self->depth > 20)
        return fail (self, N_ ("too many brackets"));
      self->at++;
      if (!read_product (self, unit))
        return FALSE;
      skip_spaces (self);
      if (*self->at != ')')
        return fail (self, N_ ("a ')' is missing"));
      self->at++;
      self->depth--;
    }
  else if (g_ascii_isdigit (*self->at))
    {
      char *end;

      unit->factor = g_ascii_strtod (self->at, &end);
      self->at = end;
      if (!(unit->factor > 0.0) || !isfinite (unit->factor))
        return fail (self, N_ ("a factor must be greater than 0"));
      return TRUE;
    }
  else
    {
      const char *start = self->at;
      g_autofree char *name = NULL;
      WeirUnit found;
      int digit = 0;

      while ((*self->at == '%' || (guchar) *self->at >= 0x80 || g_ascii_isalpha (*self->at))
             && skip_superscript (self->at, &digit) == NULL
             && !g_str_has_prefix (self->at, MIDDLE_DOT))
        self->at++;
      if (self->at == start)
        return fail (self, *start == '\0' ? N_ ("a unit is missing at its end")
                                          : N_ ("a unit is missing"));
      name = g_strndup (start, (gsize) (self->at - start));
      if (!find_unit (name, &found))
        return fail (self, N_ ("'%s' is not known"), name);
      *unit = found;
    }
  return read_power (self, unit);
}

/* Products and quotients from left to right; a space, "*", "." and a dot in the middle multiply. */
static gboolean
read_product (Reader *self, WeirUnit *unit)
{
  if (!read_factor (self, unit))
    return FALSE;
  for (;;)
    {
      gboolean is_quotient;
      WeirUnit factor;

      skip_spaces (self);
      if (*self->at == '\0' || *self->at == ')')
        return TRUE;
      is_quotient = *self->at == '/';
      if (*self->at == '*' || *self->at == '/' || *self->at == '.')
        self->at++;
      else if (g_str_has_prefix (self->at, MIDDLE_DOT))
        self->at += strlen (MIDDLE_DOT);
      if (!read_factor (self, &factor))
        return FALSE;
      *unit = combine (unit, &factor, is_quotient ? -1 : 1);
    }
}

gboolean
weir_unit_parse (const char *text, WeirUnit *unit, GError **error)
{
  Reader self = { text, text, error, 0 };

  if (!read_product (&self, unit))
    return FALSE;
  return *self.at == '\0' || fail (&self, N_ ("a bracket is closed that was not opened"));
}

/* Names that mean more than their dimension (Hz, kat, Gy, rad) are read, but not written. */
static gboolean
is_written (const Named *name)
{
  static const char *const last = "lx";
  gboolean is_plain = name->factor == 1.0 && name->offset == 0.0;

  for (guint i = 0; is_plain && named[i].name != name->name; i++)
    if (strcmp (named[i].name, last) == 0)
      return FALSE;
  return TRUE;
}

/* --- Unit to text ---------------------------------------------------------------------------- */

/* The base units with powers of the sign of @sign, separated by @separator. */
static char *
dup_powers (const WeirUnit *unit, int sign, const char *separator)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
    {
      guint base = i == 0 ? 1 : i == 1 ? 0 : i; /* kg before m, as in kg*m/s^2 */
      int power = sign * unit->power[base];

      if (power <= 0)
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? separator : "", named[base].name);
      if (power % ONE != 0)
        {
          int divisor = ONE;

          while (power % divisor != 0 || ONE % divisor != 0)
            divisor--;
          g_string_append_printf (text, "^(%d/%d)", power / divisor, ONE / divisor);
        }
      else if (power != ONE)
        g_string_append_printf (text, "^%d", power / ONE);
    }
  return g_string_free (text, FALSE);
}

/* "N", "mV": the name of just that unit, with or without a prefix. */
static gboolean
append_name (const WeirUnit *unit, GString *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      WeirUnit candidate = from_named (&named[i], 1.0);

      if (!is_written (&named[i]) || !weir_unit_equal (&candidate, unit))
        continue;
      g_string_append (text, named[i].name);
      return TRUE;
    }
  for (guint p = 0; p < G_N_ELEMENTS (prefixes) && !weir_unit_is_dimensionless (unit); p++)
    for (guint i = 0; i < G_N_ELEMENTS (named); i++)
      {
        WeirUnit candidate = from_named (&named[i], prefixes[p].factor);

        if (!named[i].takes_prefix || !is_written (&named[i])
            || !weir_unit_equal (&candidate, unit))
          continue;
        g_string_append_printf (text, "%s%s", prefixes[p].name, named[i].name);
        return TRUE;
      }
  return FALSE;
}

/* "km/h", "mol/min": where a unit of time spares a factor. */
static gboolean
append_with_time (const WeirUnit *unit, GString *text)
{
  static const char *const times[] = { "min", "h", "d" };

  for (guint i = 0; i < G_N_ELEMENTS (times) && !is_near (unit->factor, 1.0); i++)
    {
      WeirUnit time, product = *unit;

      find_unit (times[i], &time);
      product.factor *= time.factor;
      for (guint j = 0; j < WEIR_N_BASE_UNITS; j++)
        product.power[j] = (gint16) (product.power[j] + time.power[j]);
      if (weir_unit_is_dimensionless (&product) || !append_name (&product, text))
        continue;
      g_string_append_printf (text, "/%s", times[i]);
      return TRUE;
    }
  return FALSE;
}

char *
weir_unit_to_string (const WeirUnit *unit)
{
  GString *text = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (append_name (unit, text) || append_with_time (unit, text))
    return g_string_free (text, FALSE);
  {
    g_autofree char *above = dup_powers (unit, 1, "*");
    g_autofree char *below = dup_powers (unit, -1, "/");

    if (!is_near (unit->factor, 1.0))
      g_string_append_printf (text, "%s%s", weir_number_to_text (unit->factor, buffer),
                              *above != '\0' ? " " : "");
    g_string_append (text, *above != '\0' ? above : text->len > 0 ? "" : "1");
    if (*below != '\0')
      g_string_append_printf (text, "/%s", below);
  }
  return g_string_free (text, FALSE);
}
