/* Thousands of random edits, as a user would make them: through the tool's gestures, the edits
 * behind the actions, the clipboard, undo and redo, saving and reading again; of blocks and wires,
 * and of parts and physical lines. After each: what must hold of a model holds, and edits that join
 * and part nothing leave as it was what lines join; at the end everything undoes to the very start,
 * and does again to the very end.
 *
 * The seed is printed; WEIR_TEST_SEED=N tries another.
 */
#include <math.h>

#include "../seeds.h"
#include "canvas/tool/tool.h"
#include "example.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "sets.h"

#define N_ACTIONS 8000
#define MAX_BLOCKS 60 /* on one level; above, deleting is as likely as adding */

typedef struct {
  GRand *rand;
  WeirDocument *document;
  WeirTool *tool;
  GArray *place;
  WeirScene *scene;
  GBytes *clipboard;
  guint n_steps; /* undo steps taken */
  guint n_done[40];
} Editor;

static WeirPlace
place_of (Editor *e)
{
  return (WeirPlace) { (const guint32 *) (gpointer) e->place->data, e->place->len };
}

static WeirSite
site_of (Editor *e)
{
  return (WeirSite) { weir_document_get_model (e->document), place_of (e) };
}

/* What the canvas does after every change of the document. */
static void
take (Editor *e)
{
  WeirScene *scene;

  while (weir_site_get_diagram (site_of (e)) == NULL)
    g_array_set_size (e->place, e->place->len - 1);
  scene = weir_scene_new (weir_site_get_diagram (site_of (e)), e->scene);
  g_clear_pointer (&e->scene, weir_scene_unref);
  e->scene = scene;
  weir_tool_set_site (e->tool, site_of (e), scene);
}

static gboolean
apply (Editor *e, WeirEdit *edit)
{
  g_autoptr (GError) error = NULL;
  WeirModel *before = weir_document_get_model (e->document);
  gboolean done;

  if (edit == NULL)
    return FALSE;
  g_assert_cmpstr (edit->label, !=, "");
  done = weir_document_edit (e->document, edit->patch, edit->label, NULL, &error);
  /* An edit never makes a patch that the model refuses. */
  g_assert_no_error (error);
  g_assert_true (done);
  if (weir_document_get_model (e->document) != before)
    e->n_steps++;
  take (e);
  if (edit->new_blocks != NULL || edit->new_notes != NULL)
    weir_selection_set (weir_tool_get_selection (e->tool), edit->new_blocks, NULL, edit->new_notes);
  weir_edit_free (edit);
  return TRUE;
}

/* --- What must hold -------------------------------------------------------------------------- */

typedef struct {
  const WeirDiagram *diagram;
  GHashTable *ids, *names;
  GHashTable *inputs; /* that a wire ends at: id and port */
  guint32 next_id;
} Checking;

static void check_diagram (const WeirDiagram *diagram, GHashTable *ids, guint32 next_id);

static void
check_id (Checking *c, guint32 id)
{
  g_assert_cmpuint (id, >, 0);
  g_assert_cmpuint (id, <, c->next_id);
  g_assert_true (g_hash_table_add (c->ids, GUINT_TO_POINTER (id))); /* once in the model */
}

static gboolean
check_block (WeirBlock *block, gpointer data)
{
  Checking *c = data;
  WeirPoint at = weir_block_get_position (block);

  check_id (c, weir_block_get_id (block));
  g_assert_true (g_hash_table_add (c->names, (gpointer) weir_block_get_name (block)));
  g_assert_true (isfinite (at.x) && isfinite (at.y));
  if (weir_block_get_diagram (block) != NULL)
    check_diagram (weir_block_get_diagram (block), c->ids, c->next_id);
  return TRUE;
}

static void
check_pin (const WeirBlock *block, const char *name)
{
  g_autoptr (GArray) pins = weir_block_list_pins (block);
  gboolean found = weir_block_get_diagram (block) != NULL;

  for (guint i = 0; i < pins->len; i++)
    found |= g_str_equal (g_array_index (pins, WeirPinSpec, i).name, name);
  g_assert_true (found);
}

