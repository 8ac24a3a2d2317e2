/* Applying patches.
 *
 * The changes are made one after the other to a draft: the root diagram being rebuilt along the
 * touched paths, and the index of ids. A change is refused at once if its place or element does not
 * exist or its values make no sense. What only the result can tell (an id in two diagrams, a name
 * used twice, a wire to a missing block) is noted on the way and checked at the end.
 */
#include "model/tree/model-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "model/tree/derived.h"

/* --- What makes no sense, whatever the model is --------------------------------------------------
 */

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* FALSE, with an error of that text. */
static gboolean
refuse (GError **error, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list args;

  va_start (args, format);
  text = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (error, WEIR_ERROR_INVALID, "%s", weir_message_get_text (text));
  return FALSE;
}

static gboolean
point_is_valid (WeirPoint point)
{
  return fabs (point.x) <= WEIR_MAX_COORDINATE && fabs (point.y) <= WEIR_MAX_COORDINATE;
}

/* @kind: "setting". A NULL text is right. */
static gboolean
check_pair (const char *kind, const char *name, const char *text, GError **error)
{
  const char *problem = text != NULL ? weir_text_get_problem (text) : NULL;

  if (name[0] == '\0' || weir_text_get_problem (name) != NULL)
    return refuse (error, N_ ("'%s' cannot be the name of a %s."), name, weir_phrase (kind));
  if (problem != NULL)
    return refuse (error, N_ ("The %s '%s' %s."), weir_phrase (kind), name, problem);
  return TRUE;
}

static gboolean
check_block (const WeirBlock *block, GError **error)
{
  const char *problem;

  if (block->content->type[0] == '\0')
    return refuse (error, N_ ("%s: the type of the block is empty."), block->name);
  problem = weir_text_get_problem (block->content->type);
  if (problem != NULL)
    return refuse (error, N_ ("%s: the type of the block %s."), block->name, problem);
  if (!point_is_valid (block->position) || !point_is_valid (block->size) || block->size.x < 0
      || block->size.y < 0)
    return refuse (error, N_ ("%s: the position or size of the block is out of range."),
                   block->name);
  for (guint i = 0; i < weir_block_get_n_parameters (block); i++)
    {
      const char *name, *text;

      weir_block_get_parameter_at (block, i, &name, &text);
      if (name[0] == '\0')
        return refuse (error, N_ ("%s: a parameter has no name."), block->name);
      problem = weir_text_get_problem (name);
      if (problem == NULL)
        problem = weir_text_get_problem (text);
      if (problem != NULL)
        return refuse (error, N_ ("%s: parameter '%s' %s."), block->name, name, problem);
    }
  for (guint i = 0; i < weir_metadata_get_size (block->metadata); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (block->metadata, i);

      problem = weir_text_get_problem (item.of);
      if (problem == NULL && !check_pair (N_ ("metadata"), item.name, item.text, error))
        return FALSE;
      if (problem != NULL)
        return refuse (error, N_ ("%s: the name of what metadata belong to %s."), block->name,
                       problem);
    }
  return TRUE;
}

static gboolean
check_end (const WeirWire *wire, WeirWireEnd end, const char *which, GError **error)
{
  if (end.line != 0 && (!weir_wire_is_line (wire) || end.line == weir_wire_get_id (wire)))
    return refuse (error, N_ ("Wire %u: its %s cannot join wire %u."), weir_wire_get_id (wire),
                   weir_phrase (which), end.line);
  if (end.block == 0 ? !point_is_valid (end.point)
                     : end.port[0] == '\0' || weir_text_get_problem (end.port) != NULL)
    return refuse (error, N_ ("Wire %u: its %s is neither a port nor a point."),
                   weir_wire_get_id (wire), weir_phrase (which));
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
      return refuse (error, N_ ("Wire %u: bend %u is out of range."), weir_wire_get_id (wire),
                     i + 1);
  problem = weir_text_get_problem (weir_wire_get_label (wire));
  if (problem != NULL)
    return refuse (error, N_ ("The label of wire %u %s."), weir_wire_get_id (wire), problem);
  return check_end (wire, weir_wire_get_from (wire), N_ ("start"), error)
         && check_end (wire, weir_wire_get_to (wire), N_ ("end"), error);
}

