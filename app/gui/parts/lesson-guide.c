/* Leading through a lesson in the editor: its actions are done on the document and the runner, as a
 * user would do them, one after the other as each has settled; then the counters are compared with
 * what the lesson promises.
 *
 * Going back begins the run again and does what came before once more, so that every step always
 * shows the same. A question waits for the prediction before the actions of its step are done.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/shell/editor-private.h"
#include "lessons/lesson-check.h"
#include "paint/scene/describe.h"
#include "panels/lesson-editor.h"
#include "panels/lesson-panel.h"

struct _WeirLessonGuide {
  WeirEditor *editor; /* borrowed */
  WeirLesson *lesson;
  WeirModel *model; /* as the lesson begins */
  guint step;
  gboolean is_asking,
      is_due;     /* a prediction is awaited; results are to be shown when all is done */
  GQueue pending; /* const WeirLessonAction *, owned by the lesson */
  gboolean is_acting;
  gulong handler; /* of the runner */
  guint fit;      /* source that shows all of the diagram beside the panel */
  GFile *file;    /* of the lesson; NULL of a quiz */
  GBytes *before; /* the run as it was when the question was answered, or NULL */
};

static const WeirLessonStep *
get_step (const WeirLessonGuide *self)
{
  return self->lesson->steps->pdata[self->step];
}

static WeirLessonPanel *
get_panel (const WeirLessonGuide *self)
{
  return WEIR_LESSON_PANEL (self->editor->lesson_panel);
}

static void
tell_failure (WeirLessonGuide *self, const char *text)
{
  g_queue_clear (&self->pending);
  weir_lesson_panel_add_result (get_panel (self), FALSE, text);
}

/* --- Actions --------------------------------------------------------------------------------- */

typedef struct {
  WeirModel *original;
  WeirPatch *patch;
} Reverting;

static gboolean
revert_block (guint32 id, WeirBlock *before, G_GNUC_UNUSED WeirBlock *after, gpointer data)
{
  Reverting *reverting = data;
  WeirBlock *block = weir_diagram_find_block (weir_model_get_root (reverting->original), id);

  if (before != NULL && block != NULL)
    weir_patch_set_block (reverting->patch, WEIR_PLACE_ROOT, block);
  return TRUE;
}

void
weir_editor_revert_blocks (WeirEditor *self, WeirModel *original, const char *label)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  Reverting reverting = { original, patch };

  weir_diagram_foreach_block_change (weir_model_get_root (weir_document_get_model (self->document)),
                                     weir_model_get_root (original), revert_block, &reverting);
  if (!weir_patch_is_empty (patch))
    weir_document_edit (self->document, patch, label, NULL, NULL);
}

/* A lesson only shows: as long as nobody has saved the model its changes are nobody's edits. */
static gboolean
give_parameter (WeirLessonGuide *self, guint32 id, const char *parameter, const char *value,
                GError **error)
{
  WeirDocument *document = self->editor->document;
  g_autoptr (GArray) ids = NULL;
  g_autoptr (WeirPatch) patch = NULL;
  g_autoptr (WeirBlock) changed = NULL;

  if (weir_document_get_file (document) == NULL)
    return weir_document_preset (document, id, parameter, value, error);
  ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  patch = weir_patch_new ();
  changed = weir_block_with_parameter (
      weir_model_find_block (weir_document_get_model (document), id, ids), parameter, value);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                        changed);
  return weir_document_edit (document, patch, _ ("Change a Parameter"), NULL, error);
}

/* Parameters that the lesson changes are again as it begins. */
static void
revert_own (WeirLessonGuide *self)
{
  WeirDocument *document = self->editor->document;

  for (guint i = 0; i < self->lesson->steps->len; i++)
    {
      const WeirLessonStep *step = self->lesson->steps->pdata[i];

      for (guint k = 0; k < step->actions->len; k++)
        {
          const WeirLessonAction *action = &g_array_index (step->actions, WeirLessonAction, k);
          WeirBlock *block = action->kind == WEIR_LESSON_SET
                                 ? weir_model_find_path (self->model, action->block)
                                 : NULL;
          guint32 id = block != NULL ? weir_block_get_id (block) : 0;

          if (block != NULL
              && weir_model_find_block (weir_document_get_model (document), id, NULL) != NULL)
            give_parameter (self, id, action->parameter,
                            weir_block_get_parameter (block, action->parameter), NULL);
        }
    }
}

