/* Patches: what they change, what they share, what they refuse, which aspects they touch. */
#include "../seeds.h"
#include "helpers.h"
#include "model/tree/model-private.h"
#include "model/tree/unit-settings.h"

static WeirModel *
example (void)
{
  return model_from_xml ("<block id='1' type='Constant' name='c' x='0' y='0'><parameter "
                         "name='value' value='2'/></block>"
                         "<block id='2' type='Gain' name='g' x='100' y='0'/>"
                         "<block id='3' type='Subsystem' name='plant' x='200' y='0'><diagram>"
                         "  <block id='4' type='In' name='u' x='0' y='0'/>"
                         "  <block id='5' type='Gain' name='g' x='100' y='0'/>"
                         "  <block id='6' type='Out' name='y' x='200' y='0'/>"
                         "  <wire id='7' from='4.y' to='5.u'/><wire id='8' from='5.y' to='6.u'/>"
                         "</diagram></block>"
                         "<wire id='9' from='1.y' to='2.u'/><wire id='10' from='2.y' to='3.u'/>"
                         "<note id='11' x='0' y='50'>hello</note>");
}

static const guint32 in_plant[] = { 3 };
#define PLANT ((WeirPlace) { in_plant, 1 })

/* --- Aspects --------------------------------------------------------------------------------- */

static void
move_inner (WeirPatch *patch, WeirModel *model)
{
  g_autoptr (WeirBlock) moved = weir_block_with_position (weir_model_find_block (model, 5, NULL),
                                                          (WeirPoint) { 1, 2 });

  weir_patch_set_block (patch, PLANT, moved);
}

static void
rotate (WeirPatch *patch, WeirModel *model)
{
  g_autoptr (WeirBlock) turned = weir_block_with_orientation (
      weir_model_find_block (model, 2, NULL), WEIR_ROTATION_90, TRUE);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, turned);
}

static void
set_parameter (WeirPatch *patch, WeirModel *model, guint32 id, const char *name, const char *text)
{
  g_autoptr (WeirBlock)
      block = weir_block_with_parameter (weir_model_find_block (model, id, NULL), name, text);

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
}

static void
tune (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "gain", "3");
}

static void
tune_to_default (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "gain", "1");
}

static void
tune_to_vector (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "gain", "[3, 4]");
}

static void
tune_to_nonsense (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "gain", "three");
}

static void
set_unknown_parameter (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "colour", "red");
}

static void
make_unit (WeirPatch *patch, WeirModel *model)
{
  g_autoptr (WeirBlock)
      unit = weir_block_with_unit_setting (weir_model_find_block (model, 3, NULL), "place", "2");

  g_assert_true (weir_block_is_unit (unit));
  g_assert_cmpstr (weir_block_get_unit_setting (unit, "steps"), ==, "1");
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, unit);
}

static void
rename_gain (WeirPatch *patch, WeirModel *model)
{
  g_assert_true (weir_patch_rename_block (patch, model, WEIR_PLACE_ROOT, 2, "amplifier"));
}

static void
rename_port (WeirPatch *patch, WeirModel *model)
{
  g_assert_true (weir_patch_rename_block (patch, model, PLANT, 4, "force"));
}

static void
bend (WeirPatch *patch, WeirModel *model)
{
  const WeirPoint bends[] = { { 1, 2 } };
  g_autoptr (WeirWire) wire = weir_wire_with_bends (
      weir_diagram_find_wire (weir_model_get_root (model), 9), bends, 1);

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
}

static void
rewire (WeirPatch *patch, WeirModel *model)
{
  g_autoptr (WeirWire) wire = weir_wire_with_ends (
      weir_diagram_find_wire (weir_model_get_root (model), 10), port (1, "y"), port (3, "u"));

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
}

static void
remove_inner_wire (WeirPatch *patch, G_GNUC_UNUSED WeirModel *model)
{
  weir_patch_remove_wire (patch, PLANT, 7);
}

