/* Wires of different outputs that were routed along one line are moved apart, so that it can be
 * seen which is which.
 *
 * Each wire is routed by itself (scene-wires.c). Here the segments that lie on one line are gone
 * through: those of one output, or one node, that touch are a track, which moves as a whole; a
 * track at a port or with a hand-made bend stays where it is, of the others a labelled wire's
 * stays, else the first's. A track goes only where less lies on one another for it, the segments
 * before and after counted, which grow or shrink with the move. What comes out depends on the
 * routes and the blocks alone, not on the scene before.
 *
 * After an edit only the nets (the wires of one output) are gone through that could come out
 * otherwise: those that changed, then those within reach of whatever came out otherwise, until
 * there are no more. The nets around them go the way that they went before, in the same order.
 * Where one wire that was moved makes room for the next, as down a column of blocks, they are
 * opened ahead of that, twice as far each time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paint/scene/scene-private.h"

#define LANE 8.0       /* from line to line */
#define MAX_LANES 6    /* to either side that are tried */
#define LEAST_STUB 4.0 /* what is left of the segments before and after */
#define SAME_LINE 0.5
#define OVERLAP 1.0 /* along the line; less is a meeting of ends */
/* A point moves by MAX_LANES * LANE at most on either axis, and as far from where it may come to
 * lie wires are looked at, at most LANE further: nothing beyond this from its reach matters to a
 * wire. */
#define FAR ((2 * MAX_LANES + 2) * LANE)

/* A segment of a wire, on its line, as it lies now. */
typedef struct {
  guint wire, segment;
  gboolean is_vertical, is_fixed;
  double at;        /* x of a vertical one, y of a horizontal one */
  double low, high; /* along it */
  double went;      /* in the scene before; NAN: that is to be found out */
  guint track;      /* the index of one of its track, while its line is gone through */
} Span;

/* Where a span of the line that is gone through is found, and what it is sorted by. */
typedef struct {
  double at, low;
  guint span;
} Place;

typedef struct {
  WeirScene *scene;
  WeirSceneIndex *index;
  const guint *wires; /* those that are looked at, ascending; below a wire is an index of these */
  guint n_wires;
  const gboolean *is_open; /* by wire of the scene: which way it goes is to be found out */
  Span *spans;             /* those of a wire one after the other */
  guint n_spans;
  guint *first;       /* by wire: its first span */
  WeirScenePort *net; /* by wire: the output that it begins at; block 0: none */
  WeirGrid *grids[2]; /* of spans: horizontal ones, vertical ones */
  gboolean *is_moved; /* by wire */
  GArray *found;      /* guint, spans: what a search of a grid gives */
} Parting;

static const WeirPoint *
get_routed (const WeirWireShape *shape)
{
  return shape->routed != NULL ? shape->routed : shape->points;
}

static WeirWireShape *
get_shape (const Parting *self, guint wire)
{
  return weir_shapes_get (self->scene->wires, self->wires[wire]);
}

static gboolean
is_one_net (const Parting *self, const Span *a, const Span *b)
{
  const WeirScenePort *x = &self->net[a->wire], *y = &self->net[b->wire];

  return a->wire == b->wire
         || (x->block != 0 && x->block == y->block && g_strcmp0 (x->port, y->port) == 0);
}

/* The area around @span at @at, as the grids have it. */
static WeirRect
get_area (const Span *span, double at, double beside, double beyond)
{
  WeirRect area = { span->low - beyond, at - beside, span->high - span->low + 2 * beyond,
                    2 * beside };

  return span->is_vertical ? (WeirRect) { area.y, area.x, area.height, area.width } : area;
}

/* Others of its direction that may lie within @beside of @at, in self->found. */
static void
find_others (Parting *self, const Span *span, double at, double beside, double beyond)
{
  weir_grid_find (self->grids[span->is_vertical], get_area (span, at, beside, beyond), self->found);
}

static const Span *
get_found (const Parting *self, guint i)
{
  return &self->spans[g_array_index (self->found, guint, i)];
}

/* By how much the segment of @shape that begins at point @k was moved. */
static double
get_way (const WeirWireShape *shape, guint k, gboolean is_vertical)
{
  double by;

  if (shape->routed == NULL || k == 0 || k + 2 >= shape->n_points)
    return 0;
  by = is_vertical ? shape->points[k].x - shape->routed[k].x
                   : shape->points[k].y - shape->routed[k].y;
  return round (by / LANE) * LANE;
}

