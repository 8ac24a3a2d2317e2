/* Band matrices. See band.h. */
#include "equations/band.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "numerics/rows.h"

#define SMALL 100 /* unknowns */
#define MAX_WORK 1e9
#define MIN_STEPS 10

/* --- Elimination ----------------------------------------------------------------------------- */

WeirBand
weir_band_find (guint n, const guint *first, const guint *column)
{
  WeirBand band = { n, 0, 0 };

  for (guint i = 0; i < n; i++)
    for (guint j = first[i]; j < first[i + 1]; j++)
      if (column[j] < i)
        band.lower = MAX (band.lower, i - column[j]);
      else
        band.upper = MAX (band.upper, column[j] - i);
  return band;
}

double
weir_band_count_work (const WeirBand *self)
{
  double work = 0.0;

  for (guint k = 0; k < self->n; k++)
    {
      guint left = self->n - 1 - k;

      work += (double) MIN (self->lower, left) * MIN ((gsize) self->lower + self->upper, left);
    }
  return work;
}

guint
weir_band_limit_steps (const WeirBand *self, guint most)
{
  return self->n <= SMALL ? most
                          : (guint) CLAMP (MAX_WORK / weir_band_count_work (self), MIN_STEPS, most);
}

static void
exchange (double *a, double *b, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double swap = a[i];

      a[i] = b[i];
      b[i] = swap;
    }
}

double
weir_find_largest (const double *values, gsize n)
{
  double largest = 0.0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, fabs (values[i]));
  return largest;
}

gboolean
weir_band_solve (const WeirBand *self, double *a, double *b)
{
  gsize n = self->n;
  double largest = weir_find_largest (a, weir_band_get_size (self));

  for (gsize k = 0; k < n; k++)
    {
      gsize end_row = MIN (n, k + self->lower + 1);
      gsize n_right = MIN (n - 1 - k, (gsize) self->lower + self->upper);
      double *diagonal = &a[weir_band_get_place (self, k, k)];
      gsize pivot = k;

      for (gsize i = k + 1; i < end_row; i++)
        if (fabs (a[weir_band_get_place (self, i, k)])
            > fabs (a[weir_band_get_place (self, pivot, k)]))
          pivot = i;
      /* What is left after cancelling terms of that size is rounding. */
      if (!(fabs (a[weir_band_get_place (self, pivot, k)]) > n * DBL_EPSILON * largest))
        return FALSE;
      if (pivot != k)
        {
          exchange (&b[k], &b[pivot], 1);
          exchange (diagonal, &a[weir_band_get_place (self, pivot, k)], n_right + 1);
        }
      for (gsize i = k + 1; i < end_row; i++)
        {
          double *row = &a[weir_band_get_place (self, i, k)];
          double factor = row[0] / diagonal[0];

          if (factor == 0.0)
            continue;
          for (gsize j = 1; j <= n_right; j++)
            row[j] -= factor * diagonal[j];
          b[i] -= factor * b[k];
        }
    }
  for (gsize k = n; k-- > 0;)
    {
      const double *diagonal = &a[weir_band_get_place (self, k, k)];
      gsize n_right = MIN (n - 1 - k, (gsize) self->lower + self->upper);

      for (gsize j = 1; j <= n_right; j++)
        b[k] -= diagonal[j] * b[k + j];
      b[k] /= diagonal[0];
    }
  return TRUE;
}

/* --- Order ----------------------------------------------------------------------------------- */

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a, right = *(const guint *) b;

  return left < right ? -1 : left > right;
}

/* Who stands in whose row or column, ascending. */
static void
list_neighbours (WeirRows *self, guint n, const guint *first, const guint *column)
{
  guint n_kept = 0;

  weir_rows_init (self, n);
  for (guint i = 0; i < n; i++)
    for (guint j = first[i]; j < first[i + 1]; j++)
      {
        weir_rows_count (self, i);
        weir_rows_count (self, column[j]);
      }
  weir_rows_make_room (self);
  for (guint i = 0; i < n; i++)
    for (guint j = first[i]; j < first[i + 1]; j++)
      {
        weir_rows_put (self, i, column[j]);
        weir_rows_put (self, column[j], i);
      }
  /* Each once, without itself. */
  for (guint i = 0; i < n; i++)
    {
      guint begin = self->first[i], end = self->first[i + 1];

      qsort (&self->items[begin], end - begin, sizeof *self->items, compare_numbers);
      self->first[i] = n_kept;
      for (guint j = begin; j < end; j++)
        if (self->items[j] != i
            && (n_kept == self->first[i] || self->items[n_kept - 1] != self->items[j]))
          self->items[n_kept++] = self->items[j];
    }
  self->first[n] = self->first[n + 1] = n_kept;
}

static int
compare_degrees (gconstpointer a, gconstpointer b, gpointer graph)
{
  guint left = *(const guint *) a, right = *(const guint *) b;
  guint degree = weir_rows_get_length (graph, left), other = weir_rows_get_length (graph, right);

  return degree != other ? (degree < other ? -1 : 1) : left < right ? -1 : left > right;
}

/* Breadth first from @root, within what is not @is_placed: appends to @order. Returns how many
 * levels there are, and where the last one begins. */
static guint
walk (const WeirRows *self, guint root, gboolean *is_placed, GArray *order, guint *last)
{
  guint head = order->len, n_levels = 0;

  is_placed[root] = TRUE;
  g_array_append_val (order, root);
  while (head < order->len)
    {
      guint end = order->len;

      *last = head;
      n_levels++;
      for (; head < end; head++)
        {
          guint at = g_array_index (order, guint, head), begin = order->len;

          for (guint j = self->first[at]; j < self->first[at + 1]; j++)
            if (!is_placed[self->items[j]])
              {
                is_placed[self->items[j]] = TRUE;
                g_array_append_val (order, self->items[j]);
              }
          g_qsort_with_data ((guint *) order->data + begin, (gint) (order->len - begin),
                             sizeof (guint), compare_degrees, (gpointer) self);
        }
    }
  return n_levels;
}

static void
take_back (gboolean *is_placed, GArray *order, guint n)
{
  for (guint i = n; i < order->len; i++)
    is_placed[g_array_index (order, guint, i)] = FALSE;
  g_array_set_size (order, n);
}

/* From an end of the graph levels are narrow: goes to the far side as long as that makes more of
 * them (Gibbs, Poole and Stockmeyer). */
static void
walk_from_end (const WeirRows *self, guint root, gboolean *is_placed, GArray *order)
{
  guint n = order->len, last, n_levels = walk (self, root, is_placed, order, &last);

  for (;;)
    {
      guint end = g_array_index (order, guint, last), n_other;

      for (guint i = last + 1; i < order->len; i++)
        if (compare_degrees (&g_array_index (order, guint, i), &end, (gpointer) self) < 0)
          end = g_array_index (order, guint, i);
      take_back (is_placed, order, n);
      n_other = walk (self, end, is_placed, order, &last);
      if (n_other <= n_levels)
        return;
      n_levels = n_other;
    }
}

void
weir_band_order (guint n, const guint *first, const guint *column, guint *order)
{
  g_autoptr (GArray) walked = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  g_autofree gboolean *is_placed = g_new0 (gboolean, n + 1);
  g_auto (WeirRows) graph = { 0 };

  list_neighbours (&graph, n, first, column);
  for (guint i = 0; i < n; i++)
    if (!is_placed[i])
      walk_from_end (&graph, i, is_placed, walked);
  for (guint i = 0; i < n; i++)
    order[i] = g_array_index (walked, guint, n - 1 - i);
}
