/* Derived results: exactly what each kind of edit makes anew. */
#include "helpers.h"

#include "model/completion/completion-private.h"

/* --- The mechanism --------------------------------------------------------------------------- */

typedef struct {
  gatomicrefcount ref_count;
  gint *n_alive;
} Token;

static gint n_tokens; /* alive */

static gpointer
make_token (G_GNUC_UNUSED WeirModel *model)
{
  Token *token = g_new (Token, 1);

  g_atomic_ref_count_init (&token->ref_count);
  g_atomic_int_inc (&n_tokens);
  return token;
}

static gpointer
ref_token (gpointer token)
{
  g_atomic_ref_count_inc (&((Token *) token)->ref_count);
  return token;
}

static void
unref_token (gpointer token)
{
  if (!g_atomic_ref_count_dec (&((Token *) token)->ref_count))
    return;
  g_free (token);
  g_atomic_int_add (&n_tokens, -1);
}

#define TOKEN_KIND(name_, ...)                                                                     \
  {                                                                                                \
    .name = name_, .make = make_token, .ref = ref_token, .unref = unref_token, __VA_ARGS__         \
  }

static WeirDerivedKind forgetful = TOKEN_KIND ("forgetful", .survives = 0);
static WeirDerivedKind lasting = TOKEN_KIND ("lasting",
                                             .survives = WEIR_ASPECT_LAYOUT | WEIR_ASPECT_SETTINGS);

static WeirModel *
move (WeirModel *model, guint32 id)
{
  g_autoptr (WeirBlock) moved = weir_block_with_position (weir_model_find_block (model, id, NULL),
                                                          (WeirPoint) { 123, 45 });
  WeirPatch *patch = weir_patch_new ();

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, moved);
  return apply (weir_model_ref (model), patch, NULL);
}

static void
test_kinds (void)
{
  WeirModel *first = model_from_xml ("<block id='1' type='Constant' name='c' x='0' y='0'/>");
  WeirModel *moved, *renamed;
  gpointer a, b, again;
  WeirPatch *patch = weir_patch_new ();

  g_assert_null (weir_model_peek_derived (first, &lasting, NULL));
  g_assert_true (weir_model_peek_derived (first, &lasting, &patch) == &patch);
  a = weir_model_get_derived (first, &lasting);
  b = weir_model_get_derived (first, &forgetful);
  again = weir_model_get_derived (first, &lasting);
  g_assert_true (again == a);
  unref_token (again);
  g_assert_cmpint (lasting.n_made, ==, 1);

  moved = move (first, 1);
  again = weir_model_peek_derived (moved, &lasting, NULL);
  g_assert_true (again == a);
  unref_token (again);
  g_assert_null (
      weir_model_peek_derived (moved, &forgetful, NULL)); /* says nothing: dropped by every patch */

  /* One aspect that it does not survive is enough. */
  weir_patch_set_title (patch, "T");
  weir_patch_set_setting (patch, "stop-time", "1");
  renamed = apply (weir_model_ref (moved), patch, NULL);
  g_assert_null (weir_model_peek_derived (renamed, &lasting, NULL));

  weir_model_drop_derived (moved);
  g_assert_null (weir_model_peek_derived (moved, &lasting, NULL));
  weir_model_unref (first);
  weir_model_unref (moved);
  weir_model_unref (renamed);
  g_assert_cmpint (n_tokens, ==, 2); /* ours */
  unref_token (a);
  unref_token (b);
  g_assert_cmpint (n_tokens, ==, 0);
}

static gpointer
ask (gpointer model)
{
  return weir_model_get_derived (model, &lasting);
}

/* Many ask at once: one makes it, all get it. */
static void
test_threads (void)
{
  gint n_made = lasting.n_made;

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (WeirModel) model = weir_model_new ();
      GThread *threads[4];
      gpointer first = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new (NULL, ask, model);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        {
          gpointer got = g_thread_join (threads[i]);

          g_assert_true (first == NULL || got == first);
          first = got;
          unref_token (got);
        }
    }
  g_assert_cmpint (lasting.n_made - n_made, ==, 50);
  g_assert_cmpint (n_tokens, ==, 0);
}

/* --- Edits ----------------------------------------------------------------------------------- */

