/* What a watcher is told, against a twin of the context that nobody watches: the same events and
 * requests put the same out of date and compute the same there.
 */
#include "probe.h"

#include "base/bits.h"
#include "system/context/inspection.h"
#include "system/observation/watch.h"

typedef struct {
  WeirContext *watched, *twin;
  guint n_entries;
  guint n_events, n_answers;
  WeirSource source;  /* of the last event */
  WeirEntry answered; /* the last request */
  guint64 reached[8], newly[8], computed[8];
} Desk;

static void
note_change (WeirContext *context, WeirSource source, const guint64 *reached, const guint64 *newly,
             gpointer data)
{
  Desk *self = data;
  gsize size = weir_bits_n_words (self->n_entries) * sizeof *reached;

  g_assert_true (context == self->watched);
  self->n_events++;
  self->source = source;
  memcpy (self->reached, reached, size);
  memcpy (self->newly, newly, size);
}

static void
note_answer (WeirContext *context, WeirEntry entry, const guint64 *computed,
             G_GNUC_UNUSED const guint64 *reads, gpointer data)
{
  Desk *self = data;

  g_assert_true (context == self->watched);
  self->n_answers++;
  self->answered = entry;
  memcpy (self->computed, computed, weir_bits_n_words (self->n_entries) * sizeof *computed);
}

/* All of both is up to date. */
static void
desk_init (Desk *self, WeirSystem *tree)
{
  static const WeirWatcher watcher = { .changed = note_change, .answered = note_answer };

  *self = (Desk) { .watched = probe_context_new (tree) };
  self->n_entries = weir_layout_get_n_entries (weir_system_get_layout (tree));
  g_assert_cmpuint (weir_bits_n_words (self->n_entries), <=, G_N_ELEMENTS (self->reached));
  probe_eval_all (tree, self->watched);
  self->twin = weir_context_clone (self->watched);
  weir_context_set_watcher (self->watched, &watcher, self);
}

static void
desk_clear (Desk *self)
{
  weir_context_free (self->watched);
  weir_context_free (self->twin);
}

enum { TIME, ACCURACY, STATE, Q, PARAMETER, GROUP, N_CHANGES };

/* @by: tells one change from the next. */
static void
make_change (WeirContext *context, guint change, double by)
{
  WeirNode a = probe_node (context, "a");
  double values[16];

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = by + i;
  switch (change)
    {
    case TIME:
      weir_context_set_time (context, by);
      break;
    case ACCURACY:
      weir_context_set_accuracy (context, by);
      break;
    case STATE:
      weir_context_set_part (context, a, WEIR_STATE_XC, values);
      break;
    case Q:
      weir_context_set_part (context, a, WEIR_STATE_Q, values);
      break;
    case PARAMETER:
      weir_context_set_parameter (context, a, (WeirParameter) { PROBE_P }, values);
      break;
    default:
      weir_context_set_discrete (context, a, (WeirGroup) { 0 }, values);
      break;
    }
}

static void
copy_flags (const WeirContext *context, guint64 *flags)
{
  gsize n_words;
  const guint64 *from = weir_context_get_flags (context, &n_words);

  memcpy (flags, from, n_words * sizeof *flags);
}

/* @joins: the last event was made of several. */
static void
assert_told (Desk *self, const guint64 *expected, gboolean is_new, gboolean joins)
{
  g_assert_cmpint (self->source.i == WEIR_NO_INDEX, ==, joins);
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      g_assert_cmpint (weir_bit (self->reached, e), ==, weir_bit (expected, e));
      g_assert_cmpint (weir_bit (self->newly, e), ==, is_new && weir_bit (expected, e));
      g_assert_cmpint (weir_context_is_up_to_date (self->watched, (WeirEntry) { e }), ==,
                       weir_context_is_up_to_date (self->twin, (WeirEntry) { e }));
    }
}

/* Once all is up to date: what a change puts out of date is what depends on it. */
static void
test_events (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  Desk desk;

  desk_init (&desk, tree);
  for (guint change = 0; change < N_CHANGES; change++)
    {
      guint64 expected[8];
      guint n_before;

      probe_eval_all (tree, desk.watched);
      probe_eval_all (tree, desk.twin);
      n_before = desk.n_events;
      make_change (desk.watched, change, 10);
      make_change (desk.twin, change, 10);
      copy_flags (desk.twin, expected);
      g_assert_cmpuint (desk.n_events, ==, n_before + 1);
      assert_told (&desk, expected, TRUE, change == STATE || change == Q);
      /* Once more: reached, but out of date already. */
      make_change (desk.watched, change, 20);
      make_change (desk.twin, change, 20);
      g_assert_cmpuint (desk.n_events, ==, n_before + 2);
      assert_told (&desk, expected, FALSE, change == STATE || change == Q);
    }
  desk_clear (&desk);
}

/* Several changes as one event reach what any of them does. */
static void
test_joint (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  guint64 expected[8];
  Desk desk;

  desk_init (&desk, tree);
  weir_context_begin_change (desk.watched);
  make_change (desk.watched, TIME, 10);
  make_change (desk.watched, PARAMETER, 10);
  g_assert_cmpuint (desk.n_events, ==, 0);
  weir_context_end_change (desk.watched);
  g_assert_cmpuint (desk.n_events, ==, 1);
  make_change (desk.twin, TIME, 10);
  make_change (desk.twin, PARAMETER, 10);
  copy_flags (desk.twin, expected);
  assert_told (&desk, expected, TRUE, TRUE);
  desk_clear (&desk);
}

static guint64
count_misses (const WeirCounters *counters)
{
  return counters->first + counters->stale + counters->disabled;
}

/* What a request computed is what counts one more miss. */
static void
test_requests (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autofree WeirCounters *before = NULL, *after = NULL;
  guint n_computed = 0;
  Desk desk;

  desk_init (&desk, tree);
  before = g_new0 (WeirCounters, desk.n_entries);
  after = g_new0 (WeirCounters, desk.n_entries);
  for (guint32 e = 0; e < desk.n_entries; e++)
    {
      make_change (desk.watched, STATE, e);
      make_change (desk.watched, PARAMETER, e);
      weir_context_read_counters (desk.watched, before);
      desk.n_answers = 0;
      g_assert_nonnull (weir_eval_entry (tree, desk.watched, (WeirEntry) { e }));
      g_assert_cmpuint (desk.n_answers, ==, 1);
      g_assert_cmpuint (desk.answered.i, ==, e);
      weir_context_read_counters (desk.watched, after);
      for (guint32 k = 0; k < desk.n_entries; k++)
        {
          gboolean is_computed = weir_bit (desk.computed, k);

          g_assert_cmpuint (count_misses (&after[k]) - count_misses (&before[k]), ==, is_computed);
          n_computed += (guint) is_computed;
        }
    }
  g_assert_cmpuint (n_computed, >, desk.n_entries / 2);
  desk_clear (&desk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/watch/events", test_events);
  g_test_add_func ("/system/watch/joint", test_joint);
  g_test_add_func ("/system/watch/requests", test_requests);
  return g_test_run ();
}
