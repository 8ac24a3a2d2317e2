/* Wires of different outputs that were routed along one line are moved apart, so that it can be
 * seen which is which.
 *
 * Each wire is routed by itself (scene-wires.c). Here the segments that lie on one line are gone
 * through: those of one output that touch are a track, which moves as a whole; a track at a port or
 * with a hand-made bend stays where it is, of the others a labelled wire's stays, else the first's.
 * A track goes only where less lies on one another for it, the segments before and after counted,
 * which grow or shrink with the move. What comes out depends on the routes and the blocks alone,
 * not on the scene before.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paint/scene-private.h"

#define LANE 8.0       /* from line to line */
#define MAX_LANES 6    /* to either side that are tried */
#define LEAST_STUB 4.0 /* what is left of the segments before and after */
#define SAME_LINE 0.5
#define OVERLAP 1.0 /* along the line; less is a meeting of ends */

/* A segment of a wire, on its line, as it lies now. */
typedef struct {
  guint wire, segment;
  gboolean is_vertical, is_fixed;
  double at;        /* x of a vertical one, y of a horizontal one */
  double low, high; /* along it */
  guint track;      /* the index of one of its track, while its line is gone through */
} Run;

/* Where a run of the line that is gone through is found, and what it is sorted by. */
typedef struct {
  double at, low;
  guint run;
} Place;

typedef struct {
  WeirScene *scene;
  WeirSceneIndex *index;
  Run *runs; /* those of a wire one after the other */
  guint n_runs;
  guint *first;       /* by wire: its first run */
  WeirScenePort *net; /* by wire: the output that it begins at; block 0: none */
  WeirGrid *grids[2]; /* of runs: horizontal ones, vertical ones */
  gboolean *is_moved; /* by wire */
  GArray *found;      /* guint, runs: what a search of a grid gives */
} Parting;

static const WeirPoint *
get_routed (const WeirWireShape *shape)
{
  return shape->routed != NULL ? shape->routed : shape->points;
}

static gboolean
is_one_net (const Parting *self, const Run *a, const Run *b)
{
  const WeirScenePort *x = &self->net[a->wire], *y = &self->net[b->wire];

  return a->wire == b->wire
         || (x->block != 0 && x->block == y->block && g_strcmp0 (x->port, y->port) == 0);
}

/* The area around @run at @at, as the grids have it. */
static WeirRect
get_area (const Run *run, double at, double beside, double beyond)
{
  WeirRect area = { run->low - beyond, at - beside, run->high - run->low + 2 * beyond, 2 * beside };

  return run->is_vertical ? (WeirRect) { area.y, area.x, area.height, area.width } : area;
}

/* Others of its direction that may lie within @beside of @at, in self->found. */
static void
find_others (Parting *self, const Run *run, double at, double beside, double beyond)
{
  weir_grid_find (self->grids[run->is_vertical], get_area (run, at, beside, beyond), self->found);
}

static const Run *
get_found (const Parting *self, guint i)
{
  return &self->runs[g_array_index (self->found, guint, i)];
}

/* Makes the runs of all wires as they were routed. */
static void
collect_runs (Parting *self)
{
  const GPtrArray *wires = self->scene->wires;
  double squares[2] = { 0, 0 };
  guint n = 0;

  for (guint i = 0; i < wires->len; i++)
    n += ((const WeirWireShape *) wires->pdata[i])->n_points - 1;
  self->runs = g_new (Run, n + 1);
  for (guint i = 0; i < wires->len; i++)
    {
      const WeirWireShape *shape = wires->pdata[i];
      const WeirPoint *points = get_routed (shape);
      WeirWireEnd from = weir_wire_get_from (shape->wire);
      guint n_bends;

      weir_wire_get_bends (shape->wire, &n_bends);
      self->net[i] = (WeirScenePort) { from.block, from.port };
      self->first[i] = self->n_runs;
      for (guint k = 0; k + 1 < shape->n_points; k++)
        {
          WeirPoint a = points[k], b = points[k + 1];
          gboolean is_vertical = a.x == b.x && a.y != b.y;
          Run *run = &self->runs[self->n_runs++];

          *run = (Run) {
            .wire = i,
            .segment = k,
            .is_vertical = is_vertical,
            .is_fixed = n_bends > 0 || k == 0 || k + 2 == shape->n_points,
            .at = is_vertical ? a.x : a.y,
            .low = is_vertical ? MIN (a.y, b.y) : MIN (a.x, b.x),
            .high = is_vertical ? MAX (a.y, b.y) : MAX (a.x, b.x),
          };
          squares[is_vertical] += (run->high - run->low) * (run->high - run->low);
        }
    }
  self->grids[0] = weir_grid_new (n, (WeirPoint) { squares[0], 0 }, (WeirPoint) { 100, 2 * LANE });
  self->grids[1] = weir_grid_new (n, (WeirPoint) { 0, squares[1] }, (WeirPoint) { 2 * LANE, 100 });
  for (guint i = 0; i < n; i++)
    weir_grid_put (self->grids[self->runs[i].is_vertical], i,
                   get_area (&self->runs[i], self->runs[i].at, 0, 0));
}

