/* The page of a lesson. See lesson-page.h.
 *
 * A lesson begins with its model as it is in its file; so capturing begins by saving, and ends by
 * giving parameters back the values they had. Between run actions and what the run tells, the
 * capture compares (lesson-capture.h); the editor only says what was pressed.
 */
#include "gui/pages/lesson-page.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "gui/host/chooser.h"
#include "gui/parts/lesson-guide.h"
#include "lessons/lesson-check.h"
#include "lessons/lesson-capture.h"
#include "model/completion/completion.h"
#include "panels/lesson-editor.h"

#define EDITOR_WIDTH 300 /* pixels */

/* What is captured or edited. */
typedef struct {
  WeirLesson *lesson;
  GFile *file;      /* of the lesson; NULL until it is saved */
  WeirModel *model; /* as the lesson begins */
  WeirLessonCapture *capture;
  gboolean is_capturing, by_steps, is_modified;
  const WeirSession *session; /* whose beginning is captured; only compared */
  gboolean left_was_visible;
  guint serial; /* of the check under way */
} WeirLessonStudio;

struct _WeirLessonPage {
  WeirPage parent;
  WeirLessonEditor *panel;
  WeirLessonStudio *studio; /* NULL while nothing is */
};

G_DEFINE_FINAL_TYPE (WeirLessonPage, weir_lesson_page, WEIR_TYPE_PAGE)

static void
show_last_step (WeirLessonPage *self)
{
  weir_lesson_editor_choose (self->panel, self->studio->lesson->steps->len - 1);
  self->studio->is_modified = TRUE;
}

/* --- What the user does ---------------------------------------------------------------------- */

static gboolean
is_capturing (WeirLessonPage *self)
{
  return self->studio != NULL && self->studio->is_capturing;
}

static void
document_changed (WeirLessonPage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  g_autoptr (GError) error = NULL;
  gboolean is_running = session != NULL && weir_session_get_state (session) == WEIR_SESSION_RUNNING;

  if (!is_capturing (self))
    return;
  if (!weir_lesson_capture_note_model (self->studio->capture,
                                       weir_document_get_model (self->parent.document), is_running,
                                       &error))
    weir_lesson_editor_tell (self->panel, FALSE, weir_error_say (error));
  show_last_step (self);
}

static void
run_changed (WeirLessonPage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);

  if (!is_capturing (self) || session == NULL)
    return;
  if (session != self->studio->session)
    {
      self->studio->session = session;
      weir_lesson_capture_note_begin (self->studio->capture);
      show_last_step (self);
    }
  if (weir_session_is_settled (session)
      && weir_lesson_capture_note_settled (self->studio->capture, weir_session_get_layout (session),
                                           weir_session_get_snapshot (session),
                                           self->studio->by_steps))
    show_last_step (self);
}

/* Which button it was that makes the run go on. */
static void
run_asked_for (GAction *action, G_GNUC_UNUSED GVariant *value, WeirLessonPage *self)
{
  if (self->studio != NULL)
    self->studio->by_steps = strcmp (g_action_get_name (action), "step") == 0;
}

/* --- Adding to it ---------------------------------------------------------------------------- */

/* Those of the selected blocks and what is in them; without a selection those that the last step
 * changed. */
static void
expect (WeirLessonPage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  WeirLayout *layout = session != NULL ? weir_session_get_layout (session) : NULL;
  const WeirSnapshot *snapshot;
  guint n_selected;
  const guint32 *selected = weir_canvas_get_selected (self->parent.canvas, &n_selected);
  gboolean any = FALSE;

  if (session == NULL || !weir_session_is_settled (session) || n_selected == 0)
    {
      weir_lesson_editor_tell (self->panel, FALSE,
                               n_selected == 0
                                   ? _ ("Select the blocks whose counters are to be expected.")
                                   : _ ("Let the model run and pause first."));
      return;
    }
  snapshot = weir_session_get_snapshot (session);
  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      guint32 block = weir_cache_model_get_block (
          self->parent.cache, weir_layout_get_entry (layout, (WeirEntry) { e }).node);

      for (guint i = 0; i < n_selected; i++)
        if (block == selected[i])
          {
            weir_lesson_capture_expect (self->studio->capture, layout, snapshot, (WeirEntry) { e });
            any = TRUE;
          }
    }
  weir_lesson_editor_tell (self->panel, any,
                           any ? NULL : _ ("The selected blocks keep no values."));
  show_last_step (self);
}

