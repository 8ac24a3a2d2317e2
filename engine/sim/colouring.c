/* Colouring columns. See colouring.h. */
#include "sim/colouring.h"

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
