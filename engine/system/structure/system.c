/* Systems: a shape with its functions and children. */
#include "base/sync.h"
#include "system/structure/shape-private.h"

WeirSystem *
weir_system_new (WeirShape *shape)
{
  WeirSystem *self = g_new0 (WeirSystem, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->root_mutex);
  self->shape = shape;
  return self;
}

WeirSystem *
weir_system_ref (WeirSystem *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
free_root_part (WeirRootPart *part)
{
  if (part->value != NULL)
    part->free (part->value);
}

void
weir_system_unref (WeirSystem *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  free_root_part (&self->evaluator); /* refers to the layout */
  free_root_part (&self->layout);
  free_root_part (&self->native);
  g_mutex_clear (&self->root_mutex);
  for (guint i = 0; i < self->shape->n_children; i++)
    weir_system_unref (self->children[i]);
  g_free (self->children);
  g_clear_pointer (&self->code, g_array_unref);
  g_clear_pointer (&self->event_code, g_array_unref);
  if (self->unit_destroy != NULL)
    self->unit_destroy (self->unit.data);
  weir_shape_unref (self->shape);
  g_free (self);
}

const char *
weir_system_get_kind (const WeirSystem *self)
{
  return self->shape->kind;
}

gboolean
weir_system_is_diagram (const WeirSystem *self)
{
  return self->shape->is_diagram;
}

guint64
weir_system_get_n_numbers (const WeirSystem *self)
{
  const WeirShape *shape = self->shape;
  guint64 n = (guint64) shape->nq + shape->nv + shape->nz;

  for (guint i = 0; i < shape->parameters->len; i++)
    n += g_array_index (shape->parameters, WeirVectorDecl, i).size;
  for (guint i = 0; i < shape->groups->len; i++)
    n += g_array_index (shape->groups, WeirVectorDecl, i).size;
  for (guint i = 0; i < shape->entries->len; i++)
    n += g_array_index (shape->entries, WeirEntryDecl, i).size;
  n += (guint64) shape->inputs->len * shape->outputs->len / sizeof (double);
  return n;
}

guint
weir_system_get_n_inputs (const WeirSystem *self)
{
  return self->shape->inputs->len;
}

guint
weir_system_get_n_outputs (const WeirSystem *self)
{
  return self->shape->outputs->len;
}

const char *
weir_system_get_input_name (const WeirSystem *self, WeirInput in)
{
  return weir_shape_input (self->shape, in.i)->name;
}

const char *
weir_system_get_output_name (const WeirSystem *self, WeirOutput out)
{
  return weir_shape_output (self->shape, out.i)->name;
}

guint
weir_system_get_input_size (const WeirSystem *self, WeirInput in)
{
  return weir_shape_input (self->shape, in.i)->size;
}

guint
weir_system_get_output_size (const WeirSystem *self, WeirOutput out)
{
  return weir_shape_output (self->shape, out.i)->size;
}

gboolean
weir_system_find_input (const WeirSystem *self, const char *name, WeirInput *in)
{
  for (guint i = 0; i < self->shape->inputs->len; i++)
    if (g_str_equal (weir_shape_input (self->shape, i)->name, name))
      {
        in->i = (guint16) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_system_find_output (const WeirSystem *self, const char *name, WeirOutput *out)
{
  for (guint i = 0; i < self->shape->outputs->len; i++)
    if (g_str_equal (weir_shape_output (self->shape, i)->name, name))
      {
        out->i = (guint16) i;
        return TRUE;
      }
  return FALSE;
}

guint
weir_system_get_n_children (const WeirSystem *self)
{
  return self->shape->n_children;
}

WeirSystem *
weir_system_get_child (const WeirSystem *self, guint i, const char **name)
{
  g_return_val_if_fail (i < self->shape->n_children, NULL);

  if (name != NULL)
    *name = self->shape->child_names[i];
  return self->children[i];
}

gboolean
weir_system_has_direct_feedthrough (const WeirSystem *self, WeirInput in, WeirOutput out)
{
  return self->shape->feedthrough[out.i * self->shape->inputs->len + in.i] != 0;
}

const WeirUnitKind *
weir_system_get_unit (const WeirSystem *self)
{
  return self->shape->is_unit ? &self->unit : NULL;
}

/* --- As a root ------------------------------------------------------------------------------- */

gpointer
weir_system_make_root_part (WeirSystem *self, WeirRootPart *part,
                            gpointer (*make) (WeirSystem *self), GDestroyNotify free)
{
  gpointer value;

  weir_sync_lock (&self->root_mutex);
  value = g_atomic_pointer_get (&part->value);
  if (value == NULL)
    {
      value = make (self);
      part->free = free;
      g_atomic_pointer_set (&part->value, value);
    }
  weir_sync_unlock (&self->root_mutex);
  return value;
}
