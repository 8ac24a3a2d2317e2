/* Models: a root diagram, title and settings, and an index of where every id is in use.
 *
 * `homes` maps an id to the Subsystem block that holds it. It follows additions and removals only:
 * moving a block touches nothing but the path to it.
 */
#include "model/tree/derived.h"
#include "model/tree/model-private.h"

#include <stdlib.h>
#include <string.h>

#include "base/phrase.h"
#include "base/sync.h"
#include "base/text.h"

static const WeirPMapValues no_values = { NULL, NULL };

/* @uses: of WeirSortItem, each with its WeirHome. @greatest_end: (inout) of the blocks that wires
 * name, whether or not they exist: a new block must not find itself at the end of an old dangling
 * wire. */
static void
collect_uses (const WeirDiagram *diagram, guint32 parent, GArray *uses, guint32 *greatest_end)
{
  guint32 last_end = (guint32) (weir_pmap_get_last_key (&diagram->ends) >> 32);
  WeirPMapIter iter;
  guint64 id;
  gpointer value;

  *greatest_end = MAX (*greatest_end, last_end);
  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, &id, &value))
    {
      WeirBlock *block = value;
      WeirSortItem use = { block->id, WEIR_HOME (parent, WEIR_ELEMENT_BLOCK) };

      g_array_append_val (uses, use);
      if (block->diagram != NULL)
        collect_uses (block->diagram, block->id, uses, greatest_end);
    }
  weir_pmap_iter_init (&iter, &diagram->wires);
  while (weir_pmap_iter_next (&iter, &id, NULL))
    {
      WeirSortItem use = { id, WEIR_HOME (parent, WEIR_ELEMENT_WIRE) };

      g_array_append_val (uses, use);
    }
  weir_pmap_iter_init (&iter, &diagram->notes);
  while (weir_pmap_iter_next (&iter, &id, NULL))
    {
      WeirSortItem use = { id, WEIR_HOME (parent, WEIR_ELEMENT_NOTE) };

      g_array_append_val (uses, use);
    }
}

WeirHead
weir_head_copy (const WeirHead *self)
{
  return (WeirHead) {
    .title = self->title != NULL ? g_ref_string_acquire (self->title) : NULL,
    .metadata = weir_metadata_ref (self->metadata),
    .settings = weir_texts_ref (self->settings),
    .variables = weir_texts_ref (self->variables),
    .assertions = weir_texts_ref (self->assertions),
    .plots = weir_texts_ref (self->plots),
    .folder = self->folder != NULL ? g_ref_string_acquire (self->folder) : NULL,
    .is_foreign = self->is_foreign,
  };
}

void
weir_head_clear (WeirHead *self)
{
  g_clear_pointer (&self->title, g_ref_string_release);
  g_clear_pointer (&self->metadata, weir_metadata_unref);
  g_clear_pointer (&self->settings, weir_texts_unref);
  g_clear_pointer (&self->variables, weir_texts_unref);
  g_clear_pointer (&self->assertions, weir_texts_unref);
  g_clear_pointer (&self->plots, weir_texts_unref);
  g_clear_pointer (&self->folder, g_ref_string_release);
}

WeirModel *
weir_model_new_for_root (WeirDiagram *root, const WeirHead *head)
{
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (WeirSortItem));
  g_autofree WeirSortItem *spare = NULL;
  WeirModel *self = g_new0 (WeirModel, 1);
  guint32 greatest_end = 0, greatest_id = 0;
  WeirSortItem *items;

  collect_uses (root, 0, uses, &greatest_end);
  items = (WeirSortItem *) (gpointer) uses->data;
  spare = g_new (WeirSortItem, uses->len);
  weir_sort_items (items, spare, uses->len);
  if (uses->len > 0)
    greatest_id = (guint32) items[uses->len - 1].key;

  g_atomic_ref_count_init (&self->ref_count);
  self->head = weir_head_copy (head);
  self->root = weir_diagram_ref (root);
  weir_pmap_init_sorted (&self->homes, &no_values, items, uses->len);
  self->next_id = 1 + MAX (greatest_id, greatest_end);
  return self;
}

WeirModel *
weir_model_new (void)
{
  g_autoptr (WeirDiagram) root = weir_diagram_new ();

  return weir_model_new_for_root (root, &(WeirHead) { NULL });
}

gboolean
weir_model_is_foreign (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->head.is_foreign;
}

