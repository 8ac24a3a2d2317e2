/* Levenberg's and Marquardt's method: each step minimises |r + J d|^2 + mu |D d|^2, where D holds
 * the largest norms that the Jacobian's columns have had (More, The Levenberg-Marquardt algorithm,
 * 1978), and mu follows how well the linear model foretold the residual (Nielsen, Damping parameter
 * in Marquardt's method, 1999). The least squares are solved by Householder reflections of the
 * whole, so that a singular Jacobian does no harm.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "system/evaluation/root-steps-private.h"

#define MAX_ITERATIONS 300
#define FIRST_MU 1e-3
#define LAST_MU 1e24
#define SOLVED 1e-9 /* residuals, beside the size of what they are residuals of */
#define SMALL 6     /* unknowns solved for without allocating */

typedef struct {
  WeirRoot *root;
  double *a, *b, *step; /* 2 n rows of n; 2 n; n */
} Damped;

gboolean
weir_root_is_solved (const WeirRoot *self, const double *z, const double *r)
{
  double size = weir_root_norm (z, self->n);

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
  double *a = self->a, *b = self->b;

  memset (a, 0, 2 * (gsize) n * n * sizeof *a);
  memcpy (a, root->jacobian, (gsize) n * n * sizeof *a);
  for (guint32 i = 0; i < n; i++)
    {
      a[(gsize) (n + i) * n + i] = sqrt (mu) * root->scale[i];
      b[i] = -root->r[i];
      b[n + i] = 0;
    }
  for (guint32 j = 0; j < n; j++)
    {
      double norm = 0, pivot = a[(gsize) j * n + j], divisor;

      for (guint32 i = j; i < 2 * n; i++)
        norm = hypot (norm, a[(gsize) i * n + j]);
      if (!(norm > 0) || !isfinite (norm))
        return FALSE;
      if (pivot > 0)
        norm = -norm;
      /* v = a_j - norm e_j, kept in place; |v|^2 = -2 norm v_j. */
      a[(gsize) j * n + j] -= norm;
      divisor = -norm * a[(gsize) j * n + j];
      for (guint32 k = j + 1; k <= n; k++)
        {
          double dot = 0;

          for (guint32 i = j; i < 2 * n; i++)
            dot += a[(gsize) i * n + j] * (k < n ? a[(gsize) i * n + k] : b[i]);
          dot /= divisor;
          for (guint32 i = j; i < 2 * n; i++)
            if (k < n)
              a[(gsize) i * n + k] -= dot * a[(gsize) i * n + j];
            else
              b[i] -= dot * a[(gsize) i * n + j];
        }
      a[(gsize) j * n + j] = norm; /* the rest of the column is not read again */
    }
  for (guint32 i = n; i-- > 0;)
    {
      double sum = b[i];

      for (guint32 k = i + 1; k < n; k++)
        sum -= a[(gsize) i * n + k] * self->step[k];
      self->step[i] = sum / a[(gsize) i * n + i];
      if (!isfinite (self->step[i]))
        return FALSE;
    }
  return TRUE;
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
