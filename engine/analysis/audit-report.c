/* The findings of an audit and their text. See audit.h. */
#include "analysis/audit-private.h"

#include "numerics/number.h"
#include "base/text.h"
#include "system/evaluation/event.h"

static const struct {
  const char *code;
  WeirSeverity severity;
} kinds[] = {
  [WEIR_AUDIT_UNDECLARED] = { "AUD01", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_KEEPS_MEMORY] = { "AUD02", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_WRITES_SOURCE] = { "AUD03", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_SUPERFLUOUS] = { "AUD04", WEIR_SEVERITY_HINT },
  [WEIR_AUDIT_MISREADS] = { "AUD05", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_MISWRITES] = { "AUD06", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_OUTSIDE_PATTERN] = { "AUD07", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_WRONG_SLOPE] = { "AUD08", WEIR_SEVERITY_ERROR },
};

char *
weir_audit_dup_numbers (const double *values, guint n)
{
  GString *text = g_string_new (n == 1 ? NULL : "[");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      g_string_append (text, weir_number_to_text (values[i], number));
    }
  if (n != 1)
    g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static char *
dup_entry_label (const WeirLayout *layout, WeirEntry entry)
{
  WeirEntryInfo info = weir_layout_get_entry (layout, entry);
  const char *kind = info.kind == WEIR_ENTRY_OUTPUT  ? "output "
                     : info.kind == WEIR_ENTRY_CACHE ? "cache entry "
                                                     : "";
  g_autofree char *label = g_strconcat (kind, info.name, NULL);

  return weir_label_translate (label);
}

/* "discrete state g", of a group by its place. (transfer full) */
static char *
dup_group_label (const WeirAudit *self, WeirNode node, guint group)
{
  for (guint s = 0; s < self->sources->len; s++)
    {
      const WeirSourceInfo *source = &g_array_index (self->sources, WeirSourceInfo, s);
      g_autofree char *label = NULL;

      if (source->node.i != node.i || source->is_input || source->index != group)
        continue;
      label = weir_layout_dup_ticket_label (self->layout, node, source->ticket);
      if (g_str_has_prefix (label, "discrete state ")
          || g_str_has_prefix (label, "abstract state "))
        return weir_label_translate (label);
    }
  return g_strdup (_ ("the state"));
}

/* (transfer full) */
static char *
dup_trigger_label (const WeirDeclaredEvent *event)
{
  char period[G_ASCII_DTOSTR_BUF_SIZE];

  switch (event->trigger)
    {
    case WEIR_TRIGGER_PERIODIC:
      return g_strdup_printf (_ ("every %s s"), weir_number_to_text (event->period, period));
    case WEIR_TRIGGER_INITIALIZATION:
      return g_strdup (_ ("at the start"));
    case WEIR_TRIGGER_PER_STEP:
    case WEIR_TRIGGER_SIDES:
      return g_strdup (_ ("at each step"));
    case WEIR_TRIGGER_TIMED:
      return g_strdup (_ ("at times that the block gives"));
    case WEIR_TRIGGER_CROSSING:
      return g_strdup (_ ("at zero crossings"));
    case WEIR_TRIGGER_FORCED:
    default:
      return g_strdup (_ ("when forced"));
    }
}

static char *
dup_handler_label (const WeirAudit *self, const WeirDeclaredEvent *event)
{
  g_autofree char *trigger = dup_trigger_label (event);
  g_autofree char *group = NULL;

  switch (event->action)
    {
    case WEIR_ACTION_DISCRETE_UPDATE:
      group = dup_group_label (self, event->node, event->group.i);
      return g_strdup_printf (_ ("the update of %s (%s)"), group, trigger);
    case WEIR_ACTION_RESET:
    case WEIR_ACTION_UNRESTRICTED_UPDATE:
      return g_strdup_printf (_ ("the update of %s (%s)"), _ ("the state"), trigger);
    case WEIR_ACTION_PUBLISH:
    case WEIR_ACTION_BREAK:
    default:
      return g_strdup_printf (_ ("the event handler (%s)"), trigger);
    }
}

WeirAuditFinding *
weir_audit_find (WeirAudit *self, WeirAuditKind kind, WeirEntry entry, WeirNode node,
                 WeirTicket ticket)
{
  WeirNode own = weir_layout_get_entry (self->layout, entry).node;

  for (guint i = 0; i < self->result->findings->len; i++)
    {
      WeirAuditFinding *other = &g_array_index (self->result->findings, WeirAuditFinding, i);

      if (other->kind == kind && other->entry.i == entry.i && other->event == WEIR_NO_INDEX
          && ((other->node.i == node.i && other->ticket.i == ticket.i)
              || (node.i != own.i && other->node.i != own.i)))
        return other;
    }
  return NULL;
}

