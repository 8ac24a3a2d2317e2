/* Continuous systems in steps. See sampling.h. */
#include "linear/sampling.h"

#include <math.h>

/* x (h) = P x (0) + Q u (0) + R (u (h) - u (0)), of inputs that go straight in between. */
static WeirMatrix *
exp_with_inputs (const WeirLinear *self, double period)
{
  guint n = self->a->rows, m = self->b->columns;
  g_autoptr (WeirMatrix) whole = weir_matrix_new (n + 2 * m, n + 2 * m);

  weir_matrix_put (whole, 0, 0, self->a);
  weir_matrix_put (whole, 0, n, self->b);
  for (guint i = 0; i < m; i++)
    *weir_matrix_at (whole, n + i, n + m + i) = 1 / period;
  return weir_matrix_exp (whole, period);
}

static WeirLinear *
sample_held (const WeirLinear *self, WeirSampling sampling, double period)
{
  guint n = self->a->rows, m = self->b->columns;
  g_autoptr (WeirMatrix) whole = exp_with_inputs (self, period);
  g_autoptr (WeirMatrix) a = weir_matrix_part (whole, 0, 0, n, n);
  g_autoptr (WeirMatrix) b = weir_matrix_part (whole, 0, n, n, m);
  g_autoptr (WeirMatrix) ramp = weir_matrix_part (whole, 0, n + m, n, m);
  g_autoptr (WeirMatrix) through = weir_matrix_times (self->c, ramp);
  g_autoptr (WeirMatrix) on = weir_matrix_times (a, ramp);
  g_autoptr (WeirMatrix) rest = weir_matrix_plus (b, -1, ramp);

  if (sampling == WEIR_SAMPLING_HOLD)
    return weir_linear_new (g_steal_pointer (&a), g_steal_pointer (&b), weir_matrix_dup (self->c),
                            weir_matrix_dup (self->d), 0, NULL);
  /* With x - R u as states, no input is ahead of its time. */
  return weir_linear_new (g_steal_pointer (&a), weir_matrix_plus (rest, 1, on),
                          weir_matrix_dup (self->c), weir_matrix_plus (self->d, 1, through), 0,
                          NULL);
}

/* @h: the period, or what takes its place where the rule is to be exact elsewhere than at 0. */
static WeirLinear *
sample_by_tustin (const WeirLinear *self, double h)
{
  guint n = self->a->rows;
  g_autoptr (WeirMatrix) one = weir_matrix_identity (n);
  g_autoptr (WeirMatrix) back = weir_matrix_plus (one, -h / 2, self->a);
  g_autoptr (WeirMatrix) forth = weir_matrix_plus (one, h / 2, self->a);
  g_autoptr (WeirMatrix) inverse = weir_matrix_solve (back, one);
  g_autoptr (WeirMatrix) nothing = weir_matrix_new (n, self->b->columns);
  g_autoptr (WeirMatrix) scaled = weir_matrix_plus (nothing, h, self->b);
  g_autoptr (WeirMatrix) b = NULL;
  g_autoptr (WeirMatrix) through = NULL;

  if (inverse == NULL)
    return NULL;
  b = weir_matrix_times (inverse, scaled);
  through = weir_matrix_times (self->c, b);
  return weir_linear_new (weir_matrix_times (inverse, forth), g_steal_pointer (&b),
                          weir_matrix_times (self->c, inverse),
                          weir_matrix_plus (self->d, 0.5, through), 0, NULL);
}

WeirLinear *
weir_linear_sample (const WeirLinear *self, WeirSampling sampling, double period, double omega)
{
  WeirLinear *sampled;

  g_return_val_if_fail (self->period == 0 && period > 0, NULL);
  g_return_val_if_fail (omega >= 0 && omega * period < G_PI, NULL);

  if (self->n_delays > 0)
    return NULL;
  sampled = sampling == WEIR_SAMPLING_TUSTIN
                ? sample_by_tustin (self, omega > 0 ? 2 / omega * tan (omega * period / 2) : period)
                : sample_held (self, sampling, period);
  if (sampled != NULL)
    sampled->period = period;
  return sampled;
}
