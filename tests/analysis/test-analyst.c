/* What an analyst finds of a loop and keeps of it: numbers of closed forms and of 40-digit
 * arithmetic (python-control 0.10 agrees in the digits given), which stages a change costs, and the
 * margins of the examples.
 */
#include <math.h>
#include <string.h>

#include "analysis/analyst.h"
#include "analysis/relay.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

/* R - P, negative feedback around P and a scope S beside it. */
static WeirSystem *
make_loop (const char *numerator, const char *denominator, const char *delay, const char *beside)
{
  g_autofree char *xml = g_strdup_printf (
      "<?xml version=\"1.0\"?><weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\"/>"
      "<block id=\"2\" type=\"Sum\" name=\"E\" x=\"0\" y=\"0\"><parameter name=\"signs\" "
      "value=\"+-\"/></block>"
      "<block id=\"3\" type=\"TransferFunction\" name=\"P\" x=\"0\" y=\"0\">"
      "<parameter name=\"numerator\" value=\"%s\"/><parameter name=\"denominator\" "
      "value=\"%s\"/></block>"
      "<block id=\"4\" type=\"TransportDelay\" name=\"D\" x=\"0\" y=\"0\"><parameter "
      "name=\"delay\" value=\"%s\"/></block>"
      "<block id=\"5\" type=\"Gain\" name=\"Beside\" x=\"0\" y=\"0\"><parameter name=\"gain\" "
      "value=\"%s\"/></block>"
      "<wire id=\"91\" from=\"1.y\" to=\"2.in1\"/><wire id=\"92\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"93\" from=\"3.y\" to=\"%s\"/><wire id=\"94\" from=\"%s\" to=\"2.in2\"/>%s"
      "</diagram></weir>",
      numerator, denominator, delay != NULL ? delay : "1", beside, "4.u",
      delay != NULL ? "4.y" : "3.y", "<wire id=\"95\" from=\"3.y\" to=\"5.u\"/>");
  g_autoptr (GBytes) bytes = g_bytes_new (xml, strlen (xml));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "loop", diagnostics);
  WeirSystem *system = model != NULL ? weir_model_complete (model, diagnostics) : NULL;

  g_assert_nonnull (system);
  return system;
}

static WeirLinearQuestion
ask_loop (WeirSystem *system, const WeirAnalysisPoint *point)
{
  WeirLinearQuestion question = { .system = system,
                                  .points = point,
                                  .n_points = 1,
                                  .is_flipped = TRUE,
                                  .is_loop = TRUE,
                                  .gain = 1,
                                  .wanted = 1u << WEIR_STAGE_STEP };

  weir_simulator_options_init (&question.options);
  return question;
}

/* --- Steps ------------------------------------------------------------------------------------ */

typedef struct {
  const char *name, *numerator, *denominator;
  gboolean is_loop;
  double rise, settling, overshoot, undershoot, peak, peak_time, tolerance;
} StepCase;

static const StepCase steps[] = {
  { "p0", "[1, 5, 5]", "[1, 1.65, 5, 6.5, 2]", FALSE, 3.843416801, 27.98008554, NAN, NAN,
    2.687824729, 8.083924, 5e-9 },
  { "p1 closed", "1", "[1, 3, 2, 0]", TRUE, 2.677341281, 12.35949783, NAN, NAN, 1.144619094,
    6.077677, 5e-9 },
  { "p2", "4", "[1, 2, 4]", FALSE, .8187864737, 4.038174487, 16.30335348, NAN, NAN, 1.813799364,
    5e-9 },
  { "p3", "[-2, 2]", "[1, 3, 2]", FALSE, 2.419939812, 5.294546095, NAN, 100 / 3., NAN, NAN, 5e-9 },
  { "p6", "1", "[1, 4, 6, 4, 1]", FALSE, 4.936013505, 9.084115382, NAN, NAN, NAN, NAN, 5e-9 },
};

static void
assert_near (double value, double expected, double tolerance)
{
  if (!isnan (expected))
    g_assert_cmpfloat_with_epsilon (value, expected, tolerance * (1 + fabs (expected)));
}

