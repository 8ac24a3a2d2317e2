/* Drawings of diagrams compared with stored ones: shapes and curves only, since text depends on the
 * fonts of the machine. A channel may differ by 2 and one pixel in a thousand by more.
 *
 * UPDATE_GOLDEN=1 rewrites the stored pictures; WEIR_PICTURES=DIRECTORY also writes a sheet of all
 * block types there, for looking at.
 */
#include <math.h>
#include <stdlib.h>

#include "../canvas/example.h"
#include "paint/drawing/diagram.h"

#define WIDTH 420
#define HEIGHT 240

/* Blocks without text, every orientation, wires with a junction, loose and bent ones. */
static WeirModel *
make_model (void)
{
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  static const struct {
    guint32 id;
    const char *type;
    double x, y;
    WeirRotation rotation;
    gboolean flipped;
  } blocks[] = {
    { 1, "Sine", 0, 0, WEIR_ROTATION_0, FALSE },
    { 2, "Step", 0, 100, WEIR_ROTATION_0, FALSE },
    { 3, "Sum", 100, 10, WEIR_ROTATION_0, FALSE },
    { 4, "Switch", 180, 60, WEIR_ROTATION_0, FALSE },
    { 5, "Scope", 300, 60, WEIR_ROTATION_0, FALSE },
    { 6, "Product", 200, 160, WEIR_ROTATION_90, TRUE },
  };
  WeirModel *model;
  WeirPoint bends[2] = { { 280, 20 }, { 280, 90 } };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autofree char *name = g_strdup_printf ("b%u", i);
      g_autoptr (WeirBlock) plain = weir_block_new (blocks[i].id, blocks[i].type, name,
                                                    (WeirPoint) { blocks[i].x, blocks[i].y });
      g_autoptr (WeirBlock)
          block = weir_block_with_orientation (plain, blocks[i].rotation, blocks[i].flipped);

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  example_add_wire (patch, WEIR_PLACE_ROOT, 10, 1, "y", 3, "in1");
  example_add_wire (patch, WEIR_PLACE_ROOT, 11, 2, "y", 3, "in2");
  example_add_wire (patch, WEIR_PLACE_ROOT, 12, 2, "y", 4, "in2");
  example_add_wire (patch, WEIR_PLACE_ROOT, 13, 3, "y", 4, "in1");
  {
    g_autoptr (WeirWire)
        bent = weir_wire_new (14, (WeirWireEnd) { .block = 4, .port = "y" },
                              (WeirWireEnd) { .block = 5, .port = "in1" }, bends, 2);
    g_autoptr (WeirWire) loose = weir_wire_new (15, (WeirWireEnd) { .block = 6, .port = "y" },
                                                (WeirWireEnd) { .point = { 330, 200 } }, NULL, 0);

    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, bent);
    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, loose);
  }
  model = weir_model_apply (empty, patch, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static cairo_surface_t *
draw (WeirPaletteKind kind, double zoom)
{
  g_autoptr (WeirModel) model = make_model ();
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  g_autoptr (GHashTable) marks = g_hash_table_new (NULL, NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  WeirDiagramStyle style;

  g_hash_table_insert (marks, GUINT_TO_POINTER (4), GUINT_TO_POINTER (WEIR_MARK_SELECTED));
  g_hash_table_insert (marks, GUINT_TO_POINTER (3), GUINT_TO_POINTER (WEIR_MARK_ERROR));
  g_hash_table_insert (marks, GUINT_TO_POINTER (5), GUINT_TO_POINTER (WEIR_MARK_WARNING));
  weir_diagram_style_init (&style, weir_palette_get (kind));
  style.scale = MIN (zoom, 0.49); /* names are left out */
  style.clip = (WeirRect) { -20, -20, WIDTH / zoom, HEIGHT / zoom };
  style.show_grid = TRUE;
  style.marks = marks;
  cairo_scale (cr, zoom, zoom);
  cairo_translate (cr, 20, 20);
  weir_diagram_draw (scene, cr, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
compare (cairo_surface_t *surface, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "paint", "golden", name, NULL);
  cairo_surface_t *golden;
  guint n_different = 0;

  if (g_getenv ("UPDATE_GOLDEN") != NULL)
    cairo_surface_write_to_png (surface, path);
  golden = cairo_image_surface_create_from_png (path);
  g_assert_cmpint (cairo_surface_status (golden), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (golden), ==, WIDTH);
  g_assert_cmpint (cairo_image_surface_get_height (golden), ==, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guchar *a = cairo_image_surface_get_data (surface)
                          + y * cairo_image_surface_get_stride (surface) + 4 * x;
        const guchar *b = cairo_image_surface_get_data (golden)
                          + y * cairo_image_surface_get_stride (golden) + 4 * x;

        n_different += abs (a[0] - b[0]) > 2 || abs (a[1] - b[1]) > 2 || abs (a[2] - b[2]) > 2;
      }
  if (n_different > WIDTH * HEIGHT / 1000)
    {
      g_autofree char *actual = g_test_build_filename (G_TEST_BUILT, name, NULL);

      cairo_surface_write_to_png (surface, actual);
      g_test_message ("%u pixels differ; see %s", n_different, actual);
      g_test_fail ();
    }
  cairo_surface_destroy (golden);
  cairo_surface_destroy (surface);
}

static void
test_light (void)
{
  compare (draw (WEIR_PALETTE_LIGHT, 1), "light.png");
}

static void
test_dark (void)
{
  compare (draw (WEIR_PALETTE_DARK, 1), "dark.png");
}

static void
test_far (void)
{
  compare (draw (WEIR_PALETTE_LIGHT, 0.25), "far.png");
}

/* What lies outside the clip costs nothing and leaves no trace. */
/* Wires that cross, of different signals and widths, blocks out of use and in colours, a frame. */
static cairo_surface_t *
draw_looks (WeirPaletteKind kind)
{
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirScene) scene = NULL;
  g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);
  g_autoptr (WeirNote) plain = weir_note_new (30, (WeirPoint) { 180, -10 }, "frame");
  g_autoptr (WeirNote) sized = weir_note_with_size (plain, (WeirPoint) { 180, 190 });
  g_autoptr (WeirNote) frame = weir_note_with_tint (sized, WEIR_TINT_BLUE);
  static const struct {
    guint32 id;
    const char *type;
    double x, y;
    WeirBlockMode mode;
    WeirTint tint;
  } blocks[] = {
    { 1, "Sine", 0, 0, WEIR_BLOCK_ACTIVE, WEIR_TINT_NONE },
    { 2, "Step", 0, 100, WEIR_BLOCK_ACTIVE, WEIR_TINT_ORANGE },
    { 3, "Saturation", 200, 100, WEIR_BLOCK_COMMENTED_OUT, WEIR_TINT_NONE },
    { 4, "Saturation", 200, 20, WEIR_BLOCK_PASSED_THROUGH, WEIR_TINT_NONE },
    { 5, "Scope", 290, 100, WEIR_BLOCK_ACTIVE, WEIR_TINT_GREEN },
  };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  WeirPoint down[2] = { { 140, 30 }, { 140, 130 } }, up[2] = { { 100, 130 }, { 100, 50 } };
  WeirDiagramStyle style;

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autofree char *name = g_strdup_printf ("b%u", i);
      g_autoptr (WeirBlock) one = weir_block_new (blocks[i].id, blocks[i].type, name,
                                                  (WeirPoint) { blocks[i].x, blocks[i].y });
      g_autoptr (WeirBlock) moded = weir_block_with_mode (one, blocks[i].mode);
      g_autoptr (WeirBlock) tinted = weir_block_with_tint (moded, blocks[i].tint);

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, tinted);
    }
  {
    g_autoptr (WeirWire) a = weir_wire_new (10, (WeirWireEnd) { .block = 1, .port = "y" },
                                            (WeirWireEnd) { .block = 3, .port = "u" }, down, 2);
    g_autoptr (WeirWire) b = weir_wire_new (11, (WeirWireEnd) { .block = 2, .port = "y" },
                                            (WeirWireEnd) { .block = 4, .port = "u" }, up, 2);

    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, a);
    weir_patch_set_wire (patch, WEIR_PLACE_ROOT, b);
  }
  example_add_wire (patch, WEIR_PLACE_ROOT, 12, 3, "y", 5, "in1");
  weir_patch_set_note (patch, WEIR_PLACE_ROOT, frame);
  model = weir_model_apply (empty, patch, NULL, NULL);
  g_assert_nonnull (model);
  scene = weir_scene_new (weir_model_get_root (model), NULL);
  g_hash_table_insert (sizes, GUINT_TO_POINTER (11), GUINT_TO_POINTER (8));
  weir_diagram_style_init (&style, weir_palette_get (kind));
  style.scale = 0.49; /* text is left out */
  style.clip = (WeirRect) { -20, -20, WIDTH, HEIGHT };
  style.sizes = sizes;
  cairo_translate (cr, 20, 20);
  weir_diagram_draw (scene, cr, &style);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
