/* Saved contexts: round trips, refusals, damage; contexts taken over by equal systems. */
#include "probe.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/event.h"

static const double one = 1, nine = 9;

static void
assert_same (WeirSystem *system, WeirContext *a, WeirContext *b)
{
  const WeirLayout *layout = weir_context_get_layout (a);

  g_assert_cmpmem (a->arena, layout->arena.size * sizeof (double), b->arena,
                   layout->arena.size * sizeof (double));
  for (guint i = 0; i < layout->abstract_slots->len; i++)
    g_assert_true (a->abstract[i] == b->abstract[i]
                   || g_variant_equal (a->abstract[i], b->abstract[i]));
  g_assert_cmpfloat (weir_eval_output (system, a, WEIR_ROOT, (WeirOutput) { 0 })[0], ==,
                     weir_eval_output (system, b, WEIR_ROOT, (WeirOutput) { 0 })[0]);
}

static void
disturb (WeirContext *context)
{
  weir_context_set_time (context, 3);
  weir_context_set_part (context, probe_node (context, "inner.b"), WEIR_STATE_Q, &nine);
  weir_context_fix_input (context, probe_node (context, "inner.c"), (WeirInput) { 0 }, &nine);
  weir_context_set_abstract_state (context, probe_node (context, "a"), (WeirGroup) { PROBE_A },
                                   g_variant_new_string ("saved"), NULL);
  weir_context_set_entry_caching (context, probe_entry (context, "a", WEIR_KE), FALSE);
}

/* Within one process nothing is lost: flags, serial numbers, counters and switches are as they
 * were. */
static void
test_round_trip (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree),
                          other = weir_system_create_context (tree);
  g_autoptr (GBytes) saved = NULL, again = NULL;
  g_autoptr (GError) error = NULL;

  disturb (context);
  weir_eval_output (tree, context, WEIR_ROOT, (WeirOutput) { 0 });
  saved = weir_context_save (context);
  g_assert_true (weir_context_load (other, tree, saved, &error));
  g_assert_no_error (error);
  again = weir_context_save (other);
  g_assert_true (g_bytes_equal (saved, again));
  g_assert_false (weir_context_get_entry_caching (other, probe_entry (other, "a", WEIR_KE)));
  g_assert_true (
      weir_context_is_input_fixed (other, probe_node (other, "inner.c"), (WeirInput) { 0 }));
  g_assert_true (weir_context_is_up_to_date (other, probe_listener (other, "a", WEIR_TICKET_V)));
  assert_same (tree, context, other);
  /* And it goes on alike. */
  weir_context_unfix_input (context, probe_node (context, "inner.c"), (WeirInput) { 0 });
  weir_context_unfix_input (other, probe_node (other, "inner.c"), (WeirInput) { 0 });
  assert_same (tree, context, other);
}

