/* The compiler of programs: parts in order, regions of guarded branches, instructions, slots.
 *
 * A part belongs to the region in which all its users lie: a branch of an "if" that alone uses
 * it, or what is around. A region is computed just before its "if", behind a jump if it is dear;
 * its parts come after all parts of the regions around that they read, since those are earlier
 * in the order.
 */
#include "equations/programs/program-private.h"
#include "equations/expressions/simplify.h"

#include <string.h>

#define NO_REGION G_MAXUINT32

typedef struct {
  guint32 parent;
  guint32 depth;
  guint32 cost;
  GArray *parts; /* positions, ascending */
} Region;

typedef struct {
  WeirExprPool *pool;
  GArray *order;        /* of WeirExpr: the parts */
  GHashTable *position; /* node + 1 to position + 1 */
  guint n;
  guint32 *region;    /* of a part */
  guint32 *branch[2]; /* of an IF: its regions */
  guint32 *n_uses;
  gboolean *is_fused; /* a product that its sum computes */
  GArray *regions;

  GArray *code;     /* of WeirInstruction; operands are positions until slots are known */
  GArray *operands; /* positions, of tables */
} Compiler;

static guint
position_of (const Compiler *self, WeirExpr e)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->position, GUINT_TO_POINTER (e.i + 1))) - 1;
}

static WeirExpr
part (const Compiler *self, guint i)
{
  return g_array_index (self->order, WeirExpr, i);
}

static guint
arg_position (const Compiler *self, WeirExpr e, guint i)
{
  return position_of (self, weir_expr_get_arg (self->pool, e, i));
}

static gboolean
is_leaf (const Compiler *self, WeirExpr e)
{
  return weir_expr_is_atom (self->pool, e) || weir_expr_get_op (self->pool, e) == WEIR_OP_NUMBER;
}

/* --- Powers as products ---------------------------------------------------------------------- */

/* The products of weir_calc_whole_power(), in the same order. */
static WeirExpr
make_whole_power (WeirExprPool *pool, WeirExpr a, guint n)
{
  WeirExpr power = a;
  guint bit = 1;

  while (bit * 2 <= n)
    bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2)
    {
      power = weir_expr_make_2 (pool, WEIR_OP_MUL, power, power);
      if ((n & bit) != 0)
        power = weir_expr_make_2 (pool, WEIR_OP_MUL, power, a);
    }
  return power;
}

static WeirExpr
lower_make (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args)
{
  double power;

  if (op == WEIR_OP_POW && weir_expr_get_op (pool, args[1]) == WEIR_OP_NUMBER)
    {
      power = weir_expr_get_number (pool, args[1]);
      if (power == 0.5)
        return weir_expr_make_1 (pool, WEIR_OP_SQRT, args[0]);
      if (power != 0.0 && floor (power) == power && power <= WEIR_POWER_LIMIT
          && power >= -WEIR_POWER_LIMIT)
        {
          WeirExpr product = make_whole_power (pool, args[0], (guint) fabs (power));

          return power > 0.0
                     ? product
                     : weir_expr_make_2 (pool, WEIR_OP_DIV, weir_expr_number (pool, 1.0), product);
        }
    }
  return weir_expr_make (pool, op, args, n_args);
}

/* --- Regions --------------------------------------------------------------------------------- */

static Region *
get_region (const Compiler *self, guint32 i)
{
  return &g_array_index (self->regions, Region, i);
}

static guint32
add_region (Compiler *self, guint32 parent)
{
  Region region = { .parent = parent };

  region.depth = parent == NO_REGION ? 0 : get_region (self, parent)->depth + 1;
  region.parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->regions, region);
  return self->regions->len - 1;
}

static guint32
common_region (const Compiler *self, guint32 a, guint32 b)
{
  if (a == NO_REGION)
    return b;
  while (a != b)
    {
      if (get_region (self, a)->depth >= get_region (self, b)->depth)
        a = get_region (self, a)->parent;
      else
        b = get_region (self, b)->parent;
    }
  return a;
}