/* Makes the spans of the wires as they were routed. */
static void
collect_runs (Parting *self)
{
  double squares[2] = { 0, 0 };
  guint n = 0;

  for (guint i = 0; i < self->n_wires; i++)
    n += get_shape (self, i)->n_points - 1;
  self->spans = g_new (Span, n + 1);
  for (guint i = 0; i < self->n_wires; i++)
    {
      const WeirWireShape *shape = get_shape (self, i);
      const WeirPoint *points = get_routed (shape);
      guint n_bends;

      weir_wire_get_bends (shape->wire, &n_bends);
      self->net[i] = weir_wire_shape_get_net (shape);
      self->first[i] = self->n_spans;
      for (guint k = 0; k + 1 < shape->n_points; k++)
        {
          WeirPoint a = points[k], b = points[k + 1];
          gboolean is_vertical = a.x == b.x && a.y != b.y;
          Span *span = &self->spans[self->n_spans++];

          *span = (Span) {
            .wire = i,
            .segment = k,
            .is_vertical = is_vertical,
            .is_fixed = n_bends > 0 || k == 0 || k + 2 == shape->n_points || shape->is_joined,
            .at = is_vertical ? a.x : a.y,
            .low = is_vertical ? MIN (a.y, b.y) : MIN (a.x, b.x),
            .high = is_vertical ? MAX (a.y, b.y) : MAX (a.x, b.x),
            .went = self->is_open[self->wires[i]] ? (double) NAN : get_way (shape, k, is_vertical),
          };
          squares[is_vertical] += (span->high - span->low) * (span->high - span->low);
        }
    }
  self->grids[0] = weir_grid_new (n, (WeirPoint) { squares[0], 0 }, (WeirPoint) { 100, 2 * LANE });
  self->grids[1] = weir_grid_new (n, (WeirPoint) { 0, squares[1] }, (WeirPoint) { 2 * LANE, 100 });
  for (guint i = 0; i < n; i++)
    weir_grid_put (self->grids[self->spans[i].is_vertical], i,
                   get_area (&self->spans[i], self->spans[i].at, 0, 0));
}

/* --- Lines ----------------------------------------------------------------------------------- */

static gboolean
overlaps (const Span *a, const Span *b, double slack)
{
  return MIN (a->high, b->high) - MAX (a->low, b->low) > slack;
}

/* Whether @span could go, and a span of another net lies on it; or it went before. */
static gboolean
has_conflict (Parting *self, const Span *span)
{
  if (span->is_fixed || !isnan (span->went))
    return !span->is_fixed && span->went != 0;
  find_others (self, span, span->at, 0, 0);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Span *other = get_found (self, i);

      if (other->at == span->at && overlaps (span, other, OVERLAP)
          && !is_one_net (self, span, other))
        return TRUE;
    }
  return FALSE;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* By line, then along it, then in the order of wires. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return x->span < y->span ? -1 : x->span > y->span;
}

/* All spans of the lines on which some lie on others and could go. (transfer full) */
static GArray *
list_conflicts (Parting *self, gboolean is_vertical)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  for (guint i = 0; i < self->n_spans; i++)
    if (self->spans[i].is_vertical == is_vertical && has_conflict (self, &self->spans[i]))
      g_array_append_val (lines, self->spans[i].at);
  g_array_sort (lines, compare_numbers);
  for (guint i = 0; i < self->n_spans && lines->len > 0; i++)
    {
      const Span *span = &self->spans[i];
      Place place = { span->at, span->low, i };

      if (span->is_vertical == is_vertical
          && bsearch (&span->at, lines->data, lines->len, sizeof (double), compare_numbers) != NULL)
        g_array_append_val (places, place);
    }
  g_array_sort (places, compare_places);
  return places;
}

/* --- Tracks ---------------------------------------------------------------------------------- */

/* Spans of one net that touch get one track; one fixed span fixes all of it. @line: spans, along
 * the line. */
static void
find_tracks (Parting *self, Span **line, guint n)
{
  for (guint i = 0; i < n; i++)
    line[i]->track = i;
  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n && line[k]->low <= line[i]->high + SAME_LINE; k++)
      if (line[k]->track != line[i]->track && is_one_net (self, line[i], line[k]))
        for (guint m = 0, from = line[k]->track, to = line[i]->track; m < n; m++)
          if (line[m]->track == from)
            line[m]->track = to;
  for (guint i = 0; i < n; i++)
    if (line[i]->is_fixed)
      for (guint m = 0; m < n; m++)
        if (line[m]->track == line[i]->track)
          line[m]->is_fixed = TRUE;
}

