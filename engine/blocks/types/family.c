/* What families of blocks share: parameters by name, ports, sizes. See family.h. */
#include "blocks/types/family.h"

#include <string.h>

/* --- Ports ----------------------------------------------------------------------------------- */

void
weir_list_port (GArray *ports, const char *name, guint size)
{
  weir_list_port_in (ports, name, size, NULL);
}

void
weir_list_port_in (GArray *ports, const char *name, guint size, const char *unit)
{
  WeirPortSpec port = { .name = name, .size = size, .unit = unit };

  g_array_append_val (ports, port);
}

double
weir_cell_witness (double x, double low, double high, gboolean is_inside, double phase)
{
  double room = MIN (x - low, high - x), sign = phase < 0 ? -1 : 1;

  if (isnan (room))
    return room;
  if (is_inside)
    return sign * (isinf (room) ? 1 : MAX (room, DBL_MIN));
  return sign * MIN (room, -DBL_MIN);
}

gboolean
weir_cell_enter (double cell, double *state, double *phase)
{
  if (*phase != 0 && *state == cell)
    return FALSE;
  *state = cell;
  *phase = *phase > 0 ? -1 : 1;
  return TRUE;
}

void
weir_list_u (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 0);
}

void
weir_list_y (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 0);
}

void
weir_list_scalar_u (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 1);
}

void
weir_list_scalar_y (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 1);
}

const char *
weir_numbered_name (const char *stem, guint i)
{
  g_autofree char *name = g_strdup_printf ("%s%u", stem, i + 1);

  return g_intern_string (name);
}

void
weir_list_numbered (GArray *ports, const char *stem, guint n)
{
  for (guint i = 0; i < n; i++)
    weir_list_port (ports, weir_numbered_name (stem, i), 0);
}

/* --- Sizes and parameters -------------------------------------------------------------------- */

guint
weir_widest (const guint *sizes, guint n, guint also)
{
  guint widest = also;
  gboolean is_complete = TRUE;

  for (guint i = 0; i < n; i++)
    {
      widest = MAX (widest, sizes[i]);
      is_complete = is_complete && sizes[i] > 0;
    }
  return widest > 1 || is_complete ? widest : 0;
}

guint
weir_size_with (const WeirArguments *arguments, const char *parameter, const guint *sizes)
{
  guint size;

  weir_arguments_get_vector (arguments, parameter, &size);
  return weir_widest (sizes, 1, size);
}

guint
weir_size_with_initial (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  return weir_size_with (arguments, "initial", sizes);
}

WeirTrigger
weir_every_period (const WeirArguments *arguments)
{
  return weir_every (weir_arguments_get_number (arguments, "period"),
                     weir_arguments_get_number (arguments, "offset"));
}

gboolean
weir_arguments_is_sampled (const WeirArguments *arguments)
{
  return weir_block_type_find_parameter (weir_arguments_get_type (arguments), "period") != NULL;
}

WeirParameter
weir_leaf_add_tunable (WeirLeafBuilder *b, const WeirArguments *arguments, const char *parameter)
{
  guint size;
  const double *value = weir_arguments_get_vector (arguments, parameter, &size);

  return weir_leaf_add_parameter (b, parameter, value, size);
}
