/* Semi-implicit Euler with a fixed step: v and z from the derivatives at the start of the step,
 * then q from its derivatives with the new v:
 *
 *   v' = v + h vdot (t, q, v, z), z' = z + h zdot (t, q, v, z), q' = q + h qdot (t, q, v', z).
 *
 * Of first order, but it keeps the energy of an oscillation within bounds where explicit Euler
 * blows it up: for q'' = -w^2 q it keeps v^2 + w^2 q^2 - h w^2 q v.
 *
 * Invariants as in runge-kutta.c: x is the state at t, the straight line from x_previous describes
 * the last step until the next one begins.
 */
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "sim/solver-private.h"
#include "numerics/vector.h"

static const WeirSolverClass semi_implicit_class;

typedef struct {
  WeirSolver base;
  guint n;
  WeirGrid grid;
  double h_taken;   /* s; 0 = there is no last step */
  double *xdot;     /* at t_previous */
  double *end_xdot; /* at t, where end_known */
  double *x_new, *x_previous;
  gboolean end_known, end_is_limited; /* limited: just before a jump, of no use afterwards */
  double *memory;
} SemiImplicit;

static WeirSolver *
semi_implicit_make (const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  SemiImplicit *self = g_new0 (SemiImplicit, 1);
  gsize n = problem->n;

  self->base.class = &semi_implicit_class;
  self->base.problem = problem;
  self->n = problem->n;
  self->memory = g_try_malloc0_n (5 * MAX (n, 1), sizeof (double));
  if (self->memory == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "not enough memory for %s with %u states",
                      info->name, problem->n);
      g_free (self);
      return NULL;
    }
  self->base.x = self->memory;
  self->x_new = self->memory + n;
  self->x_previous = self->memory + 2 * n;
  self->xdot = self->memory + 3 * n;
  self->end_xdot = self->memory + 4 * n;
  return &self->base;
}

static void
semi_implicit_free (WeirSolver *base)
{
  SemiImplicit *self = (SemiImplicit *) base;

  g_free (self->memory);
  g_free (self);
}

static gboolean
semi_implicit_restart (WeirSolver *base, G_GNUC_UNUSED GError **error)
{
  SemiImplicit *self = (SemiImplicit *) base;

  weir_grid_begin (&self->grid, base->t);
  self->end_known = FALSE;
  self->h_taken = 0;
  return TRUE;
}

static gboolean
fail_to_evaluate (SemiImplicit *self, GError **error)
{
  return weir_problem_fail (self->base.problem, error, self->base.t, G_MAXUINT,
                            weir_phrase (N_ ("the derivatives cannot be computed")));
}

/* Makes end_xdot the derivatives at t. */
static gboolean
find_end (SemiImplicit *self, GError **error)
{
  WeirSolver *base = &self->base;

  if (!self->end_known
      && weir_problem_rhs (base->problem, base->t, base->x, self->end_xdot) != WEIR_OK)
    return fail_to_evaluate (self, error);
  if (!self->end_known)
    self->end_is_limited = base->problem->ends_at_jump;
  self->end_known = TRUE;
  return TRUE;
}

static void
swap (double **a, double **b)
{
  double *kept = *a;

  *a = *b;
  *b = kept;
}

static gboolean
semi_implicit_step (WeirSolver *base, double t_max, GError **error)
{
  SemiImplicit *self = (SemiImplicit *) base;
  WeirProblem *problem = base->problem;
  guint n_slices = weir_layout_get_n_slices (problem->layout);
  double t = weir_grid_next (&self->grid, MIN (problem->step, problem->max_step), base->t, t_max);
  double h = t - base->t;

  if (self->end_is_limited)
    self->end_known = FALSE;
  if (!find_end (self, error))
    return FALSE;
  swap (&self->xdot, &self->end_xdot);
  self->end_known = FALSE;
  self->h_taken = 0;
  weir_vector_linear_sum (self->n, 1, base->x, h, self->xdot, self->x_new);
  for (guint i = 0; i < n_slices; i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (problem->layout, i);

      memcpy (self->x_new + slice.offset, base->x + slice.offset, slice.nq * sizeof (double));
    }
  /* z as it was: only v moves on before q. It waits where the end's derivatives will be. */
  memcpy (self->x_previous, self->x_new, self->n * sizeof (double));
  for (guint i = 0; i < n_slices; i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (problem->layout, i);
      gsize z = slice.offset + slice.nq + slice.nv;

      memcpy (self->x_previous + z, base->x + z, slice.nz * sizeof (double));
    }
  if (weir_problem_rhs (problem, base->t, self->x_previous, self->end_xdot) != WEIR_OK)
    {
      swap (&self->xdot, &self->end_xdot);
      return fail_to_evaluate (self, error);
    }
  for (guint i = 0; i < n_slices; i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (problem->layout, i);

      weir_vector_linear_sum (slice.nq, 1, base->x + slice.offset, h, self->end_xdot + slice.offset,
                              self->x_new + slice.offset);
    }
  if (!weir_problem_check_finite (problem, base->t, self->x_new, error))
    return FALSE;
  swap (&self->x_previous, &base->x);
  swap (&base->x, &self->x_new);
  base->t_previous = base->t;
  base->t = t;
  self->h_taken = h;
  return TRUE;
}

static gboolean
semi_implicit_interpolate (WeirSolver *base, double t, double *x, G_GNUC_UNUSED GError **error)
{
  SemiImplicit *self = (SemiImplicit *) base;
  double theta;

  if (self->h_taken <= 0 || t == base->t)
    {
      memcpy (x, base->x, self->n * sizeof *x);
      return TRUE;
    }
  /* What did not move in the step stays just where it was. */
  theta = (t - base->t_previous) / self->h_taken;
  for (guint i = 0; i < self->n; i++)
    x[i] = self->x_previous[i] + theta * (base->x[i] - self->x_previous[i]);
  return TRUE;
}

/* The grid; the derivatives at the end of the last step come out the same again. */
static GVariant *
semi_implicit_save (WeirSolver *base)
{
  SemiImplicit *self = (SemiImplicit *) base;

  return g_variant_new ("(bd)", self->grid.has_origin, self->grid.origin);
}

static gboolean
semi_implicit_load (WeirSolver *base, GVariant *saved)
{
  SemiImplicit *self = (SemiImplicit *) base;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE ("(bd)")))
    return FALSE;
  g_variant_get (saved, "(bd)", &self->grid.has_origin, &self->grid.origin);
  return TRUE;
}

static const WeirSolverClass semi_implicit_class = {
  .make = semi_implicit_make,
  .restart = semi_implicit_restart,
  .step = semi_implicit_step,
  .interpolate = semi_implicit_interpolate,
  .save = semi_implicit_save,
  .load = semi_implicit_load,
  .free = semi_implicit_free,
};

WEIR_SOLVERS (
    semi_implicit,
    { { "semi-implicit-euler", N_ ("Semi-implicit Euler"),
        "Velocities first, then positions with the new velocities, with a fixed step; keeps the "
        "energy of oscillations within bounds.",
        1, FALSE },
      &semi_implicit_class });
