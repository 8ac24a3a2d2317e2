/* A block type: what it is called, which parameters and ports it has, and how it becomes a leaf
 * system.
 *
 * A block type is a constant table. Its parameters are typed by text in the model; they are parsed
 * and checked (WeirArguments), tell the ports that they imply, and the leaf is built from them.
 * Ports, sizes and building never look at anything else, so that equal arguments give equal
 * systems. Thread: *any*, everything is immutable.
 */
#pragma once

#include "base/diagnostic.h"
#include "base/message.h"
#include "equations/builder/surroundings.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_VALUE_NUMBER,  /* "2.5" */
  WEIR_VALUE_VECTOR,  /* "[1, 2, 3]" or a number */
  WEIR_VALUE_MATRIX,  /* "[1, 2; 3, 4]", rows parted by semicolons, or a vector: one row */
  WEIR_VALUE_INTEGER, /* "3" */
  WEIR_VALUE_CHOICE,  /* one of choices */
  WEIR_VALUE_TEXT,    /* any text */
} WeirValueKind;

typedef struct {
  const char *name;  /* as in the file: "gain" */
  const char *label; /* for people, translatable: "Gain" */
  WeirValueKind kind;
  const char *default_text;
  double minimum, maximum;    /* of every element, or of a text's length; infinite = any */
  gboolean exclusive_minimum; /* minimum itself is not allowed */
  const char *unit;           /* "s", "rad", or NULL */
  const char *help;           /* one translatable sentence */
  const char *const *choices; /* NULL-terminated, of a choice */
  const char *characters;     /* the only ones a text may have, or NULL: any */
  gboolean is_literal;        /* a number as it stands; no expression of other parameters */
  const char *tunable;        /* name of the leaf's numeric parameter that can change while
                                 running, or NULL: structure */
  gboolean is_initial;        /* a value of state at the start */
  gboolean is_file;           /* a text that names a file, from the model's folder */
  const char *outer;    /* where the block gives none: the value of that name around it, before the
                           default; or NULL */
  gboolean may_be_free; /* a start may be WEIR_START_FREE, NAN: as the rest of its network has it */
} WeirParameterSpec;

#define WEIR_START_FREE "free"

typedef struct {
  const char *name;
  guint size;       /* 0 = takes its size from what is connected; of an abstract value 1 */
  const char *unit; /* of the signal: "rad"; NULL = any */
  /* Of an abstract value (leaf.h): its type, "s" or "ay"; NULL = numbers. And what kind of bytes it
   * is, "image/png"; NULL = any. */
  const char *type, *mime_type;
  const char *terminal; /* the group that it is connected with, "shaft.heat"; NULL = none */
} WeirPortSpec;

/* Whether what @output carries is what @input takes, sizes and units apart. */
gboolean weir_port_spec_fits (const WeirPortSpec *input, const WeirPortSpec *output);
/* What a port of a type carries, translatable: "numbers", "texts", "bytes". Static. */
const char *weir_port_type_describe (const char *type);

/* What a physical network is of: what is equal at all pins that lines join, and what flows through
 * them and sums to zero. */
typedef struct {
  const char *name;      /* "electrical" */
  const char *potential; /* "v" */
  const char *flow;      /* "i"; positive into the part */
  const char *potential_unit, *flow_unit;
} WeirDomain;

/* NULL if none of that name is built in. */
const WeirDomain *weir_domain_find (const char *name);

/* Of a block that is not turned. */
typedef enum {
  WEIR_SIDE_LEFT,
  WEIR_SIDE_RIGHT,
  WEIR_SIDE_TOP,
  WEIR_SIDE_BOTTOM,
} WeirSide;

/* Where physical lines end. */
typedef struct {
  const char *name;         /* "p" */
  const WeirDomain *domain; /* NULL = that of what it is joined with */
  WeirSide side;
} WeirPinSpec;

typedef struct _WeirPartType WeirPartType; /* blocks/parts/part.h */

/* What the physical units of a block's ports have to do with each other. */
typedef enum {
  WEIR_UNITS_APART,    /* nothing, or nobody knows */
  WEIR_UNITS_SAME,     /* all ports have one unit: what is added, delayed, chosen from */
  WEIR_UNITS_INTEGRAL, /* the output's is the input's times s */
} WeirUnitRule;

/* What a block type can say of what it makes of its texts. */
typedef enum {
  WEIR_DESCRIPTION_TABLE, /* what was compiled: roles, lines, order */
  WEIR_DESCRIPTION_FULL,  /* the compiled equations themselves */
  WEIR_DESCRIPTION_START, /* how the values at the start came about */
} WeirDescription;

typedef struct _WeirArguments WeirArguments; /* checked parameter values of one block */

typedef struct _WeirBlockType WeirBlockType;
typedef struct _WeirLeafTable WeirLeafTable; /* family.h */