gboolean
weir_audit_has_error (const WeirAudit *self, WeirEntry entry)
{
  for (guint i = 0; i < self->result->findings->len; i++)
    {
      const WeirAuditFinding *other = &g_array_index (self->result->findings, WeirAuditFinding, i);

      if (other->entry.i == entry.i && other->severity == WEIR_SEVERITY_ERROR)
        return TRUE;
    }
  return FALSE;
}

static char *
propose (const WeirAuditFinding *finding, gboolean is_own)
{
  switch (finding->kind)
    {
    case WEIR_AUDIT_UNDECLARED:
      return is_own
                 ? g_strdup_printf (_ ("declare %s as a prerequisite of %s"), finding->ticket_name,
                                    finding->what)
                 : g_strdup_printf (_ ("lead %s to the block through an input and declare that as "
                                       "a prerequisite of %s"),
                                    finding->ticket_name, finding->what);
    case WEIR_AUDIT_KEEPS_MEMORY:
      return g_strdup (_ ("keep in declared state what has to last between calls"));
    case WEIR_AUDIT_MISREADS:
      return g_strdup (_ ("use the handles that the builder gave for this very block"));
    case WEIR_AUDIT_MISWRITES:
      return g_strdup (_ ("write every element of the result, and nothing else"));
    case WEIR_AUDIT_OUTSIDE_PATTERN:
      return g_strdup (_ ("let its pattern name all elements that it depends on"));
    case WEIR_AUDIT_WRONG_SLOPE:
      return g_strdup (_ ("mend the calculation of the slopes"));
    case WEIR_AUDIT_WRITES_SOURCE:
      if (finding->event != WEIR_NO_INDEX)
        return g_strdup (_ ("let it write into what it is given for its result only"));
      return g_strdup_printf (
          _ ("let %s write its own value only, and change sources in event handlers"),
          finding->what);
    case WEIR_AUDIT_SUPERFLUOUS:
    default:
      return g_strdup_printf (_ ("leave %s out of the prerequisites of %s"), finding->ticket_name,
                              finding->what);
    }
}

WeirTicket
weir_audit_find_named (const WeirAudit *self, const char *name, WeirNode *node)
{
  for (guint s = 0; s < self->sources->len; s++)
    {
      const WeirSourceInfo *source = &g_array_index (self->sources, WeirSourceInfo, s);
      g_autofree char *own = weir_source_info_dup_name (self->layout, source);

      if (!source->is_input && g_str_equal (own, name))
        {
          *node = source->node;
          return source->ticket;
        }
    }
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      g_autofree char *own = weir_layout_dup_entry_path (self->layout, (WeirEntry) { e });

      if (g_str_equal (own, name))
        {
          *node = weir_layout_get_entry (self->layout, (WeirEntry) { e }).node;
          return weir_layout_get_entry_ticket (self->layout, (WeirEntry) { e });
        }
    }
  g_assert_not_reached ();
}

/* @own: the block that it is about. */
static WeirAuditFinding *
add (WeirAudit *self, WeirAuditFinding finding, WeirNode own)
{
  gboolean is_own = finding.node.i == own.i;

  finding.severity = kinds[finding.kind].severity;
  finding.code = kinds[finding.kind].code;
  finding.path = weir_layout_dup_path (self->layout, own);
  if (finding.ticket.i != WEIR_TICKET_NOTHING)
    {
      g_autofree char *label = weir_layout_describe_ticket (self->layout, finding.node,
                                                            finding.ticket);
      g_autofree char *path = weir_layout_dup_path (self->layout, finding.node);

      finding.ticket_name = is_own || *path == '\0' ? g_steal_pointer (&label)
                                                    : g_strconcat (path, ": ", label, NULL);
    }
  finding.proposal = propose (&finding, is_own);
  g_array_append_val (self->result->findings, finding);
  return &g_array_index (self->result->findings, WeirAuditFinding, self->result->findings->len - 1);
}

WeirAuditFinding *
weir_audit_add (WeirAudit *self, WeirAuditKind kind, WeirEntry entry, WeirNode node,
                WeirTicket ticket)
{
  WeirAuditFinding finding = { .kind = kind,
                               .entry = entry,
                               .event = WEIR_NO_INDEX,
                               .what = dup_entry_label (self->layout, entry),
                               .node = node,
                               .ticket = ticket };

  return add (self, finding, weir_layout_get_entry (self->layout, entry).node);
}

