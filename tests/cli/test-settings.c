/* Settings of a run: from the model file, and from the command line, which wins. */
#include "model/tree/settings.h"
#include "program.h"
#include "sim/simulator.h"

#include <glib/gstdio.h>

#define CHATTERING                                                                                 \
  "<diagram>\n"                                                                                    \
  "<block id=\"1\" type=\"Integrator\" name=\"x\" x=\"0\" y=\"0\">\n"                              \
  "<parameter name=\"initial\" value=\"1\"/></block>\n"                                            \
  "<block id=\"2\" type=\"Sign\" name=\"relay\" x=\"0\" y=\"0\"/>\n"                               \
  "<block id=\"3\" type=\"Gain\" name=\"minus\" x=\"0\" y=\"0\">\n"                                \
  "<parameter name=\"gain\" value=\"-1\"/></block>\n"                                              \
  "<wire id=\"4\" from=\"1.y\" to=\"2.u\"/>\n"                                                     \
  "<wire id=\"5\" from=\"2.y\" to=\"3.u\"/>\n"                                                     \
  "<wire id=\"6\" from=\"3.y\" to=\"1.u\"/>\n"                                                     \
  "</diagram>\n"

typedef struct {
  char *folder, *file;
} Model;

/* A model file of @settings ("name=value", separated by blanks) and @diagram. */
static Model
model_new (const char *settings, const char *diagram)
{
  g_autoptr (GString) text = g_string_new ("<weir version=\"1\">\n<settings>\n");
  g_auto (GStrv) pairs = g_strsplit (settings, " ", -1);
  Model model = { .folder = g_dir_make_tmp ("weir-XXXXXX", NULL) };

  for (guint i = 0; pairs[i] != NULL && *pairs[i] != '\0'; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      g_string_append_printf (text, "<setting name=\"%s\" value=\"%s\"/>\n", pair[0], pair[1]);
    }
  g_string_append_printf (text, "</settings>\n%s</weir>\n", diagram);
  model.file = g_build_filename (model.folder, "model.weir", NULL);
  g_assert_true (g_file_set_contents (model.file, text->str, -1, NULL));
  return model;
}

static void
model_clear (Model *self)
{
  g_remove (self->file);
  g_rmdir (self->folder);
  g_free (self->file);
  g_free (self->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

/* Rows at the multiples and at the end, and the end is the very one that a run recorded at each
 * step comes to, after as many steps. */
static void
test_every (void)
{
  g_autofree char *file = example ("pendulum.weir");
  g_auto (Outcome)
      each = weir (ARGUMENTS ("run", file, "--until", "2.25", "--log", "Pendulum.theta"));
  g_auto (Outcome) every = weir (
      ARGUMENTS ("run", file, "--until", "2.25", "--log", "Pendulum.theta", "--every", "0.5"));
  g_auto (Csv) fine = csv_parse (each.out);
  g_auto (Csv) coarse = csv_parse (every.out);
  char **last = g_ptr_array_index (fine.rows, fine.rows->len - 1);
  char **same = g_ptr_array_index (coarse.rows, coarse.rows->len - 1);

  g_assert_cmpint (every.status, ==, 0);
  g_assert_cmpuint (coarse.rows->len, ==, 6);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpfloat (csv_value (&coarse, i, 0), ==, i * 0.5);
  g_assert_cmpstr (same[0], ==, "2.25");
  g_assert_cmpstr (same[0], ==, last[0]);
  g_assert_cmpstr (same[1], ==, last[1]);
}

/* The file's interval holds, and the command line's wins. */
static void
test_interval_in_file (void)
{
  static const char counter[] =
      "<diagram>\n<block id=\"1\" type=\"Counter\" name=\"c\" x=\"0\" y=\"0\">\n"
      "<parameter name=\"period\" value=\"0.25\"/></block>\n</diagram>\n";
  g_auto (Model) model = model_new ("stop-time=2 record-interval=0.5", counter);
  g_auto (Outcome) file = weir (ARGUMENTS ("run", model.file, "--log", "c.y"));
  g_auto (Outcome) typed = weir (ARGUMENTS ("run", model.file, "--log", "c.y", "--every", "1"));
  g_auto (Csv) file_rows = csv_parse (file.out);
  g_auto (Csv) typed_rows = csv_parse (typed.out);

  g_assert_cmpuint (file_rows.rows->len, ==, 5);
  g_assert_cmpuint (typed_rows.rows->len, ==, 3);
}

static void
test_crossings (void)
{
  g_auto (Model) model = model_new ("max-crossings=40", CHATTERING);
  g_auto (Outcome) file = weir (ARGUMENTS ("run", model.file, "--log", "x.y"));
  g_auto (Outcome)
      typed = weir (ARGUMENTS ("run", model.file, "--log", "x.y", "--max-crossings", "7"));
  g_auto (Outcome) steps = weir (
      ARGUMENTS ("run", model.file, "--log", "x.y", "--max-crossings", "0", "--max-steps", "100"));

  g_assert_cmpint (file.status, ==, 3);
  g_assert_nonnull (strstr (file.err, "relay: 41 zero crossings (relay:crossing) within "));
  g_assert_cmpint (typed.status, ==, 3);
  g_assert_nonnull (strstr (typed.err, "relay: 8 zero crossings (relay:crossing) within "));
  g_assert_cmpint (steps.status, ==, 3);
  g_assert_nonnull (
      strstr (steps.err, "the run took its 100 steps, the limit that was set, at t = 1"));
}

static void
test_rate (void)
{
  g_autofree char *file = example ("counter.weir");
  gint64 start = g_get_monotonic_time ();
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--until", "0.2", "--rate", "1"));

  g_assert_cmpint (outcome.status, ==, 0);
  /* Never ahead of the clock: the last step begins at 0.18 s. */
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 180000);
}

static void
test_wrong (void)
{
  static const struct {
    const char *option, *text, *expected;
  } cases[] = {
    { "--every", "-1", "--every: \"-1\" is not a number of seconds above 0" },
    { "--every", "0", "--every: \"0\" is not a number of seconds above 0; without it" },
    { "--every", "nan", "--every: \"nan\" is not a number of seconds above 0" },
    { "--every", "1e-300", "gives 6e+298 rows until t = 0.06 s" },
    { "--step", "0", "--step: \"0\" is not a number of seconds above 0; without it" },
    { "--step", "-1", "--step: \"-1\" is not a number of seconds above 0" },
    { "--memory", "-1", "--memory: \"-1\" is not a number of at least 0" },
    { "--beyond", "tape", "--beyond: \"tape\" is not file or thin" },
    { "--solver", "ode45", "--solver: \"ode45\" is not one of auto, dormand-prince" },
    { "--rate", "fast", "--rate: \"fast\" is not a number of at least 0" },
    { "--event-tolerance", "nan", "--event-tolerance: \"nan\" is not a number of at least 0 s" },
    { "--max-crossings", "1.5", "--max-crossings: \"1.5\" is not a whole number of at least 0" },
    { "--max-event-iterations", "0",
      "--max-event-iterations: \"0\" is not a whole number of at least 1" },
    { "--max-steps", "-3", "--max-steps: \"-3\" is not a whole number of at least 0" },
  };
  g_autofree char *file = example ("counter.weir");
  g_auto (Model) model = model_new ("max-steps=many", CHATTERING);
  g_auto (Outcome) check = weir (ARGUMENTS ("check", model.file));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, cases[i].option, cases[i].text));

      g_assert_cmpint (outcome.status, ==, 2);
      g_assert_nonnull (strstr (outcome.err, cases[i].expected));
    }
  g_assert_cmpint (check.status, ==, 1);
  g_assert_nonnull (strstr (check.out, "SET01"));
  g_assert_nonnull (
      strstr (check.out, "'max-steps' is 'many', but must be a whole number of at least 0"));
}

