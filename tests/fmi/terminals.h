/* FMUs with a terminal each, made for a test; there is nothing in them to run. */
#pragma once

#include <gio/gio.h>
#include <string.h>

#include "zip.h"

/* Both FMUs have inputs i and u, outputs v and w; only their terminals differ. */
static const char side_description[] =
    "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"3.0\" modelName=\"side\" "
    "instantiationToken=\"{side}\"><CoSimulation modelIdentifier=\"side\"/><ModelVariables>"
    "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\"/>"
    "<Float64 name=\"i\" valueReference=\"1\" causality=\"input\" start=\"0\"/>"
    "<Float64 name=\"u\" valueReference=\"2\" causality=\"input\" start=\"0\"/>"
    "<Float64 name=\"v\" valueReference=\"3\" causality=\"output\"/>"
    "<Float64 name=\"w\" valueReference=\"4\" causality=\"output\"/></ModelVariables>"
    "<ModelStructure><Output valueReference=\"3\"/><Output valueReference=\"4\"/>"
    "</ModelStructure></fmiModelDescription>";

/* The file of a terminal, from a text of "rule kind variable=member ..."; kind "-": none. (transfer
 * full) */
static inline char *
dup_terminals (const char *terminal)
{
  g_auto (GStrv) words = g_strsplit (terminal, " ", -1);
  GString *text = g_string_new ("<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals>");

  g_string_append_printf (text, "<Terminal name=\"t\" matchingRule=\"%s\"", words[0]);
  if (strcmp (words[1], "-") != 0)
    g_string_append_printf (text, " terminalKind=\"%s\"", words[1]);
  g_string_append (text, ">");
  for (guint i = 2; words[i] != NULL; i++)
    {
      g_auto (GStrv) member = g_strsplit (words[i], "=", 2);

      g_string_append_printf (text,
                              "<TerminalMemberVariable variableName=\"%s\" memberName=\"%s\" "
                              "variableKind=\"signal\"/>",
                              member[0], member[1]);
    }
  g_string_append (text, "</Terminal></Terminals></fmiTerminalsAndIcons>");
  return g_string_free (text, FALSE);
}

static inline char *
write_fmu (const char *folder, const char *name, const char *terminal)
{
  g_autofree char *terminals = dup_terminals (terminal);
  ZipFile files[] = { { .name = "modelDescription.xml", .text = side_description },
                      { .name = "terminalsAndIcons/terminalsAndIcons.xml", .text = terminals } };
  g_autoptr (GBytes) bytes = zip_make (files, G_N_ELEMENTS (files), &(ZipEnd) { 0 });
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes), NULL));
  return path;
}
