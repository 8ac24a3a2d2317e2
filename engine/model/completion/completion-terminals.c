/* What the matching rules of terminals ask of the wires between two FMU blocks: of a plug members
 * of one name are wired to each other, and there are no others; of a bus those of one name; of a
 * sequence those at one place. Other rules are known to other tools alone. Members without a port
 * (parameters, streams) are passed over.
 */
#include "model/completion/completion-private.h"
#include "base/text.h"

#include <string.h>

/* An FMU block with terminals. */
typedef struct {
  const WeirInstance *block;
  const WeirFmuDescription *description;
  GHashTable *ports;  /* by name of the variable: WeirInstancePort */
  GHashTable *places; /* by name of the variable: its first terminal + 1, as a pointer */
} Group;

/* One terminal of one block. */
typedef struct {
  const Group *group;
  guint i;
} Terminal;

typedef struct {
  const char *folder;
  WeirDiagnostics *diagnostics;
  GPtrArray *all;     /* of Group, owned, in the order of the model */
  GHashTable *groups; /* the same by instance */
} Checking;

static void
group_free (gpointer data)
{
  Group *self = data;

  g_hash_table_unref (self->ports);
  g_hash_table_unref (self->places);
  g_free (self);
}

static void
add_group (Checking *c, const WeirInstance *block)
{
  const WeirFmuDescription *d = weir_instance_find_fmu_description (block, c->folder);
  Group *group;

  if (d == NULL || d->n_terminals == 0)
    return;
  group = g_new (Group, 1);
  *group = (Group) { block, d, g_hash_table_new (g_str_hash, g_str_equal),
                     g_hash_table_new (g_str_hash, g_str_equal) };
  for (guint i = 0; i < block->n_inputs; i++)
    g_hash_table_insert (group->ports, (gpointer) block->inputs[i].name, &block->inputs[i]);
  for (guint i = 0; i < block->n_outputs; i++)
    g_hash_table_insert (group->ports, (gpointer) block->outputs[i].name, &block->outputs[i]);
  for (guint i = d->n_terminals; i-- > 0;)
    for (guint k = 0; k < d->terminals[i].n_members; k++)
      g_hash_table_insert (group->places,
                           (gpointer) d->variables[d->terminals[i].members[k].variable].name,
                           GUINT_TO_POINTER (i + 1));
  g_ptr_array_add (c->all, group);
  g_hash_table_insert (c->groups, (gpointer) block, group);
}

static const WeirFmuTerminal *
get (Terminal t)
{
  return &t.group->description->terminals[t.i];
}

/* The port of a member; NULL: it has none. */
static const WeirInstancePort *
get_port (Terminal t, guint member)
{
  guint variable = get (t)->members[member].variable;

  return g_hash_table_lookup (t.group->ports, t.group->description->variables[variable].name);
}

static gboolean
is_input (const WeirInstancePort *port)
{
  return port >= port->owner->inputs && port < port->owner->inputs + port->owner->n_inputs;
}

/* Of an input and an output, in either order. */
static gboolean
are_joined (const WeirInstancePort *a, const WeirInstancePort *b)
{
  return is_input (a) ? a->source == b : b->source == a;
}

static gboolean
is_stream (const WeirFmuTerminalMember *member)
{
  return strcmp (member->kind, "inStream") == 0 || strcmp (member->kind, "outStream") == 0;
}

/* The terminal that @port belongs to. */
static gboolean
find_terminal (const Checking *c, const WeirInstancePort *port, Terminal *found)
{
  const Group *group = g_hash_table_lookup (c->groups, port->owner);
  guint place = group != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (group->places, port->name))
                              : 0;

  *found = (Terminal) { group, place - 1 };
  return place != 0;
}

/* The first terminal of another block that a member of @t is wired to. */
static gboolean
find_partner (const Checking *c, Terminal t, Terminal *found)
{
  for (guint k = 0; k < get (t)->n_members; k++)
    {
      const WeirInstancePort *port = get_port (t, k);

      if (port == NULL)
        continue;
      if (is_input (port))
        {
          if (port->source != NULL && port->source->owner != port->owner
              && find_terminal (c, port->source, found))
            return TRUE;
          continue;
        }
      for (const WeirInstancePort *to = port->consumers; to != NULL; to = to->next)
        if (to->owner != port->owner && find_terminal (c, to, found))
          return TRUE;
    }
  return FALSE;
}

