/* Orthogonal routes. See routing.h.
 *
 * Most wires are a straight line or an S with its middle leg halfway: these are tried first. All
 * others are shortest paths in a small grid whose lines run through the ends and along the
 * obstacles; a state is a grid node with the direction of arrival, so that corners have a price.
 * Crossing an obstacle is possible but dear, hence there always is a route.
 */
#include "paint/ground/routing.h"

#include <math.h>
#include <string.h>

#define CORNER_PRICE 30.0
#define CROSSING_PRICE 2000.0
#define TURNING_BACK_PRICE 1e6 /* only where there is no other way at all */
#define ABOVE_FACTOR 1.3       /* feedback goes below unless that is clearly longer */
#define MAX_OBSTACLES 16       /* the nearest; bounds the grid to some 36 x 36 lines */

static gboolean
is_near (double a, double b)
{
  return fabs (a - b) < 1e-6;
}

static gboolean
is_zero (WeirPoint v)
{
  return is_near (v.x, 0) && is_near (v.y, 0);
}

/* Appends a corner, leaving out repeated points and merging segments on one line. */
static void
append_point (GArray *points, WeirPoint p)
{
  if (points->len >= 1)
    {
      WeirPoint last = g_array_index (points, WeirPoint, points->len - 1);

      if (is_near (last.x, p.x) && is_near (last.y, p.y))
        return;
    }
  if (points->len >= 2)
    {
      WeirPoint *b = &g_array_index (points, WeirPoint, points->len - 1);
      WeirPoint a = g_array_index (points, WeirPoint, points->len - 2);

      if ((is_near (a.x, b->x) && is_near (b->x, p.x))
          || (is_near (a.y, b->y) && is_near (b->y, p.y)))
        {
          *b = p;
          if (is_near (a.x, p.x) && is_near (a.y, p.y))
            g_array_set_size (points, points->len - 1);
          return;
        }
    }
  g_array_append_val (points, p);
}

static gboolean
segment_crosses (WeirPoint a, WeirPoint b, WeirRect box)
{
  double x0 = MIN (a.x, b.x), x1 = MAX (a.x, b.x), y0 = MIN (a.y, b.y), y1 = MAX (a.y, b.y);

  return x0 < box.x + box.width - 1e-6 && x1 > box.x + 1e-6 && y0 < box.y + box.height - 1e-6
         && y1 > box.y + 1e-6;
}

/* --- The simple routes ----------------------------------------------------------------------- */

static gboolean
is_clear (const WeirPoint *points, guint n, const WeirRect *obstacles, guint n_obstacles)
{
  for (guint i = 0; i + 1 < n; i++)
    for (guint k = 0; k < n_obstacles; k++)
      if (segment_crosses (points[i], points[i + 1], obstacles[k]))
        return FALSE;
  return TRUE;
}

/* A straight line or an S between two ends that face each other. */
static gboolean
try_simple (const WeirRouteEnd *from, const WeirRouteEnd *to, const WeirRect *obstacles,
            guint n_obstacles, GArray *points)
{
  WeirPoint a = from->point, b = to->point, n = from->normal;
  static const double fractions[] = { 0.5, 0.25, 0.75 };
  double ahead = (b.x - a.x) * n.x + (b.y - a.y) * n.y;

  if (is_zero (n) || !is_near (n.x + to->normal.x, 0) || !is_near (n.y + to->normal.y, 0)
      || ahead <= 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (fractions); i++)
    {
      double d = ahead * fractions[i];
      gboolean horizontal = fabs (n.x) > 0.5;
      WeirPoint route[4] = { a, { a.x + n.x * d, a.y + n.y * d }, b, b };

      /* The middle leg lies on the grid where there is room for that. */
      if (ahead >= 2 * WEIR_GRID)
        {
          if (horizontal)
            route[1].x = weir_snap (route[1].x);
          else
            route[1].y = weir_snap (route[1].y);
        }
      d = (route[1].x - a.x) * n.x + (route[1].y - a.y) * n.y;
      if (d <= 1e-6 || d >= ahead - 1e-6) /* snapped onto an end: its leg would vanish */
        continue;
      route[2] = horizontal ? (WeirPoint) { route[1].x, b.y } : (WeirPoint) { b.x, route[1].y };
      if (is_clear (route, 4, obstacles, n_obstacles))
        {
          for (guint k = 0; k < 4; k++)
            append_point (points, route[k]);
          return TRUE;
        }
    }
  return FALSE;
}

/* --- The search ------------------------------------------------------------------------------ */

enum { RIGHT, DOWN, LEFT, UP, N_DIRECTIONS };

static const WeirPoint directions[N_DIRECTIONS] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };

