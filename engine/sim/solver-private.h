/* What a solver is to the simulator, what a model is to a solver, and what looks over its steps:
 * crossings (crossing.c), their pace (pace.c) and poles (pole.c).
 *
 * A solver owns a time and a state vector; each step moves both to the next accepted point and
 * never past a given time. It knows the model only as a WeirProblem and calls nothing of it but
 * weir_problem_rhs(). Everything is allocated when it is made; a step allocates nothing unless it
 * fails.
 *
 * Thread: *owner*.
 */
#pragma once

#include <float.h>
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "sim/simulator.h"
#include "sim/stopwatch.h"
#include "sim/trouble.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

G_BEGIN_DECLS

/* Why the step in hand fails, as far as whoever fails it knows. */
typedef struct {
  gboolean is_known;
  WeirTroubleKind kind;
  double time; /* s */
  WeirNode node;
  WeirEntry entry; /* WEIR_NO_INDEX: none */
  guint element;   /* of it */
  guint state;     /* G_MAXUINT: none */
  double value;
} WeirFailureCause;

typedef struct {
  WeirSystem *root;     /* borrowed */
  WeirContext *context; /* borrowed */
  WeirLayout *layout;   /* borrowed */
  guint n;              /* states */
  double relative_tolerance, absolute_tolerance;
  const double *nominals; /* factors of that, by state, borrowed; NULL: 1 */
  double step;            /* s, of fixed-step methods */
  double max_step;        /* s; of the next step; INFINITY = any length */
  gboolean ends_at_jump;  /* the step in hand ends where the derivatives jump with time: they see no
                             time later than last_time (s), just before the jump */
  double last_time;
  const gint *cancel; /* non-zero ends the step as soon as may be; NULL = never */
  WeirSimulatorStatistics *statistics;
  WeirStopwatch rhs_stopwatch, jacobian_stopwatch;
  WeirMessage *failure; /* why the model had no value last, or NULL; the context forgets at its next
                           success */
  WeirFailurePlace failure_place; /* of it; node WEIR_NO_INDEX: not known */
  double failure_time;            /* s; when that was */
  double start_time;              /* s; where the run began ... */
  double *start_state;            /* ... and with what: n states */
  WeirFailureCause *cause;
} WeirProblem;

/* Remembers why the model had no value at @t. */
void weir_problem_note_failure (WeirProblem *self, double t);
void weir_problem_forget_failure (WeirProblem *self);

/* What is allowed of each state between @before and @after is 1 / @weight. */
void weir_problem_weigh (const WeirProblem *self, const double *before, const double *after,
                         double relative, double absolute, double *weight);

static inline gboolean
weir_problem_is_cancelled (const WeirProblem *self)
{
  return self->cancel != NULL && g_atomic_int_get (self->cancel) != 0;
}

/* Just before a jump at @limit, as a step from @t sees it: more than what products like n * period
 * are rounded by. */
static inline double
weir_time_before_jump (double t, double limit)
{
  return limit - 16 * DBL_EPSILON * MAX (fabs (limit), limit - t);
}

/* The time that derivatives at @t see. */
static inline double
weir_problem_time (const WeirProblem *self, double t)
{
  return self->ends_at_jump ? MIN (t, self->last_time) : t;
}

/* xdot = f(t, x). WEIR_FAILED also if the run is cancelled. */
static inline WeirStatus
weir_problem_rhs (WeirProblem *self, double t, const double *x, double *xdot)
{
  WeirStatus status;
  gint64 begin;

  if (G_UNLIKELY (weir_problem_is_cancelled (self)))
    return WEIR_FAILED;
  self->statistics->rhs_calls++;
  begin = weir_stopwatch_begin (&self->rhs_stopwatch);
  status = weir_eval_rhs (self->root, self->context, weir_problem_time (self, t), x, xdot);
  weir_stopwatch_end (&self->rhs_stopwatch, begin);
  if (G_UNLIKELY (status != WEIR_OK))
    weir_problem_note_failure (self, t);
  return status;
}

/* The state with the largest |error * weight|. */
guint weir_problem_find_limiting_state (const WeirProblem *self, const double *error,
                                        const double *weight);
