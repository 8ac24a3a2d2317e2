/* Composing systems into a diagram.
 *
 * A diagram owns references to its children, wires output ports to input ports of children, and
 * exports child ports as its own. Diagrams nest; the result is a WeirSystem like any other.
 *
 * Thread: builder *owner*; result *immutable*.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/types.h"

WEIR_BEGIN_DECLS

typedef struct _WeirDiagramBuilder WeirDiagramBuilder;
typedef struct {
  guint32 i;
} WeirChild; /* a child of the diagram being built */

/* An empty diagram to be; one that is given up before it is built is freed. (transfer full) */
WeirDiagramBuilder *weir_diagram_builder_new (void);
void weir_diagram_builder_free (WeirDiagramBuilder *b);

/* Adds @system under @name, unique in the diagram and without '.'. Takes a new reference: the same
 * system may be added many times. */
WeirChild weir_diagram_builder_add (WeirDiagramBuilder *b, const char *name, WeirSystem *system);

/* Wires @from's output to @to's input. An input has at most one source; sizes must agree. Wrong
 * wires are reported by weir_diagram_builder_build(). */
void weir_diagram_builder_connect (WeirDiagramBuilder *b, WeirChild from, WeirOutput out,
                                   WeirChild to, WeirInput in);
void weir_diagram_builder_connect_by_name (WeirDiagramBuilder *b, const char *from, const char *out,
                                           const char *to, const char *in);

/* Makes an input of the diagram, drives @to's input by it. Export again to drive several. */
WeirInput weir_diagram_builder_add_input (WeirDiagramBuilder *b, const char *name, guint size);
WeirInput weir_diagram_builder_add_abstract_input (WeirDiagramBuilder *b, const char *name,
                                                   const GVariantType *type);
void weir_diagram_builder_connect_input (WeirDiagramBuilder *b, WeirInput in, WeirChild to,
                                         WeirInput child_in);
WeirOutput weir_diagram_builder_add_output (WeirDiagramBuilder *b, const char *name, WeirChild from,
                                            WeirOutput out);

/* What becomes of algebraic loops, outputs that depend on each other at one instant: solved by
 * Newton's method, each by a hidden child "loop1", "loop2", ... that stands in the wires which
 * close it; or refused, as without this call. Loops of abstract values are always refused. */
void weir_diagram_builder_set_solves_loops (WeirDiagramBuilder *b, gboolean solves_loops);

/* Returns the diagram, or NULL and the first problem: duplicate names, an input wired twice, sizes
 * that differ, or an algebraic loop (the text gives the path of ports). Frees @b. (transfer full)
 */
WeirSystem *weir_diagram_builder_build (WeirDiagramBuilder *b, GError **error);

WEIR_END_DECLS