/* Whether the segments before and after keep their direction and some length. */
static gboolean
leaves_stubs (const Span *span, double by)
{
  for (int side = -1; side <= 1; side += 2)
    {
      const Span *next = span + side;
      double length = span->at - (next->low == span->at ? next->high : next->low);

      if (next->is_vertical == span->is_vertical || (length + by) * length <= 0
          || fabs (length + by) < MIN (LEAST_STUB, fabs (length)))
        return FALSE;
    }
  return TRUE;
}

/* Whether nothing of another net, and no block, is where @span would come to lie. */
static gboolean
is_free (Parting *self, const Span *span, double by)
{
  double at = span->at + by;

  find_others (self, span, at, LANE, LANE / 2);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Span *other = get_found (self, i);

      if (fabs (other->at - at) < LANE - SAME_LINE && overlaps (span, other, -LANE / 2)
          && !is_one_net (self, span, other))
        return FALSE;
    }
  return weir_scene_index_is_free (self->index, get_area (span, at, 3, 0), self->net[span->wire]);
}

static int
compare_indices (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* How much of @span lies on others of its direction. */
static double
sum_overlaps (Parting *self, const Span *span)
{
  double sum = 0;

  find_others (self, span, span->at, 0, 0);
  g_array_sort (self->found, compare_indices); /* whatever the cells are, one sum to the bit */
  for (guint i = 0; i < self->found->len; i++)
    {
      const Span *other = get_found (self, i);

      if (other->at == span->at && !is_one_net (self, span, other))
        sum += MAX (MIN (span->high, other->high) - MAX (span->low, other->low), 0);
    }
  return sum;
}

/* Moves the end of the segment before or after @span along with it. */
static void
stretch (Span *next, const Span *span, double by)
{
  *(next->low == span->at ? &next->low : &next->high) += by;
}

/* By how much more lies on one another when @span, which then lies on nothing, goes. */
static double
measure_change (Parting *self, const Span *span, double by)
{
  double change = -sum_overlaps (self, span);

  for (int side = -1; side <= 1; side += 2)
    {
      Span after = span[side];

      stretch (&after, span, by);
      change += sum_overlaps (self, &after) - sum_overlaps (self, &span[side]);
    }
  return change;
}

static void
move_span (Parting *self, Span *span, double by)
{
  stretch (span - 1, span, by);
  stretch (span + 1, span, by);
  span->at += by;
  for (Span *moved = span - 1; moved <= span + 1; moved++)
    weir_grid_put (self->grids[moved->is_vertical], (guint) (moved - self->spans),
                   get_area (moved, moved->at, 0, 0));
  self->is_moved[span->wire] = TRUE;
}

/* The way that @track can go; 0 if it has to stay. */
static double
find_way (Parting *self, guint track, Span **line, guint n)
{
  for (int lane = 1; lane <= MAX_LANES; lane++)
    for (int sign = 1; sign >= -1; sign -= 2)
      {
        double by = sign * lane * LANE, change = 0;
        gboolean can = TRUE;

        for (guint i = 0; i < n && can; i++)
          if (line[i]->track == track)
            can = leaves_stubs (line[i], by) && is_free (self, line[i], by);
        for (guint i = 0; i < n && can; i++)
          if (line[i]->track == track)
            change += measure_change (self, line[i], by);
        if (can && change < 0)
          return by;
      }
  return 0;
}

/* Whether the track of @a stays rather than that of @b: a label stands where its wire was routed.
 */
static gboolean
comes_before (const Parting *self, const Span *a, const Span *b)
{
  gboolean labels[2] = { FALSE, FALSE };

  for (guint i = 0; i < 2; i++)
    {
      const WeirWireShape *shape = get_shape (self, (i == 0 ? a : b)->wire);

      labels[i] = weir_wire_get_label (shape->wire)[0] != '\0';
    }
  return labels[0] != labels[1] ? labels[0] : a->wire < b->wire;
}

/* Whether a track that stays, or was before it, lies on @track. */
static gboolean
is_in_the_way (Parting *self, guint track, const gboolean *is_gone, Span **line, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; line[i]->track == track && k < n; k++)
      if (line[k]->track != track && !is_gone[line[k]->track]
          && (line[k]->is_fixed || comes_before (self, line[line[k]->track], line[track]))
          && overlaps (line[i], line[k], OVERLAP) && !is_one_net (self, line[i], line[k]))
        return TRUE;
  return FALSE;
}

