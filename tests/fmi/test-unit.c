/* FMUs for co-simulation as units: the numbers of the same steps made by hand, to the bit; events,
 * ends, failures and stops within steps; states saved, as bytes or by repeating. */
#include <math.h>

#include "../cosim/counters.h"
#include "fmi/unit.h"

#define H (1.0 / 128)
#define INNER (1.0 / 1024) /* the FMUs' own steps */

static const guint versions[] = { 2, 3 };

typedef struct {
  const char *model;
  guint version;
  const WeirFmuStart *starts;
  guint n_starts;
  double limit;
  WeirFmuPlace place;
  const char *without; /* taken out of the description; NULL: nothing */
} Part;

/* The description, with something that it says of the FMU taken back. */
static WeirFmuDescription *
read_without (const char *folder, const char *without)
{
  g_autofree char *path = g_build_filename (folder, WEIR_FMU_DESCRIPTION_FILE, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *rest = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts = g_strsplit (text, without != NULL ? without : "\t", -1);
  g_assert_true (without == NULL || g_strv_length (parts) > 1);
  rest = g_strjoinv ("", parts);
  bytes = g_bytes_new (rest, strlen (rest));
  return weir_fmu_description_read_bytes (bytes, NULL, "part", diagnostics);
}

static WeirSystem *
part_new (const Part *part, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s-%u", part->model, part->version);
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", name, NULL);
  g_autoptr (WeirFmuDescription) description = NULL;
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = name,
                                 .instance = weir_fmu_default_options,
                                 .starts = part->starts,
                                 .n_starts = part->n_starts };

  description = read_without (folder, part->without);
  g_assert_nonnull (description);
  options.instance.place = part->place;
  if (part->limit > 0)
    options.instance.limit = part->limit;
  return weir_fmu_unit_new (description, &options, 1, error);
}

static WeirStatus
calc_gain (const WeirCalc *c, double *y)
{
  y[0] = -0.5 * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
gain_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Gain");

  weir_leaf_add_input (b, "u", 1);
  weir_leaf_add_output (b, "y", 1, calc_gain, WEIR_DEPENDS (WEIR_ALL_INPUTS));
  return weir_leaf_builder_build (b);
}

/* A diagram of up to two parts, "A" and "B", and, if the first wire leads there, a gain "G"; wires:
 * "A.y B.u". */
static WeirSystem *
parts_new (const Part *parts, guint n, const char *const *wires)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  GError *error = NULL;
  WeirSystem *root;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (WeirSystem) unit = part_new (&parts[i], &error);

      g_assert_no_error (error);
      weir_diagram_builder_add (b, i == 0 ? "A" : "B", unit);
    }
  if (wires != NULL && strstr (wires[0], "G.") != NULL)
    {
      g_autoptr (WeirSystem) gain = gain_new ();

      weir_diagram_builder_add (b, "G", gain);
    }
  for (guint i = 0; wires != NULL && wires[i] != NULL; i++)
    {
      g_auto (GStrv) ends = g_strsplit_set (wires[i], ". ", 4);

      weir_diagram_builder_connect_by_name (b, ends[0], ends[1], ends[2], ends[3]);
    }
  root = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return root;
}

static void
part_begin (Run *run, const Part *part)
{
  run_begin (run, parts_new (part, 1, NULL), H, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
}

static double
get_output (Run *run, const char *path, guint i)
{
  WeirNode node;
  WeirOutput out = { (guint16) i };

  g_assert_true (weir_layout_find_node (weir_system_get_layout (run->root), path, &node));
  return weir_eval_output (run->root, run->context, node, out)[0];
}

/* --- By hand --------------------------------------------------------------------------------- */

/* Euler's method, and the bounces where h is no more above zero. */
static void
step_ball (double *x, double *g, double e, double length)
{
  for (double t = 0; t < length - INNER / 2; t += INNER)
    {
      gboolean was_above = (x[0] == 0 && x[1] == 0 ? 1 : x[0]) > 0, is_above;
      double v = x[1];

      x[1] += INNER * *g;
      x[0] += INNER * v;
      is_above = (x[0] == 0 && x[1] == 0 ? 1 : x[0]) > 0;
      if (was_above == is_above || !(x[0] <= 0 && x[1] < 0))
        continue;
      x[0] = 2.2250738585072014e-308;
      x[1] = -e * x[1];
      if (x[1] < 0.1)
        x[1] = *g = 0;
    }
}

static void
test_ball (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      Part part = { .model = "ball", .version = versions[i] };
      double x[] = { 1, 0 }, g = -9.81;
      guint n_bounces = 0;
      Run run;

      part_begin (&run, &part);
      run_to (&run, 0);
      g_assert_cmpfloat (get_output (&run, "A", 0), ==, 1);
      for (guint k = 1; k <= 384; k++)
        {
          double v = x[1];

          run_to (&run, k * H);
          step_ball (x, &g, 0.7, H);
          n_bounces += v < 0 && x[1] > 0;
          g_assert_cmpmem (&x[0], sizeof *x, &(double) { get_output (&run, "A", 0) }, sizeof *x);
          g_assert_cmpmem (&x[1], sizeof *x, &(double) { get_output (&run, "A", 1) }, sizeof *x);
        }
      g_assert_cmpuint (n_bounces, >=, 4);
      run_end (&run);
    }
}

