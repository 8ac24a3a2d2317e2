/* Which entry is to blame for a difference that a change made, and what it should have declared.
 * See audit-private.h.
 */
#include "analysis/audit-private.h"
#include "system/context/inspection.h"
#include "system/context/source-values.h"

#include <string.h>

void
weir_trial_take_back (WeirTrial *self, const WeirSourceInfo *source, const WeirAuditValue *old,
                      gboolean was_fixed)
{
  if (source->is_input && !was_fixed)
    weir_context_unfix_input (self->work, source->node, (WeirInput) { (guint16) source->index });
  else
    weir_audit_put_source (self->work, source, old);
}

void
weir_trial_evaluate (WeirTrial *self)
{
  WeirAudit *audit = self->audit;
  gsize n_words;
  const guint64 *flags = weir_context_get_flags (self->work, &n_words);

  memcpy (self->stale, flags, n_words * sizeof *flags);
  for (guint32 e = 0; e < audit->n_entries; e++)
    if (weir_bit (self->stale, e) && audit->is_impure[e] && self->base[e].has)
      weir_context_mark (self->work, (WeirEntry) { e }, TRUE);
  for (guint32 e = 0; e < audit->n_entries; e++)
    {
      self->has_changed[e] = FALSE;
      if (!weir_bit (self->stale, e) || audit->is_impure[e])
        continue;
      weir_audit_value_eval (&self->now[e], audit->root, self->work, (WeirEntry) { e });
      self->has_changed[e] = !weir_audit_value_is_same (&self->now[e], &self->base[e]);
    }
}

static gboolean
ticket_differs (const WeirTrial *self, WeirNode node, WeirTicket ticket)
{
  guint size;
  const double *a = weir_context_get_ticket_value (self->work, node, ticket, &size);
  const double *b = weir_context_get_ticket_value (self->reference, node, ticket, &size);
  GVariant *variant_a, *variant_b;

  if (a != NULL && b != NULL)
    return memcmp (a, b, size * sizeof *a) != 0;
  variant_a = weir_context_get_ticket_variant (self->work, node, ticket);
  variant_b = weir_context_get_ticket_variant (self->reference, node, ticket);
  return variant_a != NULL && variant_b != NULL && !g_variant_equal (variant_a, variant_b);
}

/* The ticket that @e should have declared, seeing that it changed with @source. */
static WeirTicket
find_missing (const WeirTrial *self, guint32 e, const WeirSourceInfo *source, WeirNode *node)
{
  const WeirAudit *audit = self->audit;
  WeirEntry entry = { e };
  WeirNode own = weir_layout_get_entry (audit->layout, entry).node;
  gboolean is_own = source->node.i == own.i || weir_ticket_is_common (source->ticket);
  guint n_tickets = weir_layout_get_n_tickets (audit->layout, own);

  *node = own;
  if (is_own && weir_observer_get_read (audit->observer, entry, source->ticket) != WEIR_READ_NEVER)
    return source->ticket;
  for (guint t = 1; t < n_tickets; t++)
    {
      WeirTicket ticket = { (guint16) t };

      if (weir_observer_get_read (audit->observer, entry, ticket) == WEIR_READ_ALONE
          && !weir_layout_is_covered (audit->layout, entry, ticket)
          && ticket_differs (self, own, ticket))
        return ticket;
    }
  if (!is_own)
    {
      guint n_inputs = weir_layout_get_n_inputs (audit->layout, own);

      for (guint t = WEIR_N_BUILT_IN_TICKETS; n_inputs > 0 && t < n_tickets; t++)
        for (guint s = 0; s < audit->sources->len; s++)
          {
            const WeirSourceInfo *in = &g_array_index (audit->sources, WeirSourceInfo, s);

            if (in->is_input && in->node.i == own.i && in->ticket.i == t
                && !weir_layout_is_covered (audit->layout, entry, in->ticket)
                && ticket_differs (self, own, in->ticket))
              return in->ticket;
          }
      *node = source->node;
    }
  return source->ticket;
}

