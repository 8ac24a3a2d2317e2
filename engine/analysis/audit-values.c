/* Values of entries, for comparing. See audit-private.h. */
#include "analysis/audit-private.h"

#include <string.h>

#include "base/text.h"

WeirAuditValue *
weir_audit_values_new (const WeirLayout *layout)
{
  guint n = weir_layout_get_n_entries (layout);
  WeirAuditValue *values = g_new0 (WeirAuditValue, MAX (n, 1));

  for (guint32 e = 0; e < n; e++)
    {
      values[e].size = weir_layout_get_entry (layout, (WeirEntry) { e }).size;
      values[e].doubles = g_new0 (double, MAX (values[e].size, 1));
    }
  return values;
}

void
weir_audit_value_clear (WeirAuditValue *self)
{
  g_clear_pointer (&self->doubles, g_free);
  g_clear_pointer (&self->variant, g_variant_unref);
}

void
weir_audit_values_free (WeirAuditValue *self, guint n_entries)
{
  for (guint e = 0; e < n_entries; e++)
    weir_audit_value_clear (&self[e]);
  g_free (self);
}

void
weir_audit_value_eval (WeirAuditValue *self, WeirSystem *root, WeirContext *context,
                       WeirEntry entry)
{
  g_clear_pointer (&self->variant, g_variant_unref);
  if (weir_layout_get_entry (weir_context_get_layout (context), entry).type != NULL)
    {
      GVariant *variant = weir_eval_abstract_entry (root, context, entry);

      self->has = variant != NULL;
      self->variant = variant != NULL ? g_variant_ref (variant) : NULL;
    }
  else
    {
      const double *value = weir_eval_entry (root, context, entry);

      self->has = value != NULL;
      if (value != NULL)
        memcpy (self->doubles, value, self->size * sizeof *value);
    }
}

void
weir_audit_value_calc (WeirAuditValue *self, WeirSystem *root, WeirContext *context,
                       WeirEntry entry)
{
  g_clear_pointer (&self->variant, g_variant_unref);
  if (weir_layout_get_entry (weir_context_get_layout (context), entry).type != NULL)
    self->has = weir_calc_abstract_entry (root, context, entry, &self->variant) == WEIR_OK;
  else
    self->has = weir_calc_entry (root, context, entry, self->doubles) == WEIR_OK;
}

gboolean
weir_audit_value_is_same (const WeirAuditValue *a, const WeirAuditValue *b)
{
  if (!a->has || !b->has)
    return a->has == b->has;
  if (a->variant != NULL || b->variant != NULL)
    return a->variant != NULL && b->variant != NULL && g_variant_equal (a->variant, b->variant);
  return memcmp (a->doubles, b->doubles, a->size * sizeof *a->doubles) == 0;
}

void
weir_audit_value_copy (WeirAuditValue *to, const WeirAuditValue *from)
{
  g_clear_pointer (&to->variant, g_variant_unref);
  to->has = from->has;
  to->variant = from->variant != NULL ? g_variant_ref (from->variant) : NULL;
  memcpy (to->doubles, from->doubles, from->size * sizeof *from->doubles);
}

char *
weir_audit_value_to_string (const WeirAuditValue *self)
{
  if (!self->has)
    return g_strdup (_ ("no value: the calculation fails"));
  if (self->variant != NULL)
    return g_variant_print (self->variant, TRUE);
  return weir_audit_dup_numbers (self->doubles, self->size);
}
