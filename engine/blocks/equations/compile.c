/* From a system of equations to a leaf: the whole. Where values lie is decided in
 * places.c, which of them share a cache entry in groups.c, and how they are
 * computed in programs.c.
 */
#include "blocks/equations/compile-private.h"

#include <string.h>

#include "base/error.h"
#include "base/message.h"
#include "base/text.h"

static void
make_outputs (WeirCompiler *self)
{
  g_autoptr (GPtrArray) outputs = weir_equations_list_outputs (self->equations);
  gboolean is_asserting = self->equations->states->len == 0 && self->equations->assertions->len > 0;

  for (guint i = 0; i < outputs->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (outputs, i);
      g_autoptr (GArray) values = NULL;
      g_autoptr (GArray) lines = NULL;
      g_autoptr (GArray) depends = NULL;
      WeirComputation computation;
      WeirOutput output;
      WeirTicket ticket;

      if (!is_asserting && weir_compiler_is_whole_group (self, variable, &ticket))
        {
          weir_leaf_add_output_window (self->builder, variable->name, ticket);
          continue;
        }
      values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      lines = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_vals (values, variable->elements, variable->size);
      for (guint j = 0; j < variable->size; j++)
        g_array_append_val (lines, variable->line);
      computation = weir_compiler_make_simple (self, values, lines, is_asserting, &depends);
      is_asserting = FALSE;
      output = weir_leaf_add_output (self->builder, variable->name, variable->size,
                                     weir_equations_calc, (WeirTicket *) depends->data);
      weir_compiler_find_pattern (self, weir_output_ticket (self->builder, output),
                                  variable->elements, variable->size,
                                  (const WeirTicket *) (gpointer) depends->data);
      weir_compiler_name_elements (self, weir_output_ticket (self->builder, output),
                                   variable->elements, NULL, variable->size);
      g_array_append_val (self->entry_computations, computation);
    }
}

static void
make_aliases (WeirCompiler *self)
{
  GHashTableIter iter;
  gpointer alias, name;

  if (self->equations->aliases == NULL)
    return;
  g_hash_table_iter_init (&iter, self->equations->aliases);
  while (g_hash_table_iter_next (&iter, &alias, &name))
    weir_leaf_add_output_alias (self->builder, alias, name);
}

static void
make_derivatives (WeirCompiler *self)
{
  const GArray *states = self->equations->states;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) depends = NULL;
  WeirComputation computation;

  if (states->len == 0)
    return;
  for (guint i = 0; i < states->len; i++)
    {
      WeirExpr value = g_array_index (states, WeirState, i).rate;
      const WeirPlace *place = weir_compiler_get_place (self, value);
      guint32 line = 0;

      if (place->is_unknown)
        line = (guint32) weir_compiler_get_block (self, place->block)->lines[0];
      if (place->is_unknown && self->is_rate[place->block])
        value = weir_compiler_get_block (self, place->block)->value;
      g_array_append_val (values, value);
      g_array_append_val (lines, line);
    }
  computation = weir_compiler_make_simple (self, values, lines, TRUE, &depends);
  weir_leaf_set_derivatives (self->builder, weir_equations_calc, (WeirTicket *) depends->data);
  weir_compiler_find_pattern (self, (WeirTicket) { WEIR_TICKET_XCDOT },
                              (const WeirExpr *) (gpointer) values->data, values->len,
                              (const WeirTicket *) (gpointer) depends->data);
  weir_compiler_name_elements (self, (WeirTicket) { WEIR_TICKET_XCDOT }, NULL,
                               (const guint32 *) lines->data, lines->len);
  g_array_append_val (self->entry_computations, computation);
}

static gboolean
can_be_shown (const WeirVariable *variable)
{
  return !variable->is_hidden
         && (variable->role == WEIR_ROLE_STATE || variable->role == WEIR_ROLE_UNKNOWN
             || variable->role == WEIR_ROLE_DISCRETE);
}

