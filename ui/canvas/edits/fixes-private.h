/* What the files of fixes share. */
#pragma once

#include "canvas/edits/fixes.h"

G_BEGIN_DECLS

/* fixes-parts.c: those that concern a part as a whole, wherever blocks of it are. An edit that may
 * be empty. (transfer full) */
WeirEdit *weir_fix_make_of_part (WeirModel *model, const WeirDiagnostic *diagnostic, WeirFix fix);

G_END_DECLS
