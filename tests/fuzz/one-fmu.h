/* Any bytes through the readers of FMUs: as an archive, and as a description. Each is TRUE where
 * the bytes are such a file.
 */
#pragma once

#include "fail.h"

#include <math.h>
#include <string.h>

#include "fmi/description.h"

/* --- Archives -------------------------------------------------------------------------------- */

/* What can be read is written and read alike. */
static G_GNUC_UNUSED gboolean
fuzz_one_archive (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (bytes, "fuzz", &error);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (WeirFmuFile));
  g_autoptr (GBytes) written = NULL;
  g_autoptr (WeirFmuArchive) again = NULL;

  if (archive == NULL)
    {
      if (error == NULL)
        fuzz_fail ("an archive is refused without a reason");
      return FALSE;
    }
  for (guint i = 0; i < weir_fmu_archive_get_n_files (archive); i++)
    {
      g_autoptr (GError) cause = NULL;
      WeirFmuFile file = { weir_fmu_archive_get_file (archive, i),
                           weir_fmu_archive_read (archive, i, &cause) };

      if (g_str_has_prefix (file.name, "../") || file.name[0] == '/')
        fuzz_fail ("\"%s\" leads out of the archive", file.name);
      if (file.bytes == NULL && cause == NULL)
        fuzz_fail ("a file is refused without a reason");
      if (file.bytes != NULL)
        g_array_append_val (files, file);
    }
  written = weir_fmu_archive_write ((const WeirFmuFile *) files->data, files->len, &error);
  if (written == NULL)
    fuzz_fail ("what was read is not written: %s", error->message);
  again = weir_fmu_archive_new (written, "again", NULL);
  for (guint i = 0; i < files->len; i++)
    {
      const WeirFmuFile *file = &g_array_index (files, WeirFmuFile, i);
      g_autoptr (GBytes) same = weir_fmu_archive_read (again, i, NULL);

      if (same == NULL || !g_bytes_equal (same, file->bytes))
        fuzz_fail ("\"%s\" is read otherwise when it was written", file->name);
      g_bytes_unref (file->bytes);
    }
  return TRUE;
}

/* --- Descriptions ---------------------------------------------------------------------------- */

static void
check_index (const WeirFmuDescription *d, guint i, gboolean may_be_none)
{
  if (i >= d->n_variables && !(may_be_none && i == WEIR_FMU_NONE))
    fuzz_fail ("variable %u of %u", i, d->n_variables);
}

static void
check_variable (const WeirFmuDescription *d, guint i)
{
  const WeirFmuVariable *v = &d->variables[i];
  gsize size = 1, n_bytes = strlen (v->name);

  if (weir_fmu_description_find (d, v->name) > i)
    fuzz_fail ("\"%s\" is not found", v->name);
  if (v->causality >= WEIR_FMU_N_CAUSALITIES || v->variability >= WEIR_FMU_N_VARIABILITIES
      || v->initial >= WEIR_FMU_N_INITIALS || v->traits.type >= WEIR_FMU_N_TYPES)
    fuzz_fail ("\"%s\" is of no kind", v->name);
  check_index (d, v->derivative_of, TRUE);
  check_index (d, v->derivative, TRUE);
  check_index (d, v->previous, TRUE);
  check_index (d, v->alias_of, TRUE);
  for (guint k = 0; k < v->n_clocks; k++)
    check_index (d, v->clocks[k], FALSE);
  for (guint k = 0; k < v->n_dimensions; k++)
    {
      check_index (d, v->dimensions[k].variable, TRUE);
      size *= v->dimensions[k].size;
    }
  if (v->size != size)
    fuzz_fail ("\"%s\" has size %zu, not %zu", v->name, v->size, size);
  if (v->n_start > 1 && v->n_start != size)
    fuzz_fail ("\"%s\" has %u start values", v->name, v->n_start);
  if ((v->n_start > 0) != (v->start != NULL || v->start_texts != NULL))
    fuzz_fail ("\"%s\" has no start values where it has some", v->name);
  for (guint k = 0; k < v->n_start && v->start_texts != NULL; k++)
    n_bytes += strnlen (v->start_texts[k].data, v->start_texts[k].size + 1);
  for (guint k = 0; k < v->traits.n_items; k++)
    n_bytes += strlen (v->traits.items[k].name);
  if (v->declared_type != WEIR_FMU_NONE && v->declared_type >= d->n_types)
    fuzz_fail ("\"%s\" has type %u of %u", v->name, v->declared_type, d->n_types);
  if (v->traits.type == WEIR_FMU_CLOCK && v->traits.clock == NULL)
    fuzz_fail ("\"%s\" is an empty clock", v->name);
}

static G_GNUC_UNUSED gboolean
fuzz_one_description (gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  /* The same bytes as terminals, too: they are whatever they are. */
  g_autoptr (WeirFmuDescription)
      d = weir_fmu_description_read_bytes (bytes, bytes, "fuzz", diagnostics);

  if (d == NULL)
    {
      if (!weir_diagnostics_has_errors (diagnostics))
        fuzz_fail ("a description is refused without a reason");
      return FALSE;
    }
  if (weir_diagnostics_has_errors (diagnostics))
    fuzz_fail ("a description with errors is accepted");
  for (guint i = 0; i < d->n_variables; i++)
    check_variable (d, i);
  for (guint list = 0; list < WEIR_FMU_N_UNKNOWNS; list++)
    for (guint i = 0; i < d->n_unknowns[list]; i++)
      {
        const WeirFmuUnknown *unknown = &d->unknowns[list][i];

        check_index (d, unknown->variable, FALSE);
        for (guint k = 0; k < unknown->n_dependencies; k++)
          {
            check_index (d, unknown->dependencies[k], FALSE);
            if (unknown->kinds != NULL && unknown->kinds[k] >= WEIR_FMU_N_DEPENDENCY_KINDS)
              fuzz_fail ("a dependency is of no kind");
          }
        if (list == WEIR_FMU_DERIVATIVES
            && d->variables[unknown->variable].derivative_of == WEIR_FMU_NONE)
          fuzz_fail ("a derivative is of no state");
      }
  for (guint i = 0; i < d->n_terminals; i++)
    for (guint k = 0; k < d->terminals[i].n_members; k++)
      check_index (d, d->terminals[i].members[k].variable, FALSE);
  return TRUE;
}
