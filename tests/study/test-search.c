/* Searches: optima of functions with known ones, fits against scipy, and that a search repeats
 * itself to the bit however it is run, interrupted or repeated.
 *
 * The model: x' = a b (c - x) from 0 by RK4; beside the loop a gain that nothing looks at.
 */
#include <math.h>
#include <string.h>

#include "fixture.h"

#define GAIN(id, name)                                                                             \
  "<block id='" id "' type='Gain' name='" name "' x='0' y='0'>"                                    \
  "<parameter name='gain' value='1'/></block>"

static void
write_model (void)
{
  write_file ("m.weir",
              "<weir version='1'><settings><setting name='solver' value='rk4'/>"
              "<setting name='step' value='0.01'/><setting name='stop-time' value='0.02'/>"
              "</settings><diagram>"
              "<block id='1' type='Constant' name='C' x='0' y='0'>"
              "<parameter name='value' value='1'/></block>"
              "<block id='2' type='Sum' name='S' x='0' y='0'>"
              "<parameter name='signs' value='+-'/></block>" GAIN ("3", "A") GAIN ("4", "B")
                  GAIN ("5", "Beside") "<block id='6' type='Integrator' name='X' x='0' y='0'/>"
                                       "<wire id='7' from='1.y' to='2.in1'/>"
                                       "<wire id='8' from='6.y' to='2.in2'/>"
                                       "<wire id='9' from='2.y' to='3.u'/>"
                                       "<wire id='10' from='3.y' to='4.u'/>"
                                       "<wire id='11' from='4.y' to='6.u'/>"
                                       "<wire id='12' from='6.y' to='5.u'/></diagram></weir>");
}

/* --- A search -------------------------------------------------------------------------------- */

