/* Units of co-simulation in a model file, run by the real program: five simulators in a round (S1
 * and S2 to S3, S3 and S4 to S5, S5 back to S1 and S2), each of which takes y := (sum of what it
 * reads) + 1 at each step. The expected numbers are the recurrences worked out by hand; closed
 * forms stand beside them. */
#include <glib/gstdio.h>

#include "program.h"

#define N_ROWS 9

/* At the end of step k: S1 and S2, which are equal, S3, S4, S5. */
typedef const double Table[N_ROWS][4];

/* S3 (k + 1) = 2 S1 (k) + 1, S1 (k + 1) = S5 (k) + 1, S5 (k + 3) = 2 S5 (k) + 5 */
static Table full = {
  { 0, 0, 0, 0 },   { 1, 1, 1, 1 },    { 2, 3, 1, 3 },    { 4, 5, 1, 5 },    { 6, 9, 1, 7 },
  { 8, 13, 1, 11 }, { 12, 17, 1, 15 }, { 16, 25, 1, 19 }, { 20, 33, 1, 27 },
};
/* S1 = 5 2^(k - 1) - 4, S3 = 5 2^k - 7, S5 = 5 (2^k - 1) */
static Table cascading = {
  { 0, 0, 0, 0 },       { 1, 3, 1, 5 },       { 6, 13, 1, 15 },
  { 16, 33, 1, 35 },    { 36, 73, 1, 75 },    { 76, 153, 1, 155 },
  { 156, 313, 1, 315 }, { 316, 633, 1, 635 }, { 636, 1273, 1, 1275 },
};

/* --- Models ---------------------------------------------------------------------------------- */

static char *
read_example (void)
{
  g_autofree char *path = example ("five-simulators.weir");
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* The text with every @old replaced; there is at least one. (transfer full) */
static char *
replace (const char *text, const char *old, const char *with)
{
  g_auto (GStrv) parts = g_strsplit (text, old, -1);

  g_assert_cmpuint (g_strv_length (parts), >, 1);
  return g_strjoinv (with, parts);
}

/* The places of S1 to S5 in the list. (transfer full) */
static char *
reorder (const char *text, const char *places)
{
  char *result = g_strdup (text);

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *before = g_steal_pointer (&result);
      g_autofree char *block = g_strdup_printf ("name=\"S%u\"", i + 1);
      g_autofree char *place = g_strdup_printf ("name=\"place\" value=\"%c\"", places[i]);
      const char *at = strstr (strstr (before, block), "name=\"place\"");
      g_autofree char *head = g_strndup (before, (gsize) (at - before));

      result = g_strconcat (head, place, strstr (at, "/>"), NULL);
    }
  return result;
}

