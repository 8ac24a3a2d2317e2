/* WeirPalettePanel. See palette-panel.h.
 *
 * The list has a row for each group and, below it, one for each of its blocks, those of users'
 * parts last. A folded group hides those; while something is searched for, no group is folded.
 */
#include "panels/palette-panel.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "blocks/parts/user-parts.h"
#include "paint/drawing/diagram.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define ICON_WIDTH 48
#define ICON_HEIGHT 32

struct _WeirPalettePanel {
  GtkWidget parent;
  GtkWidget *search;
  GtkWidget *list;
  GHashTable *folded; /* categories, as in the registry */
  char *drop_prefix;
  GCancellable *reading; /* of users' parts */
};

G_DEFINE_FINAL_TYPE (WeirPalettePanel, weir_palette_panel, GTK_TYPE_WIDGET)

enum { SIGNAL_ADD_BLOCK, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROPERTY_FOLDED = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

#define OF_USER "weir-of-user" /* of rows of users' parts, and of groups that only they have */

/* NULL: it is the row of a group. */
static const WeirBlockType *
row_type (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "weir-type");
}

static const char *
row_group (GtkListBoxRow *row)
{
  const WeirBlockType *type = row_type (row);

  return type != NULL ? type->category : g_object_get_data (G_OBJECT (row), "weir-group");
}

static gboolean
is_searching (WeirPalettePanel *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->search))[0] != '\0';
}

/* --- Rows ------------------------------------------------------------------------------------ */

static GdkContentProvider *
drag_prepare (GtkDragSource *source, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
              WeirPalettePanel *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  g_autofree char *text = g_strconcat (self->drop_prefix, row_type (GTK_LIST_BOX_ROW (row))->name,
                                       NULL);

  return gdk_content_provider_new_typed (G_TYPE_STRING, text);
}

static void
drag_begin (GtkDragSource *source, G_GNUC_UNUSED GdkDrag *drag, GtkWidget *icon)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (icon);

  gtk_drag_source_set_icon (source, paintable, ICON_WIDTH / 2, ICON_HEIGHT / 2);
}

static GtkWidget *
row_new (WeirPalettePanel *self, const WeirBlockType *type)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = weir_block_icon_new (type->name, ICON_WIDTH, ICON_HEIGHT),
            *label = gtk_label_new (_ (type->title));
  GtkDragSource *drag = gtk_drag_source_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_margin_top (box, 3);
  gtk_widget_set_margin_bottom (box, 3);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  weir_set_tooltip (row, _ (type->summary));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (type->title), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ (type->summary), -1);
  g_object_set_data (G_OBJECT (row), "weir-type", (gpointer) type);

  g_signal_connect (drag, "prepare", G_CALLBACK (drag_prepare), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin), icon);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (drag));
  return row;
}

/* --- Groups ---------------------------------------------------------------------------------- */

static void
show_fold (WeirPalettePanel *self, GtkWidget *row)
{
  GtkWidget *arrow = g_object_get_data (G_OBJECT (row), "weir-arrow");
  gboolean folded = !is_searching (self)
                    && g_hash_table_contains (self->folded, row_group (GTK_LIST_BOX_ROW (row)));

  gtk_image_set_from_icon_name (GTK_IMAGE (arrow),
                                folded ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, !folded, -1);
}

static void
show_folds (WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (row_type (row) == NULL)
      show_fold (self, GTK_WIDGET (row));
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

static void
fold (WeirPalettePanel *self, const char *group, gboolean folded)
{
  if (folded == g_hash_table_contains (self->folded, group) || is_searching (self))
    return;
  if (folded)
    g_hash_table_add (self->folded, g_strdup (group));
  else
    g_hash_table_remove (self->folded, group);
  show_folds (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROPERTY_FOLDED]);
}

static void
toggle_group (WeirPalettePanel *self, GtkListBoxRow *row)
{
  fold (self, row_group (row), !g_hash_table_contains (self->folded, row_group (row)));
}

