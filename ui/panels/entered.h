/* What is typed into a field of a parameter, as the text that the model keeps: numbers in the C
 * locale, in the parameter's own unit.
 *
 * "2,5" is 2.5 where the locale writes a decimal comma; "20 mm" is 0.02 for a parameter in metres.
 * What has neither is kept as it was typed. Thread: *any*, but the locale is the process's.
 */
#pragma once

#include "blocks/registry.h"

G_BEGIN_DECLS

/* NULL and @error if the unit is none, or not one of this parameter. (transfer full) */
char *weir_entered_to_text (const WeirParameterSpec *spec, const char *entered, GError **error);
/* A unit as the tables of blocks write it ("N m s/rad", "m/s²") in the syntax of equations/unit.h.
 * (transfer full) */
char *weir_entered_dup_unit (const char *shown);

G_END_DECLS
