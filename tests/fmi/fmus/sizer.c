/* Arrays whose sizes a structural parameter gives, 3.0: x' = A u - k x with n states, y = x + bias,
 * and sum, of all y. Variables: 0 time; 1 n, the structural parameter, from 1 to 8, which is set in
 * configuration mode alone; 2 k, which can be tuned; 3 x, 4 der (x), 5 u, 6 y, 7 bias, all of n
 * elements; 8 A, n by n; 9 sum. Where n is 7 it refuses, where it is 8 it has one state less than
 * it should. */
#include "frame.h"

#define TOKEN "{weir-test-sizer}"
#define MOST 8
#define N_STATES MOST /* at most */
#define N_INDICATORS 0
#define COUNT_STATES(m) ((m)->n < MOST ? (size_t) (m)->n : MOST - 1)
#define IS_TUNABLE(ref) ((ref) == 2)
#define IS_STRUCTURAL(ref) ((ref) == 1)
#define TAKES_STRUCTURE(m) ((m)->n != 7)

struct Model {
  Frame frame;
  uint64_t n;
  double k, x[MOST], xdot[MOST], u[MOST], y[MOST], bias[MOST], a[MOST * MOST], sum;
};

static void
set_start (Model *m)
{
  m->n = 2;
  m->k = 1;
  m->x[0] = 1;
  m->x[1] = 2;
  m->a[0] = m->a[3] = 1;
  for (int i = 0; i < MOST; i++)
    m->bias[i] = 0.5;
}

static Place
find (Model *m, uint32_t ref)
{
  double *arrays[] = { m->x, m->xdot, m->u, m->y, m->bias };

  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { U64, &m->n, 1 };
    case 2:
      return (Place) { F64, &m->k, 1 };
    case 8:
      return (Place) { F64, m->a, m->n * m->n };
    case 9:
      return (Place) { F64, &m->sum, 1 };
    default:
      return (Place) { F64, ref < 8 ? arrays[ref - 3] : NULL, m->n };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->sum = 0;
  for (uint64_t i = 0; i < m->n; i++)
    {
      m->xdot[i] = -m->k * m->x[i];
      for (uint64_t j = 0; j < m->n; j++)
        m->xdot[i] += m->a[i * m->n + j] * m->u[j];
      m->y[i] = m->x[i] + m->bias[i];
      m->sum += m->y[i];
    }
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
