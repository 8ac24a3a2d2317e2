/* Copies of systems with other declarations. See redeclare.h. */
#include "system/layout/redeclare.h"

#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/structure/diagram.h"
#include "system/layout/layout-private.h"
#include "system/structure/shape-private.h"

/* --- A leaf ---------------------------------------------------------------------------------- */

static WeirVectorDecl
copy_vector (const WeirVectorDecl *from)
{
  WeirVectorDecl copy = *from;

  copy.name = g_strdup (from->name);
  copy.value = from->value == NULL ? NULL : g_memdup2 (from->value, from->size * sizeof (double));
  copy.type = from->type == NULL ? NULL : g_variant_type_copy (from->type);
  copy.abstract = from->abstract == NULL ? NULL : g_variant_ref (from->abstract);
  return copy;
}

static void
copy_vectors (GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      WeirVectorDecl copy = copy_vector (&g_array_index (from, WeirVectorDecl, i));

      g_array_append_val (to, copy);
    }
}

static WeirOutputDecl
copy_output (const WeirOutputDecl *from)
{
  WeirOutputDecl copy = *from;

  copy.name = g_strdup (from->name);
  copy.type = from->type == NULL ? NULL : g_variant_type_copy (from->type);
  return copy;
}

static WeirEntryDecl
copy_entry (const WeirEntryDecl *from)
{
  WeirEntryDecl copy = *from;

  copy.name = g_strdup (from->name);
  copy.type = from->type == NULL ? NULL : g_variant_type_copy (from->type);
  copy.depends = g_memdup2 (from->depends, from->n_depends * sizeof (guint16));
  copy.broadcast = g_memdup2 (from->broadcast,
                              (from->is_kernel ? from->n_depends : 0) * sizeof (gboolean));
  copy.pattern = from->pattern == NULL ? NULL : weir_pattern_ref (from->pattern);
  copy.primary = g_memdup2 (from->primary, from->n_primary * sizeof (guint16));
  copy.element_names = g_strdupv (from->element_names);
  copy.element_places = g_strdupv (from->element_places);
  return copy;
}

static WeirShape *
copy_leaf_shape (const WeirShape *from)
{
  WeirShape *copy = weir_shape_new (from->kind, FALSE);

  copy->is_loop = from->is_loop;
  g_array_set_size (copy->items, 0);
  g_array_append_vals (copy->items, from->items->data, from->items->len);
  copy_vectors (copy->inputs, from->inputs);
  copy_vectors (copy->parameters, from->parameters);
  copy_vectors (copy->groups, from->groups);
  for (guint i = 0; i < from->outputs->len; i++)
    {
      WeirOutputDecl output = copy_output (weir_shape_output (from, i));

      g_array_append_val (copy->outputs, output);
    }
  for (guint i = 0; i < from->entries->len; i++)
    {
      WeirEntryDecl entry = copy_entry (weir_shape_entry (from, i));

      g_array_append_val (copy->entries, entry);
    }
  g_array_append_vals (copy->events, from->events->data, from->events->len);
  g_array_append_vals (copy->starts, from->starts->data, from->starts->len);
  copy->n_phases = from->n_phases;
  copy->slopes = from->slopes;
  copy->nq = from->nq;
  copy->nv = from->nv;
  copy->nz = from->nz;
  copy->initial_state = from->initial_state == NULL
                            ? NULL
                            : g_memdup2 (from->initial_state,
                                         (from->nq + from->nv + from->nz) * sizeof (double));
  copy->state_names = g_strdupv (from->state_names);
  copy->state_nominals = from->state_nominals == NULL
                             ? NULL
                             : g_memdup2 (from->state_nominals,
                                          (from->nq + from->nv + from->nz) * sizeof (double));
  copy->nominals_group = from->nominals_group;
  copy->data = g_memdup2 (from->data, from->data_size);
  copy->data_size = from->data_size;
  return copy;
}

static gboolean
refuse (const WeirLayout *layout, WeirEntry entry, const char *why, GError **error)
{
  g_autofree char *path = weir_layout_dup_entry_path (layout, entry);

  weir_error_set (error, WEIR_ERROR_INVALID, "%s cannot be declared otherwise: %s.", path,
                  weir_phrase (why));
  return FALSE;
}

/* A leaf's entries are in an order of evaluation: each declares earlier ones only. */
static gboolean
check_order (const WeirLayout *layout, const WeirShape *shape, guint local,
             const WeirRedeclaration *change, GError **error)
{
  for (guint k = 0; k < change->n_tickets; k++)
    {
      int other = weir_shape_find_entry (shape, change->tickets[k]);

      if (other >= (int) local)
        return refuse (layout, change->entry, N_ ("what it reads is computed after it"), error);
    }
  return TRUE;
}

