/* WeirProblemList: what is wrong with the model, one row per problem; a click goes to the place.
 *
 * Signal "go-to" (guint block, guint wire): ids, 0 where there is none. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "base/diagnostic.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PROBLEM_LIST (weir_problem_list_get_type ())
G_DECLARE_FINAL_TYPE (WeirProblemList, weir_problem_list, WEIR, PROBLEM_LIST, GtkWidget)

GtkWidget *weir_problem_list_new (void);
/* NULL or empty shows that nothing is wrong. */
void weir_problem_list_set_diagnostics (WeirProblemList *self, WeirDiagnostics *diagnostics);
guint weir_problem_list_get_n_rows (WeirProblemList *self);

G_END_DECLS
