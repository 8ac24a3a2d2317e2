/* Friction between a body and what it slides on: dry and viscous, with rest.
 *
 * The direction is a mode: forward, backward or stuck. Sliding, the force is that of Coulomb's law
 * against the motion and a viscous part. Where the velocity comes to zero the body sticks if the
 * force that acts on it is below static friction; then friction balances that force, whatever it
 * is, until it reaches static friction. No velocity says how large the balancing force is, so that
 * the force that acts is an input of its own. Without it the block can only tell the direction, and
 * a body that should come to rest ends the run with a sentence that says so.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 }, FORCE = { 1 };
static const WeirGroup MODE = { 0 };
static const WeirParameter COULOMB = { 0 }, STATIC = { 1 }, VISCOUS = { 2 }, REST_SPEED = { 3 };

/* What the discrete state holds: the direction, -1, 0 or 1; the velocity at which the body stuck,
 * which is 0 but for the tolerance of locating; when it last came to zero, where nobody knows the
 * force. */
enum { DIRECTION, STUCK_AT, TURNED_AT, N_MODE };

/* The elements of the witness; each falls. */
enum { STOPS, BREAKS_FORWARD, BREAKS_BACKWARD, IS_MOVED, N_WITNESSES };

#define LONG_AGO -1e300      /* s */
#define NEXT_TO_NO_TIME 1e-9 /* relative to the time, and s */

static gboolean
is_stuck (const WeirCalc *c)
{
  return fabs (weir_calc_discrete (c, MODE)[DIRECTION]) < 0.5;
}

static double
get_static (const WeirCalc *c)
{
  return fmax (weir_calc_parameter (c, STATIC)[0], weir_calc_parameter (c, COULOMB)[0]);
}

/* The viscous part takes away what velocity is left by the tolerance of locating. */
static WeirStatus
friction_y (const WeirCalc *c, double *y)
{
  double direction = weir_calc_discrete (c, MODE)[DIRECTION], force = weir_calc_input (c, FORCE)[0];

  y[0] = weir_calc_parameter (c, VISCOUS)[0] * weir_calc_input (c, U)[0];
  if (!is_stuck (c))
    y[0] += direction * weir_calc_parameter (c, COULOMB)[0];
  else if (!isnan (force))
    y[0] += force;
  return WEIR_OK;
}

static WeirStatus
friction_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  y[0] = weir_calc_parameter (d, VISCOUS)[0] * weir_calc_input (c, U)[0]
         + weir_calc_parameter (c, VISCOUS)[0] * weir_calc_input (d, U)[0];
  if (!is_stuck (c))
    y[0] += weir_calc_discrete (c, MODE)[DIRECTION] * weir_calc_parameter (d, COULOMB)[0];
  else if (!isnan (weir_calc_input (c, FORCE)[0]))
    y[0] += weir_calc_input (d, FORCE)[0];
  return WEIR_OK;
}

static WeirStatus
friction_stuck (const WeirCalc *c, double *y)
{
  y[0] = is_stuck (c);
  return WEIR_OK;
}

static WeirStatus
friction_crossing (const WeirCalc *c, double *w)
{
  const double *mode = weir_calc_discrete (c, MODE);
  double u = weir_calc_input (c, U)[0], force = weir_calc_input (c, FORCE)[0];
  gboolean stuck = is_stuck (c), holds = stuck && !isnan (force);

  w[STOPS] = stuck ? 1 : mode[DIRECTION] * u;
  w[BREAKS_FORWARD] = holds ? get_static (c) - force : 1;
  w[BREAKS_BACKWARD] = holds ? get_static (c) + force : 1;
  w[IS_MOVED] = stuck ? weir_calc_parameter (c, REST_SPEED)[0] - fabs (u - mode[STUCK_AT]) : 1;
  return WEIR_OK;
}

static double
sign (double value)
{
  return value > 0 ? 1 : -1;
}

/* Which way a body goes that is stuck: 0, none. */
static double
leave_rest (const WeirCalc *c, double stuck_at)
{
  double u = weir_calc_input (c, U)[0], force = weir_calc_input (c, FORCE)[0];

  if (fabs (force) >= get_static (c))
    return sign (force);
  return fabs (u - stuck_at) >= weir_calc_parameter (c, REST_SPEED)[0] ? sign (u) : 0;
}

