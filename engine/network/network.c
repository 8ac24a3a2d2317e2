/* Parts and what joins them, as they are added. See network.h. */
#include "network/network-private.h"

static void
part_clear (gpointer data)
{
  g_free (((WeirNetworkPart *) data)->path);
}

static void
set_clear (gpointer data)
{
  g_array_unref (((WeirNetworkSet *) data)->pins);
}

WeirNetworks *
weir_networks_new (void)
{
  WeirNetworks *self = g_new0 (WeirNetworks, 1);

  self->parts = g_array_new (FALSE, FALSE, sizeof (WeirNetworkPart));
  g_array_set_clear_func (self->parts, part_clear);
  self->terminals = g_array_new (FALSE, FALSE, sizeof (WeirNetworkTerminal));
  self->sets = g_array_new (FALSE, FALSE, sizeof (WeirNetworkSet));
  g_array_set_clear_func (self->sets, set_clear);
  self->networks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return self;
}

void
weir_networks_free (WeirNetworks *self)
{
  g_array_unref (self->parts);
  g_array_unref (self->terminals);
  g_array_unref (self->sets);
  g_ptr_array_unref (self->networks);
  g_free (self->set_of);
  g_free (self);
}

static WeirTerminal
add_terminal (WeirNetworks *self, WeirNetworkTerminal terminal)
{
  terminal.above = self->terminals->len;
  g_array_append_val (self->terminals, terminal);
  return (WeirTerminal) { self->terminals->len - 1 };
}

guint
weir_networks_add_part (WeirNetworks *self, const char *path, const WeirArguments *arguments,
                        guint32 block, int line)
{
  const WeirPartType *type = weir_arguments_get_part (arguments);
  WeirNetworkPart part = { g_strdup (path),      type,     arguments, block, line,
                           self->terminals->len, G_MAXUINT };

  g_array_append_val (self->parts, part);
  for (guint i = 0; i < type->pins->len; i++)
    add_terminal (self, (WeirNetworkTerminal) {
                            .part = self->parts->len - 1,
                            .pin = i,
                            .domain = g_array_index (type->pins, WeirPinSpec, i).domain });
  return self->parts->len - 1;
}

WeirTerminal
weir_networks_get_pin (const WeirNetworks *self, guint part, guint pin)
{
  return (WeirTerminal) { weir_networks_get_part (self, part)->first_terminal + pin };
}

WeirTerminal
weir_networks_add_node (WeirNetworks *self, const char *path, const WeirDomain *domain,
                        guint32 block, int line)
{
  return add_terminal (
      self, (WeirNetworkTerminal) {
                .part = G_MAXUINT, .path = path, .domain = domain, .block = block, .line = line });
}

/* Paths are halved on the way. */
guint32
weir_networks_find_top (const WeirNetworks *self, guint32 terminal)
{
  WeirNetworkTerminal *all = (WeirNetworkTerminal *) (gpointer) self->terminals->data;

  while (all[terminal].above != terminal)
    terminal = all[terminal].above = all[all[terminal].above].above;
  return terminal;
}

void
weir_networks_join (WeirNetworks *self, WeirTerminal a, WeirTerminal b)
{
  guint32 top_a = weir_networks_find_top (self, a.i), top_b = weir_networks_find_top (self, b.i);

  g_array_index (self->terminals, WeirNetworkTerminal, top_b).above = top_a;
}

guint
weir_networks_get_n (const WeirNetworks *self)
{
  return self->networks->len;
}

const GArray *
weir_networks_get_parts (const WeirNetworks *self, guint network)
{
  return g_ptr_array_index (self->networks, network);
}