static gboolean
check_wire (WeirWire *wire, gpointer data)
{
  Checking *c = data;
  WeirWireEnd ends[2] = { weir_wire_get_from (wire), weir_wire_get_to (wire) };

  check_id (c, weir_wire_get_id (wire));
  /* Not two wires into one input. */
  if (ends[1].block != 0 && !weir_wire_is_line (wire))
    g_assert_true (
        g_hash_table_add (c->inputs, g_strdup_printf ("%u.%s", ends[1].block, ends[1].port)));
  for (int i = 0; i < 2; i++)
    {
      const WeirBlock *block;
      g_auto (GStrv) ports = NULL;

      if (ends[i].block == 0)
        {
          WeirWire *joined = weir_diagram_find_wire (c->diagram, ends[i].line);

          g_assert_true (isfinite (ends[i].point.x) && isfinite (ends[i].point.y));
          g_assert_true (ends[i].line == 0 || weir_wire_is_line (wire));
          g_assert_true (ends[i].line == 0 || (joined != NULL && weir_wire_is_line (joined)));
          continue;
        }
      /* At a block of the same diagram, and at a port that it has; a Subsystem's port goes with its
       * In or Out, and then the wire waits for another of that name. */
      block = weir_diagram_find_block (c->diagram, ends[i].block);
      g_assert_nonnull (block);
      if (weir_wire_is_line (wire))
        {
          check_pin (block, ends[i].port);
          continue;
        }
      ports = i == 0 ? weir_block_dup_outputs (block) : weir_block_dup_inputs (block);
      if (weir_block_get_diagram (block) == NULL)
        g_assert_true (g_strv_contains ((const char *const *) ports, ends[i].port));
    }
  return TRUE;
}

static gboolean
check_note (WeirNote *note, gpointer data)
{
  check_id (data, weir_note_get_id (note));
  return TRUE;
}

static void
check_diagram (const WeirDiagram *diagram, GHashTable *ids, guint32 next_id)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Checking checking = { diagram, ids, names, inputs, next_id };

  weir_diagram_foreach_block (diagram, check_block, &checking);
  weir_diagram_foreach_wire (diagram, check_wire, &checking);
  weir_diagram_foreach_note (diagram, check_note, &checking);
}

static void
check (Editor *e)
{
  WeirModel *model = weir_document_get_model (e->document);
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  WeirElements what = weir_selection_get_elements (weir_tool_get_selection (e->tool));
  WeirDiagram *shown = weir_site_get_diagram (site_of (e));

  check_diagram (weir_model_get_root (model), ids, weir_model_get_next_id (model));
  for (guint i = 0; i < what.n_blocks; i++)
    g_assert_nonnull (weir_diagram_find_block (shown, what.blocks[i]));
  for (guint i = 0; i < what.n_wires; i++)
    g_assert_nonnull (weir_diagram_find_wire (shown, what.wires[i]));
  for (guint i = 0; i < what.n_notes; i++)
    g_assert_nonnull (weir_diagram_find_note (shown, what.notes[i]));
  g_assert_cmpint (weir_tool_get_state (e->tool), ==, WEIR_TOOL_IDLE);
}

/* --- Random choices -------------------------------------------------------------------------- */

static guint
below (Editor *e, guint n)
{
  return (guint) g_rand_int_range (e->rand, 0, (gint32) MAX (n, 1));
}

static const WeirBlockShape *
any_block (Editor *e)
{
  guint n = weir_scene_get_n_blocks (e->scene);

  return n > 0 ? weir_scene_get_block (e->scene, below (e, n)) : NULL;
}

static WeirPoint
any_point (Editor *e)
{
  double x = g_rand_double_range (e->rand, -300, 900);

  return (WeirPoint) { x, g_rand_double_range (e->rand, -300, 700) };
}

