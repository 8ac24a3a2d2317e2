/* `weir check` and `weir info` of FMUs: what they print, and that they end well. */
#include <glib/gstdio.h>

#include "../cli/program.h"
#include "fmi/description.h"

/* An FMU of a description and an empty library for another machine, in a folder of its own. */
typedef struct {
  char *folder, *path;
} Fmu;

static void
fmu_init (Fmu *self, const char *description, const char *name)
{
  g_autoptr (GBytes) bytes = g_bytes_new (description, strlen (description));
  g_autoptr (GBytes) library = g_bytes_new_static ("", 0);
  WeirFmuFile files[] = { { "modelDescription.xml", bytes },
                          { "binaries/elsewhere/m.so", library } };
  g_autoptr (GBytes) zip = weir_fmu_archive_write (files, 2, NULL);
  gsize size;
  const char *data = g_bytes_get_data (zip, &size);

  self->folder = g_dir_make_tmp ("weir-fmi-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, name, NULL);
  g_assert_true (g_file_set_contents (self->path, data, (gssize) size, NULL));
}

static void
fmu_clear (Fmu *self)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

static char *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fmi", "descriptions", name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_test_message ("no \"%s\" in:\n%s", part, text);
  g_assert_nonnull (strstr (text, part));
}

#define HEAD                                                                                       \
  "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"                          \
  "<CoSimulation modelIdentifier=\"m\"/>\n<ModelVariables>\n"
#define TAIL "</ModelVariables><ModelStructure/></fmiModelDescription>"

/* A line a problem; the file within the archive and its line stand before it. */
static void
test_check (void)
{
  g_autofree char *second = NULL, *third = NULL;
  g_auto (Outcome) outcome = { 0 };
  Fmu fmu;

  fmu_init (&fmu,
            HEAD "<ScalarVariable name=\"a\" valueReference=\"0\">\n<Real unit=\"ell\"/>\n"
                 "</ScalarVariable>\n" TAIL,
            "m.fmu");
  second = g_strdup_printf ("%s/modelDescription.xml:4: warning[FMU12]: a: The unit \"ell\" is not "
                            "defined.\n",
                            fmu.path);
  third = g_strdup_printf ("%s: warning[FMU19]: CoSimulation: The FMU has libraries for elsewhere",
                           fmu.path);
  outcome = weir (ARGUMENTS ("check", fmu.path));
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpstr (outcome.err, ==, "");
  assert_has (outcome.out, second);
  assert_has (outcome.out, third);
  fmu_clear (&fmu);
}

/* By its first bytes, whatever it is called. */
static void
test_check_errors (void)
{
  g_autofree char *example_file = example ("counter.weir");
  g_auto (Outcome) outcome = { 0 };
  Fmu fmu;

  fmu_init (&fmu, HEAD "<ScalarVariable name=\"a\"><Real/></ScalarVariable>\n" TAIL, "m.zip");
  outcome = weir (ARGUMENTS ("check", fmu.path, example_file));
  g_assert_cmpint (outcome.status, ==, 1);
  assert_has (outcome.out, "modelDescription.xml:4: error[FMU04]: a: The variable has no");
  fmu_clear (&fmu);
}

static void
test_no_archive (void)
{
  g_auto (Outcome) checked = { 0 }, told = { 0 };
  Fmu fmu;

  fmu_init (&fmu, "", "m.fmu");
  g_assert_true (g_file_set_contents (fmu.path, "no archive at all, and so no FMU", -1, NULL));
  checked = weir (ARGUMENTS ("check", fmu.path));
  g_assert_cmpint (checked.status, ==, 1);
  assert_has (checked.out, "error[FMU01]: ");
  assert_has (checked.out, "it is no zip archive");
  told = weir (ARGUMENTS ("info", fmu.path));
  g_assert_cmpint (told.status, ==, 1);
  g_assert_cmpstr (told.out, ==, checked.out);
  fmu_clear (&fmu);
}

static void
test_info (void)
{
  static const char *const lines[] = {
    "name             Ball\n",
    "fmi              2.0\n",
    "model exchange   ball: state, serialised state, directional derivatives\n",
    "co-simulation    ball_cs: one instance per process, variable step, interpolates inputs, "
    "asynchronous\n",
    "tool             by hand\n",
    "token            {8c4e810f-3df3-4a00-8276-176fa3c9f9e0}\n",
    "platforms        elsewhere\n",
    "variables        11\n",
    "states           2\n",
    "indicators       1\n",
    "experiment       from 0, to 3, step 0.01, tolerance 1e-06\n",
    "parameter            fixed       String  label = \"a <b> c\"\n",
    "input                continuous  Float64  push = 0\n",
    "output               continuous  Float64  h = 1 m\n",
    "local                continuous  Float64  der(h) m/s  derivative of h\n",
    "and 1 local ones, which --full lists\n",
    "output            h <- nothing\n",
    "output            v <- everything\n",
    "output            count <- h (discrete), push (constant), time\n",
    "derivative        der(h) <- v (constant)\n",
  };
  g_autofree char *description = load ("ball-2.xml");
  g_auto (Outcome) outcome = { 0 }, full = { 0 };
  Fmu fmu;

  fmu_init (&fmu, description, "ball.FMU");
  outcome = weir (ARGUMENTS ("info", fmu.path));
  g_assert_cmpint (outcome.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_has (outcome.out, lines[i]);
  assert_has (outcome.err, "warning[FMU19]");
  full = weir (ARGUMENTS ("info", "--full", fmu.path));
  assert_has (full.out, "local                discrete    Float64  warmth = inf degC\n");
  assert_has (full.out, "at the start      der(h) <- v\n");
  fmu_clear (&fmu);
}

static void
test_info_arrays (void)
{
  static const char *const lines[] = {
    "scheduled        plant_se\n",
    "output               continuous  Float64[2 x 3]  x = [1, 2, 3, 4, 5, 6]\n",
    "input                discrete    Boolean[3]  b = [true, false, false]\n",
    "parameter            fixed       String[2]  words = [\"one\", \"\"]\n",
    "parameter            fixed       Binary  picture = 5 bytes\n",
    "structuralParameter  tunable     UInt64  n = 2\n",
    "event indicator   z <- x\n",
    "clocked state     sampled <- u\n",
  };
  g_autofree char *description = load ("plant-3.xml");
  g_auto (Outcome) outcome = { 0 };
  Fmu fmu;

  fmu_init (&fmu, description, "plant.fmu");
  outcome = weir (ARGUMENTS ("info", fmu.path));
  g_assert_cmpint (outcome.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    assert_has (outcome.out, lines[i]);
  fmu_clear (&fmu);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/commands/check", test_check);
  g_test_add_func ("/fmi/commands/check-errors", test_check_errors);
  g_test_add_func ("/fmi/commands/no-archive", test_no_archive);
  g_test_add_func ("/fmi/commands/info", test_info);
  g_test_add_func ("/fmi/commands/info-arrays", test_info_arrays);
  return g_test_run ();
}
