/* The kernel that the engine itself knows. See kernel.h; compiled with -O3. */
#include "system/structure/kernel.h"

WEIR_KERNEL_1 (copy, u, u)

void
weir_kernel_copy (const WeirStream *in, guint n_in, guint64 variant, double *restrict out,
                  gssize step, gsize n)
{
  copy (in, n_in, variant, out, step, n);
}

WEIR_KERNEL_SAYS (weir_kernel_copy, "u", "u", { 0, 0 }, { 0, 0 }, 0, 0)
