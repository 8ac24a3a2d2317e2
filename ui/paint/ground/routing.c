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
#define MAX_OBSTACLES 16       /* the nearest */
#define MAX_LINES (3 + 2 * MAX_OBSTACLES)

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

/* A way to a state: a crossing of two lines and the direction of arrival there. */
typedef struct {
  double cost;
  guint8 x, y; /* the lines, by their places in Search */
  guint8 direction;
} Step;

/* The lines across one axis, and which obstacles are there on that axis, by bits: a piece of way
 * crosses those that are there on both. */
typedef struct {
  double lines[MAX_LINES]; /* ascending */
  guint n;
  guint32 at[MAX_LINES];      /* each line */
  guint32 between[MAX_LINES]; /* it and the next */
} Axis;

G_STATIC_ASSERT (MAX_OBSTACLES <= 32);

/* The search for one way: a grid of the lines that ways may follow, and what is known of each
 * state. */
typedef struct {
  double top;  /* horizontal ways above it are dearer */
  int out, in; /* directions at the ends; -1: open */
  Axis x, y;
  Step start, goal;
  double *costs;     /* of states, see get_state */
  guint32 *previous; /* state that each is reached from */
  Step *heap;
  guint n_heap, heap_size;
} Search;

static guint32
get_state (const Search *self, Step step)
{
  return (step.y * self->x.n + step.x) * N_DIRECTIONS + step.direction;
}

static void
heap_push (Search *self, Step step)
{
  guint i = self->n_heap++;

  if (i == self->heap_size)
    {
      self->heap_size = MAX (64, 2 * self->heap_size);
      self->heap = g_renew (Step, self->heap, self->heap_size);
    }
  for (; i > 0 && self->heap[(i - 1) / 2].cost > step.cost; i = (i - 1) / 2)
    self->heap[i] = self->heap[(i - 1) / 2];
  self->heap[i] = step;
}

