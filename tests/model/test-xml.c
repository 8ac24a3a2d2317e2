/* Reading and writing models: identity on bytes, diffs of one line, files that must be refused. */
#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../seeds.h"
#include "cosim/cosim.h"
#include "helpers.h"

static WeirModel *
read_text (const char *text, gssize size, WeirDiagnostics *diagnostics)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, size >= 0 ? (gsize) size : strlen (text));

  return weir_model_read_bytes (bytes, "model.weir", diagnostics);
}

static const char whole[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<weir version=\"1\">\n"
    "  <title>Käse &amp; Brot</title>\n"
    "  <settings>\n"
    "    <setting name=\"solver\" value=\"cvode-bdf\"/>\n"
    "    <setting name=\"stop-time\" value=\"10\"/>\n"
    "  </settings>\n"
    "  <diagram>\n"
    "    <block id=\"1\" type=\"Gain\" name=\"Gain\" x=\"-0.1\" y=\"120000\" rotation=\"90\" "
    "flipped=\"true\">\n"
    "      <parameter name=\"gain\" value=\"2&#10;&#9;&lt;&amp;&quot;'ü\"/>\n"
    "      <parameter name=\"unknown\" value=\"\"/>\n"
    "    </block>\n"
    "    <block id=\"2\" type=\"Subsystem\" name=\"plant\" x=\"1e-05\" y=\"0.30000000000000004\" "
    "width=\"80\" "
    "height=\"60.5\">\n"
    "      <diagram>\n"
    "        <block id=\"7\" type=\"In\" name=\"u\" x=\"0\" y=\"0\"/>\n"
    "        <block id=\"12\" type=\"Subsystem\" name=\"empty\" x=\"0\" y=\"0\">\n"
    "          <diagram/>\n"
    "        </block>\n"
    "      </diagram>\n"
    "    </block>\n"
    "    <wire id=\"3\" from=\"1.y\" to=\"2.u\">\n"
    "      <bend x=\"60\" y=\"20.25\"/>\n"
    "      <bend x=\"60\" y=\"40\"/>\n"
    "    </wire>\n"
    "    <wire id=\"4\" from-x=\"1\" from-y=\"2\" to-x=\"3\" to-y=\"4\"/>\n"
    "    <wire id=\"6\" from=\"99.a.b\" to=\"2.no such port\"/>\n"
    "    <note id=\"5\" x=\"0\" y=\"0\"> two\n"
    "lines &lt;b&gt; </note>\n"
    "    <note id=\"9\" x=\"0\" y=\"0\"/>\n"
    "  </diagram>\n"
    "</weir>\n";

static void
test_whole (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = read_text (whole, -1, diagnostics);
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  const WeirDiagram *root;
  const WeirBlock *gain;
  guint n;

  g_assert_nonnull (model);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  root = weir_model_get_root (model);
  gain = weir_diagram_find_block (root, 1);
  g_assert_cmpstr (weir_model_get_title (model), ==, "Käse & Brot");
  g_assert_cmpstr (weir_model_get_setting (model, "stop-time"), ==, "10");
  g_assert_cmpstr (weir_block_get_parameter (gain, "gain"), ==, "2\n\t<&\"'ü");
  g_assert_cmpint (weir_block_get_rotation (gain), ==, WEIR_ROTATION_90);
  g_assert_true (weir_block_get_flipped (gain));
  g_assert_cmpint (weir_block_get_line (gain), ==, 9);
  g_assert_cmpint (weir_wire_get_line (weir_diagram_find_wire (root, 6)), ==, 26);
  g_assert_cmpfloat (weir_wire_get_bends (weir_diagram_find_wire (root, 3), &n)[0].y, ==, 20.25);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (weir_wire_get_from (weir_diagram_find_wire (root, 6)).port, ==, "a.b");
  g_assert_cmpstr (weir_note_get_text (weir_diagram_find_note (root, 5)), ==, " two\nlines <b> ");
  path = weir_model_dup_block_path (model, 12);
  g_assert_cmpstr (path, ==, "plant.empty");
  /* Greater than the block that wire 6 names, though there is none. */
  g_assert_cmpuint (weir_model_get_next_id (model), ==, 100);

  text = model_to_text (model);
  g_assert_cmpstr (text, ==, whole);
}

static void
test_identity (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (21));

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (WeirModel) model = random_model (rand, 1 + round);
      g_autofree char *text = model_to_text (model);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) again = read_text (text, -1, diagnostics);
      g_autofree char *text_again = NULL;

      if (again == NULL)
        g_error ("%s\n%s", weir_diagnostics_get (diagnostics, 0)->text, text);
      text_again = model_to_text (again);
      g_assert_cmpstr (text, ==, text_again);
      g_assert_true (weir_model_equal (model, again));
    }
}

