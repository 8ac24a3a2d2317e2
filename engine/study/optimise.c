/* Minimising a figure by NLopt, from several starts at once. See search.h.
 *
 * NLopt calls what it minimises; here that call waits on a thread of the start's own until the
 * point has been run. When every start has asked for a point or ended, all that were asked for are
 * run together. So points go side by side, and none depends on who came first.
 *
 * NLopt sees each parameter as a number from 0 to 1. A point that fails, or lacks a figure, is
 * worse than all before it.
 */
#include "study/search-private.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "base/random.h"
#include "base/sync.h"

#define GROUP 32             /* starts under way at a time, and their threads */
#define LIMIT_TOLERANCE 1e-6 /* parts of a limit, by which it may be exceeded */
#define WORST_AT_FIRST 1e20  /* of a start whose first point fails */
#define SEED_STREAM (1 << 24)

typedef struct {
  WeirSearch *search;
  guint n, n_figures;
  GMutex lock; /* all below, and what starts ask for and are told */
  GCond asked, told;
  guint n_running, n_asking;
  gboolean is_stopped;
} Optimiser;

typedef struct {
  Optimiser *all;
  guint index;
  WeirSearchStart *result;
  GThread *thread;
  nlopt_opt nlopt;
  gboolean is_asking;
  double *values;  /* that are asked for */
  double *figures; /* that were told */
  gboolean has_value;
  double *place;      /* what @figures belong to; NAN at first */
  double least, most; /* objectives so far */
} Start;

/* A side of a constraint, as NLopt has it: at most 0. */
typedef struct {
  Start *start;
  const WeirStudyConstraint *constraint;
  gboolean is_upper;
} Limit;

/* --- Points ---------------------------------------------------------------------------------- */

static void
set_values (const Start *start, const double *z)
{
  for (guint k = 0; k < start->all->n; k++)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (start->all->search->study, k);
      double from = weir_study_parameter_to_search (p, p->from);
      double to = weir_study_parameter_to_search (p, p->to);

      start->values[k] = z[k] <= 0 ? p->from
                         : z[k] >= 1
                             ? p->to
                             : weir_study_parameter_from_search (p, from + z[k] * (to - from));
    }
}

/* FALSE: the search was stopped. */
static gboolean
ask (Start *start)
{
  Optimiser *all = start->all;
  gboolean is_stopped;

  weir_sync_lock (&all->lock);
  start->is_asking = !all->is_stopped;
  if (start->is_asking)
    {
      all->n_asking++;
      g_cond_signal (&all->asked);
    }
  while (start->is_asking)
    weir_sync_wait (&all->told, &all->lock);
  is_stopped = all->is_stopped;
  weir_sync_unlock (&all->lock);
  return !is_stopped;
}

/* How far the figure is beyond the limit, in parts of it. */
static double
calc_limit (const WeirStudyConstraint *c, gboolean is_upper, const double *figures)
{
  double limit = is_upper ? c->to : c->from;
  double scale = limit != 0 ? fabs (limit) : 1;

  return (is_upper ? figures[c->place] - limit : limit - figures[c->place]) / scale;
}

static double
calc_excess (const WeirStudy *study, const double *figures)
{
  double sum = 0;

  for (guint i = 0; i < study->constraints->len; i++)
    {
      const WeirStudyConstraint *c = &g_array_index (study->constraints, WeirStudyConstraint, i);

      for (guint side = 0; side < 2; side++)
        if (isfinite (side == 0 ? c->from : c->to))
          {
            double beyond = calc_limit (c, side == 1, figures);

            sum += beyond > LIMIT_TOLERANCE ? beyond : 0;
          }
    }
  return sum;
}

static gboolean
has_all (const WeirStudy *study, const double *figures)
{
  gboolean has = isfinite (figures[study->objective.place]) != 0;

  for (guint i = 0; i < study->constraints->len; i++)
    has &= isfinite (figures[g_array_index (study->constraints, WeirStudyConstraint, i).place])
           != 0;
  return has;
}

static void
note_point (Start *start)
{
  const WeirStudy *study = start->all->search->study;
  WeirSearchStart *best = start->result;
  double value = start->figures[study->objective.place],
         sign = study->objective.is_largest ? -1 : 1;
  double excess;

  start->has_value = start->has_value && has_all (study, start->figures);
  if (!start->has_value)
    return;
  start->least = fmin (start->least, sign * value);
  start->most = fmax (start->most, sign * value);
  excess = calc_excess (study, start->figures);
  if (best->point >= 0
      && (excess > best->excess || (excess >= best->excess && sign * value >= sign * best->value)))
    return;
  best->point = (gint64) (start->index * study->n + best->n_points - 1);
  best->value = value;
  best->excess = excess;
  memcpy (best->values, start->values, start->all->n * sizeof (double));
}

