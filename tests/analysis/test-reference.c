/* The classic models of data/examples against the numbers of tests/data/reference.csv.
 *
 * Each row that names a model says what is changed in it ("Mu.gain=5 stop-time=60"), which signal
 * is measured and how, what must come out and within which tolerance, and where that number comes
 * from; none comes from this program. Rows with the same model and changes are one run. Every model
 * runs with and without caching, and both records must be the same to the last bit.
 *
 * Measures: "at T", the value at time T; "at event K", at the K-th crossing of anything; "event K",
 * the time of the K-th crossing of the block; "last event"; "rise L K" and "fall L K", when the
 * signal passes L for the K-th time; "period L K", from that rise to the next; "peak K", "trough K"
 * and "peak-time K" of the K-th extremum after the start; "linear ...", of the loop at the model's
 * analysis point (test-analyst.c). What lies between the rows of the record
 * is found on the cubic through the four nearest.
 */
#include <math.h>
#include <string.h>

#include "model/completion/completion.h"
#include "model/tree/patch.h"
#include "model/files/xml.h"
#include "sim/recorder.h"
#include "sim/simulator.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"

enum { NAME, VALUE, TOLERANCE, MODEL, CHANGE, SIGNAL, MEASURE, KIND, SOURCE, N_FIELDS };

static GPtrArray *table; /* of GStrv with N_FIELDS */

static void
read_table (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "reference.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  table = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      GStrv fields = g_strsplit (lines[i], ",", -1);

      g_assert_cmpuint (g_strv_length (fields), ==, N_FIELDS);
      g_assert_true (g_str_equal (fields[KIND], "closed form")
                     || g_str_equal (fields[KIND], "published")
                     || g_str_equal (fields[KIND], "independent computation"));
      if (g_str_has_prefix (fields[MEASURE], "linear "))
        g_strfreev (fields); /* test-analyst.c */
      else
        g_ptr_array_add (table, fields);
    }
}

/* --- Models ---------------------------------------------------------------------------------- */

static WeirModel *
read_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirModel *model = weir_model_read_file (file, diagnostics);

  g_assert_nonnull (model);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  return model;
}

static WeirModel *
read_model (const char *name)
{
  g_autofree char *file_name = g_strdup_printf ("%s.weir", name);
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "examples", file_name, NULL);

  return read_file (path);
}

/* @change: "Block.parameter=text" or "setting=text". */
static WeirModel *
apply_change (WeirModel *model, const char *change)
{
  g_auto (GStrv) sides = g_strsplit (change, "=", 2);
  char *dot = strrchr (sides[0], '.');
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GError) error = NULL;
  WeirModel *result;

  if (dot == NULL)
    weir_patch_set_setting (patch, sides[0], sides[1]);
  else
    {
      g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree char *text = NULL;
      const char *parameter = dot + 1;
      const WeirBlockType *type;
      g_autoptr (WeirBlock) changed = NULL;
      WeirBlock *block;

      *dot = '\0';
      block = weir_model_find_path (model, sides[0]);
      g_assert_nonnull (block);
      type = weir_registry_find (weir_block_get_type_name (block));
      if (type->assign != NULL)
        text = type->assign (weir_block_get_arguments (block), dot + 1, sides[1], &parameter);
      changed = weir_block_with_parameter (block, parameter, text != NULL ? text : sides[1]);
      weir_model_find_block (model, weir_block_get_id (block), place);
      weir_patch_set_block (
          patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len }, changed);
    }
  result = weir_model_apply (model, patch, NULL, &error);
  g_assert_no_error (error);
  return result;
}

static WeirModel *
make_model (const char *name, const char *changes)
{
  g_auto (GStrv) list = g_strsplit (changes, " ", -1);
  WeirModel *model = read_model (name);

  for (guint i = 0; list[i] != NULL && *list[i] != '\0'; i++)
    {
      WeirModel *changed = apply_change (model, list[i]);

      weir_model_unref (model);
      model = changed;
    }
  return model;
}

static double
get_setting (WeirModel *model, const char *name, double otherwise)
{
  const char *text = weir_model_get_setting (model, name);

  return text != NULL ? g_ascii_strtod (text, NULL) : otherwise;
}

