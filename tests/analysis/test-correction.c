/* Corrections proposed by an audit: their text, and that a copy with them verifies. Against
 * omissions planted at random, whose corrections are known, and declarations of too much. */
#include "planted.h"

#include "analysis/correction.h"
#include "system/layout/redeclare.h"
#include "system/layout/sources.h"
#include "system/context/source-values.h"

#define STOP_TIME 0.5

static WeirStatus
wave (const WeirCalc *c, double *y)
{
  y[0] = 2 + sin (weir_calc_time (c));
  return WEIR_OK;
}

/* The planted leaf, fed by a wave or a counter. */
static WeirSystem *
system_new (const Plant *plant, gboolean omits)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *source = weir_leaf_builder_new ("Wave");
  g_autoptr (WeirSystem) leaf = planted_leaf_new (plant, omits), counter = counter_new (0.15, 0),
                         feed = NULL;
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_leaf_add_output (source, "y", 1, wave, WEIR_DEPENDS (WEIR_TIME));
  feed = weir_leaf_builder_build (source);
  weir_diagram_builder_add (b, "source", plant->input_is_discrete ? counter : feed);
  weir_diagram_builder_add (b, "leaf", leaf);
  weir_diagram_builder_connect_by_name (b, "source", plant->input_is_discrete ? "Sn" : "y", "leaf",
                                        "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

static GArray *
audit (WeirSystem *system, const WeirSimulatorOptions *options)
{
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;
  GArray *corrections;

  g_assert_true (weir_audit (system, options, STOP_TIME, NULL, &result, &error));
  g_assert_no_error (error);
  corrections = weir_list_corrections (system, &result);
  weir_audit_result_clear (&result);
  return corrections;
}

/* Whatever was left out is proposed, and no more; with it, nothing differs any more. */
static void
test_planted (void)
{
  static const char *const labels[N_SOURCES] = {
    "time", "q", "v", "z", "discrete state x", "input u", "cache entry inner"
  };
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  guint n_different = 0, n_corrected = 0;

  options.step = 0.02;
  get_test_seed (74);
  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (GArray) corrections = NULL;
      g_autoptr (GError) error = NULL;
      const WeirCorrection *correction = NULL;
      WeirConfirmation confirmation;
      Plant plant;

      random_plant (&plant);
      system = system_new (&plant, TRUE);
      corrections = audit (system, &options);
      /* A value left out whose own prerequisites are all declared besides does no harm. */
      for (guint k = 0; k < corrections->len; k++)
        if (g_array_index (corrections, WeirCorrection, k).adds)
          correction = &g_array_index (corrections, WeirCorrection, k);
      if (correction != NULL)
        {
          n_corrected++;
          g_assert_nonnull (strstr (correction->corrected, labels[plant.source]));
          g_assert_null (strstr (correction->declared, labels[plant.source]));
        }
      g_assert_true (weir_confirm_corrections (system, corrections, &options, STOP_TIME, NULL,
                                               &confirmation, &error));
      g_assert_no_error (error);
      g_assert_true (confirmation.after.identical);
      g_assert_true (confirmation.before.identical || correction != NULL);
      n_different += !confirmation.before.identical;
      weir_confirmation_clear (&confirmation);
    }
  g_assert_cmpuint (n_different, >, 10); /* else nothing was proven */
  g_assert_cmpuint (n_corrected, >, 30);
}

/* An honest tree, declared anew as it is, has the same fingerprint, structure and results. */
static void
test_same (void)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  Plant plant;
  g_autoptr (WeirSystem) system = NULL, copy = NULL;
  g_autoptr (GError) error = NULL;
  WeirLayout *layout;
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (WeirRedeclaration));

  get_test_seed (75);
  random_plant (&plant);
  system = system_new (&plant, FALSE);
  layout = weir_system_get_layout (system);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    if (weir_layout_is_leaf_entry (layout, (WeirEntry) { e }))
      {
        WeirRedeclaration change = { .entry = { e } };

        change.n_tickets = weir_layout_get_declared (layout, change.entry, &change.tickets);
        g_array_append_val (changes, change);
      }
  copy = weir_system_redeclare (system, (const WeirRedeclaration *) (const void *) changes->data,
                                changes->len, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (weir_layout_get_fingerprint (layout).low, ==,
                    weir_layout_get_fingerprint (weir_system_get_layout (copy)).low);
  {
    g_autoptr (WeirContext) a = weir_system_create_context (system),
                            b = weir_system_create_context (copy);
    g_autoptr (WeirSimulator) first = weir_simulator_new (system, a, &options, NULL);
    g_autoptr (WeirSimulator) second = weir_simulator_new (copy, b, &options, NULL);

    g_assert_true (weir_simulator_advance_to (first, STOP_TIME, NULL));
    g_assert_true (weir_simulator_advance_to (second, STOP_TIME, NULL));
    g_assert_null (weir_context_dup_first_difference (a, b));
  }
  g_array_unref (changes);
}

