/* Kernels: element-wise computations written once and run one at a time or over whole classes.
 *
 * A kernel computes out[i * step] = f(in0[i], in1[i], ...) for n elements. The engine calls it with
 * n = 1 when it pulls a single entry, with n = size for a vector signal and with n = thousands for
 * a batch of equal blocks (run.c). Each operand is a stream: base and stride in elements (0 =
 * broadcast); results lie @step apart (2 where derivatives of two kinds of block alternate).
 * Kernels are branch-free, keep no memory and sum in the order written, so that every way of
 * calling them gives the same bits.
 *
 * A new kernel is one line: WEIR_KERNEL_2 (gain, k, u, k * u) defines
 * `static void gain (const WeirStream *in, guint n_in, guint64 variant, double *out, gssize step,
 * gsize n)`.
 */
#pragma once

#include <glib.h>

#include "base/simd.h"
#include "base/visibility.h"

WEIR_BEGIN_DECLS

/* A kernel's operand: a value for each entry, or one for all. */
typedef struct {
  const double *base;
  gssize stride; /* elements from one value to the next; 0 repeats the same value */
} WeirStream;

/* @variant: a constant of the class, such as the signs of a sum as bits. */
typedef void (*WeirKernel) (const WeirStream *in, guint n_in, guint64 variant, double *out,
                            gssize step, gsize n);

/* What a kernel computes, as text, so that code can be made of it at run time (template.h): one
 * expression of the operands' names, or one operand after the other taken in. */
typedef struct {
  WeirKernel kernel;
  const char *operands; /* "a, b" */
  const char *text;     /* in C: numbers, operators, comparisons, choices, the usual functions */
  /* Of any number of operands u, where text is NULL: the result y of the first one, and of y and
   * each that follows. The second of both is for operands whose bit of the variant is set or, if
   * @is_whole, for all where the variant is not 0. */
  const char *first[2], *next[2];
  int is_whole;
  double (*const *functions) (double); /* by variant: what the text calls f */
} WeirKernelText;

#if defined __ELF__ && defined __GNUC__
#define WEIR_KERNEL_SAYS(name, ...)                                                                \
  static const WeirKernelText name##_text = { name, __VA_ARGS__ };                                 \
  static const WeirKernelText *const name##_said                                                   \
      __attribute__ ((used, section ("weir_kernels"))) = &name##_text;
#else
#define WEIR_KERNEL_SAYS(name, ...)
#endif

#ifdef __clang__
#define WEIR_KERNEL_UNROLL _Pragma ("unroll 4")
#else
#define WEIR_KERNEL_UNROLL _Pragma ("GCC unroll 4")
#endif

#define WEIR_KERNEL_LONG 64 /* entries that are worth aligning results for */
#define WEIR_KERNEL_FEW 8   /* operands */

/* The entries before the first result that begins a vector: stores across lines of the caches take
 * twice as long. 0 where that is not worth it. */
static inline gsize
weir_kernel_get_head (guint n_in, const double *out, gssize step, gsize n)
{
  gsize at = (gsize) ((guintptr) out / sizeof *out % 4);

  return step != 1 || n < WEIR_KERNEL_LONG || n_in > WEIR_KERNEL_FEW ? 0 : (4 - at) % 4;
}

/* Of a calculation written as WEIR_SIMD_BODY void name_body (in, n_in, variant, out, step, n) the
 * kernel @name, which takes the vector instructions in use. For a few entries both are alike. */
#define WEIR_KERNEL_FORMS(name)                                                                    \
  WEIR_FOR_AVX2 static void name##_avx2 (const WeirStream *in, guint n_in, guint64 variant,        \
                                         double *WEIR_RESTRICT out, gssize step, gsize n)          \
  {                                                                                                \
    name##_body (in, n_in, variant, out, step, n);                                                 \
  }                                                                                                \
  static void name (const WeirStream *in, guint n_in, guint64 variant, double *WEIR_RESTRICT out,  \
                    gssize step, gsize n)                                                          \
  {                                                                                                \
    if (n == 1)                                                                                    \
      name##_body (in, n_in, variant, out, step, 1);                                               \
    else if (n > 3 && weir_simd == WEIR_SIMD_AVX2)                                                 \
      {                                                                                            \
        gsize head = weir_kernel_get_head (n_in, out, step, n);                                    \
                                                                                                   \
        if (head > 0)                                                                              \
          {                                                                                        \
            WeirStream rest[WEIR_KERNEL_FEW];                                                      \
                                                                                                   \
            for (guint k = 0; k < n_in; k++)                                                       \
              {                                                                                    \
                rest[k].base = in[k].base + (gssize) head * in[k].stride;                          \
                rest[k].stride = in[k].stride;                                                     \
              }                                                                                    \
            name##_avx2 (in, n_in, variant, out, step, head);                                      \
            name##_avx2 (rest, n_in, variant, out + head, step, n - head);                         \
          }                                                                                        \
        else                                                                                       \
          name##_avx2 (in, n_in, variant, out, step, n);                                           \
      }                                                                                            \
    else                                                                                           \
      name##_body (in, n_in, variant, out, step, n);                                               \
  }

