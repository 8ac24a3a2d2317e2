/* Chains of requests at a difference. See request-chain.h. */
#include "analysis/request-chain.h"

#include <gio/gio.h>

#include "base/error.h"
#include "analysis/replay.h"
#include "numerics/number.h"
#include "base/text.h"
#include "sim/journal.h"
#include "system/evaluation/eval.h"

static gboolean
find_entry (const WeirLayout *layout, const char *path, guint32 *entry)
{
  for (guint32 e = 0; path != NULL && e < weir_layout_get_n_entries (layout); e++)
    {
      g_autofree char *other = weir_layout_dup_entry_path (layout, (WeirEntry) { e });

      if (g_str_equal (path, other))
        {
          *entry = e;
          return TRUE;
        }
    }
  return FALSE;
}

/* Asks for what no other value reads. */
static WeirStatus
look (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  const GArray *ends = data;

  for (guint i = 0; i < ends->len; i++)
    {
      WeirSystem *root = weir_simulator_get_system (simulator);
      WeirContext *context = weir_simulator_get_context (simulator);
      WeirEntry end = g_array_index (ends, WeirEntry, i);

      if (weir_layout_get_entry (weir_context_get_layout (context), end).type != NULL)
        weir_eval_abstract_entry (root, context, end);
      else
        weir_eval_entry (root, context, end);
    }
  return WEIR_OK;
}

/* (transfer full) WeirEntry. */
static GArray *
list_ends (const WeirLayout *layout)
{
  guint n = weir_layout_get_n_entries (layout);
  g_autofree gboolean *is_read = g_new0 (gboolean, MAX (n, 1));
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (WeirEntry));

  for (guint32 e = 0; e < n; e++)
    {
      guint n_reads;
      const guint32 *reads = weir_layout_get_reads (layout, (WeirEntry) { e }, &n_reads);

      for (guint k = 0; k < n_reads; k++)
        is_read[reads[k]] = TRUE;
    }
  for (guint32 e = 0; e < n; e++)
    if (!is_read[e])
      {
        WeirEntry end = { e };

        g_array_append_val (ends, end);
      }
  return ends;
}

/* A run up to the end of the step that differed, or to where it failed in it. (transfer full) */
static WeirTrace *
record (WeirSystem *root, const WeirSimulatorOptions *options, double stop_time,
        WeirJournal *journal, guint64 n_steps, gboolean caching, gint *cancel, GError **error)
{
  WeirJournalPlace place = { .boundary = stop_time };
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autoptr (GArray) ends = list_ends (weir_system_get_layout (root));
  gboolean done = FALSE, ok;

  weir_context_set_caching (context, caching);
  simulator = weir_simulator_new (root, context, options, error);
  if (simulator == NULL)
    return NULL;
  weir_simulator_set_monitor (simulator, look, ends);
  weir_simulator_set_cancel (simulator, cancel);
  weir_context_start_log (context, WEIR_LOG_MODE_ALL, 0);
  ok = (journal == NULL || weir_journal_follow (journal, &place, context, cancel))
       && weir_simulator_initialize (simulator, NULL);
  for (guint64 i = 0; ok && (!done || journal != NULL) && i <= n_steps; i++)
    ok = (journal == NULL || weir_journal_follow (journal, &place, context, cancel))
         && weir_simulator_step (simulator, place.boundary, &done, NULL);
  if (cancel != NULL && g_atomic_int_get (cancel) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the check was stopped");
      return NULL;
    }
  log = weir_context_stop_log (context);
  return weir_trace_new (log, NULL);
}

/* Appends for whom @entry was computed in the request at @index. */
static gboolean
list_requesters (WeirReplay *replay, gsize index, guint32 request, guint32 entry, GArray *entries,
                 GError **error)
{
  g_autoptr (GArray) evaluations = weir_replay_list_evaluations (replay, index, error);
  guint32 wanted = entry;

  if (evaluations == NULL)
    return FALSE;
  /* Who asks is computed later in the list; the last evaluation of the value is the one in
   * question. */
  for (guint i = evaluations->len; i-- > 0;)
    {
      const WeirEvaluation *evaluation = &g_array_index (evaluations, WeirEvaluation, i);

      if (evaluation->entry != wanted)
        continue;
      g_array_append_val (entries, wanted);
      wanted = evaluation->requester;
      if (wanted == WEIR_NO_INDEX)
        break;
      i = evaluations->len;
      if (entries->len > evaluations->len)
        break; /* a damaged log */
    }
  if (entries->len == 0)
    g_array_append_val (entries, entry);
  if (g_array_index (entries, guint32, entries->len - 1) != request)
    g_array_append_val (entries, request);
  return TRUE;
}

