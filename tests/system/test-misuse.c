/* Mistakes of those who write leaves or call the engine: what handles do not guarantee, reads of
 * inputs without a value, calculations that ask for themselves. None is silent, none crashes.
 * Expected texts and values follow from the declarations right here.
 */
#include "blocks.h"

#include "../shout.h"

#include "system/context/inspection.h"
#include "system/evaluation/event.h"
#include "system/observation/observe.h"

#define assert_contains(text, part)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const char *contains_text = (text);                                                            \
    if (contains_text == NULL || strstr (contains_text, (part)) == NULL)                           \
      g_error ("\"%s\" has no \"%s\"", contains_text, (part));                                     \
  }                                                                                                \
  G_STMT_END

#define expect_refused(...)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*assertion*failed*");              \
    __VA_ARGS__;                                                                                   \
    g_test_assert_expected_messages ();                                                            \
  }                                                                                                \
  G_STMT_END

static const WeirInput U = { 0 };
static const WeirOutput Y = { 0 };
static const WeirParameter K = { 0 };
static const WeirGroup G = { 0 }, A = { 1 };

/* --- Values of another kind ------------------------------------------------------------------ */

static WeirStatus
calc_large (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1e300;
  return WEIR_OK;
}

static WeirStatus
calc_text (G_GNUC_UNUSED const WeirCalc *c, GVariant **y)
{
  *y = g_variant_new_string ("text");
  return WEIR_OK;
}

static void
test_wrong_kind (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Kinds");
  WeirOutput number = weir_leaf_add_output (b, "number", 1, calc_large,
                                            WEIR_DEPENDS (WEIR_NOTHING));
  WeirOutput text = weir_leaf_add_abstract_output (b, "text", G_VARIANT_TYPE_STRING, calc_text,
                                                   WEIR_DEPENDS (WEIR_NOTHING));
  g_autoptr (WeirSystem) system = weir_leaf_builder_build (b);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  GVariant *variant = NULL;
  double value = 7;

  g_assert_null (weir_eval_output (system, context, WEIR_ROOT, text));
  g_assert_cmpstr (weir_context_get_failure (context), ==,
                   "output \"text\" of the root holds an abstract value, but numbers are asked "
                   "for");
  g_assert_null (weir_eval_abstract_output (system, context, WEIR_ROOT, number));
  g_assert_cmpstr (weir_context_get_failure (context), ==,
                   "output \"number\" of the root holds numbers, but an abstract value is asked "
                   "for");
  for (guint32 e = 0; e < 2; e++)
    {
      gboolean is_text = weir_layout_get_entry (weir_system_get_layout (system), (WeirEntry) { e })
                             .type
                         != NULL;

      if (is_text)
        {
          g_assert_null (weir_eval_entry (system, context, (WeirEntry) { e }));
          g_assert_cmpint (weir_calc_entry (system, context, (WeirEntry) { e }, &value), ==,
                           WEIR_FAILED);
        }
      else
        {
          g_assert_null (weir_eval_abstract_entry (system, context, (WeirEntry) { e }));
          g_assert_cmpint (weir_calc_abstract_entry (system, context, (WeirEntry) { e }, &variant),
                           ==, WEIR_FAILED);
        }
      assert_contains (weir_context_get_failure (context), "asked for");
    }
  g_assert_cmpfloat (weir_eval_output (system, context, WEIR_ROOT, number)[0], ==, 1e300);
  g_assert_cmpstr (
      g_variant_get_string (weir_eval_abstract_output (system, context, WEIR_ROOT, text), NULL), ==,
      "text");
}

/* --- Handles that do not exist, from outside ------------------------------------------------- */

static WeirStatus
calc_k (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, K)[0];
  return WEIR_OK;
}

static WeirSystem *
full_new (void)
{
  double one = 1;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Full");
  WeirParameter k = weir_leaf_add_parameter (b, "k", &one, 1);

  weir_leaf_add_input (b, "u", 1);
  weir_leaf_add_discrete_state (b, "g", &one, 1);
  weir_leaf_add_abstract_state (b, "a", g_variant_new_int32 (1));
  weir_leaf_set_continuous_state (b, 0, 0, 1, &one);
  weir_leaf_set_derivatives (b, calc_k, WEIR_DEPENDS (weir_parameter_ticket (b, k)));
  weir_leaf_add_output (b, "y", 1, calc_k, WEIR_DEPENDS (weir_parameter_ticket (b, k)));
  return weir_leaf_builder_build (b);
}

