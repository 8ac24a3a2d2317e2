/* The editor as the host of its pages and parts (host.h): it makes one of each kind that the tables
 * have, and knows none by name.
 */
#include <glib/gi18n-lib.h>

#include "gui/shell/editor-private.h"
#include "gui/pages/pages.h"
#include "gui/parts/parts.h"
#include "gui/host/settings.h"

/* --- Making and closing them ----------------------------------------------------------------- */

static GtkStack *
get_stack (WeirEditor *self, WeirDock dock)
{
  GtkWidget *const stacks[WEIR_N_DOCKS] = { [WEIR_DOCK_LEFT] = self->left_stack,
                                            [WEIR_DOCK_RIGHT] = self->right,
                                            [WEIR_DOCK_BOTTOM] = self->bottom_stack };

  return GTK_STACK (stacks[dock]);
}

/* A page that is hidden while it is looked at gives way to the first of its dock. */
static void
show_another (GtkStack *stack)
{
  GtkWidget *shown = gtk_stack_get_visible_child (stack);
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (stack);

  if (shown == NULL || gtk_stack_page_get_visible (gtk_stack_get_page (stack, shown)))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (pages), i);
      GtkStackPage *page = GTK_STACK_PAGE (item);

      if (gtk_stack_page_get_visible (page))
        {
          gtk_stack_set_visible_child (stack, gtk_stack_page_get_child (page));
          return;
        }
    }
}

void
weir_editor_update_pages (WeirEditor *self)
{
  gboolean is_analysed = FALSE;
  guint n;
  const WeirPageKind *kinds = weir_pages_get (&n);

  for (guint i = 0; i < self->pages->len; i++)
    {
      WeirPage *page = self->pages->pdata[i];
      GtkStack *stack = get_stack (self, kinds[i].dock);
      gboolean is_in = kinds[i].perspective == WEIR_PERSPECTIVE_ANY
                       || kinds[i].perspective == self->perspective;

      gtk_stack_page_set_visible (gtk_stack_get_page (stack, GTK_WIDGET (page)),
                                  page->is_available && is_in);
      is_analysed |= page->is_available && kinds[i].perspective == WEIR_PERSPECTIVE_ANALYSIS;
    }
  gtk_widget_set_visible (self->analysis_toggle, is_analysed);
  for (guint dock = 0; dock < WEIR_N_DOCKS; dock++)
    show_another (get_stack (self, (WeirDock) dock));
}

