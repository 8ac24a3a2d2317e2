/* Conformance: the cache and its entries (every example with caching on and off is in tests/cli).
 */
#include "probe.h"
#include "system/layout/layout-private.h"

/* A chain of entries, t -> first -> second -> third, an abstract one on t, and a constant. */
static guint n_calls;

static WeirStatus
calc_first (const WeirCalc *c, double *out)
{
  n_calls++;
  out[0] = weir_calc_time (c);
  out[1] = 2 * weir_calc_time (c);
  return WEIR_OK;
}

static WeirStatus
calc_second (const WeirCalc *c, double *out)
{
  n_calls++;
  out[0] = weir_calc_cached (c, (WeirCached) { 0 })[1];
  return WEIR_OK;
}

static WeirStatus
calc_third (const WeirCalc *c, double *out)
{
  n_calls++;
  out[0] = weir_calc_cached (c, (WeirCached) { 1 })[0] + 1;
  return WEIR_OK;
}

static WeirStatus
calc_text (const WeirCalc *c, GVariant **out)
{
  n_calls++;
  *out = g_variant_new_double (weir_calc_time (c));
  return WEIR_OK;
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirEntry first, second, third, text, constant;
} Chain;

static WeirEntry
entry_of (WeirSystem *system, WeirTicket ticket)
{
  WeirEntry entry;

  g_assert_true (
      weir_layout_find_entry (weir_system_get_layout (system), WEIR_ROOT, ticket, &entry));
  return entry;
}

static void
chain_init (Chain *c)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Chain");
  WeirTicket first, second, third, text, constant;

  first = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "first", 2, calc_first, WEIR_DEPENDS (WEIR_TIME)));
  second = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "second", 1, calc_second, WEIR_DEPENDS (first)));
  third = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "third", 1, calc_third, WEIR_DEPENDS (second)));
  text = weir_cached_ticket (
      b, weir_leaf_add_abstract_cache_entry (b, "text", G_VARIANT_TYPE_DOUBLE, calc_text,
                                             WEIR_DEPENDS (WEIR_TIME)));
  constant = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "constant", 1, probe_calc, WEIR_DEPENDS (WEIR_NOTHING)));
  c->system = weir_leaf_builder_build (b);
  c->context = weir_system_create_context (c->system);
  c->first = entry_of (c->system, first);
  c->second = entry_of (c->system, second);
  c->third = entry_of (c->system, third);
  c->text = entry_of (c->system, text);
  c->constant = entry_of (c->system, constant);
  n_calls = 0;
}

static void
chain_clear (Chain *c)
{
  weir_context_free (c->context);
  weir_system_unref (c->system);
}

static double
eval (Chain *c, WeirEntry entry)
{
  const double *value = weir_eval_entry (c->system, c->context, entry);

  g_assert_nonnull (value);
  return value[0];
}

static void
assert_refused (gboolean ok, GError **error, int code, const char *message)
{
  g_assert_false (ok);
  g_assert_error (*error, WEIR_ERROR, code);
  g_assert_cmpstr ((*error)->message, ==, message);
  g_clear_error (error);
}

/* An entry starts out of date with serial number 1. */
static void
test_initial (void)
{
  Chain c;

  chain_init (&c);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 1);
  g_assert_null (weir_context_peek_abstract (c.context, c.text)); /* no value is present yet */
  chain_clear (&c);
}

