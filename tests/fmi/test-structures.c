/* Systems of SSP and OSP: what is made of them, that they run as the worked example of schedules
 * does, what is refused, and packages written and read again.
 *
 * Numbers of the five adders: the tables of the worked example (research on scheduling types),
 * which follow from y := u1 + u2 + 1 once a second by hand.
 */
#include <glib/gstdio.h>

#include "../cli/program.h"
#include "../seeds.h"
#include "fmi/archive.h"
#include "model/files/xml.h"
#include "model/structures/structures.h"
#include "zip.h"
#include "../folders.h"

#define NAMESPACES                                                                                 \
  " xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\""                         \
  " xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\""                              \
  " xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\""                     \
  " xmlns:ssb=\"http://ssp-standard.org/SSP1/SystemStructureSignalDictionary\""                    \
  " xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\""
#define SSD(version, inside, after)                                                                \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                   \
  "<ssd:SystemStructureDescription" NAMESPACES " version=\"" version "\" name=\"Test\">"           \
  "<ssd:System name=\"Root\">" inside "</ssd:System>" after "</ssd:SystemStructureDescription>"
#define ADDER(name, inside)                                                                        \
  "<ssd:Component name=\"" name "\" source=\"resources/adder.fmu\" "                               \
  "implementation=\"CoSimulation\">" inside "</ssd:Component>"
#define JOIN(from, output, to, input)                                                              \
  "<ssd:Connection startElement=\"" from "\" startConnector=\"" output "\" endElement=\"" to       \
  "\" endConnector=\"" input "\"/>"
#define FIVE                                                                                       \
  "<ssd:Elements>" ADDER ("S1", "") ADDER ("S2", "") ADDER ("S3", "") ADDER ("S4", "")             \
      ADDER ("S5", "") "</ssd:Elements><ssd:Connections>" JOIN ("S1", "y", "S3", "u1")             \
          JOIN ("S2", "y", "S3", "u2") JOIN ("S3", "y", "S5", "u1") JOIN ("S4", "y", "S5", "u2")   \
              JOIN ("S1", "u1", "S5", "y") JOIN ("S5", "y", "S2", "u1") "</ssd:Connections>"
#define REFERENCE "<ssd:SignalDictionaryReference name=\"D\" dictionary=\"Bus\"/>"
#define DICTIONARY                                                                                 \
  "<ssd:SignalDictionaries><ssd:SignalDictionary name=\"Bus\"><ssb:SignalDictionary "              \
  "version=\"1.0\" name=\"b\"><ssb:DictionaryEntry name=\"speed\"><ssc:Real/>"                     \
  "</ssb:DictionaryEntry></ssb:SignalDictionary></ssd:SignalDictionary></ssd:SignalDictionaries>"
#define EXPERIMENT                                                                                 \
  "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"4\"><ssd:Annotations><ssc:Annotation "        \
  "type=\"any\"><FixedStepMaster stepSize=\"1\"/></ssc:Annotation></ssd:Annotations>"              \
  "</ssd:DefaultExperiment>"

static const char full[] = "time,S1.y,S2.y,S3.y,S4.y,S5.y\n0,0,0,0,0,0\n1,1,1,1,1,1\n2,2,2,3,1,3\n"
                           "3,4,4,5,1,5\n4,6,6,9,1,7\n";
static const char cascading[] = "time,S1.y,S2.y,S3.y,S4.y,S5.y\n0,0,0,0,0,0\n1,1,1,3,1,5\n"
                                "2,6,6,13,1,15\n3,16,16,33,1,35\n4,36,36,73,1,75\n";

/* --- A folder -------------------------------------------------------------------------------- */

typedef struct {
  char *folder, *cache, *config;
} Place;

static void
place_init (Place *self)
{
  g_autofree char *resources = NULL;

  self->folder = g_dir_make_tmp ("weir-structure-XXXXXX", NULL);
  self->cache = g_build_filename (self->folder, "cache", NULL);
  self->config = g_build_filename (self->folder, "config", NULL);
  resources = g_build_filename (self->folder, "resources", NULL);
  g_assert_cmpint (g_mkdir (resources, 0700), ==, 0);
}

static void
place_clear (Place *self)
{
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->cache);
  g_free (self->config);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static GBytes *
read_fmu (const char *fmu)
{
  g_autofree char *file = g_strconcat (fmu, ".fmu", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  char *bytes;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  return g_bytes_new_take (bytes, size);
}

static char *
put_bytes (const Place *self, const char *name, GBytes *bytes)
{
  char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes), NULL));
  return path;
}

static char *
put_text (const Place *self, const char *name, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return put_bytes (self, name, bytes);
}

static void
put_fmu (const Place *self, const char *name, const char *fmu)
{
  g_autoptr (GBytes) bytes = read_fmu (fmu);

  g_free (put_bytes (self, name, bytes));
}

/* A package of an .ssd, an FMU as resources/adder.fmu, and another file. */
static GBytes *
make_package (const char *ssd, const char *fmu, const char *other_name, GBytes *other)
{
  g_autoptr (GBytes) description = g_bytes_new (ssd, strlen (ssd));
  g_autoptr (GBytes) bytes = read_fmu (fmu);
  WeirFmuFile files[] = { { "SystemStructure.ssd", description },
                          { "resources/adder.fmu", bytes },
                          { other_name, other } };

  return weir_fmu_archive_write (files, other != NULL ? 3 : 2, NULL);
}

static char *
put_package (const Place *self, const char *name, const char *ssd, const char *fmu)
{
  g_autoptr (GBytes) package = make_package (ssd, fmu, NULL, NULL);

  return put_bytes (self, name, package);
}

static Outcome
weir_at (const Place *place, const char *const *arguments)
{
  const char *const environment[] = {
    "XDG_CONFIG_HOME", place->config, "XDG_CACHE_HOME", place->cache, "XDG_STATE_HOME",
    place->cache,      NULL
  };

  return weir_in (environment, arguments);
}

static void
assert_runs (const Place *place, const char *path, const char *schedule, const char *table)
{
  g_auto (Outcome)
      run = schedule != NULL
                ? weir_at (place, ARGUMENTS ("run", "--trust", "all", "--schedule", schedule, path))
                : weir_at (place, ARGUMENTS ("run", "--trust", "all", path));

  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpstr (run.out, ==, table);
  g_assert_cmpint (run.status, ==, 0);
}

