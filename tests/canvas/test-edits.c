/* Edits without a gesture: aligning, tidying, grouping and expanding, modes, finding. */
#include <math.h>

#include "../seeds.h"
#include "canvas/edits/choices.h"
#include "model/completion/completion.h"
#include "tool-fixture.h"

static WeirSite
site_of (Fixture *fixture)
{
  return (WeirSite) { weir_document_get_model (fixture->document), WEIR_PLACE_ROOT };
}

static WeirRect
box_of (Fixture *fixture, guint32 id)
{
  return weir_scene_find_block (fixture->scene, id)->box;
}

static const guint32 three[] = { EXAMPLE_SINE, EXAMPLE_SUM, EXAMPLE_PLANT };
#define THREE ((WeirElements) { .blocks = three, .n_blocks = 3 })

/* --- Arranging ------------------------------------------------------------------------------- */

static void
test_align (Fixture *fixture, gconstpointer data)
{
  static const struct {
    WeirAlignment alignment;
    const char *label;
    int axis;        /* 0: x */
    double fraction; /* of the box that comes to lie on one line */
  } cases[] = {
    { WEIR_ALIGN_LEFT, "Align left", 0, 0 },        { WEIR_ALIGN_CENTER, "Align centers", 0, 0.5 },
    { WEIR_ALIGN_RIGHT, "Align right", 0, 1 },      { WEIR_ALIGN_TOP, "Align top", 1, 0 },
    { WEIR_ALIGN_MIDDLE, "Align middles", 1, 0.5 }, { WEIR_ALIGN_BOTTOM, "Align bottom", 1, 1 }
  };
  static const guint32 sine[] = { EXAMPLE_SINE };

  /* In the example all middles are level: put one elsewhere. */
  apply (fixture,
         weir_edit_move (site_of (fixture), (WeirElements) { .blocks = sine, .n_blocks = 1 },
                         (WeirPoint) { 0, 170 }),
         "Move 1 block");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double first = 0;

      apply (fixture, weir_edit_align (site_of (fixture), THREE, cases[i].alignment),
             cases[i].label);
      for (guint k = 0; k < 3; k++)
        {
          WeirRect box = box_of (fixture, three[k]);
          double at = cases[i].axis == 0 ? box.x + cases[i].fraction * box.width
                                         : box.y + cases[i].fraction * box.height;

          if (k == 0)
            first = at;
          g_assert_cmpfloat (at, ==, first);
        }
      g_assert_null (weir_edit_align (site_of (fixture), THREE, cases[i].alignment)); /* they are */
      weir_document_undo (fixture->document);
      take (fixture);
    }
  g_assert_null (weir_edit_align (
      site_of (fixture), (WeirElements) { .blocks = three, .n_blocks = 1 }, WEIR_ALIGN_LEFT));
}

static void
test_distribute (Fixture *fixture, gconstpointer data)
{
  static const guint32 uneven[] = { EXAMPLE_SINE, EXAMPLE_GAIN, EXAMPLE_PLANT };
  WeirElements what = { .blocks = uneven, .n_blocks = 3 };
  WeirRect a, b, c;

  apply (fixture, weir_edit_distribute (site_of (fixture), what, FALSE), "Distribute horizontally");
  a = box_of (fixture, uneven[0]);
  b = box_of (fixture, uneven[1]);
  c = box_of (fixture, uneven[2]);
  g_assert_cmpfloat (a.x, ==, 0);
  g_assert_cmpfloat (c.x, ==, 460);
  g_assert_cmpfloat_with_epsilon (b.x - (a.x + a.width), c.x - (b.x + b.width), 1e-9);
  g_assert_null (weir_edit_distribute (site_of (fixture),
                                       (WeirElements) { .blocks = three, .n_blocks = 2 }, FALSE));
}

static void
test_match_size (Fixture *fixture, gconstpointer data)
{
  apply (fixture, weir_edit_match_size (site_of (fixture), three, 3), "Match sizes");
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (box_of (fixture, three[i]).width, ==,
                         box_of (fixture, EXAMPLE_PLANT).width);
      g_assert_cmpfloat (box_of (fixture, three[i]).height, ==,
                         box_of (fixture, EXAMPLE_PLANT).height);
    }
}

