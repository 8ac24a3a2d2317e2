/* Units of SSP files, and what becomes of values on their way. See ssp-private.h. */
#include "model/structures/ssp-private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "numerics/number.h"

/* In the order of WeirFmuUnit. */
static const char *const base_units[WEIR_FMU_N_BASE_UNITS] = {
  "kg", "m", "s", "A", "K", "mol", "cd", "rad",
};

GHashTable *
weir_ssp_read_units (WeirStructureReading *r, const WeirMarkup *units)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < weir_markup_get_size (units); i++)
    {
      const WeirMarkup *element = weir_markup_get_child (units, i);
      const WeirMarkup *base = weir_markup_find (element, "BaseUnit");
      const char *name = weir_markup_get (element, "name");
      WeirFmuUnit *unit;

      if (name == NULL || base == NULL)
        continue;
      unit = g_new0 (WeirFmuUnit, 1);
      unit->has_base = TRUE;
      unit->factor = 1;
      weir_structure_get_number (r, base, "factor", &unit->factor);
      weir_structure_get_number (r, base, "offset", &unit->offset);
      for (guint k = 0; k < WEIR_FMU_N_BASE_UNITS; k++)
        {
          double exponent = 0;

          weir_structure_get_number (r, base, base_units[k], &exponent);
          unit->exponents[k] = (int) CLAMP (exponent, -1000, 1000);
        }
      g_hash_table_replace (table, g_strdup (name), unit);
    }
  return table;
}

const WeirFmuUnit *
weir_ssp_find_unit (GHashTable *units, const char *name)
{
  return name != NULL ? g_hash_table_lookup (units, name) : NULL;
}

const WeirFmuUnit *
weir_ssp_find_unit_of (const WeirPart *part, const char *variable)
{
  const WeirFmuVariable *v = weir_part_find_variable (part, variable);
  guint unit = v != NULL && v->traits.unit != NULL
                   ? weir_fmu_description_find_unit (part->source->description, v->traits.unit)
                   : WEIR_FMU_NONE;

  return unit != WEIR_FMU_NONE ? &part->source->description->units[unit] : NULL;
}

gboolean
weir_ssp_convert (const WeirFmuUnit *from, const WeirFmuUnit *to, double *factor, double *offset)
{
  *factor = 1;
  *offset = 0;
  if (from == NULL || to == NULL || !from->has_base || !to->has_base)
    return TRUE;
  if (memcmp (from->exponents, to->exponents, sizeof from->exponents) != 0 || to->factor == 0)
    return FALSE;
  *factor = from->factor / to->factor;
  *offset = (from->offset - to->offset) / to->factor;
  return TRUE;
}

/* --- Transformations ------------------------------------------------------------------------- */

WeirSspTransformation
weir_ssp_read_transformation (WeirSsp *self, const WeirMarkup *element)
{
  WeirSspTransformation t = { 1, 0, NULL };

  for (guint i = 0; i < weir_markup_get_size (element); i++)
    {
      const WeirMarkup *child = weir_markup_get_child (element, i);

      if (weir_markup_is (child, "LinearTransformation"))
        {
          weir_structure_get_number (self->r, child, "factor", &t.factor);
          weir_structure_get_number (self->r, child, "offset", &t.offset);
        }
      else if (weir_markup_is (child, "BooleanMappingTransformation")
               || weir_markup_is (child, "IntegerMappingTransformation"))
        t.map = child;
      else if (g_str_has_suffix (child->name, "Transformation"))
        weir_structure_warn (self->r, "STR06", child->line,
                             N_ ("<%s> is not made: the value passes as it is."), child->name);
    }
  return t;
}

/* A number, or true or false; FALSE: neither. */
static gboolean
read_entry (const WeirMarkup *entry, const char *attribute, double *value)
{
  const char *text = weir_markup_get (entry, attribute);

  if (g_strcmp0 (text, "true") == 0 || g_strcmp0 (text, "false") == 0)
    {
      *value = *text == 't';
      return TRUE;
    }
  return weir_markup_get_number (entry, attribute, value);
}

char *
weir_ssp_dup_expression (WeirSsp *self, const WeirMarkup *map)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char source[G_ASCII_DTOSTR_BUF_SIZE], target[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < MIN (weir_markup_get_size (map), 1000); i++)
    {
      const WeirMarkup *entry = weir_markup_get_child (map, i);
      double from, to;

      if (!weir_markup_is (entry, "MapEntry"))
        continue;
      if (!read_entry (entry, "source", &from) || !read_entry (entry, "target", &to))
        weir_structure_fail (self->r, "STR02", entry->line,
                             N_ ("An entry of <%s> needs a source and a target."), map->name);
      else
        g_string_append_printf (text, "if u == %s then %s else ",
                                weir_number_to_text (from, source),
                                weir_number_to_text (to, target));
    }
  g_string_append (text, "u");
  return g_strdup (text->str);
}
