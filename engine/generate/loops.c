/* Writing algebraic loops: a function that tries what the members make of a solution, and one that
 * looks for it. See generate-private.h. */
#include "generate/generate-private.h"

/* Ascending, so that each is computed after what it reads. */
static void
write_members (WeirGenerator *self, GString *text, const WeirLoopCode *loop)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, loop->node);
  guint next = 0;

  for (guint32 e = 0; e < weir_layout_get_n_entries (self->layout); e++)
    {
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { e });
      gboolean is_part = info.node.i == loop->node.i && info.is_part;

      while (next < loop->n_members && loop->members[next] < e)
        next++;
      if (self->is_used[e] && (is_part || (next < loop->n_members && loop->members[next] == e)))
        weir_generator_write_entry (self, text, e, "  ");
    }
  (void) leaf;
}

static void
write_residuals (WeirGenerator *self, GString *text, const WeirLoopCode *loop)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, loop->node);
  guint32 at = 0;

  for (guint16 i = 0; i < leaf.n_inputs; i++)
    {
      WeirCodePlace place = weir_code_get_input (self->root, loop->node, (WeirInput) { i });
      g_autofree char *pointer = weir_generator_dup_pointer (self, place);
      guint size = weir_layout_get_input_size (self->layout, loop->node, (WeirInput) { i });

      g_string_append_printf (text,
                              "  for (guint k = 0; k < %u; k++)\n"
                              "    residuals[%u + k] = (%s)[k] - z[%u + k];\n",
                              size, at, pointer, at);
      at += size;
    }
}

static void
write_loop (WeirGenerator *self, GString *text, guint i)
{
  WeirLoopCode loop = weir_code_get_loop (self->root, i);
  guint32 n = weir_layout_get_entry (self->layout, loop.solution).size;
  g_autofree char *path = weir_generator_dup_path (self, loop.node.i);
  g_autofree char *shown = weir_generate_dup_comment (path);
  g_autofree char *solution = weir_generator_dup_pointer (
      self, (WeirCodePlace) { WEIR_PLACE_ENTRY, loop.node.i, loop.solution.i });
  g_autofree char *start = weir_generator_dup_pointer (
      self, (WeirCodePlace) { WEIR_PLACE_GROUP, loop.node.i, 0 });
  const double *first = weir_context_get_discrete (self->context, loop.node, (WeirGroup) { 0 });

  g_string_append_printf (text,
                          "/* The algebraic loop %s: what its members make of a solution. */\n"
                          "static gboolean\ntry_loop_%u (gpointer data, const double *z, double "
                          "*residuals)\n{\n"
                          "  const WeirTry *at = data;\n"
                          "  %s *self = (%s *) (void *) at->context;\n"
                          "  %sRow *r = &self->row;\n"
                          "  const double t = at->t, *x = at->x;\n\n"
                          "  (void) t;\n  (void) x;\n"
                          "  memcpy (%s, z, %u * sizeof (double));\n"
                          "  if (members_of_loop_%u (self, t, x) != WEIR_OK)\n"
                          "    return FALSE;\n",
                          shown, i, self->name, self->name, self->name, solution, n, i);
  write_residuals (self, text, &loop);
  g_string_append_printf (text,
                          "  for (guint k = 0; k < %u; k++)\n"
                          "    if (!isfinite (residuals[k]))\n      return FALSE;\n"
                          "  return TRUE;\n}\n\n"
                          "static WeirStatus\nsolve_loop_%u (%s *self, double t, const double *x)\n"
                          "{\n  %sRow *r = &self->row;\n"
                          "  static const double first[] = { ",
                          n, i, self->name, self->name);
  for (guint32 k = 0; k < n; k++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s", k > 0 ? ", " : "",
                              weir_number_to_text (first[k], number));
    }
  g_string_append_printf (
      text,
      " };\n"
      "  double room[WEIR_ROOT_ROOM (%u)];\n"
      "  guint32 pivots[%u];\n"
      "  WeirTry at = { &self->context, t, x };\n"
      "  WeirRoot root;\n\n"
      "  weir_root_init (&root, %u, room, pivots);\n"
      "  root.try_at = try_loop_%u;\n"
      "  root.data = &at;\n"
      "  if (weir_root_search (&root, %s, first, %s) != WEIR_ROOT_SOLVED)\n"
      "    {\n"
      "      (void) snprintf (self->context.failure, WEIR_MESSAGE_SIZE, \"an algebraic loop has "
      "no solution\");\n"
      "      return WEIR_FAILED;\n"
      "    }\n"
      "  for (guint k = 0; k < %u; k++)\n"
      "    (%s)[k] = root.z[k] + root.correction[k];\n"
      "  return WEIR_OK;\n}\n\n",
      n, n, n, i, start, loop.has_guess ? "TRUE" : "FALSE", n, solution);
}

static void
write_moves (WeirGenerator *self, GString *text)
{
  g_string_append_printf (text,
                          "/* What is looked for begins the next step where this one ended. */\n"
                          "static WeirStatus\nmove_starts (WeirContext *context)\n{\n"
                          "  %s *self = (%s *) (void *) context;\n"
                          "  %sRow *r = &self->row;\n\n  (void) r;\n",
                          self->name, self->name, self->name);
  g_string_append_printf (text,
                          "  context->values_set = 0;\n"
                          "  if (calc_%u (self, context->now, context->state) != WEIR_OK)\n"
                          "    return WEIR_FAILED;\n",
                          WEIR_SET_STARTS);
  for (guint i = 0; i < weir_code_get_n_starts (self->root); i++)
    {
      WeirStartCode start = weir_code_get_start (self->root, i);
      g_autofree char *solution = weir_generator_dup_pointer (
          self, (WeirCodePlace) { WEIR_PLACE_ENTRY, start.node.i, start.entry.i });
      g_autofree char *group = weir_generator_dup_pointer (
          self, (WeirCodePlace) { WEIR_PLACE_GROUP, start.node.i, start.group.i });

      g_string_append_printf (text, "  memcpy (%s, %s, %u * sizeof (double));\n", group, solution,
                              weir_layout_get_entry (self->layout, start.entry).size);
    }
  g_string_append (text, "  return WEIR_OK;\n}\n\n");
}

void
weir_generator_write_loops (WeirGenerator *self, GString *text)
{
  guint n = weir_code_get_n_loops (self->root);

  if (n > 0)
    g_string_append (text, "typedef struct {\n  WeirContext *context;\n  double t;\n"
                           "  const double *x;\n} WeirTry;\n\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "static WeirStatus solve_loop_%u (%s *self, double t, const double *x);"
                            "\n\n",
                            i, self->name);
  for (guint i = 0; i < n; i++)
    {
      WeirLoopCode loop = weir_code_get_loop (self->root, i);

      g_string_append_printf (
          text,
          "static WeirStatus\nmembers_of_loop_%u (%s *self, double t, const "
          "double *x)\n{\n  %sRow *r = &self->row;\n\n  (void) t;\n  (void) x;\n",
          i, self->name, self->name);
      write_members (self, text, &loop);
      g_string_append (text, "  (void) r;\n  return WEIR_OK;\n}\n\n");
      write_loop (self, text, i);
    }
}

void
weir_generator_write_loop_moves (WeirGenerator *self, GString *text)
{
  write_moves (self, text);
}
