/* Runs an instance of a generated model through time: the events of each instant, the integrator,
 * crossings located on its dense output. Allocates when it is made, and not afterwards.
 */
#ifndef WEIR_SIMULATOR_H
#define WEIR_SIMULATOR_H

#include "weir.h"

typedef struct _WeirSimulator WeirSimulator;

typedef struct {
  const char *solver; /* "euler", "heun", "rk4", "dormand-prince" */
  double step;        /* s; of methods that keep their step */
  double relative_tolerance, absolute_tolerance;
  double max_step, event_tolerance;                             /* s; 0 = what the model asks for */
  guint max_crossings, max_event_iterations, max_stalled_steps; /* 0 = no limit */
  guint64 max_steps;
} WeirRunSettings;

/* Told of each instant that is recorded. */
typedef WeirStatus (*WeirRecordFunc) (WeirContext *context, void *data);

/* NULL: there is no such solver, or no memory. */
WeirSimulator *weir_simulator_make (WeirContext *context, const WeirRunSettings *settings,
                                    WeirRecordFunc record, void *data);
void weir_simulator_destroy (WeirSimulator *self);
/* 0: the run failed; weir_simulator_get_error() says why. */
int weir_simulator_begin (WeirSimulator *self);
int weir_simulator_advance (WeirSimulator *self, double time);
int weir_simulator_has_ended (const WeirSimulator *self);
const char *weir_simulator_get_error (const WeirSimulator *self);

/* The shortest text that reads back as the same number; returns its end. @buffer: 40 bytes. */
char *weir_write_number (double value, char *buffer);

#endif
