/* Bounds of signals. See bound.h. */
#include "analysis/bound.h"

#include <float.h>
#include <string.h>

#include "analysis/measure-private.h"
#include "numerics/number.h"

#define N_NUMBERS 4

static const char *const sides[] = { "lower ", "upper " };

gboolean
weir_bound_is_sound (const WeirBound *self)
{
  return self->from < self->to && isfinite (self->values[0]) && isfinite (self->values[1])
         && ((isfinite (self->from) && isfinite (self->to)) || self->values[0] == self->values[1]);
}

gboolean
weir_bound_equal (const WeirBound *a, const WeirBound *b)
{
  return a->is_upper == b->is_upper && a->from == b->from && a->to == b->to
         && a->values[0] == b->values[0] && a->values[1] == b->values[1];
}

/* --- Text ------------------------------------------------------------------------------------ */

gboolean
weir_bound_parse (const char *line, WeirBound *self, const char **signal)
{
  double numbers[N_NUMBERS];
  const char *at;
  char *end;

  self->is_upper = g_str_has_prefix (line, sides[TRUE]);
  if (!self->is_upper && !g_str_has_prefix (line, sides[FALSE]))
    return FALSE;
  at = line + strlen (sides[self->is_upper]);
  for (guint i = 0; i < N_NUMBERS; i++, at = end + 1)
    {
      numbers[i] = g_ascii_strtod (at, &end);
      if (end == at || *end != ' ')
        return FALSE;
    }
  self->from = numbers[0];
  self->to = numbers[1];
  self->values[0] = numbers[2];
  self->values[1] = numbers[3];
  *signal = at;
  return *at != '\0' && weir_bound_is_sound (self);
}

char *
weir_bound_to_text (const WeirBound *self, const char *signal)
{
  const double numbers[N_NUMBERS] = { self->from, self->to, self->values[0], self->values[1] };
  GString *text = g_string_new (sides[self->is_upper]);

  for (guint i = 0; i < N_NUMBERS; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s ", weir_number_to_text (numbers[i], number));
    }
  return g_string_free (g_string_append (text, signal), FALSE);
}

/* --- Checking -------------------------------------------------------------------------------- */

typedef struct {
  const WeirBound *bound;
  WeirBoundVerdict verdict;
  double seen_to; /* s: pieces follow each other up to here; NAN: there was a gap */
} Check;

#define ROUNDING (16 * DBL_EPSILON)

/* How far beyond the bound @value is; 0 where they are the same but for rounding. */
static double
get_excess (const WeirBound *bound, double time, double value)
{
  double limit = bound->values[0] == bound->values[1]
                     ? bound->values[0]
                     : bound->values[0]
                           + (bound->values[1] - bound->values[0]) * (time - bound->from)
                                 / (bound->to - bound->from);

  if (fabs (value - limit) <= ROUNDING * (fabs (value) + fabs (limit)))
    return 0;
  return bound->is_upper ? value - limit : limit - value;
}

static gboolean
check_piece (gpointer data, double ta, double va, double tb, double vb)
{
  Check *self = data;
  WeirBoundVerdict *verdict = &self->verdict;
  double a = get_excess (self->bound, ta, va), b = get_excess (self->bound, tb, vb);

  if (ta != self->seen_to)
    self->seen_to = (double) NAN;
  if (!isnan (self->seen_to))
    self->seen_to = tb;
  if (isnan (verdict->worst) || a > verdict->worst)
    {
      verdict->worst = a;
      verdict->worst_at = ta;
    }
  if (b > verdict->worst)
    {
      verdict->worst = b;
      verdict->worst_at = tb;
    }
  if (isnan (verdict->broken_at) && (a > 0 || b > 0))
    verdict->broken_at = a > 0 ? ta : ta + (tb - ta) * (a / (a - b));
  return TRUE;
}

WeirBoundVerdict
weir_bound_check (const WeirBound *self, const WeirMeasure *measure)
{
  Check check = { .bound = self,
                  .verdict = { WEIR_BOUND_UNSEEN, (double) NAN, (double) NAN, (double) NAN } };
  WeirMeasureRows rows;

  if (!weir_measure_find_rows (measure, (WeirTimeRange) { self->from, self->to }, &rows))
    return check.verdict;
  check.seen_to = rows.from;
  weir_measure_walk (measure, &rows, NULL, check_piece, &check);
  if (!isnan (check.verdict.broken_at))
    check.verdict.state = WEIR_BOUND_BROKEN;
  else if (check.seen_to == rows.to && (!isfinite (self->from) || rows.from <= self->from)
           && (!isfinite (self->to) || rows.to >= self->to))
    check.verdict.state = WEIR_BOUND_KEPT;
  return check.verdict;
}

/* --- A step ---------------------------------------------------------------------------------- */

/* What is above a step is below it for one that goes down. */
static WeirBound
make_bound (gboolean is_beyond, gboolean is_up, double from, double to, double value)
{
  return (WeirBound) { is_beyond == is_up, from, to, { value, value } };
}

void
weir_bound_make_envelope (const WeirStepLevels *levels, double start, double end, double rise_time,
                          double settling_time, double overshoot, double undershoot,
                          WeirBound bounds[WEIR_N_ENVELOPE_BOUNDS])
{
  double step = levels->final - levels->initial;
  double risen = start + rise_time, settled = start + settling_time;
  gboolean is_up = step >= 0;

  bounds[0] = make_bound (TRUE, is_up, start, settled, levels->final + overshoot * step);
  bounds[1] = make_bound (TRUE, is_up, settled, end, levels->final + levels->band * step);
  bounds[2] = make_bound (FALSE, is_up, start, risen, levels->initial - undershoot * step);
  bounds[3] = make_bound (FALSE, is_up, risen, settled, levels->initial + levels->high * step);
  bounds[4] = make_bound (FALSE, is_up, settled, end, levels->final - levels->band * step);
}
