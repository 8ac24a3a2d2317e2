/* Problems while editing: they come up as one edits, lead to their place, and are mended by a
 * click. */
#include "driver.h"

/* A loop without state, a gain without input, a loose wire: problems of two severities. */
static const char broken[] =
    "<weir version='1'><settings><setting name='algebraic-loops' "
    "value='refuse'/></settings><diagram>"
    "<block id='1' type='Constant' name='Wish' x='40' y='120'/>"
    "<block id='2' type='Sum' name='Error' x='180' y='120'/>"
    "<block id='3' type='Gain' name='Amplifier' x='300' y='110'/>"
    "<block id='4' type='Gain' name='Sensor' x='300' y='240' flipped='true'/>"
    "<block id='5' type='Scope' name='Scope' x='460' y='110'><parameter name='inputs' "
    "value='2'/></block>"
    "<block id='6' type='Gain' name='Open' x='80' y='330'/>"
    "<wire id='11' from='1.y' to='2.in1'/><wire id='12' from='2.y' to='3.u'/>"
    "<wire id='13' from='3.y' to='4.u'/><wire id='14' from='4.y' to='2.in2'/>"
    "<wire id='15' from='3.y' to='5.in1'/>"
    "<wire id='16' from='6.y' to-x='260' to-y='360'/></diagram></weir>";

static WeirEditor *
open_text (const char *text)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *folder = g_dir_make_tmp ("weir-problems-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "broken.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (weir_editor_open (editor, file));
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return editor;
}

static WeirProblemList *
list_of (WeirEditor *editor)
{
  return WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST));
}

static guint
find_problem (WeirEditor *editor, const char *code)
{
  guint n = weir_problem_list_get_n_rows (list_of (editor));

  for (guint i = 0; i < n; i++)
    if (g_str_equal (weir_problem_list_get (list_of (editor), i)->code, code))
      return i;
  return G_MAXUINT;
}

/* A row leads to its place and lights up the loop; a fix mends it, and undo takes the
 * mending back. */
static void
test_loop (void)
{
  WeirEditor *editor = open_text (broken);
  const WeirDiagnostic *loop;
  guint before;

  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_problem (editor, "NET04") != G_MAXUINT);
  picture ("60-problems");
  loop = weir_problem_list_get (list_of (editor), find_problem (editor, "NET04"));
  g_assert_cmpuint (loop->n_wires, ==, 3);
  g_assert_cmpuint (weir_canvas_get_n_lit_wires (editor->canvas), ==, 0);
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), loop->text));
  wait_for (weir_canvas_get_n_lit_wires (editor->canvas) == 3);
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), ==, loop->block);
  picture ("61-loop-lit");
  click_canvas (editor);
  g_assert_cmpuint (weir_canvas_get_n_lit_wires (editor->canvas), ==, 0);

  before = weir_diagram_get_n_blocks (root_diagram (editor));
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), "Insert Delay"));
  wait_for (find_problem (editor, "NET04") == G_MAXUINT);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, before + 1);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "Delay")), ==, "UnitDelay");
  picture ("62-delay-inserted");
  key ("<Control>z");
  wait_for (find_problem (editor, "NET04") != G_MAXUINT);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (editor)), ==, before);
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

/* Each of the others by its button, until the model can run. */
static void
test_mend_all (void)
{
  static const char *const buttons[] = { "Insert Delay", "Connect Constant", "Connect Constant",
                                         "Remove Wire" };
  WeirEditor *editor = open_text (broken);

  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_problem (editor, "NET04") != G_MAXUINT);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      guint n = weir_problem_list_get_n_rows (list_of (editor));

      click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), buttons[i]));
      wait_for (weir_problem_list_get_n_rows (list_of (editor)) != n);
    }
  picture ("63-mended");
  g_assert_cmpuint (weir_problem_list_get_n_rows (list_of (editor)), ==, 0);
  editor_close (editor);
}

/* As one edits: a new gain has an open input, and nothing else was asked for. */
static void
test_as_you_go (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Gain", 200, 150);
  wait_for (find_problem (editor, "NET02") != G_MAXUINT);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_label (toplevel_of (editor), "Problems (1)") != NULL);
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), "Make It an Input"));
  wait_for (find_problem (editor, "NET02") == G_MAXUINT);
  g_assert_cmpstr (weir_block_get_type_name (find_block (editor, "u")), ==, "In");
  picture ("64-input");
  editor_close (editor);
}

/* What the context menu of a broken block offers is the same. */
static void
test_menu (void)
{
  WeirEditor *editor = open_text (broken);
  GtkWidget *item;
  GdkPopup *popup;
  WeirPoint at;

  wait_for (find_problem (editor, "NET02") != G_MAXUINT);
  at = block_on_screen (editor, "Open");
  point_at (at);
  send_button (3, TRUE);
  press_button (3, FALSE);
  wait_for (find_label (GTK_WIDGET (editor->canvas), "Connect Constant (u)") != NULL);
  picture ("65-fix-menu");
  item = find_label (GTK_WIDGET (editor->canvas), "Connect Constant (u)");
  popup = GDK_POPUP (gtk_native_get_surface (gtk_widget_get_native (item)));
  at = middle_of (item);
  click_at ((WeirPoint) { at.x + gdk_popup_get_position_x (popup),
                          at.y + gdk_popup_get_position_y (popup) });
  wait_for (weir_diagram_find_block_by_name (root_diagram (editor), "Constant") != NULL);
  editor_close (editor);
}

