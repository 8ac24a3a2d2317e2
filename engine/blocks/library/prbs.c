/* A pseudo-random binary sequence: two levels in turn as a shift register with feedback tells, so
 * that all patterns of its length but one appear, once each, within 2^order - 1 periods.
 *
 * The bit shifted in is the sum (modulo 2) of bits of the register, those of a primitive
 * polynomial; the table has one for each order (Alfke, Efficient Shift Registers, LFSR Counters,
 * and Long Pseudo-Random Sequence Generators, 1996). The output is the bit that left last. Within
 * its period the sequence has one high level more than low ones, and its autocorrelation is -1 /
 * (2^order - 1) everywhere but at 0: nearly white.
 */
#include "blocks/types/family.h"

#define CATEGORY N_ ("Sources")
#define MIN_ORDER 2
#define MAX_ORDER 31

static const WeirGroup REGISTER = { 0 };
static const WeirParameter LOW = { 0 }, HIGH = { 1 };

/* Exponents of the polynomial between 0 and the order; 0 = no more. */
static const guint8 middles[MAX_ORDER + 1][3] = {
  [2] = { 1 },        [3] = { 2 },        [4] = { 3 },           [5] = { 3 },
  [6] = { 5 },        [7] = { 6 },        [8] = { 6, 5, 4 },     [9] = { 5 },
  [10] = { 7 },       [11] = { 9 },       [12] = { 6, 4, 1 },    [13] = { 4, 3, 1 },
  [14] = { 5, 3, 1 }, [15] = { 14 },      [16] = { 15, 13, 4 },  [17] = { 14 },
  [18] = { 11 },      [19] = { 6, 2, 1 }, [20] = { 17 },         [21] = { 19 },
  [22] = { 21 },      [23] = { 18 },      [24] = { 23, 22, 17 }, [25] = { 22 },
  [26] = { 6, 2, 1 }, [27] = { 5, 2, 1 }, [28] = { 25 },         [29] = { 27 },
  [30] = { 6, 4, 1 }, [31] = { 28 },
};

/* The data is the order. Bit 0 of the register is the output; what is shifted in comes in at the
 * other end. */
static guint32
shift (guint order, guint32 bits)
{
  guint32 sum = bits;

  for (guint i = 0; i < G_N_ELEMENTS (middles[order]) && middles[order][i] != 0; i++)
    sum ^= bits >> middles[order][i];
  return bits >> 1 | (sum & 1) << (order - 1);
}

/* The register as the state has it: never empty, whatever a file says. */
static guint32
get_register (double state, guint order)
{
  double last = ldexp (1, (int) order) - 1;

  return state >= 1 && state <= last ? (guint32) state : 1;
}

static WeirStatus
prbs_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  guint order = *(const guint32 *) weir_calc_data (c);

  next[0] = shift (order, get_register (weir_calc_discrete (c, REGISTER)[0], order));
  return WEIR_OK;
}

static WeirStatus
prbs_y (const WeirCalc *c, double *y)
{
  guint order = *(const guint32 *) weir_calc_data (c);
  guint32 bits = get_register (weir_calc_discrete (c, REGISTER)[0], order);

  y[0] = weir_calc_parameter (c, (bits & 1) != 0 ? HIGH : LOW)[0];
  return WEIR_OK;
}

static WeirStatus
prbs_y_tangent (const WeirCalc *c, const WeirCalc *d, double *y)
{
  guint order = *(const guint32 *) weir_calc_data (c);
  guint32 bits = get_register (weir_calc_discrete (c, REGISTER)[0], order);

  y[0] = weir_calc_parameter (d, (bits & 1) != 0 ? HIGH : LOW)[0];
  return WEIR_OK;
}

static const WeirParameterSpec prbs_parameters[] = {
  {
      .name = "order",
      .label = N_ ("Order"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "7",
      WEIR_FROM_TO (MIN_ORDER, MAX_ORDER),
      .help = N_ ("The sequence begins anew after 2 to this power, less 1, periods."),
  },
  WEIR_TUNABLE_NUMBER ("low", N_ ("Low level"), "-1", N_ ("The output where the bit is 0."),
                       WEIR_ANY),
  WEIR_TUNABLE_NUMBER ("high", N_ ("High level"), "1", N_ ("The output where the bit is 1."),
                       WEIR_ANY),
  {
      .name = "seed",
      .label = N_ ("Seed"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "1",
      WEIR_FROM_TO (0, 1e15),
      .help = N_ ("Where in the sequence it begins."),
  },
  {
      .name = "period",
      .label = N_ ("Period"),
      .kind = WEIR_VALUE_NUMBER,
      .default_text = "0.1",
      WEIR_MORE_THAN (0),
      .unit = "s",
      .help = N_ ("How long each bit holds."),
  },
};

static WeirSystem *
prbs_build (const WeirArguments *arguments, G_GNUC_UNUSED const guint *sizes,
            G_GNUC_UNUSED GError **error)
{
  guint32 order = (guint32) weir_arguments_get_integer (arguments, "order");
  double period = weir_arguments_get_number (arguments, "period");
  guint64 seed = (guint64) weir_arguments_get_integer (arguments, "seed");
  double first = (double) (1 + seed % ((G_GUINT64_CONSTANT (1) << order) - 1));
  WeirLeafBuilder *b = weir_leaf_builder_new ("PRBS");
  WeirTicket low, high, bits;

  weir_leaf_set_data (b, &order, sizeof order);
  low = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "low"));
  high = weir_parameter_ticket (b, weir_leaf_add_tunable (b, arguments, "high"));
  bits = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "register", &first, 1));
  weir_leaf_add_output (b, "y", 1, prbs_y, WEIR_DEPENDS (bits, low, high));
  weir_leaf_add_periodic_update (b, REGISTER, period, period, prbs_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType prbs_type = {
  .name = "PRBS",
  .title = N_ ("Pseudo-Random Binary"),
  .category = CATEGORY,
  .summary = N_ (
      "Gives two levels in turn by a shift register: nearly white, and periodic (PRBS)."),
  WEIR_PARAMETERS (prbs_parameters),
  .list_outputs = weir_list_scalar_y,
  .build = prbs_build,
  WEIR_POSITIONS (WEIR_POSITION (LOW, "low"), WEIR_POSITION (HIGH, "high"),
                  WEIR_POSITION (REGISTER, "register")),
};

WEIR_FAMILY (prbs, &prbs_type);