static guint32
cost_of (guint op)
{
#define COST(op, n_operands, cost, expression)                                                     \
  case op:                                                                                         \
    return cost;
  switch (op)
    {
      WEIR_FOREACH_OPERATION (COST)
    case WEIR_OP_TABLE:
      return 30;
    case WEIR_OP_NUMBER:
    case WEIR_OP_SYMBOL:
      return 0;
    default:
      return 1;
    }
#undef COST
}

/* From the last part to the first, so that all users of a part have been placed. */
static void
find_regions (Compiler *self, const guint *outputs, guint n_outputs)
{
  guint32 root = add_region (self, NO_REGION);

  for (guint i = 0; i < self->n; i++)
    self->region[i] = NO_REGION;
  for (guint i = 0; i < n_outputs; i++)
    {
      self->region[outputs[i]] = root;
      self->n_uses[outputs[i]]++;
    }
  for (guint i = self->n; i-- > 0;)
    {
      WeirExpr e = part (self, i);
      WeirOp op = weir_expr_get_op (self->pool, e);
      guint32 own = self->region[i];
      guint n_args = is_leaf (self, e) ? 0 : weir_expr_get_n_args (self->pool, e);

      if (op == WEIR_OP_IF)
        for (guint j = 0; j < 2; j++)
          self->branch[j][i] = add_region (self, own);
      for (guint j = 0; j < n_args; j++)
        {
          guint at = arg_position (self, e, j);
          guint32 used_in = op == WEIR_OP_IF && j > 0 ? self->branch[j - 1][i] : own;

          self->region[at] = common_region (self, self->region[at], used_in);
          self->n_uses[at]++;
        }
    }
  for (guint32 i = 0; i < self->n; i++)
    {
      Region *region = get_region (self, self->region[i]);

      g_array_append_val (region->parts, i);
      region->cost += cost_of (weir_expr_get_op (self->pool, part (self, i)));
    }
  /* A region within was added after the one around it. */
  for (guint i = self->regions->len; i-- > 1;)
    get_region (self, get_region (self, i)->parent)->cost += get_region (self, i)->cost;
}

/* --- Instructions ---------------------------------------------------------------------------- */

/* A sum with a product that nothing else reads is one instruction. */
static void
find_fused (Compiler *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      WeirExpr e = part (self, i);
      WeirOp op = weir_expr_get_op (self->pool, e);

      if (op != WEIR_OP_ADD && op != WEIR_OP_SUB)
        continue;
      for (guint j = 0; j < 2; j++)
        {
          guint at = arg_position (self, e, j);

          if (weir_expr_get_op (self->pool, part (self, at)) == WEIR_OP_MUL
              && self->n_uses[at] == 1)
            {
              self->is_fused[at] = TRUE;
              break;
            }
        }
    }
}

static void
emit (Compiler *self, guint32 op, guint32 d, guint32 a, guint32 b, guint32 c)
{
  WeirInstruction instruction = { (guint16) op, (guint16) op, d, a, b, c };

  g_array_append_val (self->code, instruction);
}

static gboolean
emit_fused (Compiler *self, guint i, WeirExpr e, gboolean is_difference)
{
  for (guint j = 0; j < 2; j++)
    {
      guint at = arg_position (self, e, j);
      guint32 code = !is_difference ? WEIR_CODE_MUL_ADD
                     : j == 0       ? WEIR_CODE_MUL_SUB
                                    : WEIR_CODE_SUB_MUL;

      if (!self->is_fused[at])
        continue;
      emit (self, code, i, arg_position (self, part (self, at), 0),
            arg_position (self, part (self, at), 1), arg_position (self, e, 1 - j));
      return TRUE;
    }
  return FALSE;
}

static void
emit_part (Compiler *self, guint i)
{
  WeirExpr e = part (self, i);
  WeirOp op = weir_expr_get_op (self->pool, e);
  guint n = weir_expr_get_n_args (self->pool, e);
  guint32 a, b, c;

  if (is_leaf (self, e) || self->is_fused[i])
    return;
  g_assert (weir_op_is_scalar (op));
  if ((op == WEIR_OP_ADD || op == WEIR_OP_SUB) && emit_fused (self, i, e, op == WEIR_OP_SUB))
    return;
  a = arg_position (self, e, 0);
  if (op == WEIR_OP_TABLE || op == WEIR_OP_SLOPE)
    {
      b = self->operands->len;
      for (guint j = 1; j < n; j++)
        {
          guint32 at = arg_position (self, e, j);

          g_array_append_val (self->operands, at);
        }
      emit (self, op, i, a, b, (n - 1) / 2);
      return;
    }
  b = n > 1 ? arg_position (self, e, 1) : a;
  c = n > 2 ? arg_position (self, e, 2) : a;
  emit (self, op, i, a, b, c);
}

