/* What an editor does to blocks and notes, as patches. See edits.h. */
#include "canvas/edits/edits.h"

#include <glib/gi18n-lib.h>

#include "blocks/parts/part.h"
#include "model/files/xml.h"
#include "model/tree/line-work.h"

void
weir_edit_free (WeirEdit *self)
{
  weir_patch_free (self->patch);
  g_free (self->label);
  g_clear_pointer (&self->new_blocks, g_array_unref);
  g_clear_pointer (&self->new_notes, g_array_unref);
  g_free (self);
}

WeirEdit *
weir_edit_new (char *label)
{
  WeirEdit *self = g_new0 (WeirEdit, 1);

  self->patch = weir_patch_new ();
  self->label = label;
  return self;
}

WeirEdit *
weir_edit_finish (WeirEdit *self)
{
  if (self != NULL && weir_patch_is_empty (self->patch))
    g_clear_pointer (&self, weir_edit_free);
  return self;
}

WeirDiagram *
weir_site_get_diagram (WeirSite site)
{
  return weir_model_get_diagram (site.model, site.place);
}

WeirBlock *
weir_site_find_block (WeirSite site, guint32 id)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);

  return diagram != NULL ? weir_diagram_find_block (diagram, id) : NULL;
}

void
weir_edit_put_block (WeirEdit *self, WeirSite site, WeirBlock *block)
{
  weir_patch_set_block (self->patch, site.place, block);
}

void
weir_edit_put_wire (WeirEdit *self, WeirSite site, WeirWire *wire)
{
  weir_patch_set_wire (self->patch, site.place, wire);
}

/* --- Looking about --------------------------------------------------------------------------- */

GHashTable *
weir_id_set_new (const guint32 *ids, guint n)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (set, GUINT_TO_POINTER (ids[i]));
  return set;
}

gboolean
weir_id_set_has (GHashTable *set, guint32 id)
{
  return g_hash_table_contains (set, GUINT_TO_POINTER (id));
}

static gboolean
append_wire (WeirWire *wire, gpointer wires)
{
  g_ptr_array_add (wires, weir_wire_ref (wire));
  return TRUE;
}

static gboolean
append_block (WeirBlock *block, gpointer blocks)
{
  g_ptr_array_add (blocks, weir_block_ref (block));
  return TRUE;
}

static gboolean
append_note (WeirNote *note, gpointer notes)
{
  g_ptr_array_add (notes, weir_note_ref (note));
  return TRUE;
}

GPtrArray *
weir_diagram_list_wires (const WeirDiagram *diagram, guint32 block)
{
  GPtrArray *wires = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_wire_unref);

  if (block == 0)
    weir_diagram_foreach_wire (diagram, append_wire, wires);
  else
    weir_diagram_foreach_wire_at (diagram, block, append_wire, wires);
  return wires;
}

GPtrArray *
weir_diagram_list_blocks (const WeirDiagram *diagram)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_block_unref);

  weir_diagram_foreach_block (diagram, append_block, blocks);
  return blocks;
}

GPtrArray *
weir_diagram_list_notes (const WeirDiagram *diagram)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_note_unref);

  weir_diagram_foreach_note (diagram, append_note, notes);
  return notes;
}

WeirWire *
weir_diagram_find_wire_into (const WeirDiagram *diagram, guint32 block, const char *input)
{
  g_autoptr (GPtrArray) wires = weir_diagram_list_wires (diagram, block);

  for (guint i = 0; i < wires->len && block != 0; i++)
    {
      WeirWireEnd to = weir_wire_get_to (wires->pdata[i]);

      if (to.block == block && g_strcmp0 (to.port, input) == 0)
        return wires->pdata[i]; /* the diagram has it too */
    }
  return NULL;
}

WeirWire *
weir_wire_shifted (WeirWire *wire, WeirPoint offset)
{
  guint n;
  const WeirPoint *bends = weir_wire_get_bends (wire, &n);
  g_autofree WeirPoint *moved = g_new (WeirPoint, MAX (n, 1));
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  g_autoptr (WeirWire) ended = NULL;

  for (guint i = 0; i < n; i++)
    moved[i] = (WeirPoint) { bends[i].x + offset.x, bends[i].y + offset.y };
  from.point = (WeirPoint) { from.point.x + offset.x, from.point.y + offset.y };
  to.point = (WeirPoint) { to.point.x + offset.x, to.point.y + offset.y };
  ended = weir_wire_with_ends (wire, from, to);
  return weir_wire_with_bends (ended, moved, n);
}

