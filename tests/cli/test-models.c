/* The real program on what models say beside their diagrams: assertions, dependencies, variables,
 * units, and what differs between two of them. */
#include <glib/gstdio.h>

#include "program.h"

static char *folder; /* for models */

/* A model file of a head and the inside of a diagram. (transfer full) */
static char *
write_model (const char *name, const char *head, const char *inside)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = g_strconcat ("<weir version=\"1\">", head, "<diagram>\n", inside,
                                       "</diagram></weir>\n", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("'%s' is not in: %s", part, text);
}

/* --- Assertions ------------------------------------------------------------------------------ */

/* x' = 1 from 0: what is to hold of x fails at a time that is known. */
#define RAMP(condition, action)                                                                    \
  "<block id='1' type='Constant' name='one' x='0' y='0'/>\n"                                       \
  "<block id='2' type='Integrator' name='x' x='0' y='0'/>\n"                                       \
  "<block id='3' type='Assertion' name='guard' x='0' y='0'>"                                       \
  "<parameter name='condition' value='" condition "'/><parameter name='action' value='" action     \
  "'/><parameter name='message' value='The tank is full.'/></block>\n"                             \
  "<block id='4' type='Scope' name='scope' x='0' y='0'/>\n"                                        \
  "<wire id='5' from='1.y' to='2.u'/><wire id='6' from='2.y' to='3.u'/><wire id='7' from='3.y' "   \
  "to='4.in1'/>\n"

static void
test_warn (void)
{
  g_autofree char *file = write_model ("warn.weir", "", RAMP ("u &lt; 3", "warn"));
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--until", "5"));
  const char *last;

  g_assert_cmpint (outcome.status, ==, 0);
  /* Where it ceases to hold, once. */
  assert_contains (outcome.err, "guard at t = 3 s: The tank is full. (u = 3)\n");
  g_assert_null (strstr (strstr (outcome.err, "The tank") + 1, "The tank"));
  last = strstr (outcome.out, "\n5,"); /* to the end */
  g_assert_nonnull (last);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (last + 3, NULL), 5, 1e-14);
}

static void
test_stop (void)
{
  g_autofree char *file = write_model ("stop.weir", "", RAMP ("u &lt; 3", "stop"));
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--until", "5", "--max-step", "0.25"));
  const char *found;

  g_assert_cmpint (outcome.status, ==, 3);
  assert_contains (outcome.err, "guard");
  assert_contains (outcome.err, "The tank is full. (u = ");
  found = strstr (outcome.err, "(u = ") + strlen ("(u = ");
  g_assert_cmpfloat (g_ascii_strtod (found, NULL), >=, 3);
  g_assert_cmpfloat (g_ascii_strtod (found, NULL), <=, 3.25); /* the first step that ends beyond */
}

static void
test_holds (void)
{
  static const char *const conditions[] = { "u &lt; 6", "u &gt;= 0 and abs(u - t) &lt; 1e-9",
                                            "if t &gt; 4 then u &gt; 3 else u &lt; 4.5" };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      g_autoptr (GString) inside = g_string_new (RAMP ("CONDITION", "reject"));
      g_autofree char *file = NULL;
      g_auto (Outcome) outcome = { 0 };

      g_string_replace (inside, "CONDITION", conditions[i], 1);
      file = write_model ("holds.weir", "", inside->str);
      outcome = weir (ARGUMENTS ("run", file, "--until", "5"));
      g_assert_cmpstr (outcome.err, ==, "");
      g_assert_cmpint (outcome.status, ==, 0);
    }
}

/* x' = -sqrt (x) from 1, x = (1 - t/2)^2: near 2 s trial steps leave the domain. Rejected, the run
 * comes as close to 2 s as is asked; the guard is what the derivative goes through. */
