/* One field of the inspector: caption, entry (or choice, or text of several lines), slider, what it
 * means, what is wrong with what is typed. See inspector-private.h.
 *
 * What a field means is told at the foot of the inspector: a text that came and went at the field
 * itself would move the others away under a pressed pointer.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "model/completion/completion.h"
#include "model/tree/fmu-parameters.h"
#include "panels/inspector-private.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

/* --- What it says ---------------------------------------------------------------------------- */

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

/* The first that it is about, or NULL. */
static const WeirBlock *
find_block (const WeirField *self)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);

  return blocks->len == 0
             ? NULL
             : weir_model_find_block (weir_document_get_model (self->inspector->document),
                                      g_array_index (blocks, guint32, 0), NULL);
}

static gboolean
is_structural (const WeirField *self)
{
  const WeirBlock *block = self->kind == WEIR_FIELD_START ? find_block (self) : NULL;

  return block != NULL && weir_block_is_fmu_structure (block, self->spec.name);
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
      g_string_append (text, self->kind == WEIR_FIELD_START ? spec->help : _ (spec->help));
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
  else if (is_structural (self))
    g_string_append_printf (
        text, " %s",
        _ ("Arrays and ports get other sizes by it: the next run has them, one that goes on does "
           "not."));
  else if (self->kind == WEIR_FIELD_START)
    g_string_append_printf (text, " %s", _ ("The FMU takes it at the start of a run alone."));
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

  if (weir_field_is_gone (self) || self->inspector->updating)
    return;
  shown = dup_shown (self);
  /* Empty stands for the different values of several blocks until something is typed. */
  if ((*shown == '\0' && weir_field_get_text (self) == NULL)
      || weir_field_check (self, shown, &text, &error))
    weir_field_show_problem (self, NULL);
  else
    weir_field_show_error (self, error);
}

void
weir_field_enter (WeirField *self)
{
  g_autofree char *shown = NULL;

  if (GTK_IS_DROP_DOWN (self->widget) || GTK_IS_SWITCH (self->widget))
    return;
  shown = dup_shown (self);

  if (*shown == '\0' && weir_field_get_text (self) == NULL)
    return;
  if (weir_field_commit (self, shown, NULL))
    weir_field_update (self); /* "2,50" is written as the model has it */
}

static void
focus_left (WeirField *self)
{
  if (weir_field_is_gone (self)
      || self->inspector->updating) /* it only goes because its block does */
    return;
  weir_field_enter (self);
  weir_inspector_explain (self->inspector, NULL);
}

static void
focus_entered (WeirField *self)
{
  if (!weir_field_is_gone (self))
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

  if (!weir_field_is_gone (self) && !self->inspector->updating
      && selected != GTK_INVALID_LIST_POSITION)
    weir_field_commit (self, self->spec.choices[selected], NULL);
}

static void
switched (WeirField *self)
{
  if (!weir_field_is_gone (self) && !self->inspector->updating)
    weir_field_commit (self, self->spec.choices[gtk_switch_get_active (GTK_SWITCH (self->widget))],
                       NULL);
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
  if (!weir_field_is_gone (self) && !self->inspector->updating)
    weir_field_set_promoted (self,
                             gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->promote)));
}

/* --- Making it ------------------------------------------------------------------------------- */

/* A name that expressions further in use: what they come to may change while running. */
static gboolean
is_free_name (const WeirField *self)
{
  return self->kind == WEIR_FIELD_VARIABLE
         || (self->kind == WEIR_FIELD_PARAMETER && self->spec.default_text == NULL);
}

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
  weir_set_tooltip (button, tooltip);
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
  if (self->kind == WEIR_FIELD_START) /* "suspension.frontLeft.springStiffness" */
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_box_append (GTK_BOX (row), label);
  if (self->kind != WEIR_FIELD_PARAMETER && self->kind != WEIR_FIELD_SETTING
      && self->kind != WEIR_FIELD_VARIABLE && self->kind != WEIR_FIELD_UNIT
      && self->kind != WEIR_FIELD_START)
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
  if (self->spec.kind != WEIR_VALUE_TEXT || self->spec.characters != NULL
      || self->kind == WEIR_FIELD_START)
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
  const WeirBlock *block = find_block (self);
  const char *leaf_parameter;

  if (self->kind == WEIR_FIELD_START)
    return self->spec.tunable != NULL;
  return self->kind == WEIR_FIELD_PARAMETER && block != NULL
         && weir_model_is_tunable (block, self->spec.name, &leaf_parameter);
}

