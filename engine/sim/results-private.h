/* What a format of results is made of: one file that defines weir_result_format_NAME, called NAME.c
 * and named in meson.build. */
#pragma once

#include "sim/results.h"

G_BEGIN_DECLS

/* What is written, and to where. Borrowed until end(). */
typedef struct {
  WeirRecorder *recorder;
  const char *const *names; /* of the signals */
  GOutputStream *stream;    /* stays open */
} WeirResultTarget;

struct _WeirResultFormat {
  const char *title;
  const char *const *suffixes; /* ends in NULL */
  /* NULL and @error if it cannot begin. (transfer full) */
  gpointer (*begin) (const WeirResultTarget *target, GError **error);
  /* Rows come in order, each once. */
  gboolean (*write_rows) (gpointer writer, gsize first, gsize n, GError **error);
  /* Ends the file, if @is_complete, and frees the writer in any case. */
  gboolean (*end) (gpointer writer, gboolean is_complete, GError **error);
};

/* What a format's file ends with: its name, then its table. */
#define WEIR_RESULT_FORMAT(name)                                                                   \
  extern const WeirResultFormat weir_result_format_##name;                                         \
  const WeirResultFormat weir_result_format_##name

/* All of them; made by meson.build from the names of the files. */
extern const WeirResultFormat *const *const weir_result_formats; /* ends in NULL */

G_END_DECLS
