/* The values of attributes while a file is read, and the lists that they make; and the problem that
 * ends the reading. */
#include "model/files/xml-private.h"
#include "base/text.h"
#include "numerics/number.h"

#include <string.h>

char *
weir_reading_dup_attribute (WeirReading *r, const char *name)
{
  return g_strdup (weir_xml_get_attribute (&r->xml, name));
}

gboolean
weir_reading_get_number (WeirReading *r, const char *name, double *number)
{
  const char *text = weir_xml_get_attribute (&r->xml, name);

  if (text == NULL)
    return FALSE;
  *number = weir_number_read (text, NULL);
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

guint64
weir_reading_get_whole (const char *text)
{
  guint64 number = 0;
  guint n = 0;

  for (; n < 19 && g_ascii_isdigit (text[n]); n++)
    number = 10 * number + (guint64) (text[n] - '0');
  return n > 0 && n < 19 ? number : g_ascii_strtoull (text, NULL, 10);
}

guint32
weir_reading_take_id (WeirReading *r)
{
  guint32 id = (guint32) weir_reading_get_whole (weir_xml_get_attribute (&r->xml, "id"));
  gpointer first;

  if (g_hash_table_lookup_extended (r->ids, GUINT_TO_POINTER (id), NULL, &first))
    weir_xml_fail (&r->xml, "XML04", weir_xml_get_line (&r->xml),
                   N_ ("The id %u is given twice; line %d has it too."), id,
                   GPOINTER_TO_INT (first));
  else
    g_hash_table_insert (r->ids, GUINT_TO_POINTER (id),
                         GINT_TO_POINTER (weir_xml_get_line (&r->xml)));
  return id;
}

GArray *
weir_reading_pairs_new (void)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (WeirTextPair));

  g_array_set_clear_func (pairs, (GDestroyNotify) weir_text_pair_clear);
  return pairs;
}

void
weir_reading_add_pair (WeirReading *r, GArray *pairs, const char *name, const char *text)
{
  const char *given_name = weir_xml_get_attribute (&r->xml, name);
  const char *given_text = weir_xml_get_attribute (&r->xml, text);
  WeirTextPair pair = { g_ref_string_new_intern (given_name),
                        g_ref_string_new (given_text != NULL ? given_text : ""),
                        weir_xml_get_line (&r->xml) };

  g_array_append_val (pairs, pair);
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
  const char *type = weir_xml_get_attribute (&r->xml, "type");
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
    weir_xml_fail (&r->xml, "XML04", weir_xml_get_line (&r->xml),
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
    weir_xml_fail (&r->xml, "XML04", weir_xml_get_line (&r->xml),
                   N_ ("The %s '%s' is given twice."), what, twice);
  g_array_set_size (pairs, 0);
  return texts;
}
