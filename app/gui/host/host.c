/* What parts know of their editor. See host.h. */
#include "gui/host/host.h"

#include <string.h>

G_DEFINE_INTERFACE (WeirHost, weir_host, GTK_TYPE_WIDGET)

enum { SIGNAL_PROBLEMS, SIGNAL_BUILDING_ENDED, SIGNAL_PERSPECTIVE_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
weir_host_default_init (G_GNUC_UNUSED WeirHostInterface *iface)
{
  signals[SIGNAL_PROBLEMS] = g_signal_new ("problems", WEIR_TYPE_HOST, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER,
                                           G_TYPE_BOOLEAN);
  signals[SIGNAL_BUILDING_ENDED] = g_signal_new (
      "building-ended", WEIR_TYPE_HOST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PERSPECTIVE_CHANGED] = g_signal_new ("perspective-changed", WEIR_TYPE_HOST,
                                                      G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                      G_TYPE_NONE, 0);
}

WeirDocument *
weir_host_get_document (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_document (self);
}

WeirRunner *
weir_host_get_runner (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_runner (self);
}

WeirCanvas *
weir_host_get_canvas (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_canvas (self);
}

WeirCacheModel *
weir_host_get_cache (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_cache (self);
}

GActionMap *
weir_host_get_actions (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_actions (self);
}

GtkWindow *
weir_host_get_toplevel (WeirHost *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

gpointer
weir_host_find (WeirHost *self, GType type)
{
  return WEIR_HOST_GET_IFACE (self)->find (self, type);
}

void
weir_host_activate (WeirHost *self, const char *action)
{
  g_action_group_activate_action (G_ACTION_GROUP (weir_host_get_actions (self)), action, NULL);
}

void
weir_host_set_enabled (WeirHost *self, const char *action, gboolean enabled)
{
  GAction *found = g_action_map_lookup_action (weir_host_get_actions (self), action);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (found), enabled);
}

void
weir_host_set_state (WeirHost *self, const char *action, GVariant *state)
{
  GAction *found = g_action_map_lookup_action (weir_host_get_actions (self), action);

  g_simple_action_set_state (G_SIMPLE_ACTION (found), state);
}

void
weir_host_add_actions (WeirHost *self, const GActionEntry *entries, guint n, gpointer data,
                       GPtrArray *names)
{
  g_action_map_add_action_entries (weir_host_get_actions (self), entries, (int) n, data);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) g_intern_string (entries[i].name));
}

void
weir_host_remove_actions (WeirHost *self, const GPtrArray *names)
{
  for (guint i = 0; i < names->len && self != NULL; i++)
    g_action_map_remove_action (weir_host_get_actions (self), names->pdata[i]);
}

void
weir_listen (gpointer listener, const WeirListening *to, guint n)
{
  for (guint i = 0; i < n; i++)
    g_signal_connect_object (to[i].object, to[i].signal, to[i].callback, listener,
                             G_CONNECT_SWAPPED);
}

/* --- What is where --------------------------------------------------------------------------- */

void
weir_host_add_widget (WeirHost *self, WeirSlot slot, GtkWidget *widget)
{
  WEIR_HOST_GET_IFACE (self)->add_widget (self, slot, widget);
}

void
weir_host_show_model (WeirHost *self)
{
  WEIR_HOST_GET_IFACE (self)->show_model (self);
}

void
weir_host_show_page (WeirHost *self, const char *name)
{
  WEIR_HOST_GET_IFACE (self)->show_page (self, name);
}

const char *
weir_host_get_shown_page (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_shown_page (self);
}

WeirPerspective
weir_host_get_perspective (WeirHost *self)
{
  return WEIR_HOST_GET_IFACE (self)->get_perspective (self);
}

void
weir_host_set_perspective (WeirHost *self, WeirPerspective perspective)
{
  if (perspective == weir_host_get_perspective (self))
    return;
  WEIR_HOST_GET_IFACE (self)->set_perspective (self, perspective);
  g_signal_emit (self, signals[SIGNAL_PERSPECTIVE_CHANGED], 0);
}

