/* Completion, the physical networks: parts and lines of all levels become leaves.
 *
 * A network's leaf stands in the innermost diagram that holds all its parts. The signals of a part
 * that lies deeper are led there and back by ports that the diagrams between get for them (taps):
 * the model shows none of these.
 */
#include "model/completion/completion-private.h"

#include "base/text.h"

#include <string.h>

/* --- Parts and lines ------------------------------------------------------------------------- */

typedef struct {
  WeirInstance *diagram;
  WeirNetworks *networks;
  WeirDiagnostics *diagnostics;
  GHashTable *lines; /* id of a line to its terminal + 1 */
} Joining;

static gboolean
is_part (const WeirInstance *self)
{
  return self->type != NULL && !self->is_grounded
         && (self->arguments != NULL ? weir_arguments_get_part (self->arguments) : self->type->part)
                != NULL;
}

static gboolean
add_line (WeirWire *wire, gpointer data)
{
  const Joining *joining = data;

  if (weir_wire_is_line (wire))
    g_hash_table_insert (
        joining->lines, GUINT_TO_POINTER (weir_wire_get_id (wire)),
        GUINT_TO_POINTER (weir_networks_add_node (joining->networks, NULL, NULL, 0, 0).i + 1));
  return TRUE;
}

static char *
dup_pin_names (const GArray *pins)
{
  GString *names = g_string_new (pins->len == 0 ? "none" : NULL);

  for (guint i = 0; i < pins->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            g_array_index (pins, WeirPinSpec, i).name);
  return g_string_free (names, FALSE);
}

/* The Pin block of a Subsystem that is called so; NULL if there is none. */
static const WeirInstance *
find_inner_pin (const WeirInstance *subsystem, const char *name)
{
  for (guint i = 0; subsystem->children != NULL && i < subsystem->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (subsystem->children, i);

      if (child->is_pin && strcmp (child->block->name, name) == 0)
        return child;
    }
  return NULL;
}

static gboolean
find_pin (const Joining *joining, const WeirInstance *block, const char *name,
          WeirTerminal *terminal)
{
  const WeirInstance *inner = find_inner_pin (block, name);
  g_autoptr (GArray) pins = NULL;

  if (inner != NULL || (block->is_pin && strcmp (name, "p") == 0))
    {
      *terminal = (inner != NULL ? inner : block)->terminal;
      return TRUE;
    }
  if (block->part == 0)
    return FALSE;
  pins = weir_arguments_list_pins (block->arguments);
  for (guint i = 0; i < pins->len; i++)
    if (strcmp (g_array_index (pins, WeirPinSpec, i).name, name) == 0)
      {
        *terminal = weir_networks_get_pin (joining->networks, block->part - 1, i);
        return TRUE;
      }
  return FALSE;
}

