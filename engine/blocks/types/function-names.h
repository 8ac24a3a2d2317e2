/* What the functions of blocks are called, and where they stand: their text is what a model that is
 * written down as a program consists of. Made from the sources by name-functions. Thread: *any*.
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
