/* Finding operating points. See operating-point.h.
 *
 * A condition's residual is scaled by what the unknowns, moved by their own sizes, would change it
 * by: so it tells how far the unknowns are off, whatever the units.
 */
#include "analysis/operating-point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "analysis/linearize.h"
#include "base/status.h"
#include "numerics/qr.h"

#define MAX_ITERATIONS 100
#define MAX_HALVINGS 30
#define CLOSE 1e-12 /* scaled residual at which the search ends */
#define GOOD 1e-9   /* and which is good enough where no step makes it smaller */
#define RANK 1e-10  /* of a diagonal beside the first: what the differences cannot tell from 0 */
#define ASIDE 0.1   /* relative */
#define MAX_NAMES 6 /* in a note */

typedef struct {
  WeirOperatingPoint *point;
  const double *wanted; /* or NULL */
  guint n, n_inputs, n_outputs;
  guint n_unknowns, n_conditions, rank;
  guint32 *unknowns;   /* a state, or n + an input */
  guint32 *conditions; /* a derivative, or n + an output */
  guint32 *order;      /* of unknowns: those that determine the rest of the columns first */
  double *x, *u, *x_trial, *u_trial;
  double *xdot, *y;
  double *a, *b, *c, *d;
  double *jacobian;                  /* scaled; column by column */
  double *scale;                     /* by unknown */
  double *weight;                    /* by condition */
  double *residual, *trial_residual; /* scaled */
  double *step;                      /* by unknown */
  GPtrArray *blocks;                 /* owns all of these */
} Trim;

static double *
reserve (Trim *self, gsize n)
{
  double *block = g_new0 (double, n + 1);

  g_ptr_array_add (self->blocks, block);
  return block;
}

static guint32 *
reserve_indices (Trim *self, gsize n)
{
  guint32 *block = g_new0 (guint32, n + 1);

  g_ptr_array_add (self->blocks, block);
  return block;
}

static double *
unknown_in (const Trim *self, guint k, double *x, double *u)
{
  guint32 j = self->unknowns[k];

  return j < self->n ? &x[j] : &u[j - self->n];
}

/* How far condition @i is from being met. */
static double
offset_of (const Trim *self, guint i)
{
  guint32 row = self->conditions[i];

  return row < self->n ? self->xdot[row] : self->y[row - self->n] - self->wanted[row - self->n];
}

/* "the derivative of Motor.Coil" (transfer full) */
static WeirMessage *
tell_condition (const Trim *self, guint i)
{
  guint32 row = self->conditions[i];
  g_autofree char *state = NULL;

  if (row >= self->n)
    return weir_message_new ("%s",
                             weir_operating_point_get_output_name (self->point, row - self->n));
  state = weir_operating_point_dup_state_name (self->point, row);
  return weir_message_new (N_ ("the derivative of %s"), state);
}

static char *
dup_unknown_name (const Trim *self, guint k)
{
  guint32 j = self->unknowns[k];

  return j < self->n ? weir_operating_point_dup_state_name (self->point, j)
                     : g_strdup (weir_operating_point_get_input_name (self->point, j - self->n));
}

static void
list (Trim *self, const WeirTrimConditions *conditions)
{
  for (guint32 j = 0; j < self->n; j++)
    {
      if (conditions->held_states == NULL || !conditions->held_states[j])
        self->unknowns[self->n_unknowns++] = j;
      if (conditions->moving_states == NULL || !conditions->moving_states[j])
        self->conditions[self->n_conditions++] = j;
    }
  for (guint32 j = 0; j < self->n_inputs; j++)
    if (conditions->free_inputs != NULL && conditions->free_inputs[j])
      self->unknowns[self->n_unknowns++] = self->n + j;
  for (guint32 i = 0; i < self->n_outputs; i++)
    if (self->wanted != NULL && !isnan (self->wanted[i]))
      self->conditions[self->n_conditions++] = self->n + i;
}

