/* What event handlers do beside giving their result. See audit.h.
 *
 * At each instant examined every handler is called twice on copies of one and the same context. It
 * must change nothing there, and what it wants to write must be the same both times. After that
 * every calculation must give what it gave before: a handler that keeps something where
 * calculations find it has changed no source, so that nobody downstream would hear of it.
 */
#include "analysis/audit-private.h"

#include "system/evaluation/event.h"
#include "system/context/source-values.h"

#define MAX_CALCULATIONS                                                                           \
  2000000 /* at one instant; beyond, a handler's effect is looked for in its own block only */

/* What a call of a handler wants. */
typedef struct {
  WeirContext *context; /* as the handler found and left it; then with its results applied */
  WeirStatus status;
  double next; /* of a timed event: when it is next */
  char *written;
} Call;

static void
call_clear (Call *self)
{
  weir_context_free (self->context);
  g_free (self->written);
}

/* A handler does not know whether its event comes for the first time. */
static Call
call_handler (const WeirTrial *self, guint i, const WeirDeclaredEvent *event)
{
  WeirSystem *root = self->audit->root;
  WeirOccurrence occurrence = { .n = 1 };
  Call call = { .context = weir_context_clone (self->work), .status = WEIR_OK };
  WeirUpdates *updates = weir_updates_new (root);

  weir_context_set_observer (call.context, self->audit->observer);
  if (event->trigger == WEIR_TRIGGER_TIMED)
    call.status = weir_system_call_next_time (root, call.context, i,
                                              weir_context_get_time (call.context), &call.next);
  if (event->action == WEIR_ACTION_PUBLISH)
    call.status = weir_system_call_event (root, call.context, i, &occurrence, NULL);
  else if (event->action != WEIR_ACTION_BREAK)
    call.status = weir_updates_call (updates, call.context, i, &occurrence);
  weir_message_unref (occurrence.message);
  call.written = weir_context_dup_first_difference (self->work, call.context);
  weir_updates_apply (updates, call.context);
  weir_updates_free (updates);
  weir_context_set_observer (call.context, NULL);
  return call;
}

/* The value under a ticket, in full. (transfer full) */
static char *
dup_value (const WeirContext *context, WeirNode node, WeirTicket ticket)
{
  guint size;
  const double *value = weir_context_get_ticket_value (context, node, ticket, &size);
  GVariant *variant;

  if (value != NULL)
    return weir_audit_dup_numbers (value, size);
  variant = weir_context_get_ticket_variant (context, node, ticket);
  return variant != NULL ? g_variant_print (variant, TRUE) : g_strdup ("nothing");
}

static void
blame_for_writing (WeirTrial *self, guint i, const char *written)
{
  WeirNode node;
  WeirTicket ticket = weir_audit_find_named (self->audit, written, &node);

  if (weir_audit_find_handler (self->audit, WEIR_AUDIT_WRITES_SOURCE, i) == NULL)
    weir_audit_add_handler (self->audit, WEIR_AUDIT_WRITES_SOURCE, i, node, ticket)
        ->time = weir_context_get_time (self->work);
}

static void
blame_for_memory (WeirTrial *self, guint i, const Call *first, const Call *second)
{
  g_autofree char *name = weir_context_dup_first_difference (first->context, second->context);
  WeirAuditFinding *finding;
  WeirTicket ticket;
  WeirNode node;

  if ((name == NULL && first->next == second->next)
      || weir_audit_find_handler (self->audit, WEIR_AUDIT_KEEPS_MEMORY, i) != NULL)
    return;
  finding = weir_audit_add_handler (self->audit, WEIR_AUDIT_KEEPS_MEMORY, i, WEIR_ROOT,
                                    WEIR_NOTHING);
  finding->time = weir_context_get_time (self->work);
  if (name == NULL)
    {
      finding->cached = weir_audit_dup_numbers (&first->next, 1);
      finding->recomputed = weir_audit_dup_numbers (&second->next, 1);
      return;
    }
  ticket = weir_audit_find_named (self->audit, name, &node);
  finding->cached = dup_value (first->context, node, ticket);
  finding->recomputed = dup_value (second->context, node, ticket);
}

/* Who gives something else than before though nothing has changed but that a handler was called. */
static void
blame_for_sharing (WeirTrial *self, guint i, WeirNode node, gboolean everywhere)
{
  WeirAudit *audit = self->audit;

  for (guint32 e = 0; e < audit->n_entries; e++)
    {
      WeirEntry entry = { e };
      WeirAuditFinding *finding;

      if (!self->base[e].has || audit->is_impure[e]
          || (!everywhere && weir_layout_get_entry (audit->layout, entry).node.i != node.i))
        continue;
      weir_audit_value_calc (&self->now[e], audit->root, self->work, entry);
      audit->result->n_calculations++;
      if (weir_audit_value_is_same (&self->now[e], &self->base[e]))
        continue;
      audit->is_impure[e] = TRUE;
      if (weir_audit_find_handler (audit, WEIR_AUDIT_KEEPS_MEMORY, i) != NULL)
        continue;
      finding = weir_audit_add_handler (audit, WEIR_AUDIT_KEEPS_MEMORY, i, WEIR_ROOT, WEIR_NOTHING);
      finding->time = weir_context_get_time (self->work);
      finding->source = weir_layout_dup_entry_path (audit->layout, entry);
      finding->cached = weir_audit_value_to_string (&self->base[e]);
      finding->recomputed = weir_audit_value_to_string (&self->now[e]);
    }
}

void
weir_trial_call_handlers (WeirTrial *self)
{
  WeirSystem *root = self->audit->root;
  guint n = weir_system_get_n_events (root);
  gboolean everywhere = (guint64) n * self->audit->n_entries <= MAX_CALCULATIONS;

  for (guint i = 0; i < n; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (root, i);
      Call first, second;

      if (event.action == WEIR_ACTION_BREAK && event.trigger != WEIR_TRIGGER_TIMED)
        continue;
      first = call_handler (self, i, &event);
      second = call_handler (self, i, &event);
      if (first.written != NULL)
        blame_for_writing (self, i, first.written);
      else if (first.status != WEIR_FAILED && second.status != WEIR_FAILED)
        blame_for_memory (self, i, &first, &second);
      blame_for_sharing (self, i, event.node, everywhere);
      call_clear (&first);
      call_clear (&second);
    }
}
