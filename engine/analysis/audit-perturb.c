/* Changing one source after the other and looking who changes with it. See audit.h.
 *
 * All changes are made in one and the same context and taken back, so that a calculation that reads
 * past its accessors, through a pointer it got hold of earlier, reads what was changed. After each
 * change everything that the declarations put out of date is evaluated; whatever they left up to
 * date is calculated once more, its prerequisites taken from the cache, and must give the bits that
 * it has. So an entry downstream of a guilty one is never blamed. A difference counts only if it
 * goes away with the change and comes back with it: otherwise the calculation keeps memory.
 */
#include "analysis/audit-private.h"
#include "system/context/source-values.h"

#include <string.h>

/* Of all sources at once, to see more branches. */
static const guint joint_changes[] = { WEIR_AUDIT_CHANGE_NEGATE,  WEIR_AUDIT_CHANGE_RANDOM,
                                       WEIR_AUDIT_CHANGE_RANDOM,  WEIR_AUDIT_CHANGE_RANDOM,
                                       WEIR_AUDIT_CHANGE_ADD_ONE, WEIR_AUDIT_CHANGE_ZERO };
#define N_VARIED 4 /* of them examined in turn */

/* --- The trials ------------------------------------------------------------------------------ */

static gboolean
is_fixed (const WeirTrial *self, const WeirSourceInfo *source)
{
  return source->is_input
         && weir_context_is_input_fixed (self->work, source->node,
                                         (WeirInput) { (guint16) source->index });
}

static void
note_moved (WeirTrial *self, const WeirSourceInfo *source, guint32 e)
{
  const WeirLayout *layout = self->audit->layout;
  WeirNode node = weir_layout_get_entry (layout, (WeirEntry) { e }).node;
  const guint16 *tickets;
  guint n = weir_layout_get_primary (layout, (WeirEntry) { e }, &tickets);

  for (guint k = 0; k < n; k++)
    {
      WeirEntry read;
      gboolean is_source = tickets[k] == source->ticket.i
                           && (source->node.i == node.i || weir_ticket_is_common (source->ticket));

      if (!is_source
          && !(weir_layout_find_entry (layout, node, (WeirTicket) { tickets[k] }, &read)
               && self->has_changed[read.i]))
        continue;
      if (self->audit->moved[e] == NULL)
        self->audit->moved[e] = g_new0 (
            guint64, weir_bits_n_words (weir_layout_get_n_tickets (layout, node)));
      weir_bit_set (self->audit->moved[e], tickets[k]);
    }
}

/* In a model too large for trying every source on every entry: siblings, and all at one level
 * above. */
static gboolean
is_near (const WeirAudit *self, const WeirSourceInfo *source, guint32 e)
{
  WeirNode node = weir_layout_get_entry (self->layout, (WeirEntry) { e }).node;

  return self->result->is_exhaustive || node.i == source->node.i || node.i == 0
         || (source->node.i != 0
             && weir_layout_get_parent (self->layout, node).i
                    == weir_layout_get_parent (self->layout, source->node).i);
}

static void
compare_untouched (WeirTrial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                   const WeirAuditValue *new, gboolean was_fixed)
{
  WeirAudit *audit = self->audit;
  gsize n_words = weir_bits_n_words (audit->n_entries);
  g_autofree guint64 *stale = g_memdup2 (self->stale, n_words * sizeof *self->stale);

  for (guint32 e = 0; e < audit->n_entries; e++)
    {
      if (weir_bit (stale, e) || !self->base[e].has || audit->is_impure[e]
          || !is_near (audit, source, e))
        continue;
      weir_audit_value_calc (&self->now[e], audit->root, self->work, (WeirEntry) { e });
      audit->result->n_calculations++;
      if (!weir_audit_value_is_same (&self->now[e], &self->base[e]))
        weir_trial_blame (self, e, source, old, new, was_fixed);
    }
}

/* After everything was taken back, every value must be as before. Numbers ascend downstream, so the
 * first that is not is to blame. */
static void
compare_restored (WeirTrial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                  const WeirAuditValue *new)
{
  WeirAudit *audit = self->audit;
  gboolean again;

  do
    {
      again = FALSE;
      weir_trial_evaluate (self);
      for (guint32 e = 0; e < audit->n_entries && !again; e++)
        if (self->has_changed[e])
          {
            weir_trial_blame_memory (self, e, source, old, new, &self->now[e]);
            /* What came after it is evaluated anew from the value that it had. */
            audit->retired->pdata[audit->retired->len - 1] = self->work;
            g_ptr_array_add (audit->retired, NULL);
            self->work = weir_context_clone (self->reference);
            weir_context_set_observer (self->work, audit->observer);
            again = TRUE;
          }
    }
  while (again);
}

