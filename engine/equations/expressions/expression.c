/* The pool of expressions: nodes, interning, and walks over parts. See expression.h.
 *
 * A node is 16 bytes; its arguments lie in one array of all arguments. The hash table holds node
 * indices (plus one; 0 = free) and is at most half full.
 */
#include "equations/expressions/expression.h"

#include <string.h>

typedef struct {
  guint32 op : 8;
  guint32 n_args : 24;
  guint32 first; /* of the arguments; of a name its index in names */
  double value;  /* of a number */
} Node;

struct _WeirExprPool {
  GArray *nodes; /* of Node */
  GArray *args;  /* of WeirExpr */
  GPtrArray *names;
  GHashTable *name_index; /* name to index + 1 */
  guint32 *table;
  guint32 table_size; /* a power of two */
  GArray *marks;      /* of guint32: the walk in which a node was last seen */
  gboolean has_op[WEIR_N_OPS];
  guint32 walk;
};

static inline const Node *
get (const WeirExprPool *pool, WeirExpr e)
{
  return &g_array_index (pool->nodes, Node, e.i);
}

static inline const WeirExpr *
get_args (const WeirExprPool *pool, const Node *node)
{
  return &g_array_index (pool->args, WeirExpr, node->first);
}

WeirExprPool *
weir_expr_pool_new (void)
{
  WeirExprPool *pool = g_new0 (WeirExprPool, 1);

  pool->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  pool->args = g_array_sized_new (FALSE, FALSE, sizeof (WeirExpr),
                                  16); /* so that there is data to point at */
  pool->names = g_ptr_array_new_with_free_func (g_free);
  pool->name_index = g_hash_table_new (g_str_hash, g_str_equal);
  pool->table_size = 64;
  pool->table = g_new0 (guint32, pool->table_size);
  pool->marks = g_array_new (FALSE, TRUE, sizeof (guint32));
  return pool;
}

void
weir_expr_pool_free (WeirExprPool *pool)
{
  if (pool == NULL)
    return;
  g_array_unref (pool->nodes);
  g_array_unref (pool->args);
  g_array_unref (pool->marks);
  g_hash_table_unref (pool->name_index);
  g_ptr_array_unref (pool->names);
  g_free (pool->table);
  g_free (pool);
}

gboolean
weir_expr_pool_has_op (const WeirExprPool *pool, WeirOp op)
{
  return pool->has_op[op];
}

/* --- Interning ------------------------------------------------------------------------------- */

static guint32
mix (guint32 hash, guint32 value)
{
  guint64 product = (guint64) (hash ^ value) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint32) (product >> 32) ^ (guint32) product;
}

static guint32
hash_node (const Node *node, const WeirExpr *args)
{
  guint32 hash = mix (node->op + 1, node->n_args + 7);
  guint64 bits;

  memcpy (&bits, &node->value, sizeof bits);
  hash = mix (mix (hash, (guint32) bits), (guint32) (bits >> 32));
  if (node->op == WEIR_OP_SYMBOL || node->op == WEIR_OP_TEXT)
    return mix (hash, node->first);
  for (guint i = 0; i < node->n_args; i++)
    hash = mix (hash, args[i].i);
  return hash;
}

static gboolean
is_same (const WeirExprPool *pool, const Node *node, const Node *other, const WeirExpr *args)
{
  if (node->op != other->op || node->n_args != other->n_args
      || memcmp (&node->value, &other->value, sizeof node->value) != 0)
    return FALSE;
  if (node->op == WEIR_OP_SYMBOL || node->op == WEIR_OP_TEXT)
    return node->first == other->first;
  return node->n_args == 0
         || memcmp (get_args (pool, node), args, node->n_args * sizeof (WeirExpr)) == 0;
}

static void
grow_table (WeirExprPool *pool)
{
  guint32 size = pool->table_size * 2;

  g_free (pool->table);
  pool->table = g_new0 (guint32, size);
  pool->table_size = size;
  for (guint32 i = 0; i < pool->nodes->len; i++)
    {
      const Node *node = get (pool, (WeirExpr) { i });
      guint32 at = hash_node (node, get_args (pool, node)) & (size - 1);

      while (pool->table[at] != 0)
        at = (at + 1) & (size - 1);
      pool->table[at] = i + 1;
    }
}

