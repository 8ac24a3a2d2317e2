/* Surroundings of a text, and which names it takes from them. See surroundings.h. */
#include "equations/builder/builder.h"
#include "base/text.h"
#include "base/phrase.h"
#include "base/sync.h"

#include <string.h>

struct _WeirSurroundings {
  gatomicrefcount ref_count;
  WeirMessage *scopes;
  GArray *givens;       /* of WeirGiven, strings and values owned */
  GPtrArray *texts;     /* path, text, path, text, ... */
  GPtrArray *problems;  /* names */
  GPtrArray *sentences; /* WeirMessage, of those problems */
  GPtrArray *alikes;    /* name, another name, ... */
};

static void
given_clear (gpointer data)
{
  WeirGiven *self = data;

  g_free ((char *) self->name);
  g_free ((char *) self->path);
  g_free ((double *) self->value);
  g_free ((char *) self->unit);
}

WeirSurroundings *
weir_surroundings_new (WeirMessage *scopes)
{
  WeirSurroundings *self = g_new0 (WeirSurroundings, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->scopes = scopes;
  self->givens = g_array_new (FALSE, FALSE, sizeof (WeirGiven));
  g_array_set_clear_func (self->givens, given_clear);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->sentences = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_message_unref);
  self->alikes = g_ptr_array_new_with_free_func (g_free);
  return self;
}

WeirSurroundings *
weir_surroundings_ref (WeirSurroundings *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_surroundings_unref (WeirSurroundings *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_array_unref (self->givens);
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->problems);
  g_ptr_array_unref (self->sentences);
  g_ptr_array_unref (self->alikes);
  weir_message_unref (self->scopes);
  g_free (self);
}

void
weir_surroundings_add (WeirSurroundings *self, WeirGiven given)
{
  WeirGiven copy = { .name = g_strdup (given.name),
                     .path = g_strdup (given.path),
                     .value = g_memdup2 (given.value, given.size * sizeof *given.value),
                     .size = given.size,
                     .unit = g_strdup (given.unit) };

  g_array_append_val (self->givens, copy);
}

guint
weir_surroundings_get_n (const WeirSurroundings *self)
{
  return self->givens->len;
}

const WeirGiven *
weir_surroundings_get (const WeirSurroundings *self, guint i)
{
  return &g_array_index (self->givens, WeirGiven, i);
}

static const WeirGiven *
find_given (const WeirSurroundings *self, const char *name)
{
  for (guint i = 0; i < self->givens->len; i++)
    if (strcmp (g_array_index (self->givens, WeirGiven, i).name, name) == 0)
      return &g_array_index (self->givens, WeirGiven, i);
  return NULL;
}

static void
add_pair (GPtrArray *pairs, const char *key, const char *text)
{
  g_ptr_array_add (pairs, g_strdup (key));
  g_ptr_array_add (pairs, g_strdup (text));
}

void
weir_surroundings_add_text (WeirSurroundings *self, const char *path, const char *text)
{
  add_pair (self->texts, path, text);
}

guint
weir_surroundings_get_n_texts (const WeirSurroundings *self)
{
  return self->texts->len / 2;
}

const char *
weir_surroundings_get_text (const WeirSurroundings *self, guint i, const char **path)
{
  *path = g_ptr_array_index (self->texts, 2 * i);
  return g_ptr_array_index (self->texts, 2 * i + 1);
}

void
weir_surroundings_add_problem (WeirSurroundings *self, const char *name, WeirMessage *problem)
{
  g_ptr_array_add (self->problems, g_strdup (name));
  g_ptr_array_add (self->sentences, problem);
}

static const char *
find_pair (const GPtrArray *pairs, const char *key)
{
  for (guint i = 0; i < pairs->len; i += 2)
    if (strcmp (g_ptr_array_index (pairs, i), key) == 0)
      return g_ptr_array_index (pairs, i + 1);
  return NULL;
}

const char *
weir_surroundings_find_problem (const WeirSurroundings *self, const char *name)
{
  for (guint i = 0; i < self->problems->len; i++)
    if (strcmp (self->problems->pdata[i], name) == 0)
      return weir_message_get_text (self->sentences->pdata[i]);
  return NULL;
}

