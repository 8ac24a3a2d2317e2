/* Slots, their lock and what is found without one. See recovery.h.
 *
 * Files in the folder: SESSION.lock, held by one process from its first slot to its end, and
 * SESSION-N.weir for its slots. Writes of one slot follow each other under its mutex; each carries
 * a serial number, and one that is no longer the newest when its turn comes writes nothing.
 */
#include "model/files/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sync.h"
#include "model/files/xml.h"
#include "model/tree/file-names.h"

#define ORIGIN "<!-- unsaved changes of "
#define ORIGIN_END " -->"

struct _WeirRecoverySlot {
  gatomicrefcount ref_count;
  char *path;
  GMutex mutex;    /* for what follows and for the file */
  guint64 serial;  /* of the newest write or removal */
  gboolean failed; /* and that was told */
};

/* --- The folder ------------------------------------------------------------------------------ */

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "weir", "recovery", NULL);
}

/* The descriptor of a file that nobody else has locked, or -1. */
static int
lock_file (const char *path, int flags)
{
  int fd = g_open (path, flags | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

/* The name that this process's slots begin with. Locked before the first of them exists. */
static const char *
get_session (void)
{
  static char *session;

  if (session == NULL)
    {
      g_autofree char *folder = dup_folder (), *unique = g_uuid_string_random (), *path = NULL;

      session = g_build_filename (folder, unique, NULL);
      path = g_strconcat (session, ".lock", NULL);
      if (g_mkdir_with_parents (folder, 0700) != 0 || lock_file (path, O_CREAT) < 0)
        g_message ("%s: unsaved changes cannot be kept for recovery: %s", folder,
                   g_strerror (errno));
    }
  return session;
}

void
weir_recovery_free (WeirRecovery *self)
{
  g_object_unref (self->kept);
  g_clear_object (&self->origin);
  g_clear_pointer (&self->time, g_date_time_unref);
  g_free (self);
}

WeirRecovery *
weir_recovery_copy (const WeirRecovery *self)
{
  WeirRecovery *copy = g_new0 (WeirRecovery, 1);

  copy->kept = g_object_ref (self->kept);
  g_set_object (&copy->origin, self->origin);
  copy->time = self->time != NULL ? g_date_time_ref (self->time) : NULL;
  return copy;
}

void
weir_recovery_discard (WeirRecovery *self)
{
  g_file_delete (self->kept, NULL, NULL);
}

/* What the comment at the end of a slot's file names. (transfer full) */
static GFile *
find_origin (const char *text, gsize size)
{
  const char *start = g_strrstr_len (text, (gssize) size, ORIGIN);
  const char *end = start == NULL
                        ? NULL
                        : g_strstr_len (start, (gssize) size - (start - text), ORIGIN_END);
  g_autofree char *uri = NULL;

  if (end == NULL)
    return NULL;
  start += strlen (ORIGIN);
  uri = g_strndup (start, (gsize) (end - start));
  return uri[0] != '\0' ? g_file_new_for_uri (uri) : NULL;
}

static WeirRecovery *
recovery_new (const char *path)
{
  WeirRecovery *self;
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_MODEL, NULL);
  const char *text;
  gsize size;
  GStatBuf info;

  if (bytes == NULL || g_stat (path, &info) != 0)
    return NULL;
  text = g_bytes_get_data (bytes, &size);
  self = g_new0 (WeirRecovery, 1);
  self->kept = g_file_new_for_path (path);
  self->origin = find_origin (text, size);
  self->time = g_date_time_new_from_unix_local (info.st_mtime);
  return self;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const WeirRecovery *x = *(WeirRecovery *const *) a, *y = *(WeirRecovery *const *) b;

  return g_date_time_compare (x->time, y->time);
}

/* Whether the process that this slot's name is of has ended. */
static gboolean
is_left_behind (const char *folder, const char *name)
{
  const char *end = strrchr (name, '-');
  g_autofree char *session = NULL, *path = NULL;
  int fd;

  if (end == NULL || !g_str_has_suffix (name, ".weir"))
    return FALSE;
  session = g_strndup (name, (gsize) (end - name));
  path = g_strconcat (folder, G_DIR_SEPARATOR_S, session, ".lock", NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  fd = lock_file (path, 0);
  if (fd < 0)
    return FALSE;
  close (fd);
  return TRUE;
}

/* Removes the locks of ended processes that left nothing behind. */
static void
remove_lock (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  int fd = lock_file (path, 0);

  if (fd < 0)
    return;
  g_unlink (path);
  close (fd);
}

GPtrArray *
weir_recovery_list (void)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_recovery_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_left_behind (folder, name))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        WeirRecovery *recovery = recovery_new (path);

        if (recovery != NULL)
          g_ptr_array_add (found, recovery);
      }
    else if (g_str_has_suffix (name, ".lock"))
      remove_lock (folder, name);
  g_ptr_array_sort (found, compare_times);
  return found;
}

