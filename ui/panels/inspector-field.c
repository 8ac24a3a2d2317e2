/* One field of the inspector: caption, entry (or choice, or text of several lines), slider, what it
 * means, what is wrong with what is typed. See inspector-private.h.
 *
 * What a field means is told at the foot of the inspector: a text that came and went at the field
 * itself would move the others away under a pressed pointer.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "model/completion.h"
#include "panels/inspector-private.h"

#define SLIDER_STEPS 200

/* Its block is no longer shown; but what has the focus hears that it loses it only after that. */
static gboolean
is_gone (const WeirField *self)
{
  return self->inspector == NULL;
}

/* --- What it says ---------------------------------------------------------------------------- */

void
weir_field_show_problem (WeirField *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
  if (text != NULL)
    gtk_widget_add_css_class (self->widget, "error");
  else
    gtk_widget_remove_css_class (self->widget, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_STATE_INVALID,
      text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static char *
describe_range (const WeirParameterSpec *spec)
{
  const char *unit = spec->unit != NULL ? spec->unit : "";
  const char *space = spec->unit != NULL ? " " : "";
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;
  gboolean has_low = isfinite (spec->minimum) && spec->minimum > -G_MAXDOUBLE;
  gboolean has_high = isfinite (spec->maximum) && spec->maximum < G_MAXDOUBLE;

  if (spec->kind == WEIR_VALUE_CHOICE || spec->kind == WEIR_VALUE_TEXT || (!has_low && !has_high))
    return NULL;
  low = has_low ? g_strdup_printf ("%g%s%s", spec->minimum, space, unit) : NULL;
  high = has_high ? g_strdup_printf ("%g%s%s", spec->maximum, space, unit) : NULL;
  if (low != NULL && high != NULL)
    return spec->exclusive_minimum ? g_strdup_printf (_ ("More than %s, at most %s."), low, high)
                                   : g_strdup_printf (_ ("From %s to %s."), low, high);
  if (low != NULL)
    return g_strdup_printf (spec->exclusive_minimum ? _ ("More than %s.") : _ ("At least %s."),
                            low);
  return g_strdup_printf (_ ("At most %s."), high);
}

/* "The mass at the end of the rod. More than 0 kg. 1 kg by default. Can change while running." */
static char *
describe (const WeirField *self)
{
  const WeirParameterSpec *spec = &self->spec;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *range = describe_range (spec);

  if (spec->help != NULL)
    {
      g_string_append (text, _ (spec->help));
      if (text->len > 0 && text->str[text->len - 1] != '.')
        g_string_append_c (text, '.');
    }
  if (range != NULL)
    g_string_append_printf (text, " %s", range);
  if (spec->default_text != NULL && *spec->default_text != '\0'
      && strchr (spec->default_text, '\n') == NULL)
    {
      g_autofree char *value = g_strconcat (spec->default_text, spec->unit != NULL ? " " : "",
                                            spec->unit, NULL);

      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("%s by default."), value);
    }
  if (self->has_tuning)
    g_string_append_printf (text, " %s", _ ("Can change while running."));
  return g_strdup (g_strchug (text->str));
}

/* --- Texts of several lines ------------------------------------------------------------------ */

static char *
dup_shown (const WeirField *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter start, end;

  if (!GTK_IS_TEXT_VIEW (self->widget))
    return g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->widget)));
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->widget));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

static void
show_text (const WeirField *self, const char *text)
{
  if (GTK_IS_TEXT_VIEW (self->widget))
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->widget)), text, -1);
  else
    gtk_editable_set_text (GTK_EDITABLE (self->widget), text);
}

/* --- Typing ---------------------------------------------------------------------------------- */

static void
text_changed (WeirField *self)
{
  g_autofree char *shown = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (is_gone (self) || self->inspector->updating)
    return;
  shown = dup_shown (self);
  /* Empty stands for the different values of several blocks until something is typed. */
  if ((*shown == '\0' && weir_field_get_text (self) == NULL)
      || weir_field_check (self, shown, &text, &error))
    weir_field_show_problem (self, NULL);
  else
    weir_field_show_problem (self, error->message);
}

