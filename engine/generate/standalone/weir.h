/* What generated models and what runs them share: the words that Weir's own calculations are
 * written with, in plain C11, and what an instance of a model is to its integrator.
 *
 * Nothing here allocates, prints or keeps anything between calls. Every value of an instance is a
 * double in one row: parameters, inputs, discrete state, values. Calculations find theirs by places
 * in it, which are constants, so that what is inlined is a plain load.
 */
#ifndef WEIR_H
#define WEIR_H

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int gboolean;
typedef int gint;
typedef unsigned guint;
typedef int8_t gint8;
typedef uint8_t guint8;
typedef uint16_t guint16;
typedef int32_t gint32;
typedef uint32_t guint32;
typedef int64_t gint64;
typedef uint64_t guint64;
typedef size_t gsize;
typedef ptrdiff_t gssize;
typedef void *gpointer;
typedef const void *gconstpointer;

#define TRUE 1
#define FALSE 0
#define G_MAXUINT UINT32_MAX
#define G_MAXUINT16 UINT16_MAX
#define G_MAXUINT32 UINT32_MAX
#define G_PI 3.1415926535897932384626433832795028841971693993751
#define G_GINT64_FORMAT PRId64
#define G_GUINT64_FORMAT PRIu64
#define G_GINT64_MODIFIER "l"
#define G_MAXSIZE SIZE_MAX
#define G_MAXINT64 INT64_MAX
#define G_GUINT64_CONSTANT(c) UINT64_C (c)
#define G_GINT64_CONSTANT(c) INT64_C (c)
#define G_N_ELEMENTS(array) (sizeof (array) / sizeof (array)[0])
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define CLAMP(x, low, high) ((x) > (high) ? (high) : (x) < (low) ? (low) : (x))
#ifdef __GNUC__
#define G_LIKELY(condition) __builtin_expect ((condition) != 0, 1)
#define G_UNLIKELY(condition) __builtin_expect ((condition) != 0, 0)
#define G_GNUC_UNUSED __attribute__ ((unused))
#define G_GNUC_PRINTF(text, first) __attribute__ ((format (printf, text, first)))
#else
#define G_LIKELY(condition) (condition)
#define G_UNLIKELY(condition) (condition)
#define G_GNUC_UNUSED
#define G_GNUC_PRINTF(text, first)
#endif
#define G_GNUC_NO_INLINE
/* Of blocks' own functions, in models that call few. */
#if defined WEIR_HAS_FEW_CALLS && defined __OPTIMIZE__ && !defined __OPTIMIZE_SIZE__
#define WEIR_INLINE inline __attribute__ ((always_inline))
#else
#define WEIR_INLINE inline
#endif
#define g_assert(condition) ((void) (condition))
#define WEIR_RESTRICT restrict

typedef enum {
  WEIR_OK = 0,
  WEIR_PENDING,
  WEIR_FAILED,
  WEIR_TERMINATE,
  WEIR_DID_NOTHING,
} WeirStatus;

/* Numbers of an input, a parameter, ... of a block. */
typedef struct {
  guint16 i;
} WeirInput;
typedef struct {
  guint16 i;
} WeirOutput;
typedef struct {
  guint16 i;
} WeirParameter;
typedef struct {
  guint16 i;
} WeirGroup;
typedef struct {
  guint16 i;
} WeirCached;
typedef struct {
  guint32 i;
} WeirNode;
typedef struct {
  guint32 i;
} WeirEntry;
#define WEIR_NO_INDEX G_MAXUINT32

/* --- Instances ------------------------------------------------------------------------------- */

typedef enum {
  WEIR_TRIGGER_PERIODIC,
  WEIR_TRIGGER_INITIALIZATION,
  WEIR_TRIGGER_PER_STEP,
  WEIR_TRIGGER_TIMED,
  WEIR_TRIGGER_CROSSING,
  WEIR_TRIGGER_FORCED,
  WEIR_TRIGGER_SIDES,
} WeirTriggerKind;

typedef enum {
  WEIR_ACTION_PUBLISH,
  WEIR_ACTION_DISCRETE_UPDATE,
  WEIR_ACTION_RESET,
  WEIR_ACTION_UNRESTRICTED_UPDATE,
  WEIR_ACTION_BREAK,
} WeirAction;

typedef enum {
  WEIR_FALLING = -1,
  WEIR_CROSSES = 0,
  WEIR_RISING = 1,
  WEIR_TURNS = 2,
} WeirDirection;

/* A value of an instance. */
typedef struct {
  guint32 space; /* where: see the following */
  guint32 offset;
} WeirPlace;
enum { WEIR_IN_ROW, WEIR_IN_STATE, WEIR_IN_TIME, WEIR_IN_ACCURACY };

/* What a block has, and where. */
typedef struct {
  const char *path;
  const WeirPlace *inputs;
  const guint32 *input_sizes;
  const guint32 *parameters, *parameter_sizes, *groups, *group_sizes, *cached; /* in the row */
  guint32 state, nq, nv, nz;
  guint32 n_groups;
  gconstpointer data;
} WeirLeaf;

