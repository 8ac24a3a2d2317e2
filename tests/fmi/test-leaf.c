/* FMUs for model exchange as leaves: the numbers of leaves written by hand, to the bit; cached and
 * uncached the same; who lies is found; who does harm ends the run with a sentence. */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "analysis/audit.h"
#include "analysis/verify.h"
#include "base/status.h"
#include "fmi/leaf.h"
#include "system/evaluation/calc.h"
#include "system/evaluation/eval.h"
#include "system/layout/layout.h"

static const guint versions[] = { 2, 3 };

/* The leaf of an FMU of the tests. @place: where it runs. */
static WeirSystem *
leaf_judged (const char *model, guint version, WeirFmuPlace place, double limit,
             const WeirFmuStart *starts, guint n_starts, const WeirFmuVerdict *verdict,
             GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s-%u", model, version);
  g_autofree char *file = g_strconcat (name, ".fmu", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", file, NULL);
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", name, NULL);
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (path, error);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuDescription) description = NULL;
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = file,
                                 .instance = weir_fmu_default_options,
                                 .starts = starts,
                                 .n_starts = n_starts,
                                 .verdict = verdict };

  if (archive == NULL)
    return NULL;
  description = weir_fmu_description_read (archive, diagnostics);
  g_assert_nonnull (description);
  options.checksum = weir_fmu_archive_get_checksum (archive);
  options.instance.place = place;
  if (limit > 0)
    options.instance.limit = limit;
  return weir_fmu_leaf_new (description, &options, error);
}

static WeirSystem *
leaf_with (const char *model, guint version, WeirFmuPlace place, double limit,
           const WeirFmuStart *starts, guint n_starts, GError **error)
{
  return leaf_judged (model, version, place, limit, starts, n_starts, NULL, error);
}

static WeirSystem *
leaf_new (const char *model, guint version)
{
  g_autoptr (GError) error = NULL;
  WeirSystem *leaf = leaf_with (model, version, WEIR_FMU_IN_PROCESS, 0, NULL, 0, &error);

  g_assert_no_error (error);
  return leaf;
}

/* --- Runs ------------------------------------------------------------------------------------ */

/* What a run shows: time and states (or the first output, where there are none), by step; an
 * instant whose update changed none of them is shown twice by the simulator, and once here. */
typedef struct {
  WeirSystem *system;
  GArray *rows; /* double */
  guint n_states;
} Rows;

static WeirStatus
note (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  Rows *self = data;
  WeirContext *context = weir_simulator_get_context (simulator);
  double time = weir_context_get_time (context);
  guint size = 1 + MAX (self->n_states, 1), n = self->rows->len;

  g_array_append_val (self->rows, time);
  if (self->n_states > 0)
    g_array_append_vals (self->rows, weir_context_get_state (context), self->n_states);
  else
    g_array_append_vals (
        self->rows, weir_eval_output (self->system, context, (WeirNode) { 0 }, (WeirOutput) { 0 }),
        1);
  if (n >= size
      && memcmp (&g_array_index (self->rows, double, n - size),
                 &g_array_index (self->rows, double, n), size * sizeof (double))
             == 0)
    g_array_set_size (self->rows, n);
  return WEIR_OK;
}

static gboolean
run (WeirSystem *system, const WeirSimulatorOptions *options, double until, Rows *rows,
     gboolean *has_ended, GError **error)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, options, error);
  gboolean ok;

  *rows = (Rows) { .system = system,
                   .rows = g_array_new (FALSE, FALSE, sizeof (double)),
                   .n_states = weir_layout_get_n_states (weir_system_get_layout (system)) };
  g_assert_nonnull (simulator);
  weir_simulator_set_monitor (simulator, note, rows);
  ok = weir_simulator_initialize (simulator, error)
       && weir_simulator_advance_to (simulator, until, error);
  *has_ended = weir_simulator_is_terminated (simulator);
  return ok;
}

static WeirSimulatorOptions
options_for (const char *solver)
{
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = 1.0 / 128;
  return options;
}

static void
assert_same_rows (const Rows *a, const Rows *b)
{
  g_assert_cmpuint (a->n_states, ==, b->n_states);
  for (guint i = 0; i < MIN (a->rows->len, b->rows->len); i++)
    {
      double left = g_array_index (a->rows, double, i), right = g_array_index (b->rows, double, i);

      if (memcmp (&left, &right, sizeof left) != 0)
        g_error ("row %u, column %u: %.17g is not %.17g", i / (a->n_states + 1),
                 i % (a->n_states + 1), left, right);
    }
  g_assert_cmpuint (a->rows->len, ==, b->rows->len);
  g_assert_cmpuint (a->rows->len, >, 20);
}

