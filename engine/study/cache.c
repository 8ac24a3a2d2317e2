/* The cache of runs. See cache.h. */
#include "study/cache.h"

#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "study/database.h"

#define DEFAULT_MEBIBYTES 1024.0
#define ROW_BYTES 200 /* of what a run takes besides its blobs */
#define FORMAT 2
#define MOST_PARTS 1000 /* that are kept, the newest: of runs that may have been given up */
#define PINNED 1e300    /* rank of what is not given up */

struct _WeirRunCache {
  sqlite3 *database;
  sqlite3_stmt *find, *put, *use, *remove, *least;
  guint64 most, size; /* bytes */
  double floor;       /* rank of what was given up last */
  char *parts;        /* of runs that are put, or NULL */
  gint64 parts_id;    /* in the file; 0: not looked for */
  gboolean pins;
  GHashTable *misses; /* Miss, by the number of parts */
  sqlite3_stmt *before, *pin;
};

/* How runs with other parts differ from those that are looked for. */
typedef struct {
  WeirRunPart part;
  char *values;
} Miss;

static void
miss_free (gpointer data)
{
  g_free (((Miss *) data)->values);
  g_free (data);
}

/* How much there is; and the rank of what was given up last, as far as what was used since tells.
 */
static void
look_at_all (WeirRunCache *self)
{
  sqlite3_stmt *statement = weir_database_prepare (
      self->database,
      "SELECT sum(bytes), max(iif(rank < " G_STRINGIFY (PINNED) ", rank - seconds / bytes, 0))"
                                                                " FROM runs",
      NULL);

  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    {
      self->size = (guint64) sqlite3_column_int64 (statement, 0);
      self->floor = MAX (sqlite3_column_double (statement, 1), 0);
    }
  sqlite3_finalize (statement);
}

static gboolean
open_runs (WeirRunCache *self, const char *path, GError **error)
{
  static const struct {
    gsize offset;
    const char *sql;
  } statements[] = {
    { G_STRUCT_OFFSET (WeirRunCache, find),
      "SELECT whole, status, reason, seconds, figures, bytes, rank, rows FROM runs WHERE key = ?" },
    { G_STRUCT_OFFSET (WeirRunCache, put),
      "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" },
    { G_STRUCT_OFFSET (WeirRunCache, use),
      "UPDATE runs SET rank = ? + seconds / bytes WHERE key = ? AND rank < " G_STRINGIFY (PINNED) },
    { G_STRUCT_OFFSET (WeirRunCache, remove), "DELETE FROM runs WHERE key = ? RETURNING bytes" },
    { G_STRUCT_OFFSET (WeirRunCache, least),
      "SELECT key, rank FROM runs WHERE rank < " G_STRINGIFY (PINNED) " ORDER BY rank LIMIT 1" },
    { G_STRUCT_OFFSET (WeirRunCache, before),
      "SELECT parts FROM runs WHERE point = ? ORDER BY parts DESC LIMIT 1" },
    { G_STRUCT_OFFSET (WeirRunCache, pin),
      "UPDATE runs SET rank = " G_STRINGIFY (PINNED) " WHERE key = ?" },
  };

  self->database = weir_database_open (path, error);
  if (self->database == NULL)
    return FALSE;
  if (weir_database_get_number (self->database, "PRAGMA user_version", 0) != FORMAT
      && !weir_database_execute (self->database,
                                 "DROP TABLE IF EXISTS runs; DROP TABLE IF EXISTS parts;"
                                 "PRAGMA user_version = " G_STRINGIFY (FORMAT),
                                 error))
    return FALSE;
  if (!weir_database_execute (
          self->database,
          "CREATE TABLE IF NOT EXISTS runs (key BLOB PRIMARY KEY, whole BLOB, status INTEGER,"
          " reason TEXT, seconds REAL, bytes INTEGER, rank REAL, figures BLOB, rows BLOB,"
          " point INTEGER, parts INTEGER);"
          "CREATE INDEX IF NOT EXISTS ranks ON runs (rank);"
          "CREATE INDEX IF NOT EXISTS of_points ON runs (point, parts);"
          "CREATE TABLE IF NOT EXISTS parts (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT "
          "UNIQUE)",
          error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      sqlite3_stmt *statement = weir_database_prepare (self->database, statements[i].sql, error);

      if (statement == NULL)
        return FALSE;
      G_STRUCT_MEMBER (sqlite3_stmt *, self, statements[i].offset) = statement;
    }
  look_at_all (self);
  return TRUE;
}

WeirRunCache *
weir_run_cache_new (const char *path, double mebibytes, GError **error)
{
  WeirRunCache *self = g_new0 (WeirRunCache, 1);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "weir", NULL);
  g_autofree char *file = path != NULL ? g_strdup (path)
                                       : g_build_filename (folder, "runs.db", NULL);

  if (path == NULL)
    g_mkdir_with_parents (folder, 0700);
  self->misses = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, miss_free);
  self->most = (guint64) (MIN (mebibytes > 0 ? mebibytes : DEFAULT_MEBIBYTES, 1e9) * 1048576);
  if (open_runs (self, file, error))
    return self;
  weir_run_cache_free (self);
  return NULL;
}

