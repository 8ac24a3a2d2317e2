/* Files that nobody would write, which are no models: whatever they are, there is an answer, in
 * bounded time and memory. See one-file.h and test-models.c. */
#include "../seeds.h"
#include "mutate-log.h"
#include "mutate.h"
#include "one-file.h"

#include "base/status.h"

typedef struct {
  const char *path, *folder; /* @folder: NULL = one is made */
  gboolean (*fuzz_one) (gconstpointer data, gsize size);
  guint n; /* mutations in a quick test */
  const char *const *pieces;
} Kind;

static const char *const lesson_pieces[] = {
  "<",
  ">",
  "/>",
  "<step title=\"a\">",
  "</step>",
  "<text>",
  "</text>",
  "<begin/>",
  "<take steps=\"2\"/>",
  "<run until=\"1e308\"/>",
  "<caching enabled=\"false\"/>",
  "<audit/>",
  "<verify identical=\"true\"/>",
  "<expect entry=\"a:y\" hits=\"1\"/>",
  "<ask change=\"time\"/>",
  "-1",
  "9223372036854775808",
  "nan",
  "&amp;",
  "&#0;",
  "<!--",
  "-->",
  "\"",
  "\xff",
  NULL,
};

static const char *const study_pieces[] = {
  "<",
  "/>",
  "<point values=\"1 2\"/>",
  "<parameter path=\"x.y\" from=\"0\" to=\"1\"/>",
  "<correlation of=\"spring\" with=\"damper\" value=\"0.5\"/>",
  "<figure name=\"g\" is=\"1\"/>",
  "sobol",
  "indices",
  "corners",
  "grid",
  "local",
  "one-at-a-time",
  "log-uniform",
  "1e308",
  "-1e308",
  "1000000000",
  "nan",
  "0",
  "-1",
  "&amp;",
  "<!--",
  "-->",
  "\"",
  "\xff",
  NULL,
};

static const char *const table_pieces[] = {
  "0",    "1",  "-",  "+",     ".",   ",",   ";",     "\t",           " ",        "\n", "\r",
  "\r\n", "e",  "e5", "1e999", "nan", "inf", "0x1p3", "\xef\xbb\xbf", "\xff\xfe", "\"", "time",
  "3,5",  "-0", NULL,
};

static const char *const binary_pieces[] = {
  "\x01",
  "\xff\xff\xff\xff",
  "\x7f",
  "\xff\xff\xff\x7f",
  "\t",
  "\n",
  "0",
  "1",
  "-",
  "lazy",
  "stored",
  "rebuilt",
  "\x80\x80",
  "4294967295",
  "9223372036854775807",
  NULL,
};

static const Kind kinds[] = {
  { "/fuzz/files/lessons", "lessons", fuzz_one_lesson, 20000, lesson_pieces },
  { "/fuzz/files/studies", "studies", fuzz_one_study, 20000, study_pieces },
  { "/fuzz/files/tables", "tables", fuzz_one_table, 5000, table_pieces },
  { "/fuzz/files/change-logs", "change-logs", fuzz_one_change_log, 2000, binary_pieces },
  { "/fuzz/files/checkpoints", NULL, fuzz_one_checkpoint, 2000, binary_pieces },
};

static GPtrArray *
find_seeds (const Kind *kind)
{
  g_autoptr (GBytes) bytes = NULL;
  GPtrArray *seeds;

  if (kind->folder != NULL)
    return load_seeds (kind->folder);
  bytes = fuzz_make_checkpoint ();
  seeds = g_ptr_array_new ();
  g_ptr_array_add (
      seeds, g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes)));
  return seeds;
}

static void
test_mutations (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (3));
  GPtrArray *seeds = find_seeds (kind);
  guint n = kind->n * (g_test_quick () ? 1 : 50), n_accepted = 0;

  for (guint i = 0; i < seeds->len; i++)
    {
      const GString *seed = g_ptr_array_index (seeds, i);

      kind->fuzz_one (seed->str, seed->len);
    }
  for (guint i = 0; i < n; i++)
    {
      GString *text = mutate (rand, seeds, kind->pieces, g_strv_length ((char **) kind->pieces));

      n_accepted += kind->fuzz_one (text->str, text->len);
      g_string_free (text, TRUE);
    }
  free_seeds (seeds);
  g_test_message ("%u of %u files are accepted", n_accepted, n);
  g_assert_cmpuint (n_accepted, >, 0);
}

