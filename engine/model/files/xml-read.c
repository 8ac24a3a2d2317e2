/* Reading models: a stream of XML elements, each checked against the schema before it is looked at.
 *
 * Nothing is kept of the XML: the parser hands over elements with their attributes (SAX), which go
 * to the check of the schema first and then to weir_reading_start_element(). The schema guarantees
 * which elements and attributes appear where and that their texts have the right form; only what
 * it cannot say is left to be checked. Whatever goes wrong first is the one diagnostic; nothing of
 * a refused file is kept.
 */
#include "model/files/xml-private.h"
#include "base/text.h"

#include <string.h>

#include "base/file.h"

#define CANCELLED ""        /* stands for a code; nobody is told */
#define MAX_ATTRIBUTES 1000 /* of an element, those among them that the schema does not know */

/* --- Failing --------------------------------------------------------------------------------- */

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

static void
note_xml_error (void *data, xmlError *error)
{
  WeirReading *r = data;
  g_autofree char *sentence = NULL;

  if (error->level < XML_ERR_ERROR || r->stream_error != NULL)
    return;
  sentence = dup_sentence (error->message);
  if (error->code == XML_ERR_DOCUMENT_EMPTY && r->n_bytes == 0)
    weir_reading_fail (r, "XML01", 0, N_ ("The file is empty."));
  else if (error->domain == XML_FROM_PARSER
           && (error->code == XML_ERR_DOCUMENT_END || error->code == XML_ERR_DOCUMENT_EMPTY
               || error->code == XML_ERR_TAG_NOT_FINISHED))
    weir_reading_fail (r, "XML01", error->line,
                       N_ ("The file is not whole: it ends too early, or goes on after its end."));
  else
    weir_reading_fail (r, "XML01", error->line, N_ ("The file is not well-formed XML: %s%s"),
                       sentence, g_str_has_suffix (sentence, ".") ? "" : ".");
}

/* What libxml2 would print besides. */
static void G_GNUC_PRINTF (2, 3)
    ignore_message (G_GNUC_UNUSED void *data, G_GNUC_UNUSED const char *message, ...)
{
}

/* --- The parser ------------------------------------------------------------------------------ */

/* Takes over what the check of the schema found, or NULL. */
static void
note_breach (WeirReading *r, char *breach)
{
  if (breach != NULL)
    weir_reading_fail (r, "XML02", weir_reading_get_line (r),
                       N_ ("The file breaks the schema of models: %s"), breach);
  g_free (breach);
}

/* Before anything else: what a later version of the format has besides is nothing to this one.
 * @attributes: as SAX hands them over. */
static void
check_version (WeirReading *r, const char *element, const xmlChar **attributes, int n_attributes)
{
  for (int i = 0; i < n_attributes && strcmp (element, r->element) == 0; i++)
    {
      const xmlChar **a = &attributes[5 * i];
      g_autofree char *version = g_strndup ((const char *) a[3], (gsize) (a[4] - a[3]));
      gsize n_digits = strspn (version, "0123456789");

      if (strcmp ((const char *) a[0], "version") == 0 && a[2] == NULL && n_digits > 0
          && version[n_digits] == '\0'
          && g_ascii_strtoull (version, NULL, 10) > WEIR_FORMAT_VERSION)
        weir_reading_fail (
            r, "XML06", weir_reading_get_line (r),
            N_ ("The file has format version %.30s, but this program reads versions up to %d."),
            version, WEIR_FORMAT_VERSION);
    }
}

static void
stop_if_failed (WeirReading *r)
{
  if (r->code != NULL)
    xmlStopParser (r->xml);
}

static void
note_start (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
            int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
            const xmlChar **attributes)
{
  WeirReading *r = data;

  if (r->code == NULL && r->depth == 0)
    check_version (r, (const char *) name, attributes, n_attributes);
  if (r->code == NULL)
    note_breach (r,
                 weir_schema_check_start (&r->schema, (const char *) name, (const char *) uri,
                                          (const char *const *) attributes, (guint) n_attributes));
  if (r->code == NULL)
    {
      weir_reading_take_attributes (r, attributes, n_attributes);
      weir_reading_start_element (r, (const char *) name);
    }
  r->depth++;
  stop_if_failed (r);
}

