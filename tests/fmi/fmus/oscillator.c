/* Van der Pol's oscillator, driven: x1' = x2, x2' = mu (1 - x1^2) x2 - x1 + u, y = x1 + u.
 * Variables: 0 time, 1 x1, 2 der (x1), 3 x2, 4 der (x2), 5 mu, 6 u, 7 y. With WEIR_STIFF it is the
 * same with mu = 1000. */
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

#include "frame-functions.h"
