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

/* An exponent of all ones, and no other, carries into the sign bit. Few values are read one by one:
 * what was stored so a moment ago is not there yet for a load of two, which would wait for all that
 * was stored before. */
static inline gboolean
weir_all_finite (gsize n, const double *values)
{
  const guint64 lowest = G_GUINT64_CONSTANT (0x0010000000000000);
  guint64 bad = 0;

  if (n >= WEIR_FINITE_LONG)
    return weir_all_finite_long (n, values);
  for (gsize i = 0; i < n; i++)
    {
      guint64 bits;

      memcpy (&bits, &values[i], sizeof bits);
#ifdef __GNUC__
      __asm__("" : "+r"(bits)); /* else loads become wide again */
#endif
      bad |= (bits & WEIR_DOUBLE_EXPONENT) + lowest;
    }
  return bad >> 63 == 0;
}

G_END_DECLS
