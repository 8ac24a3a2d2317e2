/* WeirInspector: the properties of the selected block, or the run settings of the model when no single
 * block is selected. Each field is checked as it is typed and committed as one undo step by Return or
 * by leaving it.
 *
 * Signal "parameter-pointed" (guint block, const char *name): the pointer is on a parameter; NULL: no longer.
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/document.h"

G_BEGIN_DECLS

#define WEIR_TYPE_INSPECTOR (weir_inspector_get_type ())
G_DECLARE_FINAL_TYPE (WeirInspector, weir_inspector, WEIR, INSPECTOR, GtkWidget)

GtkWidget *weir_inspector_new (WeirDocument *document);
/* @id: the selected block; 0 shows the run settings. @n_selected: how many are, for the text. */
void weir_inspector_set_selected (WeirInspector *self, guint32 id, guint n_selected);
/* Puts the keyboard into the first field. */
void weir_inspector_focus_first (WeirInspector *self);

G_END_DECLS