WeirRect
weir_block_get_box (const WeirBlock *block)
{
  WeirPoint at = weir_block_get_position (block), size = weir_block_get_turned_size (block);

  return (WeirRect) { at.x, at.y, size.x, size.y };
}

/* --- Moving ---------------------------------------------------------------------------------- */

static gboolean
lies_in (WeirRect area, WeirRect rect)
{
  return rect.x >= area.x && rect.y >= area.y && rect.x + rect.width <= area.x + area.width
         && rect.y + rect.height <= area.y + area.height;
}

/* Adds what lies in the chosen frames, frames within frames included. */
static void
add_framed (const WeirDiagram *diagram, WeirElements what, GHashTable *blocks, GHashTable *notes)
{
  g_autoptr (GPtrArray) all_blocks = NULL;
  g_autoptr (GPtrArray) all_notes = NULL;

  for (guint i = 0; i < what.n_notes; i++)
    {
      WeirNote *frame = weir_diagram_find_note (diagram, what.notes[i]);
      WeirRect area;

      if (frame == NULL || !weir_note_is_frame (frame))
        continue;
      area = weir_scene_get_note_box (frame);
      if (all_blocks == NULL)
        {
          all_blocks = weir_diagram_list_blocks (diagram);
          all_notes = weir_diagram_list_notes (diagram);
        }
      for (guint k = 0; k < all_blocks->len; k++)
        if (lies_in (area, weir_block_get_box (all_blocks->pdata[k])))
          g_hash_table_add (blocks, GUINT_TO_POINTER (weir_block_get_id (all_blocks->pdata[k])));
      for (guint k = 0; k < all_notes->len; k++)
        if (lies_in (area, weir_scene_get_note_box (all_notes->pdata[k])))
          g_hash_table_add (notes, GUINT_TO_POINTER (weir_note_get_id (all_notes->pdata[k])));
    }
}

#define MAX_JOINTS 100 /* from line to line; lines could name one another in a circle */

static gboolean wire_goes (const WeirDiagram *diagram, const WeirWire *wire, GHashTable *blocks,
                           guint depth);

/* Whether what an end of a wire is at moves along with @blocks; a free end does. */
static gboolean
end_goes (const WeirDiagram *diagram, WeirWireEnd end, GHashTable *blocks, guint depth)
{
  const WeirWire *line = end.line != 0 ? weir_diagram_find_wire (diagram, end.line) : NULL;

  if (end.block != 0)
    return weir_id_set_has (blocks, end.block);
  return line == NULL || (depth < MAX_JOINTS && wire_goes (diagram, line, blocks, depth + 1));
}

static gboolean
is_loose_end (WeirWireEnd end)
{
  return end.block == 0 && end.line == 0;
}

static gboolean
wire_goes (const WeirDiagram *diagram, const WeirWire *wire, GHashTable *blocks, guint depth)
{
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);

  return (!is_loose_end (from) || !is_loose_end (to)) && end_goes (diagram, from, blocks, depth)
         && end_goes (diagram, to, blocks, depth);
}

