/* Which ports a run records. */
#pragma once

#include "model/tree/model.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* @patterns: port paths such as "plant.theta", or patterns with * and ? that output ports match.
 * NULL: the signals that scopes show, each named by the port that it comes from, then the outputs
 * of the root. NULL after saying which pattern matches nothing. (transfer full) */
char **weir_cli_list_ports (WeirModel *model, WeirSystem *system, const char *const *patterns);

G_END_DECLS
