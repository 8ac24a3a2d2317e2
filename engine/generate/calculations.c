/* Writing what is computed: a function for each set, a statement for each entry. See
 * generate-private.h. */
#include "generate/generate-private.h"

/* --- Texts of blocks ------------------------------------------------------------------------- */

const WeirText *
weir_generator_find_text (const WeirGenerator *self, WeirAnyFunction function, const char *ending)
{
  const WeirFunctionName *name = g_hash_table_lookup (self->functions,
                                                      GSIZE_TO_POINTER ((gsize) function));
  g_autofree char *key = NULL;
  guint found;

  if (name == NULL)
    return NULL;
  key = g_strconcat (name->source, "/", name->name, ending, NULL);
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->text_by_source, key));
  return found > 0 ? &weir_texts[found - 1] : NULL;
}

const char *
weir_generator_use_function (WeirGenerator *self, WeirNode node, WeirAnyFunction function)
{
  const WeirText *text = weir_generator_find_text (self, function, "");

  if (text == NULL)
    {
      weir_generator_refuse (self, node, N_ ("what it computes needs the program"));
      return "missing";
    }
  self->wanted_texts[text - weir_texts] = TRUE;
  self->n_calls++;
  return text->name;
}

/* --- Kernels --------------------------------------------------------------------------------- */

static void
write_copy (WeirGenerator *self, GString *text, guint32 entry, WeirCodePlace to, guint32 size,
            const char *indent)
{
  gboolean broadcast;
  WeirCodePlace from = weir_code_get_operand (self->root, (WeirEntry) { entry }, 0, &broadcast);
  g_autofree char *source = weir_generator_dup_pointer (self, from);
  g_autofree char *source_value = weir_generator_dup_value (self, from);
  g_autofree char *target = weir_generator_dup_pointer (self, to);

  if (broadcast)
    g_string_append_printf (text, "%sfor (guint i = 0; i < %uu; i++)\n%s  (%s)[i] = %s;\n", indent,
                            size, indent, target, source_value);
  else
    g_string_append_printf (text, "%smemcpy (%s, %s, %uu * sizeof (double));\n", indent, target,
                            source, size);
}

/* (transfer full) the operands, each as an expression; NULL-terminated. @index: of an element in
 * those that have more than one. */
static char **
dup_operands (const WeirGenerator *self, guint32 entry, const WeirEntryCodeInfo *info)
{
  char **operands = g_new0 (char *, info->n_operands + 1);

  for (guint k = 0; k < info->n_operands; k++)
    {
      gboolean broadcast;
      WeirCodePlace from = weir_code_get_operand (self->root, (WeirEntry) { entry }, k, &broadcast);
      g_autofree char *pointer = weir_generator_dup_pointer (self, from);

      operands[k] = info->size == 1 || broadcast ? weir_generator_dup_value (self, from)
                                                 : g_strdup_printf ("(%s)[i]", pointer);
    }
  return operands;
}

static void
write_value (WeirGenerator *self, GString *text, guint32 entry, const WeirEntryCodeInfo *info,
             const char *formula, WeirCodePlace to, const char *indent)
{
  g_autofree char *target = weir_generator_dup_pointer (self, to);
  g_autofree char *target_value = weir_generator_dup_value (self, to);

  if (info->size > 1)
    g_string_append_printf (text, "%sfor (guint i = 0; i < %uu; i++)\n%s  (%s)[i] = %s;\n", indent,
                            info->size, indent, target, formula);
  else
    g_string_append_printf (text, "%s%s%s = %s;\n", indent,
                            self->is_passing != NULL && self->is_passing[entry] ? "const double "
                                                                                : "",
                            target_value, formula);
}

/* What passes, and is computed by way of a pointer. */
static void
declare (const WeirGenerator *self, GString *text, guint32 entry, const char *target,
         const char *indent)
{
  if (self->is_passing != NULL && self->is_passing[entry])
    g_string_append_printf (text, "%sdouble %s = 0;\n", indent, target + strlen ("&"));
}

