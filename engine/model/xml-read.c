/* Reading models: a stream of XML elements, each checked against the schema before it is looked at.
 *
 * Nothing is kept of the XML: the parser hands over elements with their attributes (SAX), which go
 * to the check of the schema first and then to start_element(). The schema guarantees which
 * elements and attributes appear where and that their texts have the right form; this file only has
 * to check what the schema cannot say. Whatever goes wrong first is the one diagnostic; nothing of
 * a refused file is kept.
 */
#include "model/xml-private.h"

#include <libxml/parser.h>
#include <string.h>

#include "model/schema-private.h"

#define MAX_FILE_SIZE (256 * 1024 * 1024)

/* An attribute of the open element. */
typedef struct {
  const char *name;  /* borrowed from the parser */
  const char *value; /* within Reading.values */
} Attribute;

/* A diagram being read, and the block in it that is open. */
typedef struct {
  WeirDiagram *diagram;
  WeirBlock *block;
  GArray *parameters; /* of WeirTextPair, owned texts */
  GArray *metadata;   /* of WeirMetadataItem, owned texts */
} Level;

typedef struct {
  GInputStream *stream;
  gsize n_bytes;
  GError *stream_error;
  const char *element; /* the root element that is expected */

  const char *code; /* of the first problem; NULL while all is well */
  int line;
  char *sentence;

  xmlParserCtxt *xml;
  WeirSchemaCheck schema;
  guint depth;        /* of open elements */
  GArray *attributes; /* of Attribute */
  GByteArray *values; /* their texts, one after the other */
  GArray *levels;     /* of Level */
  GHashTable *ids;    /* id to the line of its element */
  GString *text;      /* of the open title or note; NULL elsewhere */
  GArray *pairs;      /* of WeirTextPair, owned texts: of the open list of the model */
  GArray *metadata;   /* of WeirMetadataItem, owned texts: of the model */
  GArray *bends;      /* of WeirPoint: of the open wire */
  guint32 wire_id;
  int wire_line;
  WeirWireEnd from, to;
  char *from_port, *to_port, *wire_label;
  guint32 note_id;
  WeirPoint note_position, note_size;
  WeirTint note_tint;
  WeirContents contents;
} Reading;

/* --- Failing --------------------------------------------------------------------------------- */

static void fail (Reading *r, const char *code, int line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
fail (Reading *r, const char *code, int line, const char *format, ...)
{
  va_list args;

  if (r->code != NULL)
    return;
  r->code = code;
  r->line = line;
  va_start (args, format);
  r->sentence = g_strdup_vprintf (format, args);
  va_end (args);
}

/* Where the parser is: at the end of the tag that it hands over. */
static int
get_line (const Reading *r)
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
  Reading *r = data;
  g_autofree char *sentence = NULL;

  if (error->level < XML_ERR_ERROR || r->stream_error != NULL)
    return;
  sentence = dup_sentence (error->message);
  if (error->code == XML_ERR_DOCUMENT_EMPTY && r->n_bytes == 0)
    fail (r, "XML01", 0, "The file is empty.");
  else if (error->domain == XML_FROM_PARSER
           && (error->code == XML_ERR_DOCUMENT_END || error->code == XML_ERR_DOCUMENT_EMPTY
               || error->code == XML_ERR_TAG_NOT_FINISHED))
    fail (r, "XML01", error->line,
          "The file is not whole: it ends too early, or goes on after its end.");
  else
    fail (r, "XML01", error->line, "The file is not well-formed XML: %s%s", sentence,
          g_str_has_suffix (sentence, ".") ? "" : ".");
}

/* What libxml2 would print besides. */
static void G_GNUC_PRINTF (2, 3)
    ignore_message (G_GNUC_UNUSED void *data, G_GNUC_UNUSED const char *message, ...)
{
}

/* --- Values of attributes -------------------------------------------------------------------- */

/* Takes over what the parser hands over for an element: name, prefix, namespace, begin and end of
 * the value of each attribute. Those of a namespace are none of ours. */
static void
take_attributes (Reading *r, const xmlChar **attributes, int n)
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
      Attribute attribute = { (const char *) parts[0], at };
      gsize length = (gsize) (parts[4] - parts[3]);

      if (parts[2] != NULL)
        continue;
      memcpy (at, parts[3], length);
      at[length] = '\0';
      at += length + 1;
      g_array_append_val (r->attributes, attribute);
    }
}

