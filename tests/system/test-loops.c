/* Algebraic loops: their solutions against closed forms, and that a solution is an entry like any
 * other: the same bits however it is computed, out of date when and only when what it depends on
 * changes. */
#include "loop-blocks.h"
#include "system/change/walk.h"
#include "system/context/inspection.h"

/* --- Solutions ------------------------------------------------------------------------------- */

static void
test_solutions (void)
{
  struct {
    WeirSystem *block;
    const char *in;
    double expected;
  } cases[] = {
    { mix_new ((double[]) { 5, 2 }, 1), "u0", -5 },  /* y = 2 y + 5; iterating y diverges */
    { cosine_new (), "u", 0.7390851332151607 },      /* Dottie's number */
    { half_inverse_new (), "u", G_SQRT2 },           /* no value at the start 0 */
    { branch_new (), "u", 4.0 / 3 },                 /* -2/3 is a solution too */
    { mix_new ((double[]) { 0, 0.5 }, 1), "u0", 0 }, /* zero is a size like any other */
    { mix_new ((double[]) { 3e12, -2 }, 1), "u0", 1e12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirSystem) root = self_loop_new (cases[i].block, cases[i].in);
      g_autoptr (WeirContext) context = weir_system_create_context (root);
      const double *y = eval (root, context, "f");

      g_test_message ("%u: %s", i, y == NULL ? weir_context_get_failure (context) : "solved");
      g_assert_nonnull (y);
      g_assert_cmpfloat_with_epsilon (*y, cases[i].expected,
                                      1e-14 * MAX (1, fabs (cases[i].expected)));
      g_assert_null (weir_context_get_failure (context));
    }
}

static void
test_failures (void)
{
  struct {
    WeirSystem *block;
    const char *in, *expected;
  } cases[] = {
    { mix_new ((double[]) { 1, 1 }, 1), "u0", "does not determine its signals" }, /* y = y + 1 */
    { mix_new ((double[]) { 0, 1 }, 1), "u0", "does not determine its signals" }, /* y = y */
    { square_plus_one_new (), "u",
      "did not converge at t = 0 s: residual" }, /* y = y^2 + 1: none is real */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirSystem) root = self_loop_new (cases[i].block, cases[i].in);
      g_autoptr (WeirContext) context = weir_system_create_context (root);

      g_assert_null (eval (root, context, "f"));
      g_test_message ("%s", weir_context_get_failure (context));
      g_assert_nonnull (strstr (weir_context_get_failure (context), cases[i].expected));
      g_assert_nonnull (strstr (weir_context_get_failure (context), "f.u"));
      g_assert_nonnull (strstr (weir_context_get_failure (context), "at t = 0"));
      /* The leaf that stands for it has a name that nobody gave. */
      g_assert_null (strstr (weir_context_get_failure (context), "loop1"));
    }
}

static void
test_refused (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;

  add (b, "f", cosine_new ());
  connect (b, "f", "f", "u");
  g_assert_null (weir_diagram_builder_build (b, &error));
  g_assert_nonnull (strstr (error->message, "Algebraic loop: f.u -> f.y -> f.u"));
}

/* a = 1 + 0.5 b + 0.25 c, b = 2 - a + 0.5 c, c = 3 + 0.125 a: two wires close its loops. */
static WeirSystem *
coupled_new (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();

  add (b, "a", mix_new ((double[]) { 1, 0.5, 0.25 }, 2));
  add (b, "b", mix_new ((double[]) { 2, -1, 0.5 }, 2));
  add (b, "c", mix_new ((double[]) { 3, 0.125 }, 1));
  connect (b, "b", "a", "u0");
  connect (b, "c", "a", "u1");
  connect (b, "a", "b", "u0");
  connect (b, "c", "b", "u1");
  connect (b, "a", "c", "u0");
  return build (b);
}

static void
test_coupled (void)
{
  g_autoptr (WeirSystem) root = coupled_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  /* a (1 + 0.5 - 0.0625) = 1 + 1 + 1.5, by elimination of b and c. */
  double a = 3.5 / 1.4375, c = 3 + a / 8, b = 2 - a + c / 2;

  g_assert_cmpuint (weir_layout_get_n_loops (weir_system_get_layout (root)), ==, 1);
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "a"), a, 1e-14);
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "b"), b, 1e-14);
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "c"), c, 1e-14);
}