static char *
write_file (const char *text)
{
  char *name = NULL;
  int file = g_file_open_tmp ("weir-XXXXXX.weir", &name, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
  return name;
}

static Outcome
run_text (const char *text, const char *schedule, const char *threads)
{
  g_autofree char *name = write_file (text);
  Outcome outcome = weir (ARGUMENTS ("run", name, "--schedule", schedule, "--threads", threads,
                                     "--log", "S1.y", "--log", "S2.y", "--log", "S3.y", "--log",
                                     "S4.y", "--log", "S5.y"));

  g_unlink (name);
  g_assert_cmpint (outcome.status, ==, 0);
  return outcome;
}

static void
check_rows (const char *out, const double (*expected)[4], guint n)
{
  g_auto (Csv) csv = csv_parse (out);

  g_assert_cmpuint (csv.rows->len, >=, n);
  for (guint k = 0; k < n; k++)
    {
      g_assert_cmpfloat (csv_value (&csv, k, 0), ==, k);
      g_assert_cmpfloat (csv_value (&csv, k, 1), ==, expected[k][0]);
      for (guint c = 0; c < 4; c++)
        g_assert_cmpfloat (csv_value (&csv, k, c + 2), ==, expected[k][c]);
    }
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* One row for each instant, one column for each output of a unit. */
static void
test_schedules (void)
{
  g_autofree char *file = example ("five-simulators.weir");
  static const char *const threads[] = { "1", "2", "8" };

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_auto (Outcome)
          at_once = weir (ARGUMENTS ("run", file, "--schedule", "full", "--threads", threads[i]));
      g_auto (Outcome) in_turn = weir (
          ARGUMENTS ("run", file, "--schedule", "cascading", "--threads", threads[i]));
      g_auto (Csv) csv = csv_parse (at_once.out);

      g_assert_cmpint (at_once.status, ==, 0);
      g_assert_cmpuint (csv.rows->len, ==, N_ROWS);
      g_assert_true (g_str_has_prefix (at_once.out, "time,S1.y,S2.y,S3.y,S4.y,S5.y\n"));
      check_rows (at_once.out, full, N_ROWS);
      check_rows (in_turn.out, cascading, N_ROWS);
    }
}

/* Which wires of the round are late is a matter of the list. */
static void
test_cuts (void)
{
  static const struct {
    const char *places; /* of S1 to S5 */
    Table rows;
  } cases[] = {
    { "34512",
      { { 0, 0, 0, 0 }, { 3, 7, 1, 2 }, { 10, 21, 1, 9 }, { 24, 49, 1, 23 }, { 52, 105, 1, 51 } } },
    { "45123",
      { { 0, 0, 0, 0 }, { 4, 1, 1, 3 }, { 12, 9, 1, 11 }, { 28, 25, 1, 27 }, { 60, 57, 1, 59 } } },
  };
  g_autofree char *text = read_example ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *other = reorder (text, cases[i].places);
      g_auto (Outcome) outcome = run_text (other, "cascading", "2");

      check_rows (outcome.out, cases[i].rows, 5);
    }
}

/* Units that have nothing to do with each other may stand in any order. */
static void
test_unrelated (void)
{
  g_autofree char *text = read_example ();
  g_autofree char *other = reorder (text, "32415");
  g_auto (Outcome) outcome = run_text (other, "cascading", "2");

  check_rows (outcome.out, cascading, N_ROWS);
}

/* The greater of what comes in, and 1: hops are counted. Parallel: k everywhere; cascading: S1 =
 * 3k - 2, S3 = 3k - 1, S5 = 3k. */
static void
test_max (void)
{
  g_autofree char *text = read_example ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) changed = g_string_new (NULL);
  g_auto (Outcome) at_once = { 0 };
  g_auto (Outcome) in_turn = { 0 };
  double parallel[N_ROWS][4] = { { 0 } }, cascade[N_ROWS][4] = { { 0 } };

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *to = strstr (lines[i], ".in");

      if (strstr (lines[i], "type=\"Sum\"") != NULL)
        {
          gboolean is_wide = strstr (lines[i + 1], "+++") != NULL;
          g_autofree char *block = replace (lines[i], "type=\"Sum\"", "type=\"Expression\"");

          g_string_append_printf (changed,
                                  "%s<parameter name=\"inputs\" value=\"%d\"/>"
                                  "<parameter name=\"expression\" value=\"%s\"/>\n",
                                  block, is_wide ? 3 : 2, is_wide ? "max(u1, u2) + u3" : "u1 + u2");
          i++;
        }
      else if (g_str_has_prefix (lines[i], "        <wire") && to != NULL)
        g_string_append_printf (changed, "%.*s.u%s\n", (int) (to - lines[i]), lines[i], to + 3);
      else
        g_string_append_printf (changed, "%s\n", lines[i]);
    }
  at_once = run_text (changed->str, "full", "2");
  in_turn = run_text (changed->str, "cascading", "2");
  for (guint k = 1; k < N_ROWS; k++)
    {
      const double hops[2][4] = { { k, k, 1, k }, { 3 * k - 2, 3 * k - 1, 1, 3 * k } };

      memcpy (parallel[k], hops[0], sizeof hops[0]);
      memcpy (cascade[k], hops[1], sizeof hops[1]);
    }
  check_rows (at_once.out, (const double (*)[4]) parallel, N_ROWS);
  check_rows (in_turn.out, (const double (*)[4]) cascade, N_ROWS);
}

