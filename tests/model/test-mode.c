/* Blocks that are commented out or passed through, and the looks that elements are given. */
#include "helpers.h"
#include "model/tree/patch.h"
#include "system/context/context.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"

/* The value of the root output "r" of a model, or its first error. */
static char *
evaluate (WeirModel *model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (WeirContext) context = NULL;
  WeirOutput out;
  const double *value;

  if (system == NULL)
    return g_strdup (weir_diagnostics_get (diagnostics, 0)->code);
  context = weir_system_create_context (system);
  g_assert_true (weir_system_find_output (system, "r", &out));
  value = weir_eval_output (system, context, WEIR_ROOT, out);
  g_assert_nonnull (value);
  return g_strdup_printf ("%g", value[0]);
}

/* Constant 3 -> Gain 2 -> Gain 5 -> Out. */
static WeirModel *
make_chain (const char *first_mode, const char *second_mode)
{
  g_autofree char *text = g_strdup_printf (
      "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"><parameter name=\"value\" "
      "value=\"3\"/></block>"
      "<block id=\"2\" type=\"Gain\" name=\"a\" x=\"0\" y=\"0\"%s><parameter name=\"gain\" "
      "value=\"2\"/></block>"
      "<block id=\"3\" type=\"Gain\" name=\"b\" x=\"0\" y=\"0\"%s><parameter name=\"gain\" "
      "value=\"5\"/></block>"
      "<block id=\"4\" type=\"Out\" name=\"r\" x=\"0\" y=\"0\"/>"
      "<wire id=\"5\" from=\"1.y\" to=\"2.u\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"7\" from=\"3.y\" to=\"4.u\"/>",
      first_mode, second_mode);

  return model_from_xml (text);
}

static void
test_chain (void)
{
#define OFF " mode=\"commented-out\""
#define THROUGH " mode=\"passed-through\""
  static const struct {
    const char *first, *second, *value;
  } cases[] = { { "", "", "30" },          { THROUGH, "", "15" }, { "", THROUGH, "6" },
                { THROUGH, THROUGH, "3" }, { OFF, "", "0" },      { "", OFF, "0" },
                { OFF, THROUGH, "0" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = make_chain (cases[i].first, cases[i].second);
      g_autofree char *value = evaluate (model);

      g_assert_cmpstr (value, ==, cases[i].value);
    }
}

/* Blocks passed through in a circle give no signal; that is an unconnected input, not a hang. */
static void
test_circle (void)
{
  g_autoptr (WeirModel) model = model_from_xml (
      "<block id=\"2\" type=\"Gain\" name=\"a\" x=\"0\" y=\"0\"" THROUGH "/>"
      "<block id=\"3\" type=\"Gain\" name=\"b\" x=\"0\" y=\"0\"" THROUGH "/>"
      "<block id=\"4\" type=\"Out\" name=\"r\" x=\"0\" y=\"0\"/>"
      "<wire id=\"5\" from=\"3.y\" to=\"2.u\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"7\" from=\"3.y\" to=\"4.u\"/>");
  g_autofree char *value = evaluate (model);

  g_assert_cmpstr (value, ==, "NET02");
}

/* A loop with a block commented out is no algebraic loop: 7 + 0. */
static void
test_breaks_loop (void)
{
  static const char *const modes[] = { "", OFF };
  static const char *const values[] = { "NET04", "7" };

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"><parameter name=\"value\" "
          "value=\"7\"/></block>"
          "<block id=\"2\" type=\"Sum\" name=\"s\" x=\"0\" y=\"0\"><parameter name=\"signs\" "
          "value=\"++\"/></block>"
          "<block id=\"3\" type=\"Gain\" name=\"g\" x=\"0\" y=\"0\"%s/>"
          "<block id=\"4\" type=\"Out\" name=\"r\" x=\"0\" y=\"0\"/>"
          "<wire id=\"5\" from=\"1.y\" to=\"2.in1\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"
          "<wire id=\"7\" from=\"3.y\" to=\"2.in2\"/><wire id=\"8\" from=\"2.y\" to=\"4.u\"/>",
          modes[i]);
      g_autoptr (WeirModel) model = model_from_xml (text);
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirModel) refusing = NULL;
      g_autofree char *value = NULL;

      weir_patch_set_setting (patch, "algebraic-loops", "refuse");
      refusing = weir_model_apply (model, patch, NULL, NULL);
      value = evaluate (refusing);

      g_assert_cmpstr (value, ==, values[i]);
    }
}

/* A Subsystem: commented out it gives zeros although nothing inside could run; passed through,
 * output k is input k, in order of id. */
static void
test_subsystem (void)
{
  static const char *const modes[] = { "", OFF, THROUGH };
  static const char *const values[] = { "NET08", "0", "4" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"><parameter name=\"value\" "
          "value=\"3\"/></block>"
          "<block id=\"2\" type=\"Constant\" name=\"d\" x=\"0\" y=\"0\"><parameter name=\"value\" "
          "value=\"4\"/></block>"
          "<block id=\"3\" type=\"Subsystem\" name=\"s\" x=\"0\" y=\"0\"%s><diagram>"
          "<block id=\"20\" type=\"In\" name=\"i1\" x=\"0\" y=\"0\"/><block id=\"21\" type=\"In\" "
          "name=\"i2\" x=\"0\" y=\"0\"/>"
          "<block id=\"22\" type=\"Nonsense\" name=\"n\" x=\"0\" y=\"0\"/>"
          "<block id=\"23\" type=\"Out\" name=\"o1\" x=\"0\" y=\"0\"/><block id=\"24\" "
          "type=\"Out\" name=\"o2\" x=\"0\" y=\"0\"/>"
          "</diagram></block>"
          "<block id=\"4\" type=\"Out\" name=\"r\" x=\"0\" y=\"0\"/>"
          "<wire id=\"5\" from=\"1.y\" to=\"3.i1\"/><wire id=\"6\" from=\"2.y\" to=\"3.i2\"/>"
          "<wire id=\"7\" from=\"3.o2\" to=\"4.u\"/>",
          modes[i]);
      g_autoptr (WeirModel) model = model_from_xml (text);
      g_autofree char *value = evaluate (model);

      g_assert_cmpstr (value, ==, values[i]);
    }
}