/* A decimal comma in the user's locale changes nothing. */
static void
test_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_AT.UTF-8" };
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autofree char *text = NULL;
  gboolean is_set = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (names) && !is_set; i++)
    is_set = setlocale (LC_ALL, names[i]) != NULL;
  if (!is_set)
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  model = read_text (whole, -1, diagnostics);
  text = model_to_text (model);
  setlocale (LC_ALL, before);
  g_assert_cmpstr (text, ==, whole);
}

static guint
count_differing_lines (const char *a, const char *b)
{
  g_auto (GStrv) lines_a = g_strsplit (a, "\n", -1);
  g_auto (GStrv) lines_b = g_strsplit (b, "\n", -1);
  guint n = 0;

  g_assert_cmpuint (g_strv_length (lines_a), ==, g_strv_length (lines_b));
  for (guint i = 0; lines_a[i] != NULL; i++)
    n += strcmp (lines_a[i], lines_b[i]) != 0;
  return n;
}

static void
test_moved_block_is_one_line (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = read_text (whole, -1, diagnostics);
  const guint32 ids[] = { 2 };
  WeirPatch *patch = weir_patch_new ();
  WeirBlock *block = weir_diagram_find_block (
      weir_model_get_diagram (model, (WeirPlace) { ids, 1 }), 7);
  g_autoptr (WeirBlock) moved = weir_block_with_position (block, (WeirPoint) { 33, 44 });
  g_autofree char *text = NULL;

  weir_patch_set_block (patch, (WeirPlace) { ids, 1 }, moved);
  model = apply (model, patch, NULL);
  text = model_to_text (model);
  g_assert_cmpuint (count_differing_lines (whole, text), ==, 1);
  g_assert_nonnull (strstr (text, "<block id=\"7\" type=\"In\" name=\"u\" x=\"33\" y=\"44\"/>"));
  weir_model_unref (model);
}

/* --- Refusing -------------------------------------------------------------------------------- */

static void
assert_refused (const char *text, gssize size, const char *code, int line, const char *part)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = read_text (text, size, diagnostics);
  const WeirDiagnostic *diagnostic;

  g_assert_null (model);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  diagnostic = weir_diagnostics_get (diagnostics, 0);
  g_test_message ("%s:%d: [%s] %s", diagnostic->file, diagnostic->line, diagnostic->code,
                  diagnostic->text);
  if (code != NULL)
    g_assert_cmpstr (diagnostic->code, ==, code);
  g_assert_cmpstr (diagnostic->file, ==, "model.weir");
  if (line >= 0)
    g_assert_cmpint (diagnostic->line, ==, line);
  g_assert_null (strchr (diagnostic->text, '\n'));
  g_assert_cmpuint (strlen (diagnostic->text), <, 600);
  if (part != NULL && strstr (diagnostic->text, part) == NULL)
    g_error ("'%s' is not in: %s", part, diagnostic->text);
}

#define INSIDE(text) "<weir version=\"1\">\n<diagram>\n" text "\n</diagram>\n</weir>\n"
#define BLOCK(attributes) "<block type=\"Gain\" name=\"g\" x=\"0\" y=\"0\" " attributes "/>"

