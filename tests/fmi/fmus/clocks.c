/* Clocks of 3.0: a periodic input clock (10) at which `count` goes up, and an input clock (11) that
 * the FMU sets the time of, when it is to tick next. Variables: 0 time, 1 count (integer), 2 total
 * (how many ticks of either), 12: an output clock, which ticks when count is even. */
#include "frame.h"

#define TOKEN "{weir-test-clocks}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define INTERVAL(m, ref) ((ref) == 11 ? 0.5 * (1 + (m)->total) : 0)

struct Model {
  Frame frame;
  int32_t count, total;
  bool periodic, counted, even;
  double nothing[1];
};

static void
set_start (Model *m)
{
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { I32, &m->count, 1 };
    case 2:
      return (Place) { I32, &m->total, 1 };
    case 10:
      return (Place) { CLOCK, &m->periodic, 1 };
    case 11:
      return (Place) { CLOCK, &m->counted, 1 };
    case 12:
      return (Place) { CLOCK, &m->even, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

/* In event mode, with clocks that tick. */
static WeirFmiStatus
calculate (Model *m)
{
  m->even = m->periodic && (m->count + 1) % 2 == 0;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  m->count += m->periodic;
  m->total += m->periodic + m->counted;
  m->periodic = m->counted = false;
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
