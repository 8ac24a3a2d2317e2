/* A change log together with the graph that it ran over: all that is needed to show,
 * without the system or its context, what happened and why.
 *
 * Systems, entries, trackers and sources are numbered from 0; the graph is what the file format
 * (data/change-log.md) holds, so that a trace may come from another engine. A trace either stores
 * its evaluations or leaves them to be rebuilt (replay.h). Immutable, thread *any*.
 */
#pragma once

#include "system/observation/change-log.h"

G_BEGIN_DECLS

typedef struct _WeirTrace WeirTrace;

/* @model: what to call the model, NULL for nothing. */
WeirTrace *weir_trace_new (const WeirChangeLog *log, const char *model);
/* NULL and a sentence about what is wrong where. */
WeirTrace *weir_trace_load (const char *path, GError **error);
WeirTrace *weir_trace_read (GBytes *bytes, GError **error);
gboolean weir_trace_save (const WeirTrace *self, const char *path, GError **error);
GBytes *weir_trace_write (const WeirTrace *self); /* (transfer full) */
WeirTrace *weir_trace_ref (WeirTrace *self);
void weir_trace_unref (WeirTrace *self);

/* Is its graph that of @layout, number by number and name by name? */
gboolean weir_trace_fits (const WeirTrace *self, WeirLayout *layout);

/* The program that logged, and the name of the model's file, as the log tells them. */
const char *weir_trace_get_engine (const WeirTrace *self);
const char *weir_trace_get_model (const WeirTrace *self);
/* Are evaluations stored, with what they gave, or to be rebuilt? */
gboolean weir_trace_stores_evaluations (const WeirTrace *self);

/* The graph: systems, entries, trackers and sources are numbered from 0, each kind for itself.
 * Names and lists are borrowed; @n: (out). */
guint weir_trace_get_n_systems (const WeirTrace *self);
guint32 weir_trace_get_parent (const WeirTrace *self,
                               guint32 system); /* of the root: WEIR_NO_INDEX */
const char *weir_trace_get_system_name (const WeirTrace *self, guint32 system);
char *weir_trace_dup_path (const WeirTrace *self,
                           guint32 system); /* "plant.motor"; (transfer full) */

guint weir_trace_get_n_entries (const WeirTrace *self);
const char *weir_trace_get_entry_name (const WeirTrace *self, guint32 entry);
guint32 weir_trace_get_entry_system (const WeirTrace *self, guint32 entry);
/* Does its calculation read only some of what it declares? */
gboolean weir_trace_is_lazy (const WeirTrace *self, guint32 entry);
/* The entries that it declares to read. */
const guint32 *weir_trace_get_reads (const WeirTrace *self, guint32 entry, guint *n);

guint weir_trace_get_n_trackers (const WeirTrace *self);
const char *weir_trace_get_tracker_name (const WeirTrace *self, guint32 tracker);
guint32 weir_trace_get_tracker_system (const WeirTrace *self, guint32 tracker);
guint32 weir_trace_get_tracker_entry (const WeirTrace *self,
                                      guint32 tracker); /* or WEIR_NO_INDEX */
/* The trackers that it notifies. */
const guint32 *weir_trace_get_subscribers (const WeirTrace *self, guint32 tracker, guint *n);

guint weir_trace_get_n_sources (const WeirTrace *self);
const char *weir_trace_get_source_name (const WeirTrace *self, guint32 source);
/* The trackers that a change of the source notifies, in this order. */
const guint32 *weir_trace_get_source_trackers (const WeirTrace *self, guint32 source, guint *n);

/* All records, in the order in which they happened, and the keyframes among them. Borrowed. */
const WeirLogRecord *weir_trace_get_records (const WeirTrace *self, gsize *n);
WeirLogKeyframe weir_trace_get_keyframe (const WeirTrace *self, gsize i);
/* Steps of units of co-simulation, in the order in which they ended; their nodes are systems. */
const WeirLogStep *weir_trace_get_steps (const WeirTrace *self, gsize *n);
guint64 weir_trace_get_n_lost (const WeirTrace *self); /* older records that were given up */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTrace, weir_trace_unref)

G_END_DECLS