static void
test_step (gconstpointer data)
{
  const StepCase *c = data;
  g_autoptr (WeirSystem) system = make_loop (c->numerator, c->denominator, NULL, "1");
  const WeirAnalysisPoint loop = { "P.y", WEIR_POINT_LOOP };
  const WeirAnalysisPoint plain[] = { { "P.u", WEIR_POINT_INPUT | WEIR_POINT_BREAK },
                                      { "P.y", WEIR_POINT_OUTPUT } };
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  WeirLinearQuestion question = ask_loop (system, c->is_loop ? &loop : plain);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirLinearAnswer) answer = NULL;
  const WeirLinearStepFigures *f;

  question.n_points = c->is_loop ? 1 : 2;
  question.is_loop = question.is_flipped = c->is_loop;
  answer = weir_analyst_ask (analyst, &question, &error);
  g_assert_no_error (error);
  f = &answer->step->figures;
  g_assert_true (f->is_settling);
  assert_near (f->rise, c->rise, c->tolerance);
  assert_near (f->settling, c->settling, c->tolerance);
  assert_near (f->overshoot, c->overshoot, c->tolerance);
  assert_near (f->undershoot, c->undershoot, c->tolerance);
  assert_near (f->peak, c->peak, c->tolerance);
  assert_near (f->peak_time, c->peak_time, 1e-7);
}

/* 1 / s with unit feedback through a delay of 1 s: y = t - 1 up to 2 s, then t - 1 - (t - 2)^2 / 2
 * up to 3 s (method of steps). */
static void
test_delayed_step (void)
{
  g_autoptr (WeirSystem) system = make_loop ("1", "[1, 0]", "1", "1");
  const WeirAnalysisPoint point = { "D.y", WEIR_POINT_LOOP };
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  WeirLinearQuestion question = ask_loop (system, &point);
  g_autoptr (WeirLinearAnswer) answer = weir_analyst_ask (analyst, &question, NULL);
  const WeirTimeResponse *step = answer->step;

  g_assert_true (step->figures.is_settling);
  g_assert_cmpfloat_with_epsilon (step->figures.final, 1, 1e-12);
  for (guint k = 0; k < step->n && step->times[k] <= 3; k++)
    {
      double t = step->times[k];
      double y = t <= 1 ? 0 : t <= 2 ? t - 1 : t - 1 - (t - 2) * (t - 2) / 2;

      g_assert_cmpfloat_with_epsilon (step->values[k], y, 1e-4);
    }
}

/* --- What is kept ----------------------------------------------------------------------------- */

static void
assert_same (const WeirLinearAnswer *a, const WeirLinearAnswer *b)
{
  guint n = a->frequencies->len;

  g_assert_cmpuint (n, ==, b->frequencies->len);
  g_assert_cmpmem (a->values, n * sizeof *a->values, b->values, n * sizeof *b->values);
  g_assert_cmpmem (a->phases, n * sizeof (double), b->phases, n * sizeof (double));
  g_assert_cmpmem (a->poles->data, a->poles->len * sizeof (double complex), b->poles->data,
                   b->poles->len * sizeof (double complex));
  g_assert_cmpmem (&a->margins->phase, sizeof a->margins->phase, &b->margins->phase,
                   sizeof b->margins->phase);
  g_assert_cmpmem (a->step->values, a->step->n * sizeof (double), b->step->values,
                   b->step->n * sizeof (double));
}

static void
test_kept (void)
{
  g_autoptr (WeirSystem) system = make_loop ("1", "[1, 3, 2, 0]", NULL, "1");
  g_autoptr (WeirSystem) beside = make_loop ("1", "[1, 3, 2, 0]", NULL, "7");
  g_autoptr (WeirSystem) other = make_loop ("3", "[1, 3, 2, 0]", NULL, "1");
  const WeirAnalysisPoint point = { "P.y", WEIR_POINT_LOOP };
  const guint with_gain = 1u << WEIR_STAGE_MARGINS | 1u << WEIR_STAGE_CLOSED
                          | 1u << WEIR_STAGE_STEP;
  const guint of_model = 1u << WEIR_STAGE_POINT | 1u << WEIR_STAGE_LOOP;
  const guint all = with_gain | of_model | 1u << WEIR_STAGE_ROOTS | 1u << WEIR_STAGE_RESPONSE;
  const struct {
    WeirSystem *system;
    double gain;
    guint computed;
  } asked[] = {
    { system, 1, all },       { system, 1, 0 },
    { system, 2, with_gain },                          /* a gain costs no linearisation */
    { system, 1, 0 },         { beside, 1, of_model }, /* not seen between the points */
    { other, 1, all },        { system, 1, 0 },
  };
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  g_autoptr (WeirAnalyst) forgetful = weir_analyst_new ();

  weir_analyst_set_keeping (forgetful, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      WeirLinearQuestion question = ask_loop (asked[i].system, &point);
      g_autoptr (WeirLinearAnswer) answer = NULL;
      g_autoptr (WeirLinearAnswer) anew = NULL;

      question.gain = asked[i].gain;
      answer = weir_analyst_ask (analyst, &question, NULL);
      anew = weir_analyst_ask (forgetful, &question, NULL);
      g_assert_cmphex (answer->computed, ==, asked[i].computed);
      g_assert_cmpuint (answer->n_hits + answer->n_misses, ==, 7);
      g_assert_cmphex (anew->computed, ==, all);
      assert_same (answer, anew);
    }
}

