/* Checking lessons: their actions done on a run, the counters compared with what they expect.
 *
 * Thread: *owner*, with the thread-default main context of the session.
 */
#pragma once

#include "lessons/lesson.h"
#include "model/tree/model.h"
#include "sim/session.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* The entry of a path such as "plant.Gain:y". */
gboolean weir_lesson_find_entry (WeirLayout *layout, const char *path, WeirEntry *entry);
/* The count of an entry that a lesson names. */
guint64 weir_lesson_get_count (const WeirCounters *counters, WeirLessonCount count);

/* Walks through a whole lesson in runs of its own, then verifies and audits as it says. A
 * diagnostic for each expectation that is not met; none: the lesson holds. @system: the completed
 * @model. */
void weir_lesson_check (const WeirLesson *self, WeirModel *model, WeirSystem *system,
                        const WeirSimulatorOptions *options, double stop_time,
                        WeirDiagnostics *diagnostics);

G_END_DECLS
