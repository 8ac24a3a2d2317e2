/* Minima and maxima of a growing column over any range of rows, in logarithmic time.
 *
 * Level 0 has a bin for every WEIR_PYRAMID_BIN rows, each further level one for every
 * WEIR_PYRAMID_FANOUT bins below. Only full bins are kept; they never change, so the pyramid is
 * append-only like its column. Values that are not finite are left out. Thread: *owner*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_PYRAMID_BIN 32
#define WEIR_PYRAMID_FANOUT 8
#define WEIR_PYRAMID_LEVELS 12

typedef struct {
  double low, high; /* low > high: no finite value */
} WeirSpan;

#define WEIR_SPAN_EMPTY ((WeirSpan) { G_MAXDOUBLE, -G_MAXDOUBLE })

gboolean weir_span_is_empty (WeirSpan span);
WeirSpan weir_span_union (WeirSpan a, WeirSpan b);

/* Rows from @first on that lie together, at least one; sets @n. */
typedef const double *(*WeirColumnFunc) (gpointer data, gsize first, gsize *n);

typedef struct _WeirPyramid WeirPyramid;

WeirPyramid *weir_pyramid_new (void);
void weir_pyramid_free (WeirPyramid *self);
/* Takes in the rows up to @n_rows. */
void weir_pyramid_extend (WeirPyramid *self, WeirColumnFunc values, gpointer data, gsize n_rows);
/* Of rows [first, end), end at most the n_rows of the last extend. */
WeirSpan weir_pyramid_get_span (WeirPyramid *self, WeirColumnFunc values, gpointer data,
                                gsize first, gsize end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPyramid, weir_pyramid_free)

G_END_DECLS
