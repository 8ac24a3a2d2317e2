/* Compressed rows. See rows.h. */
#include "numerics/rows.h"

void
weir_rows_init (WeirRows *self, guint32 n)
{
  *self = (WeirRows) { .n = n, .first = g_new0 (guint32, (gsize) n + 2) };
}

void
weir_rows_clear (WeirRows *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->items, g_free);
}

void
weir_rows_free (WeirRows *self)
{
  if (self != NULL)
    weir_rows_clear (self);
  g_free (self);
}

void
weir_rows_add_up (WeirRows *self)
{
  for (guint32 r = 0; r < self->n; r++)
    self->first[r + 2] += self->first[r + 1];
}

void
weir_rows_make_room (WeirRows *self)
{
  weir_rows_add_up (self);
  self->items = g_new (guint32, MAX ((gsize) self->first[self->n + 1], 1));
}

void
weir_rows_group (WeirRows *self, guint32 n, const guint32 *row_of, guint32 n_items)
{
  weir_rows_init (self, n);
  for (guint32 i = 0; i < n_items; i++)
    weir_rows_count (self, row_of[i]);
  weir_rows_make_room (self);
  for (guint32 i = 0; i < n_items; i++)
    weir_rows_put (self, row_of[i], i);
}

void
weir_rows_transpose (WeirRows *self, guint32 n_columns, guint32 n, const guint32 *first,
                     const guint32 *items)
{
  guint32 n_items = first[n];

  weir_rows_init (self, n_columns);
  for (guint32 k = 0; k < n_items; k++)
    weir_rows_count (self, items[k]);
  weir_rows_make_room (self);
  for (guint32 i = 0; i < n; i++)
    for (guint32 k = first[i]; k < first[i + 1]; k++)
      weir_rows_put (self, items[k], i);
}
