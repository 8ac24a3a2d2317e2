/* Requests from outside. See eval.h. */
#include "system/evaluation/eval.h"

#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/text.h"
#include "system/observation/observation-private.h"
#include "system/evaluation/event.h"
#include "system/evaluation/evaluator-private.h"

/* --- A context and the system it is used with ------------------------------------------------ */

static gboolean
same_fingerprint (const WeirShape *a, const WeirShape *b)
{
  return a->fingerprint.low == b->fingerprint.low && a->fingerprint.high == b->fingerprint.high;
}

/* The block of a tree that is built like @shape; NULL if none is. (transfer full) */
static char *
find_block (const WeirLayout *layout, const WeirShape *shape)
{
  for (guint32 n = 1; n < layout->n_nodes; n++)
    if (same_fingerprint (layout->nodes[n].shape, shape))
      return weir_layout_dup_path (layout, (WeirNode) { n });
  return NULL;
}

/* People mix up the whole and its parts more than anything else, so that is looked for first. */
static void
explain_misfit (const WeirLayout *system, WeirContext *context)
{
  const WeirLayout *own = context->layout;
  g_autofree char *part = find_block (own, system->shape);
  g_autofree char *whole = find_block (system, own->shape);

  if (part != NULL)
    weir_context_set_failure (context,
                              "the context is of a whole %s, of which this %s is the block "
                              "\"%s\": evaluate with the whole and name the block",
                              own->shape->kind, system->shape->kind, part);
  else if (whole != NULL)
    weir_context_set_failure (context,
                              "the context is of a %s alone, which is the block \"%s\" of this "
                              "%s: evaluate with a context of the whole",
                              own->shape->kind, whole, system->shape->kind);
  else
    weir_context_set_failure (context,
                              "the context belongs to another system (%s with %u entries and %u "
                              "states) and does not fit this %s with %u entries and %u states",
                              own->shape->kind, own->n_entries, own->n_states, system->shape->kind,
                              system->n_entries, system->n_states);
}

/* Lets an equal system take over a context. What another code has computed is not trusted. */
static gboolean
adopt (const WeirEvaluator *evaluator, WeirContext *context)
{
  gboolean same_code = weir_context_get_code (context) == evaluator->code_id;
  WeirLayout *old = context->layout;

  if (weir_context_is (context, WEIR_MODE_FROZEN))
    {
      if (!same_code)
        weir_context_set_failure (context,
                                  "the context is frozen, and this %s calculates differently",
                                  evaluator->layout->shape->kind);
      return same_code;
    }
  if (!same_code)
    weir_context_set_all_out_of_date (context);
  g_clear_pointer (&context->streams, g_free); /* another evaluator's plan */
  g_clear_pointer (&context->gathered, g_free);
  context->streams_x = NULL;
  context->state_span = context->time_state_span = (WeirMaskSpan) { NULL };
  weir_context_set_code (context, evaluator->code_id);
  context->layout = weir_layout_ref (evaluator->layout);
  weir_layout_unref (old);
  return TRUE;
}

/* The evaluator of @root if @context fits it: the fingerprint decides, not identity. */
const WeirEvaluator *
weir_system_get_fitting_evaluator (WeirSystem *root, WeirContext *context)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);

  if (G_UNLIKELY (weir_context_is (context, WEIR_MODES_BUSY)))
    {
      if (weir_context_is (context, WEIR_MODE_CHANGING))
        weir_context_set_failure (context, "the context is being changed; end the change first");
      else
        weir_context_fail_within (context, N_ ("evaluates"));
      return NULL;
    }
  if (G_LIKELY (evaluator->layout == context->layout))
    return evaluator;
  if (!same_fingerprint (evaluator->layout->shape, context->layout->shape))
    {
      explain_misfit (evaluator->layout, context);
      return NULL;
    }
  return adopt (evaluator, context) ? evaluator : NULL;
}

static void
explain_no_port (WeirContext *context, WeirNode node, gboolean is_input, guint i, guint n)
{
  const WeirShape *shape = context->layout->nodes[node.i].shape;
  g_autofree char *path = weir_layout_dup_path (context->layout, node);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint k = 0; k < n; k++)
    g_string_append_printf (names, "%s%s", k > 0 ? ", " : ": ",
                            is_input ? weir_shape_input (shape, k)->name
                                     : weir_shape_output (shape, k)->name);
  if (is_input)
    weir_context_set_failure (context, "%s has no input %u; it has %u%s",
                              *path != '\0' ? path : weir_phrase (N_ ("the root")), i, n,
                              names->str);
  else
    weir_context_set_failure (context, "%s has no output %u; it has %u%s",
                              *path != '\0' ? path : weir_phrase (N_ ("the root")), i, n,
                              names->str);
}