/* Each operation on an entry in each condition. */
static void
test_matrix (void)
{
  const double pair[2] = { 7, 8 };
  double other[2] = { 5, 6 };
  g_autoptr (GError) error = NULL;
  WeirContext *context;
  Chain c;

  chain_init (&c);
  context = c.context;

  /* No value. */
  assert_refused (weir_context_read_abstract (context, c.text, &error) != NULL, &error,
                  WEIR_ERROR_INVALID, ":text: no value is present.");

  /* Out of date: reading is refused, peeking is not, putting makes it up to date. */
  assert_refused (weir_context_read (context, c.first, &error) != NULL, &error, WEIR_ERROR_INVALID,
                  ":first: the current value is out of date.");
  g_assert_nonnull (weir_context_peek (context, c.first));
  g_assert_true (weir_context_put (context, c.first, pair, NULL));
  g_assert_cmpuint (weir_context_get_serial (context, c.first), ==, 2);
  g_assert_true (weir_context_is_up_to_date (context, c.first));
  g_assert_cmpfloat (weir_context_read (context, c.first, NULL)[1], ==, 8);
  g_assert_cmpfloat (eval (&c, c.first), ==, 7);
  g_assert_cmpuint (n_calls, ==, 0);

  /* Up to date: a silent overwrite is refused, in every form. */
  assert_refused (weir_context_put (context, c.first, pair, &error), &error, WEIR_ERROR_INVALID,
                  ":first: the current value is already up to date.");
  assert_refused (weir_context_change_value (context, c.first, &error) != NULL, &error,
                  WEIR_ERROR_INVALID, ":first: the current value is already up to date.");
  g_assert_cmpuint (weir_context_get_serial (context, c.first), ==, 2);

  /* Disabled: may be put again and again. */
  weir_context_set_entry_caching (context, c.first, FALSE);
  g_assert_true (weir_context_put (context, c.first, pair, NULL));
  g_assert_cmpuint (weir_context_get_serial (context, c.first), ==, 3);
  g_assert_nonnull (weir_context_read (context, c.first, NULL)); /* only the flag counts */
  weir_context_set_entry_caching (context, c.first, TRUE);

  /* In place: the caller says when the value is whole. */
  weir_context_mark (context, c.first, FALSE);
  weir_context_change_value (context, c.first, NULL)[0] = 9;
  g_assert_cmpuint (weir_context_get_serial (context, c.first), ==, 4);
  g_assert_false (weir_context_is_up_to_date (context, c.first));
  weir_context_mark (context, c.first, TRUE);
  g_assert_cmpfloat (eval (&c, c.first), ==, 9);

  /* Frozen. */
  weir_context_set_frozen (context, TRUE);
  weir_context_mark (context, c.first, FALSE); /* flags may be set even then */
  assert_refused (weir_context_put (context, c.first, pair, &error), &error, WEIR_ERROR_INVALID,
                  ":first: the cache is frozen.");
  assert_refused (weir_context_change_value (context, c.first, &error) != NULL, &error,
                  WEIR_ERROR_INVALID, ":first: the cache is frozen.");
  assert_refused (weir_context_swap (context, c.first, other, &error), &error, WEIR_ERROR_INVALID,
                  ":first: the cache is frozen.");
  weir_context_set_frozen (context, FALSE);

  /* Wrong type, both ways. */
  assert_refused (weir_context_put_abstract (context, c.first, g_variant_new_int32 (1), &error),
                  &error, WEIR_ERROR_MISMATCH,
                  ":first: holds numbers, not an abstract value of type i.");
  assert_refused (weir_context_put (context, c.text, pair, &error), &error, WEIR_ERROR_MISMATCH,
                  ":text: holds an abstract value of type d, not numbers.");
  assert_refused (weir_context_put_abstract (context, c.text, g_variant_new_int32 (1), &error),
                  &error, WEIR_ERROR_MISMATCH,
                  ":text: holds an abstract value of type d, not an abstract value of type i.");
  assert_refused (weir_context_read_abstract (context, c.first, &error) != NULL, &error,
                  WEIR_ERROR_MISMATCH, ":first: holds numbers, not an abstract value of type *.");
  g_assert_true (weir_context_put_abstract (context, c.text, g_variant_new_double (3), NULL));
  g_assert_cmpfloat (g_variant_get_double (weir_context_read_abstract (context, c.text, NULL)), ==,
                     3);
  chain_clear (&c);
}