/* --- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  WeirSystem *system;
  WeirRecorder *recorder;
  GArray *events; /* of Event */
  guint64 *counts;
} Run;

typedef struct {
  double time;
  gsize row; /* of the record at that time */
  guint32 node;
} Event;

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Run *run = data;
  double time = weir_context_get_time (weir_simulator_get_context (simulator));
  WeirStatus status = weir_recorder_record (run->recorder, weir_simulator_get_context (simulator),
                                            phase);

  for (guint i = 0; i < weir_system_get_n_events (run->system); i++)
    {
      WeirDeclaredEvent declared = weir_system_get_event (run->system, i);
      guint64 count = weir_simulator_get_event_count (simulator, i);

      if (declared.trigger == WEIR_TRIGGER_CROSSING && declared.action != WEIR_ACTION_BREAK
          && count != run->counts[i])
        {
          Event event = { time, weir_recorder_get_n_rows (run->recorder) - 1, declared.node.i };

          g_array_append_val (run->events, event);
        }
      run->counts[i] = count;
    }
  return status;
}

static Run
run_model (WeirModel *model, const char *const *signals, GArray *stops, gboolean caching)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  Run run = { .events = g_array_new (FALSE, FALSE, sizeof (Event)) };

  weir_simulator_options_init (&options);
  options.solver = weir_model_get_setting (model, "solver");
  options.relative_tolerance = get_setting (model, "relative-tolerance",
                                            options.relative_tolerance);
  options.absolute_tolerance = get_setting (model, "absolute-tolerance",
                                            options.absolute_tolerance);
  options.max_step = get_setting (model, "max-step", options.max_step);
  run.system = weir_model_complete (model, diagnostics);
  g_assert_nonnull (run.system);
  run.counts = g_new0 (guint64, weir_system_get_n_events (run.system) + 1);
  context = weir_system_create_context (run.system);
  weir_context_set_caching (context, caching);
  run.recorder = weir_recorder_new (run.system, signals, FALSE, &error);
  g_assert_no_error (error);
  simulator = weir_simulator_new (run.system, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_set_monitor (simulator, record, &run);
  for (guint i = 0; i < stops->len; i++)
    {
      weir_simulator_advance_to (simulator, g_array_index (stops, double, i), &error);
      g_assert_no_error (error);
    }
  return run;
}

static void
run_clear (Run *run)
{
  weir_system_unref (run->system);
  weir_recorder_unref (run->recorder);
  g_array_unref (run->events);
  g_free (run->counts);
}

static void
assert_same (Run *cached, Run *uncached)
{
  gsize n = weir_recorder_get_n_rows (cached->recorder);

  g_assert_cmpuint (weir_recorder_get_n_rows (uncached->recorder), ==, n);
  for (gsize row = 0; row < n; row++)
    {
      double times[] = { weir_recorder_get_time (cached->recorder, row),
                         weir_recorder_get_time (uncached->recorder, row) };

      g_assert_cmpmem (&times[0], sizeof (double), &times[1], sizeof (double));
      for (guint s = 0; s < weir_recorder_get_n_signals (cached->recorder); s++)
        {
          double values[] = { weir_recorder_get_value (cached->recorder, s, row),
                              weir_recorder_get_value (uncached->recorder, s, row) };

          g_assert_cmpmem (&values[0], sizeof (double), &values[1], sizeof (double));
        }
    }
  g_assert_cmpuint (cached->events->len, ==, uncached->events->len);
  for (guint i = 0; i < cached->events->len; i++)
    {
      Event a = g_array_index (cached->events, Event, i),
            b = g_array_index (uncached->events, Event, i);

      g_assert_cmpmem (&a.time, sizeof a.time, &b.time, sizeof b.time);
      g_assert_cmpuint (a.node, ==, b.node);
    }
}

/* --- Measuring ------------------------------------------------------------------------------- */

typedef struct {
  GArray *t, *y; /* of double; t ascends strictly */
} Curve;