static void
field_free (gpointer data)
{
  WeirField *self = data;

  g_free (self->caption);
  g_free (self->details);
  if (self->start != NULL)
    g_string_free (self->start, TRUE);
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
follow_pointer (WeirField *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (parameter_entered), self);
  g_signal_connect (motion, "leave", G_CALLBACK (parameter_left), self);
  gtk_widget_add_controller (self->group, motion);
}

/* Whether it is true or false. */
static gboolean
is_switch (const WeirParameterSpec *spec)
{
  return spec->kind == WEIR_VALUE_CHOICE && g_strcmp0 (spec->choices[0], "false") == 0
         && g_strcmp0 (spec->choices[1], "true") == 0 && spec->choices[2] == NULL;
}

WeirField *
weir_field_new (WeirInspector *inspector, WeirFieldKind kind, const WeirParameterSpec *spec,
                const char *prefix, guint32 owner)
{
  WeirField *self = g_new0 (WeirField, 1);
  GtkWidget *caption;

  self->inspector = inspector;
  self->kind = kind;
  self->spec = *spec;
  self->owner = owner;
  self->caption = g_strconcat (prefix != NULL ? prefix : "", prefix != NULL ? ": " : "",
                               weir_field_get_label (self), spec->unit != NULL ? " (" : NULL,
                               spec->unit, ")", NULL);
  self->start = kind == WEIR_FIELD_START ? g_string_new (NULL) : NULL;
  self->has_tuning = can_tune (self);
  self->details = describe (self);

  self->group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  if (is_switch (spec))
    {
      self->widget = gtk_switch_new ();
      gtk_widget_set_halign (self->widget, GTK_ALIGN_START);
      g_signal_connect_swapped (self->widget, "notify::active", G_CALLBACK (switched), self);
    }
  else if (spec->kind == WEIR_VALUE_CHOICE)
    {
      self->widget = gtk_drop_down_new_from_strings (spec->choices);
      if (kind == WEIR_FIELD_START) /* words of whoever made the FMU */
        weir_drop_down_make_narrow (GTK_DROP_DOWN (self->widget));
      g_signal_connect_swapped (self->widget, "notify::selected", G_CALLBACK (choice_changed),
                                self);
    }
  else
    self->widget = entry_new (self);
  g_object_set_data_full (G_OBJECT (self->widget), "weir-field", self, field_free);
  if (*self->details != '\0')
    weir_set_tooltip (self->widget, self->details);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->caption, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->details,
                                  -1);
  self->problem = small_label_new ("error");
  self->evaluated = small_label_new ("dim-label");
  if (kind == WEIR_FIELD_PARAMETER)
    follow_pointer (self);
  caption = caption_new (self);
  weir_field_add_study (self, caption);
  gtk_box_append (GTK_BOX (self->group), caption);
  gtk_box_append (GTK_BOX (self->group), self->widget);
  if ((self->has_tuning || is_free_name (self)) && spec->kind != WEIR_VALUE_CHOICE
      && spec->kind != WEIR_VALUE_TEXT)
    weir_field_add_slider (self);
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
  if (GTK_IS_SWITCH (self->widget))
    gtk_switch_set_active (GTK_SWITCH (self->widget), g_strcmp0 (text, "true") == 0);
  else if (GTK_IS_DROP_DOWN (self->widget))
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
  weir_field_update_slider (self);
  self->inspector->updating = was_updating;
}
