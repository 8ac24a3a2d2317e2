/* The side of an observer that evaluation calls. See observe.h. */
#pragma once

#include "system/context/context-private.h"
#include "system/observation/observe.h"

G_BEGIN_DECLS

/* A calculation is about to be called; where to note the tickets that it reads, as bits. */
guint64 *weir_observer_begin (WeirObserver *self, const WeirContext *context, guint32 entry);
/* The same for an event handler, whose reads are not kept. */
guint64 *weir_observer_begin_event (WeirObserver *self);

/* Is there such a thing in the block, of that kind of value? If not, the call fails and that is
 * listed. TRUE while nobody observes. */
gboolean weir_observer_check (const WeirCalc *c, WeirItemKind kind, guint index,
                              gboolean is_abstract);
/* Of any kind of value. */
gboolean weir_observer_check_exists (const WeirCalc *c, WeirItemKind kind, guint index);
/* Element @k of the witness of a handler that asks how it crossed. */
gboolean weir_observer_check_crossing (const WeirCalc *c, guint k);
/* For whoever reads on after that: zeros, more than anybody asks for, or an empty tuple. */
const double *weir_observer_get_zeros (const WeirObserver *self);
GVariant *weir_observer_get_nothing (const WeirObserver *self);

/* Room for a result of @size doubles with guards around it. @old: what is there beforehand, or NULL
 * for what no calculation gives. (transfer full) */
double *weir_observer_make_room (guint size, const double *old);
/* Ends the room and puts the result at @to, unless the call failed. Adds to the call's misuses. */
WeirStatus weir_observer_take_result (const WeirCalc *c, WeirStatus status, double *room,
                                      guint size, double *to);

static inline gboolean
weir_calc_has (const WeirCalc *c, WeirItemKind kind, guint index, gboolean is_abstract)
{
  return G_LIKELY (c->seen == NULL) || weir_observer_check (c, kind, index, is_abstract);
}

static inline void
weir_calc_observe (const WeirCalc *c, guint16 ticket)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_bit_set (c->seen, ticket);
}

G_END_DECLS
