/* A counter that goes up each second, by time events, and ends the run at 10. No states.
 * Variables: 0 time, 1 counter (integer). */
#include "frame.h"

#define TOKEN "{weir-test-stairs}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define HAS_EVENT(m) ((m)->frame.time >= (m)->next)

struct Model {
  Frame frame;
  int32_t counter;
  double next;
};

static void
set_start (Model *m)
{
  m->counter = 1;
  m->next = 1;
}

static Place
find (Model *m, uint32_t ref)
{
  if (ref == 0)
    return (Place) { F64, &m->frame.time, 1 };
  return (Place) { I32, ref == 1 ? &m->counter : NULL, 1 };
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
      m->counter++;
      m->next += 1;
    }
  info->terminate_simulation = m->counter >= 10;
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