#define WEIR_RANK_MEMORY 1
#define WEIR_RANK_EDGE 2

/* An event that a block declares. */
typedef struct {
  WeirNode node;
  WeirTriggerKind trigger;
  WeirAction action;
  WeirGroup group;
  guint32 size;
  double period, offset;
  guint n_points;
  WeirEntry witness;
  guint32 n_witnesses;
  WeirDirection direction;
  gboolean leaves_zero;
  guint rank;
  guint n_limits;
  const WeirLeaf *leaf;
} WeirDeclaredEvent;

typedef struct _WeirOccurrence {
  gint64 n;
  const gint8 *directions;
  char *message;
} WeirOccurrence;

#define WEIR_MESSAGE_SIZE 512

typedef const struct _WeirSystem WeirSystem;

/* An instance, as its integrator sees it; a model's own struct begins with it. */
typedef struct _WeirContext {
  WeirSystem *system;
  double now;         /* s */
  double accuracy;    /* relative */
  double *state;      /* continuous */
  double *row;        /* all other values */
  double *xdot;       /* room for derivatives */
  double *scratch;    /* room for calculations */
  guint64 n_changes;  /* from outside: of parameters, inputs, states */
  guint32 values_set; /* which values are up to date; 0 = none */
  char failure[WEIR_MESSAGE_SIZE];
} WeirContext;

/* The same row, whose place compilers see: a model has it behind its context. */
#define WEIR_ROW(context) ((double *) (void *) ((char *) (context) + sizeof (WeirContext)))

typedef struct _WeirNextState WeirNextState;

/* A model: what it has, and the functions that compute it. */
struct _WeirSystem {
  const char *name;
  guint n_states, n_events, n_starts;
  gsize n_row; /* doubles */
  gboolean follows_time;
  const WeirDeclaredEvent *events;
  const char *const *columns; /* what is recorded */
  guint n_columns;
  guint n_phases[2];
  WeirStatus (*derivatives) (WeirContext *context, double t, const double *x, double *xdot);
  WeirStatus (*witness) (WeirContext *context, double t, const double *x);
  WeirStatus (*call_event) (WeirContext *context, guint i, WeirOccurrence *occurrence, double *next,
                            WeirNextState *state);
  WeirStatus (*next_time) (WeirContext *context, guint i, double after, double *time);
  WeirStatus (*move_starts) (WeirContext *context);
  WeirStatus (*phases) (WeirContext *context, guint use, double t, const double *x, double *phases);
  WeirStatus (*record) (WeirContext *context, double *values);
};

/* Several events may share what crosses zero. */
static inline gboolean
weir_event_is_first_of_witness (WeirSystem *system, guint i)
{
  if (system->events[i].trigger != WEIR_TRIGGER_CROSSING)
    return FALSE;
  for (guint k = 0; k < i; k++)
    if (system->events[k].trigger == WEIR_TRIGGER_CROSSING
        && system->events[k].witness.i == system->events[i].witness.i)
      return FALSE;
  return TRUE;
}

/* --- What a calculation sees ----------------------------------------------------------------- */

typedef struct _WeirCalc {
  WeirContext *context;
  const WeirLeaf *leaf;
  double t;
  const double *x; /* the whole state in force */
  guint index;
  WeirOccurrence *occurrence;
} WeirCalc;

/* The next state of a block, for an update that may change all of it: copies, and which were asked
 * for. */
struct _WeirNextState {
  WeirContext *context;
  const WeirLeaf *leaf;
  guint32 event; /* whose call is in progress */
  guint conflict;
  guint32 *writer; /* by part: the continuous state, then the groups */
  double *state;   /* room: the whole state, and the whole row */
  double *row;
};

typedef WeirStatus (*WeirCalcFunc) (const WeirCalc *c, double *out);

static inline double
weir_calc_time (const WeirCalc *c)
{
  return c->t;
}

static inline double
weir_calc_accuracy (const WeirCalc *c)
{
  return c->context->accuracy;
}

static inline const double *
weir_calc_xc (const WeirCalc *c)
{
  return c->x + c->leaf->state;
}

static inline const double *
weir_calc_q (const WeirCalc *c)
{
  return c->x + c->leaf->state;
}

static inline const double *
weir_calc_v (const WeirCalc *c)
{
  return c->x + c->leaf->state + c->leaf->nq;
}

static inline const double *
weir_calc_z (const WeirCalc *c)
{
  return c->x + c->leaf->state + c->leaf->nq + c->leaf->nv;
}

static inline const double *
weir_calc_discrete (const WeirCalc *c, WeirGroup group)
{
  return WEIR_ROW (c->context) + c->leaf->groups[group.i];
}

static inline const double *
weir_calc_parameter (const WeirCalc *c, WeirParameter parameter)
{
  return WEIR_ROW (c->context) + c->leaf->parameters[parameter.i];
}

