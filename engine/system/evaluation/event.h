/* The events that systems declare, as the simulator sees them: every declaration of the whole tree,
 * in a fixed order (nodes in tree order, declarations in order), and the calls of their handlers.
 *
 * Handlers change nothing in a context. Publishes only look; the results of updates go to a
 * WeirUpdates, so that all updates of one instant read the same x-minus, and are applied together.
 * Event n of a periodic declaration is at offset + n * period, always by multiplication.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "base/message.h"
#include "system/context/context.h"
#include "system/structure/leaf.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct {
  WeirNode node;
  WeirTriggerKind trigger;
  WeirAction action;
  WeirGroup group;       /* of a discrete update */
  guint32 size;          /* of that group; of a reset: the leaf's states */
  double period, offset; /* s; of a periodic event */
  guint n_points;        /* of a delay that is as many periods long; or 0 */
  WeirEntry witness;     /* of a crossing: its value changes sign */
  guint32 n_witnesses;   /* of a crossing: elements of the witness */
  WeirDirection direction;
  gboolean leaves_zero;
  guint rank;     /* among crossings of one instant: WEIR_RANK_... */
  guint n_limits; /* first elements of the witness */
} WeirDeclaredEvent;

guint weir_system_get_n_events (WeirSystem *root);
WeirDeclaredEvent weir_system_get_event (WeirSystem *root, guint i);

/* What a handler is told about its event. */
typedef struct _WeirOccurrence {
  gint64 n;                /* how many events of this declaration came before; exact */
  const gint8 *directions; /* of a crossing: by element, -1 falling, 1 rising, 0 none; or NULL */
  WeirMessage *message; /* out: what the handler wants people to know, or NULL. (transfer full) */
  gboolean is_warning;  /* out: it is about something that should not be */
} WeirOccurrence;

/* Calls the handler of event @i, which is no unrestricted update. A discrete update or reset writes
 * into @next (the event's size), which holds the present values beforehand. */
WeirStatus weir_system_call_event (WeirSystem *root, WeirContext *context, guint i,
                                   WeirOccurrence *occurrence, double *next);

/* Of a timed event: when the next one is, strictly after @after. WEIR_FAILED if the leaf gives a
 * time that is not a number or not later. */
WeirStatus weir_system_call_next_time (WeirSystem *root, WeirContext *context, guint i,
                                       double after, double *time);

/* The results of simultaneous updates, before they are applied. Allocates only when made, except
 * for abstract values. */
typedef struct _WeirUpdates WeirUpdates;

WeirUpdates *weir_updates_new (WeirSystem *root);
void weir_updates_free (WeirUpdates *self);
/* Calls the handler of update event @i: it reads @context as it is. WEIR_FAILED also if another
 * update since the last weir_updates_apply() wrote the same group or state. WEIR_DID_NOTHING: its
 * results are dropped. */
WeirStatus weir_updates_call (WeirUpdates *self, WeirContext *context, guint i,
                              WeirOccurrence *occurrence);
/* Writes the results into @context, one change event for each group or leaf's state that was
 * written; nothing else is invalidated. */
WeirStatus weir_updates_apply (WeirUpdates *self, WeirContext *context);
/* Drops them. */
void weir_updates_clear (WeirUpdates *self);

G_END_DECLS
