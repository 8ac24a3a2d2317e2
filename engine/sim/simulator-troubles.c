/* What went wrong in a run (trouble.h): its list, and what may help. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "numerics/number.h"
#include "sim/simulator-private.h"

#define MAX_WARNINGS 100
#define FEWER 0.1 /* as long a step */

guint
weir_simulator_get_n_troubles (WeirSimulator *self)
{
  return self->troubles->len;
}

WeirTrouble *
weir_simulator_get_trouble (WeirSimulator *self, guint i)
{
  g_return_val_if_fail (i < self->troubles->len, NULL);

  return g_ptr_array_index (self->troubles, i);
}

void
weir_simulator_set_cause_node (WeirSimulator *self, WeirTroubleKind kind, WeirNode node)
{
  self->cause = (WeirFailureCause) { .is_known = TRUE,
                                     .kind = kind,
                                     .time = self->time,
                                     .node = node,
                                     .entry = { WEIR_NO_INDEX },
                                     .state = G_MAXUINT };
}

void
weir_simulator_forget_remarks (WeirSimulator *self)
{
  g_ptr_array_set_size (self->notes, 0);
  g_array_set_size (self->doubts, 0);
  g_ptr_array_set_size (self->troubles, 0);
}

void
weir_simulator_keep_troubles (WeirSimulator *self, double time)
{
  for (guint i = self->troubles->len; i-- > 0;)
    {
      const WeirTrouble *trouble = g_ptr_array_index (self->troubles, i);

      if (trouble->severity == WEIR_SEVERITY_ERROR || trouble->time > time)
        g_ptr_array_remove_index (self->troubles, i);
    }
}

/* --- What may help --------------------------------------------------------------------------- */

static void
propose_step (WeirSimulator *self, WeirTrouble *trouble)
{
  const WeirSolverInfo *solver = weir_solver_find (self->options.solver);
  double longest = self->statistics.longest_step;

  if (self->solver == NULL)
    return;
  if (solver->is_adaptive && longest > 0)
    weir_trouble_add_remedy (trouble, WEIR_REMEDY_MAX_STEP, FEWER * longest, NULL);
  else if (!solver->is_adaptive && self->problem.step > 0)
    weir_trouble_add_remedy (trouble, WEIR_REMEDY_STEP, FEWER * self->problem.step, NULL);
}

static void
propose_solver (WeirSimulator *self, WeirTrouble *trouble)
{
  const char *present = self->options.solver;
  const char *other = g_str_equal (present, "cvode-bdf") || g_str_equal (present, "ida")
                          ? "arkode-dirk"
                          : "cvode-bdf";

  if (self->solver == NULL)
    return;
  if (!weir_solver_find (present)->is_adaptive || g_str_equal (present, "arkode-dirk"))
    other = "auto";
  weir_trouble_add_remedy (trouble, WEIR_REMEDY_SOLVER, NAN, other);
}

static void
propose_tolerance (WeirSimulator *self, WeirTrouble *trouble, double factor)
{
  if (self->solver != NULL && weir_solver_find (self->options.solver)->is_adaptive)
    weir_trouble_add_remedy (trouble, WEIR_REMEDY_RELATIVE_TOLERANCE,
                             factor * self->options.relative_tolerance, NULL);
}

