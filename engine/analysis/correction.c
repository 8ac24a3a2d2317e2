/* Corrected declarations, and the run that proves them. See correction.h. */
#include "analysis/correction.h"

#include <string.h>

#include "system/layout/redeclare.h"
#include "system/layout/sources.h"

static void
correction_clear (gpointer data)
{
  WeirCorrection *self = data;

  g_free (self->path);
  g_array_unref (self->tickets);
  g_free (self->declared);
  g_free (self->corrected);
  g_free (self->code);
}

/* --- Lists of tickets ------------------------------------------------------------------------ */

static gboolean
has_ticket (const GArray *tickets, guint16 ticket)
{
  for (guint i = 0; i < tickets->len; i++)
    if (g_array_index (tickets, guint16, i) == ticket)
      return TRUE;
  return FALSE;
}

static void
add_ticket (GArray *tickets, guint16 ticket)
{
  if (!has_ticket (tickets, ticket))
    g_array_append_val (tickets, ticket);
}

static GArray *
list_declared (const WeirLayout *layout, WeirEntry entry)
{
  GArray *tickets = g_array_new (FALSE, FALSE, sizeof (guint16));
  const guint16 *declared;
  guint n = weir_layout_get_declared (layout, entry, &declared);

  g_array_append_vals (tickets, declared, n);
  return tickets;
}

/* Without @finding's ticket, but with what of it was read. */
static void
leave_out (GArray *tickets, const WeirAuditFinding *finding)
{
  for (guint i = tickets->len; i-- > 0;)
    if (g_array_index (tickets, guint16, i) == finding->ticket.i)
      g_array_remove_index (tickets, i);
  for (guint i = 0; finding->used != NULL && i < finding->used->len; i++)
    add_ticket (tickets, g_array_index (finding->used, guint16, i));
}

/* An entry says that it depends on nothing, or on something. */
static void
settle_nothing (GArray *tickets)
{
  const guint16 nothing = WEIR_TICKET_NOTHING;

  for (guint i = tickets->len; i-- > 0 && tickets->len > 1;)
    if (g_array_index (tickets, guint16, i) == nothing)
      g_array_remove_index (tickets, i);
  if (tickets->len == 0)
    g_array_append_val (tickets, nothing);
}

/* --- As text --------------------------------------------------------------------------------- */

static char *
dup_labels (const WeirLayout *layout, WeirNode node, const GArray *tickets)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < tickets->len; i++)
    {
      g_autofree char *label = weir_layout_describe_ticket (
          layout, node, (WeirTicket) { g_array_index (tickets, guint16, i) });

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  return g_string_free (text, FALSE);
}

static const char *
built_in_code (guint16 ticket)
{
  WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);
  static const char *const names[WEIR_N_BUILT_IN_TICKETS] = {
    [WEIR_TICKET_NOTHING] = "WEIR_NOTHING",
    [WEIR_TICKET_TIME] = "WEIR_TIME",
    [WEIR_TICKET_ACCURACY] = "WEIR_ACCURACY",
    [WEIR_TICKET_Q] = "WEIR_Q",
    [WEIR_TICKET_V] = "WEIR_V",
    [WEIR_TICKET_Z] = "WEIR_Z",
    [WEIR_TICKET_XC] = "WEIR_XC",
    [WEIR_TICKET_XD] = "WEIR_XD",
    [WEIR_TICKET_XA] = "WEIR_XA",
    [WEIR_TICKET_ALL_STATE] = "WEIR_ALL_STATE",
    [WEIR_TICKET_PN] = "WEIR_PN",
    [WEIR_TICKET_PA] = "WEIR_PA",
    [WEIR_TICKET_ALL_PARAMETERS] = "WEIR_ALL_PARAMETERS",
    [WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS] = "WEIR_ALL_SOURCES_EXCEPT_INPUTS",
    [WEIR_TICKET_ALL_INPUTS] = "WEIR_ALL_INPUTS",
    [WEIR_TICKET_ALL_SOURCES] = "WEIR_ALL_SOURCES",
    [WEIR_TICKET_CONFIGURATION] = "WEIR_CONFIGURATION",
    [WEIR_TICKET_KINEMATICS] = "WEIR_KINEMATICS",
    [WEIR_TICKET_XCDOT] = "WEIR_XCDOT",
    [WEIR_TICKET_PE] = "WEIR_PE",
    [WEIR_TICKET_KE] = "WEIR_KE",
    [WEIR_TICKET_PC] = "WEIR_PC",
    [WEIR_TICKET_PNC] = "WEIR_PNC",
    [WEIR_TICKET_XD_UPDATE] = "WEIR_XD_UPDATE",
  };

  return ticket < WEIR_N_BUILT_IN_TICKETS ? names[ticket] : NULL;
}