/* Without the way back the two differ only until the values have come through. */
static void
test_no_feedback (void)
{
  static Table parallel = { { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 1, 3, 1, 3 }, { 1, 3, 1, 5 } };
  static Table cascade = { { 0, 0, 0, 0 }, { 1, 3, 1, 5 }, { 1, 3, 1, 5 }, { 1, 3, 1, 5 } };
  g_autofree char *text = read_example ();
  g_autofree char *file = NULL;
  g_autoptr (GString) cut = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (Outcome) at_once = { 0 };
  g_auto (Outcome) in_turn = { 0 };

  for (guint i = 0; lines[i] != NULL; i++) /* S1 and S2 read a constant 0 instead */
    {
      if (strstr (lines[i], "<block id=\"1\" ") != NULL)
        g_string_append (cut, "<block id=\"999\" type=\"Constant\" name=\"Zero\" x=\"0\" y=\"0\">"
                              "<parameter name=\"value\" value=\"0\"/></block>\n");
      if (g_str_has_prefix (lines[i], "    <wire") && strstr (lines[i], ".u\"") != NULL)
        {
          char *from = strstr (lines[i], "from=\"");

          g_string_append_len (cut, lines[i], from - lines[i]);
          g_string_append_printf (cut, "from=\"999.y\"%s\n", strstr (from, " to="));
        }
      else
        g_string_append_printf (cut, "%s\n", lines[i]);
    }
  at_once = run_text (cut->str, "full", "2");
  in_turn = run_text (cut->str, "cascading", "2");
  check_rows (at_once.out, parallel, 4);
  check_rows (in_turn.out, cascade, 4);
}

/* The same wiring without steps: S5 = 2 S5 + 5. */
static void
test_loop (void)
{
  g_autofree char *text = read_example ();
  g_autofree char *plain = replace (text, "      <unit name=\"steps\" value=\"1\"/>\n", "");
  g_auto (GStrv) lines = g_strsplit (plain, "\n", -1);
  g_autoptr (GString) algebra = g_string_new (NULL);
  static const double expected[] = { -4, -4, -7, 1, -5 };
  g_auto (Outcome) outcome = { 0 };

  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "type=\"UnitDelay\"") != NULL)
      {
        g_auto (GStrv) halves = g_strsplit (lines[i], "UnitDelay", 2);

        g_string_append_printf (algebra, "%sGain%s\n", halves[0], halves[1]);
        i++; /* its period */
      }
    else if (strstr (lines[i], "<unit ") == NULL)
      g_string_append_printf (algebra, "%s\n", lines[i]);
  outcome = run_text (algebra->str, "full", "1");
  {
    g_auto (Csv) csv = csv_parse (outcome.out);

    for (guint c = 0; c < 5; c++)
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, 0, c + 1), expected[c], 1e-12);
  }
}

/* A wire that is marked as delayed is late though the list would have it in time: what would come
 * of the worked example if S5 did not wait for S3, or for S4. */
static void
test_delayed (void)
{
  static Table from_3 = { { 0, 0, 0, 0 }, { 1, 3, 1, 2 }, { 3, 7, 1, 5 }, { 6, 13, 1, 9 } };
  static Table from_4 = { { 0, 0, 0, 0 }, { 1, 3, 1, 4 }, { 5, 11, 1, 13 }, { 14, 29, 1, 31 } };
  g_autofree char *text = read_example ();

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *mark = g_strdup_printf ("<unit name=\"inputs.u%u\" value=\"delayed\"/>"
                                               "<unit name=\"place\" value=\"5\"/>",
                                               i + 1);
      g_autofree char *marked = replace (text, "<unit name=\"place\" value=\"5\"/>", mark);
      g_auto (Outcome) outcome = run_text (marked, "cascading", "2");

      check_rows (outcome.out, i == 0 ? from_3 : from_4, 4);
    }
}

/* Until the five agree within a step: the fixed point of the wiring, from which plain repetition
 * runs away. */