static const WeirSearchStart *
search (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  f->search = weir_study_search (f->study, f->subject, f->store, &f->options, &f->progress, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (f->search->best, <, f->search->n_starts);
  return &f->search->starts[f->search->best];
}

static gboolean
put_point (const WeirPointResult *result, gpointer data)
{
  GByteArray *bytes = data;

  g_byte_array_append (bytes, (const guint8 *) &result->i, sizeof result->i);
  g_byte_array_append (bytes, result->key, WEIR_RUN_KEY_SIZE);
  g_byte_array_append (bytes, (const guint8 *) result->values, 2 * sizeof (double));
  g_byte_array_append (bytes, (const guint8 *) result->figures, sizeof (double));
  return TRUE;
}

/* All points of a study of two parameters and a figure, or more. */
static GByteArray *
dump (const Fixture *f)
{
  GByteArray *bytes = g_byte_array_new ();

  weir_study_store_foreach (f->store, 0, G_MAXINT64, FALSE, put_point, bytes, NULL);
  g_assert_cmpuint (bytes->len, >, 0);
  return bytes;
}

#define STUDY(attributes, rest, figures)                                                           \
  "<study version='1' model='m.weir' seed='3'><points method=" attributes ">" rest                 \
  "</points><keep>" figures "</keep></study>"
#define A(range) "<parameter path='A.gain' name='a' " range "/>"
#define B(range) "<parameter path='B.gain' name='b' " range "/>"

/* --- Optima ---------------------------------------------------------------------------------- */

#define VALLEY(attributes)                                                                         \
  STUDY ("'optimise' n='2000' " attributes,                                                        \
         A ("from='-2' to='2' middle='-1.2'")                                                      \
             B ("from='-1' to='3' middle='1'") "<objective figure='f'/>",                          \
         "<figure name='f' is='(1-a)^2 + 100*(b-a^2)^2'/>")

/* Rosenbrock's function: 0 at (1, 1), by every method; from -1.2, 1 where it is local. */
static void
test_valley (void)
{
  static const struct {
    const char *text;
    double tolerance;
  } table[] = {
    { VALLEY (""), 1e-5 },
    { VALLEY ("algorithm='sbplx' tolerance='1e-8'"), 1e-4 },
    { VALLEY ("algorithm='nelder-mead' tolerance='1e-8'"), 1e-4 },
    { VALLEY ("algorithm='crs'"), 1e-3 },
    { VALLEY ("algorithm='bobyqa' starts='3'"), 1e-5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const WeirSearchStart *best;
      Fixture f;

      remove_file ("s.results");
      open_study (&f, table[i].text, "s.results", NULL);
      best = search (&f);
      g_assert_cmpfloat_with_epsilon (best->values[0], 1, table[i].tolerance);
      g_assert_cmpfloat_with_epsilon (best->values[1], 1, 2 * table[i].tolerance);
      g_assert_cmpfloat_with_epsilon (best->value, 0, table[i].tolerance);
      close_study (&f);
    }
}

/* Hock and Schittkowski's problem 71: 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082). */
static void
test_constraints (void)
{
  Fixture f;
  const WeirSearchStart *best;
  static const double expected[] = { 1, 4.7429994, 3.8211503, 1.3794082 };

  remove_file ("s.results");
  open_study (
      &f,
      STUDY ("'optimise' n='2000' tolerance='1e-8'",
             A ("from='1' to='5' middle='1'") B (
                 "from='1' to='5' middle='5'") "<parameter path='C.value' name='c' from='1' to='5' "
                                               "middle='5'/>"
                                               "<parameter path='Beside.gain' name='d' from='1' "
                                               "to='5' middle='1'/>"
                                               "<objective figure='f'/><constraint "
                                               "figure='product' from='25'/>"
                                               "<constraint figure='squares' from='40' to='40'/>",
             "<figure name='f' is='a*d*(a+b+c)+c'/><figure name='product' is='a*b*c*d'/>"
             "<figure name='squares' is='a^2+b^2+c^2+d^2'/>"),
      "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->value, 17.0140173, 1e-4);
  for (guint k = 0; k < 4; k++)
    g_assert_cmpfloat_with_epsilon (best->values[k], expected[k], 1e-3);
  g_assert_cmpfloat (best->excess, ==, 0);
  close_study (&f);
}

/* The largest of one parameter, and limits that nothing keeps within: the nearest to them. */
static void
test_one_parameter (void)
{
  Fixture f;
  const WeirSearchStart *best;

  remove_file ("s.results");
  open_study (&f,
              STUDY ("'optimise'",
                     A ("from='0' to='3' middle='0.5'") "<objective figure='f' goal='largest'/>",
                     "<figure name='f' is='sin(a)'/>"),
              "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], G_PI / 2, 1e-4);
  g_assert_cmpfloat_with_epsilon (best->value, 1, 1e-9);
  close_study (&f);

  open_study (&f,
              STUDY ("'optimise'",
                     A ("from='0' to='3' middle='0.5'") "<objective figure='f'/>"
                                                        "<constraint figure='f' from='4'/>",
                     "<figure name='f' is='a'/>"),
              "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], 3, 1e-9);
  g_assert_cmpfloat_with_epsilon (best->excess, 0.25, 1e-9);
  close_study (&f);
}

/* Where the figure has no value (the root of a - 1 below 1), the search turns back. */
static void
test_missing_figure (void)
{
  Fixture f;
  const WeirSearchStart *best;

  remove_file ("s.results");
  open_study (&f,
              STUDY ("'optimise' algorithm='sbplx'",
                     A ("from='0' to='3' middle='2.5'") "<objective figure='f'/>",
                     "<figure name='f' is='(a-1.1)^2 + 0*sqrt(a-1)'/>"),
              "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], 1.1, 1e-3);
  close_study (&f);
}

/* --- Fits ------------------------------------------------------------------------------------ */

static guint64
next_split (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* splitmix64 from 42, and Box and Muller's method: one normal number of two. */
static double
next_normal (guint64 *state)
{
  double u[2];

  for (guint i = 0; i < 2; i++)
    u[i] = (double) ((next_split (state) >> 11) + (i == 0)) / 0x1p53;
  return sqrt (-2 * log (u[0])) * cos (2 * G_PI * u[1]);
}

/* y = 2 (1 - exp (-t / 0.8)) and noise of 0.02, every 0.05 s up to 5 s; but for row @without. */
static void
write_step (guint without)
{
  g_autoptr (GString) text = g_string_new ("time,y\n");
  guint64 state = 42;

  for (guint i = 0; i <= 100; i++)
    {
      double t = i / 20.0, y = 2 * (1 - exp (-t / 0.8)) + 0.02 * next_normal (&state);

      if (i != without)
        g_string_append_printf (text, "%.17g,%.17g\n", t, y);
    }
  write_file ("step.csv", text->str);
}

#define FIT(attributes, parameters)                                                                \
  STUDY ("'fit' " attributes,                                                                      \
         parameters "<measured file='step.csv'/>"                                                  \
                    "<match port='X.y' column='y'/>",                                              \
         "<figure name='last' what='final' of='X.y'/>")
#define C_VALUE "<parameter path='C.value' name='c' from='0.1' to='10'/>"

static const char first_order[] = FIT ("", A ("from='0.1' to='10'") C_VALUE);

/* scipy.optimize.curve_fit of the same numbers, y = c (1 - exp (-a t)), and 95 % from its
 * covariances by scipy.stats.t. The model's own error is below 1e-9. */
static void
test_first_order (void)
{
  static const char *const texts[] = {
    first_order,
    FIT ("starts='2'", A ("from='0.01' to='100' distribution='log-uniform'") C_VALUE),
  };

  write_step (G_MAXUINT);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const WeirSearchStart *best;
      const WeirFittedParameter *a, *c;
      Fixture f;

      remove_file ("s.results");
      open_study (&f, texts[i], "s.results", NULL);
      best = search (&f);
      a = &f.search->fitted[0];
      c = &f.search->fitted[1];
      g_assert_cmpstr (best->outcome, ==, "found");
      g_assert_cmpfloat_with_epsilon (best->values[0], 1.2512157433, 1e-7);
      g_assert_cmpfloat_with_epsilon (best->values[1], 1.9984171574, 1e-7);
      g_assert_cmpfloat_with_epsilon (best->value, 0.03922629225, 1e-10);
      g_assert_cmpfloat_with_epsilon (a->error, 0.00843065, 1e-7);
      g_assert_cmpfloat_with_epsilon (c->error, 0.00307538, 1e-7);
      g_assert_cmpfloat_with_epsilon (c->low, 1.99231494, 1e-6);
      g_assert_cmpfloat_with_epsilon (c->high, 2.00451938, 1e-6);
      if (i == 0)
        {
          g_assert_cmpfloat_with_epsilon (a->low, 1.23448751, 1e-6);
          g_assert_cmpfloat_with_epsilon (a->high, 1.26794398, 1e-6);
          g_assert_cmpfloat_with_epsilon (f.search->correlations[1], -0.67302786, 1e-5);
        }
      g_assert_cmpuint (f.search->warnings->len, ==, 0);
      g_assert_cmpuint (f.search->n_residuals, ==, 101);
      close_study (&f);
    }
}

/* A straight line through noise, y = 1 + 2 t + 0.1 n every 0.1 s up to 10 s: ordinary least squares
 * in closed form, slope = sum (t - mean t) (y - mean y) / sum (t - mean t)^2. The generator's first
 * numbers are those of its authors' program. */
static void
test_line (void)
{
  static const char model[] =
      "<weir version='1'><settings><setting name='solver' value='rk4'/>"
      "<setting name='step' value='0.1'/><setting name='stop-time' value='10'/></settings><diagram>"
      "<block id='1' type='Clock' name='T' x='0' y='0'/>" GAIN (
          "2", "A") "<block id='3' type='Constant' name='C' x='0' y='0'><parameter name='value' "
                    "value='0'/></block>"
                    "<block id='4' type='Sum' name='X' x='0' y='0'><parameter name='signs' "
                    "value='++'/></block>"
                    "<wire id='5' from='1.y' to='2.u'/><wire id='6' from='2.y' to='4.in1'/>"
                    "<wire id='7' from='3.y' to='4.in2'/></diagram></weir>";
  g_autoptr (GString) text = g_string_new ("time,y\n");
  const WeirSearchStart *best;
  guint64 state = 42;
  Fixture f;

  g_assert_cmpuint (next_split (&state), ==, G_GUINT64_CONSTANT (13679457532755275413));
  g_assert_cmpuint (next_split (&state), ==, G_GUINT64_CONSTANT (2949826092126892291));
  state = 42;
  g_assert_cmpfloat_with_epsilon (next_normal (&state), .4147197504, 5e-11);
  state = 42;
  for (guint i = 0; i <= 100; i++)
    g_string_append_printf (text, "%.17g,%.17g\n", i / 10.0,
                            1 + 2 * (i / 10.0) + 0.1 * next_normal (&state));
  write_file ("step.csv", text->str);
  write_file ("m.weir", model);
  remove_file ("s.results");
  open_study (&f,
              FIT ("", A ("from='-10' to='10'") "<parameter path='C.value' name='c' from='-10' "
                                                "to='10'/>"),
              "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], 1.999736839, 5e-9);
  g_assert_cmpfloat_with_epsilon (best->values[1], .994161843, 5e-9);
  g_assert_cmpfloat_with_epsilon (f.search->fitted[0].error, .00339358, 5e-8);
  g_assert_cmpfloat_with_epsilon (f.search->fitted[1].error, .01964174, 5e-8);
  close_study (&f);
}

/* Misra1a of NIST's Statistical Reference Datasets, y = c (1 - exp (-a x)), as the step response
 * that it is: parameters, their standard errors and the sum of squares as certified. */
static void
test_misra (void)
{
  static const double rows[][2] = {
    { 10.07, 77.6 },  { 14.73, 114.9 }, { 17.94, 141.1 }, { 23.93, 190.8 }, { 29.61, 239.9 },
    { 35.18, 289.0 }, { 40.02, 332.8 }, { 44.82, 378.4 }, { 50.76, 434.8 }, { 55.05, 477.3 },
    { 61.01, 536.8 }, { 66.40, 593.1 }, { 75.47, 689.1 }, { 81.78, 760.0 },
  };
  g_autoptr (GString) text = g_string_new ("time,y\n");
  const WeirSearchStart *best;
  Fixture f;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_string_append_printf (text, "%.17g,%.17g\n", rows[i][1], rows[i][0]);
  write_file ("step.csv", text->str);
  remove_file ("s.results");
  open_study (&f,
              "<study version='1' model='m.weir' seed='3'><setting name='step' value='0.1'/>"
              "<setting name='record-interval' value='0.1'/><points method='fit'>"
              "<parameter path='A.gain' name='a' from='1e-5' to='1e-2' distribution='log-uniform'/>"
              "<parameter path='C.value' name='c' from='1' to='1000'/>"
              "<measured file='step.csv'/><match port='X.y' column='y'/></points><keep>"
              "<figure name='last' what='final' of='X.y'/></keep></study>",
              "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], 5.5015643181e-4, 1e-8 * 5.5e-4);
  g_assert_cmpfloat_with_epsilon (best->values[1], 238.94212918, 1e-6 * 239);
  g_assert_cmpfloat_with_epsilon (best->value, .12455138894, 1e-9);
  g_assert_cmpfloat_with_epsilon (f.search->fitted[1].error, 2.7070075241, 1e-3);
  close_study (&f);
}

/* A time that is on no grid: rows between are as good. */
static void
test_off_grid (void)
{
  Fixture f;
  const WeirSearchStart *best;
  g_autoptr (GString) text = g_string_new ("time;y\n0;0\n");

  for (guint i = 1; i <= 40; i++)
    {
      double t = 2 * sqrt (i / 40.0);
      g_autofree char *row = g_strdup_printf ("%.17g;%.17g\n", t, 1.5 * (1 - exp (-0.7 * t)));

      g_string_append (text, row);
    }
  write_file ("step.csv", text->str);
  remove_file ("s.results");
  open_study (&f, first_order, "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat_with_epsilon (best->values[0], 0.7, 1e-6);
  g_assert_cmpfloat_with_epsilon (best->values[1], 1.5, 1e-6);
  close_study (&f);
}

/* The motor of the examples: four parameters, of which two shape each block, from noisy current and
 * speed in its control loop. scipy.optimize.least_squares of the same table with the loop's matrix
 * exponential; the table was made with (0.55, 1.1, 0.009, 0.12). */
static void
test_motor (void)
{
  static const double expected[][2] = { { 0.56173131, 0.00618088 },
                                        { 1.12617675, 0.01347909 },
                                        { 0.00880169, 0.00012122 },
                                        { 0.11748094, 0.00106941 } };
  static const char *const files[] = { "motor-fit.weirstudy", "motor-measured.csv",
                                       "dc-motor.weir" };
  g_autofree char *study = NULL;
  const WeirSearchStart *best;
  Fixture f;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", files[i], NULL);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      g_file_get_contents (path, &text, NULL, &error);
      g_assert_no_error (error);
      write_file (files[i], text);
      if (i == 0)
        study = g_steal_pointer (&text);
    }
  remove_file ("s.results");
  open_study (&f, study, "s.results", NULL);
  best = search (&f);
  for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
    {
      g_assert_cmpfloat_with_epsilon (best->values[k], expected[k][0], 1e-5 * expected[k][0]);
      g_assert_cmpfloat_with_epsilon (f.search->fitted[k].error, expected[k][1],
                                      1e-3 * expected[k][1]);
    }
  g_assert_cmpfloat_with_epsilon (best->value, 517.552355, 1e-4);
  g_assert_cmpfloat_with_epsilon (f.search->correlations[2], -0.86355921, 1e-3);
  g_assert_cmpuint (f.search->warnings->len, ==, 0);
  close_study (&f);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    remove_file (files[i]);
}

static void
assert_warning (const Fixture *f, const char *pattern)
{
  for (guint i = 0; i < f->search->warnings->len; i++)
    if (g_pattern_match_simple (pattern, weir_message_get_text (f->search->warnings->pdata[i])))
      return;
  g_error ("no warning matches %s", pattern);
}

/* Only the product of two gains shows; a gain beside the loop does not show at all; a range that
 * ends before the optimum. */
static void
test_not_identifiable (void)
{
  Fixture f;
  const WeirSearchStart *best;

  write_step (G_MAXUINT);
  remove_file ("s.results");
  open_study (&f,
              FIT ("", A ("from='0.1' to='10'") B ("from='0.1' to='10'") C_VALUE
                   "<parameter path='Beside.gain' name='d' from='0.1' to='10'/>"),
              "s.results", NULL);
  best = search (&f);
  assert_warning (&f, "a, b cannot be told apart*");
  assert_warning (&f, "d cannot be told from these data*");
  g_assert_cmpfloat_with_epsilon (best->values[0] * best->values[1], 1.2512157433, 1e-6);
  g_assert_true (isnan (f.search->fitted[0].error) && isnan (f.search->fitted[3].error));
  g_assert_cmpfloat_with_epsilon (f.search->fitted[2].error, 0.00307538, 1e-4);
  close_study (&f);

  open_study (&f, FIT ("", A ("from='2' to='10'") C_VALUE), "s.results", NULL);
  best = search (&f);
  g_assert_cmpfloat (best->values[0], ==, 2);
  assert_warning (&f, "a lies on the end of its range, 2*");
  close_study (&f);
}

/* --- The same again -------------------------------------------------------------------------- */

static GByteArray *
search_with (const char *text, guint threads, const char *cache, WeirStudyProgress *progress)
{
  Fixture f;
  GByteArray *bytes;

  remove_file ("s.results");
  open_study (&f, text, "s.results", cache);
  f.options.threads = threads;
  search (&f);
  bytes = dump (&f);
  *progress = f.progress;
  close_study (&f);
  return bytes;
}

/* Threads, a filled cache, results of which the last are gone, and a search for longer before. */
static void
test_repeats (void)
{
  static const char *const texts[] = {
    VALLEY ("algorithm='crs' starts='4'"),
    first_order,
  };

  write_step (G_MAXUINT);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      WeirStudyProgress progress;
      g_autoptr (GByteArray) whole = NULL, threaded = NULL, cached = NULL, resumed = NULL;
      g_autoptr (GError) error = NULL;
      guint64 n;
      Fixture f;

      remove_file ("runs.db");
      whole = search_with (texts[i], 1, NULL, &progress);
      n = progress.n_ended;
      g_assert_cmpuint (progress.n_computed, ==, n);
      threaded = search_with (texts[i], 4, "runs.db", &progress);
      g_assert_cmpmem (threaded->data, threaded->len, whole->data, whole->len);
      cached = search_with (texts[i], 2, "runs.db", &progress);
      g_assert_cmpmem (cached->data, cached->len, whole->data, whole->len);
      g_assert_cmpuint (progress.n_computed, ==, 0);
      g_assert_cmpuint (progress.n_cached, ==, n);

      open_study (&f, texts[i], "s.results", NULL);
      weir_study_store_drop (f.store, 7, G_MAXINT64, &error);
      search (&f);
      g_assert_cmpuint (f.progress.n_kept, ==, 7);
      g_assert_cmpuint (f.progress.n_computed, ==, n - 7);
      resumed = dump (&f);
      g_assert_cmpmem (resumed->data, resumed->len, whole->data, whole->len);
      close_study (&f);
    }
}

static void
test_stopped (void)
{
  static const char *const texts[] = { VALLEY ("starts='3'"), first_order };
  const gint cancel = 1;

  write_step (G_MAXUINT);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      Fixture f;

      remove_file ("s.results");
      open_study (&f, texts[i], "s.results", NULL);
      f.options.cancel = &cancel;
      g_assert_null (
          weir_study_search (f.study, f.subject, f.store, &f.options, &f.progress, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      close_study (&f);
    }
}

/* --- What is wrong --------------------------------------------------------------------------- */

static void
test_refusals (void)
{
#define FIGURE "<figure name='f' is='a'/>"
  static const char *const table[][2] = {
    { STUDY ("'optimise'", "<objective figure='f'/>", "<figure name='f' is='1'/>"),
      "*needs parameters*" },
    { STUDY ("'optimise'", A ("from='0' to='1'"), FIGURE), "*needs an <objective>*" },
    { STUDY ("'optimise'", A ("from='0' to='1'") "<objective figure='g'/>", FIGURE),
      "*no figure \"g\"*" },
    { STUDY ("'optimise'", A ("from='0'") "<objective figure='f'/>", FIGURE),
      "*needs the attribute \"to\"*" },
    { STUDY ("'optimise'", A ("distribution='normal' mean='0' deviation='1'"), FIGURE),
      "*normal, but a search takes its ends*" },
    { STUDY ("'optimise' algorithm='best'", A ("from='0' to='1'"), FIGURE),
      "*\"best\"*must be one of usual, bobyqa*" },
    { STUDY ("'optimise' tolerance='2'", A ("from='0' to='1'"), FIGURE),
      "*tolerance of <points>*" },
    { STUDY ("'optimise' algorithm='crs'",
             A ("from='0' to='1'") "<objective figure='f'/><constraint figure='f' to='1'/>",
             FIGURE),
      "*crs keeps no constraints*" },
    { STUDY ("'optimise'", A ("from='0' to='1'") "<constraint figure='f'/>", FIGURE),
      "*\"from\", \"to\" or both*" },
    { STUDY ("'random' n='1' starts='2'", A ("from='0' to='1'"), FIGURE), "*has no starts*" },
    { STUDY ("'random' n='1'", A ("from='0' to='1'") "<objective figure='f'/>", FIGURE),
      "*random has no <objective>; optimise does*" },
    { STUDY ("'fit'", A ("from='0' to='1'"), FIGURE), "*needs <measured>*" },
    { STUDY ("'fit' n='3'", A ("from='0' to='1'"), FIGURE), "*needs at least 4 points*" },
    { STUDY ("'fit'",
             A ("from='0' to='1'") "<measured file='x.csv'/><match port='X.y' column='y'/>"
                                   "<match port='A.y' column='z'/>",
             FIGURE),
      "*needs the attribute \"deviation\"*" },
    { STUDY ("'fit'",
             A ("from='0' to='1'") "<measured file='x.csv'/><match port='X.y' column='y'/>",
             FIGURE),
      "*error[STU08]*x.csv*" },
    { STUDY ("'fit'",
             A ("from='0' to='1'") "<measured file='step.csv'/><match port='X.y' column='z'/>",
             FIGURE),
      "*error[STU08]*step.csv has no column \"z\"*" },
    { "<study version='1' model='m.weir'><setting name='stop-time' value='4'/><points "
      "method='fit'>" A (
          "from='0' to='1'") "<measured file='step.csv'/><match port='X.y' column='y'/>"
                             "</points><keep/></study>",
      "*error[STU08]*from 0 s to 5 s, but runs go from 0 s to 4 s*" },
  };
#undef FIGURE

  write_step (G_MAXUINT);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *path = dup_path ("s.weirstudy"), *line = NULL;
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirStudy) study = NULL;

      write_file ("s.weirstudy", table[i][0]);
      study = weir_study_read_file (path, diagnostics);
      if (study != NULL)
        g_assert_null (weir_study_subject_new (study, diagnostics));
      line = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, 0));
      if (!g_pattern_match_simple (table[i][1], line))
        g_error ("%s\n does not match %s", line, table[i][1]);
    }
}

/* Written, read and written again. */
static void
test_round_trip (void)
{
  static const char *const texts[] = { VALLEY ("algorithm='crs' starts='4'"), first_order };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (GBytes) text = g_bytes_new_static (texts[i], strlen (texts[i]));
      g_autoptr (WeirStudy) study = weir_study_read_bytes (text, "s", diagnostics);
      g_autoptr (GBytes) once = weir_study_write_bytes (study), twice = NULL, copied = NULL;
      g_autoptr (WeirStudy) again = weir_study_read_bytes (once, "s", diagnostics);
      g_autoptr (WeirStudy) copy = weir_study_copy (study);

      g_assert_nonnull (again);
      twice = weir_study_write_bytes (again);
      g_assert_true (g_bytes_equal (once, twice));
      g_assert_cmpuint (weir_study_get_n_points (study), ==, weir_study_get_n_points (again));
      g_clear_pointer (&study, weir_study_free);
      copied = weir_study_write_bytes (copy);
      g_assert_true (g_bytes_equal (once, copied));
    }
}

/* --- The tests ------------------------------------------------------------------------------- */

static const struct {
  const char *path;
  void (*test) (void);
} tests[] = {
  { "/study/search/valley", test_valley },
  { "/study/search/constraints", test_constraints },
  { "/study/search/one-parameter", test_one_parameter },
  { "/study/search/missing-figure", test_missing_figure },
  { "/study/search/first-order", test_first_order },
  { "/study/search/line", test_line },
  { "/study/search/misra", test_misra },
  { "/study/search/off-grid", test_off_grid },
  { "/study/search/motor", test_motor },
  { "/study/search/not-identifiable", test_not_identifiable },
  { "/study/search/repeats", test_repeats },
  { "/study/search/stopped", test_stopped },
  { "/study/search/refusals", test_refusals },
  { "/study/search/round-trip", test_round_trip },
};

static void
run_in_folder (gconstpointer data)
{
  static const char *const files[] = { "m.weir", "step.csv", "s.weirstudy", "s.results",
                                       "runs.db" };

  folder = g_dir_make_tmp ("weir-search-XXXXXX", NULL);
  write_model ();
  tests[GPOINTER_TO_UINT (data)].test ();
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    remove_file (files[i]);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_clear_pointer (&folder, g_free);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].path, GUINT_TO_POINTER (i), run_in_folder);
  return g_test_run ();
}
