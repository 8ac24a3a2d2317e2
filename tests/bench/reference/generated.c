/* Right-hand sides of five examples, as generated and as written by hand. See generated.h. */
#include "reference/generated.h"

#include "bench_dc_motor.h"
#include "bench_lorenz.h"
#include "bench_pendulum.h"
#include "bench_sampled.h"
#include "bench_van_der_pol.h"
#include "reference/by-hand.h"

static HandPendulum pendulum_by_hand;
static HandLorenz lorenz_by_hand;
static double van_der_pol_by_hand;
static HandMotor dc_motor_by_hand;
static double sampled_by_hand;

/* As the generated model has them. */
static void
copy_parameters (const Bench_pendulumParameters *pendulum, const Bench_lorenzParameters *lorenz,
                 const Bench_dc_motorParameters *motor)
{
  pendulum_by_hand = (HandPendulum) { pendulum->Pendulum_mass, pendulum->Pendulum_length,
                                      pendulum->Pendulum_gravity, pendulum->Pendulum_damping, 0 };
  lorenz_by_hand = (HandLorenz) { lorenz->Sigma_gain, lorenz->Rho_value, lorenz->Beta_gain };
  dc_motor_by_hand = (HandMotor) { motor->Reference_time,     motor->Reference_before,
                                   motor->Reference_after,    motor->Controller_p,
                                   motor->Controller_i,       motor->Controller_d,
                                   motor->Controller_n,       motor->Motor_Torque_gain,
                                   motor->Motor_Back_EMF_gain };
}

/* An instance lies within a page: where two of its values that are stored at once lie across the
 * end of one (of 256 places one), that store takes 7 ns. */
#define PAGE 4096

#define EXAMPLE(name, n_states, Name)                                                              \
  static _Alignas(PAGE) Name name##_generated;                                                     \
  static void run_generated_##name (uint64_t n, double *x, double *xdot)                           \
  {                                                                                                \
    for (uint64_t i = 0; i < n; i++)                                                               \
      {                                                                                            \
        x[i % n_states] += 1e-9;                                                                   \
        (void) bench_##name##_derivatives (&name##_generated, 0.5, x, xdot);                       \
      }                                                                                            \
  }                                                                                                \
  static void run_by_hand_##name (uint64_t n, double *x, double *xdot)                             \
  {                                                                                                \
    for (uint64_t i = 0; i < n; i++)                                                               \
      {                                                                                            \
        x[i % n_states] += 1e-9;                                                                   \
        (void) hand_##name (&name##_by_hand, 0.5, x, xdot);                                        \
      }                                                                                            \
  }

EXAMPLE (pendulum, 2, Bench_pendulum)
EXAMPLE (lorenz, 3, Bench_lorenz)
EXAMPLE (van_der_pol, 2, Bench_van_der_pol)
EXAMPLE (dc_motor, 4, Bench_dc_motor)
EXAMPLE (sampled, 1, Bench_sampled)

#define ROW(name, n_states)                                                                        \
  {                                                                                                \
#name, n_states, run_generated_##name, run_by_hand_##name                                      \
  }

const GeneratedExample generated_examples[] = {
  ROW (pendulum, 2), ROW (lorenz, 3),  ROW (van_der_pol, 2),
  ROW (dc_motor, 4), ROW (sampled, 1), { 0 },
};

void
generated_init (void)
{
  bench_pendulum_init (&pendulum_generated);
  bench_lorenz_init (&lorenz_generated);
  bench_van_der_pol_init (&van_der_pol_generated);
  bench_dc_motor_init (&dc_motor_generated);
  bench_sampled_init (&sampled_generated);
  copy_parameters (&pendulum_generated.row.p, &lorenz_generated.row.p, &dc_motor_generated.row.p);
  van_der_pol_by_hand = van_der_pol_generated.row.p.Mu_gain;
  sampled_by_hand = sampled_generated.row.d.Hold_x = 0.75;
}