static void G_GNUC_PRINTF (4, 5)
    report (const Checking *c, Terminal a, Terminal b, const char *format, ...)
{
  const WeirInstance *block = a.group->block;
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (c->diagnostics, WEIR_SEVERITY_WARNING, "FMU32", block->path,
                                weir_instance_get_id (block), 0, weir_instance_get_line (block),
                                message);
}

/* Kinds, rules and numbers of two terminals that are joined. */
static gboolean
check_heads (const Checking *c, Terminal a, Terminal b)
{
  const WeirFmuTerminal *one = get (a), *other = get (b);
  const char *path = b.group->block->path;

  if (one->kind != NULL && other->kind != NULL && strcmp (one->kind, other->kind) != 0)
    report (c, a, b,
            N_ ("Terminal '%s' is joined with '%s' of %s, but is of kind '%s', that of kind '%s'."),
            one->name, other->name, path, one->kind, other->kind);
  else if (strcmp (one->matching_rule, other->matching_rule) != 0)
    report (c, a, b,
            N_ ("Terminal '%s' is joined with '%s' of %s, but goes by the rule '%s', that by "
                "'%s'."),
            one->name, other->name, path, one->matching_rule, other->matching_rule);
  else if (strcmp (one->matching_rule, "sequence") == 0 && one->n_members != other->n_members)
    report (c, a, b,
            N_ ("Terminal '%s' is joined with '%s' of %s, but has %u members, that has %u."),
            one->name, other->name, path, one->n_members, other->n_members);
  else
    return TRUE;
  return FALSE;
}

/* The member of @b that member @k of @a is to be wired to, + 1; 0: none. @names: of the members of
 * @b; NULL: they go by their places. */
static guint
find_counterpart (Terminal a, guint k, GHashTable *names)
{
  const char *name = get (a)->members[k].name;

  if (names == NULL)
    return k + 1;
  return name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (names, name)) : 0;
}

/* FALSE after reporting what the first member of @a that is wired otherwise is wired to. */
static gboolean
check_members (const Checking *c, Terminal a, Terminal b, GHashTable *names, gboolean is_whole)
{
  const WeirFmuTerminal *one = get (a), *other = get (b);
  const char *path = b.group->block->path;

  for (guint k = 0; k < one->n_members; k++)
    {
      const WeirInstancePort *port = get_port (a, k), *counterpart;
      guint at = find_counterpart (a, k, names);

      if (port == NULL || is_stream (&one->members[k]))
        continue;
      if (at == 0)
        {
          if (!is_whole || one->members[k].name == NULL)
            continue;
          report (c, a, b, N_ ("Terminal '%s' is joined with '%s' of %s, which has no '%s'."),
                  one->name, other->name, path, one->members[k].name);
          return FALSE;
        }
      counterpart = get_port (b, at - 1);
      if (counterpart == NULL)
        continue;
      if (is_input (port) == is_input (counterpart))
        report (c, a, b,
                is_input (port)
                    ? N_ ("Terminal '%s' is joined with '%s' of %s, but '%s' and '%s' are both "
                          "inputs.")
                    : N_ ("Terminal '%s' is joined with '%s' of %s, but '%s' and '%s' are both "
                          "outputs."),
                one->name, other->name, path, port->name, counterpart->name);
      else if (!are_joined (port, counterpart))
        {
          report (c, a, b,
                  N_ ("Terminal '%s' is joined with '%s' of %s, but '%s' and '%s' are not wired to "
                      "each other."),
                  one->name, other->name, path, port->name, counterpart->name);
          weir_diagnostics_set_subject (c->diagnostics, one->name);
        }
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

static GHashTable *
index_names (Terminal t)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint k = get (t)->n_members; k-- > 0;)
    if (get (t)->members[k].name != NULL && !is_stream (&get (t)->members[k]))
      g_hash_table_insert (names, (gpointer) get (t)->members[k].name, GUINT_TO_POINTER (k + 1));
  return names;
}

