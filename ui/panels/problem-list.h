/* WeirProblemList: what is wrong with the model, one row per problem with a button for each fix; a
 * click on a row goes to the place.
 *
 * Signals: "go-to" (guint problem), "fix" (guint problem, guint fix), "pointed" (int problem; -1:
 * none any more) while the pointer rests on a row. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "base/diagnostic.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PROBLEM_LIST (weir_problem_list_get_type ())
G_DECLARE_FINAL_TYPE (WeirProblemList, weir_problem_list, WEIR, PROBLEM_LIST, GtkWidget)

/* Titles of the fixes of a problem, NULL-terminated, and their numbers (out). (transfer
 * full) both */
typedef char **(*WeirListFixesFunc) (guint problem, const WeirDiagnostic *diagnostic, guint **fixes,
                                     gpointer data);

/* Without, or with NULL, there are no fixes. Asked when problems are set. */
void weir_problem_list_set_fixes_func (WeirProblemList *self, WeirListFixesFunc list_fixes,
                                       gpointer data);
/* NULL or empty shows that nothing is wrong. */
void weir_problem_list_set_diagnostics (WeirProblemList *self, WeirDiagnostics *diagnostics);
/* NULL if there are not so many. Borrowed until the next set. */
const WeirDiagnostic *weir_problem_list_get (WeirProblemList *self, guint i);
/* Emphasises the rows about @block, or its wires; 0 = none. */
void weir_problem_list_set_pointed (WeirProblemList *self, guint32 block);
/* Scrolls to the row of a problem and gives it the keyboard. */
void weir_problem_list_focus (WeirProblemList *self, guint i);
guint weir_problem_list_get_n_rows (WeirProblemList *self);

G_END_DECLS