/* The last row of a run, whose columns @columns says. */
static void
assert_ends (const Place *place, const char *path, const char *columns, const char *row)
{
  g_auto (Outcome) run = weir_at (place, ARGUMENTS ("run", "--trust", "all", path));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (run.out), "\n", -1);

  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (lines[0], ==, columns);
  g_assert_cmpstr (lines[g_strv_length (lines) - 1], ==, row);
}

static void
assert_says (const Place *place, const char *path, int status, const char *part)
{
  g_auto (Outcome) check = weir_at (place, ARGUMENTS ("check", path));

  if (strstr (check.out, part) == NULL)
    g_error ("no \"%s\" in:\n%s", part, check.out);
  g_assert_cmpint (check.status, ==, status);
}

/* --- SSP ------------------------------------------------------------------------------------- */

static void
test_tables (void)
{
  static const struct {
    const char *ssd, *fmu;
  } cases[] = { { SSD ("1.0", FIVE, EXPERIMENT), "adder-2" },
                { SSD ("2.0", FIVE, EXPERIMENT), "adder-3" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_autofree char *package = NULL, *file = NULL;

      place_init (&place);
      put_fmu (&place, "resources/adder.fmu", cases[i].fmu);
      package = put_package (&place, "five.ssp", cases[i].ssd, cases[i].fmu);
      file = put_text (&place, "five.ssd", cases[i].ssd);
      assert_runs (&place, package, NULL, full);
      assert_runs (&place, package, "cascading", cascading);
      assert_runs (&place, file, "cascading", cascading);
    }
}

/* Opening, checking and describing run nothing of it, and leave nothing behind. */
static void
test_trust (void)
{
  g_auto (Place) place = { 0 };
  g_autofree char *package = NULL;

  place_init (&place);
  package = put_package (&place, "five.ssp", SSD ("1.0", FIVE, EXPERIMENT), "adder-2");
  assert_says (&place, package, 0, "warning[FMU26]: S1: \"adder.fmu\" holds a program");
  {
    g_auto (Outcome) info = weir_at (&place, ARGUMENTS ("info", package));
    g_auto (Outcome) run = weir_at (&place, ARGUMENTS ("run", package));

    g_assert_cmpint (info.status, ==, 0);
    g_assert_nonnull (strstr (info.out, "schedule         full, every 1 s"));
    g_assert_nonnull (strstr (info.out, "S5 to S1, S5 to S2"));
    g_assert_cmpint (run.status, ==, 1);
    g_assert_cmpstr (run.out, ==, "");
  }
  g_assert_false (g_file_test (place.cache, G_FILE_TEST_EXISTS));
}

#define PARAMETER(name, type, value)                                                               \
  "<ssv:Parameter name=\"" name "\"><ssv:" type " value=\"" value "\"/></ssv:Parameter>"
#define SET(inside, after)                                                                         \
  "<ssv:ParameterSet" NAMESPACES " version=\"1.0\" name=\"s\"><ssv:Parameters>" inside             \
  "</ssv:Parameters>" after "</ssv:ParameterSet>"
#define BIND(inside)                                                                               \
  "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" inside                      \
  "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"
#define CENTIMETRE                                                                                 \
  "<ssv:Units><ssc:Unit name=\"cm\"><ssc:BaseUnit m=\"1\" "                                        \
  "factor=\"0.01\"/></ssc:Unit></ssv:Units>"

/* After one step y is k: that of A by its own, wins over an earlier one; B's by the outer system
 * over its own; C's through a parameter of its system; D's in another unit; E's from a file, by a
 * mapping with a transformation. */
static void
test_values (void)
{
  static const char ssd[] = SSD (
      "1.0",
      "<ssd:Connectors><ssd:Connector name=\"v\" kind=\"input\"/></ssd:Connectors>"
      "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" SET (
          PARAMETER ("B.k", "Real", "20") PARAMETER ("In.C.k", "Real", "4")
              PARAMETER ("v", "Real", "0.5"),
          "") "</ssd:ParameterValues></ssd:ParameterBinding><ssd:ParameterBinding prefix=\"E.\" "
              "source=\"values.ssv\"><ssd:ParameterMapping source=\"names.ssm\"/>"
              "</ssd:ParameterBinding></ssd:ParameterBindings><ssd:Elements>" ADDER (
                  "A", "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" SET (
                           PARAMETER ("k", "Real", "9"),
                           "") "</ssd:ParameterValues></ssd:ParameterBinding><ssd:ParameterBinding>"
                               "<ssd:ParameterValues>" SET (
                                   PARAMETER ("k", "Real", "10"),
                                   "") "</ssd:ParameterValues></ssd:ParameterBinding></"
                                       "ssd:ParameterBindings>")
                  ADDER (
                      "B",
                      BIND (SET (
                          PARAMETER ("k", "Real", "2"),
                          ""))) "<ssd:System name=\"In\"><ssd:Connectors><ssd:Connector name=\"p\" "
                                "kind=\"parameter\"/>"
                                "</ssd:Connectors>" BIND (SET (PARAMETER ("p", "Real", "3"),
                                                               "")) "<ssd:Elements>" ADDER ("C", "")
                                    ADDER (
                                        "F",
                                        "") "</ssd:Elements><ssd:Connections>"
                                            "<ssd:Connection startConnector=\"p\" endElement=\"F\" "
                                            "endConnector=\"k\"/>"
                                            "</ssd:Connections></ssd:System>" ADDER (
                                                "D",
                                                BIND (SET ("<ssv:Parameter name=\"k\"><ssv:Real "
                                                           "value=\"150\" unit=\"cm\"/>"
                                                           "</ssv:Parameter>",
                                                           CENTIMETRE)))
                                                ADDER (
                                                    "E",
                                                    "") "</"
                                                        "ssd:Elements><ssd:Connections><ssd:"
                                                        "Connection startConnector=\"v\" "
                                                        "endElement=\"A\" "
                                                        "endConnector=\"u2\"/></ssd:Connections>",
      "<ssd:DefaultExperiment stopTime=\"1\"><ssd:Annotations><ssc:Annotation type=\"any\">"
      "<FixedStepMaster stepSize=\"1\"/></ssc:Annotation></ssd:Annotations>"
      "</ssd:DefaultExperiment>");
  g_auto (Place) place = { 0 };
  g_autofree char *file = NULL;

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  g_free (put_text (&place, "values.ssv", SET (PARAMETER ("there", "Real", "5"), "")));
  g_free (put_text (&place, "names.ssm",
                    "<ssm:ParameterMapping" NAMESPACES " version=\"1.0\"><ssm:MappingEntry "
                    "source=\"E.there\" target=\"E.k\"><ssc:LinearTransformation factor=\"10\" "
                    "offset=\"-1\"/></ssm:MappingEntry></ssm:ParameterMapping>"));
  file = put_text (&place, "values.ssd", ssd);
  assert_ends (&place, file, "time,A.y,B.y,In.C.y,In.F.y,D.y,E.y", "1,10.5,20,4,3,1.5,49");
}

/* On its way a value is scaled, converted, or taken from a list. */
static void
test_transformations (void)
{
  static const char ssd[] = SSD (
      "2.0",
      "<ssd:Connectors><ssd:Connector name=\"one\" kind=\"input\"><ssc:Float64 unit=\"m\"/>"
      "</ssd:Connector><ssd:Connector name=\"out\" kind=\"output\"/></ssd:Connectors>" BIND (SET (
          PARAMETER ("one", "Float64", "1"),
          "")) "<ssd:Elements>"
               "<ssd:Component name=\"A\" source=\"resources/adder.fmu\"><ssd:Connectors>"
               "<ssd:Connector name=\"u1\" kind=\"input\"><ssc:Float64 "
               "unit=\"cm\"/></ssd:Connector>"
               "</ssd:Connectors></ssd:Component>" ADDER ("B", "") ADDER (
                   "C",
                   "") "</ssd:Elements><ssd:Connections>"
                       "<ssd:Connection startConnector=\"one\" endElement=\"A\" "
                       "endConnector=\"u1\"/>"
                       "<ssd:Connection startConnector=\"one\" endElement=\"B\" "
                       "endConnector=\"u1\">"
                       "<ssc:LinearTransformation factor=\"3\" offset=\"0.5\"/></ssd:Connection>"
                       "<ssd:Connection startConnector=\"one\" endElement=\"C\" "
                       "endConnector=\"u1\">"
                       "<ssc:IntegerMappingTransformation><ssc:MapEntry source=\"0\" target=\"7\"/>"
                       "<ssc:MapEntry source=\"1\" "
                       "target=\"-4\"/></ssc:IntegerMappingTransformation>"
                       "</ssd:Connection>"
                       "<ssd:Connection startElement=\"A\" startConnector=\"y\" "
                       "endConnector=\"out\"/>"
                       "</ssd:Connections>",
      "<ssd:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit><ssc:Unit name=\"cm\">"
      "<ssc:BaseUnit m=\"1\" factor=\"0.01\"/></ssc:Unit></ssd:Units>"
      "<ssd:DefaultExperiment stopTime=\"1\"><ssd:Annotations><ssc:Annotation type=\"any\">"
      "<FixedStepMaster stepSize=\"1\"/></ssc:Annotation></ssd:Annotations>"
      "</ssd:DefaultExperiment>");
  g_auto (Place) place = { 0 };
  g_autofree char *file = NULL;

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-3");
  file = put_text (&place, "ways.ssd", ssd);
  {
    g_auto (Outcome) run = weir_at (
        &place, ARGUMENTS ("run", "--trust", "all", "--set", "A.mode=co-simulation", file));

    g_assert_cmpstr (run.err, ==, "");
    g_assert_nonnull (strstr (run.out, "\n1,101,4.5,-3"));
  }
}

/* A component that is another file, or another package. */
static void
test_nested (void)
{
  static const char inner[] = SSD (
      "1.0",
      "<ssd:Connectors><ssd:Connector name=\"i.n\" kind=\"input\"/><ssd:Connector name=\"out\" "
      "kind=\"output\"/></ssd:Connectors><ssd:Elements>" ADDER (
          "A", "") "</ssd:Elements><ssd:Connections><ssd:Connection startConnector=\"i.n\" "
                   "endElement=\"A\" "
                   "endConnector=\"u1\"/><ssd:Connection startElement=\"A\" startConnector=\"y\" "
                   "endConnector=\"out\"/></ssd:Connections>",
      "");
#define OUTER(type, source)                                                                        \
  SSD ("1.0",                                                                                      \
       "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" SET (                  \
           PARAMETER ("Part.A.k", "Real", "6"),                                                    \
           "") "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"             \
               "<ssd:Elements>" ADDER ("S", "") "<ssd:Component name=\"Part\" "                    \
                                                "type=\"application/x-ssp-" type                   \
                                                "\" source=\"" source                              \
                                                "\"/></ssd:Elements><ssd:Connections>" JOIN (      \
                                                    "S", "y", "Part", "i.n") "</ssd:Connections>", \
       EXPERIMENT)
  static const char *const outer[] = { OUTER ("definition", "inner.ssd"),
                                       OUTER ("package", "inner.ssp") };

  for (guint i = 0; i < G_N_ELEMENTS (outer); i++)
    {
      g_auto (Place) place = { 0 };
      g_autofree char *path = NULL;
      g_autoptr (GBytes) within = i == 0 ? g_bytes_new_static (inner, strlen (inner))
                                         : make_package (inner, "adder-2", NULL, NULL);
      g_autoptr (GBytes)
          package = make_package (outer[i], "adder-2", i == 0 ? "inner.ssd" : "inner.ssp", within);

      place_init (&place);
      path = put_bytes (&place, "outer.ssp", package);
      assert_ends (&place, path, "time,S.y,Part.A.y", "4,1,7");
    }
}

/* --- OSP ------------------------------------------------------------------------------------- */

#define OSP(inside)                                                                                \
  "<OspSystemStructure xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" "       \
  "version=\"0.1\"><StartTime>0</StartTime><EndTime>4</EndTime>" inside "</OspSystemStructure>"
#define SIMULATOR(name, step)                                                                      \
  "<Simulator name=\"" name "\" source=\"resources/adder.fmu\" stepSize=\"" step "\"/>"
#define VARIABLES(a, x, b, y)                                                                      \
  "<VariableConnection><Variable simulator=\"" a "\" name=\"" x "\"/><Variable simulator=\"" b     \
  "\" name=\"" y "\"/></VariableConnection>"
#define SIMULATORS                                                                                 \
  "<Simulators>" SIMULATOR ("S1", "1") SIMULATOR ("S2", "1") SIMULATOR ("S3", "1")                 \
      SIMULATOR ("S4", "1")                                                                        \
          SIMULATOR ("S5", "1") "</Simulators><Connections>" VARIABLES ("S1", "y", "S3", "u1")     \
              VARIABLES ("S2", "y", "S3", "u2") VARIABLES ("S3", "y", "S5", "u1")                  \
                  VARIABLES ("S5", "u2", "S4", "y") VARIABLES ("S5", "y", "S1", "u1")              \
                      VARIABLES ("S5", "y", "S2", "u1") "</Connections>"

static GBytes *
read_part (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fmi", "structures", name, NULL);
  char *text;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  return g_bytes_new_take (text, size);
}

/* A package as other tools write them: the namespaces under other names, one of them none;
 * geometry, annotations, types, connectors without types; values in files by mappings, of the
 * system and relative to a component; names with blanks. Engine: 3 (of 300, times 0.01) + 300
 * + 2.5; Choose: 2
 * * 2 + 5 + the 4 letters of "a; b" = 13; Add: Engine, a second later, + (0.5 * 13 + 1) + 1. */
static void
test_of_others (void)
{
  static const char *const parts[][2] = { { "SystemStructure.ssd", "vehicle.ssd" },
                                          { "extra/values.ssv", "values.ssv" },
                                          { "extra/names.ssm", "names.ssm" },
                                          { "extra/choice.ssv", "choice.ssv" } };
  WeirFmuFile files[G_N_ELEMENTS (parts) + 2];
  g_auto (Place) place = { 0 };
  g_autoptr (GBytes) package = NULL;
  g_autofree char *path = NULL;
  guint n = 0;

  place_init (&place);
  for (; n < G_N_ELEMENTS (parts); n++)
    files[n] = (WeirFmuFile) { parts[n][0], read_part (parts[n][1]) };
  files[n++] = (WeirFmuFile) { "resources/0001_adder.fmu", read_fmu ("adder-2") };
  files[n++] = (WeirFmuFile) { "resources/chooser two.fmu", read_fmu ("chooser-2") };
  package = weir_fmu_archive_write (files, n, NULL);
  path = put_bytes (&place, "vehicle.ssp", package);
  assert_ends (&place, path, "time,Engine.y,Inner.Add.y", "4,305.5,314");
  {
    g_auto (Outcome) info = weir_at (&place, ARGUMENTS ("info", path));

    g_assert_nonnull (strstr (info.out, "title            Vehicle"));
    g_assert_nonnull (strstr (info.out, "every 1 s"));
    g_assert_null (strstr (info.out, "STR")); /* nothing is left out */
  }
  for (guint i = 0; i < n; i++)
    g_bytes_unref (files[i].bytes);
}

/* A signal of a dictionary, which stands in the file, or beside it: A's output, 1 m, is read by B
 * in millimetres and by C in metres, one second later, though the connection that reads stands
 * first. */
static void
test_signals (void)
{
  static const char *const format = SSD (
      "1.0",
      "<ssd:Elements>" ADDER ("A",
                              "<ssd:Connectors><ssd:Connector name=\"y\" kind=\"output\"><ssc:Real "
                              "unit=\"m\"/></ssd:Connector></ssd:Connectors>")
          ADDER ("B", "<ssd:Connectors><ssd:Connector name=\"u1\" kind=\"input\"><ssc:Real "
                      "unit=\"mm\"/></ssd:Connector></ssd:Connectors>")
              ADDER ("C", "<ssd:Connectors><ssd:Connector name=\"u1\" kind=\"input\"><ssc:Real "
                          "unit=\"m\"/></ssd:Connector></ssd:Connectors>") REFERENCE
      "</ssd:Elements><ssd:Connections>" JOIN ("D", "speed", "B", "u1")
          JOIN ("A", "y", "D", "speed") JOIN ("C", "u1", "D", "speed") "</ssd:Connections>%s",
      "<ssd:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit><ssc:Unit "
      "name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit></ssd:Units>" EXPERIMENT);
  static const char *const dictionaries[] = {
    DICTIONARY, "<ssd:SignalDictionaries><ssd:SignalDictionary name=\"Bus\" source=\"bus.ssb\" "
                "type=\"application/x-ssp-signal-dictionary\"/></ssd:SignalDictionaries>"
  };
  static const char ssb[] =
      "<ssb:SignalDictionary" NAMESPACES " version=\"1.0\" name=\"b\"><ssb:DictionaryEntry "
      "name=\"speed\"><ssc:Real unit=\"cm\"/></ssb:DictionaryEntry><ssb:Units><ssc:Unit "
      "name=\"cm\"><ssc:BaseUnit m=\"1\" factor=\"0.01\"/></ssc:Unit></ssb:Units>"
      "</ssb:SignalDictionary>";

  for (guint i = 0; i < G_N_ELEMENTS (dictionaries); i++)
    {
      g_auto (Place) place = { 0 };
      g_autoptr (GString) text = g_string_new (format);
      g_autofree char *file = NULL;

      g_string_replace (text, "%s", dictionaries[i], 0);
      place_init (&place);
      put_fmu (&place, "resources/adder.fmu", "adder-2");
      g_free (put_text (&place, "bus.ssb", ssb));
      file = put_text (&place, "bus.ssd", text->str);
      assert_ends (&place, file, "time,A.y,B.y,C.y", "4,1,1001,2");
    }
}

/* The same across systems: A, in one, writes the signal of a dictionary of the outermost; B, two
 * levels down in another, reads it in millimetres, and so does C, at the level of A; E reads it
 * where the dictionary is. A name that is taken already is taken for no other. */
static void
test_nested_signals (void)
{
#define METRES(c, kind, unit)                                                                      \
  "<ssd:Connectors><ssd:Connector name=\"" c "\" kind=\"" kind "\"><ssc:Real unit=\"" unit         \
  "\"/></ssd:Connector></ssd:Connectors>"
  static const char text[] = SSD (
      "1.0",
      "<ssd:Elements><ssd:System name=\"Left\"><ssd:Connectors><ssd:Connector name=\"Bus_speed\" "
      "kind=\"output\"><ssc:Real/></ssd:Connector></ssd:Connectors><ssd:Elements>" ADDER (
          "A", METRES ("y", "output", "m")) ADDER ("C", METRES ("u1", "input", "mm")) REFERENCE
      "</ssd:Elements><ssd:Connections>" JOIN ("D", "speed", "C", "u1")
          JOIN ("A", "y", "D", "speed") "<ssd:Connection startElement=\"A\" startConnector=\"y\" "
                                        "endConnector=\"Bus_speed\"/>"
                                        "</ssd:Connections></ssd:System><ssd:System "
                                        "name=\"Right\"><ssd:Elements><ssd:System "
                                        "name=\"Deep\"><ssd:Elements>" ADDER (
                                            "B", METRES ("u1", "input", "mm")) REFERENCE
      "</ssd:Elements><ssd:Connections>" JOIN (
          "D", "speed", "B",
          "u1") "</ssd:Connections></ssd:System></ssd:Elements></ssd:System>" ADDER ("E",
                                                                                     METRES (
                                                                                         "u1",
                                                                                         "input",
                                                                                         "m"))
          REFERENCE "</ssd:Elements><ssd:Connections>" JOIN ("D", "speed", "E",
                                                             "u1") "</ssd:Connections>" DICTIONARY,
      "<ssd:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit><ssc:Unit "
      "name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit></ssd:Units>" EXPERIMENT);
  g_auto (Place) place = { 0 };
  g_autofree char *file = NULL;

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  file = put_text (&place, "bus.ssd", text);
  assert_ends (&place, file, "time,Left.A.y,Left.C.y,Right.Deep.B.y,E.y", "4,1,1001,1001,2");
}

static void
test_osp_tables (void)
{
  static const struct {
    const char *text, *table;
  } cases[] = {
    { OSP ("<BaseStepSize>1</BaseStepSize>" SIMULATORS), full },
    { OSP ("<Algorithm>fixedStep</Algorithm>" SIMULATORS), full },
    { OSP ("<BaseStepSize>1</BaseStepSize><Algorithm>waterfallFixedStep</Algorithm>" SIMULATORS),
      cascading },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Place) place = { 0 };
      g_autofree char *path = NULL;

      place_init (&place);
      put_fmu (&place, "resources/adder.fmu", "adder-2");
      path = put_text (&place, "OspSystemStructure.xml", cases[i].text);
      assert_runs (&place, path, NULL, cases[i].table);
    }
}

