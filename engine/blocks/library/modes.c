/* Relations: blocks whose output is a mode, declared state that changes at events only.
 *
 * Between events the mode holds, whatever a solver tries, so that a step never sees a jump: it ends
 * where the input crosses, the mode changes there, and the next step begins. At the start a mode is
 * what the relation says of the first input.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/error.h"

#define CATEGORY N_ ("Mathematics")
#define MAX_POINTS 2

static const WeirInput U = { 0 };
static const WeirGroup MODE = { 0 };

/* A leaf with the mode of each element of u, changed by @change at the start and at changes of sign
 * of the witness, which reads the first @n_points parameters. @y: what the mode shows as by the
 * other @n_shown, a window if NULL. @remembers: the mode depends on what was. */
static WeirSystem *
build_mode (WeirLeafBuilder *b, guint size, WeirCalcFunc witness, guint n_witnesses, guint n_points,
            WeirUpdateFunc change, WeirCalcFunc y, guint n_shown, gboolean remembers)
{
  WeirTrigger trigger;
  WeirTicket points[MAX_POINTS + 2], shown[MAX_POINTS + 2];
  g_autofree double *off = g_new0 (double, size);
  WeirCached crossing;
  WeirGroup mode;

  points[0] = weir_input_ticket (b, weir_leaf_add_input (b, "u", size));
  mode = weir_leaf_add_discrete_state (b, "mode", off, size);
  shown[0] = weir_group_ticket (b, mode);
  for (guint i = 0; i < n_points; i++)
    points[i + 1] = weir_parameter_ticket (b, (WeirParameter) { (guint16) i });
  for (guint i = 0; i < n_shown; i++)
    shown[i + 1] = weir_parameter_ticket (b, (WeirParameter) { (guint16) (n_points + i) });
  points[n_points + 1] = shown[n_shown + 1] = (WeirTicket) { WEIR_TICKET_END };
  if (y != NULL)
    weir_leaf_add_output (b, "y", size, y, shown);
  else
    weir_leaf_add_output_window (b, "y", weir_group_ticket (b, mode));
  crossing = weir_leaf_add_cache_entry (b, "crossing", n_witnesses, witness, points);
  trigger = weir_on_initialization ();
  weir_leaf_add_update (b, remembers ? weir_after_modes (trigger) : trigger, mode, change);
  trigger = weir_on_change_of_sign (crossing, WEIR_CROSSES);
  weir_leaf_add_update (b, remembers ? weir_after_modes (trigger) : trigger, mode, change);
  return weir_leaf_builder_build (b);
}

/* --- Sign: y = -1, 0 or 1 -------------------------------------------------------------------- */

static WeirStatus
sign_crossing (const WeirCalc *c, double *w)
{
  memcpy (w, weir_calc_input (c, U), weir_calc_input_size (c, U) * sizeof *w);
  return WEIR_OK;
}

/* An input that lands on zero exactly and goes on crosses once more. */
static WeirStatus
sign_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *mode = weir_calc_discrete (c, MODE);
  gboolean is_same = TRUE;

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      next[i] = (u[i] > 0) - (u[i] < 0);
      is_same = is_same && next[i] == mode[i];
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirSystem *
sign_build (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
            G_GNUC_UNUSED GError **error)
{
  return build_mode (weir_leaf_builder_new ("Sign"), sizes[0], sign_crossing, sizes[0], 0,
                     sign_change, NULL, 0, FALSE);
}

static const WeirBlockType sign_type = {
  .name = "Sign",
  .title = N_ ("Sign"),
  .category = CATEGORY,
  .summary = N_ ("Tells whether its input is positive (1), negative (-1) or zero (0)."),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = sign_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (MODE, "mode")),
};

/* --- Compare: y = 1 while u is at least, or above, the threshold, else 0 --------------------- */

static const WeirParameter THRESHOLD = { 0 };
static const char *const relations[] = { ">=", ">", "<", "<=", NULL };

static WeirStatus
compare_crossing (const WeirCalc *c, double *w)
{
  const double *u = weir_calc_input (c, U);
  double threshold = weir_calc_parameter (c, THRESHOLD)[0];

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    w[i] = u[i] - threshold;
  return WEIR_OK;
}

/* The data is the number of the relation. An input that stands on the threshold exactly and leaves
 * it crosses once more. */