/* Two loops; the second is driven by the first. */
static void
test_apart (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirLayout *layout;
  WeirEntry first;
  WeirNode node;
  double y;

  add (b, "f", mix_new ((double[]) { 1, 0.5 }, 1));     /* f = 1 + f / 2 = 2 */
  add (b, "g", mix_new ((double[]) { 1, 0.5, -1 }, 2)); /* g = 1 + f / 2 - g = 1 */
  connect (b, "f", "f", "u0");
  connect (b, "f", "g", "u0");
  connect (b, "g", "g", "u1");
  root = build (b);
  context = weir_system_create_context (root);
  layout = weir_system_get_layout (root);
  g_assert_cmpuint (weir_layout_get_n_loops (layout), ==, 2);
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "f"), 2, 1e-14);
  y = *eval (root, context, "g");
  g_assert_cmpfloat_with_epsilon (y, 1, 1e-14);

  /* A parameter of the second leaves the first alone, and brings the second out of date. */
  g_assert_true (weir_layout_find_node (layout, "g", &node));
  weir_context_set_parameter (context, node, (WeirParameter) { 0 }, (double[]) { 4, 0.5, -1 });
  g_assert_true (weir_layout_find_node (layout, "f", &node));
  g_assert_true (weir_layout_find_output_entry (layout, node, (WeirOutput) { 0 }, &first));
  g_assert_true (weir_context_is_up_to_date (context, first));
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "g"), 2.5, 1e-14);
  weir_context_set_parameter (context, node, (WeirParameter) { 0 }, (double[]) { 3, 0.5 });
  g_assert_false (weir_context_is_up_to_date (context, first));
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "g"), 3.5, 1e-14);
}

static void
test_long (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;

  add (b, "start", mix_new ((double[]) { 1, 1 }, 1));
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *name = g_strdup_printf ("gain%u", i);
      g_autofree char *before = i == 0 ? g_strdup ("start") : g_strdup_printf ("gain%u", i - 1);

      add (b, name, test_gain_new (0.999));
      connect (b, before, name, "u");
    }
  connect (b, "gain999", "start", "u0");
  root = build (b);
  context = weir_system_create_context (root);
  g_assert_cmpfloat_with_epsilon (*eval (root, context, "start"), 1 / (1 - pow (0.999, 1000)),
                                  1e-13);
}

/* A loop inside a subsystem, within a loop around it: y = 1 + s (y) / 4, s (u) = u + s / 2, so s =
 * 2 u and y = 2. @flat: the same without the subsystem. */
static WeirSystem *
nest_new (gboolean flat)
{
  WeirDiagramBuilder *b = solving_builder_new ();

  if (!flat)
    {
      WeirDiagramBuilder *inner = solving_builder_new ();
      WeirInput u = weir_diagram_builder_add_input (inner, "u", 1);

      add (inner, "s", mix_new ((double[]) { 0, 1, 0.5 }, 2));
      weir_diagram_builder_connect_input (inner, u, (WeirChild) { 0 }, (WeirInput) { 0 });
      connect (inner, "s", "s", "u1");
      weir_diagram_builder_add_output (inner, "y", (WeirChild) { 0 }, (WeirOutput) { 0 });
      add (b, "sub", build (inner));
      add (b, "f", mix_new ((double[]) { 1, 0.25 }, 1));
      connect (b, "sub", "f", "u0");
      connect (b, "f", "sub", "u");
      return build (b);
    }
  add (b, "s", mix_new ((double[]) { 0, 1, 0.5 }, 2));
  add (b, "f", mix_new ((double[]) { 1, 0.25 }, 1));
  connect (b, "s", "s", "u1");
  connect (b, "s", "f", "u0");
  connect (b, "f", "s", "u0");
  return build (b);
}

static void
test_nested (void)
{
  for (guint flat = 0; flat < 2; flat++)
    {
      g_autoptr (WeirSystem) root = nest_new (flat);
      g_autoptr (WeirContext) context = weir_system_create_context (root);

      g_assert_cmpuint (weir_layout_get_n_loops (weir_system_get_layout (root)), ==, flat ? 1 : 2);
      g_assert_cmpfloat_with_epsilon (*eval (root, context, "f"), 2, 1e-13);
      g_assert_cmpfloat_with_epsilon (*eval (root, context, flat ? "s" : "sub.s"), 4, 1e-13);
    }
}

/* --- An entry like any other ----------------------------------------------------------------- */

/* x' = w / 2, w = cos (w / 2 + x): a state drives a loop which drives the state. Beside them
 * another that knows nothing of it. */
