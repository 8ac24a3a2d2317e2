/* An observer: which tickets every calculation really reads through the accessors of calc.h, and
 * which of its prerequisites had changed each time it was called.
 *
 * Attached to a context it hears of every calculation made there; off, it costs one branch per
 * calculation and per accessor. Kernels are not called through accessors: they read what they
 * declare. While it is attached, calculations and event handlers are also held to what they have:
 * each handle that they read by must be one of their block's and of the right kind, and they must
 * write their result, all of it and nothing beside it. One that does not fails, and is listed.
 *
 * Thread: *owner* of the contexts observed; an observed context must not be frozen and shared.
 */
#pragma once

#include "base/message.h"
#include "system/context/context.h"

G_BEGIN_DECLS

typedef struct _WeirObserver WeirObserver;

typedef enum {
  WEIR_MISUSE_READ,  /* by a handle that the block does not have */
  WEIR_MISUSE_WRITE, /* beside its result, or not all of it */
} WeirMisuseKind;

typedef struct {
  WeirMisuseKind kind;
  WeirNode node;
  WeirEntry entry;   /* WEIR_NO_INDEX: an event handler did it */
  guint event;       /* then: of the tree (event.h) */
  WeirMessage *text; /* "reads parameter 7, but the block has 1: k" */
} WeirMisuse;

typedef enum {
  WEIR_READ_NEVER,
  WEIR_READ_WITH_XC, /* q, v or z: only as part of what weir_calc_xc() gives */
  WEIR_READ_ALONE,
} WeirRead;

WeirObserver *weir_observer_new (WeirLayout *layout);
void weir_observer_free (WeirObserver *self);

/* NULL ends it. Borrowed: @observer must stay until then. A clone is not observed. */
void weir_context_set_observer (WeirContext *self, WeirObserver *observer);

/* @counts: also keep what had changed; otherwise only the reads. On at first. */
void weir_observer_set_counting (WeirObserver *self, gboolean counts);

/* How @entry has read a ticket of its leaf so far. */
WeirRead weir_observer_get_read (const WeirObserver *self, WeirEntry entry, WeirTicket ticket);
/* Calls of the calculation, counted or not. */
guint64 weir_observer_get_n_calls (const WeirObserver *self, WeirEntry entry);
/* WeirMisuse, each once. */
const GArray *weir_observer_get_misuses (const WeirObserver *self);
/* Counted calls before which, since the call before, nothing had changed among the primary
 * prerequisites but some of @tickets: without those in its declaration they would not have been
 * made. */
guint64 weir_observer_count_avoidable (const WeirObserver *self, WeirEntry entry,
                                       const guint16 *tickets, guint n_tickets);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirObserver, weir_observer_free)

G_END_DECLS
