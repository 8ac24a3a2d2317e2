/* Products of 128 bits. Thread: *any*. */
#pragma once

#include <glib.h>

/* The upper half of a * b; *@low: the lower. */
static inline guint64
weir_multiply_wide (guint64 a, guint64 b, guint64 *low)
{
  __extension__ typedef unsigned __int128 Wide;
  Wide product = (Wide) a * b;

  *low = (guint64) product;
  return (guint64) (product >> 64);
}
