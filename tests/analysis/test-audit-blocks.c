/* The audit of everything that Weir brings along: every example and every block type declares what
 * it reads. */
#include "../blocks/block-fixture.h"
#include "analysis/audit.h"
#include "cosim/cosim.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "system/evaluation/calc.h"
#include "system/structure/diagram.h"
#include "system/structure/leaf.h"

/* So many errors; returns the number of hints after printing them. */
static guint
audit (WeirSystem *system, double stop_time, const char *name, guint n_errors)
{
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirAuditResult result;
  guint n_hints;

  weir_simulator_options_init (&options);
  g_assert_true (weir_audit (system, &options, stop_time, NULL, &result, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < result.findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (result.findings, WeirAuditFinding, i);
      g_autofree char *text = weir_audit_finding_to_string (finding);

      g_test_message ("%s: %s[%s]: %s: %s", name, weir_severity_to_string (finding->severity),
                      finding->code, finding->path, text);
      if (finding->severity == WEIR_SEVERITY_ERROR && n_errors == 0)
        g_error ("%s: %s", name, text);
    }
  g_assert_cmpuint (result.n_errors, ==, n_errors);
  g_assert_true (result.is_exhaustive);
  n_hints = result.n_hints;
  weir_audit_result_clear (&result);
  return n_hints;
}

/* Every model of a folder, but for what is wrong on purpose in those of the lessons. */
static guint
audit_folder (const char *folder)
{
  static const struct {
    const char *name;
    guint n_errors, n_hints;
  } faulty[] = { { "forgotten.weir", 1, 0 }, { "cautious.weir", 0, 1 }, { "declares.weir", 1, 1 } };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirSystem) system = NULL;
      const char *until;
      double stop_time = 2;
      guint n_errors = 0, n_hints = 0;

      if (!g_str_has_suffix (name, ".weir"))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (faulty); i++)
        if (g_str_equal (name, faulty[i].name))
          {
            n_errors = faulty[i].n_errors;
            n_hints = faulty[i].n_hints;
          }
      model = weir_model_read_file (file, diagnostics);
      g_assert_nonnull (model);
      until = weir_model_get_setting (model, "stop-time");
      if (until != NULL)
        stop_time = MIN (stop_time, g_ascii_strtod (until, NULL));
      system = weir_model_complete (model, diagnostics);
      g_assert_nonnull (system);
      g_assert_cmpuint (audit (system, stop_time, name, n_errors), ==, n_hints);
      n++;
    }
  return n;
}

static void
test_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);

  g_assert_cmpuint (audit_folder (folder), >=, 4);
}

static void
test_lessons (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", NULL);

  g_assert_cmpuint (audit_folder (folder), >=, 8);
}

/* Algebraic loops, whose solution starts from what came back; zeros that cancel poles, so that the
 * output does not follow the state. */
static void
test_special (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "data", "audit", NULL);

  g_assert_cmpuint (audit_folder (folder), ==, 5);
}

/* u_i = sin (t + i), cos of it, and so on: signs change within the run. */
static WeirStatus
wave (const WeirCalc *c, double *out)
{
  const guint *size = weir_calc_data (c);

  for (guint i = 0; i < *size; i++)
    out[i] = sin (6 * weir_calc_time (c) + i);
  return WEIR_OK;
}

static guint
audit_driven (WeirSystem *block, const char *name, guint n_errors)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSystem) inner = NULL;
  g_autoptr (WeirSystem) system = NULL;
  WeirLayout *layout = weir_system_get_layout (block);
  WeirChild child = weir_diagram_builder_add (d, "block", block);

  for (guint16 i = 0; i < weir_layout_get_n_inputs (layout, WEIR_ROOT); i++)
    {
      guint size = weir_layout_get_input_size (layout, WEIR_ROOT, (WeirInput) { i });
      g_autofree char *wave_name = g_strdup_printf ("wave%u", i);
      WeirLeafBuilder *b = weir_leaf_builder_new ("Wave");
      g_autoptr (WeirSystem) driver = NULL;

      weir_leaf_set_data (b, &size, sizeof size);
      weir_leaf_add_output (b, "y", size, wave, WEIR_DEPENDS (WEIR_TIME));
      driver = weir_leaf_builder_build (b);
      weir_diagram_builder_connect (d, weir_diagram_builder_add (d, wave_name, driver),
                                    (WeirOutput) { 0 }, child, (WeirInput) { i });
    }
  inner = weir_diagram_builder_build (d, &error);
  g_assert_no_error (error);
  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "inner", inner);
  system = weir_diagram_builder_build (d, &error);
  g_assert_no_error (error);
  return audit (system, 1, name, n_errors);
}

/* Of the cache lab: each of these has one fault, which the audit must find. */
static const char *const faulty[] = { "ForgetfulSum", "HiddenMemory", NULL };

/* With default parameters and every unsized input of size 2, one level down, driven by waves. A
 * type that refuses such sizes is tried with size 1. */
static void
test_block (gconstpointer data)
{
  const WeirBlockType *type = data;
  g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, NULL);
  g_autoptr (GArray) inputs = weir_arguments_list_inputs (arguments);
  g_autofree guint *sizes = g_new0 (guint, inputs->len + 1);
  g_autoptr (WeirSystem) system = NULL;

  for (guint size = 2; size > 0 && system == NULL; size--)
    {
      for (guint i = 0; i < inputs->len; i++)
        {
          guint declared = g_array_index (inputs, WeirPortSpec, i).size;

          sizes[i] = declared > 0 ? declared : size;
        }
      system = type->build (arguments, sizes, NULL);
    }
  g_assert_nonnull (system);
  if (strcmp (type->name, "CautiousGain") == 0)
    g_assert_cmpuint (audit_driven (system, type->name, 0), >, 0);
  else
    g_assert_cmpuint (audit_driven (system, type->name, g_strv_contains (faulty, type->name)), ==,
                      0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  weir_cosim_provide ();
  g_test_add_func ("/analysis/audit/examples", test_examples);
  g_test_add_func ("/analysis/audit/lessons", test_lessons);
  g_test_add_func ("/analysis/audit/special", test_special);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autofree char *path = g_strdup_printf ("/analysis/audit/block/%s", type->name);

      if (type->build != NULL)
        g_test_add_data_func (path, type, test_block);
    }
  return g_test_run ();
}