/* Does the element of a change make sense by itself? */
static gboolean
check_element (const WeirChange *change, GError **error)
{
  const char *problem;

  if (change->id == 0 || change->id > WEIR_MAX_ID)
    return refuse (error, N_ ("%u cannot be an id."), change->id);
  if (change->element_kind == WEIR_ELEMENT_BLOCK)
    return check_block (change->element, error);
  if (change->element_kind == WEIR_ELEMENT_WIRE)
    return check_wire (change->element, error);
  if (!point_is_valid (weir_note_get_position (change->element)))
    return refuse (error, N_ ("Note %u: its position is out of range."), change->id);
  if (!point_is_valid (weir_note_get_size (change->element))
      || weir_note_get_size (change->element).x < 0 || weir_note_get_size (change->element).y < 0)
    return refuse (error, N_ ("Note %u: its size is out of range."), change->id);
  problem = weir_text_get_problem (weir_note_get_text (change->element));
  if (problem != NULL)
    return refuse (error, N_ ("The text of note %u %s."), change->id, problem);
  return TRUE;
}

/* --- The draft ------------------------------------------------------------------------------- */

typedef struct {
  guint32 id;
  gpointer home; /* where it was before it was set elsewhere */
} Moved;

typedef struct {
  guint32 parent; /* the diagram's block */
  guint32 id;
  gboolean is_named; /* of a block: it is new or has a new name */
} Touched;

typedef struct {
  WeirDiagram *root; /* owned */
  WeirPMap homes;
  guint32 next_id;
  GArray *moved;      /* of Moved: ids that must be gone from where they were */
  const char *folder; /* of the model, or NULL */
  GArray *blocks;     /* of Touched: blocks set, whose new names must be free */
  GArray *wires;      /* of Touched: wires set, whose new ends must exist */
  GArray *removed;    /* of Touched: blocks removed, where no wire may end */
} Draft;

static void index_diagram_change (Draft *draft, guint32 parent, const WeirDiagram *old,
                                  const WeirDiagram *new);

/* @block: the new block, or NULL for other elements. */
static void
index_element (Draft *draft, guint32 parent, WeirElementKind kind, guint32 id,
               const WeirBlock *block)
{
  gpointer home = weir_pmap_lookup (&draft->homes, id);
  const WeirDiagram *old = NULL;

  if (home != NULL && kind == WEIR_ELEMENT_BLOCK && WEIR_HOME_KIND (home) == WEIR_ELEMENT_BLOCK)
    {
      WeirDiagram *diagram = weir_homes_find_diagram (&draft->homes, draft->root,
                                                      WEIR_HOME_PARENT (home));
      const WeirBlock *old_block = diagram != NULL ? weir_diagram_find_block (diagram, id) : NULL;

      old = old_block != NULL ? old_block->diagram : NULL;
    }
  if (home != NULL && home != WEIR_HOME (parent, kind))
    {
      Moved moved = { id, home };

      g_array_append_val (draft->moved, moved);
    }
  weir_pmap_set (&draft->homes, id, WEIR_HOME (parent, kind));
  draft->next_id = MAX (draft->next_id, id + 1);
  if (block != NULL)
    index_diagram_change (draft, id, old, block->diagram);
}

static void
unindex_element (Draft *draft, guint32 parent, WeirElementKind kind, guint32 id,
                 const WeirBlock *block)
{
  /* Set elsewhere already, with all it holds? */
  if (weir_pmap_lookup (&draft->homes, id) != WEIR_HOME (parent, kind))
    return;
  weir_pmap_remove (&draft->homes, id);
  if (block != NULL)
    index_diagram_change (draft, id, block->diagram, NULL);
}

typedef struct {
  Draft *draft;
  guint32 parent;
  WeirElementKind kind;
} IndexChange;

static gboolean
index_difference (guint64 id, G_GNUC_UNUSED gboolean in_old, gpointer old, gboolean in_new,
                  gpointer new, gpointer data)
{
  const IndexChange *change = data;
  gboolean is_block = change->kind == WEIR_ELEMENT_BLOCK;

  if (in_new)
    index_element (change->draft, change->parent, change->kind, (guint32) id,
                   is_block ? new : NULL);
  else
    unindex_element (change->draft, change->parent, change->kind, (guint32) id,
                     is_block ? old : NULL);
  return TRUE;
}

