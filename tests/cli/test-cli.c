/* The real program on the examples and on files that are wrong. */
#include "program.h"

#include <glib/gstdio.h>
#include <signal.h>

/* Seed 002's table, to the letter. */
static void
test_explain (void)
{
  g_autofree char *file = example ("sampled.weir");
  g_auto (Outcome) change = weir (ARGUMENTS ("explain", file, "Gain.gain", "--until", "1"));
  g_auto (Outcome) depends = weir (ARGUMENTS ("explain", file, "Gain.y"));
  g_auto (Outcome) unknown = weir (ARGUMENTS ("explain", file, "Gain.k"));

  g_assert_cmpint (change.status, ==, 0);
  g_assert_cmpstr (change.out, ==,
                   "A change of Gain.gain invalidates 1 value, at most 1 steps away:\n"
                   "Gain:parameter gain\n"
                   "  Gain:cache y  (out of date)\n");
  g_assert_cmpint (depends.status, ==, 0);
  g_assert_true (g_str_has_prefix (depends.out, "Gain.y depends on 3 cached values, at most "));
  g_assert_nonnull (strstr (depends.out, "Reference:t\n"));
  g_assert_cmpint (unknown.status, ==, 2);
  g_assert_nonnull (strstr (unknown.err, "There is no \"k\" (from \"Gain.k\") in Gain; inputs u; outputs "
                                         "y; parameters gain."));
}

/* Row 32 of research/drake.md: every example, with and without cache, bit for bit. */
static void
test_row_32_caching_on_and_off (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      {
        g_autofree char *file = g_build_filename (folder, name, NULL);
        g_auto (Outcome) outcome = weir (ARGUMENTS ("verify", file));

        g_assert_cmpint (outcome.status, ==, 0);
        g_assert_nonnull (strstr (outcome.out, ": identical, "));
        g_assert_nonnull (strstr (outcome.out, " 0 hits uncached"));
      }
}

static void
test_counter (void)
{
  g_autofree char *file = example ("counter.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file));

  g_assert_cmpstr (outcome.err, ==, "");
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpstr (outcome.out, ==, "time,Counter.y\n0,0\n0.02,10\n0.04,20\n0.06,30\n");
}

/* Scopes at any depth are recorded, each signal once and by the name of its origin; patterns match
 * outputs. */
static void
test_log (void)
{
  g_autofree char *nested = example ("nested.weir");
  g_autofree char *pendulum = example ("pendulum.weir");
  const struct {
    const char *arguments[9];
    const char *header;
  } cases[] = {
    { { "run", nested, "--until", "0" }, "time,Reference.y,Servo.position\n" },
    { { "run", pendulum, "--until", "0" },
      "time,Pendulum.theta,Pendulum.omega,Pendulum.potential,Pendulum.kinetic,Total.y\n" },
    { { "run", pendulum, "--until", "0", "--log", "*.?heta", "--log", "Pendulum.t*" },
      "time,Pendulum.theta\n" },
    { { "run", pendulum, "--until", "0", "--log", "Total.in2", "--log", "P*l" },
      "time,Total.in2,Pendulum.potential\n" },
    { { "run", nested, "--until", "0", "--log", "Servo.Plant.*ion" },
      "time,Servo.Plant.position\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = weir (cases[i].arguments);

      g_assert_cmpint (outcome.status, ==, 0);
      if (!g_str_has_prefix (outcome.out, cases[i].header))
        g_error ("expected %sfound %s", cases[i].header, outcome.out);
    }
}

/* What x-minus and x-plus are at each update. */
static void
test_both (void)
{
  g_autofree char *file = example ("counter.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--both", "--until", "0.03"));
  g_auto (Csv) csv = csv_parse (outcome.out);
  static const double expected[][2]
      = { { 0, 0 }, { 0, 10 }, { 0.02, 10 }, { 0.02, 20 }, { 0.03, 20 } };

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_true (g_strv_contains ((const char *const *) csv.header, "phase"));
  g_assert_cmpuint (csv.rows->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < csv.rows->len; i++)
    {
      guint value = g_str_equal (csv.header[1], "phase") ? 2 : 1;

      g_assert_cmpfloat (csv_value (&csv, i, 0), ==, expected[i][0]);
      g_assert_cmpfloat (csv_value (&csv, i, value), ==, expected[i][1]);
    }
}

/* From 90 degrees at rest, computed with 113-bit arithmetic (research/editor.md 8.5). */
static void
test_pendulum (void)
{
  static const struct {
    const char *until;
    double theta, omega;
  } cases[] = {
    { "1", -1.4050273115247991, -1.7993090169070786 },
    { "10", 0.27868067356998295, -4.3431606928646831 },
  };
  g_autofree char *file = example ("pendulum.weir");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--until", cases[i].until, "--rtol",
                                                  "1e-9", "--atol", "1e-12", "--log",
                                                  "Pendulum.theta", "--log", "Pendulum.omega"));
      g_auto (Csv) csv = csv_parse (outcome.out);
      guint last = csv.rows->len - 1;

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (csv.header[1], ==, "Pendulum.theta");
      g_assert_cmpfloat (csv_value (&csv, last, 0), ==, g_ascii_strtod (cases[i].until, NULL));
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, last, 1), cases[i].theta,
                                      1e-6 * fabs (cases[i].theta));
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, last, 2), cases[i].omega,
                                      1e-6 * fabs (cases[i].omega));
    }
}

