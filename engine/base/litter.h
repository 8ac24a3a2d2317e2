/* What a save that was killed leaves behind, and its removal.
 *
 * A file is written under another name beside the one that it is to replace. While it has that name
 * a note of it lies in the user's cache folder, locked by the process: the kernel lets go of the
 * lock however the process ends. So a later program knows exactly which files are litter, wherever
 * they are, and takes nothing else away. Without a cache folder to write to there are no notes.
 *
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *path; /* of the note; NULL: none could be made */
  int fd;
} WeirLitterNote;

/* A name for a new file beside @path. (transfer full) */
char *weir_litter_dup_name (const char *path);
/* Before the file of such a name exists. */
WeirLitterNote weir_litter_note (const char *name);
/* When it has another name, or is gone. */
void weir_litter_forget (WeirLitterNote *note);

/* Removes what processes that are no more have left. For the start of a program. Returns how many
 * files. */
guint weir_litter_remove (void);

G_END_DECLS
