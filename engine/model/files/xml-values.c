/* The values of attributes while a file is read, and the lists that they make; and the problem that
 * ends the reading. */
#include "model/files/xml-private.h"
#include "base/text.h"

#include <string.h>

void
weir_reading_fail (WeirReading *r, const char *code, int line, const char *format, ...)
{
  va_list args;

  if (r->code != NULL)
    return;
  r->code = code;
  r->line = line;
  va_start (args, format);
  r->sentence = weir_message_new_valist (format, args);
  va_end (args);
}

int
weir_reading_get_line (const WeirReading *r)
{
  return r->xml->input != NULL ? r->xml->input->line : 0;
}

void
weir_reading_take_attributes (WeirReading *r, const xmlChar **attributes, int n)
{
  gsize size = 0;
  char *at;

  for (int i = 0; i < n; i++)
    size += (gsize) (attributes[5 * i + 4] - attributes[5 * i + 3]) + 1;
  g_byte_array_set_size (r->values, (guint) size);
  g_array_set_size (r->attributes, 0);
  at = (char *) r->values->data;
  for (int i = 0; i < n; i++)
    {
      const xmlChar **parts = attributes + 5 * i;
      WeirAttribute attribute = { (const char *) parts[0], at };
      gsize length = (gsize) (parts[4] - parts[3]);

      if (parts[2] != NULL)
        continue;
      memcpy (at, parts[3], length);
      at[length] = '\0';
      at += length + 1;
      g_array_append_val (r->attributes, attribute);
    }
}

const char *
weir_reading_get_attribute (const WeirReading *r, const char *name)
{
  for (guint i = 0; i < r->attributes->len; i++)
    {
      const WeirAttribute *attribute = &g_array_index (r->attributes, WeirAttribute, i);

      if (attribute->name[0] == name[0] && strcmp (attribute->name, name) == 0)
        return attribute->value;
    }
  return NULL;
}

char *
weir_reading_dup_attribute (WeirReading *r, const char *name)
{
  return g_strdup (weir_reading_get_attribute (r, name));
}

gboolean
weir_reading_get_number (WeirReading *r, const char *name, double *number)
{
  const char *text = weir_reading_get_attribute (r, name);

  if (text == NULL)
    return FALSE;
  *number = g_ascii_strtod (text, NULL);
  return TRUE;
}

WeirPoint
weir_reading_get_point (WeirReading *r, const char *x, const char *y)
{
  WeirPoint point = { 0, 0 };

  weir_reading_get_number (r, x, &point.x);
  weir_reading_get_number (r, y, &point.y);
  return point;
}

guint32
weir_reading_take_id (WeirReading *r)
{
  guint32 id = (guint32) g_ascii_strtoull (weir_reading_get_attribute (r, "id"), NULL, 10);
  gpointer first;

  if (g_hash_table_lookup_extended (r->ids, GUINT_TO_POINTER (id), NULL, &first))
    weir_reading_fail (r, "XML04", weir_reading_get_line (r),
                       N_ ("The id %u is given twice; line %d has it too."), id,
                       GPOINTER_TO_INT (first));
  else
    g_hash_table_insert (r->ids, GUINT_TO_POINTER (id),
                         GINT_TO_POINTER (weir_reading_get_line (r)));
  return id;
}

static void
text_pair_clear (gpointer data)
{
  WeirTextPair *pair = data;

  g_free ((char *) pair->name);
  g_free ((char *) pair->text);
}

GArray *
weir_reading_pairs_new (void)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (WeirTextPair));

  g_array_set_clear_func (pairs, text_pair_clear);
  return pairs;
}

void
weir_reading_add_pair (WeirReading *r, GArray *pairs)
{
  WeirTextPair pair = { weir_reading_dup_attribute (r, "name"),
                        weir_reading_dup_attribute (r, "value"), weir_reading_get_line (r) };

  g_array_append_val (pairs, pair);
}

/* An assertion: its sentence and its reason. */
void
weir_reading_add_assertion (WeirReading *r)
{
  WeirTextPair pair = { weir_reading_dup_attribute (r, "text"),
                        weir_reading_dup_attribute (r, "reason"), weir_reading_get_line (r) };

  if (pair.text == NULL)
    pair.text = g_strdup ("");
  g_array_append_val (r->pairs, pair);
}

static void
metadata_item_clear (gpointer data)
{
  WeirMetadataItem *item = data;

  g_free ((char *) item->of);
  g_free ((char *) item->name);
  g_free ((char *) item->text);
}

GArray *
weir_reading_items_new (void)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (WeirMetadataItem));

  g_array_set_clear_func (items, metadata_item_clear);
  return items;
}

void
weir_reading_add_item (WeirReading *r, GArray *items)
{
  const char *type = weir_reading_get_attribute (r, "type");
  WeirMetadataItem item = { weir_reading_dup_attribute (r, "of"),
                            weir_reading_dup_attribute (r, "name"), WEIR_METADATA_TEXT,
                            weir_reading_dup_attribute (r, "value") };

  if (item.of == NULL)
    item.of = g_strdup ("");
  if (type != NULL)
    weir_metadata_type_find (type, &item.type);
  g_array_append_val (items, item);
}

WeirMetadata *
weir_reading_take_metadata (WeirReading *r, GArray *items)
{
  const char *twice;
  WeirMetadata *metadata = weir_metadata_new ((WeirMetadataItem *) (void *) items->data, items->len,
                                              &twice);

  if (twice != NULL)
    weir_reading_fail (r, "XML04", weir_reading_get_line (r),
                       N_ ("The metadata '%s' is given twice."), twice);
  g_array_set_size (items, 0);
  return metadata;
}

WeirTexts *
weir_reading_take_pairs (WeirReading *r, GArray *pairs, const char *what)
{
  const char *twice;
  WeirTexts *texts = weir_texts_new ((WeirTextPair *) (void *) pairs->data, pairs->len, &twice);

  if (twice != NULL)
    weir_reading_fail (r, "XML04", weir_reading_get_line (r), N_ ("The %s '%s' is given twice."),
                       what, twice);
  g_array_set_size (pairs, 0);
  return texts;
}
