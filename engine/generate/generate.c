/* From a system to files of C. See generate.h and generate-private.h. */
#include "generate/generate-private.h"

#include "system/evaluation/eval.h"

static const char *const solvers[] = { "euler", "heun", "rk4", "dormand-prince" };

gboolean
weir_generate_has_solver (const char *solver)
{
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    if (g_strcmp0 (solver, solvers[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
field_clear (gpointer data)
{
  WeirField *field = data;

  g_free (field->name);
  g_free (field->origin);
}

/* What blocks' functions are called, and where their texts are. */
static void
list_texts (WeirGenerator *self)
{
  self->functions = g_hash_table_new (NULL, NULL);
  for (const WeirFunctionName *const *list = weir_function_names; *list != NULL; list++)
    for (const WeirFunctionName *name = *list; name->function != NULL; name++)
      g_hash_table_insert (self->functions, GSIZE_TO_POINTER ((gsize) name->function),
                           (gpointer) name);
  self->text_by_source = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < weir_n_texts; i++)
    g_hash_table_insert (self->text_by_source,
                         g_strconcat (weir_texts[i].source, "/", weir_texts[i].own, NULL),
                         GUINT_TO_POINTER (i + 1));
  self->wanted_texts = g_new0 (guint8, weir_n_texts);
}

/* "my model" becomes my_model, My_model and MY_MODEL; none of them stands for something else. */
static void
name_model (WeirGenerator *self, const char *prefix)
{
  static const char *const taken[] = { "main",   "weir",    "model",       "run",    "events",
                                       "record", "columns", "derivatives", "witness" };
  g_autofree char *stem = g_ascii_strdown (*prefix != '\0' ? prefix : "model", -1);
  gboolean is_taken;

  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < weir_n_texts; i++)
    g_hash_table_add (self->names, g_strdup (weir_texts[i].name));
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    g_hash_table_add (self->names, g_strdup (taken[i]));
  do
    {
      g_free (self->lower);
      g_free (self->name);
      self->lower = weir_generator_dup_name (self, stem, "");
      self->name = g_strdup (self->lower);
      self->name[0] = g_ascii_toupper (self->name[0]);
      is_taken = g_hash_table_contains (self->names, self->name);
    }
  while (is_taken);
  self->upper = g_ascii_strup (self->lower, -1);
}

void
weir_generator_clear (WeirGenerator *self)
{
  weir_context_free (self->context);
  g_free (self->name);
  g_free (self->lower);
  g_free (self->upper);
  g_array_unref (self->fields);
  g_hash_table_unref (self->names);
  g_free (self->parameter_first);
  g_free (self->input_first);
  g_free (self->group_first);
  g_free (self->value_field);
  g_free (self->is_leaf_used);
  g_free (self->is_used);
  g_ptr_array_unref (self->sets);
  g_free (self->event_set);
  g_array_unref (self->columns);
  g_ptr_array_unref (self->column_names);
  g_free (self->wanted_texts);
  g_hash_table_unref (self->functions);
  g_hash_table_unref (self->text_by_source);
  g_hash_table_unref (self->patterns);
  g_string_free (self->programs, TRUE);
  g_string_free (self->rates, TRUE);
  g_array_unref (self->tangent_kernels);
  g_array_unref (self->tangent_numbers);
  g_string_free (self->tangent_programs, TRUE);
}

gboolean
weir_generator_begin (WeirGenerator *self, WeirSystem *root, const char *prefix,
                      const WeirSimulatorOptions *options, const char *const *ports,
                      WeirDiagnostics *diagnostics)
{
  *self = (WeirGenerator) { .root = root,
                            .layout = weir_system_get_layout (root),
                            .options = options,
                            .diagnostics = diagnostics,
                            .xdot = "r->xdot" };
  if (!weir_generate_has_solver (options->solver))
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "GEN03", "", 0, 0, 0,
                            N_ ("Generated code has no solver \"%s\"; choose euler, heun, rk4 or "
                                "dormand-prince."),
                            options->solver);
      self->has_failed = TRUE;
    }
  self->context = weir_system_create_context (root);
  self->fields = g_array_new (FALSE, FALSE, sizeof (WeirField));
  g_array_set_clear_func (self->fields, field_clear);
  self->is_leaf_used = g_new0 (gboolean, weir_layout_get_n_nodes (self->layout));
  self->is_used = g_new0 (guint8, weir_layout_get_n_entries (self->layout) + 1);
  self->sets = g_ptr_array_new_with_free_func (weir_set_free);
  self->columns = g_array_new (FALSE, FALSE, sizeof (WeirColumnPlace));
  self->column_names = g_ptr_array_new_with_free_func (g_free);
  self->patterns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->programs = g_string_new (NULL);
  self->rates = g_string_new (NULL);
  self->tangent_kernels = weir_generator_new_tangent_kernels ();
  self->tangent_numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  self->tangent_programs = g_string_new (NULL);
  list_texts (self);
  name_model (self, prefix);
  weir_generator_add_fields (self);
  if (self->has_failed) /* what has no place is not looked for */
    return FALSE;
  weir_generator_find_sets (self, ports);
  weir_generator_add_value_fields (self);
  return !self->has_failed;
}

WeirGenerated *
weir_generate (WeirSystem *root, const char *prefix, const WeirSimulatorOptions *options,
               const char *const *ports, WeirDiagnostics *diagnostics)
{
  g_auto (WeirGenerator) self = { 0 };
  g_autoptr (WeirGenerated) files = NULL;

  if (!weir_generator_begin (&self, root, prefix, options, ports, diagnostics))
    return NULL;
  files = weir_generator_write_files (&self);
  return self.has_failed ? NULL : g_steal_pointer (&files);
}
