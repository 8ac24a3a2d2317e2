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
/* The same; stops after events that bring updates, if @stops. @is_at_event: it is at some. Then
 * weir_simulator_execute () lets them happen, or else the next advance. */
int weir_simulator_advance_to_event (WeirSimulator *self, double time, int stops, int *is_at_event);
int weir_simulator_execute (WeirSimulator *self, int *has_changed, double *next);
/* For others who integrate: the events of the context's time and state, and what follows from them.
 * @has_changed: the state may have jumped. @next: when there are events again (s), or infinity. */
int weir_simulator_meet (WeirSimulator *self, int *has_changed, double *next);
/* A step ended. @has_updates: events are to be met now. */
int weir_simulator_complete_step (WeirSimulator *self, int *has_updates);
/* The time (s) that derivatives see at the context's. */
double weir_simulator_get_time_seen (const WeirSimulator *self);
/* What may cross zero, at the context's time and state. */
int weir_simulator_get_indicators (WeirSimulator *self, double *z);
int weir_simulator_has_ended (const WeirSimulator *self);
/* Events so far that did something. */
guint64 weir_simulator_count_events (const WeirSimulator *self);
/* All that the run goes on from, the instance with it. From the same bytes another instance of the
 * same model goes on with the same bits. */
size_t weir_simulator_get_state_size (WeirSimulator *self);
void weir_simulator_get_state (WeirSimulator *self, void *bytes);
void weir_simulator_set_state (WeirSimulator *self, const void *bytes);
const char *weir_simulator_get_error (const WeirSimulator *self);

/* The shortest text that reads back as the same number; returns its end. @buffer: 40 bytes. */
char *weir_write_number (double value, char *buffer);

#endif