static void
edit_note (WeirPatch *patch, G_GNUC_UNUSED WeirModel *model)
{
  g_autoptr (WeirNote) note = weir_note_new (11, (WeirPoint) { 0, 50 }, "bye");

  weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
}

static void
remove_note (WeirPatch *patch, G_GNUC_UNUSED WeirModel *model)
{
  weir_patch_remove_note (patch, WEIR_PLACE_ROOT, 11);
}

static void
set_setting (WeirPatch *patch, G_GNUC_UNUSED WeirModel *model)
{
  weir_patch_set_setting (patch, "stop-time", "3");
}

static void
set_title (WeirPatch *patch, G_GNUC_UNUSED WeirModel *model)
{
  weir_patch_set_title (patch, "T");
}

static void
several (WeirPatch *patch, WeirModel *model)
{
  tune (patch, model);
  bend (patch, model);
  set_title (patch, model);
}

static void
there_and_back (WeirPatch *patch, WeirModel *model)
{
  set_parameter (patch, model, 2, "gain", "3");
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, weir_model_find_block (model, 2, NULL));
  weir_patch_set_title (patch, "T");
  weir_patch_set_title (patch, "");
}

static void
test_aspects (void)
{
  static const struct {
    const char *name;
    void (*change) (WeirPatch *patch, WeirModel *model);
    WeirAspects expected;
  } cases[] = {
    { "move", move_inner, WEIR_ASPECT_LAYOUT },
    { "rotate", rotate, WEIR_ASPECT_LAYOUT },
    { "tune", tune, WEIR_ASPECT_PARAMETERS },
    { "to the default", tune_to_default, WEIR_ASPECT_PARAMETERS },
    { "to a vector", tune_to_vector, WEIR_ASPECT_STRUCTURE },
    { "to nonsense", tune_to_nonsense, WEIR_ASPECT_VALUES },
    { "unknown parameter", set_unknown_parameter, WEIR_ASPECT_STRUCTURE },
    { "a unit", make_unit, WEIR_ASPECT_SCHEDULE },
    { "rename", rename_gain, WEIR_ASPECT_NAMES },
    { "rename a port", rename_port,
      WEIR_ASPECT_NAMES | WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT },
    { "bend", bend, WEIR_ASPECT_LAYOUT },
    { "rewire", rewire, WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT },
    { "remove a wire", remove_inner_wire, WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT },
    { "edit a note", edit_note, WEIR_ASPECT_LAYOUT },
    { "remove a note", remove_note, WEIR_ASPECT_LAYOUT },
    { "setting", set_setting, WEIR_ASPECT_SETTINGS },
    { "title", set_title, WEIR_ASPECT_METADATA },
    { "several", several, WEIR_ASPECT_PARAMETERS | WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA },
    { "nothing", there_and_back, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) before = example ();
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autoptr (WeirModel) after = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text_before = model_to_text (before);
      g_autofree char *text_still = NULL;
      WeirAspects aspects;

      g_test_message ("%s", cases[i].name);
      cases[i].change (patch, before);
      after = weir_model_apply (before, patch, &aspects, &error);
      g_assert_no_error (error);
      g_assert_cmphex (aspects, ==, cases[i].expected);
      g_assert_cmphex (weir_model_compare (after, before), ==, aspects);
      g_assert_cmpint (weir_model_equal (before, after), ==, aspects == 0);
      text_still = model_to_text (before);
      g_assert_cmpstr (text_before, ==, text_still);
    }
}

/* Whether a unit takes part is a value that a run takes over; that there is a unit is not. */
static void
test_unit_off (void)
{
  g_autoptr (WeirModel) model = example ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirPatch) second = weir_patch_new ();
  g_autoptr (WeirModel) with_unit = NULL;
  g_autoptr (WeirModel) off = NULL;
  g_autoptr (WeirBlock) block = NULL;
  WeirAspects aspects;

  make_unit (patch, model);
  with_unit = weir_model_apply (model, patch, NULL, NULL);
  block = weir_block_with_unit_setting (weir_model_find_block (with_unit, 3, NULL),
                                        WEIR_UNIT_TAKES_PART, "off");
  weir_patch_set_block (second, WEIR_PLACE_ROOT, block);
  off = weir_model_apply (with_unit, second, &aspects, NULL);
  g_assert_cmphex (aspects, ==, WEIR_ASPECT_PARAMETERS);
  g_assert_cmpuint (weir_block_get_unit_activity (block), ==, WEIR_UNIT_OFF);
  g_assert_cmphex (weir_model_compare (off, model), ==, WEIR_ASPECT_SCHEDULE);
}

