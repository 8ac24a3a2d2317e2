/* What the figures of a signal are made of: sums of blocks of samples, and the walk over pieces of
 * a range. */
#pragma once

#include "analysis/measure.h"

#include <math.h>

G_BEGIN_DECLS

#define WEIR_MEASURE_BLOCK 256 /* pieces of a block: from one row to the next */

/* Integrals over the pieces of a block, gaps left out. */
typedef struct {
  double duration, mean, square; /* s; integral of (y - mean)^2 */
  double min, max;
  double first, last;  /* values at both ends */
  gsize n_gaps;        /* rows that are not finite, of all but the last */
  double centre, half; /* s: the middle of a whole block, and from there to its ends */
  double moments[2];   /* integrals of (y - mean) u and (y - mean) u^2, u from the centre; of
                          blocks without gaps */
} WeirMeasureSums;

struct _WeirMeasure {
  WeirSampleColumns columns;
  WeirBetween between;
  gpointer data;
  GDestroyNotify destroy;
  gsize n_rows;   /* taken in */
  GArray *blocks; /* WeirMeasureSums: block b has the pieces from rows b * BLOCK on */
};

/* The rows that a range needs: pieces [first, last), both ends may be cut. */
typedef struct {
  gsize first, last;
  double from, to; /* s: what of the range has samples */
} WeirMeasureRows;

gboolean weir_measure_find_rows (const WeirMeasure *self, WeirTimeRange range,
                                 WeirMeasureRows *rows);
double weir_measure_get_time (const WeirMeasure *self, gsize row);
double weir_measure_get_value (const WeirMeasure *self, gsize row);
/* The first time at which the signal reaches @level going up (or down). NAN: it does not. */
double weir_measure_find_reach (const WeirMeasure *self, WeirTimeRange range, double level,
                                gboolean upward);

/* A piece of a signal: from @ta to @tb, straight from @va to @vb. FALSE ends the walk. */
typedef gboolean (*WeirMeasureVisit) (gpointer data, double ta, double va, double tb, double vb);
/* May a whole block be passed over? */
typedef gboolean (*WeirMeasureSkip) (gpointer data, const WeirMeasureSums *block);

static inline double
weir_piece_at (double t, double ta, double va, double tb, double vb)
{
  return t <= ta ? va : t >= tb ? vb : va + (vb - va) * ((t - ta) / (tb - ta));
}

/* When a piece that crosses @level does. */
static inline double
weir_piece_reach (double level, double ta, double va, double tb, double vb)
{
  return ta + (tb - ta) * ((level - va) / (vb - va));
}

static inline gboolean
weir_is_gap (double value)
{
  return !(fabs (value) <= G_MAXDOUBLE);
}

/* The pieces between rows @begin and @end, all of them, or as far as the range goes (@cuts). Pieces
 * beside gaps are left out. */
static inline __attribute__ ((always_inline)) gboolean
weir_measure_walk_rows (const WeirMeasure *self, gsize begin, gsize end, gboolean cuts,
                        const WeirMeasureRows *rows, WeirMeasureVisit visit, gpointer data)
{
  const WeirBetween between = self->between;
  double ta = 0, va = 0;
  gsize n;

  for (gsize row = begin; row <= end; row += n)
    {
      gsize n_values;
      const double *t = self->columns.get_times (self->data, row, &n);
      const double *v = self->columns.get_values (self->data, row, &n_values);
      gsize k = 0;

      n = MIN (MIN (n, n_values), end + 1 - row);
      if (row == begin)
        {
          ta = t[0];
          va = v[0];
          k = 1;
        }
      for (; k < n; k++)
        {
          double tb = t[k], vb = v[k];
          double a = between == WEIR_BETWEEN_HELD_BEFORE ? vb : va;
          double b = between == WEIR_BETWEEN_HELD ? va : vb;
          double t0 = ta, t1 = tb;

          ta = tb;
          va = vb;
          if (weir_is_gap (a) || weir_is_gap (b))
            continue;
          if (cuts && (t0 < rows->from || t1 > rows->to))
            {
              double a_cut = weir_piece_at (rows->from, t0, a, t1, b);
              double b_cut = weir_piece_at (rows->to, t0, a, t1, b);

              a = t0 < rows->from ? a_cut : a;
              b = t1 > rows->to ? b_cut : b;
              t0 = MAX (t0, rows->from);
              t1 = MIN (t1, rows->to);
            }
          if (!visit (data, t0, a, t1, b))
            return FALSE;
        }
    }
  return TRUE;
}

