/* Names that the texts of a block take from around it: of the Subsystems that hold it, inside out, then of
 * the model. */
#include "model/bindings-private.h"

static const char *
get_text (const char *parameter, gpointer data)
{
  return weir_block_get_parameter (data, parameter);
}

void
weir_instance_look_around (WeirInstance *self, WeirBindings *bindings)
{
  g_auto (GStrv) names = self->type->list_free_names (self->arguments);
  g_autofree char *scopes = NULL;
  g_autoptr (WeirSurroundings) around = NULL;

  if (names[0] == NULL)
    return;
  scopes = weir_bindings_dup_scopes (self);
  around = weir_surroundings_new (scopes);
  for (guint i = 0; names[i] != NULL; i++)
    {
      const WeirBinding *meant = weir_bindings_find_outside (bindings, self, names[i]);
      g_autofree char *unit = NULL;

      if (meant == NULL)
        continue;
      unit = meant->has_unit                                      ? weir_unit_to_string (&meant->unit)
             : meant->spec != NULL && meant->spec->unit != NULL ? g_strdup (meant->spec->unit)
                                                                  : NULL;
      weir_surroundings_add (around, (WeirGiven) { names[i], meant->path, meant->value, meant->size, unit });
    }
  self->evaluated = weir_arguments_new (self->type, get_text, (gpointer) self->block, NULL);
  weir_arguments_set_surroundings (self->evaluated, around, self->arguments);
  self->arguments = self->evaluated;
  /* What is derived is made while the block's own arguments are sure to live. */
  g_array_unref (weir_arguments_list_outputs (self->arguments));
}
