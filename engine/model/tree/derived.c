/* Derived results: a short list on each model, behind one lock. See derived.h.
 *
 * Making happens outside the lock, so that a long completion keeps nobody waiting who asks for
 * something else.
 */
#include "model/tree/derived.h"

#include "base/sync.h"
#include "model/tree/model-private.h"

/* In the order in which they were published. */
struct _WeirDerived {
  WeirDerivedKind *kind;
  gpointer result;
  WeirDerived *next;
};

static GMutex mutex; /* of the lists of all models */

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
  gpointer result = weir_model_peek_derived (model, kind, NULL);
  gpointer made, first;

  if (result != NULL)
    return result;
  made = kind->make (model);
  g_atomic_int_inc (&kind->n_made);
  weir_sync_lock (&mutex);
  first = find (model, kind);
  if (first == NULL)
    add (model, kind, made);
  else
    kind->ref (first);
  weir_sync_unlock (&mutex);
  if (first == NULL)
    return made;
  kind->unref (made); /* another thread was first */
  return first;
}

void
weir_model_drop_derived (WeirModel *model)
{
  WeirDerived *derived;

  g_return_if_fail (model != NULL);

  weir_sync_lock (&mutex);
  derived = model->derived;
  model->derived = NULL;
  weir_sync_unlock (&mutex);
  while (derived != NULL)
    {
      WeirDerived *next = derived->next;

      derived->kind->unref (derived->result);
      g_free (derived);
      derived = next;
    }
}

void
weir_model_inherit_derived (WeirModel *to, WeirModel *from, WeirAspects aspects)
{
  weir_sync_lock (&mutex);
  for (const WeirDerived *derived = from->derived; derived != NULL; derived = derived->next)
    if ((aspects & ~derived->kind->survives) == 0)
      add (to, derived->kind, derived->result);
  weir_sync_unlock (&mutex);
}
