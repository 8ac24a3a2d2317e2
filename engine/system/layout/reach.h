/* What a run depends on, leaf by leaf, as declared.
 *
 * A run is what its steps, its end and its failure follow from: every leaf with state, events,
 * turns or steps of its own, every loop, and all that these see through their inputs. What is left
 * is algebra: the values of such a leaf at an instant follow from its parameters, time, and what
 * the run gives at that instant, and nothing in the run follows from them. So the run stays what it
 * is when a parameter of a leaf changes that is not in it, and the leaf's values can be worked out
 * anew from those that were recorded at its edge.
 *
 * A leaf is in the run as a whole: with all its parameters and all its inputs. Thread: *any*.
 */
#pragma once

#include "system/layout/layout.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_REACH_NONE,  /* neither the run nor what is asked for depends on it */
  WEIR_REACH_RUN,   /* the run depends on it */
  WEIR_REACH_AFTER, /* algebra between the run and what is asked for */
} WeirReach;

/* By node; diagrams are WEIR_REACH_NONE. @ports: what is asked for. (transfer full) */
WeirReach *weir_layout_calc_reach (const WeirLayout *self, const WeirPort *ports, guint n_ports);

/* An input of a leaf after the run that sees what a leaf of the run gives. */
typedef struct {
  WeirInputPlace place;
  guint size;
  guint
      same_as; /* place in the list of the first that sees the same value; its own if it is that */
} WeirEdge;

/* (element-type WeirEdge) in the order of the tree. (transfer full) */
GArray *weir_layout_list_edges (const WeirLayout *self, const WeirReach *reach);

/* Is what the port shows computed by, or a source of, a leaf after the run? */
gboolean weir_layout_is_port_after (const WeirLayout *self, const WeirReach *reach,
                                    const WeirPort *port);

/* Does nothing in the tree drive the input, so that its own value, default or fixed, counts? */
gboolean weir_layout_is_input_undriven (const WeirLayout *self, WeirNode node, WeirInput in);

/* Adds to @checksum what the leaf @node is, but for values: its path, its declarations, and where
 * each of its inputs comes from. */
void weir_layout_digest_leaf (const WeirLayout *self, WeirNode node, GChecksum *checksum);

G_END_DECLS
