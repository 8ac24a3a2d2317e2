/* Van der Pol's oscillator, driven: x1' = x2, x2' = mu (1 - x1^2) x2 - x1 + u, y = x1 + u.
 * Variables: 0 time, 1 x1, 2 der (x1), 3 x2, 4 der (x2), 5 mu, 6 u, 7 y. With WEIR_STIFF it is the
 * same with mu = 1000; in co-simulation it then makes implicit steps of lengths of its own. */
#include "frame.h"

#ifdef WEIR_STIFF
#define TOKEN "{weir-test-stiff}"
#define MU 1000
#else
#define TOKEN "{weir-test-oscillator}"
#define MU 1
#endif
#define N_STATES 2
#define N_INDICATORS 0

struct Model {
  Frame frame;
  double x[2], xdot[2], mu, u, y;
  double own_step; /* the next one; 0: there was none */
};

static void
set_start (Model *m)
{
  m->x[0] = 2;
  m->mu = MU;
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { F64, &m->x[0], 1 };
    case 2:
      return (Place) { F64, &m->xdot[0], 1 };
    case 3:
      return (Place) { F64, &m->x[1], 1 };
    case 4:
      return (Place) { F64, &m->xdot[1], 1 };
    case 5:
      return (Place) { F64, &m->mu, 1 };
    case 6:
      return (Place) { F64, &m->u, 1 };
    case 7:
      return (Place) { F64, &m->y, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->xdot[0] = m->x[1];
  m->xdot[1] = m->mu * (1 - m->x[0] * m->x[0]) * m->x[1] - m->x[0] + m->u;
  m->y = m->x[0] + m->u;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  return WEIR_FMI_OK;
}

/* Of der (x2) and y. */
static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  *factor = 0;
  if (unknown == 2)
    *factor = known == 3;
  else if (unknown == 4)
    *factor = known == 1   ? -2 * m->mu * m->x[0] * m->x[1] - 1
              : known == 3 ? m->mu * (1 - m->x[0] * m->x[0])
                           : known == 6;
  else if (unknown == 7)
    *factor = known == 1 || known == 6;
  return unknown == 2 || unknown == 4 || unknown == 7;
}

#ifdef WEIR_STIFF
#define TOLERANCE 1e-9 /* of a step; x1 is near 2, x2 reaches 1300 */
#define N_ROWS 4

/* @n steps of the implicit Euler method from @from on, @step in all. False: one has no solution. */
static bool
make_implicit_steps (const Model *m, const double *from, double step, int n, double *x)
{
  double h = step / n;

  x[0] = from[0];
  x[1] = from[1];
  for (int i = 0; i < n; i++)
    {
      const double begin[2] = { x[0], x[1] };
      double change = INFINITY;

      for (int k = 0; k < 10 && !(change < 1e-13); k++)
        {
          double slope = m->mu * (1 - x[0] * x[0]);
          double r0 = x[0] - begin[0] - h * x[1];
          double r1 = x[1] - begin[1] - h * (slope * x[1] - x[0] + m->u);
          double c = h * (2 * m->mu * x[0] * x[1] + 1), d = 1 - h * slope;
          double determinant = d + h * c;
          double d0 = (d * r0 + h * r1) / determinant, d1 = (r1 - c * r0) / determinant;

          x[0] -= d0;
          x[1] -= d1;
          change = (fabs (d0) + fabs (d1)) / (1 + fabs (x[0]) + fabs (x[1]));
        }
      if (!(change < 1e-10))
        return false;
    }
  return true;
}

/* 1 to N_ROWS steps, extrapolated to steps of length 0. The error, in tolerances. */
static double
extrapolate (const Model *m, double step, double *x)
{
  double rows[N_ROWS][2], error = 0;

  for (int j = 0; j < N_ROWS; j++)
    if (!make_implicit_steps (m, m->x, step, j + 1, rows[j]))
      return INFINITY;
  for (int i = 0; i < 2; i++)
    {
      double last = 0;

      for (int k = 1; k < N_ROWS; k++)
        for (int j = N_ROWS - 1; j >= k; j--)
          {
            last = rows[j][i];
            rows[j][i] += (rows[j][i] - rows[j - 1][i]) * (j + 1 - k) / k;
          }
      x[i] = rows[N_ROWS - 1][i];
      error = fmax (error, fabs (x[i] - last) / (TOLERANCE * (1 + fabs (x[i]))));
    }
  return error;
}

static WeirFmiStatus
advance (Model *m, double end)
{
  double t = m->frame.time;

  if (m->own_step == 0)
    m->own_step = 1e-6;
  while (t < end)
    {
      bool is_last = m->own_step >= end - t;
      double step = is_last ? end - t : m->own_step, x[2], error = extrapolate (m, step, x);
      double factor = 0.9 * pow (fmax (error, 1e-10), -1.0 / N_ROWS);

      if (step < 1e-13)
        return WEIR_FMI_ERROR;
      if (error <= 1)
        {
          m->x[0] = x[0];
          m->x[1] = x[1];
          t = is_last ? end : t + step;
        }
      if (error > 1 || !is_last)
        m->own_step = step * fmin (fmax (factor, 0.1), 4);
    }
  m->frame.time = end;
  return WEIR_FMI_OK;
}
#define ADVANCE advance
#endif

#include "frame-functions.h"