/* Between steps it is told of another e, with which it bounces from there on; so is one that goes
 * on from what was saved. It refuses where the standard does not allow it. */
static void
test_tuned (void)
{
  static const double values[] = { 0.7, 0.5, 0.9 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (versions); i++)
    {
      Part part = { .model = "ball",
                    .version = versions[i % 2],
                    .place = i < 2 ? WEIR_FMU_IN_WORKER : WEIR_FMU_IN_PROCESS };
      double x[] = { 1, 0 }, g = -9.81;
      WeirParameter parameter;
      WeirNode node;
      Run run, other;

      part_begin (&run, &part);
      part_begin (&other, &part);
      g_assert_true (weir_layout_find_node (weir_system_get_layout (run.root), "A", &node)
                     && weir_layout_find_parameter (weir_system_get_layout (run.root), node, "e",
                                                    &parameter, NULL));
      run_to (&run, 0);
      for (guint k = 1; k <= 384; k++)
        {
          const double *e = &values[k / 100 % 3];

          if (k % 100 == 0)
            weir_context_set_parameter (run.context, node, parameter, e);
          if (k == 150)
            {
              g_autoptr (GError) error = NULL;
              g_autoptr (GBytes) saved = weir_simulator_save (run.simulator, &error);

              g_assert_no_error (error);
              g_assert_true (weir_simulator_load (other.simulator, saved, &error));
              run_end (&run);
              run = other;
            }
          run_to (&run, k * H);
          step_ball (x, &g, *e, H);
          g_assert_cmpmem (&x[0], sizeof *x, &(double) { get_output (&run, "A", 0) }, sizeof *x);
          g_assert_cmpmem (&x[1], sizeof *x, &(double) { get_output (&run, "A", 1) }, sizeof *x);
        }
      run_end (&run);
    }
}

/* A text, or its bytes. */
static GVariant *
text_new (const GVariantType *type, const char *text)
{
  return g_variant_type_equal (type, G_VARIANT_TYPE_STRING)
             ? g_variant_new_string (text)
             : g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, text, strlen (text), 1);
}

static void
fix_text (Run *run, WeirNode node, WeirInput in, const char *text)
{
  WeirLayout *layout = weir_system_get_layout (run->root);

  weir_context_fix_abstract_input (
      run->context, node, in, text_new (weir_layout_get_input_type (layout, node, in), text), NULL);
}

static void
check_text (Run *run, WeirNode node, WeirOutput out, const char *text)
{
  WeirLayout *layout = weir_system_get_layout (run->root);
  g_autoptr (GVariant) expected = g_variant_ref_sink (
      text_new (weir_layout_get_output_type (layout, node, out), text));
  GVariant *value = weir_eval_abstract_output (run->root, run->context, node, out);

  g_assert_true (g_variant_equal (value, expected));
}

