/* From a list to instructions: which value is in which register when. See native-private.h.
 *
 * One pass. A value is computed where the list has it; operands that are in memory and needed once
 * more are read from there by the instruction itself. Where registers run short, the value whose
 * next use is farthest gives up its own: most lie in memory by then (they were loaded or stored),
 * the others go to the stack. At jumps, labels and calls all do.
 */
#include "native/native-private.h"

#include "base/simd.h"

#include <string.h>

#if WEIR_NATIVE_POSSIBLE

#define N_REGISTERS 16
#define ALIGNMENT 16 /* of a function's code: its constants need as much, but for wide ones */
#define NO_REGISTER 255

typedef enum { HOME_NONE, HOME_MEMORY, HOME_STACK, HOME_CONSTANT } HomeKind;

typedef struct {
  guint8 kind; /* HomeKind: where else than in a register it is */
  guint8 reg;  /* or NO_REGISTER */
  guint8 is_row;
  guint32 base, place;
  guint32 next_use, end_use; /* among the uses */
} Value;

typedef struct {
  const WeirNativeBuilder *list;
  const WeirNativeItem *items; /* the list's, or those with rows */
  guint32 n_items;
  gboolean has_rows;
  WeirAssembler assembler;
  Value *values;
  guint32 *uses;               /* items, by value */
  guint32 in[N_REGISTERS];     /* the value in it, or WEIR_NATIVE_NOTHING */
  guint16 pinned;              /* registers that the instruction in hand needs */
  guint32 n_stack;             /* values there */
  guint32 pending;             /* a store that waits for its neighbour; or WEIR_NATIVE_NOTHING */
  guint pair_in;               /* where the last two that were stored at once are; or NO_REGISTER */
  guint32 pair[2];             /* them */
  guint32 base_in_rax;         /* beyond those that have a register; or WEIR_NATIVE_NOTHING */
  const guint8 *base_register; /* of the first few */
  guint table_register;        /* where the others are */
  gboolean has_calls;
  guint slot;      /* bytes of a value on the stack */
  GArray *jumps;   /* WeirFix, by label */
  GArray *leaves;  /* Leave */
  guint32 *labels; /* where they are */
  gboolean has_failed;
} Emitter;

/* Where to go on in the function that the code stands in for. */
typedef struct {
  guint32 at;         /* of the jump's 4 bytes, from whose end is counted */
  WeirPlaceOf number; /* its argument */
} Leave;

static const guint8 registers_without_calls[] = { RDI, RSI, RDX, RCX },
                    registers_with_calls[] = { RBX, RBP, R12, R13 },
                    registers_of_usual[] = { RDI, RDX, RCX, RSI };
#define OWNER (self->has_calls ? R14 : R9) /* of code that stands in for another */
#define FOR_WORDS R10                      /* which nothing else is in */

/* --- Uses ------------------------------------------------------------------------------------ */

static gboolean
is_value (guint32 op)
{
  return op < WEIR_NATIVE_OP_STORE;
}

/* Finds out what is computed: what nothing uses is not. From the last to the first, for only then
 * is known whether what uses a value is used itself. Returns how much it is. */
static guint32
find_used (const GArray *items, guint8 *is_used)
{
  guint32 count = 0;

  for (guint32 i = items->len; i-- > 0;)
    {
      const WeirNativeItem *item = &g_array_index (items, WeirNativeItem, i);

      is_used[i] |= !is_value (item->op);
      count += is_used[i];
      for (guint k = 0; k < 3 && is_used[i]; k++)
        if (item->args[k] != WEIR_NATIVE_NOTHING)
          is_used[item->args[k]] = TRUE;
    }
  return count;
}

/* Counts what values are used for. */
static void
find_uses (Emitter *self, const guint8 *is_used)
{
  guint32 n = self->n_items, at = 0;

  for (guint32 i = 0; i < n; i++)
    for (guint k = 0; k < 3 && is_used[i]; k++)
      if (self->items[i].args[k] != WEIR_NATIVE_NOTHING)
        self->values[self->items[i].args[k]].end_use++;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 count = self->values[i].end_use;

      self->values[i].next_use = self->values[i].end_use = at;
      at += count;
    }
  self->uses = g_new (guint32, MAX (at, 1));
  for (guint32 i = 0; i < n; i++)
    for (guint k = 0; k < 3 && is_used[i]; k++)
      if (self->items[i].args[k] != WEIR_NATIVE_NOTHING)
        self->uses[self->values[self->items[i].args[k]].end_use++] = i;
}

