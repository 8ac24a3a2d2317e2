/* Documents: undo and redo over random edits, merging, the saved marker, signals,
 * completion kept. */
#include <glib/gstdio.h>

#include "../seeds.h"
#include "helpers.h"

static void
on_changed (G_GNUC_UNUSED WeirDocument *document, guint aspects, gpointer data)
{
  GArray *seen = data;

  g_array_append_val (seen, aspects);
}

/* Edits of one kind, for short tests. */
static void
add_block (WeirDocument *document, const char *type)
{
  WeirModel *model = weir_document_get_model (document);
  g_autofree char *name = weir_diagram_dup_free_name (weir_model_get_root (model), type);
  g_autoptr (WeirBlock)
      block = weir_block_new (weir_model_get_next_id (model), type, name, (WeirPoint) { 0, 0 });
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  weir_document_edit (document, patch, "Add", NULL, &error);
  g_assert_no_error (error);
}

static void
move_block (WeirDocument *document, guint32 id, double x, const char *merge_key)
{
  WeirModel *model = weir_document_get_model (document);
  g_autoptr (WeirBlock) block = weir_block_with_position (weir_model_find_block (model, id, NULL),
                                                          (WeirPoint) { x, 0 });
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  weir_document_edit (document, patch, "Move", merge_key, &error);
  g_assert_no_error (error);
}

static double
get_x (WeirDocument *document, guint32 id)
{
  return weir_block_get_position (
             weir_model_find_block (weir_document_get_model (document), id, NULL))
      .x;
}

/* Not an equal model but that very one. */
static void
test_undo_to_first (void)
{
  enum { N = 10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (24));
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirModel) first = weir_model_ref (weir_document_get_model (document));
  RandomEditor e = { rand, NULL, g_array_new (FALSE, FALSE, sizeof (guint32)) };
  guint n_edits = 0;

  while (n_edits < N)
    {
      g_autoptr (WeirPatch) patch = NULL;
      g_autoptr (GError) error = NULL;
      WeirModel *before;

      e.model = before = weir_document_get_model (document);
      patch = random_patch (&e);
      weir_document_edit (document, patch, "Edit", NULL, &error);
      g_assert_no_error (error);
      n_edits += weir_document_get_model (document) != before;
    }
  g_assert_true (weir_document_get_model (document) != first);
  for (guint i = 0; i < N; i++)
    weir_document_undo (document);
  g_assert_true (weir_document_get_model (document) == first);
  g_array_unref (e.place);
}

/* After every edit the text of the model is kept: undo and redo must meet each of them again. */
static void
test_undo_all (void)
{
  enum { N = 3000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (25));
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  RandomEditor e = { rand, NULL, g_array_new (FALSE, FALSE, sizeof (guint32)) };
  guint at;

  g_ptr_array_add (texts, model_to_text (weir_document_get_model (document)));
  for (guint i = 0; i < N; i++)
    {
      g_autoptr (WeirPatch) patch = NULL;
      g_autoptr (GError) error = NULL;
      WeirModel *before;

      e.model = before = weir_document_get_model (document);
      patch = random_patch (&e);
      weir_document_edit (document, patch, "Edit", NULL, &error);
      g_assert_no_error (error);
      if (weir_document_get_model (document) != before)
        g_ptr_array_add (texts, model_to_text (weir_document_get_model (document)));
    }
  g_assert_cmpuint (texts->len, >, N / 2);

  /* A random walk back and forth, ending at the start, then to the end. */
  at = texts->len - 1;
  for (guint i = 0; i < 2 * N; i++)
    {
      g_autofree char *text = NULL;

      if (g_rand_int_range (rand, 0, 5) < 3)
        {
          weir_document_undo (document);
          at -= at > 0;
        }
      else
        {
          weir_document_redo (document);
          at += at + 1 < texts->len;
        }
      if (i % 10 != 0)
        continue;
      text = model_to_text (weir_document_get_model (document));
      g_assert_cmpstr (text, ==, g_ptr_array_index (texts, at));
      g_assert_cmpint (weir_document_can_undo (document), ==, at > 0);
      g_assert_cmpint (weir_document_can_redo (document), ==, at + 1 < texts->len);
    }
  while (weir_document_can_undo (document))
    weir_document_undo (document);
  {
    g_autofree char *text = model_to_text (weir_document_get_model (document));

    g_assert_cmpstr (text, ==, g_ptr_array_index (texts, 0));
    g_assert_false (weir_document_get_modified (document));
  }
  while (weir_document_can_redo (document))
    weir_document_redo (document);
  {
    g_autofree char *text = model_to_text (weir_document_get_model (document));

    g_assert_cmpstr (text, ==, g_ptr_array_index (texts, texts->len - 1));
  }
  g_array_unref (e.place);
}