static void
test_flip_vertically (Fixture *fixture, gconstpointer data)
{
  static const guint32 sum[] = { EXAMPLE_SUM };
  const WeirBlockShape *shape;

  apply (fixture, weir_edit_flip (site_of (fixture), sum, 1, TRUE), "Flip 1 block");
  shape = weir_scene_find_block (fixture->scene, EXAMPLE_SUM);
  /* in1 still comes from the left, in2 from above instead of below. */
  g_assert_cmpfloat (weir_block_shape_find_port (shape, "in1", FALSE)->normal.x, ==, -1);
  g_assert_cmpfloat (weir_block_shape_find_port (shape, "in2", FALSE)->normal.y, ==, -1);
  g_assert_cmpfloat (weir_block_shape_find_port (shape, "y", TRUE)->normal.x, ==, 1);
}

/* --- Tidying --------------------------------------------------------------------------------- */

static gboolean
boxes_overlap (WeirScene *scene)
{
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    for (guint k = 0; k < i; k++)
      if (weir_rect_intersects (weir_scene_get_block (scene, i)->box,
                                weir_scene_get_block (scene, k)->box))
        return TRUE;
  return FALSE;
}

/* Signals flow from left to right but for the one that closes the loop, and wires in a row are
 * straight. */
static void
test_tidy (Fixture *fixture, gconstpointer data)
{
  static const guint32 order[] = { EXAMPLE_SINE,       EXAMPLE_GAIN,  EXAMPLE_SUM,
                                   EXAMPLE_INTEGRATOR, EXAMPLE_PLANT, EXAMPLE_SCOPE };
  WeirPatch *patch = weir_patch_new ();
  guint n_straight = 0;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autoptr (WeirBlock) moved = weir_block_with_position (
          weir_diagram_find_block (get_root (fixture), order[i]),
          (WeirPoint) { 300 - 37 * (double) i, 13 * ((i * 5) % 6) });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
    }
  g_assert_true (weir_document_edit (fixture->document, patch, "Mess", NULL, NULL));
  weir_patch_free (patch);
  take (fixture);
  g_assert_true (boxes_overlap (fixture->scene));
  apply (fixture, weir_edit_tidy (site_of (fixture), NULL, 0), "Tidy up");
  g_assert_false (boxes_overlap (fixture->scene));
  for (guint i = 0; i + 1 < G_N_ELEMENTS (order); i++)
    g_assert_cmpfloat (box_of (fixture, order[i]).x + box_of (fixture, order[i]).width, <,
                       box_of (fixture, order[i + 1]).x);
  for (guint i = 0; i < weir_scene_get_n_wires (fixture->scene); i++)
    n_straight += weir_scene_get_wire (fixture->scene, i)->n_points == 2;
  g_assert_cmpuint (n_straight, ==, 5);
  g_assert_null (weir_edit_tidy (site_of (fixture), NULL, 0)); /* it is tidy */
}

/* Layers of random wires: nothing overlaps, every wire but those of loops goes right, and what is
 * tidy stays. */
static void
test_tidy_random (void)
{
  GRand *rand = g_rand_new_with_seed (get_test_seed (4711));

  for (guint round = 0; round < 30; round++)
    {
      g_autoptr (WeirModel) empty = weir_model_new ();
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirModel) tidied = NULL;
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirEdit) edit = NULL;
      g_autoptr (WeirScene) scene = NULL;
      guint n = (guint) g_rand_int_range (rand, 2, 40);

      for (guint32 id = 1; id <= n; id++)
        {
          g_autofree char *name = g_strdup_printf ("b%u", id);
          g_autoptr (WeirBlock)
              plain = weir_block_new (id, "Sum", name,
                                      (WeirPoint) { g_rand_int_range (rand, -500, 500),
                                                    g_rand_int_range (rand, -500, 500) });
          g_autoptr (WeirBlock) block = weir_block_with_parameter (plain, "signs", "+++++");

          weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
          /* From blocks before it only: no loops. */
          for (guint k = 1; k <= 5 && id > 1; k++)
            if (g_rand_int_range (rand, 0, 3) == 0)
              {
                g_autofree char *port = g_strdup_printf ("in%u", k);

                example_add_wire (patch, WEIR_PLACE_ROOT, 1000 + 10 * id + k,
                                  (guint32) g_rand_int_range (rand, 1, (gint32) id), "y", id, port);
              }
        }
      model = weir_model_apply (empty, patch, NULL, NULL);
      g_assert_nonnull (model);
      edit = weir_edit_tidy ((WeirSite) { model, WEIR_PLACE_ROOT }, NULL, 0);
      g_assert_nonnull (edit);
      tidied = weir_model_apply (model, edit->patch, NULL, NULL);
      scene = weir_scene_new (weir_model_get_root (tidied), NULL);
      g_assert_false (boxes_overlap (scene));
      for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
        {
          WeirWire *wire = weir_scene_get_wire (scene, i)->wire;
          WeirRect a = weir_scene_find_block (scene, weir_wire_get_from (wire).block)->box;
          WeirRect b = weir_scene_find_block (scene, weir_wire_get_to (wire).block)->box;

          g_assert_cmpfloat (a.x + a.width, <, b.x);
        }
    }
  g_rand_free (rand);
}