static guint32
count_uses (const Value *value)
{
  return value->end_use - value->next_use;
}

/* --- Places ---------------------------------------------------------------------------------- */

static WeirPlaceOf
in_register (guint reg)
{
  return (WeirPlaceOf) { WEIR_IN_REGISTER, (guint8) reg, 0 };
}

/* A double at a base, which may have to be looked up. */
static WeirPlaceOf
in_memory (Emitter *self, guint32 base, guint32 place)
{
  gint32 at = (gint32) (place * sizeof (double));

  if (place >= (guint32) G_MAXINT32 / sizeof (double))
    self->has_failed = TRUE;
  self->has_failed |= base >= WEIR_NATIVE_BASES && self->list->unusual != NULL;
  if (base < WEIR_NATIVE_BASES)
    return (WeirPlaceOf) { WEIR_IN_MEMORY, self->base_register[base], at };
  if (self->base_in_rax != base)
    weir_assembler_load_word (&self->assembler, RAX, self->table_register,
                              (gint32) ((base - WEIR_NATIVE_BASES) * sizeof (double *)));
  self->base_in_rax = base;
  return (WeirPlaceOf) { WEIR_IN_MEMORY, RAX, at };
}

static WeirPlaceOf
get_home (Emitter *self, const Value *value)
{
  switch ((HomeKind) value->kind)
    {
    case HOME_MEMORY:
      return in_memory (self, value->base, value->place);
    case HOME_STACK:
      return (WeirPlaceOf) { WEIR_IN_MEMORY, RSP, (gint32) (value->place * self->slot) };
    case HOME_CONSTANT:
      return (WeirPlaceOf) { WEIR_IN_CONSTANTS, 0, (gint32) value->place };
    case HOME_NONE:
    default:
      g_assert_not_reached ();
    }
}

/* From a store on, the value is in memory. */
static void
set_home (Value *value, const WeirNativeItem *store)
{
  if (value->kind != HOME_NONE)
    return;
  value->kind = HOME_MEMORY;
  value->base = store->base;
  value->place = store->place;
}

/* --- Registers ------------------------------------------------------------------------------- */

/* For the instructions that follow. Returns what was before. */
static gboolean
set_width (Emitter *self, gboolean is_row)
{
  gboolean before = self->assembler.is_wide;

  self->assembler.is_wide = self->list->is_wide || is_row;
  return before;
}

/* Two neighbours in memory are stored at once: one store a cycle is what bounds code that stores
 * each of its values. The first waits in its register. */
static void
store_pending (Emitter *self)
{
  const WeirNativeItem *item;
  Value *value;
  WeirPlaceOf to;
  gboolean is_wide;

  if (self->pending == WEIR_NATIVE_NOTHING)
    return;
  item = &self->items[self->pending];
  value = &self->values[item->args[0]];
  self->pending = WEIR_NATIVE_NOTHING;
  to = in_memory (self, item->base, item->place);
  is_wide = set_width (self, item->is_row);
  weir_assembler_store (&self->assembler, value->reg, to.reg, to.at);
  self->assembler.is_wide = is_wide;
  set_home (value, item);
  if (count_uses (value) == 0)
    {
      self->in[value->reg] = WEIR_NATIVE_NOTHING;
      value->reg = NO_REGISTER;
    }
}

static gboolean
is_pending (const Emitter *self, guint32 v)
{
  return self->pending != WEIR_NATIVE_NOTHING && self->items[self->pending].args[0] == v;
}

/* Takes the value out of its register; it stays where else it is. */
static void
vacate (Emitter *self, guint reg)
{
  Value *value = &self->values[self->in[reg]];

  if (is_pending (self, self->in[reg]))
    {
      store_pending (self);
      if (value->reg == NO_REGISTER)
        return;
    }
  if (value->kind == HOME_NONE && count_uses (value) > 0)
    {
      gboolean is_wide = set_width (self, value->is_row);

      value->kind = HOME_STACK;
      value->place = self->n_stack++;
      weir_assembler_store (&self->assembler, reg, RSP, (gint32) (value->place * self->slot));
      self->assembler.is_wide = is_wide;
    }
  value->reg = NO_REGISTER;
  self->in[reg] = WEIR_NATIVE_NOTHING;
}

static void
vacate_all (Emitter *self)
{
  store_pending (self);
  self->pair_in = NO_REGISTER;
  for (guint reg = 0; reg < N_REGISTERS; reg++)
    if (self->in[reg] != WEIR_NATIVE_NOTHING)
      vacate (self, reg);
}

