/* Right-hand sides by hand. See by-hand.h. */
#include "reference/by-hand.h"

#include <math.h>

int
hand_pendulum (const void *model, double t, const double *x, double *xdot)
{
  const HandPendulum *p = model;
  double pull = -p->mass * p->gravity * p->length * sin (x[0]);

  (void) t;
  xdot[0] = x[1];
  xdot[1] = (p->torque - p->damping * x[1] + pull) / (p->mass * p->length * p->length);
  return 0;
}

int
hand_lorenz (const void *model, double t, const double *x, double *xdot)
{
  const HandLorenz *p = model;

  (void) t;
  xdot[0] = p->sigma * (x[1] - x[0]);
  xdot[1] = x[0] * (p->rho - x[2]) - x[1];
  xdot[2] = x[0] * x[1] - p->beta * x[2];
  return 0;
}

int
hand_van_der_pol (const void *model, double t, const double *x, double *xdot)
{
  const double *mu = model;

  (void) t;
  xdot[0] = *mu * (x[0] * (1 - x[1] * x[1])) - x[1];
  xdot[1] = x[0];
  return 0;
}

/* States: integral, filtered error, then coil and rotor, whose outputs are twice and a hundred
 * times what they keep. */
int
hand_dc_motor (const void *model, double t, const double *x, double *xdot)
{
  const HandMotor *p = model;
  double speed = 100 * x[3], current = 2 * x[2];
  double error = (t < p->step_time ? p->before : p->after) - speed;
  double voltage = p->p * error + x[0] + p->d * p->n * (error - x[1]);

  xdot[0] = p->i * error;
  xdot[1] = p->n * (error - x[1]);
  xdot[2] = -2 * x[2] + (voltage - p->back_emf * speed);
  xdot[3] = -10 * x[3] + p->torque * current;
  return 0;
}

int
hand_sampled (const void *model, double t, const double *x, double *xdot)
{
  const double *held = model;

  (void) t;
  xdot[0] = *held - x[0];
  return 0;
}
