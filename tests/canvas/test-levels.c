/* Physical lines where blocks go to another level: grouped, expanded, carried there, cut and
 * pasted. What was one node is one, through all levels, and nothing else is; no line is left loose.
 */
#include <string.h>

#include "../seeds.h"
#include "canvas/edits/edits.h"
#include "example.h"
#include "sets.h"

static void
apply (WeirDocument *document, WeirEdit *edit)
{
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (edit);
  weir_document_edit (document, edit->patch, edit->label, NULL, &error);
  g_assert_no_error (error);
  weir_edit_free (edit);
}

static WeirDiagram *
get_diagram (WeirDocument *document, WeirPlace place)
{
  return weir_model_get_diagram (weir_document_get_model (document), place);
}

static guint
count_lines_at (const WeirDiagram *diagram, guint32 block)
{
  g_autoptr (GPtrArray) lines = weir_diagram_list_wires (diagram, block);

  return lines->len;
}

/* V1 - R1 - C1 - V1, the Ground on the last; the Subsystem holds an inductor between two Pins, of
 * which one is at R1.n. */
static const char circuit[] =
    "<weir version=\"4\"><diagram>"
    "<block id=\"1\" type=\"VoltageSource\" name=\"V1\" x=\"40\" y=\"100\"/>"
    "<block id=\"2\" type=\"Resistor\" name=\"R1\" x=\"120\" y=\"50\"/>"
    "<block id=\"3\" type=\"Capacitor\" name=\"C1\" x=\"240\" y=\"100\" rotation=\"90\"/>"
    "<block id=\"4\" type=\"Ground\" name=\"Ground\" x=\"140\" y=\"240\"/>"
    "<block id=\"5\" type=\"Subsystem\" name=\"filter\" x=\"400\" y=\"40\"><diagram>"
    "<block id=\"20\" type=\"Pin\" name=\"a\" x=\"0\" y=\"0\"/>"
    "<block id=\"21\" type=\"Inductor\" name=\"L1\" x=\"100\" y=\"0\"/>"
    "<block id=\"22\" type=\"Pin\" name=\"b\" x=\"200\" y=\"0\"/>"
    "<block id=\"23\" type=\"Subsystem\" name=\"within\" x=\"100\" y=\"100\"><diagram>"
    "<block id=\"30\" type=\"Resistor\" name=\"R9\" x=\"0\" y=\"0\"/>"
    "</diagram></block>"
    "<line id=\"25\" from=\"20.p\" to=\"21.p\"/><line id=\"26\" from=\"21.n\" to=\"22.p\"/>"
    "</diagram></block>"
    "<line id=\"10\" from=\"1.p\" to=\"2.p\"/><line id=\"11\" from=\"2.n\" to=\"3.p\"/>"
    "<line id=\"12\" from=\"3.n\" to=\"1.n\"/>"
    "<line id=\"13\" from=\"4.p\" to-line=\"12\" to-x=\"140\" to-y=\"170\"/>"
    "<line id=\"14\" from=\"5.a\" to=\"2.n\"/>"
    "</diagram></weir>";

/* Into the filter: R1.n is at its pin a already, R1.p takes a new one. Back out all is as it was.
 */
static void
test_down_and_up (void)
{
  g_autoptr (WeirDocument) document = example_document_from (circuit);
  static const guint32 resistor = 2, filter = 5;
  WeirPlace inside = { &filter, 1 };
  WeirElements what = { .blocks = &resistor, .n_blocks = 1 };
  g_autofree char *before = dup_sets (weir_document_get_model (document), NULL);
  g_autofree char *within = NULL, *after = NULL;
  g_autoptr (WeirModel) start = weir_model_ref (weir_document_get_model (document));
  guint n_loose;

  apply (document,
         weir_edit_move_to_level (
             (WeirSite) { weir_document_get_model (document), WEIR_PLACE_ROOT }, what, inside));
  within = dup_sets (weir_document_get_model (document), &n_loose);
  g_assert_cmpstr (within, ==, before);
  g_assert_cmpuint (n_loose, ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_diagram (document, inside)), ==, 6);
  g_assert_cmpuint (count_lines_at (get_diagram (document, inside), resistor), ==, 2);
  g_assert_cmpuint (weir_diagram_get_n_wires (get_diagram (document, WEIR_PLACE_ROOT)), ==, 4);

  apply (document,
         weir_edit_move_to_level ((WeirSite) { weir_document_get_model (document), inside }, what,
                                  WEIR_PLACE_ROOT));
  after = dup_sets (weir_document_get_model (document), &n_loose);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpuint (n_loose, ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_diagram (document, inside)), ==, 5);
  weir_document_undo (document);
  weir_document_undo (document);
  g_assert_true (weir_model_equal (weir_document_get_model (document), start));
}