static void
add_page (WeirEditor *self, const WeirPageKind *kind)
{
  WeirPage *page = g_object_new (kind->get_type (), "host", self, "title", _ (kind->title), NULL);
  GtkStackPage *tab = gtk_stack_add_named (get_stack (self, kind->dock), GTK_WIDGET (page),
                                           kind->name);

  g_ptr_array_add (self->pages, page);
  g_object_bind_property (page, "title", tab, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (page, "needs-attention", tab, "needs-attention", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (page, "notify::available", G_CALLBACK (weir_editor_update_pages), self,
                           G_CONNECT_SWAPPED);
}

void
weir_editor_make_parts (WeirEditor *self)
{
  guint n;
  const WeirPartKind *parts = weir_parts_get (&n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->parts, g_object_new (parts[i](), "host", self, NULL));
}

gboolean
weir_editor_make_next_page (WeirEditor *self)
{
  guint n;
  const WeirPageKind *pages = weir_pages_get (&n);

  if (self->pages->len < n)
    add_page (self, &pages[self->pages->len]);
  return self->pages->len < n;
}

void
weir_editor_make_pages (WeirEditor *self)
{
  g_clear_handle_id (&self->pages_soon, g_source_remove);
  if (self->has_pages)
    return;
  self->has_pages = TRUE;
  while (weir_editor_make_next_page (self))
    ;
  for (guint i = 0; i < self->pages->len; i++)
    if (WEIR_PAGE_GET_CLASS (self->pages->pdata[i])->ready != NULL)
      WEIR_PAGE_GET_CLASS (self->pages->pdata[i])->ready (self->pages->pdata[i]);
  weir_editor_update_pages (self);
  weir_editor_restore_layout (self);
  weir_editor_follow_handles (self);
  weir_editor_update_status (self);
}

/* Whoever else holds one, such as a task in a thread, finds it without its host. */
void
weir_editor_close_parts (WeirEditor *self)
{
  while (self->pages->len > 0)
    {
      WeirPage *page = g_ptr_array_steal_index (self->pages, self->pages->len - 1);
      GtkWidget *stack = gtk_widget_get_parent (GTK_WIDGET (page));

      g_object_ref (page);
      g_signal_handlers_disconnect_by_data (page, self);
      gtk_stack_remove (GTK_STACK (stack), GTK_WIDGET (page));
      g_object_run_dispose (G_OBJECT (page));
      g_object_unref (page);
    }
  while (self->parts->len > 0)
    {
      GObject *part = g_ptr_array_steal_index (self->parts, self->parts->len - 1);

      g_object_run_dispose (part);
      g_object_unref (part);
    }
  g_ptr_array_set_size (self->widgets, 0);
}

/* --- What they know of the editor ------------------------------------------------------------ */

static WeirDocument *
get_document (WeirHost *host)
{
  return WEIR_EDITOR (host)->document;
}

static WeirRunner *
get_runner (WeirHost *host)
{
  return WEIR_EDITOR (host)->runner;
}

static WeirCanvas *
get_canvas (WeirHost *host)
{
  return WEIR_EDITOR (host)->canvas;
}

static WeirCacheModel *
get_cache (WeirHost *host)
{
  return WEIR_EDITOR (host)->cache_model;
}

static GActionMap *
get_actions (WeirHost *host)
{
  return G_ACTION_MAP (WEIR_EDITOR (host)->actions);
}

static gpointer
find (WeirHost *host, GType type)
{
  WeirEditor *self = WEIR_EDITOR (host);

  for (guint i = 0; i < self->parts->len; i++)
    if (G_TYPE_CHECK_INSTANCE_TYPE (self->parts->pdata[i], type))
      return self->parts->pdata[i];
  for (guint i = 0; i < self->pages->len; i++)
    {
      gpointer page = self->pages->pdata[i], panel = adw_bin_get_child (page);

      if (G_TYPE_CHECK_INSTANCE_TYPE (page, type))
        return page;
      if (panel != NULL && G_TYPE_CHECK_INSTANCE_TYPE (panel, type))
        return panel;
    }
  for (guint i = 0; i < self->widgets->len; i++)
    if (G_TYPE_CHECK_INSTANCE_TYPE (self->widgets->pdata[i], type))
      return self->widgets->pdata[i];
  return NULL;
}

/* --- What is where --------------------------------------------------------------------------- */

static void
add_widget (WeirHost *host, WeirSlot slot, GtkWidget *widget)
{
  WeirEditor *self = WEIR_EDITOR (host);

  switch (slot)
    {
    case WEIR_SLOT_HEADER:
      gtk_box_insert_child_after (GTK_BOX (self->header_end), widget, self->run_buttons);
      break;
    case WEIR_SLOT_ABOVE_CANVAS:
      gtk_box_append (GTK_BOX (self->above_canvas), widget);
      break;
    case WEIR_SLOT_STAGE:
      gtk_box_prepend (GTK_BOX (self->stage), widget);
      break;
    case WEIR_SLOT_STATUS:
      gtk_box_append (GTK_BOX (self->status_bar), widget);
      break;
    case WEIR_SLOT_OVER_ALL:
      gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), widget);
      break;
    default:
      g_return_if_reached ();
    }
  g_ptr_array_add (self->widgets, widget);
}

static void
show_model (WeirHost *host)
{
  gtk_stack_set_visible_child_name (GTK_STACK (WEIR_EDITOR (host)->content), "editor");
}

/* Where a page is. */
static WeirPerspective
find_perspective (WeirEditor *self, const char *name)
{
  guint n;
  const WeirPageKind *kinds = weir_pages_get (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (kinds[i].name, name) && kinds[i].perspective != WEIR_PERSPECTIVE_ANY)
      return kinds[i].perspective;
  return self->perspective;
}

static void
show_page (WeirHost *host, const char *name)
{
  WeirEditor *self = WEIR_EDITOR (host);

  weir_host_set_perspective (host, find_perspective (self, name));
  for (guint dock = 0; dock < WEIR_N_DOCKS; dock++)
    {
      GtkStack *stack = get_stack (self, (WeirDock) dock);
      GtkWidget *page = gtk_stack_get_child_by_name (stack, name);

      if (page == NULL)
        continue;
      gtk_widget_set_visible (weir_editor_get_dock (self, (WeirDock) dock), TRUE);
      gtk_stack_set_visible_child (stack, page);
    }
}

static const char *
get_shown_page (WeirHost *host)
{
  return gtk_stack_get_visible_child_name (get_stack (WEIR_EDITOR (host), WEIR_DOCK_BOTTOM));
}

static WeirPerspective
get_perspective (WeirHost *host)
{
  return WEIR_EDITOR (host)->perspective;
}

