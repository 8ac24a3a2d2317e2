/* Guesses of algebraic loops: which solution is found, where the loop is cut, what a failure tells,
 * and that a guess is an initial value like any other. */
#include "loop-blocks.h"

/* y = u, with a guess of y. */
static WeirStatus
guess_calc (const WeirCalc *c, double *y)
{
  WeirInput u = { 0 };

  memcpy (y, weir_calc_input (c, u), weir_calc_input_size (c, u) * sizeof *y);
  return WEIR_OK;
}

static WeirSystem *
guess_new (const double *value, guint size)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Guess");
  WeirInput u = weir_leaf_add_input (b, "u", size);
  WeirOutput y = weir_leaf_add_output (b, "y", size, guess_calc,
                                       WEIR_DEPENDS (weir_input_ticket (b, u)));

  weir_leaf_set_output_guess (b, y, value);
  return weir_leaf_builder_build (b);
}

static const double *
eval_guess (WeirSystem *root, WeirContext *context)
{
  const double *y = eval (root, context, "guess");

  if (y == NULL)
    g_test_message ("%s", weir_context_get_failure (context));
  return y;
}

/* f in a loop with a guess, which stands in a subsystem of its own if @is_nested. */
static WeirSystem *
guessed_loop_new (WeirSystem *f, const char *in, double value, gboolean is_nested)
{
  WeirDiagramBuilder *b = solving_builder_new ();

  add (b, "f", f);
  if (is_nested)
    {
      WeirDiagramBuilder *inner = solving_builder_new ();
      WeirInput u = weir_diagram_builder_add_input (inner, "u", 1);

      add (inner, "inner", guess_new (&value, 1));
      weir_diagram_builder_connect_input (inner, u, (WeirChild) { 0 }, (WeirInput) { 0 });
      weir_diagram_builder_add_output (inner, "y", (WeirChild) { 0 }, (WeirOutput) { 0 });
      add (b, "guess", build (inner));
    }
  else
    add (b, "guess", guess_new (&value, 1));
  connect (b, "f", "guess", "u");
  connect (b, "guess", "f", in);
  return build (b);
}

/* --- Which solution is found ----------------------------------------------------------------- */

/* y = y/2 + 1/y has the solutions +-sqrt 2; y = y^2 - 2, 2 and -1. Newton's method converges to the
 * one on the side of the pole, or of the minimum, where it begins. */
static void
test_solutions (void)
{
  const struct {
    WeirSystem *(*block) (void);
    double guess, expected;
  } cases[] = {
    { half_inverse_new, 3, G_SQRT2 },   { half_inverse_new, -3, -G_SQRT2 },
    { half_inverse_new, 0.1, G_SQRT2 }, { half_inverse_new, -0.1, -G_SQRT2 },
    { square_minus_two_new, 0.6, 2 },   { square_minus_two_new, 30, 2 },
    { square_minus_two_new, 0.4, -1 },  { square_minus_two_new, -7, -1 },
  };

  for (guint nested = 0; nested < 2; nested++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (WeirSystem)
            root = guessed_loop_new (cases[i].block (), "u", cases[i].guess, nested);
        g_autoptr (WeirContext) context = weir_system_create_context (root);
        const double *y = eval (root, context, "f");

        g_assert_nonnull (y);
        g_assert_cmpfloat_with_epsilon (*y, cases[i].expected, 1e-14 * 2);
      }
}

