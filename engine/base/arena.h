/* Memory for many small things that go at once. Thread: *owner*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirArena WeirArena;

WeirArena *weir_arena_new (void);
/* And all that was given. (nullable) */
void weir_arena_free (WeirArena *self);
/* Zeros, aligned for anything; there until the arena is freed. */
gpointer weir_arena_give (WeirArena *self, gsize size);

#define weir_arena_new_of(self, type, n) ((type *) weir_arena_give ((self), sizeof (type) * (n)))

G_END_DECLS