static void
try_source (WeirTrial *self, const WeirSourceInfo *source)
{
  gboolean was_fixed = is_fixed (self, source);
  WeirAuditValue old = { 0 }, new;

  weir_audit_keep_source (&old, self->reference, source);
  for (guint change = 0; change < WEIR_AUDIT_N_CHANGES; change++)
    {
      if (!weir_audit_make_change (self->audit, source, change, &old, &new))
        continue;
      weir_audit_put_source (self->work, source, &new);
      weir_trial_evaluate (self);
      for (guint32 e = 0; e < self->audit->n_entries; e++)
        if (self->has_changed[e])
          note_moved (self, source, e);
      if (change != WEIR_AUDIT_CHANGE_NAN)
        compare_untouched (self, source, &old, &new, was_fixed);
      weir_trial_take_back (self, source, &old, was_fixed);
      compare_restored (self, source, &old, &new);
      weir_audit_value_clear (&new);
    }
  weir_audit_value_clear (&old);
}

/* Many branches are taken only when several sources change together. Adds the first states made so
 * to
 * @varied, to be examined like those of the run. */
static void
try_jointly (WeirTrial *self, GPtrArray *varied)
{
  WeirAudit *audit = self->audit;

  for (guint k = 0; k < G_N_ELEMENTS (joint_changes); k++)
    {
      for (guint s = 0; s < audit->sources->len; s++)
        {
          const WeirSourceInfo *source = &g_array_index (audit->sources, WeirSourceInfo, s);
          WeirAuditValue old = { 0 }, new;

          weir_audit_keep_source (&old, self->reference, source);
          if ((!source->is_input || k < N_VARIED || weir_audit_next_random (audit) > 0)
              && weir_audit_make_change (audit, source, joint_changes[k], &old, &new))
            {
              weir_audit_put_source (self->work, source, &new);
              weir_audit_value_clear (&new);
            }
          weir_audit_value_clear (&old);
        }
      weir_trial_evaluate (self);
      if (varied != NULL && k < N_VARIED)
        g_ptr_array_add (varied, weir_context_clone (self->work));
    }
}

/* --- Before any change ----------------------------------------------------------------------- */

/* Evaluates everything. TRUE and @faulty_entry, @written if something beside the values evaluated
 * changed. */
static gboolean
evaluate_all (WeirTrial *self, WeirContext *context, gboolean one_by_one, guint32 *faulty_entry,
              char **written)
{
  WeirAudit *audit = self->audit;
  WeirContext *before = weir_context_clone (context);

  *written = NULL;
  for (guint32 e = 0; e < audit->n_entries && *written == NULL; e++)
    {
      WeirEntry entry = { e };

      if (audit->is_impure[e]) /* keeps the value that it had in the run */
        weir_context_mark (context, entry, TRUE);
      weir_audit_value_eval (&self->base[e], audit->root, context, entry);
      /* Another time, when all else is up to date and so must stay as it is. */
      if (one_by_one && !audit->is_impure[e])
        {
          *faulty_entry = e;
          *written = weir_context_dup_first_difference (before, context);
          weir_context_free (before);
          before = weir_context_clone (context);
          if (*written == NULL)
            {
              weir_audit_value_calc (&self->now[e], audit->root, context, entry);
              *written = weir_context_dup_first_difference (before, context);
            }
        }
    }
  if (!one_by_one)
    {
      *written = weir_context_dup_first_difference (before, context);
      if (*written == NULL)
        {
          weir_context_free (before);
          before = weir_context_clone (context);
          for (guint32 e = 0; e < audit->n_entries; e++)
            if (!audit->is_impure[e])
              weir_audit_value_calc (&self->now[e], audit->root, context, (WeirEntry) { e });
          *written = weir_context_dup_first_difference (before, context);
        }
    }
  weir_context_free (before);
  return *written != NULL;
}

/* Calculations that go through a pointer of their own had better find it there already; else their
 * first call alone would look like memory. */