static guint
take_any_register (Emitter *self)
{
  guint32 farthest = 0;
  guint best = NO_REGISTER;

  for (guint reg = 0; reg < N_REGISTERS; reg++)
    {
      const Value *value;

      if ((self->pinned >> reg & 1) != 0)
        continue;
      if (self->in[reg] == WEIR_NATIVE_NOTHING)
        return reg;
      value = &self->values[self->in[reg]];
      if (count_uses (value) == 0 && is_pending (self, self->in[reg]))
        continue;
      if (count_uses (value) == 0)
        {
          vacate (self, reg);
          return reg;
        }
      if (best == NO_REGISTER || self->uses[value->next_use] > farthest)
        {
          best = reg;
          farthest = self->uses[value->next_use];
        }
    }
  vacate (self, best);
  return best;
}

static guint
take_register (Emitter *self)
{
  guint reg = take_any_register (self);

  if (reg == self->pair_in)
    self->pair_in = NO_REGISTER;
  return reg;
}

static void
put_in (Emitter *self, guint32 v, guint reg)
{
  self->in[reg] = v;
  self->values[v].reg = (guint8) reg;
}

/* The register with @v, for the instruction in hand. */
static guint
need_register (Emitter *self, guint32 v)
{
  Value *value = &self->values[v];

  if (value->reg == NO_REGISTER)
    {
      guint reg = take_register (self);

      weir_assembler_load (&self->assembler, reg, get_home (self, value));
      put_in (self, v, reg);
    }
  self->pinned |= (guint16) (1u << value->reg);
  return value->reg;
}

/* As an operand that may be memory; @is_packed: only where 16 bytes may be read there, as wide
 * instructions read no more than belongs to them. */
static WeirPlaceOf
need_operand (Emitter *self, guint32 v, gboolean is_packed)
{
  Value *value = &self->values[v];
  gboolean is_readable = !is_packed || self->assembler.is_wide;

  if (value->reg == NO_REGISTER && value->kind != HOME_NONE
      && (value->kind == HOME_CONSTANT || (count_uses (value) == 1 && is_readable)))
    return get_home (self, value);
  return in_register (need_register (self, v));
}

/* The use in hand of the operands of @item is over. */
static void
end_uses (Emitter *self, const WeirNativeItem *item)
{
  for (guint k = 0; k < 3; k++)
    if (item->args[k] != WEIR_NATIVE_NOTHING)
      {
        Value *value = &self->values[item->args[k]];

        value->next_use++;
        if (count_uses (value) == 0 && value->reg != NO_REGISTER
            && !is_pending (self, item->args[k]))
          vacate (self, value->reg);
      }
  self->pinned = 0;
}

/* --- Instructions ---------------------------------------------------------------------------- */

static const WeirOpcode opcodes[WEIR_NATIVE_N_BINARY] = {
  [WEIR_NATIVE_ADD] = { 0xf2, 1, 0x58 }, [WEIR_NATIVE_SUB] = { 0xf2, 1, 0x5c },
  [WEIR_NATIVE_MUL] = { 0xf2, 1, 0x59 }, [WEIR_NATIVE_DIV] = { 0xf2, 1, 0x5e },
  [WEIR_NATIVE_MIN] = { 0xf2, 1, 0x5d }, [WEIR_NATIVE_MAX] = { 0xf2, 1, 0x5f },
  [WEIR_NATIVE_LT] = { 0xf2, 1, 0xc2 },  [WEIR_NATIVE_LE] = { 0xf2, 1, 0xc2 },
  [WEIR_NATIVE_EQ] = { 0xf2, 1, 0xc2 },  [WEIR_NATIVE_NE] = { 0xf2, 1, 0xc2 },
  [WEIR_NATIVE_AND] = { 0x66, 1, 0x54 }, [WEIR_NATIVE_OR] = { 0x66, 1, 0x56 },
  [WEIR_NATIVE_XOR] = { 0x66, 1, 0x57 },
};

#define AND_NOT ((WeirOpcode) { 0x66, 1, 0x55 })
#define BLEND ((WeirOpcode) { 0x66, 3, 0x4b })
#define ROOT ((WeirOpcode) { 0xf2, 1, 0x51 })
#define PAIR ((WeirOpcode) { 0x66, 1, 0x14 })
#define SPREAD ((WeirOpcode) { 0x66, 2, 0x19 })

static gboolean
is_comparison (guint32 op)
{
  return op >= WEIR_NATIVE_LT && op <= WEIR_NATIVE_NE;
}