/* The work is a stack, since branches nest. */
typedef struct {
  guint32 region;
  guint next;    /* of the region's parts */
  guint state;   /* of the IF at @next: 0 = before, 1 = after its first branch, 2 = after both */
  guint32 patch; /* the jump around the branch being emitted, or NO_REGION */
} Emission;

static void
emit_regions (Compiler *self)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Emission));
  Emission first = { .patch = NO_REGION };

  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Emission *top = &g_array_index (stack, Emission, stack->len - 1);
      const Region *region = get_region (self, top->region);
      guint32 i;

      if (top->next == region->parts->len)
        {
          guint32 patch = top->patch;

          if (patch != NO_REGION)
            g_array_index (self->code, WeirInstruction, patch).b = self->code->len;
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      i = g_array_index (region->parts, guint32, top->next);
      if (weir_expr_get_op (self->pool, part (self, i)) == WEIR_OP_IF && top->state < 2)
        {
          Emission branch = { .region = self->branch[top->state][i], .patch = NO_REGION };

          if (get_region (self, branch.region)->cost >= WEIR_COST_DEAR)
            {
              branch.patch = self->code->len;
              emit (self, top->state == 0 ? WEIR_CODE_SKIP_IF_ZERO : WEIR_CODE_SKIP_UNLESS_ZERO, 0,
                    arg_position (self, part (self, i), 0), 0, 0);
            }
          top->state++;
          g_array_append_val (stack, branch);
          continue;
        }
      emit_part (self, i);
      top->next++;
      top->state = 0;
    }
}

/* --- The whole ------------------------------------------------------------------------------- */

static WeirProgram *
assemble (const Compiler *self, const GArray *constants, guint n_inputs, guint32 n_slots,
          const guint32 *slot, const guint *outputs, guint n_outputs)
{
  gsize size = sizeof (WeirProgram) + constants->len * sizeof (double)
               + self->code->len * sizeof (WeirInstruction)
               + (self->operands->len + n_outputs) * sizeof (guint32);
  WeirProgram *program;
  guint32 *output_slots;

  size = (size + 7) & ~(gsize) 7;
  g_assert (size <= G_MAXUINT32);
  program = g_malloc0 (size);
  program->size = (guint32) size;
  program->n_constants = constants->len;
  program->n_inputs = n_inputs;
  program->n_outputs = n_outputs;
  program->n_slots = n_slots;
  program->n_instructions = self->code->len - 1; /* END is none */
  program->n_operands = self->operands->len;
  if (constants->len > 0)
    memcpy ((double *) weir_program_constants (program), constants->data,
            constants->len * sizeof (double));
  if (self->code->len > 0)
    memcpy ((WeirInstruction *) weir_program_code (program), self->code->data,
            self->code->len * sizeof (WeirInstruction));
  if (self->operands->len > 0)
    memcpy ((guint32 *) weir_program_operands (program), self->operands->data,
            self->operands->len * sizeof (guint32));
  output_slots = (guint32 *) weir_program_output_slots (program);
  for (guint i = 0; i < n_outputs; i++)
    output_slots[i] = slot[outputs[i]];
  return program;
}

