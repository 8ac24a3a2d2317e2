/* Checks of what a patch holds: elements that make no sense, whatever the model is. */
#include "model/patch-private.h"

#include <math.h>

gboolean
weir_patch_refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (WEIR_ERROR, WEIR_ERROR_INVALID, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
point_is_valid (WeirPoint point)
{
  return fabs (point.x) <= WEIR_MAX_COORDINATE && fabs (point.y) <= WEIR_MAX_COORDINATE;
}

gboolean
weir_patch_check_pair (const char *kind, const char *name, const char *text, GError **error)
{
  const char *problem = text != NULL ? weir_text_get_problem (text) : NULL;

  if (name[0] == '\0' || weir_text_get_problem (name) != NULL)
    return weir_patch_refuse (error, "'%s' cannot be the name of a %s.", name, kind);
  if (problem != NULL)
    return weir_patch_refuse (error, "The %s '%s' %s.", kind, name, problem);
  return TRUE;
}

static gboolean
check_block (const WeirBlock *block, GError **error)
{
  const char *problem;

  if (block->content->type[0] == '\0')
    return weir_patch_refuse (error, "%s: the type of the block is empty.", block->name);
  problem = weir_text_get_problem (block->content->type);
  if (problem != NULL)
    return weir_patch_refuse (error, "%s: the type of the block %s.", block->name, problem);
  if (!point_is_valid (block->position) || !point_is_valid (block->size) || block->size.x < 0
      || block->size.y < 0)
    return weir_patch_refuse (error, "%s: the position or size of the block is out of range.",
                              block->name);
  for (guint i = 0; i < weir_block_get_n_parameters (block); i++)
    {
      const char *name, *text;

      weir_block_get_parameter_at (block, i, &name, &text);
      if (name[0] == '\0')
        return weir_patch_refuse (error, "%s: a parameter has no name.", block->name);
      problem = weir_text_get_problem (name);
      if (problem == NULL)
        problem = weir_text_get_problem (text);
      if (problem != NULL)
        return weir_patch_refuse (error, "%s: parameter '%s' %s.", block->name, name, problem);
    }
  for (guint i = 0; i < weir_metadata_get_size (block->metadata); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (block->metadata, i);

      problem = weir_text_get_problem (item.of);
      if (problem == NULL && !weir_patch_check_pair ("metadata", item.name, item.text, error))
        return FALSE;
      if (problem != NULL)
        return weir_patch_refuse (error, "%s: the name of what metadata belong to %s.", block->name,
                                  problem);
    }
  return TRUE;
}

static gboolean
check_end (const WeirWire *wire, WeirWireEnd end, const char *which, GError **error)
{
  if (end.block == 0 ? !point_is_valid (end.point)
                     : end.port[0] == '\0' || weir_text_get_problem (end.port) != NULL)
    return weir_patch_refuse (error, "Wire %u: its %s is neither a port nor a point.",
                              weir_wire_get_id (wire), which);
  return TRUE;
}

static gboolean
check_wire (const WeirWire *wire, GError **error)
{
  guint n;
  const WeirPoint *bends = weir_wire_get_bends (wire, &n);
  const char *problem;

  for (guint i = 0; i < n; i++)
    if (!point_is_valid (bends[i]))
      return weir_patch_refuse (error, "Wire %u: bend %u is out of range.", weir_wire_get_id (wire),
                                i + 1);
  problem = weir_text_get_problem (weir_wire_get_label (wire));
  if (problem != NULL)
    return weir_patch_refuse (error, "The label of wire %u %s.", weir_wire_get_id (wire), problem);
  return check_end (wire, weir_wire_get_from (wire), "start", error)
         && check_end (wire, weir_wire_get_to (wire), "end", error);
}

gboolean
weir_patch_check_element (const WeirChange *change, GError **error)
{
  const char *problem;

  if (change->id == 0 || change->id > WEIR_MAX_ID)
    return weir_patch_refuse (error, "%u cannot be an id.", change->id);
  if (change->element_kind == WEIR_ELEMENT_BLOCK)
    return check_block (change->element, error);
  if (change->element_kind == WEIR_ELEMENT_WIRE)
    return check_wire (change->element, error);
  if (!point_is_valid (weir_note_get_position (change->element)))
    return weir_patch_refuse (error, "Note %u: its position is out of range.", change->id);
  if (!point_is_valid (weir_note_get_size (change->element))
      || weir_note_get_size (change->element).x < 0 || weir_note_get_size (change->element).y < 0)
    return weir_patch_refuse (error, "Note %u: its size is out of range.", change->id);
  problem = weir_text_get_problem (weir_note_get_text (change->element));
  if (problem != NULL)
    return weir_patch_refuse (error, "The text of note %u %s.", change->id, problem);
  return TRUE;
}
