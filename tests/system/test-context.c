/* Conformance: a leaf's context. */
#include "probe.h"

#define T(ticket) (1u << WEIR_TICKET_##ticket)
#define SOURCES (T (ALL_SOURCES_EXCEPT_INPUTS) | T (ALL_SOURCES))
#define STATES (T (ALL_STATE) | T (CONFIGURATION) | T (KINEMATICS) | SOURCES)
#define PARAMETERS (T (ALL_PARAMETERS) | T (CONFIGURATION) | T (KINEMATICS) | SOURCES)

static const double one = 1, nine = 9, three[3] = { 7, 8, 9 };

typedef struct {
  WeirSystem *system;
  WeirContext *context;
} Probe;

static void
probe_init (Probe *p)
{
  p->system = probe_new ();
  p->context = weir_system_create_context (p->system);
  probe_eval_all (p->system, p->context);
}

static void
probe_clear (Probe *p)
{
  weir_context_free (p->context);
  weir_system_unref (p->system);
}

/* What was heard since the last time; brings everything up to date again. */
static guint32
heard (Probe *p)
{
  guint32 tickets = probe_heard (p->context, "");

  probe_eval_all (p->system, p->context);
  return tickets;
}

/* Every source against every ticket, one listening entry each. */
static void
test_matrix (void)
{
  Probe p;

  probe_init (&p);
  weir_context_set_time (p.context, 1);
  g_assert_cmphex (heard (&p), ==, T (TIME) | SOURCES);
  weir_context_set_accuracy (p.context, 1e-4);
  g_assert_cmphex (heard (&p), ==, T (ACCURACY) | T (CONFIGURATION) | T (KINEMATICS) | SOURCES);
  weir_context_set_part (p.context, WEIR_ROOT, WEIR_STATE_Q, &nine);
  g_assert_cmphex (heard (&p), ==, T (Q) | T (XC) | STATES);
  weir_context_set_part (p.context, WEIR_ROOT, WEIR_STATE_V, &nine);
  g_assert_cmphex (heard (&p), ==, T (V) | T (XC) | T (ALL_STATE) | T (KINEMATICS) | SOURCES);
  weir_context_set_part (p.context, WEIR_ROOT, WEIR_STATE_Z, &nine);
  g_assert_cmphex (heard (&p), ==, T (Z) | T (XC) | STATES);
  weir_context_set_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  g_assert_cmphex (heard (&p), ==, T (XD) | STATES);
  weir_context_set_abstract_state (p.context, WEIR_ROOT, (WeirGroup) { PROBE_A },
                                   g_variant_new_string ("x"), NULL);
  g_assert_cmphex (heard (&p), ==, T (XA) | STATES);
  weir_context_set_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_P }, &nine);
  g_assert_cmphex (heard (&p), ==, T (PN) | PARAMETERS);
  weir_context_set_abstract_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_B },
                                       g_variant_new_string ("x"), NULL);
  g_assert_cmphex (heard (&p), ==, T (PA) | PARAMETERS);
  weir_context_fix_input (p.context, WEIR_ROOT, (WeirInput) { 0 }, &nine);
  g_assert_cmphex (heard (&p), ==, T (ALL_INPUTS) | T (ALL_SOURCES));
  probe_clear (&p);
}

/* Grouped setters reach what their parts reach, and no more. */
static void
test_grouped_setters (void)
{
  const guint32 vz = T (V) | T (Z) | T (XC) | STATES, tq = T (TIME) | T (Q) | T (XC) | STATES;
  double part[3] = { 0 };
  Probe p;

  probe_init (&p);
  weir_context_set_v_and_z (p.context, WEIR_ROOT, &one, &nine);
  g_assert_cmphex (heard (&p), ==, vz);
  weir_context_read_part (p.context, WEIR_ROOT, WEIR_STATE_XC, part);
  g_assert_cmpfloat (part[0], ==, 1);
  g_assert_cmpfloat (part[1], ==, 1);
  g_assert_cmpfloat (part[2], ==, 9);
  weir_context_set_time_and_q (p.context, 2, &nine);
  g_assert_cmphex (heard (&p), ==, tq);
  weir_context_set_time_and_q (p.context, 2, &nine); /* unchanged time is left out */
  g_assert_cmphex (heard (&p), ==, tq & ~T (TIME));
  weir_context_set_time_and_state (p.context, 3, three);
  g_assert_cmphex (heard (&p), ==, T (TIME) | T (Q) | T (V) | T (Z) | T (XC) | STATES);
  g_assert_cmpuint (weir_context_get_n_part (p.context, WEIR_ROOT, WEIR_STATE_V), ==, 1);
  probe_clear (&p);
}

