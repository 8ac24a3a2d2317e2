/* A unit of co-simulation: a part of a model that makes its own steps through time.
 *
 * In a diagram a unit is a leaf like any other: its inputs are inputs, its outputs are windows on
 * one discrete group each, which change when a step of the unit has ended. How the step is made is
 * no calculation of the diagram's: an instance of the unit makes it, which knows nothing of the
 * diagram and its context, so that it may do so on another thread while others make theirs. Who
 * schedules the steps is a master (sim/master.h).
 *
 * u and y are the values at all inputs, and at all outputs, one after the other. Abstract values
 * (leaf.h) are not among them: they are handed over beside, in the order of their ports.
 *
 * Thread: a class and what it is given are *immutable*; an instance belongs to one thread at a
 * time.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/types.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_UNIT_RESTORES = 1 << 0,      /* save and restore bring all of its state back */
  WEIR_UNIT_REPEATS_BITS = 1 << 1,  /* and what follows is then the same to the bit */
  WEIR_UNIT_VARIABLE_STEP = 1 << 2, /* steps may differ in length */
  WEIR_UNIT_RETURNS_EARLY = 1 << 3, /* a step may end where something happens in it */
  WEIR_UNIT_ANY_THREAD = 1 << 4,    /* else only the thread that made the instance calls it */
  WEIR_UNIT_STOPS = 1 << 5,         /* a step ends soon after it is cancelled */
} WeirUnitAbility;

/* Whether a unit takes part in a run. */
typedef enum {
  WEIR_UNIT_ON,
  WEIR_UNIT_IGNORED, /* it makes its steps, and the others see the outputs that it had */
  WEIR_UNIT_OFF,     /* it makes none, and begins anew, where it is by then, when it comes back */
} WeirUnitActivity;

/* The parameter that each unit's leaf has for that; where a step begins, it counts. */
#define WEIR_UNIT_ACTIVITY "unit activity"

/* What is made of an input between two instants. */
typedef struct {
  guint order;         /* 0: held; 1, 2: on the line, the parabola, through the last values */
  gboolean is_delayed; /* always what it was at the last instant, whatever the schedule */
} WeirUnitInputUse;

#define WEIR_UNIT_MAX_ORDER 2

/* Every function that can fail returns FALSE (NULL) and sets @error to a sentence without the
 * unit's name. */
typedef struct {
  const char *name; /* of the kind of unit, for people */
  guint abilities;  /* WeirUnitAbility */
  /* Does output @out at the start of a run depend on input @in there? They count the values of u
   * and y, then the abstract ones. NULL: none does. Later on only steps change outputs. */
  gboolean (*starts_with) (gpointer data, guint in, guint out);
  /* An instance, at rest. @data: the unit's, which outlives it. */
  gpointer (*make) (gpointer data, GError **error);
  /* Begins at time @t (s) with inputs @u; gives the outputs there. Also of an instance that has run
   * before. */
  gboolean (*initialize) (gpointer instance, double t, const double *u, double *y, GError **error);
  /* From @t to @end (s), with inputs @u held; gives the outputs there. @reached: holds @end; where
   * it stopped, if it returns early. */
  gboolean (*step) (gpointer instance, double t, double end, const double *u, double *y,
                    double *reached, GError **error);
  /* Its whole state between two steps, and that put back, into this instance or another. (transfer
   * full) */
  GBytes *(*save) (gpointer instance, GError **error);
  gboolean (*restore) (gpointer instance, GBytes *bytes, GError **error);
  /* Sets what it calls @path to @n values; between steps. NULL: it has no parameters. */
  gboolean (*set_parameter) (gpointer instance, const char *path, const double *values, guint n,
                             GError **error);
  /* Computes with its caches, or without; the same bits. NULL: it has none. */
  void (*set_caching) (gpointer instance, gboolean enabled);
  /* When it becomes non-zero (atomically, from any thread) the step under way ends as soon as it
   * can, with G_IO_ERROR_CANCELLED. NULL: it cannot. */
  void (*set_cancel) (gpointer instance, const gint *cancel);
  /* How input port @in is to be fed. NULL: all are held. */
  WeirUnitInputUse (*describe_input) (gpointer data, guint in);
  /* In the next step inputs are u + s1 (t - begin) + s2 (t - begin)^2, with @slopes the n_u values
   * of s1, then those of s2, which are 0 where the order is less. NULL: it only holds them,
   * whatever is described. */
  void (*set_slopes) (gpointer instance, const double *slopes);
  /* After a step, or the beginning: it asks for the end of the run. NULL: it never does. */
  gboolean (*has_ended) (gpointer instance);
  void (*free) (gpointer instance);
  /* Abstract values at its inputs from the next step, or beginning, on, none of them NULL; and what
   * the last one gave, each (transfer full). NULL: it has no ports of such values. */
  void (*set_abstract_inputs) (gpointer instance, GVariant *const *values);
  void (*get_abstract_outputs) (gpointer instance, GVariant **values);
  gpointer reserved[3]; /* NULL: what is to come */
} WeirUnitClass;

/* What a unit's leaf was made with. */
typedef struct {
  const WeirUnitClass *unit_class;
  gpointer data;
} WeirUnitKind;

/* NULL: the system is no unit. */
const WeirUnitKind *weir_system_get_unit (const WeirSystem *self);

WEIR_END_DECLS
