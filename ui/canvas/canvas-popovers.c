/* What pops up on the canvas: the context menu, renaming, quick insertion of a block. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "canvas/canvas-private.h"

static gboolean
unparent_later (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkPopover *popover, gpointer data)
{
  WeirCanvas *self = WEIR_CANVAS (gtk_widget_get_parent (GTK_WIDGET (popover)));

  weir_canvas_focus_block (self, weir_canvas_get_selected_block (self));
  /* After the menu's action has run. */
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (popover), g_object_unref);
}

static void
pop_up (WeirCanvas *self, GtkWidget *popover, GdkRectangle at)
{
  weir_canvas_stop_scrolling (self);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static GdkRectangle
to_pixels (WeirCanvas *self, WeirRect rect)
{
  WeirPoint at = weir_viewport_to_pixel (&self->viewport, (WeirPoint) { rect.x, rect.y });

  return (GdkRectangle) { (int) floor (at.x), (int) floor (at.y),
                          (int) ceil (rect.width * self->viewport.zoom),
                          (int) ceil (rect.height * self->viewport.zoom) };
}

/* --- The context menu ----------------------------------------------------------------------------------- */

static GMenu *
make_menu (WeirCanvas *self, WeirHit hit)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, hit.id);
  g_autofree char *port = weir_canvas_get_selected_port (self);

  if (port != NULL && hit.kind != WEIR_HIT_NOTHING)
    {
      g_autofree char *label = g_strdup_printf (_("_Plot Signal %s"), port);
      g_autoptr (GMenu) plot = g_menu_new ();

      g_menu_append (plot, label, "canvas.plot-port");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (plot));
    }
  if (shape != NULL)
    {
      g_autoptr (GMenu) block = g_menu_new ();

      g_menu_append (block,
                     weir_block_get_diagram (shape->block) != NULL ? _("_Open Subsystem")
                                                                   : _("_Properties"),
                     "canvas.enter");
      g_menu_append (block, _("Re_name…"), "canvas.rename");
      g_menu_append (block, _("_Rotate"), "canvas.rotate");
      g_menu_append (block, _("_Flip"), "canvas.flip");
      g_menu_append (block, _("C_onnect From Here"), "canvas.connect");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (block));
    }
  if (hit.kind == WEIR_HIT_NOTHING)
    {
      g_autoptr (GMenu) add = g_menu_new ();

      g_menu_append (add, _("_Add Block…"), "canvas.quick-insert");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (add));
    }
  g_menu_append (section, _("Cu_t"), "canvas.cut");
  g_menu_append (section, _("_Copy"), "canvas.copy");
  g_menu_append (section, _("_Paste"), "canvas.paste");
  g_menu_append (section, _("_Duplicate"), "canvas.duplicate");
  g_menu_append (section, _("D_elete"), "canvas.delete");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  if (hit.kind == WEIR_HIT_NOTHING)
    {
      g_autoptr (GMenu) view = g_menu_new ();

      g_menu_append (view, _("Select _All"), "canvas.select-all");
      g_menu_append (view, _("_Fit Diagram"), "canvas.zoom-fit");
      g_menu_append (view, _("Show _Grid"), "canvas.show-grid");
      g_menu_append (view, _("_Snap to Grid"), "canvas.snap");
      if (self->place->len > 0)
        g_menu_append (view, _("_Leave Subsystem"), "canvas.leave");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
    }
  return menu;
}

void
weir_canvas_show_menu (WeirCanvas *self, WeirPoint pixel)
{
  WeirPoint at = weir_viewport_to_diagram (&self->viewport, pixel);
  WeirHit hit = weir_scene_hit (self->scene, at, 6 / self->viewport.zoom);
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  WeirSelectKind kind = hit.kind == WEIR_HIT_WIRE ? WEIR_SELECT_WIRE : WEIR_SELECT_BLOCK;
  g_autoptr (GMenu) menu = NULL;
  GtkWidget *popover;

  /* The menu is about what is under the pointer. */
  if (hit.kind != WEIR_HIT_NOTHING && !weir_selection_contains (selection, kind, hit.id))
    weir_selection_set_one (selection, kind, hit.id);
  weir_canvas_update (self);
  if (hit.kind == WEIR_HIT_PORT && hit.port->is_output)
    {
      g_free (self->chosen_port);
      self->chosen_port = g_strdup (hit.port->name);
      self->chosen_block = hit.id;
    }
  self->pointer = pixel;
  self->pointer_inside = TRUE;
  weir_canvas_update_actions (self);
  menu = make_menu (self, hit);
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  pop_up (self, popover, (GdkRectangle) { (int) pixel.x, (int) pixel.y, 1, 1 });
}

