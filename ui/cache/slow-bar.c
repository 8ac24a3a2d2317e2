/* WeirSlowBar. See slow-bar.h; what beats do is put into words in slow-describe.c. */
#include "cache/slow-bar.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/pieces.h"
#include "widgets/tooltips.h"

struct _WeirSlowBar {
  GtkWidget parent;
  WeirCacheModel *model;
  WeirSlowMotion *motion;
  GtkWidget *choice, *play, *place, *speed, *caption;
  double beats_per_second;
  guint tick; /* of the frame clock, while it plays */
  gboolean is_setting;
  gboolean begins; /* to play, with the next frame: what the clock told before may be long ago */
};

G_DEFINE_FINAL_TYPE (WeirSlowBar, weir_slow_bar, GTK_TYPE_WIDGET)

enum { CHOSEN, WANTED, MOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- Showing --------------------------------------------------------------------------------- */

static gboolean
is_animated (WeirSlowBar *self)
{
  gboolean enabled = TRUE;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &enabled,
                NULL);
  return enabled;
}

static void
show_play (WeirSlowBar *self)
{
  gboolean is_playing = self->motion != NULL && weir_slow_motion_is_playing (self->motion);
  const char *text = is_playing ? _ ("Pause (Alt+P)") : _ ("Play (Alt+P)");

  gtk_button_set_icon_name (GTK_BUTTON (self->play), is_playing ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  weir_set_tooltip (self->play, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
}

static void
show_caption (WeirSlowBar *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->caption), text);
  weir_set_tooltip (self->caption, text);
}

static void
show_beat (WeirSlowBar *self)
{
  g_autofree char *place = NULL, *text = NULL;
  const WeirBeat *beat;

  show_play (self);
  if (self->motion == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->place), "");
      g_signal_emit (self, signals[MOVED], 0);
      return;
    }
  /* Translators: the number of a beat, and how many there are. */
  place = g_strdup_printf (_ ("%u of %u"), weir_slow_motion_get_place (self->motion),
                           weir_slow_motion_get_n_beats (self->motion));
  gtk_label_set_text (GTK_LABEL (self->place), place);
  beat = weir_slow_motion_get_present (self->motion);
  text = beat != NULL ? weir_slow_describe (self->model, self->motion, beat)
                      : g_strdup (weir_slow_motion_get_n_beats (self->motion) > 0
                                      ? _ ("Press Play, or go on beat by beat.")
                                      : _ ("Nothing happens."));
  show_caption (self, text);
  g_signal_emit (self, signals[MOVED], 0);
}

static gboolean
follow_clock (GtkWidget *widget, GdkFrameClock *clock, G_GNUC_UNUSED gpointer data)
{
  WeirSlowBar *self = WEIR_SLOW_BAR (widget);

  if (self->begins && self->motion != NULL && weir_slow_motion_is_playing (self->motion))
    weir_slow_motion_play (self->motion, gdk_frame_clock_get_frame_time (clock));
  self->begins = FALSE;
  if (self->motion != NULL
      && weir_slow_motion_advance (self->motion, gdk_frame_clock_get_frame_time (clock)))
    show_beat (self);
  else if (self->motion != NULL && weir_slow_motion_is_playing (self->motion))
    {
      if (is_animated (self))
        g_signal_emit (self, signals[MOVED], 0);
    }
  else
    {
      self->tick = 0;
      show_beat (self);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static gint64
get_now (WeirSlowBar *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  return clock != NULL ? gdk_frame_clock_get_frame_time (clock) : g_get_monotonic_time ();
}

gboolean
weir_slow_bar_fill (WeirSlowBar *self, WeirCacheOverlay *overlay)
{
  static const WeirBeatSign signs[WEIR_N_BEAT_MARKS] = {
    [WEIR_BEAT_MARK_CHANGED] = WEIR_BEAT_SIGN_CHANGED,
    [WEIR_BEAT_MARK_PASSED_ON] = WEIR_BEAT_SIGN_NONE,
    [WEIR_BEAT_MARK_OUT_OF_DATE] = WEIR_BEAT_SIGN_REACHED,
    [WEIR_BEAT_MARK_WAS_OUT_OF_DATE] = WEIR_BEAT_SIGN_REACHED,
    [WEIR_BEAT_MARK_DISABLED] = WEIR_BEAT_SIGN_REACHED,
    [WEIR_BEAT_MARK_BOUNCED] = WEIR_BEAT_SIGN_BOUNCED,
    [WEIR_BEAT_MARK_ASKED] = WEIR_BEAT_SIGN_ASKED,
    [WEIR_BEAT_MARK_HIT] = WEIR_BEAT_SIGN_HIT,
    [WEIR_BEAT_MARK_COMPUTED] = WEIR_BEAT_SIGN_COMPUTED,
    [WEIR_BEAT_MARK_FAILED] = WEIR_BEAT_SIGN_FAILED,
  };
  static const WeirBeatWay ways[WEIR_N_BEATS] = {
    WEIR_BEAT_STANDS,
    WEIR_BEAT_OUTWARD,
    WEIR_BEAT_INWARD,
    WEIR_BEAT_STANDS,
  };
  const WeirBeat *beat = self->motion != NULL ? weir_slow_motion_get_present (self->motion) : NULL;
  g_autoptr (GArray) trail = NULL;
  WeirOverlay *shown;

  if (beat == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return FALSE;
  weir_cache_overlay_set_mode (overlay, WEIR_OVERLAY_STATE);
  weir_cache_overlay_show_moment (overlay, weir_slow_motion_get_out_of_date (self->motion),
                                  weir_slow_motion_get_disabled (self->motion),
                                  weir_slow_motion_get_known (self->motion));
  shown = weir_cache_overlay_get (overlay);
  weir_overlay_clear_beat (shown);
  shown->has_beat = TRUE;
  shown->way = ways[beat->kind];
  shown->progress = is_animated (self)
                        ? weir_slow_motion_get_progress (self->motion, get_now (self))
                        : 1;

  /* What the event or request has done until now, with the steps it took. */
  trail = g_array_new (FALSE, FALSE, sizeof (WeirStepTaken));
  for (guint i = weir_slow_motion_get_beginning (self->motion,
                                                 weir_slow_motion_get_place (self->motion) - 1);
       i < weir_slow_motion_get_place (self->motion); i++)
    {
      const WeirBeat *before = weir_slow_motion_get_beat (self->motion, i);
      const WeirBeatMark *marks = weir_slow_motion_get_marks (self->motion, before);

      for (guint k = 0; k < before->n; k++)
        {
          WeirStepTaken step = { .tracker = marks[k].tracker, .from = -1, .depth = before->depth };

          g_array_append_val (trail, step);
          if (before == beat)
            weir_cache_overlay_mark_beat (overlay, marks[k].tracker, signs[marks[k].kind]);
        }
    }
  weir_cache_overlay_emphasize (overlay, trail, NULL);
  return TRUE;
}

/* --- Acting ---------------------------------------------------------------------------------- */

void
weir_slow_bar_set_motion (WeirSlowBar *self, WeirSlowMotion *motion)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));

  g_clear_pointer (&self->motion, weir_slow_motion_free);
  self->motion = motion;
  if (motion != NULL)
    {
      weir_slow_motion_set_speed (motion, self->beats_per_second, get_now (self));
      weir_slow_motion_go (motion, 1);
    }
  show_beat (self);
}

