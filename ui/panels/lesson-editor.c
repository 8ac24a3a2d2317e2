/* WeirLessonEditor. See lesson-editor.h. */
#include "panels/lesson-editor.h"

#include <glib/gi18n-lib.h>

#include "widgets/pieces.h"
#include "widgets/tooltips.h"

struct _WeirLessonEditor {
  GtkWidget parent;
  WeirLesson *lesson; /* borrowed */
  guint chosen;
  gboolean is_filling;
  GtkWidget *title, *steps, *step_title, *step_text, *content, *verify, *audit, *findings;
  GtkWidget *up, *down, *remove;
};

G_DEFINE_FINAL_TYPE (WeirLessonEditor, weir_lesson_editor, GTK_TYPE_WIDGET)

static guint edited_signal;

static WeirLessonStep *
get_step (WeirLessonEditor *self)
{
  return self->lesson != NULL && self->chosen < self->lesson->steps->len
             ? self->lesson->steps->pdata[self->chosen]
             : NULL;
}

static void
note_edit (WeirLessonEditor *self)
{
  g_signal_emit (self, edited_signal, 0);
}

/* --- Lists ----------------------------------------------------------------------------------- */

static void
clear_list (GtkWidget *list)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (list)) != NULL;)
    gtk_list_box_remove (GTK_LIST_BOX (list), child);
}

static GtkWidget *
label_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  return label;
}

/* What a row of the content is about: kind and place in the step's list. */
typedef enum { SHOWN, ASKED, ACTION, EXPECTATION } ContentKind;

static void
content_removed (GtkWidget *button, WeirLessonEditor *self)
{
  ContentKind kind = (ContentKind) GPOINTER_TO_INT (
      g_object_get_data (G_OBJECT (button), "weir-kind"));
  guint place = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-place"));
  WeirLessonStep *step = get_step (self);

  if (step == NULL)
    return;
  if (kind == SHOWN)
    g_ptr_array_remove_index (step->shown, place);
  else if (kind == ASKED)
    weir_lesson_step_set_asked (step, NULL);
  else
    g_array_remove_index (kind == ACTION ? step->actions : step->expectations, place);
  weir_lesson_editor_refresh (self);
  note_edit (self);
}

static void
add_content (WeirLessonEditor *self, ContentKind kind, guint place, const char *text)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-delete-symbolic");
  g_autofree char *tip = g_strdup_printf (_ ("Remove “%s”"), text);

  g_object_set_data (G_OBJECT (button), "weir-kind", GINT_TO_POINTER ((int) kind));
  g_object_set_data (G_OBJECT (button), "weir-place", GUINT_TO_POINTER (place));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "weir-small");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  weir_set_tooltip (button, _ ("Remove"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  g_signal_connect (button, "clicked", G_CALLBACK (content_removed), self);
  gtk_widget_set_margin_start (row, 6);
  gtk_box_append (GTK_BOX (row), label_new (text));
  gtk_box_append (GTK_BOX (row), button);
  gtk_list_box_append (GTK_LIST_BOX (self->content), row);
}

static void
fill_content (WeirLessonEditor *self)
{
  const WeirLessonStep *step = get_step (self);

  clear_list (self->content);
  if (step == NULL)
    return;
  for (guint i = 0; i < step->shown->len; i++)
    {
      g_autofree char *text = g_strdup_printf (_ ("Show %s"), (const char *) step->shown->pdata[i]);

      add_content (self, SHOWN, i, text);
    }
  if (step->asked != NULL)
    {
      g_autofree char *text = g_strdup_printf (_ ("Ask what a change of %s reaches"), step->asked);

      add_content (self, ASKED, 0, text);
    }
  for (guint i = 0; i < step->actions->len; i++)
    {
      g_autofree char *text = weir_lesson_action_describe (
          &g_array_index (step->actions, WeirLessonAction, i));

      add_content (self, ACTION, i, text);
    }
  for (guint i = 0; i < step->expectations->len; i++)
    {
      g_autofree char *text = weir_lesson_expectation_describe (
          &g_array_index (step->expectations, WeirLessonExpectation, i));

      add_content (self, EXPECTATION, i, text);
    }
}

static void
fill_steps (WeirLessonEditor *self)
{
  clear_list (self->steps);
  for (guint i = 0; self->lesson != NULL && i < self->lesson->steps->len; i++)
    {
      const WeirLessonStep *step = self->lesson->steps->pdata[i];
      g_autofree char *text = g_strdup_printf ("%u. %s", i + 1, step->title);
      GtkWidget *label = label_new (text);

      gtk_widget_set_margin_start (label, 6);
      gtk_widget_set_margin_end (label, 6);
      gtk_list_box_append (GTK_LIST_BOX (self->steps), label);
    }
  gtk_list_box_select_row (
      GTK_LIST_BOX (self->steps),
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->steps), (int) self->chosen));
}