static WeirStatus
scaled (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0]
         * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* All sources declared, two read: the text names those, the copy computes less and gives
 * the same. */
static void
test_too_much (void)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *leaf = weir_leaf_builder_new ("Cautious");
  g_autoptr (WeirSystem) gain = NULL, counter = counter_new (0.1, 0), system = NULL;
  g_autoptr (GArray) corrections = NULL;
  const WeirCorrection *correction;
  WeirConfirmation confirmation;

  options.step = 0.01;
  weir_leaf_add_input (leaf, "u", 1);
  weir_leaf_add_parameter (leaf, "k", (double[]) { 2 }, 1);
  weir_leaf_add_output (leaf, "y", 1, scaled, NULL);
  gain = weir_leaf_builder_build (leaf);
  weir_diagram_builder_add (b, "counter", counter);
  weir_diagram_builder_add (b, "gain", gain);
  weir_diagram_builder_connect_by_name (b, "counter", "Sn", "gain", "u");
  system = weir_diagram_builder_build (b, NULL);
  corrections = audit (system, &options);
  g_assert_cmpuint (corrections->len, ==, 1);
  correction = &g_array_index (corrections, WeirCorrection, 0);
  g_assert_cmpstr (correction->path, ==, "gain:y");
  g_assert_false (correction->adds);
  g_assert_cmpstr (correction->declared, ==, "all sources");
  g_assert_cmpstr (correction->corrected, ==, "parameter k, input u");
  g_assert_cmpstr (correction->code, ==,
                   "WEIR_DEPENDS (weir_parameter_ticket (b, k), weir_input_ticket (b, u))");
  g_assert_true (weir_confirm_corrections (system, corrections, &options, STOP_TIME, NULL,
                                           &confirmation, NULL));
  g_assert_true (confirmation.before.identical);
  g_assert_true (confirmation.after.identical);
  /* Computed at 5 updates and at first, where it was at each of 50 steps' ends. */
  g_assert_cmpuint (confirmation.calculations_after, <, confirmation.calculations_before);
  weir_confirmation_clear (&confirmation);
}

/* What cannot be declared is refused with the entry's name. */
static void
test_refused (void)
{
  Plant plant = { .reads = { { 1, 1, 1 } } };
  g_autoptr (WeirSystem) system = system_new (&plant, FALSE);
  WeirLayout *layout = weir_system_get_layout (system);
  guint16 own;
  WeirRedeclaration change = { .tickets = &own, .n_tickets = 1 };
  g_autoptr (GError) error = NULL, second = NULL;
  WeirNode node;

  g_assert_true (weir_layout_find_node (layout, "leaf", &node));
  g_assert_true (weir_layout_find_output_entry (layout, node, (WeirOutput) { 0 }, &change.entry));
  own = weir_layout_get_entry_ticket (layout, change.entry).i;
  g_assert_null (weir_system_redeclare (system, &change, 1, &error));
  g_assert_nonnull (strstr (error->message, "leaf:y"));
  g_assert_true (weir_layout_find_entry (layout, WEIR_ROOT, WEIR_XCDOT, &change.entry));
  g_assert_null (weir_system_redeclare (system, &change, 1, &second));
  g_assert_nonnull (strstr (second->message, "a diagram's own"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/correction/planted", test_planted);
  g_test_add_func ("/analysis/correction/same", test_same);
  g_test_add_func ("/analysis/correction/too-much", test_too_much);
  g_test_add_func ("/analysis/correction/refused", test_refused);
  return g_test_run ();
}
