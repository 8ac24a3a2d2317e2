/* What is noted about an element beside what it computes: an author, a unit of a port, a number
 * that another tool needs.
 *
 * A key has a name and a type; each element has at most one value of a name, and so has each port
 * or variable of a block. Lists are immutable and reference-counted; NULL is the empty list. Values
 * are kept as text, as in the file; one that does not suit its type is kept, read as absent, and
 * reported by completion (META01). Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WEIR_METADATA_TEXT,
  WEIR_METADATA_NUMBER,  /* finite, in the C locale */
  WEIR_METADATA_BOOLEAN, /* "true" or "false" */
  WEIR_N_METADATA_TYPES,
} WeirMetadataType;

typedef struct {
  const char *name;
  WeirMetadataType type;
} WeirMetadataKey;

/* Keys that the program itself reads. */
extern const WeirMetadataKey weir_key_author, weir_key_description;
extern const WeirMetadataKey
    weir_key_breakpoints;                   /* of a model: what runs pause at (sim/breakpoint.h) */
extern const WeirMetadataKey weir_key_unit; /* of a port: the physical unit of its signal */
/* Of a port: an analysis point, WEIR_ASPECT_POINTS: some of the words input, output, after, break.
 */
extern const WeirMetadataKey weir_key_points;
/* Of a model, of a part: its text where it is not built in; else what it was when the model was
 * saved, where it has changed since (model/tree/part-records.h). */
extern const WeirMetadataKey weir_key_part;
extern const WeirMetadataKey weir_key_range; /* of a parameter: where its slider ends, "0 10" */

/* Is what is noted under @name only how the element is looked at (WEIR_ASPECT_PLOTS)? */
gboolean weir_metadata_is_look (const char *name);

typedef struct _WeirMetadata WeirMetadata;

/* One value. Strings are borrowed. */
typedef struct {
  const char *of; /* a port or variable of the block; "" = the element itself */
  const char *name;
  WeirMetadataType type;
  const char *text;
} WeirMetadataItem;

WeirMetadata *weir_metadata_ref (WeirMetadata *self);
void weir_metadata_unref (WeirMetadata *self);
gboolean weir_metadata_equal (const WeirMetadata *a, const WeirMetadata *b);

/* The list of @n items in any order, which it sorts; NULL and @twice if a name occurs twice for the
 * same thing, borrowed from @items. (transfer full) */
WeirMetadata *weir_metadata_new (WeirMetadataItem *items, guint n, const char **twice);
/* The list with a value set, or without it if @text is NULL. (transfer full) */
WeirMetadata *weir_metadata_with (WeirMetadata *self, const char *of, WeirMetadataKey key,
                                  const char *text);

/* Items ascend by what they belong to, then by name. */
guint weir_metadata_get_size (const WeirMetadata *self);
WeirMetadataItem weir_metadata_get_item (const WeirMetadata *self, guint i);

/* NULL and FALSE if there is no such value of the key's type. */
const char *weir_metadata_get_text (const WeirMetadata *self, const char *of, WeirMetadataKey key);
gboolean weir_metadata_get_boolean (const WeirMetadata *self, const char *of, WeirMetadataKey key,
                                    gboolean *value);

/* As in a file: "number". */
const char *weir_metadata_type_get_name (WeirMetadataType type);
/* FALSE for an unknown name. */
gboolean weir_metadata_type_find (const char *name, WeirMetadataType *type);
/* NULL, or what a text of this type must be: "must be a number". */
const char *weir_metadata_type_get_problem (WeirMetadataType type, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMetadata, weir_metadata_unref)

G_END_DECLS
