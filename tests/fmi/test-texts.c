/* Texts and bytes at ports of FMUs: what the tests' "speller" says is known beforehand, "word 0" to
 * "word 3", another each quarter of a second; a second one says it in reverse, and gives each byte
 * with 0x5a. As leaves and as units, in a worker and in process, saved and gone back to. */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "analysis/verify.h"
#include "cosim/cosim.h"
#include "fmi/unit.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"

#define H (1.0 / 128)

typedef struct {
  guint version;
  gboolean is_unit;
  WeirFmuPlace place;
  WeirStepSchedulingType schedule;
  const char *without; /* taken out of the description; NULL: nothing */
} Case;

static WeirSystem *
speller_new (const Case *c, const WeirFmuStart *start, GError **error)
{
  static const WeirFmuVerdict verdict = {
    .repeats = TRUE, .ignores_order = TRUE, .restores = TRUE, .repeats_steps = TRUE
  };
  g_autofree char *name = g_strdup_printf ("speller-%u", c->version);
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", name, NULL);
  g_autofree char *path = g_build_filename (folder, WEIR_FMU_DESCRIPTION_FILE, NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuDescription) description = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *text = NULL;
  char *rest;
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = name,
                                 .instance = weir_fmu_default_options,
                                 .starts = start,
                                 .n_starts = start != NULL,
                                 .verdict = &verdict };

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts = g_strsplit (text, c->without != NULL ? c->without : "\t", -1);
  g_assert_true (c->without == NULL || g_strv_length (parts) > 1);
  rest = g_strjoinv ("", parts);
  bytes = g_bytes_new_take (rest, strlen (rest));
  description = weir_fmu_description_read_bytes (bytes, NULL, "speller", diagnostics);
  g_assert_nonnull (description);
  options.instance.place = c->place;
  return c->is_unit ? weir_fmu_unit_new (description, &options, 1, error)
                    : weir_fmu_leaf_new (description, &options, error);
}

/* A says words to B. */
static WeirSystem *
pair_new (const Case *c)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  GError *error = NULL;
  WeirSystem *root;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirSystem) speller = speller_new (c, NULL, &error);

      g_assert_no_error (error);
      weir_diagram_builder_add (b, i == 0 ? "A" : "B", speller);
    }
  weir_diagram_builder_connect_by_name (b, "A", "word", "B", "said");
  if (c->version == 3)
    weir_diagram_builder_connect_by_name (b, "A", "ink", "B", "bytes");
  root = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return root;
}

/* --- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  WeirSystem *root;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

static void
run_begin (Run *self, WeirSystem *root, WeirStepSchedulingType schedule, GError **error)
{
  WeirSimulatorOptions options;

  weir_cosim_provide ();
  weir_simulator_options_init (&options);
  options.communication_step = H;
  options.schedule = schedule;
  options.threads = 2;
  options.solver = "rk4";
  options.step = H;
  self->root = root;
  self->context = weir_system_create_context (root);
  self->simulator = weir_simulator_new (root, self->context, &options, error);
}

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->simulator, weir_simulator_free);
  g_clear_pointer (&self->context, weir_context_free);
  g_clear_pointer (&self->root, weir_system_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
run_to (Run *self, double t)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (self->simulator, t, &error);
  g_assert_no_error (error);
}

static GVariant *
get (Run *self, const char *path, const char *name)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  WeirOutput out;
  WeirNode node;
  GVariant *value;

  g_assert_true (weir_layout_find_node (layout, path, &node)
                 && weir_layout_find_output (layout, node, name, &out));
  value = weir_eval_abstract_output (self->root, self->context, node, out);
  if (value == NULL)
    g_error ("%s.%s: %s", path, name, weir_context_get_failure (self->context));
  return value;
}

static double
get_number (Run *self, const char *path, const char *name)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  WeirOutput out;
  WeirNode node;

  g_assert_true (weir_layout_find_node (layout, path, &node)
                 && weir_layout_find_output (layout, node, name, &out));
  return weir_eval_output (self->root, self->context, node, out)[0];
}

static void
fix (Run *self, const char *path, const char *name, GVariant *value)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  WeirInput in;
  WeirNode node;

  g_assert_true (weir_layout_find_node (layout, path, &node)
                 && weir_layout_find_input (layout, node, name, &in));
  g_assert_true (weir_context_fix_abstract_input (self->context, node, in, value, NULL));
}

static void
assert_text (Run *self, const char *path, const char *name, const char *text)
{
  g_assert_cmpstr (g_variant_get_string (get (self, path, name), NULL), ==, text);
}

static void
assert_byte (Run *self, const char *path, const char *name, guint8 byte)
{
  GVariant *value = get (self, path, name);

  g_assert_cmpmem (g_variant_get_data (value), g_variant_get_size (value), &byte, 1);
}

/* Between the k-th word and the next, when both have heard of it. */
static void
assert_word (Run *run, guint version, guint k)
{
  g_autofree char *word = g_strdup_printf ("word %u", k);
  g_autofree char *reversed = g_strreverse (g_strdup (word));

  assert_text (run, "A", "word", word);
  assert_text (run, "B", "reversed", reversed);
  g_assert_cmpfloat (get_number (run, "B", "length"), ==, version == 3 ? 7 : 6);
  if (version < 3)
    return;
  assert_byte (run, "A", "ink", (guint8) k);
  assert_byte (run, "B", "mirrored", (guint8) (k ^ 0x5a));
}

