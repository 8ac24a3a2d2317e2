/* The watcher of a context as evaluation and change events see it. */
#pragma once

#include "system/context/context-private.h"
#include "system/observation/watch.h"

G_BEGIN_DECLS

/* Around a request; requests within requests are part of the outermost. */
void weir_watch_begin_request (WeirContext *context, guint32 entry);
void weir_watch_end_request (WeirContext *context);

/* FALSE, with a failure, if @entry is frozen and must stay so. */
gboolean weir_watch_let_compute (WeirContext *context, guint32 entry);

G_END_DECLS
