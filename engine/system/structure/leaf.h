/* Declaring a leaf system: ports, parameters, state, computations and events.
 *
 * A leaf is written as one builder function and one function per computation. The builder declares
 * what exists and what each computation reads; nothing is computed until a context asks. Example,
 * the whole of x' = -k x + u, y = x:
 *
 *   static WeirStatus
 *   lag_xcdot (const WeirCalc *c, double *xdot)
 *   {
 *     double k = weir_calc_parameter (c, K)[0];
 *     double u = weir_calc_input (c, U)[0];
 *     double x = weir_calc_xc (c)[0];
 *
 *     xdot[0] = -k * x + u;
 *     return WEIR_OK;
 *   }
 *
 *   WeirSystem *
 *   lag_new (double k, double x0)
 *   {
 *     WeirLeafBuilder *b = weir_leaf_builder_new ("Lag");
 *     WeirInput u = weir_leaf_add_input (b, "u", 1);
 *     WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);
 *
 *     weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
 *     weir_leaf_set_derivatives (b, lag_xcdot, WEIR_DEPENDS (WEIR_XC, weir_parameter_ticket (b, p),
 *                                                            weir_input_ticket (b, u)));
 *     weir_leaf_add_output_window (b, "y", WEIR_XC);
 *     return weir_leaf_builder_build (b);
 *   }
 *
 * Every input that a computation declares is evaluated before the computation is called. A
 * computation that reads some inputs only on one branch declares itself lazy
 * (weir_leaf_set_lazy()) and asks with weir_calc_demand() first.
 *
 * A value that is no vector of doubles is *abstract*: a GVariant of a declared type. Being
 * immutable and serialisable, it can be shared between contexts and saved with them. Parameters,
 * states, inputs, cache entries and outputs may be abstract; what a computation reads it reads by
 * the matching accessor.
 *
 * Thread: a builder belongs to one thread (*owner*); the built system is *immutable*.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/kernel.h"
#include "system/structure/types.h"
#include "system/structure/unit.h"

WEIR_BEGIN_DECLS

typedef struct _WeirLeafBuilder WeirLeafBuilder;

/* Computes a vector value of the declared size into @out. Reads through @c only; keeps no memory
 * between calls. */
typedef WeirStatus (*WeirCalcFunc) (const WeirCalc *c, double *out);

/* Computes an abstract value of the declared type into @out (transfer full; floating is fine). */
typedef WeirStatus (*WeirAbstractFunc) (const WeirCalc *c, GVariant **out);

/* Computes x_{n+1} = f(n, x_n, u_n) of one discrete group into @next, which holds x_n:
 * reads see x-minus,
 * @n counts the events of this declaration from 0. */
typedef WeirStatus (*WeirUpdateFunc) (const WeirCalc *c, gint64 n, double *next);

/* The next state of the leaf, for an unrestricted update (calc.h). */
typedef struct _WeirNextState WeirNextState;

typedef WeirStatus (*WeirUnrestrictedFunc) (const WeirCalc *c, gint64 n, WeirNextState *next);

/* The time (s) of the leaf's next event strictly after @after; INFINITY = none. */
typedef WeirStatus (*WeirNextTimeFunc) (const WeirCalc *c, double after, double *time);

/* How far each thing that repeats itself in the leaf has got, in turns: of sin (2 pi f t) it is f
 * t, of sin u it is u / (2 pi). May read whatever the leaf has. */
typedef WeirStatus (*WeirPhaseFunc) (const WeirCalc *c, double *phases);

typedef enum {
  WEIR_TRIGGER_PERIODIC,
  WEIR_TRIGGER_INITIALIZATION,
  WEIR_TRIGGER_PER_STEP,
  WEIR_TRIGGER_TIMED,
  WEIR_TRIGGER_CROSSING,
  WEIR_TRIGGER_FORCED,
  WEIR_TRIGGER_SIDES,
} WeirTriggerKind;

typedef enum {
  WEIR_ACTION_PUBLISH,
  WEIR_ACTION_DISCRETE_UPDATE,
  WEIR_ACTION_RESET,
  WEIR_ACTION_UNRESTRICTED_UPDATE,
  WEIR_ACTION_BREAK,
} WeirAction;

