/* What a leaf made of an FMU consists of: what its functions know (leaf-data), which instance a
 * context has (leaf-epoch). */
#pragma once

#include "fmi/leaf.h"
#include "system/evaluation/calc.h"
#include "system/structure/keeping.h"

G_BEGIN_DECLS

/* --- What the functions of a leaf know ------------------------------------------------------- */

/* One variable, and where its values are. */
typedef struct {
  guint32 type, reference, size;
  guint32 place; /* input or parameter of the leaf */
  guint32 first; /* of its values: in the inputs of an evaluation, in the latch, in the states, in
                    the entry */
} WeirFmuPlaceOfValue;

/* An input or output of one value of the type STRING or BINARY. */
typedef struct {
  guint64 max_size;        /* bytes that it takes, of a binary; 0: any number */
  guint32 type, reference; /* WeirFmuType */
  guint32 place;           /* of an input: that of the leaf ... */
  guint32 latch;           /* ... and the group that has what the FMU was told last */
} WeirFmuTextPort;

typedef enum {
  WEIR_FMU_ENTRY_HELD, /* time, states and inputs, as the FMU is to hold them */
  WEIR_FMU_ENTRY_DERIVATIVES,
  WEIR_FMU_ENTRY_INDICATORS,
  WEIR_FMU_ENTRY_VALUES,
  WEIR_FMU_ENTRY_SLICE,    /* of an entry of values */
  WEIR_FMU_ENTRY_STATE,    /* of the states */
  WEIR_FMU_ENTRY_TRIGGERS, /* negative where the signal of a triggered clock has left its latch */
  WEIR_FMU_ENTRY_TEXT,     /* abstract: the value of a text output */
} WeirFmuEntryKind;

/* A cache entry of the leaf, under its number. */
typedef struct {
  guint32 kind, size;
  guint32 uses_time, uses_states;
  guint32 inputs, n_inputs;       /* in numbers: continuous inputs that it reads, ascending */
  guint32 variables, n_variables; /* that it gets, by type */
  guint32 refs;                   /* in numbers, of those */
  guint32 from, first;            /* of a slice: the entry that it is of; of what it is a part. Of a
                                     text: which output */
} WeirFmuLeafEntry;

/* The head of the data of a leaf; lists follow, found by the functions below. No pointers: equal
 * FMUs give equal bytes. */
typedef struct {
  char key[72]; /* of what an instance needs to know */
  guint32 n_states, n_indicators;
  guint32 n_inputs, n_input_values; /* FLOAT64, continuous: they come first among the variables */
  guint32 n_mixed;                  /* continuous inputs of other types; next */
  guint32 n_latched;                /* discrete inputs; next */
  guint32 n_parameters;             /* next; those that can be tuned are first */
  guint32 n_tunable;
  guint32 n_starts; /* states whose start is exact, or a proposal; next */
  guint32 n_latch;  /* values of the latch: of discrete inputs, then of what can be tuned */
  guint32 epoch, next, latch; /* groups; no latch: n_latch is 0 */
  guint32 nominals;           /* group, of the states; none: n_states is 0 */
  guint32 needs_completed_step;
  guint32 n_variables, n_entries, n_numbers;
  /* Clocks are numbered in this order; then what is clocked by them. */
  guint32 n_timed;    /* that tick at times of their own */
  guint32 n_triggers; /* whose signals, rounded down, are last in the latch */
  guint32 n_clock_outputs;
  guint32 n_clocked_inputs, n_clocked_outputs;
  guint32 ticks; /* group: of each that is timed WEIR_FMU_TICK_... */
  guint32 n_text_inputs, n_text_outputs;
} WeirFmuLeafData;

G_STATIC_ASSERT (sizeof (WeirFmuLeafData) % 8 == 0); /* numbers of 64 bits follow */

/* --- Clocks ---------------------------------------------------------------------------------- */

