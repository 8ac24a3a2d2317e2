/* The library of block types: every type that there is, category by category.
 *
 * A family of types is a file of the library, and meson.build lists the files: what stands there is
 * registered. Thread: *any*, everything is immutable.
 */
#pragma once

#include "blocks/types/block-type.h"

G_BEGIN_DECLS

guint weir_registry_get_n_types (void);
const WeirBlockType *weir_registry_get_type (guint i); /* category by category */
/* Those, and what users' parts that were read are called (blocks/parts/user-parts.h). NULL if
 * unknown. */
const WeirBlockType *weir_registry_find (const char *name);

/* Where the program of its condition is in the data of an Assertion's leaf, bytes. */
extern const guint32 weir_assertion_program_place;

G_END_DECLS
