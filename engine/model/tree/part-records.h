/* What a saved model says of the parts in it.
 *
 * The text of a part that is not built in is in the file, so that the model opens anywhere; and of
 * a built-in one what it was: the digest of what it computes, and the defaults of its parameters.
 * Both are metadata of the file, "part" of the type, and are made when it is written: a model in
 * memory has a record only where it no longer suits the part, until somebody decides what is to
 * hold, and one whose text could not be read. Thread: *any*.
 */
#pragma once

#include "blocks/parts/part.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

/* Those of all parts in @diagram, beside @metadata, whose own records stay. (transfer full) */
WeirMetadata *weir_part_records_add (WeirMetadata *metadata, const WeirDiagram *diagram);

/* Does what a file says of a part tell nothing new? A text is read, and @type is what it is called
 * then, which differs where somebody has edited it in the file. */
gboolean weir_part_record_take (const char *of, const char *text, const char **type);

/* What has changed since: whether it is more than defaults; and of a parameter, the default that it
 * had. (transfer full), NULL: the same. */
gboolean weir_part_record_is_other (const char *record, const WeirPartType *part);
char *weir_part_record_dup_default (const char *record, const WeirParameterSpec *spec);

/* As a file of @folder, or NULL, would have it: of a type that no one knows, the part that files
 * call so; else @type. Interned or borrowed. */
const char *weir_part_name_resolve (const char *type, const char *folder);

G_END_DECLS
