/* Detectors: blocks that watch a signal and act at an instant. Hit crossing, edge, stop. */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Logic")
#define CATEGORY_SINKS N_ ("Sinks")

static const WeirInput U = { 0 };
static const WeirParameter LEVEL = { 0 };

static const char *const directions[] = { "rising", "falling", "both", NULL };

static WeirDirection
get_direction (const WeirArguments *arguments)
{
  const char *text = weir_arguments_get_text (arguments, "direction");

  return strcmp (text, "rising") == 0    ? WEIR_RISING
         : strcmp (text, "falling") == 0 ? WEIR_FALLING
                                         : WEIR_CROSSES;
}

static WeirStatus
distance_from_level (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_input (c, U)[0] - weir_calc_parameter (c, LEVEL)[0];
  return WEIR_OK;
}

#define DIRECTION                                                                                  \
  {                                                                                                \
    .name = "direction", .label = N_ ("Direction"), .kind = WEIR_VALUE_CHOICE,                     \
    .default_text = "rising", .choices = directions,                                               \
    .help = N_ ("Whether a rise, a fall or both count."),                                          \
  }

/* --- Hit crossing: how often, and when last -------------------------------------------------- */

static const WeirGroup COUNT = { 0 }, INSTANT = { 1 };

static WeirStatus
note_hit (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  weir_next_state_discrete (next, COUNT)[0] += 1;
  weir_next_state_discrete (next, INSTANT)[0] = weir_calc_time (c);
  return WEIR_OK;
}

static void
hit_list_outputs (G_GNUC_UNUSED const WeirArguments *arguments, GArray *ports)
{
  weir_list_port (ports, "count", 1);
  weir_list_port (ports, "time", 1);
}

static const WeirParameterSpec hit_parameters[] = {
  WEIR_TUNABLE_NUMBER ("level", N_ ("Level"), "0", N_ ("What the input must pass."), WEIR_ANY),
  DIRECTION,
};

static WeirSystem *
hit_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  WeirTicket u, level, count, instant;
  WeirLeafBuilder *b;
  WeirCached distance;

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("HitCrossing");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  level = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "level"));
  count = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "count", (double[]) { 0 }, 1));
  instant = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "time", (double[]) { 0 }, 1));
  weir_leaf_add_output_window (b, "count", count);
  weir_leaf_add_output_window (b, "time", instant);
  distance = weir_leaf_add_cache_entry (b, "distance", 1, distance_from_level,
                                        WEIR_DEPENDS (u, level));
  weir_leaf_add_unrestricted_update (
      b, weir_at_edge (weir_on_crossing (distance, get_direction (arguments))), note_hit);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType hit_crossing_type = {
  .name = "HitCrossing",
  .title = N_ ("Hit Crossing"),
  .category = CATEGORY,
  .summary = N_ ("Counts how often its input passes a level, and tells when it last did."),
  WEIR_PARAMETERS (hit_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = hit_list_outputs,
  .build = hit_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LEVEL, "level"),
                  WEIR_POSITION (COUNT, "count"), WEIR_POSITION (INSTANT, "time")),
};

/* --- Edge detector: y = 1 for a period after u went from false to true ----------------------- */

static const WeirGroup BEFORE = { 0 }, EDGE = { 1 };

static WeirStatus
edge_remember (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    next[i] = weir_calc_input (c, U)[i] != 0;
  return WEIR_OK;
}

/* The data is the direction. */
static WeirStatus
edge_detect (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirDirection *direction = weir_calc_data (c);
  const double *before = weir_calc_discrete (c, BEFORE);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      gboolean is_true = weir_calc_input (c, U)[i] != 0, was_true = before[i] != 0;

      next[i] = is_true != was_true
                && (*direction == WEIR_CROSSES || (*direction == WEIR_RISING) == is_true);
    }
  return WEIR_OK;
}

static const WeirParameterSpec edge_parameters[] = {
  DIRECTION,
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static WeirSystem *
edge_build (const WeirArguments *arguments, const guint *sizes, G_GNUC_UNUSED GError **error)
{
  double period = weir_arguments_get_number (arguments, "period");
  double offset = weir_arguments_get_number (arguments, "offset");
  WeirDirection direction = get_direction (arguments);
  g_autofree double *none = g_new0 (double, sizes[0]);
  WeirLeafBuilder *b = weir_leaf_builder_new ("EdgeDetector");
  WeirGroup edge;

  weir_leaf_add_input (b, "u", sizes[0]);
  weir_leaf_set_data (b, &direction, sizeof direction);
  weir_leaf_add_discrete_state (b, "before", none, sizes[0]);
  edge = weir_leaf_add_discrete_state (b, "edge", none, sizes[0]);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, edge));
  weir_leaf_add_periodic_update (b, BEFORE, period, offset, edge_remember);
  weir_leaf_add_periodic_update (b, EDGE, period, offset, edge_detect);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType edge_detector_type = {
  .name = "EdgeDetector",
  .title = N_ ("Edge Detector"),
  .category = CATEGORY,
  .summary = N_ ("Samples its input and gives 1 for a period after it became true (not 0)."),
  WEIR_PARAMETERS (edge_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = edge_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (BEFORE, "before"),
                  WEIR_POSITION (EDGE, "edge")),
};

/* --- Stop ------------------------------------------------------------------------------------ */

/* The data is the message. */
static WeirStatus
stop (const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  const char *message = weir_calc_data (c);

  if (!(weir_calc_input (c, U)[0] > weir_calc_parameter (c, LEVEL)[0]))
    return WEIR_DID_NOTHING;
  weir_calc_note (c, "%s", message);
  return WEIR_TERMINATE;
}

static WeirStatus
stop_at_crossing (const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  const char *message = weir_calc_data (c);

  weir_calc_note (c, "%s", message);
  return WEIR_TERMINATE;
}

static const WeirParameterSpec stop_parameters[] = {
  WEIR_TUNABLE_NUMBER ("level", N_ ("Level"), "0",
                       N_ ("The run ends where the input rises above this."), WEIR_ANY),
  {
      .name = "message",
      .label = N_ ("Message"),
      .kind = WEIR_VALUE_TEXT,
      .default_text = "the run ends here",
      .help = N_ ("What is told then."),
  },
};

static WeirSystem *
stop_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  const char *message = weir_arguments_get_text (arguments, "message");
  WeirTicket u, level;
  WeirLeafBuilder *b;
  WeirCached distance;

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  b = weir_leaf_builder_new ("Stop");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  level = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "level"));
  weir_leaf_set_data (b, message, strlen (message) + 1);
  distance = weir_leaf_add_cache_entry (b, "distance", 1, distance_from_level,
                                        WEIR_DEPENDS (u, level));
  weir_leaf_add_publish (b, weir_on_initialization (), stop);
  weir_leaf_add_publish (b, weir_at_edge (weir_on_change_of_sign (distance, WEIR_RISING)),
                         stop_at_crossing);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType stop_type = {
  .name = "Stop",
  .title = N_ ("Stop"),
  .category = CATEGORY_SINKS,
  .summary = N_ (
      "Ends the run where its input rises above a level, such as from false (0) to true."),
  WEIR_PARAMETERS (stop_parameters),
  .list_inputs = weir_list_scalar_u,
  .build = stop_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (LEVEL, "level")),
};

WEIR_FAMILY (detectors, &hit_crossing_type, &edge_detector_type, &stop_type);