/* --- Renaming ---------------------------------------------------------------------------------------------- */

typedef struct {
  WeirCanvas *canvas;
  guint32 block;
  GtkWidget *entry, *problem;
} Rename;

/* Whether the model takes this name; if not, why. */
static gboolean
check_name (Rename *rename, GError **error)
{
  WeirSite site = weir_canvas_get_site (rename->canvas);
  g_autoptr (WeirEdit) edit
    = weir_edit_rename (site, rename->block, gtk_editable_get_text (GTK_EDITABLE (rename->entry)));
  g_autoptr (WeirModel) model = NULL;

  if (edit == NULL)
    return TRUE;
  model = weir_model_apply (site.model, edit->patch, NULL, error);
  return model != NULL;
}

static void
on_name_changed (GtkEditable *editable, Rename *rename)
{
  g_autoptr (GError) error = NULL;
  gboolean good = check_name (rename, &error);

  gtk_label_set_text (GTK_LABEL (rename->problem), good ? "" : error->message);
  gtk_widget_set_visible (rename->problem, !good);
  if (good)
    gtk_widget_remove_css_class (rename->entry, "error");
  else
    gtk_widget_add_css_class (rename->entry, "error");
}

static void
on_name_accepted (GtkEntry *entry, Rename *rename)
{
  if (!check_name (rename, NULL))
    return;
  weir_canvas_apply (rename->canvas,
                     weir_edit_rename (weir_canvas_get_site (rename->canvas), rename->block,
                                       gtk_editable_get_text (GTK_EDITABLE (entry))),
                     NULL);
  gtk_popover_popdown (
    GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (entry), GTK_TYPE_POPOVER)));
}

void
weir_canvas_show_rename (WeirCanvas *self, guint32 block)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  Rename *rename = g_new0 (Rename, 1);

  g_return_if_fail (shape != NULL);
  *rename = (Rename) { self, block, gtk_entry_new (), gtk_label_new (NULL) };
  g_object_set_data_full (G_OBJECT (popover), "rename", rename, g_free);
  gtk_editable_set_text (GTK_EDITABLE (rename->entry), weir_block_get_name (shape->block));
  gtk_editable_set_width_chars (GTK_EDITABLE (rename->entry), 20);
  gtk_label_set_wrap (GTK_LABEL (rename->problem), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (rename->problem), 28);
  gtk_label_set_xalign (GTK_LABEL (rename->problem), 0);
  gtk_widget_add_css_class (rename->problem, "error");
  gtk_widget_set_visible (rename->problem, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (rename->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Name of the block"), -1);
  gtk_box_append (GTK_BOX (box), rename->entry);
  gtk_box_append (GTK_BOX (box), rename->problem);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect (rename->entry, "changed", G_CALLBACK (on_name_changed), rename);
  g_signal_connect (rename->entry, "activate", G_CALLBACK (on_name_accepted), rename);
  pop_up (self, popover, to_pixels (self, shape->box));
  gtk_widget_grab_focus (rename->entry);
}

/* --- Quick insertion ------------------------------------------------------------------------------------------ */

typedef struct {
  WeirCanvas *canvas;
  WeirPoint point;
  GtkWidget *search, *list;
} Insert;

/* How well a type answers what was typed; 0 = not at all. */
static int
rate (const WeirBlockType *type, const char *wanted)
{
  g_autofree char *needle = g_utf8_casefold (wanted, -1);
  g_autofree char *title = g_utf8_casefold (_(type->title), -1);
  g_autofree char *name = g_utf8_casefold (type->name, -1);
  g_autofree char *rest = g_strdup_printf ("%s %s", _(type->category), _(type->summary));
  g_autofree char *folded = g_utf8_casefold (rest, -1);

  if (needle[0] == '\0')
    return 1;
  if (g_str_equal (title, needle))
    return 5;
  if (g_str_has_prefix (title, needle) || g_str_has_prefix (name, needle))
    return 4;
  if (strstr (title, needle) != NULL || strstr (name, needle) != NULL)
    return 3;
  return strstr (folded, needle) != NULL ? 2 : 0;
}

static const WeirBlockType *
get_row_type (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "type");
}

static gboolean
filter_row (GtkListBoxRow *row, gpointer data)
{
  Insert *insert = data;

  return rate (get_row_type (row), gtk_editable_get_text (GTK_EDITABLE (insert->search))) > 0;
}

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  Insert *insert = data;
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (insert->search));
  int order = rate (get_row_type (b), wanted) - rate (get_row_type (a), wanted);

  return order != 0 ? order
                    : g_utf8_collate (_(get_row_type (a)->title), _(get_row_type (b)->title));
}