/* --- What a patch does ----------------------------------------------------------------------- */

static void
test_rename_port (void)
{
  WeirModel *model = example ();
  WeirPatch *patch = weir_patch_new ();
  g_autofree char *path = NULL;

  rename_port (patch, model);
  model = apply (model, patch, NULL);
  g_assert_cmpstr (weir_wire_get_to (weir_diagram_find_wire (weir_model_get_root (model), 10)).port,
                   ==, "force");
  path = weir_model_dup_block_path (model, 4);
  g_assert_cmpstr (path, ==, "plant.force");
  g_assert_true (weir_model_find_path (model, "plant.force")
                 == weir_model_find_block (model, 4, NULL));
  g_assert_null (weir_model_find_path (model, "plant.u"));
  weir_model_unref (model);
}

static void
test_exchange_names (void)
{
  WeirModel *model = example ();
  WeirPatch *patch = weir_patch_new ();

  weir_patch_rename_block (patch, model, WEIR_PLACE_ROOT, 1, "g");
  weir_patch_rename_block (patch, model, WEIR_PLACE_ROOT, 2, "c");
  model = apply (model, patch, NULL);
  g_assert_cmpuint (weir_block_get_id (weir_model_find_path (model, "g")), ==, 1);
  g_assert_cmpuint (weir_block_get_id (weir_model_find_path (model, "c")), ==, 2);
  weir_model_unref (model);
}

/* Grouping and ungrouping carry blocks with their ids from one diagram to another, in
 * either order. */
static void
test_carry (void)
{
  for (guint order = 0; order < 2; order++)
    {
      WeirModel *model = example ();
      WeirPatch *patch = weir_patch_new ();
      g_autoptr (WeirBlock)
          carried = weir_block_with_name (weir_model_find_block (model, 3, NULL), "inner");
      g_autoptr (WeirBlock) group = weir_block_new (20, "Subsystem", "group", (WeirPoint) { 0, 0 });
      const guint32 in_group[] = { 20 };
      WeirPlace place = { in_group, 1 };
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree char *path = NULL;

      weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, 10);
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, group);
      if (order == 0)
        weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 3);
      weir_patch_set_block (patch, place, carried);
      if (order == 1)
        weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 3);
      model = apply (model, patch, NULL);
      path = weir_model_dup_block_path (model, 5);
      g_assert_cmpstr (path, ==, "group.inner.g");
      g_assert_nonnull (weir_model_find_block (model, 5, found));
      g_assert_cmpuint (found->len, ==, 2);
      g_assert_cmpuint (g_array_index (found, guint32, 0), ==, 20);
      g_assert_cmpuint (weir_model_get_next_id (model), ==, 21);
      weir_model_unref (model);
    }
}

/* Removing a Subsystem frees the ids that it held; they are not given out again. */
static void
test_remove_subsystem (void)
{
  WeirModel *model = example ();
  WeirPatch *patch = weir_patch_new ();

  weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, 10);
  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 3);
  model = apply (model, patch, NULL);
  for (guint32 id = 3; id <= 8; id++)
    g_assert_null (weir_model_find_block (model, id, NULL));
  g_assert_cmpuint (model->homes.n_entries, ==, 4);
  g_assert_cmpuint (weir_model_get_next_id (model), ==, 12);
  weir_model_unref (model);
}

static gboolean
collect_id (WeirWire *wire, gpointer data)
{
  g_string_append_printf (data, "%u ", weir_wire_get_id (wire));
  return TRUE;
}

