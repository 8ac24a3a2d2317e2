/* What users of such editors ask for most: the numbered rows of research on the peers, those that
 * need no window. Each test's name carries its row's number.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "canvas/widget/canvas.h"
#include "canvas/widget/canvas-actions.h"
#include "canvas/edits/edits.h"
#include "canvas/edits/fixes.h"
#include "canvas/tool/viewport.h"
#include "example.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

static WeirSite
site_of (WeirDocument *document)
{
  return (WeirSite) { .model = weir_document_get_model (document), .place = WEIR_PLACE_ROOT };
}

static void
apply (WeirDocument *document, WeirEdit *edit)
{
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (edit);
  g_assert_true (weir_document_edit (document, edit->patch, edit->label, NULL, &error));
  g_assert_no_error (error);
  weir_edit_free (edit);
}

static WeirScene *
scene_of (WeirDocument *document)
{
  return weir_scene_new (weir_model_get_root (weir_document_get_model (document)), NULL);
}

static WeirElements
one_block (const guint32 *id)
{
  return (WeirElements) { .blocks = id, .n_blocks = 1 };
}

/* 1: undo and redo of everything, without a limit. */
static void
test_undo (void)
{
  static const guint32 gain = EXAMPLE_GAIN;
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirModel) start = weir_model_ref (weir_document_get_model (document));
  g_autoptr (WeirModel) end = NULL;
  guint n = 500;

  for (guint i = 0; i < n; i++)
    apply (document,
           i % 5 == 4
               ? weir_edit_add_block (site_of (document), "Gain", (WeirPoint) { 0, 20.0 * i })
               : weir_edit_move (site_of (document), one_block (&gain), (WeirPoint) { 10, 0 }));
  end = weir_model_ref (weir_document_get_model (document));
  for (guint i = 0; i < n; i++)
    weir_document_undo (document);
  g_assert_true (weir_model_equal (start, weir_document_get_model (document)));
  for (guint i = 0; i < n; i++)
    weir_document_redo (document);
  g_assert_true (weir_model_equal (end, weir_document_get_model (document)));
}

static guint
count_errors (WeirDocument *document)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = weir_document_complete (document, &diagnostics);
  guint n = 0;

  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    n += weir_diagnostics_get (diagnostics, i)->severity == WEIR_SEVERITY_ERROR;
  return n;
}

/* 2: what a switch does to validity is undone with it. */
static void
test_undo_validity (void)
{
  static const guint32 feedback = EXAMPLE_WIRE_FEEDBACK, gain = EXAMPLE_GAIN;
  g_autoptr (WeirDocument) document = example_document ();

  g_assert_cmpuint (count_errors (document), ==, 0);
  apply (document, weir_edit_delete (site_of (document),
                                     (WeirElements) { .wires = &feedback, .n_wires = 1 }));
  g_assert_cmpuint (count_errors (document), ==, 1);
  weir_document_undo (document);
  g_assert_cmpuint (count_errors (document), ==, 0);
  apply (document, weir_edit_set_mode (site_of (document), &gain, 1, WEIR_BLOCK_COMMENTED_OUT));
  weir_document_undo (document);
  g_assert_cmpint (
      weir_block_get_mode (weir_model_find_block (weir_document_get_model (document), gain, NULL)),
      ==, WEIR_BLOCK_ACTIVE);
}

static WeirModel *
read_back (WeirModel *model)
{
  g_autoptr (GBytes) bytes = weir_model_write_bytes (model);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *read = weir_model_read_bytes (bytes, NULL, diagnostics);

  g_assert_nonnull (read);
  return read;
}

