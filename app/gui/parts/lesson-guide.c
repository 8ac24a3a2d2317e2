/* Leading through a lesson in the editor: its actions are done on the document and the runner, as a
 * user would do them, one after the other as each has settled; then the counters are compared with
 * what the lesson promises.
 *
 * Going back begins the run again and does what came before once more, so that every step always
 * shows the same. A question waits for the prediction before the actions of its step are done.
 */
#include "gui/parts/lesson-guide.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "gui/parts/cache-views.h"
#include "gui/parts/prediction.h"
#include "gui/parts/slow-motion.h"
#include "lessons/lesson-check.h"
#include "paint/scene/describe.h"
#include "panels/lesson-editor.h"
#include "panels/lesson-panel.h"

struct _WeirLessonGuide {
  WeirPart parent;
  GtkWidget *panel;

  WeirLesson *lesson; /* NULL while there is none; then the rest means nothing */
  WeirModel *model;   /* as the lesson begins */
  guint step;
  gboolean is_asking,
      is_due;     /* a prediction is awaited; results are to be shown when all is done */
  GQueue pending; /* const WeirLessonAction *, owned by the lesson */
  gboolean is_acting;
  gboolean is_beginning;        /* a run was asked for that is not there yet, ... */
  gconstpointer session_before; /* ... instead of this one; only compared */
  guint fit;                    /* source that shows all of the diagram beside the panel */
  GFile *file;                  /* of the lesson; NULL of a quiz */
  GBytes *before;               /* the run as it was when the question was answered, or NULL */
};

G_DEFINE_FINAL_TYPE (WeirLessonGuide, weir_lesson_guide, WEIR_TYPE_PART)

static const WeirLessonStep *
get_step (WeirLessonGuide *self)
{
  return self->lesson->steps->pdata[self->step];
}

static WeirLessonPanel *
get_panel (WeirLessonGuide *self)
{
  return WEIR_LESSON_PANEL (self->panel);
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
weir_lesson_revert_blocks (WeirDocument *document, WeirModel *original, const char *label)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  Reverting reverting = { original, patch };

  weir_diagram_foreach_block_change (weir_model_get_root (weir_document_get_model (document)),
                                     weir_model_get_root (original), revert_block, &reverting);
  if (!weir_patch_is_empty (patch))
    weir_document_edit (document, patch, label, NULL, NULL);
}

/* A lesson only shows: as long as nobody has saved the model its changes are nobody's edits. */
static gboolean
give_parameter (WeirLessonGuide *self, guint32 id, const char *parameter, const char *value,
                GError **error)
{
  WeirDocument *document = self->parent.document;
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
  WeirDocument *document = self->parent.document;

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
  differs = weir_model_compare (weir_document_get_model (self->parent.document), self->model);
  if ((differs & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) != 0)
    weir_lesson_revert_blocks (self->parent.document, self->model, _ ("Begin the Lesson"));
}

static void
set_parameter (WeirLessonGuide *self, const WeirLessonAction *action)
{
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->parent.document),
                                           action->block);
  g_autoptr (GError) error = NULL;

  if (block == NULL)
    tell_failure (self, action->block);
  else if (!give_parameter (self, weir_block_get_id (block), action->parameter, action->value,
                            &error))
    tell_failure (self, weir_error_say (error));
}