/* Words where there are numbers, or an abstract value where that is asked for. */
static gboolean
check_kind (WeirContext *context, const char *path, const GVariantType *type, gboolean is_abstract)
{
  if (G_LIKELY ((type != NULL) == is_abstract))
    return TRUE;
  if (is_abstract)
    weir_context_set_failure (context, "%s holds numbers, but an abstract value is asked for",
                              path);
  else
    weir_context_set_failure (context, "%s holds an abstract value, but numbers are asked for",
                              path);
  return FALSE;
}

static gboolean
check_node (WeirContext *context, WeirNode node)
{
  const WeirLayout *layout = context->layout;

  if (G_LIKELY (node.i < layout->n_nodes))
    return TRUE;
  weir_context_set_failure (context, "there is no block %u in this %s of %u", node.i,
                            layout->shape->kind, layout->n_nodes);
  return FALSE;
}

/* A port that does not exist, or holds another kind of value, is a mistake that the compiler cannot
 * see. */
static gboolean
check_port (WeirContext *context, WeirNode node, gboolean is_input, guint i, gboolean is_abstract)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape;
  const GVariantType *type;
  g_autoptr (WeirMessage) port = NULL;
  g_autofree char *path = NULL;
  guint n;

  if (!check_node (context, node))
    return FALSE;
  shape = layout->nodes[node.i].shape;
  n = is_input ? shape->inputs->len : shape->outputs->len;
  if (G_UNLIKELY (i >= n))
    {
      explain_no_port (context, node, is_input, i, n);
      return FALSE;
    }
  type = is_input ? weir_shape_input (shape, i)->type : weir_shape_output (shape, i)->type;
  if (G_LIKELY ((type != NULL) == is_abstract))
    return TRUE;
  path = weir_layout_dup_path (layout, node);
  port = weir_message_new (is_input ? N_ ("input \"%s\" of %s") : N_ ("output \"%s\" of %s"),
                           is_input ? weir_shape_input (shape, i)->name
                                    : weir_shape_output (shape, i)->name,
                           *path != '\0' ? path : weir_phrase (N_ ("the root")));
  return check_kind (context, weir_message_get_text (port), type, is_abstract);
}

WeirContext *
weir_system_create_context (WeirSystem *self)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (self);
  WeirContext *context = weir_context_new (evaluator->layout);

  weir_context_set_code (context, evaluator->code_id);
  return context;
}

/* --- Entries and ports ----------------------------------------------------------------------- */

static gboolean
check_entry (WeirContext *context, WeirEntry entry, gboolean is_abstract)
{
  const GVariantType *type;
  g_autofree char *path = NULL;

  if (G_UNLIKELY (entry.i >= context->layout->n_entries))
    {
      weir_context_set_failure (context, "there is no entry %u; there are %u", entry.i,
                                context->layout->n_entries);
      return FALSE;
    }
  type = weir_layout_decl (context->layout, entry.i)->type;
  if (G_LIKELY ((type != NULL) == is_abstract))
    return TRUE;
  path = weir_layout_dup_entry_path (context->layout, entry);
  return check_kind (context, path, type, is_abstract);
}

static G_GNUC_NO_INLINE const double *
eval_entry_in_full (WeirSystem *root, WeirContext *context, WeirEntry entry, gboolean is_abstract)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);

  if (evaluator == NULL || !check_entry (context, entry, is_abstract))
    return NULL;
  weir_context_begin_request (context);
  if (weir_evaluator_request (evaluator, context, entry.i, NULL) != WEIR_OK)
    return NULL;
  return context->arena + context->layout->value_offset[entry.i];
}

/* Calls the kernel for @entry alone, whose reads are up to date, into @out, its place. */
static inline void
call_alone (const WeirEvaluator *evaluator, WeirContext *context, const WeirStep *step,
            guint32 entry, double *out)
{
  if (G_LIKELY (entry == step->first && !step->is_gathered && context->streams_x == context->x))
    step->kernel (context->streams + step->operand, step->n_operands, step->variant, out,
                  step->out_stride, 1);
  else
    weir_evaluator_call_single (evaluator, context, step, entry);
}

/* Does a kernel serve the entry, and is all that it reads up to date? */
static inline gboolean
is_alone (const WeirEvaluator *evaluator, const WeirContext *context, guint32 entry)
{
  const WeirLayout *layout = context->layout;

  if (G_UNLIKELY (evaluator->steps[layout->segment_of[entry]].kernel == NULL))
    return FALSE;
  for (guint32 k = layout->up_first[entry]; k < layout->up_first[entry + 1]; k++)
    if (weir_bit (context->stale, layout->ups[k]))
      return FALSE;
  return TRUE;
}