/* sin t from 0 passes 0.9999 for 0.028 s only: between the ends of steps, and of samples. */
static void
test_brief (void)
{
  static const char wave[] =
      "<block id='2' type='Equations' name='wave' x='0' y='0'><parameter name='equations' "
      "value='output y&#10;initial x = 0&#10;initial v = 1&#10;D(x) ~ v&#10;D(v) ~ -x&#10;y ~ x'/>"
      "</block>\n<block id='3' type='Assertion' name='guard' x='0' y='0'>"
      "<parameter name='condition' value='not (u &gt;= 0.9999 or u &lt; -2)'/>"
      "<parameter name='action' value='stop'/></block>\n"
      "<block id='9' type='Scope' name='scope' x='0' y='0'/>\n"
      "<wire id='5' from='2.y' to='3.u'/><wire id='8' from='2.y' to='9.in1'/>\n";
  g_autofree char *file = write_model ("brief.weir", "", wave);
  g_auto (Outcome) outcome = weir (ARGUMENTS ("run", file, "--until", "20"));
  const char *found = strstr (outcome.err, "at t = ");

  g_assert_cmpint (outcome.status, ==, 3);
  assert_contains (outcome.err, "guard");
  assert_contains (outcome.err, "(u = 0.9999)");
  g_assert_nonnull (found);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (found + 7, NULL), asin (0.9999), 1e-3);
}

/* The same in equations, whatever the method: past 0.99999 for 0.009 s. */
static void
test_brief_in_equations (void)
{
  static const char *const solvers[] = { "auto", "cvode-bdf", "dop853", "rk4" };
  static const char wave[] =
      "<block id='2' type='Equations' name='wave' x='0' y='0'><parameter name='equations' "
      "value='output y&#10;initial x = 0&#10;initial v = 1&#10;D(x) ~ v&#10;D(v) ~ -x&#10;y ~ x"
      "&#10;assert x &lt; 0.99999, \"too far\"'/></block>\n"
      "<block id='9' type='Scope' name='scope' x='0' y='0'/>\n"
      "<wire id='8' from='2.y' to='9.in1'/>\n";
  g_autofree char *file = write_model ("brief.weir", "", wave);

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_auto (Outcome)
          outcome = weir (ARGUMENTS ("run", file, "--until", "20", "--solver", solvers[i]));

      g_assert_cmpint (outcome.status, ==, 3);
      assert_contains (outcome.err, "at t = 1.5663"); /* asin 0.99999 = 1.566324 */
      assert_contains (outcome.err, "too far");
    }
}

static void
test_reject (void)
{
  static const char inside[] =
      "<block id='2' type='Integrator' name='x' x='0' y='0'><parameter name='initial' "
      "value='1'/></block>\n"
      "<block id='3' type='Assertion' name='guard' x='0' y='0'>"
      "<parameter name='condition' value='u &gt;= 0'/><parameter name='action' value='reject'/>"
      "<parameter name='message' value='The tank is empty.'/></block>\n"
      "<block id='4' type='Equations' name='outflow' x='0' y='0'><parameter name='equations' "
      "value='input x&#10;output v&#10;v ~ -sqrt(abs(x))'/></block>\n"
      "<block id='9' type='Scope' name='scope' x='0' y='0'/>\n"
      "<wire id='5' from='2.y' to='3.u'/><wire id='6' from='3.y' to='4.x'/><wire id='7' from='4.v' "
      "to='2.u'/>"
      "<wire id='8' from='2.y' to='9.in1'/>\n";
  g_autofree char *file = write_model ("reject.weir", "", inside);
  g_auto (Outcome)
      early = weir (ARGUMENTS ("run", file, "--until", "1.999", "--solver", "dormand-prince"));
  g_auto (Outcome)
      late = weir (ARGUMENTS ("run", file, "--until", "3", "--solver", "dormand-prince"));

  g_assert_cmpstr (early.err, ==, "");
  g_assert_cmpint (early.status, ==, 0);
  g_assert_cmpint (late.status, ==, 3);
  assert_contains (late.err, "guard");
  assert_contains (late.err, "The tank is empty.");
}

static void
test_bad_condition (void)
{
  static const struct {
    const char *condition, *part;
  } cases[] = {
    { "u &lt;", "Parameter condition is \"u <\"" },
    { "v &lt; 1", "there is no v here; use u, the input, and t, the time" },
    { "D(u) &lt; 1", "there is no D(u) here" },
    { "[u, 1]", "has several values" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) inside = g_string_new (RAMP ("CONDITION", "stop"));
      g_autofree char *file = NULL;
      g_auto (Outcome) outcome = { 0 };

      g_string_replace (inside, "CONDITION", cases[i].condition, 1);
      file = write_model ("bad.weir", "", inside->str);
      outcome = weir (ARGUMENTS ("check", file));
      g_assert_cmpint (outcome.status, ==, 1);
      assert_contains (outcome.out, "error[PAR02]: guard: ");
      assert_contains (outcome.out, cases[i].part);
    }
}

