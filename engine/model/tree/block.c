/* Blocks. A copy that moves or renames a block shares its content, and with it the parsed
 * arguments.
 */
#include "model/tree/fmu-files.h"
#include "model/tree/fmu-starts.h"
#include "base/error.h"
#include "base/sync.h"
#include "blocks/parts/part.h"
#include "model/tree/model-private.h"

#include <string.h>

/* Published in place of arguments where there are none. */
static char no_arguments;

static void
content_unref (WeirBlockContent *content)
{
  if (!weir_sync_drop (content, &content->ref_count))
    return;
  if (content->arguments != NULL && content->arguments != &no_arguments)
    weir_arguments_free (content->arguments);
  g_ref_string_release (content->type);
  weir_texts_unref (content->parameters);
  g_free (content);
}

/* @type: taken over; @parameters: taken over. */
static WeirBlockContent *
content_new (GRefString *type, WeirTexts *parameters)
{
  WeirBlockContent *content = g_new (WeirBlockContent, 1);

  g_atomic_ref_count_init (&content->ref_count);
  content->type = type;
  content->parameters = parameters;
  content->arguments = NULL;
  content->file = NULL;
  return content;
}

WeirBlock *
weir_block_new (guint32 id, const char *type, const char *name, WeirPoint position)
{
  WeirBlock *self;

  g_return_val_if_fail (type != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self = g_new0 (WeirBlock, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->id = id;
  self->name = g_ref_string_new (name);
  self->position = position;
  self->content = content_new (g_ref_string_new_intern (type), NULL);
  if (strcmp (type, WEIR_TYPE_NAME_SUBSYSTEM) == 0)
    self->diagram = weir_diagram_new ();
  return self;
}

WeirBlock *
weir_block_ref (WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_block_unref (WeirBlock *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_ref_string_release (self->name);
  content_unref (self->content);
  weir_metadata_unref (self->metadata);
  weir_texts_unref (self->unit);
  g_clear_pointer (&self->diagram, weir_diagram_unref);
  g_free (self);
}

/* A copy that nobody else sees yet. The count is left alone: other threads may be changing it. */
static WeirBlock *
block_copy (const WeirBlock *self)
{
  WeirBlock *copy = g_new (WeirBlock, 1);

  *copy = (WeirBlock) { .id = self->id,
                        .line = self->line,
                        .rotation = self->rotation,
                        .flipped = self->flipped,
                        .mode = self->mode,
                        .tint = self->tint,
                        .name = self->name,
                        .position = self->position,
                        .size = self->size,
                        .content = self->content,
                        .metadata = self->metadata,
                        .unit = self->unit,
                        .diagram = self->diagram };
  g_atomic_ref_count_init (&copy->ref_count);
  g_ref_string_acquire (copy->name);
  g_atomic_ref_count_inc (&copy->content->ref_count);
  weir_metadata_ref (copy->metadata);
  weir_texts_ref (copy->unit);
  if (copy->diagram != NULL)
    weir_diagram_ref (copy->diagram);
  return copy;
}

guint32
weir_block_get_id (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->id;
}

const char *
weir_block_get_type_name (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->content->type;
}

gboolean
weir_block_is_type (const WeirBlock *self, const char *type)
{
  return strcmp (self->content->type, type) == 0;
}

const char *
weir_block_get_name (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

WeirPoint
weir_block_get_position (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, ((WeirPoint) { 0, 0 }));

  return self->position;
}

WeirPoint
weir_block_get_size (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, ((WeirPoint) { 0, 0 }));

  return self->size;
}

WeirRotation
weir_block_get_rotation (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, WEIR_ROTATION_0);

  return self->rotation;
}

gboolean
weir_block_get_flipped (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->flipped;
}

WeirBlockMode
weir_block_get_mode (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, WEIR_BLOCK_ACTIVE);

  return self->mode;
}

WeirTint
weir_block_get_tint (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, WEIR_TINT_NONE);

  return self->tint;
}

int
weir_block_get_line (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->line;
}

const char *
weir_block_get_parameter (const WeirBlock *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return weir_texts_find (self->content->parameters, name);
}

guint
weir_block_get_n_parameters (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return weir_texts_get_size (self->content->parameters);
}

void
weir_block_get_parameter_at (const WeirBlock *self, guint i, const char **name, const char **text)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (i < weir_block_get_n_parameters (self));

  if (name != NULL)
    *name = weir_texts_get_name (self->content->parameters, i);
  if (text != NULL)
    *text = weir_texts_get_text (self->content->parameters, i);
}

