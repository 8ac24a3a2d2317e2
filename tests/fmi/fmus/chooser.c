/* What one may choose of each kind before a run: y = gain * (on ? gear : -gear) + count + the
 * length of name + the sum of bytes + trim. Variables: 0 time, parameters 1 gain, 2 count, 3 on, 4
 * gear (an enumeration), 5 name (a text), 6 bytes (3.0), 8 trim, which can be tuned, and 10 with a
 * long name, which does nothing; outputs 7 y and 9 label, which is the name. */
#include "frame.h"

#define TOKEN "{weir-test-chooser}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define IS_FIXED(ref) (((ref) >= 1 && (ref) <= 6) || (ref) == 10)
#define IS_TUNABLE(ref) ((ref) == 8)

struct Model {
  Frame frame;
  double gain, trim, stiffness, y;
  int32_t count;
  bool on;
  int64_t gear;
  char name[TEXT_BYTES];
  Binary bytes;
};

static void
set_start (Model *m)
{
  m->gain = 2;
  m->count = 3;
  m->on = true;
  m->gear = 1;
  strcpy (m->name, "abc");
  m->bytes = (Binary) { 2, { 1, 2 } };
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { F64, &m->gain, 1 };
    case 2:
      return (Place) { I32, &m->count, 1 };
    case 3:
      return (Place) { BOOL, &m->on, 1 };
    case 4:
      return (Place) { I64, &m->gear, 1 };
    case 5:
    case 9:
      return (Place) { STRING, m->name, 1 };
    case 6:
      return (Place) { BINARY, &m->bytes, 1 };
    case 7:
      return (Place) { F64, &m->y, 1 };
    case 8:
      return (Place) { F64, &m->trim, 1 };
    case 10:
      return (Place) { F64, &m->stiffness, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->y = m->gain * (double) (m->on ? m->gear : -m->gear) + m->count + (double) strlen (m->name)
         + m->trim;
  for (size_t i = 0; i < m->bytes.n && FMI_VERSION == 3; i++)
    m->y += m->bytes.bytes[i];
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
