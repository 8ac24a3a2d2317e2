/* Reading lessons. See lesson.h.
 *
 * Each element names the attributes it has in one table; what is missing, misspelt or no number is
 * one sentence with its line, and nothing of a refused file is kept.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/error.h"
#include "base/text.h"
#include "base/status.h"
#include "lessons/lesson.h"

#define MAX_ATTRIBUTES 9

typedef struct {
  WeirLesson *lesson; /* NULL before the root */
  WeirLessonStep *step;
  GString *text; /* of the open <text>; NULL elsewhere */
} Reading;

typedef struct {
  const char *element, *parent;               /* @parent: NULL = the root */
  const char *attributes[MAX_ATTRIBUTES + 1]; /* with a ! those that must be there */
} Form;

static const Form forms[] = {
  { "lesson", NULL, { "!version", "!title", "!model" } },
  { "step", "lesson", { "!title" } },
  { "verify", "lesson", { "!identical", "culprit" } },
  { "audit", "lesson", { "errors", "hints" } },
  { "text", "step", { NULL } },
  { "show", "step", { "!block" } },
  { "ask", "step", { "!change" } },
  { "begin", "step", { NULL } },
  { "run", "step", { "!until" } },
  { "take", "step", { "!steps" } },
  { "set", "step", { "!block", "!parameter", "!value" } },
  { "caching", "step", { "entry", "!enabled" } },
  { "expect",
    "step",
    { "!entry", "hits", "misses", "first", "stale", "disabled", "invalidations", "state" } },
};

/* What an element gives for its form's attributes, in order; NULL = absent. Borrowed. */
typedef struct {
  const char *element;
  const Form *form;
  const char *values[MAX_ATTRIBUTES];
} Element;

static int
get_line (GMarkupParseContext *context)
{
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  return line;
}

static void fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
fail (GError **error, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list args;

  if (error == NULL || *error != NULL)
    return;
  va_start (args, format);
  text = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (error, WEIR_ERROR_INVALID, "%s", weir_message_get_text (text));
}

/* --- Attributes ------------------------------------------------------------------------------ */

static const char *
get (const Element *e, const char *name)
{
  for (guint i = 0; i < MAX_ATTRIBUTES && e->form->attributes[i] != NULL; i++)
    if (strcmp (e->form->attributes[i] + (e->form->attributes[i][0] == '!'), name) == 0)
      return e->values[i];
  g_assert_not_reached ();
}

static gboolean
get_flag (const Element *e, const char *name, GError **error)
{
  const char *text = get (e, name);

  if (strcmp (text, "true") != 0 && strcmp (text, "false") != 0)
    fail (error, N_ ("%s of <%s> must be true or false, but is \"%s\""), name, e->element, text);
  return strcmp (text, "true") == 0;
}

/* -1 where it is absent. */
static gint64
get_count (const Element *e, const char *name, GError **error)
{
  const char *text = get (e, name);
  guint64 count = 0;

  if (text == NULL)
    return -1;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &count, NULL))
    fail (error, N_ ("%s of <%s> must be a whole number, but is \"%s\""), name, e->element, text);
  return (gint64) count;
}

static gboolean
fill_element (Element *e, const char **names, const char **values, GError **error)
{
  for (guint k = 0; names[k] != NULL; k++)
    {
      guint i = 0;

      while (e->form->attributes[i] != NULL
             && strcmp (e->form->attributes[i] + (e->form->attributes[i][0] == '!'), names[k]) != 0)
        i++;
      if (e->form->attributes[i] == NULL)
        {
          fail (error, N_ ("<%s> has no attribute \"%s\""), e->element, names[k]);
          return FALSE;
        }
      e->values[i] = values[k];
    }
  for (guint i = 0; e->form->attributes[i] != NULL; i++)
    if (e->form->attributes[i][0] == '!' && e->values[i] == NULL)
      {
        fail (error, N_ ("<%s> needs the attribute \"%s\""), e->element,
              e->form->attributes[i] + 1);
        return FALSE;
      }
  return TRUE;
}

/* --- Elements -------------------------------------------------------------------------------- */