static void
act (WeirLessonGuide *self, const WeirLessonAction *action)
{
  WeirRunner *runner = self->parent.runner;
  WeirSession *session = weir_runner_get_session (runner);
  WeirEntry entry;

  switch (action->kind)
    {
    case WEIR_LESSON_BEGIN:
      weir_runner_stop (runner);
      revert (self);
      weir_runner_set_caching (runner, TRUE);
      self->is_beginning = TRUE;
      self->session_before = session;
      weir_runner_begin (runner);
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
  WeirSession *session = weir_runner_get_session (self->parent.runner);
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
  WeirHost *host = self->parent.host;
  const WeirLessonStep *step = self->lesson != NULL ? get_step (self) : NULL;
  gboolean is_idle = step != NULL && !self->is_asking && !self->is_due
                     && g_queue_is_empty (&self->pending);

  weir_host_set_enabled (host, "lesson-back", step != NULL && self->step > 0);
  weir_host_set_enabled (host, "lesson-next", is_idle && self->step + 1 < self->lesson->steps->len);
  weir_host_set_enabled (host, "lesson-check", step != NULL && self->is_asking);
  weir_host_set_enabled (host, "lesson-edit", step != NULL && self->file != NULL);
  weir_host_set_enabled (
      host, "lesson-watch",
      is_idle && step->asked != NULL
          && weir_slow_part_can_play (weir_host_find (host, WEIR_TYPE_SLOW_PART), step->asked));
}

/* Does what is pending, one thing as soon as the one before has settled; then shows the results. */
static void
pump (WeirLessonGuide *self)
{
  if (self->is_acting || self->lesson == NULL)
    return;
  if (self->is_beginning && !weir_runner_is_starting (self->parent.runner))
    {
      self->is_beginning = FALSE;
      if (weir_runner_get_session (self->parent.runner) == self->session_before)
        tell_failure (self, _ ("The model cannot run."));
    }
  self->is_acting = TRUE;
  for (;;)
    {
      WeirSession *session = weir_runner_get_session (self->parent.runner);

      if (weir_runner_is_starting (self->parent.runner)
          || (session != NULL && !weir_session_is_settled (session)))
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
    weir_canvas_select_blocks (self->parent.canvas, (const guint32 *) (gpointer) ids->data,
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
  weir_cache_views_emphasize (self->parent.host, NULL);
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
  WeirSession *session = weir_runner_get_session (self->parent.runner);

  g_clear_pointer (&self->before, g_bytes_unref);
  if (session != NULL && weir_session_is_settled (session))
    self->before = weir_session_save (session, NULL);
}

static void
check_prediction (WeirLessonGuide *self)
{
  WeirCacheModel *cache = self->parent.cache;
  WeirExplainer *explainer = weir_cache_model_get_explainer (cache);
  g_autoptr (GError) error = NULL;
  guint32 tracker;

  if (explainer == NULL)
    tell_failure (self, _ ("The model cannot run."));
  else if (!weir_explainer_find (explainer, get_step (self)->asked, &tracker, &error))
    tell_failure (self, weir_error_say (error));
  else
    {
      GArray *steps = weir_explain_downstream (explainer, tracker, NULL);
      gboolean is_right;
      g_autofree char *text = weir_judge_prediction (cache, self->parent.canvas, self->model, steps,
                                                     &is_right);

      weir_lesson_panel_tell (get_panel (self), is_right, text);
      weir_cache_views_emphasize (self->parent.host, steps);
    }
  note_before (self);
  self->is_asking = FALSE;
  self->is_due = TRUE;
  queue_actions (self, get_step (self));
  pump (self);
}

/* --- Beginning and ending -------------------------------------------------------------------- */

static void
clear (WeirLessonGuide *self)
{
  g_clear_handle_id (&self->fit, g_source_remove);
  g_queue_clear (&self->pending);
  self->is_asking = self->is_due = FALSE;
  g_clear_pointer (&self->lesson, weir_lesson_free);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_object (&self->file);
  g_clear_pointer (&self->before, g_bytes_unref);
}

void
weir_lesson_guide_close (WeirLessonGuide *self)
{
  if (self->lesson == NULL)
    return;
  revert_own (self);
  clear (self);
  gtk_widget_set_visible (self->panel, FALSE);
  weir_cache_views_emphasize (self->parent.host, NULL);
  update_actions (self);
}

gboolean
weir_lesson_guide_is_leading (WeirLessonGuide *self)
{
  return self->lesson != NULL;
}

GFile *
weir_lesson_guide_get_file (WeirLessonGuide *self)
{
  return self->lesson != NULL ? self->file : NULL;
}

/* Once the panel has taken its room. */
static gboolean
fit (gpointer data)
{
  WeirLessonGuide *self = data;

  self->fit = 0;
  gtk_widget_activate_action (GTK_WIDGET (self->parent.canvas), "canvas.zoom-fit", NULL);
  return G_SOURCE_REMOVE;
}

void
weir_lesson_guide_lead (WeirLessonGuide *self, WeirLesson *lesson, GFile *file)
{
  weir_lesson_guide_close (self);
  self->lesson = lesson;
  self->file = file != NULL ? g_object_ref (file) : NULL;
  self->model = weir_model_ref (weir_document_get_model (self->parent.document));
  gtk_widget_set_visible (self->panel, TRUE);
  weir_host_set_perspective (self->parent.host, WEIR_PERSPECTIVE_CACHE);
  enter (self, 0, 0);
  self->fit = g_timeout_add_full (G_PRIORITY_LOW, 100, fit, self, NULL);
}

static WeirLesson *
read_lesson (WeirHost *host, GFile *file, GFile **model)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) folder = g_file_get_parent (file);
  WeirLesson *lesson = weir_lesson_read_file (file, diagnostics);

  if (lesson == NULL)
    {
      g_autofree char *text = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, 0));

      weir_host_set_banner (host, GTK_MESSAGE_ERROR, text);
      return NULL;
    }
  *model = g_file_resolve_relative_path (folder, lesson->model);
  return lesson;
}

