/* Wires of different outputs that were routed along one line are moved apart, so that it can be
 * seen which is which.
 *
 * Each wire is routed by itself (scene-wires.c). Here the segments that lie on one line are gone
 * through: those of one output that touch are a track, which moves as a whole; a track at a port or
 * with a hand-made bend stays where it is, of the others the first wire's stays. A track goes only
 * where less lies on one another for it, the segments before and after counted, which grow or
 * shrink with the move. What comes out depends on the routes and the blocks alone, not on the scene
 * before.
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

/* A segment of a wire, on its line. */
typedef struct {
  guint wire, segment;
  gboolean is_vertical, is_fixed;
  double at;        /* x of a vertical one, y of a horizontal one */
  double low, high; /* along it */
  guint track;      /* index of the first run of its track */
} Run;

typedef struct {
  WeirScene *scene;
  WeirSceneIndex *index;
  WeirPoint **moved; /* by wire: its points from here on; NULL: as routed */
  GArray *runs;   /* Run, those of the direction that is gone through, in order of line and place,
                     as they were when it was begun */
  GArray *across; /* Run, those of the other direction */
  GArray *strays; /* guint, of runs: those that have moved since */
} Parting;

static const WeirPoint *
get_routed (const WeirWireShape *shape)
{
  return shape->routed != NULL ? shape->routed : shape->points;
}

static const WeirWireShape *
get_shape (const Parting *self, const Run *run)
{
  return self->scene->wires->pdata[run->wire];
}

/* Its points now. */
static const WeirPoint *
get_points (const Parting *self, const Run *run)
{
  return self->moved[run->wire] != NULL ? self->moved[run->wire]
                                        : get_routed (get_shape (self, run));
}

/* Segment @k of the wire of @run, as it lies now. */
static Run
look_at_segment (const Parting *self, const Run *run, guint k)
{
  const WeirPoint *points = get_points (self, run);
  WeirPoint a = points[k], b = points[k + 1];
  gboolean is_vertical = a.x == b.x && a.y != b.y;

  return (Run) {
    .wire = run->wire,
    .segment = k,
    .is_vertical = is_vertical,
    .at = is_vertical ? a.x : a.y,
    .low = is_vertical ? MIN (a.y, b.y) : MIN (a.x, b.x),
    .high = is_vertical ? MAX (a.y, b.y) : MAX (a.x, b.x),
  };
}

static gboolean
is_one_net (const Parting *self, const Run *a, const Run *b)
{
  WeirWireEnd x, y;

  if (a->wire == b->wire)
    return TRUE;
  x = weir_wire_get_from (get_shape (self, a)->wire);
  y = weir_wire_get_from (get_shape (self, b)->wire);
  return x.block != 0 && x.block == y.block && g_strcmp0 (x.port, y.port) == 0;
}

/* --- Lines ----------------------------------------------------------------------------------- */

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const Run *x = a, *y = b;

  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return x->wire != y->wire ? (x->wire < y->wire ? -1 : 1)
                            : (x->segment > y->segment) - (x->segment < y->segment);
}

static void
collect_runs (Parting *self, GArray *runs, gboolean is_vertical)
{
  g_array_set_size (runs, 0);
  for (guint i = 0; i < self->scene->wires->len; i++)
    {
      const WeirWireShape *shape = self->scene->wires->pdata[i];
      const Run wire = { .wire = i };
      guint n_bends;

      weir_wire_get_bends (shape->wire, &n_bends);
      for (guint k = 0; k + 1 < shape->n_points; k++)
        {
          Run run = look_at_segment (self, &wire, k);

          if (run.is_vertical != is_vertical)
            continue;
          run.is_fixed = n_bends > 0 || k == 0 || k + 2 == shape->n_points;
          g_array_append_val (runs, run);
        }
    }
  g_array_sort (runs, compare_runs);
}

/* The first of @runs at or beyond @at. */
static guint
find_line (const GArray *runs, double at)
{
  guint low = 0, high = runs->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (runs, Run, middle).at < at)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
overlaps (const Run *a, const Run *b, double slack)
{
  return MIN (a->high, b->high) - MAX (a->low, b->low) > slack;
}

/* Whether runs of different nets lie on one another in [first, end). */
static gboolean
has_conflict (Parting *self, guint first, guint end)
{
  const Run *runs = (const Run *) (gpointer) self->runs->data;

  for (guint i = first; i < end; i++)
    for (guint k = i + 1; k < end && runs[k].low < runs[i].high; k++)
      if (overlaps (&runs[i], &runs[k], OVERLAP) && !is_one_net (self, &runs[i], &runs[k]))
        return TRUE;
  return FALSE;
}

