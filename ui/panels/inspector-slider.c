/* The slider of a field of the inspector: its range, and drags as one undo step each. See
 * inspector-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "model/completion.h"
#include "panels/inspector-private.h"

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

void
weir_field_update_slider (WeirField *self)
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

  if (weir_field_is_gone (self) || self->inspector->updating)
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

GtkWidget *
weir_field_slider_new (WeirField *self)
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