static void
propose (WeirSimulator *self, WeirTrouble *trouble)
{
  switch (trouble->kind)
    {
    case WEIR_TROUBLE_RAN_AWAY:
      propose_step (self, trouble);
      propose_solver (self, trouble);
      weir_trouble_add_remedy (trouble, WEIR_REMEDY_STOP_TIME, self->time, NULL);
      break;
    case WEIR_TROUBLE_NOT_FINITE:
    case WEIR_TROUBLE_NO_VALUE:
      propose_step (self, trouble);
      if (self->time > self->start)
        weir_trouble_add_remedy (trouble, WEIR_REMEDY_STOP_TIME, self->time, NULL);
      break;
    case WEIR_TROUBLE_LOOP:
      weir_trouble_add_remedy (trouble, WEIR_REMEDY_GUESS, NAN, NULL);
      propose_step (self, trouble);
      break;
    case WEIR_TROUBLE_STEP:
      propose_solver (self, trouble);
      propose_tolerance (self, trouble, 10);
      propose_step (self, trouble);
      break;
    case WEIR_TROUBLE_LIMIT:
      weir_trouble_add_remedy (trouble, WEIR_REMEDY_MAX_STEPS,
                               10 * (double) self->options.max_steps, NULL);
      propose_solver (self, trouble);
      propose_tolerance (self, trouble, 10);
      break;
    case WEIR_TROUBLE_CROSSINGS:
      propose_step (self, trouble);
      propose_tolerance (self, trouble, 0.1);
      break;
    case WEIR_TROUBLE_EVENTS:
    case WEIR_TROUBLE_NOTE:
    case WEIR_TROUBLE_END:
    case WEIR_TROUBLE_OTHER:
    default:
      break;
    }
}

static gboolean
is_listed (WeirSimulator *self, const WeirTrouble *trouble)
{
  for (guint i = 0; i < self->troubles->len; i++)
    {
      const WeirTrouble *other = g_ptr_array_index (self->troubles, i);

      if (other->kind == trouble->kind && other->node.i == trouble->node.i
          && other->entry.i == trouble->entry.i)
        return TRUE;
    }
  return FALSE;
}

void
weir_simulator_warn (WeirSimulator *self, WeirTrouble *trouble)
{
  if (self->troubles->len >= MAX_WARNINGS || is_listed (self, trouble))
    {
      weir_trouble_unref (trouble);
      return;
    }
  propose (self, trouble);
  g_ptr_array_add (self->troubles, trouble);
}

static WeirDoubt *
find_doubt (WeirSimulator *self, WeirEntry witness, double begin, double end)
{
  WeirDoubt fresh = { witness, 0, begin, end };
  guint i = 0;

  while (i < self->doubts->len && g_array_index (self->doubts, WeirDoubt, i).witness.i != witness.i)
    i++;
  if (i == self->doubts->len)
    g_array_append_val (self->doubts, fresh);
  return &g_array_index (self->doubts, WeirDoubt, i);
}

/* What is listed is not changed: another one takes its place. */
void
weir_simulator_doubt_crossings (WeirSimulator *self, WeirEntry witness, double begin, double end)
{
  const WeirLayout *layout = self->problem.layout;
  WeirDoubt *doubt = find_doubt (self, witness, begin, end);
  g_autofree char *path = weir_layout_dup_entry_path (layout, witness);
  char first[WEIR_TIME_TEXT_SIZE], last[WEIR_TIME_TEXT_SIZE];
  WeirMessage *text;
  WeirTrouble *trouble;

  doubt->n++;
  weir_time_to_text (doubt->begin, doubt->end, first);
  weir_time_to_text (doubt->end, doubt->begin, last);
  if (doubt->n > 1)
    text = weir_message_new (
        N_ ("%s changes so fast between t = %s and %s that it may have crossed zero unseen, and so "
            "in %lu later steps; give the run a shorter longest step"),
        path, first, last, (gulong) doubt->n - 1);
  else
    text = weir_message_new (
        N_ ("%s changes so fast between t = %s and %s that it may have crossed zero unseen; give "
            "the run a shorter longest step"),
        path, first, last);
  trouble = weir_trouble_new (WEIR_TROUBLE_CROSSINGS, WEIR_SEVERITY_WARNING, doubt->begin, text);
  weir_trouble_set_place (trouble, layout, weir_layout_get_entry (layout, witness).node, witness, 0,
                          G_MAXUINT);
  for (guint i = 0; i < self->troubles->len; i++)
    {
      WeirTrouble *other = g_ptr_array_index (self->troubles, i);

      if (other->kind != WEIR_TROUBLE_CROSSINGS || other->entry.i != witness.i)
        continue;
      propose (self, trouble);
      self->troubles->pdata[i] = trouble;
      weir_trouble_unref (other);
      return;
    }
  weir_simulator_warn (self, trouble);
}