static void
test_errors (void)
{
  g_autoptr (WeirSystem) system = make_loop ("1", "[1, 3, 2, 0]", NULL, "1");
  const struct {
    WeirAnalysisPoint point;
    const char *says;
  } cases[] = {
    { { "P.z", WEIR_POINT_LOOP }, "*no port \"P.z\"*" },
    { { "P.y", WEIR_POINT_OUTPUT }, "nothing is perturbed*" },
    { { "P.y", WEIR_POINT_INPUT }, "nothing is measured*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
      WeirLinearQuestion question = ask_loop (system, &cases[i].point);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_analyst_ask (analyst, &question, &error));
      g_assert_nonnull (error);
      g_assert_true (g_pattern_match_simple (cases[i].says, error->message));
    }
}

/* 1 / (s + 1)^3 with a relay of -1 and 1: the period and amplitude of the exact limit cycle, found
 * with 40 digits from its switching times. */
static void
test_relay (void)
{
  const char *xml =
      "<?xml version=\"1.0\"?><weir version=\"1\"><diagram>"
      "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\"><parameter name=\"value\" "
      "value=\"0\"/></block>"
      "<block id=\"2\" type=\"Sum\" name=\"E\" x=\"0\" y=\"0\"><parameter name=\"signs\" "
      "value=\"+-\"/></block>"
      "<block id=\"3\" type=\"Relay\" name=\"C\" x=\"0\" y=\"0\"><parameter name=\"off\" "
      "value=\"-1\"/><parameter name=\"switch-off\" value=\"0\"/><parameter name=\"switch-on\" "
      "value=\"0\"/></block>"
      "<block id=\"4\" type=\"TransferFunction\" name=\"P\" x=\"0\" y=\"0\"><parameter "
      "name=\"denominator\" value=\"[1, 3, 3, 1]\"/></block>"
      "<wire id=\"91\" from=\"1.y\" to=\"2.in1\"/><wire id=\"92\" from=\"2.y\" to=\"3.u\"/>"
      "<wire id=\"93\" from=\"3.y\" to=\"4.u\"/><wire id=\"94\" from=\"4.y\" to=\"2.in2\"/>"
      "</diagram></weir>";
  g_autoptr (GBytes) bytes = g_bytes_new_static (xml, strlen (xml));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "relay", diagnostics);
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  WeirSimulatorOptions options;
  WeirOscillation oscillation;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.relative_tolerance = 1e-9;
  options.absolute_tolerance = 1e-12;
  weir_relay_find_oscillation (system, &options, "C.u", 1, 10, NULL, &oscillation, &error);
  g_assert_no_error (error);
  g_test_message ("period %.10g amplitude %.10g gain %.10g", oscillation.period,
                  oscillation.amplitude, oscillation.gain);
  g_assert_cmpfloat_with_epsilon (oscillation.period, 3.679750671, 1e-6);
  g_assert_cmpfloat_with_epsilon (oscillation.amplitude, .1630614834, 1e-5);
  g_assert_cmpfloat_with_epsilon (oscillation.gain, 7.80834, 5e-4);
}

/* --- Examples --------------------------------------------------------------------------------- */

static double
measure (const WeirLinearAnswer *answer, const char *what)
{
  const WeirMargins *m = answer->margins;
  guint64 at;

  if (g_str_equal (what, "phase-margin"))
    return m->phase.phase_margin;
  if (g_str_equal (what, "phase-margin-omega"))
    return m->phase.omega;
  if (g_str_equal (what, "gain-margin"))
    return m->gain.gain_margin;
  g_assert_true (g_str_has_prefix (what, "crossing-omega "));
  at = g_ascii_strtoull (strchr (what, ' '), NULL, 10);
  g_assert_cmpuint (m->gain_crossings->len, >=, at);
  return g_array_index (m->gain_crossings, WeirCrossing, at - 1).omega;
}

