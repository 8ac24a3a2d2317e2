/* Reading XML as a stream, within bounds. See xml.h. */
#include "base/xml.h"

#include "base/error.h"

#include <libxml/parser.h>
#include <string.h>

#include "base/text.h"

#define MAX_ATTRIBUTES 1000 /* of an element */

/* An attribute of the element that begins. */
typedef struct {
  const char *name;  /* borrowed from the parser */
  const char *value; /* within the values */
} Attribute;

struct _WeirXmlPrivate {
  xmlParserCtxt *parser;
  GArray *attributes; /* of Attribute: room for the most that an element had */
  guint n_attributes;
  guint32 initials;   /* bits of the letters with which their names begin: most that are asked for
                       * and are not there need not be looked for */
  guint next;         /* looked at first: most are asked for in the order in which they stand */
  GByteArray *values; /* their texts, one after the other: room likewise */
  gsize n_bytes;
  GError *stream_error;
};

/* --- Failing --------------------------------------------------------------------------------- */

void
weir_xml_fail (WeirXml *self, const char *code, int line, const char *format, ...)
{
  va_list args;

  if (self->code != NULL)
    return;
  self->code = code;
  self->line = line;
  va_start (args, format);
  self->sentence = weir_message_new_valist (format, args);
  va_end (args);
}

int
weir_xml_get_line (const WeirXml *self)
{
  const xmlParserCtxt *parser = self->private != NULL ? self->private->parser : NULL;

  return parser != NULL && parser->input != NULL ? parser->input->line : 0;
}

/* libxml2's messages end in a line break and may begin with the name of one of its functions. */
static char *
dup_sentence (const char *message)
{
  g_autofree char *text = g_strstrip (g_utf8_make_valid (message != NULL ? message : "", -1));

  if (g_str_has_prefix (text, "xml") && strchr (text, ':') != NULL)
    memmove (text, strchr (text, ':') + 1, strlen (strchr (text, ':')));
  g_strchug (text);
  for (char *p = text; *p != '\0'; p++)
    if (*p == '\n')
      *p = ' ';
  if (strlen (text) > 400)
    {
      char *cut = g_utf8_find_prev_char (text, text + 400);

      strcpy (cut, "...");
    }
  return g_steal_pointer (&text);
}

/* Says what is wrong with a tag or an attribute; FALSE: libxml2 is to say it. */
static gboolean
fail_in_tag (WeirXml *self, const xmlError *error)
{
  const char *name = error->str1, *other = error->str2;
  int line = error->line;

  if (error->code == XML_ERR_TAG_NAME_MISMATCH && name != NULL && other != NULL)
    weir_xml_fail (self, "XML01", line,
                   N_ ("</%s> stands where </%s> is expected, which ends the <%s> of line %d."),
                   other, name, name, error->int1);
  else if (error->code == XML_ERR_GT_REQUIRED)
    weir_xml_fail (self, "XML01", line, N_ ("A tag does not end: \">\" is expected."));
  else if (error->code == XML_ERR_ATTRIBUTE_REDEFINED && name != NULL)
    weir_xml_fail (self, "XML01", line, N_ ("The attribute '%s' is there twice."),
                   other != NULL ? other : name);
  else if (error->code == XML_ERR_ATTRIBUTE_WITHOUT_VALUE && name != NULL)
    weir_xml_fail (self, "XML01", line,
                   N_ ("The attribute '%s' has no value: \"=\" and a text in quotes are expected."),
                   name);
  else if (error->code == XML_ERR_ATTRIBUTE_NOT_STARTED)
    weir_xml_fail (self, "XML01", line,
                   N_ ("The value of an attribute is not in quotes: \" or ' is expected."));
  else if (error->code == XML_ERR_ATTRIBUTE_NOT_FINISHED)
    weir_xml_fail (self, "XML01", line,
                   N_ ("The value of an attribute does not end: its closing quote is expected."));
  else if (error->code == XML_ERR_LT_IN_ATTRIBUTE)
    weir_xml_fail (self, "XML01", line,
                   N_ ("\"<\" stands in the value of an attribute: write &lt; instead, or end the "
                       "value with its quote before."));
  else if (error->code == XML_ERR_SPACE_REQUIRED)
    weir_xml_fail (self, "XML01", line,
                   N_ ("Something is missing between two attributes: a space is expected."));
  else
    return FALSE;
  return TRUE;
}

