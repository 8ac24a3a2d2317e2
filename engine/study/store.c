/* The results of a study in an SQLite file. See store.h. */
#include "study/store.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/status.h"
#include "base/text.h"
#include "numerics/number.h"
#include "study/database.h"
#include "study/environment.h"
#include "study/subject.h"

#define FORMAT "1"

struct _WeirStudyStore {
  sqlite3 *database;
  const WeirStudy *study; /* borrowed */
  sqlite3_stmt *put, *has;
  guint n_values, n_figures;
  gint64 processor;
};

static const char *const status_names[] = { "done", "failed", "ended" };

/* --- Opening --------------------------------------------------------------------------------- */

/* What the columns of a row are: parameters, figures and signals by name. */
static char *
dup_columns (const WeirStudy *study)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < study->parameters->len; i++)
    g_string_append_printf (text, "parameter %s\n", weir_study_get_parameter (study, i)->name);
  for (guint i = 0; i < study->figures->len; i++)
    g_string_append_printf (text, "figure %s\n", weir_study_get_figure (study, i)->name);
  for (guint i = 0; i < study->signals->len; i++)
    g_string_append_printf (text, "signal %s\n", weir_study_get_signal (study, i)->port);
  return g_string_free (text, FALSE);
}

/* (transfer full) (nullable) */
static char *
dup_fact (sqlite3 *database, const char *name)
{
  sqlite3_stmt *statement = weir_database_prepare (database,
                                                   "SELECT value FROM study WHERE name = ?", NULL);
  char *value = NULL;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  if (sqlite3_step (statement) == SQLITE_ROW)
    value = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  return value;
}

static gboolean
set_fact (sqlite3 *database, const char *name, const char *value, GError **error)
{
  sqlite3_stmt *statement = weir_database_prepare (
      database, "INSERT OR REPLACE INTO study VALUES (?, ?)", error);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 2, value, -1, SQLITE_STATIC);
  ok = weir_database_step (statement, error);
  sqlite3_finalize (statement);
  return ok;
}

/* Refuses a database of something else. */
static gboolean
check_format (sqlite3 *database, GError **error)
{
  g_autofree char *format = NULL;

  if (weir_database_get_number (database, "SELECT count(*) FROM sqlite_master", 0) == 0)
    return TRUE;
  format = dup_fact (database, "format");
  if (g_strcmp0 (format, FORMAT) == 0)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FILE,
                  format == NULL ? N_ ("%s is a database, but not of results of a study")
                                 : N_ ("%s has results in a format of another version of Weir"),
                  sqlite3_db_filename (database, "main"));
  return FALSE;
}

static gboolean
make_tables (WeirStudyStore *self, char **note, GError **error)
{
  g_autofree char *columns = dup_columns (self->study),
                  *before = dup_fact (self->database, "columns");
  g_autoptr (GBytes) bytes = weir_study_write_bytes (self->study);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autofree char *surplus = g_strdup_printf ("DELETE FROM points WHERE i >= %" G_GUINT64_FORMAT,
                                              weir_study_get_n_points (self->study));

  if (!weir_database_execute (
          self->database,
          "CREATE TABLE IF NOT EXISTS study (name TEXT PRIMARY KEY, value TEXT);"
          "CREATE TABLE IF NOT EXISTS processors (id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
          "CREATE TABLE IF NOT EXISTS points (i INTEGER PRIMARY KEY, status INTEGER, reason TEXT,"
          " key BLOB, processor INTEGER, \"values\" BLOB, figures BLOB, signals BLOB);"
          "CREATE TABLE IF NOT EXISTS attempts (i INTEGER PRIMARY KEY, key BLOB, n INTEGER)",
          error))
    return FALSE;
  if (before != NULL && strcmp (before, columns) != 0)
    {
      if (note != NULL)
        *note = g_strdup_printf ("%s had other columns; it is begun anew",
                                 sqlite3_db_filename (self->database, "main"));
      if (!weir_database_execute (self->database, "DELETE FROM points", error))
        return FALSE;
    }
  return weir_database_execute (self->database, surplus, error)
         && set_fact (self->database, "format", FORMAT, error)
         && set_fact (self->database, "columns", columns, error)
         && set_fact (self->database, "text", text, error);
}