/* A lesson that waits for its model. */
typedef struct {
  WeirLesson *lesson;
  GFile *file;
  void (*then) (WeirHost *host, WeirLesson *lesson, GFile *file);
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_clear_pointer (&opening->lesson, weir_lesson_free);
  g_object_unref (opening->file);
  g_free (opening);
}

static void
model_opened (WeirHost *host, gboolean is_opened, gpointer data)
{
  Opening *opening = data;

  if (is_opened)
    opening->then (host, g_steal_pointer (&opening->lesson), opening->file);
}

void
weir_lesson_guide_open_with_model (WeirHost *host, GFile *file, gboolean as_template,
                                   void (*then) (WeirHost *host, WeirLesson *lesson, GFile *file))
{
  g_autoptr (GFile) model = NULL;
  WeirLesson *lesson = read_lesson (host, file, &model);
  Opening *opening;

  if (lesson == NULL)
    return;
  opening = g_new (Opening, 1);
  *opening = (Opening) { lesson, g_object_ref (file), then };
  weir_host_open (host, model, as_template, model_opened, opening, opening_free);
}

static void
lead (WeirHost *host, WeirLesson *lesson, GFile *file)
{
  weir_lesson_guide_lead (weir_host_find (host, WEIR_TYPE_LESSON_GUIDE), lesson, file);
}

void
weir_lesson_guide_open (WeirHost *host, GFile *file)
{
  weir_lesson_guide_open_with_model (host, file, TRUE, lead);
}

/* --- Actions --------------------------------------------------------------------------------- */

#define ACTION(name)                                                                               \
  static void name (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,            \
                    gpointer data)

ACTION (back)
{
  WeirLessonGuide *self = data;

  if (self->lesson != NULL && self->step > 0)
    enter (self, self->step - 1, 0);
}

ACTION (next)
{
  WeirLessonGuide *self = data;

  if (self->lesson != NULL && self->step + 1 < self->lesson->steps->len)
    enter (self, self->step + 1, self->step + 1);
}

ACTION (check)
{
  WeirLessonGuide *self = data;

  if (self->lesson != NULL && self->is_asking)
    check_prediction (self);
}

ACTION (close_lesson)
{
  weir_lesson_guide_close (data);
}

ACTION (watch)
{
  WeirLessonGuide *self = data;

  if (self->lesson != NULL && get_step (self)->asked != NULL)
    weir_slow_part_play (weir_host_find (self->parent.host, WEIR_TYPE_SLOW_PART),
                         get_step (self)->asked, self->before);
}

static void
open_lesson (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (value, NULL));

  weir_lesson_guide_open (WEIR_PART (data)->host, file);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "open-lesson", .activate = open_lesson, .parameter_type = "s" },
    { .name = "lesson-back", .activate = back },
    { .name = "lesson-next", .activate = next },
    { .name = "lesson-check", .activate = check },
    { .name = "lesson-close", .activate = close_lesson },
    { .name = "lesson-watch", .activate = watch },
  };
  WeirLessonGuide *self = WEIR_LESSON_GUIDE (object);

  G_OBJECT_CLASS (weir_lesson_guide_parent_class)->constructed (object);
  weir_part_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  weir_host_set_enabled (self->parent.host, "lesson-watch", FALSE);
  self->panel = weir_lesson_panel_new ();
  gtk_widget_set_visible (self->panel, FALSE);
  weir_host_add_widget (self->parent.host, WEIR_SLOT_STAGE, self->panel);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (pump), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  clear (WEIR_LESSON_GUIDE (object));
  G_OBJECT_CLASS (weir_lesson_guide_parent_class)->dispose (object);
}

static void
weir_lesson_guide_class_init (WeirLessonGuideClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_lesson_guide_init (WeirLessonGuide *self)
{
  g_queue_init (&self->pending);
}
