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

/* A resistor with a pin for its heat was a type of its own. */
#define HEATING_RESISTOR "HeatingResistor"

static WeirTexts *
add_heat_pin (WeirTexts *parameters)
{
  WeirTexts *heats = weir_texts_with (parameters, "heats", "yes");
  WeirTexts *whole = weir_texts_find (heats, "alpha") == NULL
                         ? weir_texts_with (heats, "alpha", "0.004")
                         : weir_texts_ref (heats);

  weir_texts_unref (parameters);
  weir_texts_unref (heats);
  return whole;
}

static const char *
get_type (WeirReading *r)
{
  const char *read = weir_xml_get_attribute (&r->xml, "type");
  const char *name = strcmp (read, HEATING_RESISTOR) == 0 ? "Resistor" : read;
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

  level->was_heating = strcmp (weir_xml_get_attribute (&r->xml, "type"), HEATING_RESISTOR) == 0;
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

  if (level->was_heating)
    parameters = add_heat_pin (parameters);
  weir_block_set_parameters (block, parameters, r->block_contents);
  weir_texts_unref (parameters);
  if (level->unit->len > 0)
    end_unit (r, block, level->unit);
  block->metadata = weir_reading_take_metadata (r, level->metadata);
  g_ptr_array_add (level->blocks, block);
}

/* One end of the wire @id: either a port or a point; a point of another line where @line_name says
 * so. */
static WeirWireEnd
read_end (WeirReading *r, guint32 id, const char *port_name, const char *x_name, const char *y_name,
          const char *line_name)
{
  const char *text = weir_xml_get_attribute (&r->xml, port_name);
  const char *joined = NULL;
  gboolean has_x, has_y;
  WeirWireEnd end = { 0 };

  has_x = weir_reading_get_number (r, x_name, &end.point.x);
  has_y = weir_reading_get_number (r, y_name, &end.point.y);
  if (line_name != NULL)
    joined = weir_xml_get_attribute (&r->xml, line_name);
  if (text != NULL ? has_x || has_y || joined != NULL : !has_x || !has_y)
    {
      weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                     N_ ("Wire %u needs either '%s', or '%s' and '%s'."), id, port_name, x_name,
                     y_name);
      return end;
    }
  if (joined != NULL)
    end.line = (guint32) weir_reading_get_whole (joined);
  if (text != NULL)
    {
      guint64 block = weir_reading_get_whole (text);

      if (block > WEIR_MAX_ID)
        weir_xml_fail (&r->xml, "XML02", weir_xml_get_line (&r->xml),
                       N_ ("Wire %u: %lu cannot be the id of a block."), id, (gulong) block);
      end.block = (guint32) block;
      end.port = strchr (text, '.') + 1;
    }
  return end;
}

static void
start_wire (WeirReading *r, gboolean is_line)
{
  guint32 id = weir_reading_take_id (r);
  WeirWireEnd from = read_end (r, id, "from", "from-x", "from-y", is_line ? "from-line" : NULL);
  WeirWireEnd to = read_end (r, id, "to", "to-x", "to-y", is_line ? "to-line" : NULL);
  const char *label = weir_xml_get_attribute (&r->xml, "label");

  g_array_set_size (r->bends, 0);
  r->wire = is_line ? weir_line_new (id, from, to, NULL, 0) : weir_wire_new (id, from, to, NULL, 0);
  if (label != NULL)
    {
      g_autoptr (WeirWire) plain = r->wire;

      r->wire = weir_wire_with_label (plain, label);
    }
  weir_wire_set_line (r->wire, weir_xml_get_line (&r->xml));
}

static void
end_wire (WeirReading *r)
{
  WeirWire *wire = g_steal_pointer (&r->wire);

  if (r->bends->len > 0)
    {
      g_autoptr (WeirWire) straight = wire;

      wire = weir_wire_with_bends (straight, (const WeirPoint *) (const void *) r->bends->data,
                                   r->bends->len);
    }
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
weir_reading_start_element (WeirReading *r, WeirTag tag, const char *name)
{
  WeirPoint point;

  switch (tag)
    {
    case WEIR_TAG_ROOT:
      start_root (r, name);
      break;
    case WEIR_TAG_WIRE:
    case WEIR_TAG_LINE:
      start_wire (r, tag == WEIR_TAG_LINE);
      break;
    case WEIR_TAG_BLOCK:
      start_block (r);
      break;
    case WEIR_TAG_PARAMETER:
      weir_reading_add_pair (r, get_level (r)->parameters, "name", "value");
      break;
    case WEIR_TAG_UNIT:
      weir_reading_add_pair (r, get_level (r)->unit, "name", "value");
      break;
    case WEIR_TAG_BEND:
      point = weir_reading_get_point (r, "x", "y");
      g_array_append_val (r->bends, point);
      break;
    case WEIR_TAG_DIAGRAM:
      start_diagram (r);
      break;
    case WEIR_TAG_NOTE:
      start_note (r);
      break;
    case WEIR_TAG_TITLE:
      r->text = g_string_new (NULL);
      break;
    case WEIR_TAG_SETTING:
    case WEIR_TAG_VARIABLE:
    case WEIR_TAG_PLOT:
      weir_reading_add_pair (r, r->pairs, "name", "value");
      break;
    case WEIR_TAG_ASSERTION:
      weir_reading_add_pair (r, r->pairs, "text", "reason");
      break;
    case WEIR_TAG_META:
      weir_reading_add_item (r, r->levels->len > 0 ? get_level (r)->metadata : r->metadata);
      break;
    case WEIR_TAG_SETTINGS:
    case WEIR_TAG_VARIABLES:
    case WEIR_TAG_ASSERTIONS:
    case WEIR_TAG_PLOTS:
    default:
      break;
    }
}

void
weir_reading_end_element (WeirReading *r, WeirTag tag)
{
  switch (tag)
    {
    case WEIR_TAG_WIRE:
    case WEIR_TAG_LINE:
      end_wire (r);
      break;
    case WEIR_TAG_BLOCK:
      end_block (r);
      break;
    case WEIR_TAG_TITLE:
      if (r->text->len > 0)
        r->contents.head.title = g_ref_string_new (r->text->str);
      g_string_free (g_steal_pointer (&r->text), TRUE);
      break;
    case WEIR_TAG_SETTINGS:
      r->contents.head.settings = weir_reading_take_pairs (r, r->pairs, "setting");
      break;
    case WEIR_TAG_VARIABLES:
      r->contents.head.variables = weir_reading_take_pairs (r, r->pairs, "variable");
      break;
    case WEIR_TAG_ASSERTIONS:
      r->contents.head.assertions = weir_reading_take_pairs (r, r->pairs, "assertion");
      break;
    case WEIR_TAG_PLOTS:
      r->contents.head.plots = weir_reading_take_pairs (r, r->pairs, "plot");
      break;
    case WEIR_TAG_DIAGRAM:
      end_diagram (r);
      break;
    case WEIR_TAG_NOTE:
      end_note (r);
      break;
    case WEIR_TAG_ROOT:
    case WEIR_TAG_ASSERTION:
    case WEIR_TAG_BEND:
    case WEIR_TAG_META:
    case WEIR_TAG_PARAMETER:
    case WEIR_TAG_PLOT:
    case WEIR_TAG_SETTING:
    case WEIR_TAG_UNIT:
    case WEIR_TAG_VARIABLE:
    default:
      break;
    }
}
