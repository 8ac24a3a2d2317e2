/* Routing: blocks that choose and arrange values without changing them. */
#include "blocks/blocks-private.h"

#include <string.h>

#define CATEGORY N_ ("Routing")
#define MAX_INPUTS 64

/* --- Mux: y = all inputs, one after the other ------------------------------------------------- */

static const WeirParameterSpec mux_parameters[] = {
  {
      .name = "inputs",
      .label = N_ ("Inputs"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "2",
      WEIR_FROM_TO (1, MAX_INPUTS),
      .help = N_ ("How many inputs there are."),
  },
};

static void
list_inputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_numbered (ports, "in", (guint) weir_arguments_get_integer (arguments, "inputs"));
}

static guint
mux_output_size (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED guint out)
{
  gint64 n = weir_arguments_get_integer (arguments, "inputs");
  guint size = 0;

  for (gint64 i = 0; i < n; i++)
    {
      if (sizes[i] == 0)
        return 0;
      size += sizes[i];
    }
  return size;
}

/* The data is the number of inputs. */
static WeirStatus
mux (const WeirCalc *c, double *y)
{
  const guint *n = weir_calc_data (c);

  for (guint i = 0; i < *n; i++)
    {
      WeirInput in = { (guint16) i };
      guint size = weir_calc_input_size (c, in);

      memcpy (y, weir_calc_input (c, in), size * sizeof *y);
      y += size;
    }
  return WEIR_OK;
}

