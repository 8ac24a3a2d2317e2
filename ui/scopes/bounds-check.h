/* WeirBoundsCheck: whether the signals of a plot keep their bounds, found in a thread; of several
 * requests the newest counts. Thread: *main*.
 */
#pragma once

#include "scopes/figures-panel.h"

G_BEGIN_DECLS

typedef struct _WeirBoundsCheck WeirBoundsCheck;

/* @signals: of the request: WeirFiguresSignal, whose bounds have their verdicts. */
typedef void (*WeirBoundsFunc) (gpointer data, const GArray *signals);

WeirBoundsCheck *weir_bounds_check_new (WeirBoundsFunc found, gpointer data);
/* What is not found yet never is. */
void weir_bounds_check_free (WeirBoundsCheck *self);
/* @signals: (transfer full) */
void weir_bounds_check_ask (WeirBoundsCheck *self, GArray *signals);
gboolean weir_bounds_check_is_settled (WeirBoundsCheck *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBoundsCheck, weir_bounds_check_free)

G_END_DECLS
