/* Parameters of the FMU that a block names, and its states' values at the start, told as parameters
 * of blocks are, so that they are looked at and set alike; and the pages that it brings with it.
 * Values are kept in the block's own parameter "start" (fmu-starts.h). Thread: *any*.
 */
#pragma once

#include "blocks/types/block-type.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

/* Of the FMU that the block names, states last; NULL: it names none that can be read. For good.
 * (transfer none) */
const GArray *weir_block_get_fmu_parameters (const WeirBlock *self);
/* What one of them is here, as fields show it: a text without its quotes. (transfer full) */
char *weir_block_dup_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec);
/* @value: so too; NULL, or the default: what the file says. NULL and @error: it does not suit the
 * FMU. (transfer full) */
WeirBlock *weir_block_with_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec,
                                          const char *value, GError **error);
/* The same as numbers, of all elements; NULL: it is a text, or makes no sense. (transfer full) */
double *weir_block_dup_fmu_value (const WeirBlock *self, const WeirParameterSpec *spec,
                                  guint *size);
/* Whether two texts of "start" differ at most in what a run takes over as it goes on. */
gboolean weir_block_is_fmu_tuned (const WeirBlock *self, const char *before, const char *after);
/* NULL: the FMU has none of that name. (transfer none) */
const WeirParameterSpec *weir_block_find_fmu_parameter (const WeirBlock *self, const char *name);
/* Whether @name is a structural parameter, which arrays and ports have their sizes by. */
gboolean weir_block_is_fmu_structure (const WeirBlock *self, const char *name);

/* --- What its maker says of it ---------------------------------------------------------------- */

#define WEIR_FMU_PAGES "documentation/"
#define WEIR_FMU_FIRST_PAGE WEIR_FMU_PAGES "index.html"

/* Whether the FMU brings pages with it. */
gboolean weir_block_has_fmu_pages (const WeirBlock *self);
/* Puts them, and nothing else of it, into a folder of the user's cache, and returns the path of the
 * first. Nothing of it is run. NULL and @error. (transfer full) */
char *weir_block_unpack_fmu_pages (const WeirBlock *self, GError **error);

G_END_DECLS
