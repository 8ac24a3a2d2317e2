/* The real program on arguments and files that are wrong, and on runs that fail: one sentence each,
 * and an exit code. */
#include "program.h"

#include <glib/gstdio.h>

static void
test_usage (void)
{
  g_autofree char *file = example ("pendulum.weir");
  const struct {
    const char *arguments[8];
    const char *sentence;
  } cases[] = {
    { { "run" }, "run: a file is missing; usage: weir run FILE" },
    { { "run", file, file }, "is one argument too many" },
    { { "run", "--fast", file }, "run: Unknown option --fast" },
    { { "run", "--checkpoint-at", "1", file }, "--checkpoint names the file" },
    { { "run", "--checkpoint=x", "--checkpoint-at", "soon", file }, "--checkpoint-at: \"soon\"" },
    { { "verify" }, "verify: a file is missing" },
    { { "audit" }, "audit: a file is missing" },
    { { "audit", file, "--until", "soon" }, "--until: \"soon\" is not a number of at least 0" },
    { { "simulate" }, "there is no command and no file \"simulate\"; see weir --help" },
    { { "run", file, "--until", "soon" }, "--until: \"soon\" is not a number of at least 0" },
    { { "run", file, "--until", "-1" }, "--until: \"-1\" is not a number of at least 0" },
    { { "run", file, "--rtol", "0" }, "--rtol: \"0\" is not a number greater than 0" },
    { { "run", file, "--solver", "magic" }, "--solver: \"magic\" is not one of auto, " },
    { { "run", file, "--set", "Pendulum.mass" }, "a block, a parameter and a value are needed" },
    { { "run", file, "--set", "Pendulun.mass=1" }, "the model has no block \"Pendulun\"" },
    { { "run", file, "--set", "Pendulum.weight=1" },
      "Pendulum has no parameter \"weight\"; it has "
      "mass, length, " },
    { { "run", file, "--set", "Pendulum.mass=0" },
      "Parameter mass is \"0\", but must be a number greater than 0 kg." },
    { { "run", file, "--log", "Pendulum.alpha" }, "\"alpha\"" },
    { { "run", file, "--log", "Bob*" }, "--log Bob*: no output port matches" },
    { { "run", file, "--out", "a.xls" },
      "--out a.xls: results are written as .csv, .mat, .h5 or .hdf5" },
    { { "study", "s.weirstudy", "--out", "a.mat" },
      "--out a.mat: results of a study are written as .csv, .h5 or .hdf5" },
    { { "study", "s.weirstudy", "--out", "a.xyz" }, "--out a.xyz: results of a study are written" },
    { { "study", "s.weirstudy", "--residuals", "a.h5" },
      "--residuals a.h5: residuals are written as .csv" },
    { { "export", file, "--fmu", "2", "--out", "a.mat" }, "--out a.mat: FMUs are written as .fmu" },
    { { "export", file, "--ssp", "1", "--out", "a.fmu" },
      "--out a.fmu: packages are written as .ssp" },
    { { "render", file, "--out", "a.xyz" }, "a.xyz: a picture is written as .png, .svg or .pdf" },
    { { "linearize", file, "--poles", "--out", "a.xyz" },
      "--out a.xyz: the name is to end in .csv, .json, .mat, .svg, .pdf or .png" },
    { { "run", file, "--plot", "a.gif" }, "--plot a.gif: plots are written as .png, .svg or .pdf" },
    { { "run", file, "--stats=xml" }, "--stats=xml: the report is a table or json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = weir (cases[i].arguments);

      g_assert_cmpint (outcome.status, ==, 2);
      g_assert_cmpstr (outcome.out, ==, "");
      g_assert_true (g_str_has_prefix (outcome.err, "weir: "));
      g_assert_true (strchr (outcome.err, '\n') == outcome.err + strlen (outcome.err) - 1);
      if (strstr (outcome.err, cases[i].sentence) == NULL)
        g_error ("expected \"%s\", found \"%s\"", cases[i].sentence, outcome.err);
    }
}

/* --- Files that are wrong -------------------------------------------------------------------- */

#define MODEL(...) "<weir version=\"1\">\n<diagram>\n" __VA_ARGS__ "</diagram>\n</weir>\n"
#define CONSTANT "<block id=\"1\" type=\"Constant\" name=\"one\" x=\"0\" y=\"0\"/>\n"
#define GAIN "<block id=\"2\" type=\"Gain\" name=\"gain\" x=\"0\" y=\"0\"/>\n"

static void
test_bad_files (void)
{
  static const struct {
    const char *text;
    const char *beginning, *part; /* of the one line, after the file */
  } cases[] = {
    { "not XML at all", ":1: error[XML01]: ", "XML" },
    { "<weir version=\"1\">\n<diagram>\n", ": error[XML01]: ", "XML" },
    { MODEL ("<block id=\"1\" type=\"Gain\" x=\"0\" y=\"0\"/>\n"), ":3: error[XML02]: ", "'name'" },
    { MODEL (CONSTANT "<blok/>\n"), ":4: error[XML02]: ", "blok" },
    { MODEL (CONSTANT "<block id=\"2\" type=\"Flux\" name=\"flux\" x=\"0\" y=\"0\"/>\n"),
      ":4: error[NET08]: flux: ", "Flux" },
    { MODEL (CONSTANT GAIN "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/>\n"
                           "<wire id=\"4\" from=\"1.y\" to=\"2.w\"/>\n"),
      ":6: error[NET07]: gain: ", "'w'" },
    { MODEL (CONSTANT GAIN "<wire id=\"3\" from=\"1.y\" to=\"2.u\"/>\n"
                           "<wire id=\"4\" from=\"1.y\" to=\"2.u\"/>\n"),
      ":6: error[NET01]: gain: ", "wired twice" },
    { MODEL (CONSTANT GAIN), ":4: error[NET02]: gain: ", "'u' is not connected" },
    { MODEL ("<block id=\"1\" type=\"Subsystem\" name=\"plant\" x=\"0\" y=\"0\"><diagram>\n" GAIN
             "</diagram></block>\n"),
      ":4: error[NET02]: plant.gain: ", "'u' is not connected" },
    { MODEL ("<block id=\"1\" type=\"Constant\" name=\"one\" x=\"0\" y=\"0\">\n"
             "<parameter name=\"value\" value=\"1,5\"/></block>\n"),
      ":3: error[PAR02]: one: ", "\"1,5\" is not a number; write a decimal point" },
    { "<weir version=\"1\"><settings><setting name=\"algebraic-loops\" "
      "value=\"refuse\"/></settings>\n"
      "<diagram>\n" GAIN "<wire id=\"3\" from=\"2.y\" to=\"2.u\"/>\n</diagram></weir>\n",
      ":3: error[NET04]: gain: ", "gain.y (wire 3) -> gain.y" },
  };
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "bad.weir", NULL);
  static const char *const commands[] = { "check", "run", "verify", "audit", "info" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (commands); k++)
      {
        g_auto (Outcome) outcome = { 0 };

        g_assert_true (g_file_set_contents (file, cases[i].text, -1, NULL));
        outcome = weir (ARGUMENTS (commands[k], file));
        g_assert_cmpint (outcome.status, ==, 1);
        g_assert_cmpstr (outcome.err, ==, "");
        g_assert_true (g_str_has_prefix (outcome.out, file));
        g_assert_true (strchr (outcome.out, '\n') == outcome.out + strlen (outcome.out) - 1);
        if (strstr (outcome.out + strlen (file), cases[i].beginning) == NULL
            || strstr (outcome.out, cases[i].part) == NULL)
          g_error ("expected \"%s\" and \"%s\", found \"%s\"", cases[i].beginning, cases[i].part,
                   outcome.out);
      }
  g_remove (file);
  g_rmdir (folder);
}