static void
test_iterated (void)
{
  static const double expected[] = { -4, -4, -7, 1, -5 };
  g_autofree char *text = read_example ();
  g_auto (Outcome) one = run_text (text, "iterated", "1");
  g_auto (Outcome) four = run_text (text, "iterated", "4");
  g_auto (Csv) csv = csv_parse (one.out);

  g_assert_cmpstr (one.out, ==, four.out);
  g_assert_cmpuint (csv.rows->len, ==, N_ROWS);
  for (guint k = 1; k < N_ROWS; k++)
    for (guint c = 0; c < 5; c++)
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, k, c + 1), expected[c], 1e-5);
}

/* Two masses, each on a spring to its wall and joined by a third, all 1: one takes the force and
 * gives its displacement, the other the reverse. From 1 and 0 their sum and difference swing with
 * angular frequencies 1 and sqrt (3). */
static char *
two_masses (const char *inputs)
{
  g_autofree char *unit = g_strdup_printf (
      "<unit name=\"steps\" value=\"1\"/><unit name=\"inputs\" value=\"%s\"/>"
      "<unit name=\"solver\" value=\"dormand-prince\"/>"
      "<unit name=\"relative-tolerance\" value=\"1e-11\"/>"
      "<unit name=\"absolute-tolerance\" value=\"1e-13\"/>",
      inputs);

  return g_strdup_printf (
      "<weir version=\"3\"><settings><setting name=\"relative-tolerance\" value=\"1e-9\"/>"
      "<setting name=\"absolute-tolerance\" value=\"1e-12\"/></settings><diagram>"
      "<block id=\"1\" type=\"Subsystem\" name=\"A\" x=\"0\" y=\"0\">%s<diagram>"
      "<block id=\"2\" type=\"In\" name=\"F\" x=\"0\" y=\"0\"/>"
      "<block id=\"3\" type=\"Equations\" name=\"E\" x=\"0\" y=\"0\"><parameter name=\"equations\" "
      "value=\"input F&#10;variable x&#10;output x&#10;D(D(x)) ~ -x + F&#10;"
      "initial x = 1; initial D(x) = 0\"/></block>"
      "<block id=\"4\" type=\"Out\" name=\"x\" x=\"0\" y=\"0\"/>"
      "<wire id=\"5\" from=\"2.y\" to=\"3.F\"/><wire id=\"6\" from=\"3.x\" to=\"4.u\"/>"
      "</diagram></block>"
      "<block id=\"11\" type=\"Subsystem\" name=\"B\" x=\"0\" y=\"0\">%s<diagram>"
      "<block id=\"12\" type=\"In\" name=\"a\" x=\"0\" y=\"0\"/>"
      "<block id=\"13\" type=\"Equations\" name=\"E\" x=\"0\" y=\"0\"><parameter "
      "name=\"equations\" "
      "value=\"input a&#10;variable x&#10;output x, F&#10;F ~ x - a&#10;D(D(x)) ~ -x - F&#10;"
      "initial x = 0; initial D(x) = 0\"/></block>"
      "<block id=\"14\" type=\"Out\" name=\"F\" x=\"0\" y=\"0\"/>"
      "<block id=\"15\" type=\"Out\" name=\"x\" x=\"0\" y=\"0\"/>"
      "<wire id=\"16\" from=\"12.y\" to=\"13.a\"/><wire id=\"17\" from=\"13.F\" to=\"14.u\"/>"
      "<wire id=\"18\" from=\"13.x\" to=\"15.u\"/></diagram></block>"
      "<wire id=\"21\" from=\"1.x\" to=\"11.a\"/><wire id=\"22\" from=\"11.F\" to=\"1.F\"/>"
      "</diagram></weir>",
      unit, unit);
}