WeirEdit *
weir_edit_move (WeirSite site, WeirElements what, WeirPoint offset)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) blocks = weir_id_set_new (what.blocks, what.n_blocks);
  g_autoptr (GHashTable) notes = weir_id_set_new (what.notes, what.n_notes);
  g_autoptr (GPtrArray) wires = NULL;
  GHashTableIter iter;
  gpointer id;
  WeirEdit *edit;
  guint n;

  if (diagram == NULL || what.n_blocks + what.n_notes == 0 || (offset.x == 0 && offset.y == 0))
    return NULL;
  n = what.n_blocks > 0 ? what.n_blocks : what.n_notes;
  edit = weir_edit_new (what.n_blocks > 0
                            ? g_strdup_printf (ngettext ("Move %u block", "Move %u blocks", n), n)
                            : g_strdup_printf (ngettext ("Move %u note", "Move %u notes", n), n));
  add_framed (diagram, what, blocks, notes);
  g_hash_table_iter_init (&iter, blocks);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      WeirBlock *block = weir_diagram_find_block (diagram, GPOINTER_TO_UINT (id));
      g_autoptr (WeirBlock) moved = NULL;
      WeirPoint at;

      if (block == NULL)
        continue;
      at = weir_block_get_position (block);
      moved = weir_block_with_position (block, (WeirPoint) { at.x + offset.x, at.y + offset.y });
      weir_edit_put_block (edit, site, moved);
    }
  g_hash_table_iter_init (&iter, notes);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      WeirNote *note = weir_diagram_find_note (diagram, GPOINTER_TO_UINT (id));
      g_autoptr (WeirNote) moved = NULL;
      WeirPoint at;

      if (note == NULL)
        continue;
      at = weir_note_get_position (note);
      moved = weir_note_with_position (note, (WeirPoint) { at.x + offset.x, at.y + offset.y });
      weir_patch_set_note (edit->patch, site.place, moved);
    }
  wires = weir_diagram_list_wires (diagram, 0);
  for (guint i = 0; i < wires->len; i++)
    {
      WeirWire *wire = wires->pdata[i];
      guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;
      guint n_bends;

      weir_wire_get_bends (wire, &n_bends);
      if ((n_bends > 0 || from == 0 || to == 0) && wire_goes (diagram, wire, blocks, 0))
        {
          g_autoptr (WeirWire) moved = weir_wire_shifted (wire, offset);

          weir_edit_put_wire (edit, site, moved);
        }
    }
  return edit;
}

/* --- Deleting -------------------------------------------------------------------------------- */

/* The one wire into a block whose outgoing wires all leave one output; NULL if it is not
 * so simple. */
static WeirWire *
get_healing_wire (const WeirDiagram *diagram, guint32 block, GHashTable *removed_wires)
{
  g_autoptr (GPtrArray) wires = weir_diagram_list_wires (diagram, block);
  WeirWire *in = NULL;
  const char *output = NULL;

  for (guint i = 0; i < wires->len; i++)
    {
      WeirWire *wire = wires->pdata[i];
      WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);

      if (weir_wire_is_line (wire) || weir_id_set_has (removed_wires, weir_wire_get_id (wire)))
        continue;
      if (to.block == block)
        {
          if (in != NULL)
            return NULL;
          in = wire;
        }
      if (from.block == block)
        {
          if (output != NULL && g_strcmp0 (output, from.port) != 0)
            return NULL;
          output = from.port;
        }
    }
  return in;
}

/* Where a wire from a removed block can begin instead. FALSE: nowhere. */
static gboolean
heal_end (const WeirDiagram *diagram, GHashTable *removed_blocks, GHashTable *removed_wires,
          WeirWireEnd *end)
{
  for (guint n = 0; weir_id_set_has (removed_blocks, end->block); n++)
    {
      WeirWire *in = get_healing_wire (diagram, end->block, removed_wires);

      if (in == NULL || n > g_hash_table_size (removed_blocks))
        return FALSE; /* or around in a circle */
      *end = weir_wire_get_from (in);
    }
  return end->block != 0;
}

static gboolean
is_signal (const WeirWire *wire)
{
  return wire != NULL && !weir_wire_is_line (wire);
}

static char *
make_delete_label (const WeirDiagram *diagram, WeirElements what)
{
  WeirBlock *one = what.n_blocks == 1 ? weir_diagram_find_block (diagram, what.blocks[0]) : NULL;

  if (one != NULL)
    return g_strdup_printf (_ ("Delete %s"), weir_block_get_name (one));
  if (what.n_blocks > 0)
    return g_strdup_printf (ngettext ("Delete %u block", "Delete %u blocks", what.n_blocks),
                            what.n_blocks);
  if (what.n_wires > 0)
    return g_strdup_printf (ngettext ("Delete %u wire", "Delete %u wires", what.n_wires),
                            what.n_wires);
  return g_strdup_printf (ngettext ("Delete %u note", "Delete %u notes", what.n_notes),
                          what.n_notes);
}