static Curve
curve_of (Run *run, const char *signal)
{
  Curve curve = { g_array_new (FALSE, FALSE, sizeof (double)),
                  g_array_new (FALSE, FALSE, sizeof (double)) };
  guint s = 0;

  while (strcmp (weir_recorder_get_signal_name (run->recorder, s), signal) != 0)
    s++;
  for (gsize row = 0; row < weir_recorder_get_n_rows (run->recorder); row++)
    {
      double t = weir_recorder_get_time (run->recorder, row);
      double y = weir_recorder_get_value (run->recorder, s, row);

      if (curve.t->len > 0 && t <= g_array_index (curve.t, double, curve.t->len - 1))
        continue;
      g_array_append_val (curve.t, t);
      g_array_append_val (curve.y, y);
    }
  return curve;
}

static double
time_of (const Curve *curve, guint i)
{
  return g_array_index (curve->t, double, i);
}

static double
value_of (const Curve *curve, guint i)
{
  return g_array_index (curve->y, double, i);
}

/* The cubic through the four rows around the piece that begins at row @i, or its derivative,
 * at @t. */
static double
interpolate (const Curve *curve, guint i, double t, gboolean derivative)
{
  guint first = MIN (i > 0 ? i - 1 : 0, curve->t->len - 4);
  double sum = 0;

  for (guint k = first; k < first + 4; k++)
    {
      double weight = 1, slope = 0;

      for (guint j = first; j < first + 4; j++)
        if (j != k)
          {
            double h = time_of (curve, k) - time_of (curve, j);

            slope = (slope * (t - time_of (curve, j)) + weight) / h;
            weight *= (t - time_of (curve, j)) / h;
          }
      sum += value_of (curve, k) * (derivative ? slope : weight);
    }
  return sum;
}

/* Where the curve passes @level, or its derivative does, between @low and @high. */
static double
bisect (const Curve *curve, guint i, double low, double high, double level, gboolean derivative)
{
  gboolean is_below = interpolate (curve, i, low, derivative) < level;

  for (guint k = 0; k < 100; k++)
    {
      double middle = low + (high - low) / 2;

      if ((interpolate (curve, i, middle, derivative) < level) == is_below)
        low = middle;
      else
        high = middle;
    }
  return high;
}

/* When the curve passes @level for the @k-th time; @sign: upwards or downwards. */
static double
find_pass (const Curve *curve, double level, guint k, double sign)
{
  for (guint i = 0; i + 1 < curve->t->len; i++)
    if (sign * (value_of (curve, i) - level) < 0 && sign * (value_of (curve, i + 1) - level) >= 0
        && --k == 0)
      return bisect (curve, i, time_of (curve, i), time_of (curve, i + 1), level, FALSE);
  g_assert_not_reached ();
}

/* When the @k-th extremum between the ends is. */
static double
find_extremum (const Curve *curve, guint k, double sign, double *value)
{
  for (guint i = 1; i + 1 < curve->t->len; i++)
    {
      double here = sign * value_of (curve, i);
      double t;

      if (!(here >= sign * value_of (curve, i - 1) && here > sign * value_of (curve, i + 1))
          || --k > 0)
        continue;
      t = bisect (curve, i, time_of (curve, i - 1), time_of (curve, i + 1), 0, TRUE);
      *value = interpolate (curve, i, t, FALSE);
      return t;
    }
  g_assert_not_reached ();
}

static double
find_event (Run *run, const char *block, guint k, gboolean last)
{
  double time = NAN;
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (run->system), block, &node));
  for (guint i = 0; i < run->events->len; i++)
    {
      Event event = g_array_index (run->events, Event, i);

      if (event.node != node.i || (!last && --k > 0))
        continue;
      time = event.time;
      if (!last)
        break;
    }
  return time;
}

