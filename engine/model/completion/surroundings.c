/* What the texts of a block find around it: texts of other blocks that they extend, and names with
 * values.
 *
 * A block that is extended is looked for by its path, first in the diagram that holds the block,
 * then in the one around that, and so on. It may be commented out: a text that is only there to be
 * extended. Names are those of the Subsystems that hold the block, inside out, then of the model.
 */
#include "model/completion/completion-private.h"
#include "base/phrase.h"
#include "base/text.h"

#include <string.h>

#define EXTENDED "equations" /* the parameter whose texts extend each other */

/* --- Texts ----------------------------------------------------------------------------------- */

/* The diagrams around a block, inside out, and the path of each. */
static WeirDiagram *
get_outer_diagram (const WeirInstance *holder, const WeirModel *model)
{
  return holder->block != NULL ? holder->block->diagram : model->root;
}

static const WeirBlock *
find_path (WeirDiagram *diagram, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  const WeirBlock *block = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      block = diagram != NULL ? weir_diagram_find_block_by_name (diagram, parts[i]) : NULL;
      if (block == NULL)
        return NULL;
      diagram = block->diagram;
    }
  return block;
}

typedef struct {
  const WeirInstance *self;
  const WeirModel *model;
  WeirSurroundings *around;
  const char *name; /* as the block's own text has it */
  GPtrArray *open;  /* of WeirBlock: those being extended, outermost first */
  GPtrArray *done;  /* of WeirBlock */
} Extending;

/* What extends what, back to the block that was met again. */
static WeirMessage *
describe_cycle (const Extending *extending, const WeirBlock *again)
{
  g_autoptr (GString) cycle = g_string_new (NULL);
  guint first = 0;

  while (g_ptr_array_index (extending->open, first) != again)
    first++;
  for (guint i = first; i < extending->open->len; i++)
    g_string_append_printf (cycle, "%s -> ", ((const WeirBlock *) extending->open->pdata[i])->name);
  g_string_append (cycle, again->name);
  return weir_message_new (N_ ("they extend each other in a cycle: %s."), cycle->str);
}

/* The block that @name means, seen from the one extended last. NULL after reporting. */
static const WeirBlock *
find_extended (Extending *extending, const char *name, char **path)
{
  const WeirBlock *found = NULL;
  const WeirInstance *holder = extending->self->parent;
  const char *around = extending->self->parent != NULL ? extending->self->parent->path : "";
  WeirMessage *problem = NULL;

  for (; holder != NULL && found == NULL; holder = holder->parent)
    {
      found = find_path (get_outer_diagram (holder, extending->model), name);
      if (found != NULL)
        *path = holder->path[0] != '\0' ? g_strconcat (holder->path, ".", name, NULL)
                                        : g_strdup (name);
    }
  if (found == NULL)
    problem = around[0] != '\0'
                  ? weir_message_new (N_ ("there is no block '%s' in %s, nor around it."), name,
                                      around)
                  : weir_message_new (N_ ("there is no block '%s' in the model."), name);
  else if (!weir_block_is_type (found, extending->self->type->name))
    problem = weir_message_new (
        N_ ("that is a block of type %s; only blocks of type %s have equations to extend."),
        weir_block_get_type_name (found), extending->self->type->name);
  else if (g_ptr_array_find (extending->open, found, NULL))
    problem = describe_cycle (extending, found);
  if (problem == NULL)
    return found;
  g_clear_pointer (path, g_free);
  weir_surroundings_add_problem (extending->around, extending->name, problem);
  return NULL;
}

/* The texts that @block extends, each after those that it extends itself. No text is met twice,
 * which bounds the recursion by the number of blocks. */
static void
add_texts (Extending *extending, const WeirBlock *block)
{
  const WeirArguments *arguments = weir_block_get_arguments (block);
  g_auto (GStrv) names = arguments != NULL ? extending->self->type->list_extended (arguments)
                                           : NULL;

  g_ptr_array_add (extending->open, (gpointer) block);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *path = NULL;
      const WeirBlock *found;

      if (extending->open->len == 1)
        extending->name = names[i];
      found = find_extended (extending, names[i], &path);
      if (found == NULL || g_ptr_array_find (extending->done, found, NULL))
        continue;
      add_texts (extending, found);
      g_ptr_array_add (extending->done, (gpointer) found);
      if (weir_block_get_arguments (found) != NULL)
        weir_surroundings_add_text (
            extending->around, path,
            weir_arguments_get_text (weir_block_get_arguments (found), EXTENDED));
    }
  g_ptr_array_set_size (extending->open, (int) extending->open->len - 1);
}

/* --- Names ----------------------------------------------------------------------------------- */

static void
add_name (WeirSurroundings *around, const WeirInstance *self, WeirBindings *bindings,
          const char *name)
{
  const WeirBinding *meant = weir_bindings_find_outside (bindings, self, name);
  g_autofree char *unit = NULL;

  if (meant == NULL)
    {
      const char *alike = weir_bindings_find_alike (bindings, self, name);

      if (alike != NULL)
        weir_surroundings_add_alike (around, name, alike);
      return;
    }
  if (meant->has_unit)
    unit = weir_unit_to_string (&meant->unit);
  else if (meant->spec != NULL)
    unit = g_strdup (meant->spec->unit);
  weir_surroundings_add (around,
                         (WeirGiven) { name, meant->path, meant->value, meant->size, unit });
}

/* --- Both ------------------------------------------------------------------------------------ */

static WeirSurroundings *
find_texts (const WeirInstance *self, const WeirModel *model)
{
  WeirSurroundings *around = weir_surroundings_new (weir_bindings_describe_scopes (self));
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GPtrArray) done = g_ptr_array_new ();

  if (self->type->list_extended != NULL)
    add_texts (&(Extending) { self, model, around, NULL, open, done }, self->block);
  return around;
}

void
weir_instance_look_around (WeirInstance *self, WeirBindings *bindings)
{
  const WeirArguments *own = self->arguments;
  const WeirModel *model = weir_bindings_get_model (bindings);
  g_autoptr (WeirSurroundings) around = NULL;
  g_autoptr (WeirArguments) looked = NULL;
  g_autoptr (WeirArguments) before = NULL;
  g_auto (GStrv) extended = self->type->list_extended != NULL ? self->type->list_extended (own)
                                                              : NULL;
  g_auto (GStrv) names = NULL;
  gboolean extends = extended != NULL && extended[0] != NULL;

  if (extends)
    {
      around = find_texts (self, model);
      looked = weir_arguments_new_within (own, around);
    }
  names = self->type->list_free_names (extends ? looked : own);
  if (names[0] != NULL)
    {
      g_clear_pointer (&around, weir_surroundings_unref);
      g_clear_pointer (&looked, weir_arguments_free);
      around = find_texts (self, model);
      for (guint i = 0; names[i] != NULL; i++)
        add_name (around, self, bindings, names[i]);
      looked = weir_arguments_new_within (own, around);
    }
  if (looked == NULL)
    return;
  before = g_steal_pointer (&self->evaluated);
  self->evaluated = g_steal_pointer (&looked);
  self->arguments = self->evaluated;
  /* What is derived is made while the arguments before are sure to live. */
  g_array_unref (weir_arguments_list_outputs (self->arguments));
}
