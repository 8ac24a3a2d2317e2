/* How far a loop is from instability: all crossings, margins, encirclements; and its root locus.
 *
 * L is the loop with its sign flipped: 1 + L is what decides. A loop may have several crossings of
 * each kind; the margins are the smallest of them, and whether the loop is stable at all is counted
 * apart. Thread: *any*.
 */
#pragma once

#include "linear/state-space.h"

G_BEGIN_DECLS

typedef struct {
  double omega;        /* rad/s */
  double gain_margin;  /* where L is real and negative: the factor that brings it to -1 */
  double phase_margin; /* degrees in (-180, 180], where |L| is 1: how far L is from -1 */
  double delay_margin; /* s, there: the delay that brings it to -1 */
} WeirCrossing;

typedef struct {
  GArray *phase_crossings; /* WeirCrossing by rising omega: gain_margin */
  GArray *gain_crossings;  /* WeirCrossing by rising omega: phase_margin, delay_margin */
  /* The smallest |log GM|, |PM| and delay margin; NAN and omega NAN where there is no crossing. */
  WeirCrossing gain, phase, delay;
  double sensitivity, sensitivity_omega; /* Ms: max |1 / (1 + L)|; 1 / Ms is the modulus margin */
  double complementary, complementary_omega; /* Mt: max |L / (1 + L)| */
  double bandwidth;     /* rad/s: |T| falls below 1 / sqrt 2 of what it is at 0; NAN: it does not */
  double bandwidth_3db; /* the same with -3 dB, .70795 */
  gboolean is_counted;  /* could what follows be counted? */
  guint n_unstable_open;   /* P: poles of L to the right */
  guint n_unstable_closed; /* Z: of 1 / (1 + L) */
  int encirclements;       /* N = Z - P, clockwise, of -1 */
  gboolean is_algebraic;   /* 1 + L has no inverse at once: there is no closed loop */
} WeirMargins;

/* @l: one input, one output. (transfer full) */
WeirMargins *weir_margins_new (const WeirLinear *l);
void weir_margins_free (WeirMargins *self);

/* The poles of 1 + k L over the gain k. */
typedef struct {
  guint n_roots, n_gains;
  double *gains;         /* rising, from 0 */
  double complex *roots; /* n_gains rows of n_roots; each column is a branch */
  GArray *breaks;        /* WeirLocusBreak */
} WeirLocus;

/* Where branches meet and part. */
typedef struct {
  double complex root;
  double gain;
} WeirLocusBreak;

/* @most: the largest gain, 0: until what moves has left the view of all poles and zeros. NULL if
 * there are delays, several rates, or no state. (transfer full) */
WeirLocus *weir_locus_new (const WeirLinear *l, double most);
void weir_locus_free (WeirLocus *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMargins, weir_margins_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLocus, weir_locus_free)

G_END_DECLS