static void
test_refused (void)
{
  static const struct {
    const char *text, *code;
    int line; /* -1 = any */
    const char *part;
  } cases[] = {
    /* not XML */
    { "", "XML01", 0, "empty" },
    { "hello", "XML01", 1, "no element" },
    { "\x7f"
      "ELF\x02\x01\x01",
      "XML01", -1, NULL },
    { "<weir version=\"1\">\n<diagram>\n", "XML01", -1, NULL },
    { "<weir version=\"1\">\n<diagram></weir>", "XML01", 2,
      "</weir> stands where </diagram> is expected, which ends the <diagram> of line 2" },
    { "<weir version=\"1\"><diagram/></weir><weir/>", "XML01", 1, NULL },
    { INSIDE ("<note id=\"1\" x=\"0\" y=\"0\">&undefined;</note>"), "XML01", 3,
      "&undefined; is no character that XML knows" },
    { INSIDE ("<note id=\"1\" x=\"0\" y=\"0\">this & that</note>"), "XML01", 3, "write &amp;" },
    { INSIDE ("<note id=\"1\" x=\"0\" y=\"0\">&amp this</note>"), "XML01", 3, "write &amp;" },
    { INSIDE ("<note id=\"1\" x=\"0\" y=0/>"), "XML01", 3, "not in quotes" },
    { INSIDE ("<note id=\"1\" x=\"0\" y/>"), "XML01", 3, "'y' has no value" },
    { INSIDE ("<note id=\"1\" x=\"0\"y=\"0\"/>"), "XML01", 3, "a space is expected" },
    { INSIDE ("<note id=\"1\" x=\"<\" y=\"0\"/>"), "XML01", 3, "write &lt;" },
    { "<weir version=\"1", "XML01", 1, "closing quote" },
    { "<weir version=\"1\"><diagram", "XML01", 1, "\">\" is expected" },
    { "<?xml version=\"1.0\" encoding=\"no-such-encoding\"?>\n<weir "
      "version=\"1\"><diagram/></weir>",
      "XML01", 1, "'no-such-encoding', which the first line names" },
    { INSIDE ("<note id=\"1\" x=\"0\" y=\"0\">\xff\xfe</note>"), "XML01", 3, "no UTF-8" },
    { INSIDE ("<note id=\"1\" x=\"0\" y=\"0\">&#1;</note>"), "XML01", 3, "number 1." },
    /* breaks the schema */
    { "<svg/>", "XML02", 1, "<weir>" },
    { "<weir-fragment version=\"1\">\n<diagram/></weir-fragment>", "XML02", 1, "weir-fragment" },
    { "<weir><diagram/></weir>", "XML02", 1, "version" },
    { "<weir version=\"1\"/>", "XML02", 1, "diagram" },
    { "<weir version=\"1\"><diagram/><diagram/></weir>", "XML02", 1, "diagram" },
    { INSIDE ("<blok/>"), "XML02", 3, "blok" },
    { INSIDE (BLOCK ("")), "XML02", 3, "id" },
    { INSIDE (BLOCK ("id=\"0\"")), "XML02", 3, "id" },
    { INSIDE (BLOCK ("id=\"-1\"")), "XML02", 3, "id" },
    { INSIDE (BLOCK ("id=\"1073741824\"")), "XML02", 3, "id" },
    { INSIDE (BLOCK ("id=\"99999999999999999999\"")), "XML02", 3, "id" },
    { INSIDE (BLOCK ("id=\"1\" colour=\"red\"")), "XML02", 3, "colour" },
    { INSIDE (BLOCK ("id=\"1\" width=\"-1\"")), "XML02", 3, "width" },
    { INSIDE (BLOCK ("id=\"1\" rotation=\"45\"")), "XML02", 3, "rotation" },
    { INSIDE (BLOCK ("id=\"1\" flipped=\"maybe\"")), "XML02", 3, "flipped" },
    { INSIDE ("<note id=\"1\" x=\"INF\" y=\"0\"/>"), "XML02", 3, "x" },
    { INSIDE ("<note id=\"1\" x=\"NaN\" y=\"0\"/>"), "XML02", 3, "x" },
    { INSIDE ("<note id=\"1\" x=\"1,5\" y=\"0\"/>"), "XML02", 3, "1,5" },
    { INSIDE ("<note id=\"1\" x=\"1e300\" y=\"0\"/>"), "XML02", 3, "1e300" },
    { INSIDE ("<wire id=\"1\" from=\"y\" to=\"2.u\"/>"), "XML02", 3, "from" },
    { INSIDE ("<wire id=\"1\" from=\"1.y\"/>"), "XML02", 3, "'to-x'" },
    { INSIDE ("<wire id=\"1\" from=\"1.y\" from-x=\"0\" from-y=\"0\" to=\"2.u\"/>"), "XML02", 3,
      "'from'" },
    { INSIDE ("<wire id=\"1\" from=\"1.y\" to-x=\"0\"/>"), "XML02", 3, "'to-y'" },
    { INSIDE ("<wire id=\"1\" from=\"4000000000.y\" to=\"1.u\"/>"), "XML02", 3, "4000000000" },
    { INSIDE ("text"), "XML02", -1, NULL },
    { "<weir xmlns=\"http://example.org\" version=\"1\"><diagram/></weir>", "XML02", 1, NULL },
    /* document types */
    { "<!DOCTYPE weir SYSTEM \"file:///etc/passwd\">\n<weir version=\"1\"><diagram/></weir>",
      "XML03", -1, NULL },
    { "<!DOCTYPE weir [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n"
      "<weir version=\"1\"><title>&x;</title><diagram/></weir>",
      "XML03", -1, NULL },
    { "<!DOCTYPE weir [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n"
      "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d "
      "\"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">\n"
      "<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f "
      "\"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\">\n"
      "<!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\"><!ENTITY h "
      "\"&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;\">]>\n"
      "<weir version=\"1\"><title>&h;</title><diagram/></weir>",
      "XML03", -1, NULL },
    /* given twice */
    { INSIDE ("<note id=\"7\" x=\"0\" y=\"0\"/>\n<wire id=\"7\" from=\"1.y\" to=\"2.u\"/>"),
      "XML04", 4, "line 3" },
    { INSIDE ("<block id=\"1\" type=\"Subsystem\" name=\"s\" x=\"0\" y=\"0\"><diagram>\n"
              "<note id=\"1\" x=\"0\" y=\"0\"/></diagram></block>"),
      "XML04", 4, "line 3" },
    { INSIDE ("<block id=\"1\" type=\"Gain\" name=\"s\" x=\"0\" y=\"0\">\n<parameter name=\"gain\" "
              "value=\"1\"/>"
              "<parameter name=\"gain\" value=\"2\"/></block>"),
      "XML04", -1, "'gain'" },
    { "<weir version=\"1\"><settings><setting name=\"step\" value=\"1\"/><setting name=\"step\" "
      "value=\"1\"/>"
      "</settings><diagram/></weir>",
      "XML04", 1, "'step'" },
    { INSIDE (BLOCK ("id=\"1\" id=\"2\"")), "XML01", 3, "'id' is there twice" },
    /* newer */
    { "<weir version=\"5\"><diagram/></weir>", "XML06", 1,
      "The file has format version 5, but this program reads versions up to 4." },
    { "<weir version=\"5\" dialect=\"b\"><lines/></weir>", "XML06", 1, "version 5" },
    { "<weir version=\"99999999999999999999999\"><diagram/></weir>", "XML06", 1, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (cases[i].text, -1, cases[i].code, cases[i].line, cases[i].part);
}

/* Every beginning of a file that is cut short is refused; as XML, or as a wrong element where the
 * cut went through a name. */
static void
test_truncated (void)
{
  for (gsize n = 0; n < sizeof whole - 2; n++)
    assert_refused (whole, (gssize) n, NULL, -1, NULL);
}

/* Whatever bytes come, the answer is a model or one diagnostic. */
static void
test_mutated (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (22));
  guint n_read = 0;

  for (guint round = 0; round < 3000; round++)
    {
      g_autofree char *text = g_memdup2 (whole, sizeof whole);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = NULL;

      for (gint32 k = g_rand_int_range (rand, 1, 4); k > 0; k--)
        {
          gint32 at = g_rand_int_range (rand, 0, sizeof whole - 1);

          if (g_rand_boolean (rand))
            text[at] = (char) g_rand_int_range (rand, 1, 256);
          else
            text[at] = whole[g_rand_int_range (rand, 0, sizeof whole - 1)];
        }
      model = read_text (text, sizeof whole - 1, diagnostics);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, model == NULL ? 1 : 0);
      if (model != NULL)
        {
          g_autofree char *once = model_to_text (model);
          g_autoptr (WeirModel) again = read_text (once, -1, diagnostics);

          g_assert_nonnull (again);
          g_assert_true (weir_model_equal (model, again));
          n_read++;
        }
    }
  g_test_message ("%u of 3000 still read", n_read);
  g_assert_cmpuint (n_read, >, 0);
}

