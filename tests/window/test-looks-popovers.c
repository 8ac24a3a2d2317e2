/* What opens above the window: menus, popovers, questions. In a window of 1024 x 768, with large
 * text, in the dark and with high contrast, each can be read whole: it has the room that it needs,
 * is no larger than such a screen, and nothing in it is cut off.
 */
#include "looks.h"

#include "scopes/plot-card.h"
#include "cache/break-panel.h"

#define WIDTH 1024
#define HEIGHT 768

static const char *look;  /* the name of what is looked at, for pictures */
static gboolean is_large; /* text: what opens fits a small screen, the window below it may not */

static void
activate (WeirEditor *editor, const char *action)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (editor->actions), action));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), action, NULL);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* A small screen has room for what a widget with a surface of its own needs at least: what it would
 * like beyond that scrolls. */
static void
assert_has_room (GtkWidget *widget, const char *where)
{
  int width, height;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (widget), &height,
                      NULL, NULL, NULL);
  if (width <= WIDTH && height <= HEIGHT)
    return;
  g_test_message ("%s: %d x %d is more than a screen of %d x %d has", where, width, height, WIDTH,
                  HEIGHT);
  g_test_fail ();
}

static void
collect_popovers (GtkWidget *widget, GPtrArray *found)
{
  if (GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_popovers (child, found);
}

/* All popovers that are open above @toplevel, which are then closed. At least one is. */
static void
read_popovers (GtkWidget *toplevel, const char *what)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *where = g_strdup_printf ("p-%s-%s", look, what);

  spin (300);
  collect_popovers (toplevel, found);
  if (found->len == 0)
    {
      g_test_message ("%s: nothing opened", where);
      g_test_fail ();
    }
  picture (where);
  for (guint i = 0; i < found->len; i++)
    {
      /* The part of the popover that what is in it is clipped to. */
      assert_readable (gtk_widget_get_parent (gtk_popover_get_child (found->pdata[i])), where);
      assert_has_room (found->pdata[i], where);
    }
  for (guint i = found->len; i > 0; i--)
    gtk_popover_popdown (found->pdata[i - 1]);
  spin (200);
}

static void
read_dialog (WeirEditor *editor, const char *action, GType type)
{
  g_autofree char *where = g_strdup_printf ("p-%s-%s", look, action);
  GtkWidget *dialog;

  activate (editor, action);
  wait_for ((dialog = find_toplevel (type)) != NULL);
  spin (300);
  picture (where);
  assert_readable (dialog, where);
  assert_has_room (dialog, where);
  gtk_window_close (GTK_WINDOW (dialog));
  wait_for (find_toplevel (type) == NULL);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
}

/* --- Everything that opens -------------------------------------------------------------------- */

static void
collect_buttons (GtkWidget *widget, GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return;
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_sensitive (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_buttons (child, found);
}

/* Every button with a menu that is seen and was not opened yet. */
static void
open_buttons (WeirEditor *editor, const char *page, GHashTable *opened)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  collect_buttons (GTK_WIDGET (toplevel_of (editor)), found);
  for (guint i = 0; i < found->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", page, i);

      if (!g_hash_table_add (opened, found->pdata[i]))
        continue;
      gtk_menu_button_popup (found->pdata[i]);
      read_popovers (GTK_WIDGET (toplevel_of (editor)), name);
    }
}

static WeirEditor *
open_small (const char *example)
{
  WeirEditor *editor = window_open_example (example);

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), WIDTH, HEIGHT);
  spin (300);
  return editor;
}