/* The greater error at t = 10. */
static double
measure (const char *inputs, const char *schedule, const char *step)
{
  double sum = cos (10), difference = cos (sqrt (3) * 10), errors[2];
  g_autofree char *text = two_masses (inputs);
  g_autofree char *name = write_file (text);
  g_auto (Outcome)
      outcome = weir (ARGUMENTS ("run", name, "--schedule", schedule, "--communication-step", step,
                                 "--log", "A.x", "--log", "B.x"));
  g_auto (Csv) csv = { 0 };

  g_unlink (name);
  g_assert_cmpint (outcome.status, ==, 0);
  csv = csv_parse (outcome.out);
  errors[0] = fabs (csv_value (&csv, csv.rows->len - 1, 1) - (sum + difference) / 2);
  errors[1] = fabs (csv_value (&csv, csv.rows->len - 1, 2) - (sum - difference) / 2);
  return MAX (errors[0], errors[1]);
}

/* What a coupling loses shrinks with the step as the order of what inputs are taken to be; of the
 * same order, each schedule is better than the one before. The expected errors are those of the
 * same couplings stepped by closed forms: where its input is a polynomial each unit's step is a sum
 * of a polynomial and a cosine and sine, and what repeated steps settle at is solved for. By the
 * exponentials of matrices, of units together with their inputs' polynomials, they are the same
 * (scipy's expm). */
static void
test_orders (void)
{
  static const char *const schedules[] = { "full", "cascading", "iterated" };
  static const char *const inputs[] = { "hold", "linear", "quadratic" };
  static const double expected[3][3][2] = {
    { { 0.127984133, 0.018980728 },
      { 0.0586924355, 0.00365793201 },
      { 0.00411114594, 4.40219706e-05 } },
    { { 0.0566058192, 0.0141053399 },
      { 0.0193678919, 0.00122735378 },
      { 0.00134661184, 1.46002884e-05 } },
    { { 0.0791824543, 0.0176847564 },
      { 0.00578280134, 0.000361913398 },
      { 0.000124017236, 1.54585583e-06 } },
  };
  double errors[3][3];

  for (guint s = 0; s < 3; s++)
    for (guint i = 0; i < 3; i++)
      {
        double wide = measure (inputs[i], schedules[s], "0.1");
        double narrow = measure (inputs[i], schedules[s], "0.025"), order;

        g_assert_cmpfloat_with_epsilon (wide, expected[s][i][0], 1e-8);
        g_assert_cmpfloat_with_epsilon (narrow, expected[s][i][1], 1e-8);

        errors[s][i] = narrow;
        order = log2 (wide / narrow) / 2;
        g_test_message ("%s, %s: %g, order %g", schedules[s], inputs[i], narrow, order);
        g_assert_cmpfloat (order, >, i + 0.75);
        g_assert_cmpfloat (order, <, i + 1.4);
        g_assert_true (i == 0 || narrow < errors[s][i - 1]);
        g_assert_true (i == 0 || s == 0 || narrow < errors[s - 1][i]);
      }
}

/* What coupling costs in the examples: in a cascade, against the same equations integrated as one
 * (scipy's solve_ivp, DOP853, relative tolerance 1e-12). Notes say the
 * most that it is; where this looks it is less.
 */
