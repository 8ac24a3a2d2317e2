/* A ball that bounces: two states, one state event, jumps; after its last bounce it lies still.
 * Variables: 0 time, 1 h, 2 der (h), 3 v, 4 der (v), 5 g, 6 e. */
#include "frame.h"

#define TOKEN "{weir-test-ball}"
#define N_STATES 2
#define N_INDICATORS 1
#define INDICATORS(m) (m)->z
#define IS_FIXED(ref) ((ref) == 5)
#define IS_TUNABLE(ref) ((ref) == 6)

struct Model {
  Frame frame;
  double x[2], xdot[2], z[1], g, e;
};

static void
set_start (Model *m)
{
  m->x[0] = 1;
  m->g = -9.81;
  m->e = 0.7;
}

static Place
find (Model *m, uint32_t ref)
{
  double *places[] = { &m->frame.time, &m->x[0], &m->xdot[0], &m->x[1], &m->xdot[1], &m->g, &m->e };

  return (Place) { F64, ref < 7 ? places[ref] : NULL, 1 };
}

static WeirFmiStatus
calculate (Model *m)
{
  m->xdot[0] = m->x[1];
  m->xdot[1] = m->g;
  m->z[0] = m->x[0] == 0 && m->x[1] == 0 ? 1 : m->x[0];
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  if (m->x[0] <= 0 && m->x[1] < 0)
    {
      m->x[0] = 2.2250738585072014e-308;
      m->x[1] = -m->e * m->x[1];
      if (m->x[1] < 0.1)
        m->x[1] = m->g = 0;
      info->values_of_continuous_states_changed = 1;
    }
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  *factor = unknown == 2 && known == 3;
  return unknown == 2 || unknown == 4;
}

#include "frame-functions.h"