static WeirSystem *
driven_new (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();

  add (b, "sum", test_add_new ());
  add (b, "f", cosine_new ());
  add (b, "half", test_gain_new (0.5));
  add (b, "x", integrator_new (0.3));
  add (b, "apart", integrator_new (2));
  add (b, "drain", test_gain_new (-1));
  connect (b, "half", "sum", "u0");
  connect (b, "x", "sum", "u1");
  connect (b, "sum", "f", "u");
  connect (b, "f", "half", "u");
  connect (b, "half", "x", "u");
  connect (b, "apart", "drain", "u");
  connect (b, "drain", "apart", "u");
  return build (b);
}

static void
assert_same_flags (WeirContext *a, WeirContext *b, const WeirLayout *layout)
{
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      WeirEntry entry = { e };

      g_assert_cmpint (weir_context_is_up_to_date (a, entry), ==,
                       weir_context_is_up_to_date (b, entry));
    }
}

/* Plan, pull, uncached and disabled give the same bits at many states; plan and pull the same
 * flags. */
static void
test_same_bits (void)
{
  g_autoptr (WeirSystem) root = driven_new ();
  WeirLayout *layout = weir_system_get_layout (root);
  WeirContext *contexts[5];

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    contexts[i] = weir_system_create_context (root);
  weir_context_set_pull_only (contexts[1], TRUE);
  weir_context_set_caching (contexts[2], FALSE);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    weir_context_set_entry_caching (contexts[3], (WeirEntry) { e }, e % 2 == 0);
  weir_context_set_node_caching (contexts[4], WEIR_ROOT, FALSE);

  for (guint k = 0; k < 200; k++)
    {
      double x[] = { sin (k), cos (k) }, xdot[5][2], w;

      for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
        {
          g_assert_cmpint (weir_eval_rhs (root, contexts[i], k * 0.1, x, xdot[i]), ==, WEIR_OK);
          g_assert_cmpmem (xdot[i], sizeof xdot[i], xdot[0], sizeof xdot[0]);
        }
      w = 2 * xdot[0][0];
      g_assert_cmpfloat_with_epsilon (w, cos (w / 2 + x[0]), 1e-14);
      g_assert_cmpfloat (xdot[0][1], ==, -x[1]);
      assert_same_flags (contexts[0], contexts[1], layout);
      if (k % 10 != 0)
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
        {
          weir_context_set_state (contexts[i], x);
          g_assert_cmpint (weir_context_move_starts (root, contexts[i]), ==, WEIR_OK);
          g_assert_cmpmem (weir_eval_derivatives (root, contexts[i]), sizeof x,
                           weir_eval_derivatives (root, contexts[0]), sizeof x);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    weir_context_free (contexts[i]);
}

/* Computing a solution beside the cache leaves all values and flags as they were. */
static void
test_beside (void)
{
  g_autoptr (WeirSystem) root = driven_new ();
  WeirLayout *layout = weir_system_get_layout (root);
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  WeirEntry solution = { WEIR_NO_INDEX };
  g_autofree double *before = NULL;
  g_autofree gboolean *was_up_to_date = NULL;
  double x;

  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    if (strcmp (weir_layout_get_entry (layout, (WeirEntry) { e }).name, "solution") == 0)
      solution.i = e;
  g_assert_nonnull (weir_eval_derivatives (root, context));
  before = g_new (double, weir_layout_get_n_entries (layout));
  was_up_to_date = g_new (gboolean, weir_layout_get_n_entries (layout));
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      before[e] = *weir_context_peek (context, (WeirEntry) { e });
      was_up_to_date[e] = weir_context_is_up_to_date (context, (WeirEntry) { e });
    }
  g_assert_true (was_up_to_date[solution.i]);
  g_assert_cmpint (weir_calc_entry (root, context, solution, &x), ==, WEIR_OK);
  g_assert_cmpfloat (x, ==, before[solution.i]);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      g_assert_cmpfloat (before[e], ==, *weir_context_peek (context, (WeirEntry) { e }));
      g_assert_cmpint (was_up_to_date[e], ==,
                       weir_context_is_up_to_date (context, (WeirEntry) { e }));
    }
}

/* Each source marks the same by mask and by the classic walk, and the solution among them where it
 * depends on the source. */
