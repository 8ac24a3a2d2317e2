/* The sources of a tree one by one, and what is declared about them. See sources.h. */
#include "system/layout/sources.h"

#include <string.h>

#include "base/phrase.h"

#include "base/text.h"
#include "system/layout/layout-private.h"

WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);
const char *const weir_joint_source_names[WEIR_N_JOINT_SOURCES] = {
  [WEIR_SOURCE_TIME] = N_ ("time"),
  [WEIR_SOURCE_ACCURACY] = N_ ("accuracy"),
  [WEIR_SOURCE_STATE] = N_ ("state"),
  [WEIR_SOURCE_Q] = "q",
  [WEIR_SOURCE_VZ] = N_ ("v and z"),
  [WEIR_SOURCE_TIME_Q] = N_ ("time and q"),
  [WEIR_SOURCE_TIME_STATE] = N_ ("time and state"),
  [WEIR_SOURCE_ALL] = N_ ("everything"),
};

/* --- Listing --------------------------------------------------------------------------------- */

static void
add_vectors (GArray *sources, guint32 node, const GArray *decls, gboolean is_input)
{
  for (guint i = 0; i < decls->len; i++)
    {
      const WeirVectorDecl *decl = &g_array_index (decls, WeirVectorDecl, i);
      WeirSourceInfo info = { .node = { node },
                              .ticket = { decl->ticket },
                              .size = decl->size,
                              .type = decl->type,
                              .is_input = is_input,
                              .index = i };

      g_array_append_val (sources, info);
    }
}

GArray *
weir_layout_list_sources (const WeirLayout *self)
{
  GArray *sources = g_array_new (FALSE, FALSE, sizeof (WeirSourceInfo));
  WeirSourceInfo info = { .node = WEIR_ROOT, .size = 1 };

  for (info.ticket = WEIR_TIME; weir_ticket_is_common (info.ticket); info.ticket.i++)
    g_array_append_val (sources, info);
  for (guint32 n = 0; n < self->n_nodes; n++)
    {
      const WeirShape *shape = self->nodes[n].shape;
      const guint32 sizes[3] = { shape->nq, shape->nv, shape->nz };
      guint32 offset = 0;

      if (shape->is_diagram)
        continue;
      for (guint16 part = 0; part < 3; offset += sizes[part++])
        if (sizes[part] > 0)
          {
            info = (WeirSourceInfo) { .node = { n },
                                      .ticket = { (guint16) (WEIR_TICKET_Q + part) },
                                      .size = sizes[part],
                                      .index = offset };
            g_array_append_val (sources, info);
          }
      add_vectors (sources, n, shape->groups, FALSE);
      add_vectors (sources, n, shape->parameters, FALSE);
      add_vectors (sources, n, shape->inputs, TRUE);
    }
  return sources;
}

char *
weir_source_info_dup_name (const WeirLayout *self, const WeirSourceInfo *source)
{
  g_autofree char *path = weir_layout_dup_path (self, source->node);
  g_autofree char *label = weir_layout_dup_ticket_label (self, source->node, source->ticket);

  return *path == '\0' ? g_steal_pointer (&label) : g_strconcat (path, ": ", label, NULL);
}

/* --- Declarations ---------------------------------------------------------------------------- */

guint
weir_layout_get_n_tickets (const WeirLayout *self, WeirNode node)
{
  return self->nodes[node.i].shape->items->len;
}

char *
weir_layout_dup_ticket_label (const WeirLayout *self, WeirNode node, WeirTicket ticket)
{
  const WeirShape *shape = self->nodes[node.i].shape;
  WeirItem item = weir_shape_item (shape, ticket.i);

  if (item.kind == WEIR_ITEM_INPUT)
    return g_strconcat ("input ", weir_shape_input (shape, item.index)->name, NULL);
  if (item.kind == WEIR_ITEM_OUTPUT)
    return g_strconcat ("output ", weir_shape_output (shape, item.index)->name, NULL);
  if (item.kind == WEIR_ITEM_ENTRY)
    return g_strconcat ("cache entry ", weir_shape_entry (shape, item.index)->name, NULL);
  if (ticket.i == WEIR_TICKET_TIME)
    return g_strdup ("time");
  return weir_shape_dup_ticket_name (shape, ticket.i);
}

