/* What the files of the diagram builder share: the builder itself, and the search over
 * its wires. */
#pragma once

#include "system/structure/diagram.h"
#include "system/structure/shape-private.h"

G_BEGIN_DECLS

struct _WeirDiagramBuilder {
  WeirShape *shape;
  GPtrArray *systems;        /* WeirSystem */
  GPtrArray *names;          /* char * */
  GHashTable *by_name;       /* name -> child + 1 */
  GHashTable *port_names[2]; /* sets, of the shape's own: outputs, inputs */
  GArray *first_wiring;      /* guint32 by child */
  GArray *wiring;            /* WeirWiring */
  gboolean solves_loops;
  GError *error; /* the first problem */
};

/* Notes the first problem; later ones are dropped. */
void weir_diagram_builder_note_problem (WeirDiagramBuilder *b, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

static inline const WeirShape *
weir_diagram_builder_shape (const WeirDiagramBuilder *b, guint32 child)
{
  return ((WeirSystem *) g_ptr_array_index (b->systems, child))->shape;
}

static inline const char *
weir_diagram_builder_name (const WeirDiagramBuilder *b, guint32 child)
{
  return g_ptr_array_index (b->names, child);
}

static inline WeirWiring *
weir_diagram_builder_wiring (const WeirDiagramBuilder *b, guint32 child, guint in)
{
  return &g_array_index (b->wiring, WeirWiring,
                         g_array_index (b->first_wiring, guint32, child) + in);
}

/* diagram-search.c: fills the shape's table of feedthrough, which has its size and is zero.
 * Algebraic loops are noted as a problem, or cut by leaves that solve them (loop-private.h), which
 * become the last children. */
void weir_diagram_builder_search (WeirDiagramBuilder *b);

G_END_DECLS