static void
assert_same_runs (WeirSystem *fmu, WeirSystem *hand, const char *solver, double until)
{
  WeirSimulatorOptions options = options_for (solver);
  g_autoptr (GError) error = NULL;
  gboolean ended[2];
  Rows rows[2];

  g_assert_true (run (fmu, &options, until, &rows[0], &ended[0], &error) || error != NULL);
  g_assert_no_error (error);
  g_assert_true (run (hand, &options, until, &rows[1], &ended[1], &error) || error != NULL);
  g_assert_no_error (error);
  assert_same_rows (&rows[0], &rows[1]);
  g_array_unref (rows[0].rows);
  g_array_unref (rows[1].rows);
}

static void
assert_verified (WeirSystem *system, const char *solver, double until)
{
  WeirSimulatorOptions options = options_for (solver);
  g_autoptr (GError) error = NULL;
  WeirVerifyResult result;
  g_autofree char *text = NULL;

  g_assert_true (weir_verify (system, &options, until, NULL, &result, &error) || error != NULL);
  g_assert_no_error (error);
  text = weir_verify_result_to_string (&result);
  g_test_message ("%s", text);
  g_assert_true (result.identical);
  weir_verify_result_clear (&result);
}

/* --- The ball, by hand ----------------------------------------------------------------------- */

/* What fmus/ball.c computes, written as a leaf: v := -e v on the floor, and rest below 0.1 m/s. */
static WeirStatus
ball_xdot (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_xc (c)[1];
  out[1] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
ball_floor (const WeirCalc *c, double *out)
{
  const double *x = weir_calc_xc (c);

  out[0] = x[0] == 0 && x[1] == 0 ? 1 : x[0];
  return WEIR_OK;
}

static WeirStatus
ball_bounce (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const double *x = weir_calc_xc (c);
  double *after;

  if (!(x[0] <= 0 && x[1] < 0))
    return WEIR_DID_NOTHING;
  after = weir_next_state_xc (next);
  after[0] = 2.2250738585072014e-308;
  after[1] = -weir_calc_parameter (c, (WeirParameter) { 0 })[0] * x[1];
  if (after[1] < 0.1)
    after[1] = weir_next_state_discrete (next, (WeirGroup) { 0 })[0] = 0;
  return WEIR_OK;
}

static WeirSystem *
ball_by_hand (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ball");
  double g = -9.81, e = 0.7, x[2] = { 1, 0 };
  WeirTicket gravity = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "g", &g, 1));
  WeirCached above;

  weir_leaf_add_parameter (b, "e", &e, 1);
  weir_leaf_set_continuous_state (b, 0, 0, 2, x);
  weir_leaf_set_derivatives (b, ball_xdot, WEIR_DEPENDS (WEIR_XC, gravity));
  above = weir_leaf_add_cache_entry (b, "z", 1, ball_floor, WEIR_DEPENDS (WEIR_XC));
  weir_leaf_add_unrestricted_update (b, weir_on_change_of_sign (above, WEIR_CROSSES), ball_bounce);
  return weir_leaf_builder_build (b);
}

static void
test_ball (void)
{
  static const char *const solvers[] = { "euler", "dormand-prince", "cvode-adams" };
  g_autoptr (WeirSystem) hand = ball_by_hand ();

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
      {
        g_autoptr (WeirSystem) fmu = leaf_new ("ball", versions[k]);

        g_test_message ("%u %s", versions[k], solvers[i]);
        assert_same_runs (fmu, hand, solvers[i], 3);
        assert_verified (fmu, solvers[i], 3);
      }
}

/* --- Parameters tuned while a run goes on ---------------------------------------------------- */

