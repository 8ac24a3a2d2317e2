/* What vector instructions there are. See simd.h. */
#include "base/simd.h"

#include <stdlib.h>
#include <string.h>

WeirSimd weir_simd = WEIR_SIMD_SSE2;

WeirSimd
weir_simd_get_best (void)
{
#if defined __x86_64__ && defined __GNUC__
  /* Whether the system keeps the wide registers is looked at too. */
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx2"))
    return WEIR_SIMD_AVX2;
#endif
  return WEIR_SIMD_SSE2;
}

/* Before anything computes. What runs earlier all the same gets the same bits. */
__attribute__ ((constructor)) static void
choose (void)
{
  const char *name = getenv ("WEIR_SIMD");

  if (name == NULL || strcmp (name, "sse2") != 0)
    weir_simd = weir_simd_get_best ();
}
