/* weir measure: figures of runs and of CSV files, by the command line. */
#include "model-file.h"
#include "program.h"

#include <math.h>

/* A step of 1 into a transfer function. */
#define STEP_INTO(numerator, denominator)                                                          \
  "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\"/>"                                 \
  "<block id=\"2\" type=\"TransferFunction\" name=\"P\" x=\"0\" y=\"0\">"                          \
  "<parameter name=\"numerator\" value=\"" numerator "\"/>"                                        \
  "<parameter name=\"denominator\" value=\"" denominator "\"/></block>"                            \
  "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/>"

/* The value that a CSV of figures has for @figure. */
static double
find (const char *csv, const char *figure)
{
  g_autofree char *key = g_strconcat (",", figure, ",", NULL);
  const char *at = strstr (csv, key);

  g_assert_nonnull (at);
  at += strlen (key);
  return *at == '\n' ? (double) NAN : g_ascii_strtod (at, NULL);
}

/* Closed forms, as 40 digits by partial fractions give them. */
static void
test_steps (void)
{
  static const struct {
    const char *diagram, *final;
    struct {
      const char *figure;
      double value, tolerance;
    } expected[5];
  } cases[] = {
    { STEP_INTO ("[1, 5, 5]", "[1, 1.65, 5, 6.5, 2]"),
      "2.5",
      { { "rise_time", 3.843416801, 1e-6 },
        { "settling_time", 27.98008554, 1e-5 },
        { "peak", 2.687824729, 1e-5 },
        { "peak_time", 8.083924, 5e-4 } } },
    { STEP_INTO ("4", "[1, 2, 4]"),
      "1",
      { { "overshoot", 16.30335348, 1e-3 },
        { "rise_time", 0.8187864737, 1e-6 },
        { "settling_time", 4.038174487, 1e-5 },
        { "peak_time", 1.813799364, 5e-4 } } },
    { STEP_INTO ("[-2, 2]", "[1, 3, 2]"),
      "1",
      { { "undershoot", 100 / 3.0, 1e-3 },
        { "rise_time", 2.419939812, 1e-6 },
        { "settling_time", 5.294546095, 1e-5 } } },
    { STEP_INTO ("1", "[1, 4, 6, 4, 1]"),
      "1",
      { { "rise_time", 4.936013505, 1e-6 }, { "settling_time", 9.084115382, 1e-5 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *options[] = { "--signal",   "P.y",          "--until",   "50",
                                "--max-step", "0.0005",       "--rtol",    "1e-9",
                                "--atol",     "1e-11",        "--initial", "0",
                                "--final",    cases[i].final, "--csv",     NULL };
      g_auto (Outcome) outcome = model_run ("measure", cases[i].diagram, options);

      g_test_message ("%s", outcome.err);
      g_assert_cmpint (outcome.status, ==, 0);
      for (guint k = 0; k < 5 && cases[i].expected[k].figure != NULL; k++)
        {
          double value = find (outcome.out, cases[i].expected[k].figure);

          g_test_message ("%s: %.10g", cases[i].expected[k].figure, value);
          g_assert_cmpfloat_with_epsilon (value, cases[i].expected[k].value,
                                          cases[i].expected[k].tolerance);
        }
    }
}

/* 1 / (s + 1)^3 with a relay of -1 and 1: period and amplitude of the exact limit cycle, by 40
 * digits. Extremes are those of the samples. */
static void
test_relay (void)
{
  static const char diagram[] =
      "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\">"
      "<parameter name=\"value\" value=\"0\"/></block>"
      "<block id=\"2\" type=\"Sum\" name=\"E\" x=\"0\" y=\"0\">"
      "<parameter name=\"signs\" value=\"+-\"/></block>"
      "<block id=\"3\" type=\"Relay\" name=\"C\" x=\"0\" y=\"0\">"
      "<parameter name=\"on\" value=\"1\"/><parameter name=\"off\" value=\"-1\"/>"
      "<parameter name=\"switch-on\" value=\"0\"/><parameter name=\"switch-off\" value=\"0\"/>"
      "</block><block id=\"4\" type=\"TransferFunction\" name=\"P\" x=\"0\" y=\"0\">"
      "<parameter name=\"denominator\" value=\"[1, 3, 3, 1]\"/></block>"
      "<wire id=\"5\" from=\"1.y\" to=\"2.in1\"/><wire id=\"6\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"7\" from=\"3.y\" to=\"4.u\"/><wire id=\"8\" from=\"4.y\" to=\"2.in2\"/>";
  const char *options[] = { "--signal",   "P.y",    "--until", "60",     "--from",
                            "40",         "--rtol", "1e-10",   "--atol", "1e-12",
                            "--max-step", "0.0005", "--csv",   NULL };
  g_auto (Outcome) outcome = model_run ("measure", diagram, options);

  g_test_message ("%s%s", outcome.err, outcome.out);
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpfloat_with_epsilon (find (outcome.out, "period"), 3.679750671, 1e-8);
  g_assert_cmpfloat_with_epsilon (find (outcome.out, "max"), .1630614834, 2e-8);
  /* Ku = 4 d / (pi a) */
  g_assert_cmpfloat_with_epsilon (4 / (G_PI * find (outcome.out, "max")), 7.80834, 5e-6);
}

/* Writes @text to a file and measures it. */
static Outcome
measure_text (const char *text, const char *option, const char *value)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("weir-XXXXXX.csv", &path, &error);
  Outcome outcome;

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  outcome = weir (ARGUMENTS ("measure", path, "--csv", option, value));
  g_unlink (path);
  return outcome;
}

/* Tables as other programs write them. */
static void
test_tables (void)
{
  g_auto (Outcome)
      plain = measure_text ("time,a.y,phase\n0,1,minus\n0,2,plus\n2,4,minus\n", NULL, NULL);
  g_auto (Outcome) german = measure_text (
      "\xef\xbb\xbfZeit;\"Druck; bar\"\r\n0;1,5\r\n2;2,5\r\n\r\n", NULL, NULL);
  g_auto (Outcome) gap = measure_text ("t\tx\n0\t1\n1\t\n2\tnan\n3\t5\n4\t6\n", NULL, NULL);
  g_auto (Outcome) held = measure_text ("t,x\n0,1\n1,3\n4,0\n", "--held", "x");

  g_assert_cmpint (plain.status, ==, 0);
  g_assert_cmpfloat (find (plain.out, "mean"), ==, 3);
  g_assert_cmpfloat (find (plain.out, "min"), ==, 1);
  g_assert_cmpint (german.status, ==, 0);
  g_assert_nonnull (strstr (german.out, "Druck; bar,mean,2\n"));
  g_assert_cmpint (gap.status, ==, 0);
  g_assert_cmpfloat (find (gap.out, "gaps"), ==, 2);
  g_assert_cmpfloat (find (gap.out, "mean"), ==, 5.5);
  g_assert_cmpint (held.status, ==, 0);
  g_assert_cmpfloat (find (held.out, "mean"), ==, 2.5);
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    { "", "line 1: there is one column only" },
    { "0,1\n1,2\n", "line 1: \"0\" stands where the name of a column is expected" },
    { "t,x\n", "there is no row of numbers below the header" },
    { "t,x\n0,1\n1\n", "line 3: there are 1 fields where the header has 2" },
    { "t,x\n0,1\n1,2,3\n", "line 3: there are more fields than the 2 of the header" },
    { "t,x\n0,1\n1,zwei\n", "line 3: \"zwei\" is not a number" },
    { "t,x\n0,1\n-1,2\n", "line 3: the time -1 is before the one of the line before, 0" },
    { "t,x\nnan,1\n", "line 2: the time is not a finite number" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = measure_text (cases[i].text, NULL, NULL);

      g_test_message ("%s", outcome.err);
      g_assert_cmpint (outcome.status, ==, 1);
      g_assert_nonnull (strstr (outcome.err, cases[i].sentence));
    }
}

/* A signal that has no such figure has a sentence; lists and JSON of the same signals. */
static void
test_forms (void)
{
  g_autofree char *file = example ("dc-motor.weir");
  g_auto (Outcome) json = weir (ARGUMENTS ("measure", file, "--json"));
  g_auto (Outcome) peaks = weir (ARGUMENTS ("measure", file, "--peaks", "0.0005", "--csv"));
  g_auto (Outcome) spectrum = weir (ARGUMENTS ("measure", file, "--spectrum", "--stretch", "32"));
  g_auto (Outcome) wrong = weir (ARGUMENTS ("measure", file, "--window", "oval"));
  g_auto (Outcome) none = weir (ARGUMENTS ("measure", file, "--signal", "Nix.y"));
  g_auto (Outcome) late = weir (ARGUMENTS ("measure", file, "--from", "2", "--to", "1"));
  const char *time;
  char *value;

  g_assert_cmpint (json.status, ==, 0);
  g_assert_nonnull (strstr (json.out, "\"name\": \"Motor.speed\""));
  g_assert_nonnull (strstr (json.out, "\"period\": null"));
  g_assert_nonnull (strstr (json.out, "\"Reference.y: the signal is constant\""));
  g_assert_nonnull (strstr (json.err, "Reference.y: the signal is constant"));
  g_assert_cmpint (peaks.status, ==, 0);
  g_assert_true (g_str_has_prefix (peaks.out, "signal,kind,time,value\nMotor.speed,maximum,"));
  /* Of the partial fractions of the closed loop's step response. */
  time = strstr (peaks.out, "maximum,") + strlen ("maximum,");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (time, &value), 0.6388350633624377, 3.0 / 5000);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (value + 1, NULL), 1.0091108839804435, 1e-8);
  g_assert_cmpint (spectrum.status, ==, 0);
  g_assert_nonnull (strstr (spectrum.out, "density"));
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_cmpint (none.status, ==, 2);
  g_assert_cmpint (late.status, ==, 2);
}

