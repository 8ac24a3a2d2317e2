/* Keys and clicks for those who look on. See key-display.h. */
#include "gui/host/key-display.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define KEY_MS 2000            /* a text stays after the last key */
#define CLICK_MS 600           /* a ring stays after the button was let go */
#define MARGIN 28.0            /* pixels from the lower edge */
#define PLACE 0.6              /* of the width: between the canvas's legend and its map */
#define PADDING 14.0           /* of the text in its box */
#define RADIUS 22.0            /* of the ring */
#define DOUBLE_CLICK_REACH 6.0 /* pixels */

struct _WeirKeyDisplay {
  GtkWidget parent_instance;
  GtkEventController *listener; /* of the window; NULL while not shown */
  char *text;                   /* or NULL */
  char *pressed;                /* what was pressed last, without how often */
  guint n_times;
  graphene_point_t at; /* the click */
  gboolean has_click, is_down;
  guint button;      /* of the click */
  guint32 last_time; /* ms; of the click */
  guint forget_text, forget_click;
};

G_DEFINE_FINAL_TYPE (WeirKeyDisplay, weir_key_display, GTK_TYPE_WIDGET)

/* --- What is shown --------------------------------------------------------------------------- */

static void
clear_text (WeirKeyDisplay *self)
{
  g_clear_handle_id (&self->forget_text, g_source_remove);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->pressed, g_free);
  self->n_times = 0;
}

