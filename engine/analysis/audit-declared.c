/* What was read against what is declared. See audit.h. */
#include "analysis/audit-private.h"

#include "base/text.h"

static gboolean
was_moved (const WeirAudit *self, WeirEntry entry, guint16 ticket)
{
  const guint64 *moved = self->moved[entry.i];

  return moved != NULL && weir_bit (moved, ticket);
}

/* Reads through accessors that perturbation has not proven: of a value that happens not
 * to matter. */
static void
add_observed (WeirAudit *self, WeirEntry entry, WeirNode node)
{
  guint n_tickets = weir_layout_get_n_tickets (self->layout, node);

  for (guint t = 1; t < n_tickets; t++)
    {
      WeirTicket ticket = { (guint16) t };
      gboolean is_known = weir_audit_find (self, WEIR_AUDIT_UNDECLARED, entry, node, ticket)
                          != NULL;

      for (guint16 part = WEIR_TICKET_Q; t == WEIR_TICKET_XC && part <= WEIR_TICKET_Z; part++)
        is_known = is_known
                   || weir_audit_find (self, WEIR_AUDIT_UNDECLARED, entry, node,
                                       (WeirTicket) { part })
                          != NULL;
      if (!is_known && weir_observer_get_read (self->observer, entry, ticket) == WEIR_READ_ALONE
          && !weir_layout_is_covered (self->layout, entry, ticket))
        weir_audit_add (self, WEIR_AUDIT_UNDECLARED, entry, node, ticket)->is_observed = TRUE;
    }
}

static gboolean
is_read (const WeirAudit *self, WeirEntry entry, guint16 primary)
{
  WeirRead read = weir_observer_get_read (self->observer, entry, (WeirTicket) { primary });

  return read == WEIR_READ_ALONE || was_moved (self, entry, primary);
}

/* q, v and z are tickets of every leaf; this one may have none of them. */
static gboolean
has_content (const WeirAudit *self, WeirNode node, guint16 primary)
{
  if (primary < WEIR_TICKET_Q || primary > WEIR_TICKET_Z)
    return TRUE;
  for (guint s = 0; s < self->sources->len; s++)
    {
      const WeirSourceInfo *source = &g_array_index (self->sources, WeirSourceInfo, s);

      if (source->node.i == node.i && source->ticket.i == primary)
        return TRUE;
    }
  return FALSE;
}

static char *
join_labels (const WeirAudit *self, WeirNode node, const GArray *tickets)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < tickets->len; i++)
    {
      g_autofree char *label = weir_layout_describe_ticket (
          self->layout, node, (WeirTicket) { g_array_index (tickets, guint16, i) });

      g_string_append_printf (text, "%s%s",
                              i == 0                 ? ""
                              : i + 1 < tickets->len ? ", "
                                                     : _ (" and "),
                              label);
    }
  return g_string_free (text, FALSE);
}

static void
add_superfluous (WeirAudit *self, WeirEntry entry, WeirNode node)
{
  const guint16 *declared, *primary;
  guint n_declared = weir_layout_get_declared (self->layout, entry, &declared);
  guint n_primary = weir_layout_get_primary (self->layout, entry, &primary);

  for (guint d = 0; d < n_declared; d++)
    {
      g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint16));
      g_autoptr (GArray) unused = g_array_new (FALSE, FALSE, sizeof (guint16));
      WeirTicket ticket = { declared[d] };
      WeirAuditFinding *finding;

      for (guint k = 0; k < n_primary; k++)
        if (weir_layout_stands_for (self->layout, node, ticket, (WeirTicket) { primary[k] })
            && has_content (self, node, primary[k]))
          g_array_append_val (is_read (self, entry, primary[k]) ? used : unused, primary[k]);
      if (unused->len == 0
          || weir_audit_find (self, WEIR_AUDIT_SUPERFLUOUS, entry, node, ticket) != NULL)
        continue;
      finding = weir_audit_add (self, WEIR_AUDIT_SUPERFLUOUS, entry, node, ticket);
      finding->cost = weir_observer_count_avoidable (
          self->observer, entry, (const guint16 *) (const void *) unused->data, unused->len);
      if (used->len > 0)
        {
          g_autofree char *names = join_labels (self, node, used);

          finding->source = join_labels (self, node, unused);
          finding->used = g_array_ref (used);
          g_free (finding->proposal);
          finding->proposal = g_strdup_printf (_ ("declare %s instead of %s"), names,
                                               finding->ticket_name);
        }
    }
}

void
weir_audit_compare_reads (WeirAudit *self)
{
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      WeirEntry entry = { e };
      WeirNode node = weir_layout_get_entry (self->layout, entry).node;

      if (!weir_layout_is_leaf_entry (self->layout, entry)
          || weir_layout_is_kernel_entry (self->layout, entry)
          || weir_observer_get_n_calls (self->observer, entry) == 0)
        continue;
      add_observed (self, entry, node);
      /* What a wrong calculation never reads says nothing. */
      if (!weir_audit_has_error (self, entry))
        add_superfluous (self, entry, node);
    }
}