/* Two levels down there is a Pin in each. */
static void
test_two_levels (void)
{
  g_autoptr (WeirDocument) document = example_document_from (circuit);
  static const guint32 moved[] = { 2, 3 }, place[] = { 5, 23 };
  WeirElements what = { .blocks = moved, .n_blocks = 2 };
  g_autofree char *before = dup_sets (weir_document_get_model (document), NULL);
  g_autofree char *after = NULL;
  guint n_loose;

  apply (document, weir_edit_move_to_level (
                       (WeirSite) { weir_document_get_model (document), WEIR_PLACE_ROOT }, what,
                       (WeirPlace) { place, 2 }));
  after = dup_sets (weir_document_get_model (document), &n_loose);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpuint (n_loose, ==, 0);
  /* R1.p and C1.n need new ones; R1.n, with C1.p, goes through a. */
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_diagram (document, (WeirPlace) { place, 1 })),
                    ==, 4 + 2);
  g_assert_cmpuint (weir_diagram_get_n_blocks (get_diagram (document, (WeirPlace) { place, 2 })),
                    ==, 1 + 2 + 3);
}

/* A Pin is the border's: it stays. */
static void
test_pins_stay (void)
{
  g_autoptr (WeirDocument) document = example_document_from (circuit);
  static const guint32 pin = 20, filter = 5;

  g_assert_null (
      weir_edit_move_to_level ((WeirSite) { weir_document_get_model (document), { &filter, 1 } },
                               (WeirElements) { .blocks = &pin, .n_blocks = 1 }, WEIR_PLACE_ROOT));
}

/* Renamed, the lines at it go with it. */
static void
test_renamed (void)
{
  g_autoptr (WeirDocument) document = example_document_from (circuit);
  static const guint32 filter = 5;
  g_autofree char *before = dup_sets (weir_document_get_model (document), NULL);
  g_autofree char *after = NULL;

  apply (document,
         weir_edit_rename ((WeirSite) { weir_document_get_model (document), { &filter, 1 } }, 20,
                           "input"));
  after = dup_sets (weir_document_get_model (document), NULL);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (
      weir_wire_get_from (weir_diagram_find_wire (get_diagram (document, WEIR_PLACE_ROOT), 14))
          .port,
      ==, "input");
}

/* --- Random models --------------------------------------------------------------------------- */

#define N_MODELS 150
#define N_EDITS 5 /* of each */
#define MAX_DEPTH 3

typedef struct {
  GRand *rand;
  WeirDocument *document;
  GArray *places; /* GArray of ids: of every diagram */
} Random;

static guint
below (Random *r, guint n)
{
  return (guint) g_rand_int_range (r->rand, 0, (gint32) MAX (n, 1));
}

static void
add_places (Random *r, const WeirDiagram *diagram, const GArray *around)
{
  g_autoptr (GPtrArray) blocks = weir_diagram_list_blocks (diagram);
  GArray *own = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (around->len > 0)
    g_array_append_vals (own, around->data, around->len);
  g_array_append_val (r->places, own);
  for (guint i = 0; i < blocks->len; i++)
    if (weir_block_get_diagram (blocks->pdata[i]) != NULL)
      {
        guint32 id = weir_block_get_id (blocks->pdata[i]);
        GArray *inner = g_array_new (FALSE, FALSE, sizeof (guint32));

        if (own->len > 0)
          g_array_append_vals (inner, own->data, own->len);
        g_array_append_val (inner, id);
        add_places (r, weir_block_get_diagram (blocks->pdata[i]), inner);
        g_array_unref (inner);
      }
}

static void
clear_place (gpointer place)
{
  g_array_unref (*(GArray **) place);
}

static WeirPlace
any_place (Random *r)
{
  const GArray *ids = g_array_index (r->places, GArray *, below (r, r->places->len));

  return (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
}

static void
list_places (Random *r)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_set_size (r->places, 0);
  add_places (r, weir_model_get_root (weir_document_get_model (r->document)), none);
}