static void
part_line (Parting *self, Span **line, guint n)
{
  g_autofree gboolean *is_gone = g_new0 (gboolean, n);

  find_tracks (self, line, n);
  for (guint track = 0; track < n; track++)
    {
      double by = line[track]->went;

      if (line[track]->track != track || line[track]->is_fixed)
        continue;
      if (isnan (by))
        by = is_in_the_way (self, track, is_gone, line, n) ? find_way (self, track, line, n) : 0;
      if (by == 0)
        continue;
      is_gone[track] = TRUE;
      for (guint i = 0; i < n; i++)
        if (line[i]->track == track)
          move_span (self, line[i], by);
    }
}

static void
part_direction (Parting *self, gboolean is_vertical)
{
  g_autoptr (GArray) places = list_conflicts (self, is_vertical);
  g_autofree Span **line = g_new (Span *, places->len + 1);

  for (guint first = 0, end; first < places->len; first = end)
    {
      double at = g_array_index (places, Place, first).at;

      for (end = first; end < places->len && g_array_index (places, Place, end).at == at; end++)
        line[end - first] = &self->spans[g_array_index (places, Place, end).span];
      part_line (self, line, end - first);
    }
}

/* --- Shapes ---------------------------------------------------------------------------------- */

static WeirPoint *
dup_points (const Parting *self, guint wire)
{
  const WeirWireShape *shape = get_shape (self, wire);
  WeirPoint *points = g_memdup2 (get_routed (shape), shape->n_points * sizeof *points);

  for (guint k = 1; k + 2 < shape->n_points; k++)
    {
      const Span *span = &self->spans[self->first[wire] + k];

      for (guint end = k; end < k + 2; end++)
        *(span->is_vertical ? &points[end].x : &points[end].y) = span->at;
    }
  return points;
}

/* Parts @wires, of which those that are @is_open may come out otherwise than before. */
static void
part (WeirScene *scene, WeirSceneIndex *index, const GArray *wires, const gboolean *is_open)
{
  guint n = wires->len;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *first = g_new (guint, n + 1);
  g_autofree WeirScenePort *net = g_new (WeirScenePort, n + 1);
  g_autofree gboolean *is_moved = g_new0 (gboolean, n + 1);
  Parting self = { .scene = scene,
                   .index = index,
                   .wires = (const guint *) (gconstpointer) wires->data,
                   .n_wires = n,
                   .is_open = is_open,
                   .first = first,
                   .net = net,
                   .is_moved = is_moved,
                   .found = found };

  collect_runs (&self);
  part_direction (&self, TRUE);
  part_direction (&self, FALSE);
  for (guint i = 0; i < n; i++)
    {
      WeirWireShape *shape = get_shape (&self, i);
      g_autofree WeirPoint *moved = NULL;
      const WeirPoint *points;

      if (!is_open[self.wires[i]])
        continue;
      moved = is_moved[i] ? dup_points (&self, i) : NULL;
      points = moved != NULL ? moved : get_routed (shape);
      if (memcmp (points, shape->points, shape->n_points * sizeof *points) != 0)
        weir_shapes_put (scene->wires, weir_wire_shape_with_points (shape, moved));
    }
  weir_grid_free (self.grids[0]);
  weir_grid_free (self.grids[1]);
  g_free (self.spans);
}

/* --- After an edit --------------------------------------------------------------------------- */

/* What may come out otherwise than in the scene before. */
typedef struct {
  WeirScene *scene, *previous;
  gboolean *is_open;    /* by wire */
  GArray *open;         /* guint, those wires; NULL: nobody asks */
  gboolean *is_noted;   /* by wire: where it lies, and did, is among the places */
  GArray *places;       /* WeirRect: where something is not as it was */
  guint n_gone_through; /* of them, for their neighbours */
  gboolean is_noting;
} Spread;

/* Where its segment after point @k lies, and was routed. */
static WeirRect
get_segment_reach (const WeirWireShape *shape, guint k)
{
  const WeirPoint *routed = get_routed (shape);

  return weir_rect_union (weir_rect_from_corners (shape->points[k], shape->points[k + 1]),
                          weir_rect_from_corners (routed[k], routed[k + 1]));
}