/* Of such an entry that is out of date. Kernels do not fail, and look at no flag: what is counted
 * first need not be kept for later. A function of its own, so that what comes before it needs no
 * register of its caller's. */
static G_GNUC_NO_INLINE const double *
eval_alone (const WeirEvaluator *evaluator, WeirContext *context, guint32 entry)
{
  const WeirLayout *layout = context->layout;
  double *value = context->arena + layout->value_offset[entry];

  context->calc_steps[entry]++;
  context->calc_steps[entry + 1]--;
  weir_bit_clear (context->stale, entry);
  weir_context_count_untimed (context);
  context->reads[entry]++;
  call_alone (evaluator, context, &evaluator->steps[layout->segment_of[entry]], entry, value);
  return value;
}

/* Where nothing about the context is unusual. */
static G_GNUC_NO_INLINE const double *
eval_stale_entry (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);

  return is_alone (evaluator, context, entry.i) ? eval_alone (evaluator, context, entry.i)
                                                : eval_entry_in_full (root, context, entry, FALSE);
}

static G_GNUC_NO_INLINE const double *
eval_unusual_entry (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);
  const WeirLayout *layout = context->layout;

  if (evaluator == NULL || evaluator->layout != layout || entry.i >= layout->n_plain_entries
      || weir_context_is (context, WEIR_MODES_OF_FULL_REQUESTS))
    return eval_entry_in_full (root, context, entry, FALSE);
  if (weir_bit (context->stale, entry.i) && !is_alone (evaluator, context, entry.i))
    return eval_entry_in_full (root, context, entry, FALSE);
  weir_log_ring_note_request (context, entry.i, FALSE);
  if (weir_bit (context->stale, entry.i))
    return eval_alone (evaluator, context, entry.i);
  weir_context_count_untimed (context);
  context->reads[entry.i]++;
  return context->arena + layout->value_offset[entry.i];
}

/* What is up to date is answered here, by a function that needs no register of its caller's. */
const double *
weir_eval_entry (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);
  const WeirLayout *layout = context->layout;

  if (G_UNLIKELY (evaluator == NULL || evaluator->layout != layout
                  || entry.i >= layout->n_plain_entries
                  || weir_context_is (context, WEIR_MODES_OF_FULL_REQUESTS | WEIR_MODE_LOGGED)))
    return eval_unusual_entry (root, context, entry);
  if (weir_bit (context->stale, entry.i))
    return eval_stale_entry (root, context, entry);
  weir_context_count_untimed (context);
  context->reads[entry.i]++;
  return context->arena + layout->value_offset[entry.i];
}

const double *
weir_evaluator_eval_origin (const WeirEvaluator *evaluator, WeirContext *context, WeirOrigin origin)
{
  weir_context_begin_request (context);
  if (origin.kind == WEIR_ORIGIN_ENTRY
      && weir_evaluator_request (evaluator, context, origin.index, NULL) != WEIR_OK)
    return NULL;
  if (!weir_context_has_value (context, origin))
    {
      weir_context_fail_without_value (context, origin.node, origin.index);
      return NULL;
    }
  return weir_context_resolve (context, weir_layout_address (context->layout, origin));
}

static const double *
eval_output (WeirSystem *root, WeirContext *context, WeirNode node, WeirOutput out,
             gboolean is_abstract)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);

  if (evaluator == NULL || !check_port (context, node, FALSE, out.i, is_abstract))
    return NULL;
  return weir_evaluator_eval_origin (
      evaluator, context,
      context->layout->outputs[context->layout->nodes[node.i].first_output + out.i]);
}

static const double *
eval_input (WeirSystem *root, WeirContext *context, WeirNode node, WeirInput in,
            gboolean is_abstract)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);

  if (evaluator == NULL || !check_port (context, node, TRUE, in.i, is_abstract))
    return NULL;
  return weir_evaluator_eval_origin (evaluator, context,
                                     weir_context_trace (context, node.i, in.i));
}

const double *
weir_eval_output (WeirSystem *root, WeirContext *context, WeirNode node, WeirOutput out)
{
  return eval_output (root, context, node, out, FALSE);
}

const double *
weir_eval_input (WeirSystem *root, WeirContext *context, WeirNode node, WeirInput in)
{
  return eval_input (root, context, node, in, FALSE);
}

static GVariant *
abstract_at (WeirContext *context, const double *word)
{
  return word == NULL ? NULL : weir_context_abstract_at (context, word);
}

GVariant *
weir_eval_abstract_entry (WeirSystem *root, WeirContext *context, WeirEntry entry)
{
  return abstract_at (context, eval_entry_in_full (root, context, entry, TRUE));
}