static void
test_setters (void)
{
  g_autoptr (WeirSystem) system = full_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const double five = 5;
  double value;

  expect_refused (weir_context_set_parameter (context, WEIR_ROOT, (WeirParameter) { 7 }, &five));
  expect_refused (weir_context_set_parameter (context, (WeirNode) { 9 }, K, &five));
  expect_refused (weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 9 }, &five));
  expect_refused (weir_context_set_discrete (context, WEIR_ROOT, (WeirGroup) { 9 }, &five));
  expect_refused (g_assert_null (weir_context_change_discrete (context, WEIR_ROOT, A)));
  expect_refused (g_assert_null (weir_context_change_input (context, WEIR_ROOT, U)));
  expect_refused (g_assert_false (weir_context_is_up_to_date (context, (WeirEntry) { 999999 })));
  expect_refused (weir_context_set_entry_caching (context, (WeirEntry) { 999999 }, FALSE));
  expect_refused (g_assert_null (weir_context_get_abstract_state (context, WEIR_ROOT, G)));
  expect_refused (g_assert_null (weir_context_get_abstract_parameter (context, WEIR_ROOT, K)));
  expect_refused (weir_context_end_change (context));
  weir_context_begin_change (context);
  expect_refused (g_assert_null (weir_context_clone (context)));
  weir_context_end_change (context);
  g_assert_cmpint (weir_calc_entry (system, context, (WeirEntry) { 999999 }, &value), ==,
                   WEIR_FAILED);
  assert_contains (weir_context_get_failure (context), "there is no entry 999999");
  g_assert_cmpint (weir_eval_energy (system, context, (WeirNode) { 77 }, WEIR_PE, &value), ==,
                   WEIR_FAILED);
  assert_contains (weir_context_get_failure (context), "there is no block 77");

  /* Nothing of it was changed. */
  g_assert_cmpfloat (weir_context_get_parameter (context, WEIR_ROOT, K)[0], ==, 1);
  g_assert_cmpfloat (weir_context_get_discrete (context, WEIR_ROOT, G)[0], ==, 1);
  g_assert_cmpint (g_variant_get_int32 (weir_context_get_abstract_state (context, WEIR_ROOT, A)),
                   ==, 1);
}

/* A state and a time that are not numbers are values as others, and other values take their place.
 */
static void
test_not_numbers (void)
{
  g_autoptr (WeirSystem) system = full_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const double nan = (double) NAN, two = 2;

  weir_context_set_state (context, &nan);
  weir_context_set_time (context, nan);
  g_assert_true (isnan (weir_context_get_time (context)));
  g_assert_true (isnan (weir_context_get_state (context)[0]));
  g_assert_cmpfloat (weir_eval_derivatives (system, context)[0], ==, 1); /* k */
  weir_context_set_state (context, &two);
  weir_context_set_time (context, two);
  g_assert_cmpfloat (weir_context_get_time (context), ==, 2);
  g_assert_cmpfloat (weir_context_get_state (context)[0], ==, 2);
  g_assert_cmpfloat (weir_eval_derivatives (system, context)[0], ==, 1);
}

/* A diagram has no parameters; its handle does not reach those of its first child. */
static void
test_other_node (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) leaf = full_new (), system = NULL;
  g_autoptr (WeirContext) context = NULL;
  const double nine = 9;

  weir_diagram_builder_add (d, "a", leaf);
  system = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (system);
  expect_refused (weir_context_set_parameter (context, WEIR_ROOT, K, &nine));
  g_assert_cmpfloat (weir_context_get_parameter (context, (WeirNode) { 1 }, K)[0], ==, 1);
}

/* --- What an observed calculation does not have ---------------------------------------------- */

static WeirStatus
read_parameter (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, (WeirParameter) { 1 })[0];
  return WEIR_OK;
}

static WeirStatus
read_input (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 2 })[0];
  return WEIR_OK;
}