typedef enum {
  WEIR_FALLING = -1, /* from positive to zero or below */
  WEIR_CROSSES = 0,  /* either way */
  WEIR_RISING = 1,   /* from negative to zero or above */
  WEIR_TURNS = 2,    /* none of these: rises and then falls, wherever it is */
} WeirDirection;

/* What acts after modes at an instant. */
#define WEIR_RANK_MEMORY 1
#define WEIR_RANK_EDGE 2

/* When an event of a leaf happens; weir_when_...() make one. */
typedef struct {
  WeirTriggerKind kind;
  double period, offset;
  guint n_points; /* of a delay that is as many periods long; or 0 */
  WeirCached witness;
  WeirDirection direction;
  gboolean leaves_zero; /* leaving zero counts as a crossing */
  guint n_limits;       /* of the witness, its first: limits (weir_at_limits) */
  WeirNextTimeFunc next_time;
  guint rank;          /* among crossings of one instant: 0 modes, WEIR_RANK_... */
  guint64 reserved[3]; /* 0: what is to come */
} WeirTrigger;

/* Sees x-minus; changes nothing. */
typedef WeirStatus (*WeirPublishFunc) (const WeirCalc *c, gint64 n);

/* @kind: name of the kind of block, for people. */
WeirLeafBuilder *weir_leaf_builder_new (const char *kind);

/* An input of @size doubles. Ports, parameters and groups are numbered from 0 in the order in which
 * they are added. */
WeirInput weir_leaf_add_input (WeirLeafBuilder *b, const char *name, guint size);

/* Value of input @in where it is neither connected nor fixed; without one that is an error.
 * @value: size of the input. */
void weir_leaf_set_input_default (WeirLeafBuilder *b, WeirInput in, const double *value);

/* An input for abstract values, and its default where it is neither connected nor fixed. A floating
 * @value is taken, here and below. */
WeirInput weir_leaf_add_abstract_input (WeirLeafBuilder *b, const char *name,
                                        const GVariantType *type);
void weir_leaf_set_abstract_input_default (WeirLeafBuilder *b, WeirInput in, GVariant *value);

/* A parameter of @size doubles. @value: its default, copied. */
WeirParameter weir_leaf_add_parameter (WeirLeafBuilder *b, const char *name, const double *value,
                                       guint size);
/* Its type is that of its default. */
WeirParameter weir_leaf_add_abstract_parameter (WeirLeafBuilder *b, const char *name,
                                                GVariant *value);

/* Declares nq, nv and nz continuous states, q' unrelated to v unless the derivatives say so.
 * @initial: nq + nv + nz values, copied. At most once. */
void weir_leaf_set_continuous_state (WeirLeafBuilder *b, guint nq, guint nv, guint nz,
                                     const double *initial);
/* What messages call them, instead of q[0], v[0], z[0]: a name for each, copied, in a list that
 * ends in NULL. After the states are declared; at most once. */
void weir_leaf_name_states (WeirLeafBuilder *b, const char *const *names);
/* How large each state is, in general; positive, and 1 where nobody says. The absolute tolerance of
 * a run is multiplied by it. After the states are declared; copied. */
void weir_leaf_set_state_nominals (WeirLeafBuilder *b, const double *nominals);
/* The same where it changes at events: a group of discrete state has them, as many values as there
 * are states. What is not positive and finite there is 1. At most once. */
void weir_leaf_set_nominals_group (WeirLeafBuilder *b, WeirGroup group);
WeirGroup weir_leaf_add_discrete_state (WeirLeafBuilder *b, const char *name, const double *initial,
                                        guint size);

/* State of any type, changed at events only; its type is that of its initial value. */
WeirGroup weir_leaf_add_abstract_state (WeirLeafBuilder *b, const char *name, GVariant *initial);

/* A cached value that other computations of the same leaf may depend on.
 * @depends: NULL = all sources. Prerequisites must be declared before. */
