/* WeirOutlineItem. See outline-item.h. */
#include "panels/outline-item.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/tree/unit-settings.h"
#include "paint/scene/describe.h"

struct _WeirOutlineItem {
  GObject parent;
  WeirOutlineRow row;   /* its port is interned */
  WeirDiagram *diagram; /* the level */
  WeirBlock *block;     /* or NULL */
  GListStore *children; /* NULL until asked for */
};

G_DEFINE_FINAL_TYPE (WeirOutlineItem, weir_outline_item, G_TYPE_OBJECT)

static void
dispose (GObject *object)
{
  WeirOutlineItem *self = WEIR_OUTLINE_ITEM (object);

  g_clear_pointer (&self->diagram, weir_diagram_unref);
  g_clear_pointer (&self->block, weir_block_unref);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (weir_outline_item_parent_class)->dispose (object);
}

static void
weir_outline_item_class_init (WeirOutlineItemClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_outline_item_init (G_GNUC_UNUSED WeirOutlineItem *self)
{
}

const WeirOutlineRow *
weir_outline_item_get_row (WeirOutlineItem *self)
{
  return &self->row;
}

WeirBlock *
weir_outline_item_get_block (WeirOutlineItem *self)
{
  return self->block;
}

/* --- Words ----------------------------------------------------------------------------------- */

static gboolean
is_at (WeirWireEnd end, guint32 block, const char *port)
{
  return end.block == block && g_strcmp0 (end.port, port) == 0;
}

static gboolean
is_line (WeirOutlineItem *self)
{
  return weir_wire_is_line (weir_diagram_find_wire (self->diagram, self->row.wire));
}

/* The other end of the wire at a port: "Sine1.y". (transfer full) */
static char *
dup_other_end (WeirOutlineItem *self)
{
  WeirWire *wire = weir_diagram_find_wire (self->diagram, self->row.wire);
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  gboolean begins_here = weir_wire_is_line (wire) ? is_at (from, self->row.id, self->row.port)
                                                  : self->row.is_output;
  WeirWireEnd end = begins_here ? to : from;
  WeirBlock *other = weir_diagram_find_block (self->diagram, end.block);

  if (end.line != 0)
    return g_strdup (_ ("a line"));
  return other == NULL ? g_strdup (_ ("a loose end"))
                       : g_strdup_printf ("%s.%s", weir_block_get_name (other), end.port);
}

char *
weir_outline_item_dup_title (WeirOutlineItem *self)
{
  const char *text;
  g_autofree char *other = NULL;

  switch (self->row.kind)
    {
    case WEIR_OUTLINE_PORT:
      if (self->row.wire == 0)
        return g_strdup (self->row.port);
      other = dup_other_end (self);
      return g_strdup_printf (is_line (self)        ? "%s — %s"
                              : self->row.is_output ? "%s → %s"
                                                    : "%s ← %s",
                              self->row.port, other);
    case WEIR_OUTLINE_NOTE:
      text = weir_note_get_text (weir_diagram_find_note (self->diagram, self->row.id));
      return g_strndup (text, strcspn (text, "\n"));
    case WEIR_OUTLINE_BLOCK:
    default:
      return g_strdup (weir_block_get_name (self->block));
    }
}

char *
weir_outline_item_dup_description (WeirOutlineItem *self)
{
  g_autofree char *text = NULL, *other = NULL;

  switch (self->row.kind)
    {
    case WEIR_OUTLINE_PORT:
      if (self->row.wire == 0)
        return weir_diagram_describe_port (self->diagram, self->row.id, self->row.port,
                                           self->row.is_output);
      other = dup_other_end (self);
      return g_strdup_printf (is_line (self)        ? _ ("pin %s to %s")
                              : self->row.is_output ? _ ("output %s to %s")
                                                    : _ ("input %s from %s"),
                              self->row.port, other);
    case WEIR_OUTLINE_NOTE:
      /* Translators: the text of a note on the diagram. */
      return g_strdup_printf (_ ("note: %s"), weir_note_get_text (weir_diagram_find_note (
                                                  self->diagram, self->row.id)));
    case WEIR_OUTLINE_BLOCK:
    default:
      text = weir_diagram_describe_block (self->diagram, self->block);
      if (weir_block_get_mode (self->block) == WEIR_BLOCK_COMMENTED_OUT)
        return g_strdup_printf (_ ("%s, commented out"), text);
      if (weir_block_get_mode (self->block) == WEIR_BLOCK_PASSED_THROUGH)
        return g_strdup_printf (_ ("%s, passed through"), text);
      if (weir_block_get_unit_activity (self->block) == WEIR_UNIT_OFF)
        return g_strdup_printf (_ ("%s, switched off"), text);
      if (weir_block_get_unit_activity (self->block) == WEIR_UNIT_IGNORED)
        return g_strdup_printf (_ ("%s, ignored by the others"), text);
      return g_steal_pointer (&text);
    }
}

/* --- Following the model --------------------------------------------------------------------- */

/* A row that should be there. Borrowed. */
typedef struct {
  WeirOutlineRow row;
  WeirBlock *block;
} Wanted;

typedef struct {
  GArray *wanted; /* Wanted */
  WeirBlock *block;
  const char *port;
  gboolean is_output;
} Listing;

static gboolean
want_wire (WeirWire *wire, gpointer data)
{
  Listing *listing = data;
  gboolean any = weir_wire_is_line (wire); /* either end may be at a pin */
  guint32 id = weir_block_get_id (listing->block);
  Wanted wanted = { { WEIR_OUTLINE_PORT, id, weir_wire_get_id (wire), listing->port,
                      listing->is_output },
                    listing->block };

  if (((any || listing->is_output) && is_at (weir_wire_get_from (wire), id, listing->port))
      || ((any || !listing->is_output) && is_at (weir_wire_get_to (wire), id, listing->port)))
    g_array_append_val (listing->wanted, wanted);
  return TRUE;
}

static void
want_port (GArray *all, const WeirDiagram *diagram, WeirBlock *block, const char *port,
           gboolean is_output)
{
  guint32 id = weir_block_get_id (block);
  Listing listing = { all, block, g_intern_string (port), is_output };
  Wanted unwired = { { WEIR_OUTLINE_PORT, id, 0, listing.port, is_output }, block };
  guint before = all->len;

  weir_diagram_foreach_wire_at (diagram, id, want_wire, &listing);
  if (all->len == before)
    g_array_append_val (all, unwired);
}

static gboolean
want_block (WeirBlock *block, gpointer all)
{
  Wanted wanted = { { .kind = WEIR_OUTLINE_BLOCK, .id = weir_block_get_id (block) }, block };

  g_array_append_val ((GArray *) all, wanted);
  return TRUE;
}

static gboolean
want_note (WeirNote *note, gpointer all)
{
  Wanted wanted = { { .kind = WEIR_OUTLINE_NOTE, .id = weir_note_get_id (note) }, NULL };

  g_array_append_val ((GArray *) all, wanted);
  return TRUE;
}

static void
want_level (GArray *all, const WeirDiagram *diagram)
{
  weir_diagram_foreach_block (diagram, want_block, all);
  weir_diagram_foreach_note (diagram, want_note, all);
}

static void
want_contents (GArray *all, const WeirDiagram *diagram, WeirBlock *block)
{
  g_auto (GStrv) inputs = weir_block_dup_inputs (block), outputs = weir_block_dup_outputs (block);
  g_autoptr (GArray) pins = weir_block_list_pins (block);

  for (guint i = 0; inputs[i] != NULL; i++)
    want_port (all, diagram, block, inputs[i], FALSE);
  for (guint i = 0; outputs[i] != NULL; i++)
    want_port (all, diagram, block, outputs[i], TRUE);
  for (guint i = 0; i < pins->len; i++)
    want_port (all, diagram, block, g_array_index (pins, WeirPinSpec, i).name, FALSE);
  if (weir_block_get_diagram (block) != NULL)
    want_level (all, weir_block_get_diagram (block));
}

static gboolean
is_row_for (GListStore *store, guint position, const Wanted *wanted)
{
  g_autoptr (WeirOutlineItem) item = g_list_model_get_item (G_LIST_MODEL (store), position);
  const WeirOutlineRow *a = &item->row, *b = &wanted->row;

  return a->kind == b->kind && a->id == b->id && a->wire == b->wire && a->port == b->port
         && a->is_output == b->is_output;
}

static void update_contents (WeirOutlineItem *self);

/* @diagram: the one that the row's element is in. */
static void
update_item (WeirOutlineItem *self, WeirDiagram *diagram, WeirBlock *block)
{
  if (self->diagram == diagram)
    return; /* nothing in it has changed */
  if (self->diagram != NULL)
    weir_diagram_unref (self->diagram);
  self->diagram = weir_diagram_ref (diagram);
  g_clear_pointer (&self->block, weir_block_unref);
  self->block = block != NULL ? weir_block_ref (block) : NULL;
  if (self->children != NULL)
    update_contents (self);
}

static WeirDiagram *
level_of (const Wanted *wanted, WeirDiagram *outer, WeirBlock *parent)
{
  return parent == NULL || wanted->row.kind == WEIR_OUTLINE_PORT ? outer
                                                                 : weir_block_get_diagram (parent);
}

/* Only what lies between the first and the last difference is replaced. @parent: whose contents it
 * is, or NULL for @diagram itself. */
static void
update_store (GListStore *store, GArray *wanted, WeirDiagram *diagram, WeirBlock *parent)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  const Wanted *rows = (const Wanted *) (gpointer) wanted->data;
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (store)), n_new = wanted->len, first = 0,
        tail = 0;

  while (first < n_old && first < n_new && is_row_for (store, first, &rows[first]))
    first++;
  while (tail < n_old - first && tail < n_new - first
         && is_row_for (store, n_old - 1 - tail, &rows[n_new - 1 - tail]))
    tail++;
  for (guint i = first; i < n_new - tail; i++)
    {
      WeirOutlineItem *item = g_object_new (WEIR_TYPE_OUTLINE_ITEM, NULL);

      item->row = rows[i].row;
      update_item (item, level_of (&rows[i], diagram, parent), rows[i].block);
      g_ptr_array_add (added, item);
    }
  for (guint i = 0; i < n_new; i++)
    if (i < first || i >= n_new - tail)
      {
        guint at = i < first ? i : i + n_old - n_new;
        g_autoptr (WeirOutlineItem) item = g_list_model_get_item (G_LIST_MODEL (store), at);

        update_item (item, level_of (&rows[i], diagram, parent), rows[i].block);
      }
  if (added->len > 0 || n_old - first - tail > 0)
    g_list_store_splice (store, first, n_old - first - tail, added->pdata, added->len);
}

static void
update_contents (WeirOutlineItem *self)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));

  want_contents (wanted, self->diagram, self->block);
  update_store (self->children, wanted, self->diagram, self->block);
}

gboolean
weir_outline_item_follow (WeirOutlineItem *self, WeirModel *model)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = self->block != NULL ? weir_model_find_block (model, self->row.id, ids) : NULL;

  if (block == NULL || block == self->block)
    return FALSE;
  weir_block_unref (self->block);
  self->block = weir_block_ref (block);
  return TRUE;
}

GListStore *
weir_outline_item_get_children (WeirOutlineItem *self)
{
  if (self->row.kind != WEIR_OUTLINE_BLOCK)
    return NULL;
  if (self->children == NULL)
    {
      self->children = g_list_store_new (WEIR_TYPE_OUTLINE_ITEM);
      update_contents (self);
    }
  return self->children;
}

void
weir_outline_update_level (GListStore *store, WeirDiagram *diagram)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));

  want_level (wanted, diagram);
  update_store (store, wanted, diagram, NULL);
}