WeirEdit *
weir_edit_delete (WeirSite site, WeirElements what)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) blocks = weir_id_set_new (what.blocks, what.n_blocks);
  g_autoptr (GHashTable) wires = weir_id_set_new (what.wires, what.n_wires);
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);
  g_autoptr (WeirLineWork) lines = NULL;
  WeirEdit *edit;

  if (diagram == NULL || what.n_blocks + what.n_wires + what.n_notes == 0)
    return NULL;
  edit = weir_edit_new (make_delete_label (diagram, what));
  lines = weir_line_work_new (diagram);
  for (guint i = 0; i < what.n_wires; i++)
    weir_line_work_remove (lines, what.wires[i]);
  for (guint i = 0; i < what.n_blocks; i++)
    if (weir_diagram_find_block (diagram, what.blocks[i]) != NULL)
      weir_line_work_remove_block (lines, weir_diagram_find_block (diagram, what.blocks[i]));
  weir_line_work_put (lines, edit->patch, site.place);
  for (guint i = 0; i < what.n_wires; i++)
    if (is_signal (weir_diagram_find_wire (diagram, what.wires[i])))
      weir_patch_remove_wire (edit->patch, site.place, what.wires[i]);
  for (guint i = 0; i < what.n_notes; i++)
    if (weir_diagram_find_note (diagram, what.notes[i]) != NULL)
      weir_patch_remove_note (edit->patch, site.place, what.notes[i]);
  for (guint i = 0; i < what.n_blocks; i++)
    {
      g_autoptr (GPtrArray) ends = weir_diagram_list_wires (diagram, what.blocks[i]);

      if (weir_diagram_find_block (diagram, what.blocks[i]) == NULL)
        continue;
      for (guint k = 0; k < ends->len; k++)
        {
          WeirWire *wire = ends->pdata[k];
          WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
          guint32 id = weir_wire_get_id (wire);

          if (!is_signal (wire) || weir_id_set_has (wires, id)
              || !g_hash_table_add (done, GUINT_TO_POINTER (id)))
            continue;
          if (to.block != 0 && !weir_id_set_has (blocks, to.block)
              && heal_end (diagram, blocks, wires, &from))
            {
              g_autoptr (WeirWire) healed = weir_wire_with_ends (wire, from, to);

              weir_edit_put_wire (edit, site, healed);
            }
          else
            weir_patch_remove_wire (edit->patch, site.place, id);
        }
      weir_patch_remove_block (edit->patch, site.place, what.blocks[i]);
    }
  return weir_edit_finish (edit);
}

/* --- Copying --------------------------------------------------------------------------------- */

static WeirEdit *
copy_into (WeirSite site, const WeirDiagram *fragment, WeirPoint offset, char *label)
{
  WeirEdit *edit = weir_edit_new (label);

  edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  edit->new_notes = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!weir_fragment_paste (fragment, edit->patch, site.model, site.place, offset, edit->new_blocks,
                            edit->new_notes))
    g_clear_pointer (&edit, weir_edit_free);
  return weir_edit_finish (edit);
}

WeirEdit *
weir_edit_duplicate (WeirSite site, WeirElements what, WeirPoint offset)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (WeirDiagram) fragment = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint n = what.n_blocks > 0 ? what.n_blocks : what.n_notes;

  if (diagram == NULL || n == 0)
    return NULL;
  bytes = weir_fragment_write (diagram, what.blocks, what.n_blocks, what.notes, what.n_notes);
  fragment = weir_fragment_read (bytes, NULL);
  g_return_val_if_fail (fragment != NULL, NULL);
  return copy_into (
      site, fragment, offset,
      what.n_blocks > 0
          ? g_strdup_printf (ngettext ("Duplicate %u block", "Duplicate %u blocks", n), n)
          : g_strdup_printf (ngettext ("Duplicate %u note", "Duplicate %u notes", n), n));
}

WeirEdit *
weir_edit_paste (WeirSite site, const WeirDiagram *fragment, WeirPoint offset)
{
  guint n = weir_diagram_get_n_blocks (fragment);

  return copy_into (site, fragment, offset,
                    n > 0 ? g_strdup_printf (ngettext ("Paste %u block", "Paste %u blocks", n), n)
                          : g_strdup (_ ("Paste notes")));
}