#define SIGNAL(f, s, b, y)                                                                         \
  "<SignalConnection><Signal function=\"" f "\" name=\"" s "\"/><Variable simulator=\"" b          \
  "\" name=\"" y "\"/></SignalConnection>"

/* A sum of two, a line, groups of variables, values at the start, two rates. A gives 1, 2 steps
 * long; the rest sees what was there a step ago. */
static void
test_osp_parts (void)
{
  static const char text[] = OSP (
      "<BaseStepSize>1</BaseStepSize><Simulators><Simulator name=\"A\" "
      "source=\"resources/adder.fmu\" stepSize=\"1\"><InitialValues><InitialValue variable=\"k\">"
      "<Real value=\"2\"/></InitialValue></InitialValues></Simulator>" SIMULATOR ("B", "1")
          SIMULATOR ("C", "2") SIMULATOR (
              "D",
              "1") "</Simulators><Functions><Sum name=\"Add\" "
                   "inputCount=\"2\"/><LinearTransformation "
                   "name=\"Line\" factor=\"10\" offset=\"5\"/><VectorSum name=\"Vec\" "
                   "inputCount=\"2\" "
                   "dimension=\"2\"/></Functions><Connections>" SIGNAL ("Add", "in[0]", "A", "y")
                       SIGNAL ("Add", "in[1]", "B", "y") SIGNAL ("Line", "in", "A", "y") SIGNAL (
                           "Line", "out", "C",
                           "u1") "<SignalGroupConnection><SignalGroup function=\"Vec\" "
                                 "name=\"in[0]\"/><VariableGroup "
                                 "simulator=\"A\" "
                                 "name=\"both\"/></"
                                 "SignalGroupConnection><SignalGroupConnection><SignalGroup "
                                 "function=\"Vec\" name=\"in[1]\"/><VariableGroup simulator=\"A\" "
                                 "name=\"both\"/>"
                                 "</SignalGroupConnection><SignalGroupConnection><SignalGroup "
                                 "function=\"Vec\" name=\"out\"/>"
                                 "<VariableGroup simulator=\"D\" "
                                 "name=\"inputs\"/></SignalGroupConnection>" SIGNAL (
                                     "Add", "out", "B", "u1") "</Connections>");
  static const char groups[] =
      "<OspModelDescription version=\"1.0\"><VariableGroups><Generic name=\"outer\"><Generic "
      "name=\"both\"><Variable ref=\"y\"/><Variable ref=\"y\"/></Generic></Generic>"
      "<Generic name=\"inputs\"><Variable ref=\"u1\"/><Variable ref=\"u2\"/></Generic>"
      "</VariableGroups></OspModelDescription>";
  g_auto (Place) place = { 0 };
  g_autofree char *path = NULL;

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  g_free (put_text (&place, "resources/adder_OspModelDescription.xml", groups));
  path = put_text (&place, "OspSystemStructure.xml", text);
  /* A = 2 from the first step; B = A + B + 1 as a step ago: 1, 4, 7, 10; C, at 2 and 4, takes 10 A
   * + 5 + 1 at its own seconds, held: first 5 + 1, then 26; D = 4 A + 1. */
  assert_ends (&place, path, "time,A.y,B.y,C.y,D.y", "4,2,10,26,9");
}

