/* What differs between two models, as aspects.
 *
 * This is the one place that says which change matters to what: applying a patch, undo and redo all
 * ask here. A parameter is a mere value if the block's type lets a running system take it over and
 * the new text keeps the shape; everything else about a parameter is structure. Only what elements
 * say themselves is looked at: a value that is computed, or that others are computed from, is told
 * as such.
 */
#include "model/tree/model-private.h"

#include <string.h>

#include "model/tree/fmu-parameters.h"
#include "model/tree/fmu-starts.h"
#include "model/tree/unit-settings.h"

#define ASPECTS_OF_BLOCK (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES | WEIR_ASPECT_LAYOUT)

static const WeirParameterSpec *
find_spec (const WeirBlock *block, const char *parameter)
{
  return weir_block_type_find_parameter (weir_registry_find (weir_block_get_type_name (block)),
                                         parameter);
}

gboolean
weir_model_is_tunable (const WeirBlock *block, const char *parameter, const char **leaf_parameter)
{
  const WeirParameterSpec *spec;

  g_return_val_if_fail (block != NULL, FALSE);
  g_return_val_if_fail (parameter != NULL, FALSE);

  spec = find_spec (block, parameter);
  if (spec == NULL || spec->tunable == NULL)
    return FALSE;
  if (leaf_parameter != NULL)
    *leaf_parameter = spec->tunable;
  return TRUE;
}

/* The number of values in a text that suits the parameter, or 0. */
static guint
count_values (const WeirParameterSpec *spec, const char *text)
{
  g_autofree double *values = NULL;
  guint n;

  if (!weir_parameter_spec_check (spec, text, NULL))
    return 0;
  values = weir_value_parse (text, &n, NULL);
  return values != NULL ? n : 0;
}

/* Of a text that declares values, as equations do, or gives an FMU some. */
static WeirAspects
compare_texts (const WeirBlock *block, const char *name, const char *text_a, const char *text_b)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_autoptr (WeirBlock) block_a = NULL;
  g_autoptr (WeirBlock) block_b = NULL;

  if (weir_block_is_type (block, WEIR_TYPE_NAME_FMU) && strcmp (name, WEIR_FMU_STARTS) == 0)
    return weir_block_is_fmu_tuned (block, text_a != NULL ? text_a : "",
                                    text_b != NULL ? text_b : "")
               ? WEIR_ASPECT_PARAMETERS
               : WEIR_ASPECT_STRUCTURE;
  if (type->differ_in_values == NULL || text_a == NULL || text_b == NULL)
    return WEIR_ASPECT_STRUCTURE;
  block_a = weir_block_with_parameter (block, name, text_a);
  block_b = weir_block_with_parameter (block, name, text_b);
  return weir_block_get_arguments (block_a) != NULL && weir_block_get_arguments (block_b) != NULL
                 && type->differ_in_values (weir_block_get_arguments (block_a),
                                            weir_block_get_arguments (block_b))
             ? WEIR_ASPECT_VALUES
             : WEIR_ASPECT_STRUCTURE;
}

/* NULL texts stand for the default. */
static WeirAspects
compare_parameter (const WeirBlock *block, const char *name, const char *text_a, const char *text_b)
{
  const WeirParameterSpec *spec = find_spec (block, name);
  guint n;

  if (spec == NULL && weir_block_is_type (block, WEIR_TYPE_NAME_SUBSYSTEM) && text_a != NULL
      && text_b != NULL)
    return WEIR_ASPECT_VALUES;
  if (spec != NULL && spec->kind == WEIR_VALUE_TEXT)
    return compare_texts (block, name, text_a, text_b);
  if (spec == NULL || spec->tunable == NULL)
    return WEIR_ASPECT_STRUCTURE;
  if (weir_parameter_spec_is_expression (spec, text_a != NULL ? text_a : spec->default_text)
      || weir_parameter_spec_is_expression (spec, text_b != NULL ? text_b : spec->default_text))
    return WEIR_ASPECT_VALUES;
  n = count_values (spec, text_a != NULL ? text_a : spec->default_text);
  if (n == 0 || n != count_values (spec, text_b != NULL ? text_b : spec->default_text))
    return WEIR_ASPECT_STRUCTURE;
  return WEIR_ASPECT_PARAMETERS;
}