/* --- Checks, differences, information -------------------------------------------------------- */

static void
test_check_groups (void)
{
  g_autofree char *file = write_model (
      "groups.weir", "<assertions><assertion text='x.y must depend on time'/></assertions>",
      "<block id='1' type='Constant' name='c' x='0' y='0'><meta name='unit' of='y' "
      "value='kg'/></block>\n"
      "<block id='2' type='Pendulum' name='p' x='0' y='0'/>\n<wire id='3' from='1.y' "
      "to='2.torque'/>\n"
      "<block id='4' type='Integrator' name='x' x='0' y='0'/>\n<wire id='5' from='1.y' "
      "to='4.u'/>\n");
  g_auto (Outcome) all = weir (ARGUMENTS ("check", file));
  g_auto (Outcome) none = weir (ARGUMENTS ("check", "--checks=none", file));
  g_auto (Outcome)
      dependencies = weir (ARGUMENTS ("check", "--checks", "dependencies,components", file));
  g_auto (Outcome) wrong = weir (ARGUMENTS ("check", "--checks=everything", file));

  g_assert_cmpint (all.status, ==, 1);
  assert_contains (all.out,
                   ":4: error[UNI03]: p: Input 'torque' takes N*m, but output 'y' of c is in kg");
  g_assert_cmpint (none.status, ==, 0);
  g_assert_cmpstr (none.out, ==, "");
  g_assert_cmpint (dependencies.status, ==, 1);
  assert_contains (dependencies.out, "error[DEP01]: \"x.y must depend on time\": it does not");
  g_assert_cmpint (wrong.status, ==, 2);
}

static void
test_diff (void)
{
  g_autofree char *a = write_model ("a.weir", "", RAMP ("u &lt; 3", "stop"));
  g_autofree char *b = write_model (
      "b.weir", "<variables><variable name='k' value='2'/></variables>", RAMP ("u &lt; 4", "stop"));
  g_auto (Outcome) same = weir (ARGUMENTS ("diff", a, a));
  g_auto (Outcome) other = weir (ARGUMENTS ("diff", a, b));
  g_auto (Outcome) missing = weir (ARGUMENTS ("diff", a, "nowhere.weir"));
  g_auto (Outcome) alone = weir (ARGUMENTS ("diff", a));

  g_assert_cmpint (same.status, ==, 0);
  g_assert_cmpstr (same.out, ==, "");
  g_assert_cmpint (other.status, ==, 1);
  g_assert_cmpstr (other.out, ==, "+ variable k: 2\n~ guard: condition: u < 3 -> u < 4\n");
  g_assert_cmpint (missing.status, ==, 1);
  assert_contains (missing.out, "FIL01");
  g_assert_cmpint (alone.status, ==, 2);
}

static void
test_info (void)
{
  g_autofree char *file = write_model (
      "info.weir",
      "<meta name='author' value='N. N.'/><variables><variable name='k' value='2'/></variables>",
      "<block id='1' type='Subsystem' name='s' x='0' y='0'><parameter name='m' "
      "value='3*k'/><diagram>\n"
      "<block id='2' type='Constant' name='c' x='0' y='0'><meta name='unit' of='y' value='m/s'/>"
      "<parameter name='value' value='m + 1'/></block>\n"
      "<block id='3' type='Integrator' name='i' x='0' y='0'/>\n"
      "<wire id='4' from='2.y' to='3.u'/></diagram></block>\n");
  g_auto (Outcome) plain = weir (ARGUMENTS ("info", file));
  g_auto (Outcome) parameters = weir (ARGUMENTS ("info", "--parameters", file));

  g_assert_cmpint (plain.status, ==, 0);
  assert_contains (plain.out, "author           N. N.\n");
  assert_contains (plain.out, "s.i.y  m  follows\n");
  assert_contains (plain.out, "s.c.y  m/s  given\n");
  g_assert_cmpint (parameters.status, ==, 0);
  assert_contains (parameters.out, "tunable   s.c.value = 7  from m + 1, where m is s.m\n");
  assert_contains (parameters.out, "initial   s.i.initial = 0\n");
  assert_contains (parameters.out, "variable  s.m = 6  from 3*k, where k is k\n");
  assert_contains (parameters.out, "variable  k = 2\n");
}