/* Without damping and torque the sum of the energies stays m g l = 9.81 J. */
static void
test_pendulum_energy (void)
{
  g_autofree char *file = example ("pendulum.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--log", "Total.y"));
  g_auto (Csv) csv = csv_parse (outcome.out);

  g_assert_cmpuint (csv.rows->len, >, 100);
  for (guint i = 0; i < csv.rows->len; i++)
    g_assert_cmpfloat_with_epsilon (csv_value (&csv, i, 1), 9.81, 1e-6);
}

/* y_{k+1} = a y_k + (1 - a) K (1 - y_k), a = exp (-T), K = 1, T = 0.5 (research/editor.md 8.9). */
static void
test_sampled (void)
{
  g_autofree char *file = example ("sampled.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--log", "Lag.y"));
  g_auto (Csv) csv = csv_parse (outcome.out);
  double a = exp (-0.5), y = 0.0;
  guint n_found = 0;

  for (guint i = 0; i < csv.rows->len; i++)
    if (csv_value (&csv, i, 0) == 0.5 * n_found)
      {
        g_assert_cmpfloat_with_epsilon (csv_value (&csv, i, 1), y, 1e-8);
        y = a * y + (1 - a) * (1 - y);
        n_found++;
      }
  g_assert_cmpuint (n_found, ==, 7);
}

/* V = d x - c log (x) + b y - a log (y) is constant along every solution of the equations of Lotka and
 * Volterra: at the start x = 4, y = 1, so that it is 4 d - c log (4) + b. */