/* Runs to 3 s, with e at 0.7 until 0.6 s, then 0.5, and 0.9 from 1.1 s on. (transfer full) */
static GArray *
run_tuned (WeirSystem *system, const char *solver, gboolean is_cached)
{
  static const double changes[][2] = { { 0.6, 0.5 }, { 1.1, 0.9 }, { 3, 0 } };
  WeirSimulatorOptions options = options_for (solver);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  const WeirNode root = { 0 };
  WeirParameter e;
  Rows rows = { .system = system,
                .rows = g_array_new (FALSE, FALSE, sizeof (double)),
                .n_states = 2 };

  g_assert_true (weir_layout_find_parameter (weir_system_get_layout (system), root, "e", &e, NULL));
  weir_context_set_caching (context, is_cached);
  simulator = weir_simulator_new (system, context, &options, &error);
  weir_simulator_set_monitor (simulator, note, &rows);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_assert_true (weir_simulator_advance_to (simulator, changes[i][0], &error) || error != NULL);
      g_assert_no_error (error);
      weir_context_set_parameter (context, root, e, &changes[i][1]);
    }
  return rows.rows;
}

/* A ball whose bounces are made weaker, then stronger: as by hand, to the bit, cached and not. The
 * FMU refuses to be set where the standard does not allow it. */
static void
test_tuned (void)
{
  static const char *const solvers[] = { "euler", "dormand-prince", "cvode-adams" };
  static const WeirFmuPlace places[] = { WEIR_FMU_IN_PROCESS, WEIR_FMU_IN_WORKER };
  g_autoptr (WeirSystem) hand = ball_by_hand ();

  for (guint k = 0; k < 2 * G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirSystem)
            fmu = leaf_with ("ball", versions[k / 2], places[k % 2], 0, NULL, 0, &error);
        g_autoptr (GArray) expected = run_tuned (hand, solvers[i], TRUE);
        g_autoptr (GArray) cached = run_tuned (fmu, solvers[i], TRUE);
        g_autoptr (GArray) uncached = run_tuned (fmu, solvers[i], FALSE);
        const Rows rows[] = { { .rows = expected, .n_states = 2 },
                              { .rows = cached, .n_states = 2 },
                              { .rows = uncached, .n_states = 2 } };

        g_test_message ("%u %s", versions[k / 2], solvers[i]);
        assert_same_rows (&rows[0], &rows[1]);
        assert_same_rows (&rows[0], &rows[2]);
      }
}

/* --- Van der Pol, by hand -------------------------------------------------------------------- */

static WeirStatus
oscillator_xdot (const WeirCalc *c, double *out)
{
  const double *x = weir_calc_xc (c);
  double mu = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  out[0] = x[1];
  out[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0] + 0.0;
  return WEIR_OK;
}

static WeirSystem *
oscillator_by_hand (double mu)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Oscillator");
  double x[2] = { 2, 0 };
  WeirTicket p = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "mu", &mu, 1));

  weir_leaf_set_continuous_state (b, 0, 0, 2, x);
  weir_leaf_set_derivatives (b, oscillator_xdot, WEIR_DEPENDS (WEIR_XC, p));
  return weir_leaf_builder_build (b);
}

static void
test_oscillator (void)
{
  static const struct {
    const char *model, *solver;
    double mu, until;
  } cases[] = { { "oscillator", "dormand-prince", 1, 20 },
                { "oscillator", "euler", 1, 5 },
                { "oscillator", "cvode-adams", 1, 20 },
                { "stiff", "cvode-bdf", 1000, 1000 } };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (WeirSystem) fmu = leaf_new (cases[i].model, versions[k]);
        g_autoptr (WeirSystem) hand = oscillator_by_hand (cases[i].mu);

        g_test_message ("%s-%u %s", cases[i].model, versions[k], cases[i].solver);
        assert_same_runs (fmu, hand, cases[i].solver, cases[i].until);
        assert_verified (fmu, cases[i].solver, cases[i].until);
      }
}

/* --- Stairs: time events, an integer, an end ------------------------------------------------- */

static void
test_stairs (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (WeirSystem) fmu = leaf_new ("stairs", versions[k]);
      WeirSimulatorOptions options = options_for ("auto");
      g_autoptr (GError) error = NULL;
      gboolean has_ended;
      Rows rows;
      guint n;

      g_assert_true (run (fmu, &options, 20, &rows, &has_ended, &error) || error != NULL);
      g_assert_no_error (error);
      g_assert_true (has_ended);
      n = rows.rows->len / 2;
      for (guint i = 0; i < n; i++)
        {
          double time = g_array_index (rows.rows, double, 2 * i);
          double counter = g_array_index (rows.rows, double, 2 * i + 1);

          /* At an event, before it or after it. */
          g_assert_true (counter == floor (time) + 1 || (time == floor (time) && counter == time));
        }
      g_assert_cmpfloat (g_array_index (rows.rows, double, 2 * n - 2), ==, 9);
      g_assert_cmpfloat (g_array_index (rows.rows, double, 2 * n - 1), ==, 10);
      g_array_unref (rows.rows);
      assert_verified (fmu, "auto", 5.5);
    }
}

