/* Random diagrams of 15 kinds of block: as tables to build them from, and as straight-line C.
 * Written by make-mixed. */
#pragma once

#include <stdint.h>

typedef struct {
  uint16_t kind;      /* in the order of make-mixed's KINDS */
  uint16_t inputs[3]; /* numbered: the states, then the blocks */
  double k;           /* parameter of a gain or bias */
} ReferenceMixedBlock;

typedef struct {
  uint32_t n_states, n_blocks;
  const ReferenceMixedBlock *blocks;
  const uint16_t *reads; /* what each state's integrator reads */
  void (*calc) (const double *restrict x, double *restrict xdot);
} ReferenceMixed;

extern const ReferenceMixed reference_mixed;                         /* 4 500 blocks, -O3 */
extern const ReferenceMixed reference_mixed_50, reference_mixed_200; /* with the states; -O2 */
