/* Newton's method, damped. See root-private.h; the other method is in root-damped.c. */
#include "system/evaluation/root-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/band.h"
#include "numerics/vector.h"
#include "system/evaluation/root-steps-private.h"

#define MAX_ITERATIONS 60
#define MAX_HALVINGS 12
#define CLOSE 1e-13 /* a correction this small beside the solution ends the iteration */
#define FLOOR 1e-9  /* the same where rounding keeps the iteration from getting nearer */
#define SLOW 0.1    /* less progress than this, and the Jacobian is renewed */
#define FLAT 1e-7   /* a pivot this small beside the slopes is nothing but rounding */

void
weir_root_init (WeirRoot *self, guint32 n, double *room, guint32 *pivots)
{
  double **const vectors[] = { &self->z,       &self->r,       &self->correction,
                               &self->tried_z, &self->tried_r, &self->scale };

  self->n = n;
  self->pivots = pivots;
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++, room += n)
    *vectors[i] = room;
  self->jacobian = room;
}

gboolean
weir_root_calc_jacobian (WeirRoot *self)
{
  guint32 n = self->n;

  memcpy (self->tried_z, self->z, n * sizeof *self->z);
  for (guint32 j = 0; j < n; j++)
    {
      /* Beside what comes back too: rounding of that must not drown the difference. */
      double size = fmax (fmax (fabs (self->z[j]), fabs (self->r[j])), 1e-3);
      double moved = self->z[j] + sqrt (DBL_EPSILON) * size, h;

      h = moved - self->z[j];
      self->tried_z[j] = moved;
      if (!self->try_at (self->data, self->tried_z, self->tried_r))
        {
          self->tried_z[j] = self->z[j] - h; /* at the edge of where there is a value */
          h = self->tried_z[j] - self->z[j];
          if (!self->try_at (self->data, self->tried_z, self->tried_r))
            return FALSE;
        }
      self->tried_z[j] = self->z[j];
      for (guint32 i = 0; i < n; i++)
        self->jacobian[i * n + j] = (self->tried_r[i] - self->r[i]) / h;
    }
  return TRUE;
}

/* The Jacobian at z as factors. n, or the column where it does not determine its unknown. */
static guint32
factorise (WeirRoot *self)
{
  WeirBand whole = weir_band_dense (self->n);

  return weir_band_factorise (&whole, self->jacobian, self->pivots, FLAT, FLAT);
}

/* correction = -J^-1 r */
static void
solve (WeirRoot *self)
{
  WeirBand whole = weir_band_dense (self->n);

  for (guint32 i = 0; i < self->n; i++)
    self->correction[i] = -self->r[i];
  weir_band_substitute (&whole, self->jacobian, self->pivots, self->correction, 1);
}

static gboolean
is_close (const WeirRoot *self, double share)
{
  double size = fmax (weir_vector_max_norm (self->n, self->z), 1e-6);

  return weir_vector_max_norm (self->n, self->correction) <= share * size;
}

/* One damped step along the correction; FALSE if none gets nearer. *@ratio: of the residuals. */
static gboolean
step (WeirRoot *self, double *ratio)
{
  double before = weir_vector_max_norm (self->n, self->r), factor = 1;

  for (guint k = 0; k <= MAX_HALVINGS; k++, factor /= 2)
    {
      double after;

      for (guint32 i = 0; i < self->n; i++)
        self->tried_z[i] = self->z[i] + factor * self->correction[i];
      if (!self->try_at (self->data, self->tried_z, self->tried_r))
        continue;
      after = weir_vector_max_norm (self->n, self->tried_r);
      if (!(after <= (1 - 1e-4 * factor) * before))
        continue;
      memcpy (self->z, self->tried_z, self->n * sizeof *self->z);
      memcpy (self->r, self->tried_r, self->n * sizeof *self->r);
      *ratio = before > 0 ? after / before : 0;
      return TRUE;
    }
  return FALSE;
}

/* Where the factors stopped at column @flat, is there a whole line of solutions through z? Moves
 * along what the Jacobian maps to zero, as far as the unknowns are large. */
static gboolean
is_on_line (WeirRoot *self, guint32 flat)
{
  guint32 n = self->n;
  const double *a = self->jacobian;
  double *x = self->correction, far;

  memset (x, 0, n * sizeof *x);
  x[flat] = 1;
  for (guint32 i = flat; i-- > 0;)
    {
      for (guint32 k = i + 1; k <= flat; k++)
        x[i] -= a[i * n + k] * x[k];
      x[i] /= a[i * n + i];
    }
  far = fmax (weir_vector_max_norm (n, self->z), 1) / weir_vector_max_norm (n, x);
  for (guint32 i = 0; i < n; i++)
    self->tried_z[i] = self->z[i] + far * x[i];
  memset (x, 0, n * sizeof *x);
  return self->try_at (self->data, self->tried_z, self->tried_r)
         && weir_root_is_solved (self, self->tried_z, self->tried_r);
}

/* Nothing gets nearer: rounding is to blame, or there is no solution here. */
static WeirRootOutcome
stop (WeirRoot *self)
{
  gboolean is_solved = is_close (self, FLOOR) || weir_root_is_solved (self, self->z, self->r);

  memset (self->correction, 0, self->n * sizeof *self->correction);
  return is_solved ? WEIR_ROOT_SOLVED : WEIR_ROOT_STUCK;
}

WeirRootOutcome
weir_root_iterate (WeirRoot *self)
{
  gboolean is_fresh = FALSE;
  double ratio = 1;

  if (!self->try_at (self->data, self->z, self->r))
    return WEIR_ROOT_NO_VALUE;
  for (guint k = 0; k < MAX_ITERATIONS; k++)
    {
      if (ratio > SLOW)
        {
          guint32 flat;

          if (!weir_root_calc_jacobian (self))
            return WEIR_ROOT_STUCK;
          flat = factorise (self);
          if (flat < self->n)
            {
              /* A solution of multiplicity, unless there are many. */
              if (weir_root_is_solved (self, self->z, self->r) && !is_on_line (self, flat))
                return WEIR_ROOT_SOLVED;
              return k == 0 ? WEIR_ROOT_FLAT : WEIR_ROOT_STUCK;
            }
          is_fresh = TRUE;
        }
      solve (self);
      if (is_close (self, CLOSE))
        return WEIR_ROOT_SOLVED;
      if (!step (self, &ratio))
        {
          if (is_fresh || is_close (self, FLOOR))
            return stop (self);
          ratio = 1; /* perhaps the Jacobian is to blame */
          continue;
        }
      is_fresh = FALSE;
    }
  return stop (self);
}