static gint64
find_processor (sqlite3 *database, const char *name)
{
  sqlite3_stmt *statement;
  gint64 id = 0;

  statement = weir_database_prepare (database, "INSERT OR IGNORE INTO processors (name) VALUES (?)",
                                     NULL);
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  weir_database_step (statement, NULL);
  sqlite3_finalize (statement);
  statement = weir_database_prepare (database, "SELECT id FROM processors WHERE name = ?", NULL);
  sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
  if (sqlite3_step (statement) == SQLITE_ROW)
    id = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return id;
}

static gboolean
open_results (WeirStudyStore *self, const char *path, char **note, GError **error)
{
  self->database = weir_database_open (path, error);
  if (self->database == NULL || !check_format (self->database, error)
      || !weir_database_execute (self->database, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (!make_tables (self, note, error))
    return FALSE;
  self->processor = find_processor (self->database, weir_environment_get_processor ());
  if (!weir_database_execute (self->database, "COMMIT", error))
    return FALSE;
  self->put = weir_database_prepare (
      self->database, "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);
  if (self->put == NULL)
    return FALSE;
  self->has = weir_database_prepare (self->database,
                                     "SELECT key, \"values\" FROM points WHERE i = ?", error);
  return self->has != NULL;
}

/* As they are. */
static gboolean
open_kept (WeirStudyStore *self, const char *path, GError **error)
{
  g_autofree char *columns = dup_columns (self->study), *there = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      weir_error_set (error, WEIR_ERROR_FILE, N_ ("%s cannot be read: there is no such file"),
                      path);
      return FALSE;
    }
  self->database = weir_database_open (path, error);
  if (self->database == NULL || !check_format (self->database, error))
    return FALSE;
  there = dup_fact (self->database, "columns");
  if (g_strcmp0 (there, columns) == 0)
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FILE, N_ ("%s has other columns by now; make the runs again"),
                  path);
  return FALSE;
}

static WeirStudyStore *
create (const WeirStudy *study)
{
  WeirStudyStore *self = g_new0 (WeirStudyStore, 1);

  self->study = study;
  self->n_values = study->parameters->len;
  self->n_figures = study->figures->len;
  return self;
}

WeirStudyStore *
weir_study_store_open (const char *path, const WeirStudy *study, GError **error)
{
  WeirStudyStore *self = create (study);

  if (open_kept (self, path, error))
    return self;
  weir_study_store_free (self);
  return NULL;
}

WeirStudyStore *
weir_study_store_new (const char *path, const WeirStudy *study, char **note, GError **error)
{
  WeirStudyStore *self = create (study);

  if (open_results (self, path, note, error))
    return self;
  weir_study_store_free (self);
  return NULL;
}

void
weir_study_store_free (WeirStudyStore *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->put);
  sqlite3_finalize (self->has);
  weir_database_close (self->database);
  g_free (self);
}

const WeirStudy *
weir_study_store_get_study (const WeirStudyStore *self)
{
  return self->study;
}

/* --- Writing --------------------------------------------------------------------------------- */

gboolean
weir_study_store_begin (WeirStudyStore *self, GError **error)
{
  return weir_database_execute (self->database, "BEGIN IMMEDIATE", error);
}

gboolean
weir_study_store_commit (WeirStudyStore *self, GError **error)
{
  if (weir_database_execute (self->database, "COMMIT", error))
    return TRUE;
  weir_database_execute (self->database, "ROLLBACK", NULL);
  return FALSE;
}

gboolean
weir_study_store_put (WeirStudyStore *self, const WeirPointResult *result, GError **error)
{
  sqlite3_stmt *put = self->put;
  gsize size = 0;
  gconstpointer signals = result->signals != NULL ? g_bytes_get_data (result->signals, &size)
                                                  : NULL;
  g_autofree char *reason = result->reason != NULL ? weir_message_store (result->reason) : NULL;

  sqlite3_bind_int64 (put, 1, (gint64) result->i);
  sqlite3_bind_int (put, 2, (int) result->status);
  sqlite3_bind_text (put, 3, reason, -1, SQLITE_STATIC);
  sqlite3_bind_blob (put, 4, result->key, WEIR_RUN_KEY_SIZE, SQLITE_STATIC);
  sqlite3_bind_int64 (put, 5, self->processor);
  sqlite3_bind_blob64 (put, 6, result->values, self->n_values * sizeof (double), SQLITE_STATIC);
  sqlite3_bind_blob64 (put, 7, result->figures, self->n_figures * sizeof (double), SQLITE_STATIC);
  sqlite3_bind_blob64 (put, 8, signals, size, SQLITE_STATIC);
  if (weir_database_step (put, error))
    return TRUE;
  weir_database_execute (self->database, "ROLLBACK", NULL);
  return FALSE;
}

