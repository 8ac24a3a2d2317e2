/* Searching for the entries to blame. See bisection.h.
 *
 * A run with more entries left uncached is never worse: a trial is monotone. Entries only read
 * entries of lower number, so all from number i on is closed under "declares to read". With what
 * was found already left uncached, the highest i for which the run is identical is guilty: without
 * it the run differs, however much of what comes after is left uncached too.
 */
#include "analysis/bisection.h"

#include "analysis/lockstep.h"
#include "base/bits.h"

typedef struct {
  WeirSystem *root;
  const WeirSimulatorOptions *options;
  double stop_time;
  gint *cancel;
  guint n_entries, n_words;
  guint64 *found;  /* the faulty entries so far and all that declares to read them */
  guint64 *except; /* of the trial */
  WeirBisection *result;
} Search;

/* Runs with what was found and all entries from @from on left uncached. */
static gboolean
try_run (Search *self, guint32 from, WeirVerifyResult *result, GError **error)
{
  for (guint w = 0; w < self->n_words; w++)
    self->except[w] = self->found[w];
  for (guint32 e = from; e < self->n_entries; e++)
    weir_bit_set (self->except, e);
  self->result->n_runs++;
  return weir_verify_without (self->root, self->options, self->stop_time, self->except,
                              self->cancel, result, error);
}

static gboolean
is_identical (Search *self, guint32 from, gboolean *identical, GError **error)
{
  WeirVerifyResult result;

  if (!try_run (self, from, &result, error))
    return FALSE;
  *identical = result.identical;
  weir_verify_result_clear (&result);
  return TRUE;
}

/* Blames @entry, and leaves uncached what declares to read it. */
static void
blame (Search *self, guint32 entry)
{
  WeirLayout *layout = weir_system_get_layout (self->root);

  g_array_append_val (self->result->entries, ((WeirEntry) { entry }));
  g_ptr_array_add (self->result->paths, weir_layout_dup_entry_path (layout, (WeirEntry) { entry }));
  weir_bit_set (self->found, entry);
  for (guint32 e = entry + 1; e < self->n_entries; e++)
    {
      guint n;
      const guint32 *reads = weir_layout_get_reads (layout, (WeirEntry) { e }, &n);

      for (guint i = 0; i < n; i++)
        if (weir_bit (self->found, reads[i]))
          weir_bit_set (self->found, e);
    }
}

/* The run differs with what was found, and is identical with all from @low on left uncached too. */
static gboolean
find_next (Search *self, guint32 low, guint32 *entry, GError **error)
{
  guint32 high = self->n_entries;
  gboolean identical;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (!is_identical (self, middle, &identical, error))
        return FALSE;
      if (identical)
        low = middle;
      else
        high = middle;
    }
  *entry = low;
  return TRUE;
}

static gboolean
search (Search *self, GError **error)
{
  WeirBisection *result = self->result;
  gboolean identical;
  guint32 low = 0;

  if (!try_run (self, self->n_entries, &result->first, error))
    return FALSE;
  if (result->first.identical)
    {
      result->is_explained = TRUE;
      return TRUE;
    }
  if (!is_identical (self, 0, &result->is_explained, error))
    return FALSE;
  for (identical = !result->is_explained; !identical;)
    {
      guint32 entry;

      if (low == self->n_entries) /* the same run has come out another way: memory again */
        {
          result->is_explained = FALSE;
          return TRUE;
        }
      if (!find_next (self, low, &entry, error))
        return FALSE;
      blame (self, entry);
      low = entry + 1;
      if (!is_identical (self, self->n_entries, &identical, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
weir_bisect_caching (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
                     gint *cancel, WeirBisection *result, GError **error)
{
  guint n_entries = weir_layout_get_n_entries (weir_system_get_layout (root));
  guint n_words = n_entries / 64 + 1;
  g_autofree guint64 *found = g_new0 (guint64, n_words);
  g_autofree guint64 *except = g_new0 (guint64, n_words);
  Search self = { root, options, stop_time, cancel, n_entries, n_words, found, except, result };

  *result = (WeirBisection) {
    .entries = g_array_new (FALSE, FALSE, sizeof (WeirEntry)),
    .paths = g_ptr_array_new_with_free_func (g_free),
    .n_entries = n_entries,
  };
  if (search (&self, error))
    return TRUE;
  weir_bisection_clear (result);
  return FALSE;
}

void
weir_bisection_clear (WeirBisection *self)
{
  weir_verify_result_clear (&self->first);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
}

char *
weir_bisection_to_string (const WeirBisection *self)
{
  GString *text;

  if (self->first.identical)
    return weir_verify_result_to_string (&self->first);
  text = g_string_new (NULL);
  if (!self->is_explained)
    {
      g_string_append_printf (
          text,
          "the runs differ even with none of the %u entries cached: a calculation keeps "
          "memory of its own",
          self->n_entries);
      return g_string_free (text, FALSE);
    }
  g_string_append_printf (text, "%u of %u entries %s to blame: ", self->entries->len,
                          self->n_entries, self->entries->len == 1 ? "is" : "are");
  for (guint i = 0; i < self->paths->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            (char *) g_ptr_array_index (self->paths, i));
  g_string_append_printf (text, "; without caching %s the runs are identical (%u runs)",
                          self->entries->len == 1 ? "it" : "them", self->n_runs);
  return g_string_free (text, FALSE);
}
