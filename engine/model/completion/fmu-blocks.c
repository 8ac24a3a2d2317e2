/* FMU blocks: whom one trusts, their ports and their leaves. No binary in them is run by any of
 * this (fmi/leaf.h), unless it is trusted, and then to audit it.
 */
#include "model/completion/completion-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "blocks/types/block-type.h"
#include "fmi/trust.h"
#include "fmi/unit.h"
#include "model/tree/fmu-files.h"
#include "model/tree/fmu-starts.h"
#include "model/tree/unit-settings.h"

static const WeirFmuSource *
find_source (const WeirInstance *self, const char *folder)
{
  return weir_fmu_source_find (weir_arguments_get_text (self->arguments, "file"), folder);
}

const WeirFmuDescription *
weir_instance_find_fmu_description (const WeirInstance *self, const char *folder)
{
  const WeirFmuSource *source = self->type != NULL && self->arguments != NULL && self->block != NULL
                                        && weir_block_is_type (self->block, WEIR_TYPE_NAME_FMU)
                                    ? find_source (self, folder)
                                    : NULL;

  return source != NULL ? source->description : NULL;
}

/* --- Trust ----------------------------------------------------------------------------------- */

typedef struct {
  const char *folder;
  GPtrArray *found;
} Search;

static void
program_free (gpointer data)
{
  WeirForeignProgram *self = data;

  g_free (self->name);
  g_free (self->checksum);
  g_free (self);
}

static gboolean
is_found (const GPtrArray *found, const char *checksum)
{
  for (guint i = 0; i < found->len; i++)
    if (g_str_equal (((WeirForeignProgram *) found->pdata[i])->checksum, checksum))
      return TRUE;
  return FALSE;
}

static gboolean
look_for_programs (WeirBlock *block, gpointer data)
{
  Search *search = data;
  const char *file = weir_block_get_parameter (block, "file");
  const WeirFmuSource *source;
  WeirForeignProgram *program;
  const char *checksum;

  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), look_for_programs, search);
  if (!weir_block_is_type (block, WEIR_TYPE_NAME_FMU) || file == NULL || *file == '\0')
    return TRUE;
  source = weir_fmu_source_find (file, search->folder);
  if (source == NULL || source->archive == NULL)
    return TRUE;
  checksum = weir_fmu_archive_get_checksum (source->archive);
  if (weir_fmu_trust_has (checksum) || is_found (search->found, checksum))
    return TRUE;
  program = g_new (WeirForeignProgram, 1);
  program->name = g_path_get_basename (file);
  program->checksum = g_strdup (checksum);
  g_ptr_array_add (search->found, program);
  return TRUE;
}

GPtrArray *
weir_model_list_untrusted (WeirModel *model)
{
  Search search = { model->head.folder, g_ptr_array_new_with_free_func (program_free) };

  weir_diagram_foreach_block (model->root, look_for_programs, &search);
  return search.found;
}

static gboolean
look_for_fmu (WeirBlock *block, gpointer is_found_at_all)
{
  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), look_for_fmu, is_found_at_all);
  *(gboolean *) is_found_at_all |= weir_block_is_type (block, WEIR_TYPE_NAME_FMU);
  return !*(gboolean *) is_found_at_all;
}

gboolean
weir_model_has_foreign_programs (WeirModel *model)
{
  gboolean is_found_at_all = FALSE;

  weir_diagram_foreach_block (model->root, look_for_fmu, &is_found_at_all);
  return is_found_at_all;
}

gboolean
weir_foreign_program_trust (const WeirForeignProgram *self, gboolean for_good, GError **error)
{
  return for_good ? weir_fmu_trust_remember (self->checksum, self->name, error)
                  : weir_fmu_trust_add (self->checksum, error);
}

void
weir_foreign_program_allow_audits (void)
{
  weir_fmu_audit_allow ();
}

/* --- Ports ----------------------------------------------------------------------------------- */

/* The first problem of a file that cannot be read. */
static const char *
get_first_error (WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    if (weir_diagnostics_get (diagnostics, i)->severity == WEIR_SEVERITY_ERROR)
      return weir_diagnostics_get (diagnostics, i)->text;
  return weir_phrase (N_ ("it makes no sense"));
}

gboolean
weir_instance_list_fmu_ports (const WeirInstance *self, const char *folder, GArray **inputs,
                              GArray **outputs, WeirDiagnostics *diagnostics)
{
  const char *name = weir_arguments_get_text (self->arguments, "file");
  const WeirFmuSource *source = NULL;
  g_autoptr (GError) error = NULL;

  if (*name == '\0')
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU25", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("No FMU is chosen: say which by the parameter 'file'."));
  else if ((source = find_source (self, folder)) == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU25", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("There is no file \"%s\" beside the model."), name);
  else if (source->description == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU25", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("The FMU \"%s\" cannot be read: %s"), name,
                          get_first_error (source->diagnostics));
  if (source == NULL || source->description == NULL)
    return FALSE;
  source = weir_fmu_source_find_sized (
      source, weir_arguments_get_text (self->arguments, WEIR_FMU_STARTS), &error);
  if (source == NULL)
    {
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU30", self->path,
                            weir_instance_get_id (self), 0, weir_instance_get_line (self), "%s",
                            weir_error_get_text (error));
      return FALSE;
    }
  *inputs = g_array_ref (source->inputs);
  *outputs = g_array_ref (source->outputs);
  return TRUE;
}

/* --- Leaves ---------------------------------------------------------------------------------- */

/* Marks the block of an FMU that says what is not so. */
static void
note_verdict (const WeirInstance *self, const char *name, const WeirFmuDescription *description,
              const WeirFmuVerdict *verdict, WeirDiagnostics *diagnostics)
{
  g_autoptr (WeirMessage) text = verdict != NULL ? weir_fmu_verdict_describe (verdict, description)
                                                 : NULL;

  if (text != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "FMU27", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("\"%s\" is not as it declares, found by an audit at %u points: %s."),
                          name, verdict->n_points, weir_message_get_text (text));
}

