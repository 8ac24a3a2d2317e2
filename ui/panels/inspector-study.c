/* A field of the inspector given to a study: its row is dragged by its caption onto what takes
 * parameters, or "Vary in Study" is chosen in the menu of its entry. See inspector-private.h.
 */
#include <glib/gi18n-lib.h>

#include "panels/inspector-private.h"
#include "widgets/tooltips.h"

static gpointer
path_copy (gpointer path)
{
  return g_strdup (path);
}

GType
weir_parameter_path_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_boxed_type_register_static ("WeirParameterPath", path_copy, g_free));
  return type;
}

/* Of a parameter with numbers: of one block, or a variable of the model. */
static gboolean
is_of_numbers (const WeirField *self)
{
  return (self->kind == WEIR_FIELD_PARAMETER || self->kind == WEIR_FIELD_VARIABLE)
         && self->spec.kind != WEIR_VALUE_TEXT && self->spec.kind != WEIR_VALUE_CHOICE;
}

/* NULL: it is about several blocks, or none any more. (transfer full) */
static char *
dup_path (const WeirField *self)
{
  g_autoptr (GArray) blocks = NULL;
  g_autofree char *block = NULL;

  if (weir_field_is_gone (self))
    return NULL;
  if (self->kind == WEIR_FIELD_VARIABLE)
    return g_strdup (self->spec.name);
  blocks = weir_field_list_blocks (self);
  if (blocks->len == 1)
    block = weir_model_dup_block_path (weir_document_get_model (self->inspector->document),
                                       g_array_index (blocks, guint32, 0));
  return block != NULL ? g_strconcat (block, ".", self->spec.name, NULL) : NULL;
}

static GdkContentProvider *
drag_prepare (G_GNUC_UNUSED GtkDragSource *source, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
              WeirField *self)
{
  g_autofree char *path = dup_path (self);

  return path != NULL ? gdk_content_provider_new_typed (WEIR_TYPE_PARAMETER_PATH, path) : NULL;
}

static void
drag_begin (GtkDragSource *source, G_GNUC_UNUSED GdkDrag *drag, G_GNUC_UNUSED WeirField *self)
{
  GtkWidget *caption = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (caption);

  gtk_drag_source_set_icon (source, picture, 0, 0);
}

/* The field is the widget's. */
static void
vary (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer widget)
{
  g_autofree char *path = dup_path (g_object_get_data (widget, "weir-field"));

  if (path != NULL)
    gtk_widget_activate_action (widget, "win.study-vary", "s", path);
}

void
weir_field_add_study (WeirField *self, GtkWidget *caption)
{
  static const GActionEntry entry = { .name = "vary", .activate = vary };
  GtkDragSource *source;
  g_autoptr (GSimpleActionGroup) actions = NULL;
  g_autoptr (GMenu) menu = NULL;

  if (!is_of_numbers (self) || !GTK_IS_ENTRY (self->widget))
    return;
  source = gtk_drag_source_new ();
  g_signal_connect (source, "prepare", G_CALLBACK (drag_prepare), self);
  g_signal_connect (source, "drag-begin", G_CALLBACK (drag_begin), self);
  gtk_widget_add_controller (caption, GTK_EVENT_CONTROLLER (source));
  weir_set_tooltip (caption, _ ("Drag it onto the page Studies to vary it"));
  actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (actions), &entry, 1, self->widget);
  gtk_widget_insert_action_group (self->widget, "field", G_ACTION_GROUP (actions));
  menu = g_menu_new ();
  g_menu_append (menu, _ ("_Vary in Study"), "field.vary");
  gtk_entry_set_extra_menu (GTK_ENTRY (self->widget), G_MENU_MODEL (menu));
}
