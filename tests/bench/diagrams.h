/* The diagrams that are measured, made of small blocks declared here, so that the benchmarks need
 * no layer above engine/system. */
#pragma once

#include "reference/mixed.h"
#include "system/context/context.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

/* A graph of entries in the order they are built: node i reads the earlier nodes
 * ups[first[i] .. first[i + 1]), at most three. */
typedef struct {
  guint32 n;
  guint32 *first, *ups;
} BenchGraph;

typedef enum {
  BENCH_FOREST, /* binary trees of 1 000 */
  BENCH_SERIES,
  BENCH_GRID,   /* each reads its upper and its left neighbour */
  BENCH_RANDOM, /* each reads one to three earlier ones */
} BenchGraphKind;

BenchGraph *bench_graph_new (BenchGraphKind kind, guint32 n);
void bench_graph_free (BenchGraph *self);

/* One block per node, each with one entry: y = k t where it reads nothing, y = k u, y = u0 + u1 or
 * y = u0 + u1 + u2. Child i of the result is node i. */
WeirSystem *bench_graph_system_new (const BenchGraph *graph);

/* x'' = mu (1 - x^2) x' - x of Constant, Product, Sum, Gain and Integrator blocks; states x, x'. */
WeirSystem *bench_van_der_pol_new (double mu);

/* Masses between springs, the first and last held by springs of their own: per mass two Integrators
 * (position, velocity), Gains k and c, and a Sum of five:
 * a_i = k_(i-1) p_(i-1) - k_i p_i - k_i p_i + k_(i+1) p_(i+1) - c_i v_i, at the ends with k_i p_i
 * for the missing neighbour. States in the order p_0 v_0 p_1 v_1 ... */
WeirSystem *bench_chain_new (guint32 n, const double *k, const double *c);

/* A rod of @n cells held at 0 at both ends: x_i' = k (x_(i-1) - 2 x_i + x_(i+1)), k = (n + 1)^2, of
 * Gain, Sum and Integrator blocks. Stiff: the rates span from pi^2 to 4 k. */
WeirSystem *bench_rod_new (guint32 n);
/* The same as one Equations block; its states are in the same order. */
WeirSystem *bench_rod_of_equations_new (guint32 n);

/* A random diagram of reference/mixed.h. */
WeirSystem *bench_mixed_new (const ReferenceMixed *mixed);

/* A plant x' = v - x whose input v is 1 - x sampled every @period seconds. */
WeirSystem *bench_sampled_new (double period);

/* @n Gains and as many Integrators that read them. Grouped: each of 100 groups reads one Gain, its
 * head, child 0 of the group's block of children; else Gain i reads Constant i % 100 (children
 * 0 .. 99). Either way one parameter has 1 % of all entries downstream. */
WeirSystem *bench_refresh_new (guint32 n, gboolean grouped, guint32 *child);

/* The node of child @i of the root; every child is a leaf. */
static inline WeirNode
bench_child (guint32 i)
{
  return (WeirNode) { 1 + i };
}

G_END_DECLS
