/* The discrete Fourier transform of any length: X_k = sum of x_m exp (-2 pi i k m / n).
 *
 * Powers of two by Cooley and Tukey's halves; other lengths as a convolution of such (Bluestein,
 * IEEE Trans. Audio Electroacoust. 18, 1970), so that a length which holds whole periods needs no
 * padding. Every factor is computed from its own angle, none by recurrence: errors grow with the
 * logarithm of n. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @re, @im: n values each, replaced by their transform. */
void weir_fourier_transform (gsize n, double *re, double *im);

G_END_DECLS
