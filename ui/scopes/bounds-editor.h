/* The bounds of a plot's signals as a user types them. Thread: *main*. */
#pragma once

#include "scopes/plot-card.h"

G_BEGIN_DECLS

/* Asks for them in a popover of @card. */
void weir_bounds_ask (WeirPlotCard *card);

G_END_DECLS