WeirMetadata *
weir_block_get_metadata (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->metadata;
}

gboolean
weir_block_is_unit (const WeirBlock *self)
{
  const WeirArguments *arguments;

  g_return_val_if_fail (self != NULL, FALSE);

  if (!weir_block_is_type (self, WEIR_TYPE_NAME_FMU))
    return self->unit != NULL;
  /* By what it is, whether it has settings or not. */
  arguments = weir_block_get_arguments (self);
  return arguments != NULL
         && weir_fmu_source_is_unit (g_atomic_pointer_get (&self->content->file), arguments);
}

const char *
weir_block_get_unit_setting (const WeirBlock *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return weir_texts_find (self->unit, name);
}

WeirDiagram *
weir_block_get_diagram (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->diagram;
}

WeirBlock *
weir_block_with_id (const WeirBlock *self, guint32 id)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = block_copy (self);
  copy->id = id;
  return copy;
}

WeirBlock *
weir_block_with_name (const WeirBlock *self, const char *name)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  copy = block_copy (self);
  g_ref_string_release (copy->name);
  copy->name = g_ref_string_new (name);
  return copy;
}

WeirBlock *
weir_block_with_position (const WeirBlock *self, WeirPoint position)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = block_copy (self);
  copy->position = position;
  return copy;
}

WeirBlock *
weir_block_with_size (const WeirBlock *self, WeirPoint size)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = block_copy (self);
  copy->size = size;
  return copy;
}

WeirBlock *
weir_block_with_orientation (const WeirBlock *self, WeirRotation rotation, gboolean flipped)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (rotation <= WEIR_ROTATION_270, NULL);

  copy = block_copy (self);
  copy->rotation = rotation;
  copy->flipped = flipped != FALSE;
  return copy;
}

WeirBlock *
weir_block_with_mode (const WeirBlock *self, WeirBlockMode mode)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (mode < WEIR_N_BLOCK_MODES, NULL);

  copy = block_copy (self);
  copy->mode = (guint8) mode;
  return copy;
}

WeirBlock *
weir_block_with_tint (const WeirBlock *self, WeirTint tint)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (tint < WEIR_N_TINTS, NULL);

  copy = block_copy (self);
  copy->tint = (guint8) tint;
  return copy;
}

WeirBlock *
weir_block_with_parameter (const WeirBlock *self, const char *name, const char *text)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  copy = block_copy (self);
  copy->content = content_new (g_ref_string_acquire (self->content->type),
                               weir_texts_with (self->content->parameters, name, text));
  content_unref (self->content);
  return copy;
}

WeirBlock *
weir_block_with_type (const WeirBlock *self, const char *type)
{
  const WeirBlockType *known = weir_registry_find (type);
  WeirTexts *parameters;
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (type != NULL, NULL);

  copy = block_copy (self);
  parameters = weir_texts_ref (self->content->parameters);
  for (guint i = 0; known != NULL && i < weir_block_get_n_parameters (self); i++)
    {
      const char *name = weir_texts_get_name (self->content->parameters, i);
      WeirTexts *fewer;

      if (weir_block_type_find_parameter (known, name) != NULL)
        continue;
      fewer = weir_texts_with (parameters, name, NULL);
      weir_texts_unref (parameters);
      parameters = fewer;
    }
  copy->content = content_new (g_ref_string_new_intern (type), parameters);
  content_unref (self->content);
  return copy;
}

WeirBlock *
weir_block_with_metadata (const WeirBlock *self, const char *of, WeirMetadataKey key,
                          const char *text)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (of != NULL, NULL);
  g_return_val_if_fail (key.name != NULL, NULL);

  copy = block_copy (self);
  copy->metadata = weir_metadata_with (self->metadata, of, key, text);
  weir_metadata_unref (self->metadata);
  return copy;
}

WeirBlock *
weir_block_with_unit (const WeirBlock *self, gboolean is_unit)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = block_copy (self);
  if (is_unit && copy->unit == NULL)
    copy->unit = weir_texts_with (NULL, WEIR_UNIT_MARK, "1");
  else if (!is_unit)
    {
      weir_texts_unref (copy->unit);
      copy->unit = NULL;
    }
  return copy;
}

WeirBlock *
weir_block_with_unit_setting (const WeirBlock *self, const char *name, const char *text)
{
  WeirBlock *copy;
  WeirTexts *unit;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  /* An FMU is a unit by what it is. */
  copy = weir_block_is_type (self, WEIR_TYPE_NAME_FMU) ? block_copy (self)
                                                       : weir_block_with_unit (self, TRUE);
  if (text == NULL && strcmp (name, WEIR_UNIT_MARK) == 0)
    text = "1";
  unit = weir_texts_with (copy->unit, name, text);
  weir_texts_unref (copy->unit);
  copy->unit = unit;
  return copy;
}