void
weir_field_enter (WeirField *self)
{
  g_autofree char *shown = NULL;

  if (GTK_IS_DROP_DOWN (self->widget))
    return;
  shown = dup_shown (self);

  if (*shown == '\0' && weir_field_get_text (self) == NULL)
    return;
  weir_field_commit (self, shown, NULL);
}

static void
focus_left (WeirField *self)
{
  if (is_gone (self) || self->inspector->updating) /* it only goes because its block does */
    return;
  weir_field_enter (self);
  weir_inspector_explain (self->inspector, NULL);
}

static void
focus_entered (WeirField *self)
{
  if (!is_gone (self))
    weir_inspector_explain (self->inspector, self->details);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             G_GNUC_UNUSED GdkModifierType state, WeirField *self)
{
  if (key == GDK_KEY_Escape) /* puts the committed text back */
    {
      const char *text = weir_field_get_text (self);

      show_text (self, text != NULL ? text : "");
      weir_field_show_problem (self, NULL);
      return GDK_EVENT_STOP;
    }
  return GDK_EVENT_PROPAGATE;
}

static void
choice_changed (WeirField *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->widget));

  if (!is_gone (self) && !self->inspector->updating && selected != GTK_INVALID_LIST_POSITION)
    weir_field_commit (self, self->spec.choices[selected], NULL);
}

static void
reset_clicked (WeirField *self)
{
  weir_field_commit (self, NULL, NULL);
  weir_field_show_problem (self, NULL);
  weir_field_update (self);
}

static void
promote_clicked (WeirField *self)
{
  if (!is_gone (self) && !self->inspector->updating)
    weir_field_set_promoted (self,
                             gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->promote)));
}

/* --- The slider ------------------------------------------------------------------------------ */

static gboolean
get_number (const WeirField *self, double *value)
{
  const char *text = weir_field_get_text (self);
  g_autofree double *values = NULL;
  guint size = 0;

  values = text != NULL ? weir_value_parse (text, &size, NULL) : NULL;
  if (values == NULL || size != 1 || !isfinite (values[0]))
    return FALSE;
  *value = values[0];
  return TRUE;
}

/* A round step of about a two-hundredth of @span: 1, 2 or 5 times a power of ten. */
static double
round_step (double span)
{
  double raw = span / SLIDER_STEPS, power = pow (10, floor (log10 (raw))), mantissa = raw / power;

  return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}

/* The range of the parameter where it is bounded, else from 0 to twice the value, or around 0. */
static void
set_slider_range (WeirField *self, double value)
{
  const WeirParameterSpec *spec = &self->spec;
  double low = value < 0 ? 2 * value : value > 0 ? 0 : -1;
  double high = value < 0 ? 0 : value > 0 ? 2 * value : 1;
  double step;

  if (spec->minimum > -1e6 && spec->maximum < 1e6)
    {
      low = spec->minimum;
      high = spec->maximum;
    }
  low = MAX (low, spec->minimum);
  high = MIN (high, spec->maximum);
  if (!(high > low))
    {
      low = value;
      high = value + 1;
    }
  step = round_step (high - low);
  if (spec->exclusive_minimum && low <= spec->minimum)
    low = spec->minimum + step;
  gtk_range_set_range (GTK_RANGE (self->slider), low, high);
  gtk_range_set_increments (GTK_RANGE (self->slider), step, 10 * step);
}

static double
get_limit (const WeirBlock *block, const char *name)
{
  const char *text = weir_block_get_parameter (block, name);
  const WeirParameterSpec *spec = weir_block_type_find_parameter (
      weir_registry_find (weir_block_get_type_name (block)), name);

  return g_ascii_strtod (text != NULL ? text : spec->default_text, NULL);
}

/* The value of a Slider lies between its own minimum and maximum. TRUE if these have changed. */
static gboolean
limit_by_block (WeirField *self)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  WeirBlock *block;
  double low, high;

  if (!g_str_equal (self->spec.name, "value") || blocks->len != 1)
    return FALSE;
  block = weir_model_find_block (weir_document_get_model (self->inspector->document),
                                 g_array_index (blocks, guint32, 0), NULL);
  if (block == NULL || !g_str_equal (weir_block_get_type_name (block), "Slider"))
    return FALSE;
  low = get_limit (block, "minimum");
  high = get_limit (block, "maximum");
  if (low == self->spec.minimum && high == self->spec.maximum)
    return FALSE;
  self->spec.minimum = low;
  self->spec.maximum = high;
  return TRUE;
}