/* --- Types ----------------------------------------------------------------------------------- */

/* A value for a port of texts or bytes. */
static GVariant *
text_new (const GVariantType *type, int round)
{
  const char *text = round == 0 ? "one" : "zwölf";

  return g_variant_type_equal (type, G_VARIANT_TYPE_STRING)
             ? g_variant_new_string (text)
             : g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, text, strlen (text), 1);
}

static void
check_text (WeirSystem *fmu, WeirContext *context, guint i, int round)
{
  WeirOutput out = { (guint16) i };
  const GVariantType *type = weir_layout_get_output_type (weir_system_get_layout (fmu), WEIR_ROOT,
                                                          out);
  GVariant *value = weir_eval_abstract_output (fmu, context, WEIR_ROOT, out);
  g_autoptr (GVariant) expected = g_variant_ref_sink (text_new (type, round));

  g_assert_nonnull (value);
  g_assert_true (g_variant_equal (value, expected));
}

static void
test_types (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (WeirSystem) fmu = leaf_new ("feedthrough", versions[k]);
      WeirSimulatorOptions options = options_for ("auto");
      g_autoptr (WeirContext) context = weir_system_create_context (fmu);
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      guint n = weir_system_get_n_inputs (fmu);

      simulator = weir_simulator_new (fmu, context, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, versions[k] == 2 ? 5 : 15);
      g_assert_cmpuint (weir_system_get_n_outputs (fmu), ==, n);
      g_assert_true (weir_simulator_initialize (simulator, &error));
      for (int round = 0; round < 2; round++)
        {
          for (guint i = 0; i < n; i++)
            {
              const char *name = weir_system_get_input_name (fmu, (WeirInput) { (guint16) i });
              gboolean is_truth = strstr (name, "Boolean") != NULL;
              double u = is_truth ? round == 0 : round == 0 ? 1 : 2;
              double u3[3] = { u, u + 0.5, -u };
              const GVariantType *type = weir_layout_get_input_type (
                  weir_system_get_layout (fmu), WEIR_ROOT, (WeirInput) { (guint16) i });

              if (type != NULL)
                weir_context_fix_abstract_input (context, WEIR_ROOT, (WeirInput) { (guint16) i },
                                                 text_new (type, round), NULL);
              else
                weir_context_fix_input (context, (WeirNode) { 0 }, (WeirInput) { (guint16) i },
                                        strstr (name, "list") != NULL ? u3 : &u);
            }
          g_assert_true (weir_simulator_advance_to (simulator, round + 1, &error) || error != NULL);
          g_assert_no_error (error);
          for (guint i = 0; i < n; i++)
            {
              const char *name = weir_system_get_output_name (fmu, (WeirOutput) { (guint16) i });
              gboolean is_truth = strstr (name, "Boolean") != NULL;
              double expected = is_truth ? round == 0 : round == 0 ? 1 : 2;
              const double *y;

              if (weir_system_get_output_size (fmu, (WeirOutput) { (guint16) i }) == 0)
                {
                  check_text (fmu, context, i, round);
                  continue;
                }
              y = weir_eval_output (fmu, context, (WeirNode) { 0 }, (WeirOutput) { (guint16) i });
              g_assert_nonnull (y);
              g_assert_cmpfloat (y[0], ==, expected);
              if (strstr (name, "list") != NULL)
                g_assert_cmpfloat (y[2], ==, -expected);
            }
        }
    }
}

/* --- Liars ----------------------------------------------------------------------------------- */

