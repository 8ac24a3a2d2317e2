/* WeirCacheModel. See cache-model.h.
 *
 * Blocks keep their ids through all edits, so the tables from ids to nodes and back are made from
 * whichever model the structure came from and hold for the document too.
 */
#include "cache/cache-model.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/completion/completion.h"
#include "paint/scene/describe.h"
#include "system/change/explain.h"
#include "system/layout/sources.h"

struct _WeirCacheModel {
  GObject parent;
  WeirDocument *document;
  gulong document_handler, completed_handler, session_handler;
  WeirSession *session;
  WeirModel *started; /* what the session runs */

  /* The structure; all NULL while it is unknown. */
  gboolean is_known;
  gboolean has_figures; /* it is the session's */
  gboolean is_awaited;  /* it is taken anew when an edited document is completed */
  WeirSystem *system;   /* of the document; NULL while the session's is another one */
  WeirLayout *layout;
  WeirModel *model; /* that it was made from */
  WeirExplainer *explainer;
  GHashTable *nodes; /* id of a block -> node + 1 */
  guint32 *blocks;   /* by node: id of the block, 0 = the root */

  const WeirSnapshot *logged; /* borrowed; NULL: the run's figures are shown */
  char *caption;              /* of it */

  WeirFlags flags; /* borrows from a snapshot, or from the following */
  guint64 *computed, *all, *none, *no_events;
};

G_DEFINE_FINAL_TYPE (WeirCacheModel, weir_cache_model, G_TYPE_OBJECT)

enum { SIGNAL_STRUCTURE_CHANGED, SIGNAL_FIGURES_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- The structure --------------------------------------------------------------------------- */

static void
clear_structure (WeirCacheModel *self)
{
  self->is_known = self->has_figures = FALSE;
  self->logged = NULL;
  g_clear_pointer (&self->caption, g_free);
  g_clear_pointer (&self->explainer, weir_explainer_free);
  g_clear_pointer (&self->system, weir_system_unref);
  g_clear_pointer (&self->layout, weir_layout_unref);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->nodes, g_hash_table_unref);
  g_clear_pointer (&self->blocks, g_free);
  g_clear_pointer (&self->computed, g_free);
  g_clear_pointer (&self->all, g_free);
  g_clear_pointer (&self->none, g_free);
  g_clear_pointer (&self->no_events, g_free);
}

typedef struct {
  WeirCacheModel *self;
  GHashTable *nodes; /* path -> node + 1 */
  GString *path;
} Naming;

/* Notes the nodes of a block and of all within it. */
static gboolean
note_block (WeirBlock *block, gpointer data)
{
  Naming *naming = data;
  WeirDiagram *inner = weir_block_get_diagram (block);
  gsize length = naming->path->len;
  WeirNode node = { 0 };

  if (length > 0)
    g_string_append_c (naming->path, '.');
  g_string_append (naming->path, weir_block_get_name (block));
  node.i = GPOINTER_TO_UINT (g_hash_table_lookup (naming->nodes, naming->path->str));
  if (node.i-- > 0)
    {
      g_hash_table_insert (naming->self->nodes, GUINT_TO_POINTER (weir_block_get_id (block)),
                           GUINT_TO_POINTER (node.i + 1));
      naming->self->blocks[node.i] = weir_block_get_id (block);
    }
  if (inner != NULL)
    weir_diagram_foreach_block (inner, note_block, naming);
  g_string_truncate (naming->path, length);
  return TRUE;
}

static void
note_blocks (WeirCacheModel *self)
{
  guint n = weir_layout_get_n_nodes (self->layout);
  g_autoptr (GHashTable) nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Naming naming = { self, nodes, g_string_new (NULL) };

  self->nodes = g_hash_table_new (NULL, NULL);
  self->blocks = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    {
      self->blocks[i] = WEIR_NO_INDEX;
      g_hash_table_insert (nodes, weir_layout_dup_path (self->layout, (WeirNode) { i }),
                           GUINT_TO_POINTER (i + 1));
    }
  self->blocks[0] = 0;
  weir_diagram_foreach_block (weir_model_get_root (self->model), note_block, &naming);
  g_string_free (naming.path, TRUE);
}