/* A value of each type goes in with a step and comes out at its end, the next with the next. */
static void
test_types (void)
{
  static const char *const words[] = { "one", "zwölf" };

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      Part part = { .model = "feedthrough", .version = versions[i] };
      WeirLayout *layout;
      WeirNode node;
      guint n;
      Run run;

      part_begin (&run, &part);
      run_to (&run, 0);
      layout = weir_system_get_layout (run.root);
      g_assert_true (weir_layout_find_node (layout, "A", &node));
      n = weir_layout_get_n_inputs (layout, node);
      g_assert_cmpuint (n, ==, versions[i] == 2 ? 5 : 15);
      for (guint round = 0; round < 2; round++)
        {
          for (guint k = 0; k < n; k++)
            {
              const char *name = weir_layout_get_input_name (layout, node,
                                                             (WeirInput) { (guint16) k });
              double u = strstr (name, "Boolean") != NULL ? round == 0 : round + 1;
              double u3[3] = { u, u + 0.5, -u };

              if (weir_layout_get_input_size (layout, node, (WeirInput) { (guint16) k }) > 0)
                weir_context_fix_input (run.context, node, (WeirInput) { (guint16) k },
                                        strstr (name, "list") != NULL ? u3 : &u);
              else
                fix_text (&run, node, (WeirInput) { (guint16) k }, words[round]);
            }
          run_to (&run, (round + 1) * H);
          for (guint k = 0; k < n; k++)
            {
              const char *name = weir_layout_get_output_name (layout, node,
                                                              (WeirOutput) { (guint16) k });
              double expected = strstr (name, "Boolean") != NULL ? round == 0 : round + 1;
              const double *y;

              if (weir_layout_get_output_size (layout, node, (WeirOutput) { (guint16) k }) == 0)
                {
                  check_text (&run, node, (WeirOutput) { (guint16) k }, words[round]);
                  continue;
                }
              y = weir_eval_output (run.root, run.context, node, (WeirOutput) { (guint16) k });
              g_assert_cmpfloat (y[0], ==, expected);
              if (strstr (name, "list") != NULL)
                g_assert_cmpfloat (y[2], ==, -expected);
            }
        }
      run_end (&run);
    }
}

static void
step_oscillator (double *x, double u)
{
  for (guint i = 0; i < 8; i++)
    {
      double xdot[] = { x[1], 1 * (1 - x[0] * x[0]) * x[1] - x[0] + u };

      x[0] += INNER * xdot[0];
      x[1] += INNER * xdot[1];
    }
}

/* Two that drive each other: each sees what the other gave at the last instant, or, further down
 * the list, in the same step. At the start a = 2 + b and b = 2 - a / 2. */
static void
test_ring (void)
{
  static const char *const wires[] = { "A.y G.u", "G.y B.u", "B.y A.u", NULL };

  for (guint c = 0; c < 4; c++)
    {
      Part parts[2] = { { .model = "oscillator", .version = 2 + c % 2 },
                        { .model = "oscillator", .version = 3 - c % 2 } };
      gboolean is_cascade = c >= 2;
      double a[] = { 2, 0 }, b[] = { 2, 0 }, y[2];
      Run run;

      run_begin (&run, parts_new (parts, 2, wires), H,
                 is_cascade ? WEIR_STEP_SCHEDULING_CASCADING_PARALLEL
                            : WEIR_STEP_SCHEDULING_FULL_PARALLEL,
                 2);
      run_to (&run, 0);
      y[0] = get_output (&run, "A", 0);
      y[1] = get_output (&run, "B", 0);
      g_assert_cmpfloat_with_epsilon (y[0], 8.0 / 3, 1e-12);
      g_assert_cmpfloat_with_epsilon (y[1], 2.0 / 3, 1e-12);
      for (guint k = 1; k <= 64; k++)
        {
          double last = y[0], u;

          run_to (&run, k * H);
          step_oscillator (a, y[1]);
          y[0] = a[0] + y[1];
          u = -0.5 * (is_cascade ? y[0] : last);
          step_oscillator (b, u);
          y[1] = b[0] + u;
          g_assert_cmpmem (&y[0], sizeof *y, &(double) { get_output (&run, "A", 0) }, sizeof *y);
          g_assert_cmpmem (&y[1], sizeof *y, &(double) { get_output (&run, "B", 0) }, sizeof *y);
        }
      run_end (&run);
    }
}

/* It goes up each second, and ends the run when it comes to 10. */
static void
test_stairs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      Part part = { .model = "stairs", .version = versions[i] };
      Run run;

      part_begin (&run, &part);
      for (guint k = 1; k <= 12 * 128; k++)
        {
          run_to (&run, k * H);
          g_assert_cmpfloat (get_output (&run, "A", 0), ==, MIN (1 + k / 128, 10));
        }
      g_assert_true (weir_simulator_is_terminated (run.simulator));
      g_assert_cmpfloat (weir_context_get_time (run.context), ==, 9);
      g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
      g_assert_cmpstr (weir_simulator_get_note (run.simulator, 0)->text, ==,
                       "A at t = 9 s: the unit ends the run");
      run_end (&run);
    }
}

