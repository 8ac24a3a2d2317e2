/* Who makes a unit of a system: a provider, as simulating the inside of a unit is a matter of
 * layers above. Those that complete a model ask here.
 *
 * Thread: set at the start of the program; asking, *any*.
 */
#pragma once

#include "system/structure/unit.h"

G_BEGIN_DECLS

typedef struct {
  const char *solver; /* by name; NULL = automatic */
  double relative_tolerance, absolute_tolerance;
  double step, max_step;          /* s; 0 = chosen, no limit */
  guint n_steps;                  /* of the master, that one of the unit's is */
  int place;                      /* in the list of units */
  WeirUnitActivity activity;      /* how it begins */
  const WeirUnitInputUse *inputs; /* by input port; NULL: all are held */
  const char *const *ports; /* NULL-terminated paths of ports within: outputs of the unit besides,
                               called by these paths */
} WeirUnitRequest;

/* The unit's leaf: inputs, parameters and outputs of @system, its parameters by their paths. NULL
 * and @error, a sentence, if there can be none. (transfer full) */
typedef WeirSystem *(*WeirUnitMaker) (WeirSystem *system, const WeirUnitRequest *request,
                                      GError **error);

void weir_unit_set_maker (WeirUnitMaker make);
/* NULL and @error too if nobody makes units. */
WeirSystem *weir_unit_make (WeirSystem *system, const WeirUnitRequest *request, GError **error);

G_END_DECLS
