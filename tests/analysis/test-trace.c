/* The file format of change logs: what is written is read again, what another program writes is
 * read, and nothing that is damaged is believed.
 */
#include "../seeds.h"
#include "../shout.h"
#include "random-log.h"

#include <glib/gstdio.h>

#include "analysis/replay.h"
#include "base/error.h"
#include "system/structure/diagram.h"
#include "system/structure/unit.h"

/* A log of a random diagram. (transfer full) */
static WeirTrace *
trace_new (guint32 seed, WeirLogMode mode)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_outputs;
  g_autoptr (WeirSystem) system = random_diagram_new (rand, 0, &n_outputs);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  guint n = weir_layout_get_n_entries (weir_system_get_layout (system));
  g_autoptr (WeirChangeLog) log = NULL;

  weir_context_start_log (context, mode, 0);
  for (guint k = 0; k < 12; k++)
    {
      weir_context_set_time (context, k);
      weir_context_set_entry_caching (
          context, (WeirEntry) { (guint32) g_rand_int_range (rand, 0, (gint) n) }, k % 4 != 3);
      weir_eval_entry (system, context,
                       (WeirEntry) { (guint32) g_rand_int_range (rand, 0, (gint) n) });
      weir_eval_derivatives (system, context);
    }
  log = weir_context_stop_log (context);
  return weir_trace_new (log, "a\tname\\with\nall");
}

static void
test_round_trip (void)
{
  guint32 seed = get_test_seed (53);

  for (guint k = 0; k < 20; k++)
    {
      g_autoptr (WeirTrace)
          trace = trace_new (seed++, k % 2 ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS);
      g_autoptr (GBytes) bytes = weir_trace_write (trace), again = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirTrace) read = weir_trace_read (bytes, &error);

      g_assert_no_error (error);
      again = weir_trace_write (read);
      g_assert_true (g_bytes_equal (bytes, again));
      g_assert_cmpstr (weir_trace_get_model (read), ==, "a\tname\\with\nall");
      g_assert_cmpstr (weir_trace_get_engine (read), ==, "Weir");
      g_assert_cmpint (weir_trace_stores_evaluations (read), ==, k % 2 != 0);
    }
}

/* Of a unit that makes two steps while the time is set. (transfer full) */
static WeirTrace *
stepped_new (void)
{
  static const WeirUnitClass class = { .name = "Unit" };
  WeirLeafBuilder *b = weir_leaf_builder_new ("Unit");
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) unit = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirChangeLog) log = NULL;

  weir_leaf_set_unit (b, &class, NULL, NULL, 1, 0);
  weir_leaf_add_unit_output (b, "y", 1, NULL);
  unit = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "U", unit);
  system = weir_diagram_builder_build (d, NULL);
  context = weir_system_create_context (system);
  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 0);
  for (guint k = 0; k < 2; k++)
    {
      WeirLogStep step = { .t = k, .t_end = k + 1, .node = 1, .thread = k };

      step.first = weir_context_get_log_place (context, &step.first_at);
      weir_context_set_time (context, k + 1);
      step.begin_at = step.first_at;
      step.done_at = g_get_monotonic_time ();
      weir_context_log_step (context, &step);
    }
  log = weir_context_stop_log (context);
  return weir_trace_new (log, "steps");
}

/* A log with steps has another version, and is read again as it was. */
static void
test_steps (void)
{
  static const char head[] = "weir-change-log\t2\n";
  g_autoptr (WeirTrace) trace = stepped_new ();
  g_autoptr (GBytes) bytes = weir_trace_write (trace), again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrace) read = weir_trace_read (bytes, &error);
  const WeirLogStep *steps;
  gsize n;

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), strlen (head), head, strlen (head));
  again = weir_trace_write (read);
  g_assert_true (g_bytes_equal (bytes, again));
  steps = weir_trace_get_steps (read, &n);
  g_assert_cmpuint (n, ==, 2);
  for (guint k = 0; k < 2; k++)
    {
      g_assert_cmpuint (steps[k].first, ==, k);
      g_assert_cmpuint (steps[k].end, ==, k + 1);
      g_assert_cmpuint (steps[k].thread, ==, k);
      g_assert_cmpuint (steps[k].node, ==, 1);
      g_assert_cmpfloat (steps[k].t_end, ==, k + 1);
      g_assert_cmpint (steps[k].first_at, >=, 0);
    }
}

