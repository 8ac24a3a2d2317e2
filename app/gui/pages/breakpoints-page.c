/* The page of breakpoints. See breakpoints-page.h. */
#include "gui/pages/breakpoints-page.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cache/break-panel.h"
#include "cache/break-text.h"
#include "cache/cache-card.h"
#include "cache/cache-panel.h"
#include "cache/explain-panel.h"
#include "gui/pages/dependencies-page.h"
#include "gui/host/settings.h"
#include "run/runner.h"

struct _WeirBreakpointsPage {
  WeirPage parent;
  WeirBreakPanel *panel;
  WeirBreakHit told; /* the pause that the banner tells */
  gboolean is_told;
  WeirBreakKind asked; /* what is to be toggled once the blocks' values are known */
};

G_DEFINE_FINAL_TYPE (WeirBreakpointsPage, weir_breakpoints_page, WEIR_TYPE_PAGE)

/* --- The list -------------------------------------------------------------------------------- */

static guint
find_breakpoint (const GArray *list, WeirBreakKind kind, const char *what)
{
  for (guint i = 0; i < list->len; i++)
    {
      const WeirBreakpoint *other = &g_array_index (list, WeirBreakpoint, i);

      if (other->kind == kind && g_str_equal (other->what, what))
        return i;
    }
  return list->len;
}

/* The table's switches: entries that some enabled breakpoint waits for being computed. */
static void
show_in_table (WeirBreakpointsPage *self, const GArray *list)
{
  WeirSession *session = weir_cache_model_peek_session (self->parent.cache);
  WeirLayout *layout = session != NULL ? weir_session_get_layout (session) : NULL;
  guint n = layout != NULL ? weir_layout_get_n_entries (layout) : 0;
  g_autofree guint64 *bits = g_new0 (guint64, n / 64 + 1);
  WeirCachePanel *table = weir_host_find (self->parent.host, WEIR_TYPE_CACHE_PANEL);

  if (table == NULL)
    return;
  for (guint e = 0; e < n && list->len > 0; e++)
    {
      g_autofree char *path = weir_layout_dup_entry_path (layout, (WeirEntry) { e });
      guint i = find_breakpoint (list, WEIR_BREAK_COMPUTED, path);

      if (i < list->len && !g_array_index (list, WeirBreakpoint, i).is_disabled)
        bits[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
    }
  weir_cache_panel_set_breakpoints (table, bits, n);
}

/* The block that @what is at: "Plant.Gain:y", or a source such as "Plant.Gain.k"; NULL if there is
 * none of that name. */
static WeirBlock *
find_block (WeirModel *model, const char *what)
{
  g_autofree char *path = g_strndup (what, strcspn (what, ":"));
  WeirBlock *block = weir_model_find_path (model, path);
  char *dot;

  while (block == NULL && (dot = strrchr (path, '.')) != NULL)
    {
      *dot = '\0';
      block = weir_model_find_path (model, path);
    }
  return block;
}

static void
add_to_block (GHashTable *sentences, guint32 id, const char *said)
{
  const char *old = g_hash_table_lookup (sentences, GUINT_TO_POINTER (id));

  g_hash_table_insert (sentences, GUINT_TO_POINTER (id),
                       old == NULL ? g_strdup (said) : g_strdup_printf ("%s\n%s", old, said));
}

/* On the diagram: at the block, and at the Subsystems that it is in. */
static void
show_on_canvas (WeirBreakpointsPage *self, const GArray *list)
{
  WeirModel *model = weir_document_get_model (self->parent.document);
  g_autoptr (GHashTable) sentences = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) on = g_hash_table_new (NULL, NULL), off = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < list->len; i++)
    {
      const WeirBreakpoint *one = &g_array_index (list, WeirBreakpoint, i);
      WeirBlock *block = find_block (model, one->what);
      g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree char *what = weir_break_describe (one);
      g_autofree char *said = g_strdup_printf (
          one->is_disabled ? _ ("Switched off: runs pause when %s.") : _ ("Runs pause when %s."),
          what);
      guint32 id;

      if (block == NULL)
        continue;
      id = weir_block_get_id (block);
      weir_model_find_block (model, id, ids);
      g_array_append_val (ids, id);
      for (guint k = 0; k < ids->len; k++)
        {
          gpointer key = GUINT_TO_POINTER (g_array_index (ids, guint32, k));

          add_to_block (sentences, GPOINTER_TO_UINT (key), said);
          g_hash_table_add (one->is_disabled ? off : on, key);
        }
    }
  {
    GHashTableIter iter;
    gpointer id;

    g_hash_table_iter_init (&iter, on);
    while (g_hash_table_iter_next (&iter, &id, NULL))
      g_hash_table_remove (off, id);
  }
  weir_canvas_set_breakpoints (self->parent.canvas, sentences, off);
}

