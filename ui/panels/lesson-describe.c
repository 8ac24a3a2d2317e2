/* Actions and expectations of lessons in words. */
#include "panels/lesson-editor.h"

#include <glib/gi18n-lib.h>

char *
weir_lesson_action_describe (const WeirLessonAction *action)
{
  switch (action->kind)
    {
    case WEIR_LESSON_BEGIN:
      return g_strdup (_ ("Begin a new run"));
    case WEIR_LESSON_RUN:
      return g_strdup_printf (_ ("Run until %g s"), action->time);
    case WEIR_LESSON_TAKE:
      return g_strdup_printf (
          ngettext ("Take %u step of the solver", "Take %u steps of the solver", action->n),
          action->n);
    case WEIR_LESSON_SET:
      /* Translators: a parameter ("Gain.gain") is given a value. */
      return g_strdup_printf (_ ("Set %s.%s to %s"), action->block, action->parameter,
                              action->value);
    case WEIR_LESSON_CACHING:
      return g_strdup (action->enabled ? _ ("Switch caching on") : _ ("Switch caching off"));
    case WEIR_LESSON_ENTRY_CACHING:
      return g_strdup_printf (action->enabled ? _ ("Cache %s") : _ ("Do not cache %s"),
                              action->entry);
    default:
      g_return_val_if_reached (NULL);
    }
}

const char *
weir_lesson_count_get_title (WeirLessonCount count)
{
  static const char *const titles[WEIR_LESSON_N_COUNTS] = {
    N_ ("hits"),        N_ ("computed"), N_ ("first time"),
    N_ ("out of date"), N_ ("uncached"), N_ ("invalidations")
  };

  return _ (titles[count]);
}

char *
weir_lesson_expectation_describe (const WeirLessonExpectation *expectation)
{
  GString *text = g_string_new (expectation->entry);
  const char *separator = ": ";

  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    if (expectation->counts[i] >= 0)
      {
        g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT, separator,
                                weir_lesson_count_get_title ((WeirLessonCount) i),
                                expectation->counts[i]);
        separator = ", ";
      }
  if (expectation->state != WEIR_LESSON_ANY_STATE)
    g_string_append_printf (text, "%s%s", separator,
                            expectation->state == WEIR_LESSON_OUT_OF_DATE ? _ ("out of date")
                                                                          : _ ("up to date"));
  return g_string_free (text, FALSE);
}