/* y = y^2 - 2 has the solutions 2 and -1; a Guess in the loop says which is meant, and why none was
 * found. */
static void
test_guess (void)
{
  static const char head[] = "<settings><setting name=\"stop-time\" value=\"1\"/></settings>";
#define LOOP(constant)                                                                             \
  "<block id=\"1\" type=\"Product\" name=\"Square\" x=\"0\" y=\"0\"/>"                             \
  "<block id=\"2\" type=\"Constant\" name=\"Less\" x=\"0\" y=\"100\">"                             \
  "<parameter name=\"value\" value=\"" constant "\"/></block>"                                     \
  "<block id=\"3\" type=\"Sum\" name=\"Sum\" x=\"100\" y=\"0\"/>"                                  \
  "<block id=\"4\" type=\"Guess\" name=\"Guess\" x=\"200\" y=\"0\"/>"                              \
  "<block id=\"5\" type=\"Scope\" name=\"Scope\" x=\"300\" y=\"0\"/>"                              \
  "<wire id=\"6\" from=\"4.y\" to=\"1.in1\"/><wire id=\"7\" from=\"4.y\" to=\"1.in2\"/>"           \
  "<wire id=\"8\" from=\"1.y\" to=\"3.in1\"/><wire id=\"9\" from=\"2.y\" to=\"3.in2\"/>"           \
  "<wire id=\"10\" from=\"3.y\" to=\"4.u\"/><wire id=\"11\" from=\"4.y\" to=\"5.in1\"/>"
  g_autofree char *file = write_model ("guess.weir", head, LOOP ("-2"));
  g_autofree char *none = write_model ("no-solution.weir", head, LOOP ("1"));
  g_auto (Outcome) upper = weir (ARGUMENTS ("run", file, "--set", "Guess.value=1"));
  g_auto (Outcome) lower = weir (ARGUMENTS ("run", file, "--set", "Guess.value=-5"));
  g_auto (Outcome)
      uncached = weir (ARGUMENTS ("run", file, "--set", "Guess.value=-5", "--no-cache"));
  g_auto (Outcome) stuck = weir (ARGUMENTS ("run", none, "--set", "Guess.value=0.7"));

  g_assert_cmpint (upper.status, ==, 0);
  g_assert_true (g_str_has_suffix (upper.out, "\n1,2\n"));
  g_assert_cmpint (lower.status, ==, 0);
  g_assert_true (g_str_has_suffix (lower.out, "\n1,-1\n"));
  g_assert_cmpstr (uncached.out, ==, lower.out);
  g_assert_cmpint (stuck.status, ==, 3);
  g_assert_nonnull (
      strstr (stuck.err, "did not converge at t = 0 s: residual 0.75 at Guess.y = 0.5"));
  g_assert_nonnull (strstr (stuck.err, "Sum.in1 -> Sum.y -> Guess.u"));
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("weir-models-XXXXXX", NULL);
  g_test_add_func ("/cli/models/assertion/warn", test_warn);
  g_test_add_func ("/cli/models/assertion/stop", test_stop);
  g_test_add_func ("/cli/models/assertion/holds", test_holds);
  g_test_add_func ("/cli/models/assertion/brief", test_brief);
  g_test_add_func ("/cli/models/assertion/brief-in-equations", test_brief_in_equations);
  g_test_add_func ("/cli/models/assertion/reject", test_reject);
  g_test_add_func ("/cli/models/assertion/bad-condition", test_bad_condition);
  g_test_add_func ("/cli/models/guess", test_guess);
  g_test_add_func ("/cli/models/check-groups", test_check_groups);
  g_test_add_func ("/cli/models/diff", test_diff);
  g_test_add_func ("/cli/models/info", test_info);
  status = g_test_run ();
  for (guint i = 0; i < 1; i++)
    {
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, name, NULL);

          g_unlink (path);
        }
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
