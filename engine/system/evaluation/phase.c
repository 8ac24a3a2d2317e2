/* Which leaves with phases are upstream of what, and asking them. See phase.h.
 *
 * Entries are numbered in an order of evaluation, so one descending pass over what each reads finds
 * all that is upstream. A leaf counts as a whole: which of its values repeat themselves it does not
 * say.
 */
#include "system/evaluation/phase.h"

#include "system/evaluation/evaluator-private.h"
#include "system/evaluation/event.h"

struct _WeirPhases {
  WeirSystem *root; /* borrowed */
  guint n;          /* phases */
  GArray *nodes;    /* guint32 */
};

static void
mark_inputs (const WeirLayout *layout, guint32 node, guint8 *is_upstream)
{
  const WeirNodeInfo *info = &layout->nodes[node];

  for (guint32 i = 0; i < info->shape->inputs->len; i++)
    {
      WeirOrigin origin = layout->inputs[info->first_input + i];

      if (origin.kind == WEIR_ORIGIN_ENTRY)
        is_upstream[origin.index] = TRUE;
    }
}

static void
mark_ends (WeirSystem *root, WeirPhaseUse use, guint8 *is_upstream)
{
  const WeirLayout *layout = weir_system_get_layout (root);

  for (guint i = 0; i < weir_system_get_n_events (root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (root, i);

      if (use == WEIR_PHASES_OF_WITNESSES && event.trigger == WEIR_TRIGGER_CROSSING)
        is_upstream[event.witness.i] = TRUE;
      /* What happens at steps sees the inputs there and nowhere else. */
      if (use == WEIR_PHASES_OF_STEPS
          && (event.trigger == WEIR_TRIGGER_SIDES || event.trigger == WEIR_TRIGGER_PER_STEP)
          && event.action != WEIR_ACTION_PUBLISH)
        mark_inputs (layout, event.node.i, is_upstream);
    }
  for (guint32 e = 0; use == WEIR_PHASES_OF_STEPS && e < layout->n_entries; e++)
    is_upstream[e] |= weir_layout_decl (layout, e)->kind == WEIR_ENTRY_DERIVATIVES;
}

static gboolean
has_any (const WeirLayout *layout)
{
  guint32 n = 0;

  while (n < layout->n_nodes && layout->nodes[n].shape->n_phases == 0)
    n++;
  return n < layout->n_nodes;
}

WeirPhases *
weir_phases_new (WeirSystem *root, WeirPhaseUse use)
{
  const WeirLayout *layout = weir_system_get_layout (root);
  g_autofree guint8 *is_upstream = NULL;
  g_autofree guint8 *is_listed = NULL;
  WeirPhases *self;

  if (!has_any (layout))
    return NULL;
  is_upstream = g_new0 (guint8, layout->n_entries + 1);
  is_listed = g_new0 (guint8, layout->n_nodes);
  self = g_new0 (WeirPhases, 1);
  self->root = root;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  mark_ends (root, use, is_upstream);
  for (guint32 e = layout->n_entries; e-- > 0;)
    {
      guint32 node = layout->node_of[e];

      if (!is_upstream[e])
        continue;
      for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
        is_upstream[layout->ups[k]] = TRUE;
      if (layout->nodes[node].shape->n_phases > 0 && !is_listed[node])
        {
          g_array_append_val (self->nodes, node);
          self->n += layout->nodes[node].shape->n_phases;
          is_listed[node] = TRUE;
        }
    }
  if (self->n == 0)
    g_clear_pointer (&self, weir_phases_free);
  return self;
}

void
weir_phases_free (WeirPhases *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->nodes);
  g_free (self);
}

guint
weir_phases_get_n (const WeirPhases *self)
{
  return self->n;
}

const guint32 *
weir_phases_get_nodes (const WeirPhases *self, guint *n_nodes)
{
  *n_nodes = self->nodes->len;
  return (const guint32 *) (gpointer) self->nodes->data;
}

gboolean
weir_phases_calc_at (const WeirPhases *self, WeirContext *context, double time, const double *x,
                     double *phases)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (self->root, context);
  gboolean ok = evaluator != NULL && !weir_context_is (context, WEIR_MODE_FROZEN);

  if (!ok)
    return FALSE;
  weir_context_begin_trial (context, time, x);
  for (guint i = 0; i < self->nodes->len && ok; i++)
    {
      guint32 node = g_array_index (self->nodes, guint32, i);
      WeirCalc calc = weir_calc_of (evaluator, context, node);

      weir_context_begin_request (context);
      ok = evaluator->systems[node]->phases (&calc, phases) == WEIR_OK && !calc.has_failed;
      phases += calc.node->shape->n_phases;
    }
  weir_context_end_trial (context);
  return ok;
}
