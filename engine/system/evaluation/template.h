/* Templates: kernels as code made at run time.
 *
 * A kernel's text (WEIR_KERNEL_SAYS) is read once and kept as a short list of operations, from
 * which the code of each entry is made. Nothing is taken on trust: before a template is used, its
 * code and the kernel are compared on special values and others, and where two operands of a sum or
 * product are both no numbers, the order in which the C compiler has them is found out. A template
 * that gives other bits is none.
 *
 * Thread: *any*; templates live as long as the process.
 */
#pragma once

#include "native/native.h"
#include "system/structure/kernel.h"

G_BEGIN_DECLS

#define WEIR_TEMPLATE_MAX_OPERANDS 64

typedef struct _WeirTemplate WeirTemplate;

/* Of @kernel with so many operands and this @variant; NULL: it is to be called. */
const WeirTemplate *weir_template_get (WeirKernel kernel, guint n_in, guint64 variant);

/* What it computes from @operands. */
WeirNativeValue weir_template_build (const WeirTemplate *self, WeirNativeBuilder *builder,
                                     const WeirNativeValue *operands);

/* Takes what a kernel's text says, operand by operand and operation by operation; both give a
 * number by which the result is told. */
typedef struct {
  guint (*number) (gpointer data, double value);
  /* @name: of a function, or "+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "&&", "||",
   * "?" of a condition and two values, "negative". */
  guint (*operation) (gpointer data, const char *name, const guint *arguments, guint n);
  gpointer data;
} WeirKernelReader;

/* Reads the text of @kernel, whose operands are told by @operands. @result: what it computes.
 * FALSE: it has none, or one that names other functions than those of numbers. */
gboolean weir_kernel_text_read (WeirKernel kernel, guint n_in, guint64 variant,
                                const guint *operands, const WeirKernelReader *reader,
                                guint *result);

/* Calls @visit with every text there is. */
void weir_template_foreach_text (void (*visit) (const WeirKernelText *text, gpointer data),
                                 gpointer data);

G_END_DECLS
