/* Structure: blocks that completion turns into nesting. A subsystem becomes a diagram; the In and
 * Out blocks inside it are its ports, called as they are. None of them is a leaf.
 */
#include "blocks/types/family-private.h"

#define CATEGORY N_ ("Structure")

static const WeirBlockType in_type = {
  .name = "In",
  .title = N_ ("Input Port"),
  .category = CATEGORY,
  .summary = N_ ("Brings a signal into a subsystem."),
  .list_outputs = weir_list_y,
};

static const WeirBlockType out_type = {
  .name = "Out",
  .title = N_ ("Output Port"),
  .category = CATEGORY,
  .summary = N_ ("Leads a signal out of a subsystem."),
  .list_inputs = weir_list_u,
};

static const WeirBlockType subsystem_type = {
  .name = "Subsystem",
  .title = N_ ("Subsystem"),
  .category = CATEGORY,
  .summary = N_ ("Holds a diagram of its own."),
};

WEIR_FAMILY (structure, &in_type, &out_type, &subsystem_type);