/* The parts of @outputs, in order; the positions of those themselves go to @positions. */
static void
compiler_init (Compiler *self, WeirExprPool *pool, const WeirExpr *outputs, guint n_outputs,
               guint *positions)
{
  g_autofree WeirExpr *lowered = g_new (WeirExpr, n_outputs + 1);

  *self = (Compiler) { .pool = pool };
  self->order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  self->position = g_hash_table_new (NULL, NULL);
  self->regions = g_array_new (FALSE, FALSE, sizeof (Region));
  self->code = g_array_new (FALSE, FALSE, sizeof (WeirInstruction));
  self->operands = g_array_new (FALSE, FALSE, sizeof (guint32));

  weir_expr_replace_all (pool, outputs, n_outputs, lowered, NULL, NULL, lower_make);
  weir_expr_collect (pool, lowered, n_outputs, TRUE, self->order);
  self->n = self->order->len;
  for (guint i = 0; i < self->n; i++)
    g_hash_table_insert (self->position, GUINT_TO_POINTER (part (self, i).i + 1),
                         GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < n_outputs; i++)
    positions[i] = position_of (self, lowered[i]);

  self->region = g_new0 (guint32, self->n + 1);
  self->branch[0] = g_new0 (guint32, self->n + 1);
  self->branch[1] = g_new0 (guint32, self->n + 1);
  self->n_uses = g_new0 (guint32, self->n + 1);
  self->is_fused = g_new0 (gboolean, self->n + 1);
}

static void
compiler_clear (Compiler *self)
{
  for (guint i = 0; i < self->regions->len; i++)
    g_array_unref (get_region (self, i)->parts);
  g_array_unref (self->regions);
  g_array_unref (self->order);
  g_array_unref (self->code);
  g_array_unref (self->operands);
  g_hash_table_unref (self->position);
  g_free (self->region);
  g_free (self->branch[0]);
  g_free (self->branch[1]);
  g_free (self->n_uses);
  g_free (self->is_fused);
}

/* The slots of numbers, which are collected, and of inputs, by position; of the rest G_MAXUINT32.
 * (transfer full) */
static guint32 *
place_leaves (const Compiler *self, const WeirExpr *inputs, guint n_inputs, GArray *constants)
{
  guint32 *slot = g_new (guint32, self->n + 1);

  memset (slot, 0xff, (self->n + 1) * sizeof (guint32));
  for (guint i = 0; i < self->n; i++)
    if (weir_expr_get_op (self->pool, part (self, i)) == WEIR_OP_NUMBER)
      {
        double value = weir_expr_get_number (self->pool, part (self, i));

        slot[i] = constants->len;
        g_array_append_val (constants, value);
      }
  for (guint i = 0; i < n_inputs; i++)
    {
      guint at = position_of (self, inputs[i]);

      if (at < self->n)
        slot[at] = constants->len + i;
    }
  for (guint i = 0; i < self->n; i++)
    g_assert (!is_leaf (self, part (self, i)) || slot[i] != G_MAXUINT32);
  return slot;
}

WeirProgram *
weir_program_new (WeirExprPool *pool, const WeirExpr *outputs, guint n_outputs,
                  const WeirExpr *inputs, guint n_inputs)
{
  g_autofree guint *positions = g_new (guint, n_outputs + 1);
  g_autoptr (GArray) constants = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree guint32 *slot = NULL;
  Compiler self;
  guint32 n_slots;
  WeirProgram *program;

  compiler_init (&self, pool, outputs, n_outputs, positions);
  find_regions (&self, positions, n_outputs);
  find_fused (&self);
  emit_regions (&self);
  slot = place_leaves (&self, inputs, n_inputs, constants);
  n_slots = weir_program_allocate_slots (self.code, self.operands, self.n, slot,
                                         constants->len + n_inputs, positions, n_outputs);
  weir_program_find_forms (self.code);
  emit (&self, WEIR_CODE_END, 0, 0, 0, 0);
  program = assemble (&self, constants, n_inputs, n_slots, slot, positions, n_outputs);
  compiler_clear (&self);
  return program;
}

gsize
weir_program_get_size (const WeirProgram *self)
{
  return self->size;
}

guint
weir_program_get_n_inputs (const WeirProgram *self)
{
  return self->n_inputs;
}

guint
weir_program_get_n_outputs (const WeirProgram *self)
{
  return self->n_outputs;
}

guint
weir_program_get_n_instructions (const WeirProgram *self)
{
  return self->n_instructions;
}

guint
weir_program_get_work_size (const WeirProgram *self)
{
  return MAX (self->n_slots, 1);
}
