/* Whether doubles are finite, as fast as they can be read. Thread: *any*. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

#define WEIR_DOUBLE_EXPONENT G_GUINT64_CONSTANT (0x7ff0000000000000)

static inline gboolean
weir_is_finite (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return (bits & WEIR_DOUBLE_EXPONENT) != WEIR_DOUBLE_EXPONENT;
}

#define WEIR_FINITE_LONG 32 /* values that are worth a call */

/* finite.c: with the vector instructions in use. */
gboolean weir_all_finite_long (gsize n, const double *values);

/* An exponent of all ones, and no other, carries into the sign bit: additions of integers vectorise
 * where comparing doubles does not. Eight at a time, for otherwise each would wait for the one
 * before.
 */
static inline gboolean
weir_all_finite (gsize n, const double *values)
{
  const guint64 lowest = G_GUINT64_CONSTANT (0x0010000000000000);
  typedef guint64 Pair __attribute__ ((vector_size (16)));
  Pair bad[4] = { { 0 } };
  gsize i = 0;

  if (n <= 2)
    return n == 0 || (weir_is_finite (values[0]) && weir_is_finite (values[n - 1]));
  if (n >= WEIR_FINITE_LONG)
    return weir_all_finite_long (n, values);
  for (; i + 8 <= n; i += 8)
    for (guint k = 0; k < G_N_ELEMENTS (bad); k++)
      {
        Pair bits;

        memcpy (&bits, values + i + 2 * k, sizeof bits);
        bad[k] |= (bits & WEIR_DOUBLE_EXPONENT) + lowest;
      }
  for (; i < n; i++)
    if (!weir_is_finite (values[i]))
      return FALSE;
  bad[0] |= bad[1] | bad[2] | bad[3];
  return ((bad[0][0] | bad[0][1]) >> 63) == 0;
}

G_END_DECLS
