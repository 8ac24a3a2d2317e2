/* Ports of one terminal stand together on the block of an FMU, behind room for its name; words for
 * them name it too. */
#include <glib/gstdio.h>

#include "../fmi/terminals.h"
#include "../folders.h"
#include "model/files/xml.h"
#include "paint/ground/geometry.h"
#include "paint/scene/describe.h"

#define assert_point(p, px, py)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_cmpfloat ((p).x, ==, px);                                                             \
    g_assert_cmpfloat ((p).y, ==, py);                                                             \
  }                                                                                                \
  G_STMT_END

/* A model with the block "A" at (100, 200), an FMU with inputs i, u and outputs v, w. */
static WeirModel *
read_model (const char *terminal, const char *attributes)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-terminals-XXXXXX", NULL);
  g_autofree char *fmu = write_fmu (folder, "side.fmu", terminal);
  g_autofree char *path = g_build_filename (folder, "m.weir", NULL);
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n<diagram>\n<block "
      "id=\"1\" "
      "type=\"FMU\" name=\"A\" x=\"100\" y=\"200\"%s><parameter name=\"file\" "
      "value=\"side.fmu\"/></block>\n</diagram>\n</weir>\n",
      attributes);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model;

  g_assert_nonnull (fmu);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  model = weir_model_read_file (file, diagnostics);
  g_assert_nonnull (model);
  remove_folder (folder);
  return model;
}

static WeirBlockShape *
shape_new (WeirModel *model)
{
  return weir_block_shape_new (weir_model_find_path (model, "A"));
}

static WeirPoint
find (const WeirBlockShape *shape, const char *name, gboolean is_output)
{
  const WeirPortShape *port = weir_block_shape_find_port (shape, name, is_output);

  g_assert_nonnull (port);
  return port->position;
}

static const WeirTerminalShape *
get_terminal (const WeirBlockShape *shape, guint i)
{
  return &g_array_index (shape->terminals, WeirTerminalShape, i);
}

/* Of 160 by 80: places on a side are 20 apart around the middle. The terminal has u and w, each
 * third of three places, behind the second, which is the name's. */
static void
test_last (void)
{
  g_autoptr (WeirModel) model = read_model ("plug - u=a w=b", "");
  g_autoptr (WeirBlockShape) shape = shape_new (model);

  g_assert_cmpfloat (shape->box.width, ==, 160);
  g_assert_cmpfloat (shape->box.height, ==, 80);
  assert_point (find (shape, "i", FALSE), 100, 220);
  assert_point (find (shape, "u", FALSE), 100, 260);
  assert_point (find (shape, "v", TRUE), 260, 220);
  assert_point (find (shape, "w", TRUE), 260, 260);
  g_assert_cmpuint (shape->terminals->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpstr (get_terminal (shape, i)->name, ==, "t");
      assert_point (get_terminal (shape, i)->name_position, i == 0 ? 100 : 260, 240);
      assert_point (get_terminal (shape, i)->first, i == 0 ? 100 : 260, 260);
      assert_point (get_terminal (shape, i)->last, i == 0 ? 100 : 260, 260);
      assert_point (get_terminal (shape, i)->normal, i == 0 ? -1 : 1, 0);
    }
}

/* What follows a terminal is a place apart; what is in none of them stands as ever. */
static void
test_first (void)
{
  g_autoptr (WeirModel) model = read_model ("plug - i=a", "");
  g_autoptr (WeirBlockShape) shape = shape_new (model);

  g_assert_cmpfloat (shape->box.height, ==, 100); /* four places: the name, i, none, u */
  assert_point (get_terminal (shape, 0)->name_position, 100, 220);
  assert_point (find (shape, "i", FALSE), 100, 240);
  assert_point (find (shape, "u", FALSE), 100, 280);
  assert_point (find (shape, "v", TRUE), 260, 240);
  assert_point (find (shape, "w", TRUE), 260, 260);
  g_assert_cmpuint (shape->terminals->len, ==, 1);
}

static void
test_together (void)
{
  g_autoptr (WeirModel) model = read_model ("plug - i=a u=b", "");
  g_autoptr (WeirBlockShape) shape = shape_new (model);

  g_assert_cmpuint (shape->terminals->len, ==, 1);
  assert_point (get_terminal (shape, 0)->first, 100, 240);
  assert_point (get_terminal (shape, 0)->last, 100, 260);
}

/* Turned by a quarter the left side is on top. */
static void
test_turned (void)
{
  g_autoptr (WeirModel) model = read_model ("plug - u=a w=b", " rotation=\"90\"");
  g_autoptr (WeirBlockShape) shape = shape_new (model);

  g_assert_cmpfloat (shape->box.width, ==, 80);
  assert_point (get_terminal (shape, 0)->normal, 0, -1);
  assert_point (get_terminal (shape, 0)->name_position, 140, 200);
  assert_point (find (shape, "u", FALSE), 120, 200);
  assert_point (find (shape, "i", FALSE), 160, 200);
}

static void
test_none (void)
{
  g_autoptr (WeirModel) model = read_model ("plug -", "");
  g_autoptr (WeirBlockShape) shape = shape_new (model);

  g_assert_null (shape->terminals);
  g_assert_cmpfloat (shape->box.width, ==, 80);
}

static void
test_words (void)
{
  g_autoptr (WeirModel) model = read_model ("plug - u=a w=b", "");
  g_autofree char *in = weir_diagram_describe_port (weir_model_get_root (model), 1, "u", FALSE);
  g_autofree char *other = weir_diagram_describe_port (weir_model_get_root (model), 1, "i", FALSE);

  g_assert_cmpstr (in, ==, "input u of terminal t not connected");
  g_assert_cmpstr (other, ==, "input i not connected");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/terminals/last", test_last);
  g_test_add_func ("/paint/terminals/first", test_first);
  g_test_add_func ("/paint/terminals/together", test_together);
  g_test_add_func ("/paint/terminals/turned", test_turned);
  g_test_add_func ("/paint/terminals/none", test_none);
  g_test_add_func ("/paint/terminals/words", test_words);
  return g_test_run ();
}
