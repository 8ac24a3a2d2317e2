/* The provider of units. See unit-maker.h. */
#include "system/structure/unit-maker.h"

#include "base/error.h"

static WeirUnitMaker maker;

void
weir_unit_set_maker (WeirUnitMaker make)
{
  g_atomic_pointer_set (&maker, make);
}

WeirSystem *
weir_unit_make (WeirSystem *system, const WeirUnitRequest *request, GError **error)
{
  WeirUnitMaker make = g_atomic_pointer_get (&maker);

  if (make != NULL)
    return make (system, request, error);
  weir_error_set (error, WEIR_ERROR_INVALID,
                  "It is a unit of co-simulation, and the program has nothing that steps units.");
  return NULL;
}
