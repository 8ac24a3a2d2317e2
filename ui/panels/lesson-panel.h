/* WeirLessonPanel: the step of a lesson: its text, a question, and what the counters said.
 *
 * Only shows; its buttons activate the actions "win.lesson-back", "win.lesson-next",
 * "win.lesson-check" and "win.lesson-close" of whoever leads the lesson. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "lessons/lesson.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LESSON_PANEL (weir_lesson_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirLessonPanel, weir_lesson_panel, WEIR, LESSON_PANEL, GtkWidget)

GtkWidget *weir_lesson_panel_new (void);

/* Narrow, beside the diagram, or low, above it, which is how it begins. */
void weir_lesson_panel_set_beside (WeirLessonPanel *self, gboolean is_beside);
/* Shows step @n (from 0) and forgets what was said of the one before. */
void weir_lesson_panel_show_step (WeirLessonPanel *self, const WeirLesson *lesson, guint n);
/* Asks to predict what a change of @what reaches. */
void weir_lesson_panel_ask (WeirLessonPanel *self, const char *what);
/* The outcome of a prediction. */
void weir_lesson_panel_tell (WeirLessonPanel *self, gboolean is_right, const char *text);
/* One line of what was counted, as promised or not. */
void weir_lesson_panel_add_result (WeirLessonPanel *self, gboolean is_met, const char *text);

G_END_DECLS
