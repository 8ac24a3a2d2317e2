/* WeirPlotSeeker: finds the next peak or crossing of a recorded signal, in a thread.
 *
 * One request is worked on at a time; of those that come meanwhile the newest is next, and begins
 * where the cursor has come to by then. What was measured of a signal is kept, so that the next
 * request costs its new samples only. Thread: *main*.
 */
#pragma once

#include "analysis/measure.h"

G_BEGIN_DECLS

typedef struct _WeirPlotSeeker WeirPlotSeeker;

/* What is sought: a peak, or a crossing of the middle between the largest and the smallest value of
 * @range. @recorder: kept (ref) as long as it is needed. */
typedef struct {
  WeirRecorder *recorder;
  guint signal;
  WeirBetween between;
  WeirTimeRange range;
  WeirSnap snap;
  gboolean forward;
  double time; /* s: from where */
} WeirSought;

/* @time: NAN: there is none. */
typedef void (*WeirSoughtFunc) (gpointer data, double time);
/* FALSE: there is nothing to seek on. */
typedef gboolean (*WeirSeekFunc) (gpointer data, WeirSnap snap, gboolean forward,
                                  WeirSought *sought);

/* @seek says what is sought when a request is taken up, @found gets what was found. */
WeirPlotSeeker *weir_plot_seeker_new (WeirSeekFunc seek, WeirSoughtFunc found, gpointer data);
/* What is not found yet never is. */
void weir_plot_seeker_free (WeirPlotSeeker *self);
void weir_plot_seeker_seek (WeirPlotSeeker *self, WeirSnap snap, gboolean forward);
gboolean weir_plot_seeker_is_seeking (WeirPlotSeeker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPlotSeeker, weir_plot_seeker_free)

G_END_DECLS
