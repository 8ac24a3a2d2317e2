/* WeirHelpWindow. See help-window.h.
 *
 * The list at the side is the contents, or what was found while something is searched. The history
 * keeps how far each page was scrolled when it was left.
 */
#include "gui/shell/help-window.h"

#include <glib/gi18n-lib.h>
#include <libintl.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "canvas/edits/edits.h"
#include "config.h"
#include "gui/shell/editor-private.h"
#include "panels/block-help.h"
#include "panels/help-view.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define WIDTH 860
#define HEIGHT 700
#define SIDE_WIDTH 250
#define NARROW 620 /* px: below it the list at the side is hidden until it is asked for */
#define MAX_HITS 100

typedef struct {
  const WeirHelpPage *page;
  guint block;     /* to show first; ... */
  double position; /* ... if it was not scrolled since: negative */
} Visit;

struct _WeirHelpWindow {
  AdwWindow parent;
  WeirHelp *help;          /* NULL where it cannot be read */
  GPtrArray *examples;     /* files of models, char * */
  GHashTable *block_pages; /* id -> WeirBlockHelp; kept, as visits and lists borrow from them */
  GArray *visits;          /* Visit */
  guint visit;             /* that is shown */
  GtkWidget *view, *title, *flap, *search, *list, *nothing;
  GtkWidget *find_bar, *find_entry, *find_count;
  guint n_found;
};

G_DEFINE_FINAL_TYPE (WeirHelpWindow, weir_help_window, ADW_TYPE_WINDOW)

static WeirHelpWindow *the_window; /* while it is there */

/* --- Pages ----------------------------------------------------------------------------------- */

/* "page" of "page#section". (transfer full) */
static char *
dup_page_id (const char *target)
{
  const char *end = strchr (target, '#');

  return end != NULL ? g_strndup (target, (gsize) (end - target)) : g_strdup (target);
}

/* NULL if there is none. @block: (out): where its section begins. */
static const WeirHelpPage *
find_page (WeirHelpWindow *self, const char *target, guint *block)
{
  const WeirHelpPage *page = self->help != NULL ? weir_help_find_page (self->help, target) : NULL;
  g_autofree char *id = dup_page_id (target);
  WeirBlockHelp *made;

  *block = 0;
  if (page != NULL)
    {
      *block = weir_help_find_section (page, target);
      return page;
    }
  made = g_hash_table_lookup (self->block_pages, id);
  if (made == NULL)
    {
      made = weir_block_help_new (id, self->examples);
      if (made == NULL)
        return NULL;
      g_hash_table_insert (self->block_pages, g_strdup (id), made);
    }
  return weir_block_help_get_page (made);
}

static Visit *
get_visit (WeirHelpWindow *self)
{
  return &g_array_index (self->visits, Visit, self->visit);
}

static void
set_enabled (WeirHelpWindow *self, const char *action, gboolean enabled)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), action, enabled);
}

static void
show_count (WeirHelpWindow *self, guint present)
{
  /* Translators: which of those that were found is shown, and how many there are. */
  g_autofree char *count = g_strdup_printf (_ ("%u of %u"), present, self->n_found);

  gtk_label_set_text (GTK_LABEL (self->find_count), count);
}

static void
update_find (WeirHelpWindow *self)
{
  const char *text = gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->find_bar))
                         ? gtk_editable_get_text (GTK_EDITABLE (self->find_entry))
                         : "";

  self->n_found = weir_help_view_find (WEIR_HELP_VIEW (self->view), text);
  if (text[0] != '\0')
    show_count (self, MIN (self->n_found, 1));
  else
    gtk_label_set_text (GTK_LABEL (self->find_count), "");
}

/* The row of the page that is shown, if it is listed. */
static void
mark_row (WeirHelpWindow *self)
{
  GtkListBoxRow *row;

  gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
  for (int i = 0; self->visits->len > 0
                  && (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL;
       i++)
    if (g_object_get_data (G_OBJECT (row), "weir-page") == get_visit (self)->page
        && GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "weir-block"))
               == get_visit (self)->block)
      {
        gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
        return;
      }
}