static void
warm_up (WeirTrial *self, const WeirContext *sample)
{
  WeirContext *context = weir_context_clone (sample);

  weir_context_set_observer (context, self->audit->observer);
  for (guint32 e = 0; e < self->audit->n_entries; e++)
    if (!self->audit->is_impure[e])
      weir_audit_value_eval (&self->now[e], self->audit->root, context, (WeirEntry) { e });
  weir_context_set_observer (context, NULL);
  g_ptr_array_add (self->audit->retired, context);
}

/* Evaluates all of @sample in work; names every entry that writes more than its own value. */
static void
find_writers (WeirTrial *self, const WeirContext *sample)
{
  WeirAudit *audit = self->audit;
  gboolean one_by_one = FALSE;

  for (;;)
    {
      g_autofree char *written = NULL;
      guint32 faulty_entry = WEIR_NO_INDEX;
      WeirNode node;
      WeirTicket ticket;

      self->work = weir_context_clone (sample);
      weir_context_set_observer (self->work, audit->observer);
      if (!evaluate_all (self, self->work, one_by_one, &faulty_entry, &written))
        return;
      g_ptr_array_insert (audit->retired, 0, self->work);
      if (one_by_one)
        {
          ticket = weir_audit_find_named (audit, written, &node);
          audit->is_impure[faulty_entry] = TRUE;
          weir_audit_add (audit, WEIR_AUDIT_WRITES_SOURCE, (WeirEntry) { faulty_entry }, node,
                          ticket)
              ->time = weir_context_get_time (sample);
        }
      one_by_one = TRUE;
    }
}

/* Each twice more from the very same sources. */
static void
find_memory (WeirTrial *self)
{
  WeirAudit *audit = self->audit;

  for (guint32 e = 0; e < audit->n_entries; e++)
    audit->has_value[e] |= self->base[e].has && !self->is_varied;
  for (guint32 e = 0; e < audit->n_entries; e++)
    for (guint k = 0; k < 2 && self->base[e].has && !audit->is_impure[e]; k++)
      {
        weir_audit_value_calc (&self->now[e], audit->root, self->work, (WeirEntry) { e });
        audit->result->n_calculations++;
        if (!weir_audit_value_is_same (&self->now[e], &self->base[e]))
          weir_trial_blame_memory (self, e, NULL, NULL, NULL, &self->now[e]);
      }
}

gboolean
weir_audit_perturb (WeirAudit *self, WeirContext *sample, gboolean is_varied, GPtrArray *varied)
{
  gsize n_words = weir_bits_n_words (self->n_entries);
  WeirTrial trial = {
    .audit = self,
    .base = weir_audit_values_new (self->layout),
    .now = weir_audit_values_new (self->layout),
    .has_changed = g_new0 (gboolean, MAX (self->n_entries, 1)),
    .stale = g_new0 (guint64, MAX (n_words, 1)),
    .is_varied = is_varied,
  };
  guint64 cost = (guint64) WEIR_AUDIT_N_CHANGES * self->n_entries;
  guint stride = (guint) MAX (1, cost * self->sources->len / (self->max_calculations * 16));
  gboolean ok = TRUE;

  self->result->is_exhaustive = self->result->is_exhaustive
                                && cost * self->sources->len <= self->max_calculations;
  weir_context_set_caching (sample, TRUE);
  weir_context_set_node_caching (sample, WEIR_ROOT, TRUE);
  weir_context_set_frozen (sample, FALSE);
  weir_context_set_all_out_of_date (sample);
  warm_up (&trial, sample);
  find_writers (&trial, sample);
  find_memory (&trial);
  if (!is_varied)
    weir_trial_call_handlers (&trial);
  trial.reference = weir_context_clone (trial.work);
  g_ptr_array_add (self->retired, NULL); /* the place of the present work */
  for (guint s = 0; s < self->sources->len && ok; s += stride)
    {
      try_source (&trial, &g_array_index (self->sources, WeirSourceInfo, s));
      ok = self->cancel == NULL || g_atomic_int_get (self->cancel) == 0;
    }
  if (ok)
    try_jointly (&trial, varied);
  weir_context_set_observer (trial.work, NULL);
  self->retired->pdata[self->retired->len - 1] = trial.work;
  weir_context_free (trial.reference);
  weir_context_free (sample);
  weir_audit_values_free (trial.base, self->n_entries);
  weir_audit_values_free (trial.now, self->n_entries);
  g_free (trial.has_changed);
  g_free (trial.stale);
  return ok;
}