void
weir_run_cache_free (WeirRunCache *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->find);
  sqlite3_finalize (self->put);
  sqlite3_finalize (self->use);
  sqlite3_finalize (self->remove);
  sqlite3_finalize (self->least);
  sqlite3_finalize (self->before);
  sqlite3_finalize (self->pin);
  g_hash_table_unref (self->misses);
  g_free (self->parts);
  weir_database_close (self->database);
  g_free (self);
}

guint64
weir_run_cache_get_size (const WeirRunCache *self)
{
  return self->size;
}

/* --- Looking --------------------------------------------------------------------------------- */

void
weir_run_cache_begin_looking (WeirRunCache *self)
{
  weir_database_execute (self->database, "BEGIN", NULL);
}

void
weir_run_cache_end_looking (WeirRunCache *self)
{
  weir_database_execute (self->database, "COMMIT", NULL);
}

gboolean
weir_run_cache_find (WeirRunCache *self, const WeirRunKey *key, guint n_figures, gboolean with_rows,
                     WeirCachedRun *run)
{
  sqlite3_stmt *find = self->find;
  gsize size = n_figures * sizeof (double);

  *run = (WeirCachedRun) { 0 };
  sqlite3_bind_blob (find, 1, key->run, sizeof key->run, SQLITE_STATIC);
  if (sqlite3_step (find) != SQLITE_ROW)
    {
      sqlite3_reset (find);
      return FALSE;
    }
  run->is_whole = sqlite3_column_bytes (find, 0) == sizeof key->whole
                  && memcmp (sqlite3_column_blob (find, 0), key->whole, sizeof key->whole) == 0
                  && sqlite3_column_bytes (find, 4) == (int) size;
  run->status = (WeirPointStatus) CLAMP (sqlite3_column_int (find, 1), 0, 2);
  run->reason = weir_database_read_message (find, 2);
  run->seconds = sqlite3_column_double (find, 3);
  if (run->is_whole)
    {
      run->figures = g_new (double, n_figures + 1);
      if (size > 0)
        memcpy (run->figures, sqlite3_column_blob (find, 4), size);
    }
  run->is_sinking = (self->pins && sqlite3_column_double (find, 6) < PINNED)
                    || sqlite3_column_double (find, 6)
                           < self->floor + run->seconds / (double) sqlite3_column_int64 (find, 5);
  if ((with_rows || !run->is_whole) && sqlite3_column_bytes (find, 7) > 0)
    run->rows = g_bytes_new (sqlite3_column_blob (find, 7), (gsize) sqlite3_column_bytes (find, 7));
  sqlite3_reset (find);
  return TRUE;
}