static void
test_merge (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();

  add_block (document, "Gain");
  move_block (document, 1, 10, "drag");
  move_block (document, 1, 20, "drag");
  move_block (document, 1, 30, "drag");
  weir_document_end_merge (document);
  move_block (document, 1, 40, "drag");
  move_block (document, 1, 50, "other drag");
  move_block (document, 1, 60, NULL);
  move_block (document, 1, 70, NULL);

  g_assert_cmpstr (weir_document_get_undo_label (document), ==, "Move");
  for (guint i = 0; i < 5; i++)
    {
      static const double expected[] = { 60, 50, 40, 30, 0 };

      weir_document_undo (document);
      g_assert_cmpfloat (get_x (document, 1), ==, expected[i]);
    }
  g_assert_cmpstr (weir_document_get_undo_label (document), ==, "Add");
  g_assert_cmpstr (weir_document_get_redo_label (document), ==, "Move");
  weir_document_undo (document);
  g_assert_null (weir_document_get_undo_label (document));
  g_assert_false (weir_document_can_undo (document));
}

/* A drag that comes back leaves no step, and the next undo takes back what was before it. */
static void
test_merge_to_nothing (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();

  add_block (document, "Gain");
  move_block (document, 1, 10, "drag");
  move_block (document, 1, 0, "drag");
  weir_document_undo (document);
  g_assert_cmpuint (
      weir_diagram_get_n_blocks (weir_model_get_root (weir_document_get_model (document))), ==, 0);
  g_assert_false (weir_document_can_undo (document));
}

static void
test_edit_after_undo (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();

  add_block (document, "Gain");
  add_block (document, "Sum");
  weir_document_undo (document);
  add_block (document, "Scope");
  g_assert_false (weir_document_can_redo (document));
  g_assert_nonnull (weir_model_find_path (weir_document_get_model (document), "Scope"));
  g_assert_null (weir_model_find_path (weir_document_get_model (document), "Sum"));
}

static void
test_refused_edit (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  WeirModel *before = weir_document_get_model (document);

  weir_patch_remove_block (patch, WEIR_PLACE_ROOT, 5);
  g_assert_false (weir_document_edit (document, patch, "Remove", NULL, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND);
  g_assert_true (weir_document_get_model (document) == before);
  g_assert_false (weir_document_can_undo (document));
}

static void
test_signals (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint));
  static const guint expected[] = {
    WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES | WEIR_ASPECT_LAYOUT, /* add */
    WEIR_ASPECT_LAYOUT,                                             /* move */
    WEIR_ASPECT_LAYOUT,                                             /* undo */
    WEIR_ASPECT_LAYOUT,                                             /* redo */
  };

  g_signal_connect (document, "changed", G_CALLBACK (on_changed), seen);
  add_block (document, "Gain");
  move_block (document, 1, 10, NULL);
  move_block (document, 1, 10, NULL); /* changes nothing, tells nothing, is no step */
  weir_document_undo (document);
  weir_document_redo (document);
  weir_document_redo (document); /* there is none */
  g_assert_cmpmem (seen->data, seen->len * sizeof (guint), expected, sizeof expected);
}

static void
on_notify (G_GNUC_UNUSED WeirDocument *document, GParamSpec *pspec, gpointer data)
{
  g_string_append_printf (data, "%s ", pspec->name);
}

