/* What leaves the editor as a file or on the clipboard, and telling so. Thread: *main*. */
#pragma once

#include "gui/host/host.h"
#include "paint/drawing/picture.h"

G_BEGIN_DECLS

/* Says that the file @name was written, or what stood in the way; @error: NULL if a picture has no
 * local path. Returns @is_written. */
gboolean weir_export_tell (WeirHost *host, const char *name, gboolean is_written,
                           const GError *error);

/* What there is to write, or NULL, as a file. */
gboolean weir_export_bytes (WeirHost *host, GFile *file, GBytes *bytes);
/* A table as a file. @text: NULL if there is none yet. */
gboolean weir_export_table (WeirHost *host, GFile *file, const char *text);
/* The same after asking where to; @dup_text gives it then, and @data lives as long as @host. */
void weir_export_choose_table (WeirHost *host, const char *title, const char *name,
                               char *(*dup_text) (gpointer data), gpointer data);

/* What @draw draws, in points, to the clipboard in the forms that other programs take. */
void weir_export_copy_drawing (WeirHost *host, double width, double height, WeirPictureFunc draw,
                               gpointer data);
/* The same of what @to_bytes gives. */
void weir_export_copy (WeirHost *host,
                       GBytes *(*to_bytes) (gpointer data, WeirPictureFormat format,
                                            GError **error),
                       gpointer data);

G_END_DECLS
