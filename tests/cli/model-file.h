/* Programs run on small models that a test writes: what the tests of equations at the command line
 * share. */
#pragma once

#include <glib/gstdio.h>

#include "program.h"

/* Runs `weir COMMAND FILE OPTIONS...`, FILE being a model with these @variables, elements of a
 * file, whose diagram has these @elements. */
static inline Outcome
model_run_with (const char *command, const char *variables, const char *elements,
                const char *const *options)
{
  g_autofree char *name = NULL;
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<weir version=\"1\"><variables>%s</variables><diagram>\n%s"
      "</diagram></weir>\n",
      variables, elements);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  Outcome outcome;
  int file = g_file_open_tmp ("weir-XXXXXX.weir", &name, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_file_set_contents (name, xml, -1, &error);
  g_assert_no_error (error);
  g_ptr_array_add (arguments, (gpointer) command);
  g_ptr_array_add (arguments, name);
  for (; options != NULL && *options != NULL; options++)
    g_ptr_array_add (arguments, (gpointer) *options);
  g_ptr_array_add (arguments, NULL);
  outcome = weir ((const char *const *) arguments->pdata);
  g_unlink (name);
  return outcome;
}

static inline Outcome
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
