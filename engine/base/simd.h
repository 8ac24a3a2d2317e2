/* The vector instructions that element-wise loops use, chosen when the program is loaded.
 *
 * A loop is written once and compiled for each: every element is computed by the same operations in
 * the same order, none of them fused, so all give the same bits. What the machine has is used,
 * unless the environment names less (WEIR_SIMD=sse2).
 */
#pragma once

#include "base/visibility.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_SIMD_SSE2, /* what each x86-64 has; on other machines what the compiler takes */
  WEIR_SIMD_AVX2,
} WeirSimd;

/* In use: may be set, while nothing is computed, to any up to weir_simd_get_best(). */
extern WeirSimd weir_simd;

/* The widest that this machine has. Thread: *any*. */
WeirSimd weir_simd_get_best (void);

WEIR_END_DECLS

/* A function of this kind is compiled for AVX2; what it inlines as well. */
#if defined __x86_64__ && defined __GNUC__
#define WEIR_FOR_AVX2 __attribute__ ((target ("avx2")))
#else
#define WEIR_FOR_AVX2
#endif

/* The one text of a loop, that both forms inline. */
#define WEIR_SIMD_BODY static inline __attribute__ ((always_inline))

/* Defines @type @name @parameters, which calls @name_body with @arguments (both in parentheses) in
 * the form that is in use; @give: return, or nothing for a function without a result. */
#define WEIR_SIMD_FORMS(give, type, name, parameters, arguments)                                   \
  WEIR_FOR_AVX2 static type name##_avx2 parameters                                                 \
  {                                                                                                \
    give name##_body arguments;                                                                    \
  }                                                                                                \
  type name parameters                                                                             \
  {                                                                                                \
    if (weir_simd == WEIR_SIMD_AVX2)                                                               \
      give name##_avx2 arguments;                                                                  \
    else                                                                                           \
      give name##_body arguments;                                                                  \
  }