/* 7: sizes and places are the same after saving and opening. */
static void
test_layout_kept (void)
{
  static const guint32 gain = EXAMPLE_GAIN;
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirModel) read = NULL;
  g_autoptr (WeirScene) before = NULL;
  g_autoptr (WeirScene) after = NULL;

  apply (document,
         weir_edit_resize (site_of (document), EXAMPLE_PLANT, (WeirRect) { 460, -20, 130, 90 }));
  apply (document, weir_edit_rotate (site_of (document), &gain, 1, 1));
  read = read_back (weir_document_get_model (document));
  before = scene_of (document);
  after = weir_scene_new (weir_model_get_root (read), NULL);
  for (guint i = 0; i < weir_scene_get_n_blocks (before); i++)
    {
      WeirRect a = weir_scene_get_block (before, i)->box, b = weir_scene_get_block (after, i)->box;

      g_assert_true (a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height);
    }
  for (guint i = 0; i < weir_scene_get_n_wires (before); i++)
    {
      const WeirWireShape *a = weir_scene_get_wire (before, i), *b = weir_scene_get_wire (after, i);

      g_assert_cmpmem (a->points, a->n_points * sizeof *a->points, b->points,
                       b->n_points * sizeof *b->points);
    }
}

static char **
dup_lines (GBytes *bytes)
{
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  return g_strsplit (text, "\n", -1);
}

/* 8: what is selected is doubled in one step, with the wires within; a copy of the whole is written
 * beside, and the document stays what it was. */
static void
test_duplicate (void)
{
  static const guint32 two[] = { EXAMPLE_SUM, EXAMPLE_INTEGRATOR };
  g_autoptr (WeirDocument) document = example_document ();
  WeirDiagram *diagram = weir_site_get_diagram (site_of (document));
  guint n_blocks = weir_diagram_get_n_blocks (diagram),
        n_wires = weir_diagram_get_n_wires (diagram);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "weir-copy-XXXXXX", NULL);
  g_autoptr (WeirModel) copy = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  apply (document,
         weir_edit_duplicate (site_of (document), (WeirElements) { .blocks = two, .n_blocks = 2 },
                              (WeirPoint) { 40, 40 }));
  diagram = weir_site_get_diagram (site_of (document));
  g_assert_cmpuint (weir_diagram_get_n_blocks (diagram), ==, n_blocks + 2);
  g_assert_cmpuint (weir_diagram_get_n_wires (diagram), ==, n_wires + 1);

  close (g_mkstemp (path));
  file = g_file_new_for_path (path);
  g_assert_true (weir_model_write_file (weir_document_get_model (document), file, &error));
  g_assert_no_error (error);
  g_assert_null (weir_document_get_file (document));
  g_assert_true (weir_document_get_modified (document));
  copy = weir_model_read_file (file, diagnostics);
  g_assert_true (weir_model_equal (copy, weir_document_get_model (document)));
  g_unlink (path);
}

/* 9: a file is text in a fixed order: moving one block changes one line. */
static void
test_small_difference (void)
{
  static const guint32 gain = EXAMPLE_GAIN;
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (GBytes) first = weir_model_write_bytes (weir_document_get_model (document));
  g_autoptr (GBytes) second = NULL;
  g_auto (GStrv) before = NULL;
  g_auto (GStrv) after = NULL;
  guint n_changed = 0;

  apply (document, weir_edit_move (site_of (document), one_block (&gain), (WeirPoint) { 0, 40 }));
  second = weir_model_write_bytes (weir_document_get_model (document));
  before = dup_lines (first);
  after = dup_lines (second);
  g_assert_cmpuint (g_strv_length (before), ==, g_strv_length (after));
  for (guint i = 0; before[i] != NULL; i++)
    n_changed += !g_str_equal (before[i], after[i]);
  g_assert_cmpuint (n_changed, ==, 1);
}

/* 10: one kind of paste: a copy is the reader's own, to the last level; nothing done to it is done
 * to what it was made from. */