static void
update_slider (WeirField *self)
{
  double value;
  gboolean shown = self->slider != NULL && get_number (self, &value);
  GtkAdjustment *adjustment;

  if (self->slider == NULL)
    return;
  gtk_widget_set_visible (self->slider, shown);
  if (!shown)
    return;
  adjustment = gtk_range_get_adjustment (GTK_RANGE (self->slider));
  if (limit_by_block (self) || value < gtk_adjustment_get_lower (adjustment)
      || value > gtk_adjustment_get_upper (adjustment)
      || gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_lower (adjustment))
    set_slider_range (self, value);
  if (gtk_range_get_value (GTK_RANGE (self->slider)) != value)
    gtk_range_set_value (GTK_RANGE (self->slider), value);
}

static gboolean
slider_moved (GtkRange *range, G_GNUC_UNUSED GtkScrollType scroll, double value, WeirField *self)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (range);
  double low = gtk_adjustment_get_lower (adjustment), high = gtk_adjustment_get_upper (adjustment);
  double step = gtk_adjustment_get_step_increment (adjustment);
  double rounded = CLAMP (round (CLAMP (value, low, high) / step) * step, low, high);
  int decimals = MAX (0, (int) ceil (-log10 (step) - 1e-9));
  g_autofree char *key = NULL;
  char format[] = "%.15f", text[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_gone (self) || self->inspector->updating)
    return TRUE;
  if (decimals <= 12)
    g_snprintf (format, sizeof format, "%%.%df", decimals);
  else
    g_strlcpy (format, "%.3g", sizeof format);
  g_ascii_formatd (text, sizeof text, format, rounded);
  key = g_strdup_printf ("slider %u", self->inspector->drag);
  weir_field_commit (self, text, key);
  return TRUE; /* the model's value is shown */
}

/* A drag, or a key held down, is one undo step. */
static gboolean
slider_event (G_GNUC_UNUSED GtkEventControllerLegacy *controller, GdkEvent *event, WeirField *self)
{
  GdkEventType type = gdk_event_get_event_type (event);
  double value;

  if (is_gone (self)
      || (type != GDK_BUTTON_RELEASE && type != GDK_KEY_RELEASE && type != GDK_TOUCH_END))
    return GDK_EVENT_PROPAGATE;
  self->inspector->drag++;
  weir_document_end_merge (self->inspector->document);
  if (type != GDK_KEY_RELEASE && get_number (self, &value))
    {
      set_slider_range (self, value); /* so that the next drag can go further */
      gtk_range_set_value (GTK_RANGE (self->slider), value);
    }
  return GDK_EVENT_PROPAGATE;
}

/* A name that expressions further in use: what they come to may change while running. */
static gboolean
is_free_name (const WeirField *self)
{
  return self->kind == WEIR_FIELD_VARIABLE
         || (self->kind == WEIR_FIELD_PARAMETER && self->spec.default_text == NULL);
}

static GtkWidget *
slider_new (WeirField *self)
{
  GtkWidget *slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01);
  GtkEventController *events = gtk_event_controller_legacy_new ();
  g_autofree char *name = g_strdup_printf (_ ("Slider of %s"), self->caption);

  gtk_widget_add_css_class (slider, "weir-slider");
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_range_set_range (GTK_RANGE (slider), 0, 0);
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect (slider, "change-value", G_CALLBACK (slider_moved), self);
  g_signal_connect (events, "event", G_CALLBACK (slider_event), self);
  gtk_widget_add_controller (slider, events);
  gtk_widget_set_tooltip_text (slider, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return slider;
}

/* --- Making it ------------------------------------------------------------------------------- */

static gboolean
resize (gpointer view)
{
  gtk_widget_queue_resize (view);
  return G_SOURCE_REMOVE;
}

/* How many lines a text wraps to is known after its width is: then it asks for their height. */
static void
text_wrapped (GtkAdjustment *vertical, GtkWidget *view)
{
  if (gtk_adjustment_get_upper (vertical) > gtk_adjustment_get_page_size (vertical) + 0.5)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, resize, g_object_ref (view), g_object_unref);
}

