/* Capturing a lesson. See lesson-capture.h. */
#include "lessons/lesson-capture.h"

#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/status.h"
#include "lessons/lesson-check.h"
#include "model/completion/completion.h"
#include "model/tree/patch.h"

struct _WeirLessonCapture {
  WeirLesson *lesson; /* borrowed */
  WeirModel *model;   /* as last seen */

  /* The run as last seen. */
  double time; /* s */
  guint64 n_steps;
  gboolean caching;
  GArray *disabled; /* guint64: bits of entries */
};

WeirLessonCapture *
weir_lesson_capture_new (WeirLesson *lesson, WeirModel *model)
{
  WeirLessonCapture *self = g_new0 (WeirLessonCapture, 1);

  self->lesson = lesson;
  self->model = weir_model_ref (model);
  self->caching = TRUE;
  self->disabled = g_array_new (FALSE, TRUE, sizeof (guint64));
  return self;
}

void
weir_lesson_capture_free (WeirLessonCapture *self)
{
  if (self == NULL)
    return;
  weir_model_unref (self->model);
  g_array_unref (self->disabled);
  g_free (self);
}

static void
add (WeirLessonCapture *self, const WeirLessonAction *action)
{
  weir_lesson_step_add_action (self->lesson->steps->pdata[self->lesson->steps->len - 1], action);
}

void
weir_lesson_capture_note_begin (WeirLessonCapture *self)
{
  self->time = 0;
  self->n_steps = 0;
  self->caching = TRUE;
  g_array_set_size (self->disabled, 0);
  add (self, &(WeirLessonAction) { .kind = WEIR_LESSON_BEGIN });
}

/* --- The model ------------------------------------------------------------------------------- */

typedef struct {
  WeirLessonCapture *self;
  WeirModel *model;
} Comparison;

static gboolean
add_sets (guint32 id, WeirBlock *before, WeirBlock *after, gpointer data)
{
  Comparison *c = data;
  g_autofree char *path = NULL;

  if (before == NULL || after == NULL)
    return TRUE;
  path = weir_model_dup_block_path (c->model, id);
  for (guint i = 0; i < weir_block_get_n_parameters (after); i++)
    {
      WeirLessonAction action = { .kind = WEIR_LESSON_SET, .block = path };
      const char *name, *text;

      weir_block_get_parameter_at (after, i, &name, &text);
      if (g_strcmp0 (weir_block_get_parameter (before, name), text) == 0)
        continue;
      action.parameter = (char *) name;
      action.value = (char *) text;
      add (c->self, &action);
    }
  if (weir_block_get_diagram (before) != NULL && weir_block_get_diagram (after) != NULL)
    weir_diagram_foreach_block_change (weir_block_get_diagram (before),
                                       weir_block_get_diagram (after), add_sets, c);
  return TRUE;
}

gboolean
weir_lesson_capture_note_model (WeirLessonCapture *self, WeirModel *model, gboolean is_running,
                                GError **error)
{
  WeirAspects harmless = WEIR_ASPECTS_OF_LOOKS;
  WeirAspects aspects = weir_aspects_resolve (weir_model_compare (self->model, model), self->model,
                                              model);
  g_autoptr (WeirModel) before = self->model;
  Comparison comparison = { self, model };

  self->model = weir_model_ref (model);
  if ((aspects & ~harmless) == 0)
    return TRUE;
  if ((aspects & ~harmless) != WEIR_ASPECT_PARAMETERS)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "a lesson changes parameters that can be changed while a model runs, and nothing else: "
          "undo it, or save the model and begin anew");
      return FALSE;
    }
  if (is_running)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "pause the run before you change something: a lesson cannot repeat the moment");
      return FALSE;
    }
  weir_diagram_foreach_block_change (weir_model_get_root (before), weir_model_get_root (model),
                                     add_sets, &comparison);
  return TRUE;
}

/* --- The run --------------------------------------------------------------------------------- */

static gboolean
get_bit (const guint64 *bits, guint n_words, guint e)
{
  return e / 64 < n_words && weir_bit (bits, e);
}

static gboolean
add_switches (WeirLessonCapture *self, WeirLayout *layout, const WeirSnapshot *snapshot)
{
  guint n_words = weir_bits_n_words (snapshot->n_entries);
  gboolean any = FALSE;

  for (guint e = 0; e < snapshot->n_entries; e++)
    {
      gboolean is_disabled = get_bit (snapshot->disabled, n_words, e);
      g_autofree char *path = NULL;

      if (is_disabled
          == get_bit ((const guint64 *) (gpointer) self->disabled->data, self->disabled->len, e))
        continue;
      path = weir_layout_dup_entry_path (layout, (WeirEntry) { e });
      add (self, &(WeirLessonAction) {
                     .kind = WEIR_LESSON_ENTRY_CACHING, .entry = path, .enabled = !is_disabled });
      any = TRUE;
    }
  g_array_set_size (self->disabled, 0);
  g_array_append_vals (self->disabled, snapshot->disabled, n_words);
  return any;
}

gboolean
weir_lesson_capture_note_settled (WeirLessonCapture *self, WeirLayout *layout,
                                  const WeirSnapshot *snapshot, gboolean by_steps)
{
  gboolean any = FALSE;

  if (snapshot->time > self->time || snapshot->statistics.steps > self->n_steps)
    {
      guint64 n = snapshot->statistics.steps - self->n_steps;
      gboolean takes = by_steps && n <= WEIR_LESSON_MAX_STEPS;
      WeirLessonAction action = { .kind = takes ? WEIR_LESSON_TAKE : WEIR_LESSON_RUN,
                                  .time = snapshot->time,
                                  .n = takes ? (guint) n : 0 };

      add (self, &action);
      any = TRUE;
    }
  self->time = snapshot->time;
  self->n_steps = snapshot->statistics.steps;
  if (snapshot->caching != self->caching)
    {
      add (self, &(WeirLessonAction) { .kind = WEIR_LESSON_CACHING, .enabled = snapshot->caching });
      self->caching = snapshot->caching;
      any = TRUE;
    }
  return add_switches (self, layout, snapshot) || any;
}

void
weir_lesson_capture_expect (WeirLessonCapture *self, WeirLayout *layout,
                            const WeirSnapshot *snapshot, WeirEntry entry)
{
  static const WeirLessonCount counts[] = { WEIR_LESSON_HITS, WEIR_LESSON_MISSES,
                                            WEIR_LESSON_INVALIDATIONS };
  g_autofree char *path = weir_layout_dup_entry_path (layout, entry);
  WeirLessonExpectation expectation;

  weir_lesson_expectation_init (&expectation, path);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    expectation.counts[counts[i]] = (gint64) weir_lesson_get_count (&snapshot->counters[entry.i],
                                                                    counts[i]);
  expectation.state = get_bit (snapshot->flags, weir_bits_n_words (snapshot->n_entries), entry.i)
                          ? WEIR_LESSON_OUT_OF_DATE
                          : WEIR_LESSON_UP_TO_DATE;
  weir_lesson_step_expect (self->lesson->steps->pdata[self->lesson->steps->len - 1], &expectation);
  g_free (expectation.entry);
}
