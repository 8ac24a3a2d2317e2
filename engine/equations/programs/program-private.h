/* The code of a program.
 *
 * Values live in slots: constants, then inputs, then temporaries, which are used again after
 * their last reading. An instruction reads slots a, b, c and writes slot d. Jumps go forward
 * only; what a jump leaves out is read by nothing but the IF that does not choose it.
 *
 * Layout: WeirProgram, constants (double), instructions and END, operands of tables (guint32),
 * output slots (guint32), padding to 8 bytes.
 */
#pragma once

#include "equations/expressions/operations.h"
#include "equations/programs/program.h"

G_BEGIN_DECLS

typedef struct {
  guint16 op;
  guint16 form;       /* for scalar runs: op, or one of its forms above */
  guint32 d, a, b, c; /* TABLE, SLOPE: a: u; b: first of its operands; c: points */
} WeirInstruction;

struct _WeirProgram {
  guint32 size; /* bytes of all */
  guint32 n_constants, n_inputs, n_outputs;
  guint32 n_slots;
  guint32 n_instructions;
  guint32 n_operands;
  guint32 reserved; /* 0, or weir_program_set_number() */
};

static inline const double *
weir_program_constants (const WeirProgram *self)
{
  return (const double *) (self + 1);
}

static inline const WeirInstruction *
weir_program_code (const WeirProgram *self)
{
  return (const WeirInstruction *) (weir_program_constants (self) + self->n_constants);
}

static inline const guint32 *
weir_program_operands (const WeirProgram *self)
{
  return (const guint32 *) (weir_program_code (self) + self->n_instructions + 1);
}

static inline const guint32 *
weir_program_output_slots (const WeirProgram *self)
{
  return weir_program_operands (self) + self->n_operands;
}

static inline gboolean
weir_instruction_is_jump (const WeirInstruction *self)
{
  return self->op == WEIR_CODE_SKIP_IF_ZERO || self->op == WEIR_CODE_SKIP_UNLESS_ZERO;
}

/* Replaces the @n positions that instructions and operands tell by slots; returns the number of
 * slots. @slot: by position; those of constants and inputs are known. */
guint32 weir_program_allocate_slots (GArray *code, GArray *operands, guint n, guint32 *slot,
                                     guint32 first_temporary, const guint *outputs,
                                     guint n_outputs);
/* Once slots are known. */
void weir_program_find_forms (GArray *code);

#define WEIR_PROGRAM_WIDTH 256 /* values of a temporary in a wide run */

G_END_DECLS
