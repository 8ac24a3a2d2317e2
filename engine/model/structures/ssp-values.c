/* Values that an .ssd binds to parts: sets of them (.ssv), written in it or in files of their own,
 * and mappings of their names (.ssm). See ssp-private.h.
 *
 * What stands later wins over what stands earlier, and what an outer system says over what an inner
 * one does.
 */
#include "model/structures/ssp-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "numerics/number.h"

#define MAX_VALUES 1000000

static void
value_free (gpointer data)
{
  WeirSspValue *self = data;

  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

void
weir_ssp_add_value (GPtrArray *values, const char *name, const WeirSspValue *like)
{
  WeirSspValue *value = g_new (WeirSspValue, 1);

  *value = *like;
  value->name = g_strdup (name);
  value->text = g_strdup (like->text);
  g_ptr_array_add (values, value);
}

const WeirMarkup *
weir_ssp_find_content (WeirSsp *self, const WeirMarkup *element, const char *inline_name,
                       const char *content_name, const char *component, WeirMarkup **owned)
{
  const char *source = weir_markup_get (element, "source");
  const char *base = weir_markup_get (element, "sourceBase");
  const WeirMarkup *within = inline_name != NULL ? weir_markup_find (element, inline_name)
                                                 : element;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *reference = NULL;

  if (source == NULL)
    return weir_markup_find (within, content_name);
  if (g_strcmp0 (base, "component") == 0 && component != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (component);

      reference = g_strcmp0 (folder, ".") == 0 ? g_strdup (source)
                                               : g_strconcat (folder, "/", source, NULL);
    }
  else
    reference = g_strdup (source);
  bytes = weir_origin_read (self->origin, reference, &error);
  if (bytes == NULL)
    {
      weir_structure_fail (self->r, "STR03", element->line, "%s", weir_error_get_text (error));
      return NULL;
    }
  *owned = weir_markup_read (bytes, source, self->r->diagnostics);
  if (*owned == NULL)
    {
      self->r->is_failed = TRUE; /* which has been told */
      return NULL;
    }
  if (weir_markup_is (*owned, content_name))
    return *owned;
  weir_structure_fail (self->r, "STR02", element->line,
                       N_ ("\"%s\" holds a <%s>, where a <%s> is expected."), source,
                       (*owned)->name, content_name);
  return NULL;
}

/* --- Mappings -------------------------------------------------------------------------------- */

static double
find_in_map (const WeirMarkup *map, double value)
{
  for (guint i = 0; i < weir_markup_get_size (map); i++)
    {
      const WeirMarkup *entry = weir_markup_get_child (map, i);
      const char *source = weir_markup_get (entry, "source");
      const char *target = weir_markup_get (entry, "target");
      double from = g_strcmp0 (source, "true") == 0, to = g_strcmp0 (target, "true") == 0;

      weir_markup_get_number (entry, "source", &from);
      weir_markup_get_number (entry, "target", &to);
      if (from == value)
        return to;
    }
  return value;
}

/* Each of the numbers in @text changed; what is none stays. (transfer full) */
static char *
transform (const char *text, const WeirSspTransformation *t)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);
  g_autoptr (GString) changed = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (t->factor == 1 && t->offset == 0 && t->map == NULL)
    return g_strdup (text);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *end;
      double value = strcmp (words[i], "true") == 0 ? 1 : g_ascii_strtod (words[i], &end);
      gboolean is_word = strcmp (words[i], "true") == 0 || strcmp (words[i], "false") == 0;

      if (*words[i] == '\0')
        continue;
      if (!is_word && (end == words[i] || *end != '\0'))
        return g_strdup (text);
      value = t->map != NULL ? find_in_map (t->map, value) : t->factor * value + t->offset;
      g_string_append_printf (changed, "%s%s", changed->len > 0 ? " " : "",
                              weir_number_to_text (value, buffer));
    }
  return g_strdup (changed->str);
}

/* @values under the names that @mapping gives them; only those that it names. */
static GPtrArray *
map_values (WeirSsp *self, const GPtrArray *values, const WeirMarkup *mapping)
{
  GPtrArray *mapped = g_ptr_array_new_with_free_func (value_free);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < values->len; i++)
    g_hash_table_insert (by_name, ((WeirSspValue *) values->pdata[i])->name, values->pdata[i]);
  for (guint i = 0; i < weir_markup_get_size (mapping); i++)
    {
      const WeirMarkup *entry = weir_markup_get_child (mapping, i);
      const char *source = weir_markup_get (entry, "source");
      const char *target = weir_markup_get (entry, "target");
      const WeirSspValue *value = source != NULL ? g_hash_table_lookup (by_name, source) : NULL;
      WeirSspTransformation t;
      WeirSspValue changed;

      if (!weir_markup_is (entry, "MappingEntry") || value == NULL || target == NULL)
        continue;
      t = weir_ssp_read_transformation (self, entry);
      changed = *value;
      changed.text = transform (value->text, &t);
      if (g_strcmp0 (weir_markup_get (entry, "suppressUnitConversion"), "true") == 0)
        changed.unit = (WeirFmuUnit) { 0 };
      weir_ssp_add_value (mapped, target, &changed);
      g_free (changed.text);
    }
  return mapped;
}

