/* Who computes what. See code.h. */
#include "system/evaluation/code.h"

#include "system/evaluation/evaluator-private.h"
#include "system/structure/shape-private.h"

static WeirCodePlace
place_of (const WeirLayout *layout, WeirOrigin origin)
{
  const WeirNodeInfo *info = &layout->nodes[origin.node];
  WeirCodePlace place = { WEIR_PLACE_ENTRY, origin.node, origin.index, 0 };

  switch (origin.kind)
    {
    case WEIR_ORIGIN_ENTRY:
      break;
    case WEIR_ORIGIN_TIME:
      place.kind = WEIR_PLACE_TIME;
      break;
    case WEIR_ORIGIN_COMMON:
      {
        WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);
        place.kind = WEIR_PLACE_ACCURACY;
        break;
      }
    case WEIR_ORIGIN_Q:
      place = (WeirCodePlace) { WEIR_PLACE_STATE, origin.node, info->state_offset,
                                info->shape->nq };
      break;
    case WEIR_ORIGIN_XC:
      place = (WeirCodePlace) { WEIR_PLACE_STATE, origin.node, info->state_offset, info->n_states };
      break;
    case WEIR_ORIGIN_V:
      place = (WeirCodePlace) { WEIR_PLACE_STATE, origin.node, info->state_offset + info->shape->nq,
                                info->shape->nv };
      break;
    case WEIR_ORIGIN_Z:
      place = (WeirCodePlace) { WEIR_PLACE_STATE, origin.node,
                                info->state_offset + info->shape->nq + info->shape->nv,
                                info->shape->nz };
      break;
    case WEIR_ORIGIN_GROUP:
      place.kind = WEIR_PLACE_GROUP;
      break;
    case WEIR_ORIGIN_PARAMETER:
      place.kind = WEIR_PLACE_PARAMETER;
      break;
    case WEIR_ORIGIN_FIXED:
    default:
      place.kind = WEIR_PLACE_INPUT;
    }
  return place;
}

WeirEntryCodeInfo
weir_code_get_entry (WeirSystem *root, WeirEntry entry)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  const WeirLayout *layout = evaluator->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, entry.i);
  const WeirEntryCode *code = evaluator->code[entry.i];
  guint32 node = layout->node_of[entry.i], local = layout->local_of[entry.i];
  const WeirShape *shape = layout->nodes[node].shape;
  WeirEntryCodeInfo info = {
    .node = { node },
    .local = local,
    .kind = decl->kind,
    .size = decl->size,
    .is_abstract = decl->type != NULL,
    .is_lazy = decl->is_lazy,
    .is_slopes = shape->slopes == local,
    .is_solution = shape->is_loop && local == 0,
    .is_part = shape->is_loop && local > 0,
    .variant = decl->variant,
    .n_operands = decl->is_kernel ? decl->n_depends : 0,
  };

  if (code != NULL && !shape->is_loop)
    {
      info.calc = code->calc;
      info.kernel = code->kernel;
    }
  return info;
}

WeirCodePlace
weir_code_get_operand (WeirSystem *root, WeirEntry entry, guint k, gboolean *broadcast)
{
  const WeirLayout *layout = weir_system_get_layout (root);
  const WeirEntryDecl *decl = weir_layout_decl (layout, entry.i);
  WeirOrigin origin = { WEIR_ORIGIN_ENTRY, 0, 0 };

  weir_layout_final_origin (layout, layout->node_of[entry.i], decl->depends[k], &origin);
  *broadcast = decl->broadcast[k];
  return place_of (layout, origin);
}

/* A solution is of all that its loop's members read. */
static void
list_sources_of_members (WeirSystem *root, WeirEntry solution, GArray *places)
{
  for (guint i = 0; i < weir_code_get_n_loops (root); i++)
    {
      WeirLoopCode loop = weir_code_get_loop (root, i);

      for (guint k = 0; loop.solution.i == solution.i && k < loop.n_members; k++)
        weir_code_list_sources (root, (WeirEntry) { loop.members[k] }, places);
    }
}

void
weir_code_list_sources (WeirSystem *root, WeirEntry entry, GArray *places)
{
  const WeirLayout *layout = weir_system_get_layout (root);
  const WeirEntryDecl *decl = weir_layout_decl (layout, entry.i);
  const WeirNodeInfo *node = &layout->nodes[layout->node_of[entry.i]];

  if (node->shape->is_loop && layout->local_of[entry.i] == 0)
    list_sources_of_members (root, entry, places);

  for (guint k = 0; k < decl->n_primary; k++)
    {
      WeirOrigin origin;
      WeirCodePlace place;

      if (!weir_layout_final_origin (layout, layout->node_of[entry.i], decl->primary[k], &origin)
          || origin.kind == WEIR_ORIGIN_ENTRY)
        continue;
      place = place_of (layout, origin);
      g_array_append_val (places, place);
    }
}

