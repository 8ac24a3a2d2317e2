/* The watcher of a context as evaluation and change events see it. */
#pragma once

#include "system/context-private.h"
#include "system/watch.h"

G_BEGIN_DECLS

/* Around a request; requests within requests are part of the outermost. */
void weir_watch_begin_request (WeirContext *context, guint32 entry);
void weir_watch_end_request (WeirContext *context);

/* Marks what @source reaches, and tells. */
void weir_watch_mark (WeirContext *context, WeirSource source);
/* Tells of a joint event, before its marks: @reached, n_words, become out of date. */
void weir_watch_begin_joint (WeirContext *context, const guint64 *reached);
void weir_watch_end_joint (WeirContext *context);

/* FALSE, with a failure, if @entry is frozen and must stay so. */
gboolean weir_watch_let_compute (WeirContext *context, guint32 entry);

void weir_watch_free (WeirContext *context);

G_END_DECLS
