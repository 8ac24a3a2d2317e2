/* How an instance's values move along a direction of its time, state, inputs and parameters: exact,
 * by the chain rule, entry by entry in the order of evaluation. See generate-private.h.
 *
 * What each entry moves by lies in a second instance, at the place that the value itself has in the
 * first. A kernel is differentiated as its text says, a program of equations as its instructions
 * say, what is solved for by the equations that it goes on fulfilling; a calculation of a block
 * moves as the function says that is called like it with _tangent behind. Where one on the way has
 * nothing of that, the model has no tangents, and says so.
 */
#include "generate/generate-private.h"

#include "blocks/equations/program-list.h"
#include "equations/expressions/simplify.h"
#include "equations/programs/program.h"
#include "system/evaluation/template.h"

/* --- Kernels --------------------------------------------------------------------------------- */

static WeirOp
find_op (const char *name)
{
  static const struct {
    const char *name;
    WeirOp op;
  } ops[] = {
    { "+", WEIR_OP_ADD }, { "-", WEIR_OP_SUB },   { "*", WEIR_OP_MUL },        { "/", WEIR_OP_DIV },
    { "<", WEIR_OP_LT },  { "<=", WEIR_OP_LE },   { ">", WEIR_OP_GT },         { ">=", WEIR_OP_GE },
    { "==", WEIR_OP_EQ }, { "!=", WEIR_OP_NE },   { "&&", WEIR_OP_AND },       { "||", WEIR_OP_OR },
    { "?", WEIR_OP_IF },  { "pow", WEIR_OP_POW }, { "negative", WEIR_OP_NEG },
  };
  WeirOp op = WEIR_OP_INVALID;
  guint least, most;

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
    if (strcmp (ops[i].name, name) == 0)
      return ops[i].op;
  return weir_op_find_function (name, &op, &least, &most) ? op : WEIR_OP_INVALID;
}

static guint
make_number (gpointer data, double value)
{
  return weir_expr_number (data, value).i;
}

/* The remainder with the sign of a: a - b trunc (a / b). */
static WeirExpr
make_remainder (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  WeirExpr ratio = weir_expr_make_2 (pool, WEIR_OP_DIV, a, b);
  WeirExpr is_negative = weir_expr_make_2 (pool, WEIR_OP_LT, ratio, weir_expr_number (pool, 0.0));
  WeirExpr whole = weir_expr_make_3 (pool, WEIR_OP_IF, is_negative,
                                     weir_expr_make_1 (pool, WEIR_OP_CEIL, ratio),
                                     weir_expr_make_1 (pool, WEIR_OP_FLOOR, ratio));

  return weir_expr_make_2 (pool, WEIR_OP_SUB, a, weir_expr_make_2 (pool, WEIR_OP_MUL, b, whole));
}

static guint
make_operation (gpointer data, const char *name, const guint *arguments, guint n)
{
  WeirExpr args[3];

  for (guint i = 0; i < n; i++)
    args[i] = (WeirExpr) { arguments[i] };
  if (strcmp (name, "fmod") == 0)
    return make_remainder (data, args[0], args[1]).i;
  return weir_expr_make (data, find_op (name), args, n).i;
}

/* What it computes, of the first @n of @inputs, which are made: operands and what they move by.
 * FALSE: it has no text. */
static gboolean
read_kernel (WeirExprPool *pool, WeirKernel kernel, guint n, guint64 variant, WeirExpr *inputs,
             WeirExpr *value)
{
  WeirKernelReader reader = { make_number, make_operation, pool };
  g_autofree guint *operands = g_new (guint, n + 1);

  for (guint i = 0; i < 2 * n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c%u", i < n ? 'x' : 'd', i % n);

      inputs[i] = weir_expr_symbol (pool, name);
      if (i < n)
        operands[i] = inputs[i].i;
    }
  return weir_kernel_text_read (kernel, n, variant, operands, &reader, &value->i)
         && !weir_expr_pool_has_op (pool, WEIR_OP_INVALID);
}

/* What it computes moves by this, of its operands and then what they move by. NULL: it has no text.
 * (transfer full) */