/* A position by which the computations of a leaf name an input, a parameter, a group of discrete
 * state or a cache entry, and the name of what must stand there: a test builds every type and
 * compares. */
typedef enum {
  WEIR_POSITION_INPUT,
  WEIR_POSITION_PARAMETER,
  WEIR_POSITION_GROUP,
  WEIR_POSITION_CACHED,
} WeirPositionKind;

typedef struct {
  const char *name; /* NULL ends a list */
  WeirPositionKind kind;
  const guint16 *place;
} WeirPosition;

/* A value that a text declares, or takes from around it. */
typedef struct {
  const char *name;
  const double *value;
  guint size;
  const char *unit;    /* or NULL */
  const char *origin;  /* where it was found, "plant.k"; NULL = in the text */
  gboolean is_tunable; /* has a slot of that name in the leaf; else it shapes the leaf */
} WeirNamedValue;

typedef void (*WeirNamedValueFunc) (const WeirNamedValue *value, gpointer data);

struct _WeirBlockType {
  const char *name;     /* as in the file: "Gain" */
  const char *title;    /* translatable: "Gain" */
  const char *category; /* translatable: "Math" */
  const char *summary;  /* one translatable sentence */
  gboolean
      is_sequence; /* takes what is there at its ticks for the elements of a sequence: where that
                      changes in between, Simulink's order of ticks gives something else */
  const WeirParameterSpec *parameters;
  guint n_parameters;

  /* Appends WeirPortSpec (names owned by @arguments or static). */
  void (*list_inputs) (const WeirArguments *arguments, GArray *ports);
  void (*list_outputs) (const WeirArguments *arguments, GArray *ports);

  /* Appends WeirPinSpec; NULL = it has none. */
  void (*list_pins) (const WeirArguments *arguments, GArray *pins);
  /* Of a part of physical networks: what it contributes to the leaf of its network. Such a type has
   * no leaf of its own. NULL = it is none. */
  const WeirPartType *part;
  /* Of a type whose blocks are parts or not by their texts; NULL = it is no such type. The result
   * is NULL where the block is none. (transfer none) */
  const WeirPartType *(*find_part) (const WeirArguments *arguments);

  /* Size of output @out once input sizes are known (0 = not yet); 0 = cannot tell yet.
   * NULL: the size in list_outputs, or that of the widest input. */
  guint (*get_output_size) (const WeirArguments *arguments, const guint *input_sizes, guint out);

  /* NULL for structure blocks (Subsystem, In, Out), which completion handles.
   * @input_sizes: one per input, none 0. (transfer full) */
  WeirSystem *(*build) (const WeirArguments *arguments, const guint *input_sizes, GError **error);

  const WeirLeafTable *leaf;     /* what build() makes it of, where a table says it all; or NULL */
  const WeirPosition *positions; /* or NULL */

  /* The same for types that read files: names that are not absolute are looked for in @folder, or,
   * where that is NULL, in the working folder. @note: (out) (transfer full) what is to be known of
   * how they were read, or left NULL. NULL function = the type reads none. */
  WeirSystem *(*build_beside) (const WeirArguments *arguments, const guint *input_sizes,
                               const char *folder, WeirMessage **note, GError **error);

  /* Problems of the arguments that are more than one sentence, each with its line, and warnings;
   * NULL = there are none beyond what weir_arguments_new() and build() report. @line: of the block.
   */
  void (*check) (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
                 guint32 block, int line);

  /* For types whose texts declare names with values: the new text of *@parameter with which @name
   * has the value @text. NULL if there is no such name. (transfer full) NULL function = no such
   * type. */
  char *(*assign) (const WeirArguments *arguments, const char *name, const char *text,
                   const char **parameter);

  /* Of such a type: values that have names and are no parameters (WeirEquationValue). (transfer
   * full) */
  GArray *(*list_values) (const WeirArguments *arguments);
  const char *equations; /* the parameter whose text is of equations; NULL = there is none */
  /* Of a type that is equations written once: they, without the parameters, which stand under their
   * own names; and the text where it is made of the arguments. (transfer full) Or NULL. */
  const char *lines;
  char *(*dup_lines) (const WeirArguments *arguments);

  /* For types whose texts may use names that the model gives: those that the texts leave open, in
   * order of name. NULL-terminated. (transfer full) NULL function = no such type. */
  char **(*list_free_names) (const WeirArguments *arguments);

  /* For types whose texts may begin with those of other blocks of the type: their names, as the
   * text writes them. NULL-terminated. (transfer full) NULL function = no such type. */
  char **(*list_extended) (const WeirArguments *arguments);

  /* Calls @visit for every named value that the leaf is made with. NULL function = there
   * are none. */
  void (*visit_values) (const WeirArguments *arguments, WeirNamedValueFunc visit, gpointer data);

