/* The target of libFuzzer: any bytes as a text of equations. Built with clang only; see
 * meson.build. */
#include "one-text.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);

  fuzz_one (text);
  return 0;
}