static void
read_action (Reading *r, const Element *e, WeirLessonActionKind kind, int line, GError **error)
{
  WeirLessonAction action = { .kind = kind, .line = line };

  switch (kind)
    {
    case WEIR_LESSON_RUN:
      {
        const char *text = get (e, "until");
        char *end;

        action.time = g_ascii_strtod (text, &end);
        if (end == text || *end != '\0' || !isfinite (action.time) || action.time < 0)
          fail (error, N_ ("until of <run> must be a time in seconds, but is \"%s\""), text);
        break;
      }
    case WEIR_LESSON_TAKE:
      {
        gint64 n = get_count (e, "steps", error);

        if (n > WEIR_LESSON_MAX_STEPS)
          fail (error, N_ ("steps of <take> must be at most %d, but are %lld"),
                WEIR_LESSON_MAX_STEPS, (long long) n);
        action.n = (guint) CLAMP (n, 0, WEIR_LESSON_MAX_STEPS);
        break;
      }
    case WEIR_LESSON_SET:
      action.block = g_strdup (get (e, "block"));
      action.parameter = g_strdup (get (e, "parameter"));
      action.value = g_strdup (get (e, "value"));
      break;
    case WEIR_LESSON_CACHING:
      action.enabled = get_flag (e, "enabled", error);
      action.entry = g_strdup (get (e, "entry"));
      if (action.entry != NULL)
        action.kind = WEIR_LESSON_ENTRY_CACHING;
      break;
    case WEIR_LESSON_BEGIN:
    case WEIR_LESSON_ENTRY_CACHING:
    default:
      break;
    }
  g_array_append_val (r->step->actions, action);
}

static void
read_expectation (Reading *r, const Element *e, int line, GError **error)
{
  WeirLessonExpectation expectation;
  const char *state = get (e, "state");

  weir_lesson_expectation_init (&expectation, get (e, "entry"));
  expectation.line = line;
  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    expectation.counts[i] = get_count (e, weir_lesson_count_get_name ((WeirLessonCount) i), error);
  if (g_strcmp0 (state, "up-to-date") == 0)
    expectation.state = WEIR_LESSON_UP_TO_DATE;
  else if (g_strcmp0 (state, "out-of-date") == 0)
    expectation.state = WEIR_LESSON_OUT_OF_DATE;
  else if (state != NULL)
    fail (error, N_ ("state of <expect> must be up-to-date or out-of-date, but is \"%s\""), state);
  g_array_append_val (r->step->expectations, expectation);
}

static void
read_element (Reading *r, const Element *e, int line, GError **error)
{
  static const struct {
    const char *element;
    WeirLessonActionKind kind;
  } actions[] = {
    { "begin", WEIR_LESSON_BEGIN },     { "run", WEIR_LESSON_RUN },
    { "take", WEIR_LESSON_TAKE },       { "set", WEIR_LESSON_SET },
    { "caching", WEIR_LESSON_CACHING },
  };

  if (strcmp (e->element, "lesson") == 0)
    {
      if (r->lesson != NULL)
        {
          fail (error, N_ ("there is a second lesson in it"));
          return;
        }
      r->lesson = weir_lesson_new (get (e, "title"), get (e, "model"));
      return;
    }
  if (strcmp (e->element, "step") == 0)
    {
      r->step = weir_lesson_add_step (r->lesson, get (e, "title"), "");
      r->step->line = line;
      return;
    }
  if (strcmp (e->element, "verify") == 0)
    {
      r->lesson->verify_identical = get_flag (e, "identical", error);
      g_free (r->lesson->faulty_entry);
      r->lesson->faulty_entry = g_strdup (get (e, "culprit"));
      r->lesson->verify_line = line;
      return;
    }
  if (strcmp (e->element, "audit") == 0)
    {
      r->lesson->audit_errors = get_count (e, "errors", error);
      r->lesson->audit_hints = get_count (e, "hints", error);
      r->lesson->audit_line = line;
      return;
    }
  if (strcmp (e->element, "text") == 0)
    r->text = g_string_new (NULL);
  else if (strcmp (e->element, "show") == 0)
    g_ptr_array_add (r->step->shown, g_strdup (get (e, "block")));
  else if (strcmp (e->element, "ask") == 0)
    {
      g_free (r->step->asked);
      r->step->asked = g_strdup (get (e, "change"));
    }
  else if (strcmp (e->element, "expect") == 0)
    read_expectation (r, e, line, error);
  else
    for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
      if (strcmp (actions[i].element, e->element) == 0)
        read_action (r, e, actions[i].kind, line, error);
}

/* Of the root, before anything else is looked at: what a later version has besides is nothing to
 * this one. An element without a version goes on, and is told what it needs. */
