/* The side of an observer that evaluation calls. See observe.h. */
#pragma once

#include "system/evaluator-private.h"
#include "system/observe.h"

G_BEGIN_DECLS

/* A calculation is about to be called; where to note the tickets that it reads, as bits. */
guint64 *weir_observer_begin (WeirObserver *self, const WeirContext *context, guint32 entry);

static inline void
weir_calc_observe (const WeirCalc *c, guint16 ticket)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_bit_set (c->seen, ticket);
}

G_END_DECLS
