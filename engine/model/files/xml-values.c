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

guint32
weir_reading_take_id (WeirReading *r)
{
  guint32 id = (guint32) g_ascii_strtoull (weir_xml_get_attribute (&r->xml, "id"), NULL, 10);
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
                        weir_reading_dup_attribute (r, "value"), weir_xml_get_line (&r->xml) };

  g_array_append_val (pairs, pair);
}

/* An assertion: its sentence and its reason. */
void
weir_reading_add_assertion (WeirReading *r)
{
  WeirTextPair pair = { weir_reading_dup_attribute (r, "text"),
                        weir_reading_dup_attribute (r, "reason"), weir_xml_get_line (&r->xml) };

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
