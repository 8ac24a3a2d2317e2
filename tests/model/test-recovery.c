/* Recovery: what is kept, when it is removed, and what a process that is killed leaves behind.
 *
 * With a folder as its argument the program is the one to be killed: it edits, saves, and says on
 * standard output what it did and when. WEIR_KILLS says how many of them are killed (20).
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

#include "helpers.h"

#define AUTOSAVE_MS 2000
#define MAX_AGE_US (10 * G_USEC_PER_SEC) /* what is promised */
#define AT_ONCE 20

static char *state_folder;

static void
set_number (WeirDocument *document, guint n)
{
  g_autofree char *text = g_strdup_printf ("%u", n);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;

  weir_patch_set_setting (patch, "stop-time", text);
  weir_document_edit (document, patch, "Change", NULL, &error);
  g_assert_no_error (error);
}

static guint
get_number (WeirModel *model)
{
  const char *text = weir_model_get_setting (model, "stop-time");

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : 0;
}

/* --- The one that is killed ------------------------------------------------------------------ */

typedef struct {
  WeirDocument *document;
  GFile *file;
  GRand *rand;
  gboolean saves;
  guint n;
} Editor;

/* "e N TIME" for an edit, "s N" and "S N" around a save. */
static gboolean
edit (gpointer data)
{
  Editor *e = data;

  set_number (e->document, ++e->n);
  printf ("e %u %" G_GINT64_FORMAT "\n", e->n, g_get_monotonic_time ());
  fflush (stdout);
  if (e->saves && g_rand_int_range (e->rand, 0, 30) == 0)
    {
      printf ("s %u\n", e->n);
      fflush (stdout);
      g_assert_true (weir_document_save (e->document, e->file, NULL));
      printf ("S %u\n", e->n);
      fflush (stdout);
    }
  return G_SOURCE_CONTINUE;
}

static int
edit_until_killed (const char *folder, gboolean saves)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Editor e = { .document = weir_document_new (),
               .file = g_file_new_build_filename (folder, "model-a--b.weir", NULL),
               .rand = g_rand_new (),
               .saves = saves };

  for (guint i = 0; i < 200; i++)
    {
      WeirModel *model = weir_document_get_model (e.document);
      g_autofree char *name = weir_diagram_dup_free_name (weir_model_get_root (model), "Gain");
      g_autoptr (WeirBlock) block = weir_block_new (weir_model_get_next_id (model), "Gain", name,
                                                    (WeirPoint) { 0, 0 });
      g_autoptr (WeirPatch) patch = weir_patch_new ();

      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
      g_assert_true (weir_document_edit (e.document, patch, "Add", NULL, NULL));
    }
  weir_document_set_autosave (e.document, AUTOSAVE_MS);
  g_timeout_add (30, edit, &e);
  g_main_loop_run (loop);
  return 0;
}

/* --- Killing --------------------------------------------------------------------------------- */

typedef struct {
  char *folder, *path;
  GSubprocess *process;
  gint64 killed; /* when */
} Victim;

static WeirModel *
read_model (GFile *file)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  return weir_model_read_file (file, diagnostics);
}

static gboolean
stop_waiting (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static void
pass (guint milliseconds)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  g_timeout_add (milliseconds, stop_waiting, loop);
  g_main_loop_run (loop);
}

/* The file holds what the last finished save wrote, or what one that was going on would have; what
 * is kept is no older than promised. */
static void
check_victim (Victim *v, const char *self)
{
  g_autofree char *output = NULL, *state = g_build_filename (v->folder, "state", NULL);
  g_autoptr (GSubprocessLauncher)
      launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) listing = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (v->path);
  g_autofree char *listed = NULL;
  g_auto (GStrv) lines = NULL;
  guint saved = 0, saving = 0, due = 0, last = 0;

  g_subprocess_communicate_utf8 (v->process, NULL, NULL, &output, NULL, NULL);
  g_assert_cmpint (g_subprocess_get_term_sig (v->process), ==, SIGKILL);
  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
      guint n = (guint) g_ascii_strtoull (words[1], NULL, 10);

      if (lines[i][0] == 's')
        saving = n;
      else if (lines[i][0] == 'S')
        saved = n;
      else
        {
          last = n;
          if (g_ascii_strtoll (words[2], NULL, 10) < v->killed - MAX_AGE_US)
            due = n;
        }
    }
  if (g_file_query_exists (file, NULL))
    {
      g_autoptr (WeirModel) model = read_model (file);

      g_assert_nonnull (model);
      g_assert_true (get_number (model) == saved || get_number (model) == saving);
      g_assert_cmpuint (weir_diagram_get_n_blocks (weir_model_get_root (model)), ==, 200);
    }
  else
    g_assert_cmpuint (saved, ==, 0);

  /* Another process looks for what was left behind, as the next start does. */
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", state, TRUE);
  listing = g_subprocess_launcher_spawn (launcher, NULL, self, "--list", NULL);
  g_subprocess_communicate_utf8 (listing, NULL, NULL, &listed, NULL, NULL);
  g_assert_true (g_subprocess_get_successful (listing));
  g_test_message ("%u edits, saved %u, due %u, kept: %s", last, saved, due, listed);
  if (due > saved)
    {
      guint kept = 0;
      char origin[400] = "";

      g_assert_cmpint (sscanf (listed, "%u %399s", &kept, origin), >=, 1);
      g_assert_cmpuint (kept, >=, due);
      g_assert_cmpuint (kept, <=, last);
      if (saved > 0)
        g_assert_cmpstr (origin, ==, v->path);
    }
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