void
weir_cached_run_clear (WeirCachedRun *run)
{
  g_clear_pointer (&run->reason, weir_message_unref);
  g_clear_pointer (&run->figures, g_free);
  g_clear_pointer (&run->rows, g_bytes_unref);
}

/* --- Why not ---------------------------------------------------------------------------------- */

void
weir_run_cache_set_parts (WeirRunCache *self, const char *parts)
{
  if (g_strcmp0 (self->parts, parts) == 0)
    return;
  g_free (self->parts);
  self->parts = g_strdup (parts);
  self->parts_id = 0;
  g_hash_table_remove_all (self->misses);
}

void
weir_run_cache_set_pins (WeirRunCache *self, gboolean pins)
{
  self->pins = pins;
}

static Miss *
create_miss (WeirRunCache *self, gint64 id)
{
  sqlite3_stmt *statement = weir_database_prepare (self->database,
                                                   "SELECT text FROM parts WHERE id = ?", NULL);
  Miss *miss = g_new0 (Miss, 1);

  miss->part = WEIR_N_RUN_PARTS;
  sqlite3_bind_int64 (statement, 1, id);
  if (statement != NULL && self->parts != NULL && sqlite3_step (statement) == SQLITE_ROW)
    miss->part = weir_run_parts_compare ((const char *) sqlite3_column_text (statement, 0),
                                         self->parts, &miss->values);
  sqlite3_finalize (statement);
  return miss;
}

WeirRunPart
weir_run_cache_explain (WeirRunCache *self, const WeirRunKey *key, const char **values)
{
  gint64 id = 0;
  Miss *miss;

  if (values != NULL)
    *values = NULL;
  sqlite3_bind_int64 (self->before, 1, (gint64) key->point);
  if (sqlite3_step (self->before) == SQLITE_ROW)
    id = sqlite3_column_int64 (self->before, 0);
  sqlite3_reset (self->before);
  if (id == 0)
    return WEIR_N_RUN_PARTS;
  miss = g_hash_table_lookup (self->misses, &id);
  if (miss == NULL)
    {
      miss = create_miss (self, id);
      g_hash_table_insert (self->misses, g_memdup2 (&id, sizeof id), miss);
    }
  if (values != NULL)
    *values = miss->values;
  return miss->part;
}

/* --- Changing -------------------------------------------------------------------------------- */

gboolean
weir_run_cache_begin (WeirRunCache *self, GError **error)
{
  return weir_database_execute (self->database, "BEGIN IMMEDIATE", error);
}

/* The number of the present parts in the file; 0: they were not told. */
static gint64
find_parts (WeirRunCache *self)
{
  sqlite3_stmt *statement;

  if (self->parts == NULL || self->parts_id != 0)
    return self->parts_id;
  statement = weir_database_prepare (self->database,
                                     "INSERT OR IGNORE INTO parts (text) VALUES (?)", NULL);
  sqlite3_bind_text (statement, 1, self->parts, -1, SQLITE_STATIC);
  weir_database_step (statement, NULL);
  sqlite3_finalize (statement);
  statement = weir_database_prepare (self->database, "SELECT id FROM parts WHERE text = ?", NULL);
  sqlite3_bind_text (statement, 1, self->parts, -1, SQLITE_STATIC);
  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW)
    self->parts_id = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  weir_database_execute (self->database,
                         "DELETE FROM parts WHERE id <= (SELECT max(id) FROM parts)"
                         " - " G_STRINGIFY (MOST_PARTS),
                         NULL);
  return self->parts_id;
}

/* What is pinned stays within the bound too: beyond, a run is like any other. */
static gboolean
can_pin (WeirRunCache *self, gint64 bytes)
{
  return self->pins && self->size + (guint64) bytes <= self->most;
}

void
weir_run_cache_remove (WeirRunCache *self, const WeirRunKey *key)
{
  sqlite3_bind_blob (self->remove, 1, key->run, sizeof key->run, SQLITE_STATIC);
  if (sqlite3_step (self->remove) == SQLITE_ROW)
    self->size -= MIN (self->size, (guint64) sqlite3_column_int64 (self->remove, 0));
  while (sqlite3_step (self->remove) == SQLITE_ROW)
    ;
  sqlite3_reset (self->remove);
}