/* Does the first row of a range have a value that no piece of the range has? Where a sample tells
 * what was before it, only the very first one. */
static inline gboolean
weir_measure_has_lone_first (const WeirMeasure *self, const WeirMeasureRows *rows)
{
  return rows->first == rows->last
         || (self->between == WEIR_BETWEEN_HELD_BEFORE && rows->first == 0);
}

/* A sample that no piece ends in counts as one without duration. */
static inline gboolean
weir_measure_visit_sample (const WeirMeasure *self, gsize row, const WeirMeasureRows *rows,
                           WeirMeasureVisit visit, gpointer data)
{
  double t = weir_measure_get_time (self, row), v = weir_measure_get_value (self, row);

  return t < rows->from || t > rows->to || weir_is_gap (v) || visit (data, t, v, t, v);
}

/* All pieces of a range, in order, but for the blocks that @skip (nullable) passes over. */
static inline __attribute__ ((always_inline)) void
weir_measure_walk (const WeirMeasure *self, const WeirMeasureRows *rows, WeirMeasureSkip skip,
                   WeirMeasureVisit visit, gpointer data)
{
  const gsize first = rows->first, last = rows->last;

  if (weir_measure_has_lone_first (self, rows)
      && !weir_measure_visit_sample (self, first, rows, visit, data))
    return;
  for (gsize row = first, end; row < last; row = end)
    {
      gsize block = row / WEIR_MEASURE_BLOCK;

      end = MIN (last, (block + 1) * WEIR_MEASURE_BLOCK);
      if (row == first || end == last)
        {
          if (!weir_measure_walk_rows (self, row, end, TRUE, rows, visit, data))
            return;
          continue;
        }
      if (skip != NULL && skip (data, &g_array_index (self->blocks, WeirMeasureSums, block)))
        continue;
      if (!weir_measure_walk_rows (self, row, end, FALSE, rows, visit, data))
        return;
    }
  if (first < last && self->between == WEIR_BETWEEN_HELD)
    weir_measure_visit_sample (self, last, rows, visit, data);
}

/* The same from the last block to the first; the pieces of each come in order. Ends after the first
 * of these blocks in which @is_found was set. */
static inline __attribute__ ((always_inline)) void
weir_measure_walk_back (const WeirMeasure *self, const WeirMeasureRows *rows, WeirMeasureSkip skip,
                        WeirMeasureVisit visit, gpointer data, const gboolean *is_found)
{
  const gsize first = rows->first, last = rows->last;

  if (first < last && self->between == WEIR_BETWEEN_HELD)
    weir_measure_visit_sample (self, last, rows, visit, data);
  for (gsize end = last, row; end > first && !*is_found; end = row)
    {
      gsize block = (end - 1) / WEIR_MEASURE_BLOCK;

      row = MAX (first, block * WEIR_MEASURE_BLOCK);
      if (row == first || end == last)
        weir_measure_walk_rows (self, row, end, TRUE, rows, visit, data);
      else if (!skip (data, &g_array_index (self->blocks, WeirMeasureSums, block)))
        weir_measure_walk_rows (self, row, end, FALSE, rows, visit, data);
    }
  if (!*is_found && weir_measure_has_lone_first (self, rows))
    weir_measure_visit_sample (self, first, rows, visit, data);
}

G_END_DECLS
