/* x' = u - x, whose size it says anew at 1 s: a thousandth of what it was. Variables: 0 time, 1 x,
 * 2 der(x), 3 u, 4 y, which is x. */
#include "frame.h"

#define TOKEN "{weir-test-grower}"
#define N_STATES 1
#define N_INDICATORS 0
#define NOMINAL(m, i) ((m)->is_small ? 0.001 : 1)

struct Model {
  Frame frame;
  double x[1], xdot[1], u;
  bool is_small;
};

static void
set_start (Model *m)
{
  m->u = 1;
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
    case 4:
      return (Place) { F64, m->x, 1 };
    case 2:
      return (Place) { F64, m->xdot, 1 };
    case 3:
      return (Place) { F64, &m->u, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->xdot[0] = m->u - m->x[0];
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  bool was_small = m->is_small;

  m->is_small = m->frame.time >= 1;
  info->nominals_of_continuous_states_changed = m->is_small != was_small;
  info->next_event_time_defined = !m->is_small;
  info->next_event_time = 1;
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
