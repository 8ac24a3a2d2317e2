/* WeirLessonPanel. See lesson-panel.h. */
#include "panels/lesson-panel.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "widgets/look.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define MARGIN 12      /* pixels at either side */
#define LARGE_TEXT 1.5 /* from there on the title has a line of its own */

struct _WeirLessonPanel {
  GtkWidget parent;
  GtkWidget *scrolled, *content;
  gboolean is_beside;
  GtkWidget *head, *controls, *title, *place, *text, *question, *check, *answer, *verdict, *watch,
      *results;
  GtkWidget *back, *next;
};

G_DEFINE_FINAL_TYPE (WeirLessonPanel, weir_lesson_panel, GTK_TYPE_WIDGET)

static GtkWidget *
label_new (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), FALSE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
button_new (const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (text);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkWidget *
head_new (WeirLessonPanel *self)
{
  GtkWidget *controls = self->controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *close = weir_icon_button_new ("window-close-symbolic", "win.lesson-close",
                                           _ ("Close the Lesson"));

  self->title = label_new ("heading");
  self->place = label_new ("dim-label");
  self->check = button_new (_ ("_Check"), "win.lesson-check");
  self->back = button_new (_ ("_Back"), "win.lesson-back");
  self->next = button_new (_ ("_Next"), "win.lesson-next");
  gtk_widget_add_css_class (self->next, "suggested-action");
  gtk_widget_add_css_class (self->place, "numeric");
  gtk_label_set_wrap (GTK_LABEL (self->place), FALSE);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_add_css_class (close, "flat");
  gtk_box_append (GTK_BOX (controls), self->place);
  gtk_box_append (GTK_BOX (controls), self->check);
  gtk_box_append (GTK_BOX (controls), self->back);
  gtk_box_append (GTK_BOX (controls), self->next);
  gtk_box_append (GTK_BOX (controls), close);
  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (self->head), self->title);
  gtk_box_append (GTK_BOX (self->head), controls);
  return self->head;
}

/* Buttons stand beside texts where these have room enough then. */
static void
arrange (WeirLessonPanel *self)
{
  gboolean is_narrow;
  GtkOrientation orientation;

  is_narrow = self->is_beside || weir_look_get_text_scale (GTK_WIDGET (self)) >= LARGE_TEXT;
  orientation = is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->head), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->answer), orientation);
  gtk_box_reorder_child_after (GTK_BOX (self->head), self->title,
                               is_narrow ? self->controls : NULL);
  gtk_widget_set_halign (self->watch, is_narrow ? GTK_ALIGN_START : GTK_ALIGN_FILL);
}

static void
weir_lesson_panel_init (WeirLessonPanel *self)
{
  GtkWidget *all = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->scrolled = gtk_scrolled_window_new ();
  self->content = box;
  self->text = label_new (NULL);
  gtk_box_append (GTK_BOX (all), head_new (self));
  self->question = label_new (NULL);
  /* In the head, which stays in sight where the question has to be scrolled. */
  g_object_bind_property (self->question, "visible", self->check, "visible", G_BINDING_SYNC_CREATE);
  self->verdict = label_new (NULL);
  self->results = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), self->question);
  self->answer = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->watch = button_new (_ ("_Watch It"), "win.lesson-watch");
  weir_set_tooltip (self->watch, _ ("The change in slow motion"));
  g_object_bind_property (self->watch, "sensitive", self->watch, "visible", G_BINDING_SYNC_CREATE);
  gtk_widget_set_hexpand (self->verdict, TRUE);
  gtk_box_append (GTK_BOX (self->answer), self->verdict);
  gtk_box_append (GTK_BOX (self->answer), self->watch);
  gtk_box_append (GTK_BOX (box), self->answer);
  gtk_box_append (GTK_BOX (box), self->results);
  /* As high as its text where there is room; the buttons stay in sight. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), box);
  gtk_widget_set_vexpand (self->scrolled, TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_box_append (GTK_BOX (all), self->scrolled);
  weir_set_margins (all, MARGIN, 8);
  gtk_widget_set_parent (all, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "view");
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi", G_CALLBACK (arrange),
                           self, G_CONNECT_SWAPPED);
  arrange (self);
}

static void
weir_lesson_panel_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_lesson_panel_parent_class)->dispose (object);
}

static GtkSizeRequestMode
get_request_mode (G_GNUC_UNUSED GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* What scrolls asks for the height that it has without. */
static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  WeirLessonPanel *self = WEIR_LESSON_PANEL (widget);
  int scrolled, content;

  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      gtk_widget_measure (self->scrolled, orientation, -1, NULL, &scrolled, NULL, NULL);
      gtk_widget_measure (self->content, orientation,
                          for_size < 0 ? -1 : MAX (for_size - 2 * MARGIN, 0), NULL, &content, NULL,
                          NULL);
      *natural += MAX (content - scrolled, 0);
    }
  *minimum_baseline = *natural_baseline = -1;
}