/* Van der Pol's oscillator with mu = 1000 that makes its own implicit steps within those of 1 s, of
 * which an explicit method needs thousands. Reference: the test set for solvers of initial value
 * problems (problem "vdpol", in which t is ours by 1000), at its end. Where it is saved x1 is about
 * to jump; who goes on from there comes to the same bits. */
static void
test_stiff (void)
{
  const double x1 = 1.706167732170483;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (versions); i++)
    {
      Part part = { .model = "stiff",
                    .version = versions[i % 2],
                    .place = i < 2 ? WEIR_FMU_IN_WORKER : WEIR_FMU_IN_PROCESS };
      g_autoptr (GBytes) saved = NULL;
      g_autoptr (GError) error = NULL;
      double end, again;
      Run run;

      run_begin (&run, parts_new (&part, 1, NULL), 1, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
      run_to (&run, 807);
      saved = weir_simulator_save (run.simulator, &error);
      g_assert_no_error (error);
      run_to (&run, 2000);
      end = get_output (&run, "A", 0);
      g_test_message ("off by %.2g", end - x1);
      g_assert_cmpfloat_with_epsilon (end, x1, 1e-6);
      run_end (&run);
      run_begin (&run, parts_new (&part, 1, NULL), 1, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
      g_assert_true (weir_simulator_load (run.simulator, saved, &error));
      run_to (&run, 2000);
      again = get_output (&run, "A", 0);
      g_assert_cmpmem (&end, sizeof end, &again, sizeof again);
      run_end (&run);
    }
}

static void
test_starts (void)
{
  const double h = 3, e = 0.5;
  const WeirFmuStart starts[] = { { "h", &h, 1 }, { "e", &e, 1 } }, odd = { "der(h)", &h, 1 };
  Part part = { .model = "ball", .version = 3, .starts = starts, .n_starts = 2 };
  g_autoptr (WeirSystem) none = NULL;
  g_autoptr (GError) error = NULL;
  Run run;

  part_begin (&run, &part);
  run_to (&run, 0);
  g_assert_cmpfloat (get_output (&run, "A", 0), ==, 3);
  run_end (&run);
  part.starts = &odd;
  part.n_starts = 1;
  none = part_new (&part, &error);
  g_assert_null (none);
  g_assert_cmpstr (error->message, ==,
                   "ball-3: there is no parameter, input or state \"der(h)\" that could be given a "
                   "value at the start.");
}

/* --- Clocks ---------------------------------------------------------------------------------- */

/* What the outputs of the ticker are at some instants, by hand: clock 0 ticks at 0.25, 0.5, ...,
 * clock 1 at 0.125, 0.625, 1.125, clock 2 at 0.1, 0.3, 0.6, 1.0, clock 3 at 0.55 and 1.05, a
 * twentieth after each second tick of clock 0; most of it within steps. Ports: all, even, n0 to n3,
 * last, sum. */
static const struct {
  guint instant;
  double outputs[8];
} ticks[] = {
  { 0, { 0, 0, 0, 0, 0, 0, -1, 0 } },     { 12, { 0, 0, 0, 0, 0, 0, -1, 0 } },
  { 13, { 1, 0, 0, 0, 1, 0, 0.1, 0 } },   { 16, { 2, 0, 0, 1, 1, 0, 0.1, 0 } },
  { 31, { 2, 0, 0, 1, 1, 0, 0.1, 0 } },   { 32, { 3, 0, 1, 1, 1, 0, 0.1, 0 } },
  { 66, { 5, 1, 2, 1, 2, 0, 0.3, 0 } },   { 71, { 6, 1, 2, 1, 2, 1, 0.3, 0 } },
  { 78, { 7, 1, 2, 1, 3, 1, 0.6, 0 } },   { 89, { 8, 1, 2, 2, 3, 1, 0.6, 0 } },
  { 129, { 11, 2, 4, 2, 4, 1, 1.0, 0 } }, { 135, { 12, 2, 4, 2, 4, 2, 1.0, 0 } },
};

static void
check_ticks (Run *run, guint row)
{
  run_to (run, ticks[row].instant * H);
  for (guint k = 0; k < 8; k++)
    g_assert_cmpfloat_with_epsilon (get_output (run, "A", k), ticks[row].outputs[k], 1e-12);
}

static void
test_clocks (void)
{
  static const WeirFmuPlace places[] = { WEIR_FMU_IN_PROCESS, WEIR_FMU_IN_WORKER };

  for (guint c = 0; c < 4; c++)
    {
      Part part = { .model = "ticker",
                    .version = 3,
                    .place = places[c % 2],
                    .without = c < 2 ? NULL : "canSerializeFMUState=\"true\"" };
      g_autoptr (GBytes) saved = NULL;
      g_autoptr (GError) error = NULL;
      Run run, other;

      part_begin (&run, &part);
      for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
        {
          check_ticks (&run, i);
          if (i != 6)
            continue;
          saved = weir_simulator_save (run.simulator, &error);
          g_assert_no_error (error);
        }
      /* Back, and forth again; and so another one. */
      g_assert_true (weir_simulator_load (run.simulator, saved, &error));
      part_begin (&other, &part);
      g_assert_true (weir_simulator_load (other.simulator, saved, &error));
      for (guint i = 6; i < G_N_ELEMENTS (ticks); i++)
        {
          check_ticks (&run, i);
          check_ticks (&other, i);
        }
      run_end (&run);
      run_end (&other);
    }
}

/* The stairs go up at 1, 2 and 3, from 1 on: each time the trigger's clock ticks, and 2 is added.
 * Full parallel the ticker sees it where its next step begins. */
static void
test_triggered (void)
{
  static const char *const wires[] = { "A.counter B.trigger", NULL };
  Part parts[2] = { { .model = "stairs", .version = 3 }, { .model = "ticker", .version = 3 } };

  for (WeirStepSchedulingType type = WEIR_STEP_SCHEDULING_FULL_PARALLEL;
       type <= WEIR_STEP_SCHEDULING_CASCADING_PARALLEL; type++)
    {
      gboolean is_cascade = type == WEIR_STEP_SCHEDULING_CASCADING_PARALLEL;
      Run run;

      run_begin (&run, parts_new (parts, 2, wires), H, type, 2);
      for (guint k = 0; k <= 3 * 128 + 2; k++)
        {
          run_to (&run, k * H);
          g_assert_cmpfloat (get_output (&run, "A", 0), ==, 1 + k / 128);
          g_assert_cmpfloat (get_output (&run, "B", 7), ==,
                             2 * ((is_cascade ? k : MAX (k, 1) - 1) / 128));
        }
      run_end (&run);
    }
}

/* A clock that the FMU ticks within a step, which ends there: x is 0.75 t, by steps of INNER, and
 * reaches each quarter with step number ceil (quarter / (0.75 INNER)). Ports: x, blows, n, last. */
static void
test_output_clock (void)
{
  Part part = { .model = "whistle", .version = 3 };
  Run run;

  part_begin (&run, &part);
  for (guint k = 0; k <= 256; k++)
    {
      guint n = (guint) floor (0.75 * k * H / 0.25);
      double last = n > 0 ? INNER * ceil (n * 0.25 / (0.75 * INNER)) : -1;

      run_to (&run, k * H);
      g_assert_cmpfloat (get_output (&run, "A", 0), ==, 0.75 * k * H);
      g_assert_cmpfloat (get_output (&run, "A", 1), ==, n);
      g_assert_cmpfloat (get_output (&run, "A", 2), ==, n);
      g_assert_cmpfloat (get_output (&run, "A", 3), ==, last);
    }
  run_end (&run);
}

/* Where an FMU cannot stop within a step, a tick there is told, and none is passed over; and where
 * there is no event mode, nothing can tick. */
static void
test_clocks_refused (void)
{
  Part part = { .model = "ticker",
                .version = 3,
                .without = "canHandleVariableCommunicationStepSize=\"true\"" };
  g_autoptr (GError) error = NULL;
  Run run;

  part_begin (&run, &part);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_cmpstr (error->message, ==,
                   "A: one of the FMU's clocks ticks at t = 0.1 s, within a step from 0.09375 s to "
                   "0.1015625 s, and the FMU cannot vary its steps: choose a communication step of "
                   "which ticks are multiples");
  g_clear_error (&error);
  run_end (&run);
  part.without = "hasEventMode=\"true\"";
  g_assert_null (part_new (&part, &error));
  g_assert_cmpstr (error->message, ==,
                   "ticker-3: the FMU has clocks, which tick in event mode, and offers none in "
                   "co-simulation.");
}

/* --- Saved and gone back to ------------------------------------------------------------------ */

static void
test_save (void)
{
  static const char *const without[] = { NULL, "canSerializeFMUstate=\"true\"",
                                         "canSerializeFMUState=\"true\"" };

  for (guint c = 0; c < 4; c++)
    {
      guint version = versions[c % 2];
      Part part = { .model = "ball",
                    .version = version,
                    .without = c < 2 ? NULL : without[version - 1] };
      g_autoptr (GBytes) saved = NULL;
      g_autoptr (GError) error = NULL;
      double end[2], again;
      Run run, other;

      part_begin (&run, &part);
      run_to (&run, 64 * H); /* past the first bounce */
      saved = weir_simulator_save (run.simulator, &error);
      g_assert_no_error (error);
      run_to (&run, 200 * H);
      end[0] = get_output (&run, "A", 0);
      end[1] = get_output (&run, "A", 1);
      /* Back, and forth again. */
      g_assert_true (weir_simulator_load (run.simulator, saved, &error));
      run_to (&run, 200 * H);
      again = get_output (&run, "A", 0);
      g_assert_cmpmem (&end[0], sizeof again, &again, sizeof again);
      run_end (&run);
      /* In another process of the FMU. */
      part_begin (&other, &part);
      g_assert_true (weir_simulator_load (other.simulator, saved, &error));
      run_to (&other, 200 * H);
      again = get_output (&other, "A", 1);
      g_assert_cmpmem (&end[1], sizeof again, &again, sizeof again);
      run_end (&other);
    }
}

/* --- Switched off ---------------------------------------------------------------------------- */

/* A ball that is away in the steps from instant 32 on, before 64: ignored it falls on, unseen; off
 * it stays, and falls from 1 m again when it comes back. Saved in between, it goes on like that. */
static void
test_away (void)
{
  for (guint c = 0; c < 8; c++)
    {
      WeirUnitActivity activity = c % 2 == 0 ? WEIR_UNIT_IGNORED : WEIR_UNIT_OFF;
      Part part = { .model = "ball", .version = versions[c / 2 % 2] };
      double x[] = { 1, 0 }, g = -9.81, shown = 1;
      Run run;

      part_begin (&run, &part);
      for (guint k = 1; k <= 96; k++)
        {
          gboolean is_away = k > 32 && k <= 64;

          run_to (&run, k * H);
          if (k == 65 && activity == WEIR_UNIT_OFF)
            {
              x[0] = 1;
              x[1] = 0;
              g = -9.81;
            }
          if (!is_away || activity == WEIR_UNIT_IGNORED)
            step_ball (x, &g, 0.7, H);
          if (!is_away)
            shown = x[0];
          g_assert_cmpfloat (get_output (&run, "A", 0), ==, shown);
          if (k == 32 || k == 64)
            weir_cosim_set_activity (run.cosim, 0, k == 32 ? activity : WEIR_UNIT_ON);
          if (k == 48 && c >= 4)
            {
              g_autoptr (GBytes) saved = weir_simulator_save (run.simulator, NULL);

              g_assert_nonnull (saved);
              run_end (&run);
              part_begin (&run, &part);
              g_assert_true (weir_simulator_load (run.simulator, saved, NULL));
              g_assert_cmpint (weir_cosim_get_activity (run.cosim, 0), ==, activity);
            }
        }
      run_end (&run);
    }
}

/* --- What goes wrong ------------------------------------------------------------------------- */

enum { CRASH = 1, LOOP = 4, FAIL_WITH_WORDS = 11, DISCARD = 13, KILL_ITSELF = 16 };

static void
assert_failure (guint version, double deed, double limit, const char *text)
{
  const double from = 0.25 + INNER / 2; /* within the step from 0.25 on */
  const WeirFmuStart starts[] = { { "deed", &deed, 1 }, { "from", &from, 1 } };
  Part part = {
    .model = "hostile", .version = version, .starts = starts, .n_starts = 2, .limit = limit
  };
  g_autoptr (GError) error = NULL;
  Run run;

  part_begin (&run, &part);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_nonnull (error);
  if (!g_str_has_prefix (error->message, "A: hostile") || strstr (error->message, text) == NULL)
    g_error ("no \"%s\" in: %s", text, error->message);
  run_end (&run);
}

static void
test_failures (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      g_autofree char *crash = g_strdup_printf (
          "fmi%uDoStep ended its process by a segmentation fault at t = 0.25", versions[i]);
      g_autofree char *loop = g_strdup_printf ("fmi%uDoStep did not return within 0.3 s",
                                               versions[i]);
      g_autofree char *words = g_strdup_printf ("fmi%uDoStep failed at t = 0.25", versions[i]);

      assert_failure (versions[i], CRASH, 0, crash);
      assert_failure (versions[i], LOOP, 0.3, loop);
      assert_failure (versions[i], FAIL_WITH_WORDS, 0, words);
      assert_failure (versions[i], KILL_ITSELF, 0, "SIGKILL from outside");
    }
}