/* One mutation is one event, through which every entry is reached at most once. */
static void
test_one_event (void)
{
  WeirEntry kinematics, time;
  guint64 events, before;
  Probe p;

  probe_init (&p);
  kinematics = probe_listener (p.context, "", WEIR_TICKET_KINEMATICS);
  time = probe_listener (p.context, "", WEIR_TICKET_TIME);
  events = weir_context_get_n_events (p.context);
  before = probe_counters (p.context, kinematics).invalidations;
  weir_context_begin_change (p.context);
  weir_context_set_time (p.context, 4);
  weir_context_set_accuracy (p.context, 0.5);
  weir_context_set_state (p.context, three);
  weir_context_set_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  weir_context_set_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_P }, &nine);
  g_assert_null (weir_eval_entry (p.system, p.context, kinematics));
  g_assert_cmpstr (weir_context_get_failure (p.context), ==,
                   "the context is being changed; end the change first");
  weir_context_end_change (p.context);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, events + 1);
  g_assert_cmpuint (probe_counters (p.context, kinematics).invalidations, ==, before + 1);
  g_assert_cmpuint (probe_counters (p.context, time).invalidations, ==, 1);
  g_assert_false (weir_context_is_up_to_date (p.context, kinematics));
  heard (&p);

  weir_context_begin_change (p.context); /* nested, and nothing in it */
  weir_context_begin_change (p.context);
  weir_context_end_change (p.context);
  weir_context_set_time (p.context, 4);
  weir_context_end_change (p.context);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, events + 1);
  g_assert_cmphex (heard (&p), ==, 0);
  probe_clear (&p);
}

/* The size of a part is known; a value of the wrong type is refused. */
static void
test_setters (void)
{
  g_autoptr (GError) error = NULL;
  Probe p;

  probe_init (&p);
  weir_context_set_part (p.context, WEIR_ROOT, WEIR_STATE_XC, three);
  g_assert_cmpmem (weir_context_get_state (p.context), sizeof three, three, sizeof three);
  weir_context_set_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  g_assert_cmpfloat (weir_context_get_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D })[0],
                     ==, 9);
  g_assert_false (weir_context_set_abstract_state (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D },
                                                   g_variant_new_string ("x"), &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_assert_cmpstr (error->message, ==,
                   "the root: abstract state \"d\" takes 1 numbers, not an abstract "
                   "value of type \"s\".");
  probe_clear (&p);
}

static void
change_everything (WeirContext *context)
{
  weir_context_set_time (context, 10);
  weir_context_set_accuracy (context, 0.25);
  weir_context_set_state (context, three);
  weir_context_set_discrete (context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  weir_context_set_abstract_state (context, WEIR_ROOT, (WeirGroup) { PROBE_A },
                                   g_variant_new_string ("other"), NULL);
  weir_context_set_parameter (context, WEIR_ROOT, (WeirParameter) { PROBE_P }, &nine);
  weir_context_set_abstract_parameter (context, WEIR_ROOT, (WeirParameter) { PROBE_B },
                                       g_variant_new_string ("other"), NULL);
  weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &nine);
}

static void
check_state_and_parameters (WeirContext *context)
{
  g_assert_cmpmem (weir_context_get_state (context), sizeof three, three, sizeof three);
  g_assert_cmpfloat (weir_context_get_discrete (context, WEIR_ROOT, (WeirGroup) { PROBE_D })[0], ==,
                     9);
  g_assert_cmpfloat (
      weir_context_get_parameter (context, WEIR_ROOT, (WeirParameter) { PROBE_P })[0], ==, 9);
  g_assert_cmpstr (
      g_variant_get_string (
          weir_context_get_abstract_state (context, WEIR_ROOT, (WeirGroup) { PROBE_A }), NULL),
      ==, "other");
  g_assert_cmpstr (g_variant_get_string (weir_context_get_abstract_parameter (
                                             context, WEIR_ROOT, (WeirParameter) { PROBE_B }),
                                         NULL),
                   ==, "other");
}

static void
test_time_state_and_parameters_from (void)
{
  g_autoptr (WeirContext) other = NULL;
  guint64 events;
  Probe p;

  probe_init (&p);
  weir_context_fix_input (p.context, WEIR_ROOT, (WeirInput) { 0 }, &one);
  heard (&p);
  other = weir_context_clone (p.context);
  change_everything (other);
  events = weir_context_get_n_events (p.context);
  g_assert_true (weir_context_set_time_state_and_parameters_from (p.context, other, NULL));
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, events + 1);
  g_assert_cmpfloat (weir_context_get_time (p.context), ==, 10);
  g_assert_cmpfloat (weir_context_get_accuracy (p.context), ==, 0.25);
  check_state_and_parameters (p.context);
  g_assert_cmphex (probe_heard (p.context, ""), ==,
                   (1u << PROBE_N) - 1 - T (NOTHING) - T (ALL_INPUTS));
  /* Fixed inputs are kept. */
  g_assert_cmpfloat (weir_eval_input (p.system, p.context, WEIR_ROOT, (WeirInput) { 0 })[0], ==, 1);
  probe_clear (&p);
}