/* --- Lines ----------------------------------------------------------------------------------- */

static gboolean
overlaps (const Run *a, const Run *b, double slack)
{
  return MIN (a->high, b->high) - MAX (a->low, b->low) > slack;
}

/* Whether @run could go, and a run of another net lies on it. */
static gboolean
has_conflict (Parting *self, const Run *run)
{
  if (run->is_fixed)
    return FALSE;
  find_others (self, run, run->at, 0, 0);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Run *other = get_found (self, i);

      if (other->at == run->at && overlaps (run, other, OVERLAP) && !is_one_net (self, run, other))
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
  return x->run < y->run ? -1 : x->run > y->run;
}

/* All runs of the lines on which some lie on others and could go. (transfer full) */
static GArray *
list_conflicts (Parting *self, gboolean is_vertical)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  for (guint i = 0; i < self->n_runs; i++)
    if (self->runs[i].is_vertical == is_vertical && has_conflict (self, &self->runs[i]))
      g_array_append_val (lines, self->runs[i].at);
  g_array_sort (lines, compare_numbers);
  for (guint i = 0; i < self->n_runs && lines->len > 0; i++)
    {
      const Run *run = &self->runs[i];
      Place place = { run->at, run->low, i };

      if (run->is_vertical == is_vertical
          && bsearch (&run->at, lines->data, lines->len, sizeof (double), compare_numbers) != NULL)
        g_array_append_val (places, place);
    }
  g_array_sort (places, compare_places);
  return places;
}

/* --- Tracks ---------------------------------------------------------------------------------- */

/* Runs of one net that touch get one track; one fixed run fixes all of it. @line: runs, along the
 * line. */
static void
find_tracks (Parting *self, Run **line, guint n)
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
leaves_stubs (const Run *run, double by)
{
  for (int side = -1; side <= 1; side += 2)
    {
      const Run *next = run + side;
      double length = run->at - (next->low == run->at ? next->high : next->low);

      if (next->is_vertical == run->is_vertical || (length + by) * length <= 0
          || fabs (length + by) < MIN (LEAST_STUB, fabs (length)))
        return FALSE;
    }
  return TRUE;
}

/* Whether nothing of another net, and no block, is where @run would come to lie. */
static gboolean
is_free (Parting *self, const Run *run, double by)
{
  double at = run->at + by;

  find_others (self, run, at, LANE, LANE / 2);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Run *other = get_found (self, i);

      if (fabs (other->at - at) < LANE - SAME_LINE && overlaps (run, other, -LANE / 2)
          && !is_one_net (self, run, other))
        return FALSE;
    }
  return weir_scene_index_is_free (self->index, get_area (run, at, 3, 0), self->net[run->wire]);
}

/* How much of @run lies on others of its direction. */
static double
sum_overlaps (Parting *self, const Run *run)
{
  double sum = 0;

  find_others (self, run, run->at, 0, 0);
  for (guint i = 0; i < self->found->len; i++)
    {
      const Run *other = get_found (self, i);

      if (other->at == run->at && !is_one_net (self, run, other))
        sum += MAX (MIN (run->high, other->high) - MAX (run->low, other->low), 0);
    }
  return sum;
}

/* Moves the end of the segment before or after @run along with it. */
static void
stretch (Run *next, const Run *run, double by)
{
  *(next->low == run->at ? &next->low : &next->high) += by;
}

/* By how much more lies on one another when @run, which then lies on nothing, goes. */
static double
measure_change (Parting *self, const Run *run, double by)
{
  double change = -sum_overlaps (self, run);

  for (int side = -1; side <= 1; side += 2)
    {
      Run after = run[side];

      stretch (&after, run, by);
      change += sum_overlaps (self, &after) - sum_overlaps (self, &run[side]);
    }
  return change;
}

