/* XML files that are small enough to be kept as a tree. See structures-private.h. */
#include "model/structures/structures-private.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xml.h"
#include "numerics/number.h"

#define MAX_ELEMENTS 1000000
#define MAX_DEPTH (2 * WEIR_MAX_DEPTH)

typedef struct {
  WeirXml xml;
  GPtrArray *open; /* borrowed, the innermost last */
  GString *text;   /* since the innermost began or the last one in it ended */
  WeirMarkup *root;
  guint n_elements;
} Reading;

static void
markup_free (gpointer data)
{
  weir_markup_free (data);
}

void
weir_markup_free (WeirMarkup *self)
{
  g_ptr_array_unref (self->children);
  g_strfreev (self->attributes);
  g_free (self->name);
  g_free (self->text);
  g_free (self);
}

/* Those without a namespace. */
static char **
dup_attributes (const Reading *r, const char *const *attributes, guint n)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      const char *name = attributes[5 * i];
      const char *value = attributes[5 * i + 2] == NULL ? weir_xml_get_attribute (&r->xml, name)
                                                        : NULL;

      if (value == NULL)
        continue;
      g_ptr_array_add (list, g_strdup (name));
      g_ptr_array_add (list, g_strdup (value));
    }
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_steal (list, NULL);
}

static void
take_text (Reading *r)
{
  WeirMarkup *open = r->open->len > 0 ? g_ptr_array_index (r->open, r->open->len - 1) : NULL;

  if (open != NULL && open->text == NULL && *g_strstrip (r->text->str) != '\0')
    open->text = g_strdup (r->text->str);
  g_string_truncate (r->text, 0);
}

static void
note_start (gpointer data, const char *name, G_GNUC_UNUSED const char *uri,
            const char *const *attributes, guint n_attributes)
{
  Reading *r = data;
  WeirMarkup *element;

  if (++r->n_elements > MAX_ELEMENTS || r->open->len >= MAX_DEPTH)
    {
      weir_xml_fail (&r->xml, "XML05", weir_xml_get_line (&r->xml),
                     N_ ("The file has more than %d elements, or more than %d in one another."),
                     MAX_ELEMENTS, MAX_DEPTH);
      return;
    }
  take_text (r);
  element = g_new0 (WeirMarkup, 1);
  element->name = g_strdup (name);
  element->line = weir_xml_get_line (&r->xml);
  element->attributes = dup_attributes (r, attributes, n_attributes);
  element->children = g_ptr_array_new_with_free_func (markup_free);
  if (r->open->len == 0)
    r->root = element;
  else
    g_ptr_array_add (((WeirMarkup *) g_ptr_array_index (r->open, r->open->len - 1))->children,
                     element);
  g_ptr_array_add (r->open, element);
}

static void
note_end (gpointer data, G_GNUC_UNUSED const char *name)
{
  Reading *r = data;

  take_text (r);
  g_ptr_array_set_size (r->open, (int) r->open->len - 1);
}

static void
note_text (gpointer data, const char *text, gsize length)
{
  Reading *r = data;

  g_string_append_len (r->text, text, (gssize) length);
}

WeirMarkup *
weir_markup_read (GBytes *bytes, const char *file, WeirDiagnostics *diagnostics)
{
  static const WeirXmlHandlers handlers = { note_start, note_end, note_text, NULL };
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  Reading r = { .open = open, .text = g_string_new (NULL) };
  g_autoptr (WeirMarkup) root = NULL;
  gboolean is_whole;

  r.xml = (WeirXml) { .handlers = &handlers,
                      .data = &r,
                      .stream = stream,
                      .limit = weir_file_get_limit (WEIR_FILE_MODEL) };
  is_whole = weir_xml_read (&r.xml);
  root = r.root;
  if (!is_whole || root == NULL)
    {
      weir_xml_fail (&r.xml, "XML01", 0, N_ ("The file is not XML."));
      weir_diagnostics_add_message (diagnostics, WEIR_SEVERITY_ERROR, r.xml.code, "", 0, 0,
                                    r.xml.line, g_steal_pointer (&r.xml.sentence));
      weir_diagnostics_set_file (diagnostics, file);
    }
  g_string_free (r.text, TRUE);
  weir_xml_clear (&r.xml);
  return is_whole ? g_steal_pointer (&root) : NULL;
}

const char *
weir_markup_get (const WeirMarkup *self, const char *attribute)
{
  for (guint i = 0; self != NULL && self->attributes[i] != NULL; i += 2)
    if (strcmp (self->attributes[i], attribute) == 0)
      return self->attributes[i + 1];
  return NULL;
}

gboolean
weir_markup_is (const WeirMarkup *self, const char *name)
{
  return strcmp (self->name, name) == 0;
}

guint
weir_markup_get_size (const WeirMarkup *self)
{
  return self != NULL ? self->children->len : 0;
}

const WeirMarkup *
weir_markup_get_child (const WeirMarkup *self, guint i)
{
  return g_ptr_array_index (self->children, i);
}

const WeirMarkup *
weir_markup_find (const WeirMarkup *self, const char *name)
{
  for (guint i = 0; i < weir_markup_get_size (self); i++)
    if (weir_markup_is (weir_markup_get_child (self, i), name))
      return weir_markup_get_child (self, i);
  return NULL;
}

gboolean
weir_markup_get_number (const WeirMarkup *self, const char *attribute, double *value)
{
  const char *text = weir_markup_get (self, attribute);
  char *end;
  double number;

  if (text == NULL)
    return FALSE;
  number = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !isfinite (number))
    return FALSE;
  *value = number;
  return TRUE;
}
