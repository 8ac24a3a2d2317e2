/* Capturing a lesson: what is done to a model and its run becomes actions of the last step.
 *
 * It is told of models and snapshots as they come and compares each with the one before; it asks
 * nobody. What a lesson cannot repeat is refused in a sentence: a change while the run goes on,
 * whose moment nobody knows, and a change of anything but parameters.
 *
 * Thread: *owner*.
 */
#pragma once

#include "lessons/lesson.h"
#include "model/tree/model.h"
#include "sim/session.h"

G_BEGIN_DECLS

typedef struct _WeirLessonCapture WeirLessonCapture;

/* @lesson: borrowed; has a step at least. @model: as the lesson begins. */
WeirLessonCapture *weir_lesson_capture_new (WeirLesson *lesson, WeirModel *model);
void weir_lesson_capture_free (WeirLessonCapture *self);

/* A new run that has not begun. */
void weir_lesson_capture_note_begin (WeirLessonCapture *self);
/* The model is another one now. FALSE and @error for what a lesson cannot do. */
gboolean weir_lesson_capture_note_model (WeirLessonCapture *self, WeirModel *model,
                                         gboolean is_running, GError **error);
/* The run has settled. @by_steps: it went step by step. TRUE if that is an action. */
gboolean weir_lesson_capture_note_settled (WeirLessonCapture *self, WeirLayout *layout,
                                           const WeirSnapshot *snapshot, gboolean by_steps);

/* What the counters of an entry are now, as an expectation of the last step. */
void weir_lesson_capture_expect (WeirLessonCapture *self, WeirLayout *layout,
                                 const WeirSnapshot *snapshot, WeirEntry entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLessonCapture, weir_lesson_capture_free)

G_END_DECLS