static void
test_wires_at (void)
{
  WeirModel *model = example ();
  WeirPatch *patch = weir_patch_new ();
  g_autoptr (GString) ids = g_string_new (NULL);

  rewire (patch, model);
  model = apply (model, patch, NULL);
  for (guint32 id = 1; id <= 3; id++)
    {
      weir_diagram_foreach_wire_at (weir_model_get_root (model), id, collect_id, ids);
      g_string_append (ids, "/ ");
    }
  g_assert_cmpstr (ids->str, ==, "9 10 / 9 / 10 / ");
  weir_model_unref (model);
}

static void
test_free_name (void)
{
  g_autoptr (WeirModel) model = example ();

  for (guint n = 0; n < 40; n++)
    {
      WeirPatch *patch = weir_patch_new ();
      g_autofree char *name = weir_diagram_dup_free_name (weir_model_get_root (model),
                                                          n % 2 == 0 ? "g" : "g2");
      g_autoptr (WeirBlock) block = weir_block_new (weir_model_get_next_id (model), "Gain", name,
                                                    (WeirPoint) { 0, 0 });

      g_assert_true (g_str_has_prefix (name, "g"));
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
      model = apply (g_steal_pointer (&model), patch, NULL); /* which refuses a name in use */
    }
  g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (model)), ==, 43);
  g_assert_nonnull (weir_model_find_path (model, "g41"));
}

/* --- Refusing -------------------------------------------------------------------------------- */