/* A place worth pressing: mostly on something. */
static WeirPoint
any_spot (Editor *e)
{
  const WeirBlockShape *shape = any_block (e);
  guint n_wires = weir_scene_get_n_wires (e->scene);

  switch (below (e, 6))
    {
    case 0:
    case 1:
      if (shape != NULL && shape->n_ports > 0)
        return shape->ports[below (e, shape->n_ports)].position;
      break;
    case 2:
    case 3:
      if (shape != NULL)
        return weir_rect_get_center (shape->box);
      break;
    case 4:
      if (n_wires > 0)
        {
          const WeirWireShape *wire = weir_scene_get_wire (e->scene, below (e, n_wires));
          guint k = below (e, wire->n_points - 1);
          double f = g_rand_double (e->rand);

          return (WeirPoint) { wire->points[k].x + f * (wire->points[k + 1].x - wire->points[k].x),
                               wire->points[k].y
                                   + f * (wire->points[k + 1].y - wire->points[k].y) };
        }
      break;
    default:
      break;
    }
  return any_point (e);
}

static void
select_some (Editor *e)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) notes = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirPoint a = any_point (e), b = any_point (e);

  weir_scene_find_in_area (e->scene, weir_rect_from_corners (a, b), blocks, wires, notes);
  if (blocks->len == 0 && any_block (e) != NULL)
    {
      guint32 id = weir_block_get_id (any_block (e)->block);

      g_array_append_val (blocks, id);
    }
  weir_selection_set (weir_tool_get_selection (e->tool), blocks, below (e, 2) == 0 ? wires : NULL,
                      notes);
}

static WeirElements
selected (Editor *e)
{
  return weir_selection_get_elements (weir_tool_get_selection (e->tool));
}

/* --- Actions --------------------------------------------------------------------------------- */

static gboolean
add_block (Editor *e)
{
  static const char *const types[] = { "Gain",     "Sum",          "Integrator", "Sine",
                                       "Scope",    "Subsystem",    "In",         "Out",
                                       "Switch",   "Constant",     "Resistor",   "Capacitor",
                                       "Ground",   "EMF",          "Pin",        "Inertia",
                                       "Resistor", "VoltageSensor" };

  return apply (
      e, weir_edit_add_block (site_of (e), types[below (e, G_N_ELEMENTS (types))], any_point (e)));
}

static WeirEdit *
add_offered_part (Editor *e, WeirToolOffer offer)
{
  WeirWireEnd end = offer.source.line != 0
                        ? (WeirWireEnd) { .line = offer.source.line, .point = offer.source.point }
                        : (WeirWireEnd) { .block = offer.source.block, .port = offer.source.port };
  const WeirDomain *domain = weir_edit_find_domain (e->scene, end);
  const char *type = domain != NULL && g_str_equal (domain->name, "rotational") ? "Inertia"
                                                                                : "Resistor";

  return weir_edit_add_part (site_of (e), e->scene, type, end, offer.from, offer.point);
}

/* A gesture from anywhere to anywhere, with any modifiers; sometimes given up. */
static gboolean
drag (Editor *e)
{
  WeirToolModifiers modifiers = (WeirToolModifiers) (below (e, 3) == 0 ? below (e, 8) : 0);
  WeirPoint from = any_spot (e), to = any_spot (e);
  WeirEdit *edit;

  edit = weir_tool_press (e->tool, from, modifiers);
  g_assert_null (edit);
  weir_tool_motion (e->tool, (WeirPoint) { (from.x + to.x) / 2, (from.y + to.y) / 2 }, modifiers);
  weir_tool_motion (e->tool, to, modifiers);
  if (below (e, 10) == 0)
    {
      weir_tool_cancel (e->tool);
      return FALSE;
    }
  edit = weir_tool_release (e->tool, to, modifiers);
  weir_tool_cancel (e->tool); /* a click may have begun a wire */
  if (edit == NULL && weir_tool_port_is_set (weir_tool_get_offer (e->tool).source)
      && below (e, 2) == 0)
    {
      WeirToolOffer offer = weir_tool_get_offer (e->tool);

      edit = offer.source.is_pin
                 ? add_offered_part (e, offer)
                 : weir_edit_add_connected (site_of (e), "Gain", offer.source.block,
                                            offer.source.port, offer.source.is_output, offer.point);
      g_assert_nonnull (edit);
    }
  return apply (e, edit);
}