/* Of the parameter that the step changes; of a step that changes none, time. */
static void
ask (WeirLessonPage *self)
{
  WeirLessonStep *step = self->studio->lesson->steps
                             ->pdata[weir_lesson_editor_get_chosen (self->panel)];
  g_autofree char *source = g_strdup ("time");

  for (guint i = 0; i < step->actions->len; i++)
    {
      const WeirLessonAction *action = &g_array_index (step->actions, WeirLessonAction, i);

      if (action->kind != WEIR_LESSON_SET)
        continue;
      g_free (source);
      source = g_strconcat (action->block, ".", action->parameter, NULL);
      break;
    }
  weir_lesson_step_set_asked (step, source);
  weir_lesson_editor_refresh (self->panel);
  self->studio->is_modified = TRUE;
}

static void
show_selected (WeirLessonPage *self)
{
  WeirLessonStep *step = self->studio->lesson->steps
                             ->pdata[weir_lesson_editor_get_chosen (self->panel)];
  guint n;
  const guint32 *selected = weir_canvas_get_selected (self->parent.canvas, &n);

  g_ptr_array_set_size (step->shown, 0);
  for (guint i = 0; i < n; i++)
    {
      char *path = weir_model_dup_block_path (weir_document_get_model (self->parent.document),
                                              selected[i]);

      if (path != NULL)
        g_ptr_array_add (step->shown, path);
    }
  weir_lesson_editor_refresh (self->panel);
  self->studio->is_modified = TRUE;
}

static void
add_step (WeirLessonPage *self)
{
  g_autofree char *title = g_strdup_printf (_ ("Step %u"), self->studio->lesson->steps->len + 1);

  weir_lesson_add_step (self->studio->lesson, title, "");
  show_last_step (self);
  weir_lesson_editor_focus_title (self->panel);
}

/* --- Checking -------------------------------------------------------------------------------- */

typedef struct {
  WeirLesson *lesson;
  WeirModel *model;
  WeirSimulatorOptions options;
  double stop_time;
  WeirDiagnostics *diagnostics;
  gboolean can_run;
  guint serial;
} Check;

static void
check_free (gpointer data)
{
  Check *check = data;

  weir_lesson_free (check->lesson);
  weir_model_unref (check->model);
  g_clear_pointer (&check->diagnostics, weir_diagnostics_unref);
  g_free (check);
}

static void
check_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                 G_GNUC_UNUSED GCancellable *cancellable)
{
  Check *check = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (WeirCompletion)
      completion = weir_model_get_derived (check->model, &weir_derived_completion);
  WeirSystem *system = weir_completion_get_system (completion);

  check->can_run = system != NULL;
  if (!check->can_run)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_main_context_push_thread_default (context); /* of the sessions it makes */
  weir_lesson_check (check->lesson, check->model, system, &check->options, check->stop_time,
                     check->diagnostics);
  g_main_context_pop_thread_default (context);
  g_task_return_boolean (task, TRUE);
}

static void
checked (GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirLessonPage *self = WEIR_LESSON_PAGE (object);
  Check *check = g_task_get_task_data (G_TASK (result));

  if (self->parent.host == NULL || self->studio == NULL || check->serial != self->studio->serial)
    return;
  weir_host_set_enabled (self->parent.host, "lesson-try", TRUE);
  if (!check->can_run)
    {
      weir_lesson_editor_tell (self->panel, FALSE, _ ("The model cannot run."));
      return;
    }
  weir_lesson_editor_tell (self->panel, TRUE, NULL);
  for (guint i = 0; i < weir_diagnostics_get_size (check->diagnostics); i++)
    {
      g_autofree char *sentence = weir_message_translate (
          weir_diagnostics_get (check->diagnostics, i)->message);

      weir_lesson_editor_tell_more (self->panel, FALSE, sentence);
    }
  if (weir_diagnostics_get_size (check->diagnostics) == 0)
    weir_lesson_editor_tell_more (self->panel, TRUE, _ ("Everything happens as the lesson says."));
}