static void
begin (Trim *self, WeirOperatingPoint *point, const WeirTrimConditions *conditions)
{
  gsize rows, columns;

  self->point = point;
  self->wanted = conditions->outputs;
  self->n = weir_operating_point_get_n_states (point);
  self->n_inputs = weir_operating_point_get_n_inputs (point);
  self->n_outputs = weir_operating_point_get_n_outputs (point);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->unknowns = reserve_indices (self, (gsize) self->n + self->n_inputs);
  self->conditions = reserve_indices (self, (gsize) self->n + self->n_outputs);
  list (self, conditions);
  rows = self->n_conditions;
  columns = self->n_unknowns;
  self->order = reserve_indices (self, columns);
  self->x = reserve (self, self->n);
  self->u = reserve (self, self->n_inputs);
  self->x_trial = reserve (self, self->n);
  self->u_trial = reserve (self, self->n_inputs);
  self->xdot = reserve (self, self->n);
  self->y = reserve (self, self->n_outputs);
  self->a = reserve (self, (gsize) self->n * self->n);
  self->b = reserve (self, (gsize) self->n * self->n_inputs);
  self->c = reserve (self, (gsize) self->n_outputs * self->n);
  self->d = reserve (self, (gsize) self->n_outputs * self->n_inputs);
  self->jacobian = reserve (self, rows * columns);
  self->scale = reserve (self, columns);
  self->weight = reserve (self, rows);
  self->residual = reserve (self, rows);
  self->trial_residual = reserve (self, rows);
  self->step = reserve (self, columns);
  memcpy (self->x, weir_operating_point_get_state (point), self->n * sizeof (double));
  memcpy (self->u, weir_operating_point_get_input (point), self->n_inputs * sizeof (double));
}

/* --- One linear system ----------------------------------------------------------------------- */

/* The scaled Jacobian and the weights at (x, u). */
static gboolean
differentiate (Trim *self, GError **error)
{
  memset (self->a, 0, (gsize) self->n * self->n * sizeof (double));
  memset (self->b, 0, (gsize) self->n * self->n_inputs * sizeof (double));
  memset (self->c, 0, (gsize) self->n_outputs * self->n * sizeof (double));
  memset (self->d, 0, (gsize) self->n_outputs * self->n_inputs * sizeof (double));
  if (!weir_operating_point_differentiate (self->point, self->x, self->u, self->a, self->b, self->c,
                                           self->d, NULL, NULL, error))
    return FALSE;
  for (guint k = 0; k < self->n_unknowns; k++)
    self->scale[k] = fmax (fabs (*unknown_in (self, k, self->x, self->u)), 1);
  for (guint i = 0; i < self->n_conditions; i++)
    {
      guint32 row = self->conditions[i];
      const double *left = row < self->n ? self->a + (gsize) row * self->n
                                         : self->c + (gsize) (row - self->n) * self->n;
      const double *right = row < self->n ? self->b + (gsize) row * self->n_inputs
                                          : self->d + (gsize) (row - self->n) * self->n_inputs;
      double size = 0;

      for (guint k = 0; k < self->n_unknowns; k++)
        {
          guint32 j = self->unknowns[k];
          double entry = (j < self->n ? left[j] : right[j - self->n]) * self->scale[k];

          self->jacobian[(gsize) k * self->n_conditions + i] = entry;
          size = fmax (size, fabs (entry));
        }
      self->weight[i] = size > 0 ? 1 / size : 1;
      for (guint k = 0; k < self->n_unknowns; k++)
        self->jacobian[(gsize) k * self->n_conditions + i] *= self->weight[i];
    }
  return TRUE;
}

/* The step that least squares give; unknowns that the conditions leave open get none. */
static void
find_step (Trim *self)
{
  g_autofree double *right = g_new (double, self->n_conditions + 1);
  WeirQr qr = { self->n_conditions, self->n_unknowns, self->jacobian, right, self->order };

  for (guint i = 0; i < self->n_conditions; i++)
    right[i] = -self->residual[i];
  self->rank = weir_qr_factorise (&qr, RANK);
  weir_qr_solve (&qr, self->rank, self->step);
  for (guint k = 0; k < self->n_unknowns; k++)
    self->step[k] *= self->scale[k];
}

/* --- The search ------------------------------------------------------------------------------ */

/* The scaled residual at (@x, @u); INFINITY where the model has no value. */
static double
measure (Trim *self, const double *x, const double *u, double *residual)
{
  double sum = 0;

  if (!weir_operating_point_eval (self->point, x, u, self->xdot, self->y))
    return INFINITY;
  for (guint i = 0; i < self->n_conditions; i++)
    residual[i] = offset_of (self, i) * self->weight[i];
  for (guint i = 0; i < self->n_conditions; i++)
    sum += residual[i] * residual[i];
  return sqrt (sum);
}