static WeirAspects
compare_parameters (const WeirBlock *block, const WeirTexts *a, const WeirTexts *b)
{
  guint n_a = weir_texts_get_size (a), n_b = weir_texts_get_size (b);
  WeirAspects aspects = 0;
  guint i = 0, j = 0;

  while (i < n_a || j < n_b)
    {
      const char *name_a = i < n_a ? weir_texts_get_name (a, i) : NULL;
      const char *name_b = j < n_b ? weir_texts_get_name (b, j) : NULL;
      int order = name_a == NULL ? 1 : name_b == NULL ? -1 : strcmp (name_a, name_b);
      const char *text_a = order <= 0 ? weir_texts_get_text (a, i++) : NULL;
      const char *text_b = order >= 0 ? weir_texts_get_text (b, j++) : NULL;

      if (g_strcmp0 (text_a, text_b) != 0)
        aspects |= compare_parameter (block, order <= 0 ? name_a : name_b, text_a, text_b);
    }
  return aspects;
}

static gboolean
points_equal (WeirPoint a, WeirPoint b)
{
  return a.x == b.x && a.y == b.y;
}

/* Units of ports decide which wires make sense; nothing else here does anything. */
static WeirAspects
compare_metadata (WeirMetadata *a, WeirMetadata *b)
{
  WeirAspects aspects = 0;
  WeirMetadata *lists[] = { a, b };

  if (weir_metadata_equal (a, b))
    return 0;
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < weir_metadata_get_size (lists[i]); j++)
      {
        WeirMetadataItem item = weir_metadata_get_item (lists[i], j);
        const char *other = weir_metadata_get_text (lists[1 - i], item.of,
                                                    (WeirMetadataKey) { item.name, item.type });

        if (g_strcmp0 (item.text, other) == 0)
          continue;
        aspects |= weir_metadata_is_look (item.name)               ? WEIR_ASPECT_PLOTS
                   : strcmp (item.name, weir_key_points.name) == 0 ? WEIR_ASPECT_POINTS
                                                                   : WEIR_ASPECT_METADATA;
        if (strcmp (item.name, weir_key_unit.name) == 0)
          aspects |= WEIR_ASPECT_STRUCTURE;
      }
  return aspects;
}

static WeirAspects compare_diagrams (const WeirDiagram *a, const WeirDiagram *b);

/* Whether a unit takes part, a run takes over. */
static WeirAspects
compare_units (WeirTexts *a, WeirTexts *b)
{
  WeirTexts *rest_a, *rest_b;
  gboolean are_same;

  if (weir_texts_equal (a, b))
    return 0;
  rest_a = weir_texts_with (a, WEIR_UNIT_TAKES_PART, NULL);
  rest_b = weir_texts_with (b, WEIR_UNIT_TAKES_PART, NULL);
  are_same = weir_texts_equal (rest_a, rest_b);
  weir_texts_unref (rest_a);
  weir_texts_unref (rest_b);
  return are_same ? WEIR_ASPECT_PARAMETERS : WEIR_ASPECT_SCHEDULE;
}

/* In which aspects two elements differ; 0 if they are equal. */
static WeirAspects
compare_blocks (const WeirBlock *a, const WeirBlock *b)
{
  WeirAspects aspects = 0;

  if (a == b)
    return 0;
  if (a->id != b->id)
    return ASPECTS_OF_BLOCK;
  if (a->content != b->content)
    {
      if (strcmp (a->content->type, b->content->type) != 0)
        aspects |= WEIR_ASPECT_STRUCTURE;
      aspects |= compare_parameters (b, a->content->parameters, b->content->parameters);
    }
  if (strcmp (a->name, b->name) != 0)
    {
      aspects |= WEIR_ASPECT_NAMES;
      /* These name a port, and wires name ports. */
      if (weir_block_is_type (b, WEIR_TYPE_NAME_IN) || weir_block_is_type (b, WEIR_TYPE_NAME_OUT)
          || weir_block_is_type (b, WEIR_TYPE_NAME_PIN))
        aspects |= WEIR_ASPECT_STRUCTURE;
    }
  if (!points_equal (a->position, b->position) || !points_equal (a->size, b->size)
      || a->rotation != b->rotation || a->flipped != b->flipped || a->tint != b->tint)
    aspects |= WEIR_ASPECT_LAYOUT;
  if (a->mode != b->mode)
    aspects |= WEIR_ASPECT_STRUCTURE;
  aspects |= compare_units (a->unit, b->unit);
  aspects |= compare_metadata (a->metadata, b->metadata);
  if (a->diagram != NULL && b->diagram != NULL)
    aspects |= compare_diagrams (a->diagram, b->diagram);
  else if (a->diagram != b->diagram)
    aspects |= ASPECTS_OF_BLOCK;
  return aspects;
}

