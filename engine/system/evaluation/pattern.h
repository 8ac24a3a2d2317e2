/* Looking at declared patterns and slopes from outside: what do they say to a change? For audits.
 *
 * Two contexts of one structure differ in some of their values. Of each entry alone, given what
 * changed of that which it reads: may this element have changed, and by about how much?
 *
 * Thread: the contexts' *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct {
  double change;       /* of the element, from the first context to the second */
  gboolean may_change; /* something changed that its pattern, or that beside it, names */
  gboolean has_slopes;
  double expected; /* the change by the slopes of the first context */
} WeirPatternView;

/* FALSE if the entry has no pattern or a value is missing; it is evaluated where it is out of
 * date. */
gboolean weir_pattern_view (WeirSystem *root, WeirContext *first, WeirContext *second,
                            WeirEntry entry, guint element, WeirPatternView *view);
/* Elements of an entry that has a pattern; else 0. */
guint weir_layout_get_pattern_size (const WeirLayout *layout, WeirEntry entry);

G_END_DECLS
