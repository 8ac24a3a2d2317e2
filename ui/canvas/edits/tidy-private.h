/* The drawing that tidying up makes, while it is made. edits-tidy.c says how; the steps, in order:
 * tidy-graph.c (nodes, columns), tidy-order.c (order within columns), tidy-place.c (where they go).
 *
 * A node is a block, or a bare point of a wire that skips a column. Thread: *main*.
 */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

#define WEIR_TIDY_ROW_GAP 40.0 /* room for names too */
#define WEIR_TIDY_SLIGHT 0.05  /* weight of what gives way: wires back, bare points */

typedef struct {
  WeirBlockShape *shape; /* owned; NULL: a bare point of a wire */
  int column;            /* -1 while unknown */
  double x, y, width, height;
  double wanted;
  GArray *ins, *outs; /* of WeirTidyLink */
  guint component;    /* from 1 */
} WeirTidyNode;

/* From the view of one end. */
typedef struct {
  guint other;
  double here, there; /* heights of the ports within their nodes */
  double weight;      /* how much it matters that it is straight */
} WeirTidyLink;

typedef struct {
  GPtrArray *nodes;   /* of WeirTidyNode, those of blocks first */
  GPtrArray *columns; /* of GArray of guint, nodes from above */
  guint n_blocks;
} WeirTidy;

static inline WeirTidyNode *
weir_tidy_get_node (const WeirTidy *self, guint i)
{
  return self->nodes->pdata[i];
}

/* tidy-graph.c */
void weir_tidy_init (WeirTidy *self);
void weir_tidy_clear (WeirTidy *self);
void weir_tidy_add_block (WeirTidy *self, WeirBlock *block);
/* Links the blocks by those of @wires that connect two of them; finds what hangs together and the
 * column of each node. @index: ids of blocks -> their nodes. Gives the number of components. */
guint weir_tidy_link (WeirTidy *self, GHashTable *index, GPtrArray *wires);
/* By height, equal ones by number; @data: the WeirTidy. */
int weir_tidy_compare_heights (gconstpointer a, gconstpointer b, gpointer data);

/* tidy-order.c */
/* Orders the nodes of each column so that wires cross little. */
void weir_tidy_order (const WeirTidy *self);

/* tidy-place.c */
/* Gives the nodes of all columns, in order, their places. */
void weir_tidy_place (const WeirTidy *self);

G_END_DECLS