WeirMessage *
weir_label_describe (const char *label)
{
  static const struct {
    const char *prefix, *text;
  } kinds[] = {
    { "input ", N_ ("input %s") },
    { "output ", N_ ("output %s") },
    { "cache entry ", N_ ("cache entry %s") },
    { "cache ", N_ ("cache %s") },
    { "parameter ", N_ ("parameter %s") },
    { "abstract parameter ", N_ ("abstract parameter %s") },
    { "discrete state ", N_ ("discrete state %s") },
    { "abstract state ", N_ ("abstract state %s") },
    { "fixed input ", N_ ("fixed input %s") },
  };
  static const char *const others[] = {
    N_ ("time derivatives"), N_ ("all sources"), N_ ("all sources except input ports"),
    N_ ("configuration"),    N_ ("kinematics"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (label, kinds[i].prefix))
      {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        return weir_message_new (kinds[i].text, label + strlen (kinds[i].prefix));
#pragma GCC diagnostic pop
      }
  for (guint i = 0; i < WEIR_N_JOINT_SOURCES; i++)
    if (g_str_equal (label, weir_joint_source_names[i]))
      return weir_message_new ("%s", weir_phrase (weir_joint_source_names[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (label, others[i]))
      return weir_message_new ("%s", weir_phrase (others[i]));
  return weir_message_new_literal (label);
}

char *
weir_label_translate (const char *label)
{
  g_autoptr (WeirMessage) message = weir_label_describe (label);

  return weir_message_translate (message);
}

char *
weir_layout_describe_ticket (const WeirLayout *self, WeirNode node, WeirTicket ticket)
{
  g_autofree char *label = weir_layout_dup_ticket_label (self, node, ticket);

  return weir_label_translate (label);
}

WeirTicket
weir_layout_get_entry_ticket (const WeirLayout *self, WeirEntry entry)
{
  return (WeirTicket) { weir_layout_decl (self, entry.i)->ticket };
}

guint
weir_layout_get_declared (const WeirLayout *self, WeirEntry entry, const guint16 **tickets)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  *tickets = decl->depends;
  return decl->n_depends;
}

guint
weir_layout_get_primary (const WeirLayout *self, WeirEntry entry, const guint16 **tickets)
{
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i);

  *tickets = decl->primary;
  return decl->n_primary;
}

gboolean
weir_layout_stands_for (const WeirLayout *self, WeirNode node, WeirTicket ticket,
                        WeirTicket primary)
{
  const WeirShape *shape = self->nodes[node.i].shape;
  WeirItem item = weir_shape_item (shape, primary.i);
  const guint16 *parts;

  if (ticket.i == primary.i)
    return TRUE;
  if (weir_shape_item (shape, ticket.i).kind == WEIR_ITEM_OUTPUT && !shape->is_diagram)
    return weir_layout_stands_for (
        self, node,
        (WeirTicket) { weir_shape_output (shape, weir_shape_item (shape, ticket.i).index)->shown },
        primary);
  if (ticket.i >= WEIR_N_BUILT_IN_TICKETS)
    return FALSE;
  switch (ticket.i)
    {
    case WEIR_TICKET_XD:
      return item.kind == WEIR_ITEM_GROUP && weir_shape_group (shape, item.index)->type == NULL;
    case WEIR_TICKET_XA:
      return item.kind == WEIR_ITEM_GROUP && weir_shape_group (shape, item.index)->type != NULL;
    case WEIR_TICKET_PN:
      return item.kind == WEIR_ITEM_PARAMETER
             && weir_shape_parameter (shape, item.index)->type == NULL;
    case WEIR_TICKET_PA:
      return item.kind == WEIR_ITEM_PARAMETER
             && weir_shape_parameter (shape, item.index)->type != NULL;
    case WEIR_TICKET_ALL_INPUTS:
      return item.kind == WEIR_ITEM_INPUT;
    default:
      break;
    }
  parts = weir_composite_prerequisites (ticket.i);
  for (; parts != NULL && *parts != WEIR_TICKET_END; parts++)
    if (weir_layout_stands_for (self, node, (WeirTicket) { *parts }, primary))
      return TRUE;
  return FALSE;
}

/* Prerequisites precede their entries in a leaf, so this ends. */
static gboolean
reaches (const WeirShape *shape, const WeirEntryDecl *decl, guint16 ticket)
{
  for (guint k = 0; k < decl->n_primary; k++)
    {
      int local = weir_shape_find_entry (shape, decl->primary[k]);

      if (decl->primary[k] == ticket
          || (local >= 0 && weir_shape_entry (shape, (guint) local) != decl
              && reaches (shape, weir_shape_entry (shape, (guint) local), ticket)))
        return TRUE;
    }
  return FALSE;
}

gboolean
weir_layout_is_covered (const WeirLayout *self, WeirEntry entry, WeirTicket ticket)
{
  const WeirShape *shape = self->nodes[self->node_of[entry.i]].shape;
  const WeirEntryDecl *decl = weir_layout_decl (self, entry.i), *read;
  int local;

  if (ticket.i == WEIR_TICKET_XC)
    return (shape->nq > 0 && reaches (shape, decl, WEIR_TICKET_Q))
           || (shape->nv > 0 && reaches (shape, decl, WEIR_TICKET_V))
           || (shape->nz > 0 && reaches (shape, decl, WEIR_TICKET_Z))
           || shape->initial_state == NULL;
  if (reaches (shape, decl, ticket.i))
    return TRUE;

  /* An entry changes with what it declares itself, and with nothing else. */
  local = weir_shape_find_entry (shape, ticket.i);
  if (local < 0)
    return FALSE;
  read = weir_shape_entry (shape, (guint) local);
  for (guint k = 0; k < read->n_primary; k++)
    if (!weir_layout_is_covered (self, entry, (WeirTicket) { read->primary[k] }))
      return FALSE;
  return TRUE;
}

gboolean
weir_layout_is_leaf_entry (const WeirLayout *self, WeirEntry entry)
{
  return !self->nodes[self->node_of[entry.i]].shape->is_diagram;
}

gboolean
weir_layout_is_kernel_entry (const WeirLayout *self, WeirEntry entry)
{
  return weir_layout_decl (self, entry.i)->is_kernel;
}
