/* WeirLessonGuide: leading through a lesson on the model that is open. Thread: *main*.
 */
#pragma once

#include "gui/host/part.h"
#include "lessons/lesson.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LESSON_GUIDE (weir_lesson_guide_get_type ())
G_DECLARE_FINAL_TYPE (WeirLessonGuide, weir_lesson_guide, WEIR, LESSON_GUIDE, WeirPart)

/* Reads the lesson in @file and opens the model that it is about, as weir_host_open(); then calls
 * @then, where the model is, with the lesson (transfer full). What cannot be read is told. */
void weir_lesson_guide_open_with_model (WeirHost *host, GFile *file, gboolean as_template,
                                        void (*then) (WeirHost *host, WeirLesson *lesson,
                                                      GFile *file));
/* Opens its model and leads through it. */
void weir_lesson_guide_open (WeirHost *host, GFile *file);
/* Leads through @lesson (transfer full). @file: of the lesson, or NULL. */
void weir_lesson_guide_lead (WeirLessonGuide *self, WeirLesson *lesson, GFile *file);
gboolean weir_lesson_guide_is_leading (WeirLessonGuide *self);
/* Of the lesson that is led through; NULL: there is none, or it has no file. (transfer none) */
GFile *weir_lesson_guide_get_file (WeirLessonGuide *self);
void weir_lesson_guide_close (WeirLessonGuide *self);

/* The blocks of the root that both models have are again those of @original, in one edit named
 * @label. */
void weir_lesson_revert_blocks (WeirDocument *document, WeirModel *original, const char *label);

G_END_DECLS
