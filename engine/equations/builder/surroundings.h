/* What a text of equations finds around it: names with values that it need not declare.
 *
 * A text that makes sense by itself takes nothing from outside, so that a new name there never
 * changes its meaning. Otherwise a name that it neither declares nor sets is taken from its
 * surroundings, where they have it; and so is the value of what is declared without one ("parameter
 * k"). It becomes a parameter, which can change while it runs, or, where its value shapes the
 * equations (a size, a loop, a period, a delay), a constant.
 *
 * Thread: made by one thread (*owner*), then *immutable*; reference-counted.
 */
#pragma once

#include "base/message.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  const char *path; /* where it was found: "plant.k", "g" */
  const double *value;
  guint size;
  const char *unit; /* or NULL */
} WeirGiven;

typedef struct _WeirSurroundings WeirSurroundings;

/* @scopes: where names are looked for, as in "plant or the model's variables". (transfer full) */
WeirSurroundings *weir_surroundings_new (WeirMessage *scopes);
WeirSurroundings *weir_surroundings_ref (WeirSurroundings *self);
void weir_surroundings_unref (WeirSurroundings *self);

/* @given: copied. */
void weir_surroundings_add (WeirSurroundings *self, WeirGiven given);
guint weir_surroundings_get_n (const WeirSurroundings *self);
const WeirGiven *weir_surroundings_get (const WeirSurroundings *self, guint i); /* borrowed */
/* A text that is extended, after those that it extends itself. */
void weir_surroundings_add_text (WeirSurroundings *self, const char *path, const char *text);
guint weir_surroundings_get_n_texts (const WeirSurroundings *self);
const char *weir_surroundings_get_text (const WeirSurroundings *self, guint i, const char **path);
/* Why @name cannot be extended: a sentence that goes on after the name. @problem: (transfer full)
 */
void weir_surroundings_add_problem (WeirSurroundings *self, const char *name, WeirMessage *problem);
const char *weir_surroundings_find_problem (const WeirSurroundings *self,
                                            const char *name); /* or NULL */
/* What is called much like @name, which is not there. */
void weir_surroundings_add_alike (WeirSurroundings *self, const char *name, const char *alike);
const char *weir_surroundings_find_alike (const WeirSurroundings *self,
                                          const char *name); /* or NULL */
const char *weir_surroundings_get_scopes (const WeirSurroundings *self);
/* Do texts mean the same in both, to the bit? */
gboolean weir_surroundings_equal (const WeirSurroundings *a, const WeirSurroundings *b);

/* The names that a text, with what it extends in @around, would take from there, in order of name.
 * @around: may be NULL. NULL-terminated. (transfer full) */
char **weir_equations_list_free_names (const char *text, WeirSurroundings *around);
/* The names of the blocks that a text extends, as it is written. NULL-terminated.
 * (transfer full) */
char **weir_equations_list_extended (const char *text);

/* What a line is of, where that tells more than its number: a part of a network. NULL: nothing. */
typedef const char *(*WeirLineOwnerFunc) (guint line, gconstpointer data);
/* "line 3", "lines 3, 4 and 5" of @message, which is taken over, as the owners of these lines, and
 * without the "Model: " that it may begin with. (transfer full) */
WeirMessage *weir_lines_name_owners (WeirMessage *message, WeirLineOwnerFunc find,
                                     gconstpointer data);

/* "3", or "3 of Spring" of a line of an extended text. @extended: NULL-terminated paths, or NULL.
 * (transfer full) */
char *weir_extended_dup_line (const char *const *extended, int line);
/* The same for every "line 3", "lines 3, 4 and 5" in a sentence. (transfer full) */
char *weir_extended_name_lines (const char *const *extended, const char *text);
/* The same of a message, which is taken over, and its translation. (transfer full) */
WeirMessage *weir_extended_name_message (const char *const *extended, WeirMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSurroundings, weir_surroundings_unref)

G_END_DECLS
