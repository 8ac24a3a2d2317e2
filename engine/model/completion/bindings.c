/* Evaluation of parameters that are expressions. See completion-private.h. */
#include "model/completion/completion-private.h"
#include "base/error.h"
#include "base/text.h"
#include "base/phrase.h"

#include <math.h>
#include <string.h>

#include "equations/builder/array.h"

#define MAX_NESTING 500 /* of names within names within names */

struct _WeirBindings {
  WeirModel *model;
  WeirDiagnostics *diagnostics;
  WeirExprPool *pool;
  GHashTable *by_path; /* path to WeirBinding, owned */
  GPtrArray *open;     /* of WeirBinding: those being evaluated, outermost first */
};

static void
binding_free (gpointer data)
{
  WeirBinding *self = data;

  g_clear_pointer (&self->uses, g_ptr_array_unref);
  g_free (self->value);
  g_free (self->named_text);
  g_free (self->path);
  g_free (self);
}

WeirBindings *
weir_bindings_new (WeirModel *model, WeirDiagnostics *diagnostics)
{
  WeirBindings *self = g_new (WeirBindings, 1);

  self->model = model;
  self->diagnostics = diagnostics;
  self->pool = weir_expr_pool_new ();
  self->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, binding_free);
  self->open = g_ptr_array_new ();
  return self;
}

void
weir_bindings_free (WeirBindings *self)
{
  g_ptr_array_unref (self->open);
  g_hash_table_unref (self->by_path);
  weir_expr_pool_free (self->pool);
  g_free (self);
}

WeirModel *
weir_bindings_get_model (const WeirBindings *self)
{
  return self->model;
}

static void G_GNUC_PRINTF (4, 5) report (WeirBindings *self, const WeirBinding *binding,
                                         const char *code, const char *format, ...)
{
  const WeirInstance *owner = binding->owner;
  WeirMessage *about = owner != NULL ? weir_message_new (N_ ("Parameter %s"), binding->name)
                                     : weir_message_new (N_ ("Variable %s"), binding->name);
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add_message (
      self->diagnostics, WEIR_SEVERITY_ERROR, code, owner != NULL ? owner->path : "",
      owner != NULL ? weir_instance_get_id (owner) : 0, 0,
      owner != NULL ? weir_instance_get_line (owner) : 0, weir_message_join (about, ": ", message));
  weir_diagnostics_set_subject (self->diagnostics, binding->name);
}

/* --- Scopes ---------------------------------------------------------------------------------- */

static WeirBinding *find_binding (WeirBindings *self, const WeirInstance *owner, const char *name);

/* The scope around that of @owner; NULL is the model. */
static const WeirInstance *
get_outer (const WeirInstance *owner)
{
  const WeirInstance *parent = owner->parent;

  return parent != NULL && parent->block != NULL ? parent : NULL;
}

gboolean
weir_bindings_is_outer (WeirBindings *self, const WeirInstance *owner,
                        const WeirParameterSpec *spec)
{
  if (spec->outer == NULL || weir_block_get_parameter (owner->block, spec->name) != NULL)
    return FALSE;
  for (const WeirInstance *scope = get_outer (owner); scope != NULL; scope = get_outer (scope))
    if (find_binding (self, scope, spec->outer) != NULL)
      return TRUE;
  return find_binding (self, NULL, spec->outer) != NULL;
}

/* NULL: the owner has no such parameter, or one that is no number. */
static WeirBinding *
find_binding (WeirBindings *self, const WeirInstance *owner, const char *name)
{
  const WeirParameterSpec *spec = owner != NULL ? weir_block_type_find_parameter (owner->type, name)
                                                : NULL;
  const char *text = owner != NULL ? weir_block_get_parameter (owner->block, name)
                                   : weir_model_get_variable (self->model, name);
  g_autofree char *path = NULL;
  WeirBinding *binding;

  if (text == NULL && spec != NULL)
    text = weir_bindings_is_outer (self, owner, spec) ? spec->outer : spec->default_text;
  if (text == NULL || (owner != NULL && owner->type != NULL && spec == NULL)
      || (spec != NULL && (spec->kind == WEIR_VALUE_TEXT || spec->kind == WEIR_VALUE_CHOICE)))
    return NULL;
  if (weir_name_is_start (name)) /* "law.Initial(x) of plant": that path is another value's */
    path = g_strconcat (name, " of ", owner != NULL ? owner->path : "the model", NULL);
  else
    path = owner != NULL ? g_strconcat (owner->path, ".", name, NULL) : g_strdup (name);
  binding = g_hash_table_lookup (self->by_path, path);
  if (binding != NULL)
    return binding;
  binding = g_new0 (WeirBinding, 1);
  binding->owner = owner;
  binding->path = g_steal_pointer (&path);
  binding->name = strrchr (binding->path, '.') != NULL && !weir_name_is_start (name)
                      ? strrchr (binding->path, '.') + 1
                      : binding->path;
  binding->text = text;
  binding->spec = spec;
  g_hash_table_insert (self->by_path, binding->path, binding);
  return binding;
}