void
weir_surroundings_add_alike (WeirSurroundings *self, const char *name, const char *alike)
{
  add_pair (self->alikes, name, alike);
}

const char *
weir_surroundings_find_alike (const WeirSurroundings *self, const char *name)
{
  return find_pair (self->alikes, name);
}

static gboolean
texts_equal (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (strcmp (a->pdata[i], b->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
sentences_equal (const GPtrArray *a, const GPtrArray *b)
{
  for (guint i = 0; i < a->len && i < b->len; i++)
    if (strcmp (weir_message_get_text (a->pdata[i]), weir_message_get_text (b->pdata[i])) != 0)
      return FALSE;
  return a->len == b->len;
}

const char *
weir_surroundings_get_scopes (const WeirSurroundings *self)
{
  return weir_message_get_text (self->scopes);
}

gboolean
weir_surroundings_equal (const WeirSurroundings *a, const WeirSurroundings *b)
{
  if (strcmp (weir_surroundings_get_scopes (a), weir_surroundings_get_scopes (b)) != 0
      || a->givens->len != b->givens->len || !texts_equal (a->texts, b->texts)
      || !texts_equal (a->problems, b->problems) || !sentences_equal (a->sentences, b->sentences)
      || !texts_equal (a->alikes, b->alikes))
    return FALSE;
  for (guint i = 0; i < a->givens->len; i++)
    {
      const WeirGiven *given = &g_array_index (a->givens, WeirGiven, i);
      const WeirGiven *other = &g_array_index (b->givens, WeirGiven, i);

      if (strcmp (given->name, other->name) != 0 || strcmp (given->path, other->path) != 0
          || g_strcmp0 (given->unit, other->unit) != 0 || given->size != other->size
          || memcmp (given->value, other->value, given->size * sizeof *given->value) != 0)
        return FALSE;
    }
  return TRUE;
}

/* --- Free names ------------------------------------------------------------------------------ */

/* Names by what a text does with them. Keys are the pool's. */
typedef struct {
  const WeirExprPool *pool;
  GHashTable *own;    /* declared with a value, or set */
  GHashTable *used;   /* name to line + 1 of its first use */
  GHashTable *shapes; /* its value shapes the equations */
} Names;

static void
names_init (Names *self, const WeirExprPool *pool)
{
  self->pool = pool;
  self->own = g_hash_table_new (g_str_hash, g_str_equal);
  self->used = g_hash_table_new (g_str_hash, g_str_equal);
  self->shapes = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
names_clear (Names *self)
{
  g_hash_table_unref (self->own);
  g_hash_table_unref (self->used);
  g_hash_table_unref (self->shapes);
}

static gboolean
is_free (const Names *self, const char *name)
{
  return !g_hash_table_contains (self->own, name);
}

/* The name that stands under D, indices and the like; NULL if there is something else. */
static const char *
get_core (const Names *self, WeirExpr e)
{
  for (;;)
    switch ((int) weir_expr_get_op (self->pool, e))
      {
      case WEIR_OP_DER:
      case WEIR_OP_SHIFT:
      case WEIR_OP_INDEX:
      case WEIR_OP_PRE:
      case WEIR_OP_INITIAL:
        e = weir_expr_get_arg (self->pool, e, 0);
        continue;
      case WEIR_OP_SYMBOL:
        return weir_expr_get_name (self->pool, e);
      default:
        return NULL;
      }
}

static void
add_own (Names *self, const char *name)
{
  if (name != NULL)
    g_hash_table_add (self->own, (gpointer) name);
}

/* What an expression reads; @shapes: its value must be known before anything else. */
static void
look_at (Names *self, WeirExprPool *pool, WeirExpr e, int line, gboolean shapes)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  if (e.i == WEIR_NO_EXPR.i)
    return;
  weir_expr_collect (pool, &e, 1, FALSE, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      WeirExpr part = g_array_index (parts, WeirExpr, i);
      WeirOp op = weir_expr_get_op (pool, part);
      guint first = G_MAXUINT;

      if (op == WEIR_OP_SYMBOL)
        {
          const char *name = weir_expr_get_name (pool, part);

          if (strcmp (name, "t") == 0)
            continue;
          if (!g_hash_table_contains (self->used, name))
            g_hash_table_insert (self->used, (gpointer) name, GINT_TO_POINTER (line + 1));
          if (shapes)
            g_hash_table_add (self->shapes, (gpointer) name);
        }
      else if (op == WEIR_OP_DER || op == WEIR_OP_SHIFT || op == WEIR_OP_PRE
               || op == WEIR_OP_INITIAL)
        add_own (self, get_core (self, part));
      else if (op == WEIR_OP_INDEX || op == WEIR_OP_DELAY)
        first = 1;
      else if (op == WEIR_OP_RANGE || op == WEIR_OP_EVERY || op == WEIR_OP_ZEROS
               || op == WEIR_OP_ONES || op == WEIR_OP_IDENTITY)
        first = 0;
      for (guint j = first; !shapes && j < weir_expr_get_n_args (pool, part); j++)
        if (!(op == WEIR_OP_DELAY && j == 1 && weir_expr_get_n_args (pool, part) > 2))
          look_at (self, pool, weir_expr_get_arg (pool, part, j), line, TRUE);
    }
}

static void
look_at_statements (Names *self, WeirExprPool *pool, const GPtrArray *statements)
{
  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);
      gboolean needs_value = s->kind == WEIR_STATEMENT_PARAMETER
                             || s->kind == WEIR_STATEMENT_CONSTANT;

      for (guint j = 0; j < s->n_sizes; j++)
        look_at (self, pool, s->sizes[j], s->line, TRUE);
      switch (s->kind)
        {
        case WEIR_STATEMENT_EXTENDS:
        case WEIR_STATEMENT_SOLVE:
        case WEIR_STATEMENT_OUTPUT: /* may be of anything */
          break;
        case WEIR_STATEMENT_WHEN:
        case WEIR_STATEMENT_ASSERT:
        case WEIR_STATEMENT_SAMPLE:
        case WEIR_STATEMENT_NOISE:
          look_at (self, pool, s->left, s->line,
                   s->kind == WEIR_STATEMENT_SAMPLE || s->kind == WEIR_STATEMENT_NOISE);
          break;
        case WEIR_STATEMENT_EQUATION:
          add_own (self, get_core (self, s->left));
          look_at (self, pool, s->left, s->line, FALSE);
          break;
        case WEIR_STATEMENT_INITIAL:
        case WEIR_STATEMENT_GUESS:
        case WEIR_STATEMENT_HISTORY:
        case WEIR_STATEMENT_PARAMETER:
        case WEIR_STATEMENT_CONSTANT:
        case WEIR_STATEMENT_INPUT:
        case WEIR_STATEMENT_VARIABLE:
        case WEIR_STATEMENT_BROWNIAN:
        case WEIR_STATEMENT_ASSIGN:
        case WEIR_STATEMENT_FOR:
        default:
          if (!needs_value || s->right.i != WEIR_NO_EXPR.i)
            add_own (self, get_core (self, s->left));
          look_at (self, pool, s->left, s->line, FALSE);
          break;
        }
      look_at (self, pool, s->right, s->line,
               s->kind == WEIR_STATEMENT_CONSTANT || s->kind == WEIR_STATEMENT_FOR
                   || s->kind == WEIR_STATEMENT_SAMPLE || s->kind == WEIR_STATEMENT_NOISE);
      if (s->body != NULL)
        look_at_statements (self, pool, s->body);
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In order of name. (transfer container) */
static GPtrArray *
list_free (const Names *names)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, names->used);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (is_free (names, name))
      g_ptr_array_add (list, name);
  g_ptr_array_sort (list, compare_names);
  return list;
}

char **
weir_equations_list_free_names (const char *text, WeirSurroundings *around)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) unused = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = unused, .path = "", .first_line = 1 };
  g_autoptr (GPtrArray) statements = weir_statements_parse (pool, text, &report);
  g_autoptr (GPtrArray) list = NULL;
  GPtrArray *copies = g_ptr_array_new ();
  Names names;

  names_init (&names, pool);
  for (guint i = 0; around != NULL && i < weir_surroundings_get_n_texts (around); i++)
    {
      const char *path;
      g_autoptr (GPtrArray) extended = weir_statements_parse (
          pool, weir_surroundings_get_text (around, i, &path), &report);

      look_at_statements (&names, pool, extended);
    }
  look_at_statements (&names, pool, statements);
  list = list_free (&names);
  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (copies, g_strdup (g_ptr_array_index (list, i)));
  g_ptr_array_add (copies, NULL);
  names_clear (&names);
  return (char **) g_ptr_array_free (copies, FALSE);
}

