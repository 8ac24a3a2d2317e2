/* Sorting by a number. See sort.h. */
#include "base/sort.h"

#include <string.h>

#define FEW 64 /* items that are sorted faster by insertion */

static void
insert_items (WeirSortItem *items, guint32 n)
{
  for (guint32 i = 1; i < n; i++)
    {
      WeirSortItem item = items[i];
      guint32 k = i;

      for (; k > 0 && items[k - 1].key > item.key; k--)
        items[k] = items[k - 1];
      items[k] = item;
    }
}

/* To @to, in the order of the byte of keys at @shift. */
static void
scatter (const WeirSortItem *from, WeirSortItem *to, guint32 n, guint shift)
{
  guint32 first[256] = { 0 };
  guint32 at = 0;

  for (guint32 i = 0; i < n; i++)
    first[from[i].key >> shift & 0xff]++;
  for (guint k = 0; k < G_N_ELEMENTS (first); k++)
    {
      guint32 count = first[k];

      first[k] = at;
      at += count;
    }
  for (guint32 i = 0; i < n; i++)
    to[first[from[i].key >> shift & 0xff]++] = from[i];
}

void
weir_sort_items (WeirSortItem *items, WeirSortItem *spare, guint32 n)
{
  WeirSortItem *from = items, *to = spare, *swap;
  guint64 differs = 0;
  gboolean is_sorted = TRUE;

  if (n <= FEW)
    {
      insert_items (items, n);
      return;
    }
  for (guint32 i = 1; i < n; i++)
    {
      differs |= items[i].key ^ items[0].key;
      is_sorted &= items[i - 1].key <= items[i].key;
    }
  for (guint shift = 0; shift < 64 && !is_sorted; shift += 8)
    {
      if ((differs >> shift & 0xff) == 0)
        continue;
      scatter (from, to, n, shift);
      swap = from;
      from = to;
      to = swap;
    }
  if (from != items)
    memcpy (items, from, n * sizeof *items);
}