static gboolean
is_session_active (WeirCacheModel *self)
{
  WeirSessionState state;

  if (self->session == NULL)
    return FALSE;
  state = weir_session_get_state (self->session);
  return state == WEIR_SESSION_RUNNING || state == WEIR_SESSION_PAUSED;
}

static gboolean
is_session_current (WeirCacheModel *self)
{
  const WeirAspects other = WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES;

  WeirModel *model = weir_document_get_model (self->document);

  return self->session != NULL
         && (weir_aspects_resolve (weir_model_compare (self->started, model), self->started, model)
             & other)
                == 0;
}

/* Finds out about the structure, without looking whether it is known already. */
static void
take_structure (WeirCacheModel *self)
{
  gboolean is_current = is_session_current (self);

  clear_structure (self);
  self->is_known = TRUE;
  self->has_figures = is_current || is_session_active (self);
  if (self->has_figures)
    {
      self->layout = weir_layout_ref (weir_session_get_layout (self->session));
      self->model = weir_model_ref (self->started);
    }
  else
    {
      if (!weir_document_peek_completion (self->document, &self->system, NULL))
        {
          self->is_known = FALSE;
          self->is_awaited = TRUE;
          weir_document_request_completion (self->document);
        }
      if (self->system == NULL)
        return;
      self->layout = weir_layout_ref (weir_system_get_layout (self->system));
      self->model = weir_model_ref (weir_document_get_model (self->document));
    }
  note_blocks (self);
}

gboolean
weir_cache_model_ensure (WeirCacheModel *self)
{
  g_return_val_if_fail (WEIR_IS_CACHE_MODEL (self), FALSE);

  if (!self->is_known && !self->is_awaited)
    take_structure (self);
  return self->layout != NULL;
}

/* A run that has ended stands for the document only until that changes. */
static void
forget_structure (WeirCacheModel *self)
{
  if (!self->is_known || (self->has_figures && is_session_active (self)))
    return;
  clear_structure (self);
  self->is_awaited = !weir_document_peek_completion (self->document, NULL, NULL);
  g_signal_emit (self, signals[SIGNAL_STRUCTURE_CHANGED], 0);
  if (self->is_awaited)
    weir_document_request_completion (self->document);
}

static void
document_changed (WeirCacheModel *self, guint aspects)
{
  if (aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_NAMES | WEIR_ASPECT_VALUES))
    forget_structure (self);
}

static void
document_completed (WeirCacheModel *self)
{
  if (!self->is_awaited)
    return;
  self->is_awaited = FALSE;
  g_signal_emit (self, signals[SIGNAL_STRUCTURE_CHANGED], 0);
}

static void
session_changed (WeirCacheModel *self)
{
  if (self->is_known && self->has_figures && !is_session_active (self)
      && !is_session_current (self))
    {
      forget_structure (self);
      return;
    }
  g_signal_emit (self, signals[SIGNAL_FIGURES_CHANGED], 0);
}

void
weir_cache_model_set_session (WeirCacheModel *self, WeirSession *session, WeirModel *model)
{
  g_return_if_fail (WEIR_IS_CACHE_MODEL (self));
  g_return_if_fail ((session == NULL) == (model == NULL));

  if (self->session != NULL)
    g_clear_signal_handler (&self->session_handler, self->session);
  g_set_object (&self->session, session);
  g_clear_pointer (&self->started, weir_model_unref);
  if (session != NULL)
    {
      self->started = weir_model_ref (model);
      self->session_handler = g_signal_connect_swapped (session, "changed",
                                                        G_CALLBACK (session_changed), self);
    }
  self->is_awaited = FALSE;
  clear_structure (self);
  g_signal_emit (self, signals[SIGNAL_STRUCTURE_CHANGED], 0);
}

