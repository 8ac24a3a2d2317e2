/* When a checkpoint is due, and its file. See cli-private.h. */
#include "cli/cli-private.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "blocks/library/registry.h"
#include "model/completion/parameters.h"
#include "model/tree/fmu-parameters.h"

gboolean
weir_checkpoint_check (WeirCheckpoint *self)
{
  g_autofree double *number = NULL;
  guint size = 0;

  self->time = INFINITY;
  if (self->at == NULL)
    return TRUE;
  if (self->file == NULL)
    {
      weir_cli_complain ("--checkpoint-at tells when; --checkpoint names the file");
      return FALSE;
    }
  number = weir_value_parse (self->at, &size, NULL);
  if (number == NULL || size != 1 || !(number[0] >= 0) || !isfinite (number[0]))
    {
      weir_cli_complain ("--checkpoint-at: \"%s\" is not a number of at least 0", self->at);
      return FALSE;
    }
  self->time = number[0];
  return TRUE;
}

void
weir_checkpoint_clear (WeirCheckpoint *self)
{
  g_free (self->file);
  g_free (self->at);
  g_free (self->restore);
}

/* --- Values of parameters -------------------------------------------------------------------- */

#define N_TOLD 3 /* values that a message names */

/* A parameter that a run can take up, with the value that the model gives it. */
typedef struct {
  char *path;
  WeirNode node;
  WeirParameter parameter;
  guint size;
  double *value;
  gboolean is_set;
} Value;

static void
value_free (gpointer data)
{
  Value *self = data;

  g_free (self->path);
  g_free (self->value);
  g_free (self);
}

static Value *
value_new (WeirContext *context, const char *path, WeirNode node, WeirParameter parameter,
           guint size)
{
  Value *self = g_new0 (Value, 1);

  self->path = g_strdup (path);
  self->node = node;
  self->parameter = parameter;
  self->size = size;
  self->value = g_memdup2 (weir_context_get_parameter (context, node, parameter),
                           size * sizeof (double));
  return self;
}

/* Why a run that has begun cannot take up the parameter at @path; NULL: nothing is known against
 * it. */
static const char *
find_objection (WeirParameters *parameters, WeirModel *model, const char *path)
{
  guint element;
  const WeirParameterEntry *entry = weir_parameters_find (parameters, path, &element);
  const WeirBlock *block;

  if (entry == NULL || entry->role == WEIR_PARAMETER_TUNABLE)
    return NULL;
  block = weir_model_find_block (model, entry->block, NULL);
  if (entry->role == WEIR_PARAMETER_CONSTANT && block != NULL
      && weir_block_get_fmu_parameters (block) != NULL)
    {
      g_autofree char *owner = weir_model_dup_block_path (model, entry->block);

      return weir_block_is_fmu_structure (block, entry->path + strlen (owner) + 1)
                 ? "gives arrays their sizes, and the run that is continued keeps those it began "
                   "with"
                 : "is fixed: the FMU takes it at the start of a run alone";
    }
  return entry->role == WEIR_PARAMETER_INITIAL
             ? "is a value at the start, and the run that is continued has begun"
             : "shapes its block, and the run that is continued goes on with blocks as they are";
}

/* What --set names, as one of @values; those of equations are not among them yet. */
static gboolean
mark_set (GPtrArray *values, WeirParameters *parameters, WeirModel *model, WeirSimulator *simulator,
          const char *assignment, GError **error)
{
  WeirLayout *layout = weir_system_get_layout (weir_simulator_get_system (simulator));
  g_autofree char *path = g_strndup (assignment, strcspn (assignment, "="));
  const char *objection = find_objection (parameters, model, path);
  const char *name;
  WeirParameter parameter;
  WeirNode node;
  guint size;
  Value *value;

  for (guint i = 0; i < values->len && objection == NULL; i++)
    if (strcmp (((Value *) values->pdata[i])->path, path) == 0)
      {
        ((Value *) values->pdata[i])->is_set = TRUE;
        return TRUE;
      }
  if (objection == NULL
      && !(weir_layout_find_owner (layout, path, &node, &name)
           && weir_layout_find_parameter (layout, node, name, &parameter, &size)))
    objection = "is no parameter that a run can take up";
  if (objection != NULL)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID, "--set %s: it %s.", assignment,
                   objection);
      return FALSE;
    }
  value = value_new (weir_simulator_get_context (simulator), path, node, parameter, size);
  value->is_set = TRUE;
  g_ptr_array_add (values, value);
  return TRUE;
}