static WeirStatus
demand_input (const WeirCalc *c, double *y)
{
  y[0] = 0;
  return weir_calc_demand (c, (WeirInput) { 5 }) ? WEIR_OK : WEIR_PENDING;
}

static WeirStatus
read_group (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, (WeirGroup) { 3 })[0];
  return WEIR_OK;
}

static WeirStatus
read_cached (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_cached (c, (WeirCached) { 4 })[0];
  return WEIR_OK;
}

static WeirStatus
read_abstract (const WeirCalc *c, double *y)
{
  GVariant *nothing = weir_calc_abstract_parameter (c, K);

  y[0] = g_variant_n_children (nothing);
  return WEIR_OK;
}

static WeirStatus
read_sizes (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input_size (c, (WeirInput) { 6 })
         + weir_calc_parameter_size (c, (WeirParameter) { 6 });
  return WEIR_OK;
}

static WeirStatus
write_beyond (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1;
  y[40] = 3;
  return WEIR_OK;
}

static WeirStatus
write_before (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  y[0] = 1;
  y[-1] = 3;
  return WEIR_OK;
}

static WeirStatus
write_nothing (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED double *y)
{
  return WEIR_OK;
}

static const struct {
  WeirCalcFunc calc;
  WeirMisuseKind kind;
  const char *text;
} misuses[] = {
  { read_parameter, WEIR_MISUSE_READ, "it reads parameter 1, but the block has 1: k" },
  { read_input, WEIR_MISUSE_READ, "it reads input 2, but the block has 1: u" },
  { demand_input, WEIR_MISUSE_READ, "it reads input 5, but the block has 1: u" },
  { read_group, WEIR_MISUSE_READ, "it reads discrete state 3, but the block has 0" },
  { read_cached, WEIR_MISUSE_READ, "it reads cache entry 4, but the block has 1: y" },
  { read_abstract, WEIR_MISUSE_READ,
    "it reads parameter k as an abstract value, but it holds numbers" },
  { read_sizes, WEIR_MISUSE_READ, "but the block has 1" },
  { write_beyond, WEIR_MISUSE_WRITE, "it writes element 40 of its value, which has 1" },
  { write_before, WEIR_MISUSE_WRITE, "it writes element -1 of its value, which has 1" },
  { write_nothing, WEIR_MISUSE_WRITE, "it leaves element 0 of its value unwritten" },
};

/* Beside neighbours whose values a wrong index would reach. */
static void
test_observed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (misuses); i++)
    {
      const double k = 42;
      WeirLeafBuilder *b = weir_leaf_builder_new ("A");
      WeirDiagramBuilder *d = weir_diagram_builder_new ();
      g_autoptr (WeirSystem) a = NULL, other = full_new (), system = NULL;
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirObserver) observer = NULL;
      const WeirMisuse *misuse;

      weir_leaf_set_input_default (b, weir_leaf_add_input (b, "u", 1), &k);
      weir_leaf_add_parameter (b, "k", &k, 1);
      weir_leaf_add_output (b, "y", 1, misuses[i].calc, NULL);
      a = weir_leaf_builder_build (b);
      weir_diagram_builder_add (d, "a", a);
      for (guint n = 0; n < 4; n++)
        {
          g_autofree char *name = g_strdup_printf ("b%u", n);

          weir_diagram_builder_add (d, name, other);
        }
      system = weir_diagram_builder_build (d, NULL);
      context = weir_system_create_context (system);
      observer = weir_observer_new (weir_system_get_layout (system));
      weir_context_set_observer (context, observer);
      g_assert_null (weir_eval_output (system, context, (WeirNode) { 1 }, Y));
      assert_contains (weir_context_get_failure (context), "a:y cannot be computed at t = 0");
      assert_contains (weir_context_get_failure (context), misuses[i].text);
      g_assert_null (weir_eval_output (system, context, (WeirNode) { 1 }, Y));
      g_assert_cmpuint (weir_observer_get_misuses (observer)->len, ==,
                        misuses[i].calc == read_sizes ? 2 : 1);
      misuse = &g_array_index (weir_observer_get_misuses (observer), WeirMisuse, 0);
      g_assert_cmpint (misuse->kind, ==, misuses[i].kind);
      if (i == 0)
        {
          g_autofree char *said = NULL;

          weir_set_translator (shout);
          said = weir_message_translate (misuse->text);
          weir_set_translator (NULL);
          g_assert_cmpstr (said, ==, "READS PARAMETER 1, BUT THE BLOCK HAS 1: k");
        }
      g_assert_cmpuint (misuse->node.i, ==, 1);
      weir_context_set_observer (context, NULL);
    }
}

