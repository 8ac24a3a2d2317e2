/* Editing lessons. See lesson.h. */
#include <string.h>

#include "base/file.h"
#include "lessons/lesson.h"

static WeirLessonAction
action_copy (const WeirLessonAction *action)
{
  WeirLessonAction copy = *action;

  copy.block = g_strdup (action->block);
  copy.parameter = g_strdup (action->parameter);
  copy.value = g_strdup (action->value);
  copy.entry = g_strdup (action->entry);
  return copy;
}

static WeirLessonExpectation
expectation_copy (const WeirLessonExpectation *expectation)
{
  WeirLessonExpectation copy = *expectation;

  copy.entry = g_strdup (expectation->entry);
  return copy;
}

WeirLesson *
weir_lesson_copy (const WeirLesson *self)
{
  WeirLesson *copy = weir_lesson_new (self->title, self->model);

  copy->verify_identical = self->verify_identical;
  copy->faulty_entry = g_strdup (self->faulty_entry);
  copy->audit_errors = self->audit_errors;
  copy->audit_hints = self->audit_hints;
  copy->verify_line = self->verify_line;
  copy->audit_line = self->audit_line;
  for (guint n = 0; n < self->steps->len; n++)
    {
      const WeirLessonStep *from = self->steps->pdata[n];
      WeirLessonStep *step = weir_lesson_add_step (copy, from->title, from->text);

      step->line = from->line;
      step->asked = g_strdup (from->asked);
      for (guint i = 0; i < from->shown->len; i++)
        g_ptr_array_add (step->shown, g_strdup (from->shown->pdata[i]));
      for (guint i = 0; i < from->actions->len; i++)
        {
          WeirLessonAction action = action_copy (
              &g_array_index (from->actions, WeirLessonAction, i));

          g_array_append_val (step->actions, action);
        }
      for (guint i = 0; i < from->expectations->len; i++)
        {
          WeirLessonExpectation expectation = expectation_copy (
              &g_array_index (from->expectations, WeirLessonExpectation, i));

          g_array_append_val (step->expectations, expectation);
        }
    }
  return copy;
}

void
weir_lesson_set_title (WeirLesson *self, const char *title)
{
  g_free (self->title);
  self->title = g_strdup (title);
}

void
weir_lesson_remove_step (WeirLesson *self, guint n)
{
  g_return_if_fail (n < self->steps->len);
  g_ptr_array_remove_index (self->steps, n);
}

void
weir_lesson_move_step (WeirLesson *self, guint n, guint to)
{
  gpointer step;

  g_return_if_fail (n < self->steps->len);
  g_return_if_fail (to < self->steps->len);
  step = g_ptr_array_steal_index (self->steps, n);
  g_ptr_array_insert (self->steps, (int) to, step);
}

void
weir_lesson_step_set_title (WeirLessonStep *self, const char *title)
{
  g_free (self->title);
  self->title = g_strdup (title);
}

void
weir_lesson_step_set_text (WeirLessonStep *self, const char *text)
{
  g_free (self->text);
  self->text = weir_lesson_fold (text);
}

void
weir_lesson_step_set_asked (WeirLessonStep *self, const char *source)
{
  g_free (self->asked);
  self->asked = g_strdup (source);
}

/* Can @last do what @next does besides? */
static gboolean
join (WeirLessonAction *last, const WeirLessonAction *next)
{
  if (last->kind != next->kind)
    return FALSE;
  switch (next->kind)
    {
    case WEIR_LESSON_BEGIN:
      return TRUE;
    case WEIR_LESSON_RUN:
      last->time = MAX (last->time, next->time);
      return TRUE;
    case WEIR_LESSON_TAKE:
      last->n += next->n;
      return TRUE;
    case WEIR_LESSON_SET: /* each is an event that counts */
    case WEIR_LESSON_CACHING:
    case WEIR_LESSON_ENTRY_CACHING:
      return FALSE;
    default:
      g_return_val_if_reached (FALSE);
    }
}

void
weir_lesson_step_add_action (WeirLessonStep *self, const WeirLessonAction *action)
{
  WeirLessonAction copy;

  if (self->actions->len > 0
      && join (&g_array_index (self->actions, WeirLessonAction, self->actions->len - 1), action))
    return;
  copy = action_copy (action);
  g_array_append_val (self->actions, copy);
}

void
weir_lesson_step_expect (WeirLessonStep *self, const WeirLessonExpectation *expectation)
{
  WeirLessonExpectation copy = expectation_copy (expectation);

  for (guint i = 0; i < self->expectations->len; i++)
    {
      WeirLessonExpectation *old = &g_array_index (self->expectations, WeirLessonExpectation, i);

      if (strcmp (old->entry, copy.entry) != 0)
        continue;
      g_free (old->entry);
      *old = copy;
      return;
    }
  g_array_append_val (self->expectations, copy);
}

gboolean
weir_lesson_write_file (const WeirLesson *self, GFile *file, GError **error)
{
  g_autoptr (GBytes) bytes = weir_lesson_write_bytes (self);

  return weir_file_write_to (file, bytes, error);
}
