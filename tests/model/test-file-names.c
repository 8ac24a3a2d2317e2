/* Names of files in models that are saved, recovered, copied elsewhere. */
#include <glib/gstdio.h>

#include "helpers.h"
#include "model/files/recovery.h"
#include "model/tree/file-names.h"
#include "../folders.h"

/* --- Names ----------------------------------------------------------------------------------- */

/* By hand, from what a path means. */
static void
test_names (void)
{
  static const struct {
    const char *name, *from, *to, *expected;
  } cases[] = {
    { "a.csv", "/m/one", "/m/one", "a.csv" },
    { "a.csv", "/m/one", "/m/two", "../one/a.csv" },
    { "a.csv", "/m/one", "/m/one/two/three", "../../a.csv" },
    { "a.csv", "/m/one/two", "/m/one", "two/a.csv" },
    { "a.csv", "/m/one", "/m/oneself", "../one/a.csv" },
    { "../a.csv", "/m/one", "/m", "a.csv" },
    { "./x/../a.csv", "/m/one", "/m/two/", "../one/a.csv" },
    { "v.ssp/resources/a.fmu", "/m/one", "/m/two", "../one/v.ssp/resources/a.fmu" },
    { "a.csv", "/m/one", "/n", "/m/one/a.csv" }, /* nothing is shared */
    { "a.csv", "/m/one", NULL, "/m/one/a.csv" },
    { "/m/one/a.csv", "/m/one", "/m/two", "/m/one/a.csv" },
    { "", "/m/one", "/m/two", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *moved = weir_file_name_move (cases[i].name, cases[i].from, cases[i].to);

      g_assert_cmpstr (moved, ==, cases[i].expected);
    }
}

static void
test_short_names (void)
{
  static const struct {
    const char *name, *folder, *expected;
  } cases[] = {
    { "/m/one/a.csv", "/m/one", "a.csv" },
    { "/m/one/two/a.csv", "/m/one/", "two/a.csv" },
    { "/m/oneself/a.csv", "/m/one", "/m/oneself/a.csv" },
    { "/m/a.csv", "/m/one", "/m/a.csv" },
    { "/m/a.csv", NULL, "/m/a.csv" },
    { "a.csv", "/m/one", "a.csv" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = weir_file_name_shorten (cases[i].name, cases[i].folder);

      g_assert_cmpstr (name, ==, cases[i].expected);
    }
}

/* --- Models ---------------------------------------------------------------------------------- */

typedef struct {
  char *folder, *one, *two;
  GFile *first, *second; /* of the model: in one, in two */
} Place;

/* A file in each of the three, and a model in the first whose blocks name two of them. */
static void
place_init (Place *self)
{
  static const char *const names[] = { "one/near.csv", "far.csv" };
  const char *text = "<weir version=\"1\"><diagram>"
                     "<block id=\"1\" type=\"FromFile\" name=\"far\" x=\"0\" y=\"0\">"
                     "<parameter name=\"file\" value=\"../far.csv\"/></block>"
                     "<block id=\"2\" type=\"Subsystem\" name=\"plant\" x=\"90\" y=\"0\"><diagram>"
                     "<block id=\"3\" type=\"FromFile\" name=\"near\" x=\"0\" y=\"0\">"
                     "<parameter name=\"file\" value=\"near.csv\"/></block>"
                     "</diagram></block></diagram></weir>";
  g_autofree char *path = NULL;

  self->folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  self->one = g_build_filename (self->folder, "one", NULL);
  self->two = g_build_filename (self->folder, "two", NULL);
  g_mkdir (self->one, 0700);
  g_mkdir (self->two, 0700);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *csv = g_build_filename (self->folder, names[i], NULL);

      g_assert_true (g_file_set_contents (csv, "0,1\n1,2\n", -1, NULL));
    }
  self->first = g_file_new_build_filename (self->one, "m.weir", NULL);
  self->second = g_file_new_build_filename (self->two, "m.weir", NULL);
  path = g_file_get_path (self->first);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
place_clear (Place *self)
{
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->one);
  g_free (self->two);
  g_object_unref (self->first);
  g_object_unref (self->second);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* Both names, and whether the files are found under them: the model is whole. */
static void
check_names (WeirModel *model, const char *far, const char *near)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  const WeirBlock *plant = weir_diagram_find_block (weir_model_get_root (model), 2);

  g_assert_cmpstr (
      weir_block_get_parameter (weir_diagram_find_block (weir_model_get_root (model), 1), "file"),
      ==, far);
  g_assert_cmpstr (weir_block_get_parameter (
                       weir_diagram_find_block (weir_block_get_diagram (plant), 3), "file"),
                   ==, near);
  g_assert_false (weir_diagnostics_has_errors (diagnostics));
  g_assert_nonnull (system);
}

static void
check_file (GFile *file, const char *far, const char *near)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);

  g_assert_nonnull (model);
  check_names (model, far, near);
}

static WeirDocument *
open_first (const Place *place)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirDocument *document = weir_document_new ();

  g_assert_true (weir_document_load (document, place->first, diagnostics));
  return document;
}

