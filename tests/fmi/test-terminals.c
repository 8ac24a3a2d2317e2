/* Terminals of FMUs that are wired to one another: what their matching rules ask, as FMI 3.0 has
 * them (plug, bus, sequence), and what is said where wires contradict them. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "terminals.h"

#define PLUG_A "plug - v=volt i=amp"
#define PLUG_B "plug - u=volt w=amp"
#define WIRE(id, from, to) "<wire id=\"" id "\" from=\"" from "\" to=\"" to "\"/>"
#define BOTH WIRE ("3", "1.v", "2.u") WIRE ("4", "2.w", "1.i")

typedef struct {
  const char *name, *a, *b, *wires;
  const char *expected; /* NULL: nothing is said */
  const char *mended;   /* the wires that are missing, "-3" those that they replace */
} Case;

static const Case cases[] = {
  { "plug", PLUG_A, PLUG_B, BOTH, NULL },
  { "apart", PLUG_A, "bus magnetic u=flux", "", NULL },
  { "plug-in-part", PLUG_A, PLUG_B, WIRE ("3", "1.v", "2.u"),
    "A: Terminal 't' is joined with 't' of B, but 'i' and 'w' are not wired to each other.",
    "2.w>1.i " },
  { "plug-crossed", "plug - v=volt w=amp", "plug - u=volt i=amp",
    WIRE ("3", "1.v", "2.i") WIRE ("4", "1.w", "2.u"),
    "A: Terminal 't' is joined with 't' of B, but 'v' and 'u' are not wired to each other.",
    "1.v>2.u-4 1.w>2.i-3 " },
  { "plug-with-more", "plug - v=volt i=amp w=heat", PLUG_B, BOTH,
    "A: Terminal 't' is joined with 't' of B, which has no 'heat'." },
  { "plug-with-less", PLUG_A, "plug - u=volt w=amp i=heat", BOTH,
    "B: Terminal 't' is joined with 't' of A, which has no 'heat'." },
  { "bus-with-more", "bus - v=volt i=amp w=heat", "bus - u=volt w=amp v=light", BOTH, NULL },
  { "bus-in-part", "bus - v=volt i=amp", "bus - u=volt w=amp", WIRE ("3", "1.v", "2.u"),
    "A: Terminal 't' is joined with 't' of B, but 'i' and 'w' are not wired to each other.",
    "2.w>1.i " },
  { "sequence", "sequence - v=x i=y", "sequence - u=other w=names", BOTH, NULL },
  { "sequence-crossed", "sequence - v=x w=y", "sequence - u=x i=y",
    WIRE ("3", "1.v", "2.i") WIRE ("4", "1.w", "2.u"),
    "A: Terminal 't' is joined with 't' of B, but 'v' and 'u' are not wired to each other.",
    "1.v>2.u-4 1.w>2.i-3 " },
  { "sequence-longer", "sequence - v=x i=y w=z", "sequence - u=x w=y", BOTH,
    "A: Terminal 't' is joined with 't' of B, but has 3 members, that has 2." },
  { "both-outputs", "plug - v=volt i=amp", "plug - v=volt w=amp", WIRE ("4", "2.w", "1.i"),
    "A: Terminal 't' is joined with 't' of B, but 'v' and 'v' are both outputs." },
  { "both-inputs", "plug - i=amp v=volt", "plug - i=amp u=volt", WIRE ("3", "1.v", "2.u"),
    "A: Terminal 't' is joined with 't' of B, but 'i' and 'i' are both inputs." },
  { "kinds", "plug electrical v=volt i=amp", "plug magnetic u=volt w=amp", BOTH,
    "A: Terminal 't' is joined with 't' of B, but is of kind 'electrical', that of kind "
    "'magnetic'." },
  { "one-kind", "plug electrical v=volt i=amp", PLUG_B, BOTH, NULL },
  { "rules", PLUG_A, "bus - u=volt w=amp", BOTH,
    "A: Terminal 't' is joined with 't' of B, but goes by the rule 'plug', that by 'bus'." },
  { "rule-of-others", "org.acme - v=volt i=amp", "org.acme - u=x w=y", WIRE ("3", "1.v", "2.u"),
    NULL },
};

static char *
dup_missing (WeirModel *model)
{
  g_autoptr (GArray) wires = weir_model_list_terminal_wires (model, 1, "t");
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < wires->len; i++)
    {
      const WeirTerminalWire *wire = &g_array_index (wires, WeirTerminalWire, i);

      g_string_append_printf (text, "%u.%s>%u.%s", wire->from.block, wire->from.port,
                              wire->to.block, wire->to.port);
      if (wire->replaces != 0)
        g_string_append_printf (text, "-%u", wire->replaces);
      g_string_append_c (text, ' ');
    }
  return g_string_free (text, FALSE);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *folder = g_dir_make_tmp ("weir-terminals-XXXXXX", NULL);
  g_autofree char *a = write_fmu (folder, "a.fmu", c->a), *b = write_fmu (folder, "b.fmu", c->b);
  g_autofree char *text = g_strdup_printf (
      "<weir version=\"3\"><diagram><block id=\"1\" type=\"FMU\" name=\"A\" x=\"0\" y=\"0\">"
      "<parameter name=\"file\" value=\"%s\"/></block><block id=\"2\" type=\"FMU\" name=\"B\" "
      "x=\"200\" y=\"0\"><parameter name=\"file\" value=\"%s\"/></block>%s</diagram></weir>",
      a, b, c->wires);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) reading = weir_diagnostics_new ();
  g_autoptr (WeirDiagnostics) problems = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "m.weir", reading);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *said = NULL, *missing = NULL;

  g_assert_nonnull (model);
  system = weir_model_complete (model, problems);
  for (guint i = 0; i < weir_diagnostics_get_size (problems); i++)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (problems, i);

      if (strcmp (d->code, "FMU32") != 0)
        {
          g_test_message ("%s %s: %s", d->code, d->path, d->text);
          continue;
        }
      g_assert_null (said);
      g_assert_cmpint (d->severity, ==, WEIR_SEVERITY_WARNING);
      said = g_strdup_printf ("%s: %s", d->path, d->text);
      g_assert_cmpstr (d->subject, ==, c->mended != NULL ? "t" : NULL);
    }
  g_assert_cmpstr (said, ==, c->expected);
  missing = dup_missing (model);
  if (c->mended != NULL || c->expected == NULL)
    g_assert_cmpstr (missing, ==, c->mended != NULL ? c->mended : "");
  g_unlink (a);
  g_unlink (b);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/fmi/terminals/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