static void
show_visit (WeirHelpWindow *self)
{
  const Visit *visit = get_visit (self);

  weir_help_view_show (WEIR_HELP_VIEW (self->view), self->help, visit->page, visit->block);
  if (visit->position >= 0)
    weir_help_view_set_position (WEIR_HELP_VIEW (self->view), visit->position);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), visit->page->title);
  gtk_window_set_title (GTK_WINDOW (self), visit->page->title);
  set_enabled (self, "help.back", self->visit > 0);
  set_enabled (self, "help.forward", self->visit + 1 < self->visits->len);
  mark_row (self);
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->find_bar)))
    update_find (self);
}

static void
leave (WeirHelpWindow *self)
{
  if (self->visits->len > 0)
    get_visit (self)->position = weir_help_view_get_position (WEIR_HELP_VIEW (self->view));
}

static void
visit_page (WeirHelpWindow *self, const WeirHelpPage *page, guint block)
{
  Visit visit = { page, block, -1 };

  leave (self);
  if (self->visits->len > 0)
    g_array_set_size (self->visits, self->visit + 1);
  g_array_append_val (self->visits, visit);
  self->visit = self->visits->len - 1;
  show_visit (self);
  if (adw_flap_get_folded (ADW_FLAP (self->flap)))
    adw_flap_set_reveal_flap (ADW_FLAP (self->flap), FALSE);
}

/* By an action of the application, which knows the windows of models. */
static void
do_in_application (const char *action, const char *text)
{
  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), action,
                                  g_variant_new_string (text));
}

static void
follow (WeirHelpWindow *self, const char *target)
{
  const WeirHelpPage *page;
  guint block;

  if (g_str_has_prefix (target, "https:") || g_str_has_prefix (target, "http:"))
    {
      gtk_show_uri (GTK_WINDOW (self), target, GDK_CURRENT_TIME);
      return;
    }
  if (g_str_has_prefix (target, WEIR_HELP_FILE))
    {
      g_autofree char *path = weir_gui_find_data (target + strlen (WEIR_HELP_FILE));

      do_in_application ("open-example", path);
      return;
    }
  page = find_page (self, target, &block);
  if (page != NULL)
    visit_page (self, page, block);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

/* --- The list at the side -------------------------------------------------------------------- */

static void
clear_list (WeirHelpWindow *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
}

/* @page: borrowed; @text: (nullable). */
static void
add_row (WeirHelpWindow *self, const WeirHelpPage *page, guint block, const char *title,
         const char *text, guint depth)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (text != NULL && text[0] != '\0')
    {
      GtkWidget *excerpt = gtk_label_new (text);

      gtk_label_set_xalign (GTK_LABEL (excerpt), 0);
      gtk_label_set_wrap (GTK_LABEL (excerpt), TRUE);
      gtk_label_set_lines (GTK_LABEL (excerpt), 2);
      gtk_label_set_ellipsize (GTK_LABEL (excerpt), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (excerpt, "caption");
      gtk_widget_add_css_class (excerpt, "dim-label");
      gtk_box_append (GTK_BOX (box), excerpt);
    }
  weir_set_margins (box, 6, 6);
  gtk_widget_set_margin_start (box, 6 + 15 * (int) depth);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data (G_OBJECT (row), "weir-page", (gpointer) page);
  g_object_set_data (G_OBJECT (row), "weir-block", GUINT_TO_POINTER (block));
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* A page and, if it is a guide, those under it; each page once. */
static void
add_contents (WeirHelpWindow *self, guint i, guint depth, gboolean *is_listed)
{
  const WeirHelpPage *page = weir_help_get_page (self->help, i);

  if (is_listed[i])
    return;
  is_listed[i] = TRUE;
  add_row (self, page, 0, page->title, NULL, depth);
  for (guint k = 0; k < page->n_children; k++)
    add_contents (self, page->children[k], depth + 1, is_listed);
}

static void
show_contents (WeirHelpWindow *self)
{
  guint n = self->help != NULL ? weir_help_get_n_pages (self->help) : 0, block;
  g_autofree gboolean *is_listed = g_new0 (gboolean, n + 1);
  const WeirHelpPage *page = find_page (self, WEIR_BLOCK_HELP_ALL, &block);

  clear_list (self);
  for (guint i = 0; i < n; i++)
    add_contents (self, i, 0, is_listed);
  add_row (self, page, 0, page->title, NULL, n > 0 ? 1 : 0);
}

static void
show_hits (WeirHelpWindow *self, const char *words)
{
  g_autoptr (GPtrArray) hits = self->help != NULL ? weir_help_search (self->help, words) : NULL;
  g_autoptr (GPtrArray) types = weir_block_help_search (words);
  guint n = 0, block;

  clear_list (self);
  for (guint i = 0; hits != NULL && i < hits->len && n < MAX_HITS; i++, n++)
    {
      const WeirHelpHit *hit = hits->pdata[i];

      add_row (self, hit->page, hit->block, hit->title, hit->excerpt, 0);
    }
  for (guint i = 0; i < types->len && n < MAX_HITS; i++, n++)
    {
      const WeirHelpPage *page = find_page (self, types->pdata[i], &block);

      add_row (self, page, 0, page->title, page->summary, 0);
    }
}

static void
search_changed (WeirHelpWindow *self)
{
  g_autofree char *words = g_strstrip (
      g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search))));

  if (words[0] != '\0')
    show_hits (self, words);
  else
    show_contents (self);
  mark_row (self);
}

