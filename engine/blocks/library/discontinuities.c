/* Discontinuities: what real devices do to a signal. Dead zone, rate limiter. Their
 * kinks and jumps are witnesses, so that a solver's step ends there.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

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

static gboolean
dead_zone_accept (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes, GError **error)
{
  double from = weir_arguments_get_number (arguments, "start");
  double to = weir_arguments_get_number (arguments, "end");

  if (from <= to)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_INVALID, "The start %g is above the end %g.", from, to);
  return FALSE;
}

static const WeirBlockType dead_zone_type = {
  .name = "DeadZone",
  .title = N_ ("Dead Zone"),
  .category = CATEGORY,
  .summary = N_ ("Gives 0 within a zone and the distance from it outside."),
  WEIR_PARAMETERS (dead_zone_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  WEIR_LEAF (.accept = dead_zone_accept,
             .y = { "y", .kernel = dead_zone, .reads = WEIR_READS ("u", "start", "end") },
             .kinks = { "kinks", .calc = dead_zone_kinks, .reads = WEIR_READS ("u", "start", "end"),
                        .n = 2 }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (START, "start"),
                  WEIR_POSITION (END, "end")),
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

static const WeirBlockType rate_limiter_type = {
  .name = "RateLimiter",
  .title = N_ ("Rate Limiter"),
  .category = CATEGORY,
  .summary = N_ ("Follows its input no faster than two rates allow."),
  WEIR_PARAMETERS (rate_limiter_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = weir_list_scalar_y,
  WEIR_LEAF (.state = { .nz = 1, .initial = WEIR_READS ("initial") },
             .derivatives = { .kernel = limit_rate,
                              .reads = WEIR_READS ("z", "u", "up", "down", "time-constant") },
             .y = { "y", .reads = WEIR_READS ("z") },
             .kinks = { "kinks", .calc = rate_kinks,
                        .reads = WEIR_READS ("z", "u", "up", "down", "time-constant"), .n = 2 }),
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (UP, "up"), WEIR_POSITION (DOWN, "down"),
                  WEIR_POSITION (TAU, "time-constant")),
};

WEIR_FAMILY (discontinuities, &dead_zone_type, &rate_limiter_type);
