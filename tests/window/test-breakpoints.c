/* Breakpoints by key, pointer and form: where the run pauses, what is said, what is marked, and
 * that what comes out is the same to the bit. What is shown is compared with the session's own
 * snapshot.
 */
#include "driver.h"

#include "cache/break-editor.h"
#include "cache/break-panel.h"
#include "cache/cache-columns.h"
#include "cache/explain-panel.h"
#include "run/runner.h"

static const WeirSnapshot *
snapshot_of (WeirEditor *editor)
{
  return weir_session_get_snapshot (weir_runner_get_session (editor->runner));
}

static gboolean
is_at_break (WeirEditor *editor)
{
  return weir_runner_get_session (editor->runner) != NULL && snapshot_of (editor)->is_at_break;
}

static gboolean
is_banner_shown (WeirEditor *editor, const char *part)
{
  return gtk_widget_get_visible (editor->bar)
         && strstr (gtk_label_get_text (GTK_LABEL (editor->bar_text)), part) != NULL;
}

static gboolean
is_visible_button (GtkWidget *widget, gconstpointer icon)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0;
}

static gboolean
is_entry (GtkWidget *widget, gconstpointer placeholder)
{
  return GTK_IS_ENTRY (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (widget)), placeholder) == 0;
}

static gboolean
is_list_switch (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_SWITCH (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
contains_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static void
rename_block (WeirEditor *editor, const char *block, const char *name)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  g_assert_true (weir_patch_rename_block (patch, weir_document_get_model (editor->document),
                                          (WeirPlace) { 0 },
                                          weir_block_get_id (find_block (editor, block)), name));
  g_assert_true (weir_document_edit (editor->document, patch, "Rename", NULL, NULL));
}

static guint
n_breakpoints (WeirEditor *editor)
{
  g_autoptr (GArray) list = weir_model_dup_breakpoints (weir_document_get_model (editor->document));

  return list->len;
}

/* A key on a block, F5, the sentence, Continue; then the switch of its row lets the run pass. */
static void
test_key (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autoptr (GBytes) before = NULL, after = NULL;
  g_autofree char *time = NULL;
  guint64 count;

  set_setting (editor, "stop-time", "3");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  before = recorded (editor);

  click_at (block_on_screen (editor, "Pendulum"));
  key ("b");
  wait_for (n_breakpoints (editor) == 1);
  key ("F5");
  wait_for (is_at_break (editor) && is_banner_shown (editor, "was computed"));
  g_assert_cmpuint (snapshot_of (editor)->hit.count, ==, 1);
  g_assert_true (is_banner_shown (editor, "Pendulum"));
  g_assert_cmpstr (shown_page (editor), ==, "dependencies");
  g_assert_cmpuint (weir_canvas_get_selected_block (editor->canvas), ==,
                    weir_block_get_id (find_block (editor, "Pendulum")));
  {
    WeirEntry explained;

    g_assert_true (weir_explain_panel_get_entry (
        WEIR_EXPLAIN_PANEL (part_of (editor, WEIR_TYPE_EXPLAIN_PANEL)), &explained));
    g_assert_cmpuint (explained.i, ==, snapshot_of (editor)->hit.entry.i);
  }
  picture ("70-break-paused");
  count = snapshot_of (editor)->hit.count;
  click (editor->bar_button);
  wait_for (is_at_break (editor) && snapshot_of (editor)->hit.count > count);
  wait_for (is_banner_shown (editor, "hit 2"));

  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  spin (100);
  picture ("71-break-list");
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "2"));
  click (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), is_list_switch, NULL));
  click (editor->bar_button);
  wait_for (run_is_over (editor));
  wait_for (!gtk_widget_get_visible (editor->bar));
  after = recorded (editor);
  g_assert_true (g_bytes_equal (before, after));
  g_assert_cmpuint (n_breakpoints (editor), ==, 1);

  click (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), is_visible_button,
                      "user-trash-symbolic"));
  wait_for (n_breakpoints (editor) == 0);
  key ("<Control>z");
  wait_for (n_breakpoints (editor) == 1);
  editor_close (editor);
}

/* By hand: a parameter's change, which pauses between steps; and a name that does not exist. */
static void
test_form (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  set_setting (editor, "stop-time", "1000");
  set_setting (editor, "real-time-rate", "1");
  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  spin (100);
  picture ("72-break-empty");
  click (find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "Add Breakpoint…"));
  wait_for (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), is_entry,
                         "Block:value, Block.parameter, time")
            != NULL);
  spin (200); /* it opens with the keyboard in its first field */
  type_text ("Pendulum.nonsense");
  wait_for (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), contains_text,
                         "There is no \"nonsense\"")
            != NULL);
  picture ("73-break-editor");
  key ("<Control>a");
  type_text ("Pendulum.gravity");
  wait_for (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), contains_text, "There is no")
            == NULL);
  key ("Escape");
  spin (100);
  rename_block (editor, "Pendulum", "Swing");
  wait_for (
      find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), contains_text, "There is no \"Pendulum")
      != NULL);
  key ("<Control>z");
  wait_for (
      find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), contains_text, "There is no \"Pendulum")
      == NULL);
  g_assert_nonnull (
      find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "Pendulum.gravity changes"));
  click (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), is_list_switch,
                      NULL)); /* made switched off */
  click_canvas (editor);
  key ("F5");
  wait_for (weir_runner_is_active (editor->runner) && snapshot_of (editor)->time > 0);
  set_parameter (editor, "Pendulum", "gravity", "4");
  wait_for (is_at_break (editor));
  g_assert_cmpint (snapshot_of (editor)->hit.phase, ==, WEIR_LOG_PHASE_EDIT);
  wait_for (is_banner_shown (editor, "in an edit"));
  picture ("74-break-edit");
  click (editor->bar_button);
  wait_for (!is_at_break (editor));
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  editor_close (editor);
}