/* Long buttons stand beneath their sentence, which keeps its width. */
static void
test_long_buttons (void)
{
  WeirEditor *editor = editor_open ();
  GtkWidget *sentence, *button;

  drag_from_palette (editor, "Equations", 200, 150);
  set_parameter (editor, "Equations", "equations", "output y\ny ~ 2*unheard");
  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_problem (editor, "EQ02") != G_MAXUINT);
  sentence = find_label (
      part_of (editor, WEIR_TYPE_PROBLEM_LIST),
      weir_problem_list_get (list_of (editor), find_problem (editor, "EQ02"))->text);
  button = find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), "Make It a Parameter");
  g_assert_cmpfloat (middle_of (button).y, >, middle_of (sentence).y);
  g_assert_cmpint (gtk_widget_get_width (sentence), >,
                   gtk_widget_get_width (part_of (editor, WEIR_TYPE_PROBLEM_LIST)) * 8 / 10);
  picture ("67-long-buttons");
  click (button);
  wait_for (find_problem (editor, "EQ02") == G_MAXUINT);
  editor_close (editor);
}

/* Three networks: nothing sets a potential, two sources are in parallel, and two capacitors that
 * are start at 5 and 3 V. */
static const char networks[] =
    "<weir version='4'><diagram>"
    "<block id='1' type='VoltageSource' name='V1' x='60' y='80'/>"
    "<block id='2' type='Resistor' name='R1' x='160' y='60'/>"
    "<line id='3' from='1.p' to='2.p'/><line id='4' from='1.n' to='2.n'/>"
    "<block id='11' type='VoltageSource' name='V2' x='60' y='220'/>"
    "<block id='12' type='VoltageSource' name='V3' x='180' y='220'/>"
    "<block id='13' type='Ground' name='G2' x='60' y='320'/>"
    "<line id='14' from='11.p' to='12.p'/><line id='15' from='11.n' to='12.n'/>"
    "<line id='16' from='11.n' to='13.p'/>"
    "<block id='21' type='Capacitor' name='C1' x='320' y='80'>"
    "<parameter name='v0' value='5'/></block>"
    "<block id='22' type='Capacitor' name='C2' x='320' y='160'>"
    "<parameter name='v0' value='3'/></block>"
    "<block id='23' type='Resistor' name='R2' x='320' y='240'/>"
    "<block id='24' type='Ground' name='G3' x='420' y='320'/>"
    "<line id='25' from='21.p' to='22.p'/><line id='26' from='21.n' to='22.n'/>"
    "<line id='27' from='22.p' to='23.p'/><line id='28' from='22.n' to='23.n'/>"
    "<line id='29' from='23.n' to='24.p'/></diagram></weir>";

/* What is wrong with networks is mended by its buttons, one after the other. */
static void
test_networks (void)
{
  static const struct {
    const char *code, *button;
  } fixes[] = { { "LIN04", "Add Ground" },
                { "LIN05", "Add Series Resistance" },
                { "LIN07", "Free This Start" } };
  WeirEditor *editor = open_text (networks);

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  for (guint i = 0; i < G_N_ELEMENTS (fixes); i++)
    {
      g_autofree char *name = g_strdup_printf ("69-networks-%u", i + 1);
      g_autofree char *dark = g_strdup_printf ("%s-dark", name);

      wait_for (find_problem (editor, fixes[i].code) != G_MAXUINT);
      picture (name);
      picture_dark (dark);
      click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), fixes[i].button));
      wait_for (find_problem (editor, fixes[i].code) == G_MAXUINT);
    }
  picture ("69-networks-mended");
  editor_close (editor);
}

/* A part that somebody wrote, and a built-in one of which another default is on record. */
#define LAMP(R)                                                                                    \
  "group \"Mine\"\npart Lamp \"Lamp of Mine\" Lamp\n  help \"Glows.\"\n  pin p: electrical left\n" \
  "  pin n: electrical right\n  through i: p -> n\n  across v: p - n\n"                            \
  "  parameter R > 0 = " R " \"ohm\"  # Resistance: Of it.\n  v ~ R*i\n"
static const char lamps[] =
    "<weir version='4'><meta name='part' of='Conductor' value='0123456789abcdef G=7'/><diagram>"
    "<block id='1' type='VoltageSource' name='V1' x='80' y='100'/>"
    "<block id='2' type='Lamp' name='L1' x='160' y='60'/>"
    "<block id='3' type='Conductor' name='G1' x='260' y='60'/>"
    "<block id='4' type='Ground' name='Ground' x='80' y='220'/>"
    "<line id='5' from='1.p' to='2.p'/><line id='6' from='2.n' to='3.p'/>"
    "<line id='7' from='3.n' to='1.n'/><line id='8' from='1.n' to='4.p'/></diagram></weir>";