/* "Pump1.before=3 gamma1=0.7": a parameter, a variable of the model. (transfer full) */
static WeirModel *
change_model (WeirModel *model, const char *changes)
{
  g_auto (GStrv) each = g_strsplit (changes, " ", -1);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  for (guint i = 0; each[i] != NULL && *each[i] != '\0'; i++)
    {
      g_auto (GStrv) sides = g_strsplit (each[i], "=", 2);
      g_auto (GStrv) path = g_strsplit (sides[0], ".", 2);
      g_autoptr (WeirBlock) block = NULL;

      if (path[1] == NULL)
        {
          weir_patch_set_variable (patch, path[0], sides[1]);
          continue;
        }
      block = weir_block_with_parameter (weir_model_find_path (model, path[0]), path[1], sides[1]);
      weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
    }
  return weir_model_apply (model, patch, NULL, NULL);
}

/* The K-th zero, at rest, of all that is between the points an example is saved with. */
static void
check_zero (const char *const *fields, WeirModel *saved)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = change_model (saved, fields[4]);
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (GArray) places = weir_model_list_points (model);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WeirAnalysisPoint));
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  g_autoptr (WeirLinearAnswer) answer = NULL;
  g_autoptr (GArray) zeros = NULL;
  g_autoptr (GError) error = NULL;
  guint64 at = g_ascii_strtoull (strrchr (fields[6], ' '), NULL, 10);
  WeirLinearQuestion question = { .system = system, .trims = TRUE, .gain = 1 };
  double complex zero;

  weir_simulator_options_init (&question.options);
  for (guint i = 0; i < places->len; i++)
    {
      const WeirSavedPoint *place = &g_array_index (places, WeirSavedPoint, i);
      WeirAnalysisPoint point = { place->path, 0 };

      g_assert_true (weir_point_kinds_parse (place->words, &point.kinds));
      g_array_append_val (points, point);
    }
  question.points = (const WeirAnalysisPoint *) (gconstpointer) points->data;
  question.n_points = points->len;
  answer = weir_analyst_ask (analyst, &question, &error);
  g_assert_no_error (error);
  zeros = weir_linear_list_zeros (answer->loop->linear);
  g_assert_cmpuint (zeros->len, >=, at);
  zero = g_array_index (zeros, double complex, at - 1);
  g_test_message ("%s: %.12g", fields[0], creal (zero));
  g_assert_cmpfloat (cimag (zero), ==, 0);
  g_assert_cmpfloat_with_epsilon (creal (zero), g_ascii_strtod (fields[1], NULL),
                                  g_ascii_strtod (fields[2], NULL));
}

/* Of a row of reference.csv: the loop at the one point that the example is saved with, where its
 * look says. */
static void
check_row (const char *const *fields)
{
  g_autofree char *name = g_strconcat (fields[3], ".weir", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirSystem) system = weir_model_complete (model, diagnostics);
  g_autoptr (GArray) saved = weir_model_list_points (model);
  g_autoptr (WeirAnalyst) analyst = weir_analyst_new ();
  g_autoptr (WeirLinearAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;
  const char *look = weir_model_get_plot (model, "analysis");
  WeirAnalysisPoint point = { fields[5], WEIR_POINT_LOOP };
  WeirLinearQuestion question = ask_loop (system, &point);

  if (g_str_has_prefix (fields[6], "linear zero "))
    {
      check_zero (fields, model);
      return;
    }
  g_assert_cmpuint (saved->len, ==, 1);
  g_assert_cmpstr (g_array_index (saved, WeirSavedPoint, 0).path, ==, fields[5]);
  g_assert_nonnull (look);
  question.trims = strstr (look, " rest ") != NULL;
  answer = weir_analyst_ask (analyst, &question, &error);
  g_assert_no_error (error);
  g_test_message ("%s", fields[0]);
  g_assert_cmpfloat_with_epsilon (measure (answer, fields[6] + strlen ("linear ")),
                                  g_ascii_strtod (fields[1], NULL),
                                  g_ascii_strtod (fields[2], NULL));
}

static void
test_examples (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "reference.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);

      if (g_strv_length (fields) < 7 || !g_str_has_prefix (fields[6], "linear "))
        continue;
      check_row ((const char *const *) fields);
      n++;
    }
  g_assert_cmpuint (n, >=, 12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *path = g_strdup_printf ("/analysis/analyst/step/%s", steps[i].name);

      g_test_add_data_func (path, &steps[i], test_step);
    }
  g_test_add_func ("/analysis/analyst/step-delayed", test_delayed_step);
  g_test_add_func ("/analysis/analyst/kept", test_kept);
  g_test_add_func ("/analysis/analyst/errors", test_errors);
  g_test_add_func ("/analysis/analyst/relay", test_relay);
  g_test_add_func ("/analysis/analyst/examples", test_examples);
  return g_test_run ();
}