static WeirProgram *
differentiate_kernel (WeirKernel kernel, guint n, guint64 variant)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autofree WeirExpr *inputs = g_new (WeirExpr, 2 * (gsize) n + 1);
  WeirExpr value, move;

  if (!read_kernel (pool, kernel, n, variant, inputs, &value))
    return NULL;
  weir_expr_derive_along (pool, &value, 1, inputs, inputs + n, n, &move);
  return weir_program_new (pool, &move, 1, inputs, 2 * n);
}

typedef struct {
  WeirKernel kernel;
  guint n;
  guint64 variant;
  char *name; /* of the function; NULL: there is none */
} Known;

/* The name of the function that takes operands and then what they move by, (in, out); it is written
 * the first time, unless the block has it. NULL: there is none. */
static const char *
use_kernel (WeirGenerator *self, const WeirEntryCodeInfo *info)
{
  Known wanted = { info->kernel, info->n_operands, info->variant, NULL };
  const WeirText *companion = weir_generator_find_text (self, (WeirAnyFunction) info->kernel,
                                                        "_tangent");
  g_autofree WeirProgram *program = NULL;

  for (guint i = 0; i < self->tangent_kernels->len; i++)
    {
      const Known *known = &g_array_index (self->tangent_kernels, Known, i);

      if (known->kernel == wanted.kernel && known->n == wanted.n
          && known->variant == wanted.variant)
        return known->name;
    }
  if (companion != NULL)
    {
      self->wanted_texts[companion - weir_texts] = TRUE;
      wanted.name = g_strdup (companion->name);
    }
  else if ((program = differentiate_kernel (wanted.kernel, wanted.n, wanted.variant)) != NULL)
    {
      wanted.name = g_strdup_printf ("kernel_%u_tangent", self->tangent_kernels->len);
      weir_program_write_c (program, wanted.name, self->tangent_programs);
    }
  g_array_append_val (self->tangent_kernels, wanted);
  return wanted.name;
}

static void
known_clear (gpointer data)
{
  g_free (((Known *) data)->name);
}

GArray *
weir_generator_new_tangent_kernels (void)
{
  GArray *kernels = g_array_new (FALSE, FALSE, sizeof (Known));

  g_array_set_clear_func (kernels, known_clear);
  return kernels;
}

/* --- Factors --------------------------------------------------------------------------------- */

/* Sums, differences, products and quotients alone say by their derivatives what is linear. */
static gboolean
is_rational (WeirExprPool *pool, WeirExpr value)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (pool, &value, 1, TRUE, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      WeirOp op = weir_expr_get_op (pool, g_array_index (parts, WeirExpr, i));

      if (op != WEIR_OP_NUMBER && op != WEIR_OP_SYMBOL && op != WEIR_OP_NEG && op != WEIR_OP_ADD
          && op != WEIR_OP_SUB && op != WEIR_OP_MUL && op != WEIR_OP_DIV)
        return FALSE;
    }
  return TRUE;
}

static WeirFactor
get_factor_of (const WeirGenerator *self, guint32 entry, guint operand)
{
  gboolean broadcast;

  switch (weir_code_get_operand (self->root, (WeirEntry) { entry }, operand, &broadcast).kind)
    {
    case WEIR_PLACE_PARAMETER:
      return WEIR_FACTOR_TUNABLE;
    case WEIR_PLACE_GROUP:
      return WEIR_FACTOR_DISCRETE;
    case WEIR_PLACE_ENTRY:
    case WEIR_PLACE_TIME:
    case WEIR_PLACE_ACCURACY:
    case WEIR_PLACE_STATE:
    case WEIR_PLACE_INPUT:
    default:
      return WEIR_FACTOR_DEPENDENT;
    }
}

/* What @slope, a derivative of the kernel of @entry, is made of. */
static WeirFactor
find_factor (const WeirGenerator *self, guint32 entry, WeirExprPool *pool, WeirExpr slope,
             const WeirExpr *inputs, guint n)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirFactor factor = WEIR_FACTOR_CONSTANT;

  weir_expr_collect_atoms (pool, &slope, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    for (guint k = 0; k < n; k++)
      if (weir_expr_equal (g_array_index (atoms, WeirExpr, i), inputs[k]))
        factor = MAX (factor, get_factor_of (self, entry, k));
  return factor;
}