WeirLeafCode
weir_code_get_leaf (WeirSystem *root, WeirNode node)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  const WeirNodeInfo *info = &evaluator->layout->nodes[node.i];
  const WeirShape *shape = info->shape;

  return (WeirLeafCode) { .kind = shape->kind,
                          .is_diagram = shape->is_diagram,
                          .is_loop = shape->is_loop,
                          .is_unit = shape->is_unit,
                          .n_inputs = shape->inputs->len,
                          .n_parameters = shape->parameters->len,
                          .n_groups = shape->groups->len,
                          .n_entries = shape->entries->len,
                          .n_phases = shape->n_phases,
                          .state = info->state_offset,
                          .nq = shape->nq,
                          .nv = shape->nv,
                          .nz = shape->nz,
                          .data = shape->data,
                          .data_size = shape->data_size,
                          .phases = evaluator->systems[node.i]->phases };
}

guint32
weir_code_get_group_size (WeirSystem *root, WeirNode node, guint group)
{
  return weir_shape_group (weir_system_get_layout (root)->nodes[node.i].shape, group)->size;
}

const char *
weir_code_get_group_name (WeirSystem *root, WeirNode node, guint group)
{
  return weir_shape_group (weir_system_get_layout (root)->nodes[node.i].shape, group)->name;
}

gboolean
weir_code_is_group_abstract (WeirSystem *root, WeirNode node, guint group)
{
  return weir_shape_group (weir_system_get_layout (root)->nodes[node.i].shape, group)->type != NULL;
}

WeirEntry
weir_code_get_leaf_entry (WeirSystem *root, WeirNode node, guint local)
{
  const WeirLayout *layout = weir_system_get_layout (root);

  return (WeirEntry) { layout->entry_of_local[layout->nodes[node.i].first_entry + local] };
}

WeirCodePlace
weir_code_get_input (WeirSystem *root, WeirNode node, WeirInput in)
{
  const WeirLayout *layout = weir_system_get_layout (root);

  return place_of (layout, layout->inputs[layout->nodes[node.i].first_input + in.i]);
}

WeirCodePlace
weir_code_get_output (WeirSystem *root, WeirNode node, WeirOutput out)
{
  const WeirLayout *layout = weir_system_get_layout (root);

  return place_of (layout, layout->outputs[layout->nodes[node.i].first_output + out.i]);
}

const double *
weir_code_get_default (WeirSystem *root, WeirNode node, guint in)
{
  return weir_shape_input (weir_system_get_layout (root)->nodes[node.i].shape, in)->value;
}

WeirEventCodeInfo
weir_code_get_event (WeirSystem *root, guint i)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (root);
  guint32 node = g_array_index (evaluator->events, WeirDeclaredEvent, i).node.i;
  guint local = g_array_index (evaluator->event_locals, guint32, i);
  const WeirEventCode *code = &g_array_index (evaluator->systems[node]->event_code, WeirEventCode,
                                              local);

  return (WeirEventCodeInfo) { code->update, code->publish, code->unrestricted, code->next_time,
                               local };
}

guint
weir_code_get_n_loops (WeirSystem *root)
{
  return weir_system_get_layout (root)->loops->len;
}

WeirLoopCode
weir_code_get_loop (WeirSystem *root, guint i)
{
  const WeirLayout *layout = weir_system_get_layout (root);
  const WeirLoop *loop = &g_array_index (layout->loops, WeirLoop, i);
  const char *data = layout->nodes[loop->node].shape->data;

  return (WeirLoopCode) { .node = { loop->node },
                          .solution = { loop->entry },
                          .members = (const guint32 *) (gconstpointer) loop->members->data,
                          .n_members = loop->members->len,
                          .has_guess = *data == WEIR_LOOP_HAS_GUESS };
}

guint
weir_code_get_n_starts (WeirSystem *root)
{
  return weir_system_get_layout (root)->starts->len;
}

WeirStartCode
weir_code_get_start (WeirSystem *root, guint i)
{
  const WeirStart *start = &g_array_index (weir_system_get_layout (root)->starts, WeirStart, i);

  return (WeirStartCode) { { start->node }, { start->entry }, { (guint16) start->group } };
}
