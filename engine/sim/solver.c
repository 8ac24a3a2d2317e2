/* The solvers that there are, and what they share in reporting. */
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "base/finite.h"
#include "base/solvers.h"
#include "numerics/number.h"
#include "numerics/vector.h"
#include "sim/solver-private.h"
#include "system/context/inspection.h"

static const WeirSolverEntry *
find_in_families (const char *name)
{
  for (const WeirSolverEntry *const *family = weir_solver_families; *family != NULL; family++)
    for (const WeirSolverEntry *entry = *family; entry->class != NULL; entry++)
      if (g_str_equal (entry->info.name, name))
        return entry;
  g_error ("The list of solvers has \"%s\", which no file of solvers has.", name);
}

/* In the order of the list. */
static const GPtrArray *
get_solvers (void)
{
  static GPtrArray *solvers;

  if (g_once_init_enter (&solvers))
    {
      GPtrArray *made = g_ptr_array_new ();
      guint n = 0;

      for (guint i = 0; weir_solver_names[i] != NULL; i++)
        g_ptr_array_add (made, (gpointer) find_in_families (weir_solver_names[i]));
      for (const WeirSolverEntry *const *family = weir_solver_families; *family != NULL; family++)
        for (const WeirSolverEntry *entry = *family; entry->class != NULL; entry++)
          n++;
      if (n != made->len)
        g_error ("The files of solvers have %u, but the list of solvers %u.", n, made->len);
      g_once_init_leave (&solvers, made);
    }
  return solvers;
}

void
weir_grid_begin (WeirGrid *self, double t)
{
  if (!self->has_origin)
    *self = (WeirGrid) { t, TRUE };
}

guint
weir_solver_get_n (void)
{
  return get_solvers ()->len;
}

const WeirSolverInfo *
weir_solver_get (guint i)
{
  g_return_val_if_fail (i < weir_solver_get_n (), NULL);
  return &((const WeirSolverEntry *) g_ptr_array_index (get_solvers (), i))->info;
}

static const WeirSolverEntry *
find_entry (const char *name)
{
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverEntry *entry = g_ptr_array_index (get_solvers (), i);

      if (g_str_equal (entry->info.name, name))
        return entry;
    }
  return NULL;
}

const WeirSolverInfo *
weir_solver_find (const char *name)
{
  const WeirSolverEntry *entry = find_entry (name);

  return entry != NULL ? &entry->info : NULL;
}

WeirSolver *
weir_solver_new (const char *name, WeirProblem *problem, GError **error)
{
  const WeirSolverEntry *entry = find_entry (name);

  g_assert (entry != NULL);
  return entry->class->make (&entry->info, problem, error);
}

void
weir_solver_free (WeirSolver *self)
{
  if (self != NULL)
    self->class->free (self);
}

void
weir_problem_weigh (const WeirProblem *self, const double *before, const double *after,
                    double relative, double absolute, double *weight)
{
  if (self->nominals == NULL)
    {
      weir_vector_error_weights (self->n, before, after, relative, absolute, weight);
      return;
    }
  for (guint i = 0; i < self->n; i++)
    weight[i] = 1
                / (relative * fmax (fabs (before[i]), fabs (after[i]))
                   + absolute * self->nominals[i]);
}

void
weir_problem_forget_failure (WeirProblem *self)
{
  g_clear_pointer (&self->failure, weir_message_unref);
}

void
weir_problem_note_failure (WeirProblem *self, double t)
{
  const char *why = weir_context_get_failure (self->context);

  weir_problem_forget_failure (self);
  if (why != NULL)
    self->failure = weir_message_new ("%s", why);
  if (!weir_context_get_failure_place (self->context, &self->failure_place))
    self->failure_place.node.i = WEIR_NO_INDEX;
  self->failure_time = t;
}

guint
weir_problem_find_limiting_state (const WeirProblem *self, const double *error,
                                  const double *weight)
{
  double largest = -1;
  guint found = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double size = fabs (error[i] * weight[i]);

      if (!(size <= largest)) /* NaN is the largest of all */
        {
          found = i;
          largest = size;
          if (isnan (size))
            break;
        }
    }
  return found;
}

