/* WeirInspector: parameters of the selected blocks, or the run settings of the model when no block
 * is selected.
 *
 * It follows the document and edits it: one undo step a change, one for a whole drag of a slider.
 * What is typed is checked as it is typed; what is refused is marked and said at the field and
 * never reaches the model. Of several blocks it shows the parameters that all of them have, and
 * sets them together; of a Subsystem the parameters that its blocks promote.
 *
 * A row with a number can be dragged by its caption, as what weir_parameter_path_get_type() says,
 * to where parameters are chosen; the menu of its entry activates "win.study-vary" with the path.
 *
 * Signal "parameter-pointed" (guint block, const char *name): the pointer is on a parameter; NULL:
 * no longer. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/document/document.h"

G_BEGIN_DECLS

#define WEIR_TYPE_INSPECTOR (weir_inspector_get_type ())
G_DECLARE_FINAL_TYPE (WeirInspector, weir_inspector, WEIR, INSPECTOR, GtkWidget)

/* What a row is dragged as: the parameter's path, "plant.spring.k". */
#define WEIR_TYPE_PARAMETER_PATH (weir_parameter_path_get_type ())
GType weir_parameter_path_get_type (void);

/* What it shows; once, if it was made without. */
void weir_inspector_set_document (WeirInspector *self, WeirDocument *document);
/* @blocks: ids, copied; none for the settings. */
void weir_inspector_set_selected (WeirInspector *self, const guint32 *blocks, guint n_blocks);
/* What is being typed takes effect, as if the field were left. */
void weir_inspector_enter (WeirInspector *self);
/* Moves the keyboard to the first field. */
void weir_inspector_focus_first (WeirInspector *self);

G_END_DECLS
