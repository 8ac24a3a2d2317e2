/* Giving one parameter of a model another value, by its path: for command lines and studies. See
 * parameters.h.
 */
#include "model/completion/parameters.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "blocks/library/registry.h"
#include "equations/compile/equations.h"
#include "model/tree/fmu-parameters.h"
#include "model/tree/patch.h"

static WeirMessage *
list_parameters (const WeirBlockType *type)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < type->n_parameters; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", type->parameters[i].name);
  return names->len > 0 ? weir_message_new (N_ ("it has %s"), names->str)
                        : weir_message_new (N_ ("it has none"));
}

/* The text of equations of @block, at @path, with another @value for what the texts that it extends
 * declare. NULL if they declare no @name. */
static char *
assign_extended (WeirModel *model, const WeirBlock *block, const WeirBlockType *type,
                 const char *path, const char *name, const char *value)
{
  const char *text = weir_block_get_parameter (block, type->equations);
  g_auto (GStrv) extended = weir_equations_list_extended (text != NULL ? text : "");
  g_autofree char *whole = g_strdup_printf ("%s.%s", path, name);
  g_autoptr (WeirParameters) parameters = NULL;
  const WeirParameterEntry *entry;
  guint element;

  if (extended[0] == NULL)
    return NULL;
  parameters = weir_parameters_new (model, NULL);
  entry = weir_parameters_find (parameters, whole, &element);
  if (entry == NULL || element != G_MAXUINT)
    return NULL;
  if (entry->is_hidden)
    return weir_equations_override (text, name, value, FALSE);
  return entry->role != WEIR_PARAMETER_TUNABLE && entry->role != WEIR_PARAMETER_CONSTANT
             ? NULL
             : weir_equations_redeclare (text, name,
                                         entry->role == WEIR_PARAMETER_TUNABLE ? WEIR_ROLE_PARAMETER
                                                                               : WEIR_ROLE_CONSTANT,
                                         value);
}

/* Parameters of FMUs may have dots in their names: the block's path is what is before the first
 * that leads to an FMU. FALSE: there is none such. @is_done: whether it was given the value. */
static gboolean
assign_to_fmu (WeirPatch *patch, WeirModel *model, const char *parameter_path, const char *value,
               gboolean *is_done, GError **error)
{
  for (const char *dot = strchr (parameter_path, '.'); dot != NULL; dot = strchr (dot + 1, '.'))
    {
      g_autofree char *path = g_strndup (parameter_path, (gsize) (dot - parameter_path));
      WeirBlock *block = weir_model_find_path (model, path);
      const WeirParameterSpec *spec = block != NULL ? weir_block_find_fmu_parameter (block, dot + 1)
                                                    : NULL;
      g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (WeirBlock) changed = NULL;

      if (spec == NULL)
        continue;
      changed = weir_block_with_fmu_parameter (block, spec, value, error);
      *is_done = changed != NULL;
      weir_model_find_block (model, weir_block_get_id (block), place);
      if (*is_done)
        weir_patch_set_block (
            patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len }, changed);
      return TRUE;
    }
  return FALSE;
}

gboolean
weir_patch_assign (WeirPatch *patch, WeirModel *model, const char *parameter_path,
                   const char *value, GError **error)
{
  g_autofree char *path = g_strdup (parameter_path);
  char *dot = strrchr (path, '.');
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirBlock) changed = NULL;
  g_autofree char *text = NULL; /* what the block's parameter is to be */
  const char *parameter = NULL;
  const WeirParameterSpec *spec;
  const WeirBlockType *type;
  gboolean is_done;
  WeirBlock *block;

  if (assign_to_fmu (patch, model, parameter_path, value, &is_done, error))
    return is_done;
  if (dot == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "a block, a parameter and a value are needed, such as pendulum.length=2");
      return FALSE;
    }
  *dot = '\0';
  block = weir_model_find_path (model, path);
  if (block == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "the model has no block \"%s\"", path);
      return FALSE;
    }
  type = weir_registry_find (weir_block_get_type_name (block));
  if (type == NULL)
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "the type %s of %s is not known",
                      weir_block_get_type_name (block), path);
      return FALSE;
    }
  spec = weir_block_type_find_parameter (type, dot + 1);
  if (spec == NULL && type->assign != NULL && weir_block_get_arguments (block) != NULL)
    text = type->assign (weir_block_get_arguments (block), dot + 1, value, &parameter);
  if (spec == NULL && text == NULL && type->equations != NULL)
    {
      text = assign_extended (model, block, type, path, dot + 1, value);
      parameter = type->equations;
    }
  if (text != NULL)
    spec = weir_block_type_find_parameter (type, parameter);
  if (spec == NULL)
    {
      g_autoptr (WeirMessage) names = list_parameters (type);

      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "%s has no parameter \"%s\"; %s", path, dot + 1,
                      weir_message_get_text (names));
      return FALSE;
    }
  if (text == NULL)
    text = g_strdup (value);
  if (!weir_parameter_spec_is_expression (spec, text)
      && !weir_parameter_spec_check (spec, text, error))
    return FALSE;

  changed = weir_block_with_parameter (block, spec->name, text);
  weir_model_find_block (model, weir_block_get_id (block), place);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len },
                        changed);
  return TRUE;
}

WeirModel *
weir_model_assign (WeirModel *model, const char *parameter_path, const char *value, GError **error)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  return weir_patch_assign (patch, model, parameter_path, value, error)
             ? weir_model_apply (model, patch, NULL, error)
             : NULL;
}