#define MODEL                                                                                      \
  "<block id='1' type='Constant' name='c' x='0' y='0'><parameter name='value' value='2'/></block>" \
  "<block id='2' type='Subsystem' name='s' x='0' y='0'><parameter name='k' value='3'/><diagram>"   \
  "<block id='3' type='In' name='u' x='0' y='0'/><block id='4' type='Gain' name='g' x='0' y='0'/>" \
  "<block id='5' type='Integrator' name='i' x='0' y='0'/><block id='6' type='Out' name='y' x='0' " \
  "y='0'/>"                                                                                        \
  "<block id='7' type='Gain' name='h' x='0' y='0'><parameter name='gain' value='k'/></block>"      \
  "<wire id='8' from='3.y' to='4.u'/><wire id='9' from='4.y' to='7.u'/><wire id='10' from='7.y' "  \
  "to='5.u'/>"                                                                                     \
  "<wire id='11' from='5.y' to='6.u'/></diagram></block>"                                          \
  "<block id='12' type='Scope' name='scope' x='0' y='0'/>"                                         \
  "<wire id='13' from='1.y' to='2.u'/><wire id='14' from='2.y' to='12.in1'/>"                      \
  "<note id='15' x='0' y='0'>n</note>"

static void
set (WeirPatch *patch, WeirModel *model, WeirBlock *block)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));

  weir_model_find_block (model, weir_block_get_id (block), place);
  weir_patch_set_block (patch, (WeirPlace) { (guint32 *) (void *) place->data, place->len }, block);
  weir_block_unref (block);
}

static WeirBlock *
get (WeirModel *model, guint32 id)
{
  return weir_model_find_block (model, id, NULL);
}

typedef enum {
  MOVE,
  TINT,
  NOTE,
  BEND,
  TITLE,
  NOTED,
  UNIT,
  RENAME,
  RENAME_PORT,
  VALUE,
  INITIAL,
  SHAPE,
  SUBSYSTEM_VALUE,
  VARIABLE,
  SETTING,
  WIRE,
  REMOVE_WIRE,
  ADD,
  MODE,
  ASSERTION,
  N_EDITS,
} Edit;

static void
fill (WeirPatch *patch, WeirModel *model, Edit edit)
{
  const WeirPoint bend = { 5, 5 };
  const guint32 inside[] = { 2 };
  WeirDiagram *root = weir_model_get_root (model);
  g_autoptr (WeirWire) wire = NULL;
  g_autoptr (WeirNote) note = NULL;

  switch (edit)
    {
    case MOVE:
      set (patch, model, weir_block_with_position (get (model, 4), (WeirPoint) { 9, 9 }));
      break;
    case TINT:
      set (patch, model, weir_block_with_tint (get (model, 1), WEIR_TINT_RED));
      break;
    case NOTE:
      note = weir_note_with_text (weir_diagram_find_note (root, 15), "m");
      weir_patch_set_note (patch, WEIR_PLACE_ROOT, note);
      break;
    case BEND:
      wire = weir_wire_with_bends (weir_diagram_find_wire (root, 13), &bend, 1);
      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
      break;
    case TITLE:
      weir_patch_set_title (patch, "T");
      break;
    case NOTED:
      set (patch, model, weir_block_with_metadata (get (model, 1), "", weir_key_description, "d"));
      break;
    case UNIT:
      set (patch, model, weir_block_with_metadata (get (model, 1), "y", weir_key_unit, "N"));
      break;
    case RENAME:
      set (patch, model, weir_block_with_name (get (model, 1), "d"));
      break;
    case RENAME_PORT:
      weir_patch_rename_block (patch, model, (WeirPlace) { inside, 1 }, 3, "v");
      break;
    case VALUE:
      set (patch, model, weir_block_with_parameter (get (model, 1), "value", "4"));
      break;
    case INITIAL:
      set (patch, model, weir_block_with_parameter (get (model, 5), "initial", "1"));
      break;
    case SHAPE:
      set (patch, model, weir_block_with_parameter (get (model, 1), "value", "[1, 2]"));
      break;
    case SUBSYSTEM_VALUE:
      set (patch, model, weir_block_with_parameter (get (model, 2), "k", "5"));
      break;
    case VARIABLE:
      weir_patch_set_variable (patch, "m", "1");
      break;
    case SETTING:
      weir_patch_set_setting (patch, "stop-time", "5");
      break;
    case WIRE:
      wire = weir_wire_with_ends (weir_diagram_find_wire (root, 14), port (1, "y"),
                                  port (12, "in1"));
      weir_patch_set_wire (patch, WEIR_PLACE_ROOT, wire);
      break;
    case REMOVE_WIRE:
      weir_patch_remove_wire (patch, WEIR_PLACE_ROOT, 14);
      break;
    case ADD:
      set (patch, model, weir_block_new (99, "Sine", "sine", (WeirPoint) { 0, 0 }));
      break;
    case MODE:
      set (patch, model, weir_block_with_mode (get (model, 12), WEIR_BLOCK_COMMENTED_OUT));
      break;
    case ASSERTION:
      weir_patch_set_assertion (patch, "c.y must not depend on time", "");
      break;
    case N_EDITS:
    default:
      g_assert_not_reached ();
    }
}

