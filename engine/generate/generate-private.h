/* What the files of the generator share: fields.c names places, order.c finds what is computed
 * when, calculations.c, events.c and loops.c write that, files.c the rest.
 */
#pragma once

#include <string.h>

#include "base/text.h"
#include "blocks/types/function-names.h"
#include "generate/generate.h"
#include "generate/texts.h"
#include "numerics/number.h"
#include "system/context/context.h"
#include "system/evaluation/code.h"

G_BEGIN_DECLS

/* A value of an instance: a member of one of its structs. */
typedef enum {
  WEIR_FIELD_PARAMETER,
  WEIR_FIELD_INPUT,
  WEIR_FIELD_DISCRETE,
  WEIR_FIELD_VALUE,
  WEIR_N_FIELD_KINDS,
} WeirFieldKind;

typedef struct {
  WeirFieldKind kind;
  char *name;   /* in C */
  char *origin; /* in the model: "Plant.Gain.k" */
  guint32 size;
  const double *initial; /* borrowed; NULL = 0 */
  gboolean is_passing;   /* only ever a variable of functions: no member */
} WeirField;

/* Entries that are computed together, ascending. */
typedef struct {
  GArray *entries; /* guint32 */
  GArray *asked;   /* guint32: those that others read afterwards */
  char *what;      /* for the comment */
} WeirSet;

typedef struct {
  WeirSystem *root;
  WeirLayout *layout;
  WeirContext *context; /* the values at the start */
  const WeirSimulatorOptions *options;
  WeirDiagnostics *diagnostics;
  char *name, *lower, *upper; /* "Pendulum", "pendulum", "PENDULUM" */
  gboolean has_failed;

  GArray *fields;           /* WeirField */
  GHashTable *names;        /* set of C names that are taken */
  guint32 *parameter_first; /* by node: the field of its first parameter, input, group */
  guint32 *input_first, *group_first;
  guint32 *value_field; /* by entry: its field; WEIR_NO_INDEX: not used, or among derivatives */
  gboolean *is_leaf_used;
  guint8 *is_used;          /* by entry: in some set */
  GPtrArray *sets;          /* WeirSet; the first few are WEIR_SET_ */
  guint *event_set;         /* by event: set + 1; 0 = none */
  const guint8 *is_passing; /* by entry, of the function in hand: a variable of it; NULL = none */
  const char *xdot;         /* where it has the derivatives */
  guint32 n_scratch;        /* doubles */

  GArray *columns; /* WeirColumnPlace */
  GPtrArray *column_names;
  guint8 *wanted_texts;       /* by text */
  GHashTable *functions;      /* function -> WeirText * */
  GHashTable *text_by_source; /* "source/own" -> index + 1 */
  GHashTable *patterns;       /* of kernels: of formulas */
  GString *programs;          /* functions of equations */
  GString *rates;             /* prototypes of their steps */
  guint n_phases[2];
  guint n_programs;
  guint n_calls; /* of blocks' functions */

  gboolean has_tangents;     /* and shall have them */
  GArray *tangent_kernels;   /* of tangents.c */
  GString *tangent_programs; /* functions */
  GArray *tangent_numbers;   /* guint: of programs that have such a function */
} WeirGenerator;

typedef struct {
  WeirCodePlace place;
  guint element;
} WeirColumnPlace;

enum {
  WEIR_SET_DERIVATIVES,
  WEIR_SET_WITNESSES,
  WEIR_SET_RECORD,
  WEIR_SET_PHASES_OF_STEPS,
  WEIR_SET_PHASES_OF_WITNESSES,
  WEIR_SET_STARTS,
  WEIR_N_FIXED_SETS
};

