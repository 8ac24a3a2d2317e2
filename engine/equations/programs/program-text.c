/* A program as C: a line for each instruction, in their order, with the same operations. See
 * program.h.
 */
#include "equations/programs/program-private.h"

#include <math.h>
#include <string.h>

/* What each computes from a, b and c, as it is written in operations.h. */
#define TEXT(op, n_operands, cost, expression) [op] = #expression,
static const char *const texts[] = { WEIR_FOREACH_OPERATION (TEXT) };
#undef TEXT

static void
append_number (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    g_string_append (text, "(double) NAN");
  else if (isinf (value))
    g_string_append (text, value > 0 ? "(double) INFINITY" : "(-(double) INFINITY)");
  else
    {
      g_ascii_dtostr (number, sizeof number, value);
      g_string_append_printf (text, signbit (value) ? "(%s%s)" : "%s%s", number,
                              strpbrk (number, ".en") == NULL ? ".0" : "");
    }
}

static void
append_slot (const WeirProgram *self, GString *text, guint32 slot)
{
  if (slot < self->n_constants)
    append_number (text, weir_program_constants (self)[slot]);
  else if (slot < self->n_constants + self->n_inputs)
    g_string_append_printf (text, "in[%u]", slot - self->n_constants);
  else
    g_string_append_printf (text, "w%u", slot);
}

/* The expression with slots for a, b and c, which stand alone in it. */
static void
append_expression (const WeirProgram *self, GString *text, const WeirInstruction *i)
{
  const char *c = texts[i->op];

  for (; *c != '\0'; c++)
    {
      gboolean is_word = g_ascii_isalnum (*c) || *c == '_';

      if (!is_word)
        g_string_append_c (text, *c);
      else
        {
          const char *end = c;

          while (g_ascii_isalnum (*end) || *end == '_' || *end == '.')
            end++;
          if (end == c + 1 && *c >= 'a' && *c <= 'c')
            append_slot (self, text, *c == 'a' ? i->a : *c == 'b' ? i->b : i->c);
          else
            g_string_append_len (text, c, end - c);
          c = end - 1;
        }
    }
}

static void
append_table (const WeirProgram *self, GString *text, const WeirInstruction *i, const char *indent)
{
  const guint32 *operands = weir_program_operands (self) + i->b;

  g_string_append_printf (text, "%s{\n%s  const double points[] = { ", indent, indent);
  for (guint k = 0; k < 2 * i->c; k++)
    {
      g_string_append (text, k > 0 ? ", " : "");
      append_slot (self, text, operands[k]);
    }
  g_string_append_printf (text, " };\n%s  static const guint32 order[] = { ", indent);
  for (guint k = 0; k < 2 * i->c; k++)
    g_string_append_printf (text, "%s%u", k > 0 ? ", " : "", k);
  g_string_append_printf (text,
                          " };\n%s  const WeirOperationTable table = { order, %u, NULL, NULL, "
                          "points, 0 };\n\n%s  w%u = weir_table_calc (&table, ",
                          indent, i->c, indent, i->d);
  append_slot (self, text, i->a);
  g_string_append_printf (text, ", %s);\n%s}\n", i->op == WEIR_OP_SLOPE ? "TRUE" : "FALSE", indent);
}

/* Jumps go forward only, and out of no region into the middle of another: they are blocks. */
static void
append_code (const WeirProgram *self, GString *text)
{
  const WeirInstruction *code = weir_program_code (self);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) indent = g_string_new ("  ");

  for (guint32 n = 0;; n++)
    {
      const WeirInstruction *i = &code[n];

      while (ends->len > 0 && g_array_index (ends, guint32, ends->len - 1) <= n)
        {
          g_array_set_size (ends, ends->len - 1);
          g_string_truncate (indent, indent->len - 2);
          g_string_append_printf (text, "%s  }\n", indent->str);
          g_string_truncate (indent, indent->len - 2);
        }
      if (i->op == WEIR_CODE_END)
        break;
      if (weir_instruction_is_jump (i))
        {
          g_string_append_printf (text, "%sif (", indent->str);
          append_slot (self, text, i->a);
          g_string_append_printf (text, " %s 0.0)\n%s  {\n",
                                  i->op == WEIR_CODE_SKIP_IF_ZERO ? "!=" : "==", indent->str);
          g_string_append (indent, "    ");
          g_array_append_val (ends, i->b);
        }
      else if (i->op == WEIR_OP_TABLE || i->op == WEIR_OP_SLOPE)
        append_table (self, text, i, indent->str);
      else
        {
          g_string_append_printf (text, "%sw%u = ", indent->str, i->d);
          append_expression (self, text, i);
          g_string_append (text, ";\n");
        }
    }
}

void
weir_program_write_c (const WeirProgram *self, const char *name, GString *text)
{
  const guint32 *output_slots = weir_program_output_slots (self);
  guint32 first = self->n_constants + self->n_inputs;

  g_string_append_printf (text, "static void\n%s (const double *in, double *out)\n{\n", name);
  for (guint32 slot = first; slot < self->n_slots; slot++)
    g_string_append_printf (text, "%s w%u = 0.0%s", slot == first ? "  double" : "", slot,
                            slot + 1 < self->n_slots ? (slot % 8 == 7 ? ",\n        " : ",")
                                                     : ";\n\n");
  g_string_append (text, "  (void) in;\n");
  append_code (self, text);
  for (guint32 o = 0; o < self->n_outputs; o++)
    {
      g_string_append_printf (text, "  out[%u] = ", o);
      append_slot (self, text, output_slots[o]);
      g_string_append (text, ";\n");
    }
  g_string_append (text, "}\n\n");
}

void
weir_program_set_number (WeirProgram *self, guint32 number)
{
  self->reserved = number;
}