/* --- Tracks ---------------------------------------------------------------------------------- */

/* Runs of one net that touch get one track; one fixed run fixes all of it. */
static void
find_tracks (Parting *self, guint first, guint end)
{
  Run *runs = (Run *) (gpointer) self->runs->data;

  for (guint i = first; i < end; i++)
    runs[i].track = i;
  for (guint i = first; i < end; i++)
    for (guint k = i + 1; k < end && runs[k].low <= runs[i].high + SAME_LINE; k++)
      if (runs[k].track != runs[i].track && is_one_net (self, &runs[i], &runs[k]))
        for (guint m = first, from = runs[k].track, to = runs[i].track; m < end; m++)
          if (runs[m].track == from)
            runs[m].track = to;
  for (guint i = first; i < end; i++)
    if (runs[i].is_fixed)
      for (guint m = first; m < end; m++)
        if (runs[m].track == runs[i].track)
          runs[m].is_fixed = TRUE;
}

/* Whether the segments before and after keep their direction and some length. */
static gboolean
leaves_stubs (Parting *self, const Run *run, double by)
{
  const WeirPoint *points = get_points (self, run);

  for (int side = 0; side < 2; side++)
    {
      guint here = run->segment + (guint) side, there = side == 0 ? here - 1 : here + 1;
      double length = run->is_vertical ? points[here].x - points[there].x
                                       : points[here].y - points[there].y;

      if ((length + by) * length <= 0 || fabs (length + by) < MIN (LEAST_STUB, fabs (length)))
        return FALSE;
    }
  return TRUE;
}

/* Whether @other, which may have moved, is where @run would come to lie. */
static gboolean
is_taken_by (const Parting *self, const Run *run, double at, const Run *other)
{
  Run now = look_at_segment (self, other, other->segment);

  return fabs (now.at - at) < LANE - SAME_LINE && overlaps (run, &now, -LANE / 2)
         && !is_one_net (self, run, &now);
}

/* Whether nothing of another net, and no block, is where @run would come to lie. */
static gboolean
is_free (Parting *self, const Run *run, double by)
{
  const Run *runs = (const Run *) (gpointer) self->runs->data;
  double at = run->at + by;
  WeirRect area = run->is_vertical ? (WeirRect) { at - 3, run->low, 6, run->high - run->low }
                                   : (WeirRect) { run->low, at - 3, run->high - run->low, 6 };

  for (guint i = find_line (self->runs, at - LANE + SAME_LINE);
       i < self->runs->len && runs[i].at < at + LANE - SAME_LINE; i++)
    if (is_taken_by (self, run, at, &runs[i]))
      return FALSE;
  for (guint i = 0; i < self->strays->len; i++)
    if (is_taken_by (self, run, at, &runs[g_array_index (self->strays, guint, i)]))
      return FALSE;
  return weir_scene_index_is_free (self->index, area);
}

/* How much of @run lies on @other as that lies now. */
static double
measure_overlap (const Parting *self, const Run *run, const Run *other)
{
  Run now = look_at_segment (self, other, other->segment);

  if (now.at != run->at || is_one_net (self, run, &now))
    return 0;
  return MAX (MIN (run->high, now.high) - MAX (run->low, now.low), 0);
}

/* How much of @run lies on others of its direction. */
static double
sum_overlaps (const Parting *self, const Run *run, gboolean is_across)
{
  const GArray *runs = is_across ? self->across : self->runs;
  double sum = 0;

  for (guint i = find_line (runs, run->at);
       i < runs->len && g_array_index (runs, Run, i).at == run->at; i++)
    sum += measure_overlap (self, run, &g_array_index (runs, Run, i));
  for (guint i = 0; !is_across && i < self->strays->len; i++)
    {
      const Run *stray = &g_array_index (runs, Run, g_array_index (self->strays, guint, i));

      if (stray->at != run->at) /* else it has been looked at */
        sum += measure_overlap (self, run, stray);
    }
  return sum;
}

/* By how much more lies on one another when @run, which then lies on nothing, goes. */
static double
measure_change (Parting *self, const Run *run, double by)
{
  double change = -sum_overlaps (self, run, FALSE);

  for (int side = 0; side < 2; side++)
    {
      Run before = look_at_segment (self, run, side == 0 ? run->segment - 1 : run->segment + 1);
      Run after = before;

      *(before.low == run->at ? &after.low : &after.high) += by;
      change += sum_overlaps (self, &after, TRUE) - sum_overlaps (self, &before, TRUE);
    }
  return change;
}