WeirCached weir_leaf_add_cache_entry (WeirLeafBuilder *b, const char *name, guint size,
                                      WeirCalcFunc calc, const WeirTicket *depends);

/* The same for an abstract value. */
WeirCached weir_leaf_add_abstract_cache_entry (WeirLeafBuilder *b, const char *name,
                                               const GVariantType *type, WeirAbstractFunc calc,
                                               const WeirTicket *depends);

/* @entry is looked for (by Newton's method, say), and the search begins at @group, of the same
 * size, which it depends on. A run moves it to the present value at its start and at accepted
 * steps; no event may write it. At most once for each of them. */
void weir_leaf_set_start (WeirLeafBuilder *b, WeirCached entry, WeirGroup group);

/* An output with its own cache entry. */
WeirOutput weir_leaf_add_output (WeirLeafBuilder *b, const char *name, guint size,
                                 WeirCalcFunc calc, const WeirTicket *depends);
WeirOutput weir_leaf_add_abstract_output (WeirLeafBuilder *b, const char *name,
                                          const GVariantType *type, WeirAbstractFunc calc,
                                          const WeirTicket *depends);

/* An output computed element by element from its operands by a batchable kernel (kernel.h).
 * The operands are the prerequisites; each has size 1 or @size. */
WeirOutput weir_leaf_add_output_kernel (WeirLeafBuilder *b, const char *name, guint size,
                                        WeirKernel kernel, guint64 variant,
                                        const WeirTicket *operands);

/* An output that shows, without a copy, the value of @ticket: time, accuracy, q, v, z, xc, a
 * discrete group, an abstract state, a parameter, a cache entry, or a built-in computation. */
WeirOutput weir_leaf_add_output_window (WeirLeafBuilder *b, const char *name, WeirTicket ticket);

/* An algebraic loop through this output is cut here, and Newton's method begins at @value (size of
 * the output) when a run begins. */
void weir_leaf_set_output_guess (WeirLeafBuilder *b, WeirOutput out, const double *value);

/* xcdot: out has nq + nv + nz values. */
void weir_leaf_set_derivatives (WeirLeafBuilder *b, WeirCalcFunc calc, const WeirTicket *depends);
void weir_leaf_set_derivatives_kernel (WeirLeafBuilder *b, WeirKernel kernel, guint64 variant,
                                       const WeirTicket *operands);

/* Energies (J) and powers (W), one value each. @what: WEIR_TICKET_PE, _KE, _PC or _PNC. */
void weir_leaf_set_energy (WeirLeafBuilder *b, WeirTicket what, WeirCalcFunc calc,
                           const WeirTicket *depends);

/* --- Patterns and slopes ------------------------------------------------------------------------
 *
 * Implicit solvers need to know which derivatives change with which states, and by how much. That
 * follows from declared prerequisites alone, but vector by vector: a leaf of many states looks as
 * if each of its derivatives depended on each of them. A *pattern* tells which elements of what a
 * computation reads each element of its value depends on; *slopes* are the partial derivatives
 * that stand in it. Patterns are put together through the whole diagram; where slopes are
 * missing on the way, differences take their place. */

/* The computation of @ticket, no kernel: element i of its value depends, of the values of @by, on
 * the elements columns[first[i]] .. columns[first[i + 1] - 1], ascending, counted through @by one
 * after the other. @by: q, v, z, xc, inputs, cache entries and outputs among its prerequisites;
 * of what it reads beside them every element depends on every one. At most once. */
void weir_leaf_set_pattern (WeirLeafBuilder *b, WeirTicket ticket, const WeirTicket *by,
                            const guint32 *first, const guint32 *columns);

/* A cached value: the derivatives of the computations @of by the entries of their patterns, one
 * after the other as these lie there. What is no finite number counts as not known. At most
 * once; the patterns are not all empty. */
WeirCached weir_leaf_set_slopes (WeirLeafBuilder *b, const WeirTicket *of, WeirCalcFunc calc,
                                 const WeirTicket *depends);

/* What messages call the elements of the entry of @ticket, where that says more than the entry's
 * name, and where people find them, "line 2": a name and a place for each, copied, in lists that
 * end in NULL. Either may be NULL; a place may be "". At most once. */