static void
test_fixed_step (void)
{
  Part part = { .model = "ball",
                .version = 3,
                .without = "canHandleVariableCommunicationStepSize=\"true\"" };
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "fmi", "fmus", "ball-3", NULL);
  g_autoptr (WeirFmuDescription) description = read_without (folder, part.without);
  g_autoptr (GError) error = NULL;
  WeirFmuModeInfo *mode = (WeirFmuModeInfo *) &description->modes[WEIR_FMU_CO_SIMULATION];
  WeirFmuLeafOptions options = { .folder = folder,
                                 .name = "ball",
                                 .instance = weir_fmu_default_options };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = NULL;
  Run run;

  mode->fixed_step = 0.003;
  unit = weir_fmu_unit_new (description, &options, 1, &error);
  g_assert_no_error (error);
  weir_diagram_builder_add (b, "A", unit);
  run_begin (&run, weir_diagram_builder_build (b, NULL), 0.01, WEIR_STEP_SCHEDULING_FULL_PARALLEL,
             1);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_cmpstr (error->message, ==,
                   "A: the FMU makes steps of 0.003 s, of which a communication step of 0.01 s is "
                   "no multiple: choose one");
  run_end (&run);
}

static gpointer
stop (gpointer cancel)
{
  g_usleep (100 * 1000); /* so that there is a call to be stopped, mostly */
  g_atomic_int_set ((gint *) cancel, 1);
  return NULL;
}

