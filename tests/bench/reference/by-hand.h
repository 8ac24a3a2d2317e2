/* The right-hand sides of five examples as somebody writes them who knows the equations, with
 * parameters in a struct that may be tuned between steps, and nothing else. Each gives 0.
 */
#pragma once

typedef struct {
  double mass, length, gravity, damping, torque;
} HandPendulum;

typedef struct {
  double sigma, rho, beta;
} HandLorenz;

typedef struct {
  double step_time, before, after; /* of the reference */
  double p, i, d, n;
  double torque, back_emf;
} HandMotor;

int hand_pendulum (const void *model, double t, const double *x, double *xdot);
int hand_lorenz (const void *model, double t, const double *x, double *xdot);
int hand_van_der_pol (const void *model, double t, const double *x, double *xdot);
int hand_dc_motor (const void *model, double t, const double *x, double *xdot);
int hand_sampled (const void *model, double t, const double *x, double *xdot);
