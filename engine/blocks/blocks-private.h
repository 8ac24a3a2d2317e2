/* What the files of the library share: the tables of all block types and a few shorthands for
 * writing them.
 *
 * Each family of blocks is a file of leaf systems, each followed by its table; registry.c lists the
 * tables in the order of the palette.
 */
#pragma once

#include "base/text.h"
#include "blocks/registry.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

#include <float.h>
#include <math.h>

G_BEGIN_DECLS

/* Limits of a parameter. */
#define WEIR_ANY .minimum = -INFINITY, .maximum = INFINITY
#define WEIR_AT_LEAST(low) .minimum = (low), .maximum = INFINITY
#define WEIR_MORE_THAN(low) .minimum = (low), .maximum = INFINITY, .exclusive_minimum = TRUE
#define WEIR_FROM_TO(low, high) .minimum = (low), .maximum = (high)

/* The table of parameters, with its length. */
#define WEIR_PARAMETERS(table) .parameters = (table), .n_parameters = G_N_ELEMENTS (table)

/* A number that can change while running. */
#define WEIR_TUNABLE_NUMBER(name_, label_, default_, help_, ...)                                   \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_NUMBER, .default_text = default_,           \
    .help = help_, .tunable = name_, __VA_ARGS__                                                   \
  }

/* When a discrete block is updated. */
#define WEIR_PERIOD(default_)                                                                      \
  {                                                                                                \
    .name = "period", .label = N_ ("Period"), .kind = WEIR_VALUE_NUMBER, .default_text = default_, \
    WEIR_MORE_THAN (0), .unit = "s", .help = N_ ("The time from one update to the next."),         \
  }

#define WEIR_OFFSET                                                                                \
  {                                                                                                \
    .name = "offset", .label = N_ ("Offset"), .kind = WEIR_VALUE_NUMBER, .default_text = "0",      \
    WEIR_AT_LEAST (0), .unit = "s", .help = N_ ("The time of the first update."),                  \
  }

/* What the state is at the start, a number or one for each element. */
#define WEIR_INITIAL(help_)                                                                        \
  {                                                                                                \
    .name = "initial", .is_initial = TRUE, .label = N_ ("Initial value"),                          \
    .kind = WEIR_VALUE_VECTOR, .default_text = "0", WEIR_ANY, .help = help_,                       \
  }

/* Ports named "u" and "y", of the size of what is connected; then of size 1. */
void weir_list_u (const WeirArguments *arguments, GArray *ports);
void weir_list_y (const WeirArguments *arguments, GArray *ports);
void weir_list_scalar_u (const WeirArguments *arguments, GArray *ports);
void weir_list_scalar_y (const WeirArguments *arguments, GArray *ports);
void weir_list_port (GArray *ports, const char *name, guint size);
void weir_list_port_in (GArray *ports, const char *name, guint size, const char *unit);
/* in1, in2, ... */
void weir_list_numbered (GArray *ports, const char *stem, guint n);
/* The name of the i-th of them, from 0; lives as long as the program. */
const char *weir_numbered_name (const char *stem, guint i);

/* The largest size; 0 while none is known. A size of 1 is only final when all are known, since a
 * scalar spreads over the elements of a vector. */
guint weir_widest (const guint *sizes, guint n, guint also);

/* The size of the first input together with that of a vector parameter. */
guint weir_size_with (const WeirArguments *arguments, const char *parameter, const guint *sizes);
/* The size of the output where the parameter "initial" fits the input, so that the state and every
 * update have one size: a WeirBlockType's get_output_size(). */
guint weir_size_with_initial (const WeirArguments *arguments, const guint *sizes, guint out);

/* Checks that @size is 1 or @common. @what: "input in2", "the gain". */
gboolean weir_check_size (const char *what, guint size, guint common, GError **error);

/* The value of a vector parameter with @size elements: as given, or one value repeated. (transfer
 * full) NULL and @error if it has another size. */
double *weir_arguments_dup_vector_of_size (const WeirArguments *arguments, const char *parameter,
                                           guint size, GError **error);

/* Declares a tunable parameter of the leaf with the block parameter's value. */
WeirParameter weir_leaf_add_tunable (WeirLeafBuilder *b, const WeirArguments *arguments,
                                     const char *parameter);

