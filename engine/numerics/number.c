/* Numbers as text. See number.h. */
#include "numerics/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/wide.h"

/* --- Shortest digits ----------------------------------------------------------------------------
 *
 * After R. Giulietti, "The Schubfach way to render doubles" (2020), whose names are kept: a double
 * v = c * 2^q, all reals nearer to it than to another double are from vbl to vbr, and at most one
 * multiple of 10^(k+1), or else at least one of 10^k, is among them. All is compared in integers,
 * four times as large, after a multiplication by a power of ten of 126 bits.
 */

#define K_MIN (-324) /* of the powers 10^-k that doubles take */
#define K_MAX 292
#define N_WORDS 40 /* of 32 bits: 10^324 takes 1077 bits */
#define MASK_63 (G_GUINT64_CONSTANT (0x7fffffffffffffff))
#define MIN_Q (-1074)
#define MIN_NORMAL (G_GUINT64_CONSTANT (1) << 52)

/* The upper 63 of 126 bits, and the lower. */
typedef struct {
  guint64 high, low;
} Power;

static Power powers[K_MAX - K_MIN + 1];

static inline int
floor_log10_power_of_2 (int e)
{
  return (int) (e * G_GINT64_CONSTANT (661971961083) >> 41);
}

static inline int
floor_log2_power_of_10 (int e)
{
  return (int) (e * G_GINT64_CONSTANT (913124641741) >> 38);
}

/* The leading 126 bits of @words (the least significant first), one more in the last place. */
static Power
take_leading_bits (const guint32 *words)
{
  guint top = N_WORDS;
  guint64 high = 0, low = 0;
  int shift;

  while (words[top - 1] == 0)
    top--;
  for (guint i = 1; i <= 4; i++)
    {
      high = high << 32 | low >> 32;
      low = low << 32 | (top >= i ? words[top - i] : 0);
    }
  for (shift = 0; high >> 63 == 0; shift++)
    {
      high = high << 1 | low >> 63;
      low <<= 1;
    }
  if (shift > 0 && top >= 5)
    low |= words[top - 5] >> (32 - shift);
  low = high << 62 | low >> 2;
  high >>= 2;
  high += ++low == 0;
  return (Power) { high << 1 | low >> 63, low & MASK_63 };
}

static void
make_powers (void)
{
  guint32 large[N_WORDS] = { 1 }, small[N_WORDS] = { 0 };

  for (int n = 0; n <= -K_MIN; n++) /* 10^n */
    {
      guint64 carry = 0;

      powers[-n - K_MIN] = take_leading_bits (large);
      for (guint i = 0; i < N_WORDS; i++, carry >>= 32)
        {
          carry += (guint64) large[i] * 10;
          large[i] = (guint32) carry;
        }
    }
  small[N_WORDS - 1] = 1; /* 2^(32 (N_WORDS - 1)), divided by 10 again and again, rounded down */
  for (int n = 1; n <= K_MAX; n++)
    {
      guint64 rest = 0;

      for (guint i = N_WORDS; i-- > 0;)
        {
          rest = rest << 32 | small[i];
          small[i] = (guint32) (rest / 10);
          rest %= 10;
        }
      powers[n - K_MIN] = take_leading_bits (small);
    }
}

static const Power *
get_power (int k)
{
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      make_powers ();
      g_once_init_leave (&is_made, 1);
    }
  return &powers[k - K_MIN];
}

static inline guint64
multiply_high (guint64 a, guint64 b)
{
  guint64 low;

  return weir_multiply_wide (a, b, &low);
}

/* cp * g / 2^127, rounded to odd. */
static inline guint64
scale (const Power *g, guint64 cp)
{
  guint64 low, high = weir_multiply_wide (g->high, cp, &low);
  guint64 z = (low >> 1) + multiply_high (g->low, cp);
  guint64 w = high + (z >> 63);

  return w | (((z & MASK_63) + MASK_63) >> 63);
}

/* @v, finite and not zero, without its sign, as @digits * 10^@exponent, with as few digits as read
 * back and of those the nearest. FALSE where that takes more thought: for numbers that have but one
 * or two digits, and for powers of two, below which doubles are closer than above. */
static gboolean
find_shortest (double v, guint64 *digits, int *exponent)
{
  guint64 bits, c, cb, vb, vbl, vbr, s, above, odd;
  int q, k, h;
  gboolean is_regular, takes_below, takes_above;
  const Power *g;

  memcpy (&bits, &v, sizeof bits);
  c = bits & (MIN_NORMAL - 1);
  q = (int) (bits >> 52 & 0x7ff);
  is_regular = c != 0 || q <= 1;
  if (q > 0)
    c |= MIN_NORMAL;
  q = MAX (q, 1) - 1 + MIN_Q;
  odd = c & 1;
  cb = c << 2;
  k = floor_log10_power_of_2 (q);
  h = q + floor_log2_power_of_10 (-k) + 2;
  g = get_power (k);
  vb = scale (g, cb << h);
  vbl = scale (g, (cb - 2) << h);
  vbr = scale (g, (cb + 2) << h);
  s = vb >> 2;
  *exponent = k;
  if (s < 100)
    return FALSE;
  if (!is_regular) /* only what is exact */
    {
      *digits = s;
      return vb == s << 2 && s % 10 == 0;
    }
  above = s / 10 * 10 + 10;
  takes_below = vbl + odd <= (above - 10) << 2;
  takes_above = (above << 2) + odd <= vbr;
  if (takes_below != takes_above)
    {
      *digits = takes_below ? above - 10 : above;
      return TRUE;
    }
  takes_below = vbl + odd <= s << 2;
  takes_above = ((s + 1) << 2) + odd <= vbr;
  if (takes_below == takes_above)
    {
      guint64 middle = (2 * s + 1) << 1;

      takes_below = vb < middle || (vb == middle && (s & 1) == 0);
    }
  *digits = takes_below ? s : s + 1;
  return TRUE;
}

