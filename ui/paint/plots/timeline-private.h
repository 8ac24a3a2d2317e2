/* A timeline's inside: timeline.c keeps what is in view, timeline-steps.c where steps of units lie,
 * timeline-draw.c draws it. */
#pragma once

#include "paint/plots/timeline.h"

G_BEGIN_DECLS

#define WEIR_TIMELINE_BIN 64    /* records */
#define WEIR_TIMELINE_AXIS 34.0 /* heights, in pixels */
#define WEIR_TIMELINE_LANE 20.0
#define WEIR_TIMELINE_STRIP 26.0
#define WEIR_TIMELINE_BOX 17.0
#define WEIR_TIMELINE_TITLES 132.0 /* width */
#define WEIR_TIMELINE_NEAR 5.0     /* pixels a record from which on each has its own mark */
#define WEIR_TIMELINE_ROWS 4       /* of evaluations that room is asked for */

/* What falls into some records. */
typedef struct {
  guint32 events[WEIR_LOG_N_PHASES], requests[WEIR_LOG_N_PHASES], others[WEIR_LOG_N_PHASES];
  guint32 most_stale, most_computed; /* by one record */
} WeirTimelineSum;

/* Boxes of one request, as drawn. */
typedef struct {
  gsize index;
  double x, width; /* pixels */
  GArray *boxes;   /* WeirTimelineBox */
} WeirTimelineFlame;

/* A step of a unit, in records and parts of them. */
typedef struct {
  double first, end;
  const WeirLogStep *step;
} WeirTimelineBar;

typedef struct {
  guint32 thread;
  GArray *bars; /* WeirTimelineBar, in the order in which they began */
} WeirTimelineThread;

struct _WeirTimeline {
  const WeirLogRecord *records;
  const guint32 *amounts;
  gsize n;
  WeirTimelineFuncs funcs;
  gpointer data;
  GArray *bins;                   /* WeirTimelineSum */
  int lane_of[WEIR_LOG_N_PHASES]; /* -1: does not occur */
  WeirLogPhase phase_of[WEIR_LOG_N_PHASES];
  guint n_lanes;
  guint32 most_stale, most_computed;
  GArray *threads; /* WeirTimelineThread, by number: those that made steps */
  const WeirLogStep *step;

  double first, last;
  gsize cursor, selected, selected_end;

  /* Of the last drawing. */
  double x, width, height, flames_top;
  gsize n_marks;
  GArray *flames; /* WeirTimelineFlame */
};

static inline double
weir_timeline_lane_y (guint lane)
{
  return WEIR_TIMELINE_AXIS + lane * WEIR_TIMELINE_LANE;
}

/* Below the lanes of phases, and of threads. */
static inline double
weir_timeline_strips_y (const WeirTimeline *self)
{
  return weir_timeline_lane_y (self->n_lanes + self->threads->len);
}

static inline gboolean
weir_timeline_is_event (const WeirLogRecord *record)
{
  return record->kind == WEIR_LOG_EVENT || record->kind == WEIR_LOG_JOINT;
}

static inline gboolean
weir_timeline_is_request (const WeirLogRecord *record)
{
  return record->kind == WEIR_LOG_REQUEST || record->kind == WEIR_LOG_CALCULATION;
}

/* Parts of a joint change, and what belongs to a request, have no marks of their own. */
static inline gboolean
weir_timeline_is_part (const WeirLogRecord *record)
{
  return record->kind == WEIR_LOG_PART || record->kind >= WEIR_LOG_NESTED;
}

/* What falls into records [first, end). */
WeirTimelineSum weir_timeline_sum (const WeirTimeline *self, gsize first, gsize end);
/* Where the first bar lies that ends after @record; the number of bars if none does. */
guint weir_timeline_find_bar (const WeirTimelineThread *thread, double record);
/* The record after one and all that belongs to it. */
gsize weir_timeline_get_end (const WeirTimeline *self, gsize index);

G_END_DECLS
