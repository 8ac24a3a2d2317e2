/* The grid of boxes against looking at every box: what touches an area is found, and once. */
#include "../seeds.h"
#include "paint/ground/grid.h"

static WeirRect
random_box (GRand *rand, double far, double large)
{
  return (WeirRect) { g_rand_double_range (rand, -far, far), g_rand_double_range (rand, -far, far),
                      g_rand_double_range (rand, 0, large), g_rand_double_range (rand, 0, large) };
}

/* A tenth of the boxes is far larger than the others. */
static void
test_random (gconstpointer seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (GPOINTER_TO_UINT (seed)));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  WeirRect boxes[200], before[200];
  WeirPoint squares = { 0, 0 };
  WeirGrid *grid;

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    {
      boxes[i] = before[i] = random_box (rand, 1000, i % 10 == 0 ? 2000 : 50);
      squares.x += boxes[i].width * boxes[i].width;
      squares.y += boxes[i].height * boxes[i].height;
    }
  grid = weir_grid_new (G_N_ELEMENTS (boxes), squares, (WeirPoint) { 16, 16 });
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    weir_grid_put (grid, i, boxes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i += 3) /* some move, some back again */
    {
      boxes[i] = random_box (rand, 1000, 50);
      weir_grid_put (grid, i, boxes[i]);
      if (i % 2 == 0)
        weir_grid_put (grid, i, boxes[i] = before[i]);
    }
  for (guint round = 0; round < 300; round++)
    {
      WeirRect area = random_box (rand, 1200, round % 2 == 0 ? 60 : 3000);
      guint n_times[200] = { 0 };

      weir_grid_find (grid, area, found);
      for (guint i = 0; i < found->len; i++)
        n_times[g_array_index (found, guint, i)]++;
      for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
        {
          g_assert_cmpuint (n_times[i], <=, 1);
          if (weir_rect_intersects (boxes[i], area))
            g_assert_cmpuint (n_times[i], ==, 1);
        }
    }
  weir_grid_free (grid);
}

static void
test_far (void)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (WeirGrid) grid = weir_grid_new (2, (WeirPoint) { 1e300, 0 }, (WeirPoint) { 16, 16 });

  weir_grid_put (grid, 0, (WeirRect) { -1e150, 0, 2e150, 10 });
  weir_grid_put (grid, 1, (WeirRect) { 1e18, 1e18, 10, 10 });
  weir_grid_find (grid, (WeirRect) { 1e18, 1e18, 1, 1 }, found);
  g_assert_cmpuint (found->len, >=, 1);
  weir_grid_find (grid, (WeirRect) { 100, 1, 1, 1 }, found);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpuint (g_array_index (found, guint, 0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/grid/random/0", GUINT_TO_POINTER (1), test_random);
  g_test_add_data_func ("/paint/grid/random/1", GUINT_TO_POINTER (2), test_random);
  g_test_add_func ("/paint/grid/far", test_far);
  return g_test_run ();
}
