/* Fixes of problems: each makes its problem go away, makes no error that was not there, and is one
 * undo step that leads back to the very same model.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "../fmi/terminals.h"
#include "canvas/edits/fixes.h"
#include "model/completion/completion.h"
#include "model/document/document.h"
#include "model/files/xml.h"

#define BLOCK(id, type, name, x)                                                                   \
  "<block id='" id "' type='" type "' name='" name "' x='" x "' y='100'/>"
#define WITH(id, type, name, x, parameter, value)                                                  \
  "<block id='" id "' type='" type "' name='" name "' x='" x                                       \
  "' y='100'><parameter name='" parameter "' value='" value "'/></block>"
#define LINE(id, from, to) "<line id='" id "' from='" from "' to='" to "'/>"
#define WIRE(id, from, to) "<wire id='" id "' from='" from "' to='" to "'/>"
#define LOOP                                                                                       \
  BLOCK ("1", "Sum", "s", "100")                                                                   \
  BLOCK ("2", "Gain", "g", "240")                                                                  \
  BLOCK ("3", "Constant", "c", "0")                                                                \
  WIRE ("4", "3.y", "1.in1") WIRE ("5", "1.y", "2.u") WIRE ("6", "2.y", "1.in2")

typedef struct {
  const char *name, *inside, *code;
  WeirFix fix;
  const char *expected; /* what the model has then, as it is written; NULL: nothing to look for */
} Case;