static WeirStatus
update_beyond (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[1] = 5;
  return WEIR_OK;
}

static WeirStatus
update_misread (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, (WeirGroup) { 1 })[0];
  return WEIR_OK;
}

static void
test_observed_handler (void)
{
  const WeirUpdateFunc updates[] = { update_beyond, update_misread };
  const char *const texts[] = { "it writes element 1 of its value, which has 1",
                                "it reads discrete state 1, but the block has 1: g" };

  for (guint i = 0; i < G_N_ELEMENTS (updates); i++)
    {
      const double one = 1;
      WeirLeafBuilder *b = weir_leaf_builder_new ("A");
      WeirGroup group = weir_leaf_add_discrete_state (b, "g", &one, 1);
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirObserver) observer = NULL;
      WeirOccurrence occurrence = { 0 };
      double next = 1;

      weir_leaf_add_periodic_update (b, group, 1, 0, updates[i]);
      system = weir_leaf_builder_build (b);
      context = weir_system_create_context (system);
      observer = weir_observer_new (weir_system_get_layout (system));
      weir_context_set_observer (context, observer);
      g_assert_cmpint (weir_system_call_event (system, context, 0, &occurrence, &next), ==,
                       WEIR_FAILED);
      assert_contains (weir_context_get_failure (context), texts[i]);
      g_assert_cmpuint (weir_observer_get_misuses (observer)->len, ==, 1);
      g_assert_cmpuint (g_array_index (weir_observer_get_misuses (observer), WeirMisuse, 0).entry.i,
                        ==, WEIR_NO_INDEX);
      weir_context_set_observer (context, NULL);
    }
}

/* --- Inputs without a value ------------------------------------------------------------------ */

static WeirStatus
calc_input (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, U)[0];
  return WEIR_OK;
}

static WeirStatus
calc_demanded (const WeirCalc *c, double *y)
{
  if (!weir_calc_demand (c, U))
    return WEIR_PENDING;
  return calc_input (c, y);
}

static WeirStatus
update_with_input (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_input (c, U)[0] + 1;
  return WEIR_OK;
}

/* Whoever reads it, declared or not, in a calculation or a handler; and again once it was fixed and
 * un-fixed. */
static void
test_open_input (void)
{
  static const char missing[] = "input \"u\" of the root is neither connected nor fixed";
  const double zero = 0, fixed = 41;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Reader");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirOccurrence occurrence = { 0 };
  WeirGroup g;
  double next;

  weir_leaf_add_input (b, "u", 1);
  g = weir_leaf_add_discrete_state (b, "g", &zero, 1);
  weir_leaf_add_update (b, weir_every (1, 0), g, update_with_input);
  weir_leaf_add_output (b, "undeclared", 1, calc_input, WEIR_DEPENDS (WEIR_NOTHING));
  weir_leaf_add_output (b, "demanded", 1, calc_demanded, WEIR_DEPENDS (WEIR_NOTHING));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  for (guint round = 0; round < 2; round++)
    {
      next = 0;
      g_assert_cmpint (weir_system_call_event (system, context, 0, &occurrence, &next), ==,
                       WEIR_FAILED);
      assert_contains (weir_context_get_failure (context), missing);
      for (guint16 out = 0; out < 2; out++)
        {
          weir_context_set_all_out_of_date (context);
          g_assert_null (weir_eval_output (system, context, WEIR_ROOT, (WeirOutput) { out }));
          assert_contains (weir_context_get_failure (context), missing);
        }
      weir_context_fix_input (context, WEIR_ROOT, U, &fixed);
      g_assert_cmpint (weir_system_call_event (system, context, 0, &occurrence, &next), ==,
                       WEIR_OK);
      g_assert_cmpfloat (next, ==, 42);
      weir_context_set_all_out_of_date (context);
      g_assert_cmpfloat (weir_eval_output (system, context, WEIR_ROOT, Y)[0], ==, 41);
      weir_context_unfix_input (context, WEIR_ROOT, U);
    }
}

