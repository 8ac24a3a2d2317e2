/* Once a second it takes the sum of its two inputs and adds k: y = u1 + u2 + k, as the simulators
 * of the worked example of schedules do. No states. Variables: 0 time, 1 u1, 2 u2, 3 y, 4 k. */
#include "frame.h"

#define TOKEN "{weir-test-adder}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define HAS_EVENT(m) ((m)->frame.time >= (m)->next)

struct Model {
  Frame frame;
  double u1, u2, y, k, next;
};

static void
set_start (Model *m)
{
  m->k = 1;
  m->next = 1;
}

static Place
find (Model *m, uint32_t ref)
{
  double *const places[] = { &m->frame.time, &m->u1, &m->u2, &m->y, &m->k };

  return (Place) { F64, ref < sizeof places / sizeof *places ? places[ref] : NULL, 1 };
}

static WeirFmiStatus
calculate (Model *m)
{
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  if (m->frame.time >= m->next)
    {
      m->y = m->u1 + m->u2 + m->k;
      m->next += 1;
    }
  info->next_event_time_defined = 1;
  info->next_event_time = m->next;
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