/* --- Single elements ------------------------------------------------------------------------- */

#define LONGEST_SIGN 2 /* letters of a prefix that a number always follows, as in textbooks */

char *
weir_edit_dup_name (WeirDiagram *diagram, const char *type)
{
  const WeirBlockType *known = weir_registry_find (type);
  const char *prefix = known != NULL && known->part != NULL ? known->part->prefix : type;

  for (guint n = 1; prefix != type && strlen (prefix) <= LONGEST_SIGN; n++)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", prefix, n);

      if (weir_diagram_find_block_by_name (diagram, name) == NULL)
        return g_steal_pointer (&name);
    }
  return weir_diagram_dup_free_name (diagram, prefix);
}

/* @wanted: (nullable) its name if it is free. @parameter: (nullable) that is to be @text. */
static WeirEdit *
add_block (WeirSite site, const char *type, const char *wanted, const char *parameter,
           const char *text, WeirPoint position)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autofree char *name = NULL;
  g_autoptr (WeirBlock) block = NULL;
  guint32 id = weir_model_get_next_id (site.model);
  WeirEdit *edit;

  if (diagram == NULL || weir_registry_find (type) == NULL)
    return NULL;
  name = wanted != NULL ? weir_diagram_dup_free_name (diagram, wanted)
                        : weir_edit_dup_name (diagram, type);
  edit = weir_edit_new (g_strdup_printf (_ ("Add %s"), name));
  block = weir_block_new (id, type, name, position);
  if (parameter != NULL)
    {
      WeirBlock *with = weir_block_with_parameter (block, parameter, text);

      weir_block_unref (block);
      block = with;
    }
  weir_edit_put_block (edit, site, block);
  edit->new_blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (edit->new_blocks, id);
  return edit;
}

WeirEdit *
weir_edit_add_block (WeirSite site, const char *type, WeirPoint position)
{
  return add_block (site, type, NULL, NULL, NULL, position);
}

/* A name of a block has neither dots nor what parts paths. */
WeirEdit *
weir_edit_add_fmu (WeirSite site, const char *file, WeirPoint position)
{
  g_autofree char *name = g_path_get_basename (file);
  char *end = strrchr (name, '.');

  if (end != NULL && end != name)
    *end = '\0';
  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_')
      *c = '_';
  if (g_ascii_isdigit (*name))
    *name = '_';
  return add_block (site, "FMU", name, "file", file, position);
}

WeirEdit *
weir_edit_rename (WeirSite site, guint32 id, const char *name)
{
  WeirBlock *block = weir_site_find_block (site, id);
  WeirEdit *edit;

  if (block == NULL || g_str_equal (weir_block_get_name (block), name))
    return NULL;
  edit = weir_edit_new (g_strdup_printf (_ ("Rename %s to %s"), weir_block_get_name (block), name));
  weir_patch_rename_block (edit->patch, site.model, site.place, id, name);
  return edit;
}

WeirEdit *
weir_edit_set_mode (WeirSite site, const guint32 *blocks, guint n, WeirBlockMode mode)
{
  const char *const labels[WEIR_N_BLOCK_MODES] = { _ ("Uncomment"), _ ("Comment out"),
                                                   _ ("Pass through") };
  WeirEdit *edit = weir_edit_new (g_strdup (labels[mode]));

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_site_find_block (site, blocks[i]);
      const char *type = block != NULL ? weir_block_get_type_name (block) : NULL;
      g_autoptr (WeirBlock) changed = NULL;

      if (block == NULL || weir_block_get_mode (block) == mode || g_str_equal (type, "In")
          || g_str_equal (type, "Out"))
        continue;
      changed = weir_block_with_mode (block, mode);
      weir_edit_put_block (edit, site, changed);
    }
  return weir_edit_finish (edit);
}

