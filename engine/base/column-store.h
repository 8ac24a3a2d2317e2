/* Where the chunks of columns lie: in memory up to a budget, then in a file.
 *
 * The file is in the user's cache folder and has no name, so that nothing is left of it however the
 * process ends. Its parts are mapped: to who reads them they are memory like any other, which the
 * kernel writes out when it needs the room. Where no file can be had chunks come from memory again,
 * and the store says so: whoever fills the columns has to put less into them.
 *
 * Thread: taking *owner*; asking *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WeirColumnStore WeirColumnStore;

typedef enum {
  WEIR_STORE_IN_MEMORY,
  WEIR_STORE_IN_FILE, /* what was taken last */
  WEIR_STORE_FULL,    /* beyond the budget, and there is no file */
} WeirStoreState;

/* @budget: bytes of memory; 0: a quarter of what is free now. @uses_file: beyond that. */
WeirColumnStore *weir_column_store_new (guint64 budget, gboolean uses_file);
void weir_column_store_free (WeirColumnStore *self);

/* Before anything is taken. */
void weir_column_store_set_budget (WeirColumnStore *self, guint64 budget, gboolean uses_file);
guint64 weir_column_store_get_budget (const WeirColumnStore *self);
WeirStoreState weir_column_store_get_state (const WeirColumnStore *self);
/* Why there is no file, of one that is full: an error number; 0: none was wanted. */
int weir_column_store_get_error (const WeirColumnStore *self);
/* Where the file is. (transfer full) */
char *weir_column_store_dup_folder (void);

/* @size bytes that do not move; @is_mapped tells weir_column_store_give() how to let them go. */
gpointer weir_column_store_take (WeirColumnStore *self, gsize size, gboolean *is_mapped);
void weir_column_store_give (gpointer bytes, gsize size, gboolean is_mapped);

G_END_DECLS
