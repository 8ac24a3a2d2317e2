/* A recorded signal as it is measured: its rows, sums of blocks of them, statistics, readings. See
 * measure.h. */
#include "analysis/measure-private.h"

/* --- Columns --------------------------------------------------------------------------------- */

WeirMeasure *
weir_measure_new (const WeirSampleColumns *columns, WeirBetween between, gpointer data,
                  GDestroyNotify destroy)
{
  WeirMeasure *self = g_new0 (WeirMeasure, 1);

  self->columns = *columns;
  self->between = between;
  self->data = data;
  self->destroy = destroy;
  self->blocks = g_array_sized_new (FALSE, FALSE, sizeof (WeirMeasureSums),
                                    (guint) (columns->get_n_rows (data) / WEIR_MEASURE_BLOCK));
  weir_measure_update (self);
  return self;
}

void
weir_measure_free (WeirMeasure *self)
{
  if (self == NULL)
    return;
  if (self->destroy != NULL)
    self->destroy (self->data);
  g_array_unref (self->blocks);
  g_free (self);
}

typedef struct {
  WeirRecorder *recorder;
  guint signal;
  gsize first_row; /* of the signal */
} Recorded;

static gsize
count_recorded (gpointer data)
{
  const Recorded *self = data;
  gsize n = weir_recorder_get_n_rows (self->recorder);

  return n > self->first_row ? n - self->first_row : 0;
}

static const double *
get_recorded_times (gpointer data, gsize first, gsize *n)
{
  const Recorded *self = data;

  return weir_recorder_get_times (self->recorder, self->first_row + first, n);
}

static const double *
get_recorded_values (gpointer data, gsize first, gsize *n)
{
  const Recorded *self = data;

  return weir_recorder_get_values (self->recorder, self->signal, self->first_row + first, n);
}

static void
recorded_free (gpointer data)
{
  Recorded *self = data;

  weir_recorder_unref (self->recorder);
  g_free (self);
}

WeirMeasure *
weir_measure_new_for_signal (WeirRecorder *recorder, guint signal, WeirBetween between)
{
  static const WeirSampleColumns columns = { count_recorded, get_recorded_times,
                                             get_recorded_values };
  Recorded *data = g_new (Recorded, 1);

  *data = (Recorded) { weir_recorder_ref (recorder), signal,
                       weir_recorder_get_first_row (recorder, signal) };
  return weir_measure_new (&columns, between, data, recorded_free);
}

typedef struct {
  gsize n;
  const double *times, *values;
} Arrays;

static gsize
count_arrays (gpointer data)
{
  return ((Arrays *) data)->n;
}

static const double *
get_array_times (gpointer data, gsize first, gsize *n)
{
  *n = ((Arrays *) data)->n - first;
  return ((Arrays *) data)->times + first;
}

static const double *
get_array_values (gpointer data, gsize first, gsize *n)
{
  *n = ((Arrays *) data)->n - first;
  return ((Arrays *) data)->values + first;
}

WeirMeasure *
weir_measure_new_for_arrays (gsize n, const double *times, const double *values,
                             WeirBetween between)
{
  static const WeirSampleColumns columns = { count_arrays, get_array_times, get_array_values };
  Arrays *data = g_new (Arrays, 1);

  *data = (Arrays) { n, times, values };
  return weir_measure_new (&columns, between, data, g_free);
}

double
weir_measure_get_time (const WeirMeasure *self, gsize row)
{
  gsize n;

  return *self->columns.get_times (self->data, row, &n);
}

double
weir_measure_get_value (const WeirMeasure *self, gsize row)
{
  gsize n;

  return *self->columns.get_values (self->data, row, &n);
}

