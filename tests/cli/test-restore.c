/* Checkpoints of runs at the command line: that a run goes on where it was, and with
 * which values. */
#include "program.h"

#include <glib/gstdio.h>

#define GRAVITY 9.81 /* m/s^2: what the ball of the example has, as its height, 10 m */

typedef struct {
  char *file, *path; /* the model, the checkpoint */
} Fixture;

static void
fixture_set_up (Fixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *name = g_strdup_printf ("weir-test-restore-%08x", g_test_rand_int ());

  self->file = example ("bouncing-ball.weir");
  self->path = g_build_filename (g_get_tmp_dir (), name, NULL);
}

static void
fixture_tear_down (Fixture *self, G_GNUC_UNUSED gconstpointer data)
{
  g_remove (self->path);
  g_free (self->file);
  g_free (self->path);
}

/* What was saved goes on as if nothing had been: the rows of the rest, to the last digit. */
static void
test_goes_on (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const char *file = fixture->file, *path = fixture->path;
  g_autofree char *other = example ("pendulum.weir");
  g_auto (Outcome) whole = weir (ARGUMENTS ("run", file));
  g_auto (Outcome)
      saved = weir (ARGUMENTS ("run", file, "--checkpoint", path, "--checkpoint-at", "2"));
  g_auto (Outcome) rest = weir (ARGUMENTS ("run", file, "--restore", path));
  g_auto (Outcome) foreign = weir (ARGUMENTS ("run", other, "--restore", path));
  g_auto (Outcome) none = weir (ARGUMENTS ("run", file, "--restore", file));
  g_auto (Outcome) missing = weir (ARGUMENTS ("run", file, "--restore", "/nowhere/x"));
  g_auto (Outcome) unwritable = weir (ARGUMENTS ("run", file, "--checkpoint", "/nowhere/x"));
  const char *rows = strchr (rest.out, '\n') + 1;

  g_assert_cmpint (rest.status, ==, 0);
  g_assert_cmpstr (whole.out, ==, saved.out);
  g_assert_cmpuint (strlen (rows), >, 100);
  g_assert_true (g_str_has_suffix (whole.out, rows));
  g_assert_cmpint (foreign.status, ==, 3);
  g_assert_nonnull (strstr (foreign.err, "built differently"));
  g_assert_nonnull (strstr (none.err, "this is no checkpoint of a run"));
  g_assert_nonnull (strstr (missing.err, "/nowhere/x"));
  g_assert_cmpint (unwritable.status, ==, 3);
  g_assert_nonnull (strstr (unwritable.err, "--checkpoint: /nowhere/x"));
}

/* The ball bounces with restitution 0.8 until t = 2 and with 0.5 from then on: the bounce at t
 * = 3.71 sends it off with half the speed that it fell with from 6.4 m. Values that are as they
 * were alter no bit. */
static void
test_set (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const char *file = fixture->file, *path = fixture->path;
  g_auto (Outcome) whole = weir (ARGUMENTS ("run", file));
  g_auto (Outcome)
      saved = weir (ARGUMENTS ("run", file, "--checkpoint", path, "--checkpoint-at", "2"));
  g_auto (Outcome)
      same = weir (ARGUMENTS ("run", file, "--restore", path, "--set", "Ball.restitution=0.8"));
  g_auto (Outcome) weak = weir (
      ARGUMENTS ("run", file, "--restore", path, "--set", "Ball.restitution=0.5", "--until", "4"));
  g_auto (Csv) rows = csv_parse (weak.out);
  double hit = sqrt (2 * 10 / GRAVITY) * (1 + 2 * 0.8), speed = 0.5 * sqrt (2 * GRAVITY * 6.4);
  double flown = 4 - hit;

  g_assert_cmpint (saved.status, ==, 0);
  g_assert_true (g_str_has_suffix (whole.out, strchr (same.out, '\n') + 1));
  g_assert_cmpint (weak.status, ==, 0);
  g_assert_cmpstr (weak.err, ==, "");
  g_assert_cmpfloat (csv_value (&rows, rows.rows->len - 1, 0), ==, 4);
  g_assert_cmpfloat_with_epsilon (csv_value (&rows, rows.rows->len - 1, 1),
                                  speed * flown - GRAVITY / 2 * flown * flown, 1e-9);
}

/* A run keeps the values that it has, and says so where the file has others. */
static void
test_keeps (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const char *file = fixture->file, *path = fixture->path;
  g_auto (Outcome) whole = weir (ARGUMENTS ("run", file, "--set", "Ball.restitution=0.5"));
  g_auto (Outcome) saved = weir (ARGUMENTS ("run", file, "--set", "Ball.restitution=0.5",
                                            "--checkpoint", path, "--checkpoint-at", "2"));
  g_auto (Outcome) rest = weir (ARGUMENTS ("run", file, "--restore", path));

  g_assert_cmpint (saved.status, ==, 0);
  g_assert_cmpint (rest.status, ==, 0);
  g_assert_true (g_str_has_suffix (whole.out, strchr (rest.out, '\n') + 1));
  g_assert_nonnull (
      strstr (rest.err, "the run goes on with Ball.restitution = 0.5 (the file has 0.8)"));
}

/* What shapes a block, or tells where a run begins, comes too late. */
static void
test_refused (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const struct {
    const char *set, *sentence;
  } cases[] = {
    { "Ball.height=3", "--set Ball.height=3: it is a value at the start" },
    { "Scope.inputs=1", "--set Scope.inputs=1: it shapes its block" },
  };
  const char *file = fixture->file, *path = fixture->path;
  g_auto (Outcome)
      saved = weir (ARGUMENTS ("run", file, "--checkpoint", path, "--checkpoint-at", "2"));

  g_assert_cmpint (saved.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome)
          rest = weir (ARGUMENTS ("run", file, "--restore", path, "--set", cases[i].set));

      g_test_message ("%s", rest.err);
      g_assert_cmpint (rest.status, ==, 2); /* as whatever else is wrong with --set */
      g_assert_nonnull (strstr (rest.err, cases[i].sentence));
    }
}

/* What was saved of units by earlier programs is refused, with both versions; the files are as
 * those programs wrote them, of the model beside them. */
static void
test_earlier_units (G_GNUC_UNUSED Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "data", "corpus", "earlier-units",
                                                   NULL);
  g_autofree char *model = g_build_filename (folder, "units.weir", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *saved = g_build_filename (folder, name, NULL);
      g_autofree char *sentence = g_strdup_printf (
          "The run cannot be continued: what was saved of its units has version %c, and this "
          "program reads version ",
          name[0]);
      g_auto (Outcome) rest = { 0 };

      if (!g_str_has_suffix (name, ".weirrun"))
        continue;
      rest = weir (ARGUMENTS ("run", model, "--restore", saved));
      g_test_message ("%s", rest.err);
      g_assert_cmpint (rest.status, !=, 0);
      g_assert_nonnull (strstr (rest.err, sentence));
      g_assert_true (g_ascii_isdigit (strstr (rest.err, sentence)[strlen (sentence)]));
      n++;
    }
  g_assert_cmpuint (n, >=, 1);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, fixture_set_up, test, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/cli/restore/goes-on", test_goes_on);
  ADD ("/cli/restore/set", test_set);
  ADD ("/cli/restore/keeps", test_keeps);
  ADD ("/cli/restore/refused", test_refused);
  ADD ("/cli/restore/earlier-units", test_earlier_units);
  return g_test_run ();
}
