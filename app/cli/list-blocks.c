/* `weir blocks`: the library of block types. */
#include "cli/cli-private.h"

#include "blocks/library/registry.h"
#include "generate/generate.h"

#include <math.h>

static void
print_type (const WeirBlockType *type)
{
  g_print ("%-14s  %-11s  %s\n", type->name, type->category, type->summary);
}

static void
print_ports (const char *what, GArray *ports)
{
  if (ports->len == 0)
    return;
  g_print ("\n%s:\n", what);
  for (guint i = 0; i < ports->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (ports, WeirPortSpec, i);

      if (port->size == 0)
        g_print ("  %s\n", port->name);
      else
        g_print ("  %s (size %u)\n", port->name, port->size);
    }
}

/* ", at least 0 s" and so on. */
static void
print_limits (const WeirParameterSpec *spec)
{
  g_autofree char *low = weir_value_to_string (&spec->minimum, 1);
  g_autofree char *high = weir_value_to_string (&spec->maximum, 1);

  if (spec->kind == WEIR_VALUE_CHOICE)
    {
      g_autofree char *choices = g_strjoinv (" ", (char **) spec->choices);

      g_print (", one of %s", choices);
    }
  else if (spec->kind == WEIR_VALUE_TEXT)
    {
      if (spec->characters != NULL)
        g_print (", of the characters %s", spec->characters);
    }
  else
    {
      if (isfinite (spec->minimum))
        g_print (", %s %s", spec->exclusive_minimum ? "greater than" : "at least", low);
      if (isfinite (spec->maximum))
        g_print (", at most %s", high);
    }
}

static void
print_parameters (const WeirBlockType *type)
{
  if (type->n_parameters == 0)
    return;
  g_print ("\nParameters:\n");
  for (guint i = 0; i < type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &type->parameters[i];

      g_print ("  %s = %s%s%s", spec->name, spec->default_text, spec->unit != NULL ? " " : "",
               spec->unit != NULL ? spec->unit : "");
      print_limits (spec);
      if (spec->tunable != NULL)
        g_print (", can change while running");
      g_print ("\n      %s\n", spec->help);
    }
}

static WeirExit
describe (const char *name)
{
  const WeirBlockType *type = weir_registry_find (name);
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (GArray) inputs = NULL;
  g_autoptr (GArray) outputs = NULL;

  if (type == NULL)
    {
      weir_cli_complain ("there is no block type \"%s\"; weir blocks lists all", name);
      return WEIR_EXIT_USAGE;
    }
  arguments = weir_arguments_new (type, NULL, NULL, NULL);
  inputs = weir_arguments_list_inputs (arguments);
  outputs = weir_arguments_list_outputs (arguments);
  print_type (type);
  if (weir_block_type_get_advice (type) != NULL)
    g_print ("\n%s (weir help semantics)\n", weir_block_type_get_advice (type));
  print_parameters (type);
  print_ports ("Inputs", inputs);
  print_ports ("Outputs", outputs);
  if (weir_generate_find_obstacle (type->name) != NULL)
    g_print ("\nNot as C or in an FMU: %s.\n", weir_generate_find_obstacle (type->name));
  return WEIR_EXIT_OK;
}

WeirExit
weir_cli_blocks (int argc, char **argv)
{
  if (!weir_cli_parse (&argc, &argv, "[NAME]",
                       "Lists the block types, one a line, or the parameters and ports of one as "
                       "they are by default.",
                       NULL, 0, 1))
    return WEIR_EXIT_USAGE;
  if (argc == 2)
    return describe (argv[1]);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    print_type (weir_registry_get_type (i));
  return WEIR_EXIT_OK;
}