static double
measure (Run *run, const char *signal, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  double number = words[1] != NULL ? g_ascii_strtod (words[1], NULL) : 0;
  Curve curve;
  double result = NAN;

  if (g_str_equal (text, "last event"))
    return find_event (run, signal, 0, TRUE);
  if (g_str_equal (words[0], "event"))
    return find_event (run, signal, (guint) number, FALSE);
  curve = curve_of (run, signal);
  if (g_str_has_prefix (text, "at event"))
    {
      Event event = g_array_index (run->events, Event, (guint) g_ascii_strtod (words[2], NULL) - 1);

      for (guint i = 0; i < curve.t->len; i++)
        if (time_of (&curve, i) == event.time)
          result = value_of (&curve, i);
    }
  else if (g_str_equal (words[0], "at"))
    {
      for (guint i = 0; i < curve.t->len; i++)
        if (fabs (time_of (&curve, i) - number) <= 1e-12 * number)
          result = value_of (&curve, i);
    }
  else if (words[2] != NULL)
    {
      guint k = (guint) g_ascii_strtod (words[2], NULL);

      if (g_str_equal (words[0], "rise"))
        result = find_pass (&curve, number, k, 1);
      else if (g_str_equal (words[0], "fall"))
        result = find_pass (&curve, number, k, -1);
      else if (g_str_equal (words[0], "period"))
        result = find_pass (&curve, number, k + 1, 1) - find_pass (&curve, number, k, 1);
    }
  else
    {
      double value, time = find_extremum (&curve, (guint) number,
                                          g_str_equal (words[0], "trough") ? -1 : 1, &value);

      result = g_str_equal (words[0], "peak-time") ? time : value;
    }
  g_array_unref (curve.t);
  g_array_unref (curve.y);
  return result;
}

/* --- Tests ----------------------------------------------------------------------------------- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The rows that share model and changes with row @data, which is the first of them. */
static void
test_group (gconstpointer data)
{
  const GStrv head = (const GStrv) data;
  g_autoptr (WeirModel) model = make_model (head[MODEL], head[CHANGE]);
  g_autoptr (GPtrArray) rows = g_ptr_array_new (), signals = g_ptr_array_new ();
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (double));
  double end = get_setting (model, "stop-time", NAN);
  Run cached, uncached;
  guint n_wrong = 0;

  g_assert_true (isfinite (end));
  g_array_append_val (stops, end);
  for (guint i = 0; i < table->len; i++)
    {
      const GStrv row = table->pdata[i];

      if (strcmp (row[MODEL], head[MODEL]) != 0 || strcmp (row[CHANGE], head[CHANGE]) != 0)
        continue;
      g_ptr_array_add (rows, row);
      if (strchr (row[SIGNAL], '.') != NULL
          && !g_ptr_array_find_with_equal_func (signals, row[SIGNAL], g_str_equal, NULL))
        g_ptr_array_add (signals, row[SIGNAL]);
      if (g_str_has_prefix (row[MEASURE], "at ") && g_ascii_isdigit (row[MEASURE][3]))
        {
          double t = g_ascii_strtod (row[MEASURE] + 3, NULL);

          g_assert_cmpfloat (t, <=, end);
          g_array_append_val (stops, t);
        }
    }
  g_ptr_array_add (signals, NULL);
  g_array_sort (stops, compare_times);
  cached = run_model (model, (const char *const *) signals->pdata, stops, TRUE);
  uncached = run_model (model, (const char *const *) signals->pdata, stops, FALSE);
  assert_same (&cached, &uncached);
  for (guint i = 0; i < rows->len; i++)
    {
      const GStrv row = rows->pdata[i];
      double expected = g_ascii_strtod (row[VALUE], NULL),
             got = measure (&cached, row[SIGNAL], row[MEASURE]);
      double tolerance = g_ascii_strtod (row[TOLERANCE], NULL);

      g_test_message ("%s: %.15g, off by %.2g of %.2g", row[NAME], got, fabs (got - expected),
                      tolerance);
      if (!(fabs (got - expected) <= tolerance))
        {
          n_wrong++;
          g_test_message ("wrong: %s is %.17g, but should be %.17g within %g", row[NAME], got,
                          expected, tolerance);
        }
    }
  g_assert_cmpuint (n_wrong, ==, 0);
  run_clear (&cached);
  run_clear (&uncached);
}

/* --- Ends ------------------------------------------------------------------------------------ */

/* A file's model with any solver, to the end. */
typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Whole;

static Whole
whole_new (WeirModel *model, const char *solver)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  Whole whole = { .system = weir_model_complete (model, diagnostics) };

  g_assert_nonnull (whole.system);
  whole.context = weir_system_create_context (whole.system);
  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = 0.01;
  whole.simulator = weir_simulator_new (whole.system, whole.context, &options, &error);
  g_assert_no_error (error);
  return whole;
}

static void
whole_clear (Whole *whole)
{
  weir_simulator_free (whole->simulator);
  weir_context_free (whole->context);
  weir_system_unref (whole->system);
}