/* A pin, or now and then a line. */
static WeirWireEnd
any_end (Random *r, WeirScene *scene)
{
  guint n = weir_scene_get_n_wires (scene);
  const WeirBlockShape *shape = weir_scene_get_block (scene,
                                                      below (r, weir_scene_get_n_blocks (scene)));
  const WeirPortShape *port;

  if (n > 0 && below (r, 3) == 0)
    {
      const WeirWireShape *line = weir_scene_get_wire (scene, below (r, n));

      return (WeirWireEnd) { .line = weir_wire_get_id (line->wire), .point = line->points[0] };
    }
  if (shape->n_pins == 0)
    return (WeirWireEnd) { 0 };
  port = &shape->ports[shape->n_ports - 1 - below (r, shape->n_pins)];
  return (WeirWireEnd) { .block = weir_block_get_id (shape->block), .port = port->name };
}

static void
add_lines (Random *r, WeirPlace place)
{
  for (guint i = below (r, 14); i > 0; i--)
    {
      WeirSite site = { weir_document_get_model (r->document), place };
      g_autoptr (WeirScene) scene = weir_scene_new (weir_site_get_diagram (site), NULL);
      WeirWireEnd a = any_end (r, scene), b = any_end (r, scene);
      g_autofree char *refusal = weir_edit_refuse_line (scene, a, b, 0);

      if (refusal == NULL && (a.block != 0 || a.line != 0) && (b.block != 0 || b.line != 0)
          && (a.line == 0 || a.line != b.line))
        apply (r->document, weir_edit_line (site, 0, a, b, NULL, 0));
    }
}

static void
fill (Random *r, const GArray *ids, guint depth)
{
  static const char *const types[] = { "Resistor", "Capacitor", "Ground", "EMF",
                                       "Inertia",  "Pin",       "Pin",    "Subsystem" };
  WeirPlace place = { (const guint32 *) (gpointer) ids->data, ids->len };

  for (guint n = 3 + below (r, 5), i = 0; i < n; i++)
    {
      /* The first is one that can be carried anywhere. */
      guint n_types = i == 0 ? 5 : depth < MAX_DEPTH ? G_N_ELEMENTS (types) : 7;
      const char *type = types[below (r, n_types)];
      WeirPoint at = { weir_snap (100.0 * below (r, 6)), weir_snap (80.0 * below (r, 6)) };
      guint32 id = weir_model_get_next_id (weir_document_get_model (r->document));

      apply (r->document,
             weir_edit_add_block ((WeirSite) { weir_document_get_model (r->document), place }, type,
                                  at));
      if (g_str_equal (type, "Subsystem"))
        {
          g_autoptr (GArray) inner = g_array_new (FALSE, FALSE, sizeof (guint32));

          if (ids->len > 0)
            g_array_append_vals (inner, ids->data, ids->len);
          g_array_append_val (inner, id);
          fill (r, inner, depth + 1);
        }
    }
  add_lines (r, place);
}

/* What a line is at is there. */
static gboolean
check_wire (WeirWire *wire, gpointer data)
{
  const WeirDiagram *diagram = data;
  WeirWireEnd ends[2] = { weir_wire_get_from (wire), weir_wire_get_to (wire) };

  for (guint i = 0; i < 2; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, ends[i].block);
      g_autoptr (GArray) pins = block != NULL ? weir_block_list_pins (block) : NULL;
      gboolean found = FALSE;

      for (guint k = 0; pins != NULL && k < pins->len; k++)
        found |= g_str_equal (g_array_index (pins, WeirPinSpec, k).name, ends[i].port);
      g_assert_true (ends[i].block == 0 || found);
      g_assert_true (ends[i].line == 0 || weir_diagram_find_wire (diagram, ends[i].line) != NULL);
    }
  g_assert_false (ends[0].block != 0 && ends[0].block == ends[1].block
                  && g_str_equal (ends[0].port, ends[1].port));
  return TRUE;
}

static gboolean
check_block (WeirBlock *block, gpointer data)
{
  WeirDiagram *inner = weir_block_get_diagram (block);

  if (inner != NULL)
    {
      weir_diagram_foreach_wire (inner, check_wire, inner);
      weir_diagram_foreach_block (inner, check_block, NULL);
    }
  return TRUE;
}

static GArray *
choose_blocks (Random *r, const WeirDiagram *diagram)
{
  g_autoptr (GPtrArray) blocks = weir_diagram_list_blocks (diagram);
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < blocks->len; i++)
    {
      guint32 id = weir_block_get_id (blocks->pdata[i]);

      if (below (r, 2) == 0)
        g_array_append_val (chosen, id);
    }
  return chosen;
}

