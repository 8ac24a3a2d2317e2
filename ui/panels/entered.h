/* What is typed into a field of a parameter, as the text that the model keeps: numbers in the C
 * locale, in the parameter's own unit.
 *
 * "2,5" is 2.5 where the locale writes a decimal comma; "20 mm" is 0.02 for a parameter in metres.
 * What has neither is kept as it was typed. Thread: *any*, but the locale is the process's.
 */
#pragma once

#include "blocks/library/registry.h"

G_BEGIN_DECLS

/* NULL and @error if the unit is none, or not one of this parameter. (transfer full) */
char *weir_entered_to_text (const WeirParameterSpec *spec, const char *entered, GError **error);

G_END_DECLS
