/* Programs as code made at run time: instruction by instruction what program-execute.c does.
 *
 * Where both operands of a sum or product are no numbers, which of them is handed on is up to the C
 * compiler, for each form of an instruction; so the interpreter is asked, once.
 */
#include "equations/programs/program-native.h"

#include "equations/programs/program-private.h"

#include <string.h>

#define MOST_INSTRUCTIONS 100000

/* --- The order of operands ------------------------------------------------------------------- */

typedef struct {
  gboolean product; /* b comes before a */
  gboolean sum;     /* what is added comes before the product, or b before a */
} Order;

enum { SLOT_ONE, SLOT_A, SLOT_B, SLOT_C, SLOT_LAST, SLOT_RESULT, N_SLOTS };

/* What the interpreter gives for one instruction of @form. */
static guint64
ask (guint32 op, guint32 form, guint32 last, double a, double b, double c)
{
  struct {
    WeirProgram program;
    WeirInstruction code[3];
    guint32 output[2];
  } room = { .program = {
                 .n_inputs = SLOT_LAST, .n_outputs = 1, .n_slots = N_SLOTS, .n_instructions = 2 } };
  double in[] = { 1.0, a, b, c }, out, work[N_SLOTS];
  guint64 bits;

  G_STATIC_ASSERT (sizeof room.program % sizeof (WeirInstruction) % 4 == 0);
  /* Before it one whose result is the operand that the form has in a register. */
  room.code[0] = (WeirInstruction) { WEIR_OP_IF, WEIR_OP_IF, SLOT_LAST, SLOT_ONE, last, SLOT_ONE };
  room.code[1] = (WeirInstruction) { (guint16) op, (guint16) form, SLOT_RESULT,
                                     SLOT_A,       SLOT_B,         SLOT_C };
  room.code[2] = (WeirInstruction) { .op = WEIR_CODE_END, .form = WEIR_CODE_END };
  room.output[0] = SLOT_RESULT;
  weir_program_execute (&room.program, in, &out, work);
  memcpy (&bits, &out, sizeof bits);
  return bits;
}

static Order
find_order (guint32 op, guint32 form)
{
  const guint64 bits[] = { G_GUINT64_CONSTANT (0x7ff8000000000001),
                           G_GUINT64_CONSTANT (0x7ff8000000000002) };
  guint32 last = form == WEIR_CODE_MUL_ADD_LAST_C || form == WEIR_CODE_SUB_MUL_LAST_C ? SLOT_C
                 : form == WEIR_CODE_FROM_LAST                                        ? SLOT_B
                                                                                      : SLOT_A;
  double first, second;
  gboolean is_fused = op == WEIR_CODE_MUL_ADD || op == WEIR_CODE_MUL_SUB || op == WEIR_CODE_SUB_MUL;

  memcpy (&first, &bits[0], sizeof first);
  memcpy (&second, &bits[1], sizeof second);
  return (Order) { ask (op, form, last, first, second, 1.0) == bits[1],
                   is_fused ? ask (op, form, last, first, 1.0, second) == bits[1]
                            : ask (op, form, last, first, second, 1.0) == bits[1] };
}

static const Order *
get_orders (void)
{
  static const struct {
    guint32 op, form;
  } forms[] = {
    { WEIR_OP_ADD, WEIR_OP_ADD },
    { WEIR_OP_ADD, WEIR_CODE_ADD_LAST },
    { WEIR_OP_MUL, WEIR_OP_MUL },
    { WEIR_OP_MUL, WEIR_CODE_MUL_LAST },
    { WEIR_CODE_MUL_ADD, WEIR_CODE_MUL_ADD },
    { WEIR_CODE_MUL_ADD, WEIR_CODE_MUL_ADD_LAST },
    { WEIR_CODE_MUL_ADD, WEIR_CODE_MUL_ADD_LAST_C },
    { WEIR_CODE_MUL_SUB, WEIR_CODE_MUL_SUB },
    { WEIR_CODE_MUL_SUB, WEIR_CODE_MUL_SUB_LAST },
    { WEIR_CODE_SUB_MUL, WEIR_CODE_SUB_MUL },
    { WEIR_CODE_SUB_MUL, WEIR_CODE_SUB_MUL_LAST },
    { WEIR_CODE_SUB_MUL, WEIR_CODE_SUB_MUL_LAST_C },
  };
  static Order orders[WEIR_CODE_END];
  static gsize are_known;

  if (g_once_init_enter (&are_known))
    {
      for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
        orders[forms[i].form] = find_order (forms[i].op, forms[i].form);
      g_once_init_leave (&are_known, 1);
    }
  return orders;
}

/* --- Building -------------------------------------------------------------------------------- */

typedef struct {
  WeirNativeBuilder *b;
  WeirNativeValue *slots;
  const Order *order; /* of the instruction in hand */
  WeirNativeValue x, y, z;
  guint32 *output_of, *next_output; /* of a slot, and of an output in the same: + 1; 0 = none */
  guint32 *last_write;              /* of a slot: instruction */
  WeirProgramStore store;
  gpointer data;
} Making;

