/* What the parts of the first step share: names (declare.c), values (declare-values.c), loops
 * (declare-loops.c), sizes (declare-shapes.c), equations of scalars (declare-scalars.c), events
 * (declare-events.c), roles (declare-roles.c). Thread: *owner* of the builder.
 */
#pragma once

#include "equations/builder/builder.h"

G_BEGIN_DECLS

#define WEIR_MAX_STATEMENTS 50000 /* after unrolling loops; also scalar equations */
#define WEIR_MAX_PARTS 1000000    /* of all scalar equations: 700 that each sum over the others */

/* A statement as it is met: with the values of the loops around it. */
typedef struct {
  const WeirStatement *statement;
  guint n_bindings;
  struct {
    const char *name;
    double value;
  } * bindings;
} WeirStatementInstance;

/* --- For the steps that follow ---------------------------------------------------------------- */

/* The delay that @symbol stands for; until the next one is added. NULL if it stands for none. */
const WeirDelay *weir_builder_find_delay (const WeirEquationsBuilder *self, WeirExpr symbol);
/* The derivative of what @symbol, a delay by a number of seconds, stands for: the derivative of its
 * value, @rate, as long ago. That is one more delay, whose symbol is put in @rate. */
void weir_builder_derive_delay (WeirEquationsBuilder *self, WeirExpr symbol, WeirExpr *rate);
/* Statements to names and scalar equations. */
void weir_builder_declare (WeirEquationsBuilder *self);
/* Conditions and guesses that win over others take their places, element by element. */
void weir_builder_apply_overrides (WeirEquationsBuilder *self);
/* Appends what each delayed value is at the start. */
void weir_builder_add_delayed_starts (const WeirEquationsBuilder *self, GArray *equations);
/* Of the expander: the numbers of convert(e, unit). */
gboolean weir_builder_convert (gpointer builder, WeirExpr e, const char *unit, int line,
                               double *factor, double *offset);

/* --- Steps within ----------------------------------------------------------------------------- */

/* White noise and jumps to events and discrete variables. */
void weir_builder_lower_noise (WeirEquationsBuilder *self);
/* Delays to symbols that are known at every instant. */
void weir_builder_lower_delays (WeirEquationsBuilder *self);
/* Units of all statements, where any are written: EQ06. Names without a unit get the one that
 * follows from their equations. */
void weir_builder_check_units (WeirEquationsBuilder *self);

/* --- Values ---------------------------------------------------------------------------------- */

/* Those of constants and parameters. */
void weir_builder_evaluate_values (WeirEquationsBuilder *self);
/* That of an input which is left open. */
void weir_builder_add_default (WeirEquationsBuilder *self, const WeirStatement *s);

/* --- Loops ----------------------------------------------------------------------------------- */

/* @outer: the instance of the loop around, or NULL. @instances: of WeirStatementInstance. */
void weir_builder_unroll (WeirEquationsBuilder *self, const GPtrArray *statements,
                          const WeirStatementInstance *outer, GArray *instances);
/* Names of loops mean their values in between. */
void weir_builder_bind_instance (WeirEquationsBuilder *self, const WeirStatementInstance *instance);
void weir_builder_unbind_instance (WeirEquationsBuilder *self,
                                   const WeirStatementInstance *instance);

/* --- Sizes and equations --------------------------------------------------------------------- */

/* The size that a declaration gives to its name, if any. */
void weir_builder_declare_size (WeirEquationsBuilder *self, const WeirStatement *s);
void weir_builder_infer_shapes (WeirEquationsBuilder *self, const GArray *instances);
void weir_builder_expand_statement (WeirEquationsBuilder *self, const WeirStatement *s);
/* Appends one WeirScalarEquation for each element. */
void weir_builder_add_equations (WeirEquationsBuilder *self, const WeirStatement *s,
                                 GArray *equations);
/* Reports what is infinite or no number whatever changes (EQ11). */
void weir_builder_check_finite (WeirEquationsBuilder *self, WeirExpr e, int line);
/* FALSE after reporting a problem. @what: for the message. */
gboolean weir_builder_expand_scalar (WeirEquationsBuilder *self, WeirExpr e, int line,
                                     const char *what, WeirExpr *result);
/* A time (s) that is known before anything runs. */
gboolean weir_builder_find_time (WeirEquationsBuilder *self, WeirExpr e, int line, const char *what,
                                 gboolean can_be_zero, double *result);

/* --- Events and roles ------------------------------------------------------------------------ */

void weir_builder_add_event (WeirEquationsBuilder *self, const WeirStatement *s);
/* Of all events: two new values of one variable at one instant. */
void weir_builder_check_events (WeirEquationsBuilder *self);
void weir_builder_find_roles (WeirEquationsBuilder *self);
/* When roles are known: the times of delays. */
void weir_builder_check_delays (WeirEquationsBuilder *self);

G_END_DECLS
