/* FMU blocks: their files, read once while they stay as they are, their ports and their leaves. No
 * binary in them is run by any of this (fmi/leaf.h).
 */
#include "model/completion/completion-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/status.h"
#include "base/sync.h"
#include "base/text.h"
#include "blocks/types/block-type.h"
#include "fmi/trust.h"
#include "fmi/unit.h"

/* A file as it was when it was read; kept for good, as ports borrow its names. */
typedef struct {
  gint64 time; /* us, of its last change */
  gint64 size;
  WeirFmuArchive *archive;
  WeirFmuDescription *description; /* NULL: it cannot be read, as the next says */
  WeirDiagnostics *diagnostics;
} Source;

static GMutex mutex;
static GHashTable *sources; /* by path: GPtrArray of Source, the newest last */

/* --- Files ----------------------------------------------------------------------------------- */

static Source *
source_new (const char *path, gint64 time, gint64 size)
{
  Source *self = g_new0 (Source, 1);
  g_autoptr (GError) error = NULL;

  self->time = time;
  self->size = size;
  self->diagnostics = weir_diagnostics_new ();
  self->archive = weir_fmu_archive_open (path, &error);
  if (self->archive == NULL)
    weir_diagnostics_add (self->diagnostics, WEIR_SEVERITY_ERROR, "FMU01", "", 0, 0, 0, "%s",
                          error->message);
  else
    self->description = weir_fmu_description_read (self->archive, self->diagnostics);
  return self;
}

static char *
dup_path (const char *name, const char *folder)
{
  return g_path_is_absolute (name) || folder == NULL ? g_strdup (name)
                                                     : g_build_filename (folder, name, NULL);
}

/* NULL: there is no file. (transfer none) */
static const Source *
find_source_of (const char *name, const char *folder)
{
  g_autofree char *path = dup_path (name, folder);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                  "," G_FILE_ATTRIBUTE_TIME_MODIFIED "," //
                                                  G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);
  GPtrArray *found;
  Source *source = NULL;
  gint64 time, size;

  if (info == NULL)
    return NULL;
  time = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
             * G_USEC_PER_SEC
         + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  size = g_file_info_get_size (info);
  weir_sync_lock (&mutex);
  if (sources == NULL)
    sources = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (sources, path);
  if (found == NULL)
    {
      found = g_ptr_array_new ();
      g_hash_table_insert (sources, g_strdup (path), found);
    }
  if (found->len > 0)
    source = g_ptr_array_index (found, found->len - 1);
  if (source == NULL || source->time != time || source->size != size)
    {
      source = source_new (path, time, size);
      g_ptr_array_add (found, source);
    }
  weir_sync_unlock (&mutex);
  return source;
}

static const Source *
find_source (const WeirInstance *self, const char *folder)
{
  return find_source_of (weir_arguments_get_text (self->arguments, "file"), folder);
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
  const Source *source;
  WeirForeignProgram *program;
  const char *checksum;

  if (weir_block_get_diagram (block) != NULL)
    weir_diagram_foreach_block (weir_block_get_diagram (block), look_for_programs, search);
  if (!weir_block_is_type (block, WEIR_TYPE_NAME_FMU) || file == NULL || *file == '\0')
    return TRUE;
  source = find_source_of (file, search->folder);
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

static GArray *
list_ports (const WeirFmuDescription *d, WeirFmuCausality causality)
{
  GArray *ports = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));

  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == causality && weir_fmu_leaf_has (d, &d->variables[v]))
      {
        WeirPortSpec port = { d->variables[v].name, (guint) d->variables[v].size, NULL };

        g_array_append_val (ports, port);
      }
  return ports;
}

/* The first problem of a file that cannot be read. */
static const char *
get_first_error (WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    if (weir_diagnostics_get (diagnostics, i)->severity == WEIR_SEVERITY_ERROR)
      return weir_diagnostics_get (diagnostics, i)->text;
  return "it makes no sense";
}