static gboolean
end_equal (WeirWireEnd a, WeirWireEnd b)
{
  return a.block == b.block && a.line == b.line && g_strcmp0 (a.port, b.port) == 0;
}

/* Of one that comes or goes. */
static WeirAspects
aspects_of_wire (const WeirWire *wire)
{
  return WEIR_ASPECT_LAYOUT
         | (weir_wire_is_line (wire) ? WEIR_ASPECT_LINES : WEIR_ASPECT_STRUCTURE);
}

gboolean
weir_wire_ends_equal (const WeirWire *a, const WeirWire *b)
{
  return end_equal (weir_wire_get_from (a), weir_wire_get_from (b))
         && end_equal (weir_wire_get_to (a), weir_wire_get_to (b));
}

static WeirAspects
compare_wires (const WeirWire *a, const WeirWire *b)
{
  WeirWireEnd from_a = weir_wire_get_from (a), from_b = weir_wire_get_from (b);
  WeirWireEnd to_a = weir_wire_get_to (a), to_b = weir_wire_get_to (b);
  guint n_a, n_b;
  const WeirPoint *bends_a = weir_wire_get_bends (a, &n_a);
  const WeirPoint *bends_b = weir_wire_get_bends (b, &n_b);
  WeirAspects aspects = 0;
  gboolean same_bends = n_a == n_b;

  if (weir_wire_get_id (a) != weir_wire_get_id (b)
      || weir_wire_is_line (a) != weir_wire_is_line (b))
    return aspects_of_wire (a) | aspects_of_wire (b);
  if (!weir_wire_ends_equal (a, b))
    aspects |= aspects_of_wire (a);
  if (!points_equal (from_a.point, from_b.point) || !points_equal (to_a.point, to_b.point))
    aspects |= WEIR_ASPECT_LAYOUT;
  for (guint i = 0; same_bends && i < n_a; i++)
    same_bends = points_equal (bends_a[i], bends_b[i]);
  if (!same_bends || strcmp (weir_wire_get_label (a), weir_wire_get_label (b)) != 0)
    aspects |= WEIR_ASPECT_LAYOUT;
  return aspects;
}

static WeirAspects
compare_notes (const WeirNote *a, const WeirNote *b)
{
  if (weir_note_get_id (a) == weir_note_get_id (b)
      && points_equal (weir_note_get_position (a), weir_note_get_position (b))
      && points_equal (weir_note_get_size (a), weir_note_get_size (b))
      && weir_note_get_tint (a) == weir_note_get_tint (b)
      && strcmp (weir_note_get_text (a), weir_note_get_text (b)) == 0)
    return 0;
  return WEIR_ASPECT_LAYOUT;
}

static gboolean
diff_block (G_GNUC_UNUSED guint64 id, gboolean in_a, gpointer a, gboolean in_b, gpointer b,
            gpointer data)
{
  *(WeirAspects *) data |= in_a && in_b ? compare_blocks (a, b) : ASPECTS_OF_BLOCK;
  return TRUE;
}

static gboolean
diff_wire (G_GNUC_UNUSED guint64 id, gboolean in_a, gpointer a, gboolean in_b, gpointer b,
           gpointer data)
{
  *(WeirAspects *) data |= in_a && in_b ? compare_wires (a, b) : aspects_of_wire (in_a ? a : b);
  return TRUE;
}

static gboolean
diff_note (G_GNUC_UNUSED guint64 id, gboolean in_a, gpointer a, gboolean in_b, gpointer b,
           gpointer data)
{
  *(WeirAspects *) data |= in_a && in_b ? compare_notes (a, b) : WEIR_ASPECT_LAYOUT;
  return TRUE;
}

static WeirAspects
compare_diagrams (const WeirDiagram *a, const WeirDiagram *b)
{
  WeirAspects aspects = 0;

  if (a == b)
    return 0;
  weir_pmap_diff (&a->blocks, &b->blocks, diff_block, &aspects);
  weir_pmap_diff (&a->wires, &b->wires, diff_wire, &aspects);
  weir_pmap_diff (&a->notes, &b->notes, diff_note, &aspects);
  return aspects;
}

static gboolean
have_same_names (const WeirTexts *a, const WeirTexts *b)
{
  if (weir_texts_get_size (a) != weir_texts_get_size (b))
    return FALSE;
  for (guint i = 0; i < weir_texts_get_size (a); i++)
    if (strcmp (weir_texts_get_name (a, i), weir_texts_get_name (b, i)) != 0)
      return FALSE;
  return TRUE;
}