/* Harmonics and phase of a run: amplitude 1, a quarter of a turn between sine and its integral. */
static void
test_waves (void)
{
  const char *diagram = "<block id=\"1\" type=\"Sine\" name=\"S\" x=\"0\" y=\"0\"/>"
                        "<block id=\"2\" type=\"Integrator\" name=\"I\" x=\"0\" y=\"0\"/>"
                        "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/>";
  const char *options[] = { "--signal", "I.y",     "--signal", "S.y",   "--phase",
                            "S.y",      "--until", "10",       "--csv", NULL };
  const char *list[] = { "--signal", "S.y", "--harmonics", "2", "--until", "10", "--csv", NULL };
  g_auto (Outcome) figures = model_run ("measure", diagram, options);
  g_auto (Outcome) harmonics = model_run ("measure", diagram, list);
  const char *first;

  g_test_message ("%s%s", figures.out, harmonics.out);
  g_assert_cmpint (figures.status, ==, 0);
  /* Of (1 - cos (2 pi t)) / (2 pi), between whose turns there are few steps. */
  g_assert_cmpfloat_with_epsilon (find (figures.out, "max"), 1 / G_PI, 1e-5);
  g_assert_cmpfloat_with_epsilon (find (figures.out, "mean"), 0.5 / G_PI, 1e-5);
  g_assert_cmpfloat_with_epsilon (find (figures.out, "phase"), -90, 0.05);
  g_assert_cmpfloat_with_epsilon (find (figures.out, "duty"), 0.5, 1e-4);
  g_assert_cmpint (harmonics.status, ==, 0);
  first = strstr (harmonics.out, "S.y,1,");
  g_assert_nonnull (first);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (first + 6, NULL), 1, 1e-4);
}

