/* A dependency graph in lanes, from what can change on the left to what is asked for on the right:
 * laid out, hit and drawn.
 *
 * Within a lane, nodes stand in columns by how many steps they are from the lane's beginning, so
 * that edges run to the right wherever there is no loop. A slice is what can be reached from a
 * chosen node within so many steps; everything else recedes. Thread: *owner*.
 */
#pragma once

#include "paint/drawing/badge.h"
#include "paint/drawing/glyph.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_LANE_SOURCE,    /* angular: can change by itself */
  WEIR_LANE_COMPOSITE, /* dashed: stands for several sources */
  WEIR_LANE_VALUE,     /* rounded, with a badge: is computed and kept */
  WEIR_LANE_WINDOW,    /* rounded: shows what is kept elsewhere */
} WeirLaneKind;

typedef enum {
  WEIR_EDGE_DECLARED,   /* thin: whether it is read is not known */
  WEIR_EDGE_READ,       /* solid: declared and read */
  WEIR_EDGE_UNREAD,     /* hollow: declared, but never read */
  WEIR_EDGE_UNDECLARED, /* dashed, in the colour of errors: read, but not declared */
  WEIR_N_EDGES,
} WeirEdgeKind;

#define WEIR_NO_LANE_NODE G_MAXUINT

typedef struct {
  guint32 key; /* the caller's */
  char *title;
  char figure[24];
  WeirLaneKind kind;
  WeirBadge badge;
  guint lane, column; /* the column within the lane: set by the layout */
  WeirRect box;       /* set by the layout */
  int distance;       /* from the chosen node, negative upstream; G_MAXINT = not in the slice */
  gboolean is_on_path;
} WeirLaneNode;

typedef struct {
  guint from, to; /* nodes */
  WeirEdgeKind kind;
} WeirLaneEdge;

typedef struct {
  char *title;
  double x, width;
} WeirLane;

typedef struct {
  GArray *lanes; /* WeirLane */
  GArray *nodes; /* WeirLaneNode */
  GArray *edges; /* WeirLaneEdge */
  GHashTable *by_key;
  double width, height; /* set by the layout */
  guint chosen;         /* node, or WEIR_NO_LANE_NODE */
  guint up, down;       /* steps of the slice */
} WeirLaneGraph;

WeirLaneGraph *weir_lane_graph_new (void);
void weir_lane_graph_free (WeirLaneGraph *self);

guint weir_lane_graph_add_lane (WeirLaneGraph *self, const char *title);
/* A second node of the same key is the first. */
guint weir_lane_graph_add_node (WeirLaneGraph *self, guint32 key, guint lane, WeirLaneKind kind,
                                const char *title);
guint weir_lane_graph_find (const WeirLaneGraph *self, guint32 key); /* or WEIR_NO_LANE_NODE */
/* A second edge between the same nodes takes the place of the first. */
void weir_lane_graph_add_edge (WeirLaneGraph *self, guint from, guint to, WeirEdgeKind kind);
static inline WeirLaneNode *
weir_lane_graph_node (const WeirLaneGraph *self, guint i)
{
  return &g_array_index (self->nodes, WeirLaneNode, i);
}

/* After everything is added. @pen: measures the texts. */
void weir_lane_graph_lay_out (WeirLaneGraph *self, WeirPen *pen);
/* Shows what is at most @up steps upstream and @down steps downstream of a node; WEIR_NO_LANE_NODE:
 * everything. */
void weir_lane_graph_choose (WeirLaneGraph *self, guint node, guint up, guint down);
/* How many steps there are at most. */
guint weir_lane_graph_get_reach (const WeirLaneGraph *self, guint node, gboolean down);
/* The node at a point, or WEIR_NO_LANE_NODE. */
guint weir_lane_graph_hit (const WeirLaneGraph *self, double x, double y);
/* The next node from @node that way, by keyboard: along an edge, or within the column. */
guint weir_lane_graph_go (const WeirLaneGraph *self, guint node, int dx, int dy);

/* @focus: the node that has the keyboard, or WEIR_NO_LANE_NODE. */
void weir_lane_graph_draw (const WeirLaneGraph *self, WeirPen *pen, guint focus);
/* What the edges mean, in one line at (@x, @y); its width. */
double weir_lane_graph_draw_legend (WeirPen *pen, double x, double y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLaneGraph, weir_lane_graph_free)

G_END_DECLS
