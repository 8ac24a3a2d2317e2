/* Writing models as XML, and saving so that a crash leaves the old file or the new one, whole.
 *
 * The bytes are a function of the model alone: order of id, attributes in a fixed order, the
 * shortest decimal that reads back as the same number.
 */
#include "model/files/xml-private.h"

#include <libxml/xmlwriter.h>
#include <string.h>

#include "base/file.h"
#include "model/tree/file-names.h"
#include "model/tree/part-records.h"
#include "numerics/number.h"

/* The writer works in memory only: it cannot fail but by lack of memory, which ends the program
 * elsewhere too. */
#define CHECKED(call)                                                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if ((call) < 0)                                                                                \
      g_error ("Out of memory.");                                                                  \
  }                                                                                                \
  G_STMT_END

static void
start (xmlTextWriter *writer, const char *element)
{
  CHECKED (xmlTextWriterStartElement (writer, BAD_CAST element));
}

static void
end (xmlTextWriter *writer)
{
  CHECKED (xmlTextWriterEndElement (writer));
}

static void
write_text (xmlTextWriter *writer, const char *attribute, const char *text)
{
  CHECKED (xmlTextWriterWriteAttribute (writer, BAD_CAST attribute, BAD_CAST text));
}

static void
write_id (xmlTextWriter *writer, guint32 id)
{
  char text[16];

  g_snprintf (text, sizeof text, "%u", id);
  write_text (writer, "id", text);
}

static void
write_number (xmlTextWriter *writer, const char *attribute, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  write_text (writer, attribute, weir_number_to_text (value == 0 ? 0 : value, text));
}

static void
write_point (xmlTextWriter *writer, const char *x, const char *y, WeirPoint point)
{
  write_number (writer, x, point.x);
  write_number (writer, y, point.y);
}

static void
write_pairs (xmlTextWriter *writer, const char *element, const WeirTexts *texts)
{
  for (guint i = 0; i < weir_texts_get_size (texts); i++)
    {
      start (writer, element);
      write_text (writer, "name", weir_texts_get_name (texts, i));
      write_text (writer, "value", weir_texts_get_text (texts, i));
      end (writer);
    }
}

static void
write_metadata (xmlTextWriter *writer, const WeirMetadata *metadata)
{
  for (guint i = 0; i < weir_metadata_get_size (metadata); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (metadata, i);

      start (writer, "meta");
      write_text (writer, "name", item.name);
      if (item.of[0] != '\0')
        write_text (writer, "of", item.of);
      if (item.type != WEIR_METADATA_TEXT)
        write_text (writer, "type", weir_metadata_type_get_name (item.type));
      write_text (writer, "value", item.text);
      end (writer);
    }
}

/* A list that is empty is left out. */
static void
write_list (xmlTextWriter *writer, const char *element, const char *item, const WeirTexts *texts)
{
  if (texts == NULL)
    return;
  start (writer, element);
  write_pairs (writer, item, texts);
  end (writer);
}

static void
write_assertions (xmlTextWriter *writer, const WeirTexts *assertions)
{
  if (assertions == NULL)
    return;
  start (writer, "assertions");
  for (guint i = 0; i < weir_texts_get_size (assertions); i++)
    {
      start (writer, "assertion");
      write_text (writer, "text", weir_texts_get_name (assertions, i));
      if (weir_texts_get_text (assertions, i)[0] != '\0')
        write_text (writer, "reason", weir_texts_get_text (assertions, i));
      end (writer);
    }
  end (writer);
}

static void
write_head (xmlTextWriter *writer, const WeirContents *contents)
{
  const WeirHead *head = &contents->head;
  g_autoptr (WeirMetadata) metadata = weir_part_records_add (head->metadata, contents->diagram);

  if (head->title != NULL)
    CHECKED (xmlTextWriterWriteElement (writer, BAD_CAST "title", BAD_CAST head->title));
  write_metadata (writer, metadata);
  write_list (writer, "settings", "setting", head->settings);
  write_list (writer, "variables", "variable", head->variables);
  write_assertions (writer, head->assertions);
  write_list (writer, "plots", "plot", head->plots);
}

static void write_diagram (xmlTextWriter *writer, const WeirDiagram *diagram);

static gboolean
write_block (WeirBlock *block, gpointer data)
{
  static const char *const rotations[] = { NULL, "90", "180", "270" };
  xmlTextWriter *writer = data;

  start (writer, "block");
  write_id (writer, block->id);
  write_text (writer, "type", block->content->type);
  write_text (writer, "name", block->name);
  write_point (writer, "x", "y", block->position);
  if (block->size.x != 0 || block->size.y != 0)
    write_point (writer, "width", "height", block->size);
  if (block->rotation != WEIR_ROTATION_0)
    write_text (writer, "rotation", rotations[block->rotation]);
  if (block->flipped)
    write_text (writer, "flipped", "true");
  if (block->mode != WEIR_BLOCK_ACTIVE)
    write_text (writer, "mode",
                block->mode == WEIR_BLOCK_COMMENTED_OUT ? "commented-out" : "passed-through");
  if (block->tint != WEIR_TINT_NONE)
    write_text (writer, "tint", weir_tint_get_name (block->tint));
  write_metadata (writer, block->metadata);
  write_pairs (writer, "parameter", block->content->parameters);
  write_pairs (writer, "unit", block->unit);
  if (block->diagram != NULL)
    write_diagram (writer, block->diagram);
  end (writer);
  return TRUE;
}

