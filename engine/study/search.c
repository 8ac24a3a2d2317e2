/* Searches, from points to what is reported. See search.h. */
#include "study/search-private.h"

#include <math.h>

/* The least value among those that keep within their constraints; if none does, the least excess.
 */
static void
choose_best (WeirStudySearch *search, gboolean is_largest)
{
  search->best = search->n_starts;
  for (guint i = 0; i < search->n_starts; i++)
    {
      const WeirSearchStart *start = &search->starts[i], *best = &search->starts[search->best];

      if (start->point < 0)
        continue;
      if (search->best == search->n_starts || start->excess < best->excess
          || (start->excess <= best->excess
              && (is_largest ? start->value > best->value : start->value < best->value)))
        search->best = i;
    }
}

/* Results of an earlier search that went on for longer. */
static gboolean
drop_others (WeirSearch *self, const WeirStudySearch *search)
{
  for (guint i = 0; i < search->n_starts; i++)
    {
      guint64 first = i * self->study->n;

      if (search->starts[i].n_points < self->study->n
          && !weir_study_store_drop (self->store, first + search->starts[i].n_points,
                                     first + self->study->n - 1, &self->error))
        return FALSE;
    }
  return TRUE;
}

WeirStudySearch *
weir_study_search (const WeirStudy *study, const WeirStudySubject *subject, WeirStudyStore *store,
                   const WeirStudyRunOptions *options, WeirStudyProgress *progress, GError **error)
{
  WeirSearch self = { study, subject, store, options, progress, g_get_monotonic_time (), NULL };
  WeirStudySearch *search = g_new0 (WeirStudySearch, 1);
  gboolean ok;

  g_return_val_if_fail (weir_study_is_search (study), NULL);

  *progress = (WeirStudyProgress) { .n = weir_study_get_n_points (study), .first_differing = -1 };
  search->n_starts = study->starts;
  search->n_parameters = study->parameters->len;
  search->starts = g_new0 (WeirSearchStart, search->n_starts + 1);
  for (guint i = 0; i < search->n_starts; i++)
    {
      search->starts[i].point = -1;
      search->starts[i].value = NAN;
      search->starts[i].values = g_new0 (double, search->n_parameters);
      search->starts[i].outcome = "no-value";
    }
  search->warnings = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_message_unref);
  ok = study->method == WEIR_POINTS_FIT ? weir_search_fit (&self, search)
                                        : weir_search_optimise (&self, search);
  ok = ok && drop_others (&self, search);
  if (options->progress != NULL)
    options->progress (progress, options->data);
  choose_best (search, study->objective.is_largest);
  if (ok)
    return search;
  weir_study_search_free (search);
  g_propagate_error (error, self.error);
  return NULL;
}

void
weir_study_search_free (WeirStudySearch *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_starts; i++)
    g_free (self->starts[i].values);
  g_free (self->starts);
  g_free (self->fitted);
  g_free (self->correlations);
  g_free (self->residuals);
  g_ptr_array_unref (self->warnings);
  g_free (self);
}
