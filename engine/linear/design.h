/* Controllers from linear systems: regulators, estimators, placed poles, and rules for PID
 * controllers.
 *
 * Thread: *any*.
 */
#pragma once

#include "linear/state-space.h"

G_BEGIN_DECLS

/* --- States fed back ------------------------------------------------------------------------- */

/* u = -K x for which the integral (or sum, @in_steps) of x' Q x + u' R u is least: the stabilising
 * solution X of Riccati's equation by its Hamiltonian's invariant subspace (Laub, IEEE Trans.
 * Autom. Control 24, 1979). @x: nullable. NULL and @why (a sentence, static) if there is none.
 * (transfer full) */
WeirMatrix *weir_design_regulator (const WeirMatrix *a, const WeirMatrix *b, const WeirMatrix *q,
                                   const WeirMatrix *r, gboolean in_steps, WeirMatrix **x,
                                   const char **why);
/* L of x^' = A x^ + B u + L (y - C x^) for noise of intensity W on the states' derivatives and V on
 * the outputs; in steps L of the prediction of the next state. @p: their covariance; nullable.
 * (transfer full) */
WeirMatrix *weir_design_estimator (const WeirMatrix *a, const WeirMatrix *c, const WeirMatrix *w,
                                   const WeirMatrix *v, gboolean in_steps, WeirMatrix **p,
                                   const char **why);
/* K for which A - B K has these n poles (complex ones in pairs): Ackermann's formula; of several
 * inputs all are used alike. (transfer full) */
WeirMatrix *weir_design_place (const WeirMatrix *a, const WeirMatrix *b,
                               const double complex *poles, const char **why);

/* --- PID ------------------------------------------------------------------------------------- */

/* k exp (-L s) / ((T s + 1) (second s + 1)); integrating: k exp (-L s) / (s (second s + 1)). */
typedef struct {
  double gain, delay, lag, second; /* k, L, T; s */
  gboolean is_integrating;
} WeirProcess;

/* Kp (1 + 1 / (Ti s) + Td s): no integral part is Ti = INFINITY. Series: Kp (1 + 1 / (Ti s)) (1 +
 * Td s).
 */
typedef struct {
  double kp, ti, td;
  gboolean is_series;
} WeirPid;

typedef enum {
  WEIR_TUNE_ZN_P,
  WEIR_TUNE_ZN_PI,
  WEIR_TUNE_ZN_PID,
  WEIR_TUNE_ULTIMATE_P, /* Ziegler and Nichols, from Ku and Tu */
  WEIR_TUNE_ULTIMATE_PI,
  WEIR_TUNE_ULTIMATE_PID,
  WEIR_TUNE_SIMC,     /* Skogestad: PI, or PID in series where there is a second lag */
  WEIR_TUNE_AMIGO_PI, /* Astrom and Hagglund */
  WEIR_TUNE_AMIGO_PID,
  WEIR_N_TUNES,
} WeirTune;

const char *weir_tune_get_name (WeirTune rule); /* "simc" */
gboolean weir_tune_find (const char *name, WeirTune *rule);
gboolean weir_tune_is_ultimate (WeirTune rule);

/* @closed: SIMC's time constant of the closed loop; 0: as long as the delay. FALSE where the rule
 * has no answer for such a process. */
gboolean weir_tune (WeirTune rule, const WeirProcess *process, double closed, WeirPid *pid);
/* From the gain at which a loop oscillates, and its period (s). */
void weir_tune_ultimate (WeirTune rule, double ku, double tu, WeirPid *pid);
/* The controller with which a loop has a phase margin (degrees) at the crossover @omega (rad/s):
 * @plant, of one input and output, is the rest of it. PI; or PID with Ti = 4 Td, whose derivative
 * is right up to @filter (rad/s), or ten times 1 / Td. Of a sampled plant the integral is the sum
 * up to the step before, and the derivative's filter exact. FALSE and @why (a sentence, static): it
 * would have to turn the phase by more than it can, or the plant has no one response there. */
gboolean weir_tune_margin (const WeirLinear *plant, double omega, double margin,
                           gboolean with_derivative, double filter, WeirPid *pid, const char **why);
/* The least bandwidth (rad/s) of the derivative part with such a Td, s. */
double weir_tune_get_filter (double td);
/* What a relay of amplitude @d makes of it: an oscillation of amplitude @a. */
double weir_tune_get_relay_gain (double d, double a);

/* Skogestad's half rule: lags (s, any order; right half plane zeros as delays) become one or two,
 * and a delay. */
WeirProcess weir_process_by_half_rule (double gain, guint n, const double *lags, double delay,
                                       gboolean with_second);
/* The same of a linear system of one input and output: its poles are lags, its zeros cancel the
 * nearest ones. FALSE: complex or unstable poles, which the rule has no answer for. */
gboolean weir_process_find (const WeirLinear *plant, gboolean with_second, WeirProcess *process,
                            const char **why);

G_END_DECLS
