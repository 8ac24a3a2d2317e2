/* Axes and their tick marks. See axis.h. */
#include "paint/plots/axis.h"

#include <math.h>

static const double round_factors[] = { 1, 2, 5, 10 };

double
weir_axis_get_share (const WeirAxis *self, double value)
{
  if (!self->is_log)
    return (value - self->low) / (self->high - self->low);
  return value > 0 ? log (value / self->low) / log (self->high / self->low) : (double) NAN;
}

double
weir_axis_get_value (const WeirAxis *self, double share)
{
  return self->is_log ? self->low * pow (self->high / self->low, share)
                      : self->low + share * (self->high - self->low);
}

double
weir_axis_get_step (double length, guint max_ticks)
{
  double raw = length / MAX (max_ticks, 1);
  double power = pow (10, floor (log10 (raw)));

  for (guint i = 0; i < G_N_ELEMENTS (round_factors); i++)
    if (round_factors[i] * power >= raw * (1 - 1e-9))
      return round_factors[i] * power;
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

void
weir_axis_round_out_log (double *low, double *high)
{
  double power;
  guint i = G_N_ELEMENTS (round_factors) - 1;

  if (*high <= *low * (1 + 1e-12))
    {
      *low /= 2;
      *high *= 2;
    }
  power = pow (10, floor (log10 (*low)));
  while (i > 0 && round_factors[i] * power > *low * (1 + 1e-9))
    i--;
  *low = round_factors[i] * power;
  *high = weir_axis_get_step (*high, 1);
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

char *
weir_axis_format_decade (int exponent)
{
  return exponent >= -2 && exponent <= 3 ? g_strdup_printf ("%g", pow (10, exponent))
                                         : weir_axis_format_exponent (exponent);
}

/* --- Ticks ----------------------------------------------------------------------------------- */

#define MOST_DECADES 7 /* between whose powers of ten there are marks */
#define FEW_DECADES 2  /* where some of those are labelled */

static void
clear_tick (gpointer data)
{
  g_free (((WeirTick *) data)->label);
}

static void
add_tick (GArray *ticks, double value, char *label)
{
  WeirTick tick = { value, label };

  g_array_append_val (ticks, tick);
}

static void
list_even (const WeirAxis *self, guint max, int *exponent, GArray *ticks)
{
  double step = weir_axis_get_step (self->high - self->low, max);

  *exponent = weir_axis_get_exponent (self->low, self->high);
  for (double k = ceil (self->low / step - 1e-6); k * step <= self->high + 1e-6 * step; k++)
    add_tick (ticks, k * step, weir_axis_format (k * step, step, *exponent));
}

/* "200" of 2 and 2, "2×10⁵" of 2 and 5. */
static char *
format_multiple (int factor, int exponent)
{
  g_autofree char *power = weir_axis_format_exponent (exponent);

  return exponent >= -2 && exponent <= 3 ? g_strdup_printf ("%g", factor * pow (10, exponent))
                                         : g_strdup_printf ("%d×%s", factor, power);
}

static void
list_decades (const WeirAxis *self, guint max, GArray *ticks)
{
  double decades = log10 (self->high / self->low);
  int stride = MAX (1, (int) ceil (decades / MAX (max, 1)));
  int first = (int) floor (log10 (self->low)), last = (int) ceil (log10 (self->high));

  for (int k = first; k <= last; k++)
    for (int i = 1; i < 10; i++)
      {
        double value = i * pow (10, k), slack = 1e-9 * value;
        gboolean is_labelled = i == 1 ? k % stride == 0
                                      : (i == 2 || i == 5) && decades < FEW_DECADES;

        if (value < self->low - slack || value > self->high + slack)
          continue;
        if (is_labelled)
          add_tick (ticks, value, i == 1 ? weir_axis_format_decade (k) : format_multiple (i, k));
        else if (i == 1 || decades < MOST_DECADES)
          add_tick (ticks, value, NULL);
      }
}

GArray *
weir_axis_list_ticks (const WeirAxis *self, guint max, int *exponent)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (WeirTick));

  g_array_set_clear_func (ticks, clear_tick);
  *exponent = 0;
  /* Of less than a power of ten even steps say more. */
  if (self->is_log && self->high / self->low >= 10 * (1 - 1e-9))
    list_decades (self, max, ticks);
  else
    list_even (self, max, exponent, ticks);
  return ticks;
}