/* Only the chosen blocks move, and hand-made bends among them are dropped. */
static void
test_tidy_selection (Fixture *fixture, gconstpointer data)
{
  static const guint32 two[] = { EXAMPLE_SINE, EXAMPLE_GAIN };
  static const WeirPoint bend[] = { { 80, 200 } };
  WeirRect sum = box_of (fixture, EXAMPLE_SUM);
  guint n;

  apply (fixture, weir_edit_set_bends (site_of (fixture), EXAMPLE_WIRE_SINE_GAIN, bend, 1),
         "Bend wire");
  apply (fixture, weir_edit_tidy (site_of (fixture), two, 2), "Tidy up");
  weir_wire_get_bends (weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_SINE_GAIN), &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpfloat (box_of (fixture, EXAMPLE_SUM).x, ==, sum.x);
}

/* --- Hierarchy ------------------------------------------------------------------------------- */

/* What a model computes: every input of a leaf block, by names without the Subsystems in between,
 * and the output that drives it. Grouping and expanding must not change it. */
static void
follow_up (const WeirModel *model, GArray *place, WeirWireEnd from, GString *out)
{
  WeirDiagram *diagram = weir_model_get_diagram (
      model, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len });
  WeirBlock *block = from.block != 0 ? weir_diagram_find_block (diagram, from.block) : NULL;
  WeirWire *found = NULL;

  if (block == NULL)
    {
      g_string_append (out, "nothing");
      return;
    }
  if (weir_block_get_diagram (block) != NULL
      || g_str_equal (weir_block_get_type_name (block), "In"))
    {
      gboolean in = weir_block_get_diagram (block) == NULL;
      WeirDiagram *there;
      guint32 target;
      const char *port = in ? weir_block_get_name (block) : "u";
      g_autoptr (GArray) next = g_array_copy (place);

      if (in && place->len == 0)
        {
          g_string_append (out, weir_block_get_name (block));
          return;
        }
      if (in)
        {
          target = g_array_index (next, guint32, next->len - 1);
          g_array_set_size (next, next->len - 1);
        }
      else
        {
          target = weir_block_get_id (
              weir_diagram_find_block_by_name (weir_block_get_diagram (block), from.port));
          g_array_append_val (next, from.block);
        }
      there = weir_model_get_diagram (
          model, (WeirPlace) { (const guint32 *) (gpointer) next->data, next->len });
      {
        g_autoptr (WeirScene) scene = weir_scene_new (there, NULL);

        for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
          {
            WeirWire *wire = weir_scene_get_wire (scene, i)->wire;

            if (weir_wire_get_to (wire).block == target
                && g_strcmp0 (weir_wire_get_to (wire).port, port) == 0)
              found = wire;
          }
        if (found != NULL)
          follow_up (model, next, weir_wire_get_from (found), out);
        else
          g_string_append (out, "nothing");
      }
      return;
    }
  g_string_append_printf (out, "%u.%s", from.block, from.port);
}

