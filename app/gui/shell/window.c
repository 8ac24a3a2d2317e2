/* WeirWindow. See window.h. */
#include "gui/shell/window.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/host/chooser.h"
#include "gui/host/page.h"
#include "gui/shell/editor-private.h"
#include "gui/shell/open-files.h"

struct _WeirWindow {
  AdwApplicationWindow parent;
  AdwTabView *tabs;
  GtkWidget *headers; /* a stack of the header bars of all tabs */
  WeirEditor *shown;  /* borrowed; only compared once its tab is gone */
  GPtrArray
      *to_save; /* borrowed WeirEditor: what is to be saved before the window closes, or NULL */
  gboolean may_close;
};

G_DEFINE_FINAL_TYPE (WeirWindow, weir_window, ADW_TYPE_APPLICATION_WINDOW)

static WeirEditor *
editor_at (WeirWindow *self, int i)
{
  return WEIR_EDITOR (adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tabs, i)));
}

static AdwTabPage *
page_of (WeirWindow *self, WeirEditor *editor)
{
  return adw_tab_view_get_page (self->tabs, GTK_WIDGET (editor));
}

WeirEditor *
weir_window_get_shown (WeirWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);

  return page != NULL ? WEIR_EDITOR (adw_tab_page_get_child (page)) : NULL;
}

WeirEditor *
weir_window_find_shown (GtkApplication *application)
{
  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (WEIR_IS_WINDOW (l->data))
      return weir_window_get_shown (l->data);
  return NULL;
}

AdwTabView *
weir_window_get_tabs (WeirWindow *self)
{
  return self->tabs;
}

WeirWindow *
weir_window_get_of (WeirEditor *editor)
{
  return WEIR_WINDOW (gtk_widget_get_ancestor (GTK_WIDGET (editor), WEIR_TYPE_WINDOW));
}

void
weir_window_present (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);

  adw_tab_view_set_selected_page (self->tabs, page_of (self, editor));
  gtk_window_present (GTK_WINDOW (self));
}

/* --- Tabs ------------------------------------------------------------------------------------ */

static void
update_title (WeirWindow *self)
{
  WeirEditor *editor = weir_window_get_shown (self);
  g_autofree char *title = NULL;

  if (editor == NULL)
    return;
  g_object_get (editor, "title", &title, NULL);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void
update_tab (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);
  AdwTabPage *page = page_of (self, editor);
  GFile *file = weir_document_get_file (weir_editor_get_document (editor));
  g_autofree char *title = NULL, *name = file != NULL ? g_file_get_parse_name (file) : NULL;
  g_autofree char *tooltip = name != NULL ? g_markup_escape_text (name, -1) : NULL;

  g_object_get (editor, "title", &title, NULL);
  adw_tab_page_set_title (page, title);
  adw_tab_page_set_tooltip (page, tooltip);
  update_title (self);
}

/* A run that ends while another tab is shown asks for a look. */
static void
running_changed (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);
  AdwTabPage *page = page_of (self, editor);
  gboolean running;

  g_object_get (editor, "running", &running, NULL);
  adw_tab_page_set_loading (page, running);
  if (!running && !adw_tab_page_get_selected (page))
    adw_tab_page_set_needs_attention (page, TRUE);
}

/* Models without a file are told apart by the first number that is free. */
static void
give_number (WeirWindow *self, WeirEditor *editor)
{
  g_autoptr (GPtrArray) all = weir_window_list_all (gtk_window_get_application (GTK_WINDOW (self)));
  guint number = 1;

  for (guint i = 0; i < all->len; i++)
    {
      WeirEditor *other = g_ptr_array_index (all, i);

      if (other != editor && other->number == number
          && weir_document_get_file (weir_editor_get_document (other)) == NULL)
        {
          number++;
          i = G_MAXUINT; /* from the first again */
        }
    }
  weir_editor_set_number (editor, number);
}