guint8 *
weir_generator_find_factors (WeirGenerator *self, guint32 entry)
{
  WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { entry });
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  guint n = info.n_operands;
  g_autofree WeirExpr *inputs = g_new (WeirExpr, 2 * (gsize) n + 1);
  guint8 *factors = g_new (guint8, n + 1);
  WeirExpr value;

  memset (factors, WEIR_FACTOR_DEPENDENT, n + 1);
  if (info.kernel == NULL || n == 0
      || !read_kernel (pool, info.kernel, n, info.variant, inputs, &value)
      || !is_rational (pool, value))
    return factors;
  for (guint k = 0; k < n; k++)
    factors[k] = (guint8) find_factor (self, entry, pool, weir_expr_derive (pool, value, inputs[k]),
                                       inputs, n);
  return factors;
}

/* --- What is known --------------------------------------------------------------------------- */

static gboolean has_tangent (WeirGenerator *self, const WeirEntryCodeInfo *info);

static WeirLoopCode
find_loop (const WeirGenerator *self, WeirNode node, guint *number)
{
  *number = 0;
  while (weir_code_get_loop (self->root, *number).node.i != node.i)
    ++*number;
  return weir_code_get_loop (self->root, *number);
}

/* Of loops within loops nothing is known. */
static gboolean
has_loop_tangent (WeirGenerator *self, WeirNode node)
{
  guint number;
  WeirLoopCode loop = find_loop (self, node, &number);

  for (guint k = 0; k < loop.n_members; k++)
    {
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { loop.members[k] });

      if (self->is_used[loop.members[k]] && (info.is_solution || !has_tangent (self, &info)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_tangent (WeirGenerator *self, const WeirEntryCodeInfo *info)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, info->node);

  if (leaf.is_diagram || info->size == 0 || info->is_part)
    return TRUE;
  if (info->is_solution)
    return has_loop_tangent (self, info->node);
  if (info->kernel != NULL)
    return use_kernel (self, info) != NULL;
  if (info->calc != NULL && weir_equations_is_calc ((WeirAnyFunction) info->calc))
    return weir_equations_has_tangent (leaf.data, info->local);
  return info->calc != NULL
         && weir_generator_find_text (self, (WeirAnyFunction) info->calc, "_tangent") != NULL;
}

/* What derivatives and what is recorded need, by entry. (transfer full) */
static guint8 *
find_needed (const WeirGenerator *self)
{
  guint8 *needed = g_new0 (guint8, weir_layout_get_n_entries (self->layout) + 1);
  static const guint sets[] = { WEIR_SET_DERIVATIVES, WEIR_SET_RECORD };

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      const WeirSet *set = g_ptr_array_index (self->sets, sets[s]);

      for (guint i = 0; i < set->entries->len; i++)
        needed[g_array_index (set->entries, guint32, i)] = TRUE;
    }
  return needed;
}

/* Of those: do they move with time, states, inputs or parameters? (transfer full) */
static guint8 *
find_moving (const WeirGenerator *self, const guint8 *needed)
{
  guint8 *moves = g_new0 (guint8, weir_layout_get_n_entries (self->layout) + 1);

  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    {
      g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (WeirCodePlace));
      guint n;
      const guint32 *reads = weir_layout_get_reads (self->layout, (WeirEntry) { e }, &n);

      if (!needed[e])
        continue;
      weir_code_list_sources (self->root, (WeirEntry) { e }, sources);
      for (guint i = 0; i < sources->len; i++)
        {
          WeirPlaceKind kind = g_array_index (sources, WeirCodePlace, i).kind;

          moves[e] |= kind != WEIR_PLACE_GROUP && kind != WEIR_PLACE_ACCURACY;
        }
      for (guint i = 0; i < n; i++)
        moves[e] |= moves[reads[i]];
    }
  return moves;
}

