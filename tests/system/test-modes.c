/* The modes of a context: after whatever is done to it, its bits say what its parts say, so that no
 * way of answering is chosen by a bit that was left behind. */
#include <string.h>

#include "../seeds.h"
#include "probe.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"
#include "system/evaluation/checkpoint.h"
#include "system/evaluation/evaluator-private.h"
#include "system/observation/observation-private.h"
#include "system/observation/watch.h"

/* What the test itself has switched; nothing in a context but the bits says it. */
typedef struct {
  gboolean caching, frozen, pulls;
} Switches;

static gboolean
has_bits (const guint64 *bits, guint32 n)
{
  for (guint32 i = 0; bits != NULL && i < n; i++)
    if (weir_bit (bits, i))
      return TRUE;
  return FALSE;
}

/* Of the inputs fixed, is any wired; of those that some entry reads and nothing drives, is any not
 * fixed? */
static guint32
modes_of_inputs (const WeirContext *context)
{
  const WeirLayout *layout = context->layout;
  guint32 modes = 0;

  for (guint32 n = 0; n < layout->n_nodes; n++)
    for (guint32 i = 0; i < layout->nodes[n].shape->inputs->len; i++)
      {
        guint32 input = layout->nodes[n].first_input + i;
        WeirOrigin origin = layout->inputs[input];
        gboolean is_wired = origin.kind != WEIR_ORIGIN_FIXED || origin.node != n
                            || origin.index != i;

        if (weir_bit (context->fixed, input) && is_wired)
          modes |= WEIR_MODE_REWIRED;
      }
  for (guint i = 0; i < layout->required->len; i++)
    if (!weir_bit (context->fixed, g_array_index (layout->required, guint32, i)))
      modes |= WEIR_MODE_MISSING;
  return modes;
}

/* Between calls, so that nothing is under way. TIMING is that of the request before. */
static void
assert_modes (const WeirContext *context, Switches switches)
{
  const WeirLayout *layout = context->layout;
  guint32 expected = modes_of_inputs (context);

  expected |= switches.caching ? 0 : WEIR_MODE_UNCACHED;
  expected |= switches.frozen ? WEIR_MODE_FROZEN : 0;
  expected |= switches.pulls ? WEIR_MODE_PULLS : 0;
  expected |= weir_native_is_on () ? 0 : WEIR_MODE_INTERPRETS;
  expected |= has_bits (context->disabled, layout->n_entries) ? WEIR_MODE_DISABLED : 0;
  expected |= has_bits (context->held_entries, layout->n_entries) ? WEIR_MODE_HELD : 0;
  expected |= context->forgotten != NULL ? WEIR_MODE_FORGETS : 0;
  expected |= context->log_ring != NULL ? WEIR_MODE_LOGGED : 0;
  expected |= context->log_ring != NULL && context->log_ring->copies != NULL ? WEIR_MODE_LOGGED_ALL
                                                                             : 0;
  expected |= context->skipped != 0 ? WEIR_MODE_SKIPS_EVENT : 0;
  expected |= context->watch != NULL ? WEIR_MODE_WATCHED : 0;
  expected |= context->open_changes > 0 ? WEIR_MODE_CHANGING : 0;
  expected |= context->until_timed == 0 ? WEIR_MODE_TIMES : 0;
  expected |= context->failure != NULL ? WEIR_MODE_FAILED : 0;
  g_assert_cmphex (context->modes & ~(guint32) WEIR_MODE_TIMING, ==, expected);
  g_assert_true ((context->logger != NULL) == (context->log_ring != NULL));
  g_assert_true ((context->watcher != NULL) == (context->watch != NULL));
}

typedef struct {
  WeirSystem *tree;
  WeirContext *context;
  Switches switches;
  GBytes *saved;
  Switches of_saved;
} Subject;

static void
take_over (Subject *self, WeirContext *clone)
{
  weir_context_free (self->context);
  self->context = clone;
}

static void
record (Subject *self, GRand *rand)
{
  WeirContext *context = self->context;

  if (weir_context_is_logging (context))
    weir_change_log_free (weir_context_stop_log (context));
  else
    weir_context_start_log (context,
                            g_rand_boolean (rand) ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS, 64);
  if (weir_is_logging_all (context) && g_rand_boolean (rand))
    weir_context_skip_event (context, *context->n_events + 2);
}