/* --- Taking them ----------------------------------------------------------------------------- */

static WeirExpr
make_value (WeirExprPool *pool, const WeirGiven *given)
{
  g_autofree WeirExpr *elements = g_new (WeirExpr, given->size + 1);

  for (guint i = 0; i < given->size; i++)
    elements[i] = weir_expr_number (pool, given->value[i]);
  return given->size == 1 ? elements[0] : weir_expr_make (pool, WEIR_OP_ROW, elements, given->size);
}

static void
take_value (WeirEquationsBuilder *self, WeirStatement *s, const WeirGiven *given)
{
  s->right = make_value (self->pool, given);
  if (s->unit.i == WEIR_NO_EXPR.i && given->unit != NULL)
    s->unit = weir_expr_text (self->pool, given->unit);
}

static WeirStatement *
find_declaration (const WeirEquationsBuilder *self, const char *name)
{
  for (guint i = 0; i < self->statements->len; i++)
    {
      WeirStatement *s = g_ptr_array_index (self->statements, i);

      if ((s->kind == WEIR_STATEMENT_PARAMETER || s->kind == WEIR_STATEMENT_CONSTANT)
          && strcmp (weir_expr_get_name (self->pool, s->left), name) == 0)
        return s;
    }
  return NULL;
}

/* What is declared without a value and found nowhere. */
static void
report_missing (WeirEquationsBuilder *self)
{
  for (guint i = 0; i < self->statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (self->statements, i);
      const char *word = s->kind == WEIR_STATEMENT_PARAMETER ? "parameter" : "constant";
      const char *name;

      if ((s->kind != WEIR_STATEMENT_PARAMETER && s->kind != WEIR_STATEMENT_CONSTANT)
          || s->right.i != WEIR_NO_EXPR.i)
        continue;
      name = weir_expr_get_name (self->pool, s->left);
      weir_builder_fail (
          self, "PAR07", s->line,
          N_ ("Model: line %d: the %s %s has no value, and there is no '%s' in %s; write %s %s "
              "= ..."),
          s->line, word, name, name,
          self->around != NULL ? weir_surroundings_get_scopes (self->around)
                               : weir_phrase (N_ ("what is around it")),
          word, name);
      weir_diagnostics_set_subject (self->report->diagnostics, name);
    }
}

