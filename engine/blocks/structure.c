/* Structure: blocks that completion turns into nesting. A subsystem becomes a diagram; the In and
 * Out blocks inside it are its ports, called as they are. None of them is a leaf.
 */
#include "blocks/blocks-private.h"

#define CATEGORY N_ ("Structure")

const WeirBlockType weir_block_in = {
  .name = "In",
  .title = N_ ("Input Port"),
  .category = CATEGORY,
  .summary = N_ ("Brings a signal into a subsystem."),
  .list_outputs = weir_list_y,
};

const WeirBlockType weir_block_out = {
  .name = "Out",
  .title = N_ ("Output Port"),
  .category = CATEGORY,
  .summary = N_ ("Leads a signal out of a subsystem."),
  .list_inputs = weir_list_u,
};

const WeirBlockType weir_block_subsystem = {
  .name = "Subsystem",
  .title = N_ ("Subsystem"),
  .category = CATEGORY,
  .summary = N_ ("Holds a diagram of its own."),
};
