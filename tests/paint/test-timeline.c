/* The timeline: what falls into a stretch, what is hit where, how the view moves, and that drawing
 * takes no more marks however many records there are.
 */
#include "../seeds.h"
#include "paint/plots/timeline-private.h"

#include <math.h>

typedef struct {
  WeirLogRecord *records;
  guint32 *amounts;
  gsize n;
} Log;

/* Steps of four trials and an accepted event, with logging in between, as a fixed-step method makes
 * them; requests of every eighth step consist of several records. */
static void
log_init (Log *log, gsize n)
{
  guint64 number = 0;

  log->records = g_new0 (WeirLogRecord, n);
  log->amounts = g_new0 (guint32, n);
  log->n = n;
  for (gsize i = 0; i < n; i++)
    {
      WeirLogRecord *r = &log->records[i];
      gsize k = i % 16;

      r->time = (double) (i / 16) * 0.01;
      r->kind = k < 10                        ? (k % 2 == 0 ? WEIR_LOG_EVENT : WEIR_LOG_REQUEST)
                : (i / 16) % 8 == 0 && k > 10 ? WEIR_LOG_NESTED
                                              : WEIR_LOG_REQUEST;
      r->phase = k < 8    ? WEIR_LOG_PHASE_TRIAL
                 : k < 10 ? WEIR_LOG_PHASE_INTEGRATION
                          : WEIR_LOG_PHASE_MONITOR;
      number += r->kind == WEIR_LOG_EVENT;
      r->number = number;
      log->amounts[i] = r->kind == WEIR_LOG_NESTED ? 0 : (guint32) (i * 7 % 13);
    }
}

static void
log_clear (Log *log)
{
  g_free (log->records);
  g_free (log->amounts);
}

static gsize
draw (WeirTimeline *timeline, double width, double height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width,
                                                         (int) height);
  cairo_t *cr = cairo_create (surface);

  weir_timeline_draw (timeline, cr, width, height, weir_palette_find (FALSE, FALSE));
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return weir_timeline_get_n_marks (timeline);
}

static void
test_sums (void)
{
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  Log log;

  log_init (&log, 1000);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  g_assert_cmpuint (weir_timeline_get_n_lanes (timeline), ==, 3);
  for (guint k = 0; k < 200; k++)
    {
      gsize first = (gsize) g_rand_int_range (rand, 0, 1000),
            end = (gsize) g_rand_int_range (rand, 0, 1001);
      WeirTimelineSum sum = weir_timeline_sum (timeline, first, end);
      guint32 events = 0, requests = 0, most_stale = 0, most_computed = 0;

      for (gsize i = first; i < end; i++)
        if (log.records[i].phase == WEIR_LOG_PHASE_TRIAL)
          {
            events += log.records[i].kind == WEIR_LOG_EVENT;
            requests += log.records[i].kind == WEIR_LOG_REQUEST;
          }
      for (gsize i = first; i < end; i++)
        if (log.records[i].kind == WEIR_LOG_EVENT)
          most_stale = MAX (most_stale, log.amounts[i]);
        else if (log.records[i].kind == WEIR_LOG_REQUEST)
          most_computed = MAX (most_computed, log.amounts[i]);
      g_assert_cmpuint (sum.events[WEIR_LOG_PHASE_TRIAL], ==, events);
      g_assert_cmpuint (sum.requests[WEIR_LOG_PHASE_TRIAL], ==, requests);
      g_assert_cmpuint (sum.most_stale, ==, most_stale);
      g_assert_cmpuint (sum.most_computed, ==, most_computed);
    }
  log_clear (&log);
}

/* From afar at most a dozen marks a column of pixels; near, one for each record in view and a few
 * more. */
static void
test_marks (void)
{
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  Log log;

  g_assert_cmpuint (draw (timeline, 800, 300), ==, 0); /* nothing there */
  log_init (&log, 1000000);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  g_assert_cmpuint (draw (timeline, 800, 300), <, 800 * (2 * 3 + 2) + 1);
  g_assert_cmpuint (weir_timeline_get_n_marks (timeline), >, 800);
  for (guint k = 0; k < 200; k++)
    {
      double first, last;

      weir_timeline_zoom (timeline, 0.9, 500000);
      draw (timeline, 800, 300);
      weir_timeline_get_range (timeline, &first, &last);
      g_assert_cmpuint (weir_timeline_get_n_marks (timeline), <, 800 * 8);
      g_assert_cmpuint (weir_timeline_get_n_marks (timeline), >, 0);
    }
  weir_timeline_set_range (timeline, 500000, 500016);
  draw (timeline, 800, 300);
  /* Sixteen records, each a mark and a bar. */
  g_assert_cmpuint (weir_timeline_get_n_marks (timeline), <=, 17 * 2);
  g_assert_cmpuint (weir_timeline_get_n_marks (timeline), >=, 16);
  log_clear (&log);
}

