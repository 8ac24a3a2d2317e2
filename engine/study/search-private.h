/* What the ways of searching share. See search.h. */
#pragma once

#include "study/search.h"

G_BEGIN_DECLS

typedef struct {
  const WeirStudy *study;
  const WeirStudySubject *subject;
  WeirStudyStore *store;
  const WeirStudyRunOptions *options;
  WeirStudyProgress *progress; /* of all batches */
  gint64 start;                /* us */
  GError *error;
} WeirSearch;

/* Runs @n points, side by side. FALSE: it was stopped, or failed: see @error. */
gboolean weir_search_run_points (WeirSearch *self, const WeirChosenPoint *points, guint n);

/* Minimises from all starts. FALSE: it was stopped. */
gboolean weir_search_optimise (WeirSearch *self, WeirStudySearch *search);
gboolean weir_search_fit (WeirSearch *self, WeirStudySearch *search);

G_END_DECLS
