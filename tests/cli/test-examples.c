/* The examples and templates as files: read without a problem, complete, and written again byte for
 * byte. */
#include <string.h>

#include "cosim/cosim.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

static void
list_models (GPtrArray *files, const char *kind)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), kind, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
}

static void
test_read_and_write (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  list_models (files, "examples");
  g_assert_cmpuint (files->len, >=, 4);
  list_models (files, "templates");
  g_assert_cmpuint (files->len, >=, 7);

  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (files->pdata[i]);
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
      g_autoptr (WeirSystem) system = NULL;
      g_autoptr (GBytes) read = g_file_load_bytes (file, NULL, NULL, NULL);
      g_autoptr (GBytes) written = NULL;

      g_assert_nonnull (model);
      system = weir_model_complete (model, diagnostics);
      g_assert_nonnull (system);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
      g_assert_cmpstr (weir_model_get_title (model), !=, NULL);
      written = weir_model_write_bytes (model);
      g_assert_cmpmem (g_bytes_get_data (written, NULL), g_bytes_get_size (written),
                       g_bytes_get_data (read, NULL), g_bytes_get_size (read));
    }
}

/* No example runs into a warning: none has a value that is not finite. */
static void
test_no_warnings (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  list_models (files, "examples");
  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GSubprocess) process = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *said = NULL;

      process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                      | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                  &error, g_getenv ("WEIR_PROGRAM"), "run", files->pdata[i], NULL);
      g_assert_no_error (error);
      g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, &error);
      g_assert_no_error (error);
      g_test_message ("%s: %s", (const char *) files->pdata[i], said);
      g_assert_true (g_subprocess_get_successful (process));
      g_assert_null (strstr (said, "warning"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  weir_cosim_provide ();
  g_test_add_func ("/cli/examples/read-and-write", test_read_and_write);
  g_test_add_func ("/cli/examples/no-warnings", test_no_warnings);
  return g_test_run ();
}
