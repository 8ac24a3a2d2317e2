/* Patterns against changes. See pattern.h. */
#include "system/evaluation/pattern.h"

#include <math.h>
#include <string.h>

#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"

/* The vector under a primary ticket of @node; NULL: it has none, or is no vector of doubles. */
static const double *
find_values (WeirSystem *root, WeirContext *context, guint32 node, guint16 ticket, guint32 *size)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape = layout->nodes[node].shape;
  WeirItem item = weir_shape_item (shape, ticket);
  int local = weir_shape_find_entry (shape, ticket);
  WeirOrigin origin = { WEIR_ORIGIN_ENTRY, node, 0 };

  if (local >= 0)
    {
      origin.index = layout->entry_of_local[layout->nodes[node].first_entry + (guint32) local];
      *size = weir_shape_entry (shape, (guint) local)->size;
    }
  else if (item.kind == WEIR_ITEM_INPUT)
    {
      origin = weir_context_trace (context, node, item.index);
      *size = weir_shape_input (shape, item.index)->size;
    }
  else if (ticket == WEIR_TICKET_Q || ticket == WEIR_TICKET_V || ticket == WEIR_TICKET_Z)
    {
      origin.kind = weir_origin_of_built_in (0, ticket).kind;
      *size = ticket == WEIR_TICKET_Q ? shape->nq : ticket == WEIR_TICKET_V ? shape->nv : shape->nz;
    }
  else
    return NULL;
  if (*size == 0)
    return NULL;
  if (origin.kind == WEIR_ORIGIN_ENTRY)
    return weir_eval_entry (root, context, (WeirEntry) { origin.index });
  return weir_context_resolve (context, weir_layout_address (layout, origin));
}

/* The place of a ticket in the pattern; n_by: none. */
static guint
find_by (const WeirPattern *pattern, guint16 ticket)
{
  guint k = 0;

  while (k < pattern->n_by && pattern->by[k] != ticket)
    k++;
  return k;
}

static gboolean
find_slopes (WeirSystem *root, WeirContext *context, guint32 entry, const double **slopes)
{
  const WeirLayout *layout = context->layout;
  guint32 node = layout->node_of[entry];
  guint32 local = layout->nodes[node].shape->slopes;
  const double *all;

  if (!weir_layout_decl (layout, entry)->has_slopes)
    return FALSE;
  all = weir_eval_entry (
      root, context,
      (WeirEntry) { layout->entry_of_local[layout->nodes[node].first_entry + local] });
  *slopes = all != NULL ? all + weir_layout_decl (layout, entry)->first_slope : NULL;
  return all != NULL;
}

gboolean
weir_pattern_view (WeirSystem *root, WeirContext *first, WeirContext *second, WeirEntry entry,
                   guint element, WeirPatternView *view)
{
  const WeirLayout *layout = first->layout;
  const WeirEntryDecl *decl = weir_layout_decl (layout, entry.i);
  const WeirPattern *pattern = decl->pattern;
  const double *before = pattern != NULL ? weir_eval_entry (root, first, entry) : NULL;
  const double *after = before != NULL ? weir_eval_entry (root, second, entry) : NULL;
  const double *slopes = NULL;

  if (after == NULL)
    return FALSE;
  *view = (WeirPatternView) { .change = 0 };
  if (memcmp (&before[element], &after[element], sizeof *before) != 0)
    view->change = after[element] - before[element];
  view->has_slopes = find_slopes (root, first, entry.i, &slopes);
  for (guint k = 0; k < decl->n_primary; k++)
    {
      guint32 size = 0, node = layout->node_of[entry.i];
      const double *u = find_values (root, first, node, decl->primary[k], &size);
      const double *v = u != NULL ? find_values (root, second, node, decl->primary[k], &size)
                                  : NULL;
      guint by = find_by (pattern, decl->primary[k]);

      if (v == NULL)
        continue;
      if (by == pattern->n_by)
        {
          if (memcmp (u, v, size * sizeof *u) == 0)
            continue;
          view->may_change = TRUE;
          view->has_slopes = FALSE;
        }
      else
        for (guint32 i = pattern->rows.first[element]; i < pattern->rows.first[element + 1]; i++)
          {
            guint32 at = pattern->rows.items[i] - pattern->by_first[by];

            if (pattern->rows.items[i] < pattern->by_first[by] || at >= size
                || memcmp (&u[at], &v[at], sizeof *u) == 0)
              continue;
            view->may_change = TRUE;
            if (slopes != NULL)
              view->expected += slopes[i] * (v[at] - u[at]);
          }
    }
  return TRUE;
}

guint
weir_layout_get_pattern_size (const WeirLayout *layout, WeirEntry entry)
{
  const WeirEntryDecl *decl = weir_layout_decl (layout, entry.i);

  return decl->pattern != NULL ? decl->size : 0;
}
