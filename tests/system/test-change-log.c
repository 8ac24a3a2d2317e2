/* Logging: what is noted, with cause, phase, number and time; switched on and off in mid-run; the
 * ring and its keyframes. That what is rebuilt from it is right, tests/analysis/test-replay.c
 * shows.
 */
#include "blocks.h"
#include "system/observation/change-log.h"
#include "system/evaluation/checkpoint.h"
#include "system/layout/layout-private.h"

/* constant -> gain -> integrator -> (window) back to nothing; a sine beside them. Entries: gain's
 * y, sine's y, the integrator's and the root's derivatives. */
static WeirSystem *
model_new (void)
{
  g_autoptr (WeirSystem) constant = test_constant_new (2), gain = test_gain_new (3);
  g_autoptr (WeirSystem) integrator = test_integrator_new (1), sine = test_sine_new ();
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirSystem *system;

  weir_diagram_builder_add (d, "constant", constant);
  weir_diagram_builder_add (d, "gain", gain);
  weir_diagram_builder_add (d, "integrator", integrator);
  weir_diagram_builder_add (d, "sine", sine);
  weir_diagram_builder_connect_by_name (d, "constant", "y", "gain", "u");
  weir_diagram_builder_connect_by_name (d, "gain", "y", "integrator", "u");
  system = weir_diagram_builder_build (d, NULL);
  g_assert_nonnull (system);
  return system;
}

static WeirNode
node (WeirSystem *system, const char *path)
{
  WeirNode found;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (system), path, &found));
  return found;
}

static WeirEntry
output_entry (WeirSystem *system, const char *path)
{
  WeirEntry entry;

  g_assert_true (weir_layout_find_output_entry (weir_system_get_layout (system),
                                                node (system, path), (WeirOutput) { 0 }, &entry));
  return entry;
}

static void
check (const WeirLogRecord *record, WeirLogKind kind, WeirLogPhase phase, double time,
       guint64 number, guint32 subject)
{
  g_assert_cmpint (record->kind, ==, kind);
  g_assert_cmpint (record->phase, ==, phase);
  g_assert_cmpfloat (record->time, ==, time);
  g_assert_cmpuint (record->number, ==, number);
  g_assert_cmpuint (record->subject, ==, subject);
}