static GtkListBoxRow *
get_first_visible (Insert *insert)
{
  for (int i = 0;; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (insert->list), i);

      if (row == NULL || gtk_widget_get_child_visible (GTK_WIDGET (row)))
        return row;
    }
}

static void
on_search_changed (GtkSearchEntry *search, Insert *insert)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (insert->list));
  gtk_list_box_invalidate_sort (GTK_LIST_BOX (insert->list));
  gtk_list_box_select_row (GTK_LIST_BOX (insert->list), get_first_visible (insert));
}

static void
insert_row (Insert *insert, GtkListBoxRow *row)
{
  const WeirBlockType *type;

  if (row == NULL)
    return;
  type = get_row_type (row);
  gtk_popover_popdown (
    GTK_POPOVER (gtk_widget_get_ancestor (insert->search, GTK_TYPE_POPOVER)));
  weir_canvas_insert (insert->canvas, type->name, insert->point, TRUE);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, Insert *insert)
{
  insert_row (insert, row);
}

static void
on_search_activated (GtkSearchEntry *search, Insert *insert)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (insert->list));

  insert_row (insert, row != NULL ? row : get_first_visible (insert));
}

static void
on_stop_search (GtkSearchEntry *search, Insert *insert)
{
  gtk_popover_popdown (
    GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (search), GTK_TYPE_POPOVER)));
}

/* Up and Down go through the list while typing. */
static gboolean
on_search_key (GtkEventControllerKey *controller, guint keyval, guint keycode,
               GdkModifierType state, Insert *insert)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (insert->list));
  int step = keyval == GDK_KEY_Down ? 1 : keyval == GDK_KEY_Up ? -1 : 0;

  if (step == 0)
    return GDK_EVENT_PROPAGATE;
  for (int i = row != NULL ? gtk_list_box_row_get_index (row) + step : 0; i >= 0; i += step)
    {
      row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (insert->list), i);
      if (row == NULL)
        break;
      if (!gtk_widget_get_child_visible (GTK_WIDGET (row)))
        continue;
      gtk_list_box_select_row (GTK_LIST_BOX (insert->list), row);
      gtk_widget_activate_action (insert->list, "list.scroll-to-item", NULL);
      break;
    }
  return GDK_EVENT_STOP;
}

static void
draw_icon (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer type)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  weir_draw_block_icon (cr, ((const WeirBlockType *) type)->name, width, height,
                        weir_palette_find (adw_style_manager_get_dark (manager),
                                           adw_style_manager_get_high_contrast (manager)));
}

static GtkWidget *
make_row (const WeirBlockType *type)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *icon = gtk_drawing_area_new ();
  GtkWidget *title = gtk_label_new (_(type->title));
  GtkWidget *summary = gtk_label_new (_(type->summary));

  g_object_set_data (G_OBJECT (row), "type", (gpointer) type);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), 40);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), 32);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_icon, (gpointer) type, NULL);
  gtk_widget_set_valign (icon, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (summary), 0);
  gtk_label_set_ellipsize (GTK_LABEL (summary), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (summary, "dim-label");
  gtk_widget_add_css_class (summary, "caption");
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), summary);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_widget_set_margin_top (box, 3);
  gtk_widget_set_margin_bottom (box, 3);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  return row;
}

void
weir_canvas_show_quick_insert (WeirCanvas *self, WeirPoint point)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  Insert *insert = g_new0 (Insert, 1);
  WeirPoint at = weir_viewport_to_pixel (&self->viewport, point);

  *insert = (Insert) { self, point, gtk_search_entry_new (), gtk_list_box_new () };
  g_object_set_data_full (G_OBJECT (popover), "insert", insert, g_free);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    gtk_list_box_append (GTK_LIST_BOX (insert->list), make_row (weir_registry_get_type (i)));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (insert->list), filter_row, insert, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (insert->list), compare_rows, insert, NULL);
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (insert->list), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (insert->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Add a block: type its name"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), insert->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, 350, 260);
  gtk_box_append (GTK_BOX (box), insert->search);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect (insert->search, "search-changed", G_CALLBACK (on_search_changed), insert);
  g_signal_connect (insert->search, "activate", G_CALLBACK (on_search_activated), insert);
  g_signal_connect (insert->search, "stop-search", G_CALLBACK (on_stop_search), insert);
  g_signal_connect (insert->list, "row-activated", G_CALLBACK (on_row_activated), insert);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_search_key), insert);
  gtk_widget_add_controller (insert->search, keys);
  pop_up (self, popover, (GdkRectangle) { (int) at.x, (int) at.y, 1, 1 });
  gtk_widget_grab_focus (insert->search);
}