static void
test_liars (void)
{
  static const struct {
    double lie;
    WeirAuditKind kind;
    const char *what; /* NULL: nothing is found */
  } cases[] = {
    { 0, WEIR_AUDIT_UNDECLARED, NULL },
    { 1, WEIR_AUDIT_UNDECLARED, "y" },
    { 2, WEIR_AUDIT_UNDECLARED, "derivatives" },
    { 5, WEIR_AUDIT_KEEPS_MEMORY, "y" },
  };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        WeirFmuStart start = { "lie", &cases[i].lie, 1 };
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirSystem)
            fmu = leaf_with ("liar", versions[k], WEIR_FMU_IN_PROCESS, 0, &start, 1, &error);
        WeirSimulatorOptions options = options_for ("dormand-prince");
        gboolean is_found = FALSE;
        WeirAuditResult result;

        g_assert_no_error (error);
        g_assert_true (weir_audit (fmu, &options, 1, NULL, &result, &error) || error != NULL);
        g_assert_no_error (error);
        for (guint f = 0; f < result.findings->len; f++)
          {
            const WeirAuditFinding *finding = weir_audit_result_get (&result, f);
            g_autofree char *text = weir_audit_finding_to_string (finding);

            g_test_message ("lie %g: %s %s", cases[i].lie, finding->code, text);
            if (finding->severity == WEIR_SEVERITY_ERROR)
              is_found |= finding->kind == cases[i].kind;
          }
        if (cases[i].what == NULL)
          g_assert_cmpuint (result.n_errors, ==, 0);
        else
          {
            g_assert_true (is_found);
            g_assert_cmpuint (result.n_errors, >, 0);
          }
        weir_audit_result_clear (&result);
      }
}

/* --- Harm ------------------------------------------------------------------------------------ */

static void
test_harm (void)
{
  static const struct {
    double deed;
    const char *text;
  } cases[] = { { 1, "" }, { 3, "" }, { 4, "" }, { 11, "3 metres too short" } };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        double from = 0.5;
        WeirFmuStart starts[] = { { "deed", &cases[i].deed, 1 }, { "from", &from, 1 } };
        g_autoptr (GError) error = NULL;
        g_autoptr (WeirSystem)
            fmu = leaf_with ("hostile", versions[k], WEIR_FMU_IN_WORKER, 0.5, starts, 2, &error);
        WeirSimulatorOptions options = options_for ("euler");
        gboolean has_ended;
        Rows rows;

        g_assert_no_error (error);
        g_assert_false (run (fmu, &options, 1, &rows, &has_ended, &error));
        g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
        g_test_message ("%s", error->message);
        g_assert_nonnull (strstr (error->message, "hostile-"));
        g_assert_nonnull (strstr (error->message, cases[i].text));
        g_assert_cmpuint (rows.rows->len, >, 60); /* what went before is kept */
        g_array_unref (rows.rows);
      }
}

/* In a worker the numbers are the same. */
static void
test_worker (void)
{
  g_autoptr (WeirSystem) hand = ball_by_hand ();

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirSystem)
          fmu = leaf_with ("ball", versions[k], WEIR_FMU_IN_WORKER, 0, NULL, 0, &error);

      g_assert_no_error (error);
      assert_same_runs (fmu, hand, "dormand-prince", 3);
    }
}

/* --- Cancelling ------------------------------------------------------------------------------ */

static gpointer
stop (gpointer cancel)
{
  g_usleep (200000); /* by then it hangs, or it has not come so far: both end the run */
  g_atomic_int_set ((gint *) cancel, 1);
  return NULL;
}

/* A call that never returns ends with the run, not at its own limit of a minute. */
static void
test_cancel (void)
{
  double hangs = 4, from = 0.5;
  WeirFmuStart starts[] = { { "deed", &hangs, 1 }, { "from", &from, 1 } };

  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirSystem)
          fmu = leaf_with ("hostile", versions[k], WEIR_FMU_IN_WORKER, 60, starts, 2, &error);
      WeirSimulatorOptions options = options_for ("euler");
      g_autoptr (WeirContext) context = weir_system_create_context (fmu);
      g_autoptr (WeirSimulator) simulator = weir_simulator_new (fmu, context, &options, &error);
      gint64 before = g_get_monotonic_time ();
      gint cancel = 0;
      GThread *thread;

      g_assert_no_error (error);
      weir_simulator_set_cancel (simulator, &cancel);
      thread = g_thread_new ("stop", stop, &cancel);
      g_assert_false (weir_simulator_initialize (simulator, &error)
                      && weir_simulator_advance_to (simulator, 1e6, &error));
      g_thread_join (thread);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpint (g_get_monotonic_time () - before, <, 50 * G_TIME_SPAN_SECOND);
    }
}

/* --- Nominal values -------------------------------------------------------------------------- */