static const Case cases[] = {
  { "delay", LOOP, "NET04", WEIR_FIX_INSERT_DELAY, "type=\"UnitDelay\" name=\"Delay\"" },
  { "solve", LOOP, "NET04", WEIR_FIX_SOLVE_LOOPS, NULL },
  { "loop-wire", LOOP, "NET04", WEIR_FIX_REMOVE_WIRE, NULL },
  { "constant", BLOCK ("1", "Gain", "g", "100"), "NET02", WEIR_FIX_CONNECT_CONSTANT,
    "from=\"2.y\" to=\"1.u\"" },
  { "wide-constant",
    WITH ("1", "Equations", "e", "100", "equations", "input u[3]&#10;output y&#10;y ~ u[1] + u[3]"),
    "NET02", WEIR_FIX_CONNECT_CONSTANT, "name=\"value\" value=\"[0, 0, 0]\"" },
  { "input",
    "<block id='1' type='Subsystem' name='s' x='0' y='0'><diagram>" BLOCK ("2", "Gain", "g", "100")
        BLOCK ("3", "Terminator", "t", "200") WIRE ("4", "2.y", "3.u") "</diagram></block>",
    "NET02", WEIR_FIX_MAKE_INPUT, "type=\"In\" name=\"u\"" },
  { "wired-twice",
    BLOCK ("1", "Constant", "a", "0") BLOCK ("2", "Clock", "b", "0")
        BLOCK ("3", "Terminator", "t", "100") WIRE ("4", "1.y", "3.u") WIRE ("5", "2.y", "3.u"),
    "NET01", WEIR_FIX_REMOVE_WIRE, "from=\"1.y\" to=\"3.u\"" },
  { "sizes",
    WITH ("1", "Constant", "a", "0", "value", "[1, 2]") BLOCK ("2", "Pendulum", "p", "100")
        WIRE ("3", "1.y", "2.torque"),
    "NET03", WEIR_FIX_REMOVE_WIRE, NULL },
  { "loose-end",
    BLOCK ("1", "Constant", "a", "0")
        BLOCK ("2", "Terminator", "t", "160") "<wire id='3' from='1.y' to-x='140' to-y='120'/>",
    "NET06", WEIR_FIX_CONNECT_NEAREST, "from=\"1.y\" to=\"2.u\"" },
  { "loose-wire",
    BLOCK ("1", "Constant", "a", "0") "<wire id='3' from='1.y' to-x='140' to-y='120'/>", "NET06",
    WEIR_FIX_REMOVE_WIRE, NULL },
  { "unknown-port",
    BLOCK ("1", "Constant", "a", "0") BLOCK ("2", "Terminator", "t", "160")
        WIRE ("3", "1.y", "2.x"),
    "NET07", WEIR_FIX_CONNECT_NEAREST, "from=\"1.y\" to=\"2.u\"" },
  { "no-reference",
    BLOCK ("1", "VoltageSource", "V1", "0") BLOCK ("2", "Resistor", "R1", "100")
        LINE ("3", "1.p", "2.p") LINE ("4", "2.n", "1.n"),
    "LIN04", WEIR_FIX_ADD_GROUND, "type=\"Ground\"" },
  { "no-reference-of-masses",
    BLOCK ("1", "LinearSpring", "s1", "0") BLOCK ("2", "LinearDamper", "d1", "100")
        LINE ("3", "1.a", "2.a") LINE ("4", "2.b", "1.b"),
    "LIN04", WEIR_FIX_ADD_GROUND, "type=\"LinearFixed\"" },
  { "in-parallel",
    BLOCK ("1", "VoltageSource", "V1", "0") BLOCK ("2", "VoltageSource", "V2", "100")
        BLOCK ("5", "Ground", "G", "200") LINE ("3", "1.p", "2.p") LINE ("4", "2.n", "1.n")
            LINE ("6", "1.n", "5.p"),
    "LIN05", WEIR_FIX_ADD_SERIES_RESISTANCE, "name=\"R\" value=\"0.01\"" },
  { "two-starts",
    WITH ("1", "Capacitor", "C1", "0", "v0", "5") WITH ("2", "Capacitor", "C2", "100", "v0", "3")
        BLOCK ("5", "Ground", "G", "200") LINE ("3", "1.p", "2.p") LINE ("4", "2.n", "1.n")
            LINE ("6", "1.n", "5.p"),
    "LIN07", WEIR_FIX_FREE_START, "name=\"v0\" value=\"free\"" },
  { "unknown-type", BLOCK ("1", "Flux", "f", "0"), "NET08", WEIR_FIX_DELETE_BLOCK, NULL },
  { "dotted-name", BLOCK ("1", "Clock", "a.b", "0"), "NET09", WEIR_FIX_RENAME, "name=\"a_b\"" },
  { "empty-name", BLOCK ("1", "Clock", "", "0"), "NET09", WEIR_FIX_RENAME, "name=\"Clock\"" },
  { "unknown-name", WITH ("1", "Constant", "a", "0", "value", "one"), "PAR04", WEIR_FIX_USE_DEFAULT,
    NULL },
  { "bad-parameter", WITH ("1", "Constant", "a", "0", "value", "1 +"), "PAR02",
    WEIR_FIX_USE_DEFAULT, NULL },
  { "open-name", WITH ("1", "Equations", "e", "0", "equations", "y ~ 2*k"), "EQ02",
    WEIR_FIX_DECLARE_PARAMETER, "value=\"parameter k = 1&#10;y ~ 2*k\"" },
  { "open-input", WITH ("1", "Equations", "e", "0", "equations", "y ~ 2*k"), "EQ02",
    WEIR_FIX_DECLARE_INPUT, "value=\"input k&#10;y ~ 2*k\"" },
  { "open-variable", WITH ("1", "Equations", "e", "0", "equations", "y ~ 2*k"), "EQ02",
    WEIR_FIX_ADD_VARIABLE, "<variable name=\"k\" value=\"1\"/>" },
  { "declared-without-value",
    WITH ("1", "Equations", "e", "0", "equations", "parameter k; y ~ 2*k"), "PAR07",
    WEIR_FIX_ADD_VARIABLE, "<variable name=\"k\" value=\"1\"/>" },
  { "unknown-parameter", WITH ("1", "Constant", "a", "0", "valeu", "1"), "PAR03",
    WEIR_FIX_REMOVE_PARAMETER, NULL },
};

/* Problems like @one of the same block. An input made of an open one is open in its turn, further
 * out. */
static guint
count (WeirDiagnostics *diagnostics, const WeirDiagnostic *one)
{
  guint n = 0;

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *other = weir_diagnostics_get (diagnostics, i);

      if (g_str_equal (other->code, one->code) && other->severity == one->severity
          && other->block == one->block)
        n++;
    }
  return n;
}