static void
show_title (WeirBreakpointsPage *self, guint n)
{
  g_autofree char *title = n > 0 ? g_strdup_printf (_ ("Breakpoints (%u)"), n)
                                 : g_strdup (_ ("Breakpoints"));

  weir_page_set_title (&self->parent, title);
}

static void
update_list (WeirBreakpointsPage *self)
{
  g_autoptr (GArray)
      list = weir_model_dup_breakpoints (weir_document_get_model (self->parent.document));

  weir_break_panel_set_list (self->panel, list);
  show_title (self, list->len);
  show_on_canvas (self, list);
  show_in_table (self, list);
}

static void
document_changed (WeirBreakpointsPage *self, guint aspects)
{
  if ((aspects & (WEIR_ASPECT_METADATA | WEIR_ASPECT_NAMES | WEIR_ASPECT_STRUCTURE)) != 0)
    update_list (self);
}

static void
list_edited (WeirBreakpointsPage *self)
{
  weir_document_set_breakpoints (self->parent.document, weir_break_panel_get_list (self->panel),
                                 _ ("Edit Breakpoints"));
}

/* Sets or removes the breakpoint of this kind, and says so; @n_others: values that it could as well
 * have been at. */
static void
set_breakpoint (WeirBreakpointsPage *self, WeirBreakKind kind, const char *what, gboolean on,
                guint n_others)
{
  g_autoptr (GArray)
      list = weir_model_dup_breakpoints (weir_document_get_model (self->parent.document));
  guint i = find_breakpoint (list, kind, what);
  g_autofree char *said = NULL, *text = NULL;

  if (on && i < list->len)
    g_array_index (list, WeirBreakpoint, i).is_disabled = FALSE;
  else if (on)
    {
      WeirBreakpoint one = { .kind = kind, .what = g_strdup (what), .phase = -1 };

      g_array_append_val (list, one);
    }
  if (i < list->len)
    said = weir_break_describe (&g_array_index (list, WeirBreakpoint, i));
  if (!on && i < list->len)
    g_array_remove_index (list, i);
  weir_document_set_breakpoints (self->parent.document, list,
                                 on ? _ ("Set a Breakpoint") : _ ("Remove a Breakpoint"));
  weir_document_end_merge (self->parent.document);
  if (said == NULL)
    return;
  if (on && n_others > 0)
    /* Translators: "Runs pause when Motor:speed is computed (1 of 3 values)." */
    text = g_strdup_printf (ngettext ("Runs pause when %s (1 of %u value).",
                                      "Runs pause when %s (1 of %u values).", n_others + 1),
                            said, n_others + 1);
  else
    text = g_strdup_printf (
        on ? _ ("Runs pause when %s.") : _ ("Runs do not pause any more when %s."), said);
  weir_host_offer_undo (self->parent.host, text);
}

static void
toggle (WeirBreakpointsPage *self, WeirBreakKind kind, WeirEntry entry, guint n_others)
{
  g_autofree char *path = weir_layout_dup_entry_path (
      weir_cache_model_get_layout (self->parent.cache), entry);
  g_autoptr (GArray)
      list = weir_model_dup_breakpoints (weir_document_get_model (self->parent.document));

  set_breakpoint (self, kind, path, find_breakpoint (list, kind, path) == list->len, n_others);
}

/* --- Where they are set ---------------------------------------------------------------------- */

void
weir_breakpoints_page_switch (WeirBreakpointsPage *self, guint entry, gboolean on)
{
  WeirSession *session = weir_cache_model_peek_session (self->parent.cache);
  g_autofree char *path = weir_layout_dup_entry_path (weir_session_get_layout (session),
                                                      (WeirEntry) { entry });

  set_breakpoint (self, WEIR_BREAK_COMPUTED, path, on, 0);
}

typedef struct {
  guint32 block;
  const char *output;
  gboolean is_wired;
} OutputSearch;

