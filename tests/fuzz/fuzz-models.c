/* The target of libFuzzer: any bytes as a model file. Built with clang only; see meson.build. */
#include "one-model.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  fuzz_one_model (data, size);
  return 0;
}