/* Everything that runs is as the lesson begins; what the user changed of it is an edit. */
static void
revert (WeirLessonGuide *self)
{
  WeirAspects differs;

  revert_own (self);
  differs = weir_model_compare (weir_document_get_model (self->editor->document), self->model);
  if ((differs & ~(WeirAspects) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA)) != 0)
    weir_editor_revert_blocks (self->editor, self->model, _ ("Begin the Lesson"));
}

static void
set_parameter (WeirLessonGuide *self, const WeirLessonAction *action)
{
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->editor->document),
                                           action->block);
  g_autoptr (GError) error = NULL;

  if (block == NULL)
    tell_failure (self, action->block);
  else if (!give_parameter (self, weir_block_get_id (block), action->parameter, action->value,
                            &error))
    tell_failure (self, error->message);
}

static void
act (WeirLessonGuide *self, const WeirLessonAction *action)
{
  WeirRunner *runner = self->editor->runner;
  WeirSession *session = weir_runner_get_session (runner);
  WeirEntry entry;

  switch (action->kind)
    {
    case WEIR_LESSON_BEGIN:
      weir_runner_stop (runner);
      revert (self);
      weir_runner_set_caching (runner, TRUE);
      if (!weir_runner_begin (runner))
        tell_failure (self, _ ("The model cannot run."));
      break;
    case WEIR_LESSON_RUN:
      weir_runner_run_until (runner, action->time);
      break;
    case WEIR_LESSON_TAKE:
      weir_runner_step (runner);
      break;
    case WEIR_LESSON_SET:
      set_parameter (self, action);
      break;
    case WEIR_LESSON_CACHING:
      weir_runner_set_caching (runner, action->enabled);
      break;
    case WEIR_LESSON_ENTRY_CACHING:
      if (session != NULL
          && weir_lesson_find_entry (weir_session_get_layout (session), action->entry, &entry))
        weir_session_set_entry_caching (session, entry.i, action->enabled);
      else
        tell_failure (self, action->entry);
      break;
    default:
      g_return_if_reached ();
    }
}

/* --- Results --------------------------------------------------------------------------------- */

/* "Gain:y: hits 4, computed 4, up to date"; where it is not as promised, "computed 4 (promised 5)".
 */
static void
add_result (WeirLessonGuide *self, const WeirLessonExpectation *promised, WeirLayout *layout,
            const WeirSnapshot *snapshot)
{
  g_autofree char *title = weir_describe_path (promised->entry);
  g_autoptr (GString) text = g_string_new (title);
  gboolean is_met = TRUE, is_stale;
  const char *separator = ": ";
  WeirEntry entry;

  if (!weir_lesson_find_entry (layout, promised->entry, &entry))
    {
      tell_failure (self, promised->entry);
      return;
    }
  for (guint i = 0; i < WEIR_LESSON_N_COUNTS; i++)
    {
      guint64 count = weir_lesson_get_count (&snapshot->counters[entry.i], (WeirLessonCount) i);

      if (promised->counts[i] < 0)
        continue;
      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT, separator,
                              weir_lesson_count_get_title ((WeirLessonCount) i), count);
      separator = ", ";
      if (count == (guint64) promised->counts[i])
        continue;
      is_met = FALSE;
      {
        g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, promised->counts[i]);

        g_string_append_printf (text, _ (" (promised %s)"), number);
      }
    }
  is_stale = (snapshot->flags[entry.i / 64] >> (entry.i % 64) & 1) != 0;
  if (promised->state != WEIR_LESSON_ANY_STATE)
    {
      g_string_append_printf (text, "%s%s", separator,
                              is_stale ? _ ("out of date") : _ ("up to date"));
      is_met &= is_stale == (promised->state == WEIR_LESSON_OUT_OF_DATE);
    }
  weir_lesson_panel_add_result (get_panel (self), is_met, text->str);
}

static void
show_results (WeirLessonGuide *self)
{
  WeirSession *session = weir_runner_get_session (self->editor->runner);
  const WeirLessonStep *step = get_step (self);

  if (session == NULL)
    return;
  for (guint i = 0; i < step->expectations->len; i++)
    add_result (self, &g_array_index (step->expectations, WeirLessonExpectation, i),
                weir_session_get_layout (session), weir_session_get_snapshot (session));
}

/* --- Steps ----------------------------------------------------------------------------------- */

