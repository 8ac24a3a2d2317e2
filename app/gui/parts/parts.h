/* The table of parts that are no pages: what an editor has of them besides. */
#pragma once

#include "gui/host/part.h"

G_BEGIN_DECLS

/* Each is made after those before it, all before the pages, and freed the other way round. */
typedef GType (*WeirPartKind) (void);

const WeirPartKind *weir_parts_get (guint *n);

G_END_DECLS
