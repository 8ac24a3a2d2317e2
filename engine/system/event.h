/* The events that systems declare, as the simulator sees them: periodic discrete updates and
 * publishes of the whole tree, in a fixed order (nodes in tree order, declarations in order).
 *
 * Event n of a declaration is at offset + n * period, always by multiplication.
 */
#pragma once

#include "system/context.h"
#include "system/system.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_ACTION_PUBLISH,
  WEIR_ACTION_DISCRETE_UPDATE,
} WeirAction;

typedef struct {
  WeirNode node;
  WeirAction action;
  WeirGroup group; /* of a discrete update */
  guint32 size;    /* of that group */
  double period, offset; /* s */
} WeirPeriodicEvent;

guint weir_system_get_n_periodic_events (WeirSystem *root);
WeirPeriodicEvent weir_system_get_periodic_event (WeirSystem *root, guint i);

/* Calls the handler of event @i with index @n. A discrete update writes x_{n+1} into @next (its
 * group's size) and changes nothing in the context: apply with weir_context_set_discrete(). */
WeirStatus weir_system_call_periodic_event (WeirSystem *root, WeirContext *context, guint i, gint64 n,
                                            double *next);

G_END_DECLS