GPtrArray *
weir_equations_list_outputs (const WeirEquations *equations)
{
  GPtrArray *outputs = g_ptr_array_new ();
  gboolean are_declared = FALSE;

  for (guint i = 0; i < equations->variables->len; i++)
    are_declared = are_declared
                   || ((const WeirVariable *) g_ptr_array_index (equations->variables, i))
                          ->is_output;
  for (guint i = 0; i < equations->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (equations->variables, i);

      if (can_be_shown (variable) && (variable->is_output || !are_declared))
        g_ptr_array_add (outputs, variable);
    }
  return outputs;
}

static guint32
append_paths (WeirCompiler *self, char *const *paths)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_string_append_len (all, paths[i], (gssize) strlen (paths[i]) + 1);
  return weir_compiler_append_data (self, all->str, all->len);
}

/* Equations of a tick are computed one after the other, so none may wait for another one's value.
 */
static gboolean
check_ticks (const WeirEquations *equations, GError **error)
{
  for (guint i = 0; i < equations->tick_blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->tick_blocks, i);

      if (block->value.i != WEIR_NO_EXPR.i)
        continue;
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "Model: line %d: equations in k must not need each other's value of the same tick.",
          block->lines[0]);
      return FALSE;
    }
  return TRUE;
}

/* What is remembered for delays. */
static gboolean
check_delays (const WeirEquations *equations, GError **error)
{
  for (guint i = 0; i < equations->delays->len; i++)
    {
      const WeirDelay *delay = &g_array_index (equations->delays, WeirDelay, i);
      WeirPast past = weir_past_make (delay->longest, equations->delays->len,
                                      WEIR_PAST_DEFAULT_POINTS);

      if (weir_past_check (&past, error))
        continue;
      {
        g_autoptr (WeirMessage) line = weir_message_new (N_ ("Model: line %d"), delay->line);

        weir_error_prefix (error, weir_message_get_text (line));
      }
      return FALSE;
    }
  return TRUE;
}

static void
compiler_init (WeirCompiler *self, const WeirEquations *equations, const char *kind)
{
  guint n = equations->blocks->len;

  *self = (WeirCompiler) { .equations = equations, .pool = equations->pool };
  self->builder = weir_leaf_builder_new (kind);
  self->sources = g_array_new (FALSE, FALSE, sizeof (WeirOperandSource));
  self->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->is_needed = g_new0 (gboolean, n + 1);
  self->is_read = g_new0 (gboolean, n + 1);
  self->is_rate = g_new0 (gboolean, n + 1);
  self->group_of = g_new (guint32, n + 1);
  memset (self->group_of, 0xff, (n + 1) * sizeof (guint32));
  self->first_of = g_new0 (guint32, n + 1);
  self->groups = g_ptr_array_new_with_free_func (weir_value_group_free);
  self->pasts = g_array_new (FALSE, FALSE, sizeof (WeirEquationsPast));
  self->delays_of = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->data = g_byte_array_new ();
  self->entry_computations = g_array_new (FALSE, FALSE, sizeof (WeirComputation));
  self->event_computations = g_array_new (FALSE, FALSE, sizeof (WeirComputation));
  self->phase_computations = g_array_new (FALSE, FALSE, sizeof (WeirComputation));
  self->slopes_of = g_array_new (FALSE, FALSE, sizeof (WeirTicket));
  self->slopes = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
}

static void
compiler_clear (WeirCompiler *self)
{
  g_array_unref (self->sources);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->names);
  g_free (self->sets);
  g_free (self->is_needed);
  g_free (self->is_read);
  g_free (self->is_rate);
  g_free (self->group_of);
  g_free (self->first_of);
  g_ptr_array_unref (self->groups);
  g_array_unref (self->pasts);
  g_ptr_array_unref (self->delays_of);
  g_byte_array_unref (self->data);
  g_array_unref (self->entry_computations);
  g_array_unref (self->event_computations);
  g_array_unref (self->phase_computations);
  g_array_unref (self->slopes_of);
  g_array_unref (self->slopes);
}