GVariant *
weir_eval_abstract_output (WeirSystem *root, WeirContext *context, WeirNode node, WeirOutput out)
{
  return abstract_at (context, eval_output (root, context, node, out, TRUE));
}

GVariant *
weir_eval_abstract_input (WeirSystem *root, WeirContext *context, WeirNode node, WeirInput in)
{
  return abstract_at (context, eval_input (root, context, node, in, TRUE));
}

WeirStatus
weir_eval_energy (WeirSystem *root, WeirContext *context, WeirNode node, WeirTicket what,
                  double *value)
{
  const double *found;
  WeirEntry entry;

  *value = 0;
  if (!check_node (context, node))
    return WEIR_FAILED;
  if (!weir_layout_find_entry (context->layout, node, what, &entry))
    return WEIR_OK;
  found = weir_eval_entry (root, context, entry);
  if (found == NULL)
    return WEIR_FAILED;
  *value = *found;
  return WEIR_OK;
}

static gboolean
check_unique_update (const WeirEvaluator *evaluator, WeirContext *context, WeirNode node)
{
  const WeirDeclaredEvent *first = NULL;
  guint32 end = weir_layout_subtree_end (evaluator->layout, node.i);

  for (guint i = 0; i < evaluator->events->len; i++)
    {
      const WeirDeclaredEvent *event = &g_array_index (evaluator->events, WeirDeclaredEvent, i);
      g_autofree char *path = NULL;

      if (event->node.i < node.i || event->node.i >= end
          || event->action != WEIR_ACTION_DISCRETE_UPDATE
          || event->trigger != WEIR_TRIGGER_PERIODIC)
        continue;
      path = weir_layout_dup_path (evaluator->layout, event->node);
      if (weir_shape_find_entry (evaluator->layout->nodes[event->node.i].shape,
                                 WEIR_TICKET_XD_UPDATE)
          < 0)
        {
          weir_context_set_failure (context, "%s does not declare a unique periodic update",
                                    *path != '\0' ? path : weir_phrase (N_ ("the root")));
          return FALSE;
        }
      if (first == NULL)
        first = event;
      if (event->period != first->period || event->offset != first->offset)
        {
          weir_context_set_failure (
              context,
              "there is no unique periodic update: one has period %g and offset %g, that of %s "
              "has period %g and offset %g",
              first->period, first->offset, *path != '\0' ? path : weir_phrase (N_ ("the root")),
              event->period, event->offset);
          return FALSE;
        }
    }
  if (first == NULL)
    weir_context_set_failure (context, "there is no periodic update");
  return first != NULL;
}

const double *
weir_eval_unique_update (WeirSystem *root, WeirContext *context, WeirNode node, guint *size)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);
  WeirEntry entry;

  if (evaluator == NULL || !check_node (context, node)
      || !check_unique_update (evaluator, context, node)
      || !weir_layout_find_entry (context->layout, node, WEIR_XD_UPDATE, &entry))
    return NULL;
  *size = weir_layout_decl (context->layout, entry.i)->size;
  return weir_eval_entry (root, context, entry);
}

static WeirStatus
calc_entry (WeirSystem *root, WeirContext *context, WeirEntry entry, gboolean is_abstract,
            gpointer out)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);
  const WeirLayout *layout = context->layout;
  guint32 pending = WEIR_NO_INDEX;
  WeirStatus status;

  if (evaluator == NULL || !check_entry (context, entry, is_abstract))
    return WEIR_FAILED;
  weir_context_begin_request (context);
  if (!weir_bit (layout->lazy, entry.i))
    for (guint32 k = layout->up_first[entry.i]; k < layout->up_first[entry.i + 1]; k++)
      if ((status = weir_evaluator_request (evaluator, context, layout->ups[k], NULL)) != WEIR_OK)
        return status;
  for (;;)
    {
      if (weir_context_is (context, WEIR_MODE_LOGGED)
          && !weir_context_is (context, WEIR_MODE_FROZEN))
        weir_log_ring_note_calculation (context, entry.i);
      status = weir_evaluator_compute (evaluator, context, entry.i, out, &pending);
      if (status != WEIR_PENDING
          || (status = weir_evaluator_request (evaluator, context, pending, NULL)) != WEIR_OK)
        return status;
    }
}

WeirStatus
weir_calc_entry (WeirSystem *root, WeirContext *context, WeirEntry entry, double *out)
{
  return calc_entry (root, context, entry, FALSE, out);
}

WeirStatus
weir_calc_abstract_entry (WeirSystem *root, WeirContext *context, WeirEntry entry, GVariant **out)
{
  *out = NULL;
  return calc_entry (root, context, entry, TRUE, out);
}
