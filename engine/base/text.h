/* Sentences that the engine makes up, in the language of whoever shows them.
 *
 * The engine speaks English: what the command line prints and the library returns is read by
 * programs too, and is the same in every locale. A window says once how a text is looked up in its
 * catalogue; from then on the sentences that are marked here come in its language. Names by which
 * values are found ("Tank:time derivatives") are no sentences and stay as they are.
 *
 * _() and the like are for the sources of the engine, which include this last; a widget has them
 * from <glib/gi18n-lib.h>. Thread: *any*, but for weir_set_translator().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The translation of @one, or with @many (nullable) of the form for @n things. Both are in
 * English; so is the result where there is no other. May be called from any thread. */
typedef const char *(*WeirTranslator) (const char *one, const char *many, gulong n);

/* Before there are other threads. NULL: English. Thread: *main*. */
void weir_set_translator (WeirTranslator translator);

const char *weir_translate (const char *text) G_GNUC_FORMAT (1);
const char *weir_translate_count (const char *one, const char *many, gulong n) G_GNUC_FORMAT (1)
    G_GNUC_FORMAT (2);

/* @text as it can be shown on a terminal and within a line: what would end the line, steer the
 * terminal or turn the direction of writing, and bytes that are no UTF-8, are written as in C and
 * JSON (\n, \u202e, \xff). (transfer full) */
char *weir_text_escape (const char *text);
/* The same, but lines and tabs stay. (transfer full) */
char *weir_text_escape_within_lines (const char *text);

/* @text as a sentence of its own: with a capital letter, unless it begins with a name, which has a
 * mark within its first word ("plant.x", "law:y") or is @name (nullable). (transfer full) */
char *weir_text_capitalize (const char *text, const char *name);

/* @n with its digits in groups of three and a space between them, in every language: points and
 * commas are part of numbers here. In a window the space is narrow and does not break; on a
 * terminal it is an ordinary one. (transfer full) */
char *weir_text_group_digits (guint64 n);

/* Has the file called @name one of these endings, which are given without their dot? @endings: ends
 * in NULL. */
gboolean weir_text_has_ending (const char *name, const char *const *endings);
/* As a sentence has them, ".csv, .mat or .h5"; with @between (nullable) between: ".csv|.mat".
 * (transfer full) */
char *weir_text_list_endings (const char *const *endings, const char *between);

/* Adds a field of a table with commas, quoted as RFC 4180 wants it, where it needs to be. */
void weir_csv_append_field (GString *table, const char *field);
/* The same, quoted in any case. */
void weir_csv_append_quoted (GString *table, const char *field);

G_END_DECLS

#ifndef _
#define _(text) weir_translate (text)
#define N_(text) (text)
#endif
