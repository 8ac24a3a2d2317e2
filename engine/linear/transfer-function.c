/* Transfer functions as polynomials. See transfer-function.h. */
#include "linear/transfer-function.h"

#include <math.h>

/* The coefficients of the polynomial with these roots, highest first. */
static double *
expand (const GArray *roots)
{
  g_autofree double complex *p = g_new0 (double complex, roots->len + 1);
  double *real = g_new (double, roots->len + 1);

  p[0] = 1;
  for (guint i = 0; i < roots->len; i++)
    for (guint k = i + 1; k > 0; k--)
      p[k] -= g_array_index (roots, double complex, i) * p[k - 1];
  for (guint k = 0; k <= roots->len; k++)
    real[k] = creal (p[k]);
  return real;
}

/* Of G over zeros and poles at a place where neither is. */
static double
find_factor (const WeirLinear *linear, const GArray *zeros, const GArray *poles)
{
  g_autoptr (WeirResponse) response = weir_response_new (linear);
  double complex value, ratio = 1, s = 1;

  for (guint i = 0; i < poles->len; i++)
    s = MAX (creal (s), 2 * cabs (g_array_index (poles, double complex, i)) + 1);
  for (guint i = 0; i < zeros->len; i++)
    s = MAX (creal (s), 2 * cabs (g_array_index (zeros, double complex, i)) + 1);
  if (!weir_response_eval_at (response, linear->period > 0 ? clog (s) / linear->period : s, &value))
    return (double) NAN;
  for (guint i = 0; i < poles->len; i++)
    ratio *= s - g_array_index (poles, double complex, i);
  for (guint i = 0; i < zeros->len; i++)
    ratio /= s - g_array_index (zeros, double complex, i);
  return creal (value * ratio);
}

WeirTransferFunction *
weir_transfer_function_new (const WeirLinear *linear)
{
  g_autoptr (WeirTransferFunction) self = NULL;
  g_autoptr (GArray) zeros = NULL;
  g_autoptr (GArray) poles = NULL;
  double factor;

  g_return_val_if_fail (linear->n_inputs == 1 && linear->n_outputs == 1, NULL);

  if (linear->n_delays > 0 || linear->n_slots > 1)
    return NULL;
  zeros = weir_linear_list_zeros (linear);
  poles = weir_linear_list_poles (linear);
  factor = find_factor (linear, zeros, poles);
  if (!isfinite (factor))
    return NULL;
  self = g_new0 (WeirTransferFunction, 1);
  self->numerator_degree = zeros->len;
  self->denominator_degree = poles->len;
  self->numerator = expand (zeros);
  self->denominator = expand (poles);
  for (guint k = 0; k <= zeros->len; k++)
    self->numerator[k] *= factor;
  return g_steal_pointer (&self);
}

void
weir_transfer_function_free (WeirTransferFunction *self)
{
  if (self == NULL)
    return;
  g_free (self->numerator);
  g_free (self->denominator);
  g_free (self);
}