static void
write_streams (WeirGenerator *self, GString *text, guint32 entry, const WeirEntryCodeInfo *info,
               const char *name, WeirCodePlace to, const char *indent)
{
  g_autofree char *target = weir_generator_dup_pointer (self, to);

  declare (self, text, entry, target, indent);
  g_string_append_printf (text, "%s{\n%s  const WeirStream in[] = { ", indent, indent);
  for (guint k = 0; k < info->n_operands; k++)
    {
      gboolean broadcast;
      WeirCodePlace from = weir_code_get_operand (self->root, (WeirEntry) { entry }, k, &broadcast);
      g_autofree char *pointer = weir_generator_dup_pointer (self, from);

      g_string_append_printf (text, "%s{ %s, %d }", k > 0 ? ", " : "", pointer,
                              broadcast || info->size == 1 ? 0 : 1);
    }
  g_string_append_printf (
      text, " };\n\n%s  %s (in, %u, G_GUINT64_CONSTANT (%" G_GUINT64_FORMAT "), %s, 1, %u);\n%s}\n",
      indent, name, info->n_operands, info->variant, target, info->size, indent);
}

static void
write_kernel (WeirGenerator *self, GString *text, guint32 entry, const WeirEntryCodeInfo *info,
              WeirCodePlace to, const char *indent)
{
  g_auto (GStrv) operands = dup_operands (self, entry, info);
  g_autofree char *formula = weir_generator_dup_formula (self, info,
                                                         (const char *const *) operands);
  const WeirText *found;

  if (info->kernel == weir_kernel_copy && info->size > 1)
    {
      write_copy (self, text, entry, to, info->size, indent);
      return;
    }
  if (formula != NULL)
    {
      write_value (self, text, entry, info, formula, to, indent);
      return;
    }
  found = weir_generator_find_text (self, (WeirAnyFunction) info->kernel, "");
  weir_generator_use_function (self, info->node, (WeirAnyFunction) info->kernel);
  if (found == NULL)
    return;
  if (found->kind != WEIR_TEXT_KERNEL || g_str_has_prefix (found->text, "WEIR_KERNEL_FORMS"))
    write_streams (self, text, entry, info, found->name, to, indent);
  else
    {
      g_autofree char *list = g_strjoinv (", ", operands);
      g_autofree char *call = g_strdup_printf ("%s (%s)", found->name, list);

      write_value (self, text, entry, info, call, to, indent);
    }
}

/* --- Entries --------------------------------------------------------------------------------- */

static guint
find_loop (const WeirGenerator *self, guint32 entry)
{
  guint i = 0;

  while (weir_code_get_loop (self->root, i).solution.i != entry)
    i++;
  return i;
}

/* The part of a loop's solution that is one of its outputs. */
static void
write_part (WeirGenerator *self, GString *text, const WeirEntryCodeInfo *info, WeirCodePlace to,
            const char *indent)
{
  WeirEntry solution = weir_code_get_leaf_entry (self->root, info->node, 0);
  g_autofree char *from = weir_generator_dup_pointer (
      self, (WeirCodePlace) { WEIR_PLACE_ENTRY, 0, solution.i });
  g_autofree char *target = weir_generator_dup_pointer (self, to);
  guint32 offset = 0;

  for (guint16 i = 0; i + 1u < info->local; i++)
    offset += weir_layout_get_input_size (self->layout, info->node, (WeirInput) { i });
  g_string_append_printf (text, "%smemcpy (%s, (%s) + %u, %u * sizeof (double));\n", indent, target,
                          from, offset, info->size);
}

void
weir_generator_write_entry (WeirGenerator *self, GString *text, guint32 entry, const char *indent)
{
  WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { entry });
  WeirLeafCode leaf = weir_code_get_leaf (self->root, info.node);
  WeirCodePlace to = { WEIR_PLACE_ENTRY, info.node.i, entry };
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
  g_autofree char *shown = weir_generate_dup_comment (path);
  g_autofree char *target = NULL;

  if (leaf.is_diagram || info.size == 0)
    return; /* its derivatives lie where those of its parts do */
  g_string_append_printf (text, "%s/* %s */\n", indent, shown);
  target = weir_generator_dup_pointer (self, to);
  if (info.is_solution)
    g_string_append_printf (text,
                            "%sif (solve_loop_%u (self, t, x) != WEIR_OK)\n%s  return "
                            "WEIR_FAILED;\n",
                            indent, find_loop (self, entry), indent);
  else if (info.is_part)
    write_part (self, text, &info, to, indent);
  else if (info.kernel != NULL)
    write_kernel (self, text, entry, &info, to, indent);
  else if (info.calc != NULL)
    {
      const char *name = weir_generator_use_function (self, info.node, (WeirAnyFunction) info.calc);

      self->is_leaf_used[info.node.i] = TRUE;
      declare (self, text, entry, target, indent);
      g_string_append_printf (
          text,
          "%sif (%s (&(const WeirCalc) { &self->context, &leaf_%u, t, x, %u, NULL }, %s) "
          "!= WEIR_OK)\n%s  return WEIR_FAILED;\n",
          indent, name, info.node.i, info.local, target, indent);
    }
  else
    weir_generator_refuse (self, info.node, N_ ("its %s has no calculation of its own"),
                           weir_layout_get_entry (self->layout, (WeirEntry) { entry }).name);
}

