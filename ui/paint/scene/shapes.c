/* Shelves of shapes. See shapes.h.
 *
 * A shelf is written only while nobody else has it. None is empty; where each begins is kept, and
 * its first id, so that looking up goes through one shelf only.
 */
#include "paint/scene/shapes.h"

#include <math.h>
#include <string.h>

#define SHELF_SIZE 64

/* By its sides, so that the order in which rectangles come does not show in the last bit. */
typedef struct {
  double left, top, right, bottom;
} Bounds;

typedef struct {
  gatomicrefcount ref_count;
  guint n;
  Bounds reach, near;
  guint32 ids[SHELF_SIZE];
  gpointer shapes[SHELF_SIZE];
} Shelf;

struct _WeirShapes {
  const WeirShapeKind *kind;
  GPtrArray *shelves;
  GArray *first; /* guint, by shelf: the index of its first shape; then the size */
};

static const Bounds no_bounds = { INFINITY, INFINITY, -INFINITY, -INFINITY };

static void
extend (Bounds *bounds, WeirRect rect)
{
  bounds->left = MIN (bounds->left, rect.x);
  bounds->top = MIN (bounds->top, rect.y);
  bounds->right = MAX (bounds->right, rect.x + rect.width);
  bounds->bottom = MAX (bounds->bottom, rect.y + rect.height);
}

static gboolean
reaches_into (const Bounds *bounds, WeirRect area)
{
  return bounds->left <= area.x + area.width && area.x <= bounds->right
         && bounds->top <= area.y + area.height && area.y <= bounds->bottom;
}

/* --- Shelves --------------------------------------------------------------------------------- */

static Shelf *
shelf_new (void)
{
  Shelf *shelf = g_new (Shelf, 1);

  g_atomic_ref_count_init (&shelf->ref_count);
  shelf->n = 0;
  shelf->reach = shelf->near = no_bounds;
  return shelf;
}

static void
shelf_unref (Shelf *shelf, const WeirShapeKind *kind)
{
  if (!g_atomic_ref_count_dec (&shelf->ref_count))
    return;
  for (guint i = 0; i < shelf->n; i++)
    kind->unref (shelf->shapes[i]);
  g_free (shelf);
}

static void
measure (Shelf *shelf, guint i, const WeirShapeKind *kind)
{
  WeirRect near = { 0, 0, 0, 0 };

  extend (&shelf->reach, kind->get_reach (shelf->shapes[i]));
  if (kind->get_near != NULL)
    near = kind->get_near (shelf->shapes[i]);
  if (near.width > 0)
    extend (&shelf->near, near);
}

static void
measure_all (Shelf *shelf, const WeirShapeKind *kind)
{
  shelf->reach = shelf->near = no_bounds;
  for (guint i = 0; i < shelf->n; i++)
    measure (shelf, i, kind);
}