static void
save_or_load (Subject *self)
{
  if (self->saved == NULL)
    {
      self->saved = weir_context_save (self->context);
      self->of_saved = self->switches;
      return;
    }
  g_assert_true (weir_context_load (self->context, self->tree, self->saved, NULL));
  self->switches = self->of_saved;
  g_clear_pointer (&self->saved, g_bytes_unref);
}

static void
switch_entry (Subject *self, GRand *rand, guint what)
{
  WeirContext *context = self->context;
  WeirEntry entry = { (guint32) g_rand_int_range (rand, 0, (int) context->layout->n_entries) };
  g_autofree guint64 *bits = NULL;

  if (what == 0)
    weir_context_set_entry_caching (context, entry,
                                    !weir_context_get_entry_caching (context, entry));
  else if (what == 1)
    weir_context_set_entry_held (context, entry, !weir_context_get_entry_held (context, entry));
  else
    {
      bits = g_new0 (guint64, context->layout->n_words);
      weir_bit_set (bits, entry.i);
      weir_context_set_forgotten (context, context->forgotten == NULL ? bits : NULL);
    }
}

static void
switch_input (Subject *self, GRand *rand)
{
  static const double one = 1;
  WeirContext *context = self->context;
  WeirNode node = { (guint32) g_rand_int_range (rand, 0, (int) context->layout->n_nodes) };
  const GArray *inputs = context->layout->nodes[node.i].shape->inputs;

  for (guint16 i = 0; i < inputs->len; i++)
    if (weir_context_is_input_fixed (context, node, (WeirInput) { i }))
      weir_context_unfix_input (context, node, (WeirInput) { i });
    else if (g_array_index (inputs, WeirVectorDecl, i).type == NULL
             && g_array_index (inputs, WeirVectorDecl, i).size == 1)
      weir_context_fix_input (context, node, (WeirInput) { i }, &one);
}

static void
evaluate (Subject *self, GRand *rand)
{
  WeirContext *context = self->context;
  guint32 n_states = context->layout->n_states;
  g_autofree double *x = g_new0 (double, n_states + 1);
  g_autofree double *xdot = g_new0 (double, n_states + 1);

  for (guint i = 0; i < 100; i++)
    {
      weir_eval_entry (
          self->tree, context,
          (WeirEntry) { (guint32) g_rand_int_range (rand, 0, (int) context->layout->n_entries) });
      x[0] = i;
      weir_eval_rhs (self->tree, context, i, x, xdot);
      assert_modes (context, self->switches);
    }
}

static void
do_something (Subject *self, GRand *rand)
{
  static const WeirWatcher nobody = { 0 };
  WeirContext *context = self->context;

  switch (g_rand_int_range (rand, 0, 12))
    {
    case 0:
      self->switches.caching = !self->switches.caching;
      weir_context_set_caching (context, self->switches.caching);
      break;
    case 1:
      self->switches.frozen = !self->switches.frozen;
      weir_context_set_frozen (context, self->switches.frozen);
      break;
    case 2:
      self->switches.pulls = !self->switches.pulls;
      weir_context_set_pull_only (context, self->switches.pulls);
      break;
    case 3:
      record (self, rand);
      break;
    case 4:
      weir_context_set_watcher (context, context->watch == NULL ? &nobody : NULL, NULL);
      break;
    case 5:
      save_or_load (self);
      break;
    case 6:
      take_over (self, weir_context_clone (context));
      break;
    case 7:
      weir_context_begin_change (context);
      weir_context_begin_change (context);
      weir_context_set_time (context, g_rand_double (rand));
      assert_modes (context, self->switches);
      weir_context_end_change (context);
      assert_modes (context, self->switches);
      weir_context_end_change (context);
      break;
    case 8:
      switch_input (self, rand);
      break;
    case 9:
      evaluate (self, rand);
      break;
    default:
      switch_entry (self, rand, (guint) g_rand_int_range (rand, 0, 3));
      break;
    }
}

static void
test_kept (void)
{
  guint32 seed = get_test_seed (1);

  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + i);
      Subject self = { .switches = { .caching = TRUE } };

      self.tree = probe_tree_new ();
      self.context = weir_system_create_context (self.tree);
      assert_modes (self.context, self.switches);
      for (guint k = 0; k < 200; k++)
        {
          do_something (&self, rand);
          assert_modes (self.context, self.switches);
        }
      g_clear_pointer (&self.saved, g_bytes_unref);
      weir_context_free (self.context);
      weir_system_unref (self.tree);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/modes/kept", test_kept);
  return g_test_run ();
}
