/* The Jacobian of an operating point by extrapolated central differences. See linearize.h.
 *
 * The increments of a group of columns go down by powers of four. For each row the differences form
 * Richardson's tableau; the entry whose neighbours differ least, rounding included, is taken. A
 * level at which the model has no value is passed over, so a root or logarithm near its end is no
 * obstacle.
 */
#include "analysis/linearize.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "base/status.h"
#include "numerics/rows.h"
#include "system/layout/sparsity.h"

#define N_LEVELS 16
#define RATIO 4.0         /* of an increment to the next */
#define FIRST (1.0 / 16)  /* increment, relative */
#define ENOUGH 1e-14      /* relative error at which a group is done */
#define KINK_WIDE 0x1p-18 /* increments at which both sides are compared, relative */
#define KINK_NARROW 0x1p-26
#define SHARP 1e-4 /* a kink: the slope jumps by this part of the largest in its row */

typedef struct {
  guint32 row, column;
  double jump; /* of the slope */
} Kink;

typedef struct {
  WeirOperatingPoint *point;
  guint n, n_inputs, n_outputs, n_rows; /* rows: derivatives, then outputs */
  double *x, *u;                        /* moved */
  const double *x0, *u0;
  double *f0, *plus, *minus, *slope, *error, *wide;
  double *tableau[2]; /* of this level and the one before: N_LEVELS values a row */
  guint32 *column;    /* by row: the variable it is differentiated by; WEIR_NO_INDEX = none */
  double *size;       /* by row: its largest slope yet */
  GArray *kinks;      /* Kink; NULL: nobody asks */
} Differences;

/* A variable: a state, or n_states + an input. */
static double *
variable (Differences *self, guint32 j)
{
  return j < self->n ? &self->x[j] : &self->u[j - self->n];
}

static double
value_of (const Differences *self, guint32 j)
{
  return j < self->n ? self->x0[j] : self->u0[j - self->n];
}

static double
increment_of (const Differences *self, guint32 j, double relative)
{
  return relative * fmax (fabs (value_of (self, j)), 1);
}

static gboolean
is_finite (const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return FALSE;
  return TRUE;
}

static gboolean
evaluate (Differences *self, gboolean with_derivatives, gboolean with_outputs, double *f)
{
  return weir_operating_point_eval (self->point, self->x, self->u, with_derivatives ? f : NULL,
                                    with_outputs ? f + self->n : NULL)
         && (!with_derivatives || is_finite (f, self->n))
         && (!with_outputs || is_finite (f + self->n, self->n_outputs));
}

/* Both sides of the point, all of @columns moved by @relative. */
static gboolean
look (Differences *self, guint n_columns, const guint32 *columns, double relative,
      gboolean with_derivatives, gboolean with_outputs)
{
  gboolean ok;

  for (guint k = 0; k < n_columns; k++)
    *variable (self, columns[k]) = value_of (self, columns[k])
                                   + increment_of (self, columns[k], relative);
  ok = evaluate (self, with_derivatives, with_outputs, self->plus);
  for (guint k = 0; k < n_columns && ok; k++)
    *variable (self, columns[k]) = value_of (self, columns[k])
                                   - increment_of (self, columns[k], relative);
  ok = ok && evaluate (self, with_derivatives, with_outputs, self->minus);
  for (guint k = 0; k < n_columns; k++)
    *variable (self, columns[k]) = value_of (self, columns[k]);
  return ok;
}

/* Of row @i: the width of its difference, as it was rounded. */
static double
width_of (const Differences *self, guint i, double relative)
{
  double value = value_of (self, self->column[i]);
  double h = increment_of (self, self->column[i], relative);

  return (value + h) - (value - h);
}

/* Takes one more level into the tableau of row @i. TRUE if the row is known well enough. */
static gboolean
extrapolate (Differences *self, guint i, guint n_before, double relative)
{
  double *present = self->tableau[0] + (gsize) i * N_LEVELS;
  const double *before = self->tableau[1] + (gsize) i * N_LEVELS;
  double width = width_of (self, i, relative), power = 1;
  double rounding = DBL_EPSILON * (fabs (self->plus[i]) + fabs (self->minus[i])) / width;

  present[0] = (self->plus[i] - self->minus[i]) / width;
  if (n_before == 0 && isinf (self->error[i]))
    self->slope[i] = present[0];
  for (guint k = 1; k <= n_before; k++)
    {
      double error;

      power *= RATIO * RATIO;
      present[k] = (power * present[k - 1] - before[k - 1]) / (power - 1);
      error = fmax (fabs (present[k] - present[k - 1]), fabs (present[k] - before[k - 1]))
              + rounding;
      if (error < self->error[i])
        {
          self->error[i] = error;
          self->slope[i] = present[k];
        }
    }
  return self->error[i] <= ENOUGH * fabs (self->slope[i])
         || (present[0] == 0 && n_before > 0 && before[0] == 0);
}

