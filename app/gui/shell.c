/* WeirShell. See shell.h. */
#include "gui/shell.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/open-files.h"
#include "gui/window-private.h"

struct _WeirShell {
  AdwApplicationWindow parent;
  AdwTabView *tabs;
  GtkWidget *headers; /* a stack of the header bars of all tabs */
  WeirWindow *shown;  /* borrowed; only compared once its tab is gone */
  GPtrArray *to_save; /* borrowed WeirWindow: what is to be saved before the shell closes, or NULL */
  gboolean may_close;
};

G_DEFINE_FINAL_TYPE (WeirShell, weir_shell, ADW_TYPE_APPLICATION_WINDOW)

static WeirWindow *
window_at (WeirShell *self, int i)
{
  return WEIR_WINDOW (adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tabs, i)));
}

static AdwTabPage *
page_of (WeirShell *self, WeirWindow *window)
{
  return adw_tab_view_get_page (self->tabs, GTK_WIDGET (window));
}

WeirWindow *
weir_shell_get_shown (WeirShell *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);

  return page != NULL ? WEIR_WINDOW (adw_tab_page_get_child (page)) : NULL;
}

AdwTabView *
weir_shell_get_tabs (WeirShell *self)
{
  return self->tabs;
}

WeirShell *
weir_shell_get_of (WeirWindow *window)
{
  return WEIR_SHELL (gtk_widget_get_ancestor (GTK_WIDGET (window), WEIR_TYPE_SHELL));
}

void
weir_shell_present (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);

  adw_tab_view_set_selected_page (self->tabs, page_of (self, window));
  gtk_window_present (GTK_WINDOW (self));
}

/* --- Tabs ---------------------------------------------------------------------------------------- */

static void
update_title (WeirShell *self)
{
  WeirWindow *window = weir_shell_get_shown (self);
  g_autofree char *title = NULL;

  if (window == NULL)
    return;
  g_object_get (window, "title", &title, NULL);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void
update_tab (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);
  AdwTabPage *page = page_of (self, window);
  GFile *file = weir_document_get_file (weir_window_get_document (window));
  g_autofree char *title = NULL, *name = file != NULL ? g_file_get_parse_name (file) : NULL;
  g_autofree char *tooltip = name != NULL ? g_markup_escape_text (name, -1) : NULL;

  g_object_get (window, "title", &title, NULL);
  adw_tab_page_set_title (page, title);
  adw_tab_page_set_tooltip (page, tooltip);
  update_title (self);
}

/* A run that ends while another tab is shown asks for a look. */
static void
running_changed (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);
  AdwTabPage *page = page_of (self, window);
  gboolean running;

  g_object_get (window, "running", &running, NULL);
  adw_tab_page_set_loading (page, running);
  if (!running && !adw_tab_page_get_selected (page))
    adw_tab_page_set_needs_attention (page, TRUE);
}

/* Models without a file are told apart by the first number that is free. */
static void
give_number (WeirShell *self, WeirWindow *window)
{
  g_autoptr (GPtrArray) all = weir_shell_list_all (gtk_window_get_application (GTK_WINDOW (self)));
  guint number = 1;

  for (guint i = 0; i < all->len; i++)
    {
      WeirWindow *other = g_ptr_array_index (all, i);

      if (other != window && other->number == number
          && weir_document_get_file (weir_window_get_document (other)) == NULL)
        {
          number++;
          i = G_MAXUINT; /* from the first again */
        }
    }
  weir_window_set_number (window, number);
}

static void
page_attached (WeirShell *self, AdwTabPage *page)
{
  WeirWindow *window = WEIR_WINDOW (adw_tab_page_get_child (page));
  gboolean running;

  gtk_stack_add_child (GTK_STACK (self->headers), weir_window_get_header (window));
  g_signal_connect (window, "notify::title", G_CALLBACK (update_tab), page);
  g_signal_connect (window, "notify::running", G_CALLBACK (running_changed), page);
  g_object_get (window, "running", &running, NULL);
  adw_tab_page_set_loading (page, running);
  if (window->number == 0)
    give_number (self, window);
  update_tab (window);
}