/* Whose state it is. */
WeirNode weir_problem_find_state_node (const WeirProblem *self, guint state);
/* Makes the state the one to blame; its block is looked up. */
void weir_problem_set_cause_state (const WeirProblem *self, WeirTroubleKind kind, double t,
                                   guint state, double value);
/* Makes the place where an evaluation failed the one to blame. */
void weir_problem_set_cause_place (const WeirProblem *self, double t,
                                   const WeirFailurePlace *place);
/* Blames what makes the run fail at the last accepted point, where that shows: a state that runs
 * away, or a value that is large while its operands are not. @has_place: a value is known to be not
 * finite, and only what explains that counts. failure-cause.c */
gboolean weir_problem_find_cause (const WeirProblem *self, gboolean has_place);
/* A copy to evaluate at will; the run counts and computes the same. (transfer full) */
WeirContext *weir_problem_copy_context (const WeirProblem *self);

/* Sets @error to: cancelled, or "@what at t = ... (state: @state)" with the context's own failure,
 * if it has any. @state: G_MAXUINT = none. Returns FALSE. */
gboolean weir_problem_fail (const WeirProblem *self, GError **error, double t, guint state,
                            const char *what);

/* The same where the context has forgotten its failure since: with the one noted last. */
gboolean weir_problem_fail_as_noted (const WeirProblem *self, GError **error, double t, guint state,
                                     const char *what);

/* Is the state @x, to which a step from @t led, finite? FALSE and @error, with its first element
 * that is not. */
gboolean weir_problem_check_finite (const WeirProblem *self, double t, const double *x,
                                    GError **error);

typedef struct _WeirSolver WeirSolver;

typedef struct {
  WeirSolver *(*make) (const WeirSolverInfo *info, WeirProblem *problem, GError **error);
  /* Goes on from its t and x, which were set anew: forgets what it knew about the derivative. */
  gboolean (*restart) (WeirSolver *self, GError **error);
  /* One accepted step, to @t_max at most; t_max > t by more than rounding. */
  gboolean (*step) (WeirSolver *self, double t_max, GError **error);
  /* The state at @t within [t_previous, t], to about the method's order, into @x (not the solver's
   * own). Changes nothing: steps afterwards give the same bits. Right after a restart only t itself
   * is within. */
  gboolean (*interpolate) (WeirSolver *self, double t, double *x, GError **error);
  /* The state whose error estimate was the largest in the last step, which is what keeps the steps
   * short; G_MAXUINT: not known. NULL where steps are fixed. Changes nothing. */
  guint (*find_limiting_state) (WeirSolver *self);
  /* What the next step needs to know beside the time and the state, for a checkpoint. (transfer
   * full; floating) */
  GVariant *(*save) (WeirSolver *self);
  /* Takes it up, right after a restart at the same time and state. FALSE if it is of no use: the
   * solver goes on from its restart. Both NULL: a restart loses nothing but history. */
  gboolean (*load) (WeirSolver *self, GVariant *saved);
  void (*free) (WeirSolver *self);
} WeirSolverClass;

struct _WeirSolver {
  const WeirSolverClass *class;
  WeirProblem *problem;  /* borrowed */
  double t_previous, t;  /* s; the last step */
  double *x;             /* at t: n values */
  gboolean is_multistep; /* a restart is costly: only where the derivative jumped */
};

/* --- Solvers by table ------------------------------------------------------------------------ */

/* A solver that there is, and how it works. */
typedef struct {
  WeirSolverInfo info;
  const WeirSolverClass *class;
} WeirSolverEntry;

/* Ends the file of a family of solvers, called as it is (- as _), and lists them. */
#define WEIR_SOLVERS(name, ...)                                                                    \
  extern const WeirSolverEntry weir_solvers_##name[];                                              \
  const WeirSolverEntry weir_solvers_##name[] = { __VA_ARGS__, { { NULL } } }

/* All of them; made by meson.build from the list in engine/base. */
extern const WeirSolverEntry *const *const weir_solver_families; /* ends in NULL */

/* Newton's method keeps a Jacobian of at most the entries of a full one of so many states: more
 * would fill the memory. */
#define WEIR_MAX_DENSE_STATES 5000

/* What a return code of CVODE, of ARKODE, of IDA means, as the beginning of a sentence. */
const char *weir_cvode_explain (int flag);
const char *weir_arkode_explain (int flag);
const char *weir_ida_explain (int flag);