/* Algebraic loops are solved, cached and uncached alike, or refused where that is asked for. One
 * without a solution ends the run with the loop and the time. */
static void
test_loops (void)
{
#define LOOP(gain)                                                                                 \
  MODEL (                                                                                          \
      "<block id=\"1\" type=\"Integrator\" name=\"x\" x=\"0\" y=\"0\">"                            \
      "<parameter name=\"initial\" value=\"1\"/></block>\n"                                        \
      "<block id=\"2\" type=\"Gain\" name=\"g\" x=\"0\" y=\"0\">"                                  \
      "<parameter name=\"gain\" value=\"" gain "\"/></block>\n"                                    \
      "<block id=\"3\" type=\"Sum\" name=\"s\" x=\"0\" y=\"0\"/>\n"                                \
      "<wire id=\"4\" from=\"1.y\" to=\"3.in1\"/>\n<wire id=\"5\" from=\"2.y\" to=\"3.in2\"/>\n"   \
      "<wire id=\"6\" from=\"3.y\" to=\"2.u\"/>\n<wire id=\"7\" from=\"2.y\" to=\"1.u\"/>\n")
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "loop.weir", NULL);
  g_auto (Outcome) run = { 0 };
  g_auto (Outcome) verify = { 0 };
  g_auto (Outcome) refused = { 0 };
  g_auto (Outcome) wrong = { 0 };
  g_auto (Outcome) flat = { 0 };

  /* s = x - s, x' = -s: x = exp (-t / 2) */
  g_assert_true (g_file_set_contents (file, LOOP ("-1"), -1, NULL));
  run = weir (ARGUMENTS ("run", "--until", "2", "--log", "x.y", "--rtol", "1e-10", "--atol",
                         "1e-12", file));
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "hint[NET04]: "));
  g_assert_nonnull (strstr (run.out, "0.36787944"));
  verify = weir (ARGUMENTS ("verify", "--until", "2", file));
  g_assert_cmpint (verify.status, ==, 0);
  refused = weir (ARGUMENTS ("run", "--algebraic-loops", "refuse", file));
  g_assert_cmpint (refused.status, ==, 1);
  g_assert_nonnull (strstr (refused.out, "error[NET04]: "));
  wrong = weir (ARGUMENTS ("run", "--algebraic-loops", "maybe", file));
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "\"maybe\" is not solve or refuse"));

  g_assert_true (g_file_set_contents (file, LOOP ("1"), -1, NULL)); /* s = x + s */
  flat = weir (ARGUMENTS ("run", "--until", "2", "--log", "x.y", file));
  g_assert_cmpint (flat.status, ==, 3);
  g_assert_nonnull (strstr (flat.err, "does not determine its signals"));
  g_assert_nonnull (strstr (flat.err, "at t = 0"));
  g_remove (file);
  g_rmdir (folder);