/* As somebody saves it whose part is that. */
static void
save_lamps (GFile *file, const char *part_path)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (g_file_set_contents (part_path, LAMP ("5"), -1, NULL));
  g_assert_true (g_file_set_contents (g_file_peek_path (file), lamps, -1, NULL));
  g_assert_true (weir_document_load (document, file, diagnostics));
  bytes = weir_model_write_bytes (weir_document_get_model (document));
  g_assert_true (g_file_set_contents (g_file_peek_path (file), g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes), NULL));
}

/* Parts that are others than when the model was saved: the new one is taken, former values are
 * kept, the rest is accepted. */
static void
test_parts (void)
{
  static const struct {
    const char *code, *button;
  } fixes[] = { { "PRT01", "Take the Part on Disk" },
                { "PRT02", "Keep Former Values" },
                { "PRT03", "Accept the Part as It Is" } };
  g_autofree char *folder = g_dir_make_tmp ("weir-problems-XXXXXX", NULL);
  g_autofree char *part = g_build_filename (folder, "lamp.weirpart", NULL);
  g_autofree char *path = g_build_filename (folder, "lamps.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirEditor *editor = editor_open ();

  save_lamps (file, part);
  g_assert_true (g_file_set_contents (part, LAMP ("2000"), -1, NULL));
  g_assert_true (weir_editor_open (editor, file));
  wait_for_opening (editor);
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  for (guint i = 0; i < G_N_ELEMENTS (fixes); i++)
    {
      g_autofree char *name = g_strdup_printf ("70-parts-%u", i + 1);
      g_autofree char *dark = g_strdup_printf ("%s-dark", name);

      wait_for (find_problem (editor, fixes[i].code) != G_MAXUINT);
      wait_for (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), fixes[i].button) != NULL);
      picture (name);
      picture_dark (dark);
      click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), fixes[i].button));
      wait_for (find_problem (editor, fixes[i].code) == G_MAXUINT);
    }
  picture ("70-parts-mended");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "G1"), "G"), ==, "7");
  editor_close (editor);
  g_assert_cmpint (g_remove (part), ==, 0);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirEditor *editor;
  const WeirDiagnostic *loop;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  editor = open_text (broken);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_problem (editor, "NET04") != G_MAXUINT);
  loop = weir_problem_list_get (list_of (editor), find_problem (editor, "NET04"));
  click (find_label (part_of (editor, WEIR_TYPE_PROBLEM_LIST), loop->text));
  wait_for (weir_canvas_get_n_lit_wires (editor->canvas) == 3);
  picture ("66-loop-lit-dark");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  editor_close (editor);
}

static gboolean
is_sign (GtkWidget *widget, gconstpointer icon)
{
  return GTK_IS_IMAGE (widget)
         && g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (widget)), icon) == 0;
}

static GtkWidget *
find_sign (WeirEditor *editor, const char *icon)
{
  return find_widget (part_of (editor, WEIR_TYPE_PROBLEM_LIST), is_sign, icon);
}

static void
assert_color (WeirEditor *editor, const char *icon, WeirColor expected)
{
  GtkWidget *sign = find_sign (editor, icon);
  GdkRGBA color;

  g_assert_nonnull (sign);
  gtk_style_context_get_color (gtk_widget_get_style_context (sign), &color);
  g_assert_cmpfloat_with_epsilon (color.red, expected.r, 1e-6);
  g_assert_cmpfloat_with_epsilon (color.green, expected.g, 1e-6);
  g_assert_cmpfloat_with_epsilon (color.blue, expected.b, 1e-6);
}

/* Signs in the list are of the colours of the marks on the diagram, whatever the scheme. */
static void
test_colors (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_DARK,
                                     ADW_COLOR_SCHEME_DEFAULT };
  WeirEditor *editor = open_text (broken);

  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (find_sign (editor, "dialog-warning-symbolic") != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      gboolean dark = schemes[i] == ADW_COLOR_SCHEME_FORCE_DARK;
      const WeirPalette *palette = weir_palette_find (dark, FALSE);

      adw_style_manager_set_color_scheme (style, schemes[i]);
      spin (300);
      assert_color (editor, "dialog-warning-symbolic", palette->warning);
      assert_color (editor, "dialog-error-symbolic", palette->error);
      picture (dark ? "68-colors-dark" : "67-colors-light");
    }
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/problems/loop", test_loop);
  g_test_add_func ("/window/problems/mend-all", test_mend_all);
  g_test_add_func ("/window/problems/as-you-go", test_as_you_go);
  g_test_add_func ("/window/problems/menu", test_menu);
  g_test_add_func ("/window/problems/long-buttons", test_long_buttons);
  g_test_add_func ("/window/problems/networks", test_networks);
  g_test_add_func ("/window/problems/parts", test_parts);
  g_test_add_func ("/window/problems/dark", test_dark);
  g_test_add_func ("/window/problems/colors", test_colors);
  return driver_main ();
}