/* By a click anywhere on its row: blocks need two. */
static void
group_clicked (GtkGestureClick *gesture, int n_press, G_GNUC_UNUSED double x,
               G_GNUC_UNUSED double y, WeirPalettePanel *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  if (n_press == 1)
    toggle_group (self, GTK_LIST_BOX_ROW (row));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Left folds, from a block too, which then has no row any more; Right unfolds. */
static gboolean
list_key (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
          GdkModifierType state, WeirPalettePanel *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child (self->list);
  GtkListBoxRow *row = focus != NULL && GTK_IS_LIST_BOX_ROW (focus) ? GTK_LIST_BOX_ROW (focus)
                                                                    : NULL;
  gboolean folds = key == GDK_KEY_Left || key == GDK_KEY_KP_Left;

  if (row == NULL || is_searching (self) || (state & gtk_accelerator_get_default_mod_mask ()) != 0
      || (!folds && key != GDK_KEY_Right && key != GDK_KEY_KP_Right))
    return GDK_EVENT_PROPAGATE;
  if (folds)
    for (int i = gtk_list_box_row_get_index (row); i >= 0 && row_type (row) != NULL; i--)
      row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i);
  gtk_widget_grab_focus (GTK_WIDGET (row));
  if (row_type (row) == NULL)
    fold (self, row_group (row), folds);
  return GDK_EVENT_STOP;
}

static GtkWidget *
group_new (WeirPalettePanel *self, const char *group)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *arrow = gtk_image_new (), *label = gtk_label_new (_ (group));
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (arrow, "dim-label");
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (group),
                                  -1);
  g_object_set_data (G_OBJECT (row), "weir-group", (gpointer) group);
  g_object_set_data (G_OBJECT (row), "weir-arrow", arrow);
  g_signal_connect (click, "pressed", G_CALLBACK (group_clicked), self);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  show_fold (self, row);
  return row;
}

/* --- Searching and adding -------------------------------------------------------------------- */

static gboolean
contains (const char *text, const char *folded)
{
  g_autofree char *key = g_utf8_casefold (text, -1);

  return strstr (key, folded) != NULL;
}

static gboolean
answers (WeirPalettePanel *self, const WeirBlockType *type)
{
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)),
                                             -1);

  return contains (_ (type->title), folded) || contains (type->name, folded)
         || contains (_ (type->summary), folded);
}

static gboolean
matches (GtkListBoxRow *row, gpointer data)
{
  WeirPalettePanel *self = data;
  const char *group = row_group (row);

  if (!is_searching (self))
    return row_type (row) == NULL || !g_hash_table_contains (self->folded, group);
  if (row_type (row) != NULL)
    return answers (self, row_type (row));
  for (int i = gtk_list_box_row_get_index (row) + 1;
       (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL
       && row_type (row) != NULL;
       i++)
    if (answers (self, row_type (row)))
      return TRUE;
  return FALSE;
}

static void
search_changed (WeirPalettePanel *self)
{
  show_folds (self);
}

static void
row_activated (WeirPalettePanel *self, GtkListBoxRow *row)
{
  if (row_type (row) == NULL)
    toggle_group (self, row);
  else
    g_signal_emit (self, signals[SIGNAL_ADD_BLOCK], 0, row_type (row)->name);
}

static GtkListBoxRow *
find_first_match (WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (row_type (row) != NULL && gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

/* Return in the search entry adds the first row that is left. Typing is ahead
 * of "search-changed". */
static void
search_activated (WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  search_changed (self);
  row = find_first_match (self);
  if (row != NULL)
    row_activated (self, row);
}

/* Down leads from the search into the list. */
static gboolean
search_key (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
            G_GNUC_UNUSED GdkModifierType state, WeirPalettePanel *self)
{
  GtkListBoxRow *row;

  if (key != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  search_changed (self);
  row = find_first_match (self);
  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
  return GDK_EVENT_STOP;
}

void
weir_palette_panel_focus_search (WeirPalettePanel *self)
{
  gtk_widget_grab_focus (self->search);
}

/* --- Life ------------------------------------------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirPalettePanel *self = WEIR_PALETTE_PANEL (object);
  g_autoptr (GPtrArray) names = NULL;
  GHashTableIter iter;
  gpointer name;

  if (id != PROPERTY_FOLDED)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, self->folded);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  g_value_set_boxed (value, names->pdata);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WeirPalettePanel *self = WEIR_PALETTE_PANEL (object);
  const char *const *names;

  if (id != PROPERTY_FOLDED)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  names = g_value_get_boxed (value);
  g_hash_table_remove_all (self->folded);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_hash_table_add (self->folded, g_strdup (names[i]));
  show_folds (self);
}

static void
dispose (GObject *object)
{
  WeirPalettePanel *self = WEIR_PALETTE_PANEL (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_pointer (&self->drop_prefix, g_free);
  g_clear_pointer (&self->folded, g_hash_table_unref);
  G_OBJECT_CLASS (weir_palette_panel_parent_class)->dispose (object);
}

static void
weir_palette_panel_class_init (WeirPalettePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROPERTY_FOLDED] = g_param_spec_boxed ("folded", NULL, NULL, G_TYPE_STRV,
                                                    G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                        | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_ADD_BLOCK] = g_signal_new ("add-block", G_TYPE_FROM_CLASS (klass),
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                            G_TYPE_STRING);
}

/* GTK 4.8 has no placeholder for search entries, but for the text within. It is seen whole however
 * large text is. */
static void
set_placeholder (GtkWidget *search, const char *text)
{
  GtkEditable *delegate = gtk_editable_get_delegate (GTK_EDITABLE (search));

  if (GTK_IS_TEXT (delegate))
    gtk_text_set_placeholder_text (GTK_TEXT (delegate), text);
  gtk_editable_set_width_chars (delegate, (int) g_utf8_strlen (text, -1));
}

static void
weir_palette_panel_init (WeirPalettePanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *nothing;
  const char *group = NULL;
  GtkEventController *keys;

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->folded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->search = gtk_search_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 6);
  gtk_widget_set_margin_start (self->search, 9);
  gtk_widget_set_margin_end (self->search, 9);
  gtk_widget_set_margin_top (self->search, 9);
  gtk_widget_set_margin_bottom (self->search, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search blocks"), -1);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (search_activated), self);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (search_key), self);
  gtk_widget_add_controller (self->search, keys);
  set_placeholder (self->search, _ ("Search blocks"));
  gtk_widget_set_parent (self->search, GTK_WIDGET (self));

  self->list = gtk_list_box_new ();
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), FALSE);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), matches, self, NULL);
  gtk_widget_add_css_class (self->list, "navigation-sidebar");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Blocks"), -1);
  nothing = gtk_label_new (_ ("No block has this name"));
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_set_margin_top (nothing, 18);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list), nothing);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (list_key), self);
  gtk_widget_add_controller (self->list, keys);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);

      if (group == NULL || !g_str_equal (group, type->category))
        gtk_list_box_append (GTK_LIST_BOX (self->list), group_new (self, type->category));
      group = type->category;
      gtk_list_box_append (GTK_LIST_BOX (self->list), row_new (self, type));
    }

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}