/* What a description says of the size of a state counts in the tolerance of that state. */
static void
test_nominals (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "ball-3.fmu", NULL);
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (path, NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirFmuDescription) d = weir_fmu_description_read (archive, diagnostics);
  WeirFmuLeafOptions options = { .name = "ball-3.fmu", .instance = weir_fmu_default_options };
  const double *nominals;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirSystem) leaf = weir_fmu_leaf_new (d, &options, NULL);

      nominals = weir_layout_get_state_nominals (weir_system_get_layout (leaf));
      if (i == 0)
        g_assert_null (nominals);
      else
        g_assert_true (nominals[0] == 1 && nominals[1] == 250);
      /* Descriptions are read-only once they are read, but nobody else has this one. */
      ((WeirFmuVariable *) &d->variables[weir_fmu_description_find (d, "v")])->traits.nominal = 250;
    }
}

/* --- Clones ---------------------------------------------------------------------------------- */

/* A run that goes on from a clone, after the first went further, gives the first's bits: the FMU's
 * hidden state comes back too. */
static void
test_clones (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (WeirSystem) fmu = leaf_new ("stairs", versions[k]);
      WeirSimulatorOptions options = options_for ("auto");
      g_autoptr (WeirContext) context = weir_system_create_context (fmu);
      g_autoptr (WeirContext) clone = NULL;
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (WeirSimulator) other = NULL;
      g_autoptr (GError) error = NULL;
      const WeirNode root = { 0 };
      const WeirOutput counter = { 0 };

      simulator = weir_simulator_new (fmu, context, &options, &error);
      g_assert_true (weir_simulator_initialize (simulator, &error));
      g_assert_true (weir_simulator_advance_to (simulator, 2.5, &error));
      clone = weir_context_clone (context);
      g_assert_true (weir_simulator_advance_to (simulator, 5.5, &error));
      g_assert_cmpfloat (weir_eval_output (fmu, context, root, counter)[0], ==, 6);
      g_assert_cmpfloat (weir_eval_output (fmu, clone, root, counter)[0], ==, 3);
      options.skips_initialization_events = TRUE;
      other = weir_simulator_new (fmu, clone, &options, &error);
      g_assert_true (weir_simulator_initialize (other, &error));
      g_assert_true (weir_simulator_advance_to (other, 4.5, &error));
      g_assert_cmpfloat (weir_eval_output (fmu, clone, root, counter)[0], ==, 5);
      weir_context_set_time (context, 5.75);
      g_assert_cmpfloat (weir_eval_output (fmu, context, root, counter)[0], ==, 6);
    }
}

/* --- Checkpoints ----------------------------------------------------------------------------- */

/* Runs from @t to @until: all that the context has there, as bits. (transfer full) */
static GBytes *
go_on (WeirSystem *fmu, WeirSimulator *simulator, double until)
{
  WeirContext *context = weir_simulator_get_context (simulator);
  guint n = weir_layout_get_n_states (weir_system_get_layout (fmu));
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) bits = g_byte_array_new ();

  while (weir_context_get_time (context) < until)
    {
      double t = weir_context_get_time (context), y;

      g_assert_true (weir_simulator_advance_to (simulator, MIN (until, t + 0.125), &error)
                     || error != NULL);
      g_assert_no_error (error);
      y = weir_eval_output (fmu, context, (WeirNode) { 0 }, (WeirOutput) { 0 })[0];
      g_byte_array_append (bits, (const guint8 *) &y, sizeof y);
      if (n > 0)
        g_byte_array_append (bits, (const guint8 *) weir_context_get_state (context),
                             n * (guint) sizeof (double));
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bits));
}

typedef struct {
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->simulator, weir_simulator_free);
  g_clear_pointer (&self->context, weir_context_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
run_init (Run *self, WeirSystem *fmu)
{
  WeirSimulatorOptions options = options_for ("dormand-prince");
  g_autoptr (GError) error = NULL;

  if (weir_layout_get_n_states (weir_system_get_layout (fmu)) == 0)
    options.solver = "auto";
  self->context = weir_system_create_context (fmu);
  self->simulator = weir_simulator_new (fmu, self->context, &options, &error);
  g_assert_no_error (error);
}

/* A run that goes on from what was saved gives the bits of one that was not: in the same instance
 * of the FMU while that is there, and in another when it is gone, as in another process. What the
 * stairs count, and what the ball has lost, is in the FMU alone. */
static void
test_checkpoints (void)
{
  static const struct {
    const char *model;
    WeirFmuPlace place;
  } cases[] = { { "stairs", WEIR_FMU_IN_PROCESS },
                { "ball", WEIR_FMU_IN_PROCESS },
                { "ball", WEIR_FMU_IN_WORKER } };

  for (guint k = 0; k < 2 * G_N_ELEMENTS (cases); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirSystem) fmu = leaf_with (cases[k / 2].model, versions[k % 2],
                                              cases[k / 2].place, 0, NULL, 0, &error);
      g_auto (Run) first = { 0 }, second = { 0 };
      g_autoptr (GBytes) saved = NULL, whole = NULL, again = NULL, elsewhere = NULL;

      g_assert_no_error (error);
      run_init (&first, fmu);
      g_assert_true (weir_simulator_initialize (first.simulator, &error));
      g_assert_true (weir_simulator_advance_to (first.simulator, 1.5, &error));
      saved = weir_simulator_save (first.simulator, &error);
      g_assert_no_error (error);
      whole = go_on (fmu, first.simulator, 3);
      g_assert_true (weir_simulator_load (first.simulator, saved, &error));
      again = go_on (fmu, first.simulator, 3);
      g_assert_true (g_bytes_equal (again, whole));

      run_clear (&first);
      run_init (&second, fmu);
      g_assert_true (weir_simulator_load (second.simulator, saved, &error));
      elsewhere = go_on (fmu, second.simulator, 3);
      g_assert_true (g_bytes_equal (elsewhere, whole));
    }
}

