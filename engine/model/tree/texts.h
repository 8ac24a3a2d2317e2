/* A sorted list of names with texts: the parameters of a block, the settings of a model.
 *
 * Immutable, reference-counted; NULL is the empty list. Names ascend by bytes, each occurs once.
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirTexts WeirTexts;

WeirTexts *weir_texts_ref (WeirTexts *self); /* (nullable) */
void weir_texts_unref (WeirTexts *self);     /* (nullable) */
guint weir_texts_get_size (const WeirTexts *self);
const char *weir_texts_get_name (const WeirTexts *self, guint i);
const char *weir_texts_get_text (const WeirTexts *self, guint i);
int weir_texts_get_line (const WeirTexts *self, guint i);              /* of the file; 0 = none */
const char *weir_texts_find (const WeirTexts *self, const char *name); /* NULL if there is none */

/* The list of @n pairs in any order, which it sorts; it takes references of its own. If a name
 * occurs twice, NULL and @twice is that name, borrowed from @pairs. (transfer full) */
typedef struct {
  GRefString *name; /* interned */
  GRefString *text;
  int line; /* where the file has it; 0 = none */
} WeirTextPair;
void weir_text_pair_clear (WeirTextPair *pair);
WeirTexts *weir_texts_new (WeirTextPair *pairs, guint n, const char **twice);

/* The list with @name set to @text, or without it if @text is NULL. (transfer full) */
WeirTexts *weir_texts_with (WeirTexts *self, const char *name, const char *text);

guint weir_texts_hash (const WeirTexts *self); /* equal ones have the same */
gboolean weir_texts_equal (const WeirTexts *a, const WeirTexts *b);

G_END_DECLS