/* Logs that stay logs are taken, and nearly all are looked through. */
static void
test_records (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (5));
  GPtrArray *seeds = load_seeds ("change-logs");
  guint n = g_test_quick () ? 1000 : 50000, n_tried = 0, n_accepted = 0;

  for (guint i = 0; i < n; i++)
    {
      const GString *seed = random_seed (rand, seeds);
      g_autoptr (GBytes) bytes = mutate_log (rand, seed->str, seed->len);
      gsize size;
      const char *data;

      if (bytes == NULL) /* one that is damaged to begin with */
        continue;
      data = g_bytes_get_data (bytes, &size);
      n_tried++;
      n_accepted += fuzz_one_change_log (data, size);
    }
  free_seeds (seeds);
  g_test_message ("%u of %u change logs are accepted, %u scrubbed, %u seen in slow motion, "
                  "%u events came again",
                  n_accepted, n_tried, fuzz_n_scrubbed, fuzz_n_slowed, fuzz_n_skipped);
  g_assert_cmpuint (n_tried, >, n / 3);
  g_assert_cmpuint (n_accepted, ==, n_tried);
}

/* --- Single files ---------------------------------------------------------------------------- */

/* Forty entries that are not cached, each reading the one before twice: a request for the last is
 * 2^40 calculations. */
static void
test_doubling (void)
{
  const guint n = 40;
  const guint64 all = (G_GUINT64_CONSTANT (1) << n) - 1, keyframe[] = { 0, 1, all, all, 0 };
  const WeirLogRecord record = { .subject = n - 1, .kind = WEIR_LOG_REQUEST };
  g_autoptr (GString) text = g_string_new ("weir-change-log\t1\nbyte-order\tlittle\nengine\tx\n"
                                           "model\tx\nevaluations\trebuilt\nsystems\t1\n-\tx\n");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirScrubber) scrubber = NULL;
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text, "entries\t%u\n0\teager\t-\te\n", n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "0\teager\t%u %u\te\n", i - 1, i - 1);
  g_string_append_printf (text, "trackers\t%u\n", n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "0\t%u\t-\tt\n", i);
  g_string_append (text, "sources\t0\nkeyframes\t1\nlost\t0\nrecords\t1\nend\n");
  g_string_append_len (text, (const char *) keyframe, sizeof keyframe);
  g_string_append_len (text, (const char *) &record, sizeof record);
  bytes = g_bytes_new (text->str, text->len);
  trace = weir_trace_read (bytes, &error);
  g_assert_no_error (error);
  scrubber = weir_scrubber_new (trace, 0, NULL, NULL, &error);
  g_assert_null (scrubber);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH);
}

/* A log that ends within a joint change is looked through; one whose entries have no trackers is
 * refused. */
static void
test_damaged_logs (void)
{
  g_autofree char *cut = g_test_build_filename (G_TEST_DIST, "fuzz", "change-logs", "rebuilt.log",
                                                NULL);
  g_autofree char *bare = g_test_build_filename (G_TEST_DIST, "fuzz", "change-logs", "stored.log",
                                                 NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTrace) trace = weir_trace_load (cut, &error);
  g_autoptr (WeirScrubber) scrubber = NULL;

  g_assert_no_error (error);
  scrubber = weir_scrubber_new (trace, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (scrubber);
  g_assert_null (weir_trace_load (bare, &error));
  g_assert_nonnull (strstr (error->message, "line 247 of the change log: entry 2 has no tracker"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_test_add_data_func (kinds[i].path, &kinds[i], test_mutations);
  g_test_add_func ("/fuzz/files/records", test_records);
  g_test_add_func ("/fuzz/files/doubling", test_doubling);
  g_test_add_func ("/fuzz/files/damaged-logs", test_damaged_logs);
  return g_test_run ();
}