static void
test_invalidation (void)
{
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  eval (&c, c.constant);
  weir_context_set_accuracy (c.context, 1e-3);
  g_assert_true (weir_context_is_up_to_date (c.context, c.first));
  weir_context_set_time (c.context, 1);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_true (weir_context_is_up_to_date (c.context, c.constant));
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 2); /* not by invalidation */
  chain_clear (&c);
}

static void
test_recursive (void)
{
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  weir_context_set_time (c.context, 2);
  g_assert_false (weir_context_is_up_to_date (c.context, c.second));
  g_assert_false (weir_context_is_up_to_date (c.context, c.third));
  n_calls = 0;
  g_assert_cmpfloat (eval (&c, c.third), ==, 5);
  g_assert_cmpuint (n_calls, ==, 3); /* each exactly once */
  chain_clear (&c);
}

static void
test_all_out_of_date (void)
{
  guint64 events;
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  eval (&c, c.constant);
  events = weir_context_get_n_events (c.context);
  weir_context_set_all_out_of_date (c.context);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_false (weir_context_is_up_to_date (c.context, c.constant));
  g_assert_cmpuint (weir_context_get_n_events (c.context), ==, events); /* no change event */
  chain_clear (&c);
}

static void
test_disable (void)
{
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  weir_context_set_node_caching (c.context, WEIR_ROOT, FALSE);
  n_calls = 0;
  eval (&c, c.first);
  eval (&c, c.first);
  g_assert_cmpuint (n_calls, ==, 2);
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 4);
  g_assert_true (weir_context_is_up_to_date (c.context, c.first)); /* the flag goes on working */
  weir_context_set_time (c.context, 3);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_cmpfloat (eval (&c, c.first), ==, 3);
  weir_context_set_node_caching (c.context, WEIR_ROOT, TRUE);
  n_calls = 0;
  g_assert_cmpfloat (eval (&c, c.first), ==, 3);
  g_assert_cmpuint (n_calls, ==, 0);
  chain_clear (&c);
}

static void
test_freeze (void)
{
  guint64 serial;
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  weir_context_set_frozen (c.context, TRUE);
  g_assert_true (weir_context_get_frozen (c.context));
  g_assert_cmpfloat (eval (&c, c.third), ==, 1);
  g_assert_null (weir_eval_entry (c.system, c.context, c.constant));
  g_assert_cmpstr (weir_context_get_failure (c.context), ==,
                   ":constant is out of date, and the context is frozen");
  weir_context_set_time (c.context, 4); /* invalidation goes on */
  serial = weir_context_get_serial (c.context, c.third);
  g_assert_null (weir_eval_entry (c.system, c.context, c.third));
  g_assert_cmpuint (weir_context_get_serial (c.context, c.third), ==, serial);
  weir_context_set_frozen (c.context, FALSE);
  g_assert_cmpfloat (eval (&c, c.third), ==, 9);
  chain_clear (&c);
}

static void
test_frozen_and_disabled (void)
{
  Chain c;

  chain_init (&c);
  eval (&c, c.first);
  weir_context_set_entry_caching (c.context, c.first, FALSE);
  weir_context_set_frozen (c.context, TRUE);
  g_assert_null (weir_eval_entry (c.system, c.context, c.first));
  g_assert_cmpstr (weir_context_get_failure (c.context), ==,
                   ":first is not cached, and the context is frozen");
  weir_context_set_frozen (c.context, FALSE);
  weir_context_set_entry_caching (c.context, c.first, TRUE);
  weir_context_set_caching (c.context, FALSE);
  weir_context_set_frozen (c.context, TRUE);
  g_assert_null (weir_eval_entry (c.system, c.context, c.first));
  chain_clear (&c);
}

