/* From equations to a leaf: for blocks whose text is equations, and for networks of parts.
 *
 * Thread: *any*, but for the expressions that it makes: one build of one system of equations at a
 * time.
 */
#pragma once

#include "equations/builder/result.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* @kind: what the leaf is called where it has no name. NULL and @error for what cannot run.
 * (transfer full) */
WeirSystem *weir_equations_build (const WeirEquations *equations, const char *kind, GError **error);

G_END_DECLS