WeirAuditFinding *
weir_audit_add_handler (WeirAudit *self, WeirAuditKind kind, guint event, WeirNode node,
                        WeirTicket ticket)
{
  WeirDeclaredEvent declared = weir_system_get_event (self->root, event);
  WeirAuditFinding finding = { .kind = kind,
                               .entry = { WEIR_NO_INDEX },
                               .event = event,
                               .what = dup_handler_label (self, &declared),
                               .node = node,
                               .ticket = ticket };

  return add (self, finding, declared.node);
}

WeirAuditFinding *
weir_audit_find_handler (WeirAudit *self, WeirAuditKind kind, guint event)
{
  for (guint i = 0; i < self->result->findings->len; i++)
    {
      WeirAuditFinding *other = &g_array_index (self->result->findings, WeirAuditFinding, i);

      if (other->kind == kind && other->event == event)
        return other;
    }
  return NULL;
}

void
weir_audit_list_misuses (WeirAudit *self)
{
  const GArray *misuses = weir_observer_get_misuses (self->observer);

  for (guint i = 0; i < misuses->len; i++)
    {
      const WeirMisuse *misuse = &g_array_index (misuses, WeirMisuse, i);
      WeirAuditKind kind = misuse->kind == WEIR_MISUSE_READ ? WEIR_AUDIT_MISREADS
                                                            : WEIR_AUDIT_MISWRITES;
      WeirAuditFinding *finding = misuse->entry.i == WEIR_NO_INDEX
                                      ? weir_audit_add_handler (self, kind, misuse->event,
                                                                misuse->node, WEIR_NOTHING)
                                      : weir_audit_add (self, kind, misuse->entry, misuse->node,
                                                        WEIR_NOTHING);

      finding->is_observed = TRUE;
      finding->source = weir_message_translate (misuse->text);
    }
}

static void
finding_clear (gpointer data)
{
  WeirAuditFinding *self = data;

  g_free (self->path);
  g_free (self->what);
  g_free (self->ticket_name);
  g_free (self->source);
  g_free (self->before);
  g_free (self->after);
  g_free (self->cached);
  g_free (self->recomputed);
  g_clear_pointer (&self->used, g_array_unref);
  g_free (self->proposal);
}

static int
compare_findings (gconstpointer a, gconstpointer b)
{
  const WeirAuditFinding *x = a, *y = b;

  if (x->severity != y->severity)
    return (int) y->severity - (int) x->severity;
  if (x->entry.i != y->entry.i)
    return x->entry.i < y->entry.i ? -1 : 1;
  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;
  if (x->kind != y->kind)
    return (int) x->kind - (int) y->kind;
  return (int) x->ticket.i - (int) y->ticket.i;
}

void
weir_audit_result_init (WeirAuditResult *self)
{
  *self = (WeirAuditResult) { .findings = g_array_new (FALSE, FALSE, sizeof (WeirAuditFinding)) };
  g_array_set_clear_func (self->findings, finding_clear);
}

void
weir_audit_result_finish (WeirAuditResult *self)
{
  g_array_sort (self->findings, compare_findings);
  for (guint i = 0; i < self->findings->len; i++)
    if (g_array_index (self->findings, WeirAuditFinding, i).severity == WEIR_SEVERITY_ERROR)
      self->n_errors++;
    else
      self->n_hints++;
}

void
weir_audit_result_clear (WeirAuditResult *result)
{
  g_clear_pointer (&result->findings, g_array_unref);
  g_clear_pointer (&result->failure, g_free);
}

const WeirAuditFinding *
weir_audit_result_get (const WeirAuditResult *result, guint i)
{
  return i < result->findings->len ? &g_array_index (result->findings, WeirAuditFinding, i) : NULL;
}

/* --- Text ------------------------------------------------------------------------------------ */

#define COUNT_SIZE 24 /* bytes: of any guint64 in decimal digits */

static void
append_example (GString *text, const WeirAuditFinding *finding)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (
      text,
      finding->is_varied
          ? _ (" (at t = %s with all sources varied, %s changed from %s to %s: cached %s, "
               "recomputed %s")
          : _ (" (at t = %s, %s changed from %s to %s: cached %s, recomputed %s"),
      weir_number_to_text (finding->time, time), finding->source, finding->before, finding->after,
      finding->cached, finding->recomputed);
  if (finding->n_more > 0)
    g_string_append_printf (text, _ ("; %u more like it"), finding->n_more);
  g_string_append_c (text, ')');
}

