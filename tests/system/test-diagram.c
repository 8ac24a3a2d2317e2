/* Composing diagrams: algebraic loops are found whatever the order of the children, and
 * only they. */
#include <string.h>

#include "blocks.h"

static const char *const names[] = { "a", "b", "c", "d" };

/* Gains a, b, c, d, or an Integrator where @integrator names it, added in the order of @order and
 * wired in a ring a -> b -> c -> d -> a. */
static WeirSystem *
ring_new (const guint *order, guint integrator, GError **error)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (WeirSystem) block = order[i] == integrator ? test_integrator_new (0)
                                                            : test_gain_new (2);

      weir_diagram_builder_add (b, names[order[i]], block);
    }
  for (guint i = 0; i < 4; i++)
    weir_diagram_builder_connect_by_name (b, names[i], "y", names[(i + 1) % 4], "u");
  return weir_diagram_builder_build (b, error);
}

static const guint orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 2, 0, 3, 1 } };

static void
test_loop (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ring_new (orders[i], G_MAXUINT, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
      for (guint k = 0; k < 4; k++)
        {
          g_autofree char *step = g_strdup_printf ("%s.u -> %s.y -> %s.u", names[k], names[k],
                                                   names[(k + 1) % 4]);

          g_assert_nonnull (strstr (error->message, step));
        }
    }
}

static void
test_feedback_through_state (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint integrator = 0; integrator < 4; integrator++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirSystem) ring = ring_new (orders[i], integrator, &error);
        g_autoptr (WeirContext) context = NULL;
        double x = 3, xdot;

        g_assert_no_error (error);
        context = weir_system_create_context (ring);
        g_assert_cmpint (weir_eval_rhs (ring, context, 0, &x, &xdot), ==, WEIR_OK);
        g_assert_cmpfloat (xdot, ==, 24); /* three gains of 2 */
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/diagram/loop", test_loop);
  g_test_add_func ("/system/diagram/feedback-through-state", test_feedback_through_state);
  return g_test_run ();
}
