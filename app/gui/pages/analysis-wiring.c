/* Blocks and wires as parts of one patch. See analysis-wiring.h. */
#include "gui/pages/analysis-wiring.h"

#include <string.h>

static WeirPlace
get_place (const WeirWiring *self)
{
  return (WeirPlace) { (const guint32 *) (gpointer) self->ids->data, self->ids->len };
}

/* @port: of the name after the last dot; borrowed from @path. */
static WeirBlock *
find_owner (const WeirModel *model, const char *path, const char **port)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *owner = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : NULL;

  *port = dot != NULL ? dot + 1 : path;
  return owner != NULL ? weir_model_find_path (model, owner) : NULL;
}

gboolean
weir_wiring_init (WeirWiring *self, const WeirModel *model, const char *path)
{
  const char *port;
  WeirBlock *block = find_owner (model, path, &port);

  *self = (WeirWiring) { .model = model, .next = weir_model_get_next_id (model) };
  if (block == NULL)
    return FALSE;
  self->patch = weir_patch_new ();
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  weir_model_find_block (model, weir_block_get_id (block), self->ids);
  self->diagram = weir_model_get_diagram (model, get_place (self));
  return TRUE;
}

void
weir_wiring_clear (WeirWiring *self)
{
  g_clear_pointer (&self->patch, weir_patch_free);
  g_clear_pointer (&self->ids, g_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
}

gboolean
weir_wiring_has_port (const WeirWiring *self, const char *path)
{
  const char *port;
  WeirBlock *block = find_owner (self->model, path, &port);

  return block != NULL
         && weir_diagram_find_block (self->diagram, weir_block_get_id (block)) == block;
}

/* Neither the diagram nor the patch has it. */
static char *
dup_free_name (WeirWiring *self, const char *base)
{
  char *name = weir_diagram_dup_free_name (self->diagram, base);

  for (guint i = 2; g_hash_table_contains (self->names, name); i++)
    {
      g_autofree char *next = g_strdup_printf ("%s %u", base, i);

      g_free (name);
      name = weir_diagram_dup_free_name (self->diagram, next);
    }
  g_hash_table_add (self->names, g_strdup (name));
  return name;
}

guint32
weir_wiring_add (WeirWiring *self, const char *type, const char *name, WeirPoint position,
                 gboolean is_flipped, const char *const *parameters)
{
  g_autofree char *own = dup_free_name (self, name);
  g_autoptr (WeirBlock) plain = weir_block_new (self->next, type, own, position);
  g_autoptr (WeirBlock) block = weir_block_with_orientation (plain, WEIR_ROTATION_0, is_flipped);

  for (; *parameters != NULL; parameters += 2)
    {
      WeirBlock *changed = weir_block_with_parameter (block, parameters[0], parameters[1]);

      weir_block_unref (block);
      block = changed;
    }
  weir_patch_set_block (self->patch, get_place (self), block);
  return self->next++;
}

void
weir_wiring_connect_end (WeirWiring *self, WeirWireEnd from, guint32 to, const char *input)
{
  g_autoptr (WeirWire)
      wire = weir_wire_new (self->next++, from, (WeirWireEnd) { to, input, { 0, 0 }, 0 }, NULL, 0);

  weir_patch_set_wire (self->patch, get_place (self), wire);
}

void
weir_wiring_connect (WeirWiring *self, guint32 from, const char *output, guint32 to,
                     const char *input)
{
  weir_wiring_connect_end (self, (WeirWireEnd) { from, output, { 0, 0 }, 0 }, to, input);
}

/* --- Wires that are there --------------------------------------------------------------------- */

typedef struct {
  WeirWiring *self; /* NULL: nothing is changed */
  guint32 block;
  const char *port;
  gboolean is_output;
  WeirWireEnd from; /* where they come from then */
  WeirWireEnd was;
} Diversion;

static gboolean
divert (WeirWire *wire, gpointer data)
{
  Diversion *to = data;
  WeirWireEnd end = to->is_output ? weir_wire_get_from (wire) : weir_wire_get_to (wire);
  g_autoptr (WeirWire) straight = NULL;
  g_autoptr (WeirWire) changed = NULL;

  if (end.block != to->block || g_strcmp0 (end.port, to->port) != 0)
    return TRUE;
  to->was = weir_wire_get_from (wire);
  if (to->self == NULL)
    return TRUE;
  straight = weir_wire_with_bends (wire, NULL, 0);
  changed = weir_wire_with_ends (straight, to->from, weir_wire_get_to (wire));
  weir_patch_set_wire (to->self->patch, get_place (to->self), changed);
  return TRUE;
}

static WeirWireEnd
follow (const WeirWiring *self, const char *path, Diversion *to)
{
  WeirBlock *block = find_owner (self->model, path, &to->port);
  g_auto (GStrv) outputs = NULL;

  if (block == NULL)
    return (WeirWireEnd) { 0 };
  outputs = weir_block_dup_outputs (block);
  to->block = weir_block_get_id (block);
  to->is_output = g_strv_contains ((const char *const *) outputs, to->port);
  weir_diagram_foreach_wire_at (self->diagram, to->block, divert, to);
  return to->is_output ? (WeirWireEnd) { to->block, to->port, { 0, 0 }, 0 } : to->was;
}

WeirWireEnd
weir_wiring_divert (WeirWiring *self, const char *path, guint32 block)
{
  Diversion to = { .self = self, .from = { block, "y", { 0, 0 }, 0 } };

  return follow (self, path, &to);
}

WeirWireEnd
weir_wiring_find_source (const WeirWiring *self, const char *path)
{
  Diversion to = { 0 };

  return follow (self, path, &to);
}

WeirPatch *
weir_wiring_finish (WeirWiring *self)
{
  return g_steal_pointer (&self->patch);
}