/* The slot has the value that it keeps. */
static void
store_outputs (const Making *m, guint32 slot)
{
  for (guint32 o = m->output_of[slot]; o != 0; o = m->next_output[o - 1])
    m->store (m->data, o - 1, m->slots[slot]);
}

static WeirNativeValue
number (const Making *m, double value)
{
  return weir_native_number (m->b, value);
}

static WeirNativeValue
either (const Making *m, WeirNativeBinary op, gboolean is_swapped, WeirNativeValue a,
        WeirNativeValue b)
{
  return is_swapped ? weir_native_binary (m->b, op, b, a) : weir_native_binary (m->b, op, a, b);
}

static WeirNativeValue
product (const Making *m)
{
  return either (m, WEIR_NATIVE_MUL, m->order->product, m->x, m->y);
}

/* 1 or 0 */
static WeirNativeValue
truth (const Making *m, WeirNativeValue mask)
{
  return weir_native_binary (m->b, WEIR_NATIVE_AND, mask, number (m, 1.0));
}

static WeirNativeValue
compare (const Making *m, WeirNativeBinary op, WeirNativeValue a, WeirNativeValue b)
{
  return weir_native_binary (m->b, op, a, b);
}

static WeirNativeValue
is_true (const Making *m, WeirNativeValue a)
{
  return compare (m, WEIR_NATIVE_NE, a, number (m, 0.0));
}

/* Not a number stays not a number. */
static WeirNativeValue
extreme (const Making *m, WeirNativeValue less, WeirNativeValue greater)
{
  WeirNativeValue better = compare (m, WEIR_NATIVE_LT, less, greater);
  WeirNativeValue is_none = compare (m, WEIR_NATIVE_NE, m->x, m->x);

  return weir_native_select (m->b, weir_native_binary (m->b, WEIR_NATIVE_OR, better, is_none), m->x,
                             m->y);
}

static WeirNativeValue
sign (const Making *m)
{
  WeirNativeValue zero = number (m, 0.0);
  WeirNativeValue rest = weir_native_select (m->b, compare (m, WEIR_NATIVE_LT, m->x, zero),
                                             number (m, -1.0), m->x);

  return weir_native_select (m->b, compare (m, WEIR_NATIVE_LT, zero, m->x), number (m, 1.0), rest);
}

/* What has no instruction of its own is called: each operation as the interpreter has it, by the
 * same compiler. */
#define DEFINE(op, n_operands, cost, expression)                                                   \
  static double calc_##op (double a, G_GNUC_UNUSED double b)                                       \
  {                                                                                                \
    G_GNUC_UNUSED double c = 0.0;                                                                  \
    return (expression);                                                                           \
  }
WEIR_FOREACH_OPERATION (DEFINE)