static void
test_view (void)
{
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  double first, last;
  gsize index, end;
  Log log;

  log_init (&log, 4096);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  weir_timeline_get_range (timeline, &first, &last);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (last, ==, 4096);
  draw (timeline, 1000, 300);

  /* What is under the pointer stays there while zooming. */
  {
    double x = 700, at = weir_timeline_from_x (timeline, x);

    weir_timeline_zoom (timeline, 0.25, at);
    g_assert_cmpfloat_with_epsilon (weir_timeline_from_x (timeline, x), at, 1e-9);
    g_assert_cmpfloat_with_epsilon (weir_timeline_to_x (timeline, at), x, 1e-9);
  }
  /* Never beyond the ends, never nearer than a few records. */
  weir_timeline_set_range (timeline, -1000, -900);
  weir_timeline_get_range (timeline, &first, &last);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (last, ==, 100);
  weir_timeline_set_range (timeline, 1e9, 1e9 + 100);
  weir_timeline_get_range (timeline, &first, &last);
  g_assert_cmpfloat (last, ==, 4096);
  weir_timeline_zoom (timeline, 1e-9, 4000);
  weir_timeline_get_range (timeline, &first, &last);
  g_assert_cmpfloat (last - first, ==, 8);
  weir_timeline_reveal (timeline, 17);
  weir_timeline_get_range (timeline, &first, &last);
  g_assert_true (first <= 17 && last >= 18);

  /* A record that belongs to another is hit as that one. */
  weir_timeline_set_range (timeline, 0, 16);
  draw (timeline, 1000, 300);
  g_assert_true (weir_timeline_hit (timeline, weir_timeline_to_x (timeline, 14.5), 60, &index));
  g_assert_cmpuint (index, ==, 10);
  g_assert_true (weir_timeline_hit (timeline, weir_timeline_to_x (timeline, 3.5), 60, &index));
  g_assert_cmpuint (index, ==, 3);
  g_assert_false (weir_timeline_hit (timeline, 5, 60, &index)); /* the lanes' names */

  weir_timeline_set_selection (timeline, 10, 9000);
  g_assert_true (weir_timeline_get_selection (timeline, &index, &end));
  g_assert_cmpuint (index, ==, 10);
  g_assert_cmpuint (end, ==, 4096);
  weir_timeline_set_selection (timeline, 0, 0);
  g_assert_false (weir_timeline_get_selection (timeline, &index, &end));
  weir_timeline_set_cursor (timeline, 5000);
  g_assert_cmpuint (weir_timeline_get_cursor (timeline), ==, G_MAXSIZE);
  log_clear (&log);
}

/* One box that asked for another: the inner one lies within. */
static GArray *
list_boxes (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED gsize index)
{
  GArray *boxes = g_array_new (FALSE, TRUE, sizeof (WeirTimelineBox));
  const WeirTimelineBox list[] = { { "inner", 1, 1, 0, 0.5, WEIR_LOG_OUT_OF_DATE, FALSE, 0 },
                                   { "outer", 2, 0, 0, 1, WEIR_LOG_FIRST, FALSE, 1 } };

  g_array_append_vals (boxes, list, G_N_ELEMENTS (list));
  return boxes;
}

static void
test_boxes (void)
{
  const WeirTimelineFuncs funcs = { .list_boxes = list_boxes };
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  const WeirTimelineBox *box;
  double top, x;
  gsize index;
  Log log;

  log_init (&log, 64);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, &funcs, NULL);
  weir_timeline_set_range (timeline, 0, 8);
  draw (timeline, 1000, 300);
  top = WEIR_TIMELINE_AXIS + 3 * WEIR_TIMELINE_LANE + 2 * WEIR_TIMELINE_STRIP + 4;
  x = weir_timeline_to_x (timeline, 1.25);
  box = weir_timeline_hit_box (timeline, x, top + 4, &index);
  g_assert_nonnull (box);
  g_assert_cmpuint (index, ==, 1);
  g_assert_cmpuint (box->entry, ==, 2);
  box = weir_timeline_hit_box (timeline, x, top + WEIR_TIMELINE_BOX + 4, &index);
  g_assert_nonnull (box);
  g_assert_cmpuint (box->entry, ==, 1);
  x = weir_timeline_to_x (timeline, 1.75);
  g_assert_null (weir_timeline_hit_box (timeline, x, top + WEIR_TIMELINE_BOX + 4, &index));

  /* From afar those of the request that is looked at, over the whole width. */
  weir_timeline_fit (timeline);
  weir_timeline_set_cursor (timeline, 3);
  draw (timeline, 500, 300);
  box = weir_timeline_hit_box (timeline, 480, top + 4, &index);
  g_assert_nonnull (box);
  g_assert_cmpuint (index, ==, 3);
  log_clear (&log);
}

