/* What is looked for, as a run sees it: moving the starts, and evaluation with the loops open. See
 * loop.h. */
#include "system/evaluation/loop.h"

#include <math.h>
#include <string.h>

#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"
#include "system/structure/shape-private.h"

guint
weir_layout_get_n_loops (const WeirLayout *self)
{
  return self->loops->len;
}

guint
weir_layout_get_n_starts (const WeirLayout *self)
{
  return self->starts->len;
}

WeirStatus
weir_context_move_starts (WeirSystem *root, WeirContext *context)
{
  const GArray *starts = context->layout->starts;

  /* All is found before any start moves: a move puts what lies downstream out of date. */
  for (guint i = 0; i < starts->len; i++)
    if (weir_eval_entry (root, context, (WeirEntry) { g_array_index (starts, WeirStart, i).entry })
        == NULL)
      return WEIR_FAILED;
  weir_context_begin_change (context);
  for (guint i = 0; i < starts->len; i++)
    {
      const WeirStart *start = &g_array_index (starts, WeirStart, i);
      const double *z = context->arena + context->layout->value_offset[start->entry];
      gsize size = weir_layout_decl (context->layout, start->entry)->size * sizeof *z;
      WeirGroup group = { (guint16) start->group };

      if (memcmp (z, weir_context_get_discrete (context, (WeirNode) { start->node }, group), size)
          != 0)
        weir_context_set_discrete (context, (WeirNode) { start->node }, group, z);
    }
  weir_context_end_change (context);
  return WEIR_OK;
}

guint
weir_layout_get_n_loop_unknowns (const WeirLayout *self)
{
  guint n = 0;

  for (guint i = 0; i < self->loops->len; i++)
    n += weir_layout_decl (self, g_array_index (self->loops, WeirLoop, i).entry)->size;
  return n;
}

void
weir_context_get_loop_starts (const WeirContext *context, double *z)
{
  const GArray *loops = context->layout->loops;
  WeirGroup group = { 0 };

  for (guint i = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);
      guint32 size = weir_layout_decl (context->layout, loop->entry)->size;

      memcpy (z, weir_context_get_discrete (context, (WeirNode) { loop->node }, group),
              size * sizeof *z);
      z += size;
    }
}

/* An event at time, state and the starts of all loops, so that whatever follows from their
 * solutions is out of date. */
static void
note_all (WeirContext *context, double time)
{
  const GArray *loops = context->layout->loops;

  context->now = time;
  weir_context_note (context, (WeirSource) { WEIR_SOURCE_TIME_STATE });
  for (guint i = 0; i < loops->len; i++)
    weir_context_note (context, weir_layout_group_source (
                                    context->layout, g_array_index (loops, WeirLoop, i).node, 0));
}

/* r = u - z of one loop. */
static WeirStatus
calc_residual (const WeirEvaluator *evaluator, WeirContext *context, const WeirLoop *loop,
               const double *z, double *r)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape = layout->nodes[loop->node].shape;

  for (guint i = 0; i < shape->inputs->len; i++)
    {
      WeirOrigin origin = weir_context_trace (context, loop->node, i);
      const double *u;

      if (origin.kind == WEIR_ORIGIN_ENTRY
          && weir_evaluator_request (evaluator, context, origin.index, NULL) != WEIR_OK)
        return WEIR_FAILED;
      u = weir_context_resolve (context, weir_layout_address (layout, origin));
      for (guint32 k = 0; k < weir_shape_input (shape, i)->size; k++, r++, z++)
        {
          *r = *u++ - *z;
          if (!isfinite (*r))
            return WEIR_FAILED;
        }
    }
  return WEIR_OK;
}

WeirStatus
weir_eval_open_loops (WeirSystem *root, WeirContext *context, double time, const double *x,
                      const double *z, double *xdot, double *r)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  const WeirLayout *layout = context->layout;
  const GArray *loops = layout->loops;
  WeirStatus status = WEIR_OK;

  if (loops->len == 0)
    return weir_eval_rhs (root, context, time, x, xdot);
  if (evaluator->derivatives == WEIR_NO_INDEX)
    return WEIR_OK;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_FROZEN)))
    {
      weir_context_set_failure (context, "the context is frozen: no trial state can be tried");
      return WEIR_FAILED;
    }
  context->x = x;
  note_all (context, time);
  weir_context_begin_request (context);
  for (guint i = 0, at = 0; i < loops->len; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);
      guint32 size = weir_layout_decl (layout, loop->entry)->size;

      memcpy (context->arena + layout->value_offset[loop->entry], z + at, size * sizeof *z);
      weir_bit_clear (context->stale, loop->entry);
      at += size;
    }
  status = weir_evaluator_request (evaluator, context, evaluator->derivatives, evaluator->plan);
  for (guint i = 0, at = 0; i < loops->len && status == WEIR_OK; i++)
    {
      const WeirLoop *loop = &g_array_index (loops, WeirLoop, i);

      status = calc_residual (evaluator, context, loop, z + at, r + at);
      at += weir_layout_decl (layout, loop->entry)->size;
    }
  if (status == WEIR_OK)
    memcpy (xdot, context->arena + layout->arena.xdot, layout->n_states * sizeof *xdot);
  for (guint32 i = 0; i < layout->n_states && status == WEIR_OK; i++)
    if (!isfinite (xdot[i]))
      {
        weir_context_set_failure (context, "the derivatives are not finite");
        status = WEIR_FAILED;
      }
  context->x = context->arena + layout->arena.state;
  note_all (context, context->arena[WEIR_ARENA_TIME]);
  return status;
}