/* The last evaluation of @entry, and the request that it is part of. */
static gboolean
find_chain (WeirTrace *trace, guint32 entry, WeirRequestChain *chain, GError **error)
{
  g_autoptr (WeirReplay) replay = weir_replay_new (trace);
  gsize n, at;
  const WeirLogRecord *records = weir_trace_get_records (trace, &n);

  *chain = (WeirRequestChain) { .entries = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  for (at = n; at-- > 0;)
    if (records[at].kind == WEIR_LOG_EVALUATED && entry >= records[at].subject
        && entry - records[at].subject < records[at].detail)
      break;
  if (at == G_MAXSIZE)
    return TRUE;
  chain->is_known = TRUE;
  chain->time = records[at].time;
  chain->phase = (WeirLogPhase) records[at].phase;
  chain->reason = (WeirLogReason) records[at].reason;
  while (at > 0 && records[at].kind != WEIR_LOG_REQUEST && records[at].kind != WEIR_LOG_CALCULATION)
    at--;
  return list_requesters (replay, at, records[at].subject, entry, chain->entries, error);
}

gboolean
weir_find_difference_chains (WeirSystem *root, const WeirSimulatorOptions *options,
                             double stop_time, WeirJournal *journal, const WeirVerifyResult *result,
                             gint *cancel, WeirDifferenceChains *chains, GError **error)
{
  WeirRequestChain *sides[] = { &chains->cached, &chains->uncached };
  WeirLayout *layout = weir_system_get_layout (root);
  WeirSimulatorOptions each_instant = *options;
  guint32 entry;

  *chains = (WeirDifferenceChains) { 0 };
  if (result->identical
      || (!find_entry (layout, result->faulty_entry, &entry)
          && !find_entry (layout, result->where, &entry)))
    {
      weir_error_set (error, WEIR_ERROR_INVALID, "no value is known to differ");
      return FALSE;
    }
  weir_simulator_options_set_each_instant (&each_instant);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_autoptr (WeirTrace) trace = record (root, &each_instant, stop_time, journal,
                                            result->n_steps, i == 0, cancel, error);

      if (trace == NULL || !find_chain (trace, entry, sides[i], error))
        {
          weir_difference_chains_clear (chains);
          return FALSE;
        }
    }
  return TRUE;
}

void
weir_difference_chains_clear (WeirDifferenceChains *self)
{
  g_clear_pointer (&self->cached.entries, g_array_unref);
  g_clear_pointer (&self->uncached.entries, g_array_unref);
}

char *
weir_request_chain_to_string (const WeirRequestChain *self, const WeirLayout *layout)
{
  static const char *const reasons[WEIR_LOG_N_REASONS] = {
    [WEIR_LOG_FIRST] = N_ ("for the first time"),
    [WEIR_LOG_OUT_OF_DATE] = N_ ("out of date"),
    [WEIR_LOG_DISABLED] = N_ ("not cached"),
  };
  GString *text = g_string_new (NULL);
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  if (!self->is_known)
    {
      g_string_append (text, _ ("not computed: nothing in the run asks for it"));
      return g_string_free (text, FALSE);
    }
  for (guint i = 0; i < self->entries->len; i++)
    {
      g_autofree char *path = weir_layout_dup_entry_path (
          layout, (WeirEntry) { g_array_index (self->entries, guint32, i) });

      g_string_append_printf (text, "%s%s", i > 0 ? _ (", for ") : "",
                              *path == ':' ? path + 1 : path);
    }
  g_string_append_printf (text, " (t = %s, %s)", weir_number_to_text (self->time, time),
                          self->reason < WEIR_LOG_N_REASONS ? _ (reasons[self->reason]) : "");
  return g_string_free (text, FALSE);
}
