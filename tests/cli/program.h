/* Running the real program and reading what it writes, for the tests of app/cli. */
#pragma once

#include <gio/gio.h>
#include <math.h>
#include <string.h>

typedef struct {
  char *out, *err;
  int status;
} Outcome;

static inline void
outcome_clear (Outcome *self)
{
  g_free (self->out);
  g_free (self->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

#define ARGUMENTS(...) ((const char *const[]) { __VA_ARGS__, NULL })

/* @environment: names and values by turns, or NULL. @redirection: what the shell is to do with the
 * program's streams, as in ">&-"; NULL: nothing. */
static inline Outcome
weir_with (const char *const *environment, const char *redirection, const char *const *arguments)
{
  g_autofree char *script = g_strconcat ("exec \"$0\" \"$@\" ", redirection, NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  Outcome outcome = { 0 };

  if (redirection != NULL)
    {
      g_ptr_array_add (argv, (gpointer) "/bin/sh");
      g_ptr_array_add (argv, (gpointer) "-c");
      g_ptr_array_add (argv, script);
    }
  g_ptr_array_add (argv, (gpointer) g_getenv ("WEIR_PROGRAM"));
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (gpointer) *arguments);
  g_ptr_array_add (argv, NULL);
  for (; environment != NULL && *environment != NULL; environment += 2)
    g_subprocess_launcher_setenv (launcher, environment[0], environment[1], TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &outcome.out, &outcome.err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  outcome.status = g_subprocess_get_exit_status (process);
  return outcome;
}

static inline Outcome
weir_in (const char *const *environment, const char *const *arguments)
{
  return weir_with (environment, NULL, arguments);
}

static inline Outcome
weir (const char *const *arguments)
{
  return weir_with (NULL, NULL, arguments);
}

static inline char *
example (const char *name)
{
  return g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
}

/* --- Recorded results ------------------------------------------------------------------------ */

typedef struct {
  char **header;
  GPtrArray *rows; /* of char **, one text a column */
} Csv;

static inline Csv
csv_parse (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Csv csv = { NULL, g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev) };

  csv.header = g_strsplit (lines[0], ",", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      char **row = g_strsplit (lines[i], ",", -1);

      g_assert_cmpuint (g_strv_length (row), ==, g_strv_length (csv.header));
      g_ptr_array_add (csv.rows, row);
    }
  return csv;
}

static inline void
csv_clear (Csv *self)
{
  g_strfreev (self->header);
  g_ptr_array_unref (self->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Csv, csv_clear)

static inline double
csv_value (const Csv *self, guint row, guint column)
{
  char **texts = g_ptr_array_index (self->rows, row);
  char *end;
  double value = g_ascii_strtod (texts[column], &end);

  g_assert_cmpint (*end, ==, '\0');
  return value;
}