/* The text of an attribute of the element that begins, or NULL if it has none of that name. It
 * lives until the next element begins. */
static const char *
get_attribute (const Reading *r, const char *name)
{
  for (guint i = 0; i < r->attributes->len; i++)
    {
      const Attribute *attribute = &g_array_index (r->attributes, Attribute, i);

      if (strcmp (attribute->name, name) == 0)
        return attribute->value;
    }
  return NULL;
}

static char *
dup_attribute (Reading *r, const char *name)
{
  return g_strdup (get_attribute (r, name));
}

static gboolean
get_number (Reading *r, const char *name, double *number)
{
  const char *text = get_attribute (r, name);

  if (text == NULL)
    return FALSE;
  *number = g_ascii_strtod (text, NULL);
  return TRUE;
}

static WeirPoint
get_point (Reading *r, const char *x, const char *y)
{
  WeirPoint point = { 0, 0 };

  get_number (r, x, &point.x);
  get_number (r, y, &point.y);
  return point;
}

/* The id of the current element; fails if it is in use. */
static guint32
take_id (Reading *r)
{
  guint32 id = (guint32) g_ascii_strtoull (get_attribute (r, "id"), NULL, 10);
  gpointer first;

  if (g_hash_table_lookup_extended (r->ids, GUINT_TO_POINTER (id), NULL, &first))
    fail (r, "XML04", get_line (r), "The id %u is given twice; line %d has it too.", id,
          GPOINTER_TO_INT (first));
  else
    g_hash_table_insert (r->ids, GUINT_TO_POINTER (id), GINT_TO_POINTER (get_line (r)));
  return id;
}

static void
text_pair_clear (gpointer data)
{
  WeirTextPair *pair = data;

  g_free ((char *) pair->name);
  g_free ((char *) pair->text);
}

static GArray *
text_pairs_new (void)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (WeirTextPair));

  g_array_set_clear_func (pairs, text_pair_clear);
  return pairs;
}

static void
read_pair (Reading *r, GArray *pairs)
{
  WeirTextPair pair = { dup_attribute (r, "name"), dup_attribute (r, "value") };

  g_array_append_val (pairs, pair);
}

/* An assertion: its sentence and its reason. */
static void
read_assertion (Reading *r)
{
  WeirTextPair pair = { dup_attribute (r, "text"), dup_attribute (r, "reason") };

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

static GArray *
metadata_items_new (void)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (WeirMetadataItem));

  g_array_set_clear_func (items, metadata_item_clear);
  return items;
}

static void
read_metadata_item (Reading *r, GArray *items)
{
  const char *type = get_attribute (r, "type");
  WeirMetadataItem item = { dup_attribute (r, "of"), dup_attribute (r, "name"), WEIR_METADATA_TEXT,
                            dup_attribute (r, "value") };

  if (item.of == NULL)
    item.of = g_strdup ("");
  if (type != NULL)
    weir_metadata_type_find (type, &item.type);
  g_array_append_val (items, item);
}

static WeirMetadata *
take_metadata (Reading *r, GArray *items)
{
  const char *twice;
  WeirMetadata *metadata = weir_metadata_new ((WeirMetadataItem *) (void *) items->data, items->len,
                                              &twice);

  if (twice != NULL)
    fail (r, "XML04", get_line (r), "The metadata '%s' is given twice.", twice);
  g_array_set_size (items, 0);
  return metadata;
}

static WeirTexts *
take_pairs (Reading *r, GArray *pairs, const char *what)
{
  const char *twice;
  WeirTexts *texts = weir_texts_new ((WeirTextPair *) (void *) pairs->data, pairs->len, &twice);

  if (twice != NULL)
    fail (r, "XML04", get_line (r), "The %s '%s' is given twice.", what, twice);
  g_array_set_size (pairs, 0);
  return texts;
}

/* --- Elements -------------------------------------------------------------------------------- */

static Level *
get_level (Reading *r)
{
  g_assert (r->levels->len > 0);
  return &g_array_index (r->levels, Level, r->levels->len - 1);
}

static void
level_clear (gpointer data)
{
  Level *level = data;

  g_clear_pointer (&level->diagram, weir_diagram_unref);
  g_clear_pointer (&level->block, weir_block_unref);
  g_clear_pointer (&level->parameters, g_array_unref);
  g_clear_pointer (&level->metadata, g_array_unref);
}

