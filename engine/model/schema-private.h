/* What data/weir.xsd says, as tables: each element's attributes, their forms, and what may stand in
 * it.
 *
 * The schema is what is published; checking against it by libxml2's general validator took longer
 * than all the rest of reading a large file. A test holds both against each other. The namespace
 * of schemas' own attributes is known: where a schema lies is passed over (nothing is loaded from
 * there), and a type may be named that the element has anyway.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A file being checked: the open elements. Zeros, then weir_schema_begin(). */
typedef struct {
  const char *root; /* element that is asked for where the file begins with neither root element */
  GArray *open;
} WeirSchemaCheck;

void weir_schema_begin (WeirSchemaCheck *self, const char *root);
void weir_schema_end (WeirSchemaCheck *self);

/* In the order of the file. Each returns NULL, or a sentence that says what breaks the schema,
 * after which nothing more may be checked. (transfer full)
 * @attributes: name, prefix, namespace, begin and end of the value of each, as SAX hands them over.
 * @uri: of the element's namespace, or NULL. */
char *weir_schema_check_start (WeirSchemaCheck *self, const char *name, const char *uri,
                               const char *const *attributes, guint n_attributes);
char *weir_schema_check_text (WeirSchemaCheck *self, const char *text, gsize length);
char *weir_schema_check_close (WeirSchemaCheck *self);

G_END_DECLS
