/* Cells are entered into a table of 2^bits chains by a hash of their place, so that the plane needs
 * no bounds. The cells of an item are a rectangle that only grows: where it is in a chain once, it
 * is found once. See grid.h.
 */
#include "paint/ground/grid.h"

#include <math.h>

#define FURTHEST 1e15 /* coordinates beyond it share cells */

typedef struct {
  gint64 left, top, right, bottom; /* cells, the last included */
} Span;

typedef struct {
  gint64 x, y; /* the cell: others may have the same hash */
  guint item;
  guint next; /* slot; 0 = the end */
} Slot;

struct _WeirGrid {
  WeirPoint cell;
  Span *spans; /* by item; right < left: not put yet */
  guint n_items;
  guint *heads; /* by hash */
  guint bits;
  GArray *slots; /* Slot; the first is not used */
};

WeirGrid *
weir_grid_new (guint n_items, WeirPoint squares, WeirPoint least)
{
  WeirGrid *self = g_new0 (WeirGrid, 1);
  guint n = MAX (n_items, 1);

  /* With the root of the mean square the items are of n cells' area in all, by Schwarz. */
  self->cell = (WeirPoint) { fmax (least.x, sqrt (squares.x / n)),
                             fmax (least.y, sqrt (squares.y / n)) };
  self->n_items = n_items;
  self->spans = g_new (Span, n);
  for (guint i = 0; i < n_items; i++)
    self->spans[i] = (Span) { G_MAXINT64, G_MAXINT64, G_MININT64, G_MININT64 };
  self->bits = MAX (g_bit_storage (n), 4) + 1;
  self->heads = g_new0 (guint, (gsize) 1 << self->bits);
  self->slots = g_array_sized_new (FALSE, FALSE, sizeof (Slot), 2 * n + 1);
  g_array_set_size (self->slots, 1);
  return self;
}

void
weir_grid_free (WeirGrid *self)
{
  g_free (self->spans);
  g_free (self->heads);
  g_array_unref (self->slots);
  g_free (self);
}

static gint64
get_cell (double coordinate, double size)
{
  return (gint64) floor (CLAMP (coordinate, -FURTHEST, FURTHEST) / size);
}

static Span
get_span (const WeirGrid *self, WeirRect area)
{
  return (Span) { get_cell (area.x, self->cell.x), get_cell (area.y, self->cell.y),
                  get_cell (area.x + area.width, self->cell.x),
                  get_cell (area.y + area.height, self->cell.y) };
}

static gboolean
has_cell (const Span *span, gint64 x, gint64 y)
{
  return x >= span->left && x <= span->right && y >= span->top && y <= span->bottom;
}

static guint *
get_head (const WeirGrid *self, gint64 x, gint64 y)
{
  guint64 key = (guint64) x * 0x9e3779b97f4a7c15u ^ (guint64) y * 0xc2b2ae3d27d4eb4fu;

  return &self->heads[(key * 0xd6e8feb86659fd93u) >> (64 - self->bits)];
}

void
weir_grid_put (WeirGrid *self, guint item, WeirRect area)
{
  Span old = self->spans[item], span = get_span (self, area);

  if (old.right >= old.left)
    span = (Span) { MIN (span.left, old.left), MIN (span.top, old.top), MAX (span.right, old.right),
                    MAX (span.bottom, old.bottom) };
  for (gint64 x = span.left; x <= span.right; x++)
    for (gint64 y = span.top; y <= span.bottom; y++)
      if (!has_cell (&old, x, y))
        {
          guint *head = get_head (self, x, y);
          Slot slot = { x, y, item, *head };

          *head = self->slots->len;
          g_array_append_val (self->slots, slot);
        }
  self->spans[item] = span;
}

void
weir_grid_find (const WeirGrid *self, WeirRect area, GArray *found)
{
  const Slot *slots = (const Slot *) (gconstpointer) self->slots->data;
  Span span = get_span (self, area);
  double n_cells = (double) (span.right - span.left + 1) * (double) (span.bottom - span.top + 1);

  g_array_set_size (found, 0);
  if (n_cells > self->n_items)
    {
      for (guint i = 0; i < self->n_items; i++)
        if (self->spans[i].left <= span.right && self->spans[i].right >= span.left
            && self->spans[i].top <= span.bottom && self->spans[i].bottom >= span.top)
          g_array_append_val (found, i);
      return;
    }
  for (gint64 x = span.left; x <= span.right; x++)
    for (gint64 y = span.top; y <= span.bottom; y++)
      for (guint i = *get_head (self, x, y); i != 0; i = slots[i].next)
        {
          const Span *cells = &self->spans[slots[i].item];

          if (slots[i].x == x && slots[i].y == y && x == MAX (span.left, cells->left)
              && y == MAX (span.top, cells->top))
            g_array_append_val (found, slots[i].item);
        }
}