/* What @name means in the text of @user. */
static WeirBinding *
resolve (WeirBindings *self, const WeirBinding *user, const char *name)
{
  const WeirInstance *scope = user->owner;
  gboolean is_own = strcmp (name, user->name) == 0;

  while (scope != NULL)
    {
      WeirBinding *found = is_own ? NULL : find_binding (self, scope, name);

      if (found != NULL)
        return found;
      is_own = FALSE;
      scope = get_outer (scope);
    }
  return user->owner == NULL && is_own ? NULL : find_binding (self, NULL, name);
}

typedef struct {
  const char *wanted;
  const WeirBinding *user; /* or NULL: not a parameter */
  const char *nearest;
  guint best;
} Search;

/* A name that is there, in @scope, instead of the one wanted: unless it is that of the parameter
 * itself. */
static void
consider (Search *self, const char *candidate, const WeirInstance *scope)
{
  guint distance = weir_text_distance (candidate, self->wanted);

  if (distance < self->best
      && (self->user == NULL || scope != self->user->owner
          || strcmp (candidate, self->user->name) != 0))
    {
      self->best = distance;
      self->nearest = candidate;
    }
}

/* What is called much like @name, in @scope or further out; NULL if nothing is. */
static const char *
find_alike (const WeirBindings *self, const WeirInstance *scope, const char *name,
            const WeirBinding *user)
{
  Search search = { .wanted = name, .user = user, .best = strlen (name) > 3 ? 3 : 2 };
  const char *candidate;

  for (; scope != NULL; scope = get_outer (scope))
    {
      for (guint i = 0; scope->type != NULL && i < scope->type->n_parameters; i++)
        consider (&search, scope->type->parameters[i].name, scope);
      for (guint i = 0; scope->type == NULL && i < weir_block_get_n_parameters (scope->block); i++)
        {
          weir_block_get_parameter_at (scope->block, i, &candidate, NULL);
          consider (&search, candidate, scope);
        }
    }
  for (guint i = 0; i < weir_model_get_n_variables (self->model); i++)
    {
      weir_model_get_variable_at (self->model, i, &candidate, NULL);
      consider (&search, candidate, NULL);
    }
  return search.nearest;
}

const char *
weir_bindings_find_alike (const WeirBindings *self, const WeirInstance *owner, const char *name)
{
  return find_alike (self, get_outer (owner), name, NULL);
}

/* Says where a name was looked for, and what is called alike. */
static void
report_unknown (WeirBindings *self, const WeirBinding *user, const char *name)
{
  g_autoptr (GString) searched = g_string_new (NULL);
  const char *nearest;

  if (strcmp (name, user->name) == 0 && user->owner == NULL)
    {
      report (self, user, "PAR01", N_ ("it is defined by itself: %s = %s."), user->path,
              user->text);
      return;
    }
  for (const WeirInstance *scope = user->owner; scope != NULL; scope = get_outer (scope))
    g_string_append_printf (searched, "%s, ", scope->path);
  nearest = find_alike (self, user->owner, name, user);
  if (nearest != NULL)
    report (self, user, "PAR04",
            N_ ("there is no '%s' in %sthe model's variables; did you mean '%s'?"), name,
            searched->str, nearest);
  else
    report (self, user, "PAR04", N_ ("there is no '%s' in %sthe model's variables."), name,
            searched->str);
}

/* --- Values ---------------------------------------------------------------------------------- */

static void
report_cycle (WeirBindings *self, const WeirBinding *binding)
{
  g_autoptr (GString) cycle = g_string_new (NULL);
  guint first = 0;

  while (g_ptr_array_index (self->open, first) != binding)
    first++;
  for (guint i = first; i < self->open->len; i++)
    {
      const WeirBinding *member = g_ptr_array_index (self->open, i);

      g_string_append_printf (cycle, "%s = %s, ", member->path, member->text);
    }
  g_string_truncate (cycle, cycle->len - 2);
  report (self, binding, "PAR01", N_ ("these define each other: %s."), cycle->str);
}

