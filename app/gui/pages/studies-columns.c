/* The columns of a study as its pictures see them: numbers and names, what is lit up, points and
 * ranges in words, histograms. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"

#define SAY WEIR_STUDY_SAY
#define COUNT WEIR_STUDY_COUNT

/* --- Columns and rows ------------------------------------------------------------------------- */

guint
weir_study_picture_get_n_columns (const WeirStudyPicture *self)
{
  return weir_study_picture_get_study (self)->parameters->len
         + weir_study_picture_get_study (self)->figures->len;
}

double
weir_study_picture_get_number (const WeirStudyPicture *self, guint row, guint column)
{
  const WeirStudyRow *of = weir_study_job_get_row (self->job, row);
  guint n = weir_study_picture_get_study (self)->parameters->len;

  return column < n ? of->values[column] : of->figures[column - n];
}

const char *
weir_study_picture_get_name (const WeirStudyPicture *self, guint column)
{
  guint n = weir_study_picture_get_study (self)->parameters->len;

  return column < n ? weir_study_get_parameter (weir_study_picture_get_study (self), column)->path
                    : self->figures[column - n];
}

gboolean
weir_study_picture_is_chosen (const WeirStudyPicture *self, guint row)
{
  return self->chosen != NULL && self->chosen[row];
}

guint
weir_study_picture_count_chosen (const WeirStudyPicture *self)
{
  guint n = 0;

  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    n += weir_study_picture_is_chosen (self, i) ? 1 : 0;
  return n;
}

gboolean
weir_study_picture_has_chosen (const WeirStudyPicture *self)
{
  return weir_study_picture_count_chosen (self) > 0;
}

guint *
weir_study_picture_dup_rows (const WeirStudyPicture *self, guint most, guint *n)
{
  guint n_rows = weir_study_picture_get_n (self), n_chosen = weir_study_picture_count_chosen (self);
  guint *rows = g_new (guint, n_rows + 1);

  *n = 0;
  for (guint pass = 0; pass < 2; pass++)
    {
      guint every = 1 + (pass == 0 ? n_rows - n_chosen : n_chosen) / most, at = 0;

      for (guint i = 0; i < n_rows; i++)
        if (weir_study_picture_is_chosen (self, i) == (pass == 1) && at++ % every == 0)
          rows[(*n)++] = i;
    }
  return rows;
}

/* --- Words ----------------------------------------------------------------------------------- */

char *
weir_study_say_value (double value)
{
  return isnan (value) ? g_strdup ("–") : weir_axis_format_value (value);
}

char *
weir_study_say (const char *format, guint n_counts, guint n, const double *numbers)
{
  GString *text = g_string_new (format);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = i < n_counts ? weir_cache_format_count ((guint64) numbers[i])
                                             : weir_study_say_value (numbers[i]);

      g_string_replace (text, "%s", number, 1);
    }
  return g_string_free (text, FALSE);
}

char *
weir_study_say_number (guint64 point)
{
  g_autofree char *number = weir_cache_format_count (point);

  /* Translators: %s is the number of a point. */
  return g_strdup_printf (_ ("Point %s"), number);
}

char *
weir_study_picture_say_point (const WeirStudyPicture *self, guint row, guint n,
                              const guint *columns)
{
  g_autofree char *point = weir_study_say_number (weir_study_job_get_row (self->job, row)->i);
  GString *text = g_string_new (point);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = weir_study_say_value (
          weir_study_picture_get_number (self, row, columns[i]));

      g_string_append_printf (text, "%s %s %s", i == 0 ? ":" : ",",
                              weir_study_picture_get_name (self, columns[i]), number);
    }
  return g_string_free (text, FALSE);
}

/* What is lit up has them from where to where. */
static void
append_range (const WeirStudyPicture *self, guint column, GString *text)
{
  double least = (double) INFINITY, most = -(double) INFINITY;
  g_autofree char *range = NULL;

  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    {
      double value = weir_study_picture_get_number (self, i, column);

      if (!weir_study_picture_is_chosen (self, i) || !isfinite (value))
        continue;
      least = fmin (least, value);
      most = fmax (most, value);
    }
  if (!(least <= most))
    return;
  range = least < most ? SAY (_ ("from %s to %s"), least, most) : weir_study_say_value (least);
  g_string_append_printf (text, "\n%s: %s", weir_study_picture_get_name (self, column), range);
}

#define MOST_RANGES 12

char *
weir_study_picture_say_chosen (const WeirStudyPicture *self)
{
  guint n = weir_study_picture_count_chosen (self);
  g_autofree char *numbers = NULL;
  GString *text;

  if (n == 0)
    return g_strdup ("");
  /* Translators: how many points of a study are lit up in its pictures, and how many there are. */
  numbers = COUNT (2, _ ("%s of %s points are lit up."), (double) n,
                   (double) weir_study_picture_get_n (self));
  text = g_string_new (numbers);
  for (guint c = 0; c < MIN (weir_study_picture_get_n_columns (self), MOST_RANGES); c++)
    append_range (self, c, text);
  return g_string_free (text, FALSE);
}

/* --- Histograms ------------------------------------------------------------------------------ */

static guint
find_bin (const WeirStudyBins *bins, double value)
{
  double share = (value - bins->edges[0]) / (bins->edges[bins->n] - bins->edges[0]);

  return MIN ((guint) (share * bins->n), bins->n - 1);
}

/* As many as the root of the number of points, as is usual. */
void
weir_study_picture_count (const WeirStudyPicture *self, guint column, guint most,
                          WeirStudyBins *bins)
{
  double least = (double) INFINITY, last = -(double) INFINITY;
  guint n_values = 0;

  *bins = (WeirStudyBins) { 0 };
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    {
      double value = weir_study_picture_get_number (self, i, column);

      if (!isfinite (value))
        continue;
      least = fmin (least, value);
      last = fmax (last, value);
      n_values++;
    }
  if (n_values == 0)
    return;
  bins->n = CLAMP ((guint) ceil (sqrt (n_values)), 1, MIN (most, WEIR_STUDY_MOST_BINS));
  if (!(last > least))
    last = least + (least != 0 ? fabs (least) * 1e-6 : 1);
  for (guint b = 0; b <= bins->n; b++)
    bins->edges[b] = least + (last - least) * b / bins->n;
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    {
      double value = weir_study_picture_get_number (self, i, column);

      if (!isfinite (value))
        continue;
      bins->counts[find_bin (bins, value)]++;
      bins->lit[find_bin (bins, value)] += weir_study_picture_is_chosen (self, i) ? 1 : 0;
    }
}

/* Whole bins, as they are seen. */
void
weir_study_picture_find_bins (const WeirStudyPicture *self, guint column, guint most,
                              const double ends[2], gboolean *rows)
{
  gboolean is_in[WEIR_STUDY_MOST_BINS];
  WeirStudyBins bins;

  weir_study_picture_count (self, column, most, &bins);
  for (guint b = 0; b < bins.n; b++)
    is_in[b] = ends[0] < bins.edges[b + 1] && ends[1] > bins.edges[b];
  for (guint i = 0; i < weir_study_picture_get_n (self) && bins.n > 0; i++)
    {
      double value = weir_study_picture_get_number (self, i, column);

      if (isfinite (value) && is_in[find_bin (&bins, value)])
        rows[i] = TRUE;
    }
}

char *
weir_study_bins_say (const WeirStudyBins *self, guint bin)
{
  /* Translators: a number of points, and between which values they are. */
  return COUNT (1, _ ("%s points from %s to %s"), self->counts[bin], self->edges[bin],
                self->edges[bin + 1]);
}
