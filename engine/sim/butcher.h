/* Explicit Runge-Kutta methods as data.
 *
 * A method of s stages: k_i = f(t + c_i h, x + h sum_j a_ij k_j), x_new = x + h sum_i b_i k_i.
 * Where it carries an error estimate, e_i = b_i - b*_i of the embedded method.
 * `first_same_as_last`: the last stage is f at the new point (a_s = b), hence the first stage of
 * the next step. `dense`: a continuous extension, x(t + theta h) = x + h sum_i k_i sum_j dense_ij
 * theta^(j+1). It may take stages beyond those of the step.
 *
 * With a second, lower estimate e_low the error is e^2 / sqrt (e^2 + 0.01 e_low^2), by norms: of
 * higher order than either where both are of use (Hairer, Norsett & Wanner, II.10).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_BUTCHER_MAX_STAGES 16 /* with those of the continuous extension */
#define WEIR_BUTCHER_MAX_DENSE 7

typedef struct {
  const char *name;
  guint n_stages;
  guint n_dense_stages; /* more, after them */
  guint order;
  guint error_order; /* of the embedded method; 0 = no error estimate */
  gboolean first_same_as_last;
  double c[WEIR_BUTCHER_MAX_STAGES];
  double a[WEIR_BUTCHER_MAX_STAGES][WEIR_BUTCHER_MAX_STAGES];
  double b[WEIR_BUTCHER_MAX_STAGES];
  double e[WEIR_BUTCHER_MAX_STAGES];
  double e_low[WEIR_BUTCHER_MAX_STAGES]; /* 0 throughout: there is none */
  guint n_dense;                         /* powers; 0 = cubic Hermite interpolation instead */
  double dense[WEIR_BUTCHER_MAX_STAGES][WEIR_BUTCHER_MAX_DENSE];
} WeirButcherTable;

/* The tables that there are; static. */
guint weir_butcher_get_n (void);
const WeirButcherTable *weir_butcher_get (guint i);
const WeirButcherTable *weir_butcher_find (const char *name); /* NULL if unknown */

G_END_DECLS