static WeirSystem *
mux_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "inputs");
  WeirLeafBuilder *b = weir_leaf_builder_new ("Mux");

  for (guint i = 0; i < n; i++)
    weir_leaf_add_input (b, weir_numbered_name ("in", i), sizes[i]);
  weir_leaf_set_data (b, &n, sizeof n);
  weir_leaf_add_output (b, "y", mux_output_size (arguments, sizes, 0), mux,
                        WEIR_DEPENDS (WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_mux = {
  .name = "Mux",
  .title = N_ ("Mux"),
  .category = CATEGORY,
  .summary = N_ ("Joins its inputs to one vector."),
  WEIR_PARAMETERS (mux_parameters),
  .list_inputs = list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = mux_output_size,
  .build = mux_build,
};

/* --- Selector: y = the chosen elements of u --------------------------------------------------- */

typedef struct {
  guint n;
  guint elements[]; /* from 0 */
} Selection;

static const WeirInput U = { 0 };

static const WeirParameterSpec selector_parameters[] = {
  {
      .name = "elements",
      .label = N_ ("Elements"),
      .kind = WEIR_VALUE_VECTOR,
      .default_text = "1",
      WEIR_FROM_TO (1, 1e6),
      .help = N_ ("Which elements of the input to give, counted from 1: a number or a vector."),
  },
};

static void
selector_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  guint size;

  weir_arguments_get_vector (arguments, "elements", &size);
  weir_list_port (ports, "y", size);
}

static WeirStatus
selector (const WeirCalc *c, double *y)
{
  const Selection *selection = weir_calc_data (c);
  const double *u = weir_calc_input (c, U);

  for (guint i = 0; i < selection->n; i++)
    y[i] = u[selection->elements[i]];
  return WEIR_OK;
}

static WeirSystem *
selector_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  guint n;
  const double *elements = weir_arguments_get_vector (arguments, "elements", &n);
  gsize data_size = sizeof (Selection) + n * sizeof (guint);
  g_autofree Selection *selection = g_malloc0 (data_size);
  WeirLeafBuilder *b;
  WeirInput u;

  selection->n = n;
  for (guint i = 0; i < n; i++)
    {
      if (elements[i] != floor (elements[i]) || elements[i] > sizes[0])
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
                       "Element %g is chosen, but the input has elements 1 to %u.", elements[i],
                       sizes[0]);
          return NULL;
        }
      selection->elements[i] = (guint) elements[i] - 1;
    }

  b = weir_leaf_builder_new ("Selector");
  u = weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, selection, data_size);
  weir_leaf_add_output (b, "y", n, selector, WEIR_DEPENDS (weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_selector = {
  .name = "Selector",
  .title = N_ ("Selector"),
  .category = CATEGORY,
  .summary = N_ ("Picks elements of a vector."),
  WEIR_PARAMETERS (selector_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = selector_list_outputs,
  .build = selector_build,
};

/* --- Switch: y = in1 while the control fulfils the criterion, else in2 ------------------------ */

static const WeirInput IN1 = { 0 }, CONTROL = { 1 }, IN2 = { 2 };
static const WeirParameter THRESHOLD = { 0 };

enum { AT_LEAST, ABOVE, DIFFERENT };

static const char *const criteria[] = {
  [AT_LEAST] = ">=",
  [ABOVE] = ">",
  [DIFFERENT] = "!=",
  NULL,
};

typedef struct {
  guint criterion, size;
} SwitchData;

static const WeirParameterSpec switch_parameters[] = {
  {
      .name = "criterion",
      .label = N_ ("Criterion"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = ">=",
      .choices = criteria,
      .help = N_ ("How the control must compare with the threshold for the first input to pass."),
  },
  {
      .name = "threshold",
      .label = N_ ("Threshold"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0",
      WEIR_ANY,
      .help = N_ ("What the control is compared with."),
      .tunable = "threshold",
  },
};

static void
switch_list_inputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "in1", 0);
  weir_list_port (ports, "control", 1);
  weir_list_port (ports, "in2", 0);
}

static guint
switch_output_size (G_GNUC_UNUSED const WeirArguments *arguments, const guint *sizes,
                    G_GNUC_UNUSED guint out)
{
  const guint branches[] = { sizes[IN1.i], sizes[IN2.i] };

  return weir_widest (branches, 2, 1);
}

static gboolean
is_fulfilled (guint criterion, double control, double threshold)
{
  return criterion == AT_LEAST ? control >= threshold
         : criterion == ABOVE  ? control > threshold
                               : control != threshold;
}

/* Only the branch that passes is evaluated. */
static WeirStatus
switch_y (const WeirCalc *c, double *y)
{
  const SwitchData *data = weir_calc_data (c);
  double threshold = weir_calc_parameter (c, THRESHOLD)[0];
  const double *branch;
  double control;
  WeirInput taken;
  gboolean is_spread;

  if (!weir_calc_demand (c, CONTROL))
    return WEIR_PENDING;
  control = weir_calc_input (c, CONTROL)[0];
  if (isnan (control))
    return weir_calc_fail (c, "The control of a Switch is not a number.");

  taken = is_fulfilled (data->criterion, control, threshold) ? IN1 : IN2;
  if (!weir_calc_demand (c, taken))
    return WEIR_PENDING;
  branch = weir_calc_input (c, taken);
  is_spread = weir_calc_input_size (c, taken) == 1;
  for (guint i = 0; i < data->size; i++)
    y[i] = branch[is_spread ? 0 : i];
  return WEIR_OK;
}

static WeirStatus
switch_crossing (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, CONTROL)[0] - weir_calc_parameter (c, THRESHOLD)[0];
  return WEIR_OK;
}

static WeirSystem *
switch_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  SwitchData data = { .size = switch_output_size (arguments, sizes, 0) };
  WeirLeafBuilder *b;
  WeirTicket in1, control, in2, threshold;
  WeirOutput y;

  if (!weir_check_size ("Input in1", sizes[IN1.i], data.size, error)
      || !weir_check_size ("Input control", sizes[CONTROL.i], 1, error)
      || !weir_check_size ("Input in2", sizes[IN2.i], data.size, error))
    return NULL;
  while (strcmp (criteria[data.criterion], weir_arguments_get_text (arguments, "criterion")) != 0)
    data.criterion++;

  b = weir_leaf_builder_new ("Switch");
  in1 = weir_input_ticket (b, weir_leaf_add_input (b, "in1", sizes[IN1.i]));
  control = weir_input_ticket (b, weir_leaf_add_input (b, "control", 1));
  in2 = weir_input_ticket (b, weir_leaf_add_input (b, "in2", sizes[IN2.i]));
  threshold = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "threshold"));
  weir_leaf_set_data (b, &data, sizeof data);
  y = weir_leaf_add_output (b, "y", data.size, switch_y,
                            WEIR_DEPENDS (in1, control, in2, threshold));
  weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  weir_leaf_add_break (b, weir_on_crossing (weir_leaf_add_cache_entry (
                                                b, "crossing", 1, switch_crossing,
                                                WEIR_DEPENDS (control, threshold)),
                                            WEIR_CROSSES));
  return weir_leaf_builder_build (b);
}

const WeirBlockType weir_block_switch = {
  .name = "Switch",
  .title = N_ ("Switch"),
  .category = CATEGORY,
  .summary = N_ ("Passes one of two inputs; the other is not evaluated."),
  WEIR_PARAMETERS (switch_parameters),
  .list_inputs = switch_list_inputs,
  .list_outputs = weir_list_y,
  .get_output_size = switch_output_size,
  .build = switch_build,
};
