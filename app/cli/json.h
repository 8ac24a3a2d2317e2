/* Strings and numbers as JSON writes them (RFC 8259). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In quotes; what is no UTF-8, as a file's name may be, becomes U+FFFD. */
void weir_json_append_string (GString *json, const char *text);
/* With all digits; JSON has no infinities and no NaN, so that these are null. */
void weir_json_append_number (GString *json, double value);

G_END_DECLS