/* Two threads: on the run's own a step of the first half of the records, by the clock from a
 * quarter of that to a half; on another a step of all. */
static void
test_steps (void)
{
  static const WeirLogStep steps[] = {
    { .first = 0, .end = 32, .end_at = 400, .begin_at = 100, .done_at = 200, .node = 1 },
    { .first = 0, .end = 64, .end_at = 800, .begin_at = 200, .done_at = 600, .thread = 3 },
  };
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  double y = WEIR_TIMELINE_AXIS + 3.5 * WEIR_TIMELINE_LANE, plain;
  Log log;

  log_init (&log, 64);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  plain = weir_timeline_get_height (timeline);
  weir_timeline_set_steps (timeline, steps, G_N_ELEMENTS (steps));
  g_assert_cmpuint (weir_timeline_get_n_threads (timeline), ==, 2);
  g_assert_cmpfloat (weir_timeline_get_height (timeline), ==, plain + 2 * WEIR_TIMELINE_LANE);
  weir_timeline_fit (timeline);
  draw (timeline, 1000, 400);
  for (guint i = 0; i < 64; i++)
    {
      double x = weir_timeline_to_x (timeline, i + 0.5);

      g_assert_true (weir_timeline_hit_step (timeline, x, y)
                     == (i >= 8 && i < 16 ? &steps[0] : NULL));
      g_assert_true (weir_timeline_hit_step (timeline, x, y + WEIR_TIMELINE_LANE)
                     == (i >= 16 && i < 48 ? &steps[1] : NULL));
      g_assert_null (weir_timeline_hit_step (timeline, x, y - WEIR_TIMELINE_LANE));
      g_assert_null (weir_timeline_hit_step (timeline, x, y + 2 * WEIR_TIMELINE_LANE));
    }
  /* Those of another log are gone. */
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  g_assert_cmpuint (weir_timeline_get_n_threads (timeline), ==, 0);
  log_clear (&log);
}

/* However many there are, a lane takes a mark for each pixel at most. */
static void
test_many_steps (void)
{
  enum { N = 100000 };
  g_autofree WeirLogStep *steps = g_new0 (WeirLogStep, N);
  g_autoptr (WeirTimeline) timeline = weir_timeline_new ();
  gsize n_marks;
  Log log;

  for (guint i = 0; i < N; i++)
    steps[i] = (WeirLogStep) { .first = i,
                               .end = i + 1,
                               .first_at = 10 * i,
                               .begin_at = 10 * i + 2,
                               .done_at = 10 * i + 8,
                               .end_at = 10 * i + 10,
                               .thread = i % 2 };
  log_init (&log, N);
  weir_timeline_set_records (timeline, log.records, log.amounts, log.n, NULL, NULL);
  n_marks = draw (timeline, 800, 400);
  weir_timeline_set_steps (timeline, steps, N);
  g_assert_cmpuint (draw (timeline, 800, 400), <=, n_marks + 2 * 800);
  g_assert_cmpuint (weir_timeline_get_n_marks (timeline), >, n_marks + 800);
  weir_timeline_set_range (timeline, 50000, 50010);
  draw (timeline, 800, 400);
  g_assert_cmpuint (weir_timeline_get_n_marks (timeline), <=, 2 * 11 + 11);
  log_clear (&log);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/sums", test_sums);
  g_test_add_func ("/paint/timeline/marks", test_marks);
  g_test_add_func ("/paint/timeline/view", test_view);
  g_test_add_func ("/paint/timeline/boxes", test_boxes);
  g_test_add_func ("/paint/timeline/steps", test_steps);
  g_test_add_func ("/paint/timeline/many-steps", test_many_steps);
  return g_test_run ();
}