gboolean
weir_instance_list_fmu_ports (const WeirInstance *self, const char *folder, GArray **inputs,
                              GArray **outputs, WeirDiagnostics *diagnostics)
{
  const char *name = weir_arguments_get_text (self->arguments, "file");
  const Source *source = NULL;

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
  *inputs = list_ports (source->description, WEIR_FMU_INPUT);
  *outputs = list_ports (source->description, WEIR_FMU_OUTPUT);
  return TRUE;
}

/* --- Leaves ---------------------------------------------------------------------------------- */

static void
start_clear (gpointer data)
{
  WeirFmuStart *start = data;

  g_free ((char *) start->variable);
  g_free ((double *) start->values);
}

/* "mass = 2; x = [1, 2]", in lines or parted by semicolons. (transfer full), of WeirFmuStart. */
static GArray *
parse_starts (const char *text, GError **error)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (WeirFmuStart));
  g_auto (GStrv) parts = g_strsplit_set (text, ";\n", -1);

  g_array_set_clear_func (starts, start_clear);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      WeirFmuStart start = { 0 };
      char *equals;

      if (*g_strstrip (parts[i]) == '\0')
        continue;
      equals = strrchr (parts[i], '=');
      if (equals == NULL)
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       "\"%s\" gives no value at the start: write it as \"mass = 2\".", parts[i]);
          return NULL;
        }
      *equals = '\0';
      start.values = weir_value_parse (g_strstrip (equals + 1), &start.n_values, error);
      if (start.values == NULL)
        return NULL;
      start.variable = g_strdup (g_strstrip (parts[i]));
      g_array_append_val (starts, start);
    }
  return g_steal_pointer (&starts);
}

/* By the block's setting, and what the file offers. */
static gboolean
is_unit (const WeirInstance *self, const WeirFmuDescription *d)
{
  enum { AUTO, EXCHANGE, CO_SIMULATION };
  guint mode = weir_arguments_get_choice (self->arguments, "mode");

  return mode == CO_SIMULATION || (mode == AUTO && !d->modes[WEIR_FMU_MODEL_EXCHANGE].is_offered);
}

/* Marks the block of an FMU that says what is not so. */
static void
note_verdict (const WeirInstance *self, const char *name, const WeirFmuDescription *description,
              const WeirFmuVerdict *verdict, WeirDiagnostics *diagnostics)
{
  g_autofree char *text = verdict != NULL ? weir_fmu_verdict_dup_text (verdict, description) : NULL;

  if (text != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "FMU27", self->path,
                          weir_instance_get_id (self), 0, weir_instance_get_line (self),
                          N_ ("\"%s\" is not as it declares, found by an audit at %u points: %s."),
                          name, verdict->n_points, text);
}

WeirSystem *
weir_instance_build_fmu (const WeirInstance *self, const char *folder, WeirDiagnostics *diagnostics,
                         GError **error)
{
  const Source *source = find_source (self, folder);
  g_autoptr (WeirFmuVerdict) verdict = NULL;
  g_autoptr (GArray) starts = NULL;
  g_autofree char *name = g_path_get_basename (weir_arguments_get_text (self->arguments, "file"));
  WeirFmuLeafOptions options = { .name = name, .instance = weir_fmu_default_options };

  if (source == NULL || source->description == NULL)
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FILE, "The FMU \"%s\" is gone.", name);
      return NULL;
    }
  starts = parse_starts (weir_arguments_get_text (self->arguments, "start"), error);
  if (starts == NULL)
    return NULL;
  options.archive = source->archive;
  options.checksum = weir_fmu_archive_get_checksum (source->archive);
  options.starts = (const WeirFmuStart *) (void *) starts->data;
  options.n_starts = starts->len;
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
  if (is_unit (self, source->description))
    return weir_fmu_unit_new (source->description, &options,
                              (guint) weir_arguments_get_integer (self->arguments, "steps"), error);
  verdict = weir_fmu_verdict_find (source->description, source->archive, name);
  options.verdict = verdict;
  note_verdict (self, name, source->description, verdict, diagnostics);
  return weir_fmu_leaf_new (source->description, &options, error);
}