gboolean
weir_generator_find_tangents (WeirGenerator *self)
{
  g_autofree guint8 *needed = find_needed (self);
  g_autofree guint8 *moves = find_moving (self, needed);

  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    {
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { e });

      if (moves[e] && !has_tangent (self, &info))
        return FALSE;
    }
  return TRUE;
}

/* --- Writing --------------------------------------------------------------------------------- */

/* What is in the second instance, at the place of the first. (transfer full) */
static char *
dup_move (const WeirGenerator *self, WeirCodePlace place)
{
  g_autofree char *pointer = weir_generator_dup_pointer (self, place);

  if (place.kind == WEIR_PLACE_TIME)
    return g_strdup ("&dt");
  if (place.kind == WEIR_PLACE_ACCURACY)
    return g_strdup ("&along->context.accuracy");
  if (place.kind == WEIR_PLACE_STATE)
    return g_strdup_printf ("dx + %u", place.index);
  return weir_generate_dup_replaced (pointer, "r->", "dr->");
}

static void
write_kernel (WeirGenerator *self, GString *text, guint32 entry, const WeirEntryCodeInfo *info,
              const char *target)
{
  g_autoptr (GString) moves = g_string_new (NULL);

  g_string_append_printf (
      text, "  for (guint i = 0; i < %u; i++)\n    {\n      const double in[] = {", info->size);
  for (guint k = 0; k < info->n_operands; k++)
    {
      gboolean broadcast;
      WeirCodePlace from = weir_code_get_operand (self->root, (WeirEntry) { entry }, k, &broadcast);
      g_autofree char *pointer = weir_generator_dup_pointer (self, from);
      g_autofree char *move = dup_move (self, from);
      const char *index = broadcast || info->size == 1 ? "0" : "i";

      g_string_append_printf (text, " (%s)[%s],", pointer, index);
      g_string_append_printf (moves, " (%s)[%s],", move, index);
    }
  g_string_append_printf (text, "%s };\n\n      %s (in, (%s) + i);\n    }\n", moves->str,
                          use_kernel (self, info), target);
}

static void
write_calc (WeirGenerator *self, GString *text, guint32 entry, const WeirEntryCodeInfo *info,
            const char *target)
{
  static const char calc[] = "&(const WeirCalc) { &%s->context, &leaf_%u, %st, %sx, %u, NULL }";
  WeirCodePlace place = { WEIR_PLACE_ENTRY, info->node.i, entry };
  g_autofree char *value = weir_generator_dup_pointer (self, place);
  guint node = info->node.i, local = info->local;
  gboolean is_equations = weir_equations_is_calc ((WeirAnyFunction) info->calc);
  const WeirText *tangent = is_equations ? NULL
                                         : weir_generator_find_text (
                                             self, (WeirAnyFunction) info->calc, "_tangent");

  self->is_leaf_used[node] = TRUE;
  if (tangent != NULL)
    self->wanted_texts[tangent - weir_texts] = TRUE;
  g_string_append_printf (text, "  if (%s (",
                          is_equations ? "weir_equations_calc_tangent" : tangent->name);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the same for both instances */
  g_string_append_printf (text, calc, "self", node, "", "", local);
  g_string_append (text, ",\n      ");
  g_string_append_printf (text, calc, "along", node, "d", "d", local);
#pragma GCC diagnostic pop
  g_string_append_printf (text, ", %s%s%s)\n      != WEIR_OK)\n    return WEIR_FAILED;\n",
                          is_equations ? value : "", is_equations ? ", " : "", target);
}

/* The part of a loop's solution that is one of its outputs. */
static void
write_part (WeirGenerator *self, GString *text, const WeirEntryCodeInfo *info, const char *target)
{
  WeirEntry solution = weir_code_get_leaf_entry (self->root, info->node, 0);
  g_autofree char *from = dup_move (self,
                                    (WeirCodePlace) { WEIR_PLACE_ENTRY, info->node.i, solution.i });
  guint32 offset = 0;

  for (guint16 i = 0; i + 1u < info->local; i++)
    offset += weir_layout_get_input_size (self->layout, info->node, (WeirInput) { i });
  g_string_append_printf (text, "  memcpy (%s, (%s) + %u, %u * sizeof (double));\n", target, from,
                          offset, info->size);
}

