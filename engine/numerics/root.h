/* Solving r (z) = 0 for some tens of unknowns: what stands behind algebraic loops.
 *
 * Newton's method with a full Jacobian of differences, which is kept while it serves (a linear
 * system takes one correction), damped so that the residual shrinks. Where that gets stuck or the
 * Jacobian is singular, Levenberg's and Marquardt's method goes on, which needs neither. A function
 * of the start alone: nothing is remembered between calls.
 *
 * Why not KINSOL: a solution is an entry of the cache like any other, computed within evaluations,
 * nested in other loops and in several threads, so its solver may keep no memory and not allocate.
 * Nor does it solve more: of the problems of MINPACK's collection, from their starts and from 10
 * and 100 times as far (54 cases), this solves 41; KINSOL with its line search 42, with four times
 * the evaluations; KINSOL's plain Newton 24.
 *
 * newton.h is for equations whose derivatives are known exactly and lie in a band: there a Jacobian
 * comes with the residuals and is never worth keeping, and each unknown has a size of its own.
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 n;
  /* r = r (z). FALSE: there is no value. */
  gboolean (*try_at) (gpointer data, const double *z, double *r);
  gpointer data;

  double *z, *r;      /* n: where the search is; of the largest residual in the end if it failed */
  double *correction; /* n: what Newton's method would add yet; z + correction is the solution */
  double *tried_z, *tried_r, *scale;                   /* n */
  double *jacobian;                                    /* n * n by rows; or its factors */
  double *damped_columns, *damped_right, *damped_step; /* 2 n * n, 2 n, n: of the damped method */
  guint32 *pivots;                                     /* n */
} WeirRoot;

/* Doubles that the arrays of a WeirRoot take together. */
#define WEIR_ROOT_MATRICES 3
#define WEIR_ROOT_ROWS 9 /* beside those of the matrices */
#define WEIR_ROOT_ROOM(n) ((gsize) (n) * (WEIR_ROOT_MATRICES * (n) + WEIR_ROOT_ROWS))

/* Points the arrays into @room (WEIR_ROOT_ROOM (n)) and @pivots. */
void weir_root_init (WeirRoot *self, guint32 n, double *room, guint32 *pivots);

typedef enum {
  WEIR_ROOT_SOLVED,
  WEIR_ROOT_NO_VALUE, /* none at the start */
  WEIR_ROOT_FLAT,     /* the equations do not determine the unknowns */
  WEIR_ROOT_STUCK,
} WeirRootOutcome;

/* Newton's method from what is in z. */
WeirRootOutcome weir_root_iterate (WeirRoot *self);
/* Levenberg's and Marquardt's, and Newton's once that is near. */
WeirRootOutcome weir_root_iterate_damped (WeirRoot *self);

/* Both, from @start; then from where the run began, @first. Zero is often where a quotient or a
 * root has no value or no slope, so that without a guess other numbers are tried; a guess says
 * which solution is meant. What is left in the end, if it failed, is of the start. */
WeirRootOutcome weir_root_search (WeirRoot *self, const double *start, const double *first,
                                  gboolean has_guess);

G_END_DECLS
