/* Values that pass: numbers that only the function reads which computes them are variables of it,
 * and need no place in the instance. See generate-private.h.
 */
#include "generate/generate-private.h"

/* What the tries of loops read is looked for in the instance. */
static void
keep_what_loops_read (const WeirGenerator *self, guint8 *is_passing)
{
  for (guint i = 0; i < weir_code_get_n_loops (self->root); i++)
    {
      WeirLoopCode loop = weir_code_get_loop (self->root, i);

      for (guint k = 0; k < loop.n_members; k++)
        {
          guint n;
          const guint32 *reads = weir_layout_get_reads (self->layout,
                                                        (WeirEntry) { loop.members[k] }, &n);

          is_passing[loop.members[k]] = FALSE;
          for (guint r = 0; r < n; r++)
            is_passing[reads[r]] = FALSE;
        }
    }
}

guint8 *
weir_generator_find_passing (const WeirGenerator *self, const WeirSet *set)
{
  guint8 *is_passing = g_new0 (guint8, weir_layout_get_n_entries (self->layout) + 1);

  for (guint i = 0; i < set->entries->len; i++)
    {
      guint32 entry = g_array_index (set->entries, guint32, i);
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { entry });

      is_passing[entry] = (info.kernel != NULL || info.calc != NULL) && info.size == 1
                          && !info.is_solution && !info.is_part
                          && info.kind != WEIR_ENTRY_DERIVATIVES;
    }
  for (guint i = 0; i < set->entries->len; i++)
    {
      guint32 entry = g_array_index (set->entries, guint32, i);
      guint n;
      const guint32 *reads = weir_layout_get_reads (self->layout, (WeirEntry) { entry }, &n);

      if (weir_code_get_entry (self->root, (WeirEntry) { entry }).kernel == NULL)
        for (guint r = 0; r < n; r++)
          is_passing[reads[r]] = FALSE;
    }
  for (guint i = 0; i < set->asked->len; i++)
    is_passing[g_array_index (set->asked, guint32, i)] = FALSE;
  keep_what_loops_read (self, is_passing);
  return is_passing;
}

static void
keep (WeirGenerator *self, guint32 entry)
{
  if (self->value_field[entry] != WEIR_NO_INDEX)
    g_array_index (self->fields, WeirField, self->value_field[entry]).is_passing = FALSE;
}

void
weir_generator_mark_passing_fields (WeirGenerator *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    {
      WeirField *field = &g_array_index (self->fields, WeirField, i);

      field->is_passing = field->kind == WEIR_FIELD_VALUE;
    }
  for (guint s = 0; s < self->sets->len; s++)
    {
      const WeirSet *set = g_ptr_array_index (self->sets, s);
      g_autofree guint8 *is_passing = weir_generator_find_passing (self, set);
      /* Tangents are found with all values in their places. */
      gboolean has_all = self->has_tangents && (s == WEIR_SET_DERIVATIVES || s == WEIR_SET_RECORD);

      for (guint i = 0; i < set->entries->len; i++)
        if (has_all || !is_passing[g_array_index (set->entries, guint32, i)])
          keep (self, g_array_index (set->entries, guint32, i));
    }
  for (guint i = 0; i < weir_code_get_n_loops (self->root); i++)
    {
      WeirLoopCode loop = weir_code_get_loop (self->root, i);
      WeirLeafCode leaf = weir_code_get_leaf (self->root, loop.node);

      for (guint k = 0; k < loop.n_members; k++)
        keep (self, loop.members[k]);
      for (guint k = 0; k < leaf.n_entries; k++)
        keep (self, weir_code_get_leaf_entry (self->root, loop.node, k).i);
    }
}

static gboolean
reads_derivatives (const WeirGenerator *self, guint32 entry)
{
  guint n;
  const guint32 *reads = weir_layout_get_reads (self->layout, (WeirEntry) { entry }, &n);

  for (guint r = 0; r < n; r++)
    if (weir_code_get_entry (self->root, (WeirEntry) { reads[r] }).kind == WEIR_ENTRY_DERIVATIVES)
      return TRUE;
  return FALSE;
}

gboolean
weir_generator_reads_derivatives (const WeirGenerator *self)
{
  const WeirSet *set = g_ptr_array_index (self->sets, WEIR_SET_DERIVATIVES);

  for (guint i = 0; i < set->entries->len; i++)
    {
      guint32 entry = g_array_index (set->entries, guint32, i);
      WeirEntryCodeInfo info = weir_code_get_entry (self->root, (WeirEntry) { entry });

      /* Those of a diagram are those of its parts. */
      if (!weir_code_get_leaf (self->root, info.node).is_diagram && reads_derivatives (self, entry))
        return TRUE;
    }
  for (guint i = 0; i < weir_code_get_n_loops (self->root); i++)
    {
      WeirLoopCode loop = weir_code_get_loop (self->root, i);

      for (guint k = 0; k < loop.n_members; k++)
        if (reads_derivatives (self, loop.members[k]))
          return TRUE;
    }
  return FALSE;
}
