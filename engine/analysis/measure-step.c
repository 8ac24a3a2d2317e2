/* What a step response is judged by. See measure.h. */
#include "analysis/measure-private.h"
#include "base/text.h"

/* The last time at which |y - level| > band. */
typedef struct {
  double level, band, found;
  gboolean is_found;
} Outside;

static inline __attribute__ ((always_inline)) gboolean
look_for_outside (gpointer data, double ta, double va, double tb, double vb)
{
  Outside *self = data;
  double a = fabs (va - self->level), b = fabs (vb - self->level);

  if (a <= self->band && b <= self->band)
    return TRUE;
  self->is_found = TRUE;
  self->found = b > self->band
                    ? tb
                    : weir_piece_reach (self->level + (va > self->level ? self->band : -self->band),
                                        ta, va, tb, vb);
  return TRUE;
}

static gboolean
is_inside (gpointer data, const WeirMeasureSums *block)
{
  const Outside *self = data;

  return isnan (block->first)
         || (block->max - self->level <= self->band && self->level - block->min <= self->band);
}

/* The time from which on the signal stays within @band of @level; NAN: it does not, @end being
 * where it was seen last. */
static double
find_settling (const WeirMeasure *self, WeirTimeRange range, double level, double band, double end)
{
  Outside outside = { level, band, range.from, FALSE };
  WeirMeasureRows rows;

  if (!weir_measure_find_rows (self, range, &rows))
    return (double) NAN;
  weir_measure_walk_back (self, &rows, is_inside, look_for_outside, &outside, &outside.is_found);
  return outside.is_found && outside.found >= end ? (double) NAN : outside.found;
}

gboolean
weir_measure_get_step (const WeirMeasure *self, WeirTimeRange range, const WeirStepLevels *levels,
                       WeirStepFigures *figures)
{
  WeirStepLevels *used = &figures->levels;
  WeirStatistics all, risen;
  double change, away;

  *figures = (WeirStepFigures) { .levels = *levels };
  figures->low_time = figures->high_time = figures->rise_time = (double) NAN;
  figures->settling_time = figures->transient_time = (double) NAN;
  figures->overshoot = figures->undershoot = (double) NAN;
  figures->settling_min = figures->settling_max = (double) NAN;
  if (!weir_measure_get_statistics (self, range, &all))
    return FALSE;
  range = (WeirTimeRange) { all.from, all.to };
  used->initial = isnan (used->initial) ? all.first : used->initial;
  used->final = isnan (used->final) ? all.last : used->final;
  change = used->final - used->initial;
  away = MAX (all.max - used->final, used->final - all.min);
  figures->peak = MAX (fabs (all.max), fabs (all.min));
  figures->peak_time = fabs (all.max) >= fabs (all.min)
                           ? weir_measure_find_reach (self, range, all.max, TRUE)
                           : weir_measure_find_reach (self, range, all.min, FALSE);
  if (all.peak_to_peak == 0)
    {
      figures->why_not = N_ ("the signal is constant");
      return TRUE;
    }
  if (change == 0)
    {
      figures->why_not = N_ ("the initial and the final value are the same");
      return TRUE;
    }
  figures->overshoot = 100
                       * fmax (0, change > 0 ? (all.max - used->final) / change
                                             : (all.min - used->final) / change);
  figures->undershoot = 100
                        * fmax (0, change > 0 ? (used->initial - all.min) / change
                                              : (used->initial - all.max) / change);
  figures->low_time = weir_measure_find_reach (self, range, used->initial + used->low * change,
                                               change > 0);
  figures->high_time = weir_measure_find_reach (self, range, used->initial + used->high * change,
                                                change > 0);
  figures->rise_time = figures->high_time - figures->low_time;
  figures->settling_time = find_settling (self, range, used->final, used->band * fabs (change),
                                          all.to)
                           - all.from;
  figures->transient_time = find_settling (self, range, used->final, used->band * away, all.to)
                            - all.from;
  if (isnan (figures->settling_time))
    figures->why_not = N_ ("the signal does not settle within the range");
  if (!isnan (figures->high_time)
      && weir_measure_get_statistics (self, (WeirTimeRange) { figures->high_time, range.to },
                                      &risen))
    {
      figures->settling_min = risen.min;
      figures->settling_max = risen.max;
    }
  else
    figures->why_not = N_ ("the signal does not reach the final value within the range");
  return TRUE;
}