static void
test_equations (void)
{
  g_autofree char *file = example ("equations.weir");
  static const struct {
    const char *set;
    double b, c, d;
  } cases[] = { { "Prey.a=1", 0.5, 0.75, 0.25 },
                { "Prey.c=1", 0.5, 1, 0.25 },
                { "Prey.b=0.25", 0.25, 0.75, 0.25 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome
          = weir (ARGUMENTS ("run", file, "--set", cases[i].set, "--log", "Prey.V"));
      g_auto (Csv) csv = csv_parse (outcome.out);
      double expected = 4 * cases[i].d - cases[i].c * log (4) + cases[i].b;

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpuint (csv.rows->len, >, 50);
      for (guint row = 0; row < csv.rows->len; row++)
        g_assert_cmpfloat_with_epsilon (csv_value (&csv, row, 1), expected, 1e-6);
    }
}

/* The loop in one vector: e = r - x, z' = I e, x' = v, v' = P e + z - k x - c v, from rest with
 * r = 1. Where it comes to rest, x = 1 and the spring holds the force k. */
static void
test_nested (void)
{
  g_autofree char *file = example ("nested.weir");
  const double P = 4, I = 4, k = 4, c = 1.2, h = 1e-3, until = 4.0;
  double s[3] = { 0 };
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--set", "Reference.time=0", "--until",
                                              "4", "--log", "Servo.position"));
  g_auto (Csv) csv = csv_parse (outcome.out);
  g_auto (Outcome) rest = weir (ARGUMENTS ("run", file, "--until", "100", "--log",
                                           "Servo.Plant.Suspension.force", "--log",
                                           "Servo.position"));
  g_auto (Csv) rests = csv_parse (rest.out);

  /* The classic Runge-Kutta method with a small step: an error of order h^4. */
  for (guint i = 0; i < (guint) lround (until / h); i++)
    {
      static const double at[] = { 0, 0.5, 0.5, 1 }, weight[] = { 1, 2, 2, 1 };
      double slope[3] = { 0 }, sum[3] = { 0 };

      for (guint stage = 0; stage < 4; stage++)
        {
          double z = s[0] + h * at[stage] * slope[0];
          double x = s[1] + h * at[stage] * slope[1];
          double v = s[2] + h * at[stage] * slope[2];

          slope[0] = I * (1 - x);
          slope[1] = v;
          slope[2] = P * (1 - x) + z - k * x - c * v;
          for (guint j = 0; j < 3; j++)
            sum[j] += weight[stage] * slope[j];
        }
      for (guint j = 0; j < 3; j++)
        s[j] += h / 6 * sum[j];
    }
  g_assert_cmpfloat_with_epsilon (csv_value (&csv, csv.rows->len - 1, 1), s[1], 1e-7);
  g_assert_cmpfloat_with_epsilon (csv_value (&rests, rests.rows->len - 1, 1), k, 1e-6);
  g_assert_cmpfloat_with_epsilon (csv_value (&rests, rests.rows->len - 1, 2), 1, 1e-6);
}

/* Caching changes no byte of the results. */
static void
test_no_cache (void)
{
  static const char *const names[] = { "pendulum.weir", "nested.weir", "sampled.weir" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = example (names[i]);
      g_auto (Outcome) cached = weir (ARGUMENTS ("run", file));
      g_auto (Outcome) uncached = weir (ARGUMENTS ("run", file, "--no-cache"));

      g_assert_cmpint (uncached.status, ==, 0);
      g_assert_cmpuint (strlen (cached.out), >, 100);
      g_assert_cmpstr (cached.out, ==, uncached.out);
    }
}

/* A change log is written beside the results and changes none of them. */
static void
test_record (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *log = g_build_filename (folder, "p.weirlog", NULL), *text = NULL;
  g_autofree char *file = example ("pendulum.weir");
  g_auto (Outcome) plain = weir (ARGUMENTS ("run", file));
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--record", log));
  g_auto (Outcome) all = weir (ARGUMENTS ("run", file, "--record", log, "--record-all"));
  g_auto (Outcome) nowhere = weir (ARGUMENTS ("run", file, "--record", "/nowhere/p.weirlog"));
  g_auto (Outcome) wrong = weir (ARGUMENTS ("run", file, "--record-all"));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_cmpstr (outcome.out, ==, plain.out);
  g_assert_cmpint (all.status, ==, 0);
  g_assert_cmpstr (all.out, ==, plain.out);
  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "weir-change-log\t1\nbyte-order\tlittle\nengine\tWeir\n"
                                         "model\tpendulum.weir\nevaluations\tstored\n"));
  g_assert_cmpint (nowhere.status, ==, 3);
  g_assert_nonnull (strstr (nowhere.err, "weir: --record /nowhere/p.weirlog: "));
  g_assert_cmpint (wrong.status, ==, 2);
  g_unlink (log);
  g_rmdir (folder);
}

static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", &error);
  g_autofree char *csv = g_build_filename (folder, "a.csv", NULL);
  g_autofree char *file = example ("counter.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--out", csv, "--stats"));
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "time,Counter.y\n0,0\n0.02,10\n0.04,20\n0.06,30\n");
  g_assert_nonnull (strstr (outcome.out, "Counter:y"));
  g_remove (csv);
  g_rmdir (folder);
}