test_looks (void)
{
  compare (draw_looks (WEIR_PALETTE_LIGHT), "looks-light.png");
  compare (draw_looks (WEIR_PALETTE_DARK), "looks-dark.png");
}

static void
test_culling (void)
{
  g_autoptr (WeirModel) model = make_model ();
  g_autoptr (WeirScene) scene = weir_scene_new (weir_model_get_root (model), NULL);
  cairo_rectangle_t everything = { -1000, -1000, 3000, 3000 };
  cairo_surface_t *record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &everything);
  cairo_t *cr = cairo_create (record);
  WeirDiagramStyle style;
  double x, y, width, height;

  weir_diagram_style_init (&style, weir_palette_get (WEIR_PALETTE_LIGHT));
  style.show_background = FALSE;
  style.clip = (WeirRect) { 500, 500, 100, 100 };
  weir_diagram_draw (scene, cr, &style);
  cairo_recording_surface_ink_extents (record, &x, &y, &width, &height);
  g_assert_cmpfloat (width, ==, 0);
  style.clip = (WeirRect) { -10, -10, 40, 40 };
  weir_diagram_draw (scene, cr, &style);
  cairo_recording_surface_ink_extents (record, &x, &y, &width, &height);
  g_assert_cmpfloat (width, >, 50);
  g_assert_cmpfloat (x + width, <, 180); /* the Sine and its wire only */
  cairo_destroy (cr);
  cairo_surface_destroy (record);
}