static void
fill_texts (WeirLessonEditor *self)
{
  const WeirLessonStep *step = get_step (self);

  gtk_editable_set_text (GTK_EDITABLE (self->step_title), step != NULL ? step->title : "");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->step_text)),
                            step != NULL ? step->text : "", -1);
}

static void
fill_promises (WeirLessonEditor *self)
{
  const WeirLesson *lesson = self->lesson;
  static const char *const numbers[] = { N_ ("Audit: not said"), N_ ("Audit: finds nothing"), NULL,
                                         NULL };
  g_autofree char *other = NULL;
  const char *texts[4] = { _ (numbers[0]), _ (numbers[1]), NULL, NULL };
  g_autoptr (GtkStringList) list = NULL;
  guint chosen = 0;

  if (lesson != NULL && (lesson->audit_errors > 0 || lesson->audit_hints > 0))
    {
      other = g_strdup_printf (_ ("Audit: errors %d, hints %d"),
                               (int) MAX (lesson->audit_errors, 0),
                               (int) MAX (lesson->audit_hints, 0));
      texts[2] = other;
      chosen = 2;
    }
  else if (lesson != NULL && (lesson->audit_errors == 0 || lesson->audit_hints == 0))
    chosen = 1;
  list = gtk_string_list_new (texts);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->audit), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->audit), chosen);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->verify),
                              lesson == NULL || lesson->verify_identical < 0 ? 0
                              : lesson->verify_identical                     ? 1
                                                                             : 2);
}

void
weir_lesson_editor_refresh (WeirLessonEditor *self)
{
  guint n = self->lesson != NULL ? self->lesson->steps->len : 0;

  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));

  self->chosen = n > 0 ? MIN (self->chosen, n - 1) : 0;
  self->is_filling = TRUE;
  if (self->lesson != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->title), self->lesson->title);
  fill_steps (self);
  fill_texts (self);
  fill_content (self);
  fill_promises (self);
  self->is_filling = FALSE;
  gtk_widget_set_sensitive (self->up, self->chosen > 0);
  gtk_widget_set_sensitive (self->down, self->chosen + 1 < n);
  gtk_widget_set_sensitive (self->remove, n > 1);
}

/* --- Edits ----------------------------------------------------------------------------------- */

static void
title_changed (WeirLessonEditor *self)
{
  if (self->is_filling || self->lesson == NULL)
    return;
  weir_lesson_set_title (self->lesson, gtk_editable_get_text (GTK_EDITABLE (self->title)));
  note_edit (self);
}

static void
step_title_changed (WeirLessonEditor *self)
{
  if (self->is_filling || get_step (self) == NULL)
    return;
  weir_lesson_step_set_title (get_step (self),
                              gtk_editable_get_text (GTK_EDITABLE (self->step_title)));
  self->is_filling = TRUE;
  fill_steps (self);
  self->is_filling = FALSE;
  note_edit (self);
}

static void
step_text_changed (WeirLessonEditor *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->step_text));
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (self->is_filling || get_step (self) == NULL)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  weir_lesson_step_set_text (get_step (self), text);
  note_edit (self);
}

static void
row_selected (WeirLessonEditor *self, GtkListBoxRow *row)
{
  if (self->is_filling || row == NULL)
    return;
  weir_lesson_editor_choose (self, (guint) gtk_list_box_row_get_index (row));
}

static void
move (WeirLessonEditor *self, int by)
{
  weir_lesson_move_step (self->lesson, self->chosen, (guint) ((int) self->chosen + by));
  self->chosen = (guint) ((int) self->chosen + by);
  weir_lesson_editor_refresh (self);
  note_edit (self);
}

static void
move_up (WeirLessonEditor *self)
{
  if (self->lesson != NULL && self->chosen > 0)
    move (self, -1);
}

static void
move_down (WeirLessonEditor *self)
{
  if (self->lesson != NULL && self->chosen + 1 < self->lesson->steps->len)
    move (self, 1);
}

static void
remove_step (WeirLessonEditor *self)
{
  if (self->lesson == NULL || self->lesson->steps->len < 2)
    return;
  weir_lesson_remove_step (self->lesson, self->chosen);
  weir_lesson_editor_refresh (self);
  note_edit (self);
}