/* Each field of a step in turn says what cannot be. */
static void
test_steps_damaged (void)
{
  static const struct {
    gsize at; /* in the second step */
    guint64 word;
    const char *says;
  } cases[] = {
    { 0, 3, "step 1 lies between no records in order" },
    { 8, 3, "step 1 lies between no records in order" },
    { 8, 0, "step 1 lies between no records in order" },
    { 16, G_MAXUINT64, "the times of step 1 are in no order" },
    { 24, 0, "the times of step 1 are in no order" },
    { 32, G_MAXINT64, "the times of step 1 are in no order" },
    { 64, 2, "step 1 is of system 2 of 2" },
  };
  g_autoptr (WeirTrace) trace = stepped_new ();
  g_autoptr (GBytes) bytes = weir_trace_write (trace);
  gsize size = g_bytes_get_size (bytes);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
      guint64 word = GUINT64_TO_LE (cases[i].word);
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (GError) error = NULL;

      memcpy (data + size - 72 + cases[i].at, &word, sizeof word);
      damaged = g_bytes_new_take (data, size);
      g_assert_null (weir_trace_read (damaged, &error));
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

/* Moves through the whole trace and lists everything; damage may be found out here, by
 * a sentence. */
static void
replay_all (WeirTrace *trace)
{
  for (guint rebuilding = 0; rebuilding <= (weir_trace_stores_evaluations (trace) ? 0u : 1u);
       rebuilding++)
    {
      g_autoptr (WeirReplay) replay = weir_replay_new (trace);
      gsize n;

      weir_trace_get_records (trace, &n);
      weir_replay_set_rebuilding (replay, rebuilding != 0);
      for (gsize i = 0; i < n; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GArray) notifications = weir_replay_list_notifications (replay, i, &error);
          g_autoptr (GArray) evaluations = NULL;

          g_assert_true ((notifications == NULL) == (error != NULL));
          g_clear_error (&error);
          evaluations = weir_replay_list_evaluations (replay, i, &error);
          g_assert_true ((evaluations == NULL) == (error != NULL));
        }
    }
}

static gboolean
is_one_sentence (const GError *error)
{
  return g_error_matches (error, WEIR_ERROR, WEIR_ERROR_FILE)
         && strchr (error->message, '\n') == NULL;
}

static void
test_truncated (void)
{
  g_autoptr (WeirTrace) trace = trace_new (get_test_seed (52), WEIR_LOG_MODE_EVENTS);
  g_autoptr (GBytes) bytes = weir_trace_write (trace);
  gsize size = g_bytes_get_size (bytes);

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GBytes) part = g_bytes_new (g_bytes_get_data (bytes, NULL), n);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_trace_read (part, &error));
      g_assert_true (is_one_sentence (error));
    }
}

static void
test_damaged (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (51));
  guint n_read = 0, n_refused = 0;

  for (guint k = 0; k < 3000; k++)
    {
      static WeirTrace *trace;
      g_autoptr (GBytes) bytes = NULL, damaged = NULL;
      g_autoptr (WeirTrace) read = NULL;
      g_autoptr (GError) error = NULL;
      guint8 *data;
      gsize size;

      if (k % 100 == 0)
        {
          g_clear_pointer (&trace, weir_trace_unref);
          trace = trace_new (g_rand_int (rand), k % 200 ? WEIR_LOG_MODE_ALL : WEIR_LOG_MODE_EVENTS);
        }
      bytes = weir_trace_write (trace);
      size = g_bytes_get_size (bytes);
      data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
      for (gint i = g_rand_int_range (rand, 1, 4); i > 0; i--)
        {
          gsize at = (gsize) g_rand_int_range (rand, 0, (gint) size);

          data[at] = g_rand_boolean (rand)
                         ? (guint8) g_rand_int (rand)
                         : data[at] ^ (guint8) (1u << g_rand_int_range (rand, 0, 8));
        }
      damaged = g_bytes_new_take (data, size);
      read = weir_trace_read (damaged, &error);
      if (read != NULL)
        replay_all (read);
      else
        g_assert_true (is_one_sentence (error));
      n_read += read != NULL;
      n_refused += read == NULL;
      if (k == 2999)
        g_clear_pointer (&trace, weir_trace_unref);
    }
  g_assert_cmpuint (n_read, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
}

