/* WeirSpectrumView. See spectrum-view.h. */
#include "scopes/spectrum-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "paint/plots/axis.h"
#include "scopes/chart-view.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MOST_SAMPLES                                                                               \
  65536              /* of a stretch: a chart of more is slow to draw and no easier to read        \
                      */
#define PAUSE_MS 100 /* between two requests */

typedef struct {
  gboolean is_density;
  WeirSpectrumWindow window;
  gboolean is_log[2]; /* frequency, value */
} Look;

#define LOOK_AT_FIRST ((Look) { .window = WEIR_WINDOW_HANN })

static const char *const quantities[] = { "amplitude", "density" };
static const char *const scales[] = { "linear", "log" };

struct _WeirSpectrumView {
  GtkWidget parent;
  GtkWidget *quantity, *window, *is_log[2], *chart, *note;
  Look look;
  gboolean is_filling; /* the fields show a look, nobody changed them */
  GArray *signals;     /* WeirFiguresSignal */
  GPtrArray *found;    /* WeirSpectrum, of the signals that were there then; NULL: it has none */
  GArray *found_of;    /* those signals */
  gboolean is_finding, is_stale;
  guint pause;
};

G_DEFINE_FINAL_TYPE (WeirSpectrumView, weir_spectrum_view, GTK_TYPE_WIDGET)

static guint changed_signal;

static const WeirFiguresSignal *
get_signal (const GArray *list, guint i)
{
  return &g_array_index (list, WeirFiguresSignal, i);
}

static const double *
get_values (const WeirSpectrumView *self, const WeirSpectrum *spectrum)
{
  return self->look.is_density ? spectrum->densities : spectrum->amplitudes;
}

/* --- What is shown --------------------------------------------------------------------------- */

/* But for the mean value, at 0. FALSE: there is no other. */
static gboolean
find_largest (const WeirSpectrumView *self, const WeirSpectrum *spectrum, gsize *largest)
{
  const double *values = get_values (self, spectrum);

  *largest = 1;
  for (gsize k = 2; k < spectrum->n_frequencies; k++)
    if (values[k] > values[*largest])
      *largest = k;
  return spectrum->n_frequencies > 1;
}

static void
note_signal (WeirSpectrumView *self, GString *note, guint i)
{
  const WeirSpectrum *spectrum = self->found->pdata[i];
  const char *name = get_signal (self->found_of, i)->name;
  g_autofree char *value = NULL, *frequency = NULL, *rate = NULL;
  gsize largest;

  if (note->len > 0)
    g_string_append (note, " · ");
  if (spectrum == NULL)
    {
      g_string_append_printf (note, "%s: %s", name,
                              _ ("the range has fewer than two samples, or a gap"));
      return;
    }
  rate = weir_axis_format_value (spectrum->rate);
  if (find_largest (self, spectrum, &largest))
    {
      value = weir_axis_format_value (get_values (self, spectrum)[largest]);
      frequency = weir_axis_format_value (spectrum->frequencies[largest]);
      /* Translators: a signal, the largest value of its spectrum, and where (Hz) */
      g_string_append_printf (note, _ ("%s: largest %s at %s Hz"), name, value, frequency);
    }
  else
    g_string_append (note, name);
  g_string_append (note, "; ");
  g_string_append_printf (note,
                          spectrum->is_resampled
                              ? _ ("read at even times between its samples, %s a second")
                              : _ ("%s samples a second"),
                          rate);
  if (spectrum->n_stretches > 1)
    g_string_append_printf (
        note, ngettext (", mean of %u stretch", ", mean of %u stretches", spectrum->n_stretches),
        spectrum->n_stretches);
}

static void
fill (WeirSpectrumView *self)
{
  WeirChart *chart = weir_chart_view_get_chart (WEIR_CHART_VIEW (self->chart));
  g_autoptr (GString) note = g_string_new (NULL);

  weir_chart_clear (chart);
  weir_chart_add_panel (chart, _ ("Frequency (Hz)"),
                        self->look.is_log[0] ? WEIR_CHART_LOG : WEIR_CHART_LINEAR,
                        self->look.is_density ? _ ("Power density (1/Hz)") : _ ("Amplitude"),
                        self->look.is_log[1] ? WEIR_CHART_LOG : WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < self->found->len; i++)
    {
      const WeirSpectrum *spectrum = self->found->pdata[i];
      const WeirFiguresSignal *signal = get_signal (self->found_of, i);

      note_signal (self, note, i);
      if (spectrum != NULL)
        weir_chart_add_curve (chart, 0, signal->is_earlier ? WEIR_CHART_DASHED : WEIR_CHART_LINE,
                              signal->color, signal->name, (guint) spectrum->n_frequencies,
                              spectrum->frequencies, get_values (self, spectrum));
    }
  weir_chart_view_changed (WEIR_CHART_VIEW (self->chart));
  gtk_label_set_text (GTK_LABEL (self->note), note->str);
  weir_set_tooltip (self->note, note->str);
}