/* Results have the same figures, to the bit, in each format that they are written in. */
static void
test_formats (void)
{
  g_autofree char *model = example ("pendulum.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  static const char *const names[] = { "a.csv", "a.mat", "a.h5" };
  Outcome figures[G_N_ELEMENTS (names)] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_auto (Outcome) run = weir (ARGUMENTS ("run", model, "--out", path));

      g_assert_cmpint (run.status, ==, 0);
      figures[i] = weir (ARGUMENTS ("measure", path, "--csv", "--signal", "Pendulum.theta"));
      g_assert_cmpint (figures[i].status, ==, 0);
      g_assert_nonnull (strstr (figures[i].out, "\nPendulum.theta,max,"));
      g_assert_cmpstr (figures[i].out, ==, figures[0].out);
      g_unlink (path);
    }
  g_rmdir (folder);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    outcome_clear (&figures[i]);
}

/* Compressed files that scipy 1.17 and h5py 3.16 have written. */
static void
test_others (void)
{
  g_autofree char *mat = g_test_build_filename (G_TEST_DIST, "data", "results", "scipy.mat", NULL);
  g_autofree char *hdf5 = g_test_build_filename (G_TEST_DIST, "data", "results", "h5py.h5", NULL);
  g_auto (Outcome) a = weir (ARGUMENTS ("measure", mat, "--csv"));
  g_auto (Outcome) b = weir (ARGUMENTS ("measure", hdf5, "--csv"));

  g_test_message ("%s%s%s%s", a.out, a.err, b.out, b.err);
  g_assert_cmpint (a.status, ==, 0);
  for (const char *const *row = ARGUMENTS ("\ny,min,1\n", "\ny,max,8\n", "\nx[0],max,8\n",
                                           "\nx[1],min,-8\n", "\nn,max,9\n");
       *row != NULL; row++)
    g_assert_nonnull (strstr (a.out, *row));
  g_assert_cmpint (b.status, ==, 0);
  for (const char *const *row = ARGUMENTS ("\nmotor/y,mean,3.5\n", "\nmotor/y,max,8\n",
                                           "\nx[0],max,8\n", "\nx[1],min,-8\n");
       *row != NULL; row++)
    g_assert_nonnull (strstr (b.out, *row));
}

