/* What a search found: the best point in words, how well a fit knows its parameters, and pictures
 * of what was measured beside what was fitted. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"

#define SAY WEIR_STUDY_SAY

/* --- Words ------------------------------------------------------------------------------------ */

static void
append (GString *text, char *sentence)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", sentence);
  g_free (sentence);
}

static const char *
get_path (const WeirStudy *study, guint k)
{
  return weir_study_get_parameter (study, k)->path;
}

static void
say_fitted (const WeirStudy *study, const WeirStudySearch *search, GString *text)
{
  const WeirSearchStart *best = &search->starts[search->best];

  for (guint k = 0; k < search->n_parameters; k++)
    {
      const WeirFittedParameter *fitted = &search->fitted[k];
      /* Translators: a fitted value, its standard error, and between what it lies. */
      g_autofree char *numbers = SAY (_ ("%s, standard error %s; in 95 of 100 cases from %s to %s"),
                                      best->values[k], fitted->error, fitted->low, fitted->high);

      append (text, g_strdup_printf ("%s: %s", get_path (study, k), numbers));
    }
  append (text,
          SAY (_ ("What is left has the standard deviation %s, in parts of the deviations of what "
                  "was measured; the sum of squares is %s."),
               search->deviation, best->value));
}

/* Of which two is it hardest to say which it is? */
static void
say_correlation (const WeirStudy *study, const WeirStudySearch *search, GString *text)
{
  guint n = search->n_parameters, a = 0, b = 0;
  double most = -1;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < i; k++)
      if (fabs (search->correlations[i * n + k]) > most)
        {
          a = k;
          b = i;
          most = fabs (search->correlations[i * n + k]);
        }
  if (most < 0)
    return;
  {
    g_autofree char *value = weir_study_say_value (search->correlations[b * n + a]);

    /* Translators: two parameters, and a number. */
    append (text,
            g_strdup_printf (_ ("The strongest correlation of errors is that of %s and %s: %s."),
                             get_path (study, a), get_path (study, b), value));
  }
}

static void
say_optimum (const WeirStudyJob *job, const WeirStudySearch *search, const char *const *figures,
             GString *text)
{
  const WeirStudy *study = weir_study_job_get_study (job);
  const WeirSearchStart *best = &search->starts[search->best];
  g_autofree char *value = weir_study_say_value (best->value);
  g_autofree char *point = weir_cache_format_count ((guint64) best->point);

  /* Translators: a figure, its value, and the number of a point. */
  append (text, g_strdup_printf (_ ("%s is %s at point %s."), figures[study->objective.place],
                                 value, point));
  if (best->excess > 0)
    append (text, g_strdup (_ ("No point keeps within all constraints; this one exceeds them "
                               "least.")));
  else if (study->constraints->len > 0)
    append (text, g_strdup (_ ("It keeps within all constraints.")));
}

/* Which starts came to an end of their own. */
static void
say_starts (const WeirStudySearch *search, GString *text)
{
  guint n_spent = 0, n_without = 0;

  for (guint i = 0; i < search->n_starts; i++)
    {
      n_without += search->starts[i].point < 0;
      n_spent += search->starts[i].point >= 0 && g_str_equal (search->starts[i].outcome, "spent");
    }
  if (search->n_starts > 1)
    append (text, SAY (_ ("Found from start %s of %s."), (double) search->best + 1,
                       (double) search->n_starts));
  if (n_spent > 0)
    append (text, SAY (_ ("Starts that were still searching when their points were spent: %s; "
                          "allow more points."),
                       (double) n_spent));
  if (n_without > 0)
    append (text, SAY (_ ("Starts of which no point has a value: %s."), (double) n_without));
}

char *
weir_study_say_search (const WeirStudyJob *job, const char *const *figures)
{
  const WeirStudySearch *search = weir_study_job_get_search (job);
  g_autoptr (GString) text = g_string_new (NULL);

  if (search == NULL)
    return g_strdup ("");
  if (search->best == search->n_starts)
    return g_strdup (_ ("No point has a value: runs fail, or lack what the search looks at."));
  for (guint i = 0; i < search->warnings->len; i++)
    append (text, weir_message_translate (search->warnings->pdata[i]));
  if (search->fitted != NULL)
    {
      say_fitted (weir_study_job_get_study (job), search, text);
      say_correlation (weir_study_job_get_study (job), search, text);
    }
  else if (weir_study_job_get_study (job)->method == WEIR_POINTS_OPTIMISE)
    say_optimum (job, search, figures, text);
  say_starts (search, text);
  return g_strdup (text->str);
}