static void
test_saved_marker (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDocument) other = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GString) notified = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;

  g_signal_connect (document, "notify", G_CALLBACK (on_notify), notified);
  g_assert_false (weir_document_get_modified (document));
  add_block (document, "Gain");
  g_assert_cmpstr (notified->str, ==, "modified can-undo ");
  g_assert_true (weir_document_get_modified (document));
  g_string_set_size (notified, 0);
  g_assert_true (weir_document_save (document, file, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (notified->str, ==, "file title modified ");
  g_object_get (document, "title", &title, NULL);
  g_assert_cmpstr (title, ==, "a.weir");

  /* Away from the saved model and back to it, by undo and by an edit. */
  weir_document_undo (document);
  g_assert_true (weir_document_get_modified (document));
  weir_document_redo (document);
  g_assert_false (weir_document_get_modified (document));
  move_block (document, 1, 10, NULL);
  g_assert_true (weir_document_get_modified (document));
  move_block (document, 1, 0, NULL);
  g_assert_false (weir_document_get_modified (document));

  g_assert_true (weir_document_load (other, file, diagnostics));
  g_assert_true (
      weir_model_equal (weir_document_get_model (other), weir_document_get_model (document)));
  g_assert_false (weir_document_get_modified (other));
  g_assert_false (weir_document_can_undo (other));

  /* A file that cannot be read changes nothing; nor does one that cannot be written. */
  g_assert_true (g_file_set_contents (path, "no model", -1, NULL));
  add_block (other, "Sum");
  g_assert_false (weir_document_load (other, file, diagnostics));
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  g_assert_cmpuint (
      weir_diagram_get_n_blocks (weir_model_get_root (weir_document_get_model (other))), ==, 2);
  g_assert_true (weir_document_can_undo (other));
  {
    g_autoptr (GFile) bad = g_file_new_for_path ("/no/such/folder/a.weir");

    g_assert_false (weir_document_save (other, bad, &error));
    g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
    g_assert_true (weir_document_get_modified (other));
    g_assert_true (g_file_equal (weir_document_get_file (other), file));
  }
  g_unlink (path);
  g_rmdir (folder);
}

static void
tune_block (WeirDocument *document, guint32 id, const char *name, const char *text)
{
  g_autoptr (WeirBlock) block = weir_block_with_parameter (
      weir_model_find_block (weir_document_get_model (document), id, NULL), name, text);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  weir_document_edit (document, patch, "Tune", NULL, &error);
  g_assert_no_error (error);
}

/* Moving keeps the completed system; a value, a structure and undoing either make it anew. */
static void
test_completed (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) first = NULL;
  g_autoptr (WeirSystem) moved = NULL;
  g_autoptr (WeirSystem) tuned = NULL;
  g_autoptr (WeirSystem) broken = NULL;
  g_autoptr (WeirSystem) mended = NULL;

  add_block (document, "Constant");
  first = weir_document_complete (document, NULL);
  g_assert_nonnull (first);
  move_block (document, 1, 10, NULL);
  moved = weir_document_complete (document, NULL);
  g_assert_true (first == moved);
  tune_block (document, 1, "value", "3");
  tuned = weir_document_complete (document, NULL);
  g_assert_nonnull (tuned);
  g_assert_true (tuned != first);
  tune_block (document, 1, "value", "three");
  broken = weir_document_complete (document, &diagnostics);
  g_assert_null (broken);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->code, ==, "PAR04");
  weir_document_undo (document);
  mended = weir_document_complete (document, NULL);
  g_assert_nonnull (mended);
}

static const char *
get_gain (WeirDocument *document)
{
  return weir_block_get_parameter (
      weir_model_find_path (weir_document_get_model (document), "Gain"), "gain");
}

/* What is preset is nowhere an edit: not in undo, not against what is saved; later edits
 * still are. */
static void
test_preset (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", "push-and-pull.weir",
                                            NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirModel) before = NULL;
  guint32 gain;

  g_assert_true (weir_document_load_template (document, file, diagnostics));
  before = weir_model_ref (weir_document_get_model (document));
  gain = weir_block_get_id (weir_model_find_path (before, "Gain"));
  g_signal_connect (document, "changed", G_CALLBACK (on_changed), seen);

  weir_document_preset (document, gain, "gain", "5", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (get_gain (document), ==, "5");
  g_assert_cmpuint (seen->len, ==, 1);
  g_assert_cmpuint (g_array_index (seen, guint, 0), ==, WEIR_ASPECT_PARAMETERS);
  g_assert_false (weir_document_get_modified (document));
  g_assert_false (weir_document_can_undo (document));

  move_block (document, gain, 1000, NULL);
  g_assert_true (weir_document_get_modified (document));
  weir_document_preset (document, gain, "gain", "7", &error);
  g_assert_no_error (error);
  g_assert_true (weir_document_get_modified (document));
  weir_document_undo (document);
  g_assert_false (weir_document_get_modified (document));
  g_assert_cmpstr (get_gain (document), ==, "7");
  weir_document_redo (document);
  g_assert_cmpfloat (get_x (document, gain), ==, 1000);

  /* Of a block that is not there nothing comes; back to the beginning is the beginning. */
  weir_document_preset (document, 9999, "gain", "1", &error);
  g_assert_no_error (error);
  weir_document_undo (document);
  weir_document_preset (document, gain, "gain",
                        weir_block_get_parameter (weir_model_find_path (before, "Gain"), "gain"),
                        &error);
  g_assert_no_error (error);
  g_assert_true (weir_model_equal (weir_document_get_model (document), before));
}