static void
list_connections (const WeirModel *model, GArray *place, GPtrArray *lines)
{
  WeirDiagram *diagram = weir_model_get_diagram (
      model, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len });
  g_autoptr (WeirScene) scene = weir_scene_new (diagram, NULL);

  for (guint i = 0; i < weir_scene_get_n_wires (scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (scene, i)->wire;
      WeirWireEnd to = weir_wire_get_to (wire);
      WeirBlock *block = to.block != 0 ? weir_diagram_find_block (diagram, to.block) : NULL;
      GString *line;

      if (block == NULL || weir_block_get_diagram (block) != NULL
          || (place->len > 0 && g_str_equal (weir_block_get_type_name (block), "Out")))
        continue;
      line = g_string_new (NULL);
      g_string_append_printf (line, "%u.%s <- ", to.block, to.port);
      follow_up (model, place, weir_wire_get_from (wire), line);
      g_ptr_array_add (lines, g_string_free (line, FALSE));
    }
  for (guint i = 0; i < weir_scene_get_n_blocks (scene); i++)
    {
      WeirBlock *block = weir_scene_get_block (scene, i)->block;
      guint32 id = weir_block_get_id (block);

      if (weir_block_get_diagram (block) == NULL)
        continue;
      g_array_append_val (place, id);
      list_connections (model, place, lines);
      g_array_set_size (place, place->len - 1);
    }
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static char *
dup_connections (WeirModel *model)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));

  list_connections (model, place, lines);
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static void
test_group (Fixture *fixture, gconstpointer data)
{
  static const guint32 middle[] = { EXAMPLE_SUM, EXAMPLE_INTEGRATOR, EXAMPLE_PLANT };
  g_autofree char *before = dup_connections (weir_document_get_model (fixture->document));
  g_autofree char *grouped = NULL;
  g_autofree char *expanded = NULL;
  const WeirBlock *subsystem;
  g_auto (GStrv) inputs = NULL;
  g_auto (GStrv) outputs = NULL;
  guint32 id;

  g_assert_nonnull (strstr (before, "3.in2 <- 21.y")); /* the feedback, out of the plant */
  apply (fixture,
         weir_edit_group (site_of (fixture), (WeirElements) { .blocks = middle, .n_blocks = 3 }),
         "Group 3 blocks");
  subsystem = weir_diagram_find_block_by_name (get_root (fixture), "Subsystem");
  g_assert_nonnull (subsystem);
  id = weir_block_get_id (subsystem);
  inputs = weir_block_dup_inputs (subsystem);
  outputs = weir_block_dup_outputs (subsystem);
  g_assert_cmpuint (g_strv_length (inputs), ==, 1);
  g_assert_cmpuint (g_strv_length (outputs), ==, 1); /* plant.y leaves once, inside or not */
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 4);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 3);
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_block_get_diagram (subsystem)), ==, 5);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 1);
  grouped = dup_connections (weir_document_get_model (fixture->document));
  g_assert_cmpstr (grouped, ==, before);

  apply (fixture, weir_edit_expand (site_of (fixture), id), "Expand Subsystem");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 6);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
  g_assert_cmpuint (count_selected (fixture, WEIR_SELECT_BLOCK), ==, 3);
  expanded = dup_connections (weir_document_get_model (fixture->document));
  g_assert_cmpstr (expanded, ==, before);
  g_assert_false (boxes_overlap (fixture->scene));
}

/* Into the plant: the wire among them goes along, those to what stays are loose there, the port
 * blocks stay, and a name that is taken is changed. Not into one of themselves. */