/* What is made when everything is asked for after each kind of edit of a model of which everything
 * was made. Leaves: c, g, i, scope; h is an expression over another block and is built with each
 * completion. */
static void
test_edits (void)
{
  static const struct {
    Edit edit;
    WeirAspects aspects;
    gint completions, sizes;
    guint leaves;
  } cases[] = {
    { MOVE, WEIR_ASPECT_LAYOUT, 0, 0, 0 },
    { TINT, WEIR_ASPECT_LAYOUT, 0, 0, 0 },
    { NOTE, WEIR_ASPECT_LAYOUT, 0, 0, 0 },
    { BEND, WEIR_ASPECT_LAYOUT, 0, 0, 0 },
    { TITLE, WEIR_ASPECT_METADATA, 0, 0, 0 },
    { NOTED, WEIR_ASPECT_METADATA, 0, 0, 0 },
    { UNIT, WEIR_ASPECT_METADATA | WEIR_ASPECT_STRUCTURE, 1, 1, 0 },
    { RENAME, WEIR_ASPECT_NAMES, 1, 0, 0 },
    { RENAME_PORT, WEIR_ASPECT_NAMES | WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT, 1, 1, 0 },
    { VALUE, WEIR_ASPECT_PARAMETERS, 1, 0, 1 },
    { INITIAL, WEIR_ASPECT_STRUCTURE, 1, 1, 1 },
    { SHAPE, WEIR_ASPECT_STRUCTURE, 1, 1, 4 },        /* everything downstream has another size */
    { SUBSYSTEM_VALUE, WEIR_ASPECT_VALUES, 1, 1, 0 }, /* might have another size */
    { VARIABLE, WEIR_ASPECT_STRUCTURE, 1, 1, 0 },
    { SETTING, WEIR_ASPECT_SETTINGS, 1, 0, 0 },
    { WIRE, WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT, 1, 1, 0 },
    { REMOVE_WIRE, WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_LAYOUT, 1, 1, 0 },
    { ADD, WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES | WEIR_ASPECT_LAYOUT, 1, 1, 1 },
    { MODE, WEIR_ASPECT_STRUCTURE, 1, 1, 0 },
    { ASSERTION, WEIR_ASPECT_STRUCTURE, 1, 1, 0 },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cases) == N_EDITS);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) before = model_from_xml (MODEL);
      g_autoptr (WeirCompletion) old = weir_model_get_derived (before, &weir_derived_completion);
      g_autoptr (GHashTable) old_sizes = weir_model_dup_signal_sizes (before);
      g_autoptr (WeirLeaves) leaves = weir_model_get_derived (before, &weir_derived_leaves);
      guint n_leaves = weir_leaves_get_n_added (leaves);
      gint n_completions = weir_derived_completion.n_made,
           n_sizes = weir_derived_signal_sizes.n_made;
      g_autoptr (WeirCompletion) new = NULL;
      g_autoptr (GHashTable) new_sizes = NULL;
      g_autoptr (WeirModel) after = NULL;
      WeirPatch *patch = weir_patch_new ();
      WeirAspects aspects;

      g_assert_nonnull (weir_completion_get_system (old));
      fill (patch, before, cases[i].edit);
      after = apply (weir_model_ref (before), patch, &aspects);
      new = weir_model_get_derived (after, &weir_derived_completion);
      new_sizes = weir_model_dup_signal_sizes (after);
      g_test_message ("edit %u: aspects %x, %d completions, %d sizes, %u leaves", cases[i].edit,
                      aspects, weir_derived_completion.n_made - n_completions,
                      weir_derived_signal_sizes.n_made - n_sizes,
                      weir_leaves_get_n_added (leaves) - n_leaves);
      g_assert_cmpint (aspects, ==, cases[i].aspects);
      g_assert_cmpint (weir_derived_completion.n_made - n_completions, ==, cases[i].completions);
      g_assert_cmpint (weir_derived_signal_sizes.n_made - n_sizes, ==, cases[i].sizes);
      g_assert_cmpuint (weir_leaves_get_n_added (leaves) - n_leaves, ==, cases[i].leaves);
      g_assert_true ((old == new) == (cases[i].completions == 0));
      g_assert_true ((old_sizes == new_sizes) == (cases[i].sizes == 0));
    }
}