static gboolean
wire_by_keyboard (Editor *e)
{
  const WeirBlockShape *shape = any_block (e);
  guint n_wires = weir_scene_get_n_wires (e->scene);
  WeirEdit *edit;

  if (shape == NULL || shape->n_ports == 0)
    return FALSE;
  if (n_wires > 0 && below (e, 2) == 0)
    weir_tool_begin_from_wire (
        e->tool, weir_wire_get_id (weir_scene_get_wire (e->scene, below (e, n_wires))->wire),
        below (e, 2));
  else
    {
      const WeirPortShape *port = &shape->ports[below (e, shape->n_ports)];

      /* A wired input is no place to begin a second wire at. */
      if (!port->is_output && !port->is_pin
          && weir_scene_is_connected (e->scene, weir_block_get_id (shape->block), port->name,
                                      FALSE))
        return FALSE;
      weir_tool_begin_wire (e->tool, weir_block_get_id (shape->block), port->name, port->is_output);
    }
  for (guint i = below (e, 4); i > 0; i--)
    weir_tool_next_target (e->tool, below (e, 2) == 0 ? 1 : -1);
  edit = weir_tool_accept (e->tool);
  weir_tool_cancel (e->tool);
  return apply (e, edit);
}

static gboolean
copy_and_paste (Editor *e)
{
  g_autoptr (WeirDiagram) fragment = NULL;
  g_autoptr (GError) error = NULL;
  WeirElements what = selected (e);

  if (e->clipboard == NULL || below (e, 2) == 0)
    {
      g_clear_pointer (&e->clipboard, g_bytes_unref);
      e->clipboard = weir_fragment_write (weir_site_get_diagram (site_of (e)), what.blocks,
                                          what.n_blocks, what.notes, what.n_notes);
    }
  fragment = weir_fragment_read (e->clipboard, &error);
  g_assert_no_error (error);
  return apply (e, weir_edit_paste (site_of (e), fragment, any_point (e)));
}

/* Another level: into a Subsystem or out. */
static gboolean
go (Editor *e)
{
  const WeirBlockShape *shape = any_block (e);

  weir_selection_set_none (weir_tool_get_selection (e->tool));
  if (shape != NULL && weir_block_get_diagram (shape->block) != NULL && e->place->len < 4)
    {
      guint32 id = weir_block_get_id (shape->block);

      g_array_append_val (e->place, id);
    }
  else if (e->place->len > 0 && below (e, 3) > 0)
    g_array_set_size (e->place, e->place->len - 1);
  g_clear_pointer (&e->scene, weir_scene_unref);
  take (e);
  return FALSE;
}

static gboolean
undo_and_redo (Editor *e)
{
  guint n = below (e, 8), undone = 0;

  /* Not the step that made the example. */
  for (; n > 0 && undone < e->n_steps; n--, undone++)
    {
      g_assert_true (weir_document_can_undo (e->document));
      weir_document_undo (e->document);
      take (e);
    }
  if (below (e, 2) == 0)
    for (; undone > 0; undone--)
      {
        g_assert_true (weir_document_can_redo (e->document));
        weir_document_redo (e->document);
        take (e);
      }
  e->n_steps -= undone;
  return TRUE;
}

/* What is written reads back the same. */
static gboolean
save_and_read (Editor *e)
{
  WeirModel *model = weir_document_get_model (e->document);
  g_autoptr (GBytes) bytes = weir_model_write_bytes (model);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) again = weir_model_read_bytes (bytes, "random", diagnostics);
  g_autoptr (GBytes) bytes_again = NULL;

  g_assert_nonnull (again);
  g_assert_true (weir_model_equal (model, again));
  bytes_again = weir_model_write_bytes (again);
  g_assert_true (g_bytes_equal (bytes, bytes_again));
  return FALSE;
}

static gboolean
rename_block (Editor *e)
{
  const WeirBlockShape *shape = any_block (e);
  g_autofree char *name = NULL;

  if (shape == NULL)
    return FALSE;
  name = weir_diagram_dup_free_name (weir_site_get_diagram (site_of (e)), "named");
  return apply (e, weir_edit_rename (site_of (e), weir_block_get_id (shape->block), name));
}

