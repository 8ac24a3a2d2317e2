/* Band matrices. See band.h. */
#include "numerics/band.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/rows.h"
#include "numerics/vector.h"

#define SMALL 100 /* unknowns */
#define MAX_WORK 1e9
#define MIN_STEPS 10
#define LARGEST 2 /* entry of scaled rows */

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

      work += (double) MIN (self->lower, left)
              * (double) MIN ((gsize) self->lower + self->upper, left);
    }
  return work;
}

guint
weir_band_limit_steps (const WeirBand *self, guint most)
{
  return self->n <= SMALL ? most
                          : (guint) CLAMP (MAX_WORK / weir_band_count_work (self), MIN_STEPS, most);
}

static inline gsize
get_place (const WeirBand *self, gsize row, gsize column, gboolean is_dense)
{
  return is_dense ? row * self->n + column : weir_band_get_place (self, row, column);
}

/* How many entries right of the diagonal row @k has once rows were exchanged. */
static inline gsize
count_right (const WeirBand *self, gsize k)
{
  return MIN (self->n - 1 - k, (gsize) self->lower + self->upper);
}

static inline void
exchange (double *a, double *b, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double swap = a[i];

      a[i] = b[i];
      b[i] = swap;
    }
}

/* What a pivot has to be larger than. */
typedef struct {
  double least;
  double share;  /* of the largest entry of its column */
  double enough; /* no need to look at that: of more than this */
} Needed;

/* The row of the largest entry of column @k from the diagonal on; n if that is too small. */
static inline gsize
find_pivot (const WeirBand *self, const double *a, gsize k, const Needed *needed, gboolean is_dense)
{
  gsize end_row = MIN (self->n, k + self->lower + 1), pivot = k;
  double largest = fabs (a[get_place (self, k, k, is_dense)]), least = needed->least;

  for (gsize i = k + 1; i < end_row; i++)
    {
      double size = fabs (a[get_place (self, i, k, is_dense)]);

      if (size > largest)
        {
          largest = size;
          pivot = i;
        }
    }
  if (needed->share > 0 && !(largest > needed->enough))
    {
      double whole = 0;

      for (gsize i = k - MIN (k, (gsize) self->lower + self->upper); i < end_row; i++)
        whole = fmax (whole, fabs (a[get_place (self, i, k, is_dense)]));
      least = fmax (least, needed->share * whole);
    }
  return largest > least ? pivot : self->n;
}

/* The one elimination. Factors stay below the diagonal, each where it was found, so that a band
 * needs no more room; @pivots and @b: or NULL. What it makes of @b, weir_band_substitute() makes of
 * it later, to the bit. */
static inline gsize
eliminate (const WeirBand *self, double *a, guint32 *pivots, double *b, const Needed *needed,
           gboolean is_dense)
{
  gsize n = self->n;

  for (gsize k = 0; k < n; k++)
    {
      gsize end_row = MIN (n, k + self->lower + 1), n_right = count_right (self, k);
      gsize pivot = find_pivot (self, a, k, needed, is_dense);
      double *diagonal = &a[get_place (self, k, k, is_dense)];

      if (pivot == n)
        return k;
      if (pivots != NULL)
        pivots[k] = (guint32) pivot;
      if (pivot != k)
        {
          exchange (diagonal, &a[get_place (self, pivot, k, is_dense)], n_right + 1);
          if (b != NULL)
            exchange (&b[k], &b[pivot], 1);
        }
      for (gsize i = k + 1; i < end_row; i++)
        {
          double *row = &a[get_place (self, i, k, is_dense)];
          double factor = row[0] / diagonal[0];

          row[0] = factor;
          if (factor == 0.0)
            continue;
          for (gsize j = 1; j <= n_right; j++)
            row[j] -= factor * diagonal[j];
          if (b != NULL)
            b[i] -= factor * b[k];
        }
    }
  return n;
}

/* b becomes U^-1 b, for each of @m right-hand sides. */
static inline void
substitute_back (const WeirBand *self, const double *a, double *b, gsize m, gboolean is_dense)
{
  for (gsize k = self->n; k-- > 0;)
    {
      const double *diagonal = &a[get_place (self, k, k, is_dense)];
      gsize n_right = count_right (self, k);

      for (gsize j = 1; j <= n_right; j++)
        for (gsize c = 0; c < m; c++)
          b[k * m + c] -= diagonal[j] * b[(k + j) * m + c];
      for (gsize c = 0; c < m; c++)
        b[k * m + c] /= diagonal[0];
    }
}

static inline void
substitute (const WeirBand *self, const double *a, const guint32 *pivots, double *b, gsize m,
            gboolean is_dense)
{
  gsize n = self->n;

  for (gsize k = 0; k < n; k++)
    {
      gsize end_row = MIN (n, k + self->lower + 1);

      if (pivots[k] != k)
        exchange (&b[k * m], &b[pivots[k] * m], m);
      for (gsize i = k + 1; i < end_row; i++)
        {
          double factor = a[get_place (self, i, k, is_dense)];

          for (gsize c = 0; factor != 0.0 && c < m; c++)
            b[i * m + c] -= factor * b[k * m + c];
        }
    }
  substitute_back (self, a, b, m, is_dense);
}

/* Small dense matrices spend their time on finding places. */
static inline gboolean
is_whole (const WeirBand *self)
{
  return weir_band_get_width (self) == self->n;
}

/* 2^-k for a number of 2^k up to twice that: what it multiplies keeps its digits. */
static double
get_inverse_size (double x)
{
  guint64 bits, exponent;

  memcpy (&bits, &x, sizeof bits);
  exponent = CLAMP (bits >> 52 & 0x7ff, 1, 2045);
  bits = (2046 - exponent) << 52;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* Makes the largest entry of each row 1 up to LARGEST, whatever units it is in. */
static void
scale_rows (const WeirBand *self, double *a, double *b)
{
  gsize width = weir_band_get_width (self);

  for (gsize i = 0; i < self->n; i++)
    {
      double *row = a + i * width;
      double factor = get_inverse_size (weir_vector_max_norm (width, row));

      if (factor == 1.0)
        continue;
      for (gsize j = 0; j < width; j++)
        row[j] *= factor;
      b[i] *= factor;
    }
}

gboolean
weir_band_solve (const WeirBand *self, double *a, double *b)
{
  /* What is left after cancelling terms is rounding. Columns are of different units too. */
  double rounding = self->n * DBL_EPSILON;
  Needed needed = { 0.0, rounding, rounding * LARGEST };
  gsize end;

  if (self->n > 1)
    scale_rows (self, a, b);
  end = is_whole (self) ? eliminate (self, a, NULL, b, &needed, TRUE)
                        : eliminate (self, a, NULL, b, &needed, FALSE);
  if (end < self->n)
    return FALSE;
  substitute_back (self, a, b, 1, FALSE);
  return TRUE;
}

guint
weir_band_factorise (const WeirBand *self, double *a, guint32 *pivots, double least, double share)
{
  Needed needed = { least, share, INFINITY };

  return (guint) (is_whole (self) ? eliminate (self, a, pivots, NULL, &needed, TRUE)
                                  : eliminate (self, a, pivots, NULL, &needed, FALSE));
}

void
weir_band_substitute (const WeirBand *self, const double *a, const guint32 *pivots, double *b,
                      guint m)
{
  if (m == 1 && is_whole (self))
    substitute (self, a, pivots, b, 1, TRUE);
  else
    substitute (self, a, pivots, b, m, FALSE);
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
