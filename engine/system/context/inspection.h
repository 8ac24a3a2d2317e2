/* Looking into a context, and making it work in other ways, beyond what who runs a model needs:
 * flags and events as bits and numbers, the place where a value arose, evaluation for comparing.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "base/message.h"
#include "system/change/explain.h"
#include "system/context/context.h"

G_BEGIN_DECLS

/* Evaluation by lazy pull only, for comparing: the plan and the pull give the same bits, flags and
 * counters. */
void weir_context_set_pull_only (WeirContext *self, gboolean pull_only);
/* Evaluation without code made at run time, for comparing; as contexts are from the start where
 * there is none. */
void weir_context_set_interpreted (WeirContext *self, gboolean interpreted);

/* Some entries as if caching were off: out of date at the start of each request from outside.
 * @bits: in plan order, 64 a word, with every entry that declares to read one of them; copied; NULL
 * = none. Neither cloned nor logged. */
void weir_context_set_forgotten (WeirContext *self, const guint64 *bits);

/* (transfer full) Cost: one pass over the entries. The context is not touched. */
WeirFlags *weir_context_copy_flags (const WeirContext *self);

/* The bits of the out-of-date flags, 64 entries a word, in plan order. */
const guint64 *weir_context_get_flags (const WeirContext *self, gsize *n_words);

/* Mean time that a change event takes to mark what it reaches (ns), from samples; 0 = none yet. */
double weir_context_get_mean_sweep_ns (const WeirContext *self);

/* @last: by source, the number of its last change event; 0 = none yet. */
void weir_context_read_source_events (const WeirContext *self, guint64 *last);

/* Was there an event after number @event that began at anything but time and the whole state? Those
 * two also move for trials and come back; who has kept them can compare. */
gboolean weir_context_has_changed_since (const WeirContext *self, guint64 event);

/* Where a value arose that is @limit or beyond, or not a number: the first, in the order of
 * evaluation, of those up to date among @entry and what it is computed from. INFINITY: where one is
 * not finite. Looks at values as they are. FALSE: there is none. */
gboolean weir_context_find_beyond (const WeirContext *self, WeirEntry entry, double limit,
                                   WeirFailurePlace *place);

/* What people call an element of an entry's value (layout.h), for sentences. (transfer full) */
WeirMessage *weir_value_name_new (const WeirLayout *layout, WeirEntry entry, guint element);
/* "ratio:y became not a number at t = 1 s (inputs: num = 0, den = 0)". (transfer full) */
WeirMessage *weir_context_tell_beyond (const WeirContext *self, const WeirFailurePlace *place);

G_END_DECLS
