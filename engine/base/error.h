/* Errors of the engine as sentences that can be translated.
 *
 * An error keeps the message that its text was made of (message.h), so that it is said in the
 * language of whoever shows it, alone or in the place of another message. Thread: *any*.
 */
#pragma once

#include "base/message.h"
#include "base/status.h"

G_BEGIN_DECLS

/* As g_set_error() does, in the domain WEIR_ERROR. The catalogues know the format. */
void weir_error_set (GError **error, WeirError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Puts "@name: " before it, as g_prefix_error() would, but it still can be translated. */
void weir_error_prefix (GError **error, const char *name);

/* What it says, in English; in the place of a message it is translated with that. Of the error. */
const char *weir_error_get_text (const GError *error);
/* In the language of whoever shows it; of the error, until it is said again or freed. Thread: its
 * owner. */
const char *weir_error_say (const GError *error);

G_END_DECLS