static void
assert_refused (WeirContext *context, WeirSystem *tree, GBytes *bytes, const char *message)
{
  g_autoptr (GBytes) before = weir_context_save (context), after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_context_load (context, tree, bytes, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
  if (message != NULL)
    g_assert_cmpstr (error->message, ==, message);
  after = weir_context_save (context);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_refused (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new (), gain = test_gain_new (1);
  g_autoptr (WeirContext) context = probe_context_new (tree),
                          of_gain = weir_system_create_context (gain);
  g_autoptr (GBytes) saved = weir_context_save (context), foreign = weir_context_save (of_gain);
  g_autofree guint8 *bytes = NULL;
  g_autofree char *short_message = NULL;
  gsize size;

  bytes = g_memdup2 (g_bytes_get_data (saved, &size), g_bytes_get_size (saved));
  assert_refused (
      context, tree, foreign,
      "The saved context cannot be loaded: it belongs to a system that is built differently.");
  assert_refused (
      of_gain, tree, saved,
      "The saved context cannot be loaded: the context and the system do not fit each other.");
  {
    g_autoptr (GBytes) text = g_bytes_new_static ("time,y\n0,1\n", 11);

    assert_refused (context, tree, text, "The saved context cannot be loaded: this is none.");
  }
  /* Cut short anywhere. */
  for (gsize n = 0; n < size; n += 1 + n / 7)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (saved, 0, n);

      assert_refused (context, tree, part, NULL);
    }
  {
    g_autoptr (GBytes) part = g_bytes_new_from_bytes (saved, 0, size - 8);

    short_message = g_strdup_printf ("The saved context cannot be loaded: it has %" G_GSIZE_FORMAT
                                     " bytes where %" G_GSIZE_FORMAT " belong.",
                                     size - 8, size);
    assert_refused (context, tree, part, short_message);
  }
  for (guint8 version = 1; version <= 3; version += 2)
    {
      g_autoptr (GBytes) changed = NULL;
      g_autofree char *message = NULL;

      bytes[8] = version; /* the lowest byte, wherever it was saved */
      changed = g_bytes_new (bytes, size);
      message = g_strdup_printf ("The saved context cannot be loaded: it has version %u, and this "
                                 "program reads version 2.",
                                 version);
      assert_refused (context, tree, changed, message);
    }
}

/* The layout in bytes, written here from its description in checkpoint.h: 1 is 3ff0000000000000,
 * and time is the first word of the arena. */
static void
test_layout (void)
{
  static const guint8 head[] = { 'W', 'E', 'I', 'R', 'C', 'T', 'X', '\n', 2, 0, 0, 0, 1, 0, 0, 0 };
  static const guint8 time[] = { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f };
  g_autoptr (WeirSystem) gain = test_gain_new (1);
  g_autoptr (WeirContext) context = weir_system_create_context (gain);
  WeirFingerprint fingerprint = weir_layout_get_fingerprint (weir_context_get_layout (context));
  g_autoptr (GBytes) saved = NULL;
  const guint8 *data;
  gsize size;

  weir_context_set_time (context, 1);
  weir_context_set_caching (context, FALSE);
  saved = weir_context_save (context);
  data = g_bytes_get_data (saved, &size);
  g_assert_cmpmem (data, sizeof head, head, sizeof head);
  for (guint i = 0; i < 8; i++)
    g_assert_cmphex (data[16 + i], ==, (fingerprint.low >> (8 * i)) & 0xff);
  g_assert_cmpuint (data[32] | data[33] << 8, ==, (size - 48) / 8);
  g_assert_cmpmem (data + 48, sizeof time, time, sizeof time);
}

/* Whatever single byte is wrong, the result is a refusal or a consistent context. */
static void
test_every_byte_wrong (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree);
  g_autoptr (GBytes) saved = NULL;
  gsize size;
  const guint8 *data;
  g_autofree guint8 *bytes = NULL;

  disturb (context);
  saved = weir_context_save (context);
  data = g_bytes_get_data (saved, &size);
  bytes = g_memdup2 (data, size);
  for (gsize i = 0; i < size; i++)
    {
      g_autoptr (GBytes) damaged = NULL;

      bytes[i] ^= 0x5a;
      damaged = g_bytes_new (bytes, size);
      bytes[i] = data[i];
      if (!weir_context_load (context, tree, damaged, NULL))
        continue;
      weir_context_set_frozen (context, FALSE);
      probe_eval_all (tree, context);
      weir_context_set_time (context, (double) i + 0.5);
      probe_eval_all (tree, context);
    }
}

/* --- Equal systems --------------------------------------------------------------------------- */

static WeirStatus
calc_plus (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_time (c) + 1;
  return WEIR_OK;
}

static WeirStatus
calc_minus (const WeirCalc *c, double *out)
{
  out[0] = weir_calc_time (c) - 1;
  return WEIR_OK;
}

static WeirSystem *
shift_new (WeirCalcFunc calc)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Shift");

  weir_leaf_add_output (b, "y", 1, calc, WEIR_DEPENDS (WEIR_TIME));
  return weir_leaf_builder_build (b);
}

/* An equal system with the same calculations goes on with what is cached, after the first one is
 * gone. */
