/* The slider of a field of the inspector: its range, which stands below it and can be typed, and
 * drags as one undo step each. See inspector-private.h.
 *
 * A range that was typed is kept with the model as how the block, or the variable, is looked at;
 * that of a Slider block is its own minimum and maximum.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "model/completion/completion.h"
#include "panels/entered.h"
#include "panels/inspector-private.h"
#include "widgets/tooltips.h"

#define SLIDER_STEPS 200

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

/* The block that the field is about, and what of it; NULL: a variable of the model, or several
 * blocks.
 * @place: filled with where the block is. */
static WeirBlock *
find_block (const WeirField *self, GArray *place)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);

  return blocks->len == 1
             ? weir_model_find_block (weir_document_get_model (self->inspector->document),
                                      g_array_index (blocks, guint32, 0), place)
             : NULL;
}

/* What the range of a variable is kept under, in the model. (transfer full) */
static char *
dup_range_name (const WeirField *self)
{
  return g_strconcat ("slider ", self->spec.name, NULL);
}

static gboolean
get_typed_range (const WeirField *self, double range[2])
{
  const WeirBlock *block = find_block (self, NULL);
  g_autofree char *name = dup_range_name (self);
  const char *text = NULL;
  char *end;

  if (block != NULL)
    text = weir_metadata_get_text (weir_block_get_metadata (block), self->spec.name,
                                   weir_key_range);
  else if (self->kind == WEIR_FIELD_VARIABLE)
    text = weir_model_get_plot (weir_document_get_model (self->inspector->document), name);
  if (text == NULL)
    return FALSE;
  range[0] = g_ascii_strtod (text, &end);
  range[1] = g_ascii_strtod (end, &end);
  return *end == '\0' && isfinite (range[0]) && isfinite (range[1]) && range[0] < range[1];
}

/* One about several blocks is not kept. */
static void
keep_range (WeirField *self, const double *limits)
{
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *name = dup_range_name (self), *text = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GError) error = NULL;
  const WeirBlock *block = find_block (self, ids);

  text = g_strconcat (g_ascii_dtostr (low, sizeof low, limits[0]), " ",
                      g_ascii_dtostr (high, sizeof high, limits[1]), NULL);
  if (block != NULL)
    {
      g_autoptr (WeirBlock)
          changed = weir_block_with_metadata (block, self->spec.name, weir_key_range, text);

      weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                            changed);
    }
  else if (self->kind == WEIR_FIELD_VARIABLE)
    weir_patch_set_plot (patch, name, text);
  if (!weir_document_edit (self->inspector->document, patch, "", NULL, &error))
    weir_field_show_error (self, error);
}

static void
show_range (WeirField *self, double low, double high)
{
  const double limits[2] = { low, high };

  for (int i = 0; i < 2; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      gtk_editable_set_text (GTK_EDITABLE (self->limits[i]),
                             g_ascii_formatd (text, sizeof text, "%.6g", limits[i]));
    }
}

/* One that was typed, as far as the value lies in it; else the range of the parameter where it is
 * bounded, else from 0 to twice the value, or around 0. */
static void
set_slider_range (WeirField *self, double value)
{
  const WeirParameterSpec *spec = &self->spec;
  double low = value < 0 ? 2 * value : value > 0 ? 0 : -1;
  double high = value < 0 ? 0 : value > 0 ? 2 * value : 1;
  double typed[2], step;

  if (get_typed_range (self, typed))
    {
      low = MIN (typed[0], value);
      high = MAX (typed[1], value);
    }
  else if (spec->minimum > -1e6 && spec->maximum < 1e6)
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
  show_range (self, low, high);
}

static double
get_limit (const WeirBlock *block, const char *name)
{
  const char *text = weir_block_get_parameter (block, name);
  const WeirParameterSpec *spec = weir_block_type_find_parameter (
      weir_registry_find (weir_block_get_type_name (block)), name);

  return g_ascii_strtod (text != NULL ? text : spec->default_text, NULL);
}

/* The Slider block whose value the field is, or NULL. @place: (nullable) GArray, filled with where
 * it is. */
static WeirBlock *
get_slider_block (const WeirField *self, GArray *place)
{
  g_autoptr (GArray) blocks = weir_field_list_blocks (self);
  WeirBlock *block;

  if (!g_str_equal (self->spec.name, "value") || blocks->len != 1)
    return NULL;
  block = weir_model_find_block (weir_document_get_model (self->inspector->document),
                                 g_array_index (blocks, guint32, 0), place);
  return block != NULL && g_str_equal (weir_block_get_type_name (block), "Slider") ? block : NULL;
}

/* The value of a Slider lies between its own minimum and maximum. TRUE if these have changed. */
static gboolean
limit_by_block (WeirField *self)
{
  WeirBlock *block = get_slider_block (self, NULL);
  double low, high;

  if (block == NULL)
    return FALSE;
  low = get_limit (block, "minimum");
  high = get_limit (block, "maximum");
  if (low == self->spec.minimum && high == self->spec.maximum)
    return FALSE;
  self->spec.minimum = low;
  self->spec.maximum = high;
  return TRUE;
}