/* A clock that ticks at times of its own. */
typedef struct {
  double period, shift;                          /* s; NAN: the FMU is asked */
  guint64 resolution, period_ticks, shift_ticks; /* of a second; resolution 0: as above */
  guint32 reference, interval;                   /* WeirFmuInterval */
} WeirFmuLeafClock;

/* What is known of its ticks. */
enum {
  WEIR_FMU_TICK_NEXT,   /* when it ticks; INFINITY: not before the FMU says */
  WEIR_FMU_TICK_ORIGIN, /* of a periodic one: what its ticks are counted from, */
  WEIR_FMU_TICK_COUNT,  /* how many there have been since, */
  WEIR_FMU_TICK_PERIOD, /* and how far apart they are; 0: as the file says, by counters */
  WEIR_FMU_TICK_N
};

/* A clock without times, or what is clocked. */
typedef struct {
  WeirFmuPlaceOfValue value; /* place: an input; of an output, the group that holds it */
  guint32 clocks, n_clocks;  /* in numbers: its clocks */
} WeirFmuLeafClocked;

/* All of them; and values of inputs that they are told, by place. */
typedef struct {
  guint n_timed, n_triggers, n_clock_outputs, n_clocked_inputs, n_clocked_outputs;
  const WeirFmuLeafClock *timed;
  const WeirFmuLeafClocked *clocked; /* triggers, clocks that are outputs, inputs, outputs */
  const guint32 *numbers;
} WeirFmuClocks;
typedef const double *(*WeirFmuReadInput) (gconstpointer whose, guint32 place);

/* Lists them. @places: by variable, of inputs where they are read, of outputs whatever holds them;
 * triggers stand in the latch from @first on. Fills in what it gives but the lists. */
WeirFmuClocks weir_fmu_clocks_list (const WeirFmuDescription *description, const guint *places,
                                    guint first, GArray *timed, GArray *clocked, GArray *numbers);
/* What is clocked by none, or is a clock: is the variable of that kind? */
gboolean weir_fmu_clock_is_timed (const WeirFmuVariable *variable);
gboolean weir_fmu_clock_is_trigger (const WeirFmuVariable *variable);
gboolean weir_fmu_clock_is_output (const WeirFmuVariable *variable);
/* A number that is told or taken while one of its clocks ticks. */
gboolean weir_fmu_is_clocked (const WeirFmuVariable *variable, WeirFmuCausality causality);

/* --- Lists behind the head ------------------------------------------------------------------- */

/* Behind the head, which is aligned for it. */
static inline const WeirFmuLeafClock *
weir_fmu_leaf_clocks (const WeirFmuLeafData *data)
{
  return (const WeirFmuLeafClock *) (const void *) (data + 1);
}

/* Inputs, outputs. */
static inline const WeirFmuTextPort *
weir_fmu_leaf_texts (const WeirFmuLeafData *data)
{
  return (const WeirFmuTextPort *) (const void *) (weir_fmu_leaf_clocks (data) + data->n_timed);
}

static inline const WeirFmuPlaceOfValue *
weir_fmu_leaf_variables (const WeirFmuLeafData *data)
{
  return (const WeirFmuPlaceOfValue *) (const void *) (weir_fmu_leaf_texts (data)
                                                       + data->n_text_inputs
                                                       + data->n_text_outputs);
}

static inline const WeirFmuLeafEntry *
weir_fmu_leaf_entries (const WeirFmuLeafData *data)
{
  return (const WeirFmuLeafEntry *) (const void *) (weir_fmu_leaf_variables (data)
                                                    + data->n_variables);
}

/* Triggers, clocks that are outputs, inputs, outputs. */
static inline const WeirFmuLeafClocked *
weir_fmu_leaf_clocked (const WeirFmuLeafData *data)
{
  return (const WeirFmuLeafClocked *) (const void *) (weir_fmu_leaf_entries (data)
                                                      + data->n_entries);
}

static inline guint
weir_fmu_leaf_count_clocked (const WeirFmuLeafData *data)
{
  return data->n_triggers + data->n_clock_outputs + data->n_clocked_inputs
         + data->n_clocked_outputs;
}