static gboolean
label_wire (Editor *e)
{
  static const char *const labels[] = { "", "speed", "käse <1>" };
  guint n = weir_scene_get_n_wires (e->scene);

  return n > 0
         && apply (e, weir_edit_set_label (
                          site_of (e),
                          weir_wire_get_id (weir_scene_get_wire (e->scene, below (e, n))->wire),
                          labels[below (e, 3)]));
}

static gboolean
resize (Editor *e)
{
  WeirElements what = selected (e);
  guint32 id = what.n_blocks > 0 ? what.blocks[0] : what.n_notes > 0 ? what.notes[0] : 0;
  WeirPoint a = any_point (e), b = any_point (e);

  return id != 0 && apply (e, weir_edit_resize (site_of (e), id, weir_rect_from_corners (a, b)));
}

static gboolean
insert_into_wire (Editor *e)
{
  guint n = weir_scene_get_n_wires (e->scene);
  const WeirBlockShape *shape = any_block (e);
  guint32 wire;
  WeirWireEnd from, to;

  if (n == 0 || shape == NULL)
    return FALSE;
  wire = weir_wire_get_id (weir_scene_get_wire (e->scene, below (e, n))->wire);
  from = weir_wire_get_from (weir_scene_find_wire (e->scene, wire)->wire);
  to = weir_wire_get_to (weir_scene_find_wire (e->scene, wire)->wire);
  if (from.block == weir_block_get_id (shape->block)
      || to.block == weir_block_get_id (shape->block))
    return FALSE;
  return apply (e, weir_edit_insert_into_wire (site_of (e), e->scene, wire, shape->block));
}

/* The line that @shape comes to lie on when it is let go over the middle of @line; @placed:
 * (transfer full) the block there. 0: none. */
static guint32
place_on_line (Editor *e, const WeirBlockShape *shape, const WeirWireShape *line,
               WeirBlock **placed)
{
  WeirPoint middle = weir_scene_get_middle (line), center = weir_rect_get_center (shape->box);
  WeirPoint at = weir_block_get_position (shape->block), offset;
  g_autoptr (WeirBlock) over = weir_block_with_position (
      shape->block, (WeirPoint) { at.x + middle.x - center.x, at.y + middle.y - center.y });
  guint32 under = weir_edit_find_line_under (e->scene, over, &offset);

  at = weir_block_get_position (over);
  if (under != 0)
    *placed = weir_block_with_position (over, (WeirPoint) { at.x + offset.x, at.y + offset.y });
  return under;
}

/* A two-pole is let go on a line: the first that can, from some block on. */
static gboolean
insert_into_line (Editor *e)
{
  guint n = weir_scene_get_n_wires (e->scene), n_blocks = weir_scene_get_n_blocks (e->scene);
  const WeirWireShape *line = n > 0 ? weir_scene_get_wire (e->scene, below (e, n)) : NULL;
  guint first = n_blocks > 0 ? below (e, n_blocks) : 0;
  g_autoptr (WeirBlock) placed = NULL;

  if (line == NULL || line->node == 0)
    return FALSE;
  for (guint i = 0; i < n_blocks; i++)
    {
      guint32 under = place_on_line (e, weir_scene_get_block (e->scene, (first + i) % n_blocks),
                                     line, &placed);

      if (under != 0)
        return apply (e, weir_edit_insert_into_wire (site_of (e), e->scene, under, placed));
    }
  return FALSE;
}

/* Some Subsystem of this level. */
static gboolean
expand (Editor *e)
{
  guint n = weir_scene_get_n_blocks (e->scene), first = n > 0 ? below (e, n) : 0;

  for (guint i = 0; i < n; i++)
    {
      WeirBlock *block = weir_scene_get_block (e->scene, (first + i) % n)->block;

      if (weir_block_get_diagram (block) != NULL)
        return apply (e, weir_edit_expand (site_of (e), weir_block_get_id (block)));
    }
  return FALSE;
}