/* --- Reading ------------------------------------------------------------------------------------
 */

#define EXACT_DIGITS 15 /* every number of so many is a double, and so is ten to that power */

double
weir_number_read (const char *text, char **end)
{
  static const double tens[EXACT_DIGITS + 1] = { 1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
  const char *at = text + (*text == '-' || *text == '+');
  guint64 digits = 0;
  guint n = 0, n_after = 0; /* of all digits, of those behind the point */
  double value;

  for (; g_ascii_isdigit (*at) && n <= EXACT_DIGITS; at++, n++)
    digits = digits * 10 + (guint64) (*at - '0');
  if (*at == '.')
    for (at++; g_ascii_isdigit (*at) && n <= EXACT_DIGITS; at++, n++, n_after++)
      digits = digits * 10 + (guint64) (*at - '0');
  if (n == 0 || n > EXACT_DIGITS || g_ascii_isalpha (*at))
    return g_ascii_strtod (text, end);
  if (end != NULL)
    *end = (char *) at;
  value = (double) digits / tens[n_after]; /* both exact, so this is the nearest double */
  return *text == '-' ? -value : value;
}

/* --- Their text ---------------------------------------------------------------------------------
 */

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Writes @n digits of @value to @out. */
static inline void
write_digits (char *out, guint64 value, guint n)
{
  while (n >= 2)
    {
      memcpy (out + n - 2, pairs + 2 * (value % 100), 2);
      value /= 100;
      n -= 2;
    }
  if (n == 1)
    out[0] = (char) ('0' + value);
}

static guint
count_digits (guint64 value)
{
  guint n = 1;

  for (; value >= 10; value /= 10)
    n++;
  return n;
}

/* As printf writes it with "%.15g", or with as many digits more as there are. Returns its end. */
static char *
write_decimal (char *out, guint64 digits, int exponent)
{
  guint n;
  int point; /* the first digit's power of ten */

  while (digits % 10 == 0)
    {
      digits /= 10;
      exponent++;
    }
  n = count_digits (digits);
  point = exponent + (int) n - 1;
  if (point < -4 || point >= MAX (15, (int) n))
    {
      guint size = (guint) ABS (point);

      write_digits (out + 1, digits, n);
      out[0] = out[1];
      out[1] = '.';
      out += n == 1 ? 1 : n + 1;
      *out++ = 'e';
      *out++ = point < 0 ? '-' : '+';
      write_digits (out, size, size < 100 ? 2 : 3);
      return out + (size < 100 ? 2 : 3);
    }
  if (point < 0)
    {
      memcpy (out, "0.0000", 6);
      write_digits (out + 1 - point, digits, n);
      return out + 1 - point + n;
    }
  if (exponent >= 0)
    {
      write_digits (out, digits, n);
      memset (out + n, '0', (gsize) exponent);
      return out + n + exponent;
    }
  write_digits (out + 1, digits, n);
  memmove (out, out + 1, (gsize) point + 1);
  out[point + 1] = '.';
  return out + n + 1;
}

/* By trying. */
static char *
write_slowly (double value, char *buffer)
{
  char format[8];

  /* What fewer digits can say, 15 say alike, unless the number is too small to have as many. */
  for (int digits = value < DBL_MIN ? 1 : 15; digits <= 17; digits++)
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  return buffer + strlen (buffer);
}

char *
weir_number_write (double value, char *buffer)
{
  guint64 digits;
  int exponent;
  char *out = buffer;

  if (isnan (value))
    return g_stpcpy (out, signbit (value) ? "-nan" : "nan");
  if (signbit (value))
    *out++ = '-';
  value = fabs (value);
  if (isinf (value))
    return g_stpcpy (out, "inf");
  if (value < 1e15 && value == (double) (guint64) value)
    {
      guint n = count_digits ((guint64) value);

      write_digits (out, (guint64) value, n);
      out += n;
    }
  else if (find_shortest (value, &digits, &exponent))
    out = write_decimal (out, digits, exponent);
  else
    out = write_slowly (value, out);
  *out = '\0';
  return out;
}

char *
weir_number_to_text (double value, char *buffer)
{
  weir_number_write (value, buffer);
  return buffer;
}

char *
weir_time_to_text (double time, double beside, char *buffer)
{
  int least = fabs (time) >= 1e6 && fabs (time) < 1e15 ? (int) log10 (fabs (time)) + 1 : 6;

  for (int digits = least; digits <= 17; digits++)
    {
      char format[8], other[G_ASCII_DTOSTR_BUF_SIZE];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, time);
      if (isnan (beside) || time == beside
          || strcmp (buffer, g_ascii_formatd (other, sizeof other, format, beside)) != 0)
        break;
    }
  g_strlcat (buffer, " s", WEIR_TIME_TEXT_SIZE);
  return buffer;
}
