/* Minima and maxima over any range of rows. See pyramid.h. */
#include "paint/plots/pyramid.h"

#include <math.h>

struct _WeirPyramid {
  GArray *levels[WEIR_PYRAMID_LEVELS]; /* WeirSpan */
};

gboolean
weir_span_is_empty (WeirSpan span)
{
  return span.low > span.high;
}

WeirSpan
weir_span_union (WeirSpan a, WeirSpan b)
{
  return (WeirSpan) { MIN (a.low, b.low), MAX (a.high, b.high) };
}

WeirPyramid *
weir_pyramid_new (void)
{
  WeirPyramid *self = g_new0 (WeirPyramid, 1);

  for (int k = 0; k < WEIR_PYRAMID_LEVELS; k++)
    self->levels[k] = g_array_new (FALSE, FALSE, sizeof (WeirSpan));
  return self;
}

void
weir_pyramid_free (WeirPyramid *self)
{
  for (int k = 0; k < WEIR_PYRAMID_LEVELS; k++)
    g_array_unref (self->levels[k]);
  g_free (self);
}

static WeirSpan
scan (WeirColumnFunc values, gpointer data, gsize first, gsize end)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  while (first < end)
    {
      gsize n;
      const double *v = values (data, first, &n);

      n = MIN (n, end - first);
      for (gsize i = 0; i < n; i++)
        if (isfinite (v[i]))
          {
            span.low = MIN (span.low, v[i]);
            span.high = MAX (span.high, v[i]);
          }
      first += n;
    }
  return span;
}

void
weir_pyramid_extend (WeirPyramid *self, WeirColumnFunc values, gpointer data, gsize n_rows)
{
  GArray *bins = self->levels[0];

  while ((bins->len + 1) * (gsize) WEIR_PYRAMID_BIN <= n_rows)
    {
      gsize first = bins->len * (gsize) WEIR_PYRAMID_BIN;
      WeirSpan span = scan (values, data, first, first + WEIR_PYRAMID_BIN);

      g_array_append_val (bins, span);
    }
  for (int k = 1; k < WEIR_PYRAMID_LEVELS; k++)
    {
      GArray *below = self->levels[k - 1], *here = self->levels[k];

      while ((here->len + 1) * WEIR_PYRAMID_FANOUT <= below->len)
        {
          WeirSpan span = WEIR_SPAN_EMPTY;

          for (guint i = 0; i < WEIR_PYRAMID_FANOUT; i++)
            span = weir_span_union (
                span, g_array_index (below, WeirSpan, here->len * WEIR_PYRAMID_FANOUT + i));
          g_array_append_val (here, span);
        }
    }
}

WeirSpan
weir_pyramid_get_span (WeirPyramid *self, WeirColumnFunc values, gpointer data, gsize first,
                       gsize end)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  while (first < end)
    {
      int level = -1;
      gsize size = WEIR_PYRAMID_BIN;

      /* The largest full bin that begins here and ends in time. */
      for (int k = 0; k < WEIR_PYRAMID_LEVELS; k++, size *= WEIR_PYRAMID_FANOUT)
        if (first % size == 0 && first + size <= end && first / size < self->levels[k]->len)
          level = k;
        else if (first % size != 0)
          break;
      if (level < 0)
        {
          /* Up to the next bin row by row. */
          gsize next = MIN (end, (first / WEIR_PYRAMID_BIN + 1) * WEIR_PYRAMID_BIN);

          span = weir_span_union (span, scan (values, data, first, next));
          first = next;
          continue;
        }
      size = WEIR_PYRAMID_BIN;
      for (int k = 0; k < level; k++)
        size *= WEIR_PYRAMID_FANOUT;
      span = weir_span_union (
          span, g_array_index (self->levels[level], WeirSpan, (guint) (first / size)));
      first += size;
    }
  return span;
}