static void
note_end (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  WeirReading *r = data;

  r->depth--;
  if (r->code == NULL)
    note_breach (r, weir_schema_check_close (&r->schema));
  if (r->code == NULL)
    weir_reading_end_element (r, (const char *) name);
  stop_if_failed (r);
}

static void
note_text (void *data, const xmlChar *text, int length)
{
  WeirReading *r = data;

  if (r->code == NULL)
    note_breach (r, weir_schema_check_text (&r->schema, (const char *) text, (gsize) length));
  if (r->text != NULL)
    g_string_append_len (r->text, (const char *) text, length);
  stop_if_failed (r);
}

/* Called before anything that stands in it is read, entities among that. */
static void
refuse_document_type (void *data, G_GNUC_UNUSED const xmlChar *name,
                      G_GNUC_UNUSED const xmlChar *external, G_GNUC_UNUSED const xmlChar *system)
{
  WeirReading *r = data;

  weir_reading_fail (r, "XML03", weir_reading_get_line (r),
                     N_ ("The file has a document type (DOCTYPE), which models do not use."));
  stop_if_failed (r);
}

/* Nobody declares entities here, and nobody knows any. */
static const xmlSAXHandler handlers = {
  .initialized = XML_SAX2_MAGIC,
  .startElementNs = note_start,
  .endElementNs = note_end,
  .characters = note_text,
  .ignorableWhitespace = note_text,
  .internalSubset = refuse_document_type,
  .serror = (xmlStructuredErrorFunc) note_xml_error,
};

/* --- The stream ------------------------------------------------------------------------------ */

static int
read_bytes (void *data, char *buffer, int size)
{
  WeirReading *r = data;
  gssize n = g_input_stream_read (r->stream, buffer, (gsize) size, NULL,
                                  r->stream_error == NULL ? &r->stream_error : NULL);

  if (n > 0)
    r->n_bytes += (gsize) n;
  if (r->control != NULL && r->control->progress != NULL)
    g_atomic_int_set (r->control->progress, (gint) (1000 * r->n_bytes / MAX (r->control->size, 1)));
  if (r->control != NULL && g_cancellable_is_cancelled (r->control->cancellable))
    weir_reading_fail (r, CANCELLED, 0, N_ ("Reading was ended."));
  /* The parser compares each attribute of an element with all before: it tells so far only by how
   * much it has room for, five pointers each; two for a namespace. */
  if (r->xml != NULL && (r->xml->maxatts > 5 * MAX_ATTRIBUTES || r->xml->nsNr > 2 * MAX_ATTRIBUTES))
    weir_reading_fail (r, "XML05", weir_reading_get_line (r),
                       N_ ("An element has more than %d attributes."), MAX_ATTRIBUTES);
  if (r->n_bytes > weir_file_get_limit (WEIR_FILE_MODEL))
    weir_reading_fail (r, "XML05", 0, N_ ("The file is larger than %zu MiB."),
                       weir_file_get_limit (WEIR_FILE_MODEL) / (1024 * 1024));
  return r->code == NULL ? (int) MAX (n, 0) : 0; /* as if the file ended there */
}

