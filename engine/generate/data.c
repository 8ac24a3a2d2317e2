/* The constants of leaves, and the programs in them. See generate-private.h. */
#include "generate/generate-private.h"

#include "blocks/equations/program-list.h"
#include "blocks/library/registry.h"
#include "equations/programs/program.h"

/* Whether the leaf's computations run programs, and where they are. */
static GArray *
list_programs (WeirGenerator *self, guint32 node)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, (WeirNode) { node });

  if (strcmp (leaf.kind, "Assertion") == 0)
    {
      GArray *programs = g_array_new (FALSE, FALSE, sizeof (guint32));

      return g_array_append_val (programs, weir_assertion_program_place);
    }
  for (guint i = 0; i < leaf.n_entries; i++)
    {
      WeirEntry entry = weir_code_get_leaf_entry (self->root, (WeirNode) { node }, i);

      if (weir_equations_is_calc ((WeirAnyFunction) weir_code_get_entry (self->root, entry).calc))
        return weir_equations_list_programs (leaf.data, leaf.n_phases > 0);
    }
  for (guint i = 0, n = weir_system_get_n_events (self->root); i < n; i++)
    {
      WeirEventCodeInfo event;

      if (weir_system_get_event (self->root, i).node.i != node)
        continue;
      event = weir_code_get_event (self->root, i);
      if (weir_equations_is_calc ((WeirAnyFunction) event.update)
          || weir_equations_is_calc ((WeirAnyFunction) event.unrestricted))
        return weir_equations_list_programs (leaf.data, leaf.n_phases > 0);
    }
  return NULL;
}

/* How the first @n outputs move. */
static void
write_tangent (WeirGenerator *self, const WeirProgram *program, guint n)
{
  g_autofree WeirProgram *tangent = weir_program_new_tangent (program, n);
  g_autofree char *name = g_strdup_printf ("program_%u_tangent", self->n_programs);

  weir_program_write_c (tangent, name, self->tangent_programs);
  g_array_append_val (self->tangent_numbers, self->n_programs);
}

static void
write_programs (WeirGenerator *self, guint8 *data, const GArray *offsets, gboolean is_assertion)
{
  for (guint i = 0; i < offsets->len; i++)
    {
      guint32 offset = g_array_index (offsets, guint32, i);
      WeirProgram *program = (gpointer) (data + offset);
      g_autofree char *name = g_strdup_printf ("program_%u", self->n_programs);
      guint n_moving = !self->has_tangents || is_assertion
                           ? 0
                           : weir_equations_count_moving (data, offset);

      if (n_moving > 0)
        write_tangent (self, program, n_moving);
      weir_program_write_c (program, name, self->programs);
      weir_program_set_number (program, self->n_programs++);
    }
}

/* As words of eight bytes, in the order in which the processor has them. */
void
weir_generator_write_data (WeirGenerator *self, GString *text, guint32 node)
{
  WeirLeafCode leaf = weir_code_get_leaf (self->root, (WeirNode) { node });
  gsize n = (leaf.data_size + 7) / 8;
  g_autofree guint64 *words = g_new0 (guint64, n);
  g_autoptr (GArray) offsets = list_programs (self, node);

  memcpy (words, leaf.data, leaf.data_size);
  if (offsets != NULL)
    {
      gboolean is_assertion = strcmp (leaf.kind, "Assertion") == 0;
      gsize work = is_assertion ? 0 : weir_equations_get_work_size (leaf.data, leaf.n_phases > 0);

      write_programs (self, (guint8 *) words, offsets, is_assertion);
      self->n_scratch = (guint32) MAX (self->n_scratch, work);
    }
  g_string_append_printf (text, "static const guint64 leaf_%u_data[] = {", node);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%sG_GUINT64_CONSTANT (0x%" G_GINT64_MODIFIER "x),",
                            i % 3 == 0 ? "\n  " : " ", words[i]);
  /* Tables of nothing lie at the end: they are never read, but compilers that know all numbers here
   * look at what reading them would mean, and warn. */
  if (offsets != NULL)
    g_string_append (text, "\n  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,");
  g_string_append (text, "\n};\n");
}