static void
note_places (Spread *self, const WeirWireShape *shape)
{
  guint first = self->places->len;

  g_array_set_size (self->places, first + shape->n_points - 1);
  for (guint k = 0; k + 1 < shape->n_points; k++)
    g_array_index (self->places, WeirRect, first + k) = get_segment_reach (shape, k);
}

/* One more wire of a net; its shape of before is noted, too. */
static void
spread_to_wire (Spread *self, guint32 id)
{
  const WeirWireShape *old;
  guint i;

  if (!weir_shapes_find (self->scene->wires, id, &i))
    return;
  if (!self->is_open[i] && self->open != NULL)
    g_array_append_val (self->open, i);
  self->is_open[i] = TRUE;
  if (!self->is_noting || self->is_noted[i])
    return;
  self->is_noted[i] = TRUE;
  note_places (self, weir_shapes_get (self->scene->wires, i));
  old = weir_scene_find_wire (self->previous, id);
  if (old != NULL && old != weir_shapes_get (self->scene->wires, i))
    note_places (self, old);
}

static void
spread_along (guint32 wire, gpointer data)
{
  spread_to_wire (data, wire);
}

/* Opens the net that @shape, of this scene or the one before, belongs to; or notes its places. */
static void
spread (Spread *self, const WeirWireShape *shape, gboolean is_noting)
{
  WeirScenePort net = weir_wire_shape_get_net (shape);

  self->is_noting = is_noting;
  if (net.block == 0)
    spread_to_wire (self, weir_wire_get_id (shape->wire));
  else
    weir_scene_foreach_of_net (self->scene, net, spread_along, self);
}

/* A wire was routed anew, added or removed: its net. */
static void
spread_from_route (gpointer before, gpointer after, gpointer data)
{
  if (before != NULL)
    {
      note_places (data, before);
      spread (data, before, TRUE);
    }
  if (after != NULL)
    spread (data, after, TRUE);
}

/* The nets of open wires that came out otherwise. */
static void
spread_from_outcome (Spread *self)
{
  guint n = self->open->len; /* what is opened meanwhile is of nets that came out otherwise */

  for (guint k = 0; k < n; k++)
    {
      guint i = g_array_index (self->open, guint, k);
      const WeirWireShape *shape, *old;

      if (self->is_noted[i])
        continue;
      shape = weir_shapes_get (self->scene->wires, i);
      old = weir_scene_find_wire (self->previous, weir_wire_get_id (shape->wire));
      if (old != shape
          && (old == NULL || old->n_points != shape->n_points
              || memcmp (old->points, shape->points, shape->n_points * sizeof *shape->points) != 0
              || memcmp (get_routed (old), get_routed (shape),
                         shape->n_points * sizeof *shape->points)
                     != 0))
        spread (self, shape, TRUE);
    }
}

/* Finds @places by where they are. (transfer full) */
static WeirGrid *
grid_places (const WeirRect *places, guint n)
{
  WeirPoint squares = { 0, 0 };
  WeirGrid *grid;

  for (guint i = 0; i < n; i++)
    {
      squares.x += places[i].width * places[i].width;
      squares.y += places[i].height * places[i].height;
    }
  grid = weir_grid_new (n, squares, (WeirPoint) { FAR, FAR });
  for (guint i = 0; i < n; i++)
    weir_grid_put (grid, i, places[i]);
  return grid;
}

/* Whether one of @places is within reach of @shape. @found: for use here. */
static gboolean
is_near_places (const WeirWireShape *shape, const WeirRect *places, const WeirGrid *grid,
                GArray *found)
{
  for (guint k = 0; k + 1 < shape->n_points; k++)
    {
      WeirRect reach = weir_rect_grow (get_segment_reach (shape, k), FAR);

      weir_grid_find (grid, reach, found);
      for (guint i = 0; i < found->len; i++)
        if (weir_rect_intersects (reach, places[g_array_index (found, guint, i)]))
          return TRUE;
    }
  return FALSE;
}

/* The nets within reach of places that are new since the last time: what is not open lies where it
 * lay then. TRUE if there were any that were not open. */