/* NULL: what was drawn changes nothing. */
static WeirEdit *
draw_edit (Random *r)
{
  WeirSite site = { weir_document_get_model (r->document), any_place (r) };
  g_autoptr (GArray) chosen = choose_blocks (r, weir_site_get_diagram (site));
  WeirElements what = { .blocks = (const guint32 *) (gpointer) chosen->data,
                        .n_blocks = chosen->len };

  switch (below (r, 4))
    {
    case 0:
      return weir_edit_group (site, what);
    case 1:
      return what.n_blocks > 0 ? weir_edit_expand (site, what.blocks[0]) : NULL;
    default:
      return weir_edit_move_to_level (site, what, any_place (r));
    }
}

/* There is always one: what is no Pin can be grouped. */
static WeirEdit *
any_edit (Random *r)
{
  WeirEdit *edit = NULL;

  list_places (r);
  for (guint i = 0; edit == NULL; i++)
    {
      g_assert_cmpuint (i, <, 1000);
      edit = draw_edit (r);
    }
  return edit;
}

/* Any edits that only carry things leave the sets as they are. */
static void
test_random_carrying (void)
{
  guint32 seed = get_test_seed (1);
  guint n_loose_before, n_loose;

  for (guint i = 0; i < N_MODELS; i++)
    {
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));
      Random r = { g_rand_new_with_seed (seed + i), weir_document_new (),
                   g_array_new (FALSE, FALSE, sizeof (GArray *)) };
      g_autoptr (WeirModel) start = NULL;
      g_autoptr (WeirModel) end = NULL;
      g_autofree char *before = NULL;

      g_array_set_clear_func (r.places, clear_place);
      fill (&r, none, 1);
      start = weir_model_ref (weir_document_get_model (r.document));
      before = dup_sets (start, &n_loose_before);
      for (guint k = 0; k < N_EDITS; k++)
        {
          g_autofree char *after = NULL;

          apply (r.document, any_edit (&r));
          after = dup_sets (weir_document_get_model (r.document), &n_loose);
          g_assert_cmpstr (after, ==, before);
          g_assert_cmpuint (n_loose, <=, n_loose_before);
          weir_diagram_foreach_wire (weir_model_get_root (weir_document_get_model (r.document)),
                                     check_wire,
                                     weir_model_get_root (weir_document_get_model (r.document)));
          weir_diagram_foreach_block (weir_model_get_root (weir_document_get_model (r.document)),
                                      check_block, NULL);
        }
      end = weir_model_ref (weir_document_get_model (r.document));
      for (guint k = 0; k < N_EDITS; k++)
        weir_document_undo (r.document);
      g_assert_true (weir_model_equal (weir_document_get_model (r.document), start));
      for (guint k = 0; k < N_EDITS; k++)
        weir_document_redo (r.document);
      g_assert_true (weir_model_equal (weir_document_get_model (r.document), end));
      g_array_unref (r.places);
      g_rand_free (r.rand);
      g_object_unref (r.document);
    }
}

/* Whether two pins of a diagram are one node there. */
static gboolean
are_joined (WeirScene *scene, guint32 a, const char *p, guint32 b, const char *q)
{
  const WeirWireShape *x = weir_scene_find_line_at (scene, a, p);
  const WeirWireShape *y = weir_scene_find_line_at (scene, b, q);

  return x != NULL && y != NULL && x->node == y->node;
}

typedef struct {
  guint32 block;
  const char *name;
} TestPin;

static GArray *
list_all_pins (const WeirDiagram *diagram, const GArray *blocks)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (TestPin));

  for (guint i = 0; i < blocks->len; i++)
    {
      guint32 id = g_array_index (blocks, guint32, i);
      g_autoptr (GArray) pins = weir_block_list_pins (weir_diagram_find_block (diagram, id));

      for (guint k = 0; k < pins->len; k++)
        {
          TestPin pin = { id, g_intern_string (g_array_index (pins, WeirPinSpec, k).name) };

          g_array_append_val (all, pin);
        }
    }
  return all;
}