/* --- What is refused ------------------------------------------------------------------------- */

static void
test_refused (void)
{
  static const struct {
    const char *text, *part;
  } cases[] = {
    { "<SystemStructureDescription name=\"x\" version=\"1.0\"/>",
      "error[STR02]: <SystemStructure" },
    { "<SystemStructureDescription name=\"x\"><System>", "error[XML01]" },
    { "<!DOCTYPE a [<!ENTITY b \"c\">]><SystemStructureDescription/>", "error[XML03]" },
    { SSD ("1.0", "<ssd:Elements>" ADDER ("A", "") ADDER ("A", "") "</ssd:Elements>", ""),
      "error[STR02]: There are two parts called \"A\"." },
    { "<SystemStructureDescription name=\"x\" version=\"1.0\"><System name=\"a\"/><System "
      "name=\"b\"/></SystemStructureDescription>",
      "error[STR02]: <SystemStructureDescription> has more than one <System>." },
    { "<SystemStructureDescription name=\"x\" version=\"1.0\"><System name=\"a\"><Connectors>"
      "<Connector name=\"u\" kind=\"input\"/><Connector name=\"u\" kind=\"output\"/>"
      "</Connectors></System></SystemStructureDescription>",
      "error[STR02]: There are two connectors called \"u\"." },
    { SSD ("1.0",
           "<ssd:Elements><ssd:Component name=\"A\" source=\"resources/adder.fmu\">"
           "<ssd:Connectors><ssd:Connector name=\"y\" kind=\"output\"/><ssd:Connector "
           "name=\"y\" kind=\"output\"/></ssd:Connectors></ssd:Component></ssd:Elements>",
           ""),
      "error[STR02]: There are two connectors called \"y\"." },
    { SSD ("1.0", "<ssd:Elements/><ssd:Connections>" JOIN ("A", "y", "B", "u") "</ssd:Connections>",
           ""),
      "error[STR04]: A connection ends at \"A\", which the system does not have." },
    { SSD ("1.0", "<ssd:Elements><ssd:Nothing name=\"D\"/></ssd:Elements>", ""),
      "error[STR06]: \"D\" is a <Nothing>" },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER ("A", "") REFERENCE
           "</ssd:Elements><ssd:Connections>" JOIN ("A", "y", "D", "speed") "</ssd:Connections>",
           ""),
      "error[STR04]: Neither the system nor one around it has a signal dictionary \"Bus\"." },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER ("A", "") REFERENCE "</ssd:Elements><ssd:Connections>" JOIN (
               "A", "y", "D", "length") "</ssd:Connections>" DICTIONARY,
           ""),
      "error[STR04]: The signal dictionary \"Bus\" has no signal \"length\"" },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER ("A", "") ADDER ("B", "") REFERENCE
           "</ssd:Elements><ssd:Connections>" JOIN ("A", "y", "D", "speed")
               JOIN ("B", "y", "D", "speed") "</ssd:Connections>" DICTIONARY,
           ""),
      "error[STR04]: Two connections write the signal \"speed\"" },
    { SSD ("1.0",
           "<ssd:Elements><ssd:Component name=\"A\" type=\"application/x-ssp-definition\" "
           "source=\"test.xml\"/></ssd:Elements>",
           ""),
      "Files name each other more than 10 deep." },
    { SSD ("1.0",
           "<ssd:ParameterBindings><ssd:ParameterBinding source=\"none.ssv\"/>"
           "</ssd:ParameterBindings><ssd:Elements/>",
           ""),
      "error[STR03]" },
    { "<OspSystemStructure/>", "error[STR02]: <OspSystemStructure> has no <Simulators>." },
    { OSP ("<Algorithm>other</Algorithm><Simulators/>"),
      "error[STR02]: There is no algorithm \"other\"" },
    { OSP ("<BaseStepSize>-1</BaseStepSize><Simulators/>"), "greater than 0" },
    { OSP ("<BaseStepSize>soon</BaseStepSize><Simulators/>"), "<BaseStepSize> must be a number." },
    { OSP ("<Simulators/><Functions><Sum name=\"S\" inputCount=\"1000000\"/></Functions>"),
      "\"inputCount\" must be from 1 to" },
    { OSP ("<Simulators>" SIMULATOR ("A", "1") "</Simulators><Connections>" SIGNAL (
          "F", "out", "A", "u1") "</Connections>"),
      "error[STR04]" },
  };
  g_auto (Place) place = { 0 };

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = put_text (&place, "test.xml", cases[i].text);

      assert_says (&place, path, 1, cases[i].part);
    }
}