/* What is known of its parts: that they have changed, or no longer. */
static gboolean
have_same_records (const WeirMetadata *a, const WeirMetadata *b)
{
  const WeirMetadata *lists[] = { a, b };

  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < weir_metadata_get_size (lists[i]); k++)
      {
        WeirMetadataItem item = weir_metadata_get_item (lists[i], k);

        if (strcmp (item.name, weir_key_part.name) == 0
            && g_strcmp0 (item.text, weir_metadata_get_text (lists[1 - i], item.of, weir_key_part))
                   != 0)
          return FALSE;
      }
  return TRUE;
}

static WeirAspects
compare_heads (const WeirModel *a, const WeirModel *b)
{
  WeirAspects aspects = 0;

  if (g_strcmp0 (a->head.title, b->head.title) != 0
      || !weir_metadata_equal (a->head.metadata, b->head.metadata))
    aspects |= WEIR_ASPECT_METADATA;
  if (!have_same_records (a->head.metadata, b->head.metadata))
    aspects |= WEIR_ASPECT_PARAMETERS;
  if (!weir_texts_equal (a->head.settings, b->head.settings))
    aspects |= WEIR_ASPECT_SETTINGS;
  if (!weir_texts_equal (a->head.assertions, b->head.assertions))
    aspects |= WEIR_ASPECT_STRUCTURE;
  if (!weir_texts_equal (a->head.plots, b->head.plots))
    aspects |= WEIR_ASPECT_PLOTS;
  if (!weir_texts_equal (a->head.variables, b->head.variables))
    aspects |= have_same_names (a->head.variables, b->head.variables) ? WEIR_ASPECT_VALUES
                                                                      : WEIR_ASPECT_STRUCTURE;
  return aspects;
}

WeirAspects
weir_model_compare (const WeirModel *a, const WeirModel *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, 0);

  return a == b ? 0 : compare_heads (a, b) | compare_diagrams (a->root, b->root);
}

/* Whether a pair of elements is equal, until one is not. */
typedef struct {
  WeirElementKind kind;
  WeirAspects ignored;
  gboolean is_equal;
} Equality;

static gboolean diagrams_equal (const WeirDiagram *a, const WeirDiagram *b, WeirAspects ignored);

static gboolean
blocks_equal (const WeirBlock *a, const WeirBlock *b, WeirAspects ignored)
{
  WeirBlock outside_a = *a, outside_b = *b;

  if ((a->diagram != NULL) != (b->diagram != NULL))
    return FALSE;
  outside_a.diagram = outside_b.diagram = NULL;
  return (compare_blocks (&outside_a, &outside_b) & ~ignored) == 0
         && (a->diagram == NULL || diagrams_equal (a->diagram, b->diagram, ignored));
}

static gboolean
elements_equal (G_GNUC_UNUSED guint64 id, gboolean in_a, gpointer a, gboolean in_b, gpointer b,
                gpointer data)
{
  Equality *equality = data;
  WeirAspects ignored = equality->ignored;

  equality->is_equal = in_a && in_b
                       && (equality->kind == WEIR_ELEMENT_BLOCK ? blocks_equal (a, b, ignored)
                           : equality->kind == WEIR_ELEMENT_WIRE
                               ? (compare_wires (a, b) & ~ignored) == 0
                               : (compare_notes (a, b) & ~ignored) == 0);
  return equality->is_equal;
}

/* Ends at the first difference. */
static gboolean
diagrams_equal (const WeirDiagram *a, const WeirDiagram *b, WeirAspects ignored)
{
  Equality equality = { WEIR_ELEMENT_BLOCK, ignored, TRUE };

  if (a == b)
    return TRUE;
  weir_pmap_diff (&a->blocks, &b->blocks, elements_equal, &equality);
  equality.kind = WEIR_ELEMENT_WIRE;
  if (equality.is_equal)
    weir_pmap_diff (&a->wires, &b->wires, elements_equal, &equality);
  equality.kind = WEIR_ELEMENT_NOTE;
  if (equality.is_equal)
    weir_pmap_diff (&a->notes, &b->notes, elements_equal, &equality);
  return equality.is_equal;
}

gboolean
weir_model_equal_but (const WeirModel *a, const WeirModel *b, WeirAspects ignored)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a == b
         || ((compare_heads (a, b) & ~ignored) == 0 && diagrams_equal (a->root, b->root, ignored));
}

gboolean
weir_model_equal (const WeirModel *a, const WeirModel *b)
{
  return weir_model_equal_but (a, b, 0);
}
