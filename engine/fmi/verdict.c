/* Verdicts of audits, kept by checksum. See audit.h.
 *
 * A file of the user's own folder; one that makes no sense counts for nothing, and is made anew.
 */
#include <gio/gio.h>
#include <string.h>

#include "base/file.h"
#include "base/phrase.h"
#include "base/status.h"
#include "base/sync.h"
#include "base/text.h"
#include "fmi/audit.h"
#include "fmi/trust.h"

#define GROUP "verdict"
#define VERSION 2 /* what is looked at; another is audited anew */
#define MAX_EDGES (1 << 20)

static GMutex mutex;
static gboolean is_allowed;
static GHashTable *verdicts; /* by checksum: WeirFmuVerdict, of this process */

static WeirFmuVerdict *
verdict_ref (WeirFmuVerdict *self)
{
  g_atomic_int_inc (&self->n_refs);
  return self;
}

/* --- In words -------------------------------------------------------------------------------- */

/* One sentence after the other. Both are taken over; @first: NULL: there is none yet. */
static WeirMessage *
add_sentence (WeirMessage *first, WeirMessage *second)
{
  return first != NULL ? weir_message_join (first, "; ", second) : second;
}

static WeirMessage *
add_edges (WeirMessage *text, const WeirFmuVerdict *self, const WeirFmuDescription *d)
{
  for (guint i = 0; i < self->n_edges; i++)
    {
      guint known = self->edges[i].known;

      text = add_sentence (text,
                           weir_message_new (N_ ("%s depends on %s, which the file does not say"),
                                             d->variables[self->edges[i].unknown].name,
                                             known == WEIR_FMU_NONE ? weir_phrase (N_ ("time"))
                                                                    : d->variables[known].name));
      if (i == 3 && self->n_edges > 5)
        return add_sentence (text, weir_message_new (N_ ("so do %u more"), self->n_edges - 4));
    }
  return text;
}

WeirMessage *
weir_fmu_verdict_describe (const WeirFmuVerdict *self, const WeirFmuDescription *description)
{
  WeirMessage *text = NULL;

  if (!self->repeats)
    text = weir_message_new (N_ ("the same time, states and inputs give other values when they are "
                                 "set again, so that nothing of it is cached"));
  else if (!self->ignores_order)
    text = weir_message_new (N_ ("values differ by the order in which they are asked for, so that "
                                 "nothing of it is cached"));
  text = add_edges (text, self, description);
  if (!self->restores)
    text = add_sentence (text, weir_message_new (N_ ("its saved state does not bring back what it "
                                                     "was, and is not used")));
  return text;
}

/* --- Files ----------------------------------------------------------------------------------- */

static char *
dup_path (const char *checksum)
{
  return g_build_filename (g_get_user_state_dir (), "weir", "fmu-verdicts", checksum, NULL);
}

static void
save (const WeirFmuVerdict *self, const char *checksum)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = dup_path (checksum), *folder = g_path_get_dirname (path);
  g_autofree int *edges = g_new (int, 2 * self->n_edges + 1);
  g_autoptr (GBytes) bytes = NULL;
  gsize size;
  char *text;

  for (guint i = 0; i < self->n_edges; i++)
    {
      edges[2 * i] = (int) self->edges[i].unknown;
      edges[2 * i + 1] = self->edges[i].known == WEIR_FMU_NONE ? -1 : (int) self->edges[i].known;
    }
  g_key_file_set_integer (file, GROUP, "version", VERSION);
  g_key_file_set_integer (file, GROUP, "points", (int) self->n_points);
  g_key_file_set_boolean (file, GROUP, "repeats", self->repeats);
  g_key_file_set_boolean (file, GROUP, "ignores-order", self->ignores_order);
  g_key_file_set_boolean (file, GROUP, "restores", self->restores);
  g_key_file_set_boolean (file, GROUP, "repeats-steps", self->repeats_steps);
  g_key_file_set_integer_list (file, GROUP, "edges", edges, 2 * self->n_edges);
  text = g_key_file_to_data (file, &size, NULL);
  bytes = g_bytes_new_take (text, size);
  /* One that cannot be kept is made again. */
  if (g_mkdir_with_parents (folder, 0700) == 0)
    weir_file_write (path, bytes, 0600, NULL);
}

static gboolean
take_edges (WeirFmuVerdict *self, const WeirFmuDescription *d, GKeyFile *file)
{
  gsize n = 0;
  g_autofree int *numbers = g_key_file_get_integer_list (file, GROUP, "edges", &n, NULL);
  WeirFmuEdge *edges = g_new0 (WeirFmuEdge, n / 2 + 1);

  self->edges = edges;
  if (n % 2 != 0 || n > MAX_EDGES)
    return FALSE;
  for (gsize i = 0; i < n / 2; i++)
    {
      int unknown = numbers[2 * i], variable = numbers[2 * i + 1];

      if (unknown < 0 || (guint) unknown >= d->n_variables || variable < -1
          || (variable >= 0 && (guint) variable >= d->n_variables))
        return FALSE;
      edges[self->n_edges++] = (WeirFmuEdge) { (guint) unknown,
                                               variable < 0 ? WEIR_FMU_NONE : (guint) variable };
    }
  return TRUE;
}

static WeirFmuVerdict *
load (const WeirFmuDescription *d, const char *checksum)
{
  g_autofree char *path = dup_path (checksum);
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_TRUST, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (WeirFmuVerdict) self = weir_fmu_verdict_new ();

  if (bytes == NULL || !g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, NULL)
      || g_key_file_get_integer (file, GROUP, "version", NULL) != VERSION)
    return NULL;
  self->n_points = (guint) g_key_file_get_integer (file, GROUP, "points", NULL);
  self->repeats = g_key_file_get_boolean (file, GROUP, "repeats", NULL);
  self->ignores_order = g_key_file_get_boolean (file, GROUP, "ignores-order", NULL);
  self->restores = g_key_file_get_boolean (file, GROUP, "restores", NULL);
  self->repeats_steps = g_key_file_get_boolean (file, GROUP, "repeats-steps", NULL);
  return take_edges (self, d, file) ? g_steal_pointer (&self) : NULL;
}

/* --- Found ----------------------------------------------------------------------------------- */

void
weir_fmu_audit_allow (void)
{
  weir_sync_lock (&mutex);
  is_allowed = TRUE;
  weir_sync_unlock (&mutex);
}

/* One at a time: who comes second finds what the first has made. */
WeirFmuVerdict *
weir_fmu_verdict_find (const WeirFmuDescription *description, WeirFmuArchive *archive,
                       const char *name)
{
  const char *checksum = weir_fmu_archive_get_checksum (archive);
  WeirFmuVerdict *verdict;

  weir_sync_lock (&mutex);
  if (verdicts == NULL)
    verdicts = g_hash_table_new (g_str_hash, g_str_equal);
  verdict = g_hash_table_lookup (verdicts, checksum);
  if (verdict == NULL)
    verdict = load (description, checksum);
  if (verdict == NULL && is_allowed && weir_fmu_trust_has (checksum))
    {
      g_autofree char *folder = weir_fmu_trust_unpack (archive, name, NULL);

      verdict = folder != NULL ? weir_fmu_audit (description, folder, name, NULL, 0, NULL) : NULL;
      if (verdict != NULL)
        save (verdict, checksum);
    }
  if (verdict != NULL && !g_hash_table_contains (verdicts, checksum))
    g_hash_table_insert (verdicts, g_strdup (checksum), verdict);
  verdict = verdict != NULL ? verdict_ref (verdict) : NULL;
  weir_sync_unlock (&mutex);
  return verdict;
}