static void
try_lesson (WeirLessonPage *self)
{
  WeirLessonStudio *studio = self->studio;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Check *check;

  studio->serial++;
  check = g_new0 (Check, 1);
  check->lesson = weir_lesson_copy (studio->lesson);
  check->model = weir_model_ref (studio->model);
  check->diagnostics = weir_diagnostics_new ();
  check->serial = studio->serial;
  if (!weir_runner_read_settings (self->parent.runner, &check->options, &check->stop_time, &error))
    {
      weir_lesson_editor_tell (self->panel, FALSE, weir_error_say (error));
      check_free (check);
      return;
    }
  weir_lesson_editor_tell (self->panel, TRUE, NULL);
  weir_host_set_enabled (self->parent.host, "lesson-try", FALSE);
  task = g_task_new (self, NULL, checked, NULL);
  g_task_set_task_data (task, check, check_free);
  g_task_run_in_thread (task, check_in_thread);
}

/* --- Saving ---------------------------------------------------------------------------------- */

void
weir_lesson_page_save (WeirLessonPage *self, GFile *file)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *told = NULL;

  g_return_if_fail (self->studio != NULL);

  name = model != NULL ? g_file_get_relative_path (folder, model) : NULL;
  if (name == NULL)
    {
      weir_lesson_editor_tell (self->panel, FALSE,
                               _ ("A lesson is saved beside its model, or in a folder above it."));
      return;
    }
  g_free (self->studio->lesson->model);
  self->studio->lesson->model = g_strdup (name);
  if (!weir_lesson_write_file (self->studio->lesson, file, &error))
    {
      weir_lesson_editor_tell (self->panel, FALSE, weir_error_say (error));
      return;
    }
  self->studio->is_modified = FALSE;
  g_set_object (&self->studio->file, file);
  g_free (name);
  name = g_file_get_basename (file);
  told = g_strdup_printf (_ ("Saved as “%s”"), name);
  weir_host_toast (self->parent.host, told);
  try_lesson (self); /* so that nobody is told what does not hold */
}

static void
save_to (gpointer data, GFile *file)
{
  WeirLessonPage *self = data;

  if (self->studio != NULL)
    weir_lesson_page_save (self, file);
}

/* The lesson's own file, or one named like the model beside it. */
static void
choose_lesson_file (WeirLessonPage *self)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autoptr (GFile) folder = model != NULL ? g_file_get_parent (model) : NULL;
  g_autofree char *name = model != NULL ? g_file_get_basename (model) : g_strdup ("lesson");
  g_autofree char *suggested = NULL;

  if (self->studio->file != NULL)
    {
      weir_lesson_page_save (self, self->studio->file);
      return;
    }
  if (g_str_has_suffix (name, ".weir"))
    name[strlen (name) - strlen (".weir")] = '\0';
  suggested = g_strconcat (name, ".lesson", NULL);
  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save Lesson"),
                                           .accept = _ ("_Save"),
                                           .folder = folder,
                                           .name = suggested },
                     save_to, self, NULL);
}

/* --- Beginning and ending -------------------------------------------------------------------- */

/* Parameters are again as the lesson begins, in one edit. */
static void
revert (WeirLessonPage *self)
{
  WeirModel *model = weir_document_get_model (self->parent.document);
  WeirAspects changed = weir_aspects_resolve (weir_model_compare (model, self->studio->model),
                                              model, self->studio->model);

  if ((changed & ~(WeirAspects) (WEIR_ASPECT_METADATA | WEIR_ASPECT_PLOTS))
      == WEIR_ASPECT_PARAMETERS)
    weir_lesson_revert_blocks (self->parent.document, self->studio->model,
                               _ ("End of the Capture"));
}

static void
studio_free (WeirLessonStudio *studio)
{
  weir_lesson_capture_free (studio->capture);
  weir_lesson_free (studio->lesson);
  weir_model_unref (studio->model);
  g_clear_object (&studio->file);
  g_free (studio);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLessonStudio, studio_free)