/* The step of 4/(s^2 + 2s + 4), whose peak is 1.1630335348 (1 + exp (-pi / sqrt 3)) at pi / sqrt 3,
 * against bounds of the command line; those of a column of a table. */
static void
test_bounds (void)
{
  const char *kept[] = { "--bound",    "upper 0 10 1.17 1.17 P.y",
                         "--bound",    "lower 4.1 10 0.98 0.98 P.y",
                         "--until",    "10",
                         "--max-step", "0.001",
                         "--csv",      NULL };
  const char *broken[] = {
    "--bound", "upper 0 10 1.1 1.1 P.y", "--until", "10", "--max-step", "0.001", "--csv", NULL
  };
  const char *unseen[] = { "--bound", "upper 0 12 2 2 P.y", "--until", "10", "--json", NULL };
  const char *absent[] = { "--bound", "upper 0 10 2 2 Q.y", NULL };
  const char *no_bound[] = { "--bound", "upper 10 0 2 2 P.y", NULL };
  const char *none[] = { "--bounds", NULL };
  const char *diagram = STEP_INTO ("4", "[1, 2, 4]");
  g_auto (Outcome) a = model_run ("measure", diagram, kept);
  g_auto (Outcome) b = model_run ("measure", diagram, broken);
  g_auto (Outcome) c = model_run ("measure", diagram, unseen);
  g_auto (Outcome) d = model_run ("measure", diagram, absent);
  g_auto (Outcome) e = model_run ("measure", diagram, no_bound);
  g_auto (Outcome) f = model_run ("measure", diagram, none);
  g_auto (Outcome) table = measure_text ("t,x\n0,0\n1,2\n", "--bound", "upper 0 1 1 1 x");
  g_auto (Outcome) other = measure_text ("t,x\n0,0\n1,2\n", "--bound", "upper 0 1 1 1 y");
  const char *row;
  double numbers[3];

  g_assert_cmpint (a.status, ==, 0);
  g_assert_nonnull (strstr (a.out, "\nP.y,upper,kept,0,10,1.17,1.17,,-0.0069"));
  g_assert_nonnull (strstr (a.out, "\nP.y,lower,kept,4.1,10,0.98,0.98,,"));
  g_assert_cmpint (b.status, ==, 1);
  row = strstr (b.out, "\nP.y,upper,broken,0,10,1.1,1.1,");
  g_assert_nonnull (row);
  row += strlen ("\nP.y,upper,broken,0,10,1.1,1.1,");
  for (guint i = 0; i < 3; i++)
    numbers[i] = g_ascii_strtod (row, (char **) &row), row++;
  g_assert_cmpfloat (numbers[0], <, G_PI / sqrt (3));
  g_assert_cmpfloat_with_epsilon (numbers[1], 0.0630335348, 1e-6);
  g_assert_cmpfloat_with_epsilon (numbers[2], G_PI / sqrt (3), 1e-3);
  g_assert_nonnull (strstr (b.err, "P.y: above its bound from "));
  g_assert_cmpint (c.status, ==, 1);
  g_assert_nonnull (strstr (c.out, "\"side\": \"upper\", \"verdict\": \"unseen\""));
  g_assert_cmpint (d.status, ==, 1);
  g_assert_nonnull (strstr (d.err, "Q"));
  g_assert_cmpint (e.status, ==, 2);
  g_assert_nonnull (strstr (e.err, "upper 10 0 2 2 P.y"));
  g_assert_cmpint (f.status, !=, 0);
  g_assert_nonnull (strstr (f.err, "no bounds are saved with the model"));
  g_assert_cmpint (table.status, ==, 1);
  g_assert_nonnull (strstr (table.out, "\nx,upper,broken,0,1,1,1,0.5,1,1\n"));
  g_assert_cmpint (other.status, ==, 1);
  g_assert_nonnull (strstr (other.err, "there is no signal y, which has a bound"));
}

