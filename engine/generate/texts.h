/* The text of the engine's own calculations: what generated C consists of, beside what says which
 * of them a model needs. Made from the sources by collect. Thread: *any*; immutable.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WEIR_TEXT_FORWARD, /* a type whose members are told later, if at all */
  WEIR_TEXT_MACRO,
  WEIR_TEXT_TYPE,
  WEIR_TEXT_CONSTANT,
  WEIR_TEXT_KERNEL, /* a macro that defines functions */
  WEIR_TEXT_FUNCTION,
} WeirTextKind;

/* A function, a constant, a type, ... of a source. */
typedef struct {
  const char *name; /* as it is in generated C */
  const char *own;  /* as it is in its source */
  WeirTextKind kind;
  const char *source;    /* "math.c" */
  const char *prototype; /* of a function; else "" */
  const char *comment;   /* before it; or NULL */
  const char *text;
  guint n_needs; /* other texts that it uses */
  const guint16 *needs;
} WeirText;

extern const WeirText weir_texts[];
extern const guint weir_n_texts;

/* Files that are the same for all models. */
extern const char weir_standalone_weir_h[], weir_standalone_simulator_h[];
extern const char weir_standalone_main_c[], weir_standalone_programs_h[];
extern const char weir_standalone_tangents_h[];
/* Of FMUs. */
extern const char weir_standalone_fmu_h[], weir_standalone_fmi2_c[], weir_standalone_fmi3_c[];
extern const char weir_standalone_fmi_abi_h[];
/* Between, before and behind the engine's own text. */
extern const char weir_standalone_simulator_words_h[], weir_standalone_simulator_more_h[],
    weir_standalone_simulator_run_h[], weir_standalone_simulator_state_h[];

G_END_DECLS