static inline const guint32 *
weir_fmu_leaf_numbers (const WeirFmuLeafData *data)
{
  return (const guint32 *) (const void *) (weir_fmu_leaf_clocked (data)
                                           + weir_fmu_leaf_count_clocked (data));
}

static inline WeirFmuClocks
weir_fmu_leaf_get_clocks (const WeirFmuLeafData *data)
{
  return (WeirFmuClocks) { .n_timed = data->n_timed,
                           .n_triggers = data->n_triggers,
                           .n_clock_outputs = data->n_clock_outputs,
                           .n_clocked_inputs = data->n_clocked_inputs,
                           .n_clocked_outputs = data->n_clocked_outputs,
                           .timed = weir_fmu_leaf_clocks (data),
                           .clocked = weir_fmu_leaf_clocked (data),
                           .numbers = weir_fmu_leaf_numbers (data) };
}

/* --- Values as doubles ----------------------------------------------------------------------- */

/* Value @i of those of one type, as an FMU has them in memory. FALSE: it does not fit the type. */
gboolean weir_fmu_leaf_put (WeirFmuType type, gpointer values, guint i, double x, GError **error);
double weir_fmu_leaf_take (WeirFmuType type, gconstpointer values, guint i);
/* The start of a variable, all elements; what the description leaves out is 0. NULL and @error: the
 * options' has another number of values. (transfer full) */
double *weir_fmu_leaf_dup_start (const WeirFmuDescription *description,
                                 const WeirFmuLeafOptions *options, guint v, GError **error);
/* Whether the variable is a text, or bytes, that can be given one value at the start. */
gboolean weir_fmu_leaf_takes_text (const WeirFmuVariable *variable);
/* Fills in the texts among the starts; and their part in what tells leaves apart. */
typedef struct {
  GArray *refs[WEIR_FMU_N_TEXT_TYPES];      /* guint32 */
  GPtrArray *values[WEIR_FMU_N_TEXT_TYPES]; /* char *, GBytes * */
} WeirFmuTexts;
void weir_fmu_leaf_list_texts (const WeirFmuDescription *description,
                               const WeirFmuLeafOptions *options, WeirFmuTexts *texts,
                               WeirFmuBinary *binary);
void weir_fmu_texts_clear (WeirFmuTexts *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirFmuTexts, weir_fmu_texts_clear)
void weir_fmu_leaf_add_texts_to_checksum (const WeirFmuLeafOptions *options, GChecksum *sum);
/* The structural parameters, with their values, of a description of other sizes than its file's.
 * (transfer full), of WeirFmuStructural */
GArray *weir_fmu_leaf_list_structure (const WeirFmuDescription *description);
/* Their part in what tells leaves apart. */
void weir_fmu_leaf_add_structure_to_checksum (const WeirFmuBinary *binary, GChecksum *sum);
/* Sets @n variables of consecutive kinds to @values, one after the other. */
gboolean weir_fmu_leaf_set (WeirFmuInstance *instance, const WeirFmuPlaceOfValue *variables,
                            guint n, const double *values, GError **error);
/* Gets them, at the point of @evaluation, or as the FMU is where that is NULL. @refs: theirs. For
 * texts and bytes stand numbers. */
gboolean weir_fmu_leaf_get (WeirFmuInstance *instance, const WeirFmuPlaceOfValue *variables,
                            const guint32 *refs, guint n, const WeirFmuEvaluation *evaluation,
                            double *values, GError **error);

/* --- Texts and bytes at ports ---------------------------------------------------------------- */

WeirFmuTextPort weir_fmu_text_port (const WeirFmuVariable *variable);
/* What it starts with. (transfer floating) */
GVariant *weir_fmu_text_new_start (const WeirFmuDescription *description,
                                   const WeirFmuLeafOptions *options, guint v);