static void
write_entry (WeirGenerator *self, GString *text, guint32 entry)
{
  WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { entry });
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
  g_autofree char *shown = weir_generate_dup_comment (path);
  g_autofree char *target = NULL;

  if (weir_code_get_leaf (self->root, info.node).is_diagram || info.size == 0)
    return;
  target = dup_move (self, (WeirCodePlace) { WEIR_PLACE_ENTRY, info.node.i, entry });
  g_string_append_printf (text, "  /* %s */\n", shown);
  if (info.is_part)
    write_part (self, text, &info, target);
  else if (info.is_solution)
    {
      guint number;

      find_loop (self, info.node, &number);
      g_string_append_printf (text,
                              "  if (move_loop_%u (self, t, x, along, dt, dx, room) != WEIR_OK)\n"
                              "    return WEIR_FAILED;\n",
                              number);
    }
  else if (info.kernel != NULL)
    write_kernel (self, text, entry, &info, target);
  else
    write_calc (self, text, entry, &info, target);
}

/* --- Loops ----------------------------------------------------------------------------------- */

/* Copies what the loop's inputs move by to @to. */
static void
write_inputs (const WeirGenerator *self, GString *text, WeirNode node, const char *to,
              const char *indent)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, node);
  guint32 at = 0;

  for (guint16 i = 0; i < leaf.n_inputs; i++)
    {
      g_autofree char *move = dup_move (self,
                                        weir_code_get_input (self->root, node, (WeirInput) { i }));
      guint size = weir_layout_get_input_size (self->layout, node, (WeirInput) { i });

      g_string_append_printf (text, "%smemcpy (%s + %u, %s, %u * sizeof (double));\n", indent, to,
                              at, move, size);
      at += size;
    }
}

static void
write_members (WeirGenerator *self, GString *text, guint number)
{
  WeirLoopCode loop = weir_code_get_loop (self->root, number);
  guint next = 0;

  g_string_append_printf (
      text,
      "static WeirStatus\nmembers_of_loop_%u_tangent (%s *self, double t, "
      "const double *x, %s *along, double dt,\n    const double *dx, %s *room)\n{\n"
      "  %sRow *r = &self->row, *dr = &along->row;\n\n"
      "  (void) t;\n  (void) x;\n  (void) dt;\n  (void) dx;\n  (void) room;\n",
      number, self->name, self->name, self->name, self->name);
  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    {
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { e });
      gboolean is_part = info.node.i == loop.node.i && info.is_part;

      while (next < loop.n_members && loop.members[next] < e)
        next++;
      if (self->is_used[e] && (is_part || (next < loop.n_members && loop.members[next] == e)))
        write_entry (self, text, e);
    }
  g_string_append (text, "  (void) r;\n  (void) dr;\n  return WEIR_OK;\n}\n\n");
}

/* z = g (z, p) goes on holding: (I - dg/dz) dz = dg/dp dp. What each of z alone moves g by is found
 * in the room, where nothing else moves. */
