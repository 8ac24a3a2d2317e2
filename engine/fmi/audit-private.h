/* What the parts of an audit share: audit.c makes verdicts, verdict.c keeps them. */
#pragma once

#include "fmi/audit.h"

G_BEGIN_DECLS

#define WEIR_FMU_AUDIT_LIMIT 2 /* s, for a call */

/* Does it, brought back, make the same steps? FALSE also where it cannot be found out. @starts: of
 * parameters. */
gboolean weir_fmu_audit_steps (const WeirFmuDescription *d, const char *folder, const char *name,
                               const WeirFmuStart *starts, guint n_starts);

/* Nothing is found yet. (transfer full) */
WeirFmuVerdict *weir_fmu_verdict_new (void);

G_END_DECLS