static void
look_at_pages (void)
{
  static const struct {
    WeirPerspective perspective;
    const char *pages[6];
  } places[] = {
    { WEIR_PERSPECTIVE_MODEL, { "plots", "runs", "studies", "problems" } },
    { WEIR_PERSPECTIVE_CACHE, { "cache", "dependencies", "lab", "breakpoints", "timeline" } },
    { WEIR_PERSPECTIVE_ANALYSIS, { "analysis" } },
  };
  WeirEditor *editor = open_small ("pendulum.weir");
  g_autoptr (GHashTable) opened = g_hash_table_new (NULL, NULL);
  GtkWidget *top = GTK_WIDGET (toplevel_of (editor)), *card;
  const GType card_type = WEIR_TYPE_PLOT_CARD;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Pendulum")));
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      weir_host_set_perspective (WEIR_HOST (editor), places[i].perspective);
      for (guint k = 0; places[i].pages[k] != NULL; k++)
        {
          weir_host_show_page (WEIR_HOST (editor), places[i].pages[k]);
          spin (300);
          if (!is_large)
            assert_has_room (top, places[i].pages[k]);
          open_buttons (editor, places[i].pages[k], opened);
        }
    }

  weir_host_set_perspective (WEIR_HOST (editor), WEIR_PERSPECTIVE_MODEL);
  weir_host_show_page (WEIR_HOST (editor), "plots");
  activate (editor, "figures");
  spin (300);
  if (!is_large)
    assert_has_room (top, "figures");
  open_buttons (editor, "figures", opened);
  activate (editor, "figures"); /* it stood in the place of plots, if there is no room for both */
  wait_for (find_widget (part_of (editor, WEIR_TYPE_SCOPES), has_type, &card_type) != NULL);
  card = find_of_type (part_of (editor, WEIR_TYPE_SCOPES), card_type);
  gtk_widget_activate_action (card, "plot.axes", NULL);
  read_popovers (top, "axes");
  gtk_widget_activate_action (card, "plot.bounds", NULL);
  read_popovers (top, "bounds");
  gtk_widget_activate_action (card, "plot.spectrum", NULL);
  spin (300);
  open_buttons (editor, "spectrum", opened);
  editor_close (editor);
}

/* What the canvas asks, and its menus. */
static void
look_at_canvas (void)
{
  WeirEditor *editor = open_small ("mass-spring-damper.weir");
  GtkWidget *top = GTK_WIDGET (toplevel_of (editor));
  WeirPoint block = block_on_screen (editor, "Spring");
  guint32 id = weir_block_get_id (find_block (editor, "Spring"));

  click_button_at (3, block);
  read_popovers (top, "block-menu");
  click_button_at (3, (WeirPoint) { block.x, block.y - 60 });
  read_popovers (top, "canvas-menu");
  weir_canvas_show_rename (editor->canvas, id);
  gtk_editable_set_text (GTK_EDITABLE (find_of_type (GTK_WIDGET (editor->canvas), GTK_TYPE_ENTRY)),
                         "Damper"); /* the name of another, which is told */
  read_popovers (top, "rename");
  weir_canvas_show_note (editor->canvas, 0, (WeirPoint) { 0, 0 });
  read_popovers (top, "note");
  click_canvas (editor);
  key ("<Control>f");
  spin (100);
  type_text ("gain");
  read_popovers (top, "find");
  activate (editor, "show-commands");
  read_popovers (top, "commands");
  click_at (block);
  key ("b");
  weir_host_set_perspective (WEIR_HOST (editor), WEIR_PERSPECTIVE_CACHE);
  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  spin (200);
  weir_break_panel_edit (WEIR_BREAK_PANEL (part_of (editor, WEIR_TYPE_BREAK_PANEL)), 0);
  read_popovers (top, "breakpoint");
  editor->may_close = TRUE;
  editor_close (editor);
}

/* Questions and windows of their own. */
static void
look_at_dialogs (void)
{
  WeirEditor *editor = open_small ("dc-motor.weir");

  read_dialog (editor, "about", ADW_TYPE_ABOUT_WINDOW);
  read_dialog (editor, "generate-code", ADW_TYPE_MESSAGE_DIALOG);
  read_dialog (editor, "export-fmu", ADW_TYPE_MESSAGE_DIALOG);
  weir_canvas_add_block (editor->canvas, "Gain");
  read_dialog (editor, "close-tab", ADW_TYPE_MESSAGE_DIALOG);
  editor->may_close = TRUE;
  editor_close (editor);
}

static void
look_at_all (const char *name)
{
  look = name;
  look_at_pages ();
  look_at_canvas ();
  look_at_dialogs ();
}

static void
test_small (void)
{
  look_at_all ("small");
}

static void
test_large_text (gconstpointer language)
{
  g_autofree char *name = g_strdup_printf ("200-%s", (const char *) language);

  speak (language);
  is_large = TRUE;
  set_text_scale (2);
  look_at_all (name);
  set_text_scale (1);
  is_large = FALSE;
  speak ("");
}

static void
test_dark (void)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  look_at_all ("dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/looks-popovers/small", test_small);
  g_test_add_func ("/window/looks-popovers/dark", test_dark);
  g_test_add_data_func ("/window/looks-popovers/large-text/en", "", test_large_text);
  g_test_add_data_func ("/window/looks-popovers/large-text/de", "de", test_large_text);
  return driver_main ();
}