/* The unit that an expression has by its form alone; FALSE: not known. */
static gboolean
find_unit (WeirBindings *self, const WeirBinding *user, WeirExpr e, WeirUnit *unit)
{
  const WeirBinding *meant;

  switch ((int) weir_expr_get_op (self->pool, e))
    {
    case WEIR_OP_QUANTITY:
    case WEIR_OP_CONVERT:
      return weir_unit_parse (weir_expr_get_name (self->pool, weir_expr_get_arg (self->pool, e, 1)),
                              unit, NULL);
    case WEIR_OP_SYMBOL:
      meant = resolve (self, user, weir_expr_get_name (self->pool, e));
      if (meant == NULL || !meant->has_unit)
        return FALSE;
      *unit = meant->unit;
      return TRUE;
    default:
      return FALSE;
    }
}

typedef struct {
  WeirBindings *bindings;
  WeirBinding *binding;
} Evaluation;

static gboolean
convert (gpointer data, WeirExpr e, const char *unit, G_GNUC_UNUSED int line, double *factor,
         double *offset)
{
  Evaluation *evaluation = data;
  WeirBindings *self = evaluation->bindings;
  g_autoptr (GError) error = NULL;
  WeirUnit from, to;

  if (!weir_unit_parse (unit, &to, &error))
    report (self, evaluation->binding, "UNI01", "%s", weir_error_get_text (error));
  else if (!find_unit (self, evaluation->binding, e, &from))
    report (self, evaluation->binding, "UNI01",
            N_ ("the unit of what is converted to %s is not known."), unit);
  else if (!weir_unit_convert (&from, &to, factor, offset))
    {
      g_autofree char *text = weir_unit_to_string (&from);

      report (self, evaluation->binding, "UNI02", N_ ("%s cannot be converted to %s."), text, unit);
    }
  else
    return TRUE;
  return FALSE;
}

static gboolean evaluate (WeirBindings *self, WeirBinding *binding);

static void
add_value (Evaluation *evaluation, GHashTable *values, const char *name, const WeirBinding *meant)
{
  WeirArray *array = g_new0 (WeirArray, 1);

  array->shape = meant->size == 1 ? (WeirShape) { 0, { 0, 0 } }
                                  : (WeirShape) { 1, { meant->size, 0 } };
  array->elements = g_new (WeirExpr, meant->size);
  for (guint i = 0; i < meant->size; i++)
    array->elements[i] = weir_expr_number (evaluation->bindings->pool, meant->value[i]);
  g_hash_table_replace (values, g_strdup (name), array);
}

/* Evaluates what the names in @e mean. */
static gboolean
collect_values (Evaluation *evaluation, WeirExpr e, GHashTable *values)
{
  WeirBindings *self = evaluation->bindings;
  WeirBinding *binding = evaluation->binding;
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  gboolean is_known = TRUE;

  weir_expr_collect (self->pool, &e, 1, FALSE, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      WeirExpr part = g_array_index (parts, WeirExpr, i);
      const char *name;
      WeirBinding *meant;

      if (weir_expr_get_op (self->pool, part) != WEIR_OP_SYMBOL)
        continue;
      name = weir_expr_get_name (self->pool, part);
      if (strcmp (name, "t") == 0)
        {
          report (self, binding, "PAR06", N_ ("\"%s\" depends on time; a parameter is a number."),
                  binding->text);
          return FALSE;
        }
      meant = resolve (self, binding, name);
      if (meant == NULL)
        {
          report_unknown (self, binding, name);
          is_known = FALSE;
          continue;
        }
      g_ptr_array_add (binding->uses, meant);
      if (!evaluate (self, meant))
        is_known = FALSE;
      else
        add_value (evaluation, values, name, meant);
    }
  return is_known;
}

/* Numbers that make none, as 1/0 does. */
static gboolean
is_made_of_numbers (WeirExprPool *pool, WeirExpr e)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  return atoms->len == 0;
}

