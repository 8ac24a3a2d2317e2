/* Random things done to a context: changes of sources, alone and jointly, requests of all kinds,
 * switches of caching, values written from outside.
 */
#pragma once

#include "random-log.h"
#include "system/context/inspection.h"
#include "system/observation/change-log.h"
#include "system/evaluation/checkpoint.h"

typedef struct {
  guint32 kind, l;
  double value, time;
  double *x;
  gboolean on;
  GBytes *saved;
} RandomStep;

static inline void
random_change (WeirContext *context, const WeirLayout *layout, const RandomStep *s, guint kind)
{
  const WeirNodeInfo *node = &layout->nodes[s->l % layout->n_nodes];
  WeirNode n = { s->l % layout->n_nodes };

  if (kind == 0)
    weir_context_set_time (context, s->time);
  else if (kind == 1 && node->shape->parameters->len > 0)
    weir_context_set_parameter (context, n, (WeirParameter) { 0 }, &s->value);
  else if (kind == 2)
    weir_context_set_state (context, s->x);
  else if (kind == 3)
    weir_context_set_time_and_state (context, s->time, s->x);
  else if (kind == 4 && node->shape->inputs->len > 0)
    weir_context_fix_input (context, n, (WeirInput) { 0 }, &s->value);
  else if (kind == 5 && node->shape->inputs->len > 0)
    weir_context_unfix_input (context, n, (WeirInput) { 0 });
  else
    weir_context_set_accuracy (context, s->value);
}

static inline void
random_make (WeirContext *context, WeirSystem *system, const RandomStep *s)
{
  const WeirLayout *layout = weir_system_get_layout (system);
  WeirEntry entry = { s->l % layout->n_entries };
  gboolean is_doubles = weir_layout_get_entry (weir_system_get_layout (system), entry).size == 1;
  g_autofree double *xdot = g_new0 (double, layout->n_states + 1);
  double value = s->value;

  weir_context_set_phase (context, (WeirLogPhase) (s->l % 6));
  switch (s->kind)
    {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      random_change (context, layout, s, s->kind);
      break;
    case 7:
      weir_context_begin_change (context);
      random_change (context, layout, s, s->l % 7);
      random_change (context, layout, s, s->l / 7 % 7);
      weir_context_end_change (context);
      break;
    case 8:
      weir_context_set_entry_caching (context, entry, s->on);
      break;
    case 9:
      weir_context_set_caching (context, s->l % 3 != 0);
      break;
    case 10:
      if (s->l % 4 == 0)
        weir_context_set_all_out_of_date (context);
      else
        weir_context_mark (context, entry, FALSE);
      break;
    case 11:
      if (is_doubles && s->on)
        weir_context_put (context, entry, &value, NULL);
      else if (is_doubles)
        weir_context_swap (context, entry, &value, NULL);
      break;
    case 12:
      if (is_doubles)
        weir_calc_entry (system, context, entry, &value);
      break;
    case 13:
      weir_context_set_pull_only (context, s->on);
      break;
    case 14:
      if (s->saved != NULL)
        g_assert_true (weir_context_load (context, system, s->saved, NULL));
      break;
    case 15:
    case 16:
    case 17:
    case 18:
      weir_eval_rhs (system, context, s->time, s->x, xdot);
      break;
    case 19:
      weir_eval_derivatives (system, context);
      break;
    case 20:
      weir_context_set_node_caching (context, WEIR_ROOT, TRUE);
      weir_context_set_caching (context, TRUE);
      break;
    default:
      weir_eval_entry (system, context, entry);
      break;
    }
}
