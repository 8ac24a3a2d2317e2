/* One recorded signal over another: what is taken in, which point is marked, and drawing in
 * whatever room. */
#include "../blocks/run-fixture.h"
#include "paint/plots/xy-plot.h"
#include "sim/recorder.h"

/* (t, 2 t) at t = 0, 1, 2, 3. */
static void
test_xy (void)
{
  Run run = { NULL };
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (WeirXyPlot) plot = NULL;
  g_autoptr (GError) error = NULL;
  double ranges[4], x, y;

  add (&run, "A", "Clock", PAIRS (NULL));
  add (&run, "B", "Ramp", PAIRS ("slope", "2"));
  start (&run, NULL);
  recorder = weir_recorder_new (run.system, (const char *const[]) { "A.y", "B.y", NULL }, FALSE,
                                &error);
  g_assert_no_error (error);
  plot = weir_xy_plot_new (recorder);
  weir_xy_plot_set_y (plot, 1, "B");
  g_assert_false (weir_xy_plot_get_ranges (plot, ranges));
  weir_xy_plot_set_x (plot, 0, "A");
  for (int i = 0; i <= 3; i++)
    {
      weir_context_set_time (run.context, i);
      g_assert_cmpint (weir_recorder_record (recorder, run.context, WEIR_PHASE_STEP), ==, WEIR_OK);
    }
  g_assert_true (weir_xy_plot_update (plot));
  g_assert_false (weir_xy_plot_update (plot));
  g_assert_true (weir_xy_plot_get_ranges (plot, ranges));
  g_assert_cmpfloat (ranges[0], ==, 0);
  g_assert_cmpfloat (ranges[1], ==, 3);
  g_assert_cmpfloat (ranges[2], ==, 0);
  g_assert_cmpfloat (ranges[3], ==, 6);
  g_assert_true (weir_xy_plot_get_marked (plot, &x, &y));
  g_assert_cmpfloat (x, ==, 3);
  weir_xy_plot_set_cursor (plot, 1.5);
  g_assert_true (weir_xy_plot_get_marked (plot, &x, &y));
  g_assert_cmpfloat (x, ==, 1);
  g_assert_cmpfloat (y, ==, 2);
  for (int size = 1; size < 300; size += 99) /* however little room there is */
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, size, size);
      cairo_t *cr = cairo_create (surface);

      weir_xy_plot_draw (plot, cr, size, size, weir_palette_get (WEIR_PALETTE_LIGHT));
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/xy/plot", test_xy);
  return g_test_run ();
}