/* Up, or into a Subsystem of this level. */
static gboolean
move_to_level (Editor *e)
{
  g_autoptr (GArray) target = g_array_new (FALSE, FALSE, sizeof (guint32));
  const WeirBlockShape *shape = any_block (e);
  gboolean is_down = shape != NULL && weir_block_get_diagram (shape->block) != NULL;

  if (!is_down && e->place->len == 0)
    return FALSE;
  if (e->place->len > 0)
    g_array_append_vals (target, e->place->data, is_down ? e->place->len : e->place->len - 1);
  if (is_down)
    {
      guint32 id = weir_block_get_id (shape->block);

      g_array_append_val (target, id);
    }
  if (!apply (e, weir_edit_move_to_level (
                     site_of (e), selected (e),
                     (WeirPlace) { (const guint32 *) (gpointer) target->data, target->len })))
    return FALSE;
  weir_selection_set_none (weir_tool_get_selection (e->tool));
  return TRUE;
}

static gboolean
act (Editor *e, guint action)
{
  WeirSite site = site_of (e);
  WeirElements what = selected (e);
  gboolean crowded = weir_scene_get_n_blocks (e->scene) > MAX_BLOCKS;

  switch (action)
    {
    case 0:
    case 1:
    case 2:
      return !crowded && add_block (e);
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      return drag (e);
    case 9:
    case 10:
      return wire_by_keyboard (e);
    case 11:
    case 12:
      select_some (e);
      return FALSE;
    case 13:
      return (crowded || below (e, 3) == 0) && apply (e, weir_edit_delete (site, what));
    case 14:
      return !crowded && apply (e, weir_edit_duplicate (site, what, any_point (e)));
    case 15:
      return !crowded && copy_and_paste (e);
    case 16:
      return apply (e, weir_edit_group (site, what));
    case 17:
      return !crowded && expand (e);
    case 18:
      return apply (e, weir_edit_rotate (site, what.blocks, what.n_blocks, (int) below (e, 4)));
    case 19:
      return apply (e, weir_edit_flip (site, what.blocks, what.n_blocks, below (e, 2) == 0));
    case 20:
      return apply (e, weir_edit_align (site, what, (WeirAlignment) below (e, WEIR_N_ALIGNMENTS)));
    case 21:
      return apply (e, weir_edit_distribute (site, what, below (e, 2) == 0));
    case 22:
      return apply (e, weir_edit_tidy (site, what.blocks, below (e, 2) == 0 ? 0 : what.n_blocks));
    case 23:
      return apply (e, weir_edit_set_mode (site, what.blocks, what.n_blocks,
                                           (WeirBlockMode) below (e, WEIR_N_BLOCK_MODES)));
    case 24:
      return apply (e, weir_edit_set_tint (site, what, (WeirTint) below (e, WEIR_N_TINTS)));
    case 25:
      return apply (e,
                    weir_edit_set_note (site, what.n_notes > 0 ? what.notes[0] : 0, any_point (e),
                                        below (e, 3) == 0 ? "" : "a note\nof two lines"));
    case 26:
      {
        WeirPoint a = any_point (e), b = any_point (e);

        return apply (e, weir_edit_add_frame (site, weir_rect_from_corners (a, b), "frame"));
      }
    case 27:
      return resize (e);
    case 28:
      return rename_block (e);
    case 29:
      return label_wire (e);
    case 30:
      return insert_into_wire (e);
    case 36:
      return insert_into_line (e);
    case 37:
      return !crowded && move_to_level (e);
    case 31:
    case 32:
      return go (e);
    case 33:
    case 34:
      return undo_and_redo (e);
    default:
      return below (e, 8) == 0 && save_and_read (e);
    }
}