static void
page_detached (WeirShell *self, AdwTabPage *page)
{
  WeirWindow *window = WEIR_WINDOW (adw_tab_page_get_child (page));

  g_signal_handlers_disconnect_by_data (window, page);
  if (self->to_save != NULL)
    g_ptr_array_remove (self->to_save, window);
  gtk_stack_remove (GTK_STACK (self->headers), weir_window_get_header (window));
  weir_open_files_store (gtk_window_get_application (GTK_WINDOW (self)));
  if (adw_tab_view_get_n_pages (self->tabs) == 0)
    gtk_window_close (GTK_WINDOW (self));
}

static void
shown_changed (WeirShell *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);
  WeirWindow *window = weir_shell_get_shown (self), *before = self->shown;

  self->shown = window;
  /* Here only: a widget that moves between toplevels loses a group of its own that is named like one above. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win",
                                  window != NULL ? weir_window_get_actions (window) : NULL);
  if (window == NULL)
    return;
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    if (window_at (self, i) == before && before != window)
      weir_window_adopt_layout (window, before);
  adw_tab_page_set_needs_attention (page, FALSE);
  gtk_stack_set_visible_child (GTK_STACK (self->headers), weir_window_get_header (window));
  update_title (self);
}

static AdwTabView *
create_window (WeirShell *self)
{
  WeirShell *other = weir_shell_new (gtk_window_get_application (GTK_WINDOW (self)));

  gtk_window_present (GTK_WINDOW (other));
  return other->tabs;
}

/* The menu's actions are those of the tab shown. */
static void
setup_menu (WeirShell *self, AdwTabPage *page)
{
  if (page != NULL)
    adw_tab_view_set_selected_page (self->tabs, page);
}

WeirWindow *
weir_shell_add (WeirShell *self, WeirWindow *window)
{
  AdwTabPage *shown = adw_tab_view_get_selected_page (self->tabs);
  AdwTabPage *page = adw_tab_view_add_page (self->tabs, GTK_WIDGET (window), shown);

  adw_tab_view_set_selected_page (self->tabs, page);
  gtk_widget_grab_focus (GTK_WIDGET (weir_window_get_canvas (window)));
  return window;
}

WeirWindow *
weir_shell_add_beside (WeirWindow *window)
{
  weir_shell_present (window);
  return weir_shell_add (weir_shell_get_of (window), weir_window_new ());
}

void
weir_shell_move_to_new (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);

  if (adw_tab_view_get_n_pages (self->tabs) > 1)
    adw_tab_view_transfer_page (self->tabs, page_of (self, window), create_window (self), 0);
}

void
weir_shell_show_next (WeirWindow *window, int step)
{
  WeirShell *self = weir_shell_get_of (window);
  int n = adw_tab_view_get_n_pages (self->tabs);
  int i = adw_tab_view_get_page_position (self->tabs, page_of (self, window));

  adw_tab_view_set_selected_page (self->tabs, adw_tab_view_get_nth_page (self->tabs, (i + step + n) % n));
}

void
weir_shell_reorder (WeirWindow *window, int step)
{
  WeirShell *self = weir_shell_get_of (window);

  if (step > 0)
    adw_tab_view_reorder_forward (self->tabs, page_of (self, window));
  else
    adw_tab_view_reorder_backward (self->tabs, page_of (self, window));
}

/* --- Which file is where ------------------------------------------------------------------------- */

/* Names the file itself, however it is reached; NULL if it does not exist. (transfer full) */
static char *
dup_identity (GFile *file)
{
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, G_FILE_ATTRIBUTE_ID_FILE, G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info == NULL ? NULL : g_strdup (g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ID_FILE));
}

static gboolean
is_same_file (GFile *a, GFile *b)
{
  g_autofree char *x = NULL, *y = NULL;

  if (g_file_equal (a, b))
    return TRUE;
  x = dup_identity (a);
  y = dup_identity (b);
  return x != NULL && g_strcmp0 (x, y) == 0;
}

