/* What a change event marks: the set of entries downstream of a source, as a mask over the
 * out-of-date bits.
 *
 * A mask is made at its source's first change, by one ascending sweep over the rows of dependents,
 * and kept as spans of words; equal masks are shared. Masks together stay within a bound of memory;
 * a source beyond it is swept at each change. Making is serialised; a published mask is immutable
 * and read by any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirMasks WeirMasks;

/* @row_first, @rows: the dependents of source s at s and of entry e at n_sources + e; entries only
 * have dependents of higher number. Borrowed. */
WeirMasks *weir_masks_new (guint32 n_sources, guint32 n_entries, const guint32 *row_first,
                           const guint32 *rows, gsize max_bytes);
void weir_masks_free (WeirMasks *self);

/* Sets the bits of everything downstream of @source in @bits. @scratch: n_words zero words, zero
 * again afterwards; used only where no mask is kept. */
void weir_masks_mark (WeirMasks *self, guint32 source, guint64 *bits, guint64 *scratch);

/* A mask that is one stretch of words. */
typedef struct {
  const guint64
      *words; /* lives as long as the masks; NULL: the source's is none, or not made yet */
  guint32 first, n_words;
} WeirMaskSpan;
WeirMaskSpan weir_masks_get_span (WeirMasks *self, guint32 source);
/* Makes what the first change of @source would make, if that is to be kept. */
void weir_masks_keep (WeirMasks *self, guint32 source);

/* Adds @times to the count of every entry downstream of @source. */
void weir_masks_count (WeirMasks *self, guint32 source, guint64 times, guint64 *counts,
                       guint64 *scratch);

/* The same set by a sweep over the rows, whether or not a mask is kept. */
void weir_masks_sweep (WeirMasks *self, guint32 source, guint64 *bits, guint64 *scratch);

/* To the value of every entry: the largest among those of the sources it is downstream of, or 0.
 * One pass over the rows. */
void weir_masks_spread_largest (const WeirMasks *self, const guint64 *of_source, guint64 *of_entry);

G_END_DECLS
