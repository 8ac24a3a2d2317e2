/* Colouring columns. See colouring.h. */
#include "sim/colouring.h"

#include <string.h>

/* The same pattern by rows. */
static WeirSparsity *
transpose (const WeirSparsity *pattern)
{
  gsize n = pattern->n, n_values = (gsize) pattern->first[n];
  WeirSparsity *rows = g_new0 (WeirSparsity, 1);
  g_autofree gint64 *next = g_new (gint64, n + 1);

  rows->n = pattern->n;
  rows->first = g_new0 (gint64, n + 1);
  rows->rows = g_new (gint64, MAX (n_values, 1));
  for (gsize k = 0; k < n_values; k++)
    rows->first[pattern->rows[k] + 1]++;
  for (gsize i = 0; i < n; i++)
    rows->first[i + 1] += rows->first[i];
  memcpy (next, rows->first, (n + 1) * sizeof *next);
  for (gsize j = 0; j < n; j++)
    for (gint64 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
      rows->rows[next[pattern->rows[k]]++] = (gint64) j;
  return rows;
}

guint
weir_colour_columns (const WeirSparsity *pattern, guint32 *colours)
{
  g_autoptr (WeirSparsity) by_row = NULL;
  g_autofree guint32 *taken_by = NULL; /* by colour: 1 + the last column that could not have it */
  guint n_colours = 0;
  gsize n = pattern->n;

  if (pattern->first[n] == (gint64) n * (gint64) n) /* a full pattern: each its own */
    {
      for (gsize j = 0; j < n; j++)
        colours[j] = (guint32) j;
      return pattern->n;
    }
  by_row = transpose (pattern);
  taken_by = g_new0 (guint32, n + 1);
  for (gsize j = 0; j < n; j++)
    {
      guint32 colour = 0;

      for (gint64 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
        {
          gint64 row = pattern->rows[k];

          /* Columns of a row ascend: those before j have their colours. */
          for (gint64 l = by_row->first[row]; by_row->rows[l] < (gint64) j; l++)
            taken_by[colours[by_row->rows[l]]] = (guint32) j + 1;
        }
      while (taken_by[colour] == (guint32) j + 1)
        colour++;
      colours[j] = colour;
      n_colours = MAX (n_colours, colour + 1);
    }
  return n_colours;
}