static inline const double *
weir_calc_input (const WeirCalc *c, WeirInput in)
{
  WeirPlace place = c->leaf->inputs[in.i];

  return place.space == WEIR_IN_ROW     ? WEIR_ROW (c->context) + place.offset
         : place.space == WEIR_IN_STATE ? c->x + place.offset
         : place.space == WEIR_IN_TIME  ? &c->t
                                        : &c->context->accuracy;
}

static inline const double *
weir_calc_cached (const WeirCalc *c, WeirCached entry)
{
  return WEIR_ROW (c->context) + c->leaf->cached[entry.i];
}

static inline guint
weir_calc_input_size (const WeirCalc *c, WeirInput in)
{
  return c->leaf->input_sizes[in.i];
}

static inline guint
weir_calc_parameter_size (const WeirCalc *c, WeirParameter parameter)
{
  return c->leaf->parameter_sizes[parameter.i];
}

static inline guint
weir_calc_get_index (const WeirCalc *c)
{
  return c->index;
}

static inline gconstpointer
weir_calc_data (const WeirCalc *c)
{
  return c->leaf->data;
}

/* All that a calculation may read is computed before it. */
static inline gboolean
weir_calc_demand (const WeirCalc *c, WeirInput in)
{
  (void) c;
  (void) in;
  return TRUE;
}

static inline int
weir_calc_crossing (const WeirCalc *c, guint k)
{
  return c->occurrence->directions != NULL ? c->occurrence->directions[k] : 0;
}

static inline G_GNUC_PRINTF (2, 3) WeirStatus
    weir_calc_fail (const WeirCalc *c, const char *format, ...)
{
  int n = snprintf (c->context->failure, WEIR_MESSAGE_SIZE, "%s: ", c->leaf->path);
  va_list args;

  if (n < 0 || n >= WEIR_MESSAGE_SIZE)
    return WEIR_FAILED;
  va_start (args, format);
  (void) vsnprintf (c->context->failure + n, WEIR_MESSAGE_SIZE - (gsize) n, format, args);
  va_end (args);
  return WEIR_FAILED;
}

#define weir_calc_fail_element(c, element, ...) weir_calc_fail (c, __VA_ARGS__)

/* What people might like to know of a run; a model has nobody to tell. */
static inline G_GNUC_PRINTF (2, 3) void weir_calc_note (const WeirCalc *c, const char *format, ...)
{
  (void) c;
  (void) format;
}

#define weir_calc_warn(c, ...) weir_calc_note (c, __VA_ARGS__)

static inline gboolean
weir_all_finite (gsize n, const double *values)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return FALSE;
  return TRUE;
}

#define WEIR_NOBODY G_MAXUINT32

/* The values of a part of a block's state, for the update in hand to write over. */
static inline double *
weir_next_state_claim (WeirNextState *self, guint part, double *to, const double *from, gsize n)
{
  if (self->writer[part] == self->event)
    return to;
  if (self->writer[part] != WEIR_NOBODY)
    self->conflict = part;
  self->writer[part] = self->event;
  memcpy (to, from, n * sizeof *to);
  return to;
}

static inline double *
weir_next_state_xc (WeirNextState *self)
{
  const WeirLeaf *leaf = self->leaf;

  return weir_next_state_claim (self, 0, self->state + leaf->state,
                                self->context->state + leaf->state,
                                (gsize) leaf->nq + leaf->nv + leaf->nz);
}

static inline double *
weir_next_state_discrete (WeirNextState *self, WeirGroup group)
{
  const WeirLeaf *leaf = self->leaf;

  return weir_next_state_claim (self, group.i + 1u, self->row + leaf->groups[group.i],
                                self->context->row + leaf->groups[group.i],
                                leaf->group_sizes[group.i]);
}

/* --- Calculations of elements ---------------------------------------------------------------- */

typedef struct {
  const double *base;
  gssize stride;
} WeirStream;

#define WEIR_SIMD_BODY static inline
#define WEIR_KERNEL_UNROLL
#define WEIR_SIMD_FORMS(give, type, name, parameters, arguments)                                   \
  static type name parameters                                                                      \
  {                                                                                                \
    give name##_body arguments;                                                                    \
  }
#define WEIR_KERNEL_FORMS(name)                                                                    \
  static inline void name (const WeirStream *in, guint n_in, guint64 variant, double *out,         \
                           gssize step, gsize n)                                                   \
  {                                                                                                \
    name##_body (in, n_in, variant, out, step, n);                                                 \
  }
/* clang-format off */
#define WEIR_KERNEL_1(name, a, expression)                                                         \
  static inline double name (double a) { return (expression); }
#define WEIR_KERNEL_2(name, a, b, expression)                                                      \
  static inline double name (double a, double b) { return (expression); }
#define WEIR_KERNEL_3(name, a, b, c, expression)                                                   \
  static inline double name (double a, double b, double c) { return (expression); }
#define WEIR_KERNEL_5(name, a, b, c, d, e, expression)                                             \
  static inline double name (double a, double b, double c, double d, double e)                     \
  { return (expression); }
#define WEIR_KERNEL_4(name, a, b, c, d, expression)                                                \
  static inline double name (double a, double b, double c, double d) { return (expression); }
/* clang-format on */

#endif
