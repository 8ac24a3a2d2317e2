/* The clipboard: a part of a diagram as XML, and putting one into a model.
 *
 * A fragment keeps the ids it was copied with; pasting numbers everything afresh, so that one
 * fragment may be pasted many times and into any model.
 */
#include "model/files/xml-private.h"
#include "base/error.h"
#include "model/tree/line-work.h"

#include <string.h>

/* Wires among the chosen blocks; a wire with a free end goes with the block at its other end. */
static gboolean
copy_wire (WeirWire *wire, gpointer data)
{
  WeirDiagram *chosen = data;
  guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;

  if (!weir_wire_is_line (wire) && (from == 0 || weir_diagram_find_block (chosen, from) != NULL)
      && (to == 0 || weir_diagram_find_block (chosen, to) != NULL))
    weir_diagram_put_wire (chosen, wire);
  return TRUE;
}

/* Physical lines: pins of the chosen blocks that were one node still are. */
static void
copy_lines (const WeirDiagram *diagram, WeirDiagram *chosen, const guint32 *ids, guint n)
{
  g_autoptr (WeirLineWork) work = weir_line_work_new (diagram);
  g_autoptr (GHashTable) blocks = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) lines = NULL;

  for (guint i = 0; i < n; i++)
    g_hash_table_add (blocks, GUINT_TO_POINTER (ids[i]));
  weir_line_work_keep_blocks (work, blocks);
  lines = weir_line_work_list (work);
  for (guint i = 0; i < lines->len; i++)
    weir_diagram_put_wire (chosen, lines->pdata[i]);
}

GBytes *
weir_fragment_write (const WeirDiagram *diagram, const guint32 *block_ids, guint n_blocks,
                     const guint32 *note_ids, guint n_notes)
{
  g_autoptr (WeirDiagram) chosen = weir_diagram_new ();
  WeirContents contents = { .diagram = chosen };

  g_return_val_if_fail (diagram != NULL, NULL);
  g_return_val_if_fail (block_ids != NULL || n_blocks == 0, NULL);

  for (guint i = 0; i < n_blocks; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, block_ids[i]);

      if (block != NULL)
        weir_diagram_put_block (chosen, block);
    }
  for (guint i = 0; i < n_blocks; i++)
    weir_diagram_foreach_wire_at (diagram, block_ids[i], copy_wire, chosen);
  copy_lines (diagram, chosen, block_ids, n_blocks);
  for (guint i = 0; i < n_notes; i++)
    {
      WeirNote *note = weir_diagram_find_note (diagram, note_ids[i]);

      if (note != NULL)
        weir_diagram_put_note (chosen, note);
    }
  return weir_contents_write (&contents, WEIR_FRAGMENT_ELEMENT);
}

WeirDiagram *
weir_fragment_read (GBytes *bytes, GError **error)
{
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirContents contents;

  g_return_val_if_fail (bytes != NULL, NULL);

  stream = g_memory_input_stream_new_from_bytes (bytes);
  if (weir_contents_read (stream, NULL, WEIR_FRAGMENT_ELEMENT, NULL, &contents, diagnostics))
    {
      weir_head_clear (&contents.head);
      return contents.diagram;
    }
  weir_error_set (error, WEIR_ERROR_FILE, "The clipboard holds no part of a diagram: %s",
                  weir_diagnostics_get (diagnostics, 0)->text);
  return NULL;
}

/* --- Pasting --------------------------------------------------------------------------------- */

typedef struct {
  GHashTable *ids; /* old id of a block of this diagram to its new one */
  guint32 *next_id;
  WeirPoint offset;
  WeirDiagram *target;        /* what is pasted, under new ids */
  const WeirDiagram *present; /* whose names are taken; NULL within a Subsystem */
} Pasting;

static WeirDiagram *renumber (const WeirDiagram *diagram, const WeirDiagram *present,
                              WeirPoint offset, guint32 *next_id);

/* A name that is free among the blocks that are there and those pasted before. */
static char *
dup_free_name (const Pasting *p, const char *base)
{
  int length = (int) weir_name_get_stem_length (base);
  g_autofree char *name = g_strdup (base);

  for (guint n = 2; weir_diagram_count_name (p->present, name) > 0
                    || weir_diagram_count_name (p->target, name) > 0;
       n++)
    {
      g_free (name);
      name = g_strdup_printf ("%.*s%u", length, base, n);
    }
  return g_steal_pointer (&name);
}

static gboolean
paste_block (WeirBlock *block, gpointer data)
{
  Pasting *p = data;
  guint32 id = (*p->next_id)++;
  WeirPoint position = { block->position.x + p->offset.x, block->position.y + p->offset.y };
  g_autoptr (WeirBlock) pasted = weir_block_with_id (block, id);
  WeirBlock *changed;

  g_hash_table_insert (p->ids, GUINT_TO_POINTER (block->id), GUINT_TO_POINTER (id));
  changed = weir_block_with_position (pasted, position);
  weir_block_unref (pasted);
  pasted = changed;
  if (p->present != NULL)
    {
      g_autofree char *name = dup_free_name (p, block->name);

      changed = weir_block_with_name (pasted, name);
      weir_block_unref (pasted);
      pasted = changed;
    }
  if (block->diagram != NULL)
    {
      g_autoptr (WeirDiagram)
          inner = renumber (block->diagram, NULL, (WeirPoint) { 0, 0 }, p->next_id);

      changed = weir_block_with_diagram (pasted, inner);
      weir_block_unref (pasted);
      pasted = changed;
    }
  weir_diagram_put_block (p->target, pasted);
  return TRUE;
}

