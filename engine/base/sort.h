/* Sorting many things by a number. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 key;
  gpointer value;
} WeirSortItem;

/* By key, the least first; items of one key keep their order. In time that grows with @n alone, and
 * the bytes in which keys differ. @spare: room for as many. */
void weir_sort_items (WeirSortItem *items, WeirSortItem *spare, guint32 n);

G_END_DECLS