WeirEdit *
weir_edit_set_tint (WeirSite site, WeirElements what, WeirTint tint)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirEdit *edit = weir_edit_new (g_strdup (_ ("Change color")));

  for (guint i = 0; i < what.n_blocks && diagram != NULL; i++)
    {
      WeirBlock *block = weir_diagram_find_block (diagram, what.blocks[i]);
      g_autoptr (WeirBlock) changed = NULL;

      if (block == NULL || weir_block_get_tint (block) == tint)
        continue;
      changed = weir_block_with_tint (block, tint);
      weir_edit_put_block (edit, site, changed);
    }
  for (guint i = 0; i < what.n_notes && diagram != NULL; i++)
    {
      WeirNote *note = weir_diagram_find_note (diagram, what.notes[i]);
      g_autoptr (WeirNote) changed = NULL;

      if (note == NULL || weir_note_get_tint (note) == tint)
        continue;
      changed = weir_note_with_tint (note, tint);
      weir_patch_set_note (edit->patch, site.place, changed);
    }
  return weir_edit_finish (edit);
}

WeirEdit *
weir_edit_set_note (WeirSite site, guint32 id, WeirPoint position, const char *text)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  WeirNote *old = diagram != NULL && id != 0 ? weir_diagram_find_note (diagram, id) : NULL;
  g_autoptr (WeirNote) note = NULL;
  WeirEdit *edit;

  if (diagram == NULL || (id != 0 && old == NULL) || (id == 0 && text[0] == '\0')
      || (old != NULL && g_str_equal (weir_note_get_text (old), text)))
    return NULL;
  if (old != NULL && text[0] == '\0' && !weir_note_is_frame (old))
    {
      edit = weir_edit_new (g_strdup_printf (ngettext ("Delete %u note", "Delete %u notes", 1), 1));
      weir_patch_remove_note (edit->patch, site.place, id);
      return edit;
    }
  edit = weir_edit_new (g_strdup (old != NULL ? _ ("Edit note") : _ ("Add note")));
  if (old == NULL)
    {
      id = weir_model_get_next_id (site.model);
      edit->new_notes = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (edit->new_notes, id);
    }
  note = old != NULL ? weir_note_with_text (old, text) : weir_note_new (id, position, text);
  weir_patch_set_note (edit->patch, site.place, note);
  return edit;
}

WeirEdit *
weir_edit_add_frame (WeirSite site, WeirRect area, const char *title)
{
  guint32 id = weir_model_get_next_id (site.model);
  g_autoptr (WeirNote) plain = weir_note_new (id, (WeirPoint) { area.x, area.y }, title);
  g_autoptr (WeirNote) frame = weir_note_with_size (plain, (WeirPoint) { area.width, area.height });
  WeirEdit *edit = weir_edit_new (g_strdup (_ ("Add frame")));

  weir_patch_set_note (edit->patch, site.place, frame);
  edit->new_notes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (edit->new_notes, id);
  return edit;
}

/* --- Room ------------------------------------------------------------------------------------ */

WeirPoint
weir_edit_find_room (WeirScene *scene, WeirPoint size, WeirPoint wanted)
{
  WeirPoint start = { weir_snap (wanted.x), weir_snap (wanted.y) };

  /* Rings around the wanted place, a step of two grid units each; the last try is accepted. */
  for (int ring = 0; ring < 60; ring++)
    for (int k = 0; k < MAX (1, 8 * ring); k++)
      {
        int side = ring == 0 ? 0 : k / (2 * ring), along = ring == 0 ? 0 : k % (2 * ring) - ring;
        double step = 2 * WEIR_GRID;
        WeirPoint at = start;
        WeirRect box;
        gboolean clear = TRUE;

        /* Below and to the right come first. */
        switch (side)
          {
          case 0:
            at = (WeirPoint) { start.x - along * step, start.y + ring * step };
            break;
          case 1:
            at = (WeirPoint) { start.x + ring * step, start.y + along * step };
            break;
          case 2:
            at = (WeirPoint) { start.x + along * step, start.y - ring * step };
            break;
          default:
            at = (WeirPoint) { start.x - ring * step, start.y - along * step };
            break;
          }
        box = (WeirRect) { at.x - 8, at.y - 8, size.x + 16, size.y + 16 + WEIR_NAME_HEIGHT };
        for (guint i = 0; i < weir_scene_get_n_blocks (scene) && clear; i++)
          {
            WeirRect taken = weir_scene_get_block (scene, i)->box;

            taken.height += WEIR_NAME_HEIGHT;
            clear = !weir_rect_intersects (box, taken);
          }
        if (clear)
          return at;
      }
  return start;
}
