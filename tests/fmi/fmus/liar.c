/* An FMU that lies about one thing, which its parameter chooses: x1' = -x1 + u1, y = x1 + u1.
 * Variables: 0 time, 1 x1, 2 der (x1), 3 y, 4 u1, 5 u2, 6 lie (integer). Its description says that
 * y and der (x1) depend on x1 and u1, with a constant factor, that it has directional derivatives,
 * and that its state can be saved. */
#include "frame.h"

#define TOKEN "{weir-test-liar}"
#define N_STATES 1
#define N_INDICATORS 0

enum {
  NO_LIE,
  OUTPUT_READS_U2,
  DERIVATIVE_READS_U2,
  FACTOR_CHANGES,          /* y = x1 + u1^2 */
  DERIVATIVES_ARE_WRONG,   /* directional ones: twice as much */
  NEVER_THE_SAME,          /* y drifts with each calculation */
  STALE_AFTER_DERIVATIVES, /* y is of the last time that something was set before der (x1) was got
                            */
  FORGETS_A_PART,          /* restoring leaves x1 */
};

struct Model {
  Frame frame;
  double x[1], xdot[1], y, u1, u2, drift;
  int32_t lie;
};

#define FORGETS(m, old)                                                                            \
  if ((m)->lie == FORGETS_A_PART)                                                                  \
  (m)->x[0] = (old)->x[0]

static void
set_start (Model *m)
{
  m->x[0] = 1;
#ifdef WEIR_LIE
  m->lie = WEIR_LIE;
#endif
}

static Place
find (Model *m, uint32_t ref)
{
  double *places[] = { &m->frame.time, &m->x[0], &m->xdot[0], &m->y, &m->u1, &m->u2 };

  if (ref == 6)
    return (Place) { I32, &m->lie, 1 };
  return (Place) { F64, ref < 6 ? places[ref] : NULL, 1 };
}

static double *
get_states (Model *m)
{
  return m->x;
}

static double *
get_derivatives (Model *m)
{

  if (m->lie == STALE_AFTER_DERIVATIVES)
    m->y = -1; /* a temporary of the derivatives lies there now */
  return m->xdot;
}

static double *
get_indicators (Model *m)
{
  return m->x;
}

static WeirFmiStatus
calculate (Model *m)
{
  m->xdot[0] = -m->x[0] + m->u1 + (m->lie == DERIVATIVE_READS_U2 ? m->u2 : 0);
  m->y = m->x[0] + (m->lie == FACTOR_CHANGES ? m->u1 * m->u1 : m->u1);
  if (m->lie == OUTPUT_READS_U2)
    m->y += m->u2;
  if (m->lie == NEVER_THE_SAME)
    m->y += m->drift += 1e-9;
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
  double sign = unknown == 2 && known == 1 ? -1 : 1;

  *factor = known == 1 || known == 4 ? sign : 0;
  if (m->lie == DERIVATIVES_ARE_WRONG)
    *factor *= 2;
  return unknown == 2 || unknown == 3;
}

#include "frame-functions.h"