static void
kill_some (guint n, const char *self)
{
  Victim victims[AT_ONCE] = { 0 };

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GSubprocessLauncher)
          launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
      g_autofree char *state = NULL;
      g_autoptr (GError) error = NULL;

      victims[i].folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
      victims[i].path = g_build_filename (victims[i].folder, "model-a--b.weir", NULL);
      state = g_build_filename (victims[i].folder, "state", NULL);
      g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", state, TRUE);
      victims[i].process = g_subprocess_launcher_spawn (
          launcher, &error, self, i % 2 ? "--edit" : "--edit-and-save", victims[i].folder, NULL);
      g_assert_no_error (error);
    }
  /* A third dies young, the others after edits are due. */
  for (guint i = 0; i < n; i++)
    {
      pass (i == n / 3 ? 9000 : (guint) g_test_rand_int_range (0, 400));
      victims[i].killed = g_get_monotonic_time ();
      g_subprocess_force_exit (victims[i].process);
    }
  for (guint i = 0; i < n; i++)
    {
      check_victim (&victims[i], self);
      remove_folder (victims[i].folder);
      g_object_unref (victims[i].process);
      g_free (victims[i].folder);
      g_free (victims[i].path);
    }
}

static void
test_killed (gconstpointer self)
{
  const char *text = g_getenv ("WEIR_KILLS");
  guint n = text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : 20;

  for (guint done = 0; done < n; done += AT_ONCE)
    kill_some (MIN (AT_ONCE, n - done), self);
}

/* Prints what was left behind: the edit that it holds and the file it is of. */
static int
list (void)
{
  g_autoptr (GPtrArray) found = weir_recovery_list ();

  for (guint i = 0; i < found->len; i++)
    {
      const WeirRecovery *recovery = g_ptr_array_index (found, i);
      g_autoptr (WeirModel) model = read_model (recovery->kept);

      if (model == NULL)
        return 1;
      printf ("%u %s\n", get_number (model),
              recovery->origin != NULL ? g_file_peek_path (recovery->origin) : "");
    }
  return 0;
}

/* --- In order -------------------------------------------------------------------------------- */

static guint
count_kept (void)
{
  g_autofree char *folder = g_build_filename (state_folder, "weir", "recovery", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, ".weir");
  return n;
}

