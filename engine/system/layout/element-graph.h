/* Who reads which elements: the dependency graph of a layout, element by element, as far as
 * derivatives by states go through it.
 *
 * Its vectors are the entries of leaves, then, where algebraic loops are open, what comes back to
 * each loop, then q, v and z of each slice. A read leads from elements of one vector to elements of
 * an entry: from each to its own, from those of its pattern, or from any to all. Reads of fixed
 * inputs, time, parameters and discrete state have no place in it. Lives during one search.
 */
#pragma once

#include "numerics/rows.h"
#include "system/layout/layout-private.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_READ_WHOLE,      /* every element depends on every one */
  WEIR_READ_SAME,       /* element to element */
  WEIR_READ_BY_PATTERN, /* of the reader's declaration */
} WeirElementReadKind;

typedef struct {
  WeirElementReadKind kind;
  guint32 reader, up; /* vectors */
  guint32 first;      /* SAME: the reader's element, BY_PATTERN: its column, that stand for the
                         first one read */
  guint32 skip;       /* SAME: elements of the vector before those that are read */
  guint32 node, in;   /* the input it goes through; in WEIR_NO_INDEX: none */
} WeirElementRead;

typedef struct {
  const WeirLayout *layout;
  gboolean is_open;    /* what loops are cut at are unknowns beside the states */
  guint32 n_returns;   /* vectors behind the entries: what comes back to open loops */
  guint32 first_state; /* the vector of the first slice's q */
  guint32 n_vectors;
  guint32 *size;    /* of a vector */
  guint32 *unknown; /* of a vector of unknowns: the number of its first; else WEIR_NO_INDEX */
  guint32 *row;     /* of a vector of what unknowns determine: the number of its first row */
  guint32 n_unknowns;
  GArray *reads;       /* WeirElementRead, by reader */
  guint32 *first_read; /* of a vector; n_vectors + 1 */
  WeirRows readers;    /* reads of a vector */
} WeirElementGraph;

void weir_element_graph_init (WeirElementGraph *self, const WeirLayout *layout, gboolean is_open);
void weir_element_graph_clear (WeirElementGraph *self);

static inline const WeirElementRead *
weir_element_graph_get_read (const WeirElementGraph *self, guint32 i)
{
  return &g_array_index (self->reads, WeirElementRead, i);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirElementGraph, weir_element_graph_clear)

G_END_DECLS
