/* Structure: blocks that completion turns into nesting. A subsystem becomes a diagram; the In, Out
 * and Pin blocks inside it are its ports, called as they are. None of them is a leaf.
 */
#include "blocks/types/family.h"

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

static const char *const pin_domains[] = { "any",     "electrical", "rotational", "translational",
                                           "thermal", "hydraulic",  "magnetic",   NULL };
static const char *const pin_sides[] = { "left", "right", "top", "bottom", NULL };

static const WeirParameterSpec pin_parameters[] = {
  {
      .name = "domain",
      .label = N_ ("Domain"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "any",
      .choices = pin_domains,
      .help = N_ ("What may be joined with the pin; any: what it is joined with."),
  },
  {
      .name = "side",
      .label = N_ ("Side"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "left",
      .choices = pin_sides,
      .help = N_ ("Where the subsystem has the pin."),
  },
};

static void
list_pin (const WeirArguments *arguments, GArray *pins)
{
  WeirPinSpec pin = { "p", weir_domain_find (weir_arguments_get_text (arguments, "domain")),
                      WEIR_SIDE_RIGHT };

  g_array_append_val (pins, pin);
}

static const WeirBlockType pin_type = {
  .name = "Pin",
  .title = N_ ("Pin"),
  .category = CATEGORY,
  .summary = N_ ("Leads a physical line into a subsystem."),
  WEIR_PARAMETERS (pin_parameters),
  .list_pins = list_pin,
};

static const WeirBlockType subsystem_type = {
  .name = "Subsystem",
  .title = N_ ("Subsystem"),
  .category = CATEGORY,
  .summary = N_ ("Holds a diagram of its own."),
};

WEIR_FAMILY (structure, &in_type, &out_type, &pin_type, &subsystem_type);