static void
update_actions (WeirLessonGuide *self)
{
  GActionMap *map = G_ACTION_MAP (self->editor->actions);
  gboolean is_idle = !self->is_asking && !self->is_due && g_queue_is_empty (&self->pending);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lesson-back")),
                               self->step > 0);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lesson-next")),
                               is_idle && self->step + 1 < self->lesson->steps->len);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lesson-check")),
                               self->is_asking);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lesson-edit")),
                               self->file != NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lesson-watch")),
                               is_idle && get_step (self)->asked != NULL
                                   && weir_editor_can_watch (self->editor, get_step (self)->asked));
}

/* Does what is pending, one thing as soon as the one before has settled; then shows the results. */
static void
pump (WeirLessonGuide *self)
{
  if (self->is_acting)
    return;
  self->is_acting = TRUE;
  for (;;)
    {
      WeirSession *session = weir_runner_get_session (self->editor->runner);

      if (session != NULL && !weir_session_is_settled (session))
        break;
      if (g_queue_is_empty (&self->pending))
        {
          if (self->is_due)
            show_results (self);
          self->is_due = FALSE;
          break;
        }
      act (self, g_queue_pop_head (&self->pending));
    }
  self->is_acting = FALSE;
  update_actions (self);
}

static void
queue_actions (WeirLessonGuide *self, const WeirLessonStep *step)
{
  for (guint i = 0; i < step->actions->len; i++)
    {
      const WeirLessonAction *action = &g_array_index (step->actions, WeirLessonAction, i);

      for (guint k = 0; k < (action->kind == WEIR_LESSON_TAKE ? action->n : 1); k++)
        g_queue_push_tail (&self->pending, (gpointer) action);
    }
}

static void
select_shown (WeirLessonGuide *self, const WeirLessonStep *step)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  /* To a question the user selects. */
  for (guint i = 0; i < step->shown->len && step->asked == NULL; i++)
    {
      WeirBlock *block = weir_model_find_path (self->model, step->shown->pdata[i]);
      guint32 id = block != NULL ? weir_block_get_id (block) : 0;

      if (block != NULL)
        g_array_append_val (ids, id);
    }
  if (step->asked != NULL || ids->len > 0)
    weir_canvas_select_blocks (self->editor->canvas, (const guint32 *) (gpointer) ids->data,
                               ids->len);
}

/* Step @n, after what the steps from @first on do. */
static void
enter (WeirLessonGuide *self, guint n, guint first)
{
  const WeirLessonStep *step;

  g_queue_clear (&self->pending);
  for (guint i = first; i < n; i++)
    queue_actions (self, self->lesson->steps->pdata[i]);
  self->step = n;
  step = get_step (self);
  weir_editor_emphasize (self->editor, NULL);
  weir_lesson_panel_show_step (get_panel (self), self->lesson, n);
  select_shown (self, step);
  self->is_asking = step->asked != NULL;
  self->is_due = !self->is_asking;
  if (self->is_asking)
    weir_lesson_panel_ask (get_panel (self), step->asked);
  else
    queue_actions (self, step);
  pump (self);
}

/* --- Predictions ----------------------------------------------------------------------------- */

/* So that the change can be watched although the step makes it next. */
static void
note_before (WeirLessonGuide *self)
{
  WeirSession *session = weir_runner_get_session (self->editor->runner);

  g_clear_pointer (&self->before, g_bytes_unref);
  if (session != NULL && weir_session_is_settled (session))
    self->before = weir_session_save (session, NULL);
}

static void
check_prediction (WeirLessonGuide *self)
{
  WeirCacheModel *cache = self->editor->cache_model;
  WeirExplainer *explainer = weir_cache_model_get_explainer (cache);
  g_autoptr (GError) error = NULL;
  guint32 tracker;

  if (explainer == NULL)
    tell_failure (self, _ ("The model cannot run."));
  else if (!weir_explainer_find (explainer, get_step (self)->asked, &tracker, &error))
    tell_failure (self, error->message);
  else
    {
      GArray *steps = weir_explain_downstream (explainer, tracker, NULL);
      gboolean is_right;
      g_autofree char *text = weir_editor_judge_prediction (self->editor, self->model, steps,
                                                            &is_right);

      weir_lesson_panel_tell (get_panel (self), is_right, text);
      weir_editor_emphasize (self->editor, steps);
    }
  note_before (self);
  self->is_asking = FALSE;
  self->is_due = TRUE;
  queue_actions (self, get_step (self));
  pump (self);
}

/* --- The editor ------------------------------------------------------------------------------ */

