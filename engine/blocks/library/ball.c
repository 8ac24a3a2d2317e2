/* A ball that bounces: the standard example of a hybrid system (Zeno where it comes to rest).
 *
 * height'' = -gravity in the air. Where the height falls to zero the speed is reversed and
 * multiplied by the restitution, and the height is put to zero exactly. A bounce slower than the
 * rest speed ends in rest, a mode that holds from then on: bounces would otherwise come without end
 * before a finite instant.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Models")

static const WeirParameter GRAVITY = { 0 }, RESTITUTION = { 1 }, REST_SPEED = { 2 };
static const WeirGroup AT_REST = { 0 };

static WeirStatus
ball_xcdot (const WeirCalc *c, double *xdot)
{
  gboolean is_at_rest = weir_calc_discrete (c, AT_REST)[0] != 0;

  xdot[0] = is_at_rest ? 0 : weir_calc_v (c)[0];
  xdot[1] = is_at_rest ? 0 : -weir_calc_parameter (c, GRAVITY)[0];
  return WEIR_OK;
}

static WeirStatus
ball_xcdot_tangent (const WeirCalc *c, const WeirCalc *d, double *xdot)
{
  gboolean is_at_rest = weir_calc_discrete (c, AT_REST)[0] != 0;

  xdot[0] = is_at_rest ? 0 : weir_calc_v (d)[0];
  xdot[1] = is_at_rest ? 0 : -weir_calc_parameter (d, GRAVITY)[0];
  return WEIR_OK;
}

/* Positive above the floor, and always at rest. */
static WeirStatus
ball_floor (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_discrete (c, AT_REST)[0] != 0 ? 1 : weir_calc_q (c)[0];
  return WEIR_OK;
}

static WeirStatus
ball_bounce (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  double speed = -weir_calc_parameter (c, RESTITUTION)[0] * weir_calc_v (c)[0];
  double *x = weir_next_state_xc (next);

  x[0] = 0;
  x[1] = speed;
  /* A ball that meets the floor while it rises bounces lower than the solver's tolerance:
   * rest too. */
  if (speed < weir_calc_parameter (c, REST_SPEED)[0])
    {
      x[1] = 0;
      weir_next_state_discrete (next, AT_REST)[0] = 1;
      weir_calc_note (c, "came to rest after %ld bounces", (long) n);
    }
  return WEIR_OK;
}

static const WeirParameterSpec ball_parameters[] = {
  {
      .name = "height",
      .is_initial = TRUE,
      .label = N_ ("Initial height"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "10",
      WEIR_AT_LEAST (0),
      .unit = "m",
      .help = N_ ("How high above the floor the ball begins."),
  },
  {
      .name = "velocity",
      .is_initial = TRUE,
      .label = N_ ("Initial velocity"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .unit = "m/s",
      .help = N_ ("How fast the ball rises at the start."),
  },
  {
      .name = "gravity",
      .label = N_ ("Gravity"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "9.81",
      WEIR_MORE_THAN (0),
      .unit = "m/s²",
      .help = N_ ("How much faster the ball falls in every second."),
      .tunable = "gravity",
  },
  {
      .name = "restitution",
      .label = N_ ("Restitution"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0.8",
      WEIR_FROM_TO (0, 1),
      .help = N_ ("Which part of its speed a bounce leaves."),
      .tunable = "restitution",
  },
  {
      .name = "rest-speed",
      .label = N_ ("Rest speed"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1e-9",
      WEIR_MORE_THAN (0),
      .unit = "m/s",
      .help = N_ ("A bounce slower than this leaves the ball at rest."),
      .tunable = "rest-speed",
  },
};

static void
ball_list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "height", 1, "m");
  weir_list_port_in (ports, "velocity", 1, "m/s");
}

static WeirSystem *
ball_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
            G_GNUC_UNUSED GError **error)
{
  const double initial[] = { weir_arguments_get_number (arguments, "height"),
                             weir_arguments_get_number (arguments, "velocity") };
  WeirLeafBuilder *b = weir_leaf_builder_new ("BouncingBall");
  WeirParameter gravity = weir_leaf_add_tunable (b, arguments, "gravity");
  WeirTicket at_rest;
  WeirCached above;

  weir_leaf_add_tunable (b, arguments, "restitution");
  weir_leaf_add_tunable (b, arguments, "rest-speed");
  at_rest = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "at-rest", (double[]) { 0 }, 1));
  weir_leaf_set_continuous_state (b, 1, 1, 0, initial);
  weir_leaf_set_derivatives (b, ball_xcdot,
                             WEIR_DEPENDS (WEIR_V, at_rest, weir_parameter_ticket (b, gravity)));
  weir_leaf_add_output_window (b, "height", WEIR_Q);
  weir_leaf_add_output_window (b, "velocity", WEIR_V);
  above = weir_leaf_add_cache_entry (b, "above the floor", 1, ball_floor,
                                     WEIR_DEPENDS (WEIR_Q, at_rest));
  weir_leaf_add_unrestricted_update (b, weir_on_change_of_sign (above, WEIR_FALLING), ball_bounce);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType bouncing_ball_type = {
  .name = "BouncingBall",
  .title = N_ ("Bouncing Ball"),
  .category = CATEGORY,
  .summary = N_ ("Falls, bounces and comes to rest."),
  WEIR_PARAMETERS (ball_parameters),
  .list_outputs = ball_list_outputs,
  .build = ball_build,
  WEIR_POSITIONS (WEIR_POSITION (GRAVITY, "gravity"), WEIR_POSITION (RESTITUTION, "restitution"),
                  WEIR_POSITION (REST_SPEED, "rest-speed"), WEIR_POSITION (AT_REST, "at-rest")),
};

WEIR_FAMILY (ball, &bouncing_ball_type);