static WeirDocument *
document_new (const char *inside, const char *settings)
{
  g_autofree char *text = g_strconcat ("<weir version='1'><settings>", settings,
                                       "</settings><diagram>", inside, "</diagram></weir>", NULL);
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirDocument *document = weir_document_new ();
  int descriptor = g_file_open_tmp ("weir-fixes-XXXXXX", &path, NULL);

  g_assert_cmpint (descriptor, >=, 0);
  g_close (descriptor, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  file = g_file_new_for_path (path);
  g_assert_true (weir_document_load (document, file, diagnostics));
  g_assert_true (g_file_delete (file, NULL, NULL));
  return document;
}

static const WeirDiagnostic *
find (WeirDiagnostics *diagnostics, const char *code)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    if (g_str_equal (weir_diagnostics_get (diagnostics, i)->code, code))
      return weir_diagnostics_get (diagnostics, i);
  g_error ("no %s among %u problems", code, weir_diagnostics_get_size (diagnostics));
}

static gboolean
is_offered (const WeirDiagnostic *diagnostic, WeirFix fix)
{
  WeirFix fixes[WEIR_N_FIXES];
  guint n = weir_fix_list (diagnostic, fixes);

  for (guint i = 0; i < n; i++)
    if (fixes[i] == fix)
      return TRUE;
  return FALSE;
}