static gboolean
check_version (const char *const *names, const char *const *values, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint64 version;

      if (strcmp (names[i], "version") != 0)
        continue;
      if (!g_ascii_string_to_unsigned (values[i], 10, 1, G_MAXINT64, &version, NULL))
        fail (error, N_ ("version of <lesson> must be a whole number from 1, but is \"%.30s\""),
              values[i]);
      else if (version > WEIR_LESSON_VERSION)
        fail (error, N_ ("it has format version %.30s, but this program reads versions up to %d"),
              values[i], WEIR_LESSON_VERSION);
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

static void
start_element (GMarkupParseContext *context, const char *name, const char **names,
               const char **values, gpointer data, GError **error)
{
  const GSList *open = g_markup_parse_context_get_element_stack (context);
  const char *parent = open->next != NULL ? open->next->data : NULL;
  Element e = { .element = name };
  GError *inner = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (strcmp (forms[i].element, name) == 0 && g_strcmp0 (forms[i].parent, parent) == 0)
      e.form = &forms[i];
  if (e.form == NULL && parent == NULL)
    fail (&inner, N_ ("the outermost element must be <lesson>, but is <%s>"), name);
  else if (e.form == NULL)
    fail (&inner, N_ ("there is no <%s> in a <%s>"), name, parent);
  else if ((parent != NULL || check_version (names, values, &inner))
           && fill_element (&e, names, values, &inner))
    read_element (data, &e, get_line (context), &inner);
  if (inner != NULL)
    g_propagate_error (error, inner);
}

char *
weir_lesson_fold (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *folded = g_string_new (NULL);
  gboolean is_new = TRUE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);

      if (*line == '\0')
        {
          is_new = TRUE;
          continue;
        }
      if (folded->len > 0)
        g_string_append (folded, is_new ? "\n\n" : " ");
      g_string_append (folded, line);
      is_new = FALSE;
    }
  return g_string_free (folded, FALSE);
}

static void
end_element (G_GNUC_UNUSED GMarkupParseContext *context, const char *name, gpointer data,
             G_GNUC_UNUSED GError **error)
{
  Reading *r = data;

  if (strcmp (name, "text") != 0)
    return;
  g_free (r->step->text);
  r->step->text = weir_lesson_fold (r->text->str);
  g_string_free (g_steal_pointer (&r->text), TRUE);
}

static void
read_text (GMarkupParseContext *context, const char *text, gsize size, gpointer data,
           GError **error)
{
  Reading *r = data;

  if (r->text != NULL)
    g_string_append_len (r->text, text, (gssize) size);
  else
    for (gsize i = 0; i < size; i++)
      if (!g_ascii_isspace (text[i]))
        {
          fail (error, N_ ("there is text in <%s>, which has none"),
                g_markup_parse_context_get_element (context));
          return;
        }
}

WeirLesson *
weir_lesson_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics)
{
  static const GMarkupParser parser = { start_element, end_element, read_text, NULL, NULL };
  Reading r = { NULL, NULL, NULL };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &r, NULL);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  if (size == 0)
    fail (&error, N_ ("it is empty"));
  else if (size > weir_file_get_limit (WEIR_FILE_LESSON))
    fail (&error, N_ ("the file is larger than %zu bytes"), weir_file_get_limit (WEIR_FILE_LESSON));
  else if (g_markup_parse_context_parse (context, data, (gssize) size, &error)
           && g_markup_parse_context_end_parse (context, &error)
           && (r.lesson == NULL || r.lesson->steps->len == 0))
    fail (&error,
          r.lesson == NULL ? N_ ("there is no <lesson> in it") : N_ ("the lesson has no step"));
  if (r.text != NULL)
    g_string_free (r.text, TRUE);
  if (error == NULL)
    return r.lesson;
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "LES01", "", 0, 0, get_line (context),
                        N_ ("The file is no lesson: %s."), weir_error_get_text (error));
  weir_diagnostics_set_file (diagnostics, name);
  weir_lesson_free (r.lesson);
  return NULL;
}

WeirLesson *
weir_lesson_read_file (GFile *file, WeirDiagnostics *diagnostics)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = weir_file_read_from (file, WEIR_FILE_LESSON, &error);

  if (bytes != NULL)
    return weir_lesson_read_bytes (bytes, name, diagnostics);
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0, "%s.",
                        weir_error_get_text (error));
  weir_diagnostics_set_file (diagnostics, name);
  return NULL;
}
