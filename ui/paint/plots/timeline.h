/* A log drawn as a timeline: one lane for each phase that occurs, in it change events and
 * requests in the order in which they happened; a lane for each thread that made steps of units of
 * co-simulation; below, how much each record put out of date or computed; at the bottom the
 * evaluations of a request, nested as they asked for each other.
 *
 * The horizontal axis is the order of records, for in simulated time the trials of a step fall on
 * each other; its labels tell the time. From afar, a column of pixels shows how many of its records
 * fall into a lane, which takes a few bins however many records there are; near, every record has
 * its own mark, events another shape than requests. Steps lie where the records were that were
 * written meanwhile, by the clock. Thread: *owner*.
 */
#pragma once

#include "paint/ground/geometry.h"
#include "paint/ground/palette.h"
#include "system/observation/change-log.h"

G_BEGIN_DECLS

typedef struct _WeirTimeline WeirTimeline;

/* One evaluation within a request. */
typedef struct {
  const char *name; /* borrowed */
  guint32 entry;
  guint depth;       /* 0: asked for by the request itself */
  double first, end; /* shares of the request, 0..1: whatever it asked for lies within */
  WeirLogReason reason;
  gboolean has_failed;
  gint changed; /* other bytes than before: 1 or 0; -1 = not known */
} WeirTimelineBox;

typedef struct {
  const char *(*get_source_name) (gpointer data, guint32 source); /* borrowed */
  const char *(*get_entry_name) (gpointer data, guint32 entry);   /* borrowed */
  const char *(*get_unit_name) (gpointer data, guint32 node);     /* borrowed */
  /* The evaluations of the request at record @index. (transfer full), WeirTimelineBox. */
  GArray *(*list_boxes) (gpointer data, gsize index);
} WeirTimelineFuncs;

WeirTimeline *weir_timeline_new (void);
void weir_timeline_free (WeirTimeline *self);
/* @records, @amounts (by record: entries put out of date, or computed): borrowed; @n may be 0. */
void weir_timeline_set_records (WeirTimeline *self, const WeirLogRecord *records,
                                const guint32 *amounts, gsize n, const WeirTimelineFuncs *funcs,
                                gpointer data);

/* Steps made while those records were written: borrowed, until other records are set. */
void weir_timeline_set_steps (WeirTimeline *self, const WeirLogStep *steps, gsize n);

const char *weir_timeline_get_phase_title (WeirLogPhase phase); /* translated */
guint weir_timeline_get_n_lanes (const WeirTimeline *self);     /* of phases */
guint weir_timeline_get_n_threads (const WeirTimeline *self);
double weir_timeline_get_height (const WeirTimeline *self); /* that it asks for, in pixels */

/* The records in view; first < last, both may lie outside of what there is. */
void weir_timeline_get_range (const WeirTimeline *self, double *first, double *last);
void weir_timeline_set_range (WeirTimeline *self, double first, double last);
void weir_timeline_fit (WeirTimeline *self);
/* @factor < 1 shows less, around the record @at. */
void weir_timeline_zoom (WeirTimeline *self, double factor, double at);
/* Moves the view no further than needed for record @index to be seen. */
void weir_timeline_reveal (WeirTimeline *self, gsize index);

/* The record that is looked at; G_MAXSIZE = none. */
void weir_timeline_set_cursor (WeirTimeline *self, gsize index);
gsize weir_timeline_get_cursor (const WeirTimeline *self);
/* Records [first, end) are chosen; first == end: none. */
void weir_timeline_set_selection (WeirTimeline *self, gsize first, gsize end);
gboolean weir_timeline_get_selection (const WeirTimeline *self, gsize *first, gsize *end);

/* Within the last drawing. FALSE outside of the lanes; the record is given anyway, as near as there
 * is one. */
gboolean weir_timeline_hit (const WeirTimeline *self, double x, double y, gsize *index);
double weir_timeline_to_x (const WeirTimeline *self, double record);
double weir_timeline_from_x (const WeirTimeline *self, double x);
/* The evaluation at a point, within the request at *@index. (transfer none) NULL: none; valid until
 * drawn. */
const WeirTimelineBox *weir_timeline_hit_box (const WeirTimeline *self, double x, double y,
                                              gsize *index);

/* The step that is looked at. NULL: none. */
void weir_timeline_set_step (WeirTimeline *self, const WeirLogStep *step);
const WeirLogStep *weir_timeline_get_step (const WeirTimeline *self);
/* The step at a point. NULL: none. */
const WeirLogStep *weir_timeline_hit_step (const WeirTimeline *self, double x, double y);

void weir_timeline_draw (WeirTimeline *self, cairo_t *cr, double width, double height,
                         const WeirPalette *palette);
/* How many marks the last drawing took; for tests and measurements. */
gsize weir_timeline_get_n_marks (const WeirTimeline *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTimeline, weir_timeline_free)

G_END_DECLS