/* Those that a plot keeps, of a Scope that shows a vector. */
static void
test_saved_bounds (void)
{
  static const char text[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n"
      "  <settings>\n    <setting name=\"stop-time\" value=\"1\"/>\n  </settings>\n"
      "  <plots>\n    <plot name=\"3\" value=\"apart&#10;lower 0 1 0 0 C.y[0]&#10;upper -inf inf "
      "1.5 1.5 C.y[1]\"/>\n  </plots>\n"
      "  <diagram>\n"
      "    <block id=\"1\" type=\"Constant\" name=\"C\" x=\"0\" y=\"0\">\n"
      "      <parameter name=\"value\" value=\"[1, 2]\"/>\n    </block>\n"
      "    <block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"280\" y=\"0\"/>\n"
      "    <wire id=\"5\" from=\"1.y\" to=\"3.in1\"/>\n"
      "  </diagram>\n</weir>\n";
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("weir-XXXXXX.weir", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  {
    g_auto (Outcome) csv = weir (ARGUMENTS ("measure", path, "--bounds", "--csv"));
    g_auto (Outcome) people = weir (ARGUMENTS ("measure", path, "--bounds"));

    g_test_message ("%s%s%s", csv.out, csv.err, people.out);
    g_assert_cmpint (csv.status, ==, 1);
    g_assert_nonnull (strstr (csv.out, "\nC.y[0],lower,kept,0,1,0,0,,-1,0\n"));
    g_assert_nonnull (strstr (csv.out, "\nC.y[1],upper,broken,-inf,inf,1.5,1.5,0,0.5,0\n"));
    g_assert_nonnull (strstr (people.out, "broken"));
  }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/measure/relay", test_relay);
  g_test_add_func ("/cli/measure/steps", test_steps);
  g_test_add_func ("/cli/measure/tables", test_tables);
  g_test_add_func ("/cli/measure/refused", test_refused);
  g_test_add_func ("/cli/measure/forms", test_forms);
  g_test_add_func ("/cli/measure/waves", test_waves);
  g_test_add_func ("/cli/measure/formats", test_formats);
  g_test_add_func ("/cli/measure/others", test_others);
  g_test_add_func ("/cli/measure/bounds", test_bounds);
  g_test_add_func ("/cli/measure/saved-bounds", test_saved_bounds);
  return g_test_run ();
}
