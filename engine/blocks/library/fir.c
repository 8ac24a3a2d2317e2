/* Filters that remember samples: a finite impulse response, and the samples themselves.
 *
 * As for all linear blocks in steps, the present input counts at once: of a continuous signal put a
 * Zero-Order Hold before them.
 */
#include "blocks/types/family.h"

#include <string.h>

#include "base/budget.h"
#include "base/error.h"

#define CATEGORY N_ ("Discrete")
#define MAX_TAPS 4096

static const WeirInput U = { 0 };
static const WeirGroup PAST = { 0 };
static const WeirParameter TAPS = { 0 };

/* The samples move up by one, the newest comes first. The data is the number of samples. */
static WeirStatus
keep_sample (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  guint size = weir_calc_input_size (c, U), n_samples = *(const guint32 *) weir_calc_data (c);

  memmove (next + size, next, (gsize) (n_samples - 1) * size * sizeof *next);
  memcpy (next, weir_calc_input (c, U), size * sizeof *next);
  return WEIR_OK;
}

/* The state: @n_samples times the initial value, at least one. (transfer full) NULL and @error
 * if that has the wrong size. */
static double *
dup_samples (const WeirArguments *arguments, guint n_samples, guint size, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", size,
                                                                  error);
  double *samples;

  if (initial == NULL
      || !weir_budget_allows (weir_budget_multiply (n_samples, size), sizeof (double),
                              N_ ("The samples that are kept"),
                              N_ ("keep fewer of them, or give it a narrower input"), error))
    return NULL;
  samples = g_new (double, (gsize) n_samples *size);
  for (gsize i = 0; i < (gsize) n_samples * size; i++)
    samples[i] = initial[i % size];
  return samples;
}

/* --- FIR filter: y_n = b_0 u_n + b_1 u_{n-1} + ... ------------------------------------------- */

static WeirStatus
fir_y (const WeirCalc *c, double *y)
{
  guint size = weir_calc_input_size (c, U), n_past = *(const guint32 *) weir_calc_data (c);
  const double *taps = weir_calc_parameter (c, TAPS), *u = weir_calc_input (c, U);
  const double *past = n_past > 0 ? weir_calc_discrete (c, PAST) : NULL;

  for (guint i = 0; i < size; i++)
    {
      double sum = taps[0] * u[i];

      for (guint k = 0; k < n_past; k++)
        sum += taps[k + 1] * past[k * size + i];
      y[i] = sum;
    }
  return WEIR_OK;
}

static WeirStatus
fir_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  guint size = weir_calc_input_size (c, U), n_past = *(const guint32 *) weir_calc_data (c);
  const double *taps = weir_calc_parameter (d, TAPS);
  const double *past = n_past > 0 ? weir_calc_discrete (c, PAST) : NULL;

  for (guint i = 0; i < size; i++)
    {
      y[i] = weir_calc_parameter (c, TAPS)[0] * weir_calc_input (d, U)[i]
             + taps[0] * weir_calc_input (c, U)[i];
      for (guint k = 0; k < n_past; k++)
        y[i] += taps[k + 1] * past[k * size + i];
    }
  return WEIR_OK;
}

static const WeirParameterSpec fir_parameters[] = {
  {
      .name = "taps",
      .label = N_ ("Taps"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "[0.25, 0.25, 0.25, 0.25]",
      WEIR_ANY,
      .help = N_ ("What the samples count: the present one, the one before, and so on."),
      .tunable = "taps",
  },
  WEIR_INITIAL (N_ ("The samples before the first: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
fir_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n_taps;
  guint32 n_past;
  g_autofree double *past = NULL;
  WeirLeafBuilder *b;
  WeirTicket u, taps, group;

  weir_arguments_get_vector (arguments, "taps", &n_taps);
  if (n_taps > MAX_TAPS)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "There are %u taps, but %u are the most that there may be.", n_taps,
                      MAX_TAPS);
      return NULL;
    }
  n_past = n_taps - 1;
  past = dup_samples (arguments, MAX (n_past, 1), sizes[0], error);
  if (past == NULL)
    return NULL;
  b = weir_leaf_builder_new ("FIR");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  taps = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "taps"));
  weir_leaf_set_data (b, &n_past, sizeof n_past);
  if (n_past == 0)
    {
      weir_leaf_add_output (b, "y", sizes[0], fir_y, WEIR_DEPENDS (u, taps));
      return weir_leaf_builder_build (b);
    }
  group = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "past", past, n_past * sizes[0]));
  weir_leaf_add_output (b, "y", sizes[0], fir_y, WEIR_DEPENDS (u, taps, group));
  weir_leaf_add_update (b, weir_every_period (arguments), PAST, keep_sample);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType fir_type = {
  .name = "FIR",
  .title = N_ ("FIR Filter"),
  .category = CATEGORY,
  .summary = N_ ("Adds up the last samples of its input, each times a number of its own."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (fir_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = fir_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (PAST, "past"),
                  WEIR_POSITION (TAPS, "taps")),
};

/* --- Tapped delay: the last samples, the newest first ---------------------------------------- */

static const WeirParameterSpec tapped_delay_parameters[] = {
  {
      .name = "length",
      .label = N_ ("Length"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "4",
      WEIR_FROM_TO (1, MAX_TAPS),
      .help = N_ ("How many samples come out."),
  },
  WEIR_INITIAL (N_ ("The samples before the first: a number, or one for each element.")),
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static guint
tapped_delay_output_size (const WeirArguments *arguments, const guint *sizes, guint out)
{
  return weir_size_with_initial (arguments, sizes, out)
         * (guint) weir_arguments_get_integer (arguments, "length");
}

static WeirSystem *
tapped_delay_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint32 length = (guint32) weir_arguments_get_integer (arguments, "length");
  g_autofree double *samples = dup_samples (arguments, length, sizes[0], error);
  WeirLeafBuilder *b;
  WeirGroup past;

  if (samples == NULL)
    return NULL;
  b = weir_leaf_builder_new ("TappedDelay");
  weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, &length, sizeof length);
  past = weir_leaf_add_discrete_state (b, "past", samples, length * sizes[0]);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, past));
  weir_leaf_add_update (b, weir_every_period (arguments), past, keep_sample);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType tapped_delay_type = {
  .name = "TappedDelay",
  .title = N_ ("Tapped Delay"),
  .category = CATEGORY,
  .summary = N_ ("Gives the last samples of its input as a vector, the newest first."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (tapped_delay_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = tapped_delay_output_size,
  .build = tapped_delay_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (PAST, "past")),
};

WEIR_FAMILY (fir, &fir_type, &tapped_delay_type);