static gboolean
search_wire (WeirWire *wire, gpointer data)
{
  OutputSearch *search = data;
  WeirWireEnd from = weir_wire_get_from (wire);

  search->is_wired = from.block == search->block && g_strcmp0 (from.port, search->output) == 0;
  return !search->is_wired;
}

static gboolean
is_wired (WeirBreakpointsPage *self, guint32 block, const char *output)
{
  WeirDiagram *diagram = weir_model_get_diagram (weir_document_get_model (self->parent.document),
                                                 weir_canvas_get_place (self->parent.canvas));
  OutputSearch search = { block, output, FALSE };

  if (diagram != NULL)
    weir_diagram_foreach_wire_at (diagram, block, search_wire, &search);
  return search.is_wired;
}

/* How many values a block computes, besides the one chosen. */
static guint
count_others (WeirBreakpointsPage *self, WeirEntry entry)
{
  WeirLayout *layout = weir_cache_model_get_layout (self->parent.cache);
  guint32 node = weir_layout_get_entry (layout, entry).node.i;
  guint n = 0;

  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    n += e != entry.i && weir_layout_get_entry (layout, (WeirEntry) { e }).node.i == node;
  return n;
}

/* Of a block without a port chosen, its first output that is wired, else its first, else whatever
 * it computes first. */
static gboolean
find_value (WeirBreakpointsPage *self, WeirCanvasSubject subject, WeirEntry *entry)
{
  WeirLayout *layout;
  gboolean is_found = FALSE;
  WeirNode node;

  if (subject.block == 0 || !weir_cache_model_ensure (self->parent.cache)
      || !weir_cache_model_find_node (self->parent.cache, subject.block, &node))
    return FALSE;
  if (subject.port != NULL)
    return weir_cache_find_port_entry (self->parent.cache, subject.block, subject.port,
                                       subject.is_output, entry);
  layout = weir_cache_model_get_layout (self->parent.cache);
  for (WeirOutput out = { 0 }; out.i < weir_layout_get_n_outputs (layout, node); out.i++)
    {
      WeirEntry here;

      if (!weir_layout_find_output_entry (layout, node, out, &here))
        continue;
      if (!is_found)
        *entry = here;
      is_found = TRUE;
      if (is_wired (self, subject.block, weir_layout_get_output_name (layout, node, out)))
        {
          *entry = here;
          break;
        }
    }
  if (is_found)
    return TRUE;
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    if (weir_layout_get_entry (layout, (WeirEntry) { e }).node.i == node.i)
      {
        entry->i = e;
        return TRUE;
      }
  return FALSE;
}

static void
toggle_asked (gpointer data)
{
  WeirBreakpointsPage *self = data;
  WeirCanvasSubject subject;
  WeirEntry entry;

  if (self->parent.host == NULL)
    return;
  subject = weir_canvas_get_subject (self->parent.canvas);
  if (find_value (self, subject, &entry))
    toggle (self, self->asked, entry, subject.port == NULL ? count_others (self, entry) : 0);
  else
    weir_host_toast (self->parent.host,
                     _ ("Choose a block, a port or a wire that has a computed value."));
}

static void
view_asked_for (WeirBreakpointsPage *self, const char *name)
{
  if (g_str_equal (name, "break-computed"))
    self->asked = WEIR_BREAK_COMPUTED;
  else if (g_str_equal (name, "break-out-of-date"))
    self->asked = WEIR_BREAK_OUT_OF_DATE;
  else
    return;
  if (weir_cache_model_ensure (self->parent.cache))
    toggle_asked (self);
  else
    weir_document_when_completed (self->parent.document, toggle_asked, self);
}

/* The value that is explained. */
static void
break_here (WeirBreakpointsPage *self)
{
  WeirExplainPanel *panel = weir_host_find (self->parent.host, WEIR_TYPE_EXPLAIN_PANEL);
  WeirEntry entry;

  if (weir_explain_panel_get_entry (panel, &entry))
    toggle (self, WEIR_BREAK_OUT_OF_DATE, entry, 0);
}

/* --- Where a run pauses ---------------------------------------------------------------------- */

