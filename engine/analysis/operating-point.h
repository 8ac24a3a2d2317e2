/* A point to look at a model from: time and discrete state held, the continuous state x and chosen
 * input signals u to be moved, the derivatives and chosen output signals y to be read.
 *
 *   xdot = f (x, u),  y = g (x, u)
 *
 * A chosen input is cut from what drives it: choosing the input of a plant gives the plant,
 * whatever controller feeds it. An output port, such as that of a source, may be chosen as input
 * too: then all blocks that see its signal see the chosen value instead. Signals of several
 * elements count as so many.
 *
 * Thread: *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct _WeirOperatingPoint WeirOperatingPoint;

/* At @context's time, values and state, of which it keeps a copy. @inputs, @outputs: paths of ports
 * ("Motor.voltage"), NULL-terminated, or NULL for none. An input without any value begins at 0.
 * NULL and @error if a path leads nowhere, or a signal has no value there. */
WeirOperatingPoint *weir_operating_point_new (WeirSystem *root, const WeirContext *context,
                                              const char *const *inputs, const char *const *outputs,
                                              GError **error);
/* The same with discrete states moved too: each group that periodic updates write is an input more,
 * after those named, and what each such event would make of its group an output more. An output may
 * be named twice, and may be the signal that a chosen input is cut from. */
WeirOperatingPoint *weir_operating_point_new_sampled (WeirSystem *root, const WeirContext *context,
                                                      const char *const *inputs,
                                                      const char *const *outputs, GError **error);
void weir_operating_point_free (WeirOperatingPoint *self);

/* Of a sampled one: its periodic updates, numbered from 0. */
typedef struct {
  double period, offset; /* s */
  guint first_input;     /* of the group that it writes: where its elements begin */
  guint first_output;    /* of what it makes of that */
  guint size;
} WeirPointUpdate;

guint weir_operating_point_get_n_updates (const WeirOperatingPoint *self);
WeirPointUpdate weir_operating_point_get_update (const WeirOperatingPoint *self, guint i);

/* The layout that its states, inputs and outputs are numbered by. (transfer none) */
WeirLayout *weir_operating_point_get_layout (const WeirOperatingPoint *self);
double weir_operating_point_get_time (const WeirOperatingPoint *self); /* s */
guint weir_operating_point_get_n_states (const WeirOperatingPoint *self);
guint weir_operating_point_get_n_inputs (const WeirOperatingPoint *self);  /* elements */
guint weir_operating_point_get_n_outputs (const WeirOperatingPoint *self); /* elements */
/* "Motor.Coil"; "Motor.voltage"; of a signal of several elements "Motor.voltage[1]". (transfer
 * full) */
char *weir_operating_point_dup_state_name (const WeirOperatingPoint *self, guint i);
const char *weir_operating_point_get_input_name (const WeirOperatingPoint *self, guint i);
const char *weir_operating_point_get_output_name (const WeirOperatingPoint *self, guint i);
/* FALSE if there is none of that name. */
gboolean weir_operating_point_find_input (const WeirOperatingPoint *self, const char *name,
                                          guint *i);
gboolean weir_operating_point_find_output (const WeirOperatingPoint *self, const char *name,
                                           guint *i);

/* The point itself: x and u. */
const double *weir_operating_point_get_state (const WeirOperatingPoint *self);
const double *weir_operating_point_get_input (const WeirOperatingPoint *self);
void weir_operating_point_move (WeirOperatingPoint *self, const double *x, const double *u);

/* f and g at any (@x, @u); the point stays. @xdot, @y: NULL = not wanted. FALSE where the model has
 * no value; weir_operating_point_get_failure() says why. */
gboolean weir_operating_point_eval (WeirOperatingPoint *self, const double *x, const double *u,
                                    double *xdot, double *y);
const char *weir_operating_point_get_failure (const WeirOperatingPoint *self);

/* Writes the point into @context: its state, and its inputs as fixed. */
void weir_operating_point_apply (const WeirOperatingPoint *self, WeirContext *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirOperatingPoint, weir_operating_point_free)

/* --- Trim ------------------------------------------------------------------------------------ */

/* Trim: the state and free inputs for which every derivative is zero and chosen outputs have given
 * values.
 *
 * Newton's method with a damped step; the linear systems are solved by a QR factorisation with
 * column pivoting, so that what the conditions leave open is found, named and kept as it was.
 * Discrete states and time are held. trim.c
 */
typedef struct {
  const gboolean *held_states;   /* by state: keeps its value; NULL = none does */
  const gboolean *moving_states; /* by state: its derivative may be anything; NULL = of none */
  const gboolean *free_inputs;   /* by input: to be found; NULL = all keep their values */
  const double *outputs;         /* by output: the value it is to have, NAN = any; NULL = any */
} WeirTrimConditions;

/* Moves @point, where the search begins, to a point that fulfils the conditions. @notes:
 * (element-type utf8) what is worth knowing, such as unknowns that nothing determines, is appended.
 * FALSE, @error and
 * @point as it was where there is none: the sentence says how many conditions stand against how
 * many unknowns, and which is worst. */
gboolean weir_trim (WeirOperatingPoint *point, const WeirTrimConditions *conditions,
                    GPtrArray *notes, GError **error);

/* What is fixed and what is free, as people name it: beyond that every derivative is zero. */
typedef enum {
  WEIR_TRIM_HOLD, /* a state or an element of a port has this value; NAN: a state its present one */
  WEIR_TRIM_MOVE, /* the derivatives of a state, or of a block's states, may be anything */
  WEIR_TRIM_FREE, /* the value of an input is to be found */
} WeirTrimKind;

typedef struct {
  WeirTrimKind kind;
  const char *path; /* "Motor.speed", "Motor.voltage[0]", "Controller" */
  double value;     /* of WEIR_TRIM_HOLD */
} WeirTrimWish;

/* Moves @context to a point as above; what is found of inputs is fixed there. @inputs: that are cut
 * from what drives them anyway, NULL-terminated; NULL: none. WEIR_ERROR_NOT_FOUND: a wish is about
 * nothing in the model. trim-wish.c */
gboolean weir_trim_context (WeirSystem *system, WeirContext *context, const char *const *inputs,
                            const WeirTrimWish *wishes, guint n_wishes, GPtrArray *notes,
                            GError **error);

G_END_DECLS
