/* terminalsAndIcons.xml: which variables of an FMU are connected together, and how. A layered file
 * of 3.0 that some tools add to 2.0 too. Pictures in it are passed over.
 */
#include "fmi/description-private.h"

#include <string.h>

typedef struct {
  WeirFmuReading *r;
  WeirXml *xml;
  GArray *terminals;  /* of WeirFmuTerminal */
  GPtrArray *members; /* of each: GArray of WeirFmuTerminalMember */
  guint open;         /* the terminal that is open, or WEIR_FMU_NONE */
  guint n_skipped, depth;
} Reading;

#define TERMINAL(t, i) (&g_array_index ((t)->terminals, WeirFmuTerminal, i))

static const char *
read_text (Reading *t, const char *attribute)
{
  return weir_fmu_keep_text (t->r, weir_xml_get_attribute (t->xml, attribute));
}

static void
start_terminal (Reading *t)
{
  WeirFmuTerminal terminal = { .name = read_text (t, "name"),
                               .matching_rule = read_text (t, "matchingRule"),
                               .kind = read_text (t, "terminalKind"),
                               .description = read_text (t, "description"),
                               .parent = t->open,
                               .line = weir_xml_get_line (t->xml) };

  if (terminal.name == NULL || terminal.matching_rule == NULL)
    weir_fmu_warn_of (t->r, "FMU24", terminal.name, terminal.line,
                      "A terminal needs a name and a matching rule.");
  terminal.name = terminal.name != NULL ? terminal.name : "";
  terminal.matching_rule = terminal.matching_rule != NULL ? terminal.matching_rule : "";
  g_array_append_val (t->terminals, terminal);
  g_ptr_array_add (t->members, g_array_new (FALSE, FALSE, sizeof (WeirFmuTerminalMember)));
  t->open = t->terminals->len - 1;
}

static void
add_member (Reading *t, const char *variable, const char *name, const char *kind)
{
  const char *text = weir_xml_get_attribute (t->xml, variable);
  WeirFmuTerminalMember member = { .name = read_text (t, name), .kind = kind };

  member.variable = text != NULL ? weir_fmu_description_find (t->r->d, text) : WEIR_FMU_NONE;
  if (member.variable != WEIR_FMU_NONE)
    g_array_append_val ((GArray *) g_ptr_array_index (t->members, t->open), member);
  else
    weir_fmu_warn_of (t->r, "FMU24", TERMINAL (t, t->open)->name, weir_xml_get_line (t->xml),
                      "The variable \"%s\" of the terminal does not exist.",
                      text != NULL ? text : "");
}

static gboolean
start_known (Reading *t, const char *name)
{
  if (t->depth == 0)
    return strcmp (name, "fmiTerminalsAndIcons") == 0;
  if (t->depth == 1)
    return strcmp (name, "Terminals") == 0;
  if (strcmp (name, "Terminal") == 0)
    start_terminal (t);
  else if (t->open != WEIR_FMU_NONE && strcmp (name, "TerminalMemberVariable") == 0)
    {
      const char *kind = read_text (t, "variableKind");

      add_member (t, "variableName", "memberName", kind != NULL ? kind : "signal");
    }
  else if (t->open != WEIR_FMU_NONE && strcmp (name, "TerminalStreamMemberVariable") == 0)
    {
      add_member (t, "inStreamVariableName", "inStreamMemberName", "inStream");
      add_member (t, "outStreamVariableName", "outStreamMemberName", "outStream");
    }
  else
    return FALSE;
  return TRUE;
}

static void
note_start (gpointer data, const char *name, const char *uri,
            G_GNUC_UNUSED const char *const *attributes, G_GNUC_UNUSED guint n_attributes)
{
  Reading *t = data;

  if (t->n_skipped > 0 || uri != NULL || !start_known (t, name))
    t->n_skipped++;
  else
    t->depth++;
}

static void
note_end (gpointer data, const char *name)
{
  Reading *t = data;

  if (t->n_skipped > 0)
    {
      t->n_skipped--;
      return;
    }
  t->depth--;
  if (strcmp (name, "Terminal") == 0 && t->open != WEIR_FMU_NONE)
    t->open = TERMINAL (t, t->open)->parent;
}

void
weir_fmu_read_terminals (WeirFmuReading *r, GBytes *bytes)
{
  static const WeirXmlHandlers handlers = { note_start, note_end, NULL, NULL };
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  Reading t = { .r = r, .open = WEIR_FMU_NONE };
  WeirXml xml = {
    .handlers = &handlers, .data = &t, .stream = stream, .limit = WEIR_FMU_MAX_DESCRIPTION
  };

  t.xml = &xml;
  t.terminals = g_array_new (FALSE, FALSE, sizeof (WeirFmuTerminal));
  t.members = g_ptr_array_new ();
  if (!weir_xml_read (&xml))
    weir_fmu_warn_of (r, "FMU24", NULL, xml.line, "%s", weir_message_get_text (xml.sentence));
  weir_xml_clear (&xml);
  for (guint i = 0; i < t.terminals->len; i++)
    TERMINAL (&t, i)->members = weir_fmu_keep_array (r, g_ptr_array_index (t.members, i),
                                                     &TERMINAL (&t, i)->n_members);
  g_ptr_array_unref (t.members);
  r->d->terminals = weir_fmu_keep_array (r, t.terminals, &r->d->n_terminals);
}