/* A scene that took over what it could from the one before is the one made from nothing. */
static void
check_scene (Editor *e)
{
  g_autoptr (WeirScene) fresh = weir_scene_new (weir_site_get_diagram (site_of (e)), NULL);
  guint n = weir_scene_get_n_wires (fresh), n_fresh, n_kept;
  const WeirPoint *a, *b;

  g_assert_cmpuint (weir_scene_get_n_wires (e->scene), ==, n);
  g_assert_cmpuint (weir_scene_get_n_blocks (e->scene), ==, weir_scene_get_n_blocks (fresh));
  for (guint i = 0; i < weir_scene_get_n_blocks (fresh); i++)
    g_assert_true (weir_scene_get_block (e->scene, i)->block
                   == weir_scene_get_block (fresh, i)->block);
  for (guint i = 0; i < n; i++)
    {
      const WeirWireShape *kept = weir_scene_get_wire (e->scene, i),
                          *made = weir_scene_get_wire (fresh, i);

      g_assert_true (kept->wire == made->wire);
      g_assert_cmpuint (kept->node, ==, made->node);
      g_assert_true (kept->domain == made->domain);
      g_assert_cmpint (kept->is_joined, ==, made->is_joined);
      g_assert_cmpmem (kept->points, kept->n_points * sizeof (WeirPoint), made->points,
                       made->n_points * sizeof (WeirPoint));
    }
  a = weir_scene_get_junctions (e->scene, &n_kept, NULL);
  b = weir_scene_get_junctions (fresh, &n_fresh, NULL);
  g_assert_cmpmem (a, n_kept * sizeof *a, b, n_fresh * sizeof *b);
}

#define N_KINDS 38

/* Grouped, expanded, moved, turned, aligned, laid out, coloured, annotated, named. */
static gboolean
joins_nothing (guint action)
{
  return (action >= 16 && action <= 22) || (action >= 24 && action <= 29) || action == 37;
}

/* What lines join is as it was. */
static void
act_and_check (Editor *e, guint action)
{
  gboolean stays = joins_nothing (action);
  WeirModel *model = weir_document_get_model (e->document);
  g_autofree char *before = stays ? dup_sets (model, NULL) : NULL;
  g_autofree char *after = NULL;

  e->n_done[action] += act (e, action) != FALSE;
  check (e);
  after = stays && weir_document_get_model (e->document) != model
              ? dup_sets (weir_document_get_model (e->document), NULL)
              : NULL;
  if (after != NULL)
    g_assert_cmpstr (after, ==, before);
}

static void
test_random (void)
{
  Editor e = { g_rand_new_with_seed (get_test_seed (77)),
               example_document (),
               weir_tool_new (),
               g_array_new (FALSE, FALSE, sizeof (guint32)),
               NULL,
               NULL,
               0,
               { 0 } };
  g_autoptr (WeirModel) start = weir_model_ref (weir_document_get_model (e.document));
  g_autoptr (WeirModel) end = NULL;
  guint n_steps, n_different = 0;

  take (&e);
  for (guint i = 0; i < N_ACTIONS; i++)
    {
      guint action = below (&e, N_KINDS);

      act_and_check (&e, action);
      if (i % 16 == 0)
        check_scene (&e);
    }
  save_and_read (&e);
  /* Every kind of edit was made, or this test says less than it seems to. */
  for (guint action = 0; action < N_KINDS; action++)
    if (action != 11 && action != 12 && action != 31 && action != 32 && action != 35)
      n_different += e.n_done[action] > 0;
  g_assert_cmpuint (n_different, ==, N_KINDS - 5);
  g_assert_cmpuint (e.n_steps, >, N_ACTIONS / 10);

  end = weir_model_ref (weir_document_get_model (e.document));
  for (n_steps = 0; n_steps < e.n_steps; n_steps++)
    {
      g_assert_true (weir_document_can_undo (e.document));
      weir_document_undo (e.document);
    }
  g_assert_true (weir_model_equal (weir_document_get_model (e.document), start));
  for (; n_steps > 0; n_steps--)
    weir_document_redo (e.document);
  g_assert_true (weir_model_equal (weir_document_get_model (e.document), end));

  weir_tool_free (e.tool);
  g_clear_pointer (&e.scene, weir_scene_unref);
  g_clear_pointer (&e.clipboard, g_bytes_unref);
  g_array_unref (e.place);
  g_rand_free (e.rand);
  g_assert_finalize_object (e.document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/canvas/random", test_random);
  return g_test_run ();
}
