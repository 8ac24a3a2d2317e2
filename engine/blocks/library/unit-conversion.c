/* UnitConversion: a signal in one unit, the same in another. */
#include "blocks/types/family.h"

#include "base/error.h"
#include "equations/expressions/unit.h"

static const WeirParameterSpec parameters[] = {
  {
      .name = "from",
      .label = N_ ("From"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "deg",
      WEIR_ANY,
      .help = N_ ("The unit of the input, such as km/h."),
  },
  {
      .name = "to",
      .label = N_ ("To"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "rad",
      WEIR_ANY,
      .help = N_ ("The unit of the output, such as m/s."),
  },
};

/* y = factor u + offset. */
WEIR_KERNEL_3 (convert, u, factor, offset, factor *u + offset)

static void
list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "u", 0, weir_arguments_get_text (arguments, "from"));
}

static void
list_outputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "y", 0, weir_arguments_get_text (arguments, "to"));
}

static WeirSystem *
build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const char *text_from = weir_arguments_get_text (arguments, "from");
  const char *text_to = weir_arguments_get_text (arguments, "to");
  WeirUnit from, to;
  double by, shift;
  WeirLeafBuilder *b;
  WeirTicket u, factor, offset;

  if (!weir_unit_parse (text_from, &from, error) || !weir_unit_parse (text_to, &to, error))
    return NULL;
  if (!weir_unit_convert (&from, &to, &by, &shift))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "%s and %s measure different things; nothing converts one to the other.",
                      text_from, text_to);
      return NULL;
    }
  b = weir_leaf_builder_new ("UnitConversion");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  factor = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "factor", &by, 1));
  offset = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "offset", &shift, 1));
  weir_leaf_add_output_kernel (b, "y", sizes[0], convert, 0, WEIR_DEPENDS (u, factor, offset));
  return weir_leaf_builder_build (b);
}

static const WeirBlockType unit_conversion_type = {
  .name = "UnitConversion",
  .title = N_ ("Unit Conversion"),
  .category = N_ ("Mathematics"),
  .summary = N_ ("Converts a signal from one physical unit to another."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = list_inputs,
  .list_outputs = list_outputs,
  .build = build,
};

WEIR_FAMILY (unit_conversion, &unit_conversion_type);
