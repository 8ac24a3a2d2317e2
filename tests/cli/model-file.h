/* Programs run on small models that a test writes: what the tests of equations at the command line
 * share. */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  char *out, *err;
  int status;
} ModelOutcome;

static inline void
model_outcome_clear (ModelOutcome *self)
{
  g_free (self->out);
  g_free (self->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ModelOutcome, model_outcome_clear)

/* Runs `weir COMMAND FILE OPTIONS...`, FILE being a model with these @variables, elements of a
 * file, whose diagram has these @elements. */
static inline ModelOutcome
model_run_with (const char *command, const char *variables, const char *elements,
                const char *const *options)
{
  g_autofree char *name = NULL;
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<weir version=\"1\"><variables>%s</variables><diagram>\n%s"
      "</diagram></weir>\n",
      variables, elements);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  ModelOutcome outcome = { 0 };
  int file = g_file_open_tmp ("weir-XXXXXX.weir", &name, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_file_set_contents (name, xml, -1, &error);
  g_assert_no_error (error);
  g_ptr_array_add (argv, (gpointer) g_getenv ("WEIR_PROGRAM"));
  g_ptr_array_add (argv, (gpointer) command);
  g_ptr_array_add (argv, name);
  for (; options != NULL && *options != NULL; options++)
    g_ptr_array_add (argv, (gpointer) *options);
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_newv ((const char *const *) argv->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                               &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &outcome.out, &outcome.err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  outcome.status = g_subprocess_get_exit_status (process);
  g_unlink (name);
  return outcome;
}

static inline ModelOutcome
model_run (const char *command, const char *elements, const char *const *options)
{
  return model_run_with (command, "", elements, options);
}

/* The element of a block "Law" of equations, its text in lines. (transfer full) */
static inline char *
model_law (const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  g_auto (GStrv) lines = g_strsplit (escaped, "\n", -1);
  g_autofree char *joined = g_strjoinv ("&#10;", lines);

  return g_strdup_printf ("<block id=\"1\" type=\"Equations\" name=\"Law\" x=\"0\" y=\"0\">\n"
                          "<parameter name=\"equations\" value=\"%s\"/></block>\n",
                          joined);
}