WeirSlowMotion *
weir_slow_bar_get_motion (WeirSlowBar *self)
{
  g_return_val_if_fail (WEIR_IS_SLOW_BAR (self), NULL);
  return self->motion;
}

void
weir_slow_bar_tell (WeirSlowBar *self, const char *text)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));

  weir_slow_bar_set_motion (self, NULL);
  show_caption (self, text);
}

const char *
weir_slow_bar_get_caption (WeirSlowBar *self)
{
  g_return_val_if_fail (WEIR_IS_SLOW_BAR (self), NULL);
  return gtk_label_get_text (GTK_LABEL (self->caption));
}

void
weir_slow_bar_play_or_pause (WeirSlowBar *self)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));

  if (self->motion == NULL)
    {
      g_signal_emit (self, signals[WANTED], 0);
      return;
    }
  if (weir_slow_motion_is_playing (self->motion))
    weir_slow_motion_pause (self->motion);
  else
    {
      weir_slow_motion_play (self->motion, get_now (self));
      self->begins = TRUE;
    }
  if (weir_slow_motion_is_playing (self->motion) && self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), follow_clock, NULL, NULL);
  show_beat (self);
}

void
weir_slow_bar_go (WeirSlowBar *self, guint place)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));

  if (self->motion == NULL)
    {
      g_signal_emit (self, signals[WANTED], 0);
      return;
    }
  weir_slow_motion_go (self->motion, place);
  show_beat (self);
}

void
weir_slow_bar_step (WeirSlowBar *self, int n)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));
  weir_slow_bar_go (self,
                    self->motion == NULL
                        ? 0
                        : (guint) MAX ((int) weir_slow_motion_get_place (self->motion) + n, 0));
}

static void
set_speed (WeirSlowBar *self, double speed)
{
  self->beats_per_second = CLAMP (speed, WEIR_SLOW_MOTION_SLOWEST, WEIR_SLOW_MOTION_FASTEST);
  if (self->motion != NULL)
    weir_slow_motion_set_speed (self->motion, self->beats_per_second, get_now (self));
}

/* The slider is by octaves. */
static void
speed_changed (WeirSlowBar *self)
{
  g_autofree char *text = NULL;

  set_speed (self, exp2 (gtk_range_get_value (GTK_RANGE (self->speed))));
  text = g_strdup_printf (_ ("%.3g beats per second"), self->beats_per_second);
  weir_set_tooltip (self->speed, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->speed), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  text, -1);
}

void
weir_slow_bar_change_speed (WeirSlowBar *self, double factor)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));
  gtk_range_set_value (GTK_RANGE (self->speed), log2 (self->beats_per_second * factor));
}