static GtkWidget *
entry_new (WeirField *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  gboolean is_long = (self->kind == WEIR_FIELD_PARAMETER && self->spec.kind == WEIR_VALUE_TEXT
                      && self->spec.characters == NULL)
                     || self->kind == WEIR_FIELD_DESCRIPTION;
  GtkWidget *widget = is_long ? gtk_text_view_new () : gtk_entry_new ();

  if (is_long)
    {
      gtk_text_view_set_monospace (GTK_TEXT_VIEW (widget), self->kind == WEIR_FIELD_PARAMETER);
      gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (widget), FALSE);
      gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (widget), GTK_WRAP_WORD_CHAR);
      gtk_text_view_set_top_margin (GTK_TEXT_VIEW (widget), 6);
      gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (widget), 6);
      gtk_text_view_set_left_margin (GTK_TEXT_VIEW (widget), 8);
      gtk_text_view_set_right_margin (GTK_TEXT_VIEW (widget), 8);
      gtk_widget_add_css_class (widget, "weir-text");
      g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget)), "changed",
                               G_CALLBACK (text_wrapped), widget, 0);
      g_signal_connect_swapped (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)), "changed",
                                G_CALLBACK (text_changed), self);
    }
  else
    {
      gtk_editable_set_width_chars (GTK_EDITABLE (widget), 8);
      g_signal_connect_swapped (widget, "changed", G_CALLBACK (text_changed), self);
      g_signal_connect_swapped (widget, "activate", G_CALLBACK (weir_field_enter), self);
    }
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_left), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_entered), self);
  gtk_widget_add_controller (widget, focus);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (widget, keys);
  return widget;
}

static GtkWidget *
button_new (GtkWidget *button, const char *icon, const char *tooltip)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "weir-small");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}

static GtkWidget *
caption_new (WeirField *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (self->caption);
  WeirPlace place;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_box_append (GTK_BOX (row), label);
  if (self->kind != WEIR_FIELD_PARAMETER && self->kind != WEIR_FIELD_SETTING
      && self->kind != WEIR_FIELD_VARIABLE)
    return row;
  if (blocks->len > 0)
    weir_model_find_block (weir_document_get_model (self->inspector->document),
                           g_array_index (blocks, guint32, 0), ids);
  place = (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
  if (self->kind == WEIR_FIELD_PARAMETER && self->owner == 0 && place.n_ids > 0
      && self->spec.default_text != NULL)
    {
      self->promote = button_new (gtk_toggle_button_new (), "go-up-symbolic",
                                  _ ("Promote: Show It at the Subsystem Too"));
      g_signal_connect_swapped (self->promote, "toggled", G_CALLBACK (promote_clicked), self);
      gtk_box_append (GTK_BOX (row), self->promote);
    }
  if (self->spec.kind != WEIR_VALUE_TEXT || self->spec.characters != NULL)
    {
      self->reset = button_new (
          gtk_button_new (),
          self->spec.default_text != NULL ? "edit-undo-symbolic" : "list-remove-symbolic",
          self->spec.default_text != NULL ? _ ("Use the Default") : _ ("Remove"));
      g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_clicked), self);
      gtk_box_append (GTK_BOX (row), self->reset);
    }
  return row;
}

static GtkWidget *
small_label_new (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_visible (label, FALSE);
  return label;
}

static gboolean
can_tune (const WeirField *self)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  const WeirBlock *block = blocks->len == 0 ? NULL
                                            : weir_model_find_block (
                                                weir_document_get_model (self->inspector->document),
                                                g_array_index (blocks, guint32, 0), NULL);
  const char *leaf_parameter;

  return self->kind == WEIR_FIELD_PARAMETER && block != NULL
         && weir_model_is_tunable (block, self->spec.name, &leaf_parameter);
}

static void
field_free (gpointer data)
{
  WeirField *self = data;

  g_free (self->caption);
  g_free (self->details);
  g_free (self);
}