/* --- Calculations that ask for themselves ---------------------------------------------------- */

/* What evaluates is told to the calculations by these, for the engine would never. */
static WeirSystem *reentered;
static WeirContext *reentered_context;
static guint way;

static WeirStatus
calc_whole (G_GNUC_UNUSED const WeirCalc *c, double *y)
{
  const double x = 0;
  double found = 0;

  switch (way)
    {
    case 0:
      weir_eval_output (reentered, reentered_context, WEIR_ROOT, Y);
      break;
    case 1:
      weir_eval_entry (reentered, reentered_context, (WeirEntry) { 0 });
      break;
    case 2:
      weir_calc_entry (reentered, reentered_context, (WeirEntry) { 0 }, &found);
      break;
    case 3:
      weir_eval_derivatives (reentered, reentered_context);
      break;
    case 4:
      weir_eval_rhs (reentered, reentered_context, 1, &x, &found);
      break;
    default:
      weir_context_set_time (reentered_context, weir_context_get_time (reentered_context) + 1);
      break;
    }
  y[0] = 5; /* it goes on as if nothing had been */
  return WEIR_OK;
}

static WeirStatus
update_whole (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  return calc_whole (c, next);
}

static void
test_reentrance (void)
{
  for (way = 0; way < 6; way++)
    for (guint path = 0; path < 4; path++)
      {
        const double x0 = 0;
        WeirLeafBuilder *b = weir_leaf_builder_new ("Whole");
        g_autoptr (WeirSystem) system = NULL;
        g_autoptr (WeirContext) context = NULL;
        WeirOccurrence occurrence = { 0 };
        double xdot = 0;

        weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
        weir_leaf_add_reset (b, weir_every (1, 0), update_whole);
        weir_leaf_add_output (b, "y", 1, calc_whole, WEIR_DEPENDS (WEIR_TIME));
        weir_leaf_set_derivatives (b, calc_whole, WEIR_DEPENDS (WEIR_TIME, WEIR_XC));
        system = reentered = weir_leaf_builder_build (b);
        context = reentered_context = weir_system_create_context (system);
        switch (path)
          {
          case 0:
            g_assert_null (weir_eval_output (system, context, WEIR_ROOT, Y));
            break;
          case 1:
            weir_context_set_caching (context, FALSE);
            g_assert_null (weir_eval_output (system, context, WEIR_ROOT, Y));
            break;
          case 2:
            g_assert_cmpint (weir_eval_rhs (system, context, 1, &x0, &xdot), ==, WEIR_FAILED);
            break;
          default:
            g_assert_cmpint (weir_system_call_event (system, context, 0, &occurrence, &xdot), ==,
                             WEIR_FAILED);
          }
        assert_contains (weir_context_get_failure (context),
                         way < 5 ? "evaluates its own context while it is under way"
                                 : "changes its own context while it is under way");
        if (path < 2)
          assert_contains (weir_context_get_failure (context), ":y cannot be computed");
        /* It is usable afterwards. */
        weir_context_set_caching (context, TRUE);
        weir_context_set_time (context, 3);
        g_assert_null (weir_eval_output (system, context, WEIR_ROOT, Y));
      }
}

/* An input is demanded that nothing declares; of two blocks wired to each other, a cycle. */
static WeirStatus
calc_lazy (const WeirCalc *c, double *y)
{
  if (!weir_calc_demand (c, U))
    return WEIR_PENDING;
  y[0] = weir_calc_input (c, U)[0];
  return WEIR_OK;
}

static WeirSystem *
demanding_new (gboolean is_lazy)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Demanding");
  WeirOutput y;

  weir_leaf_add_input (b, "u", 1);
  y = weir_leaf_add_output (b, "y", 1, calc_lazy, WEIR_DEPENDS (WEIR_TIME));
  if (is_lazy)
    weir_leaf_set_lazy (b, weir_output_ticket (b, y));
  return weir_leaf_builder_build (b);
}

