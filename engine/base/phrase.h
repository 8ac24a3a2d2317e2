/* What stands in the places of messages and is words itself: phrases, lists, other sentences; and
 * messages in files.
 *
 * A message notices by its address that a text in one of its places is that of another message, and
 * translates it with itself. So what a function gives to be put into sentences is a message, too;
 * @self of which is passed by weir_message_get_text(). Thread: *any*.
 */
#pragma once

#include "base/message.h"

G_BEGIN_DECLS

/* "a", "a and b", "a, b and c": names, which are copied. (transfer full) */
WeirMessage *weir_message_new_list (const char *const *names);
/* What @rewrite makes of the text of @self, which is taken over, and of its translation. @data:
 * owned, freed with @free_data. (transfer full) */
typedef char *(*WeirMessageRewrite) (const char *text, gboolean is_translation, gpointer data);
WeirMessage *weir_message_rewrite (WeirMessage *self, WeirMessageRewrite rewrite, gpointer data,
                                   GDestroyNotify free_data);
/* @text, which is marked N_(), as words that are translated where they stand in the place of a
 * message; elsewhere they are just that text. Lives as long as the program. The text of a message
 * stays it. */
const char *weir_phrase (const char *text);

/* What weir_message_restore() reads: the text in English, and behind a separator what it is made
 * of. (transfer full) */
char *weir_message_store (const WeirMessage *self);
/* From a file, which may hold anything: what does not add up to the text before its separator, or
 * has none, is a sentence in English alone, as it stands there. (transfer full) */
WeirMessage *weir_message_restore (const char *stored);

G_END_DECLS
