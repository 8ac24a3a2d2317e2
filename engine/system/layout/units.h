/* The units of co-simulation in a tree, and who feeds whom (structure/unit.h).
 *
 * All that stands in no unit is the *rest*: it has states and events of its own and is integrated
 * as one. What lies between a unit and what feeds it is algebra: values that follow from outputs of
 * units, states of the rest, time and parameters at one instant.
 *
 * Thread: *any*.
 */
#pragma once

#include "system/layout/layout.h"
#include "system/structure/unit.h"

G_BEGIN_DECLS

typedef struct {
  WeirNode node;
  const WeirUnitKind *kind; /* the system's */
  guint n_steps;            /* of the master, that one of its own is */
  int place;                /* in the list */
  WeirParameter activity;   /* WEIR_UNIT_ACTIVITY */
  guint n_inputs, n_outputs;
  guint n_u, n_y;                   /* values */
  guint n_abstract_u, n_abstract_y; /* ports of abstract values */
} WeirUnitInfo;

/* (element-type WeirUnitInfo) In their order: by place, then as in the tree. (transfer full) */
GArray *weir_system_list_units (WeirSystem *root);

typedef enum {
  WEIR_FEED_UNIT, /* an output of a unit */
  WEIR_FEED_REST, /* a state of the rest */
  WEIR_FEED_TIME,
  WEIR_FEED_GIVEN, /* what nothing in the run changes: parameters, accuracy, values that are fixed
                    */
} WeirFeedKind;

typedef struct {
  WeirSource source;
  WeirFeedKind kind;
  WeirNode node;   /* of the unit */
  WeirGroup group; /* of the output */
} WeirFeed;

/* All that the value at an input of a leaf follows from. (element-type WeirFeed) (transfer full) */
GArray *weir_layout_list_feeds (const WeirLayout *self, WeirNode node, WeirInput in);
/* Is the value at the input that of a unit's output, with no algebra in between? */
gboolean weir_layout_find_unit_output (const WeirLayout *self, WeirNode node, WeirInput in,
                                       WeirNode *unit, WeirOutput *out);
/* Are there states or events in the rest? */
gboolean weir_layout_has_rest (const WeirLayout *self);
/* Inputs of leaves with states or events in the rest that the unit at @unit feeds. (element-type
 * WeirInputPlace) (transfer full) */
GArray *weir_layout_list_fed (const WeirLayout *self, WeirNode unit);

/* The node at @path, or the unit that the path leads into: what is in there is the unit's, called
 * by its path from there on, @within, which is borrowed from @path ("" of a node itself). FALSE if
 * there is neither. */
gboolean weir_layout_find_outer_node (const WeirLayout *self, const char *path, WeirNode *node,
                                      const char **within);

G_END_DECLS