/* --- Slots ----------------------------------------------------------------------------------- */

static WeirRecoverySlot *
slot_ref (WeirRecoverySlot *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
slot_unref (WeirRecoverySlot *self)
{
  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

WeirRecoverySlot *
weir_recovery_slot_new (void)
{
  static guint n_slots;
  WeirRecoverySlot *self = g_new0 (WeirRecoverySlot, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->path = g_strdup_printf ("%s-%u.weir", get_session (), ++n_slots);
  return self;
}

void
weir_recovery_slot_free (WeirRecoverySlot *self)
{
  weir_recovery_slot_clear (self);
  slot_unref (self);
}

typedef struct {
  WeirRecoverySlot *slot;
  WeirModel *model;
  char *origin; /* escaped for a comment */
  char *folder; /* of that, or NULL */
  guint64 serial;
} Job;

static void
job_free (Job *job)
{
  slot_unref (job->slot);
  weir_model_unref (job->model);
  g_free (job->origin);
  g_free (job->folder);
  g_free (job);
}

static gboolean
write_slot (const char *path, const Job *job, GError **error)
{
  g_autoptr (WeirModel) model = weir_model_move (job->model, job->folder);
  g_autoptr (GBytes) bytes = weir_model_write_bytes (model);
  g_autoptr (GString)
      text = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_autoptr (GBytes) whole = NULL;

  g_string_append_printf (text, ORIGIN "%s" ORIGIN_END "\n", job->origin);
  whole = g_string_free_to_bytes (g_steal_pointer (&text));
  return weir_file_write (path, whole, 0600, error);
}

static void
run_job (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
         G_GNUC_UNUSED GCancellable *cancellable)
{
  Job *job = data;
  WeirRecoverySlot *slot = job->slot;
  g_autoptr (GError) error = NULL;

  weir_sync_lock (&slot->mutex);
  if (job->serial == slot->serial)
    {
      gboolean failed = !write_slot (slot->path, job, &error);

      if (failed && !slot->failed)
        g_message ("unsaved changes are not kept for recovery: %s", error->message);
      slot->failed = failed;
    }
  weir_sync_unlock (&slot->mutex);
  g_task_return_boolean (task, TRUE);
}

void
weir_recovery_slot_write (WeirRecoverySlot *self, WeirModel *model, GFile *origin)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_autofree char *uri = origin != NULL ? g_file_get_uri (origin) : g_strdup ("");
  g_auto (GStrv) parts = g_strsplit (uri, "-", -1); /* two of them would end the comment */
  g_autofree char *plain = g_strjoinv ("%2D", parts);
  Job *job = g_new0 (Job, 1);

  job->slot = slot_ref (self);
  job->model = weir_model_ref (model);
  job->folder = weir_file_dup_folder (origin);
  job->origin = g_steal_pointer (&plain);
  weir_sync_lock (&self->mutex);
  job->serial = ++self->serial;
  weir_sync_unlock (&self->mutex);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, run_job);
}

void
weir_recovery_slot_clear (WeirRecoverySlot *self)
{
  weir_sync_lock (&self->mutex);
  self->serial++;
  g_unlink (self->path);
  weir_sync_unlock (&self->mutex);
}

gboolean
weir_recovery_slot_adopt (WeirRecoverySlot *self, WeirRecovery *recovery, GError **error)
{
  g_autoptr (GFile) own = g_file_new_for_path (self->path);
  gboolean is_moved;

  weir_sync_lock (&self->mutex);
  self->serial++;
  is_moved = g_file_move (recovery->kept, own, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error);
  weir_sync_unlock (&self->mutex);
  return is_moved;
}
