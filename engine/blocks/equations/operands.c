/* What the programs of an Equations block are run with: operands, work space, sentences where there
 * is no value. See equations.h.
 *
 * Work space is kept for each thread and grows to what the largest computation needs; after that
 * nothing is allocated.
 */
#include "blocks/equations/equations.h"

#include <stdlib.h>
#include <string.h>

#include "base/phrase.h"
#include "base/text.h"
#include "equations/compile/equations.h"

/* --- Work space ------------------------------------------------------------------------------ */

typedef struct {
  double *values;
  gsize size;
} Scratch;

static void
scratch_free (gpointer data)
{
  g_free (((Scratch *) data)->values);
  g_free (data);
}

static GPrivate scratch = G_PRIVATE_INIT (scratch_free);

double *
weir_equations_get_scratch (G_GNUC_UNUSED const WeirCalc *c, gsize size)
{
  Scratch *own = g_private_get (&scratch);

  if (own == NULL)
    {
      own = g_new0 (Scratch, 1);
      g_private_set (&scratch, own);
    }
  if (own->size < size)
    {
      g_free (own->values);
      own->size = MAX (size, 256);
      own->values = g_new (double, own->size);
    }
  return own->values;
}

/* --- Failures -------------------------------------------------------------------------------- */

static const char *
find_place (guint line, gconstpointer user_data)
{
  const WeirEquationsData *data = user_data;
  const guint32 *places = weir_equations_at (data, data->places);

  return line <= data->n_places ? weir_equations_at (data, places[line - 1]) : NULL;
}

/* @message, which is taken over, with its lines named. (transfer full) */
static WeirMessage *
name_lines (const WeirEquationsData *data, WeirMessage *message)
{
  g_autofree const char **extended = g_new0 (const char *, data->n_extended + 1);
  const char *path = weir_equations_at (data, data->extended);

  for (guint i = 0; i < data->n_extended; i++, path += strlen (path) + 1)
    extended[i] = path;
  if (data->n_extended > 0)
    message = weir_extended_name_message (extended, message);
  return data->n_places > 0
             ? weir_equations_decode_message (weir_lines_name_owners (message, find_place, data))
             : message;
}

WeirStatus
weir_equations_fail (const WeirCalc *c, const WeirEquationsData *data, guint element,
                     const char *format, ...)
{
  g_autoptr (WeirMessage) message = NULL;
  const char *text;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  message = name_lines (data, g_steal_pointer (&message));
  text = weir_message_get_text (message);
  return element == G_MAXUINT ? weir_calc_fail (c, "%s", text)
                              : weir_calc_fail_element (c, element, "%s", text);
}

static int
compare_lines (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

WeirStatus
weir_equations_fail_undetermined (const WeirCalc *c, const WeirEquationsData *data,
                                  const WeirPart *part)
{
  g_autofree guint32 *lines = g_memdup2 (weir_equations_at (data, part->lines),
                                         part->n * sizeof (guint32));
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WeirMessage) names = NULL, list = NULL;

  qsort (lines, part->n, sizeof *lines, compare_lines);
  for (guint i = 0; i < part->n; i++)
    g_ptr_array_add (numbers, g_strdup_printf ("%u", lines[i]));
  g_ptr_array_add (numbers, NULL);
  names = weir_message_new_list ((const char *const *) numbers->pdata);
  list = weir_message_new (part->n > 1 ? N_ ("lines %s") : N_ ("line %s"),
                           weir_message_get_text (names));
  if (part->n > 1)
    return weir_equations_fail (
        c, data, part->first,
        "%s leave something open at this moment, as where all of them block or all conduct without "
        "resistance: give one of them a small conductance (Gp of a diode, Goff of a switch) or a "
        "small resistance, or put a resistor beside it.",
        weir_message_get_text (list));
  return weir_equations_fail (c, data, part->first,
                              "%s leaves something open at this moment: give it a small "
                              "conductance (Gp of a diode, Goff of "
                              "a switch) or a small resistance, or put a resistor beside it.",
                              weir_message_get_text (list));
}

WeirStatus
weir_equations_fail_asserted (const WeirCalc *c, const WeirEquationsData *data,
                              const WeirPart *part)
{
  const guint32 *line = weir_equations_at (data, part->lines);
  const char *text = part->text != 0 ? weir_equations_at (data, part->text)
                                     : weir_phrase (N_ ("The rate of a jump is negative"));

  return weir_equations_fail (c, data, G_MAXUINT, "%s (the assertion of line %u does not hold).",
                              text, *line);
}

/* The names of its unknowns, of many the first. (transfer full) */
static WeirMessage *
name_unknowns (const WeirEquationsData *data, const WeirPart *part)
{
  const char *at = weir_equations_at (data, part->text);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (WeirMessage) more = NULL;

  for (at += strlen (at) + 1; *at != '\0'; at += strlen (at) + 1)
    g_ptr_array_add (names, (gpointer) at);
  if (names->len < part->n)
    {
      more = weir_message_new (N_ ("%u more"), part->n - names->len);
      g_ptr_array_add (names, (gpointer) weir_message_get_text (more));
    }
  g_ptr_array_add (names, NULL);
  return weir_message_new_list ((const char *const *) names->pdata);
}