static void
test_plot (void)
{
  static const struct {
    const char *name, *magic;
  } cases[] = { { "a.png", "\x89PNG" }, { "a.svg", "<?xml" }, { "a.pdf", "%PDF" } };
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *file = example ("pendulum.weir");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *plot = g_build_filename (folder, cases[i].name, NULL);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--plot", plot));
      g_autofree char *bytes = NULL;
      gsize length;

      g_assert_cmpstr (outcome.err, ==, "");
      g_assert_cmpstr (outcome.out, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_true (g_file_get_contents (plot, &bytes, &length, NULL));
      g_assert_cmpuint (length, >, 2000);
      g_assert_cmpmem (bytes, strlen (cases[i].magic), cases[i].magic, strlen (cases[i].magic));
      g_remove (plot);
    }
  g_rmdir (folder);
}

/* The value of a number in JSON that this program wrote, found by the first "name". */
static guint64
json_count (const char *json, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\"%s\": ", name);
  const char *at = strstr (json, key);

  g_assert_nonnull (at);
  return g_ascii_strtoull (at + strlen (key), NULL, 10);
}

static void
test_stats (void)
{
  g_autofree char *file = example ("pendulum.weir");
  g_auto (Outcome) cached = weir (ARGUMENTS ("run", file, "--stats=json"));
  g_auto (Outcome) uncached = weir (ARGUMENTS ("run", file, "--stats=json", "--no-cache"));

  g_assert_cmpint (cached.status, ==, 0);
  g_assert_true (g_str_has_prefix (cached.out, "{"));
  g_assert_true (g_str_has_suffix (cached.out, "}\n"));
  g_assert_cmpuint (json_count (cached.out, "hits"), >, 0);
  g_assert_cmpuint (json_count (cached.out, "disabled"), ==, 0);
  g_assert_cmpuint (json_count (uncached.out, "hits"), ==, 0);
  g_assert_cmpuint (json_count (uncached.out, "disabled"), ==,
                    json_count (uncached.out, "misses"));
  g_assert_cmpuint (json_count (cached.out, "steps"), ==, json_count (uncached.out, "steps"));
  g_assert_nonnull (strstr (cached.out, "\"path\": \"Pendulum:potential energy\""));
  g_assert_nonnull (strstr (cached.out, "\"limiting_state\": \"Pendulum."));
  g_assert_nonnull (strstr (cached.out, "\"times\": {\"solver\": "));
}

/* An interrupted run writes what it has and says so. */
static void
test_interrupt (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename (folder, "a.csv", NULL);
  g_autofree char *file = example ("pendulum.weir");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, g_getenv ("WEIR_PROGRAM"), "run", file, "--until",
      "1e9", "--progress", "--out", csv, NULL);
  g_autoptr (GDataInputStream) err = NULL;
  g_autofree char *started = NULL, *sentence = NULL, *text = NULL;

  g_assert_no_error (error);
  err = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  started = g_data_input_stream_read_line (err, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (started, ==, "0 %");
  g_subprocess_send_signal (process, SIGINT);
  sentence = g_data_input_stream_read_line (err, NULL, NULL, &error);
  g_assert_true (g_str_has_prefix (sentence, "weir: "));
  g_assert_true (g_subprocess_wait (process, NULL, &error));
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 3);
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "time,Pendulum.theta,"));
  g_remove (csv);
  g_rmdir (folder);
}

/* --- Other commands --------------------------------------------------------------------------- */

static const char *const examples[]
    = { "counter.weir", "equations.weir", "nested.weir", "pendulum.weir", "sampled.weir" };

static void
test_verify (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("verify", file));
      g_autoptr (GRegex) regex
          = g_regex_new ("identical, [0-9 ]*[1-9][0-9 ]* values compared\n"
                         ".*: [1-9][0-9]* hits cached, 0 hits uncached, [1-9][0-9]* steps\n$",
                         0, 0, NULL);

      g_assert_cmpint (outcome.status, ==, 0);
      if (!g_regex_match (regex, outcome.out, 0, NULL))
        g_error ("%s", outcome.out);
    }
}

/* A sum that forgot to declare its second input is found by the search, and the block named as one that breaks
 * rules. */
