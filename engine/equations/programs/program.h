/* Programs: expressions compiled to flat code.
 *
 * A program computes n_outputs numbers from n_inputs. It is one block of bytes without pointers,
 * so that it can be copied, compared and kept as a constant of a system. Common parts are
 * computed once. The dear branches of "if" are guarded: they are skipped where the condition
 * does not take them. Running allocates nothing and keeps nothing. The scalar and the wide form
 * give the same bits.
 *
 * Thread: a program is *immutable*; the work space of a run belongs to the caller.
 */
#pragma once

#include "equations/expressions/expression.h"

G_BEGIN_DECLS

typedef struct _WeirProgram WeirProgram;

/* Compiles @outputs, made of scalar operations and atoms. @inputs: the atoms that the caller
 * supplies; every atom of the outputs must be one of them. Free with g_free(). (transfer full) */
WeirProgram *weir_program_new (WeirExprPool *pool, const WeirExpr *outputs, guint n_outputs,
                               const WeirExpr *inputs, guint n_inputs);

gsize weir_program_get_size (const WeirProgram *self); /* bytes; a multiple of 8 */
guint weir_program_get_n_inputs (const WeirProgram *self);
guint weir_program_get_n_outputs (const WeirProgram *self);
guint weir_program_get_n_instructions (const WeirProgram *self);
/* Doubles that a run needs as @work. */
guint weir_program_get_work_size (const WeirProgram *self);

/* @in: n_inputs, @out: n_outputs values; @work: scratch, no need to set it. */
void weir_program_execute (const WeirProgram *self, const double *in, double *out, double *work);

/* After a run that gave no number: the first operation whose operands are numbers and whose
 * result is none. @work: of that run, changed. @a, @b: its operands. FALSE if there is none. */
gboolean weir_program_find_invalid (const WeirProgram *self, const double *in, double *work,
                                    WeirOp *op, double *a, double *b);

/* The program of what the first @n_outputs outputs move by, exact but for rounding: its inputs are
 * those of @self, then what each of these moves by. (transfer full) */
WeirProgram *weir_program_new_tangent (const WeirProgram *self, guint n_outputs);

/* Writes it as a C function @name (const double *in, double *out), which computes the same in the
 * same order. It calls what operations.h defines. */
void weir_program_write_c (const WeirProgram *self, const char *name, GString *text);
/* A number by which programs written as C find theirs; of no meaning otherwise. */
void weir_program_set_number (WeirProgram *self, guint32 number);

/* The scratch of wide runs of one program, of one thread. */
typedef struct _WeirProgramWide WeirProgramWide;
WeirProgramWide *weir_program_wide_new (const WeirProgram *self);
void weir_program_wide_free (WeirProgramWide *wide);

/* One input of a wide run: @n values in a row, or one for all; never NULL. */
typedef struct {
  const double *base;
  gboolean is_vector;
} WeirProgramColumn;

/* The same for @n sets of inputs. @in: n_inputs columns; @out: n_outputs arrays of @n, which no
 * input may overlap. */
void weir_program_execute_wide (const WeirProgram *self, const WeirProgramColumn *in,
                                double *const *out, gsize n, WeirProgramWide *wide);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirProgramWide, weir_program_wide_free)

G_END_DECLS