/* The source in words: "plant: input u". (transfer full) */
static char *
describe_source (const WeirLayout *layout, const WeirSourceInfo *source)
{
  g_autofree char *path = weir_layout_dup_path (layout, source->node);
  g_autofree char *label = weir_layout_describe_ticket (layout, source->node, source->ticket);

  return *path == '\0' ? g_steal_pointer (&label) : g_strconcat (path, ": ", label, NULL);
}

static void
fill_example (const WeirTrial *self, WeirAuditFinding *finding, const WeirSourceInfo *source,
              const WeirAuditValue *old, const WeirAuditValue *new, const WeirAuditValue *cached,
              const WeirAuditValue *recomputed)
{
  finding->is_varied = self->is_varied;
  finding->time = weir_context_get_time (self->reference != NULL ? self->reference : self->work);
  if (source != NULL)
    {
      finding->source = describe_source (self->audit->layout, source);
      finding->before = weir_audit_value_to_string (old);
      finding->after = weir_audit_value_to_string (new);
    }
  finding->cached = weir_audit_value_to_string (cached);
  finding->recomputed = weir_audit_value_to_string (recomputed);
}

void
weir_trial_blame_memory (WeirTrial *self, guint32 e, const WeirSourceInfo *source,
                         const WeirAuditValue *old, const WeirAuditValue *new,
                         const WeirAuditValue *recomputed)
{
  WeirAudit *audit = self->audit;
  WeirNode node = weir_layout_get_entry (audit->layout, (WeirEntry) { e }).node;
  WeirAuditFinding *finding;

  audit->is_impure[e] = TRUE;
  finding = weir_audit_add (audit, WEIR_AUDIT_KEEPS_MEMORY, (WeirEntry) { e }, node, WEIR_NOTHING);
  fill_example (self, finding, source, old, new, &self->base[e], recomputed);
}

void
weir_trial_blame (WeirTrial *self, guint32 e, const WeirSourceInfo *source,
                  const WeirAuditValue *old, const WeirAuditValue *new, gboolean was_fixed)
{
  WeirAudit *audit = self->audit;
  WeirEntry entry = { e };
  WeirNode node;
  WeirTicket ticket = find_missing (self, e, source, &node);
  WeirAuditFinding *finding = weir_audit_find (audit, WEIR_AUDIT_UNDECLARED, entry, node, ticket);
  WeirAuditValue seen = { .size = self->now[e].size,
                          .doubles = g_new0 (double, MAX (self->now[e].size, 1)) };
  gboolean goes_away, comes_back;

  if (finding != NULL)
    {
      g_autofree char *name = describe_source (audit->layout, source);

      finding->n_more += g_strcmp0 (name, finding->source) != 0;
    }
  else
    {
      weir_audit_value_copy (&seen, &self->now[e]);
      weir_trial_take_back (self, source, old, was_fixed);
      weir_trial_evaluate (self);
      weir_audit_value_calc (&self->now[e], audit->root, self->work, entry);
      goes_away = weir_audit_value_is_same (&self->now[e], &self->base[e]);
      weir_audit_put_source (self->work, source, new);
      weir_trial_evaluate (self);
      weir_audit_value_calc (&self->now[e], audit->root, self->work, entry);
      comes_back = weir_audit_value_is_same (&self->now[e], &seen);
      if (goes_away && comes_back)
        {
          finding = weir_audit_add (audit, WEIR_AUDIT_UNDECLARED, entry, node, ticket);
          finding->is_proven = TRUE;
          finding->is_observed = node.i == weir_layout_get_entry (audit->layout, entry).node.i
                                 && weir_observer_get_read (audit->observer, entry, ticket)
                                        != WEIR_READ_NEVER;
          fill_example (self, finding, source, old, new, &self->base[e], &seen);
        }
      else
        weir_trial_blame_memory (self, e, source, old, new, &seen);
    }
  weir_audit_value_clear (&seen);
}