/* --- Completion in a thread ------------------------------------------------------------------ */

static void
count (G_GNUC_UNUSED WeirDocument *document, gpointer n)
{
  ++*(guint *) n;
}

static void
wait_until (const guint *n, guint wanted)
{
  gint64 patience = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (*n < wanted && g_get_monotonic_time () < patience)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_cmpuint (*n, ==, wanted);
}

/* What is asked for comes by a signal, and is that of the model as it is then. */
static void
test_requested (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirSystem) same = NULL;
  guint n = 0;

  g_signal_connect (document, "completed", G_CALLBACK (count), &n);
  add_block (document, "Constant");
  g_assert_false (weir_document_peek_completion (document, NULL, NULL));
  weir_document_request_completion (document);
  g_assert_cmpuint (n, ==, 0);
  wait_until (&n, 1);
  g_assert_true (weir_document_peek_completion (document, &system, &diagnostics));
  g_assert_nonnull (system);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  same = weir_document_complete (document, NULL);
  g_assert_true (same == system);

  /* There already: told at once. */
  weir_document_request_completion (document);
  g_assert_cmpuint (n, ==, 2);
  tune_block (document, 1, "value", "three");
  g_assert_false (weir_document_peek_completion (document, NULL, NULL));
  weir_document_request_completion (document);
  wait_until (&n, 3);
  weir_system_unref (g_steal_pointer (&system));
  weir_diagnostics_unref (g_steal_pointer (&diagnostics));
  g_assert_true (weir_document_peek_completion (document, &system, &diagnostics));
  g_assert_null (system);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
}

/* Edits while one is under way: nothing is told until the newest is there, and moving something
 * keeps what is found of the model before. */
static void
test_newest_wins (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirSystem) system = NULL;
  gint n_made;
  guint n = 0;

  for (guint i = 0; i < 40; i++)
    add_block (document, "Constant");
  g_signal_connect (document, "completed", G_CALLBACK (count), &n);
  n_made = g_atomic_int_get (&weir_derived_completion.n_made);
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      tune_block (document, 1, "value", text);
      weir_document_request_completion (document);
    }
  wait_until (&n, 1);
  g_assert_true (weir_document_peek_completion (document, &system, NULL));
  g_assert_nonnull (system);
  g_assert_cmpint (g_atomic_int_get (&weir_derived_completion.n_made) - n_made, ==, 2);

  tune_block (document, 1, "value", "100");
  n_made = g_atomic_int_get (&weir_derived_completion.n_made);
  weir_document_request_completion (document);
  move_block (document, 1, 10, NULL);
  weir_document_request_completion (document);
  wait_until (&n, 2);
  g_assert_cmpint (g_atomic_int_get (&weir_derived_completion.n_made) - n_made, ==, 1);

  /* Who must have it waits for the one under way. */
  tune_block (document, 1, "value", "101");
  n_made = g_atomic_int_get (&weir_derived_completion.n_made);
  weir_document_request_completion (document);
  weir_system_unref (g_steal_pointer (&system));
  system = weir_document_complete (document, NULL);
  g_assert_nonnull (system);
  wait_until (&n, 3);
  g_assert_cmpint (g_atomic_int_get (&weir_derived_completion.n_made) - n_made, ==, 1);

  /* A document that goes while its model is looked at. */
  tune_block (document, 1, "value", "102");
  weir_document_request_completion (document);
}

/* --- Loading in a thread --------------------------------------------------------------------- */

typedef struct {
  WeirDiagnostics *diagnostics;
  gboolean is_loaded;
  guint n_ended;
} Loaded;

static void
load_ended (GObject *document, GAsyncResult *result, gpointer data)
{
  Loaded *loaded = data;

  loaded->is_loaded = weir_document_load_finish (WEIR_DOCUMENT (document), result,
                                                 loaded->diagnostics);
  loaded->n_ended++;
}

