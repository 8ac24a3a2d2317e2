/* Loops are unrolled into lists of statements with the values of their variables. */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

static void
bind (WeirEquationsBuilder *self, const char *name, double value)
{
  WeirArray *array = g_new0 (WeirArray, 1);

  array->elements = g_new (WeirExpr, 1);
  array->is_borrowed = FALSE;
  array->shape.dims[0] = array->shape.dims[1] = 1;
  array->elements[0] = weir_expr_number (self->pool, value);
  g_hash_table_insert (self->expander.values, g_strdup (name), array);
}

void
weir_builder_bind_instance (WeirEquationsBuilder *self, const WeirStatementInstance *instance)
{
  for (guint i = 0; i < instance->n_bindings; i++)
    bind (self, instance->bindings[i].name, instance->bindings[i].value);
}

void
weir_builder_unbind_instance (WeirEquationsBuilder *self, const WeirStatementInstance *instance)
{
  for (guint i = 0; i < instance->n_bindings; i++)
    g_hash_table_remove (self->expander.values, instance->bindings[i].name);
}

/* @outer: the instance of the loop around, or NULL. The nesting of loops bounds the recursion. */
void
weir_builder_unroll (WeirEquationsBuilder *self, const GPtrArray *statements,
                     const WeirStatementInstance *outer, GArray *instances)
{
  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);
      WeirStatementInstance instance = { .statement = s };
      const char *name;
      gint64 from, to;

      if (instances->len > WEIR_MAX_STATEMENTS || self->has_failed)
        return;
      if (outer != NULL)
        {
          instance.n_bindings = outer->n_bindings;
          instance.bindings = g_memdup2 (outer->bindings,
                                         outer->n_bindings * sizeof *outer->bindings);
        }
      if (s->kind != WEIR_STATEMENT_FOR)
        {
          g_array_append_val (instances, instance);
          continue;
        }
      name = weir_expr_get_name (self->pool, s->left);
      if (g_hash_table_contains (self->by_name, name)
          || g_hash_table_contains (self->expander.values, name))
        {
          weir_builder_fail (
              self, "EQ04", s->line,
              N_ ("Model: line %d: the loop's name %s is already used; choose another."), s->line,
              name);
          g_free (instance.bindings);
          continue;
        }
      if (weir_expander_find_integer (&self->expander, weir_expr_get_arg (self->pool, s->right, 0),
                                      s->line, weir_phrase (N_ ("the start of a loop")), G_MININT32,
                                      &from)
          && weir_expander_find_integer (&self->expander,
                                         weir_expr_get_arg (self->pool, s->right, 1), s->line,
                                         weir_phrase (N_ ("the end of a loop")), G_MININT32, &to))
        {
          instance.n_bindings++;
          instance.bindings = g_realloc_n (instance.bindings, instance.n_bindings,
                                           sizeof *instance.bindings);
          instance.bindings[instance.n_bindings - 1].name = name;
          for (gint64 value = from; value <= to && instances->len <= WEIR_MAX_STATEMENTS; value++)
            {
              instance.bindings[instance.n_bindings - 1].value = (double) value;
              bind (self, name, (double) value);
              weir_builder_unroll (self, s->body, &instance, instances);
              g_hash_table_remove (self->expander.values, name);
            }
          if (instances->len > WEIR_MAX_STATEMENTS && !self->has_failed)
            weir_builder_fail (self, "EQ07", s->line,
                               N_ ("Model: line %d: the loops make more than %d lines."), s->line,
                               WEIR_MAX_STATEMENTS);
        }
      else
        self->has_failed = TRUE;
      g_free (instance.bindings);
    }
}
