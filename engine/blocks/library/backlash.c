/* Backlash: the play between two gears. y stays where it is while u moves within the gap, and is
 * pushed along at either side: y = u - gap / 2 where u goes up, u + gap / 2 where it goes down.
 *
 * Where y was at the end of the last step is state. Within a step y is that, held between u - gap /
 * 2 and u + gap / 2, so that the state is a function of what is accepted alone. The step ends where
 * a side is met, and where u turns while a side pushes: that far y gets.
 */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Mathematics")

static const WeirInput U = { 0 };
static const WeirGroup HELD = { 0 }, PUSHING = { 1 };
static const WeirParameter GAP = { 0 };

/* Not a number stays not a number. */
WEIR_KERNEL_3 (play, held, u, gap,
               held<u - gap / 2 ? u - gap / 2 : held> u + gap / 2 ? u + gap / 2
               : u == u                                           ? held
                                                                  : u)

/* Which sides push, as bits: the lower one of the gap, that moves y up, and the upper one. */
enum { LOWER = 1, UPPER = 2 };

/* Rises through zero where a side is met: the lower for all elements, then the upper. A side that
 * pushes already has nothing to meet, and the same sign. */
static WeirStatus
contacts (const WeirCalc *c, double *w)
{
  guint n = weir_calc_input_size (c, U);
  const double *u = weir_calc_input (c, U), *held = weir_calc_discrete (c, HELD);
  const double *pushing = weir_calc_discrete (c, PUSHING);
  double half = weir_calc_parameter (c, GAP)[0] / 2;

  for (guint i = 0; i < n; i++)
    {
      w[i] = pushing[i] == LOWER || pushing[i] == (LOWER | UPPER) ? 1 : u[i] - half - held[i];
      w[n + i] = pushing[i] >= UPPER ? 1 : held[i] - (u[i] + half);
    }
  return WEIR_OK;
}

/* How far along u pushes, either way. */
static WeirStatus
pushes (const WeirCalc *c, double *w)
{
  const double *u = weir_calc_input (c, U), *pushing = weir_calc_discrete (c, PUSHING);

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    w[i] = pushing[i] == LOWER ? u[i] : pushing[i] == UPPER ? -u[i] : 0;
  return WEIR_OK;
}

/* On both sides of each step, and so is the next. */
static WeirStatus
keep_held (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *held = weir_calc_discrete (c, HELD);
  double half = weir_calc_parameter (c, GAP)[0] / 2;
  gboolean is_same = TRUE;

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      next[i] = held[i] < u[i] - half ? u[i] - half : held[i] > u[i] + half ? u[i] + half : held[i];
      is_same = is_same && next[i] == held[i];
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static WeirStatus
keep_pushing (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *u = weir_calc_input (c, U), *held = weir_calc_discrete (c, HELD);
  const double *pushing = weir_calc_discrete (c, PUSHING);
  double half = weir_calc_parameter (c, GAP)[0] / 2;
  gboolean is_same = TRUE;

  for (guint i = 0; i < weir_calc_input_size (c, U); i++)
    {
      next[i] = (held[i] <= u[i] - half ? LOWER : 0) | (held[i] >= u[i] + half ? UPPER : 0);
      is_same = is_same && next[i] == pushing[i];
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}

static const WeirParameterSpec backlash_parameters[] = {
  WEIR_TUNABLE_NUMBER ("gap", N_ ("Gap"), "1",
                       N_ ("How far the input moves from one side to the other."),
                       WEIR_AT_LEAST (0)),
  WEIR_INITIAL (N_ ("The output at the start, if the input is within the gap around it: a number, "
                    "or one for each element.")),
};

static WeirSystem *
backlash_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  g_autofree double *initial = weir_arguments_dup_vector_of_size (arguments, "initial", sizes[0],
                                                                  error);
  g_autofree double *free_of_both = g_new0 (double, sizes[0]);
  WeirTicket u, gap, held, pushing;
  WeirLeafBuilder *b;
  WeirCached contact, push;

  if (initial == NULL)
    return NULL;
  b = weir_leaf_builder_new ("Backlash");
  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", sizes[0]));
  gap = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "gap"));
  held = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "held", initial, sizes[0]));
  pushing = weir_group_ticket (b,
                               weir_leaf_add_discrete_state (b, "pushing", free_of_both, sizes[0]));
  weir_leaf_add_output_kernel (b, "y", sizes[0], play, 0, WEIR_DEPENDS (held, u, gap));
  contact = weir_leaf_add_cache_entry (b, "contact", 2 * sizes[0], contacts,
                                       WEIR_DEPENDS (held, pushing, u, gap));
  push = weir_leaf_add_cache_entry (b, "push", sizes[0], pushes, WEIR_DEPENDS (pushing, u));
  weir_leaf_add_break (b, weir_on_crossing (contact, WEIR_RISING));
  weir_leaf_add_break (b, weir_on_turn (push));
  weir_leaf_add_update (b, weir_on_both_sides (), HELD, keep_held);
  weir_leaf_add_update (b, weir_on_both_sides (), PUSHING, keep_pushing);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType backlash_type = {
  .name = "Backlash",
  .title = N_ ("Backlash"),
  .category = CATEGORY,
  .summary = N_ (
      "Follows its input with play, like a gear: it stays while the input is in the gap."),
  WEIR_PARAMETERS (backlash_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .get_output_size = weir_size_with_initial,
  .build = backlash_build,
  .units = WEIR_UNITS_SAME,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (GAP, "gap"), WEIR_POSITION (HELD, "held"),
                  WEIR_POSITION (PUSHING, "pushing")),
};

WEIR_FAMILY (backlash, &backlash_type);