static void
test_culprits (void)
{
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "data", "forgotten.weir", NULL);
  g_auto (Outcome) different = weir (ARGUMENTS ("verify", "--culprits", file));
  g_autofree char *honest = example ("counter.weir");
  g_auto (Outcome) same = weir (ARGUMENTS ("verify", "--culprits", honest));

  g_assert_cmpint (different.status, ==, 1);
  g_assert_nonnull (strstr (different.out, ": different at t = "));
  g_assert_nonnull (strstr (different.out, " entries is to blame: Total:y; without caching it the runs are "
                                           "identical ("));
  g_assert_nonnull (strstr (different.out, "break rules on purpose: Total\n"));
  g_assert_cmpint (same.status, ==, 0);
  g_assert_nonnull (strstr (same.out, ": identical, "));
  g_assert_null (strstr (same.out, "to blame"));
}

static void
test_audit (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("audit", file, "--until", "1"));
      g_autoptr (GRegex) regex
          = g_regex_new ("^[^\n]*: declarations hold; [1-9][0-9]* entries, [1-9][0-9]* sources, "
                         "[1-9] instants, [1-9][0-9]* values compared\n$",
                         0, 0, NULL);

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (outcome.err, ==, "");
      if (!g_regex_match (regex, outcome.out, 0, NULL))
        g_error ("%s", outcome.out);
    }
}

static void
test_check_examples (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      g_autofree char *file = example (examples[i]);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("check", file));

      g_assert_cmpstr (outcome.out, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
    }
}

static void
test_info (void)
{
  g_autofree char *file = example ("nested.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("info", "--layout", file));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "of which 4 subsystems"));
  g_assert_nonnull (strstr (outcome.out, "levels           4\n"));
  g_assert_nonnull (strstr (outcome.out, "states           3: 0 q, 0 v, 3 z\n"));
  g_assert_nonnull (strstr (outcome.out, "\n     2     1  0  0  1  Servo.Plant.Position\n"));
}

/* The compiled equations: roles and the order of computation, with lines. */
static void
test_info_full (void)
{
  g_autofree char *file = example ("equations.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("info", "--full", file));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "\nPrey\n"));
  g_assert_nonnull (strstr (outcome.out, "\nx         state       -     3     -\n"));
  g_assert_nonnull (strstr (outcome.out, "\na         parameter   -     2     -\n"));
  g_assert_nonnull (strstr (outcome.out, "\nD(x)      derivative  -     3     "));
  g_assert_nonnull (strstr (outcome.out, "\nD(x) ~ a*x - b*x*y  # line 3\n"));
}

static void
test_blocks (void)
{
  g_auto (Outcome) all = weir (ARGUMENTS ("blocks"));
  g_auto (Outcome) one = weir (ARGUMENTS ("blocks", "Counter"));
  g_auto (Outcome) none = weir (ARGUMENTS ("blocks", "Flux"));

  g_assert_cmpint (all.status, ==, 0);
  g_assert_nonnull (strstr (all.out, "\nZeroOrderHold "));
  g_assert_cmpint (one.status, ==, 0);
  g_assert_nonnull (strstr (one.out, "  period = 0.02 s, greater than 0\n"));
  g_assert_nonnull (strstr (one.out, "\nOutputs:\n  y (size 1)\n"));
  g_assert_cmpint (none.status, ==, 2);
  g_assert_cmpstr (none.err, ==,
                   "weir: there is no block type \"Flux\"; weir blocks lists all\n");
}

static void
test_help (void)
{
  static const char *const commands[] = { "run", "check", "verify", "audit", "info", "blocks" };
  g_auto (Outcome) all = weir (ARGUMENTS ("--help"));
  g_auto (Outcome) version = weir (ARGUMENTS ("--version"));

  g_assert_cmpint (all.status, ==, 0);
  g_assert_cmpint (version.status, ==, 0);
  g_assert_true (g_str_has_prefix (version.out, "weir 0."));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) outcome = weir (ARGUMENTS (commands[i], "--help"));
      g_autofree char *line = g_strdup_printf ("\n  %s ", commands[i]);
      g_autofree char *usage = g_strdup_printf ("weir %s [", commands[i]);

      g_assert_nonnull (strstr (all.out, line));
      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_nonnull (strstr (outcome.out, usage));
    }
}

