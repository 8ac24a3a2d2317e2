/* Values that a block of an FMU gives instead of those in its file: the text of its parameter
 * "start".
 *
 * "mass = 2; x = [1, 2]; on = true; gear = second; file = \"a; b\"", in lines or parted by
 * semicolons: numbers and lists of them, the words of Booleans, the names of items of enumerations,
 * texts in double quotes, within which \" \\ and \n stand for a quote, a backslash and a new line.
 * The bytes of a binary are written as a text of hexadecimal digits.
 *
 * Thread: *any*.
 */
#pragma once

#include "blocks/types/block-type.h"
#include "fmi/audit.h"

G_BEGIN_DECLS

#define WEIR_FMU_STARTS "start" /* the block's parameter */

/* All of them, for a leaf; what is of no variable has no values. NULL and @error. (transfer full),
 * of WeirFmuStart */
GArray *weir_fmu_starts_read (const char *text, const WeirFmuDescription *description,
                              GError **error);
/* What @text says of a parameter, else the file, as fields show it: a text without its quotes.
 * (transfer full) */
char *weir_fmu_starts_dup (const char *text, const WeirFmuDescription *description,
                           const WeirParameterSpec *spec);
/* The same as numbers, of all elements; NULL: it is a text, or makes no sense. (transfer full) */
double *weir_fmu_starts_dup_numbers (const char *text, const WeirFmuDescription *description,
                                     const WeirParameterSpec *spec, guint *size);
/* Whether two texts differ at most in what a run takes over as it goes on. @parameters: of the FMU.
 */
gboolean weir_fmu_starts_equal_but_tuned (const char *a, const char *b,
                                          const WeirFmuDescription *description,
                                          const GArray *parameters);
/* @text with another value of a parameter, as fields have it; NULL, or the default: what the file
 * says. NULL and @error: it does not suit the FMU. (transfer full) */
char *weir_fmu_starts_change (const char *text, const WeirFmuDescription *description,
                              const WeirParameterSpec *spec, const char *value, GError **error);
/* In quotes. (transfer full) */
char *weir_fmu_starts_quote (const char *text);

/* What an FMU lets one choose before a run: parameters in the order of its file, then states;
 * WeirParameterSpec, whose default is the file's value. Kept with the source. (transfer full) */
GArray *weir_fmu_list_parameters (const WeirFmuDescription *description);

G_END_DECLS
