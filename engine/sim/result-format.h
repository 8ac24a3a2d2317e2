/* What a format of results is made of: one file that defines weir_result_format_NAME, called NAME.c
 * and named in meson.build. See results.h.
 */
#pragma once

#include "sim/results.h"

G_BEGIN_DECLS

/* What is written, and to where. Borrowed. */
typedef struct {
  WeirRecorder *recorder;
  const char *const *names; /* of the signals */
  gsize n_rows;
  GOutputStream *stream; /* stays open */
} WeirResultTarget;

/* What a column is of: a signal, or one of these. */
enum { WEIR_RESULT_TIME = -1, WEIR_RESULT_PHASE = -2 };

/* Writes @bytes, and empties it. */
gboolean weir_result_target_put (const WeirResultTarget *self, GByteArray *bytes, GError **error);
/* Writes @bytes, empties it, and writes all of @column as doubles, least byte first; NAN where the
 * signal had not yet been added. */
gboolean weir_result_target_put_column (const WeirResultTarget *self, int column, GByteArray *bytes,
                                        GError **error);

struct _WeirResultFormat {
  const char *title;
  const char *const *suffixes; /* ends in NULL */
  gboolean (*write) (const WeirResultTarget *target, GError **error);
};

/* What a format's file ends with: its name, then its table. */
#define WEIR_RESULT_FORMAT(name)                                                                   \
  extern const WeirResultFormat weir_result_format_##name;                                         \
  const WeirResultFormat weir_result_format_##name

/* All of them; made by meson.build from the names of the files. */
extern const WeirResultFormat *const *const weir_result_formats; /* ends in NULL */

G_END_DECLS