WeirBlock *
weir_block_with_diagram (const WeirBlock *self, WeirDiagram *diagram)
{
  WeirBlock *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = block_copy (self);
  g_clear_pointer (&copy->diagram, weir_diagram_unref);
  copy->diagram = diagram != NULL ? weir_diagram_ref (diagram) : NULL;
  return copy;
}

static guint
hash_content (gconstpointer data)
{
  const WeirBlockContent *self = data;

  return g_direct_hash (self->type) * 31 + weir_texts_hash (self->parameters);
}

static gboolean
contents_equal (gconstpointer a, gconstpointer b)
{
  const WeirBlockContent *x = a, *y = b;

  return x->type == y->type && weir_texts_equal (x->parameters, y->parameters);
}

GHashTable *
weir_block_contents_new (void)
{
  return g_hash_table_new_full (hash_content, contents_equal, (GDestroyNotify) content_unref, NULL);
}

void
weir_block_set_parameters (WeirBlock *self, WeirTexts *parameters, GHashTable *contents)
{
  WeirBlockContent asked = { .type = self->content->type, .parameters = parameters };
  WeirBlockContent *known = g_hash_table_lookup (contents, &asked);

  if (known == NULL)
    {
      known = content_new (g_ref_string_acquire (asked.type), weir_texts_ref (parameters));
      g_hash_table_add (contents, known);
    }
  g_atomic_ref_count_inc (&known->ref_count);
  content_unref (self->content);
  self->content = known;
}

void
weir_block_set_line (WeirBlock *self, int line)
{
  self->line = line;
}

/* --- Arguments and ports --------------------------------------------------------------------- */

static const char *
get_text (const char *parameter, gpointer data)
{
  return weir_texts_find (data, parameter);
}

WeirArguments *
weir_block_parse_arguments (const WeirBlock *self, GError **error)
{
  const WeirBlockType *type = weir_registry_find (self->content->type);

  if (type == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "There is no block type '%s'.",
                      self->content->type);
      return NULL;
    }
  return weir_arguments_new (type, get_text, self->content->parameters, error);
}

const WeirArguments *
weir_block_get_arguments (const WeirBlock *self)
{
  WeirBlockContent *content = self->content;
  gpointer arguments = g_atomic_pointer_get (&content->arguments);

  if (arguments == NULL)
    {
      WeirArguments *made = weir_block_parse_arguments (self, NULL);

      arguments = made != NULL ? (gpointer) made : &no_arguments;
      if (!g_atomic_pointer_compare_and_exchange (&content->arguments, NULL, arguments))
        {
          g_clear_pointer (&made, weir_arguments_free);
          arguments = g_atomic_pointer_get (&content->arguments);
        }
    }
  return arguments != &no_arguments ? arguments : NULL;
}

/* The names of the blocks of @type in @diagram, in order of id. */
static char **
dup_names_of_type (const WeirDiagram *diagram, const char *type)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (weir_block_is_type (value, type))
      g_ptr_array_add (names, g_strdup (weir_block_get_name (value)));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

void
weir_block_read_fmu (const WeirBlock *self, const char *folder)
{
  const char *name = weir_block_get_parameter (self, "file");
  const WeirFmuSource *source, *sized;

  if (!weir_block_is_type (self, WEIR_TYPE_NAME_FMU) || name == NULL || *name == '\0')
    return;
  source = weir_fmu_source_find (name, folder);
  sized = source != NULL ? weir_fmu_source_find_sized (
              source, weir_block_get_parameter (self, WEIR_FMU_STARTS), NULL)
                         : NULL;
  g_atomic_pointer_set (&self->content->file, sized != NULL ? sized : source);
}

static gboolean
read_fmus (WeirBlock *block, gpointer folder)
{
  weir_block_read_fmu (block, folder);
  if (block->diagram != NULL)
    weir_diagram_read_fmus (block->diagram, folder);
  return TRUE;
}

void
weir_diagram_read_fmus (const WeirDiagram *self, const char *folder)
{
  weir_diagram_foreach_block (self, read_fmus, (gpointer) folder);
}