GPtrArray *
weir_shell_list_all (GtkApplication *application)
{
  GPtrArray *all = g_ptr_array_new ();

  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (WEIR_IS_SHELL (l->data))
      for (int i = 0; i < adw_tab_view_get_n_pages (WEIR_SHELL (l->data)->tabs); i++)
        g_ptr_array_add (all, window_at (l->data, i));
  return all;
}

WeirWindow *
weir_shell_find_file (GtkApplication *application, GFile *file, WeirWindow *but)
{
  g_autoptr (GPtrArray) all = weir_shell_list_all (application);

  for (guint i = 0; i < all->len; i++)
    {
      WeirWindow *window = g_ptr_array_index (all, i);
      GFile *open = weir_document_get_file (weir_window_get_document (window));

      if (window != but && open != NULL && is_same_file (open, file))
        return window;
    }
  return NULL;
}

static gboolean
files_dropped (G_GNUC_UNUSED GtkDropTarget *target, const GValue *value, G_GNUC_UNUSED double x,
               G_GNUC_UNUSED double y, WeirShell *self)
{
  GSList *files = g_value_get_boxed (value);

  for (GSList *l = files; l != NULL; l = l->next)
    weir_window_open_beside (weir_shell_get_shown (self), l->data);
  return files != NULL;
}

/* --- Closing ------------------------------------------------------------------------------------- */

static void
close_tab_anyway (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);

  window->may_close = TRUE;
  adw_tab_view_close_page (self->tabs, page_of (self, window));
}

static gboolean
close_page (WeirShell *self, AdwTabPage *page)
{
  WeirWindow *window = WEIR_WINDOW (adw_tab_page_get_child (page));
  gboolean may_close = window->may_close || weir_window_confirm_loss (window, close_tab_anyway);

  if (!may_close)
    adw_tab_view_set_selected_page (self->tabs, page);
  adw_tab_view_close_page_finish (self->tabs, page, may_close);
  return GDK_EVENT_STOP;
}

void
weir_shell_close_tab (WeirWindow *window)
{
  WeirShell *self = weir_shell_get_of (window);

  adw_tab_view_close_page (self->tabs, page_of (self, window));
}

