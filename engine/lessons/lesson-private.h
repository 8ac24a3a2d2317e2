/* What the files of lessons share. */
#pragma once

#include "lessons/lesson.h"

G_BEGIN_DECLS

/* The newest version of the format. */
#define WEIR_LESSON_VERSION 1

/* Lines of a text are joined; an empty line begins a paragraph. (transfer full) */
char *weir_lesson_fold (const char *text);

G_END_DECLS
