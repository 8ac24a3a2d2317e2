/* Abstract values at ports of units (system/structure/leaf.h), beside the numbers: one reference
 * each, to values that never change, so that tasks may read them while others do. See
 * cosim-private.h.
 */
#include "base/error.h"
#include "cosim/cosim-private.h"

static void
free_values (GVariant **values, guint n)
{
  for (guint i = 0; i < n && values != NULL; i++)
    g_clear_pointer (&values[i], g_variant_unref);
  g_free (values);
}

void
weir_participant_init_abstract (WeirParticipant *self)
{
  self->abstract_u = g_new0 (GVariant *, self->info.n_abstract_u + 1);
  self->abstract_y = g_new0 (GVariant *, self->info.n_abstract_y + 1);
  self->abstract_y_new = g_new0 (GVariant *, self->info.n_abstract_y + 1);
  self->abstract_y_trial = g_new0 (GVariant *, self->info.n_abstract_y + 1);
}

void
weir_participant_clear_abstract (WeirParticipant *self)
{
  free_values (self->abstract_u, self->info.n_abstract_u);
  free_values (self->abstract_y, self->info.n_abstract_y);
  free_values (self->abstract_y_new, self->info.n_abstract_y);
  free_values (self->abstract_y_trial, self->info.n_abstract_y);
}

void
weir_abstract_set (GVariant **to, GVariant *from)
{
  GVariant *old = *to;

  *to = from != NULL ? g_variant_ref (from) : NULL;
  if (old != NULL)
    g_variant_unref (old);
}

void
weir_participant_copy_abstract (const WeirParticipant *self, GVariant **to, GVariant *const *from)
{
  for (guint i = 0; i < self->info.n_abstract_y; i++)
    weir_abstract_set (&to[i], from[i]);
}

void
weir_participant_tell_abstract (WeirParticipant *self)
{
  if (self->info.n_abstract_u > 0)
    self->info.kind->unit_class->set_abstract_inputs (self->instance, self->abstract_u);
}

gboolean
weir_participant_get_abstract (WeirParticipant *self, GVariant **values, GError **error)
{
  WeirLayout *layout = self->cosim->layout;
  guint n = self->info.n_abstract_y;
  g_autofree GVariant **got = g_new0 (GVariant *, n + 1);
  gboolean ok = TRUE;

  if (n == 0)
    return TRUE;
  self->info.kind->unit_class->get_abstract_outputs (self->instance, got);
  for (guint k = 0, i = 0; k < self->info.n_outputs; k++)
    {
      WeirOutput out = { (guint16) k };
      const GVariantType *type = weir_layout_get_output_type (layout, self->info.node, out);

      if (type == NULL)
        continue;
      if (ok && (got[i] == NULL || !g_variant_is_of_type (got[i], type)))
        {
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "its output %s is of type \"%s\", but \"%.*s\" was declared",
                          weir_layout_get_output_name (layout, self->info.node, out),
                          got[i] != NULL ? g_variant_get_type_string (got[i]) : "",
                          (int) g_variant_type_get_string_length (type),
                          g_variant_type_peek_string (type));
          ok = FALSE;
        }
      if (values[i] != NULL)
        g_variant_unref (values[i]);
      values[i] = ok ? g_variant_take_ref (got[i]) : NULL;
      if (!ok && got[i] != NULL)
        g_variant_unref (g_variant_take_ref (got[i]));
      i++;
    }
  return ok;
}

gboolean
weir_participant_is_abstract_same (const WeirParticipant *self, GVariant *const *a,
                                   GVariant *const *b)
{
  for (guint i = 0; i < self->info.n_abstract_y; i++)
    if (a[i] != b[i] && (a[i] == NULL || b[i] == NULL || !g_variant_equal (a[i], b[i])))
      return FALSE;
  return TRUE;
}

gboolean
weir_abstract_put (WeirContext *context, WeirNode node, WeirGroup group, GVariant *value)
{
  GVariant *old = weir_context_get_abstract_state (context, node, group);

  return old != value && !g_variant_equal (old, value)
         && weir_context_set_abstract_state (context, node, group, value, NULL);
}