/* A kink: what both sides' slopes differ by does not shrink with the increment, as it does where
 * there is only curvature. */
static void
look_for_kinks (Differences *self, guint n_columns, const guint32 *columns,
                gboolean with_derivatives, gboolean with_outputs, double *wide)
{
  guint begin = with_derivatives ? 0 : self->n;
  guint end = with_outputs ? self->n_rows : self->n;

  if (!look (self, n_columns, columns, KINK_WIDE, with_derivatives, with_outputs))
    return;
  for (guint i = begin; i < end; i++)
    wide[i] = self->plus[i] - 2 * self->f0[i] + self->minus[i];
  if (!look (self, n_columns, columns, KINK_NARROW, with_derivatives, with_outputs))
    return;
  for (guint i = begin; i < end; i++)
    {
      double bend = fabs (self->plus[i] - 2 * self->f0[i] + self->minus[i]);
      Kink kink = { i, self->column[i], 0 };

      if (kink.column == WEIR_NO_INDEX || bend < 0.5 * KINK_NARROW / KINK_WIDE * fabs (wide[i]))
        continue;
      kink.jump = bend / increment_of (self, kink.column, KINK_NARROW);
      if (kink.jump > 0)
        g_array_append_val (self->kinks, kink);
    }
}

/* Tells of the kinks that are more than rounding, beside the largest slope of their row. */
static void
note_kinks (const Differences *self, GPtrArray *notes)
{
  for (guint k = 0; k < self->kinks->len; k++)
    {
      Kink kink = g_array_index (self->kinks, Kink, k);
      guint i = kink.row, j = kink.column;
      g_autofree char *row = NULL;
      g_autofree char *column = NULL;

      if (kink.jump <= SHARP * self->size[i])
        continue;
      row = i < self->n
                ? weir_operating_point_dup_state_name (self->point, i)
                : g_strdup (weir_operating_point_get_output_name (self->point, i - self->n));
      column = j < self->n
                   ? weir_operating_point_dup_state_name (self->point, j)
                   : g_strdup (weir_operating_point_get_input_name (self->point, j - self->n));
      g_ptr_array_add (notes,
                       g_strdup_printf (i < self->n
                                            ? _ ("the derivative of %s has a kink or jump with "
                                                 "respect to %s at this point; the slope is the "
                                                 "mean of both sides")
                                            : _ ("%s has a kink or jump with respect to %s at this "
                                                 "point; the slope is the mean of both sides"),
                                        row, column));
    }
}

/* Differentiates the rows by their columns. FALSE if the model has no value at any level. */
static gboolean
differentiate (Differences *self, guint n_columns, const guint32 *columns,
               gboolean with_derivatives, gboolean with_outputs)
{
  guint begin = with_derivatives ? 0 : self->n;
  guint end = with_outputs ? self->n_rows : self->n;
  double relative = FIRST;
  guint n_before = 0;
  gboolean any = FALSE, is_done = FALSE;

  for (guint i = begin; i < end; i++)
    {
      self->slope[i] = 0;
      self->error[i] = INFINITY;
    }
  for (guint level = 0; level < N_LEVELS && !is_done; level++, relative /= RATIO)
    {
      double *kept = self->tableau[0];

      if (!look (self, n_columns, columns, relative, with_derivatives, with_outputs))
        {
          n_before = 0; /* extrapolation needs one level after the other */
          continue;
        }
      any = TRUE;
      self->tableau[0] = self->tableau[1];
      self->tableau[1] = kept;
      is_done = n_before > 0;
      for (guint i = begin; i < end; i++)
        if (self->column[i] != WEIR_NO_INDEX && !extrapolate (self, i, n_before, relative))
          is_done = FALSE;
      n_before++;
    }
  if (any && self->kinks != NULL)
    look_for_kinks (self, n_columns, columns, with_derivatives, with_outputs, self->wide);
  return any;
}

/* --- The matrices ---------------------------------------------------------------------------- */

static void
set_all (Differences *self, guint begin, guint end, guint32 column)
{
  for (guint i = begin; i < end; i++)
    self->column[i] = column;
}

/* Copies what was found into the rows of a matrix; @n_columns wide. */
static void
store (Differences *self, guint begin, guint n, guint first, guint n_columns, double *matrix,
       double *errors)
{
  for (guint i = 0; i < n; i++)
    {
      guint32 j = self->column[begin + i];

      if (j == WEIR_NO_INDEX)
        continue;
      matrix[(gsize) i * n_columns + (j - first)] = self->slope[begin + i];
      self->size[begin + i] = fmax (self->size[begin + i], fabs (self->slope[begin + i]));
      if (errors != NULL)
        errors[begin + i] = fmax (errors[begin + i], self->error[begin + i]);
    }
}

