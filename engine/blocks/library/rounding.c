/* Rounding: quantizer and modulo. Both split their input into whole steps and a rest; the one gives
 * the steps, the other the rest.
 *
 * In a run the number of steps is state, which holds between the jumps, so that no solver ever sees
 * one within a step. Outside a run the input decides at every look.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 };
static const WeirGroup LEVELS = { 0 };

enum { NEAREST, DOWN, UP, TOWARD_ZERO };

static const char *const roundings[] = {
  [NEAREST] = "nearest", [DOWN] = "down", [UP] = "up", [TOWARD_ZERO] = "toward-zero", NULL
};

enum { MODULO, REMAINDER };

static const char *const results[] = { [MODULO] = "modulo", [REMAINDER] = "remainder", NULL };

typedef struct {
  double interval; /* a step */
  guint32 size, rounding;
  gboolean gives_rest;
  guint32 filler;
} Rounding;

/* Halves are rounded up to the nearest: each of its levels begins where the one below ends. */
static double
get_level (const Rounding *rounding, double u)
{
  double x = u / rounding->interval;

  return rounding->rounding == NEAREST ? floor (x + 0.5)
         : rounding->rounding == DOWN  ? floor (x)
         : rounding->rounding == UP    ? ceil (x)
                                       : trunc (x);
}

/* The state: the level of each element, then the phases of their witnesses. */
static double
find_level (const WeirCalc *c, guint i)
{
  const Rounding *rounding = weir_calc_data (c);
  const double *levels = weir_calc_discrete (c, LEVELS);

  return levels[rounding->size + i] != 0 ? levels[i]
                                         : get_level (rounding, weir_calc_input (c, U)[i]);
}

static WeirStatus
rounding_y (const WeirCalc *c, double *y)
{
  const Rounding *rounding = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < rounding->size; i++)
    {
      double whole = rounding->interval * find_level (c, i);

      y[i] = rounding->gives_rest ? u[i] - whole : whole;
    }
  return WEIR_OK;
}

static WeirStatus
rounding_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  const Rounding *rounding = weir_calc_data (c);

  for (guint i = 0; i < rounding->size; i++)
    y[i] = rounding->gives_rest ? weir_calc_input (d, U)[i] : 0;
  return WEIR_OK;
}

static WeirStatus
rounding_jumps (const WeirCalc *c, double *w)
{
  const Rounding *rounding = weir_calc_data (c);
  const double *phases = weir_calc_discrete (c, LEVELS) + rounding->size;
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < rounding->size; i++)
    {
      double level = find_level (c, i);
      double x = u[i] / rounding->interval + (rounding->rounding == NEAREST ? 0.5 : 0);
      gboolean is_above = rounding->rounding == NEAREST || rounding->rounding == DOWN
                          || (rounding->rounding == TOWARD_ZERO && level >= 0);
      gboolean is_below = rounding->rounding == UP
                          || (rounding->rounding == TOWARD_ZERO && level <= 0);

      w[i] = weir_cell_witness (x, level - is_below, level + is_above,
                                get_level (rounding, u[i]) == level, phases[i]);
    }
  return WEIR_OK;
}

static WeirStatus
rounding_change (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const Rounding *rounding = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);
  gboolean is_same = TRUE;

  for (guint i = 0; i < rounding->size; i++)
    is_same &= !weir_cell_enter (get_level (rounding, u[i]), &next[i], &next[rounding->size + i]);
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirSystem *
build_rounding (const WeirArguments *arguments, const Rounding *rounding)
{
  guint size = rounding->size;
  g_autofree double *initial = g_new0 (double, 2 * (gsize) size);
  WeirLeafBuilder *b = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", size));
  WeirGroup levels = weir_leaf_add_discrete_state (b, "levels", initial, 2 * size);
  WeirCached jumps;

  weir_leaf_set_data (b, rounding, sizeof *rounding);
  weir_leaf_add_output (b, "y", size, rounding_y, WEIR_DEPENDS (u, weir_group_ticket (b, levels)));
  jumps = weir_leaf_add_cache_entry (b, "jumps", size, rounding_jumps,
                                     WEIR_DEPENDS (u, weir_group_ticket (b, levels)));
  weir_leaf_add_update (b, weir_on_initialization (), levels, rounding_change);
  weir_leaf_add_update (b, weir_on_change_of_sign (jumps, WEIR_CROSSES), levels, rounding_change);
  return weir_leaf_builder_build (b);
}

/* --- Quantizer: y = interval round (u / interval) -------------------------------------------- */

static const WeirParameterSpec quantizer_parameters[] = {
  {
      .name = "interval",
      .label = N_ ("Interval"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0.5",
      WEIR_MORE_THAN (0),
      .help = N_ ("The distance between two levels of the output."),
  },
  {
      .name = "rounding",
      .label = N_ ("Rounding"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "nearest",
      .choices = roundings,
      .help = N_ ("To which level: the nearest, the one below, above, or toward zero."),
  },
};

static WeirSystem *
quantizer_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  const Rounding rounding = { .interval = weir_arguments_get_number (arguments, "interval"),
                              .size = sizes[0],
                              .rounding = weir_arguments_get_choice (arguments, "rounding") };

  return build_rounding (arguments, &rounding);
}

static const WeirBlockType quantizer_type = {
  .name = "Quantizer",
  .title = N_ ("Quantizer"),
  .category = CATEGORY,
  .summary = N_ ("Rounds its input to evenly spaced levels."),
  WEIR_PARAMETERS (quantizer_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = quantizer_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LEVELS, "levels")),
};

/* --- Modulo: y = u - modulus floor (u / modulus), or truncated ------------------------------- */

static const WeirParameterSpec modulo_parameters[] = {
  {
      .name = "modulus",
      .label = N_ ("Modulus"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "1",
      WEIR_MORE_THAN (0),
      .help = N_ ("After how much the output begins anew."),
  },
  {
      .name = "result",
      .label = N_ ("Result"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "modulo",
      .choices = results,
      .help = N_ ("Of a negative input: from 0 to the modulus, or negative as a remainder is."),
  },
};

static WeirSystem *
modulo_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  gboolean is_remainder = weir_arguments_get_choice (arguments, "result") == REMAINDER;
  const Rounding rounding = { .interval = weir_arguments_get_number (arguments, "modulus"),
                              .size = sizes[0],
                              .rounding = is_remainder ? TOWARD_ZERO : DOWN,
                              .gives_rest = TRUE };

  return build_rounding (arguments, &rounding);
}

static const WeirBlockType modulo_type = {
  .name = "Modulo",
  .title = N_ ("Modulo"),
  .category = CATEGORY,
  .summary = N_ (
      "Gives what is left of its input after whole multiples of a number, like an angle."),
  WEIR_PARAMETERS (modulo_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = modulo_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LEVELS, "levels")),
};

WEIR_FAMILY (rounding, &quantizer_type, &modulo_type);