static void
test_usage (void)
{
  g_autofree char *file = example ("pendulum.weir");
  const struct {
    const char *arguments[6];
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
    { { "run", file, "--solver", "magic" }, "--solver: there is no \"magic\"; there are auto, " },
    { { "run", file, "--set", "Pendulum.mass" }, "a block, a parameter and a value are needed" },
    { { "run", file, "--set", "Pendulun.mass=1" }, "the model has no block \"Pendulun\"" },
    { { "run", file, "--set", "Pendulum.weight=1" }, "Pendulum has no parameter \"weight\"; it has "
                                                     "mass, length, " },
    { { "run", file, "--set", "Pendulum.mass=0" },
      "Parameter mass is \"0\", but must be a number greater than 0 kg." },
    { { "run", file, "--log", "Pendulum.alpha" }, "\"alpha\"" },
    { { "run", file, "--log", "Bob*" }, "--log Bob*: no output port matches" },
    { { "run", file, "--out", "a.mat" }, "--out a.mat: results are written as .csv only" },
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

/* --- Files that are wrong --------------------------------------------------------------------- */

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
    { "<weir version=\"1\"><settings><setting name=\"algebraic-loops\" value=\"refuse\"/></settings>\n"
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

/* Algebraic loops are solved, cached and uncached alike, or refused where that is asked for. One without
 * a solution ends the run with the loop and the time. */
static void
test_loops (void)
{
#define LOOP(gain)                                                                                 \
  MODEL ("<block id=\"1\" type=\"Integrator\" name=\"x\" x=\"0\" y=\"0\">"                                \
         "<parameter name=\"initial\" value=\"1\"/></block>\n"                                      \
         "<block id=\"2\" type=\"Gain\" name=\"g\" x=\"0\" y=\"0\">"                                      \
         "<parameter name=\"gain\" value=\"" gain "\"/></block>\n"                                  \
         "<block id=\"3\" type=\"Sum\" name=\"s\" x=\"0\" y=\"0\"/>\n"                                   \
         "<wire id=\"4\" from=\"1.y\" to=\"3.in1\"/>\n<wire id=\"5\" from=\"2.y\" to=\"3.in2\"/>\n"      \
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
  run = weir (ARGUMENTS ("run", "--until", "2", "--log", "x.y", "--rtol", "1e-10", "--atol", "1e-12", file));
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
  g_assert_nonnull (strstr (wrong.err, "neither solve nor refuse"));

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
  static const char text[]
      = MODEL ("<block id=\"1\" type=\"Constant\" name=\"zero\" x=\"0\" y=\"0\">\n"
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

/* --- Locale ----------------------------------------------------------------------------------- */

/* A decimal comma in the user's locale changes no byte of the results. */
static void
test_locale (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *locale = g_build_filename (folder, "de_DE.UTF-8", NULL);
  g_autofree char *file = example ("sampled.weir");
  const char *const define[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", locale, NULL };
  const char *const german[] = { "LOCPATH", folder, "LC_ALL", "de_DE.UTF-8", NULL };
  int status = -1;

  if (!g_spawn_sync (NULL, (char **) define, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                         | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, NULL, &status, NULL)
      || !g_file_test (locale, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("The locale de_DE.UTF-8 cannot be made here.");
    }
  else
    {
      g_auto (Outcome) plain = weir (ARGUMENTS ("run", file, "--until", "1.5"));
      g_auto (Outcome) outcome = weir_in (german, ARGUMENTS ("run", file, "--until", "1.5"));
      g_auto (Outcome) stats = weir_in (german, ARGUMENTS ("run", file, "--stats=json"));

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpstr (outcome.out, ==, plain.out);
      g_assert_nonnull (strstr (stats.out, "\"absolute_tolerance\": 1e-12"));
      g_assert_null (g_regex_match_simple ("[0-9],[0-9]", stats.out, 0, 0) ? stats.out : NULL);
    }
  {
    const char *const remove[] = { "rm", "-r", folder, NULL };

    g_spawn_sync (NULL, (char **) remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                  NULL);
  }
}

/* Each format, a Subsystem, the same bytes twice; what cannot be is said with a name. */
static void
test_render (void)
{
  static const struct {
    const char *name, *start;
  } cases[] = { { "a.png", "\x89PNG" }, { "b.svg", "<?xml" }, { "c.PDF", "%PDF" } };
  g_autofree char *nested = example ("nested.weir"), *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  gsize size_of_root = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, cases[i].name, NULL);
      g_autofree char *first = NULL, *second = NULL;
      gsize n_first, n_second;

      for (guint k = 0; k < 2; k++)
        {
          g_auto (Outcome) drawn = weir (ARGUMENTS ("render", nested, "--out", path));

          g_assert_cmpstr (drawn.err, ==, "");
          g_assert_cmpint (drawn.status, ==, 0);
          g_assert_true (g_file_get_contents (path, k == 0 ? &first : &second,
                                              k == 0 ? &n_first : &n_second, NULL));
        }
      g_assert_true (g_str_has_prefix (first, cases[i].start));
      g_assert_cmpmem (first, n_first, second, n_second);
      size_of_root = n_first;
      if (i == 2)
        {
          g_auto (Outcome) inside = weir (ARGUMENTS ("render", nested, "--inside", "Servo.Plant", "-o", path));
          g_autofree char *other = NULL;
          gsize n;

          g_assert_cmpstr (inside.err, ==, "");
          g_assert_cmpint (inside.status, ==, 0);
          g_assert_true (g_file_get_contents (path, &other, &n, NULL));
          g_assert_true (n != size_of_root || memcmp (other, second, n) != 0);
        }
      g_unlink (path);
    }
  g_rmdir (folder);

  {
    g_auto (Outcome) gif = weir (ARGUMENTS ("render", nested, "--out", "a.gif"));
    g_auto (Outcome) none = weir (ARGUMENTS ("render", nested));
    g_auto (Outcome) nowhere = weir (ARGUMENTS ("render", nested, "--out", "/nowhere/at/all.svg"));
    g_auto (Outcome) nobody = weir (ARGUMENTS ("render", nested, "--out", "a.svg", "--inside", "Odd"));

    g_assert_cmpint (gif.status, ==, 2);
    g_assert_nonnull (strstr (gif.err, "a.gif"));
    g_assert_cmpint (none.status, ==, 2);
    g_assert_nonnull (strstr (none.err, "--out"));
    g_assert_cmpint (nowhere.status, ==, 1);
    g_assert_nonnull (strstr (nowhere.err, "/nowhere/at/all.svg"));
    g_assert_cmpint (nobody.status, ==, 1);
    g_assert_nonnull (strstr (nobody.err, "Odd"));
  }
}

/* The motor's closed form: (s + 2) (s + 10) + 0.02. */
static void
test_linearize (void)
{
  g_autofree char *file = example ("dc-motor.weir");
  g_auto (Outcome) csv = weir (ARGUMENTS ("linearize", file, "--input", "Motor.voltage", "--output",
                                          "Motor.speed", "--csv"));
  g_auto (Outcome) json = weir (ARGUMENTS ("linearize", file, "--input", "Motor.voltage", "--output",
                                           "Motor.speed", "--json"));
  g_auto (Outcome) table = weir (ARGUMENTS ("linearize", file, "--at", "1"));
  g_auto (Csv) numbers = csv_parse (csv.out);
  guint n_poles = 0;

  g_assert_cmpint (csv.status, ==, 0);
  g_assert_cmpstr (csv.err, ==, "");
  for (guint i = 0; i < numbers.rows->len; i++)
    {
      char **row = numbers.rows->pdata[i];
      double root = sqrt (6 * 6 - (2 * 10 + 0.02));

      if (strcmp (row[0], "pole") != 0)
        continue;
      n_poles++;
      g_assert_cmpfloat_with_epsilon (csv_value (&numbers, i, 3),
                                      strcmp (row[2], "real") != 0 ? 0
                                      : strcmp (row[1], "1") == 0  ? -6 + root
                                                                   : -6 - root,
                                      1e-11);
    }
  g_assert_cmpuint (n_poles, ==, 4);
  g_assert_cmpint (json.status, ==, 0);
  g_assert_nonnull (strstr (json.out, "\"states_left_out\": 2"));
  g_assert_nonnull (strstr (json.out, "\"name\": \"Motor.Coil.z[0]\""));
  g_assert_cmpint (table.status, ==, 0);
  g_assert_nonnull (strstr (table.out, "at t = 1 s: 4 states, 0 inputs, 0 outputs"));
}

/* Speed 2: K w + R i with K i = b w is 20.02 V. */
static void
test_trim (void)
{
  g_autofree char *file = example ("dc-motor.weir");
  g_auto (Outcome) found = weir (ARGUMENTS (
      "linearize", file, "--trim", "--free", "Motor.voltage", "--hold", "Motor.speed=2", "--moving",
      "Controller", "--input", "Motor.voltage", "--output", "Motor.speed"));
  g_auto (Outcome) over = weir (ARGUMENTS ("linearize", file, "--trim", "--free", "Motor.voltage",
                                           "--hold", "Motor.speed=2"));
  g_auto (Outcome) untrimmed = weir (ARGUMENTS ("linearize", file, "--hold", "Motor.speed=2"));
  g_auto (Outcome) unknown = weir (ARGUMENTS ("linearize", file, "--input", "Motor.torque"));
  g_auto (Outcome) unmoved = weir (ARGUMENTS ("linearize", file, "--trim", "--moving", "Reference"));

  g_assert_cmpint (found.status, ==, 0);
  g_assert_nonnull (strstr (found.out, "20.02  Motor.voltage"));
  g_assert_nonnull (strstr (found.err, "leave 2 of 5 unknowns open"));
  g_assert_cmpint (over.status, ==, 3);
  g_assert_nonnull (strstr (over.err, "no operating point was found for 5 conditions and 5 unknowns"));
  g_assert_cmpint (untrimmed.status, ==, 2);
  g_assert_nonnull (strstr (untrimmed.err, "add --trim"));
  g_assert_cmpint (unknown.status, ==, 2);
  g_assert_nonnull (strstr (unknown.err, "no port \"Motor.torque\""));
  g_assert_cmpint (unmoved.status, ==, 2);
  g_assert_nonnull (strstr (unmoved.err, "--moving Reference: this is no state"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/explain", test_explain);
  g_test_add_func ("/cli/row-32-caching-on-and-off", test_row_32_caching_on_and_off);
  g_test_add_func ("/cli/run/counter", test_counter);
  g_test_add_func ("/cli/run/log", test_log);
  g_test_add_func ("/cli/run/both", test_both);
  g_test_add_func ("/cli/run/pendulum", test_pendulum);
  g_test_add_func ("/cli/run/pendulum-energy", test_pendulum_energy);
  g_test_add_func ("/cli/run/sampled", test_sampled);
  g_test_add_func ("/cli/run/equations", test_equations);
  g_test_add_func ("/cli/run/nested", test_nested);
  g_test_add_func ("/cli/run/no-cache", test_no_cache);
  g_test_add_func ("/cli/run/record", test_record);
  g_test_add_func ("/cli/run/files", test_files);
  g_test_add_func ("/cli/run/plot", test_plot);
  g_test_add_func ("/cli/run/stats", test_stats);
  g_test_add_func ("/cli/run/failing", test_failing_run);
  g_test_add_func ("/cli/run/interrupt", test_interrupt);
  g_test_add_func ("/cli/linearize/dc-motor", test_linearize);
  g_test_add_func ("/cli/linearize/trim", test_trim);
  g_test_add_func ("/cli/verify", test_verify);
  g_test_add_func ("/cli/verify-culprits", test_culprits);
  g_test_add_func ("/cli/audit", test_audit);
  g_test_add_func ("/cli/check/examples", test_check_examples);
  g_test_add_func ("/cli/info", test_info);
  g_test_add_func ("/cli/info-full", test_info_full);
  g_test_add_func ("/cli/blocks", test_blocks);
  g_test_add_func ("/cli/help", test_help);
  g_test_add_func ("/cli/usage", test_usage);
  g_test_add_func ("/cli/bad-files", test_bad_files);
  g_test_add_func ("/cli/loops", test_loops);
  g_test_add_func ("/cli/missing-file", test_missing_file);
  g_test_add_func ("/cli/locale", test_locale);
  g_test_add_func ("/cli/render", test_render);
  return g_test_run ();
}