static void
row_activated (WeirHelpWindow *self, GtkListBoxRow *row)
{
  visit_page (self, g_object_get_data (G_OBJECT (row), "weir-page"),
              GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "weir-block")));
}

/* Return goes to the best that was found. */
static void
search_entered (WeirHelpWindow *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0);

  if (row == NULL)
    return;
  row_activated (self, row);
  gtk_widget_grab_focus (self->view);
}

/* --- Examples -------------------------------------------------------------------------------- */

static const char *
get_example (const char *parameter, gpointer code)
{
  const WeirBlockType *type = weir_registry_find ("Equations");

  return g_str_equal (parameter, type->equations) ? code : NULL;
}

/* Whether it is text in the language of equations: commands and the like are not. */
static gboolean
is_equations (const char *code)
{
  const WeirBlockType *type = weir_registry_find ("Equations");
  g_autoptr (WeirArguments)
      arguments = weir_arguments_new (type, get_example, (gpointer) code, NULL);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  if (arguments == NULL)
    return FALSE;
  type->check (arguments, diagnostics, "", 0, 0);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    if (g_str_equal (weir_diagnostics_get (diagnostics, i)->code, "EQ01"))
      return FALSE;
  return TRUE;
}

/* In the editor that was used last. */
static void
insert (G_GNUC_UNUSED WeirHelpWindow *self, const char *code)
{
  do_in_application ("insert-example", code);
}

/* --- Actions --------------------------------------------------------------------------------- */

#define ACTION(name)                                                                               \
  static void name (GtkWidget *widget, G_GNUC_UNUSED const char *action,                           \
                    G_GNUC_UNUSED GVariant *value)

ACTION (go_back)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (widget);

  leave (self);
  self->visit--;
  show_visit (self);
}

ACTION (go_forward)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (widget);

  leave (self);
  self->visit++;
  show_visit (self);
}

ACTION (go_home)
{
  follow (WEIR_HELP_WINDOW (widget), "index");
}

ACTION (start_find)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (widget);

  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->find_bar), TRUE);
  gtk_widget_grab_focus (self->find_entry);
  gtk_editable_select_region (GTK_EDITABLE (self->find_entry), 0, -1);
}

ACTION (start_search)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (widget);

  adw_flap_set_reveal_flap (ADW_FLAP (self->flap), TRUE);
  gtk_widget_grab_focus (self->search);
  gtk_editable_select_region (GTK_EDITABLE (self->search), 0, -1);
}

ACTION (toggle_side)
{
  AdwFlap *flap = ADW_FLAP (WEIR_HELP_WINDOW (widget)->flap);

  adw_flap_set_reveal_flap (flap, !adw_flap_get_reveal_flap (flap));
}

