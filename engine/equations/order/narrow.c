/* The order of equations and unknowns that are solved together: one in which their matrix is a
 * narrow band, so that a chain or a grid of many takes little time and memory. Small groups stay as
 * they are written.
 */
#include "equations/order/order.h"

#include <string.h>

#define MAX_DENSE 8 /* unknowns that are not worth it */

typedef struct {
  guint column;
  WeirExpr entry;
} Entry;

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  guint left = ((const Entry *) a)->column, right = ((const Entry *) b)->column;

  return left < right ? -1 : left > right;
}

/* @rows, @columns: which equation and which unknown come at each place. */
static void
permute (WeirEquationBlock *block, const guint *rows, const guint *columns)
{
  guint n = block->n;
  WeirJacobian *jacobian = block->jacobian, old = *jacobian;
  g_autofree WeirExpr *unknowns = g_memdup2 (block->unknowns, n * sizeof (WeirExpr));
  g_autofree WeirExpr *residuals = g_memdup2 (block->residuals, n * sizeof (WeirExpr));
  g_autofree int *lines = g_memdup2 (block->lines, n * sizeof (int));
  g_autofree guint *place_of = g_new (guint, n);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));

  jacobian->first = g_new0 (guint, n + 1);
  jacobian->column = g_new (guint, old.first[n]);
  jacobian->entry = g_new (WeirExpr, old.first[n]);
  for (guint i = 0; i < n; i++)
    place_of[columns[i]] = i;
  for (guint i = 0; i < n; i++)
    {
      block->unknowns[i] = unknowns[columns[i]];
      block->residuals[i] = residuals[rows[i]];
      block->lines[i] = lines[rows[i]];
      g_array_set_size (entries, 0);
      for (guint j = old.first[rows[i]]; j < old.first[rows[i] + 1]; j++)
        {
          Entry entry = { place_of[old.column[j]], old.entry[j] };

          g_array_append_val (entries, entry);
        }
      g_array_sort (entries, compare_entries);
      jacobian->first[i + 1] = jacobian->first[i] + entries->len;
      for (guint j = 0; j < entries->len; j++)
        {
          jacobian->column[jacobian->first[i] + j] = g_array_index (entries, Entry, j).column;
          jacobian->entry[jacobian->first[i] + j] = g_array_index (entries, Entry, j).entry;
        }
    }
  g_free (old.first);
  g_free (old.column);
  g_free (old.entry);
}

void
weir_equation_block_narrow (WeirEquationBlock *block, const guint *matched, guint *rows)
{
  guint n = block->n;
  const WeirJacobian *jacobian = block->jacobian;
  g_autofree guint *column = g_new (guint, jacobian->first[n] + 1);
  g_autofree guint *equation_of = g_new (guint, n), *place_of = g_new (guint, n);
  g_autofree guint *columns = g_new (guint, n);
  WeirBand band = { n, 0, 0 };

  for (guint i = 0; i < n; i++)
    rows[i] = i;
  if (n <= MAX_DENSE)
    return;
  /* Columns are numbered like the equations that they are matched to, so that both move alike. */
  for (guint i = 0; i < n; i++)
    equation_of[matched[i]] = i;
  for (guint j = 0; j < jacobian->first[n]; j++)
    column[j] = equation_of[jacobian->column[j]];
  weir_band_order (n, jacobian->first, column, rows);
  for (guint i = 0; i < n; i++)
    {
      place_of[rows[i]] = i;
      columns[i] = matched[rows[i]];
    }
  for (guint i = 0; i < n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      {
        guint row = place_of[i], other = place_of[column[j]];

        if (other < row)
          band.lower = MAX (band.lower, row - other);
        else
          band.upper = MAX (band.upper, other - row);
      }
  if (weir_band_get_size (&band) < weir_band_get_size (&block->band))
    {
      permute (block, rows, columns);
      block->band = band;
      return;
    }
  for (guint i = 0; i < n; i++)
    rows[i] = i;
}
