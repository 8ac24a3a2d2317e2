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

guint
weir_colour_columns (const WeirRows *pattern, guint32 *colours)
{
  g_auto (WeirRows) by_row = { 0 };
  g_autofree guint32 *taken_by = NULL; /* by colour: 1 + the last column that could not have it */
  guint n_colours = 0;
  gsize n = pattern->n;

  if (pattern->first[n] == n * n) /* a full pattern: each its own */
    {
      for (gsize j = 0; j < n; j++)
        colours[j] = (guint32) j;
      return pattern->n;
    }
  weir_rows_transpose (&by_row, pattern->n, pattern->n, pattern->first, pattern->items);
  taken_by = g_new0 (guint32, n + 1);
  for (gsize j = 0; j < n; j++)
    {
      guint32 colour = 0;

      for (guint32 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
        {
          guint32 row = pattern->items[k];

          /* Columns of a row ascend: those before j have their colours. */
          for (guint32 l = by_row.first[row]; by_row.items[l] < j; l++)
            taken_by[colours[by_row.items[l]]] = (guint32) j + 1;
        }
      while (taken_by[colour] == (guint32) j + 1)
        colour++;
      colours[j] = colour;
      n_colours = MAX (n_colours, colour + 1);
    }
  return n_colours;
}
