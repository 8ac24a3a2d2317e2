/* Whether many doubles are finite. See finite.h; compiled with -O3. */
#include "base/finite.h"

#include "base/simd.h"

WEIR_SIMD_BODY gboolean
weir_all_finite_long_body (gsize n, const double *values)
{
  guint64 bad[16] = { 0 };
  guint64 any = 0;
  gsize i = 0;

  for (; i + G_N_ELEMENTS (bad) <= n; i += G_N_ELEMENTS (bad))
    for (guint k = 0; k < G_N_ELEMENTS (bad); k++)
      {
        double zero = values[i + k] - values[i + k]; /* or not a number */
        guint64 bits;

        memcpy (&bits, &zero, sizeof bits);
        bad[k] |= bits;
      }
  for (; i < n; i++)
    if (!weir_is_finite (values[i]))
      return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (bad); k++)
    any |= bad[k];
  return any << 1 == 0; /* rounding downward, the zeros are negative */
}

WEIR_SIMD_FORMS (return, gboolean, weir_all_finite_long, (gsize n, const double *values),
                       (n, values))