static Case
list_case (guint i)
{
  return (Case) { .version = 2 + i % 2,
                  .place = i / 2 % 2 == 0 ? WEIR_FMU_IN_PROCESS : WEIR_FMU_IN_WORKER,
                  .is_unit = i >= 4,
                  .schedule = i < 8    ? WEIR_STEP_SCHEDULING_FULL_PARALLEL
                              : i < 12 ? WEIR_STEP_SCHEDULING_CASCADING_PARALLEL
                                       : WEIR_STEP_SCHEDULING_ITERATED };
}
#define N_CASES 16

static void
pair_begin (Run *run, const Case *c)
{
  GError *error = NULL;

  run_begin (run, pair_new (c), c->schedule, &error);
  g_assert_no_error (error);
}

/* --- What is said ---------------------------------------------------------------------------- */

static void
test_words (void)
{
  for (guint i = 0; i < N_CASES; i++)
    {
      Case c = list_case (i);
      g_auto (Run) run = { 0 };

      pair_begin (&run, &c);
      for (guint k = 0; k < 4; k++)
        {
          run_to (&run, 0.25 * k + 0.125);
          assert_word (&run, c.version, k);
        }
      g_assert_cmpstr (g_variant_get_type_string (get (&run, "A", "word")), ==, "s");
    }
}

/* In a cascade what A says in a step is in B's step already, else in the next. */
static void
test_latency (void)
{
  for (guint i = 4; i < N_CASES; i++)
    {
      Case c = list_case (i);
      g_auto (Run) run = { 0 };

      pair_begin (&run, &c);
      run_to (&run, 0.5);
      assert_text (&run, "A", "word", "word 2");
      assert_text (&run, "B", "reversed",
                   c.schedule == WEIR_STEP_SCHEDULING_FULL_PARALLEL ? "1 drow" : "2 drow");
      run_to (&run, 0.5 + H);
      assert_text (&run, "B", "reversed", "2 drow");
    }
}

/* What stands at an input that nothing is wired to: the file's start, the block's, or what is fixed
 * while the run goes on. */
static void
test_inputs (void)
{
  static const WeirFmuStart start = { .variable = "said", .text = { "stop", 4 } };

  for (guint i = 0; i < 8; i++)
    {
      Case c = list_case (i);
      g_auto (Run) run = { 0 }, other = { 0 };
      GError *error = NULL;

      pair_begin (&run, &c);
      run_to (&run, 0.125);
      assert_text (&run, "A", "reversed", "cba");
      g_assert_cmpfloat (get_number (&run, "A", "length"), ==, c.version == 3 ? 5 : 3);
      fix (&run, "A", "said", g_variant_new_string ("never odd"));
      run_to (&run, 0.25);
      assert_text (&run, "A", "reversed", "ddo reven");
      run_to (&run, 0.375);
      assert_word (&run, c.version, 1);
      run_begin (&other, speller_new (&c, &start, &error), c.schedule, &error);
      g_assert_no_error (error);
      run_to (&other, 0.125);
      assert_text (&other, "", "reversed", "pots");
    }
}

/* --- Saved and gone back to ------------------------------------------------------------------ */