/* What is told and not refused: what cannot be kept, what belongs to nothing. */
static void
test_told (void)
{
  static const struct {
    const char *text, *part;
  } cases[] = {
    { SSD ("1.0",
           "<ssd:Elements><ssd:Component name=\"A\" source=\"http://there/a.fmu\"/>"
           "</ssd:Elements>",
           ""),
      "warning[STR03]: A: \"http://there/a.fmu\" lies on another machine" },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER (
               "A", BIND (SET (PARAMETER ("none", "Real", "1"), ""))) "</ssd:Elements>",
           ""),
      "warning[STR05]: A has no variable \"none\"" },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER (
               "A", BIND (SET (PARAMETER ("k", "Real", "much"), ""))) "</ssd:Elements>",
           ""),
      "warning[STR05]: A.k: \"much\" is no value for it." },
    { SSD ("3.0", "<ssd:Elements/>", "<ssd:DefaultExperiment startTime=\"2\" stopTime=\"3\"/>"),
      "begins at 2 s" },
    { SSD ("1.0",
           "<ssd:Connectors><ssd:Connector name=\"C\" kind=\"input\"/></ssd:Connectors>" BIND (
               SET (PARAMETER ("C", "Real", "much"), "")) "<ssd:Elements/>",
           ""),
      "warning[STR05]: C: \"much\" is no value for it." },
    { SSD ("1.0", "<ssd:Elements/>", "<ssd:DefaultExperiment stopTime=\"soon\"/>"),
      "warning[STR05]: \"stopTime\" of <DefaultExperiment> is \"soon\", which is no number: it is "
      "passed over." },
    { SSD ("1.0",
           "<ssd:Elements><ssd:Component name=\"A\" source=\"resources/adder.fmu\" "
           "implementation=\"Odd\"/></ssd:Elements>",
           ""),
      "warning[STR06]: A: the implementation \"Odd\" is not known." },
    { SSD ("1.0",
           "<ssd:Elements>" ADDER ("A", "")
               ADDER ("B", "") "</ssd:Elements><ssd:Connections><ssd:Connection startElement=\"A\" "
                               "startConnector=\"y\" endElement=\"B\" "
                               "endConnector=\"u1\"><ssc:LinearTransformation factor=\"2,5\"/>"
                               "</ssd:Connection></ssd:Connections>",
           ""),
      "warning[STR05]: \"factor\" of <LinearTransformation> is \"2,5\"" },
    { OSP ("<Simulators/><Functions><LinearTransformation name=\"L\" factor=\"two\" "
           "offset=\"0\"/></Functions>"),
      "warning[STR05]: \"factor\" of <LinearTransformation> is \"two\"" },
    { OSP ("<Simulators>" SIMULATOR ("A", "soon") "</Simulators>"),
      "warning[STR05]: \"stepSize\" of <Simulator> is \"soon\"" },
    { OSP ("<BaseStepSize>2</BaseStepSize><Simulators>" SIMULATOR ("A", "3") "</Simulators>"),
      "is no multiple" },
    { OSP ("<Algorithm>ecco</Algorithm><Simulators/>"), "warning[STR06]: The algorithm \"ecco\"" },
  };
  g_auto (Place) place = { 0 };

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = put_text (&place, "test.xml", cases[i].text);
      g_auto (Outcome) check = weir_at (&place, ARGUMENTS ("check", path));

      if (strstr (check.out, cases[i].part) == NULL)
        g_error ("no \"%s\" in:\n%s", cases[i].part, check.out);
      g_assert_null (strstr (check.out, "error[STR"));
    }
}

