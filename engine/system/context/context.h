/* A context: the values of one tree of systems. Time, accuracy, state, parameters, fixed inputs and
 * cached results in one 64-byte-aligned block of memory.
 *
 * A context knows the numbering of its tree (a WeirLayout) and no system. Each setter is one change
 * event: it marks everything downstream of what it changed as out of date. Setting time, accuracy
 * or one parameter to the same bytes is no event. Several setters between
 * weir_context_begin_change() and weir_context_end_change() are one event together.
 *
 * Thread: *owner*, except that a frozen context may be read by many.
 */
#pragma once

#include "base/visibility.h"
#include "system/layout/layout.h"

WEIR_BEGIN_DECLS

/* Lets its layout go too. Nobody may be reading. */
void weir_context_free (WeirContext *self);
WeirContext *weir_context_clone (const WeirContext *self); /* (transfer full) */
/* @cancel: (nullable) while it is non-zero, atomically, what is computed is of no use any more:
 * computations that may take long, as calls of foreign programs, end soon. It outlives the
 * context's use; clones have none. */
void weir_context_set_cancel (WeirContext *self, const gint *cancel);
/* Borrowed; the context holds a reference. */
WeirLayout *weir_context_get_layout (const WeirContext *self);

/* Joins all that is set in between into one change event, issued at the end of the outermost pair;
 * none if nothing changed. Evaluating in between fails. */
void weir_context_begin_change (WeirContext *self);
void weir_context_end_change (WeirContext *self);

double weir_context_get_time (const WeirContext *self); /* s */
/* @time: s. */
void weir_context_set_time (WeirContext *self, double time);
double weir_context_get_accuracy (const WeirContext *self); /* relative; 0 = not set */
/* What calculations that can be more or less exact aim at. @accuracy: relative; 0 = not set. */
void weir_context_set_accuracy (WeirContext *self, double accuracy);

/* The accepted continuous state, n_states values. */
const double *weir_context_get_state (const WeirContext *self);
void weir_context_set_state (WeirContext *self, const double *x);
/* Time and state in one change event; unchanged time is left out of it. */
void weir_context_set_time_and_state (WeirContext *self, double time, const double *x);

/* The q, v, z or all states of every leaf at or under a node, leaf by leaf in the order of the
 * state vector. Only what reads that part of those leaves is out of date afterwards. */
typedef enum {
  WEIR_STATE_Q,
  WEIR_STATE_V,
  WEIR_STATE_Z,
  WEIR_STATE_XC,
} WeirStatePart;

/* How many values the part has; reads or sets all of them. The last two set two parts in one event.
 */
guint weir_context_get_n_part (const WeirContext *self, WeirNode node, WeirStatePart part);
void weir_context_read_part (const WeirContext *self, WeirNode node, WeirStatePart part,
                             double *values);
void weir_context_set_part (WeirContext *self, WeirNode node, WeirStatePart part,
                            const double *values);
void weir_context_set_v_and_z (WeirContext *self, WeirNode node, const double *v, const double *z);
void weir_context_set_time_and_q (WeirContext *self, double time, const double *q);

/* Write access: issues the change event, then gives the values to write. Written later than that,
 * they reach no one: what was evaluated in between stays marked up to date. The state of a subtree
 * lies in one piece. */
double *weir_context_change_state (WeirContext *self, WeirNode node);
double *weir_context_change_discrete (WeirContext *self, WeirNode node, WeirGroup group);
double *weir_context_change_parameter (WeirContext *self, WeirNode node, WeirParameter parameter);
double *weir_context_change_input (WeirContext *self, WeirNode node,
                                   WeirInput in); /* a fixed one */
/* The event alone, for who has written through an earlier weir_context_change_state(). */
void weir_context_note_state_change (WeirContext *self, WeirNode node);

/* All states and parameters under a node from another context's equal subtree, in one event; the
 * second with time and accuracy, for whole contexts. Fixed inputs stay. */
gboolean weir_context_set_state_and_parameters_from (WeirContext *self, WeirNode node,
                                                     const WeirContext *other, WeirNode other_node,
                                                     GError **error);
gboolean weir_context_set_time_state_and_parameters_from (WeirContext *self,
                                                          const WeirContext *other, GError **error);

/* Makes the values of @n sources those that another context of the same structure has, in one event
 * of those that differ in bytes; none if none do. An input is fixed as it is there, or not. */
void weir_context_take_sources (WeirContext *self, const WeirContext *other,
                                const WeirSource *sources, guint n);

/* The value of a discrete group or parameter of a leaf, of the size it was declared with; setting
 * it is one change event, for that group or parameter only. Borrowed until it is set. */
const double *weir_context_get_discrete (const WeirContext *self, WeirNode node, WeirGroup group);
void weir_context_set_discrete (WeirContext *self, WeirNode node, WeirGroup group,
                                const double *value);
const double *weir_context_get_parameter (const WeirContext *self, WeirNode node,
                                          WeirParameter parameter);
void weir_context_set_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                                 const double *value);

/* Abstract values (transfer none). A floating @value is taken. A value of another type than the
 * declared one is refused with a sentence. */
GVariant *weir_context_get_abstract_state (const WeirContext *self, WeirNode node, WeirGroup state);
gboolean weir_context_set_abstract_state (WeirContext *self, WeirNode node, WeirGroup state,
                                          GVariant *value, GError **error);
GVariant *weir_context_get_abstract_parameter (const WeirContext *self, WeirNode node,
                                               WeirParameter parameter);