static void
test_fix (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (WeirDocument)
      document = document_new (c->inside, "<setting name='algebraic-loops' value='refuse'/>");
  g_autoptr (WeirModel) before = weir_model_ref (weir_document_get_model (document));
  g_autoptr (WeirDiagnostics) problems = weir_diagnostics_new ();
  g_autoptr (WeirDiagnostics) after = weir_diagnostics_new ();
  g_autoptr (WeirSystem) broken = weir_model_complete (before, problems);
  g_autoptr (WeirSystem) mended = NULL;
  g_autoptr (WeirEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  const WeirDiagnostic *problem = find (problems, c->code);

  g_assert_true (is_offered (problem, c->fix));
  edit = weir_fix_make (before, problem, c->fix);
  g_assert_nonnull (edit);
  g_assert_cmpstr (edit->label, ==, weir_fix_get_title (c->fix));
  g_assert_true (weir_document_edit (document, edit->patch, edit->label, NULL, &error));
  g_assert_no_error (error);
  mended = weir_model_complete (weir_document_get_model (document), after);
  g_assert_cmpuint (count (after, problem), <, count (problems, problem));
  if (c->fix == WEIR_FIX_SOLVE_LOOPS)
    g_assert_nonnull (mended);
  if (c->expected != NULL)
    {
      g_autoptr (GBytes) bytes = weir_model_write_bytes (weir_document_get_model (document));
      g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

      if (strstr (text, c->expected) == NULL)
        g_error ("'%s' is not in:\n%s", c->expected, text);
    }
  weir_document_undo (document);
  g_assert_false (weir_document_can_undo (document));
  g_assert_true (weir_model_equal (before, weir_document_get_model (document)));
}

/* Terminals of FMUs that are joined in part, and crosswise: one step wires them as they match. */
static void
test_terminals (void)
{
  static const char *const wires[] = { WIRE ("3", "1.v", "2.u"),
                                       WIRE ("3", "1.v", "2.i") WIRE ("4", "1.w", "2.u") };
  static const char *const ends[][2] = { { "plug - v=volt i=amp", "plug - u=volt w=amp" },
                                         { "sequence - v=x w=y", "sequence - u=x i=y" } };
  static const char *const expected[] = { "from=\"2.w\" to=\"1.i\"",
                                          "id=\"3\" from=\"1.w\" to=\"2.i\"" };
  g_autofree char *folder = g_dir_make_tmp ("weir-fixes-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wires); i++)
    {
      g_autofree char *a = write_fmu (folder, "a.fmu", ends[i][0]);
      g_autofree char *b = write_fmu (folder, "b.fmu", ends[i][1]);
      g_autofree char *inside = g_strdup_printf (
          "<block id='1' type='FMU' name='A' x='0' y='0'><parameter name='file' "
          "value='%s'/></block>"
          "<block id='2' type='FMU' name='B' x='200' y='0'><parameter name='file' value='%s'/>"
          "</block>%s",
          a, b, wires[i]);

      test_fix (&(Case) { "terminals", inside, "FMU32", WEIR_FIX_JOIN_TERMINALS, expected[i] });
      g_unlink (a);
      g_unlink (b);
    }
  g_rmdir (folder);
}

/* What a setting says wrongly is put back, one that there is not is taken out. */
static void
test_settings (void)
{
  static const struct {
    const char *setting, *code;
    WeirFix fix;
  } wrong[] = {
    { "<setting name='stop-time' value='-3'/>", "SET01", WEIR_FIX_USE_DEFAULT },
    { "<setting name='stoptime' value='3'/>", "SET02", WEIR_FIX_REMOVE_SETTING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (WeirDocument) document = document_new ("", wrong[i].setting);
      g_autoptr (WeirDiagnostics) problems = NULL;
      g_autoptr (WeirDiagnostics) after = NULL;
      g_autoptr (WeirSystem) before = weir_document_complete (document, &problems);
      g_autoptr (WeirSystem) mended = NULL;
      g_autoptr (WeirEdit) edit = NULL;
      const WeirDiagnostic *problem = find (problems, wrong[i].code);
      WeirFix fixes[WEIR_N_FIXES];

      g_assert_cmpint (before == NULL, ==, problem->severity == WEIR_SEVERITY_ERROR);
      g_assert_cmpuint (weir_fix_list (problem, fixes), ==, 1);
      g_assert_cmpint (fixes[0], ==, wrong[i].fix);
      edit = weir_fix_make (weir_document_get_model (document), problem, wrong[i].fix);
      g_assert_nonnull (edit);
      g_assert_true (weir_document_edit (document, edit->patch, edit->label, NULL, NULL));
      mended = weir_document_complete (document, &after);
      g_assert_nonnull (mended);
      g_assert_cmpuint (weir_diagnostics_get_size (after), ==, 0);
    }
}

/* A problem of a model that has changed since is no crash: there is nothing to do. */
static void
test_stale (void)
{
  g_autoptr (WeirModel) empty = weir_model_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDocument) document = document_new (
          cases[i].inside, "<setting name='algebraic-loops' value='refuse'/>");
      g_autoptr (WeirDiagnostics) problems = weir_diagnostics_new ();
      g_autoptr (WeirSystem)
          broken = weir_model_complete (weir_document_get_model (document), problems);

      if (cases[i].fix != WEIR_FIX_SOLVE_LOOPS)
        g_assert_null (weir_fix_make (empty, find (problems, cases[i].code), cases[i].fix));
    }
}

/* What is lit up is the loop: each wire begins at the block where the one before it ends. */
static void
test_path (void)
{
  g_autoptr (WeirDocument)
      document = document_new (LOOP, "<setting name='algebraic-loops' value='refuse'/>");
  g_autoptr (WeirDiagnostics) problems = NULL;
  g_autoptr (WeirSystem) broken = weir_document_complete (document, &problems);
  const WeirDiagnostic *loop = find (problems, "NET04");
  WeirDiagram *root = weir_model_get_root (weir_document_get_model (document));

  g_assert_cmpuint (loop->n_wires, ==, 2);
  for (guint i = 0; i < loop->n_wires; i++)
    {
      WeirWire *here = weir_diagram_find_wire (root, loop->wires[i]);
      WeirWire *next = weir_diagram_find_wire (root, loop->wires[(i + 1) % loop->n_wires]);

      g_assert_cmpuint (weir_wire_get_to (here).block, ==, weir_wire_get_from (next).block);
    }
}

/* --- Parts ----------------------------------------------------------------------------------- */

#define LAMP(R)                                                                                    \
  "group \"Mine\"\npart Lamp \"Lamp\" L\npin p: electrical left\npin n: electrical right\n"        \
  "through i: p -> n\nacross v: p - n\nparameter R = " R "\nv ~ R*i\n"
#define LAMPS(TYPE)                                                                                \
  BLOCK ("1", TYPE, "L1", "0")                                                                     \
  "<block id='2' type='Subsystem' name='s' x='0' y='0'><diagram>" BLOCK ("3", TYPE, "L2",          \
                                                                         "0") "</diagram></block>"

static WeirDocument *
open_in (const char *folder, const char *text)
{
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirDocument *document = weir_document_new ();

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (weir_document_load (document, file, diagnostics));
  g_assert_true (g_file_delete (file, NULL, NULL));
  return document;
}

/* What the file says once @code was mended by @fix: that problem is gone. (transfer full) */
static char *
mend (WeirDocument *document, const char *code, WeirFix fix)
{
  g_autoptr (WeirDiagnostics) problems = NULL;
  g_autoptr (WeirDiagnostics) after = NULL;
  g_autoptr (WeirSystem) before = weir_document_complete (document, &problems);
  g_autoptr (WeirSystem) mended = NULL;
  g_autoptr (WeirEdit) edit = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const WeirDiagnostic *problem = find (problems, code);

  g_assert_true (is_offered (problem, fix));
  edit = weir_fix_make (weir_document_get_model (document), problem, fix);
  g_assert_nonnull (edit);
  g_assert_true (weir_document_edit (document, edit->patch, edit->label, NULL, NULL));
  mended = weir_document_complete (document, &after);
  for (guint i = 0; i < weir_diagnostics_get_size (after); i++)
    g_assert_cmpstr (weir_diagnostics_get (after, i)->code, !=, code);
  bytes = weir_model_write_bytes (weir_document_get_model (document));
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* The part on disk is taken for all blocks, on all levels. */
static void
test_part_on_disk (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-fixes-XXXXXX", NULL);
  g_autofree char *part = g_build_filename (folder, "lamp.weirpart", NULL);
  g_autoptr (WeirDocument) first = NULL;
  g_autoptr (WeirDocument) again = NULL;
  g_autoptr (WeirDocument) broken = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *saved = NULL, *taken = NULL, *mended = NULL;

  g_assert_true (g_file_set_contents (part, LAMP ("5"), -1, NULL));
  first = open_in (folder, "<weir version='4'><diagram>" LAMPS ("Lamp") "</diagram></weir>");
  bytes = weir_model_write_bytes (weir_document_get_model (first));
  saved = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (saved, "parameter R = 5&#10;"));

  g_assert_true (g_file_set_contents (part, LAMP ("2000"), -1, NULL));
  again = open_in (folder, saved);
  taken = mend (again, "PRT01", WEIR_FIX_TAKE_PART);
  g_assert_nonnull (strstr (taken, "parameter R = 2000&#10;"));
  g_assert_null (strstr (taken, "parameter R = 5&#10;"));

  broken = open_in (folder,
                    "<weir version='4'><meta name='part' of='Lamp:00' value='x'/><diagram>" LAMPS (
                        "Lamp:00") "</diagram></weir>");
  mended = mend (broken, "PRT05", WEIR_FIX_TAKE_PART);
  g_assert_nonnull (strstr (mended, "parameter R = 2000&#10;"));
  g_assert_null (strstr (mended, "Lamp:00"));
  g_remove (part);
  g_rmdir (folder);
}

#define FORMER(RECORD)                                                                             \
  "<weir version='4'><meta name='part' of='Conductor' value='" RECORD                              \
  "'/><diagram>" LAMPS ("Conductor") "</diagram></weir>"

/* Defaults that are others by now: kept as they were, or the part as it is. */
static void
test_former_values (void)
{
  static const char former[] = FORMER ("0123456789abcdef G=7");
  g_autofree char *folder = g_dir_make_tmp ("weir-fixes-XXXXXX", NULL);
  g_autoptr (WeirDocument) keeping = open_in (folder, former);
  g_autoptr (WeirDocument) accepting = open_in (folder, former);
  g_autofree char *kept = mend (keeping, "PRT02", WEIR_FIX_KEEP_VALUES);
  g_autofree char *all = mend (keeping, "PRT03", WEIR_FIX_ACCEPT_PART);
  g_autofree char *accepted = mend (accepting, "PRT02", WEIR_FIX_ACCEPT_PART);
  const char *one = strstr (kept, "name=\"G\" value=\"7\"");

  g_assert_true (one != NULL && strstr (one + 1, "name=\"G\" value=\"7\"") != NULL);
  g_assert_nonnull (strstr (all, "value=\"7\""));
  g_assert_null (strstr (all, "0123456789abcdef"));
  g_assert_null (strstr (accepted, "0123456789abcdef"));
  g_assert_null (strstr (accepted, "value=\"7\""));
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/canvas/fixes/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_fix);
    }
  g_test_add_func ("/canvas/fixes/part-on-disk", test_part_on_disk);
  g_test_add_func ("/canvas/fixes/former-values", test_former_values);
  g_test_add_func ("/canvas/fixes/terminals", test_terminals);
  g_test_add_func ("/canvas/fixes/setting", test_settings);
  g_test_add_func ("/canvas/fixes/stale", test_stale);
  g_test_add_func ("/canvas/fixes/path", test_path);
  return g_test_run ();
}