static void
parameter_entered (G_GNUC_UNUSED GtkEventControllerMotion *controller, G_GNUC_UNUSED double x,
                   G_GNUC_UNUSED double y, WeirField *self)
{
  g_autoptr (GArray) blocks = NULL;

  if (self->inspector == NULL)
    return;
  blocks = weir_field_list_blocks (self);
  if (blocks->len == 1)
    g_signal_emit_by_name (self->inspector, "parameter-pointed", g_array_index (blocks, guint32, 0),
                           self->spec.name);
}

static void
parameter_left (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirField *self)
{
  if (self->inspector != NULL)
    g_signal_emit_by_name (self->inspector, "parameter-pointed", 0, NULL);
}

/* Tells when the pointer is on a parameter. */
static void
watch_pointer (WeirField *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (parameter_entered), self);
  g_signal_connect (motion, "leave", G_CALLBACK (parameter_left), self);
  gtk_widget_add_controller (self->group, motion);
}

WeirField *
weir_field_new (WeirInspector *inspector, WeirFieldKind kind, const WeirParameterSpec *spec,
                const char *prefix, guint32 owner)
{
  WeirField *self = g_new0 (WeirField, 1);

  self->inspector = inspector;
  self->kind = kind;
  self->spec = *spec;
  self->owner = owner;
  self->caption = g_strconcat (prefix != NULL ? prefix : "", prefix != NULL ? ": " : "",
                               _ (spec->label), spec->unit != NULL ? " (" : NULL, spec->unit, ")",
                               NULL);
  self->has_tuning = can_tune (self);
  self->details = describe (self);

  self->group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  if (spec->kind == WEIR_VALUE_CHOICE)
    {
      self->widget = gtk_drop_down_new_from_strings (spec->choices);
      g_signal_connect_swapped (self->widget, "notify::selected", G_CALLBACK (choice_changed),
                                self);
    }
  else
    self->widget = entry_new (self);
  g_object_set_data_full (G_OBJECT (self->widget), "weir-field", self, field_free);
  if (*self->details != '\0')
    gtk_widget_set_tooltip_text (self->widget, self->details);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->caption, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->details,
                                  -1);
  self->problem = small_label_new ("error");
  self->evaluated = small_label_new ("dim-label");
  if (kind == WEIR_FIELD_PARAMETER)
    watch_pointer (self);
  gtk_box_append (GTK_BOX (self->group), caption_new (self));
  gtk_box_append (GTK_BOX (self->group), self->widget);
  if ((self->has_tuning || is_free_name (self)) && spec->kind != WEIR_VALUE_CHOICE
      && spec->kind != WEIR_VALUE_TEXT)
    {
      self->slider = slider_new (self);
      gtk_box_append (GTK_BOX (self->group), self->slider);
    }
  gtk_box_append (GTK_BOX (self->group), self->evaluated);
  gtk_box_append (GTK_BOX (self->group), self->problem);
  return self;
}

void
weir_field_update (WeirField *self)
{
  const char *text = weir_field_get_text (self);
  g_autofree char *evaluated = weir_field_dup_evaluated (self);
  gboolean was_updating = self->inspector->updating;

  self->inspector->updating = TRUE;
  if (self->reset != NULL)
    gtk_widget_set_visible (self->reset, !weir_field_is_default (self));
  if (self->promote != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->promote), weir_field_is_promoted (self));
  if (GTK_IS_DROP_DOWN (self->widget))
    {
      guint selected = GTK_INVALID_LIST_POSITION;

      for (guint i = 0; self->spec.choices[i] != NULL; i++)
        if (g_strcmp0 (self->spec.choices[i], text) == 0)
          selected = i;
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->widget), selected);
    }
  else
    {
      g_autofree char *shown = dup_shown (self);

      if (GTK_IS_ENTRY (self->widget))
        gtk_entry_set_placeholder_text (GTK_ENTRY (self->widget),
                                        text == NULL ? _ ("Different values") : NULL);
      if (g_strcmp0 (shown, text != NULL ? text : "") != 0)
        {
          show_text (self, text != NULL ? text : "");
          weir_field_show_problem (self, NULL);
        }
    }
  gtk_label_set_text (GTK_LABEL (self->evaluated), evaluated != NULL ? evaluated : "");
  gtk_widget_set_visible (self->evaluated, evaluated != NULL);
  update_slider (self);
  self->inspector->updating = was_updating;
}