static void
test_examples (void)
{
  static const struct {
    const char *file, *signal, *every;
    guint row;
    double value, tolerance;
  } cases[] = {
    { "vehicle-units.weir", "Road.speed", "5", 1, 22.377207636289878, 0.014 },
    { "vehicle-units.weir", "Road.speed", "5", 5, 24.091839110486124, 0.014 },
    { "vehicle-units.weir", "Engine.speed", "5", 9, 357.32007013160995, 0.053 },
    { "building-units.weir", "North.temperature", "3600", 1, 20.98263284151926, 0.009 },
    { "building-units.weir", "South.temperature", "3600", 12, 22.45917362128025, 0.009 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *file = example (cases[i].file);
      g_auto (Outcome) outcome = weir (
          ARGUMENTS ("run", file, "--every", cases[i].every, "--log", cases[i].signal));
      g_auto (Csv) csv = csv_parse (outcome.out);

      g_assert_cmpint (outcome.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (csv_value (&csv, cases[i].row, 1), cases[i].value,
                                      cases[i].tolerance);
    }
}

/* Switched off for the steps that begin at 2 and 3; by hand from y := sum of inputs + 1. */
static void
test_off (void)
{
  static const struct {
    const char *absence, *text;
  } wrong[] = {
    { "--off=S9", "--off=S9: there is no such unit; there are S1, S2, S3, S4, S5" },
    { "--off=S5@4..3", "the later one last" },
    { "--ignore=S5@", "after the unit and @ stands a time" },
  };
  g_autofree char *file = example ("five-simulators.weir");
  g_autofree char *plain = example ("pendulum.weir");
  g_auto (Outcome)
      run = weir (ARGUMENTS ("run", file, "--schedule", "full", "--off=S5@2..4", "--until", "6"));
  g_auto (Outcome) none = weir (ARGUMENTS ("run", plain, "--off=S5"));
  g_auto (Outcome) stats = weir (ARGUMENTS ("run", file, "--schedule", "full",
                                            "--longest-communication-step", "4", "--stats=json"));

  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_suffix (
      run.out, "\n2,2,2,3,1,3\n3,4,4,5,1,3\n4,4,4,9,1,3\n5,4,4,9,1,11\n6,12,12,9,1,11\n"));
  g_assert_cmpint (none.status, ==, 2);
  g_assert_nonnull (strstr (none.err, "no units of co-simulation"));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Outcome) refused = weir (ARGUMENTS ("run", file, wrong[i].absence));

      g_assert_cmpint (refused.status, ==, 2);
      g_assert_nonnull (strstr (refused.err, wrong[i].text));
    }
  /* Outputs that grow by more than the tolerance in each step: none is longer. */
  g_assert_nonnull (strstr (stats.out, "\"units\": { \"steps\": 8, \"made_again\": "));
  g_assert_nonnull (strstr (stats.out, "\"shortest\": 1, \"longest\": 1 }"));
}

static void
test_verify (void)
{
  static const char *const schedules[] = { "full", "cascading", "iterated" };
  g_autofree char *file = example ("five-simulators.weir");

  for (guint i = 0; i < G_N_ELEMENTS (schedules); i++)
    {
      g_auto (Outcome)
          outcome = weir (ARGUMENTS ("verify", file, "--schedule", schedules[i], "--threads", "4"));

      g_assert_cmpint (outcome.status, ==, 0);
      /* 9 instants, each before and after it: the time and five outputs. */
      g_assert_nonnull (strstr (outcome.out, "identical"));
      g_assert_null (strstr (outcome.out, "identical, 9 values"));
    }
}

/* Saved between two steps, and continued. */
static void
test_checkpoint (void)
{
  g_autofree char *file = example ("five-simulators.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved", NULL);
  g_auto (Outcome) first = weir (ARGUMENTS ("run", file, "--until", "4", "--checkpoint", saved));
  g_auto (Outcome) second = weir (ARGUMENTS ("run", file, "--restore", saved));

  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpint (second.status, ==, 0);
  g_assert_true (g_str_has_suffix (second.out, "\n8,636,636,1273,1,1275\n"));
  g_unlink (saved);
  g_rmdir (folder);
}

/* What the schedule makes of the list; of three cuts of the round one is of a single wire. */
static void
test_info (void)
{
  g_autofree char *file = example ("five-simulators.weir");
  g_auto (Outcome) outcome = weir (ARGUMENTS ("info", file));

  g_assert_cmpint (outcome.status, ==, 0);
  g_assert_nonnull (strstr (outcome.out, "    1      0      1  S1\n    2      0      1  S2\n"
                                         "    3      1      1  S3\n    4      0      1  S4\n"
                                         "    5      2      1  S5\n"));
  g_assert_nonnull (strstr (outcome.out, "schedule         cascading, every 1 s\n"));
  g_assert_nonnull (strstr (outcome.out, "late in cascade  S5 to S1, S5 to S2\n"));
  g_assert_nonnull (strstr (outcome.out, "fewest late      1, in the order S4, S5, S1, S2, S3\n"));
}

