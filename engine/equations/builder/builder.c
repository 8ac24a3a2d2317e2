/* What the steps share: problems, names, lists of them, and the order of equations and unknowns.
 * See builder.h.
 */
#include "equations/builder/builder.h"
#include "base/text.h"
#include "base/phrase.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LINES 20 /* in one list */

/* --- Problems and names ---------------------------------------------------------------------- */

void
weir_builder_fail (WeirEquationsBuilder *self, const char *code, int line, const char *format, ...)
{
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  self->has_failed = TRUE;
  weir_report_add_message (self->report, WEIR_SEVERITY_ERROR, code, line, message);
}

WeirVariable *
weir_builder_find_atom (const WeirEquationsBuilder *self, WeirExpr atom)
{
  guint index;

  while (weir_expr_is_atom (self->pool, atom)
         && weir_expr_get_op (self->pool, atom) != WEIR_OP_SYMBOL)
    atom = weir_expr_get_arg (self->pool, atom, 0);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_atom, GUINT_TO_POINTER (atom.i + 1)));
  return index > 0 ? g_ptr_array_index (self->result->variables, index - 1) : NULL;
}

WeirExpr
weir_builder_add_symbol (WeirEquationsBuilder *self, const char *text, guint number)
{
  WeirExpr symbol = weir_expr_symbol (self->pool, text);

  if (g_hash_table_contains (self->derived, GUINT_TO_POINTER (symbol.i + 1)))
    {
      g_autofree char *numbered = g_strdup_printf ("%s %u", text, number);

      symbol = weir_expr_symbol (self->pool, numbered);
    }
  g_hash_table_add (self->derived, GUINT_TO_POINTER (symbol.i + 1));
  return symbol;
}

char *
weir_builder_dup_name (const WeirEquationsBuilder *self, WeirExpr atom)
{
  return weir_expr_describe (self->pool, atom);
}

WeirVariable *
weir_builder_find_or_add (WeirEquationsBuilder *self, const char *name, WeirRole role, int line)
{
  WeirVariable *variable = g_hash_table_lookup (self->by_name, name);

  if (variable != NULL)
    return variable;
  variable = g_new0 (WeirVariable, 1);
  variable->name = g_strdup (name);
  variable->role = role;
  variable->line = line;
  g_ptr_array_add (self->result->variables, variable);
  g_hash_table_insert (self->by_name, variable->name, variable);
  return variable;
}

void
weir_builder_set_shape (WeirEquationsBuilder *self, const char *name, WeirShape shape)
{
  WeirShape *copy = g_memdup2 (&shape, sizeof shape);

  g_hash_table_insert (self->expander.shapes, g_strdup (name), copy);
}

/* The names that an expression reads, in the order of their parts. */
GPtrArray *
weir_builder_dup_names (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  GPtrArray *names = g_ptr_array_new ();

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);

      if (weir_expr_get_op (self->pool, part) == WEIR_OP_SYMBOL)
        g_ptr_array_add (names, (gpointer) weir_expr_get_name (self->pool, part));
    }
  return names;
}

/* --- Lists ----------------------------------------------------------------------------------- */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  int left = *(const int *) a, right = *(const int *) b;

  return left < right ? -1 : left > right;
}

WeirMessage *
weir_builder_enumerate_lines (const int *lines, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree int *sorted = g_memdup2 (lines, n * sizeof *lines);
  g_autoptr (WeirMessage) list = NULL;
  gboolean has_others = FALSE;

  qsort (sorted, n, sizeof *sorted, compare_lines);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0 && sorted[i] == sorted[i - 1])
        continue;
      if (texts->len < MAX_LINES)
        g_ptr_array_add (texts, g_strdup_printf ("%d", sorted[i]));
      else
        has_others = TRUE;
    }
  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (names, texts->pdata[i]);
  if (has_others)
    g_ptr_array_add (names, (gpointer) weir_phrase (N_ ("others")));
  g_ptr_array_add (names, NULL);
  list = weir_message_new_list ((const char *const *) names->pdata);
  return weir_message_new (names->len > 2 ? N_ ("lines %s") : N_ ("line %s"),
                           weir_message_get_text (list));
}

WeirMessage *
weir_builder_enumerate_atoms (const WeirEquationsBuilder *self, const WeirExpr *atoms, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (WeirMessage) more = NULL;

  for (guint i = 0; i < n && i < 10; i++)
    {
      g_ptr_array_add (texts, weir_builder_dup_name (self, atoms[i]));
      g_ptr_array_add (names, texts->pdata[i]);
    }
  if (n > 10)
    {
      more = weir_message_new (N_ ("%u more"), n - 10);
      g_ptr_array_add (names, (gpointer) weir_message_get_text (more));
    }
  g_ptr_array_add (names, NULL);
  return weir_message_new_list ((const char *const *) names->pdata);
}