/* Tells the FMU all of them. */
gboolean weir_fmu_texts_set (WeirFmuInstance *instance, const WeirFmuTextPort *ports, guint n,
                             GVariant *const *values, GError **error);
/* Asks it, at the point of @evaluation (nullable: where it is). @values: NULL or owned, replaced by
 * what is a text. */
gboolean weir_fmu_texts_get (WeirFmuInstance *instance, const WeirFmuTextPort *ports, guint n,
                             const WeirFmuEvaluation *evaluation, GVariant **values,
                             GError **error);
/* Lets go of *@to (nullable); @value: (transfer full). */
void weir_fmu_text_keep (GVariant **to, GVariant *value);
/* A number for a value as an instance gives it, the same for the same. @value: (transfer full). */
double weir_fmu_text_count (WeirFmuType type, gpointer value);

/* --- Instances ------------------------------------------------------------------------------- */

/* An instance that contexts have in common. */
typedef struct {
  gint n_refs; /* atomic */
  GMutex mutex;
  WeirFmuInstance *instance;
  struct _WeirFmuEpoch *current; /* that it is in, borrowed; NULL: of one that is gone */
  gboolean can_save, can_serialize;
  guint32 n_u;
  guint64 number; /* among those of this process; never given twice */
  double time;    /* that it was told last */
  double *u;      /* inputs of an evaluation that it was told last: n_input_values */
} WeirFmuShared;

/* What an abstract state of the leaf holds: its value is the counter, which is what others see of
 * it. */
typedef struct _WeirFmuEpoch {
  guint64 count; /* first: where the value points to */
  WeirFmuShared *shared;
  WeirFmuState *saved; /* NULL: the instance has not left it yet, or cannot save */
  double time;         /* of the event or step that began it */
  gboolean has_ended;  /* the FMU asked for the run's end, and stays in event mode */
  /* Of two events of one instant the first does the work of both. */
  struct _WeirFmuEpoch *successor; /* compared only */
  guint64 successor_count;
  guint successor_event;
  double left; /* s; when that was */
} WeirFmuEpoch;

/* What weir_fmu_shared_new() finds by @key. */
void weir_fmu_leaf_keep_binary (const char *key, const WeirFmuBinary *binary,
                                WeirFmuArchive *archive, const WeirFmuOptions *options);

/* A new instance with nothing told yet. NULL and @error. (transfer full) */
WeirFmuShared *weir_fmu_shared_new (const WeirFmuLeafData *data, GError **error);
void weir_fmu_shared_unref (WeirFmuShared *self);

/* The value of an abstract state that stands for what the instance is in. The instance is locked.
 * (transfer floating) */
GVariant *weir_fmu_epoch_new (WeirFmuShared *shared, guint64 count, double time);
/* NULL: it is not of this process, or no run has begun. (transfer none) */
WeirFmuEpoch *weir_fmu_epoch_find (GVariant *value);
/* Whether @self, which may be gone, is there and has that count. */
gboolean weir_fmu_epoch_is_there (const WeirFmuEpoch *self, guint64 count);
/* Takes the instance, and brings it to the epoch; weir_fmu_epoch_unlock() gives it back. @cancel:
 * (nullable) meanwhile, a call that does not end soon ends once it is set. */
gboolean weir_fmu_epoch_lock (WeirFmuEpoch *self, const gint *cancel, GError **error);
void weir_fmu_epoch_unlock (WeirFmuEpoch *self);
/* Saves what is needed to come back, before the instance goes on to another. It is locked. */
gboolean weir_fmu_epoch_leave (WeirFmuEpoch *self, GError **error);

/* How the abstract state is saved: with the FMU's own state as bytes. */
extern const WeirAbstractKeeping weir_fmu_epoch_keeping;

/* An instance in initialization mode, of those kept for values before a run; NULL: none. (transfer
 * full) */
WeirFmuShared *weir_fmu_starting_take (const char *key);
void weir_fmu_starting_keep (const char *key, WeirFmuShared *shared); /* (transfer full) */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuShared, weir_fmu_shared_unref)