/* More rows than there can be: what is said names what gave it, an option or the file's setting. */
static void
test_too_many_rows (void)
{
  static const char counter[] = "<diagram>\n<block id=\"1\" type=\"Counter\" name=\"c\" x=\"0\" "
                                "y=\"0\"/>\n</diagram>\n";
  static const struct {
    const char *settings, *option, *text;
    int status;
    const char *expected;
  } cases[] = {
    { "stop-time=2 record-interval=1e-300", NULL, NULL, 1,
      "weir: the file's setting 'record-interval': an interval of recording of 1e-300 s gives "
      "2e+300 rows until t = 2 s; there can be 1e+09; choose a longer one\n" },
    { "stop-time=2 record-interval=0.5", "--every", "1e-300", 2,
      "weir: --every: an interval of recording of 1e-300 s gives 2e+300 rows until t = 2 s; there "
      "can be 1e+09; choose a longer one\n" },
    { "stop-time=2 record-interval=0.5", "--until", "1e200", 2,
      "weir: the file's setting 'record-interval': an interval of recording of 0.5 s gives 2e+200 "
      "rows until t = 1e+200 s; there can be 1e+09; choose a longer one, or an earlier end with "
      "--until\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Model) model = model_new (cases[i].settings, counter);
      g_auto (Outcome)
          outcome = weir (ARGUMENTS ("run", model.file, cases[i].option, cases[i].text));

      g_assert_cmpstr (outcome.err, ==, cases[i].expected);
      g_assert_cmpint (outcome.status, ==, cases[i].status);
    }
}

/* What models may name is what there is. */
static void
test_solver_names (void)
{
  const WeirParameterSpec *spec = weir_settings_find_spec ("solver");
  guint n = weir_solver_get_n ();

  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (spec->choices[i], ==, weir_solver_get (i)->name);
  g_assert_null (spec->choices[n]);
}

/* A name that is no solver's is a problem of the file, unless the command line names another. */
static void
test_solver_in_file (void)
{
  g_auto (Model) model = model_new ("solver=ri4", CHATTERING);
  static const char *const commands[] = { "check", "run", "verify", "audit", "linearize" };
  g_auto (Outcome)
      other = weir (ARGUMENTS ("run", model.file, "--solver", "rk4", "--until", "0.001"));

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (Outcome) outcome = weir (ARGUMENTS (commands[i], model.file));

      g_assert_cmpint (outcome.status, ==, 1);
      g_assert_nonnull (strstr (outcome.out, "error[SET01]: The setting 'solver' is 'ri4', but "
                                             "must be one of auto, dormand-prince, "));
    }
  g_assert_cmpstr (other.out, !=, "");
  g_assert_null (strstr (other.out, "SET01"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/settings/every", test_every);
  g_test_add_func ("/cli/settings/interval-in-file", test_interval_in_file);
  g_test_add_func ("/cli/settings/crossings", test_crossings);
  g_test_add_func ("/cli/settings/rate", test_rate);
  g_test_add_func ("/cli/settings/wrong", test_wrong);
  g_test_add_func ("/cli/settings/too-many-rows", test_too_many_rows);
  g_test_add_func ("/cli/settings/solver-names", test_solver_names);
  g_test_add_func ("/cli/settings/solver-in-file", test_solver_in_file);
  return g_test_run ();
}