static void
test_one_paste (void)
{
  static const guint32 plant = EXAMPLE_PLANT;
  g_autoptr (WeirDocument) document = example_document ();
  WeirEdit *edit = weir_edit_duplicate (site_of (document), one_block (&plant),
                                        (WeirPoint) { 0, 120 });
  guint32 id = g_array_index (edit->new_blocks, guint32, 0), inner = 0;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirBlock *block;

  apply (document, edit);
  block = weir_diagram_find_block_by_name (
      weir_block_get_diagram (weir_model_find_block (weir_document_get_model (document), id, NULL)),
      weir_block_get_name (
          weir_model_find_block (weir_document_get_model (document), EXAMPLE_INNER_GAIN, NULL)));
  inner = weir_block_get_id (block);
  g_assert_cmpuint (inner, !=, EXAMPLE_INNER_GAIN);
  {
    g_autoptr (WeirBlock) changed = weir_block_with_parameter (block, "gain", "77");

    weir_patch_set_block (patch, (WeirPlace) { &id, 1 }, changed);
  }
  g_assert_true (weir_document_edit (document, patch, "Change the copy", NULL, NULL));
  g_assert_cmpstr (
      weir_block_get_parameter (
          weir_model_find_block (weir_document_get_model (document), inner, NULL), "gain"),
      ==, "77");
  g_assert_cmpstr (
      weir_block_get_parameter (
          weir_model_find_block (weir_document_get_model (document), EXAMPLE_INNER_GAIN, NULL),
          "gain"),
      !=, "77");
}

/* 11: what is under the pointer stays there. */
static void
test_zoom_at_pointer (void)
{
  static const double factors[] = { 1.25, 3, 0.4, 100, 1e-4 };
  WeirViewport viewport;

  weir_viewport_init (&viewport);
  viewport.width = 800;
  viewport.height = 600;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      WeirPoint pixel = { 123 + 31.0 * i, 77 + 57.0 * i };
      WeirPoint before = weir_viewport_to_diagram (&viewport, pixel), after;

      weir_viewport_zoom_at (&viewport, pixel, factors[i]);
      after = weir_viewport_to_diagram (&viewport, pixel);
      /* Two multiplications and an addition each way, of numbers up to 1e5. */
      g_assert_cmpfloat_with_epsilon (after.x, before.x, 1e-9);
      g_assert_cmpfloat_with_epsilon (after.y, before.y, 1e-9);
    }
}

static gboolean
has_key (const char *action, const char *key)
{
  for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
    {
      const WeirCanvasCommand *command = weir_canvas_get_command (i);
      g_auto (GStrv) keys = g_strsplit (command->keys != NULL ? command->keys : "", " ", -1);

      if (g_str_equal (command->action, action)
          && g_strv_contains ((const char *const *) keys, key))
        return TRUE;
    }
  return FALSE;
}

/* 12: the usual keys, also without Shift. */
static void
test_zoom_keys (void)
{
  g_assert_true (has_key ("canvas.zoom-in", "<Control>plus"));
  g_assert_true (has_key ("canvas.zoom-in", "<Control>equal"));
  g_assert_true (has_key ("canvas.zoom-out", "<Control>minus"));
  g_assert_true (has_key ("canvas.zoom-100", "<Control>0"));
}

/* 20: a wire goes round what stands in its way. */
static void
test_routes_avoid (void)
{
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirScene) before = scene_of (document);
  const WeirWireShape *feedback = weir_scene_find_wire (before, EXAMPLE_WIRE_FEEDBACK);
  g_autoptr (WeirScene) scene = NULL;
  double longest = 0;
  WeirPoint at = { 0, 0 };

  /* A block is put into the middle of its longest stretch. */
  for (guint k = 1; k < feedback->n_points; k++)
    {
      WeirPoint a = feedback->points[k - 1], b = feedback->points[k];

      if (ABS (a.x - b.x) > longest)
        {
          longest = ABS (a.x - b.x);
          at = (WeirPoint) { (a.x + b.x) / 2, a.y };
        }
    }
  g_assert_cmpfloat (longest, >, 150);
  apply (document,
         weir_edit_add_block (site_of (document), "Constant",
                              (WeirPoint) { weir_snap (at.x - 30), weir_snap (at.y - 25) }));
  scene = scene_of (document);
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      const WeirWireShape *wire = weir_scene_get_wire (scene, i);

      for (guint b = 0; b < weir_scene_get_n_blocks (scene); b++)
        {
          WeirRect inside = weir_rect_grow (weir_scene_get_block (scene, b)->box, -1);

          for (guint k = 1; k < wire->n_points; k++)
            g_assert_false (weir_rect_intersects (
                inside, weir_rect_from_corners (wire->points[k - 1], wire->points[k])));
        }
    }
}