static void
assert_refused (WeirModel *model, WeirPatch *patch, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = model_to_text (model);
  g_autofree char *after = NULL;

  g_assert_null (weir_model_apply (model, patch, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, WEIR_ERROR, code);
  if (strstr (error->message, part) == NULL)
    g_error ("'%s' is not in: %s", part, error->message);
  after = model_to_text (model);
  g_assert_cmpstr (before, ==, after);
  weir_patch_free (patch);
}

/* A patch that adds one block. */
static WeirPatch *
adding (WeirPlace place, guint32 id, const char *name, double x)
{
  WeirPatch *patch = weir_patch_new ();
  g_autoptr (WeirBlock) block = weir_block_new (id, "Gain", name, (WeirPoint) { x, 0 });

  weir_patch_set_block (patch, place, block);
  return patch;
}

static WeirPatch *
wiring (WeirWireEnd from, WeirWireEnd to)
{
  WeirPatch *patch = weir_patch_new ();
  g_autoptr (WeirWire) wire = weir_wire_new (20, from, to, NULL, 0);

  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
  return patch;
}

static void
test_refused (void)
{
  g_autoptr (WeirModel) model = example ();
  const guint32 nowhere[] = { 3, 5 };
  const guint32 missing[] = { 77 };
  g_autoptr (WeirBlock) odd = weir_block_new (20, "Gain", "odd", (WeirPoint) { 0, 0 });
  g_autoptr (WeirBlock) bad_text = weir_block_with_parameter (odd, "gain", "\x01");
  g_autoptr (WeirNote) bad_note = weir_note_new (20, (WeirPoint) { 0, 0 }, "\xff");
  g_autoptr (WeirBlock) loop = weir_block_new (3, "Subsystem", "loop", (WeirPoint) { 0, 0 });
  WeirPatch *patch;

  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "g", 0), WEIR_ERROR_INVALID,
                  "'g' is already used");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "a.b", 0), WEIR_ERROR_INVALID,
                  "'a.b' contains a '.'");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "", 0), WEIR_ERROR_INVALID, "is empty");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, " a", 0), WEIR_ERROR_INVALID, "space");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "a\nb", 0), WEIR_ERROR_INVALID, "line break");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "a\xff", 0), WEIR_ERROR_INVALID, "UTF-8");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "x", G_MAXDOUBLE), WEIR_ERROR_INVALID,
                  "x: the position");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 20, "x", g_ascii_strtod ("nan", NULL)),
                  WEIR_ERROR_INVALID, "out of range");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 0, "x", 0), WEIR_ERROR_INVALID, "id");
  assert_refused (model, adding (WEIR_PLACE_ROOT, G_MAXUINT32, "x", 0), WEIR_ERROR_INVALID, "id");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 5, "x", 0), WEIR_ERROR_INVALID, "id 5 is in use");
  assert_refused (model, adding (WEIR_PLACE_ROOT, 9, "x", 0), WEIR_ERROR_INVALID, "id 9 is in use");
  assert_refused (model, adding (PLANT, 1, "x", 0), WEIR_ERROR_INVALID, "id 1 is in use");
  assert_refused (model, adding ((WeirPlace) { nowhere, 2 }, 20, "x", 0), WEIR_ERROR_NOT_FOUND,
                  "Subsystem 5");
  assert_refused (model, adding ((WeirPlace) { missing, 1 }, 20, "x", 0), WEIR_ERROR_NOT_FOUND,
                  "Subsystem 77");
  assert_refused (model, wiring (port (1, "y"), port (5, "u")), WEIR_ERROR_INVALID, "block 5");
  assert_refused (model, wiring (port (77, "y"), port (2, "u")), WEIR_ERROR_INVALID, "block 77");
  assert_refused (model, wiring (port (1, ""), port (2, "u")), WEIR_ERROR_INVALID, "Wire 20");
  assert_refused (model, wiring (port (1, "y"), point (2e9, 0)), WEIR_ERROR_INVALID, "Wire 20");

  patch = weir_patch_new ();
  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 2);
  assert_refused (model, patch, WEIR_ERROR_INVALID, "still ends at block 2");
  patch = weir_patch_new ();
  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 77);
  assert_refused (model, patch, WEIR_ERROR_NOT_FOUND, "block 77");
  patch = weir_patch_new ();
  weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, 7);
  assert_refused (model, patch, WEIR_ERROR_NOT_FOUND, "wire 7");
  patch = weir_patch_new ();
  weir_patch_remove_note (patch, PLANT, 11);
  assert_refused (model, patch, WEIR_ERROR_NOT_FOUND, "note 11");
  patch = weir_patch_new ();
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, bad_text);
  assert_refused (model, patch, WEIR_ERROR_INVALID, "odd: parameter 'gain'");
  patch = weir_patch_new ();
  weir_patch_set_note (patch, WEIR_PLACE_ROOT, bad_note);
  assert_refused (model, patch, WEIR_ERROR_INVALID, "note 20");
  patch = weir_patch_new ();
  weir_patch_set_title (patch, "\x02");
  assert_refused (model, patch, WEIR_ERROR_INVALID, "title");
  patch = weir_patch_new ();
  weir_patch_set_setting (patch, "", "1");
  assert_refused (model, patch, WEIR_ERROR_INVALID, "setting");
  /* A good change before a bad one is not kept either. */
  patch = weir_patch_new ();
  tune (patch, model);
  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 77);
  assert_refused (model, patch, WEIR_ERROR_NOT_FOUND, "block 77");
  /* A Subsystem carried into itself. */
  patch = weir_patch_new ();
  weir_patch_set_block (patch, PLANT, loop);
  weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, 10);
  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 3);
  assert_refused (model, patch, WEIR_ERROR_INVALID, "within itself");
}

static void
test_depth (void)
{
  WeirModel *model = weir_model_new ();
  guint32 ids[WEIR_MAX_DEPTH];
  g_autoptr (WeirBlock) last = NULL;
  WeirPatch *patch;

  for (guint i = 0; i + 1 < WEIR_MAX_DEPTH; i++)
    {
      g_autoptr (WeirBlock) block = weir_block_new (i + 1, "Subsystem", "s", (WeirPoint) { 0, 0 });

      patch = weir_patch_new ();
      weir_patch_set_block (patch, (WeirPlace) { ids, i }, block);
      ids[i] = i + 1;
      model = apply (model, patch, NULL);
    }
  last = weir_block_new (1000, "Subsystem", "last", (WeirPoint) { 0, 0 });
  patch = weir_patch_new ();
  weir_patch_set_block (patch, (WeirPlace) { ids, WEIR_MAX_DEPTH - 1 }, last);
  assert_refused (model, patch, WEIR_ERROR_INVALID, "last: diagrams are nested");
  weir_model_unref (model);
}