static void
close_anyway (WeirShell *self)
{
  self->may_close = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

/* Saves what is left to be saved, then closes. Whatever is not saved after all ends this. */
static void
save_next (WeirWindow *saved)
{
  WeirShell *self = weir_shell_get_of (saved);
  WeirWindow *next;

  if (self->to_save != NULL && self->to_save->len > 0)
    {
      next = g_ptr_array_steal_index (self->to_save, 0);
      weir_shell_present (next);
      weir_window_save (next, FALSE, save_next);
    }
  else
    close_anyway (self);
}

static void
close_shell_of (WeirWindow *window)
{
  close_anyway (weir_shell_get_of (window));
}

static gboolean
begin_saving (gpointer self)
{
  save_next (weir_shell_get_shown (self));
  return G_SOURCE_REMOVE;
}

static gboolean
begin_closing (gpointer self)
{
  close_anyway (self);
  return G_SOURCE_REMOVE;
}

static void
unsaved_response (AdwMessageDialog *dialog, const char *response, WeirShell *self)
{
  GtkWidget *list = adw_message_dialog_get_extra_child (dialog);

  g_clear_pointer (&self->to_save, g_ptr_array_unref);
  if (strcmp (response, "discard") == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, begin_closing, g_object_ref (self), g_object_unref);
  if (strcmp (response, "save") != 0)
    return;
  self->to_save = g_ptr_array_new ();
  for (GtkWidget *check = gtk_widget_get_first_child (list); check != NULL;
       check = gtk_widget_get_next_sibling (check))
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
      g_ptr_array_add (self->to_save, g_object_get_data (G_OBJECT (check), "weir-window"));
  g_idle_add_full (G_PRIORITY_DEFAULT, begin_saving, g_object_ref (self), g_object_unref);
}

/* Which of several to save. */
static void
ask_about (WeirShell *self, GPtrArray *unsaved)
{
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *dialog = weir_gui_save_question_new (GTK_WINDOW (self), _ ("_Discard All"));

  for (guint i = 0; i < unsaved->len; i++)
    {
      WeirWindow *window = g_ptr_array_index (unsaved, i);
      g_autofree char *name = weir_window_dup_name (window);
      GtkWidget *check = gtk_check_button_new_with_label (name);

      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
      g_object_set_data (G_OBJECT (check), "weir-window", window);
      gtk_box_append (GTK_BOX (list), check);
    }
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), _ ("These models have changes that are not saved. "
                                                               "What is not chosen here loses them."));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list);
  g_signal_connect_object (dialog, "response", G_CALLBACK (unsaved_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
close_request (GtkWindow *window)
{
  WeirShell *self = WEIR_SHELL (window);
  g_autoptr (GPtrArray) unsaved = g_ptr_array_new ();
  WeirWindow *shown = weir_shell_get_shown (self);

  for (int i = 0; !self->may_close && i < adw_tab_view_get_n_pages (self->tabs); i++)
    if (weir_window_has_unsaved (window_at (self, i)))
      g_ptr_array_add (unsaved, window_at (self, i));
  if (unsaved->len == 1)
    {
      weir_shell_present (g_ptr_array_index (unsaved, 0));
      weir_window_confirm_loss (g_ptr_array_index (unsaved, 0), close_shell_of);
      return GDK_EVENT_STOP;
    }
  if (unsaved->len > 1)
    {
      ask_about (self, unsaved);
      return GDK_EVENT_STOP;
    }
  if (shown != NULL)
    weir_window_store_layout (shown);
  return GTK_WINDOW_CLASS (weir_shell_parent_class)->close_request (window);
}

/* --- Life -------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  WeirShell *self = WEIR_SHELL (object);

  if (self->tabs != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->tabs, self);
      gtk_widget_insert_action_group (GTK_WIDGET (self), "win", NULL);
    }
  self->tabs = NULL;
  g_clear_pointer (&self->to_save, g_ptr_array_unref);
  G_OBJECT_CLASS (weir_shell_parent_class)->dispose (object);
}

static void
weir_shell_class_init (WeirShellClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
}

static GMenuModel *
tab_menu_new (void)
{
  GMenu *menu = g_menu_new ();

  g_menu_append (menu, _ ("Move to New _Window"), "win.move-to-new-window");
  g_menu_append (menu, _ ("_Close Tab"), "win.close-tab");
  return G_MENU_MODEL (menu);
}

static void
weir_shell_init (WeirShell *self)
{
  GtkWidget *root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  AdwTabBar *bar = adw_tab_bar_new ();
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_autoptr (GMenuModel) menu = tab_menu_new ();

  self->tabs = adw_tab_view_new ();
  self->headers = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->headers), FALSE);
  /* The others are actions, so that they come before what the widgets do with these keys. */
  adw_tab_view_set_shortcuts (self->tabs, ADW_TAB_VIEW_SHORTCUT_ALT_DIGITS | ADW_TAB_VIEW_SHORTCUT_ALT_ZERO);
  adw_tab_view_set_menu_model (self->tabs, menu);
  adw_tab_bar_set_view (bar, self->tabs);
  gtk_box_append (GTK_BOX (root), self->headers);
  gtk_box_append (GTK_BOX (root), GTK_WIDGET (bar));
  gtk_box_append (GTK_BOX (root), GTK_WIDGET (self->tabs));
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), root);

  g_signal_connect_swapped (self->tabs, "page-attached", G_CALLBACK (page_attached), self);
  g_signal_connect_swapped (self->tabs, "page-detached", G_CALLBACK (page_detached), self);
  g_signal_connect_swapped (self->tabs, "notify::selected-page", G_CALLBACK (shown_changed), self);
  g_signal_connect_swapped (self->tabs, "close-page", G_CALLBACK (close_page), self);
  g_signal_connect_swapped (self->tabs, "create-window", G_CALLBACK (create_window), self);
  g_signal_connect_swapped (self->tabs, "setup-menu", G_CALLBACK (setup_menu), self);
  g_signal_connect (target, "drop", G_CALLBACK (files_dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  weir_shell_restore_size (self);
}

WeirShell *
weir_shell_new (GtkApplication *application)
{
  return g_object_new (WEIR_TYPE_SHELL, "application", application, NULL);
}