static void
page_attached (WeirWindow *self, AdwTabPage *page)
{
  WeirEditor *editor = WEIR_EDITOR (adw_tab_page_get_child (page));
  gboolean running;

  gtk_stack_add_child (GTK_STACK (self->headers), weir_editor_get_header (editor));
  g_signal_connect (editor, "notify::title", G_CALLBACK (update_tab), page);
  g_signal_connect (editor, "notify::running", G_CALLBACK (running_changed), page);
  g_object_get (editor, "running", &running, NULL);
  adw_tab_page_set_loading (page, running);
  if (editor->number == 0)
    give_number (self, editor);
  update_tab (editor);
}

static void
page_detached (WeirWindow *self, AdwTabPage *page)
{
  WeirEditor *editor = WEIR_EDITOR (adw_tab_page_get_child (page));

  g_signal_handlers_disconnect_by_data (editor, page);
  if (self->to_save != NULL)
    g_ptr_array_remove (self->to_save, editor);
  gtk_stack_remove (GTK_STACK (self->headers), weir_editor_get_header (editor));
  weir_window_note_files (gtk_window_get_application (GTK_WINDOW (self)));
  if (adw_tab_view_get_n_pages (self->tabs) == 0)
    gtk_window_close (GTK_WINDOW (self));
}

static void
shown_changed (WeirWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);
  WeirEditor *editor = weir_window_get_shown (self), *before = self->shown;

  self->shown = editor;
  /* Here only: a widget that moves between toplevels loses a group of its own that is named like
   * one above. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win",
                                  editor != NULL ? weir_editor_get_actions (editor) : NULL);
  if (editor == NULL)
    return;
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    if (editor_at (self, i) == before && before != editor)
      weir_editor_adopt_layout (editor, before);
  adw_tab_page_set_needs_attention (page, FALSE);
  gtk_stack_set_visible_child (GTK_STACK (self->headers), weir_editor_get_header (editor));
  update_title (self);
}

static AdwTabView *
create_window (WeirWindow *self)
{
  WeirWindow *other = weir_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  gtk_window_present (GTK_WINDOW (other));
  return other->tabs;
}

/* The menu's actions are those of the tab shown. */
static void
setup_menu (WeirWindow *self, AdwTabPage *page)
{
  if (page != NULL)
    adw_tab_view_set_selected_page (self->tabs, page);
}

/* @before: (nullable). */
static WeirEditor *
add_after (WeirWindow *self, WeirEditor *editor, AdwTabPage *before)
{
  AdwTabPage *page = adw_tab_view_add_page (self->tabs, GTK_WIDGET (editor), before);

  adw_tab_view_set_selected_page (self->tabs, page);
  gtk_widget_grab_focus (GTK_WIDGET (weir_editor_get_canvas (editor)));
  return editor;
}

WeirEditor *
weir_window_add (WeirWindow *self, WeirEditor *editor)
{
  return add_after (self, editor, adw_tab_view_get_selected_page (self->tabs));
}

WeirEditor *
weir_window_add_beside (WeirEditor *editor, WeirEditor *added)
{
  WeirWindow *self = weir_window_get_of (editor);

  weir_editor_make_pages (added);
  gtk_window_present (GTK_WINDOW (self));
  return add_after (self, added, page_of (self, editor));
}

void
weir_window_attach_beside (WeirEditor *editor, WeirEditor *added)
{
  WeirWindow *self = weir_window_get_of (editor);

  weir_editor_make_pages (added);
  adw_tab_view_add_page (self->tabs, GTK_WIDGET (added), page_of (self, editor));
}

void
weir_window_move_to_new (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);

  if (adw_tab_view_get_n_pages (self->tabs) > 1)
    adw_tab_view_transfer_page (self->tabs, page_of (self, editor), create_window (self), 0);
}

void
weir_window_show_next (WeirEditor *editor, int step)
{
  WeirWindow *self = weir_window_get_of (editor);
  int n = adw_tab_view_get_n_pages (self->tabs);
  int i = adw_tab_view_get_page_position (self->tabs, page_of (self, editor));

  adw_tab_view_set_selected_page (self->tabs,
                                  adw_tab_view_get_nth_page (self->tabs, (i + step + n) % n));
}

