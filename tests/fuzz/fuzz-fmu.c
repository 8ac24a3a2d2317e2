/* A target of libFuzzer: any bytes as what FUZZ_ONE reads of an FMU. Built with clang only; see
 * meson.build. */
#include "one-fmu.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FUZZ_ONE (data, size);
  return 0;
}
