/* Derived results: a short list on each model, behind one lock. See derived.h.
 *
 * Making happens outside the lock, so that a long completion keeps nobody waiting who asks for
 * something else; who asks for the same waits for it.
 */
#include "model/tree/derived.h"

#include <gio/gio.h>

#include "base/sync.h"
#include "model/tree/model-private.h"

/* In the order in which they were published. */
struct _WeirDerived {
  WeirDerivedKind *kind;
  gpointer result;
  WeirDerived *next;
};

/* A result that is being made: who asks for it meanwhile waits. On the stack of the thread that
 * makes it. */
typedef struct _Making Making;
struct _Making {
  const WeirModel *model;
  const WeirDerivedKind *kind;
  Making *next;
};

static GMutex mutex; /* of the lists of all models, and of what is being made */
static GCond made;
static Making *makings;

static gpointer
find (const WeirModel *model, const WeirDerivedKind *kind)
{
  for (const WeirDerived *derived = model->derived; derived != NULL; derived = derived->next)
    if (derived->kind == kind)
      return derived->result;
  return NULL;
}

static void
add (WeirModel *model, WeirDerivedKind *kind, gpointer result)
{
  WeirDerived *derived = g_new (WeirDerived, 1);

  *derived = (WeirDerived) { kind, kind->ref (result), model->derived };
  model->derived = derived;
}

static gboolean
is_being_made (const WeirModel *model, const WeirDerivedKind *kind)
{
  for (const Making *making = makings; making != NULL; making = making->next)
    if (making->model == model && making->kind == kind)
      return TRUE;
  return FALSE;
}

static void
end_making (const Making *ended)
{
  Making **at = &makings;

  while (*at != ended)
    at = &(*at)->next;
  *at = ended->next;
}

gpointer
weir_model_peek_derived (WeirModel *model, WeirDerivedKind *kind, gpointer fallback)
{
  gpointer result;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (kind != NULL, NULL);

  weir_sync_lock (&mutex);
  result = find (model, kind);
  if (result != NULL)
    kind->ref (result);
  weir_sync_unlock (&mutex);
  return result != NULL ? result : fallback;
}

gpointer
weir_model_get_derived (WeirModel *model, WeirDerivedKind *kind)
{
  Making making = { model, kind, NULL };
  gpointer result, first;

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (kind != NULL, NULL);

  weir_sync_lock (&mutex);
  while ((result = find (model, kind)) == NULL && is_being_made (model, kind))
    weir_sync_wait (&made, &mutex);
  if (result != NULL)
    {
      kind->ref (result);
      weir_sync_unlock (&mutex);
      return result;
    }
  making.next = makings;
  makings = &making;
  weir_sync_unlock (&mutex);

  result = kind->make (model);
  g_atomic_int_inc (&kind->n_made);

  weir_sync_lock (&mutex);
  end_making (&making);
  first = find (model, kind); /* handed on meanwhile from a model like this */
  if (first == NULL)
    add (model, kind, result);
  else
    kind->ref (first);
  g_cond_broadcast (&made);
  weir_sync_unlock (&mutex);
  if (first == NULL)
    return result;
  kind->unref (result);
  return first;
}

/* What @model had, which has nothing any more. */
static WeirDerived *
take (WeirModel *model)
{
  WeirDerived *derived;

  weir_sync_lock (&mutex);
  derived = model->derived;
  model->derived = NULL;
  weir_sync_unlock (&mutex);
  return derived;
}

static void
free_list (gpointer data)
{
  WeirDerived *derived = data;

  while (derived != NULL)
    {
      WeirDerived *next = derived->next;

      derived->kind->unref (derived->result);
      g_free (derived);
      derived = next;
    }
}

void
weir_model_drop_derived (WeirModel *model)
{
  g_return_if_fail (model != NULL);

  free_list (take (model));
}

static void
free_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer list,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  weir_sync_acquire (list);
  free_list (list);
  g_task_return_boolean (task, TRUE);
}

void
weir_model_drop_derived_aside (WeirModel *model)
{
  WeirDerived *list;
  GTask *task;

  g_return_if_fail (model != NULL);

  list = take (model);
  if (list == NULL)
    return;
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, list, NULL);
  weir_sync_release (list);
  g_task_run_in_thread (task, free_in_thread);
  g_object_unref (task);
}

void
weir_model_hand_on_derived (WeirModel *from, WeirModel *to, WeirAspects aspects)
{
  weir_sync_lock (&mutex);
  for (const WeirDerived *derived = from->derived; derived != NULL; derived = derived->next)
    if ((aspects & ~derived->kind->survives) == 0 && find (to, derived->kind) == NULL)
      add (to, derived->kind, derived->result);
  weir_sync_unlock (&mutex);
}