static void
test_state_and_parameters_from (void)
{
  g_autoptr (WeirContext) other = NULL;
  g_autoptr (WeirSystem) gain = test_gain_new (1);
  g_autoptr (WeirContext) unlike = weir_system_create_context (gain);
  g_autoptr (GError) error = NULL;
  Probe p;

  probe_init (&p);
  other = weir_context_clone (p.context);
  change_everything (other);
  g_assert_true (
      weir_context_set_state_and_parameters_from (p.context, WEIR_ROOT, other, WEIR_ROOT, NULL));
  g_assert_cmpfloat (weir_context_get_time (p.context), ==, 0);
  g_assert_cmpfloat (weir_context_get_accuracy (p.context), ==, 0);
  check_state_and_parameters (p.context);
  g_assert_cmphex (probe_heard (p.context, ""), ==,
                   (1u << PROBE_N) - 1 - T (NOTHING) - T (TIME) - T (ACCURACY) - T (ALL_INPUTS));
  g_assert_false (
      weir_context_set_state_and_parameters_from (p.context, WEIR_ROOT, unlike, WEIR_ROOT, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_assert_cmpstr (
      error->message, ==,
      "The state and parameters of the other root (Gain) do not fit the root (Probe), which "
      "is built differently.");
  probe_clear (&p);
}

/* A trial time belongs to the evaluation, not to the context, whose own time
 * never moves. */
static void
test_trial_time (void)
{
  double xdot[3];
  Probe p;

  probe_init (&p);
  weir_context_set_time (p.context, 1);
  heard (&p);
  g_assert_cmpint (weir_eval_rhs (p.system, p.context, 1.5, three, xdot), ==, WEIR_OK);
  g_assert_cmpfloat (weir_context_get_time (p.context), ==, 1);
  g_assert_cmpfloat (weir_context_get_state (p.context)[0], ==, 1);
  g_assert_cmpfloat (xdot[0], ==, -7);
  /* What was computed from the accepted state is not what is asked for now. */
  g_assert_cmphex (probe_heard (p.context, "") & T (XC), ==, T (XC));
  probe_clear (&p);
}

/* Only contexts of a root exist, so that there is nothing else to clone; a clone
 * is whole. */
static void
test_clone_is_whole (void)
{
  g_autoptr (WeirContext) clone = NULL;
  Probe p;

  probe_init (&p);
  change_everything (p.context);
  heard (&p);
  weir_context_set_frozen (p.context, TRUE);
  clone = weir_context_clone (p.context);
  check_state_and_parameters (clone);
  g_assert_true (weir_context_get_frozen (clone));
  g_assert_true (weir_context_is_input_fixed (clone, WEIR_ROOT, (WeirInput) { 0 }));
  g_assert_cmphex (probe_heard (clone, ""), ==, 0);
  probe_clear (&p);
}

static void
test_fix_again (void)
{
  Probe p;

  probe_init (&p);
  weir_context_fix_input (p.context, WEIR_ROOT, (WeirInput) { 0 }, &one);
  g_assert_cmphex (heard (&p), ==, T (ALL_INPUTS) | T (ALL_SOURCES));
  weir_context_fix_input (p.context, WEIR_ROOT, (WeirInput) { 0 }, &nine);
  g_assert_cmphex (heard (&p), ==, T (ALL_INPUTS) | T (ALL_SOURCES)); /* the same tracker */
  g_assert_cmpfloat (weir_eval_input (p.system, p.context, WEIR_ROOT, (WeirInput) { 0 })[0], ==, 9);
  weir_context_unfix_input (p.context, WEIR_ROOT, (WeirInput) { 0 });
  g_assert_cmphex (heard (&p), ==, T (ALL_INPUTS) | T (ALL_SOURCES));
  g_assert_cmpfloat (weir_eval_input (p.system, p.context, WEIR_ROOT, (WeirInput) { 0 })[0], ==, 0);
  probe_clear (&p);
}

static void
test_change_in_place (void)
{
  guint64 events;
  double *u;
  Probe p;

  probe_init (&p);
  weir_context_fix_input (p.context, WEIR_ROOT, (WeirInput) { 0 }, &one);
  heard (&p);
  events = weir_context_get_n_events (p.context);
  u = weir_context_change_input (p.context, WEIR_ROOT, (WeirInput) { 0 });
  u[0] = 5;
  g_assert_cmphex (heard (&p), ==, T (ALL_INPUTS) | T (ALL_SOURCES));
  g_assert_cmpfloat (weir_eval_input (p.system, p.context, WEIR_ROOT, (WeirInput) { 0 })[0], ==, 5);
  weir_context_change_input (p.context, WEIR_ROOT, (WeirInput) { 0 });
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, events + 2); /* each call */
  probe_clear (&p);
}

/* Fixing an input to what it cannot take names it, with both types. */
static void
test_fix_wrong_type (void)
{
  g_autoptr (GError) error = NULL;
  Probe p;

  probe_init (&p);
  g_assert_false (weir_context_fix_abstract_input (p.context, WEIR_ROOT, (WeirInput) { 0 },
                                                   g_variant_new_string ("x"), &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  g_assert_cmpstr (error->message, ==,
                   "the root: input \"u\" takes 1 numbers, not an abstract value of type \"s\".");
  g_assert_false (weir_context_is_input_fixed (p.context, WEIR_ROOT, (WeirInput) { 0 }));
  probe_clear (&p);
}

/* Who keeps the array and writes later reaches nobody; noting the change does. */
static void
test_held_array (void)
{
  WeirEntry entry;
  double *x, *d;
  Probe p;

  probe_init (&p);
  entry = probe_listener (p.context, "", WEIR_TICKET_XC);
  x = weir_context_change_state (p.context, WEIR_ROOT);
  heard (&p);
  x[0] = 100;
  g_assert_true (weir_context_is_up_to_date (p.context, entry));
  weir_context_note_state_change (p.context, WEIR_ROOT);
  g_assert_false (weir_context_is_up_to_date (p.context, entry));
  heard (&p);
  d = weir_context_change_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D });
  d[0] = 4;
  g_assert_cmphex (heard (&p), ==, T (XD) | STATES);
  weir_context_change_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_P })[0] = 4;
  g_assert_cmphex (heard (&p), ==, T (PN) | PARAMETERS);
  probe_clear (&p);
}

