/* The files open in all windows, kept from one time to the next (settings.h), and those whose tabs
 * were closed, kept until the program ends.
 *
 * What is kept is what was open when the program ended: the last window closed, or Quit. Thread:
 * *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Notes what is open: @files, GFile, in order. See weir_window_note_files(). */
void weir_open_files_store (GPtrArray *files);
/* Remembers the file of a tab that was closed. */
void weir_open_files_note_closed (GFile *file);
/* The one closed last, which is forgotten; NULL: none is left. (transfer full) */
GFile *weir_open_files_take_closed (void);
/* From here on windows close because the program ends: what is open stays noted as it is. */
void weir_open_files_begin_quit (void);
/* GFile of those that still exist, in order; empty if they are not to be opened again. (transfer
 * full) */
GPtrArray *weir_open_files_list (void);

G_END_DECLS