static void
test_hostile_packages (void)
{
  static const ZipFile out = { .name = "../out.ssd", .text = "x" };
  g_auto (Place) place = { 0 };
  g_autofree char *escaping = NULL, *none = NULL, *damaged = NULL;
  g_autoptr (GBytes) archive = zip_make (&out, 1, &(ZipEnd) { 0 });
  g_autoptr (GBytes) package = read_fmu ("adder-2");

  place_init (&place);
  escaping = put_package (
      &place, "a.ssp",
      SSD ("1.0",
           "<ssd:Elements><ssd:Component name=\"A\" source=\"resources/../../a.fmu\"/>"
           "</ssd:Elements>",
           ""),
      "adder-2");
  assert_says (&place, escaping, 1,
               "warning[STR03]: SystemStructure.ssd:2: A: \"resources/../../a.fmu\" leads out");
  damaged = put_bytes (&place, "b.ssp", archive);
  assert_says (&place, damaged, 1, "error[STR01]");
  none = put_bytes (&place, "c.ssp", package);
  assert_says (&place, none, 1, "There is no \"SystemStructure.ssd\" in the package.");
}

/* Whatever bytes are changed, reading ends, with a model or with an error. */
static void
test_damaged (void)
{
  static const char *const texts[] = { SSD ("1.0", FIVE, EXPERIMENT),
                                       OSP ("<BaseStepSize>1</BaseStepSize>" SIMULATORS) };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (16));

  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *text = g_strdup (texts[i % 2]);
      gsize size = strlen (text);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      WeirModel *model;

      for (int k = g_rand_int_range (rand, 1, 6); k > 0; k--)
        text[g_rand_int_range (rand, 0, (int) size)] = (char) g_rand_int_range (rand, 1, 127);
      bytes = g_bytes_new (text, (gsize) g_rand_int_range (rand, (int) size / 2, (int) size + 1));
      model = weir_structure_read (bytes, "damaged", diagnostics);
      g_assert_true (model != NULL || weir_diagnostics_has_errors (diagnostics));
      g_clear_pointer (&model, weir_model_unref);
    }
}