static gboolean
spread_to_neighbours (Spread *self)
{
  const WeirRect *places = (const WeirRect *) (gconstpointer) self->places->data
                           + self->n_gone_through;
  guint n_places = self->places->len - self->n_gone_through;
  WeirShapes *wires = self->scene->wires;
  guint n = weir_shapes_get_size (wires);
  g_autoptr (WeirGrid) grid = NULL;
  g_autoptr (GArray) found = NULL;
  WeirRect all;
  gboolean any = FALSE;

  if (n_places == 0)
    return FALSE;
  self->n_gone_through = self->places->len;
  all = places[0];
  for (guint i = 1; i < n_places; i++)
    all = weir_rect_union (all, places[i]);
  all = weir_rect_grow (all, FAR);
  grid = grid_places (places, n_places);
  found = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = weir_shapes_next (wires, 0, all); i < n; i = weir_shapes_next (wires, i + 1, all))
    {
      const WeirWireShape *shape = weir_shapes_get (wires, i);

      if (self->is_open[i] || !weir_rect_intersects (shape->reach, all)
          || !is_near_places (shape, places, grid, found))
        continue;
      spread (self, shape, FALSE);
      any = TRUE;
    }
  return any;
}

/* From the wires opened since the first @n_before to their neighbours and on, @n_hops times, along
 * those that do not lie where they were routed: what comes out otherwise goes on among these. */
static void
spread_ahead (Spread *self, guint n_before, guint n_hops)
{
  for (guint hop = 0; hop < n_hops; hop++)
    {
      guint n = self->open->len;

      for (guint k = n_before; k < n; k++)
        {
          guint i = g_array_index (self->open, guint, k);
          const WeirWireShape *shape = weir_shapes_get (self->scene->wires, i);

          if (shape->routed != NULL)
            note_places (self, shape);
        }
      n_before = n;
      if (!spread_to_neighbours (self))
        return;
    }
}

/* The open wires and those of nets around them, ascending. What is around a wire is seen once, when
 * it was opened: wherever it then goes is within reach of where it was routed. @around: with what
 * is around those that were open the last time, @n_listed. (transfer full) */
static GArray *
list_wires (const Spread *self, Spread *around, guint n_listed)
{
  guint n = weir_shapes_get_size (self->scene->wires);
  GArray *wires = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint k = n_listed; k < self->open->len; k++)
    {
      guint i = g_array_index (self->open, guint, k);

      around->is_open[i] = TRUE;
      note_places (around, weir_shapes_get (self->scene->wires, i));
    }
  spread_to_neighbours (around);
  for (guint i = 0; i < n; i++)
    if (around->is_open[i])
      g_array_append_val (wires, i);
  return wires;
}

void
weir_scene_part_wires (WeirScene *self, WeirSceneIndex *index, WeirScene *previous, GArray *places)
{
  guint n = weir_shapes_get_size (self->wires);
  g_autofree gboolean *is_open = g_new0 (gboolean, n + 1);
  g_autofree gboolean *is_noted = g_new0 (gboolean, n + 1);
  g_autofree gboolean *is_around = g_new0 (gboolean, n + 1);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) places_around = g_array_new (FALSE, FALSE, sizeof (WeirRect));
  Spread spreading = { .scene = self,
                       .previous = previous,
                       .is_open = is_open,
                       .open = open,
                       .is_noted = is_noted,
                       .places = places };
  Spread around = {
    .scene = self, .previous = previous, .is_open = is_around, .places = places_around
  };
  guint n_listed = 0, n_hops = 0;

  if (previous != NULL)
    {
      weir_shapes_foreach_change (previous->wires, self->wires, spread_from_route, &spreading);
      spread_to_neighbours (&spreading);
    }
  while (previous != NULL && open->len <= n / 4)
    {
      g_autoptr (GArray) wires = list_wires (&spreading, &around, n_listed);

      n_listed = open->len;
      part (self, index, wires, is_open);
      for (guint k = 0; k < open->len; k++) /* where they lie now */
        is_noted[g_array_index (open, guint, k)] = FALSE;
      spread_from_outcome (&spreading);
      if (!spread_to_neighbours (&spreading))
        return;
      spread_ahead (&spreading, n_listed, n_hops);
      n_hops = 2 * n_hops + 1;
    }
  g_array_set_size (open, n);
  for (guint i = 0; i < n; i++)
    {
      is_open[i] = TRUE;
      g_array_index (open, guint, i) = i;
    }
  part (self, index, open, is_open);
}