/* At offset + n period, by the parameters of these names. */
WeirTrigger weir_every_period (const WeirArguments *arguments);

/* For a lazy output that is one of the inputs: demands @in alone and copies it to @y, a scalar to
 * each of its @size elements. */
WeirStatus weir_calc_pass (const WeirCalc *c, WeirInput in, guint size, double *y);

extern const WeirBlockType weir_block_chirp, weir_block_clock, weir_block_constant,
    weir_block_pulse, weir_block_ramp, weir_block_sawtooth, weir_block_sine, weir_block_step,
    weir_block_triangle;
extern const WeirBlockType weir_block_gaussian_random, weir_block_uniform_random;
extern const WeirBlockType weir_block_from_file, weir_block_lookup_table, weir_block_time_table;
extern const WeirBlockType weir_block_abs, weir_block_gain, weir_block_product,
    weir_block_saturation, weir_block_sum;
extern const WeirBlockType weir_block_atan2, weir_block_function, weir_block_logic,
    weir_block_min_max, weir_block_power;
extern const WeirBlockType weir_block_dead_zone, weir_block_rate_limiter;
extern const WeirBlockType weir_block_integrator, weir_block_pendulum;
extern const WeirBlockType weir_block_lag, weir_block_second_order_lag, weir_block_state_space,
    weir_block_transfer_function;
extern const WeirBlockType weir_block_transport_delay, weir_block_variable_delay;
extern const WeirBlockType weir_block_zero_pole_gain, weir_block_discrete_zero_pole_gain;
extern const WeirBlockType weir_block_filter, weir_block_discrete_filter;
extern const WeirBlockType weir_block_fir, weir_block_tapped_delay;
extern const WeirBlockType weir_block_adc, weir_block_dac, weir_block_first_order_hold,
    weir_block_memory;
extern const WeirBlockType weir_block_backlash;
extern const WeirBlockType weir_block_lookup_table_2d;
extern const WeirBlockType weir_block_modulo, weir_block_quantizer;
extern const WeirBlockType weir_block_multiport_switch;
extern const WeirBlockType weir_block_prbs;
extern const WeirBlockType weir_block_spectrum;
extern const WeirBlockType weir_block_pid, weir_block_discrete_pid;
extern const WeirBlockType weir_block_bouncing_ball, weir_block_limited_integrator;
extern const WeirBlockType weir_block_relation, weir_block_relay, weir_block_sign;
extern const WeirBlockType weir_block_assertion;
extern const WeirBlockType weir_block_guess;
extern const WeirBlockType weir_block_edge_detector, weir_block_hit_crossing, weir_block_stop;
extern const WeirBlockType weir_block_unit_conversion;
extern const WeirBlockType weir_block_equations;
extern const WeirBlockType weir_block_dc_motor, weir_block_derivative, weir_block_double_integrator,
    weir_block_expression, weir_block_friction, weir_block_lead_lag, weir_block_lorenz,
    weir_block_pid2, weir_block_predator_prey, weir_block_robertson, weir_block_room,
    weir_block_van_der_pol;
extern const WeirBlockType weir_block_counter, weir_block_discrete_integrator,
    weir_block_discrete_state_space, weir_block_discrete_transfer_function, weir_block_unit_delay,
    weir_block_zero_order_hold;
extern const WeirBlockType weir_block_demux, weir_block_mux, weir_block_selector, weir_block_switch;
extern const WeirBlockType weir_block_display, weir_block_scope, weir_block_terminator;
extern const WeirBlockType weir_block_bias, weir_block_cross_product, weir_block_dot_product,
    weir_block_elements, weir_block_matrix_gain, weir_block_polynomial;
extern const WeirBlockType weir_block_delay, weir_block_digital_clock,
    weir_block_discrete_derivative, weir_block_flip_flop, weir_block_sample_and_hold;
extern const WeirBlockType weir_block_slider, weir_block_xy_scope;
extern const WeirBlockType weir_block_cache_probe, weir_block_cautious_gain, weir_block_fan_out,
    weir_block_forgetful_sum, weir_block_hidden_memory, weir_block_slow;
extern const WeirBlockType weir_block_in, weir_block_out, weir_block_subsystem;

G_END_DECLS
