/* What families of blocks are written with.
 *
 * A family is a file: its types, each with what its leaf computes before it, and at the end the
 * list of them (WEIR_FAMILY). Most leaves are a table too (WEIR_LEAF): a kernel, what it reads by
 * name, where it jumps. Where more has to be decided, a build function declares the leaf.
 */
#pragma once

#include "base/text.h"
#include "blocks/types/block-type.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

#include <float.h>
#include <math.h>

G_BEGIN_DECLS

/* Limits of a parameter. */
#define WEIR_ANY .minimum = -INFINITY, .maximum = INFINITY
#define WEIR_AT_LEAST(low) .minimum = (low), .maximum = INFINITY
#define WEIR_MORE_THAN(low) .minimum = (low), .maximum = INFINITY, .exclusive_minimum = TRUE
#define WEIR_FROM_TO(low, high) .minimum = (low), .maximum = (high)

/* The table of parameters, with its length. */
#define WEIR_PARAMETERS(table) .parameters = (table), .n_parameters = G_N_ELEMENTS (table)

/* A number that can change while running. */
#define WEIR_TUNABLE_NUMBER(name_, label_, default_, help_, ...)                                   \
  {                                                                                                \
    .name = name_, .label = label_, .kind = WEIR_VALUE_NUMBER, .default_text = default_,           \
    .help = help_, .tunable = name_, __VA_ARGS__                                                   \
  }

/* When a discrete block is updated. */
#define WEIR_PERIOD(default_)                                                                      \
  {                                                                                                \
    .name = "period", .label = N_ ("Period"), .kind = WEIR_VALUE_NUMBER, .default_text = default_, \
    WEIR_MORE_THAN (0), .unit = "s", .help = N_ ("The time from one update to the next."),         \
  }

#define WEIR_OFFSET                                                                                \
  {                                                                                                \
    .name = "offset", .label = N_ ("Offset"), .kind = WEIR_VALUE_NUMBER, .default_text = "0",      \
    WEIR_AT_LEAST (0), .unit = "s", .help = N_ ("The time of the first update."),                  \
  }

/* What the state is at the start, a number or one for each element. */
#define WEIR_INITIAL(help_)                                                                        \
  {                                                                                                \
    .name = "initial", .is_initial = TRUE, .label = N_ ("Initial value"),                          \
    .kind = WEIR_VALUE_VECTOR, .default_text = "0", WEIR_ANY, .help = help_,                       \
  }

/* A witness of leaving the cell from @low to @high that the state says @x is in; ends may be
 * infinite. Never zero: its sign is that of @phase, 1 or -1 (0 before a run), while @is_inside,
 * else the other. The event that moves the state on turns the phase round: so it is seen at once
 * where @x is outside still, and nothing crosses where it is inside. */
double weir_cell_witness (double x, double low, double high, gboolean is_inside, double phase);
/* What the event does: the state becomes @cell, which it may be already (FALSE). */
gboolean weir_cell_enter (double cell, double *state, double *phase);

/* Ports named "u" and "y", of the size of what is connected; then of size 1. */
void weir_list_u (const WeirArguments *arguments, GArray *ports);
void weir_list_y (const WeirArguments *arguments, GArray *ports);
void weir_list_scalar_u (const WeirArguments *arguments, GArray *ports);
void weir_list_scalar_y (const WeirArguments *arguments, GArray *ports);
void weir_list_port (GArray *ports, const char *name, guint size);
void weir_list_port_in (GArray *ports, const char *name, guint size, const char *unit);
/* in1, in2, ... */
void weir_list_numbered (GArray *ports, const char *stem, guint n);
/* The name of the i-th of them, from 0; lives as long as the program. */
const char *weir_numbered_name (const char *stem, guint i);

/* The largest size; 0 while none is known. A size of 1 is only final when all are known, since a
 * scalar spreads over the elements of a vector. */
guint weir_widest (const guint *sizes, guint n, guint also);

/* The size of the first input together with that of a vector parameter. */
guint weir_size_with (const WeirArguments *arguments, const char *parameter, const guint *sizes);
/* The size of the output where the parameter "initial" fits the input, so that the state and every
 * update have one size: a WeirBlockType's get_output_size(). */
guint weir_size_with_initial (const WeirArguments *arguments, const guint *sizes, guint out);

/* Checks that @size is 1 or @common. @what: "input in2", "the gain". */
gboolean weir_check_size (const char *what, guint size, guint common, GError **error);