static void
test_same_code (void)
{
  WeirSystem *first = shift_new (calc_plus);
  g_autoptr (WeirSystem) second = shift_new (calc_plus);
  g_autoptr (WeirContext) context = weir_system_create_context (first);

  weir_eval_output (first, context, WEIR_ROOT, (WeirOutput) { 0 });
  weir_system_unref (first);
  g_assert_cmpfloat (weir_eval_output (second, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 1);
  g_assert_cmpuint (weir_context_get_serial (context, (WeirEntry) { 0 }), ==, 2);
}

/* One that calculates differently does not believe what it finds. */
static void
test_other_code (void)
{
  g_autoptr (WeirSystem) plus = shift_new (calc_plus), minus = shift_new (calc_minus);
  g_autoptr (WeirContext) context = weir_system_create_context (plus);
  g_autoptr (GBytes) saved = NULL;

  g_assert_cmpfloat (weir_eval_output (plus, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 1);
  saved = weir_context_save (context);
  g_assert_cmpfloat (weir_eval_output (minus, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, -1);
  g_assert_cmpfloat (weir_eval_output (plus, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, 1);
  g_assert_cmpuint (weir_context_get_serial (context, (WeirEntry) { 0 }), ==, 4);

  g_assert_true (weir_context_load (context, minus, saved, NULL));
  g_assert_cmpfloat (weir_eval_output (minus, context, WEIR_ROOT, (WeirOutput) { 0 })[0], ==, -1);

  weir_context_set_frozen (context, TRUE);
  g_assert_null (weir_eval_output (plus, context, WEIR_ROOT, (WeirOutput) { 0 }));
  g_assert_cmpstr (weir_context_get_failure (context), ==,
                   "the context is frozen, and this Shift calculates differently");
}

/* --- The unique periodic update -------------------------------------------------------------- */

static guint n_calls;

/* d+ = d + u, twice in two groups */
static WeirStatus
calc_update (const WeirCalc *c, double *out)
{
  double u = weir_calc_input (c, (WeirInput) { 0 })[0];

  n_calls++;
  out[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0] + u;
  out[1] = weir_calc_discrete (c, (WeirGroup) { 1 })[0] - u;
  return WEIR_OK;
}

static WeirSystem *
accumulator_new (double period)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Accumulator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_input_default (b, u, &one);
  weir_leaf_add_discrete_state (b, "up", &one, 1);
  weir_leaf_add_discrete_state (b, "down", &one, 1);
  weir_leaf_set_unique_update (b, period, 0, calc_update,
                               WEIR_DEPENDS (WEIR_XD, weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

static void
test_unique_update (void)
{
  g_autoptr (WeirSystem) slow = accumulator_new (0.5), fast = accumulator_new (0.25), both = NULL,
                         equal = NULL;
  g_autoptr (WeirContext) context = NULL, unlike = NULL;
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  const double *next;
  double group;
  guint size;

  weir_diagram_builder_add (d, "a", slow);
  weir_diagram_builder_add (d, "b", slow);
  equal = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (equal);
  n_calls = 0;
  next = weir_eval_unique_update (equal, context, WEIR_ROOT, &size);
  g_assert_cmpuint (size, ==, 4);
  g_assert_cmpfloat (next[0], ==, 2);
  g_assert_cmpfloat (next[3], ==, 0);
  g_assert_cmpuint (n_calls, ==, 2);
  /* Its events take what is cached. */
  g_assert_cmpuint (weir_system_get_n_events (equal), ==, 4);
  g_assert_cmpint (weir_system_call_event (equal, context, 1, &(WeirOccurrence) { .n = 0 }, &group),
                   ==, WEIR_OK);
  g_assert_cmpfloat (group, ==, 0);
  g_assert_cmpuint (n_calls, ==, 2);
  weir_context_set_discrete (context, (WeirNode) { 1 }, (WeirGroup) { 0 }, &nine);
  next = weir_eval_unique_update (equal, context, WEIR_ROOT, &size);
  g_assert_cmpfloat (next[0], ==, 10);
  g_assert_cmpuint (n_calls, ==, 3); /* the other leaf's was up to date */

  d = weir_diagram_builder_new ();
  weir_diagram_builder_add (d, "slow", slow);
  weir_diagram_builder_add (d, "fast", fast);
  both = weir_diagram_builder_build (d, NULL);
  unlike = weir_system_create_context (both);
  g_assert_null (weir_eval_unique_update (both, unlike, WEIR_ROOT, &size));
  g_assert_cmpstr (
      weir_context_get_failure (unlike), ==,
      "there is no unique periodic update: one has period 0.5 and offset 0, that of fast has "
      "period 0.25 and offset 0");
  g_assert_nonnull (weir_eval_unique_update (both, unlike, (WeirNode) { 2 }, &size));
  g_assert_cmpuint (size, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/checkpoint/round-trip", test_round_trip);
  g_test_add_func ("/system/checkpoint/refused", test_refused);
  g_test_add_func ("/system/checkpoint/layout", test_layout);
  g_test_add_func ("/system/checkpoint/every-byte-wrong", test_every_byte_wrong);
  g_test_add_func ("/system/equal/same-code", test_same_code);
  g_test_add_func ("/system/equal/other-code", test_other_code);
  g_test_add_func ("/system/unique-update", test_unique_update);
  return g_test_run ();
}