void weir_leaf_name_elements (WeirLeafBuilder *b, WeirTicket ticket, const char *const *names,
                              const char *const *places);

/* Another name under which an output is found (weir_layout_find_output()); it is shown nowhere. */
void weir_leaf_add_output_alias (WeirLeafBuilder *b, const char *alias, const char *output);

/* The computation of @ticket reads some of its prerequisites only on some branches. */
void weir_leaf_set_lazy (WeirLeafBuilder *b, WeirTicket ticket);

/* The entry of @ticket starts with caching disabled in every new context. */
void weir_leaf_disable_caching_by_default (WeirLeafBuilder *b, WeirTicket ticket);

/* --- Events -------------------------------------------------------------------------------------
 *
 * An event is a trigger and an action. Updates of one instant all read the same x-minus; no two may
 * write the same discrete group, or the same leaf's continuous state. */

/* What makes the event happen. */
WeirTrigger weir_on_initialization (void); /* once, when a run begins */
/* At offset + n * period, n = 0, 1, ...: period > 0, offset >= 0, both finite (seconds). */
WeirTrigger weir_every (double period, double offset);
/* At each of the points that a delay (seconds) keeps; what is said of them tells of the delay. */
WeirTrigger weir_every_point (double delay, guint n_points);
/* Publishes at the end of initialisation and of each accepted step, updates at the beginning of
 * each step. */
WeirTrigger weir_on_each_step (void);
/* At the times that the leaf gives: @next_time is asked at the start, after each instant with
 * events, and after changes from outside. It may read parameters, discrete state and inputs that
 * change at events only. */
WeirTrigger weir_at_times (WeirNextTimeFunc next_time);
/* Where an element of @witness, a cached value, changes its sign or lands on zero in the given
 * direction. Located on the solver's dense output; the event is at the far side. A witness that is
 * zero triggers nothing by leaving zero. */
WeirTrigger weir_on_crossing (WeirCached witness, WeirDirection direction);
/* Where an element of @witness rises no more, but falls: for breaks, as nothing crosses there. */
WeirTrigger weir_on_turn (WeirCached witness);
/* So too leaving zero in that direction; of either, after landing there as well: for modes. */
WeirTrigger weir_on_change_of_sign (WeirCached witness, WeirDirection direction);
/* The first @n elements of @trigger's witness are distances from limits: the model goes on much the
 * same whether one touches zero or just does not, so nobody needs to be told. */
WeirTrigger weir_at_limits (WeirTrigger trigger, guint n);
/* At an instant modes settle first, in as many rounds as that takes, and what they show in between
 * has not been. For modes that remember what was, as hysteresis does: these settle next. @trigger:
 * of a crossing, or of the beginning of a run. */
WeirTrigger weir_after_modes (WeirTrigger trigger);
/* For what is done once where something becomes so: after both, and not as they get their first
 * values when a run begins, as what is so from the start on has not become so. */
WeirTrigger weir_at_edge (WeirTrigger trigger);
/* At the end of each accepted step, as the step saw it (time just before a jump of a timed break),
 * and once more where the next step begins, after all that happened in between: both sides of every
 * jump. For updates of blocks that keep the past of their inputs; what they write may change values
 * at later times only. Their event's number is 1 where the next step begins anew, so that something
 * may have a kink there; else 0. */
WeirTrigger weir_on_both_sides (void);
/* Never by itself: weir_simulator_force(). */
WeirTrigger weir_when_forced (void);

/* At @trigger, looks only; or gives the next value of @group. */
void weir_leaf_add_publish (WeirLeafBuilder *b, WeirTrigger trigger, WeirPublishFunc publish);
void weir_leaf_add_update (WeirLeafBuilder *b, WeirTrigger trigger, WeirGroup group,
                           WeirUpdateFunc update);
/* @reset: writes the leaf's continuous state (q, v, z). */
void weir_leaf_add_reset (WeirLeafBuilder *b, WeirTrigger trigger, WeirUpdateFunc reset);
void weir_leaf_add_unrestricted_update (WeirLeafBuilder *b, WeirTrigger trigger,
                                        WeirUnrestrictedFunc update);