static void
test_lazy_cycle (void)
{
  for (guint path = 0; path < 3; path++)
    {
      WeirDiagramBuilder *d = weir_diagram_builder_new ();
      g_autoptr (WeirSystem) lazy = demanding_new (TRUE), integrator = test_integrator_new (0),
                             system = NULL;
      g_autoptr (WeirContext) context = NULL;
      WeirChild a = weir_diagram_builder_add (d, "a", lazy),
                b = weir_diagram_builder_add (d, "b", lazy),
                x = weir_diagram_builder_add (d, "x", integrator);
      const double x0 = 0;
      double xdot;

      weir_diagram_builder_connect (d, a, Y, b, U);
      weir_diagram_builder_connect (d, b, Y, a, U);
      weir_diagram_builder_connect (d, a, Y, x, U);
      system = weir_diagram_builder_build (d, NULL);
      context = weir_system_create_context (system);
      if (path == 1)
        weir_context_set_node_caching (context, WEIR_ROOT, FALSE);
      weir_context_set_pull_only (context, path == 2);
      g_assert_null (weir_eval_output (system, context, (WeirNode) { 1 }, Y));
      assert_contains (weir_context_get_failure (context), "a cycle, closed by a read");
      assert_contains (weir_context_get_failure (context), "a:y");
      assert_contains (weir_context_get_failure (context), "b:y");
      g_assert_null (weir_eval_output (system, context, (WeirNode) { 2 }, Y));
      assert_contains (weir_context_get_failure (context), "a cycle, closed by a read");
      g_assert_cmpint (weir_eval_rhs (system, context, 0, &x0, &xdot), ==, WEIR_FAILED);
      assert_contains (weir_context_get_failure (context), "a cycle, closed by a read");
    }
}

/* A demand that is not declared, of what comes later in the order, and no cycle. */
static WeirStatus
calc_time (const WeirCalc *c, double *y)
{
  y[0] = 2 * weir_calc_time (c);
  return WEIR_OK;
}

static void
test_demand_ahead (void)
{
  for (guint order = 0; order < 2; order++)
    for (guint is_lazy = 0; is_lazy < 2; is_lazy++)
      {
        WeirDiagramBuilder *d = weir_diagram_builder_new ();
        WeirLeafBuilder *b = weir_leaf_builder_new ("Late");
        g_autoptr (WeirSystem) late = NULL, reading = NULL, system = NULL;
        g_autoptr (WeirContext) context = NULL;
        WeirChild reader, source;
        WeirNode node;

        weir_leaf_add_output (b, "y", 1, calc_time, WEIR_DEPENDS (WEIR_TIME));
        late = weir_leaf_builder_build (b);
        reading = demanding_new (is_lazy);
        if (order == 0)
          {
            reader = weir_diagram_builder_add (d, "reader", reading);
            source = weir_diagram_builder_add (d, "source", late);
          }
        else
          {
            source = weir_diagram_builder_add (d, "source", late);
            reader = weir_diagram_builder_add (d, "reader", reading);
          }
        weir_diagram_builder_connect (d, source, Y, reader, U);
        system = weir_diagram_builder_build (d, NULL);
        context = weir_system_create_context (system);
        weir_context_set_time (context, 3);
        g_assert_true (weir_layout_find_node (weir_system_get_layout (system), "reader", &node));
        g_assert_cmpfloat (weir_eval_output (system, context, node, Y)[0], ==, 6);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/misuse/wrong-kind", test_wrong_kind);
  g_test_add_func ("/system/misuse/setters", test_setters);
  g_test_add_func ("/system/misuse/not-numbers", test_not_numbers);
  g_test_add_func ("/system/misuse/other-node", test_other_node);
  g_test_add_func ("/system/misuse/observed", test_observed);
  g_test_add_func ("/system/misuse/observed-handler", test_observed_handler);
  g_test_add_func ("/system/misuse/open-input", test_open_input);
  g_test_add_func ("/system/misuse/reentrance", test_reentrance);
  g_test_add_func ("/system/misuse/lazy-cycle", test_lazy_cycle);
  g_test_add_func ("/system/misuse/demand-ahead", test_demand_ahead);
  return g_test_run ();
}