static void
set_perspective (WeirHost *host, WeirPerspective perspective)
{
  weir_editor_set_perspective (WEIR_EDITOR (host), perspective);
}

static GtkWidget *
get_dock (WeirHost *host, WeirDock dock)
{
  return weir_editor_get_dock (WEIR_EDITOR (host), dock);
}

static void
ask_room (WeirHost *host, WeirDock dock, int size)
{
  weir_editor_ask_room (WEIR_EDITOR (host), dock, size);
}

static void
set_bare (WeirHost *host, gboolean bare)
{
  weir_editor_set_bare (WEIR_EDITOR (host), bare);
}

/* --- Telling --------------------------------------------------------------------------------- */

#define TOAST_CHARS 44

/* A toast whose text wraps: a title of its own would be cut off. */
static AdwToast *
toast_new (const char *text)
{
  AdwToast *toast = adw_toast_new (text);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TOAST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  adw_toast_set_custom_title (toast, label);
  return toast;
}

static void
show_toast (WeirHost *host, const char *text)
{
  AdwToast *toast = toast_new (text);

  adw_toast_set_timeout (toast, 4);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (WEIR_EDITOR (host)->toasts), toast);
}

static void
toast_until_run (WeirHost *host, const char *text)
{
  WeirEditor *self = WEIR_EDITOR (host);
  AdwToast *toast = toast_new (text);

  g_set_weak_pointer (&self->run_toast, toast);
  adw_toast_set_timeout (toast, 4);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

static void
offer_undo (WeirHost *host, const char *text)
{
  WeirEditor *self = WEIR_EDITOR (host);
  AdwToast *toast = toast_new (text);

  if (self->undo_toast != NULL)
    adw_toast_dismiss (self->undo_toast);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_action_name (toast, "win.undo");
  g_set_weak_pointer (&self->undo_toast, toast);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

static void
set_offer (WeirHost *host, GtkMessageType type, const char *text, const char *label,
           const char *action)
{
  WeirEditor *self = WEIR_EDITOR (host);

  self->is_file_told = FALSE;
  gtk_widget_set_visible (self->bar_button, label != NULL);
  if (label != NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->bar_button), label);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->bar_button), action);
    }
  gtk_label_set_text (GTK_LABEL (self->bar_text), text != NULL ? text : "");
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->bar), type);
  gtk_widget_set_visible (self->bar, text != NULL);
}

/* --- The document ---------------------------------------------------------------------------- */

static void
open_file (WeirHost *host, GFile *file, gboolean as_template, WeirHostThen then, gpointer data,
           GDestroyNotify free_data)
{
  weir_editor_open_for (WEIR_EDITOR (host), file, as_template, then, data, free_data);
}

static WeirHost *
open_model (WeirHost *host, WeirModel *model)
{
  return WEIR_HOST (weir_editor_open_model (WEIR_EDITOR (host), model));
}

static void
save (WeirHost *host, void (*then) (WeirHost *host))
{
  weir_editor_save (WEIR_EDITOR (host), FALSE, (void (*) (WeirEditor *)) then);
}

static void
enter_typed (WeirHost *host)
{
  GPtrArray *pages = WEIR_EDITOR (host)->pages;

  for (guint i = 0; i < pages->len; i++)
    if (WEIR_PAGE_GET_CLASS (pages->pdata[i])->enter_typed != NULL)
      WEIR_PAGE_GET_CLASS (pages->pdata[i])->enter_typed (pages->pdata[i]);
}

/* What else may be lost is asked about next. */
static void
loss_settled (WeirHost *host)
{
  WeirEditor *self = WEIR_EDITOR (host);

  if (weir_editor_confirm_loss (self, self->then))
    self->then (self);
}

void
weir_editor_host_init (WeirHostInterface *iface)
{
  iface->get_document = get_document;
  iface->get_runner = get_runner;
  iface->get_canvas = get_canvas;
  iface->get_cache = get_cache;
  iface->get_actions = get_actions;
  iface->find = find;
  iface->add_widget = add_widget;
  iface->show_model = show_model;
  iface->show_page = show_page;
  iface->get_shown_page = get_shown_page;
  iface->get_perspective = get_perspective;
  iface->set_perspective = set_perspective;
  iface->get_dock = get_dock;
  iface->ask_room = ask_room;
  iface->set_bare = set_bare;
  iface->toast = show_toast;
  iface->toast_until_run = toast_until_run;
  iface->offer_undo = offer_undo;
  iface->set_offer = set_offer;
  iface->open = open_file;
  iface->open_model = open_model;
  iface->save = save;
  iface->enter_typed = enter_typed;
  iface->loss_settled = loss_settled;
}