/* Goes along the step as far as that helps. FALSE if it does not. */
static gboolean
go (Trim *self, double size)
{
  double part = 1;

  for (guint i = 0; i < MAX_HALVINGS; i++, part /= 2)
    {
      double trial;

      memcpy (self->x_trial, self->x, self->n * sizeof (double));
      memcpy (self->u_trial, self->u, self->n_inputs * sizeof (double));
      for (guint k = 0; k < self->n_unknowns; k++)
        *unknown_in (self, k, self->x_trial, self->u_trial) += part * self->step[k];
      trial = measure (self, self->x_trial, self->u_trial, self->trial_residual);
      if (trial < size * (1 - 1e-4 * part))
        {
          memcpy (self->x, self->x_trial, self->n * sizeof (double));
          memcpy (self->u, self->u_trial, self->n_inputs * sizeof (double));
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
fail (Trim *self, GError **error)
{
  g_autoptr (WeirMessage) name = NULL, where = NULL, conditions = NULL, unknowns = NULL;
  guint worst = 0;

  if (isinf (measure (self, self->x, self->u, self->residual)))
    {
      const char *why = weir_operating_point_get_failure (self->point);

      if (why != NULL)
        weir_error_set (error, WEIR_ERROR_FAILED, "the model has no value where trim begins: %s",
                        why);
      else
        weir_error_set (error, WEIR_ERROR_FAILED, "the model has no value where trim begins");
      return FALSE;
    }
  for (guint i = 1; i < self->n_conditions; i++)
    if (fabs (self->residual[i]) > fabs (self->residual[worst]))
      worst = i;
  name = tell_condition (self, worst);
  where = weir_message_new (self->conditions[worst] < self->n
                                ? N_ ("%s stays at %g where 0 is wanted")
                                : N_ ("%s stays %g off the value that is wanted"),
                            weir_message_get_text (name), offset_of (self, worst));
  conditions = weir_message_new (
      self->n_conditions == 1 ? N_ ("%u condition") : N_ ("%u conditions"), self->n_conditions);
  unknowns = weir_message_new (self->n_unknowns == 1 ? N_ ("%u unknown") : N_ ("%u unknowns"),
                               self->n_unknowns);
  weir_error_set (error, WEIR_ERROR_FAILED, "no operating point was found for %s and %s: %s; %s",
                  weir_message_get_text (conditions), weir_message_get_text (unknowns),
                  weir_message_get_text (where),
                  self->rank < self->n_conditions ? weir_phrase (
                      N_ ("no unknown changes it without upsetting another condition: hold "
                          "less, free an input, or let a state move"))
                                                  : weir_phrase (N_ ("begin nearer to one")));
  return FALSE;
}

static void
note_open_unknowns (Trim *self, GPtrArray *notes)
{
  guint n_open = self->n_unknowns - self->rank;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint k = 0; k < n_open && k < MAX_NAMES; k++)
    {
      g_autofree char *name = dup_unknown_name (self, self->order[self->rank + k]);

      g_string_append_printf (names, "%s%s", k > 0 ? ", " : "", name);
    }
  if (n_open > MAX_NAMES)
    g_string_append_printf (names, _ (" and %u more"), n_open - MAX_NAMES);
  if (n_open > 0)
    g_ptr_array_add (
        notes, g_strdup_printf (
                   weir_translate_count ("%u condition leave %u of %u unknowns open, which keep "
                                         "their values: %s",
                                         "%u conditions leave %u of %u unknowns open, which keep "
                                         "their values: %s",
                                         self->n_conditions),
                   self->n_conditions, n_open, self->n_unknowns, names->str));
}

/* Where the conditions have a turning point, such as a pendulum that stands level, no step helps:
 * begins anew a little aside. */
static void
step_aside (Trim *self)
{
  for (guint k = 0; k < self->n_unknowns; k++)
    *unknown_in (self, k, self->x, self->u) += ASIDE * self->scale[k];
}

static gboolean
search (Trim *self, GPtrArray *notes, GError **error)
{
  guint n_aside = 0;

  for (guint i = 0; i < MAX_ITERATIONS; i++)
    {
      double size;

      if (!differentiate (self, error))
        return FALSE;
      size = measure (self, self->x, self->u, self->residual);
      if (isinf (size))
        return fail (self, error);
      find_step (self);
      if (size > CLOSE && go (self, size))
        continue;
      if (size > GOOD && self->rank < MIN (self->n_conditions, self->n_unknowns) && n_aside++ < 2)
        {
          step_aside (self);
          continue;
        }
      if (size > GOOD)
        return fail (self, error);
      note_open_unknowns (self, notes);
      return TRUE;
    }
  return fail (self, error);
}

gboolean
weir_trim (WeirOperatingPoint *point, const WeirTrimConditions *conditions, GPtrArray *notes,
           GError **error)
{
  Trim self = { 0 };
  gboolean ok;

  begin (&self, point, conditions);
  ok = search (&self, notes, error);
  if (ok)
    weir_operating_point_move (point, self.x, self.u);
  g_ptr_array_unref (self.blocks);
  return ok;
}
