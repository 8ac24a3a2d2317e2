/* The registry: every block type in the order of the palette, and what their tables share. */
#include "blocks/blocks-private.h"

#include <string.h>

static const WeirBlockType *const types[] = {
  /* Sources */
  &weir_block_chirp,
  &weir_block_clock,
  &weir_block_constant,
  &weir_block_digital_clock,
  &weir_block_from_file,
  &weir_block_gaussian_random,
  &weir_block_prbs,
  &weir_block_pulse,
  &weir_block_ramp,
  &weir_block_sawtooth,
  &weir_block_sine,
  &weir_block_slider,
  &weir_block_step,
  &weir_block_time_table,
  &weir_block_triangle,
  &weir_block_uniform_random,
  /* Mathematics */
  &weir_block_abs,
  &weir_block_atan2,
  &weir_block_backlash,
  &weir_block_bias,
  &weir_block_relation,
  &weir_block_cross_product,
  &weir_block_dead_zone,
  &weir_block_dot_product,
  &weir_block_expression,
  &weir_block_friction,
  &weir_block_function,
  &weir_block_gain,
  &weir_block_guess,
  &weir_block_matrix_gain,
  &weir_block_min_max,
  &weir_block_modulo,
  &weir_block_polynomial,
  &weir_block_power,
  &weir_block_product,
  &weir_block_quantizer,
  &weir_block_rate_limiter,
  &weir_block_relay,
  &weir_block_saturation,
  &weir_block_sign,
  &weir_block_sum,
  &weir_block_elements,
  &weir_block_unit_conversion,
  /* Logic */
  &weir_block_assertion,
  &weir_block_edge_detector,
  &weir_block_flip_flop,
  &weir_block_hit_crossing,
  &weir_block_logic,
  /* Tables */
  &weir_block_lookup_table,
  &weir_block_lookup_table_2d,
  /* Continuous */
  &weir_block_integrator,
  &weir_block_derivative,
  &weir_block_double_integrator,
  &weir_block_filter,
  &weir_block_lag,
  &weir_block_limited_integrator,
  &weir_block_lead_lag,
  &weir_block_pid,
  &weir_block_pid2,
  &weir_block_second_order_lag,
  &weir_block_state_space,
  &weir_block_transfer_function,
  &weir_block_transport_delay,
  &weir_block_variable_delay,
  &weir_block_zero_pole_gain,
  /* Models */
  &weir_block_bouncing_ball,
  &weir_block_dc_motor,
  &weir_block_room,
  &weir_block_lorenz,
  &weir_block_pendulum,
  &weir_block_predator_prey,
  &weir_block_robertson,
  &weir_block_van_der_pol,
  /* Equations */
  &weir_block_equations,
  /* Discrete */
  &weir_block_adc,
  &weir_block_counter,
  &weir_block_dac,
  &weir_block_delay,
  &weir_block_discrete_derivative,
  &weir_block_discrete_filter,
  &weir_block_discrete_integrator,
  &weir_block_discrete_pid,
  &weir_block_discrete_state_space,
  &weir_block_discrete_transfer_function,
  &weir_block_discrete_zero_pole_gain,
  &weir_block_fir,
  &weir_block_first_order_hold,
  &weir_block_memory,
  &weir_block_sample_and_hold,
  &weir_block_spectrum,
  &weir_block_tapped_delay,
  &weir_block_unit_delay,
  &weir_block_zero_order_hold,
  /* Routing */
  &weir_block_demux,
  &weir_block_mux,
  &weir_block_multiport_switch,
  &weir_block_selector,
  &weir_block_switch,
  /* Sinks */
  &weir_block_display,
  &weir_block_scope,
  &weir_block_stop,
  &weir_block_terminator,
  &weir_block_xy_scope,
  /* Cache lab */
  &weir_block_cache_probe,
  &weir_block_cautious_gain,
  &weir_block_fan_out,
  &weir_block_forgetful_sum,
  &weir_block_hidden_memory,
  &weir_block_slow,
  /* Structure */
  &weir_block_in,
  &weir_block_out,
  &weir_block_subsystem,
};

guint
weir_registry_get_n_types (void)
{
  return G_N_ELEMENTS (types);
}

const WeirBlockType *
weir_registry_get_type (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (types), NULL);

  return types[i];
}

const WeirBlockType *
weir_registry_find (const char *name)
{
  static GHashTable *by_name;

  if (g_once_init_enter (&by_name))
    {
      GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < G_N_ELEMENTS (types); i++)
        g_hash_table_insert (table, (gpointer) types[i]->name, (gpointer) types[i]);
      g_once_init_leave (&by_name, table);
    }
  return g_hash_table_lookup (by_name, name);
}

const WeirParameterSpec *
weir_block_type_find_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    if (strcmp (type->parameters[i].name, name) == 0)
      return &type->parameters[i];
  return NULL;
}

/* --- Ports ----------------------------------------------------------------------------------- */

void
weir_list_port (GArray *ports, const char *name, guint size)
{
  weir_list_port_in (ports, name, size, NULL);
}

void
weir_list_port_in (GArray *ports, const char *name, guint size, const char *unit)
{
  WeirPortSpec port = { name, size, unit };

  g_array_append_val (ports, port);
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

gboolean
weir_check_size (const char *what, guint size, guint common, GError **error)
{
  g_autofree char *wanted = g_strdup_printf (common == 1 ? "%u" : "1 or %u", common);

  if (size == 1 || size == common)
    return TRUE;
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH, "%s has size %u, but size %s is needed.",
               what, size, wanted);
  return FALSE;
}

WeirTrigger
weir_every_period (const WeirArguments *arguments)
{
  return weir_every (weir_arguments_get_number (arguments, "period"),
                     weir_arguments_get_number (arguments, "offset"));
}

WeirParameter
weir_leaf_add_tunable (WeirLeafBuilder *b, const WeirArguments *arguments, const char *parameter)
{
  guint size;
  const double *value = weir_arguments_get_vector (arguments, parameter, &size);

  return weir_leaf_add_parameter (b, parameter, value, size);
}
