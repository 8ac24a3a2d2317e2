/* Levenberg's and Marquardt's method: each step minimises |r + J d|^2 + mu |D d|^2, where D holds
 * the largest norms that the Jacobian's columns have had (More, The Levenberg-Marquardt algorithm,
 * 1978), and mu follows how well the linear model foretold the residual (Nielsen, Damping parameter
 * in Marquardt's method, 1999). The least squares are solved as they are (numerics/qr.h), so that
 * a singular Jacobian does no harm.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/qr.h"
#include "numerics/vector.h"
#include "system/evaluation/root-steps-private.h"

#define MAX_ITERATIONS 300
#define FIRST_MU 1e-3
#define LAST_MU 1e24
#define SOLVED 1e-9 /* residuals, beside the size of what they are residuals of */
#define SMALL 6     /* unknowns solved for without allocating */

typedef struct {
  WeirRoot *root;
  double *a, *b, *step; /* n columns of 2 n; 2 n; n */
} Damped;

gboolean
weir_root_is_solved (const WeirRoot *self, const double *z, const double *r)
{
  double size = weir_vector_max_norm (self->n, z);

  for (guint32 i = 0; i < self->n; i++)
    if (!(fabs (r[i]) <= SOLVED * fmax (fmax (fabs (z[i]), fabs (z[i] + r[i])), 1e-6 * size)))
      return FALSE;
  return TRUE;
}

static double
square_norm (const double *v, guint32 n)
{
  double sum = 0;

  for (guint32 i = 0; i < n; i++)
    sum += v[i] * v[i];
  return sum;
}

/* step = the least squares of (J; sqrt (mu) D) step = (-r; 0). FALSE: they are not finite. */
static gboolean
find_step (Damped *self, double mu)
{
  const WeirRoot *root = self->root;
  guint32 n = root->n;
  WeirQr qr = { 2 * n, n, self->a, self->b, NULL };

  for (guint32 j = 0; j < n; j++)
    {
      double *column = self->a + (gsize) j * qr.rows;

      for (guint32 i = 0; i < n; i++)
        column[i] = root->jacobian[(gsize) i * n + j];
      memset (column + n, 0, n * sizeof *column);
      column[n + j] = sqrt (mu) * root->scale[j];
      self->b[j] = -root->r[j];
      self->b[n + j] = 0;
    }
  return weir_qr_factorise (&qr, 0) == n && weir_qr_solve (&qr, n, self->step);
}

/* By how much the linear model says that |r|^2 shrinks. */
static double
foretell (const Damped *self)
{
  const WeirRoot *root = self->root;
  double gain = square_norm (root->r, root->n);

  for (guint32 i = 0; i < root->n; i++)
    {
      double left = root->r[i];

      for (guint32 k = 0; k < root->n; k++)
        left += root->jacobian[(gsize) i * root->n + k] * self->step[k];
      gain -= left * left;
    }
  return gain;
}

static void
widen_scale (WeirRoot *root)
{
  for (guint32 j = 0; j < root->n; j++)
    {
      double sum = 0;

      for (guint32 i = 0; i < root->n; i++)
        sum = hypot (sum, root->jacobian[(gsize) i * root->n + j]);
      root->scale[j] = fmax (root->scale[j], sum);
    }
}

/* One step that gets nearer. *@mu follows how well it was foretold. FALSE: there is none. */
static gboolean
make_step (Damped *self, double *mu)
{
  WeirRoot *root = self->root;
  double before = square_norm (root->r, root->n), growth = 2;

  for (; *mu < LAST_MU; *mu *= growth, growth *= 2)
    {
      double foretold, ratio;

      if (!find_step (self, *mu))
        continue;
      for (guint32 i = 0; i < root->n; i++)
        root->tried_z[i] = root->z[i] + self->step[i];
      if (memcmp (root->tried_z, root->z, root->n * sizeof *root->z) == 0)
        return FALSE;
      if (!root->try_at (root->data, root->tried_z, root->tried_r))
        continue;
      foretold = foretell (self);
      ratio = (before - square_norm (root->tried_r, root->n)) / foretold;
      if (!(foretold > 0) || !(ratio > 1e-4))
        continue;
      memcpy (root->z, root->tried_z, root->n * sizeof *root->z);
      memcpy (root->r, root->tried_r, root->n * sizeof *root->r);
      *mu *= fmax (1.0 / 3, 1 - pow (2 * fmin (ratio, 1) - 1, 3));
      return TRUE;
    }
  return FALSE;
}

static WeirRootOutcome
iterate (Damped *self)
{
  WeirRoot *root = self->root;
  double mu = FIRST_MU;

  memset (root->correction, 0, root->n * sizeof *root->correction);
  for (guint32 i = 0; i < root->n; i++)
    root->scale[i] = DBL_MIN;
  if (!root->try_at (root->data, root->z, root->r))
    return WEIR_ROOT_NO_VALUE;
  for (guint k = 0; k < MAX_ITERATIONS && !weir_root_is_solved (root, root->z, root->r); k++)
    {
      if (!weir_root_calc_jacobian (root))
        return WEIR_ROOT_STUCK;
      widen_scale (root);
      if (!make_step (self, &mu))
        break;
    }
  return weir_root_is_solved (root, root->z, root->r) ? weir_root_iterate (root) : WEIR_ROOT_STUCK;
}

WeirRootOutcome
weir_root_iterate_damped (WeirRoot *self)
{
  gsize n = self->n;
  double room[2 * SMALL * SMALL + 3 * SMALL], *memory = room;
  Damped damped = { .root = self };
  WeirRootOutcome outcome;

  if (n > SMALL)
    memory = g_new (double, 2 * n * n + 3 * n);
  damped.a = memory;
  damped.b = memory + 2 * n * n;
  damped.step = damped.b + 2 * n;
  outcome = iterate (&damped);
  if (memory != room)
    g_free (memory);
  return outcome;
}