void
weir_host_follow_perspective (WeirHost *self, void (*update) (gpointer object), gpointer object)
{
  g_signal_connect_object (self, "perspective-changed", G_CALLBACK (update), object,
                           G_CONNECT_SWAPPED);
  update (object);
}

GtkWidget *
weir_host_get_dock (WeirHost *self, WeirDock dock)
{
  return WEIR_HOST_GET_IFACE (self)->get_dock (self, dock);
}

void
weir_host_ask_room (WeirHost *self, WeirDock dock, int size)
{
  WEIR_HOST_GET_IFACE (self)->ask_room (self, dock, size);
}

void
weir_host_set_bare (WeirHost *self, gboolean bare)
{
  WEIR_HOST_GET_IFACE (self)->set_bare (self, bare);
}

/* --- Telling --------------------------------------------------------------------------------- */

void
weir_host_toast_until_run (WeirHost *self, const char *text)
{
  WEIR_HOST_GET_IFACE (self)->toast_until_run (self, text);
}

void
weir_host_toast (WeirHost *self, const char *text)
{
  WEIR_HOST_GET_IFACE (self)->toast (self, text);
}

void
weir_host_offer_undo (WeirHost *self, const char *text)
{
  WEIR_HOST_GET_IFACE (self)->offer_undo (self, text);
}

void
weir_host_set_banner (WeirHost *self, GtkMessageType type, const char *text)
{
  weir_host_set_offer (self, type, text, NULL, NULL);
}

void
weir_host_set_offer (WeirHost *self, GtkMessageType type, const char *text, const char *label,
                     const char *action)
{
  WEIR_HOST_GET_IFACE (self)->set_offer (self, type, text, label, action);
}

void
weir_host_tell_problems (WeirHost *self, WeirDiagnostics *diagnostics, gboolean shows)
{
  g_signal_emit (self, signals[SIGNAL_PROBLEMS], 0, diagnostics, shows);
}

void
weir_host_end_building (WeirHost *self)
{
  WeirModel *model = weir_document_get_model (weir_host_get_document (self));

  weir_canvas_set_first_fresh (weir_host_get_canvas (self), weir_model_get_next_id (model));
  g_signal_emit (self, signals[SIGNAL_BUILDING_ENDED], 0);
}

/* --- The document ---------------------------------------------------------------------------- */

void
weir_host_go_to_path (WeirHost *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ":", 2);
  WeirModel *model = weir_document_get_model (weir_host_get_document (self));
  WeirBlock *block = weir_model_find_path (model, parts[0]);

  if (block != NULL)
    weir_canvas_select_block (weir_host_get_canvas (self), weir_block_get_id (block));
}

char *
weir_host_dup_stem (WeirHost *self)
{
  char *title, *end;

  g_object_get (weir_host_get_document (self), "title", &title, NULL);
  end = strrchr (title, '.');
  if (end != NULL && end != title)
    *end = '\0';
  return title;
}

void
weir_host_enter_typed (WeirHost *self)
{
  WEIR_HOST_GET_IFACE (self)->enter_typed (self);
}

void
weir_host_open (WeirHost *self, GFile *file, gboolean as_template, WeirHostThen then, gpointer data,
                GDestroyNotify free_data)
{
  WEIR_HOST_GET_IFACE (self)->open (self, file, as_template, then, data, free_data);
}

WeirHost *
weir_host_open_model (WeirHost *self, WeirModel *model)
{
  return WEIR_HOST_GET_IFACE (self)->open_model (self, model);
}

void
weir_host_save (WeirHost *self, void (*then) (WeirHost *self))
{
  WEIR_HOST_GET_IFACE (self)->save (self, then);
}

void
weir_host_loss_settled (WeirHost *self)
{
  WEIR_HOST_GET_IFACE (self)->loss_settled (self);
}