char *
weir_audit_finding_to_string (const WeirAuditFinding *finding)
{
  GString *text = g_string_new (NULL);
  char count[COUNT_SIZE];

  switch (finding->kind)
    {
    case WEIR_AUDIT_UNDECLARED:
      g_string_append_printf (text,
                              finding->is_observed
                                  ? _ ("%s reads %s, which it does not declare")
                                  : _ ("%s depends on %s, which it does not declare"),
                              finding->what, finding->ticket_name);
      if (finding->is_proven)
        append_example (text, finding);
      else
        g_string_append (text, _ (" (no change that was tried left a wrong value)"));
      break;
    case WEIR_AUDIT_MISREADS:
    case WEIR_AUDIT_MISWRITES:
      g_string_append_printf (text, "%s %s", finding->what, finding->source);
      break;
    case WEIR_AUDIT_OUTSIDE_PATTERN:
      g_string_append_printf (text,
                              _ ("element %s of %s changes with %s, which its pattern leaves out"),
                              finding->before, finding->what, finding->source);
      break;
    case WEIR_AUDIT_WRONG_SLOPE:
      g_string_append_printf (text,
                              _ ("the slopes of element %s of %s are wrong: by them a small change "
                                 "of %s makes %s, but it makes %s"),
                              finding->before, finding->what, finding->source, finding->cached,
                              finding->recomputed);
      break;
    case WEIR_AUDIT_KEEPS_MEMORY:
      if (finding->event != WEIR_NO_INDEX && finding->source != NULL)
        {
          g_string_append_printf (text,
                                  _ ("%s keeps memory that %s reads: with no source changed that "
                                     "gave %s before the call, then %s"),
                                  finding->what, finding->source, finding->cached,
                                  finding->recomputed);
          break;
        }
      g_string_append_printf (
          text, _ ("%s keeps memory between calls: from the same sources it gave %s, then %s"),
          finding->what, finding->cached, finding->recomputed);
      if (finding->source != NULL)
        g_string_append_printf (text, _ (", after %s had been %s for a while"), finding->source,
                                finding->after);
      break;
    case WEIR_AUDIT_WRITES_SOURCE:
      g_string_append_printf (text,
                              finding->event != WEIR_NO_INDEX
                                  ? _ ("%s changes %s while it is called")
                                  : _ ("%s changes %s while it is calculated"),
                              finding->what, finding->ticket_name);
      break;
    case WEIR_AUDIT_SUPERFLUOUS:
    default:
      if (finding->source != NULL)
        g_string_append_printf (text, _ ("%s declares %s but never reads %s"), finding->what,
                                finding->ticket_name, finding->source);
      else
        g_string_append_printf (text, _ ("%s declares %s but never reads it"), finding->what,
                                finding->ticket_name);
      g_snprintf (count, sizeof count, "%" G_GUINT64_FORMAT, finding->cost);
      g_string_append_printf (text,
                              weir_translate_count ("; %s calculation in this run for nothing",
                                                    "; %s calculations in this run for nothing",
                                                    (gulong) finding->cost),
                              count);
      break;
    }
  g_string_append_printf (text, "; %s", finding->proposal);
  return g_string_free (text, FALSE);
}

void
weir_audit_result_list (const WeirAuditResult *result, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < result->findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (result->findings, WeirAuditFinding, i);
      g_autofree char *text = weir_audit_finding_to_string (finding);

      weir_diagnostics_add (diagnostics, finding->severity, finding->code, finding->path, 0, 0, 0,
                            "%s", text);
    }
}

char *
weir_audit_result_to_string (const WeirAuditResult *result)
{
  GString *text = g_string_new (NULL);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, result->n_calculations);

  if (result->n_errors == 0)
    g_string_append (text, _ ("declarations hold"));
  else
    g_string_append_printf (text, weir_translate_count ("%u error", "%u errors", result->n_errors),
                            result->n_errors);
  if (result->n_hints > 0)
    g_string_append_printf (text, weir_translate_count (", %u hint", ", %u hints", result->n_hints),
                            result->n_hints);
  g_string_append_printf (text, _ ("; %u entries, %u sources, %u instants, %s values compared"),
                          result->n_entries, result->n_sources, result->n_instants, count);
  if (result->n_failed > 0)
    g_string_append_printf (text, _ ("; %u could never be computed"), result->n_failed);
  if (result->failure != NULL)
    g_string_append_printf (text, _ ("; the run failed: %s"), result->failure);
  if (!result->is_exhaustive)
    g_string_append (text, _ ("; each source on nearby entries only"));
  return g_string_free (text, FALSE);
}