WeirModel *
weir_model_ref (WeirModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_model_unref (WeirModel *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  weir_model_drop_derived (self);
  weir_head_clear (&self->head);
  weir_diagram_unref (self->root);
  weir_pmap_clear (&self->homes);
  g_free (self);
}

WeirDiagram *
weir_model_get_root (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->root;
}

guint32
weir_model_get_next_id (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->next_id;
}

const char *
weir_model_get_setting (const WeirModel *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return weir_texts_find (self->head.settings, name);
}

const char *
weir_model_get_title (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->head.title != NULL ? self->head.title : "";
}

WeirMetadata *
weir_model_get_metadata (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->head.metadata;
}

const char *
weir_model_get_variable (const WeirModel *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return weir_texts_find (self->head.variables, name);
}

guint
weir_model_get_n_variables (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return weir_texts_get_size (self->head.variables);
}

void
weir_model_get_variable_at (const WeirModel *self, guint i, const char **name, const char **text)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (i < weir_texts_get_size (self->head.variables));

  if (name != NULL)
    *name = weir_texts_get_name (self->head.variables, i);
  if (text != NULL)
    *text = weir_texts_get_text (self->head.variables, i);
}

guint
weir_model_get_n_assertions (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return weir_texts_get_size (self->head.assertions);
}

void
weir_model_get_assertion_at (const WeirModel *self, guint i, const char **sentence,
                             const char **reason)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (i < weir_texts_get_size (self->head.assertions));

  if (sentence != NULL)
    *sentence = weir_texts_get_name (self->head.assertions, i);
  if (reason != NULL)
    *reason = weir_texts_get_text (self->head.assertions, i);
}

const char *
weir_model_get_plot (const WeirModel *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return weir_texts_find (self->head.plots, name);
}

guint
weir_model_get_n_plots (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return weir_texts_get_size (self->head.plots);
}

const char *
weir_model_get_plot_at (const WeirModel *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < weir_texts_get_size (self->head.plots), NULL);

  return weir_texts_get_text (self->head.plots, i);
}

/* --- Places ---------------------------------------------------------------------------------- */

WeirDiagram *
weir_model_get_diagram (const WeirModel *self, WeirPlace place)
{
  WeirDiagram *diagram;

  g_return_val_if_fail (self != NULL, NULL);

  diagram = self->root;
  for (guint i = 0; i < place.n_ids && diagram != NULL; i++)
    {
      const WeirBlock *block = weir_diagram_find_block (diagram, place.ids[i]);

      diagram = block != NULL ? block->diagram : NULL;
    }
  return diagram;
}

/* Fills @ids with the blocks from the root down to @parent; FALSE if @parent is not in the tree.
 * A draft in which blocks hold each other in a ring is no tree: the depth is bounded. */
static gboolean
find_ancestors (const WeirPMap *homes, guint32 parent, guint32 ids[WEIR_MAX_DEPTH], guint *n_ids)
{
  guint n = 0;

  for (guint32 id = parent; id != 0;)
    {
      gpointer home = weir_pmap_lookup (homes, id);

      if (n == WEIR_MAX_DEPTH || home == NULL || WEIR_HOME_KIND (home) != WEIR_ELEMENT_BLOCK)
        return FALSE;
      ids[n++] = id;
      id = WEIR_HOME_PARENT (home);
    }
  for (guint i = 0; i < n / 2; i++)
    {
      guint32 swap = ids[i];

      ids[i] = ids[n - 1 - i];
      ids[n - 1 - i] = swap;
    }
  *n_ids = n;
  return TRUE;
}

WeirDiagram *
weir_homes_find_diagram (const WeirPMap *homes, WeirDiagram *root, guint32 parent)
{
  guint32 ids[WEIR_MAX_DEPTH];
  WeirDiagram *diagram = root;
  guint n_ids;

  if (!find_ancestors (homes, parent, ids, &n_ids))
    return NULL;
  for (guint i = 0; i < n_ids && diagram != NULL; i++)
    {
      const WeirBlock *block = weir_diagram_find_block (diagram, ids[i]);

      diagram = block != NULL ? block->diagram : NULL;
    }
  return diagram;
}

/* The diagram that an element of @kind is in, and the place of that. */
static WeirDiagram *
find_home (const WeirModel *self, WeirElementKind kind, guint32 id, GArray *place_ids)
{
  guint32 ids[WEIR_MAX_DEPTH];
  guint n_ids;
  gpointer home = weir_pmap_lookup (&self->homes, id);

  if (home == NULL || WEIR_HOME_KIND (home) != kind
      || !find_ancestors (&self->homes, WEIR_HOME_PARENT (home), ids, &n_ids))
    return NULL;
  if (place_ids != NULL)
    {
      g_array_set_size (place_ids, 0);
      g_array_append_vals (place_ids, ids, n_ids);
    }
  return weir_model_get_diagram (self, (WeirPlace) { ids, n_ids });
}

WeirBlock *
weir_model_find_block (const WeirModel *self, guint32 id, GArray *place_ids)
{
  WeirDiagram *diagram;

  g_return_val_if_fail (self != NULL, NULL);

  diagram = find_home (self, WEIR_ELEMENT_BLOCK, id, place_ids);
  return diagram != NULL ? weir_diagram_find_block (diagram, id) : NULL;
}

WeirWire *
weir_model_find_wire (const WeirModel *self, guint32 id, GArray *place_ids)
{
  WeirDiagram *diagram;

  g_return_val_if_fail (self != NULL, NULL);

  diagram = find_home (self, WEIR_ELEMENT_WIRE, id, place_ids);
  return diagram != NULL ? weir_diagram_find_wire (diagram, id) : NULL;
}

