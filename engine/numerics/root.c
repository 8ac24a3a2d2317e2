/* Newton's method, damped, and Levenberg's and Marquardt's. See root.h. */
#include "numerics/root.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/band.h"
#include "numerics/qr.h"
#include "numerics/vector.h"

#define MAX_ITERATIONS 60
#define MAX_HALVINGS 12
#define CLOSE 1e-13 /* a correction this small beside the solution ends the iteration */
#define FLOOR 1e-9  /* the same where rounding keeps the iteration from getting nearer */
#define SLOW 0.1    /* less progress than this, and the Jacobian is renewed */
#define FLAT 1e-7   /* a pivot this small beside the slopes is nothing but rounding */
#define SOLVED 1e-9 /* residuals, beside the size of what they are residuals of */

#define MAX_DAMPED_ITERATIONS 300
#define FIRST_MU 1e-3
#define LAST_MU 1e24

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
  self->damped_columns = room + (gsize) n * n;
  self->damped_right = room + 3 * (gsize) n * n;
  self->damped_step = self->damped_right + 2 * (gsize) n;
}

/* --- What both need -------------------------------------------------------------------------- */

/* Are the residuals @r at @z small beside what they are residuals of? To half the digits: of a
 * solution at which the Jacobian is singular, no more can be had. */
static gboolean
is_solved (const WeirRoot *self, const double *z, const double *r)
{
  double size = weir_vector_max_norm (self->n, z);

  for (guint32 i = 0; i < self->n; i++)
    if (!(fabs (r[i]) <= SOLVED * fmax (fmax (fabs (z[i]), fabs (z[i] + r[i])), 1e-6 * size)))
      return FALSE;
  return TRUE;
}

/* The Jacobian at z, where r is known. FALSE: there is no value nearby. */
static gboolean
calc_jacobian (WeirRoot *self)
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

/* --- Newton's method ------------------------------------------------------------------------- */

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
         && is_solved (self, self->tried_z, self->tried_r);
}

/* Nothing gets nearer: rounding is to blame, or there is no solution here. */
static WeirRootOutcome
stop (WeirRoot *self)
{
  gboolean is_enough = is_close (self, FLOOR) || is_solved (self, self->z, self->r);

  memset (self->correction, 0, self->n * sizeof *self->correction);
  return is_enough ? WEIR_ROOT_SOLVED : WEIR_ROOT_STUCK;
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

          if (!calc_jacobian (self))
            return WEIR_ROOT_STUCK;
          flat = factorise (self);
          if (flat < self->n)
            {
              /* A solution of multiplicity, unless there are many. */
              if (is_solved (self, self->z, self->r) && !is_on_line (self, flat))
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

/* --- Levenberg's and Marquardt's method --------------------------------------------------------
 */

/* Levenberg's and Marquardt's method: each step minimises |r + J d|^2 + mu |D d|^2, where D holds
 * the largest norms that the Jacobian's columns have had (More, The Levenberg-Marquardt algorithm,
 * 1978), and mu follows how well the linear model foretold the residual (Nielsen, Damping parameter
 * in Marquardt's method, 1999). The least squares are solved as they are (numerics/qr.h), so that
 * a singular Jacobian does no harm.
 */
typedef struct {
  WeirRoot *root;
  double *a, *b, *step; /* n columns of 2 n; 2 n; n */
} Damped;

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
find_damped_step (Damped *self, double mu)
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
make_damped_step (Damped *self, double *mu)
{
  WeirRoot *root = self->root;
  double before = square_norm (root->r, root->n), growth = 2;

  for (; *mu < LAST_MU; *mu *= growth, growth *= 2)
    {
      double foretold, ratio;

      if (!find_damped_step (self, *mu))
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
iterate_damped (Damped *self)
{
  WeirRoot *root = self->root;
  double mu = FIRST_MU;

  memset (root->correction, 0, root->n * sizeof *root->correction);
  for (guint32 i = 0; i < root->n; i++)
    root->scale[i] = DBL_MIN;
  if (!root->try_at (root->data, root->z, root->r))
    return WEIR_ROOT_NO_VALUE;
  for (guint k = 0; k < MAX_DAMPED_ITERATIONS && !is_solved (root, root->z, root->r); k++)
    {
      if (!calc_jacobian (root))
        return WEIR_ROOT_STUCK;
      widen_scale (root);
      if (!make_damped_step (self, &mu))
        break;
    }
  return is_solved (root, root->z, root->r) ? weir_root_iterate (root) : WEIR_ROOT_STUCK;
}

WeirRootOutcome
weir_root_iterate_damped (WeirRoot *self)
{
  Damped damped = { self, self->damped_columns, self->damped_right, self->damped_step };

  return iterate_damped (&damped);
}

/* --- The search ------------------------------------------------------------------------------ */

static WeirRootOutcome
iterate_from (WeirRoot *self, const double *start)
{
  memcpy (self->z, start, self->n * sizeof *start);
  return weir_root_iterate (self);
}

static WeirRootOutcome
iterate_from_everywhere (WeirRoot *self, double start)
{
  for (guint32 i = 0; i < self->n; i++)
    self->z[i] = start;
  return weir_root_iterate (self);
}

static WeirRootOutcome
iterate_damped_from (WeirRoot *self, const double *start)
{
  memcpy (self->z, start, self->n * sizeof *start);
  return weir_root_iterate_damped (self);
}

WeirRootOutcome
weir_root_search (WeirRoot *self, const double *start, const double *first, gboolean has_guess)
{
  gboolean is_first = memcmp (start, first, self->n * sizeof *start) == 0;
  WeirRootOutcome at_start = iterate_from (self, start), outcome = at_start;

  if (outcome != WEIR_ROOT_SOLVED && !is_first)
    outcome = iterate_from (self, first);
  if (outcome != WEIR_ROOT_SOLVED && !has_guess)
    outcome = iterate_from_everywhere (self, 1);
  if (outcome != WEIR_ROOT_SOLVED && !has_guess)
    outcome = iterate_from_everywhere (self, -1);
  if (outcome != WEIR_ROOT_SOLVED && !is_first)
    outcome = iterate_damped_from (self, first);
  if (outcome != WEIR_ROOT_SOLVED)
    outcome = iterate_damped_from (self, start);
  return outcome == WEIR_ROOT_STUCK && at_start == WEIR_ROOT_FLAT ? WEIR_ROOT_FLAT : outcome;
}