/* The values that the model gives, which the context has before it takes up the run. NULL and
 * @error where one of @set makes no sense for a run that has begun. (transfer full) */
static GPtrArray *
list_values (WeirSimulator *simulator, WeirModel *model, const char *const *set, GError **error)
{
  g_autoptr (WeirParameters)
      parameters = weir_parameters_new (model, weir_simulator_get_system (simulator));
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (value_free);
  WeirLayout *layout = weir_system_get_layout (weir_simulator_get_system (simulator));

  for (guint i = 0; i < weir_parameters_get_size (parameters); i++)
    {
      const WeirParameterEntry *entry = weir_parameters_get (parameters, i);

      if (entry->role == WEIR_PARAMETER_TUNABLE && entry->has_slot)
        g_ptr_array_add (
            values, value_new (weir_simulator_get_context (simulator), entry->path, entry->node,
                               entry->slot,
                               weir_layout_get_parameter_size (layout, entry->node, entry->slot)));
    }
  for (; set != NULL && *set != NULL; set++)
    if (!mark_set (values, parameters, model, simulator, *set, error))
      return NULL;
  return g_steal_pointer (&values);
}

/* Gives the run those that --set names, as one event, and tells which others the file
 * has changed. */
static void
apply_values (WeirSimulator *simulator, const GPtrArray *values)
{
  WeirContext *context = weir_simulator_get_context (simulator);
  g_autoptr (GString) kept = g_string_new (NULL);
  guint n_kept = 0;

  weir_context_begin_change (context);
  for (guint i = 0; i < values->len; i++)
    {
      const Value *value = values->pdata[i];
      const double *present = weir_context_get_parameter (context, value->node, value->parameter);

      if (memcmp (present, value->value, value->size * sizeof *present) == 0)
        continue;
      if (value->is_set)
        weir_context_set_parameter (context, value->node, value->parameter, value->value);
      else if (++n_kept <= N_TOLD)
        {
          g_autofree char *here = weir_value_to_string (present, value->size);
          g_autofree char *there = weir_value_to_string (value->value, value->size);

          g_string_append_printf (kept, "%s%s = %s (the file has %s)", n_kept > 1 ? ", " : "",
                                  value->path, here, there);
        }
    }
  weir_context_end_change (context);
  if (n_kept > N_TOLD)
    g_string_append_printf (kept, " and %u more", n_kept - N_TOLD);
  if (n_kept > 0)
    weir_cli_complain ("--restore: the run goes on with %s; --set gives it other values",
                       kept->str);
}

gboolean
weir_checkpoint_check_set (const WeirCheckpoint *self, WeirSimulator *simulator, WeirModel *model,
                           const char *const *set)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) values = NULL;

  if (self->restore == NULL)
    return TRUE;
  values = list_values (simulator, model, set, &error);
  if (values == NULL)
    weir_cli_complain ("%s", error->message);
  return values != NULL;
}

gboolean
weir_checkpoint_begin (const WeirCheckpoint *self, WeirSimulator *simulator, WeirModel *model,
                       const char *const *set, GError **error)
{
  g_autoptr (GPtrArray) values = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (self->restore == NULL)
    return weir_simulator_initialize (simulator, error);
  values = list_values (simulator, model, set, error);
  if (values == NULL)
    return FALSE;
  bytes = weir_file_read (self->restore, WEIR_FILE_CHECKPOINT, error);
  if (bytes == NULL)
    {
      g_prefix_error (error, "--restore: ");
      return FALSE;
    }
  if (weir_simulator_load (simulator, bytes, error))
    {
      apply_values (simulator, values);
      return TRUE;
    }
  g_prefix_error (error, "--restore %s: ", self->restore);
  return FALSE;
}

gboolean
weir_checkpoint_look (WeirCheckpoint *self, WeirSimulator *simulator, gboolean is_last,
                      GError **error)
{
  double time = weir_context_get_time (weir_simulator_get_context (simulator));
  g_autoptr (GBytes) bytes = NULL;

  if (self->file == NULL || self->is_written || !(is_last || time >= self->time))
    return TRUE;
  bytes = weir_simulator_save (simulator, error);
  self->is_written = TRUE;
  if (bytes != NULL && weir_file_write (self->file, bytes, 0666, error))
    return TRUE;
  g_prefix_error (error, "--checkpoint: ");
  return FALSE;
}
