/* Right-hand sides of five examples, as generated and as written by hand. */
#pragma once

#include <stdint.h>

#define GENERATED_MOST_STATES 4

typedef struct {
  const char *name; /* "pendulum"; NULL: there are no more */
  int n_states;
  /* Computes it @n times, from a state that moves a little each time. */
  void (*run_generated) (uint64_t n, double *x, double *xdot);
  void (*run_by_hand) (uint64_t n, double *x, double *xdot);
} GeneratedExample;

extern const GeneratedExample generated_examples[];
/* Before anything is run. */
void generated_init (void);