static void
test_event_numbers (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree), clone = NULL;
  guint64 n = weir_context_get_n_events (context);

  weir_context_set_discrete (context, probe_node (context, "a"), (WeirGroup) { PROBE_D }, &nine);
  weir_context_set_discrete (context, probe_node (context, "inner.b"), (WeirGroup) { PROBE_D },
                             &nine);
  weir_context_set_time (context, 1);
  g_assert_cmpuint (weir_context_get_n_events (context), ==, n + 3);
  clone = weir_context_clone (context);
  weir_context_set_time (clone, 2);
  g_assert_cmpuint (weir_context_get_n_events (clone), ==, n + 4);
  g_assert_cmpuint (weir_context_get_n_events (context), ==, n + 3);
}

/* Setting a scalar source to the same bytes is no event; vectors always are; 0 and -0 differ. */
static void
test_same_bytes (void)
{
  guint64 n;
  Probe p;

  probe_init (&p);
  weir_context_set_time (p.context, 0);
  n = weir_context_get_n_events (p.context);
  weir_context_set_time (p.context, 0);
  weir_context_set_accuracy (p.context, 0);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, n);
  weir_context_set_time (p.context, -0.0);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, n + 1);
  weir_context_set_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_P }, &nine);
  weir_context_set_parameter (p.context, WEIR_ROOT, (WeirParameter) { PROBE_P }, &nine);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, n + 2);
  weir_context_set_state (p.context, three);
  weir_context_set_state (p.context, three);
  weir_context_set_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  weir_context_set_discrete (p.context, WEIR_ROOT, (WeirGroup) { PROBE_D }, &nine);
  g_assert_cmpuint (weir_context_get_n_events (p.context), ==, n + 6);
  probe_clear (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/context/matrix", test_matrix);
  g_test_add_func ("/system/context/grouped-setters", test_grouped_setters);
  g_test_add_func ("/system/context/one-event", test_one_event);
  g_test_add_func ("/system/context/setters", test_setters);
  g_test_add_func ("/system/context/time-state-and-parameters-from",
                   test_time_state_and_parameters_from);
  g_test_add_func ("/system/context/state-and-parameters-from", test_state_and_parameters_from);
  g_test_add_func ("/system/context/trial-time", test_trial_time);
  g_test_add_func ("/system/context/clone-is-whole", test_clone_is_whole);
  g_test_add_func ("/system/context/fix-again", test_fix_again);
  g_test_add_func ("/system/context/change-in-place", test_change_in_place);
  g_test_add_func ("/system/context/fix-wrong-type", test_fix_wrong_type);
  g_test_add_func ("/system/context/held-array", test_held_array);
  g_test_add_func ("/system/context/event-numbers", test_event_numbers);
  g_test_add_func ("/system/context/same-bytes", test_same_bytes);
  return g_test_run ();
}