/* Would the part have the pin with other options? */
static gboolean
is_absent (const WeirInstance *block, const char *name)
{
  const WeirPartType *part = block->part != 0 ? weir_arguments_get_part (block->arguments) : NULL;

  for (guint i = 0; part != NULL && i < part->absent->len; i++)
    if (strcmp (part->absent->pdata[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* What an end of a line is at. FALSE: nothing, which is reported where it is an error. */
static gboolean
find_end (const Joining *joining, const WeirWire *wire, WeirWireEnd end, WeirTerminal *terminal)
{
  const WeirInstance *block = weir_instance_find_child (joining->diagram, end.block);
  guint line = GPOINTER_TO_UINT (g_hash_table_lookup (joining->lines, GUINT_TO_POINTER (end.line)));
  g_autoptr (GArray) pins = NULL;
  g_autofree char *names = NULL;

  if (end.block == 0 && line != 0)
    {
      terminal->i = line - 1;
      return TRUE;
    }
  if (end.block == 0 || block == NULL)
    {
      weir_diagnostics_add (joining->diagnostics, WEIR_SEVERITY_WARNING, "LIN03",
                            joining->diagram->path, weir_instance_get_id (joining->diagram),
                            weir_wire_get_id (wire), weir_wire_get_line (wire),
                            N_ ("An end of line %u is joined with nothing."),
                            weir_wire_get_id (wire));
      return FALSE;
    }
  if (find_pin (joining, block, end.port, terminal))
    return TRUE;
  if (!block->are_ports_known || block->is_grounded)
    return FALSE;
  if (is_absent (block, end.port))
    {
      weir_diagnostics_add (
          joining->diagnostics, WEIR_SEVERITY_WARNING, "LIN03", block->path,
          weir_instance_get_id (block), weir_wire_get_id (wire), weir_wire_get_line (wire),
          N_ ("%s has no pin '%s' with the options that it has: line %u ends there "
              "at nothing."),
          block->path, end.port, weir_wire_get_id (wire));
      return FALSE;
    }
  pins = weir_block_list_pins (block->block);
  names = dup_pin_names (pins);
  weir_diagnostics_add (joining->diagnostics, WEIR_SEVERITY_ERROR, "LIN02", block->path,
                        weir_instance_get_id (block), weir_wire_get_id (wire),
                        weir_wire_get_line (wire),
                        N_ ("There is no pin '%s' for line %u; the block has %s."), end.port,
                        weir_wire_get_id (wire), names);
  weir_diagnostics_set_subject (joining->diagnostics, end.port);
  return FALSE;
}

static gboolean
join_line (WeirWire *wire, gpointer data)
{
  const Joining *joining = data;
  WeirWireEnd ends[2] = { weir_wire_get_from (wire), weir_wire_get_to (wire) };
  WeirTerminal own, other;

  if (!weir_wire_is_line (wire))
    return TRUE;
  own.i = GPOINTER_TO_UINT (
              g_hash_table_lookup (joining->lines, GUINT_TO_POINTER (weir_wire_get_id (wire))))
          - 1;
  for (guint i = 0; i < 2; i++)
    if (find_end (joining, wire, ends[i], &other))
      weir_networks_join (joining->networks, own, other);
  return TRUE;
}

static void
add_block (WeirInstance *self, WeirNetworks *networks)
{
  if (is_part (self) && self->arguments != NULL && self->are_ports_known)
    self->part = weir_networks_add_part (networks, self->path, self->arguments,
                                         weir_instance_get_id (self), weir_instance_get_line (self))
                 + 1;
  else if (self->is_pin)
    self->terminal = weir_networks_add_node (
        networks, self->path,
        self->arguments != NULL ? weir_arguments_get_domain (self->arguments) : NULL,
        weir_instance_get_id (self), weir_instance_get_line (self));
}

/* The parts and lines of a diagram and all within it. @all: of WeirInstance, parts in the order of
 * their numbers. FALSE if a part has errors of its own. */
static gboolean
join_diagram (WeirInstance *self, WeirNetworks *networks, GPtrArray *all,
              WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) lines = g_hash_table_new (NULL, NULL);
  Joining joining = { self, networks, diagnostics, lines };
  gboolean are_sound = TRUE;

  for (guint i = 0; i < self->children->len; i++)
    {
      WeirInstance *child = g_ptr_array_index (self->children, i);

      add_block (child, networks);
      if (child->part != 0)
        g_ptr_array_add (all, child);
      if (child->children != NULL)
        are_sound = join_diagram (child, networks, all, diagnostics) && are_sound;
      are_sound = are_sound && (!is_part (child) || (child->part != 0 && !child->is_misnamed));
    }
  weir_diagram_foreach_wire (self->diagram, add_line, &joining);
  weir_diagram_foreach_wire (self->diagram, join_line, &joining);
  return are_sound;
}

/* --- Leaves ---------------------------------------------------------------------------------- */

static guint
get_depth (const WeirInstance *self)
{
  guint depth = 0;

  for (; self->parent != NULL; self = self->parent)
    depth++;
  return depth;
}

/* The innermost that holds both. */
static WeirInstance *
find_common (WeirInstance *a, WeirInstance *b)
{
  for (guint depth_a = get_depth (a), depth_b = get_depth (b); a != b;)
    if (depth_a >= depth_b)
      {
        a = a->parent;
        depth_a--;
      }
    else
      {
        b = b->parent;
        depth_b--;
      }
  return a;
}

static void
network_leaf_free (gpointer data)
{
  WeirNetworkLeaf *self = data;

  g_clear_pointer (&self->system, weir_system_unref);
  g_free (self);
}

static void
add_network (WeirNetworks *networks, guint network, const GPtrArray *all,
             WeirDiagnostics *diagnostics)
{
  const GArray *parts = weir_networks_get_parts (networks, network);
  WeirInstance *home = NULL;
  WeirNetworkLeaf *leaf = g_new0 (WeirNetworkLeaf, 1);

  for (guint i = 0; i < parts->len; i++)
    {
      WeirInstance *part = g_ptr_array_index (all, g_array_index (parts, guint, i));

      part->network = leaf;
      home = home == NULL ? part->parent : find_common (home, part->parent);
    }
  leaf->home = home;
  if (home->networks == NULL)
    home->networks = g_ptr_array_new_with_free_func (network_leaf_free);
  g_ptr_array_add (home->networks, leaf);
  leaf->system = weir_networks_build (networks, network, home->path, diagnostics);
}

void
weir_instance_build_networks (WeirInstance *top, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirNetworks) networks = weir_networks_new ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  if (!join_diagram (top, networks, all, diagnostics))
    return;
  if (!weir_networks_split (networks, diagnostics))
    return;
  for (guint i = 0; i < weir_networks_get_n (networks); i++)
    add_network (networks, i, all, diagnostics);
}

gboolean
weir_instance_are_networks_built (const WeirInstance *self)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      const WeirInstance *child = g_ptr_array_index (self->children, i);

      if (is_part (child) && (child->network == NULL || child->network->system == NULL))
        return FALSE;
    }
  return TRUE;
}

