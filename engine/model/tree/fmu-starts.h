/* Values that a block of an FMU gives instead of those in its file: the text of its parameter
 * "start".
 *
 * "mass = 2; x = [1, 2]; on = true; gear = second; file = \"a; b\"", in lines or parted by
 * semicolons: numbers and lists of them, the words of Booleans, the names of items of enumerations,
 * texts in double quotes, within which \" \\ and \n stand for a quote, a backslash and a new line.
 * The bytes of a binary are written as a text of hexadecimal digits.
 *
 * Those that are parameters of the FMU are told as parameters of blocks are, so that they are
 * looked at and set alike. Thread: *any*.
 */
#pragma once

#include "fmi/audit.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

/* All of them, for a leaf; what is of no variable has no values. NULL and @error. (transfer full),
 * of WeirFmuStart */
GArray *weir_fmu_starts_read (const char *text, const WeirFmuDescription *description,
                              GError **error);
/* @text with @value, as it stands there, for a variable; NULL: without. (transfer full) */
char *weir_fmu_starts_with (const char *text, const char *variable, const char *value);
/* In quotes. (transfer full) */
char *weir_fmu_starts_quote (const char *text);

/* What an FMU lets one choose before a run, in the order of its file: WeirParameterSpec, whose
 * default is the file's value. Kept with the source. (transfer full) */
GArray *weir_fmu_list_parameters (const WeirFmuDescription *description);

/* Of the FMU that the block names; NULL: it names none that can be read. For good. (transfer none)
 */
const GArray *weir_block_get_fmu_parameters (const WeirBlock *self);
/* What one of them is here, as fields show it: a text without its quotes. (transfer full) */
char *weir_block_dup_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec);
/* @value: so too; NULL, or the default: what the file says. NULL and @error: it does not suit the
 * FMU. (transfer full) */
WeirBlock *weir_block_with_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec,
                                          const char *value, GError **error);
/* NULL: the FMU has none of that name. (transfer none) */
const WeirParameterSpec *weir_block_find_fmu_parameter (const WeirBlock *self, const char *name);

G_END_DECLS