/* Makes @start->figures those of @z. FALSE: it is over. */
static gboolean
evaluate (Start *start, const double *z)
{
  gsize size = start->all->n * sizeof *z;

  if (memcmp (start->place, z, size) == 0)
    return TRUE;
  if (start->result->n_points >= start->all->search->study->n)
    {
      start->result->outcome = "spent";
      nlopt_force_stop (start->nlopt);
      return FALSE;
    }
  set_values (start, z);
  start->result->n_points++;
  if (!ask (start))
    {
      nlopt_force_stop (start->nlopt);
      return FALSE;
    }
  memcpy (start->place, z, size);
  note_point (start);
  return TRUE;
}

static double
calc_objective (G_GNUC_UNUSED unsigned n, const double *z, G_GNUC_UNUSED double *gradient,
                void *data)
{
  Start *start = data;
  const WeirStudyObjective *objective = &start->all->search->study->objective;

  if (evaluate (start, z) && start->has_value)
    return (objective->is_largest ? -1 : 1) * start->figures[objective->place];
  return isfinite (start->most) ? 2 * start->most - start->least + fabs (start->most)
                                : WORST_AT_FIRST;
}

static double
calc_constraint (G_GNUC_UNUSED unsigned n, const double *z, G_GNUC_UNUSED double *gradient,
                 void *data)
{
  const Limit *limit = data;

  if (evaluate (limit->start, z) && limit->start->has_value)
    return calc_limit (limit->constraint, limit->is_upper, limit->start->figures);
  return 1;
}

/* --- A start --------------------------------------------------------------------------------- */

static nlopt_algorithm
choose_algorithm (const WeirStudy *study)
{
  switch (study->algorithm)
    {
    case WEIR_ALGORITHM_BOBYQA:
      return NLOPT_LN_BOBYQA;
    case WEIR_ALGORITHM_COBYLA:
      return NLOPT_LN_COBYLA;
    case WEIR_ALGORITHM_SBPLX:
      return NLOPT_LN_SBPLX;
    case WEIR_ALGORITHM_NELDER_MEAD:
      return NLOPT_LN_NELDERMEAD;
    case WEIR_ALGORITHM_CRS:
      return NLOPT_GN_CRS2_LM;
    case WEIR_ALGORITHM_ISRES:
      return NLOPT_GN_ISRES;
    case WEIR_ALGORITHM_DIRECT:
      return NLOPT_GN_DIRECT_L;
    case WEIR_ALGORITHM_USUAL:
    case WEIR_N_ALGORITHMS:
    default:
      return study->constraints->len > 0   ? NLOPT_LN_COBYLA
             : study->parameters->len == 1 ? NLOPT_LN_SBPLX
                                           : NLOPT_LN_BOBYQA;
    }
}

static nlopt_opt
create_nlopt (const Start *start)
{
  const WeirStudy *study = start->all->search->study;
  nlopt_algorithm algorithm = choose_algorithm (study);
  gboolean is_wrapped = study->constraints->len > 0 && algorithm != NLOPT_LN_COBYLA
                        && algorithm != NLOPT_GN_ISRES;
  nlopt_opt inner = nlopt_create (algorithm, start->all->n), outer;

  nlopt_set_xtol_abs1 (inner, study->tolerance);
  if (!is_wrapped)
    return inner;
  outer = nlopt_create (NLOPT_AUGLAG, start->all->n);
  nlopt_set_xtol_abs1 (outer, study->tolerance);
  nlopt_set_local_optimizer (outer, inner);
  nlopt_destroy (inner);
  return outer;
}

static void
add_limits (Start *start, GArray *limits)
{
  const WeirStudy *study = start->all->search->study;

  for (guint i = 0; i < study->constraints->len; i++)
    for (guint side = 0; side < 2; side++)
      {
        Limit limit = { start, &g_array_index (study->constraints, WeirStudyConstraint, i),
                        side == 1 };

        if (isfinite (side == 0 ? limit.constraint->from : limit.constraint->to))
          g_array_append_val (limits, limit);
      }
  for (guint i = 0; i < limits->len; i++)
    nlopt_add_inequality_constraint (start->nlopt, calc_constraint,
                                     &g_array_index (limits, Limit, i), LIMIT_TOLERANCE / 10);
}

static void
set_place (const Start *start, double *z)
{
  const WeirStudy *study = start->all->search->study;

  weir_study_get_point (study, start->index * study->n, z);
  for (guint k = 0; k < start->all->n; k++)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (study, k);
      double from = weir_study_parameter_to_search (p, p->from);
      double to = weir_study_parameter_to_search (p, p->to);

      z[k] = CLAMP ((weir_study_parameter_to_search (p, z[k]) - from) / (to - from), 0, 1);
    }
}