/* --- Signals --------------------------------------------------------------------------------- */

/* As the leaf calls a port of a part. */
static char *
dup_port_name (const WeirInstancePort *port, const WeirInstance *within)
{
  gsize n_prefix = within->path[0] != '\0' ? strlen (within->path) + 1 : 0;

  return g_strconcat (port->owner->path + n_prefix, ".", port->name, NULL);
}

WeirInput
weir_instance_port_find_input (const WeirInstancePort *port)
{
  const WeirNetworkLeaf *leaf = port->owner->network;
  g_autofree char *name = dup_port_name (port, leaf->home);
  WeirInput in = { 0 };

  if (!weir_system_find_input (leaf->system, name, &in))
    g_assert_not_reached ();
  return in;
}

WeirOutput
weir_instance_port_find_output (const WeirInstancePort *port)
{
  const WeirNetworkLeaf *leaf = port->owner->network;
  g_autofree char *name = dup_port_name (port, leaf->home);
  WeirOutput out = { 0 };

  if (!weir_system_find_output (leaf->system, name, &out))
    g_assert_not_reached ();
  return out;
}

static void
add_tap (WeirInstance *self, WeirInstancePort *port, gboolean is_input, const WeirInstance *via)
{
  WeirTap tap = { port, is_input, via, 0, 0 };

  if (self->taps == NULL)
    self->taps = g_array_new (FALSE, FALSE, sizeof (WeirTap));
  g_array_append_val (self->taps, tap);
}

/* What a Subsystem within leads on, or @self for its own parts. */
static void
find_taps_of (WeirInstance *self, WeirInstance *child)
{
  gboolean is_deep = child->network != NULL && child->network->home != self;

  for (guint i = 0; is_deep && i < child->n_inputs; i++)
    if (child->inputs[i].source != NULL)
      add_tap (self, &child->inputs[i], TRUE, NULL);
  for (guint i = 0; is_deep && i < child->n_outputs; i++)
    add_tap (self, &child->outputs[i], FALSE, NULL);
  for (guint i = 0; child->taps != NULL && i < child->taps->len; i++)
    {
      const WeirTap *inner = &g_array_index (child->taps, WeirTap, i);

      if (inner->port->owner->network->home != self)
        add_tap (self, inner->port, inner->is_input, child);
    }
}

void
weir_instance_find_taps (WeirInstance *self)
{
  for (guint i = 0; i < self->children->len; i++)
    find_taps_of (self, g_ptr_array_index (self->children, i));
}

const WeirTap *
weir_instance_find_tap (const WeirInstance *self, const WeirInstancePort *port)
{
  for (guint i = 0; self->taps != NULL && i < self->taps->len; i++)
    if (g_array_index (self->taps, WeirTap, i).port == port)
      return &g_array_index (self->taps, WeirTap, i);
  return NULL;
}

char *
weir_tap_dup_name (const WeirTap *tap, const WeirInstance *within)
{
  return dup_port_name (tap->port, within);
}
