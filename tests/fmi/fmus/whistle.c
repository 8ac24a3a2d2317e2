/* A clock that the FMU itself ticks, 3.0: x grows with the input u, and each time that it reaches
 * the next quarter the output clock 10 ticks, within a step. Clocked outputs: 11, how often; 12,
 * when it did last. */
#include "frame.h"

#define TOKEN "{weir-test-whistle}"
#define N_STATES 1
#define N_INDICATORS 1
#define INDICATORS(m) (m)->z

struct Model {
  Frame frame;
  double x[1], xdot[1], z[1];
  double u, level, last;
  int32_t n;
  bool ticks;
};

static void
set_start (Model *m)
{
  m->u = 0.75;
  m->level = 0.25;
  m->last = -1;
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { F64, m->x, 1 };
    case 2:
      return (Place) { F64, m->xdot, 1 };
    case 3:
      return (Place) { F64, &m->u, 1 };
    case 10:
      return (Place) { CLOCK, &m->ticks, 1 };
    case 11:
      return (Place) { I32, &m->n, 1 };
    case 12:
      return (Place) { F64, &m->last, 1 };
    case 1000:
      return (Place) { F64, m->z, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->xdot[0] = m->u;
  if (m->frame.mode == EVENT && m->x[0] >= m->level)
    {
      m->ticks = true;
      m->n++;
      m->last = m->frame.time;
      m->level += 0.25;
    }
  m->z[0] = m->x[0] >= m->level ? 1 : m->x[0] - m->level;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  WeirFmiStatus status = calculate (m);

  m->ticks = false;
  return status;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