/* At the cursor. */
static char *
dup_text (gpointer data, guint curve, G_GNUC_UNUSED guint i, double x, double y)
{
  WeirSpectrumView *self = data;
  g_autofree char *frequency = weir_axis_format_value (x);
  g_autofree char *value = weir_axis_format_value (y);
  guint n = 0;

  for (guint k = 0; k < self->found->len; k++)
    if (self->found->pdata[k] != NULL && n++ == curve)
      return g_strdup_printf (_ ("%s: %s at %s Hz"), get_signal (self->found_of, k)->name, value,
                              frequency);
  return g_strdup (value);
}

/* --- In the thread --------------------------------------------------------------------------- */

typedef struct {
  GWeakRef view;
  GArray *signals;
  WeirSpectrumWindow window;
  GPtrArray *found;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_weak_ref_clear (&finding->view);
  g_array_unref (finding->signals);
  g_clear_pointer (&finding->found, g_ptr_array_unref);
  g_free (finding);
}

static GPtrArray *
found_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) weir_spectrum_free);
}

static void
find (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
      G_GNUC_UNUSED GCancellable *cancellable)
{
  Finding *finding = data;

  finding->found = found_new ();
  for (guint i = 0; i < finding->signals->len; i++)
    {
      const WeirFiguresSignal *signal = get_signal (finding->signals, i);
      g_autoptr (WeirMeasure)
          measure = weir_measure_new_for_signal (signal->recorder, signal->signal, signal->between);

      g_ptr_array_add (finding->found, weir_measure_get_spectrum (
                                           measure, signal->range,
                                           &(WeirSpectrumOptions) { .window = finding->window,
                                                                    .n = MOST_SAMPLES }));
    }
  g_task_return_boolean (task, TRUE);
}

static void request (WeirSpectrumView *self);

static gboolean
pause_over (gpointer data)
{
  WeirSpectrumView *self = data;

  self->pause = 0;
  if (self->is_stale)
    request (self);
  return G_SOURCE_REMOVE;
}

static void
found (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Finding *finding = g_task_get_task_data (G_TASK (result));
  g_autoptr (WeirSpectrumView) self = g_weak_ref_get (&finding->view);

  if (self == NULL || self->signals == NULL)
    return;
  self->is_finding = FALSE;
  g_ptr_array_unref (self->found);
  self->found = g_steal_pointer (&finding->found);
  g_array_unref (self->found_of);
  self->found_of = g_array_ref (finding->signals);
  self->pause = g_timeout_add (PAUSE_MS, pause_over, self);
  fill (self);
}

static void
request (WeirSpectrumView *self)
{
  Finding *finding;
  g_autoptr (GTask) task = NULL;

  self->is_stale = TRUE;
  if (self->is_finding || self->pause != 0)
    return;
  self->is_stale = FALSE;
  self->is_finding = TRUE;
  finding = g_new0 (Finding, 1);
  g_weak_ref_init (&finding->view, self);
  finding->signals = g_array_ref (self->signals); /* never altered, only replaced */
  finding->window = self->look.window;
  task = g_task_new (NULL, NULL, found, NULL);
  g_task_set_task_data (task, finding, finding_free);
  g_task_run_in_thread (task, find);
}

void
weir_spectrum_view_show (WeirSpectrumView *self, GArray *list)
{
  g_return_if_fail (WEIR_IS_SPECTRUM_VIEW (self));

  g_array_unref (self->signals);
  self->signals = list;
  request (self);
}

gboolean
weir_spectrum_view_is_settled (WeirSpectrumView *self)
{
  return !self->is_finding && !self->is_stale;
}

GtkWidget *
weir_spectrum_view_get_chart_view (WeirSpectrumView *self)
{
  g_return_val_if_fail (WEIR_IS_SPECTRUM_VIEW (self), NULL);

  return self->chart;
}

const char *
weir_spectrum_view_get_note (WeirSpectrumView *self)
{
  return gtk_label_get_text (GTK_LABEL (self->note));
}

/* --- How they are looked at ------------------------------------------------------------------ */

char *
weir_spectrum_view_dup_look (WeirSpectrumView *self)
{
  g_return_val_if_fail (WEIR_IS_SPECTRUM_VIEW (self), NULL);

  return g_strdup_printf ("%s %s %s %s", quantities[self->look.is_density],
                          weir_spectrum_window_get_name (self->look.window),
                          scales[self->look.is_log[0]], scales[self->look.is_log[1]]);
}

static void
show_look (WeirSpectrumView *self)
{
  self->is_filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->quantity), self->look.is_density);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->window), self->look.window);
  for (guint i = 0; i < 2; i++)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->is_log[i]), self->look.is_log[i]);
  self->is_filling = FALSE;
  fill (self);
}