static char *
nest (guint levels)
{
  GString *text = g_string_new ("<weir version=\"1\">\n<diagram>\n");

  for (guint i = 1; i < levels; i++)
    g_string_append_printf (
        text, "<block id=\"%u\" type=\"Subsystem\" name=\"s\" x=\"0\" y=\"0\"><diagram>\n", i);
  for (guint i = 1; i < levels; i++)
    g_string_append (text, "</diagram></block>\n");
  g_string_append (text, "</diagram>\n</weir>\n");
  return g_string_free (text, FALSE);
}

static void
test_nesting (void)
{
  g_autofree char *deep = nest (100);
  g_autofree char *too_deep = nest (101);
  g_autofree char *absurd = nest (100000);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = read_text (deep, -1, diagnostics);
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (WeirModel) again = NULL;

  g_assert_nonnull (model);
  path = weir_model_dup_block_path (model, 99);
  g_assert_cmpuint (strlen (path), ==, 99 * 2 - 1);
  text = model_to_text (model);
  again = read_text (text, -1, diagnostics);
  g_assert_nonnull (again);
  g_assert_true (weir_model_equal (model, again));
  assert_refused (too_deep, -1, "XML05", 102, "100 levels");
  assert_refused (absurd, -1, "XML05", 102, NULL);
}