/* What a file may hold but a patch may not make can still be edited and mended. */
static void
test_mend (void)
{
  WeirModel *model = model_from_xml ("<block id='1' type='Gain' name='a.b' x='0' y='0'/>"
                                     "<block id='2' type='Gain' name='g' x='0' y='0'/>"
                                     "<block id='3' type='Gain' name='g' x='0' y='0'/>"
                                     "<wire id='4' from='9.y' to='1.u'/>");
  WeirPatch *patch = weir_patch_new ();
  const WeirPoint bends[] = { { 1, 2 } };
  g_autoptr (WeirWire) bent = weir_wire_with_bends (
      weir_diagram_find_wire (weir_model_get_root (model), 4), bends, 1);

  for (guint32 id = 1; id <= 3; id++)
    {
      g_autoptr (WeirBlock) moved = weir_block_with_position (
          weir_model_find_block (model, id, NULL), (WeirPoint) { id, 0 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
    }
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, bent);
  model = apply (model, patch, NULL);
  patch = weir_patch_new ();
  weir_patch_rename_block (patch, model, WEIR_PLACE_ROOT, 1, "ab");
  weir_patch_rename_block (patch, model, WEIR_PLACE_ROOT, 3, "h");
  model = apply (model, patch, NULL);
  g_assert_cmpuint (weir_block_get_id (weir_model_find_path (model, "g")), ==, 2);
  g_assert_cmpuint (weir_block_get_id (weir_model_find_path (model, "h")), ==, 3);
  weir_model_unref (model);
}

/* --- Sharing and indices --------------------------------------------------------------------- */

static gsize
count_new_bytes (const WeirDiagram *new, const WeirDiagram *old)
{
  guint n = weir_pmap_count_unshared (&new->blocks, &old->blocks)
            + weir_pmap_count_unshared (&new->wires, &old->wires)
            + weir_pmap_count_unshared (&new->notes, &old->notes)
            + weir_pmap_count_unshared (&new->names, &old->names)
            + weir_pmap_count_unshared (&new->ends, &old->ends);

  return n * weir_pmap_get_node_size () + sizeof (WeirDiagram);
}

/* Two models of 10 000 blocks that differ by one edit share all but one path. */
static void
test_sharing (void)
{
  enum { N = 10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (28));
  WeirModel *model = weir_model_new ();
  WeirPatch *patch = weir_patch_new ();
  gsize most = 0, most_added = 0;

  for (guint32 id = 1; id <= N; id++)
    {
      g_autofree char *name = g_strdup_printf ("g%u", id);
      g_autoptr (WeirBlock) block = weir_block_new (id, "Gain", name, (WeirPoint) { 0, 0 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  model = apply (model, patch, NULL);

  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (WeirModel) before = weir_model_ref (model);
      guint32 id = (guint32) g_rand_int_range (rand, 1, N + 1);
      WeirBlock *block = weir_model_find_block (model, id, NULL);
      g_autoptr (WeirBlock) moved = weir_block_with_position (block, (WeirPoint) { i + 1, 2 });
      g_autofree char *name = g_strdup_printf ("added%u", i);
      g_autoptr (WeirBlock) added = weir_block_new (weir_model_get_next_id (model), "Gain", name,
                                                    (WeirPoint) { 0, 0 });
      gsize bytes;

      patch = weir_patch_new ();
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
      model = apply (model, patch, NULL);
      g_assert_cmpuint (weir_pmap_count_unshared (&model->homes, &before->homes), ==, 0);
      g_assert_cmpuint (weir_pmap_count_unshared (&model->root->names, &before->root->names), ==,
                        0);
      g_assert_true (block->content == moved->content);
      bytes = count_new_bytes (model->root, before->root) + sizeof (WeirModel) + sizeof (WeirBlock);
      most = MAX (most, bytes);

      weir_model_unref (g_steal_pointer (&before));
      before = weir_model_ref (model);
      patch = weir_patch_new ();
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, added);
      model = apply (model, patch, NULL);
      bytes = count_new_bytes (model->root, before->root) + sizeof (WeirModel) + sizeof (WeirBlock)
              + sizeof (WeirBlockContent)
              + weir_pmap_count_unshared (&model->homes, &before->homes)
                    * weir_pmap_get_node_size ();
      most_added = MAX (most_added, bytes);
    }
  g_test_message ("a move takes at most %" G_GSIZE_FORMAT " bytes, a new block %" G_GSIZE_FORMAT,
                  most, most_added);
  g_assert_cmpuint (most, <=, 2048);
  g_assert_cmpuint (most_added, <=, 3072);
  weir_model_unref (model);
}

static gboolean
check_wire_ends (WeirWire *wire, gpointer data)
{
  const WeirDiagram *diagram = data;
  guint32 blocks[] = { weir_wire_get_from (wire).block, weir_wire_get_to (wire).block };

  for (guint i = 0; i < 2; i++)
    if (blocks[i] != 0)
      {
        g_assert_nonnull (weir_diagram_find_block (diagram, blocks[i]));
        g_assert_true (weir_pmap_contains (&diagram->ends,
                                           (guint64) blocks[i] << 32 | weir_wire_get_id (wire)));
      }
  return TRUE;
}

/* Every index says what the elements say; returns how many ids there are. */
static guint
check_indices (WeirModel *model, const WeirDiagram *diagram, guint32 parent)
{
  guint n = diagram->blocks.n_entries + diagram->wires.n_entries + diagram->notes.n_entries;
  WeirPMapIter iter;
  gpointer value;

  g_assert_true (weir_pmap_is_consistent (&diagram->blocks));
  g_assert_true (weir_pmap_is_consistent (&diagram->names));
  g_assert_true (weir_pmap_is_consistent (&diagram->ends));
  g_assert_cmpuint (diagram->names.n_entries, ==, diagram->blocks.n_entries);
  weir_diagram_foreach_wire (diagram, check_wire_ends, (gpointer) diagram);
  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      WeirBlock *block = value;

      g_assert_true (weir_diagram_find_block_by_name (diagram, block->name) == block);
      g_assert_true (weir_pmap_lookup (&model->homes, block->id)
                     == WEIR_HOME (parent, WEIR_ELEMENT_BLOCK));
      g_assert_true (weir_model_find_block (model, block->id, NULL) == block);
      g_assert_cmpuint (block->id, <, model->next_id);
      if (block->diagram != NULL)
        n += check_indices (model, block->diagram, block->id);
    }
  return n;
}

static void
test_random_edits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (29));

  for (guint round = 0; round < 30; round++)
    {
      RandomEditor e = { rand, weir_model_new (), g_array_new (FALSE, FALSE, sizeof (guint32)) };

      for (guint i = 0; i < 400; i++)
        {
          e.model = apply (e.model, random_patch (&e), NULL);
          if (i % 20 == 0)
            g_assert_cmpuint (check_indices (e.model, e.model->root, 0), ==,
                              e.model->homes.n_entries);
        }
      weir_model_unref (e.model);
      g_array_unref (e.place);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/patch/aspects", test_aspects);
  g_test_add_func ("/model/patch/unit-off", test_unit_off);
  g_test_add_func ("/model/patch/rename-port", test_rename_port);
  g_test_add_func ("/model/patch/exchange-names", test_exchange_names);
  g_test_add_func ("/model/patch/carry", test_carry);
  g_test_add_func ("/model/patch/remove-subsystem", test_remove_subsystem);
  g_test_add_func ("/model/patch/wires-at", test_wires_at);
  g_test_add_func ("/model/patch/free-name", test_free_name);
  g_test_add_func ("/model/patch/refused", test_refused);
  g_test_add_func ("/model/patch/depth", test_depth);
  g_test_add_func ("/model/patch/mend", test_mend);
  g_test_add_func ("/model/patch/sharing", test_sharing);
  g_test_add_func ("/model/patch/random-edits", test_random_edits);
  return g_test_run ();
}