static Step
heap_pop (Search *self)
{
  const Step top = self->heap[0], last = self->heap[--self->n_heap];
  guint i = 0;

  for (guint child = 1; child < self->n_heap; child = 2 * i + 1)
    {
      if (child + 1 < self->n_heap && self->heap[child + 1].cost < self->heap[child].cost)
        child++;
      if (last.cost <= self->heap[child].cost)
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = last;
  return top;
}

static void
add_line (Axis *self, double line)
{
  guint i = self->n++;

  for (; i > 0 && self->lines[i - 1] > line; i--)
    self->lines[i] = self->lines[i - 1];
  self->lines[i] = line;
}

static void
remove_repeated_lines (Axis *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (n == 0 || !is_near (self->lines[i], self->lines[n - 1]))
      self->lines[n++] = self->lines[i];
  self->n = n;
}

/* Obstacle @k lies from @low to @high. */
static void
note_obstacle (Axis *self, guint k, double low, double high)
{
  for (guint i = 0; i < self->n; i++)
    {
      double line = self->lines[i];

      if (line >= high - 1e-6)
        break;
      if (line > low + 1e-6)
        self->at[i] |= 1u << k;
      if (i + 1 < self->n && self->lines[i + 1] > low + 1e-6)
        self->between[i] |= 1u << k;
    }
}

static guint8
find_line (const Axis *self, double value)
{
  for (guint i = 0; i < self->n; i++)
    if (is_near (self->lines[i], value))
      return (guint8) i;
  g_assert_not_reached ();
}

static void
find_lines (Search *self, WeirPoint a, WeirPoint b, const WeirRect *obstacles, guint n_obstacles)
{
  Axis *x = &self->x, *y = &self->y;

  add_line (x, a.x);
  add_line (x, b.x);
  add_line (x, weir_snap ((a.x + b.x) / 2));
  add_line (y, a.y);
  add_line (y, b.y);
  add_line (y, weir_snap ((a.y + b.y) / 2));
  for (guint k = 0; k < n_obstacles; k++)
    {
      WeirRect box = obstacles[k];

      add_line (x, box.x);
      add_line (x, box.x + box.width);
      add_line (y, box.y);
      add_line (y, box.y + box.height);
    }
  remove_repeated_lines (x);
  remove_repeated_lines (y);
  for (guint k = 0; k < n_obstacles; k++)
    {
      WeirRect box = obstacles[k];

      note_obstacle (x, k, box.x, box.x + box.width);
      note_obstacle (y, k, box.y, box.y + box.height);
    }
  self->start = (Step) { .x = find_line (x, a.x), .y = find_line (y, a.y) };
  self->goal = (Step) { .x = find_line (x, b.x), .y = find_line (y, b.y) };
}

/* Nothing is known but the start. */
static void
begin_search (Search *self)
{
  guint n_states = self->x.n * self->y.n * N_DIRECTIONS;

  self->costs = g_new (double, n_states);
  self->previous = g_new (guint32, n_states);
  for (guint i = 0; i < n_states; i++)
    {
      self->costs[i] = INFINITY;
      self->previous[i] = G_MAXUINT32;
    }
  for (int d = 0; d < N_DIRECTIONS; d++)
    if (self->out < 0 || self->out == d)
      {
        Step first = self->start;

        first.direction = (guint8) d;
        self->costs[get_state (self, first)] = 0;
        heap_push (self, first);
      }
}

static void
search_clear (Search *self)
{
  g_free (self->costs);
  g_free (self->previous);
  g_free (self->heap);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static gboolean
is_at (Step step, Step end)
{
  return step.x == end.x && step.y == end.y;
}

/* Of a step ahead between neighbours of the grid. */
static double
get_price (const Search *self, Step from, Step to)
{
  const Axis *x = &self->x, *y = &self->y;
  gboolean is_level = from.y == to.y;
  double price = is_level ? fabs (x->lines[from.x] - x->lines[to.x])
                          : fabs (y->lines[from.y] - y->lines[to.y]);
  guint32 crossed = is_level ? x->between[MIN (from.x, to.x)] & y->at[from.y]
                             : y->between[MIN (from.y, to.y)] & x->at[from.x];

  if (is_level && y->lines[from.y] < self->top - 1e-6)
    price *= ABOVE_FACTOR;
  for (; crossed != 0; crossed &= crossed - 1)
    price += CROSSING_PRICE;
  /* Two corners on one spot turn back over the stub of an end. */
  if ((is_at (from, self->start) && self->out >= 0
       && to.direction == (self->out + 2) % N_DIRECTIONS)
      || (is_at (to, self->goal) && self->in >= 0 && to.direction == (self->in + 2) % N_DIRECTIONS))
    price += TURNING_BACK_PRICE;
  return price;
}

/* Where one leads on from: ahead to the neighbour, and round the corner on the spot. */
static void
expand (Search *self, Step step)
{
  for (int turn = -1; turn <= 1; turn++)
    {
      int d = (step.direction + turn + N_DIRECTIONS) % N_DIRECTIONS;
      int x = step.x + (turn == 0 ? (int) directions[d].x : 0);
      int y = step.y + (turn == 0 ? (int) directions[d].y : 0);
      Step next = { step.cost, (guint8) x, (guint8) y, (guint8) d };
      guint32 state;

      if (x < 0 || y < 0 || x >= (int) self->x.n || y >= (int) self->y.n)
        continue;
      next.cost += turn == 0 ? get_price (self, step, next) : CORNER_PRICE;
      state = get_state (self, next);
      if (next.cost < self->costs[state] - 1e-9)
        {
          self->costs[state] = next.cost;
          self->previous[state] = get_state (self, step);
          heap_push (self, next);
        }
    }
}

static void
append_way (const Search *self, guint32 found, GArray *points)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  for (guint32 state = found; state != G_MAXUINT32; state = self->previous[state])
    {
      guint32 node = state / N_DIRECTIONS;
      WeirPoint p = { self->x.lines[node % self->x.n], self->y.lines[node / self->x.n] };

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
  g_auto (Search) self = { .top = MIN (a.y, b.y), .out = out, .in = in };

  find_lines (&self, a, b, obstacles, n_obstacles);
  begin_search (&self);
  while (self.n_heap > 0)
    {
      Step step = heap_pop (&self);
      guint32 state = get_state (&self, step);

      if (step.cost > self.costs[state])
        continue;
      if (is_at (step, self.goal) && (in < 0 || in == step.direction))
        {
          append_way (&self, state, points);
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