/* What is commented out is not recorded. */
static void
test_log (void)
{
  g_autoptr (WeirModel) model = model_from_xml (
      "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Scope\" name=\"seen\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Scope\" name=\"unseen\" x=\"0\" y=\"0\"" OFF "/>"
      "<wire id=\"5\" from=\"1.y\" to=\"2.in1\"/><wire id=\"6\" from=\"1.y\" to=\"3.in1\"/>");
  g_auto (GStrv) logs = weir_model_dup_recorded_ports (model);
  g_autofree char *all = g_strjoinv (" ", logs);

  g_assert_cmpstr (all, ==, "seen.in1");
}

/* A label, a frame and colours change the layout only, come back from the file, and
 * are compared. */
static void
test_looks (void)
{
  g_autoptr (WeirModel) model = make_chain (OFF, " tint=\"blue\"");
  g_autoptr (WeirModel) again = NULL;
  g_autoptr (WeirWire) wire = weir_wire_with_label (
      weir_diagram_find_wire (weir_model_get_root (model), 5), "speed");
  g_autoptr (WeirNote) plain = weir_note_new (50, (WeirPoint) { 1, 2 }, "Plant");
  g_autoptr (WeirNote) sized = weir_note_with_size (plain, (WeirPoint) { 200, 100 });
  g_autoptr (WeirNote) frame = weir_note_with_tint (sized, WEIR_TINT_GREEN);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirPatch *patch = weir_patch_new ();
  WeirAspects aspects;
  const WeirDiagram *root;

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  weir_patch_set_note (patch, WEIR_PLACE_ROOT, frame);
  model = apply (g_steal_pointer (&model), patch, &aspects);
  g_assert_cmpuint (aspects, ==, WEIR_ASPECT_LAYOUT);
  bytes = weir_model_write_bytes (model);
  again = weir_model_read_bytes (bytes, "again", diagnostics);
  g_assert_nonnull (again);
  g_assert_true (weir_model_equal (model, again));
  root = weir_model_get_root (again);
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root, 5)), ==, "speed");
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root, 6)), ==, "");
  g_assert_cmpint (weir_block_get_mode (weir_diagram_find_block (root, 2)), ==,
                   WEIR_BLOCK_COMMENTED_OUT);
  g_assert_cmpint (weir_block_get_tint (weir_diagram_find_block (root, 3)), ==, WEIR_TINT_BLUE);
  g_assert_true (weir_note_is_frame (weir_diagram_find_note (root, 50)));
  g_assert_cmpint (weir_note_get_tint (weir_diagram_find_note (root, 50)), ==, WEIR_TINT_GREEN);

  patch = weir_patch_new ();
  {
    g_autoptr (WeirBlock)
        active = weir_block_with_mode (weir_diagram_find_block (root, 2), WEIR_BLOCK_ACTIVE);

    weir_patch_set_block (patch, WEIR_PLACE_ROOT, active);
  }
  again = apply (g_steal_pointer (&again), patch, &aspects);
  g_assert_cmpuint (aspects, ==, WEIR_ASPECT_STRUCTURE);
  g_assert_false (weir_model_equal (model, again));
}

static void
test_signal_sizes (void)
{
  g_autoptr (WeirModel) model = model_from_xml (
      "<block id=\"1\" type=\"Constant\" name=\"c\" x=\"0\" y=\"0\"><parameter name=\"value\" "
      "value=\"[1, 2, 3]\"/></block>"
      "<block id=\"2\" type=\"Gain\" name=\"a\" x=\"0\" y=\"0\"/><block id=\"3\" type=\"Scope\" "
      "name=\"s\" x=\"0\" y=\"0\"/>"
      "<block id=\"4\" type=\"Nonsense\" name=\"n\" x=\"0\" y=\"0\"/>"
      "<wire id=\"5\" from=\"1.y\" to=\"2.u\"/><wire id=\"6\" from=\"2.y\" to=\"3.in1\"/>"
      "<wire id=\"7\" from=\"4.y\" to=\"2.v\"/>");
  g_autoptr (GHashTable) sizes = weir_model_dup_signal_sizes (model);

  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (sizes, GUINT_TO_POINTER (5))), ==, 3);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (sizes, GUINT_TO_POINTER (6))), ==, 3);
  g_assert_cmpuint (g_hash_table_size (sizes), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/mode/chain", test_chain);
  g_test_add_func ("/model/mode/circle", test_circle);
  g_test_add_func ("/model/mode/breaks-loop", test_breaks_loop);
  g_test_add_func ("/model/mode/subsystem", test_subsystem);
  g_test_add_func ("/model/mode/log", test_log);
  g_test_add_func ("/model/looks", test_looks);
  g_test_add_func ("/model/signal-sizes", test_signal_sizes);
  return g_test_run ();
}