void
weir_spectrum_view_set_look (WeirSpectrumView *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  g_return_if_fail (WEIR_IS_SPECTRUM_VIEW (self));

  self->look = LOOK_AT_FIRST;
  if (g_strv_length (words) == 4)
    {
      self->look.is_density = g_str_equal (words[0], quantities[TRUE]);
      weir_spectrum_window_find (words[1], &self->look.window);
      for (guint i = 0; i < 2; i++)
        self->look.is_log[i] = g_str_equal (words[2 + i], scales[TRUE]);
    }
  show_look (self);
  request (self);
}

static void
changed (WeirSpectrumView *self)
{
  if (self->is_filling)
    return;
  self->look.is_density = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->quantity)) == 1;
  self->look.window = (WeirSpectrumWindow) MIN (
      gtk_drop_down_get_selected (GTK_DROP_DOWN (self->window)), WEIR_N_WINDOWS - 1);
  for (guint i = 0; i < 2; i++)
    self->look.is_log[i] = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->is_log[i]));
  fill (self);
  request (self);
  g_signal_emit (self, changed_signal, 0);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirSpectrumView *self = WEIR_SPECTRUM_VIEW (object);
  GtkWidget *child;

  self->is_filling = TRUE;
  g_clear_handle_id (&self->pause, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->signals, g_array_unref);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_clear_pointer (&self->found_of, g_array_unref);
  G_OBJECT_CLASS (weir_spectrum_view_parent_class)->dispose (object);
}

static void
weir_spectrum_view_class_init (WeirSpectrumViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
choice_new (WeirSpectrumView *self, guint n, const char *const *titles, const char *label)
{
  g_autoptr (GtkStringList) strings = gtk_string_list_new (NULL);
  GtkWidget *choice;

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (strings, _ (titles[i]));
  choice = weir_drop_down_new (g_steal_pointer (&strings), label);
  g_signal_connect_swapped (choice, "notify::selected", G_CALLBACK (changed), self);
  return choice;
}

static void
add_choices (WeirSpectrumView *self, GtkBox *box)
{
  static const char *const quantity_titles[] = { N_ ("Amplitude"), N_ ("Power Density") };
  static const char *const windows[WEIR_N_WINDOWS] = {
    [WEIR_WINDOW_BOX] = N_ ("No Window"),
    [WEIR_WINDOW_HANN] = N_ ("Hann Window"),
    [WEIR_WINDOW_HAMMING] = N_ ("Hamming Window"),
    [WEIR_WINDOW_BLACKMAN] = N_ ("Blackman Window"),
    [WEIR_WINDOW_FLAT_TOP] = N_ ("Flat-Top Window"),
  };
  static const char *const axes[2] = { N_ ("Logarithmic Frequency"), N_ ("Logarithmic Values") };

  self->quantity = choice_new (self, 2, quantity_titles, _ ("What the Spectrum Shows"));
  self->window = choice_new (self, WEIR_N_WINDOWS, windows, _ ("Window of the Samples"));
  gtk_box_append (box, self->quantity);
  gtk_box_append (box, self->window);
  for (guint i = 0; i < 2; i++)
    {
      self->is_log[i] = gtk_check_button_new_with_label (_ (axes[i]));
      g_signal_connect_swapped (self->is_log[i], "toggled", G_CALLBACK (changed), self);
      gtk_box_append (box, self->is_log[i]);
    }
}

static GtkWidget *
settings_button_new (WeirSpectrumView *self)
{
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  add_choices (self, GTK_BOX (box));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-edit-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  weir_set_tooltip (button, _ ("Window, Quantity and Axes of the Spectrum"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Window, Quantity and Axes of the Spectrum"), -1);
  return button;
}

/* Of many signals there is much to say: two lines of it, and all in a tooltip; the chart keeps its
 * room. */
static GtkWidget *
note_new (void)
{
  GtkWidget *note = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (note), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_lines (GTK_LABEL (note), 2);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_add_css_class (note, "caption");
  return note;
}

static void
weir_spectrum_view_init (WeirSpectrumView *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

  self->is_filling = TRUE;
  self->look = LOOK_AT_FIRST;
  self->signals = weir_figures_signals_new ();
  self->found_of = weir_figures_signals_new ();
  self->found = found_new ();
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  self->chart = weir_chart_view_new ();
  weir_chart_set_text_func (weir_chart_view_get_chart (WEIR_CHART_VIEW (self->chart)), dup_text,
                            self);
  gtk_widget_set_parent (self->chart, GTK_WIDGET (self));
  gtk_box_append (GTK_BOX (foot), settings_button_new (self));
  self->note = note_new ();
  gtk_box_append (GTK_BOX (foot), self->note);
  gtk_widget_set_parent (foot, GTK_WIDGET (self));
  show_look (self);
}

GtkWidget *
weir_spectrum_view_new (const char *title)
{
  WeirSpectrumView *self = g_object_new (WEIR_TYPE_SPECTRUM_VIEW, NULL);
  /* Translators: of a plot */
  g_autofree char *name = g_strdup_printf (_ ("Spectrum of %s"), title);

  weir_chart_view_set_title (WEIR_CHART_VIEW (self->chart), name);
  return GTK_WIDGET (self);
}
