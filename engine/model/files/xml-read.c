/* Reading models: a stream of XML elements, each checked against the schema before it is looked at.
 *
 * Nothing is kept of the XML: elements with their attributes (base/xml.h) go to the check of the
 * schema first and then to weir_reading_start_element(). The schema guarantees which elements and
 * attributes appear where and that their texts have the right form; only what it cannot say is left
 * to be checked. Whatever goes wrong first is the one diagnostic; nothing of a refused file is
 * kept.
 */
#include "model/files/xml-private.h"
#include "base/error.h"
#include "base/text.h"
#include "blocks/parts/user-parts.h"
#include "model/structures/structures.h"

#include <string.h>

#include "base/file.h"
#include "model/tree/file-names.h"

#define CANCELLED "" /* stands for a code; nobody is told */

/* --- The elements ---------------------------------------------------------------------------- */

/* Takes over what the check of the schema found, or NULL. */
static void
note_breach (WeirReading *r, WeirMessage *breach)
{
  if (breach != NULL)
    weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                   N_ ("The file breaks the schema of models: %s"), weir_message_get_text (breach));
  weir_message_unref (breach);
}

/* Before anything else: what a later version of the format has besides is nothing to this one. */
static void
check_version (WeirReading *r, const char *element)
{
  const char *version = weir_xml_get_attribute (&r->xml, "version");
  gsize n_digits = version != NULL ? strspn (version, "0123456789") : 0;

  if (strcmp (element, r->element) == 0 && n_digits > 0 && version[n_digits] == '\0'
      && g_ascii_strtoull (version, NULL, 10) > WEIR_FORMAT_VERSION)
    weir_xml_fail (
        &r->xml, "XML06", weir_xml_get_line (&r->xml),
        N_ ("The file has format version %.30s, but this program reads versions up to %d."),
        version, WEIR_FORMAT_VERSION);
}

static void
note_start (gpointer data, const char *name, const char *uri, const char *const *attributes,
            guint n_attributes)
{
  WeirReading *r = data;

  if (r->depth == 0)
    check_version (r, name);
  if (r->xml.code == NULL)
    note_breach (r, weir_schema_check_start (&r->schema, name, uri, attributes, n_attributes));
  if (r->xml.code == NULL)
    weir_reading_start_element (r, r->schema.tag, name);
  r->depth++;
}

static void
note_end (gpointer data, G_GNUC_UNUSED const char *name)
{
  WeirReading *r = data;

  r->depth--;
  note_breach (r, weir_schema_check_close (&r->schema));
  if (r->xml.code == NULL)
    weir_reading_end_element (r, r->schema.tag);
}

static void
note_text (gpointer data, const char *text, gsize length)
{
  WeirReading *r = data;

  note_breach (r, weir_schema_check_text (&r->schema, text, length));
  if (r->text != NULL)
    g_string_append_len (r->text, text, (gssize) length);
}

static void
note_progress (gpointer data, gsize n_bytes)
{
  WeirReading *r = data;

  if (r->control->progress != NULL)
    g_atomic_int_set (r->control->progress, (gint) (1000 * n_bytes / MAX (r->control->size, 1)));
  if (g_cancellable_is_cancelled (r->control->cancellable))
    weir_xml_fail (&r->xml, CANCELLED, 0, N_ ("Reading was ended."));
}

/* --- The file -------------------------------------------------------------------------------- */

static void
read_elements (WeirReading *r, GInputStream *stream)
{
  WeirXmlHandlers handlers = { note_start, note_end, note_text,
                               r->control != NULL ? note_progress : NULL };

  weir_schema_begin (&r->schema, r->element);
  r->xml = (WeirXml) { .handlers = &handlers,
                       .data = r,
                       .stream = stream,
                       .limit = weir_file_get_limit (WEIR_FILE_MODEL) };
  weir_xml_read (&r->xml);
  if (r->contents.diagram == NULL)
    weir_xml_fail (&r->xml, "XML01", 0, N_ ("The file is not XML."));
  weir_schema_end (&r->schema);
}