/* The value of a vector parameter with @size elements: as given, or one value repeated. (transfer
 * full) NULL and @error if it has another size. */
double *weir_arguments_dup_vector_of_size (const WeirArguments *arguments, const char *parameter,
                                           guint size, GError **error);

/* Does the block work in steps, of its parameter "period"? Forms of one block in continuous time
 * and in steps are built alike. */
gboolean weir_arguments_is_sampled (const WeirArguments *arguments);

/* Declares a tunable parameter of the leaf with the block parameter's value. */
WeirParameter weir_leaf_add_tunable (WeirLeafBuilder *b, const WeirArguments *arguments,
                                     const char *parameter);

/* At offset + n period, by the parameters of these names. */
WeirTrigger weir_every_period (const WeirArguments *arguments);

/* For a lazy output that is one of the inputs: demands @in alone and copies it to @y, a scalar to
 * each of its @size elements. */
WeirStatus weir_calc_pass (const WeirCalc *c, WeirInput in, guint size, double *y);

/* --- Leaves that a table says all of --------------------------------------------------------- */

/* A value of a leaf, by name. What it reads is named too: "t" (time), the leaf's inputs, tunable
 * parameters and discrete state by their names, its continuous state as "q", "v", "z". A name that
 * the leaf does not have ends the program, with the type, when it is built first: a test builds
 * them all. */
typedef struct {
  const char *name;
  WeirKernel kernel;        /* element by element; or */
  WeirCalcFunc calc;        /* all at once; or neither: what it reads is shown as it is */
  const char *const *reads; /* ends in NULL; NULL = all inputs, and of a calc all sources */
  guint n;                  /* of kinks: for each element of the first output; 0 = 1 */
} WeirLeafValue;

#define WEIR_READS(...) ((const char *const[]) { __VA_ARGS__, NULL })
#define WEIR_NOTHING_READ ((const char *const[]) { NULL })

/* State. Its start is that of parameters of the block, or 0. */
typedef struct {
  guint nq, nv, nz;
  gboolean is_for_each;       /* nz for each element of the output, whose size the state has ... */
  gboolean is_of_input;       /* ... or of the first input, which it must fit */
  const char *const *initial; /* a vector for all, or a number for each of q, v, z; NULL = 0 */
} WeirLeafState;

/* Discrete state as large as the first input, changed by one update. */
typedef struct {
  const char *name; /* NULL = there is none */
  WeirUpdateFunc update;
  gboolean is_on_each_step;   /* else by the parameters period and offset */
  const char *const *initial; /* as above */
} WeirLeafGroup;

/* What a leaf is made of, in the order in which it is declared: the type's inputs, its tunable
 * parameters in their order, states, derivatives, outputs, events. */
struct _WeirLeafTable {
  /* Do arguments and sizes fit each other? What single values and the sizes of the ports say is
   * checked without. NULL = yes. */
  gboolean (*accept) (const WeirArguments *arguments, const guint *sizes, GError **error);
  guint64 (*get_variant) (const WeirArguments *arguments); /* of the kernels; NULL = 0 */
  WeirLeafGroup group;
  WeirLeafState state;
  WeirLeafValue derivatives; /* no name */
  WeirLeafValue y;           /* the first output; no name = there is none */
  WeirLeafValue kinks; /* zero where the leaf has a kink or a jump; no name = there are none */
  WeirNextTimeFunc next_jump; /* where it has them in time; NULL = nowhere */
  WeirPhaseFunc phase;        /* the one that it has, or NULL */
};

WeirSystem *weir_build_from_table (const WeirArguments *arguments, const guint *sizes,
                                   GError **error);

/* Of a type: its leaf is made from this table. */
#define WEIR_LEAF(...)                                                                             \
  .build = weir_build_from_table, .leaf = &(const WeirLeafTable)                                   \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

/* --- Positions ------------------------------------------------------------------------------- */

/* The constant @place_ and the name of what stands there. Constants that computations use are all
 * listed: a test finds those that are not. */
#define WEIR_POSITION(place_, name_)                                                               \
  {                                                                                                \
    .name = name_, .kind = WEIR_POSITION_KIND (place_), .place = &(place_).i                       \
  }
/* clang-format off */
#define WEIR_POSITION_KIND(place_)                                                                 \
  _Generic ((place_), WeirInput: WEIR_POSITION_INPUT, WeirParameter: WEIR_POSITION_PARAMETER,      \
            WeirGroup: WEIR_POSITION_GROUP, WeirCached: WEIR_POSITION_CACHED)
