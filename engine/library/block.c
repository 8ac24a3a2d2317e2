/* Blocks of the library by their names. See block.h. */
#include "library/block.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "blocks/library/registry.h"

guint
weir_library_get_n_blocks (void)
{
  return weir_registry_get_n_types ();
}

const char *
weir_library_get_block_name (guint i)
{
  g_return_val_if_fail (i < weir_registry_get_n_types (), NULL);
  return weir_registry_get_type (i)->name;
}

static const char *
find_text (const char *parameter, gpointer data)
{
  const char *const *parameters = data;

  for (guint i = 0; parameters != NULL && parameters[i] != NULL; i += 2)
    if (strcmp (parameters[i], parameter) == 0)
      return parameters[i + 1];
  return NULL;
}

/* Every name has a text and is one of the type's. */
static gboolean
check_parameters (const WeirBlockType *type, const char *const *parameters, GError **error)
{
  for (guint i = 0; parameters != NULL && parameters[i] != NULL; i += 2)
    if (weir_block_type_find_parameter (type, parameters[i]) == NULL)
      {
        weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                        "%s has no parameter “%s”; `weir blocks %s` lists them", type->name,
                        parameters[i], type->name);
        return FALSE;
      }
    else if (parameters[i + 1] == NULL)
      {
        weir_error_set (error, WEIR_ERROR_INVALID,
                        "%s: parameter “%s” is named last, but no text follows", type->name,
                        parameters[i]);
        return FALSE;
      }
  return TRUE;
}

WeirSystem *
weir_library_block_new (const char *type, const char *const *parameters, const guint *input_sizes,
                        GError **error)
{
  const WeirBlockType *found = weir_registry_find (type);
  g_autoptr (WeirArguments) arguments = NULL;
  g_autoptr (GArray) inputs = NULL;
  g_autofree guint *sizes = NULL;

  if (found == NULL || (found->build == NULL && found->build_beside == NULL))
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND,
                      found == NULL
                          ? N_ ("there is no type of block called “%s”; `weir blocks` lists them")
                          : N_ ("%s is no block by itself: it shapes a model file"),
                      type);
      return NULL;
    }
  if (!check_parameters (found, parameters, error))
    return NULL;
  arguments = weir_arguments_new (found, find_text, (gpointer) parameters, error);
  if (arguments == NULL)
    return NULL;
  if (weir_arguments_has_expressions (arguments))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "%s: a parameter is an expression, which only a model file can evaluate; "
                      "give its value",
                      found->name);
      return NULL;
    }
  inputs = weir_arguments_list_inputs (arguments);
  sizes = g_new (guint, inputs->len + 1);
  for (guint i = 0; i < inputs->len; i++)
    {
      guint own = g_array_index (inputs, WeirPortSpec, i).size;

      sizes[i] = input_sizes != NULL ? input_sizes[i] : MAX (own, 1);
      if (sizes[i] == 0 || (own != 0 && sizes[i] != own))
        {
          weir_error_set (
              error, WEIR_ERROR_MISMATCH,
              own != 0 ? N_ ("%s: input “%s” would have size %u, but must have size %u")
                       : N_ ("%s: input “%s” would have size %u, but must have %u or more"),
              found->name, g_array_index (inputs, WeirPortSpec, i).name, sizes[i], MAX (own, 1));
          return NULL;
        }
    }
  if (found->build_beside != NULL)
    {
      g_autoptr (WeirMessage) note = NULL;

      return found->build_beside (arguments, sizes, NULL, &note, error);
    }
  return found->build (arguments, sizes, error);
}
