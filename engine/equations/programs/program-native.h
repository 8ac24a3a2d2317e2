/* Programs as code made at run time (native.h), of the same bits as weir_program_execute(). */
#pragma once

#include "equations/programs/program.h"
#include "native/native.h"

G_BEGIN_DECLS

/* Is told of each output as soon as it is known. */
typedef void (*WeirProgramStore) (gpointer data, guint output, WeirNativeValue value);

/* Lists what the program does; @inputs: n_inputs values. FALSE: it does what no code is made of. */
gboolean weir_program_build (const WeirProgram *self, WeirNativeBuilder *builder,
                             const WeirNativeValue *inputs, WeirProgramStore store, gpointer data);

G_END_DECLS
