/* What the parts of an audit share: audit.c makes verdicts, verdict.c keeps them. */
#pragma once

#include "fmi/audit.h"

G_BEGIN_DECLS

/* Nothing is found yet. (transfer full) */
WeirFmuVerdict *weir_fmu_verdict_new (void);

G_END_DECLS