/* Numbers in the place of @e's elements. */
static gboolean
take_numbers (WeirBindings *self, WeirBinding *binding, const WeirArray *array)
{
  guint n = weir_shape_size (array->shape);

  binding->value = g_new (double, MAX (n, 1));
  binding->size = n;
  for (guint i = 0; i < n; i++)
    {
      if (weir_expr_get_op (self->pool, array->elements[i]) != WEIR_OP_NUMBER)
        {
          report (self, binding, "PAR06",
                  is_made_of_numbers (self->pool, array->elements[i])
                      ? N_ ("\"%s\" has no finite value.")
                      : N_ ("\"%s\" is no number before the run."),
                  binding->text);
          return FALSE;
        }
      binding->value[i] = weir_expr_get_number (self->pool, array->elements[i]);
      if (!isfinite (binding->value[i]))
        {
          report (self, binding, "PAR06", N_ ("\"%s\" is %s, but must be finite."), binding->text,
                  isnan (binding->value[i]) ? weir_phrase (N_ ("not a number"))
                                            : weir_phrase (N_ ("infinite")));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
calc (WeirBindings *self, WeirBinding *binding)
{
  g_autoptr (GHashTable) shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable)
      values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weir_array_free);
  g_autoptr (GHashTable)
      arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weir_array_free);
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  WeirReport silent = { .diagnostics = found, .path = "", .first_line = 1 };
  Evaluation evaluation = { self, binding };
  WeirExpander expander = { .pool = self->pool,
                            .report = &silent,
                            .shapes = shapes,
                            .values = values,
                            .arrays = arrays,
                            .convert = convert,
                            .data = &evaluation };
  g_autoptr (GError) error = NULL;
  WeirArray array;
  gboolean is_number;
  WeirExpr e = weir_expr_parse (self->pool, binding->text, &silent);

  if (weir_expr_equal (e, WEIR_NO_EXPR))
    {
      report (self, binding, "PAR02", N_ ("\"%s\" is neither a value nor an expression. %s"),
              binding->text, weir_diagnostics_get (found, 0)->text);
      return FALSE;
    }
  if (!collect_values (&evaluation, e, values))
    return FALSE;
  if (weir_expr_get_op (self->pool, e) == WEIR_OP_QUANTITY
      && !weir_unit_parse (weir_expr_get_name (self->pool, weir_expr_get_arg (self->pool, e, 1)),
                           &binding->unit, &error))
    {
      report (self, binding, "UNI01", "%s", weir_error_get_text (error));
      return FALSE;
    }
  binding->has_unit = find_unit (self, binding, e, &binding->unit);
  if (!weir_expander_expand (&expander, e, 0, &array))
    {
      if (weir_diagnostics_get_size (found) > 0)
        report (self, binding, "PAR06", "\"%s\": %s", binding->text,
                weir_diagnostics_get (found, 0)->text);
      return FALSE;
    }
  is_number = take_numbers (self, binding, &array);
  weir_array_clear (&array);
  return is_number;
}

/* The value in the unit that the parameter takes. */
static gboolean
convert_value (WeirBindings *self, WeirBinding *binding)
{
  double factor, offset;
  WeirUnit wanted;

  if (!binding->has_unit || binding->spec == NULL || binding->spec->unit == NULL
      || !weir_unit_parse (binding->spec->unit, &wanted, NULL))
    return TRUE;
  if (!weir_unit_convert (&binding->unit, &wanted, &factor, &offset))
    {
      g_autofree char *found = weir_unit_to_string (&binding->unit);

      report (self, binding, "UNI02", N_ ("\"%s\" is in %s, but must be in %s."), binding->text,
              found, binding->spec->unit);
      return FALSE;
    }
  if (!weir_unit_equal (&binding->unit, &wanted))
    for (guint i = 0; i < binding->size; i++)
      binding->value[i] = factor * binding->value[i] + offset;
  binding->unit = wanted;
  return TRUE;
}

static gboolean
evaluate (WeirBindings *self, WeirBinding *binding)
{
  gboolean is_number;

  if (binding->state == WEIR_BINDING_OPEN)
    {
      report_cycle (self, binding);
      return FALSE;
    }
  if (binding->state != WEIR_BINDING_NEW)
    return binding->state == WEIR_BINDING_DONE;
  if (self->open->len == MAX_NESTING)
    {
      report (self, binding, "PAR06", N_ ("names lead to names more than %d levels deep."),
              MAX_NESTING);
      binding->state = WEIR_BINDING_FAILED;
      return FALSE;
    }
  binding->state = WEIR_BINDING_OPEN;
  binding->value = weir_value_parse (binding->text, &binding->size, NULL);
  is_number = binding->value != NULL;
  if (!is_number)
    {
      g_ptr_array_add (self->open, binding);
      binding->uses = g_ptr_array_new ();
      is_number = calc (self, binding) && convert_value (self, binding);
      g_ptr_array_set_size (self->open, (int) self->open->len - 1);
    }
  binding->state = is_number ? WEIR_BINDING_DONE : WEIR_BINDING_FAILED;
  return is_number;
}