static void
write_loop (WeirGenerator *self, GString *text, guint number)
{
  WeirLoopCode loop = weir_code_get_loop (self->root, number);
  guint32 n = weir_layout_get_entry (self->layout, loop.solution).size;
  g_autofree char *solution = dup_move (
      self, (WeirCodePlace) { WEIR_PLACE_ENTRY, loop.node.i, loop.solution.i });

  write_members (self, text, number);
  g_string_append_printf (
      text,
      "static WeirStatus\nmove_loop_%u (%s *self, double t, const double *x, %s *along, double "
      "dt,\n"
      "    const double *dx, %s *room)\n{\n"
      "  const WeirBand band = { %u, %u, %u };\n"
      "  double matrix[%u], move[%u], column[%u];\n\n"
      "  memset (&room->row, 0, sizeof room->row);\n"
      "  memset (room->state, 0, sizeof room->state);\n"
      "  for (guint j = 0; j < %u; j++)\n    {\n"
      "      %sRow *dr = &room->row;\n\n"
      "      memset (%s, 0, sizeof column);\n      (%s)[j] = 1;\n"
      "      if (members_of_loop_%u_tangent (self, t, x, room, 0, room->state, NULL) != WEIR_OK)\n"
      "        return WEIR_FAILED;\n",
      number, self->name, self->name, self->name, n, n - 1, n - 1, n * n, n, n, n, self->name,
      solution, solution, number);
  write_inputs (self, text, loop.node, "column", "      ");
  g_string_append_printf (
      text,
      "      for (guint i = 0; i < %u; i++)\n"
      "        matrix[weir_band_get_place (&band, i, j)] = (i == j) - column[i];\n    }\n"
      "  {\n    %sRow *dr = &along->row;\n\n"
      "    memset (%s, 0, sizeof move);\n"
      "    if (members_of_loop_%u_tangent (self, t, x, along, dt, dx, NULL) != WEIR_OK)\n"
      "      return WEIR_FAILED;\n",
      n, self->name, solution, number);
  write_inputs (self, text, loop.node, "move", "    ");
  g_string_append_printf (
      text,
      "    if (!weir_band_solve (&band, matrix, move))\n      {\n"
      "        (void) snprintf (self->context.failure, WEIR_MESSAGE_SIZE,\n"
      "                         \"an algebraic loop does not determine how it moves\");\n"
      "        return WEIR_FAILED;\n      }\n"
      "    memcpy (%s, move, sizeof move);\n  }\n  return WEIR_OK;\n}\n\n",
      solution);
}

/* --- The whole ------------------------------------------------------------------------------- */

static void
write_columns (const WeirGenerator *self, GString *text)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      const WeirColumnPlace *column = &g_array_index (self->columns, WeirColumnPlace, i);
      g_autofree char *move = dup_move (self, column->place);

      g_string_append_printf (text, "  columns[%u] = (%s)[%u];\n", i, move, column->element);
    }
}

void
weir_generator_write_tangents (WeirGenerator *self, GString *text)
{
  g_autofree guint8 *needed = find_needed (self);
  g_autofree guint8 *moves = find_moving (self, needed);

  for (guint i = 0; i < weir_code_get_n_loops (self->root); i++)
    if (moves[weir_code_get_loop (self->root, i).solution.i])
      write_loop (self, text, i);
  g_string_append_printf (
      text,
      "int\n%s_tangents (%s *self, double t, %s *along, double dt, double *columns, %s *room)\n{\n"
      "  %sRow *r = &self->row, *dr = &along->row;\n"
      "  const double *x = self->state, *dx = along->state;\n\n"
      "  (void) r;\n  (void) dr;\n  (void) t;\n  (void) x;\n  (void) dx;\n  (void) dt;\n  (void) "
      "columns;\n  (void) room;\n"
      "  self->context.values_set = 0;\n  along->context.accuracy = 0;\n",
      self->lower, self->name, self->name, self->name, self->name);
  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    if (needed[e])
      weir_generator_write_entry (self, text, e, "  ");
  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    if (moves[e])
      write_entry (self, text, e);
  write_columns (self, text);
  g_string_append (text, "  return WEIR_OK;\n}\n\n");
}

void
weir_generator_write_tangent_programs (WeirGenerator *self, GString *text)
{
  g_string_append (text, self->tangent_programs->str);
  if (self->n_programs == 0)
    return;
  g_string_append (text, "static void\nweir_program_run_tangent (guint program, const double *in, "
                         "double *out)\n{\n  switch (program)\n    {\n");
  for (guint i = 0; i < self->tangent_numbers->len; i++)
    {
      guint number = g_array_index (self->tangent_numbers, guint, i);

      g_string_append_printf (text,
                              "    case %u:\n      program_%u_tangent (in, out);\n      break;\n",
                              number, number);
    }
  g_string_append (text, "    default:\n      break;\n    }\n}\n\n");
}