/* The predicates of comparisons. */
static guint8
predicate_of (guint32 op)
{
  return op == WEIR_NATIVE_EQ ? 0 : op == WEIR_NATIVE_LT ? 1 : op == WEIR_NATIVE_LE ? 2 : 4;
}

/* The register for a result: that of @a where it is needed no more. */
static guint
take_result (Emitter *self, guint32 a, WeirPlaceOf b)
{
  const Value *value = &self->values[a];

  if (count_uses (value) == 1 && value->reg != NO_REGISTER && !is_pending (self, a)
      && !(b.kind == WEIR_IN_REGISTER && b.reg == value->reg))
    return value->reg;
  return take_register (self);
}

static void
emit_binary (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  guint32 a = item->args[0], b = item->args[1];
  gboolean is_packed = item->op >= WEIR_NATIVE_AND;
  guint left = need_register (self, a), reg;
  WeirPlaceOf right = a == b ? in_register (left) : need_operand (self, b, is_packed);

  reg = take_result (self, a, right);
  if (is_comparison (item->op))
    weir_assembler_binary_byte (&self->assembler, opcodes[item->op], reg, left, right,
                                predicate_of (item->op));
  else
    weir_assembler_binary (&self->assembler, opcodes[item->op], reg, left, right);
  end_uses (self, item);
  put_in (self, i, reg);
}

static void
emit_root (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  WeirPlaceOf a = need_operand (self, item->args[0], FALSE);
  guint reg = take_register (self);

  weir_assembler_unary (&self->assembler, ROOT, reg, a);
  end_uses (self, item);
  put_in (self, i, reg);
}

static void
emit_select (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  WeirAssembler *assembler = &self->assembler;
  guint mask = need_register (self, item->args[0]), yes = need_register (self, item->args[1]);
  guint no = need_register (self, item->args[2]), reg = take_register (self), other;

  if (assembler->has_avx)
    weir_assembler_binary_byte (assembler, BLEND, reg, no, in_register (yes), (guint8) (mask << 4));
  else
    {
      self->pinned |= (guint16) (1u << reg);
      other = take_register (self);
      weir_assembler_binary (assembler, opcodes[WEIR_NATIVE_AND], reg, mask, in_register (yes));
      weir_assembler_binary (assembler, AND_NOT, other, mask, in_register (no));
      weir_assembler_binary (assembler, opcodes[WEIR_NATIVE_OR], reg, reg, in_register (other));
    }
  end_uses (self, item);
  put_in (self, i, reg);
}

static void
emit_spread (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  WeirPlaceOf a = need_operand (self, item->args[0], FALSE);
  guint reg = take_register (self);

  set_width (self, TRUE);
  weir_assembler_unary (&self->assembler, SPREAD, reg, a);
  end_uses (self, item);
  put_in (self, i, reg);
}

/* Functions keep no register of doubles, nor that of a base that was looked up. */
static void
emit_call (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];

  vacate_all (self);
  for (guint k = 0; k < 2; k++)
    if (item->args[k] != WEIR_NATIVE_NOTHING)
      weir_assembler_load (&self->assembler, k, get_home (self, &self->values[item->args[k]]));
  weir_assembler_call (&self->assembler, self->list->funcs->pdata[item->place]);
  self->base_in_rax = WEIR_NATIVE_NOTHING;
  end_uses (self, item);
  put_in (self, i, 0);
}

/* The store that waits is of the place before: both at once. */
static void
store_pair (Emitter *self, const WeirNativeItem *item, guint reg)
{
  const WeirNativeItem *before = &self->items[self->pending];
  Value *first = &self->values[before->args[0]];
  WeirPlaceOf to = in_memory (self, before->base, before->place);

  self->pinned |= (guint16) (1u << first->reg);
  if (self->pair_in == NO_REGISTER || self->pair[0] != before->args[0]
      || self->pair[1] != item->args[0])
    {
      guint pair = take_register (self);

      weir_assembler_binary (&self->assembler, PAIR, pair, first->reg, in_register (reg));
      self->pair_in = pair;
      self->pair[0] = before->args[0];
      self->pair[1] = item->args[0];
    }
  weir_assembler_store_pair (&self->assembler, self->pair_in, to.reg, to.at);
  set_home (first, before);
  set_home (&self->values[item->args[0]], item);
  self->pending = WEIR_NATIVE_NOTHING;
  if (count_uses (first) == 0)
    vacate (self, first->reg);
}