static void
find_step (WeirHelpWindow *self, int step)
{
  if (self->n_found > 0)
    show_count (self, weir_help_view_find_next (WEIR_HELP_VIEW (self->view), step));
}

ACTION (find_next)
{
  find_step (WEIR_HELP_WINDOW (widget), 1);
}

ACTION (find_previous)
{
  find_step (WEIR_HELP_WINDOW (widget), -1);
}

ACTION (close_window)
{
  gtk_window_close (GTK_WINDOW (widget));
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (object);

  if (the_window == self)
    the_window = NULL;
  G_OBJECT_CLASS (weir_help_window_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  WeirHelpWindow *self = WEIR_HELP_WINDOW (object);

  g_array_unref (self->visits);
  g_hash_table_unref (self->block_pages);
  g_ptr_array_unref (self->examples);
  g_clear_pointer (&self->help, weir_help_free);
  G_OBJECT_CLASS (weir_help_window_parent_class)->finalize (object);
}

static void
weir_help_window_class_init (WeirHelpWindowClass *klass)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    const char *keys;
  } actions[] = {
    { "help.back", go_back, "<Alt>Left Back" },
    { "help.forward", go_forward, "<Alt>Right Forward" },
    { "help.home", go_home, "<Alt>Home" },
    { "help.find", start_find, "<Control>f" },
    { "help.find-next", find_next, "<Control>g F3" },
    { "help.find-previous", find_previous, "<Control><Shift>g <Shift>F3" },
    { "help.search", start_search, "<Control>k <Control><Shift>f" },
    { "help.side", toggle_side, "F9" },
    { "help.close", close_window, "<Control>w" },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_auto (GStrv) keys = g_strsplit (actions[i].keys, " ", -1);

      gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
      for (guint k = 0; keys[k] != NULL; k++)
        {
          GdkModifierType held;
          guint key;

          gtk_accelerator_parse (keys[k], &key, &held);
          gtk_widget_class_add_binding_action (widget_class, key, held, actions[i].name, NULL);
        }
    }
}

static GtkWidget *
header_new (WeirHelpWindow *self)
{
  GtkWidget *header = adw_header_bar_new (), *history = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->title = adw_window_title_new (_ ("Help"), NULL);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      weir_icon_button_new ("sidebar-show-symbolic", "help.side", _ ("Contents (F9)")));
  gtk_widget_add_css_class (history, "linked");
  gtk_box_append (GTK_BOX (history), weir_icon_button_new ("go-previous-symbolic", "help.back",
                                                           _ ("Back (Alt+Left)")));
  gtk_box_append (GTK_BOX (history), weir_icon_button_new ("go-next-symbolic", "help.forward",
                                                           _ ("Forward (Alt+Right)")));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), history);
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      weir_icon_button_new ("go-home-symbolic", "help.home", _ ("First Page (Alt+Home)")));
  adw_header_bar_pack_end (
      ADW_HEADER_BAR (header),
      weir_icon_button_new ("edit-find-symbolic", "help.find", _ ("Find in This Page (Ctrl+F)")));
  return header;
}

static void
go_to_next (WeirHelpWindow *self)
{
  find_step (self, 1);
}

static void
go_to_previous (WeirHelpWindow *self)
{
  find_step (self, -1);
}

