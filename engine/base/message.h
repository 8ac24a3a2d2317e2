/* A sentence as data: a format in English and what stands in its places, so that it can be said in
 * another language later than where it was made up.
 *
 * Formats are those of printf(). What stands in a place is kept as the text that it was printed as,
 * so a translation may order the places anew ("%2$s"), but not write them otherwise. What is the
 * text of another message there, by its address, is translated with it: parts of sentences are
 * messages too. Thread: *any*; immutable.
 */
#pragma once

#include <glib.h>

#include "base/visibility.h"

WEIR_BEGIN_DECLS

typedef struct _WeirMessage WeirMessage;

/* %s (also "%.*s"), %c, %%, integers and numbers with flags, width and precision; with others it is
 * a sentence in English alone. @format is looked up as it is by weir_translate(): mark it N_()
 * where it is not the argument of a function that the catalogues know. (transfer full) */
WeirMessage *weir_message_new (const char *format, ...) G_GNUC_PRINTF (1, 2);
WeirMessage *weir_message_new_valist (const char *format, va_list args) G_GNUC_PRINTF (1, 0);
/* A sentence in English alone. (transfer full) */
WeirMessage *weir_message_new_literal (const char *text);
/* One sentence after the other, which are taken over; @between: no text to translate, such as ": ".
 * (transfer full) */
WeirMessage *weir_message_join (WeirMessage *first, const char *between, WeirMessage *second);
/* Another reference, or one less; NULL is let pass. */
WeirMessage *weir_message_ref (WeirMessage *self);
void weir_message_unref (WeirMessage *self);

/* In English; of the message. */
const char *weir_message_get_text (const WeirMessage *self);
/* In the language of whoever shows it (base/text.h). (transfer full) */
char *weir_message_translate (const WeirMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMessage, weir_message_unref)

WEIR_END_DECLS
