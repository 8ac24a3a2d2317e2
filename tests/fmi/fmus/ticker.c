/* Clocks of each kind, 3.0. Inputs: 10 ticks every quarter of a second, from the first on (by
 * counters); 11 every `period` (parameter 1, as the FMU says), an eighth later; 12 after 0.1 s,
 * then 0.2 s later, and so on; 13, 0.05 s after each second tick of 10; 14 is triggered. An output:
 * 15, which ticks with each second tick of 10. Clocked outputs: 20 to 23, how often 10 to 13 have
 * ticked; 24, when 12 ticked last; 26, what the input 25 has added up to at ticks of 14. The output
 * 2 is how many ticks there were of all. */
#include "frame.h"

#define TOKEN "{weir-test-ticker}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define INTERVAL(m, ref) get_interval (m, ref)
#define QUALIFIER(m, ref, interval) get_qualifier (m, ref)

struct Model {
  Frame frame;
  double period, sum, added, last;
  int32_t n[4], all;
  bool ticks[5], even, is_armed;
  double nothing[1];
};

static void
set_start (Model *m)
{
  m->period = 0.5;
}

static double
get_interval (Model *m, uint32_t ref)
{
  return ref == 11 ? m->period : ref == 12 ? 0.1 * (m->n[2] + 1) : ref == 13 ? 0.05 : 0;
}

/* Of what counts down it is said once. */
static WeirFmi3IntervalQualifier
get_qualifier (Model *m, uint32_t ref)
{
  bool was_armed = m->is_armed;

  if (ref != 13)
    return WEIR_FMI3_INTERVAL_CHANGED;
  m->is_armed = false;
  return was_armed ? WEIR_FMI3_INTERVAL_CHANGED : WEIR_FMI3_INTERVAL_NOT_YET_KNOWN;
}

static Place
find (Model *m, uint32_t ref)
{
  if (ref >= 10 && ref <= 14)
    return (Place) { CLOCK, &m->ticks[ref - 10], 1 };
  if (ref >= 20 && ref <= 23)
    return (Place) { I32, &m->n[ref - 20], 1 };
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { F64, &m->period, 1 };
    case 2:
      return (Place) { I32, &m->all, 1 };
    case 15:
      return (Place) { CLOCK, &m->even, 1 };
    case 24:
      return (Place) { F64, &m->last, 1 };
    case 25:
      return (Place) { F64, &m->added, 1 };
    case 26:
      return (Place) { F64, &m->sum, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

/* In event mode, when something is asked for: what the clocks clock, once a tick. */
static WeirFmiStatus
calculate (Model *m)
{
  if (m->frame.mode != EVENT)
    return WEIR_FMI_OK;
  for (int i = 0; i < 4; i++)
    m->n[i] += m->ticks[i];
  for (int i = 0; i < 5; i++)
    m->all += m->ticks[i];
  if (m->ticks[0])
    m->even = m->is_armed = m->n[0] % 2 == 0;
  if (m->ticks[2])
    m->last = m->frame.time;
  if (m->ticks[4])
    m->sum += m->added;
  memset (m->ticks, 0, sizeof m->ticks);
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  m->even = false;
  return calculate (m);
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