static void
test_huge_texts (void)
{
  g_autoptr (GString) text = g_string_new (
      "<weir version=\"1\">\n<diagram>\n<block id=\"1\" type=\"Gain\" name=\"");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirNote) note = NULL;
  g_autofree char *ten_megabytes = g_strnfill (10 * 1024 * 1024, 'x');

  g_string_append (text, ten_megabytes);
  g_string_append (text, "\" x=\"0\" y=\"0\"/>\n</diagram>\n</weir>\n");
  assert_refused (text->str, (gssize) text->len, "XML01", 3, NULL);

  /* What could not be read again cannot be made. */
  model = weir_model_new ();
  note = weir_note_new (1, (WeirPoint) { 0, 0 }, ten_megabytes);
  weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
  g_assert_null (weir_model_apply (model, patch, NULL, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
}

static void
test_huge_file (void)
{
  g_autoptr (GString) text = g_string_new ("<weir version=\"1\">\n<diagram>\n");
  g_autofree char *comment = g_strnfill (1024 * 1024, 'x');

  for (guint i = 0; i < 260; i++)
    g_string_append_printf (text, "<!--%s-->\n", comment);
  g_string_append (text, "</diagram>\n</weir>\n");
  assert_refused (text->str, (gssize) text->len, "XML05", 0, "256 MiB");
}

/* Other encodings that XML knows are read. */
static void
test_encodings (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel)
      latin = read_text ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"
                         "<weir version=\"1\"><title>K\xe4se</title><diagram/></weir>",
                         -1, diagnostics);
  g_autofree gunichar2 *utf16 = g_utf8_to_utf16 (
      "\xef\xbb\xbf<weir version=\"1\"><title>Käse</title><diagram/></weir>", -1, NULL, NULL, NULL);
  gsize n = 0;
  g_autoptr (WeirModel) wide = NULL;

  while (utf16[n] != 0)
    n++;
  wide = read_text ((const char *) utf16, (gssize) (2 * n), diagnostics);
  g_assert_nonnull (latin);
  g_assert_cmpstr (weir_model_get_title (latin), ==, "Käse");
  g_assert_nonnull (wide);
  g_assert_cmpstr (weir_model_get_title (wide), ==, "Käse");
}

/* Lines are right beyond 65535 too, where libxml2's nodes stop counting; a few lines of tolerance
 * because the parser reads ahead. */