/* --- Writing --------------------------------------------------------------------------------- */

static void
test_written (void)
{
  for (guint version = 1; version <= 2; version++)
    {
      g_auto (Place) place = { 0 };
      g_autofree char *package = NULL, *again = NULL, *kept = NULL;
      g_autofree char *number = g_strdup_printf ("%u", version);

      place_init (&place);
      package = put_package (&place, "five.ssp", SSD ("1.0", FIVE, EXPERIMENT), "adder-2");
      again = g_build_filename (place.folder, "again.ssp", NULL);
      {
        g_auto (Outcome) export = weir_at (
            &place, ARGUMENTS ("export", package, "--ssp", number, "--out", again));

        g_assert_cmpstr (export.out, ==, "");
        g_assert_cmpint (export.status, ==, 0);
      }
      kept = g_build_filename (place.folder, "gone.ssp", NULL);
      g_assert_cmpint (g_rename (package, kept), ==, 0); /* it needs no other file */
      assert_runs (&place, again, NULL, full);
      assert_runs (&place, again, "cascading", cascading);
    }
}

/* What converts metres to millimetres when a package is read does so once, also when it is written
 * and read again; and where the file says that the number passes as it is, it does. 1 m is 1000 mm,
 * to which B adds 1. */
static void
test_written_units (void)
{
  static const char *const connections[] = {
    JOIN ("A", "y", "B", "u1"),
    "<ssd:Connection startElement=\"A\" startConnector=\"y\" endElement=\"B\" "
    "endConnector=\"u1\" suppressUnitConversion=\"true\"/>"
  };
  static const char *const rows[] = { "4,1,1001", "4,1,2" };

  for (guint i = 0; i < G_N_ELEMENTS (connections); i++)
    {
      g_auto (Place) place = { 0 };
      g_autofree char *ssd = g_strdup_printf (
          SSD ("1.0",
               "<ssd:Elements>" ADDER ("A", "")
                   ADDER ("B", "") "</ssd:Elements>"
                                   "<ssd:Connections>%s</ssd:Connections>",
               EXPERIMENT),
          connections[i]);
      g_autofree char *package = NULL, *again = NULL;

      place_init (&place);
      package = put_package (&place, "two.ssp", ssd, "measurer-2");
      again = g_build_filename (place.folder, "again.ssp", NULL);
      assert_ends (&place, package, "time,A.y,B.y", rows[i]);
      {
        g_auto (Outcome) export = weir_at (
            &place, ARGUMENTS ("export", package, "--ssp", "1", "-o", again));

        g_assert_cmpint (export.status, ==, 0);
      }
      assert_ends (&place, again, "time,A.y,B.y", rows[i]);
    }
}

/* Subsystems, gains and biases on the way, a constant, values at the start, a step of several; and
 * what a scope sees is left out. */