void
weir_study_store_begin_looking (WeirStudyStore *self)
{
  weir_database_execute (self->database, "BEGIN", NULL);
}

void
weir_study_store_end_looking (WeirStudyStore *self)
{
  weir_database_execute (self->database, "COMMIT", NULL);
}

gboolean
weir_study_store_has (WeirStudyStore *self, guint64 i, const guint8 *key, const double *values)
{
  gsize size = self->n_values * sizeof (double);
  gboolean found;

  sqlite3_bind_int64 (self->has, 1, (gint64) i);
  found = sqlite3_step (self->has) == SQLITE_ROW
          && sqlite3_column_bytes (self->has, 0) == WEIR_RUN_KEY_SIZE
          && memcmp (sqlite3_column_blob (self->has, 0), key, WEIR_RUN_KEY_SIZE) == 0
          && sqlite3_column_bytes (self->has, 1) == (int) size
          && (size == 0 || memcmp (sqlite3_column_blob (self->has, 1), values, size) == 0);
  sqlite3_reset (self->has);
  return found;
}

gboolean
weir_study_store_drop (WeirStudyStore *self, guint64 first, guint64 last, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("DELETE FROM points WHERE i BETWEEN %" G_GUINT64_FORMAT
                                          " AND %" G_GUINT64_FORMAT,
                                          first, last);

  return weir_database_execute (self->database, sql, error);
}

/* --- Attempts -------------------------------------------------------------------------------- */

static gboolean
note_attempt (sqlite3_stmt *statement, guint64 i, const guint8 *key, GError **error)
{
  sqlite3_bind_int64 (statement, 1, (gint64) i);
  sqlite3_bind_blob (statement, 2, key, WEIR_RUN_KEY_SIZE, SQLITE_STATIC);
  return weir_database_step (statement, error);
}

gboolean
weir_study_store_note_attempts (WeirStudyStore *self, guint n, const guint64 *points,
                                const guint8 *const *keys, GError **error)
{
  sqlite3_stmt *statement;
  gboolean ok = TRUE;

  if (!weir_study_store_begin (self, error))
    return FALSE;
  statement = weir_database_prepare (
      self->database,
      "INSERT INTO attempts VALUES (?1, ?2, 1) ON CONFLICT (i) DO UPDATE SET"
      " n = iif (key = ?2, n + 1, 1), key = ?2",
      error);
  for (guint k = 0; k < n && ok; k++)
    ok = statement != NULL && note_attempt (statement, points[k], keys[k], error);
  sqlite3_finalize (statement);
  if (ok)
    return weir_study_store_commit (self, error);
  weir_database_execute (self->database, "ROLLBACK", NULL);
  return FALSE;
}

guint
weir_study_store_get_n_attempts (WeirStudyStore *self, guint64 i, const guint8 *key)
{
  sqlite3_stmt *statement = weir_database_prepare (
      self->database, "SELECT n FROM attempts WHERE i = ? AND key = ?", NULL);
  guint n = 0;

  if (statement == NULL)
    return 0;
  sqlite3_bind_int64 (statement, 1, (gint64) i);
  sqlite3_bind_blob (statement, 2, key, WEIR_RUN_KEY_SIZE, SQLITE_STATIC);
  if (sqlite3_step (statement) == SQLITE_ROW)
    n = (guint) sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  return n;
}

gboolean
weir_study_store_end_attempt (WeirStudyStore *self, guint64 i, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("DELETE FROM attempts WHERE i = %" G_GUINT64_FORMAT, i);

  return weir_database_execute (self->database, sql, error);
}

gboolean
weir_study_store_forget_attempts (WeirStudyStore *self, const WeirMessage *reason, GError **error)
{
  /* Files of before have the text alone. */
  sqlite3_stmt *statement = weir_database_prepare (
      self->database, "DELETE FROM points WHERE status = ? AND reason IN (?, ?)", error);
  g_autofree char *stored = weir_message_store (reason);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int (statement, 1, WEIR_POINT_FAILED);
  sqlite3_bind_text (statement, 2, stored, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 3, weir_message_get_text (reason), -1, SQLITE_STATIC);
  ok = weir_database_step (statement, error);
  sqlite3_finalize (statement);
  return ok && weir_database_execute (self->database, "DELETE FROM attempts", error);
}

