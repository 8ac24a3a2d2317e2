/* What can be done about a problem of a model, as edits: each fix is one undo step.
 *
 * A fix is found from the problem's code and subject (model/completion/completion.h); whether it
 * helps shows when the model is checked again. Thread: *any*.
 */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_FIX_INSERT_DELAY,     /* into a wire of an algebraic loop */
  WEIR_FIX_SOLVE_LOOPS,      /* by the setting */
  WEIR_FIX_CONNECT_CONSTANT, /* to an input */
  WEIR_FIX_MAKE_INPUT,       /* of the diagram, of an input of a block in it */
  WEIR_FIX_CONNECT_NEAREST,  /* a loose end to a port near it */
  WEIR_FIX_REMOVE_WIRE,
  WEIR_FIX_JOIN_TERMINALS, /* of FMUs: wires as their matching rule has them */
  WEIR_FIX_USE_DEFAULT,    /* of a parameter or setting */
  WEIR_FIX_REMOVE_PARAMETER,
  WEIR_FIX_REMOVE_SETTING,
  WEIR_FIX_DECLARE_PARAMETER, /* of equations: a name that they leave open */
  WEIR_FIX_DECLARE_INPUT,
  WEIR_FIX_ADD_VARIABLE, /* to the model: such a name */
  WEIR_FIX_RENAME,
  WEIR_FIX_DELETE_BLOCK,
  WEIR_FIX_ADD_GROUND,            /* to a physical network: what its potentials are measured from */
  WEIR_FIX_ADD_SERIES_RESISTANCE, /* to a part that sets what others set too */
  WEIR_FIX_FREE_START,            /* of a part whose start others determine */
  WEIR_FIX_TAKE_PART,             /* as its file has it, for all blocks that are that part */
  WEIR_FIX_KEEP_VALUES,           /* that were defaults of a built-in part */
  WEIR_FIX_ACCEPT_PART,           /* that is built in, as it is by now */
  WEIR_N_FIXES,
} WeirFix;

const char *weir_fix_get_title (WeirFix fix); /* "Insert Delay", translated */
/* What may help against @diagnostic, best first. @fixes: (out), of WEIR_N_FIXES. Returns
 * how many. */
guint weir_fix_list (const WeirDiagnostic *diagnostic, WeirFix *fixes);
/* NULL if it cannot be done (any more). */
WeirEdit *weir_fix_make (WeirModel *model, const WeirDiagnostic *diagnostic, WeirFix fix);

G_END_DECLS
