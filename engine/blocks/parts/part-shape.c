/* Parts by what their blocks say: what options and counts make of a type. */
#include "blocks/parts/part-private.h"

#include <string.h>

#include "base/error.h"
#include "base/sync.h"

/* The text was read with all options and with none; another choice may still make no sense, and
 * then the part is what it is by default, with the problem. What it would have with all options is
 * told apart from what nobody has. */
static WeirPartType *
shape (const WeirArguments *arguments)
{
  const WeirPartType *whole = weir_arguments_get_type (arguments)->part;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parts = weir_parts_parse_as (
      whole->text, (WeirPartReading) { .arguments = arguments }, &error);
  g_autoptr (GPtrArray)
      all = weir_parts_parse_as (whole->text, (WeirPartReading) { .has_all = TRUE }, NULL);
  WeirPartType *part;

  if (parts == NULL)
    parts = weir_parts_parse_as (whole->text, (WeirPartReading) { .file = NULL }, NULL);
  g_assert (parts != NULL && parts->len == 1 && all != NULL && all->len == 1);
  part = parts->pdata[0];
  part->problem = error != NULL ? g_strdup (weir_error_get_text (error)) : NULL;
  for (guint i = 0; i < ((WeirPartType *) all->pdata[0])->pins->len; i++)
    {
      const char *name = g_array_index (((WeirPartType *) all->pdata[0])->pins, WeirPinSpec, i)
                             .name;

      if (weir_part_type_find_pin (part, name, strlen (name)) == WEIR_NO_PIN)
        g_ptr_array_add (part->absent, (gpointer) name);
    }
  weir_part_type_free (all->pdata[0]);
  return part;
}

/* Of each choice one, for good: most blocks of a type make the same. */
static gpointer
find_shape (const WeirArguments *arguments)
{
  static GMutex mutex;
  static GHashTable *shapes; /* type and choices to WeirPartType */
  const WeirBlockType *type = weir_arguments_get_type (arguments);
  g_autoptr (GString) key = g_string_new (type->name);
  WeirPartType *part;

  for (guint i = 0; i < type->n_parameters; i++)
    if (type->parameters[i].kind == WEIR_VALUE_CHOICE)
      g_string_append_printf (key, " %s",
                              weir_arguments_get_text (arguments, type->parameters[i].name));
    else if (type->parameters[i].kind == WEIR_VALUE_INTEGER)
      g_string_append_printf (
          key, " %d", (int) weir_arguments_get_integer (arguments, type->parameters[i].name));
  weir_sync_lock (&mutex);
  if (shapes == NULL)
    shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  part = g_hash_table_lookup (shapes, key->str);
  if (part == NULL)
    {
      part = shape (arguments);
      g_hash_table_insert (shapes, g_strdup (key->str), part);
    }
  weir_sync_unlock (&mutex);
  return part;
}

static void
keep_shape (G_GNUC_UNUSED gpointer part)
{
}

const WeirPartType *
weir_arguments_get_part (const WeirArguments *self)
{
  const WeirBlockType *type = weir_arguments_get_type (self);

  if (type->find_part != NULL)
    return type->find_part (self);
  if (type->part == NULL || !type->part->is_shaped)
    return type->part;
  return weir_arguments_get_derived (self, find_shape, keep_shape);
}