static void
test_events (void)
{
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const WeirLayout *layout = weir_system_get_layout (system);
  WeirNode gain = node (system, "gain");
  guint32 k = weir_layout_parameter_source (layout, gain.i, 0).i;
  guint32 constant = weir_layout_parameter_source (layout, node (system, "constant").i, 0).i;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autofree char *name = weir_layout_dup_source_name (layout, (WeirSource) { k });
  const WeirLogRecord *r;
  double three = 3, four = 4, x = 5, xdot;
  gsize n;

  g_assert_cmpstr (name, ==, "gain:parameter k");
  weir_context_set_time (context, 1); /* event 1, before logging */
  g_assert_false (weir_context_is_logging (context));
  g_assert_null (weir_context_stop_log (context));
  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 0);
  g_assert_true (weir_context_is_logging (context));

  weir_context_set_parameter (context, gain, (WeirParameter) { 0 },
                              &three); /* the same: no event */
  g_assert_cmpint (weir_context_set_phase (context, WEIR_LOG_PHASE_EDIT), ==,
                   WEIR_LOG_PHASE_OUTSIDE);
  weir_context_set_parameter (context, gain, (WeirParameter) { 0 }, &four);
  g_assert_cmpint (weir_context_set_phase (context, WEIR_LOG_PHASE_INTEGRATION), ==,
                   WEIR_LOG_PHASE_EDIT);
  g_assert_cmpint (weir_eval_rhs (system, context, 2, &x, &xdot), ==, WEIR_OK);
  g_assert_cmpfloat (xdot, ==, 8);
  weir_context_set_time_and_state (context, 2, &x);
  weir_context_set_phase (context, WEIR_LOG_PHASE_PUBLISH);
  weir_eval_entry (system, context, output_entry (system, "gain")); /* a hit is a request too */
  weir_context_begin_change (context);
  weir_context_set_time (context, 3);
  weir_context_set_parameter (context, node (system, "constant"), (WeirParameter) { 0 }, &x);
  weir_context_end_change (context);
  log = weir_context_stop_log (context);
  g_assert_false (weir_context_is_logging (context));
  weir_context_set_time (context, 4); /* not logged */

  r = weir_change_log_get_records (log, &n);
  g_assert_cmpuint (n, ==, 9);
  check (&r[0], WEIR_LOG_EVENT, WEIR_LOG_PHASE_EDIT, 1, 2, k);
  check (&r[1], WEIR_LOG_EVENT, WEIR_LOG_PHASE_TRIAL, 2, 3, WEIR_SOURCE_TIME_STATE);
  g_assert_cmpint (r[1].flags, ==, 0);
  g_assert_cmpint (r[2].kind, ==, WEIR_LOG_REQUEST);
  g_assert_cmpint (r[2].flags, ==, WEIR_LOG_FLAG_PLAN);
  check (&r[3], WEIR_LOG_EVENT, WEIR_LOG_PHASE_INTEGRATION, 1, 4, WEIR_SOURCE_TIME_STATE);
  g_assert_cmpint (r[3].flags, ==, WEIR_LOG_FLAG_LEFT_TRIAL);
  check (&r[4], WEIR_LOG_EVENT, WEIR_LOG_PHASE_INTEGRATION, 2, 5, WEIR_SOURCE_TIME_STATE);
  g_assert_cmpint (r[4].flags, ==, 0);
  check (&r[5], WEIR_LOG_REQUEST, WEIR_LOG_PHASE_PUBLISH, 2, 5, output_entry (system, "gain").i);
  check (&r[6], WEIR_LOG_PART, WEIR_LOG_PHASE_PUBLISH, 3, 6, WEIR_SOURCE_TIME);
  check (&r[7], WEIR_LOG_PART, WEIR_LOG_PHASE_PUBLISH, 3, 6, constant);
  check (&r[8], WEIR_LOG_JOINT, WEIR_LOG_PHASE_PUBLISH, 3, 6, 0);
  g_assert_cmpuint (weir_change_log_get_n_lost (log), ==, 0);
  g_assert_cmpuint (weir_change_log_get_n_keyframes (log), ==, 1);
  g_assert_cmpuint (weir_change_log_get_keyframe (log, 0).index, ==, 0);
}

/* Everything stored: which entries, why, and whether the bytes are other ones. */
static void
test_evaluations (void)
{
  static const struct {
    double time;
    gboolean is_off;
    int reason, changed;
  } rounds[] = {
    { 1, FALSE, WEIR_LOG_FIRST, 1 },
    { 2, FALSE, WEIR_LOG_OUT_OF_DATE, 1 }, /* sin 2 is not sin 1 */
    { -0.0, FALSE, WEIR_LOG_OUT_OF_DATE, 1 },
    { 0.0, FALSE, WEIR_LOG_OUT_OF_DATE, 1 }, /* sin 0 and sin -0 differ in a bit */
    { 0.0, TRUE, WEIR_LOG_DISABLED, 0 },
  };
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirEntry sine = output_entry (system, "sine");
  g_autoptr (WeirChangeLog) log = NULL;
  const WeirLogRecord *r;
  guint at = 0;
  gsize n;

  weir_context_start_log (context, WEIR_LOG_MODE_ALL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      weir_context_set_time (context, rounds[i].time);
      weir_context_set_entry_caching (context, sine, !rounds[i].is_off);
      g_assert_nonnull (weir_eval_entry (system, context, sine));
    }
  log = weir_context_copy_log (context);
  g_assert_true (weir_context_is_logging (context));
  g_assert_cmpint (weir_change_log_get_mode (log), ==, WEIR_LOG_MODE_ALL);
  r = weir_change_log_get_records (log, &n);
  for (gsize i = 0; i < n; i++)
    if (r[i].kind == WEIR_LOG_EVALUATED)
      {
        g_assert_cmpuint (at, <, G_N_ELEMENTS (rounds));
        g_assert_cmpuint (r[i].subject, ==, sine.i);
        g_assert_cmpuint (r[i].detail, ==, 1);
        g_assert_cmpint (r[i].reason, ==, rounds[at].reason);
        g_assert_cmpuint (r[i].number, ==, rounds[at].changed);
        at++;
      }
  g_assert_cmpuint (at, ==, G_N_ELEMENTS (rounds));
}