static void
test_load_async (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDocument) other = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Loaded loaded = { diagnostics, FALSE, 0 };
  WeirModel *before;
  gint progress = 0;

  for (guint i = 0; i < 200; i++)
    add_block (document, "Gain");
  g_assert_true (weir_document_save (document, file, NULL));
  weir_document_load_async (other, file, NULL, &progress, load_ended, &loaded);
  g_assert_null (weir_document_get_file (other));
  wait_until (&loaded.n_ended, 1);
  g_assert_true (loaded.is_loaded);
  g_assert_cmpint (progress, ==, 1000);
  g_assert_true (
      weir_model_equal (weir_document_get_model (other), weir_document_get_model (document)));
  g_assert_true (g_file_equal (weir_document_get_file (other), file));
  g_assert_false (weir_document_get_modified (other));
  g_assert_false (weir_document_is_file_changed (other));

  /* Cancelled: nothing has changed, and nothing is to be told. */
  before = weir_document_get_model (other);
  weir_document_load_async (other, file, cancellable, &progress, load_ended, &loaded);
  g_cancellable_cancel (cancellable);
  wait_until (&loaded.n_ended, 2);
  g_assert_false (loaded.is_loaded);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_true (weir_document_get_model (other) == before);

  /* Refused, with the sentence that loading at once gives. */
  g_assert_true (g_file_set_contents (path, "<weir version='1'><nothing/></weir>", -1, NULL));
  weir_document_load_async (other, file, NULL, NULL, load_ended, &loaded);
  wait_until (&loaded.n_ended, 3);
  g_assert_false (loaded.is_loaded);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
  g_assert_false (weir_document_load (other, file, diagnostics));
  g_assert_cmpstr (weir_diagnostics_get (diagnostics, 0)->text, ==,
                   weir_diagnostics_get (diagnostics, 1)->text);
  g_assert_true (weir_document_get_model (other) == before);
  g_unlink (path);
  g_rmdir (folder);
}

/* Of several readings the newest is taken, and none that a saved file is newer than. */
/* What is needed of a model that is read in a thread is made there. */
static GThread *needed_in;

static gpointer
make_needed (G_GNUC_UNUSED WeirModel *model)
{
  needed_in = g_thread_self ();
  return g_bytes_new_static ("needed", 6);
}

static gpointer
ref_needed (gpointer bytes)
{
  return g_bytes_ref (bytes);
}

static void
unref_needed (gpointer bytes)
{
  g_bytes_unref (bytes);
}