/* The derivatives go where the caller wants them, unless something reads them on the way. */
static void
write_set (WeirGenerator *self, GString *text, guint s)
{
  const WeirSet *set = g_ptr_array_index (self->sets, s);
  g_autofree guint8 *is_passing = weir_generator_find_passing (self, set);
  gboolean has_derivatives = s == WEIR_SET_DERIVATIVES;
  gboolean is_direct = has_derivatives && !weir_generator_reads_derivatives (self);

  self->is_passing = is_passing;
  self->xdot = is_direct ? "xdot" : "r->xdot";
  g_string_append_printf (text,
                          "/* %s */\nstatic %sWeirStatus\ncalc_%u (%s *self, double t, const "
                          "double *x%s)\n{\n",
                          set->what, has_derivatives ? "WEIR_INLINE " : "", s, self->name,
                          has_derivatives ? ", double *restrict xdot" : "");
  if (set->entries->len > 0)
    g_string_append_printf (text, "  %sRow *r = &self->row;\n\n  (void) r;\n", self->name);
  g_string_append_printf (text, "  (void) self;\n  (void) t;\n  (void) x;\n%s",
                          has_derivatives ? "  (void) xdot;\n" : "");
  for (guint i = 0; i < set->entries->len; i++)
    weir_generator_write_entry (self, text, g_array_index (set->entries, guint32, i), "  ");
  if (has_derivatives && !is_direct)
    g_string_append_printf (text,
                            "  if (xdot != r->xdot)\n    memcpy (xdot, r->xdot, %u * sizeof "
                            "(double));\n",
                            weir_layout_get_n_states (self->layout));
  g_string_append (text, "  return WEIR_OK;\n}\n\n");
  self->is_passing = NULL;
  self->xdot = "r->xdot";
}

void
weir_generator_write_sets (WeirGenerator *self, GString *text)
{
  for (guint s = 0; s < self->sets->len; s++)
    {
      const WeirSet *set = g_ptr_array_index (self->sets, s);

      if (set->entries->len > 0 || !weir_generator_is_set_of_phases (s))
        write_set (self, text, s);
    }
}

/* --- Leaves ---------------------------------------------------------------------------------- */

static void
write_numbers (GString *text, guint32 node, const char *what, GString *numbers)
{
  if (numbers->len > 0)
    g_string_append_printf (text, "static const guint32 leaf_%u_%s[] = { %s };\n", node, what,
                            numbers->str);
}

static void
append (GString *list, const char *text)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", text);
}

static const char *
space_of (WeirCodePlace place)
{
  return place.kind == WEIR_PLACE_STATE      ? "WEIR_IN_STATE"
         : place.kind == WEIR_PLACE_TIME     ? "WEIR_IN_TIME"
         : place.kind == WEIR_PLACE_ACCURACY ? "WEIR_IN_ACCURACY"
                                             : "WEIR_IN_ROW";
}

static gboolean
has_member (const WeirGenerator *self, guint32 entry)
{
  guint32 field = self->value_field[entry];

  return field != WEIR_NO_INDEX && !g_array_index (self->fields, WeirField, field).is_passing;
}

