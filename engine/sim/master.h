/* Who steps the units of a model (system/structure/unit.h) while a simulator advances the rest.
 *
 * Communication instants are start + k H, by multiplication. The simulator steps exactly there. At
 * each the units' steps that end there end, before anything else happens: what they give changes
 * the context, so that all that sees the instant sees it, x-minus included, and a unit's output is
 * as new as a state of the model's own. After the updates of the instant the next steps begin.
 *
 * A simulator of a model with units makes its master itself, by the function that was set. So
 * whoever runs models runs those with units too.
 *
 * Thread: the simulator's *owner*, unless it says otherwise.
 */
#pragma once

#include "base/visibility.h"
#include "system/context/context.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

typedef struct _WeirSimulator WeirSimulator;
typedef struct _WeirSimulatorOptions WeirSimulatorOptions;
typedef struct _WeirMaster WeirMaster;

/* In which order units step, and which outputs they see. */
typedef enum {
  /* All at once: every unit sees the outputs of the last communication instant. */
  WEIR_STEP_SCHEDULING_FULL_PARALLEL,
  /* A unit that stands before another in the list and feeds it steps first, and the other sees the
   * new outputs; all else at once. */
  WEIR_STEP_SCHEDULING_CASCADING_PARALLEL,
  /* All at once, again and again from where the step began, until what they see is what the others
   * give. The rest of the model advances first. */
  WEIR_STEP_SCHEDULING_ITERATED,
} WeirStepSchedulingType;

/* "full", "cascading", "iterated"; NULL: there is no such type. Static. Thread: *any*. */
const char *weir_step_scheduling_type_get_name (WeirStepSchedulingType type);
gboolean weir_step_scheduling_type_find (const char *name, WeirStepSchedulingType *type);

/* What a unit has done since the run began. */
typedef struct {
  WeirNode node;
  guint64 n_steps;
  gint64 took; /* us; all of them, with those that were made again */
  /* Of the last one that has ended: */
  gint64 begin, end; /* monotonic, us */
  guint thread;      /* 0: the run's own */
  double t, t_end;   /* s */
} WeirUnitWork;

typedef struct {
  /* The run begins at @start (s); communication instants are @step (s) apart. Writes the outputs
   * that units have there. */
  gboolean (*initialize) (WeirMaster *self, double start, double step, GError **error);
  /* Instant @k: the next steps begin. @changed: (out) something was written into the context. */
  gboolean (*begin) (WeirMaster *self, gint64 k, gboolean *changed, GError **error);
  /* The rest has reached instant @k: what ends there ends, and its outputs are written. */
  gboolean (*end) (WeirMaster *self, gint64 k, gboolean *changed, GError **error);
  /* After initialize () or end (): who asks for the end of the run; NULL: nobody. (transfer none)
   */
  const char *(*get_ending) (WeirMaster *self);
  /* Everything that begin (), end () and the units know; the context is saved beside it. Waits for
   * steps under way. (transfer full; floating) */
  GVariant *(*save) (WeirMaster *self, GError **error);
  /* Can load () read it, by its version? Asked before anything is changed. */
  gboolean (*can_load) (WeirMaster *self, GVariant *saved, GError **error);
  /* Puts it back, in place of initialize (); the context is loaded already. */
  gboolean (*load) (WeirMaster *self, double start, double step, GVariant *saved, GError **error);
  /* weir_simulator_set_cancel() */
  void (*set_cancel) (WeirMaster *self, const gint *cancel);
  /* Of each unit. (transfer none) */
  const WeirUnitWork *(*get_work) (WeirMaster *self, guint *n);
  void (*free) (WeirMaster *self);
} WeirMasterClass;

struct _WeirMaster {
  const WeirMasterClass *master_class;
};

/* @root has units; it and @context outlive the master. NULL and @error if they cannot be stepped.
 */
typedef WeirMaster *(*WeirMasterFunc) (WeirSystem *root, WeirContext *context,
                                       const WeirSimulatorOptions *options, GError **error);

/* Set at the start of the program, before there is a simulator. */
void weir_master_set_maker (WeirMasterFunc make);
WeirMasterFunc weir_master_get_maker (void);

void weir_master_free (WeirMaster *self);

WEIR_END_DECLS