static void
test_needed (void)
{
  static WeirDerivedKind kind = {
    .name = "needed", .make = make_needed, .ref = ref_needed, .unref = unref_needed
  };
  g_autoptr (WeirDocument) document = weir_document_new (), other = weir_document_new ();
  g_autofree char *folder = g_dir_make_tmp ("weir-test-XXXXXX", NULL);
  g_autoptr (GBytes) needed = NULL;
  g_autofree char *path = g_build_filename (folder, "needed.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  Loaded loaded = { diagnostics, FALSE, 0 };

  g_assert_true (weir_document_save (document, file, NULL));
  weir_document_load_async (other, file, NULL, NULL, load_ended, &loaded);
  wait_until (&loaded.n_ended, 1);
  g_assert_null (weir_model_peek_derived (weir_document_get_model (other), &kind, NULL));

  weir_document_set_needed (other, &kind);
  weir_document_load_template_async (other, file, NULL, NULL, load_ended, &loaded);
  wait_until (&loaded.n_ended, 2);
  needed = weir_model_peek_derived (weir_document_get_model (other), &kind, NULL);
  g_assert_nonnull (needed);
  g_assert_nonnull (needed_in);
  g_assert_true (needed_in != g_thread_self ());
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_newest_read (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL);
  g_autofree char *template_path = g_build_filename (folder, "b.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) template = g_file_new_for_path (template_path);
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDocument) other = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  Loaded loaded[4] = { { diagnostics, FALSE, 0 },
                       { diagnostics, FALSE, 0 },
                       { diagnostics, FALSE, 0 },
                       { diagnostics, FALSE, 0 } };

  add_block (other, "Gain");
  g_assert_true (weir_document_save (other, template, NULL));
  add_block (other, "Gain");
  g_assert_true (weir_document_save (other, file, NULL));

  weir_document_load_async (document, file, NULL, NULL, load_ended, &loaded[0]);
  weir_document_load_template_async (document, template, NULL, NULL, load_ended, &loaded[1]);
  for (guint i = 0; i < 2; i++)
    wait_until (&loaded[i].n_ended, 1);
  g_assert_false (loaded[0].is_loaded);
  g_assert_true (loaded[1].is_loaded);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_assert_null (weir_document_get_file (document));
  g_assert_cmpuint (
      weir_diagram_get_n_blocks (weir_model_get_root (weir_document_get_model (document))), ==, 1);

  /* Read again: an edit; what was edited meanwhile is a step before it. */
  g_assert_true (weir_document_load (document, file, diagnostics));
  add_block (other, "Gain");
  g_assert_true (weir_document_save (other, file, NULL));
  weir_document_reload_async (document, "Reload", NULL, NULL, load_ended, &loaded[2]);
  move_block (document, 1, 50, NULL);
  wait_until (&loaded[2].n_ended, 1);
  g_assert_true (loaded[2].is_loaded);
  g_assert_true (
      weir_model_equal (weir_document_get_model (document), weir_document_get_model (other)));
  g_assert_false (weir_document_get_modified (document));
  weir_document_undo (document);
  g_assert_cmpfloat (get_x (document, 1), ==, 50);

  /* Saved meanwhile: what is read may be older. */
  weir_document_reload_async (document, "Reload", NULL, NULL, load_ended, &loaded[3]);
  g_assert_true (weir_document_save (document, file, NULL));
  wait_until (&loaded[3].n_ended, 1);
  g_assert_false (loaded[3].is_loaded);
  g_assert_cmpfloat (get_x (document, 1), ==, 50);
  g_assert_false (weir_document_get_modified (document));
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  g_unlink (path);
  g_unlink (template_path);
  g_rmdir (folder);
}

static void
count_call (gpointer object)
{
  guint *n = g_object_get_data (object, "n");

  ++*n;
}

/* Who waits for the completion is called once, of the newest model, and not after it is gone. */
static void
test_when_completed (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GObject) waits = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (WeirSystem) system = NULL;
  GObject *goes = g_object_new (G_TYPE_OBJECT, NULL);
  guint n = 0, n_gone = 0;

  g_object_set_data (waits, "n", &n);
  g_object_set_data (goes, "n", &n_gone);
  for (guint i = 0; i < 1000; i++) /* which takes the thread longer than the calls below */
    add_block (document, "Constant");
  for (guint i = 0; i < 100; i++) /* unless it got the processor and they did not */
    {
      n = 0;
      add_block (document, "Constant");
      weir_document_when_completed (document, count_call, waits);
      weir_document_when_completed (document, count_call, goes);
      weir_document_when_completed (document, count_call, waits);
      add_block (document, "Constant");
      if (n == 0 && n_gone == 0)
        break;
      n_gone = 0;
      g_clear_pointer (&system, weir_system_unref);
      system = weir_document_complete (document, NULL);
    }
  g_object_unref (goes);
  g_assert_cmpuint (n, ==, 0);
  wait_until (&n, 1);
  g_assert_true (weir_document_peek_completion (document, NULL, NULL));
  weir_document_when_completed (document, count_call, waits);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (n_gone, ==, 0);
}

static void
note_order (gpointer object)
{
  guint *n_completed = g_object_get_data (object, "n");

  g_assert_cmpuint (*n_completed, ==, 1);
  g_object_set_data (object, "called", object);
}

static void
count_completed (guint *n)
{
  ++*n;
}

/* What a thread has found, but not told yet, is told before who asks is called; and once. */
static void
test_told_first (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (GObject) waits = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (WeirSystem) system = NULL;
  guint n = 0;

  g_signal_connect_swapped (document, "completed", G_CALLBACK (count_completed), &n);
  g_object_set_data (waits, "n", &n);
  add_block (document, "Constant");
  weir_document_request_completion (document);
  system = weir_document_complete (document, NULL);
  g_assert_cmpuint (n, ==, 0);
  weir_document_when_completed (document, note_order, waits);
  g_assert_nonnull (g_object_get_data (waits, "called"));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (n, ==, 1);
}

/* --- How results are looked at --------------------------------------------------------------- */