/* clang-format on */
#define WEIR_POSITIONS(...)                                                                        \
  .positions = (const WeirPosition[])                                                              \
  {                                                                                                \
    __VA_ARGS__,                                                                                   \
    {                                                                                              \
      NULL                                                                                         \
    }                                                                                              \
  }

/* --- The past -------------------------------------------------------------------------------- */

/* The past of values, kept as declared state, so that checkpoints, verify and every solver know it.
 *
 * The state is a count and another number, then that many rows, oldest first: the time, the order
 * of the break that begins there (0 = none), and the values then. Rows are kept at the ends of
 * steps, as near to each other as the values ask for, up to eight times as near as the points are.
 * Where the values break off (they jump, or a derivative does) there are two rows for one instant,
 * and nothing is interpolated across: in between, what is read is the cubic through the four
 * nearest rows of one side, whose error is of the fourth order.
 *
 * A break comes back when the delay is over. In a loop it is then smoother by one derivative, so
 * that it is passed on WEIR_PAST_MAX_ORDER times at most. Thread: the descriptor is *immutable*.
 */
#define WEIR_PAST_MAX_ORDER 6
#define WEIR_PAST_DEFAULT_POINTS 64

typedef struct {
  double delay;     /* the longest, s */
  guint32 size;     /* values in a row */
  guint32 n_points; /* steps within the delay, at least */
  guint32 capacity; /* rows */
  guint32
      filler; /* 0: the data of a leaf have no holes, as its fingerprint is taken of every byte */
} WeirPast;

WeirPast weir_past_make (double delay, guint32 size, guint32 n_points);
/* Whether it is of a size that may be, and its steps of a length that is more than none; else a
 * sentence. To be asked before the following. */
gboolean weir_past_check (const WeirPast *self, GError **error);
/* Doubles of the state; it starts as zeros. */
gsize weir_past_get_n_numbers (const WeirPast *self);

/* Element @from and the @n - 1 after it at the time @then, as seen at @t. FALSE, and nothing is
 * written, if that is before the first row. */
gboolean weir_past_read (const WeirPast *self, const double *past, double t, double then,
                         guint32 from, guint32 n, double *values);
/* The same, where @then may be as late as @t; @now: the @n values at @t. Near to it, what is read
 * is the polynomial through them and the last three rows. */
gboolean weir_past_read_until (const WeirPast *self, const double *past, double t, double then,
                               guint32 from, guint32 n, const double *now, double *values);
/* The first row's values; NULL if there is no row yet. */
const double *weir_past_get_first (const WeirPast *self, const double *past);
/* The next instant after @after at which a break comes back after the whole delay; infinity
 * = none. */
double weir_past_find_break (const WeirPast *self, const double *past, double after);
/* The next instant after @after at which a step should end that may read what it is about to keep:
 * steps grow from nearly nothing behind each break; infinity = none. */
double weir_past_find_short_step (const WeirPast *self, const double *past, double after);
/* The next instant after @after at which a step should end, so that what is read between rows is
 * right to a few times @accuracy (relative; 0 = not set). */
double weir_past_find_row (const WeirPast *self, const double *past, double accuracy, double after);
/* How far @then is behind (positive) or before the nearest instant with a break. */
double weir_past_get_distance (const WeirPast *self, const double *past, double then);
/* The order of the break that comes back at @t, 1 being a jump; 0 = none. */
guint weir_past_get_order (const WeirPast *self, const double *past, double t);

/* A publish that does nothing: its period ends steps, so that there are rows enough. */
WeirStatus weir_past_end_step (const WeirCalc *c, gint64 n);
/* For an update on both sides of each step: keeps @values, of now. @order: of the break that comes
 * back now, 0 = none. @is_anew: the step that begins now does, so that there may be a kink. */
WeirStatus weir_past_keep (const WeirPast *self, const WeirCalc *c, const double *values,
                           guint order, gboolean is_anew, double *past);

/* --- Families -------------------------------------------------------------------------------- */

/* Ends a family's file, called as it is (- as _): lists its types, which are static, so that the
 * compiler tells of one left out. */
#define WEIR_FAMILY(name, ...)                                                                     \
  extern const WeirBlockType *const weir_family_##name[];                                          \
  const WeirBlockType *const weir_family_##name[] = { __VA_ARGS__, NULL }

/* All of them; made by meson.build from the names of the files. */
extern const WeirBlockType *const *const *const weir_families; /* ends in NULL */

G_END_DECLS
