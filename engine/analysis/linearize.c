/* Linearisation: the matrices, the states that matter, the poles. See linearize.h. */
#include "analysis/linearize.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "numerics/band.h"
#include "numerics/eigenvalues.h"
#include "base/status.h"

#define MAX_STATES 5000 /* a full A of more fills the memory */

void
weir_linearization_free (WeirLinearization *self)
{
  if (self == NULL)
    return;
  g_free (self->states);
  g_free (self->a);
  g_free (self->b);
  g_free (self->c);
  g_free (self->d);
  g_free (self->xdot);
  g_free (self->y);
  g_free (self->poles_re);
  g_free (self->poles_im);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/* --- States on the way ----------------------------------------------------------------------- */

/* Adds to those @reached all that they lead to, by A; @transposed: all that lead to them. */
static void
find_reached (guint n, const double *a, gboolean transposed, gboolean *reached)
{
  gboolean is_done = FALSE;

  while (!is_done)
    {
      is_done = TRUE;
      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n && !reached[i]; j++)
          if (reached[j] && a[transposed ? (gsize) j * n + i : (gsize) i * n + j] != 0)
            {
              reached[i] = TRUE;
              is_done = FALSE;
            }
    }
}

static gboolean
has_entry (const double *values, guint n, gsize stride)
{
  for (guint i = 0; i < n; i++)
    if (values[i * stride] != 0)
      return TRUE;
  return FALSE;
}

/* Drops the states that no input reaches or that reach no output: they change nothing between the
 * two. */
static void
drop_others (WeirLinearization *self)
{
  guint n = self->n_states, n_kept = 0;
  g_autofree gboolean *from = g_new0 (gboolean, n + 1);
  g_autofree gboolean *to = g_new0 (gboolean, n + 1);
  g_autofree guint32 *kept = g_new (guint32, n + 1);

  for (guint i = 0; i < n; i++)
    {
      from[i] = has_entry (self->b + (gsize) i * self->n_inputs, self->n_inputs, 1);
      to[i] = has_entry (self->c + i, self->n_outputs, n);
    }
  find_reached (n, self->a, FALSE, from);
  find_reached (n, self->a, TRUE, to);
  for (guint i = 0; i < n; i++)
    if (from[i] && to[i])
      kept[n_kept++] = i;
  for (guint i = 0; i < n_kept; i++)
    {
      for (guint j = 0; j < n_kept; j++)
        self->a[(gsize) i * n_kept + j] = self->a[(gsize) kept[i] * n + kept[j]];
      memmove (self->b + (gsize) i * self->n_inputs, self->b + (gsize) kept[i] * self->n_inputs,
               self->n_inputs * sizeof (double));
      self->states[i] = self->states[kept[i]];
      self->xdot[i] = self->xdot[kept[i]];
    }
  for (guint i = 0; i < self->n_outputs; i++)
    for (guint j = 0; j < n_kept; j++)
      self->c[(gsize) i * n_kept + j] = self->c[(gsize) i * n + kept[j]];
  self->n_states = n_kept;
  self->n_left_out = n - n_kept;
}

/* --- The whole ------------------------------------------------------------------------------- */

static double *
new_matrix (guint rows, guint columns)
{
  return g_new0 (double, (gsize) rows *columns + 1);
}

static double
max_of_row (const double *row, guint n, double largest)
{
  for (guint j = 0; j < n; j++)
    largest = fmax (largest, fabs (row[j]));
  return largest;
}

/* The worst row's error beside its largest number. */
static double
judge (const WeirLinearization *self, const double *errors)
{
  guint n = self->n_states, m = self->n_inputs;
  double worst = 0;

  for (guint i = 0; i < n + self->n_outputs; i++)
    {
      const double *left = i < n ? self->a + (gsize) i * n : self->c + (gsize) (i - n) * n;
      const double *right = i < n ? self->b + (gsize) i * m : self->d + (gsize) (i - n) * m;
      double size = max_of_row (right, m, max_of_row (left, n, 0));

      if (size > 0)
        worst = fmax (worst, errors[i] / size);
    }
  return worst;
}