/* Of a block that is no subsystem. (transfer full) */
static GArray *
list_ports (const WeirBlock *self, gboolean is_output)
{
  const WeirArguments *arguments;
  const WeirFmuSource *file = g_atomic_pointer_get (&self->content->file);

  if (file != NULL && file->description != NULL)
    return g_array_ref (is_output ? file->outputs : file->inputs);
  arguments = weir_block_get_arguments (self);
  if (arguments == NULL)
    return g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  return is_output ? weir_arguments_list_outputs (arguments)
                   : weir_arguments_list_inputs (arguments);
}

static char **
dup_port_names (GArray *ports)
{
  char **names = g_new0 (char *, ports->len + 1);

  for (guint i = 0; i < ports->len; i++)
    names[i] = g_strdup (g_array_index (ports, WeirPortSpec, i).name);
  g_array_unref (ports);
  return names;
}

char **
weir_block_dup_inputs (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (weir_block_is_type (self, WEIR_TYPE_NAME_SUBSYSTEM) && self->diagram != NULL)
    return dup_names_of_type (self->diagram, WEIR_TYPE_NAME_IN);
  return dup_port_names (list_ports (self, FALSE));
}

char **
weir_block_dup_outputs (const WeirBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (weir_block_is_type (self, WEIR_TYPE_NAME_SUBSYSTEM) && self->diagram != NULL)
    return dup_names_of_type (self->diagram, WEIR_TYPE_NAME_OUT);
  return dup_port_names (list_ports (self, TRUE));
}

/* What a Subsystem's Pin blocks name, each on the side that it says. */
static GArray *
list_outer_pins (const WeirDiagram *diagram)
{
  GArray *pins = g_array_new (FALSE, FALSE, sizeof (WeirPinSpec));
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      const WeirBlock *block = value;
      const WeirArguments *arguments = weir_block_is_type (block, WEIR_TYPE_NAME_PIN)
                                           ? weir_block_get_arguments (block)
                                           : NULL;
      WeirPinSpec pin = { g_intern_string (block->name), NULL, WEIR_SIDE_LEFT };

      if (!weir_block_is_type (block, WEIR_TYPE_NAME_PIN))
        continue;
      if (arguments != NULL)
        pin.side = (WeirSide) weir_arguments_get_choice (arguments, "side");
      if (arguments != NULL)
        pin.domain = weir_arguments_get_domain (arguments);
      g_array_append_val (pins, pin);
    }
  return pins;
}

GArray *
weir_block_list_pins (const WeirBlock *self)
{
  const WeirArguments *arguments;

  g_return_val_if_fail (self != NULL, NULL);

  if (weir_block_is_type (self, WEIR_TYPE_NAME_SUBSYSTEM) && self->diagram != NULL)
    return list_outer_pins (self->diagram);
  arguments = weir_block_get_arguments (self);
  return arguments != NULL ? weir_arguments_list_pins (arguments)
                           : g_array_new (FALSE, FALSE, sizeof (WeirPinSpec));
}

const WeirPartType *
weir_block_get_part (const WeirBlock *self)
{
  const WeirArguments *arguments;

  g_return_val_if_fail (self != NULL, NULL);

  arguments = weir_block_get_arguments (self);
  return arguments != NULL ? weir_arguments_get_part (arguments) : NULL;
}

gboolean
weir_block_find_port (const WeirBlock *self, const char *port, gboolean is_output,
                      WeirPortSpec *spec)
{
  g_autoptr (GArray) ports = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (port != NULL, FALSE);

  if (weir_block_is_type (self, WEIR_TYPE_NAME_SUBSYSTEM))
    return FALSE;
  ports = list_ports (self, is_output);
  for (guint i = 0; i < ports->len; i++)
    if (strcmp (g_array_index (ports, WeirPortSpec, i).name, port) == 0)
      {
        *spec = g_array_index (ports, WeirPortSpec, i);
        return TRUE;
      }
  return FALSE;
}

guint
weir_block_get_port_size (const WeirBlock *self, const char *port, gboolean is_output)
{
  WeirPortSpec spec;

  return weir_block_find_port (self, port, is_output, &spec) ? spec.size : 0;
}

const char **
weir_block_list_terminals (const WeirBlock *self, gboolean is_output)
{
  g_autoptr (GArray) ports = NULL;
  const char **terminals = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (!weir_block_is_type (self, WEIR_TYPE_NAME_FMU))
    return NULL;
  ports = list_ports (self, is_output);
  for (guint i = 0; i < ports->len; i++)
    {
      const char *terminal = g_array_index (ports, WeirPortSpec, i).terminal;

      if (terminal != NULL && terminals == NULL)
        terminals = g_new0 (const char *, ports->len);
      if (terminal != NULL)
        terminals[i] = terminal;
    }
  return terminals;
}