/* The node like @wanted, made if there is none. */
static WeirExpr
intern (WeirExprPool *pool, Node wanted, const WeirExpr *args)
{
  guint32 at;

  if (pool->nodes->len * 2 >= pool->table_size)
    grow_table (pool);
  at = hash_node (&wanted, args) & (pool->table_size - 1);
  for (; pool->table[at] != 0; at = (at + 1) & (pool->table_size - 1))
    {
      WeirExpr found = { pool->table[at] - 1 };

      if (is_same (pool, get (pool, found), &wanted, args))
        return found;
    }
  if (wanted.op != WEIR_OP_SYMBOL && wanted.op != WEIR_OP_TEXT)
    {
      wanted.first = pool->args->len;
      g_array_append_vals (pool->args, args, wanted.n_args);
    }
  g_array_append_val (pool->nodes, wanted);
  pool->has_op[wanted.op] = TRUE;
  pool->table[at] = pool->nodes->len;
  return (WeirExpr) { pool->nodes->len - 1 };
}

WeirExpr
weir_expr_number (WeirExprPool *pool, double value)
{
  return intern (pool, (Node) { .op = WEIR_OP_NUMBER, .value = value }, NULL);
}

static WeirExpr
make_named (WeirExprPool *pool, WeirOp op, const char *name)
{
  guint32 index = GPOINTER_TO_UINT (g_hash_table_lookup (pool->name_index, name));

  if (index == 0)
    {
      char *copy = g_strdup (name);

      g_ptr_array_add (pool->names, copy);
      index = pool->names->len;
      g_hash_table_insert (pool->name_index, copy, GUINT_TO_POINTER (index));
    }
  return intern (pool, (Node) { .op = op, .first = index - 1 }, NULL);
}

WeirExpr
weir_expr_symbol (WeirExprPool *pool, const char *name)
{
  return make_named (pool, WEIR_OP_SYMBOL, name);
}

WeirExpr
weir_expr_text (WeirExprPool *pool, const char *text)
{
  return make_named (pool, WEIR_OP_TEXT, text);
}

WeirExpr
weir_expr_make (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args)
{
  return intern (pool, (Node) { .op = op, .n_args = n_args }, args);
}

WeirExpr
weir_expr_make_1 (WeirExprPool *pool, WeirOp op, WeirExpr a)
{
  return weir_expr_make (pool, op, &a, 1);
}

WeirExpr
weir_expr_make_2 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b)
{
  return weir_expr_make (pool, op, (WeirExpr[]) { a, b }, 2);
}

WeirExpr
weir_expr_make_3 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b, WeirExpr c)
{
  return weir_expr_make (pool, op, (WeirExpr[]) { a, b, c }, 3);
}

/* --- Reading --------------------------------------------------------------------------------- */

WeirOp
weir_expr_get_op (const WeirExprPool *pool, WeirExpr e)
{
  return get (pool, e)->op;
}

guint
weir_expr_get_n_args (const WeirExprPool *pool, WeirExpr e)
{
  return get (pool, e)->n_args;
}

WeirExpr
weir_expr_get_arg (const WeirExprPool *pool, WeirExpr e, guint i)
{
  return get_args (pool, get (pool, e))[i];
}

double
weir_expr_get_number (const WeirExprPool *pool, WeirExpr e)
{
  return get (pool, e)->value;
}

const char *
weir_expr_get_name (const WeirExprPool *pool, WeirExpr e)
{
  return g_ptr_array_index (pool->names, get (pool, e)->first);
}

gboolean
weir_expr_is_number (const WeirExprPool *pool, WeirExpr e, double value)
{
  const Node *node = get (pool, e);

  return node->op == WEIR_OP_NUMBER && node->value == value;
}