static WeirStatus
compare_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *mode = weir_calc_discrete (c, MODE);
  double threshold = weir_calc_parameter (c, THRESHOLD)[0];
  guint relation = *(const guint *) weir_calc_data (c);
  gboolean is_same = TRUE;

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      gboolean is_above = relation == 0 || relation == 2 ? u[i] >= threshold : u[i] > threshold;

      next[i] = is_above == (relation < 2);
      is_same = is_same && next[i] == mode[i];
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static const WeirParameterSpec compare_parameters[] = {
  {
      .name = "relation",
      .label = N_ ("Relation"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = ">=",
      .choices = relations,
      .help = N_ ("How the input must compare with the threshold for the output to be 1."),
  },
  {
      .name = "threshold",
      .label = N_ ("Threshold"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("What the input is compared with."),
      .tunable = "threshold",
  },
};

static WeirSystem *
compare_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Compare");
  guint relation = weir_arguments_get_choice (arguments, "relation");

  weir_leaf_set_data (b, &relation, sizeof relation);
  weir_leaf_add_tunable (b, arguments, "threshold");
  return build_mode (b, sizes[0], compare_crossing, sizes[0], 1, compare_change, NULL, 0, FALSE);
}

static const WeirBlockType relation_type = {
  .name = "Compare",
  .title = N_ ("Compare"),
  .category = CATEGORY,
  .summary = N_ ("Compares its input with a threshold: 1 or 0."),
  WEIR_PARAMETERS (compare_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = compare_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (MODE, "mode"),
                  WEIR_POSITION (THRESHOLD, "threshold")),
};

/* --- Relay: switches on above one threshold and off below another ---------------------------- */

static const WeirParameter SWITCH_ON = { 0 }, SWITCH_OFF = { 1 }, ON = { 2 }, OFF = { 3 };

/* Element by element: above the upper threshold, below the lower. */
static WeirStatus
relay_crossing (const WeirCalc *c, double *w)
{
  guint n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < n; i++)
    {
      w[i] = u[i] - weir_calc_parameter (c, SWITCH_ON)[0];
      w[n + i] = u[i] - weir_calc_parameter (c, SWITCH_OFF)[0];
    }
  return WEIR_OK;
}

static WeirStatus
relay_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *mode = weir_calc_discrete (c, MODE);
  double switch_on = weir_calc_parameter (c, SWITCH_ON)[0];
  double switch_off = weir_calc_parameter (c, SWITCH_OFF)[0];
  guint size = weir_calc_input_size (c, U);
  gboolean is_same = TRUE;

  for (guint i = 0; i < size; i++)
    {
      if (weir_calc_crossing (c, i) > 0 || u[i] > switch_on)
        next[i] = 1;
      else if (weir_calc_crossing (c, size + i) < 0 || u[i] < switch_off)
        next[i] = 0;
      is_same = is_same && next[i] == mode[i];
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

/* The parameters that @mode chooses, as they are in @c. */
static void
show_mode (const double *mode, const WeirCalc *c, double *y)
{
  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    y[i] = weir_calc_parameter (c, mode[i] != 0 ? ON : OFF)[0];
}

static WeirStatus
relay_y (const WeirCalc *c, double *y)
{
  show_mode (weir_calc_discrete (c, MODE), c, y);
  return WEIR_OK;
}

static WeirStatus
relay_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  show_mode (weir_calc_discrete (c, MODE), d, y);
  return WEIR_OK;
}

static const WeirParameterSpec relay_parameters[] = {
  {
      .name = "switch-on",
      .label = N_ ("Switch-on point"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("Where the rising input switches the relay on."),
      .tunable = "switch-on",
  },
  {
      .name = "switch-off",
      .label = N_ ("Switch-off point"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "-1",
      WEIR_ANY,
      .help = N_ ("Where the falling input switches the relay off."),
      .tunable = "switch-off",
  },
  {
      .name = "on",
      .label = N_ ("Output when on"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_ANY,
      .help = N_ ("The output while the relay is on."),
      .tunable = "on",
  },
  {
      .name = "off",
      .label = N_ ("Output when off"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ (
          "The output while the relay is off, which it is at the start between the points."),
      .tunable = "off",
  },
};

static WeirSystem *
relay_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double on = weir_arguments_get_number (arguments, "switch-on");
  double off = weir_arguments_get_number (arguments, "switch-off");
  WeirLeafBuilder *b;

  if (on < off)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "The switch-on point %g is below the switch-off point %g.", on, off);
      return NULL;
    }
  b = weir_leaf_builder_new ("Relay");
  for (guint i = 0; i < G_N_ELEMENTS (relay_parameters); i++)
    weir_leaf_add_tunable (b, arguments, relay_parameters[i].name);
  return build_mode (b, sizes[0], relay_crossing, 2 * sizes[0], 2, relay_change, relay_y, 2, TRUE);
}

static const WeirBlockType relay_type = {
  .name = "Relay",
  .title = N_ ("Relay"),
  .category = CATEGORY,
  .summary = N_ ("Switches on and off with hysteresis."),
  WEIR_PARAMETERS (relay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = relay_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (MODE, "mode"),
                  WEIR_POSITION (SWITCH_ON, "switch-on"), WEIR_POSITION (SWITCH_OFF, "switch-off"),
                  WEIR_POSITION (ON, "on"), WEIR_POSITION (OFF, "off")),
};

WEIR_FAMILY (modes, &sign_type, &relation_type, &relay_type);