void
weir_field_update_slider (WeirField *self)
{
  double value;
  gboolean shown = self->slider != NULL && get_number (self, &value);
  GtkAdjustment *adjustment;

  if (self->slider == NULL)
    return;
  gtk_widget_set_visible (self->slider, shown);
  gtk_widget_set_visible (self->range, shown);
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

  if (weir_field_is_gone (self) || self->inspector->updating)
    return TRUE;
  if (decimals <= 12)
    g_snprintf (format, sizeof format, "%%.%df", decimals);
  else
    g_strlcpy (format, "%.3g", sizeof format);
  g_ascii_formatd (text, sizeof text, format, rounded);
  key = g_strdup_printf ("slider %u", self->inspector->drag);
  if (weir_field_commit (self, text, key))
    weir_field_update_slider (self);
  return TRUE; /* the model's value is shown */
}

/* A drag, or a key held down, is one undo step. */
static gboolean
slider_event (G_GNUC_UNUSED GtkEventControllerLegacy *controller, GdkEvent *event, WeirField *self)
{
  GdkEventType type = gdk_event_get_event_type (event);
  double value;

  if (weir_field_is_gone (self)
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

/* --- A range that is typed ------------------------------------------------------------------- */

/* As a value of the parameter is read. */
static gboolean
read_limit (const WeirField *self, const char *entered, double *limit)
{
  WeirParameterSpec spec = self->spec;
  g_autofree char *text = NULL;
  g_autofree double *values = NULL;
  guint size = 0;

  if (spec.default_text == NULL)
    spec.default_text = "0";
  text = weir_entered_to_text (&spec, entered, NULL);
  values = text != NULL ? weir_value_parse (text, &size, NULL) : NULL;
  if (values == NULL || size != 1 || !isfinite (values[0]))
    return FALSE;
  *limit = values[0];
  return TRUE;
}

static void
set_block_limits (WeirField *self, WeirBlock *block, WeirPlace place, const double *limits)
{
  static const char *const names[2] = { "minimum", "maximum" };
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) changed = weir_block_ref (block);
  g_autofree char *label = g_strdup_printf (_ ("Change the range of %s"),
                                            weir_block_get_name (block));
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 2; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      WeirBlock *next = weir_block_with_parameter (changed, names[i],
                                                   g_ascii_dtostr (text, sizeof text, limits[i]));

      weir_block_unref (changed);
      changed = next;
    }
  weir_patch_set_block (patch, place, changed);
  if (!weir_document_edit (self->inspector->document, patch, label, NULL, &error))
    weir_field_show_error (self, error);
}

static void
range_entered (WeirField *self)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->slider));
  double old[2] = { gtk_adjustment_get_lower (adjustment), gtk_adjustment_get_upper (adjustment) };
  double limits[2], value;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = get_slider_block (self, ids);

  for (int i = 0; i < 2; i++)
    if (!read_limit (self, gtk_editable_get_text (GTK_EDITABLE (self->limits[i])), &limits[i]))
      limits[i] = NAN;
  if (!(limits[0] < limits[1]) || limits[0] < self->spec.minimum
      || (block == NULL && limits[1] > self->spec.maximum))
    {
      show_range (self, old[0], old[1]);
      weir_field_show_problem (
          self, _ ("The range goes from a number to a larger one, within what the value may be."));
      return;
    }
  weir_field_show_problem (self, NULL);
  if (limits[0] == old[0] && limits[1] == old[1])
    return;
  if (block != NULL)
    {
      set_block_limits (self, block,
                        (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len }, limits);
      return;
    }
  keep_range (self, limits);
  if (get_number (self, &value))
    {
      set_slider_range (self, value);
      gtk_range_set_value (GTK_RANGE (self->slider), value);
    }
}

static void
limit_left (WeirField *self)
{
  if (!weir_field_is_gone (self) && !self->inspector->updating)
    range_entered (self);
}

static GtkWidget *
range_new (WeirField *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *space = gtk_label_new (NULL);

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf (i == 0 ? _ ("Lower end of the slider of %s")
                                                      : _ ("Upper end of the slider of %s"),
                                               self->caption);
      GtkEventController *focus = gtk_event_controller_focus_new ();

      self->limits[i] = gtk_entry_new ();
      gtk_editable_set_width_chars (GTK_EDITABLE (self->limits[i]), 5);
      gtk_editable_set_max_width_chars (GTK_EDITABLE (self->limits[i]), 9);
      gtk_editable_set_alignment (GTK_EDITABLE (self->limits[i]), (float) i);
      gtk_widget_add_css_class (self->limits[i], "weir-limit");
      weir_set_tooltip (self->limits[i], _ ("Where the Slider Ends: Click to Type"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->limits[i]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      g_signal_connect_swapped (self->limits[i], "activate", G_CALLBACK (limit_left), self);
      g_signal_connect_swapped (focus, "leave", G_CALLBACK (limit_left), self);
      gtk_widget_add_controller (self->limits[i], focus);
    }
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (box), self->limits[0]);
  gtk_box_append (GTK_BOX (box), space);
  gtk_box_append (GTK_BOX (box), self->limits[1]);
  return box;
}

void
weir_field_add_slider (WeirField *self)
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
  weir_set_tooltip (slider, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (slider), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  self->slider = slider;
  self->range = range_new (self);
  gtk_box_append (GTK_BOX (self->group), slider);
  gtk_box_append (GTK_BOX (self->group), self->range);
}
