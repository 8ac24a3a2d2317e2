/* The layout of states: leaves of 3, 6 and 4 states stand at 0, 3 and 9 of one vector, on whatever
 * level, and each sees its own part of the solver's trial vector in place: &view[i] == X + offset +
 * i. */
#include "models.h"

enum { N_LEAVES = 3, N_STATES = 13 };

static const guint sizes[N_LEAVES] = { 3, 6, 4 }, offsets[N_LEAVES] = { 0, 3, 9 };
static const double *views[N_LEAVES]; /* what the last right-hand side saw */

static WeirStatus
part_xcdot (const WeirCalc *c, double *xdot)
{
  const guint *leaf = weir_calc_data (c);
  const double *x = weir_calc_xc (c);

  views[*leaf] = x;
  for (guint i = 0; i < sizes[*leaf]; i++)
    xdot[i] = -(1 + (double) *leaf) * x[i] + i;
  return WEIR_OK;
}

static WeirSystem *
part_new (guint leaf)
{
  double initial[6] = { 1, 2, 3, 4, 5, 6 };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Part");

  weir_leaf_set_data (b, &leaf, sizeof leaf);
  /* Some of each kind: q, then v, then z. */
  weir_leaf_set_continuous_state (b, 1, 1, sizes[leaf] - 2, initial);
  weir_leaf_set_derivatives (b, part_xcdot, WEIR_DEPENDS (WEIR_XC));
  return weir_leaf_builder_build (b);
}

/* A on top; B and C in a diagram within a diagram. */
static WeirSystem *
nested_new (void)
{
  g_autoptr (WeirSystem) a = part_new (0);
  g_autoptr (WeirSystem) b = part_new (1);
  g_autoptr (WeirSystem) c = part_new (2);
  WeirDiagramBuilder *inner = weir_diagram_builder_new ();
  WeirDiagramBuilder *middle = weir_diagram_builder_new ();
  WeirDiagramBuilder *outer = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) deep = NULL;
  g_autoptr (WeirSystem) less_deep = NULL;

  weir_diagram_builder_add (inner, "b", b);
  weir_diagram_builder_add (inner, "c", c);
  deep = weir_diagram_builder_build (inner, NULL);
  weir_diagram_builder_add (middle, "inner", deep);
  less_deep = weir_diagram_builder_build (middle, NULL);
  weir_diagram_builder_add (outer, "a", a);
  weir_diagram_builder_add (outer, "middle", less_deep);
  return weir_diagram_builder_build (outer, NULL);
}

static void
test_places (void)
{
  static const char *const paths[N_LEAVES] = { "a", "middle.inner.b", "middle.inner.c" };
  g_autoptr (WeirSystem) system = nested_new ();
  WeirLayout *layout = weir_system_get_layout (system);

  g_assert_cmpuint (weir_layout_get_n_states (layout), ==, N_STATES);
  g_assert_cmpuint (weir_layout_get_n_slices (layout), ==, N_LEAVES);
  for (guint i = 0; i < N_LEAVES; i++)
    {
      WeirStateSlice slice = weir_layout_get_slice (layout, i);
      g_autofree char *path = weir_layout_dup_path (layout, slice.node);
      g_autofree char *name = g_strconcat (paths[i], ".v[0]", NULL);
      guint state;

      g_assert_cmpstr (path, ==, paths[i]);
      g_assert_cmpuint (slice.offset, ==, offsets[i]);
      g_assert_cmpuint (slice.nq + slice.nv + slice.nz, ==, sizes[i]);
      g_assert_true (weir_layout_find_state (layout, name, &state));
      g_assert_cmpuint (state, ==, offsets[i] + 1);
    }
}

static void
test_views (void)
{
  g_autoptr (WeirSystem) system = nested_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  double x[2][N_STATES], xdot[N_STATES];

  for (guint trial = 0; trial < 2; trial++)
    {
      for (guint i = 0; i < N_STATES; i++)
        x[trial][i] = 10 * trial + i;
      memset (views, 0, sizeof views);
      g_assert_cmpint (weir_eval_rhs (system, context, 0.5 * trial, x[trial], xdot), ==, WEIR_OK);
      for (guint leaf = 0; leaf < N_LEAVES; leaf++)
        {
          g_assert_true (views[leaf] == x[trial] + offsets[leaf]);
          for (guint i = 0; i < sizes[leaf]; i++)
            {
              g_assert_true (&views[leaf][i] == x[trial] + offsets[leaf] + i);
              g_assert_cmpfloat (xdot[offsets[leaf] + i], ==,
                                 -(1 + (double) leaf) * x[trial][offsets[leaf] + i] + i);
            }
        }
    }
  /* The accepted state is where it was. */
  g_assert_cmpfloat (weir_context_get_state (context)[4], ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/state-vector/places", test_places);
  g_test_add_func ("/sim/state-vector/views", test_views);
  return g_test_run ();
}
