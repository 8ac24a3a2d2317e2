/* What beside a model decides the bits of a run. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The sum of what was compiled of the engine: written when it is built (.build/sum-code). */
extern const char weir_engine_code[];
/* The code of the engine and of the libraries that it calls for numbers. Static. */
const char *weir_environment_get_code (void);
/* The class of processor, as far as it alters bits. Static. */
const char *weir_environment_get_processor (void);

G_END_DECLS