/* --- Order ----------------------------------------------------------------------------------- */

/* The digits of a number without leading zeros. */
static gsize
span_number (const char *text, const char **digits, const char **end)
{
  while (*text == '0')
    text++;
  *digits = text;
  while (g_ascii_isdigit (*text))
    text++;
  *end = text;
  return (gsize) (text - *digits);
}

int
weir_name_compare (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          const char *digits_a, *digits_b, *end_a, *end_b;
          gsize n = span_number (a, &digits_a, &end_a), n_b = span_number (b, &digits_b, &end_b);
          int order = n == n_b ? memcmp (digits_a, digits_b, n) : n < n_b ? -1 : 1;

          if (order != 0)
            return order;
          if (end_a - a != end_b - b)
            return end_a - a < end_b - b ? -1 : 1;
          a = end_a;
          b = end_b;
          continue;
        }
      if (*a != *b)
        return (guchar) *a < (guchar) *b ? -1 : 1;
      a++;
      b++;
    }
  return *a == *b ? 0 : *a == '\0' ? -1 : 1;
}

/* Equal parts are one node, so that the first arguments that differ decide: a walk down, however
 * often parts are shared. */
static int
compare_expressions (const WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  while (!weir_expr_equal (a, b))
    {
      WeirOp op = weir_expr_get_op (pool, a), other = weir_expr_get_op (pool, b);
      guint n = weir_expr_get_n_args (pool, a), i = 0;

      if (op != other)
        return op < other ? -1 : 1;
      if (op == WEIR_OP_NUMBER)
        {
          double left = weir_expr_get_number (pool, a), right = weir_expr_get_number (pool, b);

          return left < right ? -1 : left > right;
        }
      if (op == WEIR_OP_SYMBOL || op == WEIR_OP_TEXT)
        return weir_name_compare (weir_expr_get_name (pool, a), weir_expr_get_name (pool, b));
      if (n != weir_expr_get_n_args (pool, b))
        return n < weir_expr_get_n_args (pool, b) ? -1 : 1;
      while (i < n
             && weir_expr_equal (weir_expr_get_arg (pool, a, i), weir_expr_get_arg (pool, b, i)))
        i++;
      if (i == n)
        return 0;
      a = weir_expr_get_arg (pool, a, i);
      b = weir_expr_get_arg (pool, b, i);
    }
  return 0;
}

typedef struct {
  char *key;     /* what it says, as far as texts go */
  WeirExpr e[2]; /* for the rest */
  guint index;
} Key;

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer pool)
{
  const Key *left = a, *right = b;
  int order = weir_name_compare (left->key, right->key);

  for (guint i = 0; i < 2 && order == 0; i++)
    order = compare_expressions (pool, left->e[i], right->e[i]);
  return order != 0 ? order : left->index < right->index ? -1 : 1;
}

/* Sorts elements of @size bytes by keys, which are freed. */
static void
sort_by_keys (WeirExprPool *pool, GArray *array, GArray *keys, gsize size)
{
  g_autofree char *copy = g_memdup2 (array->data, array->len * size);

  g_array_sort_with_data (keys, compare_keys, pool);
  for (guint i = 0; i < keys->len; i++)
    {
      Key *key = &g_array_index (keys, Key, i);

      memcpy (array->data + i * size, copy + key->index * size, size);
      g_free (key->key);
    }
}

void
weir_builder_sort_equations (const WeirEquationsBuilder *self, GArray *equations)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autofree char *left = weir_expr_describe (self->pool, equation->left);
      g_autofree char *right = weir_expr_describe (self->pool, equation->right);
      Key key = { g_strconcat (equation->is_default ? "1" : "0", left, " ~ ", right, NULL),
                  { equation->left, equation->right },
                  i };

      g_array_append_val (keys, key);
    }
  sort_by_keys (self->pool, equations, keys, sizeof (WeirScalarEquation));
}

void
weir_builder_sort_unknowns (const WeirEquationsBuilder *self, GArray *unknowns)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (Key));

  for (guint i = 0; i < unknowns->len; i++)
    {
      WeirExpr atom = g_array_index (unknowns, WeirUnknown, i).atom;
      Key key = { weir_expr_describe (self->pool, atom), { atom, atom }, i };

      g_array_append_val (keys, key);
    }
  sort_by_keys (self->pool, unknowns, keys, sizeof (WeirUnknown));
}