static void
read_elements (WeirReading *r)
{
  xmlStructuredErrorFunc thread_handler = xmlStructuredError;
  void *thread_data = xmlStructuredErrorContext;
  xmlGenericErrorFunc thread_printer = xmlGenericError;
  void *thread_printer_data = xmlGenericErrorContext;

  xmlInitParser ();
  weir_schema_begin (&r->schema, r->element);
  r->xml = xmlCreateIOParserCtxt ((xmlSAXHandler *) &handlers, r, read_bytes, NULL, r,
                                  XML_CHAR_ENCODING_NONE);
  if (r->xml == NULL)
    g_error ("Out of memory.");
  /* Errors of encodings come to no parser's handler. */
  xmlSetStructuredErrorFunc (r, (xmlStructuredErrorFunc) note_xml_error);
  xmlSetGenericErrorFunc (r, ignore_message);
  /* The five entities of XML itself are to be replaced; there are no others. */
  xmlCtxtUseOptions (r->xml,
                     XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  xmlParseDocument (r->xml);
  xmlSetStructuredErrorFunc (thread_data, thread_handler);
  xmlSetGenericErrorFunc (thread_printer_data, thread_printer);
  if (r->stream_error != NULL)
    weir_reading_fail (r, "FIL01", 0, N_ ("The file cannot be read: %s"), r->stream_error->message);
  else if (r->contents.diagram == NULL || !r->xml->wellFormed)
    weir_reading_fail (r, "XML01", 0, N_ ("The file is not XML."));
  /* The parser makes one for entities that are declared, and leaves it behind where it
   * was stopped. */
  xmlFreeDoc (r->xml->myDoc);
  xmlFreeParserCtxt (r->xml);
  weir_schema_end (&r->schema);
}

gboolean
weir_contents_read (GInputStream *stream, const char *name, const char *element,
                    const WeirReadControl *control, WeirContents *contents,
                    WeirDiagnostics *diagnostics)
{
  WeirReading r = { .stream = stream, .element = element, .control = control };

  r.levels = g_array_new (FALSE, TRUE, sizeof (WeirLevel));
  g_array_set_clear_func (r.levels, weir_reading_level_clear);
  r.ids = g_hash_table_new (NULL, NULL);
  r.attributes = g_array_new (FALSE, FALSE, sizeof (WeirAttribute));
  r.values = g_byte_array_new ();
  r.pairs = weir_reading_pairs_new ();
  r.metadata = weir_reading_items_new ();
  r.bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  read_elements (&r);

  g_array_unref (r.levels);
  g_hash_table_unref (r.ids);
  g_array_unref (r.attributes);
  g_byte_array_unref (r.values);
  g_array_unref (r.pairs);
  g_array_unref (r.metadata);
  g_array_unref (r.bends);
  g_free (r.from_port);
  g_free (r.wire_label);
  g_free (r.to_port);
  if (r.text != NULL)
    g_string_free (r.text, TRUE);
  g_clear_error (&r.stream_error);

  if (r.code != NULL)
    {
      if (strcmp (r.code, CANCELLED) != 0)
        weir_diagnostics_add_message (diagnostics, WEIR_SEVERITY_ERROR, r.code, "", 0, 0, r.line,
                                      g_steal_pointer (&r.sentence));
      g_clear_pointer (&r.contents.diagram, weir_diagram_unref);
      weir_head_clear (&r.contents.head);
    }
  weir_message_unref (r.sentence);
  if (name != NULL)
    weir_diagnostics_set_file (diagnostics, name);
  *contents = r.contents;
  return r.code == NULL;
}

/* @folder: of the file, or NULL; @control: or NULL. */
static WeirModel *
read_model (GBytes *bytes, const char *name, const char *folder, const WeirReadControl *control,
            WeirDiagnostics *diagnostics)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  WeirContents contents;
  WeirModel *model;

  if (!weir_contents_read (stream, name, WEIR_MODEL_ELEMENT, control, &contents, diagnostics))
    return NULL;
  if (folder != NULL)
    contents.head.folder = g_ref_string_new (folder);
  model = weir_model_new_for_root (contents.diagram, &contents.head);
  weir_diagram_unref (contents.diagram);
  weir_head_clear (&contents.head);
  return model;
}

WeirModel *
weir_model_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  return read_model (bytes, name, NULL, NULL, diagnostics);
}

WeirModel *
weir_model_read_file (GFile *file, WeirDiagnostics *diagnostics)
{
  return weir_model_read_file_with_progress (file, NULL, NULL, NULL, diagnostics);
}

WeirModel *
weir_model_read_file_with_progress (GFile *file, GCancellable *cancellable, gint *progress,
                                    char **digest, WeirDiagnostics *diagnostics)
{
  WeirReadControl control = { cancellable, progress, 0 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) parent = NULL;
  g_autofree char *name = NULL, *folder = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  name = g_file_get_parse_name (file);
  parent = g_file_get_parent (file);
  folder = parent != NULL ? g_file_get_path (parent) : NULL;
  bytes = weir_file_read_from (file, WEIR_FILE_MODEL, &error);
  if (digest != NULL)
    *digest = bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;
  if (bytes == NULL)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0, "%s.",
                            error->message);
      weir_diagnostics_set_file (diagnostics, name);
      return NULL;
    }
  control.size = g_bytes_get_size (bytes);
  return read_model (bytes, name, folder, &control, diagnostics);
}