/* --- Pictures --------------------------------------------------------------------------------- */

#define MOST_PANELS 4  /* one below the other */
#define MOST_LARGE 100 /* of more marks each is a speck */

static const WeirStudyMatch *
get_match (const WeirStudy *study, guint i)
{
  return &g_array_index (study->matches, WeirStudyMatch, i);
}

/* NULL: nothing was fitted. */
static const WeirStudySearch *
find_fit (const WeirStudyPicture *self)
{
  const WeirStudySearch *search = weir_study_job_get_search (self->job);

  return search != NULL && search->residuals != NULL ? search : NULL;
}

static const WeirMeasured *
get_measured (const WeirStudyPicture *self)
{
  return weir_study_subject_get_measured (weir_study_job_get_subject (self->job));
}

static WeirChartSign
get_sign (const WeirStudySearch *search)
{
  return search->n_residuals > MOST_LARGE ? WEIR_CHART_SPECK : WEIR_CHART_DOT;
}

/* Of match @m: marks of what was measured, and a line through what was fitted there. */
static void
draw_match (const WeirStudyPicture *self, const WeirStudySearch *search, guint m, WeirChart *chart)
{
  const WeirStudyMatch *match = get_match (weir_study_picture_get_study (self), m);
  const WeirMeasured *measured = get_measured (self);
  double deviation = isnan (match->deviation) ? 1 : match->deviation;
  g_autofree double *times = g_new (double, search->n_residuals + 1);
  g_autofree double *fitted = g_new (double, search->n_residuals + 1);
  guint n = 0;

  for (guint i = 0; i < search->n_residuals; i++)
    if (weir_measured_get_match (measured, i) == m)
      {
        double value = weir_measured_get_value (measured, i);
        g_autofree char *text = SAY (_ ("Measured: %s at %s s"), value,
                                     weir_measured_get_time (measured, i));

        times[n] = weir_measured_get_time (measured, i);
        weir_chart_add_mark (chart, m, get_sign (search), 1, times[n], value, text);
        fitted[n++] = value + search->residuals[i] * deviation;
      }
  weir_chart_add_curve (chart, m, WEIR_CHART_LINE, 0, _ ("Fitted"), n, times, fitted);
}

char *
weir_study_draw_fit (const WeirStudyPicture *self, WeirChart *chart)
{
  const WeirStudy *study = weir_study_picture_get_study (self);
  const WeirStudySearch *search = find_fit (self);
  guint n = MIN (study->matches->len, MOST_PANELS);

  for (guint m = 0; m < n; m++)
    weir_chart_add_panel (chart, _ ("Time (s)"), WEIR_CHART_LINEAR, get_match (study, m)->port,
                          WEIR_CHART_LINEAR, TRUE, FALSE);
  if (search == NULL)
    return g_strdup (_ ("Nothing is fitted."));
  for (guint m = 0; m < n; m++)
    draw_match (self, search, m, chart);
  return g_strdup (_ ("Dots are what was measured, the line is the best fit."));
}

char *
weir_study_draw_residuals (const WeirStudyPicture *self, WeirChart *chart)
{
  const WeirStudy *study = weir_study_picture_get_study (self);
  const WeirStudySearch *search = find_fit (self);
  const WeirMeasured *measured = get_measured (self);
  double most = 0, at = NAN;
  guint of = 0;

  weir_chart_add_panel (chart, _ ("Time (s)"), WEIR_CHART_LINEAR, _ ("Residual (deviations)"),
                        WEIR_CHART_LINEAR, FALSE, FALSE);
  if (search == NULL)
    return g_strdup (_ ("Nothing is fitted."));
  for (guint i = 0; i < search->n_residuals; i++)
    {
      guint m = weir_measured_get_match (measured, i);
      double time = weir_measured_get_time (measured, i);
      g_autofree char *value = weir_study_say_value (search->residuals[i]);
      g_autofree char *text = g_strdup_printf ("%s: %s", get_match (study, m)->port, value);

      weir_chart_add_mark (chart, 0, get_sign (search), m, time, search->residuals[i], text);
      if (!(fabs (search->residuals[i]) > most))
        continue;
      most = fabs (search->residuals[i]);
      at = time;
      of = m;
    }
  {
    g_autofree char *numbers = SAY (_ ("%s at %s s"), most, at);

    /* Translators: a signal, and a value with its time. */
    return g_strdup_printf (_ ("Fitted less measured, in parts of the deviations of what was "
                               "measured. The largest is that of %s: %s."),
                            get_match (study, of)->port, numbers);
  }
}