/* 21: a wire leaves an output, and reaches an input, straight out of the block. */
static void
test_first_segment (void)
{
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirScene) scene = scene_of (document);

  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      const WeirWireShape *wire = weir_scene_get_wire (scene, i);
      WeirWireEnd ends[2] = { weir_wire_get_from (wire->wire), weir_wire_get_to (wire->wire) };

      for (int end = 0; end < 2; end++)
        {
          const WeirPortShape *port = weir_block_shape_find_port (
              weir_scene_find_block (scene, ends[end].block), ends[end].port, end == 0);
          WeirPoint a = wire->points[end == 0 ? 0 : wire->n_points - 1];
          WeirPoint b = wire->points[end == 0 ? 1 : wire->n_points - 2];

          g_assert_cmpfloat ((b.x - a.x) * port->normal.x + (b.y - a.y) * port->normal.y, >, 0);
        }
    }
}

/* 22: a hand-made bend is kept while the block it belongs to moves. */
static void
test_bends_kept (void)
{
  static const guint32 sine = EXAMPLE_SINE;
  static const WeirPoint bends[] = { { 95, 200 }, { 95, 60 } };
  g_autoptr (WeirDocument) document = example_document ();
  const WeirPoint *kept;
  guint n;

  apply (document, weir_edit_set_bends (site_of (document), EXAMPLE_WIRE_SINE_GAIN, bends, 2));
  apply (document, weir_edit_move (site_of (document), one_block (&sine), (WeirPoint) { -40, 20 }));
  kept = weir_wire_get_bends (
      weir_diagram_find_wire (weir_site_get_diagram (site_of (document)), EXAMPLE_WIRE_SINE_GAIN),
      &n);
  g_assert_cmpmem (kept, n * sizeof *kept, bends, sizeof bends);
}

/* 23 and 24: one wire is deleted alone; a deleted block leaves no wire that ends in nothing. */
static void
test_no_floating_wires (void)
{
  static const guint32 sum = EXAMPLE_SUM, wire = EXAMPLE_WIRE_PLANT_SCOPE;
  g_autoptr (WeirDocument) document = example_document ();
  WeirDiagram *diagram = weir_site_get_diagram (site_of (document));
  guint n = weir_diagram_get_n_wires (diagram);
  g_autoptr (WeirScene) scene = NULL;

  apply (document,
         weir_edit_delete (site_of (document), (WeirElements) { .wires = &wire, .n_wires = 1 }));
  g_assert_cmpuint (weir_diagram_get_n_wires (weir_site_get_diagram (site_of (document))), ==,
                    n - 1);
  apply (document, weir_edit_delete (site_of (document), one_block (&sum)));
  scene = scene_of (document);
  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      g_assert_true (weir_scene_get_wire (scene, i)->from_connected);
      g_assert_true (weir_scene_get_wire (scene, i)->to_connected);
    }
}

/* 25: there is a dot where a wire branches: plant.y goes to the scope and back to the sum. */
static void
test_junctions (void)
{
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirScene) scene = scene_of (document);
  guint n;

  weir_scene_get_junctions (scene, &n, NULL);
  g_assert_cmpuint (n, ==, 1);
}

/* 26: a port that is missing is made where it is needed: an open input becomes one of
 * the diagram. */
static void
test_missing_port (void)
{
  static const guint32 feedback = EXAMPLE_WIRE_FEEDBACK;
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirDiagnostics) problems = NULL;
  g_autoptr (WeirSystem) system = NULL;
  guint n_blocks = weir_diagram_get_n_blocks (weir_site_get_diagram (site_of (document)));

  apply (document, weir_edit_delete (site_of (document),
                                     (WeirElements) { .wires = &feedback, .n_wires = 1 }));
  system = weir_document_complete (document, &problems);
  g_assert_cmpstr (weir_diagnostics_get (problems, 0)->code, ==, "NET02");
  apply (document, weir_fix_make (weir_document_get_model (document),
                                  weir_diagnostics_get (problems, 0), WEIR_FIX_MAKE_INPUT));
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_site_get_diagram (site_of (document))), ==,
                    n_blocks + 1);
  g_assert_cmpuint (count_errors (document), ==, 0);
}