static void
check_saved (const Case *c)
{
  g_auto (Run) run = { 0 }, other = { 0 };
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (GError) error = NULL;

  pair_begin (&run, c);
  run_to (&run, 0.125);
  fix (&run, "A", "said", g_variant_new_string ("Otto"));
  run_to (&run, 0.375);
  saved = weir_simulator_save (run.simulator, &error);
  g_assert_no_error (error);
  fix (&run, "A", "said", g_variant_new_string ("later"));
  run_to (&run, 0.875);
  assert_text (&run, "A", "reversed", "retal");
  assert_word (&run, c->version, 3);
  g_assert_true (weir_simulator_load (run.simulator, saved, &error));
  assert_text (&run, "A", "reversed", "ottO");
  assert_word (&run, c->version, 1);
  run_to (&run, 0.625);
  assert_text (&run, "A", "reversed", "ottO");
  assert_word (&run, c->version, 2);
  pair_begin (&other, c);
  g_assert_true (weir_simulator_load (other.simulator, saved, &error));
  assert_word (&other, c->version, 1);
  run_to (&other, 0.625);
  assert_text (&other, "A", "reversed", "ottO");
  assert_word (&other, c->version, 2);
}

static void
test_saved (void)
{
  for (guint i = 0; i < N_CASES; i++)
    {
      Case c = list_case (i);

      check_saved (&c);
      c.without = c.version == 2 ? "canSerializeFMUstate=\"true\""
                                 : "canSerializeFMUState=\"true\"";
      if (c.is_unit && c.schedule == WEIR_STEP_SCHEDULING_FULL_PARALLEL)
        check_saved (&c); /* by repeating its steps */
    }
}

/* --- Without caches -------------------------------------------------------------------------- */

static void
test_verify (void)
{
  for (guint i = 0; i < 8; i++)
    {
      Case c = list_case (i);
      g_autoptr (WeirSystem) root = pair_new (&c);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      WeirVerifyResult result;
      WeirSimulatorOptions options;

      weir_cosim_provide ();
      weir_simulator_options_init (&options);
      options.communication_step = H;
      options.solver = "rk4";
      options.step = H;
      g_assert_true (weir_verify (root, &options, 0.875, NULL, &result, &error));
      text = weir_verify_result_to_string (&result);
      if (!result.identical)
        g_error ("case %u: %s", i, text);
      weir_verify_result_clear (&result);
    }
}

/* --- What goes wrong ------------------------------------------------------------------------- */

static void
assert_ends (Run *run, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (run->simulator, 1, &error));
  if (strstr (error->message, text) == NULL)
    g_error ("no \"%s\" in: %s", text, error->message);
}

static void
test_garbled (void)
{
  static const double garbled = 1;
  static const WeirFmuStart start = { .variable = "garbled", .values = &garbled, .n_values = 1 };

  for (guint i = 0; i < 8; i++)
    {
      Case c = list_case (i);
      g_auto (Run) run = { 0 };
      GError *error = NULL;

      run_begin (&run, speller_new (&c, &start, &error), c.schedule, &error);
      g_assert_no_error (error);
      if (c.is_unit)
        assert_ends (&run,
                     "a text that the FMU gives is not written in UTF-8, as the standard asks");
      else
        {
          WeirOutput out;

          run_to (&run, 0.125); /* nobody asks for it */
          g_assert_true (weir_layout_find_output (weir_system_get_layout (run.root), WEIR_ROOT,
                                                  "reversed", &out));
          g_assert_null (weir_eval_abstract_output (run.root, run.context, WEIR_ROOT, out));
          g_assert_nonnull (
              strstr (weir_context_get_failure (run.context), "not written in UTF-8"));
        }
    }
}

/* It takes 40 bytes. */
static void
test_too_long (void)
{
  guint8 bytes[41] = { 0 };

  for (guint i = 1; i < 8; i += 2)
    {
      Case c = list_case (i);
      g_auto (Run) run = { 0 };

      pair_begin (&run, &c);
      fix (&run, "A", "bytes", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes, 40, 1));
      run_to (&run, 0.125);
      g_assert_cmpfloat (get_number (&run, "A", "length"), ==, 43);
      fix (&run, "A", "bytes", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes, 41, 1));
      assert_ends (&run, "An input of the FMU takes at most 40 bytes (maxSize), but is given 41.");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/texts/words", test_words);
  g_test_add_func ("/fmi/texts/latency", test_latency);
  g_test_add_func ("/fmi/texts/inputs", test_inputs);
  g_test_add_func ("/fmi/texts/saved", test_saved);
  g_test_add_func ("/fmi/texts/verify", test_verify);
  g_test_add_func ("/fmi/texts/garbled", test_garbled);
  g_test_add_func ("/fmi/texts/too-long", test_too_long);
  return g_test_run ();
}