/* A run that is stopped ends though the FMU does not return. */
static void
test_stop (void)
{
  const double deed = LOOP;
  const WeirFmuStart start = { "deed", &deed, 1 };
  Part part = { .model = "hostile", .version = 3, .starts = &start, .n_starts = 1 };
  g_autoptr (GError) error = NULL;
  gint cancel = 0;
  GThread *thread;
  Run run;

  part_begin (&run, &part);
  weir_simulator_set_cancel (run.simulator, &cancel);
  thread = g_thread_new ("stop", stop, &cancel);
  g_assert_false (weir_simulator_advance_to (run.simulator, 1, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  run_end (&run);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/unit/ball", test_ball);
  g_test_add_func ("/fmi/unit/tuned", test_tuned);
  g_test_add_func ("/fmi/unit/types", test_types);
  g_test_add_func ("/fmi/unit/ring", test_ring);
  g_test_add_func ("/fmi/unit/stairs", test_stairs);
  g_test_add_func ("/fmi/unit/stiff", test_stiff);
  g_test_add_func ("/fmi/unit/starts", test_starts);
  g_test_add_func ("/fmi/unit/clocks", test_clocks);
  g_test_add_func ("/fmi/unit/triggered-clock", test_triggered);
  g_test_add_func ("/fmi/unit/output-clock", test_output_clock);
  g_test_add_func ("/fmi/unit/clocks-refused", test_clocks_refused);
  g_test_add_func ("/fmi/unit/save", test_save);
  g_test_add_func ("/fmi/unit/away", test_away);
  g_test_add_func ("/fmi/unit/failures", test_failures);
  g_test_add_func ("/fmi/unit/fixed-step", test_fixed_step);
  g_test_add_func ("/fmi/unit/stop", test_stop);
  return g_test_run ();
}