/* The newest records stay, the others are counted, and a keyframe stands before the first that is
 * left. */
static void
test_overflow (void)
{
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);

  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 100); /* rounded up to 128 */
  for (guint i = 1; i <= 1000; i++)
    {
      g_autoptr (WeirChangeLog) log = NULL;
      const WeirLogRecord *r;
      gsize n;

      weir_context_set_time (context, i);
      log = weir_context_copy_log (context);
      r = weir_change_log_get_records (log, &n);
      g_assert_cmpuint (n + weir_change_log_get_n_lost (log), ==, i);
      g_assert_cmpuint (n, <=, 128);
      g_assert_cmpuint (n, >=, MIN (i, 96)); /* but for the records before the first keyframe */
      for (gsize k = 0; k < n; k++)
        g_assert_cmpfloat (r[k].time, ==, (double) (i - n + 1 + k));
      g_assert_cmpuint (weir_change_log_get_keyframe (log, 0).index, ==, 0);
    }
}

/* Frozen, a context may be read by many threads: nothing is noted. */
static void
test_frozen (void)
{
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirChangeLog) log = NULL;
  gsize n;

  g_assert_nonnull (weir_eval_derivatives (system, context));
  weir_context_start_log (context, WEIR_LOG_MODE_ALL, 0);
  weir_context_set_frozen (context, TRUE);
  g_assert_nonnull (weir_eval_derivatives (system, context));
  g_assert_null (weir_eval_entry (system, context, output_entry (system, "sine")));
  log = weir_context_stop_log (context);
  weir_change_log_get_records (log, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* A loaded context begins anew at a keyframe. A clone does not log. */
static void
test_restored (void)
{
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system), clone = NULL;
  g_autoptr (GBytes) saved = NULL;
  g_autoptr (WeirChangeLog) log = NULL;
  const WeirLogRecord *r;
  WeirLogKeyframe frame;
  gsize n;

  g_assert_nonnull (weir_eval_derivatives (system, context));
  saved = weir_context_save (context);
  weir_context_set_all_out_of_date (context);
  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 0);
  clone = weir_context_clone (context);
  g_assert_false (weir_context_is_logging (clone));
  g_assert_true (weir_context_load (context, system, saved, NULL));
  log = weir_context_stop_log (context);
  r = weir_change_log_get_records (log, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (r[0].kind, ==, WEIR_LOG_RESTORED);
  g_assert_cmpuint (weir_change_log_get_n_keyframes (log), ==, 2);
  frame = weir_change_log_get_keyframe (log, 1);
  g_assert_cmpuint (frame.index, ==, 1);
  g_assert_cmpuint (frame.out_of_date[0], ==,
                    G_GUINT64_CONSTANT (1) << output_entry (system, "sine").i);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/change-log/events", test_events);
  g_test_add_func ("/system/change-log/evaluations", test_evaluations);
  g_test_add_func ("/system/change-log/overflow", test_overflow);
  g_test_add_func ("/system/change-log/frozen", test_frozen);
  g_test_add_func ("/system/change-log/restored", test_restored);
  return g_test_run ();
}