/* A copy joins among the chosen blocks what the lines around them joined, and has no loose ends. */
static void
test_random_copies (void)
{
  guint32 seed = get_test_seed (2);
  guint n_joined = 0;

  for (guint i = 0; i < N_MODELS; i++)
    {
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));
      Random r = { g_rand_new_with_seed (seed + i), weir_document_new (), NULL };
      g_autoptr (WeirScene) scene = NULL;
      g_autoptr (WeirScene) copied = NULL;
      g_autoptr (GArray) chosen = NULL;
      g_autoptr (GArray) pins = NULL;
      g_autoptr (GArray) copies = NULL;
      g_autofree char *before = NULL, *after = NULL;
      guint n_loose_before, n_loose;
      WeirSite site;
      WeirEdit *edit;

      fill (&r, none, MAX_DEPTH - 1);
      site = (WeirSite) { weir_document_get_model (r.document), WEIR_PLACE_ROOT };
      before = dup_sets (site.model, &n_loose_before);
      scene = weir_scene_new (weir_site_get_diagram (site), NULL);
      chosen = choose_blocks (&r, weir_site_get_diagram (site));
      edit = weir_edit_duplicate (
          site,
          (WeirElements) { .blocks = (const guint32 *) (gpointer) chosen->data,
                           .n_blocks = chosen->len },
          (WeirPoint) { 20, 600 });
      if (edit != NULL)
        {
          g_autoptr (GArray) new_blocks = g_array_ref (edit->new_blocks);
          WeirDiagram *root;

          g_assert_cmpuint (new_blocks->len, ==, chosen->len);
          apply (r.document, edit);
          root = get_diagram (r.document, WEIR_PLACE_ROOT);
          copied = weir_scene_new (root, NULL);
          pins = list_all_pins (root, chosen);
          copies = list_all_pins (root, new_blocks);
          g_assert_cmpuint (pins->len, ==, copies->len);
          for (guint a = 0; a < pins->len; a++)
            for (guint b = 0; b < a; b++)
              {
                TestPin x = g_array_index (pins, TestPin, a), y = g_array_index (pins, TestPin, b);
                TestPin u = g_array_index (copies, TestPin, a),
                        v = g_array_index (copies, TestPin, b);
                gboolean joined = are_joined (scene, x.block, x.name, y.block, y.name);

                n_joined += joined;
                g_assert_cmpint (are_joined (copied, u.block, u.name, v.block, v.name), ==, joined);
                g_assert_false (are_joined (copied, x.block, x.name, u.block, u.name));
              }
          after = dup_sets (weir_document_get_model (r.document), &n_loose);
          g_assert_cmpuint (n_loose, <=, 2 * n_loose_before);
          weir_diagram_foreach_wire (root, check_wire, root);
        }
      g_rand_free (r.rand);
      g_object_unref (r.document);
    }
  g_assert_cmpuint (n_joined, >, N_MODELS);
}

/* Lines of which both ends are on the next one: as many ways along them as there are subsets. Both
 * ends of the last are on the first. */
static void
test_ladder (void)
{
  g_autoptr (GString) text = g_string_new (
      "<weir version=\"4\"><diagram>"
      "<block id=\"1\" type=\"Resistor\" name=\"R1\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Resistor\" name=\"R2\" x=\"200\" y=\"0\"/>"
      "<line id=\"10\" from=\"1.n\" to=\"2.p\"/>"
      "<line id=\"11\" from-line=\"10\" from-x=\"90\" from-y=\"20\" to-line=\"100\" to-x=\"90\" "
      "to-y=\"50\"/>"
      "<line id=\"12\" from=\"2.n\" to-line=\"10\" to-x=\"95\" to-y=\"20\"/>");
  g_autoptr (WeirDocument) document = NULL;
  static const guint32 line = 10;

  for (guint i = 100; i < 200; i++)
    g_string_append_printf (text,
                            "<line id=\"%u\" from-line=\"%u\" from-x=\"0\" from-y=\"%u\" "
                            "to-line=\"%u\" to-x=\"90\" to-y=\"%u\"/>",
                            i, i < 199 ? i + 1 : 100, i, i < 199 ? i + 1 : 100, i);
  g_string_append (text, "</diagram></weir>");
  document = example_document_from (text->str);
  apply (document,
         weir_edit_delete ((WeirSite) { weir_document_get_model (document), WEIR_PLACE_ROOT },
                           (WeirElements) { .wires = &line, .n_wires = 1 }));
  g_assert_null (weir_diagram_find_wire (get_diagram (document, WEIR_PLACE_ROOT), line));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/canvas/levels/down-and-up", test_down_and_up);
  g_test_add_func ("/canvas/levels/two-levels", test_two_levels);
  g_test_add_func ("/canvas/levels/pins-stay", test_pins_stay);
  g_test_add_func ("/canvas/levels/renamed", test_renamed);
  g_test_add_func ("/canvas/levels/ladder", test_ladder);
  g_test_add_func ("/canvas/levels/random-carrying", test_random_carrying);
  g_test_add_func ("/canvas/levels/random-copies", test_random_copies);
  return g_test_run ();
}