static void
store_value (Emitter *self, guint32 i, guint reg)
{
  const WeirNativeItem *item = &self->items[i];
  const WeirNativeItem *before = self->pending != WEIR_NATIVE_NOTHING ? &self->items[self->pending]
                                                                      : NULL;

  if (before != NULL && before->base == item->base && before->place + 1 == item->place
      && before->args[0] != item->args[0] && !item->is_row)
    {
      store_pair (self, item, reg);
      return;
    }
  store_pending (self);
  self->pending = i;
  if (item->place % 2 != 0 || item->base >= WEIR_NATIVE_BASES || self->assembler.is_wide)
    store_pending (self);
}

/* What lies elsewhere in memory needs none of the registers that calculations wait for. */
static void
copy_word (Emitter *self, WeirPlaceOf from, guint32 base, guint32 place)
{
  WeirPlaceOf to;

  weir_assembler_load_word (&self->assembler, FOR_WORDS, from.reg, from.at);
  to = in_memory (self, base, place);
  weir_assembler_store_word (&self->assembler, FOR_WORDS, to.reg, to.at);
}

static void
emit_store (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  const Value *value = &self->values[item->args[0]];

  if (value->reg == NO_REGISTER && value->kind == HOME_MEMORY && !self->assembler.is_wide)
    copy_word (self, get_home (self, value), item->base, item->place);
  else
    store_value (self, i, need_register (self, item->args[0]));
  end_uses (self, item);
}

static void
emit_skip (Emitter *self, guint32 i, guint32 zero)
{
  const WeirNativeItem *item = &self->items[i];
  guint reg = need_register (self, item->args[0]);

  vacate_all (self); /* which leaves the value in the register */
  weir_assembler_jump (&self->assembler, reg, zero, item->op == WEIR_NATIVE_OP_SKIP_IF_ZERO,
                       self->jumps, item->base);
  self->base_in_rax = WEIR_NATIVE_NOTHING;
  end_uses (self, item);
}

/* --- Standing in for others ------------------------------------------------------------------ */

/* Jumps that are yet to be written have it where it is by now. */
static void
add_leave (Emitter *self, guint32 at, WeirPlaceOf number)
{
  Leave leave = { at, number };

  g_array_append_val (self->leaves, leave);
}

static void
emit_insist_on_clear (Emitter *self, const WeirNativeItem *item)
{
  WeirPlaceOf number, place = in_memory (self, item->base, item->place);

  store_pending (self);
  number = need_operand (self, item->args[0], FALSE);
  add_leave (self,
             weir_assembler_jump_if_set (&self->assembler, place.reg, place.at,
                                         g_array_index (self->list->bits, guint64, item->more)),
             number);
  end_uses (self, item);
}

/* The largest magnitude so far is in RAX. It is found by instructions for integers: calculations
 * wait for each other, and while they do, instructions for doubles are short of room. */
static void
emit_look_at (Emitter *self, const WeirNativeItem *item)
{
  WeirAssembler *assembler = &self->assembler;
  const Value *value = &self->values[item->args[0]];
  guint reg = item->more ? FOR_WORDS : RAX;

  if (value->reg != NO_REGISTER || value->kind == HOME_CONSTANT)
    weir_assembler_move_bits (assembler, reg, need_register (self, item->args[0]));
  else
    {
      WeirPlaceOf home = get_home (self, value);

      weir_assembler_load_word (assembler, reg, home.reg, home.at);
    }
  weir_assembler_drop_sign (assembler, reg);
  if (item->more)
    weir_assembler_take_larger (assembler, RAX, reg);
  end_uses (self, item);
}

static void
emit_insist_on_finite (Emitter *self, const WeirNativeItem *item)
{
  WeirPlaceOf number;

  store_pending (self);
  number = need_operand (self, item->args[0], FALSE);
  add_leave (self, weir_assembler_jump_unless_finite (&self->assembler), number);
  end_uses (self, item);
}

static void
emit_insist_on (Emitter *self, guint32 i)
{
  const WeirNativeItem *item = &self->items[i];
  WeirAssembler *assembler = &self->assembler;

  vacate_all (self);
  set_width (self, self->has_rows);
  weir_assembler_leave_wide (assembler);
  weir_assembler_set_word (assembler, RDI, item->more);
  weir_assembler_move_word (assembler, RSI, self->base_register[item->base]);
  weir_assembler_call (assembler, self->list->funcs->pdata[item->place]);
  add_leave (self, weir_assembler_jump_if_false (assembler),
             get_home (self, &self->values[item->args[0]]));
  end_uses (self, item);
}

