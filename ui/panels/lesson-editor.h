/* WeirLessonEditor: a lesson being captured: its steps, the texts of the chosen one, what it does
 * and expects.
 *
 * It edits the lesson it is given in place and emits "edited" after each edit; whoever captures
 * calls weir_lesson_editor_refresh() after adding to it. Its buttons activate "win.lesson-..."
 * actions. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "lessons/lesson.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LESSON_EDITOR (weir_lesson_editor_get_type ())
G_DECLARE_FINAL_TYPE (WeirLessonEditor, weir_lesson_editor, WEIR, LESSON_EDITOR, GtkWidget)

/* @lesson: borrowed until the next call; NULL: none. Chooses its last step. */
void weir_lesson_editor_set_lesson (WeirLessonEditor *self, WeirLesson *lesson);
/* The lesson was changed by others. */
void weir_lesson_editor_refresh (WeirLessonEditor *self);
guint weir_lesson_editor_get_chosen (WeirLessonEditor *self); /* step, from 0 */
void weir_lesson_editor_choose (WeirLessonEditor *self, guint step);
void weir_lesson_editor_focus_title (WeirLessonEditor *self);

/* What a check found, or what cannot be captured, one line each; NULL: nothing yet. */
void weir_lesson_editor_tell (WeirLessonEditor *self, gboolean is_good, const char *text);
/* @text: added below. */
void weir_lesson_editor_tell_more (WeirLessonEditor *self, gboolean is_good, const char *text);

/* "run until 0.5 s", as a person reads it. (transfer full) */
char *weir_lesson_action_describe (const WeirLessonAction *action);
const char *weir_lesson_count_get_title (WeirLessonCount count); /* translated */
char *weir_lesson_expectation_describe (const WeirLessonExpectation *expectation);

G_END_DECLS