static void
start_root (Reading *r, const char *element)
{
  const char *version = get_attribute (r, "version");

  if (strcmp (element, r->element) != 0)
    fail (r, "XML02", get_line (r), "The file holds a <%s>, where a <%s> is expected.", element,
          r->element);
  else if (g_ascii_strtoull (version, NULL, 10) > WEIR_FORMAT_VERSION)
    fail (r, "XML06", get_line (r),
          "The file has format version %s, but this program reads versions up to %d.", version,
          WEIR_FORMAT_VERSION);
}

static void
start_diagram (Reading *r)
{
  Level level = { weir_diagram_new (), NULL, text_pairs_new (), metadata_items_new () };

  if (r->levels->len == 0)
    r->contents.head.metadata = take_metadata (r, r->metadata);
  g_array_append_val (r->levels, level);
  if (r->levels->len > WEIR_MAX_DEPTH)
    fail (r, "XML05", get_line (r), "Diagrams are nested more than %d levels deep.",
          WEIR_MAX_DEPTH);
}

static void
end_diagram (Reading *r)
{
  g_autoptr (WeirDiagram) diagram = g_steal_pointer (&get_level (r)->diagram);
  Level *outer;
  WeirBlock *block;

  g_array_set_size (r->levels, r->levels->len - 1);
  if (r->levels->len == 0)
    {
      r->contents.diagram = g_steal_pointer (&diagram);
      return;
    }
  outer = get_level (r);
  block = weir_block_with_diagram (outer->block, diagram);
  weir_block_unref (outer->block);
  outer->block = block;
}

static void
start_block (Reading *r)
{
  const char *rotation, *flipped, *mode;
  Level *level = get_level (r);

  level->block = weir_block_new (take_id (r), get_attribute (r, "type"), get_attribute (r, "name"),
                                 get_point (r, "x", "y"));
  level->block->size = get_point (r, "width", "height");
  rotation = get_attribute (r, "rotation");
  if (rotation != NULL)
    level->block->rotation = (guint8) (g_ascii_strtoull (rotation, NULL, 10) / 90);
  flipped = get_attribute (r, "flipped");
  level->block->flipped = flipped != NULL && (strstr (flipped, "true") || strstr (flipped, "1"));
  mode = get_attribute (r, "mode");
  level->block->mode = g_strcmp0 (mode, "commented-out") == 0    ? WEIR_BLOCK_COMMENTED_OUT
                       : g_strcmp0 (mode, "passed-through") == 0 ? WEIR_BLOCK_PASSED_THROUGH
                                                                 : WEIR_BLOCK_ACTIVE;
  level->block->tint = (guint8) weir_tint_find (get_attribute (r, "tint"));
  weir_block_set_line (level->block, get_line (r));
}

static void
end_block (Reading *r)
{
  Level *level = get_level (r);
  g_autoptr (WeirBlock) block = g_steal_pointer (&level->block);
  WeirTexts *parameters = take_pairs (r, level->parameters, "parameter");

  if (parameters != NULL)
    weir_block_set_parameters (block, parameters);
  weir_texts_unref (parameters);
  block->metadata = take_metadata (r, level->metadata);
  weir_diagram_put_block (level->diagram, block);
}

/* One end: either a port or a point. */
static void
read_end (Reading *r, const char *port_name, const char *x_name, const char *y_name,
          WeirWireEnd *wire_end, char **port)
{
  const char *text = get_attribute (r, port_name);
  gboolean has_x, has_y;

  memset (wire_end, 0, sizeof *wire_end);
  g_clear_pointer (port, g_free);
  has_x = get_number (r, x_name, &wire_end->point.x);
  has_y = get_number (r, y_name, &wire_end->point.y);
  if (text != NULL ? has_x || has_y : !has_x || !has_y)
    {
      fail (r, "XML02", get_line (r), "Wire %u needs either '%s', or '%s' and '%s'.", r->wire_id,
            port_name, x_name, y_name);
      return;
    }
  if (text != NULL)
    {
      guint64 block = g_ascii_strtoull (text, NULL, 10);

      if (block > WEIR_MAX_ID)
        fail (r, "XML02", get_line (r),
              "Wire %u: %" G_GUINT64_FORMAT " cannot be the id of a block.", r->wire_id, block);
      *port = g_strdup (strchr (text, '.') + 1);
      wire_end->block = (guint32) block;
      wire_end->port = *port;
    }
}