/* All types, each with its name, for looking at; and no type draws outside its reach. */
static void
test_all_types (void)
{
  guint n = weir_registry_get_n_types ();
  int sheet_height = (int) (n / 6 + 1) * 140 + 20;
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirScene) scene = NULL;
  const char *directory = g_getenv ("WEIR_PICTURES");

  for (guint i = 0; i < n; i++)
    {
      const char *type = weir_registry_get_type (i)->name;

      example_add_block (patch, WEIR_PLACE_ROOT, i + 1, type, type, i % 6 * 160, i / 6 * 140);
    }
  example_add_block (patch, WEIR_PLACE_ROOT, n + 1, "Unheard", "Unheard", n % 6 * 160, n / 6 * 140);
  model = weir_model_apply (empty, patch, NULL, NULL);
  scene = weir_scene_new (weir_model_get_root (model), NULL);
  for (int kind = 0; kind < WEIR_N_PALETTES; kind++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1000,
                                                             sheet_height);
      cairo_t *cr = cairo_create (surface);
      g_autofree char *path = g_strdup_printf ("%s/types-%d.png", directory, kind);
      WeirDiagramStyle style;

      weir_diagram_style_init (&style, weir_palette_get ((WeirPaletteKind) kind));
      style.clip = (WeirRect) { -40, -40, 1000, sheet_height };
      cairo_translate (cr, 40, 40);
      weir_diagram_draw (scene, cr, &style);
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      if (directory != NULL)
        cairo_surface_write_to_png (surface, path);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      cairo_surface_t *record = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
      cairo_t *cr = cairo_create (record);
      double x, y, width, height;

      weir_draw_block_icon (cr, weir_block_get_type_name (weir_scene_get_block (scene, i)->block),
                            40, 32, weir_palette_get (WEIR_PALETTE_LIGHT));
      cairo_recording_surface_ink_extents (record, &x, &y, &width, &height);
      g_assert_cmpfloat (x, >=, 0);
      g_assert_cmpfloat (y, >=, 0);
      g_assert_cmpfloat (x + width, <=, 40);
      g_assert_cmpfloat (y + height, <=, 32);
      g_assert_cmpfloat (width, >, 10);
      cairo_destroy (cr);
      cairo_surface_destroy (record);
    }
}

/* Stripes at the lower edge of a block tell that it breaks a rule on purpose; no other has them. */
static void
test_diagnostic_mark (void)
{
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autoptr (WeirModel) empty = weir_model_new ();
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirScene) scene = NULL;
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 200, 200);
      cairo_t *cr = cairo_create (surface);
      WeirDiagramStyle style;
      WeirRect box;
      const guint32 *row;
      guint n_edges = 0;

      example_add_block (patch, WEIR_PLACE_ROOT, 1, type->name, "Name", 0, 0);
      model = weir_model_apply (empty, patch, NULL, NULL);
      scene = weir_scene_new (weir_model_get_root (model), NULL);
      box = weir_scene_get_block (scene, 0)->box;
      weir_diagram_style_init (&style, weir_palette_get (WEIR_PALETTE_LIGHT));
      style.clip = (WeirRect) { -20, -20, 200, 200 };
      cairo_translate (cr, 20, 20);
      weir_diagram_draw (scene, cr, &style);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      row = (const guint32 *) (gpointer) (cairo_image_surface_get_data (surface)
                                          + ((int) (20 + box.y + box.height) - 3)
                                                * cairo_image_surface_get_stride (surface));
      for (int x = (int) (20 + box.x) + 6; x < (int) (20 + box.x + box.width) - 6; x++)
        n_edges += abs ((int) (row[x] & 0xff) - (int) (row[x - 1] & 0xff)) > 20;
      g_test_message ("%s: %u edges", type->name, n_edges);
      if (type->is_diagnostic)
        g_assert_cmpuint (n_edges, >=, (guint) box.width / 5);
      else if (weir_scene_get_block (scene, 0)->outline == WEIR_OUTLINE_BOX)
        g_assert_cmpuint (n_edges, <, (guint) box.width / 5);
      cairo_surface_destroy (surface);
    }
}