void
weir_study_store_set_processor (WeirStudyStore *self, const char *name)
{
  self->processor = find_processor (self->database, name);
}

/* --- Reading --------------------------------------------------------------------------------- */

/* FALSE: it has another size. */
static gboolean
copy_column (sqlite3_stmt *statement, int column, gpointer to, gsize size)
{
  if (sqlite3_column_bytes (statement, column) != (int) size)
    return FALSE;
  if (size > 0)
    memcpy (to, sqlite3_column_blob (statement, column), size);
  return TRUE;
}

static gboolean
show_rows (WeirStudyStore *self, sqlite3_stmt *statement, gboolean with_signals, WeirPointFunc func,
           gpointer data, GError **error)
{
  g_autofree double *values = g_new (double, self->n_values + 1);
  g_autofree double *figures = g_new (double, self->n_figures + 1);
  guint8 key[WEIR_RUN_KEY_SIZE];
  int status;

  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      g_autoptr (WeirMessage) reason = weir_database_read_message (statement, 2);
      WeirPointResult result = {
        .i = (guint64) sqlite3_column_int64 (statement, 0),
        .status = (WeirPointStatus) CLAMP (sqlite3_column_int (statement, 1), 0, 2),
        .reason = reason,
        .key = key,
        .values = values,
        .figures = figures,
      };
      gboolean goes_on;

      if (!copy_column (statement, 3, key, sizeof key)
          || !copy_column (statement, 4, values, self->n_values * sizeof (double))
          || !copy_column (statement, 5, figures, self->n_figures * sizeof (double)))
        {
          weir_error_set (error, WEIR_ERROR_FILE,
                          "%s is damaged: point %lu has another number of values",
                          sqlite3_db_filename (self->database, "main"), (gulong) result.i);
          return FALSE;
        }
      if (with_signals && sqlite3_column_bytes (statement, 6) > 0)
        result.signals = g_bytes_new (sqlite3_column_blob (statement, 6),
                                      (gsize) sqlite3_column_bytes (statement, 6));
      goes_on = func (&result, data);
      g_clear_pointer (&result.signals, g_bytes_unref);
      if (!goes_on)
        return TRUE;
    }
  if (status == SQLITE_DONE)
    return TRUE;
  weir_database_set_error (self->database, error);
  return FALSE;
}

gboolean
weir_study_store_foreach (WeirStudyStore *self, guint64 first, guint64 last, gboolean with_signals,
                          WeirPointFunc func, gpointer data, GError **error)
{
  sqlite3_stmt *statement = weir_database_prepare (
      self->database,
      "SELECT i, status, reason, key, \"values\", figures, signals FROM points"
      " WHERE i BETWEEN ? AND ? ORDER BY i",
      error);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) first);
  sqlite3_bind_int64 (statement, 2, (gint64) last);
  ok = show_rows (self, statement, with_signals, func, data, error);
  sqlite3_finalize (statement);
  return ok;
}

guint
weir_study_store_get_n_processors (WeirStudyStore *self)
{
  return (guint) weir_database_get_number (self->database,
                                           "SELECT count(DISTINCT processor) FROM points", 0);
}

/* --- Joining --------------------------------------------------------------------------------- */

/* FALSE and @error, which names it. */
static gboolean
attach (WeirStudyStore *self, const char *path, GError **error)
{
  sqlite3_stmt *statement;
  gboolean ok = FALSE;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be read: there is no such file", path);
      return FALSE;
    }
  statement = weir_database_prepare (self->database, "ATTACH ? AS other", error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, path, -1, SQLITE_STATIC);
  if (!weir_database_step (statement, NULL))
    weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be read: %s", path,
                    sqlite3_errmsg (self->database));
  else
    ok = TRUE;
  sqlite3_finalize (statement);
  return ok;
}