/* --- Ticks ----------------------------------------------------------------------------------- */

/* What happens at one instant; of a unit, which keeps it, what is known. */
typedef struct {
  WeirFmuClocks clocks;
  WeirFmuReadInput read_input;
  gconstpointer whose;
  double *timed;   /* WEIR_FMU_TICK_N for each */
  double *outputs; /* what clocks that are outputs have counted, then what clocked outputs are */
  guint8 *active;  /* by clock: whether it ticks now */
  /* Of a leaf; else NULL: */
  const WeirCalc *c;
  const WeirFmuLeafData *data;
  double *nominals; /* of the states, where the FMU says others now */
} WeirFmuTicks;

/* With no tick in sight, and outputs of 0. */
void weir_fmu_ticks_init (WeirFmuTicks *self, const WeirFmuClocks *clocks,
                          WeirFmuReadInput read_input, gconstpointer whose);
/* As the context has them. */
void weir_fmu_ticks_init_leaf (WeirFmuTicks *self, const WeirCalc *c, const WeirFmuLeafData *data);
void weir_fmu_ticks_clear (WeirFmuTicks *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirFmuTicks, weir_fmu_ticks_clear)
/* Of the clocks that are outputs, then of clocked outputs: those that hold something in outputs.
 */
guint weir_fmu_clocks_count_held (const WeirFmuClocks *self);
const WeirFmuLeafClocked *weir_fmu_clocks_get_held (const WeirFmuClocks *self, guint i);
guint weir_fmu_clocks_count (const WeirFmuClocks *self);
/* In initialization mode: when they tick first. @start: of the run. */
gboolean weir_fmu_ticks_begin (WeirFmuTicks *self, WeirFmuInstance *instance, double start,
                               GError **error);
/* Their signals now, rounded down. */
void weir_fmu_ticks_read_triggers (const WeirCalc *c, const WeirFmuLeafData *data, double *signals);
/* Those whose signal has gone up since @latch. @signals: as they are now. */
void weir_fmu_ticks_trigger (WeirFmuTicks *self, const double *latch, const double *signals);
/* In event mode, before an update: tells the FMU which clocks tick and what they clock, and takes
 * what it gives. @time: those that are due tick. */
gboolean weir_fmu_ticks_tell (WeirFmuTicks *self, WeirFmuInstance *instance, double time,
                              GError **error);
/* After it: when they tick next. @are_due: (out) whether at this very instant. */
gboolean weir_fmu_ticks_ask (WeirFmuTicks *self, WeirFmuInstance *instance, double time,
                             gboolean *are_due, GError **error);
/* In event mode, after an update: asks how large states are now. */
gboolean weir_fmu_ticks_take_nominals (WeirFmuTicks *self, WeirFmuInstance *instance,
                                       GError **error);
/* Writes what has changed. */
void weir_fmu_ticks_keep (const WeirFmuTicks *self, WeirNextState *next);
/* After @after, by what is known of those that are timed; INFINITY: none. */
double weir_fmu_ticks_find_next (const double *timed, guint n_timed, double after);
/* Ticks no more than @within from @time are at @time. */
void weir_fmu_ticks_snap (WeirFmuTicks *self, double time, double within);

/* --- What it computes ------------------------------------------------------------------------ */

WeirStatus weir_fmu_leaf_calc (const WeirCalc *c, double *out);
WeirStatus weir_fmu_leaf_calc_text (const WeirCalc *c, GVariant **out);
WeirStatus weir_fmu_leaf_start (const WeirCalc *c, gint64 n, WeirNextState *next);
WeirStatus weir_fmu_leaf_meet_event (const WeirCalc *c, gint64 n, WeirNextState *next);
WeirStatus weir_fmu_leaf_end_step (const WeirCalc *c, gint64 n, WeirNextState *next);
WeirStatus weir_fmu_leaf_next_time (const WeirCalc *c, double after, double *time);

G_END_DECLS
