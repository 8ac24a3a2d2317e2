/* Random numbers that are functions of a counter: number n of a stream of a seed is always the
 * same, whatever was asked for before. So nothing needs to be remembered, runs repeat, checkpoints
 * continue, and the order of evaluation does not matter. A counter is put through a mixing function
 * of 64 bits (Steele, Lea and Flood's SplitMix). Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

static inline guint64
weir_random_mix (guint64 z)
{
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Above 0 and below 1: 52 bits and a half. */
static inline double
weir_random_uniform (guint64 seed, guint64 n, guint64 stream)
{
  guint64 key = weir_random_mix (seed + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * (stream + 1));
  guint64 bits = weir_random_mix (key + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) * n);

  return ((double) (bits >> 12) + 0.5) * 0x1p-52;
}

G_END_DECLS