/* 27: copies keep the wires among them and lie beside the originals. */
static void
test_copies (void)
{
  static const guint32 blocks[] = { EXAMPLE_SINE, EXAMPLE_GAIN };
  g_autoptr (WeirDocument) document = example_document ();
  WeirDiagram *before = weir_site_get_diagram (site_of (document)), *after;
  guint n_blocks = weir_diagram_get_n_blocks (before), n_wires = weir_diagram_get_n_wires (before);
  g_autoptr (WeirScene) scene = NULL;

  apply (document, weir_edit_duplicate (site_of (document),
                                        (WeirElements) { .blocks = blocks, .n_blocks = 2 },
                                        (WeirPoint) { 0, 200 }));
  after = weir_site_get_diagram (site_of (document));
  g_assert_cmpuint (weir_diagram_get_n_blocks (after), ==, n_blocks + 2);
  g_assert_cmpuint (weir_diagram_get_n_wires (after), ==, n_wires + 1);
  scene = scene_of (document);
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    for (guint k = 0; k < i; k++)
      g_assert_false (weir_rect_intersects (weir_scene_get_block (scene, i)->box,
                                            weir_scene_get_block (scene, k)->box));
}

/* 28: a problem names the element it is about. */
static void
test_jump (void)
{
  static const guint32 feedback = EXAMPLE_WIRE_FEEDBACK;
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirDiagnostics) problems = NULL;
  g_autoptr (WeirSystem) system = NULL;

  apply (document, weir_edit_delete (site_of (document),
                                     (WeirElements) { .wires = &feedback, .n_wires = 1 }));
  system = weir_document_complete (document, &problems);
  g_assert_cmpuint (weir_diagnostics_get (problems, 0)->block, ==, EXAMPLE_SUM);
  g_assert_cmpstr (weir_diagnostics_get (problems, 0)->subject, ==, "in2");
}

/* 30 and 31: a titled area; a wire with a label of its own. */
static void
test_areas_and_labels (void)
{
  g_autoptr (WeirDocument) document = example_document ();
  g_autoptr (WeirModel) read = NULL;

  apply (document,
         weir_edit_add_frame (site_of (document), (WeirRect) { -20, -40, 220, 140 }, "Source"));
  apply (document, weir_edit_set_label (site_of (document), EXAMPLE_WIRE_FEEDBACK, "feedback"));
  read = read_back (weir_document_get_model (document));
  g_assert_cmpuint (weir_diagram_get_n_notes (weir_model_get_root (read)), ==, 1);
  g_assert_cmpstr (weir_wire_get_label (
                       weir_diagram_find_wire (weir_model_get_root (read), EXAMPLE_WIRE_FEEDBACK)),
                   ==, "feedback");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/canvas/asks/01-undo", test_undo);
  g_test_add_func ("/canvas/asks/02-undo-validity", test_undo_validity);
  g_test_add_func ("/canvas/asks/07-layout-kept", test_layout_kept);
  g_test_add_func ("/canvas/asks/08-duplicate", test_duplicate);
  g_test_add_func ("/canvas/asks/09-small-difference", test_small_difference);
  g_test_add_func ("/canvas/asks/10-one-paste", test_one_paste);
  g_test_add_func ("/canvas/asks/11-zoom-at-pointer", test_zoom_at_pointer);
  g_test_add_func ("/canvas/asks/12-zoom-keys", test_zoom_keys);
  g_test_add_func ("/canvas/asks/20-routes-avoid", test_routes_avoid);
  g_test_add_func ("/canvas/asks/21-first-segment", test_first_segment);
  g_test_add_func ("/canvas/asks/22-bends-kept", test_bends_kept);
  g_test_add_func ("/canvas/asks/23-24-no-floating-wires", test_no_floating_wires);
  g_test_add_func ("/canvas/asks/25-junctions", test_junctions);
  g_test_add_func ("/canvas/asks/26-missing-port", test_missing_port);
  g_test_add_func ("/canvas/asks/27-copies", test_copies);
  g_test_add_func ("/canvas/asks/28-jump", test_jump);
  g_test_add_func ("/canvas/asks/30-31-areas-and-labels", test_areas_and_labels);
  return g_test_run ();
}