/* The loop is cut at the guess, however its blocks were added, and nowhere else. */
static void
test_cut (void)
{
  static const char *const orders[][3] = {
    { "f", "g", "guess" }, { "guess", "f", "g" }, { "g", "guess", "f" }, { "guess", "g", "f" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      WeirDiagramBuilder *b = solving_builder_new ();
      g_autoptr (WeirSystem) root = NULL;
      g_autoptr (WeirContext) context = NULL;
      double start;

      for (guint k = 0; k < 3; k++)
        add (b, orders[i][k],
             g_str_equal (orders[i][k], "f")   ? square_minus_two_new ()
             : g_str_equal (orders[i][k], "g") ? mix_new ((double[]) { 0, 1 }, 1)
                                               : guess_new ((double[]) { -5 }, 1));
      connect (b, "f", "g", "u0");
      connect (b, "g", "guess", "u");
      connect (b, "guess", "f", "u");
      root = build (b);
      context = weir_system_create_context (root);
      g_assert_cmpuint (weir_layout_get_n_loop_unknowns (weir_system_get_layout (root)), ==, 1);
      weir_context_get_loop_starts (context, &start);
      g_assert_cmpfloat (start, ==, -5);
      g_assert_cmpfloat_with_epsilon (*eval (root, context, "f"), -1, 1e-14);
    }
}

/* Two loops through one block, y = 0.5 + a/4 + b/4 with a = y^2 and b = y, so y^2/4 - 3/4 y + 1/2 =
 * 0: 1 or 2.
 * @n: of the two loops are cut by a guess; the other is cut as ever. */
static void
test_several (void)
{
  const struct {
    guint n;
    double guess, expected;
  } cases[] = { { 0, 0, 1 }, { 1, 0.9, 1 }, { 2, 0.9, 1 }, { 2, 2.5, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirDiagramBuilder *b = solving_builder_new ();
      g_autoptr (WeirSystem) root = NULL;
      g_autoptr (WeirContext) context = NULL;

      add (b, "y", mix_new ((double[]) { 0.5, 0.25, 0.25 }, 2));
      add (b, "square", square_new ());
      add (b, "same", mix_new ((double[]) { 0, 1 }, 1));
      for (guint k = 0; k < 2; k++)
        {
          const char *guess = k == 0 ? "guess0" : "guess1", *to = k == 0 ? "square" : "same";

          if (k < cases[i].n)
            {
              add (b, guess, guess_new (&cases[i].guess, 1));
              connect (b, "y", guess, "u");
              connect (b, guess, to, k == 0 ? "u" : "u0");
            }
          else
            connect (b, "y", to, k == 0 ? "u" : "u0");
          connect (b, to, "y", k == 0 ? "u0" : "u1");
        }
      root = build (b);
      context = weir_system_create_context (root);
      g_assert_cmpuint (weir_layout_get_n_loops (weir_system_get_layout (root)), ==, 1);
      g_assert_cmpfloat_with_epsilon (*eval (root, context, "y"), cases[i].expected, 1e-13);
    }
}

/* Elements of a vector have guesses of their own: +sqrt 2 and -sqrt 2. */
static WeirStatus
half_inverses_calc (const WeirCalc *c, double *y)
{
  const double *u = weir_calc_input (c, (WeirInput) { 0 });

  for (guint i = 0; i < 2; i++)
    y[i] = 0.5 * u[i] + 1 / u[i];
  return WEIR_OK;
}

static void
test_vector (void)
{
  WeirLeafBuilder *leaf = weir_leaf_builder_new ("HalfInverses");
  WeirDiagramBuilder *b = solving_builder_new ();
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirInput u = weir_leaf_add_input (leaf, "u", 2);
  const double *y;

  weir_leaf_add_output (leaf, "y", 2, half_inverses_calc,
                        WEIR_DEPENDS (weir_input_ticket (leaf, u)));
  add (b, "f", weir_leaf_builder_build (leaf));
  add (b, "guess", guess_new ((double[]) { 2, -1 }, 2));
  connect (b, "f", "guess", "u");
  connect (b, "guess", "f", "u");
  root = build (b);
  context = weir_system_create_context (root);
  y = eval_guess (root, context);
  g_assert_nonnull (y);
  g_assert_cmpfloat_with_epsilon (y[0], G_SQRT2, 1e-14);
  g_assert_cmpfloat_with_epsilon (y[1], -G_SQRT2, 1e-14);
}

/* --- An initial value ------------------------------------------------------------------------ */

/* A system whose guess differs fits the same contexts, which keep the start that they have. */
static void
test_is_initial_value (void)
{
  g_autoptr (WeirSystem) positive = guessed_loop_new (half_inverse_new (), "u", 2, FALSE);
  g_autoptr (WeirSystem) negative = guessed_loop_new (half_inverse_new (), "u", -2, FALSE);
  g_autoptr (WeirContext) context = weir_system_create_context (positive);
  WeirNode node;

  g_assert_cmpfloat_with_epsilon (*eval (positive, context, "f"), G_SQRT2, 1e-14);
  g_assert_cmpfloat_with_epsilon (*eval (negative, context, "f"), G_SQRT2, 1e-14);
  g_assert_true (weir_layout_find_node (weir_system_get_layout (positive), "loop1", &node));
  weir_context_set_discrete (context, node, (WeirGroup) { 0 }, (double[]) { -2 });
  g_assert_cmpfloat_with_epsilon (*eval (negative, context, "f"), -G_SQRT2, 1e-14);
}

/* --- Failures -------------------------------------------------------------------------------- */

/* A guess says which solution is meant: no other place is tried, and the message names the loop's
 * blocks, the residual and the value where the search ended. y = y^2 + 1 comes nearest to its input
 * where both slopes agree, at y = 1/2 with the residual 3/4. */
static void
test_failure (void)
{
  g_autoptr (WeirSystem) root = guessed_loop_new (square_plus_one_new (), "u", 0.7, FALSE);
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  const char *text;

  g_assert_null (eval (root, context, "f"));
  text = weir_context_get_failure (context);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "f.u -> f.y -> guess.u -> guess.y -> f.u"));
  g_assert_nonnull (strstr (text, "did not converge at t = 0 s: residual 0.75 at guess.y = 0.5"));
  g_assert_nonnull (strstr (text, "Guess block"));
  g_assert_nonnull (strstr (text, "at t = 0"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/guesses/solutions", test_solutions);
  g_test_add_func ("/system/guesses/cut", test_cut);
  g_test_add_func ("/system/guesses/several", test_several);
  g_test_add_func ("/system/guesses/vector", test_vector);
  g_test_add_func ("/system/guesses/is-initial-value", test_is_initial_value);
  g_test_add_func ("/system/guesses/failure", test_failure);
  return g_test_run ();
}
