/* The findings of an audit and their text. See audit.h. */
#include "analysis/audit-private.h"

#include "base/number.h"
#include "base/text.h"

static const struct {
  const char *code;
  WeirSeverity severity;
} kinds[] = {
  [WEIR_AUDIT_UNDECLARED] = { "AUD01", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_KEEPS_MEMORY] = { "AUD02", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_WRITES_SOURCE] = { "AUD03", WEIR_SEVERITY_ERROR },
  [WEIR_AUDIT_SUPERFLUOUS] = { "AUD04", WEIR_SEVERITY_HINT },
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

WeirAuditFinding *
weir_audit_find (WeirAudit *self, WeirAuditKind kind, WeirEntry entry, WeirNode node,
                 WeirTicket ticket)
{
  WeirNode own = weir_layout_get_entry (self->layout, entry).node;

  for (guint i = 0; i < self->result->findings->len; i++)
    {
      WeirAuditFinding *other = &g_array_index (self->result->findings, WeirAuditFinding, i);

      if (other->kind == kind && other->entry.i == entry.i
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
    case WEIR_AUDIT_WRITES_SOURCE:
      return g_strdup_printf (
          _ ("let %s write its own value only, and change sources in event handlers"),
          finding->what);
    case WEIR_AUDIT_SUPERFLUOUS:
    default:
      return g_strdup_printf (_ ("leave %s out of the prerequisites of %s"), finding->ticket_name,
                              finding->what);
    }
}

WeirAuditFinding *
weir_audit_add (WeirAudit *self, WeirAuditKind kind, WeirEntry entry, WeirNode node,
                WeirTicket ticket)
{
  WeirNode own = weir_layout_get_entry (self->layout, entry).node;
  gboolean is_own = node.i == own.i;
  WeirAuditFinding finding = {
    .kind = kind,
    .severity = kinds[kind].severity,
    .code = kinds[kind].code,
    .entry = entry,
    .path = weir_layout_dup_path (self->layout, own),
    .what = dup_entry_label (self->layout, entry),
    .node = node,
    .ticket = ticket,
  };

  if (ticket.i != WEIR_TICKET_NOTHING)
    {
      g_autofree char *label = weir_layout_describe_ticket (self->layout, node, ticket);
      g_autofree char *path = weir_layout_dup_path (self->layout, node);

      finding.ticket_name = is_own ? g_steal_pointer (&label)
                                   : g_strconcat (path, ": ", label, NULL);
    }
  finding.proposal = propose (&finding, is_own);
  g_array_append_val (self->result->findings, finding);
  return &g_array_index (self->result->findings, WeirAuditFinding, self->result->findings->len - 1);
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
    case WEIR_AUDIT_KEEPS_MEMORY:
      g_string_append_printf (
          text, _ ("%s keeps memory between calls: from the same sources it gave %s, then %s"),
          finding->what, finding->cached, finding->recomputed);
      if (finding->source != NULL)
        g_string_append_printf (text, _ (", after %s had been %s for a while"), finding->source,
                                finding->after);
      break;
    case WEIR_AUDIT_WRITES_SOURCE:
      g_string_append_printf (text, _ ("%s changes %s while it is calculated"), finding->what,
                              finding->ticket_name);
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
  char count[COUNT_SIZE];

  g_snprintf (count, sizeof count, "%" G_GUINT64_FORMAT, result->n_calculations);
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
  if (!result->is_exhaustive)
    g_string_append (text, _ ("; each source on nearby entries only"));
  return g_string_free (text, FALSE);
}