/* What cannot be saved is told. */
static void
test_no_checkpoint (void)
{
  const WeirFmuVerdict forgetful = { .repeats = TRUE, .ignores_order = TRUE };
  g_autoptr (WeirSystem) unable = NULL;
  g_auto (Run) run = { 0 };
  g_autoptr (GError) error = NULL;

  unable = leaf_judged ("stairs", 3, WEIR_FMU_IN_PROCESS, 0, NULL, 0, &forgetful, &error);
  g_assert_no_error (error);
  run_init (&run, unable);
  g_assert_true (weir_simulator_initialize (run.simulator, &error));
  g_assert_null (weir_simulator_save (run.simulator, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "does not offer"));
  g_clear_error (&error);
}

/* What an FMU says of the size of its states at an event holds from there on: with a thousandth of
 * the size the absolute tolerance is a thousandth too. Before, the description's holds, which is 1.
 */
static void
test_nominals_at_events (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
    {
      g_autoptr (WeirSystem) fmu = leaf_new ("grower", versions[k]);
      WeirLayout *layout = weir_system_get_layout (fmu);
      g_auto (Run) go = { 0 };
      guint64 n_before, n_after;
      g_autoptr (GError) error = NULL;
      guint first, n;
      WeirGroup group;
      WeirNode node;

      g_assert_null (weir_layout_get_state_nominals (layout));
      g_assert_true (weir_layout_get_nominals_group (layout, 0, &node, &group, &first, &n));
      g_assert_true (first == 0 && n == 1);
      run_init (&go, fmu);
      g_assert_true (weir_simulator_initialize (go.simulator, &error));
      g_assert_true (weir_simulator_advance_to (go.simulator, 0.9, &error));
      g_assert_cmpfloat (weir_context_get_discrete (go.context, node, group)[0], ==, 1);
      n_before = weir_simulator_get_statistics (go.simulator)->steps;
      g_assert_true (weir_simulator_advance_to (go.simulator, 1.9, &error));
      n_after = weir_simulator_get_statistics (go.simulator)->steps - n_before;
      g_assert_no_error (error);
      g_assert_cmpfloat (weir_context_get_discrete (go.context, node, group)[0], ==, 0.001);
      g_assert_cmpfloat_with_epsilon (weir_context_get_state (go.context)[0], 1 - exp (-1.9), 1e-4);
      g_test_message ("%" G_GUINT64_FORMAT " steps, then %" G_GUINT64_FORMAT, n_before, n_after);
    }
}

/* --- Clocks ---------------------------------------------------------------------------------- */

/* What the outputs of the ticker are at some times, by hand: clock 0 ticks at 0.25, 0.5, ..., clock
 * 1 at 0.125, 0.625, 1.125, clock 2 at 0.1, 0.3, 0.6, 1.0, clock 3 at 0.55 and 1.05, a twentieth
 * after each second tick of clock 0. Ports: all, even, n0 to n3, last, sum. */