WeirStatus
weir_equations_fail_unsolved (const WeirCalc *c, const WeirEquationsData *data,
                              const WeirPart *part, WeirNewtonOutcome outcome, double first,
                              guint worst, double off, gboolean holds)
{
  const guint32 *lines = weir_equations_at (data, part->lines);
  g_autoptr (WeirMessage) names = name_unknowns (data, part);

  if (outcome == WEIR_NEWTON_STALLED && holds)
    return weir_equations_fail (
        c, data, part->first + worst,
        "The equations for %s (line %u) hold to %.6g, but do not determine them, where the first "
        "unknown is %.6g.",
        weir_message_get_text (names), lines[0], fabs (off), first);
  return weir_equations_fail (c, data, part->first + worst,
                              "The equations for %s (line %u) could not be solved: %s, where the "
                              "first unknown is %.6g and line %u is off by %.6g.",
                              weir_message_get_text (names), lines[0],
                              weir_newton_outcome_to_string (outcome), first, lines[worst], off);
}

/* --- Operands -------------------------------------------------------------------------------- */

/* Neighbours mostly come from the same place, which is looked up once. */
void
weir_equations_gather (const WeirCalc *c, const WeirOperand *operands, guint n, const double *own,
                       double *in)
{
  const double *base = NULL;
  guint32 kind = G_MAXUINT32, index = 0;
  double now;

  for (guint i = 0; i < n; i++)
    {
      const WeirOperand *operand = &operands[i];

      if (operand->kind != kind || operand->index != index)
        {
          kind = operand->kind;
          index = operand->index;
          switch ((WeirOperandKind) kind)
            {
            case WEIR_OPERAND_TIME:
              now = weir_calc_time (c);
              base = &now;
              break;
            case WEIR_OPERAND_ACCURACY:
              now = weir_calc_accuracy (c);
              base = &now;
              break;
            case WEIR_OPERAND_STATE:
              base = weir_calc_z (c);
              break;
            case WEIR_OPERAND_INPUT:
              base = weir_calc_input (c, (WeirInput) { (guint16) index });
              break;
            case WEIR_OPERAND_PARAMETER:
              base = weir_calc_parameter (c, (WeirParameter) { (guint16) index });
              break;
            case WEIR_OPERAND_DISCRETE:
              base = weir_calc_discrete (c, (WeirGroup) { (guint16) index });
              break;
            case WEIR_OPERAND_CACHED:
              base = weir_calc_cached (c, (WeirCached) { (guint16) index });
              break;
            case WEIR_OPERAND_OWN:
            default:
              base = own;
              break;
            }
        }
      in[i] = base[operand->element];
    }
}

void
weir_equations_evaluate (const WeirCalc *c, const WeirOperand *operands, guint n)
{
  for (guint i = 0; i < n; i++)
    if (i > 0 && operands[i].kind == operands[i - 1].kind
        && operands[i].index == operands[i - 1].index)
      continue;
    else if (operands[i].kind == WEIR_OPERAND_INPUT)
      weir_calc_input (c, (WeirInput) { (guint16) operands[i].index });
    else if (operands[i].kind == WEIR_OPERAND_CACHED)
      weir_calc_cached (c, (WeirCached) { (guint16) operands[i].index });
}

WeirStatus
weir_equations_check_values (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part,
                             const double *in, const double *values, double *work)
{
  const guint32 *lines = weir_equations_at (data, part->lines);
  guint element;
  WeirOp op;
  double a, b;

  for (guint i = 0; i < part->n; i++)
    {
      if (G_LIKELY (!isnan (values[i])))
        continue;
      for (guint j = 0; j < part->n_operands; j++)
        if (isnan (in[j]))
          return WEIR_OK; /* it came from elsewhere */
      if (!weir_program_find_invalid (weir_equations_at (data, part->program), in, work, &op, &a,
                                      &b))
        return WEIR_OK;
      element = part->kind == WEIR_PART_EXPLICIT ? part->first + i : G_MAXUINT;
      if (op >= WEIR_OP_ADD && op <= WEIR_OP_DIV)
        return weir_equations_fail (c, data, element, "Line %u: %.17g %s %.17g has no value.",
                                    lines[i], a, weir_op_get_name (op), b);
      if (op == WEIR_OP_POW)
        return weir_equations_fail (c, data, element,
                                    "Line %u: the power of %.17g and %.17g has no value.", lines[i],
                                    a, b);
      if (op > WEIR_OP_POW && op <= WEIR_OP_RANDOM)
        return weir_equations_fail (c, data, element,
                                    "Line %u: %s of %.17g and %.17g has no value.", lines[i],
                                    weir_op_get_name (op), a, b);
      return weir_equations_fail (c, data, element, "Line %u: %s(%.17g) has no value.", lines[i],
                                  weir_op_get_name (op), a);
    }
  return WEIR_OK;
}
