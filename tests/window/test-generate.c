/* The model as C and as an FMU, from the window: the dialogs by keyboard, in large text, in German,
 * in the dark and from right to left; what is written, and what is said where nothing can be. */
#include "looks.h"

#include "gui/parts/generate.h"
#include "../folders.h"

static WeirGeneratePart *
part_in (WeirEditor *editor)
{
  return part_of (editor, WEIR_TYPE_GENERATE_PART);
}

static GtkWidget *
open_dialog (WeirEditor *editor, const char *action)
{
  GtkWidget *dialog;

  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), action, NULL);
  wait_for ((dialog = find_toplevel (ADW_TYPE_MESSAGE_DIALOG)) != NULL);
  g_assert_true (dialog == weir_generate_part_get_dialog (part_in (editor)));
  focus_window (GTK_WINDOW (dialog));
  return dialog;
}

static gboolean
can_choose (GtkWidget *dialog)
{
  return adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), "choose");
}

static void
choose_solver (GtkWidget *list, const char *title)
{
  GListModel *titles = gtk_drop_down_get_model (GTK_DROP_DOWN (list));
  guint i = 0;

  while (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (titles), i), title))
    g_assert_cmpuint (++i, <, g_list_model_get_n_items (titles));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (list), i);
}

/* A step that is none is not taken; one is not asked for where error control finds it. */
static void
test_dialog (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *dialog = open_dialog (editor, "generate-code"), *step, *solver;

  g_assert_nonnull (find_label (dialog, "Generate Code"));
  step = find_named (dialog, "weir-generate-step");
  solver = find_named (dialog, "weir-generate-solver");
  choose_solver (solver, "Dormand–Prince 5(4)");
  g_assert_false (gtk_widget_get_sensitive (step));
  choose_solver (solver, "Runge–Kutta 4");
  g_assert_true (gtk_widget_get_sensitive (step));
  gtk_editable_set_text (GTK_EDITABLE (step), "-1");
  g_assert_false (can_choose (dialog));
  gtk_editable_set_text (GTK_EDITABLE (step), "0.01");
  g_assert_true (can_choose (dialog));
  picture ("generate-code");
  key ("Escape");
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_null (weir_generate_part_get_dialog (part_in (editor)));
  editor_close (editor);
}

static gboolean
says (GtkWidget *widget, gconstpointer part)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL;
}

static void
write_to (WeirEditor *editor, WeirGenerateKind kind, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const WeirGenerateChoice choice = {
    .kind = kind, .solver = "rk4", .step = 0.01, .prefix = "while"
  };

  weir_generate_part_write (part_in (editor), &choice, file);
  wait_for (!weir_generate_part_is_writing (part_in (editor)));
}

/* Where there is no compiler the FMU has its sources, and that is said. */
static void
test_write (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *code = g_build_filename (folder, "code", NULL);
  g_autofree char *makefile = g_build_filename (code, "Makefile", NULL);
  g_autofree char *fmu = g_build_filename (folder, "part", NULL);
  g_autofree char *whole = g_strconcat (fmu, ".fmu", NULL);

  write_to (editor, WEIR_GENERATE_CODE, code);
  g_assert_true (g_file_test (makefile, G_FILE_TEST_EXISTS));
  wait_for (find_widget (toplevel_of (editor), says, "Exported “code”") != NULL);
  write_to (editor, WEIR_GENERATE_FMU_3, fmu);
  g_assert_true (g_file_test (whole, G_FILE_TEST_EXISTS));
  wait_for (find_widget (toplevel_of (editor), says, "holds sources alone") != NULL);
  picture ("generate-sources");
  write_to (editor, WEIR_GENERATE_CODE, makefile); /* a file, and no folder */
  wait_for (find_widget (toplevel_of (editor), says, "cannot be made") != NULL);
  remove_folder (folder);
  editor_close (editor);
}

/* Whose block stands in the way, and why, in the user's language. */
static void
test_refused (void)
{
  WeirEditor *editor;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock)
      total = weir_block_new (99, "ForgetfulSum", "Total", (WeirPoint) { 0, 400 });

  speak ("de");
  editor = window_open_example ("counter.weir");
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, total);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirWire) wire = weir_wire_new (
          100 + i, (WeirWireEnd) { .block = 1, .port = "y" },
          (WeirWireEnd) { .block = 99, .port = i == 0 ? "in1" : "in2" }, NULL, 0);

      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
    }
  g_assert_true (weir_document_edit (editor->document, patch, "Add", NULL, NULL));
  write_to (editor, WEIR_GENERATE_CODE, "/nonesuch");
  wait_for (find_widget (toplevel_of (editor), says, "er bricht die Regeln des Caches") != NULL);
  g_assert_nonnull (find_widget (toplevel_of (editor), says, "Total: "));
  picture ("generate-refused");
  editor_close (editor);
  speak ("");
}

static void
look_at_dialogs (const char *how)
{
  static const char *const actions[] = { "generate-code", "export-fmu" };
  WeirEditor *editor = window_open_example ("pendulum.weir");

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s-%s", actions[i], how);
      GtkWidget *dialog = open_dialog (editor, actions[i]);

      picture (where);
      assert_readable (dialog, where);
      g_assert_cmpint (gtk_widget_get_width (dialog), <=, 1024);
      g_assert_cmpint (gtk_widget_get_height (dialog), <=, 768);
      gtk_window_close (GTK_WINDOW (dialog));
      wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
    }
  editor_close (editor);
}

static void
test_looks (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  look_at_dialogs ("plain");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  speak ("de");
  set_text_scale (2);
  look_at_dialogs ("german-200-dark");
  set_text_scale (1);
  speak ("");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  look_at_dialogs ("rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  g_setenv ("CC", "no-such-compiler", TRUE); /* another's word would take its time */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/generate/dialog", test_dialog);
  g_test_add_func ("/window/generate/write", test_write);
  g_test_add_func ("/window/generate/refused", test_refused);
  g_test_add_func ("/window/generate/looks", test_looks);
  return driver_main ();
}