static void
emit_word (Emitter *self, const WeirNativeItem *item)
{
  WeirAssembler *assembler = &self->assembler;
  WeirPlaceOf place = in_memory (self, item->base, item->place);

  if (item->op == WEIR_NATIVE_OP_ADD_TO_WORD)
    weir_assembler_add_to (assembler, place.reg, place.at, (gint32) item->more);
  else if (item->op == WEIR_NATIVE_OP_SET_BITS)
    {
      weir_assembler_set_bits (assembler, place.reg, place.at,
                               g_array_index (self->list->bits, guint64, item->more));
      self->base_in_rax = WEIR_NATIVE_NOTHING;
    }
  else
    copy_word (self, place, item->base, item->more);
}

static void
emit_item (Emitter *self, guint32 i, guint32 zero)
{
  const WeirNativeItem *item = &self->items[i];

  self->values[i].is_row = (guint8) item->is_row;
  set_width (self, item->is_row && item->op != WEIR_NATIVE_OP_SPREAD);
  switch (item->op)
    {
    case WEIR_NATIVE_OP_NUMBER:
      self->values[i].kind = HOME_CONSTANT;
      self->values[i].place = item->place;
      break;
    case WEIR_NATIVE_OP_LOAD:
      self->values[i].kind = HOME_MEMORY;
      self->values[i].base = item->base;
      self->values[i].place = item->place;
      break;
    case WEIR_NATIVE_OP_ARGUMENT:
      put_in (self, i, 0);
      break;
    case WEIR_NATIVE_OP_ROOT:
      emit_root (self, i);
      break;
    case WEIR_NATIVE_OP_SELECT:
      emit_select (self, i);
      break;
    case WEIR_NATIVE_OP_CALL:
      emit_call (self, i);
      break;
    case WEIR_NATIVE_OP_SPREAD:
      emit_spread (self, i);
      break;
    case WEIR_NATIVE_OP_STORE:
      emit_store (self, i);
      break;
    case WEIR_NATIVE_OP_SKIP_IF_ZERO:
    case WEIR_NATIVE_OP_SKIP_UNLESS_ZERO:
      emit_skip (self, i, zero);
      break;
    case WEIR_NATIVE_OP_LABEL:
      vacate_all (self);
      self->base_in_rax = WEIR_NATIVE_NOTHING;
      self->labels[item->base] = self->assembler.bytes->len;
      break;
    case WEIR_NATIVE_OP_INSIST_ON_CLEAR:
      emit_insist_on_clear (self, item);
      break;
    case WEIR_NATIVE_OP_LOOK_AT:
      emit_look_at (self, item);
      break;
    case WEIR_NATIVE_OP_INSIST_ON_FINITE:
      emit_insist_on_finite (self, item);
      break;
    case WEIR_NATIVE_OP_INSIST_ON:
      emit_insist_on (self, i);
      break;
    case WEIR_NATIVE_OP_ADD_TO_WORD:
    case WEIR_NATIVE_OP_COPY_WORD:
    case WEIR_NATIVE_OP_SET_BITS:
      emit_word (self, item);
      break;
    default:
      emit_binary (self, i);
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

static const guint8 saved[] = { RBX, RBP, R12, R13, R14 }; /* an odd number: see begin() */

#define N_MOVED 5
static const guint8
    moved[N_MOVED][2] = { { RBX, RDI }, { RBP, RSI }, { R12, RDX }, { R13, RCX }, { R14, R8 } },
    moved_of_usual[N_MOVED - 1][2] = { { R14, RDI }, { R13, RSI }, { RBP, RDX }, { R12, RCX } };

static void
move (Emitter *self)
{
  WeirAssembler *assembler = &self->assembler;

  if (self->list->unusual == NULL)
    for (guint k = 0; k < N_MOVED && self->has_calls; k++)
      weir_assembler_move_word (assembler, moved[k][0], moved[k][1]);
  else
    {
      if (!self->has_calls)
        weir_assembler_move_word (assembler, OWNER, RDI);
      for (guint k = 0; k < N_MOVED - 1 && self->has_calls; k++)
        weir_assembler_move_word (assembler, moved_of_usual[k][0], moved_of_usual[k][1]);
      weir_assembler_load_word (assembler, self->base_register[0], RSI,
                                (gint32) self->list->first_at);
    }
}

/* The caller's return address and the registers saved leave the stack as calls want it. */
static guint32
begin (Emitter *self)
{
  WeirAssembler *assembler = &self->assembler;
  guint32 frame_at;

  if (self->has_calls)
    for (guint k = 0; k < G_N_ELEMENTS (saved); k++)
      weir_assembler_push (assembler, saved[k]);
  weir_assembler_add_to_word (assembler, RSP, 0); /* filled in at the end */
  frame_at = assembler->bytes->len - 4;
  move (self);
  return frame_at;
}

static void
set_4 (WeirAssembler *self, guint32 at, gint64 value)
{
  gint32 narrow = (gint32) value;

  memcpy (self->bytes->data + at, &narrow, sizeof narrow);
}

/* The stack as it was. */
static void
release (Emitter *self, gint32 frame)
{
  weir_assembler_add_to_word (&self->assembler, RSP, frame);
  if (self->has_calls)
    for (guint k = G_N_ELEMENTS (saved); k-- > 0;)
      weir_assembler_pop (&self->assembler, saved[k]);
}

/* The arguments as they were. */
static void
go_on (Emitter *self, Leave leave, gint32 frame)
{
  WeirAssembler *assembler = &self->assembler;
  gpointer unusual;

  memcpy (&unusual, &self->list->unusual, sizeof unusual);
  set_4 (assembler, leave.at, (gint64) assembler->bytes->len - (leave.at + 4));
  set_width (self, FALSE);
  if (leave.number.kind != WEIR_IN_REGISTER || leave.number.reg != 0)
    weir_assembler_load (assembler, 0, leave.number);
  set_width (self, self->has_rows);
  weir_assembler_leave_wide (assembler);
  if (!self->has_calls)
    weir_assembler_move_word (assembler, RDI, OWNER);
  for (guint k = 0; k < N_MOVED - 1 && self->has_calls; k++)
    weir_assembler_move_word (assembler, moved_of_usual[k][1], moved_of_usual[k][0]);
  release (self, frame);
  weir_assembler_go_on_in (assembler, unusual);
}

static void
end (Emitter *self, guint32 frame_at)
{
  WeirAssembler *assembler = &self->assembler;
  gint32 frame = (gint32) ((self->n_stack * self->slot + 15) / 16 * 16);

  set_4 (assembler, frame_at, -frame);
  if (self->list->unusual != NULL)
    weir_assembler_clear_result (assembler);
  release (self, frame);
  weir_assembler_return (assembler);
  for (guint k = 0; k < self->leaves->len; k++)
    go_on (self, g_array_index (self->leaves, Leave, k), frame);
}

/* Constants follow the code, 16 bytes each, since some instructions read as many; wide ones 32. */
static void
put_constants (Emitter *self)
{
  static const guint8 zeros[ALIGNMENT];
  WeirAssembler *assembler = &self->assembler;
  GByteArray *bytes = assembler->bytes;
  gsize size = self->list->is_wide ? WEIR_NATIVE_WIDTH * sizeof (double) : 16;
  guint32 first;

  g_byte_array_append (bytes, zeros, (ALIGNMENT - bytes->len % ALIGNMENT) % ALIGNMENT);
  first = bytes->len;
  for (guint i = 0; i < self->list->numbers->len; i++)
    {
      for (gsize k = 0; k < (self->list->is_wide ? WEIR_NATIVE_WIDTH : 1); k++)
        g_byte_array_append (bytes,
                             (const guint8 *) &g_array_index (self->list->numbers, double, i),
                             sizeof (double));
      g_byte_array_append (bytes, zeros, first + (i + 1) * size - bytes->len);
    }
  for (guint i = 0; i < assembler->constants->len; i++)
    {
      WeirFix fix = g_array_index (assembler->constants, WeirFix, i);

      set_4 (assembler, fix.at,
             (gint64) first + (gint64) size * fix.to - (fix.at + 4) - bytes->data[fix.at]);
    }
  for (guint i = 0; i < self->jumps->len; i++)
    {
      WeirFix fix = g_array_index (self->jumps, WeirFix, i);

      set_4 (assembler, fix.at, (gint64) self->labels[fix.to] - (fix.at + 4));
    }
}

static void
emit_all (Emitter *self, const guint8 *is_used)
{
  guint32 frame_at = begin (self), zero = 0;

  for (guint32 i = 0; i < self->list->numbers->len; i++)
    {
      const guint64 *bits = (const guint64 *) (gconstpointer) &g_array_index (self->list->numbers,
                                                                              double, i);

      if (*bits == 0)
        zero = i;
    }
  for (guint32 i = 0; i < self->n_items && !self->has_failed; i++)
    if (is_used[i])
      emit_item (self, i, zero);
  store_pending (self);
  set_width (self, self->has_rows);
  end (self, frame_at);
  put_constants (self);
}

static void
emitter_init (Emitter *self, const WeirNativeBuilder *list, const GArray *items)
{
  guint32 n = items->len;

  *self = (Emitter) { .list = list,
                      .items = (const WeirNativeItem *) (gconstpointer) items->data,
                      .n_items = n,
                      .has_rows = items != list->items,
                      .base_in_rax = WEIR_NATIVE_NOTHING,
                      .pending = WEIR_NATIVE_NOTHING,
                      .pair_in = NO_REGISTER };
  self->values = g_new0 (Value, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    self->values[i].reg = NO_REGISTER;
  for (guint reg = 0; reg < N_REGISTERS; reg++)
    self->in[reg] = WEIR_NATIVE_NOTHING;
  self->has_calls = list->funcs->len > 0;
  self->base_register = self->has_calls         ? registers_with_calls
                        : list->unusual != NULL ? registers_of_usual
                                                : registers_without_calls;
  self->table_register = self->has_calls ? R14 : R8;
  self->assembler.bytes = g_byte_array_new ();
  self->assembler.constants = g_array_new (FALSE, FALSE, sizeof (WeirFix));
  self->assembler.has_avx = weir_simd == WEIR_SIMD_AVX2;
  self->assembler.is_wide = list->is_wide;
  self->slot = list->is_wide || self->has_rows ? WEIR_NATIVE_WIDTH * sizeof (double)
                                               : sizeof (double);
  self->jumps = g_array_new (FALSE, FALSE, sizeof (WeirFix));
  self->leaves = g_array_new (FALSE, FALSE, sizeof (Leave));
  self->labels = g_new0 (guint32, MAX (list->n_labels, 1));
}

static void
emitter_clear (Emitter *self)
{
  g_free (self->values);
  g_free (self->uses);
  g_byte_array_unref (self->assembler.bytes);
  g_array_unref (self->assembler.constants);
  g_array_unref (self->jumps);
  g_array_unref (self->leaves);
  g_free (self->labels);
}

/* Puts the list with rows in place of *@items, if less is to be done by it: of values that are
 * needed one by one too, it makes both. Returns what of it is used. (transfer full) */
static guint8 *
take_shorter (const WeirNativeBuilder *self, GArray **items)
{
  g_autofree guint8 *is_used = g_new0 (guint8, MAX ((*items)->len, 1)), *is_used_of_rows = NULL;
  guint32 n = find_used (*items, is_used);
  g_autoptr (GArray) rows = weir_native_dup_rows (self);

  if (rows == NULL)
    return g_steal_pointer (&is_used);
  is_used_of_rows = g_new0 (guint8, rows->len);
  if (find_used (rows, is_used_of_rows) >= n)
    return g_steal_pointer (&is_used);
  g_array_unref (*items);
  *items = g_steal_pointer (&rows);
  return g_steal_pointer (&is_used_of_rows);
}

gsize
weir_native_builder_end_in (WeirNativeBuilder *self, GByteArray *bytes)
{
  static const guint8 zeros[ALIGNMENT];
  g_autoptr (GArray) items = g_array_ref (self->items);
  g_autofree guint8 *is_used = NULL;
  gsize at = WEIR_NATIVE_NO_CODE;
  Emitter emitter;

  if (self->has_failed || weir_native_is_refused ())
    return WEIR_NATIVE_NO_CODE;
  is_used = take_shorter (self, &items);
  emitter_init (&emitter, self, items);
  find_uses (&emitter, is_used);
  emit_all (&emitter, is_used);
  if (!emitter.has_failed)
    {
      g_byte_array_append (bytes, zeros, (ALIGNMENT - bytes->len % ALIGNMENT) % ALIGNMENT);
      at = bytes->len;
      g_byte_array_append (bytes, emitter.assembler.bytes->data, emitter.assembler.bytes->len);
    }
  emitter_clear (&emitter);
  return at;
}

#else

gsize
weir_native_builder_end_in (G_GNUC_UNUSED WeirNativeBuilder *self, G_GNUC_UNUSED GByteArray *bytes)
{
  return WEIR_NATIVE_NO_CODE;
}

#endif

WeirNativeCode *
weir_native_builder_end (WeirNativeBuilder *self)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  return weir_native_builder_end_in (self, bytes) != WEIR_NATIVE_NO_CODE
             ? weir_native_code_new (bytes->data, bytes->len)
             : NULL;
}