static void
test_swap (void)
{
  double pair[2] = { 70, 80 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) given = g_variant_ref_sink (g_variant_new_double (5));
  GVariant *value;
  Chain c;

  chain_init (&c);
  weir_context_set_time (c.context, 1);
  eval (&c, c.first);
  g_assert_true (weir_context_swap (c.context, c.first, pair, NULL)); /* whatever the flag says */
  g_assert_cmpfloat (pair[0], ==, 1);
  g_assert_cmpfloat (pair[1], ==, 2);
  g_assert_cmpfloat (weir_context_peek (c.context, c.first)[1], ==, 80);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 3);
  assert_refused (weir_context_swap (c.context, c.text, pair, &error), &error, WEIR_ERROR_MISMATCH,
                  ":text: holds an abstract value of type d, not numbers.");

  g_assert_nonnull (weir_eval_abstract_entry (c.system, c.context, c.text));
  value = g_variant_ref (given);
  g_assert_true (weir_context_swap_abstract (c.context, c.text, &value, NULL));
  g_assert_cmpfloat (g_variant_get_double (value), ==, 1);
  g_assert_true (weir_context_peek_abstract (c.context, c.text) == given);
  g_variant_unref (value);
  chain_clear (&c);
}

static void
test_address_is_stable (void)
{
  const double *before;
  Chain c;

  chain_init (&c);
  before = weir_eval_entry (c.system, c.context, c.first);
  weir_context_set_time (c.context, 5);
  g_assert_true (weir_eval_entry (c.system, c.context, c.first) == before);
  g_assert_cmpfloat (before[1], ==, 10);
  chain_clear (&c);
}

/* A computation under a built-in ticket uses that ticket; others may depend on it; it
 * cannot be given twice. */
static void
declare_twice (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Twice");

  weir_leaf_set_energy (b, WEIR_PE, probe_calc, NULL);
  weir_leaf_set_energy (b, WEIR_PE, probe_calc, NULL);
}

static void
test_built_in_ticket (void)
{
  WeirLeafBuilder *b;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirTicket after;
  WeirEntry pe, entry;

  if (g_test_subprocess ())
    {
      declare_twice ();
      return;
    }
  b = weir_leaf_builder_new ("Energy");
  weir_leaf_set_energy (b, WEIR_PE, probe_calc, WEIR_DEPENDS (WEIR_TIME));
  after = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "after", 1, probe_calc, WEIR_DEPENDS (WEIR_PE)));
  g_assert_cmpuint (after.i, ==, WEIR_N_BUILT_IN_TICKETS); /* pe took none of its own */
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  pe = entry_of (system, WEIR_PE);
  entry = entry_of (system, after);
  probe_eval_all (system, context);
  weir_context_set_time (context, 1);
  g_assert_false (weir_context_is_up_to_date (context, pe));
  g_assert_false (weir_context_is_up_to_date (context, entry));

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
}

static void
test_clone (void)
{
  WeirContext *clone;
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  weir_context_set_entry_caching (c.context, c.constant, FALSE);
  clone = weir_context_clone (c.context);
  g_assert_true (weir_context_is_up_to_date (clone, c.third));
  g_assert_cmpuint (weir_context_get_serial (clone, c.third), ==, 2);
  g_assert_false (weir_context_get_entry_caching (clone, c.constant));
  weir_context_set_time (clone, 8);
  g_assert_cmpfloat (weir_eval_entry (c.system, clone, c.third)[0], ==, 17);
  g_assert_true (weir_context_is_up_to_date (c.context, c.third));
  g_assert_cmpfloat (eval (&c, c.third), ==, 1);
  g_assert_cmpuint (weir_context_get_serial (c.context, c.third), ==, 2);
  weir_context_free (clone);
  chain_clear (&c);
}

static WeirStatus
calc_no_value (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED GVariant **out)
{
  return WEIR_OK;
}