/* A wire to a block or line that the fragment does not have is left free there. */
static WeirWireEnd
paste_end (const Pasting *p, WeirWireEnd wire_end)
{
  if (wire_end.block != 0)
    wire_end.block = GPOINTER_TO_UINT (
        g_hash_table_lookup (p->ids, GUINT_TO_POINTER (wire_end.block)));
  wire_end.line = GPOINTER_TO_UINT (g_hash_table_lookup (p->ids, GUINT_TO_POINTER (wire_end.line)));
  wire_end.point.x += p->offset.x;
  wire_end.point.y += p->offset.y;
  return wire_end;
}

/* Before any is pasted: lines join each other in any order. */
static gboolean
number_wire (WeirWire *wire, gpointer data)
{
  Pasting *p = data;

  g_hash_table_insert (p->ids, GUINT_TO_POINTER (weir_wire_get_id (wire)),
                       GUINT_TO_POINTER ((*p->next_id)++));
  return TRUE;
}

static gboolean
paste_wire (WeirWire *wire, gpointer data)
{
  Pasting *p = data;
  guint n_bends;
  const WeirPoint *bends = weir_wire_get_bends (wire, &n_bends);
  g_autofree WeirPoint *moved = g_new (WeirPoint, n_bends + 1);
  g_autoptr (WeirWire) numbered = weir_wire_with_id (
      wire,
      GPOINTER_TO_UINT (g_hash_table_lookup (p->ids, GUINT_TO_POINTER (weir_wire_get_id (wire)))));
  g_autoptr (WeirWire) ended = NULL;
  g_autoptr (WeirWire) pasted = NULL;

  for (guint i = 0; i < n_bends; i++)
    moved[i] = (WeirPoint) { bends[i].x + p->offset.x, bends[i].y + p->offset.y };
  ended = weir_wire_with_ends (numbered, paste_end (p, weir_wire_get_from (wire)),
                               paste_end (p, weir_wire_get_to (wire)));
  pasted = weir_wire_with_bends (ended, moved, n_bends);
  weir_diagram_put_wire (p->target, pasted);
  return TRUE;
}

static gboolean
paste_note (WeirNote *note, gpointer data)
{
  Pasting *p = data;
  WeirPoint position = weir_note_get_position (note);
  g_autoptr (WeirNote) numbered = weir_note_with_id (note, (*p->next_id)++);
  g_autoptr (WeirNote) pasted = weir_note_with_position (
      numbered, (WeirPoint) { position.x + p->offset.x, position.y + p->offset.y });

  weir_diagram_put_note (p->target, pasted);
  return TRUE;
}

static WeirDiagram *
renumber (const WeirDiagram *diagram, const WeirDiagram *present, WeirPoint offset,
          guint32 *next_id)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  Pasting pasting = { ids, next_id, offset, weir_diagram_new (), present };

  weir_diagram_foreach_block (diagram, paste_block, &pasting);
  weir_diagram_foreach_wire (diagram, number_wire, &pasting);
  weir_diagram_foreach_wire (diagram, paste_wire, &pasting);
  weir_diagram_foreach_note (diagram, paste_note, &pasting);
  return pasting.target;
}

typedef struct {
  WeirPatch *patch;
  WeirPlace place;
  GArray *block_ids, *note_ids; /* nullable */
} Adding;

static gboolean
add_block (WeirBlock *block, gpointer data)
{
  Adding *adding = data;

  weir_patch_set_block (adding->patch, adding->place, block);
  if (adding->block_ids != NULL)
    g_array_append_val (adding->block_ids, block->id);
  return TRUE;
}

static gboolean
add_wire (WeirWire *wire, gpointer data)
{
  Adding *adding = data;

  weir_patch_set_wire (adding->patch, adding->place, wire);
  return TRUE;
}

static gboolean
add_note (WeirNote *note, gpointer data)
{
  Adding *adding = data;

  guint32 id = weir_note_get_id (note);

  weir_patch_set_note (adding->patch, adding->place, note);
  if (adding->note_ids != NULL)
    g_array_append_val (adding->note_ids, id);
  return TRUE;
}

gboolean
weir_fragment_paste (const WeirDiagram *fragment, WeirPatch *patch, const WeirModel *model,
                     WeirPlace place, WeirPoint offset, GArray *block_ids, GArray *note_ids)
{
  const WeirDiagram *present;
  g_autoptr (WeirDiagram) pasted = NULL;
  Adding adding = { patch, place, block_ids, note_ids };
  guint32 next_id;

  g_return_val_if_fail (fragment != NULL, FALSE);
  g_return_val_if_fail (patch != NULL, FALSE);
  g_return_val_if_fail (model != NULL, FALSE);

  present = weir_model_get_diagram (model, place);
  if (present == NULL)
    return FALSE;
  next_id = weir_model_get_next_id (model);
  pasted = renumber (fragment, present, offset, &next_id);
  if (block_ids != NULL)
    g_array_set_size (block_ids, 0);
  if (note_ids != NULL)
    g_array_set_size (note_ids, 0);
  weir_diagram_foreach_block (pasted, add_block, &adding);
  weir_diagram_foreach_wire (pasted, add_wire, &adding);
  weir_diagram_foreach_note (pasted, add_note, &adding);
  return TRUE;
}