static GtkWidget *
find_bar_new (WeirHelpWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->find_bar = gtk_search_bar_new ();
  self->find_entry = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->find_entry, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->find_entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find in this page"), -1);
  self->find_count = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                                   NULL);
  gtk_widget_add_css_class (self->find_count, "numeric");
  gtk_box_append (GTK_BOX (box), self->find_entry);
  gtk_box_append (GTK_BOX (box), self->find_count);
  gtk_box_append (GTK_BOX (box), weir_icon_button_new ("go-up-symbolic", "help.find-previous",
                                                       _ ("Previous (Ctrl+Shift+G)")));
  gtk_box_append (GTK_BOX (box),
                  weir_icon_button_new ("go-down-symbolic", "help.find-next", _ ("Next (Ctrl+G)")));
  gtk_search_bar_set_child (GTK_SEARCH_BAR (self->find_bar), box);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->find_bar), GTK_EDITABLE (self->find_entry));
  gtk_search_bar_set_show_close_button (GTK_SEARCH_BAR (self->find_bar), TRUE);
  g_signal_connect_swapped (self->find_entry, "search-changed", G_CALLBACK (update_find), self);
  /* It takes Ctrl+G for itself. */
  g_signal_connect_swapped (self->find_entry, "activate", G_CALLBACK (go_to_next), self);
  g_signal_connect_swapped (self->find_entry, "next-match", G_CALLBACK (go_to_next), self);
  g_signal_connect_swapped (self->find_entry, "previous-match", G_CALLBACK (go_to_previous), self);
  g_signal_connect_swapped (self->find_bar, "notify::search-mode-enabled", G_CALLBACK (update_find),
                            self);
  return self->find_bar;
}

static GtkWidget *
side_new (WeirHelpWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *scrolled = gtk_scrolled_window_new ();

  self->search = gtk_search_entry_new ();
  weir_set_margins (self->search, 6, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search all pages"), -1);
  weir_set_tooltip (self->search, _ ("Search all pages (Ctrl+K)"));
  self->nothing = weir_empty_page_new (_ ("Nothing Found"), NULL, NULL);
  self->list = gtk_list_box_new ();
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), self->nothing);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Contents"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_set_size_request (box, SIDE_WIDTH, -1);
  gtk_widget_add_css_class (box, "background");
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (search_entered), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);
  return box;
}

/* Texts of pages are in a catalogue of their own. */
static const char *
translate (const char *text)
{
  return text[0] != '\0' ? g_dgettext (WEIR_HELP_DOMAIN, text) : text;
}

static void
weir_help_window_init (WeirHelpWindow *self)
{
  GtkWidget *root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *main = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GError) error = NULL;

  self->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  self->examples = weir_gui_list_models ("examples");
  self->block_pages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) weir_block_help_free);
  self->help = weir_help_open (NULL, translate, &error);
  if (self->help == NULL)
    g_message ("%s", error->message);

  self->view = weir_help_view_new ();
  weir_help_view_set_insertable (WEIR_HELP_VIEW (self->view), is_equations);
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_set_hexpand (self->view, TRUE);
  g_signal_connect_swapped (self->view, "link", G_CALLBACK (follow), self);
  g_signal_connect_swapped (self->view, "insert", G_CALLBACK (insert), self);
  gtk_box_append (GTK_BOX (main), find_bar_new (self));
  gtk_box_append (GTK_BOX (main), self->view);
  gtk_widget_set_size_request (main, NARROW - SIDE_WIDTH, -1);

  self->flap = adw_flap_new ();
  adw_flap_set_flap (ADW_FLAP (self->flap), side_new (self));
  adw_flap_set_separator (ADW_FLAP (self->flap), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  adw_flap_set_content (ADW_FLAP (self->flap), main);
  gtk_widget_set_vexpand (self->flap, TRUE);

  gtk_box_append (GTK_BOX (root), header_new (self));
  gtk_box_append (GTK_BOX (root), self->flap);
  adw_window_set_content (ADW_WINDOW (self), root);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  show_contents (self);
}

WeirHelpWindow *
weir_help_window_present (GtkApplication *application, const char *target)
{
  if (the_window == NULL)
    {
      the_window = g_object_new (WEIR_TYPE_HELP_WINDOW, "application", application, NULL);
      if (target == NULL)
        target = the_window->help != NULL ? "index" : WEIR_BLOCK_HELP_ALL;
    }
  if (target != NULL)
    follow (the_window, target);
  gtk_window_present (GTK_WINDOW (the_window));
  gtk_widget_grab_focus (the_window->view);
  return the_window;
}

const char *
weir_help_window_get_page (WeirHelpWindow *self)
{
  return self->visits->len > 0 ? get_visit (self)->page->id : "";
}
