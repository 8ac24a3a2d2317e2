/* Completion, first step, the wires of one diagram: which input has which source. */
#include "model/completion/completion-private.h"
#include "base/text.h"

#include <string.h>

typedef struct {
  WeirInstance *diagram;
  WeirDiagnostics *diagnostics;
  GHashTable *names; /* array of many ports to its names; see find_named() */
} Wiring;

static void G_GNUC_PRINTF (5, 6)
    report_wire (const Wiring *wiring, const WeirWire *wire, const WeirInstance *at,
                 const char *code, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (wiring->diagnostics, WEIR_SEVERITY_ERROR, code,
                                at != NULL ? at->path : wiring->diagram->path,
                                at != NULL ? weir_instance_get_id (at) : 0, weir_wire_get_id (wire),
                                weir_wire_get_line (wire), message);
}

static char *
dup_port_names (const WeirInstancePort *ports, guint n)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < n && i < 20; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ports[i].name);
  if (n > 20)
    g_string_append (names, ", ...");
  if (n == 0)
    g_string_append (names, "none");
  return g_string_free (names, FALSE);
}

WeirInstance *
weir_instance_find_child (const WeirInstance *self, guint32 id)
{
  guint low = 0, high = self->children->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      WeirInstance *child = g_ptr_array_index (self->children, middle);

      if (child->block->id == id)
        return child;
      if (child->block->id < id)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static WeirInstance *
find_block (const Wiring *wiring, WeirWireEnd end)
{
  return weir_instance_find_child (wiring->diagram, end.block);
}

#define FEW_PORTS 16 /* that are looked through faster than they are listed */

/* The first of @ports of that name; NULL if there is none. */
static WeirInstancePort *
find_named (const Wiring *wiring, WeirInstancePort *ports, guint n, const char *name)
{
  GHashTable *names;

  if (n <= FEW_PORTS)
    {
      for (guint i = 0; i < n; i++)
        if (strcmp (ports[i].name, name) == 0)
          return &ports[i];
      return NULL;
    }
  names = g_hash_table_lookup (wiring->names, ports);
  if (names == NULL)
    {
      names = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = n; i-- > 0;)
        g_hash_table_insert (names, (gpointer) ports[i].name, &ports[i]);
      g_hash_table_insert (wiring->names, ports, names);
    }
  return g_hash_table_lookup (names, name);
}

/* The port at an end of a wire; NULL if it cannot be told. @is_trusted: it is at a block whose
 * ports are not known. The block at the @other end places the problem. */
static WeirInstancePort *
find_port (const Wiring *wiring, const WeirWire *wire, WeirWireEnd end, gboolean is_input,
           WeirWireEnd other, gboolean *is_trusted)
{
  const char *which = is_input ? "end" : "start";
  g_autofree char *names = NULL;
  WeirInstancePort *ports, *port;
  WeirInstance *instance;
  guint n_ports;

  *is_trusted = FALSE;
  if (end.block == 0)
    {
      report_wire (wiring, wire, find_block (wiring, other), "NET06",
                   N_ ("The %s of wire %u is not connected to a port."), which,
                   weir_wire_get_id (wire));
      return NULL;
    }
  instance = find_block (wiring, end);
  if (instance == NULL)
    {
      report_wire (wiring, wire, find_block (wiring, other), "NET06",
                   N_ ("The %s of wire %u is at block %u, which does not exist."), which,
                   weir_wire_get_id (wire), end.block);
      return NULL;
    }
  if (!instance->are_ports_known)
    {
      *is_trusted = TRUE;
      return NULL;
    }
  ports = is_input ? instance->inputs : instance->outputs;
  n_ports = is_input ? instance->n_inputs : instance->n_outputs;
  port = find_named (wiring, ports, n_ports, end.port);
  if (port != NULL)
    return port;
  names = dup_port_names (ports, n_ports);
  report_wire (wiring, wire, instance, "NET07",
               N_ ("There is no %s '%s' for wire %u; the block has %s."),
               is_input ? "input" : "output", end.port, weir_wire_get_id (wire), names);
  weir_diagnostics_set_subject (wiring->diagnostics, end.port);
  return NULL;
}

static gboolean
connect_wire (WeirWire *wire, gpointer data)
{
  const Wiring *wiring = data;
  WeirWireEnd from_end = weir_wire_get_from (wire), to_end = weir_wire_get_to (wire);
  gboolean is_from_trusted, is_to_trusted;
  WeirInstancePort *from, *to;

  if (weir_wire_is_line (wire))
    return TRUE;
  from = find_port (wiring, wire, from_end, FALSE, to_end, &is_from_trusted);
  to = find_port (wiring, wire, to_end, TRUE, from_end, &is_to_trusted);
  if (to == NULL)
    return TRUE;
  if (to->wire != NULL)
    {
      report_wire (wiring, wire, to->owner, "NET01",
                   N_ ("Input '%s' is wired twice: by wire %u and by wire %u; remove one of them."),
                   to->name, weir_wire_get_id (to->wire), weir_wire_get_id (wire));
      weir_diagnostics_set_subject (wiring->diagnostics, to->name);
      return TRUE;
    }
  to->wire = wire;
  if (from == NULL)
    {
      to->owner->is_doubtful = TRUE;
      return TRUE;
    }
  to->source = from;
  to->next = from->consumers;
  from->consumers = to;
  return TRUE;
}

void
weir_instance_connect_wires (WeirInstance *self, WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable)
      names = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  Wiring wiring = { self, diagnostics, names };

  weir_diagram_foreach_wire (self->diagram, connect_wire, &wiring);
}
