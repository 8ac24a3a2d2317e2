/* Questions about invalidation, answered from the structure and a snapshot of flags.
 *
 * What would a change invalidate, what does a value depend on, who depends on it, why is it out of
 * date: each answer is a list of trackers (walk.h), each with the one it was reached from, so that
 * a command, a canvas or a table can show it. Nothing here sees or touches a context.
 *
 * Thread: *owner*.
 */
#pragma once

#include "system/change/walk.h"

G_BEGIN_DECLS

/* A snapshot of a context's flags (weir_context_copy_flags()): what explaining needs to know, to be
 * handed to another thread. Made by the context's *owner*; *immutable* afterwards. */
typedef struct {
  guint32 n_entries, n_sources;
  guint64 *stale, *disabled; /* bits by entry */
  guint64 *computed;         /* bits by entry: written at least once */
  guint64 *source_last;      /* by source: number of its last event, 0 = none yet */
  guint64 n_events;
} WeirFlags;

void weir_flags_free (WeirFlags *self);

typedef struct _WeirExplainer WeirExplainer;

typedef enum {
  WEIR_CONDITION_NONE, /* no entry: a source, composite or port */
  WEIR_CONDITION_UP_TO_DATE,
  WEIR_CONDITION_OUT_OF_DATE,
  WEIR_CONDITION_DISABLED, /* computed at every access */
  WEIR_CONDITION_NEVER_COMPUTED,
} WeirCondition;

typedef struct {
  guint32 tracker;
  gint32 from; /* place in the list of the step that led here; -1 where it began */
  guint depth; /* steps from there */
  WeirCondition condition;
} WeirStepTaken;

WeirExplainer *weir_explainer_new (WeirLayout *layout);
void weir_explainer_free (WeirExplainer *self);
const WeirWalk *weir_explainer_get_walk (WeirExplainer *self);

/* The tracker that a text names: "time" or "accuracy"; "block.name" of a port, parameter or
 * discrete group; "block:name" of an entry ("time derivatives") or built-in ticket ("q", "xcdot");
 * "block" for all that the block itself can change. FALSE with a sentence that says what there is.
 */
gboolean weir_explainer_find (WeirExplainer *self, const char *path, guint32 *tracker,
                              GError **error);

/* Everything that hears of a change of @tracker, nearest first; chains that lead to no entry are
 * left out. A composite changes by its parts, time and accuracy everywhere: each is a beginning.
 * @flags: (nullable). (transfer full), WeirStepTaken. */
GArray *weir_explain_downstream (WeirExplainer *self, guint32 tracker, const WeirFlags *flags);
/* The same of a source of the context, which may change many trackers at once. */
GArray *weir_explain_change (WeirExplainer *self, WeirSource source, const WeirFlags *flags);
/* Everything that @tracker depends on, nearest first, each once. */
GArray *weir_explain_upstream (WeirExplainer *self, guint32 tracker, const WeirFlags *flags);

typedef struct {
  WeirCondition condition;
  guint64 event; /* the last one that reached the entry; 0 = none */
  WeirSource source;
  GArray *path; /* WeirStepTaken from a changed tracker to the entry's; empty without an event */
} WeirWhy;

/* Why an entry is as it is: its condition and the way of the last event that reached it. */
WeirWhy weir_explain_why (WeirExplainer *self, WeirEntry entry, const WeirFlags *flags);
/* The same of the last event numbered less than @before: the cause before that one. Each source
 * tells its last event only, so that causes go back from source to source. */
WeirWhy weir_explain_why_before (WeirExplainer *self, WeirEntry entry, const WeirFlags *flags,
                                 guint64 before);
void weir_why_clear (WeirWhy *self);
/* By entry, the number of the last event that reached it; 0 = none. One pass over the graph. */
void weir_explain_last_events (const WeirExplainer *self, const guint64 *source_last,
                               guint64 *events);

/* One line per step, indented as a tree; what hangs together with several is shown once. (transfer
 * full) */
char *weir_explain_to_text (WeirExplainer *self, const GArray *steps);
/* "out of date since event 12: plant.k -> ...". (transfer full) */
char *weir_why_to_text (WeirExplainer *self, WeirEntry entry, const WeirWhy *why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFlags, weir_flags_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirExplainer, weir_explainer_free)

G_END_DECLS
