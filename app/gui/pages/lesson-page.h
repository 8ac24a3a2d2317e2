/* WeirLessonPage: capturing lessons: what the user does goes into the last step, the page shows it,
 * a check walks through it in a thread of its own, and it is saved beside its model.
 *
 * The page is there while a lesson is recorded or edited. Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LESSON_PAGE (weir_lesson_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirLessonPage, weir_lesson_page, WEIR, LESSON_PAGE, WeirPage)

/* Opens a lesson's model with the lesson. */
void weir_lesson_page_edit (WeirLessonPage *self, GFile *file);
void weir_lesson_page_save (WeirLessonPage *self, GFile *file);

G_END_DECLS