/* The same of characters. */
static gboolean
fail_in_text (WeirXml *self, const xmlError *error)
{
  const char *name = error->str1;
  int line = error->line;

  if (error->code == XML_ERR_UNDECLARED_ENTITY && name != NULL)
    weir_xml_fail (
        self, "XML01", line,
        N_ ("&%s; is no character that XML knows: &amp;, &lt;, &gt;, &quot;, &apos; or a "
            "number such as &#176; is expected."),
        name);
  else if (error->code == XML_ERR_ENTITYREF_SEMICOL_MISSING
           || (error->code == XML_ERR_NAME_REQUIRED
               && g_str_has_prefix (error->message, "xmlParseEntityRef")))
    weir_xml_fail (self, "XML01", line,
                   N_ ("\"&\" begins no character that XML knows: write &amp; for it."));
  else if (error->code == XML_ERR_INVALID_CHAR && error->int1 > 0)
    weir_xml_fail (self, "XML01", line,
                   N_ ("There is a character that XML does not allow, number %d."), error->int1);
  else if (error->code == XML_ERR_INVALID_CHAR && name != NULL)
    weir_xml_fail (self, "XML01", line,
                   N_ ("There are bytes that are no UTF-8: save the file in that encoding, or name "
                       "its own in the first line."));
  else if (error->code == XML_ERR_UNSUPPORTED_ENCODING && name != NULL)
    weir_xml_fail (self, "XML01", line,
                   N_ ("The encoding '%s', which the first line names, is not known: UTF-8 is "
                       "expected."),
                   name);
  else
    return FALSE;
  return TRUE;
}

static void
note_error (void *data, xmlError *error)
{
  WeirXml *self = data;
  g_autofree char *sentence = NULL;

  if (error->level < XML_ERR_ERROR || self->private->stream_error != NULL)
    return;
  sentence = dup_sentence (error->message);
  if (error->domain == XML_FROM_PARSER && (fail_in_tag (self, error) || fail_in_text (self, error)))
    return;
  if (error->code == XML_ERR_DOCUMENT_EMPTY && self->private->n_bytes == 0)
    weir_xml_fail (self, "XML01", 0, N_ ("The file is empty."));
  else if (error->domain == XML_FROM_PARSER && error->code == XML_ERR_DOCUMENT_EMPTY)
    weir_xml_fail (self, "XML01", error->line,
                   N_ ("The file is not XML, or has no element: \"<\" and a name are expected."));
  else if (error->domain == XML_FROM_PARSER
           && (error->code == XML_ERR_DOCUMENT_END || error->code == XML_ERR_TAG_NOT_FINISHED))
    weir_xml_fail (self, "XML01", error->line,
                   N_ ("The file is not whole: it ends too early, or goes on after its end."));
  else
    weir_xml_fail (self, "XML01", error->line, N_ ("The file is not well-formed XML: %s%s"),
                   sentence, g_str_has_suffix (sentence, ".") ? "" : ".");
}

/* What libxml2 would print besides. */
static void G_GNUC_PRINTF (2, 3)
    ignore_message (G_GNUC_UNUSED void *data, G_GNUC_UNUSED const char *message, ...)
{
}

/* --- Attributes ------------------------------------------------------------------------------ */

static void
take_attributes (WeirXmlPrivate *self, const xmlChar **attributes, int n)
{
  gsize size = 0;
  guint32 initials = 0;
  Attribute *kept;
  char *at;

  for (int i = 0; i < n; i++)
    size += (gsize) (attributes[5 * i + 4] - attributes[5 * i + 3]) + 1;
  if (size > self->values->len)
    g_byte_array_set_size (self->values, (guint) size);
  if ((guint) n > self->attributes->len)
    g_array_set_size (self->attributes, (guint) n);
  at = (char *) self->values->data;
  kept = (Attribute *) (gpointer) self->attributes->data;
  for (int i = 0; i < n; i++)
    {
      const xmlChar **parts = attributes + 5 * i;
      gsize length = (gsize) (parts[4] - parts[3]);

      if (parts[2] != NULL)
        continue;
      *kept++ = (Attribute) { (const char *) parts[0], at };
      initials |= 1u << (parts[0][0] & 31);
      memcpy (at, parts[3], length);
      at[length] = '\0';
      at += length + 1;
    }
  self->initials = initials;
  self->n_attributes = (guint) (kept - (Attribute *) (gpointer) self->attributes->data);
  self->next = 0;
}

const char *
weir_xml_get_attribute (const WeirXml *self, const char *name)
{
  WeirXmlPrivate *p = self->private;
  const Attribute *attributes = (const Attribute *) (gconstpointer) p->attributes->data;

  if ((p->initials >> (name[0] & 31) & 1) == 0)
    return NULL;
  for (guint i = 0, at = p->next; i < p->n_attributes; i++, at++)
    {
      const Attribute *attribute;

      if (at >= p->n_attributes)
        at = 0;
      attribute = &attributes[at];
      if (attribute->name[0] == name[0] && strcmp (attribute->name, name) == 0)
        {
          p->next = at + 1;
          return attribute->value;
        }
    }
  return NULL;
}

/* --- The parser ------------------------------------------------------------------------------ */

static void
stop_if_failed (WeirXml *self)
{
  if (self->code != NULL)
    xmlStopParser (self->private->parser);
}

static void
note_start (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
            int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
            const xmlChar **attributes)
{
  WeirXml *self = data;

  if (self->code == NULL)
    {
      take_attributes (self->private, attributes, n_attributes);
      self->handlers->start (self->data, (const char *) name, (const char *) uri,
                             (const char *const *) attributes, (guint) n_attributes);
    }
  stop_if_failed (self);
}