static void
update_actions (WeirLessonPage *self)
{
  static const char *const names[] = { "lesson-capturing", "lesson-new-step",    "lesson-expect",
                                       "lesson-ask",       "lesson-show",        "lesson-try",
                                       "lesson-save",      "lesson-editor-close" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    weir_host_set_enabled (self->parent.host, names[i], self->studio != NULL);
}

static void
set_capture (WeirLessonPage *self, gboolean on)
{
  if (on && !self->studio->is_capturing)
    {
      /* What was done meanwhile is not part of it: it goes on from a new run. */
      weir_runner_stop (self->parent.runner);
      g_clear_pointer (&self->studio->capture, weir_lesson_capture_free);
      self->studio->capture = weir_lesson_capture_new (
          self->studio->lesson, weir_document_get_model (self->parent.document));
      self->studio->session = weir_runner_get_session (self->parent.runner);
    }
  self->studio->is_capturing = on;
  weir_host_set_state (self->parent.host, "lesson-capturing", g_variant_new_boolean (on));
}

/* With the model as it is in its file. @lesson: (transfer full) */
static void
open_studio (WeirLessonPage *self, WeirLesson *lesson, GFile *file)
{
  weir_lesson_guide_close (weir_host_find (self->parent.host, WEIR_TYPE_LESSON_GUIDE));
  self->studio = g_new0 (WeirLessonStudio, 1);
  self->studio->lesson = lesson;
  self->studio->file = file != NULL ? g_object_ref (file) : NULL;
  self->studio->model = weir_model_ref (weir_document_get_model (self->parent.document));
  self->studio->capture = weir_lesson_capture_new (lesson, self->studio->model);
  self->studio->left_was_visible = gtk_widget_get_visible (
      weir_host_get_dock (self->parent.host, WEIR_DOCK_LEFT));
  weir_runner_set_caching (self->parent.runner, TRUE);
  update_actions (self);
  weir_page_set_available (&self->parent, TRUE);
  weir_host_set_perspective (self->parent.host, WEIR_PERSPECTIVE_CACHE);
  weir_host_show_page (self->parent.host, "lesson");
  weir_host_ask_room (self->parent.host, WEIR_DOCK_LEFT, EDITOR_WIDTH);
  weir_lesson_editor_set_lesson (self->panel, lesson);
}

static void
begin (WeirHost *host)
{
  WeirLessonPage *self = weir_host_find (host, WEIR_TYPE_LESSON_PAGE);
  GFile *file = weir_document_get_file (self->parent.document);
  g_autofree char *name = NULL, *title = NULL;
  WeirLesson *lesson;

  if (self->studio != NULL || file == NULL)
    return;
  name = g_file_get_basename (file);
  lesson = weir_lesson_new (_ ("New lesson"), name);
  title = g_strdup_printf (_ ("Step %u"), 1);
  weir_lesson_add_step (lesson, title, "");
  open_studio (self, lesson, NULL);
  set_capture (self, TRUE);
  weir_lesson_editor_focus_title (self->panel);
}

static void
capture_lesson (WeirLessonPage *self)
{
  if (self->studio != NULL)
    return;
  /* A lesson begins with its model as it is in its file. */
  weir_host_enter_typed (self->parent.host);
  if (weir_document_get_file (self->parent.document) == NULL
      || weir_document_get_modified (self->parent.document))
    weir_host_save (self->parent.host, begin);
  else
    begin (self->parent.host);
}

static void
edit (WeirHost *host, WeirLesson *lesson, GFile *file)
{
  open_studio (weir_host_find (host, WEIR_TYPE_LESSON_PAGE), lesson, file);
}

void
weir_lesson_page_edit (WeirLessonPage *self, GFile *file)
{
  weir_lesson_guide_open_with_model (self->parent.host, file, FALSE, edit);
}

static void
close_now (WeirLessonPage *self)
{
  g_autoptr (WeirLessonStudio) studio = self->studio;

  if (studio == NULL)
    return;
  set_capture (self, FALSE);
  revert (self);
  self->studio = NULL;
  update_actions (self);
  weir_lesson_editor_set_lesson (self->panel, NULL);
  weir_page_set_available (&self->parent, FALSE);
  weir_host_show_page (self->parent.host, "library");
  gtk_widget_set_visible (weir_host_get_dock (self->parent.host, WEIR_DOCK_LEFT),
                          studio->left_was_visible);
}

static void
discard_response (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response,
                  WeirLessonPage *self)
{
  if (self->studio == NULL)
    return;
  if (strcmp (response, "discard") == 0)
    close_now (self);
  else if (strcmp (response, "save") == 0)
    choose_lesson_file (self);
}

static void
ask_about_loss (WeirLessonPage *self, GCallback response)
{
  GtkWidget *dialog = weir_save_question_new (weir_host_get_toplevel (self->parent.host),
                                              _ ("Save the Lesson?"), _ ("_Discard"));

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               _ ("What was captured is lost if it is not saved."));
  g_signal_connect_object (dialog, "response", response, self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
has_unsaved (WeirPage *page)
{
  WeirLessonPage *self = WEIR_LESSON_PAGE (page);

  return self->studio != NULL && self->studio->is_modified;
}

static void
close_editor (WeirLessonPage *self)
{
  if (has_unsaved (&self->parent))
    ask_about_loss (self, G_CALLBACK (discard_response));
  else
    close_now (self);
}

/* The model may have changes too, about which the window asks next. */
static gboolean
go_on (gpointer page)
{
  if (WEIR_PAGE (page)->host != NULL)
    weir_host_loss_settled (WEIR_PAGE (page)->host);
  return G_SOURCE_REMOVE;
}

static void
loss_response (AdwMessageDialog *dialog, const char *response, WeirLessonPage *self)
{
  discard_response (dialog, response, self);
  if (strcmp (response, "discard") == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, go_on, g_object_ref (self), g_object_unref);
}

static void
ask_about_closing (WeirPage *page)
{
  ask_about_loss (WEIR_LESSON_PAGE (page), G_CALLBACK (loss_response));
}

/* --- Actions --------------------------------------------------------------------------------- */

#define ACTION(name, call)                                                                         \
  static void name (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,            \
                    gpointer data)                                                                 \
  {                                                                                                \
    call (data);                                                                                   \
  }

ACTION (on_capture, capture_lesson)
ACTION (on_new_step, add_step)
ACTION (on_expect, expect)
ACTION (on_ask, ask)
ACTION (on_show, show_selected)
ACTION (on_try, try_lesson)
ACTION (on_save, choose_lesson_file)
ACTION (on_close, close_editor)

static void
on_capturing (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  set_capture (data, g_variant_get_boolean (value));
}

/* The one that is led through. */
static void
on_edit (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirLessonPage *self = data;
  GFile *led = weir_lesson_guide_get_file (
      weir_host_find (self->parent.host, WEIR_TYPE_LESSON_GUIDE));
  g_autoptr (GFile) file = led != NULL ? g_object_ref (led) : NULL;

  if (file != NULL)
    weir_lesson_page_edit (self, file);
}

static const GActionEntry entries[] = {
  { .name = "lesson-edit", .activate = on_edit },
  { .name = "lesson-capture", .activate = on_capture },
  { .name = "lesson-capturing", .state = "false", .change_state = on_capturing },
  { .name = "lesson-new-step", .activate = on_new_step },
  { .name = "lesson-expect", .activate = on_expect },
  { .name = "lesson-ask", .activate = on_ask },
  { .name = "lesson-show", .activate = on_show },
  { .name = "lesson-try", .activate = on_try },
  { .name = "lesson-save", .activate = on_save },
  { .name = "lesson-editor-close", .activate = on_close },
};

static void
lesson_edited (WeirLessonPage *self)
{
  if (self->studio != NULL)
    self->studio->is_modified = TRUE;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const char *const runs[] = { "run", "step" };
  WeirLessonPage *self = WEIR_LESSON_PAGE (object);
  WeirPage *page = &self->parent;

  G_OBJECT_CLASS (weir_lesson_page_parent_class)->constructed (object);
  weir_page_add_actions (page, entries, G_N_ELEMENTS (entries));
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    g_signal_connect_object (
        g_action_map_lookup_action (weir_host_get_actions (page->host), runs[i]), "activate",
        G_CALLBACK (run_asked_for), self, 0);
  g_signal_connect_object (page->document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->runner, "state-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
  weir_page_set_available (page, FALSE);
  weir_host_set_enabled (page->host, "lesson-edit", FALSE);
  update_actions (self);
}

static void
dispose (GObject *object)
{
  WeirLessonPage *self = WEIR_LESSON_PAGE (object);

  g_clear_pointer (&self->studio, studio_free);
  G_OBJECT_CLASS (weir_lesson_page_parent_class)->dispose (object);
}

/* One that is given by its name, dropped or named by the help is walked through. */
static gboolean
open_lesson (WeirPage *page, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (name == NULL || !g_str_has_suffix (name, ".lesson"))
    return FALSE;
  weir_lesson_guide_open (page->host, file);
  return TRUE;
}

static void
weir_lesson_page_class_init (WeirLessonPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  WEIR_PAGE_CLASS (klass)->open = open_lesson;
  WEIR_PAGE_CLASS (klass)->has_unsaved = has_unsaved;
  WEIR_PAGE_CLASS (klass)->ask_about_loss = ask_about_closing;
  g_type_ensure (WEIR_TYPE_LESSON_EDITOR);
  weir_set_template (klass, "lesson-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirLessonPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, lesson_edited);
}

static void
weir_lesson_page_init (WeirLessonPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