/* Only ends the solver's step there, as something that the leaf computes has a jump or kink. The
 * derivatives within the step see the time just before a timed break. */
void weir_leaf_add_break (WeirLeafBuilder *b, WeirTrigger trigger);

/* Shorthands for weir_every (period, offset). */
void weir_leaf_add_periodic_update (WeirLeafBuilder *b, WeirGroup group, double period,
                                    double offset, WeirUpdateFunc update);
/* The unique periodic update: x_{n+1} of all discrete groups, one after the other, as a cached
 * computation (time says which n it is for), applied at offset + n * period. */
void weir_leaf_set_unique_update (WeirLeafBuilder *b, double period, double offset,
                                  WeirCalcFunc calc, const WeirTicket *depends);
void weir_leaf_add_periodic_publish (WeirLeafBuilder *b, double period, double offset,
                                     WeirPublishFunc publish);

/* What a leaf knows of its own turns. A solver sees a signal at a few instants of each step only,
 * and the search for zero crossings likewise: between them, whole periods can pass unseen. With its
 * phases a leaf sees to it that they do not: steps with error control go no further than a part of
 * a turn where derivatives depend on what the leaf computes, and witnesses that do are looked at
 * several times a turn. Jumps and kinks at known times are breaks instead. At most once; @n > 0. */
void weir_leaf_set_phases (WeirLeafBuilder *b, guint n, WeirPhaseFunc phases);

/* Constants of the structure that computations read (weir_calc_data()); they enter the fingerprint
 * as bytes. @data is copied. */
void weir_leaf_set_data (WeirLeafBuilder *b, gconstpointer data, gsize size);

/* Names with dots are names in the leaf: "A.R1.i" for "R1.i" of the leaf A. Else they are paths in
 * the diagram that holds it. Units have them. */
void weir_leaf_own_names (WeirLeafBuilder *b);

/* --- Units of co-simulation (unit.h) ---------------------------------------------------------- */

/* The leaf is a unit: it has inputs, parameters and the outputs of the following kind, and nothing
 * else. @n_steps: how many of the master's steps one of its own is, from 1. @place: where it stands
 * in the list of units, the lowest first; equal ones in the order of the tree. @destroy: (nullable)
 * frees @data with the system. What tells two units apart belongs into the leaf's data
 * (weir_leaf_set_data()), as bytes. Adds the parameter WEIR_UNIT_ACTIVITY. */
void weir_leaf_set_unit (WeirLeafBuilder *b, const WeirUnitClass *unit_class, gpointer data,
                         GDestroyNotify destroy, guint n_steps, int place);
/* How it begins a run; on, if nothing is said. */
void weir_leaf_set_unit_activity (WeirLeafBuilder *b, WeirUnitActivity activity);
/* An output that shows what the unit's last step gave. @initial: what it shows before the unit has
 * begun; NULL = 0. */
WeirOutput weir_leaf_add_unit_output (WeirLeafBuilder *b, const char *name, guint size,
                                      const double *initial);
/* The same of an abstract value, whose type is that of @initial. */
WeirOutput weir_leaf_add_abstract_unit_output (WeirLeafBuilder *b, const char *name,
                                               GVariant *initial);

/* What a list of prerequisites names a port, parameter, group, cache entry or output of the leaf
 * by.
 */
WeirTicket weir_input_ticket (WeirLeafBuilder *b, WeirInput in);
WeirTicket weir_parameter_ticket (WeirLeafBuilder *b, WeirParameter parameter);
WeirTicket weir_group_ticket (WeirLeafBuilder *b, WeirGroup group);
WeirTicket weir_cached_ticket (WeirLeafBuilder *b, WeirCached entry);
WeirTicket weir_output_ticket (WeirLeafBuilder *b, WeirOutput out);

/* Ends the declaration. (transfer full) Frees @b. */
WeirSystem *weir_leaf_builder_build (WeirLeafBuilder *b);

WEIR_END_DECLS