static void
size_allocate (GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, -1, NULL);
}

static void
weir_lesson_panel_class_init (WeirLessonPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = weir_lesson_panel_dispose;
  GTK_WIDGET_CLASS (class)->get_request_mode = get_request_mode;
  GTK_WIDGET_CLASS (class)->measure = measure;
  GTK_WIDGET_CLASS (class)->size_allocate = size_allocate;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_REGION);
}

GtkWidget *
weir_lesson_panel_new (void)
{
  GtkWidget *self = g_object_new (WEIR_TYPE_LESSON_PANEL, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Lesson"), -1);
  return self;
}

void
weir_lesson_panel_set_beside (WeirLessonPanel *self, gboolean is_beside)
{
  g_return_if_fail (WEIR_IS_LESSON_PANEL (self));

  self->is_beside = is_beside;
  arrange (self);
}

void
weir_lesson_panel_show_step (WeirLessonPanel *self, const WeirLesson *lesson, guint n)
{
  const WeirLessonStep *step;
  g_autofree char *place = NULL, *title = NULL;

  g_return_if_fail (WEIR_IS_LESSON_PANEL (self));
  g_return_if_fail (n < lesson->steps->len);

  step = lesson->steps->pdata[n];
  title = g_strdup_printf ("%s: %s", weir_translate (lesson->title), weir_translate (step->title));
  /* Translators: the number of a step, and how many there are. */
  place = g_strdup_printf (_ ("%u of %u"), n + 1, lesson->steps->len);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->place), place);
  gtk_label_set_text (GTK_LABEL (self->text), weir_translate (step->text));
  gtk_widget_set_visible (self->question, FALSE);
  gtk_widget_set_visible (self->answer, FALSE);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (self->results)) != NULL;)
    gtk_box_remove (GTK_BOX (self->results), child);
}

void
weir_lesson_panel_ask (WeirLessonPanel *self, const char *what)
{
  g_autofree char *text = NULL;

  g_return_if_fail (WEIR_IS_LESSON_PANEL (self));

  /* Translators: the name of a source, such as "Gain: gain". */
  text = g_strdup_printf (
      _ ("What will be out of date after a change of %s? Select the blocks, then check."), what);
  gtk_label_set_text (GTK_LABEL (self->question), text);
  gtk_widget_set_visible (self->question, TRUE);
}

/* A sign and a text: the sign tells what the colour tells. */
static GtkWidget *
line_new (gboolean is_good, const char *text)
{
  GtkWidget *label = label_new (is_good ? "success" : "error");
  g_autofree char *line = g_strconcat (is_good ? "✓ " : "✗ ", text, NULL);

  gtk_label_set_text (GTK_LABEL (label), line);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

void
weir_lesson_panel_tell (WeirLessonPanel *self, gboolean is_right, const char *text)
{
  g_autofree char *line = g_strconcat (is_right ? "✓ " : "✗ ", text, NULL);

  g_return_if_fail (WEIR_IS_LESSON_PANEL (self));

  gtk_widget_set_visible (self->question, FALSE);
  gtk_label_set_text (GTK_LABEL (self->verdict), line);
  gtk_widget_remove_css_class (self->verdict, is_right ? "error" : "success");
  gtk_widget_add_css_class (self->verdict, is_right ? "success" : "error");
  gtk_widget_set_visible (self->answer, TRUE);
}

void
weir_lesson_panel_add_result (WeirLessonPanel *self, gboolean is_met, const char *text)
{
  g_return_if_fail (WEIR_IS_LESSON_PANEL (self));

  gtk_box_append (GTK_BOX (self->results), line_new (is_met, text));
}
