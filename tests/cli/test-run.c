/* `weir run` on the examples: the rows it writes, by closed forms and published numbers, and what
 * it writes beside them. */
#include "program.h"

#include <glib/gstdio.h>
#include <signal.h>

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
  static const double expected[][2] = {
    { 0, 0 }, { 0, 10 }, { 0.02, 10 }, { 0.02, 20 }, { 0.03, 20 }
  };

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

/* From 90 degrees at rest, computed with 113-bit arithmetic. */
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

/* y_{k+1} = a y_k + (1 - a) K (1 - y_k), a = exp (-T), K = 1, T = 0.5. */
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

/* V = d x - c log (x) + b y - a log (y) is constant along every solution of the equations of Lotka
 * and Volterra: at the start x = 4, y = 1, so that it is 4 d - c log (4) + b. */
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
      g_auto (Outcome)
          outcome = weir (ARGUMENTS ("run", file, "--set", cases[i].set, "--log", "Prey.V"));
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
  g_auto (Outcome)
      rest = weir (ARGUMENTS ("run", file, "--until", "100", "--log",
                              "Servo.Plant.Suspension.force", "--log", "Servo.position"));
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

/* Neither caching nor code made at run time changes a byte of the results. */
static void
test_no_cache (void)
{
  static const char *const names[] = { "pendulum.weir", "nested.weir", "sampled.weir" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = example (names[i]);
      g_auto (Outcome) cached = weir (ARGUMENTS ("run", file));
      g_auto (Outcome) uncached = weir (ARGUMENTS ("run", file, "--no-cache"));
      g_auto (Outcome) interpreted = weir (ARGUMENTS ("run", file, "--no-native"));

      g_assert_cmpint (uncached.status, ==, 0);
      g_assert_cmpint (interpreted.status, ==, 0);
      g_assert_cmpstr (cached.out, ==, interpreted.out);
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
  g_assert_nonnull (strstr (nowhere.err, "weir: --record: /nowhere/p.weirlog "));
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
  g_assert_cmpuint (json_count (uncached.out, "disabled"), ==, json_count (uncached.out, "misses"));
  g_assert_cmpuint (json_count (cached.out, "steps"), ==, json_count (uncached.out, "steps"));
  g_assert_nonnull (strstr (cached.out, "\"path\": \"Pendulum:potential energy\""));
  g_assert_nonnull (strstr (cached.out, "\"limiting_state\": \"Pendulum."));
  g_assert_nonnull (strstr (cached.out, "\"times\": {\"solver\": "));
}

/* A run that is asked to end writes what it has and says so. */
static void
test_interrupt (gconstpointer number)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename (folder, "a.csv", NULL);
  g_autofree char *file = example ("pendulum.weir");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess)
      process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, g_getenv ("WEIR_PROGRAM"),
                                  "run", file, "--until", "1e9", "--progress", "--out", csv, NULL);
  g_autoptr (GDataInputStream) err = NULL;
  g_autofree char *started = NULL, *sentence = NULL, *text = NULL;

  g_assert_no_error (error);
  err = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  started = g_data_input_stream_read_line (err, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (started, ==, "0 %");
  g_subprocess_send_signal (process, GPOINTER_TO_INT (number));
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
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
  g_test_add_data_func ("/cli/run/interrupt", GINT_TO_POINTER (SIGINT), test_interrupt);
  g_test_add_data_func ("/cli/run/terminate", GINT_TO_POINTER (SIGTERM), test_interrupt);
  g_test_add_data_func ("/cli/run/hang-up", GINT_TO_POINTER (SIGHUP), test_interrupt);
  return g_test_run ();
}
