/* Linear systems as matrices:
 *
 *   x' = A x + B u, y = C x + D u          or, in steps of @period, x[k + 1] = A x[k] + ...
 *
 * Delays are outside of the matrices, exactly: the last inputs are w, the last outputs z, and
 * w_i (t) = z_i (t - delays[i]). Where several rates meet, a step is the time after which all of
 * them repeat, in @n_slots equal parts: inputs and outputs are then those of the first part, of the
 * second, and so on. Thread: *any*; nothing changes once it is made.
 */
#pragma once

#include "linear/matrix.h"

G_BEGIN_DECLS

typedef struct {
  WeirMatrix *a, *b, *c, *d;
  guint n_inputs, n_outputs; /* without delays; of one slot */
  guint n_delays;
  double *delays; /* s; NULL where there is none */
  double period;  /* s; 0: continuous */
  guint n_slots;  /* 1, but for several rates */
} WeirLinear;

/* Takes the matrices; @delays: copied. (transfer full) */
WeirLinear *weir_linear_new (WeirMatrix *a, WeirMatrix *b, WeirMatrix *c, WeirMatrix *d,
                             guint n_delays, const double *delays);
void weir_linear_free (WeirLinear *self);
WeirLinear *weir_linear_dup (const WeirLinear *self);
/* One input and one output of it, with all delays. (transfer full) */
WeirLinear *weir_linear_pick (const WeirLinear *self, guint output, guint input);
/* With all outputs times @factor. (transfer full) */
WeirLinear *weir_linear_scale (const WeirLinear *self, double factor);
/* L / (1 + L), with as many inputs as outputs: y = L (u - y). NULL: 1 + L has no inverse at once,
 * an algebraic loop without a solution. (transfer full) */
WeirLinear *weir_linear_close (const WeirLinear *self);
/* Inputs that go nowhere and outputs that nothing drives, states between them left out: what no
 * input reaches or no output sees, to rounding. (transfer full) */
WeirLinear *weir_linear_reduce (const WeirLinear *self);

/* Without states and delays that lie on no way from an input to an output: where a zero stands, not
 * what is small. (transfer full) */
WeirLinear *weir_linear_prune (const WeirLinear *self);
/* Its states' numbers in the whole. (element-type guint) (transfer full) */
GArray *weir_linear_list_on_the_way (const WeirLinear *self);

/* A, B, C, D and the sample time Ts (0: continuous) as a MAT file; with delays, those too.
 * (transfer full) */
GBytes *weir_linear_to_mat (const WeirLinear *self);

guint weir_linear_get_n_states (const WeirLinear *self);
/* Eigenvalues of A, n_states each, by falling real part. Delays are not in them. */
gboolean weir_linear_get_poles (const WeirLinear *self, double *re, double *im);
/* The same as a list; empty where they are not found. (element-type double complex) (transfer full)
 */
GArray *weir_linear_list_poles (const WeirLinear *self);
/* Transmission zeros: where the rank of [A - z, B; C, D] falls (Emami-Naeini & Van Dooren,
 * Automatica 18, 1982). (element-type double complex) (transfer full) */
GArray *weir_linear_list_zeros (const WeirLinear *self);

/* --- Frequency response ---------------------------------------------------------------------- */

/* A system prepared to be evaluated at many frequencies: A as a Hessenberg matrix. */
typedef struct _WeirResponse WeirResponse;

/* (transfer full) */
WeirResponse *weir_response_new (const WeirLinear *linear);
void weir_response_free (WeirResponse *self);
/* G (i omega), or G (exp (i omega period)); n_outputs by n_inputs, row by row. Of several rates:
 * what of a sine comes out at its own frequency. FALSE at a pole. */
gboolean weir_response_eval (WeirResponse *self, double omega, double complex *g);
/* The same at any s; of a sampled system at z = exp (s period). */
gboolean weir_response_eval_at (WeirResponse *self, double complex s, double complex *g);
/* det (I - G22 E), the characteristic function of what lies between the delays, over that of A: its
 * zeros are the poles that delays make. */
double complex weir_response_eval_delays (WeirResponse *self, double complex s);

/* Frequencies at which a response is worth looking at: a decade beyond all poles and zeros, to
 * whole decades, more points about each that is hardly damped; of a sampled system up to half its
 * rate. (element-type double) (transfer full) */
GArray *weir_linear_list_frequencies (const WeirLinear *self, guint n);

/* The phase (degrees) of a system of one input and output, continuous over frequency: the arguments
 * of its poles and zeros, -90 for each integrator, exactly of a delay in series. Where a delay lies
 * in a loop, of the values alone, by less than 180 degrees from one to the next. @phases: n
 * numbers. */
void weir_linear_get_phases (const WeirLinear *self, guint n, const double *frequencies,
                             const double complex *values, double *phases);

/* How many poles lie right of the imaginary axis, or outside of the unit circle: those on it, to
 * rounding, are not counted. With delays by the turns of the characteristic function. FALSE: they
 * cannot be counted. */
gboolean weir_linear_count_unstable (const WeirLinear *self, guint *n);

/* --- Norms ----------------------------------------------------------------------------------- */

typedef enum {
  WEIR_NORM_FOUND,
  WEIR_NORM_UNSTABLE,  /* infinite */
  WEIR_NORM_NOT_FOUND, /* an iteration does not end; H2 of a system that passes steps on at once is
                          infinite */
} WeirNormOutcome;

/* The largest gain over all frequencies, and where (rad/s): Bruinsma & Steinbuch, Syst. Control
 * Lett. 14, 1990; of systems with delays a grid, polished. */
WeirNormOutcome weir_linear_get_peak_gain (const WeirLinear *self, double *gain, double *omega);
/* sqrt (integral of |G|^2 / 2 pi), by Lyapunov's equation. */
WeirNormOutcome weir_linear_get_h2 (const WeirLinear *self, double *norm);
/* n_states falling values: sqrt (eigenvalues of P Q), the Gramians. */
WeirNormOutcome weir_linear_get_hankel (const WeirLinear *self, double *values);

/* A P + P A' + Q = 0, or A P A' - P + Q = 0 (@in_steps). NULL if A has no such solution. (transfer
 * full) */
WeirMatrix *weir_solve_lyapunov (const WeirMatrix *a, const WeirMatrix *q, gboolean in_steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLinear, weir_linear_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirResponse, weir_response_free)

G_END_DECLS