static void
test_move_to_level (Fixture *fixture, gconstpointer data)
{
  static const guint32 moved[] = { EXAMPLE_SINE, EXAMPLE_GAIN }, plant[] = { EXAMPLE_PLANT };
  static const guint32 ports[] = { EXAMPLE_IN, EXAMPLE_OUT };
  WeirPlace inside = { plant, 1 };
  WeirSite inner_site;
  WeirDiagram *inner;
  WeirBlock *gain;
  WeirWire *loose;

  g_assert_null (weir_edit_move_to_level (
      site_of (fixture), (WeirElements) { .blocks = plant, .n_blocks = 1 }, inside));
  g_assert_null (weir_edit_move_to_level (
      site_of (fixture), (WeirElements) { .blocks = moved, .n_blocks = 2 }, WEIR_PLACE_ROOT));
  apply (fixture,
         weir_edit_move_to_level (site_of (fixture),
                                  (WeirElements) { .blocks = moved, .n_blocks = 2 }, inside),
         "Move 2 blocks to another level");
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 4);
  inner = weir_model_get_diagram (weir_document_get_model (fixture->document), inside);
  g_assert_cmpuint (weir_diagram_get_n_blocks (inner), ==, 5);
  gain = weir_diagram_find_block (inner, EXAMPLE_GAIN);
  g_assert_cmpstr (weir_block_get_name (gain), ==, "Gain2"); /* the plant has a Gain */
  g_assert_cmpfloat (weir_block_get_position (gain).y, >,
                     weir_block_get_position (weir_diagram_find_block (inner, EXAMPLE_IN)).y);
  g_assert_nonnull (weir_diagram_find_wire (inner, EXAMPLE_WIRE_SINE_GAIN));
  g_assert_null (weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_SINE_GAIN));
  loose = weir_diagram_find_wire (get_root (fixture), EXAMPLE_WIRE_GAIN_SUM);
  g_assert_cmpuint (weir_wire_get_from (loose).block, ==, 0);
  g_assert_cmpuint (weir_wire_get_to (loose).block, ==, EXAMPLE_SUM);

  inner_site = (WeirSite) { weir_document_get_model (fixture->document), inside };
  g_assert_null (weir_edit_move_to_level (
      inner_site, (WeirElements) { .blocks = ports, .n_blocks = 2 }, WEIR_PLACE_ROOT));
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_root (fixture)), ==, 6);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_root (fixture)), ==, 6);
}

/* Of a fan-out from outside only one wire crosses; In and Out blocks stay where they are. */
static void
test_group_ports (Fixture *fixture, gconstpointer data)
{
  static const guint32 inner[] = { EXAMPLE_IN, EXAMPLE_INNER_GAIN };
  static const guint32 ports[] = { EXAMPLE_IN, EXAMPLE_OUT };
  static const guint32 plant[] = { EXAMPLE_PLANT };
  WeirSite site = { weir_document_get_model (fixture->document), { plant, 1 } };
  const WeirDiagram *inside;

  g_assert_null (weir_edit_group (site, (WeirElements) { .blocks = ports, .n_blocks = 2 }));
  apply (fixture, weir_edit_group (site, (WeirElements) { .blocks = inner, .n_blocks = 2 }),
         "Group 1 block");
  inside = weir_block_get_diagram (weir_diagram_find_block (get_root (fixture), EXAMPLE_PLANT));
  g_assert_cmpuint (weir_diagram_get_n_blocks (inside), ==, 3);
  g_assert_nonnull (weir_diagram_find_block (inside, EXAMPLE_IN));
}

/* Names that are taken outside are changed on the way out. */
static void
test_expand_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = dup_connections (weir_document_get_model (fixture->document));
  g_autofree char *after = NULL;

  apply (fixture, weir_edit_expand (site_of (fixture), EXAMPLE_PLANT), "Expand plant");
  g_assert_nonnull (weir_diagram_find_block_by_name (get_root (fixture), "Gain2"));
  g_assert_null (weir_diagram_find_block (get_root (fixture), EXAMPLE_IN));
  after = dup_connections (weir_document_get_model (fixture->document));
  g_assert_cmpstr (after, ==, before);
  g_assert_null (weir_edit_expand (site_of (fixture), EXAMPLE_GAIN));
  weir_document_undo (fixture->document);
  weir_document_undo (fixture->document);
  g_assert_false (weir_document_can_undo (fixture->document));
  weir_document_redo (fixture->document);
  take (fixture);
}