/* Says that @node cannot be generated, and why. */
void weir_generator_refuse (WeirGenerator *self, WeirNode node, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* generate.c */
/* Finds what there is to write. FALSE after diagnostics; to be cleared in any case. */
gboolean weir_generator_begin (WeirGenerator *self, WeirSystem *root, const char *prefix,
                               const WeirSimulatorOptions *options, const char *const *ports,
                               WeirDiagnostics *diagnostics);
void weir_generator_clear (WeirGenerator *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirGenerator, weir_generator_clear)

/* fields.c */
/* A C name made of @text that nothing else has. (transfer full) */
char *weir_generator_dup_name (WeirGenerator *self, const char *path, const char *name);
void weir_generator_add_fields (WeirGenerator *self);
/* Fields of values that some set computes. */
void weir_generator_add_value_fields (WeirGenerator *self);
/* "r->v.Sum_y": the member, as an array or a number. (transfer full) */
char *weir_generator_dup_member (const WeirGenerator *self, guint32 field);
/* The field that an entry's, a parameter's, ... value is in. WEIR_NO_INDEX: time, state, ... */
guint32 weir_generator_find_field (const WeirGenerator *self, WeirCodePlace place);
/* A pointer to the value, as an expression; and its offset in the row. (transfer full) */
char *weir_generator_dup_pointer (const WeirGenerator *self, WeirCodePlace place);
char *weir_generator_dup_offset (const WeirGenerator *self, WeirCodePlace place);
/* The value itself, of one number, and the place @offset behind it. (transfer full) */
char *weir_generator_dup_value (const WeirGenerator *self, WeirCodePlace place);
/* A text of the model, such as a path, for within a comment. (transfer full) */
char *weir_generate_dup_comment (const char *text);
/* The path of a node, "the model" of the root. (transfer full) */
char *weir_generator_dup_path (const WeirGenerator *self, guint32 node);

/* order.c */
void weir_generator_find_sets (WeirGenerator *self, const char *const *ports);
void weir_set_free (gpointer set);

/* Such a set has no function where it is empty. */
static inline gboolean
weir_generator_is_set_of_phases (guint set)
{
  return set == WEIR_SET_PHASES_OF_STEPS || set == WEIR_SET_PHASES_OF_WITNESSES;
}

/* locals.c */
/* Which entries of @set are variables of its function, as nothing else than what is written there
 * reads them: by entry. (transfer full) */
guint8 *weir_generator_find_passing (const WeirGenerator *self, const WeirSet *set);
/* Tells fields that are never more than that. Once, before anything is written. */
void weir_generator_mark_passing_fields (WeirGenerator *self);
/* Does something that is computed with the derivatives read them? */
gboolean weir_generator_reads_derivatives (const WeirGenerator *self);

/* formulas.c */
/* What a kernel computes of @operands, which are expressions. NULL: it is to be called. (transfer
 * full) */
char *weir_generator_dup_formula (WeirGenerator *self, const WeirEntryCodeInfo *info,
                                  const char *const *operands);

/* The text of the function that is called like @function with @ending behind; NULL: there is none.
 */
const WeirText *weir_generator_find_text (const WeirGenerator *self, WeirAnyFunction function,
                                          const char *ending);
/* calculations.c: the functions of all sets. */
void weir_generator_write_sets (WeirGenerator *self, GString *text);
void weir_generator_write_entry (WeirGenerator *self, GString *text, guint32 entry,
                                 const char *indent);
/* The name in C of a block's function, whose text is then part of the model. NULL after a
 * diagnostic. */
const char *weir_generator_use_function (WeirGenerator *self, WeirNode node,
                                         WeirAnyFunction function);
void weir_generator_write_leaves (WeirGenerator *self, GString *text);

/* events.c */
void weir_generator_write_events (WeirGenerator *self, GString *text);
/* loops.c */
void weir_generator_write_loops (WeirGenerator *self, GString *text);
void weir_generator_write_loop_moves (WeirGenerator *self, GString *text);
/* data.c: the constants of a leaf. */
void weir_generator_write_data (WeirGenerator *self, GString *text, guint32 node);

/* texts.c: those that are wanted, and what they need, in an order in which they compile. */
void weir_texts_close (guint8 *wanted);
void weir_texts_write (GString *text, const guint8 *wanted, gboolean types_only);
void weir_texts_write_prototypes (GString *text, const guint8 *wanted);
/* Marks all that @words, which is C, names. */
void weir_texts_want_words (guint8 *wanted, const char *words);

/* What the factor is by which one value moves with another, after the standard of FMUs; the later
 * one wins where several come together. */
typedef enum {
  WEIR_FACTOR_NONE,
  WEIR_FACTOR_CONSTANT,
  WEIR_FACTOR_TUNABLE,   /* made of parameters */
  WEIR_FACTOR_DISCRETE,  /* of what changes at events besides */
  WEIR_FACTOR_DEPENDENT, /* of anything, or not linear */
  WEIR_N_FACTORS
} WeirFactor;

/* tangents.c */
/* Of an entry that a kernel computes, by operand; of others WEIR_FACTOR_DEPENDENT. (transfer full)
 */
guint8 *weir_generator_find_factors (WeirGenerator *self, guint32 entry);
GArray *weir_generator_new_tangent_kernels (void);
/* Is it known exactly how derivatives and what is recorded move with time, states, inputs and
 * parameters? */
gboolean weir_generator_find_tangents (WeirGenerator *self);
/* The function that computes that; and what it calls, once all programs are written. */
void weir_generator_write_tangents (WeirGenerator *self, GString *text);
void weir_generator_write_tangent_programs (WeirGenerator *self, GString *text);

/* files.c */
/* What a compiler must be told so that nothing is fused, reordered or folded. */
#define WEIR_GENERATE_EXACT                                                                        \
  "-std=c11 -ffp-contract=off -fno-fast-math -fno-math-errno -fno-builtin-pow -fno-builtin-exp "   \
  "-fno-builtin-log -fno-builtin-log10 -fno-builtin-sin -fno-builtin-cos -fno-builtin-sincos "     \
  "-fno-builtin-tan -fno-builtin-asin -fno-builtin-acos -fno-builtin-atan -fno-builtin-atan2 "     \
  "-fno-builtin-sinh -fno-builtin-cosh -fno-builtin-tanh -fno-builtin-asinh -fno-builtin-acosh "   \
  "-fno-builtin-atanh -fno-builtin-hypot -fno-builtin-cbrt -fno-builtin-erf -fno-builtin-fmod"
WeirGenerated *weir_generator_write_files (WeirGenerator *self);
/* How many columns from @column on are the elements of one vector; 1: it is none. */
guint weir_generator_count_elements (const WeirGenerator *self, guint column);

/* @text with @with wherever it has @what. (transfer full) */
char *weir_generate_dup_replaced (const char *text, const char *what, const char *with);
/* A file that is the same for all models, with the model's names. (transfer full) */
char *weir_generator_dup_named (const WeirGenerator *self, const char *text);

/* fmu.c: modelDescription.xml. @units: texts by path; or NULL. @sources: its elements that name
 * them. (transfer full) */
char *weir_generator_dup_description (WeirGenerator *self, GHashTable *units, const char *token,
                                      guint version, const char *sources, double stop_time);
/* terminalsAndIcons.xml of 3.0: the elements of a vector belong together. NULL: there is none.
 * (transfer full) */
char *weir_generator_dup_terminals (const WeirGenerator *self);

/* fmu-units.c */
/* The unit, in @units (texts by path; or NULL), of a port, a parameter or an element of one; NULL:
 * it has none that is known. (transfer none) */
const char *weir_fmu_find_unit (GHashTable *units, const char *name);
/* What that changes in which is in @unit (nullable). NULL: it is not known. (transfer full) */
char *weir_fmu_dup_unit_of_rate (const char *unit);
/* By state: what it is in, as it is shown by an output, or called after one, as those of equations
 * are, and D(x) after x; NULL where that is not known. (transfer full) of char */
GPtrArray *weir_generator_list_state_units (WeirGenerator *self, GHashTable *units);
/* The attributes of a variable that is in @unit (nullable), which is then one of those that are
 * @used. */
void weir_fmu_append_unit (GString *text, const char *unit, GPtrArray *used);
/* Defines the units that are used, and a type for each quantity. */
void weir_fmu_append_units (GString *text, const GPtrArray *used, guint version);

/* verify.c */
/* The model's own run: what is recorded, as comma-separated values. One that fails has what it
 * recorded until then. (transfer full) */
GBytes *weir_generate_run (WeirSystem *root, const WeirSimulatorOptions *options,
                           const char *const *ports, double stop_time, GError **error);
/* Runs a command in @folder; what it says on standard output becomes @output. FALSE and @error if
 * it cannot be started. */
gboolean weir_generate_spawn (const char *folder, const char *command, char **output,
                              char **complaint, int *status, GError **error);
/* The environment's CC, or cc. */
const char *weir_generate_get_compiler (void);
void weir_generate_remove_folder (const char *folder);

struct _WeirGenerated {
  GPtrArray *names, *texts; /* char * */
};

G_END_DECLS