/* Kept while there is something to lose; removed by saving, undoing and closing. Nobody else's. */
static void
test_in_order (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autofree char *path = g_build_filename (state_folder, "model.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) found = NULL;

  weir_document_set_autosave (document, 1);
  g_assert_cmpuint (count_kept (), ==, 0);
  set_number (document, 5);
  while (count_kept () != 1)
    pass (5);
  found = weir_recovery_list ();
  g_assert_cmpuint (found->len, ==, 0); /* this process lives */
  weir_document_undo (document);
  g_assert_cmpuint (count_kept (), ==, 0);
  weir_document_redo (document);
  while (count_kept () != 1)
    pass (5);
  g_assert_true (weir_document_save (document, file, NULL));
  g_assert_cmpuint (count_kept (), ==, 0);
  set_number (document, 6);
  while (count_kept () != 1)
    pass (5);
  g_clear_object (&document);
  g_assert_cmpuint (count_kept (), ==, 0);
  g_unlink (path);
}

/* What was left behind comes back as one edit of the saved file, which undo gives back. */
static void
test_recover (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autofree char *path = g_build_filename (state_folder, "a--b c%.weir", NULL);
  g_autofree char *folder = g_build_filename (state_folder, "weir", "recovery", NULL);
  g_autofree char *kept = g_build_filename (folder, "gone-1.weir", NULL);
  g_autofree char *uri = NULL, *text = NULL, *whole = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *escaped = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) found = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  set_number (document, 1);
  g_assert_true (weir_document_save (document, file, NULL));
  set_number (document, 2);
  text = model_to_text (weir_document_get_model (document));
  uri = g_file_get_uri (file);
  parts = g_strsplit (uri, "-", -1);
  escaped = g_strjoinv ("%2D", parts);
  whole = g_strdup_printf ("%s<!-- unsaved changes of %s -->\n", text, escaped);
  g_assert_true (g_file_set_contents (kept, whole, -1, NULL));
  g_clear_object (&document);

  found = weir_recovery_list ();
  g_assert_cmpuint (found->len, ==, 1);
  document = weir_document_new ();
  weir_document_set_autosave (document, 60000);
  g_assert_true (
      weir_document_recover (document, g_ptr_array_index (found, 0), "Recover", diagnostics));
  g_assert_cmpuint (get_number (weir_document_get_model (document)), ==, 2);
  g_assert_true (g_file_equal (weir_document_get_file (document), file));
  g_assert_true (weir_document_get_modified (document));
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_kept (), ==, 1); /* its own by now */
  g_assert_cmpstr (weir_document_get_undo_label (document), ==, "Recover");
  weir_document_undo (document);
  g_assert_cmpuint (get_number (weir_document_get_model (document)), ==, 1);
  g_assert_false (weir_document_get_modified (document));
  g_assert_cmpuint (count_kept (), ==, 0);
  g_unlink (path);
}

static void
count_call (G_GNUC_UNUSED WeirDocument *document, guint *n)
{
  ++*n;
}