/* --- Sets ------------------------------------------------------------------------------------ */

static void
read_set (WeirSsp *self, const WeirMarkup *set, GPtrArray *values)
{
  const WeirMarkup *list = weir_markup_find (set, "Parameters");
  g_autoptr (GHashTable) units = weir_ssp_read_units (self->r, weir_markup_find (set, "Units"));

  for (guint i = 0; i < weir_markup_get_size (list) && values->len < MAX_VALUES; i++)
    {
      const WeirMarkup *parameter = weir_markup_get_child (list, i);
      const WeirMarkup *typed = weir_markup_get_size (parameter) > 0
                                    ? weir_markup_get_child (parameter, 0)
                                    : NULL;
      const char *name = weir_markup_get (parameter, "name");
      const char *text = weir_markup_get (typed, "value");
      WeirSspValue value = { NULL, (char *) text, { 0 }, parameter->line };
      const WeirFmuUnit *unit = weir_ssp_find_unit (units, weir_markup_get (typed, "unit"));

      if (name == NULL || text == NULL)
        {
          weir_structure_warn (self->r, "STR05", parameter->line,
                               N_ ("A parameter without a name or a value is passed over."));
          continue;
        }
      if (unit == NULL)
        unit = weir_ssp_find_unit (self->units, weir_markup_get (typed, "unit"));
      if (unit != NULL)
        value.unit = *unit;
      weir_ssp_add_value (values, name, &value);
    }
}

static void
read_binding (WeirSsp *self, const WeirMarkup *binding, const char *component, GPtrArray *values)
{
  const WeirMarkup *mapping_element = weir_markup_find (binding, "ParameterMapping");
  const char *type = weir_markup_get (binding, "type");
  const char *prefix = weir_markup_get (binding, "prefix");
  WeirMarkup *set_file = NULL, *mapping_file = NULL;
  const WeirMarkup *set, *mapping = NULL;
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func (value_free);

  if (type != NULL && strcmp (type, "application/x-ssp-parameter-set") != 0)
    {
      weir_structure_warn (self->r, "STR06", binding->line,
                           N_ ("Values of the kind \"%s\" are not read."), type);
      return;
    }
  set = weir_ssp_find_content (self, binding, "ParameterValues", "ParameterSet", component,
                               &set_file);
  if (set != NULL)
    read_set (self, set, own);
  if (mapping_element != NULL)
    mapping = weir_ssp_find_content (self, mapping_element, NULL, "ParameterMapping", component,
                                     &mapping_file);
  for (guint i = 0; prefix != NULL && i < own->len; i++)
    {
      WeirSspValue *value = own->pdata[i];
      char *longer = g_strconcat (prefix, value->name, NULL);

      g_free (value->name);
      value->name = longer;
    }
  if (mapping != NULL)
    {
      GPtrArray *mapped = map_values (self, own, mapping);

      g_ptr_array_unref (own);
      own = mapped;
    }
  g_ptr_array_extend_and_steal (values, g_steal_pointer (&own));
  g_clear_pointer (&set_file, weir_markup_free);
  g_clear_pointer (&mapping_file, weir_markup_free);
}

GPtrArray *
weir_ssp_read_values (WeirSsp *self, const WeirMarkup *element, const char *component)
{
  const WeirMarkup *list = weir_markup_find (element, "ParameterBindings");
  GPtrArray *values = g_ptr_array_new_with_free_func (value_free);

  for (guint i = 0; i < weir_markup_get_size (list) && !self->r->is_failed; i++)
    read_binding (self, weir_markup_get_child (list, i), component, values);
  return values;
}

void
weir_ssp_set_values (WeirSsp *self, WeirPart *part, const GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    {
      const WeirSspValue *value = g_ptr_array_index (values, i);
      WeirSspTransformation t = { 1, 0, NULL };
      g_autofree char *text = NULL;

      if (!weir_ssp_convert (&value->unit, weir_ssp_find_unit_of (part, value->name), &t.factor,
                             &t.offset))
        weir_structure_warn (self->r, "STR05", value->line,
                             N_ ("%s.%s: the value's unit does not measure the same as the "
                                 "variable's, and is left aside."),
                             part->name, value->name);
      text = transform (value->text, &t);
      if (!weir_part_set_start (part, self->r, value->name, text, value->line))
        weir_structure_warn (self->r, "STR05", value->line,
                             N_ ("%s has no variable \"%s\" to give a value to."), part->name,
                             value->name);
    }
}