/* Each mistake in the text, and what is said of it. */
static void
test_mistakes (void)
{
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
    { "weir-change-log\t1", "weir-model\t1", "this is not a change log" },
    { "weir-change-log\t1", "weir-change-log\t3",
      "line 1 of the change log: it has format version 3, but this program reads versions up to "
      "2" },
    { "weir-change-log\t1", "weir-change-log\t2", "there are 1 fields where 2 belong" }, /* "end" */
    { "weir-change-log\t1", "weir-change-log\tx", "\"x\" is not a number" },
    { "little", "big", "line 2 of the change log: byte-order \"big\" is not known here" },
    { "model\t", "modell\t", "\"modell\" stands where \"model\" belongs" },
    { "systems\t2", "systems\t0", "there is no system" },
    { "systems\t2", "systems\t99999999", "more than the file holds" },
    { "0\ttank\n", "-\ttank\n", "the first system, and no other, has no parent" },
    { "0\ttank\n", "1\ttank\n", "\"1\" is not a number below 1" },
    { "\teager\t1\tflow", "\tbusy\t1\tflow", "\"busy\" is neither lazy nor eager" },
    { "\teager\t1\tflow", "\teager\t2\tflow", "\"2\" is not a number below 2" },
    { "\teager\t1\tflow", "\teager\t1\tfl\\ow",
      "a name has a backslash before neither \\, n nor t" },
    { "stored", "rebuilt", "is not a number below 0" }, /* flow reads an entry of higher number */
    { "1\t-\t2\tstate", "1\t-\t4\tstate", "\"4\" is not a number below 4" },
    { "1\t-\t2\tstate", "-\t-\t2\tstate", "it belongs to no system" },
    { "0\ttank:state", "2\ttank:state", "a change cannot begin at tracker 2, which is an entry's" },
    { "lost\t0", "lost\tx", "\"x\" is not a number" },
    { "records\t11", "records\t10", "bytes follow its description" },
    { "keyframes\t1", "keyframes\t0", "bytes follow its description" },
    { "\nend\n", "\nEnd\n", "\"End\" stands where \"end\" belongs" },
  };
  g_autofree char *data = NULL, *file = NULL;
  gsize size;
  gint out = g_file_open_tmp ("weir-XXXXXX.weirlog", &file, NULL);
  const char *const argv[] = { g_getenv ("WEIR_WRITE_CHANGE_LOG"), file, NULL };

  g_assert_true (g_close (out, NULL));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                               NULL, NULL));
  g_assert_true (g_file_get_contents (file, &data, &size, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *at = g_strstr_len (data, (gssize) size, cases[i].from);
      g_autoptr (GByteArray) changed = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      gsize before, rest;

      g_assert_nonnull (at);
      before = (gsize) (at - data);
      rest = size - before - strlen (cases[i].from);
      g_byte_array_append (changed, (const guint8 *) data, (guint) before);
      g_byte_array_append (changed, (const guint8 *) cases[i].to, (guint) strlen (cases[i].to));
      g_byte_array_append (changed, (const guint8 *) data + size - rest, (guint) rest);
      bytes = g_byte_array_free_to_bytes (g_steal_pointer (&changed));
      g_assert_null (weir_trace_read (bytes, &error));
      g_assert_true (is_one_sentence (error));
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("case %u: \"%s\" does not say \"%s\"", i, error->message, cases[i].says);
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_true (g_file_set_contents (file, "nothing", -1, NULL));
    g_assert_null (weir_trace_load (file, &error));
    g_assert_true (g_str_has_prefix (error->message, file));
    weir_set_translator (shout);
    g_assert_true (g_str_has_suffix (weir_error_say (error), ": THIS IS NOT A CHANGE LOG"));
    weir_set_translator (NULL);
  }
  g_assert_cmpint (g_unlink (file), ==, 0);
}