static int
get_direction (WeirPoint v) /* -1 for none */
{
  if (is_zero (v))
    return -1;
  if (fabs (v.x) >= fabs (v.y))
    return v.x > 0 ? RIGHT : LEFT;
  return v.y > 0 ? DOWN : UP;
}

typedef struct {
  double cost;
  guint32 state; /* node * N_DIRECTIONS + direction */
} Step;

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
sort_unique (GArray *lines)
{
  guint n = 0;

  g_array_sort (lines, compare_doubles);
  for (guint i = 0; i < lines->len; i++)
    if (n == 0 || !is_near (g_array_index (lines, double, i), g_array_index (lines, double, n - 1)))
      g_array_index (lines, double, n++) = g_array_index (lines, double, i);
  g_array_set_size (lines, n);
}

static guint
find_line (const GArray *lines, double value)
{
  for (guint i = 0; i < lines->len; i++)
    if (is_near (g_array_index (lines, double, i), value))
      return i;
  g_assert_not_reached ();
}

static void
heap_push (GArray *heap, Step step)
{
  guint i = heap->len;

  g_array_append_val (heap, step);
  while (i > 0)
    {
      guint parent = (i - 1) / 2;
      Step *p = &g_array_index (heap, Step, parent), *c = &g_array_index (heap, Step, i);

      if (p->cost <= c->cost)
        break;
      step = *p;
      *p = *c;
      *c = step;
      i = parent;
    }
}

static Step
heap_pop (GArray *heap)
{
  Step top = g_array_index (heap, Step, 0);
  Step last = g_array_index (heap, Step, heap->len - 1);
  guint i = 0;

  g_array_set_size (heap, heap->len - 1);
  if (heap->len == 0)
    return top;
  for (;;)
    {
      guint child = 2 * i + 1;

      if (child >= heap->len)
        break;
      if (child + 1 < heap->len
          && g_array_index (heap, Step, child + 1).cost < g_array_index (heap, Step, child).cost)
        child++;
      if (last.cost <= g_array_index (heap, Step, child).cost)
        break;
      g_array_index (heap, Step, i) = g_array_index (heap, Step, child);
      i = child;
    }
  g_array_index (heap, Step, i) = last;
  return top;
}

/* The search for one way: a grid of the lines that ways may follow, and what is known of each
 * state, which is a point of the grid and the direction of arrival there. */
typedef struct {
  const WeirRect *obstacles;
  guint n_obstacles;
  double top;      /* horizontal ways above it are dearer */
  int out, in;     /* directions at the ends; -1: open */
  GArray *xs, *ys; /* of double, ascending: the lines */
  guint start, goal;
  double *costs;
  guint32 *previous;
  GArray *heap; /* of Step */
} Search;

static WeirPoint
get_grid_point (const Search *self, guint node)
{
  return (WeirPoint) { g_array_index (self->xs, double, node % self->xs->len),
                       g_array_index (self->ys, double, node / self->xs->len) };
}

static void
find_lines (Search *self, WeirPoint a, WeirPoint b)
{
  double xs[3] = { a.x, b.x, weir_snap ((a.x + b.x) / 2) };
  double ys[3] = { a.y, b.y, weir_snap ((a.y + b.y) / 2) };

  self->xs = g_array_new (FALSE, FALSE, sizeof (double));
  self->ys = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (self->xs, xs, 3);
  g_array_append_vals (self->ys, ys, 3);
  for (guint k = 0; k < self->n_obstacles; k++)
    {
      WeirRect box = self->obstacles[k];
      double edges[4] = { box.x, box.x + box.width, box.y, box.y + box.height };

      g_array_append_vals (self->xs, edges, 2);
      g_array_append_vals (self->ys, edges + 2, 2);
    }
  sort_unique (self->xs);
  sort_unique (self->ys);
  self->start = find_line (self->ys, a.y) * self->xs->len + find_line (self->xs, a.x);
  self->goal = find_line (self->ys, b.y) * self->xs->len + find_line (self->xs, b.x);
}

/* Nothing is known but the start. */
static void
begin_search (Search *self)
{
  guint n_states = self->xs->len * self->ys->len * N_DIRECTIONS;

  self->costs = g_new (double, n_states);
  self->previous = g_new (guint32, n_states);
  self->heap = g_array_new (FALSE, FALSE, sizeof (Step));
  for (guint i = 0; i < n_states; i++)
    {
      self->costs[i] = INFINITY;
      self->previous[i] = G_MAXUINT32;
    }
  for (int d = 0; d < N_DIRECTIONS; d++)
    if (self->out < 0 || self->out == d)
      {
        Step first = { 0, self->start * N_DIRECTIONS + d };

        self->costs[first.state] = 0;
        heap_push (self->heap, first);
      }
}

