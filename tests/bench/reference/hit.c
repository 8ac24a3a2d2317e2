/* Reference of a cached read. See hit.h. */
#include "reference/hit.h"

#include <stdlib.h>
#include <string.h>

static inline double
read_value (const uint64_t *out_of_date, const double *values, uint32_t e)
{
  if (__builtin_expect ((out_of_date[e / 64] >> (e % 64)) & 1, 0))
    abort ();
  return values[e];
}

uint64_t
reference_hits (const uint64_t *out_of_date, const double *values, const uint32_t *index, size_t n)
{
  uint64_t sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      double value = read_value (out_of_date, values, index[i]);
      uint64_t bits;

      memcpy (&bits, &value, sizeof bits);
      sum += bits;
    }
  return sum;
}
