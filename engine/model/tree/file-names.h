/* Names of files that blocks give, as seen from the folder of the model.
 *
 * A name that is not absolute is looked for from the folder that the model was read from
 * (weir_model_get_folder()); one that was read from none, from the working folder. Where a model
 * goes elsewhere its names go with it: they lead to what they led to. A relative name stays one
 * unless nothing but the root is shared, an absolute one is what somebody chose.
 *
 * Folders are paths; NULL is none. Thread: *any*.
 */
#pragma once

#include <gio/gio.h>

#include "model/tree/model.h"

G_BEGIN_DECLS

/* Where the names are looked for from; NULL: the working folder. */
const char *weir_model_get_folder (const WeirModel *self);

/* @name, seen from @from, as it is seen from @to; without that, absolute. (transfer full) */
char *weir_file_name_move (const char *name, const char *from, const char *to);
/* An absolute name that leads into @folder, as seen from there; any other as it is.
 * (transfer full) */
char *weir_file_name_shorten (const char *name, const char *folder);

/* Of what lies there, as @folder is meant here; NULL: there is none. (transfer full) */
char *weir_file_dup_folder (GFile *file);

/* The model as seen from @folder. Itself if that is its own. (transfer full) */
WeirModel *weir_model_move (WeirModel *model, const char *folder);
/* The model with its names as they are, which mean what they say in @folder. (transfer full) */
WeirModel *weir_model_settle (WeirModel *model, const char *folder);
/* Part of a model in @folder, with its names absolute. (transfer full) */
WeirDiagram *weir_diagram_lengthen_file_names (WeirDiagram *self, const char *folder);
/* What was part of a model elsewhere, whose names are absolute, as part of one in @folder.
 * (transfer full) */
WeirDiagram *weir_diagram_shorten_file_names (WeirDiagram *self, const char *folder);

G_END_DECLS
