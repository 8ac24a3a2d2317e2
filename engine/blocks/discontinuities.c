/* Discontinuities: what real devices do to a signal. Dead zone, quantizer, rate limiter. Their
 * kinks and jumps are witnesses, so that a solver's step ends there.
 */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 };

/* --- Dead zone: y = 0 between start and end, and the distance from it outside ---------------- */

static const WeirParameter START = { 0 }, END = { 1 };

/* Not a number stays not a number. */
WEIR_KERNEL_3 (dead_zone, u, start, end,
               u > end     ? u - end
               : u < start ? u - start
               : u == u    ? 0.0
                           : u)

/* First the start for all elements, then the end. */
static WeirStatus
dead_zone_kinks (const WeirCalc *c, double *w)
{
  guint n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < n; i++)
    {
      w[i] = u[i] - weir_calc_parameter (c, START)[0];
      w[n + i] = u[i] - weir_calc_parameter (c, END)[0];
    }
  return WEIR_OK;
}

static const WeirParameterSpec dead_zone_parameters[] = {
  WEIR_TUNABLE_NUMBER ("start", N_ ("Start"), "-1", N_ ("Where the zone begins."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("end", N_ ("End"), "1", N_ ("Where the zone ends."), WEIR_ANY),
};

static WeirSystem *
dead_zone_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double from = weir_arguments_get_number (arguments, "start");
  double to = weir_arguments_get_number (arguments, "end");
  WeirTicket u, start, end;
  WeirLeafBuilder *b;
  WeirCached kinks;

  if (from > to)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "The start %g is above the end %g.", from,
                   to);
      return NULL;
    }
  b = weir_leaf_builder_new ("DeadZone");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  start = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "start"));
  end = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "end"));
  weir_leaf_add_output_kernel (b, "y", sizes[0], dead_zone, 0, WEIR_DEPENDS (u, start, end));
  kinks = weir_leaf_add_cache_entry (b, "kinks", 2 * sizes[0], dead_zone_kinks,
                                     WEIR_DEPENDS (u, start, end));
  weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_dead_zone = {
  .name = "DeadZone",
  .title = N_ ("Dead Zone"),
  .category = CATEGORY,
  .summary = N_ ("Gives 0 within a zone and the distance from it outside."),
  WEIR_PARAMETERS (dead_zone_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = dead_zone_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Quantizer: y = interval round (u / interval) -------------------------------------------- */

static const WeirGroup LEVELS = { 0 };

typedef struct {
  double interval;
  guint32 size;
} Quantizer;

/* Halves are rounded up, so that each level begins where the witness below is zero. */
static double
get_level (double u, double interval)
{
  return floor (u / interval + 0.5);
}

/* In a run the levels are state, one for each element, which holds between the jumps; the state's
 * last number tells that this is a run. */
static WeirStatus
quantizer_y (const WeirCalc *c, double *y)
{
  const Quantizer *quantizer = weir_calc_data (c);
  const double *levels = weir_calc_discrete (c, LEVELS), *u = weir_calc_input (c, U);
  gboolean is_run = levels[quantizer->size] != 0;

  for (guint i = 0; i < quantizer->size; i++)
    y[i] = quantizer->interval * (is_run ? levels[i] : get_level (u[i], quantizer->interval));
  return WEIR_OK;
}

/* Passes zero, up and down in turn, at every jump. */
static WeirStatus
quantizer_jumps (const WeirCalc *c, double *w)
{
  const Quantizer *quantizer = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < quantizer->size; i++)
    {
      double x = u[i] / quantizer->interval + 0.5, nearest = floor (x + 0.5);

      w[i] = fmod (nearest, 2) == 0 ? x - nearest : nearest - x;
    }
  return WEIR_OK;
}

static WeirStatus
quantizer_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const Quantizer *quantizer = weir_calc_data (c);
  const double *levels = weir_calc_discrete (c, LEVELS), *u = weir_calc_input (c, U);
  gboolean is_same = levels[quantizer->size] != 0;

  for (guint i = 0; i < quantizer->size; i++)
    {
      next[i] = get_level (u[i], quantizer->interval);
      is_same = is_same && next[i] == levels[i];
    }
  next[quantizer->size] = 1;
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static const WeirParameterSpec quantizer_parameters[] = {
  {
      .name = "interval",
      .label = N_ ("Interval"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0.5",
      WEIR_MORE_THAN (0),
      .help = N_ ("The distance between two levels of the output."),
  },
};

static WeirSystem *
quantizer_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  Quantizer quantizer = { weir_arguments_get_number (arguments, "interval"), sizes[0] };
  g_autofree double *initial = g_new0 (double, sizes[0] + 1);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Quantizer");
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  WeirGroup levels = weir_leaf_add_discrete_state (b, "levels", initial, sizes[0] + 1);
  WeirCached jumps;

  weir_leaf_set_data (b, &quantizer, sizeof quantizer);
  weir_leaf_add_output (b, "y", sizes[0], quantizer_y,
                        WEIR_DEPENDS (u, weir_group_ticket (b, levels)));
  jumps = weir_leaf_add_cache_entry (b, "jumps", sizes[0], quantizer_jumps, WEIR_DEPENDS (u));
  weir_leaf_add_update (b, weir_on_initialization (), levels, quantizer_change);
  weir_leaf_add_update (b, weir_on_change_of_sign (jumps, WEIR_CROSSES), levels, quantizer_change);
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_quantizer = {
  .name = "Quantizer",
  .title = N_ ("Quantizer"),
  .category = CATEGORY,
  .summary = N_ ("Rounds its input to the nearest of evenly spaced levels."),
  WEIR_PARAMETERS (quantizer_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = quantizer_build,
  .units = WEIR_UNITS_SAME,
};

/* --- Rate limiter: z' = (u - z) / tau, held between -down and up ----------------------------- */

static const WeirParameter UP = { 0 }, DOWN = { 1 }, TAU = { 2 };

/* The rate of an ideal rate limiter is the derivative of its input, which no block can know; a
 * short time constant stands for it. */
WEIR_KERNEL_5 (limit_rate, z, u, up, down, tau,
               (u - z) / tau > up      ? up
               : (u - z) / tau < -down ? -down
                                       : (u - z) / tau)

static WeirStatus
rate_kinks (const WeirCalc *c, double *w)
{
  double rate = (weir_calc_input (c, U)[0] - weir_calc_z (c)[0]) / weir_calc_parameter (c, TAU)[0];

  w[0] = rate - weir_calc_parameter (c, UP)[0];
  w[1] = rate + weir_calc_parameter (c, DOWN)[0];
  return WEIR_OK;
}

static const WeirParameterSpec rate_limiter_parameters[] = {
  WEIR_TUNABLE_NUMBER ("up", N_ ("Up"), "1", N_ ("How fast the output rises at most."),
                       WEIR_MORE_THAN (0), .unit = "1/s"),
  WEIR_TUNABLE_NUMBER ("down", N_ ("Down"), "1", N_ ("How fast the output falls at most."),
                       WEIR_MORE_THAN (0), .unit = "1/s"),
  WEIR_TUNABLE_NUMBER ("time-constant", N_ ("Time constant"), "0.001",
                       N_ ("How closely a slower input is followed."), WEIR_MORE_THAN (0),
                       .unit = "s"),
  {
      .name = "initial",
      .is_initial = TRUE,
      .label = N_ ("Initial value"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("The output at the start."),
  },
};

static WeirSystem *
rate_limiter_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double initial = weir_arguments_get_number (arguments, "initial");
  WeirTicket u, up, down, tau;
  WeirLeafBuilder *b;
  WeirCached kinks;

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("RateLimiter");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  up = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "up"));
  down = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "down"));
  tau = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "time-constant"));
  weir_leaf_set_continuous_state (b, 0, 0, 1, &initial);
  weir_leaf_set_derivatives_kernel (b, limit_rate, 0, WEIR_DEPENDS (WEIR_Z, u, up, down, tau));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  kinks = weir_leaf_add_cache_entry (b, "kinks", 2, rate_kinks,
                                     WEIR_DEPENDS (WEIR_Z, u, up, down, tau));
  weir_leaf_add_break (b, weir_on_crossing (kinks, WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_rate_limiter = {
  .name = "RateLimiter",
  .title = N_ ("Rate Limiter"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input no faster than two rates allow."),
  WEIR_PARAMETERS (rate_limiter_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  .build = rate_limiter_build,
  .units = WEIR_UNITS_SAME,
};