static void
test_walk (void)
{
  WeirSystem *systems[] = { driven_new (), coupled_new (), nest_new (FALSE) };

  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      g_autoptr (WeirSystem) root = systems[i];
      WeirLayout *layout = weir_system_get_layout (root);
      g_autoptr (WeirWalk) walk = weir_walk_new (layout);

      for (guint32 s = 0; s < layout->n_sources; s++)
        {
          g_autofree guint64 *mask = g_new0 (guint64, layout->n_words);
          g_autofree guint64 *walked = g_new0 (guint64, layout->n_words);
          g_autofree guint64 *scratch = g_new0 (guint64, layout->n_words);
          g_autoptr (GArray) changed = weir_walk_list_changed (walk, (WeirSource) { s });

          weir_masks_mark (layout->masks, s, mask, scratch);
          weir_walk_notify (walk, (const guint32 *) (gpointer) changed->data, changed->len, walked);
          g_assert_cmpmem (mask, layout->n_words * 8, walked, layout->n_words * 8);
        }
    }
}

/* y = 1 + y / 2 + x / 4, x' = y, with the loop open at z: y = 1 + z / 2 + x / 4 comes back. Each
 * call sees its own time, state and z, and leaves nothing behind that was computed from them. */
static void
test_open (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();
  static const double tries[][2] = { { 8, 2 }, { 4, 2 }, { 4, 6 }, { 4, 6 } }; /* x, z */
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;
  double start = 0;

  add (b, "f", mix_new ((double[]) { 1, 0.5, 0.25 }, 2));
  add (b, "x", integrator_new (0));
  connect (b, "f", "f", "u0");
  connect (b, "x", "f", "u1");
  connect (b, "f", "x", "u");
  root = build (b);
  context = weir_system_create_context (root);
  g_assert_cmpuint (weir_layout_get_n_loop_unknowns (weir_system_get_layout (root)), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      double x = tries[i][0], z = tries[i][1], y = 1 + z / 2 + x / 4, xdot, r;

      g_assert_cmpint (weir_eval_open_loops (root, context, i, &x, &z, &xdot, &r), ==, WEIR_OK);
      g_assert_cmpfloat (xdot, ==, y);
      g_assert_cmpfloat (r, ==, y - z);
      g_assert_cmpfloat_with_epsilon (*eval (root, context, "f"), 2 + start / 2, 1e-14);
      g_assert_cmpfloat_with_epsilon (*weir_eval_derivatives (root, context), 2 + start / 2, 1e-14);
      start = i + 1;
      weir_context_set_state (context, &start);
    }
}

/* y = y^2 - 2, which nothing but z changes, and s = x^2, which nothing but x changes; x' = y and
 * w' = s. Functions of their input alone, unlike the mixes above. */
static void
test_open_apart (void)
{
  WeirDiagramBuilder *b = solving_builder_new ();
  static const double tries[][2] = { { 3, 2 }, { 3, 5 }, { 4, 5 }, { 4, -1 } }; /* x, z */
  g_autoptr (WeirSystem) root = NULL;
  g_autoptr (WeirContext) context = NULL;

  add (b, "x", integrator_new (0));
  add (b, "w", integrator_new (0));
  add (b, "f", square_minus_two_new ());
  add (b, "s", square_new ());
  connect (b, "f", "f", "u");
  connect (b, "f", "x", "u");
  connect (b, "x", "s", "u");
  connect (b, "s", "w", "u");
  root = build (b);
  context = weir_system_create_context (root);
  for (guint i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      double x[] = { tries[i][0], 0 }, z = tries[i][1], xdot[2], r;

      g_assert_cmpint (weir_eval_open_loops (root, context, 0, x, &z, xdot, &r), ==, WEIR_OK);
      g_assert_cmpfloat (xdot[0], ==, z * z - 2);
      g_assert_cmpfloat (r, ==, z * z - 2 - z);
      g_assert_cmpfloat (xdot[1], ==, x[0] * x[0]);
    }
  g_assert_cmpfloat (*eval (root, context, "s"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/loops/solutions", test_solutions);
  g_test_add_func ("/system/loops/failures", test_failures);
  g_test_add_func ("/system/loops/refused", test_refused);
  g_test_add_func ("/system/loops/coupled", test_coupled);
  g_test_add_func ("/system/loops/apart", test_apart);
  g_test_add_func ("/system/loops/long", test_long);
  g_test_add_func ("/system/loops/nested", test_nested);
  g_test_add_func ("/system/loops/same-bits", test_same_bits);
  g_test_add_func ("/system/loops/beside", test_beside);
  g_test_add_func ("/system/loops/walk", test_walk);
  g_test_add_func ("/system/loops/open", test_open);
  g_test_add_func ("/system/loops/open-apart", test_open_apart);
  return g_test_run ();
}
