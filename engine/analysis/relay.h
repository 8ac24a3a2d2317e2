/* The relay experiment (Astrom & Hagglund, Automatica 20, 1984): with a relay in place of its
 * controller a loop oscillates near the frequency at which it would at the limit of stability, and
 * the amplitude says with which gain: Ku = 4 d / (pi a).
 *
 * Thread: *owner*; a call takes two runs.
 */
#pragma once

#include "sim/simulator.h"

G_BEGIN_DECLS

typedef struct {
  double period, amplitude; /* s; half of what lies between its extremes */
  double gain;              /* Ku */
} WeirOscillation;

/* @port: what the relay switches by ("Controller.u"); @d: half of what lies between its two
 * values; @until: s, at which it should have begun. FALSE and @error: it does not oscillate evenly
 * even in 32 times as long. @cancel: nullable. */
gboolean weir_relay_find_oscillation (WeirSystem *root, const WeirSimulatorOptions *options,
                                      const char *port, double d, double until, const gint *cancel,
                                      WeirOscillation *oscillation, GError **error);

G_END_DECLS