static void
write_leaf (WeirGenerator *self, GString *text, guint32 n)
{
  WeirNode node = { n };
  WeirLeafCode leaf = weir_code_get_leaf (self->root, node);
  g_autofree char *path = weir_generator_dup_path (self, n);
  g_autofree char *quoted = g_strescape (path, NULL);
  g_autoptr (GString) inputs = g_string_new (NULL), input_sizes = g_string_new (NULL);
  g_autoptr (GString) parameters = g_string_new (NULL), parameter_sizes = g_string_new (NULL);
  g_autoptr (GString) groups = g_string_new (NULL), group_sizes = g_string_new (NULL);
  g_autoptr (GString) cached = g_string_new (NULL);
  gboolean has_cached = FALSE;

  for (guint16 i = 0; i < leaf.n_inputs; i++)
    {
      WeirCodePlace place = weir_code_get_input (self->root, node, (WeirInput) { i });
      gboolean is_there = place.kind != WEIR_PLACE_ENTRY
                          || weir_layout_get_entry (self->layout, (WeirEntry) { place.index }).kind
                                 == WEIR_ENTRY_DERIVATIVES
                          || has_member (self, place.index);
      g_autofree char *offset = is_there ? weir_generator_dup_offset (self, place)
                                         : g_strdup ("0u");
      g_autofree char *whole = g_strdup_printf ("{ %s, %s }", space_of (place), offset);
      g_autofree char *size = g_strdup_printf (
          "%u", weir_layout_get_input_size (self->layout, node, (WeirInput) { i }));

      append (inputs, whole);
      append (input_sizes, size);
    }
  for (guint16 i = 0; i < leaf.n_parameters; i++)
    {
      g_autofree char *offset = weir_generator_dup_offset (
          self, (WeirCodePlace) { WEIR_PLACE_PARAMETER, n, i });
      g_autofree char *size = g_strdup_printf (
          "%u", weir_layout_get_parameter_size (self->layout, node, (WeirParameter) { i }));

      append (parameters, offset);
      append (parameter_sizes, size);
    }
  for (guint i = 0; i < leaf.n_groups; i++)
    {
      g_autofree char *offset = weir_generator_dup_offset (
          self, (WeirCodePlace) { WEIR_PLACE_GROUP, n, i });
      g_autofree char *size = g_strdup_printf ("%u",
                                               weir_code_get_group_size (self->root, node, i));

      append (groups, offset);
      append (group_sizes, size);
    }
  for (guint i = 0; i < leaf.n_entries; i++)
    {
      WeirEntry entry = weir_code_get_leaf_entry (self->root, node, i);
      gboolean is_there = has_member (self, entry.i);
      g_autofree char *offset = is_there ? weir_generator_dup_offset (
                                    self, (WeirCodePlace) { WEIR_PLACE_ENTRY, n, entry.i })
                                         : g_strdup ("0u");

      has_cached |= is_there;
      append (cached, offset);
    }
  if (!has_cached)
    g_string_truncate (cached, 0);
  if (inputs->len > 0)
    g_string_append_printf (text, "static const WeirPlace leaf_%u_inputs[] = { %s };\n", n,
                            inputs->str);
  write_numbers (text, n, "input_sizes", input_sizes);
  write_numbers (text, n, "parameters", parameters);
  write_numbers (text, n, "parameter_sizes", parameter_sizes);
  write_numbers (text, n, "groups", groups);
  write_numbers (text, n, "group_sizes", group_sizes);
  write_numbers (text, n, "cached", cached);
  if (leaf.data_size > 0)
    weir_generator_write_data (self, text, n);
  g_string_append_printf (text, "static const WeirLeaf leaf_%u = {\n  .path = \"%s\",\n", n,
                          quoted);
  if (inputs->len > 0)
    g_string_append_printf (
        text, "  .inputs = leaf_%u_inputs,\n  .input_sizes = leaf_%u_input_sizes,\n", n, n);
  if (parameters->len > 0)
    g_string_append_printf (text,
                            "  .parameters = leaf_%u_parameters,\n"
                            "  .parameter_sizes = leaf_%u_parameter_sizes,\n",
                            n, n);
  if (groups->len > 0)
    g_string_append_printf (
        text, "  .groups = leaf_%u_groups,\n  .group_sizes = leaf_%u_group_sizes,\n", n, n);
  if (cached->len > 0)
    g_string_append_printf (text, "  .cached = leaf_%u_cached,\n", n);
  g_string_append_printf (text,
                          "  .state = %u,\n  .nq = %u,\n  .nv = %u,\n  .nz = %u,\n"
                          "  .n_groups = %u,\n",
                          leaf.state, leaf.nq, leaf.nv, leaf.nz, leaf.n_groups);
  if (leaf.data_size > 0)
    g_string_append_printf (text, "  .data = &leaf_%u_data,\n", n);
  g_string_append (text, "};\n\n");
}

void
weir_generator_write_leaves (WeirGenerator *self, GString *text)
{
  for (guint32 n = 0; n < weir_layout_get_n_nodes (self->layout); n++)
    if (self->is_leaf_used[n])
      write_leaf (self, text, n);
}