#undef LOOP
}

static void
test_missing_file (void)
{
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", "no-such-file.weir"));

  g_assert_cmpint (outcome.status, ==, 1);
  g_assert_true (g_str_has_prefix (outcome.out, "no-such-file.weir: error[FIL01]: "));
}

/* The untaken branch may be undefined; a run in which the control is not a number fails and says
 * where. 0 / 0 is not a number. */
static void
test_failing_run (void)
{
  static const char text[] = MODEL (
      "<block id=\"1\" type=\"Constant\" name=\"zero\" x=\"0\" y=\"0\">\n"
      "<parameter name=\"value\" value=\"0\"/></block>\n"
      "<block id=\"2\" type=\"Product\" name=\"ratio\" x=\"0\" y=\"0\">\n"
      "<parameter name=\"operations\" value=\"*/\"/></block>\n"
      "<block id=\"3\" type=\"Switch\" name=\"choice\" x=\"0\" y=\"0\"/>\n"
      "<block id=\"4\" type=\"Scope\" name=\"scope\" x=\"0\" y=\"0\"/>\n"
      "<wire id=\"5\" from=\"1.y\" to=\"2.in1\"/>\n"
      "<wire id=\"6\" from=\"1.y\" to=\"2.in2\"/>\n"
      "<wire id=\"7\" from=\"1.y\" to=\"3.in1\"/>\n"
      "<wire id=\"8\" from=\"2.y\" to=\"3.control\"/>\n"
      "<wire id=\"9\" from=\"1.y\" to=\"3.in2\"/>\n"
      "<wire id=\"10\" from=\"3.y\" to=\"4.in1\"/>\n");
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "nan.weir", NULL);
  g_auto (Outcome) outcome = { 0 };

  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  outcome = weir (ARGUMENTS ("run", file));
  g_assert_cmpint (outcome.status, ==, 3);
  g_assert_nonnull (strstr (outcome.err, "choice"));
  g_assert_nonnull (strstr (outcome.err, "not a number"));
  {
    /* The switch watches its control for a crossing, so that the audited run fails as well. */
    g_auto (Outcome) audit = weir (ARGUMENTS ("audit", file));

    g_assert_cmpint (audit.status, ==, 3);
    g_assert_nonnull (strstr (audit.err, "choice"));
  }
  g_remove (file);
  g_rmdir (folder);
}