gboolean
weir_expr_is_atom (const WeirExprPool *pool, WeirExpr e)
{
  switch ((int) weir_expr_get_op (pool, e))
    {
    case WEIR_OP_SYMBOL:
    case WEIR_OP_DER:
    case WEIR_OP_PRE:
    case WEIR_OP_INITIAL:
    case WEIR_OP_SHIFT:
    case WEIR_OP_DELAY:
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- Walks ----------------------------------------------------------------------------------- */

typedef struct {
  WeirExpr e;
  guint32 next; /* argument to go to */
} Visit;

static gboolean
mark (WeirExprPool *pool, WeirExpr e)
{
  guint32 *seen = &g_array_index (pool->marks, guint32, e.i);

  if (*seen == pool->walk)
    return FALSE;
  *seen = pool->walk;
  return TRUE;
}

static void
begin_walk (WeirExprPool *pool)
{
  g_array_set_size (pool->marks, pool->nodes->len);
  if (++pool->walk == 0)
    {
      memset (pool->marks->data, 0, pool->marks->len * sizeof (guint32));
      pool->walk = 1;
    }
}

void
weir_expr_collect (WeirExprPool *pool, const WeirExpr *roots, guint n_roots, gboolean stop_at_atoms,
                   GArray *order)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));

  begin_walk (pool);
  for (guint r = 0; r < n_roots; r++)
    {
      Visit root = { roots[r], 0 };

      if (!mark (pool, roots[r]))
        continue;
      g_array_append_val (stack, root);
      while (stack->len > 0)
        {
          Visit *top = &g_array_index (stack, Visit, stack->len - 1);
          const Node *node = get (pool, top->e);
          gboolean is_leaf = stop_at_atoms && weir_expr_is_atom (pool, top->e);

          if (!is_leaf && top->next < node->n_args)
            {
              Visit child = { get_args (pool, node)[top->next++], 0 };

              if (mark (pool, child.e))
                g_array_append_val (stack, child);
              continue;
            }
          g_array_append_val (order, top->e);
          g_array_set_size (stack, stack->len - 1);
        }
    }
}

void
weir_expr_collect_atoms (WeirExprPool *pool, const WeirExpr *roots, guint n_roots, GArray *atoms)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (pool, roots, n_roots, TRUE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr e = g_array_index (order, WeirExpr, i);

      if (weir_expr_is_atom (pool, e))
        g_array_append_val (atoms, e);
    }
}

void
weir_expr_replace_all (WeirExprPool *pool, const WeirExpr *roots, guint n_roots, WeirExpr *replaced,
                       WeirExprReplaceFunc replace, gpointer data, WeirExprMakeFunc make)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  g_autoptr (GHashTable) results = g_hash_table_new (NULL, NULL); /* index + 1 to index + 1 */
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint r = 0; r < n_roots; r++)
    {
      Visit root = { roots[r], 0 };

      if (!g_hash_table_contains (results, GUINT_TO_POINTER (roots[r].i + 1)))
        g_array_append_val (stack, root);
      while (stack->len > 0)
        {
          Visit *top = &g_array_index (stack, Visit, stack->len - 1);
          WeirExpr part = top->e;
          guint n_args = get (pool, part)->n_args;
          WeirExpr result = WEIR_NO_EXPR;

          if (top->next == 0 && replace != NULL)
            result = replace (pool, part, data);
          if (result.i == WEIR_NO_EXPR.i && top->next < n_args)
            {
              Visit child = { weir_expr_get_arg (pool, part, top->next++), 0 };

              if (!g_hash_table_contains (results, GUINT_TO_POINTER (child.e.i + 1)))
                g_array_append_val (stack, child);
              continue;
            }
          if (result.i == WEIR_NO_EXPR.i && n_args == 0)
            result = part;
          if (result.i == WEIR_NO_EXPR.i)
            {
              WeirOp op = weir_expr_get_op (pool, part);

              g_array_set_size (args, 0);
              for (guint i = 0; i < n_args; i++)
                {
                  WeirExpr arg = weir_expr_get_arg (pool, part, i);
                  gpointer found = g_hash_table_lookup (results, GUINT_TO_POINTER (arg.i + 1));

                  arg.i = GPOINTER_TO_UINT (found) - 1;
                  g_array_append_val (args, arg);
                }
              result = (make != NULL ? make : weir_expr_make) (pool, op, (WeirExpr *) args->data,
                                                               n_args);
            }
          g_hash_table_insert (results, GUINT_TO_POINTER (part.i + 1),
                               GUINT_TO_POINTER (result.i + 1));
          g_array_set_size (stack, stack->len - 1);
        }
    }
  for (guint r = 0; r < n_roots; r++)
    replaced[r].i = GPOINTER_TO_UINT (
                        g_hash_table_lookup (results, GUINT_TO_POINTER (roots[r].i + 1)))
                    - 1;
}

WeirExpr
weir_expr_replace (WeirExprPool *pool, WeirExpr e, WeirExprReplaceFunc replace, gpointer data,
                   WeirExprMakeFunc make)
{
  WeirExpr replaced;

  weir_expr_replace_all (pool, &e, 1, &replaced, replace, data, make);
  return replaced;
}

WeirExpr
weir_expr_look_up (WeirExprPool *pool, WeirExpr part, gpointer table)
{
  gpointer found = g_hash_table_lookup (table, GUINT_TO_POINTER (part.i + 1));

  if (found != NULL)
    return (WeirExpr) { GPOINTER_TO_UINT (found) - 1 };
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}