/* "weir_input_ticket (b, in1)": a label says what kind of thing a ticket is, then its name. */
static char *
dup_ticket_code (const WeirLayout *layout, WeirNode node, guint16 ticket)
{
  static const struct {
    const char *kind, *function;
  } kinds[] = {
    { "input ", "weir_input_ticket" },
    { "parameter ", "weir_parameter_ticket" },
    { "abstract parameter ", "weir_parameter_ticket" },
    { "cache entry ", "weir_cached_ticket" },
    { "discrete state ", "weir_group_ticket" },
    { "abstract state ", "weir_group_ticket" },
    { "output ", "weir_output_ticket" },
  };
  g_autofree char *label = NULL;

  if (built_in_code (ticket) != NULL)
    return g_strdup (built_in_code (ticket));
  label = weir_layout_dup_ticket_label (layout, node, (WeirTicket) { ticket });
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (label, kinds[i].kind))
      return g_strdup_printf ("%s (b, %s)", kinds[i].function, label + strlen (kinds[i].kind));
  return g_steal_pointer (&label);
}

static char *
dup_code (const WeirLayout *layout, WeirNode node, const GArray *tickets)
{
  GString *text = g_string_new ("WEIR_DEPENDS (");

  for (guint i = 0; i < tickets->len; i++)
    {
      g_autofree char *code = dup_ticket_code (layout, node, g_array_index (tickets, guint16, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", code);
    }
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* --- Corrections ----------------------------------------------------------------------------- */

static WeirCorrection *
find_correction (GArray *corrections, const WeirLayout *layout, WeirEntry entry)
{
  WeirCorrection new = { .entry = entry };

  for (guint i = 0; i < corrections->len; i++)
    if (g_array_index (corrections, WeirCorrection, i).entry.i == entry.i)
      return &g_array_index (corrections, WeirCorrection, i);
  new.path = weir_layout_dup_entry_path (layout, entry);
  new.tickets = list_declared (layout, entry);
  g_array_append_val (corrections, new);
  return &g_array_index (corrections, WeirCorrection, corrections->len - 1);
}

static int
compare_corrections (gconstpointer a, gconstpointer b)
{
  guint32 x = ((const WeirCorrection *) a)->entry.i, y = ((const WeirCorrection *) b)->entry.i;

  return x < y ? -1 : x > y;
}

GArray *
weir_list_corrections (WeirSystem *root, const WeirAuditResult *audit)
{
  WeirLayout *layout = weir_system_get_layout (root);
  GArray *corrections = g_array_new (FALSE, TRUE, sizeof (WeirCorrection));

  g_array_set_clear_func (corrections, correction_clear);
  for (guint i = 0; i < audit->findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (audit->findings, WeirAuditFinding, i);
      WeirCorrection *correction;

      if ((finding->kind != WEIR_AUDIT_UNDECLARED && finding->kind != WEIR_AUDIT_SUPERFLUOUS)
          || finding->node.i != weir_layout_get_entry (layout, finding->entry).node.i)
        continue;
      correction = find_correction (corrections, layout, finding->entry);
      if (finding->kind == WEIR_AUDIT_SUPERFLUOUS)
        leave_out (correction->tickets, finding);
      else
        {
          add_ticket (correction->tickets, finding->ticket.i);
          correction->adds = TRUE;
        }
    }
  for (guint i = 0; i < corrections->len; i++)
    {
      WeirCorrection *correction = &g_array_index (corrections, WeirCorrection, i);
      WeirNode node = weir_layout_get_entry (layout, correction->entry).node;
      g_autoptr (GArray) declared = list_declared (layout, correction->entry);

      settle_nothing (correction->tickets);
      correction->declared = dup_labels (layout, node, declared);
      correction->corrected = dup_labels (layout, node, correction->tickets);
      correction->code = dup_code (layout, node, correction->tickets);
    }
  g_array_sort (corrections, compare_corrections);
  return corrections;
}

/* --- The proof ------------------------------------------------------------------------------- */

gboolean
weir_confirm_corrections (WeirSystem *root, const GArray *corrections,
                          const WeirSimulatorOptions *options, double stop_time, gint *cancel,
                          WeirConfirmation *result, GError **error)
{
  g_autofree WeirRedeclaration *changes = g_new0 (WeirRedeclaration, MAX (corrections->len, 1));
  g_autoptr (WeirSystem) copy = NULL;

  *result = (WeirConfirmation) { 0 };
  for (guint i = 0; i < corrections->len; i++)
    {
      const WeirCorrection *correction = &g_array_index (corrections, WeirCorrection, i);

      changes[i] = (WeirRedeclaration) { correction->entry,
                                         (const guint16 *) (const void *) correction->tickets->data,
                                         correction->tickets->len };
    }
  copy = weir_system_redeclare (root, changes, corrections->len, error);
  if (copy == NULL || !weir_verify (root, options, stop_time, cancel, &result->before, error))
    return FALSE;
  if (!weir_verify (copy, options, stop_time, cancel, &result->after, error))
    {
      weir_verify_result_clear (&result->before);
      return FALSE;
    }
  result->calculations_before = result->before.cached_calculations;
  result->calculations_after = result->after.cached_calculations;
  return TRUE;
}

void
weir_confirmation_clear (WeirConfirmation *self)
{
  weir_verify_result_clear (&self->before);
  weir_verify_result_clear (&self->after);
}
