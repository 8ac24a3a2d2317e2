/* A random diagram of 15 kinds of block: as a table to build it from, and as straight-line C (-O3).
 * Both are written by make-mixed. */
#pragma once

#include <stdint.h>

#define REFERENCE_MIXED_STATES 500
#define REFERENCE_MIXED_BLOCKS 4500

typedef struct {
  uint16_t kind;      /* in the order of make-mixed's KINDS */
  uint16_t inputs[3]; /* numbered: the states, then the blocks */
  double k;           /* parameter of a gain or bias */
} ReferenceMixedBlock;

extern const ReferenceMixedBlock reference_mixed_blocks[REFERENCE_MIXED_BLOCKS];
/* What each state's integrator reads. */
extern const uint16_t reference_mixed_reads[REFERENCE_MIXED_STATES];

void reference_mixed (const double *restrict x, double *restrict xdot);