static void
test_no_value (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("None");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;

  weir_leaf_add_abstract_output (b, "y", G_VARIANT_TYPE_STRING, calc_no_value,
                                 WEIR_DEPENDS (WEIR_NOTHING));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  g_assert_null (weir_eval_abstract_output (system, context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_true (g_str_has_prefix (weir_context_get_failure (context), ":y cannot be computed"));
}

static void
test_empty_list (void)
{
  if (g_test_subprocess ())
    {
      weir_leaf_add_cache_entry (weir_leaf_builder_new ("Empty"), "e", 1, probe_calc,
                                 (const WeirTicket[]) { { WEIR_TICKET_END } });
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*empty list of prerequisites*WEIR_NOTHING*");
}

static WeirSystem *
with_prerequisites (const WeirTicket *depends)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Listed");

  weir_leaf_add_cache_entry (b, "e", 1, probe_calc, depends);
  return weir_leaf_builder_build (b);
}

static gboolean
same_structure (WeirSystem *a, WeirSystem *b)
{
  WeirFingerprint x = weir_layout_get_fingerprint (weir_system_get_layout (a));
  WeirFingerprint y = weir_layout_get_fingerprint (weir_system_get_layout (b));

  return x.low == y.low && x.high == y.high;
}

/* No list means all sources, and cannot be told from saying so. */
static void
test_default_prerequisites (void)
{
  g_autoptr (WeirSystem) none = with_prerequisites (NULL);
  g_autoptr (WeirSystem) all = with_prerequisites (WEIR_DEPENDS (WEIR_ALL_SOURCES));
  g_autoptr (WeirSystem) most = with_prerequisites (WEIR_DEPENDS (WEIR_ALL_SOURCES_EXCEPT_INPUTS));

  g_assert_true (same_structure (none, all));
  g_assert_false (same_structure (none, most));
}

/* Systems are immutable; another list is another system, which refuses the first one's
 * contexts. */
static void
test_other_prerequisites (void)
{
  g_autoptr (WeirSystem) on_time = with_prerequisites (WEIR_DEPENDS (WEIR_TIME));
  g_autoptr (WeirSystem) on_accuracy = with_prerequisites (WEIR_DEPENDS (WEIR_ACCURACY));
  g_autoptr (WeirContext) context = weir_system_create_context (on_time);

  probe_eval_all (on_time, context);
  g_assert_null (weir_eval_entry (on_accuracy, context, (WeirEntry) { 0 }));
  weir_context_set_accuracy (context, 1);
  g_assert_true (weir_context_is_up_to_date (context, (WeirEntry) { 0 }));
}

static void
test_calc_against_eval (void)
{
  double value[2];
  Chain c;

  chain_init (&c);
  g_assert_cmpint (weir_calc_entry (c.system, c.context, c.first, value), ==, WEIR_OK);
  g_assert_false (weir_context_is_up_to_date (c.context, c.first));
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 1);
  eval (&c, c.first);
  n_calls = 0;
  g_assert_cmpint (weir_calc_entry (c.system, c.context, c.first, value), ==, WEIR_OK);
  g_assert_cmpuint (n_calls, ==, 1); /* always computes */
  g_assert_cmpuint (weir_context_get_serial (c.context, c.first), ==, 2);
  chain_clear (&c);
}

static gboolean fails;

static WeirStatus
calc_sometimes (const WeirCalc *c, double *out)
{
  out[0] = 4;
  return fails ? weir_calc_fail (c, "it was told to") : WEIR_OK;
}

static WeirStatus
calc_after (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_cached (c, (WeirCached) { 0 })[0] + 1;
  return WEIR_OK;
}

static void
test_failure (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sometimes");
  WeirTicket first = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "first", 1, calc_sometimes, WEIR_DEPENDS (WEIR_TIME)));
  WeirTicket after = weir_cached_ticket (
      b, weir_leaf_add_cache_entry (b, "after", 1, calc_after, WEIR_DEPENDS (first)));
  g_autoptr (WeirSystem) system = weir_leaf_builder_build (b);
  g_autoptr (WeirContext) context = weir_system_create_context (system);

  fails = TRUE;
  g_assert_null (weir_eval_entry (system, context, entry_of (system, after)));
  g_assert_cmpstr (weir_context_get_failure (context), ==,
                   ":first cannot be computed at t = 0 s: it was told to");
  g_assert_false (weir_context_is_up_to_date (context, entry_of (system, first)));
  g_assert_false (weir_context_is_up_to_date (context, entry_of (system, after)));
  fails = FALSE;
  g_assert_cmpfloat (weir_eval_entry (system, context, entry_of (system, after))[0], ==, 5);
}