WeirNote *
weir_model_find_note (const WeirModel *self, guint32 id, GArray *place_ids)
{
  WeirDiagram *diagram;

  g_return_val_if_fail (self != NULL, NULL);

  diagram = find_home (self, WEIR_ELEMENT_NOTE, id, place_ids);
  return diagram != NULL ? weir_diagram_find_note (diagram, id) : NULL;
}

char *
weir_model_dup_block_path (const WeirModel *self, guint32 id)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  const WeirBlock *block;
  WeirDiagram *diagram;
  GString *path;

  g_return_val_if_fail (self != NULL, NULL);

  block = weir_model_find_block (self, id, place);
  if (block == NULL)
    return NULL;
  path = g_string_new (NULL);
  diagram = self->root;
  for (guint i = 0; i < place->len; i++)
    {
      const WeirBlock *parent = weir_diagram_find_block (diagram,
                                                         g_array_index (place, guint32, i));

      g_string_append_printf (path, "%s.", parent->name);
      diagram = parent->diagram;
    }
  g_string_append (path, block->name);
  return g_string_free (path, FALSE);
}

WeirBlock *
weir_model_find_path (const WeirModel *self, const char *path)
{
  g_auto (GStrv) names = NULL;
  WeirDiagram *diagram;
  WeirBlock *block = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  names = g_strsplit (path, ".", -1);
  diagram = self->root;
  for (guint i = 0; names[i] != NULL; i++)
    {
      block = diagram != NULL ? weir_diagram_find_block_by_name (diagram, names[i]) : NULL;
      if (block == NULL)
        return NULL;
      diagram = block->diagram;
    }
  return block;
}

typedef struct {
  guint32 block;
  const char *port;
  GHashTable *wires;
} WireSearch;

static gboolean
note_wire (WeirWire *wire, gpointer data)
{
  const WireSearch *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block == search->block && g_strcmp0 (to.port, search->port) == 0)
    g_hash_table_add (search->wires, GUINT_TO_POINTER (weir_wire_get_id (wire)));
  return TRUE;
}

void
weir_model_note_wires_to (const WeirModel *self, const char *path, const char *port,
                          GHashTable *wires)
{
  WireSearch search = { .port = port, .wires = wires };
  const char *dot;
  WeirDiagram *diagram;

  g_return_if_fail (self != NULL);
  g_return_if_fail (path != NULL);

  dot = strrchr (path, '.');
  diagram = self->root;
  if (dot != NULL)
    {
      g_autofree char *around = g_strndup (path, (gsize) (dot - path));
      const WeirBlock *outer = weir_model_find_path (self, around);

      diagram = outer != NULL ? outer->diagram : NULL;
    }
  if (diagram != NULL)
    {
      const WeirBlock *block = weir_diagram_find_block_by_name (diagram,
                                                                dot != NULL ? dot + 1 : path);

      if (block == NULL)
        return;
      search.block = weir_block_get_id (block);
      weir_diagram_foreach_wire_at (diagram, search.block, note_wire, &search);
    }
}

static gboolean
find_unit (WeirBlock *block, gpointer data)
{
  gboolean *found = data;

  *found = *found || weir_block_is_unit (block);
  if (!*found && block->diagram != NULL)
    weir_diagram_foreach_block (block->diagram, find_unit, data);
  return !*found;
}

gboolean
weir_model_has_units (const WeirModel *self)
{
  gboolean found = FALSE;

  g_return_val_if_fail (self != NULL, FALSE);

  weir_diagram_foreach_block (self->root, find_unit, &found);
  return found;
}

/* --- Checks ---------------------------------------------------------------------------------- */

const char *
weir_text_get_problem (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return weir_phrase (N_ ("is not UTF-8 text"));
  if (strlen (text) > WEIR_MAX_TEXT)
    return weir_phrase (N_ ("is longer than 8 megabytes"));
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe || c == 0xffff)
        return weir_phrase (N_ ("contains a control character"));
    }
  return NULL;
}

const char *
weir_name_get_problem (const char *name)
{
  const char *plain = name;

  if (name[0] == '\0')
    return weir_phrase (N_ ("is empty"));
  while (g_ascii_isgraph (*plain) && *plain != '.')
    plain++;
  if (*plain == '\0') /* as most are */
    return NULL;
  if (weir_text_get_problem (name) != NULL)
    return weir_text_get_problem (name);
  if (strchr (name, '.') != NULL)
    return weir_phrase (N_ ("contains a '.', which separates the names of a path"));
  for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)))
      return weir_phrase (N_ ("contains a line break or tab"));
  if (g_unichar_isspace (g_utf8_get_char (name))
      || g_unichar_isspace (g_utf8_get_char (g_utf8_find_prev_char (name, name + strlen (name)))))
    return weir_phrase (N_ ("begins or ends with a space"));
  return NULL;
}