static void
guide_free (WeirLessonGuide *self)
{
  g_clear_signal_handler (&self->handler, self->editor->runner);
  g_clear_handle_id (&self->fit, g_source_remove);
  g_queue_clear (&self->pending);
  weir_lesson_free (self->lesson);
  weir_model_unref (self->model);
  g_clear_object (&self->file);
  g_clear_pointer (&self->before, g_bytes_unref);
  g_free (self);
}

void
weir_editor_close_lesson (WeirEditor *self)
{
  static const char *const names[] = { "lesson-back", "lesson-next", "lesson-check", "lesson-watch",
                                       "lesson-edit" };

  if (self->lesson == NULL)
    return;
  if (!gtk_widget_in_destruction (GTK_WIDGET (self)))
    revert_own (self->lesson);
  g_clear_pointer (&self->lesson, guide_free);
  gtk_widget_set_visible (self->lesson_panel, FALSE);
  weir_editor_emphasize (self, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), names[i])),
        FALSE);
}

void
weir_editor_lesson_back (WeirEditor *self)
{
  if (self->lesson != NULL && self->lesson->step > 0)
    enter (self->lesson, self->lesson->step - 1, 0);
}

void
weir_editor_lesson_next (WeirEditor *self)
{
  if (self->lesson != NULL && self->lesson->step + 1 < self->lesson->lesson->steps->len)
    enter (self->lesson, self->lesson->step + 1, self->lesson->step + 1);
}

void
weir_editor_lesson_check (WeirEditor *self)
{
  if (self->lesson != NULL && self->lesson->is_asking)
    check_prediction (self->lesson);
}

/* Once the panel has taken its room. */
static gboolean
fit (gpointer data)
{
  WeirLessonGuide *self = data;

  self->fit = 0;
  gtk_widget_activate_action (GTK_WIDGET (self->editor->canvas), "canvas.zoom-fit", NULL);
  return G_SOURCE_REMOVE;
}

void
weir_editor_lead (WeirEditor *self, WeirLesson *lesson, GFile *file)
{
  weir_editor_close_lesson (self);
  self->lesson = g_new0 (WeirLessonGuide, 1);
  self->lesson->editor = self;
  self->lesson->lesson = lesson;
  self->lesson->file = file != NULL ? g_object_ref (file) : NULL;
  self->lesson->model = weir_model_ref (weir_document_get_model (self->document));
  g_queue_init (&self->lesson->pending);
  self->lesson->handler = g_signal_connect_swapped (self->runner, "state-changed",
                                                    G_CALLBACK (pump), self->lesson);
  gtk_widget_set_visible (self->lesson_panel, TRUE);
  enter (self->lesson, 0, 0);
  self->lesson->fit = g_timeout_add_full (G_PRIORITY_LOW, 100, fit, self->lesson, NULL);
}

WeirLesson *
weir_editor_read_lesson (WeirEditor *self, GFile *file, GFile **model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) folder = g_file_get_parent (file);
  WeirLesson *lesson = weir_lesson_read_file (file, diagnostics);

  if (lesson == NULL)
    {
      g_autofree char *text = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, 0));

      weir_editor_set_banner (self, GTK_MESSAGE_ERROR, text);
      return NULL;
    }
  *model = g_file_resolve_relative_path (folder, lesson->model);
  return lesson;
}

void
weir_editor_open_lesson (WeirEditor *self, GFile *file)
{
  g_autoptr (GFile) model = NULL;
  g_autoptr (WeirLesson) lesson = weir_editor_read_lesson (self, file, &model);

  if (lesson == NULL)
    return;
  self = weir_editor_open_template (self, model);
  if (self == NULL)
    return;
  weir_editor_lead (self, g_steal_pointer (&lesson), file);
}

/* --- Actions --------------------------------------------------------------------------------- */

static void
quiz (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_quiz (data);
}

static void
watch (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;

  if (self->lesson != NULL && get_step (self->lesson)->asked != NULL)
    weir_editor_watch (self, get_step (self->lesson)->asked, self->lesson->before);
}

static void
edit (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  g_autoptr (GFile) file = NULL;

  if (self->lesson == NULL || self->lesson->file == NULL)
    return;
  file = g_object_ref (self->lesson->file);
  weir_editor_edit_lesson (self, file);
}

static const GActionEntry entries[] = {
  { .name = "quiz", .activate = quiz },
  { .name = "lesson-watch", .activate = watch },
  { .name = "lesson-edit", .activate = edit },
};

void
weir_editor_add_lesson (WeirEditor *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  for (guint i = 1; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (
                                     G_ACTION_MAP (self->actions), entries[i].name)),
                                 FALSE);
}