/* Every name of a block type in the tables of shapes and pictures is that of a type. */
static void
test_names (void)
{
  static const char *const files[] = { "ground/geometry.c", "drawing/glyph.c",
                                       "drawing/glyph-curves.c", "drawing/glyph-formulas.c",
                                       "drawing/glyph-lab.c" };
  /* The first word of a row, a word of the list of labelled types, one that a type is compared to.
   */
  g_autoptr (GRegex) regex = g_regex_new (
      "^  \\{ \"([A-Z]\\w*)\",|^ {30,}\"([A-Z]\\w*)\"(?:,| \\};)|\\(type, \"(\\w+)\"\\)",
      G_REGEX_MULTILINE, 0, NULL);
  guint n_names = 0;

  g_assert_nonnull (regex);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "../ui/paint", files[i],
                                                NULL);
      g_autofree char *text = NULL;
      g_autoptr (GMatchInfo) match = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_regex_match (regex, text, 0, &match);
      for (; g_match_info_matches (match); g_match_info_next (match, NULL), n_names++)
        {
          g_autofree char *name = g_match_info_fetch (match,
                                                      g_match_info_get_match_count (match) - 1);

          if (weir_registry_find (name) == NULL)
            g_error ("%s: there is no block type %s", files[i], name);
        }
    }
  g_assert_cmpuint (n_names, >, 150);
}

/* A grid of blocks, each wired to the next. */
static void
test_large (void)
{
  const guint n = g_test_perf () ? 10000 : 400;
  g_autoptr (WeirModel) empty = weir_model_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirScene) scene = NULL;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1200, 800);
  WeirDiagramStyle style;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("Gain%u", i);

      example_add_block (patch, WEIR_PLACE_ROOT, i + 1, "Gain", name, i % 100 * 120, i / 100 * 120);
      if (i > 0)
        example_add_wire (patch, WEIR_PLACE_ROOT, n + i, i, "y", i + 1, "u");
    }
  model = weir_model_apply (empty, patch, NULL, NULL);
  g_test_timer_start ();
  scene = weir_scene_new (weir_model_get_root (model), NULL);
  if (g_test_perf ())
    g_test_minimized_result (g_test_timer_elapsed (), "%g ms a scene of %u blocks",
                             1000 * g_test_timer_elapsed (), n);
  g_test_timer_start ();
  weir_scene_unref (weir_scene_new (weir_model_get_root (model), scene));
  if (g_test_perf ())
    g_test_minimized_result (g_test_timer_elapsed (), "%g ms the same again",
                             1000 * g_test_timer_elapsed ());
  for (int far = 0; far < 2; far++)
    {
      cairo_t *cr = cairo_create (surface);
      double zoom = far ? 0.1 : 1;

      weir_diagram_style_init (&style, weir_palette_get (WEIR_PALETTE_LIGHT));
      style.scale = zoom;
      style.clip = (WeirRect) { 0, 0, 1200 / zoom, 800 / zoom };
      cairo_scale (cr, zoom, zoom);
      g_test_timer_start ();
      weir_diagram_draw (scene, cr, &style);
      if (g_test_perf ())
        g_test_minimized_result (g_test_timer_elapsed (), "%g ms a drawing at zoom %g",
                                 1000 * g_test_timer_elapsed (), zoom);
      cairo_destroy (cr);
    }
  g_assert_cmpuint (weir_scene_get_n_wires (scene), ==, n - 1);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/drawing/light", test_light);
  g_test_add_func ("/paint/drawing/dark", test_dark);
  g_test_add_func ("/paint/drawing/far", test_far);
  g_test_add_func ("/paint/drawing/looks", test_looks);
  g_test_add_func ("/paint/drawing/culling", test_culling);
  g_test_add_func ("/paint/drawing/all-types", test_all_types);
  g_test_add_func ("/paint/drawing/diagnostic-mark", test_diagnostic_mark);
  g_test_add_func ("/paint/drawing/names", test_names);
  g_test_add_func ("/paint/drawing/large", test_large);
  return g_test_run ();
}
