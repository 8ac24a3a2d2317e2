/* Structure: blocks that completion turns into nesting. A subsystem becomes a diagram; the In, Out
 * and Pin blocks inside it are its ports, called as they are. None of them is a leaf.
 */
#include "blocks/parts/part.h"
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

static const char *const pin_domains[] = {
  "any",      "electrical",         "rotational", "translational", "thermal", "hydraulic",
  "magnetic", WEIR_DOMAIN_DECLARED, NULL
};
static const char *const pin_sides[] = { "left", "right", "top", "bottom", NULL };

static const WeirParameterSpec pin_parameters[] = {
  {
      .name = "domain",
      .label = N_ ("Domain"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "any",
      .choices = pin_domains,
      .help = N_ (
          "What may be joined with the pin; any: what it is joined with; declared: a domain "
          "of your own."),
  },
  {
      .name = "declaration",
      .label = N_ ("Declaration"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "",
      .help = N_ (
          "The domain of your own, if the pin is of one, as the line of its parts says it, such as "
          "acoustic: p \"Pa\", q \"m^3/s\"."),
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
  WeirPinSpec pin = { "p", weir_arguments_get_domain (arguments), WEIR_SIDE_RIGHT };

  g_array_append_val (pins, pin);
}

static void
check_pin (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
           guint32 block, int line)
{
  if (weir_arguments_get_domain (arguments) == NULL
      && strcmp (weir_arguments_get_text (arguments, "domain"), WEIR_DOMAIN_DECLARED) == 0)
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_ERROR, "LIN08", path, block, 0, line,
        N_ ("The pin's domain is not declared: it is written 'acoustic: p \"Pa\", q \"m^3/s\"', "
            "its "
            "name, its potential and its flow, each with its unit; '%s' was found."),
        weir_arguments_get_text (arguments, "declaration"));
}

static const WeirBlockType pin_type = {
  .name = "Pin",
  .title = N_ ("Pin"),
  .category = CATEGORY,
  .summary = N_ ("Leads a physical line into a subsystem."),
  WEIR_PARAMETERS (pin_parameters),
  .list_pins = list_pin,
  .check = check_pin,
};

static const WeirBlockType subsystem_type = {
  .name = "Subsystem",
  .title = N_ ("Subsystem"),
  .category = CATEGORY,
  .summary = N_ ("Holds a diagram of its own."),
};

WEIR_FAMILY (structure, &in_type, &out_type, &pin_type, &subsystem_type);
