/* See fourier.h. */
#include "numerics/fourier.h"

#include <math.h>
#include <string.h>

static void
swap (double *a, double *b)
{
  double kept = *a;

  *a = *b;
  *b = kept;
}

/* Puts element k to where its bits stand the other way round. */
static void
reverse_bits (gsize n, double *re, double *im)
{
  for (gsize k = 1, j = 0; k < n; k++)
    {
      gsize bit = n >> 1;

      for (; (j & bit) != 0; bit >>= 1)
        j ^= bit;
      j |= bit;
      if (k < j)
        {
          swap (&re[k], &re[j]);
          swap (&im[k], &im[j]);
        }
    }
}

/* @cosine, @sine: of 2 pi k / n, k < n / 2. */
static void
combine_halves (gsize n, gsize half, const double *cosine, const double *sine, double *re,
                double *im)
{
  gsize stride = n / (2 * half);

  for (gsize begin = 0; begin < n; begin += 2 * half)
    for (gsize k = 0; k < half; k++)
      {
        gsize a = begin + k, b = a + half;
        double c = cosine[k * stride], s = -sine[k * stride];
        double x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;

        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
}

static void
transform_power_of_two (gsize n, double *re, double *im)
{
  g_autofree double *cosine = g_new (double, n / 2 + 1);
  g_autofree double *sine = g_new (double, n / 2 + 1);

  for (gsize k = 0; k < n / 2; k++)
    {
      cosine[k] = cos (2 * G_PI * (double) k / (double) n);
      sine[k] = sin (2 * G_PI * (double) k / (double) n);
    }
  reverse_bits (n, re, im);
  for (gsize half = 1; half < n; half *= 2)
    combine_halves (n, half, cosine, sine, re, im);
}

/* X_k = c_k sum (x_m c_m) conj (c_(k - m)) with c_m = exp (-i pi m^2 / n). */
static void
transform_any (gsize n, double *re, double *im)
{
  gsize size = 1;
  g_autofree double *cosine = g_new (double, n);
  g_autofree double *sine = g_new (double, n);
  g_autofree double *memory = NULL;
  double *a_re, *a_im, *b_re, *b_im;

  while (size < 2 * n - 1)
    size *= 2;
  memory = g_new0 (double, 4 * size);
  a_re = memory;
  a_im = memory + size;
  b_re = memory + 2 * size;
  b_im = memory + 3 * size;
  for (gsize m = 0; m < n; m++)
    {
      /* m^2 modulo 2 n: the angle of a large square would have no digits left. */
      double angle = G_PI * (double) ((guint64) m * m % (2 * (guint64) n)) / (double) n;

      cosine[m] = cos (angle);
      sine[m] = sin (angle);
      a_re[m] = re[m] * cosine[m] + im[m] * sine[m];
      a_im[m] = im[m] * cosine[m] - re[m] * sine[m];
      b_re[m] = b_re[(size - m) % size] = cosine[m];
      b_im[m] = b_im[(size - m) % size] = sine[m];
    }
  transform_power_of_two (size, a_re, a_im);
  transform_power_of_two (size, b_re, b_im);
  for (gsize k = 0; k < size; k++)
    {
      double x = a_re[k] * b_re[k] - a_im[k] * b_im[k];

      /* Conjugated: the transform of that is the inverse's conjugate. */
      a_im[k] = -(a_re[k] * b_im[k] + a_im[k] * b_re[k]);
      a_re[k] = x;
    }
  transform_power_of_two (size, a_re, a_im);
  for (gsize k = 0; k < n; k++)
    {
      double x = a_re[k] / (double) size, y = -a_im[k] / (double) size;

      re[k] = x * cosine[k] + y * sine[k];
      im[k] = y * cosine[k] - x * sine[k];
    }
}

void
weir_fourier_transform (gsize n, double *re, double *im)
{
  if (n < 2)
    return;
  if ((n & (n - 1)) == 0)
    transform_power_of_two (n, re, im);
  else
    transform_any (n, re, im);
}