static gpointer
minimise (gpointer data)
{
  Start *start = data;
  Optimiser *all = start->all;
  g_autofree double *z = g_new (double, all->n);
  g_autoptr (GArray) limits = g_array_new (FALSE, FALSE, sizeof (Limit));
  double least;
  nlopt_result result;

  weir_sync_acquire (&all->lock);
  start->nlopt = create_nlopt (start);
  nlopt_srand ((unsigned long) weir_random_mix (all->search->study->seed
                                                + weir_random_mix (SEED_STREAM + start->index)));
  nlopt_set_lower_bounds1 (start->nlopt, 0);
  nlopt_set_upper_bounds1 (start->nlopt, 1);
  nlopt_set_min_objective (start->nlopt, calc_objective, start);
  add_limits (start, limits);
  set_place (start, z);
  result = nlopt_optimize (start->nlopt, z, &least);
  if (result != NLOPT_FORCED_STOP && start->result->point >= 0)
    start->result->outcome = "found";
  nlopt_destroy (start->nlopt);

  weir_sync_lock (&all->lock);
  all->n_running--;
  g_cond_signal (&all->asked);
  weir_sync_unlock (&all->lock);
  return NULL;
}

/* --- All starts ------------------------------------------------------------------------------ */

static gboolean
take_figures (const WeirPointResult *result, gpointer data)
{
  Start *start = data;

  start->has_value = result->status != WEIR_POINT_FAILED;
  memcpy (start->figures, result->figures, start->all->n_figures * sizeof (double));
  return FALSE;
}

/* Those that ask wait meanwhile: what they ask for does not change. */
static gboolean
answer (Optimiser *all, GArray *points, Start *const *askers)
{
  WeirSearch *search = all->search;
  gboolean ok = weir_search_run_points (
      search, (const WeirChosenPoint *) (gconstpointer) points->data, points->len);

  for (guint i = 0; ok && i < points->len; i++)
    {
      guint64 point = g_array_index (points, WeirChosenPoint, i).i;

      ok = weir_study_store_foreach (search->store, point, point, FALSE, take_figures, askers[i],
                                     &search->error);
    }
  return ok;
}

static void
attend (Optimiser *all, Start *starts, guint n)
{
  Start *askers[GROUP];
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WeirChosenPoint));
  gboolean ok;

  weir_sync_lock (&all->lock);
  while (all->n_running > 0)
    {
      if (all->n_asking < all->n_running)
        {
          weir_sync_wait (&all->asked, &all->lock);
          continue;
        }
      g_array_set_size (points, 0);
      for (guint i = 0; i < n; i++)
        if (starts[i].is_asking)
          {
            WeirChosenPoint point = { starts[i].index * all->search->study->n
                                          + starts[i].result->n_points - 1,
                                      starts[i].values };

            askers[points->len] = &starts[i];
            g_array_append_val (points, point);
          }
      weir_sync_unlock (&all->lock);
      ok = answer (all, points, askers);
      weir_sync_lock (&all->lock);
      all->is_stopped |= !ok;
      all->n_asking = 0;
      for (guint i = 0; i < points->len; i++)
        askers[i]->is_asking = FALSE;
      g_cond_broadcast (&all->told);
    }
  weir_sync_unlock (&all->lock);
}

static void
run_group (Optimiser *all, WeirStudySearch *search, guint first, guint n)
{
  Start starts[GROUP] = { 0 };

  all->n_running = n;
  for (guint i = 0; i < n; i++)
    {
      Start *start = &starts[i];

      start->all = all;
      start->index = first + i;
      start->result = &search->starts[first + i];
      start->values = g_new0 (double, all->n);
      start->place = g_new (double, all->n);
      for (guint k = 0; k < all->n; k++)
        start->place[k] = NAN;
      start->figures = g_new0 (double, all->n_figures);
      start->least = INFINITY;
      start->most = -INFINITY;
    }
  weir_sync_release (&all->lock);
  for (guint i = 0; i < n; i++)
    starts[i].thread = g_thread_new ("weir-search", minimise, &starts[i]);
  attend (all, starts, n);
  for (guint i = 0; i < n; i++)
    {
      g_thread_join (starts[i].thread);
      g_free (starts[i].values);
      g_free (starts[i].place);
      g_free (starts[i].figures);
    }
  weir_sync_acquire (&all->lock);
}

gboolean
weir_search_optimise (WeirSearch *self, WeirStudySearch *search)
{
  Optimiser all = { .search = self,
                    .n = self->study->parameters->len,
                    .n_figures = self->study->figures->len };

  g_mutex_init (&all.lock);
  g_cond_init (&all.asked);
  g_cond_init (&all.told);
  for (guint first = 0; first < search->n_starts && !all.is_stopped; first += GROUP)
    run_group (&all, search, first, MIN (search->n_starts - first, GROUP));
  g_cond_clear (&all.asked);
  g_cond_clear (&all.told);
  g_mutex_clear (&all.lock);
  return !all.is_stopped;
}
