/* The page of the schedule: it is there while the model has units, and its buttons are edits of the
 * model that undo takes back.
 */
#include "driver.h"

static GtkWidget *
page_of (WeirEditor *editor)
{
  return part_of (editor, g_type_from_name ("WeirSchedulePage"));
}

static const char *
place_of (WeirEditor *editor, const char *name)
{
  const WeirBlock *block = weir_model_find_path (weir_document_get_model (editor->document), name);

  return weir_block_get_unit_setting (block, "place");
}

static void
test_order (void)
{
  WeirEditor *editor = window_open_example ("five-simulators.weir");

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  picture ("90-schedule");
  g_assert_cmpstr (place_of (editor, "S4"), ==, "4");
  click (find_label (page_of (editor), "Fewest Late"));
  wait_for (g_str_equal (place_of (editor, "S4"), "1"));
  g_assert_cmpstr (place_of (editor, "S5"), ==, "2");
  g_assert_cmpstr (place_of (editor, "S3"), ==, "5");
  weir_document_undo (editor->document);
  g_assert_cmpstr (place_of (editor, "S4"), ==, "4");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  click (find_label (page_of (editor), "Compare Schedules"));
  wait_for (find_label (page_of (editor), "the same") != NULL); /* S4 reads nothing */
  picture ("91-schedule-compared");
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/schedule/order", test_order);
  return driver_main ();
}