void
weir_window_reorder (WeirEditor *editor, int step)
{
  WeirWindow *self = weir_window_get_of (editor);

  if (step > 0)
    adw_tab_view_reorder_forward (self->tabs, page_of (self, editor));
  else
    adw_tab_view_reorder_backward (self->tabs, page_of (self, editor));
}

/* --- Which file is where --------------------------------------------------------------------- */

/* Names the file itself, however it is reached; NULL if it does not exist. (transfer full) */
static char *
dup_identity (GFile *file)
{
  g_autoptr (GFileInfo)
      info = g_file_query_info (file, G_FILE_ATTRIBUTE_ID_FILE, G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info == NULL
             ? NULL
             : g_strdup (g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ID_FILE));
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
weir_window_list_all (GtkApplication *application)
{
  GPtrArray *all = g_ptr_array_new ();

  for (GList *l = gtk_application_get_windows (application); l != NULL; l = l->next)
    if (WEIR_IS_WINDOW (l->data))
      for (int i = 0; i < adw_tab_view_get_n_pages (WEIR_WINDOW (l->data)->tabs); i++)
        g_ptr_array_add (all, editor_at (l->data, i));
  return all;
}

void
weir_window_note_files (GtkApplication *application)
{
  g_autoptr (GPtrArray) all = weir_window_list_all (application);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  if (all->len == 0) /* the last window keeps its files to the end */
    return;
  for (guint i = 0; i < all->len; i++)
    {
      WeirDocument *document = weir_editor_get_document (g_ptr_array_index (all, i));

      if (weir_document_get_file (document) != NULL)
        g_ptr_array_add (files, weir_document_get_file (document));
    }
  weir_open_files_store (files);
}

WeirEditor *
weir_window_find_file (GtkApplication *application, GFile *file, WeirEditor *but)
{
  g_autoptr (GPtrArray) all = weir_window_list_all (application);

  for (guint i = 0; i < all->len; i++)
    {
      WeirEditor *editor = g_ptr_array_index (all, i);
      GFile *open = weir_document_get_file (weir_editor_get_document (editor));
      GFile *opening = weir_editor_get_opening (editor);

      if (editor != but
          && ((open != NULL && is_same_file (open, file))
              || (opening != NULL && is_same_file (opening, file))))
        return editor;
    }
  return NULL;
}

static gboolean
files_dropped (G_GNUC_UNUSED GtkDropTarget *target, const GValue *value, G_GNUC_UNUSED double x,
               G_GNUC_UNUSED double y, WeirWindow *self)
{
  GSList *files = g_value_get_boxed (value);

  for (GSList *l = files; l != NULL; l = l->next)
    if (weir_canvas_is_fmu (l->data))
      weir_canvas_add_fmu (weir_host_get_canvas (WEIR_HOST (weir_window_get_shown (self))),
                           l->data);
    else
      weir_editor_open_beside (weir_window_get_shown (self), l->data);
  return files != NULL;
}

/* --- Closing --------------------------------------------------------------------------------- */

static void
close_tab_anyway (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);

  editor->may_close = TRUE;
  adw_tab_view_close_page (self->tabs, page_of (self, editor));
}

static gboolean
close_page (WeirWindow *self, AdwTabPage *page)
{
  WeirEditor *editor = WEIR_EDITOR (adw_tab_page_get_child (page));
  gboolean may_close = editor->may_close || weir_editor_confirm_loss (editor, close_tab_anyway);

  if (!may_close)
    adw_tab_view_set_selected_page (self->tabs, page);
  else if (weir_document_get_file (editor->document) != NULL)
    weir_open_files_note_closed (weir_document_get_file (editor->document));
  adw_tab_view_close_page_finish (self->tabs, page, may_close);
  return GDK_EVENT_STOP;
}

void
weir_window_close_tab (WeirEditor *editor)
{
  WeirWindow *self = weir_window_get_of (editor);

  adw_tab_view_close_page (self->tabs, page_of (self, editor));
}

