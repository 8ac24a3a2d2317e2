/* Parts that users write: files NAME.weirpart in a folder of theirs, and texts that models bring
 * along.
 *
 * A type of such a part is called by its part and the digest of its text, "Fuse:9f86d081884c7d65",
 * so that two texts are never one type: a model means the text it was drawn with, wherever it is
 * opened. Types are found by that name once their text was read, and live as long as the program.
 * Files are looked at when somebody says so, and what was found is kept. Thread: *any*.
 */
#pragma once

#include "blocks/parts/part.h"

G_BEGIN_DECLS

/* The type of that whole name; NULL if no text of it was read. */
const WeirBlockType *weir_user_parts_find (const char *name);

/* The part of a text that holds one. NULL and @error. (transfer none) */
const WeirPartType *weir_user_parts_add (const char *text, GError **error);

/* Reads the files of the user's data folder, and of @folder where it is not NULL, as far as they
 * have changed. */
void weir_user_parts_read (const char *folder);

/* The part that files call so, as they were last read: in @folder, or NULL, before the user's own.
 * NULL if there is none. (transfer none) */
const WeirPartType *weir_user_parts_find_present (const char *part, const char *folder);

/* All of them, of const WeirPartType, by group, then title; one that stands in @folder hides
 * another of its name. (transfer full) */
GPtrArray *weir_user_parts_list (const char *folder);

/* What is wrong with a file, and the parts that it seems to hold. @names: NULL-terminated. */
typedef void (*WeirPartProblemFunc) (const GError *problem, const char *const *names,
                                     gpointer data);

/* Calls @visit for each file that was not understood. */
void weir_user_parts_visit_problems (const char *folder, WeirPartProblemFunc visit, gpointer data);

G_END_DECLS