/* out = in. Where derivatives are copies, plans know ways to do without. */
void weir_kernel_copy (const WeirStream *in, guint n_in, guint64 variant, double *WEIR_RESTRICT out,
                       gssize step, gsize n);

/* The loops are split by stride so that the compiler can vectorise the common ones, and a single
 * value comes before any stride is looked at; all evaluate the one expression in the one order. */
#define WEIR_KERNEL_1(name, a, expression)                                                         \
  WEIR_SIMD_BODY void name##_body (const WeirStream *in, G_GNUC_UNUSED guint n_in,                 \
                                   G_GNUC_UNUSED guint64 variant, double *WEIR_RESTRICT out,       \
                                   gssize step, gsize n)                                           \
  {                                                                                                \
    if (n == 1)                                                                                    \
      {                                                                                            \
        double a = in[0].base[0];                                                                  \
        out[0] = (expression);                                                                     \
        return;                                                                                    \
      }                                                                                            \
    const double *in_a = in[0].base;                                                               \
    gssize step_a = in[0].stride;                                                                  \
    if (step_a == 1 && step == 1)                                                                  \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i];                                                                      \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else                                                                                           \
      WEIR_KERNEL_UNROLL for (gssize i = 0; i < (gssize) n; i++)                                   \
      {                                                                                            \
        double a = in_a[i * step_a];                                                               \
        out[i * step] = (expression);                                                              \
      }                                                                                            \
  }                                                                                                \
  WEIR_KERNEL_FORMS (name)                                                                         \
  WEIR_KERNEL_SAYS (name, #a, #expression, { 0, 0 }, { 0, 0 }, 0, 0)

#define WEIR_KERNEL_2(name, a, b, expression)                                                      \
  WEIR_SIMD_BODY void name##_body (const WeirStream *in, G_GNUC_UNUSED guint n_in,                 \
                                   G_GNUC_UNUSED guint64 variant, double *WEIR_RESTRICT out,       \
                                   gssize step, gsize n)                                           \
  {                                                                                                \
    if (n == 1)                                                                                    \
      {                                                                                            \
        double a = in[0].base[0], b = in[1].base[0];                                               \
        out[0] = (expression);                                                                     \
        return;                                                                                    \
      }                                                                                            \
    const double *in_a = in[0].base, *in_b = in[1].base;                                           \
    gssize step_a = in[0].stride, step_b = in[1].stride;                                           \
    if (step_a == 1 && step_b == 1 && step == 1)                                                   \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i], b = in_b[i];                                                         \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else if (step_a == 1 && step_b == 2 && step == 1)                                              \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i], b = in_b[2 * i];                                                     \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else if (step_a == 0 && step_b == 1 && step == 1)                                              \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[0], b = in_b[i];                                                         \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else                                                                                           \
      WEIR_KERNEL_UNROLL for (gssize i = 0; i < (gssize) n; i++)                                   \
      {                                                                                            \
        double a = in_a[i * step_a], b = in_b[i * step_b];                                         \
        out[i * step] = (expression);                                                              \
      }                                                                                            \
  }                                                                                                \
  WEIR_KERNEL_FORMS (name)                                                                         \
  WEIR_KERNEL_SAYS (name, #a ", " #b, #expression, { 0, 0 }, { 0, 0 }, 0, 0)

#define WEIR_KERNEL_3(name, a, b, c, expression)                                                   \
  WEIR_SIMD_BODY void name##_body (const WeirStream *in, G_GNUC_UNUSED guint n_in,                 \
                                   G_GNUC_UNUSED guint64 variant, double *WEIR_RESTRICT out,       \
                                   gssize step, gsize n)                                           \
  {                                                                                                \
    if (n == 1)                                                                                    \
      {                                                                                            \
        double a = in[0].base[0], b = in[1].base[0], c = in[2].base[0];                            \
        out[0] = (expression);                                                                     \
        return;                                                                                    \
      }                                                                                            \
    const double *in_a = in[0].base, *in_b = in[1].base, *in_c = in[2].base;                       \
    gssize step_a = in[0].stride, step_b = in[1].stride, step_c = in[2].stride;                    \
    if (step_a == 1 && step_b == 1 && step_c == 1 && step == 1)                                    \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i], b = in_b[i], c = in_c[i];                                            \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else                                                                                           \
      WEIR_KERNEL_UNROLL for (gssize i = 0; i < (gssize) n; i++)                                   \
      {                                                                                            \
        double a = in_a[i * step_a], b = in_b[i * step_b], c = in_c[i * step_c];                   \
        out[i * step] = (expression);                                                              \
      }                                                                                            \
  }                                                                                                \
  WEIR_KERNEL_FORMS (name)                                                                         \
  WEIR_KERNEL_SAYS (name, #a ", " #b ", " #c, #expression, { 0, 0 }, { 0, 0 }, 0, 0)

#define WEIR_KERNEL_4(name, a, b, c, d, expression)                                                \
  WEIR_SIMD_BODY void name##_body (const WeirStream *in, G_GNUC_UNUSED guint n_in,                 \
                                   G_GNUC_UNUSED guint64 variant, double *WEIR_RESTRICT out,       \
                                   gssize step, gsize n)                                           \
  {                                                                                                \
    if (n == 1)                                                                                    \
      {                                                                                            \
        double a = in[0].base[0], b = in[1].base[0], c = in[2].base[0], d = in[3].base[0];         \
        out[0] = (expression);                                                                     \
        return;                                                                                    \
      }                                                                                            \
    const double *in_a = in[0].base, *in_b = in[1].base, *in_c = in[2].base, *in_d = in[3].base;   \
    gssize step_a = in[0].stride, step_b = in[1].stride, step_c = in[2].stride,                    \
           step_d = in[3].stride;                                                                  \
    if (step_a == 1 && step_b == 1 && step_c == 1 && step_d == 1 && step == 1)                     \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i], b = in_b[i], c = in_c[i], d = in_d[i];                               \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else                                                                                           \
      WEIR_KERNEL_UNROLL for (gssize i = 0; i < (gssize) n; i++)                                   \
      {                                                                                            \
        double a = in_a[i * step_a], b = in_b[i * step_b], c = in_c[i * step_c],                   \
               d = in_d[i * step_d];                                                               \
        out[i * step] = (expression);                                                              \
      }                                                                                            \
  }                                                                                                \
  WEIR_KERNEL_FORMS (name)                                                                         \
  WEIR_KERNEL_SAYS (name, #a ", " #b ", " #c ", " #d, #expression, { 0, 0 }, { 0, 0 }, 0, 0)

#define WEIR_KERNEL_5(name, a, b, c, d, e, expression)                                             \
  WEIR_SIMD_BODY void name##_body (const WeirStream *in, G_GNUC_UNUSED guint n_in,                 \
                                   G_GNUC_UNUSED guint64 variant, double *WEIR_RESTRICT out,       \
                                   gssize step, gsize n)                                           \
  {                                                                                                \
    if (n == 1)                                                                                    \
      {                                                                                            \
        double a = in[0].base[0], b = in[1].base[0], c = in[2].base[0], d = in[3].base[0],         \
               e = in[4].base[0];                                                                  \
        out[0] = (expression);                                                                     \
        return;                                                                                    \
      }                                                                                            \
    const double *in_a = in[0].base, *in_b = in[1].base, *in_c = in[2].base, *in_d = in[3].base,   \
                 *in_e = in[4].base;                                                               \
    gssize step_a = in[0].stride, step_b = in[1].stride, step_c = in[2].stride,                    \
           step_d = in[3].stride, step_e = in[4].stride;                                           \
    if (step_a == 1 && step_b == 1 && step_c == 1 && step_d == 1 && step_e == 1 && step == 1)      \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          double a = in_a[i], b = in_b[i], c = in_c[i], d = in_d[i], e = in_e[i];                  \
          out[i] = (expression);                                                                   \
        }                                                                                          \
    else                                                                                           \
      WEIR_KERNEL_UNROLL for (gssize i = 0; i < (gssize) n; i++)                                   \
      {                                                                                            \
        double a = in_a[i * step_a], b = in_b[i * step_b], c = in_c[i * step_c],                   \
               d = in_d[i * step_d], e = in_e[i * step_e];                                         \
        out[i * step] = (expression);                                                              \
      }                                                                                            \
  }                                                                                                \
  WEIR_KERNEL_FORMS (name)                                                                         \
  WEIR_KERNEL_SAYS (name, #a ", " #b ", " #c ", " #d ", " #e, #expression, { 0, 0 }, { 0, 0 }, 0, 0)

WEIR_END_DECLS