static void
note_texts (const WeirInstance *self, const WeirFmuDescription *description,
            WeirDiagnostics *diagnostics)
{
  g_autofree char *texts = weir_fmu_description_dup_texts (description);

  if (texts != NULL)
    weir_diagnostics_add (
        diagnostics, WEIR_SEVERITY_HINT, "FMU28", self->path, weir_instance_get_id (self), 0,
        weir_instance_get_line (self),
        N_ ("No wire carries arrays of texts or bytes, nor clocked ones, so that these "
            "are no ports of a block: %s. Inputs among them keep what they start with."),
        texts);
}

/* What an FMU is made for is told where a start is beyond it; it is up to the FMU what then
 * happens. */
static void
note_limits (const WeirInstance *self, const WeirFmuDescription *d, const GArray *starts,
             WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < starts->len; i++)
    {
      const WeirFmuStart *start = &g_array_index (starts, WeirFmuStart, i);
      guint v = weir_fmu_description_find (d, start->variable);
      const WeirFmuTraits *traits = v != WEIR_FMU_NONE ? &d->variables[v].traits : NULL;

      for (guint k = 0; k < start->n_values && traits != NULL; k++)
        if (start->values[k] < traits->min || start->values[k] > traits->max)
          {
            weir_diagnostics_add (
                diagnostics, WEIR_SEVERITY_WARNING, "FMU29", self->path,
                weir_instance_get_id (self), 0, weir_instance_get_line (self),
                N_ ("\"%s\" starts with %g, beyond what the FMU is made for: from %g to %g."),
                start->variable, start->values[k],
                isnan (traits->min) ? (double) -INFINITY : traits->min,
                isnan (traits->max) ? (double) INFINITY : traits->max);
            break;
          }
    }
}

/* Elements that an array has here and not in the file, and for which the block gives nothing. */
static void
note_new_elements (const WeirInstance *self, const WeirFmuDescription *d, const GArray *starts,
                   WeirDiagnostics *diagnostics)
{
  const WeirFmuDescription *base = weir_fmu_description_get_base (d);

  for (guint v = 0; v < d->n_variables && base != d; v++)
    {
      const WeirFmuVariable *from = &base->variables[v], *to = &d->variables[v];
      gboolean is_given = to->size <= from->size || from->n_start <= 1
                          || to->causality == WEIR_FMU_OUTPUT;

      for (guint i = 0; i < starts->len && !is_given; i++)
        is_given = weir_fmu_description_find (d, g_array_index (starts, WeirFmuStart, i).variable)
                   == v;
      if (!is_given)
        weir_diagnostics_add (diagnostics, WEIR_SEVERITY_HINT, "FMU31", self->path,
                              weir_instance_get_id (self), 0, weir_instance_get_line (self),
                              N_ ("\"%s\" has %u elements here and %u in the file: those that the "
                                  "file has none for start with 0."),
                              to->name, (guint) to->size, (guint) from->size);
    }
}

WeirSystem *
weir_instance_build_fmu (const WeirInstance *self, const char *folder, WeirDiagnostics *diagnostics,
                         GError **error)
{
  const WeirFmuSource *source = find_source (self, folder);
  g_autoptr (WeirFmuVerdict) verdict = NULL;
  g_autoptr (GArray) starts = NULL;
  g_autofree char *name = g_path_get_basename (weir_arguments_get_text (self->arguments, "file"));
  gboolean is_unit = weir_fmu_source_is_unit (source, self->arguments);
  WeirFmuLeafOptions options = { .name = name, .instance = weir_fmu_default_options };

  if (source == NULL || source->description == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "The FMU \"%s\" is gone.", name);
      return NULL;
    }
  source = weir_fmu_source_find_sized (
      source, weir_arguments_get_text (self->arguments, WEIR_FMU_STARTS), error);
  if (source == NULL)
    return NULL;
  starts = weir_fmu_starts_read (weir_arguments_get_text (self->arguments, WEIR_FMU_STARTS),
                                 source->description, error);
  if (starts == NULL)
    return NULL;
  note_texts (self, source->description, diagnostics);
  note_limits (self, source->description, starts, diagnostics);
  note_new_elements (self, source->description, starts, diagnostics);
  options.archive = source->archive;
  options.checksum = weir_fmu_archive_get_checksum (source->archive);
  options.starts = (const WeirFmuStart *) (void *) starts->data;
  options.n_starts = starts->len;
  options.place = (int) weir_block_get_unit_number (self->block, "place");
  options.activity = weir_block_get_unit_activity (self->block);
  if (!weir_fmu_trust_has (options.checksum))
    {
      g_autofree char *path = weir_fmu_trust_dup_path ();

      weir_diagnostics_add (
          diagnostics, WEIR_SEVERITY_WARNING, WEIR_UNTRUSTED_CODE, self->path,
          weir_instance_get_id (self), 0, weir_instance_get_line (self),
          N_ ("\"%s\" holds a program, which is not run until you trust it: --trust %s does so for "
              "one run, that checksum on a line of %s for good."),
          name, options.checksum, path);
    }
  verdict = weir_fmu_verdict_find (weir_fmu_description_get_base (source->description),
                                   source->archive, name);
  options.verdict = verdict;
  if (!is_unit)
    note_verdict (self, name, source->description, verdict, diagnostics);
  if (is_unit)
    return weir_fmu_unit_new (source->description, &options,
                              (guint) weir_arguments_get_integer (self->arguments, "steps"), error);
  return weir_fmu_leaf_new (source->description, &options, error);
}
