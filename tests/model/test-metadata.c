/* Metadata: typed keys, one value each, kept in the file; setting one makes a new model. */
#include "helpers.h"

static const WeirMetadataKey mass = { "mass", WEIR_METADATA_NUMBER };
static const WeirMetadataKey checked = { "checked", WEIR_METADATA_BOOLEAN };

static void
test_list (void)
{
  g_autoptr (WeirMetadata) one = weir_metadata_with (NULL, "", mass, "2.5");
  g_autoptr (WeirMetadata) two = weir_metadata_with (one, "y", weir_key_unit, "N");
  g_autoptr (WeirMetadata) three = weir_metadata_with (two, "", checked, "true");
  g_autoptr (WeirMetadata) bad = weir_metadata_with (three, "", checked, "heavy");
  g_autoptr (WeirMetadata) less = weir_metadata_with (three, "y", weir_key_unit, NULL);
  g_autoptr (WeirMetadata) none = weir_metadata_with (one, "", mass, NULL);
  g_autoptr (WeirMetadata) same = weir_metadata_with (three, "", checked, "true");
  gboolean flag = FALSE;

  g_assert_true (weir_metadata_get_boolean (three, "", checked, &flag));
  g_assert_true (flag);
  g_assert_cmpstr (weir_metadata_get_text (three, "y", weir_key_unit), ==, "N");
  g_assert_null (weir_metadata_get_text (three, "", weir_key_unit)); /* of another thing */
  /* A key of another type finds nothing, nor does a value that is none. */
  g_assert_null (
      weir_metadata_get_text (three, "", (WeirMetadataKey) { "mass", WEIR_METADATA_TEXT }));
  g_assert_false (weir_metadata_get_boolean (bad, "", checked, &flag));
  g_assert_cmpuint (weir_metadata_get_size (less), ==, 2);
  g_assert_null (none);
  g_assert_true (same == three);
  g_assert_cmpuint (weir_metadata_get_size (one), ==, 1); /* never changed */
}

static const char whole[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<weir version=\"1\">\n"
    "  <title>T</title>\n"
    "  <meta name=\"author\" value=\"A &amp; B\"/>\n"
    "  <meta name=\"mass\" type=\"number\" value=\"2.5\"/>\n"
    "  <settings>\n"
    "    <setting name=\"stop-time\" value=\"10\"/>\n"
    "  </settings>\n"
    "  <variables>\n"
    "    <variable name=\"g\" value=\"9.81\"/>\n"
    "    <variable name=\"k\" value=\"2*g\"/>\n"
    "  </variables>\n"
    "  <assertions>\n"
    "    <assertion text=\"g.y must not depend on time\"/>\n"
    "    <assertion text=\"g.y must not depend on u\" reason=\"it is so\"/>\n"
    "  </assertions>\n"
    "  <diagram>\n"
    "    <block id=\"1\" type=\"Gain\" name=\"g\" x=\"0\" y=\"0\">\n"
    "      <meta name=\"description\" value=\"two&#10;lines\"/>\n"
    "      <meta name=\"checked\" of=\"u\" type=\"boolean\" value=\"true\"/>\n"
    "      <meta name=\"unit\" of=\"y\" value=\"N\"/>\n"
    "      <parameter name=\"gain\" value=\"2\"/>\n"
    "    </block>\n"
    "  </diagram>\n"
    "</weir>\n";

static void
test_file (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (whole, strlen (whole));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "m", diagnostics);
  g_autofree char *text = NULL;
  const char *sentence, *reason;
  const WeirBlock *block;

  g_assert_nonnull (model);
  block = weir_model_find_path (model, "g");
  g_assert_cmpstr (weir_metadata_get_text (weir_model_get_metadata (model), "", weir_key_author),
                   ==, "A & B");
  g_assert_cmpstr (weir_metadata_get_text (weir_block_get_metadata (block), "y", weir_key_unit), ==,
                   "N");
  g_assert_cmpstr (weir_model_get_variable (model, "k"), ==, "2*g");
  g_assert_cmpuint (weir_model_get_n_assertions (model), ==, 2);
  weir_model_get_assertion_at (model, 1, &sentence, &reason);
  g_assert_cmpstr (sentence, ==, "g.y must not depend on u");
  g_assert_cmpstr (reason, ==, "it is so");
  text = model_to_text (model);
  g_assert_cmpstr (text, ==, whole);
}

static void
test_twice (void)
{
  static const char *const texts[] = {
    "<weir version=\"1\">\n<meta name=\"a\" value=\"\"/><meta name=\"a\" "
    "value=\"\"/>\n<diagram/></weir>",
    "<weir version=\"1\">\n<diagram><block id=\"1\" type=\"T\" name=\"n\" x=\"0\" y=\"0\">"
    "<meta name=\"a\" of=\"y\" value=\"\"/><meta name=\"a\" of=\"y\" "
    "value=\"\"/></block>\n</diagram></weir>",
    "<weir version=\"1\">\n<variables><variable name=\"a\" value=\"\"/><variable name=\"a\" "
    "value=\"\"/>"
    "</variables><diagram/></weir>",
    "<weir version=\"1\">\n<assertions><assertion text=\"a\"/><assertion "
    "text=\"a\"/></assertions><diagram/></weir>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i], strlen (texts[i]));
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

      g_assert_null (weir_model_read_bytes (bytes, "m", diagnostics));
      g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "XML04");
      g_assert_nonnull (strstr (weir_diagnostics_get (diagnostics, 0)->text, "'a'"));
    }
}

static void
test_patch (void)
{
  WeirModel *model = model_from_xml ("<block id='1' type='Gain' name='g' x='0' y='0'/>");
  g_autoptr (WeirModel) first = weir_model_ref (model);
  g_autoptr (WeirBlock) noted = NULL;
  g_autoptr (WeirBlock) with_unit = NULL;
  g_autoptr (WeirBlock) with_point = NULL;
  WeirPatch *patch = weir_patch_new ();
  WeirAspects aspects;

  weir_patch_set_metadata (patch, "", weir_key_author, "N. N.");
  model = apply (model, patch, &aspects);
  g_assert_cmpint (aspects, ==, WEIR_ASPECT_METADATA);
  g_assert_null (weir_model_get_metadata (first));
  g_assert_true (weir_model_get_root (first) == weir_model_get_root (model)); /* shared */

  noted = weir_block_with_metadata (weir_model_find_path (model, "g"), "", checked, "false");
  patch = weir_patch_new ();
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, noted);
  model = apply (model, patch, &aspects);
  g_assert_cmpint (aspects, ==, WEIR_ASPECT_METADATA);

  /* A unit decides whether a wire makes sense. */
  with_unit = weir_block_with_metadata (weir_model_find_path (model, "g"), "y", weir_key_unit, "N");
  patch = weir_patch_new ();
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, with_unit);
  model = apply (model, patch, &aspects);
  g_assert_cmpint (aspects, ==, WEIR_ASPECT_METADATA | WEIR_ASPECT_STRUCTURE);

  /* A point for analysis changes nothing that runs. */
  with_point = weir_block_with_metadata (weir_model_find_path (model, "g"), "y", weir_key_points,
                                         "input output");
  patch = weir_patch_new ();
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, with_point);
  model = apply (model, patch, &aspects);
  g_assert_cmpint (aspects, ==, WEIR_ASPECT_POINTS);
  weir_model_unref (model);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/metadata/list", test_list);
  g_test_add_func ("/model/metadata/file", test_file);
  g_test_add_func ("/model/metadata/twice", test_twice);
  g_test_add_func ("/model/metadata/patch", test_patch);
  return g_test_run ();
}