/* --- What there is --------------------------------------------------------------------------- */

WeirLayout *
weir_cache_model_get_layout (WeirCacheModel *self)
{
  return weir_cache_model_ensure (self) ? self->layout : NULL;
}

WeirExplainer *
weir_cache_model_get_explainer (WeirCacheModel *self)
{
  if (!weir_cache_model_ensure (self))
    return NULL;
  if (self->explainer == NULL)
    self->explainer = weir_explainer_new (self->layout);
  return self->explainer;
}

WeirSystem *
weir_cache_model_get_system (WeirCacheModel *self)
{
  if (!weir_cache_model_ensure (self))
    return NULL;
  if (self->system == NULL && is_session_current (self))
    weir_document_peek_completion (self->document, &self->system, NULL);
  return self->system;
}

WeirSession *
weir_cache_model_get_session (WeirCacheModel *self)
{
  return weir_cache_model_ensure (self) && self->has_figures ? self->session : NULL;
}

WeirSession *
weir_cache_model_peek_session (WeirCacheModel *self)
{
  return self->session;
}

const WeirSnapshot *
weir_cache_model_get_snapshot (WeirCacheModel *self)
{
  const WeirSnapshot *snapshot;

  if (weir_cache_model_ensure (self) && self->logged != NULL)
    return self->logged;
  if (self->layout == NULL || !self->has_figures)
    return NULL;
  snapshot = weir_session_get_snapshot (self->session);
  return snapshot->counters != NULL ? snapshot : NULL;
}

void
weir_cache_model_set_logged (WeirCacheModel *self, const WeirSnapshot *snapshot,
                             const char *caption)
{
  g_return_if_fail (WEIR_IS_CACHE_MODEL (self));
  g_return_if_fail (snapshot == NULL || weir_cache_model_ensure (self));
  g_return_if_fail (snapshot == NULL
                    || snapshot->n_entries == weir_layout_get_n_entries (self->layout));

  if (self->logged == NULL && snapshot == NULL)
    return;
  self->logged = snapshot;
  g_free (self->caption);
  self->caption = snapshot != NULL ? g_strdup (caption) : NULL;
  g_signal_emit (self, signals[SIGNAL_FIGURES_CHANGED], 0);
}

const char *
weir_cache_model_get_logged (WeirCacheModel *self)
{
  return self->logged != NULL ? self->caption : NULL;
}

const WeirFlags *
weir_cache_model_get_flags (WeirCacheModel *self, const WeirSnapshot *snapshot)
{
  guint n, n_words, n_sources;

  if (!weir_cache_model_ensure (self))
    return NULL;
  n = weir_layout_get_n_entries (self->layout);
  n_words = MAX ((n + 63) / 64, 1);
  n_sources = weir_layout_get_n_sources (self->layout);
  if (self->all == NULL)
    {
      self->all = g_new (guint64, n_words);
      memset (self->all, 0xff, n_words * sizeof *self->all);
      self->none = g_new0 (guint64, n_words);
      self->computed = g_new0 (guint64, n_words);
      self->no_events = g_new0 (guint64, MAX (n_sources, 1));
    }
  self->flags = (WeirFlags) { n, n_sources, self->all, self->none, self->none, self->no_events, 0 };
  if (snapshot == NULL)
    return &self->flags;
  memset (self->computed, 0, n_words * sizeof *self->computed);
  for (guint e = 0; e < n; e++)
    {
      const WeirCounters *counters = &snapshot->counters[e];

      if (counters->first + counters->stale + counters->disabled > 0)
        self->computed[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
    }
  /* Explaining only reads them. */
  self->flags.stale = (guint64 *) snapshot->flags;
  self->flags.disabled = snapshot->caching ? (guint64 *) snapshot->disabled : self->all;
  self->flags.computed = self->computed;
  self->flags.source_last = (guint64 *) snapshot->source_last;
  self->flags.n_events = snapshot->n_events;
  return &self->flags;
}

gboolean
weir_cache_model_find_node (WeirCacheModel *self, guint32 block, WeirNode *node)
{
  guint found;

  if (!weir_cache_model_ensure (self))
    return FALSE;
  *node = WEIR_ROOT;
  if (block == 0)
    return TRUE;
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (block)));
  node->i = found - 1;
  return found > 0;
}