static void
test_long_file (void)
{
  g_autoptr (GString) text = g_string_new ("<weir version=\"1\">\n<diagram>\n");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  int line;

  for (guint i = 1; i <= 80000; i++)
    g_string_append_printf (text, "<block id=\"%u\" type=\"Gain\" name=\"g%u\" x=\"0\" y=\"0\"/>\n",
                            i, i);
  g_string_append (text, "</diagram>\n</weir>\n");
  model = read_text (text->str, (gssize) text->len, diagnostics);
  g_assert_nonnull (model);
  g_assert_cmpint (
      weir_block_get_line (weir_diagram_find_block (weir_model_get_root (model), 60000)), ==,
      60002);
  line = weir_block_get_line (weir_diagram_find_block (weir_model_get_root (model), 70000));
  g_assert_cmpint (line, >=, 70002);
  g_assert_cmpint (line, <=, 70002 + 12);
}

/* The examples are as the program itself would save them. */
static void
test_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirSystem) system = NULL;

      if (!g_str_has_suffix (name, ".weir"))
        continue;
      g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
      model = weir_model_read_file (file, diagnostics);
      g_assert_nonnull (model);
      after = model_to_text (model);
      g_assert_cmpstr (before, ==, after);
      system = weir_model_complete (model, diagnostics);
      g_assert_nonnull (system);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
      n++;
    }
  g_assert_cmpuint (n, >=, 3);
}

/* --- Files ----------------------------------------------------------------------------------- */

static void
test_save (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autofree char *link = g_build_filename (folder, "link.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) link_file = g_file_new_for_path (link);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = read_text (whole, -1, diagnostics);
  g_autoptr (WeirModel) again = NULL;
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  GStatBuf info;
  guint n_files = 0;

  weir_model_write_file (model, file, &error);
  g_assert_no_error (error);
  again = weir_model_read_file (file, diagnostics);
  g_assert_nonnull (again);
  g_assert_true (weir_model_equal (model, again));

  /* Permissions stay, a link stays a link, and no temporary file is left. */
  g_assert_cmpint (g_chmod (path, 0664), ==, 0);
  g_assert_cmpint (symlink (path, link), ==, 0);
  weir_model_write_file (empty, link_file, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_lstat (link, &info), ==, 0);
  g_assert_true (S_ISLNK (info.st_mode));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0664);
  weir_model_unref (g_steal_pointer (&again));
  again = weir_model_read_file (file, diagnostics);
  g_assert_true (weir_model_equal (empty, again));
  dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n_files++;
  g_assert_cmpuint (n_files, ==, 2);

  g_unlink (link);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_save_fails (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "missing", "a.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) directory = g_file_new_for_path (folder);
  g_autoptr (WeirModel) model = weir_model_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_model_write_file (model, file, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "a.weir"));
  g_clear_error (&error);
  g_assert_false (weir_model_write_file (model, directory, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
  g_rmdir (folder);
}

static void
test_missing_file (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/no/such/file.weir");
  g_autoptr (GFile) directory = g_file_new_for_path ("/");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  g_assert_null (weir_model_read_file (file, diagnostics));
  g_assert_null (weir_model_read_file (directory, diagnostics));
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (weir_diagnostics_get (diagnostics, i)->code, ==, "FIL01");
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->file, ==, "/no/such/file.weir");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  weir_cosim_provide ();
  g_test_add_func ("/model/xml/whole", test_whole);
  g_test_add_func ("/model/xml/identity", test_identity);
  g_test_add_func ("/model/xml/locale", test_locale);
  g_test_add_func ("/model/xml/moved-block-is-one-line", test_moved_block_is_one_line);
  g_test_add_func ("/model/xml/refused", test_refused);
  g_test_add_func ("/model/xml/truncated", test_truncated);
  g_test_add_func ("/model/xml/mutated", test_mutated);
  g_test_add_func ("/model/xml/nesting", test_nesting);
  g_test_add_func ("/model/xml/huge-texts", test_huge_texts);
  g_test_add_func ("/model/xml/huge-file", test_huge_file);
  g_test_add_func ("/model/xml/encodings", test_encodings);
  g_test_add_func ("/model/xml/long-file", test_long_file);
  g_test_add_func ("/model/xml/examples", test_examples);
  g_test_add_func ("/model/xml/save", test_save);
  g_test_add_func ("/model/xml/save-fails", test_save_fails);
  g_test_add_func ("/model/xml/missing-file", test_missing_file);
  return g_test_run ();
}
