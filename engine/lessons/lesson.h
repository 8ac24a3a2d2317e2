/* Lessons: a model and a script of steps that shows something about caching, and checks that it
 * happens.
 *
 * A step has a text, blocks to look at, actions on a run (run until a time, set a parameter, switch
 * caching, begin again), maybe a question to predict the answer of, and what the counters must say
 * after the actions. Counters count from the beginning of the run. The same script is walked
 * through in the window and checked by `weir lesson`.
 *
 *   <lesson version="1" title="A change pushes, a request pulls" model="push-and-pull.weir">
 *     <step title="Nothing is computed yet">
 *       <text>...</text>
 *       <show block="Gain"/>
 *       <begin/>
 *       <run until="0.5"/>
 *       <take steps="2"/>
 *       <set block="Gain" parameter="gain" value="3"/>
 *       <caching enabled="false"/>
 *       <caching entry="Gain:y" enabled="false"/>
 *       <ask change="Gain.gain"/>
 *       <expect entry="Gain:y" hits="3" misses="4" invalidations="12" state="out-of-date"/>
 *     </step>
 *     <verify identical="false" culprit="Gain:y"/>
 *     <audit errors="1" hints="0"/>
 *   </lesson>
 *
 * Codes: FIL01 the file cannot be read, LES01 it is no lesson, LES02 an expectation is not met,
 * LES03 an action cannot be done.
 *
 * Thread: a lesson belongs to one thread (*owner*).
 */
#pragma once

#include <gio/gio.h>

#include "base/diagnostic.h"

G_BEGIN_DECLS

#define WEIR_LESSON_MAX_STEPS 100000 /* that one action may take */

typedef enum {
  WEIR_LESSON_BEGIN,         /* a new run at its beginning, caching on */
  WEIR_LESSON_RUN,           /* until @time */
  WEIR_LESSON_TAKE,          /* @n steps of the solver */
  WEIR_LESSON_SET,           /* @parameter of @block to @value */
  WEIR_LESSON_CACHING,       /* of all entries to @enabled */
  WEIR_LESSON_ENTRY_CACHING, /* of @entry to @enabled */
} WeirLessonActionKind;

typedef struct {
  WeirLessonActionKind kind;
  char *block, *parameter, *value, *entry; /* NULL where the kind has none */
  double time;                             /* s */
  guint n;
  gboolean enabled;
  int line;
} WeirLessonAction;

typedef enum {
  WEIR_LESSON_HITS,
  WEIR_LESSON_MISSES, /* the following three together */
  WEIR_LESSON_FIRST,
  WEIR_LESSON_STALE,
  WEIR_LESSON_DISABLED,
  WEIR_LESSON_INVALIDATIONS,
  WEIR_LESSON_N_COUNTS,
} WeirLessonCount;

const char *weir_lesson_count_get_name (WeirLessonCount count); /* "hits", as in a file */

typedef enum {
  WEIR_LESSON_ANY_STATE,
  WEIR_LESSON_UP_TO_DATE,
  WEIR_LESSON_OUT_OF_DATE,
} WeirLessonState;

typedef struct {
  char *entry;                         /* "plant.Gain:y" */
  gint64 counts[WEIR_LESSON_N_COUNTS]; /* -1 = not said */
  WeirLessonState state;
  int line;
} WeirLessonExpectation;

typedef struct {
  char *title, *text;
  GPtrArray *shown; /* paths of blocks */
  GArray *actions;  /* WeirLessonAction, done in order */
  char *asked; /* the source of whose change the reach is to be predicted, before the actions; or
                  NULL */
  GArray *expectations; /* WeirLessonExpectation */
  int line;
} WeirLessonStep;

typedef struct {
  char *title, *model;              /* the model's file, beside the lesson's */
  GPtrArray *steps;                 /* WeirLessonStep */
  int verify_identical;             /* 1, 0, or -1 = not said; of a run from the beginning */
  char *faulty_entry;               /* the guilty entry where they differ; or NULL */
  gint64 audit_errors, audit_hints; /* -1 = not said */
  int verify_line, audit_line;
} WeirLesson;

WeirLesson *weir_lesson_new (const char *title, const char *model);
void weir_lesson_free (WeirLesson *self);
WeirLessonStep *weir_lesson_add_step (WeirLesson *self, const char *title, const char *text);
void weir_lesson_expectation_init (WeirLessonExpectation *self, const char *entry);

/* --- Editing --------------------------------------------------------------------------------- */

/* A copy of its own. (transfer full) */
WeirLesson *weir_lesson_copy (const WeirLesson *self);
void weir_lesson_set_title (WeirLesson *self, const char *title);
/* Takes step @n away; moves it to be step @to. */
void weir_lesson_remove_step (WeirLesson *self, guint n);
void weir_lesson_move_step (WeirLesson *self, guint n, guint to);
void weir_lesson_step_set_title (WeirLessonStep *self, const char *title);
/* As a file would give it back: lines are joined, an empty line begins a paragraph. */
void weir_lesson_step_set_text (WeirLessonStep *self, const char *text);
void weir_lesson_step_set_asked (WeirLessonStep *self, const char *source); /* NULL: nothing */
/* Appends a copy of @action, or lets the last one do both: a run that goes on, more steps of the
 * solver. */
void weir_lesson_step_add_action (WeirLessonStep *self, const WeirLessonAction *action);
/* In place of what the step expected of the same entry. @expectation: copied. */
void weir_lesson_step_expect (WeirLessonStep *self, const WeirLessonExpectation *expectation);

/* FALSE and @error if it cannot be written. */
gboolean weir_lesson_write_file (const WeirLesson *self, GFile *file, GError **error);

/* NULL and a diagnostic with the line if it cannot be read or is no lesson. (transfer full) */
WeirLesson *weir_lesson_read_file (GFile *file, WeirDiagnostics *diagnostics);
WeirLesson *weir_lesson_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics);
/* The same lesson gives the same bytes, and reading them the same lesson. (transfer full) */
GBytes *weir_lesson_write_bytes (const WeirLesson *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLesson, weir_lesson_free)

/* The newest version of the format. */
#define WEIR_LESSON_VERSION 1

/* Lines of a text are joined; an empty line begins a paragraph. (transfer full) */
char *weir_lesson_fold (const char *text);

G_END_DECLS