static void
test_errors (void)
{
  static const struct {
    const char *old, *with, *sentence;
  } cases[] = {
    { "<unit name=\"place\" value=\"3\"/>", "<unit name=\"place\" value=\"third\"/>",
      "error[COS02]: S3: The unit's setting 'place' is 'third', but must be" },
    { "<unit name=\"place\" value=\"3\"/>", "<unit name=\"colour\" value=\"3\"/>",
      "error[COS02]: S3: A unit has no setting 'colour', or no such input; remove it." },
    { "<unit name=\"place\" value=\"3\"/>", "<unit name=\"inputs.u9\" value=\"linear\"/>",
      "error[COS02]: S3: A unit has no setting 'inputs.u9', or no such input; remove it." },
    { "<unit name=\"steps\" value=\"1\"/>", "<unit name=\"steps\" value=\"0\"/>",
      "The unit's setting 'steps' is '0', but must be" },
    { "name=\"communication-step\" value=\"1\"", "name=\"communication-step\" value=\"-1\"",
      "error[SET01]" },
    { "name=\"schedule\" value=\"cascading\"", "name=\"schedule\" value=\"waterfall\"",
      "The setting 'schedule' is 'waterfall', but must be" },
    { "          <parameter name=\"period\" value=\"1\"/>\n",
      "          <parameter name=\"period\" value=\"1\"/>\n"
      "          <unit name=\"steps\" value=\"1\"/>\n",
      "error[COS01]: S1.State: Only a Subsystem can be a unit of co-simulation" },
  };
  g_autofree char *text = read_example ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wrong = replace (text, cases[i].old, cases[i].with);
      g_autofree char *name = write_file (wrong);
      g_auto (Outcome) outcome = weir (ARGUMENTS ("check", name));

      g_unlink (name);
      g_test_message ("%s", outcome.out);
      g_assert_cmpint (outcome.status, ==, 1);
      g_assert_nonnull (strstr (outcome.out, cases[i].sentence));
    }
}

static void
test_options (void)
{
  g_autofree char *file = example ("five-simulators.weir");
  g_auto (Outcome) schedule = weir (ARGUMENTS ("run", file, "--schedule", "waterfall"));
  g_auto (Outcome) linear = weir (ARGUMENTS ("linearize", file, "--output", "S5.y"));
  g_auto (Outcome) threads = weir (ARGUMENTS ("run", file, "--threads", "-1"));
  g_auto (Outcome) inside = weir (ARGUMENTS ("run", file, "--log", "S1.State.y"));

  g_assert_cmpint (linear.status, ==, 0);
  g_assert_nonnull (strstr (linear.err, "what they give there, held"));
  g_assert_cmpint (schedule.status, ==, 2);
  g_assert_nonnull (strstr (schedule.err, "waterfall"));
  g_assert_cmpint (threads.status, ==, 2);
  g_assert_cmpint (inside.status, ==, 2);
  g_assert_nonnull (strstr (inside.err, "it lies in the unit \"S1\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/cosim/schedules", test_schedules);
  g_test_add_func ("/cli/cosim/cuts", test_cuts);
  g_test_add_func ("/cli/cosim/unrelated", test_unrelated);
  g_test_add_func ("/cli/cosim/max", test_max);
  g_test_add_func ("/cli/cosim/no-feedback", test_no_feedback);
  g_test_add_func ("/cli/cosim/loop", test_loop);
  g_test_add_func ("/cli/cosim/delayed", test_delayed);
  g_test_add_func ("/cli/cosim/iterated", test_iterated);
  g_test_add_func ("/cli/cosim/orders", test_orders);
  g_test_add_func ("/cli/cosim/examples", test_examples);
  g_test_add_func ("/cli/cosim/off", test_off);
  g_test_add_func ("/cli/cosim/verify", test_verify);
  g_test_add_func ("/cli/cosim/checkpoint", test_checkpoint);
  g_test_add_func ("/cli/cosim/info", test_info);
  g_test_add_func ("/cli/cosim/errors", test_errors);
  g_test_add_func ("/cli/cosim/options", test_options);
  return g_test_run ();
}