static gboolean
is_switch_of (GtkWidget *widget, gconstpointer column)
{
  return GTK_IS_SWITCH (widget) && gtk_widget_get_mapped (widget)
         && GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "weir-column"))
                == GPOINTER_TO_INT (column);
}

static GtkWidget *
find_switch (WeirEditor *editor, WeirColumn column)
{
  return find_widget (part_of (editor, WEIR_TYPE_CACHE_PANEL), is_switch_of,
                      GINT_TO_POINTER ((int) column));
}

static gboolean
has_bit (const guint64 *bits, guint i)
{
  return (bits[i / 64] >> (i % 64)) & 1;
}

/* A rate says of how many requests it is; what does not matter to it is not asked for. */
static void
test_rate (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *kind;

  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  spin (100);
  click (find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "Add Breakpoint…"));
  wait_for (find_widget (part_of (editor, WEIR_TYPE_BREAK_PANEL), is_entry,
                         "Block:value, Block.parameter, time")
            != NULL);
  spin (200);
  type_text ("Pendulum.potential");
  kind = find_of_type (part_of (editor, WEIR_TYPE_BREAK_PANEL), GTK_TYPE_DROP_DOWN);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (kind), WEIR_BREAK_RATE);
  spin (100);
  picture ("76-break-rate");
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "Of the last requests"));
  g_assert_null (find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL), "And is"));
  key ("Escape");
  spin (100);
  g_assert_nonnull (
      find_label (part_of (editor, WEIR_TYPE_BREAK_PANEL),
                  "Pendulum.potential is too rarely answered from the cache, in less than "
                  "50 % of the last 100 requests"));
  editor_close (editor);
}

/* The switches of a row in the table, while a run goes on: held it pauses before the value is
 * computed, as the snapshot says; released, and with a breakpoint set and removed there, the run
 * comes out the same. */
static void
test_table (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autoptr (GBytes) before = NULL, after = NULL;
  guint entry;

  set_setting (editor, "stop-time", "3");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  before = recorded (editor);
  set_setting (editor, "real-time-rate", "0.05"); /* it is to go on meanwhile */
  weir_host_show_page (WEIR_HOST (editor), "cache");
  click_canvas (editor);
  key ("F5");
  wait_for (weir_runner_is_active (editor->runner) && snapshot_of (editor)->time > 0);
  spin (100);
  click (find_switch (editor, WEIR_COLUMN_HELD));
  wait_for (is_at_break (editor));
  entry = snapshot_of (editor)->hit.entry.i;
  g_assert_cmpuint (snapshot_of (editor)->hit.index, ==, G_MAXUINT);
  g_assert_true (has_bit (snapshot_of (editor)->held, entry));
  wait_for (is_banner_shown (editor, "is held, and is to be computed now"));
  g_assert_cmpstr (shown_page (editor), ==, "cache");
  spin (100);
  picture ("75-held");
  click (find_switch (editor, WEIR_COLUMN_HELD));
  wait_for (!has_bit (snapshot_of (editor)->held, entry));
  click (find_switch (editor, WEIR_COLUMN_BREAK));
  wait_for (n_breakpoints (editor) == 1);
  click (editor->bar_button);
  wait_for (is_at_break (editor) && snapshot_of (editor)->hit.index == 0);
  g_assert_cmpuint (snapshot_of (editor)->hit.entry.i, ==, entry);
  click (find_switch (editor, WEIR_COLUMN_BREAK));
  wait_for (n_breakpoints (editor) == 0);
  click (find_switch (editor, WEIR_COLUMN_CACHED));
  click (editor->bar_button);
  wait_for (has_bit (snapshot_of (editor)->disabled, entry));
  picture ("76-uncached-row");
  set_setting (editor, "real-time-rate", "0");
  wait_for (run_is_over (editor));
  after = recorded (editor);
  g_assert_true (g_bytes_equal (before, after));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/breakpoints/key", test_key);
  g_test_add_func ("/window/breakpoints/form", test_form);
  g_test_add_func ("/window/breakpoints/rate", test_rate);
  g_test_add_func ("/window/breakpoints/table", test_table);
  return driver_main ();
}
