/* Which physical lines of a diagram are one node: those that end at one pin, or on one another.
 *
 * A node is called by the least id of its lines, so that an edit elsewhere keeps its name. Within
 * one diagram: what pins of subsystems join is not looked at. Immutable, reference-counted, thread
 * *any*.
 */
#pragma once

#include "paint/scene/shapes.h"

G_BEGIN_DECLS

typedef struct {
  guint32 line;
  guint32 node;             /* the least id of the lines of its node */
  const WeirDomain *domain; /* of the node; NULL: none of its pins says */
  guint32 next;             /* the next line of the node, in order of id; 0: it is the last */
  gboolean is_joined;       /* other lines end on it */
  guint depth;              /* 0: it ends on no line; else more than that of those it ends on, but
                               for lines that end on one another in a circle */
} WeirLineNode;

typedef struct _WeirNodes WeirNodes;

/* @blocks: the WeirBlockShapes of @diagram. NULL: there are no lines. (transfer full) */
WeirNodes *weir_nodes_new (const WeirDiagram *diagram, const WeirShapes *blocks);
WeirNodes *weir_nodes_ref (WeirNodes *self);
void weir_nodes_unref (WeirNodes *self);

/* NULL: there is no such line; @self may be NULL. (transfer none) */
const WeirLineNode *weir_nodes_find (const WeirNodes *self, guint32 line);
guint weir_nodes_get_n_lines (const WeirNodes *self);
/* In order of id. */
const WeirLineNode *weir_nodes_get_line (const WeirNodes *self, guint i);
/* The lines that end on others, those first on which others of them end. (element-type guint32) */
const GArray *weir_nodes_get_joiners (const WeirNodes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirNodes, weir_nodes_unref)

G_END_DECLS