/* --- Users' parts ---------------------------------------------------------------------------- */

/* Behind the last of its group; -1: there is no such group. */
static int
find_place (WeirPalettePanel *self, const char *group)
{
  GtkListBoxRow *row;
  int place = -1;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (g_str_equal (row_group (row), group))
      place = i + 1;
  return place;
}

static void
insert_of_user (WeirPalettePanel *self, GtkWidget *row, int place)
{
  g_object_set_data (G_OBJECT (row), OF_USER, (gpointer) OF_USER);
  gtk_list_box_insert (GTK_LIST_BOX (self->list), row, place);
}

static void
show_parts (WeirPalettePanel *self, const char *folder)
{
  g_autoptr (GPtrArray) parts = weir_user_parts_list (folder);
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL;)
    if (g_object_get_data (G_OBJECT (row), OF_USER) != NULL)
      gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
    else
      i++;
  for (guint i = 0; i < parts->len; i++)
    {
      const WeirPartType *part = g_ptr_array_index (parts, i);
      const char *group = part->type.category;

      if (find_place (self, group) < 0)
        insert_of_user (self, group_new (self, group), -1);
      insert_of_user (self, row_new (self, &part->type), find_place (self, group));
    }
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

static void
read_parts (GTask *task, G_GNUC_UNUSED gpointer source, gpointer folder,
            G_GNUC_UNUSED GCancellable *cancellable)
{
  weir_user_parts_read (folder);
  g_task_return_boolean (task, TRUE);
}

static void
parts_read (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirPalettePanel *self = WEIR_PALETTE_PANEL (source);

  if (g_task_propagate_boolean (G_TASK (result), NULL) && self->drop_prefix != NULL)
    show_parts (self, g_task_get_task_data (G_TASK (result)));
}

void
weir_palette_panel_read_parts (WeirPalettePanel *self, const char *folder)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (WEIR_IS_PALETTE_PANEL (self));

  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, parts_read, NULL);
  g_task_set_task_data (task, g_strdup (folder), g_free);
  g_task_run_in_thread (task, read_parts);
}

void
weir_palette_panel_set_drop_prefix (WeirPalettePanel *self, const char *drop_prefix)
{
  g_return_if_fail (WEIR_IS_PALETTE_PANEL (self));

  g_free (self->drop_prefix);
  self->drop_prefix = g_strdup (drop_prefix);
}