static void
search_clear (Search *self)
{
  g_array_unref (self->xs);
  g_array_unref (self->ys);
  g_array_unref (self->heap);
  g_free (self->costs);
  g_free (self->previous);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* Of a step along direction @d between neighbours of the grid. */
static double
get_price (const Search *self, guint from, guint to, int d)
{
  WeirPoint a = get_grid_point (self, from), b = get_grid_point (self, to);
  double price = fabs (a.x - b.x) + fabs (a.y - b.y);

  if (is_near (a.y, b.y) && a.y < self->top - 1e-6)
    price *= ABOVE_FACTOR;
  for (guint k = 0; k < self->n_obstacles; k++)
    if (segment_crosses (a, b, self->obstacles[k]))
      price += CROSSING_PRICE;
  /* Two corners on one spot turn back over the stub of an end. */
  if ((from == self->start && self->out >= 0 && d == (self->out + 2) % N_DIRECTIONS)
      || (to == self->goal && self->in >= 0 && d == (self->in + 2) % N_DIRECTIONS))
    price += TURNING_BACK_PRICE;
  return price;
}

/* Where one leads on from: ahead to the neighbour, and round the corner on the spot. */
static void
expand (Search *self, Step step)
{
  guint node = step.state / N_DIRECTIONS;
  int direction = step.state % N_DIRECTIONS;
  int n_x = (int) self->xs->len, n_y = (int) self->ys->len;

  for (int turn = -1; turn <= 1; turn++)
    {
      int d = (direction + turn + N_DIRECTIONS) % N_DIRECTIONS;
      int jx = (int) node % n_x + (turn == 0 ? (int) directions[d].x : 0);
      int jy = (int) node / n_x + (turn == 0 ? (int) directions[d].y : 0);
      guint next = (guint) (jy * n_x + jx);
      guint32 state = next * N_DIRECTIONS + (guint32) d;
      double cost;

      if (jx < 0 || jy < 0 || jx >= n_x || jy >= n_y)
        continue;
      cost = step.cost + (turn == 0 ? get_price (self, node, next, d) : CORNER_PRICE);
      if (cost < self->costs[state] - 1e-9)
        {
          self->costs[state] = cost;
          self->previous[state] = step.state;
          heap_push (self->heap, (Step) { cost, state });
        }
    }
}

static void
append_way (const Search *self, guint32 found, GArray *points)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  for (guint32 state = found; state != G_MAXUINT32; state = self->previous[state])
    {
      WeirPoint p = get_grid_point (self, state / N_DIRECTIONS);

      g_array_append_val (way, p);
    }
  for (guint i = way->len; i > 0; i--)
    append_point (points, g_array_index (way, WeirPoint, i - 1));
}

/* Appends the cheapest way from @a, leaving in direction @out, to @b, arriving in direction @in; -1
 * leaves a direction open. */
static void
search (WeirPoint a, int out, WeirPoint b, int in, const WeirRect *obstacles, guint n_obstacles,
        GArray *points)
{
  g_auto (Search) self = {
    .obstacles = obstacles, .n_obstacles = n_obstacles, .top = MIN (a.y, b.y), .out = out, .in = in
  };

  find_lines (&self, a, b);
  begin_search (&self);
  while (self.heap->len > 0)
    {
      Step step = heap_pop (self.heap);

      if (step.cost > self.costs[step.state])
        continue;
      if (step.state / N_DIRECTIONS == self.goal
          && (in < 0 || in == (int) (step.state % N_DIRECTIONS)))
        {
          append_way (&self, step.state, points);
          return;
        }
      expand (&self, step);
    }
  g_assert_not_reached (); /* the grid is connected and every edge has a finite price */
}

/* --- Whole routes ---------------------------------------------------------------------------- */

/* The @max obstacles nearest to the line between the ends, own end boxes first. */
static guint
pick_obstacles (const WeirRect *obstacles, guint n, WeirRect area, WeirRect *picked)
{
  g_autofree double *distances = g_new (double, MAX (n, 1));
  guint n_picked = MIN (n, MAX_OBSTACLES);

  if (n > 0)
    memcpy (picked, obstacles, sizeof *picked * n_picked);
  if (n <= MAX_OBSTACLES)
    return n;
  for (guint k = 0; k < n; k++)
    {
      WeirRect o = obstacles[k];
      double dx = MAX (MAX (area.x - (o.x + o.width), o.x - (area.x + area.width)), 0);
      double dy = MAX (MAX (area.y - (o.y + o.height), o.y - (area.y + area.height)), 0);

      distances[k] = dx + dy;
    }
  for (guint i = 0; i < n_picked; i++)
    {
      guint best = 0;

      for (guint k = 1; k < n; k++)
        if (distances[k] < distances[best])
          best = k;
      picked[i] = obstacles[best];
      distances[best] = INFINITY;
    }
  return n_picked;
}

