/* What a leaf's calculations have of code made at run time.
 *
 * A leaf whose calculations follow from its data, as those of equations do, makes code of them
 * once; it belongs to the leaf, and all contexts share it. Where it can list them (native.h), they
 * become part of the code of a whole right-hand side.
 */
#pragma once

#include "native/native.h"
#include "system/evaluation/calc.h"
#include "system/structure/listing.h"

G_BEGIN_DECLS

/* What @make makes of the leaf's data (weir_leaf_set_data()), when it is first asked for, by one
 * thread; freed by @free with the leaf. NULL: this context computes without, or somebody observes
 * what is read. Thread: *owner* of the context. */
gpointer weir_calc_get_native (const WeirCalc *c, gpointer (*make) (gconstpointer data, gsize size),
                               GDestroyNotify free);

/* --- Calculations as lists (listing.h) ------------------------------------------------------- */

WeirCalcFunc weir_listing_get_calc (const WeirListing *self);
guint weir_listing_get_index (const WeirListing *self); /* as weir_calc_get_index() */
gconstpointer weir_listing_get_data (const WeirListing *self);
guint weir_listing_get_input_size (const WeirListing *self, WeirInput in);
WeirNativeBuilder *weir_listing_get_builder (const WeirListing *self);

/* Element @element of what the accessor of calc.h with the same name gives. */
WeirNativeValue weir_listing_load_time (const WeirListing *self);
WeirNativeValue weir_listing_load_accuracy (const WeirListing *self);
WeirNativeValue weir_listing_load_z (const WeirListing *self, guint element);
WeirNativeValue weir_listing_load_input (const WeirListing *self, WeirInput in, guint element);
WeirNativeValue weir_listing_load_parameter (const WeirListing *self, WeirParameter parameter,
                                             guint element);
WeirNativeValue weir_listing_load_discrete (const WeirListing *self, WeirGroup group,
                                            guint element);
WeirNativeValue weir_listing_load_cached (const WeirListing *self, WeirCached entry, guint element);

/* Element @element of the result; each is stored once. */
void weir_listing_store (WeirListing *self, guint element, WeirNativeValue value);
/* The same of a value that must be finite, as derivatives must anyhow. */
void weir_listing_store_finite (WeirListing *self, guint element, WeirNativeValue value);
/* @value: known wherever the calculation goes on. */
void weir_listing_insist_on_finite (WeirListing *self, WeirNativeValue value);

G_END_DECLS