gboolean
weir_run_cache_put (WeirRunCache *self, const WeirRunKey *key, const WeirCachedRun *run,
                    guint n_figures, GError **error)
{
  sqlite3_stmt *put = self->put;
  gsize size = 0;
  gconstpointer rows = run->rows != NULL ? g_bytes_get_data (run->rows, &size) : NULL;
  g_autofree char *reason = run->reason != NULL ? weir_message_store (run->reason) : NULL;
  gint64 bytes = (gint64) (size + n_figures * sizeof (double) + ROW_BYTES);

  if ((guint64) bytes > self->most / 4)
    return TRUE;
  weir_run_cache_remove (self, key);
  sqlite3_bind_blob (put, 1, key->run, sizeof key->run, SQLITE_STATIC);
  sqlite3_bind_blob (put, 2, key->whole, sizeof key->whole, SQLITE_STATIC);
  sqlite3_bind_int (put, 3, (int) run->status);
  sqlite3_bind_text (put, 4, reason, -1, SQLITE_STATIC);
  sqlite3_bind_double (put, 5, run->seconds);
  sqlite3_bind_int64 (put, 6, bytes);
  sqlite3_bind_double (
      put, 7, can_pin (self, bytes) ? PINNED : self->floor + run->seconds / (double) bytes);
  sqlite3_bind_blob64 (put, 8, run->figures, n_figures * sizeof (double), SQLITE_STATIC);
  sqlite3_bind_blob64 (put, 9, rows, size, SQLITE_STATIC);
  sqlite3_bind_int64 (put, 10, (gint64) key->point);
  sqlite3_bind_int64 (put, 11, find_parts (self));
  if (weir_database_step (put, error))
    {
      self->size += (guint64) bytes;
      return TRUE;
    }
  weir_database_execute (self->database, "ROLLBACK", NULL);
  return FALSE;
}

void
weir_run_cache_use (WeirRunCache *self, const WeirRunKey *key)
{
  if (self->pins)
    {
      sqlite3_bind_blob (self->pin, 1, key->run, sizeof key->run, SQLITE_STATIC);
      weir_database_step (self->pin, NULL);
      return;
    }
  sqlite3_bind_double (self->use, 1, self->floor);
  sqlite3_bind_blob (self->use, 2, key->run, sizeof key->run, SQLITE_STATIC);
  weir_database_step (self->use, NULL);
}

/* What is worth least goes first. */
static void
give_up (WeirRunCache *self)
{
  while (self->size > self->most && sqlite3_step (self->least) == SQLITE_ROW)
    {
      WeirRunKey key;
      gboolean is_key = sqlite3_column_bytes (self->least, 0) == sizeof key.run;

      if (is_key)
        memcpy (key.run, sqlite3_column_blob (self->least, 0), sizeof key.run);
      self->floor = sqlite3_column_double (self->least, 1);
      sqlite3_reset (self->least);
      if (!is_key)
        break;
      weir_run_cache_remove (self, &key);
    }
  sqlite3_reset (self->least);
}

gboolean
weir_run_cache_commit (WeirRunCache *self, GError **error)
{
  give_up (self);
  if (weir_database_execute (self->database, "COMMIT", error))
    return TRUE;
  weir_database_execute (self->database, "ROLLBACK", NULL);
  return FALSE;
}

gboolean
weir_run_cache_unpin (WeirRunCache *self, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("UPDATE runs SET rank = %.17g + seconds / bytes"
                                          " WHERE rank >= " G_STRINGIFY (PINNED),
                                          self->floor);

  return weir_database_execute (self->database, sql, error);
}

guint64
weir_run_cache_get_n_pinned (WeirRunCache *self)
{
  return (guint64) weir_database_get_number (
      self->database, "SELECT count(*) FROM runs WHERE rank >= " G_STRINGIFY (PINNED), 0);
}