/* Follows what changed inside block @parent; NULL stands for no diagram. */
static void
index_diagram_change (Draft *draft, guint32 parent, const WeirDiagram *old, const WeirDiagram *new)
{
  g_autoptr (WeirDiagram) empty = NULL;
  IndexChange change = { draft, parent, WEIR_ELEMENT_BLOCK };

  if (old == new)
    return;
  empty = weir_diagram_new ();
  old = old != NULL ? old : empty;
  new = new != NULL ? new : empty;
  weir_pmap_diff (&old->blocks, &new->blocks, index_difference, &change);
  change.kind = WEIR_ELEMENT_WIRE;
  weir_pmap_diff (&old->wires, &new->wires, index_difference, &change);
  change.kind = WEIR_ELEMENT_NOTE;
  weir_pmap_diff (&old->notes, &new->notes, index_difference, &change);
}

/* Levels of diagrams in @block. */
static guint
count_levels (const WeirBlock *block)
{
  guint levels = 0;
  WeirPMapIter iter;
  gpointer value;

  if (block->diagram == NULL)
    return 0;
  weir_pmap_iter_init (&iter, &block->diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      guint inner = count_levels (value);

      levels = MAX (levels, inner);
    }
  return levels + 1;
}

/* Makes @change in @diagram, the diagram of block @parent. */
static gboolean
make_change (Draft *draft, WeirDiagram *diagram, guint32 parent, const WeirChange *change,
             GError **error)
{
  Touched touched = { parent, change->id, FALSE };
  const WeirBlock *old;
  const WeirWire *old_wire;

  switch (change->kind)
    {
    case WEIR_CHANGE_SET:
      if (change->element_kind == WEIR_ELEMENT_BLOCK)
        {
          WeirBlock *block = change->element;

          /* A file may hold a bad name: such a block can still be moved. */
          old = weir_diagram_find_block (diagram, change->id);
          touched.is_named = old == NULL || strcmp (old->name, block->name) != 0;
          if (touched.is_named && weir_name_get_problem (block->name) != NULL)
            {
              g_autofree char *shown = g_utf8_make_valid (block->name, -1);

              return refuse (error, N_ ("The name '%s' %s."), g_strdelimit (shown, "\n\r\t", ' '),
                             weir_name_get_problem (block->name));
            }
          if ((old == NULL || old->diagram != block->diagram)
              && change->n_place_ids + 1 + count_levels (block) > WEIR_MAX_DEPTH)
            return refuse (error, N_ ("%s: diagrams are nested more than %d levels deep."),
                           block->name, WEIR_MAX_DEPTH);
          index_element (draft, parent, WEIR_ELEMENT_BLOCK, change->id, block);
          if (g_atomic_pointer_get (&block->content->file) == NULL)
            weir_block_read_fmu (block, draft->folder);
          weir_diagram_put_block (diagram, block);
          g_array_append_val (draft->blocks, touched);
          return TRUE;
        }
      index_element (draft, parent, change->element_kind, change->id, NULL);
      if (change->element_kind == WEIR_ELEMENT_NOTE)
        {
          weir_diagram_put_note (diagram, change->element);
          return TRUE;
        }
      old_wire = weir_diagram_find_wire (diagram, change->id);
      if (old_wire == NULL || !weir_wire_ends_equal (old_wire, change->element))
        g_array_append_val (draft->wires, touched);
      weir_diagram_put_wire (diagram, change->element);
      return TRUE;

    case WEIR_CHANGE_REMOVE:
      if (!weir_diagram_has (diagram, change->element_kind, change->id))
        {
          weir_error_set (error, WEIR_ERROR_NOT_FOUND, "There is no %s %u to remove here.",
                          change->element_kind == WEIR_ELEMENT_BLOCK  ? weir_phrase (N_ ("block"))
                          : change->element_kind == WEIR_ELEMENT_WIRE ? weir_phrase (N_ ("wire"))
                                                                      : weir_phrase (N_ ("note")),
                          change->id);
          return FALSE;
        }
      old = change->element_kind == WEIR_ELEMENT_BLOCK
                ? weir_diagram_find_block (diagram, change->id)
                : NULL;
      unindex_element (draft, parent, change->element_kind, change->id, old);
      weir_diagram_drop (diagram, change->element_kind, change->id);
      if (change->element_kind == WEIR_ELEMENT_BLOCK)
        g_array_append_val (draft->removed, touched);
      return TRUE;

    case WEIR_CHANGE_SETTING: /* of the whole model, not of a diagram */
    case WEIR_CHANGE_TITLE:
    case WEIR_CHANGE_METADATA:
    case WEIR_CHANGE_VARIABLE:
    case WEIR_CHANGE_ASSERTION:
    case WEIR_CHANGE_PLOT:
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* The diagram with @change made at the place @ids within it, or NULL. (transfer full) */
static WeirDiagram *
change_diagram (Draft *draft, const WeirDiagram *diagram, guint32 parent, const guint32 *ids,
                guint n_ids, const WeirChange *change, GError **error)
{
  g_autoptr (WeirDiagram) changed = weir_diagram_copy (diagram);
  g_autoptr (WeirDiagram) inner = NULL;
  g_autoptr (WeirBlock) holder = NULL;
  const WeirBlock *block;

  if (n_ids == 0)
    return make_change (draft, changed, parent, change, error) ? g_steal_pointer (&changed) : NULL;

  block = weir_diagram_find_block (changed, ids[0]);
  if (block == NULL || block->diagram == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "There is no Subsystem %u here.", ids[0]);
      return NULL;
    }
  inner = change_diagram (draft, block->diagram, ids[0], ids + 1, n_ids - 1, change, error);
  if (inner == NULL)
    return NULL;
  holder = weir_block_with_diagram (block, inner);
  weir_diagram_put_block (changed, holder);
  return g_steal_pointer (&changed);
}

/* --- Checks of the result -------------------------------------------------------------------- */

static gboolean
wire_is_left (WeirWire *wire, gpointer data)
{
  *(WeirWire **) data = wire;
  return FALSE;
}

static gboolean
check_moved (const Draft *draft, const Moved *moved, GError **error)
{
  const WeirDiagram *diagram = weir_homes_find_diagram (&draft->homes, draft->root,
                                                        WEIR_HOME_PARENT (moved->home));

  if (weir_pmap_lookup (&draft->homes, moved->id) == moved->home)
    return TRUE; /* there and back */
  if (diagram != NULL && weir_diagram_has (diagram, WEIR_HOME_KIND (moved->home), moved->id))
    return refuse (error, N_ ("The id %u is in use elsewhere in the model."), moved->id);
  return TRUE;
}

static gboolean
check_touched_block (const Draft *draft, const Touched *touched, GError **error)
{
  const WeirDiagram *diagram = weir_homes_find_diagram (&draft->homes, draft->root,
                                                        touched->parent);
  const WeirBlock *block = diagram != NULL ? weir_diagram_find_block (diagram, touched->id) : NULL;

  if (block == NULL)
    {
      /* Removed again; or set in a place that only leads back to itself. */
      if (weir_pmap_lookup (&draft->homes, touched->id)
          != WEIR_HOME (touched->parent, WEIR_ELEMENT_BLOCK))
        return TRUE;
      return refuse (error, N_ ("Block %u would lie within itself."), touched->id);
    }
  if (touched->is_named && weir_diagram_count_name (diagram, block->name) > 1)
    return refuse (error, N_ ("The name '%s' is already used by another block of this diagram."),
                   block->name);
  return TRUE;
}

static gboolean
check_touched_wire (const Draft *draft, const Touched *touched, GError **error)
{
  const WeirDiagram *diagram = weir_homes_find_diagram (&draft->homes, draft->root,
                                                        touched->parent);
  const WeirWire *wire = diagram != NULL ? weir_diagram_find_wire (diagram, touched->id) : NULL;
  guint32 blocks[2];

  if (wire == NULL)
    return TRUE;
  blocks[0] = weir_wire_get_from (wire).block;
  blocks[1] = weir_wire_get_to (wire).block;
  for (guint i = 0; i < 2; i++)
    if (blocks[i] != 0 && weir_diagram_find_block (diagram, blocks[i]) == NULL)
      return refuse (
          error,
          i == 0 ? N_ ("Wire %u would start at block %u, which does not exist in its diagram.")
                 : N_ ("Wire %u would end at block %u, which does not exist in its diagram."),
          touched->id, blocks[i]);
  return TRUE;
}

static gboolean
check_removed (const Draft *draft, const Touched *touched, GError **error)
{
  const WeirDiagram *diagram = weir_homes_find_diagram (&draft->homes, draft->root,
                                                        touched->parent);
  WeirWire *wire = NULL;

  if (diagram == NULL || weir_diagram_find_block (diagram, touched->id) != NULL)
    return TRUE;
  weir_diagram_foreach_wire_at (diagram, touched->id, wire_is_left, &wire);
  if (wire != NULL)
    return refuse (error, N_ ("Wire %u still ends at block %u, which is removed."),
                   weir_wire_get_id (wire), touched->id);
  return TRUE;
}

static gboolean
check_draft (const Draft *draft, GError **error)
{
  for (guint i = 0; i < draft->moved->len; i++)
    if (!check_moved (draft, &g_array_index (draft->moved, Moved, i), error))
      return FALSE;
  for (guint i = 0; i < draft->blocks->len; i++)
    if (!check_touched_block (draft, &g_array_index (draft->blocks, Touched, i), error))
      return FALSE;
  for (guint i = 0; i < draft->wires->len; i++)
    if (!check_touched_wire (draft, &g_array_index (draft->wires, Touched, i), error))
      return FALSE;
  for (guint i = 0; i < draft->removed->len; i++)
    if (!check_removed (draft, &g_array_index (draft->removed, Touched, i), error))
      return FALSE;
  return TRUE;
}

static void
set_text (WeirTexts **texts, const WeirChange *change)
{
  WeirTexts *changed = weir_texts_with (*texts, change->name, change->text);

  weir_texts_unref (*texts);
  *texts = changed;
}

static gboolean
set_in_head (WeirHead *head, const WeirChange *change, GError **error)
{
  WeirMetadata *metadata;
  const char *problem;

  switch (change->kind)
    {
    case WEIR_CHANGE_TITLE:
      problem = change->text != NULL ? weir_text_get_problem (change->text) : NULL;
      if (problem != NULL)
        return refuse (error, N_ ("The title %s."), problem);
      g_clear_pointer (&head->title, g_ref_string_release);
      if (change->text != NULL && change->text[0] != '\0')
        head->title = g_ref_string_new (change->text);
      return TRUE;

    case WEIR_CHANGE_SETTING:
      if (!check_pair (N_ ("setting"), change->name, change->text, error))
        return FALSE;
      set_text (&head->settings, change);
      return TRUE;

    case WEIR_CHANGE_VARIABLE:
      if (!check_pair (N_ ("variable"), change->name, change->text, error))
        return FALSE;
      set_text (&head->variables, change);
      return TRUE;

    case WEIR_CHANGE_ASSERTION:
      if (!check_pair (N_ ("assertion"), change->name, change->text, error))
        return FALSE;
      set_text (&head->assertions, change);
      return TRUE;

    case WEIR_CHANGE_PLOT:
      if (!check_pair (N_ ("plot"), change->name, change->text, error))
        return FALSE;
      set_text (&head->plots, change);
      return TRUE;

    case WEIR_CHANGE_METADATA:
      if (!check_pair (N_ ("piece of metadata"), change->name, change->text, error))
        return FALSE;
      metadata = weir_metadata_with (head->metadata, change->of,
                                     (WeirMetadataKey) { change->name, change->type },
                                     change->text);
      weir_metadata_unref (head->metadata);
      head->metadata = metadata;
      return TRUE;

    case WEIR_CHANGE_SET:
    case WEIR_CHANGE_REMOVE:
    default:
      g_return_val_if_reached (FALSE);
    }
}

static gboolean
make_changes (Draft *draft, WeirHead *head, const WeirPatch *patch, GError **error)
{
  for (guint i = 0; i < patch->changes->len; i++)
    {
      const WeirChange *change = &g_array_index (patch->changes, WeirChange, i);
      WeirDiagram *new_root;

      if (change->kind != WEIR_CHANGE_SET && change->kind != WEIR_CHANGE_REMOVE)
        {
          if (!set_in_head (head, change, error))
            return FALSE;
          continue;
        }
      if (change->kind == WEIR_CHANGE_SET && !check_element (change, error))
        return FALSE;
      new_root = change_diagram (draft, draft->root, 0, change->place_ids, change->n_place_ids,
                                 change, error);
      if (new_root == NULL)
        return FALSE;
      weir_diagram_unref (draft->root);
      draft->root = new_root;
    }
  return check_draft (draft, error);
}

WeirModel *
weir_model_apply (WeirModel *model, const WeirPatch *patch, WeirAspects *aspects, GError **error)
{
  WeirModel *result;
  WeirAspects changed;
  Draft draft;
  gboolean is_valid;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (patch != NULL, NULL);

  draft.root = weir_diagram_ref (model->root);
  draft.folder = model->head.folder;
  weir_pmap_init_copy (&draft.homes, &model->homes);
  draft.next_id = model->next_id;
  draft.moved = g_array_new (FALSE, FALSE, sizeof (Moved));
  draft.blocks = g_array_new (FALSE, FALSE, sizeof (Touched));
  draft.wires = g_array_new (FALSE, FALSE, sizeof (Touched));
  draft.removed = g_array_new (FALSE, FALSE, sizeof (Touched));

  result = g_new0 (WeirModel, 1);
  g_atomic_ref_count_init (&result->ref_count);
  result->head = weir_head_copy (&model->head);
  is_valid = make_changes (&draft, &result->head, patch, error);
  result->root = draft.root;
  result->homes = draft.homes;
  result->next_id = draft.next_id;

  g_array_unref (draft.moved);
  g_array_unref (draft.blocks);
  g_array_unref (draft.wires);
  g_array_unref (draft.removed);

  changed = is_valid ? weir_model_compare (model, result) : 0;
  if (aspects != NULL)
    *aspects = changed;
  if (changed == 0)
    {
      weir_model_unref (result);
      return is_valid ? weir_model_ref (model) : NULL;
    }
  weir_model_hand_on_derived (model, result, changed);
  return result;
}

/* --- How things are looked at ---------------------------------------------------------------- */

static void
carry_texts (WeirPatch *patch, const WeirTexts *from, const WeirTexts *to)
{
  for (guint i = 0; i < weir_texts_get_size (from); i++)
    if (weir_texts_find (to, weir_texts_get_name (from, i)) == NULL)
      weir_patch_set_plot (patch, weir_texts_get_name (from, i), NULL);
  for (guint i = 0; i < weir_texts_get_size (to); i++)
    if (g_strcmp0 (weir_texts_find (from, weir_texts_get_name (to, i)), weir_texts_get_text (to, i))
        != 0)
      weir_patch_set_plot (patch, weir_texts_get_name (to, i), weir_texts_get_text (to, i));
}

typedef struct {
  WeirPatch *patch;
  GArray *place; /* of guint32 */
} Carrying;

/* @block with what @of notes of this kind. (transfer full) */
static WeirBlock *
carry_metadata (const WeirBlock *block, const WeirBlock *of)
{
  WeirBlock *carried = weir_block_ref ((WeirBlock *) block);
  const WeirMetadata *lists[] = { block->metadata, of->metadata };

  /* What it has is taken away, then what the other has is given. */
  for (guint i = 0; i < 2; i++)
    for (guint k = 0; k < weir_metadata_get_size (lists[i]); k++)
      {
        WeirMetadataItem item = weir_metadata_get_item (lists[i], k);
        WeirBlock *last = carried;

        if (!weir_metadata_is_look (item.name))
          continue;
        carried = weir_block_with_metadata (
            last, item.of, (WeirMetadataKey) { item.name, item.type }, i == 0 ? NULL : item.text);
        weir_block_unref (last);
      }
  return carried;
}

static gboolean
carry_block (guint32 id, WeirBlock *block, WeirBlock *of, gpointer data)
{
  Carrying *carrying = data;
  WeirPlace place = { (const guint32 *) (gpointer) carrying->place->data, carrying->place->len };
  g_autoptr (WeirBlock) carried = NULL;

  if (block == NULL || of == NULL)
    return TRUE;
  carried = carry_metadata (block, of);
  if (!weir_metadata_equal (carried->metadata, block->metadata))
    weir_patch_set_block (carrying->patch, place, carried);
  if (block->diagram != NULL && of->diagram != NULL)
    {
      g_array_append_val (carrying->place, id);
      weir_diagram_foreach_block_change (block->diagram, of->diagram, carry_block, carrying);
      g_array_set_size (carrying->place, carrying->place->len - 1);
    }
  return TRUE;
}

WeirModel *
weir_model_with_plots_of (WeirModel *self, WeirModel *of)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  Carrying carrying = { patch, place };
  WeirModel *carried;

  g_return_val_if_fail (self != NULL && of != NULL, NULL);

  carry_texts (patch, self->head.plots, of->head.plots);
  weir_diagram_foreach_block_change (self->root, of->root, carry_block, &carrying);
  if (weir_patch_is_empty (patch))
    return weir_model_ref (self);
  carried = weir_model_apply (self, patch, NULL, NULL);
  return carried != NULL ? carried : weir_model_ref (self);
}