/* Where fixed steps end: at origin + k step, which begins where integration did. */
typedef struct {
  double origin; /* s */
  gboolean has_origin;
} WeirGrid;

void weir_grid_begin (WeirGrid *self, double t);
#define WEIR_STRETCH 0.01 /* of a step: a limit this close beyond its end is reached in one */

/* Which point is the next more than a sliver after @t. @step: s */
static inline double
weir_grid_find_next (const WeirGrid *self, double step, double t)
{
  return floor ((t - self->origin) / step + WEIR_STRETCH) + 1;
}

/* Point @k, or @t_max if that comes before or shortly after. */
static inline double
weir_grid_get_time (const WeirGrid *self, double step, double k, double t_max)
{
  double time = self->origin + k * step;

  return t_max <= time + WEIR_STRETCH * step ? t_max : time;
}

static inline double
weir_grid_next (const WeirGrid *self, double step, double t, double t_max)
{
  return weir_grid_get_time (self, step, weir_grid_find_next (self, step, t), t_max);
}

/* @name: of the table. NULL and @error if there is no memory for it. */
WeirSolver *weir_solver_new (const char *name, WeirProblem *problem, GError **error);
void weir_solver_free (WeirSolver *self);

/* @x may be its own. */
static inline gboolean
weir_solver_restart (WeirSolver *self, double t, const double *x, GError **error)
{
  memmove (self->x, x, self->problem->n * sizeof *x);
  self->t = self->t_previous = t;
  return self->class->restart (self, error);
}

static inline gboolean
weir_solver_step (WeirSolver *self, double t_max, GError **error)
{
  return self->class->step (self, t_max, error);
}

static inline gboolean
weir_solver_interpolate (WeirSolver *self, double t, double *x, GError **error)
{
  return self->class->interpolate (self, t, x, error);
}

static inline guint
weir_solver_find_limiting_state (WeirSolver *self)
{
  return self->class->find_limiting_state != NULL ? self->class->find_limiting_state (self)
                                                  : G_MAXUINT;
}

/* Of an explicit Runge-Kutta solver with a stiffness estimate, after a step: h |lambda| of the
 * dominant eigenvalue (Hairer & Wanner, Solving ODEs II, IV.2); 0 where it tells nothing. */
double weir_runge_kutta_get_stiffness (WeirSolver *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSolver, weir_solver_free)

/* --- Crossings ------------------------------------------------------------------------------- */

/* Zero crossings of the witnesses of a run: sampled over each accepted step and located on the
 * solver's dense output.
 *
 * Each element of a witness has a side, the sign it last had. It crosses where its sign becomes the
 * other, or where it lands on zero. An element without a side (it was zero at the start, or an
 * event put it onto zero) takes the first sign it gets without crossing, unless it goes on the way
 * that it crossed before its event put it there. So nothing fires twice at a located point, and
 * what comes back through the surface later fires again.
 */
typedef struct _WeirCrossings WeirCrossings;

/* A witness touches zero as it turns. */
typedef struct {
  WeirEntry witness;
  double time;  /* s */
  double value; /* its distance from zero there */
  double error; /* what the tolerances cannot tell apart */
} WeirGraze;

/* NULL where no event of the tree is triggered by a crossing. @tolerance: s; 0 = a hundred units of
 * rounding of the time and the step. */
WeirCrossings *weir_crossings_new (WeirProblem *problem, double tolerance);
void weir_crossings_free (WeirCrossings *self);

/* Takes up the sides at the context's time and state. */
gboolean weir_crossings_start (WeirCrossings *self, GError **error);
/* Updates are about to answer what crossed. */
void weir_crossings_note_rates (WeirCrossings *self);
/* The context jumped: @found tells whether anything crossed by that. */
gboolean weir_crossings_compare (WeirCrossings *self, gboolean *found, GError **error);
/* Looks over the solver's last step, from @t to @end (without a solver: only time advanced). If
 * something crossed, @end becomes the time of the first crossing and @x (n states) the state there.
 */
gboolean weir_crossings_scan (WeirCrossings *self, WeirSolver *solver, double t, double *end,
                              double *x, gboolean *found, GError **error);
/* Where the next step had better end, as things go at @t, where the last step that was looked over
 * ended: before something crosses that breaks steps, a kink or jump that no step should be made
 * across, or from nearby just after it. INFINITY: nothing does soon. */