void
weir_slow_bar_focus (WeirSlowBar *self)
{
  g_return_if_fail (WEIR_IS_SLOW_BAR (self));
  gtk_widget_grab_focus (self->play);
}

/* --- Choices --------------------------------------------------------------------------------- */

void
weir_slow_bar_set_choices (WeirSlowBar *self, const char *const *choices, guint chosen)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (choices);

  g_return_if_fail (WEIR_IS_SLOW_BAR (self));

  self->is_setting = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), chosen);
  self->is_setting = FALSE;
}

guint
weir_slow_bar_get_chosen (WeirSlowBar *self)
{
  g_return_val_if_fail (WEIR_IS_SLOW_BAR (self), 0);
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
}

static void
choice_changed (WeirSlowBar *self)
{
  if (!self->is_setting)
    g_signal_emit (self, signals[CHOSEN], 0, weir_slow_bar_get_chosen (self));
}

/* --- Life ------------------------------------------------------------------------------------ */

static GtkWidget *
controls_new (WeirSlowBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *steps = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *close = weir_icon_button_new ("window-close-symbolic", "win.slow-motion",
                                           _ ("Close Slow Motion"));

  self->choice = weir_drop_down_new (NULL, _ ("What is shown in slow motion"));
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->choice), TRUE);
  self->play = weir_icon_button_new ("media-playback-start-symbolic", "win.slow-play",
                                     _ ("Play (Alt+P)"));
  gtk_widget_add_css_class (steps, "linked");
  gtk_box_append (GTK_BOX (steps), weir_icon_button_new ("media-skip-backward-symbolic",
                                                         "win.slow-first", _ ("First Beat")));
  gtk_box_append (GTK_BOX (steps),
                  weir_icon_button_new ("go-previous-symbolic", "win.slow-previous",
                                        _ ("Beat Before (Alt+,)")));
  gtk_box_append (GTK_BOX (steps), self->play);
  gtk_box_append (GTK_BOX (steps), weir_icon_button_new ("go-next-symbolic", "win.slow-next",
                                                         _ ("Next Beat (Alt+.)")));
  gtk_box_append (GTK_BOX (steps), weir_icon_button_new ("media-skip-forward-symbolic",
                                                         "win.slow-last", _ ("Last Beat")));
  self->place = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->place, "numeric");
  gtk_widget_add_css_class (self->place, "dim-label");
  gtk_label_set_width_chars (GTK_LABEL (self->place), 9);
  self->speed = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL,
                                          log2 (WEIR_SLOW_MOTION_SLOWEST),
                                          log2 (WEIR_SLOW_MOTION_FASTEST), 0.5);
  gtk_widget_set_size_request (self->speed, 100, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->speed), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Speed"), -1);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_valign (steps, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), steps);
  gtk_box_append (GTK_BOX (box), self->place);
  gtk_box_append (GTK_BOX (box), self->speed);
  gtk_box_append (GTK_BOX (box), close);
  return weir_sideways_new (box);
}

static void
weir_slow_bar_init (WeirSlowBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_box_append (GTK_BOX (box), controls_new (self));
  self->caption = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->caption), 0);
  gtk_label_set_wrap (GTK_LABEL (self->caption), TRUE);
  /* Room for two lines, so that the canvas does not jump from beat to beat. */
  gtk_label_set_lines (GTK_LABEL (self->caption), 4);
  gtk_label_set_ellipsize (GTK_LABEL (self->caption), PANGO_ELLIPSIZE_END);
  gtk_widget_set_size_request (self->caption, -1, 40);
  gtk_label_set_yalign (GTK_LABEL (self->caption), 0);
  gtk_widget_add_css_class (self->caption, "weir-caption");
  gtk_box_append (GTK_BOX (box), self->caption);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "view");
  self->beats_per_second = 1;
  gtk_range_set_value (GTK_RANGE (self->speed), 0);
  g_signal_connect_swapped (self->speed, "value-changed", G_CALLBACK (speed_changed), self);
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (choice_changed), self);
}

static void
weir_slow_bar_dispose (GObject *object)
{
  WeirSlowBar *self = WEIR_SLOW_BAR (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (child != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->speed, self);
      g_signal_handlers_disconnect_by_data (self->choice, self);
      gtk_widget_unparent (child);
    }
  g_clear_pointer (&self->motion, weir_slow_motion_free);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (weir_slow_bar_parent_class)->dispose (object);
}

static void
weir_slow_bar_class_init (WeirSlowBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = weir_slow_bar_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[WANTED] = g_signal_new ("wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Home, GDK_CONTROL_MASK,
                                       "win.slow-first", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_End, GDK_CONTROL_MASK, "win.slow-last",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.slow-motion", NULL);
}

GtkWidget *
weir_slow_bar_new (WeirCacheModel *model)
{
  WeirSlowBar *self = g_object_new (WEIR_TYPE_SLOW_BAR, NULL);

  self->model = g_object_ref (model);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Slow motion"), -1);
  return GTK_WIDGET (self);
}
