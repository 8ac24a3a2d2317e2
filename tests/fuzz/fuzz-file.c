/* A target of libFuzzer: any bytes as a file of the kind that FUZZ_ONE says. Built with clang only;
 * see meson.build. */
#include "one-file.h"

#include "mutate-log.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  FUZZ_ONE (data, size);
  return 0;
}

/* Of libFuzzer: changes any bytes in place. */
gsize LLVMFuzzerMutate (guint8 *data, gsize size, gsize most);
gsize LLVMFuzzerCustomMutator (guint8 *data, gsize size, gsize most, unsigned seed);

#ifdef FUZZ_LOGS

/* Mostly by record. */
gsize
LLVMFuzzerCustomMutator (guint8 *data, gsize size, gsize most, unsigned seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GBytes) bytes = seed % 16 != 0 ? mutate_log (rand, data, size) : NULL;

  if (bytes == NULL || g_bytes_get_size (bytes) > most)
    return LLVMFuzzerMutate (data, size, most);
  memcpy (data, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return g_bytes_get_size (bytes);
}

#elif defined FUZZ_CHECKPOINTS

/* Begins with one that is good now: a stored one would be of an older model or engine. */
gsize
LLVMFuzzerCustomMutator (guint8 *data, gsize size, gsize most, G_GNUC_UNUSED unsigned seed)
{
  g_autoptr (GBytes) good = fuzz_make_checkpoint ();
  gsize n = g_bytes_get_size (good);

  if (size > 1 || n > most)
    return LLVMFuzzerMutate (data, size, most);
  memcpy (data, g_bytes_get_data (good, NULL), n);
  return n;
}

#endif
