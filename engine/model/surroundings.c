/* Names that the texts of a block take from around it: of the Subsystems that hold it, inside out, then of
 * the model. */
#include "model/bindings-private.h"

typedef struct {
  const WeirInstance *instance;
  char *started; /* the text of equations with what outer levels give at the start, or NULL */
} Texts;

static const char *
get_text (const char *parameter, gpointer data)
{
  const Texts *texts = data;

  if (texts->started != NULL && g_strcmp0 (parameter, texts->instance->type->equations) == 0)
    return texts->started;
  return weir_block_get_parameter (texts->instance->block, parameter);
}

void
weir_instance_look_around (WeirInstance *self, WeirBindings *bindings)
{
  g_auto (GStrv) names = self->type->list_free_names (self->arguments);
  g_autofree char *scopes = NULL;
  g_autoptr (WeirSurroundings) around = NULL;
  g_autoptr (WeirArguments) before = NULL;
  Texts texts = { self, NULL };

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
  if (self->type->equations != NULL)
    texts.started = weir_instance_dup_start_text (
        self, self->type->equations, weir_block_get_parameter (self->block, self->type->equations));
  before = g_steal_pointer (&self->evaluated);
  self->evaluated = weir_arguments_new (self->type, get_text, &texts, NULL);
  g_free (texts.started);
  weir_arguments_set_surroundings (self->evaluated, around, self->arguments);
  self->arguments = self->evaluated;
  /* What is derived is made while the block's own arguments are sure to live. */
  g_array_unref (weir_arguments_list_outputs (self->arguments));
}