gboolean
weir_contents_read (GInputStream *stream, const char *name, const char *element,
                    const WeirReadControl *control, WeirContents *contents,
                    WeirDiagnostics *diagnostics)
{
  WeirReading r = { .element = element, .control = control };
  gboolean is_whole;

  r.levels = g_array_new (FALSE, TRUE, sizeof (WeirLevel));
  g_array_set_clear_func (r.levels, weir_reading_level_clear);
  r.ids = g_hash_table_new (NULL, NULL);
  r.block_contents = weir_block_contents_new ();
  r.pairs = weir_reading_pairs_new ();
  r.metadata = weir_reading_items_new ();
  r.parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  r.bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  read_elements (&r, stream);

  g_array_unref (r.levels);
  g_hash_table_unref (r.ids);
  g_hash_table_unref (r.block_contents);
  g_array_unref (r.pairs);
  g_array_unref (r.metadata);
  g_array_unref (r.bends);
  g_hash_table_unref (r.parts);
  g_clear_pointer (&r.wire, weir_wire_unref);
  if (r.text != NULL)
    g_string_free (r.text, TRUE);

  if (r.xml.code != NULL)
    {
      if (strcmp (r.xml.code, CANCELLED) != 0)
        weir_diagnostics_add_message (diagnostics, WEIR_SEVERITY_ERROR, r.xml.code, "", 0, 0,
                                      r.xml.line, g_steal_pointer (&r.xml.sentence));
      g_clear_pointer (&r.contents.diagram, weir_diagram_unref);
      weir_head_clear (&r.contents.head);
    }
  is_whole = r.xml.code == NULL;
  weir_xml_clear (&r.xml);
  if (name != NULL)
    weir_diagnostics_set_file (diagnostics, name);
  *contents = r.contents;
  return is_whole;
}

/* @folder: of the file, or NULL; @control: or NULL. */
static WeirModel *
read_model (GBytes *bytes, const char *name, const char *folder, const WeirReadControl *control,
            WeirDiagnostics *diagnostics)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  WeirReadControl control_here = control != NULL ? *control : (WeirReadControl) { NULL };
  WeirContents contents;
  WeirModel *model;

  control_here.folder = folder;
  weir_user_parts_read (folder);
  if (!weir_contents_read (stream, name, WEIR_MODEL_ELEMENT, &control_here, &contents, diagnostics))
    return NULL;
  if (folder != NULL)
    contents.head.folder = g_ref_string_new (folder);
  weir_diagram_read_fmus (contents.diagram, folder);
  model = weir_model_new_for_root (contents.diagram, &contents.head);
  weir_diagram_unref (contents.diagram);
  weir_head_clear (&contents.head);
  return model;
}

/* A system of another tool's parts. */
static WeirModel *
read_structure (GBytes *bytes, const char *path, const char *name, WeirDiagnostics *diagnostics)
{
  WeirModel *model = weir_structure_read (bytes, path, diagnostics);

  if (name != NULL)
    weir_diagnostics_set_file (diagnostics, name);
  return model;
}

WeirModel *
weir_model_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  if (weir_structure_is_one (bytes))
    return read_structure (bytes, name != NULL ? name : "", name, diagnostics);
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
  g_autofree char *name = NULL, *folder = NULL, *path = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  name = g_file_get_parse_name (file);
  folder = weir_file_dup_folder (file);
  path = g_file_get_path (file);
  bytes = weir_file_read_from (
      file, weir_file_begins_with (file, "PK\003\004") ? WEIR_FILE_FMU : WEIR_FILE_MODEL, &error);
  if (digest != NULL)
    *digest = bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : NULL;
  if (bytes == NULL)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0, "%s.",
                            weir_error_get_text (error));
      weir_diagnostics_set_file (diagnostics, name);
      return NULL;
    }
  if (weir_structure_is_one (bytes))
    return read_structure (bytes, path != NULL ? path : name, name, diagnostics);
  control.size = g_bytes_get_size (bytes);
  return read_model (bytes, name, folder, &control, diagnostics);
}