static void
start_wire (Reading *r)
{
  g_array_set_size (r->bends, 0);
  r->wire_id = take_id (r);
  r->wire_line = get_line (r);
  g_free (r->wire_label);
  r->wire_label = dup_attribute (r, "label");
  read_end (r, "from", "from-x", "from-y", &r->from, &r->from_port);
  read_end (r, "to", "to-x", "to-y", &r->to, &r->to_port);
}

static void
end_wire (Reading *r)
{
  g_autoptr (WeirWire) wire = weir_wire_new (r->wire_id, r->from, r->to,
                                             (WeirPoint *) (void *) r->bends->data, r->bends->len);

  if (r->wire_label != NULL)
    {
      g_autoptr (WeirWire) plain = wire;

      wire = weir_wire_with_label (plain, r->wire_label);
    }
  weir_wire_set_line (wire, r->wire_line);
  weir_diagram_put_wire (get_level (r)->diagram, wire);
}

static void
start_note (Reading *r)
{
  r->note_id = take_id (r);
  r->note_position = get_point (r, "x", "y");
  r->note_size = get_point (r, "width", "height");
  r->note_tint = weir_tint_find (get_attribute (r, "tint"));
  r->text = g_string_new (NULL);
}

static void
end_note (Reading *r)
{
  g_autofree char *text = g_string_free (g_steal_pointer (&r->text), FALSE);
  g_autoptr (WeirNote) plain = weir_note_new (r->note_id, r->note_position, text);
  g_autoptr (WeirNote) sized = weir_note_with_size (plain, r->note_size);
  g_autoptr (WeirNote) note = weir_note_with_tint (sized, r->note_tint);

  weir_diagram_put_note (get_level (r)->diagram, note);
}

static void
start_element (Reading *r, const char *element)
{
  /* What there is most of comes first. */
  if (r->depth == 0)
    start_root (r, element);
  else if (strcmp (element, "wire") == 0)
    start_wire (r);
  else if (strcmp (element, "block") == 0)
    start_block (r);
  else if (strcmp (element, "parameter") == 0)
    read_pair (r, get_level (r)->parameters);
  else if (strcmp (element, "bend") == 0)
    {
      WeirPoint point = get_point (r, "x", "y");

      g_array_append_val (r->bends, point);
    }
  else if (strcmp (element, "diagram") == 0)
    start_diagram (r);
  else if (strcmp (element, "note") == 0)
    start_note (r);
  else if (strcmp (element, "title") == 0)
    r->text = g_string_new (NULL);
  else if (strcmp (element, "setting") == 0 || strcmp (element, "variable") == 0)
    read_pair (r, r->pairs);
  else if (strcmp (element, "assertion") == 0)
    read_assertion (r);
  else if (strcmp (element, "meta") == 0)
    read_metadata_item (r, r->levels->len > 0 ? get_level (r)->metadata : r->metadata);
}

static void
end_element (Reading *r, const char *element)
{
  if (strcmp (element, "wire") == 0)
    end_wire (r);
  else if (strcmp (element, "block") == 0)
    end_block (r);
  else if (strcmp (element, "title") == 0)
    {
      if (r->text->len > 0)
        r->contents.head.title = g_ref_string_new (r->text->str);
      g_string_free (g_steal_pointer (&r->text), TRUE);
    }
  else if (strcmp (element, "settings") == 0)
    r->contents.head.settings = take_pairs (r, r->pairs, "setting");
  else if (strcmp (element, "variables") == 0)
    r->contents.head.variables = take_pairs (r, r->pairs, "variable");
  else if (strcmp (element, "assertions") == 0)
    r->contents.head.assertions = take_pairs (r, r->pairs, "assertion");
  else if (strcmp (element, "diagram") == 0)
    end_diagram (r);
  else if (strcmp (element, "note") == 0)
    end_note (r);
}

/* --- The parser ------------------------------------------------------------------------------ */

/* Takes over what the check of the schema found, or NULL. */
static void
note_breach (Reading *r, char *breach)
{
  if (breach != NULL)
    fail (r, "XML02", get_line (r), "The file breaks the schema of models: %s", breach);
  g_free (breach);
}