/* Whatever is wrong with --set is told alike: one line of the command line's, exit code 2. */
static void
test_set (void)
{
  static const char *const cases[] = {
    "Pendulum.length",        "Pendulum.length=-1", "Pendulum.length=1 + ", "Pendulum.length=foo",
    "Pendulum.length=[1, 2]", "Pendulum.size=1",    "Motor.length=1",       "length=1",
  };
  static const char *const commands[] = { "run", "verify", "audit", "linearize" };
  g_autofree char *file = example ("pendulum.weir");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (commands); k++)
      {
        g_auto (Outcome) outcome = weir (ARGUMENTS (commands[k], file, "--set", cases[i]));
        g_autofree char *beginning = g_strdup_printf ("weir: --set %s: ", cases[i]);

        g_test_message ("%s --set %s", commands[k], cases[i]);
        g_assert_cmpint (outcome.status, ==, 2);
        g_assert_cmpstr (outcome.out, ==, "");
        g_assert_true (g_str_has_prefix (outcome.err, beginning));
        g_assert_true (strchr (outcome.err, '\n') == outcome.err + strlen (outcome.err) - 1);
      }
}

/* Of a run whose signal is a<U+202E>b.y: as it is for programs, to the byte; shown on a terminal.
 */
static void
check_header (const char *file)
{
  g_autofree char *script = g_find_program_in_path ("script"), *command = NULL, *out = NULL;
  g_auto (Outcome) piped = weir (ARGUMENTS ("run", file, "--until", "1"));

  g_assert_cmpint (piped.status, ==, 0);
  g_assert_true (g_str_has_prefix (piped.out, "time,a\u202eb.y\n"));
  if (script == NULL)
    return;
  command = g_strdup_printf ("'%s' run '%s' --until 1", g_getenv ("WEIR_PROGRAM"), file);
  g_assert_true (g_spawn_sync (
      NULL, (char *[]) { script, (char *) "-qec", command, (char *) "/dev/null", NULL }, NULL,
      G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, NULL));
  g_test_message ("%.60s", out);
  g_assert_true (g_str_has_prefix (out, "time,a\\u202eb.y"));
}

/* Names that end the line, steer the terminal (ECMA-48, in seven bits and in eight) or turn the
 * direction of writing are shown, not obeyed. */
