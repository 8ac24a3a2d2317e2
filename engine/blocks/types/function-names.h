/* What the functions of blocks are called, and where they stand: their text is what a model that is
 * written down as a program consists of. Made from the sources by name-functions. Thread: *any*.
 *
 * A function that computes values may have a companion that is called like it with _tangent behind:
 * (c, d, out) writes what each of the values moves by, exactly, where all that the function reads
 * of c (time, state, inputs, parameters, cached values) moves by what d has in its place. Modes and
 * other discrete state, which d does not have, hold. Only programs written from models call it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*WeirAnyFunction) (void);

typedef struct {
  WeirAnyFunction function;  /* NULL ends a list */
  const char *name, *source; /* "gain", "math.c" */
} WeirFunctionName;

/* Of all families; ends in NULL. */
extern const WeirFunctionName *const *const weir_function_names;

G_END_DECLS
