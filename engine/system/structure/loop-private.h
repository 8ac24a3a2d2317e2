/* Algebraic loops: outputs that depend on each other at one instant.
 *
 * The builder of a diagram cuts the wires that close loops and puts a leaf there: its inputs u are
 * what the cut wires carried, its outputs y feed what they fed, and its entry "solution" is the z
 * for which u (z) = z. To compute it is to try: z is put in place, the members of the loop, which
 * are the entries between y and u, are computed from it, and Newton's method corrects it by what
 * comes back.
 *
 * The solution's prerequisites are what the members read from outside the loop, and the leaf's
 * discrete state "start", where the iteration begins: at first the guesses that outputs declare
 * (leaf.h), 0 without. So it is a function of its prerequisites like any other entry, and caching
 * changes nothing. The start moves to the solution at accepted steps only.
 */
#pragma once

#include "system/structure/shape-private.h"

G_BEGIN_DECLS

/* A signal that a loop is cut at. */
typedef struct {
  char *name; /* the output that gives it: "Sum1.y" */
  guint size;
  const double *guess; /* size values, or NULL */
} WeirLoopSignal;

/* Rows of doubles, beside those of a matrix, that solving for the unknowns takes. */
#define WEIR_LOOP_ROWS 6

/* What the leaf keeps as bytes: this or something else, then the path of the loop, then the names
 * of its signals. */
#define WEIR_LOOP_HAS_GUESS 'g'

/* leaf.c: of a leaf whose entries have no code. */
WeirLeafBuilder *weir_leaf_builder_new_for_loop (void);

/* The leaf has declarations and no code: evaluation knows how its entries, the solution and then
 * the parts of it that are its outputs, are computed. @path: the loop as people read it. (transfer
 * full) */
WeirSystem *weir_loop_leaf_new (const WeirLoopSignal *signals, guint n, const char *path);

G_END_DECLS
