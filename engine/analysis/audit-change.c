/* What an audit changes a source to, and back. See audit-private.h. */
#include "analysis/audit-private.h"
#include "system/context/source-values.h"

#include <math.h>

/* splitmix64: uniform bits from a counter. */
double
weir_audit_next_random (WeirAudit *self)
{
  guint64 z = self->random += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  z ^= z >> 31;
  return (double) (z >> 11) * 0x1p-53 * 6 - 3;
}

static double
change_number (WeirAudit *self, guint change, double old, guint i)
{
  switch (change)
    {
    case WEIR_AUDIT_CHANGE_NEGATE:
      return old == 0 ? -1 : -old;
    case WEIR_AUDIT_CHANGE_ADD_ONE:
      return old + 1;
    case WEIR_AUDIT_CHANGE_ZERO:
      return 0;
    case WEIR_AUDIT_CHANGE_A_LITTLE:
      return old * (1 + 0x1p-20) + 0x1p-24;
    case WEIR_AUDIT_CHANGE_LARGE:
      return 1e6 * (i + 1);
    case WEIR_AUDIT_CHANGE_SMALL_NEGATIVE:
      return -0x1p-10 / (i + 1);
    case WEIR_AUDIT_CHANGE_NAN:
      return (double) NAN;
    default:
      return weir_audit_next_random (self);
    }
}

/* Values that a type of abstract values has; NULL if none is known. */
static GVariant *
change_variant (WeirAudit *self, guint change, GVariant *old)
{
  const GVariantType *type = g_variant_get_type (old);

  if (change > WEIR_AUDIT_CHANGE_LARGE)
    return NULL;
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_new_boolean (!g_variant_get_boolean (old));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_DOUBLE))
    return g_variant_new_double (change_number (self, change, g_variant_get_double (old), 0));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT32))
    return g_variant_new_int32 ((gint32) change - 1);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_UINT32))
    return g_variant_new_uint32 (change);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT64))
    return g_variant_new_int64 ((gint64) change - 1);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    return g_variant_new_take_string (
        change == WEIR_AUDIT_CHANGE_ZERO
            ? g_strdup ("")
            : g_strdup_printf ("%s%u", g_variant_get_string (old, NULL), change));
  if (g_variant_type_equal (type, G_VARIANT_TYPE ("ad")))
    {
      gsize n;
      const double *numbers = g_variant_get_fixed_array (old, &n, sizeof *numbers);
      g_autofree double *changed = g_new0 (double, n + 1);

      for (gsize i = 0; i < n; i++)
        changed[i] = change_number (self, change, numbers[i], (guint) i);
      return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, changed,
                                        change == WEIR_AUDIT_CHANGE_ADD_ONE ? n + 1 : n,
                                        sizeof *changed);
    }
  return NULL;
}

void
weir_audit_keep_source (WeirAuditValue *value, const WeirContext *context,
                        const WeirSourceInfo *source)
{
  guint size;

  value->has = TRUE;
  value->size = source->size;
  if (source->type != NULL)
    {
      value->variant = weir_context_get_ticket_variant (context, source->node, source->ticket);
      if (value->variant != NULL)
        g_variant_ref (value->variant);
    }
  else
    value->doubles = g_memdup2 (
        weir_context_get_ticket_value (context, source->node, source->ticket, &size),
        source->size * sizeof (double));
}

void
weir_audit_put_source (WeirContext *context, const WeirSourceInfo *source,
                       const WeirAuditValue *value)
{
  if (value->variant != NULL)
    weir_context_set_source_variant (context, source, value->variant);
  else if (source->type == NULL)
    weir_context_set_source (context, source, value->doubles);
}

gboolean
weir_audit_make_change (WeirAudit *self, const WeirSourceInfo *source, guint change,
                        const WeirAuditValue *old, WeirAuditValue *new)
{
  *new = (WeirAuditValue) { .has = TRUE, .size = old->size };
  if (source->type != NULL)
    {
      if (old->variant == NULL
          || (new->variant = change_variant (self, change, old->variant)) == NULL)
        return FALSE;
      g_variant_ref_sink (new->variant);
    }
  else
    {
      gboolean is_scale = source->ticket.i == WEIR_TICKET_ACCURACY;

      if (change == WEIR_AUDIT_CHANGE_NAN && weir_ticket_is_common (source->ticket))
        return FALSE;
      new->doubles = g_new (double, MAX (old->size, 1));
      for (guint i = 0; i < old->size; i++)
        {
          new->doubles[i] = change_number (self, change, old->doubles[i], i);
          if (is_scale)
            new->doubles[i] = fabs (new->doubles[i]);
        }
    }
  if (!weir_audit_value_is_same (old, new))
    return TRUE;
  weir_audit_value_clear (new);
  return FALSE;
}