/* --- Modes and finding ----------------------------------------------------------------------- */

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  static const guint32 plant[] = { EXAMPLE_PLANT };
  static const guint32 in[] = { EXAMPLE_IN };
  WeirSite inside = { NULL, { plant, 1 } };

  apply (fixture, weir_edit_set_mode (site_of (fixture), three, 3, WEIR_BLOCK_COMMENTED_OUT),
         "Comment out");
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (weir_block_get_mode (weir_diagram_find_block (get_root (fixture), three[i])),
                     ==, WEIR_BLOCK_COMMENTED_OUT);
  g_assert_null (weir_edit_set_mode (site_of (fixture), three, 3, WEIR_BLOCK_COMMENTED_OUT));
  apply (fixture, weir_edit_set_mode (site_of (fixture), three, 3, WEIR_BLOCK_ACTIVE), "Uncomment");
  inside.model = weir_document_get_model (fixture->document);
  g_assert_null (weir_edit_set_mode (inside, in, 1, WEIR_BLOCK_PASSED_THROUGH));
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *text;
    const char *first; /* NULL: nothing */
    guint32 id;
  } cases[] = { { "integ", "Integrator", EXAMPLE_INTEGRATOR },
                { "gain", "Gain", EXAMPLE_GAIN },
                { "signs = +-", "Sum", EXAMPLE_SUM },
                { "torque", "torque", EXAMPLE_WIRE_GAIN_SUM },
                { "remember", "To remember", 40 },
                { "y", "plant.y", EXAMPLE_OUT },
                { "no such thing", NULL, 0 } };
  g_autoptr (WeirNote) note = weir_note_new (40, (WeirPoint) { 0, 300 }, "To remember\nmore");
  WeirPatch *patch = weir_patch_new ();

  apply (fixture, weir_edit_set_label (site_of (fixture), EXAMPLE_WIRE_GAIN_SUM, "torque"),
         "Label wire");
  weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
  g_assert_true (weir_document_edit (fixture->document, patch, "Note", NULL, NULL));
  weir_patch_free (patch);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) choices = weir_choices_new ();

      weir_find_elements (weir_document_get_model (fixture->document), cases[i].text, choices);
      if (cases[i].first == NULL)
        g_assert_cmpuint (choices->len, ==, 0);
      else
        {
          const WeirChoice *first = choices->pdata[0];

          g_assert_cmpstr (first->title, ==, cases[i].first);
          g_assert_cmpuint (first->id, ==, cases[i].id);
        }
    }
  take (fixture);
}

/* What is marked on a wire stands at the port where its signal leaves, goes with the block, and is
 * taken back in one step. */
static void
test_points (Fixture *fixture, gconstpointer data)
{
  const guint32 wire = EXAMPLE_WIRE_GAIN_SUM;
  const WeirDiagram *root;
  WeirBlock *block;

  g_assert_cmpuint (weir_site_get_points (site_of (fixture), wire), ==, 0);
  g_assert_null (weir_edit_set_points (site_of (fixture), wire, 0));
  apply (fixture, weir_edit_set_points (site_of (fixture), wire, WEIR_POINT_LOOP),
         "Change analysis point");
  root = get_root (fixture);
  block = weir_diagram_find_block (root,
                                   weir_wire_get_from (weir_diagram_find_wire (root, wire)).block);
  g_assert_cmpstr (weir_metadata_get_text (weir_block_get_metadata (block), "y", weir_key_points),
                   ==, "output break input");
  g_assert_cmpuint (weir_site_get_points (site_of (fixture), wire), ==, WEIR_POINT_LOOP);
  apply (fixture, weir_edit_set_points (site_of (fixture), wire, WEIR_POINT_AFTER),
         "Change analysis point");
  apply (fixture, weir_edit_set_points (site_of (fixture), wire, 0), "Change analysis point");
  g_assert_cmpuint (weir_site_get_points (site_of (fixture), wire), ==, 0);
  weir_document_undo (fixture->document);
  g_assert_cmpuint (weir_site_get_points (site_of (fixture), wire), ==, WEIR_POINT_AFTER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/canvas/edits/align", test_align);
  ADD ("/canvas/edits/distribute", test_distribute);
  ADD ("/canvas/edits/match-size", test_match_size);
  ADD ("/canvas/edits/flip-vertically", test_flip_vertically);
  ADD ("/canvas/edits/tidy", test_tidy);
  g_test_add_func ("/canvas/edits/tidy-random", test_tidy_random);
  ADD ("/canvas/edits/tidy-selection", test_tidy_selection);
  ADD ("/canvas/edits/group", test_group);
  ADD ("/canvas/edits/group-ports", test_group_ports);
  ADD ("/canvas/edits/move-to-level", test_move_to_level);
  ADD ("/canvas/edits/expand-names", test_expand_names);
  ADD ("/canvas/edits/modes", test_modes);
  ADD ("/canvas/edits/find", test_find);
  ADD ("/canvas/edits/points", test_points);
  return g_test_run ();
}
