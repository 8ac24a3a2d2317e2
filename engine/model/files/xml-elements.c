/* What each element of a file means. The schema has been checked: which elements and attributes
 * appear where, and that their texts have the right form. */
#include "model/files/xml-private.h"
#include "base/text.h"
#include "model/tree/part-records.h"

#include <string.h>

static WeirLevel *
get_level (WeirReading *r)
{
  g_assert (r->levels->len > 0);
  return &g_array_index (r->levels, WeirLevel, r->levels->len - 1);
}

void
weir_reading_level_clear (gpointer data)
{
  WeirLevel *level = data;

  g_clear_pointer (&level->diagram, weir_diagram_unref);
  g_clear_pointer (&level->blocks, g_ptr_array_unref);
  g_clear_pointer (&level->wires, g_ptr_array_unref);
  g_clear_pointer (&level->block, weir_block_unref);
  g_clear_pointer (&level->parameters, g_array_unref);
  g_clear_pointer (&level->unit, g_array_unref);
  g_clear_pointer (&level->metadata, g_array_unref);
}

static void
start_root (WeirReading *r, const char *element)
{
  if (strcmp (element, r->element) != 0)
    weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                   N_ ("The file holds a <%s>, where a <%s> is expected."), element, r->element);
}

/* Records of parts that say nothing new are not kept. */
static void
take_part_records (WeirReading *r)
{
  for (guint i = r->metadata->len; i-- > 0;)
    {
      const WeirMetadataItem *item = &g_array_index (r->metadata, WeirMetadataItem, i);
      const char *type;

      if (strcmp (item->name, weir_key_part.name) != 0 || item->of[0] == '\0'
          || !weir_part_record_take (item->of, item->text, &type))
        continue;
      g_hash_table_insert (r->parts, g_strdup (item->of), (gpointer) g_intern_string (type));
      g_array_remove_index (r->metadata, i);
    }
}

static const char *
get_type (WeirReading *r)
{
  const char *name = weir_xml_get_attribute (&r->xml, "type");
  const char *type = g_hash_table_lookup (r->parts, name);

  return type != NULL
             ? type
             : weir_part_name_resolve (name, r->control != NULL ? r->control->folder : NULL);
}

static void
start_diagram (WeirReading *r)
{
  WeirLevel level = {
    .diagram = weir_diagram_new (),
    .blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_block_unref),
    .wires = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_wire_unref),
    .parameters = weir_reading_pairs_new (),
    .unit = weir_reading_pairs_new (),
    .metadata = weir_reading_items_new (),
  };

  if (r->levels->len == 0)
    take_part_records (r);
  if (r->levels->len == 0)
    r->contents.head.metadata = weir_reading_take_metadata (r, r->metadata);
  g_array_append_val (r->levels, level);
  if (r->levels->len > WEIR_MAX_DEPTH)
    weir_xml_fail (&r->xml, "XML05", weir_xml_get_line (&r->xml),
                   N_ ("Diagrams are nested more than %d levels deep."), WEIR_MAX_DEPTH);
}

