/* SQLite, as far as results and cache need it. See database.h. */
#include "study/database.h"

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "base/status.h"

#define PATIENCE 30000 /* ms, for who writes at the same time */

void
weir_database_set_error (sqlite3 *database, GError **error)
{
  const char *path = sqlite3_db_filename (database, "main");

  weir_error_set (error, WEIR_ERROR_FILE, "%s: %s", path != NULL ? path : "",
                  sqlite3_errmsg (database));
}

gboolean
weir_database_execute (sqlite3 *database, const char *sql, GError **error)
{
  if (sqlite3_exec (database, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  weir_database_set_error (database, error);
  return FALSE;
}

sqlite3 *
weir_database_open (const char *path, GError **error)
{
  sqlite3 *database = NULL;

  if (sqlite3_open_v2 (path, &database,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
      != SQLITE_OK)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s cannot be opened: %s", path,
                      database != NULL ? sqlite3_errmsg (database)
                                       : weir_phrase (N_ ("out of memory")));
      weir_database_close (database);
      return NULL;
    }
  sqlite3_busy_timeout (database, PATIENCE);
  if (weir_database_execute (database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
                             error))
    return database;
  weir_database_close (database);
  return NULL;
}

void
weir_database_close (sqlite3 *database)
{
  sqlite3_close (database);
}

sqlite3_stmt *
weir_database_prepare (sqlite3 *database, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v3 (database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)
      != SQLITE_OK)
    weir_database_set_error (database, error);
  return statement;
}

gboolean
weir_database_step (sqlite3_stmt *statement, GError **error)
{
  int status = sqlite3_step (statement);

  if (status != SQLITE_DONE && status != SQLITE_ROW)
    weir_database_set_error (sqlite3_db_handle (statement), error);
  sqlite3_reset (statement);
  return status == SQLITE_DONE || status == SQLITE_ROW;
}

gint64
weir_database_get_number (sqlite3 *database, const char *sql, gint64 otherwise)
{
  sqlite3_stmt *statement = weir_database_prepare (database, sql, NULL);
  gint64 number = otherwise;

  if (statement != NULL && sqlite3_step (statement) == SQLITE_ROW
      && sqlite3_column_type (statement, 0) != SQLITE_NULL)
    number = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return number;
}

WeirMessage *
weir_database_read_message (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text != NULL ? weir_message_restore (text) : NULL;
}
