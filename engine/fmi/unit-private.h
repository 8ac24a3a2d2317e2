/* What a unit made of an FMU consists of: unit.c makes it of a description, unit-run.c steps it. */
#pragma once

#include "fmi/leaf-private.h"
#include "fmi/unit.h"
#include "system/structure/unit.h"

G_BEGIN_DECLS

/* What is told or asked at one time. */
typedef enum {
  WEIR_FMU_UNIT_CONTINUOUS, /* inputs: before each step */
  WEIR_FMU_UNIT_DISCRETE,   /* inputs and, next, parameters that change at events */
  WEIR_FMU_UNIT_TUNABLE,
  WEIR_FMU_UNIT_FIXED, /* parameters: before a run; and other starts that were chosen */
  WEIR_FMU_UNIT_STARTS,
  WEIR_FMU_UNIT_OUTPUTS,
  WEIR_FMU_UNIT_N_LISTS
} WeirFmuUnitList;

/* Variables of one type, got or set by one call. */
typedef struct {
  WeirFmuType type;
  GArray *refs;   /* guint32 */
  GArray *places; /* guint: where each value is, in u, in y, in the parameters, in the starts */
} WeirFmuUnitGroup;

typedef struct {
  const char *name; /* borrowed, of the description */
  guint first, size;
} WeirFmuUnitParameter;

typedef struct {
  WeirUnitClass unit_class; /* with the abilities of this FMU */
  WeirFmuDescription *description;
  WeirFmuBinary binary;    /* owned; folder: NULL until it is unpacked */
  WeirFmuArchive *archive; /* or NULL */
  WeirFmuOptions options;
  GMutex mutex;                         /* of unpacking */
  GArray *lists[WEIR_FMU_UNIT_N_LISTS]; /* WeirFmuUnitGroup */
  GArray *parameters;                   /* WeirFmuUnitParameter */
  GArray *values;                       /* double, of the parameters at first */
  GArray *starts;                       /* double */
  guint n_u, n_y;
  GArray *input_of, *output_of; /* guint, by value: its port */
  guint n_inputs;
  GArray *text_inputs, *text_outputs;                /* WeirFmuTextPort */
  GPtrArray *text_input_starts, *text_output_starts; /* GVariant */
  GArray *text_input_of, *text_output_of;            /* guint: their ports */
  /* Where an input of the clocks' is in u, and an output in y. */
  WeirFmuClocks clocks;
  GArray *timed, *clocked, *numbers; /* of those */
  GArray *held;                      /* double: what is held of them at the start */
  guint64 *start_needs; /* bits, by output and input port: does it depend on it at the start? */
  gboolean can_vary_step, has_event_mode;
  double fixed_step; /* s; NAN: none */
} WeirFmuUnitData;

/* Fills in the functions of the class. */
void weir_fmu_unit_set_functions (WeirUnitClass *unit_class);

G_END_DECLS