static void
test_steering_names (void)
{
  static const struct {
    const char *name, *shown;
  } cases[] = {
    { "x&#10;/home/me/good.weir:7: error[NET01]: plant: forged",
      "x\\n/home/me/good.weir:7: error[NET01]: plant: forged" },
    { "&#155;31mred&#155;0m", "\\u009b31mred\\u009b0m" },
    { "a&#x202e;txt", "a\\u202etxt" },
    { "a&#13;b", "a\\rb" },
  };
  static const char *const commands[] = { "check", "run", "verify", "audit", "info" };
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "names.weir", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          MODEL ("<block id=\"1\" type=\"Gain\" name=\"%s\" x=\"0\" y=\"0\"/>\n"), cases[i].name);

      g_assert_true (g_file_set_contents (file, text, -1, NULL));
      for (guint k = 0; k < G_N_ELEMENTS (commands); k++)
        {
          g_auto (Outcome) outcome = weir (ARGUMENTS (commands[k], file));
          g_auto (GStrv) lines = g_strsplit (outcome.out, "\n", -1);

          g_assert_cmpint (outcome.status, ==, 1);
          g_assert_nonnull (strstr (outcome.out, cases[i].shown));
          for (guint n = 0; *lines[n] != '\0'; n++)
            g_assert_true (g_str_has_prefix (lines[n], file));
          for (const char *p = outcome.out; *p != '\0'; p = g_utf8_next_char (p))
            g_assert_true (*p == '\n' || !g_unichar_iscntrl (g_utf8_get_char (p)));
          g_assert_null (strstr (outcome.out, "\xe2\x80\xae"));
        }
    }
  g_remove (file);
  /* In a model that runs, and in arguments. */
  {
    const char *model = MODEL (
        "<block id=\"1\" type=\"Clock\" name=\"a&#x202e;b\" x=\"0\" y=\"0\"/>\n"
        "<block id=\"2\" type=\"Scope\" name=\"Scope\" x=\"0\" y=\"0\"/>\n"
        "<wire id=\"3\" from=\"1.y\" to=\"2.in1\"/>\n");
    g_auto (Outcome) stats = { 0 }, json = { 0 }, missing = { 0 };

    g_assert_true (g_file_set_contents (file, model, -1, NULL));
    check_header (file);
    stats = weir (ARGUMENTS ("info", file, "--parameters", "--layout"));
    json = weir (ARGUMENTS ("run", file, "--stats=json"));
    missing = weir (ARGUMENTS ("check", "no\nsuch\x1b[2J\xff.weir"));
    g_assert_cmpint (stats.status, ==, 0);
    g_assert_null (strstr (stats.out, "\xe2\x80\xae"));
    g_assert_cmpint (json.status, ==, 0);
    g_assert_null (strstr (json.out, "\xe2\x80\xae"));
    g_assert_cmpint (missing.status, ==, 1);
    g_assert_nonnull (strstr (missing.out, "no\\nsuch\\u001b[2J"));
    g_assert_true (strchr (missing.out, '\n') == missing.out + strlen (missing.out) - 1);
    g_remove (file);
  }
  g_rmdir (folder);
}

/* "-" is a model on standard input, wherever a file is read. */
static void
test_standard_input (void)
{
  static const char *const commands[] = { "run", "check", "verify", "audit", "info" };
  g_autofree char *file = example ("counter.weir");
  g_autofree char *redirection = g_strdup_printf ("<'%s'", file);
  g_auto (Outcome) nothing = weir_with (NULL, "</dev/null", ARGUMENTS ("check", "-"));
  g_auto (Outcome) closed = weir_with (NULL, "<&-", ARGUMENTS ("check", "-"));

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) named = weir (ARGUMENTS (commands[i], file));
      g_auto (Outcome) piped = weir_with (NULL, redirection, ARGUMENTS (commands[i], "-"));
      g_autoptr (GString) expected = g_string_new (named.out);

      g_string_replace (expected, file, "-", 0);
      g_assert_cmpint (piped.status, ==, 0);
      g_assert_cmpstr (piped.out, ==, expected->str);
    }
  g_assert_cmpint (nothing.status, ==, 1);
  g_assert_true (g_str_has_prefix (nothing.out, "-: error[XML01]: "));
  g_assert_cmpint (closed.status, ==, 1);
  g_assert_true (g_str_has_prefix (closed.out, "-: error[FIL01]: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/run/failing", test_failing_run);
  g_test_add_func ("/cli/usage", test_usage);
  g_test_add_func ("/cli/bad-files", test_bad_files);
  g_test_add_func ("/cli/loops", test_loops);
  g_test_add_func ("/cli/missing-file", test_missing_file);
  g_test_add_func ("/cli/set", test_set);
  g_test_add_func ("/cli/steering-names", test_steering_names);
  g_test_add_func ("/cli/standard-input", test_standard_input);
  return g_test_run ();
}
