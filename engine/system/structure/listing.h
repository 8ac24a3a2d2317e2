/* Calculations that can list what they do, as code made at run time takes it: what a leaf says of
 * its own beside the functions that compute. See calc-native.h. */
#pragma once

#include "system/structure/leaf.h"

G_BEGIN_DECLS

/* A calculation of a leaf, within the list of others. Valid within the call; thread *any*. */
typedef struct _WeirListing WeirListing;

/* Lists what a calculation of the leaf does, that of weir_listing_get_calc(): all of its results,
 * to the bit, wherever what it insists on is finite; where that is not so, the calculation itself
 * is called and says why. It reads what the calculation declares. FALSE: it cannot be listed. */
typedef gboolean (*WeirListFunc) (WeirListing *listing);

void weir_leaf_set_list (WeirLeafBuilder *b, WeirListFunc list);

G_END_DECLS