static void
set_plot (WeirDocument *document, const char *name, const char *text)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  weir_patch_set_plot (patch, name, text);
  g_assert_true (weir_document_edit (document, patch, "Look", NULL, NULL));
}

static void
set_range (WeirDocument *document, guint32 id, const char *text)
{
  g_autoptr (WeirBlock) block = weir_block_with_metadata (
      weir_model_find_block (weir_document_get_model (document), id, NULL), "value", weir_key_range,
      text);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  g_assert_true (weir_document_edit (document, patch, "Range", NULL, NULL));
}

static const char *
get_range (WeirDocument *document, guint32 id)
{
  return weir_metadata_get_text (weir_block_get_metadata (weir_model_find_block (
                                     weir_document_get_model (document), id, NULL)),
                                 "value", weir_key_range);
}

/* No step, no mark, and the same completed system; it stays through undo and redo, and is saved. */
static void
test_plots (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.weir", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDocument) other = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (WeirSystem) before = NULL;
  g_autoptr (WeirSystem) after = NULL;

  add_block (document, "Constant");
  g_assert_true (weir_document_save (document, file, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<weir version=\"1\">"));
  before = weir_document_complete (document, NULL);
  move_block (document, 1, 10, NULL);
  weir_document_undo (document);
  g_signal_connect (document, "changed", G_CALLBACK (on_changed), seen);
  set_plot (document, "Scope", "hidden 2");
  set_range (document, 1, "0 10");
  g_assert_cmpuint (seen->len, ==, 2);
  g_assert_cmpuint (g_array_index (seen, guint, 0), ==, WEIR_ASPECT_PLOTS);
  g_assert_cmpuint (g_array_index (seen, guint, 1), ==, WEIR_ASPECT_PLOTS);
  g_assert_false (weir_document_get_modified (document));
  g_assert_true (weir_document_can_redo (document));
  g_assert_cmpstr (weir_document_get_undo_label (document), ==, "Add");
  after = weir_document_complete (document, NULL);
  g_assert_true (before == after);

  weir_document_redo (document);
  g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (document), "Scope"), ==,
                   "hidden 2");
  g_assert_cmpstr (get_range (document, 1), ==, "0 10");
  set_plot (document, "Scope", NULL);
  set_plot (document, "XY", "x 0 1");
  set_range (document, 1, NULL);
  weir_document_undo (document);
  g_assert_false (weir_document_get_modified (document));
  g_assert_null (weir_model_get_plot (weir_document_get_model (document), "Scope"));
  g_assert_null (get_range (document, 1));
  set_range (document, 1, "-1 1");
  g_assert_true (weir_document_save (document, file, NULL));
  g_free (text);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<weir version=\"2\">"));
  g_assert_true (weir_document_load (other, file, diagnostics));
  g_assert_cmpuint (weir_model_get_n_plots (weir_document_get_model (other)), ==, 1);
  g_assert_cmpstr (weir_model_get_plot (weir_document_get_model (other), "XY"), ==, "x 0 1");
  g_assert_cmpstr (get_range (other, 1), ==, "-1 1");
  g_assert_true (
      weir_model_equal (weir_document_get_model (other), weir_document_get_model (document)));
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/document/undo-all", test_undo_all);
  g_test_add_func ("/model/document/undo-to-first", test_undo_to_first);
  g_test_add_func ("/model/document/merge", test_merge);
  g_test_add_func ("/model/document/merge-to-nothing", test_merge_to_nothing);
  g_test_add_func ("/model/document/edit-after-undo", test_edit_after_undo);
  g_test_add_func ("/model/document/refused-edit", test_refused_edit);
  g_test_add_func ("/model/document/signals", test_signals);
  g_test_add_func ("/model/document/saved-marker", test_saved_marker);
  g_test_add_func ("/model/document/completed", test_completed);
  g_test_add_func ("/model/document/preset", test_preset);
  g_test_add_func ("/model/document/requested", test_requested);
  g_test_add_func ("/model/document/newest-wins", test_newest_wins);
  g_test_add_func ("/model/document/load-async", test_load_async);
  g_test_add_func ("/model/document/needed", test_needed);
  g_test_add_func ("/model/document/newest-read", test_newest_read);
  g_test_add_func ("/model/document/when-completed", test_when_completed);
  g_test_add_func ("/model/document/told-first", test_told_first);
  g_test_add_func ("/model/document/plots", test_plots);
  return g_test_run ();
}