/* One layout move shares all but one path of nodes, and its completion rebuilds nothing. */
static void
test_sharing (void)
{
  const guint32 inside[] = { 2 };
  g_autoptr (WeirModel) before = model_from_xml (MODEL);
  g_autoptr (WeirModel) after = NULL;
  WeirPatch *patch = weir_patch_new ();
  guint n_shared = 0, n_other = 0;

  fill (patch, before, MOVE); /* of s.g */
  after = apply (weir_model_ref (before), patch, NULL);
  for (guint32 id = 1; id < 16; id++)
    {
      const WeirDiagram *roots[] = { weir_model_get_root (before), weir_model_get_root (after) };
      const WeirDiagram *inner[] = { weir_model_get_diagram (before, (WeirPlace) { inside, 1 }),
                                     weir_model_get_diagram (after, (WeirPlace) { inside, 1 }) };
      gboolean is_shared = weir_model_find_block (before, id, NULL)
                               == weir_model_find_block (after, id, NULL)
                           && weir_diagram_find_wire (roots[0], id)
                                  == weir_diagram_find_wire (roots[1], id)
                           && weir_diagram_find_wire (inner[0], id)
                                  == weir_diagram_find_wire (inner[1], id)
                           && weir_diagram_find_note (roots[0], id)
                                  == weir_diagram_find_note (roots[1], id);

      g_assert_cmpint (is_shared, ==,
                       id != 2 && id != 4); /* the block, and the Subsystem around it */
      n_shared += is_shared;
      n_other += !is_shared;
    }
  g_assert_cmpuint (n_shared, ==, 13);
  g_assert_cmpuint (n_other, ==, 2);
}

/* A removed initial value stays removed, whatever is made of the model: nothing reads its text
 * again. */
static void
test_removed_initial (void)
{
  WeirModel *model = model_from_xml (
      "<block id='1' type='Equations' name='e' x='0' y='0'>"
      "<parameter name='equations' value='D(x) ~ -x&#10;initial x = 5'/></block>"
      "<block id='2' type='Integrator' name='i' x='0' y='0'><parameter name='initial' "
      "value='7'/></block>"
      "<wire id='3' from='1.x' to='2.u'/>");
  WeirPatch *patch = weir_patch_new ();
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) again = NULL;
  g_autoptr (WeirCompletion) with = weir_model_get_derived (model, &weir_derived_completion);

  g_assert_nonnull (weir_completion_get_system (with));
  set (patch, model, weir_block_with_parameter (get (model, 2), "initial", NULL));
  set (patch, model, weir_block_with_parameter (get (model, 1), "equations", "D(x) ~ -x"));
  model = apply (model, patch, NULL);
  patch = weir_patch_new ();
  set (patch, model, weir_block_with_position (get (model, 2), (WeirPoint) { 9, 9 }));
  model = apply (model, patch, NULL); /* a model from a model */
  text = model_to_text (model);
  bytes = weir_model_write_bytes (model);
  again = weir_model_read_bytes (bytes, "m", diagnostics);
  g_assert_null (strstr (text, "initial"));
  g_assert_null (weir_block_get_parameter (get (again, 2), "initial"));
  g_assert_null (strstr (weir_block_get_parameter (get (again, 1), "equations"), "initial"));
  weir_model_unref (model);
}

/* Undo finds what it left; what is older is forgotten. */
static void
test_document (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  WeirSystem *systems[4];
  gint n_made;

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (WeirPatch) patch = weir_patch_new ();
      g_autofree char *name = g_strdup_printf ("c%u", i);
      g_autoptr (WeirBlock) block = weir_block_new (i + 1, "Constant", name, (WeirPoint) { 0, 0 });

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
      g_assert_true (weir_document_edit (document, patch, "Add", NULL, NULL));
      systems[i] = weir_document_complete (document, NULL);
      g_assert_nonnull (systems[i]);
    }
  n_made = weir_derived_completion.n_made;
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (WeirSystem) before = NULL;
      g_autoptr (WeirSystem) back = NULL;

      weir_document_undo (document);
      before = weir_document_complete (document, NULL);
      weir_document_redo (document);
      back = weir_document_complete (document, NULL);
      g_assert_true (before == systems[2] && back == systems[3]);
    }
  g_assert_cmpint (weir_derived_completion.n_made, ==, n_made);
  weir_document_undo (document);
  weir_document_undo (document);
  {
    g_autoptr (WeirSystem) oldest = weir_document_complete (document, NULL);

    g_assert_true (oldest != systems[1]);
  }
  g_assert_cmpint (weir_derived_completion.n_made, ==, n_made + 1);
  for (guint i = 0; i < 4; i++)
    weir_system_unref (systems[i]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/derived/kinds", test_kinds);
  g_test_add_func ("/model/derived/threads", test_threads);
  g_test_add_func ("/model/derived/edits", test_edits);
  g_test_add_func ("/model/derived/sharing", test_sharing);
  g_test_add_func ("/model/derived/removed-initial", test_removed_initial);
  g_test_add_func ("/model/derived/document", test_document);
  return g_test_run ();
}
