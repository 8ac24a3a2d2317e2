/* Where the values of a program lie, and which of its instructions find an operand in a register.
 * See program-private.h.
 */
#include "equations/programs/program-private.h"

/* The positions that an instruction reads, through @visit. */
static void
foreach_read (WeirInstruction *instruction, GArray *operands,
              void (*visit) (guint32 *position, gpointer data), gpointer data)
{
  visit (&instruction->a, data);
  if (weir_instruction_is_jump (instruction))
    return;
  if (instruction->op == WEIR_OP_TABLE || instruction->op == WEIR_OP_SLOPE)
    {
      for (guint i = 0; i < 2 * instruction->c; i++)
        visit (&g_array_index (operands, guint32, instruction->b + i), data);
      return;
    }
  visit (&instruction->b, data);
  visit (&instruction->c, data);
}

typedef struct {
  guint32 now;
  guint32 *last_read; /* of a position: instruction + 1 */
  guint32 *slot;
  GArray *free_slots;
  guint32 first_temporary;
} Allocation;

static void
note_read (guint32 *position, gpointer data)
{
  Allocation *allocation = data;

  allocation->last_read[*position] = allocation->now + 1;
}

static void
release_read (guint32 *position, gpointer data)
{
  Allocation *allocation = data;
  guint32 slot = allocation->slot[*position];

  if (slot < allocation->first_temporary || allocation->last_read[*position] != allocation->now + 1)
    return;
  allocation->last_read[*position] = 0; /* an operand may be there twice */
  g_array_append_val (allocation->free_slots, slot);
}

static void
replace_read (guint32 *position, gpointer data)
{
  Allocation *allocation = data;

  *position = allocation->slot[*position];
}

guint32
weir_program_allocate_slots (GArray *code, GArray *operands, guint n, guint32 *slot,
                             guint32 first_temporary, const guint *outputs, guint n_outputs)
{
  g_autofree guint32 *last_read = g_new0 (guint32, n + 1);
  g_autoptr (GArray) free_slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  Allocation allocation = { 0, last_read, slot, free_slots, first_temporary };
  guint32 n_slots = first_temporary;

  for (guint i = 0; i < code->len; i++)
    {
      allocation.now = i;
      foreach_read (&g_array_index (code, WeirInstruction, i), operands, note_read, &allocation);
    }
  for (guint i = 0; i < n_outputs; i++)
    last_read[outputs[i]] = G_MAXUINT32;

  for (guint i = 0; i < code->len; i++)
    {
      WeirInstruction *instruction = &g_array_index (code, WeirInstruction, i);
      gboolean is_table = instruction->op == WEIR_OP_TABLE || instruction->op == WEIR_OP_SLOPE;

      allocation.now = i;
      /* A table looks at its operands until it is done; others read before they write. */
      if (!is_table)
        foreach_read (instruction, operands, release_read, &allocation);
      if (!weir_instruction_is_jump (instruction))
        {
          if (free_slots->len > 0)
            {
              slot[instruction->d] = g_array_index (free_slots, guint32, free_slots->len - 1);
              g_array_set_size (free_slots, free_slots->len - 1);
            }
          else
            slot[instruction->d] = n_slots++;
        }
      if (is_table)
        foreach_read (instruction, operands, release_read, &allocation);
    }
  for (guint i = 0; i < code->len; i++)
    {
      WeirInstruction *instruction = &g_array_index (code, WeirInstruction, i);

      foreach_read (instruction, operands, replace_read, &allocation);
      if (!weir_instruction_is_jump (instruction))
        instruction->d = slot[instruction->d];
    }
  return n_slots;
}

/* --- Forms ----------------------------------------------------------------------------------- */

static void
swap_factors (WeirInstruction *instruction)
{
  guint32 swap = instruction->a;

  instruction->a = instruction->b;
  instruction->b = swap;
}

/* The form of an instruction whose predecessor wrote slot @last. */
static guint16
find_form (WeirInstruction *in, guint32 last)
{
  gboolean is_commutative = in->op == WEIR_OP_ADD || in->op == WEIR_OP_MUL
                            || in->op == WEIR_CODE_MUL_ADD || in->op == WEIR_CODE_MUL_SUB
                            || in->op == WEIR_CODE_SUB_MUL;

  if (is_commutative && in->a != last && in->b == last)
    swap_factors (in);
  switch (in->op)
    {
    case WEIR_OP_ADD:
      return in->a == last ? WEIR_CODE_ADD_LAST : in->op;
    case WEIR_OP_SUB:
      return in->a == last ? WEIR_CODE_SUB_LAST : in->b == last ? WEIR_CODE_FROM_LAST : in->op;
    case WEIR_OP_MUL:
      return in->a == last ? WEIR_CODE_MUL_LAST : in->op;
    case WEIR_CODE_MUL_ADD:
      return in->a == last   ? WEIR_CODE_MUL_ADD_LAST
             : in->c == last ? WEIR_CODE_MUL_ADD_LAST_C
                             : in->op;
    case WEIR_CODE_MUL_SUB:
      return in->a == last ? WEIR_CODE_MUL_SUB_LAST : in->op;
    case WEIR_CODE_SUB_MUL:
      return in->a == last   ? WEIR_CODE_SUB_MUL_LAST
             : in->c == last ? WEIR_CODE_SUB_MUL_LAST_C
                             : in->op;
    default:
      return in->op;
    }
}

/* What a jump may lead to has no certain predecessor. */
void
weir_program_find_forms (GArray *code)
{
  g_autofree gboolean *is_target = g_new0 (gboolean, code->len + 1);

  for (guint i = 0; i < code->len; i++)
    {
      const WeirInstruction *instruction = &g_array_index (code, WeirInstruction, i);

      if (weir_instruction_is_jump (instruction))
        is_target[instruction->b] = TRUE;
    }
  for (guint i = 1; i < code->len; i++)
    {
      const WeirInstruction *before = &g_array_index (code, WeirInstruction, i - 1);
      WeirInstruction *instruction = &g_array_index (code, WeirInstruction, i);

      if (!is_target[i] && !weir_instruction_is_jump (before)
          && !weir_instruction_is_jump (instruction))
        instruction->form = find_form (instruction, before->d);
    }
}