static void
promises_changed (WeirLessonEditor *self)
{
  guint audit = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->audit));

  if (self->is_filling || self->lesson == NULL)
    return;
  self->lesson->verify_identical = (int) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->verify))
                                           == 0
                                       ? -1
                                       : gtk_drop_down_get_selected (GTK_DROP_DOWN (self->verify))
                                             == 1;
  if (self->lesson->verify_identical != 0)
    g_clear_pointer (&self->lesson->faulty_entry, g_free);
  if (audit < 2)
    self->lesson->audit_errors = self->lesson->audit_hints = audit == 0 ? -1 : 0;
  note_edit (self);
}

/* --- From outside ---------------------------------------------------------------------------- */

void
weir_lesson_editor_set_lesson (WeirLessonEditor *self, WeirLesson *lesson)
{
  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));

  self->lesson = lesson;
  self->chosen = lesson != NULL ? lesson->steps->len - 1 : 0;
  weir_lesson_editor_tell (self, TRUE, NULL);
  weir_lesson_editor_refresh (self);
}

guint
weir_lesson_editor_get_chosen (WeirLessonEditor *self)
{
  g_return_val_if_fail (WEIR_IS_LESSON_EDITOR (self), 0);
  return self->chosen;
}

void
weir_lesson_editor_choose (WeirLessonEditor *self, guint step)
{
  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));

  self->chosen = step;
  weir_lesson_editor_refresh (self);
}

void
weir_lesson_editor_focus_title (WeirLessonEditor *self)
{
  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));
  gtk_widget_grab_focus (self->step_title);
}

void
weir_lesson_editor_tell_more (WeirLessonEditor *self, gboolean is_good, const char *text)
{
  g_autofree char *line = g_strconcat (is_good ? "✓ " : "✗ ", text, NULL);
  GtkWidget *label = label_new (line);

  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));

  gtk_widget_add_css_class (label, is_good ? "success" : "error");
  gtk_box_append (GTK_BOX (self->findings), label);
}

void
weir_lesson_editor_tell (WeirLessonEditor *self, gboolean is_good, const char *text)
{
  g_return_if_fail (WEIR_IS_LESSON_EDITOR (self));

  for (GtkWidget *child; (child = gtk_widget_get_first_child (self->findings)) != NULL;)
    gtk_box_remove (GTK_BOX (self->findings), child);
  if (text != NULL)
    weir_lesson_editor_tell_more (self, is_good, text);
}

/* --- Life ------------------------------------------------------------------------------------ */

static GtkWidget *
button_new (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  weir_set_tooltip (button, tooltip);
  gtk_widget_set_hexpand (button, TRUE);
  return button;
}

static GtkWidget *
icon_new (WeirLessonEditor *self, const char *icon, const char *tooltip, GCallback callback)
{
  GtkWidget *button = weir_icon_button_new (icon, NULL, tooltip);

  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
heading_new (const char *text)
{
  GtkWidget *label = label_new (text);

  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_top (label, 6);
  return label;
}

static GtkWidget *
list_new (const char *name)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_widget_add_css_class (list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return list;
}

static void
append_steps (WeirLessonEditor *self, GtkBox *box)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->steps = list_new (_ ("Steps"));
  gtk_box_append (GTK_BOX (buttons), button_new (_ ("_New Step"), "win.lesson-new-step",
                                                 _ ("What is done from now on is its own step")));
  self->up = icon_new (self, "go-up-symbolic", _ ("Move the Step Up"), G_CALLBACK (move_up));
  self->down = icon_new (self, "go-down-symbolic", _ ("Move the Step Down"),
                         G_CALLBACK (move_down));
  self->remove = icon_new (self, "edit-delete-symbolic", _ ("Delete the Step"),
                           G_CALLBACK (remove_step));
  gtk_box_append (GTK_BOX (buttons), self->up);
  gtk_box_append (GTK_BOX (buttons), self->down);
  gtk_box_append (GTK_BOX (buttons), self->remove);
  gtk_box_append (box, heading_new (_ ("Steps")));
  gtk_box_append (box, self->steps);
  gtk_box_append (box, buttons);
}

