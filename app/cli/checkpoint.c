/* When a checkpoint is due, and its file. See checkpoint.h. */
#include "cli/checkpoint.h"

#include <math.h>

#include "blocks/registry.h"
#include "cli/cli-private.h"

gboolean
weir_checkpoint_check (WeirCheckpoint *self, gboolean has_set)
{
  g_autofree double *number = NULL;
  guint size = 0;

  self->time = INFINITY;
  if (self->restore != NULL && has_set)
    {
      weir_cli_complain ("--set changes how a run begins; the run in --restore %s has begun, with its own "
                         "values", self->restore);
      return FALSE;
    }
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

gboolean
weir_checkpoint_begin (const WeirCheckpoint *self, WeirSimulator *simulator, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (self->restore == NULL)
    return weir_simulator_initialize (simulator, error);
  file = g_mapped_file_new (self->restore, FALSE, error);
  if (file == NULL)
    {
      g_prefix_error (error, "--restore: ");
      return FALSE;
    }
  bytes = g_mapped_file_get_bytes (file);
  if (weir_simulator_load (simulator, bytes, error))
    return TRUE;
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
  if (bytes != NULL
      && g_file_set_contents (self->file, g_bytes_get_data (bytes, NULL),
                              (gssize) g_bytes_get_size (bytes), error))
    return TRUE;
  g_prefix_error (error, "--checkpoint %s: ", self->file);
  return FALSE;
}