static void
move_run (Parting *self, guint i, double by)
{
  const Run *run = &g_array_index (self->runs, Run, i);
  const WeirWireShape *shape = get_shape (self, run);
  WeirPoint *points = self->moved[run->wire];

  if (points == NULL)
    points = self->moved[run->wire] = g_memdup2 (get_routed (shape),
                                                 shape->n_points * sizeof *points);
  for (guint k = run->segment; k < run->segment + 2; k++)
    *(run->is_vertical ? &points[k].x : &points[k].y) += by;
  g_array_append_val (self->strays, i);
}

/* The way that @track can go; 0 if it has to stay. */
static double
find_way (Parting *self, guint track, guint first, guint end)
{
  const Run *runs = (const Run *) (gpointer) self->runs->data;

  for (int lane = 1; lane <= MAX_LANES; lane++)
    for (int sign = 1; sign >= -1; sign -= 2)
      {
        double by = sign * lane * LANE, change = 0;
        gboolean can = TRUE;

        for (guint i = first; i < end && can; i++)
          if (runs[i].track == track)
            can = leaves_stubs (self, &runs[i], by) && is_free (self, &runs[i], by);
        for (guint i = first; i < end && can; i++)
          if (runs[i].track == track)
            change += measure_change (self, &runs[i], by);
        if (can && change < 0)
          return by;
      }
  return 0;
}

/* Whether a track that stays, or was before it, lies on @track. */
static gboolean
is_in_the_way (Parting *self, guint track, const gboolean *is_gone, guint first, guint end)
{
  const Run *runs = (const Run *) (gpointer) self->runs->data;

  for (guint i = first; i < end; i++)
    for (guint k = first; runs[i].track == track && k < end; k++)
      if (runs[k].track != track && !is_gone[runs[k].track - first]
          && (runs[k].is_fixed || runs[runs[k].track].wire < runs[track].wire)
          && overlaps (&runs[i], &runs[k], OVERLAP) && !is_one_net (self, &runs[i], &runs[k]))
        return TRUE;
  return FALSE;
}

static void
part_line (Parting *self, guint first, guint end)
{
  Run *runs = (Run *) (gpointer) self->runs->data;
  g_autofree gboolean *is_gone = g_new0 (gboolean, end - first);

  find_tracks (self, first, end);
  for (guint track = first; track < end; track++)
    {
      double by;

      if (runs[track].track != track || runs[track].is_fixed
          || !is_in_the_way (self, track, is_gone, first, end))
        continue;
      by = find_way (self, track, first, end);
      if (by == 0)
        continue;
      is_gone[track - first] = TRUE;
      for (guint i = first; i < end; i++)
        if (runs[i].track == track)
          move_run (self, i, by);
    }
}

static void
part_direction (Parting *self, gboolean is_vertical)
{
  collect_runs (self, self->runs, is_vertical);
  collect_runs (self, self->across, !is_vertical);
  g_array_set_size (self->strays, 0);
  for (guint first = 0, end; first < self->runs->len; first = end)
    {
      const Run *runs = (const Run *) (gpointer) self->runs->data;

      for (end = first + 1; end < self->runs->len && runs[end].at == runs[first].at; end++)
        ;
      if (end - first > 1 && has_conflict (self, first, end))
        part_line (self, first, end);
    }
}

/* --- Shapes ---------------------------------------------------------------------------------- */

void
weir_scene_part_wires (WeirScene *self, WeirSceneIndex *index)
{
  g_autofree WeirPoint **moved = g_new0 (WeirPoint *, self->wires->len + 1);
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autoptr (GArray) across = g_array_new (FALSE, FALSE, sizeof (Run));
  g_autoptr (GArray) strays = g_array_new (FALSE, FALSE, sizeof (guint));
  Parting parting = { self, index, moved, runs, across, strays };

  part_direction (&parting, TRUE);
  part_direction (&parting, FALSE);
  for (guint i = 0; i < self->wires->len; i++)
    {
      WeirWireShape *shape = self->wires->pdata[i];

      const WeirPoint *points = moved[i] != NULL ? moved[i] : get_routed (shape);

      if (memcmp (points, shape->points, shape->n_points * sizeof *points) != 0)
        {
          self->wires->pdata[i] = weir_wire_shape_with_points (shape, moved[i]);
          weir_wire_shape_unref (shape);
        }
      g_free (moved[i]);
    }
}