void
weir_problem_set_cause_place (const WeirProblem *self, double t, const WeirFailurePlace *place)
{
  static const WeirTroubleKind kinds[] = {
    [WEIR_FAILURE_NO_VALUE] = WEIR_TROUBLE_NO_VALUE,
    [WEIR_FAILURE_NOT_FINITE] = WEIR_TROUBLE_NOT_FINITE,
    [WEIR_FAILURE_LOOP] = WEIR_TROUBLE_LOOP,
  };

  *self->cause = (WeirFailureCause) { .is_known = TRUE,
                                      .kind = kinds[place->kind],
                                      .time = t,
                                      .node = place->node,
                                      .entry = place->entry,
                                      .element = place->element,
                                      .state = G_MAXUINT,
                                      .value = place->value };
}

/* What is to blame: found here, or the state that limits the step. (transfer full) (nullable) */
static WeirMessage *
tell_cause (const WeirProblem *self, double t, guint state, const WeirFailurePlace *place)
{
  const WeirFailureCause *cause = self->cause;
  gboolean may_search = place == NULL || place->kind == WEIR_FAILURE_NOT_FINITE;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *name = NULL;

  if (place != NULL)
    weir_problem_set_cause_place (self, t, place);
  else if (state != G_MAXUINT)
    weir_problem_set_cause_state (self, WEIR_TROUBLE_STEP, t, state,
                                  weir_context_get_state (self->context)[state]);
  if ((state != G_MAXUINT || place != NULL) && may_search
      && weir_problem_find_cause (self, place != NULL))
    {
      g_ascii_formatd (number, sizeof number, "%.3g", cause->value);
      if (cause->state == G_MAXUINT)
        {
          g_autoptr (WeirMessage)
              value = weir_value_name_new (self->layout, cause->entry, cause->element);

          return weir_message_new (N_ ("%s grew to %s"), weir_message_get_text (value), number);
        }
      name = weir_layout_dup_state_name (self->layout, cause->state);
      return weir_message_new (N_ ("%s ran away and is at %s"), name, number);
    }
  if (state == G_MAXUINT)
    return NULL;
  name = weir_layout_dup_state_name (self->layout, state);
  return weir_message_new (N_ ("the state that limits it is %s"), name);
}

static gboolean
fail (const WeirProblem *self, GError **error, double t, guint state, const char *what,
      const char *why, const WeirFailurePlace *place)
{
  char time[WEIR_TIME_TEXT_SIZE];
  g_autoptr (WeirMessage) text = NULL;
  WeirMessage *cause;

  if (weir_problem_is_cancelled (self))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped");
      return FALSE;
    }
  text = weir_message_new (N_ ("%s at t = %s"), what, weir_time_to_text (t, NAN, time));
  cause = tell_cause (self, t, state, place);
  if (cause != NULL)
    text = weir_message_join (text, "; ", cause);
  if (why != NULL)
    text = weir_message_join (text, ": ", weir_message_new ("%s", why));
  weir_error_set (error, WEIR_ERROR_FAILED, "%s", weir_message_get_text (text));
  return FALSE;
}

gboolean
weir_problem_fail (const WeirProblem *self, GError **error, double t, guint state, const char *what)
{
  WeirFailurePlace place;
  gboolean has_place = weir_context_get_failure_place (self->context, &place);

  return fail (self, error, t, state, what, weir_context_get_failure (self->context),
               has_place ? &place : NULL);
}

gboolean
weir_problem_fail_as_noted (const WeirProblem *self, GError **error, double t, guint state,
                            const char *what)
{
  gboolean has_place = self->failure_place.node.i != WEIR_NO_INDEX;

  return fail (self, error, t, state, what,
               self->failure != NULL ? weir_message_get_text (self->failure) : "",
               has_place ? &self->failure_place : NULL);
}

gboolean
weir_problem_check_finite (const WeirProblem *self, double t, const double *x, GError **error)
{
  guint i = 0;

  if (weir_all_finite (self->n, x))
    return TRUE;
  while (isfinite (x[i]))
    i++;
  weir_problem_fail (self, error, t, i,
                     weir_phrase (N_ ("the step led to a state that is not finite")));
  self->cause->kind = WEIR_TROUBLE_RAN_AWAY;
  return FALSE;
}