/* What another program has written, by hand from its run: see tests/data/write-change-log.c. */
static void
test_foreign (void)
{
  g_autofree char *file = NULL, *path = NULL;
  gint out = g_file_open_tmp ("weir-XXXXXX.weirlog", &file, NULL), status;
  const char *const argv[] = { g_getenv ("WEIR_WRITE_CHANGE_LOG"), file, NULL };
  /* Out-of-date bits before each record, and at the end: 1 flow, 2 level. */
  static const guint64 flags[] = { 3, 3, 1, 0, 1, 1, 0, 0, 3, 3, 1, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirReplay) replay = NULL;
  g_autoptr (GArray) valve = NULL, state = NULL, first = NULL, second = NULL, third = NULL;
  const WeirLogRecord *records;
  gsize n;

  g_assert_true (g_close (out, NULL));
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                               &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  trace = weir_trace_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_cmpstr (weir_trace_get_engine (trace), ==, "an example");
  path = weir_trace_dup_path (trace, 1);
  g_assert_cmpstr (path, ==, "tank");
  g_assert_cmpstr (weir_trace_get_entry_name (trace, 0), ==, "flow");
  g_assert_cmpstr (weir_trace_get_source_name (trace, 1), ==, "tank:valve");
  records = weir_trace_get_records (trace, &n);
  g_assert_cmpuint (n, ==, 11);
  g_assert_cmpfloat (records[10].time, ==, 0.5);
  g_assert_cmpint (records[3].phase, ==, WEIR_LOG_PHASE_EDIT);

  replay = weir_replay_new (trace);
  for (gsize i = 0; i <= n; i++)
    {
      gsize at = i * 7 % (n + 1); /* here and there */

      g_assert_true (weir_replay_seek (replay, at, NULL));
      g_assert_cmpuint (weir_replay_get_out_of_date (replay)[0], ==, flags[at]);
    }

  /* The valve notifies flow. The state notifies level, and that flow. */
  valve = weir_replay_list_notifications (replay, 3, NULL);
  g_assert_cmpuint (valve->len, ==, 2);
  g_assert_cmpint (g_array_index (valve, WeirNotification, 1).heard, ==,
                   WEIR_HEARD_MADE_OUT_OF_DATE);
  state = weir_replay_list_notifications (replay, 7, NULL);
  g_assert_cmpuint (state->len, ==, 3);
  g_assert_cmpuint (g_array_index (state, WeirNotification, 2).depth, ==, 2);
  g_assert_cmpuint (g_array_index (state, WeirNotification, 2).to, ==, 3);

  first = weir_replay_list_evaluations (replay, 0, NULL);
  g_assert_cmpuint (first->len, ==, 2);
  g_assert_cmpuint (g_array_index (first, WeirEvaluation, 0).entry, ==, 1);
  g_assert_cmpuint (g_array_index (first, WeirEvaluation, 0).requester, ==, 0);
  g_assert_cmpint (g_array_index (first, WeirEvaluation, 0).reason, ==, WEIR_LOG_FIRST);
  g_assert_cmpuint (g_array_index (first, WeirEvaluation, 1).requester, ==, WEIR_NO_INDEX);
  second = weir_replay_list_evaluations (replay, 6, NULL);
  g_assert_cmpuint (second->len, ==, 0); /* a hit */
  third = weir_replay_list_evaluations (replay, 8, NULL);
  g_assert_cmpuint (third->len, ==, 2);
  g_assert_cmpint (g_array_index (third, WeirEvaluation, 0).changed, ==, 0);
  g_assert_cmpint (g_array_index (third, WeirEvaluation, 1).changed, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/trace/round-trip", test_round_trip);
  g_test_add_func ("/analysis/trace/truncated", test_truncated);
  g_test_add_func ("/analysis/trace/steps", test_steps);
  g_test_add_func ("/analysis/trace/steps-damaged", test_steps_damaged);
  g_test_add_func ("/analysis/trace/damaged", test_damaged);
  g_test_add_func ("/analysis/trace/mistakes", test_mistakes);
  g_test_add_func ("/analysis/trace/foreign", test_foreign);
  return g_test_run ();
}
