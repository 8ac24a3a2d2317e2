/* WeirTroubles: what went wrong in a run, with what may help, behind the problems of the model; and
 * the banner that tells it.
 *
 * It stays until there is another run, or the run goes back to before it. The run's own model names
 * the blocks; they are looked for by their ids, so that they are found after they were renamed.
 *
 * Signal: "changed" (gboolean): there are other problems, which are to be looked at, or not.
 * Thread: *main*.
 */
#pragma once

#include "gui/host/part.h"

G_BEGIN_DECLS

#define WEIR_TYPE_TROUBLES (weir_troubles_get_type ())
G_DECLARE_FINAL_TYPE (WeirTroubles, weir_troubles, WEIR, TROUBLES, WeirPart)

/* The problems of the model, then those of the run. (transfer full) */
WeirDiagnostics *weir_troubles_list (WeirTroubles *self);
/* Of those in the list, by number, the last one of the run; G_MAXUINT: there is none. */
guint weir_troubles_get_last (WeirTroubles *self);
/* WeirListFixesFunc; @data: the troubles. */
char **weir_troubles_list_fixes (guint problem, const WeirDiagnostic *diagnostic, guint **fixes,
                                 gpointer data);
/* Does what may help against a problem of the run. FALSE: it is one of the model. */
gboolean weir_troubles_remedy (WeirTroubles *self, guint problem, guint fix);

G_END_DECLS
