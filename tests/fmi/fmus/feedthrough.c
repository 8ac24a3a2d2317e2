/* An output for an input of each type, the same value. Variables: 0 time; inputs 1 to 14, of the
 * types in the order of frame.h's table without clocks, then an enumeration (14); outputs are the
 * inputs' numbers plus 100; 30 and 130: three numbers each (3.0). 2.0 has 2, 7, 11, 12 and 14. */
#include "frame.h"

#define TOKEN "{weir-test-feedthrough}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)

typedef struct {
  float f32;
  double f64, list[3];
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64, enumeration;
  uint64_t u64;
  bool boolean;
  char string[TEXT_BYTES];
  Binary binary;
} Values;

struct Model {
  Frame frame;
  Values in, out;
  double nothing[1];
};

static void
set_start (Model *m)
{
  strcpy (m->in.string, "Set me!");
  m->in.enumeration = 1;
}

static Place
find (Model *m, uint32_t ref)
{
  Values *v = ref >= 100 ? &m->out : &m->in;

  switch (ref % 100)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { F32, &v->f32, 1 };
    case 2:
      return (Place) { F64, &v->f64, 1 };
    case 3:
      return (Place) { I8, &v->i8, 1 };
    case 4:
      return (Place) { U8, &v->u8, 1 };
    case 5:
      return (Place) { I16, &v->i16, 1 };
    case 6:
      return (Place) { U16, &v->u16, 1 };
    case 7:
      return (Place) { I32, &v->i32, 1 };
    case 8:
      return (Place) { U32, &v->u32, 1 };
    case 9:
      return (Place) { I64, &v->i64, 1 };
    case 10:
      return (Place) { U64, &v->u64, 1 };
    case 11:
      return (Place) { BOOL, &v->boolean, 1 };
    case 12:
      return (Place) { STRING, v->string, 1 };
    case 13:
      return (Place) { BINARY, &v->binary, 1 };
    case 14:
      return (Place) { I64, &v->enumeration, 1 };
    case 30:
      return (Place) { F64, v->list, 3 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  m->out = m->in;
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
  *factor = unknown == known + 100;
  return true;
}

#include "frame-functions.h"