/* Where @id is on the shelf, or would be. */
static guint
shelf_find (const Shelf *shelf, guint32 id)
{
  guint low = 0, high = shelf->n;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (shelf->ids[middle] < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Makes room at @i, or with @by -1 closes the gap there. */
static void
shift (Shelf *shelf, guint i, int by)
{
  guint from = by > 0 ? i : i + 1, n = shelf->n - from;

  memmove (shelf->ids + from + by, shelf->ids + from, n * sizeof *shelf->ids);
  memmove (shelf->shapes + from + by, shelf->shapes + from, n * sizeof *shelf->shapes);
  shelf->n = (guint) ((int) shelf->n + by);
}

static Shelf *
get_shelf (const WeirShapes *self, guint k)
{
  return self->shelves->pdata[k];
}

/* One that nobody else has. */
static Shelf *
own (WeirShapes *self, guint k)
{
  Shelf *shared = get_shelf (self, k), *shelf;

  if (g_atomic_ref_count_compare (&shared->ref_count, 1))
    return shared;
  shelf = g_memdup2 (shared, sizeof *shared);
  g_atomic_ref_count_init (&shelf->ref_count);
  for (guint i = 0; i < shelf->n; i++)
    self->kind->ref (shelf->shapes[i]);
  shelf_unref (shared, self->kind);
  self->shelves->pdata[k] = shelf;
  return shelf;
}

/* --- Where things are ------------------------------------------------------------------------ */

static guint
get_first (const WeirShapes *self, guint k)
{
  return g_array_index (self->first, guint, k);
}

/* The shelves from @k on have become others, or more, or fewer. */
static void
count_from (WeirShapes *self, guint k)
{
  guint next = k > 0 ? get_first (self, k - 1) + get_shelf (self, k - 1)->n : 0;

  g_array_set_size (self->first, self->shelves->len + 1);
  for (;; k++)
    {
      g_array_index (self->first, guint, k) = next;
      if (k == self->shelves->len)
        return;
      next += get_shelf (self, k)->n;
    }
}

/* The shelf of the shape with index @i. Most are about equally full. */
static guint
find_shelf (const WeirShapes *self, guint i)
{
  guint64 k = (guint64) i * self->shelves->len / get_first (self, self->shelves->len);

  while (get_first (self, (guint) k) > i)
    k--;
  while (get_first (self, (guint) k + 1) <= i)
    k++;
  return (guint) k;
}

/* The last shelf that begins at @id or before, or the first. There is one. */
static guint
find_shelf_of (const WeirShapes *self, guint32 id)
{
  guint low = 0, high = self->shelves->len;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (get_shelf (self, middle)->ids[0] <= id)
        low = middle;
      else
        high = middle;
    }
  return low;
}

guint
weir_shapes_get_size (const WeirShapes *self)
{
  return get_first (self, self->shelves->len);
}

gpointer
weir_shapes_get (const WeirShapes *self, guint i)
{
  guint k = find_shelf (self, i);

  return get_shelf (self, k)->shapes[i - get_first (self, k)];
}

gboolean
weir_shapes_find (const WeirShapes *self, guint32 id, guint *index)
{
  const Shelf *shelf;
  guint k, i;

  if (self->shelves->len == 0)
    return FALSE;
  k = find_shelf_of (self, id);
  shelf = get_shelf (self, k);
  i = shelf_find (shelf, id);
  if (i == shelf->n || shelf->ids[i] != id)
    return FALSE;
  if (index != NULL)
    *index = get_first (self, k) + i;
  return TRUE;
}

gpointer
weir_shapes_lookup (const WeirShapes *self, guint32 id)
{
  guint i;

  return weir_shapes_find (self, id, &i) ? weir_shapes_get (self, i) : NULL;
}

static guint
skip (const WeirShapes *self, guint i, WeirRect area, gsize bounds)
{
  guint k;

  if (i >= weir_shapes_get_size (self))
    return weir_shapes_get_size (self);
  for (k = find_shelf (self, i); k < self->shelves->len; k++)
    if (reaches_into (&G_STRUCT_MEMBER (Bounds, get_shelf (self, k), bounds), area))
      return MAX (i, get_first (self, k));
  return weir_shapes_get_size (self);
}

guint
weir_shapes_next (const WeirShapes *self, guint i, WeirRect area)
{
  return skip (self, i, area, G_STRUCT_OFFSET (Shelf, reach));
}

guint
weir_shapes_next_near (const WeirShapes *self, guint i, WeirRect area)
{
  return skip (self, i, area, G_STRUCT_OFFSET (Shelf, near));
}

gboolean
weir_shapes_get_reach (const WeirShapes *self, WeirRect *reach)
{
  Bounds all = no_bounds;

  for (guint k = 0; k < self->shelves->len; k++)
    {
      const Bounds *bounds = &get_shelf (self, k)->reach;

      all.left = MIN (all.left, bounds->left);
      all.top = MIN (all.top, bounds->top);
      all.right = MAX (all.right, bounds->right);
      all.bottom = MAX (all.bottom, bounds->bottom);
    }
  if (self->shelves->len == 0)
    return FALSE;
  *reach = (WeirRect) { all.left, all.top, all.right - all.left, all.bottom - all.top };
  return TRUE;
}

/* --- Changing -------------------------------------------------------------------------------- */

WeirShapes *
weir_shapes_new (const WeirShapeKind *kind)
{
  WeirShapes *self = g_new (WeirShapes, 1);

  *self = (WeirShapes) { kind, g_ptr_array_new (), g_array_new (FALSE, TRUE, sizeof (guint)) };
  g_array_set_size (self->first, 1);
  return self;
}

WeirShapes *
weir_shapes_copy (const WeirShapes *self)
{
  WeirShapes *copy = g_new (WeirShapes, 1);

  *copy = (WeirShapes) { self->kind, g_ptr_array_copy (self->shelves, NULL, NULL),
                         g_array_copy (self->first) };
  for (guint k = 0; k < copy->shelves->len; k++)
    g_atomic_ref_count_inc (&get_shelf (copy, k)->ref_count);
  return copy;
}

void
weir_shapes_free (WeirShapes *self)
{
  for (guint k = 0; k < self->shelves->len; k++)
    shelf_unref (get_shelf (self, k), self->kind);
  g_ptr_array_unref (self->shelves);
  g_array_unref (self->first);
  g_free (self);
}

/* Halves a full shelf; one that is filled in order stays full, and the next begins. */
static guint
make_room (WeirShapes *self, guint k, guint32 id)
{
  Shelf *shelf = own (self, k), *next = shelf_new ();
  guint keep = k + 1 == self->shelves->len && id > shelf->ids[shelf->n - 1] ? shelf->n
                                                                            : shelf->n / 2;

  next->n = shelf->n - keep;
  memcpy (next->ids, shelf->ids + keep, next->n * sizeof *next->ids);
  memcpy (next->shapes, shelf->shapes + keep, next->n * sizeof *next->shapes);
  shelf->n = keep;
  if (next->n > 0)
    measure_all (shelf, self->kind);
  measure_all (next, self->kind);
  g_ptr_array_insert (self->shelves, (int) k + 1, next);
  return next->n == 0 || id >= next->ids[0] ? k + 1 : k;
}

void
weir_shapes_put (WeirShapes *self, gpointer shape)
{
  guint32 id = self->kind->get_id (shape);
  Shelf *shelf;
  guint k, i, first;

  if (self->shelves->len == 0)
    g_ptr_array_add (self->shelves, shelf_new ());
  first = k = find_shelf_of (self, id);
  shelf = own (self, k);
  i = shelf_find (shelf, id);
  if (i < shelf->n && shelf->ids[i] == id)
    {
      self->kind->unref (shelf->shapes[i]);
      shelf->shapes[i] = shape;
      measure_all (shelf, self->kind);
      return;
    }
  if (shelf->n == SHELF_SIZE)
    {
      k = make_room (self, k, id);
      shelf = get_shelf (self, k);
      i = shelf_find (shelf, id);
    }
  shift (shelf, i, 1);
  shelf->ids[i] = id;
  shelf->shapes[i] = shape;
  measure (shelf, i, self->kind);
  count_from (self, first);
}

void
weir_shapes_remove (WeirShapes *self, guint32 id)
{
  Shelf *shelf;
  guint k, i;

  if (!weir_shapes_find (self, id, NULL))
    return;
  k = find_shelf_of (self, id);
  shelf = own (self, k);
  i = shelf_find (shelf, id);
  self->kind->unref (shelf->shapes[i]);
  shift (shelf, i, -1);
  measure_all (shelf, self->kind);
  if (shelf->n == 0)
    {
      shelf_unref (shelf, self->kind);
      g_ptr_array_remove_index (self->shelves, k);
    }
  count_from (self, k);
}

/* --- Comparing ------------------------------------------------------------------------------- */

/* A place in the shapes of a scene. */
typedef struct {
  const WeirShapes *shapes;
  guint shelf, i;
} Place;

static const Shelf *
get_place (const Place *place)
{
  return place->shelf < place->shapes->shelves->len ? get_shelf (place->shapes, place->shelf)
                                                    : NULL;
}

static void
step (Place *place, guint n)
{
  place->i += n;
  if (place->i >= get_place (place)->n)
    {
      place->shelf++;
      place->i = 0;
    }
}

void
weir_shapes_foreach_change (const WeirShapes *before, const WeirShapes *after,
                            WeirShapeChangeFunc func, gpointer data)
{
  Place a = { before, 0, 0 }, b = { after, 0, 0 };
  const Shelf *x, *y;

  while (x = get_place (&a), y = get_place (&b), x != NULL || y != NULL)
    {
      gboolean has_before = y == NULL || (x != NULL && x->ids[a.i] <= y->ids[b.i]);
      gboolean has_after = x == NULL || (y != NULL && y->ids[b.i] <= x->ids[a.i]);

      if (x == y && a.i == b.i)
        {
          guint n = x->n - a.i;

          step (&a, n);
          step (&b, n);
          continue;
        }
      if (!has_before || !has_after || x->shapes[a.i] != y->shapes[b.i])
        func (has_before ? x->shapes[a.i] : NULL, has_after ? y->shapes[b.i] : NULL, data);
      if (has_before)
        step (&a, 1);
      if (has_after)
        step (&b, 1);
    }
}
