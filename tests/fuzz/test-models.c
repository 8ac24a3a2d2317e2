/* Files that nobody would write: whatever they are, there is an answer, in bounded time and memory,
 * and what is read is written and read alike.
 *
 * Mutations of good files, the same ones in every run; fuzz-models.c does the same with libFuzzer's
 * choice of bytes.
 */
#include "../seeds.h"
#include "mutate.h"
#include "one-model.h"

static const char *const pieces[] = {
  "<",
  ">",
  "/>",
  "</diagram>",
  "<diagram>",
  "<block id=\"9\" type=\"Sum\" name=\"n\" x=\"0\" y=\"0\"/>",
  "<wire id=\"8\" from=\"1.y\" to-x=\"0\" to-y=\"1\"/>",
  "<note id=\"7\" x=\"0\" y=\"0\"/>",
  "<title>",
  "<parameter name=\"p\" value=\"v\"/>",
  "&amp;",
  "&#0;",
  "&#x10ffff;",
  "&e;",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  "<?",
  "?>",
  "<!DOCTYPE weir>",
  "<!ENTITY a \"b\">",
  "\"",
  "'",
  "=",
  "1e308",
  "-1e9",
  "nan",
  "INF",
  "4294967296",
  "1073741823",
  "\xff",
  "\xc3\xa9",
  "\xef\xbb\xbf",
  "1.a.b",
  " tint=\"blue\"",
  " xmlns=\"u\"",
  " xsi:nil=\"true\"",
  " version=\"2\"",
  " version=\"3\"",
  "<ssd:System name=\"T\">",
  "</ssd:System>",
  "<ssd:Connection startConnector=\"in\" endConnector=\"out\"/>",
  "<Sum name=\"T\" inputCount=\"3\"/>",
  "<plots><plot name=\"a\" value=\"hidden b\"/></plots>",
};

static void
test_mutations (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (2));
  GPtrArray *seeds = load_seeds ("models");
  guint n = g_test_quick () ? 20000 : 1000000, n_accepted = 0;

  for (guint i = 0; i < seeds->len; i++)
    {
      const GString *seed = g_ptr_array_index (seeds, i);

      fuzz_one_model (seed->str, seed->len);
    }
  for (guint i = 0; i < n; i++)
    {
      GString *text = mutate (rand, seeds, pieces, G_N_ELEMENTS (pieces));

      n_accepted += fuzz_one_model (text->str, text->len);
      g_string_free (text, TRUE);
    }
  free_seeds (seeds);
  g_test_message ("%u of %u files are models", n_accepted, n);
  g_assert_cmpuint (n_accepted, >, n / 200);
}

#define SSD(name, size)                                                                            \
  "<ssd:SystemStructureDescription "                                                               \
  "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" version=\"1.0\" "         \
  "name=\"" name "\"><ssd:System name=\"Root\"><ssd:Elements><ssd:Component name=\"A\" "           \
  "source=\"a.fmu\"><ssd:ElementGeometry x1=\"0\" y1=\"0\" x2=\"1\" y2=\"" size "\"/>"             \
  "</ssd:Component></ssd:Elements></ssd:System></ssd:SystemStructureDescription>"
#define OSP(port)                                                                                  \
  "<OspSystemStructure "                                                                           \
  "xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" version=\"0.1\">"           \
  "<Simulators><Simulator name=\"A\" source=\"a.fmu\"/><Simulator name=\"B\" source=\"b.fmu\"/>"   \
  "</Simulators><Connections><VariableConnection><Variable simulator=\"A\" name=\"x\"/>"           \
  "<Variable simulator=\"B\" name=\"" port "\"/></VariableConnection></Connections>"               \
  "</OspSystemStructure>"

/* What fresh seeds found: a title of nothing, a size beyond all bounds, a port of two lines. */
static void
test_found (void)
{
  static const char *const texts[] = { SSD ("", "1"), SSD ("a", "1e99"), OSP ("y"),
                                       OSP ("y&#10;&#13;&#9;z") };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_true (fuzz_one_model (texts[i], strlen (texts[i])));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzz/models/mutations", test_mutations);
  g_test_add_func ("/fuzz/models/found", test_found);
  return g_test_run ();
}
