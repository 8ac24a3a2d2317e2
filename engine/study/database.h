/* What the store of results and the cache of runs share of SQLite: opening, statements, and why
 * something failed as a sentence. Thread: *owner* of the database.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "base/message.h"

G_BEGIN_DECLS

/* With a write-ahead log; waits a while for others that write. NULL and @error. (transfer full) */
sqlite3 *weir_database_open (const char *path, GError **error);
void weir_database_close (sqlite3 *database);
gboolean weir_database_execute (sqlite3 *database, const char *sql, GError **error);
/* NULL and @error. (transfer full) */
sqlite3_stmt *weir_database_prepare (sqlite3 *database, const char *sql, GError **error);
/* One step of a statement that gives no rows, and makes it ready again. */
gboolean weir_database_step (sqlite3_stmt *statement, GError **error);
/* The last failure: "runs.db: database or disk is full". */
void weir_database_set_error (sqlite3 *database, GError **error);
/* The first column of the first row, as a number; @otherwise if there is none. */
gint64 weir_database_get_number (sqlite3 *database, const char *sql, gint64 otherwise);
/* A text that weir_message_store() made, or any other. NULL: there is none. (transfer full) */
WeirMessage *weir_database_read_message (sqlite3_stmt *statement, int column);

G_END_DECLS