static void
test_clocks (void)
{
  static const struct {
    double time, outputs[8];
  } rows[] = { { 0.05, { 0, 0, 0, 0, 0, 0, -1, 0 } },   { 0.11, { 1, 0, 0, 0, 1, 0, 0.1, 0 } },
               { 0.2, { 2, 0, 0, 1, 1, 0, 0.1, 0 } },   { 0.26, { 3, 0, 1, 1, 1, 0, 0.1, 0 } },
               { 0.52, { 5, 1, 2, 1, 2, 0, 0.3, 0 } },  { 0.56, { 6, 1, 2, 1, 2, 1, 0.3, 0 } },
               { 0.61, { 7, 1, 2, 1, 3, 1, 0.6, 0 } },  { 0.7, { 8, 1, 2, 2, 3, 1, 0.6, 0 } },
               { 1.01, { 11, 2, 4, 2, 4, 1, 1.0, 0 } }, { 1.06, { 12, 2, 4, 2, 4, 2, 1.0, 0 } } };
  static const WeirFmuPlace places[] = { WEIR_FMU_IN_PROCESS, WEIR_FMU_IN_WORKER };

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirSystem) fmu = leaf_with ("ticker", 3, places[p], 0, NULL, 0, &error);
      g_auto (Run) first = { 0 }, second = { 0 };
      g_autoptr (GBytes) saved = NULL;

      g_assert_no_error (error);
      run_init (&first, fmu);
      g_assert_true (weir_simulator_initialize (first.simulator, &error));
      run_init (&second, fmu);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        {
          Run *run = i < 5 ? &first : &second; /* which goes on from what was saved */

          if (i == 5)
            g_assert_true (weir_simulator_load (second.simulator, saved, &error));
          g_assert_true (weir_simulator_advance_to (run->simulator, rows[i].time, &error));
          for (guint16 k = 0; k < 8; k++)
            g_assert_cmpfloat_with_epsilon (
                weir_eval_output (fmu, run->context, (WeirNode) { 0 }, (WeirOutput) { k })[0],
                rows[i].outputs[k], 1e-12);
          if (i == 4)
            saved = weir_simulator_save (first.simulator, &error);
          g_assert_no_error (error);
        }
    }
}

/* Cached and uncached the same, and nothing is read that is not declared. */
static void
test_clocks_again (void)
{
  WeirSimulatorOptions options = options_for ("auto");
  g_autoptr (WeirSystem) fmu = leaf_new ("ticker", 3);
  g_autoptr (GError) error = NULL;
  WeirAuditResult result;

  assert_verified (fmu, "auto", 1.45);
  g_assert_true (weir_audit (fmu, &options, 1.45, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_errors, ==, 0);
  weir_audit_result_clear (&result);
}

/* --- Refusals -------------------------------------------------------------------------------- */

static void
test_refusals (void)
{
  static const double one = 1, three[3] = { 1, 2, 3 };
  const WeirFmuStart none = { "nothing", &one, 1 }, many = { "g", three, 3 };
  g_autoptr (GError) error = NULL;

  g_assert_null (leaf_with ("ball", 3, WEIR_FMU_IN_PROCESS, 0, &none, 1, &error));
  g_assert_nonnull (strstr (error->message, "\"nothing\""));
  g_clear_error (&error);
  g_assert_null (leaf_with ("ball", 3, WEIR_FMU_IN_PROCESS, 0, &many, 1, &error));
  g_assert_nonnull (strstr (error->message, "\"g\" has 1 values"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/leaf/ball", test_ball);
  g_test_add_func ("/fmi/leaf/tuned", test_tuned);
  g_test_add_func ("/fmi/leaf/oscillator", test_oscillator);
  g_test_add_func ("/fmi/leaf/stairs", test_stairs);
  g_test_add_func ("/fmi/leaf/types", test_types);
  g_test_add_func ("/fmi/leaf/liars", test_liars);
  g_test_add_func ("/fmi/leaf/harm", test_harm);
  g_test_add_func ("/fmi/leaf/worker", test_worker);
  g_test_add_func ("/fmi/leaf/cancel", test_cancel);
  g_test_add_func ("/fmi/leaf/nominals", test_nominals);
  g_test_add_func ("/fmi/leaf/clones", test_clones);
  g_test_add_func ("/fmi/leaf/checkpoints", test_checkpoints);
  g_test_add_func ("/fmi/leaf/no-checkpoint", test_no_checkpoint);
  g_test_add_func ("/fmi/leaf/nominals-at-events", test_nominals_at_events);
  g_test_add_func ("/fmi/leaf/clocks", test_clocks);
  g_test_add_func ("/fmi/leaf/clocks-again", test_clocks_again);
  g_test_add_func ("/fmi/leaf/refusals", test_refusals);
  return g_test_run ();
}