gboolean weir_context_set_abstract_parameter (WeirContext *self, WeirNode node,
                                              WeirParameter parameter, GVariant *value,
                                              GError **error);

/* Fixed input values: win over a connection until un-fixed. */
void weir_context_fix_input (WeirContext *self, WeirNode node, WeirInput in, const double *value);
gboolean weir_context_fix_abstract_input (WeirContext *self, WeirNode node, WeirInput in,
                                          GVariant *value, GError **error);
void weir_context_unfix_input (WeirContext *self, WeirNode node, WeirInput in);
gboolean weir_context_is_input_fixed (const WeirContext *self, WeirNode node, WeirInput in);

/* Puts time 0, initial states, and default parameters back, in one event. Fixed inputs stay. */
void weir_context_reset (WeirContext *self);

/* Caching as a whole. Off: everything is out of date at the start of each request from outside. */
void weir_context_set_caching (WeirContext *self, gboolean enabled);
gboolean weir_context_get_caching (const WeirContext *self);
/* One entry, or every entry at or under a node: disabled = recomputed at every access. */
void weir_context_set_entry_caching (WeirContext *self, WeirEntry entry, gboolean enabled);
void weir_context_set_node_caching (WeirContext *self, WeirNode node, gboolean enabled);
gboolean weir_context_get_entry_caching (const WeirContext *self, WeirEntry entry);
void weir_context_set_all_out_of_date (WeirContext *self);
gboolean weir_context_is_up_to_date (const WeirContext *self, WeirEntry entry);
/* Frozen: what is up to date can be evaluated, by many threads at once, and nothing is written,
 * counters included; anything else fails. Sources can still be changed, which may leave entries
 * unusable. */
void weir_context_set_frozen (WeirContext *self, gboolean frozen);
gboolean weir_context_get_frozen (const WeirContext *self);

/* The value as it stands, whether or not it is up to date; evaluates nothing. */
const double *weir_context_peek (const WeirContext *self, WeirEntry entry);
/* (nullable): never computed. */
GVariant *weir_context_peek_abstract (const WeirContext *self, WeirEntry entry);

/* The value if it is up to date, else NULL and why; evaluates nothing. */
const double *weir_context_read (const WeirContext *self, WeirEntry entry, GError **error);
GVariant *weir_context_read_abstract (const WeirContext *self, WeirEntry entry, GError **error);
/* Puts a value computed elsewhere and marks the entry up to date. Refused where it is up to date
 * (unless its caching is disabled) or the context frozen. */
gboolean weir_context_put (WeirContext *self, WeirEntry entry, const double *value, GError **error);
gboolean weir_context_put_abstract (WeirContext *self, WeirEntry entry, GVariant *value,
                                    GError **error);
/* The value to write in place; refused alike; weir_context_mark() says when it is done. */
double *weir_context_change_value (WeirContext *self, WeirEntry entry, GError **error);
/* Exchanges the entry's value with @value; the entry is out of date afterwards. Refused when
 * frozen. */
gboolean weir_context_swap (WeirContext *self, WeirEntry entry, double *value, GError **error);
gboolean weir_context_swap_abstract (WeirContext *self, WeirEntry entry, GVariant **value,
                                     GError **error);
/* Sets the flag alone; notifies nobody. */
void weir_context_mark (WeirContext *self, WeirEntry entry, gboolean up_to_date);
/* How often the entry's value may have been written: 1 at first, one more with each calculation and
 * each of the calls above. Cost: grows with the entry's number. */
guint64 weir_context_get_serial (const WeirContext *self, WeirEntry entry);

/* Counters of one entry since the context was made. Exact; derived on reading. */
typedef struct {
  guint64 hits;          /* requests answered from the cache */
  guint64 first;         /* misses: computed for the first time */
  guint64 stale;         /* misses: was out of date */
  guint64 disabled;      /* misses: caching was off, for the entry or as a whole */
  guint64 invalidations; /* change events that reached the entry */
} WeirCounters;

/* @counters: one per entry, in plan order. Cost: one pass over the dependency graph. */
void weir_context_read_counters (const WeirContext *self, WeirCounters *counters);
void weir_context_clear_counters (WeirContext *self);
/* Mean time of one calculation of the entry (ns), from samples; 0 = none yet. Entries computed
 * together in a batch share their mean. */
double weir_context_get_mean_ns (const WeirContext *self, WeirEntry entry);
guint64 weir_context_get_n_events (const WeirContext *self);

/* The sentence of the last failed evaluation, or NULL; while frozen, of this thread's last. */
const char *weir_context_get_failure (const WeirContext *self);

typedef enum {
  WEIR_FAILURE_NO_VALUE,   /* a calculation or a handler gave none */
  WEIR_FAILURE_NOT_FINITE, /* a derivative, because of the value at the place */
  WEIR_FAILURE_LOOP,       /* an algebraic loop was not solved; the place is where it is cut */
} WeirFailureKind;

/* Where it failed: the innermost place that the sentence is about. */
typedef struct {
  WeirFailureKind kind;
  WeirNode node;
  WeirEntry entry; /* WEIR_NO_INDEX: none in particular */
  guint element;   /* of its value */
  double value;    /* of that element, if it is not finite */
} WeirFailurePlace;

/* FALSE: no evaluation failed, or the place is not known; never of a frozen context. */
gboolean weir_context_get_failure_place (const WeirContext *self, WeirFailurePlace *place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirContext, weir_context_free)

WEIR_END_DECLS