static void
check_terminal (const Checking *c, Terminal a)
{
  const char *rule = get (a)->matching_rule;
  gboolean is_sequence = strcmp (rule, "sequence") == 0, is_plug = strcmp (rule, "plug") == 0;
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (GHashTable) own_names = NULL;
  Terminal b, back;

  if (!find_partner (c, a, &b))
    return;
  /* Of two that are each other's the one that comes first says it. */
  if (weir_instance_get_id (b.group->block) < weir_instance_get_id (a.group->block)
      && find_partner (c, b, &back) && back.group == a.group && back.i == a.i)
    return;
  if (!check_heads (c, a, b) || (!is_sequence && !is_plug && strcmp (rule, "bus") != 0))
    return;
  names = is_sequence ? NULL : index_names (b);
  own_names = is_sequence ? NULL : index_names (a);
  if (check_members (c, a, b, names, is_plug) && is_plug)
    check_members (c, b, a, own_names, TRUE);
}

/* Of the FMU blocks of a diagram, and of all within it. */
static void
add_groups (Checking *c, const WeirInstance *self)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);

      if (child->children != NULL)
        add_groups (c, child);
      else
        add_group (c, child);
    }
}

void
weir_instance_check_terminals (const WeirInstance *top, WeirDiagnostics *diagnostics)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  Checking c = { top->folder, diagnostics, all, groups };

  add_groups (&c, top);
  for (guint i = 0; i < all->len; i++)
    {
      const Group *group = g_ptr_array_index (all, i);

      for (guint t = 0; t < group->description->n_terminals; t++)
        check_terminal (&c, (Terminal) { group, t });
    }
}

/* --- Mending --------------------------------------------------------------------------------- */

static void
list_wires (Terminal a, Terminal b, GArray *wires)
{
  gboolean is_sequence = strcmp (get (a)->matching_rule, "sequence") == 0;
  g_autoptr (GHashTable) names = is_sequence ? NULL : index_names (b);

  for (guint k = 0; k < get (a)->n_members; k++)
    {
      const WeirInstancePort *port = get_port (a, k), *other = NULL, *in, *out;
      guint at = find_counterpart (a, k, names);
      WeirTerminalWire wire = { 0 };

      if (port != NULL && !is_stream (&get (a)->members[k]) && at > 0 && at <= get (b)->n_members)
        other = get_port (b, at - 1);
      if (other == NULL || is_input (port) == is_input (other) || are_joined (port, other))
        continue;
      in = is_input (port) ? port : other;
      out = is_input (port) ? other : port;
      wire.from.block = weir_instance_get_id (out->owner);
      wire.from.port = out->name;
      wire.to.block = weir_instance_get_id (in->owner);
      wire.to.port = in->name;
      wire.replaces = in->wire != NULL ? weir_wire_get_id (in->wire) : 0;
      g_array_append_val (wires, wire);
    }
}

GArray *
weir_model_list_terminal_wires (WeirModel *model, guint32 block, const char *terminal)
{
  g_autoptr (WeirDiagnostics) silent = weir_diagnostics_new ();
  g_autoptr (WeirBindings) bindings = NULL;
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  GArray *wires = g_array_new (FALSE, FALSE, sizeof (WeirTerminalWire));
  Checking c = { model->head.folder, silent, all, groups };
  WeirInstance *top;

  g_return_val_if_fail (terminal != NULL, wires);

  bindings = weir_bindings_new (model, silent);
  top = weir_instance_new_top (model, bindings, WEIR_CHECKS_NONE, silent);
  add_groups (&c, top);
  for (guint i = 0; i < all->len; i++)
    {
      Terminal a = { g_ptr_array_index (all, i), 0 }, b;

      if (weir_instance_get_id (a.group->block) != block)
        continue;
      for (; a.i < a.group->description->n_terminals; a.i++)
        if (strcmp (get (a)->name, terminal) == 0 && find_partner (&c, a, &b))
          list_wires (a, b, wires);
    }
  weir_instance_free (top);
  return wires;
}
