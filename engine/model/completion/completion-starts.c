/* Values at the start that an outer level gives for a block within it.
 *
 * A value of a Subsystem, or a variable of the model, whose name has a dot is meant for a block
 * within: "plant.spring.initial", "law.Initial(x)", "law.Guess(x[2])", with the block's path from
 * there on. It wins over the block's own; the outermost wins over those within. Elements of an
 * array that nobody gives stay as they are.
 */
#include "model/completion/completion-private.h"
#include "base/text.h"
#include "base/phrase.h"

#include <string.h>

#include "equations/compile/equations.h"

/* The parameters of a Subsystem, or NULL: the variables of the model. */
static guint
get_n_names (const WeirCompleting *completing, const WeirInstance *level)
{
  return level != NULL ? weir_block_get_n_parameters (level->block)
                       : weir_model_get_n_variables (completing->model);
}

static const char *
get_name (const WeirCompleting *completing, const WeirInstance *level, guint i)
{
  const char *name;

  if (level != NULL)
    weir_block_get_parameter_at (level->block, i, &name, NULL);
  else
    weir_model_get_variable_at (completing->model, i, &name, NULL);
  return name;
}

gboolean
weir_instance_gives_starts (const WeirCompleting *completing, const WeirInstance *level)
{
  for (guint i = 0; i < get_n_names (completing, level); i++)
    if (weir_name_is_start (get_name (completing, level, i)))
      return TRUE;
  return FALSE;
}

/* What @name, given at @level, means within @self: "initial", "Initial(x)"; NULL if it is for
 * another block. */
static const char *
find_inner_name (const WeirInstance *self, const WeirInstance *level, const char *name)
{
  const char *path = self->path + (level != NULL ? strlen (level->path) + 1 : 0);
  gsize length = strlen (path);
  const char *inner = name + length + 1;

  if (strncmp (name, path, length) != 0 || name[length] != '.')
    return NULL;
  if (self->type->equations != NULL
      && (g_str_has_prefix (inner, "Initial(") || g_str_has_prefix (inner, "Guess(")))
    return inner;
  {
    const WeirParameterSpec *spec = weir_block_type_find_parameter (self->type, inner);

    return spec != NULL && spec->is_initial ? inner : NULL;
  }
}

static gboolean
is_given (const GArray *starts, const char *name)
{
  for (guint i = 0; i < starts->len; i++)
    if (strcmp (g_array_index (starts, WeirOuterStart, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_starts (WeirInstance *self, const WeirCompleting *completing, const WeirInstance *level,
            guint depth)
{
  for (guint i = 0; i < get_n_names (completing, level); i++)
    {
      const char *name = get_name (completing, level, i);
      const char *inner = find_inner_name (self, level, name);
      WeirOuterStart start = { inner, NULL, depth };
      const WeirBinding *binding;

      if (inner == NULL)
        continue;
      g_hash_table_add (completing->used, (gpointer) name);
      if (is_given (self->starts, inner))
        continue;
      binding = weir_bindings_evaluate (completing->bindings, level, name);
      if (binding == NULL)
        {
          self->is_doubtful = TRUE; /* reported */
          continue;
        }
      start.text = weir_value_to_string (binding->value, binding->size);
      g_array_append_val (self->starts, start);
    }
}

/* Outermost first. Returns the depth of @level. */
static guint
add_from (WeirInstance *self, const WeirCompleting *completing, const WeirInstance *level)
{
  guint depth = 0;

  if (level->parent != NULL)
    depth = 1 + add_from (self, completing, level->parent);
  add_starts (self, completing, depth > 0 ? level : NULL, depth);
  return depth;
}

static void
start_clear (gpointer data)
{
  g_free (((WeirOuterStart *) data)->text);
}

/* What comes later wins: a whole array is before its elements, an inner level before those around
 * it. */
static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const WeirOuterStart *start_a = a, *start_b = b;

  if (start_a->depth != start_b->depth)
    return start_a->depth > start_b->depth ? -1 : 1;
  return strcmp (start_a->name, start_b->name);
}

void
weir_instance_find_starts (WeirInstance *self, const WeirCompleting *completing)
{
  if (!self->parent->gives_starts || self->type == NULL)
    return;
  self->starts = g_array_new (FALSE, FALSE, sizeof (WeirOuterStart));
  g_array_set_clear_func (self->starts, start_clear);
  add_from (self, completing, self->parent);
  g_array_sort (self->starts, compare_starts);
  if (self->starts->len == 0)
    g_clear_pointer (&self->starts, g_array_unref);
}

const char *
weir_instance_get_start (const WeirInstance *self, const char *parameter)
{
  for (guint i = 0; self->starts != NULL && i < self->starts->len; i++)
    if (strcmp (g_array_index (self->starts, WeirOuterStart, i).name, parameter) == 0)
      return g_array_index (self->starts, WeirOuterStart, i).text;
  return NULL;
}

char *
weir_instance_dup_start_text (const WeirInstance *self, const char *parameter, const char *text)
{
  gboolean is_equations = g_strcmp0 (self->type->equations, parameter) == 0;
  char *whole = NULL;

  if (!is_equations)
    return g_strdup (weir_instance_get_start (self, parameter));
  for (guint i = 0; self->starts != NULL && i < self->starts->len; i++)
    {
      const WeirOuterStart *start = &g_array_index (self->starts, WeirOuterStart, i);
      const char *before = whole;

      if (before == NULL)
        before = text != NULL
                     ? text
                     : weir_block_type_find_parameter (self->type, parameter)->default_text;
      {
        char *longer = weir_equations_override (before, start->name, start->text, TRUE);

        g_free (whole);
        whole = longer;
      }
    }
  return whole;
}

void
weir_instance_check_starts (const WeirCompleting *completing, const WeirInstance *level)
{
  for (guint i = 0; i < get_n_names (completing, level); i++)
    {
      const char *name = get_name (completing, level, i);

      if (!weir_name_is_start (name) || g_hash_table_contains (completing->used, name))
        continue;
      weir_diagnostics_add (
          completing->diagnostics, WEIR_SEVERITY_ERROR, "PAR03", level != NULL ? level->path : "",
          level != NULL ? weir_instance_get_id (level) : 0, 0,
          level != NULL ? weir_instance_get_line (level) : 0,
          N_ ("Initialization: there is no '%s' in %s; a value at the start is named like "
              "block.initial, or block.Initial(x) where the block has equations."),
          name, level != NULL ? level->path : weir_phrase (N_ ("the model")));
      weir_diagnostics_set_subject (completing->diagnostics, name);
    }
}