static void
test_disabled_by_default (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Volatile");
  WeirOutput y0 = weir_leaf_add_output (b, "y0", 1, probe_calc, WEIR_DEPENDS (WEIR_TIME));
  WeirOutput y1 = weir_leaf_add_output (b, "y1", 1, probe_calc, WEIR_DEPENDS (WEIR_TIME));
  g_autoptr (WeirSystem) system = NULL;
  WeirEntry e0, e1;

  weir_leaf_disable_caching_by_default (b, weir_output_ticket (b, y0));
  system = weir_leaf_builder_build (b);
  weir_layout_find_output_entry (weir_system_get_layout (system), WEIR_ROOT, y0, &e0);
  weir_layout_find_output_entry (weir_system_get_layout (system), WEIR_ROOT, y1, &e1);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirContext) context = weir_system_create_context (system);

      g_assert_false (weir_context_get_entry_caching (context, e0));
      g_assert_true (weir_context_get_entry_caching (context, e1));
      weir_context_set_node_caching (context, WEIR_ROOT, TRUE);
      g_assert_true (weir_context_get_entry_caching (context, e0));
    }
}

/* Serial numbers go on when the counters are cleared. */
static void
test_serials_survive_clearing (void)
{
  Chain c;

  chain_init (&c);
  eval (&c, c.third);
  weir_context_set_time (c.context, 1);
  eval (&c, c.third);
  weir_context_clear_counters (c.context);
  g_assert_cmpuint (weir_context_get_serial (c.context, c.third), ==, 3);
  weir_context_set_time (c.context, 2);
  eval (&c, c.third);
  g_assert_cmpuint (weir_context_get_serial (c.context, c.third), ==, 4);
  chain_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/cache/initial", test_initial);
  g_test_add_func ("/system/cache/matrix", test_matrix);
  g_test_add_func ("/system/cache/invalidation", test_invalidation);
  g_test_add_func ("/system/cache/recursive", test_recursive);
  g_test_add_func ("/system/cache/all-out-of-date", test_all_out_of_date);
  g_test_add_func ("/system/cache/disable", test_disable);
  g_test_add_func ("/system/cache/freeze", test_freeze);
  g_test_add_func ("/system/cache/frozen-and-disabled", test_frozen_and_disabled);
  g_test_add_func ("/system/cache/swap", test_swap);
  g_test_add_func ("/system/cache/address-is-stable", test_address_is_stable);
  g_test_add_func ("/system/cache/built-in-ticket", test_built_in_ticket);
  g_test_add_func ("/system/cache/clone", test_clone);
  g_test_add_func ("/system/cache/no-value", test_no_value);
  g_test_add_func ("/system/cache/empty-list", test_empty_list);
  g_test_add_func ("/system/cache/default-prerequisites", test_default_prerequisites);
  g_test_add_func ("/system/cache/other-prerequisites", test_other_prerequisites);
  g_test_add_func ("/system/cache/calc-against-eval", test_calc_against_eval);
  g_test_add_func ("/system/cache/failure", test_failure);
  g_test_add_func ("/system/cache/disabled-by-default", test_disabled_by_default);
  g_test_add_func ("/system/cache/serials-survive-clearing", test_serials_survive_clearing);
  return g_test_run ();
}