static gboolean
forget_text (gpointer data)
{
  WeirKeyDisplay *self = data;

  self->forget_text = 0;
  clear_text (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* Takes @pressed. */
static void
show_text (WeirKeyDisplay *self, char *pressed)
{
  guint n_times = g_strcmp0 (self->pressed, pressed) == 0 ? self->n_times + 1 : 1;

  clear_text (self);
  self->pressed = pressed;
  self->n_times = n_times;
  self->text = n_times > 1 ? g_strdup_printf ("%s × %u", pressed, n_times) : g_strdup (pressed);
  self->forget_text = g_timeout_add (KEY_MS, forget_text, self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
forget_click (gpointer data)
{
  WeirKeyDisplay *self = data;

  self->forget_click = 0;
  self->has_click = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* --- Listening ------------------------------------------------------------------------------- */

/* As menus have it, but arrows as they are on the keys: "Right" is also a button of the mouse. */
static char *
dup_key_label (guint key, GdkModifierType held)
{
  static const struct {
    guint key;
    const char *sign;
  } arrows[] = {
    { GDK_KEY_Left, "←" }, { GDK_KEY_Right, "→" }, { GDK_KEY_Up, "↑" }, { GDK_KEY_Down, "↓" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    if (key == arrows[i].key)
      {
        g_autofree char *modifiers = gtk_accelerator_get_label (0, held);

        return g_strconcat (modifiers, arrows[i].sign, NULL);
      }
  return gtk_accelerator_get_label (key, held);
}

static void
key_pressed (WeirKeyDisplay *self, GdkEvent *event)
{
  guint key = gdk_key_event_get_keyval (event);
  GdkModifierType held = gdk_event_get_modifier_state (event)
                         & gtk_accelerator_get_default_mod_mask ();

  if (gdk_key_event_is_modifier (event))
    return;
  if (key == GDK_KEY_ISO_Left_Tab)
    key = GDK_KEY_Tab;
  show_text (self, dup_key_label (key, held));
}

/* "Ctrl+Click"; NULL for a plain one. */
static char *
dup_click_label (guint button, guint n_clicks, GdkModifierType held)
{
  g_autofree char *modifiers = NULL;
  const char *name = button == GDK_BUTTON_SECONDARY ? _ ("Right Click")
                     : button == GDK_BUTTON_MIDDLE  ? _ ("Middle Click")
                     : n_clicks == 2                ? _ ("Double Click")
                                                    : _ ("Click");

  held &= GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK;
  if (held == 0 && button == GDK_BUTTON_PRIMARY && n_clicks < 2)
    return NULL;
  modifiers = gtk_accelerator_get_label (0, held);
  return g_strconcat (modifiers, name, NULL);
}

/* FALSE: it lies in no widget. */
static gboolean
find_place (WeirKeyDisplay *self, GdkEvent *event, graphene_point_t *at)
{
  GtkNative *native = gtk_native_get_for_surface (gdk_event_get_surface (event));
  double x, y, dx, dy;

  if (native == NULL || !gdk_event_get_position (event, &x, &y))
    return FALSE;
  gtk_native_get_surface_transform (native, &dx, &dy);
  if (!gtk_widget_translate_coordinates (GTK_WIDGET (native), GTK_WIDGET (self), x - dx, y - dy, &x,
                                         &y))
    return FALSE;
  *at = GRAPHENE_POINT_INIT ((float) x, (float) y);
  return TRUE;
}

static void
button_pressed (WeirKeyDisplay *self, GdkEvent *event)
{
  graphene_point_t at;
  guint button = gdk_button_event_get_button (event), n_clicks = 1;
  guint32 time = gdk_event_get_time (event);
  int double_click_ms = 400;
  char *label;

  if (!find_place (self, event, &at))
    return;
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-double-click-time",
                &double_click_ms, NULL);
  if (button == self->button && time - self->last_time <= (guint32) double_click_ms
      && hypot (at.x - self->at.x, at.y - self->at.y) <= DOUBLE_CLICK_REACH)
    n_clicks = 2;
  g_clear_handle_id (&self->forget_click, g_source_remove);
  self->at = at;
  self->button = button;
  self->last_time = time;
  self->has_click = self->is_down = TRUE;
  label = dup_click_label (button, n_clicks, gdk_event_get_modifier_state (event));
  if (label != NULL)
    show_text (self, label);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
button_released (WeirKeyDisplay *self)
{
  if (!self->is_down)
    return;
  self->is_down = FALSE;
  g_clear_handle_id (&self->forget_click, g_source_remove);
  self->forget_click = g_timeout_add (CLICK_MS, forget_click, self);
}

static void
pointer_moved (WeirKeyDisplay *self, GdkEvent *event)
{
  if (self->is_down && find_place (self, event, &self->at))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
listen (WeirKeyDisplay *self, GdkEvent *event)
{
  switch ((int) gdk_event_get_event_type (event))
    {
    case GDK_KEY_PRESS:
      key_pressed (self, event);
      break;
    case GDK_BUTTON_PRESS:
      button_pressed (self, event);
      break;
    case GDK_BUTTON_RELEASE:
      button_released (self);
      break;
    case GDK_MOTION_NOTIFY:
      pointer_moved (self, event);
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

/* --- The widget ------------------------------------------------------------------------------ */

static void
map (GtkWidget *widget)
{
  WeirKeyDisplay *self = WEIR_KEY_DISPLAY (widget);

  GTK_WIDGET_CLASS (weir_key_display_parent_class)->map (widget);
  self->listener = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (self->listener, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (self->listener, "event", G_CALLBACK (listen), self);
  gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->listener);
}

static void
unmap (GtkWidget *widget)
{
  WeirKeyDisplay *self = WEIR_KEY_DISPLAY (widget);

  if (self->listener != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (self->listener), self->listener);
  self->listener = NULL;
  clear_text (self);
  g_clear_handle_id (&self->forget_click, g_source_remove);
  self->has_click = self->is_down = FALSE;
  GTK_WIDGET_CLASS (weir_key_display_parent_class)->unmap (widget);
}

/* Light on dark with a light edge, so that it stands out from any ground. */
static void
draw_text (WeirKeyDisplay *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, self->text);
  const GdkRGBA ground = { 0.1f, 0.1f, 0.1f, 0.92f }, light = { 1, 1, 1, 1 };
  PangoAttrList *attributes = pango_attr_list_new ();
  GskRoundedRect box;
  graphene_rect_t bounds;
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (1.5));
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  bounds = GRAPHENE_RECT_INIT (
      (float) floor ((gtk_widget_get_width (widget) - width) * PLACE - PADDING),
      (float) (gtk_widget_get_height (widget) - height - PADDING - MARGIN),
      (float) (width + 2 * PADDING), (float) (height + PADDING));
  gsk_rounded_rect_init_from_rect (&box, &bounds, 10);
  gtk_snapshot_push_rounded_clip (snapshot, &box);
  gtk_snapshot_append_color (snapshot, &ground, &bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &box, (float[4]) { 2, 2, 2, 2 },
                              (GdkRGBA[4]) { light, light, light, light });
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (bounds.origin.x + (float) PADDING,
                                                          bounds.origin.y + (float) PADDING / 2));
  gtk_snapshot_append_layout (snapshot, layout, &light);
  gtk_snapshot_restore (snapshot);
}

/* Dark between two light lines; of the secondary button two rings. */
static void
draw_click (WeirKeyDisplay *self, GtkSnapshot *snapshot)
{
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot,
      &GRAPHENE_RECT_INIT (self->at.x - 2 * (float) RADIUS, self->at.y - 2 * (float) RADIUS,
                           4 * (float) RADIUS, 4 * (float) RADIUS));
  guint n_rings = self->button == GDK_BUTTON_SECONDARY ? 2 : 1;

  for (guint i = 0; i < n_rings; i++)
    for (guint k = 0; k < 2; k++)
      {
        cairo_arc (cr, self->at.x, self->at.y, RADIUS - (self->is_down ? 4 : 0) - 9 * i, 0,
                   2 * G_PI);
        cairo_set_line_width (cr, k == 0 ? 7 : 3);
        cairo_set_source_rgb (cr, k == 0 ? 1 : 0.1, k == 0 ? 1 : 0.1, k == 0 ? 1 : 0.1);
        cairo_stroke (cr);
      }
  cairo_destroy (cr);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WeirKeyDisplay *self = WEIR_KEY_DISPLAY (widget);

  if (self->has_click)
    draw_click (self, snapshot);
  if (self->text != NULL)
    draw_text (self, snapshot);
}

static void
weir_key_display_class_init (WeirKeyDisplayClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->map = map;
  widget_class->unmap = unmap;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-keys");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
weir_key_display_init (WeirKeyDisplay *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
weir_key_display_new (void)
{
  return g_object_new (WEIR_TYPE_KEY_DISPLAY, NULL);
}

const char *
weir_key_display_get_text (WeirKeyDisplay *self)
{
  g_return_val_if_fail (WEIR_IS_KEY_DISPLAY (self), NULL);
  return self->text != NULL ? self->text : "";
}

gboolean
weir_key_display_get_click (WeirKeyDisplay *self, graphene_point_t *at)
{
  g_return_val_if_fail (WEIR_IS_KEY_DISPLAY (self), FALSE);
  *at = self->at;
  return self->has_click;
}