  /* Do two sets of arguments make leaves that differ in named values alone? NULL function = no. */
  gboolean (*differ_in_values) (const WeirArguments *a, const WeirArguments *b);

  /* For people, in lines, as @what asks; NULL = there is nothing to say. (transfer full) */
  char *(*describe) (const WeirArguments *arguments, WeirDescription what);

  gboolean is_foremost; /* stands before all others of its category */
  gboolean
      is_diagnostic; /* breaks a rule, or does nothing useful, on purpose: to learn and test with */
  gboolean is_recorded_sink; /* a scope: its inputs are recorded by default */
  WeirUnitRule units;
};

/* A translatable sentence about what to mind with blocks of a type beyond its summary; NULL = there
 * is nothing. Static. */
const char *weir_block_type_get_advice (const WeirBlockType *type);

/* NULL if the type has no such parameter, or is NULL itself. */
const WeirParameterSpec *weir_block_type_find_parameter (const WeirBlockType *type,
                                                         const char *name);

/* Parses and checks the parameter texts of a block. @get_text returns the text of a parameter, or
 * NULL where the model gives none (its default is used). On a problem: NULL and @error, whose text
 * names the parameter, what was found and what was expected. (transfer full) */
typedef const char *(*WeirGetTextFunc) (const char *parameter, gpointer data);
WeirArguments *weir_arguments_new (const WeirBlockType *type, WeirGetTextFunc get_text,
                                   gpointer data, GError **error);
void weir_arguments_free (WeirArguments *self);
/* The same arguments with what their texts find around them. What was made of the texts is kept
 * with @own, the arguments without, while nothing changes. (transfer full) */
WeirArguments *weir_arguments_new_within (const WeirArguments *own, WeirSurroundings *around);
WeirSurroundings *
weir_arguments_get_surroundings (const WeirArguments *self); /* or NULL. (transfer none) */
const WeirArguments *weir_arguments_get_own (const WeirArguments *self); /* or NULL */
const WeirBlockType *weir_arguments_get_type (const WeirArguments *self);

/* Does a parameter have a text that only a model can evaluate ("2*k")? The type's default stands
 * for it then: ports are right, values are not. */
gboolean weir_arguments_has_expressions (const WeirArguments *self);
/* Is the text no value but an expression, where the parameter may have one? Numbers and vectors
 * may. */
gboolean weir_parameter_spec_is_expression (const WeirParameterSpec *spec, const char *text);

double weir_arguments_get_number (const WeirArguments *self, const char *parameter);
gint64 weir_arguments_get_integer (const WeirArguments *self, const char *parameter);
const double *weir_arguments_get_vector (const WeirArguments *self, const char *parameter,
                                         guint *size);
/* Row by row. A number is a matrix of one row and one column. */
const double *weir_arguments_get_matrix (const WeirArguments *self, const char *parameter,
                                         guint *n_rows, guint *n_columns);
/* Which of the choices, from 0. */
guint weir_arguments_get_choice (const WeirArguments *self, const char *parameter);
/* Text, or the chosen choice. */
const char *weir_arguments_get_text (const WeirArguments *self, const char *parameter);

/* What a block type makes of its arguments and keeps with them: made by the first call. (transfer
 * none) */
gpointer weir_arguments_get_derived (const WeirArguments *self,
                                     gpointer (*make) (const WeirArguments *self),
                                     GDestroyNotify destroy);

/* Checks one text alone as a value. Numbers must be finite. What a block's parameter may be besides
 * is told by weir_parameter_spec_is_expression(). */
gboolean weir_parameter_spec_check (const WeirParameterSpec *spec, const char *text,
                                    GError **error);
/* What the parameter takes, as a noun: "a number greater than 0 s". (transfer full) */
WeirMessage *weir_parameter_spec_dup_expectation (const WeirParameterSpec *spec);
/* Parses a number ("2.5", "-inf") or a vector ("[1, 2, 3]") in the C locale. (transfer full) NULL
 * and @error if it is none. */
double *weir_value_parse (const char *text, guint *size, GError **error);
/* The same for a matrix, row by row. */
double *weir_matrix_parse (const char *text, guint *n_rows, guint *n_columns, GError **error);
/* Shortest text that parses to the same bits. (transfer full) */
char *weir_value_to_string (const double *value, guint size);

/* Ports of a block with these arguments: WeirPortSpec elements, to be read only. (transfer full) */
GArray *weir_arguments_list_inputs (const WeirArguments *self);
GArray *weir_arguments_list_outputs (const WeirArguments *self);

/* Of WeirPinSpec. (transfer full) */
GArray *weir_arguments_list_pins (const WeirArguments *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirArguments, weir_arguments_free)

G_END_DECLS