guint32
weir_cache_model_get_block (WeirCacheModel *self, WeirNode node)
{
  if (!weir_cache_model_ensure (self))
    return 0;
  while (self->blocks[node.i] == WEIR_NO_INDEX)
    node = weir_layout_get_parent (self->layout, node);
  return self->blocks[node.i];
}

/* --- Names ----------------------------------------------------------------------------------- */

char *
weir_cache_model_dup_node_title (WeirCacheModel *self, WeirNode node)
{
  g_autofree char *path = NULL;

  if (!weir_cache_model_ensure (self))
    return g_strdup ("");
  path = weir_layout_dup_path (self->layout, node);
  return weir_describe_path (path);
}

char *
weir_cache_model_dup_entry_title (WeirCacheModel *self, WeirEntry entry)
{
  WeirEntryInfo info = weir_layout_get_entry (weir_cache_model_get_layout (self), entry);
  g_autofree char *node = weir_cache_model_dup_node_title (self, info.node);

  return g_strdup_printf ("%s: %s", node, info.name);
}

char *
weir_cache_model_dup_tracker_title (WeirCacheModel *self, guint32 tracker)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (self));
  g_autofree char *label = NULL, *text = NULL, *title = NULL;
  WeirNode node;
  WeirTicket ticket;

  weir_walk_locate (walk, tracker, &node, &ticket);
  if (ticket.i == WEIR_TICKET_END)
    {
      g_autofree char *name = weir_walk_dup_name (walk, tracker); /* "a:fixed value of u" */
      const char *input = strrchr (name, ' ');

      label = g_strconcat ("fixed input ", input != NULL ? input + 1 : "", NULL);
    }
  else
    label = weir_layout_dup_ticket_label (self->layout, node, ticket);
  text = weir_label_translate (label);
  if (weir_ticket_is_common (ticket))
    return g_steal_pointer (&text);
  title = weir_cache_model_dup_node_title (self, node);
  return g_strdup_printf ("%s: %s", title, text);
}

char *
weir_cache_model_dup_source_title (WeirCacheModel *self, WeirSource source)
{
  g_autofree char *name = weir_layout_dup_source_name (weir_cache_model_get_layout (self), source);

  return weir_describe_source (name);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirCacheModel *self = WEIR_CACHE_MODEL (object);

  if (self->session != NULL)
    g_clear_signal_handler (&self->session_handler, self->session);
  if (self->document != NULL)
    {
      g_clear_signal_handler (&self->document_handler, self->document);
      g_clear_signal_handler (&self->completed_handler, self->document);
    }
  g_clear_object (&self->session);
  g_clear_object (&self->document);
  g_clear_pointer (&self->started, weir_model_unref);
  clear_structure (self);
  G_OBJECT_CLASS (weir_cache_model_parent_class)->dispose (object);
}

static void
weir_cache_model_class_init (WeirCacheModelClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[SIGNAL_STRUCTURE_CHANGED] = g_signal_new ("structure-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FIGURES_CHANGED] = g_signal_new ("figures-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                  NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
weir_cache_model_init (G_GNUC_UNUSED WeirCacheModel *self)
{
}

WeirCacheModel *
weir_cache_model_new (WeirDocument *document)
{
  WeirCacheModel *self = g_object_new (WEIR_TYPE_CACHE_MODEL, NULL);

  self->document = g_object_ref (document);
  self->document_handler = g_signal_connect_swapped (document, "changed",
                                                     G_CALLBACK (document_changed), self);
  self->completed_handler = g_signal_connect_swapped (document, "completed",
                                                      G_CALLBACK (document_completed), self);
  return self;
}