/* Saved under another name, in another folder; undone beyond that, and saved where it was. */
static void
test_save_as (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  place_init (&place);
  document = open_first (&place);
  check_names (weir_document_get_model (document), "../far.csv", "near.csv");
  weir_patch_set_title (patch, "Other");
  g_assert_true (weir_document_edit (document, patch, "Title", NULL, NULL));
  g_assert_true (weir_document_save (document, place.second, NULL));
  check_file (place.second, "../far.csv", "../one/near.csv");
  check_names (weir_document_get_model (document), "../far.csv", "../one/near.csv");
  g_assert_false (weir_document_get_modified (document));

  weir_document_undo (document);
  check_names (weir_document_get_model (document), "../far.csv", "near.csv");
  g_assert_true (weir_document_get_modified (document));
  g_assert_true (weir_document_save (document, place.second, NULL));
  check_file (place.second, "../far.csv", "../one/near.csv");
  g_assert_true (weir_document_save (document, place.first, NULL));
  check_file (place.first, "../far.csv", "near.csv");
}

/* A copy elsewhere leaves the document as it is. */
static void
test_save_copy (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = NULL;

  place_init (&place);
  document = open_first (&place);
  g_assert_true (weir_model_write_file (weir_document_get_model (document), place.second, NULL));
  check_file (place.second, "../far.csv", "../one/near.csv");
  check_names (weir_document_get_model (document), "../far.csv", "near.csv");
}

/* A new document looks beside its file as soon as it has one. */
static void
test_first_save (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = weir_document_new ();

  place_init (&place);
  g_assert_null (weir_model_get_folder (weir_document_get_model (document)));
  g_assert_true (weir_document_save (document, place.second, NULL));
  g_assert_cmpstr (weir_model_get_folder (weir_document_get_model (document)), ==, place.two);
  g_assert_false (weir_document_get_modified (document));
}

/* --- Recovery -------------------------------------------------------------------------------- */

/* The slot's file, once it has been written. (transfer full) */
static GFile *
wait_for_slot (const char *state)
{
  for (;;)
    {
      g_autofree char *folder = g_build_filename (state, "weir", "recovery", NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, ".weir"))
          return g_file_new_build_filename (folder, name, NULL);
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

/* What is kept lies in another folder than the file that it is of, and means the same. */
static void
test_recovery (gconstpointer state)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = NULL;
  g_autoptr (WeirDocument) other = weir_document_new ();
  WeirRecoverySlot *slot = weir_recovery_slot_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) kept = NULL;
  WeirRecovery recovery = { NULL, NULL, NULL };

  place_init (&place);
  document = open_first (&place);
  weir_recovery_slot_write (slot, weir_document_get_model (document), place.first);
  kept = wait_for_slot (state);
  recovery.kept = kept;
  recovery.origin = place.first;
  g_assert_true (weir_document_recover (other, &recovery, "Recovery", diagnostics));
  check_names (weir_document_get_model (other), "../far.csv", "near.csv");
  g_assert_cmpstr (weir_model_get_folder (weir_document_get_model (other)), ==, place.one);
  weir_recovery_slot_free (slot);
}

/* Of a document without a file, which began from one that lies elsewhere. */
static void
test_recovery_of_template (gconstpointer state)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDocument) other = weir_document_new ();
  WeirRecoverySlot *slot = weir_recovery_slot_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) kept = NULL;
  g_autofree char *far = NULL, *near = NULL;
  WeirRecovery recovery = { NULL, NULL, NULL };

  place_init (&place);
  far = g_build_filename (place.folder, "far.csv", NULL);
  near = g_build_filename (place.one, "near.csv", NULL);
  g_assert_true (weir_document_load_template (document, place.first, diagnostics));
  weir_recovery_slot_write (slot, weir_document_get_model (document), NULL);
  kept = wait_for_slot (state);
  recovery.kept = kept;
  g_assert_true (weir_document_recover (other, &recovery, "Recovery", diagnostics));
  check_names (weir_document_get_model (other), far, near);
  weir_recovery_slot_free (slot);
}

/* --- Copies ---------------------------------------------------------------------------------- */

/* Part of one model in another that lies elsewhere, and back in the first. */
static void
test_copies (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDocument) document = NULL;
  g_autoptr (WeirDiagram) copied = NULL, elsewhere = NULL, back = NULL;
  g_autofree char *far = NULL;
  WeirDiagram *root;

  place_init (&place);
  document = open_first (&place);
  root = weir_model_get_root (weir_document_get_model (document));
  far = g_build_filename (place.folder, "far.csv", NULL);
  copied = weir_diagram_lengthen_file_names (root, place.one);
  elsewhere = weir_diagram_shorten_file_names (copied, place.two);
  g_assert_cmpstr (weir_block_get_parameter (weir_diagram_find_block (elsewhere, 1), "file"), ==,
                   far);
  back = weir_diagram_shorten_file_names (copied, place.folder);
  g_assert_cmpstr (weir_block_get_parameter (weir_diagram_find_block (back, 1), "file"), ==,
                   "far.csv");
}

int
main (int argc, char *argv[])
{
  g_autofree char *state = g_dir_make_tmp ("weir-state-XXXXXX", NULL);
  int result;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/file-names/names", test_names);
  g_test_add_func ("/model/file-names/short-names", test_short_names);
  g_test_add_func ("/model/file-names/save-as", test_save_as);
  g_test_add_func ("/model/file-names/save-copy", test_save_copy);
  g_test_add_func ("/model/file-names/first-save", test_first_save);
  g_test_add_data_func ("/model/file-names/recovery", state, test_recovery);
  g_test_add_data_func ("/model/file-names/recovery-of-template", state, test_recovery_of_template);
  g_test_add_func ("/model/file-names/copies", test_copies);
  result = g_test_run ();
  remove_folder (state);
  return result;
}