static gboolean
find_poles (WeirLinearization *self, GError **error)
{
  guint n = self->n_states;
  g_autofree double *copy = new_matrix (n, n);

  memcpy (copy, self->a, (gsize) n * n * sizeof *copy);
  self->poles_re = new_matrix (n, 1);
  self->poles_im = new_matrix (n, 1);
  if (weir_find_eigenvalues (n, copy, self->poles_re, self->poles_im))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "the poles cannot be found: the iteration for the eigenvalues of A does not end");
  return FALSE;
}

WeirLinearization *
weir_linearize (WeirOperatingPoint *point, gboolean keeps_all, GError **error)
{
  guint n = weir_operating_point_get_n_states (point);
  guint n_inputs = weir_operating_point_get_n_inputs (point);
  guint n_outputs = weir_operating_point_get_n_outputs (point);
  const double *x = weir_operating_point_get_state (point);
  const double *u = weir_operating_point_get_input (point);
  g_autoptr (WeirLinearization) self = NULL;
  g_autofree double *errors = g_new0 (double, (gsize) n + n_outputs + 1);

  if (n > MAX_STATES)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the model has %u states, and a linearisation is written for at most %d", n,
                      MAX_STATES);
      return NULL;
    }
  self = g_new0 (WeirLinearization, 1);
  *self = (WeirLinearization) {
    .n_states = n,
    .n_inputs = n_inputs,
    .n_outputs = n_outputs,
    .states = g_new (guint32, n + 1),
    .a = new_matrix (n, n),
    .b = new_matrix (n, n_inputs),
    .c = new_matrix (n_outputs, n),
    .d = new_matrix (n_outputs, n_inputs),
    .xdot = new_matrix (n, 1),
    .y = new_matrix (n_outputs, 1),
    .notes = g_ptr_array_new_with_free_func (g_free),
  };
  for (guint i = 0; i < n; i++)
    self->states[i] = i;
  if (!weir_operating_point_differentiate (point, x, u, self->a, self->b, self->c, self->d, errors,
                                           self->notes, error)
      || !weir_operating_point_eval (point, x, u, self->xdot, self->y))
    return NULL;
  self->error = judge (self, errors);
  if (!keeps_all && n_inputs > 0 && n_outputs > 0)
    drop_others (self);
  return find_poles (self, error) ? g_steal_pointer (&self) : NULL;
}

/* --- The gain -------------------------------------------------------------------------------- */

/* Solves @a z = @b (@m right-hand sides) in place, each row beside its own size. FALSE if @a is
 * singular to rounding. */
static gboolean
solve (guint n, double *a, guint m, double *b)
{
  WeirBand whole = weir_band_dense (n);
  g_autofree guint32 *pivots = g_new (guint32, n + 1);

  for (guint i = 0; i < n; i++)
    {
      double size = max_of_row (a + (gsize) i * n, n, 0);

      if (size == 0)
        return FALSE;
      for (guint j = 0; j < n; j++)
        a[(gsize) i * n + j] /= size;
      for (guint j = 0; j < m; j++)
        b[(gsize) i * m + j] /= size;
    }
  if (weir_band_factorise (&whole, a, pivots, n * 8 * DBL_EPSILON, 0) < n)
    return FALSE;
  weir_band_substitute (&whole, a, pivots, b, m);
  return TRUE;
}

gboolean
weir_linearization_get_gain (const WeirLinearization *self, double *gain)
{
  guint n = self->n_states, m = self->n_inputs;
  g_autofree double *a = g_memdup2 (self->a, ((gsize) n * n + 1) * sizeof *a);
  g_autofree double *b = g_memdup2 (self->b, ((gsize) n * m + 1) * sizeof *b);

  if (!solve (n, a, m, b))
    return FALSE;
  for (guint i = 0; i < self->n_outputs; i++)
    for (guint j = 0; j < m; j++)
      {
        double sum = 0;

        for (guint k = 0; k < n; k++)
          sum += self->c[(gsize) i * n + k] * b[(gsize) k * m + j];
        gain[(gsize) i * m + j] = self->d[(gsize) i * m + j] - sum;
      }
  return TRUE;
}