static void
test_written_parts (void)
{
  static const char model[] =
      "<weir version=\"1\"><title>Parts &amp; all</title><settings>"
      "<setting name=\"communication-step\" value=\"1\"/><setting name=\"schedule\" "
      "value=\"cascading\"/><setting name=\"stop-time\" value=\"4\"/></settings><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"C\" x=\"0\" y=\"0\"><parameter name=\"value\" "
      "value=\"3\"/></block>"
      "<block id=\"2\" type=\"Gain\" name=\"G\" x=\"60\" y=\"0\"><parameter name=\"gain\" "
      "value=\"2\"/></block>"
      "<block id=\"3\" type=\"Bias\" name=\"B\" x=\"90\" y=\"0\"><parameter name=\"bias\" "
      "value=\"-0.5\"/></block>"
      "<block id=\"4\" type=\"FMU\" name=\"A\" x=\"120\" y=\"0\"><parameter name=\"file\" "
      "value=\"resources/adder.fmu\"/><parameter name=\"start\" value=\"k = 7\"/><parameter "
      "name=\"mode\" value=\"co-simulation\"/></block>"
      "<block id=\"5\" type=\"Subsystem\" name=\"S\" x=\"240\" y=\"0\"><diagram>"
      "<block id=\"6\" type=\"In\" name=\"u\" x=\"0\" y=\"0\"/><block id=\"7\" type=\"FMU\" "
      "name=\"D\" x=\"90\" y=\"0\"><parameter name=\"file\" value=\"resources/adder.fmu\"/>"
      "<parameter name=\"mode\" value=\"co-simulation\"/><parameter name=\"steps\" value=\"2\"/>"
      "</block><block id=\"8\" type=\"Out\" name=\"y\" x=\"180\" y=\"0\"/>"
      "<wire id=\"9\" from=\"6.y\" to=\"7.u1\"/><wire id=\"10\" from=\"7.y\" to=\"8.u\"/>"
      "</diagram></block>"
      "<block id=\"11\" type=\"Scope\" name=\"Scope\" x=\"360\" y=\"0\"/>"
      "<wire id=\"12\" from=\"1.y\" to=\"2.u\"/><wire id=\"13\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"14\" from=\"3.y\" to=\"4.u1\"/><wire id=\"15\" from=\"4.y\" to=\"5.u\"/>"
      "<wire id=\"16\" from=\"5.y\" to=\"11.in1\"/></diagram></weir>";
  g_auto (Place) place = { 0 };
  g_autofree char *path = NULL, *package = NULL;

  place_init (&place);
  put_fmu (&place, "resources/adder.fmu", "adder-2");
  path = put_text (&place, "m.weir", model);
  package = g_build_filename (place.folder, "m.ssp", NULL);
  {
    g_auto (Outcome) export = weir_at (&place,
                                       ARGUMENTS ("export", path, "--ssp", "2", "-o", package));

    g_assert_cmpint (export.status, ==, 0);
  }
  /* A = 2 * 3 - 0.5 + 7; D, over two seconds, takes it and adds 1 */
  assert_ends (&place, package, "time,A.y,S.D.y", "4,12.5,13.5");
  {
    g_auto (Outcome) info = weir_at (&place, ARGUMENTS ("info", package));

    g_assert_nonnull (strstr (info.out, "cascading, every 1 s"));
    g_assert_nonnull (strstr (info.out, "Parts & all"));
  }
}

/* A package that is opened, and saved as a model in another folder: its FMUs are found there. */
static void
test_saved_elsewhere (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = NULL;
  g_autofree char *package = NULL, *text = NULL;
  g_autofree char *elsewhere = NULL;
  g_autoptr (GFile) from = NULL, to = NULL;

  place_init (&place);
  package = put_package (&place, "m.ssp", SSD ("1.0", FIVE, EXPERIMENT), "adder-2");
  elsewhere = g_build_filename (place.folder, "resources", "m.weir", NULL);
  from = g_file_new_for_path (package);
  to = g_file_new_for_path (elsewhere);
  model = weir_model_read_file (from, diagnostics);
  g_assert_nonnull (model);
  g_assert_true (weir_model_write_file (model, to, NULL));
  g_assert_true (g_file_get_contents (elsewhere, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "value=\"../m.ssp/resources/adder.fmu\""));
  assert_runs (&place, elsewhere, "cascading", cascading);
}

static void
test_not_written (void)
{
  static const struct {
    const char *block, *part;
  } cases[] = {
    { "<block id=\"1\" type=\"Sine\" name=\"A\" x=\"0\" y=\"0\"/>", "A: a package of SSP holds" },
    { "<block id=\"1\" type=\"Gain\" name=\"A\" x=\"0\" y=\"0\" mode=\"commented-out\"/>",
      "A: it is commented out" },
    { "<block id=\"1\" type=\"Subsystem\" name=\"A\" x=\"0\" y=\"0\"><unit name=\"steps\" "
      "value=\"1\"/><diagram/></block>",
      "A: it is a unit" },
    { "<block id=\"1\" type=\"FMU\" name=\"A\" x=\"0\" y=\"0\"/>", "A: its FMU cannot be read." },
  };
  g_auto (Place) place = { 0 };
  g_autofree char *package = NULL;

  place_init (&place);
  package = g_build_filename (place.folder, "m.ssp", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("<weir version=\"3\"><diagram>%s</diagram></weir>",
                                               cases[i].block);
      g_autofree char *path = put_text (&place, "m.weir", text);
      g_auto (Outcome) export = weir_at (&place,
                                         ARGUMENTS ("export", path, "--ssp", "1", "-o", package));

      g_assert_cmpint (export.status, ==, 1);
      if (strstr (export.out, cases[i].part) == NULL)
        g_error ("no \"%s\" in:\n%s", cases[i].part, export.out);
      g_assert_false (g_file_test (package, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/structures/ssp-tables", test_tables);
  g_test_add_func ("/fmi/structures/trust", test_trust);
  g_test_add_func ("/fmi/structures/values", test_values);
  g_test_add_func ("/fmi/structures/transformations", test_transformations);
  g_test_add_func ("/fmi/structures/nested", test_nested);
  g_test_add_func ("/fmi/structures/of-others", test_of_others);
  g_test_add_func ("/fmi/structures/signals", test_signals);
  g_test_add_func ("/fmi/structures/nested-signals", test_nested_signals);
  g_test_add_func ("/fmi/structures/osp-tables", test_osp_tables);
  g_test_add_func ("/fmi/structures/osp-parts", test_osp_parts);
  g_test_add_func ("/fmi/structures/refused", test_refused);
  g_test_add_func ("/fmi/structures/told", test_told);
  g_test_add_func ("/fmi/structures/hostile-packages", test_hostile_packages);
  g_test_add_func ("/fmi/structures/damaged", test_damaged);
  g_test_add_func ("/fmi/structures/written", test_written);
  g_test_add_func ("/fmi/structures/written-units", test_written_units);
  g_test_add_func ("/fmi/structures/written-parts", test_written_parts);
  g_test_add_func ("/fmi/structures/saved-elsewhere", test_saved_elsewhere);
  g_test_add_func ("/fmi/structures/not-written", test_not_written);
  return g_test_run ();
}