static gboolean
redeclare_entry (const WeirLayout *layout, WeirShape *shape, const WeirRedeclaration *change,
                 GError **error)
{
  guint local = layout->local_of[change->entry.i];
  WeirEntryDecl *decl = weir_shape_entry (shape, local);
  g_autoptr (GArray) primary = NULL;

  if (decl->is_kernel)
    return refuse (layout, change->entry, N_ ("its prerequisites are its operands"), error);
  if (!check_order (layout, shape, local, change, error))
    return FALSE;
  primary = weir_shape_list_primary (shape, change->tickets, change->n_tickets);
  g_free (decl->depends);
  g_free (decl->primary);
  g_clear_pointer (&decl->pattern, weir_pattern_unref); /* of what it read before */
  decl->has_slopes = FALSE;
  decl->n_depends = change->n_tickets;
  decl->depends = g_memdup2 (change->tickets, change->n_tickets * sizeof (guint16));
  decl->n_primary = primary->len;
  decl->primary = g_memdup2 (primary->data, primary->len * sizeof (guint16));
  return TRUE;
}

/* --- The tree -------------------------------------------------------------------------------- */

typedef struct {
  const WeirLayout *layout;
  const WeirRedeclaration *changes;
  guint n;
} Redeclaring;

static WeirSystem *redeclare (const Redeclaring *self, WeirSystem *system, guint32 node,
                              GError **error);

static gboolean
concerns (const Redeclaring *self, guint32 first_node, guint32 end_node)
{
  for (guint i = 0; i < self->n; i++)
    {
      guint32 node = self->layout->node_of[self->changes[i].entry.i];

      if (node >= first_node && node < end_node)
        return TRUE;
    }
  return FALSE;
}

static WeirSystem *
redeclare_leaf (const Redeclaring *self, WeirSystem *system, guint32 node, GError **error)
{
  WeirShape *shape = copy_leaf_shape (system->shape);
  WeirSystem *copy;

  for (guint i = 0; i < self->n; i++)
    if (self->layout->node_of[self->changes[i].entry.i] == node
        && !redeclare_entry (self->layout, shape, &self->changes[i], error))
      {
        weir_shape_unref (shape);
        return NULL;
      }
  weir_shape_seal (shape);
  copy = weir_system_new (shape);
  copy->code = g_array_ref (system->code);
  copy->event_code = g_array_ref (system->event_code);
  copy->phases = system->phases;
  return copy;
}

static void
add_inputs (WeirDiagramBuilder *b, const WeirShape *shape)
{
  for (guint i = 0; i < shape->inputs->len; i++)
    {
      const WeirVectorDecl *input = weir_shape_input (shape, i);

      if (input->type != NULL)
        weir_diagram_builder_add_abstract_input (b, input->name, input->type);
      else
        weir_diagram_builder_add_input (b, input->name, input->size);
    }
}

static void
add_wires (WeirDiagramBuilder *b, const WeirShape *shape)
{
  for (guint32 c = 0; c < shape->n_children; c++)
    for (guint16 i = 0; i < shape->children[c]->inputs->len; i++)
      {
        WeirWiring wiring = shape->wiring[shape->first_wiring[c] + i];

        if (wiring.child == WEIR_WIRED_PARENT)
          weir_diagram_builder_connect_input (b, (WeirInput) { wiring.port }, (WeirChild) { c },
                                              (WeirInput) { i });
        else if (wiring.child != WEIR_WIRED_NOTHING)
          weir_diagram_builder_connect (b, (WeirChild) { wiring.child },
                                        (WeirOutput) { wiring.port }, (WeirChild) { c },
                                        (WeirInput) { i });
      }
}

static WeirSystem *
redeclare_diagram (const Redeclaring *self, WeirSystem *system, guint32 node, GError **error)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  const WeirShape *shape = system->shape;
  guint32 at = node + 1;

  add_inputs (b, shape);
  for (guint32 c = 0; c < shape->n_children; c++)
    {
      g_autoptr (WeirSystem) child = redeclare (self, system->children[c], at, error);

      if (child == NULL)
        {
          weir_diagram_builder_free (b);
          return NULL;
        }
      weir_diagram_builder_add (b, shape->child_names[c], child);
      at = weir_layout_subtree_end (self->layout, at);
    }
  add_wires (b, shape);
  for (guint i = 0; i < shape->outputs->len; i++)
    {
      const WeirOutputDecl *output = weir_shape_output (shape, i);

      weir_diagram_builder_add_output (b, output->name, (WeirChild) { output->child },
                                       (WeirOutput) { output->child_output });
    }
  return weir_diagram_builder_build (b, error);
}

static WeirSystem *
redeclare (const Redeclaring *self, WeirSystem *system, guint32 node, GError **error)
{
  if (!concerns (self, node, weir_layout_subtree_end (self->layout, node)))
    return weir_system_ref (system);
  return system->shape->is_diagram ? redeclare_diagram (self, system, node, error)
                                   : redeclare_leaf (self, system, node, error);
}

WeirSystem *
weir_system_redeclare (WeirSystem *root, const WeirRedeclaration *changes, guint n, GError **error)
{
  Redeclaring self = { weir_system_get_layout (root), changes, n };

  for (guint i = 0; i < n; i++)
    {
      guint32 node = self.layout->node_of[changes[i].entry.i];

      if (self.layout->nodes[node].shape->is_diagram)
        {
          refuse (self.layout, changes[i].entry, N_ ("it is a diagram's own"), error);
          return NULL;
        }
    }
  return redeclare (&self, root, 0, error);
}
