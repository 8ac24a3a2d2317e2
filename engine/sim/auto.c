/* The automatic choice: Dormand-Prince until the model proves stiff, then CVODE BDF.
 *
 * A step of an explicit method is limited by stability and not by accuracy where h |lambda| stands
 * at the edge of the stability region, 3.3 for Dormand-Prince. As in Hairer & Wanner, Solving ODEs
 * II, IV.2: fifteen such steps, never interrupted by six others in a row, and the model is stiff.
 * It stays with BDF for the rest of the run, and with Dormand-Prince where BDF is refused. Making
 * the second solver is the one allocation after the start.
 */
#include "sim/solver-private.h"

static const WeirSolverClass auto_class;

#define STABILITY_EDGE 3.25
#define STIFF_STEPS 15
#define EASY_STEPS 6

typedef struct {
  WeirSolver base; /* time and state are the active solver's */
  WeirSolver *active;
  guint n_stiff, n_easy;
  gboolean stays_explicit; /* BDF was refused for this model */
} Auto;

static void
follow (Auto *self)
{
  self->base.t = self->active->t;
  self->base.t_previous = self->active->t_previous;
  self->base.x = self->active->x;
  self->base.is_multistep = self->active->is_multistep;
}

static WeirSolver *
auto_make (G_GNUC_UNUSED const WeirSolverInfo *info, WeirProblem *problem, GError **error)
{
  WeirSolver *active = weir_solver_new ("dormand-prince", problem, error);
  Auto *self;

  if (active == NULL)
    return NULL;
  self = g_new0 (Auto, 1);
  self->base.class = &auto_class;
  self->base.problem = problem;
  self->active = active;
  follow (self);
  return &self->base;
}

static void
auto_free (WeirSolver *base)
{
  Auto *self = (Auto *) base;

  weir_solver_free (self->active);
  g_free (self);
}

static gboolean
auto_restart (WeirSolver *base, GError **error)
{
  Auto *self = (Auto *) base;
  gboolean ok = weir_solver_restart (self->active, base->t, base->x, error);

  follow (self);
  return ok;
}

static gboolean
switch_to_bdf (Auto *self, GError **error)
{
  g_autoptr (GError) refusal = NULL;
  WeirSolver *bdf = weir_solver_new ("cvode-bdf", self->base.problem, &refusal);

  if (bdf == NULL && g_error_matches (refusal, WEIR_ERROR, WEIR_ERROR_INVALID))
    {
      self->stays_explicit = TRUE;
      return TRUE;
    }
  if (bdf == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }
  if (!weir_solver_restart (bdf, self->active->t, self->active->x, error))
    {
      weir_solver_free (bdf);
      return FALSE;
    }
  weir_solver_free (self->active);
  self->active = bdf;
  self->base.problem->statistics->reinitialisations++;
  return TRUE;
}

static gboolean
auto_step (WeirSolver *base, double t_max, GError **error)
{
  Auto *self = (Auto *) base;
  gboolean is_explicit = !self->active->is_multistep;
  gboolean ok;

  if (is_explicit && self->n_stiff >= STIFF_STEPS && !self->stays_explicit)
    {
      if (!switch_to_bdf (self, error))
        return FALSE;
      is_explicit = !self->active->is_multistep;
    }
  ok = weir_solver_step (self->active, t_max, error);
  follow (self);
  if (!ok || !is_explicit)
    return ok;
  if (weir_runge_kutta_get_stiffness (self->active) > STABILITY_EDGE)
    {
      self->n_easy = 0;
      self->n_stiff++;
    }
  else if (++self->n_easy >= EASY_STEPS)
    self->n_stiff = 0;
  return TRUE;
}

static gboolean
auto_interpolate (WeirSolver *base, double t, double *x, GError **error)
{
  Auto *self = (Auto *) base;

  return weir_solver_interpolate (self->active, t, x, error);
}

static guint
auto_find_limiting_state (WeirSolver *base)
{
  return weir_solver_find_limiting_state (((Auto *) base)->active);
}

/* How far the search for stiffness is, and what Dormand-Prince needs; no variant after it: BDF is
 * at work. */
#define SAVED_TYPE "(uubmv)"

static GVariant *
auto_save (WeirSolver *base)
{
  Auto *self = (Auto *) base;
  GVariant *inner = self->active->is_multistep ? NULL : self->active->class->save (self->active);

  return g_variant_new ("(uub@mv)", self->n_stiff, self->n_easy, self->stays_explicit,
                        g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                             inner != NULL ? g_variant_new_variant (inner) : NULL));
}

static gboolean
auto_load (WeirSolver *base, GVariant *saved)
{
  Auto *self = (Auto *) base;
  g_autoptr (GVariant) maybe = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) inner = NULL;
  WeirSolver *bdf;

  if (self->active->is_multistep || !g_variant_is_of_type (saved, G_VARIANT_TYPE (SAVED_TYPE)))
    return FALSE;
  g_variant_get (saved, "(uub@mv)", &self->n_stiff, &self->n_easy, &self->stays_explicit, &maybe);
  boxed = g_variant_get_maybe (maybe);
  if (boxed != NULL)
    {
      inner = g_variant_get_variant (boxed);
      return self->active->class->load (self->active, inner);
    }
  bdf = weir_solver_new ("cvode-bdf", base->problem, NULL);
  if (bdf == NULL)
    return FALSE;
  weir_solver_free (self->active);
  self->active = bdf;
  follow (self);
  return FALSE;
}

static const WeirSolverClass auto_class = {
  .make = auto_make,
  .restart = auto_restart,
  .step = auto_step,
  .interpolate = auto_interpolate,
  .find_limiting_state = auto_find_limiting_state,
  .save = auto_save,
  .load = auto_load,
  .free = auto_free,
};

WEIR_SOLVERS (auto, { { "auto", "Automatic",
                        "Dormand-Prince, and CVODE BDF once the model proves stiff.", 5, TRUE },
                      &auto_class });
