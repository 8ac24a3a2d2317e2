/* Parameters of the FMU that a block names. See fmu-parameters.h. */
#include "model/tree/fmu-parameters.h"

#include "model/tree/fmu-files.h"
#include "model/tree/fmu-starts.h"
#include "model/tree/model-private.h"

static const WeirFmuSource *
get_source (const WeirBlock *block)
{
  const WeirFmuSource *source = g_atomic_pointer_get (&block->content->file);

  return source != NULL && source->description != NULL ? source : NULL;
}

const GArray *
weir_block_get_fmu_parameters (const WeirBlock *self)
{
  const WeirFmuSource *source = get_source (self);

  return source != NULL ? source->parameters : NULL;
}

const WeirParameterSpec *
weir_block_find_fmu_parameter (const WeirBlock *self, const char *name)
{
  const GArray *parameters = weir_block_get_fmu_parameters (self);

  for (guint i = 0; parameters != NULL && i < parameters->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (parameters, WeirParameterSpec, i);

      if (g_str_equal (spec->name, name))
        return spec;
    }
  return NULL;
}

gboolean
weir_block_is_fmu_structure (const WeirBlock *self, const char *name)
{
  const WeirFmuSource *source = get_source (self);
  guint v = source != NULL ? weir_fmu_description_find (source->description, name) : WEIR_FMU_NONE;

  return v != WEIR_FMU_NONE
         && source->description->variables[v].causality == WEIR_FMU_STRUCTURAL_PARAMETER;
}

static const char *
get_starts (const WeirBlock *block)
{
  const char *text = weir_block_get_parameter (block, WEIR_FMU_STARTS);

  return text != NULL ? text : "";
}

char *
weir_block_dup_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec)
{
  const WeirFmuSource *source = get_source (self);

  return source != NULL ? weir_fmu_starts_dup (get_starts (self), source->description, spec)
                        : g_strdup (spec->default_text);
}

double *
weir_block_dup_fmu_value (const WeirBlock *self, const WeirParameterSpec *spec, guint *size)
{
  const WeirFmuSource *source = get_source (self);

  return source != NULL
             ? weir_fmu_starts_dup_numbers (get_starts (self), source->description, spec, size)
             : NULL;
}

gboolean
weir_block_is_fmu_tuned (const WeirBlock *self, const char *before, const char *after)
{
  const WeirFmuSource *source = get_source (self);

  return source != NULL
         && weir_fmu_starts_equal_but_tuned (before, after, source->description,
                                             source->parameters);
}

WeirBlock *
weir_block_with_fmu_parameter (const WeirBlock *self, const WeirParameterSpec *spec,
                               const char *value, GError **error)
{
  const WeirFmuSource *source = get_source (self);
  g_autofree char *changed = NULL;

  g_return_val_if_fail (source != NULL, NULL);

  changed = weir_fmu_starts_change (get_starts (self), source->description, spec, value, error);
  if (changed == NULL)
    return NULL;
  return weir_block_with_parameter (self, WEIR_FMU_STARTS, *changed != '\0' ? changed : NULL);
}

/* --- What its maker says of it ---------------------------------------------------------------- */

gboolean
weir_block_has_fmu_pages (const WeirBlock *self)
{
  const WeirFmuSource *source = get_source (self);

  return source != NULL && source->archive != NULL
         && weir_fmu_archive_find (source->archive, WEIR_FMU_FIRST_PAGE, NULL);
}

char *
weir_block_unpack_fmu_pages (const WeirBlock *self, GError **error)
{
  const WeirFmuSource *source = get_source (self);
  g_autofree char *folder = NULL;

  g_return_val_if_fail (weir_block_has_fmu_pages (self), NULL);

  folder = weir_fmu_archive_unpack_part (source->archive, WEIR_FMU_PAGES, error);
  return folder != NULL ? g_build_filename (folder, WEIR_FMU_FIRST_PAGE, NULL) : NULL;
}
