/* Round tick marks. See axis.h. */
#include "paint/plots/axis.h"

#include <math.h>

double
weir_axis_get_step (double length, guint max_ticks)
{
  static const double factors[] = { 1, 2, 5, 10 };
  double raw = length / MAX (max_ticks, 1);
  double power = pow (10, floor (log10 (raw)));

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (factors[i] * power >= raw * (1 - 1e-9))
      return factors[i] * power;
  return 10 * power;
}

void
weir_axis_round_out (double *low, double *high, guint max_ticks)
{
  double room, step;

  if (*high - *low <= 1e-12 * MAX (fabs (*low), fabs (*high)))
    {
      double half = *low == 0 ? 1 : fabs (*low) * 0.1;

      *low -= half;
      *high += half;
    }
  room = 0.02 * (*high - *low);
  step = weir_axis_get_step (*high - *low, max_ticks);
  *low = floor ((*low - room) / step) * step;
  *high = ceil ((*high + room) / step) * step;
}

int
weir_axis_get_exponent (double low, double high)
{
  double largest = MAX (fabs (low), fabs (high));
  int exponent;

  if (largest == 0 || (largest >= 1e-2 && largest < 1e5))
    return 0;
  exponent = (int) floor (log10 (largest));
  return exponent - ((exponent % 3) + 3) % 3; /* thousands: 10³, 10⁶, ... */
}

char *
weir_axis_format (double value, double step, int exponent)
{
  double unit = pow (10, exponent);
  int decimals = (int) CLAMP (-floor (log10 (step / unit) + 1e-9), 0, 12);
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE + 320];

  if (fabs (value) < step * 1e-6)
    value = 0;
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (text, sizeof text, format, value / unit);
  return text[0] == '-' ? g_strconcat ("−", text + 1, NULL) : g_strdup (text);
}

char *
weir_axis_format_value (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value == 0 ? 0 : value));
}

char *
weir_axis_format_exponent (int exponent)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autofree char *plain = g_strdup_printf ("%d", exponent);
  GString *text = g_string_new ("10");

  for (const char *c = plain; *c != '\0'; c++)
    g_string_append (text, *c == '-' ? "⁻" : digits[*c - '0']);
  return g_string_free (text, FALSE);
}
