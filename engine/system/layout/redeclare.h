/* A copy of a tree of systems in which some entries declare other prerequisites: for trying out
 * what an audit proposes. Calculations are the very same functions; only what the cache is told
 * differs.
 *
 * Thread: systems are *immutable*; the function *any*.
 */
#pragma once

#include "system/layout/layout.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef struct {
  WeirEntry entry;        /* of @root's layout; a leaf's own, and no kernel's */
  const guint16 *tickets; /* of the entry's leaf: all that it is to declare; borrowed */
  guint n_tickets;
} WeirRedeclaration;

/* What is not on the way to such a leaf is shared with @root. NULL and @error where a declaration
 * makes no sense: a cache entry that comes later in the leaf, a diagram's own entry, a kernel's, or
 * an algebraic loop that comes of it. (transfer full) */
WeirSystem *weir_system_redeclare (WeirSystem *root, const WeirRedeclaration *changes, guint n,
                                   GError **error);

G_END_DECLS