static gboolean
build_call (const Making *m, guint32 op, WeirNativeValue *result)
{
#define CASE(op, n_operands, cost, expression)                                                     \
  case op:                                                                                         \
    *result = weir_native_call_2 (m->b, calc_##op, m->x, n_operands > 1 ? m->y : m->x);            \
    return TRUE;
  switch (op)
    {
      WEIR_FOREACH_OPERATION (CASE)
    default:
      return FALSE;
    }
}

/* FALSE: it is none of these. */
static gboolean
build_operation (const Making *m, guint32 op, WeirNativeValue *result)
{
  WeirNativeBuilder *b = m->b;

  switch (op)
    {
    case WEIR_OP_NEG:
      *result = weir_native_negate (b, m->x);
      break;
    case WEIR_OP_NOT:
      *result = truth (m, compare (m, WEIR_NATIVE_EQ, m->x, number (m, 0.0)));
      break;
    case WEIR_OP_NO_EVENT:
      *result = m->x;
      break;
    case WEIR_OP_ABS:
      *result = weir_native_magnitude (b, m->x);
      break;
    case WEIR_OP_SIGN:
      *result = sign (m);
      break;
    case WEIR_OP_SQRT:
      *result = weir_native_root (b, m->x);
      break;
    case WEIR_OP_ADD:
      *result = either (m, WEIR_NATIVE_ADD, m->order->sum, m->x, m->y);
      break;
    case WEIR_OP_SUB:
      *result = weir_native_binary (b, WEIR_NATIVE_SUB, m->x, m->y);
      break;
    case WEIR_OP_MUL:
      *result = product (m);
      break;
    case WEIR_OP_DIV:
      *result = weir_native_binary (b, WEIR_NATIVE_DIV, m->x, m->y);
      break;
    case WEIR_OP_LT:
    case WEIR_OP_GT:
      *result = truth (m, op == WEIR_OP_LT ? compare (m, WEIR_NATIVE_LT, m->x, m->y)
                                           : compare (m, WEIR_NATIVE_LT, m->y, m->x));
      break;
    case WEIR_OP_LE:
    case WEIR_OP_GE:
      *result = truth (m, op == WEIR_OP_LE ? compare (m, WEIR_NATIVE_LE, m->x, m->y)
                                           : compare (m, WEIR_NATIVE_LE, m->y, m->x));
      break;
    case WEIR_OP_EQ:
    case WEIR_OP_NE:
      *result = truth (m,
                       compare (m, op == WEIR_OP_EQ ? WEIR_NATIVE_EQ : WEIR_NATIVE_NE, m->x, m->y));
      break;
    case WEIR_OP_AND:
    case WEIR_OP_OR:
      *result = truth (m,
                       weir_native_binary (b, op == WEIR_OP_AND ? WEIR_NATIVE_AND : WEIR_NATIVE_OR,
                                           is_true (m, m->x), is_true (m, m->y)));
      break;
    case WEIR_OP_MIN:
      *result = extreme (m, m->x, m->y);
      break;
    case WEIR_OP_MAX:
      *result = extreme (m, m->y, m->x);
      break;
    case WEIR_OP_IF:
      *result = weir_native_select (b, is_true (m, m->x), m->y, m->z);
      break;
    case WEIR_CODE_MUL_ADD:
      *result = either (m, WEIR_NATIVE_ADD, m->order->sum, product (m), m->z);
      break;
    case WEIR_CODE_MUL_SUB:
      *result = weir_native_binary (b, WEIR_NATIVE_SUB, product (m), m->z);
      break;
    case WEIR_CODE_SUB_MUL:
      *result = weir_native_binary (b, WEIR_NATIVE_SUB, m->z, product (m));
      break;
    default:
      return build_call (m, op, result);
    }
  return TRUE;
}

typedef struct {
  guint32 at; /* instruction that a jump goes to */
  guint32 label;
} Target;

static gboolean
build_code (const WeirProgram *self, Making *m, GArray *targets)
{
  const WeirInstruction *code = weir_program_code (self);
  const Order *orders = get_orders ();

  for (guint32 i = 0; i <= self->n_instructions; i++)
    {
      const WeirInstruction *instruction = &code[i];

      /* The last jump is the innermost. */
      while (targets->len > 0 && g_array_index (targets, Target, targets->len - 1).at == i)
        {
          weir_native_place_label (m->b, g_array_index (targets, Target, targets->len - 1).label);
          g_array_set_size (targets, targets->len - 1);
        }
      if (i == self->n_instructions)
        break;
      if (weir_instruction_is_jump (instruction))
        {
          Target target = { instruction->b,
                            weir_native_skip (m->b, m->slots[instruction->a],
                                              instruction->op == WEIR_CODE_SKIP_IF_ZERO) };

          g_array_append_val (targets, target);
          continue;
        }
      if (instruction->op == WEIR_OP_TABLE || instruction->op == WEIR_OP_SLOPE)
        return FALSE;
      m->order = &orders[instruction->form];
      m->x = m->slots[instruction->a];
      m->y = m->slots[instruction->b];
      m->z = m->slots[instruction->c];
      if (!build_operation (m, instruction->op, &m->slots[instruction->d]))
        return FALSE;
      if (m->last_write[instruction->d] == i)
        store_outputs (m, instruction->d);
    }
  return TRUE;
}

gboolean
weir_program_build (const WeirProgram *self, WeirNativeBuilder *builder,
                    const WeirNativeValue *inputs, WeirProgramStore store, gpointer data)
{
  const double *constants = weir_program_constants (self);
  const guint32 *output_slots = weir_program_output_slots (self);
  guint32 first = self->n_constants + self->n_inputs;
  g_autofree WeirNativeValue *slots = g_new0 (WeirNativeValue, self->n_slots + 1);
  g_autofree guint32 *output_of = g_new0 (guint32, self->n_slots + 1);
  g_autofree guint32 *next_output = g_new0 (guint32, self->n_outputs + 1);
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (Target));
  g_autofree guint32 *last_write = g_new0 (guint32, self->n_slots + 1);
  Making making = { .b = builder,
                    .slots = slots,
                    .output_of = output_of,
                    .next_output = next_output,
                    .last_write = last_write,
                    .store = store,
                    .data = data };

  if (self->n_instructions > MOST_INSTRUCTIONS)
    return FALSE;
  for (guint32 i = 0; i < self->n_constants; i++)
    slots[i] = weir_native_number (builder, constants[i]);
  for (guint32 i = 0; i < self->n_inputs; i++)
    slots[self->n_constants + i] = inputs[i];
  for (guint32 o = 0; o < self->n_outputs; o++)
    {
      next_output[o] = output_of[output_slots[o]];
      output_of[output_slots[o]] = o + 1;
    }
  for (guint32 i = 0; i < self->n_instructions; i++)
    if (!weir_instruction_is_jump (&weir_program_code (self)[i]))
      last_write[weir_program_code (self)[i].d] = i;
  if (!build_code (self, &making, targets))
    return FALSE;
  for (guint32 slot = 0; slot < first; slot++)
    store_outputs (&making, slot);
  return TRUE;
}