static void
stop_if_failed (Reading *r)
{
  if (r->code != NULL)
    xmlStopParser (r->xml);
}

static void
note_start (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
            int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
            const xmlChar **attributes)
{
  Reading *r = data;

  if (r->code == NULL)
    note_breach (r,
                 weir_schema_check_start (&r->schema, (const char *) name, (const char *) uri,
                                          (const char *const *) attributes, (guint) n_attributes));
  if (r->code == NULL)
    {
      take_attributes (r, attributes, n_attributes);
      start_element (r, (const char *) name);
    }
  r->depth++;
  stop_if_failed (r);
}

static void
note_end (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Reading *r = data;

  r->depth--;
  if (r->code == NULL)
    note_breach (r, weir_schema_check_close (&r->schema));
  if (r->code == NULL)
    end_element (r, (const char *) name);
  stop_if_failed (r);
}

static void
note_text (void *data, const xmlChar *text, int length)
{
  Reading *r = data;

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
  Reading *r = data;

  fail (r, "XML03", get_line (r),
        "The file has a document type (DOCTYPE), which models do not use.");
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
  Reading *r = data;
  gssize n = g_input_stream_read (r->stream, buffer, (gsize) size, NULL,
                                  r->stream_error == NULL ? &r->stream_error : NULL);

  if (n > 0)
    r->n_bytes += (gsize) n;
  if (r->n_bytes > MAX_FILE_SIZE)
    fail (r, "XML05", 0, "The file is larger than %d MiB.", MAX_FILE_SIZE / (1024 * 1024));
  return r->code == NULL ? (int) MAX (n, 0) : 0; /* as if the file ended there */
}

static void
read_elements (Reading *r)
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
    fail (r, "FIL01", 0, "The file cannot be read: %s", r->stream_error->message);
  else if (r->contents.diagram == NULL || !r->xml->wellFormed)
    fail (r, "XML01", 0, "The file is not XML.");
  /* The parser makes one for entities that are declared, and leaves it behind where it
   * was stopped. */
  xmlFreeDoc (r->xml->myDoc);
  xmlFreeParserCtxt (r->xml);
  weir_schema_end (&r->schema);
}

gboolean
weir_contents_read (GInputStream *stream, const char *name, const char *element,
                    WeirContents *contents, WeirDiagnostics *diagnostics)
{
  Reading r = { .stream = stream, .element = element };

  r.levels = g_array_new (FALSE, TRUE, sizeof (Level));
  g_array_set_clear_func (r.levels, level_clear);
  r.ids = g_hash_table_new (NULL, NULL);
  r.attributes = g_array_new (FALSE, FALSE, sizeof (Attribute));
  r.values = g_byte_array_new ();
  r.pairs = text_pairs_new ();
  r.metadata = metadata_items_new ();
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
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, r.code, "", 0, 0, r.line, "%s",
                            r.sentence);
      g_clear_pointer (&r.contents.diagram, weir_diagram_unref);
      weir_head_clear (&r.contents.head);
    }
  if (name != NULL)
    weir_diagnostics_set_file (diagnostics, name);
  g_free (r.sentence);
  *contents = r.contents;
  return r.code == NULL;
}

/* @folder: of the file, or NULL. */
static WeirModel *
read_stream (GInputStream *stream, const char *name, const char *folder,
             WeirDiagnostics *diagnostics)
{
  WeirContents contents;
  WeirModel *model;

  if (!weir_contents_read (stream, name, WEIR_MODEL_ELEMENT, &contents, diagnostics))
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
  g_autoptr (GInputStream) stream = NULL;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  stream = g_memory_input_stream_new_from_bytes (bytes);
  return read_stream (stream, name, NULL, diagnostics);
}

WeirModel *
weir_model_read_file (GFile *file, WeirDiagnostics *diagnostics)
{
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) parent = NULL;
  g_autofree char *name = NULL, *folder = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  name = g_file_get_parse_name (file);
  parent = g_file_get_parent (file);
  folder = parent != NULL ? g_file_get_path (parent) : NULL;
  stream = g_file_read (file, NULL, &error);
  if (stream == NULL)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0,
                            "The file cannot be read: %s", error->message);
      weir_diagnostics_set_file (diagnostics, name);
      return NULL;
    }
  return read_stream (G_INPUT_STREAM (stream), name, folder, diagnostics);
}
