/* A quick quiz on whatever model is open: what would a change reach? A lesson of questions made up
 * on the spot, about parameters that something depends on, and time; who is right is judged as in
 * any lesson (lesson-page.c).
 */
#include <glib/gi18n-lib.h>

#include "blocks/library/registry.h"
#include "gui/parts/lesson-guide.h"
#include "model/completion/completion.h"

#define N_QUESTIONS 5

G_DECLARE_FINAL_TYPE (WeirQuiz, weir_quiz, WEIR, QUIZ, WeirPart)

struct _WeirQuiz {
  WeirPart parent;
};

G_DEFINE_FINAL_TYPE (WeirQuiz, weir_quiz, WEIR_TYPE_PART)

typedef struct {
  WeirModel *model;
  WeirExplainer *explainer;
  GPtrArray *sources; /* "Gain.gain" */
} Collecting;

/* What a person can change, and something depends on. */
static gboolean
collect_sources (WeirBlock *block, gpointer data)
{
  Collecting *c = data;
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_autofree char *path = weir_model_dup_block_path (c->model, weir_block_get_id (block));

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      const char *leaf;
      g_autofree char *source = NULL;
      g_autoptr (GArray) steps = NULL;
      guint32 tracker;

      if (!weir_model_is_tunable (block, type->parameters[i].name, &leaf))
        continue;
      source = g_strconcat (path, ".", leaf, NULL);
      if (!weir_explainer_find (c->explainer, source, &tracker, NULL))
        continue;
      steps = weir_explain_downstream (c->explainer, tracker, NULL);
      if (steps->len > 1)
        g_ptr_array_add (c->sources, g_steal_pointer (&source));
    }
  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), collect_sources, c);
  return TRUE;
}

static void
ask (gpointer data)
{
  WeirQuiz *self = data;
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WeirLesson) lesson = weir_lesson_new (_ ("Quiz"), "");
  WeirModel *model = weir_document_get_model (self->parent.document);
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
  Collecting collecting = { model, explainer, sources };

  if (self->parent.host == NULL)
    return;
  if (explainer == NULL)
    {
      weir_host_toast (self->parent.host, _ ("The model is not complete yet; see Problems."));
      return;
    }
  weir_diagram_foreach_block (weir_model_get_root (model), collect_sources, &collecting);
  g_ptr_array_add (sources, g_strdup ("time"));
  for (guint i = 0; i < N_QUESTIONS && sources->len > 0; i++)
    {
      g_autofree char *source = g_ptr_array_steal_index_fast (
          sources, (guint) g_random_int_range (0, (gint) sources->len));
      g_autofree char *title = g_strdup_printf (_ ("Question %u"), i + 1);
      WeirLessonStep *step = weir_lesson_add_step (
          lesson, title,
          _ ("A change tells whatever declares to depend on it, and what depends on that. Follow "
             "the wires: what holds a state stops it."));

      weir_lesson_step_set_asked (step, source);
    }
  weir_lesson_guide_lead (weir_host_find (self->parent.host, WEIR_TYPE_LESSON_GUIDE),
                          g_steal_pointer (&lesson), NULL);
}

static void
quiz (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirQuiz *self = data;

  weir_document_when_completed (self->parent.document, ask, self);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "quiz", .activate = quiz };

  G_OBJECT_CLASS (weir_quiz_parent_class)->constructed (object);
  weir_part_add_actions (WEIR_PART (object), &entry, 1);
}

static void
weir_quiz_class_init (WeirQuizClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
}

static void
weir_quiz_init (G_GNUC_UNUSED WeirQuiz *self)
{
}