/* The page of breakpoints stays if it is looked at. */
static void
go_to_hit (WeirBreakpointsPage *self, const WeirBreakHit *hit)
{
  const char *page = weir_host_get_shown_page (self->parent.host);
  WeirDependenciesPage *dependencies = weir_host_find (self->parent.host,
                                                       WEIR_TYPE_DEPENDENCIES_PAGE);

  if (weir_cache_model_get_session (self->parent.cache) == NULL)
    return; /* of another structure than the one shown */
  if (hit->entry.i != WEIR_NO_INDEX)
    weir_dependencies_page_go_to_entry (dependencies, hit->entry);
  if (g_strcmp0 (page, "breakpoints") != 0 && g_strcmp0 (page, "cache") != 0)
    weir_host_show_page (self->parent.host,
                         hit->entry.i != WEIR_NO_INDEX ? "dependencies" : "breakpoints");
}

static void
row_activated (WeirBreakpointsPage *self, guint index)
{
  const GArray *list = weir_break_panel_get_list (self->panel);
  const WeirBreakpoint *breakpoint = &g_array_index (list, WeirBreakpoint, index);
  WeirExplainer *explainer = weir_cache_model_ensure (self->parent.cache)
                                 ? weir_cache_model_get_explainer (self->parent.cache)
                                 : NULL;
  guint32 tracker;
  WeirNode node;
  WeirTicket ticket;
  guint32 block;

  if (explainer == NULL || !weir_explainer_find (explainer, breakpoint->what, &tracker, NULL))
    return;
  weir_walk_locate (weir_explainer_get_walk (explainer), tracker, &node, &ticket);
  block = weir_cache_model_get_block (self->parent.cache, node);
  if (block != 0)
    weir_canvas_select_block (self->parent.canvas, block);
}

/* Tells every pause once, and takes it back when the run goes on. */
static void
run_changed (WeirBreakpointsPage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  const WeirSnapshot *snapshot = session != NULL ? weir_session_get_snapshot (session) : NULL;
  guint serial;
  const GArray *list = weir_runner_get_breakpoints (self->parent.runner, &serial);

  weir_break_panel_update (self->panel, snapshot, serial);
  if (snapshot == NULL || !snapshot->is_at_break)
    {
      if (self->is_told)
        weir_host_set_banner (self->parent.host, GTK_MESSAGE_INFO, NULL);
      self->is_told = FALSE;
      return;
    }
  if (self->is_told && self->told.event == snapshot->hit.event
      && self->told.index == snapshot->hit.index && self->told.count == snapshot->hit.count)
    return;
  self->is_told = TRUE;
  self->told = snapshot->hit;
  {
    /* An edited list numbers its rows differently: what was met is then told without it. */
    g_autoptr (GArray) none = weir_breakpoint_list_new ();
    WeirBreakHit hit = snapshot->hit;
    g_autofree char *text = weir_break_describe_hit (
        self->parent.cache, snapshot->break_serial == serial ? list : none, &hit);

    weir_host_set_offer (self->parent.host, GTK_MESSAGE_INFO, text, _ ("_Continue"), "win.run");
    go_to_hit (self, &hit);
  }
}

static void
session_replaced (WeirBreakpointsPage *self)
{
  self->is_told = FALSE;
  update_list (self);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
show_breakpoints (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_host_show_page (WEIR_PAGE (data)->host, "breakpoints");
}

static void
ready (WeirPage *page)
{
  update_list (WEIR_BREAKPOINTS_PAGE (page));
  g_signal_connect_object (weir_host_find (page->host, WEIR_TYPE_EXPLAIN_PANEL), "break-here",
                           G_CALLBACK (break_here), page, G_CONNECT_SWAPPED);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "show-breakpoints", .activate = show_breakpoints };
  WeirBreakpointsPage *self = WEIR_BREAKPOINTS_PAGE (object);
  const WeirListening wanted[] = {
    { self->parent.canvas, "view-command", G_CALLBACK (view_asked_for) },
    { self->parent.document, "changed", G_CALLBACK (document_changed) },
    { self->parent.runner, "state-changed", G_CALLBACK (run_changed) },
    { self->parent.runner, "notify::session", G_CALLBACK (session_replaced) },
  };

  G_OBJECT_CLASS (weir_breakpoints_page_parent_class)->constructed (object);
  weir_break_panel_set_model (self->panel, self->parent.cache);
  weir_page_add_actions (&self->parent, &entry, 1);
  weir_listen (self, wanted, G_N_ELEMENTS (wanted));
}

static void
weir_breakpoints_page_class_init (WeirBreakpointsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  g_type_ensure (WEIR_TYPE_BREAK_PANEL);
  weir_set_template (klass, "breakpoints-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirBreakpointsPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, list_edited);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
weir_breakpoints_page_init (WeirBreakpointsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