/* How many rows have a time below @time, or at it (@or_at). */
static gsize
count_rows (const WeirMeasure *self, double time, gboolean or_at)
{
  gsize low = 0, high = self->n_rows;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      double t = weir_measure_get_time (self, middle);

      if (t < time || (or_at && t == time))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
weir_measure_find_rows (const WeirMeasure *self, WeirTimeRange range, WeirMeasureRows *rows)
{
  gsize n = self->n_rows;
  double begin, end;

  if (n == 0 || !(range.from <= range.to))
    return FALSE;
  begin = weir_measure_get_time (self, 0);
  end = weir_measure_get_time (self, n - 1);
  if (range.from > end || range.to < begin)
    return FALSE;
  rows->from = MAX (range.from, begin);
  rows->to = MIN (range.to, end);
  rows->first = range.from > begin ? count_rows (self, range.from, TRUE) - 1 : 0;
  rows->last = range.to < end ? count_rows (self, range.to, FALSE) : n - 1;
  rows->last = MAX (rows->first, rows->last);
  return TRUE;
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* Adds the sums of @other, which come after those of @self (Chan, Golub & LeVeque, Am. Stat. 37,
 * 1983). */
static void
add_sums (WeirMeasureSums *self, const WeirMeasureSums *other)
{
  double duration = self->duration + other->duration, difference = other->mean - self->mean;

  self->n_gaps += other->n_gaps;
  if (isnan (other->first))
    return;
  if (isnan (self->first))
    {
      gsize n_gaps = self->n_gaps;

      *self = *other;
      self->n_gaps = n_gaps;
      return;
    }
  if (other->duration > 0)
    {
      self->square += other->square
                      + difference * difference * self->duration * (other->duration / duration);
      self->mean += difference * (other->duration / duration);
    }
  self->duration = duration;
  self->min = MIN (self->min, other->min);
  self->max = MAX (self->max, other->max);
  self->last = other->last;
}

/* Sums about @shift, any value of the signal, so that squares lose no digits to a large mean. */
typedef struct {
  WeirMeasureSums sums;
  double shift, integral, square;
  gboolean is_begun;
} Adding;

static inline __attribute__ ((always_inline)) gboolean
add_piece (gpointer data, double ta, double va, double tb, double vb)
{
  Adding *self = data;
  double dt = tb - ta, a, b;

  if (!self->is_begun)
    {
      self->is_begun = TRUE;
      self->shift = self->sums.first = self->sums.min = self->sums.max = va;
    }
  a = va - self->shift;
  b = vb - self->shift;
  self->sums.duration += dt;
  self->integral += dt * (a + b);
  self->square += dt * (a * a + a * b + b * b);
  self->sums.min = MIN (self->sums.min, MIN (va, vb));
  self->sums.max = MAX (self->sums.max, MAX (va, vb));
  self->sums.last = vb;
  return TRUE;
}

static WeirMeasureSums
finish_sums (const Adding *self)
{
  WeirMeasureSums sums = self->sums;
  double mean = sums.duration > 0 ? self->integral / 2 / sums.duration : 0;

  if (!self->is_begun)
    {
      sums.first = (double) NAN;
      return sums;
    }
  sums.mean = self->shift + mean;
  sums.square = MAX (0, self->square / 3 - mean * mean * sums.duration);
  return sums;
}

/* Integrals of (y - shift) u and (y - shift) u^2, u being the time from a block's centre. */
typedef struct {
  double shift, centre;
  double first, second; /* 6 and 12 times them */
} Moments;

static inline __attribute__ ((always_inline)) gboolean
add_moments (gpointer data, double ta, double va, double tb, double vb)
{
  Moments *self = data;
  double a = va - self->shift, b = vb - self->shift, ua = ta - self->centre, ub = tb - self->centre;
  double sum = ua + ub;

  self->first += (tb - ta) * ((a + b) * sum + a * ua + b * ub);
  self->second += (tb - ta) * ((a + b) * sum * sum + 2 * (a * ua * ua + b * ub * ub));
  return TRUE;
}

static void
finish_moments (const Moments *self, WeirMeasureSums *sums)
{
  double h = sums->half, shift = self->shift - sums->mean;

  sums->moments[0] = self->first / 6;
  sums->moments[1] = self->second / 12 + shift * 2 * h * h * h / 3;
}

/* The sums of a block of straight lines, each number read once. FALSE if there are gaps. */
static gboolean
sum_lines (const WeirMeasure *self, gsize begin, gsize end, WeirMeasureSums *sums)
{
  const double shift = weir_measure_get_value (self, begin), centre = sums->centre;
  double ta = weir_measure_get_time (self, begin), ua = ta - centre;
  double a = 0, a_first = 0, a_second = 0, min = shift, max = shift;
  double integral = 0, square = 0, first = 0, second = 0;
  gsize n;

  for (gsize row = begin + 1; row <= end; row += n)
    {
      gsize n_values;
      const double *t = self->columns.get_times (self->data, row, &n);
      const double *v = self->columns.get_values (self->data, row, &n_values);

      n = MIN (MIN (n, n_values), end + 1 - row);
      for (gsize k = 0; k < n; k++)
        {
          double b = v[k] - shift, dt = t[k] - ta, ub = t[k] - centre;
          double b_first = b * ub, b_second = b_first * ub, both = dt * (a + b), sum = ua + ub;

          integral += both;
          square += a * both + dt * (b * b);
          first += both * sum + dt * (a_first + b_first);
          second += both * (sum * sum) + 2 * (dt * (a_second + b_second));
          min = MIN (min, v[k]);
          max = MAX (max, v[k]);
          a = b;
          a_first = b_first;
          a_second = b_second;
          ua = ub;
          ta = t[k];
        }
    }
  if (weir_is_gap (square))
    return FALSE;
  *sums = finish_sums (&(Adding) { .sums = { .duration = 2 * sums->half,
                                             .min = min,
                                             .max = max,
                                             .first = shift,
                                             .last = weir_measure_get_value (self, end),
                                             .centre = centre,
                                             .half = sums->half },
                                   .shift = shift,
                                   .integral = integral,
                                   .square = square,
                                   .is_begun = TRUE });
  finish_moments (&(Moments) { shift, centre, first, second }, sums);
  return TRUE;
}

static gsize
count_gaps (const WeirMeasure *self, gsize begin, gsize end)
{
  gsize n_gaps = 0, n;

  for (gsize row = begin; row < end; row += n)
    {
      const double *v = self->columns.get_values (self->data, row, &n);

      n = MIN (n, end - row);
      for (gsize k = 0; k < n; k++)
        n_gaps += weir_is_gap (v[k]);
    }
  return n_gaps;
}

static WeirMeasureSums
sum_block (const WeirMeasure *self, gsize begin, gsize end)
{
  double from = weir_measure_get_time (self, begin), to = weir_measure_get_time (self, end);
  WeirMeasureSums sums = { .centre = from + (to - from) / 2, .half = (to - from) / 2 };
  Adding adding = { .sums = sums };
  Moments moments = { .centre = sums.centre };

  if (self->between == WEIR_BETWEEN_LINES && sum_lines (self, begin, end, &sums))
    return sums;
  weir_measure_walk_rows (self, begin, end, FALSE, NULL, add_piece, &adding);
  adding.sums.n_gaps = count_gaps (self, begin, end);
  sums = finish_sums (&adding);
  moments.shift = sums.mean;
  weir_measure_walk_rows (self, begin, end, FALSE, NULL, add_moments, &moments);
  finish_moments (&moments, &sums);
  return sums;
}

void
weir_measure_update (WeirMeasure *self)
{
  gsize n = self->columns.get_n_rows (self->data);

  if (n < self->n_rows) /* a run that went back */
    g_array_set_size (self->blocks, MIN (self->blocks->len, (guint) (n / WEIR_MEASURE_BLOCK)));
  if (n > 0 && self->blocks->len > (n - 1) / WEIR_MEASURE_BLOCK)
    g_array_set_size (self->blocks, (guint) ((n - 1) / WEIR_MEASURE_BLOCK));
  self->n_rows = n;
  while ((self->blocks->len + (gsize) 1) * WEIR_MEASURE_BLOCK < n)
    {
      gsize begin = self->blocks->len * (gsize) WEIR_MEASURE_BLOCK;
      WeirMeasureSums sums = sum_block (self, begin, begin + WEIR_MEASURE_BLOCK);

      g_array_append_val (self->blocks, sums);
    }
}

/* --- Statistics ------------------------------------------------------------------------------ */

typedef struct {
  WeirMeasureSums sums; /* of what came before the pieces under way */
  Adding adding;
} Statistics;

static inline __attribute__ ((always_inline)) gboolean
take_piece (gpointer data, double ta, double va, double tb, double vb)
{
  return add_piece (&((Statistics *) data)->adding, ta, va, tb, vb);
}

static void
take_pieces (Statistics *self)
{
  WeirMeasureSums sums = finish_sums (&self->adding);

  add_sums (&self->sums, &sums);
  self->adding = (Adding) { 0 };
}

static gboolean
take_block (gpointer data, const WeirMeasureSums *block)
{
  Statistics *self = data;

  take_pieces (self);
  add_sums (&self->sums, block);
  return TRUE;
}

gboolean
weir_measure_get_statistics (const WeirMeasure *self, WeirTimeRange range,
                             WeirStatistics *statistics)
{
  Statistics taken = { .sums = { .first = (double) NAN } };
  WeirMeasureSums *sums = &taken.sums;
  WeirMeasureRows rows;
  gsize begin, end, head, tail;

  *statistics = (WeirStatistics) { 0 };
  if (!weir_measure_find_rows (self, range, &rows))
    return FALSE;
  weir_measure_walk (self, &rows, take_block, take_piece, &taken);
  take_pieces (&taken);
  begin = weir_measure_get_time (self, rows.first) < rows.from ? rows.first + 1 : rows.first;
  end = weir_measure_get_time (self, rows.last) > rows.to ? rows.last : rows.last + 1;
  head = MIN (end, (begin / WEIR_MEASURE_BLOCK + 1) * WEIR_MEASURE_BLOCK);
  tail = MAX (head, (rows.last - (rows.last > 0)) / WEIR_MEASURE_BLOCK * WEIR_MEASURE_BLOCK);
  if (head % WEIR_MEASURE_BLOCK != 0 || tail > end)
    tail = head;
  statistics->n = end > begin ? end - begin : 0;
  statistics->n_gaps = end > begin ? count_gaps (self, begin, head) : 0;
  for (gsize block = head / WEIR_MEASURE_BLOCK; block < tail / WEIR_MEASURE_BLOCK; block++)
    statistics->n_gaps += g_array_index (self->blocks, WeirMeasureSums, block).n_gaps;
  if (end > tail)
    statistics->n_gaps += count_gaps (self, tail, end);
  if (isnan (sums->first))
    return FALSE;
  statistics->from = rows.from;
  statistics->to = rows.to;
  statistics->duration = sums->duration;
  statistics->first = sums->first;
  statistics->last = sums->last;
  statistics->min = sums->min;
  statistics->max = sums->max;
  statistics->peak_to_peak = sums->max - sums->min;
  statistics->mean = sums->duration > 0 ? sums->mean : sums->last;
  statistics->deviation = sums->duration > 0 ? sqrt (sums->square / sums->duration) : 0;
  statistics->rms = hypot (statistics->mean, statistics->deviation);
  return TRUE;
}

/* --- The median ------------------------------------------------------------------------------ */

typedef struct {
  double level, below; /* s that the signal is below it */
} Below;

static inline __attribute__ ((always_inline)) gboolean
add_below (gpointer data, double ta, double va, double tb, double vb)
{
  Below *self = data;
  double low = MIN (va, vb), high = MAX (va, vb), share;

  share = high <= self->level ? 1 : low >= self->level ? 0 : (self->level - low) / (high - low);
  self->below += share * (tb - ta);
  return TRUE;
}

static gboolean
add_block_below (gpointer data, const WeirMeasureSums *block)
{
  Below *self = data;

  if (isnan (block->first))
    return TRUE;
  if (block->max <= self->level)
    self->below += block->duration;
  return block->max <= self->level || block->min >= self->level;
}

double
weir_measure_get_median (const WeirMeasure *self, WeirTimeRange range)
{
  WeirStatistics statistics;
  WeirMeasureRows rows;
  double low, high;

  if (!weir_measure_get_statistics (self, range, &statistics))
    return (double) NAN;
  weir_measure_find_rows (self, range, &rows);
  low = statistics.min;
  high = statistics.max;
  for (guint i = 0; i < 60 && low < high; i++)
    {
      Below below = { .level = low + (high - low) / 2 };

      if (below.level <= low || below.level >= high)
        break;
      weir_measure_walk (self, &rows, add_block_below, add_below, &below);
      if (2 * below.below < statistics.duration)
        low = below.level;
      else
        high = below.level;
    }
  return high;
}

/* --- Readings -------------------------------------------------------------------------------- */

gboolean
weir_measure_read (const WeirMeasure *self, double time, WeirReading *reading)
{
  gsize row = count_rows (self, time, TRUE);
  double ta, va, tb, vb;

  *reading = (WeirReading) { (double) NAN, FALSE };
  if (row == 0 || !(time <= weir_measure_get_time (self, self->n_rows - 1)))
    return FALSE;
  ta = weir_measure_get_time (self, row - 1);
  va = weir_measure_get_value (self, row - 1);
  if (ta == time)
    {
      *reading = (WeirReading) { va, TRUE };
      return !weir_is_gap (va);
    }
  tb = weir_measure_get_time (self, row);
  vb = weir_measure_get_value (self, row);
  reading->value = self->between == WEIR_BETWEEN_LINES  ? weir_piece_at (time, ta, va, tb, vb)
                   : self->between == WEIR_BETWEEN_HELD ? va
                                                        : vb;
  return !weir_is_gap (reading->value);
}

typedef struct {
  double level, found;
  gboolean upward;
} Reach;

static inline __attribute__ ((always_inline)) gboolean
look_for_reach (gpointer data, double ta, double va, double tb, double vb)
{
  Reach *self = data;
  gboolean has_a = self->upward ? va >= self->level : va <= self->level;
  gboolean has_b = self->upward ? vb >= self->level : vb <= self->level;

  if (!has_a && !has_b)
    return TRUE;
  self->found = has_a ? ta : weir_piece_reach (self->level, ta, va, tb, vb);
  return FALSE;
}

static gboolean
cannot_reach (gpointer data, const WeirMeasureSums *block)
{
  const Reach *self = data;

  return isnan (block->first)
         || (self->upward ? block->max < self->level : block->min > self->level);
}

double
weir_measure_find_reach (const WeirMeasure *self, WeirTimeRange range, double level,
                         gboolean upward)
{
  Reach reach = { level, (double) NAN, upward };
  WeirMeasureRows rows;

  if (weir_measure_find_rows (self, range, &rows))
    weir_measure_walk (self, &rows, cannot_reach, look_for_reach, &reach);
  return reach.found;
}

/* Is there what @snap asks for at @row, or between it and the row after? */
static gboolean
find_at_row (const WeirMeasure *self, WeirSnap snap, double level, gsize row, double *found)
{
  double v = weir_measure_get_value (self, row), before, after;

  *found = weir_measure_get_time (self, row);
  if (snap == WEIR_SNAP_SAMPLE)
    return TRUE;
  after = row + 1 < self->n_rows ? weir_measure_get_value (self, row + 1) : v;
  if (snap == WEIR_SNAP_PEAK)
    {
      before = row > 0 ? weir_measure_get_value (self, row - 1) : v;
      return row > 0 && row + 1 < self->n_rows
             && ((v > before && v >= after) || (v < before && v <= after));
    }
  if (v == level)
    return TRUE;
  if (!((v < level && after > level) || (v > level && after < level)))
    return FALSE;
  if (self->between == WEIR_BETWEEN_LINES)
    *found = weir_piece_reach (level, *found, v, weir_measure_get_time (self, row + 1), after);
  else if (self->between == WEIR_BETWEEN_HELD)
    *found = weir_measure_get_time (self, row + 1);
  return TRUE;
}

gboolean
weir_measure_snap (const WeirMeasure *self, WeirSnap snap, double level, double time,
                   gboolean forward, double *found)
{
  gsize at = count_rows (self, time, forward);

  if (forward)
    for (gsize row = at > 0 ? at - 1 : 0; row < self->n_rows; row++)
      {
        if (find_at_row (self, snap, level, row, found) && *found > time)
          return TRUE;
      }
  else
    for (gsize row = MIN (at + 1, self->n_rows); row > 0; row--)
      if (find_at_row (self, snap, level, row - 1, found) && *found < time)
        return TRUE;
  return FALSE;
}