static void
write_end (xmlTextWriter *writer, const char *port, const char *x, const char *y, const char *line,
           WeirWireEnd wire_end)
{
  g_autofree char *text = NULL;
  char joined[16];

  if (wire_end.block == 0)
    {
      write_point (writer, x, y, wire_end.point);
      g_snprintf (joined, sizeof joined, "%u", wire_end.line);
      if (wire_end.line != 0)
        write_text (writer, line, joined);
      return;
    }
  text = g_strdup_printf ("%u.%s", wire_end.block, wire_end.port);
  write_text (writer, port, text);
}

static gboolean
write_wire (WeirWire *wire, gpointer data)
{
  xmlTextWriter *writer = data;
  guint n_bends;
  const WeirPoint *bends = weir_wire_get_bends (wire, &n_bends);

  start (writer, weir_wire_is_line (wire) ? "line" : "wire");
  write_id (writer, weir_wire_get_id (wire));
  write_end (writer, "from", "from-x", "from-y", "from-line", weir_wire_get_from (wire));
  write_end (writer, "to", "to-x", "to-y", "to-line", weir_wire_get_to (wire));
  if (weir_wire_get_label (wire)[0] != '\0')
    write_text (writer, "label", weir_wire_get_label (wire));
  for (guint i = 0; i < n_bends; i++)
    {
      start (writer, "bend");
      write_point (writer, "x", "y", bends[i]);
      end (writer);
    }
  end (writer);
  return TRUE;
}

static gboolean
write_note (WeirNote *note, gpointer data)
{
  xmlTextWriter *writer = data;

  start (writer, "note");
  write_id (writer, weir_note_get_id (note));
  write_point (writer, "x", "y", weir_note_get_position (note));
  if (weir_note_get_size (note).x != 0 || weir_note_get_size (note).y != 0)
    write_point (writer, "width", "height", weir_note_get_size (note));
  if (weir_note_get_tint (note) != WEIR_TINT_NONE)
    write_text (writer, "tint", weir_tint_get_name (weir_note_get_tint (note)));
  if (weir_note_get_text (note)[0] != '\0')
    CHECKED (xmlTextWriterWriteString (writer, BAD_CAST weir_note_get_text (note)));
  end (writer);
  return TRUE;
}

static void
write_diagram (xmlTextWriter *writer, const WeirDiagram *diagram)
{
  start (writer, "diagram");
  weir_diagram_foreach_block (diagram, write_block, writer);
  weir_diagram_foreach_wire (diagram, write_wire, writer);
  weir_diagram_foreach_note (diagram, write_note, writer);
  end (writer);
}

static gboolean
find_line (WeirWire *wire, gpointer data)
{
  *(gboolean *) data |= weir_wire_is_line (wire);
  return !*(gboolean *) data;
}

static gboolean has_lines (const WeirDiagram *diagram);

static gboolean
find_lines (WeirBlock *block, gpointer data)
{
  *(gboolean *) data |= block->diagram != NULL && has_lines (block->diagram);
  return !*(gboolean *) data;
}

static gboolean
has_lines (const WeirDiagram *diagram)
{
  gboolean has = FALSE;

  weir_diagram_foreach_wire (diagram, find_line, &has);
  if (!has)
    weir_diagram_foreach_block (diagram, find_lines, &has);
  return has;
}

static gboolean
has_no_unit (WeirBlock *block, G_GNUC_UNUSED gpointer data)
{
  gboolean *has_units = data;

  *has_units = block->unit != NULL;
  if (!*has_units && block->diagram != NULL)
    weir_diagram_foreach_block (block->diagram, has_no_unit, has_units);
  return !*has_units;
}

static int
get_version (const WeirContents *contents)
{
  gboolean has_units = FALSE;

  if (has_lines (contents->diagram))
    return WEIR_FORMAT_LINES;
  weir_diagram_foreach_block (contents->diagram, has_no_unit, &has_units);
  return has_units ? WEIR_FORMAT_UNITS : contents->head.plots != NULL ? WEIR_FORMAT_PLOTS : 1;
}

GBytes *
weir_contents_write (const WeirContents *contents, const char *element)
{
  xmlBuffer *buffer = xmlBufferCreate ();
  xmlTextWriter *writer = buffer != NULL ? xmlNewTextWriterMemory (buffer, 0) : NULL;
  char version[16];
  GBytes *bytes;

  if (writer == NULL)
    g_error ("Out of memory.");
  g_snprintf (version, sizeof version, "%d", get_version (contents));
  CHECKED (xmlTextWriterSetIndent (writer, 1));
  CHECKED (xmlTextWriterSetIndentString (writer, BAD_CAST "  "));
  CHECKED (xmlTextWriterStartDocument (writer, NULL, "UTF-8", NULL));
  start (writer, element);
  write_text (writer, "version", version);
  write_head (writer, contents);
  write_diagram (writer, contents->diagram);
  end (writer);
  CHECKED (xmlTextWriterEndDocument (writer));
  xmlFreeTextWriter (writer);

  bytes = g_bytes_new (xmlBufferContent (buffer), xmlBufferLength (buffer));
  xmlBufferFree (buffer);
  return bytes;
}

GBytes *
weir_model_write_bytes (const WeirModel *model)
{
  WeirContents contents;

  g_return_val_if_fail (model != NULL, NULL);

  contents = (WeirContents) { model->root, model->head };
  return weir_contents_write (&contents, WEIR_MODEL_ELEMENT);
}

gboolean
weir_model_write_file (WeirModel *model, GFile *file, GError **error)
{
  g_autofree char *folder = NULL;
  g_autoptr (WeirModel) moved = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (model != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  folder = weir_file_dup_folder (file);
  moved = weir_model_move (model, folder);
  bytes = weir_model_write_bytes (moved);
  return weir_file_write_to (file, bytes, error);
}