static void
end_diagram (WeirReading *r)
{
  WeirLevel *level = get_level (r), *outer;
  g_autoptr (WeirDiagram) diagram = g_steal_pointer (&level->diagram);
  WeirBlock *block;

  weir_diagram_fill (diagram, level->blocks, level->wires);
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
start_block (WeirReading *r)
{
  const char *rotation, *flipped, *mode;
  WeirLevel *level = get_level (r);

  level->block = weir_block_new (weir_reading_take_id (r), get_type (r),
                                 weir_xml_get_attribute (&r->xml, "name"),
                                 weir_reading_get_point (r, "x", "y"));
  level->block->size = weir_reading_get_point (r, "width", "height");
  rotation = weir_xml_get_attribute (&r->xml, "rotation");
  if (rotation != NULL)
    level->block->rotation = (guint8) (g_ascii_strtoull (rotation, NULL, 10) / 90);
  flipped = weir_xml_get_attribute (&r->xml, "flipped");
  level->block->flipped = flipped != NULL && (strstr (flipped, "true") || strstr (flipped, "1"));
  mode = weir_xml_get_attribute (&r->xml, "mode");
  level->block->mode = g_strcmp0 (mode, "commented-out") == 0    ? WEIR_BLOCK_COMMENTED_OUT
                       : g_strcmp0 (mode, "passed-through") == 0 ? WEIR_BLOCK_PASSED_THROUGH
                                                                 : WEIR_BLOCK_ACTIVE;
  level->block->tint = (guint8) weir_tint_find (weir_xml_get_attribute (&r->xml, "tint"));
  weir_block_set_line (level->block, weir_xml_get_line (&r->xml));
}

/* A file that says only the other settings means a unit too. */
static void
end_unit (WeirReading *r, WeirBlock *block, GArray *pairs)
{
  WeirTexts *unit = weir_reading_take_pairs (r, pairs, "unit");

  if (unit != NULL && weir_texts_find (unit, WEIR_UNIT_MARK) == NULL)
    {
      block->unit = weir_texts_with (unit, WEIR_UNIT_MARK, "1");
      weir_texts_unref (unit);
    }
  else
    block->unit = unit;
}

static void
end_block (WeirReading *r)
{
  WeirLevel *level = get_level (r);
  WeirBlock *block = g_steal_pointer (&level->block);
  WeirTexts *parameters = weir_reading_take_pairs (r, level->parameters, "parameter");

  if (parameters != NULL)
    weir_block_set_parameters (block, parameters);
  weir_texts_unref (parameters);
  weir_block_share_content (block, r->block_contents);
  if (level->unit->len > 0)
    end_unit (r, block, level->unit);
  block->metadata = weir_reading_take_metadata (r, level->metadata);
  g_ptr_array_add (level->blocks, block);
}

/* One end: either a port or a point; a point of another line where @line_name says so. */
static void
read_end (WeirReading *r, const char *port_name, const char *x_name, const char *y_name,
          const char *line_name, WeirWireEnd *wire_end, char **port)
{
  const char *text = weir_xml_get_attribute (&r->xml, port_name);
  const char *joined = r->is_line ? weir_xml_get_attribute (&r->xml, line_name) : NULL;
  gboolean has_x, has_y;

  memset (wire_end, 0, sizeof *wire_end);
  g_clear_pointer (port, g_free);
  has_x = weir_reading_get_number (r, x_name, &wire_end->point.x);
  has_y = weir_reading_get_number (r, y_name, &wire_end->point.y);
  if (text != NULL ? has_x || has_y || joined != NULL : !has_x || !has_y)
    {
      weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                     N_ ("Wire %u needs either '%s', or '%s' and '%s'."), r->wire_id, port_name,
                     x_name, y_name);
      return;
    }
  if (joined != NULL)
    wire_end->line = (guint32) g_ascii_strtoull (joined, NULL, 10);
  if (text != NULL)
    {
      guint64 block = g_ascii_strtoull (text, NULL, 10);

      if (block > WEIR_MAX_ID)
        weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                       N_ ("Wire %u: %lu cannot be the id of a block."), r->wire_id,
                       (gulong) block);
      *port = g_strdup (strchr (text, '.') + 1);
      wire_end->block = (guint32) block;
      wire_end->port = *port;
    }
}

static void
start_wire (WeirReading *r, gboolean is_line)
{
  g_array_set_size (r->bends, 0);
  r->is_line = is_line;
  r->wire_id = weir_reading_take_id (r);
  r->wire_line = weir_xml_get_line (&r->xml);
  g_free (r->wire_label);
  r->wire_label = weir_reading_dup_attribute (r, "label");
  read_end (r, "from", "from-x", "from-y", "from-line", &r->from, &r->from_port);
  read_end (r, "to", "to-x", "to-y", "to-line", &r->to, &r->to_port);
}

