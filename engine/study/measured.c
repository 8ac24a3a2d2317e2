/* Measured columns and residuals. See measured.h. */
#include "study/measured.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/status.h"
#include "sim/result-file.h"

#define GRID_TOLERANCE 1e-6 /* of its interval: files have rounded times */
#define LONGEST_GRID 1e7    /* rows */

typedef struct {
  guint match, signal;
  double time, value, deviation;
} Sample;

struct _WeirMeasured {
  GArray *samples; /* Sample: match by match, in the order of time */
  double first, last;
};

static gboolean
find_column (const WeirResultFile *file, const char *name, guint *column)
{
  for (*column = 0; *column < weir_result_file_get_n_signals (file); ++*column)
    if (strcmp (weir_result_file_get_name (file, *column), name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
add_samples (WeirMeasured *self, const WeirResultFile *file, const WeirStudyMatch *match, guint i)
{
  const double *times = weir_result_file_get_times (file), *values;
  guint column;

  if (!find_column (file, match->column, &column))
    return FALSE;
  values = weir_result_file_get_values (file, column);
  for (gsize row = 0; row < weir_result_file_get_n_rows (file); row++)
    {
      Sample sample = { i, match->signal, times[row], values[row],
                        isnan (match->deviation) ? 1 : match->deviation };

      if (!isfinite (sample.value))
        continue;
      self->first = fmin (self->first, sample.time);
      self->last = fmax (self->last, sample.time);
      g_array_append_val (self->samples, sample);
    }
  return TRUE;
}

WeirMeasured *
weir_measured_new (const char *path, const WeirStudy *study, int *line, GError **error)
{
  g_autoptr (WeirResultFile) file = weir_result_file_read (path, error);
  g_autoptr (WeirMeasured) self = NULL;

  if (file == NULL)
    return NULL;
  self = g_new0 (WeirMeasured, 1);
  self->samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  self->first = INFINITY;
  self->last = -INFINITY;
  for (guint i = 0; i < study->matches->len; i++)
    {
      const WeirStudyMatch *match = &g_array_index (study->matches, WeirStudyMatch, i);

      if (add_samples (self, file, match, i))
        continue;
      *line = match->line;
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "%s has no column \"%s\"", path, match->column);
      return NULL;
    }
  if (self->samples->len > study->parameters->len)
    return g_steal_pointer (&self);
  weir_error_set (error, WEIR_ERROR_INVALID,
                  "%s has %u values to match, but %u parameters are fitted; more values than "
                  "parameters are needed",
                  path, self->samples->len, study->parameters->len);
  return NULL;
}

void
weir_measured_free (WeirMeasured *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->samples);
  g_free (self);
}

static inline const Sample *
get_sample (const WeirMeasured *self, guint i)
{
  return &g_array_index (self->samples, Sample, i);
}

guint
weir_measured_get_size (const WeirMeasured *self)
{
  return self->samples->len;
}

double
weir_measured_get_first_time (const WeirMeasured *self)
{
  return self->first;
}

double
weir_measured_get_last_time (const WeirMeasured *self)
{
  return self->last;
}

guint
weir_measured_get_match (const WeirMeasured *self, guint i)
{
  return get_sample (self, i)->match;
}

double
weir_measured_get_time (const WeirMeasured *self, guint i)
{
  return get_sample (self, i)->time;
}

double
weir_measured_get_value (const WeirMeasured *self, guint i)
{
  return get_sample (self, i)->value;
}

double
weir_measured_get_interval (const WeirMeasured *self, double start)
{
  double least = INFINITY, before = start, interval;

  for (guint i = 0; i < self->samples->len; i++)
    {
      double gap = get_sample (self, i)->time - before;

      if (gap > GRID_TOLERANCE * (self->last - start))
        least = fmin (least, gap);
      before = get_sample (self, i)->time;
    }
  if (!isfinite (least) || self->last - start > LONGEST_GRID * least)
    return 0;
  /* From the whole length, so that the interval is as exact as the file's last time. */
  interval = (self->last - start) / round ((self->last - start) / least);
  for (guint i = 0; i < self->samples->len; i++)
    {
      double place = (get_sample (self, i)->time - start) / interval;

      if (fabs (place - round (place)) > GRID_TOLERANCE)
        return 0;
    }
  return interval;
}

/* --- Residuals ------------------------------------------------------------------------------- */

/* The value at @time; *@row: where it was found last, as times come in order. */
static double
get_value (const WeirRunRows *rows, const double *values, double time, gsize *row)
{
  const double *t = rows->times;
  /* A time of the file is that of a row but for rounding. */
  double slack = 1e-9 * fmax (fabs (time), rows->n_rows > 1 ? t[1] - t[0] : 0);

  while (*row + 1 < rows->n_rows && t[*row + 1] <= time + slack)
    ++*row;
  if (fabs (t[*row] - time) <= slack)
    return values[*row];
  if (time < t[*row] || *row + 1 >= rows->n_rows)
    return NAN;
  return values[*row]
         + (time - t[*row]) / (t[*row + 1] - t[*row]) * (values[*row + 1] - values[*row]);
}

gboolean
weir_measured_calc_residuals (const WeirMeasured *self, const WeirRunRows *rows, double *residuals)
{
  gsize row = 0;

  if (rows->n_rows == 0)
    return FALSE;
  for (guint i = 0; i < self->samples->len; i++)
    {
      const Sample *sample = get_sample (self, i);

      if (i > 0 && sample->match != get_sample (self, i - 1)->match)
        row = 0;
      residuals[i] = (get_value (rows, rows->values[sample->signal], sample->time, &row)
                      - sample->value)
                     / sample->deviation;
      if (!isfinite (residuals[i]))
        return FALSE;
    }
  return TRUE;
}
