/* The welcome page: new models from templates, the examples with pictures, what was open lately.
 *
 * A picture is drawn from the model itself, so that it shows what opens. Everything on it is a
 * button with an action of the window; a search narrows the cards.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "config.h"
#include "gui/shell/editor-private.h"
#include "lessons/lesson.h"
#include "model/files/xml.h"
#include "paint/drawing/picture.h"
#include "widgets/look.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define CARD_WIDTH 200
#define PICTURE_HEIGHT 104
#define N_RECENT 6

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

char *
weir_gui_find_data (const char *name)
{
  static const char *const folders[] = { WEIR_SOURCE_DATA_DIR, WEIR_DATA_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (folders[i], name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return g_build_filename (WEIR_DATA_DIR, name, NULL);
}

/* Files of a folder that comes with the program, sorted. (transfer full) */
static GPtrArray *
list_files (const char *kind, const char *suffix)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = weir_gui_find_data (kind);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

GPtrArray *
weir_gui_list_models (const char *kind)
{
  return list_files (kind, ".weir");
}

char *
weir_gui_dup_folder_name (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) home = g_file_new_for_path (g_get_home_dir ());
  g_autofree char *below = folder == NULL ? NULL : g_file_get_relative_path (home, folder);

  if (folder == NULL)
    return NULL;
  if (below != NULL)
    return g_build_filename ("~", below, NULL);
  return g_file_equal (folder, home) ? g_strdup ("~") : g_file_get_parse_name (folder);
}

/* --- Cards ----------------------------------------------------------------------------------- */

static void
draw_model (G_GNUC_UNUSED GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer model)
{
  weir_diagram_draw_fitted (weir_model_get_root (model), NULL, cr, width, height,
                            weir_look_get_palette ());
}

static gboolean
show_picture (gpointer picture)
{
  WeirModel *model = g_object_get_data (picture, "weir-model");

  gtk_drawing_area_set_draw_func (picture, draw_model, weir_model_ref (model),
                                  (GDestroyNotify) weir_model_unref);
  return G_SOURCE_REMOVE;
}

/* In its first frame: the picture comes right after it. Drawing all of them takes longer than all
 * else. */
static gboolean
on_first_frame (GtkWidget *picture, G_GNUC_UNUSED GdkFrameClock *clock, G_GNUC_UNUSED gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_picture, g_object_ref (picture), g_object_unref);
  return G_SOURCE_REMOVE;
}

/* The model of a file, or of a lesson, and its title; NULL if the file is neither.
 * (transfer full) */
static WeirModel *
read_card (GFile *file, char **title)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autofree char *name = g_file_get_basename (file);
  WeirModel *model;

  if (g_str_has_suffix (name, ".lesson"))
    {
      g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);
      g_autoptr (GFile) folder = g_file_get_parent (file);
      g_autoptr (GFile)
          beside = lesson != NULL ? g_file_resolve_relative_path (folder, lesson->model) : NULL;

      model = beside != NULL ? weir_model_read_file (beside, diagnostics) : NULL;
      *title = lesson != NULL ? g_strdup (weir_translate (lesson->title)) : NULL;
      return model;
    }
  model = weir_model_read_file (file, diagnostics);
  *title = model != NULL ? g_strdup (weir_translate (weir_model_get_title (model))) : NULL;
  return model;
}

static GtkWidget *
card_new (GFile *file, const char *action)
{
  g_autofree char *uri = g_file_get_uri (file), *name = g_file_get_basename (file), *title = NULL;
  WeirModel *model = read_card (file, &title);
  GtkWidget *button, *box, *picture, *label;

  if (model == NULL)
    return NULL;
  button = gtk_button_new ();
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  picture = gtk_drawing_area_new ();
  label = gtk_label_new (title != NULL && title[0] != '\0' ? title : name);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (picture), CARD_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (picture), PICTURE_HEIGHT);
  g_object_set_data_full (G_OBJECT (picture), "weir-model", model,
                          (GDestroyNotify) weir_model_unref);
  gtk_widget_add_tick_callback (picture, on_first_frame, NULL, NULL);
  weir_look_follow (picture, G_CALLBACK (gtk_widget_queue_draw));
  gtk_widget_add_css_class (picture, "weir-picture");
  gtk_widget_set_overflow (picture, GTK_OVERFLOW_HIDDEN);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 20);
  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "card");
  gtk_widget_add_css_class (button, "weir-card");
  weir_set_tooltip (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (GTK_LABEL (label)), -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", uri);
  return button;
}