static void
end_wire (WeirReading *r)
{
  const WeirPoint *bends = (const WeirPoint *) (const void *) r->bends->data;
  WeirWire *wire = r->is_line ? weir_line_new (r->wire_id, r->from, r->to, bends, r->bends->len)
                              : weir_wire_new (r->wire_id, r->from, r->to, bends, r->bends->len);

  if (r->wire_label != NULL)
    {
      g_autoptr (WeirWire) plain = wire;

      wire = weir_wire_with_label (plain, r->wire_label);
    }
  weir_wire_set_line (wire, r->wire_line);
  g_ptr_array_add (get_level (r)->wires, wire);
}

static void
start_note (WeirReading *r)
{
  r->note_id = weir_reading_take_id (r);
  r->note_position = weir_reading_get_point (r, "x", "y");
  r->note_size = weir_reading_get_point (r, "width", "height");
  r->note_tint = weir_tint_find (weir_xml_get_attribute (&r->xml, "tint"));
  r->text = g_string_new (NULL);
}

static void
end_note (WeirReading *r)
{
  g_autofree char *text = g_string_free (g_steal_pointer (&r->text), FALSE);
  g_autoptr (WeirNote) plain = weir_note_new (r->note_id, r->note_position, text);
  g_autoptr (WeirNote) sized = weir_note_with_size (plain, r->note_size);
  g_autoptr (WeirNote) note = weir_note_with_tint (sized, r->note_tint);

  weir_diagram_put_note (get_level (r)->diagram, note);
}

void
weir_reading_start_element (WeirReading *r, const char *element)
{
  /* What there is most of comes first. */
  if (r->depth == 0)
    start_root (r, element);
  else if (strcmp (element, "wire") == 0)
    start_wire (r, FALSE);
  else if (strcmp (element, "line") == 0)
    start_wire (r, TRUE);
  else if (strcmp (element, "block") == 0)
    start_block (r);
  else if (strcmp (element, "parameter") == 0)
    weir_reading_add_pair (r, get_level (r)->parameters);
  else if (strcmp (element, "unit") == 0)
    weir_reading_add_pair (r, get_level (r)->unit);
  else if (strcmp (element, "bend") == 0)
    {
      WeirPoint point = weir_reading_get_point (r, "x", "y");

      g_array_append_val (r->bends, point);
    }
  else if (strcmp (element, "diagram") == 0)
    start_diagram (r);
  else if (strcmp (element, "note") == 0)
    start_note (r);
  else if (strcmp (element, "title") == 0)
    r->text = g_string_new (NULL);
  else if (strcmp (element, "setting") == 0 || strcmp (element, "variable") == 0
           || strcmp (element, "plot") == 0)
    weir_reading_add_pair (r, r->pairs);
  else if (strcmp (element, "assertion") == 0)
    weir_reading_add_assertion (r);
  else if (strcmp (element, "meta") == 0)
    weir_reading_add_item (r, r->levels->len > 0 ? get_level (r)->metadata : r->metadata);
}

void
weir_reading_end_element (WeirReading *r, const char *element)
{
  if (strcmp (element, "wire") == 0 || strcmp (element, "line") == 0)
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
    r->contents.head.settings = weir_reading_take_pairs (r, r->pairs, "setting");
  else if (strcmp (element, "variables") == 0)
    r->contents.head.variables = weir_reading_take_pairs (r, r->pairs, "variable");
  else if (strcmp (element, "assertions") == 0)
    r->contents.head.assertions = weir_reading_take_pairs (r, r->pairs, "assertion");
  else if (strcmp (element, "plots") == 0)
    r->contents.head.plots = weir_reading_take_pairs (r, r->pairs, "plot");
  else if (strcmp (element, "diagram") == 0)
    end_diagram (r);
  else if (strcmp (element, "note") == 0)
    end_note (r);
}