static void
append_step (WeirLessonEditor *self, GtkBox *box)
{
  GtkWidget *add = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->step_title = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->step_title), _ ("Title of the step"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->step_title), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Title of the step"), -1);
  self->step_text = gtk_text_view_new ();
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->step_text), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->step_text), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->step_text), 8);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (self->step_text), 8);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->step_text), 6);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (self->step_text), 6);
  gtk_widget_add_css_class (self->step_text, "weir-text");
  gtk_widget_set_size_request (self->step_text, -1, 90);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->step_text), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Text of the step"), -1);
  self->content = list_new (_ ("What the step does and expects"));
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->content), GTK_SELECTION_NONE);
  gtk_box_append (GTK_BOX (add),
                  button_new (_ ("_Expect"), "win.lesson-expect",
                              _ ("Expect the counters of the selected blocks as they are now")));
  gtk_box_append (GTK_BOX (add),
                  button_new (_ ("_Ask"), "win.lesson-ask",
                              _ ("Ask what a change reaches, before the step makes it")));
  gtk_box_append (GTK_BOX (add), button_new (_ ("Sho_w"), "win.lesson-show",
                                             _ ("Point at the selected blocks in this step")));
  gtk_box_append (box, heading_new (_ ("Step")));
  gtk_box_append (box, self->step_title);
  gtk_box_append (box, self->step_text);
  gtk_box_append (box, self->content);
  gtk_box_append (box, add);
}

static void
append_end (WeirLessonEditor *self, GtkBox *box)
{
  const char *const verify[] = { _ ("Verify: not said"), _ ("Verify: cached equals uncached"),
                                 _ ("Verify: they differ"), NULL };
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->verify = gtk_drop_down_new_from_strings (verify);
  self->audit = gtk_drop_down_new (NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->verify), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Verify"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->audit), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Audit"), -1);
  gtk_box_append (GTK_BOX (buttons), button_new (_ ("Chec_k"), "win.lesson-try",
                                                 _ ("Walk through it and compare the counters")));
  gtk_box_append (GTK_BOX (buttons), button_new (_ ("_Save…"), "win.lesson-save",
                                                 _ ("Save the lesson beside its model")));
  self->findings = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_box_append (box, heading_new (_ ("In the end")));
  gtk_box_append (box, self->verify);
  gtk_box_append (box, self->audit);
  gtk_box_append (box, buttons);
  gtk_box_append (box, self->findings);
}

static GtkWidget *
head_new (void)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *toggle = gtk_toggle_button_new ();
  GtkWidget *inside = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *close = weir_icon_button_new ("window-close-symbolic", "win.lesson-editor-close",
                                           _ ("Close the Lesson Editor"));

  gtk_box_append (GTK_BOX (inside), gtk_image_new_from_icon_name ("media-record-symbolic"));
  gtk_box_append (GTK_BOX (inside), gtk_label_new (_ ("Capturing")));
  gtk_button_set_child (GTK_BUTTON (toggle), inside);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (toggle), "win.lesson-capturing");
  weir_set_tooltip (toggle, _ ("What you do to parameters and the run goes into the last step"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Capturing"), -1);
  gtk_widget_set_hexpand (toggle, TRUE);
  gtk_widget_add_css_class (close, "flat");
  gtk_box_append (GTK_BOX (head), toggle);
  gtk_box_append (GTK_BOX (head), close);
  return head;
}

static void
weir_lesson_editor_init (WeirLessonEditor *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_box_append (GTK_BOX (box), head_new ());
  self->title = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->title), _ ("Title of the lesson"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->title), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Title of the lesson"), -1);
  gtk_box_append (GTK_BOX (box), self->title);
  append_steps (self, GTK_BOX (box));
  append_step (self, GTK_BOX (box));
  append_end (self, GTK_BOX (box));
  gtk_widget_set_margin_start (box, 9);
  gtk_widget_set_margin_end (box, 9);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 9);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
  g_signal_connect_swapped (self->title, "changed", G_CALLBACK (title_changed), self);
  g_signal_connect_swapped (self->step_title, "changed", G_CALLBACK (step_title_changed), self);
  g_signal_connect_object (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->step_text)), "changed",
                           G_CALLBACK (step_text_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->steps, "row-selected", G_CALLBACK (row_selected), self);
  g_signal_connect_swapped (self->verify, "notify::selected", G_CALLBACK (promises_changed), self);
  g_signal_connect_swapped (self->audit, "notify::selected", G_CALLBACK (promises_changed), self);
}

static void
weir_lesson_editor_dispose (GObject *object)
{
  WeirLessonEditor *self = WEIR_LESSON_EDITOR (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  self->lesson = NULL;
  self->is_filling = TRUE;
  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_lesson_editor_parent_class)->dispose (object);
}

static void
weir_lesson_editor_class_init (WeirLessonEditorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = weir_lesson_editor_dispose;
  edited_signal = g_signal_new ("edited", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_REGION);
}