static void
move_run (Parting *self, Run *run, double by)
{
  stretch (run - 1, run, by);
  stretch (run + 1, run, by);
  run->at += by;
  for (Run *moved = run - 1; moved <= run + 1; moved++)
    weir_grid_put (self->grids[moved->is_vertical], (guint) (moved - self->runs),
                   get_area (moved, moved->at, 0, 0));
  self->is_moved[run->wire] = TRUE;
}

/* The way that @track can go; 0 if it has to stay. */
static double
find_way (Parting *self, guint track, Run **line, guint n)
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
comes_before (const Parting *self, const Run *a, const Run *b)
{
  gboolean labels[2] = { FALSE, FALSE };

  for (guint i = 0; i < 2; i++)
    {
      const WeirWireShape *shape = self->scene->wires->pdata[(i == 0 ? a : b)->wire];

      labels[i] = weir_wire_get_label (shape->wire)[0] != '\0';
    }
  return labels[0] != labels[1] ? labels[0] : a->wire < b->wire;
}

/* Whether a track that stays, or was before it, lies on @track. */
static gboolean
is_in_the_way (Parting *self, guint track, const gboolean *is_gone, Run **line, guint n)
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
part_line (Parting *self, Run **line, guint n)
{
  g_autofree gboolean *is_gone = g_new0 (gboolean, n);

  find_tracks (self, line, n);
  for (guint track = 0; track < n; track++)
    {
      double by;

      if (line[track]->track != track || line[track]->is_fixed
          || !is_in_the_way (self, track, is_gone, line, n))
        continue;
      by = find_way (self, track, line, n);
      if (by == 0)
        continue;
      is_gone[track] = TRUE;
      for (guint i = 0; i < n; i++)
        if (line[i]->track == track)
          move_run (self, line[i], by);
    }
}

static void
part_direction (Parting *self, gboolean is_vertical)
{
  g_autoptr (GArray) places = list_conflicts (self, is_vertical);
  g_autofree Run **line = g_new (Run *, places->len + 1);

  for (guint first = 0, end; first < places->len; first = end)
    {
      double at = g_array_index (places, Place, first).at;

      for (end = first; end < places->len && g_array_index (places, Place, end).at == at; end++)
        line[end - first] = &self->runs[g_array_index (places, Place, end).run];
      part_line (self, line, end - first);
    }
}

/* --- Shapes ---------------------------------------------------------------------------------- */

static WeirPoint *
dup_points (const Parting *self, guint wire)
{
  const WeirWireShape *shape = self->scene->wires->pdata[wire];
  WeirPoint *points = g_memdup2 (get_routed (shape), shape->n_points * sizeof *points);

  for (guint k = 1; k + 2 < shape->n_points; k++)
    {
      const Run *run = &self->runs[self->first[wire] + k];

      for (guint end = k; end < k + 2; end++)
        *(run->is_vertical ? &points[end].x : &points[end].y) = run->at;
    }
  return points;
}

void
weir_scene_part_wires (WeirScene *self, WeirSceneIndex *index)
{
  guint n = self->wires->len;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *first = g_new (guint, n + 1);
  g_autofree WeirScenePort *net = g_new (WeirScenePort, n + 1);
  g_autofree gboolean *is_moved = g_new0 (gboolean, n + 1);
  Parting parting = {
    self, index, .first = first, .net = net, .is_moved = is_moved, .found = found
  };

  collect_runs (&parting);
  part_direction (&parting, TRUE);
  part_direction (&parting, FALSE);
  for (guint i = 0; i < n; i++)
    {
      WeirWireShape *shape = self->wires->pdata[i];
      g_autofree WeirPoint *moved = is_moved[i] ? dup_points (&parting, i) : NULL;
      const WeirPoint *points = moved != NULL ? moved : get_routed (shape);

      if (memcmp (points, shape->points, shape->n_points * sizeof *points) != 0)
        {
          self->wires->pdata[i] = weir_wire_shape_with_points (shape, moved);
          weir_wire_shape_unref (shape);
        }
    }
  weir_grid_free (parting.grids[0]);
  weir_grid_free (parting.grids[1]);
  g_free (parting.runs);
}