static WeirPoint
get_stub (const WeirRouteEnd *end)
{
  return (WeirPoint) { end->point.x + WEIR_STUB * end->normal.x,
                       end->point.y + WEIR_STUB * end->normal.y };
}

void
weir_route (const WeirRouteEnd *from, const WeirRouteEnd *to, const WeirPoint *bends, guint n_bends,
            const WeirRect *obstacles, guint n_obstacles, GArray *points)
{
  WeirRect picked[MAX_OBSTACLES], grown[MAX_OBSTACLES];
  WeirPoint a = get_stub (from), b = get_stub (to), here = a;
  int direction = get_direction (from->normal);
  int arrival = get_direction ((WeirPoint) { -to->normal.x, -to->normal.y });
  guint n;

  g_array_set_size (points, 0);
  n = pick_obstacles (obstacles, n_obstacles, weir_rect_from_corners (from->point, to->point),
                      picked);
  if (n_bends == 0 && try_simple (from, to, picked, n, points))
    return;

  for (guint k = 0; k < n; k++)
    grown[k] = weir_rect_grow (picked[k], WEIR_STUB);
  append_point (points, from->point);
  append_point (points, a);
  for (guint i = 0; i < n_bends; i++)
    {
      /* Between bends the user's word counts: the plain way, straight ahead and then a corner. */
      search (here, direction, bends[i], -1, NULL, 0, points);
      here = bends[i];
      if (points->len >= 2)
        {
          WeirPoint p = g_array_index (points, WeirPoint, points->len - 2);
          WeirPoint q = g_array_index (points, WeirPoint, points->len - 1);

          direction = get_direction ((WeirPoint) { q.x - p.x, q.y - p.y });
        }
    }
  search (here, direction, b, arrival, grown, n_bends > 0 ? 0 : n, points);
  append_point (points, to->point);
  if (points->len < 2)
    {
      WeirPoint end = to->point;

      g_array_append_val (points, end);
    }
}

void
weir_route_move_segment (const WeirPoint *points, guint n_points, guint segment, WeirPoint offset,
                         GArray *bends)
{
  WeirPoint a, b;

  g_return_if_fail (segment + 1 < n_points);

  g_array_set_size (bends, 0);
  a = points[segment];
  b = points[segment + 1];
  if (is_near (a.y, b.y))
    offset.x = 0;
  else
    offset.y = 0;
  for (guint i = 0; i < n_points; i++)
    {
      WeirPoint p = points[i];
      gboolean moved = i == segment || i == segment + 1;

      if (moved && (i == 0 || i == n_points - 1))
        {
          /* The port stays: a stub runs out to the moved segment. */
          double length = fabs (b.x - a.x) + fabs (b.y - a.y);
          double stub = MIN (WEIR_STUB, length / 3) / MAX (length, 1e-9) * (i == 0 ? 1 : -1);

          p.x += (b.x - a.x) * stub;
          p.y += (b.y - a.y) * stub;
          if (i == 0)
            append_point (bends, p);
          append_point (bends, (WeirPoint) { p.x + offset.x, p.y + offset.y });
          if (i != 0)
            append_point (bends, p);
        }
      else if (moved)
        append_point (bends, (WeirPoint) { p.x + offset.x, p.y + offset.y });
      else if (i != 0 && i != n_points - 1)
        append_point (bends, p);
    }
}

WeirPoint
weir_route_find_nearest (const WeirPoint *points, guint n_points, WeirPoint at, guint *segment)
{
  WeirPoint best = points[0];
  double best_distance = INFINITY;

  for (guint k = 0; k + 1 < n_points; k++)
    {
      WeirPoint a = points[k], b = points[k + 1];
      WeirPoint here = { CLAMP (at.x, MIN (a.x, b.x), MAX (a.x, b.x)),
                         CLAMP (at.y, MIN (a.y, b.y), MAX (a.y, b.y)) };
      double distance = hypot (at.x - here.x, at.y - here.y);

      if (distance >= best_distance)
        continue;
      best = here;
      best_distance = distance;
      if (segment != NULL)
        *segment = k;
    }
  return best;
}

int
weir_route_hit (const WeirPoint *points, guint n_points, WeirPoint point, double slack)
{
  double best_distance = slack;
  int best = -1;

  for (guint i = 0; i + 1 < n_points; i++)
    {
      double distance = weir_point_distance_to_segment (point, points[i], points[i + 1]);

      if (distance <= best_distance)
        {
          best_distance = distance;
          best = (int) i;
        }
    }
  return best;
}