/* Everything that expressions may read, in its place. */
static void
place_all (WeirCompiler *self)
{
  weir_compiler_find_names (self);
  weir_compiler_declare_ports (self);
  weir_compiler_declare_ticks (self);
  weir_compiler_declare_modes (self);
  weir_compiler_declare_states (self);
  weir_compiler_place_atom (self, weir_expr_symbol (self->pool, "t"),
                            weir_compiler_add_source (self, WEIR_OPERAND_TIME, 0, WEIR_TIME), 0);
  if (self->equations->invariants->len > 0 || self->equations->has_restarts)
    weir_compiler_place_atom (
        self, weir_expr_symbol (self->pool, WEIR_ACCURACY_SYMBOL),
        weir_compiler_add_source (self, WEIR_OPERAND_ACCURACY, 0, WEIR_ACCURACY), 0);
  weir_compiler_place_unknowns (self);
  weir_compiler_declare_delays (self);
}

static void
make_computations (WeirCompiler *self)
{
  /* A state's derivative may itself be a state: that place counts, not the unknown's. */
  weir_compiler_find_dependencies (self);
  weir_compiler_find_needed (self);
  weir_compiler_find_groups (self);
  for (guint32 i = 0; i < self->groups->len; i++)
    weir_compiler_make_group (self, i);
  make_outputs (self);
  make_aliases (self);
  make_derivatives (self);
  weir_compiler_make_events (self);
  weir_compiler_make_delays (self);
  weir_compiler_make_phases (self);
  weir_compiler_make_slopes (self);
}

/* What is of many lines is there once. */
static guint32
append_places (WeirCompiler *self, char *const *places, guint n)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < n; i++)
    {
      guint32 offset = GPOINTER_TO_UINT (g_hash_table_lookup (known, places[i]));

      if (offset == 0)
        offset = weir_compiler_append_text (self, places[i]);
      g_hash_table_insert (known, places[i], GUINT_TO_POINTER (offset));
      g_array_append_val (offsets, offset);
    }
  return weir_compiler_append_array (self, offsets);
}

/* Completes the leaf's data, which begin with the header. */
static void
append_tables (WeirCompiler *self)
{
  char **extended = self->equations->extended;
  WeirEquationsData header = { 0 };

  header.n_entries = self->entry_computations->len;
  header.entries = weir_compiler_append_array (self, self->entry_computations);
  header.n_events = self->event_computations->len;
  header.events = weir_compiler_append_array (self, self->event_computations);
  header.phases = weir_compiler_append_array (self, self->phase_computations);
  header.n_extended = extended != NULL ? g_strv_length (extended) : 0;
  header.extended = append_paths (self, extended);
  header.n_places = self->equations->places != NULL ? g_strv_length (self->equations->places) : 0;
  header.places = append_places (self, self->equations->places, header.n_places);
  header.n_pasts = self->pasts->len;
  header.pasts = weir_compiler_append_array (self, self->pasts);
  memcpy (self->data->data, &header, sizeof header);
}

WeirSystem *
weir_equations_build (const WeirEquations *equations, const char *kind, GError **error)
{
  static const WeirEquationsData no_header;
  WeirCompiler self;
  WeirSystem *system;

  if (!check_ticks (equations, error) || !check_delays (equations, error))
    return NULL;
  compiler_init (&self, equations, kind);
  weir_compiler_append_data (&self, &no_header, sizeof no_header);
  place_all (&self);
  make_computations (&self);
  append_tables (&self);
  weir_leaf_set_data (self.builder, self.data->data, self.data->len);
  weir_leaf_set_list (self.builder, weir_equations_list);
  system = weir_leaf_builder_build (self.builder);
  compiler_clear (&self);
  return system;
}