double weir_crossings_predict_break (const WeirCrossings *self, double t);
/* Where the solver's last step, from @t, should have ended: before something crosses in it that
 * breaks steps and was not foreseen. INFINITY: nothing does, or so early that it does no harm. @x:
 * n states to work with. */
gboolean weir_crossings_find_break (WeirCrossings *self, WeirSolver *solver, double t, double *x,
                                    double *at, GError **error);
/* In the step that was just looked over a witness changed so fast that it may have crossed unseen
 * between @begin and @end (s). FALSE if none did. */
gboolean weir_crossings_get_doubt (const WeirCrossings *self, WeirEntry *witness, double *begin,
                                   double *end);
/* In that step a witness turned so near to zero that the tolerances decide whether it crosses: the
 * first time in the run that an element of it does. FALSE if none did. */
gboolean weir_crossings_get_graze (const WeirCrossings *self, WeirGraze *graze);
/* The event whose crossings pile up at the end of that step: @n of them within @length (s); or with
 * @is_sent_back the last was answered, and yet its witness went on. G_MAXUINT = none. */
guint weir_crossings_get_pile (const WeirCrossings *self, guint *n, double *length,
                               gboolean *is_sent_back);
/* The sides, for a checkpoint. (transfer full; floating) */
GVariant *weir_crossings_save (const WeirCrossings *self);
/* Can it be taken up here? */
gboolean weir_crossings_fits (const WeirCrossings *self, GVariant *saved);
void weir_crossings_load (WeirCrossings *self, GVariant *saved);

/* What the last of these found: by element of the event's witness, -1 falling, 1 rising, 0 none.
 * NULL if it does not concern event @i. */
const gint8 *weir_crossings_get_directions (const WeirCrossings *self, guint i);
/* To how many seconds a crossing at @t in a step of @h is located. */
double weir_crossings_get_tolerance (const WeirCrossings *self, double t, double h);

/* --- Pace ------------------------------------------------------------------------------------ */

/* How far a step with error control may go at most, beside what the user said: error control sees
 * the derivatives at a few instants of each step, and what repeats itself between them deceives it.
 */
typedef struct _WeirPace WeirPace;

/* NULL where nothing limits the steps. @has_witnesses: crossings are looked for. */
WeirPace *weir_pace_new (WeirProblem *problem, gboolean has_witnesses);
void weir_pace_free (WeirPace *self);
/* What a run that has a pace is held to, of the relative tolerance that was asked for. */
double weir_pace_get_tolerance (double relative_tolerance);
/* The run begins, or goes on from somewhere else. */
void weir_pace_restart (WeirPace *self);
/* The longest step (s) from the context's time and state; INFINITY = any. @length: s, of the whole
 * run. @has_jumped: the state or something that it depends on jumped since the last call. */
double weir_pace_get_longest (WeirPace *self, double length, gboolean has_jumped);

/* For a checkpoint. (transfer full; floating) */
GVariant *weir_pace_save (const WeirPace *self);
/* FALSE if it does not fit. */
gboolean weir_pace_load (WeirPace *self, GVariant *saved);

/* --- Poles ----------------------------------------------------------------------------------- */

/* What looks for poles that a method which keeps its step passes over unseen. The run computes and
 * counts the same. */
typedef struct _WeirPoleWatch WeirPoleWatch;

/* A step, or two, within which a derivative grows beyond all bounds. */
typedef struct {
  double time, step; /* s; where they begin, and how long one is */
  guint state;       /* whose derivative */
} WeirPole;

WeirPoleWatch *weir_pole_watch_new (WeirProblem *problem);
void weir_pole_watch_free (WeirPoleWatch *self);
/* The run begins, or goes on from somewhere else. */
void weir_pole_watch_restart (WeirPoleWatch *self);
/* A step is to be made from @x at @t. @has_jumped: the state or something that it depends on jumped
 * since the last one. */
void weir_pole_watch_begin_step (WeirPoleWatch *self, double t, const double *x,
                                 gboolean has_jumped);
/* It led to @x at @t. TRUE: there is a pole, the first that is found in the run. */
gboolean weir_pole_watch_end_step (WeirPoleWatch *self, double t, const double *x, WeirPole *found);

G_END_DECLS
