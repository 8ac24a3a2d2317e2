/* Random sources: a new number at every period, the same ones in every run.
 *
 * Number n of element i is a function of the seed, n and i alone (base/random.h), so that nothing
 * needs to be remembered but the number that holds. The state is the standard number; range or mean
 * and deviation are applied behind it and can change while running.
 */
#include "base/random.h"
#include "blocks/types/family.h"

#define CATEGORY N_ ("Sources")

static const WeirGroup STATE = { 0 };

typedef struct {
  guint64 seed;
  guint32 is_normal, size;
} Random;

/* --- Numbers --------------------------------------------------------------------------------- */

/* By Box and Muller, from two streams. */
static double
get_normal (guint64 seed, guint64 n, guint64 stream)
{
  double radius = sqrt (-2 * log (weir_random_uniform (seed, n, 2 * stream)));

  return radius * cos (2 * G_PI * weir_random_uniform (seed, n, 2 * stream + 1));
}

static void
draw (const Random *random, guint64 n, double *numbers)
{
  for (guint i = 0; i < random->size; i++)
    numbers[i] = random->is_normal ? get_normal (random->seed, n, i)
                                   : weir_random_uniform (random->seed, n, i);
}

/* Number 0 is the initial one; the update at the end of period n brings number n + 1. */
static WeirStatus
draw_next (const WeirCalc *c, gint64 n, double *next)
{
  draw (weir_calc_data (c), (guint64) n + 1, next);
  return WEIR_OK;
}

/* --- Blocks ---------------------------------------------------------------------------------- */

WEIR_KERNEL_3 (spread, r, minimum, maximum, minimum + (maximum - minimum) * r)
WEIR_KERNEL_3 (scale, r, mean, deviation, mean + deviation * r)

#define RANDOM_PARAMETERS                                                                          \
  {                                                                                                \
    .name = "seed",                                                                                \
    .label = N_ ("Seed"),                                                                          \
    .kind = WEIR_VALUE_INTEGER,                                                                    \
    .default_text = "1",                                                                           \
    WEIR_FROM_TO (0, 1e15),                                                                        \
    .help = N_ ("Each seed gives other numbers, always the same."),                                \
  },                                                                                               \
      {                                                                                            \
        .name = "period",                                                                          \
        .label = N_ ("Period"),                                                                    \
        .kind = WEIR_VALUE_NUMBER,                                                                 \
        .default_text = "0.1",                                                                     \
        WEIR_MORE_THAN (0),                                                                        \
        .unit = "s",                                                                               \
        .help = N_ ("How long each number holds."),                                                \
      },                                                                                           \
  {                                                                                                \
    .name = "size", .label = N_ ("Size"), .kind = WEIR_VALUE_INTEGER, .default_text = "1",         \
    WEIR_FROM_TO (1, 10000), .help = N_ ("How many independent numbers the output has."),          \
  }

static void
random_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "y", (guint) weir_arguments_get_integer (arguments, "size"));
}

static WeirSystem *
build_random (const WeirArguments *arguments, gboolean is_normal, WeirKernel kernel,
              const char *first, const char *second)
{
  double period = weir_arguments_get_number (arguments, "period");
  Random random = { .seed = (guint64) weir_arguments_get_integer (arguments, "seed"),
                    .is_normal = is_normal,
                    .size = (guint32) weir_arguments_get_integer (arguments, "size") };
  g_autofree double *initial = g_new (double, random.size);
  WeirLeafBuilder *b = weir_leaf_builder_new (weir_arguments_get_type (arguments)->name);
  WeirTicket a, z, state;

  draw (&random, 0, initial);
  weir_leaf_set_data (b, &random, sizeof random);
  a = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, first));
  z = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, second));
  state = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "number", initial, random.size));
  weir_leaf_add_output_kernel (b, "y", random.size, kernel, 0, WEIR_DEPENDS (state, a, z));
  weir_leaf_add_periodic_update (b, STATE, period, period, draw_next);
  return weir_leaf_builder_build (b);
}

static const WeirParameterSpec uniform_parameters[] = {
  WEIR_TUNABLE_NUMBER ("minimum", N_ ("Minimum"), "-1", N_ ("No number is below this."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("maximum", N_ ("Maximum"), "1", N_ ("No number is above this."), WEIR_ANY),
  RANDOM_PARAMETERS,
};

static WeirSystem *
uniform_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
               G_GNUC_UNUSED GError **error)
{
  return build_random (arguments, FALSE, spread, "minimum", "maximum");
}

static const WeirBlockType uniform_random_type = {
  .name = "UniformRandom",
  .title = N_ ("Uniform Random"),
  .category = CATEGORY,
  .summary = N_ ("Gives random numbers, all equally likely within a range."),
  WEIR_PARAMETERS (uniform_parameters),
  .list_outputs = random_list_outputs,
  .build = uniform_build,
  WEIR_POSITIONS (WEIR_POSITION (STATE, "number")),
};

static const WeirParameterSpec normal_parameters[] = {
  WEIR_TUNABLE_NUMBER ("mean", N_ ("Mean"), "0", N_ ("What the numbers are around."), WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("deviation", N_ ("Standard deviation"), "1",
                       N_ ("Two thirds of the numbers are nearer to the mean than this."),
                       WEIR_AT_LEAST (0)),
  RANDOM_PARAMETERS,
};

static WeirSystem *
normal_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
              G_GNUC_UNUSED GError **error)
{
  return build_random (arguments, TRUE, scale, "mean", "deviation");
}

static const WeirBlockType gaussian_random_type = {
  .name = "GaussianRandom",
  .title = N_ ("Gaussian Random"),
  .category = CATEGORY,
  .summary = N_ ("Gives random numbers with a normal distribution."),
  WEIR_PARAMETERS (normal_parameters),
  .list_outputs = random_list_outputs,
  .build = normal_build,
  WEIR_POSITIONS (WEIR_POSITION (STATE, "number")),
};

WEIR_FAMILY (random, &uniform_random_type, &gaussian_random_type);