void
weir_simulator_doubt_graze (WeirSimulator *self, const WeirGraze *graze)
{
  const WeirLayout *layout = self->problem.layout;
  g_autofree char *path = weir_layout_dup_entry_path (layout, graze->witness);
  char time[WEIR_TIME_TEXT_SIZE];
  WeirMessage *text = weir_message_new (
      N_ ("%s touches zero at t = %s: it turns %.2g from there, and the tolerance, which lets it "
          "be off by %.2g, decides whether it crosses; shift the level, give it some hysteresis, "
          "or lower the tolerance"),
      path, weir_time_to_text (graze->time, NAN, time), graze->value, graze->error);
  WeirTrouble *trouble = weir_trouble_new (WEIR_TROUBLE_CROSSINGS, WEIR_SEVERITY_WARNING,
                                           graze->time, text);

  weir_trouble_set_place (trouble, layout, weir_layout_get_entry (layout, graze->witness).node,
                          graze->witness, 0, G_MAXUINT);
  weir_simulator_warn (self, trouble);
}

void
weir_simulator_doubt_step (WeirSimulator *self, const WeirPole *pole)
{
  WeirLayout *layout = self->problem.layout;
  g_autofree char *name = weir_layout_dup_state_name (layout, pole->state);
  char time[WEIR_TIME_TEXT_SIZE], number[G_ASCII_DTOSTR_BUF_SIZE];
  WeirMessage *text = weir_message_new (
      N_ ("the derivative of %s grows beyond all bounds shortly after t = %s, which steps of %s s "
          "pass over; what follows is not to be trusted: end the run before, or give it a shorter "
          "step or a solver with error control"),
      name, weir_time_to_text (pole->time, pole->time + pole->step, time),
      g_ascii_formatd (number, sizeof number, "%.3g", pole->step));
  WeirTrouble *trouble = weir_trouble_new (WEIR_TROUBLE_RAN_AWAY, WEIR_SEVERITY_WARNING, pole->time,
                                           text);

  trouble->value = weir_context_get_state (self->context)[pole->state];
  weir_trouble_set_place (trouble, layout,
                          weir_problem_find_state_node (&self->problem, pole->state),
                          (WeirEntry) { WEIR_NO_INDEX }, 0, pole->state);
  weir_simulator_warn (self, trouble);
}

/* What ran away took the run with it: the failure tells that. */
static void
drop_doubted_step (WeirSimulator *self)
{
  for (guint i = self->troubles->len; i-- > 0;)
    {
      const WeirTrouble *trouble = g_ptr_array_index (self->troubles, i);

      if (trouble->kind == WEIR_TROUBLE_RAN_AWAY)
        g_ptr_array_remove_index (self->troubles, i);
    }
}

void
weir_simulator_note_failure (WeirSimulator *self, const GError *error)
{
  WeirFailureCause *cause = &self->cause;
  WeirTrouble *trouble;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (error, WEIR_ERROR, WEIR_ERROR_INVALID))
    return;
  trouble = weir_trouble_new (cause->kind, WEIR_SEVERITY_ERROR, self->time,
                              weir_message_new ("%s", weir_error_get_text (error)));
  if (cause->is_known)
    {
      trouble->time = cause->time;
      trouble->value = cause->value;
      weir_trouble_set_place (trouble, self->problem.layout, cause->node, cause->entry,
                              cause->element, cause->state);
    }
  drop_doubted_step (self);
  propose (self, trouble);
  g_ptr_array_add (self->troubles, trouble);
}

gboolean
weir_simulator_fail (WeirSimulator *self, const char *what, GError **error)
{
  const char *why = weir_context_get_failure (self->context);
  WeirFailurePlace place;

  if (weir_context_get_failure_place (self->context, &place))
    weir_problem_set_cause_place (&self->problem, self->time, &place);
  weir_error_set (error, WEIR_ERROR_FAILED, "%s", why != NULL ? why : what);
  return FALSE;
}
