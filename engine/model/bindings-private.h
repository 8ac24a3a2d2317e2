/* Names in parameters: what "2*k" means where it stands.
 *
 * A parameter that is a number or a vector may be an expression over other parameters. A name means
 * the parameter of that name of the block itself; else that of the Subsystem around it, and so on
 * outwards; else the model's variable. A parameter's own name never means itself but the next one
 * outwards, so that "k = k" hands a value down. Everything is evaluated at most once; values that
 * go round in a circle are named.
 *
 * A value may have a unit: 5 "cm", or a name alone whose value has one. It is converted to the unit
 * of the parameter that it is for.
 *
 * Codes: PAR01 cycle, PAR02 does not parse, PAR04 unknown name, PAR05 bad name of a variable, PAR06
 * no number, UNI01 unknown unit, UNI02 a unit of another dimension. Lives during one completion.
 */
#pragma once

#include "equations/expressions/unit.h"
#include "model/completion-private.h"

G_BEGIN_DECLS

typedef struct _WeirBinding WeirBinding;

/* One named value. */
struct _WeirBinding {
  const WeirInstance *owner; /* NULL = the model */
  char *path;                /* "plant.spring.k", "g" */
  const char *name;          /* the last of it */
  const char *text;
  const WeirParameterSpec *spec; /* NULL: of a Subsystem or the model */
  enum { WEIR_BINDING_NEW, WEIR_BINDING_OPEN, WEIR_BINDING_DONE, WEIR_BINDING_FAILED } state;
  double *value; /* once done */
  guint size;
  gboolean has_unit;
  WeirUnit unit;
  GPtrArray *uses;     /* of WeirBinding: what its names mean; NULL = a plain value */
  gboolean is_named;   /* a value that a text of the owner names */
  gboolean is_tunable; /* of those: has a slot in the leaf */
  char *named_text;    /* owned; then @text */
};

WeirBindings *weir_bindings_new (WeirModel *model, WeirDiagnostics *diagnostics);
void weir_bindings_free (WeirBindings *self);
WeirModel *weir_bindings_get_model (const WeirBindings *self); /* (transfer none) */

/* The value that parameter @name of @owner has; NULL if it has no number, which is
 * reported once. */
const WeirBinding *weir_bindings_evaluate (WeirBindings *self, const WeirInstance *owner,
                                           const char *name);
/* What @name means outside of @owner: of the Subsystem around it, and so on; NULL if there is no
 * such name, or it has no number. */
const WeirBinding *weir_bindings_find_outside (WeirBindings *self, const WeirInstance *owner,
                                               const char *name);
/* What is called much like @name there; NULL if nothing is. (transfer none) */
const char *weir_bindings_find_alike (const WeirBindings *self, const WeirInstance *owner,
                                      const char *name);
/* "plant, the model's variables": where that looks. (transfer full) */
char *weir_bindings_dup_scopes (const WeirInstance *owner);
/* A value that a text of @owner names itself, or takes from @meant. */
void weir_bindings_add_named (WeirBindings *self, const WeirInstance *owner,
                              const WeirNamedValue *value, const WeirBinding *meant);
/* Every variable of the model, whether or not it is used. */
void weir_bindings_check_variables (WeirBindings *self);

/* Every binding that has been looked at, in order of path. (transfer container), of WeirBinding. */
GPtrArray *weir_bindings_list (WeirBindings *self);
/* Does the value of @binding depend on @other, however indirectly? */
gboolean weir_binding_depends_on (const WeirBinding *binding, const WeirBinding *other);

/* Calls @visit for every instance of the model, outermost first, then @finish while all of them
 * live. What goes wrong is not reported. */
void weir_model_visit_bindings (WeirModel *model,
                                void (*visit) (const WeirInstance *instance, WeirBindings *bindings,
                                               gpointer data),
                                void (*finish) (WeirBindings *bindings, gpointer data),
                                gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBindings, weir_bindings_free)

G_END_DECLS