/* Another program's writing is told; one's own is not. */
static void
test_file_changed (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autofree char *path = g_build_filename (state_folder, "watched.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  guint n = 0;

  g_signal_connect (document, "file-changed", G_CALLBACK (count_call), &n);
  g_assert_true (weir_document_save (document, file, NULL));
  set_number (document, 1);
  g_assert_true (weir_document_save (document, file, NULL));
  pass (500);
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (weir_document_is_file_changed (document));

  g_assert_true (g_file_set_contents (path, "<weir version=\"1\"><diagram/></weir>\n", -1, NULL));
  g_assert_true (weir_document_is_file_changed (document));
  while (n == 0)
    pass (20);
  g_assert_true (weir_document_load (document, file, diagnostics));
  g_assert_false (weir_document_is_file_changed (document));
  g_unlink (path);
  pass (500);
  g_assert_false (weir_document_is_file_changed (document)); /* gone: nothing to load instead */
}

/* A file that is deleted or renamed away is told, and the model counts as unsaved until it is saved
 * again or the file is back. */
static void
test_file_gone (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autofree char *path = g_build_filename (state_folder, "leaving.weir", NULL);
  g_autofree char *elsewhere = g_build_filename (state_folder, "elsewhere.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint n = 0, n_kept = count_kept ();

  weir_document_set_autosave (document, 1);
  g_signal_connect (document, "file-changed", G_CALLBACK (count_call), &n);
  set_number (document, 1);
  g_assert_true (weir_document_save (document, file, NULL));
  g_assert_false (weir_document_get_modified (document));

  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  while (n == 0)
    pass (20);
  g_assert_true (weir_document_is_file_gone (document));
  g_assert_true (weir_document_get_modified (document));
  while (count_kept () == n_kept) /* it is kept for recovery: it is nowhere else */
    pass (20);

  g_assert_cmpint (g_rename (elsewhere, path), ==, 0);
  while (n == 1)
    pass (20);
  g_assert_false (weir_document_is_file_gone (document));
  g_assert_false (weir_document_get_modified (document));
  g_assert_cmpuint (count_kept (), ==, n_kept);

  g_unlink (path);
  weir_document_look_at_file (document); /* before anything was heard */
  g_assert_true (weir_document_get_modified (document));
  g_assert_true (weir_document_save (document, file, NULL));
  g_assert_false (weir_document_is_file_gone (document));
  g_assert_false (weir_document_get_modified (document));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_unlink (path);
}

/* What was kept of a file that is open is one more edit there; kept twice, two. */
static void
test_recover_open (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autofree char *path = g_build_filename (state_folder, "open.weir", NULL);
  g_autofree char *folder = g_build_filename (state_folder, "weir", "recovery", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  weir_document_set_autosave (document, 60000);
  set_number (document, 1);
  g_assert_true (weir_document_save (document, file, NULL));
  set_number (document, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirDocument) other = weir_document_new ();
      g_autofree char *name = g_strdup_printf ("ended-%u.weir", i + 1);
      g_autoptr (GFile) kept = g_file_new_build_filename (folder, name, NULL);
      WeirRecovery recovery = { .kept = kept, .origin = file };

      set_number (other, i + 3);
      g_assert_true (weir_model_write_file (weir_document_get_model (other), kept, NULL));
      g_assert_true (weir_document_recover (document, &recovery, "Recover", diagnostics));
      g_assert_cmpuint (get_number (weir_document_get_model (document)), ==, i + 3);
    }
  for (guint i = 3; i-- > 0;)
    {
      weir_document_undo (document);
      g_assert_cmpuint (get_number (weir_document_get_model (document)), ==, i + 1);
    }
  g_assert_false (weir_document_get_modified (document));
  g_unlink (path);
}

static void
recover_ended (GObject *document, GAsyncResult *result, gpointer data)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  gint *state = data;

  *state = weir_document_load_finish (WEIR_DOCUMENT (document), result, diagnostics) ? 1 : 2;
}

static void
recovery_left (G_GNUC_UNUSED GObject *document, G_GNUC_UNUSED GAsyncResult *result, gpointer data)
{
  *(gint *) data = 2; /* whoever asked is gone: nothing is taken */
}

/* In a thread: what was kept stays on the disk until it is taken, also if the tab is closed
 * meanwhile. */
static void
test_recover_async (void)
{
  g_autofree char *folder = g_build_filename (state_folder, "weir", "recovery", NULL);
  g_autofree char *path = g_build_filename (folder, "ended-9.weir", NULL);
  g_autoptr (GFile) kept = g_file_new_for_path (path);
  const WeirRecovery recovery = { .kept = kept };
  g_autoptr (WeirDocument) other = weir_document_new ();

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  set_number (other, 5);
  g_assert_true (weir_model_write_file (weir_document_get_model (other), kept, NULL));
  for (guint i = 0; i < 3; i++) /* cancelled, left, taken */
    {
      g_autoptr (WeirDocument) document = weir_document_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      WeirRecovery *given = weir_recovery_copy (&recovery);
      gint state = 0;

      weir_document_set_autosave (document, 60000);
      weir_document_recover_async (document, given, "Recover", cancellable, NULL,
                                   i == 1 ? recovery_left : recover_ended, &state);
      weir_recovery_free (given);
      if (i == 0)
        g_cancellable_cancel (cancellable);
      while (state == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (state, ==, i < 2 ? 2 : 1);
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, i < 2);
      g_assert_cmpint (weir_document_get_modified (document), ==, i == 2);
    }
}

/* A disk that is full, as a limit on the size of files: the saved file stays, nothing is left
 * beside it. */
static void
test_full_disk (void)
{
  g_autoptr (WeirDocument) document = weir_document_new ();
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "full.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit limit, old;
  void (*handler) (int);

  g_assert_true (weir_document_save (document, file, NULL));
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  set_number (document, 7);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  limit = (struct rlimit) { 16, old.rlim_max };
  handler = signal (SIGXFSZ, SIG_IGN);
  fflush (stdout);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (weir_document_save (document, file, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, handler);
  g_assert_nonnull (strstr (error->message, "full.weir"));
  g_assert_true (weir_document_get_modified (document));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  int result;

  if (argc == 3 && g_str_has_prefix (argv[1], "--edit"))
    return edit_until_killed (argv[2], strcmp (argv[1], "--edit-and-save") == 0);
  if (argc == 2 && strcmp (argv[1], "--list") == 0)
    return list ();
  state_folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state_folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/recovery/in-order", test_in_order);
  g_test_add_func ("/model/recovery/recover", test_recover);
  g_test_add_func ("/model/recovery/file-changed", test_file_changed);
  g_test_add_func ("/model/recovery/file-gone", test_file_gone);
  g_test_add_func ("/model/recovery/recover-open", test_recover_open);
  g_test_add_func ("/model/recovery/recover-async", test_recover_async);
  g_test_add_func ("/model/recovery/full-disk", test_full_disk);
  g_test_add_data_func ("/model/recovery/killed", argv[0], test_killed);
  result = g_test_run ();
  remove_folder (state_folder);
  g_free (state_folder);
  return result;
}