static GtkWidget *
heading_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "title-4");
  gtk_widget_set_margin_top (label, 18);
  return label;
}

static void
append_cards (GtkWidget *box, const char *title, const char *kind, const char *suffix,
              const char *action)
{
  g_autoptr (GPtrArray) paths = list_files (kind, suffix);
  GtkWidget *flow;

  if (paths->len == 0)
    return;
  flow = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (flow), 12);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), 12);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), 4);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (flow), TRUE);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (paths, i));
      GtkWidget *card = card_new (file, action);

      if (card != NULL)
        {
          gtk_flow_box_append (GTK_FLOW_BOX (flow), card);
          gtk_widget_set_focusable (gtk_widget_get_parent (card), FALSE); /* the button is */
        }
    }
  gtk_box_append (GTK_BOX (box), heading_new (title));
  gtk_box_append (GTK_BOX (box), flow);
}

/* --- What was open lately -------------------------------------------------------------------- */

static int
compare_visits (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

GList *
weir_gui_list_recent (void)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ()), *next;

  for (GList *l = items; l != NULL; l = next)
    {
      next = l->next;
      if (g_str_has_suffix (gtk_recent_info_get_uri (l->data), ".weir")
          && gtk_recent_info_exists (l->data))
        continue;
      gtk_recent_info_unref (l->data);
      items = g_list_delete_link (items, l);
    }
  return g_list_sort (items, compare_visits);
}

static void
append_recent (GtkWidget *box)
{
  GList *items = weir_gui_list_recent ();
  GtkWidget *list;
  guint n = 0;

  if (items == NULL)
    return;
  list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  for (GList *l = items; l != NULL && n < N_RECENT; l = l->next, n++)
    {
      GtkWidget *row = adw_action_row_new ();
      g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (l->data));
      g_autofree char *folder = weir_gui_dup_folder_name (file);
      g_autofree char *title = g_markup_escape_text (gtk_recent_info_get_display_name (l->data),
                                                     -1);
      g_autofree char *subtitle = folder != NULL ? g_markup_escape_text (folder, -1) : NULL;

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-uri");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s",
                                        gtk_recent_info_get_uri (l->data));
      gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  gtk_box_append (GTK_BOX (box), heading_new (_ ("Recent")));
  gtk_box_append (GTK_BOX (box), list);
}

static GtkWidget *
text_button_new (const char *label, const char *action, const char *css_class)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "pill");
  if (css_class != NULL)
    gtk_widget_add_css_class (button, css_class);
  return button;
}

static gboolean
append_examples (gpointer box)
{
  append_cards (box, _ ("Examples"), "examples", ".weir", "win.open-uri");
  return G_SOURCE_REMOVE;
}

/* There are many, and they lie below what a window shows at first: they come right after it, before
 * the pictures. */
static gboolean
on_first_frame_of_all (GtkWidget *box, G_GNUC_UNUSED GdkFrameClock *clock,
                       G_GNUC_UNUSED gpointer data)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, append_examples, g_object_ref (box), g_object_unref);
  return G_SOURCE_REMOVE;
}

GtkWidget *
weir_welcome_new (void)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *clamp = adw_clamp_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (_ ("Welcome to Weir"));
  GtkWidget *text = gtk_label_new (
      _ ("Wire block diagrams, run them, and see what the cache does."));

  gtk_widget_add_css_class (title, "title-1");
  gtk_widget_add_css_class (text, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (buttons, 12);
  gtk_box_append (GTK_BOX (buttons),
                  text_button_new (_ ("_New Model"), "win.new-here", "suggested-action"));
  gtk_box_append (GTK_BOX (buttons), text_button_new (_ ("_Open…"), "win.open", NULL));
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), buttons);
  append_recent (box);
  append_cards (box, _ ("Templates"), "templates", ".weir", "win.open-template");
  append_cards (box, _ ("Lessons"), "lessons", ".lesson", "win.open-lesson");
  gtk_widget_add_tick_callback (box, on_first_frame_of_all, NULL, NULL);
  weir_set_margins (box, 18, 30);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), 960);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  return scrolled;
}
