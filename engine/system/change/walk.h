/* The classic walk: trackers that notify their subscribers, one by one.
 *
 * The mask sweep of mask.h is what runs; this is what it must equal, written the way the seed
 * describes it: every ticket of every node has a tracker, each remembers the number of the last
 * event it heard of, a first notification marks the tracker's entry out of date and is passed on.
 * Made for tests, for the debugger's replay and for explaining; it keeps its own flags and touches
 * no context.
 *
 * Thread: *owner*.
 */
#pragma once

#include "base/message.h"
#include "system/layout/layout.h"

G_BEGIN_DECLS

typedef struct _WeirWalk WeirWalk;

typedef struct {
  guint64 value_changes;        /* events that began here */
  guint64 prerequisite_changes; /* notifications received from a prerequisite */
  guint64 ignored;              /* received again within one event */
  guint64 sent;
} WeirTrackerCounters;

WeirWalk *weir_walk_new (WeirLayout *layout);
void weir_walk_free (WeirWalk *self);

/* One change event in which the given trackers' values changed. @bits: out-of-date flags to set, 64
 * entries a word, or NULL. */
void weir_walk_notify (WeirWalk *self, const guint32 *trackers, guint n, guint64 *bits);

/* The tracker of a ticket of a node. */
guint32 weir_walk_get_tracker (WeirWalk *self, WeirNode node, WeirTicket ticket);
/* The tracker of a port. */
guint32 weir_walk_get_input_tracker (const WeirWalk *self, WeirNode node, WeirInput in);
guint32 weir_walk_get_output_tracker (const WeirWalk *self, WeirNode node, WeirOutput out);
/* The tracker of the value that an input is fixed to. */
guint32 weir_walk_get_fixed_tracker (WeirWalk *self, WeirNode node, WeirInput in);
guint32 weir_walk_get_n_trackers (const WeirWalk *self);
WeirTrackerCounters weir_walk_get_counters (const WeirWalk *self, guint32 tracker);
/* Those that @tracker notifies, in order of subscription. */
const guint32 *weir_walk_get_subscribers (const WeirWalk *self, guint32 tracker, guint *n);
/* Those that notify @tracker, in the order of trackers. */
const guint32 *weir_walk_get_prerequisites (const WeirWalk *self, guint32 tracker, guint *n);
/* The entry that a tracker marks; FALSE for sources, composites and ports. */
gboolean weir_walk_get_entry (const WeirWalk *self, guint32 tracker, WeirEntry *entry);
guint32 weir_walk_get_entry_tracker (const WeirWalk *self, WeirEntry entry);
/* How often an entry was reached by an event. */
guint64 weir_walk_get_invalidations (const WeirWalk *self, WeirEntry entry);
/* The node that a tracker belongs to and its ticket there; WEIR_TICKET_END for a fixed value. */
void weir_walk_locate (const WeirWalk *self, guint32 tracker, WeirNode *node, WeirTicket *ticket);
/* `path:description`, such as "plant.gain:u_0 (u)". (transfer full) */
char *weir_walk_dup_name (const WeirWalk *self, guint32 tracker);
/* The same as a part of sentences (base/phrase.h). (transfer full) */
WeirMessage *weir_walk_describe (const WeirWalk *self, guint32 tracker);

/* The trackers that a change of a source notifies first, as the context's setters do: of a leaf's
 * own constituents, or of every node for time, accuracy and joint sources. (transfer full),
 * guint32. */
GArray *weir_walk_list_changed (const WeirWalk *self, WeirSource source);

/* The sources whose changes reach any of the trackers: bits by source, 64 a word, with at least one
 * word. (transfer full) */
guint64 *weir_walk_find_sources (const WeirWalk *self, const guint32 *trackers, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirWalk, weir_walk_free)

G_END_DECLS
