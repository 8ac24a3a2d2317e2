/* A trace's inside, for making, reading and writing it. */
#pragma once

#include "analysis/trace.h"
#include "base/bits.h"

G_BEGIN_DECLS

/* The newest version of the format; and the one whose files have no steps of units, which all are
 * that need not have. */
#define WEIR_TRACE_VERSION 2
#define WEIR_TRACE_VERSION_WITHOUT_STEPS 1

/* Lists of numbers, one after the other. */
typedef struct {
  GArray *first; /* gsize: where each list begins, and one more */
  GArray *items; /* guint32 */
} WeirTraceRows;

struct _WeirTrace {
  gatomicrefcount ref_count;
  char *engine, *model;
  gboolean stores_evaluations;
  GArray *parents; /* guint32, by system */
  GPtrArray *system_names;
  GArray *entry_systems; /* guint32 */
  GArray *lazy;          /* gboolean, by entry */
  GPtrArray *entry_names;
  WeirTraceRows reads;                       /* by entry */
  GArray *tracker_systems, *tracker_entries; /* guint32 */
  GPtrArray *tracker_names;
  WeirTraceRows subscribers; /* by tracker */
  GPtrArray *source_names;
  WeirTraceRows changed; /* trackers, by source */

  gsize n_words; /* of 64 entries */
  gsize n_records, n_keyframes;
  guint64 n_lost;
  WeirLogRecord *records;
  WeirLogStep *steps;
  gsize n_steps;
  guint64 *keyframes; /* as weir_log_keyframe_read() takes them */
};

/* With one system, the root, and no lists yet. */
WeirTrace *weir_trace_new_empty (void);
/* Ends the list under way. */
void weir_trace_rows_end (WeirTraceRows *rows);
static inline void
weir_trace_rows_add (WeirTraceRows *rows, guint32 item)
{
  g_array_append_val (rows->items, item);
}

G_END_DECLS
