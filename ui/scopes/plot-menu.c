/* The menu of a plot. See plot-menu.h. */
#include "scopes/plot-menu.h"

#include <glib/gi18n-lib.h>

#include "widgets/tooltips.h"

GMenuModel *
weir_plot_menu_new (const char *key, gboolean is_card, GMenuModel *runs, GMenuModel *uses)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new (), compared = g_menu_new (), axes = g_menu_new ();
  g_autoptr (GMenu) places = g_menu_new ();
  const struct {
    const char *label, *action;
  } of_plot[] = { { _ ("_Save Plot as Picture…"), "win.export-plot" },
                  { _ ("_Copy Plot"), "win.copy-plot" } };

  for (guint i = 0; i < G_N_ELEMENTS (of_plot); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (of_plot[i].label, NULL);

      g_menu_item_set_action_and_target (item, of_plot[i].action, "s", key);
      g_menu_append_item (files, item);
    }
  g_menu_append (files, _ ("_Export Results…"), "win.export-results");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  if (is_card)
    {
      g_menu_append (axes, _ ("Sp_ectrum"), "plot.spectrum");
      g_menu_append (axes, _ ("Logarithmic _Values"), "plot.log-values");
      g_menu_append (axes, _ ("Logarithmic _Time"), "plot.log-time");
      g_menu_append (axes, _ ("A_xes: Limits and Titles…"), "plot.axes");
      g_menu_append (axes, _ ("_Bounds…"), "plot.bounds");
      g_menu_append (axes, _ ("Cursors at _Values (Y1, Y2)"), "plot.value-cursors");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (axes));
      g_menu_append (places, _ ("_Alone, or With the Others"), "plot.large");
    }
  g_menu_append (places, _ ("In a Window of Its _Own, or Back"), "plot.apart");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
  if (runs != NULL)
    {
      g_menu_append_submenu (compared, _ ("Compare _With"), runs);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (compared));
    }
  if (uses != NULL)
    {
      g_autoptr (GMenu) used = g_menu_new ();

      g_menu_append_submenu (used, _ ("_Use in Study"), uses);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (used));
    }
  return G_MENU_MODEL (menu);
}

GMenuModel *
weir_plot_menu_new_uses (GMenuModel *uses, const char *signal)
{
  GMenu *menu = g_menu_new ();

  for (int i = 0; i < g_menu_model_get_n_items (uses); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new_from_model (uses, i);
      g_autoptr (GVariant) target = g_menu_item_get_attribute_value (item, G_MENU_ATTRIBUTE_TARGET,
                                                                     G_VARIANT_TYPE_STRING);

      g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_TARGET, "(ss)", signal,
                                 g_variant_get_string (target, NULL));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

void
weir_plot_menu_bind_apart (GtkWidgetClass *klass)
{
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (klass, keys[i], GDK_SHIFT_MASK, "plot.apart", NULL);
}

GtkWidget *
weir_plot_menu_button_new (GMenuModel *menu)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_widget_add_css_class (button, "flat");
  weir_set_tooltip (button, _ ("Save, Export, Compare"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Save, Export, Compare"), -1);
  return button;
}

/* --- Popping up ------------------------------------------------------------------------------ */

static gboolean
unparent (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
unparent_soon (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent, g_object_ref (popover), g_object_unref);
}

void
weir_popover_unparent_when_closed (GtkWidget *popover)
{
  g_signal_connect (popover, "closed", G_CALLBACK (unparent_soon), NULL);
}

void
weir_plot_menu_pop_up (GtkWidget *plot, GMenuModel *menu, double x, double y)
{
  GtkWidget *owner = gtk_widget_get_parent (plot);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  double at_x, at_y;

  gtk_widget_translate_coordinates (plot, owner, x, y, &at_x, &at_y);
  gtk_widget_set_parent (popover, owner);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover),
                               &(GdkRectangle) { (int) at_x, (int) at_y, 1, 1 });
  weir_popover_unparent_when_closed (popover);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
pop_up (GtkWidget *plot, double x, double y)
{
  weir_plot_menu_pop_up (plot, g_object_get_data (G_OBJECT (plot), "weir-menu"), x, y);
}

static void
secondary_pressed (GtkGesture *gesture, G_GNUC_UNUSED int n_press, double x, double y,
                   GtkWidget *plot)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  pop_up (plot, x, y);
}

static void
long_pressed (GtkGesture *gesture, double x, double y, GtkWidget *plot)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  pop_up (plot, x, y);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *keys, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, GtkWidget *plot)
{
  if (key != GDK_KEY_Menu && (key != GDK_KEY_F10 || !(state & GDK_SHIFT_MASK)))
    return GDK_EVENT_PROPAGATE;
  pop_up (plot, gtk_widget_get_width (plot) / 2.0, gtk_widget_get_height (plot) / 2.0);
  return GDK_EVENT_STOP;
}

void
weir_plot_menu_attach (GtkWidget *plot, GMenuModel *menu)
{
  GtkGesture *click = gtk_gesture_click_new (), *press = gtk_gesture_long_press_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_object_set_data_full (G_OBJECT (plot), "weir-menu", g_object_ref (menu), g_object_unref);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (secondary_pressed), plot);
  gtk_widget_add_controller (plot, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (long_pressed), plot);
  gtk_widget_add_controller (plot, GTK_EVENT_CONTROLLER (press));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), plot);
  gtk_widget_add_controller (plot, keys);
}
