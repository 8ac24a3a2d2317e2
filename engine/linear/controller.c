/* Controllers that feed states back. See controller.h. */
#include "linear/controller.h"

#include "base/error.h"
#include "base/text.h"

WeirMatrix *
weir_weight_new (const double *values, guint size, guint n)
{
  WeirMatrix *weight;

  if (size != 1 && size != n && size != n * n)
    return NULL;
  weight = weir_matrix_new (n, n);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      *weir_matrix_at (weight, i, j) = size == 1   ? (i == j) * values[0]
                                       : size == n ? (i == j) * values[i]
                                                   : values[i * n + j];
  return weight;
}

double complex *
weir_poles_new (const double *values, guint size, guint n)
{
  double complex *poles;

  if (size != n && size != 2 * n)
    return NULL;
  poles = g_new0 (double complex, n + 1);
  for (guint i = 0; i < n; i++)
    poles[i] = size == n ? values[i] : values[2 * i] + WEIR_I * values[2 * i + 1];
  return poles;
}

static WeirMatrix *
find_estimate (const WeirLinear *plant, const WeirControllerWish *wish, const char **why)
{
  g_autoptr (WeirMatrix) at = NULL;
  g_autoptr (WeirMatrix) ct = NULL;
  g_autoptr (WeirMatrix) lt = NULL;

  if (!wish->by_poles)
    return weir_design_estimator (plant->a, plant->c, wish->w, wish->v, plant->period > 0, NULL,
                                  why);
  at = weir_matrix_transpose (plant->a);
  ct = weir_matrix_transpose (plant->c);
  lt = weir_design_place (at, ct, wish->observer_poles, why);
  if (lt != NULL)
    return weir_matrix_transpose (lt);
  *why = N_ ("the outputs do not show every state, or complex poles are not in pairs");
  return NULL;
}

WeirController *
weir_controller_new (const WeirLinear *plant, const WeirControllerWish *wish, GError **error)
{
  g_autoptr (WeirController) self = g_new0 (WeirController, 1);
  const char *why = N_ ("there are delays or several rates: replace them first, by a few states");

  self->plant = weir_linear_dup (plant);
  if (plant->n_delays == 0 && plant->n_slots <= 1)
    {
      why = N_ ("between the points there are no states to feed back");
      if (plant->a->rows > 0)
        self->k = wish->by_poles ? weir_design_place (plant->a, plant->b, wish->loop_poles, &why)
                                 : weir_design_regulator (plant->a, plant->b, wish->q, wish->r,
                                                          plant->period > 0, &self->x, &why);
      if (self->k != NULL)
        self->l = find_estimate (plant, wish, &why);
      if (self->l != NULL)
        return g_steal_pointer (&self);
    }
  weir_error_set (error, WEIR_ERROR_FAILED, "%s", why);
  return NULL;
}

void
weir_controller_free (WeirController *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->plant, weir_linear_free);
  g_clear_pointer (&self->k, weir_matrix_free);
  g_clear_pointer (&self->l, weir_matrix_free);
  g_clear_pointer (&self->x, weir_matrix_free);
  g_free (self);
}

WeirMatrix *
weir_controller_make_a (const WeirController *self)
{
  g_autoptr (WeirMatrix) lc = weir_matrix_times (self->l, self->plant->c);

  return weir_matrix_plus (self->plant->a, -1, lc);
}

WeirMatrix *
weir_controller_make_b (const WeirController *self)
{
  g_autoptr (WeirMatrix) ld = weir_matrix_times (self->l, self->plant->d);
  g_autoptr (WeirMatrix) of_u = weir_matrix_plus (self->plant->b, -1, ld);
  WeirMatrix *b = weir_matrix_new (of_u->rows, of_u->columns + self->l->columns);

  weir_matrix_put (b, 0, 0, of_u);
  weir_matrix_put (b, 0, of_u->columns, self->l);
  return b;
}