const WeirBinding *
weir_bindings_evaluate (WeirBindings *self, const WeirInstance *owner, const char *name)
{
  WeirBinding *binding = find_binding (self, owner, name);

  return binding != NULL && evaluate (self, binding) ? binding : NULL;
}

void
weir_bindings_check_variables (WeirBindings *self)
{
  for (guint i = 0; i < weir_model_get_n_variables (self->model); i++)
    {
      const char *name, *problem = NULL;
      WeirBinding *binding;

      weir_model_get_variable_at (self->model, i, &name, NULL);
      if (weir_name_is_start (name))
        continue; /* evaluated with the block that it is for */
      if (!(g_ascii_isalpha (name[0]) || name[0] == '_' || (guchar) name[0] >= 0x80))
        problem = weir_phrase (N_ ("must begin with a letter"));
      for (const char *p = name; *p != '\0' && problem == NULL; p++)
        if (!g_ascii_isalnum (*p) && *p != '_' && (guchar) *p < 0x80)
          problem = weir_phrase (N_ ("may hold letters, digits and _ only"));
      if (problem == NULL && weir_word_is_reserved (name))
        problem = weir_phrase (N_ ("is a word of the equation language"));
      binding = find_binding (self, NULL, name);
      if (problem != NULL)
        report (self, binding, "PAR05", N_ ("the name %s."), problem);
      else
        evaluate (self, binding);
    }
}

/* --- Names in texts -------------------------------------------------------------------------- */

const WeirBinding *
weir_bindings_find_outside (WeirBindings *self, const WeirInstance *owner, const char *name)
{
  const WeirInstance *scope = get_outer (owner);
  WeirBinding *binding = NULL;

  for (; scope != NULL && binding == NULL; scope = get_outer (scope))
    binding = find_binding (self, scope, name);
  if (binding == NULL)
    binding = find_binding (self, NULL, name);
  return binding != NULL && evaluate (self, binding) ? binding : NULL;
}

WeirMessage *
weir_bindings_describe_scopes (const WeirInstance *owner)
{
  g_autoptr (GString) scopes = g_string_new (NULL);

  for (const WeirInstance *scope = get_outer (owner); scope != NULL; scope = get_outer (scope))
    g_string_append_printf (scopes, "%s, ", scope->path);
  return weir_message_new ("%s%s", scopes->str, weir_phrase (N_ ("the model's variables")));
}

void
weir_bindings_add_named (WeirBindings *self, const WeirInstance *owner, const WeirNamedValue *value,
                         const WeirBinding *meant)
{
  WeirBinding *binding = g_new0 (WeirBinding, 1);

  binding->owner = owner;
  binding->path = g_strconcat (owner->path, ".", value->name, NULL);
  binding->name = strrchr (binding->path, '.') + 1;
  binding->is_named = TRUE;
  binding->is_tunable = value->is_tunable;
  binding->state = WEIR_BINDING_DONE;
  binding->value = g_memdup2 (value->value, value->size * sizeof *value->value);
  binding->size = value->size;
  binding->has_unit = value->unit != NULL && weir_unit_parse (value->unit, &binding->unit, NULL);
  binding->named_text = meant != NULL ? g_strdup (value->name)
                                      : weir_value_to_string (value->value, value->size);
  binding->text = binding->named_text;
  if (meant != NULL)
    {
      binding->uses = g_ptr_array_new ();
      g_ptr_array_add (binding->uses, (gpointer) meant);
    }
  if (!g_hash_table_contains (self->by_path, binding->path))
    g_hash_table_insert (self->by_path, binding->path, binding);
  else
    binding_free (binding);
}

/* --- What was found -------------------------------------------------------------------------- */

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const WeirBinding *const *) a)->path, (*(const WeirBinding *const *) b)->path);
}

GPtrArray *
weir_bindings_list (WeirBindings *self)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer binding;

  g_hash_table_iter_init (&iter, self->by_path);
  while (g_hash_table_iter_next (&iter, NULL, &binding))
    g_ptr_array_add (list, binding);
  g_ptr_array_sort (list, compare_paths);
  return list;
}

gboolean
weir_binding_depends_on (const WeirBinding *binding, const WeirBinding *other)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();

  g_ptr_array_add (queue, (gpointer) binding);
  while (queue->len > 0)
    {
      const WeirBinding *next = g_ptr_array_steal_index_fast (queue, queue->len - 1);

      if (next == other)
        return TRUE;
      if (g_hash_table_add (seen, (gpointer) next))
        for (guint i = 0; next->uses != NULL && i < next->uses->len; i++)
          g_ptr_array_add (queue, g_ptr_array_index (next->uses, i));
    }
  return FALSE;
}