static gboolean
find_a (Differences *self, double *a, double *errors)
{
  g_autoptr (WeirRows) pattern = weir_layout_find_sparsity (
      weir_operating_point_get_layout (self->point), G_MAXINT64);
  g_autofree guint32 *colours = g_new0 (guint32, self->n + 1);
  g_autofree guint32 *columns = g_new (guint32, self->n + 1);
  guint n_colours = weir_colour_columns (pattern, colours);

  for (guint colour = 0; colour < n_colours; colour++)
    {
      guint n_columns = 0;

      set_all (self, 0, self->n, WEIR_NO_INDEX);
      for (guint32 j = 0; j < self->n; j++)
        if (colours[j] == colour)
          {
            columns[n_columns++] = j;
            for (guint32 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
              self->column[pattern->items[k]] = j;
          }
      if (!differentiate (self, n_columns, columns, TRUE, FALSE))
        return FALSE;
      store (self, 0, self->n, 0, self->n, a, errors);
    }
  return TRUE;
}

static gboolean
find_rest (Differences *self, double *b, double *c, double *d, double *errors)
{
  for (guint32 j = 0; c != NULL && j < self->n && self->n_outputs > 0; j++)
    {
      set_all (self, self->n, self->n_rows, j);
      if (!differentiate (self, 1, &j, FALSE, TRUE))
        return FALSE;
      store (self, self->n, self->n_outputs, 0, self->n, c, errors);
    }
  for (guint32 j = self->n; (b != NULL || d != NULL) && j < self->n + self->n_inputs; j++)
    {
      set_all (self, 0, self->n_rows, j);
      if (!differentiate (self, 1, &j, b != NULL, d != NULL))
        return FALSE;
      if (b != NULL)
        store (self, 0, self->n, self->n, self->n_inputs, b, errors);
      if (d != NULL)
        store (self, self->n, self->n_outputs, self->n, self->n_inputs, d, errors);
    }
  return TRUE;
}

static gboolean
fail (WeirOperatingPoint *point, const char *where, GError **error)
{
  const char *why = weir_operating_point_get_failure (point);

  if (why != NULL)
    weir_error_set (error, WEIR_ERROR_FAILED, "%s: %s", where, why);
  else
    weir_error_set (error, WEIR_ERROR_FAILED, "%s", where);
  return FALSE;
}

gboolean
weir_operating_point_differentiate (WeirOperatingPoint *point, const double *x, const double *u,
                                    double *a, double *b, double *c, double *d, double *errors,
                                    GPtrArray *notes, GError **error)
{
  guint n = weir_operating_point_get_n_states (point);
  guint n_inputs = weir_operating_point_get_n_inputs (point);
  guint n_outputs = weir_operating_point_get_n_outputs (point);
  gsize rows = (gsize) n + n_outputs;
  g_autofree double *memory = g_new0 (double, n + n_inputs + rows * (7 + 2 * N_LEVELS) + 1);
  g_autofree guint32 *column = g_new (guint32, rows + 1);
  Differences self = { .point = point,
                       .n = n,
                       .n_inputs = n_inputs,
                       .n_outputs = n_outputs,
                       .n_rows = (guint) rows,
                       .x0 = x,
                       .u0 = u,
                       .column = column };
  g_autoptr (GArray) kinks = g_array_new (FALSE, FALSE, sizeof (Kink));
  double *next = memory + n + n_inputs;

  self.x = memory;
  self.u = memory + n;
  memcpy (self.x, x, n * sizeof *x);
  memcpy (self.u, u, n_inputs * sizeof *u);
  self.f0 = next;
  self.plus = next + rows;
  self.minus = next + 2 * rows;
  self.slope = next + 3 * rows;
  self.error = next + 4 * rows;
  self.wide = next + 5 * rows;
  self.size = next + 6 * rows;
  self.tableau[0] = next + 7 * rows;
  self.tableau[1] = next + (7 + N_LEVELS) * rows;
  self.kinks = notes != NULL ? kinks : NULL;
  if (!evaluate (&self, TRUE, TRUE, self.f0))
    return fail (point, weir_phrase (N_ ("the model has no value at the operating point")), error);
  if ((a != NULL && n > 0 && !find_a (&self, a, errors)) || !find_rest (&self, b, c, d, errors))
    return fail (point,
                 weir_phrase (N_ ("the model has no value on both sides of the operating point")),
                 error);
  if (notes != NULL)
    note_kinks (&self, notes);
  return TRUE;
}
