/* The error domain of the engine. See status.h. */
#include "base/status.h"

G_DEFINE_QUARK (weir-error-quark, weir_error)