void
weir_builder_take_surroundings (WeirEquationsBuilder *self)
{
  g_autoptr (GPtrArray) list = NULL;
  Names names;

  names_init (&names, self->pool);
  look_at_statements (&names, self->pool, self->statements);
  list = list_free (&names);
  for (guint i = 0; i < list->len && self->around != NULL; i++)
    {
      const char *name = g_ptr_array_index (list, i);
      const WeirGiven *given = find_given (self->around, name);
      WeirStatement *s = find_declaration (self, name);

      if (given == NULL)
        continue;
      if (s == NULL)
        {
          s = g_new0 (WeirStatement, 1);
          s->kind = g_hash_table_contains (names.shapes, name) ? WEIR_STATEMENT_CONSTANT
                                                               : WEIR_STATEMENT_PARAMETER;
          s->line = GPOINTER_TO_INT (g_hash_table_lookup (names.used, name)) - 1;
          s->left = weir_expr_symbol (self->pool, name);
          s->unit = WEIR_NO_EXPR;
          g_ptr_array_add (self->statements, s);
        }
      take_value (self, s, given);
    }
  names_clear (&names);
  report_missing (self);
}

void
weir_builder_note_origins (WeirEquationsBuilder *self)
{
  for (guint i = 0; self->around != NULL && i < self->result->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (self->result->variables, i);
      const WeirGiven *given = find_given (self->around, variable->name);

      if (given != NULL
          && (variable->role == WEIR_ROLE_PARAMETER || variable->role == WEIR_ROLE_CONSTANT))
        variable->origin = g_strdup (given->path);
    }
}