/* From the file: the ball comes to rest near 12.8505881063 s, tells so once, lies on the floor from
 * then on, and no more bounces are run than have a speed above 1e-9 m/s: v_1 e^n < 1e-9 for n >
 * 104. Methods that interpolate to their tolerance lose sight of bounces lower than that; a method
 * of first order, whose flights are no parabolas, only has to stay above the floor and to come to
 * an end. */
static void
test_rest (gconstpointer solver)
{
  g_autoptr (WeirModel) model = read_model ("bouncing-ball");
  gboolean is_loose = g_str_has_prefix (solver, "cvode") || g_str_has_prefix (solver, "arkode")
                      || g_str_equal (solver, "ida");
  Whole ball = whole_new (model, solver);
  g_autoptr (GError) error = NULL;
  gboolean is_told = weir_solver_find (solver)->order >= 2;
  double rest = 12.8505881063, off = is_loose ? 1e-2 : 1e-8;
  const double times[] = { rest - off, rest + off, 15 };
  const char *note;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      weir_simulator_advance_to (ball.simulator, times[i], &error);
      g_assert_no_error (error);
      if (is_told)
        g_assert_cmpuint (weir_simulator_get_n_notes (ball.simulator), ==, MIN (i, 1));
    }
  g_assert_cmpfloat (weir_context_get_state (ball.context)[0], >=, 0);
  g_assert_cmpuint (weir_simulator_get_statistics (ball.simulator)->crossings, <=, 105);
  if (is_told)
    {
      note = weir_simulator_get_note (ball.simulator, 0)->text;
      g_assert_true (g_str_has_prefix (note, "Ball at t = "));
      g_assert_nonnull (strstr (note, "came to rest"));
      g_assert_cmpfloat (weir_context_get_state (ball.context)[0], ==, 0);
      g_assert_cmpfloat (weir_context_get_state (ball.context)[1], ==, 0);
    }
  whole_clear (&ball);
}

/* From the file: x' = -sign (x) slides from t = 1 on; the report names block, count
 * and interval. */
static void
test_chattering (gconstpointer solver)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "chattering.weir", NULL);
  g_autoptr (WeirModel) model = read_file (path);
  Whole run = whole_new (model, solver);
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (run.simulator, 5, &error));
  g_assert_true (
      g_str_has_prefix (error->message, "Sign: 1001 zero crossings (Sign:crossing) within "));
  g_assert_nonnull (strstr (error->message, "chatters"));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 1, 1e-6);
  whole_clear (&run);
}

/* The ten models of the table are there, and those of the later blocks. */
static void
test_complete (void)
{
  static const char *const names[] = { "bouncing-ball",  "lorenz",         "van-der-pol",
                                       "robertson",      "pendulum",       "foucault",
                                       "dc-motor",       "thermostat",     "sampled",
                                       "predator-prey",  "servo-backlash", "identification",
                                       "gain-scheduling" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint n = 0;

      for (guint k = 0; k < table->len; k++)
        n += strcmp (((GStrv) table->pdata[k])[MODEL], names[i]) == 0;
      g_assert_cmpuint (n, >=, 5);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  read_table ();
  g_test_add_func ("/analysis/reference/complete", test_complete);
  for (guint i = 0; i < table->len; i++)
    {
      const GStrv row = table->pdata[i];
      g_autofree char *path = NULL;
      gboolean is_first = *row[MODEL] != '\0';

      for (guint k = 0; k < i && is_first; k++)
        {
          const GStrv other = table->pdata[k];

          is_first = strcmp (row[MODEL], other[MODEL]) != 0
                     || strcmp (row[CHANGE], other[CHANGE]) != 0;
        }
      path = g_strdup_printf ("/analysis/reference/%s%s%s", row[MODEL],
                              *row[CHANGE] != '\0' ? " " : "", row[CHANGE]);
      if (is_first)
        g_test_add_data_func (path, row, test_group);
    }
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const char *solver = weir_solver_get (i)->name;
      g_autofree char *rest = g_strdup_printf ("/analysis/reference/rest/%s", solver);
      g_autofree char *chattering = g_strdup_printf ("/analysis/reference/chattering/%s", solver);

      g_test_add_data_func (rest, solver, test_rest);
      g_test_add_data_func (chattering, solver, test_chattering);
    }
  return g_test_run ();
}