static WeirStatus
friction_begin (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double u = weir_calc_input (c, U)[0];

  next[DIRECTION] = u != 0 ? sign (u) : leave_rest (c, 0);
  return next[DIRECTION] == 0 ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirStatus
friction_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  double direction = weir_calc_discrete (c, MODE)[DIRECTION];
  double u = weir_calc_input (c, U)[0], force = weir_calc_input (c, FORCE)[0];
  double time = weir_calc_time (c);

  if (is_stuck (c))
    next[DIRECTION] = leave_rest (c, next[STUCK_AT]);
  else if (direction * u > 0 && weir_calc_crossing (c, STOPS) >= 0)
    return WEIR_DID_NOTHING;
  else if (isnan (force))
    {
      if (time - next[TURNED_AT] <= NEXT_TO_NO_TIME * (1 + fabs (time)))
        return weir_calc_fail (c, "it should stick, but does not know what it is to hold: connect "
                                  "the force that acts on the body to the input \"force\"");
      next[TURNED_AT] = time;
      next[DIRECTION] = -direction;
    }
  else
    {
      next[DIRECTION] = fabs (force) < get_static (c) ? 0 : sign (force);
      next[STUCK_AT] = u;
    }
  return next[DIRECTION] == direction ? WEIR_DID_NOTHING : WEIR_OK;
}

/* --- The block ------------------------------------------------------------------------------- */

static const WeirParameterSpec parameters[] = {
  WEIR_TUNABLE_NUMBER ("coulomb", N_ ("Coulomb friction"), "1",
                       N_ ("The force against the motion while the body slides."),
                       WEIR_AT_LEAST (0)),
  WEIR_TUNABLE_NUMBER ("static", N_ ("Static friction"), "0",
                       N_ ("The force that it takes to set the body in motion; never less than "
                           "Coulomb friction."),
                       WEIR_AT_LEAST (0)),
  WEIR_TUNABLE_NUMBER ("viscous", N_ ("Viscous friction"), "1",
                       N_ ("The force against the motion for each unit of velocity."),
                       WEIR_AT_LEAST (0)),
  WEIR_TUNABLE_NUMBER ("rest-speed", N_ ("Rest speed"), "1e-9",
                       N_ ("A body at rest that is faster than this is moved by something else "
                           "than the force, and slides."),
                       WEIR_MORE_THAN (0)),
};

static void
list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "u", 1);
  weir_list_port (ports, "force", 1);
}

static void
list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", 1);
  weir_list_port (ports, "stuck", 1);
}

static WeirSystem *
build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
       G_GNUC_UNUSED GError **error)
{
  const double unknown = (double) NAN, start[N_MODE] = { [TURNED_AT] = LONG_AGO };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Friction");
  WeirTicket tickets[G_N_ELEMENTS (parameters)], u, force, mode;
  WeirCached crossing;
  WeirGroup group;

  for (guint i = 0; i < G_N_ELEMENTS (parameters); i++)
    tickets[i] = weir_parameter_ticket (b,
                                        weir_leaf_add_tunable (b, arguments, parameters[i].name));
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  force = weir_input_ticket (b, weir_leaf_add_input (b, "force", 1));
  weir_leaf_set_input_default (b, FORCE, &unknown);
  group = weir_leaf_add_discrete_state (b, "mode", start, N_MODE);
  mode = weir_group_ticket (b, group);
  weir_leaf_add_output (b, "y", 1, friction_y,
                        WEIR_DEPENDS (u, force, mode, tickets[COULOMB.i], tickets[VISCOUS.i]));
  weir_leaf_add_output (b, "stuck", 1, friction_stuck, WEIR_DEPENDS (mode));
  crossing = weir_leaf_add_cache_entry (
      b, "crossing", N_WITNESSES, friction_crossing,
      WEIR_DEPENDS (u, force, mode, tickets[COULOMB.i], tickets[STATIC.i], tickets[REST_SPEED.i]));
  weir_leaf_add_update (b, weir_on_initialization (), group, friction_begin);
  weir_leaf_add_update (b, weir_on_crossing (crossing, WEIR_FALLING), group, friction_change);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType friction_type = {
  .name = "Friction",
  .title = N_ ("Friction"),
  .category = CATEGORY,
  .summary = N_ (
      "Gives the force of dry and viscous friction on a body, and holds it while it is at rest."),
  WEIR_PARAMETERS (parameters),
  .list_inputs = list_inputs,
  .list_outputs = list_outputs,
  .build = build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (FORCE, "force"),
                  WEIR_POSITION (MODE, "mode"), WEIR_POSITION (COULOMB, "coulomb"),
                  WEIR_POSITION (STATIC, "static"), WEIR_POSITION (VISCOUS, "viscous"),
                  WEIR_POSITION (REST_SPEED, "rest-speed")),
};

WEIR_FAMILY (friction, &friction_type);