static gboolean
merge_attached (WeirStudyStore *self, const char *path, guint64 *n_taken, guint64 *n_other,
                GError **error)
{
  if (weir_database_get_number (self->database,
                                "SELECT count(*) FROM main.study a JOIN other.study b"
                                " ON a.name = b.name AND a.value = b.value"
                                " WHERE a.name IN ('format', 'columns')",
                                0)
      != 2)
    {
      weir_error_set (error, WEIR_ERROR_FILE,
                      "%s has no results of this study: its columns are others", path);
      return FALSE;
    }
  *n_other = (guint64) weir_database_get_number (
      self->database,
      "SELECT count(*) FROM main.points a JOIN other.points b ON a.i = b.i AND a.key = b.key"
      " WHERE a.status IS NOT b.status OR a.figures IS NOT b.figures"
      " OR a.signals IS NOT b.signals",
      0);
  if (!weir_database_execute (
          self->database,
          "BEGIN IMMEDIATE;"
          "INSERT OR IGNORE INTO main.processors (name) SELECT name FROM other.processors;"
          "INSERT OR IGNORE INTO main.points"
          " SELECT p.i, p.status, p.reason, p.key, m.id, p.\"values\", p.figures, p.signals"
          " FROM other.points p LEFT JOIN other.processors o ON o.id = p.processor"
          " LEFT JOIN main.processors m ON m.name = o.name",
          error))
    {
      weir_database_execute (self->database, "ROLLBACK", NULL);
      return FALSE;
    }
  *n_taken = (guint64) sqlite3_changes64 (self->database);
  return weir_study_store_commit (self, error);
}

gboolean
weir_study_store_merge (WeirStudyStore *self, const char *path, guint64 *n_taken, guint64 *n_other,
                        GError **error)
{
  gboolean ok;

  *n_taken = *n_other = 0;
  if (!attach (self, path, error))
    return FALSE;
  ok = merge_attached (self, path, n_taken, n_other, error);
  weir_database_execute (self->database, "DETACH other", NULL);
  return ok;
}

/* --- CSV ------------------------------------------------------------------------------------- */

typedef struct {
  const WeirStudyStore *store;
  GString *text;
  int fd;
  int failure; /* of writing */
} Table;

static void
flush (Table *table)
{
  const char *at = table->text->str;
  gsize left = table->text->len;

  while (left > 0 && table->failure == 0)
    {
      gssize n = write (table->fd, at, left);

      if (n < 0 && errno != EINTR)
        table->failure = errno;
      if (n > 0)
        {
          at += n;
          left -= (gsize) n;
        }
    }
  g_string_truncate (table->text, 0);
}

static void
put_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, ',');
  if (!isnan (value))
    g_string_append (text, weir_number_to_text (value, buffer));
}

static gboolean
put_row (const WeirPointResult *result, gpointer data)
{
  Table *table = data;
  GString *text = table->text;

  g_string_append_printf (text, "%" G_GUINT64_FORMAT ",%s", result->i,
                          status_names[result->status]);
  for (guint i = 0; i < table->store->n_values; i++)
    put_number (text, result->values[i]);
  for (guint i = 0; i < table->store->n_figures; i++)
    put_number (text, result->figures[i]);
  g_string_append_c (text, ',');
  weir_csv_append_field (text,
                         result->reason != NULL ? weir_message_get_text (result->reason) : "");
  g_string_append_c (text, '\n');
  if (text->len > 65536)
    flush (table);
  return table->failure == 0;
}

gboolean
weir_study_store_write_csv (WeirStudyStore *self, guint64 first, guint64 last, int fd,
                            GError **error)
{
  Table table = { self, g_string_new ("point,status"), fd, 0 };
  gboolean ok;

  for (guint i = 0; i < self->n_values; i++)
    {
      g_string_append_c (table.text, ',');
      weir_csv_append_field (table.text, weir_study_get_parameter (self->study, i)->name);
    }
  for (guint i = 0; i < self->n_figures; i++)
    {
      g_string_append_c (table.text, ',');
      weir_csv_append_field (table.text, weir_study_get_figure (self->study, i)->name);
    }
  g_string_append (table.text, ",reason\n");
  ok = weir_study_store_foreach (self, first, last, FALSE, put_row, &table, error);
  flush (&table);
  g_string_free (table.text, TRUE);
  if (ok && table.failure != 0)
    g_set_error_literal (error, G_FILE_ERROR, (gint) g_file_error_from_errno (table.failure),
                         g_strerror (table.failure));
  return ok && table.failure == 0;
}
