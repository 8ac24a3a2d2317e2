/* Reference runs. See run.h. */
#include "reference/run.h"

#include <math.h>
#include <string.h>

void
reference_run_van_der_pol (const double *x, double *xdot)
{
  xdot[0] = x[1];
  xdot[1] = 1.5 * ((1 - x[0] * x[0]) * x[1]) - x[0];
}

void
reference_run_pendulum (const double *x, double *xdot)
{
  xdot[0] = x[1];
  xdot[1] = -9.81 * sin (x[0]) - 0.1 * x[1];
}

void
reference_run_lorenz (const double *x, double *xdot)
{
  xdot[0] = 10 * (x[1] - x[0]);
  xdot[1] = x[0] * (28 - x[2]) - x[1];
  xdot[2] = x[0] * x[1] - 8.0 / 3 * x[2];
}

enum { N_STAGES = 7 };

static const double a[N_STAGES][N_STAGES] = {
  { 0 },
  { 1.0 / 5 },
  { 3.0 / 40, 9.0 / 40 },
  { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
  { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
  { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
  { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 },
};
static const double e[N_STAGES] = { 71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40 };

static double
norm (uint32_t n, const double *v, const double *x, const double *y, double relative,
      double absolute)
{
  double sum = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      double scaled = v[i] / (relative * fmax (fabs (x[i]), fabs (y[i])) + absolute);

      sum += scaled * scaled;
    }
  return sqrt (sum / n);
}

static double
first_step (ReferenceRhs rhs, uint32_t n, const double *x, const double *k, double most,
            double relative, double absolute)
{
  double trial[REFERENCE_MAX_STATES], after[REFERENCE_MAX_STATES];
  double size = norm (n, x, x, x, relative, absolute);
  double slope = norm (n, k, x, x, relative, absolute), bend;
  double probe = fmin (size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, most);

  for (uint32_t i = 0; i < n; i++)
    trial[i] = x[i] + probe * k[i];
  rhs (trial, after);
  for (uint32_t i = 0; i < n; i++)
    after[i] -= k[i];
  bend = norm (n, after, x, x, relative, absolute) / probe;
  return fmin (fmin (100 * probe, pow (0.01 / fmax (slope, bend), 1.0 / 5)), most);
}

uint64_t
reference_dormand_prince (ReferenceRhs rhs, uint32_t n, double *x, double until, double relative,
                          double absolute)
{
  double k[N_STAGES][REFERENCE_MAX_STATES], trial[REFERENCE_MAX_STATES];
  double t = 0, h, before = 1e-4;
  uint64_t steps = 0;
  int was_rejected = 0;

  rhs (x, k[0]);
  h = first_step (rhs, n, x, k[0], until, relative, absolute);
  while (t < until)
    {
      int reaches = t + h * 1.01 >= until;
      double step = reaches ? until - t : h, error[REFERENCE_MAX_STATES], size, factor;

      for (uint32_t s = 1; s < N_STAGES; s++)
        {
          for (uint32_t i = 0; i < n; i++)
            {
              double sum = 0;

              for (uint32_t j = 0; j < s; j++)
                sum += a[s][j] * k[j][i];
              trial[i] = x[i] + step * sum;
            }
          rhs (trial, k[s]);
        }
      for (uint32_t i = 0; i < n; i++)
        {
          error[i] = 0;
          for (uint32_t j = 0; j < N_STAGES; j++)
            error[i] += e[j] * k[j][i];
          error[i] *= step;
        }
      size = norm (n, error, x, trial, relative, absolute);
      if (!(size <= 1))
        {
          h = step * fmax (0.2, 0.9 / pow (size, 0.2 - 0.03));
          was_rejected = 1;
          continue;
        }
      factor = 0.9 * pow (before, 0.04) / pow (fmax (size, 1e-10), 0.2 - 0.03);
      h = step * fmin (fmax (factor, 0.2), was_rejected ? 1.0 : 10.0);
      before = fmax (size, 1e-4);
      was_rejected = 0;
      memcpy (x, trial, n * sizeof *x);
      memcpy (k[0], k[N_STAGES - 1], n * sizeof *x);
      t = reaches ? until : t + step;
      steps++;
    }
  return steps;
}
