/* A lesson as data, and writing it. See lesson.h. */
#include "lessons/lesson.h"

#include <string.h>

#include "numerics/number.h"

const char *
weir_lesson_count_get_name (WeirLessonCount count)
{
  static const char *const names[WEIR_LESSON_N_COUNTS] = { "hits",  "misses",   "first",
                                                           "stale", "disabled", "invalidations" };

  g_return_val_if_fail (count < WEIR_LESSON_N_COUNTS, NULL);
  return names[count];
}

/* --- Making ---------------------------------------------------------------------------------- */

static void
action_clear (gpointer data)
{
  WeirLessonAction *action = data;

  g_free (action->block);
  g_free (action->parameter);
  g_free (action->value);
  g_free (action->entry);
}

static void
expectation_clear (gpointer data)
{
  g_free (((WeirLessonExpectation *) data)->entry);
}

static void
step_free (gpointer data)
{
  WeirLessonStep *step = data;

  g_free (step->title);
  g_free (step->text);
  g_free (step->asked);
  g_ptr_array_unref (step->shown);
  g_array_unref (step->actions);
  g_array_unref (step->expectations);
  g_free (step);
}

WeirLesson *
weir_lesson_new (const char *title, const char *model)
{
  WeirLesson *self = g_new0 (WeirLesson, 1);

  self->title = g_strdup (title);
  self->model = g_strdup (model);
  self->steps = g_ptr_array_new_with_free_func (step_free);
  self->verify_identical = -1;
  self->audit_errors = self->audit_hints = -1;
  return self;
}

void
weir_lesson_free (WeirLesson *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->model);
  g_free (self->faulty_entry);
  g_ptr_array_unref (self->steps);
  g_free (self);
}

WeirLessonStep *
weir_lesson_add_step (WeirLesson *self, const char *title, const char *text)
{
  WeirLessonStep *step = g_new0 (WeirLessonStep, 1);

  step->title = g_strdup (title);
  step->text = g_strdup (text);
  step->shown = g_ptr_array_new_with_free_func (g_free);
  step->actions = g_array_new (FALSE, FALSE, sizeof (WeirLessonAction));
  g_array_set_clear_func (step->actions, action_clear);
  step->expectations = g_array_new (FALSE, FALSE, sizeof (WeirLessonExpectation));
  g_array_set_clear_func (step->expectations, expectation_clear);
  g_ptr_array_add (self->steps, step);
  return step;
}

void
weir_lesson_expectation_init (WeirLessonExpectation *self, const char *entry)
{
  *self = (WeirLessonExpectation) { .entry = g_strdup (entry) };
  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    self->counts[i] = -1;
}

/* --- Writing --------------------------------------------------------------------------------- */

static void
append_attribute (GString *text, const char *name, const char *value)
{
  g_autofree char *escaped = NULL;

  if (value == NULL)
    return;
  escaped = g_markup_escape_text (value, -1);
  g_string_append_printf (text, " %s=\"%s\"", name, escaped);
}

static void
append_count (GString *text, const char *name, gint64 count)
{
  if (count >= 0)
    g_string_append_printf (text, " %s=\"%" G_GINT64_FORMAT "\"", name, count);
}

static void
append_action (GString *text, const WeirLessonAction *action)
{
  static const char *const elements[] = { "begin", "run", "take", "set", "caching", "caching" };
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "    <%s", elements[action->kind]);
  if (action->kind == WEIR_LESSON_RUN)
    append_attribute (text, "until", weir_number_to_text (action->time, time));
  if (action->kind == WEIR_LESSON_TAKE)
    append_count (text, "steps", action->n);
  append_attribute (text, "block", action->block);
  append_attribute (text, "parameter", action->parameter);
  append_attribute (text, "value", action->value);
  append_attribute (text, "entry", action->entry);
  if (action->kind == WEIR_LESSON_CACHING || action->kind == WEIR_LESSON_ENTRY_CACHING)
    append_attribute (text, "enabled", action->enabled ? "true" : "false");
  g_string_append (text, "/>\n");
}

static void
append_expectation (GString *text, const WeirLessonExpectation *expectation)
{
  static const char *const states[] = { NULL, "up-to-date", "out-of-date" };

  g_string_append (text, "    <expect");
  append_attribute (text, "entry", expectation->entry);
  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    append_count (text, weir_lesson_count_get_name ((WeirLessonCount) i), expectation->counts[i]);
  append_attribute (text, "state", states[expectation->state]);
  g_string_append (text, "/>\n");
}

static void
append_step (GString *text, const WeirLessonStep *step)
{
  g_autofree char *escaped = g_markup_escape_text (step->text, -1);

  g_string_append (text, "  <step");
  append_attribute (text, "title", step->title);
  g_string_append_printf (text, ">\n    <text>%s</text>\n", escaped);
  for (guint i = 0; i < step->shown->len; i++)
    {
      g_string_append (text, "    <show");
      append_attribute (text, "block", step->shown->pdata[i]);
      g_string_append (text, "/>\n");
    }
  if (step->asked != NULL)
    {
      g_string_append (text, "    <ask");
      append_attribute (text, "change", step->asked);
      g_string_append (text, "/>\n");
    }
  for (guint i = 0; i < step->actions->len; i++)
    append_action (text, &g_array_index (step->actions, WeirLessonAction, i));
  for (guint i = 0; i < step->expectations->len; i++)
    append_expectation (text, &g_array_index (step->expectations, WeirLessonExpectation, i));
  g_string_append (text, "  </step>\n");
}

GBytes *
weir_lesson_write_bytes (const WeirLesson *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<lesson version=\"%d\"",
                          WEIR_LESSON_VERSION);
  append_attribute (text, "title", self->title);
  append_attribute (text, "model", self->model);
  g_string_append (text, ">\n");
  for (guint i = 0; i < self->steps->len; i++)
    append_step (text, self->steps->pdata[i]);
  if (self->verify_identical >= 0)
    {
      g_string_append (text, "  <verify");
      append_attribute (text, "identical", self->verify_identical ? "true" : "false");
      append_attribute (text, "culprit", self->faulty_entry);
      g_string_append (text, "/>\n");
    }
  if (self->audit_errors >= 0 || self->audit_hints >= 0)
    {
      g_string_append (text, "  <audit");
      append_count (text, "errors", self->audit_errors);
      append_count (text, "hints", self->audit_hints);
      g_string_append (text, "/>\n");
    }
  g_string_append (text, "</lesson>\n");
  return g_string_free_to_bytes (text);
}