static void
note_end (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  WeirXml *self = data;

  if (self->code == NULL)
    self->handlers->end (self->data, (const char *) name);
  stop_if_failed (self);
}

static void
note_text (void *data, const xmlChar *text, int length)
{
  WeirXml *self = data;

  if (self->code == NULL && self->handlers->text != NULL)
    self->handlers->text (self->data, (const char *) text, (gsize) length);
  stop_if_failed (self);
}

/* Called before anything that stands in it is read, entities among that. */
static void
refuse_document_type (void *data, G_GNUC_UNUSED const xmlChar *name,
                      G_GNUC_UNUSED const xmlChar *external, G_GNUC_UNUSED const xmlChar *system)
{
  WeirXml *self = data;

  weir_xml_fail (self, "XML03", weir_xml_get_line (self),
                 N_ ("The file has a document type (DOCTYPE), which is not allowed here."));
  stop_if_failed (self);
}

/* Nobody declares entities here, and nobody knows any. */
static const xmlSAXHandler sax = {
  .initialized = XML_SAX2_MAGIC,
  .startElementNs = note_start,
  .endElementNs = note_end,
  .characters = note_text,
  .ignorableWhitespace = note_text,
  .internalSubset = refuse_document_type,
  .serror = (xmlStructuredErrorFunc) note_error,
};

/* --- The stream ------------------------------------------------------------------------------ */

static int
read_bytes (void *data, char *buffer, int size)
{
  WeirXml *self = data;
  WeirXmlPrivate *p = self->private;
  gssize n = g_input_stream_read (self->stream, buffer, (gsize) size, NULL,
                                  p->stream_error == NULL ? &p->stream_error : NULL);

  if (n > 0)
    p->n_bytes += (gsize) n;
  if (self->handlers->progress != NULL)
    self->handlers->progress (self->data, p->n_bytes);
  /* The parser compares each attribute of an element with all before: it tells so far only by how
   * much it has room for, five pointers each; two for a namespace. */
  if (p->parser != NULL
      && (p->parser->maxatts > 5 * MAX_ATTRIBUTES || p->parser->nsNr > 2 * MAX_ATTRIBUTES))
    weir_xml_fail (self, "XML05", weir_xml_get_line (self),
                   N_ ("An element has more than %d attributes."), MAX_ATTRIBUTES);
  if (p->n_bytes > self->limit)
    weir_xml_fail (self, "XML05", 0, N_ ("The file is larger than %zu MiB."),
                   self->limit / (1024 * 1024));
  return self->code == NULL ? (int) MAX (n, 0) : 0; /* as if the file ended there */
}

static void
parse (WeirXml *self)
{
  WeirXmlPrivate *p = self->private;

  p->parser = xmlCreateIOParserCtxt ((xmlSAXHandler *) &sax, self, read_bytes, NULL, self,
                                     XML_CHAR_ENCODING_NONE);
  if (p->parser == NULL)
    g_error ("Out of memory.");
  /* The five entities of XML itself are to be replaced; there are no others. */
  xmlCtxtUseOptions (p->parser,
                     XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  xmlParseDocument (p->parser);
}

gboolean
weir_xml_read (WeirXml *self)
{
  xmlStructuredErrorFunc thread_handler;
  void *thread_data;
  xmlGenericErrorFunc thread_printer;
  void *thread_printer_data;
  WeirXmlPrivate private = { NULL };

  g_return_val_if_fail (self != NULL && self->private == NULL, FALSE);
  g_return_val_if_fail (G_IS_INPUT_STREAM (self->stream), FALSE);

  private.attributes = g_array_new (FALSE, FALSE, sizeof (Attribute));
  private.values = g_byte_array_new ();
  self->private = &private;

  xmlInitParser ();
  thread_handler = xmlStructuredError;
  thread_data = xmlStructuredErrorContext;
  thread_printer = xmlGenericError;
  thread_printer_data = xmlGenericErrorContext;
  /* Errors of encodings come to no parser's handler. */
  xmlSetStructuredErrorFunc (self, (xmlStructuredErrorFunc) note_error);
  xmlSetGenericErrorFunc (self, ignore_message);
  parse (self);
  xmlSetStructuredErrorFunc (thread_data, thread_handler);
  xmlSetGenericErrorFunc (thread_printer_data, thread_printer);

  if (private.stream_error != NULL)
    weir_xml_fail (self, "FIL01", 0, N_ ("The file cannot be read: %s"),
                   weir_error_get_text (private.stream_error));
  else if (!private.parser->wellFormed)
    weir_xml_fail (self, "XML01", 0, N_ ("The file is not XML."));
  /* The parser makes one for entities that are declared, and leaves it behind where it was
   * stopped. */
  xmlFreeDoc (private.parser->myDoc);
  xmlFreeParserCtxt (private.parser);
  g_array_unref (private.attributes);
  g_byte_array_unref (private.values);
  g_clear_error (&private.stream_error);
  self->private = NULL;
  return self->code == NULL;
}

void
weir_xml_clear (WeirXml *self)
{
  g_clear_pointer (&self->sentence, weir_message_unref);
  self->code = NULL;
}
