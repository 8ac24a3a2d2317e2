/* A target of libFuzzer: any bytes as a file of the kind that FUZZ_ONE says. Built with clang only;
 * see meson.build. */
#include "one-file.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FUZZ_ONE (data, size);
  return 0;
}