static void
close_anyway (WeirWindow *self)
{
  self->may_close = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

/* Saves what is left to be saved, then closes. Whatever is not saved after all ends this. */
static void
save_next (WeirEditor *saved)
{
  WeirWindow *self = weir_window_get_of (saved);
  WeirEditor *next;

  if (self->to_save != NULL && self->to_save->len > 0)
    {
      next = g_ptr_array_steal_index (self->to_save, 0);
      weir_window_present (next);
      weir_editor_save (next, FALSE, save_next);
    }
  else
    close_anyway (self);
}

static void
close_shell_of (WeirEditor *editor)
{
  close_anyway (weir_window_get_of (editor));
}

static gboolean
begin_saving (gpointer self)
{
  save_next (weir_window_get_shown (self));
  return G_SOURCE_REMOVE;
}

static gboolean
begin_closing (gpointer self)
{
  close_anyway (self);
  return G_SOURCE_REMOVE;
}

static void
unsaved_response (AdwMessageDialog *dialog, const char *response, WeirWindow *self)
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
ask_about (WeirWindow *self, GPtrArray *unsaved)
{
  GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *dialog = weir_save_question_new (GTK_WINDOW (self), _ ("Save Changes?"),
                                              _ ("_Discard All"));

  for (guint i = 0; i < unsaved->len; i++)
    {
      WeirEditor *editor = g_ptr_array_index (unsaved, i);
      g_autofree char *name = weir_editor_dup_name (editor);
      GtkWidget *check = gtk_check_button_new_with_label (name);

      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
      g_object_set_data (G_OBJECT (check), "weir-window", editor);
      gtk_box_append (GTK_BOX (list), check);
    }
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               _ ("These models have changes that are not saved. "
                                  "What is not chosen here loses them."));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), list);
  g_signal_connect_object (dialog, "response", G_CALLBACK (unsaved_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
close_request (GtkWindow *window)
{
  WeirWindow *self = WEIR_WINDOW (window);
  g_autoptr (GPtrArray) unsaved = g_ptr_array_new ();
  WeirEditor *shown = weir_window_get_shown (self);

  for (int i = 0; !self->may_close && i < adw_tab_view_get_n_pages (self->tabs); i++)
    if (weir_editor_has_unsaved (editor_at (self, i)))
      g_ptr_array_add (unsaved, editor_at (self, i));
  if (unsaved->len == 1)
    {
      weir_window_present (g_ptr_array_index (unsaved, 0));
      weir_editor_confirm_loss (g_ptr_array_index (unsaved, 0), close_shell_of);
      return GDK_EVENT_STOP;
    }
  if (unsaved->len > 1)
    {
      ask_about (self, unsaved);
      return GDK_EVENT_STOP;
    }
  if (shown != NULL)
    weir_editor_store_layout (shown);
  return GTK_WINDOW_CLASS (weir_window_parent_class)->close_request (window);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirWindow *self = WEIR_WINDOW (object);

  if (self->tabs != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->tabs, self);
      gtk_widget_insert_action_group (GTK_WIDGET (self), "win", NULL);
    }
  self->tabs = NULL;
  g_clear_pointer (&self->to_save, g_ptr_array_unref);
  G_OBJECT_CLASS (weir_window_parent_class)->dispose (object);
}

GResource *weir_shell_get_resource (void); /* made by glib-compile-resources */

static void
weir_window_class_init (WeirWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
  weir_shell_get_resource (); /* or it would not be linked in */
  weir_set_template (klass, "window.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, WeirWindow, headers);
  gtk_widget_class_bind_template_callback (widget_class, page_attached);
  gtk_widget_class_bind_template_callback (widget_class, page_detached);
  gtk_widget_class_bind_template_callback (widget_class, shown_changed);
  gtk_widget_class_bind_template_callback (widget_class, close_page);
  gtk_widget_class_bind_template_callback (widget_class, create_window);
  gtk_widget_class_bind_template_callback (widget_class, setup_menu);
}

static void
weir_window_init (WeirWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (target, "drop", G_CALLBACK (files_dropped), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  weir_window_restore_size (self);
}

WeirWindow *
weir_window_new (GtkApplication *application)
{
  return g_object_new (WEIR_TYPE_WINDOW, "application", application, NULL);
}
